"""Crosses of features (a part of TF's sparse_ops)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike

__all__ = ["_sparse_cross", "_sparse_cross_hashed", "sparse_cross", "sparse_cross_hashed"]

_DEFAULT_HASH_KEY = 0xDECAFCAFFE


@tf_export("sparse.cross")
def sparse_cross(inputs: TensorLike, name: Name = None) -> SparseTensor:
    """All combinations of the features that a row has, one of each input, as strings "a_X_b".

    Args:
      inputs: a list of SparseTensors and tensors of rank 2, of strings or ints.
      name: the operation's name.

    Returns:
      A SparseTensor of strings.

    Raises:
      TypeError: `inputs` is no such list.
    """
    return _sparse_cross_internal(inputs, False, name=name)


@tf_export("sparse.cross_hashed")
def sparse_cross_hashed(
    inputs: TensorLike, num_buckets: int = 0, hash_key: Any = None, name: Name = None
) -> SparseTensor:
    """As `sparse_cross`, of hashes.

    Args:
      inputs: a list of SparseTensors and tensors of rank 2, of strings or ints.
      num_buckets: take the hashes modulo this, if it is not 0.
      hash_key: what the hashes of the inputs are combined with.
      name: the operation's name.

    Returns:
      A SparseTensor of int64.
    """
    return _sparse_cross_internal(inputs, True, num_buckets, hash_key, name)


_sparse_cross = sparse_cross
_sparse_cross_hashed = sparse_cross_hashed


def _sparse_cross_internal(
    inputs: TensorLike,
    hashed_output: bool,
    num_buckets: int = 0,
    hash_key: Any = None,
    name: Name = None,
) -> SparseTensor:
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
    result = raw_ops.SparseCross(
        indices=[value.indices for value in sparse],
        values=values,
        shapes=[value.dense_shape for value in sparse],
        dense_inputs=dense,
        hashed_output=hashed_output,
        num_buckets=num_buckets,
        hash_key=hash_key or _DEFAULT_HASH_KEY,
        out_type=dtypes.int64 if hashed_output else dtypes.string,
        internal_type=internal_type,
        name=name,
    )
    return SparseTensor(*result)
