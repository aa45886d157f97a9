"""Indexing: x[...], take, take_along_axis, put_along_axis and one_hot."""

from __future__ import annotations

from typing import Any

from tidegate.core.dtypes import INEXACT, INTEGER, DType, as_dtype, float32, int64
from tidegate.core.errors import ArgumentError, DTypeError, ShapeError
from tidegate.core.graph import Tensor, TensorLike, TensorType
from tidegate.core.shapes import broadcast_shape, normal_axis, show_shape
from tidegate.functions.convert import asarray, broadcast_to, promoted
from tidegate.functions.keys import select_by, spread_at
from tidegate.functions.numbers import stands_for_number
from tidegate.functions.places import MODES, as_indices, check_mode, inside, located, whole_number
from tidegate.ops.broadcast import zeros_like
from tidegate.ops.cast import cast
from tidegate.ops.creation import Iota, constant
from tidegate.ops.elementwise import Equal, select
from tidegate.ops.indexing import Gather
from tidegate.ops.layout import Reshape, moved
from tidegate.ops.places import CLIP, Inside, Locate
from tidegate.ops.scatter import ScatterSet


def getitem(x: Tensor, key: Any) -> Tensor:
    """x[key], in NumPy's meaning: integers, slices, None, Ellipsis, arrays and tensors of integers, lists, masks.

    Several arrays broadcast; their axes stand where the first of them stands, or first if a slice, None or Ellipsis
    is between them (integers count as arrays there). Negative integers count from the end. A mask is the indices of
    its true elements; for one that is computed, they are counted right away, or in a function that is being traced when
    it runs. The derivative goes back to the
    elements selected, and adds up where one is selected again.
    Raises AxisError for an integer or a known index that is out of range, a mask of another shape or too many indices,
    IndexRangeError at evaluation for an index in a computed tensor, ShapeError for arrays that don't broadcast,
    ArgumentTypeError for anything else.
    """
    return select_by(x, key).read(x)


def default_fill(dtype: DType) -> Tensor:
    """NaN; 0 or False for integers and booleans."""
    return constant(float("nan") if dtype in INEXACT else 0, dtype)


def fill_for(who: str, x: Tensor, fill_value: TensorLike | None) -> Tensor:
    """What stands where an index is out of range. Raises DTypeError unless x's dtype holds it, ShapeError for one with
    axes."""
    if fill_value is None:
        return default_fill(x.dtype)
    return as_value(who, x, fill_value, ())


def as_value(who: str, x: Tensor, value: TensorLike, shape: Any) -> Tensor:
    """`value` in x's dtype, broadcast to `shape`. Raises DTypeError where it would need another dtype."""
    if stands_for_number(value):
        (_, value) = promoted(who, x, value)
    else:
        value = asarray(value)
    (_, mixed) = promoted(who, x, value)
    if mixed.dtype != x.dtype:
        raise DTypeError(f"{who}: got a value {value.type} for {x.type}; convert it with tg.astype")
    if len(mixed.shape) > len(shape):
        raise ShapeError(f"{who}: got a value {value.type}; want one that broadcasts to {TensorType(shape, x.dtype)}")
    return broadcast_to(mixed, shape)


def take(
    x: TensorLike,
    indices: TensorLike,
    /,
    *,
    axis: int | None = None,
    mode: str = "raise",
    fill_value: TensorLike | None = None,
) -> Tensor:
    """The elements of x at integer `indices` along `axis`, which gives way to the axes of `indices`.

    axis: a vector needn't name it.
    mode: what becomes of an index that is out of range. "raise": AxisError where it is known, IndexRangeError at
        evaluation where it is computed. "clip": the nearest that isn't; negative ones are out of range then, as
        NumPy has it. "fill": `fill_value`, by default NaN, 0 or False by dtype; nothing flows to x.
    In the other modes negative indices count from the end.
    Raises AxisError if there is no such axis, ArgumentError for another mode or no axis, DTypeError for indices that
    aren't integers or a fill_value of another dtype.
    """
    check_mode("take", mode)
    x, given = asarray(x), as_indices("take", indices)
    if axis is None:
        if x.ndim != 1:
            raise ArgumentError(f"take: got {x.type} and no axis; want one named")
        axis = 0
    place = normal_axis(axis, x.ndim, "take")
    size = x.shape[place]
    if mode == "fill":
        shape = (*x.shape[:place], *given.shape, *x.shape[place + 1 :])
        fill = broadcast_to(fill_for("take", x, fill_value), shape)
        if isinstance(size, int) and size == 0:
            return fill
        taken = Gather(place)(x, located("take", [given], Locate((size,), (place,), CLIP)))
        return select(spread_at(inside("take", [given], Inside((size,))), shape, place), taken, fill)
    if fill_value is not None:
        raise ArgumentError(f"take: got fill_value {fill_value!r} and mode {mode!r}; want mode 'fill'")
    return Gather(place)(x, located("take", [given], Locate((size,), (place,), MODES[mode], mode != "clip")))


