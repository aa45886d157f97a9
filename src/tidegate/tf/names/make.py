"""Makers of the simplest functions: of one tensor, of two, of a tensor and axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tidegate.core import graph as core
from tidegate.core.dtypes import INTEGER
from tidegate.ops.cast import cast
from tidegate.tf.convert import alike, convert, static_ints
from tidegate.tf.graph import apply
from tidegate.tf.tensor import Tensor

Unary = Callable[..., Tensor]
Binary = Callable[..., Tensor]


def named(function: Callable[..., Any], name: str, doc: str | None) -> Callable[..., Any]:
    """A function with a name and docstring of its own."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


def unary(kind: str, of: Callable[[Any], core.Tensor], name: str, doc: str | None = None) -> Unary:
    """A function of one tensor: the operation `kind`, which `of` computes."""

    def function(x: Any, name: str | None = None) -> Tensor:
        return apply(kind, of, convert(x, who=f"tf.{function.__name__}"), name=name)

    return named(function, name, doc or of.__doc__)


def binary(kind: str, of: Callable[[Any, Any], core.Tensor], name: str, doc: str | None = None) -> Binary:
    """A function of two tensors of one dtype: the operation `kind`, which `of` computes."""

    def function(x: Any, y: Any, name: str | None = None) -> Tensor:
        return apply(kind, of, *alike(f"tf.{function.__name__}", x, y), name=name)

    return named(function, name, doc or of.__doc__)


def reduction(kind: str, of: Callable[..., core.Tensor], name: str, doc: str | None = None) -> Callable[..., Tensor]:
    """A function of one tensor along axes, which it drops unless keepdims."""

    def function(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
        x = convert(input_tensor, who=f"tf.{function.__name__}")
        axes = static_ints(axis, f"tf.{function.__name__}")
        places = tuple(axes) if isinstance(axes, list) else axes

        def reduced(x: core.Tensor) -> core.Tensor:
            out = of(x, axis=places, keepdims=keepdims)
            return out if out.dtype == x.dtype or x.dtype not in INTEGER else cast(out, x.dtype)

        return apply(kind, reduced, x, name=name)

    return named(function, name, doc or of.__doc__)
