"""Activations: their formulas over a wide range, and what they and their derivatives are at kinks and infinities."""

import mpmath
import numpy as np
import pytest

import tidegate as tg
from tidegate.testing import check_derivatives
from wrong_use import check_error

INF, NAN = np.inf, np.nan
X = np.concatenate([np.linspace(-9.0, 9.0, 37), [-1e3, -40.0, 40.0, 1e3, 1e-9, -1e-9]])


def sigmoid(x):
    return 1 / (1 + mpmath.exp(-x))


def below(x, value):
    return value if x < 0 else x


FORMULAS = {
    "relu": (tg.relu, lambda x: max(x, 0)),
    "relu6": (tg.relu6, lambda x: min(max(x, 0), 6)),
    "leaky_relu": (tg.leaky_relu, lambda x: below(x, mpmath.mpf(0.01) * x)),
    "elu": (lambda x: tg.elu(x, 1.5), lambda x: below(x, 1.5 * mpmath.expm1(x))),
    "selu": (tg.selu, lambda x: mpmath.mpf("1.0507009873554804934193") *
             below(x, mpmath.mpf("1.6732632423543772848170") * mpmath.expm1(x))),
    "celu": (lambda x: tg.celu(x, 2.0), lambda x: below(x, 2 * mpmath.expm1(x / 2))),
    "gelu": (tg.gelu, lambda x: x * mpmath.ncdf(x)),
    "gelu by tanh": (lambda x: tg.gelu(x, approximate=True), lambda x: x / 2 * (
        1 + mpmath.tanh(mpmath.sqrt(2 / mpmath.pi) * (x + mpmath.mpf(0.044715) * x**3)))),
    "silu": (tg.silu, lambda x: x * sigmoid(x)),
    "mish": (tg.mish, lambda x: x * mpmath.tanh(mpmath.log1p(mpmath.exp(x)))),
    "softsign": (tg.softsign, lambda x: x / (1 + abs(x))),
    "squareplus": (tg.squareplus, lambda x: (x + mpmath.sqrt(x * x + 4)) / 2),
    "hard_tanh": (tg.hard_tanh, lambda x: max(min(x, 1), -1)),
    "hard_sigmoid": (tg.hard_sigmoid, lambda x: min(max(x + 3, 0), 6) / 6),
    "hard_swish": (tg.hard_swish, lambda x: x * min(max(x + 3, 0), 6) / 6),
}  # fmt: skip


@pytest.mark.parametrize(("ours", "formula"), FORMULAS.values(), ids=FORMULAS)
def test_an_activation_is_its_formula(ours, formula):
    with mpmath.workdps(40):
        want = np.array([float(formula(mpmath.mpf(float(x)))) for x in X])
    np.testing.assert_allclose(ours(X).numpy(), want, rtol=1e-13, atol=2e-14)


@pytest.mark.parametrize(("ours", "formula"), FORMULAS.values(), ids=FORMULAS)
def test_the_derivatives_are_right_away_from_the_kinks(ours, formula):
    check_derivatives(ours, np.array([-7.3, -2.1, -0.6, 0.4, 0.9, 2.2, 5.5, 7.1]))


@pytest.mark.parametrize(
    ("function", "points", "want"),
    [
        pytest.param(tg.relu, [0.0, -0.0], [0, 0], id="relu"),
        pytest.param(tg.relu6, [0.0, 6.0], [0, 0], id="relu6"),
        pytest.param(lambda x: tg.leaky_relu(x, 0.3), [0.0], [0.3], id="leaky_relu"),
        pytest.param(tg.elu, [0.0], [1], id="elu"),
        pytest.param(lambda x: tg.elu(x, 3.0), [0.0], [1], id="elu-of-another-alpha"),
        pytest.param(tg.selu, [0.0], [1.0507009873554805], id="selu"),
        pytest.param(tg.celu, [0.0], [1], id="celu"),
        pytest.param(tg.hard_tanh, [-1.0, 1.0], [1, 1], id="hard_tanh"),
        pytest.param(tg.hard_sigmoid, [-3.0, 3.0], [0, 0], id="hard_sigmoid"),
        pytest.param(tg.softsign, [0.0], [1], id="softsign"),
    ],
)
def test_the_derivative_at_a_kink_is_tensorflows(function, points, want):
    x = tg.asarray(np.asarray(points))
    (g,) = tg.gradients(function(x), x)
    np.testing.assert_allclose(g.numpy(), want)
    pushed = tg.jvp(function, (x,), (tg.ones_like(x),))[1]
    np.testing.assert_allclose(pushed.numpy(), want)


