"""Circular and hyperbolic functions beyond sin, cos and tanh, and their inverses; atan2, hypot and sinc."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from tidegate.core.dtypes import COMPLEX, FLOATING, INEXACT
from tidegate.core.graph import Array, Tensor
from tidegate.core.kinds import Elementwise, in_float64
from tidegate.core.numerics_basic import sinc
from tidegate.core.op import Draw, Op, Sample
from tidegate.ops.broadcast import filled, zeros_like
from tidegate.ops.elementwise import (
    Equal,
    Partial,
    Sqrt,
    add,
    divide,
    multiply,
    negate,
    select,
    subtract,
)

AWAY_FROM_ZERO = (0.3, 2.0)
WITHIN_ONE = (-0.8, 0.8)


def samples(op: Op, *intervals: tuple[float, float]) -> list[Sample]:
    """An elementwise op with attributes at some shapes: part of its domain."""
    shapes: list[tuple[int, ...]] = [(), (3,), (0, 2)]
    return [Sample(op, tuple([Draw(shape, *span) for span in intervals])) for shape in shapes]


def one(x: Tensor) -> Tensor:
    """Ones of x's type."""
    return filled(1, x.type)


def one_minus_square(x: Tensor) -> Tensor:
    """1 - x**2, as (1 - x) (1 + x): nothing cancels near 1 and -1."""
    return multiply(subtract(one(x), x), add(one(x), x))


@dataclass(frozen=True, eq=False)
class Tan(Elementwise):
    """Tangent of x, in radians.

    Shapes: any.  Dtypes: floating point or complex, kept.  Source: DLMF 4.20.3 with 4.14.6.
    """

    dtypes = INEXACT
    intervals = ((-1.2, 1.2),)
    compute = staticmethod(np.tan)

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (add(one(x), multiply(out, out)),)


@dataclass(frozen=True, eq=False)
class Asin(Elementwise):
    """Inverse sine, in radians: NaN outside of [-1, 1]; for complex x the principal branch, cut on the reals there.

    Shapes: any.  Dtypes: floating point or complex, kept.  Source: DLMF 4.24.7.
    """

    dtypes = INEXACT
    intervals = (WITHIN_ONE,)
    compute = staticmethod(np.arcsin)

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (divide(one(x), root_of_one_minus_square(x)),)


@dataclass(frozen=True, eq=False)
class Acos(Elementwise):
    """Inverse cosine, in radians: NaN outside of [-1, 1]; for complex x the principal branch, cut on the reals there.

    Shapes: any.  Dtypes: floating point or complex, kept.  Source: DLMF 4.24.8.
    """

    dtypes = INEXACT
    intervals = (WITHIN_ONE,)
    compute = staticmethod(np.arccos)

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (divide(filled(-1, x.type), root_of_one_minus_square(x)),)


def root_of_one_minus_square(x: Tensor) -> Tensor:
    """sqrt(1 - x) sqrt(1 + x), which for complex x has asin's branch cuts."""
    return multiply(Sqrt()(subtract(one(x), x)), Sqrt()(add(one(x), x)))


@dataclass(frozen=True, eq=False)
class Atan(Elementwise):
    """Inverse tangent, in radians; for complex x the principal branch, cut on the imaginary axis beyond -i and i.

    Shapes: any.  Dtypes: floating point or complex, kept.  Source: DLMF 4.24.9.
    """

    dtypes = INEXACT
    intervals = (AWAY_FROM_ZERO,)
    compute = staticmethod(np.arctan)

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (divide(one(x), add(one(x), multiply(x, x))),)


@dataclass(frozen=True, eq=False)
class Hypot(Elementwise):
    """sqrt(x**2 + y**2), which overflows only if the result does. Its derivatives at (0, 0) are 0, as those of abs.

    Shapes: two of one shape.  Dtypes: two of one floating point dtype, kept.
    """

    arity = 2
    dtypes = FLOATING
    intervals = (AWAY_FROM_ZERO,)
    compute = staticmethod(np.hypot)

    def partials(self, out: Tensor, x: Tensor, y: Tensor) -> tuple[Partial, Partial]:
        length = select(Equal()(out, zeros_like(out)), one(out), out)
        return divide(x, length), divide(y, length)


