"""The files that the command runs."""

import subprocess
import sys
from importlib.metadata import entry_points

import pytest

import tidegate
from tidegate.cli.main import main


def test_a_name_with_spaces_and_dots_is_a_file(explain):
    assert explain("def f(x=1.0): return x", file="my model.v2.py").code == 0


def test_a_file_in_another_folder_finds_its_siblings(explain, folder):
    (folder / "models").mkdir()
    (folder / "models" / "sibling_of_it.py").write_text("def g(x): return x\n")
    assert explain("import sibling_of_it\ndef f(x=1.0): return sibling_of_it.g(x)", file="models/m.py").code == 0


def test_a_sibling_may_be_imported_when_the_function_is_called(explain, folder):
    (folder / "late_sibling.py").write_text("def g(x): return x\n")
    assert explain("def f(x=1.0):\n    import late_sibling\n    return late_sibling.g(x)").code == 0


def test_a_file_of_a_package_imports_its_siblings_relatively(explain, folder):
    inner = folder / "outer_package" / "inner"
    inner.mkdir(parents=True)
    for package in (inner.parent, inner):
        (package / "__init__.py").touch()
    (inner.parent / "base.py").write_text("def g(x): return x * 5.0\n")
    said = explain("from ..base import g\ndef f(x=1.0): return g(x)", file="outer_package/inner/m.py")
    assert "norm 5" in said.out


def test_a_package_that_another_one_hides_is_an_error(explain, folder):
    (folder / "json").mkdir()
    (folder / "json" / "__init__.py").touch()
    said = explain("def f(x=1.0): return x", file="json/decoder.py")
    assert said.code == 2
    assert said.error.startswith("tidegate: json/decoder.py is module json.decoder of its package, but that is ")


def test_the_file_is_not_run_as_the_main_program(explain):
    said = explain("def f(x=1.0): return x\nif __name__ == '__main__':\n    raise ValueError")
    assert said.code == 0


def test_a_dataclass_of_the_file_is_a_container(explain):
    said = explain("""
        from dataclasses import dataclass
        @dataclass
        class P:
            w: float
        def f(p=P(2.0)): return p.w * p.w
    """)
    assert "p.w" in said.out


def test_the_command_runs_as_a_module(folder):
    (folder / "program.py").write_text("def f(x=1.0): return x\n")
    command = [sys.executable, "-m", "tidegate", "explain", "program.py:f", "--fail-if-blocked", "x"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("program.py:f\n")


def test_the_entry_point_is_main():
    (command,) = entry_points(group="console_scripts", name="tidegate")
    assert command.load() is main


def test_the_version_is_the_packages(capsys):
    with pytest.raises(SystemExit) as exit:
        main(["--version"])
    assert exit.value.code == 0
    assert capsys.readouterr().out == f"tidegate {tidegate.__version__}\n"
