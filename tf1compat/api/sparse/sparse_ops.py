"""`tensorflow.python.ops.sparse_ops`: making, combining and rearranging sparse tensors."""

from __future__ import annotations

import numbers
from collections.abc import Iterable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.util.deprecation import deprecated, deprecated_args, renamed
from tf1compat.core import dtypes, ops, raw_ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor, SparseTensorValue, is_sparse
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, Name, ShapeLike, TensorLike

_INTEGERS = (numbers.Integral,)


def _convert_to_sparse_tensor(sp_input: Any) -> SparseTensor:
    """A SparseTensor of one, or of its value.

    Raises:
      TypeError: it is neither.
    """
    if isinstance(sp_input, SparseTensorValue):
        return SparseTensor.from_value(sp_input)
    if not isinstance(sp_input, SparseTensor):
        raise TypeError("Input must be a SparseTensor.")
    return sp_input


def _convert_to_sparse_tensors(sp_inputs: Any) -> list[SparseTensor]:
    if not isinstance(sp_inputs, list | tuple):
        raise TypeError("Inputs must be a list or tuple.")
    return [_convert_to_sparse_tensor(sp_input) for sp_input in sp_inputs]


def _make_int64_tensor(value: TensorLike, name: str) -> Tensor:
    if isinstance(value, _INTEGERS):
        return ops.convert_to_tensor(value, name=name, dtype=dtypes.int64)
    if not isinstance(value, Tensor):
        raise TypeError(f"{name} must be an integer value")
    return math_ops.cast(value, dtypes.int64)


# Making sparse tensors.


@tf_export("sparse.from_dense")
def from_dense(tensor: TensorLike, name: Name = None) -> SparseTensor:
    """A SparseTensor of the elements of a dense tensor that are not 0.

    Args:
      tensor: a tensor of numbers.
      name: the name scope.

    Returns:
      A SparseTensor of the same dtype and dense shape, in row-major order.
    """
    with ops.name_scope(name, "dense_to_sparse"):
        tensor = ops.convert_to_tensor(tensor)
        zero = constant_op.constant(0, tensor.dtype)
        indices = array_ops.where_v2(math_ops.not_equal(tensor, zero))
        values = array_ops.gather_nd(tensor, indices)
        return SparseTensor(indices, values, array_ops.shape(tensor, out_type=dtypes.int64))


@tf_export("sparse.eye")
def sparse_eye(
    num_rows: TensorLike,
    num_columns: TensorLike | None = None,
    dtype: DTypeLike = dtypes.float32,
    name: Name = None,
) -> SparseTensor:
    """The identity matrix.

    Args:
      num_rows: an int or scalar int tensor.
      num_columns: as `num_rows`, which is the default.
      dtype: the dtype of the values.
      name: the name scope.

    Returns:
      A `SparseTensor` [num_rows, num_columns].

    Raises:
      TypeError: a size is no integer.
    """
    with ops.name_scope(name, default_name="eye", values=[num_rows, num_columns]):
        rows = _make_int64_tensor(num_rows, "num_rows")
        columns = rows if num_columns is None else _make_int64_tensor(num_columns, "num_columns")
        size = math_ops.minimum(rows, columns)
        diagonal = math_ops.range(size, dtype=dtypes.int64)
        indices = array_ops.stack([diagonal, diagonal], axis=1)
        return SparseTensor(indices, array_ops.ones(size, dtype=dtype), [rows, columns])


# Arithmetic.


@tf_export("sparse.add", "sparse_add")
@deprecated_args(None, "thresh is deprecated, use threshold instead", "thresh")
def sparse_add(a: TensorLike, b: TensorLike, threshold: Any = None, thresh: Any = None) -> Any:
    """The sum of two tensors, of which at least one is sparse.

    Args:
      a, b: a SparseTensor and a SparseTensor or tensor, of one shape.
      threshold: sums of sparse tensors smaller than this are dropped (default: 0).
      thresh: the old name of `threshold`.

    Returns:
      A SparseTensor if both are sparse, else a tensor.

    Raises:
      TypeError: neither is sparse.
    """
    threshold = renamed("threshold", threshold, "thresh", thresh)
    return sparse_add_v2(a, b, 0 if threshold is None else threshold)


