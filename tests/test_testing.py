"""The public checks find what they are for: each kind of wrong rule, and wrong batching."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import pytest

import tidegate as tg
from tidegate.core.dtypes import INEXACT
from tidegate.core.graph import Tensor
from tidegate.core.kinds import Elementwise, Opaque
from tidegate.core.op import PRIMITIVES, Draw
from tidegate.ops.broadcast import filled
from tidegate.ops.creation import Data
from tidegate.ops.elementwise import Cos, Sin, multiply, scaled
from tidegate.testing import check_batching, check_derivatives, draw, draw_tangent

BEFORE = dict(PRIMITIVES)


@dataclass(frozen=True, eq=False)
class WrongFactor(Elementwise):
    dtypes = INEXACT
    compute = staticmethod(np.sin)

    def partials(self, out: Tensor, x: Tensor):
        return (Sin()(x),)


@dataclass(frozen=True, eq=False)
class WrongSecondInput(Elementwise):
    arity = 2
    dtypes = INEXACT
    compute = staticmethod(np.multiply)

    def partials(self, out: Tensor, x: Tensor, y: Tensor):
        return y, y


@dataclass(frozen=True, eq=False)
class WrongSecondOrder(Elementwise):
    """The partial's value is right, but it doesn't depend on x."""

    dtypes = INEXACT
    compute = staticmethod(np.sin)

    def partials(self, out: Tensor, x: Tensor):
        return (Cos()(Data(x.numpy())()),)


@dataclass(frozen=True, eq=False)
class UnconjugatedAdjoint(Elementwise):
    """Twice i times x, whose adjoint forgets to conjugate: forward mode alone can't tell."""

    dtypes = INEXACT

    def compute(self, x):
        return x * x.dtype.type(2j)

    def adjoint(self, cotangent: Tensor, x: Tensor):
        return (scaled(cotangent, 2j),)


@dataclass(frozen=True, eq=False)
class WrongVjp(Elementwise):
    """Both modes come of one wrong vjp, so they agree: only the difference can tell."""

    dtypes = INEXACT
    compute = staticmethod(np.sin)

    def vjp(self, cotangent: Tensor, out: Tensor, x: Tensor):
        return (multiply(cotangent, filled(0.5, x.type)),)


@dataclass(frozen=True, eq=False)
class WrongBatch(Opaque):
    """Sums over all axes, the batch's too."""

    def infer(self, x):
        return type(x)((), x.dtype)

    def reference(self, x):
        return np.sum(x)

    def adjoint(self, cotangent: Tensor, x: Tensor):
        return (tg.broadcast_to(cotangent, x.shape),)

    def batch(self, size, batched, x):
        return tg.broadcast_to(tg.sum(x), (size,))

    @classmethod
    def domain(cls):
        return []


# The registry is for the package's own: what other tests read must not depend on this file.
for _name in PRIMITIVES.keys() - BEFORE.keys():
    del PRIMITIVES[_name]


@pytest.mark.parametrize("op", [WrongFactor(), WrongVjp()], ids=str)
def test_a_wrong_derivative_is_found_by_the_difference(op):
    with pytest.raises(AssertionError, match=f"{op.name}.*order 1.*differs from a central difference"):
        check_derivatives(op, [0.3, 1.2])


def test_an_adjoint_that_forgets_to_conjugate_is_found_by_the_inner_product():
    with pytest.raises(AssertionError, match="<u, J v>"):
        check_derivatives(UnconjugatedAdjoint(), [0.3 + 1j, 1.2j])


def test_the_message_says_which_inputs_varied():
    with pytest.raises(AssertionError, match=re.escape("inputs [1] varying")):
        check_derivatives(WrongSecondInput(), [0.3, 1.2], [0.5, 2.0])


def test_a_wrong_second_derivative_is_found_at_order_two_only():
    check_derivatives(WrongSecondOrder(), [0.3, 1.2], order=1)
    with pytest.raises(AssertionError, match="order 2"):
        check_derivatives(WrongSecondOrder(), [0.3, 1.2])


def test_wrong_batching_is_found():
    with pytest.raises(AssertionError, match="differs from a loop"):
        check_batching(WrongBatch(), [np.arange(6.0).reshape(2, 3)], (True,))


def test_a_function_of_containers_is_checked():
    check_derivatives(lambda x, y: {"product": x * y, "rest": (tg.sin(x), [y / x])}, [0.5, 1.5], [2.0, 3.0])


def test_what_is_stopped_is_held_constant_in_the_difference():
    check_derivatives(lambda x: tg.exp(x - tg.stop_gradient(x * x)) * x, [0.5, 1.5])


def test_what_is_held_constant_without_a_stop_is_found():
    with pytest.raises(AssertionError, match="differs from a central difference"):
        check_derivatives(lambda x: x * x.numpy(), [0.5, 1.5])


def test_points_may_be_integers_which_do_not_vary():
    check_derivatives(lambda x, i: tg.take(x, i, axis=0) * 2.0, [0.5, 1.5, 2.5], np.asarray([2, 0]))


def test_complex_functions_are_checked_under_the_real_inner_product():
    check_derivatives(lambda z: tg.abs(z) ** 2 + tg.real(z * tg.conj(z) * 1j + z * z), [0.3 + 1j, -1.2 + 0.5j])


def test_a_float32_array_is_checked_in_float64():
    check_derivatives(lambda x: tg.log(x) if x.dtype == tg.float64 else 1 / 0, np.asarray([1.5], np.float32))


@pytest.mark.parametrize("like", ["symmetric", "positive_definite"])
@pytest.mark.parametrize("dtype", [tg.float64, tg.complex128], ids=str)
def test_drawn_matrices_and_their_tangents_are_hermitian(like, dtype):
    rng = np.random.default_rng(0)
    for x in (draw(Draw((2, 3, 3), like=like), rng, dtype), draw_tangent(Draw((2, 3, 3), like=like), rng, dtype)):
        np.testing.assert_array_equal(x, np.conjugate(np.swapaxes(x, -1, -2)))


def test_a_positive_definite_draw_is():
    x = draw(Draw((5, 5), like="positive_definite"), np.random.default_rng(0), tg.complex128)
    assert np.linalg.eigvalsh(x).min() > 1


@pytest.mark.parametrize("dtype", [tg.int8, tg.uint8, tg.float16, tg.bfloat16, tg.float64], ids=str)
def test_distinct_draws_are_distinct(dtype):
    x = draw(Draw((4, 5), like="distinct"), np.random.default_rng(0), dtype)
    assert len(np.unique(x.astype(np.float64))) == 20


def test_indices_are_in_range():
    x = draw(Draw((50,), high=3, like="index"), np.random.default_rng(0))
    assert set(x.tolist()) == {0, 1, 2}
