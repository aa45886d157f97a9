"""Write docs/primitives.md: a table of every primitive, made from the registry.

python docs/primitives.py
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import tidegate.core.dtypes as d
from tidegate.core.errors import DTypeError
from tidegate.core.graph import TensorType
from tidegate.core.kinds import Generator, Region
from tidegate.core.op import PRIMITIVES, Draw, Op, Sample

PAGE = Path(__file__).with_suffix(".md")

HEAD = """\
# Primitives

All {count} of them, by family: what derivatives, batching, flow reports and backends are told of. Everything else is
composed of these. The page is made from the registry, by `python docs/primitives.py`; the docstrings of the classes say
more.

- **Inputs**: how many; n for any number.
- **Derivative**: the form in which the op states it; `src/tidegate/core/op.py` says what each means. With *exact 0*, a
  zero cotangent or tangent gives 0 also where the partial is infinite.
- **Reverse**, **forward**: how each mode comes of that form. An op that states one of them gets the other as its
  adjoint.
- **Batching**: by a rule *of its own*, which knows which inputs have one more axis; or of *all inputs*, when the engine
  repeats those that haven't.
- **Dtypes** of its inputs: what the type rule takes, index and condition apart.
- **Where nothing flows**: by input, or by output and input, counted from 0; and why.
"""

COLUMNS = (
    "Primitive",
    "Kind",
    "Inputs",
    "Derivative",
    "Reverse",
    "Forward",
    "Batching",
    "Dtypes",
    "Where nothing flows",
)

FAMILIES = {
    "any": d.ANY,
    "numbers": d.NUMERIC,
    "real numbers": d.REAL,
    "integers": d.INTEGER,
    "floating point, complex": d.INEXACT,
    "floating point": d.FLOATING,
    "complex": d.COMPLEX,
    "bool": d.BOOL,
    "bool, integers": d.BOOL | d.INTEGER,
    "bool, real numbers": d.BOOL | d.REAL,
    "not half precision": d.BLAS,
}
"""Sets of dtypes that have a name; others are spelled out."""

REVERSE = {
    "partials": "cotangent * partial",
    "adjoint": "its adjoint",
    "vjp": "its vjp",
    "jvp": "adjoint of its jvp",
    "non_differentiable": "nothing",
    "refuses": "an error",
}
FORWARD = REVERSE | {
    "partials": "tangent * partial",
    "adjoint": "itself, on tangents",
    "vjp": "adjoint of its vjp",
    "jvp": "its jvp",
}


def page() -> str:
    """The page's text."""
    classes = [cls for name, cls in sorted(PRIMITIVES.items()) if name.startswith("tidegate.ops.")]
    parts = [HEAD.format(count=len(classes))]
    for module, family in groupby(classes, key=lambda cls: cls.__module__):
        rows = [COLUMNS, ("---",) * len(COLUMNS), *[row(cls) for cls in family]]
        parts.append(f"## {module.rpartition('.')[2]}\n\n" + "".join(f"| {' | '.join(cells)} |\n" for cells in rows))
    return "\n".join(parts)


def row(cls: type[Op]) -> tuple[str, ...]:
    """What the table says of a class."""
    both = issubclass(cls, Region) and hasattr(cls, "vjp") and hasattr(cls, "jvp")
    linear = "" if cls.form != "adjoint" or cls.jointly_linear else " in each input apart"
    return (
        f"`{cls.name}`",
        next((base.__name__ for base in cls.__mro__[1:] if base.__module__ == "tidegate.core.kinds"), "—"),
        "n" if cls.arity is None else str(cls.arity),
        ("vjp and jvp" if both else cls.form.replace("_", " ")) + linear + (", exact 0" if cls.zero_upstream else ""),
        REVERSE[cls.form],
        "its jvp"
        if both
        else FORWARD[cls.form].replace("itself", "itself, by the product rule" if linear else "itself"),
        "—" if issubclass(cls, Generator) else "all inputs" if cls.batch_together else "of its own",
        dtypes(cls),
        closed(cls),
    )


def dtypes(cls: type[Op]) -> str:
    """The dtypes that its free inputs may have, found by trying its samples."""
    if issubclass(cls, Generator):
        return "—"
    if issubclass(cls, Region):
        return "its bodies'"
    samples = [s for s in cls.domain() if any(fixed(draw) is None for draw in s.inputs)]
    taken = frozenset(dtype for dtype in d.ANY if any(takes(sample, dtype) for sample in samples))
    named = [name for name, dtypes in FAMILIES.items() if dtypes == taken]
    return named[0] if named else d.names(taken) or "—"


def fixed(draw: Draw) -> d.DType | None:
    """The dtype of an input that may have no other."""
    return {"index": d.int64, "boolean": d.bool_}.get(draw.like)


def takes(sample: Sample, dtype: d.DType) -> bool:
    """Whether the type rule takes a sample's free inputs in `dtype`."""
    try:
        sample.op.output_types(tuple([TensorType(draw.shape, fixed(draw) or dtype) for draw in sample.inputs]))
    except DTypeError:
        return False
    return True


def closed(cls: type[Op]) -> str:
    """Where nothing flows, and the sentence that says why."""
    if cls.form in ("non_differentiable", "refuses"):
        return getattr(cls, cls.form)
    slots = [
        (f"output {slot[0]}, input {slot[1]}" if isinstance(slot, tuple) else f"input {slot}", why)
        for slot, why in sorted(cls.no_gradient.items(), key=str)
    ]
    return "; ".join(f"{slot}: {why}" for slot, why in slots)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