@tf_export("compat.v2.sparse.add")
def sparse_add_v2(a: Any, b: Any, threshold: Any = 0) -> Any:
    """As `sparse_add`.

    Args:
      a, b: as in `sparse_add`.
      threshold: smaller absolute values are left out of a sparse result.

    Returns:
      As `sparse_add`.
    """
    if not is_sparse(a) and not is_sparse(b):
        raise TypeError("At least one input should be SparseTensor; do you mean to use tf.add()?")
    if not (is_sparse(a) and is_sparse(b)):
        sparse, dense = (a, b) if is_sparse(a) else (b, a)
        return raw_ops.SparseTensorDenseAdd(
            sparse.indices, sparse.values, sparse.dense_shape, dense
        )
    a, b = _convert_to_sparse_tensor(a), _convert_to_sparse_tensor(b)
    threshold = ops.convert_to_tensor(
        threshold, dtype=a.values.dtype.real_dtype.base_dtype, name="threshold"
    )
    indices, values, shape = raw_ops.SparseAdd(
        a.indices, a.values, a.dense_shape, b.indices, b.values, b.dense_shape, threshold
    )
    a.get_shape().assert_is_compatible_with(b.get_shape())
    static = array_ops.broadcast_static_shape(a.get_shape(), b.get_shape())
    return SparseTensor(indices, values, static.as_list() if static.is_fully_defined() else shape)


@tf_export("sparse.maximum", "sparse_maximum")
def sparse_maximum(sp_a: Any, sp_b: Any, name: Name = None) -> SparseTensor:
    """The larger of the elements of two sparse tensors; what one lacks is 0.

    Args:
      sp_a, sp_b: SparseTensors of one dtype and shape.
      name: the operation's name.

    Returns:
      A SparseTensor with the indices of both.
    """
    return _larger_or_smaller("SparseSparseMaximum", sp_a, sp_b, name)


@tf_export("sparse.minimum", "sparse_minimum")
def sparse_minimum(sp_a: Any, sp_b: Any, name: Name = None) -> SparseTensor:
    """The smaller of the elements of two sparse tensors; what one lacks is 0.

    Args:
      sp_a, sp_b: SparseTensors of one dtype and shape.
      name: the operation's name.

    Returns:
      A SparseTensor with the indices of both.
    """
    return _larger_or_smaller("SparseSparseMinimum", sp_a, sp_b, name)


def _larger_or_smaller(op_type: str, a: Any, b: Any, name: Any) -> SparseTensor:
    with ops.name_scope(name, op_type, [a.indices, a.values, b.indices, b.values]) as name:
        indices, values = raw_ops.function(op_type)(
            a.indices, a.values, a.dense_shape, b.indices, b.values, b.dense_shape, name=name
        )
    return SparseTensor(indices, values, a.dense_shape)


def sparse_dense_cwise_add(sp_t: Any, dense_t: Any) -> SparseTensor:
    """Adds to the elements that a sparse tensor has those of a dense one, which is broadcast."""
    result = raw_ops.SparseDenseCwiseAdd(sp_t.indices, sp_t.values, sp_t.dense_shape, dense_t)
    return SparseTensor(sp_t.indices, result, sp_t.dense_shape)


def _override_operator(name: str, function: Any) -> None:
    """Gives `SparseTensor` the operator `__<name>__` with a dense right operand."""

    def binary(sp_x: Any, y: TensorLike) -> SparseTensor:
        with ops.name_scope(None, name, [sp_x, y]) as scope:
            y = ops.convert_to_tensor(y, dtype=sp_x.dtype.base_dtype, name="y")
            values = function(sp_x.indices, sp_x.values, sp_x.dense_shape, y, name=scope)
            return SparseTensor(sp_x.indices, values, sp_x.dense_shape)

    SparseTensor._override_operator(f"__{name}__", binary)


