"""`tensorflow.contrib.libsvm.python.ops.libsvm_ops`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import raw_ops
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.typing import DTypeLike


@deprecated(
    None,
    "tf.contrib.libsvm will be removed in 2.0, the support for libsvm format will continue to be "
    "provided in tensorflow-io: https://github.com/tensorflow/io",
)
def decode_libsvm(
    content: Any, num_features: int, dtype: DTypeLike | None = None, label_dtype: Any = None
) -> tuple[SparseTensor, Any]:
    """Labels and features of lines `label index:value index:value …`.

    Args:
      content: strings of any shape, each a line.
      num_features: the size of the features' last dimension; indices are not compared with it.
      dtype: the features' type: float32 (default), float64, int32 or int64.
      label_dtype: the labels' type, one of the same; int64 by default.

    Returns:
      A `SparseTensor` of shape [*content.shape, num_features], and labels of `content`'s shape.

    Raises:
      InvalidArgumentError: when it runs, for what is no such line.
    """
    labels, indices, values, shape = raw_ops.DecodeLibsvm(
        content, num_features=num_features, dtype=dtype, label_dtype=label_dtype
    )
    return SparseTensor(indices, values, shape), labels