LIMITS = {"relu": (0, INF), "relu6": (0, 6), "leaky_relu": (-INF, INF), "elu": (-1.5, INF),
          "selu": (-1.7580993408473766, INF), "celu": (-2, INF), "gelu": (0, INF), "gelu by tanh": (0, INF),
          "silu": (0, INF), "mish": (0, INF), "squareplus": (0, INF), "softsign": (-1, 1),
          "hard_tanh": (-1, 1), "hard_sigmoid": (0, 1),
          "hard_swish": (0, INF)}  # fmt: skip


@pytest.mark.parametrize("name", LIMITS)
def test_an_activation_of_infinities_is_its_limit_and_of_nan_nan(name):
    got = FORMULAS[name][0](np.array([-INF, INF, NAN])).numpy()
    np.testing.assert_allclose(got, [*LIMITS[name], NAN], rtol=1e-14)


@pytest.mark.parametrize("name", FORMULAS)
def test_the_derivative_far_out_is_finite(name):
    x = tg.asarray(np.array([-1e30, -1e4, -800.0, 800.0, 1e4, 1e30]))
    (g,) = tg.gradients(FORMULAS[name][0](x), x)
    assert np.isfinite(g.numpy()).all()


def test_squareplus_far_below_zero_is_precise_and_far_out_does_not_overflow():
    got = tg.squareplus(np.array([-1e6, -1e300, 1e300])).numpy()
    np.testing.assert_allclose(got, [1e-6, 1e-300, 1e300], rtol=1e-11)
    assert tg.squareplus(np.float32(1e30)).item() == np.float32(1e30)


def test_the_derivatives_of_squareplus_at_zero_are_right():
    check_derivatives(tg.squareplus, np.array([0.0]), order=1)


@pytest.mark.parametrize("name", ["elu", "selu", "celu"])
def test_the_branch_that_is_not_taken_overflows_nowhere(name):
    x = tg.asarray(np.array([1e5], np.float32))
    (g,) = tg.gradients(FORMULAS[name][0](x), x)
    assert np.isfinite(g.numpy()).all()


@pytest.mark.parametrize("dtype", [np.float16, tg.bfloat16, np.float32, np.float64])
@pytest.mark.parametrize("name", FORMULAS)
def test_the_dtype_is_kept(name, dtype):
    x = np.array([[-1.5, 0.0, 2.5]]).astype(dtype)
    got = FORMULAS[name][0](x)
    assert (got.dtype, got.shape) == (dtype, (1, 3))
    want = FORMULAS[name][0](x.astype(np.float64)).numpy()
    np.testing.assert_allclose(got.numpy().astype(float), want, rtol=4e-2 if dtype == tg.bfloat16 else 4e-3, atol=2e-2)


def test_relu_of_integers():
    assert tg.relu(np.array([-3, 0, 9], np.int8)).numpy().tolist() == [0, 0, 9]
    assert tg.relu6(np.array([-3, 0, 9], np.int8)).numpy().tolist() == [0, 0, 6]


def test_a_slope_that_is_a_tensor_gets_a_gradient():
    check_derivatives(tg.leaky_relu, np.array([[-1.0, 2.0], [-3.0, -0.5]]), np.array([0.1, 0.25]))


def test_swish_is_silu():
    assert tg.swish is tg.silu


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_glu_is_the_first_half_times_the_sigmoid_of_the_second(axis):
    x = np.random.default_rng(0).normal(size=(4, 2, 6))
    a, b = np.split(x, 2, axis)
    np.testing.assert_allclose(tg.glu(x, axis=axis).numpy(), a / (1 + np.exp(-b)), rtol=1e-14)
    check_derivatives(lambda x: tg.glu(x, axis=axis), x, order=1)


WRONG = {
    "integers": (lambda: tg.gelu([1, 2]), TypeError, "gelu: got int64"),
    "complex numbers": (lambda: tg.silu([1j]), TypeError, "silu: got complex64"),
    "complex numbers to relu": (lambda: tg.relu(np.array([1j])), TypeError, "Maximum: got complex128"),
    "a complex slope": (lambda: tg.leaky_relu([1.0], 1j), TypeError, "leaky_relu: got complex64"),
    "a negative b": (lambda: tg.squareplus([1.0], -1.0), ValueError, "squareplus: got b = -1.0"),
    "an alpha of zero": (lambda: tg.celu([1.0], 0.0), ValueError, "celu: got alpha = 0"),
    "an odd size": (lambda: tg.glu([1.0, 2.0, 3.0]), ValueError, "glu: got float32.3.; want an even size"),
    "no such axis": (lambda: tg.glu([1.0, 2.0], axis=1), IndexError, "glu: got axis 1"),
}


@pytest.mark.parametrize(("call", "kind", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_use_says_what_was_got_and_wanted_and_where(call, kind, message):
    check_error(call, kind, message)
