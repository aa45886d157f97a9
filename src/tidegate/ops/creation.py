"""Leaves: inputs, data and constants; and values made of nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from tidegate.core.dtypes import COMPLEX, NUMERIC, DType, as_array, scalar_array
from tidegate.core.errors import AxisError, NoValueError
from tidegate.core.graph import Array, Node, Tensor, TensorType, make_node, value_type
from tidegate.core.intern import RECENT
from tidegate.core.kinds import Generator
from tidegate.core.op import Op, Sample
from tidegate.core.shapes import Shape
from tidegate.core.source import NOWHERE, Site, show_site


@dataclass(frozen=True, eq=False)
class Input(Generator):
    """A value given when the graph runs. It has none of its own.

    Shapes and dtypes: those of `type`, any.
    """

    type: TensorType
    non_differentiable = "an input is where differentiation ends"

    def infer(self) -> TensorType:
        return self.type

    def reference(self) -> Array:
        raise NoValueError(f"Input: {self.type} has no value; it was never given")

    @classmethod
    def domain(cls) -> list[Sample]:
        return []  # a run gives it its value: there is nothing to compute


@dataclass
class Captured:
    """How many bytes of data were captured since the start: when to look how much of it old graphs still hold."""

    nbytes: int = 0


class Data(Generator, interned=False):
    """A value given when the node was made; compiled code depends on its type only.

    Shapes and dtypes: the value's. Not a dataclass: one is made for every number in a user's loop.
    """

    non_differentiable = "data is where differentiation ends"

    captured = Captured()

    def __init__(self, value: Array) -> None:
        value.setflags(write=False)
        self.leaf_value = value
        self.type = value_type(value) if value.ndim else scalar_type(value.dtype)
        self.captured.nbytes += self.type.nbytes

    def infer(self) -> TensorType:
        return self.type

    def __call__(self, *inputs: Tensor) -> Tensor:
        return super().__call__(*inputs) if inputs else make_node(self, (), (self.type,))[0]

    def reference(self) -> Array:
        assert self.leaf_value is not None
        return self.leaf_value

    def __reduce__(self) -> tuple[Any, ...]:
        return Data, (self.leaf_value,)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [Sample(cls(np.arange(3.0)), ())]


Place = tuple[int, int]
"""(creation number, index) of a tensor: what tells it apart when its node is gone."""


class Version(Data, interned=False):
    """A value that a Variable had; `owner` gives that Variable, while it is there.

    Shapes and dtypes: the value's. `place` tells of the Variable itself, whatever its version: cuts that hide a version
    hide that too.
    """

    def __init__(self, value: Array, owner: Callable[[], object], place: Place = (-1, 0)) -> None:
        super().__init__(value)
        self.owner = owner
        self.place = place

    def __reduce__(self) -> tuple[Any, ...]:
        return Data, (self.leaf_value,)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [Sample(cls(np.arange(3.0), object), ())]


class Cut(Generator, interned=False):
    """A value whose history was let go: what stood here before, and what it depended on, is no longer known.

    Shapes and dtypes: the values'. `hidden` says which outputs of nodes an open path led back to, as (creation number,
    index); None where that isn't known, so that any older one may be among them.
    """

    non_differentiable = "its history was cut"

    def __init__(self, values: tuple[Array, ...], cause: str, site: Site, hidden: frozenset[Place] | None) -> None:
        self.values = values
        self.leaf_value = values[0] if len(values) == 1 else None
        self.cause = cause
        self.site = site
        self.hidden = hidden

    def why_not(self, output: int, input: int) -> str:
        return self.why()

    def why(self) -> str:
        """The cause, with its line."""
        return f"{self.cause} at {show_site(self.site)}"

    def infer(self) -> tuple[TensorType, ...]:
        return tuple([value_type(v) for v in self.values])

    def reference(self) -> tuple[Array, ...]:
        return self.values

    def hides(self, cut: Node, x: Tensor) -> bool:
        """Whether an open path may have led from x to here, the op of the node `cut`."""
        if self.hidden is None:
            return x.differentiable and x.node.number < cut.number
        return (x.node.number, x.index) in self.hidden

    def __str__(self) -> str:
        return f"Cut({self.why()})"

    __repr__ = __str__

    def __reduce__(self) -> tuple[Any, ...]:
        return Cut, (self.values, self.cause, NOWHERE, self.hidden)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [Sample(cls((np.arange(3.0), np.arange(2)), "its history was cut", NOWHERE, None), ())]


@dataclass(frozen=True, eq=False)
class Constant(Generator):
    """A value that compiled code may depend on: known to rewrites, and part of what tells two graphs apart.

    Shapes and dtypes: those of `type`, any. Two are equal if their bytes are.
    """

    type: TensorType
    bytes: bytes
    non_differentiable = "a constant depends on nothing"

    @cached_property
    def leaf_value(self) -> Array:
        return np.frombuffer(self.bytes, self.type.dtype).reshape(self.type.shape)

    def infer(self) -> TensorType:
        return self.type

    def reference(self) -> Array:
        return self.leaf_value

    def __str__(self) -> str:
        return f"Constant({self.leaf_value.tolist()})"

    __repr__ = __str__

    @classmethod
    def domain(cls) -> list[Sample]:
        return [Sample(constant_op(np.asarray([1.0, -0.0])), ())]


@dataclass(frozen=True, eq=False)
class Iota(Generator):
    """Each element's place along `axis`: 0, 1, 2, ...

    Shapes: -> `shape`.  Dtypes: any numeric.
    Raises AxisError if there is no such axis, DTypeError for booleans.
    """

    shape: Shape
    axis: int
    dtype: DType
    non_differentiable = "places depend on no value"

    def infer(self) -> TensorType:
        out = TensorType(self.shape, self.dtype)
        self.require([out], NUMERIC)
        if not 0 <= self.axis < len(self.shape):
            raise AxisError(f"Iota: got axis {self.axis} of shape {self.shape}")
        return out

    def reference(self) -> Array:
        places = np.arange(self.shape[self.axis]).astype(self.dtype)
        along = [n if i == self.axis else 1 for i, n in enumerate(self.shape)]
        return np.broadcast_to(places.reshape(along), self.shape)

    @classmethod
    def domain(cls) -> list[Sample]:
        shapes: list[tuple[tuple[int, ...], int]] = [((4,), 0), ((2, 3), 1), ((0, 2), 0)]
        return [Sample(cls(shape, axis, np.dtype(float)), ()) for shape, axis in shapes]


def constant_op(array: Array) -> Op:
    """The Constant of an array's value."""
    return Constant(value_type(array), array.tobytes())


