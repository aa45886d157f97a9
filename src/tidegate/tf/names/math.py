"""tf.math and what of it stands in tf itself: elementwise functions, and running sums and products."""

from __future__ import annotations

from typing import Any

from tidegate.core import graph as core
from tidegate.core.dtypes import INTEGER, float32, float64
from tidegate.functions import exponential, extremes, math, rounding, special, trigonometric
from tidegate.functions.cumulative import cumulative_logsumexp as running_logsumexp
from tidegate.functions.cumulative import cumulative_prod, cumulative_sum
from tidegate.functions.dtypes import astype
from tidegate.functions.rearrange import flip, pad
from tidegate.functions.sorting import top_k as largest
from tidegate.ops.cast import cast as cast_to
from tidegate.tf.convert import alike, convert, static_ints
from tidegate.tf.dtypes import as_dtype, int32
from tidegate.tf.graph import apply
from tidegate.tf.names.make import binary, unary
from tidegate.tf.slices import IndexedSlices
from tidegate.tf.tensor import Tensor

abs = unary("Abs", math.abs, "abs")
acos = unary("Acos", trigonometric.acos, "acos")
acosh = unary("Acosh", trigonometric.acosh, "acosh")
asin = unary("Asin", trigonometric.asin, "asin")
asinh = unary("Asinh", trigonometric.asinh, "asinh")
atan = unary("Atan", trigonometric.atan, "atan")
atanh = unary("Atanh", trigonometric.atanh, "atanh")
angle = unary("Angle", trigonometric.angle, "angle")
ceil = unary("Ceil", rounding.ceil, "ceil")
conj = unary("Conj", math.conj, "conj")
cos = unary("Cos", math.cos, "cos")
cosh = unary("Cosh", trigonometric.cosh, "cosh")
digamma = unary("Digamma", special.digamma, "digamma")
erf = unary("Erf", special.erf, "erf")
erfc = unary("Erfc", special.erfc, "erfc")
erfinv = unary("Erfinv", special.erfinv, "erfinv")
exp = unary("Exp", math.exp, "exp")
expm1 = unary("Expm1", exponential.expm1, "expm1")
floor = unary("Floor", math.floor, "floor")
imag = unary("Imag", math.imag, "imag")
is_finite = unary("IsFinite", rounding.isfinite, "is_finite")
is_inf = unary("IsInf", rounding.isinf, "is_inf")
is_nan = unary("IsNan", rounding.isnan, "is_nan")
lgamma = unary("Lgamma", special.lgamma, "lgamma")
log = unary("Log", math.log, "log")
log1p = unary("Log1p", exponential.log1p, "log1p")
log_sigmoid = unary("LogSigmoid", exponential.log_sigmoid, "log_sigmoid")
logical_not = unary("LogicalNot", math.logical_not, "logical_not")
ndtri = unary("Ndtri", special.ndtri, "ndtri")
negative = unary("Neg", math.negative, "negative")
real = unary("Real", math.real, "real")
reciprocal = unary("Reciprocal", exponential.reciprocal, "reciprocal")
rint = unary("Rint", rounding.round, "rint")
round = unary("Round", rounding.round, "round")
rsqrt = unary("Rsqrt", exponential.rsqrt, "rsqrt")
sigmoid = unary("Sigmoid", exponential.sigmoid, "sigmoid")
sign = unary("Sign", math.sign, "sign")
sin = unary("Sin", math.sin, "sin")
sinh = unary("Sinh", trigonometric.sinh, "sinh")
sqrt = unary("Sqrt", math.sqrt, "sqrt")
square = unary("Square", math.square, "square")
tan = unary("Tan", trigonometric.tan, "tan")
tanh = unary("Tanh", math.tanh, "tanh")

add = binary("AddV2", math.add, "add")
atan2 = binary("Atan2", trigonometric.atan2, "atan2")
divide_no_nan = binary("DivNoNan", exponential.divide_no_nan, "divide_no_nan")
equal = binary("Equal", math.equal, "equal")
floordiv = binary("FloorDiv", rounding.floor_divide, "floordiv")
floormod = binary("FloorMod", rounding.remainder, "floormod")
greater = binary("Greater", math.greater, "greater")
greater_equal = binary("GreaterEqual", math.greater_equal, "greater_equal")
less = binary("Less", math.less, "less")
less_equal = binary("LessEqual", math.less_equal, "less_equal")
logical_and = binary("LogicalAnd", math.logical_and, "logical_and")
logical_or = binary("LogicalOr", math.logical_or, "logical_or")
logical_xor = binary("LogicalXor", math.logical_xor, "logical_xor")
maximum = binary("Maximum", extremes.maximum, "maximum")
minimum = binary("Minimum", extremes.minimum, "minimum")
multiply = binary("Mul", math.multiply, "multiply")
multiply_no_nan = binary("MulNoNan", exponential.multiply_no_nan, "multiply_no_nan")
not_equal = binary("NotEqual", math.not_equal, "not_equal")
pow = binary("Pow", math.pow, "pow")
subtract = binary("Sub", math.subtract, "subtract")
xdivy = binary("Xdivy", exponential.xdivy, "xdivy")
xlog1py = binary("Xlog1py", exponential.xlog1py, "xlog1py")
xlogy = binary("Xlogy", exponential.xlogy, "xlogy")


