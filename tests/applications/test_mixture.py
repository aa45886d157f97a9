"""EM for a Gaussian mixture: with the responsibilities stopped, Q has the gradient of the marginal likelihood.

Fisher's identity (Salakhutdinov, Roweis, Ghahramani, "Optimization with EM and expectation-conjugate-gradient", 2003).
"""

import math

import numpy as np
import pytest

import tidegate as tg

BAR = 1e-12
X = np.array([-1.0, 0.5, 2.0])
START = {"logits": np.array([0.0, math.log(1.5)]), "means": np.array([-1.0, 1.0]), "logs": np.log([1.0, 0.5])}

MARGINAL = [
    -0.022965968657577, 0.022965968657577, 0.307008527848543, 2.188238139345207, -0.596672989449164, 2.935181807867320,
]  # fmt: skip
UNSTOPPED_Q = [
    -0.330777645483533, 0.330777645483533, -0.305039903165616, 2.173938448794190, -1.626734891809861, 3.111076380776730,
]  # fmt: skip


def unstopped(x):
    return x


def log_joint(p):
    """log p(x, component), observations by components."""
    z = (X[:, None] - p["means"]) / tg.exp(p["logs"])
    return tg.log_softmax(p["logits"]) - 0.5 * math.log(2 * math.pi) - p["logs"] - 0.5 * z * z


def marginal(p):
    return tg.sum(tg.logsumexp(log_joint(p), axis=1))


def responsibilities(p):
    return tg.softmax(log_joint(p), axis=1)


def expected(stop):
    """Q: the expected log-likelihood under the responsibilities."""
    return lambda p: tg.sum(stop(responsibilities(p)) * log_joint(p))


def evidence_bound(p):
    r = responsibilities(p)
    return tg.sum(r * (log_joint(p) - tg.log(r)))


def gradient(function):
    g = tg.grad(function)(START)
    return np.concatenate([g[name].numpy() for name in ("logits", "means", "logs")])


def test_the_likelihood_and_q_have_their_values():
    assert float(marginal(START)) == pytest.approx(-5.616288346923163, abs=BAR)
    assert float(expected(tg.stop_gradient)(START)) == pytest.approx(-6.172209389454583, abs=BAR)


def test_the_responsibilities_have_their_values():
    want = [0.9989946239146034, 0.1514064629566093, 0.0266329444712097]
    np.testing.assert_allclose(responsibilities(START).numpy()[:, 0], want, rtol=0, atol=BAR)


@pytest.mark.parametrize(
    "function", [marginal, expected(tg.stop_gradient), evidence_bound], ids=["marginal", "Q", "ELBO"]
)
def test_the_stopped_q_the_bound_and_the_likelihood_have_one_gradient(function):
    np.testing.assert_allclose(gradient(function), MARGINAL, rtol=0, atol=BAR)


def test_without_the_stop_q_has_another_gradient():
    got = gradient(expected(unstopped))
    np.testing.assert_allclose(got, UNSTOPPED_Q, rtol=0, atol=BAR)
    with pytest.raises(AssertionError):
        np.testing.assert_allclose(got, MARGINAL, rtol=0, atol=BAR)
