"""Batching every op equals a loop and a stack, for every choice of batched inputs."""

from __future__ import annotations

import numpy as np
import pytest
from samples import WITH_INPUTS, cases, dtypes_of, flags, preferred

from tidegate.core.dtypes import float64
from tidegate.testing import batch, check_batching, draw

SIZE = 3


def stacked(sample, dtype, batched, rng, size=SIZE):
    """Inputs of the sample, those that `batched` says with a leading axis; indices and predicates differ along it."""
    return [
        np.stack([draw(s, rng, dtype) for _ in range(size)]) if b else draw(s, rng, dtype)
        for s, b in zip(sample.inputs, batched, strict=True)
    ]


def one_of_each_kind(sample):
    """The dtypes that the op takes, one of a kind: wide floats, halves, bfloat16, complex, signed, unsigned, bool."""
    found = dtypes_of(sample)
    return list({(d.kind, d.isbuiltin, d.itemsize < 4): d for d in found}.values())


ALL = [
    pytest.param(sample, dtype, batched, id=f"{cls.name}-{i}-{dtype.name}-{''.join('01'[b] for b in batched)}")
    for cls in WITH_INPUTS
    for i, sample in enumerate(cls.domain())
    for dtype in one_of_each_kind(sample)
    for batched in flags(len(sample.inputs))
]


@pytest.mark.parametrize(("sample", "dtype", "batched"), ALL)
def test_a_batch_equals_a_loop(sample, dtype, batched):
    check_batching(sample.op, stacked(sample, dtype, batched, np.random.default_rng(7)), batched)


NESTED = [
    pytest.param(
        sample, inner, outer, id=f"{cls.name}-{i}-{''.join('01'[b] for b in inner)}-{''.join('01'[b] for b in outer)}"
    )
    for cls in WITH_INPUTS
    for i, sample in enumerate(cls.domain())
    for inner in flags(len(sample.inputs))
    for outer in flags(len(sample.inputs))
]


@pytest.mark.parametrize(("sample", "inner", "outer"), NESTED)
def test_a_batch_of_batches_equals_a_loop_of_batches(sample, inner, outer):
    rng = np.random.default_rng(8)
    dtype = preferred(sample)
    rows = [stacked(sample, dtype, inner, rng, 2) for _ in range(SIZE)]
    inputs = [np.stack([row[i] for row in rows]) if b else rows[0][i] for i, b in enumerate(outer)]
    check_batching(batch(sample.op, 2, inner), inputs, outer)


@pytest.mark.parametrize("size", [0, 1])
@pytest.mark.parametrize(("sample", "dtype"), cases(WITH_INPUTS, [float64]))
def test_a_batch_of_none_and_of_one_have_the_shape_of_a_batch(sample, dtype, size):
    batched = (True,) * len(sample.inputs)
    rng = np.random.default_rng(9)
    inputs = [x[:size] for x in stacked(sample, dtype, batched, rng, 1)]
    check_batching(sample.op, inputs, batched)
