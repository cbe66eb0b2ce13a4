"""Constants, placeholders, shapes of tensors, and ops that rearrange whole tensors."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from tf1compat.core import errors, shapes
from tf1compat.core.op_registry import not_differentiable, op
from tf1compat.core.shapes import ShapeError
from tf1compat.kernels.common import same, scalar


@op("Const")
class Const:
    def shape(*, value: Any) -> Any:
        return value.shape

    def fold(*, value: Any) -> Any:
        return value


@op("Placeholder", "PlaceholderV2")
class Placeholder:
    def shape(*, shape: Any) -> Any:
        # An empty `shape` attr stood for an unknown one in old GraphDefs; TF 1.15 reads it as a scalar's.
        return shape

    def lower(*, dtype: Any, op: Any, ctx: Any) -> Any:
        shape = op._attrs["shape"]
        text = f"You must feed a value for placeholder tensor '{op.name}' with dtype {dtype_text(dtype)}"
        if shape.ndims is not None:
            text += f" and shape {shapes.to_string(shape.to_tuple())}"
        ctx.check(False, errors.InvalidArgumentError, lambda: text)


def dtype_text(dtype: Any) -> str:
    """A dtype as TF's C++ prints it."""
    return {"float32": "float", "float64": "double", "float16": "half"}.get(dtype.name, dtype.name)


@op("PlaceholderWithDefault", autodiff=True)
class PlaceholderWithDefault:
    def shape(input: Any, *, shape: Any) -> Any:
        return shape

    def lower(input: Any) -> Any:
        return input

    def gradient(op: Any, grad: Any) -> Any:
        return grad


@op("Identity", "Snapshot", views=True, autodiff=True)
class Identity:
    shape = same

    def lower(input: Any) -> Any:
        return input

    def fold(input: Any) -> Any:
        return input

    def handle_data(op: Any) -> Any:
        return [op._inputs[0]._handle_data]

    def shape_value(op: Any) -> Any:
        from tf1compat.core.constants import known_shape_value

        return known_shape_value(op._inputs[0])

    def gradient(op: Any, grad: Any) -> Any:
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

    def gradient(op: Any, grad: Any) -> Any:
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

    def gradient(op: Any, grad: Any) -> Any:
        message = op.get_attr("message").decode()
        raise LookupError(f"Gradient explicitly disabled. Reason: {message!r}")


@op("Shape")
class Shape:
    def shape(input: Any) -> Any:
        return (None if input is None else len(input),)

    def lower(input: Any, *, out_type: Any) -> Any:
        return np.array(np.shape(input), out_type.as_numpy_dtype)

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

    def lower(input: Any, *, out_type: Any) -> Any:
        return [np.array(np.shape(value), out_type.as_numpy_dtype) for value in input]

    fold = lower

    def static(op: Any) -> Any:
        dtype = op._attrs["out_type"].as_numpy_dtype
        known = [t._shape is not None and None not in t._shape for t in op._inputs]
        return [np.array(t._shape, dtype) if k else None for t, k in zip(op._inputs, known)]

    def shape_value(op: Any) -> Any:
        return [t._shape for t in op._inputs]


@op("Size")
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


def _like_input(op: Any, grad: Any) -> Any:
    """Reshapes a gradient to the shape of the op's first input."""
    from tf1compat.api import array_ops

    return array_ops.reshape(grad, array_ops.shape(op.inputs[0]))


