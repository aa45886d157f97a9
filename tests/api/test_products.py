"""vjp and jvp of functions."""

import numpy as np
import pytest

import tidegate as tg
from wrong_use import check_error

X = tg.asarray([1.0, 2.0, 3.0])


def test_vjp_pulls_a_cotangent_of_the_outputs_structure_back():
    outputs, pull = tg.vjp(lambda x, y: {"product": x * y, "sum": [x + y]}, 2.0, 5.0)
    assert float(outputs["product"]) == 10.0
    gx, gy = pull({"product": 1.0, "sum": [10.0]})
    assert (float(gx), float(gy)) == (15.0, 12.0)


def test_pull_may_be_called_again():
    _, pull = tg.vjp(tg.sin, X)
    np.testing.assert_allclose(pull(tg.ones_like(X))[0].numpy() * 2.0, pull(2.0 * tg.ones_like(X))[0].numpy())


def test_a_cotangent_of_none_is_nothing():
    _, pull = tg.vjp(lambda x: (x * 2.0, x * 3.0), 1.0)
    assert float(pull((None, 1.0))[0]) == 3.0
    assert pull((None, None)) == (None,)


def test_vjp_and_jvp_hand_on_aux():
    outputs, pull, aux = tg.vjp(lambda x: (x * 2.0, "aux"), 1.0, has_aux=True)
    assert (float(outputs), float(pull(1.0)[0]), aux) == (2.0, 2.0, "aux")
    value, tangent, aux = tg.jvp(lambda x: (x * 2.0, "aux"), (1.0,), (3.0,), has_aux=True)
    assert (float(value), float(tangent), aux) == (2.0, 6.0, "aux")


def test_a_primal_that_nothing_flows_to_gets_none():
    _, pull = tg.vjp(lambda x, n, held: x * tg.stop_gradient(held), 2.0, 3, 4.0)
    gx, gn, gh = pull(1.0)
    assert (float(gx), gn, gh) == (4.0, None, None)


def test_jvp_moves_the_outputs():
    value, tangent = tg.jvp(lambda p: {"y": p["a"] * p["b"]}, ({"a": 2.0, "b": 3.0},), ({"b": 1.0, "a": 10.0},))
    assert (float(value["y"]), float(tangent["y"])) == (6.0, 32.0)


def test_an_output_that_nothing_reaches_has_no_tangent():
    _, tangents = tg.jvp(lambda x: (x * 2.0, tg.stop_gradient(x), tg.argmax(x), 1.0), (X,), (tg.ones_like(X),))
    assert tangents[0].numpy().tolist() == [2.0, 2.0, 2.0]
    assert tangents[1:] == (None, None, None)


def test_a_tangent_of_none_is_no_movement():
    _, tangent = tg.jvp(lambda x, y: x * y, (2.0, 3.0), (None, 1.0))
    assert float(tangent) == 2.0
    assert tg.jvp(lambda x: x * 2.0, (1.0,), (None,))[1] is None


def test_forward_over_reverse_and_reverse_over_forward_give_one_hessian_product():
    def f(x):
        return tg.sum(tg.exp(x) * x)

    v = tg.asarray([1.0, -1.0, 0.5])
    forward = tg.jvp(tg.grad(f), (X,), (v,))[1]
    reverse = tg.grad(lambda x: tg.jvp(f, (x,), (v,))[1])(X)
    np.testing.assert_allclose(forward.numpy(), reverse.numpy(), rtol=1e-6)


WRONG = {
    "structure of cotangents": (lambda: tg.vjp(lambda x: (x, x), X)[1]([X, X]), ValueError, r"structure \(\*, \*\)"),
    "shape of a cotangent": (lambda: tg.vjp(tg.sin, X)[1](1.0), ValueError, r"cotangent float32\[\] for float32\[3\]"),
    "dtype of a cotangent": (
        lambda: tg.vjp(tg.sin, X)[1](tg.ones(3, dtype=tg.float64)), TypeError, r"cotangent float64\[3\] for float32",
    ),
    "outputs that aren't tensors": (lambda: tg.vjp(lambda x: "text", X), TypeError, "returned str"),
    "number of tangents": (lambda: tg.jvp(tg.sin, (X,), ()), ValueError, "got 0 tangents for 1 primals"),
    "primals without a tuple": (lambda: tg.jvp(tg.sin, X, (X,)), TypeError, "got Tensor for primals"),
    "shape of a tangent": (lambda: tg.jvp(tg.sin, (X,), (1.0,)), ValueError, r"tangent float32\[\] for float32\[3\]"),
    "structure of a tangent": (lambda: tg.jvp(lambda p: p["a"], ({"a": X},), ([X],)), ValueError, "jvp: tangents: got"),
    "a complex tangent of a real": (lambda: tg.jvp(tg.sin, (1.0,), (1j,)), TypeError, r"tangent complex64\[\]"),
}  # fmt: skip


@pytest.mark.parametrize(("call", "kind", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_use_says_what_was_got_and_wanted_and_where(call, kind, message):
    check_error(call, kind, message)
