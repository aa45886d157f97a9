"""Small losses that people got wrong: each with its right value, what a forgotten stop makes of it, and its flow.

Every figure follows by hand from the few operations beside it.
"""

import numpy as np
import pytest

import tidegate as tg


def f64(value):
    return tg.asarray(np.asarray(value, np.float64))


def grads(loss, sources):
    """The gradient for each source by name, as plain numbers."""
    found = tg.gradients(loss, list(sources.values()))
    return {name: None if g is None else g.numpy().tolist() for name, g in zip(sources, found, strict=True)}


def flows(loss, sources):
    """(status, ops that block) for each source by name."""
    report = tg.flow.why(loss, sources)
    return {f.source: (f.status, sorted({b.op for b in f.blockers})) for f in report}


def choices(loss, source):
    (flow,) = tg.flow.why(loss, source)
    return sorted({c.op for c in flow.choices})


def kept(x):
    return x


def test_a_temporal_difference_target_is_constant():
    def loss(w, stop):
        target = stop(1.0 + 0.9 * (w * 3.0))
        return 0.5 * (target - w * 1.0) ** 2.0

    w = f64(2.0)
    right = loss(w, tg.stop_gradient)
    assert float(right) == pytest.approx(9.68)
    assert float(tg.gradients(right, w)[0]) == pytest.approx(-4.4)
    assert float(tg.gradients(loss(w, kept), w)[0]) == pytest.approx(7.48)
    assert flows(right, {"w": w}) == {"w": ("mixed", ["StopGradient"])}


def test_one_of_two_stops_forgotten_shows_in_the_flow_and_not_in_the_value():
    def loss(w, h, second):
        z1, z2 = w * f64([1.0, 0.0]), w * f64([0.6, 0.8])
        agree = -tg.sum(h * z1 * tg.stop_gradient(z2)), -tg.sum(h * z2 * second(z1))
        return 0.5 * agree[0] + 0.5 * agree[1]

    w, h = f64(2.0), f64(3.0)
    good, bad = loss(w, h, tg.stop_gradient), loss(w, h, kept)
    assert float(good) == pytest.approx(-7.2)
    assert float(bad) == pytest.approx(-7.2)
    assert grads(good, {"w": w, "h": h}) == {"w": pytest.approx(-3.6), "h": pytest.approx(-2.4)}
    assert grads(bad, {"w": w}) == {"w": pytest.approx(-5.4)}
    assert flows(good, {"w": w, "h": h}) == {"w": ("mixed", ["StopGradient"]), "h": ("flows", [])}
    assert tg.flow.why(bad, w)[0].blocked_paths < tg.flow.why(good, w)[0].blocked_paths


def test_a_codebook_term_on_the_straight_through_output_trains_no_codebook():
    def loss(book, z, wrong):
        near = tg.argmax(-tg.sum((book - z) ** 2.0, axis=1))
        row = tg.take(book, near, axis=0)
        passed = z + tg.stop_gradient(row - z)
        return tg.sum(((passed if wrong else row) - tg.stop_gradient(z)) ** 2.0)

    sources = {"book": f64([[0.0, 0.0], [1.0, 1.0]]), "z": f64([0.8, 0.7])}
    bad, good = loss(**sources, wrong=True), loss(**sources, wrong=False)
    assert grads(bad, sources) == {"book": None, "z": pytest.approx([0.4, 0.6])}
    got = grads(good, sources)
    np.testing.assert_allclose(got["book"], [[0.0, 0.0], [0.4, 0.6]])
    assert got["z"] is None
    assert flows(bad, sources) == {
        "book": ("blocked", ["ArgMax", "StopGradient"]),
        "z": ("mixed", ["ArgMax", "StopGradient"]),
    }


def test_a_loss_of_the_predicted_class_is_blocked_at_argmax():
    scores = f64([0.2, 0.9])
    loss = tg.astype(tg.argmax(scores), tg.float64) ** 2.0
    assert float(loss) == 1.0
    assert grads(loss, {"scores": scores}) == {"scores": None}
    assert flows(loss, {"scores": scores}) == {"scores": ("blocked", ["ArgMax"])}


def test_three_ways_to_get_nothing_are_told_apart():
    sources = {"unused": f64(2.0), "held": f64(3.0), "off": f64(-1.0), "live": f64(4.0)}
    live = sources["live"]
    loss = live * live + tg.stop_gradient(sources["held"]) * live + tg.maximum(0.0, sources["off"])
    assert grads(loss, sources) == {"unused": None, "held": None, "off": 0.0, "live": 11.0}
    assert flows(loss, sources) == {
        "unused": ("unconnected", []),
        "held": ("blocked", ["StopGradient"]),
        "off": ("flows", []),
        "live": ("flows", []),
    }


