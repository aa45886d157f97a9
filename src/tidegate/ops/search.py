"""Places found by looking at values: NonZero, UniquePlaces and SearchSorted."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from tidegate.core.dtypes import ANY, HALF, REAL, float32, int64
from tidegate.core.errors import ArgumentError, AxisError, ShapeError
from tidegate.core.graph import Array, Tensor, TensorType
from tidegate.core.kinds import Opaque
from tidegate.core.op import Draw, Op, Sample, show_types
from tidegate.ops.sorting import PLACES


def check_batch_axes(op: Op, batch_axes: int, x: TensorType, more: int) -> None:
    """Raise AxisError unless x has `more` axes behind the first `batch_axes`."""
    if batch_axes < 0 or len(x.shape) < batch_axes + more:
        raise AxisError(f"{op.name}: got {x}; want {batch_axes} leading axes and at least {more} more")


def not_in_a_batch(op: Op, size: object) -> None:
    """Raise ShapeError for a size that each example of a batch would have its own of."""
    if not isinstance(size, int):
        raise ShapeError(f"{op.name}: each example of the batch would give another size; give a size, or use tg.where")


def different_values(x: Array) -> int:
    """How many different values x has; each NaN is one of its own."""
    return np.unique(x.astype(float32) if x.dtype in HALF else x, equal_nan=False).size


@dataclass(frozen=True, eq=False)
class NonZero(Opaque):
    """The places of the first `size` elements that aren't 0, in row-major order: an output for each axis n.

    Where there are fewer, the rest is `fill`, one number an axis. The first `batch_axes` axes are a batch.
    Shapes: x[b..., n...] -> [b..., size] for each n.  Dtypes: any; gives int64.
    Raises AxisError for no n, ArgumentError for another number of fills.
    """

    size: Any
    fill: tuple[int, ...]
    batch_axes: int = 0
    non_differentiable = PLACES

    def measured(self, x: Array) -> dict[Any, int]:
        return {self.size: int(np.count_nonzero(x))}

    def infer(self, x: TensorType) -> tuple[TensorType, ...]:
        self.require([x], ANY)
        check_batch_axes(self, self.batch_axes, x, 1)
        if len(self.fill) != len(x.shape) - self.batch_axes:
            raise ArgumentError(f"NonZero: got {len(self.fill)} fills for {x}; want one for each axis")
        return (TensorType((*x.shape[: self.batch_axes], self.size), int64),) * len(self.fill)

    def reference(self, x: Array) -> Array | tuple[Array, ...]:
        lead, inner = x.shape[: self.batch_axes], x.shape[self.batch_axes :]
        outs = [np.full((prod(lead), self.size), fill, int64) for fill in self.fill]
        for k, row in enumerate(x.reshape(prod(lead), *inner)):
            for out, places in zip(outs, np.nonzero(row), strict=True):
                out[k, : len(places)] = places[: self.size]
        shaped = tuple([out.reshape(*lead, self.size) for out in outs])
        return shaped if self.several(len(shaped)) else shaped[0]

    def batch(self, size: int, batched: tuple[bool, ...], x: Tensor) -> Any:
        not_in_a_batch(self, self.size)
        return NonZero(self.size, self.fill, self.batch_axes + 1)(x)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [
            Sample(cls(3, (0,)), (Draw((4,)),)),
            Sample(cls(5, (2, 3)), (Draw((2, 3)),)),
            Sample(cls(2, (-1,), 1), (Draw((2, 3)),)),
            Sample(cls(0, (0,)), (Draw((0,)),)),
        ]


@dataclass(frozen=True, eq=False)
class UniquePlaces(Opaque):
    """The first `size` different values, least first: where each comes first, which one each element is, how often.

    Places are in row-major order. Each NaN is a value of its own, after all others; -0.0 is 0.0. Where there are fewer
    than `size`, places are that of the least value and counts 0. The first `batch_axes` axes are a batch.
    Shapes: x[b..., n...] -> places[b..., size], which[b..., n...], counts[b..., size].  Dtypes: any; gives int64.
    Raises ShapeError where places are wanted and there are no elements.
    """

    size: Any
    batch_axes: int = 0
    non_differentiable = PLACES

    def measured(self, x: Array) -> dict[Any, int]:
        return {self.size: different_values(x)}

    def infer(self, x: TensorType) -> tuple[TensorType, TensorType, TensorType]:
        self.require([x], ANY)
        check_batch_axes(self, self.batch_axes, x, 0)
        inner = x.shape[self.batch_axes :]
        if self.size and any([isinstance(n, int) and n == 0 for n in inner]):
            raise ShapeError(f"UniquePlaces: got {x} and size {self.size}; there are no values (want size 0)")
        short = TensorType((*x.shape[: self.batch_axes], self.size), int64)
        return short, TensorType(x.shape, int64), short

    def reference(self, x: Array) -> tuple[Array, Array, Array]:
        lead = x.shape[: self.batch_axes]
        rows = x.reshape(prod(lead), prod(x.shape[self.batch_axes :]))
        places, counts = np.zeros((2, len(rows), self.size), int64)
        which = np.zeros(rows.shape, int64)
        for k, row in enumerate(rows):
            comparable = row.astype(float32) if row.dtype in HALF else row
            _, first, inverse, often = np.unique(
                comparable, return_index=True, return_inverse=True, return_counts=True, equal_nan=False
            )
            which[k] = inverse.reshape(-1)
            if self.size:
                places[k] = first[0]
            places[k, : len(first)], counts[k, : len(first)] = first[: self.size], often[: self.size]
        return places.reshape(*lead, self.size), which.reshape(x.shape), counts.reshape(*lead, self.size)

    def batch(self, size: int, batched: tuple[bool, ...], x: Tensor) -> tuple[Tensor, ...]:
        not_in_a_batch(self, self.size)
        return UniquePlaces(self.size, self.batch_axes + 1)(x)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [
            Sample(cls(3), (Draw((4,), 0.0, 0.0),)),
            Sample(cls(2), (Draw((2, 3)),)),
            Sample(cls(4, 1), (Draw((2, 3)),)),
            Sample(cls(1), (Draw(()),)),
        ]


@dataclass(frozen=True, eq=False)
class SearchSorted(Opaque):
    """Where each of `values` would go in x, which is sorted: before equal elements, or after them (`right`).

    NaN counts as larger than everything. The first `batch_axes` axes are a batch.
    Shapes: x[b..., n], values[b..., m...] -> [b..., m...].  Dtypes: two of one integer or floating point dtype; gives
    int64.
    Raises AxisError unless x has one axis more than the batch, ShapeError where the batch's differ.
    """

    right: bool = False
    batch_axes: int = 0
    batch_together = True
    non_differentiable = PLACES

    def infer(self, x: TensorType, values: TensorType) -> TensorType:
        self.require([x, values], REAL)
        count = self.batch_axes
        if count < 0 or len(x.shape) != count + 1 or len(values.shape) < count:
            raise AxisError(f"SearchSorted: got {show_types([x, values])}; want {count} equal axes, and x one more")
        if x.shape[:count] != values.shape[:count]:
            raise ShapeError(f"SearchSorted: got {show_types([x, values])}; want {count} equal axes")
        return TensorType(values.shape, int64)

    def reference(self, x: Array, values: Array) -> Array:
        if x.dtype in HALF:
            x, values = x.astype(float32), values.astype(float32)
        lead, inner = values.shape[: self.batch_axes], values.shape[self.batch_axes :]
        rows = zip(x.reshape(prod(lead), x.shape[-1]), values.reshape(prod(lead), prod(inner)), strict=True)
        side = "right" if self.right else "left"
        found = [np.searchsorted(a, v, side=side) for a, v in rows]
        return np.asarray(found, int64).reshape(values.shape)

    def batch(self, size: int, batched: tuple[bool, ...], x: Tensor, values: Tensor) -> Tensor:
        return SearchSorted(self.right, self.batch_axes + 1)(x, values)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [
            Sample(cls(), (Draw((4,), 0.0, 0.0), Draw((2, 3)))),
            Sample(cls(True), (Draw((4,), 1.0, 1.0), Draw(()))),
            Sample(cls(False, 1), (Draw((2, 3), 0.0, 0.0), Draw((2, 2)))),
            Sample(cls(), (Draw((0,)), Draw((2,)))),
        ]
