"""Reductions that aren't linear."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tidegate.core.dtypes import REAL, int64
from tidegate.core.errors import AxisError, ShapeError
from tidegate.core.graph import Array, Tensor, TensorType
from tidegate.core.kinds import Reduction, in_float32
from tidegate.core.op import Draw, Op, Sample
from tidegate.ops.broadcast import Sum, check_axes, shifted, spread, without, zeros_like
from tidegate.ops.cast import Cast
from tidegate.ops.elementwise import Equal, divide, select


def refuse_empty(op: Op, axes: tuple[int, ...], x: TensorType) -> None:
    """Raise ShapeError where a reduction without identity has nothing to reduce."""
    if any(isinstance(x.shape[a], int) and x.shape[a] == 0 for a in axes):
        raise ShapeError(f"{op.name}: got {x}; there is no largest of no elements (axes {axes})")


@dataclass(frozen=True, eq=False)
class Max(Reduction):
    """The largest element over `axes`, which are dropped; NaN if one is NaN. Ties share the derivative equally.

    Shapes: x[...] -> x without `axes`.  Dtypes: integers and floating point, kept.
    Raises AxisError if an axis isn't one of x's, ShapeError if one of them has no elements.
    """

    axes: tuple[int, ...]

    def infer(self, x: TensorType) -> TensorType:
        self.require([x], REAL)
        check_axes(self, self.axes, x)
        refuse_empty(self, self.axes, x)
        return TensorType(without(x.shape, self.axes), x.dtype)

    def reference(self, x: Array) -> Array:
        return in_float32(lambda y: np.max(y, axis=self.axes), x)

    def vjp(self, cotangent: Tensor, out: Tensor, x: Tensor) -> tuple[Tensor]:
        largest = Equal()(x, spread(out, x.shape, self.axes))
        count = Sum(self.axes)(Cast(x.dtype)(largest))
        share = divide(cotangent, count)
        return (select(largest, spread(share, x.shape, self.axes), zeros_like(x)),)

    def batch(self, size: int, batched: tuple[bool, ...], x: Tensor) -> Tensor:
        return Max(shifted(self.axes))(x)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [
            Sample(cls((1,)), (Draw((3, 4), like="distinct"),)),
            Sample(cls((0, 1)), (Draw((2, 3), like="distinct"),)),
            Sample(cls(()), (Draw((2,), like="distinct"),)),
            Sample(cls((1,)), (Draw((0, 2), like="distinct"),)),
        ]


@dataclass(frozen=True, eq=False)
class ArgMax(Reduction):
    """The place of the largest element along `axis`, which is dropped: the first at ties, the first NaN if any.

    Shapes: x[...] -> x without `axis`.  Dtypes: integers and floating point; gives int64.
    Raises AxisError if there is no such axis, ShapeError if it has no elements.
    """

    axis: int
    non_differentiable = "a place is a whole number: it jumps, or stays"

    @property
    def axes(self) -> tuple[int, ...]:
        return (self.axis,)

    def infer(self, x: TensorType) -> TensorType:
        self.require([x], REAL)
        if not 0 <= self.axis < len(x.shape):
            raise AxisError(f"ArgMax: got axis {self.axis} of {x}")
        refuse_empty(self, self.axes, x)
        return TensorType(without(x.shape, self.axes), int64)

    def reference(self, x: Array) -> Array:
        return np.asarray(in_float32(lambda y: np.argmax(y, axis=self.axis), x)).astype(int64)

    def batch(self, size: int, batched: tuple[bool, ...], x: Tensor) -> Tensor:
        return ArgMax(self.axis + 1)(x)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [Sample(cls(1), (Draw((3, 4)),)), Sample(cls(0), (Draw((3,)),)), Sample(cls(1), (Draw((0, 2)),))]
