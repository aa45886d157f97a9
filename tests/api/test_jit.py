"""jit: traced once for each signature, run at once with a mark, or an op of the graph where a gradient may be asked."""

import gc
import logging
import threading
import warnings
from dataclasses import dataclass
from enum import Enum

import numpy as np
import pytest

import tidegate as tg
from tidegate.core.graph import Node
from tidegate.core.tree import flatten
from tidegate.runtime.statistics import statistics


def loss(w, x, y):
    r = tg.matmul(x, w) - y
    return tg.sum(r * r)


def batch(seed=0, rows=8):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((rows, 3)).astype(np.float32), rng.standard_normal((rows, 1)).astype(np.float32)


def test_a_jitted_function_gives_what_the_function_gives():
    x, y = batch()
    w = tg.asarray([[0.1], [0.2], [0.3]])
    for f in (loss, tg.value_and_grad(loss)):
        for got, want in zip(flatten(tg.jit(f)(w, x, y))[0], flatten(f(w, x, y))[0], strict=True):
            np.testing.assert_array_equal(got.numpy(), want.numpy())


def test_it_is_traced_once_for_each_signature():
    calls = []

    @tg.jit
    def f(x):
        calls.append(x.type)
        return x + 1.0

    for shape in [(2,), (3,), (2,), (3,)]:
        f(np.zeros(shape, np.float32))
    f(np.zeros(2))
    assert [str(t) for t in calls] == ["float32[2]", "float32[3]", "float64[2]"]
    assert f.trace_count == 3


def test_it_runs_at_once():
    f = tg.jit(tg.sin)
    x = tg.asarray([1.0])
    f(x)
    before = statistics.ops
    y = f(x)
    assert y.value is not None
    assert statistics.ops == before + 1


def test_a_changing_number_traces_nothing_anew():
    f = tg.jit(lambda x, k, lr, z: x * lr + k + tg.real(z * 1.0))
    for k in range(5):
        got = f(np.ones(2, np.float32), k, 0.1 * k, 1j * k)
        np.testing.assert_allclose(got.numpy(), 0.1 * k + k, rtol=1e-6)
    assert f.trace_count == 1


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "complex64", "complex128"])
def test_a_python_number_takes_the_dtype_that_it_meets_as_without_jit(dtype):
    x = tg.astype(tg.asarray([1.0, 3.0]), tg.asarray(0, dtype=dtype).dtype)

    def f(x, lr, k):
        return x * (lr * 0.5 + k), lr * x, x**k, tg.where(tg.abs(x) > 2.0, x, x * lr)

    for got, want in zip(tg.jit(f)(x, 0.1, 2), f(x, 0.1, 2), strict=True):
        assert got.dtype == want.dtype == x.dtype
        np.testing.assert_array_equal(got.numpy(), want.numpy())


def test_a_python_number_keeps_all_its_digits_beside_float64():
    got = tg.jit(lambda x, lr: x * lr)(np.ones(1), 0.1)
    assert got.numpy()[0] == 0.1


def test_an_integer_number_beside_integers_is_one():
    assert tg.jit(lambda x, k: x + k)(np.int8([1]), 2).dtype == tg.int8


def test_a_result_that_is_only_a_number_has_the_default_dtype():
    assert tg.jit(lambda lr: lr * 2.0)(0.5).dtype == tg.float32
    assert tg.jit(lambda k: k + 1)(1).dtype == tg.int64


def test_conversion_in_a_traced_function_is_meant():
    got = tg.jit(lambda x, lr: x * tg.astype(lr, tg.float64))(np.ones(1, np.float32), 0.5)
    assert got.dtype == tg.float64


class Mode(Enum):
    TRAIN = 1
    TEST = 2


def test_booleans_strings_none_and_objects_are_static():
    @tg.jit
    def f(x, mode, flag, name=None):
        y = x + 1.0 if mode is Mode.TRAIN else x
        return y * 2.0 if flag else y if name is None else y - 1.0

    one = np.ones(1, np.float32)
    assert [f(one, Mode.TRAIN, True).item(), f(one, Mode.TEST, True).item()] == [4.0, 2.0]
    assert [f(one, Mode.TRAIN, False).item(), f(one, Mode.TEST, False, name="a").item()] == [2.0, 0.0]
    assert f.trace_count == 4


def test_a_static_argument_decides_shapes_and_branches_by_position_and_by_name():
    @tg.jit(static_argnames=("n",))
    def f(x, n):
        for _ in range(n):
            x = x * 2.0
        return tg.reshape(x, (n, -1))

    assert f(np.ones(4, np.float32), 2).shape == (2, 2)
    assert f(np.ones(4, np.float32), n=4).numpy().tolist() == [[16.0]] * 4
    assert f.trace_count == 2


