"""Norms of vectors and matrices, and tensors scaled by them. At 0 a norm's derivative is 0."""

from __future__ import annotations

from math import inf
from typing import Any

from tidegate.core.dtypes import COMPLEX, HALF, float32, real_of
from tidegate.core.errors import ArgumentError, ArgumentTypeError, ShapeError
from tidegate.core.graph import Tensor, TensorLike
from tidegate.core.shapes import normal_axes
from tidegate.core.tree import flatten
from tidegate.functions.convert import asarray, inexact
from tidegate.functions.extremes import maximum
from tidegate.functions.math import add, multiply, where
from tidegate.functions.math import divide as quotient
from tidegate.functions.reduce import max, min, sum
from tidegate.ops.broadcast import filled, zeros_like
from tidegate.ops.cast import cast
from tidegate.ops.elementwise import (
    Abs,
    Equal,
    Imag,
    NotEqual,
    Power,
    Real,
    Sqrt,
    select,
    subtract,
)
from tidegate.ops.elementwise import multiply as product
from tidegate.ops.layout import Reshape


def squares(x: Tensor) -> Tensor:
    """The squares of absolute values: smooth, unlike those, at 0."""
    if x.dtype not in COMPLEX:
        return product(x, x)
    real, imag = Real()(x), Imag()(x)
    return add(product(real, real), product(imag, imag))


def root(x: Tensor) -> Tensor:
    """The square root of a sum of squares. Where that is 0 it is the root of 1 that gets the derivative: none."""
    none = Equal()(x, zeros_like(x))
    return select(none, zeros_like(x), Sqrt()(select(none, filled(1, x.type), x)))


def vector_norm(x: TensorLike, /, *, axis: Any = None, keepdims: bool = False, ord: float = 2) -> Tensor:
    """The norm over `axis` (None for all, an integer, or several): sum(abs(x) ** ord) ** (1 / ord).

    ord: any number; inf for the largest absolute value, -inf for the least, 0 for how many elements aren't 0.
    Floating point or complex, which gives its real dtype; float16 and bfloat16 are computed in float32. The derivative
    is 0 at a zero vector (also at a zero element, if 0 < ord); nothing flows through ord = 0.
    Raises AxisError for an axis that isn't there, DTypeError for integers and booleans, ArgumentTypeError for an ord
    that isn't a number, ShapeError for no elements where ord is infinite.
    """
    (x,) = inexact("vector_norm", x)
    if isinstance(ord, bool) or not isinstance(ord, (int, float)):
        raise ArgumentTypeError(f"vector_norm: got ord {ord!r}; want a number")
    wide = cast(x, float32) if x.dtype in HALF else x
    axes = normal_axes(axis, x.ndim, "vector_norm")
    return cast(_norm(wide, axes, keepdims, ord), real_of(x.dtype))


def _norm(x: Tensor, axes: tuple[int, ...], keepdims: bool, ord: float) -> Tensor:
    if ord == 2:
        return root(sum(squares(x), axis=axes, keepdims=keepdims))
    if ord == 0:
        return sum(cast(NotEqual()(x, zeros_like(x)), real_of(x.dtype)), axis=axes, keepdims=keepdims)
    size = Abs()(x)
    if ord == inf:
        return max(size, axis=axes, keepdims=keepdims)
    if ord == -inf:
        return min(size, axis=axes, keepdims=keepdims)
    if ord == 1:
        return sum(size, axis=axes, keepdims=keepdims)
    if ord < 0:
        total = sum(Power()(size, filled(ord, size.type)), axis=axes, keepdims=keepdims)
        return Power()(total, filled(1 / ord, total.type))
    total = sum(power_of_positive(size, ord), axis=axes, keepdims=keepdims)
    return power_of_positive(total, 1 / ord)


def power_of_positive(x: Tensor, exponent: float) -> Tensor:
    """x ** exponent where x is above 0; a constant 0 at 0, and NaN for NaN."""
    none = Equal()(x, zeros_like(x))
    return select(none, zeros_like(x), Power()(select(none, filled(1, x.type), x), filled(exponent, x.type)))


