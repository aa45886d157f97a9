"""Indexing, products and networks' functions of axes whose sizes aren't known yet."""

import numpy as np
import pytest

import tidegate as tg
from tidegate.core.body import Body
from tidegate.core.graph import TensorType
from tidegate.core.shapes import symbol
from tidegate.ops.creation import Data, Input
from tidegate.ops.regions import Call
from tidegate.transforms.specialise import sizes_of, specialise

X = np.arange(24.0).reshape(2, 3, 4) - 7.5

CASES = {
    "an array": (lambda x: x[:, [2, 0, 0]], lambda x: x[:, [2, 0, 0]]),
    "an array of the unknown axis": (lambda x: x[[1, -1]], lambda x: x[[1, -1]]),
    "two arrays": (lambda x: x[[1, -1], :, [0, 3]], lambda x: x[[1, -1], :, [0, 3]]),
    "arrays with a new axis": (lambda x: x[:, [[0], [1]], None, [1, 2]], lambda x: x[:, [[0], [1]], None, [1, 2]]),
    "take that fills": (
        lambda x: tg.take(x, [0, 5], axis=0, mode="fill", fill_value=0.0),
        lambda x: np.concatenate([x[:1], 0 * x[:1]]),
    ),
    "at an array": (lambda x: x.at[:, [0, 2]].set(0.0), lambda x: x * np.array([[0.0], [1.0], [0.0]])),
    "at the unknown axis": (lambda x: x.at[[0, 0]].add(1.0), lambda x: x + np.array([2.0, 0.0])[:, None, None]),
    "at a product": (lambda x: x.at[[1, 1]].multiply(3.0), lambda x: x * np.array([1.0, 9.0])[:, None, None]),
    "einsum": (lambda x: tg.einsum("bij,bkj->ik", x, x), lambda x: np.einsum("bij,bkj->ik", x, x)),
    "tensordot": (lambda x: tg.tensordot(x, x, axes=((0, 2), (0, 2))), lambda x: np.einsum("bij,bkj->ik", x, x)),
    "one_hot": (lambda x: tg.one_hot(tg.astype(x, "int64"), 3), lambda x: x.astype(int)[..., None] == np.arange(3)),
    "vector_norm": (lambda x: tg.vector_norm(x, axis=0), lambda x: np.linalg.norm(x, axis=0)),
    "layer_norm": (
        lambda x: tg.layer_norm(x, epsilon=0.0),
        lambda x: (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True),
    ),
    "cross_entropy": (
        lambda x: tg.cross_entropy(x, tg.astype(x, "int64")[:, :, 0] * 0, reduction="sum"),
        lambda x: (np.log(np.exp(x).sum(-1)) - x[..., 0]).sum(),
    ),
    "standardize over the unknown axis": (
        lambda x: tg.standardize(x, axis=0), lambda x: (x - x.mean(0)) / x.std(0)
    ),
}  # fmt: skip


def specialised(function, value):
    """The value of `function` of a tensor whose first size is bound after the graph is built."""
    x = Input(TensorType((symbol("n"), *value.shape[1:]), value.dtype))()
    y = function(x)
    (y,), (bound,) = specialise([y], [x], sizes_of({x: value.shape}))
    (y,) = rebuilt([y], bound, value)
    return y.numpy()


def rebuilt(outputs, old, value):
    """The outputs with data in the place of an input."""
    return Call(Body([old], outputs))(Data(value)())


@pytest.mark.parametrize(("ours", "theirs"), CASES.values(), ids=CASES)
def test_a_size_that_is_bound_later_changes_nothing(ours, theirs):
    np.testing.assert_allclose(specialised(ours, X), theirs(X), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("name", ["an array", "two arrays", "at an array", "at a product", "einsum", "vector_norm"])
def test_gradients_of_unknown_sizes_are_those_of_known_ones(name):
    function = CASES[name][0]

    def gradient(x):
        return tg.gradients(tg.sum(tg.sin(function(x))), x)[0]

    np.testing.assert_allclose(specialised(gradient, X), gradient(tg.asarray(X)).numpy(), rtol=1e-12, atol=1e-13)
