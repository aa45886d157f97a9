"""TensorFlow's names, over Tidegate's graph, gradient builder and `stop_gradient`: `from tidegate import tf`.

How it is made:

- A `tf.Tensor` is a view: it holds one of the graph's tensors, and adds TensorFlow's dtype, shape, strictness (nothing
  is promoted) and, in a graph, the record of its operation. The graph's own tensors know nothing of it. At the prompt
  it is lazy like any other, and has a value as soon as one is asked for.
- A `tf.Graph` holds records, one per TensorFlow operation (type, name, inputs, outputs, control inputs), over any
  number of primitives. All functions make their operation through one door, `graph.apply`. The gradient builder's nodes
  get records under `gradients/`.
- A `tf.GradientTape` holds intervals of creation numbers, and since when each watched tensor is watched. A node is
  recorded if it was made in an interval, from something recorded or watched before; what recorded nodes read besides
  is where nothing flows through. A ForwardAccumulator is the same, asked in the other direction.
- A `tf.Variable` holds a version for each value it had; each read is a node, so a tape knows what was read when, and
  the gradient for a variable is the sum over its reads.
- A `tf.function` is traced into a graph for each signature and called as one op; variables are hidden inputs and
  outputs.
- A `Session` runs records in the order in which they were made: reads and assignments of variables happen there, all
  else is computed at once by a program kept for the same fetches, feeds and sizes. Where sizes that aren't known turn
  out other than the graph was built for, it is made again from its records.
"""

from types import ModuleType
from typing import Any

