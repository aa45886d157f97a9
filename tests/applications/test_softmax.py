"""The stable softmax: x - stop(max x), its value, its gradient, and what the stop leaves out of the graph."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import tidegate as tg
from tidegate.core.graph import walk

BAR = 1e-12
FAR = np.array([1000.0, 1001.0, 1002.0])
TIED = np.array([2.0, 2.0, 1.0])


def unstopped(x):
    return x


def stable_softmax(x, stop):
    e = tg.exp(x - stop(tg.max(x)))
    return e / tg.sum(e)


def gradient_of_loss(at, stop=tg.stop_gradient):
    return tg.grad(lambda x: -tg.log(stable_softmax(x, stop)[0]))(at).numpy()


def gradient_nodes(at, stop):
    """The nodes of the loss, and those that its gradient adds."""
    x = tg.asarray(at)
    loss = -tg.log(stable_softmax(x, stop)[0])
    (g,) = tg.gradients(loss, x)
    before = set(walk([loss]))
    return before, [node for node in walk([g]) if node not in before]


def test_softmax_of_large_numbers_is_finite_and_right():
    want = [0.0900305731703805, 0.244728471054798, 0.665240955774822]
    got = stable_softmax(tg.asarray(FAR), tg.stop_gradient).numpy()
    np.testing.assert_allclose(got, want, rtol=0, atol=BAR)


def test_softmax_without_the_maximum_overflows():
    got = tg.grad(lambda x: -tg.log((tg.exp(x) / tg.sum(tg.exp(x)))[0]))(FAR).numpy()
    assert np.isnan(got).all()


def test_the_gradient_at_large_numbers_is_right():
    want = [-0.90996942682962, 0.2447284710547976, 0.6652409557748218]
    np.testing.assert_allclose(gradient_of_loss(FAR), want, rtol=0, atol=BAR)


def test_the_gradient_at_a_tie_is_right():
    want = [-0.5776812017484818, 0.4223187982515182, 0.1553624034969636]
    np.testing.assert_allclose(gradient_of_loss(TIED), want, rtol=0, atol=BAR)


def reads_the_maximum(new, before):
    """Whether a new node reads the maximum itself, or is part of its gradient."""
    maxima = {node for node in before if node.op.name == "Max"}
    return any(set(node.inputs) & maxima or (node.origin and node.origin() in maxima) for node in new)


def test_the_gradient_holds_no_op_for_the_stopped_maximum():
    before, new = gradient_nodes(TIED, tg.stop_gradient)
    assert not reads_the_maximum(new, before)


def test_without_the_stop_the_gradient_holds_ops_for_the_maximum():
    before, new = gradient_nodes(TIED, unstopped)
    assert reads_the_maximum(new, before)
    assert len(new) > len(gradient_nodes(TIED, tg.stop_gradient)[1])


SHIFTED = [0.0497870683678639, 0.135335283236613, 1.0]


def shifted_numerators(stop):
    return tg.grad(lambda x: tg.sum(tg.exp(x - stop(tg.max(x)))))(np.array([1.0, 2.0, 4.0])).numpy()


def test_the_gradient_of_the_shifted_numerators_counts_the_maximum_as_constant():
    np.testing.assert_allclose(shifted_numerators(tg.stop_gradient), SHIFTED, rtol=0, atol=BAR)


def test_the_gradient_of_the_shifted_numerators_is_another_without_the_stop():
    got = shifted_numerators(unstopped)
    np.testing.assert_allclose(got, [*SHIFTED[:2], -0.185122351604477], rtol=0, atol=BAR)
    with pytest.raises(AssertionError):
        np.testing.assert_allclose(got, SHIFTED, rtol=0, atol=BAR)


@pytest.fixture(scope="module")
def example():
    path = Path(__file__).parents[2] / "examples" / "softmax.py"
    spec = importlib.util.spec_from_file_location("softmax_example", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def trained(example):
    return example.train(*example.digits()[0])


def test_logistic_regression_on_digits_reaches_the_optimum(trained):
    assert trained[2] <= 268.1383


def test_logistic_regression_on_digits_names_459_of_500_test_digits(example, trained):
    assert example.accuracy(*trained[:2], *example.digits()[1]) == 0.918


def test_logistic_regression_gives_the_probabilities_of_scikit_learn(example, trained):
    (images, labels), (test_images, _) = example.digits()
    reference = LogisticRegression(C=1.0, tol=1e-10, max_iter=10_000).fit(images, labels)
    got = example.stable_softmax(tg.asarray(test_images @ trained[0] + trained[1])).numpy()
    np.testing.assert_allclose(got, reference.predict_proba(test_images), rtol=0, atol=1e-4)
