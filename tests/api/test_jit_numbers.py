"""A Python number that is an argument of a jitted function does there what it does without jit."""

import numpy as np
import pytest

import tidegate as tg

OPERATORS = {
    "n": lambda n: n,
    "-n": lambda n: -n,
    "+n": lambda n: +n,
    "abs(n)": lambda n: abs(n),
    "n + 1": lambda n: n + 1,
    "1 - n": lambda n: 1 - n,
    "n * 0.1": lambda n: n * 0.1,
    "1 / n": lambda n: 1 / n,
    "n / n": lambda n: n / n,
    "n ** 2": lambda n: n**2,
    "2 ** n": lambda n: 2**n,
    "n * 1j": lambda n: n * 1j,
}
OF_REAL = {"n // 2": lambda n: n // 2, "n % 3": lambda n: n % 3, "divmod(n, 2)": lambda n: divmod(n, 2)[1]}
OF_WHOLE = {"n & 1": lambda n: n & 1, "~n": lambda n: ~n, "n << 1": lambda n: n << 1}
FUNCTIONS = {
    "asarray": tg.asarray,
    "exp": tg.exp,
    "hypot": lambda n: tg.hypot(n, n),
    "elu": tg.elu,
    "maximum": lambda n: tg.maximum(n, 0),
    "where": lambda n: tg.where(np.True_, n, 2),
    "sum": tg.sum,
    "var": tg.var,
    "clip": lambda n: tg.clip(n, 0, 1),
    "real": tg.real,
    "full": lambda n: tg.full((), n),
    "linspace": lambda n: tg.linspace(0, n, 3)[-1],
    "stop_gradient": tg.stop_gradient,
    "stack": lambda n: tg.stack([n, n])[0],
}
CASES = [
    *[(f, n) for f in OPERATORS.values() for n in (0.1, 3, 1 + 2j)],
    *[(f, n) for f in OF_REAL.values() for n in (-2.7, 7)],
    *[(f, 5) for f in OF_WHOLE.values()],
    *[(f, n) for f in FUNCTIONS.values() for n in (0.1, 3)],
]
NAMES = [
    *[f"{name} of {n}" for name in OPERATORS for n in (0.1, 3, 1 + 2j)],
    *[f"{name} of {n}" for name in OF_REAL for n in (-2.7, 7)],
    *[f"{name} of 5" for name in OF_WHOLE],
    *[f"{name} of {n}" for name in FUNCTIONS for n in (0.1, 3)],
]
TENSORS = [tg.asarray([1, 3], dtype=d) for d in ("float16", "bfloat16", "float32", "float64", "int64", "complex64")]


def outcome(f, *args):
    """Its dtype and value, or the class of its error."""
    try:
        y = tg.asarray(f(*args))
        return y.dtype, np.asarray(y.numpy(), np.complex128)
    except tg.TidegateError as error:
        return type(error), np.zeros(())


@pytest.mark.parametrize(("f", "n"), CASES, ids=NAMES)
def test_a_number_gives_the_same_dtypes_with_jit_as_without(f, n):
    for x in TENSORS:
        want, got = outcome(lambda n, x: f(n) * x, n, x), outcome(tg.jit(lambda n, x: f(n) * x), n, x)
        assert got[0] == want[0], x.type


@pytest.mark.parametrize(("f", "n"), CASES, ids=NAMES)
def test_a_number_has_the_same_digits_with_jit_as_without(f, n):
    x = tg.asarray([1.0, 3.0], dtype=tg.complex128 if isinstance(n, complex) else tg.float64)
    want, got = outcome(lambda n, x: f(n) * x, n, x), outcome(tg.jit(lambda n, x: f(n) * x), n, x)
    np.testing.assert_allclose(got[1], want[1], rtol=1e-15)


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
@pytest.mark.parametrize("n", [0.1, 3])
def test_what_a_function_makes_of_a_number_alone_has_the_default_dtype_with_jit_too(name, n):
    assert tg.jit(FUNCTIONS[name])(n).dtype == tg.asarray(FUNCTIONS[name](n)).dtype


@pytest.mark.parametrize(
    ("dtype", "number"), [(tg.int8, 128), (tg.int8, -129), (tg.uint8, -1), (tg.uint64, -1), (tg.int32, 2**31)]
)
def test_a_number_that_the_dtype_beside_it_cannot_hold_is_an_error_and_does_not_wrap(dtype, number):
    f = tg.jit(lambda x, n: x + n)
    with pytest.raises(tg.InvalidValueError, match="add: a number is out of range"):
        f(tg.asarray([1], dtype=dtype), number).numpy()
    with pytest.raises(tg.InvalidValueError, match="asarray: a number is out of range"):
        tg.jit(lambda n: tg.asarray(n, dtype))(number).numpy()


@pytest.mark.parametrize("dtype", [tg.int8, tg.uint8, tg.uint64, tg.int32])
def test_a_number_that_the_dtype_beside_it_holds_is_no_error(dtype):
    limits = np.iinfo(dtype)
    f = tg.jit(lambda x, n: x + n)
    least, most = int(limits.min), min(int(limits.max), 2**63 - 1)
    assert f(tg.asarray([0], dtype=dtype), least).numpy()[0] == least
    assert f(tg.asarray([0], dtype=dtype), most).numpy()[0] == most


def test_an_integer_beyond_every_float_is_told():
    with pytest.raises(tg.ScalarRangeError, match="2001 bits"):
        tg.asarray([1.0]) * 2**2000


def test_a_gradient_for_a_number_is_a_number():
    (g,) = tg.jit(lambda n: tg.gradients(n * n, n))(3.0)
    assert (g.dtype, g.item()) == (tg.float32, 6.0)
    y = tg.jit(lambda n, x: tg.gradients(n * n, n)[0] * x)(3.0, tg.asarray([2.0], dtype=tg.float16))
    assert (y.dtype, y.item()) == (tg.float16, 12.0)


BESIDE = {
    "at set": lambda n, x: x.at[0].set(n),
    "at add": lambda n, x: x.at[0].add(n),
    "pad": lambda n, x: tg.pad(x, 1, constant_values=n),
    "take": lambda n, x: tg.take(x, np.array([0, 9]), mode="fill", fill_value=n),
    "put_along_axis": lambda n, x: tg.put_along_axis(x, np.array([1]), n),
    "diff": lambda n, x: tg.diff(x, prepend=n),
    "full_like": lambda n, x: tg.full_like(x, n),
    "result_type": lambda n, x: tg.zeros(2, dtype=tg.result_type(x, n)),
    "vmap": lambda n, x: tg.vmap(lambda row: row * n + 1)(x),
    "cond": lambda n, x: tg.cond(tg.any(x > 0), lambda: x * n, lambda: x - n),
    "jit": lambda n, x: tg.jit(lambda m, y: y * m + m)(n * 2 + 1, x),
}


@pytest.mark.parametrize("n", [0.1, 3])
@pytest.mark.parametrize("f", BESIDE.values(), ids=BESIDE)
def test_a_number_beside_a_tensor_is_as_without_jit(f, n):
    for x in TENSORS[:-1]:
        want, got = outcome(f, n, x), outcome(tg.jit(f), n, x)
        assert got[0] == want[0], x.type
        np.testing.assert_allclose(got[1], want[1], rtol=1e-15 if x.dtype == tg.float64 else 1e-2)
