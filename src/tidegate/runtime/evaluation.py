"""Evaluation: give tensors their values, and whatever else in their graph somebody still wants.

1. Walk from the tensors asked for down to tensors that have values: those are the arguments.
2. The nodes on the way let go of their input tensors. A handle that is alive after that belongs to a user, or to a
   node outside that waits: its value is wanted too. So nothing held is computed twice.
3. Run what was found, on the tier that its structure and size choose, and put the values on the handles.

Nothing here counts references: a tensor is wanted because it is alive. On any exception, an interrupt included, the
nodes take hold of their inputs again, and nothing has changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from threading import RLock
from typing import Any

from tidegate.core.errors import NoValueError
from tidegate.core.graph import Array, Edge, Node, Tensor, by_number, read_only
from tidegate.core.source import show_site
from tidegate.ops.creation import Input
from tidegate.runtime.history import HISTORY
from tidegate.runtime.programs import run_program
from tidegate.runtime.small import is_small_graph, run_one, run_small
from tidegate.runtime.statistics import statistics

_lock = RLock()


def waiting(tensors: Iterable[Tensor], who: str) -> tuple[list[Node], dict[Edge, Tensor]]:
    """The nodes to compute, inputs first, and the tensors with values that they read.

    Raises NoValueError, for `who`, if an input without a value, or of a size that isn't known, is among them.
    """
    seen: set[Node] = set()
    arguments: dict[Edge, Tensor] = {}
    stack = [t.node for t in tensors if t.value is None]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        held = node.holding
        if held is not None:
            for x in held:
                if x.value is None:
                    stack.append(x.node)
                else:
                    arguments[x.node, x.index] = x
            continue
        for n, i in node.edges():
            x = n.tensor(i) if n.op.leaf_value is not None else n.handles[i]()
            if x is None or x.value is None:
                stack.append(n)
            else:
                arguments[n, i] = x
    nodes = sorted(seen, key=by_number)
    for node in nodes:
        if node.op.__class__ is Input:
            raise NoValueError(
                f"{who}: got a tensor that depends on an input without a value, {node.types[0]} made at "
                f"{show_site(node.site)}: the function is being traced. Use tg.where or tg.cond for a choice; a number "
                "that decides a shape or a branch belongs in static_argnames"
            )
        if not all([t.known for t in node.types]):
            shown = ", ".join(map(str, node.types))
            raise NoValueError(
                f"{who}: got a tensor that depends on {node.op.name}, {shown} made at {show_site(node.site)}: "
                "its size isn't known until it is fed"
            )
    return nodes, arguments


def evaluate(tensors: Iterable[Tensor], who: str = "evaluate") -> None:
    """Give `tensors` their values. Raises NoValueError while a function is being traced, IndexRangeError and kin
    for values that an op can't take, at the line that made the op."""
    wanted = [t for t in tensors if t.value is None]
    if not wanted:
        return
    with _lock:  # it keeps out cuts of the history too, which change graphs in place
        nodes, arguments = waiting(wanted, who)
        if nodes:
            _run(nodes, arguments)


def value_of(x: Tensor, who: str) -> Array:
    """The value of a tensor, computed if need be."""
    value = x.value
    if value is None:
        with _lock:
            value = x.value
            if value is None:
                value = run_one(x)
                if value is not None:
                    statistics.alone += 1
                    HISTORY.grew_by_one(x)
        if value is None:
            evaluate([x], who)
            assert x.value is not None
            return x.value
    return value


def _run(nodes: list[Node], arguments: dict[Edge, Tensor]) -> None:
    values: dict[Edge, Any] = {edge: x.value for edge, x in arguments.items()}
    arguments.clear()
    try:
        for node in nodes:
            node.holding = None
        results = [(n, k) for n in nodes for k, handle in enumerate(n.handles) if handle() is not None]
        run = run_small if is_small_graph(nodes) else run_program
        found = run(nodes, values, results)
        kept = []
        for (node, k), value in zip(results, found, strict=True):
            handle = node.handles[k]()
            if handle is not None:
                handle.value = read_only(value)
                kept.append(handle)
    except BaseException:
        for node in nodes:
            node.hold()
        for (node, k), value in values.items():
            node.tensor(k).value = value
        raise
    statistics.runs += 1
    statistics.ops_in_runs += len(nodes)
    statistics.values_of_runs += len(results)
    HISTORY.grew(len(nodes), *kept)


def values_of(tensors: Iterable[Tensor], who: str = "evaluate") -> list[Array]:
    """The values of `tensors`, computed in one run if need be."""
    wanted = list(tensors)
    evaluate(wanted, who)
    return [t.value for t in wanted if t.value is not None]


def is_small(tensor: Tensor, nodes: int, elements: int) -> bool:
    """Whether evaluating would run at most `nodes` ops, none of more than `elements` elements, and can."""
    try:
        found, _ = waiting([tensor], "repr")
    except NoValueError:
        return False
    biggest = max([t.nbytes // t.dtype.itemsize for n in found for t in n.types], default=0)
    return len(found) <= nodes and biggest <= elements
