"""The different values of a tensor, and counts of whole numbers, are NumPy's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import tidegate as tg
from tidegate.testing import check_batching
from wrong_use import check_error

SHAPES = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)
SMALL = st.sampled_from([np.int8, np.uint16, np.int64, np.float16, np.float64]).flatmap(
    lambda d: hnp.arrays(d, SHAPES, elements=st.integers(0, 4))
)


@given(SMALL)
def test_unique_all_is_numpys(x):
    got, want = tg.unique_all(x), np.unique_all(x)
    assert got._fields == want._fields
    assert (got.values.dtype, got.inverse_indices.shape) == (x.dtype, x.shape)
    for g, w in zip(got, want, strict=True):
        np.testing.assert_array_equal(g.numpy(), w)


@pytest.mark.parametrize("dtype", [np.bool_, np.complex64, tg.bfloat16, np.uint64])
def test_the_other_unique_functions_give_parts_of_it(dtype):
    x = np.array([[1, 0, 1], [1, 1, 0]]).astype(dtype)
    counts, inverse, values = tg.unique_counts(x), tg.unique_inverse(x), tg.unique_values(x)
    assert counts.values.numpy().tolist() == inverse.values.numpy().tolist() == values.numpy().tolist() == [0, 1]
    assert (counts.counts.numpy().tolist(), counts._fields) == ([2, 4], ("values", "counts"))
    assert inverse.inverse_indices.numpy().tolist() == [[1, 0, 1], [1, 1, 0]]
    assert inverse._fields == ("values", "inverse_indices")
    assert values.dtype == dtype


def test_each_nan_is_a_value_of_its_own_and_negative_zero_is_zero():
    found = tg.unique_counts(np.array([np.nan, 0.0, -0.0, np.nan, -np.inf]))
    np.testing.assert_array_equal(found.values.numpy(), [-np.inf, 0.0, np.nan, np.nan])
    assert found.counts.numpy().tolist() == [1, 2, 1, 1]


def test_a_size_cuts_or_fills_what_was_found():
    x = np.array([3, 1, 3, 2])
    assert tg.unique_values(x, size=2).numpy().tolist() == [1, 2]
    found = tg.unique_counts(x, size=5)
    assert (found.values.numpy().tolist(), found.counts.numpy().tolist()) == ([1, 2, 3, 1, 1], [1, 1, 2, 0, 0])


def test_unique_of_a_size_is_mapped_over():
    check_batching(lambda x: tg.unique_all(x, size=3), [np.array([[3, 1, 3], [2, 2, 2], [1, 2, 3]])], (True,))


def test_a_gradient_through_the_values_is_refused_and_through_the_indices_goes_to_the_first():
    x = tg.asarray([2.0, 1.0, 2.0])
    with pytest.raises(LookupError, match="unique_values: equal elements became one"):
        tg.gradients(tg.unique_values(x), x)
    (g,) = tg.gradients(x[tg.unique_all(x).indices], x)
    assert g.numpy().tolist() == [1.0, 1.0, 0.0]


@given(hnp.arrays(np.int64, st.integers(0, 6), elements=st.integers(0, 5)), st.integers(0, 8))
def test_bincount_is_numpys(x, minlength):
    np.testing.assert_array_equal(tg.bincount(x, minlength=minlength).numpy(), np.bincount(x, minlength=minlength))
    w = np.random.default_rng(0).normal(size=x.shape)
    np.testing.assert_allclose(tg.bincount(x, w, minlength).numpy(), np.bincount(x, w, minlength))


def test_the_weights_of_a_bincount_get_a_gradient():
    w = tg.asarray([1.0, 2.0, 3.0])
    (g,) = tg.gradients(tg.bincount([0, 2, 0], w) ** 2.0, w)
    assert g.numpy().tolist() == [8.0, 4.0, 8.0]


def test_a_length_leaves_out_what_is_out_of_range_also_while_traced():
    got = tg.vmap(lambda x: tg.bincount(x, length=3))(np.array([[0, 1, 1], [-1, 5, 2]]))
    assert got.numpy().tolist() == [[1, 2, 0], [0, 0, 1]]


WRONG = {
    "unique in a batch": (
        lambda: tg.vmap(tg.unique_values)(np.ones((2, 3))), ValueError, "UniquePlaces: each example .* give a size",
    ),
    "unique of no elements and a size": (lambda: tg.unique_all(np.zeros(0), size=1), ValueError, "want size 0"),
    "a negative size": (lambda: tg.unique_all([1], size=-1), ValueError, "unique_all: got size -1"),
    "bincount of floats": (lambda: tg.bincount([0.5]), TypeError, "bincount: got float32"),
    "bincount of a matrix": (lambda: tg.bincount([[1]]), ValueError, "bincount: got int64.*want one axis"),
    "bincount of a negative number": (lambda: tg.bincount([1, -2]), ValueError, "got the number -2"),
    "other weights": (lambda: tg.bincount([1, 2], [1.0]), ValueError, "one weight for each element"),
    "bincount while traced": (
        lambda: tg.vmap(tg.bincount)(np.ones((2, 3), int)), TypeError, "bincount: .*give a length",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("call", "kind", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_use_says_what_was_got_and_wanted_and_where(call, kind, message):
    check_error(call, kind, message)
