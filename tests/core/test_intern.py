"""Interning: equal attributes give one object, and what Python merely calls equal doesn't."""

import gc
from dataclasses import dataclass
from itertools import combinations
from threading import Barrier, Thread
from typing import Any

import numpy as np
import pytest

from tidegate.core.intern import RECENT, Interned, bounded


@dataclass(frozen=True, eq=False)
class Pair(metaclass=Interned):
    left: Any
    right: Any = 0


def test_equal_arguments_give_one_object():
    assert Pair(1, 2) is Pair(1, 2)


def test_a_default_a_keyword_and_a_position_give_one_object():
    assert Pair(1) is Pair(1, 0)
    assert Pair(1) is Pair(left=1)
    assert Pair(1) is Pair(right=0, left=1)


def test_lists_and_numpy_scalars_are_normalised():
    pair = Pair([np.int64(1), [2.5]], (3,))
    assert pair is Pair((1, (2.5,)), [3])
    assert pair.left == (1, (2.5,))
    assert type(pair.left[0]) is int


@pytest.mark.parametrize(("a", "b"), [*combinations([1, 1.0, True, 1 + 0j], 2), (0.0, -0.0), (0j, -0j), ("1", 1)])
def test_values_that_python_calls_equal_are_kept_apart(a, b):
    assert Pair(a) is not Pair(b)
    assert Pair((a,)) is not Pair((b,))


def test_one_nan_equals_another():
    assert Pair(float("nan")) is Pair(np.float64("nan"))


def test_a_missing_argument_is_named():
    with pytest.raises(TypeError, match="left is missing"):
        Pair()


@pytest.mark.parametrize("call", [lambda: Pair(1, 2, 3), lambda: Pair(1, middle=2)])
def test_an_argument_too_many_is_refused(call):
    with pytest.raises(TypeError, match="Pair takes left, right"):
        call()


def test_a_table_never_grows_past_its_bound():
    for i in range(2 * RECENT + 10):
        Pair("bound", i)
    assert len(Pair._recent) <= RECENT
    table = {i: i for i in range(RECENT)}
    assert bounded(table) == {}


def test_an_object_in_use_stays_the_one_though_its_table_was_emptied():
    kept = Pair("kept", 0)
    for i in range(RECENT + 10):
        Pair("other", i)
    gc.collect()
    assert Pair("kept", 0) is kept


def test_threads_that_ask_at_once_get_one_object():
    count, found = 8, []
    barrier = Barrier(count)

    def ask():
        barrier.wait()
        found.append([Pair("thread", i) for i in range(200)])

    threads = [Thread(target=ask) for _ in range(count)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(found) == count
    assert all(a is b for other in found[1:] for a, b in zip(found[0], other, strict=True))
