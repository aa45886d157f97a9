"""cond: one of two functions, chosen when the graph runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tidegate.api.arguments import check_callable, happened, is_array_like, tensor_leaves, token_around
from tidegate.core.body import Body
from tidegate.core.dtypes import BOOL, bool_
from tidegate.core.errors import DTypeError, ShapeError, StructureError
from tidegate.core.graph import Tensor, TensorLike, next_number
from tidegate.core.op import show_types
from tidegate.core.trace import Trace, within
from tidegate.core.tree import LEAF, Structure, flatten, match
from tidegate.functions.convert import asarray
from tidegate.ops.creation import Input, constant
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
    number, inputs, result, token = _traced(then, values, structure)
    other_number, other_inputs, other_result, other_token = _traced(otherwise, values, structure)
    first, out_structure = tensor_leaves(result, "cond")
    second = _alike(other_result, out_structure)
    if [y.type for y in first] != [y.type for y in second]:
        kinds = [[y.type for y in outs] for outs in (first, second)]
        kind = ShapeError if [y.dtype for y in first] == [y.dtype for y in second] else DTypeError
        raise kind(f"cond: the branches return {show_types(kinds[0])} and {show_types(kinds[1])}; want the same")
    effects = token is not other_token
    if effects:
        nothing = constant(True, bool_)
        first.append(nothing if token is None else token)
        second.append(nothing if other_token is None else other_token)
    bodies = [close(first, inputs, number), close(second, other_inputs, other_number)]
    captured = list(dict.fromkeys(x for _, outside in bodies for x in outside))
    given = [v for v in values if isinstance(v, Tensor)]
    then_body, otherwise_body = (_taking(body, outside, captured) for body, outside in bodies)
    outs = Cond(then_body, otherwise_body)(choice, *given, *captured)
    if effects:
        *outs, done = outs
        happened(done)
    return out_structure.build(outs)


def _traced(
    function: Callable[..., Any], values: list[Any], structure: Structure
) -> tuple[int, list[Tensor], Any, Tensor | None]:
    """(the creation number before all of it, the inputs, what it returned, the token of its effects) of a branch."""
    number = next_number()
    stand_ins = [Input(v.type)() if isinstance(v, Tensor) else v for v in values]
    with within(Trace(token_around())) as trace:
        result = function(*structure.build(stand_ins))
    return number, [x for x in stand_ins if isinstance(x, Tensor)], result, trace.token


def _alike(result: Any, structure: Structure) -> list[Tensor]:
    """The leaves of what the second branch returned, in the first one's order."""
    _, got = tensor_leaves(result, "cond")
    wrong = StructureError(f"cond: the branches return {structure} and {got}; want one structure")
    try:
        leaves = match(result, structure, "cond")
    except StructureError:
        raise wrong from None
    if any(flatten(leaf)[1] != LEAF for leaf in leaves):
        raise wrong
    return [asarray(leaf) for leaf in leaves]


def _taking(body: Body, outside: Sequence[Tensor], captured: Sequence[Tensor]) -> Body:
    """The body, with inputs for all that either branch reads from outside."""
    own = len(body.inputs) - len(outside)
    by_edge = {x.edge: i for x, i in zip(outside, body.inputs[own:], strict=True)}
    extra = [by_edge[x.edge] if x.edge in by_edge else Input(x.type)() for x in captured]
    return Body((*body.inputs[:own], *extra), body.outputs)
