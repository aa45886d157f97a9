"""The graph: a node is an op applied to outputs of other nodes; a tensor is a user's handle on one output."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count
from operator import attrgetter
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from tidegate.core.device import CPU
from tidegate.core.dtypes import HALF, INEXACT, THE_ONE, DType
from tidegate.core.errors import NoValueError, ShapeError
from tidegate.core.intern import Interned
from tidegate.core.shapes import Shape, element_count, is_known, show_shape
from tidegate.core.source import Site, show_site, user_site
from tidegate.core.trace import active_scope

if TYPE_CHECKING:
    from tidegate.core.op import Op

Array = NDArray[Any]
Edge = tuple["Node", int]
"""One output of a node."""

next_number = count().__next__
by_number = attrgetter("number")


MOST_AXES, MOST_BYTES = 64, 2**63 - 1
"""What NumPy's arrays can have."""


@dataclass(frozen=True, eq=False, repr=False)
class TensorType(metaclass=Interned):
    """What is known of a tensor before it has a value. Equal types are one object."""

    shape: Shape
    dtype: DType
    differentiable: bool = field(init=False)
    """Whether a gradient can flow in it: whether it is floating point or complex."""
    nbytes: int = field(init=False)
    """Bytes of a value; 0 while a size isn't known."""
    known: bool = field(init=False)
    """Whether every size is a number."""
    half: bool = field(init=False)
    """Whether arithmetic in it is done in float32: float16 and bfloat16."""

    def __post_init__(self) -> None:
        known = is_known(self.shape)
        object.__setattr__(self, "dtype", THE_ONE.get(self.dtype, self.dtype))
        object.__setattr__(self, "known", known)
        object.__setattr__(self, "differentiable", self.dtype in INEXACT)
        object.__setattr__(self, "half", self.dtype in HALF)
        nbytes = element_count(self.shape) * self.dtype.itemsize if known else 0
        if len(self.shape) > MOST_AXES or nbytes > MOST_BYTES or (known and max(self.shape, default=0) > MOST_BYTES):
            raise ShapeError(f"got {self}; want at most {MOST_AXES} axes, and fewer than 2**63 bytes")
        object.__setattr__(self, "nbytes", nbytes)

    def __str__(self) -> str:
        return f"{self.dtype.name}[{show_shape(self.shape)}]"

    def __repr__(self) -> str:
        return f"TensorType({self})"

    def __reduce__(self) -> tuple[Any, ...]:
        return TensorType, (self.shape, self.dtype)


class Node:
    """An op applied to outputs of other nodes; always a tuple of outputs.

    Until it is computed a node holds its input *tensors*, so that their values stay. From then on it holds only
    their nodes: its history. So a value lives while a user, or a node that waits, can want it.
    """

    __slots__ = (
        "__weakref__", "handles", "holding", "indices", "inputs", "number", "op", "order", "origin", "site",
        "types",
    )  # fmt: skip

    op: Op
    inputs: tuple[Node, ...]
    indices: tuple[int, ...]
    types: tuple[TensorType, ...]
    number: int
    """When it was made; grows along every edge."""
    site: Site
    """The user's line that made it."""
    origin: Callable[[], Node | None] | None
    """What it is the derivative of, if the gradient builder made it; weak."""
    order: int
    """0 for what users write, 1 for a gradient, 2 for the gradient of a gradient."""
    handles: tuple[Callable[[], Tensor | None], ...]
    holding: tuple[Tensor, ...] | None

    def tensor(self, index: int) -> Tensor:
        """The handle on an output: the one that exists, or a new one."""
        handle = self.handles[index]()
        if handle is None:
            with _handles:
                handle = self.handles[index]()
                if handle is None:
                    handle = Tensor(self, index)
                    self.handles = (*self.handles[:index], ref(handle), *self.handles[index + 1 :])
        return handle

    def outputs(self) -> tuple[Tensor, ...]:
        """The handles on all outputs."""
        return tuple([self.tensor(i) for i in range(len(self.types))])

    def input_tensors(self) -> tuple[Tensor, ...]:
        """The handles on its inputs."""
        holding = self.holding
        if holding is not None:
            return holding
        return tuple([n.tensor(i) for n, i in zip(self.inputs, self.indices, strict=True)])

    def edges(self) -> Iterator[Edge]:
        """The outputs that it reads, in order."""
        return zip(self.inputs, self.indices, strict=True)

    def told_site(self) -> Site:
        """The line to tell users of: for a part of a derivative that of the op it belongs to, while that is there."""
        told = self
        while told.origin is not None and (forward := told.origin()) is not None:
            told = forward
        return told.site

    def hold(self) -> None:
        """Wait (again) for a value: keep those of the inputs."""
        self.holding = self.input_tensors()

    def __repr__(self) -> str:
        return f"<{self.op.name} #{self.number} at {show_site(self.site)}>"


