"""Places: nonzero, argwhere, searchsorted, take, take_along_axis, put_along_axis and one_hot."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import tidegate as tg
from tidegate.testing import check_batching, check_derivatives
from wrong_use import check_error

A = np.arange(24.0).reshape(2, 3, 4)
SHAPES = hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=3)
DTYPES = [np.bool_, np.int8, np.uint32, np.float16, np.float64, np.complex64]


@given(st.sampled_from(DTYPES).flatmap(lambda d: hnp.arrays(d, SHAPES, elements={"allow_nan": False} if d not in
       (np.bool_, np.int8, np.uint32) else None)))  # fmt: skip
def test_nonzero_and_argwhere_are_numpys(x):
    got, want = tg.nonzero(x), np.nonzero(x)
    assert len(got) == len(want)
    for g, w in zip(got, want, strict=True):
        assert g.dtype == np.int64
        np.testing.assert_array_equal(g.numpy(), w)
    np.testing.assert_array_equal(tg.argwhere(x).numpy(), np.argwhere(x))


def test_nan_is_not_zero_and_negative_zero_is():
    assert tg.nonzero(np.array([np.nan, -0.0, 0.0, np.inf]))[0].numpy().tolist() == [0, 3]


@pytest.mark.parametrize("x", [0.0, 2.0])
def test_argwhere_without_axes_is_numpys(x):
    assert tg.argwhere(np.array(x)).shape == np.argwhere(np.array(x)).shape


def test_a_size_cuts_or_fills_what_was_found():
    x = np.array([[0.0, 1.0, 0.0], [2.0, 0.0, 3.0]])
    assert [p.numpy().tolist() for p in tg.nonzero(x, size=2)] == [[0, 1], [1, 0]]
    assert [p.numpy().tolist() for p in tg.nonzero(x, size=4, fill_value=(-1, 7))] == [[0, 1, 1, -1], [1, 0, 2, 7]]
    assert tg.argwhere(x, size=4, fill_value=9).numpy()[-1].tolist() == [9, 9]


def test_nonzero_of_a_size_works_while_a_function_is_traced():
    rows = np.array([[0.0, 1.0, 2.0], [0.0, 0.0, 0.0], [3.0, 0.0, 0.0]])
    got = tg.vmap(lambda r: tg.nonzero(r, size=2, fill_value=-1)[0])(rows)
    assert got.numpy().tolist() == [[1, 2], [-1, -1], [0, -1]]


def test_what_nonzero_finds_is_indexed_with_a_gradient():
    x = tg.asarray([0.0, 3.0, 0.0, -2.0])
    (places,) = tg.nonzero(x)
    (g,) = tg.gradients(x[places] * x[places], x)
    assert g.numpy().tolist() == [0.0, 6.0, 0.0, -4.0]


SORTED = {
    "floats": np.array([-np.inf, -1.0, -0.0, 0.0, 2.0, 2.0, np.inf, np.nan]),
    "halves": np.array([-1.0, 0.5, 0.5, 3.0], np.float16),
    "integers": np.array([-5, -1, -1, 7], np.int32),
    "unsigned": np.array([0, 1, 255], np.uint8),
    "none": np.zeros(0),
}


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("x", SORTED.values(), ids=SORTED)
def test_searchsorted_is_numpys(x, side):
    values = np.array([[0, 1], [2, 200]], np.int32 if x.dtype.kind == "i" else x.dtype)
    if x.dtype == np.float64:
        values = np.array([-np.inf, -1.0, 0.0, -0.0, 1.5, 2.0, 3.0, np.inf, np.nan])
    got = tg.searchsorted(x, values, side=side)
    assert got.dtype == np.int64
    np.testing.assert_array_equal(got.numpy(), np.searchsorted(x, values, side))


def test_searchsorted_takes_a_sorter_and_a_number():
    x = np.array([3.0, 1.0, 2.0])
    order = np.argsort(x)
    np.testing.assert_array_equal(tg.searchsorted(x, 2.5, sorter=order).numpy(), np.searchsorted(x, 2.5, sorter=order))


def test_searchsorted_is_mapped_over():
    x, v = np.sort(np.random.default_rng(0).normal(size=(3, 5))), np.random.default_rng(1).normal(size=(3, 2))
    check_batching(tg.searchsorted, (x, v), (True, True))
    check_batching(tg.searchsorted, (x[0], v), (False, True))


INDICES = {"a vector": [0, 2, -1, 2], "a number": 1, "a matrix": [[0, -3], [1, 1]], "none": []}


@pytest.mark.parametrize("computed", [False, True])
@pytest.mark.parametrize("indices", INDICES.values(), ids=INDICES)
def test_take_is_numpys(indices, computed):
    i = np.asarray(indices, np.int64)
    got = tg.take(A, tg.positive(i) if computed else indices, axis=1)
    np.testing.assert_array_equal(got.numpy(), np.take(A, i, axis=1))


def test_take_from_a_vector_needs_no_axis():
    assert tg.take(np.arange(5.0), [3, 1]).numpy().tolist() == [3.0, 1.0]


def test_take_clips_as_numpy_does():
    i = np.array([-5, -1, 0, 2, 9])
    np.testing.assert_array_equal(tg.take(A, i, axis=1, mode="clip").numpy(), np.take(A, i, axis=1, mode="clip"))


@pytest.mark.parametrize(
    ("dtype", "fill"), [(np.float16, np.nan), (np.complex64, np.nan), (np.int32, 0), (np.bool_, False)]
)
def test_take_fills_what_is_out_of_range_with(dtype, fill):
    got = tg.take(np.ones(3, dtype), [0, 3, -4, -1], mode="fill").numpy()
    np.testing.assert_array_equal(got, np.array([1, fill, fill, 1], dtype))


def test_take_fills_with_a_value_of_the_users():
    assert tg.take(np.ones(3), tg.asarray([0, 3]), mode="fill", fill_value=7.0).numpy().tolist() == [1.0, 7.0]
    assert tg.take(np.zeros(0), [0, 3], mode="fill", fill_value=7.0).numpy().tolist() == [7.0, 7.0]


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_take_along_axis_is_numpys(axis):
    i = np.argsort(np.random.default_rng(0).normal(size=A.shape), axis=axis)
    np.testing.assert_array_equal(tg.take_along_axis(A, i, axis=axis).numpy(), np.take_along_axis(A, i, axis))


def test_take_along_axis_broadcasts():
    i = np.array([[[0], [-1], [2]]])
    np.testing.assert_array_equal(tg.take_along_axis(A, i, axis=-1).numpy(), np.take_along_axis(A, i, -1))


def test_the_derivatives_of_take_along_axis_and_put_along_axis_are_right():
    i = np.array([[0, 2, 0], [1, 1, -1]])
    x, v = np.random.default_rng(0).normal(size=(2, 2, 3))
    check_derivatives(lambda x: tg.take_along_axis(x, i, axis=1) ** 2.0, x)
    check_derivatives(lambda x, v: tg.put_along_axis(x, i, v, axis=1) ** 2.0, x, v)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_put_along_axis_is_numpys(axis):
    i = np.argmax(A, axis=axis, keepdims=True)
    want = A.copy()
    np.put_along_axis(want, i, -1.0, axis)
    np.testing.assert_array_equal(tg.put_along_axis(A, i, -1.0, axis=axis).numpy(), want)


def test_of_an_index_that_comes_again_along_the_axis_the_last_value_stands():
    got = tg.put_along_axis(np.zeros((1, 3)), [[1, 1, 1]], [[5.0, 6.0, 7.0]], axis=1)
    assert got.numpy().tolist() == [[0.0, 7.0, 0.0]]


@pytest.mark.parametrize("axis", [-1, 0, 1])
def test_one_hot(axis):
    x = np.array([[0, 2, -1], [3, 1, 7]])
    want = np.moveaxis((x[..., None] == np.arange(3)).astype(np.float32), -1, axis)
    got = tg.one_hot(x, 3, axis=axis).numpy()
    assert got.dtype == np.float32
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.uint64])
def test_one_hot_of_more_classes_than_the_dtype_of_x_holds(dtype):
    x = np.array([0, 100], dtype)
    want = x.astype(int)[:, None] == np.arange(300)
    np.testing.assert_array_equal(tg.one_hot(x, 300, dtype=tg.bool).numpy(), want)


def test_one_hot_of_no_classes_has_no_elements():
    assert tg.one_hot([0, 1], 0).numpy().shape == (2, 0)


WRONG = {
    "nonzero without axes": (lambda: tg.nonzero(1.0), IndexError, "nonzero: got float32"),
    "nonzero in a batch": (lambda: tg.vmap(tg.nonzero)(A), ValueError, "NonZero: each example .* give a size"),
    "argwhere in a batch": (lambda: tg.vmap(tg.argwhere)(A), ValueError, "NonZero: each example .* give a size"),
    "a negative size": (lambda: tg.nonzero(A, size=-1), ValueError, "got size -1; want at least 0"),
    "a fractional size": (lambda: tg.nonzero(A, size=1.5), TypeError, "got size 1.5; want an integer"),
    "a fill for another number of axes": (lambda: tg.nonzero(A, size=1, fill_value=(1, 2)), ValueError, "fill_value"),
    "a side": (lambda: tg.searchsorted([1.0], 1.0, side="top"), ValueError, "got side 'top'"),
    "a matrix to search": (lambda: tg.searchsorted([[1.0]], 1.0), ValueError, "want x1 with one axis"),
    "complex numbers to search": (lambda: tg.searchsorted([1j], 1j), TypeError, "SearchSorted: got complex64"),
    "a short sorter": (lambda: tg.searchsorted([1.0, 2.0], 1.0, sorter=[0]), ValueError, "a place for each element"),
    "a sorter out of range": (lambda: tg.searchsorted([1.0], 1.0, sorter=[1]), IndexError, "got index 1 of axis 0"),
    "take of floats": (lambda: tg.take(A, [0.5], axis=0), TypeError, "take: got indices float32.*want integers"),
    "take along no axis": (lambda: tg.take(A, [0], axis=3), IndexError, "axis 3 of a tensor with 3 axes"),
    "take without an axis": (lambda: tg.take(A, [0]), ValueError, "take: got float64.*no axis"),
    "take out of range": (lambda: tg.take(A, [0, 3], axis=1), IndexError, r"take: got index 3 of axis 1 at \[1\]"),
    "a mode": (lambda: tg.take(A, [0], axis=0, mode="wrap"), ValueError, "take: got mode 'wrap'"),
    "a fill not used": (lambda: tg.take(A, [0], axis=0, fill_value=1.0), ValueError, "want mode 'fill'"),
    "a fill of another dtype": (
        lambda: tg.take([1, 2], [5], mode="fill", fill_value=0.5), TypeError, "take: .*don't mix",
    ),
    "other axes along": (lambda: tg.take_along_axis(A, [0], axis=0), ValueError, "want as many axes"),
    "sizes that don't broadcast": (
        lambda: tg.take_along_axis(A, np.zeros((5, 1, 1), int), axis=1), ValueError, "take_along_axis: .*broadcast",
    ),
    "values that don't broadcast": (
        lambda: tg.put_along_axis(A, np.zeros((2, 3, 1), int), np.ones(5)), ValueError, "doesn't broadcast",
    ),
    "one_hot of floats": (lambda: tg.one_hot([0.5], 3), TypeError, "one_hot: got float32"),
    "one_hot of a negative number": (lambda: tg.one_hot([0], -3), ValueError, "num_classes -3"),
    "one_hot along no axis": (lambda: tg.one_hot([0], 3, axis=2), IndexError, "one_hot: got axis 2"),
}  # fmt: skip


@pytest.mark.parametrize(("call", "kind", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_use_says_what_was_got_and_wanted_and_where(call, kind, message):
    check_error(call, kind, message)
