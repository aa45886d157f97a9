"""The exception tree."""

import inspect
import pickle

import pytest

import tidegate as tg
from tidegate.core import errors
from tidegate.core.source import NOWHERE

CLASSES = [
    c for _, c in inspect.getmembers(errors, inspect.isclass)
    if issubclass(c, errors.TidegateError) and c is not errors.TidegateError
]  # fmt: skip

BUILT_IN = {
    "ShapeError": ValueError,
    "AxisError": IndexError,
    "DTypeError": TypeError,
    "ScalarRangeError": OverflowError,
    "ArgumentError": ValueError,
    "ArgumentTypeError": TypeError,
    "StructureError": ValueError,
    "NoValueError": TypeError,
    "GradientRefusedError": LookupError,
    "HistoryCutError": LookupError,
    "LeakError": RuntimeError,
    "ExchangeError": BufferError,
    "IndexRangeError": IndexError,
    "SingularMatrixError": ValueError,
    "InvalidValueError": ValueError,
    "OpDefinitionError": TypeError,
    "RuleError": RuntimeError,
}


def names(cls):
    return cls.__name__


@pytest.mark.parametrize("cls", CLASSES, ids=names)
def test_each_is_the_built_in_kind_that_the_tree_says(cls):
    assert issubclass(cls, BUILT_IN[cls.__name__])


@pytest.mark.parametrize("cls", CLASSES, ids=names)
def test_each_stands_in_the_tree_at_the_top_of_its_file(cls):
    assert f"{cls.__name__} ({BUILT_IN[cls.__name__].__name__})" in errors.__doc__


@pytest.mark.parametrize("cls", CLASSES, ids=names)
def test_each_is_public(cls):
    assert getattr(tg, cls.__name__) is cls


@pytest.mark.parametrize("cls", CLASSES, ids=names)
def test_each_names_the_line_that_runs_by_default(cls):
    line = inspect.currentframe().f_lineno + 1
    error = cls("who: got this; want that")
    assert str(error).endswith(f"test_errors.py:{line})")
    assert error.message == "who: got this; want that"


@pytest.mark.parametrize("cls", CLASSES, ids=names)
def test_each_survives_pickling_with_its_line(cls):
    error = cls("who: got this; want that")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is cls
    assert (again.message, again.line, str(again)) == (error.message, error.line, str(error))


def test_an_error_without_a_line_shows_none():
    assert str(errors.ShapeError("message", NOWHERE)) == "message"


def test_every_fault_of_values_has_an_exception_of_the_tree():
    for fault in errors.Fault:
        assert isinstance(fault.error("message", NOWHERE), errors.TidegateError)
