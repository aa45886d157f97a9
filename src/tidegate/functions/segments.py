"""Segments: the rows of a tensor reduced by which segment each belongs to."""

from __future__ import annotations

import numpy as np

from tidegate.core.dtypes import FLOATING, HALF, INEXACT, REAL, DType, float32, int64
from tidegate.core.errors import DTypeError, ShapeError
from tidegate.core.graph import Tensor, TensorLike, TensorType
from tidegate.core.shapes import element_count, show_shape
from tidegate.functions.convert import asarray
from tidegate.functions.places import as_indices, located, value_for_size, whole_number
from tidegate.ops.broadcast import filled, spread, zeros_like
from tidegate.ops.cast import cast
from tidegate.ops.elementwise import Equal, divide, select
from tidegate.ops.indexing import ScatterAdd
from tidegate.ops.layout import Reshape
from tidegate.ops.places import DROP, Locate
from tidegate.ops.scatter import ScatterMax, ScatterMin, ScatterMultiply
from tidegate.ops.window import Slice


class Segments:
    """Rows [m, q...], the place of the segment of each, and the type of the result with one more row, which takes the
    rows that belong nowhere."""

    def __init__(self, who: str, x: TensorLike, segment_ids: TensorLike, num_segments: int | None) -> None:
        x, ids = asarray(x), as_indices(who, segment_ids)
        lead = len(ids.shape)
        if lead == 0 or x.shape[:lead] != ids.shape:
            raise ShapeError(
                f"{who}: got {x.type} and segment_ids [{show_shape(ids.shape)}]; want one for each row: x's first axes"
            )
        if num_segments is None:
            known = value_for_size(who, ids, "give num_segments") if isinstance(ids, Tensor) else ids
            num_segments = max(int(known.max()) + 1, 0) if known.size else 0
        self.count = whole_number(who, "num_segments", num_segments)
        rows = element_count(ids.shape)
        places = located(who, [ids], Locate((self.count,), (0,), DROP, False))
        self.places = places if lead == 1 else Reshape((rows,))(places)
        self.rows = x if lead == 1 else Reshape((rows, *x.shape[lead:]))(x)
        self.longer = TensorType((self.count + 1, *x.shape[lead:]), x.dtype)

    def cut(self, out: Tensor) -> Tensor:
        """Less the row of what belongs nowhere."""
        return Slice((0,) * out.ndim, (self.count, *out.shape[1:]), (1,) * out.ndim)(out)

    def total(self, rows: Tensor) -> Tensor:
        """The sums of `rows`."""
        return self.cut(ScatterAdd((self.count + 1, *rows.shape[1:]), 0)(rows, self.places))


def segment_sum(x: TensorLike, segment_ids: TensorLike, /, *, num_segments: int | None = None) -> Tensor:
    """The sum of the rows of x in each segment; 0 for one without rows.

    Shapes: x[m..., q...], segment_ids[m...] -> [num_segments, q...]: an integer for each row, in any order, says its
    segment; a row whose integer is out of range, or negative, belongs to none.
    Dtypes: any numeric, kept.
    num_segments: by default one more than the largest integer, for which segment_ids must have a value.
    Raises ShapeError where shapes don't fit, DTypeError for other dtypes, ArgumentError for a negative number,
    NoValueError while a function is traced and no `num_segments` is given.
    """
    s = Segments("segment_sum", x, segment_ids, num_segments)
    return s.total(s.rows)


def segment_mean(x: TensorLike, segment_ids: TensorLike, /, *, num_segments: int | None = None) -> Tensor:
    """The mean of the rows of x in each segment, floating point or complex; 0 for one without rows: see
    `segment_sum`."""
    s = Segments("segment_mean", x, segment_ids, num_segments)
    if s.rows.dtype not in INEXACT:
        raise DTypeError(f"segment_mean: got {s.rows.type}; want floating point or complex")
    dtype = float32 if s.rows.dtype in HALF else s.rows.dtype
    total = s.total(cast(s.rows, dtype))
    number = s.total(filled(1, TensorType((s.rows.shape[0],), int64)))
    number = select(Equal()(number, zeros_like(number)), filled(1, number.type), number)
    wide = spread(cast(number, dtype), total.shape, tuple(range(1, total.ndim)))
    return cast(divide(total, wide), s.rows.dtype)


def segment_prod(x: TensorLike, segment_ids: TensorLike, /, *, num_segments: int | None = None) -> Tensor:
    """The product of the rows of x in each segment; 1 for one without rows: see `segment_sum`. Its derivative is right
    where there are zeros."""
    s = Segments("segment_prod", x, segment_ids, num_segments)
    return s.cut(ScatterMultiply(0)(filled(1, s.longer), s.rows, s.places))


def segment_max(x: TensorLike, segment_ids: TensorLike, /, *, num_segments: int | None = None) -> Tensor:
    """The largest of the rows of x in each segment, integers or floating point; -inf, or the least integer, for one
    without rows: see `segment_sum`. Ties share the derivative equally."""
    s = Segments("segment_max", x, segment_ids, num_segments)
    return s.cut(ScatterMax(0)(filled(limit(s.rows.dtype, largest=False), s.longer), s.rows, s.places))


def segment_min(x: TensorLike, segment_ids: TensorLike, /, *, num_segments: int | None = None) -> Tensor:
    """The least of the rows of x in each segment, integers or floating point; inf, or the largest integer, for one
    without rows: see `segment_sum`. Ties share the derivative equally."""
    s = Segments("segment_min", x, segment_ids, num_segments)
    return s.cut(ScatterMin(0)(filled(limit(s.rows.dtype, largest=True), s.longer), s.rows, s.places))


def limit(dtype: DType, *, largest: bool) -> float:
    """The largest, or least, value of a dtype: an infinity, if it has one. 0 for what isn't ordered."""
    if dtype in FLOATING:
        return float("inf") if largest else float("-inf")
    if dtype not in REAL:
        return 0  # the op refuses it
    return np.iinfo(dtype).max if largest else np.iinfo(dtype).min
