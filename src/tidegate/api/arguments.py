"""What the transforms share: arguments of a function as tensors, and checks of what it gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tidegate.core.dtypes import COMPLEX
from tidegate.core.errors import ArgumentError, ArgumentTypeError, DTypeError, ShapeError
from tidegate.core.graph import Tensor, TensorType
from tidegate.core.trace import active_trace
from tidegate.core.tree import Structure, flatten
from tidegate.functions.convert import asarray
from tidegate.ops.cast import cast
from tidegate.ops.elementwise import identity
from tidegate.runtime.evaluation import evaluate


def is_array_like(leaf: Any) -> bool:
    """Whether a leaf of a container is a tensor, an array or a number: not None, a string, or any other object."""
    return isinstance(leaf, (Tensor, np.ndarray, np.generic, bool, int, float, complex)) or hasattr(leaf, "__array__")


def as_leaf(leaf: Any) -> Any:
    """A tensor of its own for an array-like leaf, so that it can be a source; anything else as it is.

    Python ints and bools stay: they are counts and switches, and nothing flows to them.
    """
    if isinstance(leaf, (bool, int)) and not isinstance(leaf, np.generic):
        return leaf
    return identity(asarray(leaf)) if is_array_like(leaf) else leaf


def as_sources(value: Any) -> tuple[Any, list[Any], Structure]:
    """An argument with its leaves as tensors of their own; those leaves; and its structure."""
    leaves, structure = flatten(value)
    fresh = [as_leaf(leaf) for leaf in leaves]
    return structure.build(fresh), fresh, structure


def tensor_leaves(value: Any, who: str) -> tuple[list[Tensor], Structure]:
    """The leaves of what a function returned, as tensors. Raises ArgumentTypeError for None, strings and kin."""
    leaves, structure = flatten(value)
    for leaf in leaves:
        if not is_array_like(leaf):
            raise ArgumentTypeError(f"{who}: the function returned {type(leaf).__name__}; want tensors or numbers")
    return [asarray(leaf) for leaf in leaves], structure


def graph_tensors(value: Any, who: str, name: str) -> list[Tensor]:
    """A tensor, or those of a list or tuple; what has `__tidegate_tensor__` stands for what that gives, a Variable for
    its current version.

    Raises ArgumentTypeError, for `who`, for what isn't a tensor of a graph.
    """
    several = list(value) if isinstance(value, (list, tuple)) else [value]
    several = [t.__tidegate_tensor__() if hasattr(type(t), "__tidegate_tensor__") else t for t in several]
    for t in several:
        if not isinstance(t, Tensor):
            left = "; a value that left the graph has no history, and tg.leaks lists where" if is_array_like(t) else ""
            raise ArgumentTypeError(f"{who}: got {type(t).__name__} in {name}; want tensors of a graph{left}")
    return several


def fitting(given: Any, kind: TensorType, who: str, name: str) -> Tensor:
    """`given` as a tangent or cotangent of type `kind`. What isn't a tensor yet takes its dtype.

    Raises ShapeError or DTypeError, for `who`, where it doesn't fit: complex numbers are no change of real ones.
    """
    change = asarray(given)
    if not isinstance(given, Tensor) and (change.dtype not in COMPLEX or kind.dtype in COMPLEX):
        change = cast(change, kind.dtype)
    if change.shape != kind.shape:
        raise ShapeError(f"{who}: got a {name} {change.type} for {kind}; want its shape")
    if change.dtype != kind.dtype:
        raise DTypeError(f"{who}: got a {name} {change.type} for {kind}; want its dtype")
    return change


def split_aux(result: Any, who: str, *, has_aux: bool) -> tuple[Any, Any]:
    """(value, aux) of what a function returned. Raises ArgumentTypeError unless it is a pair where has_aux says so."""
    if not has_aux:
        return result, None
    if not isinstance(result, tuple) or len(result) != 2:
        raise ArgumentTypeError(
            f"{who}: has_aux wants a function that returns (value, aux); it returned {type(result).__name__}"
        )
    return result


def positions(argnums: Any, count: int, who: str) -> tuple[int, ...]:
    """`argnums` counted from the front. Raises ArgumentError for ones that aren't there, or come twice."""
    several = argnums if isinstance(argnums, (tuple, list)) else (argnums,)
    found = []
    for n in several:
        if isinstance(n, bool) or not isinstance(n, (int, np.integer)):
            raise ArgumentTypeError(f"{who}: got argnums {argnums!r}; want integers")
        if not -count <= n < count:
            raise ArgumentError(f"{who}: got argnums {argnums!r} for a call with {count} positional arguments")
        found.append(int(n) % count)
    if len(set(found)) != len(found):
        raise ArgumentError(f"{who}: got argnums {argnums!r}; want each once")
    return tuple(found)


def check_callable(function: Any, who: str) -> None:
    """Raise ArgumentTypeError unless `function` can be called."""
    if not callable(function):
        raise ArgumentTypeError(f"{who}: got {type(function).__name__}; want a function")


def check_unconnected(unconnected: str, who: str) -> None:
    """Raise ArgumentError unless it says what stands where nothing flows: "none" or "zero"."""
    if unconnected not in ("none", "zero"):
        raise ArgumentError(f"{who}: got unconnected={unconnected!r}; want 'none' or 'zero'")


def named(transformed: Callable[..., Any], function: Callable[..., Any], what: str) -> Callable[..., Any]:
    """`transformed` with a name and docstring that say what it is of."""
    name = getattr(function, "__name__", type(function).__name__)
    transformed.__name__ = f"{what}_{name}"
    transformed.__qualname__ = transformed.__name__
    transformed.__doc__ = f"{what} of {name}.\n\n{getattr(function, '__doc__', None) or ''}".rstrip()
    return transformed


def token_around() -> Tensor | None:
    """What the effects before gave, in the trace around."""
    trace = active_trace()
    return None if trace is None else trace.token


def happened(token: Tensor) -> None:
    """An op that has effects was made: they come next in the trace around it, or happen now."""
    trace = active_trace()
    if trace is None:
        evaluate([token], "print")
    else:
        trace.token = token
