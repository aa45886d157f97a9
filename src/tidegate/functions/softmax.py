"""Softmax and its logarithm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tidegate.core.graph import Tensor, TensorLike
from tidegate.core.shapes import normal_axes
from tidegate.functions.convert import floating
from tidegate.functions.reduce import finite_max, in_float32
from tidegate.ops.broadcast import Sum, spread
from tidegate.ops.cast import cast
from tidegate.ops.elementwise import divide, exp, log, subtract


def shifted(x: Tensor, axis: Any, who: str) -> tuple[Tensor, Callable[[Tensor], Tensor]]:
    """x less its maximum along `axis`, halves as float32, and a function that sums along it and repeats the sum."""
    x = in_float32(x)
    axes = normal_axes(axis, x.ndim, who)
    return subtract(x, spread(finite_max(x, axes), x.shape, axes)), lambda y: spread(Sum(axes)(y), x.shape, axes)


def softmax(x: TensorLike, /, *, axis: Any = -1) -> Tensor:
    """exp(x) / sum(exp(x)) along `axis` (or several), floating point, of x less its maximum: it overflows nowhere.
    float16 and bfloat16 are computed in float32 and rounded once.

    The maximum is a constant to derivatives: a stop of its own, kept apart in flow reports.
    """
    given = floating("softmax", x)
    z, summed = shifted(given, axis, "softmax")
    e = exp(z)
    return cast(divide(e, summed(e)), given.dtype)


def log_softmax(x: TensorLike, /, *, axis: Any = -1) -> Tensor:
    """log(softmax(x)) along `axis` (or several), floating point, finite also where softmax(x) rounds to 0."""
    given = floating("log_softmax", x)
    z, summed = shifted(given, axis, "log_softmax")
    return cast(subtract(z, log(summed(exp(z)))), given.dtype)
