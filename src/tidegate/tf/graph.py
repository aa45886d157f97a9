"""tf.Graph: records of operations, one per TensorFlow operation, over nodes of the one graph.

A record knows its type, name, inputs, outputs and control inputs, and which effect it has when it runs; below it may
stand any number of primitives. `apply` is the one door: every function of `names` makes its operation through it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from tidegate.core import graph as core
from tidegate.core.errors import ArgumentError, ArgumentTypeError, DTypeError, ShapeError, TidegateError
from tidegate.core.graph import Edge, Node, by_number, next_number
from tidegate.ops.creation import Data
from tidegate.ops.elementwise import identity
from tidegate.tf.errors import InvalidArgumentError, NotFoundError
from tidegate.tf.tensor import Tensor

Effect = Callable[[Any], None]
"""What a record does beside giving values when it runs: it is handed the run (session.Run)."""

TYPES: Mapping[str, str] = {
    "Add": "AddV2", "Subtract": "Sub", "Multiply": "Mul", "Divide": "RealDiv", "Negate": "Neg", "Power": "Pow",
    "SumTo": "Sum", "DotGeneral": "MatMul", "Permute": "Transpose", "Select": "SelectV2", "Gather": "GatherV2",
    "ScatterAdd": "UnsortedSegmentSum", "Reverse": "ReverseV2", "Data": "Const", "Constant": "Const",
    "Concatenate": "ConcatV2", "Input": "Placeholder", "Max": "Max", "Call": "PartitionedCall", "Cond": "If",
    "MultiplyNoNan": "MulNoNan", "Version": "ReadVariableOp", "Abs": "Abs", "Conjugate": "Conj",
}  # fmt: skip
"""TensorFlow's names of primitives, where they differ from ours."""


@dataclass(frozen=True)
class Again:
    """How `outputs` were made: `function` of `inputs`."""

    function: Callable[..., Any]
    inputs: Sequence[core.Tensor]
    outputs: Sequence[core.Tensor | None]


class Operation:
    """The record of an operation in a graph."""

    __slots__ = ("__weakref__", "control_inputs", "effect", "graph", "inputs", "name", "number", "outputs", "type")

    def __init__(
        self, graph: Graph, kind: str, name: str, inputs: tuple[Tensor, ...], control_inputs: tuple[Operation, ...]
    ) -> None:
        self.graph, self.type, self.name = graph, kind, name
        self.inputs, self.control_inputs = inputs, control_inputs
        self.outputs: list[Tensor] = []
        self.effect: Effect | None = None
        self.number = len(graph.operations)

    def values(self) -> tuple[Tensor, ...]:
        """Its outputs."""
        return tuple(self.outputs)

    def run(self, feed_dict: Any = None, session: Any = None) -> None:
        """Run it in `session`. Raises ArgumentError without one."""
        if session is None:
            raise ArgumentError("Operation.run: want session=, the tf.compat.v1.Session to run it in")
        session.run(self, feed_dict)

    def __repr__(self) -> str:
        return f"<tf.Operation {self.name!r} type={self.type}>"