_handles = Lock()


def make_node(op: Op, inputs: tuple[Tensor, ...], types: tuple[TensorType, ...]) -> tuple[Tensor, ...]:
    """A new node of `op`, with handles on its outputs."""
    node = Node.__new__(Node)
    node.op = op
    if len(inputs) == 1:  # spelt out: these few lines are most of what a small op costs
        (x,) = inputs
        node.inputs, node.indices = (x.node,), (x.index,)
    elif len(inputs) == 2:
        x, y = inputs
        node.inputs, node.indices = (x.node, y.node), (x.index, y.index)
    else:
        node.inputs = tuple([x.node for x in inputs])
        node.indices = tuple([x.index for x in inputs])
    node.types = types
    node.holding = inputs
    node.number = next_number()
    node.site = user_site()
    node.origin = None
    node.order = 0
    scope = active_scope()
    if scope is not None:
        scope.made(node)
    if len(types) == 1:
        out = Tensor.__new__(Tensor)
        out.node, out.index, out.type, out.value = node, 0, types[0], op.leaf_value
        node.handles = (ref(out),)
        return (out,)
    outs = tuple([Tensor(node, i) for i in range(len(types))])
    node.handles = tuple([ref(t) for t in outs])
    return outs


EMPTY_SLOTS: set[str] = set()


class Slot:
    """A method of Tensor that a higher floor fills in (`install`), so that this one needn't import it."""

    def __init__(self, declared: Callable[..., Any]) -> None:
        self.__doc__ = declared.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        EMPTY_SLOTS.add(name)

    def __get__(self, instance: Any, owner: Any) -> Any:
        raise NoValueError("Tensor: its operators aren't installed; import tidegate")


if TYPE_CHECKING:
    F = TypeVar("F")

    def slot(declared: F) -> F:  # the declaration is the type
        """Declare a slot."""
        ...

    slot_property = property
else:
    slot = slot_property = Slot

TensorLike = Any
"""A tensor, a Python number, nested lists of them, or anything that NumPy makes an array of."""


