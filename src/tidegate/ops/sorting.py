"""TopK: several outputs, one of them of integers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tidegate.core.dtypes import HALF, REAL, float32, int64
from tidegate.core.errors import ArgumentError, ShapeError
from tidegate.core.graph import Array, Tensor, TensorType
from tidegate.core.kinds import Opaque
from tidegate.core.op import Draw, Sample
from tidegate.ops.indexing import ScatterAdd


@dataclass(frozen=True, eq=False)
class TopK(Opaque):
    """The k largest along the last axis, largest first, and their places. At ties the lower place comes first.

    NaN counts as larger than everything.
    Shapes: x[..., n] -> values[..., k], places[..., k].  Dtypes: integers and floating point, kept; places int64.
    Raises ShapeError if x has no axes or fewer than k elements, ArgumentError for a negative k.
    """

    k: int

    no_gradient = {(1, 0): "places are whole numbers: they jump, or stay"}

    def infer(self, x: TensorType) -> tuple[TensorType, TensorType]:
        self.require([x], REAL)
        if self.k < 0:
            raise ArgumentError(f"TopK: got k = {self.k}; want at least 0")
        if not x.shape or not isinstance(x.shape[-1], int) or x.shape[-1] < self.k:
            raise ShapeError(f"TopK: got {x}; want at least k = {self.k} along the last axis")
        shape = (*x.shape[:-1], self.k)
        return TensorType(shape, x.dtype), TensorType(shape, int64)

    def reference(self, x: Array) -> tuple[Array, Array]:
        comparable = x.astype(float32) if x.dtype in HALF else x
        last = x.shape[-1] - 1
        # Ascending and stable on the reversed axis, reversed again: descending, the lower place first at ties.
        places = last - np.argsort(comparable[..., ::-1], axis=-1, kind="stable")[..., ::-1][..., : self.k]
        return np.take_along_axis(x, places, -1), places.astype(int64)

    def vjp(self, cotangents: tuple[Tensor, Tensor], outs: tuple[Tensor, Tensor], x: Tensor) -> tuple[Tensor]:
        last = x.ndim - 1
        return (ScatterAdd(x.shape, last, last)(cotangents[0], outs[1]),)

    def batch(self, size: int, batched: tuple[bool, ...], x: Tensor) -> tuple[Tensor, Tensor]:
        return self(x)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [
            Sample(cls(2), (Draw((3, 4), like="distinct"),)),
            Sample(cls(3), (Draw((3,), like="distinct"),)),
            Sample(cls(0), (Draw((2, 2), like="distinct"),)),
        ]