def test_a_predicate_is_a_choice_and_no_blocker():
    x = f64([0.0, 4.0, -1.0])
    loss = tg.sum(tg.where(x > 0.0, tg.sqrt(x), 0.0))
    assert grads(loss, {"x": x}) == {"x": [0.0, 0.25, 0.0]}
    assert flows(loss, {"x": x}) == {"x": ("flows", [])}
    assert choices(loss, x) == ["Greater"]


def test_a_derivative_that_is_never_asked_for_is_never_nan():
    def loss(x, stop):
        return tg.sum((x + 1.0) * stop(tg.sqrt(tg.sum(x * x))))

    x = f64([0.0, 0.0])
    assert grads(loss(x, tg.stop_gradient), {"x": x}) == {"x": [0.0, 0.0]}
    assert np.isnan(tg.gradients(loss(x, kept), x)[0].numpy()).all()
    assert flows(loss(x, tg.stop_gradient), {"x": x}) == {"x": ("mixed", ["StopGradient"])}


def test_rounding_with_derivative_one_and_rounding_that_is_dead():
    x = f64(2.6)
    passed = (x + tg.stop_gradient(tg.floor(x + 0.5) - x) - 1.0) ** 2.0
    dead = (tg.stop_gradient(tg.floor(x + 0.5)) - 1.0) ** 2.0
    assert [float(passed), float(dead)] == [4.0, 4.0]
    assert grads(passed, {"x": x}) == {"x": 4.0}
    assert grads(dead, {"x": x}) == {"x": None}
    assert flows(passed, {"x": x}) == {"x": ("mixed", ["Floor", "StopGradient"])}


def test_a_log_probability_of_its_own_sample_needs_the_sample_stopped():
    def loss(mu, s, stop):
        draw = stop(mu + s * 1.5)
        return -0.5 * ((draw - mu) / s) ** 2.0 - tg.log(s)

    sources = {"mu": f64(0.5), "s": f64(2.0)}
    stopped = loss(**sources, stop=tg.stop_gradient)
    assert grads(stopped, sources) == {"mu": 0.75, "s": 0.625}
    assert grads(loss(**sources, stop=kept), sources) == {"mu": 0.0, "s": -0.5}
    assert flows(stopped, sources) == {"mu": ("mixed", ["StopGradient"]), "s": ("mixed", ["StopGradient"])}


def test_an_inner_step_is_of_second_order_unless_its_gradient_is_stopped():
    def outer(w, stop):
        (g,) = tg.gradients((w - 1.0) ** 2.0, w)
        return (w - 0.1 * stop(g)) ** 2.0

    w = f64(3.0)
    assert float(outer(w, kept)) == pytest.approx(6.76)
    assert grads(outer(w, kept), {"w": w}) == {"w": pytest.approx(4.16)}
    assert grads(outer(w, tg.stop_gradient), {"w": w}) == {"w": pytest.approx(5.2)}


def test_a_value_and_its_stopped_twin_stay_apart():
    w = f64(3.0)
    n = w * w
    twin = tg.stop_gradient(n)
    assert float(n + twin * w) == 36.0
    assert grads(n + twin * w, {"w": w}) == {"w": 15.0}
    assert grads(twin, {"w": w}) == {"w": None}


def test_a_weight_without_gradient_is_not_moved_by_weight_decay():
    sources = {"held": f64(2.0), "free": f64(1.0)}
    loss = tg.stop_gradient(sources["held"]) * sources["free"]

    def step(w, g):
        return float(w) if g is None else float(w) - 0.5 * (g + 0.1 * float(w))

    g = grads(loss, sources)
    assert {name: step(sources[name], g[name]) for name in sources} == {"held": 2.0, "free": pytest.approx(-0.05)}
    assert flows(loss, sources) == {"held": ("blocked", ["StopGradient"]), "free": ("flows", [])}


def test_five_parameters_get_five_answers():
    sources = {"a": f64(3.0), "b": f64(1.0), "c": f64([1.0, 5.0]), "d": f64(2.0), "e": f64(7.0)}
    a = sources["a"]
    prize = tg.take(f64([10.0, 20.0]), tg.argmax(sources["c"]), axis=0)
    loss = a * a + tg.stop_gradient(sources["d"]) * a + prize + 0.0 * sources["e"]
    assert float(loss) == 35.0
    assert grads(loss, sources) == {"a": 8.0, "b": None, "c": None, "d": None, "e": 0.0}
    assert flows(loss, sources) == {
        "a": ("flows", []),
        "b": ("unconnected", []),
        "c": ("blocked", ["ArgMax"]),
        "d": ("blocked", ["StopGradient"]),
        "e": ("flows", []),
    }


def test_a_finite_value_can_have_a_gradient_that_is_not():
    x = f64([0.0, 1.0])
    square = x * x
    loss = tg.sum(tg.sqrt(square) * 3.0)
    assert np.isfinite(float(loss))
    at_square, at_x = (g.numpy() for g in tg.gradients(loss, [square, x]))
    np.testing.assert_array_equal(at_square, [np.inf, 1.5])
    np.testing.assert_array_equal(at_x, [np.nan, 3.0])
