"""tf.autodiff.ForwardAccumulator."""

import pytest

from tf_programs import plain
from tidegate import tf

Accumulator = tf.autodiff.ForwardAccumulator


def test_a_variables_tangent_goes_to_all_its_reads():
    v = tf.Variable(3.0)
    with Accumulator(v, tf.constant(2.0)) as a:
        y = v * v + v
    assert plain(a.jvp(y)) == 14.0


def test_tangents_of_several_primals_add_up():
    x, y = tf.constant(2.0), tf.constant(3.0)
    with Accumulator([x, y], [tf.constant(1.0), tf.constant(10.0)]) as a:
        z = x * y
    assert plain(a.jvp(z)) == 23.0


def test_what_was_computed_before_is_constant():
    x = tf.constant(2.0)
    before = x * x
    with Accumulator(x, tf.constant(1.0)) as a:
        y = before * x
    assert plain(a.jvp(y)) == 4.0


def test_the_result_has_the_structure_of_what_is_asked():
    x = tf.constant(2.0)
    with Accumulator(x, tf.constant(1.0)) as a:
        y = {"a": x * x, "b": [tf.constant(1.0)]}
    assert plain(a.jvp(y)) == {"a": 4.0, "b": [None]}


def test_the_tangent_of_a_primal_is_its_own():
    x = tf.constant(2.0)
    with Accumulator(x, tf.constant(5.0)) as a:
        pass
    assert plain(a.jvp(x)) == 5.0


def test_one_tensor_twice_is_a_value_error():
    x = tf.constant(1.0)
    with pytest.raises(ValueError, match="twice"):
        Accumulator([x, x], [x, x])


def test_entering_it_while_it_records_is_a_value_error():
    x = tf.constant(1.0)
    with Accumulator(x, x) as a, pytest.raises(ValueError, match="recording already"):
        a.__enter__()


@pytest.mark.parametrize("tangent", [[1.0, 1.0], tf.constant(1.0, tf.float64)])
def test_a_tangent_of_another_type_is_a_value_error(tangent):
    with pytest.raises(ValueError, match="got a tangent"):
        Accumulator(tf.constant(1.0), tf.convert_to_tensor(tangent))


def test_forward_over_reverse_is_a_hessian_vector_product():
    x = tf.constant([1.0, 2.0])
    with Accumulator(x, tf.constant([1.0, 2.0])) as a:
        with tf.GradientTape() as t:
            t.watch(x)
            y = tf.reduce_sum(x**3)
        g = t.gradient(y, x)
    assert plain(a.jvp(g)) == [6.0, 24.0]


def test_reverse_over_forward_is_a_hessian_vector_product():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as t:
        t.watch(x)
        with Accumulator(x, tf.constant([1.0, 2.0])) as a:
            y = tf.reduce_sum(x**3)
        d = a.jvp(y)
    assert plain(t.gradient(d, x)) == [6.0, 24.0]
