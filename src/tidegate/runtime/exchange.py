"""What the array API standard asks of tensors besides mathematics: their namespace, device, and DLPack."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from tidegate.core.device import check_device
from tidegate.core.dtypes import bfloat16
from tidegate.core.errors import ArgumentError, ExchangeError
from tidegate.core.graph import Tensor
from tidegate.functions.namespace import check_api_version
from tidegate.runtime.values import left

CPU_DEVICE = (1, 0)
"""DLPack's kDLCPU, and the number of the device."""

KNOWS_VERSIONS = np.lib.NumpyVersion(np.__version__) >= "2.1.0"
"""Whether NumPy makes capsules that can say that they are read-only: DLPack's of version 1."""


def namespace_of(package: str) -> Callable[..., ModuleType]:
    """The method that gives the module named `package`, which imports this one."""

    def array_namespace(x: Tensor, *, api_version: str | None = None) -> ModuleType:
        """The namespace of functions for it. Raises ArgumentError for a version of the standard there is not."""
        check_api_version(api_version)
        return sys.modules[package]

    return array_namespace


def to_device(x: Tensor, device: Any, /, *, stream: Any = None) -> Tensor:
    """Itself, on the device where it is. Raises ArgumentError for another, or a stream."""
    check_device("none" if device is None else device, "to_device")
    if stream is not None:
        raise ArgumentError(f"to_device: got stream {stream!r}; want None, a CPU has none")
    return x


def dlpack_device(x: Tensor) -> tuple[int, int]:
    """DLPack's name of the device where it is: (1, 0), the CPU."""
    return CPU_DEVICE


def dlpack(
    x: Tensor, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: bool | None = None
) -> Any:
    """Its value, computed if need be, as a DLPack capsule.

    The value is read-only. A capsule says so from version 1 on; for who asks for none so new, it holds a copy.
    Raises ExchangeError for another device, a stream, bfloat16 (which NumPy, that makes the capsule, doesn't know: go
    by float32), and `copy=False` where a copy must be.
    """
    if stream is not None:
        raise ExchangeError(f"__dlpack__: got stream {stream!r}; want None, a CPU has none")
    if dl_device is not None and tuple(dl_device) != CPU_DEVICE:
        raise ExchangeError(f"__dlpack__: got device {tuple(dl_device)}; want {CPU_DEVICE}, the CPU")
    if x.dtype == bfloat16:
        raise ExchangeError(f"__dlpack__: got {x.type}; NumPy can't exchange bfloat16, convert it with tg.astype")
    says_read_only = KNOWS_VERSIONS and max_version is not None and tuple(max_version) >= (1, 0)
    if copy is False and not says_read_only:
        raise ExchangeError(
            f"__dlpack__: got copy=False and version {max_version}; the value is read-only, which DLPack can say from "
            "version 1 on"
        )
    value = left(x, "__dlpack__")
    if copy or not says_read_only:
        value = value.copy()
    return value.__dlpack__(max_version=max_version) if KNOWS_VERSIONS else value.__dlpack__()
