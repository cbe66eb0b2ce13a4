"""`tensorflow.contrib.factorization.python.ops.factorization_ops_test_utils`."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.math import math_ops
from tf1compat.api.sparse import sparse_ops
from tf1compat.core.sparse_tensor import SparseTensor

# A matrix in which about every other element is missing.
INPUT_MATRIX = np.zeros((5, 7), np.float32)
for _row, _columns in enumerate(((0, 2, 4, 5), (1, 3, 4, 6), (0, 3, 5), (0, 2, 3, 5), (1, 4, 6))):
    INPUT_MATRIX[_row, _columns] = [float(f"{_row}.{_column}") for _column in _columns]
INPUT_MATRIX[0, 0] = 0.1


def remove_empty_rows_columns(np_matrix: Any) -> tuple[Any, Any, Any]:
    """A matrix without the rows and columns that add up to zero, and which ones were kept."""
    rows, columns = (np.flatnonzero(np_matrix.sum(axis)) for axis in (1, 0))
    return np_matrix[np.ix_(rows, columns)], rows, columns


def np_matrix_to_tf_sparse(
    np_matrix: Any,
    row_slices: Sequence[int] | None = None,
    col_slices: Sequence[int] | None = None,
    transpose: bool = False,
    shuffle: bool = False,
) -> SparseTensor:
    """What is not zero in a matrix, as a `SparseTensor`.

    Args:
      np_matrix: the matrix.
      row_slices, col_slices: the rows, or the columns, that are taken, in this order.
      transpose: whether rows and columns change places.
      shuffle: whether the elements come in an order of `random`'s.
    """
    places = np.argwhere(np_matrix)
    assert row_slices is None or col_slices is None
    for axis, slices in enumerate((row_slices, col_slices)):
        if slices is not None:
            order = [np.flatnonzero(places[:, axis] == number) for number in slices]
            places = places[np.concatenate(order)]
    if shuffle:
        shuffled = list(range(len(places)))
        random.shuffle(shuffled)
        places = places[shuffled]
    values = np_matrix[tuple(places.T)].astype(np.float32)
    if transpose:
        places = places[:, ::-1]
    return SparseTensor(places.astype(np.int64), values, places.max(0).astype(np.int64) + 1)


def calculate_loss(
    input_mat: SparseTensor,
    row_factors: Any,
    col_factors: Any,
    regularization: Any = None,
    w0: float = 1.0,
    row_weights: Any = None,
    col_weights: Any = None,
) -> Any:
    """The loss of a factorization, worked out from all elements, in the default session.

    Args:
      input_mat: the matrix.
      row_factors, col_factors: what gives it, about, by multiplication.
      regularization: the weight of the factors' squares; 0 by default.
      w0: the weight of what is missing in the matrix.
      row_weights, col_weights: what is there counts the product of its row and column more.
    """
    wr: Any
    wc: Any
    wr = constant_op.constant(1.0) if row_weights is None else array_ops.expand_dims(row_weights, 1)
    wc = constant_op.constant(1.0) if col_weights is None else array_ops.expand_dims(col_weights, 0)
    reg = constant_op.constant(0.0) if regularization is None else regularization
    rows, columns = array_ops.split(input_mat.indices, axis=1, num_or_size_splits=2)
    product = math_ops.matmul(
        array_ops.gather(row_factors, rows), array_ops.gather(col_factors, columns), adjoint_b=True
    )
    found: Any = SparseTensor(input_mat.indices, array_ops.squeeze(product), input_mat.dense_shape)
    found_squares = math_ops.square(found)
    row_norm, col_norm = (
        math_ops.reduce_sum(math_ops.square(factors)) for factors in (row_factors, col_factors)
    )
    whole = math_ops.matmul(row_factors, col_factors, transpose_b=True)
    everywhere = math_ops.reduce_sum(math_ops.square(whole))
    error: Any = math_ops.square(sparse_ops.sparse_add(input_mat, found * (-1)))
    total: Any = sparse_ops.sparse_reduce_sum
    loss = w0 * (total(error) - total(found_squares))
    loss += total(wr * (error * wc)) + w0 * everywhere + reg * (row_norm + col_norm)
    return loss.eval()
