"""Methods of tensors that are functions under the same name. Their axis may be given without its name, as NumPy's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tidegate.core.graph import Tensor
from tidegate.functions import reduce, shape
from tidegate.ops.elementwise import identity


def along(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """A reduction as a method."""

    def method(x: Tensor, axis: Any = None, **options: Any) -> Tensor:
        return function(x, axis=axis, **options)

    method.__name__, method.__doc__ = function.__name__, function.__doc__
    return method


def reshape(x: Tensor, *sizes: Any, copy: bool | None = None) -> Tensor:
    """Its elements, in order, in another shape, given as one sequence or as sizes."""
    return shape.reshape(x, sizes[0] if len(sizes) == 1 else sizes, copy=copy)


def transpose(x: Tensor, *axes: Any) -> Tensor:
    """Its axes in another order, given as one sequence or as integers; in the reverse order if none are given.

    Raises AxisError unless each of its axes is there once.
    """
    order = axes[0] if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], (tuple, list))) else axes
    return shape.permute_dims(x, order or range(x.ndim)[::-1])


def squeeze(x: Tensor, axis: Any = None) -> Tensor:
    """Itself without `axis`, of size 1; without all axes that are known to be of size 1 if none is given."""
    return shape.squeeze_all(x) if axis is None else shape.squeeze(x, axis)


def copy(x: Tensor) -> Tensor:
    """Itself as a tensor of its own, of any dtype; gradients flow through."""
    return identity(x)


METHODS: dict[str, Any] = {
    name: along(getattr(reduce, name))
    for name in ["sum", "prod", "mean", "var", "std", "max", "min", "any", "all", "argmax", "argmin"]
} | {
    "reshape": reshape,
    "transpose": transpose,
    "flatten": shape.ravel,
    "ravel": shape.ravel,
    "squeeze": squeeze,
    "copy": copy,
}
"""What fills the slots of those names."""
