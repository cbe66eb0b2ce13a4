"""The lists of a graph's variables, and operations that initialise them."""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.variables import state_ops
from tf1compat.api.variables.variable_base import (
    SaveSliceInfo,
    Variable,
    VariableAggregation,
    VariableMetaclass,
    VariableSynchronization,
    VariableV1,
    check_constructor_arguments,
    check_indexed_slices,
    convert_variable,
    default_variable_creator,
    validate_synchronization_aggregation_trainable,
)
from tf1compat.core import context, dtypes, ops
from tf1compat.core.export import tf_export

# The classes are part of TF's module of this name.
__all__ = [
    "SaveSliceInfo",
    "Variable",
    "VariableAggregation",
    "VariableMetaclass",
    "VariableSynchronization",
    "VariableV1",
    "check_constructor_arguments",
    "check_indexed_slices",
    "convert_variable",
    "default_variable_creator",
    "validate_synchronization_aggregation_trainable",
]

# The lists of variables.


@tf_export("global_variables")
def global_variables(scope: str | None = None) -> list[Any]:
    """The variables in `GraphKeys.GLOBAL_VARIABLES`, where every variable is by default.

    Args:
      scope: if given, only those whose name matches this regular expression (`re.match`).

    Returns:
      A list of variables.
    """
    return ops.get_collection(ops.GraphKeys.GLOBAL_VARIABLES, scope)


@tf_export("all_variables")
@deprecated("2017-03-02", "Please use tf.global_variables instead.")
def all_variables() -> list[Any]:
    """The older name of `tf.global_variables`.

    Returns:
      Variables.
    """
    return global_variables()


def _all_saveable_objects(scope: str | None = None) -> list[Any]:
    """All variables and `SaveableObject`s that a checkpoint holds."""
    saveables = ops.get_collection(ops.GraphKeys.SAVEABLE_OBJECTS, scope)
    return global_variables(scope) + saveables


@tf_export("local_variables")
def local_variables(scope: str | None = None) -> list[Any]:
    """The variables in `GraphKeys.LOCAL_VARIABLES`: not part of a checkpoint.

    Args:
      scope: if given, only those whose name matches this regular expression (`re.match`).

    Returns:
      A list of variables.
    """
    return ops.get_collection(ops.GraphKeys.LOCAL_VARIABLES, scope)


@tf_export("model_variables")
def model_variables(scope: str | None = None) -> list[Any]:
    """The variables in `GraphKeys.MODEL_VARIABLES`.

    Args:
      scope: if given, only those whose name matches this regular expression (`re.match`).

    Returns:
      A list of variables.
    """
    return ops.get_collection(ops.GraphKeys.MODEL_VARIABLES, scope)


@tf_export("trainable_variables")
def trainable_variables(scope: str | None = None) -> list[Any]:
    """The variables made with `trainable=True`, which optimizers optimize by default.

    Args:
      scope: if given, only those whose name matches this regular expression (`re.match`).

    Returns:
      A list of variables.
    """
    return ops.get_collection(ops.GraphKeys.TRAINABLE_VARIABLES, scope)


@tf_export("moving_average_variables")
def moving_average_variables(scope: str | None = None) -> list[Any]:
    """The variables of which an `ExponentialMovingAverage` keeps moving averages.

    Args:
      scope: if given, only those whose name matches this regular expression (`re.match`).

    Returns:
      A list of variables.
    """
    return ops.get_collection(ops.GraphKeys.MOVING_AVERAGE_VARIABLES, scope)


# Initialisation.


@tf_export("variables_initializer", "initializers.variables")
def variables_initializer(var_list: Sequence[Any], name: str = "init") -> ops.Operation:
    """An operation that initialises the variables of a list.

    Args:
      var_list: variables; none at all gives a `NoOp`.
      name: the operation's name.

    Returns:
      The operation.
    """
    if context.executing_eagerly() or not var_list:
        return control_flow_ops.no_op(name=name)
    return control_flow_ops.group(*[v.initializer for v in var_list], name=name)


