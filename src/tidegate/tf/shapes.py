"""TensorFlow's TensorShape: sizes, of which some may not be known (None), or a rank that isn't."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

from tidegate.core.errors import ShapeError


class TensorShape:
    """The sizes of a tensor's axes; None for one that isn't known, and TensorShape(None) if not even the rank is."""

    __slots__ = ("_sizes",)

    def __init__(self, sizes: Any) -> None:
        if isinstance(sizes, TensorShape):
            self._sizes = sizes._sizes
        elif sizes is None:
            self._sizes: tuple[int | None, ...] | None = None
        else:
            several = sizes if isinstance(sizes, Sequence) or hasattr(sizes, "__iter__") else [sizes]
            self._sizes = tuple([n.__index__() if _is_known(n) else None for n in several])

    @property
    def rank(self) -> int | None:
        """How many axes there are; None if that isn't known."""
        return None if self._sizes is None else len(self._sizes)

    ndims = rank

    @property
    def dims(self) -> list[int | None] | None:
        """The sizes."""
        return None if self._sizes is None else list(self._sizes)

    def as_list(self) -> list[int | None]:
        """The sizes. Raises ShapeError if the rank isn't known."""
        return list(self._known())

    def _known(self) -> tuple[int | None, ...]:
        if self._sizes is None:
            raise ShapeError("TensorShape: its rank isn't known")
        return self._sizes

    def num_elements(self) -> int | None:
        """How many elements there are; None if that isn't known."""
        if self._sizes is None:
            return None
        known = [n for n in self._sizes if n is not None]
        return prod(known) if len(known) == len(self._sizes) else None

    def is_fully_defined(self) -> bool:
        """Whether every size is known."""
        return self.num_elements() is not None

    def is_compatible_with(self, other: Any) -> bool:
        """Whether a tensor could have both shapes."""
        mine, theirs = self._sizes, TensorShape(other)._sizes
        if mine is None or theirs is None:
            return True
        return len(mine) == len(theirs) and all(
            [n is None or m is None or n == m for n, m in zip(mine, theirs, strict=True)]
        )

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raise ShapeError unless a tensor could have both shapes."""
        if not self.is_compatible_with(other):
            raise ShapeError(f"TensorShape: {self} and {TensorShape(other)} aren't compatible")

    def __getitem__(self, key: Any) -> Any:
        found = self._known()[key]
        return TensorShape(found) if isinstance(key, slice) else found

    def __iter__(self) -> Iterator[int | None]:
        return iter(self._known())

    def __len__(self) -> int:
        return len(self._known())

    def __bool__(self) -> bool:
        return self._sizes is not None

    def __add__(self, other: Any) -> TensorShape:
        return TensorShape([*self._known(), *TensorShape(other)._known()])

    def __radd__(self, other: Any) -> TensorShape:
        return TensorShape(other) + self

    def __eq__(self, other: object) -> bool:
        try:
            return self._sizes == TensorShape(other)._sizes
        except (TypeError, AttributeError):
            return NotImplemented

    def __hash__(self) -> int:
        return hash(self._sizes)

    def __repr__(self) -> str:
        return f"TensorShape({list(self._sizes) if self._sizes is not None else None})"

    def __str__(self) -> str:
        if self._sizes is None:
            return "<unknown>"
        return f"({', '.join(map(str, self._sizes))}{',' if len(self._sizes) == 1 else ''})"


def _is_known(size: Any) -> bool:
    if size is None:
        return False
    return not hasattr(size, "terms")  # a Size of the graph's own
