"""What a flow report says, and how it is shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

MANY = 10**18
"""Counts of paths stop here: there can be exponentially many."""


def show_count(n: int) -> str:
    """`3`, or `more than 10^18`."""
    return "more than 10^18" if n >= MANY else str(n)


@dataclass(frozen=True)
class Blocker:
    """An op at which paths end.

    `op` is its name, `why` its own sentence, `line` the user's line that made it, `text` that line's text; `paths` is
    how many paths from the source come to it open and go on to the target.
    """

    op: str
    why: str
    line: str
    text: str
    paths: int

    def __str__(self) -> str:
        shown = f"{self.op}: {self.why}  ({self.line})"
        return f"{shown}  {self.text}" if self.text else shown

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"op": self.op, "why": self.why, "line": self.line, "text": self.text, "paths": self.paths}


@dataclass(frozen=True)
class Flow:
    """How a target depends on one source.

    status: "flows" (every data path open), "mixed" (some), "blocked" (data paths, none open), "unconnected" (no data
        path), "refused" (an open path meets an op that forbids being differentiated), "cut" (an open path leads to a
        value whose history was let go).
    open_paths, blocked_paths: how many data paths there are, saturating at 10^18.
    blockers: where the blocked ones end, the one with most paths first; for "refused", what forbids; for "cut", where.
    choice_paths: paths through a predicate (of a select or cond); internal_paths: paths through a stop that a
        function of ours placed as part of its formula. Neither counts in the status. `choices` and `internal` are
        the first ops, from the source, that close them.
    """

    source: str
    status: str
    open_paths: int
    blocked_paths: int
    blockers: tuple[Blocker, ...]
    choice_paths: int
    choices: tuple[Blocker, ...]
    internal_paths: int
    internal: tuple[Blocker, ...]

    @property
    def flows(self) -> bool:
        """Whether a gradient is there: whether it isn't None."""
        return self.status in ("flows", "mixed")

    def sentence(self) -> str:
        """The status in words."""
        open_, blocked = show_count(self.open_paths), show_count(self.blocked_paths)
        return {
            "flows": f"flows: {_paths(open_)} open",
            "mixed": f"mixed: {_paths(open_)} open, {blocked} blocked",
            "blocked": f"blocked: {'all ' if self.blocked_paths > 1 else ''}{_paths(blocked)} blocked",
            "unconnected": "unconnected: no data path leads to it",
            "refused": "refused: an open path meets an op that forbids it",
            "cut": "cut: an open path leads to a value whose history was let go",
        }[self.status]

    def __str__(self) -> str:
        return "\n".join([f"{self.source}  {self.sentence()}", *[f"    {b}" for b in self.blockers]])

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "source": self.source,
            "status": self.status,
            "open_paths": self.open_paths,
            "blocked_paths": self.blocked_paths,
            "blockers": [b.as_json() for b in self.blockers],
            "choice_paths": self.choice_paths,
            "choices": [b.as_json() for b in self.choices],
            "internal_paths": self.internal_paths,
            "internal": [b.as_json() for b in self.internal],
        }


def _paths(count: str) -> str:
    return f"{count} path" if count == "1" else f"{count} paths"


@dataclass(frozen=True)
class Report:
    """A Flow for each source. Indexed by the source's name or place; printed, it groups sources that end alike."""

    flows: tuple[Flow, ...]

    def __getitem__(self, key: int | str) -> Flow:
        if isinstance(key, int):
            return self.flows[key]
        found = [f for f in self.flows if f.source == key]
        if not found:
            raise KeyError(f"no source {key!r}; there are {', '.join(f.source for f in self.flows)}")
        return found[0]

    def __iter__(self) -> Iterator[Flow]:
        return iter(self.flows)

    def __len__(self) -> int:
        return len(self.flows)

    def __str__(self) -> str:
        groups: dict[tuple[Any, ...], list[Flow]] = {}
        for flow in self.flows:
            shown = tuple([(b.op, b.line) for b in flow.blockers])
            groups.setdefault((flow.status, shown), []).append(flow)
        parts = []
        for (status, _), flows in groups.items():
            if len(flows) == 1 or status in ("flows", "mixed"):
                parts += [str(f) for f in flows]
            else:
                names = ", ".join(f.source for f in flows)
                parts.append("\n".join([f"{names}  all {status}", *[f"    {b}" for b in flows[0].blockers]]))
        return "\n".join(parts)

    __repr__ = __str__

    def as_json(self) -> list[dict[str, Any]]:
        """Plain data."""
        return [f.as_json() for f in self.flows]
