"""Losses: their formulas, what they are where a formula alone gives NaN, and their derivatives."""

import numpy as np
import pytest
from scipy import special, stats

import tidegate as tg
from tidegate.testing import check_derivatives
from wrong_use import check_error

INF = np.inf
RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(2, 4, 3)) * 2
P, Q = (special.softmax(a / 4, -1) for a in (X, Y))
CLASSES = np.array([2, 0, 1, 1])
SIGNS = np.sign(Y)


def cross(labels, logits, axis=-1):
    return -(labels * special.log_softmax(logits, axis)).sum(axis)


def cosine(x, y):
    return (x * y).sum(-1) / np.linalg.norm(x, axis=-1) / np.linalg.norm(y, axis=-1)


HOT = np.eye(3)[CLASSES]
SMOOTHED = HOT * 0.8 + 0.2 / 3
Z = special.expit(Y)
COUNTS = np.array([[0.0, 1.0, 4.0]])
LOSSES = {
    "mean_squared_error": (tg.mean_squared_error, (X, Y), {}, (X - Y) ** 2),
    "mean_absolute_error": (tg.mean_absolute_error, (X, Y), {}, abs(X - Y)),
    "huber": (tg.huber, (X, Y), {}, special.huber(1.0, X - Y)),
    "huber of another delta": (tg.huber, (X, Y), {"delta": 0.3}, special.huber(0.3, X - Y)),
    "log_cosh": (tg.log_cosh, (X, Y), {}, np.log(np.cosh(X - Y))),
    "cross_entropy of classes": (tg.cross_entropy, (X, CLASSES), {}, cross(HOT, X)),
    "cross_entropy of probabilities": (tg.cross_entropy, (X, Q), {}, cross(Q, X)),
    "cross_entropy of smoothed classes": (tg.cross_entropy, (X, CLASSES), {"label_smoothing": 0.2}, cross(SMOOTHED, X)),
    "cross_entropy of smoothed probabilities": (
        tg.cross_entropy, (X, HOT), {"label_smoothing": 0.2}, cross(SMOOTHED, X)
    ),
    "cross_entropy along another axis": (
        tg.cross_entropy, (X, [1, 3, 0]), {"axis": 0}, cross(np.eye(4)[[1, 3, 0]].T, X, 0)
    ),
    "binary_cross_entropy_with_logits": (
        tg.binary_cross_entropy_with_logits, (X, Z), {},
        -(Z * special.log_expit(X) + (1 - Z) * special.log_expit(-X)),
    ),
    "binary_cross_entropy": (tg.binary_cross_entropy, (P, Z), {}, -(Z * np.log(P) + (1 - Z) * np.log(1 - P))),
    "kl_divergence": (tg.kl_divergence, (P, Q), {}, stats.entropy(P, Q, axis=-1)),
    "hinge": (tg.hinge, (X, SIGNS), {}, np.maximum(0, 1 - X * SIGNS)),
    "cosine_distance": (tg.cosine_distance, (X, Y), {}, 1 - cosine(X, Y)),
    "poisson_nll": (tg.poisson_nll, (P, COUNTS), {"full": True}, -stats.poisson.logpmf(COUNTS, P)),
    "poisson_nll of logarithms": (
        tg.poisson_nll, (X, COUNTS), {"full": True, "log_rates": True}, -stats.poisson.logpmf(COUNTS, np.exp(X))
    ),
    "gaussian_nll": (tg.gaussian_nll, (X, Y, P), {"full": True}, -stats.norm.logpdf(Y, X, np.sqrt(P))),
    "gaussian_nll of small variances": (
        tg.gaussian_nll, (X, Y, 0 * P), {"epsilon": 0.5}, 0.5 * (np.log(0.5) + (X - Y) ** 2 / 0.5)
    ),
}  # fmt: skip


@pytest.mark.parametrize(("loss", "arguments", "options", "want"), LOSSES.values(), ids=LOSSES)
def test_a_loss_is_its_formula(loss, arguments, options, want):
    got = loss(*arguments, **options, reduction="none").numpy()
    np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(loss(*arguments, **options).numpy(), want.mean(), rtol=1e-12)
    np.testing.assert_allclose(loss(*arguments, **options, reduction="sum").numpy(), want.sum(), rtol=1e-12)


FIXED_FROM = {"hinge": 1, "poisson_nll": 1, "poisson_nll of logarithms": 1, "gaussian_nll of small variances": 2}
"""The arguments that are at a kink, or at the edge of where the loss is defined."""


@pytest.mark.parametrize("name", LOSSES)
def test_the_derivatives_of_a_loss_are_right(name):
    loss, arguments, options, _ = LOSSES[name]
    count = FIXED_FROM.get(name, len(arguments))
    varying, fixed = [np.asarray(a) for a in arguments[:count]], arguments[count:]
    check_derivatives(lambda *xs: loss(*xs, *fixed, **options), *varying)


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize(("loss", "arguments", "options", "want"), LOSSES.values(), ids=LOSSES)
def test_the_dtype_is_that_of_the_arguments(loss, arguments, options, want, dtype):
    cast = [np.asarray(a).astype(dtype) if np.asarray(a).dtype == float else a for a in arguments]
    assert loss(*cast, **options).dtype == dtype


