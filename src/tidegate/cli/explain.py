"""What `tidegate explain` finds out of a function: its value, its gradients, and what stops them."""

from __future__ import annotations

from typing import Any

import numpy as np

from tidegate.api.arguments import as_leaf, is_array_like
from tidegate.api.gradients import gradients
from tidegate.cli.explanation import Explanation, InputLine, StopLine
from tidegate.cli.load import ExplainError, Target
from tidegate.core.dtypes import COMPLEX, FLOATING, HALF, float32
from tidegate.core.errors import GradientRefusedError, TidegateError
from tidegate.core.graph import Array, Node, Tensor, walk
from tidegate.core.kinds import Region
from tidegate.core.source import Site, show_site, source_text
from tidegate.core.tree import flatten, map_leaves, named_leaves
from tidegate.flow.report import Report
from tidegate.flow.why import why
from tidegate.functions.convert import asarray
from tidegate.ops.gates import StopGradient
from tidegate.runtime.evaluation import values_of


def explain(target: Target) -> Explanation:
    """Call a function on its example inputs, and see where its gradient flows.

    Raises ExplainError if it raises, or returns no loss.
    """
    inputs = _tensors(target)
    named = [pair for name, value in inputs.items() for pair in named_leaves(value, name)]
    sources = {name: leaf for name, leaf in named if isinstance(leaf, Tensor)}
    value = _loss(target.call(inputs), target)
    report = why(value, sources) if sources else Report(())
    (shown,) = values_of([value], "explain")  # first: a value that an op can't take is found where the user wrote it
    norms = _norms(value, sources, report)
    return Explanation(
        label=target.label,
        value=_show(shown),
        type=str(value.type),
        summed=value.shape != (),
        inputs=tuple([_line(f.source, sources, report, norms) for f in report]),
        passed=tuple([name for name, leaf in named if not isinstance(leaf, Tensor)]),
        stops=tuple(_stops(value, report)),
    )


def blocked(explanation: Explanation, names: list[str]) -> list[str]:
    """Those of `names` to which, or to a leaf of which, no gradient flows.

    Raises ExplainError for a name that isn't there.
    """
    found = []
    for name in names:
        lines = [i for i in explanation.inputs if _belongs(i.flow.source, name)]
        if not lines and not any(_belongs(passed, name) for passed in explanation.passed):
            have = ", ".join([*[i.flow.source for i in explanation.inputs], *explanation.passed]) or "none"
            raise ExplainError(f"--fail-if-blocked: {explanation.label} has no input {name}; it has {have}")
        found += [i.flow.source for i in lines if not i.flow.flows] if lines else [name]
    return found


def _belongs(source: str, name: str) -> bool:
    return source == name or (source.startswith(name) and source[len(name)] in "[.")


def _tensors(target: Target) -> dict[str, Any]:
    """The inputs, their arrays and floats as tensors of their own, made at the function's line."""
    found = {}
    for name, value in target.inputs.items():
        try:
            found[name] = map_leaves(as_leaf, value)
        except TidegateError as error:
            raise ExplainError(f"the example of {target.label} for {name}: {error.message}") from error
        for leaf in flatten(found[name])[0]:
            if isinstance(leaf, Tensor):
                leaf.node.site = target.site
    return found


def _loss(result: Any, target: Target) -> Tensor:
    """What the function returned: one real floating point tensor. Raises ExplainError for anything else."""
    leaves, _ = flatten(result)
    if len(leaves) != 1:
        raise ExplainError(f"{target.label} returned {len(leaves)} values; want one, the loss{target.place}")
    (leaf,) = leaves
    if not is_array_like(leaf):
        raise ExplainError(f"{target.label} returned {type(leaf).__name__}; want a tensor, the loss{target.place}")
    value = asarray(leaf)
    if value.dtype in COMPLEX or not value.differentiable:
        raise ExplainError(f"{target.label} returned {value.type}; want real floating point{target.place}")
    return value


def _line(name: str, sources: dict[str, Tensor], report: Report, norms: dict[str, float]) -> InputLine:
    x = sources[name]
    return InputLine(report[name], str(x.type), x.differentiable, norms.get(name))


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
    """The Euclidean norm, scaled so that no square overflows or vanishes."""
    wide = np.ravel(gradient.astype(np.float64) if gradient.dtype in FLOATING else gradient)
    biggest = float(np.max(np.abs(wide), initial=0.0))
    if biggest == 0.0 or not np.isfinite(biggest):
        return biggest
    return biggest * float(np.linalg.norm(wide / biggest))


def _show(value: Array) -> float | str:
    """A number, or the text of an array in one line."""
    if value.dtype in HALF:
        value = value.astype(float32)
    if value.shape == ():
        return float(value)
    return " ".join(np.array2string(value, threshold=8, edgeitems=2).split())


def _stops(value: Tensor, report: Report) -> list[StopLine]:
    """Each line with a stop that a user placed, in the order of first run, with the inputs that it masks."""
    counts: dict[tuple[str, str], int] = {}
    for site in _stop_sites(value):
        line = show_site(site), source_text(site)
        counts[line] = counts.get(line, 0) + 1
    masks: dict[tuple[str, str], list[str]] = {line: [] for line in counts}
    for flow in report:
        for blocker in flow.blockers:
            if blocker.op == StopGradient.name and (blocker.line, blocker.text) in masks:
                masks[blocker.line, blocker.text].append(flow.source)
    return [StopLine(*line, count, tuple(masks[line])) for line, count in counts.items()]


def _stop_sites(*outputs: Tensor) -> list[Site]:
    """Where the stops of a graph were placed, those inside of its regions too."""
    found: list[Site] = []
    for node in _nodes(outputs):
        if isinstance(node.op, StopGradient) and not node.op.internal:
            found.append(node.site)
    return found


def _nodes(outputs: tuple[Tensor, ...]) -> list[Node]:
    found = []
    for node in walk(outputs):
        found.append(node)
        if isinstance(node.op, Region):
            for _, body, _ in node.op.bodies():
                found += _nodes(body.outputs)
    return found
