"""Diagonals: making matrices of them, reading, replacing and cutting them."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from tf1compat.core import constants, errors, ops, raw_ops, shapes
from tf1compat.core.op_registry import op
from tf1compat.core.shapes import ShapeError


def _smaller(rows: int | None, columns: int | None) -> int | None:
    """The length of the diagonal; unknown while either size is, except that nothing is below 0."""
    if rows is None or columns is None:
        return 0 if 0 in (rows, columns) else None
    return min(rows, columns)


@op("MatrixDiag", autodiff=True)
class MatrixDiag:
    def shape(diagonal: Any) -> Any:
        diagonal = shapes.with_rank_at_least(diagonal, 1)
        return None if diagonal is None else (*diagonal, diagonal[-1])

    def lower(diagonal: Any) -> Any:
        size = diagonal.shape[-1]
        return jnp.where(np.eye(size, dtype=bool), diagonal[..., None], _zero(diagonal))

    def gradient(op: Any, grad: Any) -> Any:
        return raw_ops.MatrixDiagPart(grad, name="diag_part")


@op("MatrixDiagPart", autodiff=True)
class MatrixDiagPart:
    def shape(input: Any) -> Any:
        input = shapes.with_rank_at_least(input, 2)
        return None if input is None else (*input[:-2], _smaller(*input[-2:]))

    def lower(input: Any) -> Any:
        return jnp.diagonal(input, axis1=-2, axis2=-1)

    def gradient(op: Any, grad: Any) -> Any:
        from tf1compat.api import array_ops

        matrix = op.inputs[0].get_shape()[-2:]
        if matrix.is_fully_defined() and matrix[0] == matrix[1]:
            return raw_ops.MatrixDiag(grad, name="diag")
        zeros = array_ops.zeros_like(op.inputs[0])
        return raw_ops.MatrixSetDiag(zeros, grad, name="set_diag")


@op("MatrixSetDiag", autodiff=True)
class MatrixSetDiag:
    def shape(input: Any, diagonal: Any) -> Any:
        input = shapes.with_rank_at_least(input, 2)
        diagonal = shapes.with_rank_at_least(diagonal, 1)
        if input is not None:
            size = _smaller(*input[-2:])
            shapes.merge(diagonal, (*input[:-2], size))
        if input is None and diagonal is not None:
            return (*diagonal[:-1], None, None)
        if diagonal is not None:
            batch = shapes.merge(input[:-2], diagonal[:-1])
            return (*batch, *input[-2:])  # pyright: ignore
        return input

    def lower(input: Any, diagonal: Any) -> Any:
        rows, columns = input.shape[-2:]
        size = min(rows, columns)
        at = np.arange(size)
        return jnp.asarray(input).at[..., at, at].set(diagonal)

    def gradient(op: Any, grad: Any) -> Any:
        from tf1compat.api import array_ops, math_ops

        whole = op.inputs[0].get_shape().merge_with(grad.get_shape())
        batch = whole[:-2].merge_with(op.inputs[1].get_shape()[:-1])
        matrix = whole[-2:]
        if batch.is_fully_defined() and matrix.is_fully_defined():
            size: Any = [*batch.as_list(), min(matrix.as_list())]
        else:
            with ops.colocate_with(grad):
                grad_shape = array_ops.shape(grad)
                rank = array_ops.rank(grad)
                batch = array_ops.slice(grad_shape, [0], [rank - 2])
                matrix = array_ops.slice(grad_shape, [rank - 2], [2])
                smaller = math_ops.reduce_min(matrix)
                size = array_ops.concat([batch, [smaller]], 0)
        zeros = array_ops.zeros(size, dtype=grad.dtype)
        return [
            raw_ops.MatrixSetDiag(grad, zeros, name="set_diag"),
            raw_ops.MatrixDiagPart(grad, name="diag_part"),
        ]


@op("MatrixBandPart", autodiff=True)
class MatrixBandPart:
    def shape(input: Any, num_lower: Any, num_upper: Any, *, op: Any) -> Any:
        shapes.with_rank(num_lower, 0)
        shapes.with_rank(num_upper, 0)
        input = shapes.with_rank_at_least(input, 2)
        if input is None:
            return None
        for i, name in ((1, "lower"), (2, "upper")):
            value, size = constants.known_value(op.inputs[i]), input[-3 + i]
            if value is not None and size is not None and value > size:
                axis = "rows" if i == 1 else "columns"
                raise ShapeError(
                    f"num_{name} {value} must not be greater than the number of {axis} {size}"
                )
        return input

    def lower(input: Any, num_lower: Any, num_upper: Any, *, ctx: Any) -> Any:
        rows, columns = input.shape[-2:]
        for count, size, what in ((num_lower, rows, "lower"), (num_upper, columns, "upper")):
            ctx.check(
                count <= size,
                errors.InvalidArgumentError,
                lambda n, what=what, size=size: (
                    f"num_{what} must be negative or less or equal to number of "
                    f"{'rows' if what == 'lower' else 'columns'} ({size}) got: {int(n)}"
                ),
                n=count,
            )
        below = np.arange(rows)[:, None] - np.arange(columns)[None, :]
        inside = ((num_lower < 0) | (below <= num_lower)) & (
            (num_upper < 0) | (-below <= num_upper)
        )
        return jnp.where(inside, input, _zero(input))

    def gradient(op: Any, grad: Any) -> Any:
        return [raw_ops.MatrixBandPart(grad, op.inputs[1], op.inputs[2]), None, None]


def _zero(value: Any) -> Any:
    return jnp.zeros((), value.dtype)


@op("Diag", autodiff=True)
class Diag:
    def shape(diagonal: Any) -> Any:
        diagonal = shapes.with_rank_at_least(diagonal, 1)
        return None if diagonal is None else diagonal + diagonal

    def lower(diagonal: Any) -> Any:
        flat = jnp.ravel(diagonal)
        matrix = jnp.where(np.eye(flat.size, dtype=bool), flat, _zero(flat))
        return matrix.reshape(diagonal.shape + diagonal.shape)

    def gradient(op: Any, grad: Any) -> Any:
        return raw_ops.DiagPart(grad)


@op("DiagPart", autodiff=True)
class DiagPart:
    def shape(input: Any) -> Any:
        if input is None:
            return None
        rank = len(input)
        if rank % 2 or rank <= 0:
            raise ShapeError(f"Input must have even and non-zero rank, input rank is {rank}")
        half = rank // 2
        return tuple(map(shapes.merge_dim, input[:half], input[half:]))

    def lower(input: Any, *, ctx: Any) -> Any:
        half = input.ndim // 2
        for i in range(half):
            if input.shape[i] != input.shape[half + i]:
                text = (
                    f"Invalid shape {shapes.to_string(input.shape)}: dimensions {i} and {half + i} "
                    "do not match."
                )
                ctx.check(False, errors.InvalidArgumentError, lambda text=text: text)
        size = int(np.prod(input.shape[:half]))
        return jnp.diagonal(input.reshape(size, size)).reshape(input.shape[:half])

    def gradient(op: Any, grad: Any) -> Any:
        return raw_ops.Diag(grad)
