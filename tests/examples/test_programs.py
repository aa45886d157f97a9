"""The examples reach their figures, and without the stop they miss those that it is for."""

import re
import sys
from pathlib import Path
from subprocess import run

import pytest

import adversarial
from figures import Figures, unstopped
from tidegate.cli.main import main

ROOT = Path(__file__).parents[2]
QUICK = ["em", "contrastive_divergence", "adversarial"]


def ran(name, *arguments):
    """An example's run as a user's, with warnings as errors."""
    command = [sys.executable, "-W", "error", f"examples/{name}.py", *arguments]
    return run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def missed(table):
    """The names of the rows that say so."""
    return {re.split(r"\s{2,}", line.strip())[0] for line in table.splitlines() if line.endswith("  MISSED")}


@pytest.mark.parametrize("name", QUICK)
def test_the_quick_run_of_an_example_reaches_its_figures(name):
    found = ran(name, "--quick")
    assert (found.returncode, found.stderr, missed(found.stdout)) == (0, "", set())


def test_em_without_the_stop_misses_the_identity_and_every_run():
    found = ran("em", "--quick", "--without-stop")
    runs = {f"iris, {kind}: log-likelihoods, off" for kind in ("full", "tied", "diag", "spherical")}
    exact = {"gradient of Q, off", "iris, full, no ridge, 30 iterations, off"}
    assert found.returncode == 1
    assert missed(found.stdout) == {*runs, *exact, "smallest step"}


def test_contrastive_divergence_without_the_stop_misses_its_gradients_and_learns_less():
    found = ran("contrastive_divergence", "--quick", "--without-stop")
    assert found.returncode == 1
    assert missed(found.stdout) == {
        "gradient of the divergence, off",
        "gradient of the likelihood, off",
        "bars and stripes, seed 0: log-likelihood",
        "median of 1",
    }


def test_an_adversarial_step_without_the_stop_misses_its_gradient_and_the_size_of_its_graph():
    figures = Figures()
    adversarial.small_net(figures, unstopped)
    assert figures.missed == ["l2 step: gradient, off", "sign step: ops that its gradient adds"]


@pytest.mark.parametrize(
    ("function", "inputs"),
    [
        ("em.py:expected", ["parameters['weights']", "parameters['means']", "parameters['covariances']"]),
        ("contrastive_divergence.py:divergence", ["machine['W']", "machine['b']", "machine['c']"]),
        ("adversarial.py:robust_loss", ["network[0]['W']", "network[2]['b']"]),
    ],
)
def test_explain_shows_what_the_stop_of_an_example_masks(function, inputs, capsys, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    assert main(["explain", str(ROOT / "examples" / function)]) == 0
    shown = capsys.readouterr().out
    (masked,) = re.findall(r"^\[1\].*  masks (.*)$", shown, flags=re.MULTILINE)
    assert set(inputs) <= set(masked.split(", "))
