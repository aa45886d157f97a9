"""Indexing: x[...] and take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tidegate.core.dtypes import DEFAULT_INT, INTEGER, SIGNED
from tidegate.core.errors import ArgumentTypeError, AxisError, ShapeError
from tidegate.core.graph import Tensor, TensorLike
from tidegate.core.shapes import Size, normal_axis
from tidegate.functions.convert import asarray, together
from tidegate.ops.creation import data, scalar
from tidegate.ops.elementwise import Less, add, select
from tidegate.ops.indexing import Gather
from tidegate.ops.layout import Reshape, SizeValue
from tidegate.ops.window import Slice


def take(x: TensorLike, indices: TensorLike, /, *, axis: int) -> Tensor:
    """The elements of x at integer `indices` along `axis`: the axis gives way to those of `indices`.

    Raises AxisError if there is no such axis, DTypeError for indices that aren't integers; at evaluation
    IndexRangeError for an index outside 0 to n - 1.
    """
    x = asarray(x)
    return Gather(normal_axis(axis, x.ndim, "take"))(x, asarray(indices))


@dataclass(frozen=True)
class Part:
    """What one index makes of one axis: a span of it; whether the axis goes; and the places to gather of it."""

    span: tuple[int, Any, int]
    size: Any = None
    """The size that is left of the span; None if the axis goes with it."""
    places: Tensor | None = None


def getitem(x: Tensor, key: Any) -> Tensor:
    """x[key], for integers, slices, None, Ellipsis, integer tensors without axes, and one integer array or tensor.

    Negative integers count from the end, as Python's do; so do those in arrays. An array beside integers stands next
    to them: NumPy moves its axes to the front otherwise.
    Raises AxisError for an integer that is out of range (IndexRangeError at evaluation, for one in a tensor) or too
    many indices; ArgumentTypeError for anything else.
    """
    given = list(key) if isinstance(key, tuple) else [key]
    _check_arrays(given)
    keys = _complete(x, given)
    parts: list[Part] = []
    shape: list[Any] = []
    gathers: list[tuple[int, Tensor]] = []
    for k in keys:
        if k is None:
            shape.append(1)
            continue
        part = _part(x, len(parts), k)
        parts.append(part)
        if part.places is not None:
            gathers.append((len(shape), part.places))
        if part.size is not None:
            shape.append(part.size)
    if any(part.span != (0, n, 1) for part, n in zip(parts, x.shape, strict=True)):
        x = Slice(*zip(*[part.span for part in parts], strict=True))(x)
    if tuple(shape) != x.shape:
        x = Reshape(tuple(shape))(x)
    for axis, places in reversed(gathers):  # from the back, so that the axes before stay where they are
        x = Gather(axis)(x, places)
    return x


def _complete(x: Tensor, keys: list[Any]) -> list[Any]:
    """An index for every axis: what Ellipsis, or the end, leaves out is taken whole."""
    if sum(k is Ellipsis for k in keys) > 1:
        raise ArgumentTypeError("x[...]: got more than one Ellipsis")
    count = sum(k is not None and k is not Ellipsis for k in keys)
    if count > x.ndim:
        raise AxisError(f"x[...]: got {count} indices of {x.type}, which has {x.ndim} axes")
    at = next((i for i, k in enumerate(keys) if k is Ellipsis), len(keys))
    return [*keys[:at], *[slice(None)] * (x.ndim - count), *keys[at + 1 :]]


def _is_array(key: Any) -> bool:
    return isinstance(key, list) or (isinstance(key, (Tensor, np.ndarray)) and key.shape != ())


def _check_arrays(keys: list[Any]) -> None:
    """Raise ArgumentTypeError for several arrays, or one that doesn't stand next to the integers."""
    arrays = [i for i, k in enumerate(keys) if _is_array(k)]
    if len(arrays) > 1:
        raise ArgumentTypeError(f"x[...]: got {len(arrays)} arrays of indices; want at most one")
    if arrays:
        between = (slice, type(None), type(Ellipsis))
        chosen = [i for i, k in enumerate(keys) if not isinstance(k, between)]
        if chosen[-1] - chosen[0] + 1 != len(chosen):
            raise ArgumentTypeError("x[...]: got an array of indices apart from an integer; index in two steps")


def _part(x: Tensor, axis: int, key: Any) -> Part:
    size = x.shape[axis]
    if isinstance(key, slice):
        return _sliced(size, key)
    if _is_array(key) or isinstance(key, Tensor):
        return Part((0, size, 1), size, _places(x, axis, asarray(key)))
    if isinstance(key, (bool, np.bool_)) or not hasattr(key, "__index__"):
        raise ArgumentTypeError(f"x[...]: got {type(key).__name__}; want integers, slices, None, ... or integer arrays")
    try:
        index = key.__index__()
    except TypeError:
        raise ArgumentTypeError(f"x[...]: got an index of {np.asarray(key).dtype}; want integers") from None
    if isinstance(size, Size):
        raise ShapeError(f"x[...]: got index {index} of an axis of unknown size {size}")
    if not -size <= index < size:
        raise AxisError(f"x[...]: got index {index} of axis {axis} of {x.type}; want {-size} to {size - 1}")
    return Part((index % size, index % size + 1, 1))


def _sliced(size: Any, key: slice) -> Part:
    if key == slice(None):
        return Part((0, size, 1), size)
    if isinstance(size, Size):
        raise ShapeError(f"x[...]: got {key} of an axis of unknown size {size}; want all of it")
    try:
        start, stop, step = key.indices(size)
    except (TypeError, ValueError) as error:
        raise ArgumentTypeError(f"x[...]: got {key}: {error}") from None
    if step < 0:
        return Part((0, size, 1), size, data(np.arange(size)[key], DEFAULT_INT))
    stop = max(start, stop)
    return Part((start, stop, step), -((start - stop) // step))


def _places(x: Tensor, axis: int, indices: Tensor) -> Tensor:
    """Indices counted from the front. Raises AxisError for known ones that are out of range."""
    size = x.shape[axis]
    if indices.dtype not in INTEGER:
        raise ArgumentTypeError(f"x[...]: got indices of {indices.dtype.name}; want integers")
    if indices.dtype not in SIGNED:
        return indices
    known = indices.node.op.leaf_value
    if known is not None and isinstance(size, int):
        wrong = known[(known < -size) | (known >= size)]
        if wrong.size:
            raise AxisError(f"x[...]: got index {wrong[0]} of axis {axis} of {x.type}; want {-size} to {size - 1}")
        return indices if (known >= 0).all() else data(np.where(known < 0, known + size, known), DEFAULT_INT)
    count = SizeValue(size, indices.dtype)() if isinstance(size, Size) else scalar(size, indices.dtype)
    indices, count, zero = together("x[...]", indices, count, scalar(0, indices.dtype))
    return select(Less()(indices, zero), add(indices, count), indices)
