"""Diagonals: making matrices of them, reading, replacing and cutting them."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.backend import Array, at, jnp
from tf1compat.core import errors, ops, raw_ops, shapes
from tf1compat.core.op_registry import op
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import ShapeError
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext, Shape
from tf1compat.kernels.framework.common import refuse, text_of_shape


def _check_rank(ctx: LoweringContext, value: Any, least: int, name: str) -> None:
    if value.ndim < least:
        shape = shapes.to_string(value.shape)
        refuse(ctx, f"{name} must be at least {least}-dim, received shape: {shape}")


def check_diagonal(
    ctx: LoweringContext, input: Any, diagonal: Any, expected: tuple[int, ...]
) -> None:
    """Refuses what can't be the diagonal, or the band, of `input`."""
    _check_rank(ctx, diagonal, 1, "diagonal")
    if diagonal.shape != expected:
        refuse(
            ctx,
            "Either first dimensions of diagonal don't match input.shape[:-2], or "
            "diagonal.shape[:-1] is not equal to the longests diagonal in range "
            f"[lower_diag_index:upper_diag_index].\nInput shape: {text_of_shape(input)}\n"
            f"Diagonal shape: {text_of_shape(diagonal)}\n"
            f"Expected diagonal shape: {shapes.to_string(expected)}",
        )


def _smaller(rows: int | None, columns: int | None) -> int | None:
    """The length of the diagonal; unknown while either size is, except that nothing is below 0."""
    if rows is None or columns is None:
        return 0 if 0 in (rows, columns) else None
    return min(rows, columns)


@op("MatrixDiag", autodiff=True)
class MatrixDiag:
    def shape(diagonal: Any) -> Shape:
        diagonal = shapes.with_rank_at_least(diagonal, 1)
        return None if diagonal is None else (*diagonal, diagonal[-1])

    def lower(diagonal: Any, *, ctx: LoweringContext) -> Array:
        _check_rank(ctx, diagonal, 1, "diagonal")
        size = diagonal.shape[-1]
        return jnp.where(np.eye(size, dtype=bool), diagonal[..., None], _zero(diagonal))

    def gradient(op: Any, grad: Tensor) -> Gradients:
        return raw_ops.MatrixDiagPart(grad, name="diag_part")


@op("MatrixDiagPart", autodiff=True)
class MatrixDiagPart:
    def shape(input: Any) -> Shape:
        input = shapes.with_rank_at_least(input, 2)
        return None if input is None else (*input[:-2], _smaller(*input[-2:]))

    def lower(input: Any, *, ctx: LoweringContext) -> Array:
        _check_rank(ctx, input, 2, "input")
        return jnp.diagonal(input, axis1=-2, axis2=-1)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        matrix = op.inputs[0].get_shape()[-2:]
        if matrix.is_fully_defined() and matrix[0] == matrix[1]:
            return raw_ops.MatrixDiag(grad, name="diag")
        zeros = array_ops.zeros_like(op.inputs[0])
        return raw_ops.MatrixSetDiag(zeros, grad, name="set_diag")


def _shape_of_diagonals(op: Operation, grad: Tensor) -> Any:
    """Of the gradient of MatrixSetDiag: a list, if all is known, or a tensor."""
    matrices = op.inputs[0].get_shape().merge_with(grad.get_shape())
    batch = matrices[:-2].merge_with(op.inputs[1].get_shape()[:-1])
    known = batch.concatenate(matrices[-2:])
    if known.is_fully_defined():
        *outer, rows, columns = known.as_list()
        return [*outer, min(rows, columns)]
    with ops.colocate_with(grad):
        sizes, rank = array_ops.shape(grad), array_ops.rank(grad)
        outer = array_ops.slice(sizes, [0], [rank - 2])
        both = array_ops.slice(sizes, [rank - 2], [2])
        return array_ops.concat([outer, [math_ops.reduce_min(both)]], 0)


