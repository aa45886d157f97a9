"""Parts by their places, updates, segments, slices, different values."""

import numpy as np
import pytest

from tf_programs import graph_gradients, plain, tape
from tidegate import tf

X = np.arange(24.0, dtype=np.float32).reshape(2, 3, 4)


def test_gather_nd_reads_by_coordinates():
    np.testing.assert_array_equal(tf.gather_nd(X, [[0, 1], [1, 2]]).numpy(), X[[0, 1], [1, 2]])
    np.testing.assert_array_equal(tf.gather_nd(X, [[[0], [2]], [[1], [1]]], batch_dims=1).numpy(),
                                  np.stack([X[0][[0, 2]], X[1][[1, 1]]]))  # fmt: skip
    assert tape(lambda x: tf.gather_nd(x, [[1], [1]]), [1.0, 2.0]) == [0.0, 2.0]


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_gather_reads_along_an_axis(axis):
    np.testing.assert_array_equal(tf.gather(X, [1, 0, 1], axis=axis).numpy(), X.take([1, 0, 1], axis=axis))


def test_gather_reads_row_by_row_with_batch_dims():
    got = tf.gather(X, [[2, 0], [1, 1]], batch_dims=1)
    np.testing.assert_array_equal(got.numpy(), np.stack([X[0][[2, 0]], X[1][[1, 1]]]))


def test_an_index_that_is_not_there_is_an_invalid_argument_with_its_line():
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"test_places\.py:\d+"):
        tf.gather([1.0, 2.0], [7]).numpy()


def test_scatter_nd_adds_up():
    assert plain(tf.scatter_nd([[1], [1], [3]], [1.0, 2.0, 4.0], [4])) == [0.0, 3.0, 0.0, 4.0]


@pytest.mark.parametrize(
    ("function", "want"),
    [
        (tf.tensor_scatter_nd_update, [[1.0, 0.0], [1.0]]),
        (tf.tensor_scatter_nd_add, [[1.0, 1.0], [1.0]]),
        (tf.tensor_scatter_nd_sub, [[1.0, 1.0], [-1.0]]),
        (tf.tensor_scatter_nd_max, [[1.0, 0.0], [1.0]]),
        (tf.tensor_scatter_nd_min, [[1.0, 1.0], [0.0]]),
    ],
)
def test_the_gradient_of_an_update_goes_to_what_stands(function, want):
    assert tape(lambda t, u: function(t, [[1]], u), [1.0, 2.0], [9.0]) == want


@pytest.mark.parametrize(
    ("function", "want"),
    [
        (tf.math.segment_sum, [3.0, 4.0]),
        (tf.math.segment_mean, [1.5, 4.0]),
        (tf.math.segment_max, [2.0, 4.0]),
        (tf.math.segment_min, [1.0, 4.0]),
    ],
)
def test_segments_are_reduced(function, want):
    assert plain(function([1.0, 2.0, 4.0], [0, 0, 1])) == want


def test_ties_of_a_segment_share():
    assert tape(lambda x: tf.math.segment_max(x, [0, 0, 0]), [4.0, 4.0, 1.0]) == [0.5, 0.5, 0.0]


def test_rows_of_a_negative_segment_are_left_out():
    assert tape(lambda x: tf.math.unsorted_segment_sum(x, [0, -1], 2), [1.0, 2.0]) == [1.0, 0.0]
    assert plain(tf.math.unsorted_segment_mean([1.0, 2.0, 6.0], [1, 1, -1], 2)) == [0.0, 1.5]


def test_an_unsorted_segment_without_rows_has_the_least_number():
    assert plain(tf.math.unsorted_segment_max([1.0], [1], 2)) == [float(np.finfo(np.float32).min), 1.0]


def test_slices_are_read():
    np.testing.assert_array_equal(tf.slice(X, [0, 1, 0], [-1, 2, 3]).numpy(), X[:, 1:3, :3])
    got = tf.strided_slice(X, [0, 2, 0], [2, 0, 0], [1, -1, 1], end_mask=2, shrink_axis_mask=4)
    np.testing.assert_array_equal(got.numpy(), X[0:2, 2::-1, 0])


def test_a_slice_beyond_the_tensor_is_an_invalid_argument():
    with pytest.raises(tf.errors.InvalidArgumentError, match="want a part of it"):
        tf.slice([1.0, 2.0], [1], [2])


def test_different_values_come_in_the_order_in_which_they_came():
    values, places = tf.unique([5.0, 1.0, 5.0, 7.0, 1.0])
    assert plain([values, places]) == [[5.0, 1.0, 7.0], [0, 1, 0, 2, 1]]
    assert places.dtype == tf.int32


@pytest.mark.parametrize("gradient", [tape, graph_gradients])
def test_different_values_have_no_gradient_on_the_path(gradient):
    with pytest.raises(LookupError):
        gradient(lambda x: tf.unique(x)[0], [1.0, 1.0])
    assert gradient(lambda x: tf.stop_gradient(tf.unique(x)[0]), [1.0, 1.0]) is None


def test_elements_are_repeated_and_masked_and_banded():
    assert plain(tf.repeat([1.0, 2.0], 2)) == [1.0, 1.0, 2.0, 2.0]
    assert plain(tf.repeat([[1.0], [2.0]], [1, 2], axis=0)) == [[1.0], [2.0], [2.0]]
    assert plain(tf.sequence_mask([1, 0, 2])) == [[True, False], [False, False], [True, True]]
    assert plain(tf.linalg.band_part(tf.ones([3, 3]), 0, 1)) == [[1.0, 1.0, 0.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]


def test_a_bias_is_added_along_its_axis():
    x = np.zeros((1, 2, 3), np.float32)
    assert plain(tf.nn.bias_add(x, [1.0, 2.0, 3.0])) == [[[1.0, 2.0, 3.0]] * 2]
    assert plain(tf.nn.bias_add(x, [1.0, 2.0], "NCW")) == [[[1.0] * 3, [2.0] * 3]]


def test_a_tensor_array_is_written_place_by_place_and_differentiates():
    def squares(x):
        array = tf.TensorArray(tf.float32, size=2)
        for i in range(2):
            array = array.write(i, x ** float(i + 1))
        return array.stack()

    assert tape(squares, 3.0) == 7.0


def test_a_place_of_a_tensor_array_that_is_not_there_is_a_value_error():
    array = tf.TensorArray(tf.float32, size=1)
    with pytest.raises(ValueError, match="got place 1 of 1"):
        array.write(1, 1.0)
    with pytest.raises(ValueError, match="nothing was written"):
        array.read(0)
    with pytest.raises(TypeError, match="want float32"):
        array.write(0, tf.constant(1))


def test_a_registered_gradient_takes_the_place_of_an_operations():
    @tf.RegisterGradient("ReversedForThisTest")
    def reversed_gradient(op, dy):
        return -dy * op.inputs[0] / op.inputs[0]

    with tf.Graph().as_default() as g:
        x = tf.constant(3.0)
        with g.gradient_override_map({"Identity": "ReversedForThisTest"}):
            y = tf.identity(x)
        z = tf.identity(x)
        found = [*tf.gradients(y * 2.0, x), *tf.gradients(z * 2.0, x)]
        assert tf.compat.v1.Session().run(found) == [-2.0, 2.0]


def test_a_gradient_that_is_not_registered_is_a_lookup_error():
    with tf.Graph().as_default() as g, g.gradient_override_map({"Identity": "Nowhere"}):
        x = tf.constant(3.0)
        with pytest.raises(LookupError, match="no gradient 'Nowhere'"):
            tf.identity(x)
