"""Cumulative functions and differences: NumPy's values, ties and edges, and derivatives at them."""

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tidegate as tg
from tidegate.testing import check_derivatives
from wrong_use import check_error

INF, NAN = np.inf, np.nan


def numbers(shape, seed=0):
    return np.random.default_rng(seed).uniform(-2.0, 2.0, shape)


NUMPY = {
    "cumulative_sum": np.cumsum,
    "cumulative_prod": np.cumprod,
    "cumulative_max": np.maximum.accumulate,
    "cumulative_min": np.minimum.accumulate,
    "cumulative_logsumexp": np.logaddexp.accumulate,
}


@pytest.mark.parametrize("name", NUMPY)
@pytest.mark.parametrize("shape", [(3, 4), (2, 1), (0, 2), (2, 0)], ids=str)
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_a_cumulative_function_equals_numpys_along_any_axis(name, shape, axis):
    x = numbers(shape)
    got = getattr(tg, name)(x, axis=axis).numpy()
    want = np.zeros(shape) if 0 in shape else NUMPY[name](x, axis=axis)
    assert got.shape == shape
    np.testing.assert_allclose(got, want, rtol=1e-14, atol=1e-15)


@pytest.mark.parametrize("name", NUMPY)
def test_a_vector_need_not_name_its_axis(name):
    np.testing.assert_allclose(getattr(tg, name)(x := numbers(5)).numpy(), NUMPY[name](x), rtol=1e-15)


@pytest.mark.parametrize(("name", "first"), [("cumulative_sum", 0), ("cumulative_prod", 1)])
@pytest.mark.parametrize("axis", [0, 1])
def test_the_initial_value_stands_first_where_it_is_asked_for(name, first, axis):
    x = np.arange(6, dtype=np.int32).reshape(2, 3) + 1
    got = getattr(tg, name)(x, axis=axis, include_initial=True)
    begin = np.full((1, 3) if axis == 0 else (2, 1), first)
    assert got.dtype == np.int64
    np.testing.assert_array_equal(got.numpy(), np.concatenate([begin, NUMPY[name](x, axis=axis)], axis))


@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_prod"])
def test_the_derivatives_with_an_initial_value_are_right(name):
    check_derivatives(lambda x: getattr(tg, name)(x, axis=1, include_initial=True), [[1.5, 0.0, 0.5], [2.0, -1.0, 3.0]])


@pytest.mark.parametrize("name", NUMPY)
def test_the_derivatives_along_the_first_axis_are_right(name):
    point = np.random.default_rng(0).permutation(np.linspace(-2, 2, 6)).reshape(3, 2)
    check_derivatives(lambda x: getattr(tg, name)(x, axis=0), point)


def test_a_running_extreme_keeps_nan_once_it_is_there():
    x = [1.0, NAN, 5.0, -5.0]
    np.testing.assert_array_equal(tg.cumulative_max(x).numpy(), [1.0, NAN, NAN, NAN])
    np.testing.assert_array_equal(tg.cumulative_min(x).numpy(), [1.0, NAN, NAN, NAN])


def test_of_equal_elements_the_first_stays_with_its_sign_of_zero():
    assert np.signbit(tg.cumulative_max([-0.0, 0.0]).numpy()).tolist() == [True, True]
    assert np.signbit(tg.cumulative_min([0.0, -0.0]).numpy()).tolist() == [False, False]


@pytest.mark.parametrize(
    ("name", "point", "want"),
    [
        ("cumulative_max", [2.0, 2.0, 1.0, 3.0, 3.0], [3.0, 0.0, 0.0, 2.0, 0.0]),
        ("cumulative_min", [2.0, 2.0, 1.0, 3.0, 1.0], [2.0, 0.0, 3.0, 0.0, 0.0]),
        ("cumulative_max", [1.0, NAN, 5.0, NAN, 0.0], [1.0, 4.0, 0.0, 0.0, 0.0]),
    ],
)
def test_the_derivative_of_a_running_extreme_goes_to_the_element_that_stands(name, point, want):
    x = tg.asarray(point)
    (g,) = tg.gradients(tg.sum(getattr(tg, name)(x)), [x])
    assert g.numpy().tolist() == want


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.float16], ids=lambda t: t.__name__)
def test_a_running_extreme_keeps_the_dtype(dtype):
    x = np.array([3, 1, 4, 1, 5, 0], dtype)
    got = tg.cumulative_max(x)
    assert got.dtype == x.dtype
    np.testing.assert_array_equal(got.numpy(), np.maximum.accumulate(x))


def exact_logsumexp(values):
    with mpmath.workdps(60):
        total = mpmath.fsum([mpmath.exp(mpmath.mpf(v)) for v in values])
        return float(mpmath.log(total)) if total else -INF


