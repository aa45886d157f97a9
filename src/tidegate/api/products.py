"""vjp and jvp: of a Python function, times a cotangent or a tangent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tidegate.api.arguments import as_sources, check_callable, fitting, split_aux, tensor_leaves
from tidegate.core.errors import ArgumentError, ArgumentTypeError
from tidegate.core.graph import Tensor
from tidegate.core.tree import match
from tidegate.transforms.engine import ENGINE


def vjp(function: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """(outputs, pull): `pull(cotangents)` is a tuple of the primals' cotangents, each with its primal's structure.

    `cotangents` has the structure, shapes and dtypes of the outputs; None within it is nothing. A leaf that nothing
    flows to gets None. With has_aux `function` returns (outputs, aux), and the result is (outputs, pull, aux).
    `pull` may be called again and again.

    Raises ArgumentTypeError for outputs that aren't tensors; `pull` raises StructureError, ShapeError or DTypeError
    for cotangents that don't fit, GradientRefusedError where the way leads through prevent_gradient.
    """
    check_callable(function, "vjp")
    parts = [as_sources(p) for p in primals]
    result, aux = split_aux(function(*[p for p, _, _ in parts]), "vjp", has_aux=has_aux)
    outputs, out_structure = tensor_leaves(result, "vjp")
    sources = tuple([leaf for _, fresh, _ in parts for leaf in fresh if isinstance(leaf, Tensor)])

    def pull(cotangents: Any) -> tuple[Any, ...]:
        given = match(cotangents, out_structure, "vjp: cotangents")
        seeds = [change_of(y, c, "vjp", "cotangent") for y, c in zip(outputs, given, strict=True)]
        found = iter(ENGINE.vjp(tuple(outputs), sources, tuple(seeds)))
        return tuple(
            [
                structure.build([next(found) if isinstance(leaf, Tensor) else None for leaf in fresh])
                for _, fresh, structure in parts
            ]
        )

    shown = out_structure.build(outputs)
    return (shown, pull, aux) if has_aux else (shown, pull)


def jvp(function: Callable[..., Any], primals: Any, tangents: Any, *, has_aux: bool = False) -> Any:
    """(outputs, tangents of the outputs) of `function` at `primals`, moved by `tangents`.

    primals, tangents: a tuple or list of arguments each; a tangent has its primal's structure, shapes and dtypes, and
        None within it is no movement. An output that nothing reaches gets None.
    With has_aux `function` returns (outputs, aux), and the result is (outputs, tangents, aux).

    Raises StructureError, ShapeError or DTypeError for tangents that don't fit, ArgumentError for another number of
    them, GradientRefusedError where the way leads through prevent_gradient.
    """
    check_callable(function, "jvp")
    for name, value in (("primals", primals), ("tangents", tangents)):
        if not isinstance(value, (tuple, list)):
            raise ArgumentTypeError(f"jvp: got {type(value).__name__} for {name}; want a tuple of arguments")
    if len(primals) != len(tangents):
        raise ArgumentError(f"jvp: got {len(tangents)} tangents for {len(primals)} primals")
    parts = [as_sources(p) for p in primals]
    moves: list[tuple[Tensor, Tensor]] = []
    for (_, fresh, structure), tangent in zip(parts, tangents, strict=True):
        given = [None] * len(fresh) if tangent is None else match(tangent, structure, "jvp: tangents")
        for x, t in zip(fresh, given, strict=True):
            if isinstance(x, Tensor):
                change = change_of(x, t, "jvp", "tangent")
                if change is not None:
                    moves.append((x, change))
    result, aux = split_aux(function(*[p for p, _, _ in parts]), "jvp", has_aux=has_aux)
    outputs, out_structure = tensor_leaves(result, "jvp")
    found = ENGINE.jvp(tuple(outputs), tuple([x for x, _ in moves]), tuple([t for _, t in moves]))
    shown, pushed = out_structure.build(outputs), out_structure.build(found)
    return (shown, pushed, aux) if has_aux else (shown, pushed)


def change_of(x: Tensor, given: Any, who: str, name: str) -> Tensor | None:
    """A tangent or cotangent of x; None for none, or where x is of integers or booleans."""
    if given is None or not x.differentiable:
        return None
    return fitting(given, x.type, who, name)
