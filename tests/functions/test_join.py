"""Putting tensors together and taking them apart, and lists of tensors: NumPy's results, and gradients through them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tidegate as tg
from tidegate.core.graph import TensorType
from tidegate.core.shapes import symbol
from tidegate.ops.creation import Data, Input
from tidegate.testing import check_derivatives
from tidegate.transforms.specialise import sizes_of, specialise
from wrong_use import check_error


def numbers(*shape, seed=0):
    return np.random.default_rng(seed).uniform(-2.0, 2.0, shape)


@given(sizes=st.lists(st.integers(0, 3), min_size=1, max_size=4), axis=st.sampled_from([0, 1, -1, None]))
def test_concatenation_equals_numpys(sizes, axis):
    xs = [numbers(n, 2) if axis in (0, None) else numbers(2, n) for n in sizes]
    np.testing.assert_array_equal(tg.concat(xs, axis=axis).numpy(), np.concatenate(xs, axis))


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -3])
def test_stacking_equals_numpys(axis):
    xs = [numbers(2, 3, seed=i) for i in range(3)]
    np.testing.assert_array_equal(tg.stack(xs, axis=axis).numpy(), np.stack(xs, axis))


@pytest.mark.parametrize("function", [tg.concat, tg.stack], ids=["concat", "stack"])
def test_dtypes_are_promoted(function):
    wide = function([tg.ones(2, dtype="int8"), tg.ones(2, dtype="uint8")])
    assert wide.dtype == np.int16
    assert function([tg.ones(2), np.ones(2) * 1j]).dtype == np.complex128


def test_numbers_take_the_dtype_of_the_tensors_beside_them():
    x = tg.asarray([1.0, 2.0], tg.float16)
    got = tg.stack([x[0], 3, 4.5])
    assert (got.dtype, got.numpy().tolist()) == (np.float16, [1.0, 3.0, 4.5])
    flat = tg.concat([x, 3, [4.5]], axis=None)
    assert flat.numpy().tolist() == [1.0, 2.0, 3.0, 4.5]


def test_a_tensor_is_the_sequence_of_its_parts():
    x = tg.asarray(numbers(2, 3))
    np.testing.assert_array_equal(tg.concat(x).numpy(), x.numpy().reshape(-1))
    np.testing.assert_array_equal(tg.stack(x, axis=1).numpy(), x.numpy().T)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_unstacking_undoes_stacking(axis):
    x = tg.asarray(numbers(2, 3))
    parts = tg.unstack(x, axis=axis)
    assert isinstance(parts, tuple)
    np.testing.assert_array_equal(tg.stack(parts, axis=axis).numpy(), x.numpy())


@pytest.mark.parametrize("where", [1, 2, 4, [1, 3], (2, 2), [], [-1], [3, 1], np.array([1, 9])], ids=str)
def test_splitting_equals_numpys(where):
    x = numbers(2, 4)
    for got, want in zip(tg.split(x, where, axis=1), np.split(x, where, axis=1), strict=True):
        np.testing.assert_array_equal(got.numpy(), want)


def test_the_derivatives_of_joining_and_splitting_are_right():
    check_derivatives(lambda x, y: tg.concat([x, y, x], axis=1), numbers(2, 3), numbers(2, 1))
    check_derivatives(lambda x, y: tg.stack([x * y, y], axis=-1), numbers(3), numbers(3, seed=1))
    check_derivatives(lambda x: tg.split(x, [1, 3]), numbers(4))


def test_nothing_flows_to_a_part_that_is_not_used():
    x, y = tg.asarray([1.0, 2.0]), tg.asarray([3.0])
    gx, gy = tg.gradients(tg.concat([x, y])[1:], [x, y])
    assert (gx.numpy().tolist(), gy.numpy().tolist()) == ([0.0, 1.0], [1.0])


# Lists of tensors.


def test_a_list_of_tensors_becomes_their_stack_and_keeps_gradients():
    x, y = tg.asarray(1.5), tg.asarray(2.5)
    z = tg.asarray([x, y, x * y])
    assert z.numpy().tolist() == [1.5, 2.5, 3.75]
    assert [g.item() for g in tg.gradients(z, [x, y])] == [3.5, 2.5]


def test_nested_lists_mix_numbers_arrays_and_tensors():
    x = tg.asarray([1.0, 2.0], tg.float64)
    z = tg.asarray([[x, [3, 4.5]], [(x[0], 5), np.ones(2)]])
    assert (z.dtype, z.shape) == (np.float64, (2, 2, 2))
    assert z.numpy().tolist() == [[[1.0, 2.0], [3.0, 4.5]], [[1.0, 5.0], [1.0, 1.0]]]
    (g,) = tg.gradients(z, x)
    assert g.numpy().tolist() == [2.0, 1.0]


def test_a_list_of_tensors_is_an_operand_like_any_other():
    x = tg.asarray(2.0)
    y = tg.asarray([1.0, 10.0]) * [x, 3.0]
    assert (y.dtype, y.numpy().tolist()) == (np.float32, [2.0, 30.0])
    assert tg.gradients(y, x)[0].item() == 1.0
    assert tg.gradients(tg.sum([x, x]), x)[0].item() == 2.0


def test_a_dtype_asked_for_is_given_to_every_part_of_a_list():
    z = tg.asarray([tg.asarray(1.5), 2, np.float64(3.5)], "float16")
    assert (z.dtype, z.numpy().tolist()) == (np.float16, [1.5, 2.0, 3.5])


def test_a_list_of_one_tensor_and_of_tensors_without_elements():
    assert tg.asarray([tg.ones(2)]).shape == (1, 2)
    assert tg.asarray([[], tg.zeros(0)]).shape == (2, 0)


def run(outputs, feed):
    """The values of `outputs` with arrays for some tensors of unknown sizes."""
    outputs, inputs = specialise(outputs, list(feed), sizes_of({x: value.shape for x, value in feed.items()}))
    for x, value in zip(inputs, feed.values(), strict=True):
        x.node.op = Data(value)
        x.node.tensor(0).value = value
    return [y.numpy() for y in outputs]


def unknown(*shape):
    return Input(TensorType(shape, np.dtype(np.float64)))()


def test_tensors_of_unknown_sizes_are_joined_and_differentiated():
    n, m = symbol("n"), symbol("m")
    x, y = unknown(n, 2), unknown(m, 2)
    z = tg.concat([x, y, x])
    assert z.shape == (2 * n + m, 2)
    gx, gy = tg.gradients(tg.sum(z * z * z), [x, y])
    a, b = numbers(2, 2), numbers(3, 2, seed=1)
    got = run([z, gx, gy], {x: a, y: b})
    np.testing.assert_array_equal(got[0], np.concatenate([a, b, a]))
    np.testing.assert_allclose(got[1], 6 * a * a)
    np.testing.assert_allclose(got[2], 3 * b * b)


def test_unknown_sizes_beside_the_axis_are_taken_as_equal_and_checked():
    x, y = unknown(symbol("n")), unknown(symbol("m"))
    z = tg.stack([x, y, tg.ones(2, dtype=tg.float64)])
    assert z.shape == (3, 2)
    np.testing.assert_array_equal(run([z], {x: np.zeros(2), y: np.zeros(2)})[0], [[0, 0], [0, 0], [1, 1]])
    with pytest.raises(tg.ShapeError, match="taken to be equal differ"):
        run([tg.stack([x, y])], {x: np.zeros(2), y: np.zeros(3)})


X, N = tg.ones((2, 3)), tg.ones(2, dtype="int32")
WRONG = {
    "nothing to join": (lambda: tg.concat([]), ValueError, "concat: got no tensors"),
    "nothing to stack": (lambda: tg.stack(()), ValueError, "stack: got no tensors"),
    "what is no sequence": (lambda: tg.concat(1.0), TypeError, "concat: got float; want a list or tuple of tensors"),
    "shapes that don't fit": (lambda: tg.concat([X, X[0]]), ValueError, r"concat: got float32\[2,3\], float32\[3\]"),
    "other sizes": (lambda: tg.concat([X, X.T]), ValueError, "concat: got .*; want one shape but for axis 0"),
    "scalars": (lambda: tg.concat([X[0, 0], 1.0]), IndexError, "concat: got axis 0 of a tensor with 0 axes"),
    "shapes to stack": (lambda: tg.stack([X, X[0]]), ValueError, r"stack: got float32\[2,3\], float32\[3\]; want one"),
    "an axis to stack": (lambda: tg.stack([X, X], axis=3), IndexError, "stack: got axis 3"),
    "dtypes": (lambda: tg.concat([X[:, 0], N]), TypeError, "concat: float32 and int32 don't mix"),
    "dtypes in a list": (lambda: tg.asarray([X[:, 0], N]), TypeError, "asarray: float32 and int32 don't mix"),
    "a ragged list": (lambda: tg.asarray([[X[0, 0], 1.0], [1.0]]), ValueError, "asarray: got a list of"),
    "a name in a list": (lambda: tg.asarray([X[0, 0], "a"]), TypeError, "want numbers or booleans"),
    "unequal sections": (lambda: tg.split(X, 2, axis=1), ValueError, "split: got 2 sections of axis 1 of float32"),
    "no sections": (lambda: tg.split(X, 0), ValueError, "split: got 0 sections"),
    "fractional sections": (lambda: tg.split(X, 1.5), TypeError, "split: got indices_or_sections 1.5; want"),
    "an unknown size": (lambda: tg.unstack(unknown(symbol("n"))), ValueError, "isn't known yet"),
    "an axis to unstack": (lambda: tg.unstack(1.0), IndexError, "unstack: got axis 0 of a tensor with 0 axes"),
}


@pytest.mark.parametrize(("call", "kind", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_use_says_what_was_got_and_wanted(call, kind, message):
    check_error(call, kind, message)


JOINS = {"list": tg.asarray, "stack": tg.stack, "concat": lambda xs: tg.concat(xs, axis=None)}


@pytest.mark.parametrize("join", JOINS.values(), ids=JOINS)
def test_numbers_join_in_a_traced_function_as_they_do_outside(join):
    for numbers in ((1.5, 2.5), (1, 2), (1, 2.5)):
        want = join(list(numbers))
        got = tg.jit(lambda a, b: join([a, b]))(*numbers)
        assert (got.dtype, got.numpy().tolist()) == (want.dtype, want.numpy().tolist())


def test_variables_in_a_list_are_stacked():
    x = tg.Variable([1.0, 2.0])
    assert tg.asarray([x, x]).numpy().tolist() == [[1.0, 2.0], [1.0, 2.0]]
    assert tg.stack(x).numpy().tolist() == [1.0, 2.0]
