"""Norms are NumPy's, with derivatives of 0 and not NaN at 0; and tensors scaled by them."""

import numpy as np
import pytest

import tidegate as tg
from tidegate.testing import check_derivatives
from wrong_use import check_error

INF = np.inf
ORDERS = [2, 1, 0, INF, -INF, 3, 2.5, 1.5, 0.5, -1, -2]
RNG = np.random.default_rng(0)
X = RNG.choice([-1.0, 1.0], (3, 4)) * RNG.uniform(0.4, 2.0, (3, 4))


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", [None, 0, (0, 1), -1])
@pytest.mark.parametrize("ord", ORDERS)
def test_a_vector_norm_is_numpys(ord, axis, keepdims):
    for x in (X, X + 1j * X[::-1], X.astype(np.float32)):
        got = tg.vector_norm(x, axis=axis, keepdims=keepdims, ord=ord)
        want = np.linalg.vector_norm(x, axis=axis, keepdims=keepdims, ord=ord)
        assert (got.dtype, got.shape) == (np.dtype(x.real.dtype), want.shape)
        np.testing.assert_allclose(got.numpy(), want, rtol=1e-6 if x.dtype == np.float32 else 1e-13)


@pytest.mark.parametrize("ord", [o for o in ORDERS if o != 0])
def test_the_derivatives_of_a_vector_norm_are_right(ord):
    check_derivatives(lambda x: tg.vector_norm(x, axis=1, ord=ord), X)
    check_derivatives(lambda x: tg.vector_norm(x, ord=ord), X[0] + 1j * X[1], order=1)


@pytest.mark.parametrize("mode", ["reverse", "forward"])
@pytest.mark.parametrize("dtype", [np.float32, np.complex128])
@pytest.mark.parametrize("ord", [2, 1, INF, -INF, 3, 1.5, 0.5])
def test_the_derivative_at_the_zero_vector_is_zero(ord, dtype, mode):
    x = tg.zeros(3, dtype=dtype)
    y = tg.vector_norm(x, ord=ord)
    if mode == "reverse":
        got = tg.gradients(y, x)[0]
    else:
        got = tg.jvp(lambda v: tg.vector_norm(v, ord=ord), (x,), (tg.ones(3, dtype=dtype),))[1]
    assert (y.item(), np.abs(got.numpy()).max()) == (0.0, 0.0)


@pytest.mark.parametrize("ord", [2, 1, INF, 3])
def test_the_second_derivative_at_the_zero_vector_is_not_nan(ord):
    x = tg.zeros(3)
    (g,) = tg.gradients(tg.vector_norm(x, ord=ord), x)
    (h,) = tg.gradients(g, x)
    assert not np.isnan(h.numpy()).any()


@pytest.mark.parametrize("ord", [3, 1.5, 0.5])
def test_the_derivative_at_a_zero_element_is_zero(ord):
    x = tg.asarray(np.array([0.0, 2.0]))
    (g,) = tg.gradients(tg.vector_norm(x, ord=ord), x)
    np.testing.assert_allclose(g.numpy(), [0.0, 1.0], rtol=1e-14)


def test_a_masked_norm_of_zero_gets_no_gradient():
    x = tg.zeros((2, 2))
    norm = tg.vector_norm(x, axis=1)
    (g,) = tg.gradients(tg.where(norm > 0.0, 1.0 / norm, 0.0), x)
    assert not np.isnan(g.numpy()).any()


def test_nan_and_infinite_elements_show():
    assert np.isnan(tg.vector_norm([np.nan, 1.0]).item())
    assert np.isnan(tg.vector_norm([np.nan, 1.0], ord=3).item())
    assert tg.vector_norm([INF, 1.0]).item() == INF


def test_halves_are_squared_in_float32():
    got = tg.vector_norm(np.array([300.0, 400.0], np.float16))
    assert (got.dtype, got.item()) == (np.float16, 500.0)


def test_the_norm_of_no_elements_is_zero():
    assert tg.vector_norm(np.zeros(0)).item() == 0.0


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("ord", ["fro", 1, -1, INF, -INF])
def test_a_matrix_norm_is_numpys(ord, keepdims):
    for x in (RNG.normal(size=(2, 3, 4)), X + 1j):
        got = tg.matrix_norm(x, ord=ord, keepdims=keepdims).numpy()
        np.testing.assert_allclose(got, np.linalg.matrix_norm(x, ord=ord, keepdims=keepdims), rtol=1e-14)


