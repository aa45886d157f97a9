"""What one elementwise op costs at the prompt, built and evaluated, beside the NumPy call, in microseconds.

    python benchmarks/prompt.py

The two are timed in turns, and each figure is the best of several, as other load on the machine only ever adds.
"""

import timeit

import numpy as np

import tidegate as tg

REPEATS = 9
SIZES = (3, 100, 1_000, 10_000, 100_000)


def best(functions, seconds=0.02):
    """Microseconds a call of each function: the best of several turns."""
    counts = [max(1, int(seconds / timeit.timeit(f, number=20) * 20)) for f in functions]
    fastest = [float("inf")] * len(functions)
    for _ in range(REPEATS):
        for i, (f, count) in enumerate(zip(functions, counts, strict=True)):
            fastest[i] = min(fastest[i], timeit.timeit(f, number=count) / count * 1e6)
    return fastest


def cases(size):
    """(name, with NumPy, with Tidegate), for arrays of `size`."""
    rng = np.random.default_rng(0)
    a, b = rng.random(size, np.float32), rng.random(size, np.float32)
    x, y = tg.asarray(a), tg.asarray(b)
    return [
        ("sin", lambda: np.sin(a), lambda: tg.sin(x).numpy()),
        ("exp", lambda: np.exp(a), lambda: tg.exp(x).numpy()),
        ("tanh", lambda: np.tanh(a), lambda: tg.tanh(x).numpy()),
        ("x + y", lambda: a + b, lambda: (x + y).numpy()),
        ("x < y", lambda: a < b, lambda: (x < y).numpy()),
        ("x ** y", lambda: a**b, lambda: (x**y).numpy()),
        ("x * 2.5", lambda: a * 2.5, lambda: (x * 2.5).numpy()),
        ("where", lambda: np.where(a < b, a, b), lambda: tg.where(x < y, x, y).numpy()),
    ]


def main():
    """A row for each op and size."""
    print(f"{'elements':>9} {'op':8}{'NumPy':>9}{'Tidegate':>10}{'ratio':>8}")
    for size in SIZES:
        for name, with_numpy, with_tidegate in cases(size):
            theirs, ours = best([with_numpy, with_tidegate])
            print(f"{size:9} {name:8}{theirs:9.2f}{ours:10.2f}{ours / theirs:8.1f}")


if __name__ == "__main__":
    main()
