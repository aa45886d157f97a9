"""Region ops: Call runs a graph of its own, Cond one of two. Their rules get the engine that they are handed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tidegate.core.body import Body
from tidegate.core.dtypes import BOOL, float64
from tidegate.core.errors import DTypeError, ShapeError
from tidegate.core.graph import Array, Tensor, TensorType
from tidegate.core.kinds import Engine, Region, Run
from tidegate.core.op import Draw, Op, Sample, show_types
from tidegate.core.shapes import Shape
from tidegate.ops.broadcast import filled, spread
from tidegate.ops.creation import Input
from tidegate.ops.elementwise import Sin, identity, multiply, select
from tidegate.ops.gates import StopGradient

MaybeTensors = tuple[Tensor | None, ...]


def fresh(kind: TensorType) -> Tensor:
    """A new input of a body."""
    return Input(kind)()


def check_fed(op: Op, body: Body, types: tuple[TensorType, ...]) -> None:
    """Raise ShapeError or DTypeError unless `types` are those of the body's inputs."""
    want = body.input_types
    if types != want:
        kind = ShapeError if [t.dtype for t in types] == [t.dtype for t in want] else DTypeError
        raise kind(f"{op.name}: got {show_types(types)}; its body takes {show_types(want)}")


def pulled_back(
    engine: Engine, body: Body, wanted: Sequence[bool], cotangents: MaybeTensors
) -> tuple[list[Tensor], list[Tensor | None]]:
    """Fresh inputs for the cotangents that there are, and the cotangents of the wanted inputs of the body from them."""
    seeds = tuple([None if c is None else fresh(c.type) for c in cotangents])
    sources = tuple([x for x, w in zip(body.inputs, wanted, strict=True) if w])
    pulled = iter(engine.vjp(body.outputs, sources, seeds))
    return [s for s in seeds if s is not None], [next(pulled) if w else None for w in wanted]


def pushed_forward(engine: Engine, body: Body, tangents: MaybeTensors) -> tuple[list[Tensor], list[Tensor | None]]:
    """Fresh inputs for the tangents that there are, and the tangents of the body's outputs from them."""
    seeds = tuple([None if t is None else fresh(t.type) for t in tangents])
    return [s for s in seeds if s is not None], engine.jvp(body.outputs, body.inputs, seeds)


def batched_body(engine: Engine, body: Body, size: int, batched: Sequence[bool]) -> Body:
    """The body on inputs of which those that `batched` says have a leading axis."""
    inputs = [
        fresh(TensorType((size, *x.shape), x.dtype)) if b else fresh(x.type)
        for x, b in zip(body.inputs, batched, strict=True)
    ]
    return Body(inputs, engine.batch(body, size, tuple(batched), tuple(inputs)))


def given(tensors: MaybeTensors) -> list[Tensor]:
    """Those that aren't None."""
    return [t for t in tensors if t is not None]


def spread_over(results: Sequence[Tensor], present: Sequence[bool]) -> MaybeTensors:
    """`results` where `present` is true, None elsewhere."""
    left = iter(results)
    return tuple([next(left) if p else None for p in present])


def with_zeros(results: MaybeTensors, like: Sequence[Tensor], opened: Sequence[bool]) -> MaybeTensors:
    """`results`, with zeros of the types of `like` where there is none and it is open."""
    return tuple([filled(0, x.type) if r is None and o else r for r, x, o in zip(results, like, opened, strict=True)])


@dataclass(frozen=True, eq=False)
class Call(Region):
    """Run a graph as one op. With `boundary`, an input that a derivative reaches from some output counts as reached
    from every one: where nothing flows, zeros do.

    Shapes and dtypes: those of the body's inputs -> those of its outputs.
    Raises ShapeError or DTypeError for inputs of other types.
    """

    body: Body
    boundary: bool = field(default=False, repr=False)

    def bodies(self) -> tuple[tuple[str, Body, tuple[int, ...]], ...]:
        return (("body", self.body, tuple(range(len(self.body.inputs)))),)

    def passes(self, output: int, input: int) -> bool:
        if not self.boundary:
            return self.body.passes(output, input)
        several = range(len(self.body.outputs))
        return self.body.outputs[output].differentiable and any([self.body.passes(k, input) for k in several])

    def infer(self, *types: TensorType) -> tuple[TensorType, ...]:
        check_fed(self, self.body, types)
        return self.body.output_types

    def reference(self, run: Run, *arrays: Array) -> tuple[Array, ...]:
        return run(self.body, arrays)

    def vjp(
        self,
        engine: Engine,
        wanted: tuple[bool, ...],
        cotangents: MaybeTensors,
        outs: tuple[Tensor, ...],
        *inputs: Tensor,
    ) -> MaybeTensors:
        seeds, grads = pulled_back(engine, self.body, wanted, cotangents)
        pulled = self._derived(seeds, grads, inputs, given(cotangents))
        if not self.boundary or not given(cotangents):
            return pulled
        opened = [w and any([self.passes(k, i) for k in range(len(outs))]) for i, w in enumerate(wanted)]
        return with_zeros(pulled, inputs, opened)

    def jvp(self, engine: Engine, tangents: MaybeTensors, outs: tuple[Tensor, ...], *inputs: Tensor) -> MaybeTensors:
        seeds, results = pushed_forward(engine, self.body, tangents)
        pushed = self._derived(seeds, results, inputs, given(tangents))
        if not self.boundary:
            return pushed
        moved = [i for i, t in enumerate(tangents) if t is not None]
        opened = [any([self.passes(k, i) for i in moved]) for k in range(len(outs))]
        return with_zeros(pushed, outs, opened)

    def _derived(
        self, seeds: list[Tensor], results: list[Tensor | None], inputs: tuple[Tensor, ...], changes: list[Tensor]
    ) -> MaybeTensors:
        present = [r is not None for r in results]
        if not any(present):
            return tuple(results)
        call = Call(Body((*self.body.inputs, *seeds), given(tuple(results))))
        return spread_over(call(*inputs, *changes), present)

    def batch(self, engine: Engine, size: int, batched: tuple[bool, ...], *xs: Tensor) -> tuple[Tensor, ...]:
        return Call(batched_body(engine, self.body, size, batched), self.boundary)(*xs)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [Sample(cls(_two_outputs(), boundary), (Draw((3,)), Draw((3,)))) for boundary in (False, True)]


