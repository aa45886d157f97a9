"""Tidegate: automatic differentiation in which a computation is a graph, and stop_gradient says what is constant."""

from math import e, inf, nan, pi

from tidegate import flow
from tidegate.api.control import cond
from tidegate.api.evaluate import evaluate
from tidegate.api.example import example
from tidegate.api.grad import grad, value_and_grad
from tidegate.api.gradients import gradients
from tidegate.api.jit import jit
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
    ExchangeError,
    GradientRefusedError,
    HistoryCutError,
    HistoryWarning,
    IndexRangeError,
    InvalidValueError,
    LeakError,
    NoValueError,
    OpDefinitionError,
    RetraceWarning,
    RuleError,
    ScalarRangeError,
    ShapeError,
    SingularMatrixError,
    StructureError,
    TidegateError,
)
from tidegate.core.graph import Tensor
from tidegate.core.show import show
from tidegate.functions.checks import ensure, print
from tidegate.functions.convert import asarray, broadcast_to
from tidegate.functions.creation import arange, full, ones, ones_like, zeros, zeros_like
from tidegate.functions.dtypes import astype, can_cast, finfo, iinfo, isdtype, result_type
from tidegate.functions.gates import prevent_gradient, stop_gradient
from tidegate.functions.indexing import take
from tidegate.functions.interchange import from_dlpack
from tidegate.functions.linalg import cholesky, matmul, solve_triangular
from tidegate.functions.math import (
    abs,
    add,
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
from tidegate.functions.namespace import API_VERSION, ArrayNamespaceInfo
from tidegate.functions.nn import log_softmax, softmax
from tidegate.functions.reduce import argmax, cumulative_prod, logsumexp, max, mean, sum, top_k
from tidegate.functions.shape import expand_dims, matrix_transpose, permute_dims, reshape, squeeze
from tidegate.runtime.config import HistoryBudget, config
from tidegate.runtime.install import fill_slots
from tidegate.runtime.leaks import leaks, strict_lazy
from tidegate.runtime.variable import Variable

fill_slots(globals())

newaxis = None
"""A new axis of size 1, in an index."""

__all__ = [
    "abs",
    "add",
    "arange",
    "argmax",
    "ArgumentError",
    "ArgumentTypeError",
    "asarray",
    "astype",
    "AxisError",
    "bfloat16",
    "bool",
    "broadcast_to",
    "can_cast",
    "cholesky",
    "complex",
    "complex128",
    "complex64",
    "cond",
    "config",
    "conj",
    "cos",
    "cumulative_prod",
    "divide",
    "DTypeError",
    "e",
    "ensure",
    "equal",
    "evaluate",
    "example",
    "ExchangeError",
    "exp",
    "expand_dims",
    "finfo",
    "float16",
    "float32",
    "float64",
    "floor",
    "flow",
    "from_dlpack",
    "full",
    "grad",
    "GradientRefusedError",
    "gradients",
    "greater",
    "greater_equal",
    "HistoryBudget",
    "HistoryCutError",
    "HistoryWarning",
    "iinfo",
    "imag",
    "IndexRangeError",
    "inf",
    "int16",
    "int32",
    "int64",
    "int8",
    "InvalidValueError",
    "isdtype",
    "jit",
    "jvp",
    "LeakError",
    "leaks",
    "less",
    "less_equal",
    "log",
    "log_softmax",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "logsumexp",
    "matmul",
    "matrix_transpose",
    "max",
    "maximum",
    "mean",
    "multiply",
    "nan",
    "negative",
    "newaxis",
    "not_equal",
    "NoValueError",
    "ones",
    "ones_like",
    "OpDefinitionError",
    "permute_dims",
    "pi",
    "positive",
    "pow",
    "prevent_gradient",
    "print",
    "real",
    "reshape",
    "result_type",
    "RetraceWarning",
    "RuleError",
    "ScalarRangeError",
    "ShapeError",
    "show",
    "sigmoid",
    "sign",
    "sin",
    "SingularMatrixError",
    "softmax",
    "solve_triangular",
    "sqrt",
    "square",
    "squeeze",
    "stop_gradient",
    "strict_lazy",
    "StructureError",
    "subtract",
    "sum",
    "take",
    "tanh",
    "Tensor",
    "TidegateError",
    "top_k",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "value_and_grad",
    "Variable",
    "vjp",
    "vmap",
    "where",
    "zeros",
    "zeros_like",
]

__array_api_version__ = API_VERSION
__array_namespace_info__ = ArrayNamespaceInfo
__version__ = "0.1.0"
