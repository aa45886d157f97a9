"""cond: the branch that is chosen when the graph runs, and its derivative."""

import numpy as np
import pytest

import tidegate as tg
from tidegate.ops.elementwise import Log
from wrong_use import check_error

X = tg.asarray(2.0)


def test_only_the_chosen_branch_runs(monkeypatch):
    def forbidden(self, x):
        raise AssertionError("the other branch ran")

    y = tg.cond(X > 1.0, lambda v: v * 3.0, tg.log, X)
    monkeypatch.setattr(Log, "reference", forbidden)
    assert float(y) == 6.0


def test_the_predicate_is_looked_at_when_it_runs():
    choose = tg.vmap(lambda p: p)  # any function of tensors: nothing here knows the value before it runs
    y = tg.cond(choose(tg.asarray([True]))[0], lambda: 1.0, lambda: 2.0)
    assert y.value is None
    assert float(y) == 1.0


def test_branches_use_tensors_from_outside_and_are_differentiated_for_them():
    w = tg.asarray(5.0)
    y = tg.cond(X > 1.0, lambda v: v * w, lambda v: v + w * w, X)
    assert [float(g) for g in tg.gradients(y, [X, w])] == [5.0, 2.0]
    z = tg.cond(X < 1.0, lambda: w * X, lambda: w * w)
    assert [float(g) for g in tg.gradients(z, [X, w])] == [0.0, 10.0]


def test_containers_go_in_and_out():
    out = tg.cond(True, lambda p: {"a": p["x"], "b": [p["x"] * 2.0]}, lambda p: {"b": [p["x"]], "a": p["x"]}, {"x": X})
    assert (float(out["a"]), float(out["b"][0])) == (2.0, 4.0)
    out = tg.cond(
        False, lambda p: {"a": p["x"], "b": [p["x"] * 2.0]}, lambda p: {"b": [p["x"]], "a": -p["x"]}, {"x": X}
    )
    assert (float(out["a"]), float(out["b"][0])) == (-2.0, 2.0)


def test_choices_nest():
    def sign(x):
        return tg.cond(x > 0.0, lambda: 1.0, lambda: tg.cond(x < 0.0, lambda: -1.0, lambda: 0.0))

    assert [float(sign(tg.asarray(v))) for v in (3.0, -3.0, 0.0)] == [1.0, -1.0, 0.0]


@pytest.mark.parametrize(("at", "want"), [(2.0, [8.0, 12.0, 12.0]), (-2.0, [4.0, -4.0, 2.0])])
def test_derivatives_of_any_order_in_both_modes(at, want):
    def f(x):
        return tg.cond(x > 0.0, lambda v: v**3.0, lambda v: v * v, x)

    assert float(f(tg.asarray(at))) == want[0]
    assert float(tg.grad(f)(at)) == want[1]
    assert float(tg.jvp(f, (at,), (1.0,))[1]) == want[1]
    assert float(tg.grad(tg.grad(f))(at)) == want[2]
    assert float(tg.jvp(tg.grad(f), (at,), (1.0,))[1]) == want[2]


def test_an_index_out_of_range_is_told_with_the_line_inside_of_the_branch():
    def branch(i):
        return tg.take(tg.ones(3), i, axis=0)  # the line that the error must name

    y = tg.cond(True, branch, lambda i: tg.asarray(0.0), tg.asarray(7))
    with pytest.raises(IndexError, match="Locate: got index 7 of axis 0; want -3 to 2") as caught:
        y.numpy()
    line = branch.__code__.co_firstlineno + 1
    assert f"test_cond.py:{line}" in str(caught.value)


WRONG = {
    "a number for a predicate": (lambda: tg.cond(1.0, tg.sin, tg.cos, X), TypeError, r"got predicate float32\[\]"),
    "a predicate with axes": (lambda: tg.cond([True], tg.sin, tg.cos, X), ValueError, r"got predicate bool\[1\]"),
    "other shapes": (lambda: tg.cond(True, tg.sin, lambda x: tg.ones(2), X), ValueError, r"return float32\[\] and fl"),
    "other dtypes": (lambda: tg.cond(True, tg.sin, lambda x: 1, X), TypeError, r"float32\[\] and int64\[\]"),
    "other structures": (lambda: tg.cond(True, lambda: X, lambda: [X]), ValueError, r"return \* and \[\*\]"),
    "what isn't a function": (lambda: tg.cond(True, 1.0, tg.cos), TypeError, "got float; want a function"),
    "what isn't a tensor": (lambda: tg.cond(True, lambda: None, lambda: None), TypeError, "returned NoneType"),
    "the truth of an operand": (
        lambda: tg.cond(True, lambda x: x if x > 0.0 else -x, tg.cos, X), TypeError, "bool: .* traced",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("call", "kind", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_use_says_what_was_got_and_wanted_and_where(call, kind, message):
    check_error(call, kind, message)


def test_the_flow_of_a_choice_is_that_of_both_branches():
    x, p = tg.asarray(1.0), tg.asarray(2.0)
    y = tg.cond(p > 0.0, lambda v: v * 2.0, tg.stop_gradient, x)
    report = tg.flow.why(y, {"x": x, "p": p})
    assert [(f.status, f.open_paths, f.blocked_paths, f.choice_paths > 0) for f in report] == [
        ("mixed", 1, 1, False),
        ("unconnected", 0, 0, True),
    ]
    np.testing.assert_array_equal(tg.gradients(y, [x])[0].numpy(), 2.0)
