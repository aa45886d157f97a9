"""The one module that fills Tensor's empty slots: no upward import hides in a function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tidegate.core.graph import Tensor, install
from tidegate.functions import bitwise, indexing, linalg, math, rounding, shape, updates
from tidegate.functions.dtypes import astype
from tidegate.runtime import exchange, values
from tidegate.runtime.methods import METHODS
from tidegate.runtime.numpy_calls import function_method, ufunc_method

Binary = Callable[[Any, Any], Any]


def reflected(function: Binary) -> Binary:
    """`function` with its arguments exchanged, for `2 - x`."""

    def exchanged(x: Any, y: Any) -> Any:
        return function(y, x)

    return exchanged


def comparison(function: Binary) -> Binary:
    """`function`, but NotImplemented where the other side can't be a tensor: `x == None` is False then."""

    def compare(x: Any, y: Any) -> Tensor:
        return NotImplemented if y is None or isinstance(y, str) else function(x, y)

    return compare


def fill_slots(namespace: Mapping[str, Any]) -> None:
    """Give Tensor its operators, conversions and methods; `namespace` holds the package's public names."""
    binary = {
        "add": math.add,
        "sub": math.subtract,
        "mul": math.multiply,
        "truediv": math.divide,
        "pow": math.pow,
        "matmul": linalg.matmul,
        "floordiv": rounding.floor_divide,
        "mod": rounding.remainder,
        "divmod": rounding.divmod,
        "and": bitwise.bitwise_and,
        "or": bitwise.bitwise_or,
        "xor": bitwise.bitwise_xor,
        "lshift": bitwise.bitwise_left_shift,
        "rshift": bitwise.bitwise_right_shift,
    }
    install(
        {f"__{name}__": function for name, function in binary.items()}
        | {f"__r{name}__": reflected(function) for name, function in binary.items()}
        | METHODS
        | {
            "numpy": values.numpy,
            "item": values.item,
            "astype": astype,
            "to_device": exchange.to_device,
            "__array_namespace__": exchange.namespace_of(namespace["__name__"]),
            "__dlpack__": exchange.dlpack,
            "__dlpack_device__": exchange.dlpack_device,
            "T": property(shape.transpose),
            "mT": property(shape.matrix_transpose),
            "at": property(updates.At),
            "__array__": values.array,
            "__array_ufunc__": ufunc_method(namespace),
            "__array_function__": function_method(namespace),
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
            "__invert__": bitwise.bitwise_invert,
            "__lt__": math.less,
            "__le__": math.less_equal,
            "__gt__": math.greater,
            "__ge__": math.greater_equal,
            "__eq__": comparison(math.equal),
            "__ne__": comparison(math.not_equal),
        }
    )
