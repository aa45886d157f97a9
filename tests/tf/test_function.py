"""tf.function: traced once for each signature, called as one op."""

import numpy as np
import pytest

import tidegate as tg
from tf_programs import V1, forward, plain, tape, twice
from tidegate import tf

sg = tf.stop_gradient


def counted(function, **options):
    """A tf.function, and the list that grows with each trace."""
    traces = []

    def body(*args, **kwargs):
        traces.append(1)
        return function(*args, **kwargs)

    return tf.function(body, **options), traces


def test_it_is_traced_once_for_a_signature():
    f, traces = counted(lambda x: x * 2.0)
    assert plain([f(tf.constant(1.0)), f(tf.constant(2.0)), f(tf.constant([1.0]))]) == [2.0, 4.0, [2.0]]
    assert len(traces) == f.experimental_get_tracing_count() == 2


def test_python_values_are_part_of_the_signature():
    f, traces = counted(lambda x, n: x * float(n))
    assert plain([f(tf.constant(1.0), n) for n in (2, 3, 2)]) == [2.0, 3.0, 2.0]
    assert len(traces) == 2


def test_arguments_by_name_and_by_place_are_one_signature():
    traces = []

    @tf.function
    def f(x, y=None):
        traces.append(1)
        return x if y is None else x + y

    a, b = tf.constant(1.0), tf.constant(2.0)
    assert plain([f(a, b), f(y=b, x=a), f(a, y=b)]) == [3.0, 3.0, 3.0]
    assert len(traces) == 1


def test_an_input_signature_is_traced_once_for_all_sizes():
    f, traces = counted(lambda x: (tf.reduce_sum(x * x), tf.shape(x)), input_signature=[tf.TensorSpec([None, 2])])
    assert plain([f([[1.0, 2.0]]), f(np.ones((3, 2)))]) == [[5.0, [1, 2]], [6.0, [3, 2]]]
    assert len(traces) == 1
    assert tape(lambda x: f(x)[0], [[1.0, 2.0]]) == [[2.0, 4.0]]


@pytest.mark.parametrize("value", [[1.0, 2.0], [[1.0, 2.0, 3.0]]])
def test_what_does_not_fit_an_input_signature_is_a_value_error(value):
    f, _ = counted(lambda x: x, input_signature=[tf.TensorSpec([None, 2])])
    with pytest.raises(ValueError, match="by its input_signature"):
        f(value)


def test_structures_go_in_and_come_out():
    f = tf.function(lambda d: {"sum": d["a"] + d["b"][0], "none": None})
    assert plain(f({"a": tf.constant(1.0), "b": [tf.constant(2.0)]})) == {"sum": 3.0, "none": None}


def test_numbers_that_it_returns_become_tensors():
    assert isinstance(tf.function(lambda: 1.5)(), tf.Tensor)


def test_it_works_as_a_method():
    class Model:
        def __init__(self):
            self.w = tf.Variable(2.0)

        @tf.function
        def __call__(self, x):
            return self.w * x

    assert plain([Model()(tf.constant(3.0)), Model()(tf.constant(4.0))]) == [6.0, 8.0]


def test_variables_are_read_and_assigned_at_each_call():
    v = tf.Variable(1.0)

    @tf.function
    def step(x):
        y = v * x
        v.assign_add(y)
        return y, v.read_value()

    assert plain([step(tf.constant(x)) for x in (2.0, 3.0)]) == [[2.0, 3.0], [9.0, 12.0]]
    with tf.GradientTape() as t:
        y, _ = step(tf.constant(2.0))
    assert plain(t.gradient(y, v)) == 2.0
    assert t.watched_variables() == (v,)


def test_a_read_after_an_assignment_counts_for_the_variable():
    v = tf.Variable(3.0)

    @tf.function
    def f():
        y = v * 1.0
        v.assign(y * 10.0)
        return y + v * 5.0

    with tf.GradientTape() as t:
        y = f()
    assert plain([y, t.gradient(y, v), v]) == [153.0, 6.0, 30.0]


def test_tensors_from_outside_get_their_gradient():
    outside = tf.constant(3.0)
    f = tf.function(lambda x: x * outside)
    with tf.GradientTape() as t:
        t.watch(outside)
        y = f(tf.constant(2.0))
    assert plain(t.gradient(y, outside)) == 2.0


def test_a_variable_may_be_made_in_the_first_trace():
    class Model:
        w = None

        @tf.function
        def __call__(self, x):
            if self.w is None:
                self.w = tf.Variable(tf.ones([]) * 3.0)
            return self.w * x

    model = Model()
    with tf.GradientTape() as t:
        y = model(tf.constant(2.0))
    assert plain([y, t.gradient(y, model.w)]) == [6.0, 2.0]