class Tensor:
    """One output of a node, as a user holds it. Its value, once asked for, is kept here, read-only.

    Immutable, hashed by identity. Operators broadcast and promote as the functions of the same name do. Asking for
    a value (`print`, `float`, `bool`, `numpy.asarray`, `.numpy()`) computes it.
    """

    __slots__ = ("__weakref__", "index", "node", "type", "value")
    __array_priority__ = 100
    __hash__ = object.__hash__

    node: Node
    index: int
    type: TensorType
    value: Array | None

    def __init__(self, node: Node, index: int) -> None:
        self.node = node
        self.index = index
        self.type = node.types[index]
        self.value = node.op.leaf_value

    @property
    def edge(self) -> Edge:
        """(node, index)"""
        return self.node, self.index

    @property
    def shape(self) -> Shape:
        """The sizes of its axes: ints, or Sizes while they aren't known."""
        return self.type.shape

    @property
    def ndim(self) -> int:
        """How many axes it has."""
        return len(self.type.shape)

    @property
    def size(self) -> Any:
        """How many elements it has: an int, or a Size while that isn't known."""
        return element_count(self.type.shape)

    @property
    def dtype(self) -> DType:
        """The NumPy dtype of its elements."""
        return self.type.dtype

    @property
    def differentiable(self) -> bool:
        """Whether a gradient can flow in it: whether it is floating point or complex."""
        return self.type.differentiable

    @property
    def device(self) -> str:
        """Where its value is: always "cpu"."""
        return CPU

    # fmt: off
    @slot
    def to_device(self, device: Any, /, *, stream: Any = None) -> Tensor:
        """Itself, on the device where it is. Raises ArgumentError for another, or a stream."""
        ...
    @slot
    def __array_namespace__(self, *, api_version: str | None = None) -> Any: ...
    @slot
    def __dlpack__(
        self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: bool | None = None
    ) -> Any: ...
    @slot
    def __dlpack_device__(self) -> tuple[int, int]: ...
    @slot
    def numpy(self) -> Array:
        """Its value, computed if need be: a read-only NumPy array."""
        ...
    @slot
    def item(self) -> complex:
        """Its value as a Python number. Raises ArgumentError unless it has one element."""
        ...
    @slot
    def astype(self, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Tensor:
        """Itself in another dtype."""
        ...
    @slot
    def reshape(self, *shape: Any) -> Tensor:
        """Its elements, in order, in another shape."""
        ...
    @slot
    def sum(self, axis: Any = None, *, dtype: Any = None, keepdims: bool = False) -> Tensor:
        """Its sum over `axis`."""
        ...
    @slot
    def prod(self, axis: Any = None, *, dtype: Any = None, keepdims: bool = False) -> Tensor:
        """Its product over `axis`."""
        ...
    @slot
    def mean(self, axis: Any = None, *, keepdims: bool = False) -> Tensor:
        """Its arithmetic mean over `axis`."""
        ...
    @slot
    def var(self, axis: Any = None, *, correction: float = 0.0, keepdims: bool = False) -> Tensor:
        """Its variance over `axis`."""
        ...
    @slot
    def std(self, axis: Any = None, *, correction: float = 0.0, keepdims: bool = False) -> Tensor:
        """Its standard deviation over `axis`."""
        ...
    @slot
    def max(self, axis: Any = None, *, keepdims: bool = False) -> Tensor:
        """Its largest element over `axis`."""
        ...
    @slot
    def min(self, axis: Any = None, *, keepdims: bool = False) -> Tensor:
        """Its smallest element over `axis`."""
        ...
    @slot
    def any(self, axis: Any = None, *, keepdims: bool = False) -> Tensor:
        """Whether an element over `axis` is true."""
        ...
    @slot
    def all(self, axis: Any = None, *, keepdims: bool = False) -> Tensor:
        """Whether every element over `axis` is true."""
        ...
    @slot
    def argmax(self, axis: int | None = None, *, keepdims: bool = False) -> Tensor:
        """The place of its largest element along `axis`."""
        ...
    @slot
    def argmin(self, axis: int | None = None, *, keepdims: bool = False) -> Tensor:
        """The place of its smallest element along `axis`."""
        ...
    @slot
    def transpose(self, *axes: Any) -> Tensor:
        """Its axes in another order; in the reverse order if none are given."""
        ...
    @slot
    def flatten(self) -> Tensor:
        """Its elements, in order, along one axis."""
        ...
    @slot
    def ravel(self) -> Tensor:
        """Its elements, in order, along one axis."""
        ...
    @slot
    def squeeze(self, axis: Any = None) -> Tensor:
        """Itself without `axis`, of size 1; without all axes of size 1 if none is given."""
        ...
    @slot
    def copy(self) -> Tensor:
        """Itself as a tensor of its own; gradients flow through."""
        ...
    @slot_property
    def T(self) -> Tensor:  # noqa: N802  the standard's name
        """A matrix transposed. Raises ShapeError unless it has two axes."""
        ...
    @slot_property
    def mT(self) -> Tensor:  # noqa: N802  the standard's name
        """A stack of matrices, each transposed. Raises ShapeError for fewer than two axes."""
        ...
    @slot_property
    def at(self) -> Any:
        """`x.at[key].set(value)` and kin: x with other values at key, as a new tensor."""
        ...
    @slot
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array: ...
    @slot
    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Tensor: ...
    @slot
    def __array_function__(self, function: Any, types: Any, arguments: Any, keywords: Any) -> Any: ...
    @slot
    def __bool__(self) -> bool: ...
    @slot
    def __int__(self) -> int: ...
    @slot
    def __float__(self) -> float: ...
    @slot
    def __complex__(self) -> complex: ...
    @slot
    def __index__(self) -> int: ...
    @slot
    def __len__(self) -> int: ...
    @slot
    def __iter__(self) -> Iterator[Tensor]: ...
    @slot
    def __getitem__(self, key: Any) -> Tensor: ...
    @slot
    def __setitem__(self, key: Any, value: Any) -> None: ...
    @slot
    def __repr__(self) -> str: ...
    @slot
    def __str__(self) -> str: ...
    @slot
    def __format__(self, spec: str) -> str: ...
    @slot
    def __reduce__(self) -> tuple[Any, ...]: ...
    @slot
    def __deepcopy__(self, memo: Any) -> Tensor: ...
    @slot
    def __pos__(self) -> Tensor: ...
    @slot
    def __neg__(self) -> Tensor: ...
    @slot
    def __abs__(self) -> Tensor: ...
    @slot
    def __invert__(self) -> Tensor: ...
    @slot
    def __add__(self, other: TensorLike) -> Tensor: ...
    @slot
    def __radd__(self, other: TensorLike) -> Tensor: ...
    @slot
    def __sub__(self, other: TensorLike) -> Tensor: ...
    @slot
    def __rsub__(self, other: TensorLike) -> Tensor: ...
    @slot
    def __mul__(self, other: TensorLike) -> Tensor: ...
    @slot
    def __rmul__(self, other: TensorLike) -> Tensor: ...
    @slot
    def __truediv__(self, other: TensorLike) -> Tensor: ...
    @slot
    def __rtruediv__(self, other: TensorLike) -> Tensor: ...
    @slot
    def __floordiv__(self, other: TensorLike) -> Tensor: ...
    @slot
    def __rfloordiv__(self, other: TensorLike) -> Tensor: ...
    @slot
    def __mod__(self, other: TensorLike) -> Tensor: ...
    @slot
    def __rmod__(self, other: TensorLike) -> Tensor: ...
    @slot
    def __divmod__(self, other: TensorLike) -> tuple[Tensor, Tensor]: ...
    @slot
    def __rdivmod__(self, other: TensorLike) -> tuple[Tensor, Tensor]: ...
    @slot
    def __pow__(self, other: TensorLike) -> Tensor: ...
    @slot
    def __rpow__(self, other: TensorLike) -> Tensor: ...
    @slot
    def __matmul__(self, other: TensorLike) -> Tensor: ...
    @slot
    def __rmatmul__(self, other: TensorLike) -> Tensor: ...
    @slot
    def __and__(self, other: TensorLike) -> Tensor: ...
    @slot
    def __rand__(self, other: TensorLike) -> Tensor: ...
    @slot
    def __or__(self, other: TensorLike) -> Tensor: ...
    @slot
    def __ror__(self, other: TensorLike) -> Tensor: ...
    @slot
    def __xor__(self, other: TensorLike) -> Tensor: ...
    @slot
    def __rxor__(self, other: TensorLike) -> Tensor: ...
    @slot
    def __lshift__(self, other: TensorLike) -> Tensor: ...
    @slot
    def __rlshift__(self, other: TensorLike) -> Tensor: ...
    @slot
    def __rshift__(self, other: TensorLike) -> Tensor: ...
    @slot
    def __rrshift__(self, other: TensorLike) -> Tensor: ...
    @slot
    def __lt__(self, other: TensorLike) -> Tensor: ...
    @slot
    def __le__(self, other: TensorLike) -> Tensor: ...
    @slot
    def __gt__(self, other: TensorLike) -> Tensor: ...
    @slot
    def __ge__(self, other: TensorLike) -> Tensor: ...
    @slot
    def __eq__(self, other: object) -> Tensor: ...
    @slot
    def __ne__(self, other: object) -> Tensor: ...
    # fmt: on


def install(methods: dict[str, Any]) -> None:
    """Fill Tensor's empty slots: all of them, and nothing else."""
    if methods.keys() != EMPTY_SLOTS:
        raise TypeError(f"Tensor's slots and what fills them differ in {sorted(methods.keys() ^ EMPTY_SLOTS)}")
    for name, method in methods.items():
        setattr(Tensor, name, method)


def walk(outputs: Iterable[Tensor], since: int = 0) -> list[Node]:
    """Every node that `outputs` need, made at number `since` or later, inputs before users.

    Creation order is such an order, so this is a set and one sort: nothing recurses.
    """
    seen: set[Node] = set()
    stack = [t.node for t in outputs]
    while stack:
        node = stack.pop()
        if node not in seen and node.number >= since:
            seen.add(node)
            stack.extend(node.inputs)
    return sorted(seen, key=by_number)


def value_type(array: Array) -> TensorType:
    """The type of a value."""
    return TensorType(array.shape, array.dtype)


def read_only(array: Array) -> Array:
    """`array`, never to be written again."""
    array = np.asarray(array)
    array.flags.writeable = False
    return array
