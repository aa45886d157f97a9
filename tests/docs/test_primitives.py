"""The table of primitives is what the registry says now."""

import importlib.util
from pathlib import Path

import pytest

from tidegate.core.op import PRIMITIVES

ROOT = Path(__file__).parents[2]
SPEC = importlib.util.spec_from_file_location("primitives_page", ROOT / "docs" / "primitives.py")
script = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(script)


def test_the_page_is_up_to_date():
    assert script.PAGE.read_text(encoding="utf-8") == script.page(), "run: python docs/primitives.py"


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("elementwise.Sqrt", ["Elementwise", "1", "partials, exact 0", "cotangent * partial", "tangent * partial"]),
        ("contraction.DotGeneral", ["Contraction", "2", "adjoint in each input apart", "its adjoint"]),
        ("regions.Cond", ["Region", "n", "vjp and jvp", "its vjp", "its jvp", "of its own", "its bodies'"]),
        ("creation.Input", ["Generator", "0", "non differentiable", "nothing", "nothing", "—", "—"]),
        ("gates.PreventGradient", ["Elementwise", "1", "refuses", "an error", "an error", "all inputs", "any"]),
    ],
)
def test_a_row_says_what_the_class_says(name, cells):
    assert list(script.row(PRIMITIVES[f"tidegate.ops.{name}"])[1:])[: len(cells)] == cells


def test_a_closed_slot_is_shown_with_its_reason():
    assert "input 1: an index chooses" in script.row(PRIMITIVES["tidegate.ops.indexing.Gather"])[-1]
