"""Answers by brute force, for small graphs: difference quotients with stops held, and every path one by one.

Nothing here uses the engine's own walks: it reads nodes, ops and bodies.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tidegate.core.graph import Edge, Node, Tensor
from tidegate.core.kinds import Region
from tidegate.ops.gates import PreventGradient, StopGradient

Values = dict[Edge, np.ndarray]


def nodes_of(outputs: Sequence[Tensor], leaves: Collection[Node] = ()) -> list[Node]:
    """All nodes that `outputs` need, inputs first; not those behind `leaves`."""
    seen: dict[Node, None] = {}
    stack = [t.node for t in outputs]
    while stack:
        node = stack.pop()
        if node not in seen and node not in leaves:
            seen[node] = None
            stack.extend(node.inputs)
    return sorted(seen, key=lambda n: n.number)


class Held:
    """Runs a graph in NumPy. What a StopGradient gave the first time it gives again, whatever its input is."""

    def __init__(self, outputs: Sequence[Tensor], stops: Collection[Edge] = ()) -> None:
        self.outputs = list(outputs)
        self.stops = stops
        self.kept: dict[tuple[Any, ...], np.ndarray] = {}
        self.base: Values = {}
        self.base = self._run(self.outputs, {}, (), {}, ())

    def at(self, source: Tensor, change: np.ndarray) -> list[np.ndarray]:
        """The outputs where `source` is changed, and all that isn't stopped with it."""
        moved = {source.edge: self.base[source.edge] + change}
        values = self._run(self.outputs, moved, (), {}, self.stops)
        return [values[y.edge] for y in self.outputs]

    def _run(
        self, outputs: Sequence[Tensor], moved: Values, where: tuple[Any, ...], given: Values, stops: Collection[Edge]
    ) -> Values:
        values = dict(given)
        for node in nodes_of(outputs, {n for n, _ in given}):
            arrays = [values[e] for e in node.edges()]
            key = (*where, node.number)
            if isinstance(node.op, Region):
                found = self._region(node, arrays, key)
            elif isinstance(node.op, StopGradient):
                found = (self.kept.setdefault(key, arrays[0]),)
            else:
                with np.errstate(all="ignore"):
                    results = node.op.reference(*arrays)
                found = results if isinstance(results, tuple) else (results,)
            for k, value in enumerate(found):
                edge = (node, k)
                values[edge] = moved.get(edge, self.base[edge] if edge in stops else np.asarray(value))
        return values

    def _region(self, node: Node, arrays: list[np.ndarray], key: tuple[Any, ...]) -> tuple[np.ndarray, ...]:
        bodies = node.op.bodies()
        _, body, fed = bodies[0] if len(bodies) == 1 or arrays[0] else bodies[1]
        given = {x.edge: arrays[i] for x, i in zip(body.inputs, fed, strict=True)}
        inner = self._run(body.outputs, {}, key, given, ())
        return tuple([inner[y.edge] for y in body.outputs])


def slope(held: Held, source: Tensor, direction: np.ndarray, step: float = 1e-5) -> list[np.ndarray]:
    """The derivative of each output along `direction`, by a difference quotient of fourth order."""
    near = [held.at(source, s * step * direction) for s in (-2, -1, 1, 2)]
    return [(a - 8 * b + 8 * c - d) / (12 * step) for a, b, c, d in zip(*near, strict=True)]


@dataclass(frozen=True)
class Hop:
    """From an input of an op to an output of it: "open", "blocked", "choice", "internal" or "refused"."""

    kind: str
    node: Node


Way = tuple[Hop, ...]


class TooManyError(Exception):
    """More ways than a test wants to list."""


def ways(targets: Sequence[Tensor], source: Tensor, stops: Collection[Edge], most: int) -> list[Way]:
    """Every path from `source` to a target, hop by hop from the source. Raises TooManyError above `most`."""
    found: list[Way] = []
    for target in targets:
        found += _ways(target.edge, {source.edge: [()]}, stops, most)
        if len(found) > most:
            raise TooManyError
    return found


def _ways(end: Edge, known: dict[Edge, list[Way]], stops: Collection[Edge], most: int) -> list[Way]:
    """`known` holds what is found already: the source's, or that of the inputs of a body."""
    if end in known:
        return known[end]
    node, k = end
    found: list[Way] = []
    if isinstance(node.op, Region):
        for i, edge in enumerate(node.edges()):
            if i in node.op.choices:
                found += [(*w, Hop("choice", node)) for w in _ways(edge, known, stops, most)]
        hop = Hop("blocked" if end in stops else "open", node)
        for _, body, fed in node.op.bodies():
            edges = list(node.edges())
            inner = {x.edge: _ways(edges[i], known, stops, most) for x, i in zip(body.inputs, fed, strict=True)}
            found += [(*w, hop) for w in _ways(body.outputs[k].edge, inner, (), most)]
    else:
        for i, edge in enumerate(node.edges()):
            hop = Hop(kind_of(node, k, i, stops), node)
            found += [(*w, hop) for w in _ways(edge, known, stops, most)]
    if len(found) > most:
        raise TooManyError
    known[end] = found
    return found


def kind_of(node: Node, k: int, i: int, stops: Collection[Edge]) -> str:
    """What the slot from input i to output k of an op does to a gradient."""
    op = node.op
    inexact = [t.dtype.kind in "fc" for t in (node.types[k], node.inputs[i].types[node.indices[i]])]
    if i in op.choices:
        return "choice"
    if (node, k) in stops:
        return "blocked"
    if isinstance(op, StopGradient):
        return "internal" if op.internal else "blocked"
    if op.form == "non_differentiable" or i in op.no_gradient or (k, i) in op.no_gradient or not all(inexact):
        return "blocked"
    return "refused" if isinstance(op, PreventGradient) else "open"


ORDER = ("choice", "internal", "blocked", "refused", "open")


def class_of(way: Way) -> str:
    """The class of a path: that of its gravest hop."""
    return next((kind for kind in ORDER if any(h.kind == kind for h in way)), "open")


def first_closed(way: Way) -> Node:
    """Where it ends, seen from the source. What refuses ends only a path that nothing else closes."""
    passing = ("open",) if class_of(way) == "refused" else ("open", "refused")
    return next(h.node for h in way if h.kind not in passing)


def by_class(found: Sequence[Way]) -> dict[str, list[Way]]:
    """The paths of each class."""
    return {kind: [w for w in found if class_of(w) == kind] for kind in ORDER}


def status_of(found: Sequence[Way]) -> str:
    """What a report must say of a source with these paths."""
    classes = by_class(found)
    if classes["refused"]:
        return "refused"
    if classes["open"]:
        return "mixed" if classes["blocked"] else "flows"
    return "blocked" if classes["blocked"] else "unconnected"


def inner_nodes(outputs: Sequence[Tensor]) -> Iterator[Node]:
    """The nodes of a graph and of the bodies in it."""
    for node in nodes_of(outputs):
        yield node
        if isinstance(node.op, Region):
            for _, body, _ in node.op.bodies():
                yield from inner_nodes(body.outputs)
