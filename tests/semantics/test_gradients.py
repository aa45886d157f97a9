"""tg.gradients has the semantics of TensorFlow's tf.gradients."""

import numpy as np
import pytest

import tidegate as tg


def floats(tensors):
    return [None if t is None else t.numpy().tolist() for t in tensors]


@pytest.fixture
def x():
    return tg.asarray(5.0)


def test_the_result_is_a_list_for_a_single_x_too(x):
    assert floats(tg.gradients(x * x, x)) == [10.0]


def test_several_ys_are_summed_and_one_that_no_x_reaches_counts_nothing(x):
    assert floats(tg.gradients([x * x, 7.0 * x, tg.stop_gradient(x)], x)) == [17.0]


def test_a_y_with_axes_is_summed():
    v = tg.asarray([1.0, 5.0])
    assert floats(tg.gradients(v * v, v)) == [[2.0, 10.0]]


def test_none_among_grad_ys_is_ones(x):
    assert floats(tg.gradients([x, x], x, grad_ys=[None, tg.asarray(9.0)])) == [10.0]


def test_another_number_of_grad_ys_is_an_error(x):
    with pytest.raises(ValueError, match="gradients: got 2 grad_ys for 1 ys"):
        tg.gradients(x, x, grad_ys=[None, None])


def test_gradients_are_differentiable_for_grad_ys(x):
    u = tg.asarray(1.0)
    assert floats(tg.gradients(tg.gradients(x * x, x, grad_ys=u), u)) == [10.0]


@pytest.mark.parametrize("stops", [None, "x"])
def test_y_equal_to_x_gives_ones_also_where_x_is_stopped(x, stops):
    assert floats(tg.gradients(x, x, stop_gradients=[x] if stops else None)) == [1.0]


def test_an_x_on_the_way_does_not_cut_the_way():
    x = tg.asarray(2.0)
    h = x * 3.0
    assert floats(tg.gradients(h * h, [x, h])) == [36.0, 12.0]


def test_a_stop_list_gives_partial_derivatives():
    a = tg.asarray(2.0)
    b = 4.0 * a
    assert floats(tg.gradients(a + b, [a, b], stop_gradients=[a, b])) == [1.0, 1.0]


def test_an_x_behind_the_stop_list_alone_gets_none():
    x = tg.asarray(2.0)
    h = x * x
    assert floats(tg.gradients(h * 5.0, [x, h], stop_gradients=[h])) == [None, 5.0]


def test_total_and_partial_derivatives_come_from_one_graph():
    a = tg.asarray(0.5)
    b = 2.0 * a
    c = a + b
    assert floats(tg.gradients(c, [a, b])) == [3.0, 1.0]
    assert floats(tg.gradients(c, [a, b], stop_gradients=[a, b])) == [1.0, 1.0]
    assert floats(tg.gradients(2.0 * c, a, stop_gradients=[b])) == [2.0]


def test_repeated_xs_each_get_the_whole_and_repeated_ys_count_again(x):
    assert floats(tg.gradients([x * x, x * x], [x, x])) == [20.0, 20.0]


def test_unconnected_is_none_or_zero_and_nothing_else(x):
    assert tg.gradients(tg.stop_gradient(x), x) == [None]
    assert floats(tg.gradients(tg.stop_gradient(x), x, unconnected="zero")) == [0.0]
    with pytest.raises(ValueError, match="unconnected='q'"):
        tg.gradients(x, x, unconnected="q")


@pytest.mark.parametrize("dtype", [tg.int32, tg.bool])
def test_integers_and_booleans_give_none(dtype):
    n = tg.asarray([1, 0], dtype=dtype)
    assert tg.gradients(tg.where(n == n, n, n), n) == [None]
    assert tg.gradients(tg.astype(tg.asarray([1.5, 0.5]), dtype), n) == [None]


STEPS = {
    "floor": tg.floor,
    "argmax": tg.argmax,
    "ones_like": tg.ones_like,
    "zeros_like": tg.zeros_like,
    "cast to int": lambda x: tg.astype(x, tg.int32),
    "comparison": lambda x: tg.astype(x > 0.0, tg.float32),
}


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_what_is_piecewise_constant_passes_none(step):
    x = tg.asarray([1.2, -3.4])
    assert tg.gradients(step(x), x) == [None]


def test_sign_passes_zeros():
    x = tg.asarray([1.2, -3.4])
    assert floats(tg.gradients(tg.sign(x), x)) == [[0.0, 0.0]]


def test_what_forbids_a_gradient_raises_on_an_open_path_only(x):
    y = tg.prevent_gradient(x, "it is a target")
    with pytest.raises(LookupError, match=r"PreventGradient: prevent_gradient forbids it: it is a target.*\.py:\d+"):
        tg.gradients(y * x, x)
    assert tg.gradients(tg.stop_gradient(y), x) == [None]
    assert floats(tg.gradients(y * x, y)) == [5.0]
    with pytest.raises(LookupError):
        tg.jvp(lambda v: tg.prevent_gradient(v) * v, (5.0,), (1.0,))


def test_a_complex_y_without_grad_ys_is_an_error():
    z = tg.asarray(1j)
    with pytest.raises(TypeError, match="complex y"):
        tg.gradients(z * z, z)
    (g,) = tg.gradients(z * z, z, grad_ys=tg.asarray(1 + 0j))
    assert complex(g) == -2j


def test_existing_nodes_are_untouched(x):
    y = tg.sum(tg.sin(x) * x)
    before = tg.show(y, lines=True)
    tg.gradients(tg.gradients(y, x), x)
    assert tg.show(y, lines=True) == before


def test_a_gradient_has_the_dtype_of_its_source():
    for dtype in (tg.float16, tg.bfloat16, tg.float32, tg.float64):
        x = tg.asarray([1.0], dtype=dtype)
        (g,) = tg.gradients(tg.astype(x, tg.float64) * 2.0, x)
        assert g.dtype == dtype


def test_broadcast_operands_get_gradients_of_their_own_shapes():
    x, y = tg.asarray([[1.0], [2.0]]), tg.asarray([1.0, 2.0, 3.0])
    gx, gy = tg.gradients(x * y, [x, y])
    assert (gx.shape, gy.shape) == ((2, 1), (3,))
    np.testing.assert_array_equal(gy.numpy(), [3.0, 3.0, 3.0])
