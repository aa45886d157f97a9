"""Where the command takes a function's inputs from."""

import json

import pytest


@pytest.fixture
def inputs(explain):
    """The inputs that the command reports, by name, of a program's function."""

    def run(program, function="f"):
        said = explain(program, function, "--json")
        assert said.code == 0, said.error
        found = json.loads(said.out)
        return {i["source"]: (i["type"], i["gradient_norm"]) for i in found["inputs"]}, found["passed"]

    return run


def test_defaults_are_inputs(inputs):
    found, _ = inputs("def f(x=3.0, y=2.0): return x * y")
    assert found == {"x": ("float32[]", 2.0), "y": ("float32[]", 3.0)}


def test_an_example_by_place_and_by_name_goes_before_defaults(inputs):
    found, _ = inputs("""
        @tg.example(5.0, y=7.0)
        def f(x, y=2.0): return x * y
    """)
    assert found == {"x": ("float32[]", 7.0), "y": ("float32[]", 5.0)}


def test_an_example_function_is_called_for_inputs_by_name(inputs):
    found, _ = inputs("""
        @tg.example(lambda: {"x": np.full(3, 2.0)})
        def f(x): return tg.sum(x * x)
    """)
    assert found == {"x": ("float64[3]", pytest.approx(48**0.5))}


def test_the_leaves_of_containers_are_named_as_one_writes_them(inputs):
    found, _ = inputs("""
        from dataclasses import dataclass
        @dataclass
        class Layer:
            w: object
        @tg.example({"layers": [Layer(1.0), Layer(2.0)]})
        def f(p): return p["layers"][0].w * p["layers"][1].w
    """)
    assert found == {"p['layers'][0].w": ("float32[]", 2.0), "p['layers'][1].w": ("float32[]", 1.0)}


def test_python_integers_text_and_none_are_passed_as_they_are(inputs):
    found, passed = inputs("""
        def f(x=1.0, flag=True, n=3, s="s", z=None):
            assert flag is True and n == 3 and s == "s" and z is None
            return x
    """)
    assert list(found) == ["x"]
    assert passed == ["flag", "n", "s", "z"]


def test_integer_arrays_are_inputs_without_a_gradient(inputs):
    found, _ = inputs("def f(x=2.0, i=np.arange(3)): return tg.sum(x * tg.astype(i, 'float32'))")
    assert found == {"x": ("float32[]", 3.0), "i": ("int64[3]", None)}


def test_variadic_and_keyword_only_parameters_are_passed_as_declared(inputs):
    found, _ = inputs("""
        @tg.example(2.0, 3.0, k=5.0, more=7.0)
        def f(*args, k, **named): return args[0] * args[1] * k * named["more"]
    """)
    assert [norm for _, norm in found.values()] == [105.0, 70.0, 42.0, 30.0]


def test_a_function_without_inputs_is_explained(explain):
    said = explain("def f(): return 2.0")
    assert said.code == 0
    assert "no input that a gradient could flow to" in said.out


@pytest.mark.parametrize("kind", ["staticmethod", "classmethod"])
@pytest.mark.parametrize("example", ["x=3.0", "x"])
def test_a_function_of_a_class_is_named_with_a_dot(explain, kind, example):
    above = "" if "=" in example else "@tg.example(3.0)"
    own = "" if kind == "staticmethod" else "cls, "
    said = explain(
        f"""
        class C:
            {above}
            @{kind}
            def f({own}{example}): return x * x
        """,
        "C.f",
    )
    assert said.code == 0, said.error
    assert "norm 6" in said.out


def test_a_method_takes_its_object_from_the_example(explain):
    said = explain(
        """
        class C:
            w = 4.0
            @tg.example(lambda: {"self": C(), "x": 3.0})
            def f(self, x): return self.w * x
        """,
        "C.f",
    )
    assert "norm 4" in said.out
    assert "passed as they are: self" in said.out


def test_a_callable_object_is_explained(explain):
    said = explain("""
        class C:
            def __call__(self, x=3.0): return x * x
        f = C()
    """)
    assert "norm 6" in said.out


def test_a_decorated_function_keeps_its_example(explain):
    said = explain("""
        import functools
        def twice(g):
            @functools.wraps(g)
            def h(*args): return g(*args) * 2.0
            return h
        @twice
        @tg.example(3.0)
        def f(x): return x * x
    """)
    assert "norm 12" in said.out
