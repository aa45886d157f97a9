"""The compiled tier: programs looked up by structure, compiled if new, run round by round."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Mapping, Sequence
from threading import Lock

from tidegate.backends.interface import Backend, Executable, Program, Status
from tidegate.backends.reference import REFERENCE
from tidegate.core.graph import Array, Edge, Node
from tidegate.core.trace import many_new_objects
from tidegate.ops.creation import Constant
from tidegate.runtime.rounds import rounds
from tidegate.runtime.statistics import statistics

BACKEND: Backend = REFERENCE
CACHED_STEPS = 200_000
"""How many steps the programs that are kept have together; one of more than a quarter of that isn't kept."""


class Programs:
    """Executables by structural key, those used last."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[Hashable, Executable] = OrderedDict()
        self._steps = 0

    def __len__(self) -> int:
        return len(self._kept)

    def clear(self) -> None:
        """Keep none."""
        with self._lock:
            self._kept.clear()
            self._steps = 0

    def find(self, program: Program) -> Executable:
        """The executable of a program, compiled if there is none of its structure."""
        size = len(program.nodes)
        if size > CACHED_STEPS // 4:
            return self._compiled(program)
        key = structural_key(program)
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found
        found = self._compiled(program)
        with self._lock:
            if key not in self._kept:
                self._kept[key] = found
                self._steps += size
                while self._steps > CACHED_STEPS:
                    _, dropped = self._kept.popitem(last=False)
                    self._steps -= dropped.step_count
        return found

    def _compiled(self, program: Program) -> Executable:
        with many_new_objects():
            statistics.compiled += 1
            return BACKEND.compile(program)


programs = Programs()


def structural_key(program: Program) -> Hashable:
    """Equal for programs that one executable can run: of the same ops, attributes, types, topology and results.

    Values are no part of it, except those of constants: the numbers that a rewrite may use. Ops and types are
    interned, so it is a flat tuple of small integers and of objects that are compared by identity.
    """
    place = {edge: i for i, edge in enumerate(program.arguments)}
    key: list[Hashable] = [n.op if isinstance(n.op, Constant) else n.types[i] for n, i in program.arguments]
    key.append(None)
    following = len(place)
    for node in program.nodes:
        key.append(node.op)
        for edge in zip(node.inputs, node.indices, strict=True):
            key.append(place[edge])
        for k in range(len(node.types)):
            place[node, k] = following
            following += 1
    key.append(None)
    key.extend([place[edge] for edge in program.results])
    return tuple(key)


def run_program(nodes: Sequence[Node], values: Mapping[Edge, Array], results: Sequence[Edge]) -> list[Array]:
    """The values of `results`; `values` has those of what the nodes read from outside.

    Raises what an op finds wrong with values, at the line that made it. A value between rounds goes after its last
    reader.
    """
    with many_new_objects():
        todo = rounds(nodes, results)
    last_reader = {edge: i for i, r in enumerate(todo) for edge in r.reads}
    last_reader.update(dict.fromkeys(results, len(todo)))
    store = dict(values)
    for i, part in enumerate(todo):
        reads, gives = list(part.reads), list(part.gives)
        store.update(zip(gives, run_once(part.nodes, reads, gives, store), strict=True))
        for edge in reads:
            if last_reader[edge] == i:
                del store[edge]
    return [store[edge] for edge in results]


def run_once(
    nodes: Sequence[Node], arguments: Sequence[Edge], results: Sequence[Edge], values: Mapping[Edge, Array]
) -> list[Array]:
    """The values of `results` in one program."""
    executable = programs.find(Program(nodes, arguments, results))
    status = Status()
    found = executable([values[edge] for edge in arguments], status)
    if status.failed:
        raise status.error(nodes)
    return found