class Graph:
    """Records of the operations that are made while it is the default graph."""

    def __init__(self) -> None:
        self.operations: dict[str, Operation] = {}
        self.by_edge: dict[Edge, Tensor] = {}
        self.collections: dict[str, list[Any]] = {}
        self.reads: dict[Any, list[Tensor]] = {}
        """The reads of each variable."""
        self.assigned: dict[Any, None] = {}
        """The variables that are assigned."""
        self.overridden: dict[str, str] = {}
        """Types whose operations take a registered gradient, by its name."""
        self.calls: list[Again] = []
        """How everything in it was made, in order, so that it can be made again where shapes turn out otherwise."""
        self.traced: dict[Any, Any] = {}
        """Functions that were traced here and captured tensors of this graph."""
        self.first = next_number()
        self._used: dict[str, int] = {}
        self._prefix = ""
        self._control: tuple[Operation, ...] = ()

    @contextmanager
    def as_default(self) -> Generator[Graph]:
        """Record what is made within in this graph."""
        token = _current.set(self)
        try:
            yield self
        finally:
            _current.reset(token)

    def get_operations(self) -> list[Operation]:
        """All records, in the order in which they were made."""
        return list(self.operations.values())

    def get_operation_by_name(self, name: str) -> Operation:
        """The record of a name. Raises NotFoundError if there is none, ArgumentTypeError for what isn't a string."""
        if not isinstance(name, str):
            raise ArgumentTypeError(f"get_operation_by_name: got {type(name).__name__}; want a name")
        found = self.operations.get(name)
        if found is None:
            raise NotFoundError(f"get_operation_by_name: there is no operation {name!r} in the graph")
        return found

    def get_tensor_by_name(self, name: str) -> Tensor:
        """The tensor of a name, as `Sin_1:0`. Raises NotFoundError if there is none, ArgumentError for no such name."""
        if not isinstance(name, str):
            raise ArgumentTypeError(f"get_tensor_by_name: got {type(name).__name__}; want a name")
        operation, colon, index = name.rpartition(":")
        if not colon or not index.isdecimal():
            raise ArgumentError(f"get_tensor_by_name: got {name!r}; want an operation's name, a colon and a number")
        outputs = self.get_operation_by_name(operation).outputs
        if int(index) >= len(outputs):
            raise NotFoundError(f"get_tensor_by_name: {operation!r} has {len(outputs)} outputs; got {name!r}")
        return outputs[int(index)]

    def as_graph_element(self, item: Any) -> Tensor | Operation:
        """A tensor or operation of this graph, from itself or its name."""
        if isinstance(item, str):
            return self.get_tensor_by_name(item) if ":" in item else self.get_operation_by_name(item)
        if isinstance(item, (Tensor, Operation)):
            if item.graph is not self:
                raise ArgumentError(f"{item!r} isn't of this graph")
            return item
        raise ArgumentTypeError(f"got {type(item).__name__}; want a tensor, an operation or a name")

    def unique_name(self, name: str) -> str:
        """`name`, or `name_1` and so on if it is taken: capitals don't tell names apart. Takes it."""
        key = name.lower()
        count = self._used.get(key, 0)
        self._used[key] = count + 1
        if count == 0:
            return name
        found = f"{name}_{count}"
        while found.lower() in self._used:
            count += 1
            found = f"{name}_{count}"
        self._used[key] = count + 1
        self._used[found.lower()] = 1
        return found

    @contextmanager
    def name_scope(self, name: str | None) -> Generator[str]:
        """Put names made within under `name/`; one that ends in a slash is taken as it is, None is no scope at all."""
        before = self._prefix
        if not name:
            self._prefix = ""
        elif name.endswith("/"):
            self._prefix = name
        else:
            self._prefix = self.unique_name(before + name) + "/"
        try:
            yield self._prefix
        finally:
            self._prefix = before

    @contextmanager
    def control_dependencies(self, control_inputs: Iterable[Any] | None) -> Generator[None]:
        """What is made within runs after `control_inputs` (tensors, operations, variables) have."""
        before = self._control
        added = [] if control_inputs is None else [_operation_of(c) for c in control_inputs]
        self._control = () if control_inputs is None else (*before, *added)
        try:
            yield
        finally:
            self._control = before

    @contextmanager
    def gradient_override_map(self, names: Mapping[str, str]) -> Generator[None]:
        """Operations made within of the types `names` take the gradient registered by tf.RegisterGradient as told."""
        before = self.overridden
        self.overridden = {**before, **names}
        try:
            yield
        finally:
            self.overridden = before

    def record(
        self, kind: str, inputs: Sequence[Tensor], outputs: Sequence[core.Tensor], name: str | None = None
    ) -> Operation:
        """A new record, with tensors of its outputs."""
        inputs = [self.own(x) for x in inputs]
        name = self.unique_name(self._prefix + (name or kind).removesuffix("/"))
        control = tuple(dict.fromkeys(self._control))
        operation = self.operations[name] = Operation(self, kind, name, tuple(inputs), control)
        rank_known = all([x.rank_known for x in inputs])
        for i, out in enumerate(outputs):
            found = Tensor(out, operation, i)
            found.rank_known = rank_known
            operation.outputs.append(found)
            self.by_edge.setdefault(out.edge, found)
        return operation

    def own(self, x: Tensor) -> Tensor:
        """A tensor as an input of a record here: one from the prompt becomes a constant. Raises ArgumentError for one
        of another graph."""
        if self.captures:
            return x
        if x.operation is None:
            found = self.by_edge.get(x.edge)
            if found is None:
                found = self.by_edge[x.edge] = self.record("Const", (), [Data(x.tensor.numpy().copy())()]).outputs[0]
            return found
        if x.operation.graph is not self:
            raise ArgumentError(f"{x!r} is of another tf.Graph; make it in the one that uses it")
        return x

    captures = False
    """Whether it may read tensors of other graphs: that of a tf.function may."""

    def tensor_of(self, tensor: core.Tensor) -> Tensor:
        """The tensor of a graph's own one; a hidden part of an operation, or of a gradient, gets a record."""
        found = self.by_edge.get(tensor.edge)
        if found is None:
            self._show([tensor.node])
            found = self.by_edge.get(tensor.edge)
        return Tensor(tensor) if found is None else found

    def _show(self, nodes: Iterable[Node]) -> None:
        """Records for nodes that have none, and for what they read."""
        seen: set[Node] = set()
        stack = list(nodes)
        while stack:
            node = stack.pop()
            there = all([(node, k) in self.by_edge for k in range(len(node.types))])
            if node not in seen and not there and node.number >= self.first:
                seen.add(node)
                stack.extend(node.inputs)
        for node in sorted(seen, key=by_number):
            kind = TYPES.get(node.op.name, node.op.name)
            inputs = [self.by_edge[e] if e in self.by_edge else Tensor(e[0].tensor(e[1])) for e in node.edges()]
            self.record(kind, inputs, node.outputs(), self._name_of(node, kind))

    def _name_of(self, node: Node, kind: str) -> str:
        forward = None if node.origin is None else node.origin()
        of = None if forward is None else self.by_edge.get((forward, 0))
        if of is None or of.operation is None:
            return kind
        return f"{of.operation.name.removeprefix(self._prefix)}_grad/{kind}"


