"""tf.custom_gradient, tf.recompute_grad and tf.grad_pass_through: gradients that users write."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from inspect import Parameter, signature
from typing import Any

from tidegate.core import graph as core
from tidegate.core.errors import ArgumentError, ArgumentTypeError, ShapeError
from tidegate.core.graph import next_number
from tidegate.core.trace import active_trace
from tidegate.core.tree import flatten
from tidegate.ops.attached import Attached
from tidegate.ops.creation import Input
from tidegate.ops.elementwise import identity
from tidegate.ops.gates import StopGradient
from tidegate.tf.convert import convert, is_tensor
from tidegate.tf.errors import NotFoundError
from tidegate.tf.graph import OVERRIDE, FuncGraph, apply, current_graph
from tidegate.tf.recording import Recorder, nobody_records, tell
from tidegate.tf.tape import told
from tidegate.tf.tensor import Tensor
from tidegate.tf.unconnected import total
from tidegate.tf.variable import Variable
from tidegate.transforms.closing import close
from tidegate.transforms.engine import ENGINE


class _Reads(Recorder):
    """Notes which trainable variables are read."""

    def wants(self, variable: Any) -> bool:
        return variable.trainable

    def __enter__(self) -> _Reads:
        self._start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._stop()

    @property
    def found(self) -> dict[Variable, list[Tensor]]:
        return self._reads


def custom_gradient(f: Callable[..., Any] | None = None) -> Any:
    """A function with a gradient of its own: `f(*xs)` returns its value (a tensor, or a container of them) and a
    function of what flows in at each output that gives what flows back to each x: tensors, or None.

    That function takes the place of the body's gradient wholly, is called when a gradient is asked for (in a graph:
    right away), and is differentiated itself for higher orders. An output that isn't used has
    zeros flowing in. Where the body reads trainable variables, the function must take `variables=` and return a pair:
    the gradients for xs, and a list of those for the variables.
    Raises ArgumentTypeError (TypeError) where it reads variables and the function doesn't take them, ArgumentError
    (ValueError), when gradients are asked for, for another number of them.
    """
    if f is None:
        return custom_gradient
    function = f

    @wraps(function)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        return _called(function, args, kwargs)

    return wrapped


def _called(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    leaves, structure = flatten(args)
    passed = [isinstance(leaf, Variable) for leaf in leaves]
    xs = [convert(leaf) for leaf in leaves]
    own = [apply("Identity", identity, x) for x in xs]
    given: list[Any] = [leaf if p else x for leaf, p, x in zip(leaves, passed, own, strict=True)]
    with nobody_records(), _Reads() as reads:
        result = function(*structure.build(given), **kwargs)
    if not isinstance(result, tuple) or len(result) != 2 or not callable(result[1]):
        raise ArgumentTypeError("tf.custom_gradient: the function must return its value and a gradient function")
    value, gradient = result
    outputs, out_structure = flatten(value)
    ys = [convert(y) for y in outputs]
    arguments = {leaf for leaf, p in zip(leaves, passed, strict=True) if p}
    variables = [v for v in reads.found if v not in arguments]
    takes = _takes_variables(gradient)
    if variables and not takes:
        raise ArgumentTypeError(
            f"tf.custom_gradient: the function reads {variables[0]!r}; its gradient function must take variables=None "
            "and return (gradients for its inputs, [gradients for the variables])"
        )
    sources = [*xs, *[reads.found[v][0] for v in variables]]
    for v in variables:
        tell(v, reads.found[v][0])
    pullback = _Pullback(gradient, [s.tensor for s in sources], len(xs), variables)
    outs = _attach(pullback, ys, sources)
    return out_structure.build(outs)


def _attach(pullback: _Pullback, ys: list[Tensor], sources: list[Tensor]) -> list[Tensor]:
    """The values `ys`, whose gradient for `sources` is what `pullback` says."""
    count = len(ys)
    op, captured = _op_of(pullback, [y.tensor.type for y in ys], len(sources))

    def attached(*tensors: core.Tensor) -> tuple[core.Tensor, ...]:
        held = [StopGradient(internal=True)(y) for y in tensors[:count]]
        return op(*held, *tensors[count:])

    return list(apply("IdentityN", attached, *ys, *sources, *[told(x) for x in captured]))


def _op_of(
    pullback: _Pullback, types: Sequence[core.TensorType], given: int
) -> tuple[Attached, tuple[core.Tensor, ...]]:
    """The op that attaches a gradient to values of `types`, and what it reads besides: in a graph the gradient function
    is called now, so that what it reads is part of the graph; at the prompt when a gradient is asked for."""
    graph = current_graph()
    if active_trace() is None and graph is None:
        return Attached(len(types), given, (True,) * given, None, pullback), ()
    first = next_number()
    seeds = [Input(t)() for t in types]
    with FuncGraph(graph).as_default():
        found = pullback(tuple(seeds))
    body, captured = close([g for g in found if g is not None], seeds, first)
    return Attached(len(types), given, tuple([g is not None for g in found]), body), captured


class _Pullback:
    """A user's gradient function, on the graph's tensors."""

    def __init__(
        self, gradient: Callable[..., Any], sources: list[core.Tensor], count: int, variables: list[Variable]
    ) -> None:
        self.gradient, self.types = gradient, [s.type for s in sources]
        self.count, self.variables = count, variables

    def __call__(self, cotangents: tuple[core.Tensor, ...]) -> Sequence[core.Tensor | None]:
        flowing = [told(c) for c in cotangents]
        if self.variables:
            result = self.gradient(*flowing, variables=self.variables)
            if not isinstance(result, tuple) or len(result) != 2:
                raise ArgumentError(
                    "tf.custom_gradient: the gradient function must return (gradients, gradients of variables)"
                )
            found = [*self._listed(result[0], self.count, "inputs"),
                     *self._listed(result[1], len(self.variables), "variables")]  # fmt: skip
        else:
            found = self._listed(self.gradient(*flowing), self.count, "inputs")
        return [self._fitting(g, kind) for g, kind in zip(found, self.types, strict=True)]

    def _listed(self, found: Any, count: int, of: str) -> list[Any]:
        leaves = [found] if found is None else [
            leaf for part in (found if isinstance(found, (list, tuple)) else [found]) for leaf in flatten(part)[0]
        ]  # fmt: skip
        if len(leaves) != count:
            raise ArgumentError(
                f"tf.custom_gradient: the gradient function gave {len(leaves)} gradients for {count} {of}"
            )
        return leaves

    def _fitting(self, found: Any, kind: core.TensorType) -> core.Tensor | None:
        if found is None:
            return None
        g = convert(found, None if is_tensor(found) else kind.dtype).tensor
        if g.type is not kind:
            raise ShapeError(f"tf.custom_gradient: the gradient function gave {g.type} for {kind}; want its type")
        return g


def _takes_variables(gradient: Callable[..., Any]) -> bool:
    try:
        parameters = signature(gradient).parameters
    except (TypeError, ValueError):
        return False
    return "variables" in parameters or any([p.kind is Parameter.VAR_KEYWORD for p in parameters.values()])


def recompute_grad(f: Callable[..., Any]) -> Callable[..., Any]:
    """f, whose body is run again, once, when gradients are asked for, instead of keeping what it computed."""

    @wraps(f)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        reads = _Reads()

        @custom_gradient
        def recomputed(*xs: Any) -> Any:
            with reads:
                value = f(*xs, **kwargs)

            def gradient(*flowing: Any, variables: Any = None) -> Any:
                again = _Reads()
                own = [apply("Identity", identity, convert(x)) for x in flatten(xs)[0]]
                structure = flatten(xs)[1]
                with again:
                    outs = [convert(y).tensor for y in flatten(f(*structure.build(own), **kwargs))[0]]
                groups = [[x.tensor] for x in own]
                groups += [[r.tensor for r in again.found.get(v, [])] for v in variables or []]
                flat = tuple([t for group in groups for t in group])
                seeds = tuple([c.tensor if y.differentiable else None for c, y in zip(flowing, outs, strict=True)])
                pulled = iter(ENGINE.vjp(tuple(outs), flat, seeds))
                sums = [total([next(pulled) for _ in group]) for group in groups]
                grads = [None if g is None else told(g) for g in sums]
                return (grads[: len(own)], grads[len(own) :]) if variables else grads

            return value, gradient

        return recomputed(*args)

    return wrapped


def grad_pass_through(f: Callable[..., Any]) -> Callable[..., Any]:
    """f, whose gradient is 1: what flows in at its output flows back to its one input as it is."""

    @wraps(f)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        @custom_gradient
        def passed(*xs: Any) -> Any:
            def gradient(*flowing: Any, variables: Any = None) -> Any:
                return (flowing, [None for _ in variables]) if variables else flowing

            return f(*xs, **kwargs), gradient

        return passed(*args)

    return wrapped


_REGISTERED: dict[str, Callable[..., Any]] = {}


class RegisterGradient:
    """A decorator that registers a gradient under a name, for tf.Graph.gradient_override_map: a function of an
    operation (`inputs`, `outputs`, `type`) and what flows in at each of its outputs, that gives what flows back to each
    input.

    Raises ArgumentError (ValueError) for a name that is taken.
    """

    def __init__(self, op_type: str) -> None:
        self.name = op_type

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Register it."""
        if self.name in _REGISTERED:
            raise ArgumentError(f"tf.RegisterGradient: there is a gradient {self.name!r} already")
        _REGISTERED[self.name] = function
        return function


class OperationView:
    """What a registered gradient is told of its operation."""

    def __init__(self, kind: str, inputs: Sequence[Tensor], outputs: Sequence[Tensor]) -> None:
        self.type, self.inputs, self.outputs = kind, tuple(inputs), tuple(outputs)


def _overriding(kind: str, function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """`function`, the operation `kind`, with the gradient registered under a name."""
    if name not in _REGISTERED:
        raise NotFoundError(f"gradient_override_map: there is no gradient {name!r}; see tf.RegisterGradient")
    registered = _REGISTERED[name]

    def overridden(*inputs: core.Tensor) -> Any:
        found = function(*inputs)
        ys = found if isinstance(found, tuple) else (found,)
        view = OperationView(kind, [told(x) for x in inputs], [Tensor(y) for y in ys])
        pullback = _Pullback(lambda *flowing: registered(view, *flowing), list(inputs), len(inputs), [])
        op, captured = _op_of(pullback, [y.type for y in ys], len(inputs))
        outs = op(*[StopGradient(internal=True)(y) for y in ys], *inputs, *captured)
        return outs if isinstance(found, tuple) else outs[0]

    return overridden


OVERRIDE[:] = [_overriding]
