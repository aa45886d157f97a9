"""why: which sources a gradient reaches, and what stops it on the way to the others. It builds and runs nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tidegate.api.arguments import graph_tensors
from tidegate.core.errors import ArgumentTypeError
from tidegate.core.graph import Tensor
from tidegate.core.source import show_site, source_text
from tidegate.core.tree import named_leaves
from tidegate.flow.paths import Arc, Passage, PathGraph, Vertex, path_graph
from tidegate.flow.report import MANY, Blocker, Flow, Report
from tidegate.runtime.variable import Variable, versions


def why(target: Any, sources: Any, *, stop_gradients: Any = None) -> Report:
    """How `target` depends on `sources`: for each, whether a gradient flows, and what stops it where and why.

    target: a tensor, or a list or tuple of them (their sum).
    sources: a tensor, or a container of them; a dict's keys are their names in the report. What isn't a tensor in it
        is passed over. A Variable stands for the versions of it that `target` was computed from.
    stop_gradients: as in `gradients`: tensors that nothing flows through.

    Paths are counted, at most to 10^18, edge by edge. A path is blocked where the first op from the source blocks it.
    A path through a predicate or through a stop that one of our own functions placed is apart, and counts in no
    status. It agrees with `gradients`: that gives None for a source exactly where this doesn't flow, and raises
    where this is refused, or cut: where an open path leads to a value whose history was let go.

    Raises ArgumentTypeError for a target or stop that isn't a tensor, or sources without any.
    """
    targets = graph_tensors(target, "why", "target")
    named = _named(sources, targets)
    stops = graph_tensors(() if stop_gradients is None else stop_gradients, "why", "stop_gradients")
    stopped = {t.edge for t in stops}
    oldest = min(x.node.number for _, x in named)
    graph = path_graph([*targets, *[x for _, x in named]], stopped, oldest, [x for _, x in named])
    ends: dict[Vertex, int] = {}
    for t in targets:
        vertex = graph.of.get(t.edge)
        if vertex is not None:
            ends[vertex] = ends.get(vertex, 0) + 1
    onward = _onward(graph, ends)
    return Report(tuple([_flow(graph, name, x, ends, onward) for name, x in named]))


def _named(sources: Any, targets: list[Tensor]) -> list[tuple[str, Tensor]]:
    """Each source's name and tensor; for a Variable those versions that `targets` were computed from."""
    if isinstance(sources, Tensor):
        return [("x", sources)]
    if isinstance(sources, Mapping):
        leaves = [pair for key, value in sources.items() for pair in named_leaves(value, str(key))]
    else:
        leaves = named_leaves(sources, "x")
    found = []
    for name, x in leaves:
        if isinstance(x, Tensor):
            found.append((name, x))
        elif isinstance(x, Variable):
            read = versions(x, targets)
            found += [(name if len(read) == 1 else f"{name} (version {i})", v) for i, v in enumerate(read)]
        elif hasattr(type(x), "__tidegate_tensor__"):
            found.append((name, x.__tidegate_tensor__()))
    if not found:
        raise ArgumentTypeError(f"why: got no tensor in sources, a {type(sources).__name__}; want tensors of the graph")
    return found


@dataclass(slots=True)
class Onward:
    """How many paths lead on from a vertex to the targets: of data alone; through a stop of ours; through a choice."""

    data: int = 0
    internal: int = 0
    choice: int = 0
    unblocked: int = 0
    """Those of `data` that nothing blocks."""

    @property
    def total(self) -> int:
        """All of them."""
        return self.data + self.internal + self.choice


@dataclass(slots=True)
class Come:
    """How many paths come from the source to a vertex: open, open through a refusal or a cut, blocked, and those
    apart."""

    free: int = 0
    refused: int = 0
    blocked: int = 0
    internal: int = 0
    choice: int = 0
    cut: int = 0

    @property
    def opened(self) -> int:
        """Those that nothing blocked."""
        return self.free + self.refused + self.cut

    @property
    def data(self) -> int:
        """Those through no choice and no stop of ours."""
        return self.opened + self.blocked

    def through(self, passage: Passage) -> Come:
        """What goes on behind an arc."""
        match passage:
            case Passage.OPEN:
                return self
            case Passage.REFUSED:
                return Come(0, self.opened, self.blocked, self.internal, self.choice)
            case Passage.CUT:
                return Come(0, 0, self.blocked, self.internal, self.choice, self.opened)
            case Passage.BLOCKED:
                return Come(0, 0, self.data, self.internal, self.choice)
            case Passage.INTERNAL:
                return Come(0, 0, 0, self.data + self.internal, self.choice)
            case Passage.CHOICE:
                return Come(0, 0, 0, 0, self.data + self.internal + self.choice)

    def __iadd__(self, other: Come) -> Come:
        self.free = min(MANY, self.free + other.free)
        self.refused = min(MANY, self.refused + other.refused)
        self.blocked = min(MANY, self.blocked + other.blocked)
        self.internal = min(MANY, self.internal + other.internal)
        self.choice = min(MANY, self.choice + other.choice)
        self.cut = min(MANY, self.cut + other.cut)
        return self


