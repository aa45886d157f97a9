"""Functions that turn, shift, repeat and surround elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from tidegate.core.dtypes import DEFAULT_INT, INTEGER, bool_
from tidegate.core.errors import ArgumentError, ArgumentTypeError, DTypeError, ShapeError
from tidegate.core.graph import Tensor, TensorLike, TensorType
from tidegate.core.op import show_types
from tidegate.core.shapes import Size, normal_axes, normal_axis, show_shape
from tidegate.functions.arguments import integer, several
from tidegate.functions.convert import asarray, beside, broadcast_to, joined
from tidegate.functions.numbers import is_number
from tidegate.functions.shape import ravel, reshaped
from tidegate.ops.broadcast import BroadcastTo, filled
from tidegate.ops.cast import cast
from tidegate.ops.creation import data
from tidegate.ops.elementwise import select
from tidegate.ops.indexing import Gather
from tidegate.ops.layout import Reverse
from tidegate.ops.window import Pad, part


def flip(x: TensorLike, /, *, axis: Any = None) -> Tensor:
    """x backwards along `axis`: all axes if None, one, or several; of any dtype.

    Raises AxisError for an axis that isn't there, or comes twice.
    """
    x = asarray(x)
    axes = normal_axes(axis, x.ndim, "flip")
    return Reverse(axes)(x) if axes else x


def roll(x: TensorLike, /, shift: Any, *, axis: Any = None) -> Tensor:
    """x with its elements moved `shift` places up along `axis`; what leaves the end comes in at the start.

    axis: None rolls the elements in row-major order, whatever the axes; several axes take one shift, or one each.
    Of any dtype. Raises AxisError for an axis that isn't there, ShapeError for one whose size isn't known, or for
    other numbers of shifts than of axes.
    """
    x = asarray(x)
    if axis is None:
        return reshaped(roll(ravel(x), shift, axis=0), x.shape)
    axes = [normal_axis(a, x.ndim, "roll") for a in (axis if isinstance(axis, (tuple, list)) else (axis,))]
    shifts = [integer("roll", "shift", s) for s in (shift if several(shift) else [shift] * len(axes))]
    if len(shifts) != len(axes):
        raise ShapeError(f"roll: got {len(shifts)} shifts and {len(axes)} axes; want one each")
    for place, moved in zip(axes, shifts, strict=True):
        size = x.shape[place]
        if isinstance(size, Size):
            raise ShapeError(f"roll: got {x.type}, whose size along axis {place} isn't known yet")
        cut = size - moved % size if size else 0
        if 0 < cut < size:
            x = joined("roll", [part(x, place, cut, size), part(x, place, 0, cut)], place)
    return x


def tile(x: TensorLike, repetitions: Any, /) -> Tensor:
    """x laid out again and again: `repetitions` times along each axis, in turn from the last; of any dtype.

    The shorter of x's shape and `repetitions` is filled up with ones in front. Raises ShapeError for a negative
    number of repetitions, ArgumentTypeError for one that isn't an integer.
    """
    x = asarray(x)
    counts = [integer("tile", "repetitions", n) for n in (repetitions if several(repetitions) else [repetitions])]
    if any([n < 0 for n in counts]):
        raise ShapeError(f"tile: got repetitions {tuple(counts)}; want at least 0")
    rank = max(len(counts), x.ndim)
    counts = [1] * (rank - len(counts)) + counts
    sizes = (1,) * (rank - x.ndim) + x.shape
    x = reshaped(x, sizes)
    if all([n == 1 for n in counts]):
        return x
    wide = tuple([n for pair in zip(counts, sizes, strict=True) for n in pair])
    x = BroadcastTo(wide, tuple(range(1, 2 * rank, 2)))(x)
    return reshaped(x, tuple([a * b for a, b in zip(counts, sizes, strict=True)]))


def repeat(x: TensorLike, repeats: Any, /, *, axis: int | None = None) -> Tensor:
    """Each element of x along `axis` `repeats` times, one beside the other; of any dtype.

    repeats: an integer for all; or integers, as data, one for each place along the axis. Those decide a size, so their
        values are asked for right away.
    axis: None takes the elements in row-major order.
    Raises AxisError for an axis that isn't there, ShapeError for another number of repeats than of places, or an axis
    whose size isn't known, ArgumentError for negative repeats, DTypeError for repeats that aren't integers,
    NoValueError for ones that depend on an argument of a function being traced.
    """
    x = asarray(x)
    if axis is None:
        return repeat(ravel(x), repeats, axis=0)
    place = normal_axis(axis, x.ndim, "repeat")
    size = x.shape[place]
    if is_number(repeats) or isinstance(repeats, np.integer):
        count = integer("repeat", "repeats", repeats)
        if count < 0:
            raise ArgumentError(f"repeat: got repeats {count}; want at least 0")
        wide = (*x.shape[: place + 1], count, *x.shape[place + 1 :])
        kept = tuple([i if i <= place else i + 1 for i in range(x.ndim)])
        return reshaped(BroadcastTo(wide, kept)(x), (*x.shape[:place], size * count, *x.shape[place + 1 :]))
    counts = asarray(repeats)
    if counts.dtype not in INTEGER:
        raise DTypeError(f"repeat: got repeats {counts.type}; want integers")
    if isinstance(size, Size) or counts.shape not in ((size,), (1,), ()):
        raise ShapeError(f"repeat: got {show_types([x.type, counts.type])}; want as many repeats as axis {place} has")
    values = counts.numpy()
    if (values < 0).any():
        raise ArgumentError(f"repeat: got repeats {values.min()}; want at least 0")
    places = np.repeat(np.arange(size), np.broadcast_to(values, size).astype(np.intp))
    return Gather(place)(x, data(places, DEFAULT_INT))


MODES = ("constant", "edge", "reflect", "symmetric", "wrap")


def pad(x: TensorLike, pad_width: Any, mode: str = "constant", *, constant_values: TensorLike = 0) -> Tensor:
    """x with elements put around it: `pad_width` before and behind each axis; of any dtype.

    pad_width: an integer for all; a pair (before, after) for all axes; or a pair, or (an integer,), for each axis.
    mode: "constant" puts `constant_values`, a number or a tensor without axes, to which a gradient flows; "edge" the
        outermost element; "reflect" and "symmetric" the elements mirrored, without and with the outermost; "wrap"
        those from the other end.
    The meaning is NumPy's. Raises ShapeError for other numbers of widths, a size that isn't known, or an axis without
    elements in a mode that needs some; ArgumentError for a negative width or an unknown mode.
    """
    x = asarray(x)
    widths = _widths(x, pad_width)
    if not isinstance(mode, str) or mode not in MODES:
        raise ArgumentError(f"pad: got mode {mode!r}; want one of {', '.join(map(repr, MODES))}")
    if mode == "constant":
        return _surrounded(x, widths, constant_values)
    for axis, width in enumerate(widths):
        if width != (0, 0):
            x = _extended(x, axis, width, mode)
    return x


def _widths(x: Tensor, pad_width: Any) -> list[tuple[int, int]]:
    """(before, after) for each axis."""
    try:
        given = np.broadcast_to(np.asarray(pad_width), (x.ndim, 2))
    except ValueError:
        raise ShapeError(f"pad: got pad_width {pad_width!r} for {x.type}; want a pair for each axis") from None
    if given.dtype.kind not in "iu" and given.size:
        raise ArgumentTypeError(f"pad: got pad_width {pad_width!r}; want integers")
    widths = [(int(a), int(b)) for a, b in given]
    if any([n < 0 for pair in widths for n in pair]):
        raise ArgumentError(f"pad: got pad_width {pad_width!r}; want at least 0")
    return widths


def _surrounded(x: Tensor, widths: list[tuple[int, int]], value: TensorLike) -> Tensor:
    """x with one value around it."""
    around = Pad(tuple([a for a, _ in widths]), tuple([b for _, b in widths]), (0,) * x.ndim)
    if all([width == (0, 0) for width in widths]):
        return x
    if is_number(value) and value == 0 and not np.signbit(np.real(value)):
        return around(x)
    fill = beside(x, value)
    if fill.ndim:
        raise ShapeError(f"pad: got constant_values {fill.type}; want one without axes")
    fill = cast(fill, x.dtype)
    inside = around(filled(True, TensorType(x.shape, bool_)))
    out = around(x)
    return select(inside, out, broadcast_to(fill, out.shape))


def _extended(x: Tensor, axis: int, width: tuple[int, int], mode: Any) -> Tensor:
    """x with its own elements put before and behind it along an axis."""
    size = x.shape[axis]
    if isinstance(size, Size) or size == 0:
        raise ShapeError(f"pad: got [{show_shape(x.shape)}] and mode {mode!r}; want elements along axis {axis}")
    return Gather(axis)(x, data(np.pad(np.arange(size), width, mode=mode), DEFAULT_INT))
