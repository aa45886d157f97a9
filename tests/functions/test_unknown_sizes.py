"""Functions of tensors of unknown sizes, and their gradients, are those of the sizes that they are given later."""

import numpy as np
import pytest

import tidegate as tg
from tidegate.core.graph import TensorType
from tidegate.core.shapes import symbol
from tidegate.ops.creation import Data, Input
from tidegate.transforms.specialise import sizes_of, specialise

FUNCTIONS = {
    "prod": lambda x: tg.prod(x, axis=0),
    "prod of all": tg.prod,
    "mean": tg.mean,
    "var": lambda x: tg.var(x, axis=0, correction=1),
    "std": tg.std,
    "min": lambda x: tg.min(x, axis=0),
    "any": lambda x: tg.where(tg.any(x > 0.5, axis=0), x, 0.0),
    "argmin": lambda x: tg.take(x, tg.argmin(x, axis=1), axis=1),
    "cumulative_sum": lambda x: tg.cumulative_sum(x, axis=0, include_initial=True),
    "cumulative_prod": lambda x: tg.cumulative_prod(x, axis=0),
    "cumulative_max": lambda x: tg.cumulative_max(x, axis=0),
    "cumulative_logsumexp": lambda x: tg.cumulative_logsumexp(x, axis=0),
    "diff": lambda x: tg.diff(x, axis=0, prepend=1.0),
    "sort": lambda x: tg.sort(x, axis=0, descending=True),
    "stack": lambda x: tg.stack([x, x * x], axis=1),
    "concat": lambda x: tg.concat([x, 2.0 * x, x[:, :1] * tg.ones((1, 3))], axis=0),
    "flip": tg.flip,
    "tile": lambda x: tg.tile(x, (2, 1)),
    "repeat": lambda x: tg.repeat(x, 2, axis=0),
    "pad": lambda x: tg.pad(x, ((1, 2), (0, 1)), constant_values=1.0),
    "moveaxis": lambda x: tg.moveaxis(x, 0, 1),
    "tril": tg.tril,
    "expand_dims": lambda x: tg.squeeze(tg.expand_dims(x, (0, 1)), 1),
}


def outputs(function, x):
    """The function, and the gradient of the sum of its squares."""
    y = function(x)
    return [y, tg.gradients(tg.sum(y * y), x)[0]]


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_a_function_and_its_gradient_are_those_of_the_size_given_later(function):
    x = Input(TensorType((symbol("n"), 3), tg.float64))()
    waiting = outputs(function, x)
    for size in (1, 4):
        value = np.random.default_rng(size).normal(size=(size, 3))
        found, (source,) = specialise(waiting, [x], sizes_of({x: value.shape}))
        source.node.op = Data(value)
        source.value = value
        for got, want in zip(found, outputs(function, tg.asarray(value)), strict=True):
            np.testing.assert_allclose(got.numpy(), want.numpy(), rtol=1e-13, atol=1e-13)
