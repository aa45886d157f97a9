"""Every op's derivatives, both modes, to order 2, for every subset of inputs varying."""

from __future__ import annotations

import pytest
from samples import ELEMENTARY, EXACT, cases

from tidegate.testing import check_derivatives

DIFFERENTIABLE = [cls for cls in ELEMENTARY if cls.form != "refuses"]


@pytest.mark.parametrize(("sample", "dtype"), cases(DIFFERENTIABLE, EXACT))
def test_both_modes_agree_with_a_difference_quotient_to_order_two(sample, dtype):
    check_derivatives(sample.op, *sample.inputs, dtype=dtype)
