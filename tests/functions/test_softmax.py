"""softmax, log_softmax, logsumexp and sigmoid: right for any numbers, and their own stop kept apart."""

import numpy as np
import pytest
from scipy import special

import tidegate as tg

INF = np.inf
ROWS = np.array([[1.0, 2.0, 4.0], [1e4, -1e4, 1e4], [0.0, -INF, 3.0], [1e-300, 0.0, -1e-300], [-1e300, 1e300, 0.0]])


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_they_equal_scipys(axis):
    x = ROWS[:4] / (1.0 if axis else 1e3)
    np.testing.assert_allclose(tg.softmax(x, axis=axis).numpy(), special.softmax(x, axis=axis), rtol=1e-13)
    want = special.log_softmax(x, axis=axis)  # the logarithm of a sum near 1: right to the precision of that sum
    np.testing.assert_allclose(tg.log_softmax(x, axis=axis).numpy(), want, rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(tg.logsumexp(x, axis=axis).numpy(), special.logsumexp(x, axis=axis), rtol=1e-13)


def test_they_overflow_nowhere():
    for function in (tg.softmax, tg.sigmoid, lambda x: tg.logsumexp(x, axis=1)):
        assert np.isfinite(function(ROWS).numpy()).all()


def test_logsumexp_of_nothing_but_minus_infinity_is_minus_infinity():
    assert float(tg.logsumexp(np.array([-INF, -INF]))) == -INF


def test_logsumexp_of_plus_infinity_is_plus_infinity():
    assert float(tg.logsumexp(np.array([0.0, INF]))) == INF


def test_logsumexp_over_several_axes_keeps_them_where_asked():
    x = np.ones((2, 3, 4))
    assert tg.logsumexp(x, axis=(0, 2), keepdims=True).shape == (1, 3, 1)
    np.testing.assert_allclose(tg.logsumexp(x).numpy(), special.logsumexp(x))


def test_sigmoid_is_exact_at_the_ends():
    x = np.array([-1000.0, -1.0, 0.0, 1.0, 1000.0])
    np.testing.assert_allclose(tg.sigmoid(x).numpy(), special.expit(x), rtol=1e-15)


@pytest.mark.parametrize("function", [tg.softmax, tg.log_softmax, tg.logsumexp])
def test_their_own_stop_counts_in_no_status(function):
    x = tg.asarray([1.0, 2.0])
    (flow,) = tg.flow.why(function(x), x)
    assert (flow.status, flow.blocked_paths) == ("flows", 0)
    assert flow.internal_paths > 0
    assert {b.op for b in flow.internal} == {"StopGradient"}


def test_their_gradients_are_right_at_ties_and_far_out():
    for x in (np.array([2.0, 2.0, 1.0]), np.array([1e4, 1e4 - 1.0, -1e4])):
        p = special.softmax(x)
        np.testing.assert_allclose(tg.grad(tg.logsumexp)(x).numpy(), p, rtol=1e-13)
        np.testing.assert_allclose(tg.grad(lambda v: tg.log_softmax(v)[0])(x).numpy(), np.eye(3)[0] - p, atol=1e-13)


@pytest.mark.parametrize("dtype", [tg.float16, tg.bfloat16])
@pytest.mark.parametrize(
    ("function", "want"),
    [
        (tg.logsumexp, 1 + np.log(70_000)),
        (lambda x: tg.softmax(x)[0], 1 / 70_000),
        (lambda x: tg.log_softmax(x)[0], -np.log(70_000)),
        (lambda x: tg.cross_entropy(x, np.array(3)), np.log(70_000)),
        (lambda x: tg.gradients(tg.logsumexp(x), x)[0][0], 1 / 70_000),
        (lambda x: tg.gradients(tg.cross_entropy(x, np.array(3)), x)[0][0], 1 / 70_000),
    ],
    ids=["logsumexp", "softmax", "log_softmax", "cross_entropy", "gradient", "gradient of cross_entropy"],
)
def test_more_classes_than_a_half_can_count_are_no_infinity(function, want, dtype):
    x = tg.full((70_000,), 1.0, dtype=dtype)
    got = function(x)
    assert got.dtype == dtype
    np.testing.assert_allclose(float(got), float(np.asarray(want).astype(dtype)), rtol=float(tg.finfo(dtype).eps))


@pytest.mark.parametrize("dtype", [tg.float16, tg.bfloat16])
def test_halves_are_rounded_once(dtype):
    x = np.random.default_rng(0).normal(size=(50, 7)).astype(dtype)
    for function in (tg.softmax, tg.log_softmax, lambda x: tg.logsumexp(x, axis=1)):
        want = function(x.astype(np.float64)).numpy()
        np.testing.assert_allclose(
            function(x).numpy().astype(np.float64), want, rtol=float(tg.finfo(dtype).eps) / 2 * 1.01
        )
