"""What leaves the graph is listed on request, or refused, with the line that asked and the line that made it."""

import copy
import inspect
import operator
import pickle
import threading

import numpy as np
import pytest

import tidegate as tg
from tidegate.runtime.statistics import statistics
from wrong_use import check_error

X = tg.asarray([1.0, 2.0])
ONE = tg.asarray(1.5)
N = tg.asarray(1)

ASKED = {
    "bool": lambda: bool(ONE + 1.0),
    "int": lambda: int(ONE + 1.0),
    "float": lambda: float(ONE + 1.0),
    "complex": lambda: complex(ONE + 1.0),
    "index": lambda: operator.index(N + 1),
    "item": lambda: (ONE + 1.0).item(),
    "numpy": lambda: (X + 1.0).numpy(),
    "numpy.asarray": lambda: np.asarray(X + 1.0),
    "__dlpack__": lambda: np.from_dlpack(X + 1.0),
    "pickle": lambda: pickle.dumps(X + 1.0),
    "deepcopy": lambda: copy.deepcopy(X + 1.0),
    "numpy.array_equal": lambda: np.array_equal(X + 1.0, np.ones(2)),
}


@pytest.mark.parametrize(("what", "ask"), ASKED.items(), ids=ASKED)
def test_a_value_that_is_asked_for_is_listed(what, ask):
    with tg.leaks() as found:
        ask()
    assert [leak.what for leak in found] == [what]


@pytest.mark.parametrize(("what", "ask"), ASKED.items(), ids=ASKED)
def test_a_value_that_is_asked_for_is_refused_where_nothing_may_leave(what, ask):
    def refused():
        with tg.strict_lazy():
            ask()

    check_error(refused, RuntimeError, rf"{what}: got .* made by Add at .*test_leaks.py:\d+; want nothing to leave")


@pytest.mark.parametrize("show", [str, repr, "{}".format, print], ids=["str", "repr", "format", "print"])
def test_showing_a_tensor_is_no_leak(show):
    with tg.leaks() as found, tg.strict_lazy():
        show(X + 1.0)
    assert found == []


def test_showing_a_number_by_a_format_is_no_leak():
    with tg.leaks() as found, tg.strict_lazy():
        assert f"{ONE + 1.0:.1f}" == "2.5"
    assert found == []


@pytest.mark.parametrize("go_on", [lambda x: x + 1.0, lambda x: x[0], tg.sum, list, len, lambda x: x.shape, np.shape])
def test_going_on_with_a_tensor_is_no_leak(go_on):
    with tg.leaks() as found, tg.strict_lazy():
        go_on(X)
    assert found == []


def test_a_wrong_question_is_its_own_error_and_no_leak():
    with tg.leaks() as found, pytest.raises(tg.ArgumentError):
        float(X)
    assert found == []


def test_a_value_that_there_is_not_is_no_leak():
    with tg.leaks() as found, pytest.raises(tg.NoValueError):
        tg.cond(ONE > 1.0, lambda x: x * float(x), lambda x: x, ONE)
    assert found == []


def test_a_leak_tells_both_lines_and_the_type():
    y = X + 1.0
    made = inspect.currentframe().f_lineno - 1
    with tg.leaks() as found:
        y.numpy()
        asked = inspect.currentframe().f_lineno - 1
    (leak,) = found
    assert leak.line.endswith(f"test_leaks.py:{asked}")
    assert leak.made.endswith(f"test_leaks.py:{made}")
    assert leak.type is y.type
    assert (leak.node, leak.index) == y.edge
    assert str(leak) == f"{leak.line}: numpy of float32[2], made by Add at {leak.made}"
    assert repr(leak) == f"<Leak {leak}>"


def test_nothing_is_computed_for_a_leak_that_is_refused():
    y = X * 3.0
    before = statistics.evaluations
    with tg.strict_lazy(), pytest.raises(tg.LeakError):
        y.numpy()
    assert statistics.evaluations == before
    assert y.value is None


def test_a_value_that_is_known_already_is_refused_too():
    y = X * 3.0
    y.numpy()
    with tg.strict_lazy(), pytest.raises(tg.LeakError):
        y.numpy()


def test_outside_nothing_is_watched():
    with tg.leaks() as found, tg.strict_lazy():
        pass
    assert float(ONE) == 1.5
    assert found == []


def test_outer_lists_get_what_inner_ones_get():
    with tg.leaks() as outer:
        float(ONE)
        with tg.leaks() as inner:
            int(ONE)
    assert [leak.what for leak in outer] == ["float", "int"]
    assert [leak.what for leak in inner] == ["int"]


def test_a_list_within_does_not_allow_what_is_forbidden_around():
    with tg.strict_lazy(), tg.leaks() as found, pytest.raises(tg.LeakError):
        float(ONE)
    assert found == []


def test_another_thread_is_not_watched():
    values = []
    with tg.leaks() as found, tg.strict_lazy():
        thread = threading.Thread(target=lambda: values.append(float(ONE)))
        thread.start()
        thread.join()
    assert values == [1.5]
    assert found == []


def test_evaluating_keeps_the_value_in_the_graph_and_is_no_leak():
    y = X + 1.0
    with tg.strict_lazy():
        tg.evaluate([y])
    assert y.value is not None


def test_a_gradient_of_a_value_that_left_the_graph_names_what_lists_the_leaks():
    y = float(ONE * ONE)
    check_error(lambda: tg.gradients(y, ONE), TypeError, "got float in ys; want .*has no history, and tg.leaks lists")
