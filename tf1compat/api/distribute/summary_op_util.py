"""Summaries under a distribution strategy (`tensorflow.python.distribute.summary_op_util`)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from tf1compat.api.distribute import distribution_strategy_context
from tf1compat.core import ops, tensor_util

_left_out = False


@contextlib.contextmanager
def no_summaries() -> Iterator[None]:
    """A block in which all summaries are left out."""
    global _left_out
    before, _left_out = _left_out, True
    try:
        yield
    finally:
        _left_out = before


def skip_summary() -> Any:
    """Whether a summary is left out: of several replicas, only the first one writes them.

    Returns:
      True or False, or what is as good: replica 0, or None where its number is not known.
    """
    if _left_out:
        return True
    replica = distribution_strategy_context.get_replica_context()
    if replica is None:
        return False
    number = replica.replica_id_in_sync_group
    if isinstance(number, ops.Tensor):
        number = tensor_util.constant_value(number)
    return number and number > 0
