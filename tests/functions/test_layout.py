"""Functions of layout give NumPy's results, on every kind of shape, and derivatives that follow the elements."""

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

SHAPES = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3)


def numbers(*shape, seed=0):
    return np.random.default_rng(seed).uniform(-2.0, 2.0, shape)


def axes_of(rank, **sizes):
    if not rank:
        return st.just([])
    return st.lists(st.integers(-rank, rank - 1), unique_by=lambda a: a % rank, **sizes)


def assert_same(got, want):
    assert isinstance(got, tg.Tensor)
    assert got.shape == want.shape
    np.testing.assert_array_equal(got.numpy(), want)


@given(shape=SHAPES, data=st.data())
def test_turning_equals_numpys(shape, data):
    x = numbers(*shape)
    axis = data.draw(st.none() | axes_of(len(shape)).map(tuple))
    assert_same(tg.flip(x, axis=axis), np.flip(x, axis))


@given(shape=hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=3), data=st.data())
def test_rolling_equals_numpys(shape, data):
    x = numbers(*shape)
    axes = data.draw(axes_of(len(shape), min_size=1))
    shifts = tuple(data.draw(st.lists(st.integers(-5, 5), min_size=len(axes), max_size=len(axes))))
    assert_same(tg.roll(x, shifts, axis=tuple(axes)), np.roll(x, shifts, tuple(axes)))
    one = data.draw(st.integers(-5, 5))
    assert_same(tg.roll(x, one), np.roll(x, one))
    assert_same(tg.roll(x, one, axis=tuple(axes)), np.roll(x, one, tuple(axes)))


@given(shape=SHAPES, repetitions=st.lists(st.integers(0, 3), max_size=4))
def test_tiling_equals_numpys(shape, repetitions):
    x = numbers(*shape)
    assert_same(tg.tile(x, tuple(repetitions)), np.tile(x, tuple(repetitions)))


@given(shape=SHAPES, count=st.integers(0, 3), data=st.data())
def test_repeating_equals_numpys(shape, count, data):
    x = numbers(*shape)
    axis = data.draw(st.none() | st.integers(-len(shape), len(shape) - 1)) if shape else None
    assert_same(tg.repeat(x, count, axis=axis), np.repeat(x, count, axis))
    size = x.size if axis is None else shape[axis]
    counts = data.draw(hnp.arrays(np.int64, size, elements=st.integers(0, 3)))
    assert_same(tg.repeat(x, counts, axis=axis), np.repeat(x, counts, axis))
    assert_same(tg.repeat(x, tg.asarray(counts), axis=axis), np.repeat(x, counts, axis))


@pytest.mark.parametrize("repeats", [[2], np.int8(2), tg.asarray(2), [1, 2]], ids=str)
def test_repeats_of_every_form_are_taken(repeats):
    x = numbers(2, 2)
    assert_same(tg.repeat(x, repeats, axis=1), np.repeat(x, np.asarray(repeats), 1))


@given(shape=SHAPES, data=st.data())
def test_moving_axes_equals_numpys(shape, data):
    x = numbers(*shape)
    source = data.draw(axes_of(len(shape)))
    target = data.draw(axes_of(len(shape), min_size=len(source), max_size=len(source)))
    assert_same(tg.moveaxis(x, tuple(source), tuple(target)), np.moveaxis(x, source, target))


def test_moving_and_exchanging_one_axis_equals_numpys():
    x = numbers(2, 3, 4)
    for a in range(-3, 3):
        for b in range(-3, 3):
            assert_same(tg.moveaxis(x, a, b), np.moveaxis(x, a, b))
            assert_same(tg.swapaxes(x, a, b), np.swapaxes(x, a, b))


@pytest.mark.parametrize("axis", [0, -1, (0,), (0, 2), (-1, 0), (1, 2), ()], ids=str)
def test_new_axes_stand_where_numpy_puts_them(axis):
    x = numbers(2, 3)
    assert_same(tg.expand_dims(x, axis), np.expand_dims(x, axis))


@pytest.mark.parametrize("axis", [0, 2, -1, (0, 2), (-1, 0), ()], ids=str)
def test_axes_of_size_one_are_dropped(axis):
    x = numbers(1, 3, 1)
    assert_same(tg.squeeze(x, axis), np.squeeze(x, axis))


