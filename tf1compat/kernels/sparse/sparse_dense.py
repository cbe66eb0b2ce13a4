"""Sparse tensors with dense ones: made dense, added, multiplied, broadcast to."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.api.sparse import sparse_ops
from tf1compat.backend import Array, at, jax, jnp
from tf1compat.core import dtypes, errors, raw_ops, shapes
from tf1compat.core.op_registry import gradient, op, register
from tf1compat.core.operation import Operation
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext, Shape
from tf1compat.kernels.array.padded_rows import placing
from tf1compat.kernels.framework.common import refuse, text_of_shape
from tf1compat.kernels.sparse.sparse import (
    DROP,
    check_lengths,
    check_order,
    columns_of,
    is_strings,
    numpy_or_jax,
)

# A sparse tensor made dense.


@op("SparseToDense", const=(1,), padding=placing)
class SparseToDense:
    def shape(
        sparse_indices: Any,
        output_shape: Shape,
        sparse_values: Shape,
        default_value: Shape,
        *,
        op: Operation,
    ) -> Shape:
        return op.shape_input(1)

    def lower(
        sparse_indices: Any, output_shape: np.ndarray, sparse_values: Any, default_value: Any,
        *, validate_indices: bool, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        if np.ndim(sparse_indices) > 2:
            refuse(
                ctx,
                "sparse_indices should be a scalar, vector, or matrix, got shape "
                f"{text_of_shape(sparse_indices)}",
            )
        count = np.shape(sparse_indices)[0] if np.ndim(sparse_indices) else 1
        rank = np.shape(sparse_indices)[1] if np.ndim(sparse_indices) == 2 else 1
        if output_shape.ndim != 1:
            refuse(ctx, f"output_shape should be a vector, got shape {text_of_shape(output_shape)}")
        if output_shape.size != rank:
            refuse(
                ctx,
                f"output_shape has incorrect number of elements: {output_shape.size} should be: "
                f"{rank}",
            )
        if np.shape(sparse_values) not in ((), (count,)):
            refuse(
                ctx,
                f"sparse_values has incorrect shape {text_of_shape(sparse_values)}, should be [] "
                f"or [{count}]",
            )
        if np.ndim(default_value):
            refuse(ctx, "default_value should be a scalar.")
        shape = tuple(int(size) for size in output_shape)
        for size in shape:
            if size < 0:
                refuse(ctx, f"Dimension {size} must be >= 0")
        indices = sparse_indices.reshape(count, rank)
        meant = ctx.meant(0)
        if validate_indices:
            check_order(indices, shape, ctx)
        else:
            bad = (indices < 0) | (indices >= np.array(shape, indices.dtype))
            if meant is not None:
                is_meant = jnp.arange(count)[:, np.newaxis] < meant
                bad &= is_meant
                indices = jnp.where(is_meant, indices, np.array(shape, indices.dtype))
            text = f"Indices are not valid (out of bounds).  Shape: {shapes.to_string(shape)}"
            ctx.check(~numpy_or_jax(indices).any(bad), errors.InvalidArgumentError, text)
        if is_strings(default_value):
            return _strings_to_dense(indices, shape, sparse_values, default_value)
        dense = jnp.full(shape, default_value, sparse_values.dtype)
        return at(dense)[columns_of(indices)].set(sparse_values, **DROP)

    def numpy(
        sparse_indices: Any, output_shape: np.ndarray, sparse_values: np.ndarray,
        default_value: np.ndarray, *, validate_indices: bool,
    ) -> np.ndarray:  # fmt: skip
        rows = sparse_indices
        if rows.ndim < 2:
            rows = rows.reshape(-1, 1)
        shape = tuple(output_shape.tolist())
        fits = rows.ndim == 2 and rows.shape[1] == len(shape) and min(shape, default=0) >= 0
        if not fits or default_value.ndim or sparse_values.shape not in ((), (len(rows),)):
            raise ValueError("`lower` says what is wrong")
        dense = np.full(shape, default_value.item(), sparse_values.dtype)
        if len(rows):
            places: Any = np.ravel_multi_index(columns_of(rows), shape)
            if validate_indices and not (places[1:] > places[:-1]).all():
                raise ValueError("`lower` says what is wrong")
            dense.reshape(-1)[places] = sparse_values
        return dense

    def gradient(op: Any, grad: Tensor) -> Gradients:
        indices, output_shape = op.inputs[:2]
        values_grad = array_ops.gather_nd(grad, indices)
        default_grad = math_ops.reduce_sum(grad) - math_ops.reduce_sum(values_grad)
        zeros = [array_ops.zeros_like(indices), array_ops.zeros_like(output_shape)]
        return [*zeros, values_grad, default_grad]


def _strings_to_dense(indices: Any, shape: Any, values: Any, default: Any) -> np.ndarray:
    dense = np.full(shape, default.item(), object)
    dense[columns_of(indices)] = values
    return dense


@op("SparseTensorDenseAdd")
class SparseTensorDenseAdd:
    def shape(a_indices: Any, a_values: Shape, a_shape: Shape, b: Shape) -> Shape:
        return b

    def lower(
        a_indices: Any, a_values: Array, a_shape: Array, b: Array, *, ctx: LoweringContext
    ) -> Array:
        if np.ndim(a_indices) != 2:
            shape = text_of_shape(a_indices)
            refuse(ctx, f"Input a_indices should be a matrix but received shape: {shape}")
        if np.ndim(a_values) != 1 or np.ndim(a_shape) != 1:
            refuse(
                ctx,
                "Inputs a_values and a_shape should be vectors but received shapes: "
                f"{text_of_shape(a_values)} and {text_of_shape(a_shape)}",
            )
        rank = np.shape(a_shape)[0]
        if rank != np.ndim(b):
            text = f"Two operands have different ranks; received: {rank} and {np.ndim(b)}"
            refuse(ctx, text)
        for i, size in enumerate(np.shape(b)):
            ctx.check(
                a_shape[i] == size,
                errors.InvalidArgumentError,
                f"Dimension {i} does not equal (no broadcasting is supported): sparse side "
                f"{{size}} vs dense side {size}",
                size=a_shape[i],
            )
        b, indices = jnp.asarray(b), jnp.asarray(a_indices)
        if indices.size:
            bad = jnp.any((indices < 0) | (indices >= np.array(b.shape, indices.dtype)), axis=0)
            ctx.check(
                ~jnp.any(bad),
                errors.InvalidArgumentError,
                "Sparse tensor has some invalid index on dimension {dimension}; dense tensor "
                f"shape: {text_of_shape(b)}",
                dimension=jnp.argmax(bad),
            )
        return at(b)[columns_of(indices)].add(a_values[: indices.shape[0]], **DROP)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        return [None, array_ops.gather_nd(grad, op.inputs[0]), None, grad]


# Products.


def _product_shape(
    a_indices: Any, a_values: Any, a_shape: Any, b: Any, *, adjoint_a: bool, adjoint_b: bool,
    op: Any,
) -> Any:  # fmt: skip
    shapes.with_rank(a_indices, 2)
    shapes.with_rank(a_values, 1)
    a = shapes.with_rank(op.shape_input(2), 2)
    b = shapes.with_rank(b, 2)
    rows, inner = reversed(a) if adjoint_a else a
    inner_b, columns = reversed(b) if adjoint_b else b
    shapes.merge_dim(inner, inner_b)
    return (rows, columns)


def _check_product(
    a_indices: Any, a_values: Any, a_shape: Any, b: Any, ctx: LoweringContext
) -> None:
    for refused, text in (
        (np.ndim(b) != 2, "Tensor 'b' is not a matrix"),
        (np.ndim(a_shape) != 1, "Tensor 'a_shape' is not a vector"),
        (np.size(a_shape) != 2, "Tensor 'a_shape' must have 2 elements"),
        (np.ndim(a_values) != 1, "Tensor 'a_values' is not a vector"),
        (np.ndim(a_indices) != 2, "Tensor 'a_indices' is not a matrix"),
    ):
        if refused:
            refuse(ctx, text)
    if np.shape(a_indices)[0] != np.shape(a_values)[0]:
        text = "Number of rows of a_indices does not match number of entries in a_values"
        refuse(ctx, text)
    if np.shape(a_indices)[1] != 2:
        text = "Number of columns of a_indices does not match number of entries in a_shape"
        refuse(ctx, text)


def _check_places(
    rows: Any, inner: Any, sizes: tuple[int, int], ctx: LoweringContext, swapped: bool
) -> None:
    """Refuses an element outside of a matrix of `sizes`."""
    outside = (inner < 0) | (inner >= sizes[1])
    bad = outside | (rows < 0) | (rows >= sizes[0])
    xp = numpy_or_jax(bad)
    at = xp.argmax(bad)

    def text(at: Any, row: Any, inner: Any, outside: Any) -> str:
        name, value, size = ("k", inner, sizes[1]) if outside else ("m", row, sizes[0])
        column = int(bool(outside) != swapped)
        return f"{name} ({int(value)}) from index[{int(at)},{column}] out of bounds (>={size})"

    ctx.check(
        ~xp.any(bad),
        errors.InvalidArgumentError,
        text,
        at=at,
        row=rows[at],
        inner=inner[at],
        outside=outside[at],
    )


@op("SparseTensorDenseMatMul", const=(2,))
class SparseTensorDenseMatMul:
    shape = _product_shape

    def lower(
        a_indices: Any, a_values: Array, a_shape: np.ndarray, b: Array, *, adjoint_a: bool,
        adjoint_b: bool,
        ctx: LoweringContext,
    ) -> Array:  # fmt: skip
        _check_product(a_indices, a_values, a_shape, b, ctx)
        rows, inner = a_indices[:, 0], a_indices[:, 1]
        sizes = int(a_shape[0]), int(a_shape[1])
        b_inner = np.shape(b)[1 if adjoint_b else 0]
        if adjoint_a:
            rows, inner, sizes = inner, rows, (sizes[1], sizes[0])
        if sizes[1] != b_inner:
            refuse(
                ctx,
                "Cannot multiply A and B because inner dimension does not match: "
                f"{sizes[1]} vs. {b_inner}.  Did you forget a transpose?  Dimensions of A: "
                f"[{int(a_shape[0])}, {int(a_shape[1])}).  Dimensions of B: {text_of_shape(b)}",
            )
        b, values = jnp.asarray(b), jnp.asarray(a_values)
        if adjoint_b:
            b = jnp.conj(b.T)
        # With adjoint_a TF 1.15 transposes A and does not conjugate it.
        product = jnp.zeros((sizes[0], b.shape[1]), b.dtype)
        if not values.size or not b.size:
            return product
        _check_places(rows, inner, sizes, ctx, adjoint_a)
        terms = values[:, None] * at(b)[inner].get(mode="clip")
        return at(product)[rows].add(terms, **DROP)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        a_indices, a_values, a_shape, b = op.inputs
        adjoint_a, adjoint_b = op._attrs["adjoint_a"], op._attrs["adjoint_b"]
        a_type, b_type = a_values.dtype.base_dtype, b.dtype.base_dtype
        if a_type != b_type:
            raise TypeError(
                "SparseTensorDenseMatMul op received operands with different types: ",
                a_type,
                b_type,
            )
        if a_type.is_complex:
            raise NotImplementedError(
                "SparseTensorDenseMatMul op does not support complex gradients."
            )
        b_grad = raw_ops.SparseTensorDenseMatMul(
            a_indices, a_values, a_shape, grad, adjoint_a=not adjoint_a
        )
        if adjoint_b:
            b_grad = array_ops.transpose(b_grad)
        rows, columns = a_indices[:, 0], a_indices[:, 1]
        parts_a = array_ops.gather(grad, columns if adjoint_a else rows)
        parts_b = array_ops.gather(
            array_ops.transpose(b) if adjoint_b else b, rows if adjoint_a else columns
        )
        a_values_grad = math_ops.reduce_sum(parts_a * parts_b, axis=1)
        return [None, a_values_grad, None, b_grad]


# A dense tensor broadcast to the elements of a sparse one.


def _cwise_shape(sp_indices: Any, sp_values: Any, sp_shape: Any, dense: Any) -> Any:
    return (shapes.with_rank(sp_indices, 2)[0],)


def _dense_elements(indices: Any, sp_shape: Any, dense: Any, ctx: LoweringContext) -> Any:
    """The elements of `dense`, broadcast to the sparse tensor's shape, at its indices."""
    if np.ndim(indices) != 2:
        shape = text_of_shape(indices)
        refuse(ctx, f"Input sp_indices should be a matrix but received shape: {shape}")
    sizes = np.shape(dense)
    added = np.shape(sp_shape)[0] - len(sizes)

    def text(sp_shape: Any) -> str:
        return (
            "SparseDenseBinaryOpShared broadcasts dense to sparse only; got incompatible shapes: "
            f"{shapes.to_string(tuple(sp_shape.tolist()))} vs. {shapes.to_string(sizes)}"
        )

    stretched = [i for i, size in enumerate(sizes) if size == 1]
    fits: Any = added >= 0
    if fits:
        xp = numpy_or_jax(sp_shape)
        own = sp_shape[added:]
        fits = xp.all((own == np.array(sizes, own.dtype)) | (np.array(sizes) == 1))
    ctx.check(fits, errors.InvalidArgumentError, text, sp_shape=sp_shape)
    dense, indices = jnp.asarray(dense), jnp.asarray(indices)
    columns = [indices[:, added + i] for i in range(len(sizes))]
    for i in stretched:
        columns[i] = jnp.zeros_like(columns[i])
    ctx.check(
        jnp.all((indices >= 0) & (indices < jnp.asarray(sp_shape))),
        errors.InvalidArgumentError,
        "Provided indices are out-of-bounds w.r.t. dense side with broadcasted shape",
    )
    return at(dense)[tuple(columns)].get(mode="clip") if columns else dense


