"""why: statuses, counts and blockers on graphs that one can follow by hand."""

import inspect
import json

import numpy as np
import pytest

import tidegate as tg
from graphs import call
from tidegate.core.trace import Scope, within
from tidegate.ops.gates import StopGradient
from tidegate.runtime.statistics import statistics


def array(x):
    return tg.asarray(x, tg.float64)


@pytest.fixture
def x():
    return array([0.5, 1.5, 2.5])


def flow(target, source, **options):
    """The one Flow of a report on one source."""
    (found,) = tg.flow.why(target, source, **options)
    return found


def blocked_at(found):
    return [(b.op, b.why, b.paths) for b in found.blockers]


STOPPED = "stop_gradient makes it a constant"


def test_each_use_of_a_tensor_is_a_path(x):
    found = flow(x * x + x, x)
    assert (found.status, found.open_paths, found.blocked_paths) == ("flows", 3, 0)


def test_a_source_is_a_path_to_itself(x):
    assert flow(x, x).open_paths == 1


def test_a_target_that_is_listed_twice_counts_twice(x):
    y = tg.exp(x)
    assert flow([y, y, x], x).open_paths == 3


def test_a_stop_on_one_of_two_paths_is_mixed(x):
    found = flow(x * tg.stop_gradient(x), x)
    assert (found.status, found.open_paths, found.blocked_paths) == ("mixed", 1, 1)
    assert blocked_at(found) == [("StopGradient", STOPPED, 1)]


def test_a_stop_on_every_path_is_blocked(x):
    found = flow(tg.stop_gradient(x * x), x)
    assert (found.status, found.open_paths, found.blocked_paths) == ("blocked", 0, 2)
    assert not found.flows


def test_what_is_not_used_is_unconnected(x):
    found = flow(tg.exp(x), array(1.0))
    assert (found.status, found.open_paths, found.blocked_paths) == ("unconnected", 0, 0)


def test_what_was_made_after_the_target_is_unconnected(x):
    y = tg.exp(x)
    assert flow(y, tg.sin(y)).status == "unconnected"


def test_a_blocker_names_the_users_line(x):
    line = inspect.currentframe().f_lineno + 1
    held = tg.stop_gradient(x * 2.0)
    (blocker,) = flow(held * x, x).blockers
    assert blocker.line.endswith(f"test_why.py:{line}")
    assert blocker.text == "held = tg.stop_gradient(x * 2.0)"


def test_the_first_stop_from_the_source_is_the_blocker(x):
    first = tg.stop_gradient(x)
    second = tg.stop_gradient(tg.exp(first))
    found = flow(second, x)
    assert [b.text for b in found.blockers] == ["first = tg.stop_gradient(x)"]


def test_two_stops_of_one_line_are_one_blocker_and_add_up(x):
    y = tg.stop_gradient(x) * tg.stop_gradient(2.0 * x)
    assert blocked_at(flow(y, x)) == [("StopGradient", STOPPED, 2)]


def test_an_op_without_a_derivative_gives_its_own_sentence(x):
    assert blocked_at(flow(tg.floor(x), x)) == [("Floor", "floor is piecewise constant", 1)]
    assert blocked_at(flow(tg.astype(tg.argmax(x), tg.float64), x)) == [
        ("ArgMax", "a place is a whole number: it jumps, or stays", 1)
    ]


def test_a_cast_to_integers_blocks_with_its_dtype(x):
    found = flow(tg.astype(tg.astype(x, tg.int32), tg.float64), x)
    assert blocked_at(found) == [("Cast", "int32 carries no gradient", 1)]


def test_a_target_of_integers_is_blocked_not_unconnected(x):
    found = flow(tg.argmax(x), x)
    assert found.status == "blocked"
    assert [b.op for b in found.blockers] == ["ArgMax"]


def test_an_index_blocks_and_what_is_indexed_flows(x):
    places = tg.astype(x, tg.int32)
    found = flow(tg.take(x, places, axis=0), x)
    assert (found.open_paths, found.blocked_paths) == (1, 1)


def test_one_output_of_an_op_may_block_where_the_other_flows(x):
    values, places = tg.top_k(x, 2)
    assert flow(values, x).status == "flows"
    assert blocked_at(flow(places, x)) == [("TopK", "places are whole numbers: they jump, or stay", 1)]


