"""A closed graph: what a region op runs."""

from __future__ import annotations

from collections.abc import Sequence

from tidegate.core.graph import Edge, Node, Tensor, TensorType, walk


class Body:
    """A closed graph that a region op runs: its inputs are Input nodes, and it reads nothing else from outside."""

    __slots__ = ("__weakref__", "inputs", "outputs", "passing")

    def __init__(self, inputs: Sequence[Tensor], outputs: Sequence[Tensor]) -> None:
        self.inputs = tuple(inputs)
        self.outputs = tuple(outputs)
        self.passing: tuple[int, ...] | None = None

    @property
    def input_types(self) -> tuple[TensorType, ...]:
        """The types of what it takes."""
        return tuple([x.type for x in self.inputs])

    @property
    def output_types(self) -> tuple[TensorType, ...]:
        """The types of what it gives."""
        return tuple([y.type for y in self.outputs])

    def nodes(self) -> list[Node]:
        """What it runs: its nodes but for its inputs, inputs of each before it."""
        given = {x.node for x in self.inputs}
        return [n for n in walk(self.outputs) if n not in given]

    def passes(self, output: int, input: int) -> bool:
        """Whether a derivative passes from an output to an input."""
        if self.passing is None:
            self.passing = self._reach()
        return bool(self.passing[output] >> input & 1)

    def __str__(self) -> str:
        return f"{len(self.inputs)} in, {len(self.outputs)} out"

    def _reach(self) -> tuple[int, ...]:
        """For each output, the inputs that an open path leads to, as bits."""
        reach: dict[Edge, int] = {}
        for i, x in enumerate(self.inputs):
            if x.differentiable:
                reach[x.edge] = reach.get(x.edge, 0) | 1 << i
        for node in walk(self.outputs):
            for k, kind in enumerate(node.types):
                if (node, k) not in reach and kind.differentiable:
                    bits = 0
                    for i, edge in enumerate(node.edges()):
                        bits |= reach.get(edge, 0) if node.op.passes(k, i) else 0
                    reach[node, k] = bits
        return tuple([reach.get(y.edge, 0) for y in self.outputs])
