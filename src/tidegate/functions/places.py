"""Where elements are: nonzero, argwhere, searchsorted, and indices made one place in flattened axes.

How many places there are may depend on data. Where the data has a value, it is found right away and is a number from
then on; in a function that is being traced it is a size that isn't known before the function runs, unless it is given.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tidegate.core.dtypes import INTEGER, int64
from tidegate.core.errors import (
    ArgumentError,
    AxisError,
    DTypeError,
    NoValueError,
    ShapeError,
    ValueFaultError,
)
from tidegate.core.graph import Array, Tensor, TensorLike, TensorType
from tidegate.core.shapes import is_known, show_shape, symbol
from tidegate.core.trace import active_trace
from tidegate.functions.arguments import integer
from tidegate.functions.convert import asarray, broadcast_all, joined, promoted
from tidegate.ops.broadcast import filled
from tidegate.ops.creation import Data
from tidegate.ops.indexing import Gather
from tidegate.ops.layout import Reshape
from tidegate.ops.places import CLIP, DROP, RAISE, Inside, Locate, counted
from tidegate.ops.search import NonZero, SearchSorted

MODES = {"raise": RAISE, "clip": CLIP, "fill": DROP}


def check_mode(who: str, mode: object) -> None:
    """Raise ArgumentError unless `mode` says what becomes of an index that is out of range."""
    if mode not in MODES:
        raise ArgumentError(f"{who}: got mode {mode!r}; want 'raise', 'clip' or 'fill'")


MOST = 2**62
"""No size is larger: what is computed with one, in bytes too, stays an int64 or is refused."""


def whole_number(who: str, name: str, value: Any, least: int = 0) -> int:
    """`value` as an int. Raises ArgumentTypeError for what isn't one, ArgumentError below `least`."""
    number = integer(who, name, value)
    if number < least:
        raise ArgumentError(f"{who}: got {name} {number}; want at least {least}")
    if number > MOST:
        raise ArgumentError(f"{who}: got {name} {number}; want at most {MOST}")
    return number


def value_for_size(who: str, x: Tensor, advice: str) -> Array:
    """x's value, on which a size depends. Raises NoValueError, with advice, while a function is traced."""
    try:
        return x.numpy()
    except NoValueError:
        raise NoValueError(
            f"{who}: got {x.type} without a value, since a function is being traced; the size of the result depends "
            f"on it: {advice}"
        ) from None


def size_found(who: str, x: Tensor, count: Callable[[Array], Any], advice: str) -> Any:
    """A size that x's value decides: a number right away where there is a value, and one that isn't known before it
    runs in a function that is being traced. Raises NoValueError, with advice, where neither is so."""
    if active_trace() is None:
        return int(count(value_for_size(who, x, advice)))
    try:
        return int(count(x.numpy()))
    except NoValueError:
        return symbol(who)


Indices = Tensor | Array
"""A user's tensor, which stays in the graph, or what was given as data, which is made places right away."""


def located(who: str, indices: list[Indices], op: Locate) -> Tensor:
    """The places that `indices`, of one shape after broadcasting, say in axes of the op's sizes.

    Known indices are checked right away: raises AxisError for one that is out of range.
    """
    if op.mode == RAISE:
        for given, size, axis in zip(indices, op.sizes, op.axes, strict=True):
            value = given.node.op.leaf_value if isinstance(given, Tensor) else given
            if value is not None and isinstance(size, int) and not all_inside(value, size, from_end=op.from_end):
                _refuse(who, Locate((size,), (axis,), RAISE, op.from_end), value)
    arrays = [i for i in indices if not isinstance(i, Tensor)]
    if len(arrays) < len(indices) or not is_known(op.sizes):
        return op(*broadcast_all(who, *map(asarray, indices)))
    if len(arrays) == 1 and op.mode == RAISE:
        return Data(counted(arrays[0], op.sizes[0], from_end=op.from_end))()
    return Data(np.asarray(op.reference(*np.broadcast_arrays(*arrays))))()


def all_inside(indices: Array, size: int, *, from_end: bool) -> bool:
    """Whether all indices are in range of an axis of `size`."""
    if not indices.size:
        return True
    least, largest = (int(indices),) * 2 if not indices.shape else (int(indices.min()), int(indices.max()))
    return (-size if from_end else 0) <= least and largest < size


def _refuse(who: str, op: Locate, indices: Array) -> None:
    """Raise AxisError for the first index that is out of range."""
    try:
        op.reference(indices)
    except ValueFaultError as fault:
        raise AxisError(f"{who}: {fault.message.removeprefix('Locate: ')}") from None


