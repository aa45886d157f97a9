"""Making, shaping, joining and reading parts of tensors."""

from __future__ import annotations

from typing import Any

from tidegate.core import graph as core
from tidegate.core.errors import ArgumentError, ArgumentTypeError
from tidegate.core.shapes import element_count
from tidegate.functions import creation, grid, indexing, join, math, rearrange, sorting
from tidegate.functions import shape as shapes
from tidegate.functions.convert import broadcast_to as repeated_to
from tidegate.ops.broadcast import filled
from tidegate.ops.cast import cast as cast_to
from tidegate.ops.gates import StopGradient
from tidegate.ops.indexing import Gather
from tidegate.ops.layout import SizeValue
from tidegate.tf.convert import alike, convert, is_tensor, static_ints
from tidegate.tf.dtypes import DType, as_dtype, float32, int32
from tidegate.tf.graph import apply
from tidegate.tf.slices import GATHERS
from tidegate.tf.tensor import Tensor


def _sizes(dims: Any, who: str) -> tuple[Any, ...]:
    found = static_ints(dims, who)
    return tuple(found) if isinstance(found, list) else (found,)


def zeros(shape: Any, dtype: Any = float32, name: str | None = None, layout: Any = None) -> Tensor:
    """Zeros of a shape."""
    return _same("Zeros", 0, _sizes(shape, "tf.zeros"), as_dtype(dtype), name)


def ones(shape: Any, dtype: Any = float32, name: str | None = None, layout: Any = None) -> Tensor:
    """Ones of a shape."""
    return _same("Ones", 1, _sizes(shape, "tf.ones"), as_dtype(dtype), name)


def _same(kind: str, value: int, sizes: tuple[Any, ...], dtype: DType, name: str | None) -> Tensor:
    return apply(kind, lambda: creation.full(sizes, value, dtype=dtype.numpy_dtype), name=name)


def zeros_like(input: Any, dtype: Any = None, name: str | None = None, layout: Any = None) -> Tensor:
    """Zeros of the shape of a tensor; nothing flows back to it."""
    return _like("ZerosLike", 0, convert(input, who="tf.zeros_like"), dtype, name)


def ones_like(input: Any, dtype: Any = None, name: str | None = None, layout: Any = None) -> Tensor:
    """Ones of the shape of a tensor; nothing flows back to it."""
    return _like("OnesLike", 1, convert(input, who="tf.ones_like"), dtype, name)


def _like(kind: str, value: int, x: Tensor, dtype: Any, name: str | None) -> Tensor:
    want = x.dtype if dtype is None else as_dtype(dtype)
    return apply(kind, lambda x: filled(value, core.TensorType(x.shape, want.numpy_dtype)), x, name=name)


def fill(dims: Any, value: Any, name: str | None = None, layout: Any = None) -> Tensor:
    """A value everywhere in a shape; gradients flow back to it."""
    sizes = _sizes(dims, "tf.fill")
    return apply("Fill", lambda v: repeated_to(v, sizes), convert(value, who="tf.fill"), name=name)


def eye(
    num_rows: Any, num_columns: Any = None, batch_shape: Any = None, dtype: Any = float32, name: str | None = None
) -> Tensor:
    """Matrices with ones on the diagonal."""
    lead = () if batch_shape is None else _sizes(batch_shape, "tf.eye")
    rows, columns = static_ints(num_rows, "tf.eye"), static_ints(num_columns, "tf.eye")

    def made() -> core.Tensor:
        one = grid.eye(rows, columns, dtype=as_dtype(dtype).numpy_dtype)
        return repeated_to(one, (*lead, *one.shape))

    return apply("Eye", made, name=name)


def range(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str | None = None) -> Tensor:
    """start, start + delta, ... before limit; range(n) starts at 0. Nothing flows back to the ends."""
    given: list[Any] = [0, start, delta] if limit is None else [start, limit, delta]
    ends = [v.numpy() if is_tensor(v) else v for v in given]
    known = [v for v in given if is_tensor(v)]
    if dtype is None:
        dtype = known[0].dtype if known else float32 if any([isinstance(v, float) for v in ends]) else int32
    a, b, step = [v.item() if hasattr(v, "item") else v for v in ends]
    return apply("Range", lambda: creation.arange(a, b, step, dtype=as_dtype(dtype).numpy_dtype), name=name)


