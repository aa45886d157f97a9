"""Attached: values whose gradient for other tensors is what somebody says: how custom gradients are made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tidegate.core.body import Body
from tidegate.core.dtypes import float64
from tidegate.core.errors import DTypeError, RuleError, ShapeError
from tidegate.core.graph import Array, Tensor, TensorType
from tidegate.core.kinds import Engine, Region, Run
from tidegate.core.op import Draw, Sample, show_types
from tidegate.ops.broadcast import filled, repeat
from tidegate.ops.elementwise import add, multiply
from tidegate.ops.regions import Call, MaybeTensors, check_fed, fresh, spread_over

Pullback = Callable[[tuple[Tensor, ...]], Sequence[Tensor | None]]


@dataclass(frozen=True, eq=False)
class Attached(Region, interned=False):
    """The first `count` inputs as they are. Beside its own, the cotangent of the outputs gives one for each of the next
    `given` inputs: what `body` makes of it and of the inputs that follow (for those that `present` says), or what
    `function` does. Whoever wants that one alone stops the gradient of the first inputs.

    Shapes and dtypes: any, kept.
    Raises ShapeError or DTypeError for another number of inputs, or of types that `body` doesn't take or give.
    """

    count: int
    given: int
    present: tuple[bool, ...]
    body: Body | None
    function: Pullback | None = None

    def bodies(self) -> tuple[tuple[str, Body, tuple[int, ...]], ...]:
        return ()

    def passes(self, output: int, input: int) -> bool:
        if input < self.count:
            return input == output
        return input < self.count + self.given and (self.body is None or self.present[input - self.count])

    def why_not(self, output: int, input: int) -> str:
        return "the gradient that was put in its place gives it none"

    def infer(self, *types: TensorType) -> tuple[TensorType, ...]:
        taken = self.count + self.given
        if len(types) < taken or (self.body is None and len(types) > taken):
            raise ShapeError(f"Attached: got {show_types(types)}; want {taken} inputs")
        if self.body is not None:
            check_fed(self, self.body, (*types[: self.count], *types[taken:]))
            given = tuple([t for t, p in zip(types[self.count : taken], self.present, strict=True) if p])
            if given != self.body.output_types:
                kind = ShapeError if [t.dtype for t in given] == [y.dtype for y in self.body.outputs] else DTypeError
                raise kind(f"Attached: got {show_types(given)}; its body gives {show_types(self.body.output_types)}")
        return types[: self.count]

    def reference(self, run: Run, *arrays: Array) -> tuple[Array, ...]:
        return arrays[: self.count]

    def vjp(
        self,
        engine: Engine,
        wanted: tuple[bool, ...],
        cotangents: MaybeTensors,
        outs: tuple[Tensor, ...],
        *inputs: Tensor,
    ) -> MaybeTensors:
        own = [c if w else None for c, w in zip(cotangents, wanted, strict=False)]
        xs = inputs[self.count : self.count + self.given]
        rest = inputs[self.count + self.given :]
        found: Sequence[Tensor | None] = [None for _ in xs]
        if any(wanted[self.count :]):
            whole = tuple([filled(0, y.type) if c is None else c for c, y in zip(cotangents, outs, strict=True)])
            found = self._pulled(whole, rest)
        for x, g in zip(xs, found, strict=True):
            if g is not None and g.type is not x.type:
                raise RuleError(f"Attached: got a gradient {g.type} for {x.type}")
        pulled = [g if w and x.differentiable else None
                  for g, w, x in zip(found, wanted[self.count :], xs, strict=False)]  # fmt: skip
        return (*own, *pulled, *[None for _ in rest])

    def _pulled(self, cotangents: tuple[Tensor, ...], rest: tuple[Tensor, ...]) -> Sequence[Tensor | None]:
        if self.body is None:
            assert self.function is not None
            return self.function(cotangents)
        if not any(self.present):
            return [None for _ in self.present]
        return spread_over(Call(self.body)(*cotangents, *rest), self.present)

    def jvp(self, engine: Engine, tangents: MaybeTensors, outs: tuple[Tensor, ...], *inputs: Tensor) -> MaybeTensors:
        pushed = list(tangents[: self.count])
        moved = tangents[self.count : self.count + self.given]
        if all([t is None for t in moved]):
            return tuple(pushed)
        dummies = [filled(0, y.type) for y in outs]  # it is linear in them: their values don't matter
        wanted = (*[False for _ in outs], *[t is not None for t in tangents[self.count :]])
        pulled = self.vjp(engine, wanted, tuple(dummies), outs, *inputs)[self.count :]
        pairs = [(g, t) for g, t in zip(pulled, tangents[self.count :], strict=True) if g is not None and t is not None]
        more = engine.vjp(tuple([g for g, _ in pairs]), tuple(dummies), tuple([t for _, t in pairs]))
        return tuple([t if m is None else m if t is None else add(t, m) for t, m in zip(pushed, more, strict=True)])

    def batch(self, engine: Engine, size: int, batched: tuple[bool, ...], *xs: Tensor) -> tuple[Tensor, ...]:
        if self.body is None:
            raise RuleError("Attached: a gradient that is a Python function can't be batched; trace the function first")
        taken = self.count + self.given
        several = [x if b else repeat(size, x) for x, b in zip(xs[:taken], batched, strict=False)]
        flags = (*[True for _ in range(self.count)], *batched[taken:])
        inputs = [
            fresh(TensorType((size, *x.shape), x.dtype)) if b else fresh(x.type)
            for x, b in zip(self.body.inputs, flags, strict=True)
        ]
        body = Body(inputs, engine.batch(self.body, size, flags, tuple(inputs)))
        return Attached(self.count, self.given, self.present, body)(*several, *xs[taken:])

    @classmethod
    def domain(cls) -> list[Sample]:
        seed, scale = fresh(TensorType((3,), float64)), fresh(TensorType((3,), float64))
        nothing = Body((seed, scale), (multiply(multiply(seed, scale), filled(0, seed.type)),))
        op: Any = cls(1, 1, (True,), nothing)
        return [Sample(op, (Draw((3,)), Draw((3,)), Draw((3,))))]
