"""Counts of bits, divisors and multiples of integers, against Python's own."""

import math

import numpy as np
import pytest

import tidegate as tg

X = np.array([0, 1, -1, 12, -18, 100, 7, 127, -128])
Y = np.array([5, 0, 4, 18, 12, -75, 7, 1, 2])


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64"])
def test_divisors_and_multiples_are_pythons(dtype):
    x, y = X.astype(dtype), Y.astype(dtype)
    np.testing.assert_array_equal(tg.gcd(x, y).numpy(), [math.gcd(a, b) for a, b in zip(X, Y, strict=True)])
    wrapped = np.array([math.lcm(a, b) for a, b in zip(X, Y, strict=True)]).astype(dtype)
    np.testing.assert_array_equal(tg.lcm(x, y).numpy(), wrapped)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "uint64"])
def test_set_bits_of_the_absolute_value_are_counted(dtype):
    x = X.astype(dtype)
    got = tg.bitwise_count(x)
    assert got.dtype == tg.uint8
    np.testing.assert_array_equal(got.numpy(), [abs(int(v)).bit_count() for v in x])


def test_what_is_no_integer_is_refused():
    for use in (lambda: tg.gcd(1.0, tg.asarray([2])), lambda: tg.lcm(np.float32([1]), np.float32([2]))):
        with pytest.raises(tg.DTypeError, match=r"gcd|lcm"):
            use()
    with pytest.raises(tg.DTypeError, match="bitwise_count: got bool"):
        tg.bitwise_count([True])