def test_a_refusal_is_told_with_its_message(x):
    found = flow(tg.prevent_gradient(x, "use the other one"), x)
    assert found.status == "refused"
    assert [b.why for b in found.blockers] == ["prevent_gradient forbids it: use the other one"]


def test_a_refusal_behind_a_stop_is_only_blocked(x):
    found = flow(tg.stop_gradient(tg.prevent_gradient(x)), x)
    assert (found.status, [b.op for b in found.blockers]) == ("blocked", ["StopGradient"])


def test_a_refusal_beside_an_open_path_is_refused(x):
    assert flow(x + tg.prevent_gradient(x), x).status == "refused"


def test_a_refusal_lists_only_what_forbids(x):
    y = tg.prevent_gradient(x) + tg.stop_gradient(tg.prevent_gradient(2.0 * x)) + tg.floor(x)
    assert [(b.op, b.paths) for b in flow(y, x).blockers] == [("PreventGradient", 1)]


def test_a_condition_is_a_choice_and_counts_in_no_status(x):
    found = flow(tg.where(x > 1.0, x, 0.0), x)
    assert (found.status, found.open_paths, found.blocked_paths, found.choice_paths) == ("flows", 1, 0, 1)
    assert [c.op for c in found.choices] == ["Greater"]


def test_what_leads_to_conditions_alone_is_unconnected(x):
    found = flow(tg.where(x > 1.0, 1.0, 0.0), x)
    assert (found.status, found.choice_paths) == ("unconnected", 1)


def test_a_stop_within_a_condition_is_the_choices_first_closer(x):
    found = flow(tg.where(tg.stop_gradient(x) > 1.0, x, 0.0), x)
    assert [c.op for c in found.choices] == ["StopGradient"]
    assert found.status == "flows"


@pytest.mark.parametrize("function", [tg.softmax, tg.log_softmax, tg.logsumexp])
def test_the_stops_of_our_own_formulas_are_internal(function, x):
    found = flow(function(x), x)
    assert (found.status, found.blocked_paths, found.blockers) == ("flows", 0, ())
    assert found.internal_paths > 0
    assert {b.op for b in found.internal} == {"StopGradient"}


def test_a_users_stop_over_a_function_of_ours_is_blocked(x):
    found = flow(tg.stop_gradient(tg.softmax(x)), x)
    assert found.status == "blocked"
    assert [b.text for b in found.blockers] == ["found = flow(tg.stop_gradient(tg.softmax(x)), x)"]


def test_an_internal_stop_alone_leaves_a_source_unconnected(x):
    found = flow(StopGradient(internal=True)(x), x)
    assert (found.status, found.internal_paths) == ("unconnected", 1)


def ladder(x, rungs):
    for _ in range(rungs):
        x = x + x
    return x


def test_more_than_ten_to_the_eighteen_paths_are_that_many(x):
    found = flow(ladder(x, 100), x)
    assert found.open_paths == 10**18
    assert found.sentence() == "flows: more than 10^18 paths open"


def test_counts_are_exact_below_the_limit(x):
    assert flow(ladder(x, 59), x).open_paths == 2**59


@pytest.mark.parametrize("stopped", ["blocked_paths", "internal_paths", "choice_paths"])
def test_every_class_of_paths_saturates(stopped, x):
    wide = ladder(x, 50)
    closed = {
        "blocked_paths": lambda: tg.stop_gradient(wide),
        "internal_paths": lambda: StopGradient(internal=True)(wide),
        "choice_paths": lambda: tg.where(wide > 0.0, 1.0, 2.0),
    }[stopped]()
    found = flow(ladder(closed, 50), x)
    assert getattr(found, stopped) == 10**18


def test_blockers_saturate_too(x):
    found = flow(ladder(tg.stop_gradient(ladder(x, 50)), 50), x)
    assert [b.paths for b in found.blockers] == [10**18]


def test_a_long_chain_is_no_trouble(x):
    y = x
    for _ in range(20_000):
        y = tg.sin(y)
    assert flow(y, x).open_paths == 1


class Forbidden(Scope):
    """Nobody may make a node within."""

    def made(self, node):
        raise AssertionError(f"a {node.op.name} was made")


