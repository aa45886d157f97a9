"""History is bounded, and its end is never silent."""

import gc
import warnings

import numpy as np
import pytest

import tidegate as tg
from tidegate.core.graph import Node
from tidegate.core.shapes import element_count
from tidegate.ops.creation import Data
from tidegate.runtime.statistics import statistics

BUDGET = tg.HistoryBudget(nodes=2000, nbytes=1 << 20)


def nodes_alive():
    gc.collect()
    return sum(type(o) is Node for o in gc.get_objects())


def data_held():
    gc.collect()
    return sum(element_count(o.type.shape) * o.type.dtype.itemsize for o in gc.get_objects() if type(o) is Data)


def start():
    rng = np.random.default_rng(0)
    x = tg.asarray(rng.standard_normal((16, 4)).astype(np.float32))
    y = tg.asarray(rng.standard_normal((16, 1)).astype(np.float32))
    return x, y, tg.asarray(np.zeros((4, 1), np.float32))


def step(x, y, w, k):
    r = tg.matmul(x, w) - y
    loss = tg.sum(r * r)
    (g,) = tg.gradients(loss, [w])
    return loss, w - (0.01 / (16 + k)) * g


@pytest.fixture
def small_budget():
    with tg.config.using(history=BUDGET), warnings.catch_warnings():
        warnings.simplefilter("ignore", tg.HistoryWarning)
        yield


