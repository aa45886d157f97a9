"""tf.Graph and tf.compat.v1.Session."""

import numpy as np
import pytest

from tf_programs import V1, run
from tidegate import tf


@pytest.fixture
def graph():
    with tf.Graph().as_default() as g:
        yield g


def test_names_are_numbered_and_scopes_put_before(graph):
    a, b = tf.constant(1.0, name="k"), tf.constant(1.0, name="k")
    with tf.name_scope("s"):
        c = tf.sin(a)
    with tf.name_scope("s"):
        d = tf.sin(a)
    assert [a.op.name, b.op.name, a.name, c.op.name, d.op.name] == ["k", "k_1", "k:0", "s/Sin", "s_1/Sin"]


def test_capitals_do_not_tell_names_apart(graph):
    assert [tf.constant(1.0, name=n).op.name for n in ("a", "A", "a_1", "a")] == ["a", "A_1", "a_1_1", "a_2"]


def test_a_scope_with_a_slash_is_entered_again(graph):
    with tf.name_scope("s") as scope:
        pass
    with tf.name_scope(scope):
        assert tf.constant(1.0, name="x").name == "s/x:0"


def test_a_subtraction_is_one_operation_with_two_inputs(graph):
    x, y = V1.placeholder(tf.float32, [2]), V1.placeholder(tf.float32, [])
    z = x - y
    assert (z.op.type, z.op.inputs) == ("Sub", (x, y))


def test_operations_and_tensors_are_found_by_name(graph):
    x = V1.placeholder(tf.float32, [2], name="x")
    assert graph.get_tensor_by_name("x:0") is x
    assert graph.get_operation_by_name("x") is x.op
    assert graph.get_operations() == [x.op]


@pytest.mark.parametrize(
    ("name", "kind"), [("x:1", LookupError), ("y:0", LookupError), ("x", ValueError), (3, TypeError)]
)
def test_a_tensors_name_that_is_not_there_is_an_error(graph, name, kind):
    V1.placeholder(tf.float32, [2], name="x")
    with pytest.raises(kind, match=r"get_tensor_by_name|get_operation_by_name"):
        graph.get_tensor_by_name(name)


def test_control_inputs_are_recorded(graph):
    x = tf.constant(1.0)
    with tf.control_dependencies([x]):
        y = tf.identity(x)
    assert y.op.control_inputs == (x.op,)


def test_a_graphs_tensor_has_no_value(graph):
    x = tf.constant(1.0)
    for ask in (x.numpy, lambda: bool(x), lambda: float(x), lambda: np.asarray(x)):
        with pytest.raises(TypeError, match="has no value"):
            ask()


def test_a_tensor_of_another_graph_is_a_value_error(graph):
    with tf.Graph().as_default():
        other = tf.constant(1.0)
    with pytest.raises(ValueError, match=r"of another tf\.Graph"):
        tf.constant(1.0) + other


def test_a_tensor_from_the_prompt_becomes_a_constant():
    x = tf.constant(2.0) * 3.0
    with tf.Graph().as_default() as g:
        y = x * x
        assert [o.type for o in g.get_operations()] == ["Const", "Mul"]
        assert V1.Session().run(y) == 36.0


def test_fetches_come_back_in_their_structure(graph):
    x = tf.constant(2.0)
    found = V1.Session().run({"a": [x, (x * x, "Const:0")], "op": x.op})
    assert found == {"a": [2.0, (4.0, 2.0)], "op": None}


def test_any_tensor_can_be_fed_and_gradients_use_it(graph):
    x = V1.placeholder(tf.float32, [])
    h = tf.sin(x)
    (d,) = tf.gradients(tf.stop_gradient(h) * x, x)
    assert V1.Session().run(d, {x: 1.0, h: 5.0}) == 5.0


def test_what_lies_behind_a_fed_tensor_needs_no_value(graph):
    h = tf.sin(V1.placeholder(tf.float32, [None]))
    assert V1.Session().run(h * 2.0, {h: [1.0, 2.0]}).tolist() == [2.0, 4.0]


def test_a_placeholder_without_a_value_is_an_invalid_argument(graph):
    x = V1.placeholder(tf.float32, [2], name="x")
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"placeholder 'x:0'.*needs a value"):
        V1.Session().run(x + 1.0)


