"""Activations: elementwise functions between the layers of a network. At kinks their derivatives are TensorFlow's."""

from __future__ import annotations

from math import pi, sqrt

import ml_dtypes

from tidegate.core.dtypes import COMPLEX
from tidegate.core.errors import ArgumentError, DTypeError, ShapeError
from tidegate.core.graph import Tensor, TensorLike
from tidegate.core.shapes import normal_axis
from tidegate.functions.convert import asarray, floating, inexact
from tidegate.functions.exponential import sigmoid, softplus
from tidegate.functions.extremes import clip, maximum, minimum
from tidegate.functions.math import add, multiply, square
from tidegate.functions.trigonometric import hypot
from tidegate.ops.broadcast import filled, zeros_like
from tidegate.ops.elementwise import Abs, Greater, Less, Maximum, Tanh, divide, negate, select
from tidegate.ops.exponential import Expm1
from tidegate.ops.special import Ndtr
from tidegate.ops.window import Slice

SELU_SCALE, SELU_ALPHA = 1.0507009873554804934193349852946, 1.6732632423543772848170429916717
"""What keeps mean 0 and variance 1. Source: G. Klambauer et al., "Self-Normalizing Neural Networks", 2017, eq. 14."""


def relu(x: TensorLike, /) -> Tensor:
    """max(x, 0), integers or floating point; NaN stays. Its derivative at 0 is 0."""
    return maximum(zeros_like(asarray(x)), x)


def relu6(x: TensorLike, /) -> Tensor:
    """min(max(x, 0), 6), integers or floating point; NaN stays. Its derivative at 0 and at 6 is 0."""
    x = asarray(x)
    return minimum(filled(6, x.type), relu(x))


def leaky_relu(x: TensorLike, /, negative_slope: TensorLike = 0.01) -> Tensor:
    """x where it is above 0, else `negative_slope` * x, floating point. Its derivative at 0 is the slope.

    The slope may be a tensor, which broadcasts and gets a gradient.
    """
    x, slope = real_parts("leaky_relu", x, negative_slope)
    return select(Greater()(x, zeros_like(x)), x, multiply(slope, x))


def real_parts(who: str, *xs: TensorLike) -> tuple[Tensor, ...]:
    """Tensors of one floating point dtype and one shape. Raises DTypeError for any other dtype."""
    tensors = inexact(who, *xs)
    if tensors[0].dtype in COMPLEX:
        raise DTypeError(f"{who}: got {tensors[0].type}; want floating point")
    return tensors


def below_zero(x: Tensor, scale: TensorLike, width: TensorLike) -> Tensor:
    """scale * (exp(x / width) - 1) where x is below 0, else x. What isn't taken is computed of 0: it can't overflow."""
    below = Less()(x, zeros_like(x))
    safe = select(below, x, zeros_like(x))
    return select(below, multiply(scale, Expm1()(divide(safe, filled(width, x.type)))), x)


def elu(x: TensorLike, /, alpha: float = 1.0) -> Tensor:
    """x, but alpha * (exp(x) - 1) where it is below 0, floating point. Its derivative at 0 is 1.

    Source: D.-A. Clevert et al., "Fast and Accurate Deep Network Learning by Exponential Linear Units", 2016, eq. 15.
    """
    return below_zero(floating("elu", x), alpha, 1.0)


def selu(x: TensorLike, /) -> Tensor:
    """A scaled elu that keeps mean 0 and variance 1, floating point. Its derivative at 0 is the scale, 1.0507.

    Source: G. Klambauer et al., "Self-Normalizing Neural Networks", 2017, eq. 2.
    """
    return multiply(SELU_SCALE, below_zero(floating("selu", x), SELU_ALPHA, 1.0))


def celu(x: TensorLike, /, alpha: float = 1.0) -> Tensor:
    """x, but alpha * (exp(x / alpha) - 1) where it is below 0, floating point. Its derivative at 0 is 1.

    Source: J. T. Barron, "Continuously Differentiable Exponential Linear Units", 2017. Raises ArgumentError for
    alpha = 0.
    """
    if alpha == 0:
        raise ArgumentError("celu: got alpha = 0; want another number")
    return below_zero(floating("celu", x), alpha, alpha)


def gated(x: Tensor, gate: Tensor) -> Tensor:
    """x * gate, whose gate is 0 where x is -inf: the product is 0 there, and not NaN."""
    least = filled(float(ml_dtypes.finfo(x.dtype).min), x.type)
    return multiply(Maximum()(x, least), gate)


