"""What of tf.compat.v1 isn't in tf: variables by name, their initializers, and groups of operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tidegate.core.errors import ArgumentError
from tidegate.tf.convert import is_tensor
from tidegate.tf.dtypes import as_dtype, float32
from tidegate.tf.graph import Operation, get_default_graph
from tidegate.tf.names.arrays import ones, zeros
from tidegate.tf.variable import Variable


def get_variable(
    name: str,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool | None = None,
    collections: Any = None,
    **options: Any,
) -> Variable:
    """A new variable of a name, in the default graph.

    initializer: its first value; or a function of a shape and dtype that gives it, as tf.compat.v1.zeros_initializer().
    Raises ArgumentError (ValueError) for a name that is taken, or without an initializer.
    """
    if any([v.name == f"{name}:0" for v in global_variables()]):
        raise ArgumentError(
            f"tf.compat.v1.get_variable: there is a variable {name!r} already; keep it and use it again"
        )
    if initializer is None:
        raise ArgumentError(f"tf.compat.v1.get_variable: got no initializer for {name!r}; want one")
    kind = float32 if dtype is None else as_dtype(dtype)
    first = initializer(shape, kind) if callable(initializer) and not is_tensor(initializer) else initializer
    return Variable(first, trainable=trainable, name=name, dtype=dtype, shape=shape)


def zeros_initializer(dtype: Any = float32) -> Callable[..., Any]:
    """A function that gives zeros of a shape."""
    return lambda shape, dtype=dtype, **options: zeros(shape, dtype)


def ones_initializer(dtype: Any = float32) -> Callable[..., Any]:
    """A function that gives ones of a shape."""
    return lambda shape, dtype=dtype, **options: ones(shape, dtype)


def global_variables(scope: Any = None) -> list[Variable]:
    """The variables of the default graph."""
    return list(get_default_graph().collections.get("variables", []))


def trainable_variables(scope: Any = None) -> list[Variable]:
    """The trainable variables of the default graph."""
    return list(get_default_graph().collections.get("trainable_variables", []))


def variables_initializer(var_list: Any, name: str = "init") -> Operation:
    """An operation that gives variables their first values."""
    return group(*[v.initializer for v in var_list], name=name)


def global_variables_initializer() -> Operation:
    """An operation that gives all variables of the default graph their first values."""
    return variables_initializer(global_variables())


def group(*inputs: Any, name: str | None = None) -> Operation:
    """An operation that is done when all `inputs` are. Raises ArgumentError at the prompt, where all has run."""
    graph = get_default_graph()
    flat = [x for i in inputs for x in (i if isinstance(i, (list, tuple)) else [i])]
    with graph.control_dependencies(flat):
        return graph.record("NoOp", (), [], name or "group_deps")


def no_op(name: str | None = None) -> Operation:
    """An operation that does nothing."""
    return group(name=name or "NoOp")