def _sparse_dense_truediv(
    indices: Any, values: Any, shape: ShapeLike, y: TensorLike, name: Name = None
) -> Any:
    with ops.name_scope(name, "truediv", [indices, values, shape, y]) as name:
        base = values.dtype.base_dtype
        if base not in math_ops._TRUEDIV_TABLE:
            raise TypeError(f"Invalid dtype {base!r} in __truediv__")
        dtype = math_ops._TRUEDIV_TABLE[base]
        if dtype is not None:
            values, y = math_ops.cast(values, dtype), math_ops.cast(y, dtype)
        return raw_ops.SparseDenseCwiseDiv(indices, values, shape, y, name=name)


_override_operator("div", raw_ops.function("SparseDenseCwiseDiv"))
_override_operator("truediv", _sparse_dense_truediv)
_override_operator("mul", raw_ops.function("SparseDenseCwiseMul"))


@tf_export("sparse.sparse_dense_matmul", "sparse.matmul", "sparse_tensor_dense_matmul")
def sparse_tensor_dense_matmul(
    sp_a: Any, b: TensorLike, adjoint_a: bool = False, adjoint_b: bool = False, name: Name = None
) -> Tensor:
    """The product of a sparse matrix with a dense one.

    Args:
      sp_a: a SparseTensor of rank 2.
      b: a matrix of the same dtype.
      adjoint_a, adjoint_b: multiply by the adjoint of that matrix.
      name: the name scope.

    Returns:
      A dense matrix.
    """
    sp_a = _convert_to_sparse_tensor(sp_a)
    with ops.name_scope(name, "SparseTensorDenseMatMul", [sp_a.indices, sp_a.values, b]) as name:
        b = ops.convert_to_tensor(b, name="b")
        return raw_ops.SparseTensorDenseMatMul(
            sp_a.indices,
            sp_a.values,
            sp_a.dense_shape,
            b,
            adjoint_a=adjoint_a,
            adjoint_b=adjoint_b,
        )


@tf_export("sparse.softmax", "sparse_softmax")
def sparse_softmax(sp_input: Any, name: Name = None) -> SparseTensor:
    """Softmax over the elements that each row (of the last dimension) has.

    Args:
      sp_input: a SparseTensor of float32 or float64 and rank 2 or more.
      name: the name scope.

    Returns:
      A SparseTensor with the same indices.
    """
    with ops.name_scope(name, "SparseSoftmax", [sp_input.indices, sp_input.values]) as name:
        values = raw_ops.SparseSoftmax(sp_input.indices, sp_input.values, sp_input.dense_shape)
        return SparseTensor(sp_input.indices, values, sp_input.dense_shape)


# Shape and order.


@tf_export("sparse.expand_dims")
def sparse_expand_dims(
    sp_input: Any, axis: TensorLike | None = None, name: Name = None
) -> SparseTensor:
    """Inserts a dimension of size 1.

    Args:
      sp_input: a SparseTensor.
      axis: where the new dimension is, in [-rank - 1, rank]; the last one by default.
      name: the name scope.

    Returns:
      A `SparseTensor` with one more dimension.

    Raises:
      TypeError: `axis` is no integer.
    """
    rank = sp_input.dense_shape.get_shape()[0]
    axis = -1 if axis is None else axis
    with ops.name_scope(name, default_name="expand_dims", values=[sp_input]):
        if isinstance(axis, _INTEGERS):
            axis = ops.convert_to_tensor(axis, name="axis", dtype=dtypes.int32)
        elif not isinstance(axis, Tensor):
            raise TypeError(
                "axis must be an integer value in range [-rank(sp_input) - 1, rank(sp_input)]"
            )
        axis = array_ops.where_v2(axis >= 0, axis, axis + rank + 1)
        count = array_ops.shape(sp_input.indices)[0]
        column = array_ops.zeros([count, 1], dtype=dtypes.int64)
        before, after = _split_last(sp_input.indices, 1, axis)
        indices = array_ops.concat([before, column, after], axis=1)
        before, after = _split_last(sp_input.dense_shape, 0, axis)
        one = ops.convert_to_tensor([1], name="new_shape", dtype=dtypes.int64)
        shape = array_ops.concat([before, one, after], axis=0)
        return SparseTensor(indices, sp_input.values, shape)


