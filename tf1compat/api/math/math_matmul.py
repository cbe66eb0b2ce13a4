"""The part of `tensorflow.python.ops.math_ops` about products of matrices."""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.math.math_elementwise import sparse_matmul
from tf1compat.api.math.math_reduce import reduce_prod, reduce_sum
from tf1compat.api.util import dispatch
from tf1compat.core import dtypes, nest, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike


@tf_export("linalg.matmul", "matmul")
@dispatch.add_dispatch_support
def matmul(
    a: TensorLike,
    b: TensorLike,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: Name = None,
) -> Tensor:
    """The products of the matrices in the last two dimensions; the others are broadcast.

    Args:
      a, b: tensors of shapes [..., n, k] and [..., k, m] (transposed where the flags say so).
      transpose_a, transpose_b: transpose the matrices first.
      adjoint_a, adjoint_b: conjugate and transpose them first.
      a_is_sparse, b_is_sparse: the matrix has many zeros (a hint, for rank 2).
      name: the operation's name.

    Returns:
      A tensor of shape [..., n, m].

    Raises:
      ValueError: a matrix is to be both transposed and made adjoint.
    """
    with ops.name_scope(name, "MatMul", [a, b]) as name:
        if transpose_a and adjoint_a:
            raise ValueError("Only one of transpose_a and adjoint_a can be True.")
        if transpose_b and adjoint_b:
            raise ValueError("Only one of transpose_b and adjoint_b can be True.")
        a = ops.convert_to_tensor(a, name="a")
        b = ops.convert_to_tensor(b, name="b")
        is_batch = a._shape is None or len(a._shape) > 2 or b._shape is None or len(b._shape) > 2
        if is_batch and not a_is_sparse and not b_is_sparse:
            if transpose_a:
                a, adjoint_a = _conj(a), True
            if transpose_b:
                b, adjoint_b = _conj(b), True
            return raw_ops.BatchMatMulV2(a, b, adj_x=adjoint_a, adj_y=adjoint_b, name=name)
        if adjoint_a:
            a, transpose_a = _conj(a), True
        if adjoint_b:
            b, transpose_b = _conj(b), True
        sparse_types = (dtypes.bfloat16, dtypes.float32)
        use_sparse = (
            (a_is_sparse or b_is_sparse) and a.dtype in sparse_types and b.dtype in sparse_types
        )
        if dtypes.bfloat16 in (a.dtype, b.dtype) and a.dtype != b.dtype:
            use_sparse = True
        if not use_sparse:
            return raw_ops.MatMul(a, b, transpose_a=transpose_a, transpose_b=transpose_b, name=name)
        product = sparse_matmul(
            a,
            b,
            transpose_a=transpose_a,
            transpose_b=transpose_b,
            a_is_sparse=a_is_sparse,
            b_is_sparse=b_is_sparse,
            name=name,
        )
        if a.dtype == dtypes.bfloat16 and b.dtype == dtypes.bfloat16:
            from tf1compat.api.math import math_ops

            product = math_ops.cast(product, dtypes.bfloat16)
        return product


def _conj(x: Tensor) -> Tensor:
    from tf1compat.api.math import math_ops

    return math_ops.conj(x)


@tf_export("linalg.matvec")
def matvec(
    a: TensorLike,
    b: TensorLike,
    transpose_a: bool = False,
    adjoint_a: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: Name = None,
) -> Tensor:
    """The products of matrices `a` ([..., n, k]) with vectors `b` ([..., k]); see `matmul`.

    Args:
      a: [..., n, k].
      b: [..., k].
      transpose_a, adjoint_a, a_is_sparse, b_is_sparse: as in `matmul`.
      name: the operation's name.

    Returns:
      A tensor [..., n].
    """
    with ops.name_scope(name, "MatVec", [a, b]) as name:
        output = matmul(
            a,
            array_ops.expand_dims(b, axis=-1),
            transpose_a=transpose_a,
            adjoint_a=adjoint_a,
            a_is_sparse=a_is_sparse,
            b_is_sparse=b_is_sparse,
        )
        return array_ops.squeeze(output, axis=-1)


@tf_export("linalg.trace", "trace")
@dispatch.add_dispatch_support
def trace(x: TensorLike, name: Name = None) -> Tensor:
    """The sums of the main diagonals of the matrices in the last two dimensions.

    Args:
      x: a tensor of numbers [..., n, m].
      name: the operation's name.

    Returns:
      A tensor [...].
    """
    with ops.name_scope(name, "Trace", [x]) as name:
        x = ops.convert_to_tensor(x, name="x")
        return reduce_sum(array_ops.matrix_diag_part(x), [-1], name=name)


@tf_export("tensordot", "linalg.tensordot")
def tensordot(a: TensorLike, b: TensorLike, axes: TensorLike, name: Name = None) -> Tensor:
    """The product of `a` and `b`, summed over dimensions of both (as `numpy.tensordot`).

    Args:
      a, b: tensors.
      axes: how many of the last dimensions of `a` and the first of `b` to contract; or a pair of
        lists of dimensions; or an int32 tensor of shape [2, k].
      name: the operation's name.

    Returns:
      A tensor with the free dimensions of `a`, then those of `b`.

    Raises:
      ValueError: `axes` does not fit.
    """
    with ops.name_scope(name, "Tensordot", [a, b, axes]) as name:
        a = ops.convert_to_tensor(a, name="a")
        b = ops.convert_to_tensor(b, name="b")
        a_axes, b_axes = _tensordot_axes(a, axes)
        a_matrix, a_free, a_static = _tensordot_matrix(a, a_axes)
        b_matrix, b_free, b_static = _tensordot_matrix(b, b_axes, flipped=True)
        product = matmul(a_matrix, b_matrix)
        result = array_ops.reshape(product, _joined(a_free, b_free), name=name)
        if a_static is not None and b_static is not None:
            result.set_shape(a_static + b_static)
        return result


