"""What users pass becomes tensors of one dtype and shape, or an error that says why not."""

import copy
import pickle

import numpy as np
import pytest

import tidegate as tg
from tidegate.core.dtypes import ANY
from wrong_use import check_error

X = tg.asarray([1.0, 2.0])
N = tg.asarray([1, 2])
B = tg.asarray([True, False])


@pytest.mark.parametrize(
    ("value", "dtype"),
    [(1.5, "float32"), (3, "int64"), (True, "bool"), (1j, "complex64"), ([1.0], "float32"), ([1, 2], "int64"),
     ([True], "bool"), ([[1j]], "complex64"), (np.ones(2), "float64"), (np.float64(1), "float64"),
     ([np.float64(1.0)], "float64"), (np.arange(2, dtype=np.int8), "int8"), ([], "float32"), ((1.0, 2), "float32")],
)  # fmt: skip
def test_what_becomes_which_dtype(value, dtype):
    assert tg.asarray(value).dtype.name == dtype


def test_a_dtype_that_is_asked_for_is_given():
    assert tg.asarray([1, 2], "float16").dtype == np.float16
    assert tg.asarray(X, float).dtype == np.float32
    assert tg.asarray(X) is X
    big_endian = np.ones(2, ">f4")
    assert tg.asarray(big_endian).dtype == np.float32


@pytest.mark.parametrize(
    ("make", "dtype"),
    [(lambda: X + 1, "float32"), (lambda: 2.0 * X, "float32"), (lambda: X * 1j, "complex64"), (lambda: N + 1, "int64"),
     (lambda: X + np.ones(2), "float64"), (lambda: np.float64(2) * X, "float64"), (lambda: np.ones(2) - X, "float64"),
     (lambda: N.astype("int8") + N.astype("uint8"), "int16"),
     (lambda: X.astype("float16") + X.astype("bfloat16"), "float32"),
     (lambda: B & True, "bool"), (lambda: 1 - X, "float32"), (lambda: 2.0**X, "float32"), (lambda: 1 / X, "float32")],
)  # fmt: skip
def test_how_operands_mix(make, dtype):
    assert make().dtype.name == dtype


