"""Constants, placeholders, shapes of tensors, and ops that rearrange whole tensors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.backend import Array, at, jnp, lax
from tf1compat.core import dtypes, errors, shapes
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import not_differentiable, op
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import ShapeError
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.array import padded_rows
from tf1compat.kernels.control_flow.tensor_array_value import TensorArrayValue
from tf1compat.kernels.framework import variants
from tf1compat.kernels.framework.common import known, refuse, same, scalar, text_of_shape
from tf1compat.kernels.framework.values import vector


@op("Const")
class Const:
    def shape(*, value: Any, dtype: DType) -> Any:
        if isinstance(value, np.ndarray) and value.dtype.type is not dtype.as_numpy_dtype:
            given = dtypes.as_dtype(value.dtype)
            if given != dtype:
                raise ShapeError(
                    f"Type mismatch between value ({dtypes.cpp_name(given)}) and dtype "
                    f"({dtypes.cpp_name(dtype)})"
                )
        return value.shape

    def fold(*, value: Any) -> Any:
        return value


@op("Placeholder")
class Placeholder:
    def shape(*, shape: Shape, op: Operation) -> Any:
        # In graphs that old versions wrote, a scalar's shape is not to be told from an unknown one.
        return None if shape == () and op.graph._producer <= 21 else shape

    def lower(*, dtype: DType, shape: Shape, ctx: LoweringContext) -> Any:
        text = (
            f"You must feed a value for placeholder tensor '{ctx.op.name}' with dtype "
            f"{dtypes.cpp_name(dtype)}"
        )
        refuse(ctx, f"{text} and shape {shapes.to_string(shape)}" if shape else text)


@op("PlaceholderWithDefault", given=True, autodiff=True)
class PlaceholderWithDefault:
    def shape(input: Any, *, shape: Shape) -> Any:
        shapes.merge(input, shape)
        return shape

    def lower(input: Any) -> Any:
        return input

    def gradient(op: Any, grad: Tensor) -> Any:
        return grad


@op("Identity", views=True, passes_variants=True, autodiff=True, padding=padded_rows.each_row)
class Identity:
    shape = same

    def lower(input: Any) -> Any:
        return input

    def fold(input: Any) -> Any:
        return input

    def handle_data(op: Any) -> Any:
        return [op._inputs[0]._handle_data]

    def gradient(op: Any, grad: Tensor) -> Any:
        return grad


@op("IdentityN", autodiff=True)
class IdentityN:
    def shape(input: Any) -> Any:
        return list(input)

    def lower(input: Any) -> Any:
        return input

    def fold(input: Any) -> Any:
        return input

    def handle_data(op: Any) -> Any:
        return [tensor._handle_data for tensor in op._inputs]

    def gradient(op: Any, *grads: Any) -> Any:
        return list(grads)


@op("RefIdentity", passes_refs=True, autodiff=True)
class RefIdentity:
    shape = same

    def lower(input: Any) -> Any:
        return input

    def gradient(op: Any, grad: Tensor) -> Any:
        return grad


@op("GuaranteeConst")
class GuaranteeConst:
    shape = same

    def lower(input: Any) -> Any:
        return input


@op("DeepCopy", "Snapshot")
class DeepCopy:
    shape = same

    def lower(x: Any) -> Any:
        return x


@op("EnsureShape", autodiff=True)
class EnsureShape:
    def shape(input: Any, *, shape: Shape) -> Any:
        # As TF has it, which takes nothing of a known rank for a shape of none.
        shapes.with_rank(input, -1 if shape is None else len(shape))
        return shapes.merge(shape, input)

    def lower(input: Any, *, shape: Shape, ctx: LoweringContext) -> Any:
        if not shapes.compatible(np.shape(input), shape):
            source = ctx.op.inputs[0]
            name = source.op.name
            if source.graph.shapes_come_later:
                name = "dummy_input"  # in eager execution
            elif source.op.type == "Placeholder":
                # The node that feeds it; its last number counts the run's feeds.
                name = f"_arg_{name}_0_0"
            refuse(
                ctx,
                f"Shape of tensor {name} {text_of_shape(input)} is not compatible with expected "
                f"shape "
                f"{shapes.to_string(shape)}.",
            )
        return input

    def gradient(op: Any, grad: Tensor) -> Any:
        return grad


@op("StopGradient", autodiff=True)
class StopGradient:
    shape = same

    def lower(input: Any) -> Any:
        return lax.stop_gradient(input)

    def fold(input: Any) -> Any:
        return input


@op("PreventGradient")
class PreventGradient:
    shape = same

    def lower(input: Any) -> Any:
        return input

    def gradient(op: Any, grad: Tensor) -> Any:
        raise LookupError(f"Gradient explicitly disabled. Reason: {op.get_attr('message')!r}")


# Shapes.


@op("Shape", padding=padded_rows.of_shape)
class Shape:
    def shape(input: Any) -> Any:
        return (None if input is None else len(input),)

    def lower(input: Any, *, out_type: Any) -> Any:
        return vector(np.shape(input), out_type.as_numpy_dtype)

    fold = lower

    def static(op: Any) -> Any:
        shape = op._inputs[0]._shape
        if shape is None or None in shape:
            return None
        return [np.array(shape, op._attrs["out_type"].as_numpy_dtype)]

    def shape_value(op: Any) -> Any:
        return op._inputs[0]._shape


@op("ShapeN")
class ShapeN:
    def shape(input: Any) -> Any:
        return [(None if shape is None else len(shape),) for shape in input]

    def lower(input: Any, *, out_type: DType) -> Any:
        return [vector(np.shape(value), out_type.as_numpy_dtype) for value in input]

    fold = lower

    # No `static` values, other than Shape: TF reads the outputs as shapes, not as tensors.
    def shape_value(op: Any) -> Any:
        return [tensor._shape for tensor in op._inputs]


@op("Size", padding=padded_rows.of_size)
class Size:
    shape = scalar

    def lower(input: Any, *, out_type: Any) -> Any:
        return np.array(np.size(input), out_type.as_numpy_dtype)

    fold = lower

    def static(op: Any) -> Any:
        size = shapes.num_elements(op._inputs[0]._shape)
        return None if size is None else [np.array(size, op._attrs["out_type"].as_numpy_dtype)]


@op("Rank")
class Rank:
    shape = scalar

    def lower(input: Any) -> Any:
        return np.array(np.ndim(input), np.int32)

    fold = lower

    def static(op: Any) -> Any:
        shape = op._inputs[0]._shape
        return None if shape is None else [np.array(len(shape), np.int32)]


def _like_input(op: Operation, grad: Tensor) -> Any:
    """Reshapes a gradient to the shape of the op's first input."""
    return array_ops.reshape(grad, array_ops.shape(op.inputs[0]))


