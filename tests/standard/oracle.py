"""What the conformance tests share: array-api-strict's namespace by chapters, and how its outcomes are compared."""

from __future__ import annotations

import inspect
import warnings
from types import ModuleType
from typing import Any

import array_api_strict
import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import tidegate as tg


class Quiet:
    """A namespace whose functions don't warn: ours, which nothing quietens, may not."""

    def __init__(self, namespace: ModuleType) -> None:
        self.namespace = namespace

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.namespace, name)
        if not inspect.isfunction(found):
            return found

        def quiet(*arguments: Any, **keywords: Any) -> Any:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)
                return found(*arguments, **keywords)

        return quiet


strict = Quiet(array_api_strict)

FLAGS = {"Device", "ArrayAPIStrictFlags", "get_array_api_strict_flags", "reset_array_api_strict_flags",
         "set_array_api_strict_flags", "__version__"}  # fmt: skip
"""array-api-strict's own."""
EXTENSIONS = {"fft", "linalg"}
NAMES = sorted(set(array_api_strict.__all__) - FLAGS - EXTENSIONS)
"""The main namespace of the standard."""
FUNCTIONS = [n for n in NAMES if inspect.isfunction(getattr(array_api_strict, n))]
DTYPES = list(array_api_strict.__array_namespace_info__().dtypes())

NUMBERS = {"bool": True, "int": 1, "float": 1.5, "complex": 1j}
"""A Python number of each kind."""


def chapter(name: str) -> list[str]:
    """The functions of a chapter of the standard that there are."""
    found = [n for n in FUNCTIONS if getattr(array_api_strict, n).__module__ == f"array_api_strict._{name}_functions"]
    return [n for n in found if hasattr(tg, n)]


def arity(name: str) -> int:
    """How many operands a function takes: its arguments by place."""
    kinds = [p.kind for p in inspect.signature(getattr(array_api_strict, name)).parameters.values()]
    return kinds.count(inspect.Parameter.POSITIONAL_ONLY)


UNARY = [n for n in chapter("elementwise") if arity(n) == 1 and n != "clip"]
BINARY = [n for n in chapter("elementwise") if arity(n) == 2]


def outcome(call: Any) -> str:
    """The dtype of what a call gives, or that it raises TypeError (or OverflowError, of numbers out of range)."""
    try:
        found = call()
    except TypeError:
        return "TypeError"
    except OverflowError:
        return "OverflowError"
    return str(found.dtype).rpartition(".")[2]


def both(array: Any) -> tuple[Any, Any]:
    """An array as ours and as array-api-strict's."""
    return tg.asarray(array), strict.asarray(array)


def value(x: Any) -> Any:
    """An array of either library, or a tuple of them, as NumPy's."""
    if isinstance(x, tuple):
        return tuple([value(v) for v in x])
    return x.numpy() if isinstance(x, tg.Tensor) else np.asarray(x)


def agree(got: Any, want: Any, *, ulps: float = 0.0) -> None:
    """Both have the same dtypes, shapes and values; within some units in the last place, if so many are given."""
    if isinstance(want, tuple):
        assert isinstance(got, tuple)
        assert len(got) == len(want)
        for g, w in zip(got, want, strict=True):
            agree(g, w, ulps=ulps)
        return
    g, w = value(got), value(want)
    assert (g.dtype, g.shape) == (w.dtype, w.shape)
    if ulps and w.dtype.kind in "fc":
        np.testing.assert_allclose(g, w, rtol=ulps * np.finfo(w.dtype).eps, atol=ulps * np.finfo(w.dtype).tiny)
    else:
        np.testing.assert_array_equal(g, w)


def signs_agree(got: Any, want: Any) -> None:
    """Zeros of both have the same signs."""
    g, w = value(got), value(want)
    if w.dtype.kind == "f":
        zero = w == 0
        np.testing.assert_array_equal(np.signbit(g[zero]), np.signbit(w[zero]))


def elements(dtype: str, *, special: bool = True) -> st.SearchStrategy[Any]:
    """Values of a dtype: small ones, and for floating point ones infinities, NaN and signed zeros if `special`."""
    kind = np.dtype(dtype)
    if kind.kind == "b":
        return st.booleans()
    if kind.kind == "u":
        return st.integers(0, 12)
    if kind.kind == "i":
        return st.integers(-12, 12)
    width = 32 if kind in (np.float32, np.complex64) else 64
    reals = st.floats(-64, 64, width=width, allow_subnormal=False)
    if special:
        reals = st.one_of(reals, st.sampled_from([np.inf, -np.inf, np.nan, 0.0, -0.0, 0.5, 1.5, 2.5]))
    if kind.kind == "f":
        return reals
    return st.builds(complex, reals, reals)


SHAPES = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3)


def arrays(dtype: str, shape: Any = SHAPES, *, special: bool = True) -> st.SearchStrategy[Any]:
    """Arrays of a dtype, some of them not contiguous."""
    drawn = hnp.arrays(dtype, shape, elements=elements(dtype, special=special))
    return st.builds(lambda array, turned: array.T.copy().T if turned else array, drawn, st.booleans())
