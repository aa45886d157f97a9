"""Elementwise functions. Arguments are tensors, Python numbers, or what NumPy makes arrays of; they broadcast by
NumPy's rule and promote by the array API standard's. Each returns a tensor of the broadcast shape."""

from __future__ import annotations

from tidegate.core.dtypes import BOOL, COMPLEX, complex_of, real_of
from tidegate.core.errors import DTypeError
from tidegate.core.graph import Tensor, TensorLike
from tidegate.functions.convert import asarray, broadcast_all, inexact, number_or_tensor, promoted, together
from tidegate.functions.numbers import is_weak, kept_weak
from tidegate.ops import elementwise as ops
from tidegate.ops.broadcast import filled
from tidegate.ops.cast import cast


def add(x: TensorLike, y: TensorLike, /) -> Tensor:
    """x + y, for numbers of any kind; integers wrap."""
    return ops.add(*together("add", x, y))


def subtract(x: TensorLike, y: TensorLike, /) -> Tensor:
    """x - y, for numbers of any kind; integers wrap."""
    return ops.subtract(*together("subtract", x, y))


def multiply(x: TensorLike, y: TensorLike, /) -> Tensor:
    """x * y, for numbers of any kind; integers wrap."""
    return ops.multiply(*together("multiply", x, y))


def divide(x: TensorLike, y: TensorLike, /) -> Tensor:
    """x / y, floating point or complex; x / 0 is an infinity or NaN. Raises DTypeError for integers."""
    return ops.divide(*inexact("divide", x, y))


def pow(x: TensorLike, y: TensorLike, /) -> Tensor:
    """x ** y, for numbers of any kind.

    The derivative for y is 0 where x <= 0; that for x at 0 ** 0 is NaN. For integers a negative y gives the quotient
    truncated towards 0.
    """
    return _POWER(*together("pow", x, y))


def negative(x: TensorLike, /) -> Tensor:
    """-x, for numbers of any kind."""
    return ops.negate(number_or_tensor(x))


def positive(x: TensorLike, /) -> Tensor:
    """x, for numbers of any kind."""
    return ops.identity(_number("positive", number_or_tensor(x)))


def _number(who: str, x: Tensor) -> Tensor:
    """`x`. Raises DTypeError for booleans."""
    if x.dtype in BOOL:
        raise DTypeError(f"{who}: got {x.type}; want numbers")
    return x


def abs(x: TensorLike, /) -> Tensor:
    """Absolute value; of complex numbers too. Its derivative at 0 is 0."""
    x = number_or_tensor(x)
    return kept_weak(_ABS(x))[0] if is_weak(x) else _ABS(x)


def sign(x: TensorLike, /) -> Tensor:
    """-1, 0 or 1; NaN stays NaN; of a complex x, x / abs(x), and 0 at 0.

    Of real numbers the derivative is zero, not absent.
    """
    x = asarray(x)
    if x.dtype not in COMPLEX:
        return _SIGN(x)
    length = _ABS(x)
    none = _EQUAL(length, filled(0, length.type))
    safe = ops.select(none, filled(1, length.type), length)
    return ops.divide(x, _COMPLEX(safe, filled(0, safe.type)))


def exp(x: TensorLike, /) -> Tensor:
    """e ** x, floating point or complex."""
    return ops.exp(*inexact("exp", x))


def log(x: TensorLike, /) -> Tensor:
    """Natural logarithm, floating point or complex: -inf at 0, NaN below."""
    return ops.log(*inexact("log", x))


def sqrt(x: TensorLike, /) -> Tensor:
    """Square root, floating point or complex: NaN below 0. A zero cotangent gives exactly 0, also at x = 0."""
    return _SQRT(*inexact("sqrt", x))


def square(x: TensorLike, /) -> Tensor:
    """x * x, for numbers of any kind."""
    x = asarray(x)
    return ops.multiply(x, x)


def tanh(x: TensorLike, /) -> Tensor:
    """Hyperbolic tangent, floating point or complex."""
    return _TANH(*inexact("tanh", x))


def sin(x: TensorLike, /) -> Tensor:
    """Sine of x in radians, floating point or complex."""
    return _SIN(*inexact("sin", x))


def cos(x: TensorLike, /) -> Tensor:
    """Cosine of x in radians, floating point or complex."""
    return _COS(*inexact("cos", x))


