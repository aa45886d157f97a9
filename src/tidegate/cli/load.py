"""Finding what the command was asked about: a function in a file, and example inputs for it."""

from __future__ import annotations

import importlib
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
from tidegate.core.source import NOWHERE, Site, show_place, show_site

FEW = 12
"""How many of a file's functions an error lists."""


class ExplainError(Exception):
    """What the command was asked for isn't there, or raises."""


@dataclass(frozen=True)
class Target:
    """A function, the inputs to call it with by name, and how it was asked for."""

    label: str
    function: Callable[..., Any]
    inputs: dict[str, Any]

    @property
    def site(self) -> Site:
        """The line on which it begins."""
        code = getattr(inspect.unwrap(self.function), "__code__", None)
        return NOWHERE if code is None else (code, 0)

    @property
    def place(self) -> str:
        """`  (file.py:12)`, for errors; nothing where it isn't known."""
        return "" if self.site is NOWHERE else f"  ({show_site(self.site)})"

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
        return _tried(self.label, lambda: self.function(*positional, **named))


def load(target: str) -> Target:
    """What `FILE.py:FUNCTION` names. Raises ExplainError if it isn't there, or has no example inputs."""
    file, colon, name = target.rpartition(":")
    if not colon or not file or not name:
        raise ExplainError(f"got {target!r}; want FILE.py:FUNCTION")
    path = Path(file)
    if not path.is_file():
        raise ExplainError(f"there is no file {file}")
    module = _tried(file, lambda: _run(path))
    function: Any = module
    for part in name.split("."):
        function = getattr(function, part, None)
    if function is None:
        raise ExplainError(f"{file} has no {name}; it defines {_few(_defined(module)) or 'no functions'}")
    if not callable(function):
        raise ExplainError(f"{name} in {file} is {type(function).__name__}; want a function")
    return Target(target, function, _inputs(function, target))


def _defined(module: ModuleType) -> list[str]:
    """The functions that a module defines itself."""
    return [k for k, v in vars(module).items() if inspect.isfunction(v) and v.__module__ == module.__name__]


def _few(names: list[str]) -> str:
    more = f" and {len(names) - FEW} more" if len(names) > FEW else ""
    return ", ".join(names[:FEW]) + more


def _run(path: Path) -> ModuleType:
    """The file as a module, run as Python runs it: with its folder on the path, so that it finds its siblings, then
    and when a function of it is called. A file of a package is imported as a module of that package."""
    folder, packages = path.resolve().parent, []
    while (folder / "__init__.py").is_file():
        packages.append(folder.name)
        folder = folder.parent
    sys.path.insert(0, str(folder))
    if packages:
        name = ".".join([*reversed(packages), *([] if path.stem == "__init__" else [path.stem])])
        module = importlib.import_module(name)
        if not module.__file__ or not path.samefile(module.__file__):
            raise ExplainError(f"{path} is module {name} of its package, but that is {module.__file__}")
        return module
    name = f"tidegate_explained_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ExplainError(f"{path} isn't a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def _inputs(function: Callable[..., Any], label: str) -> dict[str, Any]:
    """Example inputs by name: those of @tg.example over the defaults."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        raise ExplainError(f"{label} can't be inspected; want a Python function") from None
    given = getattr(function, ATTRIBUTE, ((), {}))
    if callable(given):
        made = _tried(f"the example of {label}", given)
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


def _tried(who: str, attempt: Callable[[], Any]) -> Any:
    """What `attempt`, of the user's code, returns. Raises ExplainError, of one line, if it raises."""
    try:
        return attempt()
    except ExplainError:
        raise
    except SyntaxError as error:
        place = f"  ({show_place(error.filename, error.lineno)})" if error.filename and error.lineno else ""
        raise ExplainError(f"{who} isn't valid Python: {error.msg}{place}") from error
    except (Exception, SystemExit) as error:
        message = " ".join(str(error).splitlines())
        said = f"{type(error).__name__}: {message}" if message else type(error).__name__
        raise ExplainError(f"{who} raised {said}{_place(error)}") from error


def _place(error: BaseException) -> str:
    """`  (file.py:12)`, the user's last line on the way to the error, where the error names no line itself."""
    if getattr(error, "line", "?") != "?":
        return ""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith("<")]
    theirs = [f for f in frames if not _is_installed(f.filename)]
    return f"  ({show_place(theirs[-1].filename, theirs[-1].lineno or 0)})" if theirs else ""


def _is_installed(filename: str) -> bool:
    """Whether a file is of this package, of Python, or of what is installed."""
    return "site-packages" in filename or filename.startswith(_LIBRARIES)


_LIBRARIES = (str(Path(__file__).parents[1]), str(Path(inspect.__file__).parent))
