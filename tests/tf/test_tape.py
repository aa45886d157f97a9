"""tf.GradientTape."""

import numpy as np
import pytest

import tidegate as tg
from tf_programs import plain, tape
from tidegate import tf


def test_only_what_is_watched_is_tracked():
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        y = x * x
    assert t.gradient(y, x) is None


def test_what_was_computed_before_the_watch_is_constant():
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        before = x * x
        t.watch(x)
        y = before * x
    assert plain(t.gradient(y, x)) == 9.0


def test_what_was_computed_before_the_tape_is_constant():
    x = tf.constant(3.0)
    before = x * x
    with tf.GradientTape() as t:
        t.watch(x)
        y = before * x
    assert plain(t.gradient(y, x)) == 9.0


def test_what_is_computed_after_the_tape_is_not_recorded():
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    assert t.gradient(y * 2.0, x) is None


def test_a_second_gradient_is_a_runtime_error():
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
    t.gradient(x, x)
    with pytest.raises(RuntimeError, match="persistent=True"):
        t.gradient(x, x)


def test_a_persistent_tape_gives_gradients_again():
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y, z = x * x, x * 2.0
    assert plain([t.gradient(y, x), t.gradient(z, x), t.gradient(y, x)]) == [6.0, 2.0, 6.0]


def test_the_result_has_the_structure_of_the_sources():
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    assert plain(t.gradient(y, {"a": (x, [x])})) == {"a": [6.0, [6.0]]}


def test_a_target_that_is_a_source_adds_ones():
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    assert plain(t.gradient([x, y], x)) == 7.0


def test_an_intermediate_can_be_a_source():
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        h = x * 2.0
        y = h * h
    assert plain(t.gradient(y, [x, h])) == [24.0, 12.0]


def test_watching_integers_only_warns():
    n = tf.constant(1)
    with tf.GradientTape() as t:
        with pytest.warns(UserWarning, match="no gradient flows"):
            t.watch(n)
        y = n * n
    assert t.gradient(y, n) is None


@pytest.mark.parametrize("value", [np.ones(1), 1.0, "x"])
def test_watching_what_is_no_tensor_is_a_value_error(value):
    with tf.GradientTape() as t, pytest.raises(ValueError, match="want a tensor or a variable"):
        t.watch(value)


def test_entering_a_tape_that_records_is_a_value_error():
    with tf.GradientTape() as t, pytest.raises(ValueError, match="recording already"):
        t.__enter__()


def test_a_tape_entered_again_goes_on_with_its_record():
    x, t = tf.constant(3.0), tf.GradientTape()
    with t:
        t.watch(x)
        y = x * x
    y * 2.0
    with t:
        z = y * x
    assert plain(t.gradient(z, x)) == 27.0