def test_a_variable_made_in_a_later_trace_is_a_value_error():
    f = tf.function(lambda x: tf.Variable(1.0) * x)
    f(tf.constant(1.0))
    with pytest.raises(ValueError, match="make it outside"):
        f(tf.constant([1.0]))


def test_pythons_if_on_a_tensor_is_a_type_error_that_says_what_to_use():
    with pytest.raises(TypeError, match=r"use tf\.cond or tf\.where"):
        tf.function(lambda x: x if x > 0.0 else -x)(tf.constant(1.0))


def test_what_keeps_tracing_warns():
    f, _ = counted(lambda x, n: x * n)
    for n in range(7):
        f(tf.constant(1.0), float(n))
    with pytest.warns(tg.RetraceWarning, match="was traced 8 times"):
        f(tf.constant(1.0), 7.0)


def test_an_inner_function_is_traced_once_too():
    inner, traces = counted(lambda x: x * x)
    outer = tf.function(lambda x: inner(x) + inner(x * 2.0))
    assert plain(outer(tf.constant(1.0))) == 5.0
    assert len(traces) == 1


def test_an_inner_function_may_capture_the_outer_ones_tensors():
    @tf.function
    def outer(x):
        y = x * 2.0
        return tf.function(lambda z: z * y)(x)

    assert plain([outer(tf.constant(1.0)), outer(tf.constant(3.0))]) == [2.0, 18.0]
    assert tape(outer, 3.0) == 12.0


def test_printing_happens_at_each_call(capsys):
    f = tf.function(lambda x: (tg.print("x", x.tensor), x)[1])
    f(tf.constant(1.0))
    f(tf.constant(2.0))
    assert capsys.readouterr().out == "x 1.0\nx 2.0\n"


def test_in_a_graph_it_is_one_operation():
    f = tf.function(lambda z: tf.sin(z) * z)
    with tf.Graph().as_default() as g:
        x = V1.placeholder(tf.float32, [])
        y = f(x)
        assert [o.type for o in g.get_operations()] == ["Placeholder", "StatefulPartitionedCall"]
        (d,) = tf.gradients(y, x)
        np.testing.assert_allclose(V1.Session().run(d, {x: 2.0}), np.sin(2) + 2 * np.cos(2), rtol=1e-6)


# What flows


def test_a_wholly_stopped_body_gives_none():
    assert tape(tf.function(lambda x: sg(x * x)), 5.0) is None


def test_a_stopped_output_beside_an_open_one_gives_zero():
    f = tf.function(lambda x: (sg(x * x), x * 2.0))
    assert tape(lambda x: f(x)[0], 5.0) == 0.0


def test_an_argument_that_is_stopped_in_all_outputs_gives_none():
    assert tape(tf.function(lambda x, y: x * 2.0 + sg(y)), 5.0, 6.0) == [2.0, None]


def test_higher_derivatives_are_those_of_the_body():
    assert twice(tf.function(lambda x: x**3), 2.0) == [12.0, 12.0]
    assert twice(tf.function(lambda x: x * x * sg(x)), 5.0) == [50.0, 10.0]


def test_tangents_pass():
    assert forward(tf.function(lambda x: x * sg(x)), 5.0, 2.0) == 10.0


def test_tapes_work_within():
    @tf.function
    def second(x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = x**3
            first = inner.gradient(y, x)
        return outer.gradient(first, x)

    assert plain(second(tf.constant(2.0))) == 12.0


def test_a_tape_within_sees_variables_in_branches():
    v = tf.Variable(3.0)

    @tf.function
    def slope(x):
        with tf.GradientTape() as t:
            y = tf.cond(x > 0.0, lambda: v * v * x, lambda: v * x)
        return t.gradient(y, v)

    assert plain([slope(tf.constant(2.0)), slope(tf.constant(-2.0))]) == [12.0, -2.0]


def test_tf_gradients_works_within():
    @tf.function
    def partial_and_total(a):
        b = 2.0 * a
        c = a + b
        return [*tf.gradients(c, [a, b]), *tf.gradients(c, [a, b], stop_gradients=[a, b])]

    assert plain(partial_and_total(tf.constant(0.5))) == [3.0, 1.0, 1.0, 1.0]


def test_a_training_step_descends():
    w, rate = tf.Variable([1.0, 2.0]), tf.constant(0.25)

    @tf.function
    def step():
        with tf.GradientTape() as t:
            loss = tf.reduce_sum(w * w)
        w.assign_sub(rate * t.gradient(loss, w))
        return loss

    assert plain([step() for _ in range(3)]) == [5.0, 1.25, 0.3125]
