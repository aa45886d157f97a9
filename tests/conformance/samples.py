"""What the conformance tests read: every primitive and its samples, in the dtypes that it takes."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import tidegate as tg
from tidegate.core.dtypes import ANY, bool_, complex128, float64, int64
from tidegate.core.graph import TensorType
from tidegate.core.kinds import Generator, Region
from tidegate.core.op import PRIMITIVES, Draw, Op, Sample

FREE = frozenset({"number", "distinct", "symmetric", "positive_definite", "triangular"})
"""The kinds of draw whose dtype is free; the others have theirs."""

OPS = [cls for name, cls in sorted(PRIMITIVES.items()) if name.startswith("tidegate.")]
WITH_INPUTS = [cls for cls in OPS if not issubclass(cls, Generator)]
ELEMENTARY = [cls for cls in WITH_INPUTS if not issubclass(cls, Region)]


def type_of(spec: Draw, dtype: np.dtype) -> TensorType:
    """The type of what `draw` gives."""
    fixed = {"index": int64, "boolean": bool_, "true": bool_}
    return TensorType(spec.shape, fixed.get(spec.like, dtype))


def takes(sample: Sample, dtype: np.dtype) -> bool:
    """Whether the sample's op takes its free inputs in `dtype`."""
    try:
        sample.op.output_types(tuple(type_of(s, dtype) for s in sample.inputs))
    except tg.DTypeError:
        return False
    return True


def dtypes_of(sample: Sample) -> list[np.dtype]:
    """Every dtype that the op takes."""
    found = [d for d in sorted(ANY, key=lambda d: d.name) if takes(sample, d)]
    return found if any(s.like in FREE for s in sample.inputs) else found[:1]


def preferred(sample: Sample) -> np.dtype:
    """float64 if the op takes it, else the first that it takes."""
    found = dtypes_of(sample)
    return float64 if float64 in found else found[0]


def cases(classes: list[type[Op]], dtypes: Any) -> list[Any]:
    """(sample, dtype) for every sample of `classes` in each of `dtypes` that it takes, as pytest parameters."""
    return [
        pytest.param(sample, dtype, id=f"{sample.op.name}-{i}-{dtype.name}")
        for cls in classes
        for i, sample in enumerate(cls.domain())
        for dtype in dtypes
        if takes(sample, dtype)
    ]


EXACT = (float64, complex128)
"""Where derivatives are checked."""


def flags(count: int) -> list[tuple[bool, ...]]:
    """Every choice of `count` booleans with at least one of them true."""
    return [f for f in itertools.product((False, True), repeat=count) if any(f)]
