"""Exponentials, logarithms, roots and reciprocals, and what is composed of them but would lose precision."""

from __future__ import annotations

from dataclasses import dataclass
from math import log as log_of

import numpy as np

from tidegate.core.dtypes import COMPLEX, FLOATING, INEXACT
from tidegate.core.graph import Array, Tensor
from tidegate.core.kinds import Elementwise
from tidegate.ops.broadcast import filled, zeros_like
from tidegate.ops.elementwise import (
    POSITIVE,
    Abs,
    Equal,
    LogicalAnd,
    Partial,
    Tanh,
    add,
    divide,
    exp,
    multiply,
    negate,
    scaled,
    select,
    subtract,
)

LOG_2 = log_of(2)
LOG_10 = log_of(10)


@dataclass(frozen=True, eq=False)
class Expm1(Elementwise):
    """e ** x - 1, without cancellation where x is near 0.

    Shapes: any.  Dtypes: floating point or complex, kept.  Source: DLMF 4.7.
    """

    dtypes = INEXACT

    def compute(self, x: Array) -> Array:
        out = np.expm1(x)
        if x.dtype in COMPLEX:  # NumPy makes NaN of infinity * 0 there; its exp doesn't
            return np.where(np.isfinite(out), out, np.exp(x) - x.dtype.type(1))
        return out

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (exp(x),)


@dataclass(frozen=True, eq=False)
class Exp2(Elementwise):
    """2 ** x, exact where x is an integer.

    Shapes: any.  Dtypes: floating point, kept.  Source: DLMF 4.7.
    """

    dtypes = FLOATING
    compute = staticmethod(np.exp2)

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (scaled(out, LOG_2),)


@dataclass(frozen=True, eq=False)
class Log1p(Elementwise):
    """log(1 + x), without cancellation where x is near 0: -inf at -1, NaN below; for complex x the principal branch.

    Shapes: any.  Dtypes: floating point or complex, kept.  Source: DLMF 4.7.1.
    """

    dtypes = INEXACT
    intervals = ((-0.6, 2.0),)
    compute = staticmethod(np.log1p)

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        one = filled(1, x.type)
        return (divide(one, add(one, x)),)


@dataclass(frozen=True, eq=False)
class Log2(Elementwise):
    """Logarithm to the base 2: -inf at 0, NaN below; for complex x the principal branch.

    Shapes: any.  Dtypes: floating point or complex, kept.  Source: DLMF 4.7.1.
    """

    dtypes = INEXACT
    intervals = (POSITIVE,)
    compute = staticmethod(np.log2)

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (divide(filled(1 / LOG_2, x.type), x),)


@dataclass(frozen=True, eq=False)
class Log10(Elementwise):
    """Logarithm to the base 10: -inf at 0, NaN below; for complex x the principal branch.

    Shapes: any.  Dtypes: floating point or complex, kept.  Source: DLMF 4.7.1.
    """

    dtypes = INEXACT
    intervals = (POSITIVE,)
    compute = staticmethod(np.log10)

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (divide(filled(1 / LOG_10, x.type), x),)


@dataclass(frozen=True, eq=False)
class Sigmoid(Elementwise):
    """1 / (1 + exp(-x)), precise where it is near 0 too.

    Its derivative is y (1 - y) of its value y: exactly 0 where that rounds to 1, as TensorFlow has it.
    Shapes: any.  Dtypes: floating point or complex, kept.
    """

    dtypes = INEXACT

    def compute(self, x: Array) -> Array:
        one, half = x.dtype.type(1), x.dtype.type(0.5)
        if x.dtype in COMPLEX:
            return half + half * np.tanh(half * x)
        with np.errstate(under="ignore"):
            small = np.exp(-np.abs(x))
        return np.where(x < 0, small, one) / (one + small)

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (multiply(out, subtract(filled(1, out.type), out)),)


@dataclass(frozen=True, eq=False)
class Softplus(Elementwise):
    """log(1 + exp(x)), which overflows nowhere and is precise where it is near 0. Its derivative is sigmoid(x).

    Shapes: any.  Dtypes: floating point, kept.
    """

    dtypes = FLOATING

    def compute(self, x: Array) -> Array:
        with np.errstate(under="ignore"):
            return np.maximum(x, x.dtype.type(0)) + np.log1p(np.exp(-np.abs(x)))

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (Sigmoid()(x),)


