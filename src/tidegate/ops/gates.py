"""Gates: ops that change how derivatives flow, and not the value."""

from __future__ import annotations

from dataclasses import dataclass

from tidegate.core.dtypes import ANY
from tidegate.core.graph import Array
from tidegate.core.kinds import Elementwise


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
