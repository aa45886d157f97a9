"""From what users pass to tensors of one dtype and shape."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from tidegate.core.dtypes import (
    COMPLEX,
    DEFAULT,
    INTEGER,
    WIDEST,
    DType,
    as_dtype,
    float32,
    float64,
    int64,
    kind_of,
    promote,
    promote_scalar,
    scalar_array,
)
from tidegate.core.errors import ArgumentTypeError, DTypeError, ScalarRangeError, ShapeError
from tidegate.core.graph import Tensor, TensorLike, TensorType
from tidegate.core.intern import RECENT
from tidegate.core.op import Op
from tidegate.core.shapes import Shape, broadcast_shape, show_shape
from tidegate.core.trace import active_trace
from tidegate.ops.broadcast import BroadcastTo, is_one
from tidegate.ops.cast import cast
from tidegate.ops.creation import Data, data, scalar
from tidegate.ops.layout import TakenAs

_NUMBERS = (bool, int, float, complex)


def is_number(x: Any) -> bool:
    """Whether x is a Python number, which takes the dtype of the tensors beside it. NumPy's have their own."""
    return isinstance(x, _NUMBERS) and not isinstance(x, np.generic)


def number_kind(x: Any) -> type:
    """bool, int, float or complex: the kind of a Python number, or of a weak tensor that stands for one."""
    return kind_of(x.dtype) if isinstance(x, Tensor) else next(t for t in _NUMBERS if isinstance(x, t))


def asarray(x: TensorLike, dtype: Any = None) -> Tensor:
    """A tensor of a copy of `x`, as it is now; a tensor of the dtype asked for stays itself.

    Takes a Python number, nested lists, a NumPy array or anything that NumPy makes one of, a tensor, or what says by
    a method `__tidegate_tensor__` which tensor it stands for, as a Variable does.
    Python floats become float32, ints int64, complex complex64; arrays keep their dtype.
    Raises ArgumentTypeError for what isn't numbers or isn't regular, or a list of tensors, DTypeError for an
    unsupported dtype, ScalarRangeError for an integer that doesn't fit.
    """
    want = None if dtype is None else as_dtype(dtype)
    if hasattr(type(x), "__tidegate_tensor__"):
        x = x.__tidegate_tensor__()
    if isinstance(x, Tensor):
        if want is None:
            return cast(x, DEFAULT[kind_of(x.dtype)]) if is_weak(x) else x
        return cast(x, want)
    if is_number(x):
        kind = next(t for t in _NUMBERS if isinstance(x, t))
        return Data(scalar_array(x, want or DEFAULT[kind]))()  # somebody's data, whatever its value
    if isinstance(x, (list, tuple)) and any(isinstance(v, Tensor) for v in _leaves(x)):
        raise ArgumentTypeError("asarray: got a list that holds tensors; as data they would lose their gradients")
    return data(x, want)


def _leaves(x: Any) -> list[Any]:
    return [leaf for v in x for leaf in _leaves(v)] if isinstance(x, (list, tuple)) else [x]


def together(who: str, *xs: TensorLike) -> tuple[Tensor, ...]:
    """`xs` as tensors of one dtype and one shape, for `who`.

    Raises DTypeError where dtypes don't mix, ShapeError where shapes don't broadcast.
    """
    if _alike(xs):
        return xs
    if len(xs) == 2:
        x, y = xs
        if y.__class__ in PLAIN and x.__class__ is Tensor and (x.type.dtype, y.__class__) in FITTING and not is_weak(x):
            return x, _repeated(y, x.type)
        if x.__class__ in PLAIN and y.__class__ is Tensor and (y.type.dtype, x.__class__) in FITTING and not is_weak(y):
            return _repeated(x, y.type), y
    return broadcast_all(who, *promoted(who, *xs))


PLAIN = frozenset([float, int])
FITTING = frozenset([(d, kind) for d in (float32, float64) for kind in PLAIN] + [(int64, int)])
"""A dtype, and a kind of number that becomes it, whatever its value: nothing else needs to be looked at."""


def _repeated(number: float, kind: TensorType) -> Tensor:
    """A Python number as a tensor of type `kind`."""
    x = scalar(number, kind.dtype)
    return _repeat_op(kind)(x) if kind.shape else x


@lru_cache(RECENT)
def _repeat_op(kind: TensorType) -> Op:
    return BroadcastTo(kind.shape, ())


def _alike(xs: tuple[TensorLike, ...]) -> bool:
    """Whether they are tensors of one type already, so that there is nothing to do: equal types are one object."""
    kind = None
    for x in xs:
        if x.__class__ is not Tensor or (kind is not None and x.type is not kind):
            return False
        kind = x.type
    return True


