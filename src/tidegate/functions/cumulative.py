"""Functions of what an axis comes to so far, and of its differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tidegate.core.errors import ArgumentError
from tidegate.core.graph import Tensor, TensorLike, TensorType
from tidegate.core.shapes import Size, normal_axis
from tidegate.functions.arguments import integer
from tidegate.functions.convert import asarray, beside, broadcast_to, floating
from tidegate.functions.join import concat
from tidegate.functions.reduce import accumulated
from tidegate.ops.broadcast import filled
from tidegate.ops.concatenate import Concatenate
from tidegate.ops.cumulative import Cumsum, CumulativeLogSumExp, RunningExtreme
from tidegate.ops.elementwise import subtract
from tidegate.ops.layout import moved
from tidegate.ops.recurrence import Cumprod
from tidegate.ops.window import part


def _one_axis(who: str, x: Tensor, axis: int | None) -> int:
    """`axis`, which a tensor of one axis needn't name."""
    if axis is not None:
        return normal_axis(axis, x.ndim, who)
    if x.ndim != 1:
        raise ArgumentError(f"{who}: got {x.type} and no axis; want one named")
    return 0


def _with_initial(x: Tensor, axis: int, value: int, include_initial: bool) -> Tensor:
    if not include_initial:
        return x
    first = filled(value, TensorType((*x.shape[:axis], 1, *x.shape[axis + 1 :]), x.dtype))
    return Concatenate(axis, 2)(first, x)


def cumulative_sum(
    x: TensorLike, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> Tensor:
    """The sum of the elements so far along `axis`, which a vector needn't name; `include_initial` puts 0 first.

    Dtypes are those of `sum`. Raises ArgumentError where the axis must be named, AxisError for one that isn't there.
    """
    x = accumulated("cumulative_sum", x, dtype)
    place = _one_axis("cumulative_sum", x, axis)
    return _with_initial(Cumsum(place)(x), place, 0, include_initial)


def cumulative_prod(
    x: TensorLike, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> Tensor:
    """The product of the elements so far along `axis`, which a vector needn't name; `include_initial` puts 1 first.

    Its derivative is right where x holds zeros. Dtypes are those of `prod`. Raises ArgumentError where the axis must
    be named, AxisError for one that isn't there.
    """
    x = accumulated("cumulative_prod", x, dtype)
    place = _one_axis("cumulative_prod", x, axis)
    return _with_initial(Cumprod(place)(x), place, 1, include_initial)


def cumulative_max(x: TensorLike, /, *, axis: int | None = None) -> Tensor:
    """The largest element so far along `axis`, which a vector needn't name; integers or floating point, kept.

    The first of equal elements stays, and the derivative goes to the element that stands. A NaN, once there, stays.
    Raises ArgumentError where the axis must be named, AxisError for one that isn't there.
    """
    return _running("cumulative_max", RunningExtreme(True), x, axis)


def cumulative_min(x: TensorLike, /, *, axis: int | None = None) -> Tensor:
    """The smallest element so far along `axis`, which a vector needn't name; integers or floating point, kept.

    The first of equal elements stays, and the derivative goes to the element that stands. A NaN, once there, stays.
    Raises ArgumentError where the axis must be named, AxisError for one that isn't there.
    """
    return _running("cumulative_min", RunningExtreme(False), x, axis)


def _running(who: str, op: Callable[[Tensor], Any], x: TensorLike, axis: int | None) -> Tensor:
    x = asarray(x)
    place = _one_axis(who, x, axis)
    values, _ = op(moved(x, place, x.ndim - 1))
    return moved(values, x.ndim - 1, place)


def cumulative_logsumexp(x: TensorLike, /, *, axis: int | None = None) -> Tensor:
    """log of the sum of exp of the elements so far along `axis`, which a vector needn't name; floating point.

    It overflows nowhere. While there are only -inf it is -inf, and so far the derivative is 0.
    Raises ArgumentError where the axis must be named, AxisError for one that isn't there, DTypeError for other dtypes.
    """
    x = floating("cumulative_logsumexp", x)
    return CumulativeLogSumExp(_one_axis("cumulative_logsumexp", x, axis))(x)


def diff(
    x: TensorLike,
    /,
    *,
    axis: int = -1,
    n: int = 1,
    prepend: TensorLike | None = None,
    append: TensorLike | None = None,
) -> Tensor:
    """The differences of neighbours along `axis`, `n` times over; numbers of any kind, integers wrap.

    prepend, append: what is put before and behind x first: of x's shape but along `axis`, or without axes for one
        element everywhere.
    Each time the axis gets one shorter, down to 0. Raises AxisError for an axis that isn't there, ArgumentError for a
    negative n, ShapeError or DTypeError for what can't be put beside x.
    """
    x = asarray(x)
    place = normal_axis(axis, x.ndim, "diff")
    times = integer("diff", "n =", n)
    if times < 0:
        raise ArgumentError(f"diff: got n = {n}; want at least 0")
    edges = [None if edge is None else _edge(x, place, edge) for edge in (prepend, append)]
    parts = [edges[0], x, edges[1]]
    if times and (edges[0] is not None or edges[1] is not None):
        x = concat([p for p in parts if p is not None], axis=place)
    for _ in range(times):
        size = x.shape[place]
        if not isinstance(size, Size) and size == 0:
            break
        x = subtract(part(x, place, 1, size), part(x, place, 0, size - 1))
    return x


def _edge(x: Tensor, axis: int, value: TensorLike) -> Tensor:
    """What is put before or behind x along `axis`."""
    edge = beside(x, value)
    if edge.ndim:
        return edge
    shape = (*x.shape[:axis], 1, *x.shape[axis + 1 :])
    return broadcast_to(edge, shape)
