"""From what users pass to tensors of one dtype and shape."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from tidegate.core.device import check_device
from tidegate.core.dtypes import (
    COMPLEX,
    DEFAULT,
    DEFAULT_INT,
    INTEGER,
    WIDEST,
    DType,
    as_dtype,
    float32,
    float64,
    int64,
    promote,
    promote_scalar,
    scalar_array,
)
from tidegate.core.errors import ArgumentError, ArgumentTypeError, DTypeError, ScalarRangeError, ShapeError
from tidegate.core.graph import Tensor, TensorLike, TensorType
from tidegate.core.intern import RECENT
from tidegate.core.op import Op, show_types
from tidegate.core.shapes import Shape, Size, broadcast_shape, is_known, show_shape
from tidegate.functions.numbers import (
    ARITHMETIC,
    KINDS,
    all_weak,
    as_float,
    converted,
    is_number,
    is_weak,
    kept_weak,
    number,
    number_kind,
    settled,
    stands_for_number,
)
from tidegate.ops.broadcast import BroadcastTo, is_one
from tidegate.ops.cast import cast
from tidegate.ops.concatenate import Concatenate
from tidegate.ops.creation import Data, data, scalar
from tidegate.ops.elementwise import identity
from tidegate.ops.layout import Reshape, SizeValue, TakenAs


def asarray(x: TensorLike, /, dtype: Any = None, *, device: Any = None, copy: bool | None = None) -> Tensor:
    """A tensor of a copy of `x`, as it is now; a tensor of the dtype asked for stays itself.

    Takes a Python number, nested lists, a NumPy array or anything that NumPy makes one of, a tensor, or what says by
    a method `__tidegate_tensor__` which tensor it stands for, as a Variable does. Nested lists that hold tensors are
    stacked, and gradients flow to those; the numbers in them take the dtype of the tensors.
    Python floats become float32, ints int64, complex complex64; arrays keep their dtype.
    device: None or "cpu".
    copy: True gives a tensor of its own also of a tensor; False raises ArgumentError where anything would be copied:
        data, and a tensor of another dtype.
    Raises ArgumentTypeError for what isn't numbers or isn't regular, ShapeError for tensors in a list whose shapes
    don't fit, DTypeError for an unsupported dtype or some that don't mix, ScalarRangeError for an integer that doesn't
    fit.
    """
    if device is not None:
        check_device(device, "asarray")
    want = None if dtype is None else as_dtype(dtype)
    if hasattr(type(x), "__tidegate_tensor__"):
        x = x.__tidegate_tensor__()
    if copy is not None:
        return _copied(x, want, copy)
    if isinstance(x, Tensor):
        if is_weak(x):
            return settled("asarray", x, want)
        return x if want is None else cast(x, want)
    if is_number(x):
        return Data(scalar_array(x, want or DEFAULT[number_kind(x)]))()  # somebody's data, whatever its value
    if isinstance(x, Size):
        return SizeValue(x, want or DEFAULT_INT)()
    if isinstance(x, (list, tuple)) and _holds_tensors(x):
        return _stacked(x, want or _common_of_leaves(x))
    return data(x, want)


def _copied(x: TensorLike, want: DType | None, copy: bool) -> Tensor:
    stays = isinstance(x, Tensor) and (want is None or want == x.dtype)  # NumPy reads None as a dtype
    if not copy and not stays:
        got = x.type if isinstance(x, Tensor) else type(x).__name__
        raise ArgumentError(f"asarray: got {got} and copy=False; only a tensor of the dtype wanted isn't copied")
    out = asarray(x, want)
    return identity(out) if stays and copy else out


def _holds_tensors(x: Any) -> bool:
    return any([v.__class__ not in (float, int) and _is_or_holds_tensors(v) for v in x])


def _is_or_holds_tensors(x: Any) -> bool:
    if isinstance(x, (list, tuple)):
        return _holds_tensors(x)
    return isinstance(x, Tensor) or hasattr(type(x), "__tidegate_tensor__")


def _leaves(x: Any) -> list[Any]:
    return [leaf for v in x for leaf in _leaves(v)] if isinstance(x, (list, tuple)) else [x]


def _common_of_leaves(x: Any) -> DType:
    """The dtype of nested lists: that of the tensors and arrays in them, which Python numbers take."""
    leaves = _leaves(x)
    kinds = {type(v): v for v in leaves if is_number(v)}  # one number of each kind says as much as all
    return asarray(promoted("asarray", *kinds.values(), *[v for v in leaves if not is_number(v)])[0]).dtype


def _stacked(x: Any, dtype: DType) -> Tensor:
    """Nested lists that hold tensors as one tensor of `dtype`: its first axes are the lists."""
    if not isinstance(x, (list, tuple)):
        return asarray(x, dtype)
    if not x or not _holds_tensors(x):
        return data(x, dtype)
    rows = [_stacked(v, dtype) for v in x]
    shape = rows[0].shape
    if any([len(row.shape) != len(shape) or (is_known(row.shape + shape) and row.shape != shape) for row in rows]):
        raise ShapeError(f"asarray: got a list of {show_types([row.type for row in rows])}; want one shape")
    return joined("asarray", [Reshape((1, *row.shape))(row) for row in rows], 0)


def joined(who: str, xs: Sequence[Tensor], axis: int) -> Tensor:
    """Tensors of one dtype one after another along `axis`; unknown sizes along the others are taken to be equal.

    Raises ShapeError, for `who`, where shapes differ along the others.
    """
    if len(xs) == 1:
        return xs[0]
    shape = list(xs[0].shape)
    for x in xs:
        for i, n in enumerate(x.shape):
            if i < len(shape) and isinstance(n, int) and i != axis:
                shape[i] = n  # a number beats a symbol; where two numbers differ it is refused below
    placed = []
    for x in xs:
        want = tuple([x.shape[axis] if i == axis and axis < x.ndim else n for i, n in enumerate(shape)])
        fits = len(x.shape) == len(want) and all(
            [isinstance(n, Size) or isinstance(m, Size) or n == m for n, m in zip(x.shape, want, strict=True)]
        )
        if not fits:
            shown = show_types([x.type for x in xs])
            raise ShapeError(f"{who}: got {shown}; want one shape but for axis {axis}")
        placed.append(x if x.shape == want else TakenAs(want)(x))
    return Concatenate(axis, len(placed))(*placed)


def matched(x: Tensor, axes: Sequence[int], y: Tensor, others: Sequence[int]) -> tuple[Tensor, Tensor]:
    """x and y, whose sizes along pairs of axes are taken to be equal where one of them isn't known: a number beats it,
    and of two the first stands."""
    left, right = list(x.shape), list(y.shape)
    for i, j in zip(axes, others, strict=True):
        if isinstance(left[i], Size) and isinstance(right[j], int):
            left[i] = right[j]
        elif isinstance(right[j], Size):
            right[j] = left[i]
    x = x if tuple(left) == x.shape else TakenAs(tuple(left))(x)
    return x, y if tuple(right) == y.shape else TakenAs(tuple(right))(y)


def together(who: str, *xs: TensorLike) -> tuple[Tensor, ...]:
    """`xs` as tensors of one dtype and one shape, for `who`.

    Raises DTypeError where dtypes don't mix, ShapeError where shapes don't broadcast.
    """
    if _alike(xs) and (who in ARITHMETIC or not all_weak(xs)):
        return xs
    if len(xs) == 2:
        x, y = xs
        if x.__class__ is Tensor and _becomes(y.__class__, x.type.dtype) and not is_weak(x):
            return x, _repeated(y, x.type)
        if y.__class__ is Tensor and _becomes(x.__class__, y.type.dtype) and not is_weak(y):
            return _repeated(x, y.type), y
    return broadcast_all(who, *promoted(who, *xs))


def _becomes(kind: type, dtype: DType) -> bool:
    """Whether a number of this class becomes `dtype` whatever its value: nothing else needs to be looked at then."""
    if kind is not float and kind is not int:
        return False
    return dtype is float32 or dtype is float64 or (kind is int and dtype is int64)


def _repeated(number: float, kind: TensorType) -> Tensor:
    """A Python number as a tensor of type `kind`."""
    x = scalar(number, kind.dtype)
    return _repeat_op(kind)(x) if kind.shape else x


@lru_cache(RECENT)
def _repeat_op(kind: TensorType) -> Op:
    return BroadcastTo(kind.shape, ())


def beside(x: Tensor, value: TensorLike) -> Tensor:
    """`value` as a tensor: in x's dtype, if it is a number or stands for one."""
    return asarray(value, x.dtype) if stands_for_number(value) else asarray(value)


