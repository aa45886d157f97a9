"""tf.TensorArray: tensors written one by one, and stacked."""

from __future__ import annotations

from typing import Any

from tidegate.core.errors import ArgumentError, ArgumentTypeError
from tidegate.tf.convert import convert, static_ints
from tidegate.tf.dtypes import as_dtype
from tidegate.tf.names.arrays import stack, unstack
from tidegate.tf.tensor import Tensor


class TensorArray:
    """Places for tensors of one dtype. Writing gives a new one; each place is written once unless clear_after_read.

    Raises ArgumentError (ValueError) for an index that isn't there or wasn't written, ArgumentTypeError (TypeError) for
    another dtype.
    """

    def __init__(
        self,
        dtype: Any,
        size: Any = 0,
        dynamic_size: bool = False,
        clear_after_read: bool | None = None,
        tensor_array_name: str | None = None,
        **options: Any,
    ) -> None:
        self.dtype = as_dtype(dtype)
        self._places: tuple[Tensor | None, ...] = (None,) * int(static_ints(size, "tf.TensorArray"))
        self._grows = dynamic_size

    def size(self) -> Tensor:
        """How many places there are."""
        return convert(len(self._places))

    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        """A new one, with `value` at a place."""
        place = int(static_ints(index, "tf.TensorArray.write"))
        x = convert(value, None if isinstance(value, Tensor) else self.dtype)
        if x.dtype is not self.dtype:
            raise ArgumentTypeError(f"tf.TensorArray.write: got {x.dtype.name}; want {self.dtype.name}")
        if place < 0 or (place >= len(self._places) and not self._grows):
            raise ArgumentError(f"tf.TensorArray.write: got place {place} of {len(self._places)}")
        places = list(self._places) + [None] * (place + 1 - len(self._places))
        places[place] = x
        return self._with(places)

    def _with(self, places: list[Tensor | None]) -> TensorArray:
        out = TensorArray(self.dtype, len(places), self._grows)
        out._places = tuple(places)
        return out

    def read(self, index: Any, name: str | None = None) -> Tensor:
        """What was written at a place."""
        place = int(static_ints(index, "tf.TensorArray.read"))
        found = self._places[place] if 0 <= place < len(self._places) else None
        if found is None:
            raise ArgumentError(f"tf.TensorArray.read: nothing was written at place {place} of {len(self._places)}")
        return found

    def stack(self, name: str | None = None) -> Tensor:
        """All of them along a new first axis."""
        return stack([self.read(i) for i, _ in enumerate(self._places)])

    def unstack(self, value: Any, name: str | None = None) -> TensorArray:
        """A new one, with the rows of `value` at its places."""
        return self._with([*unstack(value)])
