"""Programs of the compiled tier are found by structure: numbers and data are read when they run."""

import random
import tracemalloc

import numpy as np
import pytest

import tidegate as tg
from tidegate.backends.interface import Program
from tidegate.core.graph import walk
from tidegate.runtime import programs as module
from tidegate.runtime.programs import programs, structural_key
from tidegate.runtime.rounds import SHORT, rounds
from tidegate.runtime.small import SMALL_BYTES
from tidegate.runtime.statistics import statistics

BIG = SMALL_BYTES // 4 + 1  # float32 elements: one output of so many isn't small


@pytest.fixture(autouse=True)
def no_programs():
    programs.clear()


def compiled(function):
    before = statistics.compiled
    function()
    return statistics.compiled - before


def big(seed=0):
    return tg.asarray(np.random.default_rng(seed).standard_normal(BIG).astype(np.float32))


def run(y):
    """The value, by the compiled tier: a chain of two ops, so that it isn't one op by itself."""
    return tg.exp(y).numpy()


def test_a_small_graph_compiles_nothing_however_often_it_runs():
    x = tg.asarray([1.0, 2.0])
    assert compiled(lambda: [(tg.sin(x) * float(k)).numpy() for k in range(50)]) == 0


def test_a_large_graph_is_compiled_the_first_time_it_is_seen():
    assert compiled(lambda: run(tg.sin(big()))) == 1
    assert compiled(lambda: run(tg.sin(big(1)))) == 0


def test_numbers_and_data_are_read_when_it_runs():
    x = big()
    want = [np.exp(x.numpy() * np.float32(0.1 * k + 3)) for k in range(4)]
    found = []
    assert compiled(lambda: found.extend(run(x * (0.1 * k + 3)) for k in range(4))) == 1
    for got, w in zip(found, want, strict=True):
        np.testing.assert_allclose(got, w, rtol=1e-6)


@pytest.mark.parametrize("a", [0.0, 1.0, -1.0, 2.0, 0.5])
def test_a_number_that_a_rewrite_could_use_is_part_of_the_structure(a):
    x = big()
    assert compiled(lambda: (run(x * a), run(x * 3.5))) == 2


def test_an_integer_counter_compiles_nothing_anew():
    x = tg.asarray(np.arange(BIG * 2))
    assert compiled(lambda: [tg.negative(x * k + 1).numpy() for k in range(3, 9)]) == 1


def test_the_two_zeros_and_the_dtypes_of_a_constant_are_apart():
    x = big()
    assert compiled(lambda: (run(x + 0.0), run(x + -0.0))) == 2
    np.testing.assert_array_equal(np.signbit((tg.asarray(np.full(BIG, -0.0)) + -0.0).numpy()), True)


def key(*outputs):
    nodes = [n for n in walk(outputs) if n.inputs]
    arguments = list(dict.fromkeys([e for n in nodes for e in n.edges() if e[0].op.leaf_value is not None]))
    return structural_key(Program(nodes, arguments, [y.edge for y in outputs]))


def test_the_key_tells_apart_topology_attributes_types_and_results():
    x, y = tg.asarray([1.0, 2.0]), tg.asarray([3.0, 4.0])
    h = tg.sin(x)
    keys = [
        key(tg.sin(x)), key(tg.cos(x)), key(tg.sin(tg.asarray([1.0]))), key(tg.sin(tg.asarray(np.ones(2)))),
        key(x - y), key(x - x), key(tg.sin(x) * tg.sin(x)), key(h * h), key(tg.exp(h)), key(tg.exp(h), h),
        key(tg.sum(tg.asarray([[1.0]]), axis=0)), key(tg.sum(tg.asarray([[1.0]]), axis=1)), key(x * 1.0), key(x * 2.0),
    ]  # fmt: skip
    assert len(set(keys)) == len(keys)
    assert key(tg.sin(y)) == keys[0]
    assert key(y - x) == keys[4]


def test_a_fault_in_a_program_found_again_names_the_line_of_this_graph():
    x = big()

    def pick(place):
        return tg.take(tg.exp(x), tg.asarray([place]) + 0, axis=0)

    pick(0).numpy()
    lines = []
    for _ in range(2):
        with pytest.raises(tg.IndexRangeError) as caught:
            tg.take(tg.exp(x), tg.asarray([BIG]) + 0, axis=0).numpy()
        lines.append(caught.value.line)
    with pytest.raises(tg.IndexRangeError) as caught:
        pick(BIG).numpy()
    assert caught.value.line.rpartition(":")[2] != lines[0].rpartition(":")[2]
    assert len(programs) == 1


def test_a_loop_that_is_looked_at_at_odd_times_makes_few_programs():
    rng = random.Random(0)
    x, w = big(), big(1)

    def loop():
        y = w
        for _ in range(300):
            r = y * x - 1.0
            (g,) = tg.gradients(tg.sum(r * r), [y])
            y = y - 1e-3 * g
            if rng.random() < 0.05:
                y[0].item()
        y.numpy()

    assert compiled(loop) < 25


def test_rounds_run_each_node_once_and_drop_what_nobody_reads():
    y = tg.asarray([0.5])
    for _ in range(100):
        y = tg.sin(y)
        y = tg.exp(y)
    nodes = [n for n in walk([y]) if n.inputs]
    parts = rounds(nodes, [y.edge])
    assert [n for part in parts for n in part.nodes] == nodes
    assert len(parts) > 90
    assert all(len(part.gives) == 1 for part in parts)
    short = nodes[: SHORT - 1]
    assert len(rounds(short, [(short[-1], 0)])) == 1


def test_what_is_kept_is_bounded(monkeypatch):
    monkeypatch.setattr(module, "CACHED_STEPS", 40)
    for n in range(1, 8):
        y = tg.asarray(np.ones(BIG + n, np.float32))
        for _ in range(8):
            y = tg.sin(y)
        y.numpy()
    assert 0 < len(programs) <= 5
    y = big()
    for _ in range(11):
        y = tg.sin(y)
    assert compiled(lambda: y.numpy()) == 1
    assert len(programs) <= 5


@pytest.mark.parametrize("size", [3, BIG])
def test_both_tiers_give_the_same_bits(size):
    rng = np.random.default_rng(3)
    x, y = (rng.standard_normal(size).astype(np.float32) for _ in range(2))

    def f(a, b):
        return tg.where(a > 0.0, tg.exp(a) * b - 0.3, tg.tanh(b / (1.0 + a * a))) + tg.sum(a) * tg.ones((2, 1))

    whole = f(tg.asarray(x), tg.asarray(y)).numpy()
    jitted = tg.jit(f)(x, y).numpy()
    np.testing.assert_array_equal(whole, jitted)


def test_values_between_rounds_go_after_their_last_reader():
    y = big()
    for _ in range(100):
        y = tg.sin(y)
        y = tg.exp(y)
    tracemalloc.start()
    try:
        y.numpy()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 10 * 4 * BIG
