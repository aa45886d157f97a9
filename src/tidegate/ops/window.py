"""Slice and Pad: each is the other's adjoint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tidegate.core.errors import ShapeError
from tidegate.core.graph import Array, Tensor, TensorType
from tidegate.core.kinds import AxisRead, IndexedRead, Read, View
from tidegate.core.op import Draw, Sample
from tidegate.core.shapes import Shape, Size, is_known, show_shape


@dataclass(frozen=True, eq=False)
class Slice(View):
    """Along each axis the elements at start, start + step, ... before stop.

    Shapes: x[...] -> ceil((stop - start) / step) along each axis.  Dtypes: any, kept.
    Raises ShapeError unless 0 <= start <= stop <= size and step >= 1. Of an axis whose size isn't known yet the step
    is 1, and start and what is left behind stop are at least 0 whatever the sizes are; when they are known the rest
    is checked.
    """

    starts: Shape
    stops: Shape
    steps: tuple[int, ...]

    def infer(self, x: TensorType) -> TensorType:
        spans = list(zip(self.starts, self.stops, self.steps, strict=True))
        if len(spans) != len(x.shape):
            raise ShapeError(f"Slice: got {x} and {len(spans)} spans; want one per axis")
        shape = []
        for size, (start, stop, step) in zip(x.shape, spans, strict=True):
            left = size - stop
            if is_known((size, start, stop)) and 0 <= start <= stop <= size and step >= 1:
                shape.append(-((start - stop) // step))
            elif not is_known((size,)) and step == 1 and not any([isinstance(n, int) and n < 0 for n in (start, left)]):
                shape.append(stop - start)  # checked again once the size is known
            else:
                raise ShapeError(f"Slice: got span {start}:{stop}:{step} of an axis of size {size} of {x}")
        return TensorType(tuple(shape), x.dtype)

    def reference(self, x: Array) -> Array:
        return x[tuple([slice(*span) for span in zip(self.starts, self.stops, self.steps, strict=True)])]

    def adjoint(self, cotangent: Tensor, x: Tensor) -> tuple[Tensor]:
        gaps = tuple([step - 1 for step in self.steps])
        after = []
        for i, (size, start, step) in enumerate(zip(x.shape, self.starts, self.steps, strict=True)):
            count = cotangent.shape[i]
            reach = 0 if is_known((count,)) and count == 0 else 1 + (count - 1) * step
            after.append(size - start - reach)
        return (Pad(self.starts, tuple(after), gaps)(cotangent),)

    def batch(self, size: int, batched: tuple[bool, ...], x: Tensor) -> Tensor:
        return Slice((0, *self.starts), (size, *self.stops), (1, *self.steps))(x)

    def reads(self, x: TensorType) -> tuple[Read, ...]:
        return (tuple([AxisRead(i, a, b) for i, (a, b) in enumerate(zip(self.starts, self.steps, strict=True))]),)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [
            Sample(cls((1, 0), (3, 5), (1, 2)), (Draw((4, 5)),)),
            Sample(cls((0,), (7,), (3,)), (Draw((8,)),)),
            Sample(cls((2,), (2,), (1,)), (Draw((4,)),)),
            Sample(cls((), (), ()), (Draw(()),)),
        ]


@dataclass(frozen=True, eq=False)
class Pad(IndexedRead):
    """Zeros around x and between its elements: along each axis `before`, `after`, and `between` each two.

    Shapes: x[...] -> before + n + (n - 1) * between + after along each axis.  Dtypes: any, kept; False for booleans.
    Raises ShapeError unless there is one of each, at least 0, per axis.
    """

    before: Shape
    after: Shape
    between: tuple[int, ...]

    def infer(self, x: TensorType) -> TensorType:
        if not len(self.before) == len(self.after) == len(self.between) == len(x.shape):
            raise ShapeError(f"Pad: got {x} and {len(self.before)} amounts; want one per axis")
        if any(isinstance(n, int) and n < 0 for n in (*self.before, *self.after, *self.between)):
            raise ShapeError(f"Pad: got {show_shape((*self.before, *self.after, *self.between))}; want at least 0")
        shape = []
        for n, before, after, between in zip(x.shape, self.before, self.after, self.between, strict=True):
            inner = 0 if isinstance(n, int) and n == 0 else (n - 1) * between
            shape.append(n + inner + before + after)
        return TensorType(tuple(shape), x.dtype)

    def places(self, shape: Shape) -> tuple[slice, ...]:
        """Where in the output the elements of an input of `shape` are."""
        steps = [gap + 1 for gap in self.between]
        return tuple(
            [slice(a, a + 1 + (n - 1) * s if n else a, s) for a, n, s in zip(self.before, shape, steps, strict=True)]
        )

    def reference(self, x: Array) -> Array:
        out = np.zeros(self.infer(TensorType(x.shape, x.dtype)).shape, x.dtype)
        out[self.places(x.shape)] = x
        return out

    def adjoint(self, cotangent: Tensor, x: Tensor) -> tuple[Tensor]:
        spans = []
        for a, n, b in zip(self.before, x.shape, self.between, strict=True):
            whole = isinstance(n, int) and n == 0
            spans.append((a, a if whole else a + 1 + (n - 1) * (b + 1), b + 1))
        starts, stops, steps = zip(*spans, strict=True) if spans else ((), (), ())
        return (Slice(starts, stops, steps)(cotangent),)

    def batch(self, size: int, batched: tuple[bool, ...], x: Tensor) -> Tensor:
        return Pad((0, *self.before), (0, *self.after), (0, *self.between))(x)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [
            Sample(cls((1, 0), (0, 2), (0, 1)), (Draw((2, 3)),)),
            Sample(cls((2,), (1,), (3,)), (Draw((0,)),)),
            Sample(cls((), (), ()), (Draw(()),)),
        ]


def part(x: Tensor, axis: int, start: Any, stop: Any) -> Tensor:
    """The elements of x from `start` to before `stop` along `axis`; x itself where that is all of them."""
    if not isinstance(start, Size) and start == 0 and (stop is x.shape[axis] or stop == x.shape[axis]):
        return x
    starts = tuple([start if i == axis else 0 for i in range(x.ndim)])
    return Slice(starts, tuple([stop if i == axis else n for i, n in enumerate(x.shape)]), (1,) * x.ndim)(x)
