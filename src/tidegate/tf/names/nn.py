"""tf.nn: activations, softmax and the losses on logits."""

from __future__ import annotations

from typing import Any

from tidegate.core import graph as core
from tidegate.core.errors import ArgumentError
from tidegate.functions import activations, exponential, indexing, math, norms, reduce
from tidegate.functions import softmax as soft
from tidegate.functions.shape import expand_dims, squeeze
from tidegate.ops.gates import StopGradient
from tidegate.tf.convert import alike, convert, static_ints
from tidegate.tf.graph import apply
from tidegate.tf.names.make import unary
from tidegate.tf.tensor import Tensor

relu = unary("Relu", activations.relu, "relu")
relu6 = unary("Relu6", activations.relu6, "relu6")
elu = unary("Elu", activations.elu, "elu")
selu = unary("Selu", activations.selu, "selu")
softplus = unary("Softplus", exponential.softplus, "softplus")
softsign = unary("Softsign", activations.softsign, "softsign")


def leaky_relu(features: Any, alpha: float = 0.2, name: str | None = None) -> Tensor:
    """x where it is above 0, alpha * x elsewhere."""
    x = convert(features, who="tf.nn.leaky_relu")
    return apply("LeakyRelu", lambda x: activations.leaky_relu(x, alpha), x, name=name)


def gelu(features: Any, approximate: bool = False, name: str | None = None) -> Tensor:
    """x times the normal distribution's probability below x."""
    return apply("Gelu", lambda x: activations.gelu(x, approximate=approximate), convert(features), name=name)


def silu(features: Any, beta: float = 1.0) -> Tensor:
    """x * sigmoid(beta * x)."""
    x = convert(features, who="tf.nn.silu")
    return apply("Silu", lambda x: math.multiply(x, exponential.sigmoid(math.multiply(x, beta))), x)


def softmax(logits: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """exp(x) / sum(exp(x)) along an axis, the last one by default, without overflow."""
    place = -1 if axis is None else int(static_ints(axis, "tf.nn.softmax"))
    return apply("Softmax", lambda x: soft.softmax(x, axis=place), convert(logits, who="tf.nn.softmax"), name=name)


def log_softmax(logits: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """The logarithm of softmax."""
    place = -1 if axis is None else int(static_ints(axis, "tf.nn.log_softmax"))
    x = convert(logits, who="tf.nn.log_softmax")
    return apply("LogSoftmax", lambda x: soft.log_softmax(x, axis=place), x, name=name)


def softmax_cross_entropy_with_logits(labels: Any, logits: Any, axis: Any = -1, name: str | None = None) -> Tensor:
    """-sum(labels * log_softmax(logits)) along an axis.

    The gradient for the logits is softmax(logits) - labels, whatever the labels sum to; that for the labels is
    -log_softmax(logits). So it is in TensorFlow: of labels that sum to 1, the true one.
    """
    place = int(static_ints(axis, "tf.nn.softmax_cross_entropy_with_logits"))

    def loss(labels: core.Tensor, logits: core.Tensor) -> core.Tensor:
        shift = StopGradient(internal=True)(reduce.max(logits, axis=place, keepdims=True))
        z = math.subtract(logits, shift)
        volume = reduce.logsumexp(z, axis=place)
        chosen = reduce.sum(exponential.multiply_no_nan(z, labels), axis=place)
        more = math.subtract(reduce.sum(labels, axis=place), 1.0)
        held = StopGradient(internal=True)(volume)
        return math.add(math.subtract(volume, chosen), math.multiply(more, held))

    xs = alike("tf.nn.softmax_cross_entropy_with_logits", logits, labels)
    if xs[0].ndim == 0:
        raise ArgumentError("tf.nn.softmax_cross_entropy_with_logits: got logits without axes")
    return apply("SoftmaxCrossEntropyWithLogits", loss, xs[1], xs[0], name=name)


def sparse_softmax_cross_entropy_with_logits(labels: Any, logits: Any, name: str | None = None) -> Tensor:
    """-log_softmax(logits) at the class that each label names, along the last axis."""

    def loss(labels: core.Tensor, logits: core.Tensor) -> core.Tensor:
        scores = soft.log_softmax(logits)
        return math.negative(squeeze(indexing.take_along_axis(scores, expand_dims(labels, axis=-1), axis=-1), -1))

    return apply("SparseSoftmaxCrossEntropyWithLogits", loss, convert(labels), convert(logits), name=name)


def sigmoid_cross_entropy_with_logits(labels: Any = None, logits: Any = None, name: str | None = None) -> Tensor:
    """max(x, 0) - x * labels + log(1 + exp(-|x|)): the cross entropy of sigmoid(x), without overflow."""

    def loss(x: core.Tensor, labels: core.Tensor) -> core.Tensor:
        return math.subtract(exponential.softplus(x), math.multiply(x, labels))

    return apply("SigmoidCrossEntropyWithLogits", loss,
                 *alike("tf.nn.sigmoid_cross_entropy_with_logits", logits, labels), name=name)  # fmt: skip


def l2_loss(t: Any, name: str | None = None) -> Tensor:
    """Half of the sum of squares."""
    return apply("L2Loss", lambda x: math.divide(reduce.sum(math.square(x)), 2.0), convert(t), name=name)


def l2_normalize(x: Any, axis: Any = None, epsilon: float = 1e-12, name: str | None = None) -> Tensor:
    """x divided by its norm along axes, all of them by default."""
    found = static_ints(axis, "tf.math.l2_normalize")
    places = tuple(found) if isinstance(found, list) else found

    def normalized(x: core.Tensor) -> core.Tensor:
        return norms.l2_normalize(x, axis=places, epsilon=epsilon)

    return apply("L2Normalize", normalized, convert(x), name=name)


def moments(
    x: Any, axes: Any, shift: Any = None, keepdims: bool = False, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """The mean and variance along axes."""
    found = static_ints(axes, "tf.nn.moments")
    places = tuple(found) if isinstance(found, list) else found

    def both(x: core.Tensor) -> tuple[core.Tensor, core.Tensor]:
        mean = reduce.mean(x, axis=places, keepdims=keepdims)
        return mean, reduce.var(x, axis=places, keepdims=keepdims)

    return apply("Moments", both, convert(x), name=name)