def _known_product(shape: Any) -> tuple[int, list[int]]:
    """The product of the known dimensions (0 if any is 0), and where the unknown ones are."""
    if 0 in shape:
        return 0, []
    unknown = [i for i, dim in enumerate(shape) if dim is None]
    return shapes.num_elements(tuple(dim for dim in shape if dim is not None)), unknown  # type: ignore[return-value]


@op("Reshape", const=(1,), autodiff=True, padding=padded_rows.of_reshape)
class Reshape:
    def shape(tensor: Any, shape: Shape, *, op: Operation) -> Any:
        wanted = op.shape_input(1)
        if wanted is None or tensor is None:
            return wanted
        (outputs, missing), (inputs, unknown) = _known_product(wanted), _known_product(tensor)
        if len(missing) > 1 or len(unknown) > 1:
            return wanted
        if not missing and not unknown and inputs != outputs:
            raise ShapeError(
                f"Cannot reshape a tensor with {inputs} elements to shape "
                f"{shapes.to_string(wanted)} "
                f"({outputs} elements)"
            )
        if missing and not unknown and outputs > 0:
            return shapes.replace_dim(wanted, missing[0], shapes.divide_dims(inputs, outputs))
        if unknown and not missing and inputs:
            # Only to see that it fits.
            shapes.divide_dims(outputs, inputs)
        return wanted

    def lower(tensor: Any, shape: np.ndarray, *, ctx: LoweringContext) -> Any:
        if variants.is_variant(ctx.op):
            tensor = variants.boxed(tensor)
            return variants.unboxed(tensor.reshape(_reshaped(tensor, shape, ctx)))
        return jnp.reshape(tensor, _reshaped(tensor, shape, ctx))

    def traced(tensor: Any, shape: Any, *, op: Operation, ctx: LoweringContext) -> Any:
        if not known(shape):
            # What is known while recording may say all sizes but one.
            sizes = op._outputs[0]._shape
            if sizes is None or sizes.count(None) > 1:
                ctx.need(1)
            assert sizes is not None
            given, shape = shape, np.array([-1 if size is None else size for size in sizes])
            made = jnp.array(_reshaped(tensor, shape, ctx), given.dtype)
            text = f"Input to reshape is a tensor with {np.size(tensor)} values, of another shape"
            fits = jnp.all((given == made) | (given == -1))
            ctx.check(fits, errors.InvalidArgumentError, text)
        return Reshape.lower(tensor, shape, ctx=ctx)

    def numpy(tensor: Any, shape: np.ndarray, *, ctx: LoweringContext) -> Any:
        wanted = shape.tolist()
        if hasattr(tensor, "like_zeros"):
            tensor = variants.boxed(tensor)
        if shape.ndim != 1 or min(wanted, default=0) < 0:
            wanted = _reshaped(tensor, shape, ctx)
        result = tensor if tensor.shape == tuple(wanted) else tensor.reshape(wanted)
        return result if wanted else variants.unboxed(result)

    def stacked(tensor: Any, shape: np.ndarray) -> Any:
        return tensor.reshape(len(tensor), *np.reshape(tensor[0], shape).shape)

    def fold(tensor: Any, shape: Any) -> Any:
        return np.reshape(tensor, shape) if shape.ndim == 1 else None

    def gradient(op: Any, grad: Tensor) -> Any:
        return [_like_input(op, grad), None]


