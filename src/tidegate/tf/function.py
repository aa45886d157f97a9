"""tf.function: a Python function traced into a graph for each signature, and called as one op.

In the trace, variables are hidden inputs where they are read and hidden outputs where they are assigned; tensors from
outside are inputs too. Whatever calls it sees one op that differentiates like any other; an argument that some output
depends on counts as connected to all of them, as in TensorFlow.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial, update_wrapper
from inspect import signature
from typing import Any

import numpy as np

from tidegate.api.arguments import happened, token_around
from tidegate.core import graph as core
from tidegate.core.body import Body
from tidegate.core.dtypes import bool_
from tidegate.core.errors import ArgumentError, ArgumentTypeError, RetraceWarning
from tidegate.core.graph import TensorType, next_number, walk
from tidegate.core.shapes import Symbol, symbol
from tidegate.core.source import position, user_site
from tidegate.core.trace import many_new_objects, within
from tidegate.core.tree import Structure, flatten, match
from tidegate.ops.creation import Input, constant
from tidegate.ops.effects import TOKEN
from tidegate.ops.regions import Call
from tidegate.runtime.variable import Tracing
from tidegate.runtime.variable import Variable as Place
from tidegate.tf.convert import convert, is_tensor
from tidegate.tf.dtypes import as_dtype, float32
from tidegate.tf.graph import FuncGraph, apply, current_graph
from tidegate.tf.recording import nobody_records
from tidegate.tf.shapes import TensorShape
from tidegate.tf.tape import told
from tidegate.tf.tensor import Tensor
from tidegate.tf.variable import Variable
from tidegate.transforms.closing import close
from tidegate.transforms.specialise import sizes_of, specialise

MANY = 8
"""After so many traces of one function, and again after as many more, a warning."""


class TensorSpec:
    """What is said of a tensor in advance: its shape, of which sizes may be None, and its dtype."""

    def __init__(self, shape: Any, dtype: Any = float32, name: str | None = None) -> None:
        self.shape, self.dtype, self.name = TensorShape(shape), as_dtype(dtype), name

    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> TensorSpec:
        """What a tensor is."""
        return cls(tensor.shape, tensor.dtype, name)

    def type(self, place: str) -> TensorType:
        """The type of an input: a size that isn't known is a symbol."""
        sizes = self.shape.as_list()
        return TensorType(
            tuple([symbol(f"{place}.{i}") if n is None else n for i, n in enumerate(sizes)]), self.dtype.numpy_dtype
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TensorSpec) and (self.shape, self.dtype) == (other.shape, other.dtype)

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype))

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self.shape}, dtype={self.dtype!r}, name={self.name!r})"


@dataclass
class Concrete:
    """A function traced for one signature. The body takes a token (if there are effects), the arguments, the variables
    that are read and what is captured; it gives the results, the variables assigned, and the last effect's token."""

    body: Body
    read: tuple[Place, ...]
    captured: tuple[core.Tensor, ...]
    assigned: tuple[Place, ...]
    owners: dict[Place, Variable]
    outputs: tuple[int | None, ...]
    structure: Structure
    effects: bool
    bound: dict[Any, Body]
    """The body for each binding of its unknown sizes."""

    def outlives_its_graph(self) -> bool:
        """Whether it can be used elsewhere: not if it captured what depends on a placeholder or a trace's input."""
        return not any([isinstance(node.op, Input) for node in walk(self.captured)])

    def body_for(self, inputs: Sequence[core.Tensor]) -> Body:
        """The body with the sizes that `inputs` have."""
        if all([t.known for t in self.body.input_types]):
            return self.body
        fed = {x: y.shape for x, y in zip(self.body.inputs, inputs, strict=True)}
        sizes: dict[Symbol, int] = sizes_of(fed)
        key = tuple(sizes.items())
        found = self.bound.get(key)
        if found is None:
            outs, fresh = specialise(self.body.outputs, self.body.inputs, sizes)
            found = self.bound[key] = Body(fresh, outs)
        return found


