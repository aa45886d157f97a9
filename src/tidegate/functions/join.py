"""Putting tensors together, and taking them apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tidegate.core.errors import ArgumentTypeError, ShapeError
from tidegate.core.graph import Tensor, TensorLike
from tidegate.core.op import show_types
from tidegate.core.shapes import Size, element_count, is_known, normal_axis
from tidegate.functions.arguments import integer
from tidegate.functions.convert import asarray, joined, promoted
from tidegate.ops.broadcast import without
from tidegate.ops.layout import Reshape
from tidegate.ops.window import part


def concat(arrays: Sequence[TensorLike], /, *, axis: int | None = 0) -> Tensor:
    """The tensors one after another along `axis`; each flattened before if that is None.

    Shapes: one shape, but for their sizes along `axis`, which are added up.
    Dtypes: any that mix; they are promoted. Python numbers take the dtype of the tensors beside them.
    Raises ShapeError for no tensors or shapes that differ elsewhere, AxisError for an axis that isn't there,
    DTypeError for dtypes that don't mix.
    """
    xs = _several("concat", arrays)
    if axis is None:
        return joined("concat", [Reshape((element_count(x.shape),))(x) if x.ndim != 1 else x for x in xs], 0)
    place = normal_axis(axis, xs[0].ndim, "concat")
    return joined("concat", xs, place)


def stack(arrays: Sequence[TensorLike], /, *, axis: int = 0) -> Tensor:
    """The tensors one after another along a new axis, which becomes `axis` of the result.

    Shapes: all of one.  Dtypes: any that mix; they are promoted. Python numbers take the dtype of the tensors beside
    them.
    Raises ShapeError for no tensors or shapes that differ, AxisError for an axis that can't be, DTypeError for dtypes
    that don't mix.
    """
    xs = _several("stack", arrays)
    shape = xs[0].shape
    if any([len(x.shape) != len(shape) or (is_known(x.shape + shape) and x.shape != shape) for x in xs]):
        raise ShapeError(f"stack: got {show_types([x.type for x in xs])}; want one shape")
    place = normal_axis(axis, len(shape) + 1, "stack")
    return joined("stack", [Reshape((*x.shape[:place], 1, *x.shape[place:]))(x) for x in xs], place)


def _several(who: str, arrays: Any) -> list[Tensor]:
    """The tensors of a sequence, of one dtype; a tensor's parts along its first axis. Raises ShapeError for none."""
    if isinstance(arrays, Tensor) or hasattr(type(arrays), "__tidegate_tensor__"):
        arrays = unstack(arrays)
    if not isinstance(arrays, (list, tuple, np.ndarray)) or (isinstance(arrays, np.ndarray) and not arrays.ndim):
        raise ArgumentTypeError(f"{who}: got {type(arrays).__name__}; want a list or tuple of tensors")
    if len(arrays) == 0:
        raise ShapeError(f"{who}: got no tensors; want at least one")
    return [asarray(x) for x in promoted(who, *arrays)]  # what stands for a number becomes one of the usual dtype


def unstack(x: TensorLike, /, *, axis: int = 0) -> tuple[Tensor, ...]:
    """The parts of x along `axis`, which they lack, as a tuple; of any dtype.

    Raises AxisError for an axis that isn't there, ShapeError for one whose size isn't known.
    """
    x = asarray(x)
    place = normal_axis(axis, x.ndim, "unstack")
    size = _known_size("unstack", x, place)
    shape = without(x.shape, (place,))
    return tuple([Reshape(shape)(part(x, place, i, i + 1)) for i in range(size)])


def split(x: TensorLike, indices_or_sections: Any, /, *, axis: int = 0) -> list[Tensor]:
    """x cut along `axis`: into equal sections if an integer is given, else before each of the given places.

    Places are as in slices: negative ones count from the end, ones beyond it give empty parts.
    Raises AxisError for an axis that isn't there, ShapeError for sections that aren't equal or fewer than one, or an
    axis whose size isn't known.
    """
    x = asarray(x)
    place = normal_axis(axis, x.ndim, "split")
    size = _known_size("split", x, place)
    if isinstance(indices_or_sections, (list, tuple, np.ndarray)):
        cuts = [integer("split", "place", i) for i in indices_or_sections]
        spans = [slice(a, b).indices(size)[:2] for a, b in zip([0, *cuts], [*cuts, size], strict=True)]
    else:
        count = integer("split", "indices_or_sections", indices_or_sections)
        if count < 1 or size % count:
            raise ShapeError(f"split: got {count} sections of axis {place} of {x.type}; want some that are equal")
        length = size // count
        spans = [(i * length, (i + 1) * length) for i in range(count)]
    return [part(x, place, start, max(start, stop)) for start, stop in spans]


def _known_size(who: str, x: Tensor, axis: int) -> int:
    size = x.shape[axis]
    if isinstance(size, Size):
        raise ShapeError(f"{who}: got {x.type}, whose size along axis {axis} isn't known yet; want one that is")
    return size
