"""Dtypes, shapes, conversions and the kinds of errors at the prompt."""

import copy
import pickle

import numpy as np
import pytest

import tidegate as tg
from tf_programs import plain, tape
from tidegate import tf

Invalid = tf.errors.InvalidArgumentError


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (1, tf.int32),
        (1.0, tf.float32),
        (1j, tf.complex128),
        (True, tf.bool),
        ([1, 2], tf.int32),
        ([1, 2.5], tf.float32),
        ([], tf.float32),
        (3_000_000_000, tf.int64),
        ([1, -(2**40)], tf.int64),
        (np.ones(1), tf.float64),
        (np.float64(1), tf.float64),
        (np.arange(2), tf.int64),
        (np.ones(1, np.float16), tf.float16),
    ],
)
def test_numbers_take_tensorflows_dtypes_and_arrays_keep_theirs(value, dtype):
    assert tf.constant(value).dtype is dtype


def test_a_dtype_equals_its_numpy_dtype_and_name():
    assert tf.float32 == np.float32
    assert tf.float32 == "float32"
    assert tf.float32 != tf.float64
    assert [tf.bool.name, tf.bfloat16.name, tf.as_dtype(float)] == ["bool", "bfloat16", tf.float32]


@pytest.mark.parametrize("dtype", [tf.float16, tf.bfloat16, tf.float32, tf.float64])
def test_a_gradient_has_its_sources_dtype(dtype):
    x = tf.constant([1.0], dtype)
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.cast(x, tf.float64) * 2.0
    assert t.gradient(y, x).dtype is dtype


@pytest.mark.parametrize("other", [tf.constant(1.0, tf.float64), tf.constant(1)])
def test_tensors_of_two_dtypes_never_mix(other):
    with pytest.raises(Invalid, match=r"want one dtype \(use tf.cast\).*test_dtypes_and_errors.py:\d+"):
        tf.constant(1.0) + other


def test_numbers_and_lists_take_the_tensors_dtype():
    x = tf.constant([1.0], tf.float64)
    assert [(x * 0.5).dtype, (2 * x).dtype, (x - [1]).dtype] == [tf.float64] * 3


def test_a_float_beside_integers_is_a_type_error():
    with pytest.raises(TypeError, match=r"got 0\.5 of kind float; want int32"):
        tf.constant(1) + 0.5


def test_bad_shapes_are_invalid_arguments():
    with pytest.raises(Invalid):
        tf.ones([2, 3]) @ tf.ones([2, 3])


def test_an_invalid_argument_is_a_value_error_and_one_of_ours():
    assert issubclass(Invalid, ValueError)
    assert issubclass(Invalid, tg.TidegateError)


def test_the_mean_of_integers_is_its_whole_part():
    assert plain([tf.reduce_mean([1, 2]), tf.reduce_mean([-1, -2])]) == [1, -1]


def test_an_integer_that_does_not_fit_is_an_overflow_error():
    with pytest.raises(OverflowError, match="out of range for uint8"):
        tf.constant([1], tf.uint8) - 300


def test_errors_name_what_tensorflow_calls_it():
    with pytest.raises(Invalid, match=r"tf\.Exp: .*tf\.cast"):
        tf.exp(1)
    with tf.Graph().as_default(), pytest.raises(TypeError, match=r"tf\.Exp: .*tf\.cast"):
        tf.exp(1)


