"""Ties, zeros, edges, and complex numbers, as TensorFlow has them."""

import numpy as np
import pytest

import tidegate as tg

INF, NAN = np.inf, np.nan


def gradient(function, *at):
    """The gradient of the sum of a function, for each argument, in float64 or complex128."""
    xs = [tg.asarray(np.asarray(a)) for a in at]
    return [None if g is None else g.numpy() for g in tg.gradients(function(*xs), xs)]


def test_max_shares_equally_among_ties_of_each_group():
    np.testing.assert_allclose(gradient(tg.max, [4.0, 4.0, 1.0, 4.0])[0], [1 / 3, 1 / 3, 0, 1 / 3])
    (g,) = gradient(lambda x: tg.max(x, axis=1), [[1.0, 1.0], [2.0, 1.0]])
    np.testing.assert_array_equal(g, [[0.5, 0.5], [1.0, 0.0]])


def test_maximum_gives_all_to_its_first_argument_at_a_tie():
    assert gradient(tg.maximum, 4.0, 4.0) == [1.0, 0.0]


def test_top_k_takes_the_lower_place_at_a_tie():
    np.testing.assert_array_equal(gradient(lambda x: tg.top_k(x, 1)[0], [4.0, 4.0])[0], [1.0, 0.0])


@pytest.mark.parametrize("function", [tg.abs, tg.sign], ids=["abs", "sign"])
def test_abs_and_sign_have_derivative_zero_at_zero(function):
    assert gradient(function, 0.0) == [0.0]


def test_sqrt_at_zero_is_infinite_so_a_norm_at_zero_is_nan():
    assert gradient(tg.sqrt, 0.0) == [INF]
    np.testing.assert_array_equal(gradient(lambda x: tg.sqrt(tg.sum(x * x)), [0.0, 0.0])[0], [NAN, NAN])


def test_a_zero_cotangent_through_sqrt_is_exactly_zero():
    x = tg.asarray([0.0])
    (g,) = tg.gradients(tg.sqrt(x), x, grad_ys=tg.asarray([0.0]))
    assert g.numpy().tolist() == [0.0]
    (g,) = gradient(lambda x: tg.where(x > 0.0, tg.sqrt(x), 0.0), [0.0, 4.0])
    assert g.tolist() == [0.0, 0.25]


@pytest.mark.parametrize("function", [tg.log, lambda x: 1.0 / x, lambda x: x**0.5], ids=["log", "1/x", "x**0.5"])
def test_zero_times_infinity_in_a_branch_not_taken_is_nan(function):
    (g,) = gradient(lambda x: tg.where(x > 0.0, function(x), 0.0 * x), 0.0)
    assert np.isnan(g)


def test_the_double_where_is_safe():
    def safe(x):
        inside = x > 0.0
        return tg.where(inside, tg.log(tg.where(inside, x, 1.0)), 0.0)

    np.testing.assert_array_equal(gradient(safe, [0.0, 4.0, -1.0])[0], [0.0, 0.25, 0.0])


def test_power_at_its_edges():
    gx, gy = gradient(tg.pow, [-3.0, 0.0, 0.0], [2.0, 1.0, 0.0])
    np.testing.assert_array_equal(gx, [-6.0, 1.0, NAN])
    np.testing.assert_array_equal(gy, [0.0, 0.0, 0.0])


def test_a_cumulative_product_is_right_where_the_input_holds_zeros():
    np.testing.assert_array_equal(gradient(tg.cumulative_prod, [2.0, 0.0, 3.0])[0], [1.0, 8.0, 0.0])
    np.testing.assert_array_equal(gradient(tg.cumulative_prod, [2.0, 0.0, 3.0, 0.0])[0], [1.0, 8.0, 0.0, 0.0])


def test_logsumexp_is_finite_for_large_numbers_and_ignores_minus_infinity():
    np.testing.assert_array_equal(gradient(tg.logsumexp, [1e4, -INF])[0], [1.0, 0.0])


def test_cholesky_has_a_symmetric_gradient():
    (g,) = gradient(tg.cholesky, [[4.0, 1.0], [1.0, 3.0]])
    np.testing.assert_allclose(g, g.T, rtol=0, atol=1e-15)
    assert g[0, 1] != 0


def test_an_indefinite_matrix_gives_nan_and_no_error():
    assert np.isnan(tg.cholesky(np.array([[-1.0]])).numpy()).all()


def test_the_branch_not_taken_leaks_no_infinity():
    g = tg.grad(lambda x: tg.cond(x > 0.0, tg.sqrt, lambda v: v * 2.0, x))(0.0)
    assert float(g) == 2.0


def test_a_real_loss_has_gradient_d_re_plus_i_d_im():
    assert gradient(lambda z: tg.abs(z) ** 2.0, 1.0 + 2.0j) == [2.0 + 4.0j]


def test_a_holomorphic_function_passes_the_conjugate_of_its_derivative():
    z = tg.asarray(np.asarray(1.0 + 2.0j))
    (g,) = tg.gradients(z * z, z, grad_ys=1.0 + 0.0j)
    assert complex(g) == 2.0 - 4.0j


def test_forward_mode_of_a_holomorphic_function_multiplies_by_its_derivative():
    _, t = tg.jvp(lambda z: z * z, (np.asarray(1.0 + 2.0j),), (np.asarray(1.0j),))
    assert complex(t) == (2.0 + 4.0j) * 1j


def test_parts_of_complex_numbers():
    at = 1.0 + 2.0j
    assert gradient(tg.real, at) == [1.0]
    assert gradient(tg.imag, at) == [1.0j]
    assert gradient(tg.abs, 0.0j) == [0.0]
    z = tg.asarray(np.asarray(at))
    (g,) = tg.gradients(tg.conj(z), z, grad_ys=3.0 + 1.0j)
    assert complex(g) == 3.0 - 1.0j
    re, im = gradient(lambda a, b: tg.abs(tg.complex(a, b)), 3.0, 4.0)
    assert (re.dtype, float(re), float(im)) == (np.float64, pytest.approx(0.6), pytest.approx(0.8))


def test_a_real_number_cast_to_complex_and_back_keeps_a_real_gradient():
    (g,) = gradient(lambda x: tg.real(tg.astype(x, tg.complex128) * (2.0 + 3.0j)), 5.0)
    assert (g.dtype, float(g)) == (np.float64, 2.0)
