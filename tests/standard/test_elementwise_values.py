"""Elementwise functions and operators give the standard's values, over dtypes, broadcasting and special values."""

import operator

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from oracle import BINARY, DTYPES, UNARY, agree, arrays, both, elements, signs_agree, strict

import tidegate as tg

FLOATS = ["float32", "float64"]
INTEGERS = [d for d in DTYPES if "int" in d]
EXAMPLES = settings(max_examples=40)


def taken(namespace, name, count):
    """The dtypes that a function of `count` arguments takes."""
    found = []
    for d in DTYPES:
        try:
            getattr(namespace, name)(*[namespace.ones(1, dtype=getattr(namespace, d))] * count)
        except TypeError:
            continue
        found.append(d)
    return found


EXACT = {"abs", "add", "bitwise_and", "bitwise_invert", "bitwise_left_shift", "bitwise_or", "bitwise_right_shift",
         "bitwise_xor", "ceil", "conj", "copysign", "equal", "floor", "greater", "greater_equal", "imag", "isfinite",
         "isinf", "isnan", "less", "less_equal", "logical_and", "logical_not", "logical_or", "logical_xor", "maximum",
         "minimum", "negative", "nextafter", "not_equal", "positive", "real", "round", "signbit", "sqrt", "square",
         "subtract", "trunc", "multiply", "divide", "floor_divide", "remainder", "reciprocal"}  # fmt: skip
"""Functions of real numbers whose value leaves nothing open."""


def ulps(name, dtype):
    """How far a value may be off, in units in the last place: of real numbers where the standard leaves it open."""
    return 0.0 if name in EXACT and "complex" not in dtype else 8.0


@pytest.mark.parametrize("name", UNARY)
@given(data=st.data())
@EXAMPLES
def test_a_function_of_one_argument_has_the_standards_values(name, data):
    dtype = data.draw(st.sampled_from(taken(strict, name, 1)))
    x, y = both(data.draw(arrays(dtype, special="complex" not in dtype)))
    got, want = getattr(tg, name)(x), getattr(strict, name)(y)
    agree(got, want, ulps=ulps(name, dtype))
    signs_agree(got, want)


def sensible(name, dtype, y):
    """The second operands for which the standard defines a value."""
    if dtype in INTEGERS:
        if "shift" in name:
            return np.abs(y) % (8 * y.dtype.itemsize)
        if name in ("floor_divide", "remainder"):
            return np.where(y == 0, y.dtype.type(1), y)
        if name == "pow":
            return np.abs(y)
    return y


@pytest.mark.parametrize("name", BINARY)
@given(data=st.data())
@EXAMPLES
def test_a_function_of_two_arguments_has_the_standards_values(name, data):
    dtype = data.draw(st.sampled_from(taken(strict, name, 2)))
    shapes = data.draw(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=3, min_side=0))
    plain = "complex" not in dtype
    first = data.draw(arrays(dtype, shapes.input_shapes[0], special=plain))
    second = sensible(name, dtype, data.draw(arrays(dtype, shapes.input_shapes[1], special=plain)))
    if name == "pow" and not plain:
        first = first + 1  # 0 to a complex power is anything
    (x, x_strict), (y, y_strict) = both(first), both(second)
    got, want = getattr(tg, name)(x, y), getattr(strict, name)(x_strict, y_strict)
    agree(got, want, ulps=ulps(name, dtype))
    if name not in ("maximum", "minimum"):  # which of two zeros is larger is open
        signs_agree(got, want)


@pytest.mark.parametrize("name", [n for n in BINARY if "shift" not in n])
@given(data=st.data())
@settings(max_examples=20)
def test_a_function_of_a_tensor_and_a_python_number_has_the_standards_values(name, data):
    dtype = data.draw(st.sampled_from(taken(strict, name, 2)))
    first = data.draw(arrays(dtype, special=False))
    number = data.draw(elements(dtype, special=False))
    if dtype in INTEGERS:
        number = abs(number) or 1
    assume(name != "pow" or "complex" not in dtype)
    x, x_strict = both(first)
    agree(getattr(tg, name)(x, number), getattr(strict, name)(x_strict, number), ulps=ulps(name, dtype))


