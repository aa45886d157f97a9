"""The engine: the transforms, in the form that region ops are handed."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tidegate.core.body import Body
from tidegate.core.graph import Edge, Tensor
from tidegate.transforms import batching, forward, reverse
from tidegate.transforms.pull import MaybeTensors


class Transforms:
    """Derivatives and batches of whole graphs."""

    def vjp(
        self,
        outputs: Sequence[Tensor],
        inputs: Sequence[Tensor],
        cotangents: MaybeTensors,
        stops: Collection[Edge] = (),
        *,
        past_cuts: bool = False,
    ) -> list[Tensor | None]:
        """The cotangents of `inputs`; None where nothing flows. Nothing flows through `stops`, nor, with `past_cuts`,
        through cuts, which raise HistoryCutError otherwise."""
        return reverse.vjp(self, outputs, inputs, cotangents, stops, past_cuts=past_cuts)

    def jvp(
        self,
        outputs: Sequence[Tensor],
        inputs: Sequence[Tensor],
        tangents: MaybeTensors,
        stops: Collection[Edge] = (),
    ) -> list[Tensor | None]:
        """The tangents of `outputs`; None where nothing flows, as from `stops` that have none of their own."""
        return forward.jvp(self, outputs, inputs, tangents, stops)

    def batch(self, body: Body, size: int, batched: Sequence[bool], xs: Sequence[Tensor]) -> tuple[Tensor, ...]:
        """The outputs of `body` on `xs`, batched as `batched` says; every output is."""
        return batching.batch(self, body, size, batched, xs)


ENGINE = Transforms()
