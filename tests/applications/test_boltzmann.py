"""Contrastive divergence of a restricted Boltzmann machine: the model's states are samples, constant to the gradient.

Textbook update: G. Hinton, "Training products of experts by minimizing contrastive divergence", 2002.
"""

from itertools import product

import numpy as np
import pytest

import tidegate as tg

BAR = 1e-12
MACHINE = {
    "W": np.array([[0.5, -0.3], [0.2, 0.8], [-0.6, 0.1]]),
    "b": np.array([0.1, -0.2, 0.3]),
    "c": np.array([-0.4, 0.2]),
}
ROWS = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
STATES = np.array(list(product([0.0, 1.0], repeat=3)))


def unstopped(x):
    return x


def softplus(x):
    return tg.maximum(x, 0.0) + tg.log(1.0 + tg.exp(-tg.abs(x)))


def free_energy(v, m):
    return -(v @ m["b"]) - tg.sum(softplus(m["c"] + v @ m["W"]), axis=-1)


def one_step(m):
    """Mean-field states of the model, one step of Gibbs sampling away from the data."""
    hidden = tg.sigmoid(m["c"] + ROWS @ m["W"])
    return tg.sigmoid(m["b"] + hidden @ m["W"].T)


def divergence(stop):
    return lambda m: tg.mean(free_energy(ROWS, m)) - tg.mean(free_energy(stop(one_step(m)), m))


def log_partition(m):
    return tg.logsumexp(-free_energy(STATES, m))


def likelihood(m):
    """The exact mean negative log-likelihood of the rows."""
    return tg.mean(free_energy(ROWS, m)) + log_partition(m)


def surrogate(stop):
    """A loss with the likelihood's gradient, if the probabilities of the states are stopped."""

    def loss(m):
        energies = free_energy(STATES, m)
        return tg.mean(free_energy(ROWS, m)) - tg.sum(stop(tg.exp(-energies - log_partition(m))) * energies)

    return loss


TEXTBOOK = {
    "W": [[0.027326675777792, 0.082798196273490], [0.090020779938551, 0.002533892769880],
          [-0.120296486156723, -0.280774828835139]],
    "b": [0.021060070118859, 0.090991857609998, -0.461028879946181],
    "c": [0.070897314180566, 0.013702253042958],
}  # fmt: skip
UNSTOPPED = {
    "W": [[0.039245874116608, 0.109585192784929], [0.124387543695265, 0.068396063671676],
          [-0.106820125609278, -0.247498211914601]],
    "b": [0.049908656161398, 0.186013956618930, -0.432443528485854],
    "c": [0.074557233373973, 0.029069574532723],
}  # fmt: skip
EXACT = {
    "W": [[0.063890976113630, 0.068080850408266], [0.105758502028725, 0.045508118814046],
          [-0.158248017200102, -0.285456711119944]],
    "b": [0.029318653107794, 0.093457795628641, -0.472731799422072],
    "c": [0.076838408553091, 0.008127135825912],
}  # fmt: skip


def distance(function, want):
    """The largest difference of a gradient from what it should be."""
    g = tg.grad(function)(MACHINE)
    return max(np.abs(g[name].numpy() - want[name]).max() for name in want)


def test_the_states_and_the_objective_have_their_values():
    m = {name: tg.asarray(value) for name, value in MACHINE.items()}
    want = [[0.5346370170846497, 0.5684446408125363, 0.5308297398711904],
            [0.5074831231530678, 0.613539074407459, 0.5471125002364482]]  # fmt: skip
    np.testing.assert_allclose(one_step(m).numpy(), want, rtol=0, atol=BAR)
    assert float(divergence(tg.stop_gradient)(m)) == pytest.approx(-0.06310928097998, abs=BAR)


def test_with_the_states_stopped_the_gradient_is_the_textbook_update():
    assert distance(divergence(tg.stop_gradient), TEXTBOOK) < BAR


def test_without_the_stop_the_gradient_is_another():
    assert distance(divergence(unstopped), UNSTOPPED) < BAR
    assert distance(divergence(unstopped), TEXTBOOK) == pytest.approx(0.095, abs=1e-3)


def test_the_exact_likelihood_has_its_values():
    m = {name: tg.asarray(value) for name, value in MACHINE.items()}
    assert float(log_partition(m)) == pytest.approx(3.749293477540651, abs=BAR)
    assert float(likelihood(m)) == pytest.approx(2.036463399639021, abs=BAR)


@pytest.mark.parametrize("function", [likelihood, surrogate(tg.stop_gradient)], ids=["likelihood", "stopped"])
def test_the_exact_gradient_is_that_of_the_energies_with_the_probabilities_stopped(function):
    assert distance(function, EXACT) < BAR


def test_without_the_stop_the_energies_have_another_gradient():
    assert distance(surrogate(unstopped), EXACT) == pytest.approx(0.0910, abs=1e-4)
