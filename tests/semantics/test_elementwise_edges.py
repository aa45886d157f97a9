"""Derivatives of elementwise functions at ties, zeros, poles and infinities: exact values, in both modes."""

import numpy as np
import pytest

import tidegate as tg
from tidegate.testing import check_derivatives
from tidegate.transforms.engine import ENGINE

INF, NAN = np.inf, np.nan


def derivatives(function, *points, cotangent=1.0):
    """Per input the derivative at each point, by reverse and by forward mode."""
    xs = [tg.asarray(np.asarray(p, float)) for p in points]
    y = function(*xs)
    seed = tg.full(y.shape, np.float64(cotangent))
    reverse = ENGINE.vjp([y], xs, [seed])
    forward = [ENGINE.jvp([y], [x], [seed])[0] for x in xs]
    return [[None if g is None else g.numpy().tolist() for g in mode] for mode in (reverse, forward)]


def check(function, points, want):
    for got in derivatives(function, *points):
        for g, w in zip(got, want, strict=True):
            assert (g is None) == (w is None)
            if w is not None:
                np.testing.assert_allclose(g, w, rtol=1e-14)


EDGES = {
    "minimum: a tie is the first one's": (tg.minimum, ([4.0, 1.0, 5.0], [4.0, 2.0, 3.0]), ([1, 1, 0], [0, 0, 1])),
    "fmax: a tie is the first one's": (tg.fmax, ([4.0, NAN, 5.0], [4.0, 2.0, NAN]), ([1, 0, 1], [0, 1, 0])),
    "fmin: a tie is the first one's": (tg.fmin, ([4.0, NAN, 5.0], [4.0, 2.0, NAN]), ([1, 0, 1], [0, 1, 0])),
    "clip: inclusive bounds": (lambda x: tg.clip(x, -2.0, 2.0), ([-3.0, -2.0, 0.0, 2.0, 3.0],), ([0, 1, 1, 1, 0],)),
    "clip: bounds that act": (tg.clip, ([0.0, 1.0, 2.0], [1.0] * 3, [1.5] * 3), ([0, 1, 0], [1, 0, 0], [0, 0, 1])),
    "atan2 at the origin": (tg.atan2, ([0.0], [0.0]), ([NAN], [NAN])),
    "hypot at the origin": (tg.hypot, ([0.0, 3.0], [0.0, 4.0]), ([0, 0.6], [0, 0.8])),
    "hypot far out": (tg.hypot, ([3e200], [4e200]), ([0.6], [0.8])),
    "atan2 far out": (lambda y: tg.atan2(y, 1e300), ([1.0],), ([1e-300],)),
    "rsqrt at 0": (tg.rsqrt, ([0.0, 4.0],), ([-INF, -0.0625],)),
    "reciprocal at 0": (tg.reciprocal, ([0.0, 2.0],), ([-INF, -0.25],)),
    "cbrt at 0": (tg.cbrt, ([0.0, 8.0, -8.0],), ([INF, 1 / 12, 1 / 12],)),
    "asin at 1": (tg.asin, ([0.0, 1.0],), ([1, INF],)),
    "acosh at 1": (tg.acosh, ([1.0],), ([INF],)),
    "asinh far out": (tg.asinh, ([1e200],), ([1e-200],)),
    "log1p at -1": (tg.log1p, ([-1.0, 0.0],), ([INF, 1],)),
    "expm1 far to the left": (tg.expm1, ([-40.0],), ([np.exp(-40.0)],)),
    "copysign": (tg.copysign, ([2.0, -2.0, 0.0, 2.0], [-1.0, -1.0, 1.0, -0.0]), ([-1, 1, 0, -1], None)),
    "nextafter": (tg.nextafter, ([2.0], [3.0]), ([1], [0])),
    "remainder": (tg.remainder, ([7.0, -7.0], [2.0, 2.0]), ([1, 1], [-3, 4])),
    "fmod": (tg.fmod, ([7.0, -7.0], [2.0, 2.0]), ([1, 1], [-3, 3])),
    "heaviside": (tg.heaviside, ([-1.0, 0.0, 1.0], [0.5] * 3), (None, [0, 1, 0])),
    "round": (tg.round, ([1.5],), (None,)),
    "floor_divide": (tg.floor_divide, ([7.0], [2.0]), (None, None)),
    "angle of a real number": (tg.angle, ([-1.0, 0.0, 1.0],), (None,)),
    "sinc at 0": (tg.sinc, ([0.0],), ([0],)),
    "sigmoid at 40": (tg.sigmoid, ([40.0],), ([0],)),
    "softplus far out": (tg.softplus, ([-1000.0, 1000.0],), ([0, 1],)),
    "softplus at an infinity": (tg.softplus, ([-INF, INF],), ([0, 1],)),
    "log_sigmoid far out": (tg.log_sigmoid, ([-1000.0, 1000.0],), ([1, 0],)),
    "logcosh far out": (tg.logcosh, ([-1000.0, 0.0, 1000.0],), ([-1, 0, 1],)),
    "logaddexp": (tg.logaddexp, ([0.0, -INF, -INF, INF], [0, 1, -INF, INF]), ([0.5, 0, 0.5, 0.5], [0.5, 1, 0.5, 0.5])),
    "logaddexp2": (tg.logaddexp2, ([1.0, -INF, -INF], [2.0, 1.0, -INF]), ([1 / 3, 0, 0.5], [2 / 3, 1, 0.5])),
    "multiply_no_nan at 0": (tg.multiply_no_nan, ([INF, 2.0], [0.0, 3.0]), ([0, 3], [INF, 2])),
    "divide_no_nan at 0": (tg.divide_no_nan, ([5.0, INF, 6.0], [0.0, 0.0, 2.0]), ([0, 0, 0.5], [0, 0, -1.5])),
    "xlogy at 0": (tg.xlogy, ([0.0, 0.0, 0.0, 2.0], [0.0, 9.0, NAN, 1.0]), ([0, 0, 0, 0], [0, 0, 0, 2])),
    "xlog1py at 0": (tg.xlog1py, ([0.0, 0.0, 0.0, 2.0], [-1.0, 9.0, NAN, 0.0]), ([0, 0, 0, 0], [0, 0, 0, 2])),
    "xdivy at 0": (tg.xdivy, ([0.0, 0.0, 2.0], [0.0, NAN, 4.0]), ([0, 0, 0.25], [0, 0, -0.125])),
    "entr at 0 and below": (tg.entr, ([0.0, -1.0, 1.0],), ([0, 0, -1],)),
    "rel_entr": (tg.rel_entr, ([0.0, 1.0, 2.0, -1.0], [0.0, 0.0, 2.0, 1.0]), ([0, 0, 1, 0], [0, 0, -1, 0])),
    "nan_to_num": (tg.nan_to_num, ([NAN, INF, 2.0],), ([0, 0, 1],)),
    "erfinv at 1": (tg.erfinv, ([1.0],), ([INF],)),
    "log_ndtr far to the left": (tg.log_ndtr, ([-1e8],), ([1e8],)),
    "lgamma at 1": (tg.lgamma, ([1.0],), ([-np.euler_gamma],)),
    "digamma at 1": (tg.digamma, ([1.0],), ([np.pi**2 / 6],)),
    "logit near 0": (tg.logit, ([1e-20],), ([1e20],)),
}  # fmt: skip


