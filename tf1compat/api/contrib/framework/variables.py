"""Variables by name and collection (`tensorflow.contrib.framework.python.ops.variables`)."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.client import pywrap_tensorflow
from tf1compat.api.contrib.framework.arg_scope import add_arg_scope
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training import saver as saver_lib
from tf1compat.api.training import training_util
from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.variables import variable_scope, variables
from tf1compat.core import device as device_lib
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.graph import Graph
from tf1compat.core.typing import DTypeLike, Initializer, Name, Regularizer, ShapeLike, TensorLike

__all__ = [
    "VariableDeviceChooser",
    "add_model_variable",
    "assert_global_step",
    "assert_or_get_global_step",
    "assign_from_checkpoint",
    "assign_from_checkpoint_fn",
    "assign_from_values",
    "assign_from_values_fn",
    "create_global_step",
    "filter_variables",
    "get_global_step",
    "get_local_variables",
    "get_model_variables",
    "get_or_create_global_step",
    "get_trainable_variables",
    "get_unique_variable",
    "get_variable_full_name",
    "get_variables",
    "get_variables_by_name",
    "get_variables_by_suffix",
    "get_variables_to_restore",
    "global_variable",
    "local_variable",
    "model_variable",
    "variable",
]

_AUTO = variables.VariableSynchronization.AUTO
_NONE = variables.VariableAggregation.NONE
_Keys = ops.GraphKeys

# ---- the global step ----


def _moved(name: str) -> Any:
    """Decorator: deprecated in favour of the function of that name in `tf.train`."""
    return deprecated(
        None,
        f"Please switch to tf.train.{name}",
        module="tensorflow.contrib.framework.python.ops.variables",
    )


@tf_export("contrib.framework.assert_global_step")
@_moved("assert_global_step")
def assert_global_step(global_step_tensor: Any) -> None:
    """`tf.train.assert_global_step`.

    Args:
      global_step_tensor: a variable or tensor.
    """
    training_util.assert_global_step(global_step_tensor)


@tf_export("contrib.framework.assert_or_get_global_step")
def assert_or_get_global_step(graph: Graph | None = None, global_step_tensor: Any = None) -> Any:
    """Checks a global step, or gets the one of a graph if none is given.

    Args:
      graph: the default graph by default.
      global_step_tensor: the global step to check.

    Returns:
      The global step; None if there is none.
    """
    if global_step_tensor is None:
        return get_global_step(graph)
    assert_global_step(global_step_tensor)
    return global_step_tensor


@tf_export("contrib.framework.get_global_step")
@_moved("get_global_step")
def get_global_step(graph: Graph | None = None) -> Any:
    """`tf.train.get_global_step`.

    Args:
      graph: a graph, the default one by default.

    Returns:
      The variable, or None.
    """
    return training_util.get_global_step(graph)


@tf_export("contrib.framework.create_global_step")
@_moved("create_global_step")
def create_global_step(graph: Graph | None = None) -> Any:
    """`tf.train.create_global_step`.

    Args:
      graph: a graph, the default one by default.

    Returns:
      An int64 variable, not trainable.
    """
    return training_util.create_global_step(graph)


@tf_export("contrib.framework.get_or_create_global_step")
@_moved("get_or_create_global_step")
def get_or_create_global_step(graph: Graph | None = None) -> Any:
    """`tf.train.get_or_create_global_step`.

    Args:
      graph: a graph, the default one by default.

    Returns:
      An int64 variable, not trainable.
    """
    return training_util.get_or_create_global_step(graph)


# ---- making variables ----


@tf_export("contrib.framework.local_variable")
def local_variable(
    initial_value: TensorLike,
    validate_shape: bool = True,
    name: Name = None,
    use_resource: Any = None,
) -> Any:
    """A variable that is not trainable, in `GraphKeys.LOCAL_VARIABLES`.

    Args:
      initial_value, validate_shape, name, use_resource: as in `tf.Variable`.

    Returns:
      As `tf.Variable`.
    """
    return variable_scope.variable(
        initial_value, trainable=False, collections=[_Keys.LOCAL_VARIABLES],
        validate_shape=validate_shape, use_resource=use_resource, name=name,
    )  # fmt: skip


@tf_export("contrib.framework.global_variable")
def global_variable(
    initial_value: TensorLike,
    validate_shape: bool = True,
    name: Name = None,
    use_resource: Any = None,
) -> Any:
    """A variable that is not trainable, in `GraphKeys.GLOBAL_VARIABLES`.

    Args:
      initial_value, validate_shape, name, use_resource: as in `tf.Variable`.

    Returns:
      As `tf.Variable`.
    """
    return variable_scope.variable(
        initial_value, trainable=False, collections=[_Keys.GLOBAL_VARIABLES],
        validate_shape=validate_shape, use_resource=use_resource, name=name,
    )  # fmt: skip


@tf_export("contrib.framework.variable")
@add_arg_scope
def variable(
    name: str, shape: ShapeLike | None = None, dtype: DTypeLike | None = None,
    initializer: Initializer | None = None,
    regularizer: Regularizer | None = None, trainable: bool = True, collections: Any = None,
    caching_device: Any = None, device: Any = None, partitioner: Any = None,
    custom_getter: Callable[..., Any] | None = None, use_resource: Any = None,
    synchronization: Any = _AUTO,
    aggregation: Any = _NONE,
) -> Any:  # fmt: skip
    """Gets a variable or makes it, on a device of its own.

    Args: see `tf.get_variable`.
      device: a device, or a function that gives one for an operation.
      custom_getter: called in place of `tf.get_variable`.

    Returns:
      What `tf.get_variable` (or `custom_getter`) gives: a variable, or a partitioned one.
    """
    keys = list(dict.fromkeys([_Keys.GLOBAL_VARIABLES] if collections is None else collections))
    getter = variable_scope.get_variable
    if custom_getter is not None:
        reuse = variable_scope.get_variable_scope().reuse
        getter = functools.partial(custom_getter, reuse=reuse)
    with ops.device(device or ""):
        return getter(
            name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer,
            trainable=trainable, collections=keys, caching_device=caching_device,
            partitioner=partitioner, use_resource=use_resource, synchronization=synchronization,
            aggregation=aggregation,
        )  # fmt: skip


@tf_export("contrib.framework.model_variable")
@add_arg_scope
def model_variable(
    name: str, shape: ShapeLike | None = None, dtype: Any = dtypes.float32,
    initializer: Initializer | None = None,
    regularizer: Regularizer | None = None, trainable: bool = True, collections: Any = None,
    caching_device: Any = None, device: Any = None, partitioner: Any = None,
    custom_getter: Callable[..., Any] | None = None, use_resource: Any = None,
    synchronization: Any = _AUTO,
    aggregation: Any = _NONE,
) -> Any:  # fmt: skip
    """Gets a variable or makes it; it joins `GraphKeys.MODEL_VARIABLES` and `GLOBAL_VARIABLES`.

    Args: see `variable`.
      collections: further collections.

    Returns:
      As `variable`.
    """
    keys = [*(collections or []), _Keys.GLOBAL_VARIABLES, _Keys.MODEL_VARIABLES]
    return variable(
        name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer,
        trainable=trainable, collections=keys, caching_device=caching_device, device=device,
        partitioner=partitioner, custom_getter=custom_getter, use_resource=use_resource,
        synchronization=synchronization, aggregation=aggregation,
    )  # fmt: skip


@tf_export("contrib.framework.add_model_variable")
def add_model_variable(var: Any) -> None:
    """Adds a variable to `GraphKeys.MODEL_VARIABLES`, once.

    Args:
      var: a variable.
    """
    if var not in ops.get_collection(_Keys.MODEL_VARIABLES):
        ops.add_to_collection(_Keys.MODEL_VARIABLES, var)


# ---- finding variables ----


@tf_export("contrib.framework.get_variables")
def get_variables(
    scope: Any = None, suffix: Any = None, collection: Any = _Keys.GLOBAL_VARIABLES
) -> list[Any]:
    """The variables of a collection.

    Args:
      scope: what their names begin with (a regular expression), or a variable scope.
      suffix: what their names end with.
      collection: the collection.

    Returns:
      A list, in the order in which they were added.
    """
    if isinstance(scope, variable_scope.VariableScope):
        scope = scope.name
    if suffix is not None:
        end = suffix if ":" in suffix else suffix + ":"
        scope = f"{scope or ''}.*{end}"
    return ops.get_collection(collection, scope)


@tf_export("contrib.framework.get_model_variables")
def get_model_variables(scope: Any = None, suffix: Any = None) -> list[Any]:
    """The variables in `GraphKeys.MODEL_VARIABLES`.

    Args:
      scope, suffix: as in `get_variables`.

    Returns:
      As `get_variables`.
    """
    return get_variables(scope, suffix, _Keys.MODEL_VARIABLES)


@tf_export("contrib.framework.get_local_variables")
def get_local_variables(scope: Any = None, suffix: Any = None) -> list[Any]:
    """The variables in `GraphKeys.LOCAL_VARIABLES`.

    Args:
      scope, suffix: as in `get_variables`.

    Returns:
      As `get_variables`.
    """
    return get_variables(scope, suffix, _Keys.LOCAL_VARIABLES)


@tf_export("contrib.framework.get_trainable_variables")
def get_trainable_variables(scope: Any = None, suffix: Any = None) -> list[Any]:
    """The variables in `GraphKeys.TRAINABLE_VARIABLES`.

    Args:
      scope, suffix: as in `get_variables`.

    Returns:
      As `get_variables`.
    """
    return get_variables(scope, suffix, _Keys.TRAINABLE_VARIABLES)


@tf_export("contrib.framework.get_variables_to_restore")
def get_variables_to_restore(include: Any = None, exclude: Any = None) -> list[Any]:
    """The global variables of some scopes and not of others.

    Args:
      include: a list of scopes; None for all variables.
      exclude: a list of scopes.

    Returns:
      A list of variables.

    Raises:
      TypeError: one of them is no list or tuple.
    """
    if include is None:
        included = get_variables()
    else:
        included = _variables_of("include", include)
    excluded = set(_variables_of("exclude", exclude)) if exclude is not None else set()
    return [v for v in included if v not in excluded]


def _variables_of(argument: str, scopes: Any) -> list[Any]:
    if not isinstance(scopes, list | tuple):
        raise TypeError(f"{argument} is provided but is not a list or a tuple.")
    return [v for scope in scopes for v in get_variables(scope)]


@tf_export("contrib.framework.get_variables_by_suffix")
def get_variables_by_suffix(suffix: str, scope: Any = None) -> list[Any]:
    """The global variables whose names end with `suffix`.

    Args:
      suffix: the end of the names of their operations.
      scope: a scope, or the beginning of names, to look in.

    Returns:
      Variables.
    """
    return get_variables(scope=scope, suffix=suffix)


@tf_export("contrib.framework.get_variables_by_name")
def get_variables_by_name(given_name: str, scope: Any = None) -> list[Any]:
    """The global variables called `given_name` in whatever scope.

    Args:
      given_name: the last part of their names.
      scope: a scope, or the beginning of names, to look in.

    Returns:
      Variables.
    """
    return get_variables(scope=scope, suffix=f"/{given_name}:|^{given_name}:")


@tf_export("contrib.framework.get_unique_variable")
def get_unique_variable(var_op_name: str) -> Any:
    """The global variable whose operation has this name.

    Args:
      var_op_name: the name of the operation, with its scopes.

    Returns:
      A variable.

    Raises:
      ValueError: there is none.
    """
    candidates = get_variables(scope=var_op_name)
    if not candidates:
        raise ValueError(f"Couldn't find variable {var_op_name}")
    found = _of_name(candidates, var_op_name)
    if found is None:
        raise ValueError(f"Variable {var_op_name} does not uniquely identify a variable")
    return found


def _of_name(candidates: Sequence[Any], op_name: str) -> Any:
    return next((v for v in candidates if v.op.name == op_name), None)


@tf_export("contrib.framework.get_variable_full_name")
def get_variable_full_name(var: Any) -> str:
    """The name of a variable, or of the partitioned variable that it is a part of.

    Args:
      var: a variable.

    Returns:
      A string.
    """
    info = var._save_slice_info
    return info.full_name if info else var.op.name


@tf_export("contrib.framework.filter_variables")
def filter_variables(
    var_list: Sequence[Any], include_patterns: Any = None, exclude_patterns: Any = None,
    reg_search: bool = True,
) -> list[Any]:  # fmt: skip
    """The variables whose names match one pattern of some, and none of others.

    Args:
      var_list: variables.
      include_patterns: regular expressions; None for all variables.
      exclude_patterns: regular expressions.
      reg_search: whether a pattern may match anywhere in a name, not only at its beginning.

    Returns:
      A list of variables, in the order given.
    """
    matches = re.search if reg_search else re.match

    def is_one_of(var: Any, patterns: Any) -> bool:
        return any(matches(pattern, var.name) for pattern in patterns)

    found = [v for v in var_list if include_patterns is None or is_one_of(v, include_patterns)]
    return [v for v in found if exclude_patterns is None or not is_one_of(v, exclude_patterns)]


# ---- setting variables ----


@tf_export("contrib.framework.assign_from_values")
def assign_from_values(var_names_to_values: Mapping[str, Any]) -> tuple[Any, dict[Any, Any]]:
    """Assignments of arrays to variables, fed so that the graph doesn't hold the arrays.

    Args:
      var_names_to_values: the name of a variable's operation -> an array.

    Returns:
      (an operation that makes all assignments, what to feed to it).

    Raises:
      ValueError: there is no such variable.
    """
    feeds = {}
    assignments = []
    for name, value in var_names_to_values.items():
        candidates = ops.get_collection(_Keys.GLOBAL_VARIABLES, name)
        if not candidates:
            raise ValueError(f"Variable {name} wasn't found")
        var = candidates[0] if len(candidates) == 1 else _of_name(candidates, name)
        if var is None:
            raise ValueError(f"Variable {name} doesn't uniquely identify a variable")
        placeholder = array_ops.placeholder(
            dtype=var.dtype.base_dtype, shape=var.get_shape(), name=f"placeholder/{var.op.name}"
        )
        assignments.append(var.assign(placeholder))
        feeds[placeholder] = value.reshape(var.get_shape().as_list())
    return control_flow_ops.group(*assignments), feeds


@tf_export("contrib.framework.assign_from_values_fn")
def assign_from_values_fn(var_names_to_values: Mapping[str, Any]) -> Callable[[Any], Any]:
    """A function of a session that assigns arrays to variables.

    Args:
      var_names_to_values: as in `assign_from_values`.

    Returns:
      As `assign_from_values`.
    """
    operation, feeds = assign_from_values(var_names_to_values)
    return lambda session: session.run(operation, feeds)


@tf_export("contrib.framework.assign_from_checkpoint")
def assign_from_checkpoint(
    model_path: str, var_list: Any, ignore_missing_vars: bool = False
) -> tuple[Any, dict[Any, Any]]:
    """Assignments of a checkpoint's values to variables, fed so that the graph doesn't hold them.

    Args:
      model_path: the checkpoint.
      var_list: variables, or {name in the checkpoint: a variable or a list of its parts}.
      ignore_missing_vars: whether variables that the checkpoint lacks are left alone.

    Returns:
      (an operation that makes all assignments, what to feed to it).

    Raises:
      ValueError: the checkpoint lacks a variable, or has another shape.
    """
    groups: dict[str, Any] = {}
    if isinstance(var_list, tuple | list):
        for var in var_list:
            groups.setdefault(get_variable_full_name(var), []).append(var)
    else:
        for name, value in var_list.items():
            groups[name] = value if isinstance(value, tuple | list) else [value]
    reader = pywrap_tensorflow.NewCheckpointReader(model_path)
    feeds = {}
    assignments = []
    for name, group in groups.items():
        if not reader.has_tensor(name):
            text = f"Checkpoint is missing variable [{name}]"
            if not ignore_missing_vars:
                raise ValueError(text)
            logging.warning(text)
            continue
        value = np.asarray(reader.get_tensor(name))
        for var in group:
            placeholder = array_ops.placeholder(
                dtype=var.dtype.base_dtype, shape=var.get_shape(), name=f"placeholder/{var.op.name}"
            )
            assignments.append(var.assign(placeholder))
            info = var._save_slice_info
            if info:
                pairs = zip(info.var_offset, info.var_shape, strict=True)
                part = value[tuple(slice(start, start + size) for start, size in pairs)]
                feeds[placeholder] = part.reshape(info.var_shape)
            elif var.get_shape() != value.shape:
                raise ValueError(
                    f"Total size of new array must be unchanged for {name} lh_shape: "
                    f"[{value.shape}], rh_shape: [{var.get_shape()}]"
                )
            else:
                feeds[placeholder] = value
    return control_flow_ops.group(*assignments), feeds


@tf_export("contrib.framework.assign_from_checkpoint_fn")
def assign_from_checkpoint_fn(
    model_path: str,
    var_list: Any,
    ignore_missing_vars: bool = False,
    reshape_variables: bool = False,
) -> Callable[[Any], None] | None:
    """A function of a session that restores variables from a checkpoint.

    Args:
      model_path: the checkpoint.
      var_list: variables, or {name in the checkpoint: variable}.
      ignore_missing_vars: whether variables that the checkpoint lacks are left alone.
      reshape_variables: whether they may have another shape there.

    Returns:
      The function; None if there is nothing to restore.

    Raises:
      ValueError: `var_list` is empty.
    """
    if not var_list:
        raise ValueError("var_list cannot be empty")
    if ignore_missing_vars:
        reader = pywrap_tensorflow.NewCheckpointReader(model_path)
        named = var_list if isinstance(var_list, dict) else {v.op.name: v for v in var_list}
        var_list = {}
        for name, var in named.items():
            if reader.has_tensor(name):
                var_list[name] = var
            else:
                logging.warning("Variable %s missing in checkpoint %s", name, model_path)
    if not var_list:
        logging.warning("No Variables to restore")
        return None
    saver = saver_lib.Saver(var_list, reshape=reshape_variables, write_version=1)
    return lambda session: saver.restore(session, model_path)


# ---- devices ----


@tf_export("contrib.framework.VariableDeviceChooser")
class VariableDeviceChooser:
    """A device function that deals variables out to parameter servers in turn.

    Args:
      num_tasks: the number of servers; 0 for a device of this machine.
      job_name: the servers' job.
      device_type: "CPU" or "GPU".
      device_index: the number of the device.
      replica: the replica's number.
    """

    def __init__(
        self, num_tasks: int = 0, job_name: str = "ps", device_type: str = "CPU",
        device_index: int = 0, replica: int | None = None,
    ):  # fmt: skip
        self._job_name = job_name
        self._device_type = device_type
        self._device_index = device_index
        self._replica = replica
        self._num_tasks = num_tasks
        self._next_task_id = 0

    def __call__(self, op: Any) -> str:
        """The device of the next variable, as a string."""
        spec = device_lib.DeviceSpec(
            replica=self._replica, device_type=self._device_type, device_index=self._device_index
        )
        if self._num_tasks > 0:
            spec.job = self._job_name
            spec.task = self._next_task_id
            self._next_task_id = (self._next_task_id + 1) % self._num_tasks
        return spec.to_string()
