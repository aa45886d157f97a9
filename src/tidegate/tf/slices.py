"""tf.IndexedSlices: rows of a tensor that is zero elsewhere, as the gradient of tf.gather gives them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import WeakSet

from tidegate.core import graph as core
from tidegate.core.dtypes import int32
from tidegate.core.graph import Node
from tidegate.functions.join import stack
from tidegate.functions.shape import reshape
from tidegate.ops.indexing import ScatterAdd
from tidegate.ops.layout import SizeValue
from tidegate.tf.convert import convert
from tidegate.tf.dtypes import DType
from tidegate.tf.graph import apply
from tidegate.tf.shapes import TensorShape
from tidegate.tf.tensor import Tensor

GATHERS: WeakSet[Node] = WeakSet()
"""The nodes of tf.gather along axis 0: their gradients are rows. Other reads of parts have dense ones."""


class IndexedSlices:
    """`values[i]` stands in row `indices[i]` of a tensor of shape `dense_shape`; rows of one index add up."""

    def __init__(self, values: Any, indices: Any, dense_shape: Any = None) -> None:
        self.values, self.indices = convert(values), convert(indices)
        self.dense_shape = None if dense_shape is None else convert(dense_shape)

    @property
    def dtype(self) -> DType:
        """The dtype of the values."""
        return self.values.dtype

    @property
    def shape(self) -> TensorShape:
        """The sizes of the dense tensor; unknown without a dense_shape."""
        if self.dense_shape is None:
            return TensorShape(None)
        return TensorShape(self.dense_shape.tensor.numpy().tolist())

    def __tf_tensor__(self) -> Tensor:
        op = ScatterAdd(tuple(self.shape.as_list()), 0)
        return apply("UnsortedSegmentSum", op, self.values, self.indices)

    def __repr__(self) -> str:
        return f"IndexedSlices(indices={self.indices!r}, values={self.values!r}, dense_shape={self.dense_shape!r})"


def sparse_or_dense(found: core.Tensor, told: Callable[[core.Tensor], Tensor]) -> Any:
    """A gradient that is nothing but a tf.gather's, as IndexedSlices; any other as it is."""
    node = found.node
    forward = None if node.origin is None else node.origin()
    if not isinstance(node.op, ScatterAdd) or forward not in GATHERS or not found.type.known:
        return told(found)
    values, indices = node.input_tensors()
    rows = reshape(values, (indices.size, *found.shape[1:]))
    shape = stack([SizeValue(n, int32)() for n in found.shape])
    return IndexedSlices(told(rows), told(reshape(indices, (indices.size,))), told(shape))
