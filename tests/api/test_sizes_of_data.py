"""In a traced function sizes that data decides aren't known before it runs; the reference binds them on the way."""

import numpy as np
import pytest

import tidegate as tg


def positive_mean(x):
    kept = x[x > 0.0]
    return tg.sum(kept * kept) / kept.shape[0] if isinstance(kept.shape[0], int) else tg.mean(kept * kept)


DATA = [np.float32([1.0, -2.0, 3.0, 4.0]), np.float32([-1.0, 2.0, -3.0, -4.0]), np.float32([1.0, 2.0, 3.0, 4.0])]


def test_a_mask_in_a_jitted_function_is_what_it_is_without():
    f = tg.jit(positive_mean)
    for x in DATA:
        np.testing.assert_allclose(f(x).item(), np.mean(x[x > 0] ** 2), rtol=1e-6)
    assert f.trace_count == 1


def test_its_gradient_goes_to_the_elements_that_were_kept():
    f = tg.jit(tg.value_and_grad(positive_mean))
    for x in DATA:
        _, g = f(x)
        np.testing.assert_allclose(g.numpy(), np.where(x > 0, 2 * x / np.sum(x > 0), 0.0), rtol=1e-6)
    assert f.trace_count == 1


def test_results_of_such_sizes_have_numbers_when_they_come_back():
    f = tg.jit(lambda x: (x[x > 0.0], tg.nonzero(x > 0.0)[0], tg.unique_values(x), tg.argwhere(x > 3.0)))
    for x in DATA:
        kept, places, values, rows = f(x)
        np.testing.assert_array_equal(kept.numpy(), x[x > 0])
        np.testing.assert_array_equal(places.numpy(), np.nonzero(x > 0)[0])
        np.testing.assert_array_equal(values.numpy(), np.unique(x))
        np.testing.assert_array_equal(rows.numpy(), np.argwhere(x > 3))
        assert kept.shape == (int(np.sum(x > 0)),)


def test_several_such_sizes_meet():
    @tg.jit
    def f(x, y):
        a, b = x[x > 0.0], y[y > 0.0]
        return tg.sum(a) * tg.sum(b), tg.concat([a, b]), tg.reshape(a, (-1, 1)) * b, tg.sort(a, descending=True)

    x, y = DATA[0], DATA[1]
    total, joined, table, ordered = f(x, y)
    np.testing.assert_allclose(total.item(), x[x > 0].sum() * y[y > 0].sum())
    np.testing.assert_array_equal(joined.numpy(), np.concatenate([x[x > 0], y[y > 0]]))
    np.testing.assert_array_equal(table.numpy(), x[x > 0][:, None] * y[y > 0])
    np.testing.assert_array_equal(ordered.numpy(), np.sort(x[x > 0])[::-1])


def test_a_size_that_does_not_fit_is_told_with_its_line_when_it_runs():
    @tg.jit
    def f(x, y):
        return x[x > 0.0] + y[y > 0.0]

    assert f(DATA[0], DATA[0]).shape == (3,)
    with pytest.raises(tg.ShapeError, match=r"test_sizes_of_data.py:60"):
        f(DATA[0], DATA[1])


def test_a_reduction_of_nothing_is_told_with_its_line_when_it_runs():
    f = tg.jit(lambda x: tg.max(x[x > 5.0]))
    with pytest.raises(tg.ShapeError, match=r"Max: got float32\[0\].*test_sizes_of_data.py:68"):
        f(DATA[0])
    assert f(np.float32([6.0, 7.0])).item() == 7.0


def test_each_example_of_a_batch_would_have_its_own():
    with pytest.raises(tg.ShapeError, match="give a size"):
        tg.vmap(lambda x: tg.sum(x[x > 0.0]))(np.stack(DATA))


def test_an_argument_that_waits_is_computed_since_the_type_of_the_call_is_not_known():
    x = tg.asarray(DATA[0])
    y = tg.jit(lambda v: v[v > 0.0])(x * 1.5)
    np.testing.assert_array_equal(y.numpy(), DATA[0][DATA[0] > 0] * 1.5)
    with pytest.raises(tg.HistoryCutError):
        tg.gradients(y, [x])


def test_a_jitted_function_within_another_one_keeps_its_sizes_to_itself():
    inner = tg.jit(lambda x: tg.sum(x[x > 0.0]))
    f = tg.jit(lambda x: inner(x) + inner(-x))
    assert f(DATA[0]).item() == 8.0 + 2.0
    assert tg.jit(tg.grad(inner))(DATA[0]).numpy().tolist() == [1.0, 0.0, 1.0, 1.0]


