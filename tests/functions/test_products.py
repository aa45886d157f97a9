"""Products summed along axes, and diagonals, are NumPy's."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tidegate as tg
from tidegate.core.graph import walk
from tidegate.testing import check_batching, check_derivatives
from wrong_use import check_error


def numbers(shape, seed=0, dtype=np.float64):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=shape) * 3
    return (x + 1j * rng.normal(size=shape) if np.issubdtype(dtype, np.complexfloating) else x).astype(dtype)


DOTS = {
    "tensordot of two axes": (tg.tensordot, np.tensordot, [(2, 3, 4), (3, 4, 5)], {}),
    "tensordot of no axes": (tg.tensordot, np.tensordot, [(2, 3), (4,)], {"axes": 0}),
    "tensordot of pairs": (tg.tensordot, np.tensordot, [(2, 3, 4), (4, 5, 2)], {"axes": ((0, 2), (2, 0))}),
    "tensordot of one pair": (tg.tensordot, np.tensordot, [(2, 3), (5, 2)], {"axes": (0, -1)}),
    "tensordot of no elements": (tg.tensordot, np.tensordot, [(2, 0), (0, 3)], {"axes": 1}),
    "vecdot": (tg.vecdot, np.vecdot, [(5, 1, 3), (4, 3)], {}),
    "vecdot along another axis": (tg.vecdot, np.vecdot, [(3, 2), (3, 2)], {"axis": -2}),
    "outer": (tg.outer, np.outer, [(3,), (4,)], {}),
    "inner": (tg.inner, np.inner, [(2, 3), (4, 3)], {}),
    "inner of a number": (tg.inner, np.inner, [(), (4, 3)], {}),
    "dot of vectors": (tg.dot, np.dot, [(3,), (3,)], {}),
    "dot of matrices": (tg.dot, np.dot, [(2, 3), (3, 4)], {}),
    "dot of stacks": (tg.dot, np.dot, [(2, 3), (5, 3, 4)], {}),
    "dot of a stack and a vector": (tg.dot, np.dot, [(5, 2, 3), (3,)], {}),
    "dot of a number": (tg.dot, np.dot, [(2, 3), ()], {}),
    "kron": (tg.kron, np.kron, [(2, 3), (3, 2)], {}),
    "kron of other ranks": (tg.kron, np.kron, [(2,), (3, 2, 2)], {}),
    "kron of numbers": (tg.kron, np.kron, [(), ()], {}),
}


@pytest.mark.parametrize("dtype", [np.float64, np.complex128, np.int32], ids=lambda d: d.__name__)
@pytest.mark.parametrize(("ours", "theirs", "shapes", "options"), DOTS.values(), ids=DOTS)
def test_a_product_is_numpys(ours, theirs, shapes, options, dtype):
    x, y = (numbers(s, i, dtype) for i, s in enumerate(shapes))
    got = ours(x, y, **options).numpy()
    want = np.asarray(theirs(x, y, **options))
    assert (got.dtype, got.shape) == (want.dtype, want.shape)
    np.testing.assert_allclose(got, want, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("dtype", [np.float64, np.complex128], ids=lambda d: d.__name__)
@pytest.mark.parametrize(("ours", "theirs", "shapes", "options"), DOTS.values(), ids=DOTS)
def test_the_derivatives_of_a_product_are_right(ours, theirs, shapes, options, dtype):
    check_derivatives(lambda x, y: ours(x, y, **options), *[numbers(s, i, dtype) for i, s in enumerate(shapes)])


SPECS = ["i->", "ij->ji", "ij->j", "ii", "ii->i", "iij->ji", "iii->i", "i,i", "i,j->ij", "ij,jk", "ij,jk->ki",
         "ij,ij->", "bij,bjk->bik", "ijk,jil->kl", "ij,kj->ik", "i,i->i", "ij,j,jk->ik", "ij,jk,kl,lm->im",
         "a,b,c->cab", "ab,bc,ca->", "i,i,i->i", "ij,kl->", "ba", "abc,cd,def->abef",
         "ii,ij,j->", "aab,bcc->ac"]  # fmt: skip
SIZES = dict(zip("abcdefijklm", [2, 3, 2, 3, 1, 2, 2, 3, 4, 2, 3], strict=True))


def operands(spec, dtype=np.float64, sizes=SIZES):
    groups = spec.split("->")[0].split(",")
    return [numbers([sizes[c] for c in g], k, dtype) for k, g in enumerate(groups)]


@pytest.mark.parametrize("dtype", [np.float64, np.complex128, np.int8], ids=lambda d: d.__name__)
@pytest.mark.parametrize("spec", SPECS)
def test_einsum_is_numpys(spec, dtype):
    xs = operands(spec, dtype)
    got, want = tg.einsum(spec, *xs).numpy(), np.asarray(np.einsum(spec, *xs))
    assert (got.dtype, got.shape) == (want.dtype, want.shape)
    np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("spec", SPECS)
def test_the_derivatives_of_einsum_are_right(spec):
    check_derivatives(lambda *xs: tg.einsum(spec, *xs), *operands(spec), order=1)


@given(st.data())
@settings(max_examples=150)
def test_einsum_of_any_subscripts_is_numpys(data):
    sizes = {c: data.draw(st.integers(0, 3)) for c in "abcd"}
    group = st.text("abcd", max_size=3)
    groups = data.draw(st.lists(group, min_size=1, max_size=4))
    used = sorted(set("".join(groups)))
    out = data.draw(st.none() | st.permutations(used).flatmap(lambda p: st.integers(0, len(p)).map(lambda n: p[:n])))
    spec = ",".join(groups) + ("" if out is None else "->" + "".join(out))
    xs = [numbers([sizes[c] for c in g], k) for k, g in enumerate(groups)]
    np.testing.assert_allclose(tg.einsum(spec, *xs).numpy(), np.einsum(spec, *xs), rtol=1e-11, atol=1e-11)


ELLIPSES = {
    "...": [(2, 3)],
    "...->...": [(2, 3)],
    "i...->...i": [(2, 3, 4)],
    "...i,...i": [(2, 3), (2, 3)],
    "...ij,...jk": [(5, 2, 3), (3, 4)],
    "...ij,...jk->...ik": [(5, 1, 2, 3), (4, 3, 2)],
    "i...j,j->...": [(2, 3, 4), (4,)],
    "...,...": [(3, 1), (4,)],
    "i...,i->...": [(2,), (2,)],
    " i j , j -> i ": [(2, 3), (3,)],
}


@pytest.mark.parametrize(("spec", "shapes"), ELLIPSES.items(), ids=ELLIPSES)
def test_einsum_with_axes_without_names_is_numpys(spec, shapes):
    xs = [numbers(s, k) for k, s in enumerate(shapes)]
    np.testing.assert_allclose(tg.einsum(spec, *xs).numpy(), np.einsum(spec, *xs), rtol=1e-13)


@pytest.mark.parametrize("spec", ["ij,jk->ik", "i,i->i", "i,i", "ij,ij,i->j"])
def test_size_one_gives_way_in_einsum_as_it_does_in_numpys(spec):
    for k in range(len(spec.split("->")[0].split(","))):
        xs = operands(spec)
        xs[k] = xs[k][(slice(0, 1),) * xs[k].ndim]
        np.testing.assert_allclose(tg.einsum(spec, *xs).numpy(), np.einsum(spec, *xs), rtol=1e-13)


def test_einsum_promotes_and_maps():
    assert tg.einsum("i,i->i", np.ones(2, np.float32), np.ones(2)).dtype == np.float64
    assert tg.einsum("ij->ji", np.ones((2, 3), bool)).numpy().shape == (3, 2)
    xs = [numbers((3, 2, 2)), numbers((3, 2))]
    check_batching(lambda x, y: tg.einsum("ij,j->i", x, y), xs, (True, True))


def test_einsum_multiplies_in_the_cheap_order():
    x, y, z = np.ones((2, 500)), np.ones((500, 500)), np.ones((500, 1))
    with_order = tg.einsum("ij,jk,kl->il", x, y, z)
    sizes = [n.types[0].shape for n in walk([with_order]) if n.op.name == "DotGeneral"]
    assert max(np.prod(s) for s in sizes) <= 1000


@pytest.mark.parametrize("offset", [-4, -3, -1, 0, 1, 2, 5])
@pytest.mark.parametrize("shape", [(3, 3), (2, 4), (4, 2), (2, 3, 4), (0, 2), (3, 0)], ids=str)
def test_diagonals_and_traces_are_numpys(shape, offset):
    x = numbers(shape)
    want = np.linalg.diagonal(x, offset=offset)
    np.testing.assert_array_equal(tg.diagonal(x, offset=offset).numpy(), want)
    np.testing.assert_allclose(tg.trace(x, offset=offset).numpy(), want.sum(-1))


@pytest.mark.parametrize("k", [-2, 0, 1])
@pytest.mark.parametrize("shape", [(3,), (1,), (0,), (2, 3)], ids=str)
def test_diag_is_numpys(shape, k):
    x = numbers(shape)
    np.testing.assert_array_equal(tg.diag(x, k).numpy(), np.diag(x, k))


def test_the_derivatives_of_diagonals_are_right():
    check_derivatives(lambda x: tg.trace(x) ** 2.0, numbers((2, 3, 3)))
    check_derivatives(lambda x: tg.diag(x, 1) ** 2.0 + tg.diag(tg.diag(x, 1), -1)[0], numbers((3,)))


def test_a_trace_of_small_integers_is_wide_or_of_the_dtype_asked_for():
    x = np.full((2, 2), 100, np.int8)
    assert (tg.trace(x).item(), tg.trace(x).dtype) == (200, np.int64)
    assert tg.trace(x, dtype=tg.float32).dtype == np.float32


A, B = np.ones((2, 3)), np.ones((3, 4))
WRONG = {
    "tensordot of other sizes": (lambda: tg.tensordot(A, A, axes=1), ValueError, "tensordot: .*want equal sizes"),
    "tensordot of too many axes": (lambda: tg.tensordot(A, B, axes=3), IndexError, "got 3 axes"),
    "tensordot of three lists": (lambda: tg.tensordot(A, B, axes=(0, 1, 2)), ValueError, "want a number, or"),
    "tensordot of unequal lists": (lambda: tg.tensordot(A, B, axes=((0, 1), (0,))), ValueError, "want pairs"),
    "tensordot of an axis twice": (lambda: tg.tensordot(A, A, axes=((0, 0), (0, 0))), IndexError, "each once"),
    "tensordot of a fraction": (lambda: tg.tensordot(A, B, axes=1.0), TypeError, "want an integer"),
    "vecdot of other sizes": (lambda: tg.vecdot(A, B), ValueError, "vecdot: .*equal sizes"),
    "vecdot of a number": (lambda: tg.vecdot(1.0, A), IndexError, "vecdot: got axis -1"),
    "outer of matrices": (lambda: tg.outer(A, B), ValueError, "outer: .*one axis each"),
    "inner of other sizes": (lambda: tg.inner(A, B), ValueError, "inner: .*equal last sizes"),
    "dot of other sizes": (lambda: tg.dot(A, np.ones((2, 2, 2))), ValueError, "dot: "),
    "einsum of arrays first": (lambda: tg.einsum(A, "ij"), TypeError, "want the subscripts as a string first"),
    "einsum of nothing": (lambda: tg.einsum("ij"), ValueError, "no operands"),
    "einsum of other sizes": (lambda: tg.einsum("ij,ij", A, B), ValueError, "axis 'i' has sizes 2 and 3"),
    "einsum of a diagonal of other sizes": (lambda: tg.einsum("ii", A), ValueError, "'i' has sizes 2 and 3"),
    "einsum of a diagonal of size one": (lambda: tg.einsum("ii", A[:1]), ValueError, "1 and 3 in one operand"),
    "einsum of too few names": (lambda: tg.einsum("i", A), ValueError, "'i' names 1 axes of an operand that has 2"),
    "einsum of too many names": (lambda: tg.einsum("ijk...", A), ValueError, "names 3 axes"),
    "einsum of too few groups": (lambda: tg.einsum("ij", A, B), ValueError, "1 groups for 2 operands"),
    "einsum of digits": (lambda: tg.einsum("i1", A), ValueError, "'i1' holds what isn't a letter"),
    "einsum of two arrows": (lambda: tg.einsum("ij->i->j", A), ValueError, "holds what isn't a letter"),
    "einsum of an unknown output": (lambda: tg.einsum("ij->k", A), ValueError, "'k', which no operand has"),
    "einsum of an output twice": (lambda: tg.einsum("ij->ii", A), ValueError, "comes twice in the output"),
    "einsum that drops axes without names": (lambda: tg.einsum("i...->i", A), ValueError, "the output lacks '...'"),
    "a diagonal of a vector": (lambda: tg.diagonal(A[0]), ValueError, "diagonal: got float64"),
    "a diag of a stack": (lambda: tg.diag(np.ones((1, 1, 1))), ValueError, "diag: got float64"),
}


@pytest.mark.parametrize(("call", "kind", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_use_says_what_was_got_and_wanted_and_where(call, kind, message):
    check_error(call, kind, message)
