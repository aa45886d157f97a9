"""Graphs with unknown sizes: built, differentiated and mapped before the sizes are known, then bound to numbers."""

import numpy as np
import pytest

import tidegate as tg
from tidegate.core.errors import ShapeError
from tidegate.core.graph import TensorType
from tidegate.core.shapes import symbol
from tidegate.functions.convert import broadcast_to
from tidegate.ops.creation import Data, Input
from tidegate.ops.layout import SizeValue
from tidegate.transforms.specialise import sizes_of, specialise


def unknown(*shape):
    return Input(TensorType(shape, np.dtype(np.float64)))()


def run(outputs, feed):
    """The values of `outputs` with arrays for some tensors."""
    sizes = sizes_of({x: value.shape for x, value in feed.items()})
    outputs, inputs = specialise(outputs, list(feed), sizes)
    given = {x.node: Data(value) for x, value in zip(inputs, feed.values(), strict=True)}
    for node, op in given.items():
        node.op, node.tensor(0).value = op, op.leaf_value
    return [y.numpy() for y in outputs]


def feed(rng, *shapes):
    return [rng.standard_normal(s) for s in shapes]


def test_a_dense_layer_with_an_unknown_batch_and_its_gradients():
    n = symbol("batch")
    x, w, b = unknown(n, 3), unknown(3, 2), unknown(2)
    h = x @ w + b
    loss = tg.mean(tg.sum(h * h, axis=1))
    gw, gb, gx = tg.gradients(loss, [w, b, x])
    assert (gw.shape, gb.shape, gx.shape) == ((3, 2), (2,), (n, 3))
    rng = np.random.default_rng(0)
    for size in (1, 5):
        xv, wv, bv = feed(rng, (size, 3), (3, 2), (2,))
        got = run([loss, gw, gb, gx], {x: xv, w: wv, b: bv})
        hv = xv @ wv + bv
        np.testing.assert_allclose(got[0], (hv * hv).sum(1).mean())
        np.testing.assert_allclose(got[1], 2 / size * xv.T @ hv)
        np.testing.assert_allclose(got[2], 2 / size * hv.sum(0))
        np.testing.assert_allclose(got[3], 2 / size * hv @ wv.T)


def test_a_size_left_out_of_a_reshape_is_worked_out():
    n = symbol("n")
    x = unknown(n, 4, 6)
    assert tg.reshape(x, (-1, 24)).shape == (n, 24)
    assert tg.reshape(x, (-1, 8)).shape == (3 * n, 8)
    odd = tg.reshape(x, (-1, 48))
    assert run([odd], {x: np.zeros((4, 4, 6))})[0].shape == (2, 48)
    with pytest.raises(ShapeError, match="don't divide"):
        run([odd], {x: np.zeros((3, 4, 6))})


def test_two_unknown_sizes_are_taken_as_equal_and_checked_when_they_are_known():
    n, m = symbol("n"), symbol("m")
    x, y = unknown(n), unknown(m)
    z = x + y
    assert z.shape == (n,)
    (gy,) = tg.gradients(z, y)
    assert gy.shape == (m,)
    assert run([z, gy], {x: np.ones(3), y: np.ones(3)})[1].tolist() == [1.0, 1.0, 1.0]
    with pytest.raises(ShapeError, match=r"taken to be equal differ: \[4\] and \[3\]  \(.*test_specialise.py:\d+\)"):
        run([z], {x: np.ones(3), y: np.ones(4)})


def test_a_known_size_beats_an_unknown_one():
    x = unknown(symbol("n"))
    z = x * tg.ones(3, dtype=tg.float64)
    assert z.shape == (3,)
    assert run([z], {x: np.arange(3.0)})[0].tolist() == [0.0, 1.0, 2.0]
    with pytest.raises(ShapeError, match="taken to be equal differ"):
        run([z], {x: np.ones(2)})


