"""Sequences: masks, reversal, repetition, search, distinct elements (a part of TF's array_ops)."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array.constant_op import constant_v1 as constant
from tf1compat.api.array.gather_ops import boolean_mask, gather
from tf1compat.api.util.deprecation import deprecated, deprecated_args, renamed
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.indexed_slices import IndexedSlices
from tf1compat.core.sparse_tensor import is_sparse
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, Name, TensorLike

_MODULE = "tensorflow.python.ops.array_ops"

__all__ = [
    "convert_to_int_tensor",
    "edit_distance",
    "get_positive_axis",
    "listdiff",
    "repeat",
    "repeat_with_axis",
    "reverse_sequence",
    "reverse_sequence_v2",
    "searchsorted",
    "sequence_mask",
    "setdiff1d",
    "sparse_mask",
    "tile_one_dimension",
    "unique",
    "unique_with_counts",
    "unravel_index",
]


# Distinct elements.


@tf_export("unique")
def unique(x: TensorLike, out_idx: Any = dtypes.int32, name: Name = None) -> Any:
    """The distinct elements of a vector in order of appearance, and for each element which one it
    is.

    Args:
      x: a vector of any dtype.
      out_idx: int32 or int64.
      name: the operation's name.

    Returns:
      (values [n], indices [size of x] of dtype `out_idx`).
    """
    return raw_ops.Unique(x, out_idx=out_idx, name=name)


@tf_export("unique_with_counts")
def unique_with_counts(x: TensorLike, out_idx: Any = dtypes.int32, name: Name = None) -> Any:
    """As `unique`, with how often each occurs.

    Args:
      x: a vector of any dtype.
      out_idx: int32 or int64.
      name: the operation's name.

    Returns:
      (values [n], indices [size of x], counts [n]), the last two of dtype `out_idx`.
    """
    return raw_ops.UniqueWithCounts(x, out_idx=out_idx, name=name)


@deprecated(
    "2016-11-30",
    "This op will be removed after the deprecation date. Please switch to tf.setdiff1d().",
    module=_MODULE,
)
def listdiff(x: TensorLike, y: TensorLike, out_idx: Any = None, name: Name = None) -> Any:
    """As `setdiff1d`."""
    return raw_ops.ListDiff(x, y, out_idx, name=name)


@tf_export("setdiff1d")
@deprecated(
    "2018-11-30",
    "This op will be removed after the deprecation date. Please switch to tf.sets.difference().",
    module=_MODULE,
)
def setdiff1d(
    x: TensorLike, y: TensorLike, index_dtype: Any = dtypes.int32, name: Name = None
) -> Any:
    """The elements of the vector `x` that are not in `y`, and where they are.

    Args:
      x, y: vectors of one dtype.
      index_dtype: int32 or int64.
      name: the operation's name.

    Returns:
      (values [n], positions in `x` [n] of `index_dtype`).
    """
    return raw_ops.ListDiff(x, y, index_dtype, name=name)


@tf_export("sparse.mask", "sparse_mask")
def sparse_mask(a: IndexedSlices, mask_indices: Any, name: Name = None) -> IndexedSlices:
    """The slices of `a` whose indices are not among `mask_indices`.

    Args:
      a: IndexedSlices.
      mask_indices: a vector of indices.
      name: the operation's name.

    Returns:
      IndexedSlices of the same dense shape.
    """
    with ops.name_scope(name, "sparse_mask", [a, mask_indices]) as name:
        kept, places = raw_ops.ListDiff(a.indices, mask_indices)
        return IndexedSlices(gather(a.values, places, name=name), kept, a.dense_shape)


# Masks and reversal.


def _all_dimensions(x: TensorLike) -> Any:
    """All dimensions of `x` as an int vector, constant where the rank is known."""
    if isinstance(x, Tensor) and x._shape is not None:
        return constant(np.arange(len(x._shape)), dtype=dtypes.int32)
    return raw_ops.Range(0, array_ops.rank(x), 1)


@tf_export("sequence_mask")
def sequence_mask(
    lengths: TensorLike,
    maxlen: Any = None,
    dtype: DTypeLike | None = dtypes.bool,
    name: Name = None,
) -> Tensor:
    """Masks that are true for the first `lengths` positions of `maxlen`.

    Args:
      lengths: ints of any shape.
      maxlen: a scalar int; the largest of `lengths` if None.
      dtype: of the result.
      name: the operation's name.

    Returns:
      A tensor of `dtype`, of the shape of `lengths` and then [maxlen].

    Raises:
      ValueError: `maxlen` is no scalar.
    """
    with ops.name_scope(name, "SequenceMask", [lengths, maxlen]):
        lengths = ops.convert_to_tensor(lengths)
        if maxlen is None:
            maxlen = raw_ops.Max(lengths, _all_dimensions(lengths))
            maxlen = raw_ops.Maximum(constant(0, maxlen.dtype), maxlen)
        else:
            maxlen = ops.convert_to_tensor(maxlen)
        if maxlen._shape is not None and len(maxlen._shape) != 0:
            raise ValueError("maxlen must be scalar for sequence_mask")
        row = raw_ops.Range(constant(0, maxlen.dtype), maxlen, constant(1, maxlen.dtype))
        matrix = raw_ops.Cast(array_ops.expand_dims(lengths, -1), DstT=maxlen.dtype)
        result = row < matrix
        if dtype is None or result.dtype.base_dtype == dtypes.as_dtype(dtype).base_dtype:
            return result
        return raw_ops.Cast(result, DstT=dtype)


@tf_export("reverse_sequence")
@deprecated_args(None, "seq_dim is deprecated, use seq_axis instead", "seq_dim", module=_MODULE)
@deprecated_args(
    None, "batch_dim is deprecated, use batch_axis instead", "batch_dim", module=_MODULE
)
def reverse_sequence(
    input: TensorLike, seq_lengths: TensorLike, seq_axis: Any = None, batch_axis: Any = None,
    name: Name = None,
    seq_dim: Any = None, batch_dim: Any = None,
) -> Tensor:  # fmt: skip
    """Reverses the first `seq_lengths[i]` elements along `seq_axis` of each slice i along
    `batch_axis`.

    Args:
      input: a tensor of any dtype.
      seq_lengths: int32 or int64 [the size along `batch_axis`].
      seq_axis, batch_axis: ints.
      seq_dim, batch_dim: the older names of these.
      name: the operation's name.

    Returns:
      A tensor like `input`.
    """
    seq_axis = renamed("seq_axis", seq_axis, "seq_dim", seq_dim)
    batch_axis = renamed("batch_axis", batch_axis, "batch_dim", batch_dim)
    return raw_ops.ReverseSequence(
        input, seq_lengths, seq_dim=seq_axis, batch_dim=batch_axis, name=name
    )


@tf_export("compat.v2.reverse_sequence")
def reverse_sequence_v2(
    input: TensorLike,
    seq_lengths: TensorLike,
    seq_axis: Any = None,
    batch_axis: Any = None,
    name: Name = None,
) -> Tensor:
    """As `reverse_sequence`.

    Args:
      input, seq_lengths, seq_axis, batch_axis, name: as in `reverse_sequence`.

    Returns:
      As `reverse_sequence`.
    """
    return raw_ops.ReverseSequence(
        input, seq_lengths, seq_dim=seq_axis, batch_dim=batch_axis, name=name
    )


@tf_export("searchsorted")
def searchsorted(
    sorted_sequence: Any, values: Any, side: str = "left", out_type: DTypeLike = dtypes.int32,
    name: Name = None,
) -> Tensor:  # fmt: skip
    """Where `values` would be put into the sorted rows of `sorted_sequence`.

    Args:
      sorted_sequence, values: tensors whose dimensions but the last agree.
      side: "left" (before equal elements) or "right".
      out_type: int32 or int64.
      name: the operation's name.

    Returns:
      A tensor like `values`, of dtype `out_type`.

    Raises:
      ValueError: another `side`.
    """
    sequence_size = array_ops.shape_internal(sorted_sequence)[-1]
    values_size = array_ops.shape_internal(values)[-1]
    rows = array_ops.reshape(sorted_sequence, [-1, sequence_size])
    wanted = array_ops.reshape(values, [-1, values_size])
    bounds = {"left": raw_ops.LowerBound, "right": raw_ops.UpperBound}
    if side not in bounds:
        raise ValueError(f"side must be either 'right' or 'left'.  Saw: {side}.")
    return array_ops.reshape(
        bounds[side](rows, wanted, out_type, name), array_ops.shape_internal(values)
    )


@tf_export("unravel_index")
def unravel_index(indices: TensorLike, dims: Any, name: Name = None) -> Tensor:
    """The coordinates of flat indices in an array of shape `dims`: [rank, …].

    Args:
      indices: int32 or int64, a scalar or vector.
      dims: an int vector [rank] of the same dtype.
      name: the operation's name.

    Returns:
      Coordinates of that dtype, [rank] or [rank, n].
    """
    return raw_ops.UnravelIndex(indices, dims, name=name)


# Repetition.


def get_positive_axis(axis: int, ndims: int | None) -> int:
    """`axis` counted from the front.

    Raises:
      TypeError, ValueError: it is no int, or out of range.
    """
    if not isinstance(axis, int):
        raise TypeError(f"axis must be an int; got {type(axis).__name__}")
    if ndims is not None:
        if not -ndims <= axis < ndims:
            raise ValueError(f"axis={axis} out of bounds: expected {-ndims}<=axis<{ndims}")
        return axis % ndims
    if axis < 0:
        raise ValueError("axis may only be negative if ndims is statically known.")
    return axis


def convert_to_int_tensor(tensor: TensorLike, name: str, dtype: DTypeLike = dtypes.int32) -> Tensor:
    """Integers as a tensor of `dtype`.

    Raises:
      TypeError: they are no integers.
    """
    tensor = ops.convert_to_tensor(tensor, name=name, preferred_dtype=dtype)
    if not tensor.dtype.is_integer:
        raise TypeError(f"{name} must be an integer tensor; dtype={tensor.dtype}")
    return raw_ops.Cast(tensor, DstT=dtype)


@tf_export("repeat")
def repeat(input: Any, repeats: Any, axis: Any = None, name: Name = None) -> Tensor:
    """Repeats elements along `axis` (of the flattened input by default), as numpy.repeat.

    Args:
      input: a tensor.
      repeats: how often: an int, or a vector with one for each element along `axis`.
      axis: an int.
      name: the name scope.

    Returns:
      A tensor of the rank of `input`, or a vector without an `axis`.
    """
    if axis is None:
        input = array_ops.reshape(input, [-1])
        axis = 0
    return repeat_with_axis(input, repeats, axis, name)


def repeat_with_axis(data: Any, repeats: Any, axis: int, name: Name = None) -> Tensor:
    """As `repeat`; `repeats` may differ along the dimensions before `axis` too."""
    if not isinstance(axis, int):
        raise TypeError(f"axis must be an int; got {type(axis).__name__}")
    with ops.name_scope(name, "Repeat", [data, repeats]):
        data = ops.convert_to_tensor(data, name="data")
        repeats = convert_to_int_tensor(repeats, "repeats")
        repeats.shape.with_rank_at_most(1)
        data = _with_nonzero_rank(data)
        data_shape = array_ops.shape(data)
        axis = get_positive_axis(axis, data.shape.ndims)
        if repeats.shape.ndims == 1:
            data.shape.dims[axis].assert_is_compatible_with(repeats.shape[0])
        if repeats.shape.ndims == 0:
            return _joined(_each_tiled(data, axis, repeats), data_shape, axis)
        if repeats.shape.ndims != axis + 1:
            repeats_shape = array_ops.shape(repeats)
            repeats_rank = array_ops.rank(repeats)
            wanted = array_ops.concat(
                [data_shape[: axis + 1 - repeats_rank], repeats_shape], axis=0
            )
            repeats = array_ops.broadcast_to(repeats, wanted)
            repeats.set_shape([None] * (axis + 1))
        # Everything is repeated as often as anything is; a mask drops what is too much.
        most = raw_ops.Maximum(0, raw_ops.Max(repeats, _all_dimensions(repeats)))
        mask = sequence_mask(repeats, most)
        result = boolean_mask(_each_tiled(data, axis, most), mask)
        if axis != 0:
            result = _joined(result, data_shape, axis)
        shape = data.shape
        if shape.ndims is not None:
            size = 0 if repeats.shape[0] == 0 else None
            result.set_shape([*shape[:axis], size, *shape[axis + 1 :]])
        return result


def _each_tiled(data: Tensor, axis: int, times: Any) -> Tensor:
    """Each slice along `axis` that often, in a dimension of its own."""
    return tile_one_dimension(array_ops.expand_dims(data, axis + 1), axis + 1, times)


def _joined(data: Tensor, shape: Tensor, axis: int) -> Tensor:
    """`data` in the shape `shape`, but for the size of dimension `axis`."""
    parts = [shape[:axis], [-1], shape[axis + 1 :]]
    return array_ops.reshape(data, array_ops.concat(parts, axis=0))


def tile_one_dimension(data: Tensor, axis: int, multiple: Any) -> Tensor:
    """Repeats a tensor `multiple` times along dimension `axis`."""
    if data.shape.ndims is not None:
        multiples: Any = [1] * data.shape.ndims
        multiples[axis] = multiple
    else:
        ones = array_ops.ones(array_ops.rank(data), dtypes.int32)
        multiples = array_ops.concat([ones[:axis], [multiple], ones[axis + 1 :]], axis=0)
    return array_ops.tile(data, multiples)


def _with_nonzero_rank(data: Tensor) -> Tensor:
    """`data`; a scalar as a vector of one element."""
    if data.shape.ndims is not None:
        return array_ops.stack([data]) if data.shape.ndims == 0 else data
    data_shape = array_ops.shape(data)
    rank = array_ops.rank(data)
    return array_ops.reshape(data, array_ops.concat([[1], data_shape], axis=0)[-rank:])


# Distances.


@tf_export("edit_distance")
def edit_distance(
    hypothesis: Any, truth: Any, normalize: bool = True, name: Name = "edit_distance"
) -> Tensor:
    """How many insertions, deletions and substitutions make one sequence of another.

    Args:
      hypothesis, truth: SparseTensors of one dtype and rank; the sequences are in the last
        dimension, without gaps.
      normalize: divide by the length of the truth.
      name: the operation's name.

    Returns:
      A float32 tensor of the rank less 1.

    Raises:
      TypeError: one is not sparse.
    """
    if not is_sparse(hypothesis):
        raise TypeError("Hypothesis must be a SparseTensor.")
    if not is_sparse(truth):
        raise TypeError("Truth must be a SparseTensor.")
    return raw_ops.EditDistance(
        hypothesis.indices,
        hypothesis.values,
        hypothesis.dense_shape,
        truth.indices,
        truth.values,
        truth.dense_shape,
        normalize=normalize,
        name=name,
    )


# Last, as that module takes all that is above.
from tf1compat.api.array import array_ops  # noqa: E402
