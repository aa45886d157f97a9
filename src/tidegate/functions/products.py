"""Products that are summed along axes: all of them are one primitive, DotGeneral. (matmul is with linear algebra.)"""

from __future__ import annotations

from typing import Any

from tidegate.core.errors import ArgumentError, AxisError, ShapeError
from tidegate.core.graph import Tensor, TensorLike
from tidegate.core.shapes import broadcast_shape, normal_axis
from tidegate.functions.convert import broadcast_to, matched, promoted
from tidegate.functions.linalg import matmul
from tidegate.functions.math import multiply
from tidegate.functions.places import whole_number
from tidegate.ops.contraction import DotGeneral
from tidegate.ops.elementwise import conjugate
from tidegate.ops.layout import Reshape, moved


def tensordot(x1: TensorLike, x2: TensorLike, /, *, axes: Any = 2) -> Tensor:
    """The product of x1 and x2 summed along pairs of axes; the other axes of x1 come first, then those of x2.

    axes: how many of the last axes of x1 to pair with the first of x2; or the axes of x1 and those of x2, in pairs.
    Dtypes: any numeric, promoted. Raises ShapeError where paired sizes differ, AxisError for axes that aren't there or
    come twice, ArgumentError for pairs that don't match.
    """
    x, y = promoted("tensordot", x1, x2)
    if isinstance(axes, (tuple, list)):
        if len(axes) != 2:
            raise ArgumentError(f"tensordot: got axes {axes!r}; want a number, or the axes of x1 and those of x2")
        left, right = ([several] if isinstance(several, int) else list(several) for several in axes)
    else:
        count = whole_number("tensordot", "axes", axes)
        if count > min(x.ndim, y.ndim):
            raise AxisError(f"tensordot: got {count} axes of {x.type} and {y.type}")
        left, right = list(range(x.ndim - count, x.ndim)), list(range(count))
    if len(left) != len(right):
        raise ArgumentError(f"tensordot: got {len(left)} axes of x1 and {len(right)} of x2; want pairs")
    pairs = (
        tuple([normal_axis(a, x.ndim, "tensordot") for a in left]),
        tuple([normal_axis(a, y.ndim, "tensordot") for a in right]),
    )
    x, y = matched(x, pairs[0], y, pairs[1])
    if [x.shape[a] for a in pairs[0]] != [y.shape[a] for a in pairs[1]]:
        raise ShapeError(f"tensordot: got {x.type} and {y.type}; want equal sizes along axes {left} and {right}")
    return DotGeneral(pairs)(x, y)


def vecdot(x1: TensorLike, x2: TensorLike, /, *, axis: int = -1) -> Tensor:
    """The sum of conj(x1) * x2 along `axis`; the other axes broadcast.

    Dtypes: any numeric, promoted. Raises ShapeError where the sizes along `axis` differ or the others don't broadcast,
    AxisError if there is no such axis.
    """
    x, y = promoted("vecdot", x1, x2)
    places = normal_axis(axis, x.ndim, "vecdot"), normal_axis(axis, y.ndim, "vecdot")
    x, y = moved(x, places[0], x.ndim - 1), moved(y, places[1], y.ndim - 1)
    x, y = matched(x, (x.ndim - 1,), y, (y.ndim - 1,))
    if x.shape[-1] != y.shape[-1]:
        raise ShapeError(f"vecdot: got {x.type} and {y.type} along axis {axis}; want equal sizes")
    lead = broadcast_shape([x.shape[:-1], y.shape[:-1]], "vecdot")
    x, y = broadcast_to(x, (*lead, x.shape[-1])), broadcast_to(y, (*lead, y.shape[-1]))
    shared, last = tuple(range(len(lead))), (len(lead),)
    return DotGeneral((last, last), (shared, shared))(conjugate(x), y)


def outer(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """The products of each element of the vector x1 with each of the vector x2: [m] and [n] -> [m, n].

    Raises ShapeError for other numbers of axes.
    """
    x, y = promoted("outer", x1, x2)
    if x.ndim != 1 or y.ndim != 1:
        raise ShapeError(f"outer: got {x.type} and {y.type}; want one axis each (reshape them, or use tensordot)")
    return DotGeneral(((), ()))(x, y)


def inner(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """The product summed along the last axes: [..., k] and [..., k] -> [..., ...]; nothing is conjugated.

    One without axes scales the other. Raises ShapeError where the last sizes differ.
    """
    x, y = promoted("inner", x1, x2)
    if x.ndim == 0 or y.ndim == 0:
        return multiply(x, y)
    if x.shape[-1] != y.shape[-1]:
        raise ShapeError(f"inner: got {x.type} and {y.type}; want equal last sizes")
    return DotGeneral(((x.ndim - 1,), (y.ndim - 1,)))(x, y)


def dot(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """NumPy's dot: summed along the last axis of x1 and the last but one of x2 (the only one of a vector).

    One without axes scales the other. For stacks of matrices use matmul: here every one meets every other.
    Raises ShapeError where those sizes differ.
    """
    x, y = promoted("dot", x1, x2)
    if x.ndim == 0 or y.ndim == 0:
        return multiply(x, y)
    if x.ndim <= 2 and y.ndim <= 2:
        return matmul(x, y)
    place = max(y.ndim - 2, 0)
    if x.shape[-1] != y.shape[place]:
        raise ShapeError(f"dot: got {x.type} and {y.type}; want x1's last size as x2's last but one")
    return DotGeneral(((x.ndim - 1,), (place,)))(x, y)


def kron(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """The Kronecker product: blocks of x2 scaled by the elements of x1. Sizes multiply along each axis; the one with
    fewer axes gets leading ones of size 1."""
    x, y = promoted("kron", x1, x2)
    rank = max(x.ndim, y.ndim)
    sizes = [((1,) * (rank - t.ndim) + t.shape) for t in (x, y)]
    apart = Reshape(tuple([m for n in sizes[0] for m in (n, 1)]))(x)
    blocks = Reshape(tuple([m for n in sizes[1] for m in (1, n)]))(y)
    return Reshape(tuple([n * m for n, m in zip(*sizes, strict=True)]))(multiply(apart, blocks))
