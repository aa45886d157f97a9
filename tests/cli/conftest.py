"""A folder to write programs into, and the command run in it."""

import sys
from dataclasses import dataclass
from textwrap import dedent

import pytest

from tidegate.cli.main import main


@dataclass(frozen=True)
class Said:
    """What the command returned and printed."""

    code: int
    out: str
    error: str


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The working directory of a test, empty; modules that a program imports from it are forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


@pytest.fixture
def explain(folder, capsys):
    """Explain a function of a program: explain(program, "function", options...)."""

    def run(program, function="f", *options, file="program.py"):
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("import numpy as np\nimport tidegate as tg\n" + dedent(program))
        code = main(["explain", f"{file}:{function}", *options])
        out, error = capsys.readouterr()
        return Said(code, out, error)

    return run
