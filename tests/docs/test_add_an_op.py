"""The worked diff of CONTRIBUTING.md applies to the source as it is, and the conformance tests find what it adds."""

import os
import re
import shutil
import sys
from pathlib import Path
from subprocess import run

import pytest

ROOT = Path(__file__).parents[2]
PYTEST = [sys.executable, "-m", "pytest", "tests/conformance", "-k", "Haversine", "-n", "0", "-p", "no:cacheprovider"]


@pytest.fixture
def copy(tmp_path):
    """The project with the op added."""
    for part in ("src", "tests"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (diff,) = re.findall(r"^```diff\n(.*?)^```$", (ROOT / "CONTRIBUTING.md").read_text(), flags=re.M | re.S)
    run(["git", "apply", "-"], cwd=tmp_path, input=diff, text=True, check=True)
    return tmp_path


def outcome(copy):
    found = run(PYTEST, cwd=copy, env={**os.environ, "PYTHONPATH": str(copy / "src")}, capture_output=True, text=True)
    return found.stdout.splitlines()[-1]


def test_the_new_op_passes_the_tests_that_find_it(copy):
    last = outcome(copy)
    assert re.match(r"\d+ passed, \d+ deselected", last), last
    assert int(last.split()[0]) > 50


def test_a_wrong_partial_of_the_new_op_is_found(copy):
    file = copy / "src/tidegate/ops/trigonometric.py"
    right = "scaled(Sin()(x), 0.5)"
    text = file.read_text()
    assert right in text
    file.write_text(text.replace(right, "scaled(Sin()(x), 0.6)"))
    assert re.match(r"\d+ failed", outcome(copy))
