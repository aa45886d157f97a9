"""x.at[key] puts values where x[key] reads them, one after another; its derivatives say what became of each."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tidegate as tg
from tidegate.testing import check_batching, check_derivatives
from wrong_use import check_error

A = np.arange(24.0).reshape(2, 3, 4) - 11.5
HOW = {
    "set": lambda old, new: new,
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "divide": np.divide,
    "max": np.maximum,
    "min": np.minimum,
}
KEYS = {
    "an integer": 1,
    "all": ...,
    "slices": (slice(None), slice(1, 3), slice(0, 4, 3)),
    "slices backwards": (slice(None, None, -1), slice(2, 0, -1), slice(None, None, -3)),
    "a slice of nothing": (slice(1, 1),),
    "a new axis": (None, 0, slice(None), None),
    "an array": [1, 0],
    "an array with an index again": (slice(None), [2, 0, 2, 2]),
    "two arrays": ([0, 1, 0], [2, -1, 2]),
    "two arrays that broadcast": (slice(None), [[0], [2]], [1, 1, 3]),
    "arrays apart": ([1, 1, 0], slice(1, None), [0, 0, 3]),
    "arrays and an integer behind": ([1, 1], slice(None), -1),
    "arrays and slices backwards": (slice(None, None, -1), [2, 2, 1], slice(None, None, -2)),
    "no indices": ([],),
    "a mask": A > 3.0,
    "a mask of the first axis": [True, False],
    "a mask behind": (slice(None), A[0] > 0.0),
    "a mask and an array": ([True, True], slice(None), [3, 3]),
    "a truth value": True,
    "a false one": False,
}


def one_by_one(x, key, value, how):
    """What putting each value in turn gives."""
    places = np.arange(x.size).reshape(x.shape)[key]
    out = x.copy()
    for place, v in zip(places.ravel(), np.broadcast_to(value, places.shape).ravel(), strict=True):
        with np.errstate(all="ignore"):
            out.flat[place] = HOW[how](out.flat[place], v)
    return out


def put(x, key, value, how, **options):
    return getattr(tg.asarray(x).at[key], how)(value, **options)


def values_for(key, seed=0):
    return np.random.default_rng(seed).normal(size=A[key].shape)


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_values_are_put_in_turn(key, how):
    value = values_for(key)
    np.testing.assert_allclose(put(A, key, value, how).numpy(), one_by_one(A, key, value, how), rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_one_number_is_put_everywhere(key, how):
    np.testing.assert_allclose(put(A, key, 2.5, how).numpy(), one_by_one(A, key, 2.5, how), rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_the_derivatives_are_right(key, how):
    value = values_for(key) + (3.0 if how == "divide" else 0.0)
    check_derivatives(lambda x, v: tg.sin(getattr(x.at[key], how)(v)), A / 7, value, order=1)


@pytest.mark.parametrize("how", HOW)
def test_the_second_derivatives_are_right_where_indices_come_again(how):
    value = np.array([1.5, 0.25, -2.0, 0.5])
    check_derivatives(lambda x, v: getattr(x.at[[0, 2, 0, 0]], how)(v), np.array([0.3, -1.0, 0.7]), value)


@pytest.mark.parametrize("zeros", [[0], [1], [0, 3], [0, 2], [0, 2, 3], [1, 2, 3]])
def test_the_derivatives_of_products_with_zeros_are_right(zeros):
    value = np.array([1.5, 0.25, -2.0, 0.5])
    value[zeros] = 0.0
    check_derivatives(lambda x, v: x.at[[0, 2, 0, 0]].multiply(v), np.array([0.3, -1.0, 0.0]), value)


@pytest.mark.parametrize("how", HOW)
def test_complex_values_are_put_with_right_derivatives(how):
    if how in ("max", "min"):
        with pytest.raises(tg.DTypeError):
            put(np.ones(3, complex), [0, 0], 1.0, how)
        return
    value = np.array([1.5 + 1j, 0.25, 2.0j, 0.5 - 0.5j])
    check_derivatives(lambda x, v: getattr(x.at[[0, 2, 0, 0]], how)(v), np.array([0.3j, -1.0, 0.7 + 0.2j]), value)


def test_of_an_index_that_comes_again_only_the_last_update_gets_the_gradient():
    x, v = tg.asarray([1.0, 2.0]), tg.asarray([3.0, 4.0, 5.0])
    y = x.at[[0, 0, 0]].set(v)
    gx, gv = tg.gradients(y, [x, v])
    assert y.numpy().tolist() == [5.0, 2.0]
    assert gx.numpy().tolist() == [0.0, 1.0]
    assert gv.numpy().tolist() == [0.0, 0.0, 1.0]


@pytest.mark.parametrize("value", [np.inf, np.nan])
def test_what_is_overwritten_gets_an_exact_zero_whatever_comes_from_above(value):
    x, v = tg.asarray([1.0, 2.0]), tg.asarray([3.0, 4.0])
    gx, gv = tg.gradients(x.at[[0, 0]].set(v), [x, v], tg.asarray([value, value]))
    np.testing.assert_array_equal(gx.numpy(), [0.0, value])
    np.testing.assert_array_equal(gv.numpy(), [0.0, value])


@pytest.mark.parametrize("how", ["max", "min"])
@pytest.mark.parametrize("key", [[0, 0, 0], slice(0, 1), np.array([True, False])], ids=["array", "slice", "mask"])
def test_ties_share_the_gradient_equally(how, key):
    x, v = tg.asarray([1.0, 2.0]), tg.asarray(1.0)
    gx, gv = tg.gradients(getattr(x.at[key], how)(v), [x, v])
    count = 4 if isinstance(key, list) else 2
    np.testing.assert_allclose(gx.numpy(), [1 / count, 1.0])
    np.testing.assert_allclose(gv.numpy(), (count - 1) / count)


@pytest.mark.parametrize("how", HOW)
def test_float16_values_are_combined_in_float32_and_rounded_once_or_as_ops_do(how):
    x, v = np.ones(3, np.float16), np.array([0.1, 0.2, 0.3], np.float16)
    got = put(x, [0, 0, 2], v, how).numpy()
    assert got.dtype == np.float16
    np.testing.assert_allclose(got, one_by_one(x.astype(float), [0, 0, 2], v.astype(float), how), rtol=2e-3)


@pytest.mark.parametrize("how", ["set", "add", "subtract", "multiply", "max", "min"])
def test_integers_are_put(how):
    x = np.array([1, 2, 3], np.int8)
    got = put(x, [0, 2, 0], np.array([100, 2, 100], np.int8), how).numpy()
    assert got.dtype == np.int8
    np.testing.assert_array_equal(got, one_by_one(x, [0, 2, 0], np.array([100, 2, 100], np.int8), how))


def test_booleans_are_set():
    assert put(np.array([True, False, False]), [1, 0], [True, False], "set").numpy().tolist() == [False, True, False]


def test_a_value_takes_the_dtype_of_x_where_it_fits():
    assert put(np.ones(2), 0, tg.asarray(2.0), "set").dtype == np.float64
    assert put(np.ones(2, np.int32), 0, 7, "set").dtype == np.int32


@pytest.mark.parametrize("how", HOW)
def test_indices_and_values_are_mapped_over(how):
    rng = np.random.default_rng(3)
    x, i, v = rng.normal(size=(3, 4, 2)), rng.integers(-4, 4, (3, 5)), rng.normal(size=(3, 5, 2))
    for batched in ((True, True, True), (True, False, False), (False, True, False), (False, False, True)):
        inputs = [a if b else a[0] for a, b in zip((x, i, v), batched, strict=True)]
        check_batching(lambda x, i, v: getattr(x.at[i], how)(v), inputs, batched)


@pytest.mark.parametrize("how", HOW)
def test_what_a_computed_mask_selects_is_changed_also_while_a_function_is_traced(how):
    got = tg.vmap(lambda row: getattr(row.at[row > 0.0], how)(0.5))(tg.asarray(A))
    np.testing.assert_array_equal(got.numpy(), one_by_one(A, A > 0.0, 0.5, how))


@pytest.mark.parametrize("how", HOW)
def test_values_for_each_element_of_a_computed_mask(how):
    x = tg.asarray(A)
    value = values_for(A > 3.0)
    got = getattr(x.at[x > 3.0], how)(value)
    np.testing.assert_allclose(got.numpy(), one_by_one(A, A > 3.0, value, how), rtol=1e-14)


@given(st.lists(st.integers(-9, 8), min_size=1, max_size=6), st.sampled_from(sorted(HOW)), st.booleans())
@settings(max_examples=60)
def test_indices_out_of_range_are_left_out_or_clipped_as_the_mode_says(indices, how, computed):
    x, i = np.linspace(-1.0, 1.0, 5), np.array(indices)
    value = np.random.default_rng(1).normal(size=len(indices))
    wrapped = np.where(i < 0, i + 5, i)
    known = (wrapped >= 0) & (wrapped < 5)
    key = tg.positive(i) if computed else i
    left_out = put(x, key, value, how, mode="fill").numpy()
    np.testing.assert_allclose(left_out, one_by_one(x, wrapped[known], value[known], how), rtol=1e-14)
    clipped = put(x, key, value, how, mode="clip").numpy()
    np.testing.assert_allclose(clipped, one_by_one(x, np.clip(wrapped, 0, 4), value, how), rtol=1e-14)


@pytest.mark.parametrize("computed", [False, True])
def test_get_fills_in_or_clips_what_is_out_of_range(computed):
    i = np.array([0, 5, -1, -6])
    at = tg.asarray(np.arange(5.0)).at[tg.positive(i) if computed else i]
    np.testing.assert_array_equal(at.get(mode="fill").numpy(), [0.0, np.nan, 4.0, np.nan])
    np.testing.assert_array_equal(at.get(mode="fill", fill_value=-1.0).numpy(), [0.0, -1.0, 4.0, -1.0])
    np.testing.assert_array_equal(at.get(mode="clip").numpy(), [0.0, 4.0, 4.0, 0.0])


def test_get_in_two_axes_fills_where_either_index_is_out_of_range():
    got = tg.asarray(A).at[[0, 5, 1], :, [0, 0, 4]].get(mode="fill")
    np.testing.assert_array_equal(got.numpy(), [A[0, :, 0], [np.nan] * 3, [np.nan] * 3])


def test_get_with_an_integer_out_of_range():
    x = tg.asarray(np.arange(3))
    assert (x.at[7].get(mode="fill").item(), x.at[7].get(mode="clip").item(), x.at[-1].get().item()) == (0, 2, 2)


def test_nothing_can_be_read_from_an_axis_of_no_elements_but_the_fill():
    got = tg.zeros((0, 2)).at[[0, 1]].get(mode="fill", fill_value=3.0)
    np.testing.assert_array_equal(got.numpy(), np.full((2, 2), 3.0))


def test_what_is_filled_in_gets_the_gradient_and_x_an_exact_zero():
    x, fill = tg.asarray([1.0, 2.0]), tg.asarray(9.0)
    y = x.at[[0, 5]].get(mode="fill", fill_value=fill)
    gx, gf = tg.gradients(y, [x, fill], tg.asarray([2.0, np.inf]))
    assert (gx.numpy().tolist(), gf.item()) == ([2.0, 0.0], np.inf)


def test_x_does_not_change():
    x = tg.asarray(A)
    x.at[0].set(0.0).numpy()
    np.testing.assert_array_equal(x.numpy(), A)


WRONG = {
    "out of range": (lambda x: x.at[2].set(0.0), IndexError, r"x.at\[...\]: got index 2 of axis 0 of float64"),
    "out of range in an array": (lambda x: x.at[[0, 5]].add(0.0), IndexError, "got index 5 of axis 0"),
    "a mode": (lambda x: x.at[0].set(0.0, mode="drop"), ValueError, "got mode 'drop'; want 'raise', 'clip' or 'fill'"),
    "a fill that isn't used": (lambda x: x.at[0].get(fill_value=1.0), ValueError, "want mode 'fill'"),
    "a fill with axes": (lambda x: x.at[0].get(mode="fill", fill_value=[1.0]), ValueError, "got a value float32"),
    "a value of another shape": (lambda x: x.at[0].set([1.0, 2.0]), ValueError, "doesn't broadcast"),
    "a value with too many axes": (
        lambda x: x.at[0, 0].set(A),
        ValueError,
        r"broadcasts to float64\[4\]",
    ),
    "a complex value": (lambda x: x.at[0].set(1j), TypeError, "got a value complex"),
    "a tensor of integers": (lambda x: x.at[0].set(np.array(1)), TypeError, "don't mix"),
    "integers to divide": (lambda x: tg.asarray([1]).at[0].divide(2), TypeError, "got int64.1. to divide"),
    "booleans to add": (lambda x: (x > 0.0).at[0].add(True), TypeError, "Add: got bool"),
    "a float for an index": (lambda x: x.at[1.0].set(0.0), TypeError, "got float; want integers"),
}


@pytest.mark.parametrize(("call", "kind", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_use_says_what_was_got_and_wanted_and_where(call, kind, message):
    check_error(lambda: call(tg.asarray(A)), kind, message)
