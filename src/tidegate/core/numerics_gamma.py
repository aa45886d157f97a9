"""log |gamma| and its derivatives in float64. Arrays of any shape; no warnings.

Measured against mpmath (tests/ops/test_special_values.py), within units of the last place: for x > 0 lgamma 3,
digamma 3, polygamma of order n 4 + n. For x < 0 the error is some units against 1 and the terms of the reflection:
relative to the value only where that isn't near a zero.
"""

from __future__ import annotations

from math import factorial, log, pi

import numpy as np

from tidegate.core.numerics_basic import Array, chebyshev, cos_pi, piecewise, polynomial, sin_pi

# Chebyshev coefficients on [1, 3], found with mpmath in 60 digits: of log(gamma(x)) / ((x - 1) (x - 2)), and of
# digamma(x) / (x - its zero). What vanishes is a factor, so the values keep their relative precision there.
LGAMMA_SERIES = (
    0.8829780509100285, -0.11119580321752523, 0.01951044826068884, -0.003922461463025264, 0.0008478989895953857,
    -0.00019153855341365593, 4.454470184975607e-05, -1.05728743735943e-05, 2.5474336873408417e-06,
    -6.208535880776316e-07, 1.5268677399071546e-07, -3.782637660291326e-08, 9.428100823624284e-09,
    -2.361999702184645e-09, 5.943541905817546e-10, -1.501312977072867e-10, 3.8050196458110534e-11,
    -9.672485299656325e-12, 2.465348198355661e-12, -6.298868140791711e-13, 1.6128460030283787e-13,
    -4.137949206814042e-14, 1.0635701227757898e-14, -2.7382420786652826e-15, 7.060670507214892e-16,
    -1.8232177141662118e-16, 4.714169006756272e-17, -1.2204107319639856e-17, 3.1630451661790255e-18,
    -8.206746544166728e-19, 2.1314428625638425e-19, -5.540983814922317e-20,
)  # fmt: skip

DIGAMMA_SERIES = (
    1.7016282004549188, -0.30691795316595705, 0.06960086856205178, -0.01712297234345182, 0.004374961886424303,
    -0.0011401796377915106, 0.00030046127392236794, -7.969172661686522e-05, 2.1218853925722328e-05,
    -5.6631596935365925e-06, 1.5136717505341737e-06, -4.0495026233355134e-07, 1.083979923064392e-07,
    -2.9026750711369042e-08, 7.774554697983642e-09, -2.082649195692377e-09, 5.579524084715322e-10,
    -1.4948718863979587e-10, 4.005228073341035e-11, -1.0731515178725395e-11, 2.8754217843517632e-12,
    -7.704533926086572e-13, 2.0644004026236004e-13, -5.53150434659318e-14, 1.482155285389004e-14,
    -3.971411389284323e-15, 1.0641344625722717e-15, -2.8513362471718133e-16, 7.640126526131413e-17,
    -2.047164716811876e-17, 5.485359583436558e-18, -1.4697973715349978e-18,
)  # fmt: skip
DIGAMMA_ZERO = 1.4616321449683622
DIGAMMA_ZERO_REST = 9.549995429965697e-17

BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798, -174611 / 330)
"""B2, B4, ..., B20."""
STIRLING = tuple([b / (2 * k * (2 * k - 1)) for k, b in enumerate(BERNOULLI[:8], 1)])
DIGAMMA_STIRLING = tuple([b / (2 * k) for k, b in enumerate(BERNOULLI[:8], 1)])
LARGE = 10.0
"""From here on Stirling's series is as good as exact."""


def lgamma(x: Array) -> Array:
    """log |gamma(x)|: inf at 0, -1, -2, ... and at both infinities."""
    with np.errstate(all="ignore"):
        return piecewise(
            x,
            (x > 0, _lgamma_positive),
            (np.isinf(x) | (x == np.floor(x)), lambda x: np.full_like(x, np.inf)),
            (x < 0, _lgamma_reflected),
        )


def _lgamma_positive(x: Array) -> Array:
    return piecewise(
        x,
        (x < 1, lambda x: x * (x - 1) * chebyshev(LGAMMA_SERIES, x - 1) - np.log(x)),
        (x <= 3, lambda x: (x - 1) * (x - 2) * chebyshev(LGAMMA_SERIES, x - 2) + 0.0),  # no -0.0
        (x < LARGE, _lgamma_lowered),
        (x >= LARGE, _lgamma_large),
    )


def _lgamma_lowered(x: Array) -> Array:
    """gamma(x) = (x - 1) gamma(x - 1), down to (2, 3]."""
    product = np.ones_like(x)
    while (above := x > 3).any():
        x = np.where(above, x - 1, x)
        product = np.where(above, product * x, product)
    return np.log(product) + (x - 1) * (x - 2) * chebyshev(LGAMMA_SERIES, x - 2)


