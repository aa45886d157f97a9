"""Interning: equal arguments give the same object, so equality is identity and hashing is free."""

from __future__ import annotations

from dataclasses import MISSING
from threading import Lock
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

RECENT = 4096
"""How many interned objects of a class stay alive without a user; a table beyond that starts anew."""


def bounded(table: dict[Any, Any]) -> dict[Any, Any]:
    """`table`, emptied if it has grown past its bound: a program of ever new shapes must not grow for ever."""
    if len(table) >= RECENT:
        table.clear()
    return table


def normal(value: Any) -> Any:
    """An attribute in its one normal form: NumPy's scalars become Python's, lists become tuples."""
    kind = value.__class__
    if kind is tuple or kind is list:
        return tuple([normal(v) for v in value])
    return value.item() if isinstance(value, np.generic) else value


def exact_key(value: Any) -> Any:
    """Tells apart what Python calls equal: 1, 1.0 and True; 0.0 and -0.0. One NaN equals another."""
    kind = value.__class__
    if kind is int or kind is str:
        return value
    if kind is tuple or kind is list:
        return tuple([exact_key(v) for v in value])
    if kind is float:
        return kind, value.hex()
    if kind is complex:
        return kind, value.real.hex(), value.imag.hex()
    return kind, value


class Interned(type):
    """Metaclass of immutable dataclasses of which equal ones are one object."""

    interned: bool
    remembered: bool
    """Whether recent ones stay alive without a user, to be found again. Not those that hold a graph: it would stay."""
    __dataclass_fields__: dict[str, Any]
    _recent: dict[Any, Any]
    _alive: WeakValueDictionary[Any, Any]
    _lock: Lock

    def __init__(cls, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args)
        if "interned" not in cls.__dict__:
            cls.interned = True
        if not hasattr(cls, "remembered"):
            cls.remembered = True
        cls._recent = {}
        cls._alive = WeakValueDictionary()
        cls._lock = Lock()

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        """The one object of these arguments."""
        if not cls.interned:
            return super().__call__(*args, **kwargs)
        plain = not kwargs
        given = exact_key(args) if args else args
        if plain:
            found = cls._recent.get(given)
            if found is not None:
                return found
        args = normal(cls._all_fields(args, kwargs))
        key = exact_key(args)
        with cls._lock:
            found = cls._alive.get(key)
            if found is None:
                found = cls._alive[key] = super().__call__(*args)
            if cls.remembered:
                bounded(cls._recent)[given if plain else key] = found
        return found

    def _all_fields(cls, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        """Positional arguments for every field, so that a default and the same value given are one key."""
        fields = [f for f in cls.__dataclass_fields__.values() if f.init]
        if len(args) == len(fields) and not kwargs:
            return args
        rest = []
        for field in fields[len(args) :]:
            value = kwargs.pop(field.name, field.default)
            if value is MISSING:
                raise TypeError(f"{cls.__name__} wants {', '.join(f.name for f in fields)}: {field.name} is missing")
            rest.append(value)
        if kwargs or len(args) > len(fields):
            raise TypeError(f"{cls.__name__} takes {', '.join(f.name for f in fields) or 'nothing'}")
        return (*args, *rest)