def _along(who: str, x: Tensor, indices: TensorLike, axis: int) -> tuple[Tensor, Tensor, int]:
    """x and places, both with `axis` last and equal axes before it, and that axis."""
    given = as_indices(who, indices)
    place = normal_axis(axis, x.ndim, who)
    if given.ndim != x.ndim:
        raise ShapeError(f"{who}: got {x.type} and indices of [{show_shape(given.shape)}]; want as many axes")
    size, last = x.shape[place], x.ndim - 1
    places = located(who, [given], Locate((size,), (place,)))
    x, places = moved(x, place, last), moved(places, place, last)
    lead = broadcast_shape([x.shape[:-1], places.shape[:-1]], who)
    return broadcast_to(x, (*lead, x.shape[-1])), broadcast_to(places, (*lead, places.shape[-1])), place


def take_along_axis(x: TensorLike, indices: TensorLike, /, *, axis: int = -1) -> Tensor:
    """The elements of x at `indices` along `axis`, for each place along the others, which broadcast.

    Shapes: x[..., n, ...], indices[..., m, ...] of as many axes -> [..., m, ...]. Negative indices count from the end.
    Raises AxisError for an axis that isn't there or a known index that is out of range, IndexRangeError at evaluation
    for a computed one, ShapeError where axes don't fit, DTypeError for indices that aren't integers.
    """
    x, places, place = _along("take_along_axis", asarray(x), indices, axis)
    last = x.ndim - 1
    return moved(Gather(last, last)(x, places), last, place)


def put_along_axis(x: TensorLike, indices: TensorLike, values: TensorLike, /, *, axis: int = -1) -> Tensor:
    """x with `values` in the place of the elements that `take_along_axis` would give; of an index that comes again
    along `axis` the last one stands.

    Shapes: x[..., n, ...], indices[..., m, ...] of as many axes, values that broadcast to those -> x's, broadcast
    against the indices along the other axes. What is overwritten gets no gradient.
    Raises what `take_along_axis` does, and DTypeError for values that x's dtype doesn't hold.
    """
    x = asarray(x)
    given = as_indices("put_along_axis", indices)
    value = as_value("put_along_axis", x, values, given.shape)
    into, places, place = _along("put_along_axis", x, given, axis)
    last = x.ndim - 1
    updates = broadcast_to(moved(value, place, last), places.shape)
    return moved(ScatterSet(last)(into, updates, places), last, place)


def one_hot(x: TensorLike, num_classes: int, /, *, axis: int = -1, dtype: Any = float32) -> Tensor:
    """Vectors that are 1 at the places that integers in x say, and 0 elsewhere; all 0 for one that is out of range.

    Shapes: x[...] -> the same with a new axis of size `num_classes` at `axis`. Nothing flows back.
    Raises DTypeError for an x that isn't of integers, AxisError for an axis that isn't there, ArgumentError for a
    negative number of classes.
    """
    x = asarray(x)
    if x.dtype not in INTEGER:
        raise DTypeError(f"one_hot: got {x.type}; want integers")
    count = whole_number("one_hot", "num_classes", num_classes)
    place = normal_axis(axis, x.ndim + 1, "one_hot")
    places = Locate((count,), (0,), CLIP, False)(x)
    shape, one = (*x.shape[:place], count, *x.shape[place:]), (*x.shape[:place], 1, *x.shape[place:])
    valid, wanted = (broadcast_to(Reshape(one)(y), shape) for y in (Inside((count,), False)(x), places))
    hit = Equal()(wanted, Iota(shape, place, int64)())
    return cast(select(valid, hit, zeros_like(valid)), as_dtype(dtype))
