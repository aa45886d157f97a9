"""Making a graph again from its records, where the shapes fed are not those that it was built for.

A program may feed one row against n for two sizes that aren't known, or a tensor of a rank that isn't; then every
operation is made once more, in order, from placeholders of the shapes fed, gradients included.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tidegate.core import graph as core
from tidegate.core.graph import Edge, TensorType
from tidegate.core.trace import many_new_objects
from tidegate.ops.creation import Input
from tidegate.tf.graph import Graph, eagerly


@dataclass(frozen=True)
class Replayed:
    """A graph made again: what stands for each of its tensors."""

    new: Mapping[Edge, core.Tensor]

    def of(self, x: core.Tensor) -> core.Tensor:
        """What stands for x: itself, if it depends on no placeholder."""
        return self.new.get(x.edge, x)


def replayed(graph: Graph, shapes: Mapping[Edge, tuple[int, ...]]) -> Replayed:
    """The graph made again with placeholders of `shapes`. Raises as its operations do."""
    new: dict[Edge, core.Tensor] = {
        edge: Input(TensorType(shape, edge[0].types[edge[1]].dtype))() for edge, shape in shapes.items()
    }
    found = Replayed(new)
    with many_new_objects(), eagerly():
        for call in graph.calls:
            inputs = [found.of(x) for x in call.inputs]
            if all([a is b for a, b in zip(inputs, call.inputs, strict=True)]):
                continue
            outs = call.function(*inputs)
            several = outs if isinstance(outs, tuple) else (outs,)
            for old, y in zip(call.outputs, several, strict=True):
                if old is not None and y is not None and old.edge not in new:
                    new[old.edge] = y
    return found
