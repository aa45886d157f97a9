"""What the gradient builder adds to a graph, and what it leaves alone: counted, not timed."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import tidegate as tg
from brute import nodes_of
from graphs import Program, call, generic, programs
from tidegate.core.kinds import Region
from tidegate.core.trace import Scope, within
from tidegate.ops.elementwise import Log, Tanh
from tidegate.ops.gates import StopGradient
from tidegate.transforms.engine import ENGINE

many = settings(max_examples=150, suppress_health_check=list(HealthCheck))


class Made(Scope):
    """Lists the nodes made within."""

    def __init__(self):
        self.nodes = []

    def made(self, node):
        self.nodes.append(node)
        super().made(node)


def built(derive, *args, **options):
    """The nodes that a call makes, and what it returns."""
    with within(Made()) as scope:
        result = derive(*args, **options)
    return scope.nodes, result


def seeds(graph):
    return [tg.asarray(generic(50 + i, y.dtype)) for i, y in enumerate(graph.targets)]


def in_sight(targets):
    """The nodes that a path from the targets meets before it has passed a stop, in bodies too."""
    seen, stack = set(), [t.node for t in targets]
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            if not isinstance(node.op, StopGradient):
                stack.extend(node.inputs)
            if isinstance(node.op, Region):
                stack.extend([y.node for _, body, _ in node.op.bodies() for y in body.outputs])
    return seen


@many
@given(programs())
def test_existing_nodes_stay_as_they_are(program: Program):
    graph = program.graph()
    before = tg.show(*graph.targets, lines=True)
    nodes = [(n, n.op, n.inputs, n.indices, n.types, n.number, n.order) for n in nodes_of(graph.targets)]
    tg.gradients(graph.targets, graph.sources, seeds(graph), stop_gradients=graph.stops)
    assert tg.show(*graph.targets, lines=True) == before
    assert nodes == [(n, n.op, n.inputs, n.indices, n.types, n.number, n.order) for n in nodes_of(graph.targets)]


@many
@given(programs())
def test_no_new_op_reads_anything_that_only_a_stop_leads_to(program: Program):
    graph = program.graph()
    seen, given_in = in_sight(graph.targets), seeds(graph)
    nodes, _ = built(tg.gradients, graph.targets, graph.sources, given_in)
    known = seen | set(nodes) | {u.node for u in given_in}
    assert all(source in known for node in nodes for source in node.inputs)


@many
@given(programs())
def test_no_new_op_of_forward_mode_reads_anything_that_only_a_stop_leads_to(program: Program):
    graph = program.graph()
    seen, moves = in_sight(graph.targets), [tg.asarray(generic(9 + i, x.dtype)) for i, x in enumerate(graph.sources)]
    nodes, _ = built(ENGINE.jvp, graph.targets, graph.sources, moves)
    known = seen | set(nodes) | {v.node for v in moves}
    assert all(source in known for node in nodes for source in node.inputs)


@many
@given(programs())
def test_a_source_without_a_gradient_costs_no_node(program: Program):
    graph = program.graph()
    given_in = seeds(graph)
    for x in graph.sources:
        nodes, (found,) = built(tg.gradients, graph.targets, x, given_in, stop_gradients=graph.stops)
        assert found is not None or not nodes


def ladder(x, rungs):
    for _ in range(rungs):
        x = tg.tanh(x) + tg.tanh(x)
    return x


def counted(monkeypatch, op):
    """Counts the calls of an op's partials."""
    calls = []
    rule = op.partials

    def partials(self, *args):
        calls.append(args)
        return rule(self, *args)

    monkeypatch.setattr(op, "partials", partials)
    return calls


def test_each_node_of_a_diamond_ladder_is_pulled_back_once(monkeypatch):
    x = tg.asarray(0.3, tg.float64)
    y = ladder(x, 60)
    calls = counted(monkeypatch, Tanh)
    tg.gradients(y, x)
    assert len(calls) == 120


def test_each_node_of_a_diamond_ladder_is_pushed_forward_once(monkeypatch):
    x = tg.asarray(0.3, tg.float64)
    y = ladder(x, 60)
    calls = counted(monkeypatch, Tanh)
    ENGINE.jvp([y], [x], [x])
    assert len(calls) == 120


def chain(x, length):
    for _ in range(length):
        x = tg.sin(x)
    return x


@pytest.mark.parametrize("derive", ["reverse", "forward"])
def test_a_stopped_chain_costs_nothing_whatever_its_length(derive):
    counts = []
    for length in (3, 3000):
        x = tg.asarray(1.0, tg.float64)
        y = x * tg.stop_gradient(chain(x, length))
        if derive == "reverse":
            nodes, _ = built(tg.gradients, y, x)
        else:
            nodes, _ = built(ENGINE.jvp, [y], [x], [x])
        counts.append(len(nodes))
    assert counts[0] == counts[1] < 10


def test_a_chain_behind_the_stop_list_costs_nothing():
    counts = []
    for length in (3, 3000):
        x = tg.asarray(1.0, tg.float64)
        h = chain(x, length)
        nodes, _ = built(tg.gradients, x * h, x, stop_gradients=h)
        counts.append(len(nodes))
    assert counts[0] == counts[1] < 10