def test_a_value_of_another_shape_is_a_value_error(graph):
    x = V1.placeholder(tf.float32, [2], name="x")
    with pytest.raises(ValueError, match=r"fed a value of shape \(3,\) for 'x:0', which has shape \(2,\)"):
        V1.Session().run(x + 1.0, {x: np.ones(3)})


@pytest.mark.parametrize("value", [1.5, [0.5]])
def test_a_float_for_an_integer_is_a_type_error(graph, value):
    x = V1.placeholder(tf.int32, name="x")
    with pytest.raises(TypeError, match="want int32"):
        V1.Session().run(x, {x: value})


@pytest.mark.parametrize("fetch", [None, 3, [1.0]])
def test_what_cannot_be_fetched_is_a_type_error(graph, fetch):
    with pytest.raises(TypeError, match="to fetch"):
        V1.Session().run(fetch)


def test_a_placeholder_with_a_default_may_be_fed(graph):
    x = V1.placeholder_with_default(2.0, [])
    session = V1.Session()
    assert [session.run(x * 2.0), session.run(x * 2.0, {x: 5.0})] == [4.0, 10.0]


def test_sizes_that_are_not_known_are_bound_in_a_run_and_programs_kept(graph):
    x, w = V1.placeholder(tf.float32, [None, 2], name="x"), tf.constant([[1.0], [2.0]])
    y = tf.reduce_mean(tf.matmul(x, w) * 3.0)
    (d,) = tf.gradients(y, w)
    assert x.shape.as_list() == [None, 2]
    session, count = V1.Session(), len(graph.get_operations())
    for n in (1, 4, 1):
        value = np.arange(2.0 * n).reshape(n, 2)
        got = session.run([y, d], {x: value})
        np.testing.assert_allclose(got[0], (value @ [[1.0], [2.0]]).mean() * 3, rtol=1e-6)
        np.testing.assert_allclose(got[1][:, 0], 3 * value.mean(0), rtol=1e-6)
    assert len(graph.get_operations()) == count
    assert len(session._compiled) == 2


def test_one_row_may_be_fed_against_many_for_two_unknown_sizes(graph):
    a, b = V1.placeholder(tf.float32, [None]), V1.placeholder(tf.float32, [None])
    m = tf.reduce_sum(a * b)
    wanted = [m, *tf.gradients(m, [a, b])]
    session = V1.Session()
    same = session.run(wanted, {a: [1.0, 2.0], b: [3.0, 4.0]})
    one = session.run(wanted, {a: [1.0, 2.0], b: [3.0]})
    assert [v.tolist() for v in same] == [11.0, [3.0, 4.0], [1.0, 2.0]]
    assert [v.tolist() for v in one] == [9.0, [3.0, 3.0], [3.0]]


def test_sizes_that_fit_nobody_are_a_value_error(graph):
    a, b = V1.placeholder(tf.float32, [None]), V1.placeholder(tf.float32, [None])
    with pytest.raises(ValueError, match=r"test_graph_and_session\.py"):
        V1.Session().run(a * b, {a: [1.0, 2.0], b: [3.0, 4.0, 5.0]})


@pytest.mark.parametrize("value", [2.0, [1.0, 2.0], [[1.0, 2.0, 3.0]]])
def test_a_placeholder_without_a_shape_takes_any(graph, value):
    x = V1.placeholder(tf.float32)
    (d,) = tf.gradients(tf.reduce_sum(x * x), x)
    assert x.shape.rank is None
    np.testing.assert_allclose(V1.Session().run(d, {x: value}), np.multiply(2, value))


def test_a_size_of_a_run_can_be_read(graph):
    x = V1.placeholder(tf.float32, [None, 3])
    y = tf.reshape(x, [-1])
    got = V1.Session().run([tf.shape(x), tf.size(x), y], {x: np.ones((2, 3))})
    assert [v.tolist() for v in got] == [[2, 3], 6, [1.0] * 6]


def test_a_shape_read_in_the_graph_shapes_another_tensor(graph):
    x = V1.placeholder(tf.float32, [None, 3])
    y = tf.fill([tf.shape(x)[0], 2], 7.0)
    assert V1.Session().run(y, {x: np.ones((4, 3))}).shape == (4, 2)