def _cwise(name: str, combine: Any) -> None:
    def lower(
        sp_indices: Any, sp_values: Any, sp_shape: Any, dense: Any, *, ctx: LoweringContext
    ) -> Any:
        if np.ndim(sp_values) != 1 or np.ndim(sp_shape) != 1:
            refuse(
                ctx,
                "Inputs sp_values and sp_shape should be vectors but received shapes: "
                f"{text_of_shape(sp_values)} and {text_of_shape(sp_shape)}",
            )
        check_lengths(sp_indices, sp_values, ctx)
        elements = _dense_elements(sp_indices, sp_shape, dense, ctx)
        return combine(jnp.asarray(sp_values)[: np.shape(sp_indices)[0]], elements)

    register(f"SparseDenseCwise{name}", shape=_cwise_shape, lower=lower)


def _divide(x: Any, y: Any) -> Any:
    if jnp.issubdtype(x.dtype, jnp.integer):
        return jax.lax.div(x, jnp.broadcast_to(y, x.shape))
    return x / y


_cwise("Add", jnp.add)
_cwise("Mul", jnp.multiply)
_cwise("Div", _divide)


@gradient("SparseDenseCwiseAdd")
def _cwise_add_gradient(op: Operation, grad: Tensor) -> Any:
    raise NotImplementedError("Gradient for SparseDenseCwiseAdd is currently not implemented yet.")


