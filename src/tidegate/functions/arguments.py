"""Arguments that aren't tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from tidegate.core.errors import ArgumentTypeError


def several(x: Any) -> bool:
    """Whether x, an argument of one integer or more, is a sequence of them. NumPy's array without axes is one."""
    return isinstance(x, (tuple, list, range)) or (isinstance(x, np.ndarray) and x.ndim > 0)


def integer(who: str, what: str, n: Any) -> int:
    """`n` as an int. Raises ArgumentTypeError, for the argument `what` of `who`, if it isn't an integer."""
    try:
        if isinstance(n, (bool, np.bool_)):
            raise TypeError
        return n.__index__()
    except (TypeError, AttributeError):
        raise ArgumentTypeError(f"{who}: got {what} {n!r}; want an integer") from None


def text(who: str, what: str, value: Any) -> str:
    """`value`, a string. Raises ArgumentTypeError, for the argument `what` of `who`, if it is none."""
    if not isinstance(value, str):
        raise ArgumentTypeError(f"{who}: got {type(value).__name__} as {what}; want a string")
    return value
