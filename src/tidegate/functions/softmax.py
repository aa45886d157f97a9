"""Softmax and its logarithm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tidegate.core.graph import Tensor, TensorLike
from tidegate.core.shapes import normal_axes
from tidegate.functions.convert import floating
from tidegate.functions.reduce import finite_max
from tidegate.ops.broadcast import Sum, spread
from tidegate.ops.elementwise import divide, exp, log, subtract


def shifted(x: TensorLike, axis: Any, who: str) -> tuple[Tensor, Callable[[Tensor], Tensor]]:
    """x less its maximum along `axis`, and a function that sums along it and repeats the sum."""
    x = floating(who, x)
    axes = normal_axes(axis, x.ndim, who)
    return subtract(x, spread(finite_max(x, axes), x.shape, axes)), lambda y: spread(Sum(axes)(y), x.shape, axes)


def softmax(x: TensorLike, /, *, axis: Any = -1) -> Tensor:
    """exp(x) / sum(exp(x)) along `axis` (or several), floating point, of x less its maximum: it overflows nowhere.

    The maximum is a constant to derivatives: a stop of its own, kept apart in flow reports.
    """
    z, summed = shifted(x, axis, "softmax")
    e = exp(z)
    return divide(e, summed(e))


def log_softmax(x: TensorLike, /, *, axis: Any = -1) -> Tensor:
    """log(softmax(x)) along `axis` (or several), floating point, finite also where softmax(x) rounds to 0."""
    z, summed = shifted(x, axis, "log_softmax")
    return subtract(z, log(summed(exp(z))))
