"""Dtypes: promotion as the array API standard's table has it, and casts and integer powers at their edges."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import tidegate as tg
from tidegate.core import dtypes as d

# The standard's tables, a dtype pair a cell: "Type promotion rules", array API standard 2024.12.
LADDERS = [
    [d.int8, d.int16, d.int32, d.int64],
    [d.uint8, d.uint16, d.uint32, d.uint64],
    [d.float32, d.float64],
    [d.complex64, d.complex128],
]
STANDARD = {(x, y): max(x, y, key=lambda t: t.itemsize) for ladder in LADDERS for x in ladder for y in ladder}
STANDARD |= {(d.bool_, d.bool_): d.bool_}
MIXED_SIGNS = {
    d.int8: [d.int16, d.int32, d.int64],
    d.int16: [d.int16, d.int32, d.int64],
    d.int32: [d.int32, d.int32, d.int64],
    d.int64: [d.int64, d.int64, d.int64],
}
STANDARD |= {
    (x, y): z for x, row in MIXED_SIGNS.items() for y, z in zip((d.uint8, d.uint16, d.uint32), row, strict=True)
}
STANDARD |= {
    (d.float32, d.complex64): d.complex64,
    (d.float32, d.complex128): d.complex128,
    (d.float64, d.complex64): d.complex128,
    (d.float64, d.complex128): d.complex128,
}
OURS = {(d.float16, d.bfloat16): d.float32}
OURS |= {(h, h): h for h in d.HALF}
OURS |= {(h, wide): wide for h in d.HALF for wide in (d.float32, d.float64, d.complex64, d.complex128)}
TABLE = STANDARD | OURS
TABLE |= {(y, x): z for (x, y), z in TABLE.items()}
PAIRS = list(itertools.product(sorted(d.ANY, key=str), repeat=2))


@pytest.mark.parametrize(("x", "y"), PAIRS, ids=lambda t: t.name)
def test_two_dtypes_promote_as_the_table_says_or_are_refused(x, y):
    if (x, y) in TABLE:
        assert d.promote(x, y) == TABLE[x, y]
    else:
        with pytest.raises(tg.DTypeError, match=rf"^{x.name} and {y.name} don't mix"):
            d.promote(x, y)


# A Python number beside a tensor: of its kind or a lower one; a complex one makes a floating point tensor complex.
SCALARS = {
    bool: lambda t: t if t in d.BOOL else None,
    int: lambda t: t if t in d.NUMERIC else None,
    float: lambda t: t if t in d.INEXACT else None,
    complex: lambda t: t if t in d.COMPLEX else d.complex_of(t) if t in d.FLOATING else None,
}


@pytest.mark.parametrize("scalar", SCALARS, ids=lambda s: s.__name__)
@pytest.mark.parametrize("dtype", sorted(d.ANY, key=str), ids=lambda t: t.name)
def test_a_python_number_takes_the_dtype_beside_it_or_is_refused(scalar, dtype):
    want = SCALARS[scalar](dtype)
    if want is not None:
        assert d.promote_scalar(scalar, dtype) == want
    else:
        with pytest.raises(tg.DTypeError, match=f"a Python {scalar.__name__} and a tensor of {dtype.name} don't mix"):
            d.promote_scalar(scalar, dtype)


def cast(values, source, target):
    return tg.astype(tg.asarray(np.asarray(values, source)), target).numpy()


@pytest.mark.parametrize("source", [d.float32, d.float64], ids=str)
@pytest.mark.parametrize("target", sorted(d.INTEGER, key=str), ids=str)
def test_floating_point_to_integer_truncates_and_stays_within_the_limits(source, target):
    low, high = np.iinfo(target).min, np.iinfo(target).max
    got = cast([np.nan, np.inf, -np.inf, 1e30, -1e30, 2.9, -0.9, -2.9, -0.0], source, target)
    assert got.tolist() == [0, high, low, high, low, 2, 0, max(low, -2), 0]


@pytest.mark.parametrize("target", sorted(d.INTEGER, key=str), ids=str)
def test_the_limits_themselves_and_their_neighbours_are_cast_exactly(target):
    low, high = np.iinfo(target).min, np.iinfo(target).max
    around = [float(low), np.nextafter(float(high) + 1, 0.0), float(high) + 1, np.nextafter(float(low), -np.inf)]
    got = cast(around, d.float64, target)
    assert got.tolist() == [low, min(int(around[1]), high), high, low]


@pytest.mark.parametrize("source", [d.float16, d.bfloat16], ids=str)
def test_halves_are_cast_to_integers_as_their_values_are(source):
    got = cast([np.nan, np.inf, -np.inf, 2.5, -300.0], source, d.int8)
    assert got.tolist() == [0, 127, -128, 2, -128]


@pytest.mark.parametrize(("source", "target"), list(itertools.product(sorted(d.INTEGER, key=str), repeat=2)), ids=str)
def test_integer_to_integer_keeps_the_low_bits(source, target):
    limits, bits = np.iinfo(source), np.iinfo(target).bits
    values = sorted({limits.min, limits.max, 0, 1, limits.max // 3})
    low = [v % 2**bits for v in values]
    want = [v - 2**bits if target in d.SIGNED and v >= 2 ** (bits - 1) else v for v in low]
    assert cast(values, source, target).tolist() == want


@pytest.mark.parametrize("source", sorted(d.ANY, key=str), ids=str)
def test_anything_to_bool_is_whether_it_is_not_zero(source):
    assert cast([0, 1], source, d.bool_).tolist() == [False, True]


def test_nan_and_the_imaginary_part_count_as_not_zero():
    assert cast([np.nan, -0.0], d.float32, d.bool_).tolist() == [True, False]
    assert cast([1j, 0j], d.complex64, d.bool_).tolist() == [True, False]


@pytest.mark.parametrize("target", [d.float64, d.int32], ids=str)
def test_complex_to_real_keeps_the_real_part_without_a_warning(target):
    assert cast([2 + 3j, -1 - 1j], d.complex128, target).tolist() == [2, -1]


def exact_power(x, y, dtype):
    """x ** y in whole numbers: truncated towards zero for a negative y, then its low bits."""
    value = x**y if y >= 0 else {1: 1, -1: 1 if y % 2 == 0 else -1}.get(x, 0)
    bits = np.iinfo(dtype).bits
    value %= 2**bits
    return value - 2**bits if dtype in d.SIGNED and value >= 2 ** (bits - 1) else value


@pytest.mark.parametrize("dtype", sorted(d.INTEGER, key=str), ids=str)
def test_integer_powers_wrap_and_truncate(dtype):
    limits = np.iinfo(dtype)
    bases = [v for v in (limits.min, -3, -2, -1, 0, 1, 2, 3, limits.max) if v >= limits.min]
    exponents = [v for v in (-128, -3, -2, -1, 0, 1, 2, 7, 100) if v >= limits.min]
    pairs = list(itertools.product(bases, exponents))
    x, y = (tg.asarray(np.asarray(v, dtype)) for v in zip(*pairs, strict=True))
    assert tg.pow(x, y).numpy().tolist() == [exact_power(a, b, dtype) for a, b in pairs]
