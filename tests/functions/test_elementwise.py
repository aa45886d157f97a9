"""Elementwise functions give NumPy's or SciPy's values in every dtype, on every kind of shape, at every edge."""

import inspect

import array_api_strict as strict
import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import special

import tidegate as tg
from tidegate.core import dtypes as d
from tidegate.core.graph import TensorType
from tidegate.core.shapes import symbol
from tidegate.ops.creation import Data, Input
from tidegate.testing import check_batching
from tidegate.transforms.specialise import sizes_of, specialise
from wrong_use import check_error

INF, NAN = np.inf, np.nan
EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, -0.25, 3.0, 1e-30, 1e30, INF, -INF, NAN]
SHAPES = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3)
FLOATS = [np.float32, np.float64]
HALVES = sorted(d.HALF, key=str)
COMPLEXES = sorted(d.COMPLEX, key=str)
INTEGERS = sorted(d.INTEGER, key=str)


def numbers(dtype, shape, seed=0):
    drawn = np.random.default_rng(seed).uniform(-2, 2, shape)
    return np.asarray(drawn * (3 if dtype in d.INTEGER else 1)).astype(dtype)


UNARY = {
    "acos": np.arccos, "acosh": np.arccosh, "asin": np.arcsin, "asinh": np.arcsinh, "atan": np.arctan,
    "atanh": np.arctanh, "cbrt": np.cbrt, "ceil": np.ceil, "cosh": np.cosh, "deg2rad": np.deg2rad, "exp2": np.exp2,
    "expm1": np.expm1, "log10": np.log10, "log1p": np.log1p, "log2": np.log2, "rad2deg": np.rad2deg,
    "reciprocal": lambda x: 1 / x, "round": np.rint, "rsqrt": lambda x: 1 / np.sqrt(x), "sinh": np.sinh,
    "tan": np.tan, "trunc": np.trunc, "isnan": np.isnan, "isinf": np.isinf, "isfinite": np.isfinite,
    "signbit": np.signbit, "angle": np.angle, "nan_to_num": np.nan_to_num,
}  # fmt: skip


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.parametrize("dtype", FLOATS)
@given(shape=SHAPES)
def test_a_function_of_one_argument_gives_numpys_values(name, dtype, shape):
    x = numbers(dtype, shape)
    with np.errstate(all="ignore"):
        want = UNARY[name](x)
    got = getattr(tg, name)(x).numpy()
    assert (got.dtype, got.shape) == (want.dtype, shape)
    np.testing.assert_allclose(got, want, rtol=2 * np.finfo(dtype).eps)


@pytest.mark.parametrize("name", UNARY)
def test_a_function_of_one_argument_has_numpys_values_at_edges(name):
    x = np.asarray(EDGES)
    with np.errstate(all="ignore"):
        want = UNARY[name](x)
    got = getattr(tg, name)(x).numpy()
    np.testing.assert_allclose(got, want, rtol=1e-15)
    known = ~np.isnan(want.astype(float))
    np.testing.assert_array_equal(np.signbit(got.astype(float))[known], np.signbit(want.astype(float))[known])


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.parametrize("dtype", HALVES, ids=str)
def test_a_half_is_computed_in_float32_and_rounded_once(name, dtype):
    x = numbers(dtype, (20,))
    got = getattr(tg, name)(x).numpy()
    want = getattr(tg, name)(x.astype(np.float32)).numpy()
    np.testing.assert_array_equal(got.astype(float), want.astype(got.dtype).astype(float))


OF_COMPLEX = ["acos", "acosh", "asin", "asinh", "atan", "atanh", "cosh", "expm1", "log10", "log1p", "log2",
              "reciprocal", "rsqrt", "round", "sinh", "tan", "isnan", "isinf", "isfinite", "angle"]  # fmt: skip


@pytest.mark.parametrize("name", OF_COMPLEX)
@pytest.mark.parametrize("dtype", COMPLEXES, ids=str)
def test_a_function_of_a_complex_argument_gives_numpys_values(name, dtype):
    x = (numbers(float, (4, 5)) + 1j * numbers(float, (4, 5), 1)).astype(dtype)
    got, want = getattr(tg, name)(x).numpy(), UNARY[name](x)
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got, want, rtol=1e-5 if dtype == np.complex64 else 1e-14)


@pytest.mark.parametrize("name", ["isnan", "isinf", "isfinite"])
def test_either_part_of_a_complex_number_decides(name):
    parts = [0.0, INF, -INF, NAN]
    x = np.asarray([complex(a, b) for a in parts for b in parts])
    np.testing.assert_array_equal(getattr(tg, name)(x).numpy(), getattr(np, name)(x))


