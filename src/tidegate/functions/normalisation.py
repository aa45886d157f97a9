"""Normalisation: tensors less their mean, divided by their deviation. float16 and bfloat16 are computed in float32."""

from __future__ import annotations

from typing import Any

from tidegate.core.errors import ArgumentError, ShapeError
from tidegate.core.graph import Tensor, TensorLike
from tidegate.core.shapes import normal_axes, normal_axis
from tidegate.functions.convert import floating
from tidegate.functions.math import add, multiply, sqrt, square, subtract
from tidegate.functions.math import divide as quotient
from tidegate.functions.places import whole_number
from tidegate.functions.reduce import in_float32, mean
from tidegate.ops.cast import cast
from tidegate.ops.layout import Reshape


def check_epsilon(who: str, epsilon: float) -> None:
    """Raise ArgumentError for a negative epsilon."""
    if not epsilon >= 0:
        raise ArgumentError(f"{who}: got epsilon {epsilon!r}; want at least 0")


def moments(x: TensorLike, /, *, axis: Any = None, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """The mean over `axis`, and the variance: the mean of squared distances from it. Floating point.

    Raises AxisError for an axis that isn't there, DTypeError for other dtypes.
    """
    x = floating("moments", x)
    wide = in_float32(x)
    axes = normal_axes(axis, x.ndim, "moments")
    centre = mean(wide, axis=axes, keepdims=True)
    spread = mean(square(subtract(wide, centre)), axis=axes, keepdims=keepdims)
    shape = tuple([n for i, n in enumerate(x.shape) if i not in axes])
    found = centre if keepdims or not axes else Reshape(shape)(centre)
    return cast(found, x.dtype), cast(spread, x.dtype)


def centred(x: Tensor, axis: Any, epsilon: float) -> Tensor:
    """x less its mean, divided by the root of its variance and epsilon."""
    apart = subtract(x, mean(x, axis=axis, keepdims=True))
    return quotient(apart, sqrt(add(mean(square(apart), axis=axis, keepdims=True), epsilon)))


def affine(who: str, x: Tensor, scale: TensorLike | None, offset: TensorLike | None, axes: tuple[int, ...]) -> Tensor:
    """x times `scale` plus `offset`, which have the sizes of `axes`. Raises ShapeError for other sizes."""
    want = tuple([x.shape[a] for a in axes])
    for name, value, function in (("scale", scale, multiply), ("offset", offset, add)):
        if value is None:
            continue
        value = in_float32(floating(who, value))
        if value.shape not in ((), want):
            raise ShapeError(f"{who}: got {name} {value.type} for {x.type}; want the sizes of axes {axes}")
        if value.shape:
            value = Reshape(tuple([n if i in axes else 1 for i, n in enumerate(x.shape)]))(value)
        x = function(x, value)
    return x


def standardize(x: TensorLike, /, *, axis: Any = None, epsilon: float = 0.0) -> Tensor:
    """x less its mean over `axis`, divided by sqrt(variance + epsilon), floating point.

    Where all elements are equal and epsilon is 0 that is NaN. Raises AxisError for an axis that isn't there.
    """
    x = floating("standardize", x)
    check_epsilon("standardize", epsilon)
    return cast(centred(in_float32(x), normal_axes(axis, x.ndim, "standardize"), epsilon), x.dtype)


def layer_norm(
    x: TensorLike,
    scale: TensorLike | None = None,
    offset: TensorLike | None = None,
    /,
    *,
    axis: Any = -1,
    epsilon: float = 1e-5,
) -> Tensor:
    """`standardize` over `axis`, times `scale`, plus `offset`, which have the sizes of those axes, or none.

    Source: J. L. Ba et al., "Layer Normalization", 2016, eq. 4.
    Raises AxisError for an axis that isn't there, ShapeError for another scale or offset, DTypeError for other dtypes.
    """
    x = floating("layer_norm", x)
    check_epsilon("layer_norm", epsilon)
    axes = normal_axes(axis, x.ndim, "layer_norm")
    return cast(affine("layer_norm", centred(in_float32(x), axes, epsilon), scale, offset, axes), x.dtype)


def rms_norm(x: TensorLike, scale: TensorLike | None = None, /, *, axis: Any = -1, epsilon: float = 1e-6) -> Tensor:
    """x divided by sqrt(mean(x ** 2) + epsilon) over `axis`, times `scale`, which has the sizes of those axes.

    Source: B. Zhang and R. Sennrich, "Root Mean Square Layer Normalization", 2019, eq. 4.
    Raises AxisError for an axis that isn't there, ShapeError for another scale, DTypeError for other dtypes.
    """
    x = floating("rms_norm", x)
    check_epsilon("rms_norm", epsilon)
    axes = normal_axes(axis, x.ndim, "rms_norm")
    wide = in_float32(x)
    out = quotient(wide, sqrt(add(mean(square(wide), axis=axes, keepdims=True), epsilon)))
    return cast(affine("rms_norm", out, scale, None, axes), x.dtype)


def batch_norm(
    x: TensorLike,
    mean: TensorLike,
    variance: TensorLike,
    scale: TensorLike | None = None,
    offset: TensorLike | None = None,
    /,
    *,
    axis: int = -1,
    epsilon: float = 1e-3,
) -> Tensor:
    """(x - mean) / sqrt(variance + epsilon) * scale + offset, each of which has the size of x's `axis`.

    The statistics are given: those of the batch are `moments` over the other axes, through which gradients flow; those
    of former batches a caller keeps.
    Source: S. Ioffe and C. Szegedy, "Batch Normalization", 2015, algorithm 1.
    Raises AxisError for an axis that isn't there, ShapeError for other sizes, DTypeError for other dtypes.
    """
    x = floating("batch_norm", x)
    check_epsilon("batch_norm", epsilon)
    place = (normal_axis(axis, x.ndim, "batch_norm"),)
    shape = tuple([n if i in place else 1 for i, n in enumerate(x.shape)])
    statistics = []
    for name, value in (("mean", mean), ("variance", variance)):
        found = in_float32(floating("batch_norm", value))
        if found.shape != (x.shape[place[0]],):
            raise ShapeError(f"batch_norm: got {name} {found.type} for {x.type}; want the size of axis {place[0]}")
        statistics.append(Reshape(shape)(found))
    out = quotient(subtract(in_float32(x), statistics[0]), sqrt(add(statistics[1], epsilon)))
    return cast(affine("batch_norm", out, scale, offset, place), x.dtype)


def group_norm(
    x: TensorLike,
    groups: int,
    scale: TensorLike | None = None,
    offset: TensorLike | None = None,
    /,
    *,
    axis: int = -1,
    epsilon: float = 1e-5,
) -> Tensor:
    """`standardize` of each group of channels of each example, times `scale`, plus `offset`, one number a channel.

    axis: the channels, which `groups` divides. Axis 0 holds examples; all others are standardised together. One group
        is layer normalisation of an example, as many as channels instance normalisation.
    Source: Y. Wu and K. He, "Group Normalization", 2018, eq. 7.
    Raises AxisError for an axis that isn't there or is 0, ShapeError where the groups don't divide it, or for another
    scale or offset, DTypeError for other dtypes.
    """
    x = floating("group_norm", x)
    check_epsilon("group_norm", epsilon)
    place, count = normal_axis(axis, x.ndim, "group_norm"), whole_number("group_norm", "groups", groups, least=1)
    size = x.shape[place]
    if place == 0 or not isinstance(size, int) or size % count:
        raise ShapeError(f"group_norm: got {x.type} and {count} groups; want them to divide axis {place}, not axis 0")
    apart = Reshape((*x.shape[:place], count, size // count, *x.shape[place + 1 :]))(in_float32(x))
    together = tuple([i for i in range(1, apart.ndim) if i != place])
    out = Reshape(x.shape)(centred(apart, together, epsilon))
    return cast(affine("group_norm", out, scale, offset, (place,)), x.dtype)
