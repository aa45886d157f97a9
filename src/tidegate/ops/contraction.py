"""DotGeneral: every product of two tensors that is summed along shared axes."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np

from tidegate.core.dtypes import NUMERIC
from tidegate.core.errors import AxisError, ShapeError
from tidegate.core.graph import Array, Tensor, TensorType
from tidegate.core.kinds import AxisRead, Contraction, Read, in_float32
from tidegate.core.op import Draw, Sample, show_types
from tidegate.ops.broadcast import shifted
from tidegate.ops.elementwise import conjugate
from tidegate.ops.layout import Permute, moved

Axes = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class DotGeneral(Contraction):
    """The product of x and y summed along `contracted` axes, apart along `shared` ones; each a pair of axes of x, y.

    Shapes: x[...], y[...] -> [shared..., the rest of x..., the rest of y...].
    Dtypes: two of one numeric dtype, kept; accumulated in float32 or wider.
    Raises AxisError for axes that aren't there or come twice, ShapeError where paired sizes differ.
    """

    contracted: tuple[Axes, Axes]
    shared: tuple[Axes, Axes] = ((), ())

    jointly_linear = False

    def free(self, side: int, rank: int) -> Axes:
        """The axes of x (side 0) or y (side 1) that are neither contracted nor shared."""
        return tuple([a for a in range(rank) if a not in self.contracted[side] and a not in self.shared[side]])

    def infer(self, x: TensorType, y: TensorType) -> TensorType:
        self.require([x, y], NUMERIC)
        for side, t in enumerate((x, y)):
            axes = (*self.contracted[side], *self.shared[side])
            if len(set(axes)) != len(axes) or any(not 0 <= a < len(t.shape) for a in axes):
                raise AxisError(f"DotGeneral: got axes {axes} of {t}; want some of its axes, each once")
        for pair in (self.contracted, self.shared):
            sizes = [tuple([t.shape[a] for a in axes]) for t, axes in zip((x, y), pair, strict=True)]
            if sizes[0] != sizes[1]:
                raise ShapeError(f"DotGeneral: got {show_types([x, y])}; want equal sizes along axes {pair}")
        shape = [x.shape[a] for a in (*self.shared[0], *self.free(0, len(x.shape)))]
        return TensorType((*shape, *[y.shape[a] for a in self.free(1, len(y.shape))]), x.dtype)

    def reference(self, x: Array, y: Array) -> Array:
        free_x, free_y = self.free(0, x.ndim), self.free(1, y.ndim)
        shape = [x.shape[a] for a in (*self.shared[0], *free_x)] + [y.shape[a] for a in free_y]
        shared, inner = (prod([x.shape[a] for a in axes]) for axes in (self.shared[0], self.contracted[0]))
        rows, columns = prod([x.shape[a] for a in free_x]), prod([y.shape[a] for a in free_y])
        left = np.transpose(x, (*self.shared[0], *free_x, *self.contracted[0])).reshape(shared, rows, inner)
        right = np.transpose(y, (*self.shared[1], *self.contracted[1], *free_y)).reshape(shared, inner, columns)
        return in_float32(np.matmul, left, right).reshape(shape)

    def adjoint(self, cotangent: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        return self._one(0, cotangent, y, x.ndim), self._one(1, cotangent, x, y.ndim)

    def _one(self, side: int, cotangent: Tensor, other: Tensor, rank: int) -> Tensor:
        """The cotangent of one side: contract with the free axes of the other, then put the axes in order."""
        across = 1 - side
        count = len(self.shared[0])
        free, free_other = self.free(side, rank), self.free(across, other.ndim)
        places = tuple(range(count, cotangent.ndim))
        theirs = places[len(free) :] if side == 0 else places[: len(free_other)]
        product = DotGeneral((theirs, free_other), (tuple(range(count)), self.shared[across]))
        partner = dict(zip(self.contracted[across], self.contracted[side], strict=True))
        order = (*self.shared[side], *free, *[partner[a] for a in sorted(self.contracted[across])])
        return Permute(order).inverse()(product(cotangent, conjugate(other)))

    def batch(self, size: int, batched: tuple[bool, ...], x: Tensor, y: Tensor) -> Tensor:
        contracted, shared = (
            tuple([shifted(axes) if b else axes for axes, b in zip(pair, batched, strict=True)])
            for pair in (self.contracted, self.shared)
        )
        if all(batched):
            return DotGeneral(contracted, ((0, *shared[0]), (0, *shared[1])))(x, y)
        place = len(shared[0]) + (0 if batched[0] else len(self.free(0, x.ndim)))
        return moved(DotGeneral(contracted, shared)(x, y), place, 0)

    def reads(self, x: TensorType, y: TensorType) -> tuple[Read, ...]:
        free = self.free(0, len(x.shape)), self.free(1, len(y.shape))
        count = len(self.shared[0])
        first = (count, count + len(free[0]))
        reads = []
        for side, t in enumerate((x, y)):
            loop = {a: i for i, a in enumerate(self.shared[side])}
            loop |= {a: first[side] + i for i, a in enumerate(free[side])}
            loop |= {a: first[1] + len(free[1]) + i for i, a in enumerate(self.contracted[side])}
            reads.append(tuple([AxisRead(loop[a]) for a in range(len(t.shape))]))
        return tuple(reads)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [
            Sample(cls(((1,), (0,))), (Draw((2, 3)), Draw((3, 4)))),
            Sample(cls(((2,), (0,)), ((0,), (2,))), (Draw((2, 3, 4)), Draw((4, 5, 2)))),
            Sample(cls(((0, 2), (2, 1))), (Draw((2, 3, 4)), Draw((5, 4, 2)))),
            Sample(cls(((), ())), (Draw((2,)), Draw((3,)))),
            Sample(cls(((1,), (0,))), (Draw((2, 0)), Draw((0, 3)))),
        ]


def matrix_product(x: Tensor, y: Tensor) -> Tensor:
    """[..., m, k] times [..., k, n], with equal leading axes."""
    lead = tuple(range(x.ndim - 2))
    return DotGeneral(((x.ndim - 1,), (y.ndim - 2,)), (lead, lead))(x, y)
