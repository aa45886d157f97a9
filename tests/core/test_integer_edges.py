"""Integers at their edges: quotients by zero, wrapping, shifts too far; and floating point quotients at theirs."""

import itertools

import numpy as np
import pytest

import tidegate as tg
from tidegate.core import dtypes as d

INTEGERS = sorted(d.INTEGER, key=str)
INF, NAN = np.inf, np.nan


def wrapped(value, dtype):
    """A whole number's low bits, as a number of `dtype`."""
    bits = np.iinfo(dtype).bits
    value %= 2**bits
    return value - 2**bits if dtype in d.SIGNED and value >= 2 ** (bits - 1) else value


def truncated(x, y):
    quotient = abs(x) // abs(y)
    return quotient if (x < 0) == (y < 0) else -quotient


RULES = {
    "floor_divide": (tg.floor_divide, lambda x, y: x // y if y else 0),
    "remainder": (tg.remainder, lambda x, y: x % y if y else x),
    "fmod": (tg.fmod, lambda x, y: x - y * truncated(x, y) if y else x),
    "left_shift": (tg.bitwise_left_shift, None),
    "right_shift": (tg.bitwise_right_shift, None),
}


def edges(dtype):
    limits = np.iinfo(dtype)
    return [v for v in (limits.min, limits.min + 1, -7, -2, -1, 0, 1, 2, 3, 7, limits.max) if v >= limits.min]


def pairs(xs, ys, dtype):
    x, y = zip(*itertools.product(xs, ys), strict=True)
    return np.asarray(x, dtype), np.asarray(y, dtype)


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
@pytest.mark.parametrize("name", ["floor_divide", "remainder", "fmod"])
def test_whole_quotients_and_remainders_are_as_the_table_says(name, dtype):
    ours, exact = RULES[name]
    x, y = pairs(edges(dtype), edges(dtype), dtype)
    want = [wrapped(exact(int(a), int(b)), dtype) for a, b in zip(x, y, strict=True)]
    assert ours(x, y).numpy().tolist() == want


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_a_number_is_its_quotient_times_the_divisor_plus_the_remainder(dtype):
    x, y = pairs(edges(dtype), edges(dtype), dtype)
    quotient, rest = divmod(tg.asarray(x), tg.asarray(y))
    np.testing.assert_array_equal((quotient * y + rest).numpy(), x)


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_a_shift_by_too_much_or_less_than_nothing_leaves_zero_or_the_sign(dtype):
    bits = np.iinfo(dtype).bits
    counts = [n for n in (-bits - 1, -1, 0, 1, bits - 1, bits, bits + 1, 100) if n >= np.iinfo(dtype).min]
    x, n = pairs(edges(dtype), counts, dtype)
    inside = [(int(a), int(b) if 0 <= b < bits else None) for a, b in zip(x, n, strict=True)]
    left = [0 if b is None else wrapped(a << b, dtype) for a, b in inside]
    right = [(-1 if a < 0 else 0) if b is None else a >> b for a, b in inside]
    assert tg.bitwise_left_shift(x, n).numpy().tolist() == left
    assert tg.bitwise_right_shift(x, n).numpy().tolist() == right


@pytest.mark.parametrize("dtype", sorted(d.SIGNED, key=str), ids=str)
def test_minus_and_abs_of_the_least_integer_are_itself(dtype):
    least = np.asarray([np.iinfo(dtype).min], dtype)
    np.testing.assert_array_equal(tg.abs(least).numpy(), least)
    np.testing.assert_array_equal(tg.negative(least).numpy(), least)


# Floating point: array API standard 2025.12, "floor_divide" and "remainder", special cases.
QUOTIENTS = [
    (NAN, 1.0, NAN), (1.0, NAN, NAN), (INF, INF, NAN), (INF, -INF, NAN), (0.0, 0.0, NAN), (-0.0, 0.0, NAN),
    (0.0, 2.0, 0.0), (-0.0, 2.0, -0.0), (0.0, -2.0, -0.0), (-0.0, -2.0, 0.0),
    (2.0, 0.0, INF), (2.0, -0.0, -INF), (-2.0, 0.0, -INF), (-2.0, -0.0, INF),
    (INF, 2.0, INF), (INF, -2.0, -INF), (-INF, 2.0, -INF), (-INF, -2.0, INF),
    (2.0, INF, 0.0), (2.0, -INF, -1.0), (-2.0, INF, -1.0), (-2.0, -INF, 0.0),
    (7.0, 2.0, 3.0), (-7.0, 2.0, -4.0), (7.0, -2.0, -4.0), (-7.0, -2.0, 3.0),
]  # fmt: skip
REMAINDERS = [
    (NAN, 1.0, NAN), (1.0, NAN, NAN), (INF, INF, NAN), (INF, 2.0, NAN), (-INF, 2.0, NAN), (0.0, 0.0, NAN),
    (2.0, 0.0, NAN), (2.0, -0.0, NAN), (-2.0, 0.0, NAN),
    (0.0, 2.0, 0.0), (-0.0, 2.0, 0.0), (0.0, -2.0, -0.0), (-0.0, -2.0, -0.0),
    (2.0, INF, 2.0), (2.0, -INF, -INF), (-2.0, INF, INF), (-2.0, -INF, -2.0),
    (7.0, 2.0, 1.0), (-7.0, 2.0, 1.0), (7.0, -2.0, -1.0), (-7.0, -2.0, -1.0),
]  # fmt: skip


@pytest.mark.parametrize("dtype", sorted(d.FLOATING, key=str), ids=str)
@pytest.mark.parametrize(("ours", "rows"), [(tg.floor_divide, QUOTIENTS), (tg.remainder, REMAINDERS)])
def test_a_floating_point_quotient_or_remainder_at_an_edge_is_the_standards(ours, rows, dtype):
    x, y, want = (np.asarray(column).astype(dtype) for column in zip(*rows, strict=True))
    got = ours(x, y).numpy().astype(float)
    want = want.astype(float)
    np.testing.assert_array_equal(got, want)
    known = ~np.isnan(want)
    np.testing.assert_array_equal(np.signbit(got)[known], np.signbit(want)[known])
