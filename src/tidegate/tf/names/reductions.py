"""Reductions: sums, means, extremes, and where extremes are."""

from __future__ import annotations

from typing import Any

from tidegate.core import graph as core
from tidegate.core.dtypes import INTEGER, float64
from tidegate.functions import norms, reduce
from tidegate.functions.math import abs, sqrt, square
from tidegate.functions.rounding import trunc
from tidegate.ops.cast import cast
from tidegate.tf.convert import convert, static_ints
from tidegate.tf.dtypes import as_dtype, int64
from tidegate.tf.graph import apply
from tidegate.tf.names.make import reduction
from tidegate.tf.tensor import Tensor


def _mean(x: core.Tensor, *, axis: Any, keepdims: bool) -> core.Tensor:
    """The mean along axes; of integers the whole part of it. NaN of nothing."""
    if x.dtype not in INTEGER:
        return reduce.mean(x, axis=axis, keepdims=keepdims)
    return trunc(reduce.mean(cast(x, float64), axis=axis, keepdims=keepdims))


reduce_all = reduction("All", reduce.all, "reduce_all")
reduce_any = reduction("Any", reduce.any, "reduce_any")
reduce_logsumexp = reduction("ReduceLogSumExp", reduce.logsumexp, "reduce_logsumexp")
reduce_max = reduction("Max", reduce.max, "reduce_max")
reduce_mean = reduction("Mean", _mean, "reduce_mean")
reduce_min = reduction("Min", reduce.min, "reduce_min")
reduce_prod = reduction("Prod", reduce.prod, "reduce_prod")
reduce_std = reduction("ReduceStd", reduce.std, "reduce_std")
reduce_sum = reduction("Sum", reduce.sum, "reduce_sum")
reduce_variance = reduction("ReduceVariance", reduce.var, "reduce_variance")
reduce_euclidean_norm = reduction("EuclideanNorm", norms.vector_norm, "reduce_euclidean_norm")


def argmax(input: Any, axis: Any = 0, output_type: Any = int64, name: str | None = None) -> Tensor:
    """The index of the largest element along an axis, the first at ties."""
    return _place("ArgMax", reduce.argmax, input, axis, output_type, name)


def argmin(input: Any, axis: Any = 0, output_type: Any = int64, name: str | None = None) -> Tensor:
    """The index of the smallest element along an axis, the first at ties."""
    return _place("ArgMin", reduce.argmin, input, axis, output_type, name)


def _place(kind: str, of: Any, input: Any, axis: Any, output_type: Any, name: str | None) -> Tensor:
    place = 0 if axis is None else int(static_ints(axis, kind))
    want = as_dtype(output_type).numpy_dtype

    def found(x: core.Tensor) -> core.Tensor:
        return cast(of(x, axis=place), want)

    return apply(kind, found, convert(input, who=f"tf.{kind.lower()}"), name=name)


def norm(
    tensor: Any, ord: Any = "euclidean", axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """A vector's norm: "euclidean" (of all elements), 1, 2, infinity or another number. NaN as derivative at zero."""
    x = convert(tensor, who="tf.norm")
    axes = static_ints(axis, "tf.norm")
    places = tuple(axes) if isinstance(axes, list) else axes
    power = 2 if ord in ("euclidean", "fro") else ord

    def length(x: core.Tensor) -> core.Tensor:
        if power != 2:
            return norms.vector_norm(x, axis=places, keepdims=keepdims, ord=power)
        size = abs(x) if x.dtype.kind == "c" else x
        return sqrt(reduce.sum(square(size), axis=places, keepdims=keepdims))

    return apply("Norm", length, x, name=name)