@pytest.mark.parametrize("name", ["ceil", "round", "trunc", "floor", "nan_to_num"])
@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_an_integer_is_whole_already(name, dtype):
    x = np.asarray([np.iinfo(dtype).min, 0, 3, np.iinfo(dtype).max], dtype)
    got = getattr(tg, name)(x).numpy()
    assert got.dtype == dtype
    np.testing.assert_array_equal(got, x)


@pytest.mark.parametrize(("name", "want"), [("isnan", False), ("isinf", False), ("isfinite", True)])
def test_every_integer_is_finite(name, want):
    got = getattr(tg, name)(np.asarray([0, 127], np.int8)).numpy()
    assert got.tolist() == [want, want]


BINARY = {
    "atan2": np.arctan2, "copysign": np.copysign, "floor_divide": None, "fmax": np.fmax, "fmin": np.fmin,
    "fmod": np.fmod, "heaviside": np.heaviside, "hypot": np.hypot, "logaddexp": np.logaddexp,
    "logaddexp2": np.logaddexp2, "maximum": np.maximum, "minimum": np.minimum, "nextafter": np.nextafter,
    "remainder": np.remainder, "xlogy": special.xlogy, "xlog1py": special.xlog1py, "rel_entr": special.rel_entr,
}  # fmt: skip
BINARY["floor_divide"] = lambda x, y: np.where(np.isinf(x), x / y, np.floor_divide(x, y))


@pytest.mark.parametrize("name", BINARY)
@given(shapes=hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=3, min_side=0))
def test_a_function_of_two_arguments_broadcasts_and_gives_numpys_values(name, shapes):
    for dtype in FLOATS:
        x, y = (numbers(dtype, s, seed) for seed, s in enumerate(shapes.input_shapes))
        with np.errstate(all="ignore"):
            want = BINARY[name](x, y)
        got = getattr(tg, name)(x, y).numpy()
        assert (got.dtype, got.shape) == (dtype, shapes.result_shape)
        np.testing.assert_allclose(got, want, rtol=4 * np.finfo(dtype).eps, atol=2 * np.finfo(dtype).eps)


NAN_DIFFERS = {"xlogy", "xlog1py"}  # TensorFlow's give 0 at 0 whatever the other one is; SciPy's keep NaN


@pytest.mark.parametrize("name", BINARY)
def test_a_function_of_two_arguments_has_numpys_values_at_edges(name):
    x, y = np.asarray(np.meshgrid(EDGES, EDGES)).reshape(2, -1)
    if name in NAN_DIFFERS:
        x, y = (v[~np.isnan(y)] for v in (x, y))
    with np.errstate(all="ignore"):
        want = BINARY[name](x, y)
    np.testing.assert_allclose(getattr(tg, name)(x, y).numpy(), want, rtol=1e-14)


@pytest.mark.parametrize("name", ["copysign", "fmod", "heaviside", "nextafter", "floor_divide", "remainder"])
def test_a_zero_has_numpys_sign(name):
    x, y = np.asarray(np.meshgrid(EDGES, EDGES)).reshape(2, -1)
    with np.errstate(all="ignore"):
        want = BINARY[name](x, y)
    known = ~np.isnan(want)
    np.testing.assert_array_equal(np.signbit(getattr(tg, name)(x, y).numpy())[known], np.signbit(want)[known])


OF_INTEGERS = {
    "maximum": np.maximum, "minimum": np.minimum, "fmax": np.fmax, "fmin": np.fmin, "bitwise_and": np.bitwise_and,
    "bitwise_or": np.bitwise_or, "bitwise_xor": np.bitwise_xor,
}  # fmt: skip


@pytest.mark.parametrize("name", OF_INTEGERS)
@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_a_function_of_two_integers_gives_numpys_values(name, dtype):
    limits = np.iinfo(dtype)
    x, y = np.meshgrid(*[np.asarray([limits.min, *some, limits.max], dtype) for some in ((1, 5), (3, 6))])
    got = getattr(tg, name)(x, y).numpy()
    assert got.dtype == dtype
    np.testing.assert_array_equal(got, OF_INTEGERS[name](x, y))


@pytest.mark.parametrize("dtype", [*INTEGERS, d.bool_], ids=str)
def test_inverting_bits_is_numpys(dtype):
    x = np.asarray([0, 1, 1, 0]).astype(dtype)
    np.testing.assert_array_equal(tg.bitwise_invert(x).numpy(), np.invert(x))


