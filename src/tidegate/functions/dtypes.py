"""The array API standard's functions of dtypes: astype, can_cast, result_type, isdtype, finfo, iinfo."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Any

import ml_dtypes
import numpy as np

from tidegate.core.device import check_device
from tidegate.core.dtypes import (
    BOOL,
    COMPLEX,
    FLOATING,
    INEXACT,
    INTEGER,
    NUMERIC,
    SIGNED,
    UNSIGNED,
    DType,
    as_dtype,
    names,
    promote,
    promote_scalar,
    real_of,
)
from tidegate.core.errors import ArgumentError, ArgumentTypeError, DTypeError
from tidegate.core.graph import Tensor, TensorLike
from tidegate.functions.convert import asarray
from tidegate.functions.numbers import is_number, number_kind, stands_for_number
from tidegate.ops.cast import cast

KINDS = {
    "bool": BOOL,
    "signed integer": SIGNED,
    "unsigned integer": UNSIGNED,
    "integral": INTEGER,
    "real floating": FLOATING,
    "complex floating": COMPLEX,
    "numeric": NUMERIC,
}
"""The standard's names of kinds. float16 and bfloat16, which it doesn't have, are floating."""


def astype(x: TensorLike, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Tensor:
    """x in another dtype. Gradients flow between floating point and complex dtypes, and nowhere else.

    Complex to real keeps the real part; floating point to integer truncates, with the nearest integer for what is
    out of range and 0 for NaN; anything to bool is x != 0. Of its own dtype it is x itself, whatever `copy` says, for
    tensors don't change. Raises DTypeError for a dtype that isn't supported, ArgumentError for a device there is not.
    """
    check_device(device, "astype")
    return cast(asarray(x), as_dtype(dtype))


def can_cast(from_: Any, to: Any, /) -> bool:
    """Whether the standard's promotion leads from a dtype, or a tensor's, to dtype `to`.

    Raises DTypeError for a dtype that isn't supported.
    """
    to = as_dtype(to)
    try:
        return promote(_dtype_of(from_, "can_cast"), to) == to
    except DTypeError:
        return False


def result_type(*arrays_and_dtypes: Any) -> DType:
    """The dtype of an operation on tensors, arrays, dtypes and Python numbers, whose values don't matter.

    Raises DTypeError where they don't mix, ArgumentError unless there is a tensor, array or dtype among them.
    """
    dtypes = [_dtype_of(x, "result_type") for x in arrays_and_dtypes if not stands_for_number(x)]
    if not dtypes:
        raise ArgumentError("result_type: got no tensor and no dtype; want at least one")
    try:
        dtype = reduce(promote, dtypes)
        for x in arrays_and_dtypes:
            if stands_for_number(x):
                dtype = promote_scalar(number_kind(x), dtype)
    except DTypeError as error:
        raise DTypeError(f"result_type: {error.message}") from None
    return dtype


def _dtype_of(x: Any, who: str) -> DType:
    if hasattr(x, "dtype") and not isinstance(x, type):  # a tensor, a Variable, an array
        return as_dtype(x.dtype)
    if isinstance(x, (list, tuple, dict)) or is_number(x):
        raise ArgumentTypeError(f"{who}: got {type(x).__name__}; want a dtype or a tensor")
    return as_dtype(x)


def isdtype(dtype: Any, kind: Any) -> bool:
    """Whether `dtype` is of `kind`: a dtype, one of the standard's names of kinds, or a tuple of them.

    The names: "bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating" and
    "numeric". Raises ArgumentError for another name, DTypeError for what is no dtype.
    """
    if hasattr(dtype, "dtype") and not isinstance(dtype, type):
        raise ArgumentTypeError(f"isdtype: got {type(dtype).__name__}; want a dtype, as x.dtype")
    dtype = as_dtype(dtype)
    if isinstance(kind, tuple):
        if any(isinstance(k, tuple) for k in kind):
            raise ArgumentTypeError("isdtype: got a tuple in a tuple of kinds; want dtypes and names")
        return any([isdtype(dtype, k) for k in kind])
    if isinstance(kind, str):
        if kind not in KINDS:
            raise ArgumentError(f"isdtype: got kind {kind!r}; want one of {', '.join(map(repr, KINDS))}, or a dtype")
        return dtype in KINDS[kind]
    return dtype == as_dtype(kind)


@dataclass(frozen=True)
class FloatInfo:
    """The limits of a floating point dtype, as Python floats."""

    bits: int
    eps: float
    """What lies between 1 and the next number."""
    max: float
    min: float
    smallest_normal: float
    dtype: DType


@dataclass(frozen=True)
class IntegerInfo:
    """The limits of an integer dtype."""

    bits: int
    max: int
    min: int
    dtype: DType


def finfo(type: Any, /) -> FloatInfo:
    """The limits of a floating point dtype, or a tensor's; of a complex one those of its parts.

    Raises DTypeError for any other.
    """
    dtype = _dtype_of(type, "finfo")
    if dtype not in INEXACT:
        raise DTypeError(f"finfo: got {dtype.name}; want one of {names(INEXACT)}")
    part = real_of(dtype)
    limits = ml_dtypes.finfo(part)
    eps, largest, smallest, normal = (float(n) for n in (limits.eps, limits.max, limits.min, limits.smallest_normal))
    return FloatInfo(8 * part.itemsize, eps, largest, smallest, normal, part)


def iinfo(type: Any, /) -> IntegerInfo:
    """The limits of an integer dtype, or a tensor's. Raises DTypeError for any other."""
    dtype = _dtype_of(type, "iinfo")
    if dtype not in INTEGER:
        raise DTypeError(f"iinfo: got {dtype.name}; want one of {names(INTEGER)}")
    limits = np.iinfo(dtype)
    return IntegerInfo(8 * dtype.itemsize, limits.max, limits.min, dtype)
