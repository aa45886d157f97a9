"""Variables: versions are immutable tensors; a gradient for a Variable sums over the versions that were read."""

import copy
import gc
import pickle
import sys
import threading

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


@pytest.mark.parametrize(
    ("use", "want"),
    [
        (lambda v: v // 2, [3, 4]),
        (lambda v: 20 // v, [2, 2]),
        (lambda v: v % 4, [3, 0]),
        (lambda v: 20 % v, [6, 4]),
        (lambda v: divmod(v, 4)[0], [1, 2]),
        (lambda v: divmod(20, v)[1], [6, 4]),
        (lambda v: v << 1, [14, 16]),
        (lambda v: 1 << v, [128, 256]),
        (lambda v: v >> 1, [3, 4]),
        (lambda v: 512 >> v, [4, 2]),
    ],
)
def test_it_has_the_operators_of_integers(use, want):
    assert use(tg.Variable([7, 8])).numpy().tolist() == want


def test_it_is_taken_where_the_standard_and_dlpack_take_tensors():
    v = tg.Variable([1.0, 2.0])
    assert v.__array_namespace__() is tg
    assert np.from_dlpack(v).tolist() == [1.0, 2.0]
    assert tg.from_dlpack(v).numpy().tolist() == [1.0, 2.0]


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda v: pickle.loads(pickle.dumps(v))])
def test_a_copy_is_a_variable_of_its_own(copied):
    v = tg.Variable([1.0, 2.0], name="weights")
    w = copied(v)
    v.assign([3.0, 4.0])
    assert isinstance(w, tg.Variable)
    assert w.name == "weights"
    assert w.numpy().tolist() == [1.0, 2.0]


def test_a_number_is_assigned_with_all_its_digits():
    v, w = tg.Variable(0.0, tg.float64), tg.Variable(0, tg.uint64)
    v.assign(0.1)
    assert v.numpy() == 0.1
    v.assign(np.float64(0.2))
    assert v.numpy() == 0.2
    w.assign(2**63)
    assert w.numpy() == 2**63
    x = tg.Variable([0.0], tg.float64)
    x.assign([0.1])
    assert x.numpy()[0] == 0.1


@pytest.mark.parametrize(("initial", "value"), [(1, 1.5), ([1], [1.5]), (1.0, 1j), ([1.0], [1j]), (1, True)])
def test_a_number_of_a_kind_that_it_does_not_hold_is_refused_and_changes_nothing(initial, value):
    v = tg.Variable(initial)
    with pytest.raises(tg.DTypeError, match=r"assign: got .*want its dtype"):
        v.assign(value)
    assert v.numpy().tolist() == initial


def test_threads_that_call_a_jitted_function_lose_no_change():
    v, w = tg.Variable(0), tg.Variable(0)

    @tg.jit
    def up(amount):
        v.assign_add(amount)
        w.assign_add(amount)

    @tg.jit
    def down(amount):
        w.assign_sub(amount)
        v.assign_sub(amount)

    waiting = tg.asarray(1) + 0

    def work():
        for _ in range(100):
            up(2)
            down(1)
            up(waiting)
            v.assign_add(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    finally:
        sys.setswitchinterval(before)
    assert (v.numpy(), w.numpy()) == (4 * 100 * 3, 4 * 100 * 2)


def test_two_variables_are_told_apart_as_arguments_of_a_jitted_function():
    f = tg.jit(lambda v: v * 2.0)
    a, b = tg.Variable([1.0, 2.0]), tg.Variable([3.0, 4.0])
    assert [f(v).numpy().tolist() for v in (a, b, a)] == [[2.0, 4.0], [6.0, 8.0], [2.0, 4.0]]
    assert f.trace_count == 2
    g = tg.jit(lambda x, fixed: x * fixed, static_argnames="fixed")
    assert [g(2.0, fixed).numpy().tolist() for fixed in (a.value, b.value)] == [[2.0, 4.0], [6.0, 8.0]]
