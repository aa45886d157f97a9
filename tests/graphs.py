"""Random programs for tests: lists of steps that hypothesis draws, replayed on any inputs.

Every value is a vector of three elements of one dtype, so any step fits any other. No step has a kink or a jump where
generic inputs put it: what could tie or cross an edge is moved by numbers drawn for that step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

import tidegate as tg
from tidegate.core.dtypes import DType
from tidegate.core.graph import next_number
from tidegate.ops.creation import Input
from tidegate.ops.gates import StopGradient
from tidegate.ops.regions import Call
from tidegate.transforms.closing import close

SIZE = 3
Step = Callable[..., Any]
"""step(spice, x, y): a tensor like x and y. `spice` holds three numbers of this step's own."""

EVERY: dict[str, Step] = {}
"""For any dtype."""
REAL: dict[str, Step] = {}
"""For real tensors only."""
COMPLEX: dict[str, Step] = {}
"""For complex tensors only."""
GATES: dict[str, Step] = {}
"""What stops a gradient."""
REFUSING: dict[str, Step] = {}
"""What forbids one."""


def step(table: dict[str, Step]) -> Callable[[Step], Step]:
    def keep(function: Step) -> Step:
        table[function.__name__] = function
        return function

    return keep


def is_complex(x):
    return x.dtype.kind == "c"


def small(x):
    """x brought below 1 in absolute value, smoothly."""
    if not is_complex(x):
        return tg.tanh(x)
    size = tg.sqrt(1.0 + tg.real(x * tg.conj(x)))
    return x / tg.complex(size, 0.0 * size)


def safe(x):
    """A number in the disc of radius 1 around 2."""
    return 2.0 + small(x)


def level(x):
    """Something real of x."""
    return tg.abs(x) if is_complex(x) else x


def choice(spice, x):
    """A boolean vector, of which no element is about to change."""
    return level(x) > tg.asarray(spice)


def call(function, *xs):
    """`function` of tensors as one Call node, or as a tuple of its outputs."""
    first = next_number()
    inputs = [Input(x.type)() for x in xs]
    outputs = function(*inputs)
    several = isinstance(outputs, tuple)
    body, captured = close(outputs if several else [outputs], inputs, first)
    results = Call(body)(*xs, *captured)
    return results if several else results[0]


@step(EVERY)
def add(spice, x, y):
    return x + y


@step(EVERY)
def subtract(spice, x, y):
    return spice[0] * x - y


@step(EVERY)
def multiply(spice, x, y):
    return small(x) * y


@step(EVERY)
def divide(spice, x, y):
    return x / safe(y)


@step(EVERY)
def power(spice, x, y):
    return safe(x) ** small(y)


@step(EVERY)
def log_exp(spice, x, y):
    return tg.log(safe(x)) - tg.exp(small(y))


@step(EVERY)
def waves(spice, x, y):
    return tg.sin(small(x)) + tg.cos(small(y))


@step(EVERY)
def root(spice, x, y):
    return tg.sqrt(safe(x)) * small(y)


@step(EVERY)
def negated(spice, x, y):
    return -(+x)


@step(EVERY)
def length(spice, x, y):
    return tg.astype(tg.abs(x + 0.1), x.dtype) + y


@step(EVERY)
def chosen(spice, x, y):
    return tg.where(choice(spice, x), y, small(x))


@step(EVERY)
def summed(spice, x, y):
    return tg.sum(small(x)) * small(y)


@step(EVERY)
def averaged(spice, x, y):
    return tg.mean(x, keepdims=True) - y


@step(EVERY)
def outer_product(spice, x, y):
    return tg.sum(tg.expand_dims(small(x), axis=1) * tg.expand_dims(y, axis=0), axis=0)


@step(EVERY)
def matrix_product(spice, x, y):
    matrix = tg.reshape(tg.take(small(x), tg.asarray([0, 1, 2, 2, 1, 0, 0, 0, 1]), axis=0), (3, 3))
    return matrix.T @ small(y)


