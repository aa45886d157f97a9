"""Exponentials, logarithms, roots, reciprocals, and products that are 0 where a factor is."""

from __future__ import annotations

from math import inf

from tidegate.core.graph import Tensor, TensorLike
from tidegate.functions.convert import all_floating, floating, inexact
from tidegate.ops import exponential as ops
from tidegate.ops.broadcast import filled, zeros_like
from tidegate.ops.elementwise import (
    Equal,
    Greater,
    GreaterEqual,
    Less,
    LessEqual,
    LogicalAnd,
    LogicalOr,
    MultiplyNoNan,
    divide,
    log,
    multiply,
    negate,
    select,
    subtract,
)


def expm1(x: TensorLike, /) -> Tensor:
    """e ** x - 1, floating point or complex, without cancellation where x is near 0."""
    return _EXPM1(*inexact("expm1", x))


def exp2(x: TensorLike, /) -> Tensor:
    """2 ** x, floating point; exact where x is an integer."""
    return _EXP2(floating("exp2", x))


def log1p(x: TensorLike, /) -> Tensor:
    """log(1 + x), floating point or complex, without cancellation where x is near 0: -inf at -1, NaN below."""
    return _LOG1P(*inexact("log1p", x))


def log2(x: TensorLike, /) -> Tensor:
    """Logarithm to the base 2, floating point or complex: -inf at 0, NaN below."""
    return _LOG2(*inexact("log2", x))


def log10(x: TensorLike, /) -> Tensor:
    """Logarithm to the base 10, floating point or complex: -inf at 0, NaN below."""
    return _LOG10(*inexact("log10", x))


def logaddexp(x: TensorLike, y: TensorLike, /) -> Tensor:
    """log(exp(x) + exp(y)), floating point, which overflows only if the result does.

    Where both are the same infinity each gets half of the derivative.
    """
    return _LOG_ADD_EXP(*all_floating("logaddexp", x, y))


def logaddexp2(x: TensorLike, y: TensorLike, /) -> Tensor:
    """log2(2 ** x + 2 ** y), floating point, which overflows only if the result does.

    Where both are the same infinity each gets half of the derivative.
    """
    return _LOG_ADD_EXP2(*all_floating("logaddexp2", x, y))


def cbrt(x: TensorLike, /) -> Tensor:
    """Cube root, floating point, of negative x too. A zero cotangent gives exactly 0, also at x = 0."""
    return _CBRT(floating("cbrt", x))


def rsqrt(x: TensorLike, /) -> Tensor:
    """1 / sqrt(x), floating point or complex: infinite at 0, NaN below.

    The derivative at 0 is -inf; a zero cotangent gives exactly 0 there.
    """
    return _RSQRT(*inexact("rsqrt", x))


def reciprocal(x: TensorLike, /) -> Tensor:
    """1 / x, floating point or complex, infinite at 0. A zero cotangent gives exactly 0, also at x = 0."""
    return _RECIPROCAL(*inexact("reciprocal", x))


def sigmoid(x: TensorLike, /) -> Tensor:
    """1 / (1 + exp(-x)), floating point or complex, which overflows nowhere and is precise where it is near 0 too.

    Its derivative is y (1 - y) of the value y, exactly 0 where that rounds to 1.
    """
    return _SIGMOID(*inexact("sigmoid", x))


def log_sigmoid(x: TensorLike, /) -> Tensor:
    """log(sigmoid(x)), floating point, as -softplus(-x): finite and precise where sigmoid(x) rounds to 0 or 1."""
    return negate(_SOFTPLUS(negate(floating("log_sigmoid", x))))


def softplus(x: TensorLike, /) -> Tensor:
    """log(1 + exp(x)), floating point, which overflows nowhere and is precise where it is near 0."""
    return _SOFTPLUS(floating("softplus", x))


def logit(x: TensorLike, /) -> Tensor:
    """log(x / (1 - x)), floating point, the inverse of sigmoid: infinite at 0 and 1, NaN outside."""
    return _LOGIT(floating("logit", x))


def logcosh(x: TensorLike, /) -> Tensor:
    """log(cosh(x)), floating point, which overflows nowhere and is precise where it is near 0."""
    return _LOG_COSH(floating("logcosh", x))


def multiply_no_nan(x: TensorLike, y: TensorLike, /) -> Tensor:
    """x * y, floating point or complex, but 0 where y is 0, also for an infinite or NaN x.

    There x gets the derivative 0, and y gets x; TensorFlow's function of this name.
    """
    return _MULTIPLY_NO_NAN(*inexact("multiply_no_nan", x, y))