def _lgamma_large(x: Array) -> Array:
    """Stirling's series, DLMF 5.11.1."""
    rest = polynomial(STIRLING, 1 / (x * x)) / x
    return np.where(np.isinf(x), x, (x - 0.5) * (np.log(x) - 1) + ((log(2 * pi) - 1) / 2 + rest))


def _lgamma_reflected(x: Array) -> Array:
    """DLMF 5.5.3, as gamma(x) gamma(-x) = -pi / (x sin(pi x))."""
    return log(pi) - np.log(np.abs(x * sin_pi(x))) - _lgamma_positive(-x)


def digamma(x: Array) -> Array:
    """The derivative of log(gamma(x)): infinite at 0, of the other sign; NaN at -1, -2, ..."""
    with np.errstate(all="ignore"):
        return piecewise(
            x,
            (x > 0, _digamma_positive),
            (x == 0, lambda x: -1 / x),
            (np.isinf(x) | (x == np.floor(x)), lambda x: np.full_like(x, np.nan)),
            (x < 0, lambda x: _digamma_positive(1 - x) - pi * cos_pi(x) / sin_pi(x)),  # DLMF 5.5.4
        )


def _digamma_positive(x: Array) -> Array:
    def central(x: Array) -> Array:
        return ((x - DIGAMMA_ZERO) - DIGAMMA_ZERO_REST) * chebyshev(DIGAMMA_SERIES, x - 2)

    def below(x: Array) -> Array:
        return ((x - (DIGAMMA_ZERO - 1)) - DIGAMMA_ZERO_REST) * chebyshev(DIGAMMA_SERIES, x - 1) - 1 / x

    def lowered(x: Array) -> Array:
        total = np.zeros_like(x)
        while (above := x > 3).any():
            x = np.where(above, x - 1, x)
            total = np.where(above, total + 1 / x, total)
        return central(x) + total

    def large(x: Array) -> Array:
        """DLMF 5.11.2."""
        inverse = 1 / (x * x)
        return np.log(x) - (0.5 / x + inverse * polynomial(DIGAMMA_STIRLING, inverse))

    return piecewise(x, (x < 1, below), (x <= 3, central), (x < LARGE, lowered), (x >= LARGE, large))


def polygamma(order: int, x: Array) -> Array:
    """The derivative of that order of digamma. At 0, -1, -2, ... infinite for an odd order, NaN for an even one
    (at 0 an infinity of the sign that 1 / x has not)."""
    if order == 0:
        return digamma(x)
    odd = order % 2
    with np.errstate(all="ignore"):
        return piecewise(
            x,
            (x > 0, lambda x: _polygamma_positive(order, x)),
            (x == 0, lambda x: np.full_like(x, np.inf) if odd else -1 / x),
            (np.isinf(x), lambda x: np.full_like(x, np.nan)),
            (x == np.floor(x), lambda x: np.full_like(x, np.inf if odd else np.nan)),
            (x < 0, lambda x: _polygamma_reflected(order, x)),
        )


def _polygamma_positive(order: int, x: Array) -> Array:
    """(-1)**(n + 1) n! zeta(n + 1, x): terms of the sum (DLMF 5.15.1) until x is large, then DLMF 5.15.9."""
    enough = LARGE + 2 + order
    total = np.zeros_like(x)
    while (below := x < enough).any():
        total = np.where(below, total + np.where(below, x, 1.0) ** -(order + 1.0), total)
        x = np.where(below, x + 1, x)
    inverse = 1 / x
    factor = 1.0
    rest = 1.0 + order / 2 * inverse
    for k, b in enumerate(BERNOULLI, 1):
        factor *= (2 * k + order - 1) * (2 * k + order - 2) / (2 * k * (2 * k - 1))
        rest = rest + b * factor * inverse ** (2 * k)
    sign = 1.0 if order % 2 else -1.0
    return sign * (factorial(order) * total + factorial(order - 1) * rest * inverse**order)


def _polygamma_reflected(order: int, x: Array) -> Array:
    """DLMF 5.15.6; the derivatives of the cotangent c are polynomials in c: c' = -(1 + c**2)."""
    powers = np.polynomial.Polynomial([0.0, 1.0])
    for _ in range(order):
        powers = powers.deriv() * np.polynomial.Polynomial([-1.0, 0.0, -1.0])
    cotangents = polynomial([float(c) for c in powers.coef], cos_pi(x) / sin_pi(x))
    return (-1) ** order * _polygamma_positive(order, 1 - x) - pi ** (order + 1) * cotangents