@step(EVERY)
def stacked_product(spice, x, y):
    stack = tg.broadcast_to(small(x), (2, 3, 3))
    return tg.sum(stack @ tg.broadcast_to(tg.expand_dims(y, axis=1), (2, 3, 1)), axis=(0, 2))


@step(EVERY)
def part(spice, x, y):
    return x[1:2] * small(y[::-1]) + y[0]


@step(EVERY)
def strided(spice, x, y):
    return tg.permute_dims(x[::2] * tg.reshape(small(y), (3, 1)), (1, 0))[1]


@step(EVERY)
def gathered(spice, x, y):
    return tg.take(x, tg.asarray([2, 0, 2]), axis=0) + tg.take(y, tg.asarray(1), axis=0)


@step(EVERY)
def products_so_far(spice, x, y):
    return tg.cumulative_prod(small(x)) + y


@step(EVERY)
def factored(spice, x, y):
    column = tg.expand_dims(small(x), axis=1)
    row = tg.matrix_transpose(tg.conj(column) if is_complex(x) else column)
    lower = tg.cholesky(column @ row + tg.astype(2.0 * np.eye(3), x.dtype))
    solved = tg.solve_triangular(lower, tg.expand_dims(small(y), axis=1), conjugate_transposed=spice[0] > 0)
    return tg.squeeze(solved, 1)


@step(EVERY)
def either(spice, x, y):
    return tg.cond(level(x)[0] > spice[0], lambda a, b: small(a) * b, lambda a, b: a + tg.stop_gradient(b), x, y)


@step(EVERY)
def either_of_two(spice, x, y):
    """Two outputs, something from outside, and a stop on another one in each branch."""
    a, b = tg.cond(
        level(y)[1] > spice[1], lambda a: (a, tg.stop_gradient(y)), lambda a: (tg.stop_gradient(a), small(a) * y), x
    )
    return small(a) + b


@step(EVERY)
def called(spice, x, y):
    a, b = call(lambda a, b: (small(a) * tg.stop_gradient(b), a - b), x, y)
    return a + small(b)


@step(EVERY)
def called_twice_deep(spice, x, y):
    def inner(a):
        return call(lambda b: either(spice, b, small(y)), a)

    return call(inner, x)


@step(EVERY)
def through_another_dtype(spice, x, y):
    if is_complex(x):
        return tg.astype(tg.astype(x, tg.float64), x.dtype) + small(y)
    return tg.real(tg.astype(x, tg.complex128) * tg.complex(spice[0], small(y)))


@step(REAL)
def larger(spice, x, y):
    return tg.maximum(x, y + spice)


@step(REAL)
def largest(spice, x, y):
    return tg.max(x + spice) * small(y)


@step(REAL)
def top(spice, x, y):
    values, places = tg.top_k(x + spice, 2)
    return x - values[0] * tg.take(y, tg.astype(places[1], tg.int32), axis=0)


@step(REAL)
def places_only(spice, x, y):
    _, places = tg.top_k(x + spice, 3)
    return tg.take(y, places, axis=0)


@step(REAL)
def probabilities(spice, x, y):
    return tg.softmax(x) - tg.log_softmax(small(y))


@step(REAL)
def soft_maximum(spice, x, y):
    return tg.logsumexp(x) + y


@step(REAL)
def direction(spice, x, y):
    return tg.sign(x + spice) * small(y)


@step(REAL)
def rounded(spice, x, y):
    return x + tg.floor(1.7 * y + spice)


@step(REAL)
def whole(spice, x, y):
    return tg.astype(tg.astype(2.3 * x + spice, tg.int32), x.dtype) + y


@step(REAL)
def place(spice, x, y):
    return tg.astype(tg.argmax(x + spice), x.dtype) * y


@step(COMPLEX)
def conjugated(spice, x, y):
    return tg.conj(x) * small(y)


@step(COMPLEX)
def parts(spice, x, y):
    return tg.complex(tg.imag(x), tg.real(y))


@step(GATES)
def stop(spice, x, y):
    return tg.stop_gradient(x)


@step(GATES)
def internal_stop(spice, x, y):
    return StopGradient(internal=True)(x) * small(y)


@step(GATES)
def straight_through(spice, x, y):
    return x + tg.stop_gradient(small(y) - x)


