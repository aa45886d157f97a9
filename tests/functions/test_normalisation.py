"""Normalisation: means and variances taken out, over the axes that each kind names."""

import numpy as np
import pytest

import tidegate as tg
from tidegate.testing import check_derivatives
from wrong_use import check_error

X = np.random.default_rng(0).normal(size=(2, 3, 4, 6)) * 3 + 1
SCALE, OFFSET = np.linspace(0.5, 2.0, 6), np.linspace(-1.0, 1.0, 6)


def normal(x, axes, epsilon):
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + epsilon)


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", [None, 0, (1, -1), ()])
def test_moments_are_the_mean_and_the_variance(axis, keepdims):
    mean, variance = tg.moments(X, axis=axis, keepdims=keepdims)
    np.testing.assert_allclose(mean.numpy(), X.mean(axis, keepdims=keepdims), rtol=1e-13)
    np.testing.assert_allclose(variance.numpy(), X.var(axis, keepdims=keepdims), rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("axis", [None, 0, (1, -1)])
def test_standardize(axis):
    np.testing.assert_allclose(tg.standardize(X, axis=axis).numpy(), normal(X, axis, 0.0), rtol=1e-12)
    np.testing.assert_allclose(tg.standardize(X, axis=axis, epsilon=0.5).numpy(), normal(X, axis, 0.5), rtol=1e-12)


@pytest.mark.parametrize("axis", [-1, (2, 3), (1, 3)])
def test_layer_norm(axis):
    axes = axis if isinstance(axis, tuple) else (axis,)
    shape = [X.shape[a] for a in axes]
    scale, offset = np.random.default_rng(1).normal(size=(2, *shape))
    full = [X.shape[i] if i - 4 in axes or i in axes else 1 for i in range(4)]
    want = normal(X, axes, 1e-5) * scale.reshape(full) + offset.reshape(full)
    np.testing.assert_allclose(tg.layer_norm(X, scale, offset, axis=axis).numpy(), want, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(tg.layer_norm(X, axis=axis).numpy(), normal(X, axes, 1e-5), rtol=1e-12)


def test_rms_norm():
    want = X / np.sqrt((X**2).mean(-1, keepdims=True) + 1e-6)
    np.testing.assert_allclose(tg.rms_norm(X).numpy(), want, rtol=1e-13)
    np.testing.assert_allclose(tg.rms_norm(X, SCALE).numpy(), want * SCALE, rtol=1e-13)


def test_batch_norm_of_the_moments_of_the_batch_standardises_each_channel():
    mean, variance = tg.moments(X, axis=(0, 1, 2))
    want = normal(X, (0, 1, 2), 1e-3) * SCALE + OFFSET
    got = tg.batch_norm(X, mean, variance, SCALE, OFFSET)
    np.testing.assert_allclose(got.numpy(), want, rtol=1e-12, atol=1e-13)


def test_batch_norm_along_another_axis():
    mean, variance = np.arange(3.0), np.arange(1.0, 4.0)
    column = (3, 1, 1)
    want = (X - mean.reshape(column)) / np.sqrt(variance.reshape(column) + 1e-3)
    np.testing.assert_allclose(tg.batch_norm(X, mean, variance, axis=1).numpy(), want, rtol=1e-13)


@pytest.mark.parametrize("groups", [1, 2, 3, 6])
def test_group_norm(groups):
    apart = X.reshape(2, 3, 4, groups, 6 // groups)
    want = normal(apart, (1, 2, 4), 1e-5).reshape(X.shape) * SCALE + OFFSET
    np.testing.assert_allclose(tg.group_norm(X, groups, SCALE, OFFSET).numpy(), want, rtol=1e-12, atol=1e-13)


def test_group_norm_of_channels_in_front():
    want = np.moveaxis(tg.group_norm(np.moveaxis(X, 1, -1), 3).numpy(), -1, 1)
    np.testing.assert_allclose(tg.group_norm(X, 3, axis=1).numpy(), want, rtol=1e-13)


SMALL = X[:, 0, 0]
DERIVED = {
    "standardize": (tg.standardize, [SMALL]),
    "layer_norm": (tg.layer_norm, [SMALL, SCALE, OFFSET]),
    "rms_norm": (tg.rms_norm, [SMALL, SCALE]),
    "batch_norm": (lambda x, s: tg.batch_norm(x, *tg.moments(x, axis=0), s), [SMALL, SCALE]),
    "group_norm": (lambda x, s, o: tg.group_norm(x, 3, s, o), [SMALL, SCALE, OFFSET]),
}


@pytest.mark.parametrize(("function", "points"), DERIVED.values(), ids=DERIVED)
def test_the_derivatives_are_right(function, points):
    check_derivatives(function, *points, order=1)


@pytest.mark.parametrize("name", ["standardize", "layer_norm", "rms_norm"])
def test_halves_are_computed_in_float32(name):
    x = np.array([[300.0, -300.0, 600.0]], np.float16)
    got = getattr(tg, name)(x)
    assert got.dtype == np.float16
    want = getattr(tg, name)(x.astype(np.float64)).numpy()
    if name == "standardize":
        want = normal(x.astype(float), None, 0.0)
    np.testing.assert_allclose(got.numpy(), want, rtol=1e-3)


def test_a_layer_of_equal_elements_is_zero_and_its_gradient_finite():
    x = tg.ones((2, 3))
    y = tg.layer_norm(x)
    (g,) = tg.gradients(y, x)
    assert np.abs(y.numpy()).max() == 0.0
    assert np.isfinite(g.numpy()).all()


WRONG = {
    "integers": (lambda: tg.layer_norm([1, 2]), TypeError, "layer_norm: got int64"),
    "no such axis": (lambda: tg.standardize(X, axis=4), IndexError, "standardize: got axis 4"),
    "a negative epsilon": (lambda: tg.rms_norm(X, epsilon=-1.0), ValueError, "rms_norm: got epsilon -1.0"),
    "another scale": (lambda: tg.layer_norm(X, SCALE[:2]), ValueError, "layer_norm: got scale float64.2."),
    "another offset": (lambda: tg.group_norm(X, 2, None, SCALE[:2]), ValueError, "group_norm: got offset float64.2."),
    "another mean": (lambda: tg.batch_norm(X, SCALE[:2], SCALE), ValueError, "batch_norm: got mean float64.2."),
    "groups that don't divide": (lambda: tg.group_norm(X, 4), ValueError, "group_norm: got .* and 4 groups"),
    "no groups": (lambda: tg.group_norm(X, 0), ValueError, "groups 0; want at least 1"),
    "channels that are examples": (lambda: tg.group_norm(X, 2, axis=0), ValueError, "not axis 0"),
}


@pytest.mark.parametrize(("call", "kind", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_use_says_what_was_got_and_wanted_and_where(call, kind, message):
    check_error(call, kind, message)