def _reshaped(tensor: Any, shape: Any, ctx: LoweringContext) -> list[int]:
    """The sizes that a Reshape gives `tensor`; fails the run as TF's kernel does."""
    if np.ndim(shape) != 1:
        refuse(ctx, f"sizes input must be 1-D, not {text_of_shape(shape)}")
    wanted = [int(dim) for dim in shape]
    inferred: int | None = None
    product = 1
    for i, dim in enumerate(wanted):
        if dim == -1:
            if inferred is not None:
                refuse(ctx, f"Only one input size may be -1, not both {inferred} and {i}")
            inferred = i
        elif dim < 0:
            refuse(ctx, f"Size {i} must be non-negative, not {dim}")
        elif dim:
            product *= dim
    size = int(np.size(tensor))
    start = f"Input to reshape is a tensor with {size} values, but the requested shape"
    if inferred is not None:
        # A dimension of 0 on both sides is left out of account.
        sizes = np.shape(tensor)
        counted = [dim for dim in sizes if dim] if 0 in wanted else sizes
        elements = math.prod(counted)
        if len(counted) == len(sizes) and elements % product:
            refuse(ctx, f"{start} requires a multiple of {product}")
        wanted[inferred] = elements // product
    if math.prod(wanted) != size:
        refuse(ctx, f"{start} has {math.prod(wanted)}")
    return wanted


@op("ExpandDims", const=(1,), autodiff=True, padding=padded_rows.of_part_of_shape)
class ExpandDims:
    def shape(input: Any, dim: Shape, *, op: Operation) -> Any:
        value = op.const_input(1)
        if value is not None and value.size != 1:
            raise ShapeError("'dim' input must be a tensor with a single value")
        if value is None or input is None:
            return None
        axis, rank = int(value.reshape(())), len(input)
        if not -rank - 1 <= axis <= rank:
            raise ShapeError(f"dim {axis} not in the interval [{-1 - rank}, {rank}].")
        axis = axis + rank + 1 if axis < 0 else axis
        return (*input[:axis], 1, *input[axis:])

    def lower(input: Any, dim: np.ndarray, *, ctx: LoweringContext) -> Any:
        if isinstance(input, TensorArrayValue):  # A flow repeated is that flow (see `pfor`).
            return input
        if np.size(dim) != 1:
            refuse(ctx, "'dim' must be a tensor with a single value")
        axis, rank = int(np.reshape(dim, ())), np.ndim(input)
        if not -rank - 1 <= axis <= rank:
            refuse(ctx, f"Tried to expand dim index {axis} for tensor with {rank} dimensions.")
        return jnp.expand_dims(input, axis)

    def numpy(input: Any, dim: np.ndarray) -> Any:
        axis, rank = dim.item(), input.ndim
        if not -rank - 1 <= axis <= rank:
            raise ValueError("no such dimension")
        axis += rank + 1 if axis < 0 else 0
        return input.reshape((*input.shape[:axis], 1, *input.shape[axis:]))

    def stacked(input: Any, dim: np.ndarray) -> Any:
        axis = int(dim.reshape(()))
        return np.expand_dims(input, axis + 1 if axis >= 0 else axis)

    def fold(input: Any, dim: np.ndarray) -> Any:
        return np.expand_dims(input, int(dim.reshape(())))

    def gradient(op: Any, grad: Tensor) -> Any:
        return [_like_input(op, grad), None]


