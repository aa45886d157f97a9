"""Functions of layout: they move elements and change none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tidegate.core.dtypes import DEFAULT_INT, INTEGER
from tidegate.core.errors import ArgumentTypeError, AxisError, ShapeError
from tidegate.core.graph import Tensor, TensorLike
from tidegate.core.shapes import Size, divide, element_count, normal_axes, normal_axis, show_shape
from tidegate.functions.convert import asarray
from tidegate.functions.creation import as_shape
from tidegate.ops.broadcast import without
from tidegate.ops.creation import data
from tidegate.ops.indexing import Gather
from tidegate.ops.layout import Permute, Reshape
from tidegate.ops.layout import matrix_transpose as transpose_matrices
from tidegate.ops.window import Slice


def reshape(x: TensorLike, /, shape: Any) -> Tensor:
    """x's elements, in row-major order, in `shape`, of which one size may be -1.

    Raises ShapeError if the numbers of elements differ.
    """
    x = asarray(x)
    sizes = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    missing = [i for i, n in enumerate(sizes) if not isinstance(n, Size) and n == -1]
    if len(missing) > 1:
        raise ShapeError(f"reshape: got shape {sizes}; want at most one -1")
    known = as_shape([n for i, n in enumerate(sizes) if i not in missing], "reshape")
    if missing:
        if element_count(known) == 0:
            raise ShapeError(f"reshape: got shape {sizes}; -1 can be anything beside a size 0")
        try:
            rest = divide(element_count(x.shape), element_count(known))
        except ShapeError as error:
            raise ShapeError(f"reshape: got {x.type} and shape {sizes}: {error.message}") from None
        known = (*known[: missing[0]], rest, *known[missing[0] :])
    return x if known == x.shape else Reshape(known)(x)


def permute_dims(x: TensorLike, /, axes: Sequence[int]) -> Tensor:
    """x with its axes in another order. Raises AxisError unless `axes` holds each of them once."""
    x = asarray(x)
    order = tuple([normal_axis(a, x.ndim, "permute_dims") for a in axes])
    return Permute(order)(x)


def matrix_transpose(x: TensorLike, /) -> Tensor:
    """x with its last two axes exchanged. Raises ShapeError if it has fewer."""
    x = asarray(x)
    if x.ndim < 2:
        raise ShapeError(f"matrix_transpose: got {x.type}; want at least two axes")
    return transpose_matrices(x)


def expand_dims(x: TensorLike, /, *, axis: int = 0) -> Tensor:
    """x with a new axis of size 1 at `axis`. Raises AxisError if there is no such place."""
    x = asarray(x)
    place = normal_axis(axis, x.ndim + 1, "expand_dims")
    return Reshape((*x.shape[:place], 1, *x.shape[place:]))(x)


def squeeze(x: TensorLike, /, axis: Any) -> Tensor:
    """x without `axis` (one or several), each of size 1. Raises ShapeError if one isn't."""
    x = asarray(x)
    axes = normal_axes(axis, x.ndim, "squeeze")
    if any(not isinstance(x.shape[a], int) or x.shape[a] != 1 for a in axes):
        raise ShapeError(f"squeeze: got {x.type} and axes {axes}; want axes of size 1")
    return Reshape(without(x.shape, axes))(x)


def take(x: TensorLike, indices: TensorLike, /, *, axis: int) -> Tensor:
    """The elements of x at integer `indices` along `axis`: the axis gives way to those of `indices`.

    Raises AxisError if there is no such axis, DTypeError for indices that aren't integers; at evaluation
    IndexRangeError for an index outside 0 to n - 1.
    """
    x = asarray(x)
    return Gather(normal_axis(axis, x.ndim, "take"))(x, asarray(indices))