def _split_last(tensor: Tensor, dim: int, place: Tensor) -> tuple[Tensor, Tensor]:
    """What is before and what is after a place in the last dimension, `dim`."""
    starts, whole = [0] * dim, [-1] * dim
    before = array_ops.slice(tensor, [*starts, 0], [*whole, place])
    return before, array_ops.slice(tensor, [*starts, place], [*whole, -1])


@tf_export("sparse.reorder", "sparse_reorder")
def sparse_reorder(sp_input: Any, name: Name = None) -> SparseTensor:
    """The same tensor with its elements in row-major order.

    Args:
      sp_input: a SparseTensor.
      name: the operation's name.

    Returns:
      A `SparseTensor` like the given one.
    """
    sp_input = _convert_to_sparse_tensor(sp_input)
    indices, values = raw_ops.SparseReorder(
        sp_input.indices, sp_input.values, sp_input.dense_shape, name=name
    )
    static = sp_input.get_shape()
    if static.is_fully_defined():
        return SparseTensor(indices, values, static.as_list())
    return SparseTensor(indices, values, array_ops.identity(sp_input.dense_shape))


@tf_export("sparse.reshape", "sparse_reshape")
def sparse_reshape(sp_input: Any, shape: Any, name: Name = None) -> SparseTensor:
    """The same elements, in row-major order, in another shape.

    Args:
      sp_input: a SparseTensor.
      shape: an int vector; at most one -1 stands for what remains.
      name: the operation's name.

    Returns:
      A `SparseTensor` of the given shape.

    Raises:
      ValueError: the static shapes do not fit.
    """
    sp_input = _convert_to_sparse_tensor(sp_input)
    shape = math_ops.cast(shape, dtype=dtypes.int64)
    with ops.name_scope(name, "SparseReshape", [sp_input]) as name:
        indices, new_shape = raw_ops.SparseReshape(
            sp_input.indices, sp_input.dense_shape, shape, name=name
        )
        known = _known_new_shape(sp_input, shape)
        if known is not None:
            new_shape = constant_op.constant(known, dtype=dtypes.int64)
        return SparseTensor(indices, array_ops.identity(sp_input.values), new_shape)