def test_variables_keep_their_values_in_the_session(graph):
    v = tf.Variable([1.0, 2.0])
    step = v.assign_add([1.0, 1.0])
    first, second = V1.Session(), V1.Session()
    for session in (first, second):
        session.run(V1.global_variables_initializer())
    first.run(step)
    assert [s.run(v).tolist() for s in (first, second)] == [[2.0, 3.0], [1.0, 2.0]]


def test_a_variable_without_a_value_is_an_error_that_says_what_to_run(graph):
    v = tf.Variable(1.0)
    with pytest.raises(tf.errors.FailedPreconditionError, match="global_variables_initializer"):
        V1.Session().run(v * 2.0)


def test_training_descends_and_a_run_reads_before_it_assigns(graph):
    v = tf.Variable([1.0, 2.0])
    loss = tf.reduce_sum(v * v)
    (g,) = tf.gradients(loss, V1.trainable_variables())
    train = v.assign_sub(0.25 * g)
    session = V1.Session()
    session.run(V1.global_variables_initializer())
    losses = [session.run([loss, train.op])[0] for _ in range(3)]
    assert losses == [5.0, 1.25, 0.3125]


def test_a_read_after_an_assignment_sees_it(graph):
    v = tf.Variable(1.0)
    step = v.assign(v * 10.0)
    with tf.control_dependencies([step]):
        after = v.read_value()
    session = V1.Session()
    session.run(V1.global_variables_initializer())
    assert session.run([after, step]) == [10.0, 10.0]


def test_an_assignment_that_is_not_fetched_does_not_run(graph):
    v = tf.Variable(1.0)
    v.assign(5.0)
    session = V1.Session()
    session.run(V1.global_variables_initializer())
    assert session.run(v) == 1.0


def test_a_group_runs_all_of_it(graph):
    v, w = tf.Variable(1.0), tf.Variable(2.0)
    both = tf.group(v.assign(3.0), w.assign(4.0))
    session = V1.Session()
    session.run(V1.global_variables_initializer())
    assert session.run(both) is None
    assert session.run([v, w]) == [3.0, 4.0]


def test_get_variable_makes_a_variable_by_name_once(graph):
    w = V1.get_variable("w", [2], initializer=V1.zeros_initializer())
    assert w.name == "w:0"
    with pytest.raises(ValueError, match="'w' already"):
        V1.get_variable("w", [2], initializer=V1.zeros_initializer())


def test_errors_of_values_are_invalid_arguments_with_the_line(graph):
    x, i = tf.constant([1.0, 2.0]), V1.placeholder(tf.int32, [])
    y = tf.gather(x, i)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"test_graph_and_session\.py"):
        V1.Session().run(y, {i: 7})


def test_tensors_of_the_graph_keep_no_values(graph):
    x = tf.constant(2.0)
    y = x * x
    V1.Session().run(y)
    assert y.tensor.value is None


def test_different_dtypes_are_a_type_error_and_bad_shapes_a_value_error(graph):
    with pytest.raises(TypeError, match="float32 and float64"):
        tf.constant(1.0) + tf.constant(1.0, tf.float64)
    with pytest.raises(ValueError, match="want"):
        tf.ones([2, 3]) @ tf.ones([2, 3])


def test_a_session_without_a_graph_is_a_value_error():
    with pytest.raises(ValueError, match="no default graph"):
        V1.Session()


def test_a_session_makes_its_graph_the_default_one():
    g = tf.Graph()
    with V1.Session(graph=g) as session:
        assert V1.get_default_graph() is g
        assert session.run(tf.constant(2.0)) == 2.0


def test_a_placeholder_at_the_prompt_is_a_runtime_error():
    with pytest.raises(RuntimeError, match=r"within tf\.Graph"):
        V1.placeholder(tf.float32)


def test_a_stopped_chain_adds_no_operations():
    def added(n):
        with tf.Graph().as_default() as g:
            x = V1.placeholder(tf.float64, [])
            h = x
            for _ in range(n):
                h = tf.sin(h)
            y = x * tf.stop_gradient(h)
            before = len(g.get_operations())
            tf.gradients(y, x)
            return len(g.get_operations()) - before

    assert added(300) == added(3)


def test_results_are_the_callers_own():
    (a,) = run(lambda: [tf.constant([1.0])])
    assert a == [1.0]
    with tf.Graph().as_default():
        found = V1.Session().run(tf.constant([1.0]))
        found[0] = 2.0
        assert found[0] == 2.0
