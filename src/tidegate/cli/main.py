"""The command `tidegate`: its arguments, and what it prints and returns."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout

from tidegate import __version__
from tidegate.cli.explain import blocked, explain
from tidegate.cli.load import ExplainError, load
from tidegate.core.errors import TidegateError

FAILED, WRONG_USE = 1, 2


def parser() -> argparse.ArgumentParser:
    """The arguments that the command takes."""
    top = argparse.ArgumentParser(
        prog="tidegate", description="Automatic differentiation that says where gradients flow."
    )
    top.add_argument("--version", action="version", version=f"tidegate {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    command = commands.add_parser(
        "explain",
        help="show a function's value, its gradients, and what stops them",
        description="Call FUNCTION of FILE.py on its example inputs (its defaults, or those of @tg.example), and "
        "show its value, the gradient for each input or why there is none, and each stop with its line.",
    )
    command.add_argument("target", metavar="FILE.py:FUNCTION", help="what to explain")
    command.add_argument("--json", action="store_true", help="print one JSON object")
    command.add_argument(
        "--fail-if-blocked",
        metavar="NAME",
        action="append",
        default=[],
        help="return 1 if no gradient flows to the input NAME, or to a leaf of it (may be given again)",
    )
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command. Returns 0; 1 where --fail-if-blocked says so; 2 for what can't be found or raises."""
    given = parser().parse_args(arguments)
    try:
        with redirect_stdout(sys.stderr):  # what the user's file prints isn't ours
            explanation = explain(load(given.target))
        closed = blocked(explanation, given.fail_if_blocked)
    except (ExplainError, TidegateError) as error:
        print(f"tidegate: {error}", file=sys.stderr)
        return WRONG_USE
    _say(json.dumps(explanation.as_json(), indent=2, allow_nan=False) if given.json else str(explanation))
    for name in closed:
        print(f"tidegate: no gradient flows to {name}", file=sys.stderr)
    return FAILED if closed else 0


def _say(text: str) -> None:
    """Print; a reader that has read enough and left (`| head`) is no error."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for the flush at exit
