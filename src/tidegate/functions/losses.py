"""Losses. Each takes what a model gives, then what is right; they broadcast and promote.

reduction: "mean" or "sum" of all, or "none" for one number an element (an example, where an axis is summed over). All
are floating point; float16 and bfloat16 are computed as they are, convert them first where that is too coarse.
"""

from __future__ import annotations

from math import log as logarithm
from math import pi
from typing import Any

from tidegate.core.dtypes import INTEGER
from tidegate.core.errors import ArgumentError, ShapeError
from tidegate.core.graph import Tensor, TensorLike
from tidegate.core.shapes import normal_axis
from tidegate.functions.activations import real_parts, relu
from tidegate.functions.convert import asarray, floating
from tidegate.functions.exponential import multiply_no_nan, rel_entr, softplus, xlog1py, xlogy
from tidegate.functions.extremes import maximum
from tidegate.functions.math import add, divide, exp, log, multiply, negative, square, subtract
from tidegate.functions.norms import l2_normalize
from tidegate.functions.places import as_indices, located
from tidegate.functions.reduce import mean, sum
from tidegate.functions.softmax import log_softmax
from tidegate.functions.special import lgamma
from tidegate.ops.elementwise import Abs, Less, select
from tidegate.ops.exponential import LogCosh
from tidegate.ops.indexing import Gather
from tidegate.ops.layout import moved
from tidegate.ops.places import Locate


def reduced(who: str, losses: Tensor, reduction: str) -> Tensor:
    """The mean or sum of losses, or they themselves. Raises ArgumentError for another reduction."""
    match reduction:
        case "mean":
            return mean(losses)
        case "sum":
            return sum(losses)
        case "none":
            return losses
    raise ArgumentError(f"{who}: got reduction {reduction!r}; want 'mean', 'sum' or 'none'")


def mean_squared_error(predictions: TensorLike, targets: TensorLike, /, *, reduction: str = "mean") -> Tensor:
    """(prediction - target) ** 2."""
    x, y = real_parts("mean_squared_error", predictions, targets)
    return reduced("mean_squared_error", square(subtract(x, y)), reduction)


def mean_absolute_error(predictions: TensorLike, targets: TensorLike, /, *, reduction: str = "mean") -> Tensor:
    """abs(prediction - target). Its derivative where they are equal is 0."""
    x, y = real_parts("mean_absolute_error", predictions, targets)
    return reduced("mean_absolute_error", Abs()(subtract(x, y)), reduction)


def huber(predictions: TensorLike, targets: TensorLike, /, *, delta: float = 1.0, reduction: str = "mean") -> Tensor:
    """e ** 2 / 2 for an error e of at most `delta`, else delta * (abs(e) - delta / 2).

    Source: P. J. Huber, "Robust Estimation of a Location Parameter", 1964. Raises ArgumentError unless 0 < delta.
    """
    if not delta > 0:
        raise ArgumentError(f"huber: got delta {delta!r}; want a number above 0")
    x, y = real_parts("huber", predictions, targets)
    error = subtract(x, y)
    size = Abs()(error)
    bound = add(multiply(size, 0.0), delta)
    inside = select(Less()(bound, size), bound, error)  # what isn't taken is computed of delta: it can't overflow
    far = multiply(delta, subtract(size, delta / 2))
    return reduced("huber", select(Less()(bound, size), far, multiply(0.5, square(inside))), reduction)


def log_cosh(predictions: TensorLike, targets: TensorLike, /, *, reduction: str = "mean") -> Tensor:
    """log(cosh(prediction - target)): e ** 2 / 2 for a small error e, abs(e) - log(2) for a large one."""
    x, y = real_parts("log_cosh", predictions, targets)
    return reduced("log_cosh", LogCosh()(subtract(x, y)), reduction)


def cross_entropy(
    logits: TensorLike,
    labels: TensorLike,
    /,
    *,
    axis: int = -1,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
) -> Tensor:
    """-sum(labels * log_softmax(logits)) along `axis`, a number an example.

    labels: integers, of the logits' shape without `axis`, each the place of the right class; or probabilities, floating
        point, of the logits' shape. They get -log_softmax(logits), and a probability of 0 counts nothing, also for a
        logit of -inf.
    label_smoothing: how much of each label is spread evenly over all classes.
    The derivative for the logits is softmax(logits) - labels, if the labels sum to 1.
    Raises ShapeError for labels of another shape, AxisError (IndexRangeError at evaluation, for computed ones) for
    an integer outside 0 to classes - 1, ArgumentError for smoothing outside 0 to 1.
    """
    x = floating("cross_entropy", logits)
    if not 0 <= label_smoothing <= 1:
        raise ArgumentError(f"cross_entropy: got label_smoothing {label_smoothing!r}; want 0 to 1")
    place = normal_axis(axis, x.ndim, "cross_entropy")
    given = asarray(labels)
    scores = log_softmax(moved(x, place, x.ndim - 1))
    if given.dtype in INTEGER:
        losses = negative(_chosen(scores, labels))
    else:
        if given.shape != x.shape:
            raise ShapeError(f"cross_entropy: got {x.type} and labels {given.type}; want one shape, or integers")
        scores, weights = real_parts("cross_entropy", scores, moved(given, place, x.ndim - 1))
        losses = negative(sum(multiply_no_nan(scores, weights), axis=-1))
    if label_smoothing:
        even = negative(mean(scores, axis=-1))
        losses = add(multiply(1 - label_smoothing, losses), multiply(label_smoothing, even))
    return reduced("cross_entropy", losses, reduction)