def reciprocal_no_nan(x: Any, name: str | None = None) -> Tensor:
    """1 / x, and 0 where x is 0."""
    x = convert(x, who="tf.math.reciprocal_no_nan")
    return apply("DivNoNan", lambda x: exponential.divide_no_nan(1.0, x), x, name=name)


def squared_difference(x: Any, y: Any, name: str | None = None) -> Tensor:
    """|x - y|**2."""

    def squared(x: core.Tensor, y: core.Tensor) -> core.Tensor:
        change = math.subtract(x, y)
        return math.multiply(math.conj(change), change) if change.dtype.kind == "c" else math.square(change)

    return apply("SquaredDifference", squared, *alike("tf.math.squared_difference", x, y), name=name)


def divide(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x / y. Integers of 32 bits or more are divided in float64, others in float32."""
    x, y = alike("tf.divide", x, y)
    if x.dtype.is_integer:
        wide = float64 if x.dtype.size >= 4 else float32
        return apply("RealDiv", lambda x, y: math.divide(astype(x, wide), astype(y, wide)), x, y, name=name)
    return apply("RealDiv", math.divide, x, y, name=name)


def cast(x: Any, dtype: Any, name: str | None = None) -> Tensor:
    """x in another dtype: itself in its own. A complex number loses its imaginary part to a real dtype."""
    want = as_dtype(dtype)
    if isinstance(x, IndexedSlices):
        return convert(IndexedSlices(cast(x.values, want), x.indices, x.dense_shape))
    x = convert(x, who="tf.cast")
    return x if x.dtype is want else apply("Cast", lambda x: cast_to(x, want.numpy_dtype), x, name=name)


def complex(real: Any, imag: Any, name: str | None = None) -> Tensor:
    """The complex numbers of these parts, float32 or float64."""
    return apply("Complex", math.complex, *alike("tf.complex", real, imag), name=name)


def add_n(inputs: Any, name: str | None = None) -> Tensor:
    """The sum of a list of tensors of one shape and dtype."""

    def added(*xs: core.Tensor) -> core.Tensor:
        out = xs[0]
        for x in xs[1:]:
            out = math.add(out, x)
        return out

    return apply("AddN", added, *alike("tf.add_n", *(inputs if isinstance(inputs, (list, tuple)) else [inputs])),
                 name=name)  # fmt: skip


def clip_by_value(t: Any, clip_value_min: Any, clip_value_max: Any, name: str | None = None) -> Tensor:
    """t between two bounds. The derivative is 1 on a bound."""
    xs = alike("tf.clip_by_value", t, clip_value_min, clip_value_max)
    return apply("ClipByValue", lambda x, low, high: extremes.clip(x, low, high), *xs, name=name)


def cumsum(x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Tensor:
    """Sums of all elements up to each (exclusive: before each) along an axis; reverse: from each on."""
    return _running("Cumsum", cumulative_sum, 0, x, axis, exclusive, reverse, name)


def cumprod(x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Tensor:
    """Products of all elements up to each along an axis. The derivative is exact where an element is 0."""
    return _running("Cumprod", cumulative_prod, 1, x, axis, exclusive, reverse, name)


def cumulative_logsumexp(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Tensor:
    """Logarithms of the sums of the exponentials of all elements up to each along an axis."""
    return _running("CumulativeLogsumexp", running_logsumexp, float("-inf"), x, axis, exclusive, reverse, name)


def _running(
    kind: str, of: Any, start: float, x: Any, axis: Any, exclusive: bool, reverse: bool, name: str | None
) -> Tensor:
    x = convert(x, who=f"tf.math.{kind.lower()}")
    place = int(static_ints(axis, kind))

    def running(x: core.Tensor) -> core.Tensor:
        x = flip(x, axis=place) if reverse else x
        if exclusive:
            x = _shifted(x, place, start)
        out = of(x, axis=place)
        out = out if out.dtype == x.dtype or x.dtype not in INTEGER else astype(out, x.dtype)
        return flip(out, axis=place) if reverse else out

    return apply(kind, running, x, name=name)


def _shifted(x: core.Tensor, axis: int, start: float) -> core.Tensor:
    """x moved on by one along an axis, with `start` first."""
    place = axis % x.ndim
    before = [(1 if i == place else 0, 0) for i in range(x.ndim)]
    key = tuple([slice(0, n) if i == place else slice(None) for i, n in enumerate(x.shape)])
    return pad(x, before, constant_values=start)[key]


class TopK(tuple[Any, ...]):
    """What top_k gives: `values` and `indices`, as a pair."""

    __slots__ = ()

    @property
    def values(self) -> Tensor:
        """The largest elements, in falling order."""
        return self[0]

    @property
    def indices(self) -> Tensor:
        """Where they are; the lower index first at ties."""
        return self[1]


def top_k(input: Any, k: Any = 1, sorted: bool = True, index_type: Any = int32, name: str | None = None) -> TopK:
    """The k largest elements along the last axis, and their indices; the lower index first at ties."""
    count, want = int(static_ints(k, "tf.math.top_k")), as_dtype(index_type).numpy_dtype

    def chosen(x: core.Tensor) -> tuple[core.Tensor, core.Tensor]:
        values, indices = largest(x, count)
        return values, cast_to(indices, want)

    return TopK(apply("TopKV2", chosen, convert(input, who="tf.math.top_k"), name=name))
