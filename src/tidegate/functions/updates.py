"""x.at[key]: x with other values at key, as a new tensor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tidegate.core.dtypes import DEFAULT_INT, INEXACT, bool_
from tidegate.core.errors import ArgumentError, DTypeError
from tidegate.core.graph import Tensor, TensorLike, TensorType
from tidegate.core.shapes import Shape, element_count
from tidegate.functions.convert import asarray
from tidegate.functions.indexing import as_value, fill_for
from tidegate.functions.keys import Selection, select_by
from tidegate.functions.places import MODES, check_mode
from tidegate.ops.broadcast import BroadcastTo, filled
from tidegate.ops.elementwise import add, divide, multiply, select, subtract
from tidegate.ops.indexing import ScatterAdd
from tidegate.ops.layout import Permute, Reshape
from tidegate.ops.scatter import ScatterMax, ScatterMin, ScatterMultiply, ScatterSet
from tidegate.ops.window import Pad, Slice

WHO = "x.at[...]"


def put(x: Tensor, updates: Tensor, places: Tensor, how: str) -> Tensor:
    """x[n, q...] combined with updates[m, q...] at places[m]."""
    match how:
        case "set":
            return ScatterSet(0)(x, updates, places)
        case "add":
            return add(x, ScatterAdd(x.shape, 0)(updates, places))
        case "subtract":
            return subtract(x, ScatterAdd(x.shape, 0)(updates, places))
        case "multiply":
            return ScatterMultiply(0)(x, updates, places)
        case "divide":
            return divide(x, ScatterMultiply(0)(filled(1, x.type), updates, places))
        case "max":
            return ScatterMax(0)(x, updates, places)
        case _:
            return ScatterMin(0)(x, updates, places)


def combined(x: Tensor, value: Tensor, how: str) -> Tensor:
    """x with a value of its shape put in every element's place, once."""
    match how:
        case "set":
            return value
        case "add":
            return add(x, value)
        case "subtract":
            return subtract(x, value)
        case "multiply":
            return multiply(x, value)
        case "divide":
            return divide(x, value)
    rows = (1, *x.shape)  # one row: ties share the derivative here as they do where indices come again
    out = put(Reshape(rows)(x), Reshape(rows)(value), filled(0, TensorType((1,), DEFAULT_INT)), how)
    return Reshape(x.shape)(out)


