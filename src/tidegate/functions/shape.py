"""Functions of layout: they move elements and change none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tidegate.core.errors import ShapeError
from tidegate.core.graph import Tensor, TensorLike
from tidegate.core.shapes import Size, divide, element_count, normal_axes, normal_axis, show_shape
from tidegate.functions.convert import asarray
from tidegate.functions.creation import as_shape
from tidegate.ops.broadcast import without
from tidegate.ops.layout import Permute, Reshape
from tidegate.ops.layout import matrix_transpose as transpose_matrices


def reshape(x: TensorLike, /, shape: Any) -> Tensor:
    """x's elements, in row-major order, in `shape`, of which one size may be -1.

    Raises ShapeError if the numbers of elements differ.
    """
    x = asarray(x)
    sizes = tuple(shape) if isinstance(shape, (tuple, list, np.ndarray)) else (shape,)
    missing = [i for i, n in enumerate(sizes) if not isinstance(n, Size) and n == -1]
    if len(missing) > 1:
        raise ShapeError(f"reshape: got shape {sizes}; want at most one -1")
    known = as_shape([n for i, n in enumerate(sizes) if i not in missing], "reshape")
    if missing:
        if element_count(known) == 0:
            raise ShapeError(f"reshape: got shape {sizes}; -1 can be anything beside a size 0")
        try:
            rest = divide(element_count(x.shape), element_count(known))
        except ShapeError as error:
            raise ShapeError(f"reshape: got {x.type} and shape {sizes}: {error.message}") from None
        known = (*known[: missing[0]], rest, *known[missing[0] :])
    return x if known == x.shape else Reshape(known)(x)


def permute_dims(x: TensorLike, /, axes: Sequence[int]) -> Tensor:
    """x with its axes in another order. Raises AxisError unless `axes` holds each of them once."""
    x = asarray(x)
    order = tuple([normal_axis(a, x.ndim, "permute_dims") for a in axes])
    return Permute(order)(x)


def matrix_transpose(x: TensorLike, /) -> Tensor:
    """x with its last two axes exchanged. Raises ShapeError if it has fewer."""
    x = asarray(x)
    if x.ndim < 2:
        raise ShapeError(f"matrix_transpose: got {x.type}; want at least two axes")
    return transpose_matrices(x)


def expand_dims(x: TensorLike, /, *, axis: int = 0) -> Tensor:
    """x with a new axis of size 1 at `axis`. Raises AxisError if there is no such place."""
    x = asarray(x)
    place = normal_axis(axis, x.ndim + 1, "expand_dims")
    return Reshape((*x.shape[:place], 1, *x.shape[place:]))(x)


def squeeze(x: TensorLike, /, axis: Any) -> Tensor:
    """x without `axis` (one or several), each of size 1. Raises ShapeError if one isn't."""
    x = asarray(x)
    axes = normal_axes(axis, x.ndim, "squeeze")
    if any(not isinstance(x.shape[a], int) or x.shape[a] != 1 for a in axes):
        raise ShapeError(f"squeeze: got {x.type} and axes {axes}; want axes of size 1")
    return Reshape(without(x.shape, axes))(x)


def transpose(x: Tensor) -> Tensor:
    """A matrix transposed. Raises ShapeError unless it has two axes."""
    if x.ndim != 2:
        raise ShapeError(f"T: got [{show_shape(x.shape)}]; want two axes (mT, or permute_dims, for others)")
    return transpose_matrices(x)
