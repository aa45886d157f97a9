"""Inputs that an op can't take are refused when the line is written, by an error that names the op and the line."""

from __future__ import annotations

import numpy as np
import pytest
from samples import FREE, OPS, WITH_INPUTS, preferred, type_of

import tidegate as tg
from tidegate.core.dtypes import ANY, INTEGER, bool_, float32, int8
from tidegate.core.graph import TensorType
from tidegate.ops.creation import Data

SAMPLES = [pytest.param(sample, id=f"{cls.name}-{i}") for cls in WITH_INPUTS for i, sample in enumerate(cls.domain())]


def zeros(kind):
    return Data(np.zeros(kind.shape, kind.dtype))()


def types_of(sample):
    dtype = preferred(sample)
    return [type_of(spec, dtype) for spec in sample.inputs]


def refusal(op, types):
    """The error that applying `op` raises; nothing but a TidegateError that says who and where is let pass."""
    with pytest.raises(tg.TidegateError, match=rf"(?s)^{op.name}: .*test_type_errors\.py:\d+\)$") as caught:
        op(*[zeros(t) for t in types])
    return caught.value


def check_taken_or_refused(op, types):
    """Whatever the types, the op refuses them in words, or evaluates to what its type rule promised."""
    try:
        op.output_types(tuple(types))
    except Exception:
        refusal(op, types)
    else:
        outs = op(*[zeros(t) for t in types])
        outs = outs if isinstance(outs, tuple) else (outs,)
        try:
            tg.evaluate(outs)
        except tg.IndexRangeError:  # no index is in range of an axis without elements
            assert any(0 in t.shape for t in types)
        except (tg.SingularMatrixError, tg.InvalidValueError):  # zeros are a singular matrix, and false
            assert any(0 not in t.shape for t in types)
        else:
            assert [(y.value.shape, y.value.dtype) for y in outs] == [(y.shape, y.dtype) for y in outs]


@pytest.mark.parametrize("sample", SAMPLES)
def test_every_dtype_of_every_input_is_taken_or_refused(sample):
    types = types_of(sample)
    for i, kind in enumerate(types):
        for dtype in ANY:
            check_taken_or_refused(sample.op, [*types[:i], TensorType(kind.shape, dtype), *types[i + 1 :]])


@pytest.mark.parametrize("sample", SAMPLES)
def test_every_change_of_a_shape_is_taken_or_refused(sample):
    types = types_of(sample)
    for i, kind in enumerate(types):
        old = kind.shape
        grown = [(*old[:k], n + 1, *old[k + 1 :]) for k, n in enumerate(old)]
        shrunk = [(*old[:k], 0, *old[k + 1 :]) for k in range(len(old))]
        fewer = [(*old[:k], *old[k + 1 :]) for k in range(len(old))]
        for shape in [(), (1,), (2, *old), (*old, 1), *grown, *shrunk, *fewer]:
            check_taken_or_refused(sample.op, [*types[:i], TensorType(shape, kind.dtype), *types[i + 1 :]])


@pytest.mark.parametrize("sample", SAMPLES)
def test_another_number_of_inputs_is_refused(sample):
    types = types_of(sample)
    assert isinstance(refusal(sample.op, types[:-1]), (tg.ShapeError, tg.DTypeError))
    assert isinstance(refusal(sample.op, [*types, types[-1]]), (tg.ShapeError, tg.DTypeError))
    refusal(sample.op, [])


@pytest.mark.parametrize("cls", [c for c in OPS if c not in WITH_INPUTS and c.domain()], ids=lambda c: c.name)
def test_an_op_without_inputs_refuses_one(cls):
    refusal(cls.domain()[0].op, [TensorType((2,), float32)])


@pytest.mark.parametrize("sample", [p for p in SAMPLES if any(s.like not in FREE for s in p.values[0].inputs)])
def test_floating_point_is_refused_where_an_index_or_a_condition_is_wanted(sample):
    types = types_of(sample)
    for i, spec in enumerate(sample.inputs):
        if spec.like not in FREE:
            wrong = [*types[:i], replace_dtype(types[i], float32), *types[i + 1 :]]
            assert isinstance(refusal(sample.op, wrong), tg.DTypeError)


def replace_dtype(kind, dtype):
    return TensorType(kind.shape, dtype)


@pytest.mark.parametrize("sample", [p for p in SAMPLES if any(s.like == "index" for s in p.values[0].inputs)])
def test_booleans_are_refused_for_an_index_and_every_integer_is_taken(sample):
    types = types_of(sample)
    for place in [i for i, spec in enumerate(sample.inputs) if spec.like == "index"]:
        wrong = [replace_dtype(t, bool_) if i == place else t for i, t in enumerate(types)]
        assert isinstance(refusal(sample.op, wrong), tg.DTypeError)
        for dtype in INTEGER:
            sample.op.output_types(tuple(replace_dtype(t, dtype) if i == place else t for i, t in enumerate(types)))


@pytest.mark.parametrize("sample", [p for p in SAMPLES if sum(s.like in FREE for s in p.values[0].inputs) > 1])
def test_two_dtypes_are_refused_where_one_is_wanted(sample):
    types = types_of(sample)
    free = [i for i, spec in enumerate(sample.inputs) if spec.like in FREE]
    for i in free:
        wrong = [
            replace_dtype(t, float32 if t.dtype != float32 else int8) if k == i else t for k, t in enumerate(types)
        ]
        assert isinstance(refusal(sample.op, wrong), tg.DTypeError)
