"""Public checks: that a function's or an op's derivatives are right, and that batching it equals a loop."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any

import ml_dtypes
import numpy as np

from tidegate.api.arguments import tensor_leaves
from tidegate.backends.reference import REFERENCE
from tidegate.core.body import Body
from tidegate.core.dtypes import BOOL, COMPLEX, DType, as_array, as_dtype, complex128, float64, int64, kind_of
from tidegate.core.graph import Array, Tensor, TensorType, walk
from tidegate.core.op import Draw, Op, show_types
from tidegate.ops.creation import Data, Input
from tidegate.ops.gates import StopGradient
from tidegate.runtime.evaluation import values_of
from tidegate.transforms.engine import ENGINE

__all__ = ["Draw", "check_batching", "check_derivatives", "draw", "draw_tangent"]

Function = Callable[..., Any]
"""Tensors to a tensor, or a container of them. An op is one."""

HERMITIAN = frozenset({"symmetric", "positive_definite"})
"""What `Draw.like` calls matrices that stay symmetric (Hermitian) when they move."""


def draw(spec: Draw, rng: np.random.Generator, dtype: Any = float64) -> Array:
    """A value for an op's input, as `spec` says, in `dtype`. Indices are int64 and booleans bool in any case.

    A complex number has its real part between the bounds and its imaginary part between -1 and 1.
    """
    dtype = as_dtype(dtype)
    shape, count = spec.shape, int(np.prod(spec.shape))
    if spec.like == "index":
        return rng.integers(0, int(spec.high), shape).astype(int64)
    if spec.like == "true":
        return np.ones(spec.shape, bool)
    if spec.like == "boolean" or dtype in BOOL:
        return np.asarray(rng.random(shape) < 0.5)
    if spec.like == "distinct":
        spaced = np.arange(count) - count // 2 if kind_of(dtype) is int else np.linspace(spec.low, spec.high, count)
        return rng.permutation(spaced).reshape(shape).astype(dtype)
    if kind_of(dtype) is int:
        low = max(int(np.ceil(spec.low)), np.iinfo(dtype).min)
        return rng.integers(low, int(np.floor(spec.high)) + 1, shape).astype(dtype)
    x = _numbers(rng, spec, dtype)
    if spec.like in HERMITIAN:
        x = _hermitian(x)
        if spec.like == "positive_definite":
            x = _hermitian(np.matmul(x, x)) + shape[-1] * np.eye(shape[-1])
    elif spec.like == "triangular":
        n = shape[-1]
        x = np.tril(x, -1) / max(n, 1) + np.eye(n) * (1.5 + 0.25 * x)
    return x.astype(dtype)


def draw_tangent(spec: Draw, rng: np.random.Generator, dtype: Any = float64) -> Array:
    """A direction in which a value that `spec` says may move: symmetric (Hermitian) where the value is."""
    x = _numbers(rng, Draw(spec.shape, -1.0, 1.0), as_dtype(dtype))
    return (_hermitian(x) if spec.like in HERMITIAN else x).astype(dtype)


def _numbers(rng: np.random.Generator, spec: Draw, dtype: DType) -> Array:
    x = rng.uniform(spec.low, spec.high, spec.shape)
    return x + 1j * rng.uniform(-1.0, 1.0, spec.shape) if dtype in COMPLEX else np.asarray(x)


def _hermitian(x: Array) -> Array:
    return (x + np.conjugate(np.swapaxes(x, -1, -2))) / 2


def subsets(places: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every subset but the empty one."""
    return chain.from_iterable(combinations(places, n) for n in range(1, len(places) + 1))


@dataclass(frozen=True)
class _Check:
    """What a whole run of check_derivatives shares."""

    name: str
    rng: np.random.Generator
    step: float
    tolerance: float


def check_derivatives(
    function: Function,
    *points: Any,
    order: int = 2,
    dtype: Any = float64,
    seed: int = 0,
    step: float = 2.0**-10,
    tolerance: float = 1e-7,
) -> None:
    """Raise AssertionError unless `function`'s derivatives are right at `points`, in float64 and complex128.

    Along one random direction, for every non-empty subset of the floating point and complex inputs varying: forward
    mode against a central difference, and reverse mode against forward mode, Re<u, J v> = Re<J^T u, v>, to rounding.
    Then the same of the forward and of the reverse derivative as functions of their own, up to `order`.

    function: tensors to a tensor, or a container of them; an op is one. What stop_gradient gives is held constant in
        the difference too, as it is a constant of the derivative; inside of regions it can't be.
    points: an array or number for each argument, converted to float64 or complex128 unless it is of integers or
        booleans; or a Draw, which is drawn in `dtype`, and whose tangents are symmetric where its values are.
    step, tolerance: of the difference (of fourth order), and of its error relative to the largest derivative.
    """
    check = _Check(_name(function), np.random.default_rng(seed), step, tolerance)
    specs = [p if isinstance(p, Draw) else Draw(np.shape(p)) for p in points]
    values = [draw(p, check.rng, dtype) if isinstance(p, Draw) else _widest(p) for p in points]
    _check_order(check, function, values, specs, 1, order)


