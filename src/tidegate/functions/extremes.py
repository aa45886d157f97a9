"""The larger and the smaller of numbers, and steps."""

from __future__ import annotations

from tidegate.core.errors import DTypeError
from tidegate.core.graph import Tensor, TensorLike
from tidegate.functions.convert import all_floating, asarray, broadcast_all, promoted, together
from tidegate.ops import elementwise as ops
from tidegate.ops.broadcast import filled, zeros_like


def maximum(x: TensorLike, y: TensorLike, /) -> Tensor:
    """The larger of x and y, integers or floating point; NaN if either is.

    At a tie the value and the whole derivative are x's, so of zeros of two signs it is x.
    """
    return _MAXIMUM(*together("maximum", x, y))


def minimum(x: TensorLike, y: TensorLike, /) -> Tensor:
    """The smaller of x and y, integers or floating point; NaN if either is.

    At a tie the value and the whole derivative are x's, so of zeros of two signs it is x.
    """
    return _MINIMUM(*together("minimum", x, y))


def fmax(x: TensorLike, y: TensorLike, /) -> Tensor:
    """The larger of x and y, integers or floating point; the other one if one is NaN. At a tie it is x's."""
    x, y = together("fmax", x, y)
    return _or_the_other(_GREATER_EQUAL(x, y), x, y)


def fmin(x: TensorLike, y: TensorLike, /) -> Tensor:
    """The smaller of x and y, integers or floating point; the other one if one is NaN. At a tie it is x's."""
    x, y = together("fmin", x, y)
    return _or_the_other(_LESS_EQUAL(x, y), x, y)


def _or_the_other(first: Tensor, x: Tensor, y: Tensor) -> Tensor:
    return ops.select(_OR(first, _NOT_EQUAL(y, y)), x, y)


def clip(x: TensorLike, /, min: TensorLike | None = None, max: TensorLike | None = None) -> Tensor:
    """x, but `min` where it is below, and `max` where it is above; they broadcast, and None bounds nothing.

    Integers or floating point, of x's dtype; NaN where any is. Where `min` is above `max` it is `max`.
    On the bounds the derivative is x's, outside it is the bound's, as TensorFlow's clip_by_value.
    Raises DTypeError for a bound that x's dtype can't hold by promotion.
    """
    x = asarray(x)
    out = x
    for name, bound, op in (("min", min, _MAXIMUM), ("max", max, _MINIMUM)):
        if bound is not None:
            first, second = promoted("clip", out, bound)
            if first.dtype != x.dtype:
                raise DTypeError(f"clip: got {name} of {asarray(bound).dtype.name}; want {x.dtype.name}, which x has")
            out = op(*broadcast_all("clip", first, second))
    return ops.identity(x) if out is x else out


def heaviside(x: TensorLike, y: TensorLike, /) -> Tensor:
    """0 where x is below 0, y where it is 0, 1 above; NaN stays NaN. Floating point. Nothing flows back to x."""
    x, y = all_floating("heaviside", x, y)
    zero = zeros_like(x)
    step = ops.select(_LESS(x, zero), zero, filled(1, x.type))
    step = ops.select(_NOT_EQUAL(x, x), filled(float("nan"), x.type), step)
    return ops.select(_EQUAL(x, zero), y, step)


_MAXIMUM, _MINIMUM = ops.Maximum(), ops.Minimum()
_EQUAL, _NOT_EQUAL, _LESS, _LESS_EQUAL, _GREATER_EQUAL, _OR = (
    op() for op in (ops.Equal, ops.NotEqual, ops.Less, ops.LessEqual, ops.GreaterEqual, ops.LogicalOr)
)
