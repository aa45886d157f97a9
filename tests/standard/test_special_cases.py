"""The special cases that the standard lists for its functions: NaN, infinities and zeros of either sign.

Source: the "Special cases" of each function's page, Python array API standard 2025.12. Signs of zeros count.
"""

from math import inf, nan, pi

import numpy as np
import pytest

import tidegate as tg

CASES = {
    "abs": [(-0.0, 0.0), (-inf, inf), (nan, nan)],
    "acos": [(nan, nan), (1.5, nan), (-1.5, nan), (1.0, 0.0)],
    "acosh": [(nan, nan), (0.5, nan), (1.0, 0.0), (inf, inf)],
    "add": [(inf, -inf, nan), (-inf, inf, nan), (inf, inf, inf), (nan, 1.0, nan), (1.0, inf, inf), (-0.0, -0.0, -0.0),
            (-0.0, 0.0, 0.0), (0.0, -0.0, 0.0), (0.0, 0.0, 0.0), (-0.0, 2.0, 2.0), (2.0, -2.0, 0.0)],
    "asin": [(nan, nan), (1.5, nan), (-1.5, nan), (0.0, 0.0), (-0.0, -0.0)],
    "asinh": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, inf), (-inf, -inf)],
    "atan": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, pi / 2), (-inf, -pi / 2)],
    "atan2": [(nan, 1.0, nan), (1.0, nan, nan), (1.0, 0.0, pi / 2), (1.0, -0.0, pi / 2), (0.0, 1.0, 0.0),
              (0.0, 0.0, 0.0), (0.0, -0.0, pi), (0.0, -1.0, pi), (-0.0, 1.0, -0.0), (-0.0, 0.0, -0.0),
              (-0.0, -0.0, -pi),
              (-0.0, -1.0, -pi), (-1.0, 0.0, -pi / 2), (-1.0, -0.0, -pi / 2), (1.0, inf, 0.0), (1.0, -inf, pi),
              (-1.0, inf, -0.0), (-1.0, -inf, -pi), (inf, 1.0, pi / 2), (-inf, 1.0, -pi / 2), (inf, inf, pi / 4),
              (inf, -inf, 3 * pi / 4), (-inf, inf, -pi / 4), (-inf, -inf, -3 * pi / 4)],
    "atanh": [(nan, nan), (-1.5, nan), (1.5, nan), (-1.0, -inf), (1.0, inf), (0.0, 0.0), (-0.0, -0.0)],
    "ceil": [(2.0, 2.0), (inf, inf), (-inf, -inf), (0.0, 0.0), (-0.0, -0.0), (nan, nan)],
    "copysign": [(1.0, -0.0, -1.0), (-1.0, 0.0, 1.0), (0.0, -1.0, -0.0), (inf, -1.0, -inf), (nan, 1.0, nan)],
    "cos": [(nan, nan), (0.0, 1.0), (-0.0, 1.0), (inf, nan), (-inf, nan)],
    "cosh": [(nan, nan), (0.0, 1.0), (-0.0, 1.0), (inf, inf), (-inf, inf)],
    "divide": [(nan, 1.0, nan), (1.0, nan, nan), (inf, inf, nan), (inf, -inf, nan), (0.0, 0.0, nan), (-0.0, 0.0, nan),
               (0.0, 1.0, 0.0), (0.0, -1.0, -0.0), (-0.0, 1.0, -0.0), (-0.0, -1.0, 0.0), (1.0, 0.0, inf),
               (1.0, -0.0, -inf), (-1.0, 0.0, -inf), (-1.0, -0.0, inf), (inf, 2.0, inf), (inf, -2.0, -inf),
               (-inf, 2.0, -inf), (-inf, -2.0, inf), (1.0, inf, 0.0), (1.0, -inf, -0.0), (-1.0, inf, -0.0),
               (-1.0, -inf, 0.0)],
    "equal": [(nan, nan, False), (inf, inf, True), (-inf, -inf, True), (-0.0, 0.0, True), (inf, -inf, False)],
    "exp": [(nan, nan), (0.0, 1.0), (-0.0, 1.0), (inf, inf), (-inf, 0.0)],
    "expm1": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, inf), (-inf, -1.0)],
    "floor": [(2.0, 2.0), (inf, inf), (-inf, -inf), (0.0, 0.0), (-0.0, -0.0), (nan, nan)],
    "floor_divide": [(nan, 1.0, nan), (1.0, nan, nan), (inf, inf, nan), (-inf, inf, nan), (0.0, 0.0, nan),
                     (-0.0, -0.0, nan), (0.0, 1.0, 0.0), (-0.0, -1.0, 0.0), (0.0, -1.0, -0.0), (-0.0, 1.0, -0.0),
                     (1.0, inf, 0.0), (-1.0, -inf, 0.0)],
    "greater": [(nan, 1.0, False), (inf, 1.0, True), (0.0, -0.0, False), (1.0, nan, False)],
    "hypot": [(inf, 1.0, inf), (-inf, nan, inf), (nan, inf, inf), (1.0, -inf, inf), (nan, 1.0, nan), (1.0, nan, nan),
              (0.0, -2.0, 2.0), (-0.0, -0.0, 0.0)],
    "isfinite": [(nan, False), (inf, False), (-inf, False), (1.0, True), (-0.0, True)],
    "isinf": [(nan, False), (inf, True), (-inf, True), (1.0, False)],
    "isnan": [(nan, True), (inf, False), (1.0, False)],
    "log": [(nan, nan), (-1.0, nan), (0.0, -inf), (-0.0, -inf), (1.0, 0.0), (inf, inf)],
    "log10": [(nan, nan), (-1.0, nan), (0.0, -inf), (-0.0, -inf), (1.0, 0.0), (inf, inf)],
    "log1p": [(nan, nan), (-2.0, nan), (-1.0, -inf), (0.0, 0.0), (-0.0, -0.0), (inf, inf)],
    "log2": [(nan, nan), (-1.0, nan), (0.0, -inf), (-0.0, -inf), (1.0, 0.0), (8.0, 3.0), (inf, inf)],
    "logaddexp": [(nan, 1.0, nan), (1.0, nan, nan), (inf, 1.0, inf), (1.0, inf, inf), (-inf, -inf, -inf),
                  (-inf, 1.0, 1.0), (inf, -inf, inf)],
    "maximum": [(nan, 1.0, nan), (1.0, nan, nan), (-inf, 1.0, 1.0), (inf, 1.0, inf)],
    "minimum": [(nan, 1.0, nan), (1.0, nan, nan), (-inf, 1.0, -inf), (inf, 1.0, 1.0)],
    "multiply": [(nan, 1.0, nan), (inf, 0.0, nan), (-inf, -0.0, nan), (0.0, inf, nan), (inf, inf, inf),
                 (inf, -inf, -inf), (inf, -2.0, -inf), (-0.0, 2.0, -0.0), (-0.0, -2.0, 0.0)],
    "nextafter": [(nan, 1.0, nan), (1.0, nan, nan), (0.0, -0.0, -0.0), (-0.0, 0.0, 0.0), (1.0, 1.0, 1.0)],
    "not_equal": [(nan, nan, True), (inf, inf, False), (-0.0, 0.0, False)],
    "pow": [(2.0, nan, nan), (nan, 2.0, nan), (nan, 0.0, 1.0), (nan, -0.0, 1.0), (2.0, 0.0, 1.0), (1.0, nan, 1.0),
            (2.0, inf, inf), (-2.0, inf, inf), (2.0, -inf, 0.0), (1.0, inf, 1.0), (-1.0, inf, 1.0), (1.0, -inf, 1.0),
            (-1.0, -inf, 1.0), (0.5, inf, 0.0), (0.5, -inf, inf), (inf, 2.0, inf), (inf, -2.0, 0.0), (-inf, 3.0, -inf),
            (-inf, 2.0, inf), (-inf, -3.0, -0.0), (-inf, -2.0, 0.0), (0.0, 2.0, 0.0), (0.0, -2.0, inf),
            (-0.0, 3.0, -0.0), (-0.0, 2.0, 0.0), (-0.0, -3.0, -inf), (-0.0, -2.0, inf), (-2.0, 0.5, nan)],
    "reciprocal": [(nan, nan), (inf, 0.0), (-inf, -0.0), (0.0, inf), (-0.0, -inf)],
    "remainder": [(nan, 1.0, nan), (1.0, nan, nan), (inf, 1.0, nan), (-inf, inf, nan), (1.0, 0.0, nan),
                  (1.0, -0.0, nan), (0.0, 0.0, nan), (0.0, 2.0, 0.0), (-0.0, 2.0, 0.0), (0.0, -2.0, -0.0),
                  (-0.0, -2.0, -0.0), (1.0, inf, 1.0), (-1.0, -inf, -1.0), (1.0, -inf, -inf), (-1.0, inf, inf),
                  (4.0, 2.0, 0.0), (4.0, -2.0, -0.0)],
    "round": [(2.0, 2.0), (2.5, 2.0), (3.5, 4.0), (-2.5, -2.0), (nan, nan), (inf, inf), (0.0, 0.0), (-0.0, -0.0)],
    "sign": [(nan, nan), (-2.0, -1.0), (inf, 1.0), (-inf, -1.0), (0.0, 0.0)],
    "signbit": [(0.0, False), (-0.0, True), (inf, False), (-inf, True), (1.0, False), (nan, False), (-nan, True)],
    "sin": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, nan), (-inf, nan)],
    "sinh": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, inf), (-inf, -inf)],
    "sqrt": [(nan, nan), (-1.0, nan), (0.0, 0.0), (-0.0, -0.0), (inf, inf)],
    "subtract": [(inf, inf, nan), (-inf, -inf, nan), (0.0, 0.0, 0.0), (-0.0, 0.0, -0.0), (inf, -inf, inf)],
    "tan": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, nan), (-inf, nan)],
    "tanh": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, 1.0), (-inf, -1.0)],
    "trunc": [(2.0, 2.0), (inf, inf), (-inf, -inf), (0.0, 0.0), (-0.0, -0.0), (nan, nan)],
}  # fmt: skip