@op("Squeeze", autodiff=True)
class Squeeze:
    def shape(input: Any, *, squeeze_dims: Sequence[int]) -> Any:
        if input is None:
            return None
        rank = len(input)
        for i, dim in enumerate(squeeze_dims):
            if not -rank <= dim < rank:
                raise ShapeError(f"squeeze_dims[{i}] not in [{-rank},{rank}).")
        wanted = {dim % rank for dim in squeeze_dims}
        if not wanted:
            return None if None in input else tuple(dim for dim in input if dim != 1)
        for axis in sorted(wanted):
            if input[axis] not in (1, None):
                raise ShapeError(
                    f"Can not squeeze dim[{axis}], expected a dimension of 1, got {input[axis]}"
                )
        return tuple(dim for axis, dim in enumerate(input) if axis not in wanted)

    def lower(input: Any, *, squeeze_dims: Sequence[int], ctx: LoweringContext) -> Any:
        if variants.is_variant(ctx.op):
            refuse(ctx, "Squeeze on Variant not supported")
        shape = np.shape(input)
        rank = len(shape)
        for axis in squeeze_dims:
            if not -rank <= axis < rank:
                refuse(ctx, f"Tried to squeeze dim index {axis} for tensor with {rank} dimensions.")
        wanted = {axis % rank for axis in squeeze_dims}
        for axis in sorted(wanted):
            if shape[axis] != 1:
                refuse(
                    ctx,
                    f"Can not squeeze dim[{axis}], expected a dimension of 1, got {shape[axis]}",
                )
        return jnp.squeeze(input, tuple(wanted or (i for i in range(rank) if shape[i] == 1)))

    def fold(input: Any, *, squeeze_dims: Sequence[int]) -> Any:
        return np.squeeze(input, tuple(squeeze_dims) or None)

    def gradient(op: Any, grad: Tensor) -> Any:
        return _like_input(op, grad)


# Permutations.


def _transposed_shape(x: Any, perm: Any, *, op: Any) -> Any:
    value = op.const_input(1)
    count = shapes.num_elements(perm)
    if x is None and count is None and value is None:
        return None
    rank = len(x) if x is not None else count if count is not None else value.size
    if x is None and rank < 2:
        # Of one element, the permutation may be a vector's or (by TF's leave) a scalar's.
        return None
    x = shapes.with_rank(x, rank)
    shapes.with_rank(perm, 1)
    shapes.dim_with_value(count, rank)
    if value is None:
        return (None,) * rank
    for axis in value:
        if not -rank <= axis < rank:
            raise ShapeError(f"perm dim {axis} is out of range of input rank {rank}")
    return tuple(x[axis] for axis in value)


def _transpose(x: Any, perm: Any, ctx: LoweringContext) -> Any:
    rank = np.ndim(x)
    if np.ndim(perm) != 1:
        refuse(ctx, f"perm must be a vector, not {text_of_shape(perm)}")
    if len(perm) != rank:
        refuse(
            ctx,
            f"transpose expects a vector of size {rank}. But input(1) is a vector of size "
            f"{len(perm)}",
        )
    axes = [int(axis) for axis in perm]
    for axis in axes:
        if not 0 <= axis < rank:
            refuse(ctx, f"{axis} is out of range [0 .. {rank})")
    for axis in range(rank):
        if axis not in axes:
            refuse(ctx, f"{axis} is missing from {{{','.join(map(str, axes))}}}.")
    return jnp.transpose(x, axes)


@op("Transpose", const=(1,), autodiff=True)
class Transpose:
    shape = _transposed_shape

    def lower(x: Any, perm: np.ndarray, *, ctx: LoweringContext) -> Any:
        return _transpose(x, perm, ctx)

    def fold(x: Any, perm: Any) -> Any:
        return np.transpose(x, perm) if (perm >= 0).all() else None

    def gradient(op: Any, grad: Tensor) -> Any:
        return [array_ops.transpose(grad, array_ops.invert_permutation(op.inputs[1])), None]


