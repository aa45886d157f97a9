"""The history budget: evaluated nodes keep their structure, so that gradients can be asked for later; not for ever.

Beyond the budget, what is oldest becomes Cut nodes, in place: they carry their value, the reason, and which tensors
an open path led back to, so that a gradient that would have to pass them is an error and never a silent None.

A cut needs values, and a value goes with its last user. So when half of the budget is used, the tensors that have
values then are held on to: that is the frontier at which the next cut is made. So what was evaluated last is never cut,
and half a budget of history is always there. Nodes that wait for a value are never cut.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock

from tidegate.core.errors import HistoryWarning
from tidegate.core.graph import Edge, Node, Tensor, by_number
from tidegate.core.source import position, show_site
from tidegate.core.trace import when_nobody_builds
from tidegate.ops.creation import Cut, Data, Place, Version
from tidegate.runtime.config import HistoryBudget, config
from tidegate.runtime.statistics import statistics

MANY_SOURCES = 2000
"""A cut notes which tensors lie behind it if somebody holds at most so many; else any older one counts as behind."""


LITTLE, ENOUGH = 0.25, 0.75
"""Below these parts of the budget, what is really there needs no frontier, and no cut."""


@dataclass
class Size:
    """How much history there is."""

    nodes: int
    nbytes: int

    def share(self) -> float:
        """The part of the budget that it is."""
        budget = config.history
        return max(self.nodes / budget.nodes, self.nbytes / budget.nbytes)


class History:
    """Follows how much history grows, and cuts it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._handles: list[Callable[[], Tensor | None]] = []
        self._nodes = 0
        self._bytes_before = 0
        self._half_seen = False
        self._frontier: list[Tensor] = []
        self._plan(config.history)

    def grew(self, nodes: int, *valued: Tensor) -> None:
        """`nodes` were evaluated, and the tensors `valued` got values."""
        self._handles += [x.node.handles[x.index] for x in valued]
        self._nodes += nodes
        self._look_if_due()

    def grew_by_one(self, x: Tensor) -> None:
        """One node of one output was evaluated."""
        self._handles.append(x.node.handles[0])
        self._nodes += 1
        if self._nodes > self._look_at or Data.captured.nbytes > self._look_at_bytes:
            self._look_if_due()

    def _look_if_due(self) -> None:
        if (
            self._nodes > self._look_at
            or Data.captured.nbytes > self._look_at_bytes
            or config.history is not self._budget
        ):
            with self._lock:
                self._look()

    def _look(self) -> None:
        """At half of the budget take a frontier; beyond all of it cut there, and take another."""
        budget = config.history
        grown = Size(self._nodes, Data.captured.nbytes - self._bytes_before).share()
        if grown <= (1 if self._half_seen else 0.5):
            self._plan(budget)
            return
        with when_nobody_builds() as alone:
            if not alone:
                return  # the next evaluation looks again
            valued = self._valued()
            left = measure(valued)
            if grown > 1 and left.share() > ENOUGH and (self._frontier or not _fits(valued)):
                self._cut(self._frontier or valued, valued)
                valued = self._valued()
                left = measure(valued)
            self._nodes = min(left.nodes, budget.nodes >> 1)
            self._bytes_before = Data.captured.nbytes - min(left.nbytes, budget.nbytes >> 1)
            self._half_seen = left.share() > LITTLE
            self._frontier = valued if self._half_seen and _fits(valued) else []
            self._plan(budget)

    def _plan(self, budget: HistoryBudget) -> None:
        """When to look next."""
        part = 0 if self._half_seen else 1
        self._budget = budget
        self._look_at = budget.nodes >> part
        self._look_at_bytes = self._bytes_before + (budget.nbytes >> part)

    def _valued(self) -> list[Tensor]:
        """The tensors with values and a history that somebody holds, in order of their nodes."""
        held = with_history([x for r in self._handles if (x := r()) is not None])
        self._handles = [x.node.handles[x.index] for x in held]
        return sorted(held, key=lambda x: x.node.number)

    def _cut(self, at: Sequence[Tensor], valued: Sequence[Tensor]) -> None:
        there = with_history(at)
        if there:
            cut_history(there, "beyond tg.config.history")
            _warn(valued[-1].node)


def with_history(tensors: Sequence[Tensor]) -> list[Tensor]:
    """Those that have a value, and a history to let go of."""
    return [x for x in tensors if x.value is not None and x.node.inputs]


