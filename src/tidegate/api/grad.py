"""grad and value_and_grad: of a Python function with a scalar loss."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tidegate.api.arguments import (
    as_sources,
    check_callable,
    check_unconnected,
    is_array_like,
    named,
    positions,
    split_aux,
)
from tidegate.core.dtypes import COMPLEX
from tidegate.core.errors import ArgumentTypeError, DTypeError, ShapeError
from tidegate.core.graph import Tensor
from tidegate.functions.convert import asarray
from tidegate.ops.broadcast import filled, zeros_like
from tidegate.transforms.engine import ENGINE


def value_and_grad(
    function: Callable[..., Any],
    argnums: int | tuple[int, ...] = 0,
    *,
    has_aux: bool = False,
    unconnected: str = "none",
) -> Callable[..., Any]:
    """A function that gives (value, gradient) of `function`, which returns a loss: a real tensor without axes.

    argnums: the positional argument, or arguments, to differentiate for: a tensor, array, float, or a container of
        them. The gradient has its structure (a tuple of them, for a tuple of argnums), with None for a leaf that
        nothing flows to: unused, stopped, or not of floating point or complex numbers.
    has_aux: `function` returns (loss, aux) and the result is ((value, aux), gradient).
    unconnected: "none", or "zero" for zeros in place of None, where the leaf is of floating point or complex numbers.

    For complex arguments the gradient is dL/dRe + i dL/dIm.
    Raises, when called, ShapeError for a loss with axes, DTypeError for one that isn't real floating point or an
    argument of integers or booleans, ArgumentError for argnums that aren't there, GradientRefusedError where the way
    leads through prevent_gradient.
    """
    return _value_and_grad(function, argnums, "value_and_grad", has_aux=has_aux, unconnected=unconnected)


def grad(
    function: Callable[..., Any],
    argnums: int | tuple[int, ...] = 0,
    *,
    has_aux: bool = False,
    unconnected: str = "none",
) -> Callable[..., Any]:
    """A function that gives the gradient of `function`, which returns a loss: a real tensor without axes.

    The gradient has the structure of the argument that `argnums` names (a tuple, for several), with None for a leaf
    that nothing flows to, or zeros with unconnected="zero". With has_aux `function` returns (loss, aux), and the
    result is (gradient, aux). Arguments and errors are those of value_and_grad.
    """
    both = _value_and_grad(function, argnums, "grad", has_aux=has_aux, unconnected=unconnected)

    def gradient(*args: Any, **kwargs: Any) -> Any:
        value, grads = both(*args, **kwargs)
        return (grads, value[1]) if has_aux else grads

    return named(gradient, function, "grad")


def _value_and_grad(
    function: Callable[..., Any], argnums: Any, who: str, *, has_aux: bool, unconnected: str
) -> Callable[..., Any]:
    check_callable(function, who)
    check_unconnected(unconnected, who)

    def both(*args: Any, **kwargs: Any) -> Any:
        places = positions(argnums, len(args), who)
        changed, leaves, structures = {}, [], []
        for place in places:
            _check_differentiable(args[place], place, who)
            changed[place], fresh, structure = as_sources(args[place])
            leaves.append(fresh)
            structures.append(structure)
        value, aux = split_aux(
            function(*[changed.get(i, a) for i, a in enumerate(args)], **kwargs), who, has_aux=has_aux
        )
        loss = _loss(value, who)
        sources = [leaf for fresh in leaves for leaf in fresh if isinstance(leaf, Tensor)]
        pulled = ENGINE.vjp((loss,), tuple(sources), (filled(1, loss.type),))
        if unconnected == "zero":
            pulled = [
                zeros_like(x) if g is None and x.differentiable else g for g, x in zip(pulled, sources, strict=True)
            ]
        found = iter(pulled)
        grads = tuple(
            [
                structure.build([next(found) if isinstance(leaf, Tensor) else None for leaf in fresh])
                for fresh, structure in zip(leaves, structures, strict=True)
            ]
        )
        result = grads if isinstance(argnums, (tuple, list)) else grads[0]
        return ((loss, aux) if has_aux else loss), result

    return named(both, function, who)


def _check_differentiable(argument: Any, place: int, who: str) -> None:
    """Raise DTypeError for an argument that is as a whole integers or booleans, ArgumentTypeError for no numbers."""
    if isinstance(argument, (list, tuple, dict)) or not is_array_like(argument):
        if argument is None or isinstance(argument, str):
            raise ArgumentTypeError(f"{who}: got {type(argument).__name__} as argument {place}; want numbers")
        return
    kind = asarray(argument).type
    if not kind.differentiable:
        raise DTypeError(f"{who}: got {kind} as argument {place}; want floating point or complex numbers")


def _loss(value: Any, who: str) -> Tensor:
    if not is_array_like(value):
        raise ArgumentTypeError(f"{who}: the function returned {type(value).__name__}; want a tensor without axes")
    loss = asarray(value)
    if loss.shape != ():
        raise ShapeError(f"{who}: the function returned {loss.type}; want a loss without axes, as tg.sum gives")
    if not loss.differentiable or loss.dtype in COMPLEX:
        raise DTypeError(f"{who}: the function returned {loss.type}; want a real floating point loss")
    return loss
