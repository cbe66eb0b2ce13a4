"""Variables: reference variables, resource variables, assignment and counting (TF's `state_ops.cc`,
`resource_variable_ops.cc`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.backend import jnp
from tf1compat.core import dtypes, errors, shapes
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import not_differentiable, op
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import Shape, ShapeError
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.framework.common import jnp_dtype, text_of_shape

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
        expected, got = (dtypes.cpp_name(t) for t in (data[0].base_dtype, dtype))
        raise ShapeError(f"Trying to read variable with wrong dtype. Expected {expected} got {got}")


# Reference variables.


@op("VariableV2", source=True)
class VariableV2:
    def shape(*, shape: Shape) -> Any:
        return shape


@op("Variable", source=True)
class Variable:
    def shape(*, shape: Shape) -> Any:
        # A scalar's shape attr is not to be told from an unknown one in this op.
        return shape or None


# A temporary variable has memory of its own from the run that makes it, found by its name.


def _temporary(name: str) -> str:
    return f"Resource __per_step_0/{name}/N10tensorflow19TemporaryVariableOp6TmpVarE"


@op("TemporaryVariable", source=True, local=True)
class TemporaryVariable:
    def shape(*, shape: Shape) -> Any:
        return shape

    def lower(*, shape: Any, dtype: DType, var_name: str, ctx: LoweringContext) -> Any:
        name = var_name or ctx.op.name
        if ctx.notes is not None:
            there = ctx.notes.get(("temporary", name), False)
            ctx.check(not there, errors.AlreadyExistsError, lambda: _temporary(name))
            ctx.notes[("temporary", name)] = True
        return jnp.zeros(shape, jnp_dtype(dtype))  # TF's memory is whatever it was before.


@op("DestroyTemporaryVariable", reads=(0,))
class DestroyTemporaryVariable:
    def shape(ref: Any) -> Any:
        return ref

    def lower(ref: Any, *, var_name: str, ctx: LoweringContext) -> Any:
        made = ctx.op.inputs[0].op
        while made.type != "TemporaryVariable" and made.inputs:
            made = made.inputs[0].op
        if made.type == "TemporaryVariable":
            there = var_name == (made.get_attr("var_name").decode() or made.name)
            if ctx.notes is not None:
                there = ctx.notes.get(("temporary", var_name), there)
                ctx.notes[("temporary", var_name)] = False
            text = f"{_temporary(var_name)} does not exist."
            ctx.check(there, errors.NotFoundError, lambda: text)
        return ref.read()


@op("IsVariableInitialized", reads=(0,))
class IsVariableInitialized:
    def shape(ref: Any) -> Any:
        return ()

    def lower(ref: Any) -> Any:
        return np.asarray(ref.initialized)


@op("Assign", writes=(0,))
class Assign:
    def shape(ref: Any, value: Shape, *, validate_shape: bool) -> Any:
        return shapes.merge(ref, value) if validate_shape else value

    def lower(ref: Any, value: Any, *, validate_shape: bool, ctx: LoweringContext) -> Any:
        shape = ref.shape
        if validate_shape and not shapes.is_fully_known(shape) and ref.initialized:
            shape = np.shape(ref.read())  # that of the value it has
        if validate_shape and shapes.is_fully_known(shape):
            ctx.check(
                np.shape(value) == tuple(shape),
                errors.InvalidArgumentError,
                lambda: (
                    "Assign requires shapes of both tensors to match. "
                    f"lhs shape= {shapes.to_string(shape)} rhs shape= {text_of_shape(value)}"
                ),
            )
        return ref.assign(value)


def _update(
    ref: Any, value: Any, combine: Callable[..., Any], ctx: LoweringContext, text: str
) -> Any:
    """Assigns `combine(variable, value)`; the shapes must be equal."""
    before = ref.read()
    if np.shape(before) != np.shape(value):
        text = text.format(text_of_shape(before), text_of_shape(value))
        ctx.check(False, errors.InvalidArgumentError, text)
    return ref.assign(combine(before, value))


_SAME_SIZE = "Parameters and update must be the same size"
_SAME_SHAPE = (
    "Cannot update variable with shape {} using a Tensor with shape {}, shapes must be equal."
)


@op("AssignAdd", writes=(0,))
class AssignAdd:
    def shape(ref: Any, value: Shape) -> Any:
        return shapes.merge(ref, value)

    def lower(ref: Any, value: Any, *, ctx: LoweringContext) -> Any:
        return _update(ref, value, jnp.add, ctx, _SAME_SIZE)


@op("AssignSub", writes=(0,))
class AssignSub:
    def shape(ref: Any, value: Shape) -> Any:
        return shapes.merge(ref, value)

    def lower(ref: Any, value: Any, *, ctx: LoweringContext) -> Any:
        return _update(ref, value, jnp.subtract, ctx, _SAME_SIZE)


def _count(ref: Any, limit: int, ctx: LoweringContext) -> Any:
    before = jnp.asarray(ref.read())
    ctx.check(before < limit, errors.OutOfRangeError, f"Reached limit of {limit}")
    ref.assign(before + jnp.ones((), before.dtype))
    return before


@op("CountUpTo", writes=(0,))
class CountUpTo:
    def shape(ref: Any) -> Any:
        return shapes.with_rank(ref, 0)

    def lower(ref: Any, *, limit: int, ctx: LoweringContext) -> Any:
        return _count(ref, limit, ctx)


# Resource variables.


def _handle_data(operation: Any) -> list[Any]:
    attrs = operation._attrs
    return [(attrs["dtype"], attrs["shape"].to_tuple())]


@op("VarHandleOp", source=True)
class VarHandleOp:
    handle_data = _handle_data

    def shape() -> Any:
        return ()


@op("VarIsInitializedOp", reads=(0,))
class VarIsInitializedOp:
    def shape(resource: Any) -> Any:
        return ()

    def lower(resource: Any) -> Any:
        return np.asarray(resource.initialized)


@op("ReadVariableOp", reads=(0,), unset="read")
class ReadVariableOp:
    def shape(resource: Any, *, dtype: DType, op: Operation) -> Any:
        check_handle_dtype(op, dtype)
        return handle_shape(op)

    def lower(resource: Any) -> Any:
        return resource.read()

    def gradient(op: Any, grad: Tensor) -> Any:
        return grad


@op("VariableShape", reads=(0,))
class VariableShape:
    def shape(resource: Any, *, op: Operation) -> Any:
        shape = handle_shape(op)
        return (None if shape is None else len(shape),)

    def lower(resource: Any, *, out_type: Any) -> Any:
        return np.asarray(np.shape(resource.read()), out_type.as_numpy_dtype)


@op("AssignVariableOp", writes=(0,))
class AssignVariableOp:
    def shape(resource: Any, value: Shape, *, dtype: DType, op: Operation) -> Any:
        check_handle_dtype(op, dtype)
        shapes.merge(handle_shape(op), value)

    def lower(resource: Any, value: Any) -> Any:
        # As in TF 1.15, a value of another shape than the variable's replaces it.
        resource.assign(value)


@op("AssignAddVariableOp", writes=(0,))
class AssignAddVariableOp:
    def shape(resource: Any, value: Shape, *, dtype: DType, op: Operation) -> Any:
        check_handle_dtype(op, dtype)
        shapes.merge(handle_shape(op), value)

    def lower(resource: Any, value: Any, *, ctx: LoweringContext) -> Any:
        _update(resource, value, jnp.add, ctx, _SAME_SHAPE)


@op("AssignSubVariableOp", writes=(0,))
class AssignSubVariableOp:
    def shape(resource: Any, value: Shape, *, dtype: DType, op: Operation) -> Any:
        check_handle_dtype(op, dtype)
        shapes.merge(handle_shape(op), value)

    def lower(resource: Any, value: Any, *, ctx: LoweringContext) -> Any:
        _update(resource, value, jnp.subtract, ctx, _SAME_SHAPE)


@op("ResourceCountUpTo", writes=(0,))
class ResourceCountUpTo:
    def shape(resource: Any, *, T: DType, op: Operation) -> Any:
        check_handle_dtype(op, T)
        return shapes.with_rank(handle_shape(op), 0)

    def lower(resource: Any, *, limit: int, ctx: LoweringContext) -> Any:
        return _count(resource, limit, ctx)


not_differentiable("Assign", "AssignAdd", "AssignSub", "VarIsInitializedOp", "VariableShape")


# Variables of zeros (contrib).


@op("ZeroInitializer", writes=(0,))
class ZeroInitializer:
    def shape(ref: Any) -> Any:
        return ref

    def lower(ref: Any, *, T: DType, ctx: LoweringContext) -> Any:  # noqa: N803
        ctx.check(not ref.initialized, errors.InvalidArgumentError, "input is already initialized")
        return ref.assign(jnp.zeros(ref.shape, T.as_numpy_dtype))


@op("ZeroVarInitializer", writes=(0,))
class ZeroVarInitializer:
    def shape(var: Any) -> Any:
        return ()

    def lower(var: Any, *, dtype: DType, shape: Shape, ctx: LoweringContext) -> Any:
        ctx.check(not var.initialized, errors.InvalidArgumentError, "input is already initialized")
        var.assign(jnp.zeros(shape, dtype.as_numpy_dtype))
        return var
