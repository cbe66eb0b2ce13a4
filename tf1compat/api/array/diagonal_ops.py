"""Functions of diagonals; `tensorflow.python.ops.array_ops` has them too."""

from __future__ import annotations

from typing import Any

from tf1compat.api.util import dispatch
from tf1compat.core import raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike

__all__ = [
    "diag",
    "diag_part",
    "matrix_band_part",
    "matrix_diag",
    "matrix_diag_part",
    "matrix_set_diag",
]


@tf_export("linalg.diag", "matrix_diag")
def matrix_diag(
    diagonal: TensorLike, name: str = "diag", k: TensorLike = 0, num_rows: TensorLike = -1,
    num_cols: Any = -1,
    padding_value: Any = 0,
) -> Tensor:  # fmt: skip
    """Square matrices with the last dimension of `diagonal` as their diagonals.

    Args:
      diagonal: [..., n].
      name: the operation's name.
      k, num_rows, num_cols, padding_value: TF 1.15 takes them and ignores them.

    Returns:
      A tensor [..., n, n].
    """
    return raw_ops.MatrixDiag(diagonal, name=name)


@tf_export("linalg.diag_part", "matrix_diag_part")
@dispatch.add_dispatch_support
def matrix_diag_part(
    input: TensorLike, name: str = "diag_part", k: TensorLike = 0, padding_value: Any = 0
) -> Tensor:
    """The diagonals of matrices.

    Args:
      input: [..., m, n].
      name: the operation's name.
      k, padding_value: TF 1.15 takes them and ignores them.

    Returns:
      A tensor [..., min(m, n)].
    """
    return raw_ops.MatrixDiagPart(input, name=name)


@tf_export("linalg.set_diag", "matrix_set_diag")
def matrix_set_diag(
    input: TensorLike, diagonal: TensorLike, name: str = "set_diag", k: TensorLike = 0
) -> Tensor:
    """Matrices with other diagonals.

    Args:
      input: [..., m, n].
      diagonal: [..., min(m, n)].
      name: the operation's name.
      k: TF 1.15 takes it and ignores it.

    Returns:
      A tensor like `input`.
    """
    return raw_ops.MatrixSetDiag(input, diagonal, name=name)


@tf_export("linalg.band_part", "matrix_band_part")
def matrix_band_part(
    input: TensorLike, num_lower: Any, num_upper: Any, name: Name = None
) -> Tensor:
    """Matrices with zeros outside a band around the diagonal.

    Args:
      input: [..., m, n].
      num_lower, num_upper: how many diagonals to keep below and above; all if negative.
      name: the operation's name.

    Returns:
      A tensor like `input`.
    """
    return raw_ops.MatrixBandPart(input, num_lower, num_upper, name=name)


@tf_export("linalg.tensor_diag", "diag")
def diag(diagonal: TensorLike, name: Name = None) -> Tensor:
    """A tensor of shape `shape + shape` with a tensor of shape `shape` as its diagonal.

    Args:
      diagonal: a tensor of numbers of rank 1 or more.
      name: the operation's name.

    Returns:
      A tensor of twice the rank.
    """
    return raw_ops.Diag(diagonal, name=name)


@tf_export("linalg.tensor_diag_part", "diag_part")
def diag_part(input: TensorLike, name: Name = None) -> Tensor:
    """The diagonal, of shape `shape`, of a tensor of shape `shape + shape`.

    Args:
      input: a tensor of numbers of an even rank.
      name: the operation's name.

    Returns:
      A tensor of half the rank.
    """
    return raw_ops.DiagPart(input, name=name)
