"""Whole numbers of numbers, quotients and remainders; and how numbers are represented."""

from __future__ import annotations

from math import inf
from typing import Any

import ml_dtypes

from tidegate.core.dtypes import BOOL, COMPLEX, FLOATING, float32, float64
from tidegate.core.errors import DTypeError
from tidegate.core.graph import Tensor, TensorLike
from tidegate.functions.convert import all_floating, asarray, broadcast_all, floating, promoted, together
from tidegate.functions.math import complex, imag, real
from tidegate.ops import elementwise
from tidegate.ops import rounding as ops
from tidegate.ops.broadcast import filled
from tidegate.ops.elementwise import negate, select


def ceil(x: TensorLike, /) -> Tensor:
    """The smallest integer that isn't below x, integers or floating point. Nothing flows back."""
    return _CEIL(asarray(x))


def trunc(x: TensorLike, /) -> Tensor:
    """The nearest integer that isn't further from 0 than x, integers or floating point. Nothing flows back."""
    return _TRUNC(asarray(x))


def round(x: TensorLike, /) -> Tensor:
    """The nearest integer, of two the even one; of complex x both parts. Of numbers of any kind. Nothing flows back."""
    return _ROUND(asarray(x))


def floor_divide(x: TensorLike, y: TensorLike, /) -> Tensor:
    """The largest integer that isn't above x / y, integers or floating point. Nothing flows back.

    For integers it is 0 where y is 0. For floating point it is as the array API standard has it: x / y where that is
    infinite or NaN or x infinite.
    """
    return _FLOOR_DIVIDE(*together("floor_divide", x, y))


def remainder(x: TensorLike, y: TensorLike, /) -> Tensor:
    """x - y * floor_divide(x, y), with the sign of y, integers or floating point.

    For integers it is x where y is 0, for floating point NaN. The derivative for x is 1, for y -floor_divide(x, y).
    """
    return _REMAINDER(*together("remainder", x, y))


def divmod(x: TensorLike, y: TensorLike, /) -> tuple[Tensor, Tensor]:
    """floor_divide(x, y) and remainder(x, y)."""
    x, y = together("divmod", x, y)
    return _FLOOR_DIVIDE(x, y), _REMAINDER(x, y)


def fmod(x: TensorLike, y: TensorLike, /) -> Tensor:
    """x - y * trunc(x / y), with the sign of x, integers or floating point.

    For integers it is x where y is 0, for floating point NaN. The derivative for x is 1, for y -trunc(x / y).
    """
    return _FMOD(*together("fmod", x, y))


def isnan(x: TensorLike, /) -> Tensor:
    """Whether x, of numbers of any kind, is NaN or has a part that is: a bool."""
    x = _number("isnan", x)
    return _NOT_EQUAL(x, x)


def isinf(x: TensorLike, /) -> Tensor:
    """Whether x, of numbers of any kind, is infinite or has a part that is: a bool."""
    x = _number("isinf", x)
    if x.dtype in COMPLEX:
        return _OR(isinf(real(x)), isinf(imag(x)))
    if x.dtype in FLOATING:
        return _EQUAL(_ABS(x), filled(inf, x.type))
    return _NOT_EQUAL(x, x)


def isfinite(x: TensorLike, /) -> Tensor:
    """Whether x, of numbers of any kind, is neither NaN nor infinite, nor has a part that is: a bool."""
    x = _number("isfinite", x)
    if x.dtype in COMPLEX:
        return _AND(isfinite(real(x)), isfinite(imag(x)))
    if x.dtype in FLOATING:
        return _LESS(_ABS(x), filled(inf, x.type))
    return _EQUAL(x, x)


def signbit(x: TensorLike, /) -> Tensor:
    """Whether x, floating point, has a minus sign: true of -0.0 too."""
    return _SIGN_BIT(floating("signbit", x))


def copysign(x: TensorLike, y: TensorLike, /) -> Tensor:
    """abs(x) with the sign of y, that of a zero or NaN included, floating point.

    The derivative for x is 1 or -1, and 0 where x is 0, as abs's; nothing flows back to y.
    """
    x, y = all_floating("copysign", x, y)
    size = _ABS(x)
    return select(_SIGN_BIT(y), negate(size), size)


def nextafter(x: TensorLike, y: TensorLike, /) -> Tensor:
    """The next number that there is from x towards y, float32 or float64.

    The derivative is 1 for x and zero for y, as TensorFlow has it. Raises DTypeError for other dtypes.
    """
    x, y = all_floating("nextafter", x, y)
    if x.dtype not in (float32, float64):
        raise DTypeError(f"nextafter: got {x.type}; want float32 or float64")
    return _NEXT_AFTER(x, y)


def nan_to_num(
    x: TensorLike, /, *, nan: TensorLike = 0.0, posinf: TensorLike | None = None, neginf: TensorLike | None = None
) -> Tensor:
    """x, of numbers of any kind, with `nan` for NaN, and `posinf` and `neginf` for infinities; of complex x each part.

    None stands for the largest and the least finite number. The derivative is x's where x stays, else that of what
    stands there. Raises DTypeError for what x's dtype can't hold by promotion.
    """
    x = _number("nan_to_num", x)
    if x.dtype in COMPLEX:
        parts = [nan_to_num(p, nan=nan, posinf=posinf, neginf=neginf) for p in (real(x), imag(x))]
        return complex(*parts)
    if x.dtype not in FLOATING:
        return elementwise.identity(x)
    limits = ml_dtypes.finfo(x.dtype)
    out = _replaced(isnan(x), x, nan)
    for limit, given, finite in ((inf, posinf, limits.max), (-inf, neginf, limits.min)):
        out = _replaced(_EQUAL(x, filled(limit, x.type)), out, float(finite) if given is None else given)
    return out


def _replaced(where: Tensor, x: Tensor, y: Any) -> Tensor:
    first, second = promoted("nan_to_num", x, y)
    if first.dtype != x.dtype:
        raise DTypeError(f"nan_to_num: got {asarray(y).dtype.name}; want {x.dtype.name}, which x has")
    return select(*broadcast_all("nan_to_num", where, second, first))


def _number(who: str, x: TensorLike) -> Tensor:
    x = asarray(x)
    if x.dtype in BOOL:
        raise DTypeError(f"{who}: got {x.type}; want numbers")
    return x


_CEIL, _TRUNC, _ROUND, _FLOOR_DIVIDE, _REMAINDER, _FMOD = (
    op() for op in (ops.Ceil, ops.Trunc, ops.Round, ops.FloorDivide, ops.Remainder, ops.Fmod)
)
_SIGN_BIT, _NEXT_AFTER, _ABS = ops.SignBit(), ops.NextAfter(), elementwise.Abs()
_EQUAL, _NOT_EQUAL, _LESS, _AND, _OR = (
    op()
    for op in (
        elementwise.Equal,
        elementwise.NotEqual,
        elementwise.Less,
        elementwise.LogicalAnd,
        elementwise.LogicalOr,
    )
)
