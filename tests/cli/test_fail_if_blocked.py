"""--fail-if-blocked: a check for scripts."""

import pytest

PROGRAM = """
def f(flows=1.0, mixed=1.0, blocked=1.0, unconnected=1.0, refused=1.0, n=2, p=(1.0, 2.0)):
    return flows + mixed + tg.stop_gradient(mixed + blocked) + tg.prevent_gradient(refused, "no") + p[0]
"""


@pytest.mark.parametrize("name", ["flows", "mixed", "p[0]"])
def test_it_returns_0_where_a_gradient_flows(explain, name):
    said = explain(PROGRAM, "f", "--fail-if-blocked", name)
    assert (said.code, said.error) == (0, "")


@pytest.mark.parametrize("name", ["blocked", "unconnected", "refused", "n", "p[1]"])
def test_it_returns_1_where_none_flows(explain, name):
    said = explain(PROGRAM, "f", "--fail-if-blocked", name)
    assert (said.code, said.error) == (1, f"tidegate: no gradient flows to {name}\n")


def test_a_container_fails_for_each_leaf_without_a_gradient(explain):
    said = explain(PROGRAM, "f", "--fail-if-blocked", "p")
    assert (said.code, said.error) == (1, "tidegate: no gradient flows to p[1]\n")


def test_it_may_be_given_again(explain):
    said = explain(PROGRAM, "f", "--fail-if-blocked", "flows", "--fail-if-blocked", "blocked")
    assert (said.code, said.error) == (1, "tidegate: no gradient flows to blocked\n")


def test_the_table_is_printed_all_the_same(explain):
    assert explain(PROGRAM, "f", "--fail-if-blocked", "blocked").out == explain(PROGRAM, "f").out


@pytest.mark.parametrize("name", ["flow", "p[2]", ""])
def test_a_name_that_is_not_there_is_wrong_use(explain, name):
    said = explain(PROGRAM, "f", "--fail-if-blocked", name)
    assert (said.code, said.out) == (2, "")
    assert said.error.startswith(f"tidegate: --fail-if-blocked: program.py:f has no input {name}; it has flows, mixed")
