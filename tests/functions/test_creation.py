"""Tensors made of nothing: NumPy's values, the array API standard's dtypes, devices, and gradients to what fills."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tidegate as tg
from tidegate.core.graph import TensorType
from tidegate.core.shapes import symbol
from tidegate.ops.creation import Input
from tidegate.testing import check_derivatives
from wrong_use import check_error

X = tg.asarray([[1, 2, 3], [4, 5, 6]], tg.int16)

MADE = {
    "zeros": (lambda **more: tg.zeros((2, 3), **more), np.zeros((2, 3)), np.float32),
    "ones": (lambda **more: tg.ones((2, 3), **more), np.ones((2, 3)), np.float32),
    "empty": (lambda **more: tg.empty((2, 3), **more), np.zeros((2, 3)), np.float32),
    "full": (lambda **more: tg.full((2, 3), 7, **more), np.full((2, 3), 7), np.int64),
    "full of floats": (lambda **more: tg.full(2, 7.5, **more), np.full(2, 7.5), np.float32),
    "full of complex": (lambda **more: tg.full(2, 7j, **more), np.full(2, 7j), np.complex64),
    "full of booleans": (lambda **more: tg.full(2, True, **more), np.full(2, True), np.bool_),
    "zeros_like": (lambda **more: tg.zeros_like(X, **more), np.zeros((2, 3)), np.int16),
    "ones_like": (lambda **more: tg.ones_like(X, **more), np.ones((2, 3)), np.int16),
    "empty_like": (lambda **more: tg.empty_like(X, **more), np.zeros((2, 3)), np.int16),
    "full_like": (lambda **more: tg.full_like(X, 7, **more), np.full((2, 3), 7), np.int16),
    "eye": (lambda **more: tg.eye(3, **more), np.eye(3), np.float32),
    "arange": (lambda **more: tg.arange(3, **more), np.arange(3), np.int64),
    "arange of floats": (lambda **more: tg.arange(0.0, 2.0, 0.5, **more), np.arange(0.0, 2.0, 0.5), np.float32),
    "linspace": (lambda **more: tg.linspace(0, 1, 5, **more), np.linspace(0, 1, 5), np.float32),
    "linspace of complex": (lambda **more: tg.linspace(0, 4j, 5, **more), np.linspace(0, 4j, 5), np.complex64),
    "asarray": (lambda **more: tg.asarray([1, 2], **more), np.array([1, 2]), np.int64),
}


@pytest.mark.parametrize(("make", "want", "dtype"), MADE.values(), ids=MADE)
def test_what_is_made_has_numpys_values_and_the_dtype_that_the_standard_says(make, want, dtype):
    got = make()
    assert (got.shape, got.dtype) == (want.shape, dtype)
    np.testing.assert_array_equal(got.numpy(), want.astype(dtype))


@pytest.mark.parametrize(("make", "want", "dtype"), MADE.values(), ids=MADE)
def test_a_dtype_that_is_asked_for_is_given(make, want, dtype):
    got = make(dtype=tg.complex128)
    assert got.dtype == np.complex128
    np.testing.assert_array_equal(got.numpy(), want.astype(np.complex128))


@pytest.mark.parametrize("name", MADE)
def test_the_one_device_is_the_cpu(name):
    make = MADE[name][0]
    np.testing.assert_array_equal(make(device="cpu").numpy(), make(device=None).numpy())
    check_error(lambda: make(device="gpu"), ValueError, f"^{name.split()[0]}: got device 'gpu'; want one of 'cpu'")


@given(rows=st.integers(0, 4), columns=st.none() | st.integers(0, 4), k=st.integers(-5, 5))
def test_eye_and_triangles_equal_numpys_for_every_diagonal(rows, columns, k):
    np.testing.assert_array_equal(tg.eye(rows, columns, k=k).numpy(), np.eye(rows, columns, k))
    x = np.random.default_rng(0).normal(size=(2, rows, 3 if columns is None else columns))
    np.testing.assert_array_equal(tg.tril(x, k=k).numpy(), np.tril(x, k))
    np.testing.assert_array_equal(tg.triu(x, k=k).numpy(), np.triu(x, k))


def test_a_triangle_masks_infinities_and_their_derivatives():
    x = tg.asarray([[1.0, -1.0], [2.0, 3.0]])
    (g,) = tg.gradients(tg.sum(tg.tril(tg.sqrt(x))), [x])
    assert tg.tril(tg.sqrt(x)).numpy()[0, 1] == 0
    np.testing.assert_allclose(g.numpy(), [[0.5, 0.0], [0.5 / 2**0.5, 0.5 / 3**0.5]], rtol=1e-6)
    check_derivatives(lambda x: tg.triu(x * x, k=1), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


@given(start=st.floats(-10, 10), stop=st.floats(-10, 10), num=st.integers(0, 6), endpoint=st.booleans())
def test_evenly_spaced_numbers_equal_numpys(start, stop, num, endpoint):
    got = tg.linspace(start, stop, num, endpoint=endpoint, dtype=tg.float64).numpy()
    np.testing.assert_allclose(got, np.linspace(start, stop, num, endpoint=endpoint), rtol=1e-14, atol=1e-14)


def test_the_ends_are_exact():
    x = tg.linspace(0.1, 0.7, 11, dtype=tg.float64).numpy()
    assert (x[0], x[-1]) == (0.1, 0.7)
    assert tg.linspace(0.1, 0.7, 1, dtype=tg.float64).numpy().tolist() == [0.1]


def test_gradients_flow_to_the_ends():
    check_derivatives(lambda a, b: tg.linspace(a, b, 5), 0.3, 1.7)
    check_derivatives(lambda a, b: tg.linspace(a, b, 5, endpoint=False), 0.3, 1.7)
    check_derivatives(lambda a: tg.linspace(a, 2.0, 1), 0.3)
    assert tg.linspace(tg.asarray(0.0, tg.float64), 1, 3).dtype == tg.float64


def test_a_gradient_flows_to_what_fills():
    x = tg.asarray(2.0)
    assert tg.gradients(tg.full((2, 3), x), x)[0].item() == 6.0
    y = tg.ones(4)
    g, none = tg.gradients(tg.full_like(y, x), [x, y])
    assert (g.item(), none) == (4.0, None)


@pytest.mark.parametrize("indexing", ["xy", "ij"])
@pytest.mark.parametrize("sizes", [(), (3,), (2, 3), (2, 0, 3), (2, 3, 4, 1)], ids=str)
def test_a_grid_equals_numpys(indexing, sizes):
    xs = [np.arange(n) * 1.5 for n in sizes]
    got, want = tg.meshgrid(*xs, indexing=indexing), np.meshgrid(*xs, indexing=indexing)
    assert isinstance(got, tuple)
    assert len(got) == len(want)
    for g, w in zip(got, want, strict=True):
        np.testing.assert_array_equal(g.numpy(), w)


def test_a_grid_keeps_dtypes_and_takes_numbers():
    x, y = tg.meshgrid(tg.arange(3), 2.5)
    assert (x.dtype, y.dtype, x.shape) == (np.int64, np.float32, (1, 3))
    check_derivatives(lambda a, b: tg.meshgrid(a * a, b * b), [1.0, 2.0], [3.0, 4.0, 5.0])


def test_unknown_sizes_are_kept():
    n = symbol("n")
    x = Input(TensorType((n, 3), np.dtype(np.float64)))()
    assert tg.full_like(x, 2).shape == (n, 3)
    assert tg.eye(n, 3).shape == (n, 3)
    assert tg.meshgrid(x[:, 0], [1.0, 2.0])[0].shape == (2, n)


# asarray's copy.


def test_without_a_copy_only_a_tensor_of_the_dtype_wanted_is_taken():
    assert tg.asarray(X, copy=False) is X
    assert tg.asarray(X, dtype=tg.int16, copy=False) is X
    for wrong, dtype in ((np.ones(2), None), ([1.0], None), (1.0, None), (X, tg.float32)):
        check_error(lambda w=wrong, d=dtype: tg.asarray(w, d, copy=False), ValueError, "asarray: got .*copy=False")


def test_a_copy_of_a_tensor_is_a_tensor_of_its_own():
    x = tg.asarray([1.0, 2.0])
    y = tg.asarray(x, copy=True)
    assert y is not x
    assert tg.gradients(y * y, x)[0].numpy().tolist() == [2.0, 4.0]
    assert tg.asarray(x, dtype=tg.float64, copy=True).dtype == tg.float64


def test_data_is_captured_as_it_is_now():
    array = np.ones(2)
    for copy in (None, True):
        x = tg.asarray(array, copy=copy)
        array[0] += 1
        assert x.numpy().tolist() == [array[0] - 1, 1.0]


WRONG = {
    "a filling with axes": (lambda: tg.full_like(X, [1, 2]), ValueError, "full_like: got a value of shape"),
    "a filling out of range": (lambda: tg.full_like(X, 2**20), OverflowError, "out of range for int16"),
    "a negative size": (lambda: tg.eye(-1), ValueError, "eye: got shape"),
    "half a diagonal": (lambda: tg.eye(2, k=0.5), TypeError, "eye: got k = 0.5; want an integer"),
    "half a diagonal of a matrix": (lambda: tg.tril(X, k=0.5), TypeError, "tril: got k = 0.5; want an integer"),
    "a vector's triangle": (lambda: tg.triu([1.0, 2.0]), ValueError, r"triu: got float32\[2\]; want at least two axes"),
    "fewer than none": (lambda: tg.linspace(0, 1, -1), ValueError, "linspace: got num -1; want at least 0"),
    "a fraction of numbers": (lambda: tg.linspace(0, 1, 2.5), TypeError, "linspace: got num 2.5; want an integer"),
    "integers between": (lambda: tg.linspace(0, 1, 3, dtype="int8"), TypeError, "linspace: got dtype int8; want float"),
    "integer ends": (lambda: tg.linspace(tg.asarray(1), 3, 3), TypeError, r"linspace: got int64\[\]"),
    "ends with axes": (lambda: tg.linspace([0.0, 1.0], 3.0, 3), ValueError, "want numbers, or tensors without axes"),
    "an endless range": (lambda: tg.arange(0, np.inf), ValueError, "arange: got 0, inf, 1; want finite numbers"),
    "an indexing": (lambda: tg.meshgrid([1], indexing="ji"), ValueError, "meshgrid: got indexing 'ji'; want 'xy'"),
    "a grid of matrices": (lambda: tg.meshgrid(X), ValueError, r"meshgrid: got int16\[2,3\]; want vectors"),
}


@pytest.mark.parametrize(("call", "kind", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_use_says_what_was_got_and_wanted(call, kind, message):
    check_error(call, kind, message)
