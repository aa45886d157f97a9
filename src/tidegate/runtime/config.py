"""The settings, `tg.config`. Each is checked when it is set."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tidegate.core.dtypes import DEFAULT, DType, as_dtype, float32, float64, set_default_float
from tidegate.core.errors import ArgumentError, ArgumentTypeError


@dataclass(frozen=True)
class HistoryBudget:
    """How much history evaluated tensors keep, so that gradients can be asked for later.

    nodes: how many nodes, of about half a kilobyte each.
    nbytes: how many bytes of data that they read.
    """

    nodes: int = 250_000
    nbytes: int = 1 << 30

    def __post_init__(self) -> None:
        for name in ("nodes", "nbytes"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int):
                raise ArgumentTypeError(f"HistoryBudget: got {name}={value!r}; want an integer")
            if value < 1:
                raise ArgumentError(f"HistoryBudget: got {name}={value}; want at least 1")


class Config:
    """The settings of this process.

    default_float: the dtype that Python floats make where no tensor says otherwise: float32 (the default) or float64.
    history: a HistoryBudget.
    """

    __slots__ = ("_history",)

    def __init__(self) -> None:
        self._history = HistoryBudget()

    @property
    def default_float(self) -> DType:
        """The dtype that Python floats make where no tensor says otherwise."""
        return DEFAULT[float]

    @default_float.setter
    def default_float(self, dtype: Any) -> None:
        found = as_dtype(dtype)
        if found not in (float32, float64):
            raise ArgumentError(f"config.default_float: got {found.name}; want float32 or float64")
        set_default_float(found)

    @property
    def history(self) -> HistoryBudget:
        """How much history evaluated tensors keep."""
        return self._history

    @history.setter
    def history(self, budget: HistoryBudget) -> None:
        if not isinstance(budget, HistoryBudget):
            raise ArgumentTypeError(f"config.history: got {type(budget).__name__}; want a tg.HistoryBudget")
        self._history = budget

    def __setattr__(self, name: str, value: Any) -> None:
        if not hasattr(type(self), name):
            raise ArgumentError(f"config: there is no setting {name!r}; there are {', '.join(SETTINGS)}")
        object.__setattr__(self, name, value)

    @contextmanager
    def using(self, **settings: Any) -> Generator[None]:
        """The settings given, until the block ends. Raises as setting them does, and changes nothing then."""
        before = {name: getattr(self, name) for name in settings if name in SETTINGS}
        try:
            for name, value in settings.items():
                setattr(self, name, value)
            yield
        finally:
            for name, value in before.items():
                setattr(self, name, value)

    def __repr__(self) -> str:
        return f"Config({', '.join(f'{name}={getattr(self, name)}' for name in SETTINGS)})"


SETTINGS = ("default_float", "history")

config = Config()
