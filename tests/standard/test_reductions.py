"""Reductions, cumulative functions and sorting have the standard's dtypes and values."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from oracle import DTYPES, agree, both, outcome, strict

import tidegate as tg

REDUCTIONS = [
    n for n in ("all", "any", "count_nonzero", "max", "mean", "min", "prod", "std", "sum", "var") if hasattr(tg, n)
]
ROUNDED = {"mean": 8.0, "std": 32.0, "var": 32.0, "sum": 32.0, "prod": 32.0}
"""Functions whose value depends on the order of operations: by how many units in the last place."""


def taken(name, dtype):
    """Whether the standard has a reduction take a dtype."""
    return outcome(lambda: getattr(strict, name)(strict.ones(1, dtype=getattr(strict, dtype)))) != "TypeError"


def whole(dtype, shape):
    """Arrays whose sums and products are exact in any order; distinct in no particular way."""
    kind = np.dtype(dtype).kind
    numbers = st.booleans() if kind == "b" else st.integers(0 if kind == "u" else -3, 3)
    return st.builds(lambda array: np.asarray(array).astype(dtype), hnp.arrays(object, shape, elements=numbers))


@pytest.mark.parametrize("name", REDUCTIONS)
def test_a_reduction_has_the_standards_dtypes(name):
    ours = {d: outcome(lambda d=d: getattr(tg, name)(tg.ones(1, dtype=d))) for d in DTYPES}
    theirs = {d: outcome(lambda d=d: getattr(strict, name)(strict.ones(1, dtype=getattr(strict, d)))) for d in DTYPES}
    wider = WIDER.get(name, set())
    assert {d: v for d, v in ours.items() if d not in wider} == {d: v for d, v in theirs.items() if d not in wider}


COMPLEX = {"complex64", "complex128"}
WIDER = {"sum": {"bool"}, "prod": {"bool"}, "std": COMPLEX, "var": COMPLEX}
"""Dtypes that we take though the standard leaves them out: NumPy does too."""


@pytest.mark.parametrize("name", REDUCTIONS)
@given(data=st.data())
@settings(max_examples=40)
def test_a_reduction_has_the_standards_values(name, data):
    dtype = data.draw(st.sampled_from([d for d in DTYPES if taken(name, d)]))
    least = 1 if name in ("max", "min") else 0
    shape = data.draw(hnp.array_shapes(min_dims=0, max_dims=3, min_side=least, max_side=3))
    x, y = both(data.draw(whole(dtype, shape)))
    axis = data.draw(st.one_of(st.none(), hnp.valid_tuple_axes(len(shape))))
    if isinstance(axis, tuple) and len(axis) == 1 and data.draw(st.booleans()):
        (axis,) = axis
    options = {"axis": axis, "keepdims": data.draw(st.booleans())}
    if name in ("std", "var"):
        options["correction"] = data.draw(st.sampled_from([0.0, 0.5, 1.0]))
    agree(getattr(tg, name)(x, **options), getattr(strict, name)(y, **options), ulps=ROUNDED.get(name, 0.0))


@pytest.mark.parametrize("name", [n for n in ("sum", "prod", "cumulative_sum", "cumulative_prod") if hasattr(tg, n)])
@pytest.mark.parametrize("dtype", ["int32", "uint8", "float64", "complex64"])
def test_a_dtype_for_a_sum_or_product_is_taken(name, dtype):
    x, y = both(np.asarray([1, 2, 3], np.int8))
    agree(getattr(tg, name)(x, dtype=getattr(tg, dtype)), getattr(strict, name)(y, dtype=getattr(strict, dtype)))


@pytest.mark.parametrize("name", [n for n in ("argmax", "argmin") if hasattr(tg, n)])
@given(data=st.data())
@settings(max_examples=40)
def test_the_place_of_an_extreme_is_the_standards(name, data):
    dtype = data.draw(st.sampled_from([d for d in DTYPES if taken(name, d)]))
    shape = data.draw(hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=3))
    x, y = both(data.draw(whole(dtype, shape)))
    axis = data.draw(st.one_of(st.none(), st.integers(-len(shape), len(shape) - 1)))
    options = {"axis": axis, "keepdims": data.draw(st.booleans())}
    agree(getattr(tg, name)(x, **options), getattr(strict, name)(y, **options))


@pytest.mark.parametrize("name", [n for n in ("cumulative_sum", "cumulative_prod") if hasattr(tg, n)])
@given(data=st.data())
@settings(max_examples=40)
def test_a_cumulative_function_has_the_standards_values(name, data):
    dtype = data.draw(st.sampled_from([d for d in DTYPES if d != "bool"]))
    shape = data.draw(hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=3))
    x, y = both(data.draw(whole(dtype, shape)))
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    options = {"axis": axis, "include_initial": data.draw(st.booleans())}
    agree(getattr(tg, name)(x, **options), getattr(strict, name)(y, **options))


@pytest.mark.parametrize("name", [n for n in ("sort", "argsort") if hasattr(tg, n)])
@given(data=st.data())
@settings(max_examples=60)
def test_sorting_has_the_standards_values(name, data):
    dtype = data.draw(st.sampled_from([d for d in DTYPES if taken(name, d)]))
    shape = data.draw(hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=4))
    x, y = both(data.draw(whole(dtype, shape)))
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    options = {"axis": axis, "descending": data.draw(st.booleans()), "stable": True}
    agree(getattr(tg, name)(x, **options), getattr(strict, name)(y, **options))


def test_a_variance_of_fewer_than_its_correction_is_nan():
    assert np.isnan(tg.var(tg.asarray([2.0]), correction=1.0).numpy())
