"""Programs, executables, the memory plan and the status word."""

import numpy as np
import pytest

import tidegate as tg
from tidegate.backends.interface import Program, Status, plan_memory
from tidegate.backends.reference import REFERENCE
from tidegate.core.errors import Fault, RuleError
from tidegate.core.graph import walk
from tidegate.core.source import show_site
from tidegate.ops.elementwise import Exp
from tidegate.ops.indexing import Gather


def program(*outputs):
    """All of a graph but its data, which is what it reads."""
    nodes = walk(outputs)
    data = [n for n in nodes if n.op.leaf_value is not None]
    return Program([n for n in nodes if n not in data], [(n, 0) for n in data], [y.edge for y in outputs])


def values(p):
    return [node.op.leaf_value for node, _ in p.arguments]


def test_an_executable_gives_the_results_in_order():
    x = tg.asarray([1.0, 2.0])
    p = program(tg.exp(x), x * 2.0, x)
    status = Status()
    got = REFERENCE.compile(p)(values(p), status)
    assert status.fault is None
    np.testing.assert_allclose(got[0], np.exp([1.0, 2.0]), rtol=1e-6)
    assert [g.tolist() for g in got[1:]] == [[2.0, 4.0], [1.0, 2.0]]


def test_an_executable_runs_again_with_other_arguments():
    x = tg.asarray([1.0, 2.0])
    p = program(tg.sum(x * x))
    run = REFERENCE.compile(p)
    assert run(values(p), Status())[0] == 5.0
    assert run([np.float32([3.0, 4.0])], Status())[0] == 25.0


def test_another_number_of_arguments_is_refused():
    p = program(tg.exp(tg.asarray(1.0)))
    with pytest.raises(TypeError, match="got 0 arguments; want 1"):
        REFERENCE.compile(p)([], Status())


def test_a_value_is_free_after_its_last_reader():
    x = tg.asarray(np.ones(10))
    a = tg.sin(x)
    b = tg.cos(a)
    c = a + b
    plan = plan_memory(program(c))
    after = {n.op.name: list(freed) for n, freed in zip(program(c).nodes, plan.frees, strict=True)}
    assert after == {"Sin": [], "Cos": [], "Add": [plan.places[a.edge], plan.places[b.edge]]}


def test_results_and_arguments_are_never_freed():
    x = tg.asarray(np.ones(10))
    a = tg.sin(x)
    plan = plan_memory(program(tg.cos(a), a))
    assert [list(f) for f in plan.frees] == [[], []]


def test_the_peak_counts_what_is_alive_at_once():
    x = tg.asarray(np.ones(10))  # 80 bytes
    chain = x
    for _ in range(5):
        chain = tg.sin(chain)
    assert plan_memory(program(chain)).peak_bytes == 3 * 80  # the argument, a value and the next one
    assert plan_memory(program(tg.sum(chain))).peak_bytes == 3 * 80
    assert plan_memory(program(x)).peak_bytes == 80


def test_a_fault_sets_the_status_word_and_stops():
    x = tg.asarray([1.0, 2.0])
    y = tg.exp(Gather(0)(x, tg.asarray([0, 1, 2])))
    p, status = program(y), Status()
    assert REFERENCE.compile(p)(values(p), status) == []
    assert (status.fault, status.element) == (Fault.INDEX_OUT_OF_RANGE, (2,))
    assert p.nodes[status.step].op.name == "Gather"


def test_the_error_of_a_status_names_the_line_that_made_the_op():
    y = Gather(0)(tg.asarray([1.0, 2.0]), tg.asarray([-1]))
    with pytest.raises(IndexError, match=r"Gather: got index -1 at \[0\]; want 0 to 1  \(.*test_interface.py:\d+\)"):
        tg.exp(y).numpy()


def test_an_error_in_a_gradient_names_the_line_of_the_op_that_it_belongs_to():
    x = tg.asarray([1.0, 2.0])
    y = Gather(0)(x, tg.asarray([2]))
    (g,) = tg.gradients(y, x)
    with pytest.raises(IndexError, match="ScatterAdd: got index 2") as caught:
        g.numpy()
    assert caught.value.line == show_site(y.node.site) != show_site(g.node.site)


@pytest.mark.parametrize("wrong", [lambda self, x: x.astype(np.float16), lambda self, x: x[:1]], ids=["dtype", "shape"])
def test_a_reference_that_breaks_its_type_rule_is_told(wrong, monkeypatch):
    monkeypatch.setattr(Exp, "compute", wrong)
    with pytest.raises(RuleError, match="Exp: its reference gave float"):
        tg.exp(tg.asarray([1.0, 2.0])).numpy()


def test_nothing_that_arithmetic_finds_odd_is_a_warning():
    x = tg.asarray([0.0, -1.0, 1e38])
    for y in (1.0 / x, tg.log(x), tg.sqrt(x), tg.exp(x), x * 1e38, tg.asarray(np.int8([127])) + 1):
        y.numpy()
