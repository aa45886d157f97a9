"""The reference backend: op by op in NumPy, every result checked against the type rule. It defines meaning."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from tidegate.backends.interface import Executable, Program, Status, plan_memory
from tidegate.core.body import Body
from tidegate.core.errors import ValueFaultError
from tidegate.core.graph import Array, TensorType, walk
from tidegate.core.kinds import Region
from tidegate.core.op import Op


@dataclass(slots=True)
class Step:
    """One op: what it reads, where its first output goes, and what is free after it."""

    op: Op
    reference: Callable[..., Any]
    types: tuple[TensorType, ...]
    reads: tuple[int, ...]
    first: int
    frees: tuple[int, ...]


@dataclass(frozen=True)
class Steps:
    """A segment of ops in turn."""

    steps: Sequence[Step]

    def run(self, values: list[Array | None], status: Status) -> None:
        """Each step in turn; at a fault set `status` and stop."""
        with np.errstate(all="ignore"):
            for number, step in enumerate(self.steps):
                try:
                    outs = step.reference(*[values[r] for r in step.reads])
                except ValueFaultError as fault:
                    status.fault, status.step, status.element = fault.fault, number, fault.element
                    status.message, status.site = fault.message, fault.site
                    return
                values[step.first : step.first + len(step.types)] = step.op.check(outs, step.types)
                for place in step.frees:
                    values[place] = None


class Reference:
    """The backend that every other one must agree with."""

    name = "reference"
    unsupported: Mapping[str, str] = {}

    def __init__(self) -> None:
        self._bodies: WeakKeyDictionary[Body, Executable] = WeakKeyDictionary()

    def compile(self, program: Program) -> Executable:
        """An executable of one segment. It keeps no node of the program alive."""
        plan = plan_memory(program)
        steps = []
        for node, frees in zip(program.nodes, plan.frees, strict=True):
            op: Any = node.op
            reads = tuple([plan.places[edge] for edge in zip(node.inputs, node.indices, strict=True)])
            first = plan.places[node, 0] if node.types else 0
            reference = self._region(op) if isinstance(op, Region) else op.reference
            steps.append(Step(op, reference, node.types, reads, first, tuple(frees)))
        results = [plan.places[edge] for edge in program.results]
        return Executable([Steps(steps)], plan, len(program.arguments), len(steps), results)

    def _region(self, op: Any) -> Callable[..., Any]:
        return lambda *arrays: op.reference(self.run, *arrays)

    def run(self, body: Body, arrays: tuple[Array, ...]) -> tuple[Array, ...]:
        """The outputs of a body. Raises ValueFaultError, with the line of the op in it."""
        executable = self._bodies.get(body)
        if executable is None:
            executable = self._bodies[body] = self.compile(body_program(body))
        status = Status()
        results = executable(arrays, status)
        if status.fault is not None:
            site = status.site or body_program(body).nodes[status.step].told_site()
            raise ValueFaultError(status.fault, status.element, status.message, site)
        return tuple(results)


def body_program(body: Body) -> Program:
    """What runs a body: its nodes, its inputs as arguments."""
    given = {x.node for x in body.inputs}
    nodes = [n for n in walk(body.outputs) if n not in given]
    return Program(nodes, [x.edge for x in body.inputs], [y.edge for y in body.outputs])


REFERENCE = Reference()
