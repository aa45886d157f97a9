"""What a tape or an accumulator records: intervals of creation numbers, and which tensors were watched since when.

A node is recorded if it was made in an interval and reads something recorded, or something watched before it was made.
Everything else is constant to the one that recorded: its outputs are where nothing flows through.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from tidegate.core import graph as core
from tidegate.core.graph import Edge, Node, next_number, walk
from tidegate.tf.tensor import Tensor

FOREVER = 1 << 62


class Recorder(ABC):
    """Intervals, what is watched, and the reads of variables."""

    def __init__(self) -> None:
        self._intervals: list[list[int]] = []
        self._watched: dict[Edge, int] = {}
        self._reads: dict[Any, list[Tensor]] = {}
        self._recording = False

    def _start(self) -> None:
        self._recording = True
        self._intervals.append([next_number(), FOREVER])
        _active.set((*_active.get(), self))

    def _stop(self) -> None:
        self._recording = False
        self._intervals[-1][1] = next_number()
        _active.set(tuple([r for r in _active.get() if r is not self]))

    def _watch_tensor(self, x: Tensor) -> None:
        self._watched.setdefault(x.edge, next_number())

    def noticed(self, variable: Any, read: Tensor) -> None:
        """A variable was read while this records."""
        if variable in self._reads or self.wants(variable):
            self._watched.setdefault(read.edge, next_number())
            reads = self._reads.setdefault(variable, [])
            if all([r.edge != read.edge for r in reads]):
                reads.append(read)

    @abstractmethod
    def wants(self, variable: Any) -> bool:
        """Whether a variable is watched just because it is read."""

    def stands_for(self, source: Any) -> list[Tensor]:
        """The tensors that a source means: itself, or the reads of a variable."""
        return [source] if isinstance(source, Tensor) else self._reads.get(source, [])

    def recorded(self, targets: Sequence[core.Tensor]) -> tuple[set[Node], set[Edge]]:
        """The recorded nodes behind `targets`, and the outputs of all others that those read."""
        nodes: set[Node] = set()
        outside: set[Edge] = set()
        if self._intervals:
            for node in walk(targets, since=self._intervals[0][0]):
                if not any([a <= node.number < b for a, b in self._intervals]):
                    continue
                edges = list(node.edges())
                if any([n in nodes or self._watched.get((n, i), FOREVER) < node.number for n, i in edges]):
                    nodes.add(node)
                    outside.update([edge for edge in edges if edge[0] not in nodes])
        outside.update([y.edge for y in targets if y.node not in nodes])
        return nodes, outside

    def knows(self, x: Tensor, nodes: set[Node]) -> bool:
        """Whether x was watched, or recorded as one of `nodes`."""
        return x.edge in self._watched or x.edge[0] in nodes


_active: ContextVar[tuple[Recorder, ...]] = ContextVar("tf_recorders", default=())
active_recorders = _active.get


@contextmanager
def nobody_records() -> Generator[None]:
    """Within, no tape or accumulator that is active now notices reads of variables."""
    token = _active.set(())
    try:
        yield
    finally:
        _active.reset(token)


def tell(variable: Any, read: Tensor) -> None:
    """Let all that record know that a variable was read."""
    for recorder in _active.get():
        recorder.noticed(variable, read)
