"""Quantiles and medians equal NumPy's; derivatives go to the elements taken."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import tidegate as tg
from tidegate.testing import check_derivatives
from wrong_use import check_error

METHODS = ["linear", "lower", "higher", "midpoint", "nearest"]
SHAPES = hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=5)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("q", [0, 1.0, 0.3, [0.25, 0.5, 0.75], [[0.0, 0.1], [0.9, 1.0]], []], ids=str)
@given(shape=SHAPES, data=st.data(), keepdims=st.booleans())
def test_quantiles_equal_numpys(method, q, shape, data, keepdims):
    x = np.random.default_rng(0).normal(size=shape)
    axes = st.lists(st.integers(-len(shape), len(shape) - 1), unique_by=lambda a: a % len(shape), min_size=1)
    axis = data.draw(st.none() | axes.map(tuple))
    got = tg.quantile(x, q, axis=axis, method=method, keepdims=keepdims)
    want = np.quantile(x, q, axis=axis, method=method, keepdims=keepdims)
    assert got.shape == np.shape(want)
    np.testing.assert_allclose(got.numpy(), want, rtol=1e-14, atol=1e-15)


@given(shape=SHAPES, keepdims=st.booleans())
def test_medians_equal_numpys(shape, keepdims):
    x = np.random.default_rng(0).normal(size=shape)
    np.testing.assert_allclose(tg.median(x, keepdims=keepdims).numpy(), np.median(x, keepdims=keepdims), atol=1e-16)
    np.testing.assert_allclose(tg.median(x, axis=-1).numpy(), np.median(x, axis=-1), atol=1e-16)


def test_a_nan_stays_and_leaves_other_rows_alone():
    x = np.array([[1.0, np.nan, 3.0], [1.0, 2.0, 4.0]])
    np.testing.assert_array_equal(tg.median(x, axis=1).numpy(), [np.nan, 2.0])
    np.testing.assert_array_equal(tg.quantile(x, [0.0, 1.0], axis=1).numpy(), [[np.nan, 1.0], [np.nan, 4.0]])


def test_infinities_beside_an_element_that_is_taken_whole_do_not_matter():
    x = np.array([-np.inf, 1.0, np.inf])
    assert tg.quantile(x, [0.0, 0.5, 1.0]).numpy().tolist() == [-np.inf, 1.0, np.inf]
    assert [float(tg.median(row)) for row in ([1.0, np.inf], [-np.inf, 1.0])] == [np.inf, -np.inf]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_the_dtype_is_kept(dtype):
    assert tg.median(tg.asarray([1.0, 2.0, 4.0, 8.0], dtype)).dtype.name == dtype
    assert float(tg.median(tg.asarray([1.0, 2.0, 4.0, 8.0], dtype))) == 3.0


@pytest.mark.parametrize("method", METHODS)
def test_the_derivatives_go_to_the_elements_taken(method):
    point = np.random.default_rng(1).permutation(np.linspace(-2, 2, 12)).reshape(3, 4)
    check_derivatives(lambda x: tg.quantile(x, [0.2, 0.5, 1.0], axis=0, method=method), point)


def test_the_gradient_of_a_median_is_shared_by_the_two_in_the_middle():
    (g,) = tg.gradients(tg.median(x := tg.asarray([4.0, 1.0, 3.0, 2.0])), [x])
    assert g.numpy().tolist() == [0.0, 0.0, 0.5, 0.5]


X = tg.ones((2, 3))
WRONG = {
    "no elements": (lambda: tg.median(tg.zeros((2, 0))), ValueError, r"median: got float32\[2,0\]"),
    "integers": (lambda: tg.median([1, 2]), TypeError, r"median: got int64\[2\]"),
    "more than all": (lambda: tg.quantile(X, 1.5), ValueError, "quantile: got q = 1.5; want numbers from 0 to 1"),
    "a share that is NaN": (lambda: tg.quantile(X, np.nan), ValueError, "want numbers from 0 to 1"),
    "a share that is a tensor": (lambda: tg.quantile(X, X), TypeError, "quantile: got a tensor for q"),
    "a method": (lambda: tg.quantile(X, 0.5, method="mean"), ValueError, "quantile: got method 'mean'; want one of"),
    "no such axis": (lambda: tg.quantile(X, 0.5, axis=2), IndexError, "quantile: got axis 2"),
}


@pytest.mark.parametrize(("call", "kind", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_use_says_what_was_got_and_wanted(call, kind, message):
    check_error(call, kind, message)
