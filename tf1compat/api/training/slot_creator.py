"""Slots: the variables that an optimizer keeps beside each variable it trains.

A slot is named `<variable>/<name>`, placed with its variable, and never trainable.
"""

from __future__ import annotations

import contextlib
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.distribute import distribution_strategy_context as strategies
from tf1compat.api.random import init_ops
from tf1compat.api.variables import resource_variable_ops, variable_scope, variables
from tf1compat.api.variables.ref_variable import RefVariable
from tf1compat.core import ops
from tf1compat.core.typing import DTypeLike, Initializer


def _create_slot(
    primary: Any,
    initializer: Initializer,
    validate_shape: bool,
    shape: Any,
    dtype: Any,
    name: str,
    colocate_with_primary: bool,
) -> Any:
    if resource_variable_ops.is_resource_variable(primary):
        use_resource = True
    elif isinstance(primary, RefVariable):
        use_resource = False
    else:
        use_resource = None
    eager = ops.executing_eagerly()
    primary_name = primary._shared_name if eager else primary.op.name
    place = contextlib.nullcontext()
    if colocate_with_primary:
        place = strategies.get_strategy().extended.colocate_vars_with(primary)
    with variable_scope.variable_scope(None, f"{primary_name}/{name}") as scope, place:
        # The slot is as large as its variable, which is a part already where a partitioner is set.
        scope.set_partitioner(None)
        slot = variable_scope.get_variable(
            "",
            initializer=initializer,
            trainable=False,
            use_resource=use_resource,
            shape=shape if callable(initializer) else None,
            dtype=dtype,
            validate_shape=validate_shape,
        )
    # A slot of a part of a variable is the same part of a partitioned slot.
    if isinstance(primary, variables.Variable) and primary._save_slice_info:
        own_name = slot.name[len(primary_name + "/") : -len(":0")]
        info = primary._save_slice_info
        slot._set_save_slice_info(
            variables.SaveSliceInfo(
                f"{info.full_name}/{own_name}",
                list(info.full_shape),
                list(info.var_offset),
                list(info.var_shape),
            )
        )
    return slot


def create_slot(primary: Any, val: Any, name: str, colocate_with_primary: bool = True) -> Any:
    """Makes a slot that starts with a given value.

    Args:
      primary: the variable (or tensor) that the slot belongs to.
      val: a tensor.
      name: the slot's name under the variable's; made unique.
      colocate_with_primary: whether the slot is placed with its variable.

    Returns:
      The slot, a variable.
    """
    validate_shape = val.get_shape().is_fully_defined()
    return _create_slot(primary, val, validate_shape, None, None, name, colocate_with_primary)


def create_slot_with_initializer(
    primary: Any,
    initializer: Any,
    shape: Any,
    dtype: Any,
    name: str,
    colocate_with_primary: bool = True,
) -> Any:
    """Makes a slot of a shape and type, with an initializer.

    Args:
      primary: the variable (or tensor) that the slot belongs to.
      initializer: an initializer, as in `tf.get_variable`.
      shape: the slot's `TensorShape`.
      dtype: its element type.
      name: the slot's name under the variable's; made unique.
      colocate_with_primary: whether the slot is placed with its variable.

    Returns:
      The slot, a variable.
    """
    validate_shape = shape.is_fully_defined()
    return _create_slot(
        primary, initializer, validate_shape, shape, dtype, name, colocate_with_primary
    )


def create_zeros_slot(
    primary: Any, name: str, dtype: DTypeLike | None = None, colocate_with_primary: bool = True
) -> Any:
    """Makes a slot of zeros, of the variable's shape.

    Args:
      primary: the variable (or tensor) that the slot belongs to.
      name: the slot's name under the variable's; made unique.
      dtype: the element type; the variable's by default.
      colocate_with_primary: whether the slot is placed with its variable.

    Returns:
      The slot, a variable.
    """
    dtype = primary.dtype if dtype is None else dtype
    shape = primary.get_shape()
    if shape.is_fully_defined():
        return create_slot_with_initializer(
            primary, init_ops.zeros_initializer(), shape, dtype, name, colocate_with_primary
        )
    is_variable = isinstance(primary, variables.Variable)
    shape = array_ops.shape(primary.initialized_value() if is_variable else primary)
    return create_slot(primary, array_ops.zeros(shape, dtype=dtype), name, colocate_with_primary)
