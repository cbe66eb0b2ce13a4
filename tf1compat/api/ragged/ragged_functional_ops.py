"""`tensorflow.python.ops.ragged.ragged_functional_ops`: any function of the values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.ragged import ragged_util
from tf1compat.api.ragged.ragged_tensor import (
    RaggedTensor,
    convert_to_tensor_or_ragged_tensor,
    is_ragged,
)
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor


@tf_export("ragged.map_flat_values")
def map_flat_values(op: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Calls `op` with the values of ragged arguments, and gives its result their rows (as in TF
    1.15).

    Args:
      op: a function that keeps the number of values.
      *args, **kwargs: its arguments; ragged tensors of the same rows, also in lists and dicts, and
        others.

    Returns:
      A ragged tensor; what `op` returns where no argument is ragged.

    Raises:
      ValueError: the ragged arguments' row splits differ in number or dtype.
      InvalidArgumentError: at run time, if they differ.
    """
    found: list[tuple[Tensor, ...]] = []
    inner_args = _flat_values(args, found)
    inner_kwargs = _flat_values(kwargs, found)
    if not found:
        return op(*args, **kwargs)
    if len({splits[0].dtype for splits in found}) > 1:
        raise ValueError(
            "Input RaggedTensors have mismatched row_splits dtypes; use "
            "RaggedTensor.with_row_splits_dtype() to convert them to compatible dtypes."
        )
    with ops.control_dependencies(ragged_util.assert_splits_match(found)):
        return RaggedTensor.from_nested_row_splits(
            op(*inner_args, **inner_kwargs), found[0], validate=False
        )


def _flat_values(value: Any, found: list[tuple[Tensor, ...]]) -> Any:
    """`value` with the flat values of each ragged tensor in it, whose splits are added to
    `found`."""
    if is_ragged(value):
        ragged = convert_to_tensor_or_ragged_tensor(value)
        found.append(ragged.nested_row_splits)
        return ragged.flat_values
    if isinstance(value, list):
        return [_flat_values(item, found) for item in value]
    if isinstance(value, tuple):
        return tuple(_flat_values(item, found) for item in value)
    if isinstance(value, dict):
        return {key: _flat_values(item, found) for key, item in value.items()}
    return value