def _cwise_gradient(op: Operation, grad: Tensor, is_product: bool) -> Any:
    indices, values, shape, dense = op.inputs
    dense_shape = math_ops.cast(array_ops.shape(dense), dtypes.int64)
    rank_difference = array_ops.size(shape) - array_ops.size(dense_shape)
    added = array_ops.expand_dims(rank_difference, 0)
    padded = array_ops.concat([array_ops.ones(added, dtypes.int64), dense_shape], 0)
    scaled = indices // (shape // padded)
    begin = array_ops.concat([[0], added], 0)
    scaled = array_ops.slice(scaled, begin, [-1, -1])
    elements = array_ops.gather_nd(dense, scaled)
    if is_product:
        values_grad = grad * elements
        elements_grad = grad * values
    else:
        values_grad = grad / elements
        elements_grad = grad * (-values / math_ops.square(elements))
    dense_grad = sparse_ops.sparse_add(
        array_ops.zeros_like(dense), SparseTensor(scaled, elements_grad, dense_shape)
    )
    return [None, values_grad, None, dense_grad]


@gradient("SparseDenseCwiseMul")
def _cwise_mul_gradient(op: Operation, grad: Tensor) -> Any:
    return _cwise_gradient(op, grad, True)


@gradient("SparseDenseCwiseDiv")
def _cwise_div_gradient(op: Operation, grad: Tensor) -> Any:
    return _cwise_gradient(op, grad, False)


