"""Forward mode, from the same statements that reverse mode uses."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tidegate.core.graph import Edge, Tensor
from tidegate.core.kinds import Engine
from tidegate.core.trace import GradientOf, many_new_objects, within
from tidegate.transforms.pull import MaybeTensors, push_forward
from tidegate.transforms.reverse import check_cuts, leading, open_nodes, varying


def jvp(
    engine: Engine,
    outputs: Sequence[Tensor],
    inputs: Sequence[Tensor],
    tangents: MaybeTensors,
    stops: Collection[Edge] = (),
) -> list[Tensor | None]:
    """Push `tangents` of `inputs` forward to `outputs`; None where nothing flows.

    An input that is computed from another one moves by its own tangent alone. The outputs `stops` have no tangent but
    one that is given.
    """
    moving = [(x, t) for x, t in zip(inputs, tangents, strict=True) if t is not None and x.differentiable]
    found: dict[Edge, Tensor] = {x.edge: t for x, t in moving}
    given = frozenset(found)
    with many_new_objects(), within(GradientOf()) as scope:
        sources = [x for x, _ in moving]
        order, cuts = open_nodes(outputs, sources, stops)
        if cuts:
            check_cuts(order, cuts, outputs, sources, stops)
        _, varied = varying(order, given, stops)
        through = leading(varied, [y.edge for y in outputs])  # what leads nowhere may even forbid it
        scope.order = 1 + max([n.order for n in through], default=0)
        for node in through:
            scope.node = node
            below = [found.get(edge) for edge in node.edges()]
            if all(t is None for t in below):
                continue
            for k, tangent in enumerate(push_forward(node, below, engine)):
                if tangent is not None and (node, k) not in given and (node, k) not in stops:
                    found[node, k] = tangent
    return [found.get(y.edge) for y in outputs]
