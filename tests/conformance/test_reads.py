"""Index maps: the output rebuilt from what `reads` says, by plain loops, equals the reference."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from samples import OPS, preferred

from tidegate.core.graph import value_type
from tidegate.core.kinds import AxisRead, Contraction, Elementwise, Flat, Reduction, View
from tidegate.ops.broadcast import Sum, SumTo
from tidegate.ops.reduction import AllTrue, AnyTrue, ArgMax, ArgMin, Max, Min, Prod
from tidegate.testing import draw


def of_kind(*kinds):
    """(sample, dtype) for every sample of those kinds, as pytest parameters."""
    return [
        pytest.param(sample, preferred(sample), id=f"{cls.name}-{i}")
        for cls in OPS
        if issubclass(cls, kinds)
        for i, sample in enumerate(cls.domain())
    ]


def element(read, x, loops, out_shape):
    """The element of an input that an iteration at `loops` reads."""
    if isinstance(read, Flat):
        return x.reshape(-1)[np.ravel_multi_index(loops, out_shape) if out_shape else 0]
    at = [r.start + (0 if r.loop is None else r.step * loops[r.loop]) for r in read]
    assert all(0 <= i < n for i, n in zip(at, x.shape, strict=True)), (read, loops, x.shape)
    return x[tuple(at)]


def values(sample, dtype):
    rng = np.random.default_rng(11)
    return [draw(s, rng, dtype) for s in sample.inputs]


def loop_sizes(reads, xs, out_shape):
    """The sizes of all loops: the output's axes, then those that only inputs have."""
    sizes = dict(enumerate(out_shape))
    for read, x in zip(reads, xs, strict=True):
        for r, n in zip(read, x.shape, strict=True):
            if r.loop is not None and r.loop >= len(out_shape):
                assert sizes.setdefault(r.loop, n) == n
    assert sorted(sizes) == list(range(len(sizes)))
    return [sizes[i] for i in range(len(sizes))]


def rebuilt(sample, xs, combine):
    """The output by loops: for each of its elements the list of what the iterations read, combined."""
    types = tuple(value_type(x) for x in xs)
    (kind,) = sample.op.output_types(types)
    reads = sample.op.reads(*types)
    sizes = loop_sizes(reads, xs, kind.shape)
    out = np.empty(kind.shape, kind.dtype)
    for loops in itertools.product(*[range(n) for n in kind.shape]):
        inner = itertools.product(*[range(n) for n in sizes[len(kind.shape) :]])
        out[loops] = combine([[element(r, x, loops + i, ()) for r, x in zip(reads, xs, strict=True)] for i in inner])
    return out


@pytest.mark.parametrize(("sample", "dtype"), of_kind(View))
def test_every_element_of_a_view_is_the_input_element_that_it_reads(sample, dtype):
    (x,) = values(sample, dtype)
    (read,) = sample.op.reads(value_type(x))
    want = sample.op.reference(x)
    got = np.empty_like(want)
    for loops in np.ndindex(want.shape):
        got[loops] = element(read, x, loops, want.shape)
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize(("sample", "dtype"), of_kind(Elementwise))
def test_every_element_of_an_elementwise_output_depends_on_the_elements_that_it_reads_alone(sample, dtype):
    xs = values(sample, dtype)
    reads = sample.op.reads(*[value_type(x) for x in xs])
    want = sample.op.reference(*xs)
    assert len(reads) == len(xs)
    for loops in np.ndindex(want.shape):
        one = [np.asarray(element(read, x, loops, want.shape)) for read, x in zip(reads, xs, strict=True)]
        np.testing.assert_array_equal(np.asarray(sample.op.reference(*one)), want[loops])


@pytest.mark.parametrize(("sample", "dtype"), of_kind(Sum, SumTo))
def test_a_sum_is_the_sum_of_what_its_iterations_read(sample, dtype):
    xs = values(sample, dtype)
    got = rebuilt(sample, xs, lambda rows: sum(x for (x,) in rows))
    np.testing.assert_allclose(got, sample.op.reference(*xs), rtol=1e-13)


def place_of(chosen):
    """The place of the element that `chosen` takes of a list: the first of equal ones."""
    return lambda row: row.index(chosen(row))


REBUILT = {
    Max: max,
    Min: min,
    ArgMax: place_of(max),
    ArgMin: place_of(min),
    Prod: math.prod,
    AnyTrue: any,
    AllTrue: all,
}


@pytest.mark.parametrize(("sample", "dtype"), of_kind(*REBUILT))
def test_a_reduction_is_made_of_what_its_iterations_read(sample, dtype):
    xs = values(sample, dtype)
    got = rebuilt(sample, xs, lambda rows: REBUILT[type(sample.op)]([x for (x,) in rows]))
    np.testing.assert_allclose(got, sample.op.reference(*xs), rtol=1e-14)


@pytest.mark.parametrize(("sample", "dtype"), of_kind(Contraction))
def test_a_contraction_is_the_sum_of_products_of_what_its_iterations_read(sample, dtype):
    xs = values(sample, dtype)
    got = rebuilt(sample, xs, lambda rows: sum(x * y for x, y in rows))
    np.testing.assert_allclose(got, sample.op.reference(*xs), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("cls", [c for c in OPS if issubclass(c, Reduction)], ids=lambda c: c.name)
def test_every_reduction_is_rebuilt_by_a_test_above(cls):
    assert cls in (Sum, *REBUILT)


@pytest.mark.parametrize("cls", OPS, ids=lambda c: c.name)
def test_reads_say_something_of_every_input(cls):
    for sample in cls.domain():
        xs = values(sample, preferred(sample))
        reads = sample.op.reads(*[value_type(x) for x in xs])
        assert len(reads) == len(xs)
        for read, x in zip(reads, xs, strict=True):
            if isinstance(read, tuple):
                assert len(read) == x.ndim
                assert all(isinstance(r, AxisRead) for r in read)