def test_static_values_that_python_calls_equal_are_kept_apart():
    f = tg.jit(lambda x, s: x * s, static_argnames="s")
    assert f(np.int64([3]), 1).dtype == tg.int64
    with pytest.raises(tg.DTypeError):
        f(np.int64([3]), 1.0)


@dataclass
class Parameters:
    w: object
    b: object


def test_containers_go_in_and_come_out():
    @tg.jit
    def f(p, extra):
        return {"p": Parameters(p.w + extra["c"][0], p.b), "name": "f", "none": None, "n": 3}

    out = f(Parameters(tg.asarray([1.0]), np.float32([2.0])), {"c": [1.0]})
    assert (out["p"].w.item(), out["p"].b.item(), out["name"], out["none"], out["n"]) == (2.0, 2.0, "f", None, 3)


def test_the_order_of_keyword_arguments_does_not_matter():
    f = tg.jit(lambda **kw: kw["a"] - kw["b"])
    one, two = np.float32([1.0]), np.float32([2.0])
    assert (f(a=one, b=two).item(), f(b=two, a=one).item(), f.trace_count) == (-1.0, -1.0, 1)


def test_a_gradient_through_what_ran_at_once_is_an_error_with_the_line_of_the_call():
    x = tg.asarray([1.0, 2.0])
    y = tg.jit(lambda v: v * v)(x)
    with pytest.raises(tg.HistoryCutError, match=r"tg.jit, which ran at once, at .*test_jit.py:\d+"):
        tg.gradients(y, [x])
    with pytest.raises(tg.HistoryCutError):
        tg.gradients(tg.sum(tg.exp(y)), [x])
    assert tg.gradients(y, [x], unconnected="none") == [None]


def test_a_gradient_through_a_chain_of_calls_is_never_silently_none():
    x = tg.asarray([1.0])
    step = tg.jit(lambda v: v * 2.0)
    y = step(step(step(x)))
    with pytest.raises(tg.HistoryCutError):
        tg.gradients(y, [x])
    h = tg.sin(x)
    h.numpy()
    z = step(h)
    del h
    with pytest.raises(tg.HistoryCutError):
        tg.gradients(z, [x])


def test_what_the_function_stops_or_never_reads_is_none_and_no_error():
    x, other = tg.asarray([1.0]), tg.asarray([2.0])
    y = tg.jit(lambda a, b: tg.stop_gradient(a) + b)(x, other)
    assert tg.gradients(y, [x]) == [None]
    assert tg.gradients(tg.jit(lambda a, b: b)(x, other), [x]) == [None]
    with pytest.raises(tg.HistoryCutError):
        tg.gradients(y, [other])


def test_a_captured_tensor_is_behind_the_cut_too():
    w = tg.asarray([3.0])
    y = tg.jit(lambda a: a * w)(np.float32([2.0]))
    with pytest.raises(tg.HistoryCutError):
        tg.gradients(y, [w])


def test_the_gradient_up_to_what_ran_at_once_is_there():
    y = tg.jit(lambda v: v * v)(tg.asarray([3.0]))
    (g,) = tg.gradients(tg.sum(y * y), [y])
    assert g.item() == 18.0


def test_an_argument_that_waits_makes_the_call_an_op_that_differentiates():
    x = tg.asarray([1.0, 2.0])
    f = tg.jit(lambda v: v * v)
    y = f(tg.sin(x))
    assert y.value is None
    (g,) = tg.gradients(tg.sum(y), [x])
    np.testing.assert_allclose(g.numpy(), np.sin([2.0, 4.0]), rtol=1e-6)
    assert tg.flow.why(y, {"x": x})["x"].status == "flows"


def test_grad_jvp_and_vmap_go_through_a_jitted_function():
    f = tg.jit(lambda v: tg.sum(v * v))
    x = tg.asarray([1.0, 2.0])
    assert tg.grad(f)(x).numpy().tolist() == [2.0, 4.0]
    assert tg.jvp(f, (x,), (x,))[1].item() == 10.0
    assert tg.vmap(f)(tg.asarray([[1.0, 2.0], [3.0, 0.0]])).numpy().tolist() == [5.0, 9.0]
    assert tg.grad(tg.grad(tg.jit(lambda v: v**3)))(2.0).item() == 12.0
    assert tg.jit(tg.grad(tg.jit(tg.grad(lambda v: v**3))))(2.0).item() == 12.0
    assert tg.grad(tg.jit(lambda v: v**3))(tg.ones(())).item() == 3.0


def test_tensors_of_nothing_but_constants_have_no_history_to_keep():
    w = tg.jit(lambda w: w - 1.0)(tg.zeros((2,)))
    assert w.value is not None


