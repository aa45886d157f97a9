"""The tier of the prompt: a small graph runs op by op, as NumPy would run it, and nothing is planned or looked up.

An array that a BroadcastTo would repeat goes to an elementwise op as it is: NumPy repeats it in passing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextvars import Context
from typing import Any

import numpy as np

from tidegate.backends.reference import REFERENCE, fits
from tidegate.core.errors import ValueFaultError
from tidegate.core.graph import Array, Edge, Node, Tensor, TensorType
from tidegate.core.kinds import Region
from tidegate.core.op import Op
from tidegate.ops.broadcast import BroadcastTo

SMALL_NODES, SMALL_BYTES = 1000, 1 << 20
"""A graph is small if it has at most so many nodes, whose outputs have at most so many bytes together."""


def is_small_graph(nodes: Sequence[Node]) -> bool:
    """Whether it runs here. Its structure alone decides, never how often it was seen."""
    return len(nodes) <= SMALL_NODES and sum([t.nbytes for n in nodes for t in n.types]) <= SMALL_BYTES


class _Quiet(threading.local):
    """A context in which NumPy doesn't warn of infinities and NaN. Entering it is ten times cheaper than errstate."""

    def __init__(self) -> None:
        context = Context()
        context.run(np.seterr, all="ignore")
        self.run = context.run


_quiet = _Quiet()


def quietly(function: Callable[..., Any], *args: Any) -> Any:
    """`function(*args)` without NumPy's warnings."""
    try:
        return _quiet.run(function, *args)
    except RuntimeError as error:
        if "cannot enter context" not in str(error):
            raise
    with np.errstate(all="ignore"):  # within another run: a finaliser asked for a value
        return function(*args)


def run_one(x: Tensor) -> Array | None:
    """Give `x` its value if it is one small op away from values that are there. None, and nothing done, otherwise.

    Raises what the op finds wrong with values, at the line that made it.
    """
    node = x.node
    holding = node.holding
    if holding is None or len(node.types) != 1 or x.type.nbytes > SMALL_BYTES or not x.type.known:
        return None
    op: Any = node.op
    pointwise = op.pointwise
    if not pointwise and isinstance(op, Region):
        return None
    values = []
    repeated: list[Node] = []
    for t in holding:
        value = t.value
        if value is None:
            source = t.node
            if not pointwise or source.op.__class__ is not BroadcastTo:
                return None
            below = source.holding
            if below is None or below[0].value is None:
                return None
            value = aligned(source.op, below[0].value)
            repeated.append(source)
        values.append(value)
    if not values:
        return None
    kind = x.type
    try:
        value = quietly(_kernel(op, kind, values), *values)
    except ValueFaultError as fault:
        raise fault.fault.error(fault.message, fault.site or node.told_site()) from None
    if not fits(value, kind):
        value = _whole(settled(op, value, kind, values), kind) if pointwise else op.check(value, (kind,))[0]
    value.setflags(write=False)
    x.value = value
    node.holding = None
    del holding, t
    for source in repeated:
        if source.handles[0]() is None:
            source.holding = None
    return value


def _kernel(op: Any, kind: TensorType, values: Sequence[Array]) -> Callable[..., Any]:
    """The op's reference, less what it need not do for arrays of full precision."""
    if op.plain and not kind.half and values[0].dtype.num < HALF_NUMBER:
        return op.compute
    return op.reference


HALF_NUMBER = np.dtype(np.float16).num
"""NumPy's numbers of the dtypes that arithmetic is done in as they are lie below; float16 and bfloat16 don't."""


def aligned(op: BroadcastTo, x: Array) -> Array:
    """x with axes where BroadcastTo puts them, of size 1 where it would repeat."""
    axes, rank = op.axes, len(op.shape)
    if not axes or axes[0] == rank - len(axes):
        return x  # they come last: NumPy's own rule
    sizes = [1] * rank
    x = x.reshape((1,) * (len(axes) - x.ndim) + x.shape)  # it may be one that was to be repeated itself
    for axis, size in zip(axes, x.shape, strict=True):
        sizes[axis] = size
    return x.reshape(sizes[axes[0] :])


def settled(op: Op, value: Any, kind: TensorType, reads: Sequence[Array]) -> Array:
    """What an elementwise op gave, as an array of its type; or of one still to be repeated, if all it read was."""
    array = np.asarray(value)
    thin = array.shape == np.broadcast_shapes(*[x.shape for x in reads])
    op.check(np.broadcast_to(array, kind.shape) if thin else array, (kind,))
    return array


def run_small(nodes: Sequence[Node], values: dict[Edge, Array], results: Sequence[Edge]) -> list[Array]:
    """The values of `results`. `values` has those of what the nodes read from outside.

    Raises what an op finds wrong with values, at the line that made it.
    """
    return quietly(_run, nodes, dict(values), results)


def _run(nodes: Sequence[Node], values: dict[Edge, Array], results: Sequence[Edge]) -> list[Array]:
    for node in nodes:
        op: Any = node.op
        types = node.types
        reads = [values[edge] for edge in zip(node.inputs, node.indices, strict=True)]
        if op.__class__ is BroadcastTo:
            values[node, 0] = aligned(op, reads[0])
            continue
        pointwise = op.pointwise
        if not pointwise:
            reads = [_whole(x, n.types[i]) for x, n, i in zip(reads, node.inputs, node.indices, strict=True)]
        try:
            if isinstance(op, Region):
                outs = op.reference(REFERENCE.run, *reads)
            elif reads:
                outs = _kernel(op, types[0], reads)(*reads)
            else:
                outs = op.reference()
        except ValueFaultError as fault:
            raise fault.fault.error(fault.message, fault.site or node.told_site()) from None
        if len(types) == 1 and pointwise:
            values[node, 0] = outs if fits(outs, types[0]) else settled(op, outs, types[0], reads)
            continue
        for k, out in enumerate(op.check(outs, types)):
            values[node, k] = out
    return [_whole(values[edge], edge[0].types[edge[1]]) for edge in results]


def _whole(x: Array, kind: TensorType) -> Array:
    """x repeated to the shape of its type."""
    return x if x.shape == kind.shape else np.broadcast_to(x, kind.shape)
