"""Versions of Variables that are far away: behind a cut of the history, or outside of the trace that asks."""

import warnings

import pytest

import tidegate as tg


def seen_through_jit():
    v = tg.Variable(3.0)
    y = tg.jit(lambda: v * v)()
    v.assign(9.0)
    return v, y


def seen_through_the_budget():
    v = tg.Variable(3.0)
    with tg.config.using(history=tg.HistoryBudget(nodes=50, nbytes=10_000)), warnings.catch_warnings():
        warnings.simplefilter("ignore", tg.HistoryWarning)
        y = v * v
        for _ in range(200):
            y = y * 1.0
            y.numpy()
    v.assign(9.0)
    return v, y


CUTS = pytest.mark.parametrize("cut", [seen_through_jit, seen_through_the_budget])


@CUTS
def test_a_version_that_only_a_cut_knows_of_makes_an_error_and_no_none(cut):
    v, y = cut()
    with pytest.raises(tg.HistoryCutError, match=r"made at tests/runtime/test_variable_versions\.py"):
        tg.gradients(y, v)


@CUTS
def test_a_version_behind_a_cut_is_not_left_out_of_a_sum(cut):
    v, y = cut()
    with pytest.raises(tg.HistoryCutError):
        tg.gradients(y + v, v)


@CUTS
def test_unconnected_counts_what_is_behind_the_cut_as_constant(cut):
    v, y = cut()
    assert tg.gradients(y, v, unconnected="none") == [None]
    assert tg.gradients(y + v, v, unconnected="none")[0].item() == 1.0


@CUTS
def test_the_version_of_now_does_not_lie_behind_an_older_cut(cut):
    v, y = cut()
    assert tg.gradients(y, v.value) == [None]
    assert tg.gradients(y * v, v.value)[0].item() == 9.0


@CUTS
def test_another_variable_does_not_lie_behind_the_cut(cut):
    other = tg.Variable(1.0)
    _, y = cut()
    assert tg.gradients(y, other) == [None]


@CUTS
def test_why_says_that_a_version_is_cut(cut):
    v, y = cut()
    assert [flow.status for flow in tg.flow.why(y, v)] == ["cut"]
    assert sorted(flow.status for flow in tg.flow.why(y * v, v)) == ["cut", "flows"]
    assert [flow.status for flow in tg.flow.why(tg.stop_gradient(y), v)] == ["blocked"]


def test_in_jit_a_gradient_reaches_the_version_that_was_read_before():
    v = tg.Variable(3.0)
    y = v * v
    assert tg.jit(lambda: tg.gradients(y, v))()[0].item() == 6.0
    assert tg.jit(lambda: tg.gradients(y * v, v))()[0].item() == 27.0


def test_in_a_jitted_function_within_another_one_a_gradient_reaches_what_the_outer_one_read():
    v = tg.Variable(3.0)

    @tg.jit
    def outer():
        y = v * v
        return tg.jit(lambda: tg.gradients(y * v, v))()

    assert outer()[0].item() == 27.0
