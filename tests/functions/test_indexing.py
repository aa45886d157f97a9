"""x[...] is NumPy's, or an error that says what to do instead; its gradient puts everything back."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import tidegate as tg
from tidegate.core.graph import walk
from tidegate.testing import check_derivatives
from wrong_use import check_error

A = np.arange(24.0).reshape(2, 3, 4)
BASIC = hnp.basic_indices(A.shape, allow_newaxis=True, allow_ellipsis=True)
MASKS = [A[0, :, 0] > 3.0, A[:, 0, 0] > 3.0, A[0, 0] > 0.0, A[:, :, 0] > 7.0, A[0] > 5.0, A > 11.0, A[0, 0] > 99.0]
ARRAYS = st.sampled_from(
    [[0, -1], np.array([[0, 1], [-1, -2]]), np.array([], np.int64), [1], np.array([0, 1], np.uint8), (1, 0),
     np.array(1), [], range(2), [[0], [1]], True, False, np.True_, [True, False], *MASKS]
)  # fmt: skip
PLAIN = st.sampled_from(
    [0, -1, np.int8(1), slice(None), slice(None, None, -1), slice(1, None), slice(3, 0, -2), None, ...]
)
KEYS = st.lists(PLAIN | ARRAYS, max_size=4).map(tuple) | ARRAYS


@given(BASIC)
def test_integers_and_slices(key):
    np.testing.assert_array_equal(tg.asarray(A)[key].numpy(), A[key])


def outcome(x, key):
    """x[key] as an array, or the kind of error."""
    try:
        return np.asarray(x[key])
    except (IndexError, tg.ShapeError, tg.ArgumentTypeError) as error:  # NumPy has an IndexError for each of them
        return str(error)


@given(KEYS)
@settings(max_examples=600)
def test_any_mixture_of_indices_is_numpys(key):
    got, want = outcome(tg.asarray(A), key), outcome(A, key)
    if isinstance(want, str):
        assert isinstance(got, str), got
    else:
        assert not isinstance(got, str), got
        np.testing.assert_array_equal(got, want)


def as_tensors(key):
    """The arrays of a key as tensors that are computed, so that nothing is known when the line is written."""
    several = key if isinstance(key, tuple) else (key,)
    return tuple(
        tg.positive(k) if isinstance(k, np.ndarray) and k.dtype != bool else k if not isinstance(k, np.ndarray)
        else tg.logical_not(~k) for k in several
    )  # fmt: skip


@given(KEYS)
@settings(max_examples=300)
def test_computed_tensors_index_as_their_values_do(key):
    want = outcome(A, key)
    got = outcome(tg.asarray(A), as_tensors(key))
    if isinstance(want, str):
        assert isinstance(got, str), got
    else:
        np.testing.assert_array_equal(got, want)


@given(KEYS)
@settings(max_examples=200)
def test_the_gradient_goes_back_where_it_came_from_and_adds_up(key):
    want = outcome(A, key)
    if isinstance(want, str):
        return
    x, weights = tg.asarray(A), np.random.default_rng(0).normal(size=want.shape)
    (g,) = tg.gradients(x[key], x, weights)
    expected = np.zeros_like(A)
    np.add.at(expected, key, weights)
    np.testing.assert_allclose(g.numpy(), expected, atol=1e-14)


SEPARATED = {
    "next to each other": (slice(None), [0, 1], [1, 2]),
    "apart": ([0, 1], slice(None), [1, 2]),
    "apart by None": ([0, 1], None, [1, 2]),
    "apart by an Ellipsis of no axes": ([0, 1], [0, 1], ..., [1, 2]),
    "an integer apart": (0, slice(None), [1, 2]),
    "an integer beside": (slice(None), 0, [1, 2]),
    "an integer behind, apart": ([0, 1], slice(None), 0),
    "a mask apart": (A[:, 0, 0] > 3.0, slice(None), [1]),
    "a mask of two axes, apart": (None, A[:, :, 0] > 7.0, slice(None)),
    "a truth value": (True, slice(None), [0, 1]),
}


@pytest.mark.parametrize("key", SEPARATED.values(), ids=SEPARATED)
def test_the_axes_of_arrays_stand_where_numpy_puts_them(key):
    np.testing.assert_array_equal(tg.asarray(A)[key].numpy(), A[key])


@pytest.mark.parametrize("key", SEPARATED.values(), ids=SEPARATED)
def test_the_derivatives_of_indexing_with_arrays_are_right(key):
    check_derivatives(lambda x: x[key] * x[key], A / 24)


@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.float16, tg.bfloat16, np.complex64])
def test_x_of_any_dtype_is_indexed_by_arrays(dtype):
    x = np.arange(6).reshape(2, 3).astype(dtype)
    got = tg.asarray(x)[[1, 0, -1], [0, 2, 1]].numpy()
    assert got.dtype == dtype
    np.testing.assert_array_equal(got, x[[1, 0, -1], [0, 2, 1]])


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint64], ids=lambda d: d.__name__)
def test_indices_of_any_integer_dtype(dtype):
    x = np.arange(200.0)
    i = np.array([0, 127, 5], dtype)
    np.testing.assert_array_equal(tg.asarray(x)[i].numpy(), x[i])
    np.testing.assert_array_equal(tg.asarray(x)[tg.positive(i)].numpy(), x[i])


def test_a_huge_unsigned_index_is_out_of_range_and_does_not_wrap():
    i = tg.positive(np.array([2**64 - 1], np.uint64))
    with pytest.raises(IndexError, match=r"got index 18446744073709551615 of axis 0 at \[0\]; want 0 to 2"):
        tg.ones(3)[i].numpy()


def test_an_index_that_comes_twice_adds_up():
    x = tg.asarray([1.0, 2.0, 3.0])
    (g,) = tg.gradients(x[[1, 1, -1]], x)
    assert g.numpy().tolist() == [0.0, 2.0, 1.0]


def test_a_tensor_is_an_index_whose_value_may_be_unknown():
    x = tg.asarray(A)
    i = tg.asarray(-1)
    np.testing.assert_array_equal(x[i].numpy(), A[-1])
    np.testing.assert_array_equal(x[:, i, 0].numpy(), A[:, -1, 0])
    np.testing.assert_array_equal(tg.vmap(lambda k: x[0, k])(tg.asarray([0, -1])).numpy(), A[0, [0, -1]])


def test_indices_in_a_traced_function_are_mapped_over():
    i, j = np.array([[0, 1, -1], [1, 0, 0]]), np.array([[3, 0, -4], [2, 2, 1]])
    got = tg.vmap(lambda p, q: tg.asarray(A)[p, :, q])(i, j)
    np.testing.assert_array_equal(got.numpy(), np.stack([A[p, :, q] for p, q in zip(i, j, strict=True)]))


def test_an_index_in_a_tensor_that_is_out_of_range_is_found_when_it_runs():
    i = tg.asarray([2, 0]) + 1
    y = tg.asarray(A)[0][i]
    with pytest.raises(
        IndexError, match=r"^Locate: got index 3 of axis 0 at \[0\]; want -3 to 2  \(.*test_indexing.py:\d+\)"
    ):
        y.numpy()


def test_the_axis_of_the_index_that_is_out_of_range_is_named():
    i, j = tg.asarray([0, 1]) + 0, tg.asarray([0, 1]) - 6
    with pytest.raises(IndexError, match=r"got index -6 of axis 2 at \[0\]; want -4 to 3"):
        tg.asarray(A)[i, :, j].numpy()


def test_the_size_of_a_mask_that_is_computed_is_known_at_once():
    x = tg.asarray(A)
    y = x[x > 20.5]
    assert y.shape == (3,)
    (g,) = tg.gradients(y * y, x)
    np.testing.assert_array_equal(g.numpy(), np.where(A > 20.5, 2 * A, 0.0))


def test_a_mask_is_an_op_of_the_graph_with_its_size():
    x = tg.asarray(A)
    assert "NonZero(size=3, fill=(0, 0, 0), batch_axes=0)" in [str(n.op) for n in walk([x[x > 20.5]])]


def test_a_mask_of_known_values_stands_in_the_graph_as_its_places():
    assert "NonZero" not in [n.op.name for n in walk([tg.asarray(A)[A > 20.5]])]


def test_iteration_and_membership():
    x = tg.asarray([1.0, 2.0])
    assert [float(v) for v in x] == [1.0, 2.0]
    assert 2.0 in x
    assert len(x) == 2


def traced(function):
    return tg.vmap(function)(tg.asarray(A))


WRONG = {
    "out of range": (lambda x: x[2], IndexError, "index 2 of axis 0 of float64"),
    "out of range of no elements": (lambda x: x[:0][0], IndexError, "none, since it has no elements"),
    "out of range in an array": (lambda x: x[[0, 5]], IndexError, r"index 5 of axis 0 at \[1\]; want -2 to 1"),
    "out of range in the second array": (lambda x: x[[0, 1], :, [[0], [4]]], IndexError, "index 4 of axis 2"),
    "too many": (lambda x: x[0, 0, 0, 0], IndexError, "4 indices of float64"),
    "two ellipses": (lambda x: x[..., ...], TypeError, "more than one Ellipsis"),
    "a float": (lambda x: x[1.0], TypeError, "got float; want integers"),
    "a float of numpy": (lambda x: x[np.float64(1.0)], TypeError, "got an index of float64; want integers"),
    "a string": (lambda x: x["a"], TypeError, "got str; want integers"),
    "a mask of another shape": (
        lambda x: x[[True, False, True]],
        IndexError,
        r"mask bool\[3\] at axis 0.*want bool\[2\]",
    ),
    "a mask of another shape behind": (lambda x: x[:, A[0] > 3.0, 0], IndexError, "got 4 indices"),
    "a mask of another shape in the middle": (lambda x: x[0, A[0].T > 3.0], IndexError, r"at axis 1.*want bool\[3,4\]"),
    "arrays that don't broadcast": (lambda x: x[[0, 1], [0, 1, 2]], ValueError, "don't broadcast: 2 against 3"),
    "a step of zero": (lambda x: x[::0], TypeError, "slice step cannot be zero"),
    "a float array": (lambda x: x[[0.5]], TypeError, "indices of float32; want integers"),
    "a tensor of floats": (lambda x: x[tg.ones(2)], TypeError, "indices of float32; want integers"),
    "assignment": (lambda x: x.__setitem__(0, 1.0), TypeError, r"tensors don't change; .*x.at\[...\].set\(value\)"),
    "a mask in a batch": (lambda x: traced(lambda v: v[v > 1.0]), ValueError, "give a size, or use tg.where"),
    "a truth value while traced": (lambda x: traced(lambda v: v[v[0, 0] > 1.0]), TypeError, "traced; .* tg.where"),
    "length of no axis": (lambda x: len(tg.asarray(1.0)), TypeError, "len: got float32"),
}


@pytest.mark.parametrize(("call", "kind", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_index_says_what_was_got_and_wanted_and_where(call, kind, message):
    check_error(lambda: call(tg.asarray(A)), kind, message)
