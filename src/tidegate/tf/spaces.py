"""The namespaces within tf: tf.math, tf.nn, tf.linalg, tf.random, tf.raw_ops, tf.autodiff, tf.errors, tf.compat.v1."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from tidegate.tf import compat as _compat
from tidegate.tf import errors as _errors
from tidegate.tf.dtypes import DType, as_dtype
from tidegate.tf.forward import ForwardAccumulator
from tidegate.tf.gradients import gradients
from tidegate.tf.graph import Graph, get_default_graph
from tidegate.tf.names import gates as _gates
from tidegate.tf.names import linalg as _linalg
from tidegate.tf.names import math as _math
from tidegate.tf.names import nn as _nn
from tidegate.tf.names import places as _places
from tidegate.tf.names import random as _random
from tidegate.tf.names import reductions as _reductions
from tidegate.tf.placeholders import placeholder, placeholder_with_default
from tidegate.tf.session import Session
from tidegate.tf.tape import GradientTape
from tidegate.tf.variable import Variable


def _space(_space_name: str, _doc: str, **names: Any) -> Any:
    """A namespace: tf.math and kin."""
    made = ModuleType(f"tidegate.tf.{_space_name}", _doc)
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
        _places,
        names="abs acos acosh add add_n angle argmax argmin asin asinh atan atan2 atanh ceil conj cos cosh cumprod "
        "cumsum cumulative_logsumexp digamma divide divide_no_nan equal erf erfc erfinv exp expm1 floor "
        "floordiv floormod greater greater_equal imag is_finite is_inf is_nan l2_normalize less less_equal "
        "lgamma log log1p log_sigmoid log_softmax logical_and logical_not logical_or logical_xor maximum "
        "minimum multiply multiply_no_nan ndtri negative not_equal pow real reciprocal reciprocal_no_nan "
        "reduce_all reduce_any reduce_euclidean_norm reduce_logsumexp reduce_max reduce_mean reduce_min "
        "reduce_prod reduce_std reduce_sum reduce_variance rint round rsqrt sigmoid sign sin sinh softmax "
        "softplus sqrt square squared_difference subtract tan tanh top_k xdivy xlog1py xlogy "
        "segment_max segment_mean segment_min segment_sum unsorted_segment_max unsorted_segment_mean "
        "unsorted_segment_sum",
    ),
)
nn = _space(
    "nn",
    "tf.nn: activations, softmax and losses on logits.",
    sigmoid=_math.sigmoid,
    tanh=_math.tanh,
    top_k=_math.top_k,
    **_public(
        _nn,
        _places,
        names="bias_add embedding_lookup elu gelu l2_loss l2_normalize leaky_relu log_softmax moments relu relu6 selu "
        "sigmoid_cross_entropy_with_logits silu softmax softmax_cross_entropy_with_logits softplus softsign "
        "sparse_softmax_cross_entropy_with_logits",
    ),
)
nn.swish = _nn.silu
linalg = _space(
    "linalg",
    "tf.linalg: products of matrices and norms.",
    norm=_reductions.norm,
    l2_normalize=_nn.l2_normalize,
    **_public(
        _linalg,
        _places,
        names="adjoint band_part cholesky diag_part einsum global_norm matmul matrix_transpose matvec tensordot trace",
    ),
)
raw_ops = _space("raw_ops", "tf.raw_ops: operations by their own names, all arguments by keyword.")
raw_ops.StopGradient = _gates.raw_stop_gradient
raw_ops.PreventGradient = _gates.raw_prevent_gradient
random = _space(
    "random",
    "tf.random: random numbers.",
    **_public(_random, names="normal set_seed stateless_normal stateless_uniform uniform"),
)
autodiff = _space("autodiff", "tf.autodiff.", ForwardAccumulator=ForwardAccumulator, GradientTape=GradientTape)
dtypes = _space("dtypes", "tf.dtypes.", DType=DType, as_dtype=as_dtype, cast=_math.cast)
errors = _space("errors", "tf.errors: exceptions.", **_public(
    _errors, names="FailedPreconditionError InvalidArgumentError NotFoundError OpError"))  # fmt: skip
compat = _space("compat", "tf.compat.")
compat.v1 = _space(
    "compat.v1",
    "tf.compat.v1: graphs and sessions.",
    Graph=Graph,
    Session=Session,
    Variable=Variable,
    get_default_graph=get_default_graph,
    gradients=gradients,
    placeholder=placeholder,
    placeholder_with_default=placeholder_with_default,
    stop_gradient=_gates.stop_gradient,
    **_public(
        _compat,
        names="get_variable global_variables global_variables_initializer group no_op ones_initializer "
        "trainable_variables variables_initializer zeros_initializer",
    ),
)
