"""What has run: tests of laziness count, they don't time."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Statistics:
    """Counts since the start."""

    evaluations: int = 0
    ops: int = 0
    """Ops run, on whichever tier."""
    values_kept: int = 0
    """Values put on handles."""
    compiled: int = 0
    """Programs that were new."""
    cut: int = 0
    """Nodes whose history was cut."""


statistics = Statistics()
