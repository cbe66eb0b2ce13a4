"""Several diagonals of matrices at once (MatrixDiagV2 and its like).

The diagonals come from the upper one to the lower one, each at the start of its row.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.backend import Array, jnp
from tf1compat.core import ops, raw_ops, shapes
from tf1compat.core.op_registry import op
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import ShapeError
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext, Shape
from tf1compat.kernels.array.diagonal import check_diagonal
from tf1compat.kernels.framework.common import refuse


def _known_band(op: Operation, index: int, k: Any) -> tuple[int, int] | None:
    """The lower and the upper diagonal, if they are known while recording."""
    shapes.with_rank_at_most(k, 1)
    value = op.const_input(index)
    if value is None:
        return None
    value = np.ravel(value)
    if len(value) not in (1, 2):
        raise ShapeError(
            f"diag_index must have only one or two elements, received {len(value)} elements."
        )
    lower, upper = int(value[0]), int(value[-1])
    if lower > upper:
        raise ShapeError("lower_diag_index is greater than upper_diag_index")
    return lower, upper


def _band(k: Any, ctx: LoweringContext) -> tuple[int, int]:
    value = np.ravel(k)
    if np.ndim(k) > 1:
        text = f"diag_index must be a scalar or vector, received shape: {np.shape(k)}"
        refuse(ctx, text)
    if len(value) not in (1, 2):
        text = f"diag_index must have only one or two elements, received {len(value)} elements."
        refuse(ctx, text)
    lower, upper = int(value[0]), int(value[-1])
    if lower > upper:
        text = f"lower_diag_index must not be larger than upper_diag_index: {lower} > {upper}"
        refuse(ctx, text)
    return lower, upper


def _check_bounds(lower: int, upper: int, rows: int, columns: int, ctx: LoweringContext) -> None:
    for name, value in (("lower", lower), ("upper", upper)):
        if not (-rows < value < columns or value == 0):
            refuse(
                ctx,
                f"{name}_diag_index is out of bound: {value}. It must be between {-rows} and "
                f"{columns}",
            )


def _longest(rows: int, columns: int, lower: int, upper: int) -> int:
    return min(rows + min(upper, 0), columns - max(lower, 0))


def _places(rows: int, columns: int, lower: int, upper: int) -> tuple[Any, Any, Any]:
    """For each element of a matrix: whether it lies in the band, which diagonal it is on, and
    where."""
    row, column = np.indices((rows, columns))
    distance = column - row
    inside = (lower <= distance) & (distance <= upper)
    diagonal = np.clip(upper - distance, 0, upper - lower)
    return inside, diagonal, np.minimum(row, column)


def _of_band(diagonal: Any, lower: int, upper: int, ctx: LoweringContext, least: str) -> Any:
    """Diagonals as [..., number of diagonals, length]."""
    if np.ndim(diagonal) < 1:
        refuse(ctx, f"{least} must be at least 1-dim, received shape: []")
    if lower == upper:
        return diagonal[..., None, :]
    if np.ndim(diagonal) < 2 or diagonal.shape[-2] != upper - lower + 1:
        refuse(
            ctx,
            "The number of diagonals provided in the input does not match the lower_diag_index "
            "and upper_diag_index range.",
        )
    return diagonal


@op("MatrixDiagV2", const=(1, 2, 3))
class MatrixDiagV2:
    def shape(
        diagonal: Any, k: Any, num_rows: Any, num_cols: Any, padding_value: Any, *, op: Any
    ) -> Shape:
        diagonal = shapes.with_rank_at_least(diagonal, 1)
        for scalar in (num_rows, num_cols, padding_value):
            shapes.with_rank(scalar, 0)
        band = _known_band(op, 1, k)
        if diagonal is None:
            return None
        if band is None:
            # A vector of them may be one, too.
            return None
        lower, upper = band
        batch = diagonal[:-1]
        if lower < upper:
            shapes.with_rank_at_least(diagonal, 2)
            if diagonal[-2] is not None and diagonal[-2] != upper - lower + 1:
                raise ShapeError(
                    "The number of rows of `diagonal` doesn't match the number of diagonals "
                    "implied from `d_lower` and `d_upper`."
                )
            batch = diagonal[:-2]
        sizes = [op.const_input(i) for i in (2, 3)]
        if diagonal[-1] is None or None in sizes:
            return (*batch, None, None)
        return (*batch, *_matrix_size(diagonal[-1], lower, upper, *map(int, sizes)))

    def lower(
        diagonal: Any,
        k: np.ndarray,
        num_rows: np.ndarray,
        num_cols: np.ndarray,
        padding_value: Array,
        *,
        ctx: LoweringContext,
    ) -> Array:
        lower, upper = _band(k, ctx)
        band = _of_band(diagonal, lower, upper, ctx, "diagonal")
        try:
            rows, columns = _matrix_size(band.shape[-1], lower, upper, int(num_rows), int(num_cols))
        except ShapeError as error:
            refuse(ctx, str(error))
            raise
        inside, which, at = _places(rows, columns, lower, upper)
        at = np.minimum(at, band.shape[-1] - 1)
        return jnp.where(inside, jnp.asarray(band)[..., which, at], padding_value)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        return [raw_ops.MatrixDiagPart(grad, name="diag_part"), None, None, None, None]


def _matrix_size(length: int, lower: int, upper: int, rows: int, columns: int) -> tuple[int, int]:
    """The size of a matrix with diagonals of a length; -1 is for the least that will do."""
    least_rows = length - min(upper, 0)
    least_columns = length + max(lower, 0)
    if rows == -1 and columns == -1:
        rows = columns = max(least_rows, least_columns)
    elif rows == -1:
        rows = least_rows
    elif columns == -1:
        columns = least_columns
    if rows < least_rows:
        raise ShapeError("num_rows is too small")
    if columns < least_columns:
        raise ShapeError("num_cols is too small.")
    if rows != least_rows and columns != least_columns:
        raise ShapeError(
            "num_rows and num_cols are not consistent with lower_diag_index, upper_diag_index, "
            f"and the length of the given diagonals.\nnum_rows = {rows} != min_num_rows = "
            f"{least_rows}, num_cols = {columns} != min_num_cols = {least_columns}"
        )
    return rows, columns


@op("MatrixDiagPartV2", const=(1,))
class MatrixDiagPartV2:
    def shape(input: Any, k: Shape, padding_value: Shape, *, op: Operation) -> Shape:
        input = shapes.with_rank_at_least(input, 2)
        shapes.with_rank(padding_value, 0)
        band = _known_band(op, 1, k)
        if input is None or band is None:
            return None
        lower, upper = band
        count = () if lower == upper else (upper - lower + 1,)
        rows, columns = input[-2:]
        if rows is None or columns is None:
            return (*input[:-2], *count, None)
        for name, value in (("lower", lower), ("upper", upper)):
            if not (-rows < value < columns or value == 0):
                raise ShapeError(f"{name}_diag_index is out of bound.")
        return (*input[:-2], *count, _longest(rows, columns, lower, upper))

    def lower(input: Any, k: np.ndarray, padding_value: Array, *, ctx: LoweringContext) -> Array:
        if input.ndim < 2:
            shape = shapes.to_string(input.shape)
            refuse(ctx, f"input must be at least 2-dim, received shape: {shape}")
        lower, upper = _band(k, ctx)
        rows, columns = input.shape[-2:]
        _check_bounds(lower, upper, rows, columns, ctx)
        length = _longest(rows, columns, lower, upper)
        distance = np.arange(upper, lower - 1, -1)[:, None]
        at = np.arange(length)[None, :]
        row, column = at - np.minimum(distance, 0), at + np.maximum(distance, 0)
        inside = (row < rows) & (column < columns)
        row, column = np.minimum(row, rows - 1), np.minimum(column, columns - 1)
        found = jnp.where(inside, jnp.asarray(input)[..., row, column], padding_value)
        return found[..., 0, :] if lower == upper else found

    def gradient(op: Any, grad: Tensor) -> Gradients:
        if op.inputs[0].get_shape()[-2:].is_fully_defined():
            return [raw_ops.MatrixDiag(grad, name="diag"), None, None]
        zeros = array_ops.zeros_like(op.inputs[0])
        return [raw_ops.MatrixSetDiag(zeros, grad, name="set_diag"), None, None]


@op("MatrixSetDiagV2", const=(2,))
class MatrixSetDiagV2:
    def shape(input: Any, diagonal: Any, k: Any, *, op: Any) -> Shape:
        input = shapes.with_rank_at_least(input, 2)
        shapes.with_rank_at_least(diagonal, 1)
        band = _known_band(op, 2, k)
        if input is None or band is None or None in input[-2:]:
            return input
        lower, upper = band
        for name, value in (("lower", lower), ("upper", upper)):
            if not (-input[-2] < value < input[-1] or value == 0):
                raise ShapeError(f"{name}_diag_index is out of bound.")
        return input

    def lower(input: Any, diagonal: Array, k: np.ndarray, *, ctx: LoweringContext) -> Array:
        if input.ndim < 2:
            shape = shapes.to_string(input.shape)
            refuse(ctx, f"input must be at least 2-dim, received shape: {shape}")
        lower, upper = _band(k, ctx)
        rows, columns = input.shape[-2:]
        _check_bounds(lower, upper, rows, columns, ctx)
        count = () if lower == upper else (upper - lower + 1,)
        length = _longest(rows, columns, lower, upper)
        check_diagonal(ctx, input, diagonal, (*input.shape[:-2], *count, length))
        band = jnp.asarray(diagonal)
        band = band[..., None, :] if lower == upper else band
        inside, which, at = _places(rows, columns, lower, upper)
        at = np.minimum(at, length - 1)
        return jnp.where(inside, band[..., which, at], input)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        shape: Any = op.inputs[1].get_shape()
        if not shape.is_fully_defined():
            shape = _diagonal_shape(grad, op.inputs[2])
        zeros = array_ops.zeros(shape, dtype=grad.dtype)
        return [
            raw_ops.MatrixSetDiag(grad, zeros, name="set_diag"),
            raw_ops.MatrixDiagPart(grad, name="diag_part"),
            None,
        ]


def _diagonal_shape(grad: Any, k: Any) -> Any:
    """The shape of the diagonals of a band, as a tensor."""
    grad_shape = array_ops.shape(grad)
    batch, matrix = grad_shape[:-2], grad_shape[-2:]
    bounds = array_ops.reshape(k, [-1])
    lower, upper = bounds[0], bounds[-1]
    below: Any = control_flow_ops.cond(math_ops.less(upper, 0), lambda: upper, lambda: 0)
    above: Any = control_flow_ops.cond(math_ops.greater(lower, 0), lambda: -lower, lambda: 0)
    length = math_ops.minimum(matrix[0] + below, matrix[1] + above)
    rest: Any = control_flow_ops.cond(
        math_ops.equal(lower, upper),
        lambda: ops.convert_to_tensor([length]),
        lambda: ops.convert_to_tensor([upper - lower + 1, length]),
    )
    return array_ops.concat([batch, rest], 0)
