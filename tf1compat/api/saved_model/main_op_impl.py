"""The operation that a SavedModel runs when it is loaded."""

from __future__ import annotations

from typing import Any

from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.lookup import lookup_ops
from tf1compat.api.saved_model.utils_impl import _v1_only
from tf1compat.api.variables import variables
from tf1compat.core import ops
from tf1compat.core.export import tf_export


@tf_export("saved_model.main_op.main_op")
@_v1_only("main_op.main_op")
def main_op() -> Any:
    """Records the initialisation of all variables and tables.

    Returns:
      An operation.
    """
    return control_flow_ops.group(
        variables.global_variables_initializer(),
        variables.local_variables_initializer(),
        lookup_ops.tables_initializer(),
    )


@tf_export("saved_model.main_op_with_restore", "saved_model.main_op.main_op_with_restore")
@_v1_only("main_op_with_restore", "main_op.main_op_with_restore")
def main_op_with_restore(restore_op_name: Any) -> Any:
    """Records the initialisation of all variables and tables, and `restore_op_name` after it.

    Args:
      restore_op_name: the name of the operation that restores the variables.

    Returns:
      An operation.
    """
    with ops.control_dependencies([main_op()]):
        return control_flow_ops.group(restore_op_name)
