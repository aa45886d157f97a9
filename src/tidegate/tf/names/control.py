"""tf.cond and kin, loops, and maps over the first axis.

At the prompt all of them are Python's own. In a graph a choice is an op; a loop is unrolled, so how often it goes round
must be known when the graph is built.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tidegate.api.control import cond as choose
from tidegate.api.vmap import vmap
from tidegate.core import graph as core
from tidegate.core.body import Body
from tidegate.core.errors import ArgumentError, ArgumentTypeError, NoValueError, StructureError
from tidegate.core.tree import Structure, flatten, match
from tidegate.functions.join import stack
from tidegate.ops.attached import Attached
from tidegate.ops.broadcast import filled
from tidegate.ops.creation import Input
from tidegate.ops.elementwise import MultiplyNoNan
from tidegate.tf.convert import alike, convert
from tidegate.tf.errors import InvalidArgumentError
from tidegate.tf.graph import FuncGraph, apply, current_graph
from tidegate.tf.tape import told
from tidegate.tf.tensor import Tensor

LONG = 10_000
"""A loop of more rounds isn't unrolled into a graph."""


def cond(pred: Any, true_fn: Any = None, false_fn: Any = None, name: str | None = None) -> Any:
    """true_fn() if pred, a bool without axes, is true, else false_fn(). Only the one taken runs, and is differentiated.

    In a graph both are traced; they must give tensors of the same structure, shapes and dtypes.
    Raises ArgumentTypeError (TypeError) for what can't be called or another predicate, StructureError (ValueError)
    where the branches differ.
    """
    if not callable(true_fn) or not callable(false_fn):
        raise ArgumentTypeError("tf.cond: want two functions of no arguments")
    graph = current_graph()
    if isinstance(pred, bool):
        return _tensors(true_fn() if pred else false_fn())
    predicate = convert(pred, who="tf.cond")
    if not predicate.dtype.is_bool:
        raise ArgumentTypeError(f"tf.cond: got a predicate of {predicate.dtype.name}; want bool")
    if graph is None:
        return _tensors(true_fn() if bool(predicate) else false_fn())
    structures: list[Structure] = []

    def branch(function: Callable[[], Any]) -> Callable[[], list[core.Tensor]]:
        def traced() -> list[core.Tensor]:
            with FuncGraph(graph).as_default():
                leaves, structure = flatten(_tensors(function()))
                structures.append(structure)
                return [leaf.tensor for leaf in leaves if leaf is not None]

        return traced

    outs = choose(graph.own(predicate).tensor, branch(true_fn), branch(false_fn))
    if structures[0] != structures[1]:
        raise StructureError(f"tf.cond: the branches give {structures[0]} and {structures[1]}; want one structure")
    if not outs:
        return structures[0].build([None] * structures[0].leaf_count)
    node = outs[0].node
    operation = graph.record("If", [told(x) for x in node.input_tensors()], outs, name)
    return structures[0].build(operation.outputs)


def _tensors(result: Any) -> Any:
    """What a branch or body gave, as tensors; None stays."""
    leaves, structure = flatten(result)
    return structure.build([None if leaf is None else convert(leaf) for leaf in leaves])


def case(pred_fn_pairs: Any, default: Any = None, exclusive: bool = False, name: str | None = None) -> Any:
    """What the function of the first true predicate gives; that of `default` if none is true.

    Raises ArgumentError (ValueError) without predicates, or in a graph without a default.
    """
    pairs = list(pred_fn_pairs.items() if isinstance(pred_fn_pairs, dict) else pred_fn_pairs)
    if not pairs:
        raise ArgumentError("tf.case: got no predicates")
    if default is None:
        (_, default) = pairs.pop()
    if not pairs:
        return _tensors(default())
    (predicate, function), *rest = pairs
    return cond(predicate, function, lambda: case(rest, default) if rest else default(), name)


def switch_case(branch_index: Any, branch_fns: Any, default: Any = None, name: str | None = None) -> Any:
    """What the function of an index gives; that of `default`, or the last one, for an index that isn't there."""
    pairs = list(branch_fns.items() if isinstance(branch_fns, dict) else enumerate(branch_fns))
    pairs = [(k, v) if callable(v) else tuple(v) for k, v in pairs]
    index = convert(branch_index, who="tf.switch_case")
    last = pairs[-1][1] if default is None else default
    return case([(index == k, function) for k, function in pairs], last)


def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    maximum_iterations: Any = None,
    name: str | None = None,
) -> Any:
    """body again and again, from `loop_vars` on, while cond of what it gave is true.

    In a graph it is unrolled: cond must not depend on placeholders, arguments or variables.
    Raises StructureError (ValueError) where body gives another structure, ArgumentError (ValueError) in a graph where
    how often it goes round isn't known.
    """
    single = not isinstance(loop_vars, (list, tuple))
    state = start = _tensors([loop_vars] if single else loop_vars)
    structure = flatten(state)[1]
    most = None if maximum_iterations is None else int(convert(maximum_iterations).tensor.numpy())
    rounds = 0
    while (most is None or rounds < most) and _holds(cond(*state)):
        found = body(*state)
        several = found if isinstance(found, (list, tuple)) and not single else [found]
        if single and isinstance(found, (list, tuple)) and len(found) == 1:
            several = found
        state = structure.build([convert(v) for v in match(type(state)(several), structure, "tf.while_loop")])
        rounds += 1
        if current_graph() is not None and rounds > LONG:
            raise ArgumentError(f"tf.while_loop: in a graph it is unrolled, and goes round more than {LONG} times")
    if isinstance(current_graph(), FuncGraph):
        pairs = zip(flatten(state)[0], flatten(start)[0], strict=True)
        state = structure.build([_connected(y, x) for y, x in pairs])
    return state[0] if single else state


