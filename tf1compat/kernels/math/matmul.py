"""Products of matrices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.backend import PRECISION, jnp
from tf1compat.core import context, errors, raw_ops, shapes
from tf1compat.core.op_registry import op, register
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import Shape
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext
from tf1compat.kernels.framework.common import needed_gradients, text_of_shape

Array = Any


def _matmul_shape(a: Shape, b: Shape, *, transpose_a: bool, transpose_b: bool) -> Shape:
    a, b = shapes.with_rank(a, 2), shapes.with_rank(b, 2)
    shapes.merge_dim(a[0 if transpose_a else 1], b[1 if transpose_b else 0])
    return a[1 if transpose_a else 0], b[0 if transpose_b else 1]


def _dot(a: Array, b: Array) -> Array:
    return jnp.matmul(a, b, precision=PRECISION)


def _matmul(
    a: Array, b: Array, *, transpose_a: bool, transpose_b: bool, ctx: LoweringContext
) -> Array:
    for i, value in enumerate((a, b)):
        if np.ndim(value) != 2:
            text = f"In[{i}] is not a matrix. Instead it has shape {text_of_shape(value)}"
            ctx.check(False, errors.InvalidArgumentError, lambda text=text: text)
    if np.shape(a)[0 if transpose_a else 1] != np.shape(b)[1 if transpose_b else 0]:
        text = f"Matrix size-incompatible: In[0]: {text_of_shape(a)}, In[1]: {text_of_shape(b)}"
        ctx.check(False, errors.InvalidArgumentError, lambda: text)
    return _dot(a.T if transpose_a else a, b.T if transpose_b else b)


def _work(op: Operation, dims: Any) -> float:
    """The multiply-adds of a product."""
    inner = dims(op._inputs[0])[-1:] or (1,)
    transposed = op._attrs.get("transpose_a") or op._attrs.get("adj_x")
    if transposed:
        inner = dims(op._inputs[0])[-2:-1] or (1,)
    return math.prod(dims(op._outputs[0])) * inner[0]


@op("MatMul", autodiff=True, work=_work)
class MatMul:
    shape = _matmul_shape
    lower = _matmul

    def numpy(a: Array, b: Array, *, transpose_a: bool, transpose_b: bool) -> Array:
        if a.ndim != 2 or b.ndim != 2:
            raise ValueError("Not matrices")
        return jnp.matmul(a.T if transpose_a else a, b.T if transpose_b else b)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        transpose_a, transpose_b = op.get_attr("transpose_a"), op.get_attr("transpose_b")
        needs_a, needs_b = needed_gradients(op)
        a = math_ops.conj(op.inputs[0]) if needs_b else None
        b = math_ops.conj(op.inputs[1]) if needs_a else None
        grad_a = grad_b = None
        # Each of the two is a product of the gradient and the other input; a transposed input's is
        # transposed.
        if needs_a and transpose_a:
            grad_a = raw_ops.MatMul(b, grad, transpose_a=transpose_b, transpose_b=True)
        elif needs_a:
            grad_a = raw_ops.MatMul(grad, b, transpose_b=not transpose_b)
        if needs_b and transpose_b:
            grad_b = raw_ops.MatMul(grad, a, transpose_a=True, transpose_b=transpose_a)
        elif needs_b:
            grad_b = raw_ops.MatMul(a, grad, transpose_a=not transpose_a)
        return grad_a, grad_b


@op("SparseMatMul", autodiff=True)
class SparseMatMul:
    shape = _matmul_shape

    def lower(
        a: Any, b: Array, *, transpose_a: bool, transpose_b: bool, ctx: LoweringContext
    ) -> Array:
        for name, value in (("a", a), ("b", b)):
            if np.ndim(value) != 2:
                text = f"{name} is not a matrix"
                ctx.check(False, errors.InvalidArgumentError, lambda text=text: text)
        if np.shape(a)[0 if transpose_a else 1] != np.shape(b)[1 if transpose_b else 0]:
            text = f"Matrix size incompatible: a: {text_of_shape(a)}, b: {text_of_shape(b)}"
            ctx.check(False, errors.InvalidArgumentError, lambda: text)
        # The result is single precision, and so is the sum.
        a, b = jnp.asarray(a, jnp.float32), jnp.asarray(b, jnp.float32)
        return _matmul(a, b, transpose_a=transpose_a, transpose_b=transpose_b, ctx=ctx)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        a, b = op.inputs
        transpose_a, transpose_b = op.get_attr("transpose_a"), op.get_attr("transpose_b")
        is_sparse = {
            id(a): op.get_attr("a_is_sparse"),
            id(b): op.get_attr("b_is_sparse"),
            id(grad): not context.executing_eagerly() and grad.op.type == "ReluGrad",
        }

        def product(
            x: Any, y: Any, dtype: Any, transpose_a: bool = False, transpose_b: bool = False
        ) -> Any:
            x_is_sparse, y_is_sparse = is_sparse[id(x)], is_sparse[id(y)]
            if transpose_b:
                y = array_ops.transpose(y)
            result = math_ops.matmul(
                x, y, transpose_a=transpose_a, a_is_sparse=x_is_sparse, b_is_sparse=y_is_sparse
            )
            return result if result.dtype == dtype else math_ops.cast(result, dtype)

        if not transpose_a and not transpose_b:
            grad_a = product(grad, b, a.dtype, transpose_b=True)
            return grad_a, product(a, grad, b.dtype, transpose_a=True)
        if not transpose_a:
            grad_a = product(grad, b, a.dtype)
            return grad_a, product(grad, a, b.dtype, transpose_a=True)
        if not transpose_b:
            grad_a = product(b, grad, a.dtype, transpose_b=True)
            return grad_a, product(a, grad, b.dtype)
        grad_a = product(b, grad, a.dtype, transpose_a=True, transpose_b=True)
        return grad_a, product(grad, a, b.dtype, transpose_a=True, transpose_b=True)


# Batches of matrices.


def _batch_shape(x: Shape, y: Shape, *, adj_x: bool, adj_y: bool, broadcasts: bool) -> Shape:
    x, y = shapes.with_rank_at_least(x, 2), shapes.with_rank_at_least(y, 2)
    rows, inner = (None, None) if x is None else x[-2:][:: -1 if adj_x else 1]
    inner_y, columns = (None, None) if y is None else y[-2:][:: -1 if adj_y else 1]
    if broadcasts:
        shapes.merge_dim(inner, inner_y)
        batch = None if x is None or y is None else shapes.broadcast(x[:-2], y[:-2])
    else:
        batch = shapes.merge(None if x is None else x[:-2], None if y is None else y[:-2])
        shapes.merge_dim(inner, inner_y)
    return None if batch is None else (*batch, rows, columns)


def _batch_matmul_shape(x: Shape, y: Shape, *, adj_x: bool, adj_y: bool) -> Shape:
    return _batch_shape(x, y, adj_x=adj_x, adj_y=adj_y, broadcasts=False)


def _batch_matmul_v2_shape(x: Shape, y: Shape, *, adj_x: bool, adj_y: bool) -> Shape:
    return _batch_shape(x, y, adj_x=adj_x, adj_y=adj_y, broadcasts=True)


def _adjoint(x: Array) -> Array:
    return jnp.conj(jnp.swapaxes(x, -1, -2))


def _check_batches(x: Array, y: Array, broadcasts: bool) -> str | None:
    """What is wrong with the batch dimensions, in TF's words."""
    a, b = np.shape(x), np.shape(y)
    if not broadcasts:
        if len(a) != len(b):
            return f"In[0] and In[1] has different ndims: {text_of_shape(x)} vs. {text_of_shape(y)}"
        for i, (m, n) in enumerate(zip(a[:-2], b[:-2], strict=True)):
            if m != n:
                return (
                    f"In[0].dim({i}) and In[1].dim({i}) must be the same: {text_of_shape(x)} vs "
                    f"{text_of_shape(y)}"
                )
    for i, shape in enumerate((a, b)):
        if len(shape) < 2:
            return f"In[{i}] ndims must be >= 2: {len(shape)}"
    try:
        np.broadcast_shapes(a[:-2], b[:-2])
    except ValueError:
        return (
            f"In[0] and In[1] must have compatible batch dimensions: {text_of_shape(x)} vs. "
            f"{text_of_shape(y)}"
        )
    return None


