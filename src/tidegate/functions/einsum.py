"""einsum: sums of products by names of axes. opt_einsum finds the order; the products are DotGeneral's."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from opt_einsum import contract_path, get_symbol

from tidegate.core.errors import ArgumentError, ArgumentTypeError, ShapeError
from tidegate.core.graph import Tensor, TensorLike
from tidegate.core.intern import RECENT
from tidegate.core.shapes import Shape, Size, is_known
from tidegate.functions.convert import promoted
from tidegate.functions.diagonals import diagonal
from tidegate.ops.broadcast import Sum, is_one, without
from tidegate.ops.contraction import DotGeneral
from tidegate.ops.layout import Permute, Reshape, TakenAs, moved

Labels = tuple[str, ...]
"""A name for each axis: a letter, or for one that "..." stands for its place from the end: "...1"."""


@dataclass(frozen=True)
class Term:
    """A tensor and what its axes are called."""

    x: Tensor
    labels: Labels


def einsum(subscripts: str, /, *operands: TensorLike) -> Tensor:
    """The sum of products of `operands` that `subscripts` names, as NumPy's einsum has it: "ij,jk->ik".

    Letters name axes, one group an operand; an axis that is in the output is kept, every other one summed over. A
    letter that comes again in one group takes a diagonal. "..." stands for the axes without names, which broadcast from
    the right. Without "->" the output has those, then the letters that come once, in alphabetical order. Size 1 gives
    way to another size of the same name. Dtypes are promoted; any numeric, or any for a single operand that is only
    rearranged.
    Several operands are multiplied two at a time, in the order that costs least.
    Raises ArgumentError for subscripts that can't be read or don't fit the operands, ShapeError where sizes differ.
    """
    if not isinstance(subscripts, str):
        raise ArgumentTypeError(f"einsum: got {type(subscripts).__name__}; want the subscripts as a string first")
    if not operands:
        raise ArgumentError(f"einsum: got {subscripts!r} and no operands")
    xs = promoted("einsum", *operands)
    groups, output = read(subscripts, tuple([x.ndim for x in xs]))
    sizes = sizes_of(subscripts, xs, groups)
    terms = [plain(subscripts, Term(x, labels), sizes) for x, labels in zip(xs, groups, strict=True)]
    for places in order_of(terms, output):
        chosen = [terms[i] for i in places]
        terms = [t for i, t in enumerate(terms) if i not in places]
        wanted = {*output, *[label for t in terms for label in t.labels]}
        result = chosen[0]
        for i, other in enumerate(chosen[1:], start=2):
            later = {label for t in chosen[i:] for label in t.labels}
            result = product(result, other, wanted | later)
        terms.append(result)
    (term,) = terms
    term = summed(term, set(output))
    order = tuple([term.labels.index(label) for label in output])
    return term.x if order == tuple(range(len(order))) else Permute(order)(term.x)


@lru_cache(RECENT)
def read(subscripts: str, ranks: tuple[int, ...]) -> tuple[tuple[Labels, ...], Labels]:
    """The names of each operand's axes, and the output's. Raises ArgumentError for what can't be read."""

    def fail(why: str) -> ArgumentError:
        return ArgumentError(f"einsum: got {subscripts!r}: {why}")

    text = "".join(subscripts.split())
    inputs, arrow, after = text.partition("->")
    parts = inputs.split(",")
    if len(parts) != len(ranks):
        raise fail(f"{len(parts)} groups for {len(ranks)} operands")
    for part in (*parts, after):
        letters = part.replace("...", "", 1)
        if not (letters.isascii() and (letters.isalpha() or not letters)):
            raise fail(f"{part!r} holds what isn't a letter or one '...'")
    groups = []
    for part, rank in zip(parts, ranks, strict=True):
        named = len(part.replace("...", ""))
        if named > rank or (named < rank and "..." not in part):
            raise fail(f"{part!r} names {named} axes of an operand that has {rank}")
        groups.append(spelled(part, rank - named))
    every = [label for group in groups for label in group]
    unnamed = sorted({label for label in every if label.startswith(".")}, key=lambda s: -int(s[3:]))
    if not arrow:
        once = sorted(label for label in set(every) if every.count(label) == 1 and not label.startswith("."))
        return tuple(groups), (*unnamed, *once)
    if "..." not in after and unnamed:
        raise fail("the output lacks '...', which stands for axes of the operands")
    output = spelled(after, len(unnamed) if "..." in after else 0)
    if len(set(output)) != len(output):
        raise fail("a letter comes twice in the output")
    for label in output:
        if label not in every:
            raise fail(f"the output names {label!r}, which no operand has")
    return tuple(groups), output


