"""The command in a pipe."""

import sys
from subprocess import PIPE, Popen


def test_a_reader_that_leaves_early_is_no_error(tmp_path):
    (tmp_path / "program.py").write_text("def f(x=1.0): return x * x\n")
    command = [sys.executable, "-m", "tidegate", "explain", "program.py:f", "--json"]
    with Popen(command, cwd=tmp_path, stdout=PIPE, stderr=PIPE, text=True) as process:
        process.stdout.close()
        said = process.stderr.read()
    assert (process.returncode, said) == (0, "")
