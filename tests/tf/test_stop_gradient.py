"""tf.stop_gradient, as TensorFlow's users know it."""

import numpy as np
import pytest

import tidegate as tg
from tf_programs import V1, forward, graph_gradients, plain, run, tape, twice
from tidegate import tf

sg = tf.stop_gradient


@pytest.mark.parametrize("value", [1.5, 2, True, 1j, np.float64(2), np.ones((2, 3), np.float16)])
def test_it_keeps_dtype_shape_and_value(value):
    x = tf.constant(value)
    y = sg(x)
    assert (y.dtype, y.shape) == (x.dtype, x.shape)
    np.testing.assert_array_equal(y.numpy(), value)


def test_a_list_becomes_one_tensor():
    assert sg([1.0, 2.0]).shape == [2]


@pytest.mark.parametrize("value", [{"a": 1.0}, None, [[1.0], [1.0, 2.0]], [1.0, None]])
def test_what_is_no_tensor_is_a_value_error(value):
    with pytest.raises(ValueError, match=r"tf\.stop_gradient: .*\(.*test_stop_gradient.py:\d+\)"):
        sg(value)


def test_it_gives_a_new_tensor():
    x = tf.constant(4.0)
    assert sg(x) is not x


@pytest.mark.parametrize("gradient", [tape, graph_gradients, lambda f, x: forward(f, x, 1.0)])
def test_where_every_path_is_masked_there_is_none(gradient):
    assert gradient(lambda x: sg(x * x), 5.0) is None


def test_a_masked_tangent_can_be_zeros():
    assert forward(lambda x: sg(x * x), 5.0, 1.0, unconnected_gradients="zero") == 0.0


def test_a_masked_path_adds_nothing_where_its_derivative_is_infinite():
    assert tape(lambda x: x * 4.0 + sg(tf.math.log(x)), 0.0) == 4.0


def test_a_stopped_factor_is_constant_in_all_derivatives():
    assert twice(lambda x: x * x * sg(x), 5.0) == [50.0, 10.0]


def test_the_second_derivative_of_x_times_stopped_x_is_none():
    assert twice(lambda x: x * sg(x), 5.0) == [5.0, None]


def test_a_variable_read_under_it_is_not_watched():
    v = tf.Variable(1.0)
    with tf.GradientTape() as t:
        sg(v)
    assert t.watched_variables() == ()


def test_its_output_can_be_a_source():
    def build():
        x = tf.constant(3.0)
        s = sg(x * 2.0)
        return tf.gradients(s * s * x, [s, x])

    assert run(build) == [36.0, 36.0]


def test_it_stops_tangents():
    assert forward(lambda x: x * sg(x), 5.0, 2.0) == 10.0


def test_its_operation_has_its_type_one_input_and_numbered_names():
    with tf.Graph().as_default():
        x = tf.constant(1.0)
        a, b = sg(x), sg(x)
        assert [a.op.type, a.op.name, b.op.name, a.op.inputs] == [
            "StopGradient",
            "StopGradient",
            "StopGradient_1",
            (x,),
        ]


def test_a_name_is_taken():
    with tf.Graph().as_default():
        assert sg(tf.constant(1.0), name="held").name == "held:0"


def test_the_raw_operation_takes_keywords_only():
    with pytest.raises(TypeError):
        tf.raw_ops.StopGradient(tf.constant(1.0))
    assert plain(tf.raw_ops.StopGradient(input=tf.constant(1.0))) == 1.0


def test_no_backward_operation_is_made_for_a_masked_path():
    with tf.Graph().as_default() as g:
        x = V1.placeholder(tf.float32)
        tf.gradients(sg(tf.sin(x)) * x, x)
        assert "Cos" not in [o.type for o in g.get_operations()]


def test_prevent_gradient_is_a_lookup_error_that_says_why():
    with pytest.raises(LookupError, match="for a reason") as caught:
        tape(lambda x: tf.raw_ops.PreventGradient(input=x, message="for a reason"), 1.0)
    assert isinstance(caught.value, tg.GradientRefusedError)
    assert "test_stop_gradient.py" in str(caught.value)


def test_of_a_tensor_of_ours_it_is_a_tensor_of_tensorflows_dtype():
    assert sg(tg.asarray([1.0])).dtype == tf.float32
