"""grad and value_and_grad."""

from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.optimize import minimize

import tidegate as tg
from tidegate.core.tree import map_leaves
from wrong_use import check_error


@dataclass(frozen=True)
class Layer:
    w: object
    b: object
    name: str


Pair = namedtuple("Pair", ["left", "right"])


def numbers(tree):
    """A gradient's leaves as plain numbers, its structure kept."""
    return map_leaves(lambda t: None if t is None else t.numpy().tolist(), tree)


def test_a_gradient_has_the_structure_of_its_argument():
    layer = Layer(tg.asarray([1.0, 2.0]), 0.5, "first")
    g = tg.grad(lambda p: tg.sum(p.w * p.w) + p.b)(layer)
    assert numbers(g) == Layer([2.0, 4.0], 1.0, None)
    pair = Pair(2.0, {"k": [3.0, (4.0,)]})
    g = tg.grad(lambda p: p.left * p.right["k"][0] + p.right["k"][1][0])(pair)
    assert numbers(g) == Pair(3.0, {"k": [2.0, (1.0,)]})


def test_leaves_that_nothing_flows_to_get_none():
    def loss(p):
        return p["used"] * 2.0 + tg.stop_gradient(p["held"])

    tree = {"used": 1.0, "held": 2.0, "idle": 3.0, "count": 4, "array": np.arange(3), "none": None, "text": "t"}
    assert numbers(tg.grad(loss)(tree)) == {**dict.fromkeys(tree), "used": 2.0}


def test_zeros_stand_where_nothing_flows_if_they_are_asked_for():
    tree = {"used": 1.0, "held": np.ones(2), "count": 4, "array": np.arange(3)}

    def loss(p):
        return p["used"] * 2.0 + tg.sum(tg.stop_gradient(p["held"]))

    want = {"used": 2.0, "held": [0.0, 0.0], "count": None, "array": None}
    assert numbers(tg.grad(loss, unconnected="zero")(tree)) == want
    assert numbers(tg.value_and_grad(loss, unconnected="zero")(tree)[1]) == want


@pytest.mark.parametrize(
    ("argnums", "want"), [(0, 3.0), (1, 2.0), (-1, 2.0), ((0, 1), (3.0, 2.0)), ((1,), (2.0,)), ([1, 0], (2.0, 3.0))]
)
def test_argnums_say_which_arguments(argnums, want):
    assert numbers(tg.grad(lambda x, y: x * y, argnums)(2.0, 3.0)) == want


def test_keyword_arguments_are_passed_on():
    assert float(tg.grad(lambda x, *, k: x * k)(2.0, k=5.0)) == 5.0


def test_the_same_tensor_given_twice_is_two_arguments():
    x = tg.asarray(3.0)
    assert numbers(tg.grad(lambda a, b: a * a * b, (0, 1))(x, x)) == (18.0, 9.0)


def test_aux_comes_beside_the_value():
    (value, aux), g = tg.value_and_grad(lambda x: (x * x, {"twice": 2.0 * x}), has_aux=True)(3.0)
    assert (float(value), float(aux["twice"]), float(g)) == (9.0, 6.0, 6.0)
    g, aux = tg.grad(lambda x: (x * x, "aux"), has_aux=True)(3.0)
    assert (float(g), aux) == (6.0, "aux")


def test_gradients_nest_to_any_order():
    f = g = lambda x: tg.exp(2.0 * x)
    for order in range(1, 5):
        g = tg.grad(g)
        assert float(g(0.5)) == pytest.approx(2.0**order * float(f(0.5)), rel=1e-5)


def test_a_function_of_a_closure_is_differentiated_for_its_argument_only():
    w = tg.asarray(2.0)
    assert float(tg.grad(lambda x: w * x * x)(3.0)) == 12.0
    assert float(tg.gradients(tg.grad(lambda x: w * x * x)(3.0), w)[0]) == 6.0


def test_python_may_branch_on_values():
    assert float(tg.grad(lambda x: x * x if x > 0.0 else -x)(-3.0)) == -1.0


def test_scipy_minimises_it_directly():
    def rosenbrock(x):
        return tg.sum(100.0 * (x[1:] - x[:-1] ** 2.0) ** 2.0 + (1.0 - x[:-1]) ** 2.0)

    found = minimize(tg.value_and_grad(rosenbrock), np.zeros(3), jac=True, method="BFGS")
    np.testing.assert_allclose(found.x, np.ones(3), atol=1e-4)


def test_the_name_says_what_it_is_of():
    def loss(x):
        """A loss."""
        return x

    assert tg.grad(loss).__name__ == "grad_loss"
    assert "A loss." in tg.grad(loss).__doc__


X = tg.asarray([1.0, 2.0])
WRONG = {
    "a loss with axes": (
        lambda: tg.grad(lambda x: x * 2.0)(X),
        ValueError,
        r"grad: the function returned float32\[2\]",
    ),
    "an integer loss": (lambda: tg.grad(lambda x: tg.argmax(x))(X), TypeError, r"returned int64\[\]; want a real"),
    "a complex loss": (lambda: tg.grad(lambda z: z)(1j), TypeError, r"returned complex64\[\]; want a real"),
    "no loss": (lambda: tg.grad(lambda x: None)(X), TypeError, "returned NoneType"),
    "several losses": (lambda: tg.grad(lambda x: (x, x))(X), TypeError, "returned tuple"),
    "an integer": (lambda: tg.grad(lambda x: x * 1.0)(3), TypeError, r"got int64\[\] as argument 0"),
    "an integer array": (lambda: tg.grad(lambda x: x)(np.arange(2)), TypeError, r"got int64\[2\] as argument 0"),
    "a bool": (lambda: tg.grad(lambda x: x)(True), TypeError, r"got bool\[\] as argument 0"),
    "a string": (lambda: tg.grad(lambda x: x)("x"), TypeError, "got str as argument 0"),
    "None": (lambda: tg.grad(lambda x: x)(None), TypeError, "got NoneType as argument 0"),
    "no argument": (lambda: tg.grad(lambda: 1.0)(), ValueError, "argnums 0 for a call with 0"),
    "argnums too high": (lambda: tg.grad(lambda x: x, 1)(1.0), ValueError, "argnums 1 for a call with 1"),
    "argnums twice": (lambda: tg.grad(lambda x, y: x, (0, -2))(1.0, 1.0), ValueError, "want each once"),
    "argnums of another kind": (lambda: tg.grad(lambda x: x, "x")(1.0), TypeError, "want integers"),
    "no function": (lambda: tg.grad(3.0), TypeError, "got float; want a function"),
    "another word for zeros": (lambda: tg.grad(lambda x: x, unconnected="0"), ValueError, "grad: got unconnected='0'"),
    "no pair": (lambda: tg.grad(lambda x: x, has_aux=True)(1.0), TypeError, "has_aux wants a function that returns"),
    "what forbids it": (lambda: tg.grad(tg.prevent_gradient)(1.0), LookupError, "PreventGradient"),
}


@pytest.mark.parametrize(("call", "kind", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_use_says_what_was_got_and_wanted_and_where(call, kind, message):
    check_error(call, kind, message)