def _batch_matmul(broadcasts: bool) -> Any:
    def lower(x: Any, y: Array, *, adj_x: bool, adj_y: bool, ctx: LoweringContext) -> Array:
        wrong = _check_batches(x, y, broadcasts)
        if wrong is None:
            inner_x, inner_y = np.shape(x)[-2 if adj_x else -1], np.shape(y)[-1 if adj_y else -2]
            if inner_x != inner_y:
                wrong = (
                    f"In[0] mismatch In[1] shape: {inner_x} vs. {inner_y}: {text_of_shape(x)} "
                    f"{text_of_shape(y)} {int(adj_x)} {int(adj_y)}"
                )
        ctx.check(wrong is None, errors.InvalidArgumentError, lambda: wrong)
        return _dot(_adjoint(x) if adj_x else x, _adjoint(y) if adj_y else y)

    return lower


def _batch_matmul_gradient(op: Operation, grad: Tensor) -> Any:
    x, y = op.inputs
    adj_x, adj_y = op.get_attr("adj_x"), op.get_attr("adj_y")
    product = math_ops.matmul
    if not adj_x and not adj_y:
        grad_x = product(grad, y, adjoint_b=True)
        grad_y = product(x, grad, adjoint_a=True)
    elif not adj_x:
        grad_x = product(grad, y)
        grad_y = product(grad, x, adjoint_a=True)
    elif not adj_y:
        grad_x = product(y, grad, adjoint_b=True)
        grad_y = product(x, grad)
    else:
        grad_x = product(y, grad, adjoint_a=True, adjoint_b=True)
        grad_y = product(grad, x, adjoint_a=True, adjoint_b=True)
    return grad_x, grad_y


