"""Sizes: exact polynomials over symbols, numbers again once they are constant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidegate.core.errors import ShapeError
from tidegate.core.shapes import bind, broadcast_shape, divide, normal_axes, symbol

N, M = symbol("n"), symbol("m")
(SYMBOL_N,), (SYMBOL_M,) = N.terms[0][0], M.terms[0][0]


def test_equal_sizes_are_one_object():
    assert (N + 1) * M is M * N + M
    assert 2 * N is N + N
    assert N * M * 6 // (2 * M) is 3 * N
    assert N // N == 1


def test_a_constant_is_a_number():
    assert N + 3 - N == 3
    assert type(N + 3 - N) is int
    assert 0 * N == 0


def test_two_symbols_of_one_name_are_two():
    assert symbol("n") is not N


def test_a_size_shows_its_terms():
    assert str((N + 1) * M) == "n*m + m"
    assert str(2 * N - 3) == "2*n + -3"


def test_a_quotient_that_may_not_divide_is_checked_when_it_is_bound():
    quotient = N * 6 // 4
    assert quotient is N * 6 // 4
    assert bind(quotient, {SYMBOL_N: 2}) == 3
    with pytest.raises(ShapeError, match="6\\*n = 6 elements don't divide by 4 = 4"):
        bind(quotient, {SYMBOL_N: 1})


def test_numbers_that_do_not_divide_are_refused_at_once():
    with pytest.raises(ShapeError, match="7 elements don't divide by 2"):
        divide(7, 2)


def test_an_unknown_size_is_no_number():
    with pytest.raises(ShapeError, match="size n isn't known until it is fed"):
        range(N)
    with pytest.raises(ShapeError, match="size n isn't known; it was never fed"):
        bind((N,), {})


numbers = st.integers(0, 5)


@given(numbers, numbers, st.lists(st.tuples(st.sampled_from("+-*"), st.sampled_from(["n", "m", 2, 3])), max_size=6))
def test_arithmetic_then_numbers_is_numbers_then_arithmetic(n, m, steps):
    size, number = N, n
    for operator, operand in steps:
        a = {"n": N, "m": M}.get(operand, operand)
        b = {"n": n, "m": m}.get(operand, operand)
        if operator == "+":
            size, number = size + a, number + b
        elif operator == "-":
            size, number = a - size, b - number
        else:
            size, number = a * size, b * number
    assert bind(size, {SYMBOL_N: n, SYMBOL_M: m}) == number


def test_how_sizes_broadcast():
    assert broadcast_shape([(N, 1), (1, M)], "f") == (N, M)
    assert broadcast_shape([(N,), (5,)], "f") == (5,)
    assert broadcast_shape([(N,), (M,)], "f") == (N,)
    assert broadcast_shape([(3, 1), (0,)], "f") == (3, 0)
    assert broadcast_shape([], "f") == ()
    with pytest.raises(ShapeError, match=r"f: shapes \[2,3\] and \[4\] don't broadcast: 3 against 4"):
        broadcast_shape([(2, 3), (4,)], "f")


def test_axes_are_counted_from_the_front_and_sorted():
    assert normal_axes((-1, 0), 3, "f") == (0, 2)
    assert normal_axes(None, 2, "f") == (0, 1)
    assert normal_axes((), 2, "f") == ()
