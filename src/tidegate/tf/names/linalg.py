"""Products of matrices, and what of tf.linalg stands on primitives that are there."""

from __future__ import annotations

from typing import Any

from tidegate.core import graph as core
from tidegate.core.errors import ArgumentError
from tidegate.functions import diagonals, linalg, norms, products, shape
from tidegate.functions import einsum as sums
from tidegate.functions.math import conj
from tidegate.tf.convert import alike, convert, static_ints
from tidegate.tf.graph import apply
from tidegate.tf.names.make import unary
from tidegate.tf.tensor import Tensor

cholesky = unary("Cholesky", linalg.cholesky, "cholesky")
matrix_transpose = unary("MatrixTranspose", shape.matrix_transpose, "matrix_transpose")
trace = unary("Trace", diagonals.trace, "trace")
diag_part = unary("MatrixDiagPartV3", diagonals.diagonal, "diag_part")


def adjoint(matrix: Any, name: str | None = None) -> Tensor:
    """Matrices transposed and conjugated."""
    return apply("Adjoint", lambda x: conj(shape.matrix_transpose(x)), convert(matrix), name=name)


def matmul(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    name: str | None = None,
) -> Tensor:
    """The products of the matrices in the last two axes; the other axes broadcast.

    Raises ArgumentError (ValueError) for tensors of fewer than two axes, as for inner sizes that differ.
    """
    x, y = alike("tf.matmul", a, b)
    if x.ndim < 2 or y.ndim < 2:
        raise ArgumentError(f"tf.matmul: got {x.tensor.type} and {y.tensor.type}; want at least two axes each")
    if (transpose_a and adjoint_a) or (transpose_b and adjoint_b):
        raise ArgumentError("tf.matmul: got transpose and adjoint of one matrix; want one of them")

    def product(x: core.Tensor, y: core.Tensor) -> core.Tensor:
        return linalg.matmul(_turned(x, transpose_a, adjoint_a), _turned(y, transpose_b, adjoint_b))

    return apply("MatMul" if x.ndim == y.ndim == 2 else "BatchMatMulV2", product, x, y, name=name)


def _turned(x: core.Tensor, transposed: bool, conjugated: bool) -> core.Tensor:
    turned = shape.matrix_transpose(x) if transposed or conjugated else x
    return conj(turned) if conjugated else turned


def matvec(a: Any, b: Any, transpose_a: bool = False, adjoint_a: bool = False, name: str | None = None) -> Tensor:
    """The products of matrices and vectors."""

    def product(x: core.Tensor, v: core.Tensor) -> core.Tensor:
        column = shape.expand_dims(v, axis=-1)
        return shape.squeeze(linalg.matmul(_turned(x, transpose_a, adjoint_a), column), -1)

    return apply("MatVec", product, *alike("tf.linalg.matvec", a, b), name=name)


def tensordot(a: Any, b: Any, axes: Any, name: str | None = None) -> Tensor:
    """The sum of products along pairs of axes."""
    found = static_ints(axes, "tf.tensordot")
    pairs = tuple([tuple(v) if isinstance(v, list) else (v,) for v in found]) if isinstance(found, list) else found
    return apply(
        "Tensordot", lambda x, y: products.tensordot(x, y, axes=pairs), *alike("tf.tensordot", a, b), name=name
    )


def einsum(equation: str, *inputs: Any, name: str | None = None) -> Tensor:
    """Einstein's summation."""
    return apply("Einsum", lambda *xs: sums.einsum(equation, *xs), *alike("tf.einsum", *inputs), name=name)


def clip_by_norm(t: Any, clip_norm: Any, axes: Any = None, name: str | None = None) -> Tensor:
    """t, scaled down where its norm along axes is greater than clip_norm. The derivative at zero is 1."""
    x, most = alike("tf.clip_by_norm", t, clip_norm)
    found = static_ints(axes, "tf.clip_by_norm")
    places = tuple(found) if isinstance(found, list) else found
    return apply("ClipByNorm", lambda x, m: norms.clip_by_norm(x, m, axis=places), x, most, name=name)


def global_norm(t_list: Any, name: str | None = None) -> Tensor:
    """The norm of all elements of a list of tensors; None in it is passed over."""
    xs = [convert(t) for t in t_list if t is not None]
    return apply("GlobalNorm", lambda *ts: norms.global_norm(list(ts)), *xs, name=name)


def clip_by_global_norm(
    t_list: Any, clip_norm: Any, use_norm: Any = None, name: str | None = None
) -> tuple[list[Any], Tensor]:
    """A list of tensors, scaled down together where their common norm is greater than clip_norm; and that norm."""
    xs = [convert(t) for t in t_list if t is not None]
    most = convert(clip_norm, xs[0].dtype if xs else None)

    def clipped(most: core.Tensor, *ts: core.Tensor) -> tuple[core.Tensor, ...]:
        found, size = norms.clip_by_global_norm(list(ts), most)
        return (*found, size)

    *outs, size = apply("ClipByGlobalNorm", clipped, most, *xs, name=name)
    left = iter(outs)
    return [None if t is None else next(left) for t in t_list], size
