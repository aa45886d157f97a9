"""tf.random: numbers drawn by NumPy's generators. The same seeds give the same numbers here, not TensorFlow's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tidegate.core.errors import ArgumentError
from tidegate.core.graph import Array, TensorType
from tidegate.ops.creation import Data, Input
from tidegate.tf.convert import convert, static_ints
from tidegate.tf.dtypes import as_dtype, float32
from tidegate.tf.graph import current_graph
from tidegate.tf.names.gates import stop_gradient
from tidegate.tf.tensor import Tensor

Draw = Callable[[np.random.Generator, tuple[int, ...]], Array]


class _Seeds:
    """The seed of all, and how many draws there were since it was set."""

    def __init__(self) -> None:
        self.set(None)

    def set(self, seed: int | None) -> None:
        """Start again."""
        self.root = np.random.SeedSequence(seed)

    def generator(self, seed: int | None) -> np.random.Generator:
        """A generator for one draw: the next one, whatever `seed` tells apart."""
        (child,) = self.root.spawn(1)
        words = [] if seed is None else [seed % 2**32]
        return np.random.default_rng([*child.generate_state(4).tolist(), *words])


SEEDS = _Seeds()


def set_seed(seed: int) -> None:
    """Make the draws that follow the same each time that it is called with this seed."""
    SEEDS.set(seed)


def _drawn(kind: str, draw: Draw, shape: Any, dtype: Any, seed: Any, name: str | None) -> Tensor:
    """At the prompt drawn now, in a tf.Graph in each run. In a tf.function the draw would be traced: refused."""
    sizes = tuple(static_ints(shape, f"tf.random.{kind}"))
    want = as_dtype(dtype).numpy_dtype
    number = None if seed is None else int(seed)
    graph = current_graph()
    if graph is None:
        return Tensor(Data(draw(SEEDS.generator(number), sizes).astype(want))())
    if graph.captures:
        raise ArgumentError(
            f"tf.random.{kind}: in a tf.function it would be drawn once, when that is traced; draw outside and pass it "
            "in, or use tf.random.stateless_uniform and kin with a seed that is an argument of Python's"
        )
    out = graph.record(kind, (), [Input(TensorType(sizes, want))()], name).outputs[0]
    out.op.effect = lambda run: run.draw(out.edge, draw(SEEDS.generator(number), sizes).astype(want))
    return out


def normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = float32, seed: Any = None, name: str | None = None
) -> Tensor:
    """Numbers of a normal distribution; gradients flow back to a mean and stddev that are tensors."""
    z = _drawn("normal", lambda g, n: g.standard_normal(n), shape, dtype, seed, name)
    return z * convert(stddev, z.dtype) + convert(mean, z.dtype)


def uniform(
    shape: Any, minval: Any = 0, maxval: Any = None, dtype: Any = float32, seed: Any = None, name: str | None = None
) -> Tensor:
    """Numbers from minval to below maxval (1), each as likely."""
    return _drawn("uniform", _between(minval, maxval, dtype), shape, dtype, seed, name)


def _between(low: Any, high: Any, dtype: Any) -> Draw:
    kind = as_dtype(dtype)
    first = convert(low).tensor.numpy().item()
    if kind.is_integer:
        if high is None:
            raise ArgumentError("tf.random.uniform: integers want a maxval")
        last = convert(high).tensor.numpy().item()
        return lambda g, n: g.integers(first, last, n)
    last = 1.0 if high is None else convert(high).tensor.numpy().item()
    below = np.nextafter(kind.numpy_dtype.type(last), kind.numpy_dtype.type(first)) if kind.size > 2 else last
    return lambda g, n: np.minimum(first + (last - first) * g.random(n), below)


def _fixed(draw: Draw, shape: Any, seed: Any, dtype: Any) -> Tensor:
    words = [int(s) % 2**32 for s in np.ravel(convert(seed).tensor.numpy())]
    array = draw(np.random.default_rng(words), tuple(static_ints(shape, "tf.random")))
    return stop_gradient(array.astype(as_dtype(dtype).numpy_dtype))


def stateless_normal(
    shape: Any, seed: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = float32, name: str | None = None
) -> Tensor:
    """Numbers of a normal distribution, the same for the same seed, which must be known."""
    z = _fixed(lambda g, n: g.standard_normal(n), shape, seed, dtype)
    return z * convert(stddev, z.dtype) + convert(mean, z.dtype)


def stateless_uniform(
    shape: Any,
    seed: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = float32,
    name: str | None = None,
) -> Tensor:
    """Numbers from minval to below maxval (1), the same for the same seed, which must be known."""
    return _fixed(_between(minval, maxval, dtype), shape, seed, dtype)
