"""Gather and ScatterAdd: each is the other's adjoint."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from tidegate.core.dtypes import ANY, INTEGER, NUMERIC
from tidegate.core.errors import AxisError, DTypeError, Fault, ShapeError, ValueFaultError
from tidegate.core.graph import Array, Tensor, TensorType
from tidegate.core.kinds import IndexedRead, Scatter, in_float32
from tidegate.core.op import Draw, Op, Sample, show_types
from tidegate.core.shapes import Shape, show_shape
from tidegate.ops.broadcast import repeat
from tidegate.ops.layout import moved

INDEX = "an index chooses; it isn't passed on"


def gathered_shape(op: Op, shape: Shape, indices: TensorType, axis: int, batch_axes: int) -> Shape:
    """The shape that gathering from `shape` gives.

    Raises AxisError for an axis that isn't there, ShapeError where the shared leading axes differ, DTypeError for
    indices that aren't integers.
    """
    if indices.dtype not in INTEGER:
        raise DTypeError(f"{op.name}: got indices {indices}; want integers")
    if not 0 <= batch_axes <= axis < len(shape):
        raise AxisError(f"{op.name}: got axis {axis} with {batch_axes} shared axes, of [{show_shape(shape)}]")
    if shape[:batch_axes] != indices.shape[:batch_axes]:
        raise ShapeError(f"{op.name}: got [{show_shape(shape)}] and indices {indices}; want {batch_axes} equal axes")
    return (*shape[:axis], *indices.shape[batch_axes:], *shape[axis + 1 :])


def checked(op: Op, indices: Array, size: int) -> Array:
    """Indices as intp. Raises ValueFaultError, with the element, where one is out of range."""
    wrong = (indices < 0) | (indices >= size)
    if wrong.any():
        element = tuple(int(i) for i in np.argwhere(wrong)[0])
        got = int(indices[element])
        want = f"0 to {size - 1}" if size else "none, since the axis has no elements"
        raise ValueFaultError(
            Fault.INDEX_OUT_OF_RANGE, element, f"{op.name}: got index {got} at {list(element)}; want {want}"
        )
    return indices.astype(np.intp)


@dataclass(frozen=True, eq=False)
class Gather(IndexedRead):
    """The elements of x at `indices` along `axis`. The first `batch_axes` axes of x and indices are shared.

    Shapes: x[b..., p..., n, q...], indices[b..., m...] -> [b..., p..., m..., q...].
    Dtypes: any, kept; indices are integers.
    Raises AxisError, ShapeError, DTypeError; IndexRangeError at evaluation for an index outside 0 to n - 1.
    """

    axis: int
    batch_axes: int = 0

    no_gradient = {1: INDEX}

    def infer(self, x: TensorType, indices: TensorType) -> TensorType:
        self.require([x], ANY)
        return TensorType(gathered_shape(self, x.shape, indices, self.axis, self.batch_axes), x.dtype)

    def reference(self, x: Array, indices: Array) -> Array:
        out_shape = (*x.shape[: self.axis], *indices.shape[self.batch_axes :], *x.shape[self.axis + 1 :])
        shared, before, size, after = split_sizes(x.shape, self.axis, self.batch_axes)
        rows = checked(self, indices, size).reshape(shared, prod(indices.shape[self.batch_axes :]))
        taken = x.reshape(shared, before, size, after)[np.arange(shared)[:, None], :, rows]
        return np.moveaxis(taken, 1, 2).reshape(out_shape)

    def adjoint(self, cotangent: Tensor, x: Tensor, indices: Tensor) -> tuple[Tensor, None]:
        return ScatterAdd(x.shape, self.axis, self.batch_axes)(cotangent, indices), None

    def batch(self, size: int, batched: tuple[bool, ...], x: Tensor, indices: Tensor) -> Tensor:
        if self.batch_axes == 0 and not batched[1]:
            return Gather(self.axis + 1)(x, indices)
        if self.batch_axes == 0 and not batched[0]:
            return moved(Gather(self.axis)(x, indices), self.axis, 0)
        x = x if batched[0] else repeat(size, x)
        indices = indices if batched[1] else repeat(size, indices)
        return Gather(self.axis + 1, self.batch_axes + 1)(x, indices)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [
            Sample(cls(1), (Draw((2, 3)), Draw((2, 2), high=3, like="index"))),
            Sample(cls(0), (Draw((3,)), Draw((), high=3, like="index"))),
            Sample(cls(2, 1), (Draw((2, 2, 3)), Draw((2, 4), high=3, like="index"))),
            Sample(cls(1, 1), (Draw((2, 3)), Draw((2, 0), high=3, like="index"))),
        ]


def split_sizes(shape: tuple[int, ...], axis: int, batch_axes: int) -> tuple[int, int, int, int]:
    """Elements along the shared axes, those before `axis`, it, and those after it."""
    return prod(shape[:batch_axes]), prod(shape[batch_axes:axis]), shape[axis], prod(shape[axis + 1 :])


@dataclass(frozen=True, eq=False)
class ScatterAdd(Scatter):
    """Zeros of `shape` with `updates` added at `indices` along `axis`; an index that comes again adds again.

    The adjoint of Gather, with its shapes.
    Shapes: updates[b..., p..., m..., q...], indices[b..., m...] -> `shape` = [b..., p..., n, q...].
    Dtypes: any numeric, kept; accumulated in float32 or wider; indices are integers.
    Raises AxisError, ShapeError, DTypeError; IndexRangeError at evaluation for an index outside 0 to n - 1.
    """

    shape: Shape
    axis: int
    batch_axes: int = 0

    no_gradient = {1: INDEX}

    def infer(self, updates: TensorType, indices: TensorType) -> TensorType:
        self.require([updates], NUMERIC)
        want = gathered_shape(self, self.shape, indices, self.axis, self.batch_axes)
        if updates.shape != want:
            raise ShapeError(f"ScatterAdd: got {show_types([updates, indices])}; want updates [{show_shape(want)}]")
        return TensorType(self.shape, updates.dtype)

    def reference(self, updates: Array, indices: Array) -> Array:
        shared, before, size, after = split_sizes(self.shape, self.axis, self.batch_axes)
        count = prod(indices.shape[self.batch_axes :])
        rows = checked(self, indices, size).reshape(shared, count)

        def added(values: Array) -> Array:
            out = np.zeros((shared, before, size, after), values.dtype)
            values = np.moveaxis(values.reshape(shared, before, count, after), 2, 1)
            places: Any = (np.arange(shared)[:, None], slice(None), rows)
            np.add.at(out, places, values)
            return out.reshape(self.shape)

        return in_float32(added, updates)

    def adjoint(self, cotangent: Tensor, updates: Tensor, indices: Tensor) -> tuple[Tensor, None]:
        return Gather(self.axis, self.batch_axes)(cotangent, indices), None

    def batch(self, size: int, batched: tuple[bool, ...], updates: Tensor, indices: Tensor) -> Tensor:
        shape = (size, *self.shape)
        if self.batch_axes == 0 and not batched[1]:
            return ScatterAdd(shape, self.axis + 1)(updates, indices)
        updates = updates if batched[0] else repeat(size, updates)
        indices = indices if batched[1] else repeat(size, indices)
        return ScatterAdd(shape, self.axis + 1, self.batch_axes + 1)(updates, indices)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [
            Sample(cls((2, 3), 1), (Draw((2, 2, 2)), Draw((2, 2), high=3, like="index"))),
            Sample(cls((3,), 0), (Draw(()), Draw((), high=3, like="index"))),
            Sample(cls((2, 2, 3), 2, 1), (Draw((2, 2, 4)), Draw((2, 4), high=3, like="index"))),
            Sample(cls((2, 3), 1, 1), (Draw((2, 0)), Draw((2, 0), high=3, like="index"))),
        ]
