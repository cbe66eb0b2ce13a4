"""`tf.contrib.eager`: eager execution under its first name."""

from __future__ import annotations

from tf1compat.api.functions import function, script_ops
from tf1compat.api.gradients import custom_gradient
from tf1compat.api.variables import resource_variable_ops
from tf1compat.core import ops
from tf1compat.core.export import export_constant
from tf1compat.core.scopes import executing_eagerly
from tf1compat.core.type_spec import TensorSpec

for _name, _value in {
    "TensorSpec": TensorSpec,
    "Variable": resource_variable_ops.ResourceVariable,
    "custom_gradient": custom_gradient.custom_gradient,
    "defun": function.defun,
    "enable_eager_execution": ops.enable_eager_execution,
    "executing_eagerly": executing_eagerly,
    "function": function.function,
    "in_eager_mode": executing_eagerly,
    "py_func": script_ops.eager_py_func,
}.items():
    export_constant(f"contrib.eager.{_name}", _value)
