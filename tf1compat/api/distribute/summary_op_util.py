"""Summaries under a distribution strategy (`tensorflow.python.distribute.summary_op_util`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.distribute import distribution_strategy_context
from tf1compat.core import ops, tensor_util


def skip_summary() -> Any:
    """Whether a summary is left out: of several replicas, only the first one writes them.

    Returns:
      True or False, or what is as good: replica 0, or None where its number is not known.
    """
    replica = distribution_strategy_context.get_replica_context()
    if replica is None:
        return False
    number = replica.replica_id_in_sync_group
    if isinstance(number, ops.Tensor):
        number = tensor_util.constant_value(number)
    return number and number > 0
