"""Elementwise functions and operators take the dtypes that the standard has them take, and give those that it says."""

import itertools
import operator

import pytest
from oracle import BINARY, DTYPES, NUMBERS, UNARY, outcome, strict

import tidegate as tg

OURS = {name: tg.ones(1, dtype=name) for name in DTYPES}
THEIRS = {name: strict.ones(1, dtype=getattr(strict, name)) for name in DTYPES}
PAIRS = list(itertools.product(DTYPES, repeat=2))

REAL = set(DTYPES) - {"bool", "complex64", "complex128"}
WIDER = {"imag": REAL}
"""Dtypes that we take though the standard leaves them out: NumPy does too."""

OPERATORS = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and_", "or_", "xor", "lshift", "rshift", "lt",
             "le", "gt", "ge", "eq", "ne", "matmul"]  # fmt: skip
UNARY_OPERATORS = ["neg", "pos", "abs", "invert"]


def ordered(table, pairs):
    """array-api-strict's table, less what it lets through: the order of real numbers and a complex one."""
    takes_complex = pairs["complex64", "complex64"] != "TypeError"
    return {(d, k): v if takes_complex or k != "complex" else "TypeError" for (d, k), v in table.items()}


def differing(ours, theirs):
    """Where two tables of outcomes differ: what ours gives, and what theirs."""
    return {k: (ours[k], theirs[k]) for k in theirs if ours[k] != theirs[k]}


@pytest.mark.parametrize("name", UNARY)
def test_a_function_of_one_argument_has_the_standards_dtypes(name):
    ours = {d: outcome(lambda d=d: getattr(tg, name)(OURS[d])) for d in DTYPES}
    theirs = {d: outcome(lambda d=d: getattr(strict, name)(THEIRS[d])) for d in DTYPES}
    assert {d: v for d, v in differing(ours, theirs).items() if d not in WIDER.get(name, ())} == {}


@pytest.mark.parametrize("name", BINARY)
def test_a_function_of_two_arguments_has_the_standards_dtypes(name):
    ours = {(d, e): outcome(lambda d=d, e=e: getattr(tg, name)(OURS[d], OURS[e])) for d, e in PAIRS}
    theirs = {(d, e): outcome(lambda d=d, e=e: getattr(strict, name)(THEIRS[d], THEIRS[e])) for d, e in PAIRS}
    assert differing(ours, theirs) == {}


@pytest.mark.parametrize("swapped", [False, True], ids=["tensor and number", "number and tensor"])
@pytest.mark.parametrize("name", BINARY)
def test_a_function_of_a_tensor_and_a_python_number_has_the_standards_dtypes(name, swapped):
    def table(namespace, xs):
        def call(d, k):
            pair = (NUMBERS[k], xs[d]) if swapped else (xs[d], NUMBERS[k])
            return getattr(namespace, name)(*pair)

        return {(d, k): outcome(lambda d=d, k=k: call(d, k)) for d in DTYPES for k in NUMBERS}

    function = getattr(strict, name)
    pairs = {(d, e): outcome(lambda d=d, e=e: function(THEIRS[d], THEIRS[e])) for d, e in PAIRS}
    assert differing(table(tg, OURS), ordered(table(strict, THEIRS), pairs)) == {}


@pytest.mark.parametrize("name", OPERATORS)
def test_an_operator_has_the_standards_dtypes(name):
    apply = getattr(operator, name)
    ours = {(d, e): outcome(lambda d=d, e=e: apply(OURS[d], OURS[e])) for d, e in PAIRS}
    theirs = {(d, e): outcome(lambda d=d, e=e: apply(THEIRS[d], THEIRS[e])) for d, e in PAIRS}
    assert differing(ours, theirs) == {}


@pytest.mark.parametrize("swapped", [False, True], ids=["tensor and number", "number and tensor"])
@pytest.mark.parametrize("name", [n for n in OPERATORS if n != "matmul"])
def test_an_operator_of_a_tensor_and_a_python_number_has_the_standards_dtypes(name, swapped):
    apply = getattr(operator, name)

    def table(xs):
        def call(d, k):
            return apply(NUMBERS[k], xs[d]) if swapped else apply(xs[d], NUMBERS[k])

        return {(d, k): outcome(lambda d=d, k=k: call(d, k)) for d in DTYPES for k in NUMBERS}

    pairs = {(d, e): outcome(lambda d=d, e=e: apply(THEIRS[d], THEIRS[e])) for d, e in PAIRS}
    assert differing(table(OURS), ordered(table(THEIRS), pairs)) == {}


@pytest.mark.parametrize("name", UNARY_OPERATORS)
def test_an_operator_of_one_operand_has_the_standards_dtypes(name):
    apply = getattr(operator, name)
    ours = {d: outcome(lambda d=d: apply(OURS[d])) for d in DTYPES}
    theirs = {d: outcome(lambda d=d: apply(THEIRS[d])) for d in DTYPES}
    assert differing(ours, theirs) == {}


@pytest.mark.parametrize("number", [-129, 128, 2**40])
def test_an_integer_that_its_dtype_cannot_hold_is_refused_as_the_standard_allows(number):
    with pytest.raises(OverflowError):
        OURS["int8"] + number
