"""Derivatives at ties, zeros and edges: exact values, in both modes."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

import tidegate as tg
from tidegate.core.graph import walk
from tidegate.testing import check_derivatives
from tidegate.transforms.engine import ENGINE

INF, NAN = np.inf, np.nan


def vector(*values):
    return tg.asarray(np.asarray(values, float))


def both_modes(function, *xs):
    """Per input the gradient of the sum, by reverse mode, and by forward mode one element at a time."""
    xs = [vector(*x) for x in xs]
    y = function(*xs)
    reverse = [g.numpy() for g in ENGINE.vjp([y], xs, [tg.ones(y.shape, dtype=y.dtype)])]
    forward = []
    for x in xs:
        columns = [ENGINE.jvp([y], [x], [vector(*row)])[0] for row in np.eye(x.size)]
        forward.append(np.asarray([c.numpy().sum() for c in columns]))
    return reverse, forward


@pytest.mark.parametrize("mode", [0, 1], ids=["reverse", "forward"])
@pytest.mark.parametrize(
    ("function", "points", "want"),
    [
        pytest.param(tg.maximum, ([4.0, 1.0, 5.0], [4.0, 2.0, 3.0]), ([1, 0, 1], [0, 1, 0]), id="maximum-tie-first"),
        pytest.param(tg.max, ([4.0, 4.0, 1.0, 4.0],), ([1 / 3, 1 / 3, 0, 1 / 3],), id="max-ties-equal"),
        pytest.param(tg.abs, ([0.0, -0.0, -2.0],), ([0, 0, -1],), id="abs-0-at-0"),
        pytest.param(tg.sign, ([0.0, -2.0, 3.0],), ([0, 0, 0],), id="sign-zero"),
        pytest.param(tg.sqrt, ([4.0],), ([0.25],), id="sqrt"),
        pytest.param(lambda x: tg.top_k(x, 1)[0], ([4.0, 4.0, 1.0],), ([1, 0, 0],), id="top_k-tie-lower-place"),
        pytest.param(tg.pow, ([-3.0, 0.0, 0.0], [2.0, 1.0, 2.0]), ([-6, 1, 0], [0, 0, 0]), id="pow-edges"),
        pytest.param(tg.cumulative_prod, ([2.0, 0.0, 3.0],), ([1, 8, 0],), id="cumprod-one-zero"),
        pytest.param(tg.cumulative_prod, ([0.0, 3.0, 0.0, 5.0],), ([19 - 15, 0, 0, 0],), id="cumprod-two-zeros"),
    ],
)
def test_the_gradient_at_an_edge_is(function, points, want, mode):
    got = both_modes(function, *points)[mode]
    for g, w in zip(got, want, strict=True):
        np.testing.assert_allclose(g, w, rtol=1e-15)


@pytest.mark.parametrize("point", [[2.0, 0.0, 3.0, 4.0], [0.0, 2.0, 0.0, 3.0], [0.0, 0.0, 0.0], [1.0, 2.0, 0.0]])
def test_the_derivatives_of_a_cumulative_product_with_zeros_are_right_to_second_order(point):
    check_derivatives(tg.cumulative_prod, point)


def test_the_gradient_of_cholesky_is_symmetric():
    a = tg.asarray(np.asarray([[4.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 5.0]]))
    (g,) = tg.gradients(tg.sum(tg.cholesky(a) * vector(1.0, -2.0, 3.0)), [a])
    np.testing.assert_allclose(g.numpy(), g.numpy().T, rtol=1e-14)
    assert abs(g.numpy()[0, 1]) > 1e-3


def test_the_gradient_of_a_complex_cholesky_is_hermitian():
    a = tg.asarray(np.asarray([[4.0, 1.0 + 2j], [1.0 - 2j, 5.0]]))
    (g,) = ENGINE.vjp([tg.cholesky(a)], [a], [tg.asarray(np.asarray([[1.0 + 0j, 0], [2j + 1, 1]]))])
    np.testing.assert_allclose(g.numpy(), g.numpy().conj().T, rtol=1e-14)
    assert abs(g.numpy()[0, 1].imag) > 1e-3


# sqrt: the partial at 0 is infinite; a zero cotangent or tangent makes it exactly 0.


def test_the_derivative_of_sqrt_at_zero_is_infinite():
    (reverse,), (forward,) = both_modes(tg.sqrt, [0.0])
    assert (reverse[0], forward[0]) == (INF, INF)


@pytest.mark.parametrize("mode", ["vjp", "jvp"])
@pytest.mark.parametrize("dtype", [tg.float64, tg.complex128], ids=str)
def test_nothing_times_the_infinite_derivative_of_sqrt_is_exactly_zero(mode, dtype):
    x = tg.zeros(2, dtype=dtype)
    (got,) = getattr(ENGINE, mode)([tg.sqrt(x)], [x], [tg.zeros(2, dtype=dtype)])
    np.testing.assert_array_equal(got.numpy(), [0, 0])


def test_a_masked_sqrt_has_a_zero_derivative_at_zero():
    (reverse,), (forward,) = both_modes(lambda x: tg.where(x > 0.0, tg.sqrt(x), 0.0 * x), [0.0, 4.0])
    np.testing.assert_array_equal(reverse, [0.0, 0.25])
    np.testing.assert_array_equal(forward, [0.0, 0.25])


def test_the_gradient_of_sqrt_is_differentiable_with_respect_to_its_cotangent():
    x, u = vector(4.0, 0.25), vector(0.0, 2.0)
    (g,) = ENGINE.vjp([tg.sqrt(x)], [x], [u])
    (h,) = ENGINE.vjp([g], [u], [vector(1.0, 1.0)])
    np.testing.assert_array_equal(h.numpy(), [0.25, 1.0])
    (h,) = ENGINE.jvp([g], [u], [vector(1.0, 1.0)])
    np.testing.assert_array_equal(h.numpy(), [0.25, 1.0])


def test_the_gradient_of_sqrt_at_zero_with_respect_to_its_cotangent_is_infinite():
    x, u = vector(0.0), vector(2.0)
    (g,) = ENGINE.vjp([tg.sqrt(x)], [x], [u])
    (h,) = ENGINE.vjp([g], [u], [vector(1.0)])
    np.testing.assert_array_equal(h.numpy(), [INF])


# Select: the branch that isn't taken gets an exact 0, whatever comes from above.


@pytest.mark.parametrize("cotangent", [INF, NAN, -INF])
def test_the_branch_that_a_select_does_not_take_gets_an_exact_zero(cotangent):
    x, y = vector(1.0, 2.0), vector(3.0, 4.0)
    out = tg.where(tg.asarray([True, False]), x, y)
    gx, gy = ENGINE.vjp([out], [x, y], [vector(cotangent, cotangent)])
    np.testing.assert_array_equal(gx.numpy(), [cotangent, 0.0])
    np.testing.assert_array_equal(gy.numpy(), [0.0, cotangent])


@pytest.mark.parametrize("cotangent", [INF, NAN])
def test_the_side_that_a_maximum_does_not_take_gets_an_exact_zero(cotangent):
    x, y = vector(1.0, 5.0), vector(3.0, 4.0)
    gx, gy = ENGINE.vjp([tg.maximum(x, y)], [x, y], [vector(cotangent, cotangent)])
    np.testing.assert_array_equal(gx.numpy(), [0.0, cotangent])
    np.testing.assert_array_equal(gy.numpy(), [cotangent, 0.0])


def test_where_over_an_infinite_derivative_gives_nan_as_it_must():
    (g,), _ = both_modes(lambda x: tg.where(x > 0.0, tg.log(x), 0.0 * x), [0.0])
    np.testing.assert_array_equal(g, [NAN])


# Complex numbers, under the real inner product.


@pytest.mark.parametrize(
    ("function", "cotangent", "want"),
    [
        pytest.param(lambda z: tg.abs(z) * tg.abs(z), 1.0, 2 + 4j, id="steepest-ascent"),
        pytest.param(lambda z: z * z, 1.0 + 0j, 2 - 4j, id="holomorphic-conjugate"),
        pytest.param(tg.real, 1.0, 1.0, id="real"),
        pytest.param(tg.imag, 1.0, 1j, id="imag"),
        pytest.param(tg.conj, 2.0 + 1j, 2 - 1j, id="conj"),
    ],
)
def test_the_complex_gradient_is(function, cotangent, want):
    z = tg.asarray(np.asarray(1 + 2j))
    y = function(z)
    (g,) = ENGINE.vjp([y], [z], [tg.asarray(cotangent, y.dtype)])
    np.testing.assert_allclose(g.numpy(), want, rtol=1e-15)


def test_the_complex_absolute_value_has_a_zero_derivative_at_zero():
    z = tg.zeros(1, dtype=tg.complex128)
    (g,) = ENGINE.vjp([tg.abs(z)], [z], [vector(1.0)])
    (t,) = ENGINE.jvp([tg.abs(z)], [z], [tg.ones(1, dtype=tg.complex128)])
    np.testing.assert_array_equal(g.numpy(), [0])
    np.testing.assert_array_equal(t.numpy(), [0])


def test_from_real_to_complex_and_back_the_gradient_is_real():
    x = vector(5.0)
    (g,) = tg.gradients(tg.real(tg.astype(x, tg.complex128) * (2 + 3j)), [x])
    assert (g.dtype, g.item()) == (tg.float64, 2.0)


# Power, with numbers as exponents.


@pytest.mark.parametrize(
    ("x", "y", "want"),
    [(0.0, 1.0, 1.0), (0.0, 2.0, 0.0), (0.0, 0.0, NAN), (0.0, 0.5, INF), (-2.0, 3.0, 12.0), (-2.0, -1.0, -0.25)],
)
def test_the_derivative_of_a_power_for_its_base_is(x, y, want):
    (g, _), (t, _) = both_modes(tg.pow, [x], [y])
    np.testing.assert_array_equal((g, t), ([want], [want]))


@pytest.mark.parametrize(("x", "y"), [(0.0, 2.0), (0.0, 0.0), (0.0, -1.0), (-3.0, 2.0), (-3.0, 0.5)])
def test_the_derivative_of_a_power_for_its_exponent_is_zero_where_the_base_is_not_positive(x, y):
    (_, g), (_, t) = both_modes(tg.pow, [x], [y])
    np.testing.assert_array_equal((g, t), ([0.0], [0.0]))


@pytest.mark.parametrize("x", [-1e5, -30.0, -1.0, 0.0, 0.5, 10.0, 30.0, 37.0, 40.0, 1e5])
def test_the_derivatives_of_the_logarithm_of_a_probability_are_right_far_out(x):
    with mpmath.workdps(60):
        at = mpmath.mpf(x)
        ratio = mpmath.npdf(at) / mpmath.ncdf(at)
        want = [float(ratio), float(-ratio * (at + ratio))]
    point = vector(x)
    (first,) = tg.gradients(tg.log_ndtr(point), [point])
    (second,) = tg.gradients(first, [point])
    np.testing.assert_allclose([first.item(), second.item()], want, rtol=1e-11, atol=1e-300)


ROOTS = {
    "sqrt": tg.sqrt,
    "rsqrt": tg.rsqrt,
    "reciprocal": tg.reciprocal,
    "sqrt of a square": lambda x: tg.sqrt(x * x * x),
    "norm": lambda x: tg.sqrt(tg.sum(x * x)),
}


def by_reverse(function):
    return lambda x: tg.gradients(tg.sum(function(x)), x)[0]


def by_forward(function):
    return lambda x: tg.jvp(function, (x,), (tg.ones_like(x),))[1]


@pytest.mark.parametrize("modes", [(by_reverse,) * 3, (by_forward, by_reverse, by_reverse), (by_reverse, by_forward)])
@pytest.mark.parametrize("root", ROOTS.values(), ids=ROOTS)
def test_what_a_mask_leaves_out_of_a_root_is_0_in_derivatives_of_every_order(root, modes):
    def masked(x):
        return tg.where(x > 0.0, root(x), 0.0)

    derivative, alone = masked, root
    for mode in modes:
        derivative, alone = mode(derivative), mode(alone)
        assert derivative(vector(0.0)).item() == 0.0
        np.testing.assert_allclose(derivative(vector(2.0)).numpy(), alone(vector(2.0)).numpy(), rtol=1e-12)


def test_a_mixed_derivative_through_a_factor_of_0_is_that_of_the_root():
    x, factor = vector(4.0), vector(0.0)
    (first,) = tg.gradients(tg.sqrt(x) * factor, [x])
    assert tg.gradients(first, [factor])[0].item() == 0.25


def root_of_what_is_positive(x):
    return tg.where(x > 0.0, tg.sqrt(x), 0.0)


SLOPE = tg.grad(root_of_what_is_positive)


@pytest.mark.parametrize(
    "slope",
    [SLOPE, tg.jit(SLOPE), lambda x: tg.cond(x < 9.0, SLOPE, lambda y: y, x)],
    ids=["grad", "jit", "cond"],
)
@pytest.mark.parametrize("outer", [lambda f: f, tg.jit], ids=["plain", "in jit"])
def test_so_it_is_outside_of_what_is_mapped(slope, outer):
    curvature = outer(tg.grad(lambda x: tg.sum(tg.vmap(slope)(x))))
    np.testing.assert_allclose(curvature(np.asarray([0.0, 4.0])).numpy(), [0.0, -1 / 32], rtol=1e-12)


def test_a_copy_belongs_to_the_copy_of_what_it_is_a_derivative_of():
    y = tg.sum(tg.vmap(SLOPE)(vector(1.0, 4.0)))
    parts = [n for n in walk([y]) if n.origin is not None]
    assert parts
    assert all(n.origin() in set(walk([y])) for n in parts if n.op.name == "Divide")
