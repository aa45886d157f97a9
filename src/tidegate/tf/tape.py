"""tf.GradientTape: gradients of what was computed within it."""

from __future__ import annotations

import warnings
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from math import prod
from typing import Any, Self

from tidegate.core import graph as core
from tidegate.core.body import Body
from tidegate.core.errors import ArgumentError, ShapeError
from tidegate.core.graph import TensorType, next_number
from tidegate.core.tree import flatten
from tidegate.functions.creation import zeros
from tidegate.functions.grid import eye
from tidegate.functions.shape import broadcast_to, moveaxis, reshape
from tidegate.ops.broadcast import filled
from tidegate.ops.creation import Input
from tidegate.tf.convert import convert
from tidegate.tf.errors import UsageError
from tidegate.tf.graph import current_graph
from tidegate.tf.recording import Recorder
from tidegate.tf.slices import sparse_or_dense
from tidegate.tf.tensor import Tensor
from tidegate.tf.unconnected import total, wants_zeros
from tidegate.tf.variable import Variable
from tidegate.transforms.closing import close
from tidegate.transforms.engine import ENGINE


class GradientTape(Recorder):
    """Records what is computed within it from watched tensors, and from trainable variables that are read.

    persistent: gradients may be asked for more than once. watch_accessed_variables: whether reading a trainable
    variable watches it.
    """

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        super().__init__()
        self._persistent, self._watches_variables = persistent, watch_accessed_variables
        self._used = False

    def __enter__(self) -> Self:
        if self._recording:
            raise ArgumentError("GradientTape: it is recording already; a tape can't be entered twice at once")
        self._start()
        return self

    def __exit__(self, *exception: object) -> None:
        if self._recording:
            self._stop()

    def wants(self, variable: Any) -> bool:
        """Whether it watches a variable that is read."""
        return self._watches_variables and variable.trainable

    def watch(self, tensor: Any) -> None:
        """Record what is computed from a tensor or variable, or from each in a container, from now on.

        What isn't floating point or complex is let be, with a warning. Raises ArgumentError (ValueError) for what is
        no tensor.
        """
        for x in flatten(tensor)[0]:
            if isinstance(x, Variable):
                self._reads.setdefault(x, [])
            elif not isinstance(x, Tensor):
                raise ArgumentError(f"GradientTape.watch: got {type(x).__name__}; want a tensor or a variable")
            elif not x.tensor.differentiable:
                warnings.warn(f"GradientTape.watch: got {x.dtype.name}; no gradient flows to it", stacklevel=2)
            else:
                self._watch_tensor(x)

    def watched_variables(self) -> tuple[Variable, ...]:
        """The variables that it watches, in the order in which they were read."""
        return tuple(self._reads)

    @contextmanager
    def stop_recording(self) -> Generator[None]:
        """Record nothing within. Raises ArgumentError unless the tape is recording."""
        if not self._recording:
            raise ArgumentError("GradientTape.stop_recording: the tape isn't recording")
        self._stop()
        try:
            yield
        finally:
            self._start()

    def reset(self) -> None:
        """Forget everything, and go on recording if it records now."""
        recording = self._recording
        if recording:
            self._stop()
        self._intervals, self._watched, self._reads, self._used = [], {}, {}, False
        if recording:
            self._start()

    def gradient(
        self,
        target: Any,
        sources: Any,
        output_gradients: Any = None,
        unconnected_gradients: Any = "none",
    ) -> Any:
        """The gradient of the sum of `target` for each of `sources`, in their structure; None where nothing flows.

        target: a tensor, variable, or container of them. output_gradients: what flows in at each target, ones for None.
        Raises UsageError (RuntimeError) the second time unless the tape is persistent, ArgumentError (ValueError) for
        wrong options.
        """
        zero = wants_zeros(unconnected_gradients, "GradientTape.gradient")
        self._use()
        targets = [convert(t, who="GradientTape.gradient").tensor for t in _targets(target)]
        given = [None] * len(targets) if output_gradients is None else flatten(output_gradients)[0]
        if len(given) != len(targets):
            raise ArgumentError(f"GradientTape.gradient: got {len(given)} output_gradients for {len(targets)} targets")
        seeds = [seed_of(y, g) for y, g in zip(targets, given, strict=True)]
        leaves, structure = flatten(sources)
        found = self._pulled(targets, seeds, leaves)
        return structure.build([_result(g, s, zero=zero) for g, s in zip(found, leaves, strict=True)])

    def _use(self) -> None:
        if self._used and not self._persistent:
            raise UsageError(
                "GradientTape.gradient: a tape that isn't persistent gives gradients once; use "
                "tf.GradientTape(persistent=True)"
            )
        self._used = True
        if self._recording and not self._persistent:
            self._stop()

    def _pulled(
        self, targets: Sequence[core.Tensor], seeds: Sequence[core.Tensor | None], sources: Sequence[Any]
    ) -> list[core.Tensor | None]:
        """The gradients for `sources`: those of a variable are added up over its reads."""
        for s in sources:
            if not isinstance(s, (Tensor, Variable)):
                raise ArgumentError(f"GradientTape.gradient: got {type(s).__name__} among sources; want tensors")
        nodes, outside = self.recorded(targets)
        groups = [[x for x in self.stands_for(s) if self.knows(x, nodes)] for s in sources]
        known = tuple([x.tensor for group in groups for x in group])
        pairs = [(y, c) for y, c in zip(targets, seeds, strict=True) if c is not None]
        found = iter(ENGINE.vjp(tuple([y for y, _ in pairs]), known, tuple([c for _, c in pairs]), outside))
        return [total([next(found) for _ in group]) for group in groups]

    def jacobian(
        self,
        target: Any,
        sources: Any,
        unconnected_gradients: Any = "none",
        parallel_iterations: Any = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """The derivative of each element of one tensor for each element of `sources`: of shape target's + source's.

        Raises as `gradient` does; UsageError for experimental_use_pfor=False on a tape that isn't persistent.
        """
        zero = wants_zeros(unconnected_gradients, "GradientTape.jacobian")
        if not experimental_use_pfor and not self._persistent and current_graph() is None:
            raise UsageError("GradientTape.jacobian: experimental_use_pfor=False wants a persistent tape")
        self._use()
        y = convert(target, who="GradientTape.jacobian").tensor
        leaves, structure = flatten(sources)
        count = y.size
        basis = reshape(eye(count, dtype=y.dtype), (count, *y.shape)) if y.differentiable else None
        rows = self._rows(y, leaves, basis, count)
        shaped = [None if g is None else reshape(g, (*y.shape, *g.shape[1:])) for g in rows]
        if zero:
            shaped = [
                zeros((*y.shape, *_type(s).shape), dtype=_type(s).dtype) if g is None else g
                for g, s in zip(shaped, leaves, strict=True)
            ]
        return structure.build([None if g is None else told(g) for g in shaped])

    def batch_jacobian(
        self,
        target: Any,
        source: Any,
        unconnected_gradients: Any = "none",
        parallel_iterations: Any = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """Row by row, the derivative of target[i] for source[i]: of shape (rows, *target's rest, *source's rest).

        Each row of the target must depend on the same row of the source alone.
        Raises ShapeError (ValueError) unless both have as many rows.
        """
        zero = wants_zeros(unconnected_gradients, "GradientTape.batch_jacobian")
        self._use()
        y, x = convert(target).tensor, convert(source).tensor
        if not y.shape or not x.shape or y.shape[0] != x.shape[0]:
            raise ShapeError(f"GradientTape.batch_jacobian: got {y.type} for {x.type}; want as many rows in both")
        count = prod(y.shape[1:])
        basis = broadcast_to(reshape(eye(count, dtype=y.dtype), (count, 1, *y.shape[1:])), (count, *y.shape))
        (rows,) = self._rows(y, [source], basis, count)
        if rows is None:
            return told(zeros((*y.shape, *x.shape[1:]), dtype=x.dtype)) if zero else None
        return told(reshape(moveaxis(rows, 0, 1), (*y.shape, *x.shape[1:])))

    def _rows(
        self, y: core.Tensor, sources: Sequence[Any], basis: core.Tensor | None, count: int
    ) -> list[core.Tensor | None]:
        """The gradients for each row of `basis` as what flows in at y, stacked."""
        if basis is None:
            return [None] * len(sources)
        first = next_number()
        seed = Input(TensorType(y.shape, y.dtype))()
        found = self._pulled([y], [seed], sources)
        there = [g for g in found if g is not None]
        body, captured = close(there, [seed], first)
        batched = (True, *[False for _ in captured])
        rows = iter(ENGINE.batch(Body(body.inputs, body.outputs), count, batched, (basis, *captured)))
        return [None if g is None else next(rows) for g in found]


def _targets(target: Any) -> list[Any]:
    leaves = flatten(target)[0]
    if not leaves or any([t is None for t in leaves]):
        raise ArgumentError("GradientTape.gradient: got None as a target; a target must be a tensor or a variable")
    return leaves


def seed_of(y: core.Tensor, given: Any) -> core.Tensor | None:
    """What flows in at y, by default ones; None for a y of integers or booleans, from which nothing does."""
    if not y.differentiable:
        return None
    if given is None:
        return filled(1, y.type)
    seed = convert(given, y.dtype if not isinstance(given, Tensor) else None, "output_gradients").tensor
    if seed.type is not y.type:
        raise ArgumentError(f"output_gradients: got {seed.type} for a target {y.type}; want its shape and dtype")
    return seed


def _type(source: Any) -> TensorType:
    return source.type if isinstance(source, Variable) else source.tensor.type


def _result(found: core.Tensor | None, source: Any, *, zero: bool) -> Any:
    if found is None:
        return told(filled(0, _type(source))) if zero else None
    return sparse_or_dense(found, told)


def told(x: core.Tensor) -> Tensor:
    """A tensor of what the builder made: recorded, in a graph."""
    graph = current_graph()
    return Tensor(x) if graph is None else graph.tensor_of(x)
