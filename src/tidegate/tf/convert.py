"""What users pass, as tensors: by TensorFlow's dtypes of Python numbers, and without silent promotion."""

from __future__ import annotations

from typing import Any

import numpy as np

from tidegate.core import graph as core
from tidegate.core.dtypes import INTEGER, as_array, cast_array, kind_of
from tidegate.core.errors import ArgumentError, ArgumentTypeError, DTypeError, TidegateError
from tidegate.core.graph import Array
from tidegate.core.shapes import Size
from tidegate.functions.join import stack
from tidegate.ops.creation import Data
from tidegate.tf.dtypes import DType, as_dtype
from tidegate.tf.errors import InvalidArgumentError
from tidegate.tf.graph import apply, current_graph
from tidegate.tf.shapes import TensorShape
from tidegate.tf.tensor import Tensor

_KINDS = (bool, int, float, complex)


def is_tensor(x: Any) -> bool:
    """Whether x is a tensor, a variable, or stands for one."""
    return isinstance(x, (Tensor, core.Tensor)) or hasattr(type(x), "__tf_tensor__")


def convert(value: Any, dtype: Any = None, who: str = "convert_to_tensor", name: str | None = None) -> Tensor:
    """A tensor of `value`: a tensor itself, a variable's value, or data.

    Python floats make float32, ints int32, complex numbers complex128; arrays keep their dtype; `dtype` says otherwise
    for what isn't a tensor yet. A list with tensors in it is stacked, and its numbers take their dtype.
    Raises ArgumentError (ValueError) for None, dicts, ragged lists and a tensor of another dtype, ArgumentTypeError
    (TypeError) for a number that `dtype` can't hold.
    """
    want = None if dtype is None else as_dtype(dtype)
    if hasattr(type(value), "__tf_tensor__"):
        value = value.__tf_tensor__()
    if isinstance(value, core.Tensor) or (
        not isinstance(value, Tensor) and hasattr(type(value), "__tidegate_tensor__")
    ):
        value = Tensor(value if isinstance(value, core.Tensor) else value.__tidegate_tensor__())
    if isinstance(value, Tensor):
        if want is not None and want is not value.dtype:
            raise ArgumentError(f"{who}: got a tensor of {value.dtype.name}; want {want.name} (use tf.cast)")
        return value
    if isinstance(value, (list, tuple)) and _holds_tensors(value):
        return _packed(value, want, who)
    return data(array_of(value, want, who), name)


def data(array: Array, name: str | None = None) -> Tensor:
    """A constant."""
    made = Data(array)()
    graph = current_graph()
    return Tensor(made) if graph is None else graph.record("Const", (), [made], name).outputs[0]


def array_of(value: Any, want: DType | None, who: str) -> Array:
    """A fresh array of what isn't a tensor."""
    if value is None or isinstance(value, (dict, set, frozenset)):
        raise ArgumentError(f"{who}: got {type(value).__name__}; want a tensor, numbers, or nested lists of them")
    if isinstance(value, TensorShape):
        value = _sizes(value, who)
    if isinstance(value, (list, tuple)):
        value = _plain(value, who)
    try:
        found = as_array(value, None)
    except ArgumentTypeError as error:
        raise ArgumentError(f"{who}: {error.message.removeprefix('asarray: ')}") from None
    if _is_python(value):
        kind = want or as_dtype(kind_of(found.dtype))
        wide = want is None and kind.is_integer and found.size > 0 and not _within(found, kind)
        found = as_array(value, kind.numpy_dtype if _fits(found, want) and not wide else None)
    elif want is None and isinstance(value, (list, tuple)) and not np.size(value):
        found = found.astype(np.float32)
    if want is None or found.dtype == want.numpy_dtype:
        return found
    if not _fits(found, want):
        raise ArgumentTypeError(f"{who}: got {_shown(value)} of kind {kind_of(found.dtype).__name__}; want {want.name}")
    return cast_array(found, want.numpy_dtype)


def _plain(value: Any, who: str) -> Any:
    """Nested lists with sizes as numbers."""
    out = []
    for v in value:
        if isinstance(v, (list, tuple)):
            out.append(_plain(v, who))
        elif v is None or isinstance(v, dict):
            raise ArgumentError(f"{who}: got {type(v).__name__} in a list; want numbers")
        else:
            out.append(v)
    return out


def _sizes(shape: TensorShape, who: str) -> list[int]:
    if not shape.is_fully_defined():
        raise ArgumentError(f"{who}: got {shape}; want sizes that are all known (use tf.shape)")
    return [n for n in shape.as_list() if n is not None]


def _is_python(value: Any) -> bool:
    """Whether it is made of Python numbers alone, which have no dtype of their own."""
    if isinstance(value, (list, tuple)):
        return len(value) > 0 and all([_is_python(v) for v in value])
    return isinstance(value, _KINDS) and not isinstance(value, np.generic)


