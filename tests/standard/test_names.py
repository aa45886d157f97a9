"""Everything in the standard's main namespace is here, and is called as the standard says."""

import inspect
from inspect import Parameter

import array_api_strict as strict
import pytest
from oracle import FUNCTIONS, NAMES

import tidegate as tg

MEMBERS = sorted(set(dir(strict.asarray(1.0))) - set(dir(object)))
MEMBERS = [n for n in MEMBERS if not n.startswith("_") or (n.startswith("__") and n.endswith("__"))]
STRICTS_OWN = {"__array__", "__buffer__", "__dict__", "__module__", "__weakref__", "__annotations__"}
IN_PLACE = {n for n in MEMBERS if n.startswith("__i") and f"__r{n[3:]}" in MEMBERS}
"""Python makes them of the operators: tensors don't change, so x += y is x = x + y."""

BY_PLACE_TOO = {("asarray", "dtype")}
"""Keywords that we also take by place, as NumPy does."""


@pytest.mark.parametrize("name", NAMES)
def test_every_name_of_the_standard_is_public(name):
    assert hasattr(tg, name)
    assert name in tg.__all__ or name.startswith("__")


@pytest.mark.parametrize("name", sorted(set(MEMBERS) - STRICTS_OWN - IN_PLACE))
def test_tensors_have_every_attribute_and_operator_of_the_standard(name):
    assert hasattr(tg.Tensor, name)


@pytest.mark.parametrize("name", [n for n in FUNCTIONS if hasattr(tg, n)])
def test_a_function_takes_its_arguments_as_the_standard_says(name):
    ours = inspect.signature(getattr(tg, name)).parameters
    theirs = inspect.signature(getattr(strict, name)).parameters
    for place, want in enumerate(theirs.values()):
        if want.kind in (Parameter.POSITIONAL_ONLY, Parameter.VAR_POSITIONAL):
            got = list(ours.values())[place]  # its name can't be said
        else:
            assert want.name in ours
            got = ours[want.name]
        if (name, want.name) in BY_PLACE_TOO:
            assert got.kind is Parameter.POSITIONAL_OR_KEYWORD
        else:
            assert got.kind is want.kind
        undefined = "Undef" in repr(want.default)
        assert got.default == (None if undefined else want.default), want.name


@pytest.mark.parametrize("name", [n for n in FUNCTIONS if hasattr(tg, n)])
def test_what_a_function_takes_besides_is_by_keyword_and_may_be_left_out(name):
    ours = list(inspect.signature(getattr(tg, name)).parameters.values())
    theirs = inspect.signature(getattr(strict, name)).parameters
    by_place = [p for p in theirs.values() if p.kind is Parameter.POSITIONAL_ONLY]
    for extra in [p for p in ours[len(by_place) :] if p.name not in theirs]:
        assert extra.kind in (Parameter.KEYWORD_ONLY, Parameter.VAR_POSITIONAL), extra
        assert extra.default is not Parameter.empty or extra.kind is Parameter.VAR_POSITIONAL
