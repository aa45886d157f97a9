"""Reverse and forward mode on random programs: they agree with each other, and with brute force."""

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings

import tidegate as tg
from brute import Held, slope
from graphs import REFUSING, Program, generic, programs, steps_of
from tidegate.transforms.engine import ENGINE

many = settings(max_examples=150, suppress_health_check=list(HealthCheck))
few = settings(max_examples=60, suppress_health_check=list(HealthCheck))


def inner(a, b):
    """Re<a, b>."""
    return float(np.sum(np.real(np.conj(np.asarray(a)) * np.asarray(b))))


def directions(graph):
    """A cotangent for each target, a tangent for each source: generic ones."""
    us = [generic(700 + i, y.dtype) for i, y in enumerate(graph.targets)]
    vs = [generic(800 + i, x.dtype) for i, x in enumerate(graph.sources)]
    return us, vs


def close_to(a, b, tolerance):
    return abs(a - b) <= tolerance * max(1.0, abs(a), abs(b))


def finite(graph):
    """Programs whose values stay moderate, so that a difference quotient means something."""
    values = [np.asarray(x) for x in graph.pool]
    assume(all(np.abs(v).max() < 1e3 for v in values))


@many
@given(programs())
def test_reverse_mode_is_the_adjoint_of_forward_mode(program: Program):
    graph = program.graph()
    us, vs = directions(graph)
    for x, v in zip(graph.sources, vs, strict=True):
        (g,) = tg.gradients(graph.targets, x, us)
        tangents = ENGINE.jvp(graph.targets, [x], [tg.asarray(v)])
        ahead = sum(inner(u, t) for u, t in zip(us, tangents, strict=True) if t is not None)
        assert close_to(0.0 if g is None else inner(g, v), ahead, 1e-9)


@many
@given(programs())
def test_partial_derivatives_are_the_adjoint_of_moving_every_source_alone(program: Program):
    graph = program.graph()
    us, vs = directions(graph)
    back = tg.gradients(graph.targets, graph.sources, us, stop_gradients=graph.sources)
    tangents = ENGINE.jvp(graph.targets, graph.sources, [tg.asarray(v) for v in vs])
    ahead = sum(inner(u, t) for u, t in zip(us, tangents, strict=True) if t is not None)
    assert close_to(sum(inner(g, v) for g, v in zip(back, vs, strict=True) if g is not None), ahead, 1e-9)


@many
@given(programs())
def test_a_gradient_is_none_where_no_tangent_comes(program: Program):
    graph = program.graph()
    us, vs = directions(graph)
    for x, v in zip(graph.sources, vs, strict=True):
        for y, u in zip(graph.targets, us, strict=True):
            (g,) = tg.gradients(y, x, [u])
            (t,) = ENGINE.jvp([y], [x], [tg.asarray(v)])
            assert (g is None) == (t is None)


@many
@given(programs())
def test_gradients_are_difference_quotients_with_stops_held(program: Program):
    graph = program.graph()
    finite(graph)
    us, vs = directions(graph)
    stops = {t.edge for t in graph.stops}
    held = Held([*graph.targets, *graph.sources], stops)
    back = tg.gradients(graph.targets, graph.sources, us, stop_gradients=graph.stops)
    for x, v, g in zip(graph.sources, vs, back, strict=True):
        slopes = slope(held, x, v)[: len(us)]
        want = sum(inner(u, s) for u, s in zip(us, slopes, strict=True))
        assert close_to(0.0 if g is None else inner(g, v), want, 1e-6)


@few
@given(programs(most=6))
def test_second_derivatives_are_difference_quotients_of_gradients(program: Program):
    graph = program.graph()
    finite(graph)
    us, vs = directions(graph)
    x, v = graph.sources[0], vs[0]
    (g,) = tg.gradients(graph.targets, x, us)
    assume(g is not None)
    held = Held([g, x])
    want = slope(held, x, v)[0]
    (twice,) = tg.gradients(g, x, [generic(900, x.dtype)])
    (pushed,) = ENGINE.jvp([g], [x], [tg.asarray(v)])
    assert np.allclose(0.0 if pushed is None else pushed, want, rtol=1e-5, atol=1e-5)
    assert close_to(0.0 if twice is None else inner(twice, v), inner(generic(900, x.dtype), want), 1e-5)


