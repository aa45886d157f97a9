"""Steering derivatives: stop_gradient and prevent_gradient."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from tidegate.core.dtypes import INTEGER
from tidegate.core.graph import Tensor, TensorLike
from tidegate.core.tree import map_leaves
from tidegate.functions.arguments import text
from tidegate.functions.convert import asarray
from tidegate.functions.numbers import is_weak
from tidegate.ops.gates import PreventGradient, StopGradient

T = TypeVar("T")


def stop_gradient(x: T, /) -> T:
    """x, a constant to every derivative of every order, in both modes. The value is x's own.

    Takes a tensor of any dtype, or a container (list, tuple, dict, dataclass, nested) of them, whose structure it
    keeps. Arrays and Python floats become tensors; None, strings, booleans and integers pass through as they are.
    """
    return map_leaves(_stopped, x)


def _stopped(leaf: Any) -> Any:
    if isinstance(leaf, Tensor) and is_weak(leaf) and leaf.dtype in INTEGER:
        return leaf
    if isinstance(leaf, (Tensor, np.ndarray, np.generic, float, complex)) or hasattr(type(leaf), "__tidegate_tensor__"):
        return StopGradient()(asarray(leaf))
    return leaf


def prevent_gradient(x: TensorLike, /, message: str = "") -> Tensor:
    """x, of any dtype; asking for a derivative that must pass it raises GradientRefusedError, which says `message`."""
    return PreventGradient(text("prevent_gradient", "message", message))(asarray(x))