def test_captured_tensors_are_fixed_at_the_first_call():
    held = {"w": tg.asarray([1.0])}
    f = tg.jit(lambda x: x + held["w"])
    one = np.float32([1.0])
    assert f(one).item() == 2.0
    held["w"] = tg.asarray([5.0])
    assert f(one).item() == 2.0


def test_variables_are_read_and_assigned_at_each_call():
    v = tg.Variable([1.0, 2.0])
    total = tg.Variable(0.0)

    @tg.jit
    def f(x):
        total.assign_add(tg.sum(v * x))
        v.assign(v * 2.0)
        total.assign_add(1.0)
        return v + 0.0

    one = np.ones(2, np.float32)
    assert f(one).numpy().tolist() == [2.0, 4.0]
    v.assign([10.0, 20.0])
    assert f(one).numpy().tolist() == [20.0, 40.0]
    assert (total.value.item(), f.trace_count) == (3.0 + 30.0 + 2.0, 1)


def test_a_jitted_function_called_in_another_one_shares_its_variables():
    v = tg.Variable(1.0)

    @tg.jit
    def double():
        v.assign(v * 2.0)
        return v + 0.0

    @tg.jit
    def twice():
        double()
        return double() + v

    assert twice().item() == 8.0
    assert v.value.item() == 4.0


def test_an_exception_in_a_call_assigns_nothing():
    v = tg.Variable([1.0, 2.0])

    @tg.jit
    def f(place):
        v.assign(v + 1.0)
        return tg.take(v.value, place, axis=0)

    f(np.int64([1]))
    with pytest.raises(tg.IndexRangeError, match=r"test_jit.py:\d+"):
        f(np.int64([7]))
    assert v.numpy().tolist() == [2.0, 3.0]
    f(np.int64([0]))
    assert v.numpy().tolist() == [3.0, 4.0]


def test_an_exception_while_tracing_leaves_the_function_as_it_was():
    fails = [True]

    @tg.jit
    def f(x):
        if fails:
            raise KeyError("not yet")
        return x + 1.0

    with pytest.raises(KeyError):
        f(np.zeros(1, np.float32))
    fails.clear()
    assert f(np.zeros(1, np.float32)).item() == 1.0


def test_a_python_branch_on_a_traced_tensor_says_what_to_do():
    with pytest.raises(tg.NoValueError, match=r"tg.cond.*static_argnames"):
        tg.jit(lambda x: x if x > 0.0 else -x)(1.0)
    with pytest.raises(tg.NoValueError, match="static_argnames"):
        tg.jit(lambda x, n: [x for _ in range(n)])(np.zeros(1), 3)


def test_arguments_are_read_at_the_call_and_results_are_nobody_elses():
    mine = np.ones(3, np.float32)
    f = tg.jit(lambda x: (x, tg.reshape(x, (3, 1)), x + 1.0))
    first = f(mine)
    mine[:] = 7.0
    assert [y.numpy().ravel().tolist() for y in first] == [[1.0] * 3, [1.0] * 3, [2.0] * 3]
    assert f(mine)[2].numpy().tolist() == [8.0] * 3
    with pytest.raises(ValueError, match="read-only"):
        first[0].numpy()[0] = 2.0


def test_arrays_of_another_layout_or_byte_order_are_taken():
    f = tg.jit(lambda x: x * 2.0)
    assert f(np.arange(6.0).reshape(2, 3).T[::2]).numpy().tolist() == [[0.0, 6.0], [4.0, 10.0]]
    assert f(np.arange(3.0).astype(">f8")).numpy().tolist() == [0.0, 2.0, 4.0]
    assert f(np.float64(3.0)).item() == 6.0


def test_methods_are_bound():
    class Model:
        def __init__(self, scale):
            self.scale = scale

        @tg.jit
        def __call__(self, x):
            return x * self.scale

    a, b = Model(2.0), Model(3.0)
    one = np.ones(1, np.float32)
    assert (a(one).item(), b(one).item(), a(one).item()) == (2.0, 3.0, 2.0)


def test_why_it_was_traced_anew_is_logged(caplog):
    f = tg.jit(lambda x, n: x)
    with caplog.at_level(logging.INFO, "tidegate.jit"):
        f(np.zeros(2, np.float32), 1.0)
        f(np.zeros(3, np.float32), 1.0)
        f(np.zeros(3, np.float32), True)
    assert [r.getMessage().split(" since ")[1] for r in caplog.records] == [
        "it is the first call",
        "x is float32[3], not float32[2]",
        "n is True, not float",
    ]


