"""BroadcastTo, SumTo and Sum: repeating and summing are each other's adjoints, so they share a file."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tidegate.core.dtypes import NUMERIC
from tidegate.core.errors import AxisError, ShapeError
from tidegate.core.graph import Array, Tensor, TensorType
from tidegate.core.kinds import AxisRead, Read, Reduction, View, in_float32
from tidegate.core.op import Draw, Op, Sample
from tidegate.core.shapes import Shape, show_shape
from tidegate.ops.creation import constant


def is_one(size: object) -> bool:
    """Whether a size is known to be 1."""
    return isinstance(size, int) and size == 1


def check_placing(who: str, small: Shape, big: Shape, axes: tuple[int, ...]) -> None:
    """Raise ShapeError unless axis i of `small` fits axis axes[i] of `big`: equal sizes, or 1 in `small`."""
    fits = len(axes) == len(small) and list(axes) == sorted(set(axes)) and all(0 <= a < len(big) for a in axes)
    if not fits or any(n != big[a] and not is_one(n) for n, a in zip(small, axes, strict=True)):
        raise ShapeError(f"{who}: [{show_shape(small)}] doesn't fit axes {axes} of [{show_shape(big)}]")


@dataclass(frozen=True, eq=False)
class BroadcastTo(View):
    """Repeat x: its axis i becomes axis axes[i] of `shape`; sizes 1 grow, the other axes of `shape` are new.

    Shapes: x[...] -> `shape`.  Dtypes: any, kept.
    Raises ShapeError if x's axes don't fit there.
    """

    shape: Shape
    axes: tuple[int, ...]

    def infer(self, x: TensorType) -> TensorType:
        check_placing("BroadcastTo", x.shape, self.shape, self.axes)
        return TensorType(self.shape, x.dtype)

    def reference(self, x: Array) -> Array:
        sizes = dict(zip(self.axes, x.shape, strict=True))
        return np.broadcast_to(x.reshape([sizes.get(i, 1) for i in range(len(self.shape))]), self.shape)

    def adjoint(self, cotangent: Tensor, x: Tensor) -> tuple[Tensor]:
        return (SumTo(x.shape, self.axes)(cotangent),)

    def batch(self, size: int, batched: tuple[bool, ...], x: Tensor) -> Tensor:
        return BroadcastTo((size, *self.shape), (0, *[a + 1 for a in self.axes]))(x)

    def reads(self, x: TensorType) -> tuple[Read, ...]:
        return (tuple([AxisRead(None if is_one(n) else a) for n, a in zip(x.shape, self.axes, strict=True)]),)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [
            Sample(cls((2, 3, 4), (1,)), (Draw((3,)),)),
            Sample(cls((2, 3), (0, 1)), (Draw((2, 1)),)),
            Sample(cls((2, 0), ()), (Draw(()),)),
            Sample(cls((3,), (0,)), (Draw((3,)),)),
        ]


@dataclass(frozen=True, eq=False)
class SumTo(Op):
    """Sum x down to `shape`, whose axis i is axis axes[i] of x: the adjoint of BroadcastTo.

    Shapes: x[...] -> `shape`, summed over the axes that aren't in `axes` and those that shrink to 1.
    Dtypes: any numeric, kept; sums are accumulated in float32 or wider.
    Raises ShapeError if the axes don't fit, DTypeError for booleans.
    """

    shape: Shape
    axes: tuple[int, ...]

    def infer(self, x: TensorType) -> TensorType:
        self.require([x], NUMERIC)
        check_placing("SumTo", self.shape, x.shape, self.axes)
        return TensorType(self.shape, x.dtype)

    def summed(self, shape: Shape) -> tuple[int, ...]:
        """The axes of an input of `shape` that are summed over."""
        kept = {a for n, a in zip(self.shape, self.axes, strict=True) if not (is_one(n) and not is_one(shape[a]))}
        return tuple([i for i in range(len(shape)) if i not in kept])

    def reference(self, x: Array) -> Array:
        return sum_over(x, self.summed(x.shape)).reshape(self.shape)

    def adjoint(self, cotangent: Tensor, x: Tensor) -> tuple[Tensor]:
        return (BroadcastTo(x.shape, self.axes)(cotangent),)

    def batch(self, size: int, batched: tuple[bool, ...], x: Tensor) -> Tensor:
        return SumTo((size, *self.shape), (0, *[a + 1 for a in self.axes]))(x)

    def reads(self, x: TensorType) -> tuple[Read, ...]:
        place = {a: i for i, a in enumerate(self.axes)}
        loops = [place.get(i) for i in range(len(x.shape))]
        for k, axis in enumerate(self.summed(x.shape)):
            loops[axis] = len(self.shape) + k
        return (tuple([AxisRead(loop) for loop in loops]),)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [
            Sample(cls((3,), (1,)), (Draw((2, 3, 4)),)),
            Sample(cls((2, 1), (0, 1)), (Draw((2, 3)),)),
            Sample(cls((), ()), (Draw((2, 0)),)),
        ]


def sum_over(x: Array, axes: tuple[int, ...]) -> Array:
    """The sum, in x's dtype, accumulated in float32 or wider."""
    return np.asarray(in_float32(lambda y: np.sum(y, axis=axes, dtype=y.dtype), x))


