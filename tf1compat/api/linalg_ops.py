"""`tensorflow.python.ops.linalg_ops`: what initializers need of linear algebra."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.deprecation import renamed
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export


@tf_export("linalg.qr", "qr")
def qr(input: Any, full_matrices: bool = False, name: Any = None) -> Any:
    """The QR decomposition of (batches of) matrices: (q, r).

    Args:
      input: matrices [..., m, n].
      full_matrices: whether `q` is square.
      name: the operation's name.

    Returns:
      (q, r): [..., m, p] and [..., p, n], where p is min(m, n), or m if full.
    """
    return raw_ops.Qr(input, full_matrices=full_matrices, name=name)


@tf_export("eye", "linalg.eye")
def eye(
    num_rows: Any,
    num_columns: Any = None,
    batch_shape: Any = None,
    dtype: Any = dtypes.float32,
    name: Any = None,
) -> Any:
    """Identity matrices.

    Args:
      num_rows, num_columns: the size; square by default.
      batch_shape: the shape of a batch of them.
      dtype: the dtype.
      name: the name scope, "eye" by default.
    """
    from tf1compat.api import array_ops, math_ops

    with ops.name_scope(name, default_name="eye", values=[num_rows, num_columns, batch_shape]):
        is_square = num_columns is None
        batch = [] if batch_shape is None else batch_shape
        columns = num_rows if is_square else num_columns
        if isinstance(num_rows, ops.Tensor) or isinstance(columns, ops.Tensor):
            diagonal = math_ops.minimum(num_rows, columns)
        else:
            is_square = num_rows == columns
            diagonal = min(num_rows, columns)
        if isinstance(batch, ops.Tensor) or isinstance(diagonal, ops.Tensor):
            batch = ops.convert_to_tensor(batch, name="shape", dtype=dtypes.int32)
            diagonal_shape = array_ops.concat((batch, [diagonal]), axis=0)
            matrix_shape = (
                None if is_square else array_ops.concat((batch, [num_rows, columns]), axis=0)
            )
        else:
            batch = list(batch)
            diagonal_shape = [*batch, diagonal]
            matrix_shape = None if is_square else [*batch, num_rows, columns]
        ones = array_ops.ones(diagonal_shape, dtype=dtype)
        if is_square:
            return raw_ops.MatrixDiag(ones, name="diag")
        zeros = array_ops.zeros(matrix_shape, dtype=dtype)
        return raw_ops.MatrixSetDiag(zeros, ones, name="set_diag")


_MATRIX_NORMS = ["euclidean", "fro", 1, 2, np.inf]
_VECTOR_NORMS = ["euclidean", 1, 2, np.inf]


@tf_export("norm", "linalg.norm")
def norm(
    tensor: Any,
    ord: Any = "euclidean",
    axis: Any = None,
    keepdims: Any = None,
    name: Any = None,
    keep_dims: Any = None,
) -> Any:
    """The norm of vectors or matrices.

    Args:
      tensor: the values.
      ord: "euclidean", "fro" (matrices), a positive number or np.inf.
      axis: the dimension of the vectors, the two of the matrices, or None for all values at once.
      keepdims: keep the dimensions with size 1.
      name: the name scope, "norm" by default.
      keep_dims: the old name of `keepdims`.

    Raises:
      ValueError: an `axis` or `ord` that is not one of these.
      NotImplementedError: the 2-norm of matrices.
    """
    from tf1compat.api import array_ops, math_ops

    keepdims = renamed("keepdims", keepdims, "keep_dims", keep_dims)
    is_matrix = isinstance(axis, tuple | list) and len(axis) == 2
    bad_axis = "'axis' must be None, an integer, or a tuple of 2 unique integers"
    if is_matrix:
        axis = tuple(axis)
        if not all(isinstance(a, int) for a in axis) or axis[0] == axis[1]:
            raise ValueError(bad_axis)
        if ord not in _MATRIX_NORMS:
            raise ValueError(f"'ord' must be a supported matrix norm in {_MATRIX_NORMS}, got {ord}")
        if ord == 2:
            raise NotImplementedError("The 2-norm of matrices is not supported by tf1compat yet")
    else:
        if not (isinstance(axis, int) or axis is None):
            raise ValueError(bad_axis)
        if ord not in _VECTOR_NORMS and (not np.isreal(ord) or ord <= 0):
            raise ValueError(f"'ord' must be a supported vector norm, got {ord}")
        axis = None if axis is None else (axis,)
    with ops.name_scope(name, "norm", [tensor]):
        tensor = ops.convert_to_tensor(tensor)
        first, last = (None, None) if axis is None else (axis[0], axis[-1])
        if ord in ("fro", "euclidean", 2):
            squares = tensor * math_ops.conj(tensor)
            result = math_ops.sqrt(math_ops.reduce_sum(squares, axis, keepdims=True))
        else:
            result = math_ops.abs(tensor)
            if ord == 1:
                result = math_ops.reduce_sum(result, first, keepdims=True)
                if is_matrix:
                    result = math_ops.reduce_max(result, last, keepdims=True)
            elif ord == np.inf:
                if is_matrix:
                    result = math_ops.reduce_sum(result, last, keepdims=True)
                result = math_ops.reduce_max(result, first, keepdims=True)
            else:
                total = math_ops.reduce_sum(math_ops.pow(result, ord), axis, keepdims=True)
                result = math_ops.pow(total, 1.0 / ord)
        return result if keepdims else array_ops.squeeze(result, axis)
