"""Cholesky and TriangularSolve, which its derivative needs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tidegate.core.dtypes import BLAS, int64
from tidegate.core.errors import Fault, ShapeError, ValueFaultError
from tidegate.core.graph import Array, Tensor, TensorType
from tidegate.core.kinds import Opaque
from tidegate.core.op import Draw, Op, Sample, show_types
from tidegate.ops.broadcast import zeros_like
from tidegate.ops.contraction import matrix_product
from tidegate.ops.creation import Iota
from tidegate.ops.elementwise import Equal, GreaterEqual, add, conjugate, negate, scaled, select
from tidegate.ops.layout import matrix_transpose


def check_square(op: Op, a: TensorType) -> None:
    """Raise ShapeError unless a is square in its last two axes."""
    if len(a.shape) < 2 or a.shape[-1] != a.shape[-2]:
        raise ShapeError(f"{op.name}: got {a}; want (..., n, n)")


def places(x: Tensor) -> tuple[Tensor, Tensor]:
    """The row and the column of each element."""
    return Iota(x.shape, x.ndim - 2, int64)(), Iota(x.shape, x.ndim - 1, int64)()


def lower(x: Tensor) -> Tensor:
    """x with zeros above the diagonal."""
    return select(GreaterEqual()(*places(x)), x, zeros_like(x))


def conjugate_transpose(x: Tensor) -> Tensor:
    """The conjugate transpose of the last two axes."""
    return conjugate(matrix_transpose(x))


@dataclass(frozen=True, eq=False)
class TriangularSolve(Opaque):
    """The x of a x = b, or where `conjugated` of conj(a)^T x = b, for a lower triangular a; above it a isn't read.

    Shapes: a[..., n, n], b[..., n, k] -> [..., n, k], with equal leading axes.
    Dtypes: two of one of float32, float64, complex64, complex128, kept.
    Raises ShapeError unless the shapes are such; at evaluation SingularMatrixError for a zero on the diagonal.
    """

    conjugated: bool = False

    batch_together = True

    def infer(self, a: TensorType, b: TensorType) -> TensorType:
        self.require([a, b], BLAS)
        check_square(self, a)
        if len(b.shape) != len(a.shape) or b.shape[:-1] != a.shape[:-1]:
            raise ShapeError(f"TriangularSolve: got {show_types([a, b])}; want (..., n, n) and (..., n, k)")
        return b

    def reference(self, a: Array, b: Array) -> Array:
        n = a.shape[-1]
        zeros = np.argwhere(np.diagonal(a, axis1=-2, axis2=-1) == 0)
        if len(zeros):
            place = (*[int(i) for i in zeros[0]], int(zeros[0, -1]))
            message = f"{self.name}: got a matrix with 0 on its diagonal, at {list(place)}; want one with an inverse"
            raise ValueFaultError(Fault.SINGULAR_MATRIX, place, message)
        matrix = np.conjugate(np.swapaxes(a, -1, -2)) if self.conjugated else a
        out = np.zeros_like(b)
        for i in reversed(range(n)) if self.conjugated else range(n):
            known = slice(i + 1, n) if self.conjugated else slice(0, i)
            done = np.matmul(matrix[..., i, None, known], out[..., known, :])[..., 0, :]
            out[..., i, :] = (b[..., i, :] - done) / matrix[..., i, i, None]
        return out

    def vjp(self, cotangent: Tensor, out: Tensor, a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
        pulled = TriangularSolve(not self.conjugated)(a, cotangent)
        left, right = (out, pulled) if self.conjugated else (pulled, out)
        return negate(lower(matrix_product(left, conjugate_transpose(right)))), pulled

    def batch(self, size: int, batched: tuple[bool, ...], a: Tensor, b: Tensor) -> Tensor:
        return self(a, b)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [
            Sample(cls(), (Draw((3, 3), like="triangular"), Draw((3, 2)))),
            Sample(cls(True), (Draw((2, 3, 3), like="triangular"), Draw((2, 3, 1)))),
            Sample(cls(), (Draw((0, 0), like="triangular"), Draw((0, 2)))),
        ]


@dataclass(frozen=True, eq=False)
class Cholesky(Opaque):
    """The lower triangular l with l conj(l)^T = a, for a Hermitian positive definite a; its upper part isn't read.

    A matrix that isn't positive definite gives NaN, as TensorFlow's. The derivative is symmetric (Hermitian), as
    TensorFlow's.
    Shapes: a[..., n, n] -> the same.  Dtypes: float32, float64, complex64, complex128, kept.
    Raises ShapeError unless a is square.
    Source: I. Murray, "Differentiation of the Cholesky decomposition", 2016, arXiv 1602.07527, eq. 10.
    """

    def infer(self, a: TensorType) -> TensorType:
        self.require([a], BLAS)
        check_square(self, a)
        return a

    def reference(self, a: Array) -> Array:
        out = np.empty_like(a)
        for place in np.ndindex(a.shape[:-2]):
            try:
                out[place] = np.linalg.cholesky(a[place])
            except np.linalg.LinAlgError:
                out[place] = np.nan
        return out

    def vjp(self, cotangent: Tensor, out: Tensor, a: Tensor) -> tuple[Tensor]:
        inner = lower(matrix_product(conjugate_transpose(out), lower(cotangent)))
        inner = select(Equal()(*places(inner)), scaled(inner, 0.5), inner)
        half = TriangularSolve(True)(out, inner)
        whole = TriangularSolve(True)(out, conjugate_transpose(half))
        return (scaled(add(whole, conjugate_transpose(whole)), 0.5),)

    def batch(self, size: int, batched: tuple[bool, ...], a: Tensor) -> Tensor:
        return self(a)

    @classmethod
    def domain(cls) -> list[Sample]:
        return [
            Sample(cls(), (Draw((3, 3), like="positive_definite"),)),
            Sample(cls(), (Draw((2, 2, 2), like="positive_definite"),)),
            Sample(cls(), (Draw((0, 0), like="positive_definite"),)),
        ]
