"""tf.autodiff.ForwardAccumulator: directional derivatives of what is computed within it."""

from __future__ import annotations

from typing import Any, Self

from tidegate.core.errors import ArgumentError
from tidegate.core.tree import flatten
from tidegate.ops.broadcast import filled
from tidegate.tf.convert import convert
from tidegate.tf.recording import Recorder
from tidegate.tf.tape import told
from tidegate.tf.tensor import Tensor
from tidegate.tf.unconnected import wants_zeros
from tidegate.tf.variable import Variable
from tidegate.transforms.engine import ENGINE


class ForwardAccumulator(Recorder):
    """Pushes `tangents` of `primals` (tensors, variables, or containers of them) forward through what is computed
    within it.

    Raises ArgumentError (ValueError) for a primal that comes twice, or a tangent that doesn't fit its primal.
    """

    def __init__(self, primals: Any, tangents: Any) -> None:
        super().__init__()
        self._primals, directions = flatten(primals)[0], flatten(tangents)[0]
        if len(self._primals) != len(directions):
            raise ArgumentError(f"ForwardAccumulator: got {len(directions)} tangents for {len(self._primals)} primals")
        if len({id(p) for p in self._primals}) != len(self._primals):
            raise ArgumentError("ForwardAccumulator: got a primal twice; add up its tangents")
        self._tangents: dict[Any, Tensor] = {}
        for primal, direction in zip(self._primals, directions, strict=True):
            if not isinstance(primal, (Tensor, Variable)):
                raise ArgumentError(f"ForwardAccumulator: got a primal {type(primal).__name__}; want a tensor")
            tangent = convert(direction, None if isinstance(direction, Tensor) else primal.dtype)
            if tangent.dtype is not primal.dtype or tangent.shape != primal.shape:
                raise ArgumentError(f"ForwardAccumulator: got a tangent {tangent!r} for {primal!r}; want its type")
            self._tangents[primal] = tangent
            if isinstance(primal, Variable):
                self._reads[primal] = []
            else:
                self._watch_tensor(primal)

    def wants(self, variable: Any) -> bool:
        """Whether it follows a variable that isn't a primal: no."""
        return False

    def __enter__(self) -> Self:
        if self._recording:
            raise ArgumentError("ForwardAccumulator: it is recording already; it can't be entered twice at once")
        self._start()
        return self

    def __exit__(self, *exception: object) -> None:
        if self._recording:
            self._stop()

    def jvp(self, primals: Any, unconnected_gradients: Any = "none") -> Any:
        """The tangents of tensors that were computed within, in their structure; None where nothing flows."""
        zero = wants_zeros(unconnected_gradients, "ForwardAccumulator.jvp")
        leaves, structure = flatten(primals)
        targets = [convert(p, who="ForwardAccumulator.jvp").tensor for p in leaves]
        nodes, outside = self.recorded(targets)
        pairs = [(x.tensor, self._tangents[p].tensor) for p in self._primals for x in self.stands_for(p)]
        moving = [(x, t) for x, t in pairs if x.edge in self._watched or x.node in nodes]
        found = ENGINE.jvp(tuple(targets), tuple([x for x, _ in moving]), tuple([t for _, t in moving]), outside)
        whole = [filled(0, y.type) if t is None and zero else t for y, t in zip(targets, found, strict=True)]
        return structure.build([None if t is None else told(t) for t in whole])