COMPLEX_CASES = {
    "abs": [(complex(inf, nan), inf), (complex(nan, -inf), inf), (complex(nan, 1.0), nan), (complex(-0.0, 0.0), 0.0)],
    "acos": [(0j, complex(pi / 2, -0.0))],
    "acosh": [(0j, complex(0.0, pi / 2))],
    "asin": [(0j, 0j)],
    "asinh": [(0j, 0j), (complex(1.0, inf), complex(inf, pi / 2))],
    "atan": [(0j, 0j)],
    "atanh": [(0j, 0j), (complex(1.0, inf), complex(0.0, pi / 2))],
    "conj": [(complex(1.0, 2.0), complex(1.0, -2.0)), (complex(0.0, -0.0), complex(0.0, 0.0))],
    "cosh": [(0j, 1 + 0j), (complex(inf, 0.0), complex(inf, 0.0))],
    "exp": [(0j, 1 + 0j), (complex(-0.0, 0.0), 1 + 0j), (complex(inf, 0.0), complex(inf, 0.0)),
            (complex(-inf, 1.0), complex(0.0, 0.0)), (complex(1.0, inf), complex(nan, nan)),
            (complex(nan, 0.0), complex(nan, 0.0))],
    "expm1": [(0j, 0j), (complex(inf, 0.0), complex(inf, 0.0))],
    "isfinite": [(complex(nan, 1.0), False), (complex(1.0, inf), False), (1j, True)],
    "isinf": [(complex(nan, inf), True), (complex(-inf, 1.0), True), (complex(1.0, nan), False)],
    "isnan": [(complex(nan, inf), True), (complex(1.0, nan), True), (complex(inf, 1.0), False)],
    "log": [(complex(-0.0, 0.0), complex(-inf, pi)), (0j, complex(-inf, 0.0)),
            (complex(-inf, 1.0), complex(inf, pi)), (complex(inf, inf), complex(inf, pi / 4)),
            (complex(-inf, inf), complex(inf, 3 * pi / 4))],
    "log1p": [(complex(-1.0, 0.0), complex(-inf, 0.0)), (complex(1.0, inf), complex(inf, pi / 2))],
    "log10": [(0j, complex(-inf, 0.0))],
    "log2": [(0j, complex(-inf, 0.0))],
    "sign": [(0j, 0j), (3 + 0j, 1 + 0j), (-2j, -1j)],
    "sinh": [(0j, 0j), (complex(inf, 0.0), complex(inf, 0.0))],
    "sqrt": [(0j, 0j), (complex(-0.0, 0.0), 0j), (complex(1.0, inf), complex(inf, inf)),
             (complex(-inf, 1.0), complex(0.0, inf)), (complex(inf, 1.0), complex(inf, 0.0)), (-4 + 0j, 2j)],
    "tanh": [(0j, 0j), (complex(inf, 1.0), complex(1.0, 0.0))],
}  # fmt: skip

