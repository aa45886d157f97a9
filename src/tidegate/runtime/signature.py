"""What a compiled function is looked up by: the containers, types and static values of its arguments."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tidegate.core.dtypes import as_dtype, complex128, float64, int64, kind_of
from tidegate.core.errors import ArgumentError, ArgumentTypeError
from tidegate.core.graph import Array, Tensor, TensorType, value_type
from tidegate.core.intern import exact_key
from tidegate.core.tree import Structure, flatten, named_leaves
from tidegate.functions.numbers import is_weak
from tidegate.runtime.config import config

NUMBERS = {int: TensorType((), int64), float: TensorType((), float64), complex: TensorType((), complex128)}
"""What Python numbers are as arguments: read at each call, whole."""


@dataclass(frozen=True)
class Signature:
    """A key, and what of a call goes in as values. `places` says where the values stand among the leaves."""

    key: Hashable
    structure: Structure
    leaves: list[Any]
    places: list[int]
    types: list[TensorType]
    values: list[Tensor | Array | complex]
    weak: list[bool]
    """Which of the values are Python numbers, or stand for one in a trace around the call."""


class Parameters:
    """A function's parameters, and which of them are static."""

    def __init__(self, function: Callable[..., Any], static: Sequence[str]) -> None:
        try:
            parameters = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):
            parameters = []
        kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        self.names = [p.name for p in parameters if p.kind in kinds]
        known = [p.name for p in parameters]
        anything = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters)
        for name in static:
            if not isinstance(name, str):
                raise ArgumentTypeError(f"jit: got {name!r} in static_argnames; want names")
            if name not in known and not anything:
                raise ArgumentError(f"jit: got static_argnames {name!r}; the function has {', '.join(known) or 'none'}")
        self.static = frozenset(static)

    def name(self, position: int) -> str:
        """The name of a positional argument."""
        return self.names[position] if position < len(self.names) else f"argument {position}"

    def signature(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Signature:
        """That of a call. Raises ArgumentTypeError for a static argument that can't be hashed."""
        given: Any = (args, dict(sorted(kwargs.items()))) if kwargs else (args, kwargs)
        held: tuple[Any, ...] = ()
        if self.static:
            given, held = self._without_static(args, kwargs)
        leaves, structure = flatten(given)
        parts: list[Any] = []
        places: list[int] = []
        types: list[TensorType] = []
        values: list[Any] = []
        numbers: list[bool] = []
        for place, leaf in enumerate(leaves):
            leaf, kind = argument(leaf)
            if kind is None:
                parts.append((leaf.__class__, self._hashable(leaf, args, kwargs, place)))
                continue
            number = leaf.__class__ in NUMBERS or (leaf.__class__ is Tensor and is_weak(leaf))
            parts.append((kind_of(kind.dtype), kind) if number else kind)
            numbers.append(number)
            places.append(place)
            types.append(kind)
            values.append(leaf)
        key = (structure, tuple(parts), held, config.default_float)
        return Signature(key, structure, leaves, places, types, values, numbers)

    def _without_static(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, tuple[Any, ...]]:
        """The arguments with None for static ones, and the static ones' keys."""
        held: list[Any] = []
        rest: list[Any] = []
        for i, value in enumerate(args):
            static = i < len(self.names) and self.names[i] in self.static
            if static:
                held.append(static_key(value, self.names[i]))
            rest.append(None if static else value)
        named = {}
        for name, value in sorted(kwargs.items()):
            if name in self.static:
                held.append((name, static_key(value, name)))
            named[name] = None if name in self.static else value
        return (tuple(rest), named), tuple(held)

    def call(self, built: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments rebuilt from leaves, with the static ones as they were given."""
        new_args, new_kwargs = built
        for i in range(len(args)):
            if i < len(self.names) and self.names[i] in self.static:
                new_args = (*new_args[:i], args[i], *new_args[i + 1 :])
        return new_args, {name: kwargs[name] if name in self.static else value for name, value in new_kwargs.items()}

    def _hashable(self, leaf: Any, args: tuple[Any, ...], kwargs: dict[str, Any], place: int) -> Any:
        try:
            hash(leaf)
        except TypeError:
            name = self.leaf_names(args, kwargs)[place]
            raise ArgumentTypeError(
                f"jit: got {type(leaf).__name__} as {name}; want arrays, numbers, or what can be hashed, and is static"
            ) from None
        return told_apart(leaf)

    def leaf_names(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[str]:
        """How one would write each leaf of the arguments."""
        pairs = [(self.name(i), a) for i, a in enumerate(args)] + sorted(kwargs.items())
        found = []
        for name, value in pairs:
            if name in self.static:
                found.append(name)
            else:
                found += [leaf for leaf, _ in named_leaves(value, name)]
        return found


def static_key(value: Any, name: str) -> Any:
    """What tells a static argument apart. Raises ArgumentTypeError if it can't be hashed."""
    try:
        hash(value)
    except TypeError:
        raise ArgumentTypeError(f"jit: got {type(value).__name__} as static {name}; want something hashable") from None
    return value.__class__, told_apart(value)


@dataclass(frozen=True, eq=False)
class Same:
    """Tells an object apart by identity: for those whose == says something else, as that of tensors does."""

    value: Any

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.value is self.value

    def __repr__(self) -> str:
        return repr(self.value)


def told_apart(value: Any) -> Any:
    """What stands in a key for a static value: it is compared by equality, if its hash isn't its identity's."""
    if value.__class__ is tuple or value.__class__ is list:
        return tuple([told_apart(v) for v in value])
    return Same(value) if type(value).__hash__ is object.__hash__ else exact_key(value)


def argument(leaf: Any) -> tuple[Any, TensorType | None]:
    """A leaf as what is read at a call, and its type; None for one that is static: bools, strings, None, objects."""
    if leaf.__class__ is Tensor:
        return leaf, leaf.type
    kind = NUMBERS.get(leaf.__class__)
    if kind is not None:
        return leaf, kind
    if leaf is None or isinstance(leaf, (bool, str, bytes)):
        return leaf, None
    if hasattr(type(leaf), "__tidegate_tensor__"):
        return leaf, None
    if isinstance(leaf, (int, float, complex)) and not isinstance(leaf, np.generic):
        number: Any = next(t for t in NUMBERS if isinstance(leaf, t))
        return number(leaf), NUMBERS[number]
    if isinstance(leaf, (np.ndarray, np.generic)) or hasattr(leaf, "__array__"):
        array = np.asarray(leaf)
        dtype = as_dtype(array.dtype)
        return (array, value_type(array)) if array.dtype == dtype else argument(array.astype(dtype))
    return leaf, None


def differences(new: Any, old: Any, names: Sequence[str]) -> list[str]:
    """In what a signature differs from another one, for logs."""
    structure, parts, held, default = new
    old_structure, old_parts, old_held, old_default = old
    if structure != old_structure:
        return [f"the containers are {structure}, not {old_structure}"] * (1 + len(parts))
    found = [
        f"{name} is {_shown(part)}, not {_shown(was)}"
        for name, part, was in zip(names, parts, old_parts, strict=True)
        if part != was
    ]
    if held != old_held:
        found.append(f"static arguments are {_shown_all(held)}, not {_shown_all(old_held)}")
    if default != old_default:
        found.append(f"tg.config.default_float is {default}, not {old_default}")
    return found


def _shown(part: Any) -> str:
    if isinstance(part, TensorType):
        return str(part)
    kind, value = part
    return kind.__name__ if isinstance(value, TensorType) else _static(value)


def _static(key: Any) -> str:
    """A static value, from what `static_key` or `exact_key` made of it."""
    while isinstance(key, tuple) and len(key) > 1 and isinstance(key[0], (type, str)):
        key = key[-1]
    return repr(key)


def _shown_all(held: Sequence[Any]) -> str:
    return ", ".join([_static(part) for part in held])
