"""The text form of a graph: stable, so that tests can hold it."""

from __future__ import annotations

from collections.abc import Sequence

from tidegate.core.body import Body
from tidegate.core.graph import Edge, Node, Tensor, walk
from tidegate.core.kinds import Region
from tidegate.core.source import show_site


def show(*outputs: Tensor, lines: bool = False) -> str:
    """The graph of `outputs` as text: a line for each node, inputs before users, numbered from 0.

    Two graphs of the same structure have the same text, whenever they were made. With `lines` each ends with the
    user's line that made it.
    """
    names: dict[Edge, str] = {}
    shown = _nodes(walk(outputs), names, lines=lines, indent="")
    return "\n".join([*shown, f"return {' '.join([names[y.edge] for y in outputs])}"])


def _nodes(nodes: Sequence[Node], names: dict[Edge, str], *, lines: bool, indent: str) -> list[str]:
    shown = []
    for number, node in enumerate(nodes, start=len(names)):
        several = len(node.types) > 1
        for k in range(len(node.types)):
            names[node, k] = f"%{number}.{k}" if several else f"%{number}"
        types = ", ".join(map(str, node.types))
        inputs = " ".join([names[edge] for edge in node.edges()])
        text = f"{indent}%{number}: {types} = {node.op}{' ' + inputs if inputs else ''}"
        shown.append(f"{text}  # {show_site(node.site)}" if lines else text)
        if isinstance(node.op, Region):
            for name, body, _ in node.op.bodies():
                shown += _body(name, body, lines=lines, indent=indent + "  ")
    return shown


def _body(name: str, body: Body, *, lines: bool, indent: str) -> list[str]:
    names: dict[Edge, str] = {x.edge: f"%{i}" for i, x in enumerate(body.inputs)}
    taken = ", ".join([f"%{i}: {x.type}" for i, x in enumerate(body.inputs)])
    inner = _nodes(body.nodes(), names, lines=lines, indent=indent + "  ")
    return [f"{indent}{name}({taken}):", *inner, f"{indent}  return {' '.join([names[y.edge] for y in body.outputs])}"]