def _name(function: Function) -> str:
    return str(function) if isinstance(function, Op) else getattr(function, "__name__", type(function).__name__)


def _widest(point: Any) -> Array:
    array = as_array(point.numpy() if isinstance(point, Tensor) else np.asarray(point), None)
    kind = kind_of(array.dtype)
    return array.astype(complex128) if kind is complex else array.astype(float64) if kind is float else array


def _check_order(
    check: _Check, function: Function, values: list[Array], specs: list[Draw], now: int, order: int
) -> None:
    xs = [Data(v)() for v in values]
    ys, _ = tensor_leaves(function(*xs), "check_derivatives")
    values_of(ys)  # what is wrong with a value is raised here, with the user's line
    places = [i for i, x in enumerate(xs) if x.differentiable]
    tangents = {i: draw_tangent(specs[i], check.rng, xs[i].dtype) for i in places}
    cotangents = [draw_tangent(Draw(y.shape), check.rng, y.dtype) if y.differentiable else None for y in ys]
    for varying in subsets(places):
        where = f"{check.name} of {show_types([x.type for x in xs])}, order {now}, inputs {list(varying)} varying"
        _check_one(check, where, function, xs, ys, {i: tangents[i] for i in varying}, cotangents)
    if now < order:
        _check_order(check, _pushed(function, tangents), values, specs, now + 1, order)
        present = [u for u in cotangents if u is not None]
        wider = [*specs, *[Draw(u.shape) for u in present]]
        _check_order(check, _pulled(function, len(xs)), [*values, *present], wider, now + 1, order)


def _pushed(function: Function, tangents: dict[int, Array]) -> Function:
    """The tangents of what `function` gives, as a function."""

    def pushed(*xs: Tensor) -> list[Tensor]:
        ys, _ = tensor_leaves(function(*xs), "check_derivatives")
        moves = tuple([Data(t)() for t in tangents.values()])
        return [t for t in ENGINE.jvp(tuple(ys), tuple([xs[i] for i in tangents]), moves) if t is not None]

    return pushed


def _pulled(function: Function, count: int) -> Function:
    """The cotangents of what `function` takes, as a function of that and of the cotangents of what it gives."""

    def pulled(*args: Tensor) -> list[Tensor]:
        xs, present = args[:count], iter(args[count:])
        ys, _ = tensor_leaves(function(*xs), "check_derivatives")
        seeds = tuple([next(present) if y.differentiable else None for y in ys])
        return [g for g in ENGINE.vjp(tuple(ys), xs, seeds) if g is not None]

    return pulled


def _check_one(
    check: _Check,
    where: str,
    function: Function,
    xs: list[Tensor],
    ys: list[Tensor],
    tangents: dict[int, Array],
    cotangents: list[Array | None],
) -> None:
    sources = tuple([xs[i] for i in tangents])
    moves = tuple([Data(t)() for t in tangents.values()])
    seeds = tuple([None if u is None else Data(u)() for u in cotangents])
    pushed = _arrays(ENGINE.jvp(tuple(ys), sources, moves), ys)
    pulled = _arrays(ENGINE.vjp(tuple(ys), sources, seeds), sources)
    if any(t is not None for t in pushed) != any(g is not None for g in pulled):
        raise AssertionError(f"{where}: one mode says that nothing flows, the other that something does")

    rounding = max([_eps(t.dtype) for t in (*sources, *ys) if t.differentiable])
    for k, (slope, got) in enumerate(zip(_difference(function, check.step, xs, ys, tangents), pushed, strict=True)):
        if not ys[k].differentiable or not slope.size:
            continue
        got = np.zeros_like(slope) if got is None else got
        size = 1 + np.abs(values_of([ys[k]])[0]).max()
        limit = check.tolerance * np.abs(slope).max() + max(1e-9, 4 * rounding / check.step) * size
        error = np.abs(got - slope).max()
        if not error <= limit:
            raise AssertionError(
                f"{where}: output {k}: forward mode differs from a central difference by {error:.3g}, more than "
                f"{limit:.3g}\n  forward mode: {got}\n  difference: {slope}"
            )

    terms = [_product(u, t) for u, t in zip(cotangents, pushed, strict=True) if u is not None and t is not None]
    back = [_product(g, t) for g, t in zip(pulled, tangents.values(), strict=True) if g is not None]
    left, right = sum(a for a, _ in terms), sum(a for a, _ in back)
    limit = 2**14 * rounding * (sum(size for _, size in terms) + sum(size for _, size in back))
    if not abs(left - right) <= limit:
        raise AssertionError(f"{where}: <u, J v> = {left:.17g} by forward mode, <J^T u, v> = {right:.17g} by reverse")


