"""`tf.contrib.framework.zero_initializer`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.variables import resource_variable_ops
from tf1compat.core import raw_ops
from tf1compat.core.export import tf_export


@tf_export("contrib.framework.zero_initializer")
def zero_initializer(ref: Any, use_locking: bool = True, name: str = "zero_initializer") -> Any:
    """Fills a variable that has no value yet with zeros.

    Args:
      ref: the variable.
      use_locking: ignored, as in TF.
      name: the operation's name.

    Returns:
      The variable.
    """
    if resource_variable_ops.is_resource_variable(ref):
        return raw_ops.ZeroVarInitializer(ref.handle, shape=ref.shape, dtype=ref.dtype, name=name)
    return raw_ops.ZeroInitializer(ref, name=name)
