"""Matrices with a pattern, parts of matrices, and grids of coordinates."""

from __future__ import annotations

from typing import Any

from tidegate.core.device import check_device
from tidegate.core.dtypes import DEFAULT, DEFAULT_INT, as_dtype
from tidegate.core.errors import ArgumentError, ShapeError
from tidegate.core.graph import Tensor, TensorLike
from tidegate.functions.arguments import integer
from tidegate.functions.convert import asarray, broadcast_to
from tidegate.functions.creation import as_shape
from tidegate.ops.broadcast import filled, zeros_like
from tidegate.ops.cast import cast
from tidegate.ops.creation import Iota
from tidegate.ops.elementwise import Equal, GreaterEqual, LessEqual, add, select
from tidegate.ops.layout import Reshape


def _diagonals(shape: tuple[Any, ...], k: Any, who: str) -> tuple[Tensor, Tensor]:
    """For each element of matrices: its column, and the column of diagonal `k` in its row."""
    rank = len(shape)
    rows = Iota(shape, rank - 2, DEFAULT_INT)()
    return Iota(shape, rank - 1, DEFAULT_INT)(), add(rows, filled(integer(who, "k =", k), rows.type))


def eye(n_rows: int, n_cols: int | None = None, /, *, k: int = 0, dtype: Any = None, device: Any = None) -> Tensor:
    """A matrix with ones on diagonal `k` (above the main one if positive) and zeros elsewhere; float32 unless `dtype`
    says otherwise, square unless `n_cols` does.

    Raises ShapeError for a negative size, ArgumentError for a device there is not, ArgumentTypeError for a k that
    isn't an integer.
    """
    check_device(device, "eye")
    shape = as_shape((n_rows, n_rows if n_cols is None else n_cols), "eye")
    return cast(Equal()(*_diagonals(shape, k, "eye")), DEFAULT[float] if dtype is None else as_dtype(dtype))


def tril(x: TensorLike, /, *, k: int = 0) -> Tensor:
    """Matrices with zeros above diagonal `k` (above the main one if positive); of any dtype, kept.

    Raises ShapeError for fewer than two axes, ArgumentTypeError for a k that isn't an integer.
    """
    return _triangle("tril", x, k, LessEqual())


def triu(x: TensorLike, /, *, k: int = 0) -> Tensor:
    """Matrices with zeros below diagonal `k` (above the main one if positive); of any dtype, kept.

    Raises ShapeError for fewer than two axes, ArgumentTypeError for a k that isn't an integer.
    """
    return _triangle("triu", x, k, GreaterEqual())


def _triangle(who: str, x: TensorLike, k: int, keeps: LessEqual | GreaterEqual) -> Tensor:
    x = asarray(x)
    if x.ndim < 2:
        raise ShapeError(f"{who}: got {x.type}; want at least two axes")
    return select(keeps(*_diagonals(x.shape, k, who)), x, zeros_like(x))


def meshgrid(*arrays: TensorLike, indexing: str = "xy") -> tuple[Tensor, ...]:
    """For each of some vectors, its coordinates on the grid that they span, as a tuple; dtypes are kept.

    With "ij" the i-th vector runs along axis i; with "xy" the first two are exchanged: rows are y, columns x.
    Raises ArgumentError for another indexing, ShapeError for what has more than one axis.
    """
    if indexing not in ("xy", "ij"):
        raise ArgumentError(f"meshgrid: got indexing {indexing!r}; want 'xy' or 'ij'")
    xs = [asarray(x) for x in arrays]
    for x in xs:
        if x.ndim > 1:
            raise ShapeError(f"meshgrid: got {x.type}; want vectors")
    sizes = [x.shape[0] if x.ndim else 1 for x in xs]
    order = list(range(len(xs)))
    if indexing == "xy" and len(xs) > 1:
        order[:2] = [1, 0]
    grid = tuple([sizes[i] for i in order])
    shapes = [tuple([sizes[i] if j == i else 1 for j in order]) for i in range(len(xs))]
    return tuple([broadcast_to(Reshape(shape)(x), grid) for x, shape in zip(xs, shapes, strict=True)])
