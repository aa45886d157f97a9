"""tf.gradients and tf.hessians: gradients of a graph's tensors, as more of the graph."""

from __future__ import annotations

from typing import Any

from tidegate.core import graph as core
from tidegate.core.body import Body
from tidegate.core.dtypes import COMPLEX
from tidegate.core.errors import ArgumentError, ArgumentTypeError, DTypeError, ShapeError
from tidegate.core.graph import TensorType, next_number
from tidegate.core.shapes import element_count
from tidegate.functions.grid import eye
from tidegate.functions.shape import reshape
from tidegate.ops.broadcast import filled
from tidegate.ops.creation import Input
from tidegate.ops.elementwise import identity
from tidegate.tf.convert import convert
from tidegate.tf.errors import UsageError
from tidegate.tf.graph import Again, Graph, current_graph
from tidegate.tf.slices import IndexedSlices, sparse_or_dense
from tidegate.tf.tensor import Tensor
from tidegate.tf.unconnected import total, wants_zeros
from tidegate.tf.variable import Variable
from tidegate.transforms.closing import close
from tidegate.transforms.engine import ENGINE


def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    name: str = "gradients",
    gate_gradients: bool = False,
    aggregation_method: Any = None,
    stop_gradients: Any = None,
    unconnected_gradients: Any = "none",
) -> list[Any]:
    """The gradient of the sum of `ys` for each of `xs`: always a list as long as `xs`; None where nothing flows.

    ys, xs: tensors or variables of the default graph, one or a list. An x on the way to another doesn't cut the way.
    grad_ys: what flows in at each y; None, as a whole or within the list, is ones.
    stop_gradients: tensors that nothing flows through; one that is among `xs` gets its own gradient all the same.
    unconnected_gradients: "none", or "zero" for zeros in place of None. gate_gradients, aggregation_method: accepted.
    The operations that are made stand under the scope `name`.
    Raises UsageError (RuntimeError) at the prompt, ArgumentError (ValueError) for wrong options, counts or graphs,
    DTypeError (TypeError) for a complex y without grad_ys, GradientRefusedError (LookupError) where the way leads
    through an operation that has no gradient.
    """
    graph = current_graph()
    if graph is None:
        raise UsageError("tf.gradients: there is no graph at the prompt; use tf.GradientTape")
    zero = wants_zeros(unconnected_gradients, "tf.gradients")
    targets = [_of_graph(graph, convert(y, who="tf.gradients"), "ys") for y in _listed(ys)]
    sources = _listed(xs)
    groups = [_reads(graph, x, "xs") for x in sources]
    stops = [t for s in _listed(stop_gradients) for t in _reads(graph, s, "stop_gradients")]
    given = [None] * len(targets) if grad_ys is None else _listed(grad_ys)
    if len(given) != len(targets):
        raise ArgumentError(f"tf.gradients: got {len(given)} grad_ys for {len(targets)} ys")
    incoming = [None if g is None else _incoming(y, g) for y, g in zip(targets, given, strict=True)]
    with graph.name_scope(name):
        build = _Builder([g is not None for g in incoming], [len(group) for group in groups], len(stops), zero)
        inputs = [
            *targets,
            *[g for g in incoming if g is not None],
            *[x for group in groups for x in group],
            *stops,
        ]
        first = next_number()
        found = build(*[x.tensor for x in inputs])
        fresh = [None if g is None else g if g.node.number >= first else identity(g) for g in found]
        graph.calls.append(Again(build, [x.tensor for x in inputs], fresh))
        return [None if g is None else sparse_or_dense(g, graph.tensor_of) for g in fresh]


class _Builder:
    """Builds the gradients, here and where the graph is made again."""

    def __init__(self, seeded: list[bool], groups: list[int], stops: int, zero: bool) -> None:
        self.seeded, self.groups, self.stops, self.zero = seeded, groups, stops, zero

    def __call__(self, *inputs: core.Tensor) -> tuple[core.Tensor | None, ...]:
        left = iter(inputs)
        ys = [next(left) for _ in self.seeded]
        seeds = [next(left) if s else _ones(y) for y, s in zip(ys, self.seeded, strict=True)]
        xs = [[next(left) for _ in range(n)] for n in self.groups]
        stops = {x.edge for x in left}
        pairs = [(y, s) for y, s in zip(ys, seeds, strict=True) if s is not None]
        flat = tuple([x for group in xs for x in group])
        found = iter(ENGINE.vjp(tuple([y for y, _ in pairs]), flat, tuple([s for _, s in pairs]), stops))
        sums = [total([next(found) for _ in group]) for group in xs]
        if self.zero:
            return tuple([filled(0, group[0].type) if g is None else g for g, group in zip(sums, xs, strict=True)])
        return tuple(sums)