OUT = ([-900.0, 900.0, 901.0, -5.0], [700.0, -745.0, 0.0], [1e-3, -1e-3], [-1e5, -1e5 - 40.0])


@pytest.mark.parametrize("x", OUT, ids=str)
def test_a_cumulative_logsumexp_keeps_its_precision_where_exponentials_overflow_or_vanish(x):
    want = [exact_logsumexp(x[: i + 1]) for i in range(len(x))]
    np.testing.assert_allclose(tg.cumulative_logsumexp(np.array(x)).numpy(), want, rtol=4e-16)


def exact_gradient(values):
    """The gradient of the sum of the cumulative logsumexp; what belongs to a -inf is 0."""
    with mpmath.workdps(60):
        grown = [mpmath.exp(mpmath.mpf(v)) for v in values]
        totals = [mpmath.fsum(grown[: i + 1]) for i in range(len(grown))]
        return [float(mpmath.fsum([e / t for t in totals[j:] if t])) for j, e in enumerate(grown)]


POINTS = [
    [-900.0, 900.0, 901.0, -5.0],
    [-INF, -INF, 1.0, -INF, 2.0],
    [3.0, -INF, -INF],
    [-INF, -INF],
    [-INF],
    [800.0, 800.0],
]


@pytest.mark.parametrize("x", POINTS, ids=str)
def test_the_gradient_of_a_cumulative_logsumexp_is_right_far_out_and_at_minus_infinity(x):
    t = tg.asarray(np.array(x))
    (g,) = tg.gradients(tg.sum(tg.cumulative_logsumexp(t)), [t])
    np.testing.assert_allclose(g.numpy(), exact_gradient(x), rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("x", POINTS, ids=str)
def test_the_second_derivative_of_a_cumulative_logsumexp_is_finite_far_out_and_at_minus_infinity(x):
    t = tg.asarray(np.array(x))
    (g,) = tg.gradients(tg.sum(tg.cumulative_logsumexp(t)), [t])
    (h,) = tg.gradients(tg.sum(g * np.arange(1.0, len(x) + 1)), [t])
    assert np.isfinite(h.numpy()).all()


def test_a_cumulative_logsumexp_of_infinity_is_infinity():
    np.testing.assert_array_equal(tg.cumulative_logsumexp([1.0, INF, 2.0]).numpy()[1:], [INF, INF])


@given(size=st.integers(0, 4), n=st.integers(0, 5), axis=st.sampled_from([0, 1, -1]))
def test_differences_equal_numpys_down_to_none_left(size, n, axis):
    x = numbers((size, 3) if axis == 0 else (3, size))
    np.testing.assert_array_equal(tg.diff(x, n=n, axis=axis).numpy(), np.diff(x, n=n, axis=axis))


def test_differences_with_edges_equal_numpys():
    x = np.arange(6).reshape(2, 3) ** 2
    edge = np.array([[7], [8]])
    np.testing.assert_array_equal(tg.diff(x, prepend=edge, append=1).numpy(), np.diff(x, prepend=edge, append=1))
    np.testing.assert_array_equal(tg.diff(x, axis=0, n=2, append=0).numpy(), np.diff(x, axis=0, n=2, append=0))
    np.testing.assert_array_equal(tg.diff(x, n=0, append=1).numpy(), x)


def test_the_derivatives_of_differences_reach_the_edges():
    check_derivatives(lambda x, edge: tg.diff(x, prepend=edge, n=2), numbers((2, 3)), numbers((2, 2)))


VECTOR, MATRIX = tg.ones(3), tg.ones((2, 3))
WRONG = {
    "no axis": (lambda: tg.cumulative_sum(MATRIX), ValueError, r"cumulative_sum: got float32\[2,3\] and no axis"),
    "no axes": (lambda: tg.cumulative_max(1.0), ValueError, r"cumulative_max: got float32\[\] and no axis"),
    "no such axis": (lambda: tg.cumulative_prod(VECTOR, axis=1), IndexError, "cumulative_prod: got axis 1"),
    "logarithms of integers": (lambda: tg.cumulative_logsumexp(tg.arange(3)), TypeError, "_logsumexp: got int64"),
    "differences of a scalar": (lambda: tg.diff(1.0), IndexError, "diff: got axis -1"),
    "less than no differences": (lambda: tg.diff(VECTOR, n=-1), ValueError, "diff: got n = -1; want at least 0"),
    "half a difference": (lambda: tg.diff(VECTOR, n=0.5), TypeError, "diff: got n = 0.5; want an integer"),
    "booleans": (lambda: tg.diff(VECTOR > 0), TypeError, "Subtract: got bool"),
}  # fmt: skip


@pytest.mark.parametrize(("call", "kind", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_use_says_what_was_got_and_wanted(call, kind, message):
    check_error(call, kind, message)
