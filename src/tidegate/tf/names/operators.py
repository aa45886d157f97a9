"""Operators of tensors and variables, put in their place when tidegate.tf is imported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tidegate.core.errors import TidegateError
from tidegate.tf.convert import convert
from tidegate.tf.names import arrays, linalg, math
from tidegate.tf.names.make import Binary
from tidegate.tf.tensor import SELECT, Tensor
from tidegate.tf.variable import Variable

_BINARY: dict[str, Binary] = {
    "add": math.add,
    "sub": math.subtract,
    "mul": math.multiply,
    "truediv": math.divide,
    "floordiv": math.floordiv,
    "mod": math.floormod,
    "pow": math.pow,
    "matmul": linalg.matmul,
    "and": math.logical_and,
    "or": math.logical_or,
    "xor": math.logical_xor,
}
_COMPARISONS: dict[str, Binary] = {
    "lt": math.less,
    "le": math.less_equal,
    "gt": math.greater,
    "ge": math.greater_equal,
}
_UNARY: dict[str, Callable[..., Tensor]] = {"neg": math.negative, "abs": math.abs, "invert": math.logical_not}


def _reflected(function: Binary) -> Binary:
    def exchanged(x: Any, y: Any) -> Tensor:
        return function(y, x)

    return exchanged


def _only(function: Callable[..., Tensor], count: int) -> Callable[..., Tensor]:
    """`function` as an operator, which takes no name."""
    if count == 1:
        return lambda x: function(x)
    return lambda x, y: function(x, y)


def _equality(function: Binary, *, unlike: bool) -> Binary:
    """== and !=: of what can't be a tensor, whether it is the same object."""

    def compare(x: Any, y: Any) -> Any:
        if y is None or isinstance(y, (str, dict)):
            return unlike
        try:
            convert(y, None if hasattr(type(y), "dtype") else x.dtype)
        except TidegateError:
            return unlike
        return function(x, y)

    return compare


def install() -> None:
    """Give tensors and variables their operators."""
    SELECT[:] = [arrays.part]
    for owner in (Tensor, Variable):
        for name, function in _BINARY.items():
            setattr(owner, f"__{name}__", _only(function, 2))
            setattr(owner, f"__r{name}__", _reflected(function))
        for name, function in _COMPARISONS.items():
            setattr(owner, f"__{name}__", _only(function, 2))
        for name, function in _UNARY.items():
            setattr(owner, f"__{name}__", _only(function, 1))
        setattr(owner, "__eq__", _equality(math.equal, unlike=False))  # noqa: B010  a class's own method
        setattr(owner, "__ne__", _equality(math.not_equal, unlike=True))  # noqa: B010
        setattr(owner, "__hash__", object.__hash__)  # noqa: B010
