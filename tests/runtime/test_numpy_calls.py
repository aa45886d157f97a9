"""NumPy's functions of a tensor are ours, or an error that names ours; none turns it into an array on the quiet."""

import numpy as np
import pytest

import tidegate as tg
from tidegate.runtime.numpy_calls import FUNCTIONS, INSTEAD, METHODS, UFUNCS
from wrong_use import check_error

X = tg.asarray([0.25, 0.5])
N = tg.asarray([1, 2])
B = tg.asarray([True, False])
ALL = {f.__name__: f for f in (getattr(np, n) for n in dir(np)) if isinstance(f, np.ufunc)}


def operands(ufunc):
    """Operands that NumPy's function takes."""
    for x in (B,) if ufunc.__name__.startswith("logical") else (X, N, B):
        try:
            with np.errstate(all="ignore"):
                ufunc(*[x.numpy()] * ufunc.nin)
        except (TypeError, ValueError):
            continue
        return [x] * ufunc.nin
    return [X] * ufunc.nin


@pytest.mark.parametrize("ufunc", ALL.values(), ids=ALL)
def test_every_function_of_numpys_is_ours_or_an_error_that_says_what_to_use(ufunc):
    name = ufunc.__name__
    xs = operands(ufunc)
    if hasattr(tg, UFUNCS.get(name, name)):
        got = ufunc(*xs)
        with np.errstate(all="ignore"):
            want = ufunc(*[x.numpy() for x in xs])
        for g, w in zip(got, want, strict=True) if ufunc.nout > 1 else [(got, want)]:
            assert isinstance(g, tg.Tensor)
            np.testing.assert_allclose(g.numpy(), w, rtol=1e-5)
    else:
        want = INSTEAD.get(name, "a function of tidegate").split()[0]
        check_error(lambda: ufunc(*xs), TypeError, rf"numpy.{name}: got a tensor; want {want}")


METHODS_OF_UFUNCS = {
    "reduce": (lambda: np.add.reduce(X), "numpy.add.reduce: got a tensor; want tg.sum"),
    "reduce of a method without ours": (
        lambda: np.power.reduce(X),
        "numpy.power.reduce: got a tensor; want a function",
    ),
    "accumulate": (lambda: np.multiply.accumulate(X), "want tg.cumulative_prod"),
    "reduceat": (lambda: np.add.reduceat(X, [0]), "numpy.add.reduceat: got a tensor; want a function of tidegate"),
    "outer": (lambda: np.power.outer(X, X), "numpy.power.outer: got a tensor; want tg.pow of x with axes of size 1"),
    "at": (lambda: np.add.at(X, [0], 1.0), r"numpy.add.at: got a tensor; want x.at\[...\]"),
    "an array's at": (lambda: np.add.at(np.ones(2), [0], X[0]), r"numpy.add.at: got a tensor"),
    "out": (lambda: np.add(X, X, out=np.ones(2)), "numpy.add with out: got a tensor; tensors don't change"),
    "a tensor as out": (
        lambda: np.add(np.ones(2), 1.0, out=X),
        "numpy.add with out: got a tensor; tensors don't change",
    ),
    "an array's in-place sum": (lambda: np.ones(2).__iadd__(X), "numpy.add with out: got a tensor"),
    "where": (lambda: np.add(X, X, where=[True, False]), "numpy.add with where: got a tensor; tg.add has none"),
    "a dtype": (lambda: np.exp(X, dtype=np.float64), "numpy.exp with dtype: got a tensor; tg.exp has none"),
}


@pytest.mark.parametrize(("call", "message"), METHODS_OF_UFUNCS.values(), ids=METHODS_OF_UFUNCS)
def test_methods_and_options_of_numpys_functions_name_ours(call, message):
    check_error(call, TypeError, message)


def test_what_is_not_numpys_is_not_called_numpys():
    ufunc = np.frompyfunc(abs, 1, 1)
    check_error(lambda: ufunc(X), TypeError, r"^abs \(vectorized\): got a tensor; want")


REDUCTIONS = {
    "sum": lambda x: np.sum(x),
    "mean": lambda x: np.mean(x, axis=0),
    "max": lambda x: np.max(x, axis=0, keepdims=True),
    "argmax": lambda x: np.argmax(x),
    "reshape": lambda x: np.reshape(x, (2, 1)),
    "transpose": lambda x: np.transpose(x, (0,)),
    "expand_dims": lambda x: np.expand_dims(x, axis=0),
    "broadcast_to": lambda x: np.broadcast_to(x, (3, 2)),
    "ones_like": lambda x: np.ones_like(x),
    "real": lambda x: np.real(x),
    "where": lambda x: np.where(np.array([True, False]), x, x),
    "take": lambda x: np.take(x, [1], axis=0),
}


@pytest.mark.parametrize("call", REDUCTIONS.values(), ids=REDUCTIONS)
def test_numpys_other_functions_are_ours_where_the_call_means_the_same(call):
    got = call(X)
    assert isinstance(got, tg.Tensor)
    np.testing.assert_allclose(got.numpy(), call(X.numpy()))


def test_gradients_pass_numpys_functions():
    (g,) = tg.gradients(np.sum(np.square(X)), X)
    assert g.numpy().tolist() == [0.5, 1.0]


OTHERS = {
    "arguments by place": (lambda: np.sum(X, 0), r"numpy.sum: got a tensor, and .*; want tg.sum\(x, /, \*, axis=None"),
    "an argument that ours lacks": (lambda: np.mean(X, out=np.ones(())), "numpy.mean: got a tensor, and .*'out'"),
    "a function that we lack": (
        lambda: np.gradient(X),
        "numpy.gradient: got a tensor; want a function of tidegate, or",
    ),
    "one with advice": (lambda: np.trace(X), "numpy.trace: got a tensor; want tg.trace, of the last two"),
    "one of a submodule": (lambda: np.linalg.norm(X), "numpy.linalg.norm: got a tensor; want"),
}


@pytest.mark.parametrize(("call", "message"), OTHERS.values(), ids=OTHERS)
def test_numpys_other_functions_name_ours_where_the_call_does_not(call, message):
    check_error(call, TypeError, message)


def test_shapes_and_dtypes_are_told_without_computing():
    y = X + 1.0
    assert (np.shape(y), np.ndim(y), np.size(y), np.size(y, 0)) == ((2,), 1, 2, 2)
    assert np.result_type(y, np.float16) == np.float32
    assert np.isrealobj(y)
    assert y.value is None


def test_comparisons_of_values_get_them(tmp_path):
    assert np.allclose([X, X], [[0.25, 0.5]] * 2)
    assert np.array_equal(X, np.array([0.25, 0.5], np.float32))
    np.save(tmp_path / "x.npy", X)
    np.testing.assert_array_equal(np.load(tmp_path / "x.npy"), X)


def test_what_makes_arrays_by_its_name_makes_arrays():
    array = np.ones(2)
    np.copyto(array, X)
    for made in (np.atleast_1d(X), np.copy(X), array):
        assert type(made) is np.ndarray
        np.testing.assert_array_equal(made, [0.25, 0.5])


def test_every_name_of_the_tables_is_numpys():
    assert [n for n in UFUNCS if n not in ALL] == []
    assert [n for n in FUNCTIONS if not callable(getattr(np, n, None))] == []
    assert [n for n in INSTEAD if not callable(getattr(np, n, None))] == []
    assert [n for n in METHODS if n.partition(".")[0] not in ALL] == []
