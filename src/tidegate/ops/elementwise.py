"""Elementwise ops: a class each. The derivative is stated once, as partials; the engine makes both modes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tidegate.core.dtypes import (
    ANY,
    BOOL,
    COMPLEX,
    INEXACT,
    INTEGER,
    REAL,
    bool_,
    complex_of,
    integer_power,
    real_of,
)
from tidegate.core.errors import DTypeError
from tidegate.core.graph import Array, Tensor, TensorType
from tidegate.core.kinds import Elementwise
from tidegate.core.op import Draw, Sample, show_types
from tidegate.ops.broadcast import filled, zeros_like

Partial = Tensor | int | None
POSITIVE = (0.3, 2.0)


@dataclass(frozen=True, eq=False)
class Identity(Elementwise):
    """x, as a tensor of its own.

    Shapes and dtypes: any, kept.
    """

    dtypes = ANY

    def compute(self, x: Array) -> Array:
        return x

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (1,)


@dataclass(frozen=True, eq=False)
class Add(Elementwise):
    """x + y.

    Shapes: two of one shape.  Dtypes: two of one numeric dtype, kept; integers wrap.
    """

    arity = 2
    compute = staticmethod(np.add)

    def partials(self, out: Tensor, x: Tensor, y: Tensor) -> tuple[Partial, Partial]:
        return 1, 1


@dataclass(frozen=True, eq=False)
class Subtract(Elementwise):
    """x - y.

    Shapes: two of one shape.  Dtypes: two of one numeric dtype, kept; integers wrap.
    """

    arity = 2
    compute = staticmethod(np.subtract)

    def partials(self, out: Tensor, x: Tensor, y: Tensor) -> tuple[Partial, Partial]:
        return 1, -1


@dataclass(frozen=True, eq=False)
class Multiply(Elementwise):
    """x * y.

    Shapes: two of one shape.  Dtypes: two of one numeric dtype, kept; integers wrap.
    """

    arity = 2
    compute = staticmethod(np.multiply)

    def partials(self, out: Tensor, x: Tensor, y: Tensor) -> tuple[Partial, Partial]:
        return y, x


@dataclass(frozen=True, eq=False)
class MultiplyNoNan(Elementwise):
    """x * y, but 0 where y is 0, also for an infinite or NaN x.

    Its x gets 0 where y is 0; its y gets x times the cotangent, 0 where that is 0 (TensorFlow's MulNoNan).
    Shapes: two of one shape.  Dtypes: two of one floating point or complex dtype, kept.
    """

    arity = 2
    dtypes = INEXACT
    jointly_linear = False

    def compute(self, x: Array, y: Array) -> Array:
        return np.where(y == 0, y.dtype.type(0), x * y)

    def adjoint(self, cotangent: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        return MultiplyNoNan()(cotangent, conjugate(y)), MultiplyNoNan()(conjugate(x), cotangent)


@dataclass(frozen=True, eq=False)
class Divide(Elementwise):
    """x / y.

    Shapes: two of one shape.  Dtypes: two of one floating point or complex dtype, kept; x / 0 is an infinity or NaN.
    """

    arity = 2
    dtypes = INEXACT
    intervals = ((-2.0, 2.0), POSITIVE)
    compute = staticmethod(np.divide)

    def partials(self, out: Tensor, x: Tensor, y: Tensor) -> tuple[Partial, Partial]:
        return divide(filled(1, y.type), y), negate(divide(out, y))


@dataclass(frozen=True, eq=False)
class Negate(Elementwise):
    """-x.

    Shapes: any.  Dtypes: any numeric, kept; integers wrap.
    """

    compute = staticmethod(np.negative)

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (-1,)


@dataclass(frozen=True, eq=False)
class Power(Elementwise):
    """x ** y.

    The derivative for y is 0 where x <= 0 (for complex x, where x is 0); that for x at 0 ** 0 is NaN, at 0 ** 1 it
    is 1, as TensorFlow has them. For integers, wrapping, a negative y gives the quotient truncated towards 0.
    Shapes: two of one shape.  Dtypes: two of one numeric dtype, kept.
    Source: DLMF 4.2.26 to 4.2.28, 4.4.
    """

    arity = 2
    intervals = (POSITIVE, (-2.0, 2.0))

    def compute(self, x: Array, y: Array) -> Array:
        if x.dtype in INTEGER:
            return integer_power(x, y)
        out = np.power(x, y)
        if x.dtype in COMPLEX or not y.size or y.flat[0] != 0.5:
            return out
        # For one exponent of 0.5 NumPy takes square roots: of -inf NaN, of -0.0 itself. As powers they are inf and 0.
        return np.where((y == 0.5) & ((x == 0) | np.isinf(x)), np.abs(x), out)

    def partials(self, out: Tensor, x: Tensor, y: Tensor) -> tuple[Partial, Partial]:
        zero, one = zeros_like(x), filled(1, x.type)
        inside = (NotEqual() if x.dtype in COMPLEX else Greater())(x, zero)
        slope = multiply(out, log(select(inside, x, one)))  # where x is 0, out may be infinite: 0 times it isn't 0
        return multiply(y, Power()(x, subtract(y, one))), select(inside, slope, zero)


@dataclass(frozen=True, eq=False)
class Exp(Elementwise):
    """e ** x.

    Shapes: any.  Dtypes: floating point or complex, kept.  Source: DLMF 4.7.
    """

    dtypes = INEXACT
    compute = staticmethod(np.exp)

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (out,)


@dataclass(frozen=True, eq=False)
class Log(Elementwise):
    """Natural logarithm: -inf at 0, NaN below; for complex x the principal branch, cut along the negative reals.

    Shapes: any.  Dtypes: floating point or complex, kept.  Source: DLMF 4.7.1.
    """

    dtypes = INEXACT
    intervals = (POSITIVE,)
    compute = staticmethod(np.log)

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (divide(filled(1, x.type), x),)


@dataclass(frozen=True, eq=False)
class Sqrt(Elementwise):
    """Square root: NaN below 0; for complex x the principal branch, cut along the negative reals.

    The derivative at 0 is infinite, but a zero cotangent gives exactly 0.
    Shapes: any.  Dtypes: floating point or complex, kept.
    """

    dtypes = INEXACT
    intervals = (POSITIVE,)
    zero_upstream = True
    compute = staticmethod(np.sqrt)

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (divide(filled(0.5, x.type), out),)


@dataclass(frozen=True, eq=False)
class Tanh(Elementwise):
    """Hyperbolic tangent.

    Shapes: any.  Dtypes: floating point or complex, kept.  Source: DLMF 4.34.8 with 4.35.12.
    """

    dtypes = INEXACT
    compute = staticmethod(np.tanh)

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (subtract(filled(1, x.type), multiply(out, out)),)


@dataclass(frozen=True, eq=False)
class Sin(Elementwise):
    """Sine of x, in radians.

    Shapes: any.  Dtypes: floating point or complex, kept.  Source: DLMF 4.20.1.
    """

    dtypes = INEXACT
    compute = staticmethod(np.sin)

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (Cos()(x),)


@dataclass(frozen=True, eq=False)
class Cos(Elementwise):
    """Cosine of x, in radians.

    Shapes: any.  Dtypes: floating point or complex, kept.  Source: DLMF 4.20.2.
    """

    dtypes = INEXACT
    compute = staticmethod(np.cos)

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (negate(Sin()(x)),)


@dataclass(frozen=True, eq=False)
class Abs(Elementwise):
    """Absolute value. Its derivative at 0 is 0.

    Stated as a jvp since for complex x it isn't holomorphic: d|z| = Re(conj(z / |z|) dz).
    Shapes: any.  Dtypes: any numeric; a complex one gives its real one. The least signed integer stays as it is.
    """

    compute = staticmethod(np.abs)

    def infer(self, *inputs: TensorType) -> TensorType:
        x = super().infer(*inputs)
        return TensorType(x.shape, real_of(x.dtype))

    def jvp(self, tangents: tuple[Tensor], out: Tensor, x: Tensor) -> Tensor:
        (tangent,) = tangents
        if x.dtype not in COMPLEX:
            return multiply(tangent, Sign()(x))
        none = Equal()(out, zeros_like(out))
        length = select(none, filled(1, out.type), out)
        direction = divide(x, Complex()(length, zeros_like(length)))
        return Real()(multiply(tangent, conjugate(direction)))


@dataclass(frozen=True, eq=False)
class Sign(Elementwise):
    """-1, 0 or 1; NaN stays NaN. Its derivative is zero, not absent, as TensorFlow has it.

    Shapes: any.  Dtypes: integers and floating point, kept.
    """

    dtypes = REAL
    intervals = (POSITIVE,)
    compute = staticmethod(np.sign)

    def partials(self, out: Tensor, x: Tensor) -> tuple[Partial]:
        return (0,)


@dataclass(frozen=True, eq=False)
class Maximum(Elementwise):
    """The larger of x and y; NaN if either is. At a tie it is x, also of zeros of two signs, and so is the derivative.

    Shapes: two of one shape.  Dtypes: two of one integer or floating point dtype, kept.
    """

    arity = 2
    dtypes = REAL

    def compute(self, x: Array, y: Array) -> Array:
        return np.where((x >= y) | (x != x), x, y)

    def partials(self, out: Tensor, x: Tensor, y: Tensor) -> tuple[Partial, Partial]:
        first = GreaterEqual()(x, y)
        return first, LogicalNot()(first)


@dataclass(frozen=True, eq=False)
class Minimum(Elementwise):
    """The smaller of x and y; NaN if either is. At a tie it is x, also of zeros of two signs, and so is the derivative.

    Shapes: two of one shape.  Dtypes: two of one integer or floating point dtype, kept.
    """

    arity = 2
    dtypes = REAL

    def compute(self, x: Array, y: Array) -> Array:
        return np.where((x <= y) | (x != x), x, y)

    def partials(self, out: Tensor, x: Tensor, y: Tensor) -> tuple[Partial, Partial]:
        first = LessEqual()(x, y)
        return first, LogicalNot()(first)


@dataclass(frozen=True, eq=False)
class Floor(Elementwise):
    """The largest integer that isn't above x; an integer stays as it is.

    Shapes: any.  Dtypes: integers and floating point, kept.
    """

    dtypes = REAL
    non_differentiable = "floor is piecewise constant"

    def compute(self, x: Array) -> Array:
        return x if x.dtype in INTEGER else np.floor(x)


class Comparison(Elementwise, abstract=True):
    """Two of one shape and dtype give a bool."""

    arity = 2
    dtypes = REAL
    non_differentiable = "a comparison is piecewise constant"

    def infer(self, *inputs: TensorType) -> TensorType:
        return TensorType(super().infer(*inputs).shape, bool_)


@dataclass(frozen=True, eq=False)
class Equal(Comparison):
    """x == y; false where either is NaN.

    Shapes: two of one shape.  Dtypes: two of one dtype, any; gives bool.
    """

    dtypes = ANY
    compute = staticmethod(np.equal)


@dataclass(frozen=True, eq=False)
class NotEqual(Comparison):
    """x != y; true where either is NaN.

    Shapes: two of one shape.  Dtypes: two of one dtype, any; gives bool.
    """

    dtypes = ANY
    compute = staticmethod(np.not_equal)


@dataclass(frozen=True, eq=False)
class Less(Comparison):
    """x < y; false where either is NaN.

    Shapes: two of one shape.  Dtypes: two of one integer or floating point dtype; gives bool.
    """

    compute = staticmethod(np.less)


@dataclass(frozen=True, eq=False)
class LessEqual(Comparison):
    """x <= y; false where either is NaN.

    Shapes: two of one shape.  Dtypes: two of one integer or floating point dtype; gives bool.
    """

    compute = staticmethod(np.less_equal)


@dataclass(frozen=True, eq=False)
class Greater(Comparison):
    """x > y; false where either is NaN.

    Shapes: two of one shape.  Dtypes: two of one integer or floating point dtype; gives bool.
    """

    compute = staticmethod(np.greater)


@dataclass(frozen=True, eq=False)
class GreaterEqual(Comparison):
    """x >= y; false where either is NaN.

    Shapes: two of one shape.  Dtypes: two of one integer or floating point dtype; gives bool.
    """

    compute = staticmethod(np.greater_equal)


class Logical(Elementwise, abstract=True):
    """Booleans of one shape give a boolean."""

    arity = 2
    dtypes = BOOL
    non_differentiable = "booleans carry no gradient"


@dataclass(frozen=True, eq=False)
class LogicalAnd(Logical):
    """x and y.

    Shapes: two of one shape.  Dtypes: bool.
    """

    compute = staticmethod(np.logical_and)


@dataclass(frozen=True, eq=False)
class LogicalOr(Logical):
    """x or y.

    Shapes: two of one shape.  Dtypes: bool.
    """

    compute = staticmethod(np.logical_or)


@dataclass(frozen=True, eq=False)
class LogicalXor(Logical):
    """x or y, and not both.

    Shapes: two of one shape.  Dtypes: bool.
    """

    compute = staticmethod(np.logical_xor)


@dataclass(frozen=True, eq=False)
class LogicalNot(Logical):
    """Not x.

    Shapes: any.  Dtypes: bool.
    """

    arity = 1
    compute = staticmethod(np.logical_not)


@dataclass(frozen=True, eq=False)
class Select(Elementwise):
    """x where `condition` is true, else y. The branch that isn't taken gets an exact 0.

    An adjoint, not partials: 0 times an infinite cotangent would be NaN.
    Shapes: three of one shape.  Dtypes: bool, then two of one dtype, any, kept.
    """

    arity = 3
    no_gradient = {0: "a condition chooses; it isn't passed on"}
    choices = frozenset({0})

    def infer(self, *inputs: TensorType) -> TensorType:
        condition, *branches = inputs
        if condition.dtype not in BOOL:
            raise DTypeError(f"Select: got {show_types(inputs)}; want a bool condition")
        self.require(branches, ANY)
        return TensorType(self.same_shape(inputs).shape, branches[0].dtype)

    def reference(self, condition: Array, x: Array, y: Array) -> Array:
        return np.where(condition, x, y)

    def adjoint(self, cotangent: Tensor, condition: Tensor, x: Tensor, y: Tensor) -> tuple[None, Tensor, Tensor]:
        zero = zeros_like(cotangent)
        return None, select(condition, cotangent, zero), select(condition, zero, cotangent)

    @classmethod
    def domain(cls) -> list[Sample]:
        shapes: list[tuple[int, ...]] = [(), (3,), (2, 3), (0, 2)]
        return [Sample(cls(), (Draw(s, like="boolean"), Draw(s), Draw(s))) for s in shapes]


@dataclass(frozen=True, eq=False)
class Real(Elementwise):
    """The real part.

    Shapes: any.  Dtypes: complex; gives its real one.
    """

    dtypes = COMPLEX
    compute = staticmethod(np.real)

    def infer(self, *inputs: TensorType) -> TensorType:
        x = super().infer(*inputs)
        return TensorType(x.shape, real_of(x.dtype))

    def adjoint(self, cotangent: Tensor, x: Tensor) -> tuple[Tensor]:
        return (Complex()(cotangent, zeros_like(cotangent)),)


@dataclass(frozen=True, eq=False)
class Imag(Elementwise):
    """The imaginary part.

    Shapes: any.  Dtypes: complex; gives its real one.
    """

    dtypes = COMPLEX
    compute = staticmethod(np.imag)

    def infer(self, *inputs: TensorType) -> TensorType:
        x = super().infer(*inputs)
        return TensorType(x.shape, real_of(x.dtype))

    def adjoint(self, cotangent: Tensor, x: Tensor) -> tuple[Tensor]:
        return (Complex()(zeros_like(cotangent), cotangent),)


@dataclass(frozen=True, eq=False)
class Conj(Elementwise):
    """The complex conjugate.

    Shapes: any.  Dtypes: complex, kept.
    """

    dtypes = COMPLEX
    compute = staticmethod(np.conjugate)

    def adjoint(self, cotangent: Tensor, x: Tensor) -> tuple[Tensor]:
        return (Conj()(cotangent),)


@dataclass(frozen=True, eq=False)
class Complex(Elementwise):
    """x + iy.

    Shapes: two of one shape.  Dtypes: float32 gives complex64, float64 complex128.
    """

    arity = 2
    dtypes = frozenset(real_of(d) for d in COMPLEX)

    def infer(self, *inputs: TensorType) -> TensorType:
        x = super().infer(*inputs)
        return TensorType(x.shape, complex_of(x.dtype))

    def reference(self, x: Array, y: Array) -> Array:
        out = np.empty(np.broadcast_shapes(x.shape, y.shape), complex_of(x.dtype))
        out.real, out.imag = x, y  # x + 1j * y would make NaN of an infinite part
        return out

    def adjoint(self, cotangent: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        return Real()(cotangent), Imag()(cotangent)


add, subtract, multiply, divide = Add(), Subtract(), Multiply(), Divide()
negate, log, exp, select, identity = Negate(), Log(), Exp(), Select(), Identity()


def conjugate(x: Tensor) -> Tensor:
    """The complex conjugate of x; a real x itself."""
    return Conj()(x) if x.dtype in COMPLEX else x


def scaled(x: Tensor, factor: Any) -> Tensor:
    """x times a constant number."""
    return multiply(x, filled(factor, x.type))
