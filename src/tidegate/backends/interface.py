"""What a backend is: it makes executables of programs.

An executable is segments that run in turn over numbered places for values, a memory plan that says which places are
free after which step, and a status word for errors that only values show.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from tidegate.core.errors import Fault, TidegateError
from tidegate.core.graph import Array, Edge, Node
from tidegate.core.shapes import Symbol
from tidegate.core.source import NOWHERE, Site


@dataclass(frozen=True)
class Program:
    """What to compile: nodes, inputs before users; the outputs that they read from outside, and those wanted."""

    nodes: Sequence[Node]
    arguments: Sequence[Edge]
    results: Sequence[Edge]


@dataclass
class Status:
    """The status word: what is wrong with a value, in which step, at which element."""

    fault: Fault | None = None
    step: int = 0
    element: tuple[int, ...] = ()
    message: str = ""
    site: Site | None = None
    """The line of the op, where it isn't that of the step: an op inside of a region."""
    refused: TidegateError | None = None
    """What a type rule said, once sizes were known that only data decides."""

    @property
    def failed(self) -> bool:
        """Whether anything is wrong."""
        return self.fault is not None or self.refused is not None

    def error(self, nodes: Sequence[Node]) -> TidegateError:
        """The exception for the user, at the line that made the op."""
        site = self.site if self.site is not None else nodes[self.step].told_site() if nodes else NOWHERE
        if self.refused is not None:
            return type(self.refused)(self.refused.message, site)
        assert self.fault is not None
        return self.fault.error(self.message, site)


@dataclass(frozen=True)
class MemoryPlan:
    """A place for every value, and when it is free again."""

    places: Mapping[Edge, int]
    frees: Sequence[Sequence[int]]
    """For each step, the places that nothing reads after it."""
    peak_bytes: int
    """The most that values need at once, arguments and results included; views count as if they were copies, so it
    is an upper bound."""


def plan_memory(program: Program) -> MemoryPlan:
    """The plan of a program run op by op, in order."""
    places: dict[Edge, int] = {edge: i for i, edge in enumerate(program.arguments)}
    sizes = [node.types[k].nbytes for node, k in program.arguments]
    last_use = [NEVER] * len(sizes)
    for step, node in enumerate(program.nodes):
        for edge in zip(node.inputs, node.indices, strict=True):
            last_use[places[edge]] = step
        for k, kind in enumerate(node.types):
            places[node, k] = len(sizes)
            sizes.append(kind.nbytes)
            last_use.append(step)
    for edge in program.results:
        last_use[places[edge]] = NEVER
    frees: list[list[int]] = [[] for _ in program.nodes]
    for place in range(len(program.arguments), len(sizes)):
        if last_use[place] != NEVER:
            frees[last_use[place]].append(place)
    return MemoryPlan(places, frees, _peak(program, sizes, frees))


NEVER = -1


def _peak(program: Program, sizes: Sequence[int], frees: Sequence[Sequence[int]]) -> int:
    """The most bytes alive at once, if every value is freed after its last use."""
    place = len(program.arguments)
    live = peak = sum(sizes[:place])
    for node, freed in zip(program.nodes, frees, strict=True):
        for _ in node.types:
            live += sizes[place]
            place += 1
        if live > peak:
            peak = live
        for p in freed:
            live -= sizes[p]
    return peak


class Segment(Protocol):
    """Steps that run without asking anybody; an op whose output size depends on data ends one."""

    def run(self, values: list[Array | None], sizes: dict[Symbol, int], status: Status) -> None:
        """Fill in the places that its steps make, and in `sizes` what the data decided. On a fault set `status` and
        stop."""
        ...


@dataclass
class Executable:
    """What a backend makes of a program."""

    segments: Sequence[Segment]
    memory: MemoryPlan
    argument_count: int
    step_count: int
    result_places: Sequence[int]

    def __call__(self, arguments: Sequence[Array], status: Status) -> list[Array]:
        """The results of a run; nothing if it set `status`.

        Raises TypeError for another number of arguments.
        """
        if len(arguments) != self.argument_count:
            raise TypeError(f"executable: got {len(arguments)} arguments; want {self.argument_count}")
        values: list[Array | None] = [None] * (max(self.memory.places.values(), default=-1) + 1)
        values[: len(arguments)] = arguments
        sizes: dict[Symbol, int] = {}
        for segment in self.segments:
            segment.run(values, sizes, status)
            if status.failed:
                return []
        return [value for place in self.result_places if (value := values[place]) is not None]


class Backend(Protocol):
    """Makes executables."""

    name: str
    unsupported: Mapping[str, str]
    """Primitives (by registry name) that it can't run, and why."""

    def compile(self, program: Program) -> Executable:
        """An executable of `program`."""
        ...