def train(steps, *, fresh, look):
    """A plain loop without jit. Gives (nodes alive, bytes of data held) now and then, and the ops of each step."""
    x, y, w = start()
    sizes, ops = [], []
    losses = []
    for k in range(steps):
        before = statistics.ops
        if fresh:
            x, y, _ = start()
        loss, w = step(x, y, w, k)
        look(k, loss, losses)
        w.numpy()
        ops.append(statistics.ops - before)
        if k % (steps // 8) == 0:
            sizes.append((nodes_alive(), data_held()))
    return sizes, ops, w


LOOKS = {
    "never": lambda k, loss, losses: None,
    "now and then": lambda k, loss, losses: float(loss) if k % 10 == 0 else None,
    "always": lambda k, loss, losses: float(loss),
    "kept in a list": lambda k, loss, losses: losses.append(loss),
}


@pytest.mark.usefixtures("small_budget")
@pytest.mark.parametrize("fresh", [False, True], ids=["held batch", "fresh batches"])
@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_a_plain_training_loop_of_ten_thousand_steps_is_bounded_in_ops_nodes_and_bytes(fresh, look):
    before = nodes_alive(), data_held()
    steps = 10_000
    sizes, ops, _ = train(steps, fresh=fresh, look=look)
    held = 3 * steps if look is LOOKS["kept in a list"] else 0  # each waits: the loss, the square, and r's value
    assert max(n for n, _ in sizes) - before[0] < 3 * BUDGET.nodes + held
    assert max(b for _, b in sizes) - before[1] < 3 * BUDGET.nbytes
    assert len(set(ops[10:])) <= 2  # with the loss looked at, or without
    assert max(ops) < 30


@pytest.mark.usefixtures("small_budget")
def test_a_notebook_that_holds_its_outputs_computes_each_once():
    x, y, w = start()
    outputs, ops = [], []
    for k in range(1000):
        before = statistics.ops
        loss, w = step(x, y, w, k)
        outputs.append((loss, w))
        repr(loss)
        repr(w)
        ops.append(statistics.ops - before)
    before = statistics.ops
    assert all(np.isfinite(t.numpy()).all() for pair in outputs for t in pair)
    assert statistics.ops == before
    assert len(set(ops[1:])) == 1
    assert outputs[-1][0].item() < outputs[0][0].item()


@pytest.mark.usefixtures("small_budget")
def test_exceptions_in_the_middle_of_a_loop_cost_no_op_twice():
    x, y, w = start()
    ops = []
    for k in range(1000):
        before = statistics.ops
        loss, new = step(x, y, w, k)
        with pytest.raises(tg.IndexRangeError):
            tg.take(tg.exp(new), tg.asarray([9]) + 0, axis=0).numpy()
        with pytest.raises(tg.ShapeError):
            new + tg.ones(3) @ tg.ones((2, 2))
        float(loss)
        w = new
        w.numpy()
        ops.append(statistics.ops - before)
    assert len(set(ops[1:])) == 1


def test_a_loop_within_the_budget_keeps_its_whole_history():
    x, y, w = start()
    first = w
    before = statistics.cut
    for k in range(50):
        _, w = step(x, y, w, k)
        w.numpy()
    assert statistics.cut == before
    assert tg.gradients(tg.sum(w), [first])[0] is not None


def cut_loop(steps=400):
    """The first weights, and those after so many steps, with a cut on the way."""
    x, y, w = start()
    first = w
    for k in range(steps):
        _, w = step(x, y, w, k)
        w.numpy()
    return x, first, w


@pytest.mark.usefixtures("small_budget")
def test_a_gradient_through_a_cut_is_an_error_that_names_both_lines():
    _, first, w = cut_loop()
    with pytest.raises(LookupError, match=r"history was cut beyond tg.config.history.*test_history.py:\d+") as caught:
        tg.gradients(tg.sum(w), [first])
    assert isinstance(caught.value, tg.HistoryCutError)
    assert "made at tests/runtime/test_history.py" in str(caught.value)


@pytest.mark.usefixtures("small_budget")
def test_unconnected_says_what_stands_for_a_gradient_behind_a_cut():
    _, first, w = cut_loop()
    assert tg.gradients(tg.sum(w), [first], unconnected="none") == [None]
    (g,) = tg.gradients(tg.sum(w), [first], unconnected="zero")
    assert not g.numpy().any()


@pytest.mark.usefixtures("small_budget")
def test_what_no_path_led_back_to_is_unconnected_and_no_error():
    other = tg.asarray(np.ones((4, 1), np.float32))
    kept = tg.sin(other)
    kept.numpy()
    _, first, w = cut_loop()
    assert tg.gradients(tg.sum(w), [kept]) == [None]
    assert tg.gradients(tg.sum(w), [other]) == [None]
    assert tg.flow.why(w, {"other": other})["other"].status == "unconnected"
    assert tg.flow.why(w, {"first": first})["first"].status == "cut"
    assert tg.flow.why(tg.stop_gradient(w), {"first": first})["first"].status == "blocked"


@pytest.mark.usefixtures("small_budget")
def test_a_stop_on_the_way_to_the_cut_leaves_nothing_to_raise():
    _, first, w = cut_loop()
    assert tg.gradients(tg.sum(tg.stop_gradient(w)), [first]) == [None]
    assert tg.gradients(tg.sum(w * 1.0), [first], stop_gradients=[w]) == [None]


@pytest.mark.usefixtures("small_budget")
def test_why_reports_the_cut_as_a_blocker_with_its_line():
    _, first, w = cut_loop()
    flow = tg.flow.why(tg.sum(w), {"first": first})["first"]
    assert (flow.status, flow.flows) == ("cut", False)
    assert "history was let go" in str(flow)
    assert flow.blockers[0].op == "Cut"
    assert "test_history.py" in flow.blockers[0].line


@pytest.mark.usefixtures("small_budget")
def test_the_gradient_of_the_last_steps_is_right_at_any_time():
    x, y, w = start()
    back = []
    for k in range(300):
        back = [*back[-3:], w]
        _, w = step(x, y, w, k)
        w.numpy()
        (g,) = tg.gradients(tg.sum(w), [back[0]], grad_ys=None)
        assert g is not None
    steps = range(296, 300)
    want = np.ones((4, 1))
    xs = x.numpy().astype(float)
    for k in reversed(steps):
        want = want - 2 * 0.01 / (16 + k) * xs.T @ (xs @ want)
    np.testing.assert_allclose(g.numpy(), want, rtol=1e-4)


def go_deep():
    y = tg.asarray([1.0])
    for _ in range(10_000):
        y = tg.sin(y)
        y.numpy()


def test_the_end_of_the_history_is_warned_of_with_the_line_of_the_loop():
    with tg.config.using(history=BUDGET), pytest.warns(tg.HistoryWarning, match=r"test_history.py:\d+.*tg.jit") as got:
        go_deep()
    assert len(got) == 1
    assert got[0].filename == __file__


def test_an_evaluation_can_let_go_of_the_history():
    x = tg.asarray([1.0, 2.0])
    y = tg.sin(x)
    assert tg.evaluate(y, keep_history=False) is y
    with pytest.raises(tg.HistoryCutError, match="keep_history=False"):
        tg.gradients(y * 2.0, [x])
    np.testing.assert_allclose(y.numpy(), np.sin([1.0, 2.0]), rtol=1e-6)


def test_a_gradient_up_to_a_cut_is_there():
    x = tg.asarray([1.0, 2.0])
    y = tg.evaluate(tg.sin(x), keep_history=False)
    (g,) = tg.gradients(tg.sum(y * y), [y])
    np.testing.assert_allclose(g.numpy(), 2 * np.sin([1.0, 2.0]), rtol=1e-6)


def test_forward_mode_does_not_pass_a_cut_silently():
    x = tg.asarray([1.0, 2.0])

    def f(v):
        return tg.evaluate(tg.sin(v), keep_history=False) * 2.0

    with pytest.raises(tg.HistoryCutError):
        tg.jvp(f, (x,), (x,))


def test_all_outputs_of_a_node_are_cut_together():
    x = tg.asarray([3.0, 1.0, 2.0])
    values, places = tg.top_k(x, 2)
    tg.evaluate([values, places], keep_history=False)
    assert values.node is places.node
    assert not values.node.inputs
    assert ((values + 0.0).numpy().tolist(), (places + 0).numpy().tolist()) == ([3.0, 2.0], [0, 2])


def test_a_budget_is_checked():
    with pytest.raises(tg.ArgumentError, match="nodes=0"):
        tg.HistoryBudget(nodes=0)
    with pytest.raises(tg.ArgumentTypeError, match=r"nbytes=1.5"):
        tg.HistoryBudget(nbytes=1.5)
    with pytest.raises(tg.ArgumentTypeError, match="int; want a tg"):
        tg.config.history = 3
    with pytest.raises(tg.ArgumentError, match="no setting 'hystory'"):
        tg.config.hystory = BUDGET


def test_what_only_integers_led_back_to_is_not_hidden():
    x = tg.asarray([1.5, 2.5])
    y = tg.evaluate(tg.astype(tg.astype(x, tg.int64), tg.float32) * 2.0, keep_history=False)
    assert tg.gradients(y * 1.0, [x]) == [None]
    k = tg.asarray([1, 2])
    z = tg.evaluate(tg.astype(k, tg.float32), keep_history=False)
    assert tg.gradients(z * 1.0, [k]) == [None]


def test_what_was_stopped_before_the_cut_is_not_hidden():
    x = tg.asarray([1.0, 2.0])
    y = tg.evaluate(tg.stop_gradient(x) * 2.0, keep_history=False)
    assert tg.gradients(y * 1.0, [x]) == [None]


def test_a_cut_behind_a_cut_that_knows_nothing_is_not_forgotten():
    x = tg.asarray([1.0, 2.0])
    h = tg.sin(x)
    h.numpy()
    y = tg.jit(lambda v: v * 2.0)(h)
    z = tg.evaluate(tg.exp(y), keep_history=False)
    del h, y
    with pytest.raises(tg.HistoryCutError):
        tg.gradients(z * 1.0, [x])


def test_a_node_of_which_one_value_is_gone_keeps_its_history():
    x = tg.asarray([3.0, 1.0, 2.0])
    values, places = tg.top_k(x, 2)
    values.numpy()
    del places
    tg.evaluate(values, keep_history=False)
    assert tg.gradients(tg.sum(values), [x])[0].numpy().tolist() == [1.0, 0.0, 1.0]
    assert values.node.tensor(1).numpy().tolist() == [0, 2]


def test_a_stop_at_the_cut_itself_leaves_nothing_to_raise():
    x = tg.asarray([1.0, 2.0])
    y = tg.evaluate(tg.sin(x), keep_history=False)
    assert tg.gradients(y, [x], stop_gradients=[y]) == [None]
