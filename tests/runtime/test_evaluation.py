"""What is asked for and what is held is computed once; values go with their last user; errors change nothing."""

import gc
import threading
import weakref

import numpy as np
import pytest

import tidegate as tg
from tidegate.core.graph import Node, TensorType, walk
from tidegate.ops.creation import Input
from tidegate.ops.elementwise import Sin
from tidegate.runtime.statistics import statistics


@pytest.fixture(autouse=True)
def whole_history():
    """What other tests of this process evaluated must not make this the moment at which history is cut."""
    with tg.config.using(history=tg.HistoryBudget(nodes=10**9, nbytes=10**12)):
        yield


def ops_run(function):
    """How many ops a call runs."""
    before = statistics.ops
    function()
    return statistics.ops - before


def three():
    return tg.asarray([1.0, 2.0, 3.0])


def test_nothing_runs_before_a_value_is_asked_for():
    assert ops_run(lambda: tg.grad(lambda x: tg.sum(tg.sin(x)))(three())) == 0


def test_what_a_user_holds_is_computed_once():
    h = tg.sin(three())
    y, z = tg.exp(h), tg.cos(h)
    assert ops_run(y.numpy) == 2
    assert h.value is not None
    assert ops_run(z.numpy) == 1
    assert ops_run(y.numpy) == 0


def test_what_nobody_holds_is_not_kept():
    y = tg.exp(tg.sin(three()))
    before = statistics.values_kept
    y.numpy()
    assert statistics.values_kept - before == 1


def test_what_another_waiting_tensor_needs_is_kept_for_it():
    h = tg.sin(three())
    y, z = tg.exp(h), tg.cos(h)
    del h
    assert ops_run(y.numpy) == 2
    assert ops_run(z.numpy) == 1


def test_a_value_goes_with_its_last_user_though_the_history_stays():
    h = tg.sin(three())
    value, node = weakref.ref(h.numpy()), h.node
    y = tg.exp(h)
    del h
    assert value() is not None
    y.numpy()
    assert value() is None
    assert y.node.inputs == (node,)


def test_a_value_that_is_gone_is_computed_again_from_its_history():
    h = tg.sin(three())
    y = tg.exp(h)
    node = h.node
    del h
    y.numpy()
    assert ops_run(node.tensor(0).numpy) == 1


def test_the_gradient_of_something_evaluated_uses_what_is_held():
    x = three()
    h = tg.exp(x)
    y = tg.exp(h)
    y.numpy()
    (g,) = tg.gradients(y, x)
    names = [n.op.name for n in walk([g]) if n not in set(walk([y]))]
    assert names.count("Exp") == 0
    assert ops_run(g.numpy) == names.count("Multiply") + names.count("BroadcastTo")
    np.testing.assert_allclose(g.numpy(), y.numpy() * h.numpy(), rtol=1e-6)


def test_several_values_come_of_one_run():
    h = tg.sin(three())
    y, z = tg.exp(h), tg.cos(h)
    before = statistics.evaluations
    tg.evaluate([y, z])
    assert statistics.evaluations - before == 1
    assert y.value is not None
    assert z.value is not None


def test_a_training_loop_runs_the_same_number_of_ops_each_step():
    w, x = tg.asarray([0.0, 0.0, 0.0]), three()
    steps = []
    for k in range(20):
        before = statistics.ops
        r = w * x - 1.0
        loss = tg.sum(r * r)
        (g,) = tg.gradients(loss, w)
        w = w - (0.01 + 0.001 * k) * g
        float(loss)
        w.numpy()
        steps.append(statistics.ops - before)
    assert len(set(steps)) == 1


def test_values_are_read_only_and_data_is_captured_as_given():
    mine = np.ones(3, np.float32)
    x = tg.asarray(mine)
    mine[:] = 7.0
    y = x + 0.0
    assert y.numpy().tolist() == [1.0, 1.0, 1.0]
    for value in (x.numpy(), y.numpy(), tg.stop_gradient(x).numpy(), np.asarray(y)):
        with pytest.raises(ValueError, match="read-only"):
            value[0] = 2.0


def fails(error):
    """A Sin that raises."""

    def compute(self, x):
        raise error

    return compute


