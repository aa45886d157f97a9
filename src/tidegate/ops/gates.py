"""Gates: ops that change how derivatives flow, and not the value."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tidegate.core.dtypes import ANY, BOOL
from tidegate.core.errors import DTypeError, Fault, ValueFaultError
from tidegate.core.graph import Array, Tensor, TensorType
from tidegate.core.kinds import Elementwise, Opaque
from tidegate.core.op import Draw, Sample
from tidegate.ops.broadcast import repeat


@dataclass(frozen=True, eq=False)
class StopGradient(Elementwise):
    """x, a constant to every derivative of every order. `internal` if one of our own formulas needs it.

    Shapes and dtypes: any, kept.
    """

    internal: bool = False

    dtypes = ANY
    non_differentiable = "stop_gradient makes it a constant"

    def compute(self, x: Array) -> Array:
        return x


@dataclass(frozen=True, eq=False)
class PreventGradient(Elementwise):
    """x; asking for a derivative that must pass it is an error, which says `message`.

    Shapes and dtypes: any, kept.
    """

    message: str = ""

    dtypes = ANY
    refuses = "prevent_gradient forbids it"

    def compute(self, x: Array) -> Array:
        return x

    def why_refused(self) -> str:
        return f"{self.refuses}: {self.message}" if self.message else self.refuses


@dataclass(frozen=True, eq=False)
class Ensure(Opaque):
    """x, after a look at whether `condition` is true everywhere; what it says otherwise is `message`.

    Shapes: any, and any.  Dtypes: any, kept, and bool.
    Raises, at evaluation, InvalidValueError where `condition` is false.
    """

    message: str

    no_gradient = {1: "a condition is looked at; it isn't passed on"}
    choices = frozenset({1})

    def infer(self, x: TensorType, condition: TensorType) -> TensorType:
        self.require([x], ANY)
        if condition.dtype not in BOOL:
            raise DTypeError(f"Ensure: got {condition} as condition; want bool")
        return x

    def reference(self, x: Array, condition: Array) -> Array:
        if not condition.all():
            place = tuple([int(i) for i in np.argwhere(~condition)[0]])
            where = f" at {list(place)}" if place else ""
            raise ValueFaultError(Fault.INVALID_VALUE, place, f"ensure: {self.message}: the condition is false{where}")
        return x

    def adjoint(self, cotangent: Tensor, x: Tensor, condition: Tensor) -> tuple[Tensor, None]:
        return cotangent, None

    def batch(self, size: int, batched: tuple[bool, ...], x: Tensor, condition: Tensor) -> Tensor:
        return self(x if batched[0] else repeat(size, x), condition)

    @classmethod
    def domain(cls) -> list[Sample]:
        op = cls("it must be so")
        return [
            Sample(op, (Draw((2, 3)), Draw((), like="true"))),
            Sample(op, (Draw(()), Draw((2,), like="true"))),
            Sample(op, (Draw((0, 2)), Draw((0, 2), like="true"))),
        ]
