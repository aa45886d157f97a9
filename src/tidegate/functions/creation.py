"""Tensors from nothing but a shape and a dtype."""

from __future__ import annotations

from math import isfinite
from typing import Any

import numpy as np

from tidegate.core.dtypes import DEFAULT, DEFAULT_FLOAT, as_dtype, float64, kind_of
from tidegate.core.errors import ArgumentError, ArgumentTypeError, ShapeError
from tidegate.core.graph import Tensor, TensorLike, TensorType
from tidegate.core.shapes import Size, show_shape
from tidegate.functions.convert import asarray, broadcast_to, is_number
from tidegate.functions.math import add, multiply
from tidegate.ops.broadcast import filled
from tidegate.ops.cast import cast
from tidegate.ops.creation import Iota, scalar


def as_shape(shape: Any, who: str) -> tuple[Any, ...]:
    """A shape from an integer or a sequence of them. Raises ShapeError for a negative or fractional size."""
    several = shape if isinstance(shape, (tuple, list, np.ndarray)) else (shape,)
    sizes = []
    for n in several:
        if not isinstance(n, Size):
            try:
                n = n.__index__() if not isinstance(n, bool) else -1
            except (AttributeError, TypeError):
                raise ShapeError(f"{who}: got size {n!r} in shape {shape!r}; want integers") from None
            if n < 0:
                raise ShapeError(f"{who}: got shape {shape!r}; want sizes of at least 0")
        sizes.append(n)
    return tuple(sizes)


def full(shape: Any, fill_value: TensorLike, *, dtype: Any = None) -> Tensor:
    """`fill_value`, a number or a tensor without axes, everywhere. A gradient flows to a tensor."""
    value = asarray(fill_value, dtype)
    if value.shape != ():
        raise ShapeError(f"full: got a value of shape [{show_shape(value.shape)}]; want one without axes")
    return broadcast_to(value, as_shape(shape, "full"))


def zeros(shape: Any, *, dtype: Any = DEFAULT_FLOAT) -> Tensor:
    """Zeros; float32 unless `dtype` says otherwise."""
    return filled(0, TensorType(as_shape(shape, "zeros"), as_dtype(dtype)))


def ones(shape: Any, *, dtype: Any = DEFAULT_FLOAT) -> Tensor:
    """Ones; float32 unless `dtype` says otherwise."""
    return filled(1, TensorType(as_shape(shape, "ones"), as_dtype(dtype)))


def zeros_like(x: TensorLike, /, *, dtype: Any = None) -> Tensor:
    """Zeros of x's shape and dtype. Nothing flows back to x."""
    x = asarray(x)
    return zeros(x.shape, dtype=x.dtype if dtype is None else dtype)


def ones_like(x: TensorLike, /, *, dtype: Any = None) -> Tensor:
    """Ones of x's shape and dtype. Nothing flows back to x."""
    x = asarray(x)
    return ones(x.shape, dtype=x.dtype if dtype is None else dtype)


def arange(start: float, /, stop: float | None = None, step: float = 1, *, dtype: Any = None) -> Tensor:
    """start, start + step, ... before stop; from 0 if only one number is given.

    int64 for integers, float32 otherwise, unless `dtype` says. Raises ArgumentError for a step of 0, an infinity or
    NaN.
    """
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
