"""Special functions against mpmath: no value is further off than so many units of the last place."""

import mpmath as mp
import numpy as np
import pytest
from scipy import special

import tidegate as tg
from tidegate.core.dtypes import HALF
from tidegate.ops.special import Erfcx
from tidegate.ops.trigonometric import Sinc

INF, NAN = np.inf, np.nan
rng = np.random.default_rng(0)


@pytest.fixture(autouse=True)
def digits():
    with mp.workdps(60):
        yield


def spread(low, high, count=40):
    return rng.uniform(low, high, count)


def powers(low, high, count=20):
    return 10.0 ** rng.uniform(low, high, count)


def values(function, x):
    return function(tg.asarray(np.asarray(x, float))).numpy()


def error_in_ulps(got, want):
    """How far `got` is off, in the gap between float64 numbers at `want`."""
    if got == float(want):
        return 0.0
    return float(abs(mp.mpf(float(got)) - want) / mp.mpf(float(np.spacing(abs(float(want))))))


def erfcx(x):
    return mp.exp(x * x) * mp.erfc(x)


def erfcinv(y):
    if y > 0.5:
        return mp.erfinv(1 - y)
    return mp.findroot(lambda z: mp.log(mp.erfc(z)) - mp.log(y), mp.sqrt(-mp.log(y)))


def log_ndtr(x):
    return mp.log(mp.ncdf(x)) if x < 3 else mp.log1p(-mp.ncdf(-x))


def lgamma(x):
    return mp.log(abs(mp.gamma(x))) if abs(x) < 1e4 else mp.loggamma(x)


POSITIVE = np.concatenate(
    [powers(-300, 0), spread(0, 1), spread(1, 3, 150), spread(3, 12), powers(1, 300), 1 + powers(-15, -1),
     2 - powers(-15, -1), 2 + powers(-15, -1), [5e-324, 1.0, 2.0, 3.0, 10.0]]
)  # fmt: skip
NEAR_ZERO_OF_DIGAMMA = 1.4616321449683622 + powers(-15, -2)
BOUNDS = {
    "erf": (tg.erf, mp.erf, 2, [powers(-300, -1), spread(-1, 1, 150), spread(0.9, 6, 100)]),
    "erfc": (tg.erfc, mp.erfc, 4, [spread(-6, 1, 100), spread(0.4, 26.5, 200)]),
    "erfcx": (tg.erfcx, erfcx, 2, [spread(-26, 1), spread(0, 50, 200), powers(1, 100)]),
    "erfinv": (tg.erfinv, mp.erfinv, 4, [powers(-300, -1), spread(-1, 1, 100), 1 - powers(-16, -1)]),
    "erfcinv": (tg.erfcinv, erfcinv, 3, [powers(-307, -1), spread(0, 2, 80), [5e-324, 1e-310]]),
    "ndtr": (tg.ndtr, mp.ncdf, 4, [spread(-37, 0, 200), spread(0, 10)]),
    "log_ndtr": (tg.log_ndtr, log_ndtr, 4, [spread(-50, 0, 100), spread(-2, 2, 100), spread(0, 37), -powers(1, 4)]),
    "lgamma": (tg.lgamma, lgamma, 3, [POSITIVE]),
    "digamma": (tg.digamma, mp.digamma, 3, [POSITIVE, NEAR_ZERO_OF_DIGAMMA]),
} | {
    f"polygamma {n}": (
        lambda x, n=n: tg.polygamma(n, x), lambda x, n=n: mp.polygamma(n, x), 4 + n,
        [powers(-20, -1), spread(0, 1), spread(1, 40), powers(1, 8), spread(-20, 0)],
    )
    for n in (1, 3)
} | {
    f"polygamma {n}": (
        lambda x, n=n: tg.polygamma(n, x), lambda x, n=n: mp.polygamma(n, x), 4 + n,
        [powers(-20, -1), spread(0, 1), spread(1, 40), powers(1, 8)],
    )
    for n in (2, 6, 10)
}  # fmt: skip


