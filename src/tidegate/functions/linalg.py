"""Products and decompositions."""

from __future__ import annotations

from tidegate.core.errors import ShapeError
from tidegate.core.graph import Tensor, TensorLike
from tidegate.core.shapes import broadcast_shape
from tidegate.functions.convert import asarray, broadcast_to, matched, promoted
from tidegate.ops.contraction import DotGeneral, matrix_product
from tidegate.ops.linalg import Cholesky, TriangularSolve


def matmul(x: TensorLike, y: TensorLike, /) -> Tensor:
    """The matrix product of the last two axes; leading axes broadcast, and a vector is a row or a column.

    Shapes: (..., m, k) and (..., k, n) -> (..., m, n); (k) for either drops that axis.
    Dtypes: any numeric, promoted. Raises ShapeError where sizes don't match.
    """
    x, y = promoted("matmul", x, y)
    if x.ndim == 0 or y.ndim == 0:
        raise ShapeError(f"matmul: got {x.type} and {y.type}; want at least one axis each (multiply scales)")
    x, y = matched(x, (x.ndim - 1,), y, (y.ndim - 2 if y.ndim > 1 else 0,))
    if x.shape[-1] != y.shape[-2 if y.ndim > 1 else 0]:
        raise ShapeError(f"matmul: got {x.type} @ {y.type}; want (..., m, k) @ (..., k, n)")
    if y.ndim == 1:
        return DotGeneral(((x.ndim - 1,), (0,)))(x, y)
    if x.ndim <= 2 and y.ndim == 2:
        return DotGeneral(((x.ndim - 1,), (0,)))(x, y)
    if x.ndim == 1:
        return DotGeneral(((0,), (y.ndim - 2,)))(x, y)
    lead = broadcast_shape([x.shape[:-2], y.shape[:-2]], "matmul")
    return matrix_product(broadcast_to(x, (*lead, *x.shape[-2:])), broadcast_to(y, (*lead, *y.shape[-2:])))


def cholesky(x: TensorLike, /) -> Tensor:
    """The lower triangular l with l @ conj(l).mT = x, for Hermitian positive definite matrices (..., n, n).

    Only the lower part of x is read; the derivative is symmetric. A matrix that isn't positive definite gives NaN.
    Raises ShapeError unless x is square, DTypeError unless it is float32, float64, complex64 or complex128.
    """
    return Cholesky()(asarray(x))


def solve_triangular(a: TensorLike, b: TensorLike, /, *, conjugate_transposed: bool = False) -> Tensor:
    """The x of a @ x = b (or conj(a).mT @ x = b), for lower triangular a (..., n, n) and b (..., n, k).

    What is above a's diagonal isn't read. Raises SingularMatrixError, at evaluation, for a zero on it.
    """
    a, b = promoted("solve_triangular", a, b)
    return TriangularSolve(conjugate_transposed)(a, b)