@op("ConjugateTranspose", const=(1,), autodiff=True)
class ConjugateTranspose:
    shape = _transposed_shape

    def lower(x: Any, perm: np.ndarray, *, ctx: LoweringContext) -> Any:
        return jnp.conj(_transpose(x, perm, ctx))

    def fold(x: Any, perm: np.ndarray) -> Any:
        return np.conj(np.transpose(x, perm))

    def gradient(op: Any, grad: Tensor) -> Any:
        back = array_ops.invert_permutation(op.inputs[1])
        return [array_ops.transpose(grad, back, conjugate=True), None]


@op("InvertPermutation")
class InvertPermutation:
    def shape(x: Any) -> Any:
        return shapes.with_rank(x, 1)

    def lower(x: Any, *, ctx: LoweringContext) -> Any:
        if np.ndim(x) != 1:
            refuse(ctx, "invert_permutation expects a 1D vector.")
        size = np.shape(x)[0]
        x = jnp.asarray(x)
        if size:
            inside = (x >= 0) & (x < size)
            ctx.check(
                jnp.all(inside), errors.InvalidArgumentError,
                f"{{bad}} is not between 0 and {size}", bad=x[jnp.argmin(inside)],
            )  # fmt: skip
            places = jnp.arange(size)
            again = jnp.any((x[:, None] == x[None, :]) & (places[:, None] > places[None, :]), 1)
            ctx.check(
                ~jnp.any(again), errors.InvalidArgumentError,
                "{bad} is duplicated in the input.", bad=x[jnp.argmax(again)],
            )  # fmt: skip
        return at(jnp.zeros(x.shape, x.dtype))[x].set(jnp.arange(size, dtype=x.dtype))

    def fold(x: Any) -> Any:
        if sorted(x.tolist()) != list(range(x.size)):
            return None
        return np.argsort(x).astype(x.dtype)


# Filled tensors.


@op("Fill", const=(0,), autodiff=True)
class Fill:
    def shape(dims: Any, value: Shape, *, op: Operation) -> Any:
        shapes.with_rank(dims, 1)
        shapes.with_rank(value, 0)
        known = op.const_input(0)
        shape = op.shape_input(0)
        if known is not None and (known < 0).any():
            raise ShapeError("Fill dimensions must be >= 0")
        return shape

    def lower(dims: Any, value: Array, *, ctx: LoweringContext) -> Any:
        if np.ndim(dims) != 1:
            refuse(ctx, f"dims must be a vector, got shape {text_of_shape(dims)}")
        if np.ndim(value):
            refuse(ctx, f"value must be a scalar, got shape {text_of_shape(value)}")
        sizes = [int(d) for d in dims]
        for size in sizes:
            if size < 0:
                refuse(ctx, f"Dimension {size} must be >= 0")
        return jnp.broadcast_to(jnp.reshape(value, ()), sizes)

    def numpy(dims: Any, value: np.ndarray) -> Any:
        if dims.ndim != 1 or value.ndim:
            raise ValueError("Not a vector and a scalar")
        made = np.empty(dims.tolist(), value.dtype)
        made[...] = value
        return made

    def fold(dims: Any, value: Any) -> Any:
        if dims.ndim != 1 or value.ndim:
            return None
        return np.full(tuple(dims), value, value.dtype)

    def gradient(op: Any, grad: Tensor) -> Any:
        return [None, math_ops.reduce_sum(grad)]


@op("ZerosLike", passes_variants=True, autodiff=True)
class ZerosLike:
    shape = same

    def lower(x: Any, *, ctx: LoweringContext) -> Any:
        if hasattr(x, "like_zeros"):
            return x.like_zeros()
        if variants.is_variant(ctx.op):
            refuse(ctx, "ZerosLike non-scalar Tensor with dtype=DT_VARIANT is not supported.")
        return jnp.zeros(np.shape(x), x.dtype)

    def fold(x: Any) -> Any:
        return np.zeros_like(x) if x.dtype != object else np.full(x.shape, b"", object)

    def handle_data(op: Any) -> Any:
        return [op._inputs[0]._handle_data]


@op("OnesLike", autodiff=True)
class OnesLike:
    shape = same

    def lower(x: Any) -> Any:
        return jnp.ones(np.shape(x), x.dtype)

    def fold(x: Any) -> Any:
        return np.ones_like(x)


not_differentiable(
    "Const", "StopGradient", "InvertPermutation", "OnesLike", "ZerosLike",
    "Shape", "ShapeN", "Rank", "Size",
)  # fmt: skip
