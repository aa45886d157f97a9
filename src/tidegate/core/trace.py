"""Who watches nodes being made: a context-local stack of scopes, one look-up per node."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from threading import RLock
from typing import TYPE_CHECKING, TypeVar
from weakref import ref

if TYPE_CHECKING:
    from tidegate.core.graph import Node, Tensor


class Scope:
    """Told of every node made within it; outer scopes are told too."""

    outer: Scope | None = None

    def made(self, node: Node) -> None:
        """Look at a node that was just made."""
        if self.outer is not None:
            self.outer.made(node)


class GradientOf(Scope):
    """Nodes made within are part of the derivative of `node`, of the order `order`.

    They know it by a weak reference: a strong one would keep it waiting, and its inputs' values wanted.
    """

    def __init__(self) -> None:
        self.node: Node | None = None
        self.order = 1

    def made(self, node: Node) -> None:
        """Note what a node is the derivative of."""
        super().made(node)
        if self.node is not None and not isinstance(self.outer, OneRule):
            node.origin = ref(self.node)
            node.order = self.order


class OneRule(Scope):
    """A derivative taken within only completes one op's rule: what it makes belongs to that op."""


class CopyOf(Scope):
    """Nodes made within stand for `node` in another graph: they keep its line, and what it is the derivative of, or
    what stands for that here."""

    def __init__(self) -> None:
        self.node: Node | None = None
        self.copies: dict[Node, Node] = {}

    def made(self, node: Node) -> None:
        """Give a node the line of what it stands for."""
        super().made(node)
        told = self.node
        if told is None:
            return
        self.copies[told] = node
        node.site, node.origin, node.order = told.site, told.origin, told.order
        origin = None if told.origin is None else told.origin()
        if origin is not None and origin in self.copies:
            node.origin = ref(self.copies[origin])  # the original may go, with the graph that it is in


class Trace(Scope):
    """A Python function is being traced into a graph.

    Nodes of Python numbers that were its arguments, and of arithmetic among those and other numbers, are *weak*: they
    take the dtype of the tensors that they meet, as the numbers themselves would.
    """

    def __init__(self, token: Tensor | None = None) -> None:
        self.weak: set[Node] = set()
        self.measured: list[Node] = []
        """Those that decide sizes which aren't known before they run."""
        self.token = token
        """What the last effect gave: the next one takes it, so that they happen in order, and the body returns it."""

    def made(self, node: Node) -> None:
        """Note whether a node is weak."""
        super().made(node)
        if node.op.measured is not None:
            self.measured.append(node)
        if self.weak and node.inputs and node.op.pointwise and all([n in self.weak for n in node.inputs]):
            (kind,) = node.types
            if all([n.types[0].dtype == kind.dtype for n in node.inputs]):  # a conversion is meant
                self.weak.add(node)


_active: ContextVar[Scope | None] = ContextVar("active", default=None)
active_scope = _active.get

_tracing: ContextVar[Trace | None] = ContextVar("tracing", default=None)
active_trace = _tracing.get

S = TypeVar("S", bound=Scope)


@contextmanager
def within(scope: S) -> Generator[S]:
    """Make `scope` the innermost one."""
    scope.outer = active_scope()
    token = _active.set(scope)
    traced = None
    if isinstance(scope, Trace):
        around = active_trace()
        if around is not None:
            scope.weak = around.weak
        traced = _tracing.set(scope)
    try:
        yield scope
    finally:
        _active.reset(token)
        if traced is not None:
            _tracing.reset(traced)


class _Pauses:
    """How many builders, of all threads, want the collector paused: the last one to leave puts it back.

    A context manager that may be entered within itself: written out, since it stands on the way of every evaluation.
    """

    def __init__(self) -> None:
        self.lock = RLock()
        self.count = 0
        self.was_on = False

    def __enter__(self) -> None:
        with self.lock:
            if self.count == 0:
                self.was_on = gc.isenabled()
                gc.disable()
            self.count += 1

    def __exit__(self, *exception: object) -> None:
        with self.lock:
            self.count -= 1
            if self.count == 0 and self.was_on:
                gc.enable()


_pauses = _Pauses()


def many_new_objects() -> AbstractContextManager[None]:
    """Pause the cycle collector: building makes many objects and no cycles, and it would look in vain."""
    return _pauses


@contextmanager
def when_nobody_builds() -> Generator[bool]:
    """Keep builders and walks of all threads out while graphs are changed in place; False if one is at work."""
    with _pauses.lock:
        yield _pauses.count == 0