WRONG = {
    "integers with floats": (lambda: N + X, TypeError, "add: int64 and float32 don't mix"),
    "a float with integers": (lambda: N * 0.5, TypeError, "multiply: a Python float and a tensor of int64 don't mix"),
    "a number with booleans": (lambda: B + 1, TypeError, "add: a Python int and a tensor of bool don't mix"),
    "arithmetic of booleans": (lambda: B + B, TypeError, "Add: got bool"),
    "logic of numbers": (lambda: tg.logical_and(N, N), TypeError, "LogicalAnd: got int64"),
    "bits of floats": (lambda: X & X, TypeError, r"bitwise_and: got float32\[2\], float32\[2\]; want integers or bool"),
    "order of complex numbers": (lambda: (X * 1j) < 0.0, TypeError, "Less: got complex64"),
    "the sign of booleans": (lambda: +B, TypeError, "positive: got bool"),
    "parts of booleans": (lambda: tg.conj(B), TypeError, r"conj: got bool\[2\]; want numbers"),
    "integer quotients": (lambda: N / N, TypeError, "divide: got int64"),
    "a number out of range": (lambda: N.astype("uint8") + 300, OverflowError, "add: 300 is out of range for uint8"),
    "shapes that don't broadcast": (lambda: X + tg.ones(3), ValueError, r"add: shapes \[2\] and \[3\] don't broadcast"),
    "ragged lists": (lambda: tg.asarray([[1.0], [1.0, 2.0]]), TypeError, "isn't a regular array"),
    "strings": (lambda: tg.asarray("text"), TypeError, "want numbers or booleans"),
    "None": (lambda: X + None, TypeError, "add: got NoneType"),
    "a list of tensors of two shapes": (lambda: tg.asarray([X, X[0]]), ValueError, "asarray: got a list of float32"),
    "a dtype there is not": (lambda: X.astype("float128"), TypeError, "isn't supported; want one of bfloat16, bool"),
    "no dtype": (lambda: X.astype(None), TypeError, "dtype None isn't supported"),
    "a product of scalars": (lambda: tg.asarray(1.0) @ X, ValueError, r"matmul: got float32\[\] and float32\[2\]"),
    "a product that doesn't fit": (lambda: tg.ones((2, 3)) @ tg.ones((2, 3)), ValueError, r"want \(..., m, k\) @"),
    "elements that don't fit": (lambda: tg.reshape(X, (3,)), ValueError, r"Reshape: got float32\[2\] of 2 elements"),
    "two sizes left out": (lambda: tg.reshape(X, (-1, -1)), ValueError, "at most one -1"),
    "a negative size": (lambda: tg.zeros((2, -2)), ValueError, "want sizes of at least 0"),
    "a fractional size": (lambda: tg.zeros(2.5), ValueError, "got size 2.5"),
    "an axis there is not": (lambda: tg.sum(X, axis=1), IndexError, "sum: got axis 1 of a tensor with 1 axes"),
    "an axis twice": (lambda: tg.sum(tg.ones((2, 2)), axis=(0, -2)), IndexError, "want each once"),
    "an axis of another kind": (lambda: tg.max(X, axis="x"), IndexError, "got axis 'x'; want an integer"),
    "axes that don't permute": (lambda: tg.permute_dims(tg.ones((2, 3)), (0, 0)), IndexError, "each of its axes once"),
    "the largest of nothing": (
        lambda: tg.max(tg.zeros(0)),
        ValueError,
        r"max: got float32\[0\], which has no elements",
    ),
    "too many of the largest": (lambda: tg.top_k(X, 3), ValueError, "want at least k = 3"),
    "an axis to squeeze": (lambda: tg.squeeze(X, axis=0), ValueError, "want axes of size 1"),
    "a matrix that isn't square": (lambda: tg.cholesky(tg.ones((2, 3))), ValueError, r"want \(..., n, n\)"),
    "T of a stack": (lambda: tg.ones((2, 2, 2)).T, ValueError, "T: got"),
    "the truth of many": (lambda: bool(X > 0.0), ValueError, r"bool: got bool\[2\]"),
    "a float of many": (lambda: float(X), ValueError, r"float: got float32\[2\]"),
    "a float of complex": (lambda: float(tg.asarray(1j)), TypeError, r"float: got complex64\[\]"),
    "a fractional index": (lambda: [1, 2][tg.asarray(1.0)], TypeError, r"index: got float32\[\]"),
    "a format of many": (lambda: f"{X:.2f}", ValueError, r"format: got float32\[2\]"),
    "a condition of numbers": (lambda: tg.where(N, X, X), TypeError, r"where: got condition int64\[2\]; want bool"),
    "a function of NumPy's that we lack": (lambda: np.spacing(X), TypeError, "numpy.spacing: got a tensor; want a fun"),
    "a reduction of NumPy's": (lambda: np.add.reduce(X), TypeError, "numpy.add.reduce: got a tensor; want tg.sum"),
    "an output of NumPy's": (lambda: np.add(X, X, out=np.ones(2)), TypeError, "numpy.add with out: got a tensor"),
    "a step of zero": (lambda: tg.arange(0, 1, 0), ValueError, "arange: got step 0"),
}


