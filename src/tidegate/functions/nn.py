"""Functions of neural networks."""

from __future__ import annotations

from tidegate.core.graph import Tensor, TensorLike
from tidegate.core.shapes import normal_axes
from tidegate.functions.convert import floating
from tidegate.functions.reduce import finite_max, logsumexp
from tidegate.ops.broadcast import Sum, spread
from tidegate.ops.elementwise import divide, exp, subtract


def softmax(x: TensorLike, /, *, axis: int = -1) -> Tensor:
    """exp(x) / sum(exp(x)) along `axis`, floating point, of x less its maximum: it overflows nowhere.

    The maximum is a constant to derivatives: a stop of its own, kept apart in flow reports.
    """
    x = floating("softmax", x)
    axes = normal_axes(axis, x.ndim, "softmax")
    e = exp(subtract(x, spread(finite_max(x, axes), x.shape, axes)))
    return divide(e, spread(Sum(axes)(e), x.shape, axes))


def log_softmax(x: TensorLike, /, *, axis: int = -1) -> Tensor:
    """log(softmax(x)) along `axis`, floating point, finite also where softmax(x) rounds to 0."""
    x = floating("log_softmax", x)
    axes = normal_axes(axis, x.ndim, "log_softmax")
    return subtract(x, spread(logsumexp(x, axis=axis), x.shape, axes))