def gelu(x: TensorLike, /, *, approximate: bool = False) -> Tensor:
    """x times the normal distribution function of x, floating point; 0 at -inf.

    approximate: by x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x ** 3))).
    Source: D. Hendrycks and K. Gimpel, "Gaussian Error Linear Units", 2016, section 2.
    """
    x = floating("gelu", x)
    if not approximate:
        return gated(x, Ndtr()(x))
    inner = multiply(sqrt(2 / pi), add(x, multiply(0.044715, multiply(x, square(x)))))
    return gated(x, add(0.5, multiply(0.5, Tanh()(inner))))


def silu(x: TensorLike, /) -> Tensor:
    """x * sigmoid(x), floating point; 0 at -inf. Also known as swish."""
    x = floating("silu", x)
    return gated(x, sigmoid(x))


swish = silu


def mish(x: TensorLike, /) -> Tensor:
    """x * tanh(softplus(x)), floating point; 0 at -inf.

    Source: D. Misra, "Mish: A Self Regularized Non-Monotonic Activation Function", 2019, eq. 1.
    """
    x = floating("mish", x)
    return gated(x, Tanh()(softplus(x)))


def softsign(x: TensorLike, /) -> Tensor:
    """x / (1 + abs(x)), floating point; -1 and 1 at the infinities. Its derivative at 0 is 1."""
    x = floating("softsign", x)
    most = float(ml_dtypes.finfo(x.dtype).max)
    bounded = clip(x, -most, most)
    return divide(bounded, add(1.0, Abs()(bounded)))


def squareplus(x: TensorLike, /, b: float = 4.0) -> Tensor:
    """(x + sqrt(x ** 2 + b)) / 2, floating point: a softplus without exponentials.

    Below 0 it is computed as b / (sqrt(x ** 2 + b) - x) / 2, without cancellation; it overflows nowhere.
    Source: J. T. Barron, "Squareplus: A Softplus-Like Algebraic Rectifier", 2021, eq. 1.
    Raises ArgumentError unless b is above 0.
    """
    if not b > 0:
        raise ArgumentError(f"squareplus: got b = {b!r}; want a number above 0")
    x = floating("squareplus", x)
    below = Less()(x, zeros_like(x))
    total = add(select(below, negate(x), x), hypot(x, sqrt(b)))
    return multiply(0.5, select(below, divide(filled(b, x.type), total), total))


def hard_tanh(x: TensorLike, /) -> Tensor:
    """x clipped to -1 and 1, floating point. Its derivative on the bounds is 1."""
    return clip(floating("hard_tanh", x), -1.0, 1.0)


def hard_sigmoid(x: TensorLike, /) -> Tensor:
    """relu6(x + 3) / 6, floating point. Its derivative at -3 and 3 is 0."""
    return divide_by(relu6(add(floating("hard_sigmoid", x), 3.0)), 6.0)


def hard_swish(x: TensorLike, /) -> Tensor:
    """x * hard_sigmoid(x), floating point; 0 at -inf.

    Source: A. Howard et al., "Searching for MobileNetV3", 2019, section 5.2.
    """
    x = floating("hard_swish", x)
    return gated(x, hard_sigmoid(x))


def divide_by(x: Tensor, number: float) -> Tensor:
    """x / number."""
    return divide(x, filled(number, x.type))


def glu(x: TensorLike, /, *, axis: int = -1) -> Tensor:
    """The first half of x along `axis` times the sigmoid of the second, floating point.

    Source: Y. Dauphin et al., "Language Modeling with Gated Convolutional Networks", 2017, eq. 1.
    Raises ShapeError for an odd size along `axis`, or one that isn't known.
    """
    x = floating("glu", x)
    place = normal_axis(axis, x.ndim, "glu")
    size = x.shape[place]
    if not isinstance(size, int) or size % 2:
        raise ShapeError(f"glu: got {x.type}; want an even size along axis {place}")
    halves = []
    for start in (0, size // 2):
        starts = tuple([start if i == place else 0 for i in range(x.ndim)])
        stops = tuple([start + size // 2 if i == place else n for i, n in enumerate(x.shape)])
        halves.append(Slice(starts, stops, (1,) * x.ndim)(x))
    return multiply(halves[0], sigmoid(halves[1]))
