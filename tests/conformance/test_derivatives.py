"""Every op's derivatives, both modes, to order 2, for every subset of inputs varying."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import ELEMENTARY, EXACT, cases, takes, type_of

import tidegate as tg
from tidegate.core.dtypes import complex128
from tidegate.core.kinds import Elementwise
from tidegate.testing import check_derivatives, draw, draw_tangent
from tidegate.transforms.engine import ENGINE

DIFFERENTIABLE = [cls for cls in ELEMENTARY if cls.form != "refuses"]


@pytest.mark.parametrize(("sample", "dtype"), cases(DIFFERENTIABLE, EXACT))
def test_both_modes_agree_with_a_difference_quotient_to_order_two(sample, dtype):
    check_derivatives(sample.op, *sample.inputs, dtype=dtype)


@pytest.mark.parametrize("cls", [c for c in DIFFERENTIABLE if issubclass(c, Elementwise)], ids=lambda c: c.name)
@given(shape=st.lists(st.integers(0, 4), max_size=3).map(tuple), seed=st.integers(0, 2**16))
@settings(max_examples=8)
def test_elementwise_derivatives_are_right_in_any_shape(cls, shape, seed):
    sample = cls.domain()[0]
    inputs = [replace(spec, shape=shape) for spec in sample.inputs]
    dtypes = [d for d in EXACT if takes(sample, d)]
    for dtype in dtypes:
        check_derivatives(sample.op, *inputs, dtype=dtype, seed=seed, order=1)


HOLOMORPHIC = [
    cls
    for cls in DIFFERENTIABLE
    if issubclass(cls, Elementwise)
    and cls.form != "non_differentiable"
    and all(takes(s, d) for s in cls.domain() for d in EXACT)
    and cls.domain()[0].op.output_types(tuple(type_of(s, complex128) for s in cls.domain()[0].inputs))[0].dtype
    == complex128
]


@pytest.mark.parametrize("cls", HOLOMORPHIC, ids=lambda c: c.name)
def test_forward_mode_equals_a_complex_step_where_the_op_is_holomorphic(cls):
    sample, rng, tiny = cls.domain()[1], np.random.default_rng(3), 1e-30
    xs = [tg.asarray(draw(s, rng)) for s in sample.inputs]
    moves = [
        tg.asarray(draw_tangent(s, rng)) if x.differentiable else None for s, x in zip(sample.inputs, xs, strict=True)
    ]
    (slope,) = ENGINE.jvp([sample.op(*xs)], xs, moves)
    beside = [x if t is None else x.numpy() + 1j * tiny * t.numpy() for x, t in zip(xs, moves, strict=True)]
    stepped = sample.op(*[tg.asarray(x) for x in beside]).numpy().imag / tiny
    np.testing.assert_allclose(np.zeros_like(stepped) if slope is None else slope.numpy(), stepped, rtol=1e-12)


@pytest.mark.parametrize("mode", ["vjp", "jvp"])
@pytest.mark.parametrize(("sample", "dtype"), cases([c for c in ELEMENTARY if c.form == "refuses"], EXACT))
def test_an_op_that_refuses_raises_in_both_modes(sample, dtype, mode):
    xs = [tg.asarray(draw(s, np.random.default_rng(0), dtype)) for s in sample.inputs]
    y = sample.op(*xs)
    with pytest.raises(tg.GradientRefusedError, match=rf"^{sample.op.name}: .+ \(.*test_derivatives.py:\d+\)$"):
        getattr(ENGINE, mode)([y], xs, xs)


@pytest.mark.parametrize(("sample", "dtype"), cases(DIFFERENTIABLE, EXACT))
def test_none_appears_exactly_where_the_op_says_that_nothing_passes(sample, dtype):
    op, rng = sample.op, np.random.default_rng(5)
    xs = [tg.asarray(draw(s, rng, dtype)) for s in sample.inputs]
    outs = op(*xs)
    outs = outs if isinstance(outs, tuple) else (outs,)
    for k, y in enumerate(outs):
        pulled = ENGINE.vjp([y], xs, [tg.asarray(np.ones(y.shape), y.dtype)])
        for i, x in enumerate(xs):
            open_slot = x.differentiable and y.differentiable and op.passes(k, i)
            (pushed,) = ENGINE.jvp([y], [x], [x])
            assert (pulled[i] is not None) == open_slot, (k, i)
            assert (pushed is not None) == open_slot, (k, i)
            if not op.passes(k, i):
                assert op.why_not(k, i).strip()