@few
@given(programs(most=6, dtypes=[tg.float64]))
def test_a_hessian_is_symmetric(program: Program):
    """Of the function that holds stopped values."""
    graph = program.graph()
    us, _ = directions(graph)
    x = graph.sources[0]
    (g,) = tg.gradients(graph.targets, x, us)
    assume(g is not None)
    rows = [tg.gradients(g[i], x)[0] for i in range(3)]
    stopped = any(row is None for row in rows) or program_stops(program)
    assume(not stopped)
    hessian = np.stack([np.asarray(r) for r in rows])
    assert np.allclose(hessian, hessian.T, rtol=1e-9, atol=1e-9)


def program_stops(program: Program) -> bool:
    """Whether it has a stop: a stopped factor moves in the first derivative's place, so symmetry is lost."""
    stopping = {"stop", "straight_through", "internal_stop", "either", "either_of_two", "called", "called_twice_deep"}
    return any(name in stopping for name, _, _ in program.steps)


@many
@given(programs(refusing=True))
def test_both_modes_refuse_the_same_derivatives(program: Program):
    graph = program.graph()
    us, vs = directions(graph)
    for x, v in zip(graph.sources, vs, strict=True):
        back = refuses(tg.gradients, graph.targets, x, us)
        assert refuses(ENGINE.jvp, graph.targets, [x], [tg.asarray(v)]) == back


def refuses(derive, *args):
    try:
        derive(*args)
    except tg.GradientRefusedError:
        return True
    return False


@few
@given(programs())
def test_a_forward_derivative_by_hand_is_jvp_of_the_function(program: Program):
    values = program.values()
    outs, tangents = tg.jvp(program.function, values, [generic(60 + i, v.dtype) for i, v in enumerate(values)])
    graph = program.graph()
    inputs = graph.pool[: program.inputs]
    want = ENGINE.jvp(graph.targets, inputs, [tg.asarray(generic(60 + i, v.dtype)) for i, v in enumerate(values)])
    for y, again, t, w in zip(outs, graph.targets, tangents, want, strict=True):
        assert np.array_equal(y, again)
        assert (t is None) == (w is None)
        assert t is None or np.allclose(t, w, rtol=1e-12, atol=1e-12)


EACH = [(name, np.dtype(d)) for d in (tg.float64, tg.complex128) for name in steps_of(np.dtype(d))]
SMOOTH = [(n, d) for n, d in EACH if n not in REFUSING]


@pytest.mark.parametrize(("name", "dtype"), SMOOTH, ids=lambda v: str(v))
def test_every_step_of_the_random_programs_has_the_derivative_of_a_difference_quotient(name, dtype):
    program = Program(dtype, 2, ((name, 0, 1),), (2,), (0, 1), ())
    graph = program.graph(seed=3)
    assert graph.targets[0].type is graph.sources[0].type
    _, vs = directions(graph)
    held = Held([*graph.targets, *graph.sources])
    for x, v in zip(graph.sources, vs, strict=True):
        (want,) = slope(held, x, v)[:1]
        (t,) = ENGINE.jvp(graph.targets, [x], [tg.asarray(v)])
        assert np.allclose(0.0 if t is None else t, want, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize(("name", "dtype"), SMOOTH, ids=lambda v: str(v))
def test_every_step_of_the_random_programs_has_the_second_derivative_of_a_difference_quotient(name, dtype):
    program = Program(dtype, 2, ((name, 0, 1),), (2,), (0, 1), ())
    graph = program.graph(seed=3)
    us, vs = directions(graph)
    firsts = [g for g in tg.gradients(graph.targets, graph.sources, us) if g is not None]
    held = Held([*firsts, *graph.sources])
    for x, v in zip(graph.sources, vs, strict=True):
        slopes = slope(held, x, v)
        for g, want in zip(firsts, slopes, strict=False):
            (t,) = ENGINE.jvp([g], [x], [tg.asarray(v)])
            assert np.allclose(0.0 if t is None else t, want, rtol=1e-7, atol=1e-7)
            w = generic(900, g.dtype)
            (twice,) = tg.gradients(g, x, [w])
            assert close_to(0.0 if twice is None else inner(twice, v), inner(w, want), 1e-7)