@pytest.mark.parametrize("ord", ["fro", 1, -1, INF, -INF])
def test_the_derivatives_of_a_matrix_norm_are_right(ord):
    check_derivatives(lambda x: tg.matrix_norm(x, ord=ord), X)


def test_l2_normalize_has_length_one_and_keeps_zeros():
    got = tg.l2_normalize(np.array([[3.0, 4.0], [0.0, 0.0]])).numpy()
    np.testing.assert_allclose(got, [[0.6, 0.8], [0.0, 0.0]])
    check_derivatives(tg.l2_normalize, X)
    check_derivatives(tg.l2_normalize, X + 1j * X[::-1], order=1)


def test_the_gradient_of_l2_normalize_at_zero_is_finite():
    x = tg.zeros((1, 2))
    (g,) = tg.gradients(tg.l2_normalize(x), x)
    assert np.isfinite(g.numpy()).all()


@pytest.mark.parametrize(("x", "want"), [([3.0, 4.0], [0.6, 0.8]), ([0.3, 0.4], [0.3, 0.4]), ([0.0, 0.0], [0.0, 0.0])])
def test_clip_by_norm_scales_down_what_is_too_long(x, want):
    np.testing.assert_allclose(tg.clip_by_norm(np.array(x), 1.0).numpy(), want)


def test_the_gradient_of_clip_by_norm_is_one_at_zero_and_right_elsewhere():
    x = tg.asarray([0.0, 0.0])
    (g,) = tg.gradients(tg.clip_by_norm(x, 1.0), x)
    assert g.numpy().tolist() == [1.0, 1.0]
    check_derivatives(lambda x: tg.clip_by_norm(x, 1.0, axis=1), X)


def test_clip_by_global_norm_scales_all_by_one_number():
    tensors = {"a": tg.asarray([3.0, 0.0]), "b": [None, tg.asarray([[4.0]])]}
    clipped, norm = tg.clip_by_global_norm(tensors, 1.0)
    assert norm.item() == tg.global_norm(tensors).item() == 5.0
    np.testing.assert_allclose(clipped["a"].numpy(), [0.6, 0.0], rtol=1e-6)
    np.testing.assert_allclose(clipped["b"][1].numpy(), [[0.8]], rtol=1e-6)
    assert clipped["b"][0] is None


def test_clip_by_global_norm_leaves_what_is_short_as_it_is_and_keeps_dtypes():
    (a, b), _ = tg.clip_by_global_norm((np.array([0.5], np.float16), np.array([0.25])), 1.0)
    assert (a.dtype, a.item(), b.dtype, b.item()) == (np.float16, 0.5, np.float64, 0.25)


@pytest.mark.parametrize("bad", [INF, np.nan])
def test_a_norm_that_is_not_finite_makes_all_of_it_nan(bad):
    (a, b), _ = tg.clip_by_global_norm([tg.asarray([bad]), tg.asarray([1.0])], 1.0)
    assert np.isnan([a.item(), b.item()]).all()


def test_the_derivatives_of_clip_by_global_norm_are_right():
    check_derivatives(lambda x, y: tg.clip_by_global_norm([x, y], 0.5)[0], X[0], X[1, :2])


WRONG = {
    "integers": (lambda: tg.vector_norm([1, 2]), TypeError, "vector_norm: got int64"),
    "a word": (lambda: tg.vector_norm(X, ord="fro"), TypeError, "vector_norm: got ord 'fro'"),
    "the largest of nothing": (
        lambda: tg.vector_norm(np.zeros(0), ord=INF),
        ValueError,
        "no (largest of no )?elements",
    ),
    "no such axis": (lambda: tg.vector_norm(X, axis=2), IndexError, "vector_norm: got axis 2"),
    "a vector": (lambda: tg.matrix_norm(X[0]), ValueError, "matrix_norm: got float64"),
    "the nuclear norm": (lambda: tg.matrix_norm(X, ord="nuc"), ValueError, "matrix_norm: got ord 'nuc'"),
    "nothing to clip": (lambda: tg.clip_by_global_norm([None], 1.0), ValueError, "global_norm: got no tensors"),
}


@pytest.mark.parametrize(("call", "kind", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_use_says_what_was_got_and_wanted_and_where(call, kind, message):
    check_error(call, kind, message)
