"""gradients: of tensors that are there already."""

from __future__ import annotations

from functools import reduce
from typing import Any

from tidegate.api.arguments import check_unconnected, fitting, graph_tensors
from tidegate.core.dtypes import COMPLEX
from tidegate.core.errors import ArgumentError, DTypeError
from tidegate.core.graph import Tensor, TensorLike
from tidegate.functions.numbers import all_weak, kept_weak
from tidegate.ops.broadcast import filled, zeros_like
from tidegate.ops.elementwise import add
from tidegate.runtime.variable import Variable, versions
from tidegate.transforms.engine import ENGINE


def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    *,
    stop_gradients: Any = None,
    unconnected: str | None = None,
) -> list[Tensor | None]:
    """The gradient of the sum of `ys` for each of `xs`, as new tensors of the graph: always a list as long as `xs`.

    ys, xs: a tensor or Variable, or a list or tuple of them, of any shapes. A y that no x reaches counts nothing; for
        an x that no y depends on, or that only stopped paths lead to, the result is None. So it is for an x of
        integers or booleans. An x that lies on the way to another one doesn't cut the way: these are total
        derivatives. A Variable among `xs` stands for all its versions that the ys were computed from: their gradients
        are added up.
    grad_ys: what flows in at each y, of y's shape and dtype; None, as a whole or within the list, is ones.
    stop_gradients: tensors that nothing flows through. One that is among `xs` gets its own gradient all the same,
        so listing `xs` gives partial derivatives.
    unconnected: "none", or "zero" for zeros of x's shape and dtype in place of None. Given, it says so for what lies
        behind a cut of the history too, where a gradient isn't known.

    For complex x the result is dL/dRe + i dL/dIm. The semantics are those of TensorFlow's tf.gradients.
    Raises ArgumentError for a wrong count or option, ShapeError or DTypeError for a grad_y that doesn't fit, DTypeError
    for a complex y without one, GradientRefusedError where the way leads through prevent_gradient,
    HistoryCutError where it may lead through a cut of the history and `unconnected` isn't given.
    """
    targets = graph_tensors(ys, "gradients", "ys")
    groups = [_versions(x, targets, "xs") for x in (xs if isinstance(xs, (list, tuple)) else [xs])]
    sources = [x for group in groups for x in group]
    stopped = () if stop_gradients is None else stop_gradients
    several = stopped if isinstance(stopped, (list, tuple)) else [stopped]
    stops = [v for t in several for v in _versions(t, targets, "stop_gradients")]
    if unconnected is not None:
        check_unconnected(unconnected, "gradients")
    seeds = [_seed(y, g) for y, g in zip(targets, _grad_ys(grad_ys, len(targets)), strict=True)]
    pairs = [(y, s) for y, s in zip(targets, seeds, strict=True) if s is not None]
    found = ENGINE.vjp(
        tuple([y for y, _ in pairs]),
        tuple(sources),
        tuple([s for _, s in pairs]),
        {t.edge for t in stops},
        past_cuts=unconnected is not None,
    )
    left = iter(found)
    sums = [_as_weak(_sum([next(left) for _ in group]), group) for group in groups]
    if unconnected == "zero":
        return [zeros_like(group[0]) if g is None else g for g, group in zip(sums, groups, strict=True)]
    return sums


def _versions(x: Any, targets: list[Tensor], name: str) -> list[Tensor]:
    """The tensors that x stands for: itself, or those that a Variable was when `targets` read it."""
    return versions(x, targets) if isinstance(x, Variable) else graph_tensors([x], "gradients", name)


def _sum(found: list[Tensor | None]) -> Tensor | None:
    parts = [g for g in found if g is not None]
    return reduce(add, parts) if parts else None


def _as_weak(found: Tensor | None, group: list[Tensor]) -> Tensor | None:
    """The gradient for what stands for a number in a function that is being traced is one, too."""
    if found is not None and all_weak(group):
        kept_weak(found)
    return found


def _grad_ys(grad_ys: Any, count: int) -> list[Any]:
    if grad_ys is None:
        return [None] * count
    several = list(grad_ys) if isinstance(grad_ys, (list, tuple)) else [grad_ys]
    if len(several) != count:
        raise ArgumentError(f"gradients: got {len(several)} grad_ys for {count} ys")
    return several


def _seed(y: Tensor, given: TensorLike | None) -> Tensor | None:
    """What flows in at y; None for a y of integers or booleans, from which nothing does."""
    if not y.differentiable:
        return None
    if given is None:
        if y.dtype in COMPLEX:
            raise DTypeError(f"gradients: got a complex y, {y.type}, without its grad_ys; want a real loss, or grad_ys")
        return filled(1, y.type)
    return fitting(given, y.type, "gradients", "grad_y")