@op("SparseSoftmax")
class SparseSoftmax:
    def shape(sp_indices: Any, sp_values: Shape, sp_shape: Shape) -> Shape:
        shapes.with_rank(sp_indices, 2)
        values = shapes.with_rank(sp_values, 1)
        shapes.with_rank(sp_shape, 1)
        return values

    def lower(sp_indices: Any, sp_values: Array, sp_shape: Array, *, ctx: LoweringContext) -> Array:
        if np.ndim(sp_indices) != 2:
            shape = text_of_shape(sp_indices)
            refuse(ctx, f"Input sp_indices should be a matrix but received shape: {shape}")
        if np.ndim(sp_values) != 1 or np.ndim(sp_shape) != 1:
            refuse(
                ctx,
                "Inputs sp_values and sp_shape should be vectors but received shapes: "
                f"{text_of_shape(sp_values)} and {text_of_shape(sp_shape)}",
            )
        rank = np.shape(sp_shape)[0]
        if rank < 2:
            text = "Input should have rank >= 2, but received shape: {shape}"
            ctx.check(False, errors.InvalidArgumentError, text, shape=sp_shape[0])
        check_lengths(sp_indices, sp_values, ctx)
        values, rows = jnp.asarray(sp_values), jnp.asarray(sp_indices)[:, :-1]
        count = values.shape[0]
        if not count:
            return values
        begins = jnp.any(rows[1:] != rows[:-1], axis=1)
        group = jnp.concatenate([jnp.zeros(1, jnp.int32), jnp.cumsum(begins, dtype=jnp.int32)])
        highest = at(jnp.full((count,), -jnp.inf, values.dtype))[group].max(values)
        exp = jnp.exp(values - highest[group])
        return exp / at(jnp.zeros_like(exp))[group].add(exp)[group]

    def gradient(op: Any, grad: Tensor) -> Gradients:
        indices, _, shape = op.inputs
        output = SparseTensor(indices, op.outputs[0], shape)
        sp_grad = SparseTensor(indices, grad, shape)
        product = SparseTensor(indices, output.values * sp_grad.values, shape)
        total = -sparse_ops.sparse_reduce_sum(product, [-1], keepdims=True)
        difference = sparse_ops.sparse_dense_cwise_add(sp_grad, total)
        return [None, difference.values * output.values, None]
