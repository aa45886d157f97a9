"""The bits of integers, and their common divisors and multiples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tidegate.core.dtypes import INTEGER, shifted_left, shifted_right, uint8
from tidegate.core.graph import TensorType
from tidegate.core.kinds import Elementwise


class Bitwise(Elementwise, abstract=True):
    """Integers of one shape and dtype give one of that dtype."""

    arity = 2
    dtypes = INTEGER
    non_differentiable = "integers carry no gradient"


@dataclass(frozen=True, eq=False)
class BitwiseAnd(Bitwise):
    """The bits that both x and y have.

    Shapes: two of one shape.  Dtypes: two of one integer dtype, kept.
    """

    compute = staticmethod(np.bitwise_and)


@dataclass(frozen=True, eq=False)
class BitwiseOr(Bitwise):
    """The bits that x or y has.

    Shapes: two of one shape.  Dtypes: two of one integer dtype, kept.
    """

    compute = staticmethod(np.bitwise_or)


@dataclass(frozen=True, eq=False)
class BitwiseXor(Bitwise):
    """The bits that one of x and y has.

    Shapes: two of one shape.  Dtypes: two of one integer dtype, kept.
    """

    compute = staticmethod(np.bitwise_xor)


@dataclass(frozen=True, eq=False)
class BitwiseInvert(Bitwise):
    """The bits that x doesn't have.

    Shapes: any.  Dtypes: integers, kept.
    """

    arity = 1
    compute = staticmethod(np.invert)


@dataclass(frozen=True, eq=False)
class LeftShift(Bitwise):
    """x * 2**y, its low bits; 0 where y is negative or at least the number of bits.

    Shapes: two of one shape.  Dtypes: two of one integer dtype, kept.
    """

    compute = staticmethod(shifted_left)


@dataclass(frozen=True, eq=False)
class RightShift(Bitwise):
    """floor(x / 2**y); where y is negative or at least the number of bits, -1 for a negative x, else 0.

    Shapes: two of one shape.  Dtypes: two of one integer dtype, kept.
    """

    compute = staticmethod(shifted_right)


@dataclass(frozen=True, eq=False)
class BitwiseCount(Bitwise):
    """How many bits of the absolute value of x are set.

    Shapes: any.  Dtypes: integers; gives uint8.
    """

    arity = 1
    compute = staticmethod(np.bitwise_count)

    def infer(self, *inputs: TensorType) -> TensorType:
        return TensorType(super().infer(*inputs).shape, uint8)


@dataclass(frozen=True, eq=False)
class Gcd(Bitwise):
    """The greatest common divisor of x and y, at least 0 (the least integer's wraps); that of 0 and x is abs(x).

    Shapes: two of one shape.  Dtypes: two of one integer dtype, kept.
    """

    compute = staticmethod(np.gcd)


@dataclass(frozen=True, eq=False)
class Lcm(Bitwise):
    """The least common multiple of x and y, at least 0, its low bits; 0 if one of them is 0.

    Shapes: two of one shape.  Dtypes: two of one integer dtype, kept.
    """

    compute = staticmethod(np.lcm)
