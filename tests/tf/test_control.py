"""Choices, loops and maps, at the prompt and traced."""

import pytest

from tf_programs import V1, plain, run, tape
from tidegate import tf

sg = tf.stop_gradient
WAYS = [lambda f: f, tf.function]
"""At the prompt, and traced."""


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "function",
    [
        lambda x: tf.cond(x > 0.0, lambda: sg(x) * x, lambda: x**3),
        lambda x: tf.while_loop(lambda i, a: i < 1, lambda i, a: (i + 1, sg(a) * a), (0, x))[1],
        lambda x: tf.map_fn(lambda v: sg(v) * v, x[None]),
        lambda x: tf.vectorized_map(lambda v: sg(v) * v, x[None]),
        lambda x: tf.scan(lambda a, v: sg(v) * v, tf.stack([x, x]))[1],
        lambda x: tf.foldl(lambda a, v: sg(a) * v, tf.stack([x, x])),
        lambda x: tf.switch_case(tf.constant(1), [lambda: x, lambda: sg(x) * x]),
    ],
)
def test_a_stop_masks_within_as_outside(function, way):
    assert tape(way(function), 5.0) == 5.0


def test_a_stopped_branch_beside_an_open_one_gives_zero():
    assert tape(tf.function(lambda x: tf.cond(x > 0.0, lambda: sg(x * x), lambda: x * x)), 5.0) == 0.0


@pytest.mark.parametrize("way", WAYS)
def test_a_choice_differentiates_the_branch_taken_only(way):
    assert tape(way(lambda x: tf.cond(x > 0.0, lambda: tf.sqrt(x), lambda: x * 2.0)), 0.0) == 2.0


def test_a_choice_in_a_graph_is_made_when_it_runs():
    with tf.Graph().as_default():
        x, w = V1.placeholder(tf.float32, []), tf.Variable(2.0)
        y = tf.cond(x > 0.0, lambda: w * w * x, lambda: w * x)
        wanted = [y, *tf.gradients(y, [x, w])]
        session = V1.Session()
        session.run(V1.global_variables_initializer())
        assert [session.run(wanted, {x: v}) for v in (3.0, -3.0)] == [[12.0, 4.0, 12.0], [-6.0, 2.0, -3.0]]


def test_branches_of_other_structures_are_a_value_error():
    with pytest.raises(ValueError, match="want one structure"):
        tf.function(lambda x: tf.cond(x > 0.0, lambda: x, lambda: [x]))(tf.constant(1.0))


@pytest.mark.parametrize("pred", [tf.constant(1.0), 3])
def test_a_predicate_that_is_no_bool_is_a_type_error(pred):
    with pytest.raises(TypeError, match="want bool"):
        tf.cond(pred, lambda: 1.0, lambda: 2.0)


def test_branches_that_cannot_be_called_are_a_type_error():
    with pytest.raises(TypeError, match="two functions"):
        tf.cond(True, 1.0, 2.0)


def test_case_takes_the_first_that_is_true():
    x = tf.constant(2.0)
    pairs = [(x > 3.0, lambda: 1.0), (x > 1.0, lambda: 2.0)]
    assert plain(tf.case(pairs, default=lambda: 3.0)) == 2.0
    assert plain(tf.case(pairs[:1], default=lambda: 3.0)) == 3.0


@pytest.mark.parametrize("index", [-1, 7])
def test_an_index_without_a_branch_takes_the_last(index):
    assert plain(tf.switch_case(tf.constant(index), [lambda: 1.0, lambda: 2.0])) == 2.0


def test_a_loop_goes_round_as_often_as_data_says_at_the_prompt():
    assert tape(lambda x: tf.while_loop(lambda a: a < 50.0, lambda a: (a * x,), (x,))[0], 3.0) == 108.0


@pytest.mark.parametrize("way", WAYS)
def test_a_loop_without_rounds_passes_the_gradient(way):
    assert tape(way(lambda x: tf.while_loop(lambda i, a: i < 0, lambda i, a: (i + 1, a * x), (0, x))[1]), 3.0) == 1.0


def test_a_loop_whose_state_is_stopped_gives_none():
    assert tape(lambda x: tf.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, sg(a)), (0, x))[1], 5.0) is None


@pytest.mark.parametrize("body", [lambda i, a: (i + 1, sg(a)), lambda i, a: (i + 1, sg(a) * 2.0)])
def test_in_a_function_a_loop_whose_state_is_stopped_gives_zero(body):
    assert tape(tf.function(lambda x: tf.while_loop(lambda i, a: i < 2, body, (0, x))[1]), 3.0) == 0.0


def test_a_loop_that_data_decides_is_refused_in_a_graph():
    with pytest.raises(ValueError, match=r"in a graph it is unrolled.*test_control.py:\d+"):
        tf.function(lambda x: tf.while_loop(lambda a: a < 50.0, lambda a: (a * x,), (x,)))(tf.constant(3.0))


def test_maximum_iterations_end_a_loop():
    assert plain(tf.while_loop(lambda a: True, lambda a: a * 2.0, [1.0], maximum_iterations=3)) == [8.0]


def test_a_parameter_that_a_loop_hands_back_is_stopped_with_it():
    def build():
        theta = tf.constant(2.0)
        x, back, _ = tf.while_loop(lambda x, k, i: i < 3, lambda x, k, i: (k * x, k, i + 1), [tf.ones([]), theta, 0])
        x, back = sg(x), sg(back)
        return [*tf.gradients(back * x, theta), *tf.gradients(theta * x, theta)]

    assert run(build) == [None, 8.0]


def test_maps_and_folds_take_containers():
    a, b = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    assert plain(tf.map_fn(lambda p: {"s": p[0] * p[1]}, (a, b))) == {"s": [3.0, 8.0]}
    assert plain(tf.foldr(lambda s, v: s - v, a, initializer=0.0)) == -3.0
    assert plain(tf.scan(lambda s, v: s + v, a, initializer=10.0)) == [11.0, 13.0]


def test_rows_of_other_numbers_are_a_value_error():
    with pytest.raises(ValueError, match="one known first size"):
        tf.map_fn(lambda p: p[0], (tf.constant([1.0]), tf.constant([1.0, 2.0])))
