"""LinearRecurrence and Cumprod, whose derivative is one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tidegate.core.dtypes import INEXACT, NUMERIC, int64
from tidegate.core.errors import AxisError, ShapeError
from tidegate.core.graph import Array, Tensor, TensorType
from tidegate.core.kinds import Opaque, in_float32
from tidegate.core.op import Draw, Op, Sample, show_types
from tidegate.ops.broadcast import zeros_like
from tidegate.ops.cast import Cast
from tidegate.ops.creation import Iota
from tidegate.ops.elementwise import Equal, add, conjugate, multiply
from tidegate.ops.window import Pad, Slice


def check_axis(op: Op, axis: int, x: TensorType) -> None:
    """Raise AxisError unless x has `axis`."""
    if not 0 <= axis < len(x.shape):
        raise AxisError(f"{op.name}: got axis {axis} of {x}")


def advanced(x: Tensor, axis: int, *, backward: bool) -> Tensor:
    """x moved one place up (or, `backward`, down) along `axis`, with a zero where nothing came."""
    along = [int(i == axis) for i in range(x.ndim)]
    nothing, first = (0,) * x.ndim, tuple(along)
    before, after = (nothing, first) if backward else (first, nothing)
    longer = Pad(before, after, nothing)(x)
    stops = tuple([n + start for n, start in zip(x.shape, after, strict=True)])
    return Slice(after, stops, (1,) * x.ndim)(longer)


@dataclass(frozen=True, eq=False)
class LinearRecurrence(Opaque):
    """s[i] = b[i] + a[i] * s[i - 1] along `axis`, from s[-1] = 0; `backward` from the end, with s[i + 1].

    Shapes: a[...], b[...] of one shape -> the same.  Dtypes: two of one floating point or complex dtype, kept;
    computed in float32 or wider.
    Raises AxisError if there is no such axis, ShapeError where shapes differ.
    """

    axis: int
    backward: bool = False

    batch_together = True

    def infer(self, a: TensorType, b: TensorType) -> TensorType:
        self.require([a, b], INEXACT)
        check_axis(self, self.axis, a)
        if a.shape != b.shape:
            raise ShapeError(f"LinearRecurrence: got {show_types([a, b])}; want one shape")
        return b

    def reference(self, a: Array, b: Array) -> Array:
        def run(factors: Array, terms: Array) -> Array:
            factors, terms = np.moveaxis(factors, self.axis, 0), np.moveaxis(terms, self.axis, 0)
            out = np.empty_like(terms)
            state = np.zeros(terms.shape[1:], terms.dtype)
            for i in reversed(range(len(terms))) if self.backward else range(len(terms)):
                state = terms[i] + factors[i] * state if out_started(i) else terms[i]
                out[i] = state
            return np.moveaxis(out, 0, self.axis)

        def out_started(i: int) -> bool:
            return i != (b.shape[self.axis] - 1 if self.backward else 0)

        return in_float32(run, a, b)

    def vjp(self, cotangent: Tensor, out: Tensor, a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
        ahead = advanced(conjugate(a), self.axis, backward=not self.backward)
        pulled = LinearRecurrence(self.axis, not self.backward)(ahead, cotangent)
        return multiply(pulled, conjugate(advanced(out, self.axis, backward=self.backward))), pulled

    def batch(self, size: int, batched: tuple[bool, ...], a: Tensor, b: Tensor) -> Tensor:
        return LinearRecurrence(self.axis + 1, self.backward)(a, b)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [
            Sample(cls(1), (Draw((2, 4)), Draw((2, 4)))),
            Sample(cls(0, True), (Draw((3,)), Draw((3,)))),
            Sample(cls(0), (Draw((0, 2)), Draw((0, 2)))),
        ]


@dataclass(frozen=True, eq=False)
class Cumprod(Opaque):
    """The product of the elements so far along `axis`.

    The derivative divides by nothing, so it is right where x holds zeros: element i gets the product before it times
    a LinearRecurrence of what comes after it.
    Shapes: x[...] -> the same.  Dtypes: any numeric, kept; float16 and bfloat16 are computed in float32.
    Raises AxisError if there is no such axis.
    """

    axis: int

    def infer(self, x: TensorType) -> TensorType:
        self.require([x], NUMERIC)
        check_axis(self, self.axis, x)
        return x

    def reference(self, x: Array) -> Array:
        return in_float32(lambda y: np.cumprod(y, axis=self.axis, dtype=y.dtype), x)

    def vjp(self, cotangent: Tensor, out: Tensor, x: Tensor) -> tuple[Tensor]:
        before = add(advanced(out, self.axis, backward=False), first_one(x, self.axis))
        ahead = advanced(conjugate(x), self.axis, backward=True)
        return (multiply(conjugate(before), LinearRecurrence(self.axis, True)(ahead, cotangent)),)

    def batch(self, size: int, batched: tuple[bool, ...], x: Tensor) -> Tensor:
        return Cumprod(self.axis + 1)(x)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [
            Sample(cls(1), (Draw((2, 4)),)),
            Sample(cls(0), (Draw((3,), 0.0, 0.0),)),
            Sample(cls(0), (Draw((0,)),)),
        ]


def first_one(x: Tensor, axis: int) -> Tensor:
    """1 at the first place along `axis`, 0 elsewhere; of x's type."""
    places = Iota(x.shape, axis, int64)()
    return Cast(x.dtype)(Equal()(places, zeros_like(places)))


def product_before(x: Tensor, axis: int) -> Tensor:
    """The product of the elements before each along `axis`; 1 for the first. The last element has no part in it."""
    return Cumprod(axis)(add(advanced(x, axis, backward=False), first_one(x, axis)))
