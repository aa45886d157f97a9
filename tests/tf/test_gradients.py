"""tf.gradients in a tf.Graph."""

import numpy as np
import pytest

from tf_programs import V1, graph_gradients, run
from tidegate import tf

sg = tf.stop_gradient


def of(build):
    """What `build` gives for a constant 5."""
    return run(lambda: build(tf.constant(5.0)))


def test_the_result_is_a_list_also_for_one_source():
    assert of(lambda x: tf.gradients(x * x, x)) == [10.0]


def test_several_targets_are_summed_and_one_that_does_not_depend_counts_nothing():
    assert of(lambda x: tf.gradients([x * x, 7.0 * x, sg(x)], x)) == [17.0]


def test_a_target_with_axes_is_summed():
    assert graph_gradients(lambda x: x * x, [1.0, 5.0]) == [2.0, 10.0]


def test_grad_ys_may_be_none_within_the_list():
    assert of(lambda x: tf.gradients([x, x], x, grad_ys=[None, tf.constant(9.0)])) == [10.0]


def test_another_number_of_grad_ys_is_a_value_error():
    with pytest.raises(ValueError, match="got 2 grad_ys for 1 ys"):
        of(lambda x: tf.gradients(x, x, grad_ys=[x, x]))


def test_gradients_are_differentiable_for_grad_ys():
    def build(x):
        u = tf.constant(1.0)
        return tf.gradients(tf.gradients(x * x, x, grad_ys=u), u)

    assert of(build) == [10.0]


def test_of_itself_it_is_ones_also_where_stopped():
    assert of(lambda x: [tf.gradients(x, x)[0], tf.gradients(x, x, stop_gradients=[x])[0]]) == [1.0, 1.0]


def test_a_source_on_the_way_does_not_cut_it():
    def build(x):
        h = x * 3.0
        return tf.gradients(h * h, [x, h])

    assert of(build) == [90.0, 30.0]


def test_stop_gradients_gives_partial_derivatives():
    def build(a):
        b = 4.0 * a
        return tf.gradients(a + b, [a, b], stop_gradients=[a, b])

    assert of(build) == [1.0, 1.0]


def test_behind_stop_gradients_there_is_none():
    def build(x):
        h = x * x
        return tf.gradients(h * 5.0, [x, h], stop_gradients=[h])

    assert of(build) == [None, 5.0]


def test_repeated_sources_and_targets_count_as_often_as_they_come():
    def build(x):
        y = x * x
        return tf.gradients([y, y], [x, x])

    assert of(build) == [20.0, 20.0]


@pytest.mark.parametrize("zero", ["zero", tf.UnconnectedGradients.ZERO])
def test_unconnected_gradients_can_be_zeros(zero):
    assert graph_gradients(sg, [1.0, 2.0], unconnected_gradients=zero) == [0.0, 0.0]


def test_another_option_for_unconnected_gradients_is_a_value_error():
    with pytest.raises(ValueError, match="got unconnected_gradients='q'; want 'none' or 'zero'"):
        graph_gradients(lambda x: x, 1.0, unconnected_gradients="q")


@pytest.mark.parametrize(
    ("function", "x"), [(lambda n: n * n, 3), (lambda x: tf.cast(x, tf.int32), 3.0), (tf.math.logical_not, True)]
)
def test_integers_and_booleans_have_none(function, x):
    assert graph_gradients(function, x) is None


@pytest.mark.parametrize(
    "function",
    [
        tf.floor,
        tf.math.ceil,
        tf.round,
        tf.math.rint,
        tf.argmax,
        tf.ones_like,
        tf.zeros_like,
        tf.shape,
        lambda x: x // 2.0,
        lambda x: tf.cast(x > 0.0, tf.float32),
    ],
)
def test_what_is_constant_almost_everywhere_has_none(function):
    assert graph_gradients(function, [1.2, -3.4]) is None


def test_sign_has_zeros():
    assert graph_gradients(tf.sign, [1.2, -3.4]) == [0.0, 0.0]


def test_the_remainder_has_one_and_minus_the_quotient():
    assert graph_gradients(lambda x, y: x % y, 7.5, 2.0) == [1.0, -3.0]