@step(REFUSING)
def forbidden(spice, x, y):
    return tg.prevent_gradient(x, "a test") + y


@step(REFUSING)
def forbidden_in_a_call(spice, x, y):
    return call(lambda a, b: tg.prevent_gradient(a) + small(b), x, y)


@step(REFUSING)
def forbidden_and_counted(spice, x, y):
    return tg.take(y, tg.astype(0.0 * tg.prevent_gradient(x), tg.int32), axis=0)


@dataclass(frozen=True)
class Program:
    """Steps on inputs; each reads what came before, and gives one more vector. Called, it gives them all."""

    dtype: DType
    inputs: int
    steps: tuple[tuple[str, int, int], ...]
    targets: tuple[int, ...]
    """Which vectors are the outputs."""
    sources: tuple[int, ...]
    """Which ones a gradient is asked for: inputs, and some that are computed."""
    stops: tuple[int, ...]
    """Which ones are in the stop list."""

    def values(self, seed: int = 0) -> list[np.ndarray]:
        """Generic inputs."""
        return [generic(seed * 100 + i, self.dtype) for i in range(self.inputs)]

    def __call__(self, *inputs: Any) -> list[Any]:
        """Every vector, inputs first."""
        pool = [tg.asarray(x) for x in inputs]
        for number, (name, i, j) in enumerate(self.steps):
            spice = np.random.default_rng(1000 + number).uniform(-1, 1, SIZE)
            pool.append(steps_of(self.dtype)[name](spice, pool[i], pool[j]))
        return pool

    def function(self, *inputs: Any) -> tuple[Any, ...]:
        """The outputs."""
        pool = self(*inputs)
        return tuple([pool[i] for i in self.targets])

    def graph(self, seed: int = 0) -> Graph:
        """On tensors of generic inputs."""
        pool = self(*[tg.asarray(v) for v in self.values(seed)])
        return Graph(*[[pool[i] for i in places] for places in (self.targets, self.sources, self.stops)], pool)


@dataclass(frozen=True)
class Graph:
    """A program's tensors."""

    targets: list[tg.Tensor]
    sources: list[tg.Tensor]
    stops: list[tg.Tensor]
    pool: list[tg.Tensor]


def generic(seed: int, dtype: DType) -> np.ndarray:
    """A vector of which nothing special holds."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(-1.5, 1.5, SIZE)
    return (x + 1j * rng.uniform(-1.5, 1.5, SIZE)).astype(dtype) if dtype.kind == "c" else x.astype(dtype)


def steps_of(dtype: DType) -> dict[str, Step]:
    """All steps for a dtype."""
    return EVERY | (COMPLEX if dtype.kind == "c" else REAL) | GATES | REFUSING


@st.composite
def programs(draw: Any, dtypes: Sequence[Any] = (tg.float64, tg.complex128), most: int = 10, refusing: bool = False):
    """Programs of up to `most` steps. Stops come more often than other steps; what refuses only if `refusing`."""
    dtype = np.dtype(draw(st.sampled_from(dtypes)))
    left_out = () if refusing else REFUSING
    names = [n for n in steps_of(dtype) if n not in left_out] + 3 * list(GATES) + 3 * list(REFUSING if refusing else ())
    inputs = draw(st.integers(1, 3))
    steps = []
    for count in range(inputs, inputs + draw(st.integers(1, most))):
        # the newest vectors more often, so that programs are deep
        before = st.one_of(st.integers(max(0, count - 3), count - 1), st.integers(0, count - 1))
        steps.append((draw(st.sampled_from(names)), draw(before), draw(before)))
    total = inputs + len(steps)
    any_of = st.integers(0, total - 1)
    targets = draw(st.lists(st.integers(max(0, total - 3), total - 1), min_size=1, max_size=2))
    computed = draw(st.lists(any_of, max_size=2, unique=True))
    sources = tuple(dict.fromkeys([*range(inputs), *computed]))
    return Program(dtype, inputs, tuple(steps), tuple(targets), sources, tuple(draw(st.lists(any_of, max_size=2))))
