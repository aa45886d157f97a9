"""The error function, the gamma function and their kin. Floating point; every derivative of every order is exact.

Values are computed in float64 and rounded once, to a few units of float64's last place at most.
"""

from __future__ import annotations

from math import sqrt

from tidegate.core.errors import ArgumentError, ArgumentTypeError
from tidegate.core.graph import Tensor, TensorLike
from tidegate.functions.arguments import integer
from tidegate.functions.convert import floating
from tidegate.ops import special as ops
from tidegate.ops.elementwise import scaled

MOST = 100
"""The highest order of polygamma: beyond it the factorials overflow before the values do."""


def erf(x: TensorLike, /) -> Tensor:
    """The error function, 2 / sqrt(pi) times the integral of exp(-t**2) from 0 to x. Source: DLMF 7.2.1."""
    return _ERF(floating("erf", x))


def erfc(x: TensorLike, /) -> Tensor:
    """1 - erf(x), precise where it is near 0 too. Source: DLMF 7.2.2."""
    return _ERFC(floating("erfc", x))


def erfcx(x: TensorLike, /) -> Tensor:
    """exp(x**2) erfc(x), finite where erfc(x) rounds to 0."""
    return _ERFCX(floating("erfcx", x))


def erfinv(x: TensorLike, /) -> Tensor:
    """The y whose erf is x: infinite at -1 and 1, NaN outside."""
    return _ERF_INV(floating("erfinv", x))


def erfcinv(x: TensorLike, /) -> Tensor:
    """The y whose erfc is x: infinite at 0 and 2, NaN outside."""
    return _ERFC_INV(floating("erfcinv", x))


def ndtr(x: TensorLike, /) -> Tensor:
    """The standard normal distribution function, precise where it is near 0 too."""
    return _NDTR(floating("ndtr", x))


def log_ndtr(x: TensorLike, /) -> Tensor:
    """log(ndtr(x)), finite where ndtr(x) rounds to 0."""
    return _LOG_NDTR(floating("log_ndtr", x))


def ndtri(x: TensorLike, /) -> Tensor:
    """The y whose ndtr is x, as -sqrt(2) erfcinv(2 x): infinite at 0 and 1, NaN outside."""
    return scaled(_ERFC_INV(scaled(floating("ndtri", x), 2)), -sqrt(2))


def lgamma(x: TensorLike, /) -> Tensor:
    """log |gamma(x)|: inf at 0, -1, -2, ... Source: DLMF 5.2, 5.11."""
    return _LGAMMA(floating("lgamma", x))


gammaln = lgamma  # SciPy's name


def digamma(x: TensorLike, /) -> Tensor:
    """The derivative of lgamma(x): infinite at 0, NaN at -1, -2, ... Source: DLMF 5.2.2."""
    return _DIGAMMA(floating("digamma", x))


def polygamma(n: int, x: TensorLike, /) -> Tensor:
    """The derivative of order n, an integer from 0 to 100, of digamma(x). Source: DLMF 5.15.

    At 0, -1, -2, ... it is inf for an odd n; for an even n NaN, at 0 an infinity of the sign that x hasn't.
    Raises ArgumentTypeError for an n that isn't an integer, ArgumentError for one out of range.
    """
    if isinstance(n, Tensor):
        raise ArgumentTypeError(f"polygamma: got order {n!r}; want an integer")
    order = integer("polygamma", "order", n)
    if not 0 <= order <= MOST:
        raise ArgumentError(f"polygamma: got order {order}; want 0 to {MOST}")
    return ops.Polygamma(order)(floating("polygamma", x))


_ERF, _ERFC, _ERFCX, _ERF_INV, _ERFC_INV = (op() for op in (ops.Erf, ops.Erfc, ops.Erfcx, ops.ErfInv, ops.ErfcInv))
_NDTR, _LOG_NDTR, _LGAMMA, _DIGAMMA = ops.Ndtr(), ops.LogNdtr(), ops.Lgamma(), ops.Polygamma(0)