def number_or_tensor(x: TensorLike) -> Tensor:
    """What arithmetic takes: what stands for a number as it is, all else as a tensor."""
    return x if isinstance(x, Tensor) and is_weak(x) else asarray(x)


def _alike(xs: tuple[TensorLike, ...]) -> bool:
    """Whether they are tensors of one type already, so that there is nothing to do: equal types are one object."""
    kind = None
    for x in xs:
        if x.__class__ is not Tensor or (kind is not None and x.type is not kind):
            return False
        kind = x.type
    return True


def promoted(who: str, *xs: TensorLike) -> tuple[Tensor, ...]:
    """`xs` as tensors of one dtype. Raises DTypeError where they don't mix."""
    first = xs[0]
    if first.__class__ is Tensor:
        dtype = first.type.dtype
        if all([x.__class__ is Tensor and x.type.dtype is dtype for x in xs[1:]]) and not all_weak(xs):
            return xs
    numbers = [stands_for_number(x) for x in xs]
    if all(numbers):
        return _of_numbers(who, xs)
    tensors: list[Any] = [x if n else _converted(who, x) for x, n in zip(xs, numbers, strict=True)]
    dtype = _common(who, [t.dtype for t, n in zip(tensors, numbers, strict=True) if not n], tensors, numbers)
    return tuple([_as(who, t, dtype, weak=n) for t, n in zip(tensors, numbers, strict=True)])


