"""tf.custom_gradient, tf.recompute_grad and tf.grad_pass_through."""

import numpy as np
import pytest

from tf_programs import V1, forward, graph_gradients, plain, tape, twice
from tidegate import tf

WAYS = [lambda f: f, tf.function]
"""At the prompt, and traced."""


@pytest.mark.parametrize("way", WAYS)
def test_the_users_gradient_takes_the_bodys_place_and_is_differentiated_itself(way):
    f = tf.custom_gradient(lambda x: (tf.sin(x), lambda dy: dy * x**3))
    assert twice(way(f), 2.0) == [8.0, 12.0]


def test_in_a_graph_too():
    assert graph_gradients(tf.custom_gradient(lambda x: (tf.sin(x), lambda dy: dy * x**3)), 2.0) == 8.0


def test_in_a_graph_for_sizes_that_are_not_known():
    with tf.Graph().as_default():
        x = V1.placeholder(tf.float32, [None])
        (d,) = tf.gradients(tf.custom_gradient(lambda a: (a * a, lambda dy: dy * a * 100.0))(x), x)
        assert V1.Session().run(d, {x: [1.0, 2.0]}).tolist() == [100.0, 200.0]


def test_the_value_is_the_functions():
    f = tf.custom_gradient(lambda x: (tf.sin(x), lambda dy: dy))
    np.testing.assert_allclose(f(tf.constant(2.0)).numpy(), np.sin(2.0), rtol=1e-6)


@pytest.mark.parametrize("way", WAYS)
def test_the_argument_itself_may_be_returned(way):
    assert tape(way(tf.custom_gradient(lambda x: (x, lambda dy: dy * 6.0))), 2.0) == 6.0


def test_none_may_be_given_for_an_input():
    assert tape(tf.custom_gradient(lambda a, b: (a * b, lambda dy: (dy, None))), 2.0, 3.0) == [1.0, None]


def test_another_number_of_gradients_is_a_value_error_when_they_are_asked_for():
    f = tf.custom_gradient(lambda a, b: (a * b, lambda dy: dy))
    assert plain(f(tf.constant(2.0), tf.constant(3.0))) == 6.0
    with pytest.raises(ValueError, match="gave 1 gradients for 2 inputs"):
        tape(f, 2.0, 3.0)


@pytest.mark.parametrize("way", WAYS)
def test_an_output_that_is_not_used_has_zeros_flowing_in(way):
    f = way(tf.custom_gradient(lambda a: ((a * 2.0, a * 3.0), lambda d0, d1: d0 * 10.0 + d1 * 100.0)))
    assert tape(lambda x: f(x)[0], 2.0) == 10.0


def test_a_gradient_function_that_does_not_take_variables_is_a_type_error():
    v = tf.Variable(3.0)
    with pytest.raises(TypeError, match="must take variables=None"):
        tape(tf.custom_gradient(lambda x: (x * v, lambda dy: dy)), 2.0)


@pytest.mark.parametrize("way", WAYS)
def test_a_variable_that_the_body_reads_gets_what_is_given_for_it(way):
    v = tf.Variable(3.0)

    @tf.custom_gradient
    def f(x):
        def gradient(dy, variables=None):
            assert [w is v for w in variables] == [True]
            return dy * 7.0, [dy * x * 100.0]

        return x * v, gradient

    x = tf.constant(2.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = way(f)(x)
    assert plain(t.gradient(y, [x, v])) == [7.0, 200.0]


def test_a_variable_as_an_argument_is_an_input():
    assert tape(tf.custom_gradient(lambda x: (x * 2.0, lambda dy: dy * 7.0)), tf.Variable(3.0)) == 7.0


@pytest.mark.parametrize("way", WAYS)
def test_forward_mode_uses_the_users_gradient(way):
    assert forward(way(tf.custom_gradient(lambda x: (tf.sin(x), lambda dy: dy * 7.0))), 2.0, 1.0) == 7.0


def test_an_exception_of_the_users_reaches_the_caller():
    with pytest.raises(KeyError):
        tape(tf.custom_gradient(lambda x: (x, lambda dy: {}["k"])), 2.0)


def test_a_gradient_of_another_shape_is_a_value_error():
    with pytest.raises(ValueError, match=r"gave float32\[\] for float32\[2\]"):
        tape(tf.custom_gradient(lambda x: (x, tf.reduce_sum)), [1.0, 2.0])


@pytest.mark.parametrize("result", [1.0, (1.0,), (1.0, 2.0)])
def test_a_function_that_gives_no_gradient_function_is_a_type_error(result):
    with pytest.raises(TypeError, match="must return its value and a gradient function"):
        tf.custom_gradient(lambda x: result)(tf.constant(1.0))


def test_it_maps_over_rows():
    f = tf.custom_gradient(lambda x: (tf.sin(x), lambda dy: dy * x))
    assert tape(lambda x: tf.vectorized_map(f, x), [1.0, 2.0]) == [1.0, 2.0]


def test_clipping_what_flows_back():
    clipped = tf.custom_gradient(lambda x: (tf.identity(x), lambda dy: tf.clip_by_norm(dy, 0.5)))
    assert tape(lambda x: tf.reduce_sum(clipped(x) * 3.0), [1.0]) == [0.5]


def test_recompute_runs_the_body_again_once():
    calls = []
    assert tape(tf.recompute_grad(lambda x: (calls.append(1), x * x)[1]), 3.0) == 6.0
    assert len(calls) == 2


def test_recompute_finds_the_bodys_variables():
    v = tf.Variable(2.0)
    with tf.GradientTape() as t:
        y = tf.recompute_grad(lambda x: x * x * v)(tf.constant(3.0))
    assert plain(t.gradient(y, v)) == 9.0


def test_grad_pass_through_has_gradient_one():
    assert tape(tf.grad_pass_through(tf.round), 1.7) == 1.0