@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt, MemoryError])
def test_an_exception_in_the_middle_leaves_everything_as_it_was(error, monkeypatch):
    kept = tg.exp(three())
    kept.numpy()
    y = tg.cos(kept)
    z = tg.sin(y)
    del kept
    monkeypatch.setattr(Sin, "compute", fails(error))
    with pytest.raises(error):
        z.numpy()
    assert (y.value, z.value) == (None, None)
    monkeypatch.undo()
    assert ops_run(z.numpy) == 2  # exp's value, which only the graph holds, was not lost
    assert y.value is not None


def test_an_input_without_a_value_is_an_error_that_changes_nothing():
    y = tg.sin(three())
    z = y + Input(TensorType((3,), np.dtype(np.float32)))()
    with pytest.raises(TypeError, match=r"numpy: .* an input without a value"):
        z.numpy()
    assert y.value is None
    assert ops_run(y.numpy) == 1


def test_the_collector_is_on_while_kernels_run(monkeypatch):
    seen = []

    def compute(self, x):
        seen.append(gc.isenabled())
        return np.sin(x)

    monkeypatch.setattr(Sin, "compute", compute)
    tg.sin(three()).numpy()
    assert seen == [True]


def test_the_collector_is_off_while_gradients_are_built_and_on_after(monkeypatch):
    seen = []
    right = Sin.partials

    def partials(self, out, x):
        seen.append(gc.isenabled())
        return right(self, out, x)

    monkeypatch.setattr(Sin, "partials", partials)
    x = three()
    tg.gradients(tg.sin(x), x)
    assert seen == [False]
    assert gc.isenabled()


def test_many_threads_build_and_evaluate_at_once():
    shared = tg.sin(tg.asarray(np.linspace(0.0, 1.0, 50)))
    want = np.exp(np.sin(np.linspace(0.0, 1.0, 50)))
    start, wrong = threading.Barrier(8), []

    def work(k):
        start.wait()
        for _ in range(50):
            y = tg.exp(shared) * float(k)
            (g,) = tg.gradients(tg.sum(y), shared)
            if not np.allclose(y.numpy(), k * want) or not np.allclose(g.numpy(), k * want):
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(1, 9)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert wrong == []


def test_nodes_are_freed_without_the_cycle_collector():
    def nodes():
        return sum(isinstance(o, Node) for o in gc.get_objects())

    gc.collect()
    gc.disable()
    try:
        before = nodes()
        x = three()
        y = tg.cond(tg.sum(x) > 0.0, tg.sin, tg.cos, x)
        g = tg.grad(lambda v: tg.sum(tg.cumulative_prod(v) + tg.abs(v)))(y)
        g.numpy()
        tg.vmap(tg.sin)(x).numpy()
        del x, y, g
        assert nodes() == before
    finally:
        gc.enable()


def deep(length):
    x = tg.asarray([0.5, 0.25])
    y = x
    for _ in range(length):
        y = tg.sin(y)
    repr(y)
    (first,) = tg.gradients(y, x)
    (second,) = tg.gradients(first, x)
    assert np.isfinite(second.numpy()).all()
    assert "not computed" in repr(tg.cos(y)) or y.value is not None


def test_nothing_recurses_on_depth_in_a_thread_with_a_small_stack():
    threading.stack_size(1 << 20)
    try:
        failed = []

        def work():
            try:
                deep(20_000)
            except BaseException as error:  # whatever it is, the test must see it
                failed.append(error)

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(0)
    assert failed == []


def test_a_chain_of_a_hundred_thousand_ops_builds_differentiates_twice_runs_and_is_freed():
    deep(100_000)


def test_running_a_program_keeps_no_node_alive():
    y = tg.sin(three())
    node = weakref.ref(y.node)
    y.numpy()
    del y
    assert node() is None


def test_a_value_that_was_repeated_in_passing_goes_with_its_last_user():
    x = three()
    s = tg.sum(x)
    value = weakref.ref(s.numpy())
    y = x * s
    del s
    assert value() is not None
    assert y.numpy().tolist() == [6.0, 12.0, 18.0]
    assert value() is None
