"""Cut a long waiting graph where the user's loop came round, so that every round is the same program.

A plain Python loop that is looked at now and then leaves graphs of any number of rounds; run whole, each number would
be a program of its own. Nodes know their line, and creation order is the order of the rounds: a line that makes nodes
again and again marks where a round begins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from tidegate.core.graph import Edge, Node

SHORT, LONG = 64, 2000
"""A graph of fewer nodes stays whole; where loops are nested, a round of more is cut at an inner loop."""
OFTEN = 3
"""A line that makes nodes at least so many times is in a loop."""


@dataclass
class Round:
    """Nodes to run together, what they read from outside, and what is wanted of them."""

    nodes: list[Node]
    reads: dict[Edge, None] = field(default_factory=dict)
    gives: dict[Edge, None] = field(default_factory=dict)


def rounds(nodes: Sequence[Node], results: Collection[Edge]) -> list[Round]:
    """`nodes`, inputs before users, in rounds that run in turn and give `results`."""
    found = [Round(part) for part in _parts(nodes)]
    home = {node: r for r in found for node in r.nodes}
    for node in nodes:
        here = home[node]
        for edge in node.edges():
            source = home.get(edge[0])
            if source is not here:
                here.reads[edge] = None
                if source is not None:
                    source.gives[edge] = None
    for edge in results:
        home[edge[0]].gives[edge] = None
    return found


def _parts(nodes: Sequence[Node]) -> list[list[Node]]:
    if len(nodes) < SHORT:
        return [list(nodes)]
    starts = [i for i, n in enumerate(nodes) if i == 0 or n.site != nodes[i - 1].site]
    times = Counter(nodes[i].site for i in starts)
    loops = {site: count for site, count in times.items() if count >= OFTEN}
    if not loops:
        return [list(nodes)]
    fitting = [count for count in loops.values() if len(nodes) / count <= LONG]
    count = min(fitting) if fitting else max(loops.values())
    mark = next(site for site, c in loops.items() if c == count)
    cuts = [i for i in starts if nodes[i].site == mark]
    return [list(nodes[a:b]) for a, b in zip([0, *cuts], [*cuts, len(nodes)], strict=True) if a < b]
