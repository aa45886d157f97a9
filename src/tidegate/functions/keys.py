"""What x[key] selects: a span of each axis, axes made new or dropped, and arrays of indices, in NumPy's meaning.

Reading runs the steps forward (`Selection.read`); x.at[key] runs them backward to put values there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tidegate.core.dtypes import INTEGER, as_array, bool_
from tidegate.core.errors import ArgumentTypeError, AxisError, ShapeError
from tidegate.core.graph import Tensor, TensorType
from tidegate.core.shapes import Shape, Size, broadcast_shape, element_count, show_shape
from tidegate.functions.convert import asarray, broadcast_to
from tidegate.functions.places import MODES, Indices, found_places, inside, located, value_for_size
from tidegate.ops.broadcast import BroadcastTo, filled
from tidegate.ops.elementwise import select
from tidegate.ops.indexing import Gather
from tidegate.ops.layout import Permute, Reshape, Reverse
from tidegate.ops.places import CLIP, Inside, Locate
from tidegate.ops.window import Pad, Slice

SEPARATORS = (slice, type(None), type(Ellipsis))


@dataclass
class Selection:
    """The steps of x[key]: slice; turn round; reshape; then take places of the axes that have arrays of indices."""

    x: TensorType
    who: str
    mode: str
    spans: list[tuple[int, Any, int]] = field(default_factory=list)
    backward: list[int] = field(default_factory=list)
    """Axes, after slicing, that are turned round."""
    shape: list[Any] = field(default_factory=list)
    """The shape before arrays: axes that integers take are gone, those that None makes are there."""
    arrays: list[tuple[int, int, Indices]] = field(default_factory=list)
    """(axis of `shape`, axis of x, indices)"""
    first: int | None = None
    """The axis of `shape` at which the first index that isn't a slice, None or Ellipsis stands."""
    apart: bool = False
    """Whether slices, None or Ellipsis stand between the arrays (and integers): NumPy then puts their axes first."""

    # What the arrays of indices do.

    @property
    def array_axes(self) -> list[int]:
        """The axes of `shape` that have arrays."""
        return [axis for axis, _, _ in self.arrays]

    @property
    def sizes(self) -> Shape:
        """The sizes of those axes."""
        return tuple([self.shape[a] for a in self.array_axes])

    @property
    def others(self) -> list[int]:
        """The other axes of `shape`."""
        return [a for a in range(len(self.shape)) if a not in self.array_axes]

    @property
    def target(self) -> int:
        """Where the arrays' own axes stand in the result."""
        assert self.first is not None
        return 0 if self.apart else sum(a < self.first for a in self.others)

    def places(self, beyond: str) -> Tensor:
        """Where the elements are in the arrays' axes, flattened; `beyond` is Locate's mode for what is out of range."""
        names = tuple([axis for _, axis, _ in self.arrays])
        return located(self.who, [i for _, _, i in self.arrays], Locate(self.sizes, names, beyond))

    def inside(self) -> Tensor:
        """Which places are in range."""
        return inside(self.who, [i for _, _, i in self.arrays], Inside(self.sizes))

    def index_shape(self) -> Shape:
        """The shape that the arrays broadcast to."""
        if len(self.arrays) == 1:
            return self.arrays[0][2].shape
        return broadcast_shape([i.shape for _, _, i in self.arrays], self.who)

    # Before the arrays.

    def basic(self, x: Tensor) -> Tensor:
        """x sliced, turned round and reshaped."""
        if not self.takes_all():
            x = Slice(*zip(*self.spans, strict=True))(x)
        x = turned(x, self.backward)
        return x if tuple(self.shape) == x.shape else Reshape(tuple(self.shape))(x)

    def takes_all(self) -> bool:
        """Whether every span is a whole axis."""
        return all([span == (0, n, 1) for span, n in zip(self.spans, self.x.shape, strict=True)])

    def put_basic(self, x: Tensor, new: Tensor) -> Tensor:
        """x with `new` in the place of `basic(x)`."""
        if self.takes_all():
            return turned(new if new.shape == x.shape else Reshape(x.shape)(new), self.backward)
        sliced = Slice(*zip(*self.spans, strict=True))
        shape = sliced.output_types((x.type,))[0].shape
        new = turned(new if new.shape == shape else Reshape(shape)(new), self.backward)
        around = sliced.adjoint(new, x)[0].node.op
        assert isinstance(around, Pad)
        return select(around(filled(1, TensorType(shape, bool_))), around(new), x)

    def read(self, x: Tensor, fill: Tensor | None = None) -> Tensor:
        """x[key]; with `fill` that is what is out of range."""
        x = self.basic(x)
        if not self.arrays:
            return x
        target, axes, others = self.target, self.array_axes, self.others
        if fill is not None and 0 in self.sizes:
            before, after = ([self.shape[a] for a in part] for part in (others[:target], others[target:]))
            return broadcast_to(fill, (*before, *self.index_shape(), *after))
        if axes != list(range(target, target + len(axes))):
            x = Permute((*others[:target], *axes, *others[target:]))(x)
        if len(axes) > 1:
            x = Reshape((*x.shape[:target], element_count(self.sizes), *x.shape[target + len(axes) :]))(x)
        out = Gather(target)(x, self.places(MODES[self.mode] if fill is None else CLIP))
        if fill is None:
            return out
        return select(spread_at(self.inside(), out.shape, target), out, broadcast_to(fill, out.shape))