def _known_new_shape(sp_input: SparseTensor, shape: Tensor) -> list[int] | None:
    """The shape that a reshaped tensor has, where that is known while recording."""
    wanted = tensor_util.constant_value_as_shape(shape)
    if wanted.ndims is None or not sp_input.shape.is_fully_defined():
        return None
    given = tensor_util.constant_value(shape)
    if given is not None and sum(d == -1 for d in given) > 1:
        raise ValueError(f"At most one dimension can be inferred (-1). Found: {given}")
    original: list[Any] = wanted.as_list()
    found = list(original)
    known: Any = sp_input.shape.as_list()
    size = np.prod(known)
    if found.count(None) > 1:
        return None
    if None in found:
        at = found.index(None)
        found[at] = int(size // np.prod(found[:at] + found[at + 1 :]))
    if np.prod(found) != size:
        raise ValueError(
            f"Cannot reshape a tensor with {size:.0f} elements to shape {original} "
            f"({np.prod(found):.0f} elements)."
        )
    return found


@tf_export("sparse.reset_shape", "sparse_reset_shape")
def sparse_reset_shape(sp_input: Any, new_shape: ShapeLike | None = None) -> SparseTensor:
    """The same elements in a dense shape as large, or as tight around them as can be.

    Args:
      sp_input: a SparseTensor.
      new_shape: an int vector, nowhere smaller than the old shape; by default the smallest shape
        that has the elements.

    Returns:
      A SparseTensor of the same dtype and rank.

    Raises:
      ValueError: the new shape is smaller, or of another rank.
    """
    sp_input = _convert_to_sparse_tensor(sp_input)
    indices = array_ops.identity(sp_input.indices)
    values = array_ops.identity(sp_input.values)
    old_shape = array_ops.identity(sp_input.dense_shape)
    if new_shape is None:
        highest = math_ops.reduce_max(indices, axis=0)
        shape: Any = math_ops.maximum(
            constant_op.constant(0, dtype=dtypes.int64),
            math_ops.add(highest, array_ops.ones_like(old_shape)),
        )
        return SparseTensor(indices, values, shape)
    shape = ops.convert_to_tensor(new_shape)
    shape.get_shape().assert_has_rank(1)
    shape = math_ops.cast(shape, dtypes.int64)
    if shape.get_shape().rank is not None:
        shape.get_shape().dims[0].merge_with(old_shape.get_shape()[0])
    known = tensor_util.constant_value(shape)
    if known is not None and sp_input.get_shape().is_fully_defined():
        old = np.array(sp_input.get_shape().as_list())
        if not np.all(old <= known):
            raise ValueError(
                "Requested new_shape should have dimension sizes >= sp_input.shape.  Found "
                f"new_shape ({old}), sp_input.shape ({known})."
            )
        return SparseTensor(indices, values, known)
    same_rank = check_ops.assert_equal(array_ops.shape(old_shape), array_ops.shape(shape))
    shape = control_flow_ops.with_dependencies([same_rank], shape)
    fits = check_ops.assert_less_equal(old_shape, shape)
    shape = control_flow_ops.with_dependencies([fits], shape)
    return SparseTensor(indices, values, shape)


@tf_export("sparse.transpose", "sparse_transpose")
def sparse_transpose(
    sp_input: Any, perm: TensorLike | None = None, name: Name = None
) -> SparseTensor:
    """The sparse tensor with its dimensions permuted, in row-major order.

    Args:
      sp_input: a SparseTensor.
      perm: which old dimension each new one is; reversed by default.
      name: the name scope.

    Returns:
      A `SparseTensor`.
    """
    with ops.name_scope(name, "SparseTranspose", [sp_input]) as name:
        if perm is None:
            rank = array_ops.rank(sp_input)
            perm = (rank - 1) - math_ops.range(0, rank, 1)
        columns = array_ops.gather(array_ops.transpose(sp_input.indices), perm)
        indices = array_ops.transpose(columns)
        known = tensor_util.constant_value(ops.convert_to_tensor(perm))
        static = sp_input.get_shape()
        if known is not None and static.is_fully_defined():
            old = static.as_list()
            shape: Any = [*old]
            for i, p in enumerate(known):
                shape[i] = old[p]
        else:
            shape = array_ops.gather(sp_input.dense_shape, perm)
        return sparse_reorder(SparseTensor(indices, sp_input.values, shape))


# Parts.


@tf_export("sparse.retain", "sparse_retain")
def sparse_retain(sp_input: Any, to_retain: Any) -> SparseTensor:
    """The elements of a sparse tensor that a mask selects.

    Args:
      sp_input: a SparseTensor of n elements.
      to_retain: a bool vector of n elements.

    Returns:
      A `SparseTensor` of the same dense shape.
    """
    sp_input = _convert_to_sparse_tensor(sp_input)
    to_retain = ops.convert_to_tensor(to_retain)
    mask_shape = to_retain.get_shape()
    mask_shape.assert_has_rank(1)
    dims = sp_input.values.get_shape().dims
    if dims is not None and mask_shape.dims is not None:
        dims[0].merge_with(mask_shape.dims[0])
    kept = array_ops.reshape(array_ops.where_v2(to_retain), [-1])
    return SparseTensor(
        array_ops.gather(sp_input.indices, kept),
        array_ops.gather(sp_input.values, kept),
        array_ops.identity(sp_input.dense_shape),
    )


@tf_export("sparse.fill_empty_rows", "sparse_fill_empty_rows")
def sparse_fill_empty_rows(
    sp_input: Any, default_value: Any, name: Name = None
) -> tuple[SparseTensor, Tensor]:
    """Gives rows of a sparse matrix that have no element one, in column 0.

    Args:
      sp_input: a SparseTensor of rank 2.
      default_value: a scalar, the element.
      name: the name scope.

    Returns:
      (the SparseTensor, in row-major order; a bool vector: which rows were empty).
    """
    sp_input = _convert_to_sparse_tensor(sp_input)
    with ops.name_scope(name, "SparseFillEmptyRows", [sp_input]):
        default_value = ops.convert_to_tensor(default_value, dtype=sp_input.values.dtype)
        indices, values, is_empty, _ = raw_ops.SparseFillEmptyRows(
            indices=sp_input.indices,
            values=sp_input.values,
            dense_shape=sp_input.dense_shape,
            default_value=default_value,
        )
        return SparseTensor(indices, values, sp_input.dense_shape), is_empty


# Dense tensors of sparse ones.


@tf_export("sparse_to_dense")
@deprecated(None, "Create a `tf.sparse.SparseTensor` and use `tf.sparse.to_dense` instead.")
def sparse_to_dense(
    sparse_indices: Any, output_shape: ShapeLike, sparse_values: Any, default_value: Any = 0,
    validate_indices: bool = True, name: Name = None,
) -> Tensor:  # fmt: skip
    """A dense tensor of elements and where they belong.

    Args:
      sparse_indices: ints, [n, rank], or [n] for a vector, or a scalar for one element.
      output_shape: an int vector.
      sparse_values: [n], or a scalar, which every element is.
      default_value: a scalar: what the other elements are.
      validate_indices: refuse indices that are not sorted, or twice there.
      name: the operation's name.

    Returns:
      A tensor of shape `output_shape`, of the values' dtype.
    """
    return raw_ops.SparseToDense(
        sparse_indices,
        output_shape,
        sparse_values,
        default_value=default_value,
        validate_indices=validate_indices,
        name=name,
    )


@tf_export("sparse.to_dense", "sparse_tensor_to_dense")
def sparse_tensor_to_dense(
    sp_input: Any, default_value: Any = None, validate_indices: bool = True, name: Name = None
) -> Tensor:
    """The dense tensor that a sparse one stands for.

    Args:
      sp_input: a SparseTensor.
      default_value: a scalar: what the elements are that it lacks; 0 by default.
      validate_indices: refuse indices that are not sorted, or twice there.
      name: the operation's name.

    Returns:
      A tensor of the dense shape, of the values' dtype.
    """
    sp_input = _convert_to_sparse_tensor(sp_input)
    if default_value is None:
        default_value = array_ops.zeros([], dtype=sp_input.dtype)
    return raw_ops.SparseToDense(
        sp_input.indices,
        sp_input.dense_shape,
        sp_input.values,
        default_value=default_value,
        validate_indices=validate_indices,
        name=name,
    )


@tf_export("sparse.to_indicator", "sparse_to_indicator")
def sparse_to_indicator(sp_input: Any, vocab_size: Any, name: Name = None) -> Tensor:
    """Which ids each row of a sparse tensor has.

    Args:
      sp_input: a SparseTensor of int32 or int64 ids.
      vocab_size: a scalar int, more than every id.
      name: the name scope.

    Returns:
      A bool tensor [*rows, vocab_size].
    """
    sp_input = _convert_to_sparse_tensor(sp_input)
    with ops.name_scope(name, "SparseToIndicator", [sp_input]) as name:
        count = array_ops.shape(sp_input.indices)[0]
        ones = array_ops.fill(array_ops.expand_dims(count, 0), True)
        sp_values = SparseTensor(sp_input.indices, ones, sp_input.dense_shape)
        merged = sparse_merge_impl(sp_input, sp_values, vocab_size, name)
        # An id may be twice in a row.
        return sparse_tensor_to_dense(
            merged, default_value=False, validate_indices=False, name=name
        )


@tf_export("sparse.merge", "sparse_merge")
@deprecated(None, "No similar op available at this time.")
def sparse_merge(
    sp_ids: Any,
    sp_values: TensorLike,
    vocab_size: Any,
    name: Name = None,
    already_sorted: bool = False,
) -> SparseTensor:
    """A sparse tensor whose last indices are ids: rows of (id, value) pairs.

    Args:
      sp_ids: a SparseTensor of int32 or int64, or a list of them, one for each last dimension.
      sp_values: a SparseTensor with the same indices.
      vocab_size: a scalar int (or one for each of `sp_ids`), more than every id.
      name: the name scope.
      already_sorted: leave the elements in the order in which they are.

    Returns:
      A `SparseTensor` of the values' dtype.

    Raises:
      TypeError, ValueError: the arguments do not fit each other.
    """
    return sparse_merge_impl(sp_ids, sp_values, vocab_size, name, already_sorted)


def sparse_merge_impl(
    sp_ids: Any,
    sp_values: TensorLike,
    vocab_size: Any,
    name: Name = None,
    already_sorted: bool = False,
) -> SparseTensor:
    """As `sparse_merge`."""
    size_types = (Tensor, numbers.Integral)
    if is_sparse(sp_ids):
        if not isinstance(vocab_size, size_types):
            raise TypeError(
                f"vocab_size has to be a Tensor or Python int. Found {type(vocab_size)}"
            )
        sp_ids, vocab_size = [sp_ids], [vocab_size]
    else:
        if not isinstance(sp_ids, Iterable):
            raise TypeError(
                f"sp_ids has to be a SparseTensor or list thereof. Found {type(sp_ids)}"
            )
        found = (
            [vocab_size]
            if not isinstance(vocab_size, Iterable)
            else [dim for dim in vocab_size if not isinstance(dim, size_types)]
        )
        if found:
            raise TypeError(
                f"vocab_size has to be a list of Tensors or Python ints. Found {type(found[0])}"
            )
    ids_given: Any = sp_ids
    sizes_given: Any = vocab_size
    if len(ids_given) != len(sizes_given):
        raise ValueError("sp_ids and vocab_size have to have equal lengths.")
    with ops.name_scope(name, "SparseMerge", [sp_ids, sp_values]):
        sp_ids = [_convert_to_sparse_tensor(ids) for ids in ids_given]
        sp_values = _convert_to_sparse_tensor(sp_values)
        columns = [
            array_ops.expand_dims(math_ops.cast(ids.values, dtypes.int64), axis=1) for ids in sp_ids
        ]
        sizes = [math_ops.cast(size, dtypes.int64) for size in sizes_given]
        indices = array_ops.concat([sp_ids[0].indices[:, :-1], *columns], 1)
        shape = array_ops.concat([sp_ids[0].dense_shape[:-1], sizes], 0)
        result = SparseTensor(indices, sp_values.values, shape)
        if already_sorted:
            return result
        in_order = sparse_reorder(result)
        return SparseTensor(in_order.indices, in_order.values, shape)


from tf1compat.api.sparse.sparse_concat_ops import *  # noqa: E402, F403
from tf1compat.api.sparse.sparse_cross_ops import *  # noqa: E402, F403
from tf1compat.api.sparse.sparse_reduce_ops import *  # noqa: E402, F403
from tf1compat.api.sparse.sparse_serialize_ops import *  # noqa: E402, F403