def check_axes(op: Op, axes: tuple[int, ...], x: TensorType) -> None:
    """Raise AxisError unless `axes` are axes of x, each once and in order."""
    if list(axes) != sorted(set(axes)) or any(not 0 <= a < len(x.shape) for a in axes):
        raise AxisError(f"{op.name}: got axes {axes} of {x}; want some of its axes, in order")


@dataclass(frozen=True, eq=False)
class Sum(Reduction):
    """Sum over `axes`, which are dropped.

    Shapes: x[...] -> x without `axes`.  Dtypes: any numeric, kept (promote before, if overflow matters); sums are
    accumulated in float32 or wider.
    Raises AxisError if an axis isn't one of x's, DTypeError for booleans.
    """

    axes: tuple[int, ...]

    def infer(self, x: TensorType) -> TensorType:
        self.require([x], NUMERIC)
        check_axes(self, self.axes, x)
        return TensorType(without(x.shape, self.axes), x.dtype)

    def reference(self, x: Array) -> Array:
        return sum_over(x, self.axes)

    def adjoint(self, cotangent: Tensor, x: Tensor) -> tuple[Tensor]:
        return (spread(cotangent, x.shape, self.axes),)

    def batch(self, size: int, batched: tuple[bool, ...], x: Tensor) -> Tensor:
        return Sum(shifted(self.axes))(x)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [
            Sample(cls((0, 2)), (Draw((2, 3, 4)),)),
            Sample(cls((1,)), (Draw((2, 0)),)),
            Sample(cls(()), (Draw((2,)),)),
        ]


def without(shape: Shape, axes: tuple[int, ...]) -> Shape:
    """`shape` less some axes."""
    return tuple([n for i, n in enumerate(shape) if i not in axes])


def shifted(axes: tuple[int, ...]) -> tuple[int, ...]:
    """`axes` behind one more leading axis."""
    return tuple([a + 1 for a in axes])


def spread(x: Tensor, shape: Shape, dropped: tuple[int, ...]) -> Tensor:
    """x repeated along the axes `dropped` of `shape`, which it lacks."""
    return BroadcastTo(shape, tuple([i for i in range(len(shape)) if i not in dropped]))(x)


def repeat(size: int, x: Tensor) -> Tensor:
    """x repeated along a new leading axis."""
    return spread(x, (size, *x.shape), (0,))


def filled(value: complex, kind: TensorType) -> Tensor:
    """A tensor of one value everywhere."""
    x = constant(value, kind.dtype)
    return spread(x, kind.shape, tuple(range(len(kind.shape)))) if kind.shape else x


def zeros_like(x: Tensor) -> Tensor:
    """Zeros of x's type."""
    return filled(0, x.type)