def _arrays(tensors: Sequence[Tensor | None], like: Sequence[Tensor]) -> list[Array | None]:
    """Values, None kept. Raises AssertionError for a derivative of another type than what it is of."""
    for t, x in zip(tensors, like, strict=True):
        if t is not None and t.type != x.type:
            raise AssertionError(f"a derivative of {x.type} is {t.type}")
    found = iter(values_of([t for t in tensors if t is not None]))
    return [None if t is None else next(found) for t in tensors]


def _product(x: Array, y: Array) -> tuple[float, float]:
    """The real inner product of two arrays, and how large its terms are in all."""
    terms = np.conjugate(x) * y
    return float(np.sum(terms.real)), float(np.sum(np.abs(terms)))


def _difference(
    function: Function, step: float, xs: list[Tensor], ys: list[Tensor], tangents: dict[int, Array]
) -> list[Array]:
    """The derivative of each y along `tangents`, by a central difference of fourth order; stops are held constant.

    `function` is called anew at each point, so that what it takes for a constant without a stop shows.
    """
    held = values_of(_stops(ys))
    start = values_of(xs)

    def at(distance: float) -> list[Array]:
        moved = [x + distance * tangents[i] if i in tangents else x for i, x in enumerate(start)]
        found, _ = tensor_leaves(function(*[Data(x)() for x in moved]), "check_derivatives")
        stops = _stops(found)
        if len(stops) != len(held) or len(found) != len(ys):
            raise AssertionError(f"{_name(function)} makes other graphs at other points: a difference says nothing")
        results = REFERENCE.run(Body(stops, found), tuple(held))
        return [y if y.dtype in COMPLEX else y.astype(float64) for y in results]

    far, near, back, behind = at(2 * step), at(step), at(-step), at(-2 * step)
    return [
        np.asarray((8 * (b - c) - (a - d)) / (12 * step)) for a, b, c, d in zip(far, near, back, behind, strict=True)
    ]


def _stops(ys: Sequence[Tensor]) -> list[Tensor]:
    return [node.tensor(0) for node in walk(ys) if isinstance(node.op, StopGradient)]


def check_batching(function: Function, inputs: Sequence[Any], batched: Sequence[bool]) -> None:
    """Raise AssertionError unless `function`, batched, equals a loop over the batch and a stack.

    inputs: an array for each argument; those that `batched` says have one more, leading, axis, all of one size.
    """
    arrays = [as_array(x.numpy() if isinstance(x, Tensor) else x, None) for x in inputs]
    size = next(len(x) for x, b in zip(arrays, batched, strict=True) if b)
    xs = [Data(x)() for x in arrays]
    one, _ = tensor_leaves(function(*_unbatched(xs, batched)), "check_batching")
    shown = show_types([x.type for x in xs])
    where = f"{_name(function)} of {shown}, batched {list(batched)}"
    together = batch(function, size, batched)(*xs)
    for k, (y, kind) in enumerate(zip(together, [y.type for y in one], strict=True)):
        if y.type != TensorType((size, *kind.shape), kind.dtype):
            raise AssertionError(f"{where}: output {k} is {y.type}; one alone is {kind}")
    rows = [[Data(x[i])() if b else Data(x)() for x, b in zip(arrays, batched, strict=True)] for i in range(size)]
    looped = [values_of(tensor_leaves(function(*row), "check_batching")[0]) for row in rows]
    for k, got in enumerate(values_of(together)):
        want = np.stack([row[k] for row in looped]) if size else got
        if not _close(got, want):
            raise AssertionError(f"{where}: output {k} differs from a loop\n  batched: {got}\n  loop: {want}")


def _unbatched(xs: Sequence[Tensor], batched: Sequence[bool]) -> list[Tensor]:
    """Inputs of the types without the batch's axis."""
    return [Input(TensorType(x.shape[1:], x.dtype) if b else x.type)() for x, b in zip(xs, batched, strict=True)]


def batch(function: Function, size: int, batched: Sequence[bool]) -> Function:
    """`function` on inputs of which those that `batched` says have a leading axis of `size`, as every output has."""

    def on_batch(*xs: Tensor) -> list[Tensor]:
        inner = _unbatched(xs, batched)
        outputs, _ = tensor_leaves(function(*inner), "check_batching")
        return list(ENGINE.batch(Body(inner, outputs), size, tuple(batched), xs))

    on_batch.__name__ = f"batched {_name(function)}"
    return on_batch


def _close(x: Array, y: Array) -> bool:
    """Whether two arrays are equal, floating point ones but for the order of sums."""
    if kind_of(x.dtype) in (bool, int):
        return np.array_equal(x, y)
    wide = complex128 if x.dtype in COMPLEX else float64
    within = 32 * _eps(x.dtype)
    return np.allclose(x.astype(wide), y.astype(wide), rtol=within, atol=within, equal_nan=True)


def _eps(dtype: DType) -> float:
    """The gap between 1 and the next number."""
    return float(ml_dtypes.finfo(dtype).eps)
