"""Reshape, Permute, Reverse; and two ops that unknown sizes need: a size as a value, and one taken for another."""

from __future__ import annotations

from dataclasses import dataclass
from operator import index
from typing import Any

import numpy as np

from tidegate.core.dtypes import NUMERIC, DType, float64, scalar_array
from tidegate.core.errors import AxisError, ShapeError
from tidegate.core.graph import Array, Tensor, TensorType
from tidegate.core.kinds import AxisRead, Flat, Generator, Read, View, same_axes
from tidegate.core.op import Draw, Sample
from tidegate.core.shapes import Shape, element_count, show_shape


@dataclass(frozen=True, eq=False)
class Reshape(View):
    """x's elements, in row-major order, in `shape`.

    Shapes: x[...] -> `shape`, of as many elements.  Dtypes: any, kept.
    Raises ShapeError if the numbers of elements are known and differ.
    """

    shape: Shape

    def infer(self, x: TensorType) -> TensorType:
        old, new = element_count(x.shape), element_count(self.shape)
        if isinstance(old, int) and isinstance(new, int) and old != new:
            raise ShapeError(f"Reshape: got {x} of {old} elements; [{show_shape(self.shape)}] wants {new}")
        return TensorType(self.shape, x.dtype)

    def reference(self, x: Array) -> Array:
        return np.reshape(x, self.shape)

    def adjoint(self, cotangent: Tensor, x: Tensor) -> tuple[Tensor]:
        return (Reshape(x.shape)(cotangent),)

    def batch(self, size: int, batched: tuple[bool, ...], x: Tensor) -> Tensor:
        return Reshape((size, *self.shape))(x)

    def reads(self, x: TensorType) -> tuple[Read, ...]:
        return (Flat(),)

    @classmethod
    def domain(cls) -> list[Sample]:
        pairs: list[tuple[tuple[int, ...], tuple[int, ...]]] = [((3, 2), (2, 3)), ((), (1,)), ((0,), (2, 0))]
        return [Sample(cls(new), (Draw(old),)) for new, old in pairs]


@dataclass(frozen=True, eq=False)
class Permute(View):
    """x with its axes in another order: axis i of the output is axis axes[i] of x.

    Shapes: x[...] -> the same sizes in that order.  Dtypes: any, kept.
    Raises AxisError unless `axes` holds every axis of x once.
    """

    axes: tuple[int, ...]

    def infer(self, x: TensorType) -> TensorType:
        if sorted(self.axes) != list(range(len(x.shape))):
            raise AxisError(f"Permute: got axes {self.axes} of {x}; want each of its axes once")
        return TensorType(tuple([x.shape[a] for a in self.axes]), x.dtype)

    def inverse(self) -> Permute:
        """The op that undoes this one."""
        return Permute(tuple([self.axes.index(i) for i in range(len(self.axes))]))

    def reference(self, x: Array) -> Array:
        return np.transpose(x, self.axes)

    def adjoint(self, cotangent: Tensor, x: Tensor) -> tuple[Tensor]:
        return (self.inverse()(cotangent),)

    def batch(self, size: int, batched: tuple[bool, ...], x: Tensor) -> Tensor:
        return Permute((0, *[a + 1 for a in self.axes]))(x)

    def reads(self, x: TensorType) -> tuple[Read, ...]:
        return (tuple([AxisRead(a) for a in self.inverse().axes]),)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [Sample(cls((2, 0, 1)), (Draw((2, 3, 4)),)), Sample(cls(()), (Draw(()),))]


@dataclass(frozen=True, eq=False)
class Reverse(View):
    """x backwards along `axes`. Its own adjoint.

    Shapes: x[...] -> the same.  Dtypes: any, kept.
    Raises AxisError unless `axes` are axes of x, each once and in order.
    """

    axes: tuple[int, ...]

    def infer(self, x: TensorType) -> TensorType:
        if list(self.axes) != sorted(set(self.axes)) or any(not 0 <= a < len(x.shape) for a in self.axes):
            raise AxisError(f"Reverse: got axes {self.axes} of {x}; want some of its axes, in order")
        return x

    def reference(self, x: Array) -> Array:
        return np.flip(x, self.axes)

    def adjoint(self, cotangent: Tensor, x: Tensor) -> tuple[Tensor]:
        return (self(cotangent),)

    def batch(self, size: int, batched: tuple[bool, ...], x: Tensor) -> Tensor:
        return Reverse(tuple([a + 1 for a in self.axes]))(x)

    def reads(self, x: TensorType) -> tuple[Read, ...]:
        return (tuple([AxisRead(i, n - 1, -1) if i in self.axes else AxisRead(i) for i, n in enumerate(x.shape)]),)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [
            Sample(cls((0, 2)), (Draw((2, 3, 4)),)),
            Sample(cls((1,)), (Draw((2, 1)),)),
            Sample(cls((0,)), (Draw((0, 2)),)),
            Sample(cls(()), (Draw(()),)),
        ]


@dataclass(frozen=True, eq=False)
class SizeValue(Generator):
    """A size as a number.

    Shapes: -> [].  Dtypes: any numeric.
    """

    size: Any
    dtype: DType
    non_differentiable = "a size depends on no value"

    def infer(self) -> TensorType:
        out = TensorType((), self.dtype)
        self.require([out], NUMERIC)
        return out

    def reference(self) -> Array:
        return scalar_array(index(self.size), self.dtype)  # raises while the size isn't known

    @classmethod
    def domain(cls) -> list[Sample]:
        return [Sample(cls(3, float64), ())]


@dataclass(frozen=True, eq=False)
class TakenAs(View):
    """x, whose unknown sizes are taken to be those of `shape`; checked when both are known.

    Shapes: x[...] -> `shape`.  Dtypes: any, kept.
    Raises ShapeError where two sizes are known and differ.
    """

    shape: Shape

    def infer(self, x: TensorType) -> TensorType:
        pairs = list(zip(x.shape, self.shape, strict=len(x.shape) == len(self.shape)))
        known = [(n, m) for n, m in pairs if isinstance(n, int) and isinstance(m, int)]
        if len(x.shape) != len(self.shape) or any(n != m for n, m in known):
            raise ShapeError(
                f"TakenAs: sizes that were taken to be equal differ: [{show_shape(x.shape)}] "
                f"and [{show_shape(self.shape)}]"
            )
        return TensorType(self.shape, x.dtype)

    def reference(self, x: Array) -> Array:
        return x

    def adjoint(self, cotangent: Tensor, x: Tensor) -> tuple[Tensor]:
        return (TakenAs(x.shape)(cotangent),)

    def batch(self, size: int, batched: tuple[bool, ...], x: Tensor) -> Tensor:
        return TakenAs((size, *self.shape))(x)

    def reads(self, x: TensorType) -> tuple[Read, ...]:
        return (same_axes(len(x.shape)),)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [Sample(cls((2, 3)), (Draw((2, 3)),))]


def moved(x: Tensor, source: int, target: int) -> Tensor:
    """x with one axis moved to another place; x itself where it is there."""
    if source == target:
        return x
    order = [i for i in range(x.ndim) if i != source]
    order.insert(target, source)
    return Permute(tuple(order))(x)


def matrix_transpose(x: Tensor) -> Tensor:
    """x with its last two axes exchanged."""
    n = x.ndim
    return Permute((*range(n - 2), n - 1, n - 2))(x)
