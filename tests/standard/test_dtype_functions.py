"""The standard's functions of dtypes agree with array-api-strict, and know float16 and bfloat16 besides."""

import itertools

import array_api_strict as strict
import ml_dtypes
import numpy as np
import pytest

import tidegate as tg
from tidegate.core.dtypes import ANY, COMPLEX, FLOATING, INEXACT, INTEGER, real_of
from wrong_use import check_error

NAMES = list(strict.__array_namespace_info__().dtypes())
PAIRS = list(itertools.product(NAMES, repeat=2))
SCALARS = [True, 3, 1.5, 2j]
KINDS = ["bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric"]
ALL = sorted(ANY, key=lambda d: d.name)


def outcome(call, *arguments):
    """The name of the dtype that a call gives, or that it raises TypeError."""
    try:
        found = call(*arguments)
    except TypeError:
        return TypeError
    return getattr(found, "name", None) or str(found).rpartition(".")[2]


def theirs(name):
    return getattr(strict, name)


def ours(name):
    return getattr(tg, name)


@pytest.mark.parametrize(("x", "y"), PAIRS)
def test_two_dtypes_have_the_result_type_of_the_standard(x, y):
    assert outcome(tg.result_type, ours(x), ours(y)) == outcome(strict.result_type, theirs(x), theirs(y))


@pytest.mark.parametrize(("x", "scalar"), list(itertools.product(NAMES, SCALARS)))
def test_a_python_number_and_a_dtype_have_the_result_type_of_the_standard(x, scalar):
    assert outcome(tg.result_type, scalar, ours(x)) == outcome(strict.result_type, scalar, theirs(x))


def test_the_result_type_of_many_is_found_two_by_two():
    x, array = tg.ones(2, dtype=tg.int8), np.ones(2, np.uint8)
    assert tg.result_type(x, array, 3, tg.int32) == tg.int32
    assert tg.result_type(tg.float16, tg.bfloat16) == tg.float32
    assert tg.result_type(tg.float64, 1j) == tg.complex128
    assert tg.result_type("float32") == tg.float32


@pytest.mark.parametrize(("x", "y"), PAIRS)
def test_dtypes_cast_where_the_standard_promotes(x, y):
    assert tg.can_cast(ours(x), ours(y)) is bool(strict.can_cast(theirs(x), theirs(y)))
    assert tg.can_cast(tg.zeros(1, dtype=ours(x)), ours(y)) is tg.can_cast(ours(x), ours(y))


@pytest.mark.parametrize(
    ("x", "kind"), list(itertools.product(NAMES, [*KINDS, ("bool", "real floating"), ()])), ids=str
)
def test_dtypes_are_of_the_kinds_of_the_standard(x, kind):
    assert tg.isdtype(ours(x), kind) is bool(strict.isdtype(theirs(x), kind))


def test_a_dtype_is_of_its_own_kind_and_no_other():
    for x, y in itertools.product(ALL, repeat=2):
        assert tg.isdtype(x, y) is (x == y)
    assert tg.isdtype(tg.float32, (tg.int8, tg.float32))


def test_the_half_dtypes_are_floating():
    assert tg.isdtype(tg.bfloat16, "real floating")
    assert tg.isdtype(tg.float16, "numeric")


@pytest.mark.parametrize("dtype", sorted(INEXACT, key=lambda d: d.name), ids=lambda d: d.name)
def test_the_limits_of_floats_are_python_floats_of_the_right_value(dtype):
    found = tg.finfo(dtype)
    want = ml_dtypes.finfo(real_of(dtype))
    assert (found.bits, found.dtype) == (want.bits, real_of(dtype))
    for name in ("eps", "max", "min", "smallest_normal"):
        assert type(getattr(found, name)) is float
        assert getattr(found, name) == float(getattr(want, name))
    assert tg.finfo(tg.zeros(1, dtype=dtype)) == found


@pytest.mark.parametrize("dtype", sorted(INTEGER, key=lambda d: d.name), ids=lambda d: d.name)
def test_the_limits_of_integers_are_python_integers_of_the_right_value(dtype):
    found = tg.iinfo(dtype)
    want = np.iinfo(dtype)
    assert (found.bits, found.min, found.max, found.dtype) == (want.bits, want.min, want.max, dtype)
    assert {type(found.min), type(found.max), type(found.bits)} == {int}
    assert tg.iinfo(tg.zeros(1, dtype=dtype)) == found


@pytest.mark.parametrize(("x", "y"), PAIRS)
def test_a_cast_that_the_standard_has_gives_its_values(x, y):
    values = [0, 1, 100, 3]
    source = strict.asarray(np.asarray(values).astype(x))
    if ours(x) in COMPLEX and ours(y) not in COMPLEX:
        assert (
            tg.astype(tg.asarray(values, dtype=ours(x)), ours(y)).numpy().tolist()
            == np.asarray(values).astype(y).tolist()
        )
        return
    want = np.asarray(strict.astype(source, theirs(y)))
    got = tg.astype(tg.asarray(np.asarray(source)), ours(y), copy=True, device="cpu").numpy()
    assert got.dtype == want.dtype
    np.testing.assert_array_equal(got, want)


def test_a_cast_to_its_own_dtype_is_itself():
    x = tg.ones(2)
    assert tg.astype(x, tg.float32, copy=False) is x
    assert x.astype(tg.float32, copy=False) is x


X = tg.ones(2)
WRONG = {
    "nothing": (lambda: tg.result_type(), ValueError, "result_type: got no tensor and no dtype"),
    "numbers only": (lambda: tg.result_type(1, 2.0), ValueError, "result_type: got no tensor"),
    "a list": (lambda: tg.result_type([1.0]), TypeError, "result_type: got list; want a dtype or a tensor"),
    "kinds that don't mix": (lambda: tg.result_type(X, tg.int8), TypeError, "result_type: float32 and int8 don't mix"),
    "a number that doesn't mix": (lambda: tg.result_type(tg.int8, 1.5), TypeError, "result_type: a Python float and"),
    "a number to cast": (lambda: tg.can_cast(1, tg.int8), TypeError, "can_cast: got int; want a dtype"),
    "a dtype there is not": (lambda: tg.can_cast(tg.int8, "float128"), TypeError, "isn't supported"),
    "limits of integers as floats": (lambda: tg.finfo(tg.int8), TypeError, "finfo: got int8; want one of bfloat16"),
    "limits of floats as integers": (lambda: tg.iinfo(X), TypeError, "iinfo: got float32; want one of int8"),
    "limits of booleans": (lambda: tg.iinfo(tg.bool), TypeError, "iinfo: got bool"),
    "a kind there is not": (lambda: tg.isdtype(tg.int8, "text"), ValueError, "isdtype: got kind 'text'; want one of"),
    "a kind that is no dtype": (lambda: tg.isdtype(tg.int8, 3), TypeError, "dtype 3 isn't supported"),
    "nested kinds": (lambda: tg.isdtype(tg.int8, (("bool",),)), TypeError, "isdtype: got a tuple in a tuple"),
    "a kind of what is no dtype": (lambda: tg.isdtype(X, "bool"), TypeError, "isdtype: got Tensor; want a dtype"),
    "a device to cast on": (lambda: X.astype(tg.int8, device="gpu"), ValueError, "astype: got device 'gpu'"),
}


@pytest.mark.parametrize(("call", "kind", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_dtype_says_what_was_got_and_wanted_and_where(call, kind, message):
    check_error(call, kind, message)


def test_every_floating_dtype_has_limits():
    assert all(tg.finfo(d).eps > 0 for d in FLOATING)
