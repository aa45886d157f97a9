"""TensorFlow's dtypes: objects with a name, of one NumPy dtype each."""

from __future__ import annotations

from typing import Any

import numpy as np

from tidegate.core import dtypes
from tidegate.core.errors import DTypeError


class DType:
    """A dtype as TensorFlow shows it. Equal to itself, to its NumPy dtype and to its name."""

    __slots__ = ("name", "numpy_dtype")

    def __init__(self, numpy_dtype: dtypes.DType) -> None:
        self.numpy_dtype = numpy_dtype
        self.name = "bool" if numpy_dtype in dtypes.BOOL else numpy_dtype.name

    @property
    def as_numpy_dtype(self) -> type:
        """The NumPy scalar type."""
        return self.numpy_dtype.type

    @property
    def base_dtype(self) -> DType:
        """Itself: there are no reference dtypes."""
        return self

    @property
    def real_dtype(self) -> DType:
        """The dtype of a complex number's parts; a real dtype itself."""
        return of(dtypes.real_of(self.numpy_dtype))

    @property
    def is_floating(self) -> bool:
        """Whether it is floating point."""
        return self.numpy_dtype in dtypes.FLOATING

    @property
    def is_complex(self) -> bool:
        """Whether it is complex."""
        return self.numpy_dtype in dtypes.COMPLEX

    @property
    def is_integer(self) -> bool:
        """Whether it is an integer, signed or not."""
        return self.numpy_dtype in dtypes.INTEGER

    @property
    def is_bool(self) -> bool:
        """Whether it is bool."""
        return self.numpy_dtype in dtypes.BOOL

    @property
    def size(self) -> int:
        """The bytes of one element."""
        return self.numpy_dtype.itemsize

    @property
    def min(self) -> Any:
        """The least finite value."""
        return self._limits().min

    @property
    def max(self) -> Any:
        """The greatest finite value."""
        return self._limits().max

    def _limits(self) -> Any:
        if self.is_integer:
            return np.iinfo(self.numpy_dtype)
        if self.numpy_dtype == dtypes.bfloat16:
            return dtypes.ml_dtypes.finfo(self.numpy_dtype)
        if self.is_floating:
            return np.finfo(self.numpy_dtype)
        raise DTypeError(f"tf.{self.name} has no least and greatest value")

    def __eq__(self, other: object) -> bool:
        if isinstance(other, DType):
            return self is other
        try:
            return other is not None and as_dtype(other) is self
        except DTypeError:
            return False

    def __hash__(self) -> int:
        return hash(self.numpy_dtype)

    def __repr__(self) -> str:
        return f"tf.{self.name}"

    def __str__(self) -> str:
        return f"<dtype: {self.name!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return as_dtype, (self.name,)


_BY_DTYPE: dict[dtypes.DType, DType] = {d: DType(d) for d in sorted(dtypes.ANY, key=str)}
_PYTHON: dict[Any, dtypes.DType] = {
    float: dtypes.float32,
    int: dtypes.int32,
    bool: dtypes.bool_,
    complex: dtypes.complex128,
}
"""What Python numbers become in TensorFlow where no tensor says otherwise."""


def of(numpy_dtype: dtypes.DType) -> DType:
    """The DType of a NumPy dtype that is supported."""
    return _BY_DTYPE[numpy_dtype]


def as_dtype(value: Any) -> DType:
    """The DType that a DType, a NumPy dtype, a name or a Python number type means. Raises DTypeError for others."""
    if isinstance(value, DType):
        return value
    if isinstance(value, type) and value in _PYTHON:
        return of(_PYTHON[value])
    return of(dtypes.as_dtype(value))


def numpy_of(value: Any) -> dtypes.DType:
    """The NumPy dtype that anything `as_dtype` takes means."""
    return as_dtype(value).numpy_dtype


bool_, bfloat16 = of(dtypes.bool_), of(dtypes.bfloat16)
float16, float32, float64 = of(dtypes.float16), of(dtypes.float32), of(dtypes.float64)
half, double = float16, float64
int8, int16, int32, int64 = of(dtypes.int8), of(dtypes.int16), of(dtypes.int32), of(dtypes.int64)
uint8, uint16, uint32, uint64 = of(dtypes.uint8), of(dtypes.uint16), of(dtypes.uint32), of(dtypes.uint64)
complex64, complex128 = of(dtypes.complex64), of(dtypes.complex128)