@dataclass(frozen=True)
class Update:
    """x at a key: what puts other values there. Made by `x.at[key]`.

    Each method gives a new tensor of x's shape and dtype; its value broadcasts to what x[key] is, and gets the gradient
    of what it becomes. An index that comes again counts again; of `set` the last in row-major order stands, and what
    was overwritten gets no gradient.

    mode: what becomes of an index that is out of range. "raise": AxisError where it is known, IndexRangeError at
        evaluation where it is computed. "clip": the nearest that isn't. "fill": it is left out; `get` fills in. In
        every mode negative ones count from the end.
    Raises what x[key] does; DTypeError for a value that x's dtype doesn't hold, ShapeError for one that doesn't
    broadcast, ArgumentError for another mode.
    """

    x: Tensor
    key: Any

    def get(self, *, mode: str = "raise", fill_value: TensorLike | None = None) -> Tensor:
        """x[key]. With mode "fill" what is out of range is `fill_value`: by default NaN, 0 or False by dtype."""
        check_mode(WHO, mode)
        if fill_value is not None and mode != "fill":
            raise ArgumentError(f"{WHO}: got fill_value {fill_value!r} and mode {mode!r}; want mode 'fill'")
        fill = fill_for(WHO, self.x, fill_value) if mode == "fill" else None
        return select_by(self.x, self.key, WHO, mode).read(self.x, fill)

    def set(self, value: TensorLike, /, *, mode: str = "raise") -> Tensor:
        """x with `value` at key; x of any dtype."""
        return self._put(value, "set", mode)

    def add(self, value: TensorLike, /, *, mode: str = "raise") -> Tensor:
        """x with `value` added at key."""
        return self._put(value, "add", mode)

    def subtract(self, value: TensorLike, /, *, mode: str = "raise") -> Tensor:
        """x with `value` subtracted at key."""
        return self._put(value, "subtract", mode)

    def multiply(self, value: TensorLike, /, *, mode: str = "raise") -> Tensor:
        """x multiplied by `value` at key. The derivative is right where there are zeros."""
        return self._put(value, "multiply", mode)

    def divide(self, value: TensorLike, /, *, mode: str = "raise") -> Tensor:
        """x divided by `value` at key; floating point or complex."""
        if self.x.dtype not in INEXACT:
            raise DTypeError(f"{WHO}: got {self.x.type} to divide; want floating point or complex")
        return self._put(value, "divide", mode)

    def max(self, value: TensorLike, /, *, mode: str = "raise") -> Tensor:
        """The larger of x and `value` at key; x of integers or floating point. Ties share the derivative equally."""
        return self._put(value, "max", mode)

    def min(self, value: TensorLike, /, *, mode: str = "raise") -> Tensor:
        """The lesser of x and `value` at key; x of integers or floating point. Ties share the derivative equally."""
        return self._put(value, "min", mode)

    def _put(self, value: TensorLike, how: str, mode: str) -> Tensor:
        check_mode(WHO, mode)
        x, key = self.x, self.key
        if isinstance(key, tuple) and len(key) == 1:
            (key,) = key
        mask = as_mask(key)
        given = asarray(value)
        if mask is not None and mask.shape == x.shape[: mask.ndim] and given.ndim <= x.ndim - mask.ndim:
            # No value differs from one selected element to the next: nothing needs counting, also in a trace.
            spread_value = as_value(WHO, x, value, x.shape)
            chosen = BroadcastTo(x.shape, tuple(range(mask.ndim)))(mask)
            return select(chosen, combined(x, spread_value, how), x)
        found = select_by(x, key, WHO, mode)
        view = found.basic(x)
        if found.arrays:
            return found.put_basic(x, self._put_arrays(found, view, value, how))
        return found.put_basic(x, combined(view, as_value(WHO, x, value, view.shape), how))

    def _put_arrays(self, found: Selection, view: Tensor, value: TensorLike, how: str) -> Tensor:
        """`view`, sliced and reshaped, with the value put at arrays of indices."""
        axes, others, target = found.array_axes, found.others, found.target
        index_shape, other_sizes = found.index_shape(), tuple([found.shape[a] for a in others])
        shape = (*other_sizes[:target], *index_shape, *other_sizes[target:])
        updates = as_value(WHO, self.x, value, shape)
        order = (
            *range(target, target + len(index_shape)),
            *range(target),
            *range(target + len(index_shape), len(shape)),
        )
        if order != tuple(range(len(shape))):
            updates = Permute(order)(updates)
        count, places = element_count(index_shape), found.places(MODES[found.mode])
        updates, places = reshaped(updates, (count, *other_sizes)), reshaped(places, (count,))
        front = Permute((*axes, *others))
        rows = view if front.axes == tuple(range(view.ndim)) else front(view)
        inner, size = rows.shape, element_count(found.sizes)
        flat = reshaped(rows, (size, *other_sizes))
        if found.mode == "fill":  # what is out of range goes to one more row, which is cut off
            nothing = (0,) * flat.ndim
            longer = Pad(nothing, (1, *nothing[1:]), nothing)(flat)
            flat = Slice(nothing, flat.shape, (1,) * flat.ndim)(put(longer, updates, places, how))
        else:
            flat = put(flat, updates, places, how)
        rows = reshaped(flat, inner)
        return rows if front.axes == tuple(range(view.ndim)) else front.inverse()(rows)


def reshaped(x: Tensor, shape: Shape) -> Tensor:
    """x in `shape`."""
    return x if x.shape == shape else Reshape(shape)(x)


def as_mask(key: Any) -> Tensor | None:
    """A key as a tensor of booleans with axes; None if it isn't one."""
    if isinstance(key, list) and not key:
        return None
    if isinstance(key, (Tensor, list)) or getattr(key, "dtype", None) == bool_:
        x = asarray(key)
        return x if x.dtype == bool_ and x.ndim else None
    return None


@dataclass(frozen=True)
class At:
    """x.at: choose a key with [...], then say what to put there. `x.at[i].set(v)` is what `x[i] = v` would be."""

    x: Tensor

    def __getitem__(self, key: Any) -> Update:
        return Update(self.x, key)