@pytest.mark.parametrize(("function", "points", "want"), EDGES.values(), ids=EDGES)
def test_the_derivative_is_the_same_in_both_modes_and(function, points, want):
    check(function, points, want)


@pytest.mark.parametrize("function", [tg.rsqrt, tg.reciprocal, tg.cbrt, tg.sqrt], ids=lambda f: f.__name__)
def test_a_zero_cotangent_or_tangent_gives_exactly_zero_where_the_derivative_is_infinite(function):
    assert derivatives(function, [0.0], cotangent=0.0) == [[[0.0]], [[0.0]]]


@pytest.mark.parametrize(
    "function",
    [tg.divide_no_nan, lambda y, x: tg.xlogy(x, y), lambda y, x: tg.xdivy(x, y)],
    ids=["divide_no_nan", "xlogy", "xdivy"],
)
def test_a_branch_that_is_not_taken_stays_zero_to_second_order(function):
    x = tg.asarray(np.asarray([3.0, 0.0]))
    y = function(x, np.zeros(2))
    (g,) = tg.gradients(y, x)
    (h,) = tg.gradients(g, x, unconnected="zero")
    assert (g.numpy().tolist(), h.numpy().tolist()) == ([0.0, 0.0], [0.0, 0.0])


def test_infinite_cotangents_do_not_pass_what_is_masked():
    for mode in derivatives(lambda x: tg.clip(x, -1.0, 1.0), [-3.0, 3.0], cotangent=INF):
        assert mode == [[0.0, 0.0]]
    for mode in derivatives(tg.nan_to_num, [NAN], cotangent=NAN):
        assert mode == [[0.0]]


HIGHER = {
    "lgamma": (tg.lgamma, [0.7, 2.5]),
    "digamma": (tg.digamma, [1.3, -0.4]),
    "polygamma": (lambda x: tg.polygamma(2, x), [1.7, -1.6]),
    "sinc": (tg.sinc, [0.0, 0.3, 2.5]),
    "erfcx": (tg.erfcx, [-0.5, 1.5]),
    "log_ndtr": (tg.log_ndtr, [-6.0, 0.5]),
    "ndtri": (tg.ndtri, [0.2, 0.6]),
    "logaddexp at a tie": (lambda x: tg.logaddexp(x, 2.0 * x[::-1]), [1.0, 2.0]),
    "logcosh": (tg.logcosh, [0.0, 1.5]),
    "log_sigmoid": (tg.log_sigmoid, [-3.0, 2.0]),
    "entr": (tg.entr, [0.5, 2.0]),
    "rel_entr": (lambda x: tg.rel_entr(x, 1.5 * x[::-1]), [0.5, 2.0]),
    "xlogy": (lambda x: tg.xlogy(x, x + 1.0), [0.5, 2.0]),
    "angle": (lambda x: tg.angle(tg.complex(x, x * x)), [0.5, -2.0]),
}


@pytest.mark.parametrize(("function", "point"), HIGHER.values(), ids=HIGHER)
def test_derivatives_are_right_to_third_order(function, point):
    check_derivatives(function, point, order=3, tolerance=1e-6)


def test_derivatives_of_log_gamma_are_the_polygammas():
    x = tg.asarray(np.asarray(0.7))
    y = tg.lgamma(x)
    for order in range(4):
        (y,) = tg.gradients(y, x)
        np.testing.assert_array_equal(y.numpy(), tg.polygamma(order, x).numpy())


def test_the_second_derivative_of_sinc_at_zero_is_exact():
    (h,) = tg.gradients(tg.gradients(tg.sinc(x := tg.asarray(np.zeros(1))), x)[0], x)
    np.testing.assert_allclose(h.numpy(), [-(np.pi**2) / 3], rtol=1e-15)


@pytest.mark.parametrize("function", [tg.sign, tg.reciprocal, tg.acosh, tg.sigmoid], ids=lambda f: f.__name__)
def test_complex_derivatives_are_right(function):
    check_derivatives(function, np.asarray([1.5 + 0.5j, 2.0 - 1.0j]))
