"""The sparsemax of Martins and Astudillo (2016), arXiv:1602.02068, and its loss."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name


@tf_export("contrib.sparsemax.sparsemax")
def sparsemax(logits: Any, name: Name = None) -> Any:
    """The nearest probabilities to each row, most of them 0.

    Args:
      logits: float tensor [batch, classes].
      name: scope of the ops.

    Returns:
      A tensor of the same shape; rows without a finite maximum are NaN.
    """
    with ops.name_scope(name, "sparsemax", [logits]) as name:
        logits = ops.convert_to_tensor(logits, name="logits")
        rows = array_ops.shape(logits)[0]
        classes = array_ops.shape(logits)[1]
        dtype = logits.dtype
        descending, _ = nn_ops.top_k(logits, k=classes)
        sums = math_ops.cumsum(descending, axis=1)
        numbers = math_ops.range(1, math_ops.cast(classes, dtype) + 1, dtype=dtype)
        in_support = 1 + numbers * descending > sums
        size = math_ops.reduce_sum(math_ops.cast(in_support, dtypes.int32), axis=1)
        # None is in the support where an element is infinite or NaN.
        safe_size = math_ops.maximum(size, 1)
        places = array_ops.stack([math_ops.range(0, rows), safe_size - 1], axis=1)
        threshold = (array_ops.gather_nd(sums, places) - 1) / math_ops.cast(size, dtype)
        zero = math_ops.cast(0, dtype)
        probs = math_ops.maximum(zero, logits - threshold[:, None])
        undefined = math_ops.logical_or(math_ops.equal(size, 0), math_ops.is_nan(sums[:, -1]))
        nans = array_ops.fill([rows, classes], math_ops.cast(float("nan"), dtype))
        return array_ops.where(undefined, nans, probs)
