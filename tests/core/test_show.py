"""The text form of a graph is stable: equal for equal structures, and held here letter by letter."""

from pathlib import Path

import pytest

import tidegate as tg

GOLDEN = Path(__file__).parents[1] / "golden"


def softmax_gradient():
    x = tg.asarray([1.0, 2.0, 2.0])
    e = tg.exp(x - tg.stop_gradient(tg.max(x)))
    return [(e / tg.sum(e))[0], *tg.gradients((e / tg.sum(e))[0], x)]


def choice():
    x = tg.asarray([[1.0, 2.0]])
    values, places = tg.top_k(x, 1)
    return [tg.cond(tg.sum(x) > 0.5, lambda v: tg.sin(v) * x, lambda v: (v + 1.25) * x, values), places]


@pytest.mark.parametrize("program", [softmax_gradient, choice])
def test_the_text_is_the_one_that_was_held(program):
    tg.sin(tg.asarray(0.0))  # whatever else was made before
    assert tg.show(*program()) + "\n" == (GOLDEN / f"{program.__name__}.txt").read_text()


def test_graphs_of_one_structure_have_one_text():
    assert tg.show(*softmax_gradient()) == tg.show(*softmax_gradient())


def test_each_line_ends_with_the_users_line_if_asked_for():
    lines = tg.show(tg.sin(tg.asarray(1.5)), lines=True).splitlines()
    assert all("test_show.py:" in line for line in lines[:-1])
    assert lines[-1] == "return %1"
