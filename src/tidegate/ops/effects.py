"""Ops that do something: printing. Each gives a token, which the next one takes, so that they happen in order."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np

from tidegate.core.dtypes import BOOL, bool_
from tidegate.core.errors import ShapeError
from tidegate.core.graph import Array, Tensor, TensorType
from tidegate.core.kinds import Opaque
from tidegate.core.op import Draw, Sample, show_types
from tidegate.ops.broadcast import repeat

TOKEN = TensorType((), bool_)


@dataclass(frozen=True, eq=False)
class Print(Opaque):
    """Write values to the standard output: `parts` are texts, and None where the next value stands.

    Shapes and dtypes: any number of tensors, of any; those after the values are tokens of effects that come before.
    Gives a token, bool[].
    """

    parts: tuple[str | None, ...]
    non_differentiable = "printing passes nothing on"

    def infer(self, *inputs: TensorType) -> TensorType:
        values = self.parts.count(None)
        if len(inputs) < values or any([t.dtype not in BOOL for t in inputs[values:]]):
            raise ShapeError(f"Print: got {show_types(inputs)}; want {values} values, and tokens after them")
        return TOKEN

    def reference(self, *xs: Array) -> Array:
        left = iter(xs)
        sys.stdout.write("".join([str(next(left)) if part is None else part for part in self.parts]))
        return np.asarray(True)

    def batch(self, size: int, batched: tuple[bool, ...], *xs: Tensor) -> Tensor:
        return repeat(size, self(*xs))  # once, with the values of the whole batch

    @classmethod
    def domain(cls) -> list[Sample]:
        return [Sample(cls(("x ", None, "\n")), (Draw((3,)),))]
