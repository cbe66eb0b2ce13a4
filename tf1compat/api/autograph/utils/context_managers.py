"""`tensorflow.python.autograph.utils.context_managers`."""

from __future__ import annotations

import contextlib
from typing import Any

from tf1compat.api.autograph.utils import tensors
from tf1compat.core import ops


def control_dependency_on_returns(return_value: Any) -> contextlib.AbstractContextManager[Any]:
    """A block whose operations run after what a function returned.

    Args:
      return_value: a tensor, a `TensorArray`, several of these, or None.
    """
    if return_value is None:
        return contextlib.nullcontext()
    values = return_value if isinstance(return_value, list | tuple) else [return_value]
    return ops.control_dependencies(
        [value.flow if tensors.is_tensor_array(value) else value for value in values]
    )
