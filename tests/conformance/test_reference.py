"""The reference in every dtype that an op takes, and at the values where NumPy alone defines nothing."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from samples import OPS, WITH_INPUTS, cases, dtypes_of, preferred

from tidegate.core.dtypes import ANY, COMPLEX, FLOATING, HALF, INEXACT, INTEGER, float32
from tidegate.core.kinds import Elementwise, Generator
from tidegate.ops.creation import Data
from tidegate.testing import draw

ALL = sorted(ANY, key=lambda d: d.name)
SPECIAL = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 0.5, -2.5, 1e-40, 65504.0, 3e38]


def results(op, arrays):
    """What evaluating gives, as a tuple of arrays."""
    outs = op(*[Data(x)() for x in arrays])
    outs = outs if isinstance(outs, tuple) else (outs,)
    for y in outs:
        assert (y.numpy().shape, y.numpy().dtype) == (y.shape, y.dtype)
    return [y.numpy() for y in outs]


def inputs_of(sample, dtype, seed=0):
    rng = np.random.default_rng(seed)
    return [draw(s, rng, dtype) for s in sample.inputs]


def assert_same(got, want):
    """Equal to the bit, signs of zeros included; one NaN equals another."""
    for g, w in zip(got, want, strict=True):
        assert (g.dtype, g.shape) == (w.dtype, w.shape)
        wide = np.complex128 if g.dtype in COMPLEX else np.float64 if g.dtype in FLOATING else g.dtype
        g, w = g.astype(wide), w.astype(wide)
        np.testing.assert_array_equal(g, w)
        if g.dtype.kind == "f":
            known = ~np.isnan(w)
            np.testing.assert_array_equal(np.signbit(g)[known], np.signbit(w)[known])


@pytest.mark.parametrize(("sample", "dtype"), cases(WITH_INPUTS, ALL))
def test_the_result_has_the_type_inferred_in_every_dtype_taken(sample, dtype):
    assert results(sample.op, inputs_of(sample, dtype))


@pytest.mark.parametrize("cls", [c for c in OPS if issubclass(c, Generator) and c.domain()], ids=lambda c: c.name)
def test_a_generator_gives_the_type_inferred(cls):
    for sample in cls.domain():
        assert results(sample.op, [])


@pytest.mark.parametrize(("sample", "dtype"), cases(WITH_INPUTS, sorted(HALF, key=str)))
def test_a_half_result_is_the_float32_result_rounded_once(sample, dtype):
    xs = inputs_of(sample, dtype)
    wide = [x.astype(float32) if x.dtype == dtype else x for x in xs]
    rounded = [
        w.astype(g.dtype) if w.dtype == float32 else w
        for g, w in zip(results(sample.op, xs), results(sample.op, wide), strict=True)
    ]
    assert_same(results(sample.op, xs), rounded)


@pytest.mark.parametrize(
    ("sample", "dtype"), [p for p in cases(WITH_INPUTS, sorted(INEXACT, key=str)) if "-0-" in p.id or "-1-" in p.id]
)
def test_infinities_nans_and_signed_zeros_evaluate_without_a_warning_or_crash(sample, dtype):
    xs = inputs_of(sample, dtype)
    rng = np.random.default_rng(2)
    special = [rng.choice(SPECIAL, x.shape).astype(np.float64) if x.dtype == dtype else x for x in xs]
    with np.errstate(all="ignore"):
        special = [x.astype(dtype) if x.dtype == np.float64 else x for x in special]
    first, second = results(sample.op, special), results(sample.op, special)
    assert_same(first, second)


ELEMENTWISE = [cls for cls in WITH_INPUTS if issubclass(cls, Elementwise)]


@pytest.mark.parametrize("cls", ELEMENTWISE, ids=lambda c: c.name)
def test_an_elementwise_result_does_not_depend_on_the_elements_beside_it(cls):
    """Vector instructions of NumPy's must not treat a special value in another place differently."""
    sample = cls.domain()[0]
    for dtype in dtypes_of(sample):
        if dtype in FLOATING:
            rows = np.asarray(np.meshgrid(SPECIAL, SPECIAL)).reshape(2, -1)
            with np.errstate(all="ignore"):
                xs = [
                    (rows[i % 2] > 0) if s.like == "boolean" else rows[i % 2].astype(dtype)
                    for i, s in enumerate(sample.inputs)
                ]
            (whole,) = results(sample.op, xs)
            one_by_one = [results(sample.op, [x[i] for x in xs])[0] for i in range(rows.shape[1])]
            assert_close_in_ulps(whole, np.asarray(one_by_one).astype(whole.dtype))


