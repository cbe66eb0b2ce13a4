"""Joining, cutting and slicing sparse tensors (a part of TF's sparse_ops)."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.api.util.deprecation import deprecated_args, renamed
from tf1compat.core import dtypes, ops, raw_ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike

_MODULE = "tensorflow.python.ops.sparse_ops"

__all__ = [
    "KeywordRequired",
    "sparse_concat",
    "sparse_concat_v2",
    "sparse_slice",
    "sparse_split",
    "sparse_split_v2",
]


@tf_export("sparse.concat", "sparse_concat")
@deprecated_args(None, "concat_dim is deprecated, use axis instead", "concat_dim", module=_MODULE)
def sparse_concat(
    axis: Any, sp_inputs: Any, name: Name = None, expand_nonconcat_dim: bool = False,
    concat_dim: TensorLike | None = None, expand_nonconcat_dims: Any = None,
) -> SparseTensor:  # fmt: skip
    """Sparse tensors one after another along a dimension.

    Args:
      axis: an int.
      sp_inputs: a list of SparseTensors of one dtype and rank, in row-major order.
      name: the operation's name.
      expand_nonconcat_dim: let the other dimensions differ: the result has the largest.
      concat_dim: the old name of `axis`.
      expand_nonconcat_dims: another name of `expand_nonconcat_dim`.

    Returns:
      A `SparseTensor`.

    Raises:
      TypeError: `sp_inputs` is no list of SparseTensors.
    """
    expand = renamed(
        "expand_nonconcat_dims",
        expand_nonconcat_dims,
        "expand_nonconcat_dim",
        expand_nonconcat_dim,
    )
    return sparse_concat_v2(
        renamed("axis", axis, "concat_dim", concat_dim), sp_inputs, expand, name
    )


@tf_export("compat.v2.sparse.concat")
def sparse_concat_v2(
    axis: Any, sp_inputs: Any, expand_nonconcat_dims: bool = False, name: Name = None
) -> SparseTensor:
    """As `sparse_concat`.

    Args:
      axis, sp_inputs, name: as in `sparse_concat`.
      expand_nonconcat_dims: whether the other dimensions may differ.

    Returns:
      As `sparse_concat`.
    """
    sp_inputs = sparse_ops._convert_to_sparse_tensors(sp_inputs)
    if len(sp_inputs) == 1:
        return sp_inputs[0]
    shapes = [sp_input.dense_shape for sp_input in sp_inputs]
    if expand_nonconcat_dims:
        shapes = _expanded_shapes(shapes, axis)
    found = raw_ops.SparseConcat(
        [sp_input.indices for sp_input in sp_inputs],
        [sp_input.values for sp_input in sp_inputs],
        shapes,
        axis,
        name=name,
    )
    known = [tensor_util.constant_value(shape) for shape in shapes]
    output_shape: Any = found.output_shape
    if all(shape is not None for shape in known):
        output_shape = np.array(known[0])
        output_shape[axis] = sum(shape[axis] for shape in known)
        output_shape = ops.convert_to_tensor(output_shape)
    return SparseTensor(found.output_indices, found.output_values, output_shape)


def _expanded_shapes(shapes: list[Tensor], axis: int) -> list[Tensor]:
    """The shapes with the largest size of each dimension but `axis`."""
    rows = [array_ops.reshape(shape, [1, -1]) for shape in shapes]
    largest = math_ops.reduce_max(array_ops.concat(rows, 0), 0)
    return [_with_dimension(largest, shape, axis) for shape in shapes]


def _with_dimension(shape: Any, other: Any, axis: int) -> Tensor:
    """`shape` with the dimension `axis` of `other`."""
    parts = [
        shape[:axis],
        other[-1:] if axis == -1 else other[axis : axis + 1],
        [] if axis == -1 else shape[axis + 1 :],
    ]
    return array_ops.concat(parts, 0)


class KeywordRequired:
    """The default of an argument that makes those after it keyword arguments."""

    def __repr__(self) -> str:
        return "KeywordRequired()"


_KEYWORD_REQUIRED = KeywordRequired()


@tf_export("sparse.split", "sparse_split")
@deprecated_args(None, "split_dim is deprecated, use axis instead", "split_dim", module=_MODULE)
def sparse_split(
    keyword_required: Any = _KEYWORD_REQUIRED, sp_input: Any = None, num_split: Any = None,
    axis: TensorLike | None = None, name: Name = None, split_dim: TensorLike | None = None,
) -> list[SparseTensor]:  # fmt: skip
    """Cuts a sparse tensor along a dimension; the first parts are one longer if need be.

    Args:
      keyword_required: not to be given: the arguments have to be given by name.
      sp_input: a SparseTensor.
      num_split: how many parts, a Python int.
      axis: a scalar int.
      name: the operation's name.
      split_dim: the old name of `axis`.

    Returns:
      `num_split` `SparseTensor`s.

    Raises:
      ValueError: an argument is missing, or given by position.
    """
    if not isinstance(keyword_required, KeywordRequired):
        raise ValueError("Keyword arguments are required for this function.")
    for what, value in (("sp_input", sp_input), ("num_split", num_split), ("axis", axis)):
        if value is None:
            raise ValueError(f"{what} is required")
    axis = renamed("axis", axis, "split_dim", split_dim)
    sp_input = sparse_ops._convert_to_sparse_tensor(sp_input)
    parts = raw_ops.SparseSplit(
        axis, sp_input.indices, sp_input.values, sp_input.dense_shape, num_split, name=name
    )
    return [SparseTensor(*part) for part in zip(*parts, strict=True)]


@tf_export("compat.v2.sparse.split")
def sparse_split_v2(
    sp_input: Any = None, num_split: Any = None, axis: TensorLike | None = None, name: Name = None
) -> list[SparseTensor]:
    """As `sparse_split`.

    Args:
      sp_input, num_split, axis, name: as in `sparse_split`.

    Returns:
      As `sparse_split`.
    """
    return sparse_split(sp_input=sp_input, num_split=num_split, axis=axis, name=name)


@tf_export("sparse.slice", "sparse_slice")
def sparse_slice(
    sp_input: Any, start: TensorLike, size: TensorLike, name: Name = None
) -> SparseTensor:
    """A box out of a sparse tensor.

    Args:
      sp_input: a SparseTensor.
      start: an int vector: where the box begins.
      size: an int vector: how large it is; it ends where the tensor does.
      name: the operation's name.

    Returns:
      A `SparseTensor`.
    """
    sp_input = sparse_ops._convert_to_sparse_tensor(sp_input)
    start = ops.convert_to_tensor(start, dtypes.int64)
    size = ops.convert_to_tensor(size, dtypes.int64)
    with ops.name_scope(name, "SparseSlice", [sp_input]) as name:
        part = raw_ops.SparseSlice(
            sp_input.indices, sp_input.values, sp_input.dense_shape, start, size, name=name
        )
        return SparseTensor(*part)


# Last, as that module takes all that is above.
from tf1compat.api.sparse import sparse_ops  # noqa: E402
