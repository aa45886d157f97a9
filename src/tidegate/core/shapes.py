"""Shapes: tuples of sizes, where a size is an int or, not known yet, a Size.

A Size is an integer polynomial over symbols; one that turns out constant is an int, and equal ones are one object,
so that shape rules stay ordinary arithmetic. A quotient that may not divide (reshape's -1) becomes an atom of the
polynomial, checked when it is bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from math import prod
from typing import Any

from tidegate.core.errors import AxisError, ShapeError
from tidegate.core.intern import Interned

Shape = tuple[Any, ...]
"""A tuple of ints and Sizes."""

_next_serial = count().__next__


@dataclass(frozen=True, eq=False)
class Symbol:
    """A size to be fed. Two symbols of one name are two symbols."""

    name: str
    serial: int

    def bind(self, sizes: Mapping[Symbol, int]) -> int:
        """The number that `sizes` makes of it."""
        if self not in sizes:
            raise ShapeError(f"size {self} isn't known; it was never fed")
        return sizes[self]

    @property
    def rank(self) -> tuple[int, int, str]:
        """Where it stands in a sorted monomial."""
        return 0, self.serial, self.name

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, eq=False)
class Quotient(metaclass=Interned):
    """above / below, which must divide."""

    above: Any
    below: Any

    def bind(self, sizes: Mapping[Symbol, int]) -> int:
        """The number that `sizes` makes of it."""
        above, below = bind(self.above, sizes), bind(self.below, sizes)
        if below == 0 or above % below:
            raise ShapeError(f"{self.above} = {above} elements don't divide by {self.below} = {below}")
        return above // below

    @property
    def rank(self) -> tuple[int, int, str]:
        """Where it stands in a sorted monomial."""
        return 1, 0, str(self)

    def __str__(self) -> str:
        return f"({self.above})/({self.below})"


Monomial = tuple[Symbol | Quotient, ...]


@dataclass(frozen=True, eq=False)
class Size(metaclass=Interned):
    """A sum of coefficient * product of atoms, terms and atoms sorted."""

    terms: tuple[tuple[Monomial, int], ...]

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, (int, Size)):
            return NotImplemented
        return _size([*self.terms, *_terms(other)])

    def __mul__(self, other: Any) -> Any:
        if not isinstance(other, (int, Size)):
            return NotImplemented
        return _size([(m + n, a * b) for m, a in self.terms for n, b in _terms(other)])

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Any:
        return self * -1

    def __sub__(self, other: Any) -> Any:
        return self + -other if isinstance(other, (int, Size)) else NotImplemented

    def __rsub__(self, other: Any) -> Any:
        return -self + other if isinstance(other, (int, Size)) else NotImplemented

    def __floordiv__(self, other: Any) -> Any:
        return divide(self, other) if isinstance(other, (int, Size)) else NotImplemented

    def __rfloordiv__(self, other: Any) -> Any:
        return divide(other, self) if isinstance(other, (int, Size)) else NotImplemented

    def __bool__(self) -> bool:
        return True

    def __index__(self) -> int:
        raise ShapeError(f"size {self} isn't known until it is fed")

    def __str__(self) -> str:
        shown = ["*".join([*([str(c)] if c != 1 or not m else []), *map(str, m)]) for m, c in self.terms]
        return " + ".join(shown)

    __repr__ = __str__


def symbol(name: str) -> Size:
    """A new unknown size."""
    return _size([((Symbol(name, _next_serial()),), 1)])


def _terms(n: Any) -> Sequence[tuple[Monomial, int]]:
    return n.terms if isinstance(n, Size) else [((), n)]


def _size(terms: Iterable[tuple[Monomial, int]]) -> Any:
    total: dict[Monomial, int] = {}
    for monomial, coefficient in terms:
        ordered = tuple(sorted(monomial, key=lambda atom: atom.rank))
        total[ordered] = total.get(ordered, 0) + coefficient
    kept = [(m, c) for m, c in total.items() if c]
    kept.sort(key=lambda term: (-len(term[0]), [atom.rank for atom in term[0]]))
    if not kept:
        return 0
    return kept[0][1] if len(kept) == 1 and not kept[0][0] else Size(tuple(kept))


def divide(above: Any, below: Any) -> Any:
    """above / below, which must divide: exact where one monomial cancels, else a Quotient.

    Raises ShapeError where both are known and don't divide.
    """
    if above is below:
        return 1
    if isinstance(above, int) and isinstance(below, int):
        if below == 0 or above % below:
            raise ShapeError(f"{above} elements don't divide by {below}")
        return above // below
    terms = _terms(below)
    if len(terms) == 1:
        (divisor, factor) = terms[0]
        cancelled: list[tuple[Monomial, int]] = []
        for monomial, coefficient in _terms(above):
            left = list(monomial)
            if coefficient % factor or any(left.count(a) < divisor.count(a) for a in divisor):
                break
            for atom in divisor:
                left.remove(atom)
            cancelled.append((tuple(left), coefficient // factor))
        else:
            return _size(cancelled)
    return _size([((Quotient(above, below),), 1)])


def bind(value: Any, sizes: Mapping[Symbol, int]) -> Any:
    """`value` (a size, or anything with sizes in nested tuples) with its symbols replaced by numbers."""
    if isinstance(value, Size):
        return sum(c * prod(atom.bind(sizes) for atom in m) for m, c in value.terms)
    return tuple([bind(v, sizes) for v in value]) if type(value) is tuple else value


def symbols_in(value: Any) -> set[Symbol]:
    """The symbols of `value`: a size, or anything with sizes in nested tuples."""
    if isinstance(value, tuple):
        return {s for v in value for s in symbols_in(v)}
    if isinstance(value, Quotient):
        return symbols_in(value.above) | symbols_in(value.below)
    if isinstance(value, Size):
        return {s for atoms, _ in value.terms for atom in atoms for s in symbols_in(atom)}
    return {value} if isinstance(value, Symbol) else set()


def is_known(shape: Shape) -> bool:
    """Whether every size is a number."""
    return all(isinstance(n, int) for n in shape)


def element_count(shape: Shape) -> Any:
    """The product of the sizes."""
    return prod(shape)


def show_shape(shape: Shape) -> str:
    """`2,3`, as types show it."""
    return ",".join(map(str, shape))


def broadcast_shape(shapes: Sequence[Shape], who: str) -> Shape:
    """The shape that all of `shapes` broadcast to by NumPy's rule; `who` wants it.

    1 gives way; a number beats a symbol; of two different symbols the first stands (whoever broadcasts must check
    that they are equal). Raises ShapeError where two numbers differ.
    """
    rank = max([len(s) for s in shapes], default=0)
    padded = [(1,) * (rank - len(s)) + tuple(s) for s in shapes]
    out = []
    for column in zip(*padded, strict=True):
        grown = list(dict.fromkeys(n for n in column if not (isinstance(n, int) and n == 1)))
        known = [n for n in grown if isinstance(n, int)]
        if len(known) > 1:
            shown = " and ".join(f"[{show_shape(s)}]" for s in shapes)
            raise ShapeError(f"{who}: shapes {shown} don't broadcast: {known[0]} against {known[1]}")
        out.append((known or grown or [1])[0])
    return tuple(out)


def normal_axis(axis: Any, rank: int, who: str) -> int:
    """`axis` counted from the front. Raises AxisError if there is none such, or it isn't an integer."""
    try:
        if isinstance(axis, bool):
            raise TypeError
        index = axis.__index__()
    except (TypeError, AttributeError):
        raise AxisError(f"{who}: got axis {axis!r}; want an integer") from None
    if not -rank <= index < rank:
        raise AxisError(f"{who}: got axis {index} of a tensor with {rank} axes")
    return index % rank


def normal_axes(axes: Any, rank: int, who: str) -> tuple[int, ...]:
    """Axes (None for all, an integer, or several) counted from the front and sorted.

    Raises AxisError if one isn't there, or is there twice.
    """
    if axes is None:
        return tuple(range(rank))
    several = axes if isinstance(axes, (tuple, list)) else (axes,)
    found = sorted(normal_axis(a, rank, who) for a in several)
    if len(set(found)) != len(found):
        raise AxisError(f"{who}: got axes {tuple(several)}; want each once")
    return tuple(found)
