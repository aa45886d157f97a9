"""Segments: rows reduced by the integer that says where each belongs."""

import numpy as np
import pytest

import tidegate as tg
from tidegate.testing import check_batching, check_derivatives
from wrong_use import check_error

X = np.random.default_rng(0).normal(size=(6, 2))
IDS = np.array([2, 0, 2, -1, 7, 2])
EMPTY = {"sum": 0.0, "mean": 0.0, "prod": 1.0, "max": -np.inf, "min": np.inf}
OURS = {name: getattr(tg, f"segment_{name}") for name in EMPTY}


def by_loop(name, x, ids, count):
    rows = [x[ids == k] for k in range(count)]
    return np.stack([getattr(np, name)(r, axis=0) if len(r) else np.full(x.shape[1:], EMPTY[name]) for r in rows])


@pytest.mark.parametrize("name", EMPTY)
def test_rows_are_reduced_by_segment_and_those_out_of_range_belong_to_none(name):
    got = OURS[name](X, IDS, num_segments=4).numpy()
    np.testing.assert_allclose(got, by_loop(name, X, IDS, 4), rtol=1e-14)


@pytest.mark.parametrize("name", EMPTY)
def test_the_number_of_segments_is_that_of_the_largest_integer(name):
    assert OURS[name](X, IDS).shape == (8, 2)
    assert OURS[name](X, tg.asarray(IDS) + 1).shape == (9, 2)
    assert OURS[name](X[:0], IDS[:0]).numpy().shape == (0, 2)


@pytest.mark.parametrize("name", EMPTY)
def test_the_derivatives_are_right(name):
    check_derivatives(lambda x: tg.sin(OURS[name](x, [1, 0, 1, -1, 9, 1], num_segments=2)), X)


def test_the_derivative_of_a_product_of_zeros_is_right():
    check_derivatives(lambda x: tg.segment_prod(x, [0, 0, 0, 1, 1]), np.array([0.0, 2.0, 0.0, 0.0, 3.0]))


@pytest.mark.parametrize("name", ["max", "min"])
def test_ties_share_the_gradient_equally(name):
    x = tg.asarray([4.0, 4.0, 1.0 if name == "max" else 5.0])
    (g,) = tg.gradients(OURS[name](x, [0, 0, 0]), x)
    assert g.numpy().tolist() == [0.5, 0.5, 0.0]


def test_a_row_that_belongs_to_no_segment_gets_an_exact_zero():
    x = tg.asarray([1.0, 2.0])
    (g,) = tg.gradients(tg.segment_sum(x, [0, -1], num_segments=1), x, tg.asarray([np.inf]))
    assert g.numpy().tolist() == [np.inf, 0.0]


@pytest.mark.parametrize("name", EMPTY)
def test_ids_of_several_axes(name):
    x, ids = np.random.default_rng(1).normal(size=(2, 3, 2)), np.array([[0, 1, 1], [1, 0, 2]])
    want = by_loop(name, x.reshape(6, 2), ids.reshape(6), 3)
    np.testing.assert_allclose(OURS[name](x, ids).numpy(), want, rtol=1e-14)


@pytest.mark.parametrize("name", EMPTY)
def test_segments_are_mapped_over(name):
    x, ids = np.random.default_rng(1).normal(size=(3, 4)), np.random.default_rng(2).integers(-1, 4, (3, 4))
    for batched in ((True, True), (True, False), (False, True)):
        inputs = [a if b else a[0] for a, b in zip((x, ids), batched, strict=True)]
        check_batching(lambda x, i: OURS[name](x, i, num_segments=3), inputs, batched)


def test_the_extremes_of_no_integers_are_the_limits():
    assert tg.segment_max(np.array([3], np.int8), [1]).numpy().tolist() == [-128, 3]
    assert tg.segment_min(np.array([3], np.uint8), [1]).numpy().tolist() == [255, 3]


def test_the_mean_of_many_halves_neither_overflows_nor_loses_count():
    x = np.full(5000, 100.0, np.float16)
    got = tg.segment_mean(x, np.zeros(5000, int))
    assert (got.dtype, got.numpy().tolist()) == (np.float16, [100.0])


WRONG = {
    "ids that are too many": (lambda: tg.segment_sum(X, [0, 1]), ValueError, "want one for each row"),
    "ids without axes": (lambda: tg.segment_sum(X, 0), ValueError, "want one for each row"),
    "ids of floats": (lambda: tg.segment_sum(X, X[:, 0]), TypeError, "segment_sum: got indices float64"),
    "a negative number": (lambda: tg.segment_sum(X, IDS, num_segments=-1), ValueError, "num_segments -1"),
    "ids while traced": (
        lambda: tg.vmap(lambda i: tg.segment_sum(X, i))(IDS[None]), TypeError, "segment_sum: .*give num_segments",
    ),
    "the mean of integers": (lambda: tg.segment_mean([1], [0]), TypeError, "segment_mean: got int64"),
    "the largest complex number": (lambda: tg.segment_max([1j], [0]), TypeError, "ScatterMax: got complex64"),
}  # fmt: skip


@pytest.mark.parametrize(("call", "kind", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_use_says_what_was_got_and_wanted_and_where(call, kind, message):
    check_error(call, kind, message)
