"""Nodes, the handles that users hold on their outputs, and the slots of Tensor."""

import gc
import weakref

import numpy as np
import pytest

import tidegate as tg
from tidegate.core.dtypes import float32
from tidegate.core.errors import NoValueError
from tidegate.core.graph import EMPTY_SLOTS, Slot, Tensor, TensorType, install, walk


def x3():
    return tg.asarray([1.0, 2.0, 3.0])


def test_a_handle_is_the_same_object_while_it_is_held():
    y = tg.sin(x3())
    assert y.node.tensor(0) is y


def test_the_inputs_of_a_waiting_node_are_the_handles_it_was_given():
    x = x3()
    assert tg.sin(x).node.input_tensors()[0] is x


def test_a_handle_that_was_let_go_is_made_anew_on_the_same_output():
    x = x3()
    node = tg.sin(x).node
    again = node.tensor(0)
    assert again.edge == (node, 0)
    assert node.tensor(0) is again


def test_several_outputs_have_a_handle_each():
    values, places = tg.top_k(x3(), 2)
    assert values.node is places.node
    assert values.node.outputs()[1] is places


def test_numbers_grow_along_every_edge():
    x = x3()
    grads = tg.gradients(tg.sum(tg.sin(x) * x), [x])
    assert all(below.number < node.number for node in walk(grads) for below in node.inputs)


def test_a_walk_gives_inputs_before_users_and_each_node_once():
    x = x3()
    y = tg.sin(x)
    z = y * y + x
    nodes = walk([z, y])
    assert nodes == [x.node, y.node, z.node.inputs[0], z.node]


def test_a_walk_since_a_number_visits_nothing_older():
    x = x3()
    y = tg.sin(x)
    z = tg.exp(y)
    assert walk([z], since=y.node.number) == [y.node, z.node]


def test_what_users_write_has_order_0_and_no_origin():
    y = tg.sin(x3())
    assert y.node.order == 0
    assert y.node.origin is None


def test_gradients_and_gradients_of_gradients_have_orders_1_and_2():
    x = x3()
    y = tg.exp(tg.sin(x))
    (g,) = tg.gradients(y, [x])
    (h,) = tg.gradients(g, [x])
    assert (g.node.order, h.node.order) == (1, 2)


def test_a_gradient_node_knows_what_it_is_the_derivative_of():
    x = x3()
    y = tg.sin(x)
    (g,) = tg.gradients(y, [x])
    assert g.node.origin() is y.node


def test_a_gradient_node_doesnt_keep_its_origin_alive():
    x = x3()
    y = tg.floor(x) * x
    (g,) = tg.gradients(tg.sin(y), [x])
    g.numpy()
    kept = set(walk([g]))
    made_by_gradient = [n for n in kept if n.origin is not None]
    origins = [weakref.ref(o) for n in made_by_gradient if (o := n.origin()) is not None and o not in kept]
    del y, kept
    assert all(origin() is None for origin in origins)
    assert [n for n in made_by_gradient if n.origin() is None]


def test_equal_types_are_one_object():
    assert TensorType((2, 3), float32) is TensorType([2, np.int64(3)], float32)
    assert TensorType((2, 3), float32) is not TensorType((3, 2), float32)


def test_the_size_of_a_type_is_counted_in_bytes():
    assert TensorType((2, 3), float32).nbytes == 24


def test_every_slot_is_filled_at_import():
    assert not [name for name in EMPTY_SLOTS if isinstance(Tensor.__dict__[name], Slot)]


@pytest.mark.parametrize("change", ["missing", "unknown"])
def test_install_refuses_a_table_that_lacks_a_slot_or_has_another(change):
    methods = {name: Tensor.__dict__[name] for name in EMPTY_SLOTS}
    name = "item" if change == "missing" else "no_slot"
    if change == "missing":
        del methods[name]
    else:
        methods[name] = None
    before = dict(Tensor.__dict__)
    with pytest.raises(TypeError, match=name):
        install(methods)
    assert dict(Tensor.__dict__) == before


def test_an_empty_slot_says_what_to_import():
    class Empty:
        @Slot
        def numpy(self):
            """Declared only."""

    EMPTY_SLOTS.discard("numpy")
    try:
        with pytest.raises(NoValueError, match="import tidegate"):
            Empty().numpy()
    finally:
        EMPTY_SLOTS.add("numpy")


def test_tensors_are_hashed_by_identity():
    x, y = x3(), x3()
    assert {x: "x", y: "y"}[y] == "y"


@pytest.mark.parametrize("name", ["node", "index", "type", "value"])
def test_tensors_have_no_room_for_other_attributes(name):
    assert name in Tensor.__slots__
    with pytest.raises(AttributeError):
        x3().color = "red"


def test_shape_ndim_size_and_dtype_say_what_the_type_says():
    x = tg.zeros((2, 3), dtype=tg.float64)
    assert (x.shape, x.ndim, x.size, x.dtype) == ((2, 3), 2, 6, np.float64)


def test_nodes_are_freed_without_the_cycle_collector():
    gc.collect()
    gc.disable()
    try:
        x = x3()
        y = tg.sum(tg.cond(True, lambda v: tg.sin(v) * v, lambda v: v, x))
        (g,) = tg.gradients(y, [x])
        (h,) = tg.gradients(g, [x])
        h.numpy()
        nodes = [weakref.ref(n) for n in walk([h, y])]
        assert all(n() is not None for n in nodes)
        del x, y, g, h
        assert [n() for n in nodes if n() is not None and n().inputs] == []
    finally:
        gc.enable()