def inside(who: str, indices: list[Indices], op: Inside) -> Tensor:
    """Whether `indices`, of one shape after broadcasting, are in range, an element each."""
    return op(*broadcast_all(who, *map(asarray, indices)))


def as_indices(who: str, indices: TensorLike) -> Indices:
    """Integers: a tensor itself, all else as an array. Raises DTypeError for other dtypes."""
    if isinstance(indices, (list, tuple, range)) and not np.size(np.asarray(indices, object)):
        return np.asarray(indices).astype(int64)  # an empty list: nothing says that its numbers are floats
    x = asarray(list(indices) if isinstance(indices, range) else indices)
    if x.dtype not in INTEGER:
        raise DTypeError(f"{who}: got indices {x.type}; want integers")
    value = x.node.op.leaf_value
    return x if isinstance(indices, Tensor) or value is None else value


def nonzero(x: TensorLike, /, *, size: int | None = None, fill_value: int | tuple[int, ...] = 0) -> tuple[Tensor, ...]:
    """The places of the elements that aren't 0 (or False), in row-major order: an int64 tensor for each axis.

    size: how many places to give. By default as many as there are, found when a traced function runs. Given, the
        first ones are taken, and where there are fewer the rest is `fill_value` (one number, or one for each axis).
    Nothing flows back. Raises AxisError for an x without axes.
    """
    return found_places("nonzero", asarray(x), size, fill_value)


def found_places(who: str, x: Tensor, size: int | None = None, fill_value: Any = 0) -> tuple[Tensor, ...]:
    """`nonzero`, for `who`."""
    if x.ndim == 0:
        raise AxisError(f"{who}: got {x.type}; want at least one axis")
    fills = fill_value if isinstance(fill_value, tuple) else (fill_value,) * x.ndim
    if len(fills) != x.ndim:
        raise ArgumentError(f"{who}: got fill_value {fill_value!r} for {x.type}; want one number, or one for each axis")
    if size is None:
        advice = f"use tg.where(mask, ..., ...), or give {'it' if who == 'nonzero' else 'tg.nonzero'} a size"
        found = size_found(who, x, np.count_nonzero, advice)
    else:
        found = whole_number(who, "size", size)
    numbers = tuple([whole_number(who, "fill_value", f, least=-(2**63)) for f in fills])
    places = NonZero(found, numbers)(x)
    return places if isinstance(places, tuple) else (places,)


def argwhere(x: TensorLike, /, *, size: int | None = None, fill_value: int = 0) -> Tensor:
    """The places of the elements that aren't 0 (or False), in row-major order: int64[count, axes of x], a row each.

    `size` and `fill_value` are those of `nonzero`. Nothing flows back.
    """
    x = asarray(x)
    if x.ndim == 0:
        (places,) = found_places("argwhere", Reshape((1,))(x), size, fill_value)
        return filled(0, TensorType((places.shape[0], 0), int64))
    columns = found_places("argwhere", x, size, fill_value)
    return joined("argwhere", [Reshape((*column.shape, 1))(column) for column in columns], 1)


def searchsorted(x1: TensorLike, x2: TensorLike, /, *, side: str = "left", sorter: TensorLike | None = None) -> Tensor:
    """The places (int64) in x1, sorted, before which the elements of x2 keep it so.

    x1: a vector of integers or floating point, in ascending order, or in that which `sorter` (its argsort) gives.
    x2: any shape, which the result has.
    side: "left" for the first such place, "right" for the last.
    NaN counts as larger than everything. Nothing flows back. Raises ShapeError unless x1 is a vector, DTypeError for
    other dtypes or some that don't mix, ArgumentError for another side.
    """
    if side not in ("left", "right"):
        raise ArgumentError(f"searchsorted: got side {side!r}; want 'left' or 'right'")
    x, values = promoted("searchsorted", x1, x2)
    if x.ndim != 1:
        raise ShapeError(f"searchsorted: got {x.type}; want x1 with one axis")
    if sorter is not None:
        order = as_indices("searchsorted", sorter)
        if order.shape != x.shape:
            got = f"{x.type} and a sorter [{show_shape(order.shape)}]"
            raise ShapeError(f"searchsorted: got {got}; want a place for each element")
        x = Gather(0)(x, located("searchsorted", [order], Locate((x.shape[0],), (0,))))
    return SearchSorted(side == "right")(x, values)
