"""A TensorFlow tensor: a view of a graph's tensor with TensorFlow's dtype, shape, name and strictness."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from tidegate.core import graph as core
from tidegate.core.errors import (
    ArgumentError,
    ArgumentTypeError,
    IndexRangeError,
    InvalidValueError,
    NoValueError,
    SingularMatrixError,
    TidegateError,
)
from tidegate.core.graph import Array, Edge
from tidegate.runtime import values
from tidegate.tf.dtypes import DType, of
from tidegate.tf.errors import InvalidArgumentError
from tidegate.tf.shapes import TensorShape

if TYPE_CHECKING:
    from tidegate.tf.graph import Graph, Operation


class Tensor:
    """One output of an operation. At the prompt it has a value; in a tf.Graph or tf.function it has a name and none.

    `tensor` is the graph's own; `operation` is the record of what made it, None at the prompt.
    """

    __slots__ = ("__weakref__", "operation", "rank_known", "sizes", "tensor", "value_index")
    __array_priority__ = 100
    __array_ufunc__ = None  # numpy_array + tensor is the tensor's to answer
    __hash__ = object.__hash__

    def __init__(self, tensor: core.Tensor, operation: Operation | None = None, value_index: int = 0) -> None:
        self.tensor = tensor
        self.operation = operation
        self.value_index = value_index
        self.rank_known = True
        self.sizes: Any = None
        """What tf.shape gave: a size, or a tuple of them, of which some may not be known; None for other tensors."""

    def __tidegate_tensor__(self) -> core.Tensor:
        return self.tensor

    @property
    def edge(self) -> Edge:
        """Which output of which node it is."""
        return self.tensor.edge

    @property
    def dtype(self) -> DType:
        """TensorFlow's dtype of its elements."""
        return of(self.tensor.type.dtype)

    @property
    def shape(self) -> TensorShape:
        """What is known of its sizes."""
        return TensorShape(self.tensor.type.shape if self.rank_known else None)

    def get_shape(self) -> TensorShape:
        """What is known of its sizes."""
        return self.shape

    def set_shape(self, shape: Any) -> None:
        """Raise ShapeError unless it could have `shape`."""
        self.shape.assert_is_compatible_with(shape)

    @property
    def ndim(self) -> int:
        """How many axes it has."""
        return self.tensor.ndim

    @property
    def op(self) -> Operation:
        """The record of the operation that made it. Raises ArgumentError at the prompt, where there are none."""
        if self.operation is None:
            raise ArgumentError("Tensor.op: there are records of operations in a tf.Graph or tf.function only")
        return self.operation

    @property
    def graph(self) -> Graph:
        """The tf.Graph that it is of. Raises ArgumentError at the prompt."""
        return self.op.graph

    @property
    def name(self) -> str:
        """Its operation's name and which output it is, as `Sin_1:0`. Raises ArgumentError at the prompt."""
        return f"{self.op.name}:{self.value_index}"

    @property
    def device(self) -> str:
        """Where its value is: always the CPU."""
        return "/job:localhost/replica:0/task:0/device:CPU:0"

    def _checked(self, who: str) -> core.Tensor:
        if self.operation is not None:
            raise NoValueError(f"{who}: {self!r} is of a graph and has no value; run it, or use tf.cond or tf.where")
        return self.tensor

    def numpy(self) -> Any:
        """Its value: a NumPy array, or a NumPy number if it has no axes. Raises NoValueError for a graph's tensor."""
        array = told_as_invalid(values.numpy, self._checked("numpy"))
        return array if array.ndim else array[()]

    def eval(self, feed_dict: Any = None, session: Any = None) -> Any:
        """Its value in a run of `session`. Raises ArgumentError without one."""
        if session is None:
            raise ArgumentError("Tensor.eval: want session=, the tf.compat.v1.Session to run it in")
        return session.run(self, feed_dict)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return told_as_invalid(values.array, self._checked("numpy.asarray"), dtype, copy)

    def __bool__(self) -> bool:
        return told_as_invalid(values.to_bool, self._checked("bool"))

    def __int__(self) -> int:
        return told_as_invalid(values.to_int, self._checked("int"))

    def __float__(self) -> float:
        return told_as_invalid(values.to_float, self._checked("float"))

    def __complex__(self) -> complex:
        return told_as_invalid(values.to_complex, self._checked("complex"))

    def __index__(self) -> int:
        return told_as_invalid(values.to_index, self._checked("index"))

    def __len__(self) -> int:
        return values.length(self.tensor)

    def __iter__(self) -> Iterator[Any]:
        return iter([self[i] for i in range(len(self))])

    def __getitem__(self, key: Any) -> Any:
        return part(self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        raise ArgumentTypeError(
            "x[...] = value: tensors don't change; use tf.tensor_scatter_nd_update or a tf.Variable"
        )

    def __format__(self, spec: str) -> str:
        return values.formatted(self._checked("format"), spec) if spec else str(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (values.array(self._checked("pickle"), copy=True),)

    def __deepcopy__(self, memo: Any) -> Tensor:
        return self if self.operation is not None else _rebuilt(values.array(self.tensor, copy=True))

    def __repr__(self) -> str:
        if self.operation is not None:
            return f"<tf.Tensor {self.name!r} shape={self.shape} dtype={self.dtype.name}>"
        return f"<tf.Tensor: shape={self.shape}, dtype={self.dtype.name}, {self._shown()}>"

    def _shown(self) -> str:
        return values.represent(self.tensor).removeprefix("Tensor(").removesuffix(")")

    def __str__(self) -> str:
        if self.operation is not None:
            return f"Tensor({self.name!r}, shape={self.shape}, dtype={self.dtype.name})"
        try:
            return f"tf.Tensor({values.text(self.tensor)}, shape={self.shape}, dtype={self.dtype.name})"
        except TidegateError:
            return repr(self)

    if TYPE_CHECKING:  # names/operators.py puts these in place

        def _binary(self, other: Any) -> Tensor: ...
        def _unary(self) -> Tensor: ...

        __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _binary
        __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = __matmul__ = __rmatmul__ = _binary
        __lt__ = __le__ = __gt__ = __ge__ = __and__ = __or__ = __xor__ = _binary
        __neg__ = __abs__ = __invert__ = _unary


def told_as_invalid(ask: Callable[..., Any], *arguments: Any) -> Any:
    """What `ask` gives; what it finds wrong with values is an InvalidArgumentError, at the same line."""
    try:
        return ask(*arguments)
    except (IndexRangeError, SingularMatrixError, InvalidValueError) as error:
        told = InvalidArgumentError(error.message)
        told.line = error.line
        raise told from error


def _rebuilt(array: Array) -> Tensor:
    return Tensor(values.rebuild(array))


SELECT: list[Callable[[Tensor, Any], Tensor]] = []
"""What `x[key]` does, put in place by names/operators.py."""


def part(x: Tensor, key: Any) -> Tensor:
    """x[key]"""
    (select,) = SELECT
    return select(x, key)
