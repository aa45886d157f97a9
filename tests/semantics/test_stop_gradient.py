"""stop_gradient behaves as TensorFlow's documentation and TensorFlow itself have it."""

from dataclasses import dataclass

import numpy as np
import pytest

import tidegate as tg

NUMBERS = ["bool", "int8", "int64", "uint16", "float16", "bfloat16", "float32", "float64", "complex64", "complex128"]


@pytest.mark.parametrize("dtype", NUMBERS)
def test_it_is_the_identity_on_every_dtype(dtype):
    x = tg.asarray([0, 1, 2], dtype=dtype)
    y = tg.stop_gradient(x)
    assert y.type is x.type
    np.testing.assert_array_equal(y.numpy(), x.numpy())


def test_it_returns_a_new_tensor():
    x = tg.asarray(4.0)
    assert tg.stop_gradient(x) is not x


def test_where_every_path_is_masked_there_is_no_gradient_in_either_mode():
    def masked(x):
        return tg.stop_gradient(x * x)

    assert tg.grad(masked)(5.0) is None
    assert tg.jvp(masked, (5.0,), (1.0,))[1] is None


def test_zeros_appear_where_they_are_asked_for():
    x = tg.asarray([1.0, 2.0])
    (g,) = tg.gradients(tg.stop_gradient(x * x), x, unconnected="zero")
    np.testing.assert_array_equal(g.numpy(), [0.0, 0.0])


def test_a_masked_path_adds_nothing_not_even_nan():
    assert float(tg.grad(lambda x: x * 4.0 + tg.stop_gradient(tg.log(x)))(0.0)) == 4.0


def test_the_stopped_factor_is_constant_at_every_order():
    first = tg.grad(lambda x: x * x * tg.stop_gradient(x))
    assert [float(first(5.0)), float(tg.grad(first)(5.0))] == [50.0, 10.0]
    assert tg.grad(tg.grad(first))(5.0) is None


def test_the_gradient_of_a_gradient_that_is_the_stopped_tensor_is_none():
    first = tg.grad(lambda x: x * tg.stop_gradient(x))
    assert float(first(5.0)) == 5.0
    assert tg.grad(first)(5.0) is None


def test_its_output_can_itself_be_a_source():
    x = tg.asarray(3.0)
    s = tg.stop_gradient(x * 2.0)
    assert [float(g) for g in tg.gradients(s * s * x, [s, x])] == [36.0, 36.0]


def test_it_cuts_forward_mode_too():
    assert float(tg.jvp(lambda x: x * tg.stop_gradient(x), (5.0,), (2.0,))[1]) == 10.0


def test_inside_a_branch_it_masks_as_outside():
    chosen = tg.grad(lambda x: tg.cond(x > 0.0, lambda v: tg.stop_gradient(v) * v, lambda v: v**3, x))
    assert float(chosen(5.0)) == 5.0
    assert float(chosen(-2.0)) == 12.0


def test_a_branch_that_is_wholly_stopped_gives_zero_if_the_other_is_open():
    chosen = tg.grad(lambda x: tg.cond(x > 0.0, lambda v: tg.stop_gradient(v * v), lambda v: v * v, x))
    assert float(chosen(5.0)) == 0.0


def test_a_choice_of_two_stopped_branches_gives_none():
    chosen = tg.grad(lambda x: tg.cond(x > 0.0, tg.stop_gradient, lambda v: tg.stop_gradient(v * v), x))
    assert chosen(5.0) is None


@dataclass
class Settings:
    weight: object
    name: str


def test_it_stops_a_whole_container_and_keeps_its_structure():
    w = tg.asarray(2.0)
    pack = {"w": w * 1.0, "n": 3, "rest": [None, "text", True], "more": (Settings(w, "s"),), "array": np.ones(2)}
    held = tg.stop_gradient(pack)
    assert list(held) == list(pack)
    assert held["n"] == 3
    assert held["rest"] == [None, "text", True]
    assert held["more"][0].name == "s"
    assert tg.gradients(held["w"] * held["more"][0].weight, w) == [None]
    assert isinstance(held["array"], tg.Tensor)


def test_a_stopped_chain_costs_the_gradient_nothing():
    def made(length):
        x = tg.asarray(1.0)
        h = x
        for _ in range(length):
            h = tg.sin(h)
        loss = x * tg.stop_gradient(h)
        before = tg.asarray(0.0).node.number
        tg.gradients(loss, x)
        return tg.asarray(0.0).node.number - before

    assert made(300) == made(3)
