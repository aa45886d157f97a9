"""Functions of layout: they give a tensor other axes and keep the order of its elements, or exchange axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tidegate.core.errors import ArgumentTypeError, AxisError, ShapeError
from tidegate.core.graph import Tensor, TensorLike
from tidegate.core.shapes import Size, broadcast_shape, divide, element_count, normal_axes, normal_axis, show_shape
from tidegate.functions import convert
from tidegate.functions.arguments import several
from tidegate.functions.convert import asarray, broadcast_all
from tidegate.functions.creation import as_shape
from tidegate.ops.broadcast import without
from tidegate.ops.layout import Permute, Reshape
from tidegate.ops.layout import matrix_transpose as transpose_matrices


def reshape(x: TensorLike, /, shape: Any, *, copy: bool | None = None) -> Tensor:
    """x's elements, in row-major order, in `shape`, of which one size may be -1; of any dtype.

    copy: as tensors don't change, nobody can tell whether there was one: any is taken.
    Raises ShapeError if the numbers of elements differ.
    """
    x = asarray(x)
    sizes = tuple(shape) if several(shape) else (shape,)
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
    return reshaped(x, known)


def reshaped(x: Tensor, shape: tuple[Any, ...]) -> Tensor:
    """x in `shape`; x itself where it has it."""
    return x if shape == x.shape else Reshape(shape)(x)


def ravel(x: TensorLike, /) -> Tensor:
    """x's elements, in row-major order, along one axis; of any dtype."""
    x = asarray(x)
    return reshaped(x, (element_count(x.shape),))


def permute_dims(x: TensorLike, /, axes: Sequence[int]) -> Tensor:
    """x with its axes in another order; of any dtype. Raises AxisError unless `axes` holds each of them once."""
    x = asarray(x)
    if not several(axes):
        raise ArgumentTypeError(f"permute_dims: got axes {axes!r}; want a tuple of integers")
    order = tuple([normal_axis(a, x.ndim, "permute_dims") for a in axes])
    return Permute(order)(x)


def matrix_transpose(x: TensorLike, /) -> Tensor:
    """x with its last two axes exchanged; of any dtype. Raises ShapeError if it has fewer."""
    x = asarray(x)
    if x.ndim < 2:
        raise ShapeError(f"matrix_transpose: got {x.type}; want at least two axes")
    return transpose_matrices(x)


def transpose(x: Tensor) -> Tensor:
    """A matrix transposed. Raises ShapeError unless it has two axes."""
    if x.ndim != 2:
        raise ShapeError(f"T: got [{show_shape(x.shape)}]; want two axes (mT, or permute_dims, for others)")
    return transpose_matrices(x)


def moveaxis(x: TensorLike, source: Any, destination: Any, /) -> Tensor:
    """x with the axes `source` (one or several) moved to the places `destination`; the others keep their order.

    Of any dtype. Raises AxisError for an axis that isn't there or is there twice, or for unequal numbers of them.
    """
    x = asarray(x)
    froms, tos = _axes_in_order(source, x.ndim, "moveaxis"), _axes_in_order(destination, x.ndim, "moveaxis")
    if len(froms) != len(tos):
        raise AxisError(f"moveaxis: got {len(froms)} axes and {len(tos)} places; want as many")
    order = [a for a in range(x.ndim) if a not in froms]
    for place, axis in sorted(zip(tos, froms, strict=True)):
        order.insert(place, axis)
    return x if order == list(range(x.ndim)) else Permute(tuple(order))(x)


def _axes_in_order(axes: Any, rank: int, who: str) -> list[int]:
    several = axes if isinstance(axes, (tuple, list)) else (axes,)
    normal_axes(several, rank, who)
    return [normal_axis(a, rank, who) for a in several]