def test_a_persistent_tape_alone_gives_higher_derivatives():
    x = tf.constant(2.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        second = t.gradient(t.gradient(x**4, x), x)
    assert plain(second) == 48.0


def test_a_gradient_under_stop_recording_is_not_recorded():
    x = tf.constant(2.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = x**4
        with t.stop_recording():
            first = t.gradient(y, x)
    assert t.gradient(first, x) is None


def test_under_stop_recording_nothing_is_recorded():
    x = tf.constant(2.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
        with t.stop_recording():
            z = x * x
        out = y * z
    assert plain(t.gradient(out, x)) == 16.0


def test_stop_recording_on_a_tape_that_does_not_record_is_a_value_error():
    with pytest.raises(ValueError, match="isn't recording"), tf.GradientTape().stop_recording():
        pass


def test_reset_forgets_and_goes_on():
    x = tf.constant(2.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
        t.reset()
        t.watch(x)
        z = y * x
    assert plain(t.gradient(z, x)) == 4.0


def test_unconnected_gradients_can_be_zeros():
    assert tape(tf.stop_gradient, 2.0, unconnected_gradients="zero") == 0.0


def test_unconnected_gradients_of_a_variable_can_be_zeros():
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as t:
        y = tf.constant(1.0) * 2.0
    assert plain(t.gradient(y, v, unconnected_gradients=tf.UnconnectedGradients.ZERO)) == [0.0, 0.0]


def test_output_gradients_flow_in():
    assert tape(lambda x: x * x, [1.0, 2.0], output_gradients=tf.constant([3.0, 0.0])) == [6.0, 0.0]


def test_another_number_of_output_gradients_is_a_value_error():
    with pytest.raises(ValueError, match="got 2 output_gradients for 1 targets"):
        tape(lambda x: x, 1.0, output_gradients=[tf.constant(1.0), tf.constant(1.0)])


def test_a_target_of_none_is_a_value_error():
    with pytest.raises(ValueError, match="None as a target"):
        tape(lambda x: None, 1.0)


def test_jacobian_has_the_targets_shape_and_the_sources():
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = x[:2] * x[1]
    assert plain(t.jacobian(y, x)) == [[2.0, 1.0, 0.0], [0.0, 4.0, 0.0]]


def test_jacobian_is_none_or_zeros_where_unconnected():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = tf.stop_gradient(x) * 2.0
    assert t.jacobian(y, x) is None
    assert plain(t.jacobian(y, x, unconnected_gradients="zero")) == [[0.0, 0.0], [0.0, 0.0]]


def test_jacobian_without_pfor_wants_a_persistent_tape():
    x = tf.constant([1.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    with pytest.raises(RuntimeError, match="persistent"):
        t.jacobian(y, x, experimental_use_pfor=False)


def test_a_jacobian_of_a_gradient_is_the_hessian():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x[0] * x[0] * x[1]
        first = inner.gradient(y, x)
    assert plain(outer.jacobian(first, x)) == [[4.0, 2.0], [2.0, 0.0]]


def test_batch_jacobian_goes_row_by_row():
    x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    with tf.GradientTape() as t:
        t.watch(x)
        y = x[:, :2] * x[:, 1:2]
    want = [[[2.0, 1.0, 0.0], [0.0, 4.0, 0.0]], [[5.0, 4.0, 0.0], [0.0, 10.0, 0.0]]]
    assert plain(t.batch_jacobian(y, x)) == want


def test_batch_jacobian_of_other_rows_is_a_value_error():
    x = tf.constant([[1.0], [2.0]])
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.reduce_sum(x, axis=0)
    with pytest.raises(ValueError, match="as many rows"):
        t.batch_jacobian(y, x)


def test_nested_tapes_give_any_order():
    x = tf.constant(2.0)
    with tf.GradientTape() as third, tf.GradientTape() as second:
        third.watch(x)
        second.watch(x)
        with tf.GradientTape() as first:
            first.watch(x)
            y = x**4
        a = first.gradient(y, x)
        b = second.gradient(a, x)
    assert plain([a, b, third.gradient(b, x)]) == [32.0, 48.0, 48.0]


@pytest.mark.parametrize("complex_target", [lambda z: z * z])
def test_a_complex_target_takes_one_as_its_output_gradient(complex_target):
    assert tape(complex_target, 1.0 + 2.0j) == 2.0 - 4.0j


# Variables


def test_a_trainable_variable_is_watched_when_it_is_read():
    v, w = tf.Variable(3.0), tf.Variable(4.0, trainable=False)
    with tf.GradientTape() as t:
        y = v * w
    assert t.watched_variables() == (v,)
    assert plain(t.gradient(y, [v, w])) == [4.0, None]


def test_without_watch_accessed_variables_only_watched_ones_count():
    v, w = tf.Variable(3.0), tf.Variable(4.0)
    with tf.GradientTape(watch_accessed_variables=False) as t:
        t.watch(v)
        y = v * w
    assert plain(t.gradient(y, [v, w])) == [4.0, None]


def test_what_was_read_before_a_variable_was_watched_is_constant():
    v = tf.Variable(3.0)
    with tf.GradientTape(watch_accessed_variables=False) as t:
        before = v * v
        t.watch(v)
        y = before * v
    assert plain(t.gradient(y, v)) == 9.0


def test_reads_by_our_functions_count_too():
    v = tf.Variable(3.0)
    with tf.GradientTape() as t:
        y = tf.convert_to_tensor(tg.square(v)) * v
    assert plain(t.gradient(y, v)) == 27.0


def test_assigning_after_a_read_does_not_change_what_was_recorded():
    v = tf.Variable(3.0)
    with tf.GradientTape() as t:
        y = v * v
        v.assign(9.0)
    assert plain([t.gradient(y, v), v]) == [6.0, 9.0]


def test_no_gradient_passes_an_assignment():
    v, x = tf.Variable(3.0), tf.constant(2.0)
    with tf.GradientTape() as t:
        t.watch(x)
        v.assign(x * x)
        y = v * x
    assert plain(t.gradient(y, x)) == 4.0


def test_a_gathers_gradient_keeps_rows_apart():
    v = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as t:
        y = tf.gather(v, [1, 1])
    g = t.gradient(y, v)
    assert isinstance(g, tf.IndexedSlices)
    assert plain([g.values, g.indices, g]) == [[1.0, 1.0], [1, 1], [0.0, 2.0, 0.0]]
    assert (g.dense_shape.dtype, g.indices.dtype) == (tf.int32, tf.int32)