def spread_at(x: Tensor, shape: Shape, start: int) -> Tensor:
    """x, whose axes are those of `shape` from `start` on, repeated to it."""
    return BroadcastTo(shape, tuple(range(start, start + x.ndim)))(x)


def turned(x: Tensor, axes: list[int]) -> Tensor:
    """x backwards along `axes`."""
    return Reverse(tuple(axes))(x) if axes else x


def select_by(x: Tensor, key: Any, who: str = "x[...]", mode: str = "raise") -> Selection:
    """What x[key] selects.

    Raises AxisError for integers, known indices and masks that don't fit or too many of them, ShapeError for indices
    that don't broadcast, ArgumentTypeError for what isn't an index.
    """
    given = [_normal(k) for k in (key if isinstance(key, tuple) else (key,))]
    found = Selection(x.type, who, mode)
    keys = _complete(x, given, who)
    is_advanced = [_is_array(k) or (isinstance(k, int) and mode != "raise") for k in keys]
    if any(is_advanced):
        chosen = [i for i, k in enumerate(given) if not isinstance(k, SEPARATORS)]
        found.apart = chosen[-1] - chosen[0] + 1 != len(chosen)
    for k in keys:
        if not isinstance(k, SEPARATORS) and found.first is None:
            found.first = len(found.shape)
        _add(found, x, k)
    if found.arrays:
        found.index_shape()
    return found


def _normal(key: Any) -> Any:
    """A key as None, Ellipsis, a slice, an int, a tensor, or an array of integers or booleans."""
    if isinstance(key, (*SEPARATORS, Tensor)):
        return key
    if isinstance(key, (bool, np.bool_)):
        return np.asarray(key)
    if isinstance(key, (list, tuple, range)):
        key = list(key)
        if not key:
            return np.zeros(0, np.int64)
        if all([isinstance(k, int) for k in key]):
            return np.asarray(key)
        x = asarray(key)
        return x if x.node.op.leaf_value is None else x.node.op.leaf_value
    if isinstance(key, np.ndarray) and (key.shape != () or key.dtype == bool_):
        return as_array(key, None)
    try:
        return key.__index__()
    except (AttributeError, TypeError):
        got = f"an index of {key.dtype}" if isinstance(key, (np.ndarray, np.generic)) else type(key).__name__
        raise ArgumentTypeError(
            f"x[...]: got {got}; want integers, slices, None, ..., integer arrays or masks"
        ) from None


def _is_array(key: Any) -> bool:
    return isinstance(key, (Tensor, np.ndarray))


def _taken(key: Any) -> int:
    """How many axes a key takes."""
    if key is None or key is Ellipsis:
        return 0
    return key.ndim if _is_array(key) and key.dtype == bool_ else 1


