"""Where values are: on the CPU, the one device there is."""

from __future__ import annotations

from typing import Any

from tidegate.core.errors import ArgumentError

CPU = "cpu"
DEVICES = (CPU,)


def check_device(device: Any, who: str) -> None:
    """Raise ArgumentError, for `who`, unless `device` is None or one there is."""
    if device is not None and device not in DEVICES:
        raise ArgumentError(f"{who}: got device {device!r}; want one of {', '.join(map(repr, DEVICES))}")
