"""What it costs to build, differentiate, run and free a graph, in microseconds a node; and a very deep one, in seconds.

    python benchmarks/building.py

Each figure is the best of several runs, with the cycle collector off while it is taken, as other load on the machine
only ever adds. The deep chain runs once, as a user would meet it, with the collector on.
"""

import gc
import sys
import time

import numpy as np

import tidegate as tg
from tidegate.core.graph import walk

STEPS, REPEATS, DEPTH = 5_000, 7, 100_000


def best(function):
    """(seconds of the fastest run, its result)"""
    fastest, result = float("inf"), None
    for _ in range(REPEATS):
        result = None
        gc.collect()
        gc.disable()
        start = time.perf_counter()
        result = function()
        fastest = min(fastest, time.perf_counter() - start)
        gc.enable()
    return fastest, result


X = tg.asarray(np.ones(4, np.float32))
COLUMN = tg.asarray(np.ones((4, 1), np.float32))


def chain(step):
    """A chain of a step, which may make several nodes."""
    y = X
    for _ in range(STEPS):
        y = step(y)
    return y


BUILDS = {
    "tg.sin(y)": tg.sin,
    "y * x": lambda y: y * X,
    "y * 1.37": lambda y: y * 1.37,
    "tg.sum(y + column, axis=0)": lambda y: tg.sum(y + COLUMN, axis=0),
    "tg.sin(y) * x + tg.exp(y)": lambda y: tg.sin(y) * X + tg.exp(y),
}


def report_building():
    """A row for each way to build, and for derivatives and values of the last."""
    print(f"{'building':30}{'us a node':>10}{'us a call':>11}")
    for name, step in BUILDS.items():
        seconds, y = best(lambda step=step: chain(step))
        print(f"{name:30}{seconds / len(walk([y])) * 1e6:10.2f}{seconds / STEPS * 1e6:11.2f}")

    def with_gradient():
        return tg.gradients(tg.sum(chain(lambda y: tg.sin(y) * X)), [X])

    seconds, grads = best(with_gradient)
    print(f"{'the same with its gradient':30}{seconds / len(walk(grads)) * 1e6:10.2f}")
    size = len(walk([chain(tg.sin)]))
    seconds, _ = best(lambda: chain(tg.sin).numpy())
    print(f"{'built and run':30}{seconds / size * 1e6:10.2f}")
    value = X.numpy()
    seconds, _ = best(lambda: [np.sin(value) for _ in range(STEPS)])
    print(f"{'NumPy alone':30}{seconds / STEPS * 1e6:10.2f}")


def report_depth():
    """Seconds to build, differentiate twice, run and free a chain of DEPTH ops."""
    print(f"\na chain of {DEPTH:,} ops{'':14}seconds")
    start = time.perf_counter()

    def lap(what):
        nonlocal start
        now = time.perf_counter()
        print(f"{what:30}{now - start:10.2f}")
        start = time.perf_counter()

    y = X
    for _ in range(DEPTH):
        y = tg.sin(y)
    lap("build")
    (first,) = tg.gradients(y, [X])
    lap("gradient")
    (second,) = tg.gradients(first, [X])
    lap("gradient of the gradient")
    nodes = len(walk([second]))
    start = time.perf_counter()
    second.numpy()
    lap(f"run ({nodes:,} ops)")
    del y, first, second
    lap("free")


if __name__ == "__main__":
    print(f"Python {sys.version.split()[0]}, NumPy {np.__version__}")
    report_building()
    report_depth()
