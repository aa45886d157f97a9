"""What stands where nothing flows, and how gradients for several sources are put together."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import reduce
from typing import Any

from tidegate.core import graph as core
from tidegate.core.errors import ArgumentError
from tidegate.ops.elementwise import add


class UnconnectedGradients(Enum):
    """What stands where no gradient flows: None, or zeros of the source's shape and dtype."""

    NONE = "none"
    ZERO = "zero"


class AggregationMethod:
    """How gradients are added up. There is one way here; the names are accepted."""

    ADD_N = 0
    DEFAULT = 0
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


def wants_zeros(option: Any, who: str) -> bool:
    """Whether `option` (an UnconnectedGradients or its value) asks for zeros. Raises ArgumentError for others."""
    value = option.value if isinstance(option, UnconnectedGradients) else option
    if value not in ("none", "zero"):
        raise ArgumentError(f"{who}: got unconnected_gradients={option!r}; want 'none' or 'zero'")
    return value == "zero"


def total(found: Sequence[core.Tensor | None]) -> core.Tensor | None:
    """The sum of those that aren't None; None of nothing."""
    parts = [g for g in found if g is not None]
    return reduce(add, parts) if parts else None