def promoted(who: str, *xs: TensorLike) -> tuple[Tensor, ...]:
    """`xs` as tensors of one dtype. Raises DTypeError where they don't mix."""
    first = xs[0]
    if first.__class__ is Tensor:
        dtype = first.type.dtype
        if all([x.__class__ is Tensor and x.type.dtype is dtype for x in xs[1:]]):
            return xs
    numbers = [is_number(x) or (isinstance(x, Tensor) and is_weak(x)) for x in xs]
    tensors: list[Any] = [x if n else _converted(who, x) for x, n in zip(xs, numbers, strict=True)]
    dtype = _common(who, [t.dtype for t, n in zip(tensors, numbers, strict=True) if not n], tensors, numbers)
    made = tuple([cast(t, dtype) if isinstance(t, Tensor) else scalar(t, dtype) for t in tensors])
    trace = active_trace()
    if trace is not None and all(numbers):
        trace.weak.update([t.node for t in made])
    return made


def is_weak(x: Tensor) -> bool:
    """Whether x stands for a Python number in a function that is being traced, and takes dtypes as that does."""
    return not x.type.shape and (trace := active_trace()) is not None and x.node in trace.weak


def _converted(who: str, x: TensorLike) -> Tensor:
    try:
        return asarray(x)
    except ArgumentTypeError as error:
        raise ArgumentTypeError(f"{who}: {error.message.removeprefix('asarray: ')}") from None


def _common(who: str, dtypes: list[DType], xs: list[Any], numbers: list[bool]) -> DType:
    kinds = [number_kind(x) for x, n in zip(xs, numbers, strict=True) if n]
    try:
        if not dtypes:
            kind = max(kinds, key=_NUMBERS.index)
            return WIDEST[kind] if any([isinstance(x, Tensor) for x in xs]) else DEFAULT[kind]
        dtype = dtypes[0]
        for other in dtypes[1:]:
            dtype = promote(dtype, other)
        for kind in kinds:
            dtype = promote_scalar(kind, dtype)
    except DTypeError as error:
        raise DTypeError(f"{who}: {error.message}") from None
    if dtype in INTEGER:
        for x, n in zip(xs, numbers, strict=True):
            if n and not isinstance(x, Tensor):
                try:
                    scalar_array(x, dtype)
                except ScalarRangeError as error:
                    raise ScalarRangeError(f"{who}: {error.message}") from None
    return dtype


def inexact(who: str, *xs: TensorLike) -> tuple[Tensor, ...]:
    """`xs` as tensors of one floating point or complex dtype and one shape; Python ints and floats become it.

    Raises DTypeError for tensors of integers or booleans.
    """
    if _alike(xs) and xs[0].type.differentiable:
        return xs
    if all([is_number(x) for x in xs]):
        xs = tuple([float(x) if isinstance(x, int) else x for x in xs])
    tensors = together(who, *xs)
    if not tensors[0].differentiable:
        raise DTypeError(f"{who}: got {tensors[0].type}; want floating point or complex, convert it with tg.astype")
    return tensors


def floating(who: str, x: TensorLike) -> Tensor:
    """`x` as a tensor of a floating point dtype. Raises DTypeError for any other."""
    (tensor,) = all_floating(who, x)
    return tensor


def all_floating(who: str, *xs: TensorLike) -> tuple[Tensor, ...]:
    """`xs` as tensors of one floating point dtype and one shape. Raises DTypeError for any other dtype."""
    tensors = inexact(who, *xs)
    if tensors[0].dtype in COMPLEX:
        raise DTypeError(f"{who}: got {tensors[0].type}; want floating point")
    return tensors


def broadcast_all(who: str, *xs: Tensor) -> tuple[Tensor, ...]:
    """`xs` with one shape, by NumPy's rule. Raises ShapeError where they don't broadcast."""
    shape = xs[0].type.shape
    if all([x.type.shape == shape for x in xs[1:]]):
        return xs
    shape = broadcast_shape([x.type.shape for x in xs], who)
    return tuple([x if x.type.shape == shape else broadcast_to(x, shape) for x in xs])


def broadcast_to(x: TensorLike, shape: Shape) -> Tensor:
    """`x` repeated to `shape` by NumPy's rule: sizes 1 grow, new axes come first.

    Raises ShapeError where it doesn't fit.
    """
    x = x if isinstance(x, Tensor) else asarray(x)
    for op in _broadcast_ops(x.type.shape, tuple(shape)):
        x = op(x)
    return x


@lru_cache(RECENT)
def _broadcast_ops(old: Shape, new: Shape) -> tuple[Op, ...]:
    if old == new:
        return ()
    lead = len(new) - len(old)
    if lead < 0 or any(
        isinstance(n, int) and isinstance(m, int) and n not in (1, m) for n, m in zip(old, new[lead:], strict=True)
    ):
        raise ShapeError(f"broadcast_to: [{show_shape(old)}] doesn't broadcast to [{show_shape(new)}]")
    taken = tuple([n if is_one(n) else m for n, m in zip(old, new[lead:], strict=True)])
    ops: list[Op] = [] if taken == old else [TakenAs(taken)]
    if taken != new:
        ops.append(BroadcastTo(new, tuple(range(lead, len(new)))))
    return tuple(ops)
