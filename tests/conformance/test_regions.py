"""Regions: Call and Cond, whose two modes are stated apart, against each other and against their bodies inlined."""

from __future__ import annotations

import numpy as np
import pytest
from samples import OPS

import tidegate as tg
from tidegate.core.graph import TensorType
from tidegate.core.kinds import Region
from tidegate.ops.creation import Input
from tidegate.ops.regions import Body, Call, Cond
from tidegate.testing import check_derivatives, draw
from tidegate.transforms.engine import ENGINE

REGIONS = [cls for cls in OPS if issubclass(cls, Region)]


def closed(function, *types):
    """A body that runs `function`."""
    inputs = [Input(t)() for t in types]
    outputs = function(*inputs)
    return Body(inputs, outputs if isinstance(outputs, tuple) else (outputs,))


VECTOR = TensorType((3,), tg.float64)
FUNCTIONS = {
    "a product": lambda x, y: tg.sin(x) * y,
    "several outputs": lambda x, y: (x * y, x * x, tg.exp(y)),
    "an input as it is": lambda x, y: (y, x * y),
    "an input not read": lambda x, y: (tg.cos(y),),
    "one output of integers": lambda x, y: (x / (y * y + 2.0), tg.argmax(x)),
    "a constant output": lambda x, y: (tg.zeros((2,), dtype=tg.float64), x - y),
    "the same output twice": lambda x, y: (lambda z: (z, z))(x * x * y),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_call_has_the_derivatives_of_its_body(name):
    op = Call(closed(FUNCTIONS[name], VECTOR, VECTOR))
    check_derivatives(op, [0.3, -1.2, 0.7], [1.5, 0.4, -0.8])


@pytest.mark.parametrize("predicate", [True, False])
@pytest.mark.parametrize("name", ["a product", "an input as it is", "an input not read", "the same output twice"])
def test_a_cond_has_the_derivatives_of_the_branch_taken(name, predicate):
    def other(x, y):
        outputs = FUNCTIONS[name](x, y)
        return tuple([y * y] * (len(outputs) if isinstance(outputs, tuple) else 1))

    op = Cond(closed(FUNCTIONS[name], VECTOR, VECTOR), closed(other, VECTOR, VECTOR))
    check_derivatives(op, np.asarray(predicate), [0.3, -1.2, 0.7], [1.5, 0.4, -0.8])


@pytest.mark.parametrize("depth", [2, 3])
def test_calls_of_calls_have_the_derivatives_of_their_bodies(depth):
    body = closed(lambda x, y: (tg.sin(x) * y, x * x), VECTOR, VECTOR)
    for _ in range(depth):
        body = closed(lambda x, y, inner=body: Call(inner)(y, x * 0.5), VECTOR, VECTOR)
    check_derivatives(Call(body), [0.3, -1.2, 0.7], [1.5, 0.4, -0.8])


def test_a_complex_call_has_the_derivatives_of_its_body():
    kind = TensorType((2,), tg.complex128)
    check_derivatives(
        Call(closed(lambda z, w: tg.abs(z * w) + tg.real(tg.exp(w)), kind, kind)), [0.3 + 1j, -1.2], [1j, 2]
    )


@pytest.mark.parametrize("cls", REGIONS, ids=lambda c: c.name)
def test_both_stated_modes_agree_on_every_sample(cls):
    rng = np.random.default_rng(1)
    for sample in cls.domain():
        xs = [tg.asarray(draw(s, rng)) for s in sample.inputs]
        outs = sample.op(*xs)
        real = [i for i, x in enumerate(xs) if x.differentiable]
        moves = [tg.asarray(rng.normal(size=xs[i].shape)) for i in real]
        seeds = [tg.asarray(rng.normal(size=y.shape)) for y in outs]
        pushed = ENGINE.jvp(outs, [xs[i] for i in real], moves)
        pulled = ENGINE.vjp(outs, [xs[i] for i in real], seeds)
        left = sum(tg.sum(u * t).item() for u, t in zip(seeds, pushed, strict=True) if t is not None)
        right = sum(tg.sum(g * v).item() for g, v in zip(pulled, moves, strict=True) if g is not None)
        assert left != 0
        assert left == pytest.approx(right, rel=1e-13)


@pytest.mark.parametrize("cls", REGIONS, ids=lambda c: c.name)
def test_what_passes_is_what_the_modes_give(cls):
    rng = np.random.default_rng(1)
    for sample in cls.domain():
        xs = [tg.asarray(draw(s, rng)) for s in sample.inputs]
        outs = sample.op(*xs)
        for k, y in enumerate(outs):
            for i, x in enumerate(xs):
                ((pulled,), (pushed,)) = ENGINE.vjp([y], [x], [y]), ENGINE.jvp([y], [x], [x])
                opened = x.differentiable and sample.op.passes(k, i)
                assert (pulled is not None, pushed is not None) == (opened, opened), (k, i)
                if not sample.op.passes(k, i):
                    assert sample.op.why_not(k, i)


def test_a_stop_in_a_body_stops_as_outside():
    x, y = tg.asarray([0.3, -1.2, 0.7], tg.float64), tg.asarray([1.5, 0.4, -0.8], tg.float64)
    (out,) = Call(closed(lambda x, y: tg.stop_gradient(x * y) * y, VECTOR, VECTOR))(x, y)
    gx, gy = ENGINE.vjp([out], [x, y], [tg.ones(3, dtype=tg.float64)])
    assert gx is None
    np.testing.assert_allclose(gy.numpy(), x.numpy() * y.numpy())


def test_an_infinite_derivative_of_the_branch_not_taken_does_not_leak():
    x = tg.asarray([0.0, 0.0, 0.0], tg.float64)
    op = Cond(closed(tg.log, VECTOR), closed(lambda v: v * 2.0, VECTOR))
    (out,) = op(tg.asarray(False), x)
    (g,) = ENGINE.vjp([out], [x], [tg.ones(3, dtype=tg.float64)])
    np.testing.assert_array_equal(g.numpy(), [2.0, 2.0, 2.0])
