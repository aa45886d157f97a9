"""Parts by their places: tf.gather_nd and kin, updates at places, segments, slices, different values."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from tidegate.core import graph as core
from tidegate.core.errors import ArgumentError, ShapeError
from tidegate.functions import creation, grid, indexing, math, rearrange, segments, sets, shape, sorting, updates
from tidegate.ops.cast import cast
from tidegate.ops.creation import Iota
from tidegate.tf.convert import alike, convert, static_ints
from tidegate.tf.dtypes import as_dtype, int32
from tidegate.tf.graph import apply
from tidegate.tf.names.arrays import gather
from tidegate.tf.tensor import Tensor


def _coordinates(indices: core.Tensor, batch_dims: int) -> tuple[core.Tensor, ...]:
    """Indices [..., k] as k arrays of them, after one for each of the axes that are shared."""
    if indices.ndim == 0 or not isinstance(indices.shape[-1], int):
        raise ShapeError(f"got indices {indices.type}; want a last axis of known size")
    own = [indexing.getitem(indices, (..., i)) for i in range(indices.shape[-1])]
    shared = [Iota(indices.shape[:-1], axis, indices.dtype)() for axis in range(batch_dims)]
    return (*shared, *own)


def gather_nd(
    params: Any, indices: Any, batch_dims: int = 0, name: str | None = None, bad_indices_policy: str = ""
) -> Tensor:
    """The parts of params at `indices` [..., k], each of them k coordinates of its first axes."""

    def read(x: core.Tensor, at: core.Tensor) -> core.Tensor:
        return indexing.getitem(x, _coordinates(at, batch_dims))

    return apply("GatherNd", read, convert(params, who="tf.gather_nd"), convert(indices), name=name)


def scatter_nd(indices: Any, updates: Any, shape: Any, name: str | None = None) -> Tensor:
    """Zeros of a shape with `updates` added at `indices`, whose last axis holds coordinates."""
    sizes = tuple(static_ints(shape, "tf.scatter_nd"))

    def put(at: core.Tensor, values: core.Tensor) -> core.Tensor:
        return _at(creation.zeros(sizes, dtype=values.dtype), at).add(values)

    return apply("ScatterNd", put, convert(indices), convert(updates, who="tf.scatter_nd"), name=name)


def _at(x: core.Tensor, at: core.Tensor) -> updates.Update:
    return updates.At(x)[_coordinates(at, 0)]


def tensor_scatter_nd_update(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Tensor:
    """tensor with `updates` at `indices`; what was overwritten gets no gradient."""
    return _scattered("TensorScatterUpdate", lambda place, v: place.set(v), tensor, indices, updates, name)


def tensor_scatter_nd_add(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Tensor:
    """tensor with `updates` added at `indices`."""
    return _scattered("TensorScatterAdd", lambda place, v: place.add(v), tensor, indices, updates, name)


def tensor_scatter_nd_sub(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Tensor:
    """tensor with `updates` subtracted at `indices`."""
    return _scattered("TensorScatterSub", lambda place, v: place.subtract(v), tensor, indices, updates, name)


def tensor_scatter_nd_max(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Tensor:
    """The larger of tensor and `updates` at `indices`; the gradient goes to what was taken."""
    return _scattered("TensorScatterMax", lambda place, v: place.max(v), tensor, indices, updates, name)


def tensor_scatter_nd_min(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Tensor:
    """The lesser of tensor and `updates` at `indices`; the gradient goes to what was taken."""
    return _scattered("TensorScatterMin", lambda place, v: place.min(v), tensor, indices, updates, name)


def _scattered(
    kind: str,
    put: Callable[[updates.Update, core.Tensor], core.Tensor],
    tensor: Any,
    indices: Any,
    values: Any,
    name: str | None,
) -> Tensor:
    x, v = alike(f"tf.{kind}", tensor, values)
    return apply(kind, lambda x, at, v: put(_at(x, at), v), x, convert(indices), v, name=name)


def _segments(kind: str, of: Callable[..., core.Tensor], data: Any, ids: Any, count: Any, name: str | None) -> Tensor:
    number = None if count is None else int(static_ints(count, f"tf.math.{kind}"))

    def reduced(x: core.Tensor, ids: core.Tensor) -> core.Tensor:
        return of(x, ids, num_segments=number)

    return apply(kind, reduced, convert(data, who=f"tf.math.{kind}"), convert(ids), name=name)


def segment_sum(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The sums of the rows of each segment; how many segments there are must be known."""
    return _segments("SegmentSum", segments.segment_sum, data, segment_ids, None, name)


