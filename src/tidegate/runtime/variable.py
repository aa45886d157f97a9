"""Variables: a place for a tensor that changes. Each version of it is an immutable tensor."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count
from threading import RLock
from typing import Any
from weakref import ref

import numpy as np

from tidegate.core.dtypes import DType, kind_of, promote_scalar
from tidegate.core.errors import ArgumentError, DTypeError, ShapeError
from tidegate.core.graph import Array, Tensor, TensorLike, TensorType, walk
from tidegate.core.shapes import Shape
from tidegate.core.trace import Scope, Trace, active_scope
from tidegate.functions.convert import asarray
from tidegate.functions.numbers import is_number, number_kind
from tidegate.ops.creation import Cut, Input, Version
from tidegate.ops.gates import StopGradient
from tidegate.runtime.evaluation import value_of


class Tracing(Trace):
    """A trace in which Variables are hidden inputs where they are read, and hidden outputs where they are assigned."""

    def __init__(self, token: Tensor) -> None:
        super().__init__(token)
        self.read: dict[Variable, Tensor] = {}
        self.current: dict[Variable, Tensor] = {}
        self.versions: dict[Variable, list[Tensor]] = {}
        self.inner: dict[Any, Any] = {}
        """What was traced within that captured something of this trace, by function and signature."""

    def value(self, variable: Variable) -> Tensor:
        """What a Variable is at this point of the trace."""
        found = self.current.get(variable)
        if found is None:
            found = self.current[variable] = self.read[variable] = Input(variable.type)()
            self.versions[variable] = [found]
        return found

    def assign(self, variable: Variable, new: Tensor) -> None:
        """Make `new` what a Variable is from here on. As at the prompt, nothing flows to what it was made of."""
        self.value(variable)  # among the hidden inputs
        self.current[variable] = StopGradient()(new)
        self.versions[variable].append(self.current[variable])

    @property
    def assigned(self) -> dict[Variable, Tensor]:
        """The last version of each Variable that was assigned."""
        return {v: x for v, x in self.current.items() if self.read.get(v) is not x}


def traces() -> Iterator[Trace]:
    """The traces that are active, the innermost first."""
    scope: Scope | None = active_scope()
    while scope is not None:
        if isinstance(scope, Trace):
            yield scope
        scope = scope.outer


def tracings() -> Iterator[Tracing]:
    """Those of them that Variables belong to."""
    return (trace for trace in traces() if isinstance(trace, Tracing))


def active_tracing() -> Tracing | None:
    """The trace that Variables belong to, if one is active."""
    return next(tracings(), None)


def tracing_to_assign() -> Tracing | None:
    """The same, to assign in. Raises ArgumentError if a branch or vmap is in between."""
    trace = next(traces(), None)
    if trace is not None and not isinstance(trace, Tracing):
        raise ArgumentError(
            "assign: a Variable can't be assigned in a branch of cond or a function that vmap maps; return the value "
            "from there and assign it after"
        )
    return trace


_names = count()


class Variable:
    """A place for a tensor that changes, of one shape and dtype.

    initial_value: anything `asarray` takes; it is evaluated. dtype: another dtype. name: shown by errors and reports.

    Reading (`.value`, or using it in any operation) gives its current version, an immutable tensor of the graph;
    assigning evaluates the new value, then swaps. So a loop that assigns keeps no history, and what was computed
    from an earlier version stays what it was. `gradients` for a Variable sums over the versions that were read.
    Within `jit` it is read at each call and assigned when the call is done.
    Raises ArgumentError where it is made within a function that is being traced.
    """

    __slots__ = ("__weakref__", "_root", "_tensor", "lock", "name", "type")
    __array_priority__ = 100

    name: str
    type: TensorType
    lock: RLock
    """Held by who reads it in order to assign it."""

    def __init__(self, initial_value: TensorLike, dtype: Any = None, *, name: str | None = None) -> None:
        if active_tracing() is not None:
            raise ArgumentError("Variable: made while a function is being traced; make it outside, once")
        if isinstance(initial_value, Variable):
            initial_value = initial_value.value
        initial = asarray(initial_value, dtype)
        self.name = f"Variable:{next(_names)}" if name is None else name
        self.lock = RLock()
        self.type = initial.type
        self._root = Input(self.type)()
        self._tensor = self._version(value_of(initial, "Variable"))

    def _version(self, value: Array) -> Tensor:
        return Version(value, ref(self), (self._root.node.number, 0))()

    @property
    def root(self) -> Tensor:
        """Stands, older than all of them, for those versions that only a cut of the history knows of."""
        return self._root

    @property
    def value(self) -> Tensor:
        """The current version."""
        trace = active_tracing()
        return self._tensor if trace is None else trace.value(self)

    def assign(self, value: TensorLike) -> Variable:
        """Make `value` the current version: evaluated now, or within jit when the call is done. Gives self.

        Raises ShapeError or DTypeError for another shape or dtype, and changes nothing then; ArgumentError in a branch
        of cond, or a function that vmap maps.
        """
        new = self._converted(value)
        if new.shape != self.shape:
            raise ShapeError(f"assign: got {new.type} for {self.name}, {self.type}; want its shape")
        if new.dtype != self.dtype:
            raise DTypeError(f"assign: got {new.type} for {self.name}, {self.type}; want its dtype")
        trace = tracing_to_assign()
        if trace is not None:
            trace.assign(self, new)
            return self
        self.replace(value_of(new, "assign"))
        return self

    def _converted(self, value: TensorLike) -> Tensor:
        """`value` as a tensor; what has no dtype of its own, a number or a list of them, takes the Variable's."""
        if hasattr(type(value), "dtype") or hasattr(type(value), "__tidegate_tensor__"):
            return asarray(value)
        kind = number_kind(value) if is_number(value) else kind_of(asarray(value).dtype)
        try:
            fits = promote_scalar(kind, self.dtype) == self.dtype
        except DTypeError:
            fits = False
        if not fits:
            raise DTypeError(f"assign: got {kind.__name__} for {self.name}, {self.type}; want its dtype")
        return asarray(value, self.dtype)

    def replace(self, array: Array) -> None:
        """Make a value of its type, that nobody writes to again, the current version."""
        with self.lock:
            self._tensor = self._version(array)

    def assign_add(self, change: TensorLike) -> Variable:
        """Add `change` to it. Errors are those of assign."""
        with self.lock:
            return self.assign(self.value + change)

    def assign_sub(self, change: TensorLike) -> Variable:
        """Subtract `change` from it. Errors are those of assign."""
        with self.lock:
            return self.assign(self.value - change)

    @property
    def shape(self) -> Shape:
        """The sizes of its axes."""
        return self.type.shape

    @property
    def dtype(self) -> DType:
        """The NumPy dtype of its elements."""
        return self.type.dtype

    @property
    def ndim(self) -> int:
        """How many axes it has."""
        return len(self.type.shape)

    def numpy(self) -> Array:
        """The current value: a read-only NumPy array. Raises NoValueError while a function is being traced."""
        return self.value.numpy()

    def __tidegate_tensor__(self) -> Tensor:
        return self.value

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return self.value.__array__(dtype, copy)

    def __array_namespace__(self, *, api_version: str | None = None) -> Any:
        return self.value.__array_namespace__(api_version=api_version)

    def __dlpack__(self, **options: Any) -> Any:
        return self.value.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.value.__dlpack_device__()

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle and copy: another Variable of the same name, of the data it has now."""
        return _rebuilt, (np.array(self.numpy()), self.name)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Tensor:
        tensors = [x.value if isinstance(x, Variable) else x for x in inputs]
        return self.value.__array_ufunc__(ufunc, method, *tensors, **kwargs)

    def __repr__(self) -> str:
        if active_tracing() is not None:
            return f"Variable({self.name!r}, {self.type})"
        return f"Variable({self.name!r}, {self._tensor!r})"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.value, name)

    # fmt: off
    __hash__ = object.__hash__
    def __bool__(self) -> bool: return bool(self.value)
    def __int__(self) -> int: return int(self.value)
    def __float__(self) -> float: return float(self.value)
    def __complex__(self) -> complex: return complex(self.value)
    def __index__(self) -> int: return self.value.__index__()
    def __len__(self) -> int: return len(self.value)
    def __iter__(self) -> Iterator[Tensor]: return iter(self.value)
    def __getitem__(self, key: Any) -> Tensor: return self.value[key]
    def __setitem__(self, key: Any, value: Any) -> None: self.value[key] = value
    def __format__(self, spec: str) -> str: return format(self.value, spec)
    def __pos__(self) -> Tensor: return +self.value
    def __neg__(self) -> Tensor: return -self.value
    def __abs__(self) -> Tensor: return abs(self.value)
    def __invert__(self) -> Tensor: return ~self.value
    def __add__(self, other: TensorLike) -> Tensor: return self.value + other
    def __radd__(self, other: TensorLike) -> Tensor: return other + self.value
    def __sub__(self, other: TensorLike) -> Tensor: return self.value - other
    def __rsub__(self, other: TensorLike) -> Tensor: return other - self.value
    def __mul__(self, other: TensorLike) -> Tensor: return self.value * other
    def __rmul__(self, other: TensorLike) -> Tensor: return other * self.value
    def __truediv__(self, other: TensorLike) -> Tensor: return self.value / other
    def __rtruediv__(self, other: TensorLike) -> Tensor: return other / self.value
    def __floordiv__(self, other: TensorLike) -> Tensor: return self.value // other
    def __rfloordiv__(self, other: TensorLike) -> Tensor: return other // self.value
    def __mod__(self, other: TensorLike) -> Tensor: return self.value % other
    def __rmod__(self, other: TensorLike) -> Tensor: return other % self.value
    def __divmod__(self, other: TensorLike) -> tuple[Tensor, Tensor]: return divmod(self.value, other)
    def __rdivmod__(self, other: TensorLike) -> tuple[Tensor, Tensor]: return divmod(other, self.value)
    def __lshift__(self, other: TensorLike) -> Tensor: return self.value << other
    def __rlshift__(self, other: TensorLike) -> Tensor: return other << self.value
    def __rshift__(self, other: TensorLike) -> Tensor: return self.value >> other
    def __rrshift__(self, other: TensorLike) -> Tensor: return other >> self.value
    def __pow__(self, other: TensorLike) -> Tensor: return self.value ** other
    def __rpow__(self, other: TensorLike) -> Tensor: return other ** self.value
    def __matmul__(self, other: TensorLike) -> Tensor: return self.value @ other
    def __rmatmul__(self, other: TensorLike) -> Tensor: return other @ self.value
    def __and__(self, other: TensorLike) -> Tensor: return self.value & other
    def __rand__(self, other: TensorLike) -> Tensor: return other & self.value
    def __or__(self, other: TensorLike) -> Tensor: return self.value | other
    def __ror__(self, other: TensorLike) -> Tensor: return other | self.value
    def __xor__(self, other: TensorLike) -> Tensor: return self.value ^ other
    def __rxor__(self, other: TensorLike) -> Tensor: return other ^ self.value
    def __lt__(self, other: TensorLike) -> Tensor: return self.value < other
    def __le__(self, other: TensorLike) -> Tensor: return self.value <= other
    def __gt__(self, other: TensorLike) -> Tensor: return self.value > other
    def __ge__(self, other: TensorLike) -> Tensor: return self.value >= other
    def __eq__(self, other: object) -> Any: return self is other or self.value == other
    def __ne__(self, other: object) -> Any: return self is not other and self.value != other
    # fmt: on


@contextmanager
def changing(variables: Collection[Variable]) -> Generator[None]:
    """Keep other threads from assigning `variables` between their being read and assigned here."""
    with ExitStack() as stack:
        for v in sorted(variables, key=lambda v: v.root.node.number):  # in one order: nobody waits in a circle
            stack.enter_context(v.lock)
        yield


def versions(variable: Variable, outputs: Sequence[Tensor]) -> list[Tensor]:
    """The versions of a Variable that `outputs` were computed from, or may have been; the current one if none.

    The Variable's root is among them if a cut of the history may hide some.
    """
    nodes = walk(outputs)
    found = [x for trace in tracings() for x in trace.versions.get(variable, ())]
    found += [n.tensor(0) for n in nodes if isinstance(n.op, Version) and n.op.owner() is variable]
    if any([isinstance(n.op, Cut) and n.op.hides(n, variable.root) for n in nodes]):
        found.append(variable.root)
    return found or [variable.value]


def _rebuilt(value: Array, name: str) -> Variable:
    """A Variable of data that pickle kept."""
    return Variable(value, name=name)
