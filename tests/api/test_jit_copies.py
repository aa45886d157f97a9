"""Jitted functions are pickled and copied: by name where they have one, else to one that traces anew."""

import copy
import pickle

import pytest

import tidegate as tg


@tg.jit
def doubled(x):
    return x * 2.0


def raised(x, n):
    return x**n


class Model:
    def __init__(self):
        self.weight = tg.Variable(2.0)
        self.step = tg.jit(self.apply)

    def apply(self, x):
        return x * self.weight


COPIES = [copy.copy, copy.deepcopy, lambda f: pickle.loads(pickle.dumps(f))]


@pytest.mark.parametrize("copied", COPIES)
def test_a_decorated_function_is_itself(copied):
    doubled(1.0)
    assert copied(doubled) is doubled


@pytest.mark.parametrize("copied", COPIES)
def test_another_one_keeps_its_static_arguments(copied):
    f = tg.jit(raised, static_argnames="n")
    f(3.0, 2)
    g = copied(f)
    assert g(3.0, 2).item() == 9.0
    assert g(3.0, 3).item() == 27.0
    assert (f.trace_count, g.trace_count) == (1, 2)


@pytest.mark.parametrize("copied", COPIES[1:])
def test_a_copied_model_steps_with_its_own_variables(copied):
    model = Model()
    model.step(1.0)
    other = copied(model)
    other.weight.assign(5.0)
    assert (model.step(3.0).item(), other.step(3.0).item()) == (6.0, 15.0)