def _of_numbers(who: str, xs: tuple[TensorLike, ...]) -> tuple[Tensor, ...]:
    """Numbers alone as tensors of one dtype: of the default one, unless arithmetic keeps one of them a number."""
    kind = max([number_kind(x) for x in xs], key=KINDS.index)
    still = who in ARITHMETIC and any([isinstance(x, Tensor) for x in xs])
    dtype = WIDEST[kind] if still else DEFAULT[kind]
    if still:
        return kept_weak(*[cast(x, dtype) if isinstance(x, Tensor) else number(x, dtype) for x in xs])
    return tuple([settled(who, x, dtype) if isinstance(x, Tensor) else number(x, dtype) for x in xs])


def _as(who: str, x: Any, dtype: DType, *, weak: bool) -> Tensor:
    if isinstance(x, Tensor):
        return converted(who, x, dtype) if weak else cast(x, dtype)
    return number(x, dtype)


def _converted(who: str, x: TensorLike) -> Tensor:
    try:
        return asarray(x)
    except ArgumentTypeError as error:
        raise ArgumentTypeError(f"{who}: {error.message.removeprefix('asarray: ')}") from None


def _common(who: str, dtypes: list[DType], xs: list[Any], numbers: list[bool]) -> DType:
    kinds = [number_kind(x) for x, n in zip(xs, numbers, strict=True) if n]
    try:
        dtype = dtypes[0]
        for other in dtypes[1:]:
            dtype = promote(dtype, other)
        for kind in kinds:
            dtype = promote_scalar(kind, dtype)
    except DTypeError as error:
        raise DTypeError(f"{who}: {error.message}") from None
    if dtype in INTEGER:
        for x, n in zip(xs, numbers, strict=True):
            if n and is_number(x):
                try:
                    scalar_array(x, dtype)
                except ScalarRangeError as error:
                    raise ScalarRangeError(f"{who}: {error.message}") from None
    return dtype


def inexact(who: str, *xs: TensorLike) -> tuple[Tensor, ...]:
    """`xs` as tensors of one floating point or complex dtype and one shape; Python ints and floats become it.

    Raises DTypeError for tensors of integers or booleans.
    """
    first = xs[0]
    if first.__class__ is Tensor and first.type.differentiable and (len(xs) == 1 or _alike(xs)) and not all_weak(xs):
        return xs
    if all([stands_for_number(x) for x in xs]):
        xs = tuple([as_float(x) for x in xs])
    tensors = together(who, *xs)
    if not tensors[0].differentiable:
        raise DTypeError(f"{who}: got {tensors[0].type}; want floating point or complex, convert it with tg.astype")
    return tensors


def floating(who: str, x: TensorLike) -> Tensor:
    """`x` as a tensor of a floating point dtype. Raises DTypeError for any other."""
    (tensor,) = all_floating(who, x)
    return tensor


def all_floating(who: str, *xs: TensorLike) -> tuple[Tensor, ...]:
    """`xs` as tensors of one floating point dtype and one shape. Raises DTypeError for any other dtype."""
    tensors = inexact(who, *xs)
    if tensors[0].dtype in COMPLEX:
        raise DTypeError(f"{who}: got {tensors[0].type}; want floating point")
    return tensors


def broadcast_all(who: str, *xs: Tensor) -> tuple[Tensor, ...]:
    """`xs` with one shape, by NumPy's rule. Raises ShapeError where they don't broadcast."""
    shape = xs[0].type.shape
    if all([x.type.shape == shape for x in xs[1:]]):
        return xs
    shape = broadcast_shape([x.type.shape for x in xs], who)
    return tuple([x if x.type.shape == shape else broadcast_to(x, shape) for x in xs])


def broadcast_to(x: TensorLike, shape: Shape) -> Tensor:
    """`x` repeated to `shape` by NumPy's rule: sizes 1 grow, new axes come first.

    Raises ShapeError where it doesn't fit.
    """
    x = x if isinstance(x, Tensor) else asarray(x)
    for op in _broadcast_ops(x.type.shape, tuple(shape)):
        x = op(x)
    return x


@lru_cache(RECENT)
def _broadcast_ops(old: Shape, new: Shape) -> tuple[Op, ...]:
    if old == new:
        return ()
    lead = len(new) - len(old)
    if lead < 0 or any(
        isinstance(n, int) and isinstance(m, int) and n not in (1, m) for n, m in zip(old, new[lead:], strict=True)
    ):
        raise ShapeError(f"broadcast_to: [{show_shape(old)}] doesn't broadcast to [{show_shape(new)}]")
    taken = tuple([n if is_one(n) else m for n, m in zip(old, new[lead:], strict=True)])
    ops: list[Op] = [] if taken == old else [TakenAs(taken)]
    if taken != new:
        ops.append(BroadcastTo(new, tuple(range(lead, len(new)))))
    return tuple(ops)
