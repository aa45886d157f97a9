"""Which elements are among others."""

from __future__ import annotations

from tidegate.core.dtypes import REAL
from tidegate.core.graph import Tensor, TensorLike
from tidegate.core.shapes import element_count
from tidegate.functions.convert import broadcast_all, promoted
from tidegate.functions.math import equal, less, logical_and, logical_not
from tidegate.functions.reduce import any as any_true
from tidegate.functions.shape import expand_dims
from tidegate.functions.sorting import sort
from tidegate.ops.layout import Reshape
from tidegate.ops.search import SearchSorted


def isin(x1: TensorLike, x2: TensorLike, /, *, invert: bool = False) -> Tensor:
    """Whether each element of x1 is among those of x2, or with `invert` isn't; a bool of x1's shape.

    Dtypes: any that mix; Python numbers take the other's. -0.0 is 0.0, and NaN is nothing, not even NaN. Real numbers
    are looked up in x2, sorted; booleans and complex ones are compared with each of x2. Nothing flows back.
    Raises DTypeError for dtypes that don't mix.
    """
    x, y = promoted("isin", x1, x2)
    others = Reshape((element_count(y.shape),))(y)
    if x.dtype in REAL:
        ordered = sort(others)
        found = less(SearchSorted(False)(ordered, x), SearchSorted(True)(ordered, x))
        found = logical_and(found, equal(x, x))  # the search finds NaN
    else:
        found = any_true(equal(*broadcast_all("isin", expand_dims(x, axis=-1), others)), axis=-1)
    return logical_not(found) if invert else found
