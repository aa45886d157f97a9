"""Looking at values as they pass: ensure and print."""

from __future__ import annotations

from tidegate.core.dtypes import BOOL
from tidegate.core.errors import DTypeError
from tidegate.core.graph import Tensor, TensorLike
from tidegate.core.trace import active_trace
from tidegate.functions.arguments import text
from tidegate.functions.convert import asarray
from tidegate.ops.effects import Print
from tidegate.ops.gates import Ensure


def ensure(x: TensorLike, condition: TensorLike, message: str = "it isn't as it must be", /) -> Tensor:
    """`x`; evaluating it raises InvalidValueError, which says `message`, unless `condition` is true everywhere.

    x: of any shape and dtype; its gradient is that of the result. condition: bool, of any shape.
    The error names the line of this call and the first place where the condition is false. Nothing is looked at
    unless the result is used. Raises DTypeError for a condition that isn't bool.
    """
    looked = asarray(condition)
    if looked.dtype not in BOOL:
        raise DTypeError(f"ensure: got {looked.type} as condition; want bool")
    return Ensure(text("ensure", "message", message))(asarray(x), looked)


def print(*values: object, sep: str = " ", end: str = "\n") -> None:
    """Print: at the prompt now; in a function that is being traced each time that what is made of it runs, in order.

    values: tensors of any shape and dtype, shown by their values, and other objects, shown as they are now. In a
    branch of `cond` it prints if the branch is taken; under `vmap` once, with the values of the whole batch. In a
    function that is differentiated it prints once: derivatives don't repeat it.
    """
    parts: list[str | None] = []
    tensors: list[Tensor] = []
    for i, value in enumerate(values):
        is_tensor = isinstance(value, Tensor) or hasattr(type(value), "__tidegate_tensor__")
        parts += [sep] * (i > 0)
        parts.append(None if is_tensor else str(value))
        if is_tensor:
            tensors.append(asarray(value))
    trace = active_trace()
    earlier = [] if trace is None or trace.token is None else [trace.token]
    token = Print((*parts, end))(*tensors, *earlier)
    if trace is None:
        token.numpy()
    else:
        trace.token = token