from tidegate.tf import compat as _compat
from tidegate.tf import errors as _errors
from tidegate.tf import nest
from tidegate.tf.convert import constant, convert_to_tensor
from tidegate.tf.dtypes import (
    DType,
    as_dtype,
    bfloat16,
    complex64,
    complex128,
    double,
    float16,
    float32,
    float64,
    half,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from tidegate.tf.dtypes import bool_ as bool
from tidegate.tf.forward import ForwardAccumulator
from tidegate.tf.function import TensorSpec, function
from tidegate.tf.gradients import gradients, hessians
from tidegate.tf.graph import (
    Graph,
    Operation,
    control_dependencies,
    executing_eagerly,
    get_default_graph,
    name_scope,
)
from tidegate.tf.names import arrays as _arrays
from tidegate.tf.names import gates as _gates
from tidegate.tf.names import linalg as _linalg
from tidegate.tf.names import math as _math
from tidegate.tf.names import nn as _nn
from tidegate.tf.names import reductions as _reductions
from tidegate.tf.names.arrays import (
    argsort,
    boolean_mask,
    broadcast_to,
    concat,
    expand_dims,
    eye,
    fill,
    gather,
    linspace,
    meshgrid,
    one_hot,
    ones,
    ones_like,
    pad,
    range,
    rank,
    reshape,
    reverse,
    roll,
    size,
    sort,
    split,
    squeeze,
    stack,
    tile,
    transpose,
    unstack,
    where,
    zeros,
    zeros_like,
)
from tidegate.tf.names.arrays import shape_of as shape
from tidegate.tf.names.control import (
    case,
    cond,
    foldl,
    foldr,
    map_fn,
    scan,
    switch_case,
    vectorized_map,
    while_loop,
)
from tidegate.tf.names.custom import custom_gradient, grad_pass_through, recompute_grad
from tidegate.tf.names.gates import identity, identity_n, stop_gradient
from tidegate.tf.names.linalg import (
    clip_by_global_norm,
    clip_by_norm,
    einsum,
    matmul,
    tensordot,
)
from tidegate.tf.names.math import (
    abs,
    acos,
    acosh,
    add,
    add_n,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    cast,
    clip_by_value,
    complex,
    cos,
    cosh,
    cumsum,
    divide,
    equal,
    exp,
    floor,
    greater,
    greater_equal,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    maximum,
    minimum,
    multiply,
    negative,
    not_equal,
    pow,
    round,
    sigmoid,
    sign,
    sin,
    sinh,
    sqrt,
    square,
    subtract,
    tan,
    tanh,
)
from tidegate.tf.names.operators import install
from tidegate.tf.names.reductions import (
    argmax,
    argmin,
    norm,
    reduce_all,
    reduce_any,
    reduce_logsumexp,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_sum,
)
from tidegate.tf.placeholders import placeholder as _placeholder
from tidegate.tf.placeholders import placeholder_with_default as _placeholder_with_default
from tidegate.tf.session import Session as _Session
from tidegate.tf.shapes import TensorShape
from tidegate.tf.slices import IndexedSlices
from tidegate.tf.tape import GradientTape
from tidegate.tf.tensor import Tensor
from tidegate.tf.unconnected import AggregationMethod, UnconnectedGradients
from tidegate.tf.variable import Variable

install()

newaxis = None
"""A new axis of size 1, in an index."""


def _space(_space_name: str, _doc: str, **names: Any) -> Any:
    """A namespace: tf.math and kin."""
    made = ModuleType(f"{__name__}.{_space_name}", _doc)
    made.__dict__.update(names)
    return made


def _public(*modules: ModuleType, names: str) -> dict[str, Any]:
    """The functions of `modules` that are told."""
    return {n: next(getattr(m, n) for m in modules if hasattr(m, n)) for n in names.split()}


math = _space(
    "math",
    "tf.math: elementwise functions and reductions.",
    **_public(
        _math,
        _reductions,
        _nn,
        names="abs acos acosh add add_n angle argmax argmin asin asinh atan atan2 atanh ceil conj cos cosh cumprod "
        "cumsum cumulative_logsumexp digamma divide divide_no_nan equal erf erfc erfinv exp expm1 floor "
        "floordiv floormod greater greater_equal imag is_finite is_inf is_nan l2_normalize less less_equal "
        "lgamma log log1p log_sigmoid log_softmax logical_and logical_not logical_or logical_xor maximum "
        "minimum multiply multiply_no_nan ndtri negative not_equal pow real reciprocal reciprocal_no_nan "
        "reduce_all reduce_any reduce_euclidean_norm reduce_logsumexp reduce_max reduce_mean reduce_min "
        "reduce_prod reduce_std reduce_sum reduce_variance rint round rsqrt sigmoid sign sin sinh softmax "
        "softplus sqrt square squared_difference subtract tan tanh top_k xdivy xlog1py xlogy",
    ),
)
nn = _space(
    "nn",
    "tf.nn: activations, softmax and losses on logits.",
    sigmoid=sigmoid,
    tanh=tanh,
    top_k=_math.top_k,
    **_public(
        _nn,
        names="elu gelu l2_loss l2_normalize leaky_relu log_softmax moments relu relu6 selu "
        "sigmoid_cross_entropy_with_logits silu softmax softmax_cross_entropy_with_logits softplus softsign "
        "sparse_softmax_cross_entropy_with_logits",
    ),
)
nn.swish = _nn.silu
linalg = _space(
    "linalg",
    "tf.linalg: products of matrices and norms.",
    norm=norm,
    l2_normalize=_nn.l2_normalize,
    **_public(
        _linalg,
        names="adjoint cholesky diag_part einsum global_norm matmul matrix_transpose matvec tensordot trace",
    ),
)
raw_ops = _space("raw_ops", "tf.raw_ops: operations by their own names, all arguments by keyword.")
raw_ops.StopGradient = _gates.raw_stop_gradient
raw_ops.PreventGradient = _gates.raw_prevent_gradient
autodiff = _space("autodiff", "tf.autodiff.", ForwardAccumulator=ForwardAccumulator, GradientTape=GradientTape)
dtypes = _space("dtypes", "tf.dtypes.", DType=DType, as_dtype=as_dtype, cast=cast)
errors = _space("errors", "tf.errors: exceptions.", **_public(
    _errors, names="FailedPreconditionError InvalidArgumentError NotFoundError OpError"))  # fmt: skip
compat = _space("compat", "tf.compat.")
compat.v1 = _space(
    "compat.v1",
    "tf.compat.v1: graphs and sessions.",
    Graph=Graph,
    Session=_Session,
    Variable=Variable,
    get_default_graph=get_default_graph,
    gradients=gradients,
    placeholder=_placeholder,
    placeholder_with_default=_placeholder_with_default,
    stop_gradient=stop_gradient,
    **_public(
        _compat,
        names="get_variable global_variables global_variables_initializer group no_op ones_initializer "
        "trainable_variables variables_initializer zeros_initializer",
    ),
)
group, no_op = _compat.group, _compat.no_op

__all__ = [
    "abs",
    "acos",
    "acosh",
    "add",
    "add_n",
    "AggregationMethod",
    "argmax",
    "argmin",
    "argsort",
    "as_dtype",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "autodiff",
    "bfloat16",
    "bool",
    "boolean_mask",
    "broadcast_to",
    "case",
    "cast",
    "clip_by_global_norm",
    "clip_by_norm",
    "clip_by_value",
    "compat",
    "complex",
    "complex128",
    "complex64",
    "concat",
    "cond",
    "constant",
    "control_dependencies",
    "convert_to_tensor",
    "cos",
    "cosh",
    "cumsum",
    "custom_gradient",
    "divide",
    "double",
    "DType",
    "dtypes",
    "einsum",
    "equal",
    "errors",
    "executing_eagerly",
    "exp",
    "expand_dims",
    "eye",
    "fill",
    "float16",
    "float32",
    "float64",
    "floor",
    "foldl",
    "foldr",
    "ForwardAccumulator",
    "function",
    "gather",
    "get_default_graph",
    "grad_pass_through",
    "gradients",
    "GradientTape",
    "Graph",
    "greater",
    "greater_equal",
    "group",
    "half",
    "hessians",
    "identity",
    "identity_n",
    "IndexedSlices",
    "int16",
    "int32",
    "int64",
    "int8",
    "less",
    "less_equal",
    "linalg",
    "linspace",
    "logical_and",
    "logical_not",
    "logical_or",
    "map_fn",
    "math",
    "matmul",
    "maximum",
    "meshgrid",
    "minimum",
    "multiply",
    "name_scope",
    "negative",
    "nest",
    "newaxis",
    "nn",
    "no_op",
    "norm",
    "not_equal",
    "one_hot",
    "ones",
    "ones_like",
    "Operation",
    "pad",
    "pow",
    "range",
    "rank",
    "raw_ops",
    "recompute_grad",
    "reduce_all",
    "reduce_any",
    "reduce_logsumexp",
    "reduce_max",
    "reduce_mean",
    "reduce_min",
    "reduce_prod",
    "reduce_sum",
    "reshape",
    "reverse",
    "roll",
    "round",
    "scan",
    "shape",
    "sigmoid",
    "sign",
    "sin",
    "sinh",
    "size",
    "sort",
    "split",
    "sqrt",
    "square",
    "squeeze",
    "stack",
    "stop_gradient",
    "subtract",
    "switch_case",
    "tan",
    "tanh",
    "Tensor",
    "tensordot",
    "TensorShape",
    "TensorSpec",
    "tile",
    "transpose",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "UnconnectedGradients",
    "unstack",
    "Variable",
    "vectorized_map",
    "where",
    "while_loop",
    "zeros",
    "zeros_like",
]
