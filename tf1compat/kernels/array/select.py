"""Choosing elements of two tensors, sums of many tensors, clipping."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.backend import jnp
from tf1compat.core import dtypes, errors, raw_ops, shapes
from tf1compat.core.op_registry import op, register
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import Shape, ShapeError
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.framework import variants
from tf1compat.kernels.framework.common import add, check_same_shape, refuse, text_of_shape

Array = Any


def _as_condition(condition: Array, t: Array) -> Array:
    """A vector condition chooses rows."""
    rank = np.ndim(t)
    if np.ndim(condition) == 1 and rank > 1:
        return condition.reshape((-1, *[1] * (rank - 1)))
    return condition


def _wrong_select(condition: Array, t: Array, e: Array) -> str | None:
    """What is wrong with the shapes, in TF's words."""
    of_condition, of_t = np.shape(condition), np.shape(t)
    if len(of_condition) == 1 and len(of_t) != 1:
        if not of_t:
            return f"'then' must be at least a vector, but saw shape: {text_of_shape(t)}"
        if of_condition[0] != of_t[0]:
            return (
                f"Number of batches of 'then' must match size of 'cond', but saw: {of_t[0]} vs. "
                f"{of_condition[0]}"
            )
    elif of_condition:
        for i, value in ((1, t), (2, e)):
            if np.shape(value) != of_condition:
                return (
                    "Inputs to operation Select of type Select must have the same size and shape.  "
                    f"Input 0: {text_of_shape(condition)} != input {i}: {text_of_shape(value)}"
                )
    if of_t != np.shape(e):
        return (
            f"'then' and 'else' must have the same size.  but received: {text_of_shape(t)} vs. "
            f"{text_of_shape(e)}"
        )
    return None


@op("Select")
class Select:
    def shape(condition: Any, t: Shape, e: Shape) -> Shape:
        data = shapes.merge(t, e)
        if condition is None or data is None or condition == ():
            return data
        if len(condition) != 1 or not data:
            return shapes.merge(data, condition)
        shapes.merge(condition, (data[0],))
        return data

    def lower(condition: Any, t: Array, e: Array, *, ctx: LoweringContext) -> Array:
        wrong = _wrong_select(condition, t, e)
        ctx.check(wrong is None, errors.InvalidArgumentError, lambda: wrong)
        return jnp.where(_as_condition(condition, t), t, e)

    def numpy(condition: Any, t: Array, e: Array) -> Array:
        if t.shape != e.shape or condition.shape != t.shape[: condition.ndim]:
            raise ValueError("The shapes differ")
        if condition.ndim == t.ndim:
            return np.where(condition, t, e)
        if condition.ndim > 1:
            raise ValueError("The shapes differ")
        # Rows, or all; often all rows are of one.
        chosen = np.count_nonzero(condition)
        if chosen == condition.size:
            return t
        if not chosen:
            return e
        made = np.array(e)
        np.copyto(made, t, where=_as_condition(condition, t))
        return made

    def fold(condition: Any, t: Any, e: Any) -> Any:
        if t.shape != e.shape:
            return None
        try:
            return np.where(_as_condition(condition, t), t, e)
        except ValueError:
            return None

    def gradient(op: Any, grad: Tensor) -> Any:
        condition, x, _ = op.inputs
        zeros = array_ops.zeros_like(x)
        grad_x = array_ops.where(condition, grad, zeros)
        return None, grad_x, array_ops.where(condition, zeros, grad)


@op("SelectV2", elementwise=True)
class SelectV2:
    def shape(condition: Any, t: Shape, e: Shape) -> Shape:
        return shapes.broadcast(condition, shapes.broadcast(t, e))

    def lower(condition: Any, t: Array, e: Array, *, ctx: LoweringContext) -> Array:
        try:
            jnp.broadcast_shapes(np.shape(condition), np.shape(t), np.shape(e))
        except ValueError:
            texts = [text_of_shape(value) for value in (condition, t, e)]
            ctx.check(
                False,
                errors.InvalidArgumentError,
                lambda: "condition {}, then {}, and else {} must be broadcastable".format(*texts),
            )
        return jnp.where(condition, t, e)

    def fold(condition: Any, t: Any, e: Any) -> Any:
        try:
            return np.where(condition, t, e)
        except ValueError:
            return None

    def gradient(op: Any, grad: Tensor) -> Any:
        condition, x, y = op.inputs
        zeros = array_ops.zeros([], dtype=grad.dtype.base_dtype)
        grad_x = raw_ops.SelectV2(condition, grad, zeros)
        x_shape = array_ops.shape(x)
        output_shape = array_ops.shape(op.outputs[0])
        x_axes, _ = raw_ops.BroadcastGradientArgs(x_shape, output_shape)
        grad_x = math_ops.reduce_sum(grad_x, keepdims=True, axis=x_axes)
        grad_x = array_ops.reshape(grad_x, x_shape)
        grad_y = raw_ops.SelectV2(condition, zeros, grad)
        y_shape = array_ops.shape(y)
        y_axes, _ = raw_ops.BroadcastGradientArgs(y_shape, output_shape)
        grad_y = math_ops.reduce_sum(grad_y, keepdims=True, axis=y_axes)
        return None, grad_x, array_ops.reshape(grad_y, y_shape)