def test_integers_divide_to_float64_and_floor_divide_to_integers():
    x, y = tf.constant(7), tf.constant(2)
    assert ((x / y).dtype, plain(x / y), (x // y).dtype, plain(x // y)) == (tf.float64, 3.5, tf.int32, 3)


def test_the_truth_of_many_elements_is_a_value_error():
    with pytest.raises(ValueError, match="one element"):
        bool(tf.constant([True, False]))


def test_an_array_on_the_left_is_the_tensors_to_answer():
    out = np.ones(2) * tf.constant([1.0, 2.0])
    assert isinstance(out, tf.Tensor)
    assert (out.dtype, plain(out)) == (tf.float32, [1.0, 2.0])


def test_a_tensor_compares_by_element_and_with_none_by_identity():
    x = tf.constant([1.0, 2.0])
    assert plain(x == [1.0, 3.0]) == [True, False]
    assert (x == None) is False  # noqa: E711
    assert (x != None) is True  # noqa: E711


def test_a_tensor_can_be_a_key():
    x, y = tf.constant(1.0), tf.constant(1.0)
    assert {x: 1, y: 2}[x] == 1


def test_numpy_gives_scalars_and_arrays():
    assert isinstance(tf.constant(1.5).numpy(), np.float32)
    np.testing.assert_array_equal(np.asarray(tf.constant([1.0])), [1.0])


def test_shapes_read_as_tensorflows():
    s = tf.ones([2, 3]).shape
    assert (s.as_list(), s.rank, s[0], len(s), list(s), s[1:]) == ([2, 3], 2, 2, 2, [2, 3], [3])
    assert s == (2, 3)
    assert str(tf.TensorShape([None, 2])) == "(None, 2)"
    assert tf.TensorShape(None).rank is None
    assert tf.TensorShape([None, 2]).is_compatible_with([5, 2])


def test_a_list_with_tensors_is_stacked_and_its_numbers_take_their_dtype():
    x = tf.constant(2.0, tf.float64)
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.convert_to_tensor([x, 1, x * 2.0])
    assert (y.dtype, plain(y), plain(t.gradient(y, x))) == (tf.float64, [2.0, 1.0, 4.0], 3.0)


def test_a_constant_fills_a_shape_or_is_put_into_it():
    assert plain(tf.constant(1.0, shape=[2])) == [1.0, 1.0]
    assert plain(tf.constant([1.0, 2.0], shape=[2, 1])) == [[1.0], [2.0]]


def test_a_constant_of_another_number_of_elements_is_a_type_error():
    with pytest.raises(TypeError, match="got 2 numbers"):
        tf.constant([1.0, 2.0], shape=[3])


@pytest.mark.parametrize("value", [None, {}, [[1], [1, 2]], "text", object()])
def test_what_is_no_number_is_a_value_error(value):
    with pytest.raises(ValueError, match=r"constant.*test_dtypes_and_errors.py:\d+"):
        tf.constant(value)


@pytest.mark.parametrize("dtype", [tf.float64, tf.int32])
def test_a_tensor_converted_to_another_dtype_is_a_value_error(dtype):
    with pytest.raises(ValueError, match=r"use tf\.cast"):
        tf.convert_to_tensor(tf.constant(1.0), dtype)


def test_op_and_name_at_the_prompt_are_value_errors():
    for ask in (lambda: tf.constant(1.0).op, lambda: tf.constant(1.0).name, lambda: tf.constant(1.0).graph):
        with pytest.raises(ValueError, match=r"in a tf\.Graph"):
            ask()


def test_assigning_to_a_part_is_a_type_error():
    x = tf.constant([1.0])
    with pytest.raises(TypeError, match="tensors don't change"):
        x[0] = 1.0


def test_a_tensor_is_shown_with_its_value():
    assert repr(tf.constant(1.5)) == "<tf.Tensor: shape=(), dtype=float32, 1.5, float32[]>"
    assert str(tf.constant(1.5)) == "tf.Tensor(1.5, shape=(), dtype=float32)"
    assert f"{tf.constant(1.25):.1f}" == "1.2"


def test_a_tensor_is_copied_and_pickled_as_its_data():
    x = tf.constant([1.0, 2.0])
    for y in (copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        np.testing.assert_array_equal(y.numpy(), [1.0, 2.0])


def test_flow_reports_and_gradients_of_ours_take_tensorflows_tensors():
    v = tf.Variable([1.0, 2.0])
    y = tf.reduce_sum(tf.stop_gradient(v) * v)
    assert tg.flow.why(y, v)[0].status == "mixed"
    np.testing.assert_array_equal(tg.gradients(y, [v])[0].numpy(), [1.0, 2.0])


def test_ours_and_tensorflows_tensors_mix():
    x = tf.constant([1.0, 2.0])
    assert isinstance(tg.exp(x), tg.Tensor)
    assert isinstance(x * tg.asarray([2.0, 2.0]), tf.Tensor)


def test_parts_are_read_by_integers_slices_none_and_ellipsis():
    a = np.arange(24.0, dtype=np.float32).reshape(2, 3, 4)
    x = tf.constant(a)
    for key in (0, -1, slice(None, None, -1), (..., 1), (None, 1), (slice(0, 2), 1, slice(1, None, 2))):
        np.testing.assert_array_equal(x[key].numpy(), a[key])
    np.testing.assert_array_equal(x[x > 5.0].numpy(), a[a > 5.0])
    np.testing.assert_array_equal(x[tf.constant(1)].numpy(), a[1])


def test_a_tensor_is_iterated_along_its_first_axis():
    a, b = tf.constant([[1.0], [2.0]])
    assert plain([a, b]) == [[1.0], [2.0]]


def test_the_gradient_of_a_reversed_slice_goes_back():
    assert tape(lambda x: x[::-2], [1.0, 2.0, 3.0]) == [1.0, 0.0, 1.0]


# Variables


def test_a_variable_takes_another_value_of_its_shape_and_dtype():
    v = tf.Variable([1.0, 2.0], name="v")
    assert v.assign([3.0, 4.0]) is v
    v.assign_add([1.0, 1.0])
    v.assign_sub(tf.constant([0.0, 2.0]))
    assert (plain(v), v.dtype, v.shape, v.name) == ([4.0, 3.0], tf.float32, [2], "v:0")


@pytest.mark.parametrize("value", [[1.0], tf.constant([1, 2])])
def test_assigning_another_shape_or_dtype_is_a_value_error(value):
    v = tf.Variable([1.0, 2.0])
    with pytest.raises(ValueError, match="assign: got"):
        v.assign(value)
    assert plain(v) == [1.0, 2.0]


def test_a_variable_without_a_value_is_a_value_error():
    with pytest.raises(ValueError, match="no initial_value"):
        tf.Variable()


def test_scatter_sub_subtracts_rows():
    v = tf.Variable([1.0, 2.0, 3.0])
    v.scatter_sub(tf.IndexedSlices(tf.constant([1.0, 1.0]), tf.constant([1, 1]), tf.constant([3])))
    assert plain(v) == [1.0, 0.0, 3.0]


def test_a_training_loop_keeps_no_history():
    v = tf.Variable([1.0, 2.0])
    for _ in range(300):
        with tf.GradientTape() as t:
            loss = tf.reduce_sum(v * v)
        v.assign_sub(t.gradient(loss, v) * 0.01)
    np.testing.assert_allclose(v.numpy(), np.float32([1, 2]) * np.float32(0.98) ** 300, rtol=1e-3)
    assert len(tg.core.graph.walk([v.read_value().tensor])) == 1
