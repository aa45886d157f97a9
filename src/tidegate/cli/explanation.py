"""What `tidegate explain` says of a function: as a table to read, and as plain data."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from tidegate.flow.report import Blocker, Flow, show_count
from tidegate.ops.gates import StopGradient

FEW = 4
"""How many blockers a line of the table refers to; the others are only counted."""


@dataclass(frozen=True)
class InputLine:
    """One input: its type, how a gradient flows to it, and the gradient's norm; None where there is no gradient."""

    flow: Flow
    type: str
    differentiable: bool
    norm: float | None

    def ends(self) -> tuple[Blocker, ...]:
        """Where paths end. Those of integers and booleans end at once, which needs no line."""
        return self.flow.blockers if self.differentiable else ()

    def sentence(self) -> str:
        """How a gradient flows, in words."""
        if self.flow.status == "blocked" and not self.differentiable:
            return f"blocked: {self.flow.blockers[0].why}"
        if self.flow.status == "unconnected" and self.flow.choice_paths:
            return "unconnected: only choices depend on it"
        return self.flow.sentence()

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {**self.flow.as_json(), "type": self.type, "gradient_norm": strict_number(self.norm)}


@dataclass(frozen=True)
class StopLine:
    """A user's line with a stop_gradient, how many ops of the graph it made, and the inputs that it masks."""

    line: str
    text: str
    count: int
    masks: tuple[str, ...]


@dataclass(frozen=True)
class Explanation:
    """A function's value, its gradients, and its stops. Printed, a small table.

    value: a number, or the text of an array. summed: whether it has axes, so that its sum was differentiated.
    passed: the inputs that are no arrays or floats, and so went in as they are.
    """

    label: str
    value: float | str
    type: str
    summed: bool
    inputs: tuple[InputLine, ...]
    passed: tuple[str, ...]
    stops: tuple[StopLine, ...]

    def as_json(self) -> dict[str, Any]:
        """Plain data, of which strict JSON can be made: NaN and infinities are strings."""
        return {
            "function": self.label,
            "value": self.value if isinstance(self.value, str) else strict_number(self.value),
            "type": self.type,
            "summed": self.summed,
            "inputs": [i.as_json() for i in self.inputs],
            "passed": list(self.passed),
            "stops": [e.as_json() for e in self._entries()],
        }

    def __str__(self) -> str:
        value = self.value if isinstance(self.value, str) else f"{self.value:.10g}"
        note = "  (summed, for the gradient)" if self.summed else ""
        entries = self._entries()
        places = {(e.op, e.line, e.text): f"[{n}]" for n, e in enumerate(entries, start=1)}
        rows = [("input", "type", "gradient", "paths")]
        for i in self.inputs:
            norm = "none" if i.norm is None else f"norm {i.norm:.5g}"
            at = sorted([places[b.op, b.line, b.text] for b in i.ends()], key=lambda place: (len(place), place))
            more = [f"and {len(at) - FEW} more"] if len(at) > FEW else []
            rows.append((i.flow.source, i.type, norm, " ".join([i.sentence(), *at[:FEW], *more])))
        lines = [self.label, "", f"value  {value}  {self.type}{note}", ""]
        lines += _table(rows) if self.inputs else ["no input that a gradient could flow to"]
        if self.passed:
            lines.append(f"passed as they are: {', '.join(self.passed)}")
        lines += ["", "stops" if entries else "no stops"]
        for place, e in zip(places.values(), entries, strict=True):
            times = f"  {show_count(e.count)} times" if e.count > 1 else ""
            lines.append(f"{place} {e.line}{times}  {e.verb} {', '.join(e.names) or 'none of the inputs'}")
            lines += [f"    {part}" for part in (e.text, e.why) if part]
        return "\n".join(lines)

    def _entries(self) -> list[Entry]:
        """Each line at which paths end, once, with the inputs whose paths end there: stops first."""
        entries = [
            Entry(StopGradient.name, s.line, s.text, "" if s.text else "stop_gradient", "masks", s.masks, s.count)
            for s in self.stops
        ]
        known = {(e.op, e.line, e.text) for e in entries}
        others: dict[tuple[str, str, str], tuple[Blocker, str, list[str]]] = {}
        for i in self.inputs:
            verb = "forbids" if i.flow.status == "refused" else "masks"
            for b in i.ends():
                key = b.op, b.line, b.text
                if key not in known:
                    others.setdefault(key, (b, verb, []))[2].append(i.flow.source)
        return entries + [
            Entry(b.op, b.line, b.text, f"{b.op}: {b.why}", verb, tuple(names)) for b, verb, names in others.values()
        ]


@dataclass(frozen=True)
class Entry:
    """A numbered entry below the table: a line, and the inputs that it masks or forbids."""

    op: str
    line: str
    text: str
    why: str
    verb: str
    names: tuple[str, ...]
    count: int = 1

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"op": self.op, "line": self.line, "text": self.text, "count": self.count, self.verb: list(self.names)}


def strict_number(x: float | None) -> float | str | None:
    """x; "nan", "inf" or "-inf" where JSON has no number for it."""
    return x if x is None or math.isfinite(x) else str(x)


def _table(rows: list[tuple[str, str, str, str]]) -> list[str]:
    wide = [max(len(row[k]) for row in rows) for k in range(3)]
    return ["  ".join([*[row[k].ljust(wide[k]) for k in range(3)], row[3]]) for row in rows]
