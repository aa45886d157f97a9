"""NumPy's functions of a tensor: ours, or an error that names ours. None turns a tensor into an array on the quiet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any

import numpy as np

from tidegate.core.errors import ArgumentTypeError, ShapeError
from tidegate.core.graph import Tensor
from tidegate.core.shapes import is_known
from tidegate.runtime.values import left

Namespace = Mapping[str, Any]
"""Our public names."""

UFUNCS = {
    "absolute": "abs",
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctan2": "atan2",
    "arctanh": "atanh",
    "conjugate": "conj",
    "degrees": "rad2deg",
    "invert": "bitwise_invert",
    "left_shift": "bitwise_left_shift",
    "power": "pow",
    "radians": "deg2rad",
    "right_shift": "bitwise_right_shift",
    "rint": "round",
}
"""Our names of NumPy's ufuncs, where they differ."""

INSTEAD = {
    "fabs": "tg.abs",
    "float_power": "tg.pow",
    "matvec": "tg.matmul",
    "ldexp": "x * 2.0 ** n",
    "modf": "tg.trunc and x - tg.trunc(x)",
    "vecmat": "tg.matmul",
    "outer": "tg.multiply of x[:, None] and y",
    "unique": "tg.unique_values, tg.unique_counts, tg.unique_inverse or tg.unique_all",
    "vstack": "tg.concat or tg.stack",
    "hstack": "tg.concat or tg.stack",
    "append": "tg.concat",
    "diagonal": "tg.diagonal, of the last two axes",
    "trace": "tg.trace, of the last two axes",
    "put": "x.at[...].set, for tensors don't change",
}
"""What to use for functions of NumPy's without a counterpart here, where something serves."""

METHODS = {
    "add.reduce": "sum",
    "multiply.reduce": "prod",
    "maximum.reduce": "max",
    "minimum.reduce": "min",
    "logical_and.reduce": "all",
    "logical_or.reduce": "any",
    "add.accumulate": "cumulative_sum",
    "multiply.accumulate": "cumulative_prod",
}
"""Ours for what NumPy makes of a ufunc's methods."""

SAME = [
    "all", "angle", "any", "argmax", "argmin", "argsort", "argwhere", "astype", "atleast_1d", "atleast_2d",
    "atleast_3d", "bincount", "broadcast_arrays", "broadcast_to", "clip", "count_nonzero", "cumulative_prod",
    "cumulative_sum", "diag", "diff", "dot", "einsum", "empty_like", "expand_dims", "flip", "full_like", "imag",
    "inner", "isin", "kron", "linspace", "matrix_transpose", "max", "mean", "median", "meshgrid", "min", "moveaxis",
    "nan_to_num", "nonzero", "ones_like", "pad", "prod", "quantile", "ravel", "real", "repeat", "reshape", "roll",
    "round", "searchsorted", "sinc", "sort", "split", "squeeze", "stack", "std", "sum", "swapaxes", "take",
    "take_along_axis", "tensordot", "tile", "tril", "triu", "unique_all", "unique_counts", "unique_inverse",
    "unique_values", "unstack", "var", "where", "zeros_like",
]  # fmt: skip
FUNCTIONS = {name: name for name in SAME} | {
    "amax": "max",
    "amin": "min",
    "concatenate": "concat",
    "cumprod": "cumulative_prod",
    "cumsum": "cumulative_sum",
    "transpose": "permute_dims",
}
"""NumPy's functions that aren't ufuncs, and ours of the same meaning."""

READERS = frozenset([
    "allclose", "array2string", "array_equal", "array_equiv", "array_repr", "array_str", "atleast_1d",
    "atleast_2d", "atleast_3d", "copy", "copyto", "isclose", "save", "savetxt", "savez", "savez_compressed",
])  # fmt: skip
"""They compare, show or keep values, or are asked for arrays, as SciPy's optimisers do: they get values, a leak."""

DESCRIBERS = frozenset([
    "can_cast", "common_type", "iscomplexobj", "isrealobj", "ndim", "result_type", "shape", "size",
])  # fmt: skip
"""They ask for shapes and dtypes only: nothing is computed."""


