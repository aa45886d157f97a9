"""Sorting: NumPy's order, ties, NaN and zeros; derivatives go where the elements were."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import tidegate as tg
from tidegate.core.graph import TensorType
from tidegate.core.shapes import symbol
from tidegate.ops.creation import Input
from tidegate.testing import check_derivatives
from wrong_use import check_error

NAN = np.nan
SHAPES = hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=5)


@given(shape=SHAPES, data=st.data())
@pytest.mark.parametrize("dtype", [np.float64, np.int8, np.uint64], ids=lambda t: t.__name__)
def test_ascending_order_is_numpys_stable_one(dtype, shape, data):
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    x = np.random.default_rng(0).integers(0, 3, shape).astype(dtype)  # many ties
    places = tg.argsort(x, axis=axis)
    assert places.dtype == np.int64
    np.testing.assert_array_equal(places.numpy(), np.argsort(x, axis=axis, stable=True))
    np.testing.assert_array_equal(tg.sort(x, axis=axis).numpy(), np.sort(x, axis=axis))


@given(values=st.lists(st.integers(0, 3), max_size=8))
@pytest.mark.parametrize("dtype", [np.float32, np.uint8, ml_dtypes.bfloat16], ids=["float32", "uint8", "bfloat16"])
def test_descending_order_keeps_the_order_of_equal_elements(dtype, values):
    x = np.asarray(values, dtype)
    want = sorted(range(len(values)), key=lambda i: -values[i])  # Python's sort is stable
    assert tg.argsort(x, descending=True).numpy().tolist() == want
    assert tg.sort(x, descending=True).numpy().tolist() == sorted(values, reverse=True)


def test_nan_is_larger_than_everything_and_zeros_of_both_signs_are_equal():
    x = np.array([NAN, 0.0, np.inf, -0.0, NAN, -np.inf])
    assert tg.argsort(x).numpy().tolist() == [5, 1, 3, 2, 0, 4]
    assert tg.argsort(x, descending=True).numpy().tolist() == [0, 4, 2, 1, 3, 5]
    assert np.signbit(tg.sort(np.array([0.0, -0.0])).numpy()).tolist() == [False, True]


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("axis", [0, 1])
def test_the_derivatives_of_a_sort_are_right(axis, descending):
    point = np.random.default_rng(1).permutation(np.linspace(-2, 2, 12)).reshape(3, 4)
    check_derivatives(lambda x: tg.sort(x, axis=axis, descending=descending), point)


@pytest.mark.parametrize(("descending", "want"), [(False, [2.0, 3.0, 1.0]), (True, [1.0, 2.0, 3.0])])
def test_the_gradient_at_a_tie_follows_the_stable_order(descending, want):
    x = tg.asarray([4.0, 4.0, 1.0])
    (g,) = tg.gradients(tg.sum(tg.sort(x, descending=descending) * tg.asarray([1.0, 2.0, 3.0])), [x])
    assert g.numpy().tolist() == want


def test_a_sort_is_an_open_path_and_its_places_are_not():
    x = tg.asarray([2.0, 1.0])
    assert tg.flow.why(tg.sort(x), x)[0].status == "flows"
    assert tg.gradients(tg.astype(tg.argsort(x), "float32"), [x]) == [None]


def test_a_sort_of_an_unknown_size_has_its_type():
    n = symbol("n")
    x = Input(TensorType((n, 3), np.dtype(np.float64)))()
    assert tg.sort(x, axis=0).shape == (n, 3)


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("k", [0, 1, 3])
def test_the_k_largest_and_smallest_are_the_first_of_the_sorted(axis, k):
    x = np.random.default_rng(2).integers(0, 4, (3, 4)).astype(float)
    for largest in (True, False):
        values, places = tg.top_k(x, k, axis=axis, largest=largest)
        order = tg.argsort(x, axis=axis, descending=largest).numpy()
        np.testing.assert_array_equal(places.numpy(), np.take(order, range(k), axis))
        np.testing.assert_array_equal(values.numpy(), np.take_along_axis(x, places.numpy(), axis))


def test_the_smallest_leave_nan_for_last():
    values, places = tg.top_k([NAN, 2.0, 1.0], 3, largest=False)
    np.testing.assert_array_equal(values.numpy(), [1.0, 2.0, NAN])
    assert places.numpy().tolist() == [2, 1, 0]


def test_the_derivatives_of_the_smallest_along_the_first_axis_are_right():
    point = np.random.default_rng(1).permutation(np.linspace(-2, 2, 12)).reshape(4, 3)
    check_derivatives(lambda x: tg.top_k(x, 2, axis=0, largest=False)[0], point)


X = tg.ones((2, 3))
WRONG = {
    "a scalar": (lambda: tg.sort(1.0), IndexError, "sort: got axis -1 of a tensor with 0 axes"),
    "no such axis": (lambda: tg.argsort(X, axis=2), IndexError, "argsort: got axis 2"),
    "complex numbers": (lambda: tg.sort(X * 1j), TypeError, "Sort: got complex64"),
    "too many": (lambda: tg.top_k(X, 3, axis=0), ValueError, "want at least k = 3"),
    "fewer than none": (lambda: tg.top_k(X, -1), ValueError, "got k = -1; want at least 0"),
    "a fraction": (lambda: tg.top_k(X, 1.5), TypeError, "top_k: got k = 1.5; want an integer"),
}


@pytest.mark.parametrize(("call", "kind", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_use_says_what_was_got_and_wanted(call, kind, message):
    check_error(call, kind, message)
