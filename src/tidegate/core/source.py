"""Where in the user's code something was made: the nearest frame outside of this package."""

from __future__ import annotations

import linecache
import os
import sys
from itertools import islice
from types import CodeType

import numpy as np

Site = tuple[CodeType | None, int]
"""A code object and an instruction in it. Never a frame: that would keep the user's variables alive."""

NOWHERE: Site = (None, 0)

_FOLDERS = (os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep, os.path.dirname(np.__file__) + os.sep)
"""This package's, and NumPy's: `numpy.exp(x)` is the user's line, not one of NumPy's own."""
_PACKAGE = __name__.partition(".")[0] + "."


class _OursByFile(dict[str, bool]):
    """Whether a file is no user's, remembered: one look-up per frame on the hot path."""

    def __missing__(self, filename: str) -> bool:
        ours = self[filename] = os.path.abspath(filename).startswith(_FOLDERS)
        return ours


_is_ours = _OursByFile()


def user_site() -> Site:
    """The line now running in the user's code; resolved to a file and number only when shown."""
    frame = sys._getframe(1)
    while frame is not None and (
        _is_ours[name := frame.f_code.co_filename]
        or (name == "<string>" and frame.f_globals.get("__name__", "").startswith(_PACKAGE))  # a dataclass's __init__
    ):
        frame = frame.f_back
    return NOWHERE if frame is None else (frame.f_code, frame.f_lasti)


def position(site: Site) -> tuple[str, int]:
    """(file, line) of a site; ('?', 0) where it isn't known."""
    code, instruction = site
    if code is None:
        return "?", 0
    line, *_ = next(islice(code.co_positions(), max(instruction, 0) // 2, None), (None,))
    return code.co_filename, line or code.co_firstlineno


def show_site(site: Site) -> str:
    """`file.py:12`, relative to the working directory where the file lies below it."""
    filename, line = position(site)
    return show_place(filename, line) if line else "?"


def show_place(filename: str, line: int) -> str:
    """`file.py:12`, relative to the working directory where the file lies below it."""
    if os.path.isabs(filename):
        try:
            relative = os.path.relpath(filename)
        except (OSError, ValueError):  # no working directory, or another drive
            relative = filename
        filename = filename if relative.startswith(os.pardir) else relative
    return f"{filename}:{line}"


def source_text(site: Site) -> str:
    """The text of the line, stripped; empty where the file can't be read."""
    return linecache.getline(*position(site)).strip()