@op("MatrixSetDiag", autodiff=True)
class MatrixSetDiag:
    def shape(input: Any, diagonal: Shape) -> Shape:
        input = shapes.with_rank_at_least(input, 2)
        diagonal = shapes.with_rank_at_least(diagonal, 1)
        if input is not None:
            diagonal = shapes.with_rank(diagonal, len(input) - 1)
            shapes.merge_dim(_smaller(*input[-2:]), diagonal[-1])
            if None in input:
                input, _ = shapes.merge_prefix(input, diagonal[:-1])
        elif diagonal is not None:
            return (*diagonal[:-1], None, None)
        return input

    def lower(input: Any, diagonal: Array, *, ctx: LoweringContext) -> Array:
        _check_rank(ctx, input, 2, "input")
        size = min(input.shape[-2:])
        check_diagonal(ctx, input, diagonal, (*input.shape[:-2], size))
        along = np.arange(size)
        return at(jnp.asarray(input))[..., along, along].set(diagonal)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        size = _shape_of_diagonals(op, grad)
        zeros = array_ops.zeros(size, dtype=grad.dtype)
        return [
            raw_ops.MatrixSetDiag(grad, zeros, name="set_diag"),
            raw_ops.MatrixDiagPart(grad, name="diag_part"),
        ]


@op("MatrixBandPart", autodiff=True)
class MatrixBandPart:
    def shape(input: Any, num_lower: Shape, num_upper: Shape) -> Shape:
        return input

    def lower(input: Any, num_lower: Array, num_upper: Array, *, ctx: LoweringContext) -> Array:
        _check_rank(ctx, input, 2, "input")
        rows, columns = input.shape[-2:]
        for count, size, name, lines in (
            (num_lower, rows, "num_lower", "rows"),
            (num_upper, columns, "num_upper", "columns"),
        ):
            if np.ndim(count):
                refuse(ctx, f"{name} must be scalar, got shape {text_of_shape(count)}")
            text = (
                f"{name} must be negative or less or equal to number of {lines} ({size}) got: {{n}}"
            )
            ctx.check(count <= size, errors.InvalidArgumentError, text, n=count)
        below = np.arange(rows)[:, None] - np.arange(columns)[None, :]
        inside = ((num_lower < 0) | (below <= num_lower)) & (
            (num_upper < 0) | (-below <= num_upper)
        )
        return jnp.where(inside, input, _zero(input))

    def gradient(op: Any, grad: Tensor) -> Gradients:
        return [raw_ops.MatrixBandPart(grad, op.inputs[1], op.inputs[2]), None, None]


def _zero(value: Any) -> Any:
    return jnp.zeros((), value.dtype)


@op("Diag", autodiff=True)
class Diag:
    def shape(diagonal: Any) -> Shape:
        diagonal = shapes.with_rank_at_least(diagonal, 1)
        return None if diagonal is None else diagonal + diagonal

    def lower(diagonal: Any, *, ctx: LoweringContext) -> Array:
        if not diagonal.ndim:
            refuse(ctx, "Input must be at least rank 1, got 0")
        flat = jnp.ravel(diagonal)
        matrix = jnp.where(np.eye(flat.size, dtype=bool), flat, _zero(flat))
        return matrix.reshape(diagonal.shape + diagonal.shape)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        return raw_ops.DiagPart(grad)


@op("DiagPart", autodiff=True)
class DiagPart:
    def shape(input: Any) -> Shape:
        if input is None:
            return None
        rank = len(input)
        if rank % 2 or rank <= 0:
            raise ShapeError(f"Input must have even and non-zero rank, input rank is {rank}")
        half = rank // 2
        return tuple(map(shapes.merge_dim, input[:half], input[half:]))

    def lower(input: Any, *, ctx: LoweringContext) -> Array:
        shape = shapes.to_string(input.shape)
        half = input.ndim // 2
        if not input.ndim:
            return input
        if input.ndim % 2:
            refuse(
                ctx,
                f"The rank of the tensor should be {' ' * 40} even and positive, got shape {shape}",
            )
        for i in range(half):
            if input.shape[i] != input.shape[half + i]:
                refuse(ctx, f"Invalid shape {shape}: dimensions {i} and {half + i} do not match.")
        size = int(np.prod(input.shape[:half]))
        return jnp.diagonal(input.reshape(size, size)).reshape(input.shape[:half])

    def gradient(op: Any, grad: Tensor) -> Gradients:
        return raw_ops.Diag(grad)
