"""The user's line: of the op, not of ours that made it."""

import inspect

import pytest

import tidegate as tg
from tidegate.core.graph import walk
from tidegate.core.kinds import Region
from tidegate.core.source import NOWHERE, position, show_site, source_text, user_site


def here():
    """The line of the caller."""
    return inspect.currentframe().f_back.f_lineno


def lines(*tensors):
    return {position(node.site) for node in walk(tensors)}


def test_an_op_knows_the_line_that_applied_it():
    x, line = tg.asarray([1.0]), here()
    y, next_line = (
        tg.sin(
            x,
        ),
        here() - 3,
    )
    assert position(x.node.site) == (__file__, line)
    assert position(y.node.site) == (__file__, next_line)


def test_every_op_inside_a_function_of_ours_has_the_callers_line():
    x = tg.asarray([1.0, 2.0])
    made, line = tg.log_softmax(x), here()
    assert lines(made) - lines(x) == {(__file__, line)}


def test_a_users_own_function_is_named_not_its_caller():
    x = tg.asarray([1.0, 2.0])
    mine, line = (lambda v: tg.exp(v)), here()
    assert position(mine(x).node.site) == (__file__, line)


def test_an_operator_has_the_line_where_it_stands():
    x = tg.asarray([1.0, 2.0])
    y, line = 2.0 * x, here()
    assert position(y.node.site) == (__file__, line)


def test_gradient_nodes_have_the_line_that_asked_for_the_gradient():
    x = tg.asarray([1.0, 2.0])
    y = tg.sum(tg.sin(x) * x)
    before = set(walk([y]))
    (g,), line = tg.gradients(y, [x]), here()
    assert {position(n.site) for n in walk([g]) if n not in before} == {(__file__, line)}


def test_inside_of_vmap_an_op_has_the_line_of_the_original():
    found = []

    def one(v):
        found.append(here() + 1)
        return tg.sin(v)

    y = tg.vmap(one)(tg.asarray([1.0, 2.0]))
    assert position(y.node.site) == (__file__, found[0])


def test_inside_of_cond_an_op_has_the_line_of_the_original():
    x = tg.asarray(1.0)

    def then():
        return tg.sin(x)

    y = tg.cond(x > 0.0, then, lambda: x)
    (body,) = [b for n in walk([y]) if isinstance(n.op, Region) for name, b, _ in n.op.bodies() if name == "then"]
    (sine,) = [n for n in walk(body.outputs) if n.op.name == "Sin"]
    assert position(sine.site) == (__file__, then.__code__.co_firstlineno + 1)


def test_inside_of_vmap_over_cond_an_op_has_the_line_of_the_original():
    def one(v):
        return tg.cond(v > 0.0, lambda: tg.sin(v), lambda: v)

    y = tg.vmap(one)(tg.asarray([1.0, -2.0]))
    bodies = [b for n in walk([y]) if isinstance(n.op, Region) for _, b, _ in n.op.bodies()]
    (sine,) = [n for body in bodies for n in walk(body.outputs) if n.op.name == "Sin"]
    assert position(sine.site) == (__file__, one.__code__.co_firstlineno + 1)


def test_a_line_keeps_no_frame_alive():
    code, instruction = tg.asarray(1.0).node.site
    assert inspect.iscode(code)
    assert isinstance(instruction, int)


def test_a_line_is_shown_relative_to_the_working_directory(tmp_path, monkeypatch):
    source = tmp_path / "model.py"
    source.write_text("import tidegate as tg\n\nx = tg.asarray(1.0)\n")
    names = {}
    exec(compile(source.read_text(), str(source), "exec"), names)
    site = names["x"].node.site
    assert source_text(site) == "x = tg.asarray(1.0)"
    monkeypatch.chdir(tmp_path)
    assert show_site(site) == "model.py:3"
    (tmp_path / "deeper").mkdir()
    monkeypatch.chdir(tmp_path / "deeper")
    assert show_site(site) == f"{source}:3"


def test_code_without_a_file_is_shown_by_its_name():
    names = {}
    exec(compile("import tidegate as tg\nx = tg.asarray(1.0)", "<stdin>", "exec"), names)
    site = names["x"].node.site
    assert show_site(site) == "<stdin>:2"
    assert source_text(site) == ""


def test_no_line_is_shown_as_a_question_mark():
    assert show_site(NOWHERE) == "?"
    assert source_text(NOWHERE) == ""


def test_a_site_taken_in_user_code_is_that_code():
    site, line = user_site(), here()
    assert position(site) == (__file__, line)


@pytest.mark.parametrize("bad", [lambda x: x @ x[None], lambda x: tg.reshape(x, (5,)), lambda x: x[7]])
def test_errors_of_shapes_name_the_users_line(bad):
    x = tg.asarray([1.0, 2.0])
    with pytest.raises(tg.TidegateError, match=rf"test_source\.py:{bad.__code__.co_firstlineno}\)$"):
        bad(x)


def test_code_that_a_dataclass_generates_is_no_users_line():
    line = inspect.currentframe().f_lineno + 2
    with pytest.raises(tg.ShapeError, match="want at most 64 axes") as caught:
        tg.ones((1,) * 65)
    assert f"test_source.py:{line}" in str(caught.value)
