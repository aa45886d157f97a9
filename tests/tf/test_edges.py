"""Ties, zeros and edges: TensorFlow's conventions for gradients, through TensorFlow's names."""

import math

import numpy as np
import pytest

from tf_programs import tape
from tidegate import tf

INF, NAN = math.inf, math.nan


def close(got, want):
    np.testing.assert_allclose(np.asarray(got, complex), np.asarray(want, complex), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("function", [tf.reduce_max, lambda x: -tf.reduce_min(-x)])
def test_reduced_extremes_split_equally_among_ties(function):
    close(tape(function, [4.0, 4.0, 1.0, 4.0]), [1 / 3, 1 / 3, 0.0, 1 / 3])


@pytest.mark.parametrize("function", [tf.maximum, tf.minimum])
def test_elementwise_extremes_give_all_to_the_first_at_a_tie(function):
    assert tape(function, 4.0, 4.0) == [1.0, 0.0]


def test_top_k_takes_the_lower_index_at_ties():
    assert tape(lambda x: tf.math.top_k(x, 1).values, [4.0, 4.0]) == [1.0, 0.0]


@pytest.mark.parametrize(
    ("function", "want"),
    [
        (tf.abs, 0.0),
        (tf.sign, 0.0),
        (tf.nn.relu, 0.0),
        (lambda x: tf.nn.leaky_relu(x, 0.3), 0.3),
        (tf.nn.elu, 1.0),
        (tf.nn.selu, 1.0507),
        (tf.sqrt, INF),
        (tf.math.reciprocal_no_nan, 0.0),
        (tf.math.rsqrt, -INF),
    ],
)
def test_at_zero(function, want):
    close(tape(function, 0.0), want)


def test_relu6_is_flat_at_six():
    assert tape(tf.nn.relu6, 6.0) == 0.0


def test_clipping_has_one_on_its_bounds():
    assert tape(lambda x: tf.clip_by_value(x, -2.0, 2.0), [-2.0, 0.0, 2.0, 3.0]) == [1.0, 1.0, 1.0, 0.0]


def test_clipping_reaches_bounds_that_act():
    assert tape(lambda x, low: tf.clip_by_value(x, low, 2.0), [-3.0, 1.0], -2.0) == [[0.0, 1.0], 1.0]


def test_the_norm_of_zeros_has_nan_and_clip_by_norm_ones():
    close(tape(tf.norm, [0.0, 0.0, 0.0]), [NAN] * 3)
    assert tape(lambda x: tf.clip_by_norm(x, 1.0), [0.0, 0.0]) == [1.0, 1.0]


@pytest.mark.parametrize("function", [tf.sqrt, tf.math.rsqrt, tf.math.reciprocal])
def test_zero_flowing_in_gives_exactly_zero(function):
    assert tape(function, [0.0], output_gradients=tf.constant([0.0])) == [0.0]


def test_where_with_a_square_root_is_safe():
    assert tape(lambda x: tf.where(x > 0.0, tf.sqrt(x), 0.0 * x), [0.0, 4.0]) == [0.0, 0.25]


def test_power_at_zero_and_below():
    close(tape(tf.pow, [-3.0, 0.0, 0.0], [2.0, 1.0, 0.0]), [[-6.0, 1.0, NAN], [0.0, 0.0, 0.0]])


def test_a_product_with_zeros_is_exact():
    assert tape(tf.reduce_prod, [0.0, 5.0, 4.0]) == [20.0, 0.0, 0.0]


def test_products_and_quotients_without_nan():
    close(tape(tf.math.multiply_no_nan, [INF], [0.0]), [[0.0], [INF]])
    close(tape(tf.math.divide_no_nan, [5.0], [0.0]), [[0.0], [0.0]])


@pytest.mark.parametrize("function", [tf.math.xlogy, tf.math.xlog1py, tf.math.xdivy])
def test_of_zero_times_anything_nothing_flows(function):
    close(tape(function, [0.0, 0.0], [0.0, 9.0]), [[0.0, 0.0], [0.0, 0.0]])


def test_logsumexp_ignores_minus_infinity():
    close(tape(tf.reduce_logsumexp, [1e4, -INF]), [1.0, 0.0])


def test_softplus_and_sigmoid_far_out():
    close(tape(tf.nn.softplus, [-1000.0, 1000.0]), [0.0, 1.0])
    assert tape(tf.sigmoid, 20.0) == 0.0


def test_the_angle_of_zero_has_nan():
    close(tape(tf.atan2, 0.0, 0.0), [NAN, NAN])


def test_broadcast_operands_get_their_own_shape():
    assert [np.shape(v) for v in tape(tf.multiply, [[1.0], [2.0]], [1.0, 2.0, 3.0])] == [(2, 1), (3,)]


def test_one_hot_has_none_for_its_value_and_fill_and_linspace_have_theirs():
    assert tape(lambda x: tf.one_hot([0], 2, on_value=x), 5.0) is None
    assert tape(lambda x: tf.fill([3], x), 5.0) == 3.0
    close(tape(lambda a: tf.linspace(a, 1.0, 3), 0.0), 1.5)


def test_softmax_cross_entropy_differs_from_labels_whatever_they_sum_to():
    def loss(labels, logits):
        return tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits)

    close(tape(loss, [[3.0, 1.0]], [[0.0, 0.0]]), [[[0.693147, 0.693147]], [[-2.5, -0.5]]])
    with tf.GradientTape():
        value = loss(tf.constant([[3.0, 1.0]]), tf.constant([[1.0, 2.0]]))
    close(value.numpy(), [-np.sum([3.0, 1.0] * (np.array([1.0, 2.0]) - np.log(np.exp([1.0, 2.0]).sum())))])


def test_sparse_and_dense_cross_entropy_agree():
    logits = tf.constant([[1.0, 2.0, -1.0], [0.5, 0.0, 3.0]])
    sparse = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[2, 0], logits=logits)
    dense = tf.nn.softmax_cross_entropy_with_logits(labels=tf.one_hot([2, 0], 3), logits=logits)
    close(sparse.numpy(), dense.numpy())


def test_the_cumulative_product_is_right_where_there_is_a_zero():
    assert tape(tf.math.cumprod, [2.0, 0.0, 3.0]) == [1.0, 8.0, 0.0]


@pytest.mark.parametrize("exclusive", [True, False])
@pytest.mark.parametrize("reverse", [True, False])
def test_running_sums_exclude_and_reverse(exclusive, reverse):
    x = np.array([1.0, 2.0, 3.0], np.float32)
    want = np.cumsum(x[::-1] if reverse else x)
    want = want - (x[::-1] if reverse else x) if exclusive else want
    got = tf.cumsum(tf.constant(x), exclusive=exclusive, reverse=reverse)
    np.testing.assert_array_equal(got.numpy(), want[::-1] if reverse else want)


# Complex numbers


def test_the_gradient_of_a_real_loss_points_uphill():
    close(tape(lambda z: tf.abs(z) ** 2, 1.0 + 2.0j), 2.0 + 4.0j)


def test_a_holomorphic_function_conjugates_its_derivative():
    close(tape(lambda z: z * z, 1.0 + 2.0j, output_gradients=tf.constant(1.0 + 0.0j)), 2.0 - 4.0j)


def test_parts_of_a_complex_number():
    close(tape(tf.math.imag, 1.0 + 2.0j), 1.0j)
    close(tape(tf.abs, 0.0j), 0.0j)


def test_a_real_source_has_a_real_gradient():
    assert tape(lambda x: tf.math.real(tf.cast(x, tf.complex64) * (2.0 + 3.0j)), 5.0) == 2.0
