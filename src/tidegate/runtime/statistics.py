"""What has run: tests of laziness count, they don't time."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Statistics:
    """Counts since the start."""

    alone: int = 0
    """Ops that were all that an evaluation had to run."""
    runs: int = 0
    """Evaluations of more."""
    ops_in_runs: int = 0
    values_of_runs: int = 0
    compiled: int = 0
    """Programs that were new."""
    cut: int = 0
    """Nodes whose history was cut."""

    @property
    def evaluations(self) -> int:
        """How often something was run."""
        return self.alone + self.runs

    @property
    def ops(self) -> int:
        """Ops run, on whichever tier."""
        return self.alone + self.ops_in_runs

    @property
    def values_kept(self) -> int:
        """Values put on handles."""
        return self.alone + self.values_of_runs


statistics = Statistics()
