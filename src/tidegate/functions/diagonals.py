"""Diagonals: read as steps through the elements in row-major order, written as gaps between them."""

from __future__ import annotations

from typing import Any

from tidegate.core.errors import ShapeError
from tidegate.core.graph import Tensor, TensorLike
from tidegate.core.shapes import is_known
from tidegate.functions.convert import asarray
from tidegate.functions.places import whole_number
from tidegate.functions.reduce import sum
from tidegate.ops.layout import Reshape
from tidegate.ops.window import Pad, Slice

ANY_INTEGER = -(2**63)


def diagonal(x: TensorLike, /, *, offset: int = 0) -> Tensor:
    """The diagonal of the last two axes: the elements [..., i, i + offset], as the last axis.

    Shapes: x[..., m, n] -> [..., k]; an offset beyond the matrix gives no elements.  Dtypes: any, kept.
    Raises ShapeError for fewer than two axes, or sizes of the last two that aren't known.
    """
    x = asarray(x)
    place = whole_number("diagonal", "offset", offset, least=ANY_INTEGER)
    if x.ndim < 2 or not is_known(x.shape[-2:]):
        raise ShapeError(f"diagonal: got {x.type}; want at least two axes, the last two of known size")
    *lead, m, n = x.shape
    start = place if place >= 0 else -place * n
    count = max(min(m, n - place) if place >= 0 else min(m + place, n), 0)
    stop = start + (count - 1) * (n + 1) + 1 if count else 0
    whole = tuple(lead)
    flat = Reshape((*whole, m * n))(x)
    zeros, ones = (0,) * len(lead), (1,) * len(lead)
    return Slice((*zeros, start if count else 0), (*whole, stop), (*ones, n + 1))(flat)


def diag(x: TensorLike, /, k: int = 0) -> Tensor:
    """A vector as the diagonal of a matrix that is 0 elsewhere; of a matrix, its diagonal. The elements are [i, i + k].

    Raises ShapeError for another number of axes, or a size that isn't known.
    """
    x = asarray(x)
    if x.ndim == 2:
        return diagonal(x, offset=k)
    place = whole_number("diag", "k", k, least=ANY_INTEGER)
    if x.ndim != 1 or not is_known(x.shape):
        raise ShapeError(f"diag: got {x.type}; want one or two axes of known size")
    size = x.shape[0] + abs(place)
    before = place if place >= 0 else -place * size
    reach = x.shape[0] + (x.shape[0] - 1) * size if x.shape[0] else 0
    return Reshape((size, size))(Pad((before,), (size * size - before - reach,), (size,))(x))


def trace(x: TensorLike, /, *, offset: int = 0, dtype: Any = None) -> Tensor:
    """The sum of the diagonal [..., i, i + offset] of the last two axes, in `dtype`, by default that of `sum`.

    Raises ShapeError for fewer than two axes.
    """
    return sum(diagonal(x, offset=offset), axis=-1, dtype=dtype)
