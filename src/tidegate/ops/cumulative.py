"""What an axis comes to so far: Cumsum, RunningExtreme and CumulativeLogSumExp (Cumprod stands with recurrences)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tidegate.core.dtypes import FLOATING, HALF, NUMERIC, REAL, float32, int64
from tidegate.core.errors import AxisError
from tidegate.core.graph import Array, Tensor, TensorType
from tidegate.core.kinds import Opaque, in_float32
from tidegate.core.op import Draw, Sample
from tidegate.ops.broadcast import filled, zeros_like
from tidegate.ops.elementwise import Equal, LogicalOr, exp, multiply, select, subtract
from tidegate.ops.recurrence import LinearRecurrence, advanced, check_axis
from tidegate.ops.sorting import Picked


@dataclass(frozen=True, eq=False)
class Cumsum(Opaque):
    """The sum of the elements so far along `axis`; `backward` from the end. Each is the other's adjoint.

    Shapes: x[...] -> the same.  Dtypes: any numeric, kept; integers wrap; float16 and bfloat16 are summed in float32.
    Raises AxisError if there is no such axis, DTypeError for booleans.
    """

    axis: int
    backward: bool = False

    def infer(self, x: TensorType) -> TensorType:
        self.require([x], NUMERIC)
        check_axis(self, self.axis, x)
        return x

    def reference(self, x: Array) -> Array:
        def summed(y: Array) -> Array:
            turned = np.flip(y, self.axis) if self.backward else y
            out = np.cumsum(turned, axis=self.axis, dtype=y.dtype)
            return np.flip(out, self.axis) if self.backward else out

        return in_float32(summed, x)

    def adjoint(self, cotangent: Tensor, x: Tensor) -> tuple[Tensor]:
        return (Cumsum(self.axis, not self.backward)(cotangent),)

    def batch(self, size: int, batched: tuple[bool, ...], x: Tensor) -> Tensor:
        return Cumsum(self.axis + 1, self.backward)(x)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [
            Sample(cls(1), (Draw((2, 4)),)),
            Sample(cls(0, True), (Draw((3, 2)),)),
            Sample(cls(0), (Draw((0, 2)),)),
        ]


@dataclass(frozen=True, eq=False)
class RunningExtreme(Picked):
    """The largest (or smallest) element so far along the last axis, and its place.

    The first of equal elements stays, zeros of both signs included; a NaN, once there, stays. The derivative goes to
    the element that stands.
    Shapes: x[..., n] -> values[..., n], places[..., n].  Dtypes: integers and floating point, kept; places int64.
    Raises AxisError if x has no axes.
    """

    largest: bool = True

    def infer(self, x: TensorType) -> tuple[TensorType, TensorType]:
        self.require([x], REAL)
        if not x.shape:
            raise AxisError(f"RunningExtreme: got {x}; want at least one axis")
        return x, TensorType(x.shape, int64)

    def reference(self, x: Array) -> tuple[Array, Array]:
        comparable = x.astype(float32) if x.dtype in HALF else x
        so_far = (np.maximum if self.largest else np.minimum).accumulate(comparable, axis=-1)
        before, now = so_far[..., :-1], comparable[..., 1:]
        ahead = (now > before) if self.largest else (now < before)
        is_new = np.zeros(x.shape, bool)
        is_new[..., 1:] = ahead | (np.isnan(now) & ~np.isnan(before))
        places = np.maximum.accumulate(np.where(is_new, np.arange(x.shape[-1]), 0), axis=-1)
        return np.take_along_axis(x, places, -1), places.astype(int64)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [
            Sample(cls(), (Draw((3, 4), like="distinct"),)),
            Sample(cls(False), (Draw((5,), like="distinct"),)),
            Sample(cls(), (Draw((2, 0), like="distinct"),)),
        ]


@dataclass(frozen=True, eq=False)
class CumulativeLogSumExp(Opaque):
    """log of the sum of exp of the elements so far along `axis`, without overflow: -inf while there is none but -inf.

    out[i] = logaddexp(out[i - 1], x[i]). The derivative of out[i] for x[j] is exp(x[j] - out[i]), which is built of
    factors exp(out[i] - out[i + 1]) and exp(x[j] - out[j]), none above 1; where out is -inf it is 0.
    Shapes: x[...] -> the same.  Dtypes: floating point, kept; float16 and bfloat16 are computed in float32.
    Raises AxisError if there is no such axis, DTypeError for what isn't floating point.
    """

    axis: int

    def infer(self, x: TensorType) -> TensorType:
        self.require([x], FLOATING)
        check_axis(self, self.axis, x)
        return x

    def reference(self, x: Array) -> Array:
        return in_float32(lambda y: np.logaddexp.accumulate(y, axis=self.axis, dtype=y.dtype), x)

    def vjp(self, cotangent: Tensor, out: Tensor, x: Tensor) -> tuple[Tensor]:
        zero = zeros_like(out)
        nothing = Equal()(out, filled(-np.inf, out.type))
        last = Equal()(advanced(filled(1, out.type), self.axis, backward=True), zero)
        following = advanced(out, self.axis, backward=True)
        carried = _ratio(LogicalOr()(nothing, last), out, following)
        pulled = LinearRecurrence(self.axis, True)(carried, cotangent)
        return (select(nothing, zero, multiply(_ratio(nothing, x, out), pulled)),)

    def batch(self, size: int, batched: tuple[bool, ...], x: Tensor) -> Tensor:
        return CumulativeLogSumExp(self.axis + 1)(x)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [
            Sample(cls(1), (Draw((2, 4)),)),
            Sample(cls(0), (Draw((3,), -4.0, 4.0),)),
            Sample(cls(0), (Draw((0, 2)),)),
        ]


def _ratio(none: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """exp(x - y), and an exact 0, also in derivatives, where `none` is true."""
    zero = zeros_like(x)
    return select(none, zero, exp(select(none, zero, subtract(x, y))))
