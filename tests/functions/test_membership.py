"""isin agrees with NumPy's on values that equal themselves, in every dtype."""

import numpy as np
import pytest

import tidegate as tg
from tidegate.core.dtypes import ANY
from wrong_use import check_error

DTYPES = sorted(ANY, key=lambda d: d.name)


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda d: d.name)
@pytest.mark.parametrize("invert", [False, True])
def test_it_agrees_with_numpy_in_every_dtype(dtype, invert):
    x, y = np.asarray([[0, 1, 2], [3, 4, 1]]).astype(dtype), np.asarray([[1], [4], [1]]).astype(dtype)
    got = tg.isin(x, y, invert=invert).numpy()
    np.testing.assert_array_equal(got, np.isin(x, y, invert=invert))


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64"])
def test_nan_is_nothing_and_zeros_of_both_signs_are_one(dtype):
    x = tg.asarray(np.asarray([np.nan, 0.0, -0.0, np.inf, -np.inf]).astype(dtype))
    assert tg.isin(x, tg.asarray(np.asarray([np.nan, -0.0, np.inf]).astype(dtype))).numpy().tolist() == [
        False, True, True, True, False,
    ]  # fmt: skip


@pytest.mark.parametrize(("shape", "others"), [((0,), (3,)), ((2, 3), (0,)), ((), (2,)), ((2,), ()), ((0, 2), (0,))])
@pytest.mark.parametrize("dtype", ["int32", "bool"])
def test_any_shapes_will_do(shape, others, dtype):
    x, y = np.ones(shape, dtype), np.ones(others, dtype)
    got = tg.isin(x, y)
    assert got.shape == shape
    np.testing.assert_array_equal(got.numpy(), np.isin(x, y))


def test_a_python_number_takes_the_other_dtype():
    assert tg.isin(tg.asarray([1, 2]), 2).numpy().tolist() == [False, True]
    assert tg.isin(2.0, tg.asarray([1.0, 2.0])).numpy().tolist() is True


def test_nothing_flows_back():
    x = tg.asarray([1.0, 2.0])
    assert tg.gradients(tg.astype(tg.isin(x, x), tg.float32), x) == [None]


def test_dtypes_that_do_not_mix_are_refused():
    check_error(lambda: tg.isin(tg.asarray([1]), tg.asarray([1.0])), TypeError, "isin: int64 and float32 don't mix")
