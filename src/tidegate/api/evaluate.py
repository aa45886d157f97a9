"""evaluate: ask for values without taking them out of the graph."""

from __future__ import annotations

from typing import TypeVar

from tidegate.core.graph import Tensor
from tidegate.core.tree import flatten
from tidegate.runtime import evaluation
from tidegate.runtime.history import let_go

T = TypeVar("T")


def evaluate(x: T, /, *, keep_history: bool = True) -> T:
    """`x`, a tensor or a container of them, with every value computed, in one run. Gives `x` itself back.

    keep_history: False lets go of how the values came about, as a plain loop that keeps no gradients over its rounds
        may wish. A gradient that would have to pass there is an error from then on. (While another thread builds a
        gradient the history stays.)

    What isn't a tensor is passed over. Raises NoValueError while a function is being traced, and what ops find wrong
    with values, at the line that made them.
    """
    tensors = [t for t in flatten(x)[0] if isinstance(t, Tensor)]
    evaluation.evaluate(tensors, "evaluate")
    if not keep_history:
        let_go(tensors)
    return x
