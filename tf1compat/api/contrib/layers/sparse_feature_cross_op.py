"""Crosses of features (`tensorflow.contrib.layers.python.ops.sparse_feature_cross_op`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.math import math_ops
from tf1compat.api.util.deprecation import deprecated_arg_values
from tf1compat.core import dtypes, raw_ops
from tf1compat.core.export import export_constant
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name

__all__ = ["SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY", "sparse_feature_cross"]

SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY = 956888297470
export_constant(
    "contrib.layers.SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY", SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY
)


@deprecated_arg_values(
    "2016-11-20",
    "The default behavior of sparse_feature_cross is changing, the default\n"
    "value for hash_key will change to SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY.\n"
    "From that point on sparse_feature_cross will always use FingerprintCat64\n"
    "to concatenate the feature fingerprints. And the underlying\n"
    "_sparse_feature_cross_op.sparse_feature_cross operation will be marked\n"
    "as deprecated.",
    hash_key=None,
)
def sparse_feature_cross(
    inputs: Any, hashed_output: bool = False, num_buckets: int = 0, name: Name = None,
    hash_key: Any = None,
) -> SparseTensor:  # fmt: skip
    """All combinations of the features that a row has, one of each input.

    Args:
      inputs: a list of SparseTensors and tensors of rank 2, of strings or ints.
      hashed_output: hashes (int64) instead of strings "a_X_b".
      num_buckets: take the hashes modulo this, if it is not 0.
      name: the operation's name.
      hash_key: what the hashes are combined with; None for an older way of combining them.

    Returns:
      A SparseTensor.

    Raises:
      TypeError: `inputs` is no such list.
    """
    if not isinstance(inputs, list):
        raise TypeError("Inputs must be a list")
    if not all(isinstance(value, SparseTensor | Tensor) for value in inputs):
        raise TypeError("All inputs must be SparseTensors")
    sparse = [value for value in inputs if isinstance(value, SparseTensor)]
    dense = [value for value in inputs if not isinstance(value, SparseTensor)]
    values = [value.values for value in sparse]
    internal_type = dtypes.string
    for found in (values, dense):
        for i, value in enumerate(found):
            if value.dtype != dtypes.string:
                found[i] = math_ops.cast(value, dtypes.int64)
                internal_type = dtypes.int64
    settings = {
        "hashed_output": hashed_output, "num_buckets": num_buckets, "name": name,
        "out_type": dtypes.int64 if hashed_output else dtypes.string,
        "internal_type": internal_type,
    }  # fmt: skip
    indices = [value.indices for value in sparse]
    shapes = [value.dense_shape for value in sparse]
    if hash_key:
        result = raw_ops.SparseFeatureCrossV2(
            indices, values, shapes, dense, hash_key=hash_key, **settings
        )
    else:
        result = raw_ops.SparseFeatureCross(indices, values, shapes, dense, **settings)
    return SparseTensor(*result)
