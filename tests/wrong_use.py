"""What every wrong use must give: an error of ours and of the built-in kind, that says what was got, and where."""

import inspect
from pathlib import Path

import pytest

import tidegate as tg


def check_error(call, kind, message):
    """`call` raises a `kind` that matches `message`, is one of ours, and names a line of the calling test's file."""
    here = Path(inspect.stack()[1].filename).name
    with pytest.raises(kind, match=message) as caught:
        call()
    assert isinstance(caught.value, tg.TidegateError)
    assert f"{here}:" in str(caught.value)