def assert_close_in_ulps(got, want):
    wide = np.complex128 if got.dtype in COMPLEX else np.float64
    if got.dtype not in INEXACT:
        np.testing.assert_array_equal(got, want)
        return
    eps = 2 * float(ml_dtypes.finfo(got.dtype).eps)
    np.testing.assert_allclose(got.astype(wide), want.astype(wide), rtol=eps, atol=0, equal_nan=True)


def strided(x):
    """x as every second element of something longer, backwards along the first axis."""
    big = np.empty([2 * n for n in x.shape], x.dtype)
    if x.ndim == 0:
        return x
    view = big[(slice(None, None, -2), *[slice(None, None, 2)] * (x.ndim - 1))]
    view[...] = x
    return view


def transposed(x):
    """x with its elements in column-major order."""
    return np.asarray(x, order="F")


@pytest.mark.parametrize("layout", [strided, transposed, lambda x: np.broadcast_to(x[None], (1, *x.shape))[0]])
@pytest.mark.parametrize("cls", WITH_INPUTS, ids=lambda c: c.name)
def test_the_layout_of_an_input_in_memory_changes_nothing(cls, layout):
    for sample in cls.domain():
        xs = inputs_of(sample, preferred(sample))
        want = results(sample.op, xs)
        for g, w in zip(results(sample.op, [layout(x) for x in xs]), want, strict=True):
            np.testing.assert_allclose(g, w, rtol=1e-14, atol=1e-15)


@pytest.mark.parametrize("cls", WITH_INPUTS, ids=lambda c: c.name)
def test_inputs_are_not_written_to(cls):
    for sample in cls.domain():
        xs = inputs_of(sample, preferred(sample))
        before = [x.copy() for x in xs]
        results(sample.op, xs)
        assert_same(xs, before)


@pytest.mark.parametrize("cls", [c for c in ELEMENTWISE if "Cast" not in c.name], ids=lambda c: c.name)
def test_integers_wrap_and_raise_nothing_at_their_limits(cls):
    sample = cls.domain()[1]
    for dtype in dtypes_of(sample):
        if dtype in INTEGER:
            edges = np.asarray([np.iinfo(dtype).min, np.iinfo(dtype).max, 0], dtype)
            xs = [np.asarray([True, False, True]) if s.like == "boolean" else edges for s in sample.inputs]
            assert results(sample.op, xs)


TOGETHER = [c for c in OPS if issubclass(c, Elementwise) and len(c.domain()[0].inputs) > 1]


@pytest.mark.parametrize("cls", TOGETHER, ids=lambda c: c.name)
@pytest.mark.parametrize("thin", [(), (1,), (2, 1), (1, 3), (3,)], ids=str)
def test_an_elementwise_reference_takes_inputs_that_would_broadcast(cls, thin):
    """The small tier hands it arrays before they are repeated."""
    sample = next(s for s in cls.domain() if s.inputs[0].shape == (2, 3))
    xs = inputs_of(sample, preferred(sample))
    for place in range(len(xs)):
        narrow = np.resize(xs[place], thin)
        given = [narrow if i == place else x for i, x in enumerate(xs)]
        whole = [np.broadcast_to(narrow, (2, 3)).copy() if i == place else x for i, x in enumerate(xs)]
        assert_same([np.asarray(sample.op.reference(*given))], [np.asarray(sample.op.reference(*whole))])
