"""The table of figures, and the bar, that the examples share."""

import io
import math

import numpy as np
import pytest

import tidegate as tg
from figures import Figures, distance, options, progress, unstopped


@pytest.fixture
def figures():
    found = Figures()
    found.add("accuracy", 0.5, "a book", at_least=0.4)
    return found


def test_figures_within_their_bounds_exit_with_0(figures, capsys):
    assert figures.print("sources") == 0
    assert capsys.readouterr().out == ("figure    here  wanted  reference\naccuracy  0.5   >= 0.4  a book\n\nsources\n")


@pytest.mark.parametrize("value", [0.1, 0.31, math.nan])
def test_a_figure_outside_its_bounds_or_nan_exits_with_1_and_is_named(figures, value, capsys):
    figures.add("error", value, "a book", at_least=0.2, at_most=0.3)
    assert figures.print("sources") == 1
    assert figures.missed == ["error"]
    assert "error" in capsys.readouterr().out.splitlines()[2]


def test_distance_is_the_largest_difference_in_any_part():
    got = {"a": np.array([1.0, 2.0]), "b": tg.asarray(3.0)}
    assert distance(got, {"a": [1.0, 2.5], "b": 3.25}) == 0.5


def test_distance_from_nan_is_nan_wherever_it_is():
    got = {"a": np.array([1.0]), "b": np.array([math.nan, 0.0])}
    assert math.isnan(distance(got, {"a": [1.0], "b": [0.0, 0.0]}))


def test_the_stop_is_that_of_the_library_unless_it_is_left_out():
    assert options([], "").stop is tg.stop_gradient
    assert options(["--without-stop"], "").stop is unstopped


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_gives_every_step_and_shows_a_bar_on_a_terminal(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    assert list(progress(range(4), "here")) == [0, 1, 2, 3]
    shown = terminal.getvalue()
    assert f"\rhere [{'#' * 15}{'.' * 15}]" in shown
    assert shown.endswith(f"\r{' ' * 37}\r")


def test_progress_shows_nothing_elsewhere(monkeypatch):
    monkeypatch.setattr("sys.stderr", io.StringIO())
    monkeypatch.setattr("sys.stderr.isatty", lambda: False)
    assert list(progress(range(2), "here")) == [0, 1]