@dataclass(frozen=True, eq=False)
class Atan2(Elementwise):
    """The angle of the point (y, x), in radians, from -pi to pi. Its derivatives at (0, 0) are NaN, as TensorFlow's.

    Shapes: y and x of one shape.  Dtypes: two of one floating point dtype, kept.
    """

    arity = 2
    dtypes = FLOATING
    intervals = ((-2.0, 2.0), AWAY_FROM_ZERO)
    compute = staticmethod(np.arctan2)

    def partials(self, out: Tensor, y: Tensor, x: Tensor) -> tuple[Partial, Partial]:
        length = Hypot()(x, y)
        return divide(divide(x, length), length), negate(divide(divide(y, length), length))


@dataclass(frozen=True, eq=False)
class Sinh(Elementwise):
    """Hyperbolic sine.

    Shapes: any.  Dtypes: floating point or complex, kept.  Source: DLMF 4.35.
    """

    dtypes = INEXACT
    compute = staticmethod(np.sinh)

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (Cosh()(x),)


@dataclass(frozen=True, eq=False)
class Cosh(Elementwise):
    """Hyperbolic cosine.

    Shapes: any.  Dtypes: floating point or complex, kept.  Source: DLMF 4.35.
    """

    dtypes = INEXACT
    compute = staticmethod(np.cosh)

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (Sinh()(x),)


@dataclass(frozen=True, eq=False)
class Asinh(Elementwise):
    """Inverse hyperbolic sine; for complex x the principal branch, cut on the imaginary axis beyond -i and i.

    Shapes: any.  Dtypes: floating point or complex, kept.  Source: DLMF 4.38.9.
    """

    dtypes = INEXACT
    intervals = (AWAY_FROM_ZERO,)
    compute = staticmethod(np.arcsinh)

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        if x.dtype in COMPLEX:
            return (divide(one(x), Sqrt()(add(one(x), multiply(x, x)))),)
        return (divide(one(x), Hypot()(one(x), x)),)  # x**2 would overflow


@dataclass(frozen=True, eq=False)
class Acosh(Elementwise):
    """Inverse hyperbolic cosine: NaN below 1; for complex x the principal branch, cut on the reals there.

    Shapes: any.  Dtypes: floating point or complex, kept.  Source: DLMF 4.38.10.
    """

    dtypes = INEXACT
    intervals = ((1.3, 3.0),)
    compute = staticmethod(np.arccosh)

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (divide(one(x), multiply(Sqrt()(subtract(x, one(x))), Sqrt()(add(x, one(x))))),)


@dataclass(frozen=True, eq=False)
class Atanh(Elementwise):
    """Inverse hyperbolic tangent: infinite at -1 and 1, NaN outside; for complex x the principal branch, cut there.

    Shapes: any.  Dtypes: floating point or complex, kept.  Source: DLMF 4.38.11.
    """

    dtypes = INEXACT
    intervals = ((-0.6, 0.6),)
    compute = staticmethod(np.arctanh)

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (divide(one(x), one_minus_square(x)),)


@dataclass(frozen=True, eq=False)
class Sinc(Elementwise):
    """The derivative of order `order` of sin(pi x) / (pi x), which is 1 at 0. Of every order exact at 0 too.

    Shapes: any.  Dtypes: floating point, kept.
    """

    order: int = 0

    dtypes = FLOATING

    def compute(self, x: Array) -> Array:
        return in_float64(partial(sinc, self.order))(x)

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (Sinc(self.order + 1)(x),)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [s for order in range(3) for s in samples(cls(order), (-2.0, 2.0))]
