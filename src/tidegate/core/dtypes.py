"""The dtypes, how they mix, and what arithmetic does at the edges that NumPy leaves open.

Promotion is the Python array API standard's (2025.12, "Type promotion rules"): within a kind, and from real to
complex floating point; anything else is an error that says so. Two pairs that the standard does not have are
added: float16 with bfloat16 gives float32, and bfloat16 promotes like float16 otherwise. A Python number takes the
dtype of the tensors that it meets, if its kind allows it.

What integers do at their edges, in every backend:

| operation                  | gives                                                              |
|----------------------------|--------------------------------------------------------------------|
| x + y, x - y, x * y, -x    | the low bits: they wrap. So do abs and - of the least integer      |
| x // 0                     | 0                                                                  |
| x % 0, fmod(x, 0)          | x, so that x == (x // y) * y + x % y always holds                  |
| least // -1, least % -1    | the least integer (it wraps), and 0                                |
| x ** -n                    | the quotient truncated towards 0; 0 ** -n is 0                     |
| x << n, n < 0 or >= bits | 0                                                                  |
| x >> n, n < 0 or >= bits | -1 for a negative x, else 0                                        |
| cast                       | see `cast_array`                                                   |
"""

from __future__ import annotations

from functools import cache
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from tidegate.core.errors import ArgumentTypeError, DTypeError, ScalarRangeError

DType = np.dtype[Any]

bool_ = np.dtype(np.bool_)
int8, int16, int32, int64 = (np.dtype(t) for t in (np.int8, np.int16, np.int32, np.int64))
uint8, uint16, uint32, uint64 = (np.dtype(t) for t in (np.uint8, np.uint16, np.uint32, np.uint64))
float16, float32, float64 = (np.dtype(t) for t in (np.float16, np.float32, np.float64))
bfloat16: DType = np.dtype(ml_dtypes.bfloat16)
complex64, complex128 = np.dtype(np.complex64), np.dtype(np.complex128)

BOOL = frozenset({bool_})
SIGNED = frozenset({int8, int16, int32, int64})
UNSIGNED = frozenset({uint8, uint16, uint32, uint64})
INTEGER = SIGNED | UNSIGNED
HALF = frozenset({float16, bfloat16})
FLOATING = HALF | {float32, float64}
COMPLEX = frozenset({complex64, complex128})
INEXACT = FLOATING | COMPLEX
"""What gradients can flow in."""
REAL = INTEGER | FLOATING
NUMERIC = REAL | COMPLEX
ANY = NUMERIC | BOOL
THE_ONE = {dtype: dtype for dtype in ANY}
"""NumPy has many objects for one dtype; these are ours, so that they can be compared by identity."""
BLAS = frozenset({float32, float64, complex64, complex128})
"""What linear algebra is computed in."""

DEFAULT_INT: DType = int64
DEFAULT = {bool: bool_, int: DEFAULT_INT, float: float32, complex: complex64}
"""What a Python number becomes where no tensor says otherwise."""

WIDEST = {bool: bool_, int: int64, float: float64, complex: complex128}
"""What holds a Python number of a kind whole."""


def set_default_float(dtype: DType) -> None:
    """Make Python floats, and complex numbers, of `dtype` and its complex one where no tensor says otherwise."""
    DEFAULT[float], DEFAULT[complex] = dtype, complex_of(dtype)
    _as_dtype.cache_clear()


def as_dtype(dtype: Any) -> DType:
    """The dtype that `dtype` (a dtype, its name, or a NumPy scalar type) names.

    Raises DTypeError for one that isn't supported.
    """
    try:
        return _as_dtype(dtype)
    except TypeError as error:
        if isinstance(error, DTypeError):
            raise
    raise DTypeError(f"got a {type(dtype).__name__} as dtype; want one of {names(ANY)}")  # it can't be hashed


@cache
def _as_dtype(dtype: Any) -> DType:
    if isinstance(dtype, type) and dtype in DEFAULT:
        return DEFAULT[dtype]
    try:
        found = bfloat16 if isinstance(dtype, str) and dtype == "bfloat16" else np.dtype(dtype)
    except TypeError:
        found = None
    if dtype is None:  # NumPy reads it as float64
        found = None
    if found is None or found.newbyteorder("=") not in ANY:
        raise DTypeError(f"dtype {dtype!r} isn't supported; want one of {names(ANY)}")
    return THE_ONE[found.newbyteorder("=")]


def names(dtypes: frozenset[DType]) -> str:
    """Names of dtypes, in a fixed order, for messages."""
    return ", ".join(sorted((d.name for d in dtypes), key=lambda n: (n.rstrip("0123456789"), len(n), n)))