def test_many_traces_warn_with_the_argument_that_changes():
    f = tg.jit(lambda x, n: x, static_argnames="n")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for n in range(8):
            f(np.zeros(1), n)
    (warning,) = caught
    assert issubclass(warning.category, tg.RetraceWarning)
    assert "static arguments are 7" in str(warning.message)
    assert warning.filename == __file__


def test_traces_that_pay_warn_of_nothing():
    f = tg.jit(lambda x, n: x, static_argnames="n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for n in range(40):
            for _ in range(5):
                f(np.zeros(1), n)
    assert f.trace_count == 40


def test_a_jitted_training_loop_holds_no_history():
    x, y = batch()
    step = tg.jit(tg.value_and_grad(loss))
    w = tg.asarray(np.zeros((3, 1), np.float32))
    losses, ops, nodes = [], [], []
    for k in range(10_000):
        before = statistics.ops
        value, g = step(w, x, y)
        w = w - (0.01 / (1 + k)) * g
        w.numpy()
        losses.append(value)
        if k == 5000:
            float(value)
        ops.append(statistics.ops - before)
        if k in (1000, 9000):
            gc.collect()
            nodes.append(sum(type(o) is Node for o in gc.get_objects()) - len(losses))
    assert len(set(ops)) == 1
    assert step.trace_count == 1
    assert nodes[1] - nodes[0] < 8000 * 6  # the plain update's own, within the budget


def test_a_whole_step_in_jit_keeps_the_number_of_nodes_constant():
    x, y = batch()

    @tg.jit
    def step(w, lr):
        value, g = tg.value_and_grad(loss)(w, x, y)
        return value, w - lr * g

    w = tg.asarray(np.zeros((3, 1), np.float32))
    nodes = []
    for k in range(10_000):
        value, w = step(w, 0.01 / (1 + k))
        if k in (100, 9_900):
            gc.collect()
            nodes.append(sum(type(o) is Node for o in gc.get_objects()))
    assert nodes[0] == nodes[1]
    assert float(value) < 100.0
    assert step.trace_count == 1


def test_many_threads_call_one_function():
    traces = []

    @tg.jit
    def f(x):
        traces.append(None)
        return tg.sum(x * x)

    wrong, start = [], threading.Barrier(8)

    def work(k):
        start.wait()
        for n in range(1, 20):
            if f(np.full(n, k, np.float32)).item() != n * k * k:
                wrong.append((k, n))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tg.RetraceWarning)
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    assert wrong == []
    assert len(traces) == 19


@pytest.mark.parametrize(
    ("use", "error", "message"),
    [
        (lambda: tg.jit(3), tg.ArgumentTypeError, "jit: got int; want a function"),
        (
            lambda: tg.jit(loss, static_argnames="q"),
            tg.ArgumentError,
            "got static_argnames 'q'; the function has w, x, y",
        ),
        (lambda: tg.jit(loss, static_argnames=[0]), tg.ArgumentTypeError, "got 0 in static_argnames"),
        (lambda: tg.jit(loss, static_argnames="w")([], 1, 2), tg.ArgumentTypeError, "got list as static w"),
        (lambda: tg.jit(tg.sin)({1, 2}), tg.ArgumentTypeError, "got set as x; want arrays"),
        (lambda: tg.jit(tg.sin)(np.array(["a"])), tg.DTypeError, "isn't supported"),
        (lambda: tg.jit(lambda k: k)(1 << 70), tg.ScalarRangeError, "out of range for int64"),
    ],
)
def test_wrong_use_is_told(use, error, message):
    with pytest.raises(error, match=message):
        use()


def test_a_function_that_captured_a_tensor_of_a_trace_is_traced_anew_in_the_next():
    box = {}
    inner = tg.jit(lambda a: a * box["w"])

    @tg.jit
    def outer(w):
        box["w"] = w
        return inner(np.float32([1.0])) + inner(np.float32([1.0]))

    assert outer(np.float32([2.0])).item() == 4.0
    assert outer(np.float32([[3.0]])).item() == 6.0
    box["w"] = tg.asarray([5.0])
    assert inner(np.float32([1.0])).item() == 5.0


def test_a_number_stays_a_number_in_a_jitted_function_called_within():
    inner = tg.jit(lambda x, rate: x * rate)
    got = tg.jit(lambda x, rate: inner(x, rate * 0.5))(np.float16([2.0]), 0.5)
    assert (got.dtype, got.item()) == (tg.float16, 0.5)


def test_a_number_from_outside_is_a_number_in_a_branch():
    @tg.jit
    def f(x, rate):
        return tg.cond(x[0] > 0.0, lambda: x * rate, lambda: x)

    assert f(np.float16([2.0]), 0.5).dtype == tg.float16
