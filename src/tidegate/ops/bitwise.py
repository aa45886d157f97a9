"""The bits of integers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tidegate.core.dtypes import INTEGER, shifted_left, shifted_right
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