@given(data=st.data())
@EXAMPLES
def test_clipping_has_the_standards_values(data):
    dtype = data.draw(st.sampled_from([d for d in DTYPES if d != "bool" and "complex" not in d]))
    shapes = data.draw(hnp.mutually_broadcastable_shapes(num_shapes=3, max_dims=3, max_side=3, min_side=0)).input_shapes
    x, y = both(data.draw(arrays(dtype, shapes[0])))
    bounds = [data.draw(st.one_of(st.none(), elements(dtype, special=False), arrays(dtype, s))) for s in shapes[1:]]
    if all(b is not None for b in bounds):
        lower, upper = np.broadcast_arrays(*[np.asarray(b, dtype) for b in bounds])
        assume(not (lower > upper).any())  # what then is left open
    ours, theirs = zip(*[both(b) if isinstance(b, np.ndarray) else (b, b) for b in bounds], strict=True)
    agree(tg.clip(x, *ours), strict.clip(y, *theirs))
    agree(tg.clip(x, min=ours[0]), strict.clip(y, min=theirs[0]))
    agree(tg.clip(x, max=ours[1]), strict.clip(y, max=theirs[1]))


MIXED = [("int8", "int32"), ("uint8", "int8"), ("uint16", "int64"), ("float32", "float64"), ("float32", "complex64"),
         ("complex64", "float64")]  # fmt: skip


MIXING = [(name, d, e) for name in ("add", "multiply", "equal", "where") for d, e in MIXED]


@pytest.mark.parametrize(
    ("name", "d", "e"), [*MIXING, *[("maximum", d, e) for d, e in MIXED if "complex" not in d + e]]
)
@given(data=st.data())
@settings(max_examples=8)
def test_operands_of_two_dtypes_mix_as_the_standard_says(name, d, e, data):
    x, x_strict = both(data.draw(arrays(d, (2, 1), special=False)))
    y, y_strict = both(data.draw(arrays(e, (3,), special=False)))
    ours, theirs = both(np.asarray(True))
    got = getattr(tg, name)(*[ours] * (name == "where"), x, y)
    agree(got, getattr(strict, name)(*[theirs] * (name == "where"), x_strict, y_strict), ulps=2.0)


OPERATORS = {"add": "add", "sub": "subtract", "mul": "multiply", "truediv": "divide", "floordiv": "floor_divide",
             "mod": "remainder", "pow": "pow", "and_": "bitwise_and", "or_": "bitwise_or", "xor": "bitwise_xor",
             "lshift": "bitwise_left_shift", "rshift": "bitwise_right_shift", "lt": "less", "le": "less_equal",
             "gt": "greater", "ge": "greater_equal", "eq": "equal", "ne": "not_equal"}  # fmt: skip
OPERATORS = {symbol: name for symbol, name in OPERATORS.items() if hasattr(tg, name)}
X = {
    "float32": ([3.5, -2.0, 4.0], [2.0, 3.0, 0.5]),
    "int32": ([3, 6, 7], [2, 3, 1]),
    "bool": ([True, False], [True, True]),
}


@pytest.mark.parametrize("symbol", OPERATORS)
def test_an_operator_is_the_function_of_its_name(symbol):
    apply, function = getattr(operator, symbol), getattr(tg, OPERATORS[symbol])
    tried = 0
    for dtype, (first, second) in X.items():
        if dtype not in taken(strict, OPERATORS[symbol], 2):
            continue
        tried += 1
        x, y = tg.asarray(first, dtype=dtype), tg.asarray(second, dtype=dtype)
        agree(apply(x, y), function(x, y))
        agree(apply(x, second[0]), function(x, second[0]))
        agree(apply(second[0], x), function(second[0], x))
    assert tried


@pytest.mark.parametrize("symbol", [s for s in OPERATORS if s not in ("lt", "le", "gt", "ge", "eq", "ne")])
def test_an_operator_in_place_binds_the_name_anew_and_changes_no_tensor(symbol):
    apply = getattr(operator, f"i{symbol.rstrip('_')}")
    dtype = next(d for d in X if d in taken(strict, OPERATORS[symbol], 2))
    first, second = X[dtype]
    x = before = tg.asarray(first, dtype=dtype)
    x = apply(x, tg.asarray(second, dtype=dtype))
    assert x is not before
    agree(before, np.asarray(first, dtype))
    agree(x, getattr(tg, OPERATORS[symbol])(before, tg.asarray(second, dtype=dtype)))


@pytest.mark.parametrize(
    ("symbol", "name"), [("neg", "negative"), ("pos", "positive"), ("abs", "abs"), ("invert", "bitwise_invert")]
)
def test_an_operator_of_one_operand_is_the_function_of_its_name(symbol, name):
    if hasattr(tg, name):
        x = tg.asarray([3, -2], dtype=tg.int8)
        agree(getattr(operator, symbol)(x), getattr(tg, name)(x))


def test_a_matrix_product_is_the_operator_of_its_name():
    x = tg.asarray([[1.0, 2.0], [3.0, 4.0]])
    agree(x @ x, tg.matmul(x, x))
    agree(np.ones((2, 2), np.float32) @ x, tg.matmul(tg.ones((2, 2)), x))
