"""vmap: a function of one example becomes one of a batch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tidegate.api.arguments import check_callable, happened, is_array_like, named, tensor_leaves, token_around
from tidegate.core.body import Body
from tidegate.core.errors import ArgumentError, ArgumentTypeError, AxisError, ShapeError
from tidegate.core.graph import Tensor, TensorType
from tidegate.core.shapes import normal_axis
from tidegate.core.trace import Trace, within
from tidegate.core.tree import Structure, flatten, match
from tidegate.functions.convert import asarray
from tidegate.ops.creation import Input
from tidegate.ops.effects import Print
from tidegate.ops.layout import moved
from tidegate.transforms.engine import ENGINE


def vmap(function: Callable[..., Any], in_axes: Any = 0, out_axes: Any = 0) -> Callable[..., Any]:
    """A function that maps `function` over an axis of its arguments, as a loop and a stack would, without the loop.

    in_axes: for each positional argument, the axis of its arrays to map over, or None to pass it whole; one for all,
        or a tuple with one an argument, each of which may be a container with the argument's structure.
    out_axes: where the mapped axis is in each output; one for all, or a container with the outputs' structure.

    Keyword arguments are passed whole. `function` sees tensors without values: it can't branch on them.
    Raises, when called, ArgumentError if nothing is mapped or in_axes has another length, ShapeError where the mapped
    axes differ in size, AxisError for an axis that isn't there, NoValueError where a value is asked for.
    """
    check_callable(function, "vmap")

    def mapped(*args: Any, **kwargs: Any) -> Any:
        arguments = [flatten(a) for a in args]
        axes = [axis for (leaves, s), spec in zip(arguments, _specs(in_axes, len(args)), strict=True)
                for axis in _axes(spec, s, "in_axes")]  # fmt: skip
        leaves = [leaf for found, _ in arguments for leaf in found]
        xs, size = _batched(leaves, axes)
        inner = [Input(TensorType(x.shape[1:], x.dtype))() if b else x for x, b in xs]
        parts = iter(inner)
        rebuilt = [structure.build([next(parts) for _ in found]) for found, structure in arguments]
        before = token_around()
        with within(Trace(before)) as trace:
            outputs, structure = tensor_leaves(function(*rebuilt, **kwargs), "vmap")
        if trace.token is not None and trace.token is not before:
            outputs.append(trace.token)
        pairs = [(i, x) for i, (x, b) in zip(inner, xs, strict=True) if b]
        body = Body([i for i, _ in pairs], outputs)
        results = ENGINE.batch(body, size, (True,) * len(pairs), tuple([x for _, x in pairs]))
        if trace.token is not before:
            *results, tokens = results
            happened(Print(())(tokens))
        places = _axes(out_axes, structure, "out_axes")
        return structure.build([_placed(y, place) for y, place in zip(results, places, strict=True)])

    return named(mapped, function, "vmap")


def _specs(in_axes: Any, count: int) -> list[Any]:
    if not isinstance(in_axes, (tuple, list)):
        return [in_axes] * count
    if len(in_axes) != count:
        raise ArgumentError(f"vmap: got {len(in_axes)} in_axes for {count} arguments")
    return list(in_axes)


def _axes(spec: Any, structure: Structure, name: str) -> list[int | None]:
    """One axis for each leaf."""
    if spec is None or isinstance(spec, (int, np.integer)):
        return [None if spec is None else int(spec)] * structure.leaf_count
    axes = match(spec, structure, f"vmap: {name}")
    for axis in axes:
        if axis is not None and not isinstance(axis, (int, np.integer)):
            raise ArgumentTypeError(f"vmap: got {axis!r} in {name}; want integers or None")
    return axes


def _batched(leaves: list[Any], axes: list[int | None]) -> tuple[list[tuple[Any, bool]], int]:
    """The leaves, those to map over with that axis first, and its size."""
    xs: list[tuple[Any, bool]] = []
    sizes: dict[int, TensorType] = {}
    for leaf, axis in zip(leaves, axes, strict=True):
        if axis is None or not is_array_like(leaf):
            xs.append((leaf, False))
            continue
        x = asarray(leaf)
        if not x.shape:
            raise AxisError(f"vmap: got {x.type} to map over axis {axis}; want at least one axis, or in_axes None")
        place = normal_axis(axis, x.ndim, "vmap")
        sizes.setdefault(x.shape[place], x.type)
        xs.append((moved(x, place, 0), True))
    if not sizes:
        raise ArgumentError("vmap: got nothing to map over; want an axis in in_axes")
    if len(sizes) > 1:
        shown = " and ".join(f"{n} (of {t})" for n, t in sizes.items())
        raise ShapeError(f"vmap: got mapped axes of sizes {shown}; want one size")
    return xs, next(iter(sizes))


def _placed(y: Tensor, axis: int | None) -> Tensor:
    if axis is None:
        raise ArgumentError("vmap: got None in out_axes; want the place of the mapped axis")
    return moved(y, 0, normal_axis(axis, y.ndim, "vmap: out_axes"))
