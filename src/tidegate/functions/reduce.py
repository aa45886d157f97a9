"""Reductions: `axis` is None for all axes, an integer, or several; `keepdims` leaves them with size 1."""

from __future__ import annotations

from typing import Any

from tidegate.core.dtypes import BOOL, DEFAULT_INT, SIGNED
from tidegate.core.errors import ArgumentError
from tidegate.core.graph import Tensor, TensorLike, TensorType
from tidegate.core.shapes import element_count, is_known, normal_axes, normal_axis
from tidegate.functions.convert import asarray, floating, inexact
from tidegate.ops.broadcast import Sum, filled, spread, without, zeros_like
from tidegate.ops.cast import cast
from tidegate.ops.creation import scalar
from tidegate.ops.elementwise import Equal, add, divide, exp, log, select, subtract
from tidegate.ops.gates import StopGradient
from tidegate.ops.layout import Reshape, SizeValue
from tidegate.ops.recurrence import Cumprod
from tidegate.ops.reduction import ArgMax, Max
from tidegate.ops.sorting import TopK


def _kept(x: Tensor, out: Tensor, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    return Reshape(tuple([1 if i in axes else n for i, n in enumerate(x.shape)]))(out) if keepdims and axes else out


def sum(x: TensorLike, /, *, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The sum over `axis`. Small signed integers are summed in int64, as the array API standard has it."""
    x = asarray(x)
    if x.dtype in BOOL or (x.dtype in SIGNED and x.dtype.itemsize < DEFAULT_INT.itemsize):
        x = cast(x, DEFAULT_INT)
    axes = normal_axes(axis, x.ndim, "sum")
    return _kept(x, Sum(axes)(x), axes, keepdims)


def mean(x: TensorLike, /, *, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The arithmetic mean over `axis`, floating point or complex; NaN of no elements."""
    (x,) = inexact("mean", x)
    axes = normal_axes(axis, x.ndim, "mean")
    count = element_count(tuple([x.shape[a] for a in axes]))
    number = scalar(count, x.dtype) if is_known((count,)) else SizeValue(count, x.dtype)()
    total = Sum(axes)(x)
    every = tuple(range(total.ndim))
    return _kept(x, divide(total, spread(number, total.shape, every) if every else number), axes, keepdims)


def max(x: TensorLike, /, *, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The largest element over `axis`, integers or floating point; NaN if one is. Ties share the derivative equally.

    Raises ShapeError for an axis without elements.
    """
    x = asarray(x)
    axes = normal_axes(axis, x.ndim, "max")
    return _kept(x, Max(axes)(x), axes, keepdims)


def argmax(x: TensorLike, /, *, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """The place (int64) of the largest element along `axis`, or of all in row-major order; the first at ties.

    Nothing flows back. Raises ShapeError for no elements.
    """
    x = asarray(x)
    if axis is None:
        out = ArgMax(0)(Reshape((element_count(x.shape),))(x))
        return Reshape((1,) * x.ndim)(out) if keepdims and x.ndim else out
    place = normal_axis(axis, x.ndim, "argmax")
    return _kept(x, ArgMax(place)(x), (place,), keepdims)


def top_k(x: TensorLike, k: int, /) -> tuple[Tensor, Tensor]:
    """The k largest along the last axis, largest first, and their places (int64); the lower place first at ties."""
    if isinstance(k, bool) or not hasattr(k, "__index__"):
        raise ArgumentError(f"top_k: got k = {k!r}; want an integer")
    return TopK(k.__index__())(asarray(x))


def cumulative_prod(x: TensorLike, /, *, axis: int | None = None) -> Tensor:
    """The product of the elements so far along `axis`, which a vector needn't name. Right where x holds zeros."""
    x = asarray(x)
    if axis is None:
        if x.ndim != 1:
            raise ArgumentError(f"cumulative_prod: got {x.type} and no axis; want one named")
        axis = 0
    return Cumprod(normal_axis(axis, x.ndim, "cumulative_prod"))(x)


def logsumexp(x: TensorLike, /, *, axis: Any = None, keepdims: bool = False) -> Tensor:
    """log(sum(exp(x))) over `axis`, floating point: finite for large x; -inf entries count nothing, and of no elements
    it is -inf.

    The maximum that it subtracts is a constant to derivatives: a stop of its own, kept apart in flow reports.
    """
    x = floating("logsumexp", x)
    axes = normal_axes(axis, x.ndim, "logsumexp")
    shift = finite_max(x, axes)
    total = Sum(axes)(exp(subtract(x, spread(shift, x.shape, axes))))
    return _kept(x, add(log(total), shift), axes, keepdims)


def finite_max(x: Tensor, axes: tuple[int, ...]) -> Tensor:
    """The maximum over `axes`, 0 where that is infinite or there is none, as a constant to derivatives: the shift of
    a softmax."""
    if any([isinstance(x.shape[a], int) and x.shape[a] == 0 for a in axes]):
        return filled(0, TensorType(without(x.shape, axes), x.dtype))
    shift = StopGradient(internal=True)(Max(axes)(x))
    finite = Equal()(subtract(shift, shift), zeros_like(shift))
    return select(finite, shift, zeros_like(shift))