FLOATS = ["float16", "bfloat16", "float32", "float64"]


def single(cases):
    """(function, inputs, result) of the functions that there are."""
    return [(name, case[:-1], case[-1]) for name, rows in cases.items() if hasattr(tg, name) for case in rows]


def same(got, want):
    """Equal, NaN to NaN, zeros by their signs, and numbers to their dtype's precision."""
    if np.isnan(want):
        return bool(np.isnan(got))
    if want == 0 or np.isinf(want) or isinstance(want, bool):
        return bool(got == want) and (isinstance(want, bool) or np.signbit(got) == np.signbit(want))
    return bool(abs(float(got) - want) <= abs(want) * 4 * tg.finfo(got.dtype).eps)


def dtypes(name):
    """The floating point dtypes that a function takes."""
    return FLOATS[2:] if name == "nextafter" else FLOATS


@pytest.mark.parametrize(
    ("name", "inputs", "want", "dtype"), [(*case, dtype) for case in single(CASES) for dtype in dtypes(case[0])]
)
def test_a_function_has_the_standards_value_at_a_special_case(name, inputs, want, dtype):
    xs = [tg.asarray(x, dtype=dtype) for x in inputs]
    for shape in ((), (9,)):  # NumPy computes many at once by other instructions
        got = getattr(tg, name)(*[tg.broadcast_to(x, shape) for x in xs]).numpy()
        assert got.dtype == (np.bool_ if isinstance(want, bool) else np.dtype(getattr(tg, dtype)))
        for element in got.reshape(-1):
            assert same(element, want), (element, want)


