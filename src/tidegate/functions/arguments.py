"""Arguments that aren't tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from tidegate.core.errors import ArgumentTypeError


def integer(who: str, what: str, n: Any) -> int:
    """`n` as an int. Raises ArgumentTypeError, for the argument `what` of `who`, if it isn't an integer."""
    try:
        if isinstance(n, (bool, np.bool_)):
            raise TypeError
        return n.__index__()
    except (TypeError, AttributeError):
        raise ArgumentTypeError(f"{who}: got {what} {n!r}; want an integer") from None
