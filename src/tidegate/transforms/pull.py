"""One node's derivative, from the one form in which its op states it: pulled back, or pushed forward.

The two need each other: an op that states a vjp is pushed forward by pulling its vjp back, one that states a jvp is
pulled back by pulling its jvp back. `vjp` of whole graphs is handed in, so this file stays below it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

from tidegate.core.dtypes import BOOL
from tidegate.core.errors import GradientRefusedError, RuleError
from tidegate.core.graph import Node, Tensor, walk
from tidegate.core.kinds import Engine, Region
from tidegate.core.op import Op
from tidegate.core.trace import OneRule, within
from tidegate.ops.broadcast import filled, zeros_like
from tidegate.ops.creation import Input
from tidegate.ops.elementwise import MultiplyNoNan, add, conjugate, multiply, negate, select

MaybeTensors = Sequence[Tensor | None]


def pull_back(node: Node, cotangents: MaybeTensors, engine: Engine, wanted: Sequence[bool]) -> MaybeTensors:
    """The cotangents of a node's inputs from those of its outputs; None where nothing flows.

    `wanted` says which inputs anybody asks for: a region pulls back to no other, so that what forbids being
    differentiated is met only on the way to a source.
    """
    op: Any = node.op
    xs = node.input_tensors()
    if isinstance(op, Region):
        return op.vjp(engine, tuple(wanted), tuple(cotangents), node.outputs(), *xs)
    single = len(node.types) == 1
    whole = [filled(0, t) if c is None else c for c, t in zip(cotangents, node.types, strict=True)]
    cotangent: Any = whole[0] if single else tuple(whole)
    out: Any = node.tensor(0) if single else node.outputs()
    match op.form:
        case "partials":
            absorbs = absorbs_zeros(node)
            pulled = [scale(op, cotangent, p, conjugated=True, absorbs=absorbs) for p in op.partials(out, *xs)]
        case "adjoint":
            pulled = op.adjoint(cotangent, *xs)
        case "vjp":
            pulled = op.vjp(cotangent, out, *xs)
        case "jvp":
            pulled = adjoint_of_jvp(node, cotangent, engine)
        case "refuses":
            raise refusal(node)
        case _:
            pulled = (None,) * len(xs)
    pulled = checked(node, pulled)
    if single:
        return pulled
    came = [k for k, c in enumerate(cotangents) if c is not None]  # zeros stood in for the others: they bring nothing
    return [g if any(op.passes(k, i) for k in came) else None for i, g in enumerate(pulled)]


def refusal(node: Node) -> GradientRefusedError:
    """The error of an op that forbids being differentiated, at the line that made it."""
    return GradientRefusedError(f"{node.op.name}: {node.op.why_refused()}; a gradient must pass it", node.site)


def checked(node: Node, pulled: MaybeTensors) -> MaybeTensors:
    """What a rule gave. Raises RuleError unless it gave None exactly where the op declares it, and right types."""
    op = node.op
    if len(pulled) != len(node.inputs):
        raise RuleError(f"{op.name}: its {op.form} gave {len(pulled)} cotangents for {len(node.inputs)} inputs")
    for i, (g, source, index) in enumerate(zip(pulled, node.inputs, node.indices, strict=True)):
        kind = source.types[index]
        closed = not any(op.passes(k, i) for k in range(len(node.types)))
        if g is None:
            if kind.differentiable and not closed:
                raise RuleError(f"{op.name}: its {op.form} gave None for input {i}, which no_gradient doesn't list")
        elif closed:
            raise RuleError(f"{op.name}: its {op.form} gave a gradient for input {i}, which no_gradient lists")
        elif kind.differentiable and g.type is not kind:
            raise RuleError(f"{op.name}: its {op.form} gave {g.type} for input {i} of {kind}")
    return pulled


def absorbs_zeros(node: Node) -> bool:
    """Whether a zero cotangent, or tangent, gives exactly 0 even where a partial is infinite: if its op says so, or
    that of a node whose derivative it is a part of. So derivatives of every order keep to it."""
    told: Node | None = node
    while told is not None:
        if told.op.zero_upstream:
            return True
        told = None if told.origin is None else told.origin()
    return False


def scale(op: Op, x: Tensor, factor: Tensor | int | None, *, conjugated: bool, absorbs: bool) -> Tensor | None:
    """A cotangent (`conjugated`) or tangent times a partial. `absorbs`: whether 0 times an infinite one is 0."""
    if factor is None:
        return None
    if isinstance(factor, Tensor):
        if factor.dtype in BOOL:
            return select(factor, x, zeros_like(x))
        factor = conjugate(factor) if conjugated else factor
        return MultiplyNoNan()(factor, x) if absorbs else multiply(x, factor)
    if factor == 1:
        return x
    if factor == -1:
        return negate(x)
    if factor == 0:
        return zeros_like(x)
    raise RuleError(f"{op.name}: its partials gave {factor!r}; want a tensor, 1, -1, 0 or None")


def push_forward(node: Node, tangents: MaybeTensors, engine: Engine) -> MaybeTensors:
    """The tangents of a node's outputs from those of its inputs; None where nothing flows."""
    op: Any = node.op
    xs = node.input_tensors()
    if isinstance(op, Region):
        return op.jvp(engine, tuple(tangents), node.outputs(), *xs)
    active = {i: t for i, t in enumerate(tangents) if t is not None and closed_nowhere(node, i)}
    if not active:
        return (None,) * len(node.types)
    single = len(node.types) == 1
    match op.form:
        case "partials":
            partials = op.partials(node.tensor(0), *xs)
            absorbs = absorbs_zeros(node)
            pushed = [scale(op, t, partials[i], conjugated=False, absorbs=absorbs) for i, t in active.items()]
        case "adjoint" if op.jointly_linear:
            pushed = [op(*[active[i] if i in active else passive(node, i, x) for i, x in enumerate(xs)])]
        case "adjoint":
            pushed = [op(*xs[:i], t, *xs[i + 1 :]) for i, t in active.items()]
        case "jvp":
            known = tuple([active.get(i) for i in range(len(xs))])
            pushed: list[Any] = [op.jvp(known, node.tensor(0) if single else node.outputs(), *xs)]
        case "vjp":
            return pushed_by_vjp(node, active, engine)
        case "refuses":
            raise refusal(node)
        case _:
            return (None,) * len(node.types)
    if single:
        return (total([t for t in pushed if t is not None]),)
    (several,) = pushed  # what a rule gave for all outputs at once
    return several


