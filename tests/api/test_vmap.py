"""vmap: as a loop and a stack, without the loop."""

import numpy as np
import pytest

import tidegate as tg
from wrong_use import check_error

X = tg.asarray(np.arange(6.0).reshape(2, 3))
W = tg.asarray(np.arange(12.0).reshape(3, 4))


def looped(function, xs):
    return np.stack([function(x).numpy() for x in xs])


def test_a_mapped_function_is_a_loop_and_a_stack():
    def f(x):
        return tg.softmax(tg.sin(x) @ W)

    np.testing.assert_allclose(tg.vmap(f)(X).numpy(), looped(f, X), rtol=1e-12)


def test_a_product_with_one_mapped_side_stays_one_product():
    text = tg.show(tg.vmap(lambda x: x @ W)(X))
    assert text.count("DotGeneral") == 1
    assert "shared=((), ())" in text


def test_in_axes_and_out_axes_say_where_the_axis_is():
    got = tg.vmap(lambda x: 2.0 * x, in_axes=1, out_axes=1)(X)
    np.testing.assert_array_equal(got.numpy(), 2.0 * X.numpy())
    got = tg.vmap(lambda x, y: x + y, in_axes=(0, None), out_axes=-1)(X, tg.ones(3, dtype=tg.float64))
    np.testing.assert_array_equal(got.numpy(), (X.numpy() + 1.0).T)


def test_axes_may_be_containers():
    def f(p, n):
        return {"sum": p["a"] + p["b"], "rest": [p["a"] * n]}

    got = tg.vmap(f, in_axes=({"a": 0, "b": None}, None), out_axes={"sum": 0, "rest": [1]})({"a": X, "b": X[0]}, 2.0)
    np.testing.assert_array_equal(got["sum"].numpy(), X.numpy() + X.numpy()[0])
    np.testing.assert_array_equal(got["rest"][0].numpy(), 2.0 * X.numpy().T)


def test_an_output_that_depends_on_nothing_mapped_is_repeated():
    got = tg.vmap(lambda x: (x, W[0, 0], 3.0))(X)
    assert got[1].shape == (2,)
    assert got[2].numpy().tolist() == [3.0, 3.0]


def test_maps_nest():
    got = tg.vmap(lambda row: tg.vmap(lambda a: a * row)(row))(X)
    np.testing.assert_array_equal(got.numpy(), np.einsum("ni,nj->nij", X.numpy(), X.numpy()))


def test_keyword_arguments_are_passed_whole():
    assert tg.vmap(lambda x, *, y: x + tg.sum(y))(tg.ones(2), y=tg.ones(3)).numpy().tolist() == [4.0, 4.0]


def test_per_example_gradients_come_of_a_mapped_gradient():
    def loss(w, x):
        return tg.sum((x @ w) ** 2.0)

    got = tg.vmap(tg.grad(loss), in_axes=(None, 0))(W, X)
    np.testing.assert_allclose(got.numpy(), looped(lambda x: tg.grad(loss)(W, x), X))


def test_the_gradient_of_a_mapped_function_is_that_of_the_loop():
    got = tg.grad(lambda x: tg.sum(tg.vmap(lambda row: tg.max(row) * tg.sum(row))(x)))(X)
    want = looped(lambda row: tg.grad(lambda r: tg.max(r) * tg.sum(r))(row), X)
    np.testing.assert_allclose(got.numpy(), want)


def test_a_jacobian_comes_of_a_mapped_product():
    x = X[0]
    _, pull = tg.vjp(lambda v: tg.tanh(v) @ W, x)
    rows = tg.vmap(lambda u: pull(u)[0])(np.eye(4))
    columns = tg.vmap(lambda v: tg.jvp(lambda z: tg.tanh(z) @ W, (x,), (v,))[1])(np.eye(3))
    np.testing.assert_allclose(rows.numpy(), columns.numpy().T)


def test_a_mapped_choice_chooses_for_each_example():
    f = tg.vmap(lambda a: tg.cond(a > 1.5, lambda v: v * v, lambda v: -v, a))
    assert f(tg.asarray([1.0, 2.0, 3.0])).numpy().tolist() == [-1.0, 4.0, 9.0]
    g = tg.grad(lambda x: tg.sum(f(x)))
    assert g(tg.asarray([1.0, 2.0, 3.0])).numpy().tolist() == [-1.0, 4.0, 6.0]


def test_mapped_indices_gather_and_their_gradient_scatters():
    table, places = tg.asarray([10.0, 20.0, 30.0]), tg.asarray([[0, 2], [1, 1]])
    got = tg.vmap(lambda i: table[i])(places)
    assert got.numpy().tolist() == [[10.0, 30.0], [20.0, 20.0]]
    (g,) = tg.gradients(got, table)
    assert g.numpy().tolist() == [1.0, 2.0, 1.0]


def test_stops_stay_stops():
    f = tg.vmap(lambda a: tg.stop_gradient(a) * a)
    assert tg.grad(lambda x: tg.sum(f(x)))(tg.asarray([1.0, 3.0])).numpy().tolist() == [1.0, 3.0]


WRONG = {
    "nothing to map": (lambda: tg.vmap(lambda x: x, in_axes=None)(X), ValueError, "nothing to map over"),
    "sizes that differ": (lambda: tg.vmap(lambda x, y: x)(X, W), ValueError, r"sizes 2 \(of float64\[2,3\]\) and 3"),
    "no such axis": (lambda: tg.vmap(lambda x: x, in_axes=2)(X), IndexError, "got axis 2 of a tensor with 2 axes"),
    "a tensor without axes": (lambda: tg.vmap(lambda x: x)(1.0), IndexError, "want at least one axis"),
    "in_axes of another length": (lambda: tg.vmap(lambda x: x, in_axes=(0, 0))(X), ValueError, "2 in_axes for 1"),
    "in_axes of another kind": (lambda: tg.vmap(lambda x: x, in_axes=("a",))(X), TypeError, "'a' in in_axes"),
    "no place for the axis": (lambda: tg.vmap(lambda x: x, out_axes=None)(X), ValueError, "None in out_axes"),
    "out_axes of another structure": (lambda: tg.vmap(lambda x: x, out_axes=[0])(X), TypeError, "in out_axes"),
    "the truth of an example": (lambda: tg.vmap(lambda x: x if x[0] > 0.0 else -x)(X), TypeError, "bool: .* traced"),
    "the value of an example": (lambda: tg.vmap(lambda x: x.numpy())(X), TypeError, "numpy: .* traced"),
    "what isn't a tensor": (lambda: tg.vmap(lambda x: "text")(X), TypeError, "returned str"),
}


@pytest.mark.parametrize(("call", "kind", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_use_says_what_was_got_and_wanted_and_where(call, kind, message):
    check_error(call, kind, message)
