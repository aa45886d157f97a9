"""Cast."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tidegate.core.dtypes import ANY, DType, bool_, cast_array, complex128, float32, float64, int32
from tidegate.core.graph import Array, Tensor, TensorType
from tidegate.core.kinds import Elementwise
from tidegate.core.op import Draw, Sample


@dataclass(frozen=True, eq=False)
class Cast(Elementwise):
    """x in another dtype. Linear, and its own adjoint; to and from integers and booleans nothing flows.

    Complex to real keeps the real part. Floating point to integer truncates; what is out of range becomes the
    nearest integer there is, NaN becomes 0. Integer to integer keeps the low bits. Anything to bool is x != 0.
    Shapes: any.  Dtypes: any; gives `dtype`.
    """

    dtype: DType

    dtypes = ANY

    def infer(self, *inputs: TensorType) -> TensorType:
        return TensorType(super().infer(*inputs).shape, self.dtype)

    def reference(self, x: Array) -> Array:
        return cast_array(x, self.dtype)

    def adjoint(self, cotangent: Tensor, x: Tensor) -> tuple[Tensor]:
        return (Cast(x.dtype)(cotangent),)

    @classmethod
    def domain(cls) -> list[Sample]:
        targets: tuple[DType, ...] = (float64, complex128, np.dtype(bool_), int32, float32)
        return [Sample(cls(dtype), (Draw((2, 3)),)) for dtype in targets]


def cast(x: Tensor, dtype: DType) -> Tensor:
    """x in `dtype`; x itself where it has it."""
    return x if x.type.dtype == dtype else Cast(dtype)(x)
