"""Adversarial training: the perturbation is a constant of the training gradient. And its virtual kind, without labels.

Goodfellow et al., 2015, arXiv 1412.6572 (the sign step); Miyato et al., 2018, arXiv 1704.03976 (virtual).
"""

import numpy as np
import pytest

import tidegate as tg
from tidegate.core.graph import walk

BAR = 1e-12
NET = {"W": np.array([[0.5, -1.0], [1.5, 0.25]]), "v": np.array([1.0, -2.0])}
X = np.array([0.3, -0.7])


def unstopped(x):
    return x


def normalised(g):
    return g / tg.sqrt(tg.sum(g * g))


def net_loss(net, x):
    return tg.log(1.0 + tg.exp(-(tg.tanh(x @ net["W"]) @ net["v"])))


def perturbed(net, step):
    x = tg.asarray(X)
    return 0.5 * step(tg.grad(lambda z: net_loss(net, z))(x))


def adversarial(step, stop):
    return lambda net: net_loss(net, X + stop(perturbed(net, step)))


L2 = {"W": [[0.036049531688900, -0.269216369568761], [0.147551012330623, -1.101904685160636]],
      "v": [0.598878203784202, 0.003129942592684]}  # fmt: skip
L2_UNSTOPPED = {"W": [[0.018085680040090, -0.278037306264826], [0.164927495241164, -1.000240560008565]],
                "v": [0.539836851448539, -0.026390733575147]}  # fmt: skip
SIGN = {"W": [[0.011654603380850, -0.269567579211869], [0.069927620285097, -1.617405475271214]],
        "v": [0.650892316812869, 0.067842073516497]}  # fmt: skip


def close(got, want):
    for name, value in want.items():
        np.testing.assert_allclose(got[name].numpy(), value, rtol=0, atol=BAR, err_msg=name)


def test_the_normalised_step_leads_where_it_should():
    net = {name: tg.asarray(value) for name, value in NET.items()}
    at = X + perturbed(net, normalised)
    np.testing.assert_allclose(at.numpy(), [-0.192333476127372, -0.787222407008397], rtol=0, atol=BAR)
    assert float(net_loss(net, at)) == pytest.approx(1.203581956647046, abs=BAR)


def test_with_the_perturbation_stopped_the_gradient_is_that_of_training():
    close(tg.grad(adversarial(normalised, tg.stop_gradient))(NET), L2)


def test_without_the_stop_the_gradient_is_another():
    got = tg.grad(adversarial(normalised, unstopped))(NET)
    close(got, L2_UNSTOPPED)
    with pytest.raises(AssertionError):
        close(got, L2)


@pytest.mark.parametrize("stop", [tg.stop_gradient, unstopped], ids=["stopped", "unstopped"])
def test_the_sign_step_gives_one_gradient_with_and_without_the_stop(stop):
    net = {name: tg.asarray(value) for name, value in NET.items()}
    np.testing.assert_allclose((X + perturbed(net, tg.sign)).numpy(), [-0.2, -1.2], rtol=0, atol=BAR)
    close(tg.grad(adversarial(tg.sign, stop))(NET), SIGN)


def nodes_added(stop):
    """How many nodes the gradient of the sign step's loss adds, and whether one belongs to the perturbation."""
    net = {name: tg.asarray(value) for name, value in NET.items()}
    r = perturbed(net, tg.sign)
    loss = net_loss(net, X + stop(r))
    before, behind = set(walk([loss])), set(walk([r]))
    new = [n for n in walk([g for g in tg.gradients(loss, list(net.values())) if g is not None]) if n not in before]
    only_behind = behind - {t.node for t in net.values()}
    return len(new), any(n.origin and n.origin() in only_behind for n in new)


def test_the_sign_step_adds_no_op_behind_the_stop_and_at_most_half_as_many():
    stopped, behind = nodes_added(tg.stop_gradient)
    whole, behind_without = nodes_added(unstopped)
    assert not behind
    assert behind_without
    assert stopped <= whole / 2


WEIGHTS = np.array([[1.0, -0.5, 0.2], [0.3, 0.8, -1.1]])
POINT, DIRECTION, XI, EPSILON = np.array([0.4, -0.6]), np.array([0.6, 0.8]), 0.1, 0.5


def divergence(log_p, log_q):
    return tg.sum(tg.exp(log_p) * (log_p - log_q))


def virtual(stop_target, stop_r):
    """(loss, r) of the weights."""

    def loss(W):
        log_p = tg.log_softmax(POINT @ W)
        target = stop_target(log_p)
        probe = tg.grad(lambda d: divergence(stop_r(target), tg.log_softmax((POINT + XI * d) @ W)))
        r = EPSILON * normalised(probe(DIRECTION))
        return divergence(target, tg.log_softmax((POINT + stop_r(r)) @ W)), r

    return loss


def virtual_gradient(stop_target=tg.stop_gradient, stop_r=tg.stop_gradient):
    return tg.value_and_grad(virtual(stop_target, stop_r), has_aux=True)(WEIGHTS)


BOTH = [[0.082222902451929, 0.029297035561339, -0.111519938013267],
        [-0.018949319243081, -0.006751876462306, 0.025701195705387]]  # fmt: skip
NO_TARGET = [[0.025336032937225, 0.008186579858052, -0.033522612795277],
             [0.066380985028975, 0.024913807092623, -0.091294792121598]]  # fmt: skip
NO_R = [[0.057623957428310, 0.050748494416168, -0.108372451844478],
        [0.002603279958224, -0.032117855745721, 0.029514575787497]]  # fmt: skip


def test_virtual_adversarial_training_has_its_figures():
    (loss, r), g = virtual_gradient()
    np.testing.assert_allclose(r.numpy(), [0.180923478873815, 0.466118756104275], rtol=0, atol=BAR)
    assert float(loss) == pytest.approx(0.076586316799797, abs=BAR)
    np.testing.assert_allclose(g.numpy(), BOTH, rtol=0, atol=BAR)


@pytest.mark.parametrize(
    ("stops", "want"),
    [({"stop_target": unstopped}, NO_TARGET), ({"stop_r": unstopped}, NO_R)],
    ids=["target", "r"],
)
def test_without_one_of_its_stops_the_gradient_is_another(stops, want):
    _, g = virtual_gradient(**stops)
    np.testing.assert_allclose(g.numpy(), want, rtol=0, atol=BAR)
    with pytest.raises(AssertionError):
        np.testing.assert_allclose(g.numpy(), BOTH, rtol=0, atol=BAR)