def linspace(start: Any, stop: Any, num: Any, name: str | None = None, axis: int = 0) -> Tensor:
    """`num` numbers from start to stop, both among them, as far from each other; gradients flow back to the ends."""
    count = int(static_ints(num, "tf.linspace"))
    xs = alike("tf.linspace", start, stop)
    return apply("LinSpace", lambda a, b: creation.linspace(a, b, count), *xs, name=name)


def shape_of(input: Any, out_type: Any = int32, name: str | None = None) -> Tensor:
    """The sizes of a tensor's axes, as a tensor."""
    x, want = convert(input, who="tf.shape"), as_dtype(out_type).numpy_dtype
    sizes = x.tensor.shape

    def found(x: core.Tensor) -> core.Tensor:
        if not sizes:
            return creation.zeros((0,), dtype=want)
        return join.stack([SizeValue(n, want)() for n in sizes])

    out = apply("Shape", found, x, name=name)
    out.sizes = tuple(sizes)
    return out


def size(input: Any, out_type: Any = int32, name: str | None = None) -> Tensor:
    """How many elements a tensor has, as a tensor."""
    x, want = convert(input, who="tf.size"), as_dtype(out_type).numpy_dtype
    count = element_count(x.tensor.shape)
    out = apply("Size", lambda x: SizeValue(count, want)(), x, name=name)
    out.sizes = count
    return out


def rank(input: Any, name: str | None = None) -> Tensor:
    """How many axes a tensor has, as a tensor."""
    x = convert(input, who="tf.rank")
    return apply("Rank", lambda x: SizeValue(x.ndim, int32.numpy_dtype)(), x, name=name)


def part(x: Any, key: Any) -> Tensor:
    """x[key]: integers, slices with steps, None and Ellipsis; at the prompt a mask too."""
    x = convert(x)
    if isinstance(key, Tensor) and key.dtype.is_bool:
        return apply("BooleanMask", lambda x, m: indexing.getitem(x, m), x, key)
    several = key if isinstance(key, tuple) else (key,)
    plain = tuple([_plain(k) for k in several])
    tensors = [k for k in plain if isinstance(k, Tensor)]

    def read(x: core.Tensor, *found: core.Tensor) -> core.Tensor:
        left = iter(found)
        return indexing.getitem(x, tuple([next(left) if isinstance(k, Tensor) else k for k in plain]))

    out = apply("StridedSlice", read, x, *tensors)
    if x.sizes is not None and isinstance(x.sizes, tuple) and len(plain) == 1 and isinstance(plain[0], (int, slice)):
        out.sizes = x.sizes[plain[0]]
    return out


def _plain(key: Any) -> Any:
    if isinstance(key, slice):
        return slice(*[static_ints(k, "x[...]") for k in (key.start, key.stop, key.step)])
    if isinstance(key, Tensor):
        if not key.dtype.is_integer or key.ndim:
            raise ArgumentTypeError(f"x[...]: got {key!r}; want integers, slices, None or Ellipsis (or use tf.gather)")
        return key
    if isinstance(key, (list, tuple)):
        raise ArgumentTypeError("x[...]: got a list; want integers, slices, None or Ellipsis (or use tf.gather)")
    return key


def reshape(tensor: Any, shape: Any, name: str | None = None) -> Tensor:
    """The elements in another shape; one size may be -1."""
    sizes = _sizes(shape, "tf.reshape")
    return apply("Reshape", lambda x: shapes.reshape(x, sizes), convert(tensor, who="tf.reshape"), name=name)


def transpose(a: Any, perm: Any = None, conjugate: bool = False, name: str | None = "transpose") -> Tensor:
    """The axes in another order, by default the reverse one."""
    x = convert(a, who="tf.transpose")
    order = static_ints(perm, "tf.transpose")
    axes = [*reversed([i for i, _ in enumerate(x.tensor.shape)])] if order is None else order

    def turned(x: core.Tensor) -> core.Tensor:
        out = shapes.permute_dims(x, axes)
        return math.conj(out) if conjugate else out

    return apply("Transpose", turned, x, name=name)


def expand_dims(input: Any, axis: Any, name: str | None = None) -> Tensor:
    """A new axis of size 1 at a place."""
    place = int(static_ints(axis, "tf.expand_dims"))
    return apply("ExpandDims", lambda x: shapes.expand_dims(x, axis=place), convert(input), name=name)