@op("Reshape", const=(1,), autodiff=True)
class Reshape:
    def shape(tensor: Any, shape: Any, *, op: Any) -> Any:
        wanted = op.shape_input(1)
        if wanted is None:
            return None
        known = op.const_input(1)
        size = shapes.num_elements(tensor)
        if known is None:
            # Partly known sizes: an unknown one may be -1.
            return tuple(wanted)
        unknown = [i for i, dim in enumerate(known) if dim == -1]
        if len(unknown) > 1:
            return tuple(None if dim < 0 else int(dim) for dim in known)
        rest = int(np.prod([dim for dim in known if dim != -1], dtype=np.int64))
        result = [int(dim) for dim in known]
        if size is None:
            return tuple(None if dim == -1 else dim for dim in result)
        text = f"Cannot reshape a tensor with {size} elements to shape {shapes.to_string(tuple(int(d) for d in known))}"
        if unknown:
            if rest == 0:
                result[unknown[0]] = 0 if size == 0 else result[unknown[0]]
                return tuple(None if dim == -1 else dim for dim in result)
            if size % rest:
                raise ShapeError(
                    f"Dimension size must be evenly divisible by {rest} but is {size}"
                )
            result[unknown[0]] = size // rest
        elif rest != size:
            raise ShapeError(f"{text} ({rest} elements)")
        return tuple(result)

    def lower(tensor: Any, shape: Any, *, ctx: Any) -> Any:
        size = int(np.size(tensor))
        wanted = [int(dim) for dim in shape]
        known = int(np.prod([dim for dim in wanted if dim != -1], dtype=np.int64))
        if wanted.count(-1) > 1:
            first, second = [i for i, dim in enumerate(wanted) if dim == -1][:2]
            ctx.check(
                False,
                errors.InvalidArgumentError,
                lambda: f"Only one input size may be -1, not both {first} and {second}",
            )
        if -1 in wanted:
            if known == 0:
                ctx.check(
                    False,
                    errors.InvalidArgumentError,
                    lambda: "reshape cannot infer the missing input size for an empty tensor unless all "
                    "specified input sizes are non-zero",
                )
            if size % known:
                ctx.check(
                    False,
                    errors.InvalidArgumentError,
                    lambda: f"Input to reshape is a tensor with {size} values, but the requested shape "
                    f"requires a multiple of {known}",
                )
            wanted[wanted.index(-1)] = size // known
        elif known != size:
            ctx.check(
                False,
                errors.InvalidArgumentError,
                lambda: f"Input to reshape is a tensor with {size} values, but the requested shape has {known}",
            )
        return jnp.reshape(tensor, wanted)

    def fold(tensor: Any, shape: Any) -> Any:
        wanted = [int(dim) for dim in shape]
        if wanted.count(-1) > 1 or (-1 not in wanted and np.prod(wanted) != tensor.size):
            return None
        try:
            return np.reshape(tensor, wanted)
        except ValueError:
            return None

    def shape_value(op: Any) -> Any:
        from tf1compat.core.constants import known_shape_value

        # [-1] or a vector's own length: the shape read from it stays the same.
        if op._outputs[0]._shape is not None and len(op._outputs[0]._shape) == 1:
            source = op._inputs[0]
            if source._shape is not None and len(source._shape) == 1:
                return known_shape_value(source)
        return None

    def gradient(op: Any, grad: Any) -> Any:
        return [_like_input(op, grad), None]


@op("ExpandDims", const=(1,), autodiff=True)
class ExpandDims:
    def shape(input: Any, dim: Any, *, op: Any) -> Any:
        value = op.const_input(1)
        if input is None:
            return None
        if value is None:
            return (None,) * (len(input) + 1)
        if value.size != 1:
            raise ShapeError("'dim' input must be a tensor with a single value")
        axis, rank = int(value.reshape(())), len(input)
        if not -rank - 1 <= axis <= rank:
            raise ShapeError(f"dim {axis} not in the interval [{-1 - rank}, {rank}].")
        axis = axis + rank + 1 if axis < 0 else axis
        return (*input[:axis], 1, *input[axis:])

    def lower(input: Any, dim: Any) -> Any:
        return jnp.expand_dims(input, int(dim.reshape(())))

    def fold(input: Any, dim: Any) -> Any:
        return np.expand_dims(input, int(dim.reshape(())))

    def gradient(op: Any, grad: Any) -> Any:
        return [_like_input(op, grad), None]


@op("Squeeze", autodiff=True)
class Squeeze:
    def shape(input: Any, *, squeeze_dims: Any) -> Any:
        if input is None:
            return None
        rank = len(input)
        wanted = set()
        for dim in squeeze_dims:
            if not -rank <= dim < rank:
                raise ShapeError(f"squeeze_dims[{squeeze_dims.index(dim)}] not in [{-rank},{rank}).")
            wanted.add(dim % rank)
        if not wanted:
            if None in input:
                return None
            return tuple(dim for dim in input if dim != 1)
        for axis in sorted(wanted):
            if input[axis] not in (1, None):
                raise ShapeError(f"Can not squeeze dim[{axis}], expected a dimension of 1, got {input[axis]}")
        return tuple(dim for axis, dim in enumerate(input) if axis not in wanted)

    def lower(input: Any, *, squeeze_dims: Any, ctx: Any) -> Any:
        shape = np.shape(input)
        axes = tuple(squeeze_dims) or tuple(i for i, dim in enumerate(shape) if dim == 1)
        for axis in axes:
            if shape[axis] != 1:
                ctx.check(
                    False,
                    errors.InvalidArgumentError,
                    lambda axis=axis: f"Can not squeeze dim[{axis % len(shape)}], expected a dimension of 1, "
                    f"got {shape[axis]}",
                )
        return jnp.squeeze(input, axes)

    def fold(input: Any, *, squeeze_dims: Any) -> Any:
        return np.squeeze(input, tuple(squeeze_dims) or None)

    def gradient(op: Any, grad: Any) -> Any:
        return _like_input(op, grad)


