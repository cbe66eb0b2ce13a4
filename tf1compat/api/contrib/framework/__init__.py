"""tf.contrib.framework: argument scopes, variables by name, checks of tensors."""

from __future__ import annotations

from tf1compat.api.array import sort_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.random import init_ops_convolution
from tf1compat.core import ops, type_spec
from tf1compat.core.export import export_constant

# What core TF has too, or keeps for this package.
for _name, _value in {
    "TensorSpec": type_spec.TensorSpec,
    "argsort": sort_ops.argsort,
    "convolutional_delta_orthogonal": init_ops_convolution.convolutional_delta_orthogonal,
    "convolutional_orthogonal_1d": init_ops_convolution.convolutional_orthogonal_1d,
    "convolutional_orthogonal_2d": init_ops_convolution.convolutional_orthogonal_2d,
    "convolutional_orthogonal_3d": init_ops_convolution.convolutional_orthogonal_3d,
    "prepend_name_scope": ops.prepend_name_scope,
    "smart_cond": control_flow_ops.smart_cond,
    "smart_constant_value": control_flow_ops.smart_constant_value,
    "sort": sort_ops.sort,
    "strip_name_scope": ops.strip_name_scope,
}.items():
    export_constant(f"contrib.framework.{_name}", _value)