def _connected(y: Tensor, x: Tensor) -> Tensor:
    """A loop variable in a function: nothing flows from it to what it was at first, then zeros do, as in TensorFlow."""
    if not (y.tensor.differentiable and x.tensor.type is y.tensor.type):
        return y
    seed = Input(y.tensor.type)()
    nothing = Body((seed,), (MultiplyNoNan()(seed, filled(0, seed.type)),))
    (out,) = apply("Identity", Attached(1, 1, (True,), nothing), y, x)
    return out


def _holds(condition: Any) -> bool:
    try:
        return bool(convert(condition).tensor)
    except NoValueError:
        raise ArgumentError(
            "tf.while_loop: in a graph it is unrolled, and its condition depends on what isn't known when the graph is "
            "built; call it at the prompt, or give it a number of rounds"
        ) from None


def _rows(elems: Any, who: str) -> tuple[list[list[Tensor]], Structure]:
    """The parts of each leaf along the first axis, row by row, and the structure."""
    leaves, structure = flatten(elems)
    xs = [convert(leaf, who=who) for leaf in leaves]
    counts = {x.tensor.shape[0] if x.ndim else 0 for x in xs}
    if len(counts) != 1 or not all([isinstance(n, int) for n in counts]) or not all([x.ndim for x in xs]):
        raise ArgumentError(f"{who}: got {', '.join([str(x.tensor.type) for x in xs])}; want one known first size")
    return [[x[i] for x in xs] for i in range(counts.pop())], structure


def _stacked(rows: Sequence[Any], who: str) -> Any:
    """Results row by row, stacked leaf by leaf."""
    if not rows:
        raise InvalidArgumentError(f"{who}: got no rows")
    structure = flatten(rows[0])[1]
    columns = zip(*[match(row, structure, who) for row in rows], strict=True)
    return structure.build([apply("Pack", lambda *ts: stack(ts), *alike(who, *column)) for column in columns])


def map_fn(
    fn: Callable[..., Any],
    elems: Any,
    dtype: Any = None,
    parallel_iterations: Any = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
    fn_output_signature: Any = None,
) -> Any:
    """fn of each row along the first axis, stacked. `elems` may be a container of tensors with as many rows."""
    rows, structure = _rows(elems, "tf.map_fn")
    return _stacked([_tensors(fn(structure.build(row))) for row in rows], "tf.map_fn")


def vectorized_map(fn: Callable[..., Any], elems: Any, fallback_to_while_loop: bool = True, warn: bool = True) -> Any:
    """fn of each row along the first axis, stacked, computed for all rows at once."""
    leaves, structure = flatten(elems)
    xs = [convert(leaf, who="tf.vectorized_map") for leaf in leaves]
    found: list[Structure] = []

    def one(*parts: core.Tensor) -> list[core.Tensor]:
        outer = current_graph()
        with FuncGraph(outer).as_default():
            given = structure.build([Tensor(p) for p in parts])
            results, shape = flatten(_tensors(fn(given)))
        found.append(shape)
        return [r.tensor for r in results]

    def mapped(*tensors: core.Tensor) -> tuple[core.Tensor, ...]:
        return tuple(vmap(one)(*tensors))

    outs = apply("VectorizedMap", mapped, *xs)
    return found[0].build(outs)


def foldl(fn: Callable[..., Any], elems: Any, initializer: Any = None, **options: Any) -> Any:
    """fn(what came of the rows before, row), row by row; the first row is the start without an initializer."""
    return _folded("tf.foldl", fn, elems, initializer, backwards=False)


def foldr(fn: Callable[..., Any], elems: Any, initializer: Any = None, **options: Any) -> Any:
    """foldl from the last row to the first."""
    return _folded("tf.foldr", fn, elems, initializer, backwards=True)


def _folded(who: str, fn: Callable[..., Any], elems: Any, initializer: Any, *, backwards: bool) -> Any:
    rows, structure = _rows(elems, who)
    parts = [structure.build(row) for row in (rows[::-1] if backwards else rows)]
    state = parts.pop(0) if initializer is None else _tensors(initializer)
    for part in parts:
        state = _tensors(fn(state, part))
    return state


def scan(
    fn: Callable[..., Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    reverse: bool = False,
    name: str | None = None,
) -> Any:
    """All that foldl comes by, stacked: without an initializer the first row is the first of them."""
    rows, structure = _rows(elems, "tf.scan")
    parts = [structure.build(row) for row in (rows[::-1] if reverse else rows)]
    states: list[Any] = []
    if initializer is None:
        states.append(parts.pop(0))
    for part in parts:
        states.append(_tensors(fn(states[-1] if states else _tensors(initializer), part)))
    return _stacked(states[::-1] if reverse else states, "tf.scan")
