"""Numerics in float64 that several special functions share: polynomials, sin(pi x), sinc and its derivatives.

Everything takes and gives float64 arrays of any shape and raises no warnings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Piece = tuple[Array, Callable[[Array], Array]]
"""Where, and what to compute there."""


def piecewise(x: Array, *pieces: Piece) -> Array:
    """The first piece's function where it holds, the next one's elsewhere where that holds, and so on; else x."""
    flat = x.reshape(-1)
    out = flat.copy()
    left = np.ones(flat.shape, bool)
    for where, function in pieces:
        here = left & where.reshape(-1)
        if here.any():
            out[here] = function(flat[here])
            left &= ~here
    return out.reshape(x.shape)


def polynomial(coefficients: Sequence[float], x: Array) -> Array:
    """The polynomial of these coefficients, the constant first, by Horner's rule."""
    out = np.full_like(x, coefficients[-1])
    for c in coefficients[-2::-1]:
        out = out * x + c
    return out


def chebyshev(coefficients: Sequence[float], x: Array) -> Array:
    """c0 / 2 + c1 T1(x) + c2 T2(x) + ... for x in [-1, 1].

    Source: C. W. Clenshaw, "A note on the summation of Chebyshev series", 1955.
    """
    twice = 2 * x
    before = out = np.zeros_like(x)
    for c in coefficients[:0:-1]:
        before, out = out, twice * out - before + c
    return x * out - before + coefficients[0] / 2


def sin_pi(x: Array) -> Array:
    """sin(pi x), exactly 0 at integers: the argument is reduced before it is multiplied."""
    nearest = np.rint(x)
    r = x - nearest
    near = np.abs(r) <= 0.25
    value = np.where(near, np.sin(pi * r), np.copysign(np.cos(pi * (0.5 - np.abs(r))), r))
    return np.where(np.remainder(nearest, 2) == 0, value, -value)


def cos_pi(x: Array) -> Array:
    """cos(pi x), exactly 0 halfway between integers."""
    nearest = np.rint(x)
    r = np.abs(x - nearest)
    value = np.where(r <= 0.25, np.cos(pi * r), np.sin(pi * (0.5 - r)))
    return np.where(np.remainder(nearest, 2) == 0, value, -value)


@cache
def gauss(count: int, end: float) -> list[tuple[float, float]]:
    """The nodes and weights of Gauss's rule on [0, end]: NumPy's, after Newton's steps on Legendre's polynomial."""
    x = np.polynomial.legendre.leggauss(count)[0].astype(np.longdouble)
    slope = np.ones_like(x)
    for _ in range(2):
        before, value = np.ones_like(x), x
        for k in range(2, count + 1):
            before, value = value, ((2 * k - 1) * x * value - (k - 1) * before) / k
        slope = count * (before - x * value) / (1 - x * x)
        x = x - value / slope
    nodes, weights = (x + 1) * end / 2, end / ((1 - x * x) * slope * slope)
    return list(zip(nodes.astype(float).tolist(), weights.astype(float).tolist(), strict=True))


def sinc(order: int, x: Array) -> Array:
    """The derivative of that order of sin(pi x) / (pi x), which is 1 at 0.

    Of f(z) = sin(z) / z it is the integral of t**n cos(z t + n pi / 2) over t from 0 to 1, by Gauss's rule where z is
    small; elsewhere z f(n) = sin(z + n pi / 2) - n f(n - 1), which is stable for |z| > n.
    Source: DLMF 10.54.2 and 3.5(v).
    """
    with np.errstate(all="ignore"):
        z = x * pi
        far = np.abs(z) > (order + 4 if order else 0)
        out = np.where(far, _sinc_by_recurrence(order, x, np.where(far, z, 1.0)), 0.0)
        near = np.where(far, 0.0, z)
        out = np.where(far, out, _sinc_by_integral(order, near))
        return np.where(np.isinf(x), 0.0, np.where((x == 0) & (order == 0), 1.0, out * pi**order))


def _sinc_by_recurrence(order: int, x: Array, z: Array) -> Array:
    s, c = sin_pi(x), cos_pi(x)
    out = s / z
    for k in range(1, order + 1):
        out = ((c, -s, -c, s)[(k - 1) % 4] - k * out) / z
    return out


def _sinc_by_integral(order: int, z: Array) -> Array:
    total = np.zeros_like(z)
    for node, weight in gauss(40, 1.0):
        wave = np.sin(z * node) if order % 2 else np.cos(z * node)
        total = total + weight * node**order * wave
    return total * (1, -1, -1, 1)[order % 4]
