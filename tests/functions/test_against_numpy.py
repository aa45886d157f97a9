"""Functions give NumPy's values, shapes and dtypes, on every kind of shape."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import tidegate as tg

REAL = [np.float16, np.float32, np.float64, np.int32]
FLOAT = [np.float32, np.float64]
SHAPES = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3)


def numbers(dtype, shape, seed=0, low=-2.0, high=2.0):
    drawn = np.random.default_rng(seed).uniform(low, high, shape)
    return np.asarray(drawn * (3 if np.issubdtype(dtype, np.integer) else 1)).astype(dtype)


UNARY = {
    "negative": (tg.negative, np.negative, REAL),
    "positive": (tg.positive, np.positive, REAL),
    "abs": (tg.abs, np.abs, REAL),
    "sign": (tg.sign, np.sign, REAL),
    "floor": (tg.floor, np.floor, REAL),
    "square": (tg.square, np.square, REAL),
    "exp": (tg.exp, np.exp, FLOAT),
    "tanh": (tg.tanh, np.tanh, FLOAT),
    "sin": (tg.sin, np.sin, FLOAT),
    "cos": (tg.cos, np.cos, FLOAT),
}


@pytest.mark.parametrize(("ours", "theirs", "dtypes"), UNARY.values(), ids=UNARY)
@given(shape=SHAPES)
def test_a_function_of_one_argument(ours, theirs, dtypes, shape):
    for dtype in dtypes:
        x = numbers(dtype, shape)
        got = ours(x).numpy()
        assert (got.dtype, got.shape) == (x.dtype, shape)
        np.testing.assert_array_equal(got, theirs(x).astype(dtype))


BINARY = {
    "add": (tg.add, np.add, REAL),
    "subtract": (tg.subtract, np.subtract, REAL),
    "multiply": (tg.multiply, np.multiply, REAL),
    "maximum": (tg.maximum, np.maximum, REAL),
    "divide": (tg.divide, np.divide, FLOAT),
    "equal": (tg.equal, np.equal, REAL),
    "not_equal": (tg.not_equal, np.not_equal, REAL),
    "less": (tg.less, np.less, REAL),
    "less_equal": (tg.less_equal, np.less_equal, REAL),
    "greater": (tg.greater, np.greater, REAL),
    "greater_equal": (tg.greater_equal, np.greater_equal, REAL),
}


@pytest.mark.parametrize(("ours", "theirs", "dtypes"), BINARY.values(), ids=BINARY)
@given(shapes=hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=3, min_side=0))
def test_a_function_of_two_arguments_broadcasts(ours, theirs, dtypes, shapes):
    for dtype in dtypes:
        x, y = (numbers(dtype, s, seed) for seed, s in enumerate(shapes.input_shapes))
        with np.errstate(all="ignore"):
            want = theirs(x, y)
        got = ours(x, y).numpy()
        assert (got.dtype, got.shape) == (want.dtype, shapes.result_shape)
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("name", ["logical_and", "logical_or", "logical_xor"])
def test_logic(name):
    x, y = np.array([[True], [False]]), np.array([True, False])
    np.testing.assert_array_equal(getattr(tg, name)(x, y).numpy(), getattr(np, name)(x, y))
    np.testing.assert_array_equal(tg.logical_not(x).numpy(), ~x)


@given(shape=hnp.array_shapes(min_dims=0, max_dims=3, min_side=1, max_side=3), data=st.data(), keepdims=st.booleans())
def test_reductions_over_any_axes(shape, data, keepdims):
    axes = st.lists(st.integers(-len(shape), len(shape) - 1), unique_by=lambda a: a % max(len(shape), 1))
    axis = data.draw(st.none() | axes.map(tuple)) if shape else data.draw(st.sampled_from([None, ()]))
    x = numbers(np.float64, shape)
    for ours, theirs in ((tg.sum, np.sum), (tg.max, np.max), (tg.mean, np.mean)):
        got, want = ours(x, axis=axis, keepdims=keepdims).numpy(), theirs(x, axis=axis, keepdims=keepdims)
        assert got.shape == want.shape
        np.testing.assert_allclose(got, want, rtol=1e-14, atol=1e-15)


def test_reductions_of_no_elements():
    x = np.zeros((0, 3))
    np.testing.assert_array_equal(tg.sum(x, axis=0).numpy(), np.zeros(3))
    assert tg.max(x, axis=1).shape == (0,)
    assert np.isnan(tg.mean(x).numpy())


@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.int32, np.uint8])
def test_sums_of_small_integers_are_wide_enough(dtype):
    x = np.ones(300, dtype)
    got = tg.sum(x)
    assert int(got) == 300
    assert got.dtype == (np.uint64 if dtype == np.uint8 else np.int64)


@pytest.mark.parametrize("axis", [None, 0, 1, -1])
def test_argmax(axis):
    x = numbers(np.float64, (3, 4))
    got = tg.argmax(x, axis=axis)
    assert got.dtype == np.int64
    np.testing.assert_array_equal(got.numpy(), np.argmax(x, axis=axis))


def test_top_k_and_cumulative_product():
    x = np.array([[3.0, 1.0, 3.0, 2.0]])
    values, places = tg.top_k(x, 3)
    assert (values.numpy().tolist(), places.numpy().tolist()) == ([[3.0, 3.0, 2.0]], [[0, 2, 3]])
    np.testing.assert_array_equal(tg.cumulative_prod(x, axis=1).numpy(), np.cumprod(x, axis=1))


PRODUCTS = [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 4)), ((2, 3), (3, 4)), ((5, 2, 3), (3, 4)), ((2, 3), (5, 3, 4)),
            ((5, 1, 2, 3), (4, 3, 2)), ((3,), (2, 3, 4)), ((2, 3, 4), (4,)), ((2, 0), (0, 3)),
            ((0, 2), (2, 3))]  # fmt: skip


@pytest.mark.parametrize("shapes", PRODUCTS, ids=str)
@pytest.mark.parametrize("dtype", [np.float64, np.complex128, np.int64])
def test_matrix_products_of_any_rank(shapes, dtype):
    x, y = (numbers(dtype, s, seed) for seed, s in enumerate(shapes))
    np.testing.assert_allclose((tg.asarray(x) @ y).numpy(), x @ y, rtol=1e-14, atol=1e-15)


def test_layout():
    x = np.arange(24.0).reshape(2, 3, 4)
    t = tg.asarray(x)
    np.testing.assert_array_equal(tg.reshape(t, (4, -1)).numpy(), x.reshape(4, -1))
    np.testing.assert_array_equal(t.reshape(6, 4).numpy(), x.reshape(6, 4))
    np.testing.assert_array_equal(tg.permute_dims(t, (2, 0, -2)).numpy(), x.transpose(2, 0, 1))
    np.testing.assert_array_equal(tg.matrix_transpose(t).numpy(), x.transpose(0, 2, 1))
    np.testing.assert_array_equal(t.mT.numpy(), x.transpose(0, 2, 1))
    np.testing.assert_array_equal(t[0].T.numpy(), x[0].T)
    np.testing.assert_array_equal(tg.expand_dims(t, axis=-1).numpy(), x[..., None])
    np.testing.assert_array_equal(tg.squeeze(tg.expand_dims(t, axis=1), axis=1).numpy(), x)
    np.testing.assert_array_equal(
        tg.broadcast_to(t[:1, :1], (5, 2, 3, 4)).numpy(), np.broadcast_to(x[:1, :1], (5, 2, 3, 4))
    )


def test_creation():
    assert tg.zeros(3).numpy().tolist() == [0.0, 0.0, 0.0]
    assert tg.ones((2, 0), dtype="int8").type == tg.zeros((2, 0), dtype="int8").type
    assert tg.full((2,), 7).numpy().tolist() == [7, 7]
    assert tg.zeros_like(np.ones(2, np.int32)).dtype == np.int32
    assert tg.ones_like(tg.zeros(2), dtype=tg.bool).numpy().tolist() == [True, True]
    for arguments in ((5,), (2, 5), (5, 2), (1, 10, 3), (10, 1, -4), (0.0, 1.0, 0.25), (0, 0)):
        np.testing.assert_allclose(tg.arange(*arguments).numpy(), np.arange(*arguments))
    assert tg.arange(3).dtype == np.int64
    assert tg.arange(3.0).dtype == np.float32


def test_select_and_casts():
    x = np.array([1.5, -2.5, np.nan, 1e20])
    np.testing.assert_array_equal(tg.where(x > 0.0, x, 0.0).numpy(), np.where(x > 0, x, 0))
    assert tg.astype(x, "int32").numpy().tolist() == [1, -2, 0, 2**31 - 1]
    assert tg.astype(x, "bool").numpy().tolist() == [True, True, True, True]
    assert tg.astype(np.array([1 + 2j]), "float32").numpy().tolist() == [1.0]
    assert tg.astype(x[:2], tg.bfloat16).numpy().dtype == ml_dtypes.bfloat16


def test_complex_functions():
    z = np.array([1 + 2j, -3j, 0j])
    np.testing.assert_array_equal(tg.abs(z).numpy(), np.abs(z))
    np.testing.assert_array_equal(tg.real(z).numpy(), z.real)
    np.testing.assert_array_equal(tg.imag(z).numpy(), z.imag)
    np.testing.assert_array_equal(tg.conj(z).numpy(), z.conj())
    np.testing.assert_array_equal(tg.complex(z.real, z.imag).numpy(), z)
    np.testing.assert_allclose(tg.sign(z).numpy(), np.sign(z))
    assert tg.real(1.5).dtype == np.float32
    assert tg.imag(tg.ones(2)).numpy().tolist() == [0.0, 0.0]


def test_linear_algebra():
    a = np.array([[[4.0, 1.0], [1.0, 3.0]]])
    low = np.linalg.cholesky(a)
    np.testing.assert_allclose(tg.cholesky(a).numpy(), low, rtol=1e-15)
    b = np.array([[[1.0], [2.0]]])
    np.testing.assert_allclose(tg.solve_triangular(low, b).numpy(), np.linalg.solve(low, b), rtol=1e-14)
    transposed = tg.solve_triangular(low, b, conjugate_transposed=True).numpy()
    np.testing.assert_allclose(transposed, np.linalg.solve(low.transpose(0, 2, 1), b), rtol=1e-14)