def _onward(graph: PathGraph, ends: Mapping[Vertex, int]) -> list[Onward]:
    """For each vertex, the paths that lead on to the targets."""
    onward = [Onward(data=n, unblocked=n) for n in [ends.get(vertex, 0) for vertex in range(graph.count)]]
    for vertex in range(graph.count - 1, -1, -1):
        here = onward[vertex]
        if not here.total:
            continue
        for arc in graph.arcs_into[vertex]:
            start = onward[arc.start]
            if arc.passage is Passage.CHOICE:
                start.choice = min(MANY, start.choice + here.total)
                continue
            start.choice = min(MANY, start.choice + here.choice)
            if arc.passage is Passage.INTERNAL:
                start.internal = min(MANY, start.internal + here.data + here.internal)
            else:
                start.internal = min(MANY, start.internal + here.internal)
                start.data = min(MANY, start.data + here.data)
                if arc.passage is not Passage.BLOCKED:
                    start.unblocked = min(MANY, start.unblocked + here.unblocked)
    return onward


Met = list[tuple[Arc, int]]


def _flow(graph: PathGraph, name: str, x: Tensor, ends: Mapping[Vertex, int], onward: Sequence[Onward]) -> Flow:
    source = graph.of[x.edge]
    if not x.differentiable:
        return _integer_source(name, x, onward[source])
    come: list[Come | None] = [None] * graph.count
    come[source] = Come(free=1)
    blockers: Met = []
    refusals: Met = []
    cuts: Met = []
    choices: Met = []
    internal: Met = []
    for vertex in range(source + 1, graph.count):
        after = onward[vertex]
        if not after.total:
            continue
        total: Come | None = None
        for arc in graph.arcs_into[vertex]:
            before = come[arc.start]
            if before is None:
                continue
            total = total or Come()
            total += before.through(arc.passage)
            if arc.passage is Passage.OPEN:
                continue
            # The first op from the source that closes a path is told of it, whatever class the path is of.
            opened = before.opened
            match arc.passage:
                case Passage.BLOCKED:
                    blockers.append((arc, opened * after.data))
                    internal.append((arc, opened * after.internal))
                    choices.append((arc, opened * after.choice))
                case Passage.REFUSED:
                    refusals.append((arc, before.free * after.unblocked))
                case Passage.CUT:
                    cuts.append((arc, before.opened * after.unblocked))
                case Passage.INTERNAL:
                    internal.append((arc, opened * (after.data + after.internal)))
                    choices.append((arc, opened * after.choice))
                case Passage.CHOICE:
                    choices.append((arc, opened * after.total))
        come[vertex] = total
    last = Come()
    for vertex, times in ends.items():
        for _ in range(times):
            last += come[vertex] or Come()
    if last.refused:
        status = "refused"
    elif last.cut:
        status = "cut"
    elif last.free:
        status = "mixed" if last.blocked else "flows"
    else:
        status = "blocked" if last.blocked else "unconnected"
    return Flow(
        source=name,
        status=status,
        open_paths=last.free,
        blocked_paths=last.blocked,
        blockers=_blockers(refusals if last.refused else cuts if last.cut else blockers),
        choice_paths=last.choice,
        choices=_blockers(choices),
        internal_paths=last.internal,
        internal=_blockers(internal),
    )


def _integer_source(name: str, x: Tensor, onward: Onward) -> Flow:
    node = x.node
    sentence = f"{x.dtype.name} carries no gradient"
    blocker = Blocker(x.dtype.name, sentence, show_site(node.site), source_text(node.site), onward.data)
    status, shown = ("blocked", (blocker,)) if onward.data else ("unconnected", ())
    return Flow(name, status, 0, onward.data, shown, onward.choice, (), onward.internal, ())


def _blockers(found: list[tuple[Arc, int]]) -> tuple[Blocker, ...]:
    """One for each op and line: the one with most paths first, equal ones by line, wherever they were met."""
    totals: dict[tuple[str, str, str, str], int] = {}
    for arc, paths in found:
        if not paths:
            continue
        line, text = ("?", "") if arc.site is None else (show_site(arc.site), source_text(arc.site))
        key = (arc.op, arc.why, line, text)
        totals[key] = min(MANY, totals.get(key, 0) + paths)
    ordered = sorted(totals.items(), key=lambda item: (-item[1], _place(item[0][2]), item[0]))
    return tuple([Blocker(*key, paths) for key, paths in ordered])


def _place(line: str) -> tuple[str, int]:
    """`file.py:12` as what sorts by file, then number."""
    file, _, number = line.rpartition(":")
    return file, int(number) if number.isdigit() else 0