def ufunc_method(namespace: Namespace) -> Callable[..., Any]:
    """`__array_ufunc__` for tensors of a package with these public names."""

    def array_ufunc(x: Tensor, ufunc: Any, method: str, *inputs: Any, **keywords: Any) -> Any:
        """NumPy's function of a tensor is ours of that name: `numpy.exp(x)`, `array * x`.

        Raises ArgumentTypeError, which names ours, where there is none, or for its methods and options (reduce, out).
        """
        name = ufunc.__name__
        ours = UFUNCS.get(name, name)
        who = f"numpy.{name}" if getattr(np, name, None) is ufunc else name
        if method != "__call__":
            raise ArgumentTypeError(f"{who}.{method}: got a tensor; want {_instead_of_method(name, ours, method)}")
        if ours not in namespace or ours.startswith("_"):
            raise ArgumentTypeError(f"{who}: got a tensor; want {_instead(who, name)}")
        if keywords:
            advice = "tensors don't change; assign what it returns" if "out" in keywords else f"tg.{ours} has none"
            raise ArgumentTypeError(f"{who} with {', '.join(keywords)}: got a tensor; {advice}")
        return namespace[ours](*inputs)

    return array_ufunc


def _instead(who: str, name: str) -> str:
    return INSTEAD.get(name) or f"a function of tidegate, or {who} of numpy.asarray(x), which leaves the graph"


def _instead_of_method(name: str, ours: str, method: str) -> str:
    if f"{name}.{method}" in METHODS:
        return f"tg.{METHODS[f'{name}.{method}']}"
    if method == "outer":
        return f"tg.{ours} of x with axes of size 1 after its own, and y"
    if method == "at":
        return "x.at[...], for tensors don't change"
    return "a function of tidegate"


def function_method(namespace: Namespace) -> Callable[..., Any]:
    """`__array_function__` for tensors of a package with these public names."""

    def array_function(x: Tensor, function: Any, types: Any, arguments: Any, keywords: Any) -> Any:
        """NumPy's other functions of a tensor are ours too, where the call means the same: `numpy.sum(x)`.

        Those that compare, show or keep values get them, as `numpy.asarray` would. Raises ArgumentTypeError, which
        names ours, for arguments that ours doesn't take, and for functions that we lack.
        """
        name = function.__name__
        module = getattr(function, "__module__", None) or "numpy"
        who = f"{module.removesuffix('.' + name)}.{name}"
        if name in DESCRIBERS:
            return function(*_mapped(arguments, _stand_in), **_mapped(keywords, _stand_in))
        if name in READERS:
            return function(*_mapped(arguments, _leaving(who)), **_mapped(keywords, _leaving(who)))
        ours = FUNCTIONS.get(name, "") if module == "numpy" else ""
        if ours not in namespace:
            raise ArgumentTypeError(f"{who}: got a tensor; want {_instead(who, name)}")
        try:
            signature(namespace[ours]).bind(*arguments, **keywords)
        except TypeError as error:
            wanted = f"tg.{ours}{_without_types(namespace[ours])}"
            raise ArgumentTypeError(f"{who}: got a tensor, and {error}; want {wanted}") from None
        return namespace[ours](*arguments, **keywords)

    return array_function


def _without_types(function: Any) -> str:
    found = signature(function)
    parameters = [p.replace(annotation=p.empty) for p in found.parameters.values()]
    return str(found.replace(parameters=parameters, return_annotation=found.empty))


def _mapped(given: Any, change: Callable[[Tensor], Any]) -> Any:
    """`given` with the tensors in it, also those in lists, tuples and dicts, changed."""
    if isinstance(given, Tensor):
        return change(given)
    if type(given) in (list, tuple):
        return type(given)([_mapped(v, change) for v in given])
    return {k: _mapped(v, change) for k, v in given.items()} if type(given) is dict else given


def _stand_in(x: Tensor) -> Any:
    """An array of its shape and dtype, which takes no room."""
    if not is_known(x.shape):
        raise ShapeError(f"numpy: got {x.type}; its size isn't known until it is fed")
    return np.broadcast_to(np.empty((), x.dtype), x.shape)


def _leaving(who: str) -> Callable[[Tensor], Any]:
    return lambda x: left(x, who)
