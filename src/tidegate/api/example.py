"""example: inputs to try a function on, kept with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from tidegate.core.errors import ArgumentTypeError

F = TypeVar("F", bound=Callable[..., Any])

ATTRIBUTE = "__tidegate_example__"


def example(*args: Any, **kwargs: Any) -> Callable[[F], F]:
    """Decorate a function with example inputs, for `tidegate explain` and flow reports; the function stays as it is.

    Either the inputs themselves, by place or by name, as they would be passed; or one function without parameters
    that returns a dict of them by name, called when they are needed (to load data, say).
    """
    if len(args) == 1 and not kwargs and callable(args[0]) and not hasattr(args[0], "shape"):
        inputs: Any = args[0]
    else:
        inputs = (args, kwargs)

    def keep(function: F) -> F:
        inner = function.__func__ if isinstance(function, (staticmethod, classmethod)) else function
        if not callable(inner):
            raise ArgumentTypeError(f"example: got {type(inner).__name__}; want it above a function")
        setattr(inner, ATTRIBUTE, inputs)
        return function

    return keep