def matrix_norm(x: TensorLike, /, *, keepdims: bool = False, ord: Any = "fro") -> Tensor:
    """The norm of the matrices in the last two axes, floating point or complex, which gives its real dtype.

    ord: "fro" (the root of the sum of squares), 1 or -1 (the largest or least sum of absolute values of a column), inf
        or -inf (of a row). The derivative at a zero matrix is 0.
    Raises ShapeError for fewer than two axes, DTypeError for integers and booleans, ArgumentError for another ord.
    """
    (x,) = inexact("matrix_norm", x)
    if x.ndim < 2:
        raise ShapeError(f"matrix_norm: got {x.type}; want at least two axes")
    if ord == "fro":
        return vector_norm(x, axis=(-2, -1), keepdims=keepdims)
    if isinstance(ord, (bool, str)) or ord not in (1, -1, inf, -inf):
        raise ArgumentError(f"matrix_norm: got ord {ord!r}; want 'fro', 1, -1, inf or -inf")
    wide = cast(x, float32) if x.dtype in HALF else x
    along, across = (-2, -1) if ord in (1, -1) else (-1, -2)
    sums = sum(Abs()(wide), axis=along, keepdims=True)
    out = (max if ord > 0 else min)(sums, axis=across, keepdims=True)
    out = cast(out, real_of(x.dtype))
    return out if keepdims else Reshape(out.shape[:-2])(out)


def l2_normalize(x: TensorLike, /, *, axis: Any = -1, epsilon: float = 1e-12) -> Tensor:
    """x divided by its 2-norm over `axis`, floating point or complex, or by sqrt(epsilon) if that is more: zeros stay
    zeros, and their derivative is finite. float16 and bfloat16 are computed in float32."""
    (x,) = inexact("l2_normalize", x)
    wide = cast(x, float32) if x.dtype in HALF else x
    total = sum(squares(wide), axis=axis, keepdims=True)
    length = Sqrt()(maximum(total, epsilon))
    return cast(quotient(wide, length), x.dtype)


def clip_by_norm(x: TensorLike, max_norm: TensorLike, /, *, axis: Any = None) -> Tensor:
    """x, scaled down to 2-norm `max_norm` over `axis` if it is longer; floating point or complex.

    The derivative goes through the norm where it acts; at 0 it is 1.
    """
    (x,) = inexact("clip_by_norm", x)
    norm = vector_norm(x, axis=axis, keepdims=True)
    return multiply(x, quotient(max_norm, maximum(norm, max_norm)))


def global_norm(tensors: Any, /) -> Tensor:
    """The 2-norm of all elements of all tensors in a container (a list, a tuple, a dict, nested), None left out.

    Floating point or complex. Raises ArgumentError for no tensors.
    """
    found = [inexact("global_norm", leaf)[0] for leaf in flatten(tensors)[0] if leaf is not None]
    if not found:
        raise ArgumentError("global_norm: got no tensors; want at least one")
    total = None
    for x in found:
        wide = cast(x, float32) if x.dtype in HALF else x
        part = sum(squares(wide))
        total = part if total is None else add(total, part)
    assert total is not None
    return root(total)


def clip_by_global_norm(tensors: Any, max_norm: TensorLike, /) -> tuple[Any, Tensor]:
    """The tensors of a container, all scaled down by one number if their global norm is above `max_norm`; and that
    norm. The container keeps its structure, None stays.

    If the norm isn't finite all become NaN: what went wrong must not look like a step of 0.
    Raises ArgumentError for no tensors, DTypeError for integers and booleans.
    """
    norm = global_norm(tensors)
    factor = quotient(max_norm, maximum(norm, max_norm))
    finite = Equal()(subtract(norm, norm), zeros_like(norm))
    factor = where(finite, factor, float("nan"))
    leaves, structure = flatten(tensors)
    scaled = [None if leaf is None else _scaled(asarray(leaf), factor) for leaf in leaves]
    return structure.build(scaled), norm


def _scaled(x: Tensor, factor: Tensor) -> Tensor:
    return cast(multiply(x, factor), x.dtype)
