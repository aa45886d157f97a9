"""Reductions that aren't linear."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tidegate.core.dtypes import BOOL, NUMERIC, REAL, bool_, int64
from tidegate.core.errors import AxisError, ShapeError
from tidegate.core.graph import Array, Tensor, TensorType
from tidegate.core.kinds import Reduction, in_float32
from tidegate.core.op import Draw, Op, Sample
from tidegate.core.shapes import Shape, element_count
from tidegate.ops.broadcast import Sum, check_axes, shifted, spread, without, zeros_like
from tidegate.ops.cast import Cast
from tidegate.ops.elementwise import Equal, conjugate, divide, multiply, select
from tidegate.ops.layout import Permute, Reshape, Reverse
from tidegate.ops.recurrence import product_before


def lacks_elements(shape: Shape, axes: tuple[int, ...]) -> bool:
    """Whether it is known that there is nothing along `axes`."""
    return any([isinstance(shape[a], int) and shape[a] == 0 for a in axes])


def refuse_empty(op: Op, axes: tuple[int, ...], x: TensorType) -> None:
    """Raise ShapeError where a reduction without identity has nothing to reduce."""
    if lacks_elements(x.shape, axes):
        raise ShapeError(f"{op.name}: got {x}; want at least one element along axes {axes}")


class Extreme(Reduction, abstract=True):
    """The largest or smallest element. Ties share the derivative equally."""

    axes: tuple[int, ...]

    function: ClassVar[Callable[..., Any]]
    """The NumPy function."""

    def infer(self, x: TensorType) -> TensorType:
        self.require([x], REAL)
        check_axes(self, self.axes, x)
        refuse_empty(self, self.axes, x)
        return TensorType(without(x.shape, self.axes), x.dtype)

    def reference(self, x: Array) -> Array:
        return np.asarray(in_float32(lambda y: type(self).function(y, axis=self.axes), x))

    def vjp(self, cotangent: Tensor, out: Tensor, x: Tensor) -> tuple[Tensor]:
        reached = Equal()(x, spread(out, x.shape, self.axes))
        count = Sum(self.axes)(Cast(x.dtype)(reached))
        share = divide(cotangent, count)
        return (select(reached, spread(share, x.shape, self.axes), zeros_like(x)),)

    def batch(self, size: int, batched: tuple[bool, ...], x: Tensor) -> Tensor:
        kind: Any = type(self)
        return kind(shifted(self.axes))(x)

    @classmethod
    def domain(cls) -> list[Sample]:
        kind: Any = cls
        return [
            Sample(kind((1,)), (Draw((3, 4), like="distinct"),)),
            Sample(kind((0, 1)), (Draw((2, 3), like="distinct"),)),
            Sample(kind(()), (Draw((2,), like="distinct"),)),
            Sample(kind((1,)), (Draw((0, 2), like="distinct"),)),
        ]


@dataclass(frozen=True, eq=False)
class Max(Extreme):
    """The largest element over `axes`, which are dropped; NaN if one is NaN. Ties share the derivative equally.

    Of zeros of both signs it is one of them.
    Shapes: x[...] -> x without `axes`.  Dtypes: integers and floating point, kept.
    Raises AxisError if an axis isn't one of x's, ShapeError if one of them has no elements.
    """

    axes: tuple[int, ...]

    function = staticmethod(np.max)


@dataclass(frozen=True, eq=False)
class Min(Extreme):
    """The smallest element over `axes`, which are dropped; NaN if one is NaN. Ties share the derivative equally.

    Of zeros of both signs it is one of them.
    Shapes: x[...] -> x without `axes`.  Dtypes: integers and floating point, kept.
    Raises AxisError if an axis isn't one of x's, ShapeError if one of them has no elements.
    """

    axes: tuple[int, ...]

    function = staticmethod(np.min)


class ExtremePlace(Reduction, abstract=True):
    """The place of the largest or smallest element along an axis."""

    axis: int
    non_differentiable = "a place is a whole number: it jumps, or stays"

    function: ClassVar[Callable[..., Any]]
    """The NumPy function."""

    @property
    def axes(self) -> tuple[int, ...]:
        return (self.axis,)

    def infer(self, x: TensorType) -> TensorType:
        self.require([x], REAL)
        if not 0 <= self.axis < len(x.shape):
            raise AxisError(f"{self.name}: got axis {self.axis} of {x}")
        refuse_empty(self, self.axes, x)
        return TensorType(without(x.shape, self.axes), int64)

    def reference(self, x: Array) -> Array:
        return np.asarray(in_float32(lambda y: type(self).function(y, axis=self.axis), x)).astype(int64)

    def batch(self, size: int, batched: tuple[bool, ...], x: Tensor) -> Tensor:
        kind: Any = type(self)
        return kind(self.axis + 1)(x)

    @classmethod
    def domain(cls) -> list[Sample]:
        kind: Any = cls
        return [Sample(kind(1), (Draw((3, 4)),)), Sample(kind(0), (Draw((3,)),)), Sample(kind(1), (Draw((0, 2)),))]


@dataclass(frozen=True, eq=False)
class ArgMax(ExtremePlace):
    """The place of the largest element along `axis`, which is dropped: the first at ties, the first NaN if any.

    Shapes: x[...] -> x without `axis`.  Dtypes: integers and floating point; gives int64.
    Raises AxisError if there is no such axis, ShapeError if it has no elements.
    """

    axis: int

    function = staticmethod(np.argmax)


@dataclass(frozen=True, eq=False)
class ArgMin(ExtremePlace):
    """The place of the smallest element along `axis`, which is dropped: the first at ties, the first NaN if any.

    Shapes: x[...] -> x without `axis`.  Dtypes: integers and floating point; gives int64.
    Raises AxisError if there is no such axis, ShapeError if it has no elements.
    """

    axis: int

    function = staticmethod(np.argmin)


@dataclass(frozen=True, eq=False)
class Prod(Reduction):
    """The product over `axes`, which are dropped; 1 of no elements.

    The derivative divides by nothing, so it is right where x holds zeros: an element gets the product of those before
    it times the product of those after it.
    Shapes: x[...] -> x without `axes`.  Dtypes: any numeric, kept; integers wrap; float16 and bfloat16 are multiplied
    in float32.
    Raises AxisError if an axis isn't one of x's, DTypeError for booleans.
    """

    axes: tuple[int, ...]

    def infer(self, x: TensorType) -> TensorType:
        self.require([x], NUMERIC)
        check_axes(self, self.axes, x)
        return TensorType(without(x.shape, self.axes), x.dtype)

    def reference(self, x: Array) -> Array:
        return np.asarray(in_float32(lambda y: np.prod(y, axis=self.axes, dtype=y.dtype), x))

    def vjp(self, cotangent: Tensor, out: Tensor, x: Tensor) -> tuple[Tensor]:
        kept = tuple([i for i in range(x.ndim) if i not in self.axes])
        order = Permute((*kept, *self.axes))
        ordered = order(x)
        row = Reshape((*out.shape, element_count(tuple([x.shape[a] for a in self.axes]))))(ordered)
        last, turn = out.ndim, Reverse((out.ndim,))
        others = multiply(product_before(row, last), turn(product_before(turn(row), last)))
        pulled = multiply(spread(cotangent, row.shape, (last,)), conjugate(others))
        return (order.inverse()(Reshape(ordered.shape)(pulled)),)

    def batch(self, size: int, batched: tuple[bool, ...], x: Tensor) -> Tensor:
        return Prod(shifted(self.axes))(x)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [
            Sample(cls((0, 2)), (Draw((2, 3, 2)),)),
            Sample(cls((0,)), (Draw((3, 2), 0.0, 0.0),)),
            Sample(cls((1,)), (Draw((2, 0)),)),
            Sample(cls(()), (Draw((2,)),)),
        ]


class Quantifier(Reduction, abstract=True):
    """Whether some, or all, of the elements are true."""

    axes: tuple[int, ...]
    non_differentiable = "booleans carry no gradient"

    function: ClassVar[Callable[..., Any]]
    """The NumPy function."""

    def infer(self, x: TensorType) -> TensorType:
        self.require([x], BOOL)
        check_axes(self, self.axes, x)
        return TensorType(without(x.shape, self.axes), bool_)

    def reference(self, x: Array) -> Array:
        return np.asarray(type(self).function(x, axis=self.axes))

    def batch(self, size: int, batched: tuple[bool, ...], x: Tensor) -> Tensor:
        kind: Any = type(self)
        return kind(shifted(self.axes))(x)

    @classmethod
    def domain(cls) -> list[Sample]:
        kind: Any = cls
        return [
            Sample(kind((1,)), (Draw((4, 2)),)),
            Sample(kind((0, 2)), (Draw((1, 3, 2)),)),
            Sample(kind((0,)), (Draw((0, 2)),)),
            Sample(kind(()), (Draw((2,)),)),
        ]


@dataclass(frozen=True, eq=False)
class AnyTrue(Quantifier):
    """Whether an element along `axes`, which are dropped, is true; false of no elements.

    Shapes: x[...] -> x without `axes`.  Dtypes: bool.
    Raises AxisError if an axis isn't one of x's, DTypeError for what isn't bool.
    """

    axes: tuple[int, ...]

    function = staticmethod(np.any)


@dataclass(frozen=True, eq=False)
class AllTrue(Quantifier):
    """Whether every element along `axes`, which are dropped, is true; true of no elements.

    Shapes: x[...] -> x without `axes`.  Dtypes: bool.
    Raises AxisError if an axis isn't one of x's, DTypeError for what isn't bool.
    """

    axes: tuple[int, ...]

    function = staticmethod(np.all)
