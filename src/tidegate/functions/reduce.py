"""Reductions: `axis` is None for all axes, an integer, or several; `keepdims` leaves them with size 1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tidegate.core.dtypes import (
    BOOL,
    COMPLEX,
    DEFAULT_INT,
    HALF,
    SIGNED,
    UNSIGNED,
    DType,
    as_dtype,
    bool_,
    float32,
    uint64,
)
from tidegate.core.errors import ArgumentTypeError, DTypeError, ShapeError
from tidegate.core.graph import Tensor, TensorLike, TensorType
from tidegate.core.op import Op
from tidegate.core.shapes import element_count, is_known, normal_axes, normal_axis
from tidegate.functions.convert import asarray, floating, inexact
from tidegate.ops.broadcast import Sum, filled, spread, without, zeros_like
from tidegate.ops.cast import cast
from tidegate.ops.creation import scalar
from tidegate.ops.elementwise import (
    Equal,
    Imag,
    Maximum,
    Real,
    Sqrt,
    add,
    divide,
    exp,
    log,
    multiply,
    select,
    subtract,
)
from tidegate.ops.gates import StopGradient
from tidegate.ops.layout import Reshape, SizeValue
from tidegate.ops.reduction import AllTrue, AnyTrue, ArgMax, ArgMin, Max, Min, Prod, lacks_elements

Axis = Any
"""None for all axes, an integer, or several."""


def _kept(x: Tensor, out: Tensor, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    return Reshape(tuple([1 if i in axes else n for i, n in enumerate(x.shape)]))(out) if keepdims and axes else out


def accumulated(who: str, x: TensorLike, dtype: Any) -> Tensor:
    """x in the dtype that sums and products are made in.

    `dtype` if given; else booleans and small signed integers become int64, small unsigned ones uint64, and every
    other dtype stays (the array API standard's rule; it leaves booleans out). Raises DTypeError for bool asked for.
    """
    x = asarray(x)
    if dtype is not None:
        want: DType = as_dtype(dtype)
        if want in BOOL:
            raise DTypeError(f"{who}: got dtype bool; want numbers")
        return cast(x, want)
    if x.dtype in BOOL or x.dtype in SIGNED:
        return cast(x, DEFAULT_INT)
    return cast(x, uint64) if x.dtype in UNSIGNED else x


def sum(x: TensorLike, /, *, axis: Axis = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """The sum over `axis`; 0 of no elements.

    Numbers of any kind; `dtype` is what they are converted to before. Without it small integers are summed in int64
    or uint64, as the array API standard has it, booleans too. float16 and bfloat16 are summed in float32 and rounded
    once. Raises AxisError for an axis that isn't there, DTypeError for bool as the dtype.
    """
    x = accumulated("sum", x, dtype)
    axes = normal_axes(axis, x.ndim, "sum")
    return _kept(x, Sum(axes)(x), axes, keepdims)


def prod(x: TensorLike, /, *, axis: Axis = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """The product over `axis`; 1 of no elements. Dtypes and errors are those of `sum`.

    The derivative is right where x holds zeros, one or more, and to every order.
    """
    x = accumulated("prod", x, dtype)
    axes = normal_axes(axis, x.ndim, "prod")
    return _kept(x, Prod(axes)(x), axes, keepdims)


def count_nonzero(x: TensorLike, /, *, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """How many elements (int64) over `axis` aren't 0; of any dtype. NaN isn't 0. Nothing flows back."""
    x = asarray(x)
    return sum(cast(x, bool_), axis=axis, keepdims=keepdims)


def mean(x: TensorLike, /, *, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """The arithmetic mean over `axis`, floating point or complex; NaN of no elements.

    float16 and bfloat16 are summed and divided in float32, so that no sum overflows.
    Raises AxisError for an axis that isn't there, DTypeError for integers and booleans.
    """
    (x,) = inexact("mean", x)
    axes = normal_axes(axis, x.ndim, "mean")
    wide = in_float32(x)
    return cast(_kept(x, _divided(Sum(axes)(wide), _count(wide, axes)), axes, keepdims), x.dtype)


def in_float32(x: Tensor) -> Tensor:
    """Halves as float32; all else as it is."""
    return cast(x, float32) if x.dtype in HALF else x


def _count(x: Tensor, axes: tuple[int, ...]) -> Tensor:
    """How many elements there are along `axes`, as a number of x's dtype."""
    count = element_count(tuple([x.shape[a] for a in axes]))
    return scalar(count, x.dtype) if is_known((count,)) else SizeValue(count, x.dtype)()


def _divided(x: Tensor, number: Tensor) -> Tensor:
    every = tuple(range(x.ndim))
    return divide(x, spread(number, x.shape, every) if every else number)


def var(x: TensorLike, /, *, axis: Axis = None, correction: float = 0.0, keepdims: bool = False) -> Tensor:
    """The variance over `axis`: the sum of squared distances from the mean, divided by n - `correction`, or by 0 if
    that is less.

    Floating point; complex with the squares of absolute values, which gives its real dtype. Of no elements it is NaN.
    Raises AxisError for an axis that isn't there, DTypeError for integers and booleans, ArgumentTypeError for a
    correction that isn't a number.
    """
    return _variance("var", x, axis, correction, keepdims, lambda out: out)


def std(x: TensorLike, /, *, axis: Axis = None, correction: float = 0.0, keepdims: bool = False) -> Tensor:
    """The standard deviation over `axis`: the square root of `var`, with its arguments, dtypes and errors.

    Where all elements are equal it is 0, and its derivative NaN.
    """
    return _variance("std", x, axis, correction, keepdims, Sqrt())


def _variance(
    who: str, x: TensorLike, axis: Axis, correction: float, keepdims: bool, last: Callable[[Tensor], Tensor]
) -> Tensor:
    """`last` of the variance: what must be done before float16 is rounded."""
    if isinstance(correction, bool) or not isinstance(correction, (int, float)):
        raise ArgumentTypeError(f"{who}: got correction {correction!r}; want a Python int or float")
    (x,) = inexact(who, x)
    axes = normal_axes(axis, x.ndim, who)
    wide = in_float32(x)
    count = _count(wide, axes)
    centre = _divided(Sum(axes)(wide), count)
    apart = subtract(wide, spread(centre, x.shape, axes))
    total = Sum(axes)(_squared(apart))
    freedom = subtract(count if count.dtype == total.dtype else Real()(count), scalar(correction, total.dtype))
    out = last(_divided(total, Maximum()(freedom, filled(0, freedom.type))))
    return _kept(x, cast(out, x.dtype) if x.dtype in HALF else out, axes, keepdims)


def _squared(x: Tensor) -> Tensor:
    """The square of the absolute value."""
    if x.dtype not in COMPLEX:
        return multiply(x, x)
    real, imag = Real()(x), Imag()(x)
    return add(multiply(real, real), multiply(imag, imag))


def max(x: TensorLike, /, *, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """The largest element over `axis`, integers or floating point; NaN if one is. Ties share the derivative equally.

    Raises AxisError for an axis that isn't there, ShapeError for one without elements, DTypeError for other dtypes.
    """
    return _extreme("max", Max, x, axis, keepdims)


def min(x: TensorLike, /, *, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """The smallest element over `axis`, integers or floating point; NaN if one is. Ties share the derivative equally.

    Raises AxisError for an axis that isn't there, ShapeError for one without elements, DTypeError for other dtypes.
    """
    return _extreme("min", Min, x, axis, keepdims)


def _extreme(who: str, op: Callable[[tuple[int, ...]], Op], x: TensorLike, axis: Axis, keepdims: bool) -> Tensor:
    x = asarray(x)
    axes = normal_axes(axis, x.ndim, who)
    _refuse_empty(who, x, axes)
    return _kept(x, op(axes)(x), axes, keepdims)


def _refuse_empty(who: str, x: Tensor, axes: tuple[int, ...]) -> None:
    if lacks_elements(x.shape, axes):
        raise ShapeError(f"{who}: got {x.type}, which has no elements along axes {axes}; want at least one")


def any(x: TensorLike, /, *, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Whether an element over `axis` is true, or not 0; of any dtype. False of no elements. Nothing flows back."""
    return _quantified("any", AnyTrue, x, axis, keepdims)


def all(x: TensorLike, /, *, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Whether every element over `axis` is true, or not 0; of any dtype. True of no elements. Nothing flows back."""
    return _quantified("all", AllTrue, x, axis, keepdims)


def _quantified(who: str, op: Callable[[tuple[int, ...]], Op], x: TensorLike, axis: Axis, keepdims: bool) -> Tensor:
    x = asarray(x)
    axes = normal_axes(axis, x.ndim, who)
    return _kept(x, op(axes)(cast(x, bool_)), axes, keepdims)


def argmax(x: TensorLike, /, *, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """The place (int64) of the largest element along `axis`, or of all in row-major order; the first at ties.

    A NaN counts as the largest. Nothing flows back. Raises ShapeError for no elements.
    """
    return _place("argmax", ArgMax, x, axis, keepdims)


def argmin(x: TensorLike, /, *, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """The place (int64) of the smallest element along `axis`, or of all in row-major order; the first at ties.

    A NaN counts as the smallest. Nothing flows back. Raises ShapeError for no elements.
    """
    return _place("argmin", ArgMin, x, axis, keepdims)


def _place(who: str, op: Callable[[int], Op], x: TensorLike, axis: int | None, keepdims: bool) -> Tensor:
    x = asarray(x)
    if axis is None:
        _refuse_empty(who, x, tuple(range(x.ndim)))
        out = op(0)(Reshape((element_count(x.shape),))(x))
        return Reshape((1,) * x.ndim)(out) if keepdims and x.ndim else out
    place = normal_axis(axis, x.ndim, who)
    _refuse_empty(who, x, (place,))
    return _kept(x, op(place)(x), (place,), keepdims)


def logsumexp(x: TensorLike, /, *, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """log(sum(exp(x))) over `axis`, floating point: finite for large x; -inf entries count nothing, and of no elements
    it is -inf. float16 and bfloat16 are computed in float32 and rounded once.

    The maximum that it subtracts is a constant to derivatives: a stop of its own, kept apart in flow reports.
    """
    given = floating("logsumexp", x)
    axes = normal_axes(axis, given.ndim, "logsumexp")
    wide = in_float32(given)  # a float16 can't count to 70,000
    shift = finite_max(wide, axes)
    total = Sum(axes)(exp(subtract(wide, spread(shift, wide.shape, axes))))
    return _kept(given, cast(add(log(total), shift), given.dtype), axes, keepdims)


def finite_max(x: Tensor, axes: tuple[int, ...]) -> Tensor:
    """The maximum over `axes`, 0 where that is infinite or there is none, as a constant to derivatives: the shift of
    a softmax."""
    if lacks_elements(x.shape, axes):
        return filled(0, TensorType(without(x.shape, axes), x.dtype))
    shift = StopGradient(internal=True)(Max(axes)(x))
    finite = Equal()(subtract(shift, shift), zeros_like(shift))
    return select(finite, shift, zeros_like(shift))