@pytest.mark.parametrize("name", ["bitwise_and", "bitwise_or", "bitwise_xor"])
def test_bits_of_booleans_are_logic(name):
    x, y = np.asarray([True, True, False, False]), np.asarray([True, False, True, False])
    np.testing.assert_array_equal(getattr(tg, name)(x, y).numpy(), getattr(np, name)(x, y))


def test_halves_round_to_the_even_integer():
    assert tg.round([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5]).numpy().tolist() == [-2, -2, 0, 0, 2, 2]


@pytest.mark.parametrize("name", ["maximum", "minimum"])
def test_of_zeros_of_two_signs_the_first_argument_is_taken(name):
    got = getattr(tg, name)([0.0, -0.0], [-0.0, 0.0]).numpy()
    assert np.signbit(got).tolist() == [False, True]


NO_NAN = {
    "multiply_no_nan": (tg.multiply_no_nan, [INF, NAN, 2.0], [0.0, 0.0, 3.0], [0.0, 0.0, 6.0]),
    "divide_no_nan": (tg.divide_no_nan, [INF, NAN, 2.0, 0.0], [0.0, 0.0, 4.0, 0.0], [0.0, 0.0, 0.5, 0.0]),
    "xlogy": (tg.xlogy, [0.0, 0.0, 0.0, 0.0, 2.0], [0.0, NAN, INF, -1.0, 0.0], [0.0, 0.0, 0.0, 0.0, -INF]),
    "xlog1py": (tg.xlog1py, [0.0, 0.0, 0.0, 0.0, 2.0], [-1.0, NAN, INF, -2.0, -1.0], [0.0, 0.0, 0.0, 0.0, -INF]),
    "xdivy": (tg.xdivy, [0.0, 0.0, 2.0, 2.0], [0.0, NAN, 0.0, 4.0], [0.0, 0.0, INF, 0.5]),
}


@pytest.mark.parametrize(("ours", "x", "y", "want"), NO_NAN.values(), ids=NO_NAN)
@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
def test_a_zero_decides_whatever_stands_beside_it(ours, x, y, want, dtype):
    x, y = (np.asarray(v).astype(dtype) for v in (x, y))
    got = ours(x, y).numpy()
    assert got.dtype == dtype
    np.testing.assert_array_equal(got.real, want)


@pytest.mark.parametrize("low", [None, -1, -0.5, np.array([[-1.0], [0.5]])])
@pytest.mark.parametrize("high", [None, 1, 0.75, np.array([0.0, 1.0, 2.0])])
def test_clip_bounds_from_either_side_or_both(low, high):
    x = np.asarray([[-2.0, 0.25, 3.0], [1.0, NAN, -INF]])
    got = tg.clip(x, low, high)
    np.testing.assert_array_equal(got.numpy(), x if low is None and high is None else np.clip(x, low, high))
    np.testing.assert_array_equal(tg.clip(x, min=low, max=high).numpy(), got.numpy())


@pytest.mark.parametrize("dtype", [*INTEGERS, *HALVES, *FLOATS], ids=str)
def test_clip_keeps_the_dtype(dtype):
    got = tg.clip(np.asarray([0, 5, 100], dtype), 1, 7)
    assert got.dtype == dtype
    assert got.numpy().astype(float).tolist() == [1, 5, 7]


def test_clip_propagates_nan_of_a_bound_and_prefers_the_upper_one():
    np.testing.assert_array_equal(tg.clip(np.ones(2), np.array([NAN, 3.0]), 2.0).numpy(), [NAN, 2.0])


def test_nan_to_num_replaces_what_it_is_told():
    x = np.asarray([NAN, INF, -INF, 1.5])
    assert tg.nan_to_num(x, nan=7.0, posinf=8, neginf=9.0).numpy().tolist() == [7.0, 8.0, 9.0, 1.5]
    z = np.asarray([complex(NAN, INF), 1 - 2j])
    np.testing.assert_array_equal(tg.nan_to_num(z, posinf=5.0).numpy(), [5j, 1 - 2j])


@pytest.mark.parametrize("dtype", HALVES, ids=str)
def test_infinities_become_the_largest_numbers_of_a_half(dtype):
    got = tg.nan_to_num(np.asarray([INF, -INF]).astype(dtype)).numpy().astype(float)
    assert got.tolist() == [float(ml_dtypes.finfo(dtype).max), float(ml_dtypes.finfo(dtype).min)]


def test_angle_can_be_in_degrees():
    np.testing.assert_allclose(tg.angle(np.array([1j, -1.0, 1 + 1j]), deg=True).numpy(), [90, 180, 45], rtol=1e-15)


