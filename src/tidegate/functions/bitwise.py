"""The bits of integers, and of booleans, which have one; divisors and multiples of integers."""

from __future__ import annotations

from tidegate.core.dtypes import BOOL, INTEGER
from tidegate.core.errors import DTypeError
from tidegate.core.graph import Tensor, TensorLike
from tidegate.core.op import Op, show_types
from tidegate.functions.convert import number_or_tensor, together
from tidegate.ops import bitwise as ops
from tidegate.ops import elementwise


def bitwise_and(x: TensorLike, y: TensorLike, /) -> Tensor:
    """The bits that both x and y have, of integers or booleans."""
    return _of_bits("bitwise_and", _AND, _LOGICAL_AND, x, y)


def bitwise_or(x: TensorLike, y: TensorLike, /) -> Tensor:
    """The bits that x or y has, of integers or booleans."""
    return _of_bits("bitwise_or", _OR, _LOGICAL_OR, x, y)


def bitwise_xor(x: TensorLike, y: TensorLike, /) -> Tensor:
    """The bits that one of x and y has, of integers or booleans."""
    return _of_bits("bitwise_xor", _XOR, _LOGICAL_XOR, x, y)


def bitwise_invert(x: TensorLike, /) -> Tensor:
    """The bits that x doesn't have, of integers or booleans."""
    return _of_bits("bitwise_invert", _INVERT, _LOGICAL_NOT, x)


def bitwise_left_shift(x: TensorLike, y: TensorLike, /) -> Tensor:
    """x * 2**y, its low bits, of integers; 0 where y is negative or at least the number of bits."""
    return _of_bits("bitwise_left_shift", _LEFT, None, x, y)


def bitwise_right_shift(x: TensorLike, y: TensorLike, /) -> Tensor:
    """floor(x / 2**y), of integers; where y is negative or at least the number of bits, -1 for a negative x, else 0."""
    return _of_bits("bitwise_right_shift", _RIGHT, None, x, y)


def bitwise_count(x: TensorLike, /) -> Tensor:
    """How many bits of the absolute value of x, integers, are set: uint8."""
    return _of_bits("bitwise_count", _COUNT, None, x)


def gcd(x: TensorLike, y: TensorLike, /) -> Tensor:
    """The greatest common divisor of integers, at least 0; that of 0 and x is abs(x)."""
    return _of_bits("gcd", _GCD, None, x, y)


def lcm(x: TensorLike, y: TensorLike, /) -> Tensor:
    """The least common multiple of integers, at least 0, its low bits; 0 if one of them is 0."""
    return _of_bits("lcm", _LCM, None, x, y)


def _of_bits(who: str, of_integers: Op, of_booleans: Op | None, *xs: TensorLike) -> Tensor:
    tensors = together(who, *xs) if len(xs) > 1 else (number_or_tensor(xs[0]),)
    dtype = tensors[0].dtype
    if dtype in INTEGER:
        return of_integers(*tensors)
    if dtype in BOOL and of_booleans is not None:
        return of_booleans(*tensors)
    want = "integers" if of_booleans is None else "integers or booleans"
    raise DTypeError(f"{who}: got {show_types([x.type for x in tensors])}; want {want}")


_AND, _OR, _XOR, _INVERT = ops.BitwiseAnd(), ops.BitwiseOr(), ops.BitwiseXor(), ops.BitwiseInvert()
_LEFT, _RIGHT = ops.LeftShift(), ops.RightShift()
_COUNT, _GCD, _LCM = ops.BitwiseCount(), ops.Gcd(), ops.Lcm()
_LOGICAL_AND, _LOGICAL_OR = elementwise.LogicalAnd(), elementwise.LogicalOr()
_LOGICAL_XOR, _LOGICAL_NOT = elementwise.LogicalXor(), elementwise.LogicalNot()
