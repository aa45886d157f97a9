"""What is made of nothing, or like another, has the standard's dtypes, shapes and values."""

import pytest
from oracle import DTYPES, agree, strict

import tidegate as tg

CREATED = {
    "zeros": lambda xp, **o: xp.zeros((2, 3), **o),
    "ones": lambda xp, **o: xp.ones(3, **o),
    "full": lambda xp, **o: xp.full((2,), 7, **o),
    "eye": lambda xp, **o: xp.eye(3, **o),
    "eye of two sizes": lambda xp, **o: xp.eye(2, 4, k=1, **o),
    "eye below": lambda xp, **o: xp.eye(4, 2, k=-2, **o),
    "eye without sizes": lambda xp, **o: xp.eye(0, 2, **o),
    "arange": lambda xp, **o: xp.arange(5, **o),
    "arange by steps": lambda xp, **o: xp.arange(1, 9, 3, **o),
    "arange backward": lambda xp, **o: xp.arange(9, 1, -3, **o),
    "arange of nothing": lambda xp, **o: xp.arange(3, 1, **o),
}
KINDS = ["int8", "int64", "uint8", "float32", "float64"]


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("name", CREATED)
def test_what_is_made_of_nothing_has_the_standards_values(name, dtype):
    if dtype == "uint8" and name == "arange backward":
        dtype = "int16"
    got = CREATED[name](tg, dtype=getattr(tg, dtype), device="cpu")
    agree(got, CREATED[name](strict, dtype=getattr(strict, dtype)))


@pytest.mark.parametrize("endpoint", [True, False])
@pytest.mark.parametrize(
    ("start", "stop", "num"), [(0, 1, 5), (-2.5, 3.0, 7), (3, -3, 4), (1, 1, 3), (0, 1, 1), (0, 1, 0)]
)
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64"])
def test_even_steps_have_the_standards_values(start, stop, num, endpoint, dtype):
    got = tg.linspace(start, stop, num, dtype=getattr(tg, dtype), endpoint=endpoint)
    agree(got, strict.linspace(start, stop, num, dtype=getattr(strict, dtype), endpoint=endpoint), ulps=4.0)


DEFAULTS = {
    "zeros": (lambda: tg.zeros(2), "float32"),
    "ones": (lambda: tg.ones(2), "float32"),
    "eye": (lambda: tg.eye(2), "float32"),
    "empty": (lambda: tg.empty(2), "float32"),
    "linspace": (lambda: tg.linspace(0, 1, 3), "float32"),
    "linspace of complex": (lambda: tg.linspace(0, 1j, 3), "complex64"),
    "arange": (lambda: tg.arange(3), "int64"),
    "arange of floats": (lambda: tg.arange(3.0), "float32"),
    "full of bool": (lambda: tg.full(2, True), "bool"),
    "full of int": (lambda: tg.full(2, 1), "int64"),
    "full of float": (lambda: tg.full(2, 1.0), "float32"),
    "full of complex": (lambda: tg.full(2, 1j), "complex64"),
}


@pytest.mark.parametrize(("make", "dtype"), DEFAULTS.values(), ids=DEFAULTS)
def test_what_is_made_without_a_dtype_has_the_default_one(make, dtype):
    assert make().dtype.name == dtype


@pytest.mark.parametrize(("make", "dtype"), DEFAULTS.values(), ids=DEFAULTS)
def test_what_is_made_without_a_dtype_follows_the_configuration(make, dtype):
    wide = {"float32": "float64", "complex64": "complex128"}
    with tg.config.using(default_float=tg.float64):
        assert make().dtype.name == wide.get(dtype, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_what_is_like_another_has_its_shape_and_dtype_unless_one_is_asked_for(dtype):
    x = tg.ones((2, 0, 3), dtype=dtype)
    for make in (tg.zeros_like, tg.ones_like, tg.empty_like, lambda x, **o: tg.full_like(x, 1, **o)):
        assert (make(x).shape, make(x).dtype) == (x.shape, x.dtype)
        assert make(x, dtype=tg.float64, device="cpu").dtype == tg.float64
