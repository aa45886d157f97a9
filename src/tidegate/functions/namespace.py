"""What the array API standard lets a program ask of the namespace: its version, and what it can do."""

from __future__ import annotations

from typing import Any

from tidegate.core.device import CPU, DEVICES, check_device
from tidegate.core.dtypes import DEFAULT, HALF, DType, int64
from tidegate.core.errors import ArgumentError
from tidegate.functions.dtypes import KINDS

API_VERSION = "2025.12"
API_VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12", API_VERSION)
"""What programs may ask for: each is, but for what it corrects, part of the next."""

MAX_DIMENSIONS = 64
"""NumPy's limit, from 2.0 on."""


def check_api_version(version: Any) -> None:
    """Raise ArgumentError unless `version` is None or one of the standard's that there is."""
    if version is not None and version not in API_VERSIONS:
        raise ArgumentError(
            f"__array_namespace__: got api_version {version!r}; want one of {', '.join(map(repr, API_VERSIONS))}"
        )


class ArrayNamespaceInfo:
    """What this namespace can do, as the array API standard (2025.12, "Inspection") has programs ask."""

    def capabilities(self) -> dict[str, Any]:
        """Whether a boolean tensor indexes, whether a size may depend on data, and how many axes there may be."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": MAX_DIMENSIONS}

    def default_device(self) -> str:
        """Where tensors are made unless one says otherwise."""
        return CPU

    def devices(self) -> tuple[str, ...]:
        """All devices there are."""
        return DEVICES

    def default_dtypes(self, *, device: Any = None) -> dict[str, DType]:
        """What is made where nobody says a dtype, as `tg.config.default_float` has it now.

        Raises ArgumentError for a device there is not.
        """
        check_device(device, "default_dtypes")
        return {
            "real floating": DEFAULT[float],
            "complex floating": DEFAULT[complex],
            "integral": DEFAULT[int],
            "indexing": int64,
        }

    def dtypes(self, *, device: Any = None, kind: Any = None) -> dict[str, DType]:
        """The standard's dtypes by name: all, or those of a kind, or of a tuple of kinds, named as in `isdtype`.

        float16 and bfloat16 aren't among them, for the standard doesn't have them.
        Raises ArgumentError for a kind or device there is not.
        """
        check_device(device, "dtypes")
        kinds = ("bool", "numeric") if kind is None else kind if isinstance(kind, tuple) else (kind,)
        for k in kinds:
            if not isinstance(k, str) or k not in KINDS:
                raise ArgumentError(f"dtypes: got kind {k!r}; want one of {', '.join(map(repr, KINDS))}")
        found = frozenset[DType]().union(*[KINDS[k] - HALF for k in kinds])
        return {d.name: d for d in sorted(found, key=lambda d: (d.kind, d.itemsize))}
