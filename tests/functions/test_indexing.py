"""x[...] is NumPy's, or an error that says what to do instead; its gradient puts everything back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import tidegate as tg
from wrong_use import check_error

A = np.arange(24.0).reshape(2, 3, 4)
BASIC = hnp.basic_indices(A.shape, allow_newaxis=True, allow_ellipsis=True)
ARRAYS = st.sampled_from([[0, -1], np.array([[0, 1], [-1, -2]]), np.array([], np.int64), [1]])
PLAIN = st.sampled_from([0, -1, slice(None), slice(None, None, -1), slice(1, None), None, Ellipsis])


@given(BASIC)
def test_integers_and_slices(key):
    np.testing.assert_array_equal(tg.asarray(A)[key].numpy(), A[key])


@given(st.lists(PLAIN, max_size=2), ARRAYS, st.lists(PLAIN, max_size=2))
def test_one_array_among_them_is_numpys_or_refused(before, array, after):
    key = (*before, array, *after)
    got, want = outcome(tg.asarray(A), key), outcome(A, key)
    if isinstance(got, str):
        assert isinstance(want, str) or "apart from an integer" in got
    else:
        np.testing.assert_array_equal(got, want)


def outcome(x, key):
    """x[key] as an array, or what the error says."""
    try:
        return np.asarray(x[key])
    except IndexError as error:
        return f"out of range: {error}"
    except TypeError as error:
        return str(error)


@given(BASIC)
def test_the_gradient_goes_back_where_it_came_from(key):
    x = tg.asarray(A)
    (g,) = tg.gradients(x[key], x)
    want = np.zeros_like(A)
    want[key] = 1.0
    np.testing.assert_array_equal(g.numpy(), want)


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


def test_an_index_in_a_tensor_that_is_out_of_range_is_found_when_it_runs():
    i = tg.asarray([2, 0]) + 1
    y = tg.asarray(A)[0][i]
    with pytest.raises(IndexError, match=r"Gather: got index 3 at \[0\]; want 0 to 2  \(.*test_indexing.py:\d+\)"):
        y.numpy()


def test_take_replaces_an_axis_by_those_of_the_indices():
    got = tg.take(A, np.array([[0, 2], [1, 1]]), axis=1)
    np.testing.assert_array_equal(got.numpy(), np.take(A, [[0, 2], [1, 1]], axis=1))


def test_iteration_and_membership():
    x = tg.asarray([1.0, 2.0])
    assert [float(v) for v in x] == [1.0, 2.0]
    assert 2.0 in x
    assert len(x) == 2


WRONG = {
    "out of range": (lambda x: x[2], IndexError, "index 2 of axis 0 of float64"),
    "out of range in an array": (lambda x: x[[0, 5]], IndexError, "index 5 of axis 0"),
    "too many": (lambda x: x[0, 0, 0, 0], IndexError, "4 indices of float64"),
    "two ellipses": (lambda x: x[..., ...], TypeError, "more than one Ellipsis"),
    "a float": (lambda x: x[1.0], TypeError, "got float; want integers"),
    "a bool": (lambda x: x[True], TypeError, "got bool; want integers"),
    "a mask": (lambda x: x[A > 3.0], TypeError, "indices of bool; want integers"),
    "several arrays": (lambda x: x[[0], [1]], TypeError, "2 arrays of indices"),
    "an array apart": (lambda x: x[0, :, [1]], TypeError, "index in two steps"),
    "a step of zero": (lambda x: x[::0], TypeError, "slice step cannot be zero"),
    "a float array": (lambda x: x[[0.5]], TypeError, "indices of float32; want integers"),
    "assignment": (lambda x: x.__setitem__(0, 1.0), TypeError, "tensors don't change"),
    "take of floats": (lambda x: tg.take(x, [0.5], axis=0), TypeError, "want integers"),
    "take along no axis": (lambda x: tg.take(x, [0], axis=3), IndexError, "axis 3 of a tensor with 3 axes"),
    "length of no axis": (lambda x: len(tg.asarray(1.0)), TypeError, "len: got float32"),
}


@pytest.mark.parametrize(("call", "kind", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_index_says_what_was_got_and_wanted_and_where(call, kind, message):
    check_error(lambda: call(tg.asarray(A)), kind, message)