def closed_nowhere(node: Node, index: int) -> bool:
    """Whether a tangent of an input reaches any output that can carry one."""
    return any(t.differentiable and node.op.passes(k, index) for k, t in enumerate(node.types))


def passive(node: Node, index: int, x: Tensor) -> Tensor:
    """What a linear op reads where no tangent is: the input itself if it chooses, else zeros."""
    return zeros_like(x) if closed_nowhere(node, index) and x.differentiable else x


def total(terms: Sequence[Tensor]) -> Tensor | None:
    """The sum; None of nothing."""
    return reduce(add, terms) if terms else None


def adjoint_of_jvp(node: Node, cotangent: Any, engine: Engine) -> MaybeTensors:
    """Pull back an op that states a jvp: the jvp is linear in its tangents, so pull it back to them."""
    op: Any = node.op
    xs = node.input_tensors()
    single = len(node.types) == 1
    dummies = [Input(x.type)() if x.differentiable and closed_nowhere(node, i) else None for i, x in enumerate(xs)]
    pushed = op.jvp(tuple(dummies), node.tensor(0) if single else node.outputs(), *xs)
    outs, seeds = ([pushed], [cotangent]) if single else (list(pushed), list(cotangent))
    pairs = [(o, s) for o, s in zip(outs, seeds, strict=True) if o is not None and s is not None]
    present = [d for d in dummies if d is not None]
    with within(OneRule()):
        pulled = engine.vjp(tuple([o for o, _ in pairs]), tuple(present), tuple([s for _, s in pairs]))
    check_linear(node, pulled, present)
    found = dict(zip([d.edge for d in present], pulled, strict=True))
    return [None if d is None else found[d.edge] for d in dummies]


def pushed_by_vjp(node: Node, active: dict[int, Tensor], engine: Engine) -> MaybeTensors:
    """Push forward an op that states a vjp, which is linear in its cotangent: pull it back once more.

    Source: J. Townsend, "A new trick for calculating Jacobian vector products", 2017.
    """
    dummies = [Input(t)() if t.differentiable else None for t in node.types]
    present = tuple([d for d in dummies if d is not None])
    pulled = pull_back(node, dummies, engine, (True,) * len(node.inputs))
    pairs = [(g, active[i]) for i, g in enumerate(pulled) if g is not None and i in active]
    with within(OneRule()):
        pushed = engine.vjp(tuple([g for g, _ in pairs]), present, tuple([t for _, t in pairs]))
    check_linear(node, pushed, present)
    found = dict(zip([d.edge for d in present], pushed, strict=True))
    return [None if d is None else found[d.edge] for d in dummies]


def check_linear(node: Node, results: MaybeTensors, dummies: Sequence[Tensor]) -> None:
    """Raise RuleError where what should be linear in the dummies still depends on one."""
    first = min([d.node.number for d in dummies], default=0)
    left = set(walk([r for r in results if r is not None], since=first))
    if any(d.node in left for d in dummies):
        raise RuleError(f"{node.op.name}: its {node.op.form} isn't linear in what it is given")
