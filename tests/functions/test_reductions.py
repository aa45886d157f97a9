"""Reductions give NumPy's values, the array API standard's dtypes, and errors that name the function."""

import warnings

import ml_dtypes
import numpy as np
import pytest
import scipy.special
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import tidegate as tg
from tidegate.core.graph import TensorType
from tidegate.core.shapes import symbol
from tidegate.ops.creation import Input
from tidegate.testing import check_derivatives
from wrong_use import check_error

SHAPES = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3)


@st.composite
def reduced(draw, shapes=SHAPES):
    """(shape, axis, keepdims)"""
    shape = draw(shapes)
    places = st.integers(-len(shape), len(shape) - 1) if shape else st.nothing()
    several = st.lists(places, unique_by=lambda a: a % len(shape)).map(tuple)
    return shape, draw(st.none() | places | several), draw(st.booleans())


def numbers(shape, dtype=np.float64, seed=0):
    rng = np.random.default_rng(seed)
    drawn = rng.integers(-3, 4, shape) if np.dtype(dtype).kind in "iub" else rng.uniform(-2.0, 2.0, shape)
    with np.errstate(all="ignore"):
        return np.asarray(drawn).astype(dtype)


TOTALS = {
    "sum": np.sum,
    "prod": np.prod,
    "any": np.any,
    "all": np.all,
    "count_nonzero": np.count_nonzero,
}


@pytest.mark.parametrize("name", TOTALS)
@pytest.mark.parametrize("dtype", [np.float64, np.int64, np.complex128, np.bool_], ids=lambda t: t.__name__)
@given(case=reduced())
def test_a_reduction_with_an_identity_equals_numpys_also_of_no_elements(name, dtype, case):
    shape, axis, keepdims = case
    x = numbers(shape, dtype)
    got = getattr(tg, name)(x, axis=axis, keepdims=keepdims).numpy()
    want = np.asarray(TOTALS[name](x, axis=axis, keepdims=keepdims))
    assert (got.shape, got.dtype) == (want.shape, want.dtype)
    np.testing.assert_allclose(got, want, rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("name", ["max", "min"])
@pytest.mark.parametrize("dtype", [np.float16, np.float64, np.int8, np.uint8], ids=lambda t: t.__name__)
@given(case=reduced(hnp.array_shapes(min_dims=0, max_dims=3, min_side=1, max_side=3)))
def test_an_extreme_equals_numpys_and_keeps_the_dtype(name, dtype, case):
    shape, axis, keepdims = case
    x = numbers(shape, dtype)
    got = getattr(tg, name)(x, axis=axis, keepdims=keepdims).numpy()
    want = np.asarray(getattr(np, name)(x, axis=axis, keepdims=keepdims))
    assert (got.shape, got.dtype) == (want.shape, x.dtype)
    np.testing.assert_array_equal(got, want)


MOMENTS = {"mean": {}, "var": {"correction": 0}, "std": {"correction": 1.0}}


@pytest.mark.parametrize("name", MOMENTS)
@pytest.mark.parametrize("dtype", [np.float64, np.complex128], ids=lambda t: t.__name__)
@given(case=reduced())
def test_a_moment_equals_numpys_and_is_nan_of_no_elements_without_a_warning(name, dtype, case):
    shape, axis, keepdims = case
    x = numbers(shape, dtype)
    got = getattr(tg, name)(x, axis=axis, keepdims=keepdims, **MOMENTS[name]).numpy()
    with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
        want = np.asarray(getattr(np, name)(x, axis=axis, keepdims=keepdims, **MOMENTS[name]))
    assert (got.shape, got.dtype) == (want.shape, want.dtype)
    np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", ["argmax", "argmin"])
@pytest.mark.parametrize("axis", [None, 0, 1, -1])
@pytest.mark.parametrize("keepdims", [False, True])
def test_a_place_equals_numpys(name, axis, keepdims):
    x = numbers((3, 4), np.int64)  # with ties
    got = getattr(tg, name)(x, axis=axis, keepdims=keepdims).numpy()
    want = np.asarray(getattr(np, name)(x, axis=axis, keepdims=keepdims))
    assert (got.dtype, got.shape) == (np.int64, want.shape)
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("name", ["argmax", "argmin"])
def test_the_place_of_an_extreme_is_that_of_the_first_nan(name):
    x = np.array([1.0, np.nan, 5.0, -5.0, np.nan])
    assert int(getattr(tg, name)(x)) == 1
    assert int(getattr(tg, name)(tg.asarray(x, tg.bfloat16))) == 1


@pytest.mark.parametrize("name", ["max", "min", "sum", "prod", "mean", "var"])
def test_a_nan_stays(name):
    assert np.isnan(float(getattr(tg, name)([1.0, np.nan, 5.0])))


def test_any_and_all_count_nan_as_true():
    assert bool(tg.all([np.nan, 1.0]))
    assert int(tg.count_nonzero([np.nan, 0.0, -0.0, 2.0])) == 2


WIDE = {"int8": "int64", "int32": "int64", "int64": "int64", "uint8": "uint64", "uint32": "uint64",
        "uint64": "uint64", "float16": "float16", "float32": "float32", "float64": "float64",
        "complex64": "complex64", "bfloat16": "bfloat16", "bool": "int64"}  # fmt: skip


@pytest.mark.parametrize("name", ["sum", "prod", "cumulative_sum", "cumulative_prod"])
@pytest.mark.parametrize("dtype", WIDE)
def test_small_integers_are_added_and_multiplied_in_64_bits(name, dtype):
    assert getattr(tg, name)(tg.ones(3, dtype=dtype)).dtype.name == WIDE[dtype]


@pytest.mark.parametrize("name", ["sum", "prod", "cumulative_sum", "cumulative_prod"])
def test_a_dtype_asked_for_is_taken_before_anything_is_added(name):
    x = np.full(3, 100, np.int8)
    got = getattr(tg, name)(x, dtype=tg.float32)
    assert got.dtype == tg.float32
    assert float(tg.max(got)) == (300.0 if "sum" in name else 1e6)


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16], ids=["float16", "bfloat16"])
def test_halves_are_added_in_float32_and_rounded_once(dtype):
    x = np.full(4096, 1.0, dtype)  # in half precision a sum of ones stops growing at 2048, or 256
    assert float(tg.sum(x)) == 4096.0
    assert float(tg.mean(x)) == 1.0
    assert tg.mean(x).dtype == x.dtype


