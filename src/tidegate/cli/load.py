"""Finding what the command was asked about: a function in a file, and example inputs for it."""

from __future__ import annotations

import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from tidegate.api.example import ATTRIBUTE


class ExplainError(Exception):
    """What the command was asked for isn't there, or raises."""


@dataclass(frozen=True)
class Target:
    """A function, the inputs to call it with by name, and how it was asked for."""

    label: str
    function: Callable[..., Any]
    inputs: dict[str, Any]

    def call(self, inputs: dict[str, Any]) -> Any:
        """The function of other inputs of the same names. Raises ExplainError if it raises."""
        positional, named = [], {}
        for name, parameter in inspect.signature(self.function).parameters.items():
            if parameter.kind is parameter.VAR_POSITIONAL:
                positional += inputs.get(name, ())
            elif parameter.kind is parameter.VAR_KEYWORD:
                named |= inputs.get(name, {})
            elif name in inputs and parameter.kind is parameter.KEYWORD_ONLY:
                named[name] = inputs[name]
            elif name in inputs:
                positional.append(inputs[name])
        try:
            return self.function(*positional, **named)
        except Exception as error:
            raise ExplainError(f"{self.label} raised {type(error).__name__}: {error}{last_line(error)}") from error


def load(target: str) -> Target:
    """What `FILE.py:FUNCTION` names. Raises ExplainError if it isn't there, or has no example inputs."""
    file, colon, name = target.rpartition(":")
    if not colon or not file or not name:
        raise ExplainError(f"got {target!r}; want FILE.py:FUNCTION")
    path = Path(file)
    if not path.is_file():
        raise ExplainError(f"there is no file {file}")
    module = _run(path)
    function: Any = module
    for part in name.split("."):
        function = getattr(function, part, None)
    if function is None:
        defined = sorted(
            k for k, v in vars(module).items() if inspect.isfunction(v) and v.__module__ == module.__name__
        )
        raise ExplainError(f"{file} has no {name}; it defines {', '.join(defined) or 'no functions'}")
    if not callable(function):
        raise ExplainError(f"{name} in {file} is {type(function).__name__}; want a function")
    return Target(target, function, _inputs(function, target))


def _run(path: Path) -> ModuleType:
    """The file as a module, with its folder on the path as when it is run. Raises ExplainError if it raises."""
    name = f"tidegate_explained_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ExplainError(f"{path} isn't a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    folder = str(path.resolve().parent)
    sys.path.insert(0, folder)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise ExplainError(f"{path} raised {type(error).__name__}: {error}{last_line(error)}") from error
    finally:
        sys.path.remove(folder)
    return module


def _inputs(function: Callable[..., Any], label: str) -> dict[str, Any]:
    """Example inputs by name: those of @tg.example over the defaults."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        raise ExplainError(f"{label} can't be inspected; want a Python function") from None
    given = getattr(function, ATTRIBUTE, ((), {}))
    if callable(given):
        try:
            made = given()
        except Exception as error:
            raise ExplainError(
                f"the example of {label} raised {type(error).__name__}: {error}{last_line(error)}"
            ) from error
        if not isinstance(made, dict):
            raise ExplainError(f"the example of {label} returned {type(made).__name__}; want a dict of inputs by name")
        given = ((), made)
    args, kwargs = given
    try:
        bound = signature.bind_partial(*args, **kwargs)
    except TypeError as error:
        raise ExplainError(f"the example of {label} doesn't fit it: {error}") from None
    bound.apply_defaults()
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    missing = [n for n, p in signature.parameters.items() if n not in bound.arguments and p.kind not in variadic]
    if missing:
        raise ExplainError(
            f"{label} has no example for {', '.join(missing)}; give defaults, or put @tg.example(...) above it"
        )
    return dict(bound.arguments)


def last_line(error: BaseException) -> str:
    """` (file.py:12)`, where the error names no line itself."""
    if hasattr(error, "line"):
        return ""
    frames = traceback.extract_tb(error.__traceback__)
    return f"  ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
