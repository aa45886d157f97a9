"""Variables: versions are immutable tensors; a gradient for a Variable sums over the versions that were read."""

import gc

import numpy as np
import pytest

import tidegate as tg
from tidegate.core.graph import Node
from tidegate.runtime.statistics import statistics


def test_what_was_computed_from_a_version_stays_what_it_was():
    v = tg.Variable([1.0, 2.0])
    y = v * 2.0
    v.assign([5.0, 5.0])
    assert y.numpy().tolist() == [2.0, 4.0]
    assert (v * 2.0).numpy().tolist() == [10.0, 10.0]


def test_assigning_evaluates_and_keeps_no_history():
    v = tg.Variable([1.0])
    for _ in range(3):
        v.assign(v * 2.0)
    assert v.value.value is not None
    assert not v.value.node.inputs
    v.assign_add([1.0])
    v.assign_sub(0.5 * v)
    assert v.numpy().tolist() == [4.5]


def test_a_plain_loop_with_a_variable_runs_the_same_ops_and_keeps_the_same_nodes():
    rng = np.random.default_rng(0)
    x, y = (tg.asarray(rng.standard_normal((8, n)).astype(np.float32)) for n in (3, 1))
    w = tg.Variable(np.zeros((3, 1), np.float32))
    ops, nodes = [], []
    for k in range(10_000):
        before = statistics.ops
        r = tg.matmul(x, w) - y
        loss = tg.sum(r * r)
        (g,) = tg.gradients(loss, [w])
        w.assign_sub((0.01 / (1 + k)) * g)
        ops.append(statistics.ops - before)
        if k in (100, 9_900):
            del r, loss, g
            gc.collect()
            nodes.append(sum(type(o) is Node for o in gc.get_objects()))
    assert len(set(ops)) == 1
    assert nodes[0] == nodes[1]


def test_a_gradient_sums_over_the_versions_read():
    v = tg.Variable(2.0)
    first = v * 3.0
    v.assign(5.0)
    loss = first + v * v
    assert tg.gradients(loss, [v])[0].item() == 3.0 + 10.0
    assert tg.gradients(first, v)[0].item() == 3.0
    assert tg.gradients(loss, [v], stop_gradients=[v])[0].item() == 13.0
    assert tg.gradients(tg.sin(tg.asarray(1.0)), [v]) == [None]


def test_the_gradient_does_not_pass_an_assignment():
    x, v = tg.asarray([2.0]), tg.Variable([1.0])
    v.assign(x * 3.0)
    assert tg.gradients(v * 1.0, [x]) == [None]

    @tg.jit
    def f(x):
        v.assign(x * 3.0)
        return tg.gradients(v * x, [x, v])

    gx, gv = f(np.float32([2.0]))
    assert (gx.item(), gv.item()) == (6.0, 2.0)


def test_transforms_and_reports_take_variables():
    v = tg.Variable([1.0, 2.0])

    def loss(w):
        return tg.sum(w * w)

    assert tg.grad(loss)(v).numpy().tolist() == [2.0, 4.0]
    value, grads = tg.value_and_grad(lambda p: loss(p["w"]))({"w": v})
    assert (value.item(), grads["w"].numpy().tolist()) == (5.0, [2.0, 4.0])
    assert tg.flow.why(loss(v), {"v": v})["v"].flows
    assert tg.flow.why(loss(tg.stop_gradient(v)), {"v": v})["v"].status == "blocked"
    assert tg.vmap(lambda a: a * 2.0)(v).numpy().tolist() == [2.0, 4.0]


def test_it_is_used_like_its_value():
    v, n = tg.Variable([4.0, 9.0]), np.float32([1.0, 2.0])
    t = tg.asarray(n)
    pairs = [
        (v + t, t + 4.0 * tg.asarray([1.0, 2.25])), (t - v, n - np.float32([4, 9])), (n * v, n * v.numpy()),
        (2.0 / v, 2.0 / v.numpy()), (v**2.0, v.numpy() ** 2), (2.0**v, 2 ** v.numpy()), (-v, -v.numpy()),
        (abs(v), v.numpy()), (v[1:], v.numpy()[1:]), (np.sqrt(v), np.sqrt(v.numpy())), (v > 5.0, v.numpy() > 5),
        (v @ t, v.numpy() @ n), (v == 4.0, v.numpy() == 4), (tg.exp(v), tg.exp(v.value).numpy()),
    ]  # fmt: skip
    for got, want in pairs:
        np.testing.assert_array_equal(np.asarray(got), np.asarray(want))
    assert (len(v), v.shape, v.dtype, v.ndim) == (2, (2,), tg.float32, 1)
    assert float(tg.Variable(2.5)) == 2.5
    assert [x.item() for x in v] == [4.0, 9.0]
    assert v in {v: 1}


def test_its_dtype_is_that_of_its_value_or_the_one_asked_for():
    assert tg.Variable(1.0).dtype == tg.float32
    assert tg.Variable(np.float64([1])).dtype == tg.float64
    assert tg.Variable([1, 2], tg.float32).dtype == tg.float32


def assign_in_a_branch():
    v = tg.Variable(1.0)
    tg.cond(tg.asarray([1.0])[0] > 0.0, lambda: v.assign(2.0).value, lambda: v.value)


@pytest.mark.parametrize(
    ("use", "error", "message"),
    [
        (lambda: tg.Variable([1.0, 2.0]).assign([1.0]), tg.ShapeError, r"assign: got float32\[1\] for Variable:\d+"),
        (lambda: tg.Variable([1.0], name="w").assign(np.float64([1])), tg.DTypeError, r"for w, float32\[1\]"),
        (lambda: tg.Variable("a"), tg.ArgumentTypeError, "want numbers"),
        (lambda: tg.jit(lambda: tg.Variable(1.0).value)(), tg.ArgumentError, "make it outside"),
        (assign_in_a_branch, tg.ArgumentError, "can't be assigned in a branch"),
        (
            lambda: tg.vmap(lambda x: tg.Variable(1.0).assign(x).value)(np.ones(2, np.float32)),
            tg.ArgumentError,
            "that vmap maps",
        ),
    ],
)
def test_wrong_use_is_told(use, error, message):
    with pytest.raises(error, match=message):
        use()


def test_a_refused_assignment_changes_nothing():
    v = tg.Variable([1.0, 2.0])
    with pytest.raises(tg.IndexRangeError):
        v.assign(tg.take(tg.asarray([1.0]), tg.asarray([0, 3]) + 0, axis=0))
    assert v.numpy().tolist() == [1.0, 2.0]
