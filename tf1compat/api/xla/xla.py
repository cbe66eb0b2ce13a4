"""`tf.xla.experimental.compile` (`tensorflow.python.compiler.xla.xla`).

Programs are compiled by XLA here as they are; what is recorded is what TF records.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distribute import summary_op_util
from tf1compat.api.functions import function
from tf1compat.api.variables import variable_scope
from tf1compat.api.xla.cluster import (
    ClusterContext,
    check_function_argument_count,
    flat_outputs,
    is_flat,
    nested_outputs,
)
from tf1compat.core import context, nest, ops, raw_ops
from tf1compat.core.export import tf_export

__all__ = ["XLACompileContext", "check_function_argument_count", "compile", "is_flat"]

_NO_TENSOR = (
    "XLA computation function return values must all either be Operations or convertible to "
    'Tensors. Got error: "{}"'
)
_ORDER = (
    "XLA computation function must return zero or more Tensor values followed by zero or more "
    "Operations."
)


@tf_export("xla.experimental.compile")
def compile(computation: Callable[..., Any], inputs: Any = None) -> Any:
    """Records a computation that XLA compiles as a whole (as `tf.xla.experimental.compile` in TF
    1.15). In eager execution it is a `tf.function`.

    Args:
      computation: takes the inputs and returns tensors, followed by operations.
      inputs: a sequence of structures of what can be converted to tensors.

    Returns:
      What `computation` returned, of which a single value is in a list; an operation where it
      returned no tensors.

    Raises:
      TypeError: `inputs` is no sequence.
      ValueError: `computation` returned something else.
    """
    if context.executing_eagerly():
        return function.function(lambda: _record(computation, inputs))()
    return _record(computation, inputs)


class XLACompileContext(ClusterContext):
    """Marks the operations that are compiled as a whole with `_xla_compile_id`."""

    mark = "_xla_compile_id"
    kind = "XLA"
    refused_text = (
        "Operation of type %s (%s) is not supported in XLA. Execution will fail if this op is used "
        "in the graph. "
    )
    nested_text = "XLA compiled computations cannot be nested, (operator name: {name})"


def _on_its_device(tensor: Any) -> Any:
    with ops.device(tensor.device or ""):
        return array_ops.identity(tensor)


def _record(computation: Callable[..., Any], inputs: Any) -> Any:
    inputs = [] if inputs is None else inputs
    if not isinstance(inputs, Sequence):
        raise TypeError("inputs must be a list")
    flat = [ops.convert_to_tensor(x) for x in nest.flatten(inputs)]
    name = ops.get_default_graph().unique_name("cluster")
    cluster = XLACompileContext(name, control_flow_ops.no_op(name=f"{name}/pivot"))
    try:
        cluster.Enter()
        flat = [array_ops.identity(x, name=f"input_{i}") for i, x in enumerate(flat)]
        scope = variable_scope.get_variable_scope()
        used_resource = scope.use_resource
        scope.set_use_resource(True)
        with summary_op_util.no_summaries():
            outputs = computation(*nest.pack_sequence_as(inputs, flat))
        scope.set_use_resource(used_resource)
        flat_ones = is_flat(outputs)
        if flat_ones:
            tensors, controls = flat_outputs(outputs, _on_its_device, None, (_NO_TENSOR, _ORDER))
        else:
            tensors = nested_outputs(outputs, _on_its_device, "xla.compile", _NO_TENSOR)
            controls = []
        cluster.ExitResult(tensors)
    finally:
        cluster.report_unsupported_operations()
        cluster.Exit()
    if not tensors:
        return control_flow_ops.group(controls, name="output_0")
    tensors = [raw_ops.XlaClusterOutput(x, name=f"output{i}") for i, x in enumerate(tensors)]
    with ops.control_dependencies(controls):
        tensors = [array_ops.identity(x, name=f"output_{i}") for i, x in enumerate(tensors)]
    return tensors if flat_ones else nest.pack_sequence_as(outputs, tensors)
