"""tf.nest: containers. A dict's values come in the order of its keys, as in TensorFlow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tidegate.core import tree
from tidegate.core.errors import ArgumentError
from tidegate.core.tree import Structure, match


def flatten(structure: Any, expand_composites: bool = False) -> list[Any]:
    """The leaves, a dict's by its sorted keys."""
    return tree.flatten(_sorted(structure))[0]


def map_structure(func: Callable[..., Any], *structures: Any, **options: Any) -> Any:
    """`func` of the leaves that stand at the same place of containers of one structure.

    Raises StructureError (ValueError) where they differ.
    """
    if not structures:
        raise ArgumentError("tf.nest.map_structure: got no structure")
    first, shape = tree.flatten(structures[0])
    others = [match(s, shape, "tf.nest.map_structure") for s in structures[1:]]
    return shape.build([func(*leaves) for leaves in zip(first, *others, strict=True)])


def pack_sequence_as(structure: Any, flat_sequence: Any, expand_composites: bool = False) -> Any:
    """`structure` with other leaves, in the order of `flatten`. Raises StructureError for another number of them."""
    ordered = _sorted(structure)
    shape: Structure = tree.flatten(ordered)[1]
    return _restored(structure, shape.build(list(flat_sequence)))


def assert_same_structure(nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False) -> None:
    """Raise StructureError (ValueError) where two containers differ."""
    match(nest2, tree.flatten(nest1)[1], "tf.nest.assert_same_structure")


def _sorted(x: Any) -> Any:
    if isinstance(x, dict):
        return {k: _sorted(x[k]) for k in sorted(x)}
    if type(x) in (list, tuple):
        return type(x)([_sorted(v) for v in x])
    return x


def _restored(like: Any, x: Any) -> Any:
    """A container with its dicts' keys in the order of `like`."""
    if isinstance(like, dict):
        return {k: _restored(like[k], x[k]) for k in like}
    if type(like) in (list, tuple):
        return type(like)([_restored(a, b) for a, b in zip(like, x, strict=True)])
    return x