@pytest.mark.parametrize(("ours", "exact", "bound", "points"), BOUNDS.values(), ids=BOUNDS)
def test_a_value_is_within_so_many_units_of_the_last_place(ours, exact, bound, points):
    x = np.concatenate(points)
    errors = [error_in_ulps(y, exact(mp.mpf(float(v)))) for v, y in zip(x, values(ours, x), strict=True)]
    worst = int(np.argmax(errors))
    assert errors[worst] <= bound, (x[worst], errors[worst])


ABSOLUTE = {
    "lgamma": (tg.lgamma, lgamma),
    "digamma": (tg.digamma, mp.digamma),
    "trigamma": (lambda x: tg.polygamma(2, x), lambda x: mp.polygamma(2, x)),
}


@pytest.mark.parametrize(("ours", "exact"), ABSOLUTE.values(), ids=ABSOLUTE)
def test_left_of_zero_the_error_is_small_against_one_and_the_value(ours, exact):
    x = -np.concatenate([powers(-20, -1), spread(0, 5, 100), spread(5, 40)])
    for v, y in zip(x, values(ours, x), strict=True):
        want = exact(mp.mpf(float(v)))
        assert abs(mp.mpf(float(y)) - want) <= 4e-15 * max(1, abs(want)), v


def erfcx_derivative(order, x):
    """By its recurrence, in enough digits for it to cancel."""
    with mp.workdps(60 + 10 * order):
        before, out = 0, erfcx(x)
        for k in range(order):
            before, out = out, 2 * x * out + (2 * k * before if k else -2 / mp.sqrt(mp.pi))
        return out


@pytest.mark.parametrize("order", [1, 2, 3, 5])
def test_derivatives_of_erfcx_do_not_cancel(order):
    x = np.concatenate([spread(-20, 0), spread(0, 4, 60), spread(2, 60), powers(1, 6)])
    for v, y in zip(x, values(Erfcx(order), x), strict=True):
        assert error_in_ulps(y, erfcx_derivative(order, mp.mpf(float(v)))) <= 8, v


@pytest.mark.parametrize("order", [0, 1, 2, 3, 4])
def test_derivatives_of_sinc_are_precise_near_zero_and_far_from_it(order):
    x = np.concatenate([[0.0], powers(-10, 0, 5), spread(-8, 8, 15)])
    with mp.workdps(25):
        for v, y in zip(x, values(Sinc(order), x), strict=True):
            phase = order * mp.pi / 2
            parts = mp.linspace(0, 1, int(abs(v)) + 2)
            want = mp.pi**order * mp.quad(lambda t, v=v: t**order * mp.cos(mp.pi * v * t + phase), parts)  # noqa: B023
            assert abs(y - want) <= 1e-15 * mp.pi**order, v


def test_sinc_is_exactly_one_at_zero_and_zero_at_other_integers():
    np.testing.assert_array_equal(values(tg.sinc, [0.0, -0.0, 1.0, -3.0, 1e300, INF]), [1, 1, 0, 0, 0, 0])


SPECIAL_POINTS = {
    "erf": (tg.erf, [0.0, -0.0, INF, -INF, NAN, 30.0], [0.0, -0.0, 1, -1, NAN, 1]),
    "erfc": (tg.erfc, [0.0, INF, -INF, NAN, 28.5], [1, 0, 2, NAN, 0]),
    "erfcx": (tg.erfcx, [0.0, INF, -INF, NAN, -28.0], [1, 0, INF, NAN, INF]),
    "erfinv": (tg.erfinv, [0.0, -0.0, 1.0, -1.0, 1.5, NAN], [0.0, -0.0, INF, -INF, NAN, NAN]),
    "erfcinv": (tg.erfcinv, [0.0, 2.0, 1.0, -0.5, 2.5, NAN], [INF, -INF, 0, NAN, NAN, NAN]),
    "ndtr": (tg.ndtr, [0.0, INF, -INF, NAN, -40.0], [0.5, 1, 0, NAN, 0]),
    "log_ndtr": (tg.log_ndtr, [INF, -INF, NAN], [-0.0, -INF, NAN]),
    "ndtri": (tg.ndtri, [0.0, 1.0, 0.5, -0.5, 1.5, NAN], [-INF, INF, -0.0, NAN, NAN, NAN]),
    "lgamma": (
        tg.lgamma, [1.0, 2.0, 0.0, -0.0, -3.0, INF, -INF, NAN, 1e308], [0, 0, INF, INF, INF, INF, INF, NAN, INF]
    ),
    "digamma": (tg.digamma, [0.0, -0.0, -1.0, INF, -INF, NAN], [-INF, INF, NAN, INF, NAN, NAN]),
    "an odd polygamma": (lambda x: tg.polygamma(1, x), [0.0, -2.0, INF, -INF, NAN], [INF, INF, 0, NAN, NAN]),
    "an even polygamma": (lambda x: tg.polygamma(2, x), [0.0, -0.0, -2.0, INF, NAN], [-INF, INF, NAN, -0.0, NAN]),
}  # fmt: skip


