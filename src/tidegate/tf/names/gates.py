"""What changes how gradients flow, and not the value: tf.stop_gradient and kin."""

from __future__ import annotations

from typing import Any

from tidegate.ops.elementwise import identity as same
from tidegate.ops.gates import PreventGradient, StopGradient
from tidegate.tf.convert import convert
from tidegate.tf.graph import apply
from tidegate.tf.recording import nobody_records
from tidegate.tf.tensor import Tensor


def stop_gradient(input: Any, name: str | None = None) -> Tensor:
    """`input`, a constant to every derivative of every order, in both modes: a new tensor of its value.

    What isn't a tensor is converted first: a list becomes one tensor. A variable is read unseen by tapes.
    Raises ArgumentError (ValueError) for dicts, None and ragged lists.
    """
    with nobody_records():
        x = convert(input, who="tf.stop_gradient")
    return apply("StopGradient", StopGradient(), x, name=name)


def prevent_gradient(input: Any, message: str = "", name: str | None = None) -> Tensor:
    """`input`; asking for a gradient that must pass it raises GradientRefusedError (LookupError) with `message`."""
    return apply("PreventGradient", PreventGradient(message), convert(input), name=name)


def identity(input: Any, name: str | None = None) -> Any:
    """A new tensor of the value of `input`, which gradients pass."""
    return apply("Identity", same, convert(input, who="tf.identity"), name=name)


def identity_n(input: Any, name: str | None = None) -> list[Tensor]:
    """New tensors of the values of a list."""
    xs = [convert(x, who="tf.identity_n") for x in input]
    return list(apply("IdentityN", lambda *ts: tuple([same(t) for t in ts]), *xs, name=name))


def raw_stop_gradient(*, input: Any, name: str | None = None) -> Tensor:
    """tf.stop_gradient, its arguments by keyword only."""
    return stop_gradient(input, name)


def raw_prevent_gradient(*, input: Any, message: str = "", name: str | None = None) -> Tensor:
    """prevent_gradient, its arguments by keyword only."""
    return prevent_gradient(input, message, name)