@pytest.mark.parametrize(("name", "inputs", "want"), single(COMPLEX_CASES))
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_a_function_of_complex_numbers_has_the_standards_value_at_a_special_case(name, inputs, want, dtype):
    got = getattr(tg, name)(*[tg.asarray(x, dtype=dtype) for x in inputs]).numpy()[()]
    if isinstance(want, complex):
        assert same(got.real, want.real), (got, want)
        assert same(got.imag, want.imag), (got, want)
    else:
        assert same(got, want), (got, want)


REDUCED = {
    "sum": [([], 0.0), ([inf, -inf], nan), ([nan, 1.0], nan)],
    "prod": [([], 1.0), ([inf, 0.0], nan), ([nan, 1.0], nan)],
    "mean": [([], nan), ([nan, 1.0], nan), ([inf, 1.0], inf)],
    "var": [([], nan), ([nan, 1.0], nan), ([2.0], 0.0)],
    "std": [([], nan), ([nan, 1.0], nan), ([2.0], 0.0)],
    "max": [([1.0, nan], nan), ([-inf, -2.0], -2.0)],
    "min": [([1.0, nan], nan), ([inf, -2.0], -2.0)],
    "all": [([], True), ([nan, 1.0], True), ([0.0, 1.0], False), ([-inf], True)],
    "any": [([], False), ([nan, 0.0], True), ([0.0, -0.0], False), ([inf], True)],
}


@pytest.mark.parametrize(("name", "inputs", "want"), [(n, x, w) for n, x, w in single(REDUCED)])
def test_a_reduction_has_the_standards_value_at_a_special_case(name, inputs, want):
    got = getattr(tg, name)(tg.asarray(inputs[0], dtype=tg.float64)).numpy()[()]
    assert same(got, want), (got, want)