@pytest.mark.parametrize(("call", "kind", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_operand_says_what_was_got_and_wanted_and_where(call, kind, message):
    check_error(call, kind, message)


def test_python_takes_its_numbers():
    x = tg.asarray(2.5)
    assert (float(x), int(x), bool(x), complex(x), x.item()) == (2.5, 2, True, 2.5 + 0j, 2.5)
    assert f"{x:.2f}" == "2.50"
    assert f"{tg.asarray([1.0])}" == "[1.]"
    assert "abc"[tg.asarray(1)] == "b"


@pytest.mark.parametrize("name", ["exp", "negative", "absolute", "square", "logical_not"])
def test_numpys_functions_of_a_tensor_are_ours(name):
    x = B if name == "logical_not" else X
    got = getattr(np, name)(x)
    assert isinstance(got, tg.Tensor)
    np.testing.assert_allclose(got.numpy(), getattr(np, name)(x.numpy()), rtol=1e-6)


def test_numpys_functions_of_a_tensor_pass_gradients():
    (g,) = tg.gradients(np.maximum(np.ones(2, np.float32), X), X)
    assert g.numpy().tolist() == [0.0, 1.0]


def test_numpy_leaves_its_operators_to_the_tensor():
    assert isinstance(np.ones(2, np.float32) * X, tg.Tensor)
    assert isinstance(np.ones((2, 2), np.float32) @ X, tg.Tensor)
    np.testing.assert_array_equal(np.asarray(X, np.float64), [1.0, 2.0])


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_a_copy_keeps_the_data_and_no_history(duplicate):
    x = tg.asarray([1.0, 2.0], tg.bfloat16)
    y = duplicate(x * 2)
    assert (y.dtype, y.numpy().tolist()) == (tg.bfloat16, [2.0, 4.0])
    assert tg.gradients(y, x) == [None]


def test_equality_with_what_cannot_be_a_tensor_is_false():
    assert (X == "text") is False
    assert (X != None) is True  # noqa: E711  the comparison is the test


def test_tensors_hash_by_identity():
    other = tg.asarray([1.0, 2.0])
    assert {X: 1, other: 2}[X] == 1


def test_every_public_name_says_what_it_is():
    callables = [getattr(tg, n) for n in dir(tg) if not n.startswith("_") and callable(getattr(tg, n))]
    assert len(callables) > 60
    assert [f for f in callables if not getattr(f, "__doc__", None)] == []


@pytest.mark.parametrize("dtype", sorted(ANY, key=str))
def test_a_dtype_is_always_the_same_object(dtype):
    swapped = np.ones(2, dtype) if dtype == tg.bfloat16 else np.ones(2, dtype.newbyteorder(">"))
    for x in (tg.asarray([1, 0], dtype=dtype), tg.asarray([1, 0], dtype=dtype.name), tg.asarray(swapped)):
        assert x.dtype is dtype


@pytest.mark.parametrize(
    ("x", "shown"),
    [
        (np.array([0.1, 1 / 3], ">f8"), "[0.1       , 0.33333333]"),
        (np.uint64([2**64 - 1]), "[18446744073709551615]"),
        (np.uint8([1, 2]), "[1, 2]"),
    ],
)
def test_a_tensor_is_shown_with_the_digits_of_its_dtype(x, shown):
    assert repr(tg.asarray(x)) == f"Tensor({shown}, {x.dtype.name}[{len(x)}])"


BEYOND = {
    "65 axes": (lambda: tg.ones((1,) * 65), tg.ShapeError, "want at most 64 axes"),
    "65 axes after all": (lambda: tg.expand_dims(tg.ones((1,) * 64), axis=0), tg.ShapeError, "want at most 64 axes"),
    "more bytes than can be counted": (lambda: tg.zeros((2**40, 2**40)), tg.ShapeError, "fewer than 2\\*\\*63 bytes"),
    "a size beyond int64": (lambda: tg.arange(2**70), tg.ShapeError, "fewer than 2\\*\\*63 bytes"),
    "no elements of such sizes": (lambda: tg.zeros((2**70, 0)), tg.ShapeError, "fewer than 2\\*\\*63 bytes"),
    "a list beyond the default": (lambda: tg.asarray([2**63]), OverflowError, "out of range for int64"),
    "a list beyond its dtype": (lambda: tg.asarray([1, 300], dtype=tg.int8), OverflowError, "300 is out of range"),
    "a negative one in a list": (lambda: tg.asarray([1, -1], dtype=tg.uint8), OverflowError, "-1 is out of range"),
    "an array as dtype": (lambda: tg.zeros(2, dtype=np.ones(2)), TypeError, "got a ndarray as dtype"),
    "an array as message": (lambda: tg.prevent_gradient(X, np.ones(2)), TypeError, "got ndarray as message"),
    "an array as message of ensure": (lambda: tg.ensure(X, X > 0, np.ones(2)), TypeError, "got ndarray as message"),
    "an array as mode": (lambda: tg.pad(X, 1, np.ones(2)), ValueError, "pad: got mode"),
    "an array as order": (lambda: tg.polygamma(np.ones(2, int), X), TypeError, "polygamma: got order"),
    "an array without axes as axes": (lambda: tg.permute_dims(X, np.array(0)), TypeError, "permute_dims: got axes"),
    "an array without axes to join": (lambda: tg.concat(np.array(1.0)), TypeError, "concat: got ndarray"),
    "a bincount beyond all": (lambda: tg.bincount(np.uint64([2**64 - 1])), ValueError, "bincount: got length"),
    "segments beyond all": (
        lambda: tg.segment_sum(X, np.array([0, 2**63 - 1])), ValueError, "segment_sum: got num_segments",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("call", "kind", "message"), BEYOND.values(), ids=BEYOND)
def test_what_is_beyond_all_bounds_says_what_was_got_and_wanted_and_where(call, kind, message):
    check_error(call, kind, message)


@pytest.mark.parametrize("size", [3, np.int8(3), np.array(3), np.array([3]), [3], (3,), range(3, 4)])
def test_a_size_is_an_integer_of_any_make_or_a_sequence_of_one(size):
    assert tg.zeros(size).shape == tg.tile(tg.ones(1), size).shape == tg.reshape(tg.ones(3), size).shape == (3,)


def test_a_list_of_integers_that_fit_is_taken_up_to_the_last():
    assert tg.asarray([2**64 - 1, 0], dtype=tg.uint64).numpy().tolist() == [2**64 - 1, 0]
    assert tg.asarray([-128, 127], dtype=tg.int8).numpy().tolist() == [-128, 127]