def _complete(x: Tensor, keys: list[Any], who: str) -> list[Any]:
    """A key for every axis: what Ellipsis, or the end, leaves out is taken whole."""
    if sum(k is Ellipsis for k in keys) > 1:
        raise ArgumentTypeError(f"{who}: got more than one Ellipsis")
    count = sum(map(_taken, keys))
    if count > x.ndim:
        raise AxisError(f"{who}: got {count} indices of {x.type}, which has {x.ndim} axes")
    at = next((i for i, k in enumerate(keys) if k is Ellipsis), len(keys))
    return [*keys[:at], *[slice(None)] * (x.ndim - count), *keys[at + 1 :]]


def _add(found: Selection, x: Tensor, key: Any) -> None:
    """Note what one key does to the next axis, or axes, of x."""
    axis = len(found.spans)
    if key is None:
        found.shape.append(1)
    elif isinstance(key, slice):
        _add_slice(found, x.shape[axis], key)
    elif isinstance(key, int):
        _add_integer(found, x, key)
    elif key.dtype == bool_:
        _add_mask(found, x, key)
    elif key.dtype in INTEGER:
        _add_indices(found, x.shape[axis], axis, key)
    else:
        raise ArgumentTypeError(f"{found.who}: got indices of {key.dtype.name}; want integers or booleans")


def _add_indices(found: Selection, size: Any, axis: int, indices: Indices) -> None:
    found.arrays.append((len(found.shape), axis, indices))
    found.shape.append(size)
    found.spans.append((0, size, 1))


def _add_slice(found: Selection, size: Any, key: slice) -> None:
    if key == slice(None):
        span = (0, size, 1)
        count = size
    elif isinstance(size, Size):
        span = _unknown_span(found, size, key)
        count = span[1] - span[0]
    else:
        try:
            places = range(*key.indices(size))
        except (TypeError, ValueError) as error:
            raise ArgumentTypeError(f"{found.who}: got {key}: {error}") from None
        count = len(places)
        if places.step < 0 and count:
            span = (places[-1], places[0] + 1, -places.step)
            found.backward.append(len(found.spans))
        else:
            span = (places.start, places.stop, places.step) if count else (0, 0, 1)
    found.spans.append(span)
    found.shape.append(count)


def _unknown_span(found: Selection, size: Size, key: slice) -> tuple[Any, Any, int]:
    """The span of a slice whose length doesn't depend on whether the axis is long enough: `1:`, `:-1`, `-2:`.

    Raises ShapeError for others.
    """
    start, stop = key.start or 0, key.stop
    whole = isinstance(start, int) and (stop is None or (isinstance(stop, int) and stop < 0)) and key.step in (None, 1)
    if not whole or (start < 0 and stop is not None):
        raise ShapeError(f"{found.who}: got {key} of an axis of unknown size {size}; want one like 1:, :-1 or -2:")
    return (start if start >= 0 else size + start), (size if stop is None else size + stop), 1


def _add_integer(found: Selection, x: Tensor, index: int) -> None:
    axis = len(found.spans)
    size = x.shape[axis]
    if isinstance(size, Size):
        _add_indices(found, size, axis, np.asarray(index))  # checked once the size is known
    elif -size <= index < size:
        found.spans.append((index % size, index % size + 1, 1))
    elif found.mode != "raise":
        _add_indices(found, size, axis, np.asarray(index))
    else:
        want = f"{-size} to {size - 1}" if size else "none, since it has no elements"
        raise AxisError(f"{found.who}: got index {index} of axis {axis} of {x.type}; want {want}")


def _add_mask(found: Selection, x: Tensor, mask: Indices) -> None:
    """A mask is the indices of its true elements, an array for each of its axes; without axes it is a new one."""
    axis = len(found.spans)
    if mask.ndim == 0:
        value = value_for_size(found.who, mask, "use tg.where(mask, ..., ...)") if isinstance(mask, Tensor) else mask
        found.arrays.append((len(found.shape), axis, np.zeros(int(value), np.int64)))
        found.shape.append(1)
        return
    part = x.shape[axis : axis + mask.ndim]
    if part != mask.shape:
        shapes = f"bool[{show_shape(mask.shape)}] at axis {axis} of {x.type}; want bool[{show_shape(part)}]"
        raise AxisError(f"{found.who}: got a mask {shapes}")
    places = found_places(found.who, mask) if isinstance(mask, Tensor) else np.nonzero(mask)
    for i, indices in enumerate(places):
        _add_indices(found, part[i], axis + i, indices)
