"""Python numbers, and the tensors that stand for them in a function that is being traced.

A number takes the dtype of the tensors beside it. One that is traced, an argument of `jit`, has a value only when the
function runs, so a tensor of the widest dtype of its kind stands for it: a *weak* one. What Python's own arithmetic
makes of numbers alone is a number again, and weak; what any other function makes of them is what it makes of numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tidegate.core.dtypes import DEFAULT, DEFAULT_INT, INTEGER, UNSIGNED, DType, float64, kind_of
from tidegate.core.graph import Tensor
from tidegate.core.shapes import Size
from tidegate.core.trace import active_trace
from tidegate.ops.cast import cast
from tidegate.ops.creation import scalar
from tidegate.ops.elementwise import GreaterEqual, LessEqual, LogicalAnd, identity
from tidegate.ops.gates import Ensure
from tidegate.ops.layout import SizeValue

KINDS = (bool, int, float, complex)

_ON_TWO = ["add", "subtract", "multiply", "divide", "floor_divide", "remainder", "divmod", "pow"]
_ON_BITS = ["bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_left_shift", "bitwise_right_shift"]
_COMPARISONS = ["equal", "not_equal", "less", "less_equal", "greater", "greater_equal"]
ARITHMETIC = frozenset([*_ON_TWO, *_ON_BITS, *_COMPARISONS])
"""The operators on two tensors, which for numbers alone are Python's own."""


def is_number(x: Any) -> bool:
    """Whether x is a Python number, which takes the dtype of the tensors beside it. NumPy's have their own."""
    return isinstance(x, KINDS) and not isinstance(x, np.generic)


def is_weak(x: Tensor) -> bool:
    """Whether x stands for a Python number in a function that is being traced, and takes dtypes as that does."""
    return not x.type.shape and (trace := active_trace()) is not None and x.node in trace.weak


def stands_for_number(x: Any) -> bool:
    """Whether x is a Python number or stands for one: a weak tensor, or a size that isn't known yet."""
    return is_weak(x) if isinstance(x, Tensor) else is_number(x) or isinstance(x, Size)


def all_weak(xs: Sequence[Tensor]) -> bool:
    """Whether every one of these tensors stands for a number."""
    return not xs[0].type.shape and active_trace() is not None and all([is_weak(x) for x in xs])


def number_kind(x: Any) -> type:
    """bool, int, float or complex: the kind of a Python number, or of what stands for one."""
    if isinstance(x, Size):
        return int
    return kind_of(x.dtype) if isinstance(x, Tensor) else next(t for t in KINDS if isinstance(x, t))


def kept_weak(*xs: Tensor) -> tuple[Tensor, ...]:
    """`xs`, which stand for numbers."""
    trace = active_trace()
    if trace is not None:
        trace.weak.update([x.node for x in xs])
    return xs


def as_float(x: Any) -> Any:
    """An integer, or what stands for one, as a float, or what stands for that; any other number itself."""
    if isinstance(x, Tensor):
        return kept_weak(cast(x, float64))[0] if x.dtype in INTEGER else x
    if isinstance(x, Size):
        return SizeValue(x, DEFAULT[float])()
    return float(x) if isinstance(x, int) else x


def number(x: Any, dtype: DType) -> Tensor:
    """A Python number, or a size, as a tensor without axes."""
    return SizeValue(x, dtype)() if isinstance(x, Size) else scalar(x, dtype)


def settled(who: str, x: Tensor, dtype: DType | None = None) -> Tensor:
    """What a function makes of a weak tensor alone: a tensor of `dtype`, or of the default one of its kind."""
    out = converted(who, x, DEFAULT[kind_of(x.dtype)] if dtype is None else dtype)
    out = identity(out) if out is x else out
    trace = active_trace()
    if trace is not None:
        trace.weak.discard(out.node)
    return out


def converted(who: str, x: Tensor, dtype: DType) -> Tensor:
    """A weak tensor in `dtype`. Evaluating it raises InvalidValueError for an integer that doesn't fit."""
    if x.dtype not in INTEGER or dtype not in INTEGER or dtype == DEFAULT_INT:
        return cast(x, dtype)
    limits = np.iinfo(dtype)
    fits = GreaterEqual()(x, scalar(limits.min, x.dtype))
    if dtype not in UNSIGNED or limits.bits < np.iinfo(DEFAULT_INT).bits:
        fits = LogicalAnd()(fits, LessEqual()(x, scalar(limits.max, x.dtype)))
    message = f"{who}: a number is out of range for {dtype.name}: {limits.min} to {limits.max}"
    return cast(Ensure(message)(x, fits), dtype)