@pytest.mark.parametrize(("ours", "x", "want"), SPECIAL_POINTS.values(), ids=SPECIAL_POINTS)
def test_at_zeros_poles_and_infinities_the_value_is(ours, x, want):
    got = values(ours, x)
    np.testing.assert_array_equal(got, want)
    known = ~np.isnan(got)
    np.testing.assert_array_equal(np.signbit(got)[known], np.signbit(np.asarray(want, float))[known])


PAIRS = {
    "erf": (tg.erf, special.erf, (-4, 4)),
    "erfc": (tg.erfc, special.erfc, (-4, 9)),
    "erfcx": (tg.erfcx, special.erfcx, (-3, 30)),
    "erfinv": (tg.erfinv, special.erfinv, (-1, 1)),
    "erfcinv": (tg.erfcinv, special.erfcinv, (0, 2)),
    "ndtr": (tg.ndtr, special.ndtr, (-9, 9)),
    "ndtri": (tg.ndtri, special.ndtri, (0, 1)),
    "log_ndtr": (tg.log_ndtr, special.log_ndtr, (-30, 9)),
    "lgamma": (tg.lgamma, special.gammaln, (-9, 30)),
    "gammaln": (tg.gammaln, special.gammaln, (-9, 30)),
    "digamma": (tg.digamma, special.digamma, (-9, 30)),
    "polygamma": (lambda x: tg.polygamma(3, x), lambda x: special.polygamma(3, x), (0, 30)),
    "logit": (tg.logit, special.logit, (0, 1)),
    "sigmoid": (tg.sigmoid, special.expit, (-80, 80)),
    "log_sigmoid": (tg.log_sigmoid, special.log_expit, (-80, 80)),
    "entr": (tg.entr, special.entr, (-1, 3)),
}


@pytest.mark.parametrize(("ours", "theirs", "span"), PAIRS.values(), ids=PAIRS)
def test_the_values_are_scipys(ours, theirs, span):
    x = spread(*span, 500)
    np.testing.assert_allclose(values(ours, x), theirs(x), rtol=2e-13, atol=1e-14)


@pytest.mark.parametrize(("ours", "theirs", "span"), PAIRS.values(), ids=PAIRS)
@pytest.mark.parametrize("dtype", [np.float32, *sorted(HALF, key=str)], ids=str)
def test_a_narrow_value_is_the_float64_one_rounded(ours, theirs, span, dtype):
    x = spread(*span, 100).astype(dtype)
    got = ours(x).numpy()
    assert got.dtype == x.dtype
    eps = {2: 2.0**-7 if got.dtype.name == "bfloat16" else 2.0**-10, 4: 2.0**-23}[got.dtype.itemsize]
    want = theirs(x.astype(float))
    np.testing.assert_allclose(got.astype(float), want, rtol=3 * eps, atol=4 * eps)


NARROW = {name: pair for name, pair in PAIRS.items() if name in ("erf", "erfc", "erfinv", "ndtr", "lgamma", "digamma")}


@pytest.mark.parametrize(("ours", "theirs", "span"), NARROW.values(), ids=NARROW)
def test_a_float32_value_is_computed_in_float64_and_rounded_once(ours, theirs, span):
    x = spread(*span, 300).astype(np.float32)
    np.testing.assert_array_equal(ours(x).numpy(), values(ours, x.astype(float)).astype(np.float32))
