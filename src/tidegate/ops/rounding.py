"""Whole numbers of numbers: rounding, quotients and remainders; and how numbers are represented."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tidegate.core.dtypes import (
    FLOATING,
    INTEGER,
    NUMERIC,
    REAL,
    bool_,
    float32,
    float64,
    floor_quotient,
    floor_remainder,
    truncated_remainder,
)
from tidegate.core.graph import Array, Tensor, TensorType
from tidegate.core.kinds import Elementwise
from tidegate.ops.elementwise import Partial, divide, negate, subtract

DIVIDENDS, DIVISORS = (5.0, 5.3), (2.0, 2.2)
"""Where tests draw: a step of a difference quotient must not cross a whole quotient."""


@dataclass(frozen=True, eq=False)
class Ceil(Elementwise):
    """The smallest integer that isn't below x; an integer stays as it is.

    Shapes: any.  Dtypes: integers and floating point, kept.
    """

    dtypes = REAL
    non_differentiable = "ceil is piecewise constant"

    def compute(self, x: Array) -> Array:
        return x if x.dtype in INTEGER else np.ceil(x)


@dataclass(frozen=True, eq=False)
class Trunc(Elementwise):
    """The nearest integer that isn't further from 0 than x; an integer stays as it is.

    Shapes: any.  Dtypes: integers and floating point, kept.
    """

    dtypes = REAL
    non_differentiable = "trunc is piecewise constant"

    def compute(self, x: Array) -> Array:
        return x if x.dtype in INTEGER else np.trunc(x)


@dataclass(frozen=True, eq=False)
class Round(Elementwise):
    """The nearest integer, of two the even one; of complex x both parts; an integer stays as it is.

    Shapes: any.  Dtypes: any numeric, kept.
    """

    dtypes = NUMERIC
    non_differentiable = "round is piecewise constant"

    def compute(self, x: Array) -> Array:
        return x if x.dtype in INTEGER else np.rint(x)


@dataclass(frozen=True, eq=False)
class FloorDivide(Elementwise):
    """The largest integer that isn't above x / y. For integers 0 where y is 0; core/dtypes has the table.

    Shapes: two of one shape.  Dtypes: two of one integer or floating point dtype, kept.
    """

    arity = 2
    dtypes = REAL
    intervals = (DIVIDENDS, DIVISORS)
    non_differentiable = "a whole quotient is piecewise constant"
    compute = staticmethod(floor_quotient)


@dataclass(frozen=True, eq=False)
class Remainder(Elementwise):
    """x - y floor(x / y), with the sign of y. For integers x where y is 0; core/dtypes has the table.

    Shapes: two of one shape.  Dtypes: two of one integer or floating point dtype, kept.
    """

    arity = 2
    dtypes = REAL
    intervals = (DIVIDENDS, DIVISORS)
    compute = staticmethod(floor_remainder)

    def partials(self, out: Tensor, x: Tensor, y: Tensor) -> tuple[Partial, Partial]:
        return 1, negate(FloorDivide()(x, y))


@dataclass(frozen=True, eq=False)
class Fmod(Elementwise):
    """x - y trunc(x / y), with the sign of x. For integers x where y is 0; core/dtypes has the table.

    Shapes: two of one shape.  Dtypes: two of one integer or floating point dtype, kept.
    """

    arity = 2
    dtypes = REAL
    intervals = (DIVIDENDS, DIVISORS)
    compute = staticmethod(truncated_remainder)

    def partials(self, out: Tensor, x: Tensor, y: Tensor) -> tuple[Partial, Partial]:
        return 1, negate(Round()(divide(subtract(x, out), y)))  # trunc(x / y) may have been rounded up


@dataclass(frozen=True, eq=False)
class SignBit(Elementwise):
    """Whether x has a minus sign: true of -0.0, and of a NaN that has one.

    Shapes: any.  Dtypes: floating point; gives bool.
    """

    dtypes = FLOATING
    non_differentiable = "a sign bit is piecewise constant"
    compute = staticmethod(np.signbit)

    def infer(self, *inputs: TensorType) -> TensorType:
        return TensorType(super().infer(*inputs).shape, bool_)


@dataclass(frozen=True, eq=False)
class NextAfter(Elementwise):
    """The next number that there is from x towards y. The derivative is 1 for x and zero for y, as TensorFlow has it.

    Shapes: two of one shape.  Dtypes: two of float32 or of float64, kept.
    """

    arity = 2
    dtypes = frozenset({float32, float64})
    compute = staticmethod(np.nextafter)

    def partials(self, out: Tensor, x: Tensor, y: Tensor) -> tuple[Partial, Partial]:
        return 1, 0