@dataclass(frozen=True, eq=False)
class Cond(Region):
    """Run `then` if the predicate, a bool without axes, is true, else `otherwise`. The other one isn't run.

    Shapes and dtypes: bool[], then those of the inputs of both bodies -> those of the outputs of both.
    Raises ShapeError or DTypeError for inputs of other types, or bodies that differ in theirs.
    """

    then: Body
    otherwise: Body

    no_gradient = {0: "a predicate chooses; it isn't passed on"}
    choices = frozenset({0})

    def bodies(self) -> tuple[tuple[str, Body, tuple[int, ...]], ...]:
        fed = tuple(range(1, 1 + len(self.then.inputs)))
        return ("then", self.then, fed), ("otherwise", self.otherwise, fed)

    def infer(self, *types: TensorType) -> tuple[TensorType, ...]:
        if not types or types[0].dtype not in BOOL:
            raise DTypeError(f"Cond: got {show_types(types)}; want a bool predicate first")
        if types[0].shape != ():
            raise ShapeError(f"Cond: got predicate {types[0]}; want one without axes")
        check_fed(self, self.then, types[1:])
        check_fed(self, self.otherwise, types[1:])
        then, otherwise = self.then.output_types, self.otherwise.output_types
        if then != otherwise:
            raise ShapeError(f"Cond: its branches give {show_types(then)} and {show_types(otherwise)}; want the same")
        return then

    def reference(self, run: Run, predicate: Array, *arrays: Array) -> tuple[Array, ...]:
        return run(self.then if predicate else self.otherwise, arrays)

    def vjp(
        self,
        engine: Engine,
        wanted: tuple[bool, ...],
        cotangents: MaybeTensors,
        outs: tuple[Tensor, ...],
        predicate: Tensor,
        *xs: Tensor,
    ) -> MaybeTensors:
        pulled = [pulled_back(engine, body, wanted[1:], cotangents) for body in (self.then, self.otherwise)]
        zeros_of = [x.type for x in self.then.inputs]
        return (None, *self._derived(pulled, zeros_of, predicate, xs, given(cotangents)))

    def jvp(
        self,
        engine: Engine,
        tangents: MaybeTensors,
        outs: tuple[Tensor, ...],
        predicate: Tensor,
        *xs: Tensor,
    ) -> MaybeTensors:
        pushed = [pushed_forward(engine, body, tangents[1:]) for body in (self.then, self.otherwise)]
        return self._derived(pushed, list(self.then.output_types), predicate, xs, given(tangents[1:]))

    def _derived(
        self,
        branches: list[tuple[list[Tensor], list[Tensor | None]]],
        types: list[TensorType],
        predicate: Tensor,
        xs: tuple[Tensor, ...],
        changes: list[Tensor],
    ) -> MaybeTensors:
        """A Cond of what the branches give; zeros where one of them gives nothing and the other something."""
        present = [any(results[i] is not None for _, results in branches) for i in range(len(types))]
        if not any(present):
            return (None,) * len(types)
        bodies = []
        for body, (seeds, results) in zip((self.then, self.otherwise), branches, strict=True):
            outputs = [filled(0, t) if r is None else r for r, t, p in zip(results, types, present, strict=True) if p]
            bodies.append(Body((*body.inputs, *seeds), outputs))
        return spread_over(Cond(*bodies)(predicate, *xs, *changes), present)

    def batch(
        self, engine: Engine, size: int, batched: tuple[bool, ...], predicate: Tensor, *xs: Tensor
    ) -> tuple[Tensor, ...]:
        then, otherwise = (batched_body(engine, b, size, batched[1:]) for b in (self.then, self.otherwise))
        if not batched[0]:
            return Cond(then, otherwise)(predicate, *xs)
        outs = zip(Call(then)(*xs), Call(otherwise)(*xs), strict=True)
        return tuple([select(spread(predicate, a.shape, tuple(range(1, a.ndim))), a, b) for a, b in outs])

    @classmethod
    def domain(cls) -> list[Sample]:
        body, other = _two_outputs(), _two_outputs(swapped=True)
        return [Sample(cls(body, other), (Draw((), like="boolean"), Draw((3,)), Draw((3,))))]


def _two_outputs(*, swapped: bool = False) -> Body:
    """A body for the tests: sin(x) * y, and x with a stop on y; `swapped`, the other way round."""
    shape: Shape = (3,)
    x, y = fresh(TensorType(shape, np.dtype(float64))), fresh(TensorType(shape, np.dtype(float64)))
    a, b = (y, x) if swapped else (x, y)
    return Body((x, y), (multiply(Sin()(a), b), multiply(identity(a), StopGradient()(b))))