def _batch_matmul_v2_gradient(op: Operation, grad: Tensor) -> Any:
    grad_x, grad_y = _batch_matmul_gradient(op, grad)
    x, y = op.inputs
    if shapes.is_fully_known(x._shape) and x._shape == y._shape:
        return grad_x, grad_y
    x_shape, y_shape = array_ops.shape(x), array_ops.shape(y)
    x_axes, y_axes = raw_ops.BroadcastGradientArgs(x_shape[:-2], y_shape[:-2])
    grad_x = array_ops.reshape(math_ops.reduce_sum(grad_x, x_axes), x_shape)
    return grad_x, array_ops.reshape(math_ops.reduce_sum(grad_y, y_axes), y_shape)


register(
    "BatchMatMul",
    work=_work,
    shape=_batch_matmul_shape,
    lower=_batch_matmul(broadcasts=False),
    gradient=_batch_matmul_gradient,
    autodiff=True,
)
register(
    "BatchMatMulV2",
    work=_work,
    shape=_batch_matmul_v2_shape,
    lower=_batch_matmul(broadcasts=True),
    gradient=_batch_matmul_v2_gradient,
    autodiff=True,
)


@op("Cross", autodiff=True)
class Cross:
    def shape(a: Any, b: Shape) -> Shape:
        found = shapes.with_rank_at_least(shapes.merge(a, b), 1)
        if found is not None:
            shapes.dim_with_value(found[-1], 3)
        return found

    def lower(a: Any, b: Array, *, ctx: LoweringContext) -> Array:
        same = np.shape(a) == np.shape(b)
        ctx.check(
            same,
            errors.InvalidArgumentError,
            lambda: f"Both inputs must be of same shape: {text_of_shape(a)} vs. {text_of_shape(b)}",
        )
        ctx.check(
            np.ndim(a) >= 1 and np.shape(a)[-1] == 3,
            errors.FailedPreconditionError,
            "Cross-products are only defined for 3-element vectors.",
        )
        return jnp.cross(a, b)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        u, v = op.inputs
        grad_u = math_ops.cross(v, grad)
        return grad_u, math_ops.cross(grad, u)