def kind_of(dtype: DType) -> type:
    """The Python number type of a dtype's kind: bool, int, float or complex."""
    if dtype in BOOL:
        return bool
    return int if dtype in INTEGER else float if dtype in FLOATING else complex


@cache
def real_of(dtype: DType) -> DType:
    """The dtype of a complex number's parts; a real dtype itself."""
    return float32 if dtype == complex64 else float64 if dtype == complex128 else dtype


@cache
def complex_of(dtype: DType) -> DType:
    """The complex dtype whose parts hold `dtype`'s values."""
    return complex128 if dtype in (float64, complex128) else complex64


@cache
def promote(x: DType, y: DType) -> DType:
    """The dtype of an operation on `x` and `y`.

    Raises DTypeError where the standard gives none: booleans with numbers, integers with floating point,
    uint64 with signed integers.
    """
    if x == y:
        return x
    if x in INTEGER and y in INTEGER:
        found = np.promote_types(x, y)
        if found in INTEGER:
            return found
    elif x in INEXACT and y in INEXACT:
        if x in COMPLEX or y in COMPLEX:
            wide = {real_of(x), real_of(y)} & {float64}
            return complex128 if wide else complex64
        if x in HALF and y in HALF:
            return float32
        return max(x, y, key=lambda d: d.itemsize)
    raise DTypeError(f"{x.name} and {y.name} don't mix; convert one of them with tg.astype")


@cache
def promote_scalar(scalar: type, dtype: DType) -> DType:
    """The dtype that a Python number of type `scalar` gets beside a tensor of `dtype`."""
    kind = kind_of(dtype)
    order = (bool, int, float, complex)
    if scalar is kind or (kind is not bool and scalar is not bool and order.index(scalar) <= order.index(kind)):
        return dtype
    if scalar is complex and kind is float:
        return complex_of(dtype)
    raise DTypeError(
        f"a Python {scalar.__name__} and a tensor of {dtype.name} don't mix; convert the tensor with tg.astype"
    )


def scalar_array(value: complex, dtype: DType) -> NDArray[Any]:
    """A Python number as an array without axes.

    Raises ScalarRangeError if an integer doesn't fit, or is beyond what Python makes a float of.
    """
    if value.__class__ is float and (dtype is float64 or (dtype is float32 and -3e38 < value.real < 3e38)):
        return np.array(value, dtype)  # no overflow to silence
    if dtype in INTEGER:
        limits = np.iinfo(dtype)
        if not limits.min <= value.real <= limits.max:
            raise ScalarRangeError(f"{value} is out of range for {dtype.name}: {limits.min} to {limits.max}")
    elif isinstance(value, int) and dtype not in BOOL:
        try:
            value = float(value)
        except OverflowError:
            size = value.bit_length()
            raise ScalarRangeError(f"an integer of {size} bits is out of range for {dtype.name}") from None
    with np.errstate(all="ignore"):
        return np.asarray(value).astype(dtype)


def as_array(value: Any, dtype: DType | None) -> NDArray[Any]:
    """A fresh contiguous array of `value`: a Python number, nested lists of them, or anything NumPy takes.

    Python floats become float32, ints int64, complex complex64, unless `dtype` says otherwise; arrays keep theirs.
    Raises ArgumentTypeError for what isn't numbers (ragged lists, strings, objects), DTypeError for a dtype that
    isn't supported, ScalarRangeError for Python integers that don't fit.
    """
    if isinstance(value, (bool, int, float, complex)) and not isinstance(value, np.generic):
        return scalar_array(value, dtype or DEFAULT[type(value) if type(value) in DEFAULT else kind_type(value)])
    try:
        array = np.asarray(value)
    except (ValueError, TypeError) as error:
        raise ArgumentTypeError(f"asarray: got {type(value).__name__} that isn't a regular array: {error}") from None
    if array.dtype == object or array.dtype.kind in "USmM":
        raise ArgumentTypeError(f"asarray: got {type(value).__name__} of {array.dtype}; want numbers or booleans")
    known = isinstance(value, (np.ndarray, np.generic)) or hasattr(value, "__array__") or _holds_arrays(value)
    if dtype is None:
        dtype = as_dtype(array.dtype if known else DEFAULT[kind_of(as_dtype(array.dtype))])
    as_dtype(array.dtype)
    if not known and array.size and array.dtype in INTEGER and dtype in INTEGER:
        scalar_array(int(array.min()), dtype)  # numbers must fit, alone and in lists
        scalar_array(int(array.max()), dtype)
    return np.array(cast_array(array, dtype), order="C")


def kind_type(value: complex) -> type:
    """The Python number type that an instance of a subclass of it is."""
    return next(t for t in (bool, int, float, complex) if isinstance(value, t))


