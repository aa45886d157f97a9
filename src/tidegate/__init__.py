"""Tidegate: automatic differentiation in which a computation is a graph, and stop_gradient says what is constant."""

from tidegate import flow
from tidegate.api.control import cond
from tidegate.api.example import example
from tidegate.api.grad import grad, value_and_grad
from tidegate.api.gradients import gradients
from tidegate.api.products import jvp, vjp
from tidegate.api.vmap import vmap
from tidegate.core.dtypes import (
    bfloat16,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from tidegate.core.dtypes import bool_ as bool
from tidegate.core.errors import (
    ArgumentError,
    ArgumentTypeError,
    AxisError,
    DTypeError,
    GradientRefusedError,
    IndexRangeError,
    NoValueError,
    OpDefinitionError,
    RuleError,
    ScalarRangeError,
    ShapeError,
    StructureError,
    TidegateError,
)
from tidegate.core.graph import Tensor
from tidegate.core.show import show
from tidegate.functions.convert import asarray, broadcast_to
from tidegate.functions.creation import arange, full, ones, ones_like, zeros, zeros_like
from tidegate.functions.gates import prevent_gradient, stop_gradient
from tidegate.functions.indexing import take
from tidegate.functions.linalg import cholesky, matmul, solve_triangular
from tidegate.functions.math import (
    abs,
    add,
    astype,
    complex,
    conj,
    cos,
    divide,
    equal,
    exp,
    floor,
    greater,
    greater_equal,
    imag,
    less,
    less_equal,
    log,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    maximum,
    multiply,
    negative,
    not_equal,
    positive,
    pow,
    real,
    sigmoid,
    sign,
    sin,
    sqrt,
    square,
    subtract,
    tanh,
    where,
)
from tidegate.functions.nn import log_softmax, softmax
from tidegate.functions.reduce import argmax, cumulative_prod, logsumexp, max, mean, sum, top_k
from tidegate.functions.shape import expand_dims, matrix_transpose, permute_dims, reshape, squeeze
from tidegate.runtime.evaluation import evaluate
from tidegate.runtime.install import fill_slots

fill_slots()

__version__ = "0.1.0"