@tf_export("initialize_variables")
@deprecated("2017-03-02", "Use `tf.variables_initializer` instead.")
def initialize_variables(var_list: Sequence[Any], name: str = "init") -> ops.Operation:
    """The older name of `tf.variables_initializer`.

    Args:
      var_list: variables.
      name: the operation's name.

    Returns:
      An operation.
    """
    return variables_initializer(var_list, name=name)


@tf_export("global_variables_initializer", "initializers.global_variables")
def global_variables_initializer() -> ops.Operation:
    """An operation that initialises all global variables made so far.

    Returns:
      An operation of type NoOp.
    """
    return variables_initializer(global_variables())


@tf_export("initialize_all_variables")
@deprecated("2017-03-02", "Use `tf.global_variables_initializer` instead.")
def initialize_all_variables() -> ops.Operation:
    """The older name of `tf.global_variables_initializer`.

    Returns:
      An operation of type NoOp.
    """
    return global_variables_initializer()


@tf_export("local_variables_initializer", "initializers.local_variables")
def local_variables_initializer() -> ops.Operation:
    """An operation that initialises all local variables made so far.

    Returns:
      An operation of type NoOp.
    """
    return variables_initializer(local_variables())


@tf_export("initialize_local_variables")
@deprecated("2017-03-02", "Use `tf.local_variables_initializer` instead.")
def initialize_local_variables() -> ops.Operation:
    """The older name of `tf.local_variables_initializer`.

    Returns:
      An operation of type NoOp.
    """
    return local_variables_initializer()


@tf_export("is_variable_initialized")
def is_variable_initialized(variable: Any) -> ops.Tensor:
    """Whether a variable has been initialised.

    Args:
      variable: a variable.

    Returns:
      A scalar bool tensor.
    """
    return state_ops.is_variable_initialized(variable)


def _variable_op_outputs() -> list[ops.Tensor]:
    """The outputs of the variable ops of a graph whose variables are in no collection."""
    kinds = ("Variable", "VariableV2", "AutoReloadVariable")
    operations = ops.get_default_graph().get_operations()
    return [op.outputs[0] for op in operations if op.type in kinds]


@tf_export("assert_variables_initialized")
def assert_variables_initialized(var_list: Sequence[Any] | None = None) -> ops.Tensor | None:
    """A tensor whose evaluation raises FailedPreconditionError if a variable is not initialised.

    Args:
      var_list: variables; all global and local ones by default.

    Returns:
      The tensor, or None if there are no variables.
    """
    if var_list is None:
        var_list = global_variables() + local_variables()
    var_list = var_list or _variable_op_outputs()
    if not var_list:
        return None
    ranks = []
    for variable in var_list:
        with ops.colocate_with(variable.op):
            ranks.append(array_ops.rank_internal(variable, optimize=False))
    return ranks[0] if len(ranks) == 1 else array_ops.stack(ranks)


@tf_export("report_uninitialized_variables")
def report_uninitialized_variables(
    var_list: Sequence[Any] | None = None, name: str = "report_uninitialized_variables"
) -> ops.Tensor:
    """The names of the variables that are not initialised.

    Args:
      var_list: variables; all global and local ones by default.
      name: the name scope of the operations.

    Returns:
      A string tensor of shape [number of uninitialised variables].
    """
    if var_list is None:
        var_list = global_variables() + local_variables() or _variable_op_outputs()
    with ops.name_scope(name):
        initialized = [is_variable_initialized(v) for v in var_list]
        device = os.environ.get("TF_DEVICE_FOR_UNINITIALIZED_VARIABLE_REPORTING", "/cpu:0")
        with ops.device(device):
            if not initialized:
                return constant_op.constant_v1([], dtype=dtypes.string)
            mask = math_ops.logical_not(array_ops.stack(initialized))
            names = constant_op.constant_v1([v.op.name for v in var_list])
            return array_ops.boolean_mask(names, mask)


# TF's module of this name holds these two as well.
_ELSEWHERE = {"PartitionedVariable": "partitioned_variables", "RefVariable": "ref_variable"}


def __getattr__(name: str) -> Any:
    if name not in _ELSEWHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__package__}.{_ELSEWHERE[name]}"), name)
