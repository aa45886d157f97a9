"""Quantiles and the median, by sorting."""

from __future__ import annotations

from typing import Any

import numpy as np

from tidegate.core.dtypes import DEFAULT_INT, bool_
from tidegate.core.errors import ArgumentError, ArgumentTypeError, ShapeError
from tidegate.core.graph import Array, Tensor, TensorLike
from tidegate.core.shapes import Shape, element_count, is_known, normal_axes
from tidegate.functions.convert import floating
from tidegate.functions.shape import reshaped
from tidegate.ops.broadcast import BroadcastTo, without
from tidegate.ops.creation import data
from tidegate.ops.elementwise import NotEqual, add, multiply, scaled, select, subtract
from tidegate.ops.indexing import Gather
from tidegate.ops.layout import Permute, moved
from tidegate.ops.sorting import Sort
from tidegate.ops.window import part

METHODS = ("linear", "lower", "higher", "midpoint", "nearest")


def quantile(x: TensorLike, q: Any, /, *, axis: Any = None, method: str = "linear", keepdims: bool = False) -> Tensor:
    """The values below which a share `q` of the elements over `axis` lies; floating point, kept.

    q: numbers from 0 to 1, as data; their axes come first in the result.
    method: what to take where q * (n - 1) falls between two elements: "linear" between them by the distance, "lower",
        "higher", "midpoint" or "nearest" (of two as near, the one at the even place). NumPy's meanings.
    NaN if an element is. The derivative goes to the elements taken; at ties to those that come first.
    Raises ShapeError for no elements or unknown sizes, AxisError for an axis that isn't there, DTypeError for what
    isn't floating point, ArgumentError for a q out of range or an unknown method.
    """
    return _quantile("quantile", x, q, axis, method, keepdims)


def median(x: TensorLike, /, *, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The middle element over `axis`, or the mean of the two in the middle; floating point, kept.

    NaN if an element is. The derivative goes to the elements taken. Errors are those of `quantile`.
    """
    return _quantile("median", x, 0.5, axis, "midpoint", keepdims)


def _quantile(who: str, x: TensorLike, q: Any, axis: Any, method: str, keepdims: bool) -> Tensor:
    x = floating(who, x)
    axes = normal_axes(axis, x.ndim, who)
    if method not in METHODS:
        raise ArgumentError(f"{who}: got method {method!r}; want one of {', '.join(map(repr, METHODS))}")
    shares = _shares(who, q)
    sizes = tuple([x.shape[a] for a in axes])
    if not is_known(sizes) or element_count(sizes) == 0:
        raise ShapeError(f"{who}: got {x.type} and axes {axes}; want at least one element along them")
    rest = without(x.shape, axes)
    kept = [a for a in range(x.ndim) if a not in axes]
    row = reshaped(Permute((*kept, *axes))(x), (*rest, element_count(sizes)))
    out = _taken(row, shares.reshape(-1), method)
    shape: Shape = tuple([1 if a in axes else n for a, n in enumerate(x.shape)]) if keepdims else rest
    return reshaped(moved(out, out.ndim - 1, 0), (*shares.shape, *shape))


def _shares(who: str, q: Any) -> Array:
    if isinstance(q, Tensor):
        raise ArgumentTypeError(f"{who}: got a tensor for q; want numbers: which elements are taken depends on them")
    shares = np.asarray(q, np.float64)
    if not ((shares >= 0) & (shares <= 1)).all():
        raise ArgumentError(f"{who}: got q = {q!r}; want numbers from 0 to 1")
    return shares


def _taken(row: Tensor, shares: Array, method: str) -> Tensor:
    """The quantiles of the last axis, as a new last axis."""
    last = row.ndim - 1
    size = row.shape[last]
    at = shares * (size - 1)
    low, high = np.floor(at), np.ceil(at)
    weight = {
        "linear": at - low,
        "lower": np.zeros_like(at),
        "higher": (high > low) * 1.0,
        "midpoint": (high > low) * 0.5,
        "nearest": np.round(at) - low,
    }[method]
    ordered, _ = Sort()(row)
    below, above = (Gather(last)(ordered, data(places, DEFAULT_INT)) for places in (low, high))
    spread = BroadcastTo(below.shape, (last,))
    if method == "midpoint":
        between = add(scaled(below, 0.5), scaled(above, 0.5))  # no difference, which of infinities would be NaN
    else:
        far = spread(data(weight >= 0.5, bool_))  # from the nearer side, so that equal elements give themselves
        near_weight = spread(data(np.where(weight >= 0.5, weight - 1, weight), row.dtype))
        between = add(select(far, above, below), multiply(near_weight, subtract(above, below)))
    out = select(spread(data(weight == 0, bool_)), below, select(spread(data(weight == 1, bool_)), above, between))
    greatest = BroadcastTo(out.shape, tuple(range(row.ndim)))(part(ordered, last, size - 1, size))
    return select(NotEqual()(greatest, greatest), greatest, out)  # NaN is sorted last
