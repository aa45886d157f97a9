"""Scatters into a tensor: ScatterSet, ScatterMax, ScatterMin and ScatterMultiply. (ScatterAdd is Gather's adjoint.)"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any, ClassVar

import numpy as np

from tidegate.core.dtypes import ANY, INTEGER, NUMERIC, REAL, DType, int64
from tidegate.core.errors import AxisError, DTypeError, ShapeError
from tidegate.core.graph import Array, Tensor, TensorType
from tidegate.core.kinds import Scatter, in_float32
from tidegate.core.op import Draw, Sample, show_types
from tidegate.core.shapes import show_shape
from tidegate.ops.broadcast import filled, spread, zeros_like
from tidegate.ops.cast import cast
from tidegate.ops.creation import Iota
from tidegate.ops.elementwise import Equal, NotEqual, add, conjugate, divide, multiply, select
from tidegate.ops.indexing import INDEX, Gather, ScatterAdd, checked
from tidegate.ops.recurrence import LinearRecurrence, advanced
from tidegate.ops.sorting import Sort


class ScatterInto(Scatter, abstract=True):
    """x with `updates` combined into it at `indices` along an axis, behind `batch_axes` axes that all three share."""

    batch_axes: int
    dtypes: ClassVar[frozenset[DType]] = NUMERIC
    batch_together = True
    no_gradient = {2: INDEX}

    def infer(self, x: TensorType, updates: TensorType, indices: TensorType) -> TensorType:
        self.require([x, updates], self.dtypes)
        axis = self.batch_axes
        if indices.dtype not in INTEGER:
            raise DTypeError(f"{self.name}: got indices {indices}; want integers")
        if not 0 <= axis < len(x.shape):
            raise AxisError(f"{self.name}: got axis {axis} of {x}")
        if len(indices.shape) != axis + 1 or indices.shape[:axis] != x.shape[:axis]:
            raise ShapeError(f"{self.name}: got {x} and indices {indices}; want {axis} equal axes and one more")
        want = (*indices.shape, *x.shape[axis + 1 :])
        if updates.shape != want:
            raise ShapeError(f"{self.name}: got {show_types([x, updates, indices])}; want updates [{show_shape(want)}]")
        return x

    def reference(self, x: Array, updates: Array, indices: Array) -> Array:
        axis = self.batch_axes
        shared, after, count = prod(x.shape[:axis]), prod(x.shape[axis + 1 :]), indices.shape[axis]
        rows = checked(self, indices, x.shape[axis]).reshape(shared, count)

        def combined(into: Array, values: Array) -> Array:
            out = into.reshape(shared, x.shape[axis], after).copy()
            self.combine(out, rows, values.reshape(shared, count, after))
            return out.reshape(x.shape)

        return in_float32(combined, x, updates)

    combine: Any
    """combine(out, rows, values): changes out[shared, n, after] at rows[shared, m] by values[shared, m, after]."""

    def batch(self, size: int, batched: tuple[bool, ...], x: Tensor, updates: Tensor, indices: Tensor) -> Tensor:
        return type(self)(self.batch_axes + 1)(x, updates, indices)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [
            Sample(cls(0), (Draw((3,)), Draw((4,)), Draw((4,), high=3, like="index"))),
            Sample(cls(1), (Draw((2, 3, 2)), Draw((2, 4, 2)), Draw((2, 4), high=3, like="index"))),
            Sample(cls(1), (Draw((2, 3)), Draw((2, 0)), Draw((2, 0), high=3, like="index"))),
        ]


def by_ufunc(function: np.ufunc) -> Callable[..., None]:
    """Combine by a ufunc, an index that comes again again."""

    def combine(self: Any, out: Array, rows: Array, values: Array) -> None:
        places: Any = (np.arange(len(rows))[:, None], rows)
        function.at(out, places, values)

    return combine


@dataclass(frozen=True, eq=False)
class ScatterSet(ScatterInto):
    """x with `updates` in the place of the elements at `indices`; of an index that comes again the last one stands.

    What is overwritten gets no gradient: neither x's elements nor the updates that weren't the last.
    Shapes: x[b..., n, q...], updates[b..., m, q...], indices[b..., m] -> x's.  Dtypes: any, kept; indices are integers.
    Raises AxisError, ShapeError, DTypeError; IndexRangeError at evaluation for an index outside 0 to n - 1.
    """

    batch_axes: int
    dtypes = ANY

    def combine(self, out: Array, rows: Array, values: Array) -> None:
        for k, row in enumerate(rows):
            places, from_end = np.unique(row[::-1], return_index=True)
            out[k, places] = values[k, len(row) - 1 - from_end]

    def adjoint(self, cotangent: Tensor, x: Tensor, updates: Tensor, indices: Tensor) -> tuple[Tensor, Tensor, None]:
        axis = self.batch_axes
        taken = Gather(axis, axis)(cotangent, indices)
        places = Iota(indices.shape, axis, int64)()
        nobody = filled(0, TensorType(x.shape[: axis + 1], int64))
        last = Gather(axis, axis)(self(nobody, places, indices), indices)
        stands = spread(Equal()(last, places), updates.shape, tuple(range(axis + 1, updates.ndim)))
        mine = select(stands, taken, zeros_like(taken))
        return self(cotangent, zeros_like(updates), indices), mine, None


class ScatterExtreme(ScatterInto, abstract=True):
    """x combined with updates by maximum or minimum; ties share the derivative equally, as TensorFlow's do."""

    dtypes = REAL

    def vjp(
        self, cotangent: Tensor, out: Tensor, x: Tensor, updates: Tensor, indices: Tensor
    ) -> tuple[Tensor, Tensor, None]:
        axis = self.batch_axes
        gather = Gather(axis, axis)
        stayed, came = Equal()(x, out), Equal()(updates, gather(out, indices))
        count = add(cast(stayed, x.dtype), ScatterAdd(x.shape, axis, axis)(cast(came, x.dtype), indices))
        share = divide(cotangent, count)
        taken = gather(share, indices)
        return select(stayed, share, zeros_like(x)), select(came, taken, zeros_like(taken)), None

    @classmethod
    def domain(cls) -> list[Sample]:
        return [
            Sample(op, (Draw(x.shape, 3.0, 4.0, like="distinct"), Draw(u.shape, 2.5, 4.6, like="distinct"), i))
            for op, (x, u, i) in [(s.op, s.inputs) for s in super().domain()]
        ]


