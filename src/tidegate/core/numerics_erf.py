"""The error function and its kin in float64. Arrays of any shape; no warnings.

Measured against mpmath (tests/ops/test_special_values.py), within units of the last place: erf 2, erfc 4, erfcx 2 and
its derivatives 8, erfinv 4, erfcinv 3, ndtr 4, log_ndtr 4.
Sources: M. M. Shepherd and J. G. Laframboise, "Chebyshev approximation of (1 + 2x) exp(x^2) erfc x in 0 <= x < inf",
Math. Comp. 36 (1981), for the variable of the expansion; DLMF 7.17 and 7.18.
"""

from __future__ import annotations

from math import pi, sqrt

import numpy as np

from tidegate.core.numerics_basic import Array, chebyshev, gauss, piecewise, polynomial

TWO_OVER_ROOT_PI = 2 / sqrt(pi)
# Chebyshev coefficients, found with mpmath in 60 digits: of erf(x) / x in x**2 from 0 to 1, and of
# (1 + 2 x) exp(x**2) erfc(x) in (x - 3.75) / (x + 3.75) from -1 to 1.
ERF_SERIES = (
    1.9509538787653082, -0.14226120510371365, 0.010035582187599796, -0.0005768764699767485,
    2.741993125219606e-05, -1.1043175507344507e-06, 3.8488755420345036e-08, -1.1808582533875466e-09,
    3.2334215826050907e-11, -7.991015947004549e-13, 1.7990725113961456e-14, -3.718635487818693e-16,
    7.103599003714253e-18, -1.2612455119155226e-19, 2.0916406941769294e-21, -3.2539731029314073e-23,
    4.766867209797675e-25,
)  # fmt: skip
ERFCX_SERIES = (
    2.3551578691348034, -0.004590054580646478, -0.08424913336651792, 0.05920993999819189, -0.026658668435305753,
    0.009074997670705265, -0.002413163540417608, 0.0004907758365258086, -6.916973302501207e-05,
    4.13902798607301e-06, 7.74038306619849e-07, -2.1886401049234397e-07, 1.076499946567091e-08,
    4.521959811218287e-09, -7.754400208831351e-10, -6.318088340886684e-11, 2.86879501093067e-11,
    1.9455868545777347e-13, -9.65469674843344e-13, 3.25254814814874e-14, 3.3478119482868056e-14,
    -1.864562880419313e-15, -1.2507950530688648e-15, 7.418235256624028e-17, 5.0681489047960956e-17,
    -2.2370566594361613e-18, -2.1873429443031823e-18, 2.6766327399093472e-20, 9.736561401725071e-20,
    3.3214840903500674e-21, -4.290286708055469e-21, -4.1342793510641964e-22, 1.7694365956594613e-22,
    3.2970951520060756e-23, -6.1301467277663114e-24, -2.1764426250490847e-24,
)  # fmt: skip


def exp_of_square(x: Array, sign: float) -> Array:
    """exp(sign x**2), with what rounding x**2 would lose."""
    square = x * x
    out = np.exp(sign * square)
    return out + out * (sign * product_error(x, x, square))


def product_error(x: Array, y: Array | float, product: Array) -> Array:
    """x y - product, exactly, of the rounded product. Source: T. J. Dekker, Numer. Math. 18 (1971)."""
    split = 2.0**27 + 1
    x_high = split * x - (split * x - x)
    y_high = split * y - (split * y - y)
    x_low, y_low = x - x_high, y - y_high
    return ((x_high * y_high - product) + x_high * y_low + x_low * y_high) + x_low * y_low


def erf(x: Array) -> Array:
    """2 / sqrt(pi) times the integral of exp(-t**2) from 0 to x."""
    with np.errstate(all="ignore"):
        size = np.abs(x)
        return piecewise(
            x,
            (size <= 1, _small),
            (size < 6, lambda x: np.copysign(1 - _scaled(np.abs(x)) * exp_of_square(x, -1), x)),
            (~np.isnan(x), np.sign),
        )


def _small(x: Array) -> Array:
    return x * chebyshev(ERF_SERIES, 2 * x * x - 1)


def _scaled(x: Array) -> Array:
    """exp(x**2) erfc(x) for x >= 0."""
    return chebyshev(ERFCX_SERIES, 1 - 7.5 / (x + 3.75)) / (1 + 2 * x)


def erfc(x: Array) -> Array:
    """1 - erf(x), to full relative precision for large x."""
    with np.errstate(all="ignore"):
        return piecewise(
            x,
            (np.abs(x) <= 0.5, lambda x: 1 - _small(x)),
            (x > 28, np.zeros_like),
            (x < -6, lambda x: np.full_like(x, 2.0)),
            (x > 0, lambda x: _scaled(x) * exp_of_square(x, -1)),
            (x < 0, lambda x: 2 - _scaled(-x) * exp_of_square(x, -1)),
        )


def erfcx(x: Array) -> Array:
    """exp(x**2) erfc(x)."""
    with np.errstate(all="ignore"):
        return piecewise(
            x,
            (np.abs(x) < 0.25, lambda x: (1 - _small(x)) * np.exp(x * x)),
            (x >= 0, _scaled),
            (x < -27, lambda x: np.full_like(x, np.inf)),
            (x < 0, lambda x: 2 * exp_of_square(x, 1) - _scaled(-x)),
        )


