"""Values of tensors as NumPy and Python have them, and how tensors are shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tidegate.core.dtypes import COMPLEX, INTEGER, bfloat16
from tidegate.core.errors import ArgumentError, ArgumentTypeError, ShapeError, TidegateError
from tidegate.core.graph import Array, Tensor
from tidegate.functions.indexing import getitem
from tidegate.ops.creation import Data
from tidegate.runtime.evaluation import evaluate, is_small, value_of
from tidegate.runtime.leaks import note_leak, refuse_leak, watching

SMALL_NODES, SMALL_ELEMENTS = 256, 100_000
"""`repr` evaluates what is waiting only below both: it never starts a large computation."""


def numpy(x: Tensor) -> Array:
    """Its value, computed if need be: a read-only NumPy array.

    Raises NoValueError while the function that made it is being traced.
    """
    return left(x, "numpy")


def left(x: Tensor, who: str) -> Array:
    """Its value, which leaves the graph by `who`. Raises LeakError where none may."""
    if watching() is None:
        value = x.value
        return value_of(x, who) if value is None else value
    refuse_leak(x, who)
    value = _value(x, who)
    note_leak(x, who)
    return value


def _value(x: Tensor, who: str) -> Array:
    value = x.value
    return value_of(x, who) if value is None else value


def array(x: Tensor, dtype: Any = None, copy: bool | None = None) -> Array:
    """What NumPy makes of it: read-only unless copied.

    Raises ArgumentError for another dtype where `copy` is False.
    """
    value = left(x, "numpy.asarray")
    if dtype is not None and np.dtype(dtype) != value.dtype:
        if copy is False:
            raise ArgumentError(f"numpy.asarray: got {x.type}; {np.dtype(dtype).name} takes a copy, and copy is False")
        return value.astype(dtype)
    return value.copy() if copy else value


def item(x: Tensor) -> complex:
    """Its value as a Python number. Raises ArgumentError unless it has one element."""
    return _one(x, "item").item()


def _one(x: Tensor, who: str) -> Array:
    if x.size != 1:
        raise ArgumentError(f"{who}: got {x.type}; want a tensor of one element")
    return left(x, who)


def to_bool(x: Tensor) -> bool:
    """Its truth. Raises ArgumentError unless it has one element, NoValueError while a function is being traced."""
    return bool(_one(x, "bool").item())


def to_int(x: Tensor) -> int:
    """Its one element as an int, truncated."""
    if x.dtype in COMPLEX:
        raise ArgumentTypeError(f"int: got {x.type}; want a real tensor")
    return int(_one(x, "int").item())


def to_float(x: Tensor) -> float:
    """Its one element as a float."""
    if x.dtype in COMPLEX:
        raise ArgumentTypeError(f"float: got {x.type}; want a real tensor")
    return float(_one(x, "float").item())


def to_complex(x: Tensor) -> complex:
    """Its one element as a complex."""
    return complex(_one(x, "complex").item())


def to_index(x: Tensor) -> int:
    """Its one element as an index. Raises ArgumentTypeError unless it is an integer without axes."""
    if x.dtype not in INTEGER or x.shape:
        raise ArgumentTypeError(f"index: got {x.type}; want an integer without axes")
    return int(left(x, "index"))


def length(x: Tensor) -> int:
    """The size of its first axis. Raises ArgumentTypeError if it has no axes."""
    if not x.shape:
        raise ArgumentTypeError(f"len: got {x.type}; want at least one axis")
    if not isinstance(x.shape[0], int):
        raise ShapeError(f"len: got {x.type}; the first size isn't known yet")
    return x.shape[0]


def iterate(x: Tensor) -> Iterator[Tensor]:
    """Its parts along the first axis, as new tensors of the graph."""
    return iter([getitem(x, i) for i in range(length(x))])


def refuse_assignment(x: Tensor, key: Any, value: Any) -> None:
    """Raises ArgumentTypeError: tensors don't change."""
    raise ArgumentTypeError("x[...] = value: tensors don't change; make a new one, as x.at[...].set(value)")


def represent(x: Tensor) -> str:
    """Its type, and its value if that is known or cheap. Never raises, never starts a large computation."""
    try:
        if x.value is None and is_small(x, SMALL_NODES, SMALL_ELEMENTS):
            evaluate([x], "repr")
        if x.value is not None:
            return f"Tensor({_show(x.value)}, {x.type})"
        return f"Tensor({x.type}, {x.node.op.name}, not computed)"
    except TidegateError as error:
        return f"Tensor({x.type}, {x.node.op.name}, {type(error).__name__}: {error})"


def _show(value: Array) -> str:
    if value.dtype != bfloat16:
        return np.array2string(value, separator=", ", prefix="Tensor(", threshold=100)
    return np.array2string(value.astype(np.float32), separator=", ", prefix="Tensor(", threshold=100)


def text(x: Tensor) -> str:
    """Its value as NumPy prints it, computed if need be; its type while a function is being traced."""
    try:
        return str(_value(x, "str"))
    except TidegateError:
        return represent(x)


def formatted(x: Tensor, spec: str) -> str:
    """Its one element by a format such as `.4f`; without one, its text. Raises ArgumentError for more elements."""
    if not spec:
        return text(x)
    if x.size != 1:
        raise ArgumentError(f"format: got {x.type}; want a tensor of one element")
    return format(_value(x, "format").item(), spec)


def reduce(x: Tensor) -> tuple[Any, ...]:
    """For pickle and copy: the data only, without its history."""
    return rebuild, (np.array(left(x, "pickle")),)


def rebuild(value: Array) -> Tensor:
    """A tensor of data that pickle kept."""
    return Data(value)()


def deepcopy(x: Tensor, memo: Any) -> Tensor:
    """A tensor of the same data, without history."""
    return rebuild(np.array(left(x, "deepcopy")))
