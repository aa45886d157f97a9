"""Functions that order elements. NaN counts as larger than everything, and -0.0 ties with 0.0."""

from __future__ import annotations

from tidegate.core.graph import Tensor, TensorLike
from tidegate.core.shapes import normal_axis
from tidegate.functions.arguments import integer
from tidegate.functions.convert import asarray
from tidegate.ops.layout import moved
from tidegate.ops.sorting import Sort, TopK


def sort(x: TensorLike, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Tensor:
    """x's elements in ascending, or `descending`, order along `axis`; integers or floating point, kept.

    Equal elements keep their order, whatever `stable` says and in descending order too; -0.0 equals 0.0. NaN counts as
    larger than everything: it comes last, or first in descending order. A derivative goes to where the element was.
    Raises AxisError for an axis that isn't there, DTypeError for other dtypes.
    """
    return _sorted("sort", x, axis, descending)[0]


def argsort(x: TensorLike, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Tensor:
    """The places (int64) of x's elements along `axis`, in the order that `sort` gives. Nothing flows back.

    Raises AxisError for an axis that isn't there, DTypeError for what isn't integers or floating point.
    """
    return _sorted("argsort", x, axis, descending)[1]


def _sorted(who: str, x: TensorLike, axis: int, descending: bool) -> tuple[Tensor, Tensor]:
    x = asarray(x)
    place, last = normal_axis(axis, x.ndim, who), x.ndim - 1
    values, places = Sort(descending)(moved(x, place, last))
    return moved(values, last, place), moved(places, last, place)


def top_k(x: TensorLike, k: int, /, *, axis: int = -1, largest: bool = True) -> tuple[Tensor, Tensor]:
    """The k largest along `axis`, largest first, and their places (int64); or the k smallest, smallest first.

    At ties the lower place comes first. NaN counts as larger than everything. Integers or floating point, kept.
    Raises AxisError for an axis that isn't there, ShapeError for one of fewer than k elements, ArgumentError for a
    negative k, ArgumentTypeError for one that isn't an integer.
    """
    x = asarray(x)
    place, last = normal_axis(axis, x.ndim, "top_k"), x.ndim - 1
    values, places = TopK(integer("top_k", "k =", k), largest)(moved(x, place, last))
    return moved(values, last, place), moved(places, last, place)
