"""Where values leave the graph: what somebody makes of them in Python, no gradient can follow.

`leaks` lists it, `strict_lazy` makes it an error. Showing a tensor isn't a leak. Both are context-local: a thread, or
a task that was started before, is watched only by its own.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from tidegate.core.errors import LeakError
from tidegate.core.graph import Node, Tensor, TensorType
from tidegate.core.source import Site, show_site, user_site


@dataclass(frozen=True, eq=False, repr=False)
class Leak:
    """A value that left the graph. Its node's history is kept while this is."""

    what: str
    """What was asked: "float", "numpy", "numpy.asarray", ..."""
    type: TensorType
    node: Node
    index: int
    site: Site

    @property
    def line(self) -> str:
        """The user's line that asked, as `train.py:12`."""
        return show_site(self.site)

    @property
    def made(self) -> str:
        """The user's line that made the tensor."""
        return show_site(self.node.told_site())

    def __str__(self) -> str:
        return f"{self.line}: {self.what} of {self.type}, made by {self.node.op.name} at {self.made}"

    def __repr__(self) -> str:
        return f"<Leak {self}>"


@dataclass(frozen=True, eq=False)
class Watch:
    """A scope in which leaks are listed, or refused; outer ones are told too."""

    outer: Watch | None
    strict: bool
    found: list[Leak] = field(default_factory=list)


_innermost: ContextVar[Watch | None] = ContextVar("leaks", default=None)
watching = _innermost.get
"""The innermost watch, or None: the one look-up that an unwatched conversion pays."""


def refuse_leak(x: Tensor, what: str) -> None:
    """Raise LeakError, for `what`, where a strict watch stands around."""
    watch = watching()
    while watch is not None:
        if watch.strict:
            made = f"made by {x.node.op.name} at {show_site(x.node.told_site())}"
            raise LeakError(
                f"{what}: got {x.type} {made}; want nothing to leave the graph under strict_lazy, "
                "where gradients couldn't follow: go on with the tensor, or ask outside"
            )
        watch = watch.outer


def note_leak(x: Tensor, what: str) -> None:
    """List it with all watches that stand around."""
    leak = Leak(what, x.type, x.node, x.index, user_site())
    watch = watching()
    while watch is not None:
        watch.found.append(leak)
        watch = watch.outer


@contextmanager
def _within(watch: Watch) -> Generator[Watch]:
    token = _innermost.set(watch)
    try:
        yield watch
    finally:
        _innermost.reset(token)


@contextmanager
def leaks() -> Generator[list[Leak]]:
    """A list of what leaves the graph within, filled as it happens: a context manager.

    A leak is a value asked for by `bool`, `int`, `float`, `complex`, an index, `item`, `tolist`, `numpy`,
    `numpy.asarray`, DLPack, `pickle` or `copy`; printing is none. Each says what was asked, on which line, and which
    line made the tensor.
    """
    with _within(Watch(watching(), strict=False)) as watch:
        yield watch.found


@contextmanager
def strict_lazy() -> Generator[None]:
    """Within, nothing leaves the graph: a context manager.

    What `leaks` would list raises LeakError, which names its line and the line that made the tensor, and nothing is
    computed for it.
    """
    with _within(Watch(watching(), strict=True)):
        yield
