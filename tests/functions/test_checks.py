"""ensure and print: values are looked at as they pass."""

import numpy as np
import pytest

import tidegate as tg
from tidegate.core.graph import walk


def test_ensure_passes_the_value_and_the_gradient():
    x = tg.asarray([1.0, 2.0])
    y = tg.ensure(x, x > 0.0, "x must be positive")
    assert y.numpy().tolist() == [1.0, 2.0]
    assert tg.gradients(y * y, [x])[0].numpy().tolist() == [2.0, 4.0]
    assert tg.flow.why(y, {"x": x})["x"].status == "flows"


@pytest.mark.parametrize("run", [lambda f, x: f(x), lambda f, x: tg.jit(f)(x.numpy()), lambda f, x: tg.vmap(f)(x)])
def test_ensure_says_what_was_wrong_where_and_on_which_line(run):
    def f(x):
        return tg.exp(tg.ensure(x, x > 0.0, "x must be positive"))

    with pytest.raises(tg.InvalidValueError, match=r"x must be positive.*false at \[1\].*test_checks.py:21") as caught:
        run(f, tg.asarray([1.0, -2.0])).numpy()
    assert isinstance(caught.value, ValueError)


def test_ensure_wants_a_condition():
    with pytest.raises(tg.DTypeError, match=r"ensure: got float32\[\] as condition"):
        tg.ensure(tg.asarray(1.0), tg.asarray(1.0))


@pytest.mark.parametrize("many", [False, True], ids=["one op", "in a chain"])
def test_a_singular_matrix_is_told_with_the_line_that_made_the_op(many):
    a = tg.asarray([[1.0, 0.0], [2.0, 0.0]])
    y = tg.solve_triangular(a, tg.asarray([[1.0], [1.0]]))
    with pytest.raises(tg.SingularMatrixError, match=r"0 on its diagonal, at \[1, 1\].*test_checks.py:36"):
        (tg.exp(y) if many else y).numpy()


def test_print_shows_values_at_the_prompt_now(capsys):
    x = tg.asarray([1.0, 2.0])
    tg.print("x is", x * 2.0, 3, sep=" | ", end="!\n")
    assert capsys.readouterr().out == "x is | [2. 4.] | 3!\n"


def test_print_in_a_jitted_function_prints_at_each_call_in_order(capsys):
    @tg.jit
    def f(x):
        tg.print("first", x)
        y = x + 1.0
        tg.print("then", y)
        return x

    f(np.float32(1.0))
    f(np.float32(5.0))
    assert capsys.readouterr().out == "first 1.0\nthen 2.0\nfirst 5.0\nthen 6.0\n"
    assert f.trace_count == 1


def test_print_in_a_branch_prints_if_it_is_taken(capsys):
    @tg.jit
    def f(x):
        def loud(v):
            tg.print("taken", v)
            return v

        tg.print("before")
        y = tg.cond(x > 0.0, loud, lambda v: v, x)
        tg.print("after")
        return y

    f(np.float32(1.0))
    f(np.float32(-1.0))
    assert capsys.readouterr().out == "before\ntaken 1.0\nafter\nbefore\nafter\n"


def test_print_under_vmap_shows_the_batch_once(capsys):
    def f(x):
        tg.print("x", x)
        return x * 2.0

    tg.vmap(f)(tg.asarray([1.0, 2.0]))
    assert capsys.readouterr().out == "x [1. 2.]\n"
    tg.jit(tg.vmap(f))(np.float32([3.0, 4.0]))
    assert capsys.readouterr().out == "x [3. 4.]\n"


def test_a_derivative_does_not_print_again(capsys):
    def f(x):
        tg.print("x", x)
        return x * x

    assert tg.grad(f)(3.0).item() == 6.0
    assert capsys.readouterr().out == "x 3.0\n"
    assert tg.jit(tg.grad(f))(3.0).item() == 6.0
    assert capsys.readouterr().out == "x 3.0\n"
    x = tg.asarray(2.0)
    y = tg.jit(f)(x * 1.0)
    assert capsys.readouterr().out == "x 2.0\n"
    assert tg.gradients(y, [x])[0].item() == 4.0
    assert capsys.readouterr().out == ""


def test_an_effect_is_kept_though_nothing_reads_it():
    f = tg.jit(lambda x: tg.print(x))
    f(np.float32(1.0))
    (traced,) = f._traced.values()
    assert [n.op.name for n in walk(traced.body.outputs)] == ["Input", "Input", "Print"]
