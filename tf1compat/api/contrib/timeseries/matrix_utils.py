"""Matrices of state space models: covariances, powers, blocks
(part of `tensorflow.contrib.timeseries.python.timeseries.math_utils`)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op, diagonal_ops, gather_ops
from tf1compat.api.contrib.layers import dense
from tf1compat.api.control_flow import control_flow_ops, functional_ops
from tf1compat.api.linalg import linalg_ops
from tf1compat.api.math import math_matmul, math_ops, math_sums
from tf1compat.api.nn import nn_ops
from tf1compat.api.random import init_ops
from tf1compat.api.variables import variable_scope
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import Dimension, TensorShape


def mvn_tril_log_prob(loc: Any, scale_tril: Any, x: Any) -> Tensor:
    """The logarithm of a normal density in several dimensions.

    Args:
      loc: the mean.
      scale_tril: the Cholesky factor of the covariance.
      x: where.
    """
    column = (x - loc)[..., array_ops.newaxis]
    z = linalg_ops.matrix_triangular_solve(scale_tril, column)[..., 0]
    roots = diagonal_ops.matrix_diag_part(scale_tril)
    log_det = 2.0 * math_ops.reduce_sum(math_ops.log(roots), axis=-1)
    size = math_ops.cast(array_ops.shape(scale_tril)[-1], log_det.dtype)
    squares = math_ops.reduce_sum(math_ops.square(z), axis=-1)
    return -0.5 * (squares + size * np.log(2.0 * np.pi) + log_det)


def clip_covariance(
    covariance_matrix: Any, maximum_variance_ratio: Any, minimum_variance: Any
) -> Tensor:
    """Covariances none of whose variances is much smaller than the greatest.

    Args:
      covariance_matrix: [..., n, n].
      maximum_variance_ratio: how many times greater the greatest may be.
      minimum_variance: the least that any is.
    """
    variances = diagonal_ops.matrix_diag_part(covariance_matrix)
    greatest = math_ops.reduce_max(variances, axis=-1, keepdims=True)
    clipped = math_ops.maximum(variances, greatest / maximum_variance_ratio)
    clipped = math_ops.maximum(clipped, minimum_variance)
    return diagonal_ops.matrix_set_diag(covariance_matrix, clipped)


def block_diagonal(
    matrices: Sequence[Any], dtype: Any = dtypes.float32, name: str = "block_diagonal"
) -> Tensor:
    """A matrix with matrices along its diagonal.

    Args:
      matrices: matrices [..., n, m], of one batch shape.
      dtype: their dtype.
      name: the name of the operation that joins the rows.
    """
    tensors = [ops.convert_to_tensor(matrix, dtype=dtype) for matrix in matrices]
    batch, rows, columns = TensorShape(None), Dimension(0), Dimension(0)
    for tensor in tensors:
        shape = tensor.get_shape().with_rank_at_least(2)
        batch = batch.merge_with(shape[:-2])
        rows, columns = rows + shape[-2], columns + shape[-1]
    total = math_ops.add_n([array_ops.shape(tensor)[-1] for tensor in tensors])
    padded: list[Any] = []
    before: Any = 0
    for tensor in tensors:
        behind = before + array_ops.shape(tensor)[-1]
        after = total - behind
        none = array_ops.zeros([array_ops.rank(tensor) - 1, 2], dtype=dtypes.int32)
        paddings = array_ops.concat([none, [(before, after)]], axis=0)
        padded.append(array_ops.pad(tensor=tensor, paddings=paddings))
        before = behind
    joined = array_ops.concat(padded, -2, name=name)
    joined.set_shape(batch.concatenate(TensorShape((rows, columns))))
    return joined


def power_sums_tensor(array_size: Any, power_matrix: Any, multiplier: Any) -> Tensor:
    """Sums of the first N terms of A^i B (A^i)^T, for N from 0 on.

    Args:
      array_size: how many sums have terms.
      power_matrix: A.
      multiplier: B.
    """
    array_size = math_ops.cast(array_size, dtypes.int32)
    power_matrix = ops.convert_to_tensor(power_matrix)
    unit = linalg_ops.eye(array_ops.shape(power_matrix)[0], dtype=power_matrix.dtype)
    unit.set_shape(power_matrix.get_shape())
    powers = functional_ops.scan(
        lambda power, _: math_matmul.matmul(power, power_matrix),
        math_ops.range(array_size - 1),
        initializer=unit,
    )
    first = array_ops.expand_dims(multiplier, 0)
    left = batch_times_matrix(powers, multiplier)
    rest = math_matmul.matmul(left, powers, adjoint_b=True)
    sums = math_sums.cumsum(array_ops.concat([first, rest], 0))
    zero = array_ops.expand_dims(array_ops.zeros_like(multiplier), 0)
    return array_ops.concat([zero, sums], 0)


def matrix_to_powers(matrix: Any, powers: Any) -> Tensor:
    """One matrix to several powers.

    Args:
      matrix: [n, n].
      powers: ints [batch].
    """
    one = array_ops.expand_dims(matrix, 0)
    return batch_matrix_pow(array_ops.tile(one, [array_ops.size(powers), 1, 1]), powers)


def batch_matrix_pow(matrices: Any, powers: Any) -> Tensor:
    """Matrices to integer powers, by squaring.

    Args:
      matrices: [batch, n, n].
      powers: ints [batch].
    """

    def unfinished(square: Any, left: Any, product: Any) -> Tensor:
        return math_ops.reduce_any(math_ops.greater(left, array_ops.ones_like(left)))

    def halved(square: Any, left: Any, product: Any) -> list[Tensor]:
        odd = left % 2
        zeros = array_ops.zeros(array_ops.shape(left), dtype=dtypes.int32)
        is_even = math_ops.equal(odd, zeros)
        multiplied = math_matmul.matmul(product, square)
        multiplied = gather_ops.where(is_even, product, multiplied)
        squared = math_matmul.matmul(square, square)
        goes_on = math_ops.greater(left, 1)
        half = left - left % 2
        half //= 2
        product = gather_ops.where(goes_on, multiplied, product)
        square = gather_ops.where(goes_on, squared, square)
        return [square, gather_ops.where(goes_on, half, left), product]

    matrices = ops.convert_to_tensor(matrices)
    powers = math_ops.cast(powers, dtype=dtypes.int32)
    ones = array_ops.ones([array_ops.shape(matrices)[1]], dtype=matrices.dtype)
    unit = array_ops.expand_dims(diagonal_ops.diag(ones), 0)
    units = array_ops.tile(unit, [array_ops.shape(matrices)[0], 1, 1])
    square, left, product = control_flow_ops.while_loop(
        unfinished, halved, [matrices, powers, units]
    )
    is_zero = math_ops.equal(left, array_ops.zeros_like(left, dtype=dtypes.int32))
    return gather_ops.where(is_zero, units, math_matmul.matmul(square, product))


def batch_times_matrix(batch: Any, matrix: Any, adj_x: bool = False, adj_y: bool = False) -> Tensor:
    """Each matrix of a batch times one matrix.

    Args:
      batch: [batch, n, m].
      matrix: [m, k].
      adj_x: whether the matrices of the batch are given transposed.
      adj_y: whether the other one is.

    Returns:
      [batch, n, k].
    """
    batch, matrix = ops.convert_to_tensor(batch), ops.convert_to_tensor(matrix)
    assert batch.get_shape().ndims == 3
    assert matrix.get_shape().ndims == 2
    if adj_x:
        batch = array_ops.transpose(batch, [0, 2, 1])
    dynamic = array_ops.shape(batch)
    sizes = [
        dynamic[i] if size is None else size
        for i, size in enumerate(batch.get_shape().as_list()[:2])
    ]
    rows = array_ops.reshape(batch, [-1, dynamic[2]])
    which = 0 if adj_y else 1
    last = matrix.get_shape().as_list()[which]
    sizes.append(array_ops.shape(matrix)[which] if last is None else last)
    return array_ops.reshape(math_matmul.matmul(rows, matrix, adjoint_b=adj_y), sizes)


def matrix_times_batch(matrix: Any, batch: Any, adj_x: bool = False, adj_y: bool = False) -> Tensor:
    """One matrix times each matrix of a batch.

    Args:
      matrix: [k, n].
      batch: [batch, n, m].
      adj_x: whether the one matrix is given transposed.
      adj_y: whether those of the batch are.

    Returns:
      [batch, k, m].
    """
    turned = batch_times_matrix(batch, matrix, adj_x=not adj_y, adj_y=not adj_x)
    return array_ops.transpose(turned, [0, 2, 1])


def make_toeplitz_matrix(inputs: Any, name: str | None = None) -> Tensor:
    """A symmetric matrix whose blocks depend on how far they are from the diagonal.

    Args:
      inputs: the blocks, [blocks, size, size].
      name: the operation's name.
    """
    count, size = array_ops.shape(inputs)[0], array_ops.shape(inputs)[1]
    total = size * count
    lags = array_ops.reshape(math_ops.range(count), shape=[1, -1])
    blocks = gather_ops.gather(inputs, math_ops.abs(lags - array_ops.transpose(lags)))
    rows = array_ops.transpose(blocks, [0, 2, 1, 3])
    return array_ops.identity(array_ops.reshape(rows, [total, total]), name=name)


def sign_magnitude_positive_definite(
    raw: Any, off_diagonal_scale: Any = 0.0, overall_scale: Any = 0.0
) -> Tensor:
    """A positive definite matrix of any: an element above the diagonal says how large, its mirror
    image of which sign one of the Cholesky factor is.

    Args:
      raw: [..., n, n].
      off_diagonal_scale: what is added to the logarithms of those off the diagonal.
      overall_scale: what is added to all.
    """
    raw = ops.convert_to_tensor(raw)
    diagonal = diagonal_ops.matrix_diag_part(raw)

    def of_rank(scale: Any, rank: Any) -> Tensor:
        scale = ops.convert_to_tensor(scale, dtype=raw.dtype.base_dtype)
        known = array_ops.shape(scale)
        ones = array_ops.ones([rank - array_ops.rank(scale)], dtype=rank.dtype)
        return array_ops.reshape(scale, array_ops.concat([known, ones], axis=0))

    logarithms = raw + of_rank(off_diagonal_scale, array_ops.rank(raw))
    logarithms = logarithms + of_rank(overall_scale, array_ops.rank(raw))
    sizes = raw_ops.Exp(x=logarithms / 2.0)
    above = sizes * nn_ops.softsign(array_ops.matrix_transpose(raw))
    above.set_shape(raw.get_shape())
    above = diagonal_ops.matrix_band_part(above, 0, -1)
    own = (diagonal + of_rank(overall_scale, array_ops.rank(diagonal))) / 2.0
    factor = diagonal_ops.matrix_set_diag(input=above, diagonal=raw_ops.Exp(x=own))
    return math_matmul.matmul(factor, factor, transpose_a=True)


def transform_to_covariance_matrices(input_vectors: Any, matrix_size: int) -> Tensor:
    """Covariance matrices that a layer makes of vectors.

    Args:
      input_vectors: [..., size].
      matrix_size: n.

    Returns:
      [..., n, n].
    """
    values: Any = dense.fully_connected(input_vectors, matrix_size**2 + 2, activation_fn=None)
    raw = values[..., :-2]
    shape = array_ops.concat([array_ops.shape(values)[:-1], [matrix_size, matrix_size]], 0)
    raw = array_ops.reshape(raw, shape)
    return sign_magnitude_positive_definite(raw, values[..., -2], values[..., -1])


def variable_covariance_matrix(
    size: int, name: str, dtype: Any, initial_diagonal_values: Any = None,
    initial_overall_scale_log: Any = 0.0,
) -> Tensor:  # fmt: skip
    """A covariance matrix that is learned, by variables that may have any values.

    Args:
      size: n.
      name: its name, with which those of the variables begin.
      dtype: its dtype.
      initial_diagonal_values: the variances at first; ones by default.
      initial_overall_scale_log: the logarithm of what all are multiplied by at first.
    """
    zeros = init_ops.zeros_initializer
    raw = variable_scope.get_variable(
        f"{name}_pre_transform", dtype=dtype, shape=[size, size], initializer=zeros()
    )
    if initial_diagonal_values is not None:
        raw += diagonal_ops.matrix_diag(math_ops.log(initial_diagonal_values))
    off_diagonal = variable_scope.get_variable(
        f"{name}_off_diagonal_scale", dtype=dtype,
        initializer=constant_op.constant_v1(-5.0, dtype=dtype),
    )  # fmt: skip
    overall = ops.convert_to_tensor(initial_overall_scale_log, dtype=dtype)
    overall = overall + variable_scope.get_variable(
        f"{name}_overall_scale", dtype=dtype, shape=[], initializer=zeros()
    )
    made = sign_magnitude_positive_definite(raw, off_diagonal, overall)
    return array_ops.identity(made, name=name)


def batch_start_time(times: Any) -> Any:
    """The first time of each window, of times [batch, window]."""
    return times[:, 0]


def batch_end_time(times: Any) -> Any:
    """The last time of each window, of times [batch, window]."""
    return times[:, -1]


def log_noninformative_covariance_prior(covariance: Any) -> Tensor:
    """The logarithm of a prior that hardly says which covariance there is, up to a constant.

    Args:
      covariance: [n, n].
    """
    ones = array_ops.ones(shape=[array_ops.shape(covariance)[0]], dtype=covariance.dtype)
    covariance += diagonal_ops.diag(1e-8 * ones)
    size = math_ops.cast(array_ops.shape(covariance)[0] + 1, covariance.dtype)
    power = -(size / 2.0)
    return power * math_ops.log(linalg_ops.matrix_determinant(covariance))


def entropy_matched_cauchy_scale(covariance: Any) -> Tensor:
    """The scales of Cauchy distributions with the entropy of normal ones.

    Args:
      covariance: [..., n, n], of which the variances count.
    """
    variances = diagonal_ops.matrix_diag_part(covariance)
    return math_ops.sqrt(math.e / (8.0 * math.pi) * variances)