def segment_mean(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The means of the rows of each segment; how many segments there are must be known."""
    return _segments("SegmentMean", segments.segment_mean, data, segment_ids, None, name)


def segment_max(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The largest of the rows of each segment. Ties share the gradient equally."""
    return _segments("SegmentMax", segments.segment_max, data, segment_ids, None, name)


def segment_min(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The least of the rows of each segment. Ties share the gradient equally."""
    return _segments("SegmentMin", segments.segment_min, data, segment_ids, None, name)


def unsorted_segment_sum(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Tensor:
    """The sums of the rows of each of num_segments; rows of a negative segment are left out."""
    return _segments("UnsortedSegmentSum", segments.segment_sum, data, segment_ids, num_segments, name)


def unsorted_segment_mean(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Tensor:
    """The means of the rows of each of num_segments; rows of a negative segment are left out."""
    return _segments("UnsortedSegmentMean", segments.segment_mean, data, segment_ids, num_segments, name)


def unsorted_segment_max(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Tensor:
    """The largest of the rows of each of num_segments; the least number there is for one without rows."""

    def largest(x: core.Tensor, ids: core.Tensor, num_segments: int) -> core.Tensor:
        out = segments.segment_max(x, ids, num_segments=num_segments)
        if not as_dtype(x.dtype).is_floating:
            return out
        return math.where(math.equal(out, float("-inf")), float(as_dtype(x.dtype).min), out)

    return _segments("UnsortedSegmentMax", largest, data, segment_ids, num_segments, name)


def slice(input_: Any, begin: Any, size: Any, name: str | None = None) -> Tensor:
    """A part from `begin` on, of a size; -1 is all that is left."""
    starts, sizes = static_ints(begin, "tf.slice"), static_ints(size, "tf.slice")
    key = tuple([builtins.slice(b, None if n == -1 else b + n) for b, n in zip(starts, sizes, strict=True)])

    def read(x: core.Tensor) -> core.Tensor:
        for b, n, whole in zip(starts, sizes, x.shape, strict=True):
            if isinstance(whole, int) and not 0 <= b <= (whole if n == -1 else whole - n):
                raise ShapeError(f"slice: got begin {starts} and size {sizes} of {x.type}; want a part of it")
        return indexing.getitem(x, key)

    return apply("Slice", read, convert(input_, who="tf.slice"), name=name)


def strided_slice(
    input_: Any,
    begin: Any,
    end: Any,
    strides: Any = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    var: Any = None,
    name: str | None = None,
) -> Tensor:
    """input_[begin:end:strides] axis by axis. Bits of the masks say of each place: no begin, no end, an Ellipsis, a new
    axis, or a single element."""
    starts, ends = static_ints(begin, "tf.strided_slice"), static_ints(end, "tf.strided_slice")
    steps = [1 for _ in starts] if strides is None else static_ints(strides, "tf.strided_slice")
    key: list[Any] = []
    for i, (a, b, step) in enumerate(zip(starts, ends, steps, strict=True)):
        bit = 1 << i
        if ellipsis_mask & bit:
            key.append(Ellipsis)
        elif new_axis_mask & bit:
            key.append(None)
        elif shrink_axis_mask & bit:
            key.append(a)
        else:
            key.append(builtins.slice(None if begin_mask & bit else a, None if end_mask & bit else b, step))
    x = convert(input_, who="tf.strided_slice")
    return apply("StridedSlice", lambda x: indexing.getitem(x, tuple(key)), x, name=name)


def unique(x: Any, out_idx: Any = int32, name: str | None = None) -> tuple[Tensor, Tensor]:
    """The different values of a vector in the order in which they come, and which of them each element is.

    It has no gradient: asking for one that must pass the values is a LookupError.
    """
    want = as_dtype(out_idx).numpy_dtype

    def found(x: core.Tensor) -> tuple[core.Tensor, core.Tensor]:
        if x.ndim != 1:
            raise ShapeError(f"unique: got {x.type}; want one axis")
        parts = sets.unique_all(x)
        order = sorting.argsort(parts.indices)
        places = sorting.argsort(order)
        return indexing.take(parts.values, order), cast(indexing.take(places, parts.inverse_indices), want)

    return apply("Unique", found, convert(x, who="tf.unique"), name=name)


def repeat(input: Any, repeats: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """Each element along an axis as often as told; of all elements in order without one."""
    times = static_ints(repeats, "tf.repeat")
    place = static_ints(axis, "tf.repeat")
    x = convert(input, who="tf.repeat")
    return apply("Repeat", lambda x: rearrange.repeat(x, times, axis=place), x, name=name)


def sequence_mask(lengths: Any, maxlen: Any = None, dtype: Any = bool, name: str | None = None) -> Tensor:
    """For each length a row of which so many first places are true."""
    x = convert(lengths, who="tf.sequence_mask")
    most = int(x.tensor.numpy().max(initial=0)) if maxlen is None else int(static_ints(maxlen, "tf.sequence_mask"))
    want = as_dtype(dtype).numpy_dtype

    def mask(x: core.Tensor) -> core.Tensor:
        wide = shape.expand_dims(x, axis=-1)
        return cast(math.less(creation.arange(most, dtype=x.dtype), wide), want)

    return apply("SequenceMask", mask, x, name=name)


def band_part(input: Any, num_lower: Any, num_upper: Any, name: str | None = None) -> Tensor:
    """Matrices with zeros outside of so many diagonals below and above the main one; -1 is all of them."""
    lower, upper = (
        int(static_ints(num_lower, "tf.linalg.band_part")),
        int(static_ints(num_upper, "tf.linalg.band_part")),
    )

    def banded(x: core.Tensor) -> core.Tensor:
        x = x if lower < 0 else grid.triu(x, k=-lower)
        return x if upper < 0 else grid.tril(x, k=upper)

    return apply("MatrixBandPart", banded, convert(input, who="tf.linalg.band_part"), name=name)


def embedding_lookup(params: Any, ids: Any, max_norm: Any = None, name: str | None = None) -> Tensor:
    """The rows of a table that `ids` name. Raises ArgumentError for a max_norm, which isn't known here."""
    if max_norm is not None:
        raise ArgumentError("tf.nn.embedding_lookup: max_norm isn't known here; use tf.clip_by_norm")
    return gather(params, ids, name=name)


def bias_add(value: Any, bias: Any, data_format: str | None = None, name: str | None = None) -> Tensor:
    """A vector added along the last axis; along the second with a data_format that starts with NC."""
    x, b = alike("tf.nn.bias_add", value, bias)
    second = data_format is not None and data_format.startswith("NC")

    def added(x: core.Tensor, b: core.Tensor) -> core.Tensor:
        return math.add(x, shape.reshape(b, (-1, *[1 for _ in x.shape[2:]])) if second else b)

    return apply("BiasAdd", added, x, b, name=name)
