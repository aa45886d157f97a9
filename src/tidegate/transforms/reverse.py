"""Reverse mode: the cotangents of inputs, built as new tensors of the same graph. Only nodes are added."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tidegate.core.errors import HistoryCutError
from tidegate.core.graph import Edge, Node, Tensor, by_number
from tidegate.core.kinds import Engine
from tidegate.core.source import show_site
from tidegate.core.trace import GradientOf, many_new_objects, within
from tidegate.ops.creation import Cut
from tidegate.ops.elementwise import add
from tidegate.transforms.pull import MaybeTensors, pull_back


def open_nodes(
    outputs: Sequence[Tensor], inputs: Sequence[Tensor], stops: Collection[Edge]
) -> tuple[list[Node], list[Node]]:
    """The nodes that a gradient may pass on its way from `outputs`, inputs before users; and the cuts it may meet.

    A node older than the oldest of `inputs` can't depend on any of them, so a long history costs nothing; what lies
    behind a stop is never visited.
    """
    cuts: list[Node] = []
    oldest = min([x.node.number for x in inputs], default=0)
    seen: set[Node] = set()
    stack = [y.node for y in outputs]
    while stack:
        node = stack.pop()
        if node in seen or node.number < oldest:
            continue
        if node.op.form == "non_differentiable":
            if node.op.__class__ is Cut:
                cuts.append(node)
            continue
        seen.add(node)
        stack.extend([n for n, i in node.edges() if (n, i) not in stops] if stops else node.inputs)
    return sorted(seen, key=by_number), cuts


def varying(order: Sequence[Node], sources: Collection[Edge], stops: Collection[Edge]) -> tuple[set[Edge], list[Node]]:
    """The outputs through which a source is reached, and the nodes to pull back, inputs before users."""
    reached = set(sources)
    through: list[Node] = []
    for node in order:
        op = node.op
        slots = [i for i, edge in enumerate(zip(node.inputs, node.indices, strict=True)) if edge in reached]
        if not slots:
            continue
        passes = False
        for k, kind in enumerate(node.types):
            edge = (node, k)
            if kind.differentiable and edge not in stops and any([op.passes(k, i) for i in slots]):
                reached.add(edge)
                passes = True
        if passes:
            through.append(node)
    return reached, through


def leading(through: Sequence[Node], outputs: Collection[Edge]) -> list[Node]:
    """Those of the nodes `through` from which an open path leads on to one of `outputs`, inputs before users."""
    wanted = set(outputs)
    kept: list[Node] = []
    for node in reversed(through):
        op = node.op
        places = [k for k, kind in enumerate(node.types) if kind.differentiable and (node, k) in wanted]
        if places:
            kept.append(node)
            wanted.update([e for i, e in enumerate(node.edges()) if any([op.passes(k, i) for k in places])])
    return kept[::-1]


def check_cuts(
    order: Sequence[Node],
    cuts: Sequence[Node],
    outputs: Sequence[Tensor],
    inputs: Sequence[Tensor],
    stops: Collection[Edge],
) -> None:
    """Raise HistoryCutError if an open path leads from `outputs` to one of `cuts` that hides one of `inputs`."""
    ends = [y.edge for y in outputs]
    for cut in sorted(cuts, key=by_number, reverse=True):
        assert isinstance(cut.op, Cut)
        hidden = next((x for x in inputs if cut.op.hides(cut, x)), None)
        if hidden is None:
            continue
        edges = {(cut, k) for k, kind in enumerate(cut.types) if kind.differentiable and (cut, k) not in stops}
        _, through = varying(order, edges, stops)
        if not edges.isdisjoint(ends) or leading(through, ends):
            raise HistoryCutError(
                f"the gradient for {hidden.type}, made at {show_site(hidden.node.site)}, isn't known: "
                f"{cut.op.why()}. Take the gradient before, or within what was compiled; or say what "
                "stands in its place with unconnected='none' or 'zero'"
            )


def vjp(
    engine: Engine,
    outputs: Sequence[Tensor],
    inputs: Sequence[Tensor],
    cotangents: MaybeTensors,
    stops: Collection[Edge] = (),
    *,
    past_cuts: bool = False,
) -> list[Tensor | None]:
    """Pull `cotangents` of `outputs` back to `inputs`; None where no gradient flows.

    Nothing flows through the outputs `stops`, which get their own gradient all the same. Each node is pulled back
    once, when everything that its outputs feed has been. Raises HistoryCutError where a cut may hide a way, unless
    with `past_cuts` what lies behind cuts is to count as constant.
    """
    sources = {x.edge for x in inputs if x.differentiable}
    with many_new_objects():
        order, cuts = open_nodes(outputs, inputs, stops)
        if cuts and not past_cuts:
            check_cuts(order, cuts, outputs, inputs, stops)
        reached, through = varying(order, sources, stops)
        totals: dict[Edge, Tensor] = {}

        def send(edge: Edge, cotangent: Tensor | None) -> None:
            if cotangent is not None and edge in reached:
                totals[edge] = add(totals[edge], cotangent) if edge in totals else cotangent

        with within(GradientOf()) as scope:
            scope.order = 1 + max([n.order for n in through], default=0)
            for y, seed in zip(outputs, cotangents, strict=True):
                scope.node = y.node
                send(y.edge, seed)
            for node in reversed(through):
                edges = [(node, k) for k in range(len(node.types))]
                above = [None if e in stops else totals.get(e) for e in edges]
                if any([c is not None for c in above]):
                    scope.node = node
                    wanted = [edge in reached for edge in node.edges()]
                    for edge, cotangent in zip(node.edges(), pull_back(node, above, engine, wanted), strict=True):
                        send(edge, cotangent)
                for edge in edges:
                    if edge not in sources:
                        totals.pop(edge, None)
        return [totals.get(x.edge) for x in inputs]