def _fits(frontier: Sequence[Tensor]) -> bool:
    """Whether the values of a frontier may be held on to."""
    return sum([x.type.nbytes for x in frontier]) <= config.history.nbytes >> 2


def measure(valued: Sequence[Tensor]) -> Size:
    """The nodes that tensors keep alive, and the bytes of data that those read."""
    nodes = behind(valued)
    return Size(len(nodes), sum([n.types[0].nbytes for n in nodes if isinstance(n.op, Data)]))


def behind(tensors: Sequence[Tensor]) -> set[Node]:
    """The nodes of `tensors`, and all that lie behind them."""
    seen: set[Node] = set()
    stack = [x.node for x in tensors]
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            stack.extend(node.inputs)
    return seen


def cut_history(tensors: Sequence[Tensor], cause: str) -> None:
    """Turn the nodes of `tensors`, which have values, into Cut nodes, in place. Nodes of several outputs are cut if
    all of them have values."""
    nodes = sorted({x.node for x in tensors}, key=by_number)
    hidden = _hidden(tensors)
    for node in nodes:
        outputs = [handle() for handle in node.handles]
        values = [x.value for x in outputs if x is not None and x.value is not None]
        if len(values) == len(node.types):
            site = node.told_site()
            node.inputs, node.indices, node.holding = (), (), None
            node.op = Cut(tuple(values), f"its history was cut {cause}: it was computed", site, hidden[node])
            node.origin = None
            statistics.cut += 1


def let_go(tensors: Sequence[Tensor]) -> None:
    """Cut the history of `tensors`, which have values, now."""
    with when_nobody_builds() as alone:
        cut = with_history(tensors)
        if alone and cut:
            cut_history(cut, "by keep_history=False")


def _hidden(tensors: Sequence[Tensor]) -> dict[Node, frozenset[Place] | None]:
    """For each of their nodes, what an open path leads back to that somebody may hold; None if that isn't known."""
    nodes = sorted(behind(tensors), key=by_number)
    bit: dict[Place, int] = {}
    for node in nodes:
        places = [(node.number, k) for k, h in enumerate(node.handles) if h() is not None]
        if isinstance(node.op, Cut) and node.op.hidden is not None:
            places += node.op.hidden
        elif isinstance(node.op, Version):
            places.append(node.op.place)
        for place in places:
            bit.setdefault(place, 1 << len(bit) + 1)
    wanted = {x.node for x in tensors}
    if len(bit) > MANY_SOURCES:
        return dict.fromkeys(wanted, None)
    reach: dict[Edge, int] = {}
    for node in nodes:
        for k in range(len(node.types)):
            reach[node, k] = _behind_output(node, k, reach, bit)
    found: dict[Node, frozenset[Place] | None] = {}
    for node in wanted:
        bits = 0
        for k in range(len(node.types)):
            bits |= reach[node, k]
        found[node] = None if bits & UNKNOWN else frozenset([place for place, b in bit.items() if bits & b])
    return found


UNKNOWN = 1
"""The bit of a cut that doesn't know what it hides."""


def _behind_output(node: Node, k: int, reach: Mapping[Edge, int], bit: Mapping[Place, int]) -> int:
    """What open paths lead back to from an output, as bits; `reach` has those of its inputs."""
    op = node.op
    if not node.types[k].differentiable:
        return 0
    bits = 0
    if isinstance(op, Cut):
        if op.hidden is None:
            return UNKNOWN
        for place in op.hidden:
            bits |= bit[place]
    elif isinstance(op, Version):
        bits |= bit[op.place]
    for i, (source, index) in enumerate(node.edges()):
        if source.types[index].differentiable and op.passes(k, i):
            bits |= reach[source, index] | bit.get((source.number, index), 0)
    return bits


def _warn(node: Node) -> None:
    """Say that a history was cut, once for each line."""
    site = node.told_site()
    file, line = position(site)
    if (file, line) in _warned:
        return
    _warned.add((file, line))
    budget = config.history
    warnings.warn_explicit(
        f"the history of values evaluated at {show_site(site)} grew beyond tg.config.history ({budget.nodes} nodes, "
        f"{budget.nbytes} bytes): its oldest part was cut, and gradients can't pass there. In a training loop use "
        "tg.jit, tg.Variable, or tg.evaluate(..., keep_history=False)",
        HistoryWarning,
        file,
        line,
    )


_warned: set[tuple[str, int]] = set()

HISTORY = History()