def erfcx_derivative(order: int, x: Array) -> Array:
    """The derivative of that order of exp(x**2) erfc(x): (-2)**n n! times the n-th repeated integral, scaled.

    Where x < 0 by f(k + 1) = 2 x f(k) + 2 k f(k - 1) (DLMF 7.18.7), which cancels nothing there.
    """
    with np.errstate(all="ignore"):
        if order == 0:
            return erfcx(x)
        return piecewise(
            x,
            (x < 0, lambda x: _upward(order, x)),
            (x < 2, lambda x: _integral(order, x)),
            (x >= 2, lambda x: (-1) ** order * erfcx(x) * _ratios(order, x)),
        )


def _upward(order: int, x: Array) -> Array:
    before, out = erfcx(x), 2 * x * erfcx(x) - TWO_OVER_ROOT_PI
    for k in range(1, order):
        before, out = out, 2 * x * out + 2 * k * before
    return out


def _integral(order: int, x: Array) -> Array:
    """DLMF 7.18.2: of (-2 t)**n exp(-t**2 - 2 x t) over t > 0, by Gauss's rule."""
    end = 6.5 + sqrt(order / 2)
    total = np.zeros_like(x)
    for node, weight in gauss(64, end):
        total = total + weight * node**order * np.exp(-node * (node + 2 * x))
    return (-2.0) ** order * TWO_OVER_ROOT_PI * total


def _ratios(order: int, x: Array) -> Array:
    """The product of s(k) = -f(k) / f(k - 1) = k / (x + s(k + 1) / 2), down from a k where s is as good as constant."""
    start = order + 80
    ratio = 2 * start / (x + np.hypot(x, sqrt(2.0 * start)))
    product = np.ones_like(x)
    for k in range(start - 1, 0, -1):
        ratio = k / (x + ratio / 2)
        if k <= order:
            product = product * ratio
    return product


def erfinv(x: Array) -> Array:
    """The y whose erf is x; infinite at -1 and 1, NaN outside."""
    with np.errstate(all="ignore"):
        size = np.abs(x)
        return piecewise(
            x,
            (size <= 0.5, _central),
            (size <= 1, lambda x: np.copysign(_tail(1 - np.abs(x)), x)),
            (size > 1, lambda x: np.full_like(x, np.nan)),
        )


def erfcinv(x: Array) -> Array:
    """The y whose erfc is x; infinite at 0 and 2, NaN outside."""
    with np.errstate(all="ignore"):
        return piecewise(
            x,
            ((x < 0) | (x > 2), lambda x: np.full_like(x, np.nan)),
            (x < 0.5, _tail),
            (x <= 1.5, lambda x: _central(1 - x)),
            (x <= 2, lambda x: -_tail(2 - x)),
        )


def _central(x: Array) -> Array:
    """erfinv for |x| <= 0.5: its series (DLMF 7.17.2), then Halley's steps on erf."""
    y = x / TWO_OVER_ROOT_PI * polynomial((1.0, pi / 12, 7 * pi**2 / 480, 127 * pi**3 / 40320), x * x)
    for _ in range(2):
        step = (erf(y) - x) / (TWO_OVER_ROOT_PI * np.exp(-y * y))
        y = y - step / (1 + y * step)
    return y


def _tail(x: Array) -> Array:
    """erfcinv for x < 0.5: its asymptotic form (DLMF 7.17.3), then Halley's steps on log(erfc)."""
    log = np.log(x)
    y = np.sqrt(np.maximum(-log - np.log(np.maximum(-log * pi, 1.0)) / 2, 0.1))
    for _ in range(4):
        scaled = erfcx(y)
        slope = TWO_OVER_ROOT_PI / scaled
        step = (log + y * y - np.log(scaled)) / slope
        y = y - step / (1 - step * (slope - 2 * y) / 2)
    return np.where(x == 0, np.inf, y)


ROOT_HALF = sqrt(0.5)
ROOT_HALF_REST = -4.833646656726457e-17
"""sqrt(1/2) less the float64 nearest to it."""


def ndtr(x: Array) -> Array:
    """The normal distribution function: erfc(-x / sqrt(2)) / 2, with what rounding that argument would lose."""
    with np.errstate(all="ignore"):
        x = np.where(np.isnan(x), x, np.clip(x, -1e3, 1e3))
        y = x * ROOT_HALF
        rest = product_error(x, ROOT_HALF, y) + x * ROOT_HALF_REST
        return erfc(-y) / 2 + rest * TWO_OVER_ROOT_PI / 2 * exp_of_square(y, -1)


def log_ndtr(x: Array) -> Array:
    """log(ndtr(x)), finite far to the left, where ndtr(x) is 0."""
    with np.errstate(all="ignore"):
        return piecewise(
            x,
            (x < 0, lambda x: np.log(erfcx(-x * ROOT_HALF) / 2) - x * x / 2),
            (x >= 0, lambda x: np.log1p(-ndtr(-x))),
        )