def function(
    func: Callable[..., Any] | None = None,
    input_signature: Any = None,
    autograph: bool = True,
    jit_compile: Any = None,
    reduce_retracing: bool = False,
    **options: Any,
) -> Any:
    """A function that is traced into a graph at the first call of each signature, and run as a graph.

    The signature is the containers of the arguments, the dtypes and shapes of tensors and arrays, and the values of all
    else. input_signature: TensorSpecs, one an argument; then it is traced once, for all tensors that fit. Variables are
    read and assigned at each call; what else the Python code does happens when it is traced. Python's own `if` and
    `while` can't branch on tensors: use tf.cond, tf.where and tf.while_loop. The other options are accepted.
    Raises ArgumentTypeError (TypeError) for what can't be called; as called, ArgumentError (ValueError) for arguments
    that don't fit the input_signature.
    """
    if func is None:
        return partial(function, input_signature=input_signature)
    if not callable(func):
        raise ArgumentTypeError(f"tf.function: got {type(func).__name__}; want a function")
    return Function(func, input_signature)


class Function:
    """A function that tf.function made."""

    def __init__(self, python_function: Callable[..., Any], input_signature: Any = None) -> None:
        self.python_function = python_function
        self.input_signature = None if input_signature is None else tuple(input_signature)
        self._traced: dict[Any, Concrete] = {}
        self._count = 0
        update_wrapper(self, python_function)

    def experimental_get_tracing_count(self) -> int:
        """How many times it was traced."""
        return self._count

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """As a method: bound to `instance`, which is compared by identity."""
        return self if instance is None else partial(self, instance)

    def __repr__(self) -> str:
        return f"<tf.function of {getattr(self.python_function, '__qualname__', self.python_function)}>"

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> Callable[..., Any]:
        """The function traced for arguments, of which TensorSpecs stand for tensors: a function of the tensors."""
        filled = [Input(s.type("argument"))() if isinstance(s, TensorSpec) else s for s in args]
        concrete, _ = self._concrete(tuple([Tensor(x) if isinstance(x, core.Tensor) else x for x in filled]), kwargs)

        def call(*tensors: Any) -> Any:
            return self._run(concrete, [convert(t) for t in tensors])

        return call

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run it; trace it first if the signature is new."""
        concrete, tensors = self._concrete(args, kwargs)
        return self._run(concrete, tensors)

    def _concrete(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Concrete, list[Tensor]]:
        arguments = self._complete(args, kwargs)
        if self.input_signature is not None:
            arguments = self._as_signed(arguments)
        leaves, structure = flatten(arguments)
        leaves = [convert(v) if _is_data(v) else v for v in leaves]
        tensors = [v for v in leaves if isinstance(v, Tensor)]
        specified = 0 if self.input_signature is None else len(flatten(self.input_signature)[0])
        key = (structure, *[_key(v) for v in leaves[specified:]])
        graph = current_graph()
        within_graph = {} if graph is None else graph.traced
        found = self._traced.get(key) or within_graph.get((self, key))
        if found is None:
            found = self._trace(leaves, structure)
            if found.outlives_its_graph():
                self._traced[key] = found
                self._told()
            else:
                within_graph[self, key] = found
        return found, tensors

    def _complete(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        """The arguments in the order of the parameters: (positional, {the rest by name})."""
        try:
            bound = signature(self.python_function).bind(*args, **kwargs)
        except ValueError:  # no signature to be had
            return args, dict(sorted(kwargs.items()))
        except TypeError as error:
            raise ArgumentTypeError(f"{self!r}: {error}") from None
        bound.apply_defaults()
        return bound.args, dict(sorted(bound.kwargs.items()))

    def _as_signed(self, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments with tensors where the input_signature has TensorSpecs."""
        assert self.input_signature is not None
        args, kwargs = arguments
        count = len(self.input_signature)
        if len(args) < count:
            raise ArgumentError(f"{self!r}: got {len(args)} arguments; want {count}, by its input_signature")
        specs, structure = flatten(self.input_signature)
        given = match(tuple(args[:count]), structure, repr(self))
        fitted = [self._fitting(value, spec) for value, spec in zip(given, specs, strict=True)]
        return (*structure.build(fitted), *args[count:]), kwargs

    def _fitting(self, value: Any, spec: TensorSpec) -> Tensor:
        x = convert(value, None if is_tensor(value) else spec.dtype)
        if x.dtype is not spec.dtype or not x.shape.is_compatible_with(spec.shape):
            raise ArgumentError(f"{self!r}: got {x.dtype.name} of shape {x.shape}; want {spec}, by its input_signature")
        return x

    def _trace(self, leaves: Sequence[Any], structure: Structure) -> Concrete:
        first = next_number()
        before = Input(TOKEN)()
        graph = FuncGraph(current_graph(), may_create=self._count == 0)
        specs = [] if self.input_signature is None else flatten(self.input_signature)[0]
        inputs: list[core.Tensor] = []
        with within(Tracing(before)) as trace, graph.as_default(), nobody_records():
            given = []
            for i, leaf in enumerate(leaves):
                if not isinstance(leaf, Tensor):
                    given.append(leaf)
                    continue
                kind = specs[i].type(f"argument{i}") if i < len(specs) else leaf.tensor.type
                inputs.append(Input(kind)())
                given.append(graph.record("Placeholder", (), [inputs[-1]]).outputs[0])
            args, kwargs = structure.build(given)
            returned, out_structure = flatten(self.python_function(*args, **kwargs))
            results: list[core.Tensor] = []
            outputs: list[int | None] = []
            for leaf in returned:
                outputs.append(None if leaf is None else len(results))
                if leaf is not None:
                    results.append(convert(leaf, who=repr(self)).tensor)
            changed = trace.assigned
            effects = trace.token is not before
            tokens = [trace.token] if effects and trace.token is not None else []
        owners = {v._place: v for v in [*graph.reads, *graph.assigned] if v._place is not None}
        with many_new_objects():
            body, captured = close(
                [*results, *changed.values(), *tokens], [*[before] * effects, *inputs, *trace.read.values()], first
            )
        return Concrete(
            body=body,
            read=tuple(trace.read),
            captured=captured,
            assigned=tuple(changed),
            owners=owners,
            outputs=tuple(outputs),
            structure=out_structure,
            effects=effects,
            bound={},
        )

    def _run(self, concrete: Concrete, tensors: Sequence[Tensor]) -> Any:
        reads = [_read(place, concrete.owners) for place in concrete.read]
        token = token_around()
        before = [Tensor(constant(True, bool_) if token is None else token)] if concrete.effects else []
        inputs = [*before, *tensors, *reads, *[told(x) for x in concrete.captured]]
        count = len([o for o in concrete.outputs if o is not None])
        results: list[Tensor] = []
        if concrete.body.outputs:
            op = Call(concrete.body_for([x.tensor for x in inputs]), boundary=True)
            results = list(apply("StatefulPartitionedCall", op, *inputs))
        for place, new in zip(concrete.assigned, results[count:], strict=False):
            place.assign(new.tensor)
        if concrete.effects:
            happened(results[-1].tensor)
        return concrete.structure.build([None if o is None else results[o] for o in concrete.outputs])

    def _told(self) -> None:
        """Count a trace, and warn now and then."""
        self._count += 1
        if self._count % MANY == 0:
            file, line = position(user_site())
            warnings.warn_explicit(
                f"{self!r} was traced {self._count} times, since its arguments keep changing. Pass numbers that "
                "change as tensors, give it an input_signature, and call tf.function once, not in the loop",
                RetraceWarning,
                file,
                line,
            )


def _is_data(value: Any) -> bool:
    return isinstance(value, (np.ndarray, np.generic, core.Tensor)) or (
        is_tensor(value) and not isinstance(value, (Tensor, Variable))
    )


def _key(value: Any) -> Any:
    """What tells signatures apart: a tensor's type, anything else's value."""
    if isinstance(value, Tensor):
        return value.tensor.type
    try:
        hash(value)
    except TypeError:
        raise ArgumentTypeError(f"tf.function: got an argument {type(value).__name__} that can't be hashed") from None
    return type(value), value


def _read(place: Place, owners: dict[Place, Variable]) -> Tensor:
    owner = owners.get(place)
    return Tensor(place.value) if owner is None else owner.read_value()
