"""Tensors from nothing but a shape and a dtype, and from ranges of numbers. `device` is None or "cpu"."""

from __future__ import annotations

from math import isfinite
from typing import Any

from tidegate.core.device import check_device
from tidegate.core.dtypes import (
    DEFAULT,
    DEFAULT_INT,
    INEXACT,
    as_dtype,
    complex128,
    float64,
    kind_of,
)
from tidegate.core.errors import ArgumentError, ArgumentTypeError, DTypeError, ShapeError
from tidegate.core.graph import Tensor, TensorLike, TensorType
from tidegate.core.shapes import Size, show_shape
from tidegate.functions.arguments import integer, several
from tidegate.functions.convert import asarray, broadcast_all, broadcast_to, inexact
from tidegate.functions.math import add, multiply
from tidegate.functions.numbers import is_number
from tidegate.ops import elementwise as ops
from tidegate.ops.broadcast import filled
from tidegate.ops.cast import cast
from tidegate.ops.creation import Iota, scalar


def as_shape(shape: Any, who: str) -> tuple[Any, ...]:
    """A shape from an integer or a sequence of them. Raises ShapeError for a negative or fractional size."""
    sizes = []
    for n in shape if several(shape) else (shape,):
        if not isinstance(n, Size):
            try:
                n = n.__index__() if not isinstance(n, bool) else -1
            except (AttributeError, TypeError):
                raise ShapeError(f"{who}: got size {n!r} in shape {shape!r}; want integers") from None
            if n < 0:
                raise ShapeError(f"{who}: got shape {shape!r}; want sizes of at least 0")
        sizes.append(n)
    return tuple(sizes)


def full(shape: Any, fill_value: TensorLike, *, dtype: Any = None, device: Any = None) -> Tensor:
    """`fill_value`, a number or a tensor without axes, everywhere. A gradient flows to a tensor.

    Its dtype is that of the value unless `dtype` says otherwise. Raises ShapeError for a value with axes or a negative
    size, ScalarRangeError for an integer that doesn't fit, ArgumentError for a device there is not.
    """
    return _full("full", shape, fill_value, dtype, device)


def _full(who: str, shape: Any, fill_value: TensorLike, dtype: Any, device: Any) -> Tensor:
    check_device(device, who)
    value = asarray(fill_value, dtype)
    if value.shape != ():
        raise ShapeError(f"{who}: got a value of shape [{show_shape(value.shape)}]; want one without axes")
    return broadcast_to(value, as_shape(shape, who))


def _same(who: str, value: int, shape: Any, dtype: Any, device: Any) -> Tensor:
    """One number everywhere."""
    check_device(device, who)
    return filled(value, TensorType(as_shape(shape, who), DEFAULT[float] if dtype is None else as_dtype(dtype)))


def zeros(shape: Any, *, dtype: Any = None, device: Any = None) -> Tensor:
    """Zeros; float32 unless `dtype` says otherwise.

    Raises ShapeError for a negative size, ArgumentError for a device there is not.
    """
    return _same("zeros", 0, shape, dtype, device)


def ones(shape: Any, *, dtype: Any = None, device: Any = None) -> Tensor:
    """Ones; float32 unless `dtype` says otherwise.

    Raises ShapeError for a negative size, ArgumentError for a device there is not.
    """
    return _same("ones", 1, shape, dtype, device)


def empty(shape: Any, *, dtype: Any = None, device: Any = None) -> Tensor:
    """Zeros: tensors don't change, so values that don't matter would be of no use. As `zeros`."""
    return _same("empty", 0, shape, dtype, device)


def zeros_like(x: TensorLike, /, *, dtype: Any = None, device: Any = None) -> Tensor:
    """Zeros of x's shape, and dtype unless another is given. Nothing flows back to x."""
    x = asarray(x)
    return _same("zeros_like", 0, x.shape, x.dtype if dtype is None else dtype, device)


def ones_like(x: TensorLike, /, *, dtype: Any = None, device: Any = None) -> Tensor:
    """Ones of x's shape, and dtype unless another is given. Nothing flows back to x."""
    x = asarray(x)
    return _same("ones_like", 1, x.shape, x.dtype if dtype is None else dtype, device)


