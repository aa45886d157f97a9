"""The reference backend: op by op in NumPy, every result checked against the type rule. It defines meaning."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from tidegate.backends.interface import Executable, Program, Status, plan_memory
from tidegate.core.body import Body
from tidegate.core.errors import TidegateError, ValueFaultError
from tidegate.core.graph import Array, Node, TensorType, value_type
from tidegate.core.kinds import Region, Run
from tidegate.core.op import Op
from tidegate.core.shapes import Symbol
from tidegate.transforms.specialise import bind_op, lone_symbol, unknown_sizes


@dataclass(slots=True)
class Step:
    """One op: its number in the program, what it reads, where its first output goes, and what is free after it."""

    number: int
    op: Op
    reference: Callable[..., Any]
    types: tuple[TensorType, ...]
    reads: tuple[int, ...]
    first: int
    frees: tuple[int, ...]
    unknown: bool
    """Whether sizes that only data decides stand in its types or attributes."""


@dataclass(frozen=True)
class Steps:
    """A segment of ops in turn."""

    steps: Sequence[Step]
    run_body: Run

    def run(self, values: list[Array | None], sizes: dict[Symbol, int], status: Status) -> None:
        """Each step in turn; at a fault set `status` and stop."""
        with np.errstate(all="ignore"):
            for step in self.steps:
                arrays: list[Any] = [values[r] for r in step.reads]
                if step.unknown:
                    try:
                        step = known(step, arrays, sizes, self.run_body)
                    except TidegateError as error:
                        status.refused, status.step = error, step.number
                        return
                try:
                    outs = step.reference(*arrays)
                except ValueFaultError as fault:
                    status.fault, status.step, status.element = fault.fault, step.number, fault.element
                    status.message, status.site = fault.message, fault.site
                    return
                if len(step.types) == 1 and fits(outs, step.types[0]):
                    values[step.first] = outs
                else:
                    values[step.first : step.first + len(step.types)] = step.op.check(outs, step.types)
                for place in step.frees:
                    values[place] = None


def in_order(nodes: Sequence[Node], needs: Sequence[set[Symbol]]) -> list[int]:
    """The numbers of `nodes` in an order in which every size is decided before an op has it among its attributes.

    Nodes that `needs` nothing keep their order; the others wait for the op that decides, and what reads them too.
    """
    decided: set[Symbol] = set()
    late: set[Node] = set()
    order: list[int] = []
    waiting = list(range(len(nodes)))
    while waiting:
        left = []
        late.clear()
        for i in waiting:
            node = nodes[i]
            own = needs[i] if node.op.measured is not None else set()
            if needs[i] - own <= decided and not any([n in late for n in node.inputs]):
                order.append(i)
                decided |= own
            else:
                late.add(node)
                left.append(i)
        if len(left) == len(waiting):  # nothing here decides them: the ops will say so
            return [*order, *left]
        waiting = left
    return order


def known(step: Step, arrays: Sequence[Array], sizes: dict[Symbol, int], run: Run) -> Step:
    """A step with numbers for sizes, some of which its own data may decide; every type rule is checked again.

    Raises what the op's type rule says, now that the sizes are known.
    """
    if step.op.measured is not None:
        for size, number in step.op.measured(*arrays).items():
            atom = lone_symbol(size)
            if atom is not None:
                sizes.setdefault(atom, number)
    op = bind_op(step.op, sizes)
    return replace(
        step, op=op, reference=reference_of(op, run), types=op.output_types(tuple([value_type(a) for a in arrays]))
    )


def fits(out: Any, kind: TensorType) -> bool:
    """Whether a result is an array of its type, so that `check` has nothing to say."""
    return out.__class__ is np.ndarray and out.dtype is kind.dtype and out.shape == kind.shape


def reference_of(op: Any, run: Run) -> Callable[..., Any]:
    """The op's reference; a region's gets what runs its bodies."""
    return partial(op.reference, run) if isinstance(op, Region) else op.reference


class Reference:
    """The backend that every other one must agree with."""

    name = "reference"
    unsupported: Mapping[str, str] = {}

    def __init__(self) -> None:
        self._bodies: WeakKeyDictionary[Body, Executable] = WeakKeyDictionary()

    def compile(self, program: Program) -> Executable:
        """An executable. It keeps no node of the program alive."""
        needs = [unknown_sizes(node.op) for node in program.nodes]
        numbers = in_order(program.nodes, needs) if any(needs) else range(len(program.nodes))
        plan = plan_memory(replace(program, nodes=[program.nodes[i] for i in numbers]))
        segments: list[Steps] = []
        steps: list[Step] = []
        for number, frees in zip(numbers, plan.frees, strict=True):
            node = program.nodes[number]
            op = node.op
            edges = list(zip(node.inputs, node.indices, strict=True))
            reads = tuple([plan.places[edge] for edge in edges])
            first = plan.places[node, 0] if node.types else 0
            types = [*node.types, *[n.types[i] for n, i in edges]]
            unknown = bool(needs[number]) or not all([t.known for t in types])
            steps.append(Step(number, op, reference_of(op, self.run), node.types, reads, first, tuple(frees), unknown))
            if unknown and op.measured is not None:
                segments.append(Steps(steps, self.run))
                steps = []
        segments.append(Steps(steps, self.run))
        results = [plan.places[edge] for edge in program.results]
        return Executable(segments, plan, len(program.arguments), len(program.nodes), results)

    def run(self, body: Body, arrays: tuple[Array, ...]) -> tuple[Array, ...]:
        """The outputs of a body. Raises ValueFaultError, with the line of the op in it."""
        executable = self._bodies.get(body)
        if executable is None:
            executable = self._bodies[body] = self.compile(body_program(body))
        status = Status()
        results = executable(arrays, status)
        if status.refused is not None:
            raise status.error(body_program(body).nodes)
        if status.fault is not None:
            site = status.site or body_program(body).nodes[status.step].told_site()
            raise ValueFaultError(status.fault, status.element, status.message, site)
        return tuple(results)


def body_program(body: Body) -> Program:
    """What runs a body: its nodes, its inputs as arguments."""
    return Program(body.nodes(), [x.edge for x in body.inputs], [y.edge for y in body.outputs])


REFERENCE = Reference()
