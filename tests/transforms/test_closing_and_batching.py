"""Random programs as bodies: closed over what they read, called, and mapped over a batch."""

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings

import tidegate as tg
from graphs import Program, call, generic, programs
from tidegate.core.graph import next_number
from tidegate.core.kinds import Region
from tidegate.ops.creation import Constant, Input
from tidegate.transforms.closing import close

many = settings(max_examples=120, suppress_health_check=list(HealthCheck))


def called(program: Program, *xs):
    return call(program.function, *xs)


@many
@given(programs())
def test_a_called_program_has_the_values_of_the_program(program: Program):
    xs = [tg.asarray(v) for v in program.values()]
    for a, b in zip(called(program, *xs), program.function(*xs), strict=True):
        assert np.array_equal(a, b, equal_nan=True)


@many
@given(programs())
def test_a_called_program_has_the_gradients_of_the_program(program: Program):
    xs = [tg.asarray(v) for v in program.values()]
    for a, b in zip(called(program, *xs), program.function(*xs), strict=True):
        u = generic(5, a.dtype)
        for left, right in zip(tg.gradients(a, xs, u), tg.gradients(b, xs, u), strict=True):
            assert (left is None) == (right is None)
            assert left is None or np.allclose(left, right, rtol=1e-12, atol=1e-12)


@many
@given(programs(refusing=True))
def test_a_called_program_has_the_paths_of_the_program(program: Program):
    xs = [tg.asarray(v) for v in program.values()]
    inside, outside = tg.flow.why(list(called(program, *xs)), xs), tg.flow.why(list(program.function(*xs)), xs)
    assert inside.as_json() == outside.as_json()


@many
@given(programs(refusing=True))
def test_a_choice_of_a_program_or_itself_has_its_paths_twice(program: Program):
    xs = [tg.asarray(v) for v in program.values()]
    twice = tg.flow.why(list(tg.cond(tg.asarray(True), program.function, program.function, *xs)), xs)
    once = tg.flow.why(list(program.function(*xs)), xs)
    for a, b in zip(twice, once, strict=True):
        assert a.status == b.status
        assert a.open_paths == 2 * b.open_paths
        assert a.blocked_paths == 2 * b.blocked_paths
        assert [(x.op, x.line, x.paths) for x in a.blockers] == [(x.op, x.line, 2 * x.paths) for x in b.blockers]


@many
@given(programs(most=7))
def test_a_mapped_program_is_a_loop_and_a_stack(program: Program):
    rows = [program.values(seed) for seed in range(3)]
    mapped = tg.vmap(program.function)(*[np.stack(column) for column in zip(*rows, strict=True)])
    each = [program.function(*row) for row in rows]
    for y, parts in zip(mapped, zip(*each, strict=True), strict=True):
        assert np.allclose(y, np.stack([np.asarray(p) for p in parts]), rtol=1e-12, atol=1e-12, equal_nan=True)


@many
@given(programs(most=7))
def test_a_program_mapped_over_its_first_input_keeps_the_others_whole(program: Program):
    values = program.values()
    rows = [program.values(seed)[0] for seed in range(2)]
    axes = (0, *[None] * (program.inputs - 1))
    mapped = tg.vmap(program.function, in_axes=axes)(np.stack(rows), *values[1:])
    for k, y in enumerate(mapped):
        each = [np.asarray(program.function(row, *values[1:])[k]) for row in rows]
        assert np.allclose(y, np.stack(each), rtol=1e-12, atol=1e-12, equal_nan=True)


@many
@given(programs(most=5))
def test_gradients_of_a_mapped_program_are_those_of_the_loop(program: Program):
    def derivatives(*xs):
        pool = program.function(*[x + 0.0 for x in xs])
        return pool[0]

    def gradient(x, *rest):
        y, pull = tg.vjp(derivatives, x, *rest)
        (g, *_) = pull(tg.asarray(generic(5, y.dtype)))
        return g if g is not None else tg.zeros_like(x)

    rows = [program.values(seed) for seed in range(2)]
    mapped = tg.vmap(gradient)(*[np.stack(column) for column in zip(*rows, strict=True)])
    each = np.stack([np.asarray(gradient(*row)) for row in rows])
    assume(np.isfinite(each).all())
    assert np.allclose(mapped, each, rtol=1e-10, atol=1e-10)


def trace(function, *types_from):
    first = next_number()
    inputs = [Input(x.type)() for x in types_from]
    return close([function(*inputs)], inputs, first)


def test_closing_makes_inputs_of_what_is_read_from_outside():
    x, w = tg.asarray([1.0]), tg.asarray([2.0])
    h = tg.exp(w)
    body, outside = trace(lambda a: a * h + w, x)
    assert [t.edge for t in outside] == [h.edge, w.edge]
    assert len(body.inputs) == 3


def test_a_tensor_read_twice_from_outside_is_one_input():
    x, w = tg.asarray([1.0]), tg.asarray([2.0])
    _, outside = trace(lambda a: a * w + w, x)
    assert [t.edge for t in outside] == [w.edge]


def test_an_output_that_is_from_outside_is_an_input_too():
    x, w = tg.asarray([1.0]), tg.asarray([2.0])
    body, outside = trace(lambda a: w, x)
    assert [t.edge for t in outside] == [w.edge]
    assert body.outputs[0] is body.inputs[1]


@pytest.mark.parametrize("value", [0.0, 1.0, 2.0, 3.0])
def test_a_number_from_outside_gets_its_gradient_whatever_its_value(value):
    """2 is a constant of the graph and 3 is data: a gradient must not tell them apart."""
    w = tg.asarray(value)
    (g,) = tg.gradients(tg.cond(tg.asarray(True), lambda a: a * w, lambda a: a, tg.asarray(5.0)), w)
    assert g is not None
    assert float(g) == 5.0


def test_constants_made_inside_are_not_captured():
    body, outside = trace(lambda a: a * 2.0 + tg.zeros(1), tg.asarray([1.0]))
    assert not outside
    assert any(isinstance(n.op, Constant) for t in body.outputs for n in _nodes(t))


def test_data_made_inside_is_captured():
    """So that compiled code depends on its type only."""
    body, outside = trace(lambda a: a * 0.3, tg.asarray([1.0]))
    assert [float(t) for t in outside] == [pytest.approx(0.3)]
    assert len(body.inputs) == 2


def test_a_closed_body_reads_nothing_from_outside():
    x, w = tg.asarray([1.0]), tg.asarray([2.0])
    body, _ = trace(lambda a: tg.cond(w[0] > 0.0, lambda b: b * w, lambda b: b + 0.7 * w, a), x)
    leaves = [n for t in body.outputs for n in _nodes(t) if not n.inputs and not isinstance(n.op, Constant)]
    assert set(leaves) <= {x.node for x in body.inputs}


def test_a_closed_copy_keeps_the_users_line():
    x, w = tg.asarray([1.0]), tg.asarray([2.0])
    body, _ = trace(lambda a: tg.stop_gradient(a * w), x)
    out = call(lambda a: tg.stop_gradient(a * w), x)
    assert isinstance(out.node.op, Region)
    assert all("test_closing_and_batching" in n.site[0].co_filename for t in body.outputs for n in _nodes(t))
    assert tg.flow.why(out, x)[0].blockers[0].text == "out = call(lambda a: tg.stop_gradient(a * w), x)"


def _nodes(output):
    seen, stack = [], [output.node]
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.append(node)
            stack.extend(node.inputs)
    return seen
