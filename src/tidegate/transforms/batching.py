"""Batching: a graph on inputs of which some have one more, leading, axis."""

from __future__ import annotations

from collections.abc import Sequence

from tidegate.core.body import Body
from tidegate.core.graph import Edge, Tensor, walk
from tidegate.core.kinds import Engine, Region
from tidegate.core.trace import CopyOf, many_new_objects, within
from tidegate.ops.broadcast import repeat


def batch(engine: Engine, body: Body, size: int, batched: Sequence[bool], xs: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """The outputs of `body` on `xs`, of which those that `batched` says have a leading axis of `size`.

    Every output has that axis. Nodes that depend on no input are used as they are, ones that depend on unbatched
    inputs only are made again without the axis.
    """
    new: dict[Edge, tuple[Tensor, bool]] = {}
    for inner, x, b in zip(body.inputs, xs, batched, strict=True):
        new[inner.edge] = x, b
    oldest = min([x.node.number for x in body.inputs], default=0)
    with many_new_objects(), within(CopyOf()) as scope:
        for node in walk(body.outputs, since=oldest):
            if (node, 0) in new:
                continue
            found = [new.get(edge) for edge in node.edges()]
            if all(pair is None for pair in found):
                continue
            pairs = [pair or (x, False) for pair, x in zip(found, node.input_tensors(), strict=True)]
            values, flags = [x for x, _ in pairs], tuple([b for _, b in pairs])
            op = node.op
            scope.node = node
            if not any(flags):
                outs = op(*values)
            elif isinstance(op, Region):
                outs = op.batch(engine, size, flags, *values)
            else:
                if op.batch_together:
                    values, flags = [x if b else repeat(size, x) for x, b in pairs], (True,) * len(pairs)
                outs = op.batch(size, flags, *values)
            several = outs if isinstance(outs, tuple) else (outs,)
            new.update({(node, k): (y, any(flags)) for k, y in enumerate(several)})
        scope.node = None
        results = [new.get(y.edge, (y, False)) for y in body.outputs]
        return tuple([y if b else repeat(size, y) for y, b in results])