@pytest.mark.parametrize("name", ["softplus", "logcosh"])
def test_stable_forms_are_precise_near_zero_and_far_from_it(name):
    exact = {"softplus": lambda x: np.logaddexp(0, x), "logcosh": lambda x: np.logaddexp(x, -x) - np.log(2)}[name]
    x = np.asarray([-1000.0, -30.0, -2.5, -2.0, -1.0, 0.5, 2.0, 3.0, 1000.0, INF, -INF, NAN])
    with np.errstate(all="ignore"):
        want = exact(x)
    np.testing.assert_allclose(getattr(tg, name)(x).numpy(), want, rtol=1e-14)


def test_logcosh_keeps_its_leading_term_near_zero():
    np.testing.assert_allclose(tg.logcosh(np.array([1e-9, -1e-100, 0.0])).numpy(), [5e-19, 5e-201, 0.0], rtol=1e-15)


def test_sigmoid_keeps_its_relative_precision_far_to_the_left():
    np.testing.assert_allclose(tg.sigmoid(np.float32([-20.0, -80.0])).numpy(), np.exp([-20.0, -80.0]), rtol=1e-6)


def test_a_rational_logarithm_does_not_overflow_in_relative_entropy():
    x, y = np.asarray([1e200, 1e-200]), np.asarray([1e-200, 1e200])
    np.testing.assert_allclose(tg.rel_entr(x, y).numpy(), x * (np.log(x) - np.log(y)), rtol=1e-15)


# Operators


OPERATORS = {
    "//": lambda x, y: x // y, "%": lambda x, y: x % y, "<<": lambda x, y: x << y, ">>": lambda x, y: x >> y,
    "&": lambda x, y: x & y, "|": lambda x, y: x | y, "^": lambda x, y: x ^ y,
}  # fmt: skip


@pytest.mark.parametrize("operator", OPERATORS.values(), ids=OPERATORS)
def test_operators_of_integers_are_pythons_from_either_side(operator):
    x = np.asarray([1, 2, 7])
    for got, want in (
        (operator(tg.asarray(x), 3), operator(x, 3)),
        (operator(3, tg.asarray(x)), operator(3, x)),
        (operator(x, tg.asarray(x)), operator(x, x)),
    ):
        assert isinstance(got, tg.Tensor)
        np.testing.assert_array_equal(got.numpy(), want)


def test_divmod_and_inversion_are_pythons():
    x = tg.asarray([7, -7])
    assert [v.numpy().tolist() for v in divmod(x, 2)] == [[3, -4], [1, 1]]
    assert [v.numpy().tolist() for v in divmod(2, x)] == [[0, -1], [2, -5]]
    assert (~x).numpy().tolist() == [-8, 6]
    assert (~tg.asarray([True])).numpy().tolist() == [False]


