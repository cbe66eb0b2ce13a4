"""`tensorflow.python.ops.linalg_ops`: what initializers need of linear algebra."""

from __future__ import annotations

from typing import Any

from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export


@tf_export("linalg.qr", "qr")
def qr(input: Any, full_matrices: bool = False, name: Any = None) -> Any:
    """The QR decomposition of (batches of) matrices: (q, r)."""
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
