"""The kinds of op. Fusion, memory planning and batching look at an op's kind, not at its name.

A kind with a loop nest says which element of each input an iteration reads (`reads`): the loops are the output's
axes, then the reduced ones. What depends on data, or on no such rule, is Whole.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np

from tidegate.core.body import Body
from tidegate.core.dtypes import HALF, NUMERIC, DType, float32, float64
from tidegate.core.errors import RuleError, ShapeError
from tidegate.core.graph import Array, Tensor, TensorType
from tidegate.core.op import Draw, Op, Sample, show_types


@dataclass(frozen=True)
class AxisRead:
    """Where an iteration reads along one axis of an input: at start + step * (the place of `loop`).

    `loop` None means always at start.
    """

    loop: int | None
    start: int = 0
    step: int = 1


@dataclass(frozen=True)
class Flat:
    """The input element of the same place in row-major order."""


@dataclass(frozen=True)
class Whole:
    """Any element: it depends on data, or on no rule."""


Read = tuple[AxisRead, ...] | Flat | Whole


def same_axes(rank: int) -> tuple[AxisRead, ...]:
    """The element of the same place."""
    return tuple([AxisRead(i) for i in range(rank)])


class Elementwise(Op, abstract=True):
    """out[i] = f(xs[i]): every input has the output's shape (broadcasting is an op of its own)."""

    arity: ClassVar[int] = 1
    pointwise = True
    dtypes: ClassVar[frozenset[DType]] = NUMERIC
    intervals: ClassVar[tuple[tuple[float, float], ...]] = ((-2.0, 2.0),)
    """Where tests draw each input; the last one stands for those that follow."""
    compute: Any
    """The NumPy function; it takes inputs that NumPy would broadcast to one shape. float16 and bfloat16 are computed
    in float32 and rounded once."""

    def __init_subclass__(cls, abstract: bool = False, interned: bool = True) -> None:
        super().__init_subclass__(abstract=abstract, interned=interned)
        cls.plain = cls.reference is Elementwise.reference

    def infer(self, *inputs: TensorType) -> TensorType:
        self.require(inputs, self.dtypes)
        return self.same_shape(inputs)

    def same_shape(self, inputs: tuple[TensorType, ...]) -> TensorType:
        """The first input's type. Raises ShapeError unless all have its shape."""
        first = inputs[0]
        for t in inputs:
            if t.shape != first.shape:
                raise ShapeError(f"{self.name}: got {show_types(inputs)}; want one shape (broadcast them first)")
        return first

    def reference(self, *xs: Array) -> Array:
        return in_float32(self.compute, *xs)

    batch_together = True

    def batch(self, size: int, batched: tuple[bool, ...], *xs: Tensor) -> Any:
        return self(*xs)

    @classmethod
    def domain(cls) -> list[Sample]:
        op = cls()
        spans = [cls.intervals[min(i, len(cls.intervals) - 1)] for i in range(cls.arity)]
        shapes: list[tuple[int, ...]] = [(), (3,), (2, 3), (0, 2), (1, 1)]
        return [Sample(op, tuple([Draw(shape, *span) for span in spans])) for shape in shapes]

    def reads(self, *inputs: TensorType) -> tuple[Read, ...]:
        return tuple([same_axes(len(t.shape)) for t in inputs])


def in_float32(function: Callable[..., Any], *xs: Array) -> Array:
    """`function` of arrays; of float16 and bfloat16 in float32, rounded once, as every backend must."""
    dtype = xs[0].dtype
    if dtype not in HALF:
        return function(*xs)
    out = np.asarray(function(*[x.astype(float32) for x in xs]))
    return out.astype(dtype) if out.dtype == float32 else out


def in_float64(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function`, which computes in float64, of arrays of any floating point dtype; rounded once."""

    def rounded(*xs: Array) -> Array:
        with np.errstate(all="ignore"):
            return np.asarray(function(*[x.astype(float64) for x in xs])).astype(xs[0].dtype)

    return rounded


class View(Op, abstract=True):
    """Every output element is one input element, at a place that the attributes alone say."""


class Reduction(Op, abstract=True):
    """Combines the elements along `axes`, which are dropped."""

    axes: tuple[int, ...]

    def reads(self, *inputs: TensorType) -> tuple[Read, ...]:
        (x,) = inputs
        return (reduced_reads(len(x.shape), self.axes),)


def reduced_reads(rank: int, axes: tuple[int, ...]) -> tuple[AxisRead, ...]:
    """Kept axes are the first loops, in order; reduced ones follow."""
    kept = [i for i in range(rank) if i not in axes]
    loops = {axis: loop for loop, axis in enumerate([*kept, *axes])}
    return tuple([AxisRead(loops[i]) for i in range(rank)])


class Contraction(Op, abstract=True):
    """Products of elements of two inputs, summed along shared axes."""


class IndexedRead(Op, abstract=True):
    """Every output element is one input element or a fill, at a place that data or a test says."""

    def reads(self, *inputs: TensorType) -> tuple[Read, ...]:
        return (Whole(),) * len(inputs)


class Scatter(Op, abstract=True):
    """Every input element is added to an output element at a place that data says."""

    def reads(self, *inputs: TensorType) -> tuple[Read, ...]:
        return (Whole(),) * len(inputs)


class Generator(Op, abstract=True):
    """Makes values of no input."""

    def batch(self, size: int, batched: tuple[bool, ...]) -> Tensor:
        raise RuleError(f"{self.name}: has no input that could be batched")

    def reads(self) -> tuple[Read, ...]:
        return ()


class Opaque(Op, abstract=True):
    """A library's routine: sorts, decompositions, recurrences."""

    def reads(self, *inputs: TensorType) -> tuple[Read, ...]:
        return (Whole(),) * len(inputs)


class Engine(Protocol):
    """What a region op's rules are handed, so that this floor needn't know the transforms."""

    def vjp(
        self, outputs: tuple[Tensor, ...], inputs: tuple[Tensor, ...], cotangents: tuple[Tensor | None, ...]
    ) -> list[Tensor | None]:
        """The cotangents of `inputs`; None where nothing flows."""
        ...

    def jvp(
        self, outputs: tuple[Tensor, ...], inputs: tuple[Tensor, ...], tangents: tuple[Tensor | None, ...]
    ) -> list[Tensor | None]:
        """The tangents of `outputs`; None where nothing flows."""
        ...

    def batch(self, body: Body, size: int, batched: tuple[bool, ...], xs: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        """The outputs of `body` on `xs`, of which those that `batched` says have one more, leading, axis; every
        output has it."""
        ...


Run = Callable[[Body, tuple[Array, ...]], tuple[Array, ...]]
"""Runs a body on values."""


class Region(Op, abstract=True):
    """Runs graphs of its own. `vjp(engine, ...)`, `jvp(engine, ...)`, `batch(engine, size, batched, *xs)` and
    `reference(run, *arrays)` get the means to; both modes may be stated, and tests compare them."""

    both_modes_stated: ClassVar[bool] = True
    remembered = False

    vjp: Any
    jvp: Any
    bodies: Any
    """(name, body, the inputs of the op that feed the body's inputs), for each graph that it may run."""

    def passes(self, output: int, input: int) -> bool:
        return any(
            body.passes(output, place)
            for _, body, fed in self.bodies()
            for place, source in enumerate(fed)
            if source == input
        )

    def why_not(self, output: int, input: int) -> str:
        return self.no_gradient.get(input) or "no open path leads there inside"

    def several(self, count: int) -> bool:
        return True

    def reads(self, *inputs: TensorType) -> tuple[Read, ...]:
        return (Whole(),) * len(inputs)