@dataclass(frozen=True, eq=False)
class ScatterMax(ScatterExtreme):
    """x, but the largest of it and all `updates` there at `indices`; NaN if one is. Ties share the derivative equally.

    Shapes: x[b..., n, q...], updates[b..., m, q...], indices[b..., m] -> x's.
    Dtypes: integers and floating point, kept; indices are integers.
    Raises AxisError, ShapeError, DTypeError; IndexRangeError at evaluation for an index outside 0 to n - 1.
    """

    batch_axes: int
    combine = by_ufunc(np.maximum)


@dataclass(frozen=True, eq=False)
class ScatterMin(ScatterExtreme):
    """x, but the least of it and all `updates` there at `indices`; NaN if one is. Ties share the derivative equally.

    Shapes: x[b..., n, q...], updates[b..., m, q...], indices[b..., m] -> x's.
    Dtypes: integers and floating point, kept; indices are integers.
    Raises AxisError, ShapeError, DTypeError; IndexRangeError at evaluation for an index outside 0 to n - 1.
    """

    batch_axes: int
    combine = by_ufunc(np.minimum)


@dataclass(frozen=True, eq=False)
class ScatterMultiply(ScatterInto):
    """x times the product of all `updates` at `indices`.

    The derivative divides by nothing, so it is right where there are zeros: an update gets the product of those
    before it and those after it at the same place, two recurrences over the updates sorted by place.
    Shapes: x[b..., n, q...], updates[b..., m, q...], indices[b..., m] -> x's.
    Dtypes: any numeric, kept; multiplied in float32 or wider; indices are integers.
    Raises AxisError, ShapeError, DTypeError; IndexRangeError at evaluation for an index outside 0 to n - 1.
    """

    batch_axes: int
    combine = by_ufunc(np.multiply)

    def vjp(
        self, cotangent: Tensor, out: Tensor, x: Tensor, updates: Tensor, indices: Tensor
    ) -> tuple[Tensor, Tensor, None]:
        product = self(filled(1, x.type), updates, indices)
        others = self.product_of_others(updates, indices)
        taken = Gather(self.batch_axes, self.batch_axes)(multiply(cotangent, conjugate(x)), indices)
        return multiply(cotangent, conjugate(product)), multiply(taken, conjugate(others)), None

    def product_of_others(self, updates: Tensor, indices: Tensor) -> Tensor:
        """For each update the product of all others at its place."""
        axis = self.batch_axes
        count = updates.shape[axis]
        gather = Gather(axis, axis)
        places, order = Sort()(cast(indices, int64))
        values = gather(updates, order)
        number = Iota(places.shape, axis, int64)()
        first = Equal()(number, zeros_like(number))
        changes = NotEqual()(places, advanced(places, axis, backward=False))
        starts = select(first, first, changes)
        last = Equal()(number, filled(count - 1, number.type))
        ends = select(last, last, advanced(starts, axis, backward=True))

        def product(bounds: Tensor, *, backward: bool) -> Tensor:
            """The product of the updates before (or after) each one at its place; 1 at the bounds."""
            bounds = spread(bounds, values.shape, tuple(range(axis + 1, values.ndim)))
            one, zero = filled(1, values.type), zeros_like(values)
            beside = advanced(values, axis, backward=backward)
            return LinearRecurrence(axis, backward)(select(bounds, zero, beside), select(bounds, one, zero))

        others = multiply(product(starts, backward=False), product(ends, backward=True))
        return ScatterAdd(updates.shape, axis, axis)(others, order)