def test_the_mean_of_halves_does_not_overflow_where_their_sum_would():
    x = np.full(10, 60000.0, np.float16)
    assert float(tg.mean(x)) == 60000.0
    assert float(tg.std(x)) == 0.0


@pytest.mark.parametrize("correction", [2, 3, 2.5])
def test_a_variance_with_no_freedom_left_is_infinite_as_numpys_or_nan_where_nothing_varies(correction):
    with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
        want = np.var([1.0, 3.0], ddof=correction)
    np.testing.assert_array_equal(float(tg.var([1.0, 3.0], correction=correction)), want)
    assert np.isnan(float(tg.var([1.0, 1.0], correction=correction)))


def test_a_complex_variance_is_real():
    z = np.array([1 + 2j, -3j, 0.5])
    assert tg.var(z).dtype == np.float64
    np.testing.assert_allclose(tg.std(z).numpy(), np.std(z), rtol=1e-15)


POINTS = {
    "no zero": [1.5, -2.0, 0.5, 3.0],
    "one zero": [1.5, 0.0, 0.5, 3.0],
    "two zeros": [1.5, 0.0, 0.5, 0.0],
    "zeros alone": [0.0, 0.0, 0.0],
    "one element": [0.0],
}


@pytest.mark.parametrize("point", POINTS.values(), ids=POINTS)
def test_the_derivatives_of_a_product_are_right_to_third_order_where_there_are_zeros(point):
    check_derivatives(tg.prod, point, order=3)


def test_the_derivatives_of_a_complex_product_over_two_axes_with_zeros_are_right():
    check_derivatives(lambda z: tg.prod(z, axis=(0, 2)), np.array([[[1j, 2.0]], [[0.0, 1 - 1j]]]))


def test_the_gradient_of_a_product_with_one_zero_goes_to_the_zero_alone():
    (g,) = tg.gradients(tg.prod(x := tg.asarray([0.0, 5.0, 4.0])), [x])
    assert g.numpy().tolist() == [20.0, 0.0, 0.0]


