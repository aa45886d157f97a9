"""jit: a Python function traced once for each signature, compiled, and called like a function."""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial, update_wrapper
from threading import RLock
from typing import Any

import numpy as np

from tidegate.api.arguments import check_callable, happened, token_around
from tidegate.backends.interface import Executable, Status
from tidegate.backends.reference import body_program
from tidegate.core.body import Body
from tidegate.core.dtypes import bool_, scalar_array
from tidegate.core.errors import NoValueError, RetraceWarning
from tidegate.core.graph import Array, Node, Tensor, TensorType, next_number, read_only, walk
from tidegate.core.source import Site, position, show_site, user_site
from tidegate.core.trace import active_trace, many_new_objects, within
from tidegate.core.tree import Structure, flatten
from tidegate.functions.convert import asarray
from tidegate.ops.creation import Constant, Cut, Input, Place, Version, constant
from tidegate.ops.effects import TOKEN
from tidegate.ops.elementwise import Identity
from tidegate.ops.regions import Call
from tidegate.runtime.evaluation import evaluate, waiting
from tidegate.runtime.programs import BACKEND
from tidegate.runtime.signature import Parameters, Signature, differences
from tidegate.runtime.statistics import statistics
from tidegate.runtime.variable import Tracing, Variable, active_tracing, changing
from tidegate.transforms.closing import close
from tidegate.transforms.specialise import unknown_sizes

log = logging.getLogger("tidegate.jit")
MANY, SELDOM = 8, 4
"""A warning says which argument keeps changing at so many traces of one function, and at every multiple of it, unless
it was called so many times as often: then they pay."""
KEPT = 256
"""How many signatures of one function are kept; the oldest goes first."""


def jit(function: Callable[..., Any] | None = None, *, static_argnames: Sequence[str] | str = ()) -> Any:
    """`function`, traced into a graph at the first call of each signature, compiled, and run at each call.

    The signature is the containers of the arguments, the dtypes and shapes of their arrays, and the values of what is
    static: the arguments that `static_argnames` names, and every boolean, string, None and other object, by equality.
    Tensors, arrays and Python ints, floats and complex numbers are read at each call: a changing learning rate or
    counter compiles nothing. (A number that decides a shape or a Python branch must be static.) Python numbers take
    the dtype of the tensors that they meet, as without jit.

    Tensors that the function takes from outside are read at the first call and stay what they were then; Variables
    are read, and assigned, at each call. Other side effects happen when it is traced.

    It runs at once, and its results carry a mark instead of a history: a gradient that would have to pass raises
    HistoryCutError with the line of the call, so take gradients inside, as `jit(value_and_grad(loss))`. If an
    argument waits for its value, or a function is being traced around it, the call is an op of the graph instead and
    differentiates like any other.

    Works as a decorator, with or without options, on functions and methods. Logs to "tidegate.jit" why a call was
    traced anew, and warns (RetraceWarning) with the argument that keeps changing.
    Raises ArgumentTypeError for what isn't a function, a static argument that can't be hashed, or what the function
    returns that is no tensor, number or plain object; ArgumentError for static_argnames that aren't there.
    """
    names = (static_argnames,) if isinstance(static_argnames, str) else tuple(static_argnames)
    if function is None:
        return partial(jit, static_argnames=names)
    check_callable(function, "jit")
    return Jitted(function, names)


@dataclass(frozen=True)
class Returned:
    """A leaf that a function returned which is no tensor."""

    value: Any