@op("Transpose", const=(1,), autodiff=True)
class Transpose:
    def shape(x: Any, perm: Any, *, op: Any) -> Any:
        value = op.const_input(1)
        if value is None:
            if perm is not None and len(perm) == 1 and perm[0] is not None:
                return (None,) * perm[0]
            return None if x is None else (None,) * len(x)
        if x is None:
            return (None,) * value.size
        if len(x) != value.size:
            raise ShapeError(f"Dimensions must be equal, but are {value.size} and {len(x)}")
        for axis in value:
            if not -len(x) <= axis < len(x):
                raise ShapeError(f"perm dim {axis} is out of range of input rank {len(x)}")
        return tuple(x[axis] for axis in value)

    def lower(x: Any, perm: Any) -> Any:
        return jnp.transpose(x, [int(axis) for axis in perm])

    def fold(x: Any, perm: Any) -> Any:
        return np.transpose(x, perm)

    def gradient(op: Any, grad: Any) -> Any:
        from tf1compat.api import array_ops

        return [array_ops.transpose(grad, array_ops.invert_permutation(op.inputs[1])), None]


def _concat_shape(values: Any, axis: Any, where: int, op: Any) -> Any:
    value = op.const_input(where)
    if value is None:
        rank = next((len(s) for s in values if s is not None), None)
        return None if rank is None else (None,) * rank
    axis = int(value)
    rank = next((len(s) for s in values if s is not None), None)
    if rank is None:
        return None
    if rank == 0:
        raise ShapeError("Shape must be at least rank 1 but is rank 0")
    if not -rank <= axis < rank:
        raise ShapeError(
            f"Shape must be at least rank {axis + 1 if axis >= 0 else -axis} but is rank {rank}"
        )
    axis %= rank
    before: Any = None
    after: Any = None
    total: int | None = 0
    for shape in values:
        if shape is None:
            total = None
            continue
        if len(shape) != rank:
            raise ShapeError(f"Shapes must be equal rank, but are {rank} and {len(shape)}")
        before = shapes.merge(before, shape[:axis])
        after = shapes.merge(after, shape[axis + 1 :])
        total = None if total is None or shape[axis] is None else total + shape[axis]
    return (*before, total, *after)


def _concat_value(op: Any, sources: Any) -> Any:
    from tf1compat.core.constants import known_shape_value

    parts = [known_shape_value(tensor) for tensor in sources]
    if any(part is None for part in parts):
        return None
    return tuple(dim for part in parts for dim in part)


def _concat(values: Any, axis: int, ctx: Any) -> Any:
    first = np.shape(values[0])
    axis = axis % len(first) if first else axis
    for i, value in enumerate(values):
        shape = np.shape(value)
        if len(shape) != len(first) or any(
            a != b for d, (a, b) in enumerate(zip(first, shape, strict=False)) if d != axis
        ):
            text = (
                f"ConcatOp : Dimensions of inputs should match: shape[0] = {shapes.to_string(first)} "
                f"vs. shape[{i}] = {shapes.to_string(shape)}"
            )
            ctx.check(False, errors.InvalidArgumentError, lambda text=text: text)
    return jnp.concatenate([jnp.asarray(value) for value in values], axis)


@op("ConcatV2", const=(1,), autodiff=True)
class ConcatV2:
    def shape(values: Any, axis: Any, *, op: Any) -> Any:
        return _concat_shape(values, axis, len(values), op)

    def lower(values: Any, axis: Any, *, ctx: Any) -> Any:
        return _concat(values, int(axis), ctx)

    def fold(values: Any, axis: Any) -> Any:
        return np.concatenate(values, int(axis))

    def shape_value(op: Any) -> Any:
        return _concat_value(op, op._inputs[:-1])

    def gradient(op: Any, grad: Any) -> Any:
        from tf1compat.kernels.concat_grad import concat_gradient

        return concat_gradient(op, grad, 0, len(op.inputs) - 1, len(op.inputs) - 1)


@op("Concat", const=(0,), autodiff=True)
class Concat:
    def shape(concat_dim: Any, values: Any, *, op: Any) -> Any:
        return _concat_shape(values, concat_dim, 0, op)

    def lower(concat_dim: Any, values: Any, *, ctx: Any) -> Any:
        return _concat(values, int(concat_dim), ctx)

    def fold(concat_dim: Any, values: Any) -> Any:
        return np.concatenate(values, int(concat_dim))

    def shape_value(op: Any) -> Any:
        return _concat_value(op, op._inputs[1:])

    def gradient(op: Any, grad: Any) -> Any:
        from tf1compat.kernels.concat_grad import concat_gradient

        return concat_gradient(op, grad, 1, len(op.inputs), 0)


@op("ConcatOffset")
class ConcatOffset:
    def shape(concat_dim: Any, shape: Any) -> Any:
        return list(shape)

    def fold(concat_dim: Any, shape: Any) -> Any:
        axis = int(concat_dim) % len(shape[0])
        offsets = []
        position = 0
        for sizes in shape:
            offset = np.zeros_like(sizes)
            offset[axis] = position
            position += sizes[axis]
            offsets.append(offset)
        return offsets