def _joined(*sizes: Any) -> Any:
    """One list of all lists, or one tensor if they aren't all lists."""
    if all(isinstance(x, list) for x in sizes):
        return sum(sizes, [])
    return array_ops.concat([ops.convert_to_tensor(x, dtype=dtypes.int32) for x in sizes], 0)


def _tensordot_axes(a: Tensor, axes: TensorLike) -> tuple[Any, Any]:
    """The contracted dimensions of both arguments, as lists or tensors."""
    from tf1compat.api.math import math_ops

    if isinstance(axes, int | np.integer):
        rank = a.shape.ndims
        if axes < 0:
            raise ValueError("'axes' must be at least 0.")
        if rank is None:
            rank = array_ops.rank(a)
            return (
                math_ops.range(rank - axes, rank, dtype=dtypes.int32),
                math_ops.range(axes, dtype=dtypes.int32),
            )
        if axes > rank:
            raise ValueError(
                f"'axes' must not be larger than the number of dimensions of tensor {a!s}."
            )
        return list(builtins.range(rank - axes, rank)), list(builtins.range(axes))
    if isinstance(axes, list | tuple):
        if len(axes) != 2:
            raise ValueError("'axes' must be an integer or have length 2.")
        a_axes: Any = axes[0]
        b_axes: Any = axes[1]
        if all(isinstance(axis, int | np.integer) for axis in axes):
            a_axes, b_axes = [a_axes], [b_axes]
        if len(a_axes) != len(b_axes):
            raise ValueError(
                f"Different number of contraction axes 'a' and 'b', {len(a_axes)} != {len(b_axes)}."
            )
        return a_axes, b_axes
    axes = ops.convert_to_tensor(axes, name="axes", dtype=dtypes.int32)
    return axes[0], axes[1]


def _tensordot_matrix(
    a: Tensor, axes: TensorLike, flipped: bool = False
) -> tuple[Tensor, Any, Any]:
    """`a` as a matrix with the contracted dimensions last (first if `flipped`).

    Returns:
      (matrix, free dimensions as a list or tensor, the same as far as statically known or None).
    """

    def in_order(of_free: Any, of_axes: Any) -> list[Any]:
        return [of_axes, of_free] if flipped else [of_free, of_axes]

    static = None
    if a.shape.ndims is None or not isinstance(axes, list | tuple):
        shape, free, axes = _axes_in_run(a, axes)
    else:
        sizes: Any = a.shape.as_list()
        axes = [i if i >= 0 else i + len(sizes) for i in axes]
        free = [i for i in builtins.range(len(sizes)) if i not in axes]
        static = [sizes[i] for i in free]
        if None not in sizes:
            counts = [math.prod(static), math.prod(sizes[i] for i in axes)]
            perm = sum(in_order(free, axes), [])
            matrix = array_ops.reshape(array_ops.transpose(a, perm), in_order(*counts))
            return matrix, static, static
        axes = ops.convert_to_tensor(axes, dtype=dtypes.int32, name="axes")
        free = ops.convert_to_tensor(free, dtype=dtypes.int32, name="free")
        shape = array_ops.shape(a)
    free_sizes = array_ops.gather(shape, free)
    axes_sizes = array_ops.gather(shape, axes)
    free_size = reduce_prod(free_sizes)
    axes_size = reduce_prod(axes_sizes)
    perm = array_ops.concat(in_order(free, axes), 0)
    shape = array_ops.stack(in_order(free_size, axes_size))
    return array_ops.reshape(array_ops.transpose(a, perm), shape), free_sizes, static


def _axes_in_run(a: Tensor, axes: Any) -> tuple[Tensor, Tensor, Tensor]:
    """The shape of `a`, its free dimensions and the contracted ones, as a run finds them."""
    from tf1compat.api.math import math_ops

    shape, rank = array_ops.shape(a), array_ops.rank(a)
    axes = ops.convert_to_tensor(axes, dtype=dtypes.int32, name="axes")
    axes = array_ops.where(axes >= 0, axes, axes + rank)
    free, _ = raw_ops.ListDiff(math_ops.range(rank), axes)
    return shape, free, axes


@tf_export("math.polyval")
def polyval(coeffs: Any, x: TensorLike, name: Name = None) -> Tensor:
    """A polynomial at `x`, elementwise; `coeffs` begin with that of the highest power.

    Args:
      coeffs: a list of tensors that broadcast against `x`.
      x: a tensor of numbers.
      name: the operation's name.

    Returns:
      A tensor.

    Raises:
      ValueError: `coeffs` is no list.
    """
    with ops.name_scope(name, "polyval", [*nest.flatten(coeffs), x]) as name:
        x = ops.convert_to_tensor(x, name="x")
        if len(coeffs) < 1:
            return array_ops.zeros_like(x, name=name)
        tensors = [ops.convert_to_tensor(c, name=f"coeff_{i}") for i, c in enumerate(coeffs)]
        value = tensors[0]
        for tensor in tensors[1:]:
            value = tensor + value * x
        return value
