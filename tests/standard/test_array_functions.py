"""Functions of layout, products, searching and sets, and indexing, have the standard's dtypes, shapes and values."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.extra import numpy as hnp
from oracle import agree, arrays, both, outcome, strict, value

import tidegate as tg

A = np.arange(24).reshape(2, 3, 4) % 7
V = np.asarray([3, 1, 4, 1, 5])
S = np.asarray([1, 2, 2, 4])
FLAT = np.asarray([[5, 5, 1], [1, 3, 5]])

CALLS = {
    "broadcast_to": [
        lambda xp, x: xp.broadcast_to(x, (5, 2, 3, 4)),
        lambda xp, x: xp.broadcast_to(x[:1, :, :1], (2, 3, 4)),
    ],
    "broadcast_arrays": [
        lambda xp, x: tuple(xp.broadcast_arrays(x, x[0, 0, :], x[:, :1, :1])),
        lambda xp, x: tuple(xp.broadcast_arrays(x)),
    ],
    "concat": [
        lambda xp, x: xp.concat([x, x[:1, ...]]),
        lambda xp, x: xp.concat((x, x), axis=-1),
        lambda xp, x: xp.concat([x, x[0, 0, :]], axis=None),
    ],
    "diff": [
        lambda xp, x: xp.diff(x),
        lambda xp, x: xp.diff(x, axis=0),
        lambda xp, x: xp.diff(x, n=2, axis=1),
        lambda xp, x: xp.diff(x, prepend=x[..., :1], append=x),
    ],
    "expand_dims": [
        lambda xp, x: xp.expand_dims(x, axis=0),
        lambda xp, x: xp.expand_dims(x, axis=-1),
        lambda xp, x: xp.expand_dims(x, axis=2),
    ],
    "flip": [lambda xp, x: xp.flip(x), lambda xp, x: xp.flip(x, axis=1), lambda xp, x: xp.flip(x, axis=(0, -1))],
    "matmul": [
        lambda xp, x: xp.matmul(x, xp.permute_dims(x, (0, 2, 1))),
        lambda xp, x: xp.matmul(x, x[0, 0, :]),
        lambda xp, x: xp.matmul(x[0, 0, :], x[0, 0, :]),
        lambda xp, x: x[0, :, 0] @ x,
    ],
    "matrix_transpose": [lambda xp, x: xp.matrix_transpose(x), lambda xp, x: x.mT, lambda xp, x: x[0, ...].T],
    "meshgrid": [
        lambda xp, x: tuple(xp.meshgrid(x[0, 0, :], x[0, :, 0])),
        lambda xp, x: tuple(xp.meshgrid(x[0, 0, :], x[0, :, 0], indexing="ij")),
        lambda xp, x: tuple(xp.meshgrid(x[0, 0, :])),
    ],
    "moveaxis": [lambda xp, x: xp.moveaxis(x, 0, -1), lambda xp, x: xp.moveaxis(x, (0, 1), (-1, 0))],
    "nonzero": [lambda xp, x: xp.nonzero(x), lambda xp, x: xp.nonzero(x[0, 0, :])],
    "permute_dims": [lambda xp, x: xp.permute_dims(x, (2, 0, 1)), lambda xp, x: xp.permute_dims(x, (0, 1, 2))],
    "repeat": [
        lambda xp, x: xp.repeat(x, 2),
        lambda xp, x: xp.repeat(x, 3, axis=1),
        lambda xp, x: xp.repeat(x, 0, axis=0),
        lambda xp, x: xp.repeat(x, xp.asarray([1, 0, 2]), axis=1),
    ],
    "reshape": [
        lambda xp, x: xp.reshape(x, (4, 6)),
        lambda xp, x: xp.reshape(x, (-1,)),
        lambda xp, x: xp.reshape(x, (2, -1)),
    ],
    "roll": [
        lambda xp, x: xp.roll(x, 5),
        lambda xp, x: xp.roll(x, -1, axis=1),
        lambda xp, x: xp.roll(x, (1, 2), axis=(0, 2)),
        lambda xp, x: xp.roll(x, 1, axis=(0, 1)),
    ],
    "squeeze": [
        lambda xp, x: xp.squeeze(x[:, :1, :], axis=1),
        lambda xp, x: xp.squeeze(x[:1, :, :1], axis=(0, -1)),
        lambda xp, x: xp.squeeze(x[:1, ...], 0),
    ],
    "stack": [
        lambda xp, x: xp.stack([x, x]),
        lambda xp, x: xp.stack((x, x, x), axis=-1),
        lambda xp, x: xp.stack([x], axis=1),
    ],
    "take": [
        lambda xp, x: xp.take(x, xp.asarray([1, 0, 1]), axis=1),
        lambda xp, x: xp.take(x[0, 0, :], xp.asarray([2, 2])),
        lambda xp, x: xp.take(x, xp.asarray([-1]), axis=-1),
    ],
    "take_along_axis": [
        lambda xp, x: xp.take_along_axis(x, xp.asarray([[[3, 0]] * 3] * 2)),
        lambda xp, x: xp.take_along_axis(x, xp.asarray([[[1, 0, 1, 1]]] * 2), axis=1),
    ],
    "tensordot": [
        lambda xp, x: xp.tensordot(x, x, axes=3),
        lambda xp, x: xp.tensordot(x, x, axes=0),
        lambda xp, x: xp.tensordot(x, x, axes=((0, 2), (0, 2))),
        lambda xp, x: xp.tensordot(x, xp.permute_dims(x, (1, 2, 0))),
    ],
    "tile": [
        lambda xp, x: xp.tile(x, (2, 1, 3)),
        lambda xp, x: xp.tile(x, (2,)),
        lambda xp, x: xp.tile(x, (2, 1, 1, 1)),
    ],
    "tril": [lambda xp, x: xp.tril(x), lambda xp, x: xp.tril(x, k=1), lambda xp, x: xp.tril(x, k=-1)],
    "triu": [lambda xp, x: xp.triu(x), lambda xp, x: xp.triu(x, k=1), lambda xp, x: xp.triu(x, k=-5)],
    "unstack": [lambda xp, x: xp.unstack(x), lambda xp, x: xp.unstack(x, axis=-1)],
    "vecdot": [
        lambda xp, x: xp.vecdot(x, x),
        lambda xp, x: xp.vecdot(x, x, axis=-2),
        lambda xp, x: xp.vecdot(x, x[:1, :1, :]),
    ],
    "where": [lambda xp, x: xp.where(x[:, :1, :] == x, x, x[0, 0, :])],
    "zeros_like": [lambda xp, x: xp.zeros_like(x)],
    "ones_like": [lambda xp, x: xp.ones_like(x)],
    "full_like": [lambda xp, x: xp.full_like(x, True), lambda xp, x: xp.full_like(x, 3, dtype=xp.int8)],
    "asarray": [lambda xp, x: xp.asarray(x), lambda xp, x: xp.asarray(x, copy=True)],
    "x[...]": [
        lambda xp, x: x[0, 1, 2],
        lambda xp, x: x[1, ...],
        lambda xp, x: x[..., -1],
        lambda xp, x: x[:, 1:, ::2],
        lambda xp, x: x[::-1, :, ::-2],
        lambda xp, x: x[None, ..., None],
        lambda xp, x: x[:, None, 0, :],
        lambda xp, x: x[1:, :, -2:],
        lambda xp, x: x[:, 2:0:-1, :],
        lambda xp, x: x[x == x],
        lambda xp, x: x[xp.asarray([True, False])],
        lambda xp, x: x[xp.asarray([[True, False, True]] * 2)],
        lambda xp, x: x[xp.asarray([1, 0, 0]), 1, xp.asarray([-1, 2, 0])],
        lambda xp, x: x[xp.asarray([0, 1]), xp.asarray([2, 0]), 1],
        lambda xp, x: x[xp.asarray([[0], [1]]), xp.asarray([0, 2]), xp.asarray(3)],
        lambda xp, x: x[0, 0, 0][()],
        lambda xp, x: x[0, 0, 0][...],
    ],
}
CASES = [(name, i) for name, calls in CALLS.items() if name == "x[...]" or hasattr(tg, name) for i in range(len(calls))]
REFUSED = {"matmul", "tensordot", "vecdot", "diff"}
"""They take no booleans."""


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float32", "complex128"])
@pytest.mark.parametrize(("name", "place"), CASES)
def test_a_function_of_arrays_has_the_standards_values(name, place, dtype):
    call = CALLS[name][place]
    x, y = both(A.astype(dtype))
    if dtype == "bool" and name in REFUSED:
        assert outcome(lambda: call(tg, x)) == "TypeError"
        return
    agree(call(tg, x), call(strict, y))


OF_EMPTY = {
    "concat": lambda xp, x: xp.concat([x, x], axis=1),
    "expand_dims": lambda xp, x: xp.expand_dims(x, axis=1),
    "flip": lambda xp, x: xp.flip(x),
    "permute_dims": lambda xp, x: xp.permute_dims(x, (1, 0)),
    "reshape": lambda xp, x: xp.reshape(x, (3, 0, 5)),
    "roll": lambda xp, x: xp.roll(x, 2, axis=0),
    "stack": lambda xp, x: xp.stack([x, x]),
    "tile": lambda xp, x: xp.tile(x, (2, 2)),
    "repeat": lambda xp, x: xp.repeat(x, 2),
    "unique_values": lambda xp, x: xp.unique_values(x),
    "sort": lambda xp, x: xp.sort(x),
    "nonzero": lambda xp, x: xp.nonzero(x),
    "cumulative_sum": lambda xp, x: xp.cumulative_sum(x, axis=0, include_initial=True),
    "matmul": lambda xp, x: xp.matmul(x, xp.permute_dims(x, (1, 0))),
    "tensordot": lambda xp, x: xp.tensordot(x, x, axes=((0, 1), (0, 1))),
}


@pytest.mark.parametrize("name", [n for n in OF_EMPTY if hasattr(tg, n)])
def test_a_function_of_no_elements_has_the_standards_values(name):
    x, y = both(np.zeros((0, 2), np.float32))
    agree(OF_EMPTY[name](tg, x), OF_EMPTY[name](strict, y))


@pytest.mark.parametrize("dtype", ["int8", "float64"])
@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("sorter", [False, True])
def test_places_in_a_sorted_array_are_the_standards(dtype, side, sorter):
    (x, x_strict), (v, v_strict) = both(S.astype(dtype)), both(A.astype(dtype))
    order = np.asarray([3, 1, 2, 0]) if sorter else None
    if sorter:
        (x, x_strict) = both(S[[3, 1, 2, 0]].astype(dtype))
    ours = tg.searchsorted(x, v, side=side, sorter=None if order is None else tg.asarray(order))
    theirs = strict.searchsorted(x_strict, v_strict, side=side, sorter=None if order is None else strict.asarray(order))
    agree(ours, theirs)


@pytest.mark.parametrize("dtype", ["int8", "float32"])
def test_the_place_of_a_python_number_is_the_standards(dtype):
    x, y = both(S.astype(dtype))
    agree(tg.searchsorted(x, 2), strict.searchsorted(y, 2))


UNIQUE = ["unique_all", "unique_counts", "unique_inverse"]
FIELDS = {
    "unique_all": ("values", "indices", "inverse_indices", "counts"),
    "unique_counts": ("values", "counts"),
    "unique_inverse": ("values", "inverse_indices"),
}


@pytest.mark.parametrize("dtype", ["bool", "int8", "float32"])
@pytest.mark.parametrize("name", UNIQUE)
def test_sets_have_the_standards_fields_and_values(name, dtype):
    x, y = both(FLAT.astype(dtype))
    got, want = getattr(tg, name)(x), getattr(strict, name)(y)
    assert type(got)._fields == FIELDS[name]
    for g, w in zip(got, want, strict=True):
        agree(g, w)


@given(array=arrays("float64", hnp.array_shapes(max_dims=2, max_side=4), special=True))
@settings(max_examples=40)
def test_sets_tell_every_nan_from_every_other_and_zeros_from_none(array):
    x, y = both(array)
    agree(tg.unique_values(x), strict.unique_values(y))
    agree(tg.unique_counts(x).counts, strict.unique_counts(y).counts)


def test_shapes_broadcast_as_the_standard_says():
    assert tg.broadcast_shapes((5, 1), (3,), (1, 1, 1)) == strict.broadcast_shapes((5, 1), (3,), (1, 1, 1)) == (1, 5, 3)
    assert tg.broadcast_shapes() == ()
    with pytest.raises(ValueError, match="broadcast_shapes"):
        tg.broadcast_shapes((2,), (3,))


def test_a_copy_that_must_not_be_is_refused():
    with pytest.raises(ValueError, match="copy"):
        tg.asarray(np.ones(2), copy=False)
    x = tg.ones(2)
    assert tg.asarray(x, copy=False) is x


@pytest.mark.parametrize("key", [2, -3, (0, 3), (0, 0, 0, 0)])
def test_an_index_that_is_not_there_is_an_index_error(key):
    with pytest.raises(IndexError):
        tg.asarray(A)[key]


@pytest.mark.parametrize("key", [0, (slice(None), 1), ...])
def test_a_value_may_not_be_set_as_tensors_do_not_change(key):
    x = tg.asarray(A)
    with pytest.raises(TypeError, match="tensors don't change"):
        x[key] = 0
    np.testing.assert_array_equal(value(x), A)
