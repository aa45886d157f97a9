"""What every op class must have: samples, docstrings, rules, one derivative form."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass

import numpy as np
import pytest
from samples import OPS, WITH_INPUTS, dtypes_of

import tidegate as tg
from tidegate.core.kinds import Elementwise, Opaque, Region
from tidegate.core.op import FORMS, PRIMITIVES, Op

RULES = ("infer", "reference", "batch", "reads", "domain")


@pytest.mark.parametrize("cls", OPS, ids=lambda c: c.name)
def test_every_class_has_samples_or_says_in_its_domain_why_not(cls):
    if not cls.domain():
        assert re.search(r"return \[\]\s+# \w+", inspect.getsource(cls.domain)), f"{cls.name} has no samples"
        assert cls not in WITH_INPUTS, f"{cls.name} takes inputs and has no samples"


@pytest.mark.parametrize("cls", OPS, ids=lambda c: c.name)
def test_every_sample_is_of_its_class_and_taken_in_some_dtype(cls):
    for sample in cls.domain():
        assert type(sample.op) is cls
        assert dtypes_of(sample)


@pytest.mark.parametrize("cls", WITH_INPUTS, ids=lambda c: c.name)
def test_some_sample_has_elements(cls):
    assert any(all(np.prod(spec.shape) for spec in sample.inputs) for sample in cls.domain())


@pytest.mark.parametrize("cls", OPS, ids=lambda c: c.name)
def test_every_class_has_a_docstring_of_its_own_with_shapes_and_dtypes(cls):
    text = cls.__dict__.get("__doc__") or ""
    assert not text.startswith(f"{cls.__name__}(")  # what dataclass writes
    assert re.search(r"Shapes and dtypes: ", text) or (re.search(r"Shapes: ", text) and re.search(r"Dtypes: ", text))


@pytest.mark.parametrize("cls", OPS, ids=lambda c: c.name)
def test_every_reason_is_a_sentence(cls):
    reasons = [getattr(cls, form) for form in ("non_differentiable", "refuses") if hasattr(cls, form)]
    for reason in [*reasons, *cls.no_gradient.values()]:
        assert len(reason.split()) > 2


@pytest.mark.parametrize("cls", OPS, ids=lambda c: c.name)
def test_every_class_is_registered_under_its_module_and_name(cls):
    assert PRIMITIVES[f"{cls.__module__}.{cls.__qualname__}"] is cls


@pytest.mark.parametrize("cls", OPS, ids=lambda c: c.name)
def test_choices_are_slots_without_gradient(cls):
    assert cls.choices <= cls.no_gradient.keys()


def complete(**changes):
    """The body of an op class with every rule and one derivative form, less those changed to None."""
    rules = dict.fromkeys(RULES, lambda self, *xs: xs) | {"adjoint": lambda self, cotangent, x: (cotangent,)}
    return {name: rule for name, rule in (rules | changes).items() if rule is not None}


@pytest.fixture
def registry():
    """The registry, put back afterwards."""
    before = dict(PRIMITIVES)
    yield PRIMITIVES
    PRIMITIVES.clear()
    PRIMITIVES.update(before)


def test_a_complete_class_is_taken(registry):
    cls = type("Complete", (Opaque,), complete())
    assert cls in registry.values()
    assert cls.form == "adjoint"


@pytest.mark.parametrize("rule", RULES)
def test_a_class_that_lacks_a_rule_is_refused(registry, rule):
    with pytest.raises(tg.OpDefinitionError, match=f"Lacking lacks {rule}"):
        type("Lacking", (Op,), complete(**{rule: None}))


def test_a_refused_class_is_not_registered(registry):
    before = dict(registry)
    with pytest.raises(tg.OpDefinitionError):
        type("Lacking", (Opaque,), complete(domain=None))
    assert registry == before


def test_a_class_without_a_derivative_form_is_refused(registry):
    with pytest.raises(tg.OpDefinitionError, match="no derivative form"):
        type("Formless", (Opaque,), complete(adjoint=None))


@pytest.mark.parametrize("second", [f for f in FORMS if f != "adjoint"])
def test_a_class_with_two_derivative_forms_is_refused(registry, second):
    with pytest.raises(tg.OpDefinitionError, match=f"(adjoint and {second}|{second} and adjoint)"):
        type("TwoForms", (Opaque,), complete(**{second: lambda *xs: xs}))


def test_only_a_region_may_state_both_modes(registry):
    both = {"adjoint": None, "vjp": lambda *xs: xs, "jvp": lambda *xs: xs}
    assert type("Both", (Region,), complete(**both)).form == "vjp"
    with pytest.raises(tg.OpDefinitionError, match="vjp and jvp"):
        type("Both", (Opaque,), complete(**both))


def test_a_rule_that_gives_none_where_no_gradient_does_not_say_so_is_refused(registry):
    @dataclass(frozen=True, eq=False)
    class Forgetful(Elementwise):
        compute = staticmethod(np.sin)

        def partials(self, out, x):
            return (None,)

    with pytest.raises(tg.RuleError, match=r"Forgetful: .* gave None for input 0"):
        tg.grad(lambda x: Forgetful()(x))(1.0)


def test_a_rule_that_gives_a_gradient_where_no_gradient_lists_one_is_refused(registry):
    @dataclass(frozen=True, eq=False)
    class Generous(Elementwise):
        arity = 2
        compute = staticmethod(np.add)
        no_gradient = {1: "it is said to be closed"}

        def partials(self, out, x, y):
            return 1, 1

    with pytest.raises(tg.RuleError, match=r"Generous: .* gave a gradient for input 1"):
        tg.grad(lambda x: Generous()(x, x))(1.0)


def test_a_vjp_that_is_not_linear_is_refused_in_forward_mode(registry):
    @dataclass(frozen=True, eq=False)
    class Curved(Elementwise):
        compute = staticmethod(np.sin)

        def vjp(self, cotangent, out, x):
            return (cotangent * cotangent,)

    with pytest.raises(tg.RuleError, match=r"Curved: .* isn't linear"):
        tg.jvp(lambda x: Curved()(x), (1.0,), (1.0,))


def test_a_reference_that_breaks_its_type_rule_is_refused(registry):
    @dataclass(frozen=True, eq=False)
    class Liar(Elementwise):
        non_differentiable = "it is a liar"

        def compute(self, x):
            return x.astype(np.float64)

    with pytest.raises(tg.RuleError, match="Liar: its reference gave float64"):
        Liar()(tg.asarray([1.0])).numpy()
