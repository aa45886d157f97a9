"""EM for Gaussian mixtures, by nothing but the gradient of Q: the responsibilities are its constants.

Q is the expected log-likelihood under the responsibilities. With them stopped its gradient is that of the likelihood
(Fisher's identity), and one step of ascent along it, scaled as Xu and Jordan say, is the step that EM makes. Without
the stop it is another gradient, and the step leaves the set of weights and covariances.

    tidegate explain examples/em.py:expected     where the gradient flows, and what stops it
    python examples/em.py [--quick]              12 runs of EM beside scikit-learn's

Dempster, Laird, Rubin, "Maximum likelihood from incomplete data via the EM algorithm", 1977; Xu, Jordan, "On
convergence properties of the EM algorithm for Gaussian mixtures", 1996; Salakhutdinov, Roweis, Ghahramani,
"Optimization with EM and expectation-conjugate-gradient", 2003 (the identity).
"""

import math
import sys
import warnings

import numpy as np
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture

import tidegate as tg
from figures import Figures, distance, options, progress

KINDS = ("full", "tied", "diag", "spherical")
ITERATIONS = 100


def standardised(load):
    """The observations of a data set, each feature of mean 0 and variance 1."""
    X, _ = load(return_X_y=True)
    return (X - X.mean(axis=0)) / X.std(axis=0)


def digits():
    """The 1,797 digits, 0 to 1, on their first ten principal components, each of the sign of its largest loading."""
    X = load_digits().data / 16.0
    X -= X.mean(axis=0)
    axes = np.linalg.svd(X, full_matrices=False)[2][:10]
    largest = axes[np.arange(10), np.abs(axes).argmax(axis=1)]
    return X @ (axes * np.sign(largest)[:, None]).T


def log_joint(parameters, X):
    """log p(x, component) of X (n, d): (n, k).

    parameters: weights (k), means (k, d), covariances (k, d, d).
    """
    lower = tg.cholesky(parameters["covariances"])
    away = X - tg.expand_dims(parameters["means"], axis=1)
    whitened = tg.solve_triangular(lower, tg.matrix_transpose(away))
    half_log_determinants = tg.sum(tg.log(tg.diagonal(lower)), axis=1)
    densities = -0.5 * (X.shape[1] * math.log(2 * math.pi) + tg.sum(whitened * whitened, axis=1).T)
    return tg.log(parameters["weights"]) + densities - half_log_determinants


def log_likelihood(parameters, X):
    """The log-likelihood of X, summed."""
    return tg.sum(tg.logsumexp(log_joint(parameters, X), axis=1))


def e_step(parameters, X, stop):
    """(Q, (responsibilities (n, k), the log-likelihood of X))."""
    joint = log_joint(parameters, X)
    responsibilities = stop(tg.softmax(joint, axis=1))
    return tg.sum(responsibilities * joint), (responsibilities, tg.sum(tg.logsumexp(joint, axis=1)))


def start(X, k, kind="full"):
    """Parameters to begin with: rows evenly spaced in X as means, every covariance that of all of X."""
    covariance = constrained(np.cov(X.T, bias=True)[None], np.ones(1), kind)
    rows = np.round(np.linspace(0, len(X) - 1, k)).astype(int)
    return {"weights": np.full(k, 1 / k), "means": X[rows], "covariances": np.repeat(np.asarray(covariance), k, axis=0)}


def constrained(covariances, weights, kind):
    """The covariances of a kind nearest in likelihood to those of the components, (k, d, d)."""
    if kind == "full":
        return covariances
    if kind == "tied":
        return tg.broadcast_to(tg.einsum("k,kij->ij", weights, covariances), covariances.shape)
    d = covariances.shape[-1]
    if kind == "spherical":
        covariances = tg.expand_dims(tg.mean(tg.diagonal(covariances), axis=1), axis=(1, 2))
    return covariances * np.eye(d)


def example_inputs():
    """Iris, and three components to begin with."""
    X = standardised(load_iris)
    return {"parameters": start(X, 3), "X": X}


@tg.example(example_inputs)
def expected(parameters, X):
    """Q: the log-likelihood of X and its components, expected under the responsibilities, which are constants."""
    return e_step(parameters, X, tg.stop_gradient)[0]


def iteration(kind, stop):
    """A function of (parameters, X, ridge) that gives (new parameters, the log-likelihood of X before).

    New parameters are the old ones and the gradient of Q, scaled; no formula of an M-step is here.
    """

    def improved(parameters, X, ridge):
        ascent = tg.value_and_grad(lambda p: e_step(p, X, stop), has_aux=True)
        (_, (responsibilities, before)), gradient = ascent(parameters)
        weights, means, covariances = [parameters[name] for name in ("weights", "means", "covariances")]
        counts = tg.sum(responsibilities, axis=0)
        weight_change = weights * gradient["weights"] - weights * tg.sum(weights * gradient["weights"])
        mean_change = tg.einsum("kij,kj->ki", covariances, gradient["means"]) / tg.expand_dims(counts, axis=1)
        slope = 0.5 * (gradient["covariances"] + tg.matrix_transpose(gradient["covariances"]))
        # About the old means; the last term moves the covariances to the new ones.
        change = 2.0 / tg.expand_dims(counts, axis=(1, 2)) * (covariances @ slope @ covariances)
        outer = tg.expand_dims(mean_change, axis=2) * tg.expand_dims(mean_change, axis=1)
        new_weights = weights + weight_change / X.shape[0]
        new = {
            "weights": new_weights,
            "means": means + mean_change,
            "covariances": constrained(covariances + change - outer, new_weights, kind) + ridge * np.eye(X.shape[1]),
        }
        return new, before

    return tg.jit(improved)