def test_a_report_builds_no_node(x):
    y = tg.cond(x[0] > 0.0, lambda a: tg.softmax(a), lambda a: a * tg.stop_gradient(a), x) * tg.top_k(x, 3)[0]
    with within(Forbidden()):
        report = tg.flow.why(y, [x])
        str(report)
        report.as_json()


def test_a_report_evaluates_nothing(x):
    y = tg.exp(x) * tg.stop_gradient(x)
    before = (statistics.evaluations, statistics.ops)
    str(tg.flow.why(y, x))
    assert (statistics.evaluations, statistics.ops) == before
    assert y.value is None


def test_a_report_keeps_no_tensor_alive(x):
    y = tg.exp(x)
    report = tg.flow.why(y * tg.stop_gradient(y), x)
    handle = y.node.handles[0]
    del y
    assert handle() is None
    assert report[0].status == "mixed"


def test_paths_lead_into_a_call_and_out(x):
    found = flow(call(lambda a: a * tg.stop_gradient(a), x), x)
    assert (found.status, found.open_paths, found.blocked_paths) == ("mixed", 1, 1)


def test_a_blocker_inside_a_call_names_its_own_line(x):
    def inside(a):
        held = tg.stop_gradient(a)
        return held * a

    (blocker,) = flow(call(inside, x), x).blockers
    assert blocker.text == "held = tg.stop_gradient(a)"


def test_an_output_of_a_call_knows_only_its_own_paths(x):
    stopped, free = call(lambda a: (tg.stop_gradient(a), a * a), x)
    assert flow(stopped, x).status == "blocked"
    assert flow(free, x).status == "flows"


def test_a_call_within_a_call_is_unfolded(x):
    y = call(lambda a: call(lambda b: b * b, a) + a, x)
    assert flow(y, x).open_paths == 3


def test_both_branches_of_a_choice_are_counted_each(x):
    y = tg.cond(x[0] > 0.0, lambda a: tg.stop_gradient(a), lambda a: a * a, x)
    found = flow(y, x)
    assert (found.status, found.open_paths, found.blocked_paths, found.choice_paths) == ("mixed", 2, 1, 1)


def test_a_choice_between_stops_is_blocked_at_each(x):
    y = tg.cond(x[0] > 0.0, lambda a: tg.floor(a), lambda a: tg.stop_gradient(a), x)
    assert sorted(b.op for b in flow(y, x).blockers) == ["Floor", "StopGradient"]


def test_what_a_branch_takes_from_outside_is_a_source_like_any(x):
    w = array(2.0)
    y = tg.cond(x[0] > 0.0, lambda a: a * w, lambda a: a * tg.stop_gradient(w), x)
    found = flow(y, w)
    assert (found.status, found.open_paths, found.blocked_paths) == ("mixed", 1, 1)


def test_a_predicate_is_a_choice(x):
    p = array(0.5)
    found = flow(tg.cond(p > 0.0, lambda a: a, lambda a: a + a, x), p)
    assert (found.status, [c.op for c in found.choices]) == ("unconnected", ["Greater"])


def test_a_source_of_integers_is_blocked_where_it_is_used(x):
    n = tg.asarray([0, 1, 2])
    found = flow(tg.take(x, n, axis=0), n)
    assert (found.status, [b.why for b in found.blockers]) == ("blocked", ["int64 carries no gradient"])


def test_a_source_of_integers_that_is_not_used_is_unconnected(x):
    found = flow(tg.exp(x), tg.asarray([0, 1, 2]))
    assert (found.status, found.blockers) == ("unconnected", ())


def test_the_stop_list_blocks_and_says_so(x):
    h = tg.exp(x)
    found = flow(h * x, x, stop_gradients=[h])
    assert (found.open_paths, found.blocked_paths) == (1, 1)
    assert blocked_at(found) == [("Exp", "it is in this call's stop list", 1)]


def test_a_listed_tensor_flows_to_itself(x):
    h = tg.exp(x)
    report = tg.flow.why(h * h, [x, h], stop_gradients=[x, h])
    assert [f.status for f in report] == ["blocked", "flows"]


