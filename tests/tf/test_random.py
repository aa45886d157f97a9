"""Random numbers: of their shapes and ranges, the same for the same seeds."""

import numpy as np
import pytest

from tf_programs import V1, plain, tape
from tidegate import tf


def test_the_same_seed_gives_the_same_numbers_and_the_next_draw_others():
    tf.random.set_seed(1)
    a, b = tf.random.normal([3]), tf.random.normal([3])
    tf.random.set_seed(1)
    assert plain(tf.random.normal([3])) == plain(a) != plain(b)


def test_numbers_are_of_their_distribution():
    tf.random.set_seed(2)
    z, u = tf.random.normal([10_000], 3.0, 2.0), tf.random.uniform([10_000], -1.0, 1.0)
    assert (z.dtype, z.shape) == (tf.float32, [10_000])
    np.testing.assert_allclose([z.numpy().mean(), z.numpy().std()], [3.0, 2.0], atol=0.1)
    assert u.numpy().min() >= -1.0
    assert u.numpy().max() < 1.0


def test_whole_numbers_are_below_their_bound():
    tf.random.set_seed(3)
    n = tf.random.uniform([100], 2, 5, tf.int32)
    assert (n.dtype, sorted(set(n.numpy().tolist()))) == (tf.int32, [2, 3, 4])
    with pytest.raises(ValueError, match="want a maxval"):
        tf.random.uniform([1], dtype=tf.int32)


def test_stateless_numbers_depend_on_their_seed_alone():
    a, b, c = (tf.random.stateless_uniform([4], seed=s) for s in ([1, 2], [1, 2], [1, 3]))
    assert plain(a) == plain(b) != plain(c)


def test_gradients_flow_to_the_mean_and_the_deviation():
    tf.random.set_seed(4)
    dmean, ddeviation = tape(lambda m, s: tf.reduce_sum(tf.random.normal([2], m, s)), 0.0, 1.0)
    tf.random.set_seed(4)
    assert dmean == 2.0
    assert ddeviation == pytest.approx(tf.random.normal([2]).numpy().sum(), rel=1e-6)


def test_in_a_graph_each_run_draws_once():
    with tf.Graph().as_default():
        x = tf.random.uniform([2])
        y = x * 2.0
        session = V1.Session()
        first, second = session.run([x, y]), session.run([x, y])
    np.testing.assert_allclose(first[1], first[0] * 2.0)
    assert first[0].tolist() != second[0].tolist()


def test_in_a_function_a_draw_is_refused():
    with pytest.raises(ValueError, match="drawn once"):
        tf.function(lambda: tf.random.normal([2]))()
