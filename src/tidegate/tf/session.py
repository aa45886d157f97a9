"""tf.compat.v1.Session: a run is a function of what is fetched, what is fed and the state of variables.

A run takes the records that the fetches need, in the order in which they were made. Reads of variables and random draws
put a value beside those fed; assignments wait until somebody reads again, or the end. Then all that is wanted is
computed at once, by a program that is kept for the same fetches, feeds and sizes. Tensors of the graph keep no values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

import numpy as np

from tidegate.backends.interface import Executable, Program, Status
from tidegate.backends.reference import body_program
from tidegate.core import graph as core
from tidegate.core.body import Body
from tidegate.core.errors import ArgumentError, ArgumentTypeError, ShapeError, TidegateError
from tidegate.core.graph import Array, Edge
from tidegate.core.source import show_site
from tidegate.core.trace import many_new_objects
from tidegate.core.tree import flatten
from tidegate.ops.creation import Input
from tidegate.runtime.programs import BACKEND
from tidegate.tf.convert import array_of
from tidegate.tf.errors import FailedPreconditionError, InvalidArgumentError, NotFoundError
from tidegate.tf.graph import Graph, Operation, current_graph
from tidegate.tf.replay import Replayed, replayed
from tidegate.tf.slices import IndexedSlices
from tidegate.tf.tensor import Tensor
from tidegate.tf.variable import Variable
from tidegate.transforms.specialise import needed, sizes_of, specialise

Compiled = tuple[Program, Executable]


class Session:
    """Runs parts of a tf.Graph. It keeps the values of variables between runs."""

    def __init__(self, target: str = "", graph: Graph | None = None, config: Any = None) -> None:
        found = current_graph() if graph is None else graph
        if found is None:
            raise ArgumentError(
                "Session: there is no default graph; want graph=, or use it within tf.Graph().as_default()"
            )
        self.graph: Graph = found
        self._state: dict[Variable, Array] = {}
        self._compiled: dict[Any, Compiled] = {}
        self._replayed: dict[Any, Replayed] = {}
        self._entered: list[Any] = []

    def __enter__(self) -> Self:
        scope = self.graph.as_default()
        scope.__enter__()
        self._entered.append(scope)
        return self

    def __exit__(self, *exception: object) -> None:
        self._entered.pop().__exit__(None, None, None)

    def close(self) -> None:
        """Forget the values of variables."""
        self._state.clear()

    def run(self, fetches: Any, feed_dict: Mapping[Any, Any] | None = None, options: Any = None) -> Any:
        """The values of `fetches`, in their structure: tensors, variables, tf.IndexedSlices, names; and operations,
        which run and give None.

        feed_dict: values for tensors (any tensors, or their names): what is computed from them uses those.
        Raises ArgumentTypeError (TypeError) for what can't be fetched or fed, ArgumentError (ValueError) for a tensor
        of another graph or a fed value of another shape, InvalidArgumentError for a placeholder that isn't fed and for
        values that an operation can't take.
        """
        leaves, structure = flatten(fetches)
        wanted = [self._fetched(leaf) for leaf in leaves]
        run = Run(self, self._feeds(feed_dict or {}))
        flat = [t for parts in wanted for t in parts]
        found = iter(run.values(flat))
        return structure.build([_shown(leaf, [next(found) for _ in parts])
                                for leaf, parts in zip(leaves, wanted, strict=True)])  # fmt: skip

    def _fetched(self, leaf: Any) -> list[Tensor | Operation]:
        """What to run for one fetch."""
        if isinstance(leaf, Variable):
            if leaf.graph is not self.graph:
                raise ArgumentError(f"Session.run: {leaf!r} isn't of this session's graph")
            with self.graph.as_default(), self.graph.control_dependencies(None):
                return [self._read_of(leaf)]
        if isinstance(leaf, IndexedSlices):
            return [leaf.values, leaf.indices]
        if leaf is None or isinstance(leaf, (int, float, np.ndarray)):
            raise ArgumentTypeError(f"Session.run: got {type(leaf).__name__} to fetch; want tensors or operations")
        try:
            return [self.graph.as_graph_element(leaf)]
        except NotFoundError as error:
            raise ArgumentError(f"Session.run: {error.message}") from None

    def _read_of(self, variable: Variable) -> Tensor:
        """A read of a variable to fetch: one for all runs."""
        kept = self.graph.collections.setdefault("fetched", [])
        for owner, read in kept:
            if owner is variable:
                return read
        read = variable.read_value()
        self.graph.reads[variable].pop()
        kept.append((variable, read))
        return read

    def _feeds(self, feed_dict: Mapping[Any, Any]) -> dict[Tensor, Array]:
        feeds: dict[Tensor, Array] = {}
        for key, value in feed_dict.items():
            x = self.graph.as_graph_element(key)
            if not isinstance(x, Tensor):
                raise ArgumentTypeError(f"Session.run: got {x!r} to feed; want a tensor")
            if isinstance(value, (Tensor, Variable)):
                raise ArgumentTypeError(f"Session.run: got a tensor as the value fed for {x.name!r}; want numbers")
            array = array_of(value, x.dtype, f"Session.run: the value fed for {x.name!r}")
            if not x.shape.is_compatible_with(array.shape):
                raise ArgumentError(
                    f"Session.run: fed a value of shape {array.shape} for {x.name!r}, which has shape {x.shape}"
                )
            feeds[x] = array
        return feeds

    def make_callable(self, fetches: Any, feed_list: Sequence[Any] = ()) -> Callable[..., Any]:
        """A function of the values fed, in order, that runs `fetches`."""

        def call(*values: Any) -> Any:
            return self.run(fetches, dict(zip(feed_list, values, strict=True)))

        return call

    def variable_value(self, variable: Variable) -> Array:
        """The value of a variable. Raises FailedPreconditionError if it has none yet."""
        if variable not in self._state:
            raise FailedPreconditionError(
                f"{variable!r} has no value in this session; run tf.compat.v1.global_variables_initializer() first"
            )
        return self._state[variable]

    def compute(self, targets: Sequence[core.Tensor], given: Mapping[Edge, tuple[core.Tensor, Array]]) -> list[Array]:
        """The values of `targets` where those of `given` stand. Raises InvalidArgumentError and kin."""
        nodes = needed(targets, set(given))
        reads = dict.fromkeys([*[e for n in nodes for e in n.edges()], *[y.edge for y in targets]])
        used = [given[edge] for edge in reads if edge in given]
        for node in nodes:
            if isinstance(node.op, Input):
                self._refuse(node)
        inputs, arrays = [x for x, _ in used], [a for _, a in used]
        sizes = sizes_of({x: a.shape for x, a in given.values()})
        key = (*[y.edge for y in targets], None, *[(x.edge, a.shape) for x, a in used], None, *sizes.items())
        compiled = self._compiled.get(key)
        if compiled is None:
            with many_new_objects():
                outs, fresh = specialise(targets, inputs, sizes)
                program = body_program(Body(fresh, outs))
                compiled = self._compiled[key] = program, BACKEND.compile(program)
        program, executable = compiled
        status = Status()
        found = executable(arrays, status)
        if status.failed:
            error = status.error(program.nodes)
            raise InvalidArgumentError(error.message, _site_of(program, status)) from error
        return found

    def _refuse(self, node: core.Node) -> None:
        x = self.graph.by_edge.get((node, 0))
        name = "a placeholder" if x is None else f"placeholder {x.name!r}"
        raise InvalidArgumentError(
            f"Session.run: {name}, {node.types[0]} made at {show_site(node.site)}, needs a value; feed it"
        )

    def again(self, shapes: Mapping[Edge, tuple[int, ...]]) -> Replayed:
        """The whole graph made again where placeholders have the shapes fed."""
        key = tuple(shapes.items())
        found = self._replayed.get(key)
        if found is None:
            found = self._replayed[key] = replayed(self.graph, shapes)
        return found


def _site_of(program: Program, status: Status) -> Any:
    return status.site if status.site is not None else program.nodes[status.step].told_site()


class Run:
    """One run: the values at hand, and the assignments that wait."""

    def __init__(self, session: Session, feeds: Mapping[Tensor, Array]) -> None:
        self._session = session
        self._fed = {x.edge for x in feeds}
        self._given: dict[Edge, tuple[core.Tensor, Array]] = {x.edge: (x.tensor, a) for x, a in feeds.items()}
        self._feeds = feeds
        self._waiting: dict[Variable, core.Tensor] = {}

    def values(self, wanted: Sequence[Tensor | Operation]) -> list[Array | None]:
        """Run what `wanted` needs; the values of its tensors, None for operations."""
        for operation in self._needed(wanted):
            if operation.effect is not None and not all([y.edge in self._fed for y in operation.outputs]):
                operation.effect(self)
        tensors = [t.tensor for t in wanted if isinstance(t, Tensor)]
        found = iter(self._finish(tensors))
        return [next(found) if isinstance(t, Tensor) else None for t in wanted]

    def _needed(self, wanted: Sequence[Tensor | Operation]) -> list[Operation]:
        seen: dict[Operation, None] = {}
        stack = [t if isinstance(t, Operation) else t.op for t in wanted if not self._is_fed(t)]
        while stack:
            operation = stack.pop()
            if operation not in seen:
                seen[operation] = None
                stack.extend(operation.control_inputs)
                stack.extend([x.op for x in operation.inputs if not self._is_fed(x)])
        return sorted(seen, key=lambda o: o.number)

    def _is_fed(self, item: Tensor | Operation) -> bool:
        return isinstance(item, Tensor) and item.edge in self._fed

    def read(self, variable: Variable, edge: Edge) -> None:
        """A variable is read here: after the assignments so far."""
        if variable in self._waiting:
            self._finish([])
        self._given[edge] = edge[0].tensor(edge[1]), self._session.variable_value(variable)

    def assign(self, variable: Variable, value: core.Tensor) -> None:
        """A variable is assigned here."""
        if variable in self._waiting:
            self._finish([])
        self._waiting[variable] = value

    def draw(self, edge: Edge, value: Array) -> None:
        """A random value is drawn here."""
        self._given[edge] = edge[0].tensor(edge[1]), value

    def _finish(self, tensors: Sequence[core.Tensor]) -> list[Array]:
        """Compute the assignments that wait, and `tensors`; then let the assignments take place."""
        targets = [*self._waiting.values(), *tensors]
        found = self._computed(targets) if targets else []
        for variable, value in zip(self._waiting, found, strict=False):
            self._session._state[variable] = value.copy()
        count = len(self._waiting)
        self._waiting = {}
        return found[count:]

    def _computed(self, targets: Sequence[core.Tensor]) -> list[Array]:
        if all([x.rank_known for x in self._feeds]):
            try:
                return self._session.compute(targets, self._given)
            except InvalidArgumentError:
                raise
            except ShapeError as error:
                first = error
        else:
            first = None
        leaves = {x.edge: a.shape for x, a in self._feeds.items() if isinstance(x.tensor.node.op, Input)}
        try:
            again = self._session.again(leaves)
            given = {again.of(x).edge: (again.of(x), a) for x, a in self._given.values()}
            return self._session.compute([again.of(y) for y in targets], given)
        except TidegateError as error:
            raise first or error from None


def _shown(leaf: Any, values: list[Any]) -> Any:
    """What a run gives for one fetch: numbers without axes as NumPy's scalars."""
    if isinstance(leaf, IndexedSlices):
        return tuple(values)
    (value,) = values
    if value is None:
        return None
    out = np.array(value)
    return out if out.ndim else out[()]
