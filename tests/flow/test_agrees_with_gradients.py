"""Flow reports on random programs: they say what the gradient builder does, and count what listing every path gives."""

from collections import Counter

import pytest
from hypothesis import HealthCheck, assume, given, settings

import tidegate as tg
from brute import TooManyError, by_class, first_closed, inner_nodes, status_of, ways
from graphs import Graph, Program, generic, programs
from tidegate.core.source import show_site, source_text

many = settings(max_examples=250, suppress_health_check=list(HealthCheck))
MOST = 2000


def reports(graph: Graph):
    """A Flow for each source."""
    return list(tg.flow.why(graph.targets, graph.sources, stop_gradients=graph.stops))


def gradient(graph: Graph, x):
    """One source's gradient, or "refused"."""
    seeds = [generic(50 + i, y.dtype) for i, y in enumerate(graph.targets)]
    try:
        return tg.gradients(graph.targets, x, seeds, stop_gradients=graph.stops)[0]
    except tg.GradientRefusedError:
        return "refused"


def listed(graph: Graph, x):
    """Every path from a source, by listing them."""
    try:
        return ways(graph.targets, x, {t.edge for t in graph.stops}, MOST)
    except TooManyError:
        assume(False)


@many
@given(programs(refusing=True))
def test_a_report_says_flows_or_mixed_exactly_where_a_gradient_is_there(program: Program):
    graph = program.graph()
    for x, flow in zip(graph.sources, reports(graph), strict=True):
        found = gradient(graph, x)
        if isinstance(found, str):
            assert flow.status == "refused"
        else:
            assert flow.flows == (found is not None)
            assert flow.status != "refused"


@many
@given(programs(refusing=True))
def test_a_status_is_that_of_the_listed_paths(program: Program):
    graph = program.graph()
    for x, flow in zip(graph.sources, reports(graph), strict=True):
        assert flow.status == status_of(listed(graph, x))


@many
@given(programs(refusing=True))
def test_counts_are_those_of_the_listed_paths(program: Program):
    graph = program.graph()
    for x, flow in zip(graph.sources, reports(graph), strict=True):
        classes = by_class(listed(graph, x))
        counts = {kind: len(found) for kind, found in classes.items()}
        assert flow.open_paths == counts["open"]
        assert flow.blocked_paths == counts["blocked"]
        assert flow.choice_paths == counts["choice"]
        assert flow.internal_paths == counts["internal"]


def told(blockers):
    """Paths by op and line; one in this call's stop list too is a blocker of its own."""
    totals = Counter()
    for b in blockers:
        totals[b.op, b.line, b.text] += b.paths
    return totals


def counted(found):
    """What blockers must be told of these paths: the first that closes each, from the source."""
    nodes = [first_closed(way) for way in found]
    return Counter((n.op.name, show_site(n.site), source_text(n.site)) for n in nodes)


@many
@given(programs(refusing=True))
def test_a_blocker_is_the_first_from_the_source_that_closes_its_paths(program: Program):
    graph = program.graph()
    for x, flow in zip(graph.sources, reports(graph), strict=True):
        classes = by_class(listed(graph, x))
        assert told(flow.blockers) == counted(classes["refused" if flow.status == "refused" else "blocked"])


@many
@given(programs(refusing=True))
def test_what_closes_the_paths_that_are_kept_apart_is_listed_too(program: Program):
    graph = program.graph()
    for x, flow in zip(graph.sources, reports(graph), strict=True):
        classes = by_class(listed(graph, x))
        assert told(flow.choices) == counted(classes["choice"])
        assert told(flow.internal) == counted(classes["internal"])


@many
@given(programs(refusing=True))
def test_blockers_come_with_most_paths_first(program: Program):
    graph = program.graph()
    for flow in reports(graph):
        counts = [b.paths for b in flow.blockers]
        assert counts == sorted(counts, reverse=True)


@many
@given(programs(refusing=True))
def test_the_sentence_of_a_blocker_is_one_that_an_op_of_that_name_and_line_gives(program: Program):
    graph = program.graph()
    nodes = list(inner_nodes(graph.targets))
    for flow in reports(graph):
        for blocker in (*flow.blockers, *flow.choices, *flow.internal):
            here = [n for n in nodes if (n.op.name, show_site(n.site)) == (blocker.op, blocker.line)]
            sentences = {"it is in this call's stop list"}
            for n in here:
                kinds = [*n.types, *[e.types[i] for e, i in n.edges()]]
                sentences |= {f"{t.dtype.name} carries no gradient" for t in kinds if not t.differentiable}
                sentences |= {getattr(n.op, "non_differentiable", ""), *n.op.no_gradient.values()}
                if n.op.form == "refuses":
                    sentences.add(n.op.why_refused())
            assert here
            assert blocker.why in sentences - {""}


@many
@given(programs(refusing=True))
def test_several_sources_are_told_what_each_alone_is(program: Program):
    graph = program.graph()
    together = reports(graph)
    for x, flow in zip(graph.sources, together, strict=True):
        (alone,) = tg.flow.why(graph.targets, x, stop_gradients=graph.stops)
        assert {**alone.as_json(), "source": ""} == {**flow.as_json(), "source": ""}


@many
@given(programs(refusing=True))
def test_a_report_of_several_targets_adds_up_those_of_each(program: Program):
    graph = program.graph()
    whole = reports(graph)
    parts = [list(tg.flow.why(y, graph.sources, stop_gradients=graph.stops)) for y in graph.targets]
    for i, flow in enumerate(whole):
        for count in ("open_paths", "blocked_paths", "choice_paths", "internal_paths"):
            assert getattr(flow, count) == sum(getattr(p[i], count) for p in parts)


def test_random_programs_reach_every_status():
    seen = set()

    @settings(max_examples=250, suppress_health_check=list(HealthCheck))
    @given(programs(refusing=True))
    def look(program):
        seen.update(flow.status for flow in reports(program.graph()))

    look()
    assert seen == {"flows", "mixed", "blocked", "unconnected", "refused"}


@pytest.mark.parametrize("dtype", [tg.float64, tg.complex128])
def test_random_programs_unfold_no_path_twice(dtype):
    """The listing itself: of x * x there are two paths, of a call of it two, of a choice of two of them four."""
    x = tg.asarray([1.0, 2.0], dtype)
    square = tg.cond(tg.asarray(True), lambda v: v * v, lambda v: v * v, x)
    assert len(ways([x * x], x, (), 10)) == 2
    assert len(ways([square], x, (), 10)) == 4
