"""Programs from users' reports about gradients that were stopped, or should have been; values worked out by hand."""

import math

import numpy as np
import pytest

from tf_programs import forward, plain, tape
from tidegate import tf

sg, sq = tf.stop_gradient, tf.square


def of64(function, *xs):
    """Gradients in float64, by a tape over variables."""
    variables = [tf.Variable(x, dtype=tf.float64) for x in xs]
    with tf.GradientTape() as t:
        y = function(*variables)
    found = plain(t.gradient(y, variables))
    return found[0] if len(xs) == 1 else found


@pytest.mark.parametrize(("stop", "want"), [(sg, -4.4), (tf.identity, 7.48)])
def test_a_value_learner_holds_its_target_constant(stop, want):
    loss = of64(lambda w: 0.5 * sq(stop(1.0 + 0.9 * (w * 3.0)) - w), 2.0)
    assert loss == pytest.approx(want)


@pytest.mark.parametrize(("second", "want"), [(sg, -3.6), (tf.identity, -5.4)])
def test_two_views_of_one_sample_need_a_stop_on_both_targets(second, want):
    def loss(w, h):
        z1, z2 = w * tf.constant([1.0, 0.0], tf.float64), w * tf.constant([0.6, 0.8], tf.float64)
        return -0.5 * (tf.reduce_sum(h * z1 * sg(z2)) + tf.reduce_sum(h * z2 * second(z1)))

    dw, _ = of64(loss, 2.0, 3.0)
    assert dw == pytest.approx(want)


def test_a_codebook_is_trained_on_its_row_and_not_on_the_straight_through_output():
    def loss(book, z, wrong):
        row = tf.gather(book, tf.argmin(tf.reduce_sum(sq(book - z), axis=1)))
        passed = z + sg(row - z)
        return tf.reduce_sum(sq((passed if wrong else row) - sg(z)))

    book, z = [[0.0, 0.0], [1.0, 1.0]], [0.8, 0.7]
    wrong, right = (of64(lambda b, z, w=w: loss(b, z, w), book, z) for w in (True, False))
    assert wrong[0] is right[1] is None
    np.testing.assert_allclose(wrong[1], [0.4, 0.6])
    np.testing.assert_allclose(right[0], [[0.0, 0.0], [0.4, 0.6]])


def test_nothing_flows_through_the_place_of_a_maximum():
    assert of64(lambda scores: sq(tf.cast(tf.argmax(scores), tf.float64)), [0.2, 0.9]) is None


def test_unused_and_stopped_are_none_and_switched_off_is_zero():
    found = of64(lambda unused, held, off, live: live * live + sg(held) * live + tf.nn.relu(off), 2.0, 3.0, -1.0, 4.0)
    assert found == [None, None, 0.0, 11.0]


@pytest.mark.parametrize("function", [tf.sqrt, tf.math.log])
def test_a_bad_derivative_in_the_branch_not_taken_does_no_harm_once_its_input_is_replaced(function):
    def loss(x):
        ok = x > 0.0
        return tf.reduce_sum(tf.where(ok, function(tf.where(ok, x, tf.ones_like(x))), tf.zeros_like(x)))

    np.testing.assert_allclose(of64(loss, [0.0, 4.0, -1.0]), [0.0, 0.25, 0.0])


def test_a_bad_derivative_that_is_never_asked_for_does_no_harm():
    assert of64(lambda x: tf.reduce_sum((x + 1.0) * sg(tf.sqrt(tf.reduce_sum(sq(x))))), [0.0, 0.0]) == [0.0, 0.0]


def test_an_open_bad_derivative_is_nan():
    found = of64(lambda x: tf.reduce_sum((x + 1.0) * tf.sqrt(tf.reduce_sum(sq(x)))), [0.0, 0.0])
    assert all(math.isnan(v) for v in found)


def test_rounding_straight_through_has_gradient_one():
    assert of64(lambda x: sq(x + sg(tf.round(x) - x) - 1.0), 2.6) == pytest.approx(4.0)
    assert of64(lambda x: sq(sg(tf.round(x)) - 1.0), 2.6) is None


@pytest.mark.parametrize(
    ("function", "want"),
    [(lambda v: v * sg(v), 3.25), (lambda v: sg(v) * 2.0, None), (lambda v: v + sg(tf.round(v) - v), 1.0)],
)
def test_both_modes_agree_on_stops(function, want):
    assert forward(function, 3.25, 1.0) == want
    assert tape(function, 3.25) == want


def test_a_difference_quotient_agrees_where_stopped_values_are_held():
    def loss(x, held=None):
        return x * (sg(x) if held is None else held)

    at, step = 3.0, 1e-3
    up, down = tf.constant(at + step, tf.float64), tf.constant(at - step, tf.float64)
    held = tf.constant(at, tf.float64)
    assert of64(loss, at) == 3.0
    assert plain((loss(up) - loss(down)) / (2 * step)) == pytest.approx(6.0)
    assert plain((loss(up, held) - loss(down, held)) / (2 * step)) == pytest.approx(3.0)


@pytest.mark.parametrize(("stop", "want"), [(sg, [18.0, 6.0, None]), (tf.identity, [27.0, 18.0, 6.0])])
def test_a_stopped_factor_stays_constant_at_every_order(stop, want):
    x = tf.Variable(3.0)
    with tf.GradientTape() as third:
        with tf.GradientTape() as second:
            with tf.GradientTape() as first:
                y = sq(x) * stop(x)
            a = first.gradient(y, x)
        b = second.gradient(a, x)
    assert plain([a, b, third.gradient(b, x)]) == want


