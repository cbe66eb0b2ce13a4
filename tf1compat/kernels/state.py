"""Variables: reference variables, resource variables, assignment and counting (TF's `state_ops.cc`,
`resource_variable_ops.cc`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np

from tf1compat.core import errors, shapes
from tf1compat.core.op_registry import not_differentiable, op
from tf1compat.core.shapes import Shape, ShapeError

# Static shapes of what a handle stands for.


def handle_shape(operation: Any, index: int = 0) -> Shape:
    """The static shape of the variable behind resource input `index`; None if unknown."""
    data = operation._inputs[index]._handle_data
    return None if data is None else data[1]


def variable_shape(operation: Any, index: int = 0) -> Shape:
    """The static shape of the variable behind input `index`, a reference or a resource."""
    tensor = operation._inputs[index]
    return tensor._shape if tensor._dtype._is_ref_dtype else handle_shape(operation, index)


def check_handle_dtype(operation: Any, dtype: Any) -> None:
    """Raises ShapeError if the variable behind input 0 holds another type than `dtype`."""
    data = operation._inputs[0]._handle_data
    if data is not None and data[0].base_dtype != dtype:
        expected, got = (_cpp_name(t) for t in (data[0].base_dtype, dtype))
        raise ShapeError(f"Trying to read variable with wrong dtype. Expected {expected} got {got}")


def _cpp_name(dtype: Any) -> str:
    """A type as TF's C++ prints it."""
    return {"float32": "float", "float64": "double", "float16": "half"}.get(dtype.name, dtype.name)


def text_of_shape(value: Any) -> str:
    """The shape of a value as TF's C++ prints it: `[2,3]`."""
    return "[" + ",".join(map(str, np.shape(value))) + "]"


# Reference variables.


@op("VariableV2", source=True)
class VariableV2:
    def shape(*, shape):
        return shape


@op("Variable", source=True)
class Variable:
    def shape(*, shape):
        # A scalar's shape attr is not to be told from an unknown one in this op.
        return shape or None


@op("TemporaryVariable", source=True)
class TemporaryVariable:
    def shape(*, shape):
        return shape


@op("DestroyTemporaryVariable", reads=(0,))
class DestroyTemporaryVariable:
    def shape(ref):
        return ref

    def lower(ref):
        return ref.read()


@op("IsVariableInitialized", reads=(0,))
class IsVariableInitialized:
    def shape(ref):
        return ()

    def lower(ref):
        return np.bool_(ref.initialized)


@op("Assign", writes=(0,))
class Assign:
    def shape(ref, value, *, validate_shape):
        return shapes.merge(ref, value) if validate_shape else value

    def lower(ref, value, *, validate_shape, ctx):
        if validate_shape and shapes.is_fully_known(ref.shape):
            ctx.check(
                np.shape(value) == tuple(ref.shape),
                errors.InvalidArgumentError,
                "Assign requires shapes of both tensors to match. "
                f"lhs shape= {shapes.to_string(ref.shape)} rhs shape= {text_of_shape(value)}",
            )
        return ref.assign(value)


def _update(ref: Any, value: Any, combine: Callable[..., Any], ctx: Any, text: str) -> Any:
    """Assigns `combine(variable, value)`; the shapes must be equal."""
    before = ref.read()
    same = np.shape(before) == np.shape(value)
    text = text.format(text_of_shape(before), text_of_shape(value))
    ctx.check(same, errors.InvalidArgumentError, text)
    return ref.assign(combine(before, value))


_SAME_SIZE = "Parameters and update must be the same size"
_SAME_SHAPE = (
    "Cannot update variable with shape {} using a Tensor with shape {}, shapes must be equal."
)


@op("AssignAdd", writes=(0,))
class AssignAdd:
    def shape(ref, value):
        return shapes.merge(ref, value)

    def lower(ref, value, *, ctx):
        return _update(ref, value, jnp.add, ctx, _SAME_SIZE)


@op("AssignSub", writes=(0,))
class AssignSub:
    def shape(ref, value):
        return shapes.merge(ref, value)

    def lower(ref, value, *, ctx):
        return _update(ref, value, jnp.subtract, ctx, _SAME_SIZE)


def _count(ref: Any, limit: int, ctx: Any) -> Any:
    before = jnp.asarray(ref.read())
    ctx.check(before < limit, errors.OutOfRangeError, f"Reached limit of {limit}")
    ref.assign(before + jnp.ones((), before.dtype))
    return before


@op("CountUpTo", writes=(0,))
class CountUpTo:
    def shape(ref):
        return shapes.with_rank(ref, 0)

    def lower(ref, *, limit, ctx):
        return _count(ref, limit, ctx)


# Resource variables.


def _handle_data(operation: Any) -> list[Any]:
    attrs = operation._attrs
    return [(attrs["dtype"], attrs["shape"].to_tuple())]


@op("VarHandleOp", source=True)
class VarHandleOp:
    handle_data = _handle_data

    def shape():
        return ()


@op("VarIsInitializedOp", reads=(0,))
class VarIsInitializedOp:
    def shape(resource):
        return ()

    def lower(resource):
        return np.bool_(resource.initialized)


@op("ReadVariableOp", reads=(0,))
class ReadVariableOp:
    def shape(resource, *, dtype, op):
        check_handle_dtype(op, dtype)
        return handle_shape(op)

    def lower(resource):
        return resource.read()

    def gradient(op, grad):
        return grad


@op("VariableShape", reads=(0,))
class VariableShape:
    def shape(resource, *, op):
        shape = handle_shape(op)
        return (None if shape is None else len(shape),)

    def lower(resource, *, out_type):
        return np.asarray(np.shape(resource.read()), out_type.as_numpy_dtype)


@op("AssignVariableOp", writes=(0,))
class AssignVariableOp:
    def shape(resource, value, *, dtype, op):
        check_handle_dtype(op, dtype)
        shapes.merge(handle_shape(op), value)

    def lower(resource, value):
        # As in TF 1.15, a value of another shape than the variable's replaces it.
        resource.assign(value)


@op("AssignAddVariableOp", writes=(0,))
class AssignAddVariableOp:
    def shape(resource, value, *, dtype, op):
        check_handle_dtype(op, dtype)
        shapes.merge(handle_shape(op), value)

    def lower(resource, value, *, ctx):
        _update(resource, value, jnp.add, ctx, _SAME_SHAPE)


@op("AssignSubVariableOp", writes=(0,))
class AssignSubVariableOp:
    def shape(resource, value, *, dtype, op):
        check_handle_dtype(op, dtype)
        shapes.merge(handle_shape(op), value)

    def lower(resource, value, *, ctx):
        _update(resource, value, jnp.subtract, ctx, _SAME_SHAPE)


@op("ResourceCountUpTo", writes=(0,))
class ResourceCountUpTo:
    def shape(resource, *, T, op):
        check_handle_dtype(op, T)
        return shapes.with_rank(handle_shape(op), 0)

    def lower(resource, *, limit, ctx):
        return _count(resource, limit, ctx)


not_differentiable("Assign", "AssignAdd", "AssignSub", "VarIsInitializedOp", "VariableShape")