def floor(x: TensorLike, /) -> Tensor:
    """The largest integer that isn't above x, integers or floating point. Nothing flows back."""
    return _FLOOR(asarray(x))


def equal(x: TensorLike, y: TensorLike, /) -> Tensor:
    """x == y, a bool; of any dtypes that mix."""
    return _EQUAL(*together("equal", x, y))


def not_equal(x: TensorLike, y: TensorLike, /) -> Tensor:
    """x != y, a bool; of any dtypes that mix."""
    return _NOT_EQUAL(*together("not_equal", x, y))


def less(x: TensorLike, y: TensorLike, /) -> Tensor:
    """x < y, a bool; integers or floating point."""
    return _LESS(*together("less", x, y))


def less_equal(x: TensorLike, y: TensorLike, /) -> Tensor:
    """x <= y, a bool; integers or floating point."""
    return _LESS_EQUAL(*together("less_equal", x, y))


def greater(x: TensorLike, y: TensorLike, /) -> Tensor:
    """x > y, a bool; integers or floating point."""
    return _GREATER(*together("greater", x, y))


def greater_equal(x: TensorLike, y: TensorLike, /) -> Tensor:
    """x >= y, a bool; integers or floating point."""
    return _GREATER_EQUAL(*together("greater_equal", x, y))


def logical_and(x: TensorLike, y: TensorLike, /) -> Tensor:
    """x and y, of booleans."""
    return _AND(*together("logical_and", x, y))


def logical_or(x: TensorLike, y: TensorLike, /) -> Tensor:
    """x or y, of booleans."""
    return _OR(*together("logical_or", x, y))


def logical_xor(x: TensorLike, y: TensorLike, /) -> Tensor:
    """x or y and not both, of booleans."""
    return _XOR(*together("logical_xor", x, y))


def logical_not(x: TensorLike, /) -> Tensor:
    """Not x, of booleans."""
    return _NOT(asarray(x))


def where(condition: TensorLike, x: TensorLike, y: TensorLike, /) -> Tensor:
    """x where the bool `condition` is true, else y; the three broadcast.

    The branch that isn't taken gets a cotangent of exactly 0; nothing flows to the condition.
    """
    condition = asarray(condition)
    if condition.dtype not in BOOL:
        raise DTypeError(f"where: got condition {condition.type}; want bool")
    return ops.select(*broadcast_all("where", condition, *promoted("where", x, y)))


def real(x: TensorLike, /) -> Tensor:
    """The real part, of numbers of any kind; a real x itself."""
    x = _number("real", asarray(x))
    return _REAL(x) if x.dtype in COMPLEX else x


def imag(x: TensorLike, /) -> Tensor:
    """The imaginary part, of numbers of any kind; zeros for a real x."""
    x = _number("imag", asarray(x))
    return _IMAG(x) if x.dtype in COMPLEX else filled(0, x.type)


def conj(x: TensorLike, /) -> Tensor:
    """The complex conjugate, of numbers of any kind; a real x itself."""
    return ops.conjugate(_number("conj", asarray(x)))


def complex(real: TensorLike, imag: TensorLike, /) -> Tensor:
    """real + i imag, of float32 or float64; float16 and bfloat16 are promoted to float32."""
    parts = inexact("complex", real, imag)
    wide = real_of(complex_of(parts[0].dtype))
    if parts[0].dtype in COMPLEX:
        raise DTypeError(f"complex: got {parts[0].type}; want real parts")
    return _COMPLEX(*[cast(p, wide) for p in parts])


_POWER, _ABS, _SIGN, _SQRT, _TANH, _SIN, _COS = (
    op() for op in (ops.Power, ops.Abs, ops.Sign, ops.Sqrt, ops.Tanh, ops.Sin, ops.Cos)
)
_FLOOR, _REAL, _IMAG, _COMPLEX = (op() for op in (ops.Floor, ops.Real, ops.Imag, ops.Complex))
_EQUAL, _NOT_EQUAL, _LESS, _LESS_EQUAL, _GREATER, _GREATER_EQUAL = (
    op() for op in (ops.Equal, ops.NotEqual, ops.Less, ops.LessEqual, ops.Greater, ops.GreaterEqual)
)
_AND, _OR, _XOR, _NOT = (op() for op in (ops.LogicalAnd, ops.LogicalOr, ops.LogicalXor, ops.LogicalNot))