@dataclass(frozen=True)
class Traced:
    """A function traced for one signature.

    The body's inputs are a token, if there are effects, the arguments, the Variables read, and the captured tensors, in
    this order; its outputs are the results, the Variables assigned, the token of the last effect, if there are effects,
    and what decides sizes that are only mentioned. `outputs` are the leaves that the function returned: the place of a
    tensor among the results, or what else it was.
    """

    body: Body
    read: tuple[Variable, ...]
    captured: tuple[Tensor, ...]
    assigned: tuple[Variable, ...]
    outputs: tuple[int | Returned, ...]
    structure: Structure
    effects: bool

    @cached_property
    def executable(self) -> Executable:
        """The compiled body: made when it first runs at once."""
        with many_new_objects():
            statistics.compiled += 1
            return BACKEND.compile(body_program(self.body))

    @cached_property
    def known(self) -> bool:
        """Whether the sizes of what it returns are known before it runs."""
        return all([t.known for t in self.body.output_types])

    @property
    def result_count(self) -> int:
        """How many tensors the function returns."""
        return len([o for o in self.outputs if not isinstance(o, Returned)])

    def returned(self, results: Sequence[Tensor]) -> Any:
        """What the function returns."""
        return self.structure.build([o.value if isinstance(o, Returned) else results[o] for o in self.outputs])

    def outlives_its_trace(self) -> bool:
        """Whether it can be used again: not if it captured what depends on an input of a trace around it."""
        try:
            waiting(self.captured, "jit")
        except NoValueError:
            return False
        return True