def constant(value: Any, dtype: DType) -> Tensor:
    """A constant of a Python number."""
    return _constant_op(value, str(value), dtype)()


@lru_cache(RECENT, typed=True)
def _constant_op(value: Any, shown: str, dtype: DType) -> Op:
    """`shown` tells 0.0 from -0.0."""
    return constant_op(scalar_array(value, dtype))


def data(value: Any, dtype: DType | None = None) -> Tensor:
    """A tensor of a copy of `value`."""
    return Data(as_array(value, dtype))()


STRUCTURAL = frozenset([0, 1, -1, 2, -2, 0.5])
"""Numbers that a rewrite could use (x * 1, x ** 2): part of a graph's structure. All others are data."""


def scalar(value: complex, dtype: DType) -> Tensor:
    """A tensor without axes of a Python number."""
    if value in STRUCTURAL and not (value == 0 and dtype in COMPLEX):
        return constant(value, dtype)
    array = scalar_array(value, dtype)
    array.setflags(write=False)
    op = object.__new__(Data)  # what Data(array)() does, less the ways that it need not go
    op.leaf_value, op.type, op._inferred = array, scalar_type(dtype), {}
    return make_node(op, (), (op.type,))[0]


@lru_cache(RECENT)
def scalar_type(dtype: DType) -> TensorType:
    """The type of a tensor without axes."""
    return TensorType((), dtype)