class Tripwire:
    """Stands where a node's inputs were: nobody may look."""

    def __iter__(self):
        raise AssertionError("the history was walked")


def with_a_history():
    """(something old with a history that must not be read, a source that is younger)."""
    old = tg.exp(tg.asarray(0.5, tg.float64))
    old.node.inputs = Tripwire()
    return old, tg.asarray(2.0, tg.float64)


def test_the_builder_never_walks_behind_the_oldest_source():
    old, x = with_a_history()
    (g,) = tg.gradients(x * old, x)
    assert g is not None


def test_forward_mode_never_walks_behind_the_oldest_source():
    old, x = with_a_history()
    (t,) = ENGINE.jvp([x * old], [x], [tg.asarray(1.0, tg.float64)])
    assert t is not None


def test_a_report_never_walks_behind_the_oldest_source():
    old, x = with_a_history()
    assert tg.flow.why(x * old, x)[0].status == "flows"


@pytest.mark.parametrize("stop", ["op", "list"])
def test_the_builder_never_walks_behind_a_stop(stop):
    x = tg.asarray(2.0, tg.float64)
    held = tg.stop_gradient(x) if stop == "op" else tg.exp(x)
    y = x * held
    held.node.inputs = Tripwire()
    (g,) = tg.gradients(y, x, stop_gradients=None if stop == "op" else held)
    assert g is not None


def test_the_builder_walks_a_history_that_is_younger_than_a_source():
    """Or the tests above could not fail."""
    x = tg.asarray(2.0, tg.float64)
    young = tg.exp(x)
    young.node.inputs = Tripwire()
    with pytest.raises(AssertionError, match="history"):
        tg.gradients(x * young, x)


def test_a_derivative_that_is_not_asked_for_is_not_built(monkeypatch):
    x, w = tg.asarray(1.0, tg.float64), tg.asarray(2.0, tg.float64)
    y = x * tg.log(w)
    calls = counted(monkeypatch, Log)
    tg.gradients(y, x)
    assert not calls


def test_a_call_pulls_back_to_no_input_that_leads_to_no_source(monkeypatch):
    x, w = tg.asarray(1.0, tg.float64), tg.asarray(2.0, tg.float64)
    y = call(lambda a, b: tg.tanh(a) * tg.log(b), x, w)
    calls = counted(monkeypatch, Log)
    tg.gradients(y, x)
    assert not calls


def test_what_forbids_in_a_call_off_the_way_to_a_source_does_no_harm():
    x, w = tg.asarray(1.0, tg.float64), tg.asarray(2.0, tg.float64)
    y = call(lambda a, b: a * a + tg.prevent_gradient(b), x, w)
    assert float(tg.gradients(y, x)[0]) == 2.0


def test_what_forbids_in_a_branch_off_the_way_to_a_source_does_no_harm():
    x, w = tg.asarray(3.0, tg.float64), tg.asarray(2.0, tg.float64)
    y = tg.cond(x > 0.0, lambda a, b: a * a + tg.prevent_gradient(b), lambda a, b: a + b, x, w)
    assert float(tg.gradients(y, x)[0]) == 6.0


def test_a_tangent_that_reaches_no_output_is_not_built(monkeypatch):
    x = tg.asarray([1.0, 2.0], tg.float64)
    dead = tg.tanh(x)
    y = tg.take(x, tg.astype(dead, tg.int32), axis=0)
    calls = counted(monkeypatch, Tanh)
    ENGINE.jvp([y], [x], [x])
    assert not calls


def test_a_tangent_that_an_op_forbids_is_no_error_where_it_reaches_no_output():
    x = tg.asarray([1.0, 2.0], tg.float64)
    y = tg.take(x, tg.astype(0.0 * tg.prevent_gradient(x), tg.int32), axis=0)
    (t,) = ENGINE.jvp([y], [x], [x])
    assert np.array_equal(t, [1.0, 1.0])


def test_a_deep_chain_is_differentiated_twice():
    x = tg.asarray(0.5, tg.float64)
    y = chain(x, 5000)
    (g,) = tg.gradients(y, x)
    (second,) = tg.gradients(g, x)
    assert second is not None


def test_new_nodes_know_what_they_are_the_derivative_of():
    x = tg.asarray(1.0, tg.float64)
    y = tg.tanh(x)
    nodes, _ = built(tg.gradients, y, x)
    assert {n.order for n in nodes if n.origin is not None} == {1}
    assert all(n.origin() is y.node for n in nodes if n.origin is not None)
    assert any(n.origin is not None for n in nodes)


def test_a_listed_output_stops_and_the_other_outputs_of_its_op_do_not():
    x = tg.asarray(3.0, tg.float64)
    a, b = call(lambda v: (v * v, 5.0 * v), x)
    partial, whole = tg.gradients(a * b, [x, a], stop_gradients=a)
    assert float(partial) == 5.0 * 9.0
    assert float(whole) == 15.0