def sequence(X, k, kind, iterations, ridge, step, label):
    """The mean log-likelihood before each iteration of EM, and after the last."""
    parameters = start(X, k, kind)
    found = []
    for _ in progress(range(iterations), label):
        parameters, before = step(parameters, X, ridge)
        found.append(before.item())
    return np.array([*found, log_likelihood(parameters, X).item()]) / len(X)


def reference(X, k, kind, iterations, ridge):
    """The same of scikit-learn, from the same start."""
    begin = start(X, k)
    precision = np.linalg.inv(begin["covariances"])
    variances = np.diag(begin["covariances"][0])
    precisions = {
        "full": precision,
        "tied": precision[0],
        "diag": np.tile(1 / variances, (k, 1)),
        "spherical": np.full(k, 1 / variances.mean()),
    }
    mixture = GaussianMixture(
        k, covariance_type=kind, tol=0.0, reg_covar=ridge, max_iter=iterations,
        weights_init=begin["weights"], means_init=begin["means"], precisions_init=precisions[kind],
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # it is asked for a number of iterations
        mixture.fit(X)
    return np.array([*mixture.lower_bounds_, mixture.score(X)])


# Three observations and two components, by logits of weights, means, and logarithms of standard deviations.
CASE = {"logits": np.array([0.0, math.log(1.5)]), "means": np.array([-1.0, 1.0]), "logs": np.array([0.0, -math.log(2)])}
CASE_X = np.array([[-1.0], [0.5], [2.0]])
CASE_GRADIENT = {
    "logits": [-0.022965968657577, 0.022965968657577],
    "means": [0.307008527848543, 2.188238139345207],
    "logs": [-0.596672989449164, 2.935181807867320],
}


def case(p):
    """The parameters of the case."""
    covariances = tg.reshape(tg.exp(2.0 * p["logs"]), (2, 1, 1))
    return {"weights": tg.softmax(p["logits"]), "means": tg.expand_dims(p["means"], axis=1), "covariances": covariances}


def identity(figures, stop):
    """Fisher's identity: the gradient of the stopped Q is that of the likelihood."""
    likelihood, gradient = tg.value_and_grad(lambda p: log_likelihood(case(p), CASE_X))(CASE)
    q, q_gradient = tg.value_and_grad(lambda p: e_step(case(p), CASE_X, stop)[0])(CASE)
    figures.add("log-likelihood, off", distance(likelihood, -5.616288346923163), "closed form", at_most=1e-12)
    figures.add("Q, off", distance(q, -6.172209389454583), "closed form", at_most=1e-12)
    figures.add("its gradient, off", distance(gradient, CASE_GRADIENT), "closed form", at_most=1e-12)
    figures.add("gradient of Q, off", distance(q_gradient, CASE_GRADIENT), "closed form", at_most=1e-12)


def main(arguments=None):
    """Print the figures; 1 if one is missed."""
    chosen = options(arguments, "EM for Gaussian mixtures by the gradient of Q")
    parameters = {name: tg.asarray(value) for name, value in start(standardised(load_iris), 3).items()}
    print(tg.flow.why(e_step(parameters, standardised(load_iris), chosen.stop)[0], parameters), end="\n\n")

    figures = Figures()
    identity(figures, chosen.stop)
    steps = {kind: iteration(kind, chosen.stop) for kind in KINDS}
    iris = standardised(load_iris)
    found = sequence(iris, 3, "full", 30, 0.0, steps["full"], "iris")
    exact = distance(found, reference(iris, 3, "full", 30, 0.0))
    figures.add("iris, full, no ridge, 30 iterations, off", exact, "scikit-learn", at_most=1e-9)
    sets = {"iris": (iris, 3)}
    if not chosen.quick:
        sets |= {"wine": (standardised(load_wine), 3), "digits": (digits(), 10)}
    for name, (X, k) in sets.items():
        for kind in KINDS:
            found = sequence(X, k, kind, ITERATIONS, 1e-6, steps[kind], f"{name}, {kind}")
            want = reference(X, k, kind, ITERATIONS, 1e-6)
            ends = f"scikit-learn, which ends at {want[-1]:.9f}; here {found[-1]:.9f}"
            figures.add(f"{name}, {kind}: log-likelihoods, off", distance(found, want), ends, at_most=1e-8)
            figures.add("    smallest step", np.min(np.diff(found)), "EM never falls", at_least=-1e-10)
    return figures.print(
        "off: the largest absolute difference. scikit-learn: GaussianMixture, run here from the same start; mean of\n"
        "the observations. closed form: the sums over three observations and two components, written out."
    )


if __name__ == "__main__":
    sys.exit(main())
