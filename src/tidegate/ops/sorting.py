"""Sort and TopK: values, and the places where they were. NaN counts as larger than everything."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tidegate.core.dtypes import HALF, REAL, float32, int64
from tidegate.core.errors import ArgumentError, AxisError, ShapeError
from tidegate.core.graph import Array, Tensor, TensorType
from tidegate.core.kinds import Opaque
from tidegate.core.op import Draw, Sample
from tidegate.ops.indexing import ScatterAdd


def sorted_places(x: Array, *, descending: bool) -> Array:
    """The places of x's elements in order, along the last axis; at ties the lower place comes first.

    -0.0 ties with 0.0, and one NaN with another, which come after everything: last, or first in descending order.
    """
    comparable = x.astype(float32) if x.dtype in HALF else x
    if not descending:
        return np.argsort(comparable, axis=-1, kind="stable").astype(int64)
    # Ascending and stable on the reversed axis, reversed again: descending, the lower place first at ties.
    backward = np.argsort(comparable[..., ::-1], axis=-1, kind="stable")[..., ::-1]
    return (x.shape[-1] - 1 - backward).astype(int64)


PLACES = "places are whole numbers: they jump, or stay"


class Picked(Opaque, abstract=True):
    """Elements of the last axis, and the places where they were: the derivative goes back there."""

    no_gradient = {(1, 0): PLACES}

    def vjp(self, cotangents: tuple[Tensor, Tensor], outs: tuple[Tensor, Tensor], x: Tensor) -> tuple[Tensor]:
        last = x.ndim - 1
        return (ScatterAdd(x.shape, last, last)(cotangents[0], outs[1]),)

    def batch(self, size: int, batched: tuple[bool, ...], x: Tensor) -> tuple[Tensor, Tensor]:
        return self(x)


@dataclass(frozen=True, eq=False)
class Sort(Picked):
    """The elements along the last axis in ascending (or descending) order, and the places where they were.

    At ties the lower place comes first, in either order; -0.0 ties with 0.0. NaN counts as larger than everything:
    it comes last, or first in descending order.
    Shapes: x[..., n] -> values[..., n], places[..., n].  Dtypes: integers and floating point, kept; places int64.
    Raises AxisError if x has no axes.
    """

    descending: bool = False

    def infer(self, x: TensorType) -> tuple[TensorType, TensorType]:
        self.require([x], REAL)
        if not x.shape:
            raise AxisError(f"Sort: got {x}; want at least one axis")
        return x, TensorType(x.shape, int64)

    def reference(self, x: Array) -> tuple[Array, Array]:
        places = sorted_places(x, descending=self.descending)
        return np.take_along_axis(x, places, -1), places

    @classmethod
    def domain(cls) -> list[Sample]:
        return [
            Sample(cls(), (Draw((3, 4), like="distinct"),)),
            Sample(cls(True), (Draw((5,), like="distinct"),)),
            Sample(cls(), (Draw((2, 0), like="distinct"),)),
        ]


@dataclass(frozen=True, eq=False)
class TopK(Picked):
    """The k largest along the last axis, largest first, and their places; or the k smallest, smallest first.

    At ties the lower place comes first. NaN counts as larger than everything.
    Shapes: x[..., n] -> values[..., k], places[..., k].  Dtypes: integers and floating point, kept; places int64.
    Raises ShapeError if x has no axes or fewer than k elements, ArgumentError for a negative k.
    """

    k: int
    largest: bool = True

    def infer(self, x: TensorType) -> tuple[TensorType, TensorType]:
        self.require([x], REAL)
        if self.k < 0:
            raise ArgumentError(f"TopK: got k = {self.k}; want at least 0")
        if not x.shape or not isinstance(x.shape[-1], int) or x.shape[-1] < self.k:
            raise ShapeError(f"TopK: got {x}; want at least k = {self.k} along the last axis")
        shape = (*x.shape[:-1], self.k)
        return TensorType(shape, x.dtype), TensorType(shape, int64)

    def reference(self, x: Array) -> tuple[Array, Array]:
        places = sorted_places(x, descending=self.largest)[..., : self.k]
        return np.take_along_axis(x, places, -1), places

    @classmethod
    def domain(cls) -> list[Sample]:
        return [
            Sample(cls(2), (Draw((3, 4), like="distinct"),)),
            Sample(cls(3), (Draw((3,), like="distinct"),)),
            Sample(cls(0), (Draw((2, 2), like="distinct"),)),
            Sample(cls(2, False), (Draw((2, 4), like="distinct"),)),
        ]