def divide_no_nan(x: TensorLike, y: TensorLike, /) -> Tensor:
    """x / y, floating point or complex, but 0 where y is 0, where both derivatives are 0 too.

    TensorFlow's function of this name.
    """
    x, y = inexact("divide_no_nan", x, y)
    zero = _EQUAL(y, zeros_like(y))
    return select(zero, zeros_like(x), divide(x, _one_where(zero, y)))


def xlogy(x: TensorLike, y: TensorLike, /) -> Tensor:
    """x * log(y), floating point or complex, but 0 where x is 0, whatever y is, NaN included.

    Both derivatives are 0 there; TensorFlow's function of this name.
    """
    x, y = inexact("xlogy", x, y)
    zero = _EQUAL(x, zeros_like(x))
    return select(zero, zeros_like(x), multiply(x, log(_one_where(zero, y))))


def xlog1py(x: TensorLike, y: TensorLike, /) -> Tensor:
    """x * log1p(y), floating point or complex, but 0 where x is 0, whatever y is, NaN included.

    Both derivatives are 0 there; TensorFlow's function of this name.
    """
    x, y = inexact("xlog1py", x, y)
    zero = _EQUAL(x, zeros_like(x))
    return select(zero, zeros_like(x), multiply(x, _LOG1P(_one_where(zero, y))))


def xdivy(x: TensorLike, y: TensorLike, /) -> Tensor:
    """x / y, floating point or complex, but 0 where x is 0, whatever y is, NaN included.

    Both derivatives are 0 there; TensorFlow's function of this name.
    """
    x, y = inexact("xdivy", x, y)
    zero = _EQUAL(x, zeros_like(x))
    return select(zero, zeros_like(x), divide(x, _one_where(zero, y)))


def entr(x: TensorLike, /) -> Tensor:
    """-x log(x), floating point, but 0 where x is 0, and -inf below. There the derivative is 0, as xlogy's."""
    x = floating("entr", x)
    zero = zeros_like(x)
    outside = _LESS_EQUAL(x, zero)
    value = negate(multiply(x, log(_one_where(outside, x))))
    edge = select(_EQUAL(x, zero), zero, filled(-inf, x.type))
    return select(outside, edge, value)


def rel_entr(x: TensorLike, y: TensorLike, /) -> Tensor:
    """x log(x / y), floating point: 0 where x is 0 and y isn't below 0; else inf where x or y isn't above 0.

    Both derivatives are 0 where x or y isn't above 0.
    """
    x, y = all_floating("rel_entr", x, y)
    zero = zeros_like(x)
    nothing = _AND(_EQUAL(x, zero), _GREATER_EQUAL(y, zero))
    outside = _OR(_LESS_EQUAL(x, zero), _LESS_EQUAL(y, zero))
    outside = _AND(outside, _AND(_EQUAL(x, x), _EQUAL(y, y)))  # NaN stays NaN
    a, b = _one_where(outside, x), _one_where(outside, y)
    ratio = divide(a, b)
    near = _AND(_GREATER(ratio, filled(0.5, x.type)), _LESS(ratio, filled(2, x.type)))
    one = filled(1, x.type)
    near_log = _LOG1P(divide(subtract(select(near, a, one), select(near, b, one)), select(near, b, one)))
    far_log = subtract(log(a), log(b))  # the ratio may overflow
    value = multiply(a, select(near, near_log, far_log))
    return select(outside, select(nothing, zero, filled(inf, x.type)), value)


def _one_where(condition: Tensor, x: Tensor) -> Tensor:
    """x, but 1 where a branch isn't taken: what it would pass there must be finite for 0 times it to be 0."""
    return select(condition, filled(1, x.type), x)


_EXPM1, _EXP2, _LOG1P, _LOG2, _LOG10 = (op() for op in (ops.Expm1, ops.Exp2, ops.Log1p, ops.Log2, ops.Log10))
_LOG_ADD_EXP, _LOG_ADD_EXP2, _LOG_COSH = ops.LogAddExp(), ops.LogAddExp2(), ops.LogCosh()
_CBRT, _RSQRT, _RECIPROCAL = ops.Cbrt(), ops.Rsqrt(), ops.Reciprocal()
_SIGMOID, _SOFTPLUS, _LOGIT, _MULTIPLY_NO_NAN = ops.Sigmoid(), ops.Softplus(), ops.Logit(), MultiplyNoNan()
_EQUAL, _LESS, _LESS_EQUAL, _GREATER, _GREATER_EQUAL = Equal(), Less(), LessEqual(), Greater(), GreaterEqual()
_AND, _OR = LogicalAnd(), LogicalOr()