@pytest.mark.parametrize("name", ["atleast_1d", "atleast_2d", "atleast_3d", "ravel"])
@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (2, 0, 3), (1, 2, 3, 4)], ids=str)
def test_other_numbers_of_axes_are_numpys(name, shape):
    x = numbers(*shape)
    assert_same(getattr(tg, name)(x), getattr(np, name)(x))


def test_several_tensors_get_axes_together():
    x, y = tg.atleast_2d(1.0, [1, 2])
    assert (x.shape, y.shape, y.dtype) == ((1, 1), (1, 2), np.int64)


def test_broadcasting_arrays_keeps_their_dtypes():
    x, y = tg.broadcast_arrays(tg.ones((3, 1), dtype="int8"), [1.0, 2.0])
    assert (x.shape, x.dtype, y.shape, y.dtype) == ((3, 2), np.int8, (3, 2), np.float32)
    assert tg.broadcast_arrays() == ()


@given(shapes=hnp.mutually_broadcastable_shapes(num_shapes=3, max_dims=3, max_side=3, min_side=0))
def test_shapes_broadcast_as_numpys(shapes):
    assert tg.broadcast_shapes(*shapes.input_shapes) == shapes.result_shape
    assert tg.broadcast_shapes() == ()
    assert tg.broadcast_shapes(3, (2, 1)) == (2, 3)


WIDTHS = [0, 2, (1, 2), ((1, 2),), ((1, 2), (0, 3)), ((1,), (2,)), [[0, 0], [2, 0]]]


@pytest.mark.parametrize("width", WIDTHS, ids=str)
@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "symmetric", "wrap"])
def test_padding_equals_numpys(mode, width):
    for x in (numbers(2, 3), numbers(1, 1), np.arange(4).reshape(2, 2)):
        assert_same(tg.pad(x, width, mode), np.pad(x, width, mode))


@pytest.mark.parametrize("value", [0, 1.5, -0.0, np.inf, np.nan])
def test_padding_with_a_number_puts_it_everywhere_around(value):
    x = numbers(2, 3)
    want = np.pad(x, ((1, 0), (0, 2)), constant_values=value)
    got = tg.pad(x, ((1, 0), (0, 2)), constant_values=value)
    assert_same(got, want)
    np.testing.assert_array_equal(np.signbit(got.numpy()), np.signbit(want))


def test_padding_an_axis_without_elements_with_a_constant():
    assert_same(tg.pad(np.zeros((0, 2)), 1, constant_values=3), np.full((2, 4), 3.0))


def test_the_derivatives_of_padding_are_right_for_the_elements_and_the_value():
    check_derivatives(lambda x, v: tg.pad(x * x, ((1, 2), (0, 1)), constant_values=v), numbers(2, 3), 1.5)
    for mode in ("edge", "reflect", "symmetric", "wrap"):
        check_derivatives(lambda x, m=mode: tg.pad(x * x, ((1, 2), (0, 5)), m), numbers(2, 3))


def test_an_infinite_value_around_leaves_the_gradient_alone():
    x = tg.asarray([1.0, 2.0])
    y = tg.pad(x, 1, constant_values=np.inf)
    (g,) = tg.gradients(tg.sum(tg.where(y < 100.0, y * y, 0.0)), [x])
    assert g.numpy().tolist() == [2.0, 4.0]