def test_what_is_made_of_such_a_size_alone_waits_for_it():
    least = tg.asarray(0.0)

    @tg.jit
    def f(x):
        kept = x[x > least]
        return tg.ones(kept.shape), tg.sum(tg.ones(kept.shape) * 2.0), tg.arange(3)

    for x in DATA:
        ones, twice, _ = f(x)
        assert ones.shape == (int(np.sum(x > 0)),)
        assert twice.item() == 2.0 * np.sum(x > 0)


USES = {
    "a product of vectors": lambda x: x[x > 0.0] @ x[x > 0.0],
    "a product with a matrix": lambda x: x[x > 0.0] @ tg.reshape(x[x > 0.0], (-1, 1)),
    "tensordot": lambda x: tg.tensordot(x[x > 0.0], x[x > 0.0], axes=1),
    "vecdot": lambda x: tg.vecdot(x[x > 0.0], x[x > 0.0]),
    "einsum": lambda x: tg.einsum("i,i->", x[x > 0.0], x[x > 0.0]),
    "a mean by hand": lambda x: tg.sum(x[x > 0.0]) / x[x > 0.0].shape[0],
    "a size times a tensor": lambda x: x[x > 0.0].shape[0] * x,
    "a size and a number": lambda x: x * (2 * x[x > 0.0].shape[0] + 1),
    "the root of a size": lambda x: tg.sqrt(x[x > 0.0].shape[0]),
    "a size as a tensor": lambda x: tg.asarray(x[x > 0.0].shape[0]),
    "argwhere of a number": lambda x: tg.argwhere(tg.sum(x)),
    "unique of nothing": lambda x: tg.unique_values(x[:0]),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_such_sizes_do_with_jit_what_they_do_without(use):
    for x in DATA:
        want, got = use(tg.asarray(x)), tg.jit(use)(x)
        assert (got.dtype, got.shape) == (want.dtype, want.shape)
        np.testing.assert_allclose(got.numpy(), want.numpy(), rtol=1e-6)


def test_a_gradient_passes_a_product_of_such_sizes():
    f = tg.jit(tg.grad(USES["a product of vectors"]))
    for x in DATA:
        np.testing.assert_array_equal(f(x).numpy(), np.where(x > 0, 2 * x, 0))


def test_a_product_of_such_sizes_that_differ_is_told_when_it_runs():
    f = tg.jit(lambda x: x[x > 0.0] @ x)
    with pytest.raises(tg.ShapeError, match=r"differ: \[3\] and \[4\].*test_sizes_of_data.py"):
        f(DATA[0])


def test_a_jitted_function_may_give_such_sizes_to_another_one():
    inner = tg.jit(lambda x, scale: (x[x > 0.0] * scale, "as it is"))

    @tg.jit
    def f(x):
        kept, word = inner(x, 0.5)
        return kept * 2.0, word

    for x in DATA:
        kept, word = f(x)
        np.testing.assert_array_equal(kept.numpy(), x[x > 0])
        assert word == "as it is"


PARTS = {
    "first": lambda v: v[0], "last": lambda v: v[-1], "all but the first": lambda v: v[1:],
    "all but the last": lambda v: v[:-1], "the last two": lambda v: v[-2:], "within": lambda v: v[1:-1],
    "a row": lambda v: v[:, None][1],
}  # fmt: skip


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_parts_of_what_has_such_a_size_are_numpys(part):
    f = tg.jit(lambda x: part(x[x > 0.0]))
    g = tg.jit(tg.grad(lambda x: tg.sum(part(x[x > 0.0]))))
    for x in (DATA[0], DATA[2]):
        np.testing.assert_array_equal(f(x).numpy(), part(x[x > 0]))
        want = np.zeros_like(x)
        want[np.nonzero(x > 0)[0][part(np.arange(np.sum(x > 0)))]] = 1.0
        np.testing.assert_array_equal(g(x).numpy(), want)


def test_a_part_that_is_not_there_is_told_when_it_runs():
    with pytest.raises(tg.IndexRangeError, match="index 0 of axis 0"):
        tg.jit(lambda x: x[x > 9.0][0])(DATA[0])
    with pytest.raises(tg.ShapeError, match="Slice: got span"):
        tg.jit(lambda x: x[x > 9.0][1:])(DATA[0])
    with pytest.raises(tg.ShapeError, match=r"want one like 1:, :-1 or -2:"):
        tg.jit(lambda x: x[x > 0.0][:2])(DATA[0])