def _within(found: Array, kind: DType) -> bool:
    """Whether integers fit a dtype: those that don't fit int32 make int64."""
    return bool(kind.min <= found.min() and found.max() <= kind.max)


def _fits(found: Array, want: DType | None) -> bool:
    """Whether numbers of an array's kind may become `want` without a cast that the user writes."""
    if want is None:
        return True
    kinds = [_KINDS.index(kind_of(d)) for d in (found.dtype, want.numpy_dtype)]
    return kinds[0] == kinds[1] or (0 < kinds[0] < kinds[1])


def _shown(value: Any) -> str:
    return repr(value) if isinstance(value, _KINDS) else type(value).__name__


def _holds_tensors(value: Any) -> bool:
    return any([_holds_tensors(v) if isinstance(v, (list, tuple)) else is_tensor(v) for v in value])


def _packed(value: Any, want: DType | None, who: str) -> Tensor:
    """A list with tensors in it, stacked."""
    dtype = want or _dtype_of_leaves(value)
    rows = [convert(v, dtype, who) for v in value]
    return apply("Pack", lambda *xs: stack(xs), *rows)


def _dtype_of_leaves(value: Any) -> DType | None:
    for v in value:
        found = _dtype_of_leaves(v) if isinstance(v, (list, tuple)) else v.dtype if is_tensor(v) else None
        if found is not None:
            return as_dtype(found)
    return None


def alike(who: str, *values: Any) -> list[Tensor]:
    """`values` as tensors of one dtype: what isn't a tensor takes that of the first one that is.

    Tensors of two dtypes raise InvalidArgumentError at the prompt, DTypeError (TypeError) in a graph, as in TensorFlow.
    """
    first = next((v for v in values if is_tensor(v)), None)
    dtype = None if first is None else _dtype(first)
    out = []
    for v in values:
        x = convert(v, None if dtype is None or is_tensor(v) else dtype, who)
        dtype = dtype or x.dtype
        if x.dtype is not dtype:
            error = InvalidArgumentError if current_graph() is None else DTypeError
            raise error(f"{who}: got tensors of {dtype.name} and {x.dtype.name}; want one dtype (use tf.cast)")
        out.append(x)
    return out


def _dtype(x: Any) -> DType:
    return as_dtype(x.dtype)


def constant(value: Any, dtype: Any = None, shape: Any = None, name: str | None = "Const") -> Tensor:
    """A tensor of data. One number fills `shape`; as many as it has elements are put into it.

    Raises ArgumentTypeError (TypeError) for a number that `dtype` can't hold or another number of them, ArgumentError
    (ValueError) for what isn't numbers.
    """
    want = None if dtype is None else as_dtype(dtype)
    if isinstance(value, Tensor) or hasattr(type(value), "__tf_tensor__"):
        value = convert(value).numpy()
    array = array_of(value, want, "constant")
    if shape is not None:
        sizes = tuple(_sizes(TensorShape(shape), "constant"))
        count = int(np.prod(sizes))
        if array.size != count and array.size != 1:
            raise ArgumentTypeError(f"constant: got {array.size} numbers for shape {list(sizes)}, which takes {count}")
        array = np.full(sizes, array.reshape(())) if array.size == 1 else array.reshape(sizes)
    return data(np.ascontiguousarray(array).reshape(array.shape), name)


def convert_to_tensor(value: Any, dtype: Any = None, dtype_hint: Any = None, name: str | None = None) -> Tensor:
    """A tensor of `value`; see `convert`. A dtype that is only hinted at is taken where it fits."""
    if dtype is None and dtype_hint is not None and not is_tensor(value):
        try:
            return convert(value, dtype_hint, name=name)
        except TidegateError:
            pass
    return convert(value, dtype, name=name)


def static_ints(value: Any, who: str) -> Any:
    """Integers that are needed when a graph is built (axes, shapes): numbers, lists, or a tensor whose value is known.

    Raises ArgumentTypeError for anything else.
    """
    if value is None or isinstance(value, (int, np.integer, Size)):
        return value
    if isinstance(value, TensorShape):
        return _sizes(value, who)
    if isinstance(value, (list, tuple)):
        return [static_ints(v, who) for v in value]
    if isinstance(value, Tensor):
        if value.sizes is not None:
            return list(value.sizes) if isinstance(value.sizes, tuple) else value.sizes
        value = value.tensor.numpy()
    if isinstance(value, np.ndarray) and value.dtype in INTEGER:
        return value.tolist()
    if hasattr(value, "__index__"):
        return value.__index__()
    raise ArgumentTypeError(f"{who}: got {type(value).__name__}; want integers")