class Jitted:
    """A function that `jit` made."""

    def __init__(self, function: Callable[..., Any], static: tuple[str, ...]) -> None:
        self.function = function
        self._parameters = Parameters(function, static)
        self._traced: dict[Hashable, Traced] = {}
        self._reasons: list[str] = []
        self._calls = 0
        self._lock = RLock()
        self._pending: dict[Hashable, Any] = {}
        """A lock for each signature that is being traced: who wants it waits. Nobody waits within a trace, so nobody
        waits in a circle."""
        update_wrapper(self, function)

    @property
    def trace_count(self) -> int:
        """How many times it was traced."""
        return len(self._reasons)

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it was traced, each time."""
        return tuple(self._reasons)

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """As a method: bound to `instance`, which is static, compared by equality, unless it is a container."""
        return self if instance is None else partial(self, instance)

    def __reduce__(self) -> Any:
        """For pickle and copy: itself where its name leads to it, as for a decorated function; else one that traces
        anew."""
        named: Any = sys.modules.get(getattr(self.function, "__module__", ""))
        name = getattr(self.function, "__qualname__", "")
        for part in name.split("."):
            named = getattr(named, part, None)
        return name if named is self else (Jitted, (self.function, tuple(sorted(self._parameters.static))))

    def __repr__(self) -> str:
        return f"<tg.jit of {getattr(self.function, '__qualname__', self.function)}>"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run it; trace it first if the signature is new."""
        self._calls += 1
        signature = self._parameters.signature(args, kwargs)
        traced = self._traced.get(signature.key) or self._trace(signature, args, kwargs)
        if active_trace() is not None:
            return self._call(traced, signature) if traced.known else self._within(signature, args, kwargs)
        if not traced.assigned:
            return self._now(traced, signature)
        with changing(traced.assigned):
            return self._now(traced, signature)

    def _now(self, traced: Traced, signature: Signature) -> Any:
        """At once if it can be: if no argument waits."""
        if not traced.known:  # the call can't be an op: its type isn't known before it runs
            evaluate([v for v in signature.values if isinstance(v, Tensor)], repr(self))
        arrays = [_array(v, kind) for v, kind in zip(signature.values, signature.types, strict=True)]
        if all([a is not None for a in arrays]):
            return self._run(traced, signature, arrays)
        return self._call(traced, signature)

    def _run(self, traced: Traced, signature: Signature, arrays: list[Any]) -> Any:
        """At once: the results carry a mark that says so."""
        evaluate(traced.captured, repr(self))
        outside = [*[v.value for v in traced.read], *traced.captured]
        status = Status()
        before = [np.asarray(True)] if traced.effects else []
        values: list[Any] = [*before, *arrays, *[x.value for x in outside]]
        found = traced.executable(values, status)
        if status.failed:
            raise status.error(body_program(traced.body).nodes)
        statistics.runs += 1
        statistics.ops_in_runs += traced.executable.step_count
        theirs = [v for v in signature.values if isinstance(v, np.ndarray)]
        found = [_own(y, theirs) for y in found]
        site = user_site()
        sources = [*[None for _ in before], *[v if isinstance(v, Tensor) else None for v in signature.values], *outside]
        count = traced.result_count
        results = [_marked(y, _hidden(traced.body, k, sources), site) for k, y in enumerate(found[:count])]
        for variable, array in zip(traced.assigned, found[count:], strict=False):
            variable.replace(array)
        return traced.returned(results)

    def _within(self, signature: Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """As a part of the trace around it: where data decides the sizes of its results, no op can stand for it."""
        given = [
            value if weak else asarray(value, kind.dtype)
            for value, kind, weak in zip(signature.values, signature.types, signature.weak, strict=True)
        ]
        returned, structure = self._applied(signature, given, args, kwargs)
        return structure.build([asarray(leaf) if is_result(leaf) else leaf for leaf in returned])

    def _applied(
        self, signature: Signature, given: Sequence[Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[list[Any], Structure]:
        """What the function returns with `given` in place of what a call reads: the leaves, and their structure."""
        leaves = list(signature.leaves)
        for place, x in zip(signature.places, given, strict=True):
            leaves[place] = x
        new_args, new_kwargs = self._parameters.call(signature.structure.build(leaves), args, kwargs)
        return flatten(self.function(*new_args, **new_kwargs))

    def _call(self, traced: Traced, signature: Signature) -> Any:
        """As an op of the graph."""
        given = [asarray(v, kind.dtype) for v, kind in zip(signature.values, signature.types, strict=True)]
        before = [_token()] if traced.effects else []
        outs = Call(traced.body)(*before, *given, *[v.value for v in traced.read], *traced.captured)
        count = traced.result_count
        for variable, new in zip(traced.assigned, outs[count:], strict=False):
            variable.assign(new)
        if traced.effects:
            happened(outs[count + len(traced.assigned)])
        return traced.returned(outs[:count])

    def _trace(self, signature: Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Traced:
        if active_trace() is not None:
            return self._trace_within(signature, args, kwargs)
        with self._lock:
            pending = self._pending.setdefault(signature.key, RLock())
        with pending:
            found = self._traced.get(signature.key)
            if found is not None:
                return found
            try:
                return self._kept(self._traced_now(signature, args, kwargs), signature, args, kwargs)
            finally:
                self._pending.pop(signature.key, None)

    def _trace_within(self, signature: Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Traced:
        around = active_tracing()
        found = None if around is None else around.inner.get((self, signature.key))
        if found is not None:
            return found
        traced = self._traced_now(signature, args, kwargs)
        if traced.outlives_its_trace():
            return self._kept(traced, signature, args, kwargs)
        if around is not None:
            around.inner[self, signature.key] = traced
        return traced

    def _kept(self, traced: Traced, signature: Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Traced:
        """`traced`, kept; or what another thread has kept meanwhile."""
        with self._lock:
            found = self._traced.get(signature.key)
            if found is not None:
                return found
            self._told(self._reason(signature, args, kwargs))
            if len(self._traced) >= KEPT:
                self._traced.pop(next(iter(self._traced)))
            self._traced[signature.key] = traced
            return traced

    def _traced_now(self, signature: Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Traced:
        first = next_number()
        before = Input(TOKEN)()
        with within(Tracing(before)) as trace:
            inputs = [Input(kind)() for kind in signature.types]
            trace.weak.update([x.node for x, weak in zip(inputs, signature.weak, strict=True) if weak])
            returned, structure = self._applied(signature, inputs, args, kwargs)
            results: list[Tensor] = []
            outputs: list[int | Returned] = []
            for leaf in returned:
                outputs.append(len(results) if is_result(leaf) else Returned(leaf))
                if is_result(leaf):
                    results.append(asarray(leaf))
            changed = trace.assigned
            effects = trace.token is not before
            tokens = [trace.token] if effects and trace.token is not None else []

        with many_new_objects():
            hidden = list(trace.read.values())
            body, captured = close(
                deciding([*results, *changed.values(), *tokens], trace.measured),
                [*[before] * effects, *inputs, *hidden],
                first,
            )
        return Traced(body, tuple(trace.read), captured, tuple(changed), tuple(outputs), structure, effects)

    def _reason(self, signature: Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
        if not self._traced:
            return "it is the first call"
        names = self._parameters.leaf_names(args, kwargs)
        nearest = min([differences(signature.key, key, names) for key in self._traced], key=len)
        return " and ".join(dict.fromkeys(nearest))

    def _told(self, reason: str) -> None:
        """Log, and warn now and then, that it was traced."""
        self._reasons.append(reason)
        site = user_site()
        log.info("%r traced at %s since %s", self, show_site(site), reason)
        if len(self._reasons) % MANY == 0 and self._calls < SELDOM * len(self._reasons):
            file, line = position(site)
            warnings.warn_explicit(
                f"{self!r} was traced {len(self._reasons)} times; the last time since {reason}. Pass what changes as "
                "an array or a number, pad shapes to a few sizes, and call tg.jit once, not in the loop",
                RetraceWarning,
                file,
                line,
            )


def _token() -> Tensor:
    """What the effects before gave, or something in its place."""
    token = token_around()
    return constant(True, bool_) if token is None else token


def deciding(outputs: list[Tensor], measured: Sequence[Node]) -> list[Tensor]:
    """`outputs`, and those of the nodes `measured` that decide sizes which the graph only mentions."""
    while True:
        nodes = walk(outputs)
        mentioned = {s for n in nodes for s in unknown_sizes(n.op)}
        there = set(nodes)
        missing = [n for n in measured if n not in there and unknown_sizes(n.op) & mentioned]
        if not missing:
            return outputs
        outputs = [*outputs, *[n.tensor(0) for n in missing]]


def is_result(leaf: Any) -> bool:
    """Whether a leaf that a function returned is a tensor, an array or a Variable, and not a plain Python object."""
    return isinstance(leaf, (Tensor, np.ndarray, np.generic)) or hasattr(type(leaf), "__tidegate_tensor__")


def _array(value: Any, kind: TensorType) -> Array | None:
    """The array of an argument; None if it waits for its value."""
    if isinstance(value, Tensor):
        if value.value is None and _made_of_nothing(value):
            evaluate([value], "jit")
        return value.value
    return value if isinstance(value, np.ndarray) else scalar_array(value, kind.dtype)


FEW = 16


def _made_of_nothing(x: Tensor) -> bool:
    """Whether a tensor that waits is made of few ops and of constants alone, as zeros are: nothing flows to those.

    What a derivative is taken for is an Identity of its own, whatever that is of.
    """
    seen: set[Node] = set()
    stack = [x.node]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        made = node.op.form == "non_differentiable" and not isinstance(node.op, Input) and node.op.leaf_value is None
        if (
            len(seen) > FEW
            or isinstance(node.op, Identity)
            or not (node.inputs or made or isinstance(node.op, Constant))
        ):
            return False
        stack.extend(node.inputs)
    return True


def _own(y: Array, theirs: Sequence[Array]) -> Array:
    """A result that no array of the caller's can change."""
    return read_only(y.copy() if any([np.may_share_memory(y, a) for a in theirs]) else y)


def _hidden(body: Body, output: int, sources: Sequence[Tensor | None]) -> frozenset[Place] | None:
    """Which tensors an open path leads back to from a result; None if a history lies behind one of them."""
    places = []
    for i, x in enumerate(sources):
        if x is not None and body.passes(output, i):
            if x.node.inputs or isinstance(x.node.op, Cut):
                return None
            places.append((x.node.number, x.index))
            if isinstance(x.node.op, Version):
                places.append(x.node.op.place)
    return frozenset(places)


def _marked(array: Array, hidden: frozenset[Place] | None, site: Site) -> Tensor:
    """A result that ran at once."""
    return Cut((array,), "it was cut by tg.jit, which ran at once,", site, hidden)()