def _chosen(scores: Tensor, labels: TensorLike) -> Tensor:
    """The score at each label, along the last axis."""
    given = as_indices("cross_entropy", labels)
    last = scores.ndim - 1
    if given.shape != scores.shape[:-1]:
        got = f"scores {scores.type} and labels of {asarray(given).type}"
        raise ShapeError(f"cross_entropy: got {got}; want one label for each example")
    places = located("cross_entropy", [given], Locate((scores.shape[-1],), (last,), "raise", False))
    return Gather(last, last)(scores, places)


def binary_cross_entropy_with_logits(logits: TensorLike, labels: TensorLike, /, *, reduction: str = "mean") -> Tensor:
    """-(z * log(sigmoid(x)) + (1 - z) * log(1 - sigmoid(x))) for logits x and labels z from 0 to 1, each element apart.

    Computed as z * softplus(-x) + (1 - z) * softplus(x): it overflows nowhere, and a weight of 0 counts nothing. The
    derivative for the logits is sigmoid(x) - z.
    """
    x, z = real_parts("binary_cross_entropy_with_logits", logits, labels)
    losses = add(multiply_no_nan(softplus(negative(x)), z), multiply_no_nan(softplus(x), subtract(1.0, z)))
    return reduced("binary_cross_entropy_with_logits", losses, reduction)


def binary_cross_entropy(probabilities: TensorLike, labels: TensorLike, /, *, reduction: str = "mean") -> Tensor:
    """-(z * log(p) + (1 - z) * log(1 - p)) for probabilities p and labels z from 0 to 1, each element apart.

    A weight of 0 counts nothing. Where a model gives logits, use binary_cross_entropy_with_logits: it is precise where
    p rounds to 0 or 1.
    """
    p, z = real_parts("binary_cross_entropy", probabilities, labels)
    losses = negative(add(xlogy(z, p), xlog1py(subtract(1.0, z), negative(p))))
    return reduced("binary_cross_entropy", losses, reduction)


def kl_divergence(p: TensorLike, q: TensorLike, /, *, axis: Any = -1, reduction: str = "mean") -> Tensor:
    """sum(p * log(p / q)) along `axis` (or several): how far the probabilities q are from p. Where p is 0 it is 0.

    Source: S. Kullback and R. A. Leibler, "On Information and Sufficiency", 1951, eq. 2.4.
    """
    x, y = real_parts("kl_divergence", p, q)
    return reduced("kl_divergence", sum(rel_entr(x, y), axis=axis), reduction)


def hinge(predictions: TensorLike, labels: TensorLike, /, *, reduction: str = "mean") -> Tensor:
    """max(1 - label * prediction, 0), for labels -1 and 1. Its derivative at a margin of 1 is 0."""
    x, z = real_parts("hinge", predictions, labels)
    return reduced("hinge", relu(subtract(1.0, multiply(x, z))), reduction)


def cosine_similarity(x: TensorLike, y: TensorLike, /, *, axis: Any = -1, epsilon: float = 1e-12) -> Tensor:
    """The cosine of the angle between x and y along `axis` (or several): 0 where one of them is 0.

    A square of a length below `epsilon` counts as epsilon, so that derivatives are finite.
    """
    x, y = real_parts("cosine_similarity", x, y)
    unit = multiply(l2_normalize(x, axis=axis, epsilon=epsilon), l2_normalize(y, axis=axis, epsilon=epsilon))
    return sum(unit, axis=axis)


def cosine_distance(
    x: TensorLike, y: TensorLike, /, *, axis: Any = -1, epsilon: float = 1e-12, reduction: str = "mean"
) -> Tensor:
    """1 - cosine_similarity(x, y)."""
    return reduced("cosine_distance", subtract(1.0, cosine_similarity(x, y, axis=axis, epsilon=epsilon)), reduction)


def poisson_nll(
    rates: TensorLike, counts: TensorLike, /, *, log_rates: bool = False, full: bool = False, reduction: str = "mean"
) -> Tensor:
    """rate - count * log(rate), the negative logarithm of a Poisson probability, less what doesn't depend on the rate.

    log_rates: whether the logarithms of rates are given. full: whether log(count!) is added.
    """
    x, y = real_parts("poisson_nll", rates, counts)
    losses = subtract(exp(x), multiply(y, x)) if log_rates else subtract(x, xlogy(y, x))
    if full:
        losses = add(losses, lgamma(add(y, 1.0)))
    return reduced("poisson_nll", losses, reduction)


def gaussian_nll(
    means: TensorLike,
    targets: TensorLike,
    variances: TensorLike,
    /,
    *,
    full: bool = False,
    epsilon: float = 0.0,
    reduction: str = "mean",
) -> Tensor:
    """(log(variance) + (mean - target) ** 2 / variance) / 2, the negative logarithm of a normal density.

    full: whether log(2 pi) / 2 is added. epsilon: the least that a variance counts as.
    """
    x, y, v = real_parts("gaussian_nll", means, targets, variances)
    v = maximum(v, epsilon) if epsilon else v
    losses = multiply(0.5, add(log(v), divide(square(subtract(x, y)), v)))
    return reduced("gaussian_nll", add(losses, logarithm(2 * pi) / 2) if full else losses, reduction)
