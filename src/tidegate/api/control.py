"""cond: one of two functions, chosen when the graph runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tidegate.api.arguments import check_callable, is_array_like, tensor_leaves
from tidegate.core.dtypes import BOOL
from tidegate.core.errors import DTypeError, ShapeError, StructureError
from tidegate.core.graph import Body, Tensor, TensorLike, next_number
from tidegate.core.op import show_types
from tidegate.core.tree import Structure, flatten
from tidegate.functions.convert import asarray
from tidegate.ops.creation import Input
from tidegate.ops.regions import Cond
from tidegate.transforms.closing import close


def cond(predicate: TensorLike, then: Callable[..., Any], otherwise: Callable[..., Any], *operands: Any) -> Any:
    """then(*operands) if `predicate`, a bool without axes, is true, else otherwise(*operands).

    Only the one that is chosen runs, and only it is differentiated: an infinity in the other can't leak. Both are
    traced when `cond` is called; they may use tensors from outside; they return tensors of the same structure,
    shapes and dtypes, or containers of them.

    Raises DTypeError or ShapeError for another predicate or branches whose types differ, StructureError for
    branches whose structures do.
    """
    check_callable(then, "cond")
    check_callable(otherwise, "cond")
    choice = asarray(predicate)
    if choice.dtype not in BOOL or choice.shape != ():
        kind = ShapeError if choice.dtype in BOOL else DTypeError
        raise kind(f"cond: got predicate {choice.type}; want a bool without axes")
    leaves, structure = flatten(operands)
    values = [asarray(leaf) if is_array_like(leaf) else leaf for leaf in leaves]
    branches = [_traced(f, values, structure) for f in (then, otherwise)]
    (first, first_structure), (second, second_structure) = ((outs, s) for _, outs, s, _ in branches)
    if first_structure != second_structure:
        raise StructureError(f"cond: the branches return {first_structure} and {second_structure}; want one structure")
    if [y.type for y in first] != [y.type for y in second]:
        kinds = [[y.type for y in outs] for outs in (first, second)]
        raise ShapeError(f"cond: the branches return {show_types(kinds[0])} and {show_types(kinds[1])}; want the same")
    bodies = [close(outs, inputs, number) for inputs, outs, _, number in branches]
    captured = list(dict.fromkeys(x for _, outside in bodies for x in outside))
    given = [v for v in values if isinstance(v, Tensor)]
    then_body, otherwise_body = (_taking(body, outside, captured) for body, outside in bodies)
    return first_structure.build(Cond(then_body, otherwise_body)(choice, *given, *captured))


def _traced(
    function: Callable[..., Any], values: list[Any], structure: Structure
) -> tuple[list[Tensor], list[Tensor], Structure, int]:
    """(inputs, outputs, their structure, the creation number before them) of a branch."""
    number = next_number()
    stand_ins = [Input(v.type)() if isinstance(v, Tensor) else v for v in values]
    outputs, out_structure = tensor_leaves(function(*structure.build(stand_ins)), "cond")
    return [x for x in stand_ins if isinstance(x, Tensor)], outputs, out_structure, number


def _taking(body: Body, outside: Sequence[Tensor], captured: Sequence[Tensor]) -> Body:
    """The body, with inputs for all that either branch reads from outside."""
    own = len(body.inputs) - len(outside)
    by_edge = {x.edge: i for x, i in zip(outside, body.inputs[own:], strict=True)}
    extra = [by_edge[x.edge] if x.edge in by_edge else Input(x.type)() for x in captured]
    return Body((*body.inputs[:own], *extra), body.outputs)