CHANGES = {
    "flip": lambda x: tg.flip(x, axis=(0, 1)),
    "roll": lambda x: tg.roll(x, (1, -1), axis=(0, 1)),
    "roll all": lambda x: tg.roll(x, 4),
    "tile": lambda x: tg.tile(x, (2, 1, 2)),
    "repeat": lambda x: tg.repeat(x, 2, axis=0),
    "repeat each": lambda x: tg.repeat(x, [2, 0, 1], axis=1),
    "moveaxis": lambda x: tg.moveaxis(x, 0, 1),
    "ravel": tg.ravel,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_the_derivatives_follow_the_elements(change):
    check_derivatives(lambda x: change(x * x), numbers(2, 3))


@pytest.mark.parametrize("dtype", ["bool", "int8", "float16", "complex64"])
def test_every_dtype_is_kept(dtype):
    x = tg.ones((2, 3), dtype=dtype)
    for change in (*CHANGES.values(), lambda x: tg.pad(x, 1), lambda x: tg.pad(x, 1, "edge"), tg.tril):
        assert change(x).dtype == x.dtype


N = symbol("n")
UNKNOWN = Input(TensorType((N, 3), np.dtype(np.float64)))()


def test_unknown_sizes_are_kept_where_they_can_be():
    assert tg.flip(UNKNOWN).shape == (N, 3)
    assert tg.tile(UNKNOWN, (2, 2)).shape == (2 * N, 6)
    assert tg.repeat(UNKNOWN, 2, axis=0).shape == (2 * N, 3)
    assert tg.roll(UNKNOWN, 1, axis=1).shape == (N, 3)
    assert tg.pad(UNKNOWN, 1, constant_values=2.0).shape == (N + 2, 5)
    assert tg.ravel(UNKNOWN).shape == (3 * N,)
    assert tg.moveaxis(UNKNOWN, 0, 1).shape == (3, N)
    assert tg.triu(UNKNOWN).shape == (N, 3)


# Methods.

METHODS = {
    "sum": lambda x: (x.sum(1), np.sum(x.numpy(), 1)),
    "sum of a dtype": lambda x: (x.sum(dtype="int32", keepdims=True), np.sum(x.numpy().astype("int32"), keepdims=True)),
    "prod": lambda x: (x.prod(axis=0), np.prod(x.numpy(), 0)),
    "mean": lambda x: (x.mean((0, 1)), np.mean(x.numpy(), (0, 1))),
    "var": lambda x: (x.var(0, correction=1), np.var(x.numpy(), 0, ddof=1)),
    "std": lambda x: (x.std(), np.std(x.numpy())),
    "max": lambda x: (x.max(1, keepdims=True), np.max(x.numpy(), 1, keepdims=True)),
    "min": lambda x: (x.min(), np.min(x.numpy())),
    "any": lambda x: (x.any(0), np.any(x.numpy(), 0)),
    "all": lambda x: (x.all(), np.all(x.numpy())),
    "argmax": lambda x: (x.argmax(), np.argmax(x.numpy())),
    "argmin": lambda x: (x.argmin(1), np.argmin(x.numpy(), 1)),
    "transpose": lambda x: (x.transpose(), x.numpy().transpose()),
    "transpose by integers": lambda x: (x.transpose(1, 0), x.numpy().transpose(1, 0)),
    "transpose by a tuple": lambda x: (x.transpose((0, -1)), x.numpy().transpose((0, -1))),
    "flatten": lambda x: (x.flatten(), x.numpy().flatten()),
    "ravel": lambda x: (x.ravel(), x.numpy().ravel()),
    "squeeze": lambda x: (x[:1].squeeze(), x.numpy()[:1].squeeze()),
    "squeeze an axis": lambda x: (x[:1, :1].squeeze(1), x.numpy()[:1, :1].squeeze(1)),
    "copy": lambda x: (x.copy(), x.numpy()),
    "reshape": lambda x: (x.reshape(3, -1), x.numpy().reshape(3, -1)),
}


@pytest.mark.parametrize("pair", METHODS.values(), ids=METHODS)
def test_a_method_means_what_numpys_does(pair):
    got, want = pair(tg.asarray(numbers(2, 3)))
    assert got.shape == want.shape
    np.testing.assert_allclose(got.numpy(), want, rtol=1e-14)


def test_a_copy_is_a_tensor_of_its_own_through_which_gradients_flow():
    x = tg.asarray([1.0, 2.0])
    y = x.copy()
    assert y is not x
    assert tg.gradients(y * y, x)[0].numpy().tolist() == [2.0, 4.0]


X, TWOS = tg.ones((2, 3)), tg.ones((2, 2), dtype=int)
WRONG = {
    "an axis to flip": (lambda: tg.flip(X, axis=2), IndexError, "flip: got axis 2 of a tensor with 2 axes"),
    "an axis to roll": (lambda: tg.roll(X, 1, axis=-3), IndexError, "roll: got axis -3"),
    "shifts and axes": (lambda: tg.roll(X, (1, 2), axis=0), ValueError, "roll: got 2 shifts and 1 axes; want one each"),
    "half a shift": (lambda: tg.roll(X, 0.5), TypeError, "roll: got shift 0.5; want an integer"),
    "rolling an unknown size": (lambda: tg.roll(UNKNOWN, 1, axis=0), ValueError, "roll: got .*isn't known yet"),
    "fewer than no tiles": (lambda: tg.tile(X, (2, -1)), ValueError, "tile: got repetitions .2, -1.; want at least 0"),
    "half a tile": (lambda: tg.tile(X, 1.5), TypeError, "tile: got repetitions 1.5; want an integer"),
    "negative repeats": (lambda: tg.repeat(X, -1), ValueError, "repeat: got repeats -1; want at least 0"),
    "negative repeats as data": (lambda: tg.repeat([1, 2], [1, -2]), ValueError, "repeat: got repeats -2"),
    "fractional repeats": (lambda: tg.repeat(X, 1.5), TypeError, "repeat: got repeats 1.5; want an integer"),
    "repeats of floats": (lambda: tg.repeat(X, [1.0] * 6), TypeError, r"repeat: got repeats float32\[6\]"),
    "too many repeats": (lambda: tg.repeat(X, [1, 2, 3], axis=0), ValueError, "want as many repeats as axis 0 has"),
    "traced repeats": (lambda: tg.vmap(lambda n: tg.repeat(X, n, axis=0))(TWOS), TypeError, "numpy: .*traced"),
    "places to move to": (lambda: tg.moveaxis(X, (0, 1), 0), IndexError, "moveaxis: got 2 axes and 1 places"),
    "an axis moved twice": (lambda: tg.moveaxis(X, (0, 0), (0, 1)), IndexError, "moveaxis: .*want each once"),
    "an axis to swap": (lambda: tg.swapaxes(X, 0, 2), IndexError, "swapaxes: got axis 2"),
    "new axes twice": (lambda: tg.expand_dims(X, (0, -4)), IndexError, "expand_dims: .*want each once"),
    "a new axis too far": (lambda: tg.expand_dims(X, 3), IndexError, "expand_dims: got axis 3 of a tensor with 3 axes"),
    "axes of no permutation": (lambda: tg.permute_dims(X, 0), TypeError, "permute_dims: got axes 0; want a tuple"),
    "shapes that don't broadcast": (lambda: tg.broadcast_arrays(X, X.T), ValueError, "broadcast_arrays: shapes"),
    "sizes that don't broadcast": (lambda: tg.broadcast_shapes((2,), (3,)), ValueError, "broadcast_shapes: shapes"),
    "a size below zero": (lambda: tg.broadcast_shapes((-2,), (3,)), ValueError, "broadcast_shapes: got shape"),
    "a shape too small": (lambda: tg.broadcast_to(X, 3), ValueError, "broadcast_to: .2,3. doesn't broadcast to .3."),
    "a shape below zero": (lambda: tg.broadcast_to(X, (2, -3)), ValueError, "broadcast_to: got shape"),
    "an unknown mode": (lambda: tg.pad(X, 1, "mirror"), ValueError, "pad: got mode 'mirror'; want one of 'constant'"),
    "a negative width": (lambda: tg.pad(X, -1), ValueError, "pad: got pad_width -1; want at least 0"),
    "a fractional width": (lambda: tg.pad(X, 1.5), TypeError, "pad: got pad_width 1.5; want integers"),
    "widths of other axes": (lambda: tg.pad(X, ((1, 1),) * 3), ValueError, "want a pair for each axis"),
    "nothing to extend": (lambda: tg.pad(tg.zeros(0), 1, "edge"), ValueError, "want elements along axis 0"),
    "a vector around": (lambda: tg.pad(X, 1, constant_values=[1, 2]), ValueError, "want one without axes"),
}  # fmt: skip


@pytest.mark.parametrize(("call", "kind", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_use_says_what_was_got_and_wanted(call, kind, message):
    check_error(call, kind, message)