def getitem(x: Tensor, key: Any) -> Tensor:
    """x[key], for integers, slices, None, Ellipsis, and one tensor or array of integers.

    Integers and slices count as Python's do. Raises AxisError for an integer that is out of range, or too many
    indices; ArgumentTypeError for anything else.
    """
    keys = list(key) if isinstance(key, tuple) else [key]
    if sum(k is Ellipsis for k in keys) > 1:
        raise ArgumentTypeError("x[...]: got more than one Ellipsis")
    count = sum(k is not None and k is not Ellipsis for k in keys)
    if count > x.ndim:
        raise AxisError(f"x[...]: got {count} indices of {x.type}, which has {x.ndim} axes")
    at = next((i for i, k in enumerate(keys) if k is Ellipsis), len(keys))
    keys[at : at + 1] = [slice(None)] * (x.ndim - count)

    spans: list[tuple[Any, Any, int]] = []
    shape: list[Any] = []
    later: list[tuple[int, Any]] = []  # axes of the sliced tensor to gather along, from the back
    for k in keys:
        if k is None:
            shape.append(1)
            continue
        axis = len(spans)
        span, size = _span(x, axis, k)
        spans.append(span)
        if size is None:
            continue
        if isinstance(k, slice) and size is BACKWARD:
            places = np.arange(x.shape[axis])[k]
            later.insert(0, (len(shape), data(places, DEFAULT_INT)))
            size = x.shape[axis]
        elif not isinstance(k, slice):
            later.insert(0, (len(shape), asarray(k)))
        shape.append(size)
    if sum(not isinstance(k, (slice, int)) and k is not None and not hasattr(k, "__index__") for k in keys) > 1:
        raise ArgumentTypeError("x[...]: got several arrays of indices; want at most one")
    if any(span != (0, n, 1) for span, n in zip(spans, x.shape, strict=True)):
        starts, stops, steps = zip(*spans, strict=True)
        x = Slice(starts, stops, steps)(x)
    if tuple(shape) != x.shape:
        x = Reshape(tuple(shape))(x)
    for axis, indices in later:
        x = Gather(axis)(x, indices)
    return x


BACKWARD = object()
"""Stands for the size of a slice with a negative step, which is gathered."""


def _span(x: Tensor, axis: int, key: Any) -> tuple[tuple[Any, Any, int], Any]:
    """What to slice of an axis, and the size that it leaves: None if the axis goes."""
    size = x.shape[axis]
    if isinstance(key, slice):
        if key == slice(None):
            return (0, size, 1), size
        if isinstance(size, Size):
            raise ShapeError(f"x[...]: got slice {key} of an axis of unknown size {size}; want all of it")
        try:
            start, stop, step = key.indices(size)
        except (TypeError, ValueError) as error:
            raise ArgumentTypeError(f"x[...]: got {key}: {error}") from None
        if step < 0:
            return (0, size, 1), BACKWARD
        stop = max(start, stop)
        return (start, stop, step), -((start - stop) // step)
    if isinstance(key, (Tensor, list, np.ndarray)) and not (isinstance(key, Tensor) and key.shape == ()):
        if asarray(key).dtype not in INTEGER:
            raise ArgumentTypeError(f"x[...]: got indices of {asarray(key).dtype.name}; want integers")
        return (0, size, 1), size
    if isinstance(key, Tensor):
        if key.dtype not in INTEGER:
            raise ArgumentTypeError(f"x[...]: got an index of {key.dtype.name}; want an integer")
        return (0, size, 1), size
    if isinstance(key, (bool, np.bool_)) or not hasattr(key, "__index__"):
        raise ArgumentTypeError(f"x[...]: got {type(key).__name__}; want integers, slices, None, ... or integer arrays")
    index = key.__index__()
    if isinstance(size, Size):
        raise ShapeError(f"x[...]: got index {index} of an axis of unknown size {size}")
    if not -size <= index < size:
        raise AxisError(f"x[...]: got index {index} of axis {axis} of {x.type}; want {-size} to {size - 1}")
    index %= size
    return (index, index + 1, 1), None


def transpose(x: Tensor) -> Tensor:
    """A matrix transposed. Raises ShapeError unless it has two axes."""
    if x.ndim != 2:
        raise ShapeError(f"T: got [{show_shape(x.shape)}]; want two axes (mT, or permute_dims, for others)")
    return transpose_matrices(x)
