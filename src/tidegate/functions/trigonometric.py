"""Circular and hyperbolic functions, and angles. They take what functions.math's take."""

from __future__ import annotations

from math import nan, pi

from tidegate.core.dtypes import COMPLEX, HALF, float32
from tidegate.core.graph import Tensor, TensorLike
from tidegate.functions.convert import all_floating, floating, inexact
from tidegate.functions.math import imag, real
from tidegate.ops import trigonometric as ops
from tidegate.ops.broadcast import filled, zeros_like
from tidegate.ops.cast import cast
from tidegate.ops.elementwise import NotEqual, scaled, select
from tidegate.ops.rounding import SignBit


def tan(x: TensorLike, /) -> Tensor:
    """Tangent of x in radians, floating point or complex."""
    return _TAN(*inexact("tan", x))


def asin(x: TensorLike, /) -> Tensor:
    """Inverse sine in radians, floating point or complex. Of real x NaN outside of [-1, 1]."""
    return _ASIN(*inexact("asin", x))


def acos(x: TensorLike, /) -> Tensor:
    """Inverse cosine in radians, floating point or complex. Of real x NaN outside of [-1, 1]."""
    return _ACOS(*inexact("acos", x))


def atan(x: TensorLike, /) -> Tensor:
    """Inverse tangent in radians, floating point or complex."""
    return _ATAN(*inexact("atan", x))


def atan2(x: TensorLike, y: TensorLike, /) -> Tensor:
    """The angle in radians, from -pi to pi, whose tangent is x / y: of the point (y, x), in its quadrant.

    Floating point. The derivatives at (0, 0) are NaN, as TensorFlow's.
    """
    return _ATAN2(*all_floating("atan2", x, y))


def sinh(x: TensorLike, /) -> Tensor:
    """Hyperbolic sine, floating point or complex."""
    return _SINH(*inexact("sinh", x))


def cosh(x: TensorLike, /) -> Tensor:
    """Hyperbolic cosine, floating point or complex."""
    return _COSH(*inexact("cosh", x))


def asinh(x: TensorLike, /) -> Tensor:
    """Inverse hyperbolic sine, floating point or complex."""
    return _ASINH(*inexact("asinh", x))


def acosh(x: TensorLike, /) -> Tensor:
    """Inverse hyperbolic cosine, floating point or complex. Of real x NaN below 1."""
    return _ACOSH(*inexact("acosh", x))


def atanh(x: TensorLike, /) -> Tensor:
    """Inverse hyperbolic tangent, floating point or complex. Of real x infinite at -1 and 1, NaN outside."""
    return _ATANH(*inexact("atanh", x))


def hypot(x: TensorLike, y: TensorLike, /) -> Tensor:
    """sqrt(x**2 + y**2), floating point, which overflows only if the result does.

    Its derivatives at (0, 0) are 0, as those of abs.
    """
    return _HYPOT(*all_floating("hypot", x, y))


def sinc(x: TensorLike, /) -> Tensor:
    """sin(pi x) / (pi x), floating point: 1 at 0, exactly 0 at other integers. Its derivatives are exact at 0 too."""
    return _SINC(floating("sinc", x))


def angle(x: TensorLike, /, *, deg: bool = False) -> Tensor:
    """The angle of a complex number, from -pi to pi, in degrees with `deg`; of a real one 0, or pi with a minus sign.

    Nothing flows back to a real number. Raises DTypeError for integers and booleans.
    """
    (x,) = inexact("angle", x)
    if x.dtype in COMPLEX:
        out = _ATAN2(imag(x), real(x))
        return rad2deg(out) if deg else out
    out = select(_SIGN_BIT(x), filled(180 if deg else pi, x.type), zeros_like(x))
    return select(_NOT_EQUAL(x, x), filled(nan, x.type), out)


def deg2rad(x: TensorLike, /) -> Tensor:
    """x pi / 180, floating point."""
    return _times(floating("deg2rad", x), pi / 180)


def rad2deg(x: TensorLike, /) -> Tensor:
    """x 180 / pi, floating point."""
    return _times(floating("rad2deg", x), 180 / pi)


def _times(x: Tensor, factor: float) -> Tensor:
    """x times a number, which half precision would round."""
    return cast(scaled(cast(x, float32), factor), x.dtype) if x.dtype in HALF else scaled(x, factor)


_TAN, _ASIN, _ACOS, _ATAN, _ATAN2 = (op() for op in (ops.Tan, ops.Asin, ops.Acos, ops.Atan, ops.Atan2))
_SINH, _COSH, _ASINH, _ACOSH, _ATANH = (op() for op in (ops.Sinh, ops.Cosh, ops.Asinh, ops.Acosh, ops.Atanh))
_HYPOT, _SINC, _SIGN_BIT, _NOT_EQUAL = ops.Hypot(), ops.Sinc(), SignBit(), NotEqual()