@op("AddN", passes_variants=True, adds=True, autodiff=True)
class AddN:
    def shape(inputs: Any, *, op: Operation) -> Shape:
        _list_of_sums(op)
        found = inputs[-1]
        for i in reversed(range(len(inputs) - 1)):
            try:
                found = shapes.merge(inputs[i], found)
            except ShapeError as error:
                raise ShapeError(f"{error}\n\tFrom merging shape {i} with other shapes.") from None
        return found

    def lower(inputs: Any, *, ctx: LoweringContext) -> Array:
        if variants.is_variant(ctx.op):
            for i, value in enumerate(inputs):
                if isinstance(value, np.ndarray):
                    refuse(
                        ctx,
                        "AddN of non-scalar Tensor with dtype=DT_VARIANT is not supported; "
                        f"inputs[{i} has shape: {text_of_shape(value)}.",
                    )
            first, *rest = inputs
            # From the third one on, TF's kernel has the sum so far on the right.
            total = add(first, rest[0]) if rest else first
            return functools.reduce(lambda sums, value: add(value, sums), rest[1:], total)
        check_same_shape(ctx, *inputs)
        return functools.reduce(add, inputs[1:], inputs[0])

    def numpy(inputs: Any, *, ctx: LoweringContext) -> Array:
        total, *rest = inputs
        if not rest or type(total) is not np.ndarray or total.dtype == object:
            return AddN.lower(inputs, ctx=ctx)
        for i, value in enumerate(rest):
            if value.shape != total.shape:
                raise ValueError("The shapes differ")
            if i:
                total += value
            else:
                total = total + value
        return total

    def handle_data(op: Any) -> Any:
        return [_list_of_sums(op)]

    def fold(inputs: Any) -> Any:
        exact = inputs[0].dtype.kind in "iu" and len({value.shape for value in inputs}) == 1
        return sum(inputs[1:], inputs[0]) if exact else None

    def gradient(op: Any, grad: Tensor) -> Any:
        return [grad] * len(op.inputs)


def _list_of_sums(op: Operation) -> Any:
    """(dtype, shape) of the elements of a sum of lists."""
    if op._attrs["T"] is not dtypes.variant:
        return None
    # Nothing is known of the sum if nothing is of the last, whatever is known of the others.
    *others, last = [tensor._handle_data for tensor in op._inputs]
    found: Any = last
    for data in reversed(others):
        if data is None or found is None:
            continue
        if data[0] != found[0]:
            texts = [dtypes.cpp_name(each[0]) for each in (data, found)]
            raise ShapeError(
                f"shapes_and_types[0][0].dtype() == {texts[0]} != shapes_and_types[0][0].dtype == "
                f"{texts[1]}"
            )
        try:
            found = (data[0], shapes.merge(data[1], found[1]))
        except ShapeError as error:
            raise ShapeError(
                f"{error}\n\tFrom merging shapes_and_types[0][0].shape with "
                "shapes_and_types[0][0].shape"
            ) from None
    return found


@op("AccumulateNV2", autodiff=True)
class AccumulateNV2:
    def shape(inputs: Any, *, shape: Shape) -> Shape:
        return shape

    def lower(inputs: Any, *, ctx: LoweringContext) -> Array:
        if len({np.shape(value) for value in inputs}) > 1:
            text = "Parameters and update must be the same size"
            ctx.check(False, errors.InvalidArgumentError, lambda: text)
        return AddN.lower(inputs, ctx=ctx)

    gradient = AddN.gradient


def _clip_shape(t: Shape, low: Shape, high: Shape) -> Shape:
    return t


def _clip(t: Array, clip_value_min: Array, clip_value_max: Array, *, ctx: LoweringContext) -> Array:
    bounds = (clip_value_min, clip_value_max)
    if any(np.ndim(bound) and np.shape(bound) != np.shape(t) for bound in bounds):
        text = (
            "clip_value_min and clip_value_max must be either of the same shape as input, or a "
            f"scalar. input shape: {text_of_shape(t)}clip_value_min shape: "
            f"{text_of_shape(clip_value_min)}clip_value_max shape: {text_of_shape(clip_value_max)}"
        )
        ctx.check(False, errors.InvalidArgumentError, lambda: text)
    # A bound that is NaN bounds nothing.
    t = jnp.where(clip_value_max < t, clip_value_max, t)
    return jnp.where(t < clip_value_min, clip_value_min, t)


register("ClipByValue", shape=_clip_shape, lower=_clip)


@op("Bucketize", autodiff=True)
class Bucketize:
    def shape(input: Any) -> Shape:
        return input

    def lower(input: Any, *, boundaries: list[float]) -> Array:
        # TF compares in the precision of the boundaries, which is single.
        edges = jnp.asarray(np.asarray(boundaries, np.float32))
        kind = jnp.float64 if input.dtype in (jnp.int32, jnp.int64, jnp.float64) else jnp.float32
        return jnp.searchsorted(edges.astype(kind), input.astype(kind), side="right").astype(
            dtypes.int32.as_numpy_dtype
        )
