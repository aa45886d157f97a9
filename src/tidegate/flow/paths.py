"""The paths of a graph: arcs from inputs to outputs of ops, each open or with what closes it, regions unfolded.

A vertex is one output of one node, in one place: a region op's body is walked where the op stands, so the vertices of
a body that two calls share are apart.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from tidegate.core.graph import Edge, Node, Tensor, walk
from tidegate.core.kinds import Region
from tidegate.core.source import Site
from tidegate.core.trace import many_new_objects
from tidegate.ops.creation import Cut

Vertex = int


class Passage(Enum):
    """What an arc does to a derivative."""

    OPEN = "open"
    BLOCKED = "blocked"
    REFUSED = "refused"
    CHOICE = "choice"
    INTERNAL = "internal"
    CUT = "cut"


@dataclass(frozen=True)
class Arc:
    """From an input of an op to an output of it."""

    start: Vertex
    end: Vertex
    passage: Passage
    op: str = ""
    why: str = ""
    site: Site | None = None


class PathGraph:
    """Vertices in an order in which every arc goes up; `of` gives the vertex of a tensor at the top level."""

    def __init__(self) -> None:
        self.count = 0
        self.arcs_into: list[list[Arc]] = []
        self.of: dict[Edge, Vertex] = {}

    def vertex(self) -> Vertex:
        """A new vertex, above all others."""
        self.count += 1
        self.arcs_into.append([])
        return self.count - 1

    def add(self, arc: Arc) -> None:
        """Put in an arc."""
        self.arcs_into[arc.end].append(arc)


def path_graph(
    outputs: Sequence[Tensor], stops: Collection[Edge], since: int, sources: Sequence[Tensor] = ()
) -> PathGraph:
    """All paths into `outputs` from nodes made at number `since` or later; nothing passes through `stops`.

    A cut of the history that hides one of `sources` stands for the paths that led from it to there.
    """
    graph = PathGraph()
    with many_new_objects():
        nodes = walk(outputs, since)
        _unfold(graph, nodes, graph.of, stops)
    for node in nodes:
        if isinstance(node.op, Cut):
            for x in sources:
                if node.op.hides(node, x) and x.edge in graph.of:
                    for k in range(len(node.types)):
                        start, end = graph.of[x.edge], graph.of[node, k]
                        graph.add(Arc(start, end, Passage.CUT, "Cut", node.op.why(), node.site))
    return graph


def _unfold(graph: PathGraph, nodes: Iterable[Node], of: dict[Edge, Vertex], stops: Collection[Edge]) -> None:
    for node in nodes:
        if (node, 0) in of:
            continue  # an input of a body, which is fed
        slots = [(i, of[edge]) for i, edge in enumerate(node.edges()) if edge in of]
        if isinstance(node.op, Region):
            _unfold_region(graph, node, dict(slots), of, stops)
            continue
        for k in range(len(node.types)):
            end = of[node, k] = graph.vertex()
            for i, start in slots:
                graph.add(_arc(node, k, i, start, end, stops))


def _arc(node: Node, k: int, i: int, start: Vertex, end: Vertex, stops: Collection[Edge]) -> Arc:
    """The arc of one slot of an op that isn't a region."""
    op = node.op
    if i in op.choices:
        return Arc(start, end, Passage.CHOICE, op.name, op.why_not(k, i), node.site)
    if (node, k) in stops:
        return Arc(start, end, Passage.BLOCKED, op.name, "it is in this call's stop list", node.site)
    if not op.passes(k, i):
        passage = Passage.INTERNAL if op.internal else Passage.BLOCKED
        return Arc(start, end, passage, op.name, op.why_not(k, i), node.site)
    kind, given = node.types[k], node.inputs[i].types[node.indices[i]]
    for t in (kind, given):
        if not t.differentiable:
            return Arc(start, end, Passage.BLOCKED, op.name, f"{t.dtype.name} carries no gradient", node.site)
    if op.form == "refuses":
        return Arc(start, end, Passage.REFUSED, op.name, op.why_refused(), node.site)
    return Arc(start, end, Passage.OPEN)


def _unfold_region(
    graph: PathGraph, node: Node, slots: dict[int, Vertex], of: dict[Edge, Vertex], stops: Collection[Edge]
) -> None:
    """The arcs of a region: its bodies', between its inputs and its outputs."""
    op = node.op
    assert isinstance(op, Region)
    ends: list[list[Vertex]] = [[] for _ in node.types]
    for _, body, fed in op.bodies():
        inner: dict[Edge, Vertex] = {}
        for x, source in zip(body.inputs, fed, strict=True):
            if source in slots:
                inner[x.edge] = slots[source]
        _unfold(graph, body.nodes(), inner, ())
        for k, y in enumerate(body.outputs):
            if y.edge in inner:
                ends[k].append(inner[y.edge])
    for k in range(len(node.types)):
        end = of[node, k] = graph.vertex()
        stopped = (node, k) in stops
        for start in ends[k]:
            if stopped:
                why = "it is in this call's stop list"
                graph.add(Arc(start, end, Passage.BLOCKED, op.name, why, node.site))
            else:
                graph.add(Arc(start, end, Passage.OPEN))
        for i in sorted(op.choices & slots.keys()):
            graph.add(Arc(slots[i], end, Passage.CHOICE, op.name, op.why_not(k, i), node.site))
