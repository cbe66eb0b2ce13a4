"""Sparse tensors as strings, variants or handles, and back (a part of TF's sparse_ops)."""

from __future__ import annotations

from typing import Any

from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.operation import Operation
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, Name

__all__ = [
    "_add_many_sparse_to_tensors_map",
    "_add_sparse_to_tensors_map",
    "_take_many_sparse_from_tensors_map",
    "deserialize_many_sparse",
    "deserialize_sparse",
    "serialize_many_sparse",
    "serialize_many_sparse_v2",
    "serialize_sparse",
    "serialize_sparse_v2",
]


def _parts(sp_input: Any) -> tuple[Any, Any, Any]:
    sp_input = sparse_ops._convert_to_sparse_tensor(sp_input)
    return sp_input.indices, sp_input.values, sp_input.dense_shape


def _of_rank(parts: Any, rank: Any) -> SparseTensor:
    indices, values, shape = parts
    indices.set_shape([None, rank])
    shape.set_shape([rank])
    return SparseTensor(indices, values, shape)


@tf_export("io.serialize_sparse", "serialize_sparse")
def serialize_sparse(
    sp_input: Any, name: Name = None, out_type: DTypeLike = dtypes.string
) -> Tensor:
    """A sparse tensor as a vector of its three parts.

    Args:
      sp_input: a SparseTensor.
      name: the operation's name.
      out_type: string or variant.

    Returns:
      A tensor [3] of `out_type`.
    """
    return serialize_sparse_v2(sp_input, out_type, name)


@tf_export("compat.v2.io.serialize_sparse")
def serialize_sparse_v2(
    sp_input: Any, out_type: DTypeLike = dtypes.string, name: Name = None
) -> Tensor:
    """As `serialize_sparse`.

    Args:
      sp_input, out_type, name: as in `serialize_sparse`.

    Returns:
      As `serialize_sparse`.
    """
    return raw_ops.SerializeSparse(*_parts(sp_input), name=name, out_type=out_type)


@tf_export("io.serialize_many_sparse", "serialize_many_sparse")
def serialize_many_sparse(
    sp_input: Any, name: Name = None, out_type: DTypeLike = dtypes.string
) -> Tensor:
    """The rows (in the first dimension) of a sparse tensor, each as a vector of its three parts.

    Args:
      sp_input: a SparseTensor of rank 2 or more.
      name: the operation's name.
      out_type: string or variant.

    Returns:
      A tensor [rows, 3] of `out_type`.
    """
    return serialize_many_sparse_v2(sp_input, out_type, name)


@tf_export("compat.v2.io.serialize_many_sparse")
def serialize_many_sparse_v2(
    sp_input: Any, out_type: DTypeLike = dtypes.string, name: Name = None
) -> Tensor:
    """As `serialize_many_sparse`.

    Args:
      sp_input, out_type, name: as in `serialize_many_sparse`.

    Returns:
      As `serialize_many_sparse`.
    """
    return raw_ops.SerializeManySparse(*_parts(sp_input), name=name, out_type=out_type)


def deserialize_sparse(
    serialized_sparse: Any, dtype: DTypeLike, rank: Any = None, name: Name = None
) -> SparseTensor:
    """The sparse tensors of `serialize_sparse`, as one of their ranks more for the vectors' shape.

    Args:
      serialized_sparse: [..., 3] of strings or variants.
      dtype: the dtype of the values.
      rank: the rank of the result, if known.
      name: the operation's name.
    """
    return _of_rank(raw_ops.DeserializeSparse(serialized_sparse, dtype, name=name), rank)


@tf_export("io.deserialize_many_sparse", "deserialize_many_sparse")
def deserialize_many_sparse(
    serialized_sparse: Any, dtype: DTypeLike, rank: Any = None, name: Name = None
) -> SparseTensor:
    """Serialized sparse tensors as the rows of one.

    Args:
      serialized_sparse: a string tensor [rows, 3].
      dtype: the dtype of the values.
      rank: the rank of the result, if known.
      name: the operation's name.

    Returns:
      A SparseTensor whose first dimension is `rows`, and whose others are the largest of theirs.
    """
    return _of_rank(raw_ops.DeserializeManySparse(serialized_sparse, dtype, name=name), rank)


def _add_sparse_to_tensors_map(
    sp_input: Any, container: str | None = None, shared_name: str | None = None, name: Name = None
) -> Tensor:
    """A scalar handle of a sparse tensor that the session keeps until it is taken."""
    return raw_ops.AddSparseToTensorsMap(
        *_parts(sp_input), container=container, shared_name=shared_name, name=name
    )


def _add_many_sparse_to_tensors_map(
    sp_input: Any, container: str | None = None, shared_name: str | None = None, name: Name = None
) -> Tensor:
    """A vector of handles, one for each row of a sparse tensor."""
    return raw_ops.AddManySparseToTensorsMap(
        *_parts(sp_input), container=container, shared_name=shared_name, name=name
    )


def _take_many_sparse_from_tensors_map(
    sparse_map_op: Any, sparse_handles: Any, rank: Any = None, name: Name = None
) -> SparseTensor:
    """The sparse tensors of handles that `sparse_map_op` gave, as the rows of one."""
    if not isinstance(sparse_map_op, Operation):
        raise TypeError("sparse_map_op be an Operation")
    if sparse_map_op.type not in ("AddSparseToTensorsMap", "AddManySparseToTensorsMap"):
        raise TypeError(
            "sparse_map_op must be one of AddSparseToTensorsMap or AddSparseToTensorsMap. "
            f"Instead, found `{sparse_map_op.type}`."
        )
    with ops.colocate_with(sparse_map_op):
        shared_name = sparse_map_op.get_attr("shared_name") or sparse_map_op.name
        parts = raw_ops.TakeManySparseFromTensorsMap(
            sparse_handles,
            dtype=sparse_map_op.get_attr("T"),
            container=sparse_map_op.get_attr("container"),
            shared_name=shared_name,
            name=name,
        )
    return _of_rank(parts, rank)


# Last, as that module takes all that is above.
from tf1compat.api.sparse import sparse_ops  # noqa: E402
