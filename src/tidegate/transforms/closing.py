"""Closing a graph: what it reads from outside becomes inputs, so that a region op can hold it."""

from __future__ import annotations

from collections.abc import Sequence

from tidegate.core.body import Body
from tidegate.core.graph import Edge, Tensor, walk
from tidegate.core.trace import CopyOf, within
from tidegate.ops.creation import Constant, Input


def close(outputs: Sequence[Tensor], inputs: Sequence[Tensor], first: int) -> tuple[Body, tuple[Tensor, ...]]:
    """A body of `outputs` over `inputs` and the tensors it reads from outside, and those tensors, in order.

    From outside is what was made before creation number `first`: what depends on an input is younger than it. A
    constant from outside becomes an input too: somebody holds it, and may ask for its gradient.
    """
    new: dict[Edge, Tensor] = {x.edge: x for x in inputs}
    captured: dict[Edge, Tensor] = {}

    def inside(x: Tensor) -> Tensor:
        if x.edge not in new:
            captured[x.edge] = x
            new[x.edge] = Input(x.type)()
        return new[x.edge]

    with within(CopyOf()) as scope:
        for node in walk(outputs, since=first):
            if (node, 0) in new or isinstance(node.op, Constant):
                continue
            if not node.inputs:
                if isinstance(node.op, Input) or node.op.leaf_value is not None:
                    inside(node.tensor(0))
                continue
            old = node.input_tensors()
            changed = [inside(x) if x.node.number < first or x.edge in new else x for x in old]
            if any(a is not b for a, b in zip(changed, old, strict=True)):
                scope.node = node
                outs = node.op(*changed)
                new.update({(node, k): y for k, y in enumerate(outs if isinstance(outs, tuple) else (outs,))})
        results = [inside(y) if y.node.number < first or y.edge in new else y for y in outputs]
    return Body((*inputs, *[new[e] for e in captured]), results), tuple(captured.values())