def empty_like(x: TensorLike, /, *, dtype: Any = None, device: Any = None) -> Tensor:
    """Zeros, as `empty` gives, of x's shape, and dtype unless another is given. Nothing flows back to x."""
    x = asarray(x)
    return _same("empty_like", 0, x.shape, x.dtype if dtype is None else dtype, device)


def full_like(x: TensorLike, /, fill_value: TensorLike, *, dtype: Any = None, device: Any = None) -> Tensor:
    """`fill_value`, a number or a tensor without axes, in x's shape, and dtype unless another is given.

    A gradient flows to a tensor that fills, and none to x. Errors are those of `full`.
    """
    x = asarray(x)
    return _full("full_like", x.shape, fill_value, x.dtype if dtype is None else dtype, device)


def arange(
    start: float, /, stop: float | None = None, step: float = 1, *, dtype: Any = None, device: Any = None
) -> Tensor:
    """start, start + step, ... before stop; from 0 if only one number is given.

    int64 for integers, float32 otherwise, unless `dtype` says. Raises ArgumentError for a step of 0, an infinity or
    NaN, or a device there is not; ArgumentTypeError for what isn't an int or a float.
    """
    check_device(device, "arange")
    if stop is None:
        start, stop = 0, start
    for n in (start, stop, step):
        if not is_number(n) or isinstance(n, (bool, complex)):
            raise ArgumentTypeError(f"arange: got {n!r}; want Python ints or floats")
    if step == 0:
        raise ArgumentError("arange: got step 0; want another")
    if not all([isfinite(n) for n in (start, stop, step)]):
        raise ArgumentError(f"arange: got {start}, {stop}, {step}; want finite numbers")
    count = max(0, -int((start - stop) // step))
    whole = all(isinstance(n, int) for n in (start, stop, step))
    want = as_dtype(dtype) if dtype is not None else DEFAULT[int if whole else float]
    work = DEFAULT[int] if kind_of(want) in (int, bool) and whole else float64
    places = Iota((count,), 0, work)()
    return cast(add(multiply(places, scalar(step, work)), scalar(start, work)), want)


def linspace(
    start: TensorLike,
    stop: TensorLike,
    /,
    num: int,
    *,
    dtype: Any = None,
    device: Any = None,
    endpoint: bool = True,
) -> Tensor:
    """`num` numbers evenly spaced from `start` to `stop`, the last of which is exactly `stop`, or without it.

    start, stop: numbers, or tensors without axes, floating point or complex, to which gradients flow.
    Numbers are spaced in float64 or complex128 and give float32 or complex64 unless `dtype`, which isn't of integers,
    says otherwise. Raises ArgumentError for a negative num or a device there is not, ShapeError for tensors with axes,
    DTypeError for integers.
    """
    check_device(device, "linspace")
    count = integer("linspace", "num", num)
    if count < 0:
        raise ArgumentError(f"linspace: got num {count}; want at least 0")
    first, last, usual = _ends(start, stop)
    want = usual if dtype is None else as_dtype(dtype)
    if want not in INEXACT:
        raise DTypeError(f"linspace: got dtype {want.name}; want floating point or complex")
    if first.ndim or last.ndim:
        raise ShapeError(f"linspace: got {first.type} and {last.type}; want numbers, or tensors without axes")
    gaps = count - 1 if endpoint else count
    places = Iota((count,), 0, DEFAULT_INT)()
    step = ops.divide(ops.subtract(last, first), scalar(max(gaps, 1), first.dtype))
    steps, firsts, lasts = broadcast_all("linspace", step, first, last, places)[:3]
    out = ops.add(ops.multiply(cast(places, first.dtype), steps), firsts)
    if endpoint and count > 1:
        out = ops.select(ops.Equal()(places, filled(count - 1, places.type)), lasts, out)
    return cast(out, want)


def _ends(start: TensorLike, stop: TensorLike) -> tuple[Tensor, Tensor, Any]:
    """Both ends in the dtype to work in, and the dtype of the result."""
    if is_number(start) and is_number(stop):
        both_real = not isinstance(start, complex) and not isinstance(stop, complex)
        work = float64 if both_real else complex128
        return scalar(start, work), scalar(stop, work), DEFAULT[float] if both_real else DEFAULT[complex]
    first, last = inexact("linspace", start, stop)
    return first, last, first.dtype