def test_the_gradient_of_cross_entropy_is_softmax_less_the_labels():
    x = tg.asarray(X)
    (g,) = tg.gradients(tg.cross_entropy(x, CLASSES, reduction="sum"), x)
    np.testing.assert_allclose(g.numpy(), special.softmax(X, -1) - HOT, rtol=1e-12, atol=1e-15)
    (g,) = tg.gradients(tg.cross_entropy(x, Q, reduction="sum"), x)
    np.testing.assert_allclose(g.numpy(), special.softmax(X, -1) - Q, rtol=1e-12, atol=1e-15)


def test_labels_that_are_probabilities_get_minus_the_logarithms():
    z = tg.asarray(Q)
    (g,) = tg.gradients(tg.cross_entropy(X, z, reduction="sum"), z)
    np.testing.assert_allclose(g.numpy(), -special.log_softmax(X, -1), rtol=1e-12)


def test_an_impossible_class_counts_nothing_where_its_label_is_zero():
    x = tg.asarray([1.0, -INF, 2.0])
    for labels in (2, tg.asarray([0.5, 0.0, 0.5])):
        y = tg.cross_entropy(x, labels)
        (g,) = tg.gradients(y, x)
        assert np.isfinite(y.item())
        assert np.isfinite(g.numpy()).all()
        assert g.numpy()[1] == 0.0


@pytest.mark.parametrize(("x", "z", "want"), [(INF, 1.0, 0.0), (-INF, 0.0, 0.0), (1e4, 0.0, 1e4), (-1e4, 0.0, 0.0)])
def test_binary_cross_entropy_is_right_far_out(x, z, want):
    assert tg.binary_cross_entropy_with_logits(x, z).item() == want


def test_the_gradient_of_binary_cross_entropy_is_sigmoid_less_the_label():
    x = tg.asarray(np.array([-800.0, -1.0, 0.0, 800.0]))
    z = np.array([1.0, 0.25, 1.0, 0.0])
    (g,) = tg.gradients(tg.binary_cross_entropy_with_logits(x, z, reduction="sum"), x)
    np.testing.assert_allclose(g.numpy(), special.expit(x.numpy()) - z, rtol=1e-14)


def test_probabilities_of_zero_and_one_count_nothing_where_they_are_right():
    assert tg.binary_cross_entropy(np.array([0.0, 1.0]), np.array([0.0, 1.0])).item() == 0.0
    assert tg.kl_divergence(np.array([0.0, 1.0]), np.array([0.0, 1.0])).item() == 0.0


def test_the_derivative_of_errors_of_zero_is_zero():
    for loss in (tg.mean_absolute_error, tg.huber, tg.log_cosh, tg.mean_squared_error):
        x = tg.asarray([1.0, 2.0])
        (g,) = tg.gradients(loss(x, [1.0, 2.0]), x)
        assert g.numpy().tolist() == [0.0, 0.0]


def test_huber_overflows_nowhere_in_the_branch_that_is_not_taken():
    x = tg.asarray([1e30, -1e30])
    y = tg.huber(x, 0.0, reduction="none")
    (g,) = tg.gradients(y, x)
    np.testing.assert_array_equal(y.numpy(), np.float32([1e30, 1e30]))
    assert g.numpy().tolist() == [1.0, -1.0]


def test_the_derivative_at_a_margin_of_one_is_zero():
    x = tg.asarray([1.0])
    (g,) = tg.gradients(tg.hinge(x, 1.0), x)
    assert g.item() == 0.0


def test_the_cosine_with_zero_is_zero_and_its_gradient_finite():
    x = tg.zeros((1, 3))
    y = tg.cosine_similarity(x, tg.ones((1, 3)))
    (g,) = tg.gradients(y, x)
    assert y.item() == 0.0
    assert np.isfinite(g.numpy()).all()


def test_the_cosine_of_a_vector_with_itself_is_one():
    np.testing.assert_allclose(tg.cosine_similarity(X, 3.0 * X).numpy(), np.ones(4), rtol=1e-14)


WRONG = {
    "a reduction": (lambda: tg.huber(X, Y, reduction="max"), ValueError, "huber: got reduction 'max'"),
    "integers": (lambda: tg.mean_squared_error([1], [2]), TypeError, "mean_squared_error: got int64"),
    "complex numbers": (lambda: tg.log_cosh(X + 0j, Y), TypeError, "log_cosh: got complex128"),
    "shapes": (lambda: tg.hinge(X, Y[:2]), ValueError, "hinge: shapes .* don't broadcast"),
    "a delta": (lambda: tg.huber(X, Y, delta=0.0), ValueError, "huber: got delta 0.0"),
    "a smoothing": (lambda: tg.cross_entropy(X, CLASSES, label_smoothing=2.0), ValueError, "label_smoothing 2.0"),
    "too many classes": (lambda: tg.cross_entropy(X, [[0]]), ValueError, "want one label for each example"),
    "probabilities of another shape": (lambda: tg.cross_entropy(X, Y[0]), ValueError, "want one shape, or integers"),
    "a class that isn't there": (lambda: tg.cross_entropy(X, [0, 1, 2, 3]), IndexError, "got index 3 of axis 1"),
    "a negative class": (lambda: tg.cross_entropy(X, [0, 1, 2, -1]), IndexError, "got index -1 .*; want 0 to 2"),
}


@pytest.mark.parametrize(("call", "kind", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_use_says_what_was_got_and_wanted_and_where(call, kind, message):
    check_error(call, kind, message)