@pytest.mark.parametrize(("name", "point"), [("max", [4.0, 4.0, 1.0, 4.0]), ("min", [-4.0, -4.0, 1.0, -4.0])])
def test_ties_of_an_extreme_share_the_gradient(name, point):
    x = tg.asarray(point)
    (g,) = tg.gradients(getattr(tg, name)(x), [x])
    np.testing.assert_allclose(g.numpy(), [1 / 3, 1 / 3, 0.0, 1 / 3], rtol=1e-6)


@pytest.mark.parametrize("axis", [None, 0, (0, 1)])
@pytest.mark.parametrize("name", ["mean", "var", "std"])
def test_the_derivatives_of_moments_are_right(name, axis):
    options = {} if name == "mean" else {"correction": 1}
    check_derivatives(lambda x: getattr(tg, name)(x, axis=axis, keepdims=True, **options), numbers((3, 2), seed=5))


def test_the_derivatives_of_a_complex_variance_are_right():
    check_derivatives(tg.var, np.array([1 + 2j, -3j, 0.5]))


def test_the_gradient_of_a_standard_deviation_of_equal_elements_is_nan():
    (g,) = tg.gradients(tg.std(x := tg.asarray([3.0, 3.0])), [x])
    assert np.isnan(g.numpy()).all()


@pytest.mark.parametrize("name", ["any", "all", "argmax", "argmin", "count_nonzero"])
def test_nothing_flows_through_counts_and_places(name):
    x = tg.asarray([1.0, 2.0])
    assert tg.gradients(tg.astype(getattr(tg, name)(x), "float32"), [x]) == [None]


def test_logsumexp_equals_scipys():
    x = np.array([[1e4, -np.inf, 1e4], [-np.inf, -np.inf, -np.inf], [-1e4, 1.0, 2.0]])
    np.testing.assert_allclose(tg.logsumexp(x, axis=1).numpy(), scipy.special.logsumexp(x, axis=1), rtol=1e-15)


@pytest.mark.parametrize("name", ["sum", "prod", "mean", "var", "std", "max", "min", "any", "all", "count_nonzero"])
def test_a_reduction_of_an_unknown_size_has_the_type_that_it_will_have(name):
    x = Input(TensorType((symbol("n"), 3), np.dtype(np.float64)))()
    assert getattr(tg, name)(x, axis=0).shape == (3,)
    assert getattr(tg, name)(x, keepdims=True).shape == (1, 1)


NONE = tg.zeros((2, 0))
X = tg.ones((2, 3))
WRONG = {
    "max of nothing": (lambda: tg.max(NONE), ValueError, r"^max: got float32\[2,0\], which has no elements"),
    "min of nothing": (lambda: tg.min(NONE, axis=1), ValueError, r"^min: got float32\[2,0\]"),
    "argmax of nothing": (lambda: tg.argmax(NONE), ValueError, r"^argmax: got float32\[2,0\]"),
    "argmin of nothing": (lambda: tg.argmin(NONE, axis=1), ValueError, r"^argmin: got float32\[2,0\]"),
    "a place over two axes": (lambda: tg.argmax(X, axis=(0, 1)), IndexError, "argmax: got axis .0, 1.; want an in"),
    "no such axis": (lambda: tg.prod(X, axis=2), IndexError, "prod: got axis 2 of a tensor with 2 axes"),
    "an axis twice": (lambda: tg.var(X, axis=(1, -1)), IndexError, "var: got axes .1, -1.; want each once"),
    "the mean of integers": (lambda: tg.mean(tg.arange(3)), TypeError, r"mean: got int64\[3\]"),
    "the spread of booleans": (lambda: tg.std(X > 0), TypeError, r"std: got bool\[2,3\]"),
    "a correction": (lambda: tg.var(X, correction="1"), TypeError, "var: got correction '1'; want a Python int or"),
    "a sum of booleans": (lambda: tg.sum(X, dtype=bool), TypeError, "sum: got dtype bool; want numbers"),
    "the largest of complex": (lambda: tg.max(X * 1j), TypeError, r"Max: got complex64\[2,3\]"),
}  # fmt: skip


@pytest.mark.parametrize(("call", "kind", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_use_says_what_was_got_and_wanted(call, kind, message):
    check_error(call, kind, message)
