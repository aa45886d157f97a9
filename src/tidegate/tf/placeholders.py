"""tf.compat.v1.placeholder: tensors that a run is given."""

from __future__ import annotations

from typing import Any

from tidegate.core.graph import TensorType
from tidegate.core.shapes import symbol
from tidegate.ops.creation import Input
from tidegate.ops.elementwise import identity
from tidegate.tf.convert import convert
from tidegate.tf.dtypes import as_dtype
from tidegate.tf.errors import UsageError
from tidegate.tf.graph import apply, current_graph
from tidegate.tf.shapes import TensorShape
from tidegate.tf.tensor import Tensor


def placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> Tensor:
    """A tensor that a run must be fed. A size of None isn't known until then; no shape at all is any.

    Operations that need to know how many axes there are refuse a placeholder without a shape when they are made; the
    others are made again in a run for the shape that is fed.
    Raises UsageError (RuntimeError) at the prompt.
    """
    graph = current_graph()
    if graph is None:
        raise UsageError(
            "tf.compat.v1.placeholder: there is no graph at the prompt; use it within tf.Graph().as_default()"
        )
    known = TensorShape(shape)
    sizes = [] if known.rank is None else known.as_list()
    what = name or "Placeholder"
    own = tuple([symbol(f"{what}.{i}") if n is None else n for i, n in enumerate(sizes)])
    made = Input(TensorType(own, as_dtype(dtype).numpy_dtype))()
    out = graph.record("Placeholder", (), [made], name).outputs[0]
    out.rank_known = known.rank is not None
    return out


def placeholder_with_default(input: Any, shape: Any, name: str | None = None) -> Tensor:
    """A tensor that a run may be fed in place of `input`."""
    out = apply("PlaceholderWithDefault", identity, convert(input), name=name)
    out.set_shape(shape)
    return out