def spelled(part: str, unnamed: int) -> Labels:
    """The names of a group; "..." as that many, counted from the right."""
    before, _, after = part.partition("...")
    middle = [f"...{unnamed - i}" for i in range(unnamed)] if "..." in part else []
    return (*before, *middle, *after)


def sizes_of(subscripts: str, xs: tuple[Tensor, ...], groups: tuple[Labels, ...]) -> dict[str, Any]:
    """The size of each name. Raises ShapeError where two differ and neither is 1."""
    sizes: dict[str, Any] = {}
    for x, labels in zip(xs, groups, strict=True):
        for label, size in zip(labels, x.shape, strict=True):
            known = sizes.setdefault(label, size)
            if is_one(known) or (isinstance(known, Size) and isinstance(size, int) and not is_one(size)):
                sizes[label] = size
            elif isinstance(size, Size) or isinstance(known, Size):
                continue  # they are taken to be equal
            elif size != known and not is_one(size):
                shown = " and ".join([str(x.type) for x in xs])
                raise ShapeError(f"einsum: got {subscripts!r} of {shown}: axis {label!r} has sizes {known} and {size}")
    return sizes


def plain(subscripts: str, term: Term, sizes: dict[str, Any]) -> Term:
    """A term without repeated names (diagonals are taken) or axes of size 1 whose name has another size."""
    x, labels = term.x, term.labels
    taken = tuple([sizes[a] if isinstance(n, Size) else n for a, n in zip(labels, x.shape, strict=True)])
    x = x if taken == x.shape else TakenAs(taken)(x)
    for label in dict.fromkeys(labels):
        while labels.count(label) > 1:
            first = labels.index(label)
            second = labels.index(label, first + 1)
            if x.shape[first] != x.shape[second]:
                raise ShapeError(
                    f"einsum: got {subscripts!r} of {term.x.type}: axis {label!r} has sizes {x.shape[first]} and "
                    f"{x.shape[second]} in one operand"
                )
            x = diagonal(moved(moved(x, first, x.ndim - 1), second - 1, x.ndim - 2))
            rest = [name for i, name in enumerate(labels) if i not in (first, second)]
            labels = (*rest, label)
    grown = tuple([i for i, label in enumerate(labels) if is_one(x.shape[i]) and not is_one(sizes[label])])
    if grown:
        x = Reshape(without(x.shape, grown))(x)
        labels = tuple([label for i, label in enumerate(labels) if i not in grown])
    return Term(x, labels)


def order_of(terms: list[Term], output: Labels) -> list[tuple[int, ...]]:
    """Which terms to multiply in turn; what comes of them is put at the end."""
    if len(terms) == 1:
        return []
    if len(terms) == 2 or not all([is_known(t.x.shape) for t in terms]):
        return [(0, 1)] + [(0, len(terms) - 2 - i) for i in range(len(terms) - 2)]
    return best_order(tuple([t.labels for t in terms]), tuple([t.x.shape for t in terms]), output)


@lru_cache(RECENT)
def best_order(labels: tuple[Labels, ...], shapes: tuple[Shape, ...], output: Labels) -> list[tuple[int, ...]]:
    """The order that costs least."""
    names = dict.fromkeys([label for group in labels for label in group])
    symbol = {label: get_symbol(i) for i, label in enumerate(names)}
    groups = ["".join([symbol[label] for label in group]) for group in (*labels, output)]
    path, _ = contract_path(",".join(groups[:-1]) + "->" + groups[-1], *shapes, shapes=True)
    return [tuple(sorted(pair)) for pair in path]


def summed(term: Term, wanted: set[str]) -> Term:
    """A term summed over the axes that nobody wants."""
    axes = tuple([i for i, label in enumerate(term.labels) if label not in wanted])
    kept = tuple([label for label in term.labels if label in wanted])
    return Term(Sum(axes)(term.x), kept) if axes else term


def product(left: Term, right: Term, wanted: set[str]) -> Term:
    """The product of two terms, summed over the axes that nobody wants."""
    left, right = summed(left, wanted | {*right.labels}), summed(right, wanted | {*left.labels})
    both = [label for label in left.labels if label in right.labels]
    pairs = []
    for names in ([n for n in both if n not in wanted], [n for n in both if n in wanted]):
        pairs.append((tuple(map(left.labels.index, names)), tuple(map(right.labels.index, names))))
    contracted, shared = pairs
    free = [n for t, u in ((left, right), (right, left)) for n in t.labels if n not in u.labels]
    return Term(DotGeneral(contracted, shared)(left.x, right.x), (*[n for n in both if n in wanted], *free))
