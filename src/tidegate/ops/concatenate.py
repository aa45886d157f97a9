"""Concatenate, whose adjoint is a Slice for each input."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np

from tidegate.core.dtypes import ANY
from tidegate.core.errors import AxisError, ShapeError
from tidegate.core.graph import Array, Tensor, TensorType
from tidegate.core.kinds import IndexedRead
from tidegate.core.op import Draw, Sample, show_types
from tidegate.ops.broadcast import without
from tidegate.ops.window import part


@dataclass(frozen=True, eq=False)
class Concatenate(IndexedRead):
    """`count` tensors one after another along `axis`.

    Shapes: one shape, but for their sizes along `axis`, which are added up.  Dtypes: one, any, kept.
    Raises ShapeError for another number of inputs, none at all, or shapes that differ elsewhere; AxisError if there is
    no such axis.
    """

    axis: int
    count: int

    batch_together = True

    def infer(self, *inputs: TensorType) -> TensorType:
        if len(inputs) != self.count or not inputs:
            raise ShapeError(f"Concatenate: got {len(inputs)} inputs; want {max(self.count, 1)}")
        self.require(inputs, ANY)
        first = inputs[0]
        if not 0 <= self.axis < len(first.shape):
            raise AxisError(f"Concatenate: got axis {self.axis} of {first}")
        rest = without(first.shape, (self.axis,))
        if any(len(t.shape) != len(first.shape) or without(t.shape, (self.axis,)) != rest for t in inputs):
            raise ShapeError(f"Concatenate: got {show_types(inputs)}; want one shape but along axis {self.axis}")
        total = sum([t.shape[self.axis] for t in inputs])
        return TensorType((*first.shape[: self.axis], total, *first.shape[self.axis + 1 :]), first.dtype)

    def reference(self, *xs: Array) -> Array:
        return np.concatenate(xs, self.axis)

    def adjoint(self, cotangent: Tensor, *xs: Tensor) -> tuple[Tensor, ...]:
        ends = [0, *accumulate([x.shape[self.axis] for x in xs])]
        return tuple([part(cotangent, self.axis, a, b) for a, b in pairwise(ends)])

    def batch(self, size: int, batched: tuple[bool, ...], *xs: Tensor) -> Tensor:
        return Concatenate(self.axis + 1, self.count)(*xs)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [
            Sample(cls(1, 3), (Draw((2, 1)), Draw((2, 3)), Draw((2, 0)))),
            Sample(cls(0, 2), (Draw((2, 3)), Draw((1, 3)))),
            Sample(cls(0, 1), (Draw((2,)),)),
        ]