@op("Pack", autodiff=True)
class Pack:
    def shape(values: Any, *, axis: int) -> Any:
        shape = shapes.merge_all(values)
        if shape is None:
            return None
        rank = len(shape) + 1
        if not -rank <= axis < rank:
            raise ShapeError(f"Invalid axis: {axis}; must be in [{-rank},{rank})")
        axis %= rank
        return (*shape[:axis], len(values), *shape[axis:])

    def lower(values: Any, *, axis: int, ctx: Any) -> Any:
        first = np.shape(values[0])
        for i, value in enumerate(values):
            if np.shape(value) != first:
                text = (
                    f"Shapes of all inputs must match: values[0].shape = {shapes.to_string(first)} "
                    f"!= values[{i}].shape = {shapes.to_string(np.shape(value))}"
                )
                ctx.check(False, errors.InvalidArgumentError, lambda text=text: text)
        return jnp.stack([jnp.asarray(value) for value in values], axis)

    def fold(values: Any, *, axis: int) -> Any:
        return np.stack(values, axis)

    def shape_value(op: Any) -> Any:
        from tf1compat.core.constants import known_value

        if op._inputs[0]._shape != ():
            return None
        values = [known_value(tensor) for tensor in op._inputs]
        return tuple(None if v is None or v < 0 else int(v) for v in values)

    def gradient(op: Any, grad: Any) -> Any:
        from tf1compat.api import array_ops

        return array_ops.unstack(grad, num=op._attrs["N"], axis=op._attrs["axis"])


@op("Unpack", autodiff=True)
class Unpack:
    def shape(value: Any, *, num: int, axis: int) -> Any:
        if value is None:
            return [None] * num
        rank = len(value)
        if rank == 0:
            raise ShapeError("Shape must be at least rank 1 but is rank 0")
        if not -rank <= axis < rank:
            raise ShapeError(f"Invalid axis: {axis}; must be in [{-rank},{rank})")
        axis %= rank
        if value[axis] not in (None, num):
            raise ShapeError(f"Dimension must be {num} but is {value[axis]}")
        return [(*value[:axis], *value[axis + 1 :])] * num

    def lower(value: Any, *, num: int, axis: int) -> Any:
        return [jnp.squeeze(part, axis) for part in jnp.split(value, num, axis)] if num else []

    def fold(value: Any, *, num: int, axis: int) -> Any:
        return list(np.moveaxis(value, axis, 0))

    def gradient(op: Any, *grads: Any) -> Any:
        from tf1compat.api import array_ops

        return array_ops.stack(list(grads), axis=op._attrs["axis"])


@op("Fill", const=(0,), autodiff=True)
class Fill:
    def shape(dims: Any, value: Any, *, op: Any) -> Any:
        known = op.const_input(0)
        if known is not None and (known < 0).any():
            bad = int(known[known < 0][0])
            raise ShapeError(f"Fill dimensions must be >= 0, got {bad}")
        return op.shape_input(0)

    def lower(dims: Any, value: Any, *, op: Any) -> Any:
        return jnp.broadcast_to(value, tuple(int(d) for d in dims))

    def fold(dims: Any, value: Any) -> Any:
        return np.full(tuple(dims), value, value.dtype)

    def shape_value(op: Any) -> Any:
        return None

    def gradient(op: Any, grad: Any) -> Any:
        from tf1compat.api import math_ops

        return [None, math_ops.reduce_sum(grad)]


@op("ZerosLike", autodiff=True)
class ZerosLike:
    shape = same

    def lower(x: Any) -> Any:
        return jnp.zeros(np.shape(x), x.dtype)

    def fold(x: Any) -> Any:
        return np.zeros_like(x) if x.dtype != object else np.full(x.shape, b"", object)


@op("OnesLike", autodiff=True)
class OnesLike:
    shape = same

    def lower(x: Any) -> Any:
        return jnp.ones(np.shape(x), x.dtype)

    def fold(x: Any) -> Any:
        return np.ones_like(x)


@op("InvertPermutation")
class InvertPermutation:
    def shape(x: Any) -> Any:
        return shapes.with_rank(x, 1)

    def lower(x: Any) -> Any:
        return jnp.zeros(x.shape, x.dtype).at[x].set(jnp.arange(x.shape[0], dtype=x.dtype))

    def fold(x: Any) -> Any:
        result = np.empty_like(x)
        result[x] = np.arange(x.size, dtype=x.dtype)
        return result


not_differentiable(
    "Const", "StopGradient", "ConcatOffset", "InvertPermutation", "OnesLike", "ZerosLike", "Shape", "ShapeN",
    "Rank", "Size",
)  # fmt: skip

