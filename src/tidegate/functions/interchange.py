"""Arrays of other libraries, through DLPack."""

from __future__ import annotations

from typing import Any

import numpy as np

from tidegate.core.device import check_device
from tidegate.core.errors import ArgumentTypeError, ExchangeError
from tidegate.core.graph import Tensor
from tidegate.ops.creation import data


def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Tensor:
    """A tensor of a copy of an array of another library, which offers it by `__dlpack__`; a tensor of ours is itself.

    Shapes and dtypes: the array's. It has to be on the CPU. It is copied whatever happens, because the other library
    may write to it; so `copy=False` raises ExchangeError. NumPy reads the array, and doesn't know bfloat16: go by
    float32, which holds every bfloat16.
    Raises ArgumentTypeError for what has no `__dlpack__`, ExchangeError for what can't be exchanged, ArgumentError for
    a device there is not.
    """
    check_device(device, "from_dlpack")
    if isinstance(x, Tensor):
        return x
    if not hasattr(x, "__dlpack__") or not hasattr(x, "__dlpack_device__"):
        raise ArgumentTypeError(f"from_dlpack: got {type(x).__name__}; want an array with __dlpack__")
    if copy is False:
        raise ExchangeError(
            "from_dlpack: got copy=False; a tensor's data is always a copy, as others may write to theirs"
        )
    try:
        array = np.from_dlpack(x)
    except (BufferError, RuntimeError) as error:
        raise ExchangeError(f"from_dlpack: got {type(x).__name__} that can't be exchanged: {error}") from None
    return data(array)
