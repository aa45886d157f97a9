"""What the command can't do: it returns 2 and says why in one line that names the file's."""

import pytest

from tidegate.cli.main import main

HEAD = "tidegate: program.py:f "

WRONG = {
    "a syntax error": ("def f(:\n    pass", "tidegate: program.py isn't valid Python: invalid syntax  (program.py:3)"),
    "an error in the file": (
        "\n\nraise KeyError('zip')",
        "tidegate: program.py raised KeyError: 'zip'  (program.py:5)",
    ),
    "an exit in the file": ("raise SystemExit(4)", "tidegate: program.py raised SystemExit: 4  (program.py:3)"),
    "a module that is missing": (
        "import no_such_module",
        "tidegate: program.py raised ModuleNotFoundError: No module named 'no_such_module'  (program.py:3)",
    ),
    "no such function": ("def g(): pass", "tidegate: program.py has no f; it defines g"),
    "no function at all": ("", "tidegate: program.py has no f; it defines no functions"),
    "what isn't callable": ("f = 3", "tidegate: f in program.py is int; want a function"),
    "an input without an example": (
        "def f(x, y=1.0): return x",
        HEAD + "has no example for x; give defaults, or put @tg.example(...) above it",
    ),
    "an error in the function": (
        "def f(x=1.0):\n    raise ValueError('of two\\nlines')",
        HEAD + "raised ValueError: of two lines  (program.py:4)",
    ),
    "an error without a message": ("def f(x=1.0):\n    assert False", HEAD + "raised AssertionError  (program.py:4)"),
    "an error in a library": (
        "def f(x=1.0):\n    return np.linalg.inv(np.zeros((2, 2)))",
        HEAD + "raised LinAlgError: Singular matrix  (program.py:4)",
    ),
    "an exit in the function": ("def f(x=1.0):\n    exit(0)", HEAD + "raised SystemExit: 0  (program.py:4)"),
    "an error of ours in the function": (
        "def f(x=np.ones(3)):\n    return x + np.ones(4)",
        HEAD + "raised ShapeError: add: shapes [3] and [4] don't broadcast: 3 against 4  (program.py:4)",
    ),
    "an error found when it is run": (
        "def f(x=np.ones(3), i=np.asarray([7])):\n    return tg.sum(tg.take(x, i, axis=0))",
        "  (program.py:4)",
    ),
    "an example that raises": (
        "@tg.example(lambda: 1 / 0)\ndef f(x): return x",
        "tidegate: the example of program.py:f raised ZeroDivisionError: division by zero  (program.py:3)",
    ),
    "an example function that gives no dict": (
        "@tg.example(lambda: 3)\ndef f(x): return x",
        "tidegate: the example of program.py:f returned int; want a dict of inputs by name",
    ),
    "an example of too many inputs": (
        "@tg.example(1.0, 2.0)\ndef f(x): return x",
        "tidegate: the example of program.py:f doesn't fit it: too many positional arguments",
    ),
    "an example of no numbers": (
        "@tg.example(np.asarray(['a']))\ndef f(x): return x",
        "tidegate: the example of program.py:f for x: asarray: got ndarray of <U1; want numbers or booleans",
    ),
    "None for a loss": ("def f(x=1.0): pass", HEAD + "returned NoneType; want a tensor, the loss  (program.py:3)"),
    "text for a loss": ("def f(x=1.0): return 'x'", HEAD + "returned str; want a tensor, the loss  (program.py:3)"),
    "two losses": ("def f(x=1.0): return x, x", HEAD + "returned 2 values; want one, the loss  (program.py:3)"),
    "an empty container": ("def f(x=1.0): return {}", HEAD + "returned 0 values; want one, the loss  (program.py:3)"),
    "a complex loss": (
        "def f(x=1.0): return x * 1j",
        HEAD + "returned complex64[]; want real floating point  (program.py:3)",
    ),
    "an integer loss": (
        "def f(x=np.ones(2)): return tg.argmax(x)",
        HEAD + "returned int64[]; want real floating point  (program.py:3)",
    ),
}


@pytest.mark.parametrize(("program", "message"), WRONG.values(), ids=WRONG)
def test_it_is_one_line_that_says_what_is_wrong(explain, program, message):
    said = explain(program)
    assert (said.code, said.out) == (2, "")
    assert said.error.endswith(message + "\n")
    assert said.error.count("\n") == 1


@pytest.mark.parametrize("target", ["program.py", "program.py:", ":f", ":"])
def test_a_target_of_another_form_is_told_the_form(folder, capsys, target):
    assert main(["explain", target]) == 2
    assert capsys.readouterr().err == f"tidegate: got {target!r}; want FILE.py:FUNCTION\n"


def test_a_missing_file_is_named(folder, capsys):
    assert main(["explain", "nowhere.py:f"]) == 2
    assert capsys.readouterr().err == "tidegate: there is no file nowhere.py\n"


def test_a_file_that_is_not_python_is_named(explain):
    assert explain("def f(): return 1.0", file="program.txt").error == "tidegate: program.txt isn't a Python file\n"


@pytest.mark.parametrize("arguments", [[], ["explain"], ["explain", "a.py:f", "--colour"], ["differentiate"]])
def test_arguments_that_it_does_not_know_are_wrong_use(arguments, capsys):
    with pytest.raises(SystemExit) as exit:
        main(arguments)
    assert exit.value.code == 2
    assert capsys.readouterr().err.startswith("usage: tidegate")
