"""`tensorflow.python.ops.histogram_ops`: counting values by bins of equal width."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.math import clip_ops, math_ops
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, Name


@tf_export("histogram_fixed_width_bins")
def histogram_fixed_width_bins(
    values: Any,
    value_range: Any,
    nbins: Any = 100,
    dtype: DTypeLike = dtypes.int32,
    name: Name = None,
) -> Tensor:
    """The bin that each value falls into.

    Args:
      values: numbers.
      value_range: two numbers of the same dtype; values below the first count for the first bin,
        those above the second for the last.
      nbins: how many bins there are.
      dtype: accepted; the result is int32, as in TF 1.15.
      name: the name scope.

    Returns:
      An int32 tensor of the shape of `values`.
    """
    with ops.name_scope(name, "histogram_fixed_width_bins", [values, value_range, nbins]):
        values = ops.convert_to_tensor(values, name="values")
        shape = array_ops.shape(values)
        values = array_ops.reshape(values, [-1])
        value_range = ops.convert_to_tensor(value_range, name="value_range")
        nbins = ops.convert_to_tensor(nbins, dtype=dtypes.int32, name="nbins")
        count = math_ops.cast(nbins, values.dtype)
        above = values - value_range[0]
        width = value_range[1] - value_range[0]
        scaled = math_ops.truediv(above, width, name="scaled_values")
        indices = math_ops.floor(count * scaled, name="indices")
        indices = math_ops.cast(clip_ops.clip_by_value(indices, 0, count - 1), dtypes.int32)
        return array_ops.reshape(indices, shape)


@tf_export("histogram_fixed_width")
def histogram_fixed_width(
    values: Any,
    value_range: Any,
    nbins: Any = 100,
    dtype: DTypeLike = dtypes.int32,
    name: Name = None,
) -> Tensor:
    """How many values fall into each bin; see `histogram_fixed_width_bins`.

    Args:
      values, value_range, nbins, name: as in `histogram_fixed_width_bins`.
      dtype: the dtype of the counts.

    Returns:
      A vector of `nbins` integers of `dtype`.
    """
    scope = ops.name_scope(name, "histogram_fixed_width", [values, value_range, nbins])
    with scope as name:
        return raw_ops.HistogramFixedWidth(values, value_range, nbins, dtype=dtype, name=name)