def test_one_grows_to_an_unknown_size():
    n = symbol("n")
    x, y = unknown(n, 1), unknown(1, n)
    (gx,) = tg.gradients(x * y, x)
    assert gx.shape == (n, 1)
    xv, yv = np.ones((3, 1)), np.arange(3.0)[None]
    assert run([gx], {x: xv, y: yv})[0].tolist() == [[3.0], [3.0], [3.0]]


def test_a_size_can_be_a_value():
    n = symbol("n")
    x = unknown(n, n + 1)
    count = SizeValue(x.size, np.dtype(np.float64))()
    assert run([count], {x: np.zeros((3, 4))}) == [12.0]
    with pytest.raises(ShapeError, match="isn't known"):
        count.numpy()


def test_the_rules_of_every_kind_of_op_take_unknown_sizes():
    n = symbol("n")
    x = unknown(n, 4)
    outputs = [
        tg.max(x, axis=1), tg.softmax(x), tg.logsumexp(x, axis=0), tg.cumulative_prod(x, axis=0), tg.top_k(x, 2)[0],
        x[:, 1:3], x.T, tg.permute_dims(x, (1, 0)), tg.expand_dims(x, axis=0), broadcast_to(x, (2, n, 4)),
        tg.where(x > 0.0, x, 0.0), tg.mean(x, axis=0, keepdims=True), tg.take(x, tg.asarray([0, 3]), axis=1),
    ]  # fmt: skip
    grads = tg.gradients([tg.sum(y) for y in outputs], x)
    xv = np.random.default_rng(0).standard_normal((3, 4))
    values = run([*outputs, *grads], {x: xv})
    np.testing.assert_allclose(values[0], xv.max(1))
    np.testing.assert_allclose(values[3], xv.cumprod(0))
    assert [v.shape for v in values] == [tuple(3 if s is n else s for s in y.shape) for y in [*outputs, *grads]]
    fixed = tg.asarray(xv)
    (want,) = tg.gradients(
        [tg.sum(tg.max(fixed, axis=1)), tg.sum(tg.softmax(fixed)), tg.sum(tg.logsumexp(fixed, axis=0)),
         tg.sum(tg.cumulative_prod(fixed, axis=0)), tg.sum(tg.top_k(fixed, 2)[0]), tg.sum(fixed[:, 1:3]),
         2.0 * tg.sum(fixed), tg.sum(fixed), 2.0 * tg.sum(fixed), tg.sum(tg.where(fixed > 0.0, fixed, 0.0)),
         tg.sum(tg.mean(fixed, axis=0)), tg.sum(tg.take(fixed, tg.asarray([0, 3]), axis=1))], fixed,
    )  # fmt: skip
    np.testing.assert_allclose(values[-1], want.numpy())


def test_choices_with_unknown_sizes_are_bound_inside():
    n = symbol("n")
    x = unknown(n)
    y = tg.cond(tg.sum(x) > 0.0, lambda v: v * v, lambda v: -v, x)
    (g,) = tg.gradients(tg.sum(y), x)
    assert g.shape == (n,)
    assert run([y, g], {x: np.array([1.0, 2.0])})[1].tolist() == [2.0, 4.0]


def test_what_is_fed_must_fit():
    n = symbol("n")
    x = unknown(n, n)
    for shape, message in [((2, 3), "n was fed as 2 and as 3"), ((2,), "want 2 axes")]:
        with pytest.raises(ShapeError, match=message):
            run([x + 1.0], {x: np.zeros(shape)})
    y = unknown(n, 2)
    with pytest.raises(ShapeError, match=r"fed \[3,3\] for float64\[n,2\]"):
        run([y + 1.0], {y: np.zeros((3, 3))})


def test_the_copy_keeps_the_lines_and_what_is_the_gradient_of_what():
    n = symbol("n")
    x = unknown(n)
    y = tg.sin(x)
    (g,) = tg.gradients(y, x)
    (copy,), _ = specialise([g], [x], sizes_of({x: (3,)}))
    assert copy.shape == (3,)
    assert (copy.node.site, copy.node.order) == (g.node.site, 1)
    assert copy.node.origin() is y.node
