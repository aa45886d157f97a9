"""The error function, the gamma function and their kin. Their numerics are core/numerics_erf and core/numerics_gamma:
computed in float64, rounded once to the dtype."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import pi, sqrt

from tidegate.core import numerics_erf, numerics_gamma
from tidegate.core.dtypes import FLOATING
from tidegate.core.graph import Array, Tensor
from tidegate.core.kinds import Elementwise, in_float64
from tidegate.core.op import Sample
from tidegate.ops.broadcast import filled
from tidegate.ops.elementwise import POSITIVE, Less, Partial, divide, exp, multiply, scaled, select
from tidegate.ops.trigonometric import samples

TWO_OVER_ROOT_PI = 2 / sqrt(pi)


def bell(x: Tensor, rate: float, height: float) -> Tensor:
    """height exp(rate x**2)."""
    return scaled(exp(scaled(multiply(x, x), rate)), height)


@dataclass(frozen=True, eq=False)
class Erf(Elementwise):
    """The error function, 2 / sqrt(pi) times the integral of exp(-t**2) from 0 to x.

    Shapes: any.  Dtypes: floating point, kept.  Source: DLMF 7.2.1.
    """

    dtypes = FLOATING
    compute = staticmethod(in_float64(numerics_erf.erf))

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (bell(x, -1, TWO_OVER_ROOT_PI),)


@dataclass(frozen=True, eq=False)
class Erfc(Elementwise):
    """1 - erf(x), precise where it is near 0 too.

    Shapes: any.  Dtypes: floating point, kept.  Source: DLMF 7.2.2.
    """

    dtypes = FLOATING
    compute = staticmethod(in_float64(numerics_erf.erfc))

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (bell(x, -1, -TWO_OVER_ROOT_PI),)


@dataclass(frozen=True, eq=False)
class Erfcx(Elementwise):
    """The derivative of order `order` of exp(x**2) erfc(x). Composed, all of it would cancel for large x.

    Shapes: any.  Dtypes: floating point, kept.  Source: DLMF 7.18.
    """

    order: int = 0

    dtypes = FLOATING

    def compute(self, x: Array) -> Array:
        return in_float64(partial(numerics_erf.erfcx_derivative, self.order))(x)

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (Erfcx(self.order + 1)(x),)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [s for order in range(3) for s in samples(cls(order), (-1.0, 3.0))]


@dataclass(frozen=True, eq=False)
class ErfInv(Elementwise):
    """The y whose erf is x: infinite at -1 and 1, NaN outside.

    Shapes: any.  Dtypes: floating point, kept.  Source: DLMF 7.17.
    """

    dtypes = FLOATING
    intervals = ((-0.8, 0.8),)
    compute = staticmethod(in_float64(numerics_erf.erfinv))

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (bell(out, 1, 1 / TWO_OVER_ROOT_PI),)


@dataclass(frozen=True, eq=False)
class ErfcInv(Elementwise):
    """The y whose erfc is x: infinite at 0 and 2, NaN outside.

    Shapes: any.  Dtypes: floating point, kept.  Source: DLMF 7.17.
    """

    dtypes = FLOATING
    intervals = ((0.3, 1.7),)
    compute = staticmethod(in_float64(numerics_erf.erfcinv))

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (bell(out, 1, -1 / TWO_OVER_ROOT_PI),)


@dataclass(frozen=True, eq=False)
class Ndtr(Elementwise):
    """The standard normal distribution function, erfc(-x / sqrt(2)) / 2, precise where it is near 0 too.

    Shapes: any.  Dtypes: floating point, kept.
    """

    dtypes = FLOATING
    compute = staticmethod(in_float64(numerics_erf.ndtr))

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (bell(x, -0.5, 1 / sqrt(2 * pi)),)


@dataclass(frozen=True, eq=False)
class LogNdtr(Elementwise):
    """The logarithm of the standard normal distribution function, finite where that rounds to 0 or 1.

    Shapes: any.  Dtypes: floating point, kept.
    """

    dtypes = FLOATING
    compute = staticmethod(in_float64(numerics_erf.log_ndtr))

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        zero = filled(0, x.type)
        low = Less()(x, zero)  # far above 0 erfcx is infinite; far below, the density and the function are both 0
        left, right = select(low, x, zero), select(low, zero, x)
        below = divide(filled(sqrt(2 / pi), x.type), Erfcx()(scaled(left, -sqrt(0.5))))
        return (select(low, below, divide(bell(right, -0.5, 1 / sqrt(2 * pi)), Ndtr()(right))),)


@dataclass(frozen=True, eq=False)
class Lgamma(Elementwise):
    """log |gamma(x)|: inf at 0, -1, -2, ...

    Shapes: any.  Dtypes: floating point, kept.  Source: DLMF 5.2, 5.11.
    """

    dtypes = FLOATING
    intervals = (POSITIVE,)
    compute = staticmethod(in_float64(numerics_gamma.lgamma))

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (Polygamma(0)(x),)


@dataclass(frozen=True, eq=False)
class Polygamma(Elementwise):
    """The derivative of order `order` + 1 of log(gamma(x)): digamma is that of order 0.

    At 0, -1, -2, ... it is inf for an odd order; for an even one NaN, at 0 an infinity of the sign that x hasn't.
    Shapes: any.  Dtypes: floating point, kept.  Source: DLMF 5.15.
    """

    order: int

    dtypes = FLOATING

    def compute(self, x: Array) -> Array:
        return in_float64(partial(numerics_gamma.polygamma, self.order))(x)

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (Polygamma(self.order + 1)(x),)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [s for order in range(3) for s in samples(cls(order), (0.6, 3.0))]
