"""The global step: the variable that counts training steps."""

from __future__ import annotations

import contextlib
from typing import Any

from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.random import init_ops
from tf1compat.api.variables import resource_variable_ops, state_ops, variable_scope, variables
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export

# The collection that holds the one read of the global step that hooks share.
GLOBAL_STEP_READ_KEY = "global_step_read_op_cache"


@tf_export("train.global_step")
def global_step(sess: Any, global_step_tensor: Any) -> int:
    """The value of the global step in a session.

    Args:
      sess: the session.
      global_step_tensor: a variable, a tensor or the name of one.

    Returns:
      The value as a Python int.
    """
    if ops.executing_eagerly():
        return int(global_step_tensor.numpy())
    return int(sess.run(global_step_tensor))


@tf_export("train.get_global_step")
def get_global_step(graph: ops.Graph | None = None) -> Any:
    """The global step of a graph: the one in `GraphKeys.GLOBAL_STEP`, else the tensor
    `global_step:0`.

    Args:
      graph: the default graph by default.

    Returns:
      A variable or tensor; None if there is no global step, or more than one.

    Raises:
      TypeError: the global step is no scalar integer.
    """
    graph = graph or ops.get_default_graph()
    found = graph.get_collection(ops.GraphKeys.GLOBAL_STEP)
    if len(found) > 1:
        logging.error("Multiple tensors in global_step collection.")
        return None
    if found:
        step = found[0]
    else:
        try:
            step = graph.get_tensor_by_name("global_step:0")
        except KeyError:
            return None
    assert_global_step(step)
    return step


@tf_export("train.create_global_step")
def create_global_step(graph: ops.Graph | None = None) -> Any:
    """Makes the global step, an int64 variable that starts at 0.

    Args:
      graph: the default graph by default.

    Returns:
      The variable.

    Raises:
      ValueError: there is one already.
    """
    graph = graph or ops.get_default_graph()
    if get_global_step(graph) is not None:
        raise ValueError('"global_step" already exists.')
    with contextlib.ExitStack() as scopes:
        if not ops.executing_eagerly():
            scopes.enter_context(graph.as_default())
            scopes.enter_context(graph.name_scope(None))
        return variable_scope.get_variable(
            ops.GraphKeys.GLOBAL_STEP,
            shape=[],
            dtype=dtypes.int64,
            initializer=init_ops.zeros_initializer(),
            trainable=False,
            aggregation=variables.VariableAggregation.ONLY_FIRST_REPLICA,
            collections=[ops.GraphKeys.GLOBAL_VARIABLES, ops.GraphKeys.GLOBAL_STEP],
        )


@tf_export("train.get_or_create_global_step")
def get_or_create_global_step(graph: ops.Graph | None = None) -> Any:
    """The global step of a graph, made if there is none yet.

    Args:
      graph: the default graph by default.

    Returns:
      The variable or tensor.
    """
    graph = graph or ops.get_default_graph()
    step = get_global_step(graph)
    return create_global_step(graph) if step is None else step


@tf_export("train.assert_global_step")
def assert_global_step(global_step_tensor: Any) -> None:
    """Checks that a global step is a scalar integer variable or tensor.

    Args:
      global_step_tensor: a variable or tensor.

    Raises:
      TypeError: it is not.
    """
    is_variable_or_tensor = isinstance(
        global_step_tensor, (variables.Variable, ops.Tensor)
    ) or resource_variable_ops.is_resource_variable(global_step_tensor)
    if not is_variable_or_tensor:
        raise TypeError(
            f'Existing "global_step" must be a Variable or Tensor: {global_step_tensor}.'
        )
    if not global_step_tensor.dtype.base_dtype.is_integer:
        raise TypeError(
            f'Existing "global_step" does not have integer type: {global_step_tensor.dtype}'
        )
    shape = global_step_tensor.get_shape()
    if shape.ndims != 0 and shape.is_fully_defined():
        raise TypeError(f'Existing "global_step" is not scalar: {shape}')


def _get_global_step_read(graph: ops.Graph | None = None) -> Any:
    """The shared read of the global step, or None.

    Raises:
      RuntimeError: there are several.
    """
    graph = graph or ops.get_default_graph()
    found = graph.get_collection(GLOBAL_STEP_READ_KEY)
    if len(found) > 1:
        raise RuntimeError(
            f"There are multiple items in collection {GLOBAL_STEP_READ_KEY}. There should be only "
            "one."
        )
    return found[0] if found else None


def _get_or_create_global_step_read(graph: ops.Graph | None = None) -> Any:
    """The shared read of the global step, recorded if there is none yet; None without a global
    step.
    """
    graph = graph or ops.get_default_graph()
    read = _get_global_step_read(graph)
    if read is not None:
        return read
    step = get_global_step(graph)
    if step is None:
        return None
    with graph.as_default() as g, g.name_scope(None), g.name_scope(step.op.name + "/"):
        # `+ 0` makes a value of its own: a bare read could give the step after the update.
        value = step.initialized_value() if isinstance(step, variables.Variable) else step
        read = value + 0
        ops.add_to_collection(GLOBAL_STEP_READ_KEY, read)
    return _get_global_step_read(graph)


def _increment_global_step(increment: int, graph: ops.Graph | None = None) -> Any:
    """Records the addition of `increment` to the global step, after the shared read of it.

    Raises:
      ValueError: there is no global step.
    """
    graph = graph or ops.get_default_graph()
    step = get_global_step(graph)
    if step is None:
        raise ValueError(
            "Global step tensor should be created by tf.train.get_or_create_global_step before "
            "calling increment."
        )
    read = _get_or_create_global_step_read(graph)
    with (
        graph.as_default() as g,
        g.name_scope(None),
        g.name_scope(step.op.name + "/"),
        ops.control_dependencies([read]),
    ):
        return state_ops.assign_add(step, increment)


def required_global_step_read(hook: str) -> Any:
    """The shared read of the global step, for a hook.

    Raises:
      RuntimeError: there is no global step.
    """
    read = _get_or_create_global_step_read()
    if read is None:
        raise RuntimeError(f"Global step should be created to use {hook}.")
    return read