def _ones(y: core.Tensor) -> core.Tensor | None:
    if not y.differentiable:
        return None
    if y.dtype in COMPLEX:
        raise DTypeError(f"tf.gradients: got a complex y, {y.type}, without its grad_ys; want a real loss, or grad_ys")
    return filled(1, y.type)


def _listed(x: Any) -> list[Any]:
    return [] if x is None else list(x) if isinstance(x, (list, tuple)) else [x]


def _of_graph(graph: Graph, x: Tensor, where: str) -> Tensor:
    if x.operation is None and not graph.captures:
        found = graph.by_edge.get(x.edge)
        if found is None:
            raise ArgumentError(f"tf.gradients: got {x!r} in {where}, which isn't of the default graph")
        return found
    if x.operation is not None and x.operation.graph is not graph and not graph.captures:
        raise ArgumentError(f"tf.gradients: got {x!r} in {where}, which is of another tf.Graph")
    return x


def _reads(graph: Graph, x: Any, where: str) -> list[Tensor]:
    """The tensors that a source means: itself, or the reads of a variable."""
    if isinstance(x, Variable):
        return graph.reads.get(x) or [x.read_value()]
    if isinstance(x, IndexedSlices):
        x = convert(x)
    if not isinstance(x, Tensor):
        raise ArgumentTypeError(f"tf.gradients: got {type(x).__name__} in {where}; want tensors of the graph")
    return [_of_graph(graph, x, where)]


def _incoming(y: Tensor, given: Any) -> Tensor:
    seed = convert(given, None if isinstance(given, (Tensor, Variable)) else y.dtype, "tf.gradients: grad_ys")
    if seed.dtype is not y.dtype:
        raise DTypeError(f"tf.gradients: got a grad_y of {seed.dtype.name} for {y!r}; want its dtype")
    if not seed.shape.is_compatible_with(y.shape):
        raise ShapeError(f"tf.gradients: got a grad_y of shape {seed.shape} for {y!r}; want its shape")
    return seed


def hessians(
    ys: Any,
    xs: Any,
    gate_gradients: bool = False,
    aggregation_method: Any = None,
    name: str = "hessians",
) -> list[Tensor | None]:
    """The second derivatives of the sum of `ys` for each of `xs`, of x's shape twice; None where nothing flows.

    Raises as tf.gradients does.
    """
    graph = current_graph()
    if graph is None:
        raise UsageError("tf.hessians: there is no graph at the prompt; use tf.GradientTape twice")
    out: list[Tensor | None] = []
    with graph.name_scope(name):
        for x in _listed(xs):
            (slope,) = gradients(ys, x)
            source = _reads(graph, x, "xs")
            dense = None if slope is None else convert(slope)
            out.append(None if dense is None else _second(graph, dense, source[0]))
    return out


def _second(graph: Graph, slope: Tensor, x: Tensor) -> Tensor | None:
    def build(g: core.Tensor, x: core.Tensor) -> tuple[core.Tensor | None]:
        first = next_number()
        seed = Input(TensorType(g.shape, g.dtype))()
        (found,) = ENGINE.vjp((g,), (x,), (seed,))
        if found is None:
            return (None,)
        count = element_count(g.shape)
        body, captured = close([found], [seed], first)
        basis = reshape(eye(count, dtype=g.dtype), (count, *g.shape))
        batched = (True, *[False for _ in captured])
        (rows,) = ENGINE.batch(Body(body.inputs, body.outputs), count, batched, (basis, *captured))
        return (reshape(rows, (*g.shape, *x.shape)),)

    (found,) = build(slope.tensor, x.tensor)
    graph.calls.append(Again(build, [slope.tensor, x.tensor], [found]))
    return None if found is None else graph.tensor_of(found)
