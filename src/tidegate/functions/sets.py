"""Sets and counts: the different values of a tensor, and how often each whole number comes.

How many there are depends on data: see `functions/places.py`.
"""

from __future__ import annotations

from typing import NamedTuple

from tidegate.core.dtypes import INTEGER, int64
from tidegate.core.errors import ArgumentError, DTypeError, ShapeError
from tidegate.core.graph import Tensor, TensorLike, TensorType
from tidegate.core.shapes import element_count
from tidegate.functions.convert import asarray
from tidegate.functions.places import as_indices, located, size_found, value_for_size, whole_number
from tidegate.ops.broadcast import filled
from tidegate.ops.gates import PreventGradient
from tidegate.ops.indexing import Gather, ScatterAdd
from tidegate.ops.layout import Reshape
from tidegate.ops.places import DROP, Locate
from tidegate.ops.search import UniquePlaces, different_values
from tidegate.ops.window import Slice

MERGED = (
    "equal elements became one, and which of them it is isn't defined; index x with the indices of unique_all, "
    "if the first of them should get the gradient"
)


class UniqueAll(NamedTuple):
    """What unique_all gives."""

    values: Tensor
    indices: Tensor
    inverse_indices: Tensor
    counts: Tensor


class UniqueCounts(NamedTuple):
    """What unique_counts gives."""

    values: Tensor
    counts: Tensor


class UniqueInverse(NamedTuple):
    """What unique_inverse gives."""

    values: Tensor
    inverse_indices: Tensor


def _unique(who: str, x: TensorLike, size: int | None) -> UniqueAll:
    x = asarray(x)
    if size is None:
        found = 0 if element_count(x.shape) == 0 else size_found(who, x, different_values, "give a size")
    else:
        found = whole_number(who, "size", size)
    flat = Reshape((element_count(x.shape),))(x)
    indices, inverse, counts = UniquePlaces(found)(flat)
    values = Gather(0)(flat, indices)
    if values.differentiable:
        values = PreventGradient(f"{who}: {MERGED}")(values)
    return UniqueAll(values, indices, Reshape(x.shape)(inverse), counts)


def unique_all(x: TensorLike, /, *, size: int | None = None) -> UniqueAll:
    """The different values of x, least first; where each comes first in row-major order; which of them each element
    is (x's shape); and how often each comes. Places and counts are int64.

    Each NaN is a value of its own, after all others; -0.0 is 0.0.
    size: how many values to give. By default as many as there are, found when a traced function runs. Given, the
        first ones are taken, and where there are fewer the least value stands in again, with a count of 0.
    A gradient can't pass to x from the values: it raises GradientRefusedError.
    """
    return _unique("unique_all", x, size)


def unique_counts(x: TensorLike, /, *, size: int | None = None) -> UniqueCounts:
    """The different values of x, least first, and how often each comes: see `unique_all`."""
    found = _unique("unique_counts", x, size)
    return UniqueCounts(found.values, found.counts)


def unique_inverse(x: TensorLike, /, *, size: int | None = None) -> UniqueInverse:
    """The different values of x, least first, and which of them each element is: see `unique_all`."""
    found = _unique("unique_inverse", x, size)
    return UniqueInverse(found.values, found.inverse_indices)


def unique_values(x: TensorLike, /, *, size: int | None = None) -> Tensor:
    """The different values of x, least first: see `unique_all`."""
    return _unique("unique_values", x, size).values


def bincount(
    x: TensorLike, /, weights: TensorLike | None = None, minlength: int = 0, *, length: int | None = None
) -> Tensor:
    """How often 0, 1, 2, ... comes in x (int64); or the sum of the `weights` of each, in their dtype.

    x: a vector of integers of at least 0; `weights`, to which gradients flow, of its shape.
    length: how many numbers to count. By default one more than x's largest, or `minlength`, for which x must have a
        value. Given, what is out of range isn't counted.
    Raises DTypeError for other dtypes, ShapeError for other shapes, ArgumentError for a negative number,
    NoValueError while a function is traced and no `length` is given.
    """
    x = asarray(x)
    if x.dtype not in INTEGER:
        raise DTypeError(f"bincount: got {x.type}; want integers")
    if x.ndim != 1:
        raise ShapeError(f"bincount: got {x.type}; want one axis")
    values = filled(1, TensorType(x.shape, int64)) if weights is None else asarray(weights)
    if values.shape != x.shape:
        raise ShapeError(f"bincount: got {x.type} and weights {values.type}; want one weight for each element")
    least = whole_number("bincount", "minlength", minlength)
    if length is None:
        known = value_for_size("bincount", x, "give a length")
        if known.size and known.min() < 0:
            raise ArgumentError(f"bincount: got the number {known.min()}; want at least 0")
        length = max(least, int(known.max()) + 1) if known.size else least
    count = whole_number("bincount", "length", length)
    places = located("bincount", [as_indices("bincount", x)], Locate((count,), (0,), DROP, False))
    return Slice((0,), (count,), (1,))(ScatterAdd((count + 1,), 0)(values, places))