def test_floating_point_has_whole_quotients_too():
    x = tg.asarray([7.5, -7.5])
    assert (x // 2.0).numpy().tolist() == [3.0, -4.0]
    assert (x % 2.0).numpy().tolist() == [1.5, 0.5]


# The standard

STANDARD = [
    "abs", "acos", "acosh", "add", "asin", "asinh", "atan", "atan2", "atanh", "bitwise_and", "bitwise_left_shift",
    "bitwise_invert", "bitwise_or", "bitwise_right_shift", "bitwise_xor", "ceil", "clip", "conj", "copysign", "cos",
    "cosh", "divide", "equal", "exp", "expm1", "floor", "floor_divide", "greater", "greater_equal", "hypot", "imag",
    "isfinite", "isinf", "isnan", "less", "less_equal", "log", "log1p", "log2", "log10", "logaddexp", "logical_and",
    "logical_not", "logical_or", "logical_xor", "maximum", "minimum", "multiply", "negative", "nextafter",
    "not_equal", "positive", "pow", "real", "reciprocal", "remainder", "round", "sign", "signbit", "sin", "sinh",
    "square", "sqrt", "subtract", "tan", "tanh", "trunc",
]  # fmt: skip


@pytest.mark.parametrize("name", STANDARD)
def test_a_signature_is_the_standards(name):
    def shape(function):
        return [(p.kind, p.default) for p in inspect.signature(function).parameters.values()]

    assert shape(getattr(tg, name)) == shape(getattr(strict, name))


@pytest.mark.parametrize("name", STANDARD)
@pytest.mark.parametrize("dtype", sorted(d.ANY - d.HALF, key=str), ids=str)
def test_a_result_has_the_standards_dtype_wherever_the_standard_has_one(name, dtype):
    count = sum(p.default is p.empty for p in inspect.signature(getattr(tg, name)).parameters.values())
    x = np.ones(2, dtype)
    try:
        with np.errstate(all="ignore"):
            want = getattr(strict, name)(*[strict.asarray(x)] * count).dtype
    except TypeError:
        return
    got = getattr(tg, name)(*[tg.asarray(x)] * count)
    assert got.dtype.name == str(want).removeprefix("array_api_strict.")


REFUSED = {
    "a float of integers": (lambda: tg.erf([1, 2]), TypeError, r"erf: got int64\[2\]; want floating point"),
    "complex": (lambda: tg.hypot(1j, 1.0), TypeError, r"hypot: got complex64\[\]; want floating point"),
    "bits of floats": (lambda: ~tg.asarray([1.0]), TypeError, "bitwise_invert: got float32.*; want integers or bool"),
    "a shift of booleans": (
        lambda: tg.asarray([True]) << True, TypeError, r"bitwise_left_shift: got bool\[1\], bool\[1\]; want integers"
    ),
    "a shift by a float": (lambda: tg.asarray([1]) >> 1.0, TypeError, "bitwise_right_shift: a Python float and a tens"),
    "a quotient of complex numbers": (lambda: tg.floor_divide(1j, 1j), TypeError, "FloorDivide: got complex64"),
    "a wider bound": (
        lambda: tg.clip(np.ones(2, np.float32), np.zeros(2), None), TypeError, "clip: got min of float64; want float32"
    ),
    "a float as a bound of integers": (lambda: tg.clip([1, 2], max=1.5), TypeError, "clip: a Python float and a"),
    "bounds that don't broadcast": (lambda: tg.clip(np.ones(2), np.ones(3)), ValueError, r"clip: shapes \[2\] and"),
    "a wider replacement": (
        lambda: tg.nan_to_num(np.ones(2, np.float32), nan=np.ones(2)), TypeError, "nan_to_num: got float64; want float3"
    ),
    "nextafter of halves": (
        lambda: tg.nextafter(tg.ones(2, dtype="float16"), 1.0), TypeError, r"nextafter: got float16\[2\]; want float32"
    ),
    "isnan of booleans": (lambda: tg.isnan([True]), TypeError, r"isnan: got bool\[1\]; want numbers"),
    "an order that isn't whole": (lambda: tg.polygamma(1.5, 1.0), TypeError, "polygamma: got order 1.5; want an int"),
    "a tensor as an order": (lambda: tg.polygamma(tg.asarray(1), 1.0), TypeError, "polygamma: got order Tensor"),
    "a negative order": (lambda: tg.polygamma(-1, 1.0), ValueError, "polygamma: got order -1; want 0 to 100"),
    "shapes": (lambda: tg.atan2(tg.ones(2), tg.ones(3)), ValueError, r"atan2: shapes \[2\] and \[3\] don't broadcast"),
}  # fmt: skip


@pytest.mark.parametrize(("call", "kind", "message"), REFUSED.values(), ids=REFUSED)
def test_what_a_function_does_not_take_is_refused_where_it_is_written(call, kind, message):
    check_error(call, kind, message)


@given(x=st.floats(allow_nan=False, allow_infinity=False), y=st.floats(allow_nan=False, allow_infinity=False))
def test_the_next_number_is_numpys(x, y):
    assert tg.nextafter(np.float64(x), np.float64(y)).item() == np.nextafter(x, y)


# Unknown sizes, and batches


def positive(*shape):
    return np.random.default_rng(0).uniform(0.1, 0.9, shape)


def several(x):
    """Functions of every family, composed or not, of one floating point argument."""
    parts = [tg.clip(x, -1.0, 1.0), tg.xlogy(x, x), tg.rel_entr(x, x), tg.nan_to_num(x), tg.angle(x), tg.erf(x),
             tg.polygamma(1, x), tg.logaddexp(x, x), tg.remainder(x, x), tg.hypot(x, x), tg.entr(x), tg.heaviside(x, x),
             tg.sinc(x), tg.where(tg.isfinite(x), tg.fmax(x, 0.5), x), tg.logit(x), tg.copysign(x, x)]  # fmt: skip
    return sum(parts[1:], parts[0])


def test_sizes_may_be_unknown():
    x = Input(TensorType((symbol("n"), 2), d.float64))()
    y = several(x)
    given = positive(3, 2)
    found, (source,) = specialise([y, *tg.gradients(y, x)], [x], sizes_of({x: given.shape}))
    source.node.op = Data(given)
    source.value = given
    known = tg.asarray(given)
    want = several(known)
    for ours, theirs in zip(found, [want, *tg.gradients(want, known)], strict=True):
        np.testing.assert_array_equal(ours.numpy(), theirs.numpy())


def test_a_batch_of_composed_functions_equals_a_loop():
    check_batching(several, [positive(3, 4)], [True])