def swapaxes(x: TensorLike, axis1: int, axis2: int, /) -> Tensor:
    """x with two of its axes exchanged; of any dtype. Raises AxisError for an axis that isn't there."""
    x = asarray(x)
    first, second = normal_axis(axis1, x.ndim, "swapaxes"), normal_axis(axis2, x.ndim, "swapaxes")
    order = list(range(x.ndim))
    order[first], order[second] = second, first
    return x if first == second else Permute(tuple(order))(x)


def expand_dims(x: TensorLike, /, axis: Any) -> Tensor:
    """x with a new axis of size 1 at `axis`, or at several, which are places in the result; of any dtype.

    Raises AxisError for a place that can't be, or comes twice.
    """
    x = asarray(x)
    count = len(axis) if isinstance(axis, (tuple, list)) else 1
    places = normal_axes(axis if isinstance(axis, (tuple, list)) else (axis,), x.ndim + count, "expand_dims")
    sizes = list(x.shape)
    for place in places:  # in ascending order, so that each is a place in the result
        sizes.insert(place, 1)
    return reshaped(x, tuple(sizes))


def squeeze(x: TensorLike, /, axis: Any) -> Tensor:
    """x without `axis` (one or several), each of size 1; of any dtype.

    Raises AxisError for an axis that isn't there, ShapeError for one that isn't of size 1.
    """
    x = asarray(x)
    axes = normal_axes(axis if isinstance(axis, (tuple, list)) else (axis,), x.ndim, "squeeze")
    if any(not isinstance(x.shape[a], int) or x.shape[a] != 1 for a in axes):
        raise ShapeError(f"squeeze: got {x.type} and axes {axes}; want axes of size 1")
    return reshaped(x, without(x.shape, axes))


def squeeze_all(x: Tensor) -> Tensor:
    """x without its axes of size 1."""
    return reshaped(x, tuple([n for n in x.shape if isinstance(n, Size) or n != 1]))


def broadcast_to(x: TensorLike, /, shape: Any) -> Tensor:
    """x repeated to `shape` by NumPy's rule: sizes 1 grow, new axes come first; of any dtype.

    Raises ShapeError where it doesn't fit, or for a negative size.
    """
    return convert.broadcast_to(x, as_shape(shape, "broadcast_to"))


def broadcast_arrays(*arrays: TensorLike) -> tuple[Tensor, ...]:
    """Each tensor repeated to the shape that all of them broadcast to; dtypes are kept.

    Raises ShapeError where shapes don't broadcast.
    """
    return broadcast_all("broadcast_arrays", *[asarray(x) for x in arrays]) if arrays else ()


def broadcast_shapes(*shapes: Any) -> tuple[Any, ...]:
    """The shape that all of `shapes` (tuples, or integers) broadcast to. Raises ShapeError where they don't."""
    return broadcast_shape([as_shape(s, "broadcast_shapes") for s in shapes], "broadcast_shapes")


def atleast_1d(*arrays: TensorLike) -> Any:
    """Each tensor, with one axis if it has none: a tensor for one, a tuple for several; of any dtypes."""
    return _each(arrays, lambda x: reshaped(x, (1,)) if x.ndim == 0 else x)


def atleast_2d(*arrays: TensorLike) -> Any:
    """Each tensor with at least two axes, new ones first: a tensor for one, a tuple for several; of any dtypes."""
    return _each(arrays, lambda x: reshaped(x, (1,) * (2 - x.ndim) + x.shape))


def atleast_3d(*arrays: TensorLike) -> Any:
    """Each tensor with at least three axes: a tensor for one, a tuple for several; of any dtypes.

    NumPy's rule: (n,) becomes (1, n, 1), and (m, n) becomes (m, n, 1).
    """

    def deep(x: Tensor) -> Tensor:
        return x if x.ndim > 2 else reshaped(x, (*x.shape, 1) if x.ndim == 2 else (1, *(x.shape or (1,)), 1))

    return _each(arrays, deep)


def _each(arrays: Sequence[TensorLike], change: Callable[[Tensor], Tensor]) -> Any:
    changed = tuple([change(asarray(x)) for x in arrays])
    return changed[0] if len(changed) == 1 else changed
