"""tf.Variable: a place for a tensor that changes.

At the prompt and in a tf.function it holds one of ours: each version is an immutable tensor, reading makes a node, so a
tape sees when it was read, and assigning evaluates and swaps. In a tf.Graph it has no value of its own: the session
keeps one, and reads and assignments are operations that take place in a run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextvars import Context
from typing import Any

import numpy as np

from tidegate.core.body import Body
from tidegate.core.errors import ArgumentError, ArgumentTypeError, DTypeError, ShapeError
from tidegate.core.graph import Array, TensorType
from tidegate.ops.attached import Attached
from tidegate.ops.creation import Input
from tidegate.ops.elementwise import identity
from tidegate.runtime.variable import Tracing, active_tracing
from tidegate.runtime.variable import Variable as Place
from tidegate.tf.convert import convert
from tidegate.tf.dtypes import DType, of
from tidegate.tf.errors import FailedPreconditionError
from tidegate.tf.graph import FuncGraph, Graph, Operation, apply, current_graph
from tidegate.tf.recording import nobody_records, tell
from tidegate.tf.shapes import TensorShape
from tidegate.tf.tensor import Tensor, part


class Variable:
    """A place for a tensor that changes, of one shape and dtype.

    initial_value: anything that converts to a tensor, or a function of no arguments that gives it. trainable: whether
        tapes watch it when it is read. dtype: another dtype for what isn't a tensor yet.
    Raises ArgumentError (ValueError) without a value, or with one of another shape than `shape`.
    """

    __slots__ = ("__weakref__", "_place", "graph", "initializer", "name", "trainable", "type")
    __array_priority__ = 100
    __array_ufunc__ = None

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: Any = None,
        import_scope: Any = None,
        constraint: Any = None,
        synchronization: Any = None,
        aggregation: Any = None,
        shape: Any = None,
    ) -> None:
        if initial_value is None:
            raise ArgumentError("tf.Variable: got no initial_value; want a tensor or numbers")
        graph = current_graph()
        self.trainable = trainable is not False
        self.graph: Graph | None = None
        self.initializer: Operation | None = None
        if isinstance(graph, FuncGraph):
            if not graph.may_create:
                raise ArgumentError("tf.Variable: made while a tf.function is traced again; make it outside, once")
            if isinstance(initial_value, Tensor):
                initial_value = initial_value.tensor.numpy()
            options = {"trainable": trainable, "name": name, "dtype": dtype, "shape": shape}
            Context().run(lambda: Variable.__init__(self, initial_value, **options))  # outside of the trace
            return
        value = initial_value() if callable(initial_value) and not isinstance(initial_value, Tensor) else initial_value
        with nobody_records():
            initial = convert(value, None if isinstance(value, Tensor) else dtype, "tf.Variable")
        if shape is not None and not TensorShape(shape).is_compatible_with(initial.shape):
            raise ArgumentError(f"tf.Variable: got a value of shape {initial.shape}; want {TensorShape(shape)}")
        self.type: TensorType = initial.tensor.type
        self._place: Place | None = None
        if graph is None:
            self.name = f"{name or 'Variable'}:0"
            self._place = Place(initial.tensor, name=name)
        else:
            self._declare(graph, initial, name)

    def _declare(self, graph: Graph, initial: Tensor, name: str | None) -> None:
        """Make it a variable of a tf.Graph, which a session gives its value."""
        handle = graph.record("VarHandleOp", (), [], name or "Variable")
        self.name = f"{handle.name}:0"
        self.graph = graph
        with graph.name_scope(f"{handle.name}/"):
            self.initializer = self._assignment(graph, initial, "Assign").op
        for collection in ["variables", *(["trainable_variables"] if self.trainable else [])]:
            graph.collections.setdefault(collection, []).append(self)

    def _assignment(self, graph: Graph, value: Tensor, name: str | None) -> Tensor:
        """The operation that assigns `value` when it runs."""
        out = apply("AssignVariableOp", identity, value, name=name)
        out.op.effect = lambda run: run.assign(self, out.tensor)
        return out

    @property
    def dtype(self) -> DType:
        """The dtype of its elements."""
        return of(self.type.dtype)

    @property
    def shape(self) -> TensorShape:
        """The sizes of its axes."""
        return TensorShape(self.type.shape)

    def get_shape(self) -> TensorShape:
        """The sizes of its axes."""
        return self.shape

    @property
    def ndim(self) -> int:
        """How many axes it has."""
        return len(self.type.shape)

    @property
    def op(self) -> Operation:
        """The record of the variable in its tf.Graph. Raises ArgumentError at the prompt."""
        if self.graph is None:
            raise ArgumentError("Variable.op: there are records of operations in a tf.Graph only")
        return self.graph.get_operation_by_name(self.name[:-2])

    def read_value(self) -> Tensor:
        """Its value now, which tapes take for the variable: one tensor of the graph for each version that it had."""
        graph = current_graph()
        if self._place is not None:
            if graph is not None and not graph.captures:
                raise ArgumentError(f"{self!r} was made at the prompt; in a tf.Graph make variables within it")
            read = self._read_traced(graph, self._place) if graph is not None else Tensor(self._place.value)
        elif isinstance(graph, FuncGraph) and self.graph is not None and graph.home_of(self.graph):
            with self.graph.as_default():
                return self.read_value()
        elif graph is not self.graph or graph is None:
            raise ArgumentError(f"{self!r} is of another tf.Graph; use it there")
        else:
            read = graph.record("ReadVariableOp", (), [Input(self.type)()]).outputs[0]
            read.op.effect = lambda run: run.read(self, read.edge)
            graph.reads.setdefault(self, []).append(read)
        tell(self, read)
        return read

    def _read_traced(self, graph: Graph, place: Place) -> Tensor:
        """In a trace, one tensor for each of its versions: a branch of tf.cond reads the one that is outside."""
        value = place.value
        read = graph.by_edge.get(value.edge)
        if read is None:
            read = graph.record("ReadVariableOp", (), [value]).outputs[0]
        around: Graph | None = graph
        while isinstance(around, FuncGraph):
            reads = around.reads.setdefault(self, [])
            if all([r.edge != read.edge for r in reads]):
                reads.append(read)
            around = around.outer
        return read

    def value(self) -> Tensor:
        """Its value now."""
        return self.read_value()

    def __tf_tensor__(self) -> Tensor:
        return self.read_value()

    def __tf_operation__(self) -> Operation:
        return self.op

    def __tidegate_tensor__(self) -> Any:
        return self.read_value().tensor

    def numpy(self) -> Any:
        """Its value now, as NumPy has it. Raises NoValueError while a tf.function is traced, FailedPreconditionError in
        a tf.Graph."""
        if self._place is None:
            raise FailedPreconditionError(f"Variable.numpy: {self!r} has its value in a session; run it there")
        array = self._place.numpy()
        return array if array.ndim else array[()]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.asarray(self.numpy(), dtype)

    def assign(self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Any:
        """Make `value` its value: now at the prompt, when the function is called, or when the operation runs.

        Gives the variable; in a tf.Graph, the operation's tensor.
        Raises ArgumentError (ValueError) for another shape or dtype, and changes nothing then.
        """
        with nobody_records():
            new = self._fitting(value)
        if self._place is None:
            graph = current_graph()
            if graph is not self.graph or graph is None:
                raise ArgumentError(f"assign: {self!r} is of a tf.Graph; assign to it there")
            return self._assignment(graph, new, name)
        graph = current_graph()
        if graph is not None:
            graph.assigned[self] = None
        try:
            self._place.assign(new.tensor)
        except (ShapeError, DTypeError) as error:
            raise ArgumentError(error.message) from None
        trace = active_tracing()
        if trace is not None and self.type.differentiable:
            self._keep_gradient(trace, self._place)
        return self

    def _keep_gradient(self, trace: Tracing, place: Place) -> None:
        """In a trace, reads of what was just assigned are reads of the variable: its gradient counts them too."""
        seed = Input(self.type)()
        passing = Attached(1, 1, (True,), Body((seed,), (seed,)))
        (value,) = passing(trace.current[place], trace.read[place])
        trace.current[place] = trace.versions[place][-1] = value

    def _fitting(self, value: Any) -> Tensor:
        new = convert(value, None if isinstance(value, (Tensor, Variable)) else self.dtype, "assign")
        if new.dtype is not self.dtype or not new.shape.is_compatible_with(self.shape):
            raise ArgumentError(f"assign: got {new.dtype.name} of shape {new.shape} for {self!r}")
        return new

    def assign_add(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Add `delta` to it. Raises as assign does."""
        return self._assign_changed("AddV2", lambda x, y: x + y, delta, name)

    def assign_sub(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Subtract `delta` from it. Raises as assign does."""
        return self._assign_changed("Sub", lambda x, y: x - y, delta, name)

    def _assign_changed(self, kind: str, change: Callable[[Any, Any], Any], delta: Any, name: str | None) -> Any:
        with nobody_records():
            return self.assign(apply(kind, change, self.read_value(), self._fitting(delta)), name=name)

    def scatter_sub(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Subtract tf.IndexedSlices, those of one index one after another."""
        if not hasattr(type(sparse_delta), "__tf_tensor__"):
            raise ArgumentTypeError(f"scatter_sub: got {type(sparse_delta).__name__}; want tf.IndexedSlices")
        return self.assign_sub(convert(sparse_delta), name=name)

    def scatter_add(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Add tf.IndexedSlices, those of one index one after another."""
        if not hasattr(type(sparse_delta), "__tf_tensor__"):
            raise ArgumentTypeError(f"scatter_add: got {type(sparse_delta).__name__}; want tf.IndexedSlices")
        return self.assign_add(convert(sparse_delta), name=name)

    def __repr__(self) -> str:
        shown = f"<tf.Variable {self.name!r} shape={self.shape} dtype={self.dtype.name}"
        if self._place is None or current_graph() is not None:
            return shown + ">"
        return f"{shown}, numpy={self.numpy()!r}>"

    def __getitem__(self, key: Any) -> Tensor:
        return part(self.read_value(), key)

    def __len__(self) -> int:
        return len(self.read_value())

    def __iter__(self) -> Iterator[Tensor]:
        return iter(self.read_value())

    # fmt: off
    __hash__ = object.__hash__
    def __bool__(self) -> bool: return bool(self.read_value())
    def __int__(self) -> int: return int(self.read_value())
    def __float__(self) -> float: return float(self.read_value())
    def __complex__(self) -> complex: return complex(self.read_value())
    def __index__(self) -> int: return self.read_value().__index__()
    def __format__(self, spec: str) -> str: return format(self.read_value(), spec)
    # fmt: on


def is_variable(x: Any) -> bool:
    """Whether x is a tf.Variable."""
    return isinstance(x, Variable)
