"""What the examples share: their options, a table of figures held against references, and a progress bar."""

import argparse
import sys
from dataclasses import dataclass

import numpy as np

import tidegate as tg


def unstopped(x):
    """What stands in for tg.stop_gradient where --without-stop asks what it is for: x, and its gradient too."""
    return x


def options(arguments, description):
    """The command's options: `quick`, and `stop`, which is tg.stop_gradient or what stands in for it."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--quick", action="store_true", help="a part that takes seconds")
    parser.add_argument("--without-stop", action="store_true", help="leave the stop out, and see which figures miss")
    found = parser.parse_args(arguments)
    found.stop = unstopped if found.without_stop else tg.stop_gradient
    return found


def distance(got, want):
    """The largest difference of two arrays, or of two containers of them; NaN if any number is."""
    if isinstance(want, dict):
        return float(np.max([distance(got[name], want[name]) for name in want]))
    return float(np.max(np.abs(np.asarray(got) - np.asarray(want))))


@dataclass(frozen=True)
class Row:
    """A figure, its bounds, and what it is held against."""

    name: str
    value: float
    at_least: float
    at_most: float
    reference: str

    @property
    def reached(self):
        """Whether it lies within its bounds; NaN doesn't."""
        return self.at_least <= self.value <= self.at_most

    def cells(self):
        """As text: name, value, wanted, reference, and a word where it is missed."""
        bounds = [(">=", self.at_least), ("<=", self.at_most)]
        wanted = ", ".join([f"{sign} {bound:.9g}" for sign, bound in bounds if np.isfinite(bound)])
        return [self.name, f"{self.value:.9g}", wanted, self.reference, "" if self.reached else "MISSED"]


class Figures:
    """The figures of an example, kept as they come and printed together."""

    def __init__(self):
        self.rows = []

    def add(self, name, value, reference, at_least=-np.inf, at_most=np.inf):
        """Keep one. `reference` says what it is held against."""
        self.rows.append(Row(name, float(value), at_least, at_most, reference))

    @property
    def missed(self):
        """The names of those outside their bounds."""
        return [row.name for row in self.rows if not row.reached]

    def print(self, sources):
        """Print the table, then where the references come from. Gives the exit code: 1 if one is missed."""
        table = [["figure", "here", "wanted", "reference", ""], *[row.cells() for row in self.rows]]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        for cells in table:
            print("  ".join([cell.ljust(width) for cell, width in zip(cells, widths, strict=True)]).rstrip())
        print(f"\n{sources}")
        return 1 if self.missed else 0


WIDTH = 30


def progress(steps, label):
    """`steps`, a sequence, one after another, with a bar on stderr if that is a terminal."""
    shown = sys.stderr.isatty()
    filled = -1
    for number, step in enumerate(steps):
        if shown and number * WIDTH // len(steps) > filled:
            filled = number * WIDTH // len(steps)
            print(f"\r{label} [{'#' * filled:.<{WIDTH}}]", end="", file=sys.stderr, flush=True)
        yield step
    if shown:
        print(f"\r{' ' * (len(label) + WIDTH + 3)}\r", end="", file=sys.stderr, flush=True)