def _holds_arrays(value: Any) -> bool:
    """Whether nested lists hold NumPy's numbers somewhere, whose dtype is then meant."""
    if isinstance(value, (list, tuple)):
        return any(_holds_arrays(v) for v in value)
    return isinstance(value, (np.ndarray, np.generic)) or hasattr(value, "__array__")


def cast_array(x: NDArray[Any], dtype: DType) -> NDArray[Any]:
    """`x` in `dtype`, defined for every value.

    Complex to real keeps the real part. Floating point to integer truncates; what is out of range becomes the
    nearest integer that there is, NaN becomes 0. Integer to integer keeps the low bits. Anything to bool is x != 0.
    """
    if x.dtype == dtype:
        return x
    if dtype in BOOL:
        return x != 0
    if x.dtype in COMPLEX and dtype not in COMPLEX:
        return cast_array(x.real, dtype)
    with np.errstate(all="ignore"):
        if x.dtype in FLOATING and dtype in INTEGER:
            limits = np.iinfo(dtype)
            wide = np.trunc(x.astype(float64))
            inside = (wide >= float(limits.min)) & (wide < float(limits.max) + (limits.bits < 64))
            whole = np.where(inside, wide, 0.0).astype(dtype)
            edge = np.where(wide > 0, limits.max, limits.min).astype(dtype)
            return np.where(inside, whole, np.where(np.isnan(wide), dtype.type(0), edge))
        return x.astype(dtype)


def integer_power(x: NDArray[Any], y: NDArray[Any]) -> NDArray[Any]:
    """x ** y for integers, wrapping; a negative exponent gives the quotient truncated towards zero.

    So 1 ** -n is 1, (-1) ** -n is 1 or -1, and any other base gives 0, 0 itself included.
    """
    with np.errstate(all="ignore"):
        power = np.power(x, np.maximum(y, y.dtype.type(0)))
        unit = (x == 1) | (x == -1) if x.dtype in SIGNED else x == 1
        inverse = np.where(unit, np.power(x, y & y.dtype.type(1)), x.dtype.type(0))
        return np.where(y < 0, inverse, power)


def floor_quotient(x: NDArray[Any], y: NDArray[Any]) -> NDArray[Any]:
    """The largest whole number that isn't above x / y.

    Integers: 0 where y is 0; the least by -1 wraps. Floating point: as the array API standard has it, x / y where
    that is infinite or NaN or where x is infinite; a zero has the sign of x / y.
    """
    with np.errstate(all="ignore"):
        if x.dtype in INTEGER:
            zero = y == 0
            safe = np.where(zero, y.dtype.type(1), y)
            return np.where(zero, x.dtype.type(0), np.floor_divide(x, safe))
        return np.where(np.isinf(x), x / y, np.floor_divide(x, y))


def floor_remainder(x: NDArray[Any], y: NDArray[Any]) -> NDArray[Any]:
    """x - y * floor(x / y), which has the sign of y.

    Integers: x where y is 0. Floating point: exact, NaN where y is 0 or x infinite; for an infinite y it is x, or y
    if their signs differ.
    """
    with np.errstate(all="ignore"):
        if x.dtype in INTEGER:
            zero = y == 0
            return np.where(zero, x, np.remainder(x, np.where(zero, y.dtype.type(1), y)))
        return np.remainder(x, y)


def truncated_remainder(x: NDArray[Any], y: NDArray[Any]) -> NDArray[Any]:
    """x - y * trunc(x / y), which has the sign of x. Integers: x where y is 0."""
    with np.errstate(all="ignore"):
        if x.dtype in INTEGER:
            zero = y == 0
            return np.where(zero, x, np.fmod(x, np.where(zero, y.dtype.type(1), y)))
        return np.fmod(x, y)


def shifted_left(x: NDArray[Any], count: NDArray[Any]) -> NDArray[Any]:
    """x * 2**count, its low bits; 0 where `count` is negative or at least the number of bits."""
    inside = (count >= 0) & (count < np.iinfo(x.dtype).bits)
    return np.where(inside, np.left_shift(x, np.where(inside, count, count.dtype.type(0))), x.dtype.type(0))


def shifted_right(x: NDArray[Any], count: NDArray[Any]) -> NDArray[Any]:
    """floor(x / 2**count); where `count` is negative or at least the number of bits, -1 or 0 by x's sign."""
    inside = (count >= 0) & (count < np.iinfo(x.dtype).bits)
    sign = np.where(x < 0, x.dtype.type(-1), x.dtype.type(0)) if x.dtype in SIGNED else np.zeros_like(x)
    return np.where(inside, np.right_shift(x, np.where(inside, count, count.dtype.type(0))), sign)