class FuncGraph(Graph):
    """The graph of a function that is being traced: it may read tensors of others. `outer` is the one around it."""

    captures = True

    def __init__(self, outer: Graph | None = None, *, may_create: bool = False) -> None:
        super().__init__()
        self.outer = outer
        self.may_create = may_create
        """Whether variables may be made in it: in the first trace of a tf.function."""

    def home_of(self, graph: Graph | None) -> bool:
        """Whether `graph` is one of those around."""
        around: Graph | None = self.outer
        while around is not None:
            if around is graph:
                return True
            around = around.outer if isinstance(around, FuncGraph) else None
        return False


_current: ContextVar[Graph | None] = ContextVar("tf_graph", default=None)
current_graph = _current.get
"""The graph that records; None at the prompt."""


def executing_eagerly() -> bool:
    """Whether operations run when they are made: not in a tf.Graph, nor while a tf.function is traced."""
    return current_graph() is None


def get_default_graph() -> Graph:
    """The tf.Graph that records now. Raises ArgumentError at the prompt, where there is none."""
    graph = current_graph()
    if graph is None:
        raise ArgumentError("get_default_graph: there is none at the prompt; use it within tf.Graph().as_default()")
    return graph


@contextmanager
def eagerly() -> Generator[None]:
    """Leave the graph within: operations run when they are made."""
    token = _current.set(None)
    try:
        yield
    finally:
        _current.reset(token)


def _operation_of(item: Any) -> Operation:
    if isinstance(item, Operation):
        return item
    if isinstance(item, Tensor):
        return item.op
    found = getattr(item, "__tf_operation__", None)
    if found is None:
        raise ArgumentTypeError(f"control_dependencies: got {type(item).__name__}; want tensors or operations")
    return found()


@contextmanager
def name_scope(name: str | None) -> Generator[str]:
    """Put names of operations made within under `name/`. At the prompt there are no names."""
    graph = current_graph()
    if graph is None:
        yield name or ""
    else:
        with graph.name_scope(name) as scope:
            yield scope


@contextmanager
def control_dependencies(control_inputs: Iterable[Any] | None) -> Generator[None]:
    """What is made within runs after `control_inputs` have. At the prompt everything has run already."""
    graph = current_graph()
    if graph is None:
        yield
    else:
        with graph.control_dependencies(control_inputs):
            yield


OVERRIDE: list[Callable[[str, Callable[..., Any], str], Callable[..., Any]]] = []
"""What gives an operation of a type a registered gradient, put in place by names/custom.py."""


def apply(kind: str, function: Callable[..., Any], *inputs: Tensor, name: str | None = None) -> Any:
    """An operation: `function` of the graph's tensors below `inputs`; its tensor, or a tuple of them.

    Wrong shapes and dtypes are InvalidArgumentErrors at the prompt, as in TensorFlow; in a graph, where they are found
    before anything runs, a ShapeError (ValueError) or DTypeError (TypeError).
    """
    graph = current_graph()
    if graph is None:
        try:
            found = function(*[x.tensor for x in inputs])
        except (ShapeError, DTypeError) as error:
            raise InvalidArgumentError(f"tf.{kind}: {_said(error)}") from None
        return wrap(found, inputs)
    owned = [graph.own(x) for x in inputs]
    if kind in graph.overridden:
        (override,) = OVERRIDE
        function = override(kind, function, graph.overridden[kind])
    try:
        found = function(*[x.tensor for x in owned])
    except (ShapeError, DTypeError) as error:
        hint = "" if all([x.rank_known for x in owned]) else " (give the placeholder that it comes from a shape)"
        raise type(error)(f"tf.{kind}: {_said(error)}{hint}") from None
    several = _fresh(found if isinstance(found, tuple) else (found,), owned)
    operation = graph.record(kind, owned, several, name)
    graph.calls.append(Again(function, [x.tensor for x in owned], several))
    return tuple(operation.outputs) if isinstance(found, tuple) else operation.outputs[0]


def _said(error: TidegateError) -> str:
    """What an error of ours says, in TensorFlow's names."""
    return error.message.replace("tg.astype", "tf.cast")


def wrap(found: Any, inputs: Sequence[Tensor]) -> Any:
    """Tensors of the prompt: new ones, never an input."""
    several = _fresh(found if isinstance(found, tuple) else (found,), inputs)
    outs = tuple([Tensor(y) for y in several])
    return outs if isinstance(found, tuple) else outs[0]


def _fresh(outs: Sequence[core.Tensor], inputs: Sequence[Tensor]) -> list[core.Tensor]:
    """`outs`, each a tensor of its own: a function that had nothing to do gave an input, or one tensor twice."""
    taken = {x.edge for x in inputs}
    fresh: list[core.Tensor] = []
    for y in outs:
        y = identity(y) if y.edge in taken else y
        taken.add(y.edge)
        fresh.append(y)
    return fresh