def test_a_listed_output_of_a_choice_blocks(x):
    y = tg.cond(x[0] > 0.0, lambda a: a, lambda a: a + a, x)
    assert flow(y * 1.0, x, stop_gradients=y).blocked_paths == 3


def test_a_dicts_keys_are_names(x):
    w = array(1.0)
    report = tg.flow.why(x * tg.stop_gradient(w), {"x": x, "weights": {"w": w, "n": 3, "none": None}})
    assert [f.source for f in report] == ["x", "weights['w']"]
    assert report["x"].status == "flows"
    assert report["weights['w']"].status == "blocked"


def test_a_list_of_sources_is_reported_by_place(x):
    w = array(1.0)
    report = tg.flow.why(x * tg.stop_gradient(w), [x, w])
    assert (report[0].status, report[1].status, len(report)) == ("flows", "blocked", 2)


def test_a_source_under_two_names_is_told_twice_alike(x):
    report = tg.flow.why(x * x, {"a": x, "b": x})
    assert report["a"].open_paths == report["b"].open_paths == 2


def test_a_name_that_is_not_there_is_a_key_error_that_names_those_that_are(x):
    with pytest.raises(KeyError, match="'b'; there are a"):
        tg.flow.why(x, {"a": x})["b"]


def test_sources_that_share_a_blocker_are_shown_together(x):
    sources = {f"w{i}": array(float(i)) for i in range(3)}
    total = x
    for w in sources.values():
        total = total + w
    shown = str(tg.flow.why(tg.stop_gradient(total), {**sources, "x": x}))
    assert shown.count("StopGradient") == 1
    assert shown.startswith("w0, w1, w2, x  all blocked")


def test_sources_blocked_on_different_lines_are_shown_apart(x):
    w = array(1.0)
    first = tg.stop_gradient(x)
    second = tg.stop_gradient(w)
    assert str(tg.flow.why(first * second, {"x": x, "w": w})).count("StopGradient") == 2


def report_of_a_new_graph():
    x = array([0.5, 1.5])
    y = tg.cond(x[0] > 0.0, lambda a: tg.softmax(a) * tg.floor(a), lambda a: a * tg.stop_gradient(a), x)
    return tg.flow.why(y, {"x": x, "w": array(1.0)})


def test_the_report_of_an_equal_graph_is_the_same_text():
    assert str(report_of_a_new_graph()) == str(report_of_a_new_graph())


def test_a_report_is_plain_data():
    report = report_of_a_new_graph()
    assert json.loads(json.dumps(report.as_json())) == report.as_json()


def test_the_print_of_a_report_holds_status_sentence_and_line(x):
    shown = str(tg.flow.why(x * tg.stop_gradient(x), x))
    assert "mixed: 1 path open, 1 blocked" in shown
    assert STOPPED in shown
    assert "test_why.py:" in shown


def test_a_gradient_graph_has_paths_of_its_own(x):
    (g,) = tg.gradients(tg.sum(x * x * tg.stop_gradient(x)), x)
    assert flow(g, x).status == "mixed"
    (second,) = tg.gradients(g, x)
    assert np.allclose(second, 2.0 * np.asarray(x))


def test_a_target_that_is_no_tensor_is_a_type_error(x):
    with pytest.raises(tg.ArgumentTypeError, match="why: got float in target"):
        tg.flow.why(1.0, x)


def test_sources_without_a_tensor_are_a_type_error(x):
    with pytest.raises(tg.ArgumentTypeError, match="why: got no tensor in sources, a dict"):
        tg.flow.why(x, {"n": 3})


def test_a_stop_that_is_no_tensor_is_a_type_error():
    x = tg.asarray(1.0)
    with pytest.raises(tg.ArgumentTypeError, match="why: got ndarray in stop_gradients"):
        tg.flow.why(x * x, x, stop_gradients=[np.ones(2)])


def test_blockers_of_as_many_paths_come_by_line(x):
    def one(v):
        return tg.stop_gradient(v)

    def other(v):
        return tg.floor(v)

    lines = [b.line for b in tg.flow.why(other(x) + one(x), x)[0].blockers]
    assert lines == sorted(lines)
    assert lines == [b.line for b in tg.flow.why(one(x) + other(x), x)[0].blockers]
