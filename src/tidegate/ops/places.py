"""Locate and Inside: what indices mean. They count from the end where negative, and are checked here, an axis each."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np

from tidegate.core.dtypes import INTEGER, UNSIGNED, bool_, int64, uint64
from tidegate.core.errors import ArgumentError, DTypeError, Fault, ShapeError, ValueFaultError
from tidegate.core.graph import Array, Tensor, TensorType
from tidegate.core.kinds import Read, same_axes
from tidegate.core.op import Draw, Op, Sample, show_types
from tidegate.core.shapes import Shape

RAISE, CLIP, DROP = "raise", "clip", "drop"
"""What becomes of an index that is out of range: an error, the nearest one that isn't, a place behind all others."""


def counted(indices: Array, size: int, *, from_end: bool) -> Array:
    """Indices as int64, negative ones counted from the end."""
    if indices.dtype == uint64:
        indices = np.minimum(indices, np.uint64(np.iinfo(int64).max))  # what int64 can't hold must not wrap
    wide = indices.astype(int64)
    return np.where(wide < 0, wide + size, wide) if from_end else wide


class OfIndices(Op, abstract=True):
    """Integers of one shape, one for each of some axes, give something of that shape."""

    sizes: Shape
    batch_together = True

    def index_shape(self, indices: tuple[TensorType, ...]) -> Shape:
        """Their shape. Raises DTypeError for what isn't integers, ShapeError for several shapes or another number."""
        if not indices or len(indices) != len(self.sizes):
            raise ShapeError(f"{self.name}: got {len(indices)} inputs; want one for each of {len(self.sizes)} axes")
        for t in indices:
            if t.dtype not in INTEGER:
                raise DTypeError(f"{self.name}: got {show_types(indices)}; want integers")
            if t.shape != indices[0].shape:
                raise ShapeError(f"{self.name}: got {show_types(indices)}; want one shape (broadcast them first)")
        return indices[0].shape

    def batch(self, size: int, batched: tuple[bool, ...], *indices: Tensor) -> Tensor:
        return self(*indices)

    def reads(self, *indices: TensorType) -> tuple[Read, ...]:
        return tuple([same_axes(len(t.shape)) for t in indices])


@dataclass(frozen=True, eq=False)
class Locate(OfIndices):
    """The places of elements in axes of `sizes` that are flattened in row-major order, from an index for each axis.

    `mode` says what becomes of an index that is out of range: "raise", "clip" (the nearest one that isn't), or "drop"
    (the place behind all others). Negative ones count `from_end`. `axes` are what messages call the axes.
    Shapes: one for each size, of one shape -> the same.  Dtypes: integers; gives int64.
    Raises ArgumentError for another mode; IndexRangeError at evaluation, if the mode is "raise".
    """

    sizes: Shape
    axes: tuple[int, ...]
    mode: str = RAISE
    from_end: bool = True
    non_differentiable = "an index is a whole number: it jumps, or stays"

    def infer(self, *indices: TensorType) -> TensorType:
        if self.mode not in (RAISE, CLIP, DROP):
            raise ArgumentError(f"Locate: got mode {self.mode!r}; want {RAISE!r}, {CLIP!r} or {DROP!r}")
        return TensorType(self.index_shape(indices), int64)

    def reference(self, *indices: Array) -> Array:
        out = np.zeros(indices[0].shape, int64)
        lost = np.zeros(indices[0].shape, bool_)
        for given, size, axis in zip(indices, self.sizes, self.axes, strict=True):
            place = counted(given, size, from_end=self.from_end)
            outside = (place < 0) | (place >= size)
            if self.mode == RAISE and outside.any():
                self.fail(given, outside, size, axis)
            lost |= outside
            out = out * size + np.clip(place, 0, max(size - 1, 0))
        return np.where(lost, prod(self.sizes), out) if self.mode == DROP else out

    def fail(self, indices: Array, outside: Array, size: int, axis: int) -> None:
        """Raise ValueFaultError for the first index that is outside."""
        element = tuple([int(i) for i in np.argwhere(outside)[0]])
        low = -size if self.from_end and indices.dtype not in UNSIGNED else 0
        want = f"{low} to {size - 1}" if size else "none, since the axis has no elements"
        at = f" at {list(element)}" if element else ""
        raise ValueFaultError(
            Fault.INDEX_OUT_OF_RANGE,
            element,
            f"{self.name}: got index {int(indices[element])} of axis {axis}{at}; want {want}",
        )

    @classmethod
    def domain(cls) -> list[Sample]:
        return [
            Sample(cls((3,), (0,)), (Draw((2, 2), high=3, like="index"),)),
            Sample(cls((3, 2), (0, 2)), (Draw((4,), high=3, like="index"), Draw((4,), high=2, like="index"))),
            Sample(cls((2,), (1,), CLIP), (Draw((5,), high=5, like="index"),)),
            Sample(cls((2, 2), (0, 1), DROP, False), (Draw((5,), high=4, like="index"),) * 2),
        ]


@dataclass(frozen=True, eq=False)
class Inside(OfIndices):
    """Whether indices, one for each axis of `sizes`, are all in range; negative ones count `from_end`.

    Shapes: one for each size, of one shape -> the same.  Dtypes: integers; gives bool.
    """

    sizes: Shape
    from_end: bool = True
    non_differentiable = "an index is in range or isn't"

    def infer(self, *indices: TensorType) -> TensorType:
        return TensorType(self.index_shape(indices), bool_)

    def reference(self, *indices: Array) -> Array:
        out = np.ones(indices[0].shape, bool_)
        for given, size in zip(indices, self.sizes, strict=True):
            place = counted(given, size, from_end=self.from_end)
            out &= (place >= 0) & (place < size)
        return out

    @classmethod
    def domain(cls) -> list[Sample]:
        return [
            Sample(cls((3,)), (Draw((2, 2), high=6, like="index"),)),
            Sample(cls((3, 2), False), (Draw((4,), high=4, like="index"), Draw((4,), high=3, like="index"))),
        ]