@pytest.mark.parametrize(("stop", "want"), [(sg, [0.75, 0.625]), (tf.identity, [0.0, -0.5])])
def test_the_score_of_a_sample_needs_the_sample_stopped(stop, want):
    def log_probability(mu, s):
        draw = stop(mu + s * 1.5)
        return -0.5 * sq((draw - mu) / s) - tf.math.log(s)

    np.testing.assert_allclose(of64(log_probability, 0.5, 2.0), want, atol=1e-12)


@pytest.mark.parametrize(("stop", "want"), [(tf.identity, 4.16), (sg, 5.2)])
def test_one_inner_step_with_and_without_its_second_order(stop, want):
    w = tf.Variable(3.0, dtype=tf.float64)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            small = sq(w - 1.0)
        y = sq(w - 0.1 * stop(inner.gradient(small, w)))
    assert plain(outer.gradient(y, w)) == pytest.approx(want)


@pytest.mark.parametrize("way", [lambda f: f, tf.function])
def test_a_value_and_its_stopped_twin_are_not_merged(way):
    pair = way(lambda w: (sq(w), sg(sq(w))))

    def loss(w):
        n, s = pair(tf.identity(w))
        return n + s * w

    assert of64(loss, 3.0) == 15.0


def test_a_weight_without_a_gradient_does_not_decay():
    held, free = tf.Variable(2.0), tf.Variable(1.0)
    with tf.GradientTape() as t:
        y = sg(held) * free
    for v, g in zip([held, free], t.gradient(y, [held, free]), strict=True):
        if g is not None:
            v.assign_sub(0.5 * (g + 0.1 * v))
    np.testing.assert_allclose(plain([held, free]), [2.0, -0.05], rtol=1e-6)


def test_a_container_is_stopped_leaf_by_leaf():
    w, x = tf.Variable(2.0), tf.Variable(5.0)
    with tf.GradientTape(persistent=True) as t:
        pack = {"w": w * 1.0, "n": tf.constant(3), "rest": [None]}
        held = tf.nest.map_structure(lambda v: None if v is None else sg(v), pack)
        y = held["w"] * tf.cast(held["n"], tf.float32) * x
    assert plain([y, t.gradient(y, x), t.gradient(y, w)]) == [30.0, 6.0, None]
    assert held["n"].dtype == tf.int32
    assert held["rest"] == [None]


def test_five_parameters_get_five_answers():
    def loss(a, b, c, d, e):
        prize = tf.gather(tf.constant([10.0, 20.0], tf.float64), tf.argmax(c))
        return a * a + sg(d) * a + prize + 0.0 * e

    assert of64(loss, 3.0, 1.0, [1.0, 5.0], 2.0, 7.0) == [8.0, None, None, None, 0.0]


def test_a_finite_value_may_have_a_gradient_that_is_not():
    x = tf.Variable([0.0, 1.0])
    with tf.GradientTape(persistent=True) as t:
        a = sq(x)
        b = tf.sqrt(a)
        y = tf.reduce_sum(b * 3.0)
    np.testing.assert_array_equal(t.gradient(y, a).numpy(), [math.inf, 1.5])
    np.testing.assert_array_equal(t.gradient(y, x).numpy(), [math.nan, 3.0])


# The programs of TensorFlow's documentation of stop_gradient


def test_the_stable_softmax_has_the_softmaxs_gradient():
    def stable(x):
        z = x - sg(tf.reduce_max(x))
        e = tf.exp(z)
        return e / tf.reduce_sum(e)

    x = [1.0, 2.0, 2.0]
    np.testing.assert_allclose(tape(lambda x: stable(x)[0], x), tape(lambda x: tf.nn.softmax(x)[0], x), rtol=1e-5)


def test_expectation_maximisation_differentiates_the_m_step_only():
    data = tf.constant([-1.0, -1.2, 2.0, 2.2, 1.8])
    mean = tf.Variable([-0.5, 0.5])
    for _ in range(60):
        with tf.GradientTape() as t:
            distance = sq(data[:, None] - mean[None, :])
            share = sg(tf.nn.softmax(-distance))
            loss = tf.reduce_sum(share * distance)
        mean.assign_sub(0.05 * t.gradient(loss, mean))
    np.testing.assert_allclose(mean.numpy(), [-1.1, 2.0], atol=1e-2)


def test_contrastive_divergence_does_not_pass_the_sampler():
    w, data = tf.Variable(0.5), tf.constant([1.0, 2.0])
    with tf.GradientTape() as t:
        fantasy = sg(data * w)
        energy = tf.reduce_mean(w * data) - tf.reduce_mean(w * fantasy)
    assert plain(t.gradient(energy, w)) == pytest.approx(1.5 - 0.75)


def test_an_adversarial_example_is_constant():
    w, x = tf.Variable(2.0), tf.constant(3.0)
    with tf.GradientTape() as t:
        with tf.GradientTape() as inner:
            inner.watch(x)
            loss = sq(w * x - 1.0)
        bad = sg(x + 0.1 * tf.sign(inner.gradient(loss, x)))
        y = sq(w * bad - 1.0)
    assert plain(t.gradient(y, w)) == pytest.approx(2 * (2.0 * 3.1 - 1.0) * 3.1, rel=1e-5)