def squeeze(input: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """Without axes of size 1: those told, or all."""
    places = static_ints(axis, "tf.squeeze")

    def without(x: core.Tensor) -> core.Tensor:
        if places is None or places == []:
            return shapes.squeeze_all(x)
        return shapes.squeeze(x, tuple(places) if isinstance(places, list) else places)

    return apply("Squeeze", without, convert(input), name=name)


def broadcast_to(input: Any, shape: Any, name: str | None = None) -> Tensor:
    """Repeated to a shape by NumPy's rule."""
    sizes = _sizes(shape, "tf.broadcast_to")
    return apply("BroadcastTo", lambda x: repeated_to(x, sizes), convert(input), name=name)


def tile(input: Any, multiples: Any, name: str | None = None) -> Tensor:
    """Repeated along each axis as many times as told."""
    times = _sizes(multiples, "tf.tile")
    return apply("Tile", lambda x: rearrange.tile(x, times), convert(input), name=name)


def reverse(tensor: Any, axis: Any, name: str | None = None) -> Tensor:
    """In reverse order along axes."""
    places = _sizes(axis, "tf.reverse")
    return apply("ReverseV2", lambda x: rearrange.flip(x, axis=places), convert(tensor), name=name)


def roll(input: Any, shift: Any, axis: Any, name: str | None = None) -> Tensor:
    """Moved along axes, what leaves at one end coming in at the other."""
    steps, places = static_ints(shift, "tf.roll"), static_ints(axis, "tf.roll")
    by, along = [tuple(v) if isinstance(v, list) else v for v in (steps, places)]
    return apply("Roll", lambda x: rearrange.roll(x, by, axis=along), convert(input), name=name)


def concat(values: Any, axis: Any, name: str | None = "concat") -> Tensor:
    """Tensors one after another along an axis."""
    place = int(static_ints(axis, "tf.concat"))
    xs = alike("tf.concat", *values) if isinstance(values, (list, tuple)) else [convert(values)]
    return apply("ConcatV2", lambda *ts: join.concat(ts, axis=place), *xs, name=name)


def stack(values: Any, axis: Any = 0, name: str | None = "stack") -> Tensor:
    """Tensors of one shape along a new axis."""
    xs = alike("tf.stack", *values)
    return apply("Pack", lambda *ts: join.stack(ts, axis=int(static_ints(axis, "tf.stack"))), *xs, name=name)


def unstack(value: Any, num: int | None = None, axis: Any = 0, name: str | None = "unstack") -> list[Tensor]:
    """The parts along an axis, without it."""
    place = int(static_ints(axis, "tf.unstack"))
    return list(apply("Unpack", lambda x: join.unstack(x, axis=place), convert(value), name=name))


def split(
    value: Any, num_or_size_splits: Any, axis: Any = 0, num: Any = None, name: str | None = "split"
) -> list[Tensor]:
    """As many equal parts along an axis as told, or parts of the sizes told."""
    x, place = convert(value), int(static_ints(axis, "tf.split"))
    parts = static_ints(num_or_size_splits, "tf.split")
    if isinstance(parts, list):
        total = 0
        ends = []
        for n in parts[:-1]:
            total += n
            ends.append(total)
        if -1 not in parts and total + parts[-1] != x.tensor.shape[place]:
            raise ArgumentError(
                f"tf.split: got sizes {parts} of {x.tensor.type}; want them to add up to its axis {place}"
            )
        parts = ends
    return list(apply("Split", lambda x: tuple(join.split(x, parts, axis=place)), x, name=name))


def gather(
    params: Any,
    indices: Any,
    validate_indices: Any = None,
    axis: Any = None,
    batch_dims: int = 0,
    name: str | None = None,
) -> Tensor:
    """The elements at `indices` along an axis. The gradient along axis 0 is tf.IndexedSlices.

    Raises, when it runs, InvalidArgumentError for an index that isn't there.
    """
    x = convert(params, who="tf.gather")
    chosen = convert(indices, who="tf.gather")
    shared = batch_dims % chosen.ndim if batch_dims < 0 else batch_dims
    place = shared if axis is None else int(static_ints(axis, "tf.gather")) % max(x.ndim, 1)

    def read(x: core.Tensor, at: core.Tensor) -> core.Tensor:
        out = Gather(place, shared)(x, at)
        if place == 0:
            GATHERS.add(out.node)
        return out

    return apply("GatherV2", read, x, chosen, name=name)


def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """x where the condition is true, y elsewhere; the branch not taken gets an exact 0 as its gradient.

    Raises ArgumentError (ValueError) for one of x and y alone.
    """
    if (x is None) != (y is None) or x is None:
        raise ArgumentError("tf.where: want both x and y")
    a, b = alike("tf.where", x, y)
    return apply("SelectV2", math.where, convert(condition, who="tf.where"), a, b, name=name)


def one_hot(
    indices: Any,
    depth: Any,
    on_value: Any = None,
    off_value: Any = None,
    axis: Any = None,
    dtype: Any = None,
    name: str | None = None,
) -> Tensor:
    """on_value (1) at the place of each index along a new axis, off_value (0) elsewhere. Nothing flows back to them."""
    want = as_dtype(dtype) if dtype is not None else next(
        (convert(v).dtype for v in (on_value, off_value) if v is not None), float32
    )  # fmt: skip
    on, off = [convert(d if v is None else v, want) for v, d in ((on_value, 1), (off_value, 0))]
    count, place = int(static_ints(depth, "tf.one_hot")), -1 if axis is None else int(static_ints(axis, "tf.one_hot"))

    def made(at: core.Tensor, on: core.Tensor, off: core.Tensor) -> core.Tensor:
        hot = indexing.one_hot(at, count, axis=place, dtype=float32.numpy_dtype)
        return math.where(math.greater(hot, 0.0), StopGradient()(on), StopGradient()(off))

    return apply("OneHot", made, convert(indices, who="tf.one_hot"), on, off, name=name)


def boolean_mask(tensor: Any, mask: Any, axis: Any = None, name: str | None = "boolean_mask") -> Tensor:
    """The elements where a mask is true, along the mask's axes."""
    x, chosen = convert(tensor), convert(mask)
    lead = () if axis is None else (slice(None),) * (int(static_ints(axis, "tf.boolean_mask")) % x.ndim)
    return apply("BooleanMask", lambda x, m: indexing.getitem(x, (*lead, m)), x, chosen, name=name)


def pad(
    tensor: Any, paddings: Any, mode: str = "CONSTANT", constant_values: Any = 0, name: str | None = None
) -> Tensor:
    """More elements before and after along each axis: a constant, or mode "REFLECT" or "SYMMETRIC"."""
    widths = static_ints(paddings, "tf.pad")
    x = convert(tensor, who="tf.pad")
    if mode.upper() == "CONSTANT":
        value = convert(constant_values, x.dtype)
        return apply("PadV2", lambda x, v: rearrange.pad(x, widths, constant_values=v), x, value, name=name)
    return apply("MirrorPad", lambda x: rearrange.pad(x, widths, mode.lower()), x, name=name)


def sort(values: Any, axis: int = -1, direction: str = "ASCENDING", name: str | None = None) -> Tensor:
    """In rising ("ASCENDING") or falling ("DESCENDING") order along an axis; the lower index first at ties."""
    down = _falling(direction)
    return apply("Sort", lambda x: sorting.sort(x, axis=axis, descending=down), convert(values), name=name)


def argsort(
    values: Any, axis: int = -1, direction: str = "ASCENDING", stable: bool = False, name: str | None = None
) -> Tensor:
    """The indices in the order of `sort`."""
    down = _falling(direction)

    def order(x: core.Tensor) -> core.Tensor:
        return cast_to(sorting.argsort(x, axis=axis, descending=down), int32.numpy_dtype)

    return apply("ArgSort", order, convert(values), name=name)


def _falling(direction: str) -> bool:
    if direction not in ("ASCENDING", "DESCENDING"):
        raise ArgumentError(f"tf.sort: got direction {direction!r}; want 'ASCENDING' or 'DESCENDING'")
    return direction == "DESCENDING"


def meshgrid(*args: Any, indexing: str = "xy", name: str | None = None) -> list[Tensor]:
    """Grids of coordinates."""
    xs = alike("tf.meshgrid", *args)
    return list(apply("Meshgrid", lambda *ts: tuple(grid.meshgrid(*ts, indexing=indexing)), *xs, name=name))