def test_a_refusal_off_the_path_does_no_harm():
    assert graph_gradients(lambda x: sg(tf.raw_ops.PreventGradient(input=x)) * x, 3.0) == 3.0


def test_a_complex_target_without_grad_ys_is_a_type_error():
    with pytest.raises(TypeError, match="got a complex y"):
        graph_gradients(lambda z: z * z, 1j)


def test_at_the_prompt_it_is_a_runtime_error():
    x = tf.constant(1.0)
    with pytest.raises(RuntimeError, match=r"use tf\.GradientTape"):
        tf.gradients(x, x)


def test_what_it_makes_stands_under_its_scope():
    with tf.Graph().as_default():
        x = tf.constant(1.0)
        y = tf.sin(x)
        names = [tf.gradients(y, x, **options)[0].name for options in ({}, {}, {"name": "k"})]
    assert [n.split("/")[0] for n in names] == ["gradients", "gradients_1", "k"]


def test_what_was_there_is_not_touched():
    with tf.Graph().as_default() as g:
        x = tf.constant(1.0)
        y = tf.sin(x)
        before = g.get_operations()
        tf.gradients(y, x)
        assert g.get_operations()[: len(before)] == before


def test_its_operations_know_their_inputs():
    with tf.Graph().as_default() as g:
        x = tf.constant(1.0)
        (d,) = tf.gradients(tf.sin(x), x)
        (cosine,) = [o for o in g.get_operations() if o.type == "Cos"]
        assert cosine.inputs == (x,)
        assert any(t is cosine.outputs[0] for t in d.op.inputs)


def test_a_target_of_another_graph_is_a_value_error():
    with tf.Graph().as_default():
        a = tf.constant(1.0)
    with pytest.raises(ValueError, match=r"another tf\.Graph"), tf.Graph().as_default():
        tf.gradients(tf.constant(1.0), a)


def test_a_gradient_that_is_a_tensor_of_the_graph_gets_a_name_of_its_own():
    def build(x):
        u = tf.constant(2.0)
        (g,) = tf.gradients(x, x, grad_ys=u)
        assert g.name.startswith("gradients/")
        return [g]

    assert of(build) == [2.0]


def test_control_dependencies_carry_no_gradient():
    def build(x):
        w = x * x
        with tf.control_dependencies([w]):
            y = tf.identity(x * 3.0)
        return tf.gradients(y, [x, w])

    assert of(build) == [3.0, None]


def test_the_gradient_of_a_variable_sums_its_reads():
    with tf.Graph().as_default():
        v = tf.Variable(3.0)
        (g,) = tf.gradients(v * v + v, v)
        session = V1.Session()
        session.run(V1.global_variables_initializer())
        assert session.run(g) == 7.0


def test_a_gathers_gradient_is_rows():
    with tf.Graph().as_default():
        x = tf.constant([1.0, 2.0, 3.0])
        (g,) = tf.gradients(tf.gather(x, [1, 1]), x)
        assert isinstance(g, tf.IndexedSlices)
        values, indices = V1.Session().run(g)
    assert (values.tolist(), indices.tolist()) == ([1.0, 1.0], [1, 1])


def test_hessians_are_second_derivatives():
    assert run(lambda: tf.hessians(tf.reduce_sum(tf.constant([1.0, 2.0]) ** 3), [])) == []

    def build():
        x = tf.constant([1.0, 2.0])
        return tf.hessians(tf.reduce_sum(x**3), x)

    np.testing.assert_allclose(run(build)[0], [[6.0, 0.0], [0.0, 12.0]])


def test_a_gradient_after_a_gradient_reads_hidden_parts_of_operations():
    def build():
        z = tf.constant([1.0, 2.0])
        (first,) = tf.gradients(tf.nn.softmax(z)[0], z)
        return tf.gradients(first[0], z)

    p = np.exp([1.0, 2.0]) / np.sum(np.exp([1.0, 2.0]))
    want = p[0] * p[1] * (p[1] - p[0])
    np.testing.assert_allclose(run(build)[0], [want, -want], rtol=1e-5)
