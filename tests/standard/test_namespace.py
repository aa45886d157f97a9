"""What a program may ask of the namespace: its version, what it can do, its devices and constants."""

import math

import array_api_strict
import pytest

import tidegate as tg
from wrong_use import check_error

INFO = tg.__array_namespace_info__()
STRICT = array_api_strict.__array_namespace_info__()
X = tg.asarray([1.0])
KINDS = [None, "bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric",
         ("bool", "integral"), ()]  # fmt: skip


def test_the_version_is_that_of_the_standard_that_is_met():
    assert tg.__array_api_version__ == array_api_strict.__array_api_version__ == "2025.12"


@pytest.mark.parametrize("version", [None, "2021.12", "2022.12", "2023.12", "2024.12", "2025.12"])
def test_a_tensor_names_its_namespace(version):
    assert X.__array_namespace__(api_version=version) is tg


def test_the_capabilities_are_those_that_the_standard_lists():
    assert INFO.capabilities() == {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}
    assert INFO.capabilities().keys() == STRICT.capabilities().keys()


def test_as_many_axes_as_it_says_and_no_more():
    most = INFO.capabilities()["max dimensions"]
    assert tg.ones((1,) * most).numpy().ndim == most


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_the_dtypes_of_a_kind_are_the_standards(kind):
    ours = INFO.dtypes(kind=kind)
    assert ours.keys() == STRICT.dtypes(kind=kind).keys()
    assert all(getattr(tg, name) == dtype for name, dtype in ours.items())


def test_the_default_dtypes_are_what_is_made():
    found = INFO.default_dtypes()
    assert found.keys() == STRICT.default_dtypes().keys()
    assert found["real floating"] == tg.asarray(1.0).dtype == tg.zeros(1).dtype
    assert found["complex floating"] == tg.asarray(1j).dtype
    assert found["integral"] == tg.asarray(1).dtype == tg.arange(3).dtype
    assert found["indexing"] == tg.argmax(X).dtype


def test_the_default_dtypes_follow_the_configuration():
    with tg.config.using(default_float=tg.float64):
        found = INFO.default_dtypes()
        assert (found["real floating"], found["complex floating"]) == (tg.float64, tg.complex128)
        assert found["real floating"] == tg.zeros(1).dtype == tg.asarray(1.0).dtype


def test_there_is_one_device():
    assert INFO.devices() == (INFO.default_device(),) == ("cpu",)
    assert X.device == "cpu"
    assert X.to_device("cpu") is X
    assert INFO.dtypes(device="cpu") == INFO.dtypes()
    assert INFO.default_dtypes(device="cpu") == INFO.default_dtypes()


def test_the_constants_are_the_standards():
    assert (tg.e, tg.pi, tg.inf, tg.newaxis) == (math.e, math.pi, math.inf, None)
    assert math.isnan(tg.nan)


WRONG = {
    "a version there is not": (
        lambda: X.__array_namespace__(api_version="2019.01"),
        ValueError,
        "want one of '2021.12'",
    ),
    "a device there is not": (lambda: X.to_device("gpu"), ValueError, "to_device: got device 'gpu'; want one of 'cpu'"),
    "no device": (lambda: X.to_device(None), ValueError, "to_device: got device"),
    "a stream": (lambda: X.to_device("cpu", stream=1), ValueError, "got stream 1; want None"),
    "a kind there is not": (
        lambda: INFO.dtypes(kind="text"),
        ValueError,
        "dtypes: got kind 'text'; want one of 'bool'",
    ),
    "a kind of another type": (lambda: INFO.dtypes(kind=[]), ValueError, r"dtypes: got kind \[\]"),
    "dtypes of a device": (lambda: INFO.dtypes(device="gpu"), ValueError, "dtypes: got device 'gpu'"),
    "defaults of a device": (lambda: INFO.default_dtypes(device="gpu"), ValueError, "default_dtypes: got device 'gpu'"),
}


@pytest.mark.parametrize(("call", "kind", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_question_says_what_was_got_and_wanted_and_where(call, kind, message):
    check_error(call, kind, message)
