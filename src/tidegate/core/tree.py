"""Containers: nested lists, tuples, named tuples, dicts and dataclasses of leaves. None is a leaf.

An OrderedDict and a defaultdict come back as what they are, other subclasses of dict as a dict. Fields of a dataclass
that aren't set stay so.

Written here rather than taken from optree: that costs a fifth of the import budget (20 ms), and passes over plain
dataclasses unless each is registered.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, TypeVar

from tidegate.core.errors import StructureError

T = TypeVar("T")


@dataclass(frozen=True)
class Structure:
    """The shape of a container: a leaf (`kind` None), or a kind of container with keys and children."""

    kind: type | None
    keys: tuple[Any, ...] = ()
    children: tuple[Structure, ...] = ()
    default: Any = None
    """What makes a defaultdict's missing values."""

    @property
    def leaf_count(self) -> int:
        """How many leaves it has."""
        return 1 if self.kind is None else sum(child.leaf_count for child in self.children)

    def build(self, leaves: Iterable[Any]) -> Any:
        """The container with other leaves, in order. Raises StructureError for another number of them."""
        found = list(leaves)
        if len(found) != self.leaf_count:
            raise StructureError(f"got {len(found)} leaves for {self}; want {self.leaf_count}")
        return self._build(iter(found))

    def _build(self, leaves: Iterator[Any]) -> Any:
        if self.kind is None:
            return next(leaves)
        values = [child._build(leaves) for child in self.children]
        if self.kind in (list, tuple):
            return self.kind(values)
        if issubclass(self.kind, tuple):
            return self.kind(*values)
        if issubclass(self.kind, dict):
            items = zip(self.keys, values, strict=True)
            return defaultdict(self.default, items) if self.kind is defaultdict else self.kind(items)
        made = object.__new__(self.kind)  # as it was: __init__ and its checks are not for tensors' stand-ins
        for key, value in zip(self.keys, values, strict=True):
            object.__setattr__(made, key, value)
        return made

    def __str__(self) -> str:
        if self.kind is None:
            return "*"
        shown = [f"{k!r}: {c}" for k, c in zip(self.keys, self.children, strict=True)] if self.keys else self.children
        name = "" if self.kind in (list, tuple, dict) else self.kind.__name__
        start, end = ("[", "]") if self.kind is list else ("(", ")") if issubclass(self.kind, tuple) else ("{", "}")
        return f"{name}{start}{', '.join(map(str, shown))}{end}"


LEAF = Structure(None)


def flatten(tree: Any) -> tuple[list[Any], Structure]:
    """The leaves of a container, in order, and its structure."""
    leaves: list[Any] = []
    return leaves, _flatten(tree, leaves)


def _flatten(tree: Any, leaves: list[Any]) -> Structure:
    parts = _parts(tree)
    if parts is None:
        leaves.append(tree)
        return LEAF
    kind, keys, values = parts
    children = tuple([_flatten(v, leaves) for v in values])
    return Structure(kind, keys, children, tree.default_factory if kind is defaultdict else None)


def _parts(tree: Any) -> tuple[type, tuple[Any, ...], list[Any]] | None:
    """(kind, keys, children) of a container; None for a leaf."""
    kind = type(tree)
    if kind is list or kind is tuple:
        return kind, (), list(tree)
    if isinstance(tree, dict):
        return kind if kind in (OrderedDict, defaultdict) else dict, tuple(tree), list(tree.values())
    if isinstance(tree, tuple) and hasattr(kind, "_fields"):
        return kind, (), list(tree)
    if is_dataclass(tree) and not isinstance(tree, type):
        names = tuple([f.name for f in fields(tree) if hasattr(tree, f.name)])
        return kind, names, [getattr(tree, name) for name in names]
    return None


def map_leaves(function: Callable[[Any], Any], tree: T) -> T:
    """`tree` with `function` of each leaf."""
    leaves, structure = flatten(tree)
    return structure.build([function(leaf) for leaf in leaves])


def named_leaves(tree: Any, name: str) -> list[tuple[str, Any]]:
    """Each leaf with how one would write it: `name`, `name[0]`, `name['w']`, `name.field`."""
    parts = _parts(tree)
    if parts is None:
        return [(name, tree)]
    kind, keys, values = parts
    if issubclass(kind, dict):
        names = [f"{name}[{k!r}]" for k in keys]
    elif keys:
        names = [f"{name}.{k}" for k in keys]
    else:
        names = [f"{name}[{i}]" for i in range(len(values))]
    return [found for n, value in zip(names, values, strict=True) for found in named_leaves(value, n)]


def match(tree: Any, structure: Structure, who: str) -> list[Any]:
    """The leaves of `tree`, which must have `structure`; a dict's keys may come in another order.

    A dict of any kind matches another. Raises StructureError, for `who`, where they differ.
    """
    leaves: list[Any] = []
    _match(tree, structure, who, leaves)
    return leaves


def _match(tree: Any, structure: Structure, who: str, leaves: list[Any]) -> None:
    if structure.kind is None:
        leaves.append(tree)
        return
    parts = _parts(tree)
    if (
        parts is None
        or (parts[0] is not structure.kind and not (issubclass(parts[0], dict) and issubclass(structure.kind, dict)))
        or len(parts[2]) != len(structure.children)
        or set(parts[1]) != set(structure.keys)
    ):
        raise StructureError(f"{who}: got {flatten(tree)[1]}; want the structure {structure}")
    children = dict(zip(parts[1], parts[2], strict=True)) if structure.keys else dict(enumerate(parts[2]))
    for key, child in zip(structure.keys or range(len(structure.children)), structure.children, strict=True):
        _match(children[key], child, who, leaves)
