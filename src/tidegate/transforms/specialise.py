"""Specialising: the same graph with numbers for unknown sizes, every type rule checked again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass

from tidegate.core.body import Body
from tidegate.core.errors import ShapeError, TidegateError
from tidegate.core.graph import Edge, Node, Tensor, TensorType, by_number
from tidegate.core.op import Op
from tidegate.core.shapes import Shape, Size, Symbol, bind, show_shape, symbols_in
from tidegate.core.trace import CopyOf, within
from tidegate.ops.creation import Input


def sizes_of(fed: Mapping[Tensor, Shape]) -> dict[Symbol, int]:
    """What the shapes fed for tensors say of the symbols in their types.

    Raises ShapeError where a shape doesn't fit, or one symbol is fed as two numbers.
    """
    sizes: dict[Symbol, int] = {}
    for x, shape in fed.items():
        if len(shape) != len(x.shape):
            raise ShapeError(f"fed [{show_shape(shape)}] for {x.type}; want {len(x.shape)} axes", x.node.site)
        for want, got in zip(x.shape, shape, strict=True):
            atom = lone_symbol(want)
            if atom is not None and sizes.setdefault(atom, got) != got:
                raise ShapeError(f"size {atom} was fed as {sizes[atom]} and as {got}", x.node.site)
    for x, shape in fed.items():
        if bind(x.shape, sizes) != tuple(shape):
            raise ShapeError(f"fed [{show_shape(shape)}] for {x.type}", x.node.site)
    return sizes


def lone_symbol(size: object) -> Symbol | None:
    """The symbol that a size is, if it is nothing more."""
    if isinstance(size, Size) and len(size.terms) == 1:
        (atoms, coefficient) = size.terms[0]
        if coefficient == 1 and len(atoms) == 1 and isinstance(atoms[0], Symbol):
            return atoms[0]
    return None


def unknown_sizes(op: Op) -> set[Symbol]:
    """The symbols among the attributes of `op`. (Its bodies look after their own.)"""
    if not is_dataclass(op):
        return set()
    found = [getattr(op, f.name) for f in fields(op) if f.init]
    return symbols_in(tuple([a.shape if isinstance(a, TensorType) else a for a in found]))


def bind_op(op: Op, sizes: Mapping[Symbol, int]) -> Op:
    """`op` with every size among its attributes bound: no op needs a rule for it."""
    if not is_dataclass(op):
        return op
    old = [getattr(op, f.name) for f in fields(op) if f.init]
    new = [_bind_attribute(a, sizes) for a in old]
    return op if all(a is b for a, b in zip(old, new, strict=True)) else type(op)(*new)


def _bind_attribute(value: object, sizes: Mapping[Symbol, int]) -> object:
    if isinstance(value, TensorType):
        return TensorType(bind(value.shape, sizes), value.dtype)
    if isinstance(value, Body):
        outputs, inputs = specialise(value.outputs, value.inputs, sizes)
        return Body(inputs, outputs)
    bound = bind(value, sizes)
    return value if bound == value else bound


def specialise(
    outputs: Sequence[Tensor], inputs: Sequence[Tensor], sizes: Mapping[Symbol, int]
) -> tuple[list[Tensor], list[Tensor]]:
    """`outputs` rebuilt with known sizes, on new inputs in place of `inputs` (which may be any tensors: what lies
    behind them alone isn't looked at).

    Raises ShapeError, at the line that made the op, where known sizes don't fit.
    """
    new: dict[Edge, Tensor] = {x.edge: Input(_bound(x.type, sizes))() for x in inputs}
    with within(CopyOf()) as scope:
        for node in needed(outputs, set(new)):
            scope.node = node
            try:
                outs = bind_op(node.op, sizes)(*[new[edge] for edge in node.edges()])
            except TidegateError as error:
                raise type(error)(error.message, node.site) from None
            for k, y in enumerate(outs if isinstance(outs, tuple) else (outs,)):
                new.setdefault((node, k), y)
    return [new[y.edge] for y in outputs], [new[x.edge] for x in inputs]


def needed(outputs: Sequence[Tensor], given: set[Edge]) -> list[Node]:
    """The nodes that `outputs` need where the outputs `given` are, inputs before users."""
    seen: set[Node] = set()
    stack = [y.edge for y in outputs]
    while stack:
        edge = stack.pop()
        if edge not in given and edge[0] not in seen:
            seen.add(edge[0])
            stack.extend(edge[0].edges())
    return sorted(seen, key=by_number)


def _bound(kind: TensorType, sizes: Mapping[Symbol, int]) -> TensorType:
    return TensorType(bind(kind.shape, sizes), kind.dtype)