def shares(x: Tensor, y: Tensor, rate: float) -> tuple[Tensor, Tensor]:
    """What x and y have of e ** (rate x) + e ** (rate y): half each where both are the same infinity."""
    infinite = Equal()(Abs()(x), filled(np.inf, x.type))
    same = LogicalAnd()(infinite, Equal()(x, y))
    ahead = select(same, zeros_like(x), subtract(x, y))
    ahead = ahead if rate == 1 else scaled(ahead, rate)
    return Sigmoid()(ahead), Sigmoid()(negate(ahead))


@dataclass(frozen=True, eq=False)
class LogAddExp(Elementwise):
    """log(e ** x + e ** y), which overflows only if the result does.

    Where both are the same infinity each gets half of the derivative.
    Shapes: two of one shape.  Dtypes: two of one floating point dtype, kept.
    """

    arity = 2
    dtypes = FLOATING
    compute = staticmethod(np.logaddexp)

    def partials(self, out: Tensor, x: Tensor, y: Tensor) -> tuple[Partial, Partial]:
        return shares(x, y, 1)


@dataclass(frozen=True, eq=False)
class LogAddExp2(Elementwise):
    """log2(2 ** x + 2 ** y), which overflows only if the result does.

    Where both are the same infinity each gets half of the derivative.
    Shapes: two of one shape.  Dtypes: two of one floating point dtype, kept.
    """

    arity = 2
    dtypes = FLOATING
    compute = staticmethod(np.logaddexp2)

    def partials(self, out: Tensor, x: Tensor, y: Tensor) -> tuple[Partial, Partial]:
        return shares(x, y, LOG_2)


@dataclass(frozen=True, eq=False)
class LogCosh(Elementwise):
    """log(cosh(x)), which overflows nowhere and is precise where it is near 0. Its derivative is tanh(x).

    Shapes: any.  Dtypes: floating point, kept.
    """

    dtypes = FLOATING

    def compute(self, x: Array) -> Array:
        two = x.dtype.type(2)
        with np.errstate(under="ignore"):
            size = np.abs(x)
            half = np.sinh(np.minimum(size, two) / two)
            far = size + (np.log1p(np.exp(-two * size)) - x.dtype.type(LOG_2))
            return np.where(size < two, np.log1p(two * half * half), far)  # cosh(x) = 1 + 2 sinh(x / 2)**2

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (Tanh()(x),)


@dataclass(frozen=True, eq=False)
class Logit(Elementwise):
    """log(x / (1 - x)), precise where it is near 0 too: infinite at 0 and 1, NaN outside.

    Shapes: any.  Dtypes: floating point, kept.
    """

    dtypes = FLOATING
    intervals = ((0.2, 0.8),)

    def compute(self, x: Array) -> Array:
        one, two = x.dtype.type(1), x.dtype.type(2)
        low = x < 0.25
        small = np.where(low, x, one / two)
        inner = two * np.arctanh(two * np.where(low, one / two, x) - one)  # 2 x - 1 is exact there
        return np.where(low, np.log(small) - np.log1p(-small), inner)

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        one = filled(1, x.type)
        return (divide(one, multiply(x, subtract(one, x))),)


@dataclass(frozen=True, eq=False)
class Cbrt(Elementwise):
    """Cube root, of negative x too.

    The derivative at 0 is infinite, but a zero cotangent gives exactly 0.
    Shapes: any.  Dtypes: floating point, kept.
    """

    dtypes = FLOATING
    intervals = (POSITIVE,)
    zero_upstream = True
    compute = staticmethod(np.cbrt)

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (divide(filled(1 / 3, x.type), multiply(out, out)),)


@dataclass(frozen=True, eq=False)
class Rsqrt(Elementwise):
    """1 / sqrt(x): infinite at 0, NaN below; for complex x the principal branch.

    The derivative at 0 is -inf, but a zero cotangent gives exactly 0.
    Shapes: any.  Dtypes: floating point or complex, kept.
    """

    dtypes = INEXACT
    intervals = (POSITIVE,)
    zero_upstream = True

    def compute(self, x: Array) -> Array:
        return x.dtype.type(1) / np.sqrt(x)

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (divide(scaled(out, -0.5), x),)


@dataclass(frozen=True, eq=False)
class Reciprocal(Elementwise):
    """1 / x, infinite at 0.

    The derivative at 0 is -inf, but a zero cotangent gives exactly 0.
    Shapes: any.  Dtypes: floating point or complex, kept.
    """

    dtypes = INEXACT
    intervals = (POSITIVE,)
    zero_upstream = True

    def compute(self, x: Array) -> Array:
        return x.dtype.type(1) / x

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (negate(multiply(out, out)),)
