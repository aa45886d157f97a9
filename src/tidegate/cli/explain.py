"""What `tidegate explain` finds out of a function, and how it says it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tidegate.api.arguments import as_leaf, tensor_leaves
from tidegate.api.gradients import gradients
from tidegate.cli.load import ExplainError, Target
from tidegate.core.dtypes import COMPLEX, FLOATING, HALF, float32
from tidegate.core.errors import GradientRefusedError
from tidegate.core.graph import Array, Node, Tensor, walk
from tidegate.core.kinds import Region
from tidegate.core.source import show_site, source_text
from tidegate.core.tree import map_leaves, named_leaves
from tidegate.flow.report import Flow, Report, show_count
from tidegate.flow.why import why
from tidegate.ops.gates import StopGradient
from tidegate.runtime.evaluation import values_of


@dataclass(frozen=True)
class InputLine:
    """One input: its type, how a gradient flows to it, and the gradient's norm; NaN if it has a NaN."""

    flow: Flow
    type: str
    norm: float | None

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        norm = None if self.norm is None else self.norm if np.isfinite(self.norm) else str(self.norm)
        return {**self.flow.as_json(), "type": self.type, "gradient_norm": norm}


@dataclass(frozen=True)
class StopLine:
    """A stop, its line, and the inputs that it masks."""

    line: str
    text: str
    masks: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"line": self.line, "text": self.text, "masks": list(self.masks)}


@dataclass(frozen=True)
class Explanation:
    """A function's value, its gradients, and its stops. Printed, a small table."""

    label: str
    value: str
    type: str
    summed: bool
    inputs: tuple[InputLine, ...]
    stops: tuple[StopLine, ...]

    def blocked(self, names: list[str]) -> list[str]:
        """Those of `names` to which, or to a leaf of which, no gradient flows.

        Raises ExplainError for a name that isn't there.
        """
        found = []
        for name in names:
            lines = [i for i in self.inputs if _belongs(i.flow.source, name)]
            if not lines:
                have = ", ".join(i.flow.source for i in self.inputs) or "none"
                raise ExplainError(f"--fail-if-blocked: {self.label} has no input {name}; it has {have}")
            found += [i.flow.source for i in lines if not i.flow.flows]
        return found

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "function": self.label,
            "value": self.value,
            "type": self.type,
            "summed": self.summed,
            "inputs": [i.as_json() for i in self.inputs],
            "stops": [s.as_json() for s in self.stops],
        }

    def __str__(self) -> str:
        wide = max([len(i.flow.source) for i in self.inputs], default=0)
        typed = max([len(i.type) for i in self.inputs], default=0)
        note = "  (its elements are summed for the gradient)" if self.summed else ""
        lines = [self.label, "", f"value  {self.value}  {self.type}{note}", "", "gradient"]
        for i in self.inputs:
            norm = "no gradient" if i.norm is None else f"norm {i.norm:.6g}"
            lines.append(f"  {i.flow.source:{wide}}  {i.type:{typed}}  {norm:18}  {i.flow.sentence()}")
            lines += [f"  {'':{wide}}      {blocker}" for blocker in i.flow.blockers]
            if i.flow.choice_paths:
                lines.append(f"  {'':{wide}}      apart: {show_count(i.flow.choice_paths)} through a choice")
        lines += ["", "stops" if self.stops else "stops  none"]
        for s in self.stops:
            masks = f"masks {', '.join(s.masks)}" if s.masks else "masks none of the inputs"
            lines.append(f"  {s.line}  {s.text}  {masks}")
        return "\n".join(lines)


def _belongs(source: str, name: str) -> bool:
    return source == name or (source.startswith(name) and source[len(name)] in "[.")


def explain(target: Target) -> Explanation:
    """Call a function on its example inputs, and see where its gradient flows.

    Raises ExplainError if it raises, or returns nothing that has a gradient.
    """
    inputs = {name: map_leaves(as_leaf, value) for name, value in target.inputs.items()}
    named = [pair for name, value in inputs.items() for pair in named_leaves(value, name)]
    sources = {name: leaf for name, leaf in named if isinstance(leaf, Tensor)}
    outputs, _ = tensor_leaves(target.call(inputs), f"explain {target.label}")
    if len(outputs) != 1:
        raise ExplainError(f"{target.label} returned {len(outputs)} values; want one, the loss")
    value = outputs[0]
    if value.dtype in COMPLEX or not value.differentiable:
        raise ExplainError(f"{target.label} returned {value.type}; want real floating point")
    report = why(value, sources) if sources else Report(())
    norms = _norms(value, sources, report)
    (shown,) = values_of([value], "explain")
    return Explanation(
        label=target.label,
        value=_show(shown),
        type=str(value.type),
        summed=value.shape != (),
        inputs=tuple([InputLine(f, str(sources[f.source].type), norms.get(f.source)) for f in report]),
        stops=tuple(_stops(value, report)),
    )


def _norms(value: Tensor, sources: dict[str, Tensor], report: Report) -> dict[str, float]:
    """The norm of the gradient for each input that has one."""
    names = [f.source for f in report if f.flows]
    if not names:
        return {}
    try:
        found = gradients(value, [sources[n] for n in names])
    except GradientRefusedError:  # another input's way leads through what forbids it: each alone
        found = [gradients(value, sources[n])[0] for n in names]
    present = {n: g for n, g in zip(names, found, strict=True) if g is not None}
    arrays = values_of(present.values(), "explain")
    return {n: _norm(a) for n, a in zip(present, arrays, strict=True)}


def _norm(gradient: Array) -> float:
    wide = gradient.astype(np.float64) if gradient.dtype in FLOATING else gradient
    return float(np.linalg.norm(np.ravel(wide)))


def _show(value: Array) -> str:
    if value.dtype in HALF:
        value = value.astype(float32)
    if value.shape == ():
        return f"{value.item():.10g}"
    return np.array2string(value, threshold=8, edgeitems=2).replace("\n", " ")


def _stops(value: Tensor, report: Report) -> list[StopLine]:
    """Each stop that a user placed, in the order of the lines' first run, with the inputs that it masks."""
    lines: dict[tuple[str, str], list[str]] = {}
    for node in _all_nodes(value):
        if isinstance(node.op, StopGradient) and not node.op.internal:
            lines.setdefault((show_site(node.site), source_text(node.site)), [])
    for flow in report:
        for blocker in flow.blockers:
            if (blocker.line, blocker.text) in lines and blocker.op == StopGradient.name:
                lines[blocker.line, blocker.text].append(flow.source)
    return [StopLine(line, text, tuple(masks)) for (line, text), masks in lines.items()]


def _all_nodes(*outputs: Tensor) -> list[Node]:
    """The nodes of a graph, those inside of its regions too."""
    found = []
    for node in walk(outputs):
        found.append(node)
        if isinstance(node.op, Region):
            for _, body, _ in node.op.bodies():
                found += _all_nodes(*body.outputs)
    return found
