"""The one module that fills Tensor's empty slots: no upward import hides in a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tidegate.core.errors import ArgumentTypeError
from tidegate.core.graph import Tensor, install
from tidegate.functions import indexing, linalg, math, shape
from tidegate.runtime import values

Binary = Callable[[Any, Any], Tensor]


def reflected(function: Binary) -> Binary:
    """`function` with its arguments exchanged, for `2 - x`."""

    def exchanged(x: Any, y: Any) -> Tensor:
        return function(y, x)

    return exchanged


def comparison(function: Binary) -> Binary:
    """`function`, but NotImplemented where the other side can't be a tensor: `x == None` is False then."""

    def compare(x: Any, y: Any) -> Tensor:
        return NotImplemented if y is None or isinstance(y, str) else function(x, y)

    return compare


UFUNCS = {"power": math.pow, "absolute": math.abs, "true_divide": math.divide, "matmul": linalg.matmul} | {
    name: getattr(math, name)
    for name in [
        "add",
        "subtract",
        "multiply",
        "divide",
        "negative",
        "positive",
        "sign",
        "exp",
        "log",
        "sqrt",
        "square",
        "tanh",
        "sin",
        "cos",
        "maximum",
        "floor",
        "equal",
        "not_equal",
        "less",
        "less_equal",
        "greater",
        "greater_equal",
        "logical_and",
        "logical_or",
        "logical_xor",
        "logical_not",
    ]
}
"""Our functions for NumPy's, by the ufunc's name."""


def array_ufunc(x: Tensor, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Tensor:
    """NumPy's function of a tensor is ours of that name: `numpy.exp(x)`, `array * x`.

    Raises ArgumentTypeError where there is none, or for its methods and options (reduce, out, where).
    """
    name = ufunc.__name__
    if name not in UFUNCS or method != "__call__" or kwargs:
        asked = name if method == "__call__" else f"{name}.{method}"
        with_options = f" with {', '.join(kwargs)}" if kwargs and method == "__call__" else ""
        raise ArgumentTypeError(f"numpy.{asked}{with_options}: got a tensor; want a function of tidegate, as tg.sum")
    return UFUNCS[name](*inputs)


def reshape(x: Tensor, *sizes: Any) -> Tensor:
    """Its elements, in order, in another shape, given as one sequence or as sizes."""
    return shape.reshape(x, sizes[0] if len(sizes) == 1 else sizes)


def fill_slots() -> None:
    """Give Tensor its operators, conversions and methods."""
    binary = {
        "add": math.add,
        "sub": math.subtract,
        "mul": math.multiply,
        "truediv": math.divide,
        "pow": math.pow,
        "matmul": linalg.matmul,
        "and": math.logical_and,
        "or": math.logical_or,
        "xor": math.logical_xor,
    }
    install(
        {f"__{name}__": function for name, function in binary.items()}
        | {f"__r{name}__": reflected(function) for name, function in binary.items()}
        | {
            "numpy": values.numpy,
            "item": values.item,
            "astype": math.astype,
            "reshape": reshape,
            "T": property(shape.transpose),
            "mT": property(shape.matrix_transpose),
            "__array__": values.array,
            "__array_ufunc__": array_ufunc,
            "__bool__": values.to_bool,
            "__int__": values.to_int,
            "__float__": values.to_float,
            "__complex__": values.to_complex,
            "__index__": values.to_index,
            "__len__": values.length,
            "__iter__": values.iterate,
            "__getitem__": indexing.getitem,
            "__setitem__": values.refuse_assignment,
            "__repr__": values.represent,
            "__str__": values.text,
            "__format__": values.formatted,
            "__reduce__": values.reduce,
            "__deepcopy__": values.deepcopy,
            "__pos__": math.positive,
            "__neg__": math.negative,
            "__abs__": math.abs,
            "__invert__": math.logical_not,
            "__lt__": math.less,
            "__le__": math.less_equal,
            "__gt__": math.greater,
            "__ge__": math.greater_equal,
            "__eq__": comparison(math.equal),
            "__ne__": comparison(math.not_equal),
        }
    )
