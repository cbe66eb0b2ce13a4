"""`tensorflow.python.distribute.reduce_util`."""

from __future__ import annotations

import enum
from typing import Any

from tf1compat.api.variables.variable_base import VariableAggregation
from tf1compat.core.export import tf_export


@tf_export("distribute.ReduceOp")
class ReduceOp(enum.Enum):
    """How the values of replicas become one."""

    SUM = "SUM"
    MEAN = "MEAN"

    @staticmethod
    def from_variable_aggregation(aggregation: Any) -> ReduceOp:
        """The reduction of a `tf.VariableAggregation`.

        Raises:
          ValueError: it has none.
        """
        if aggregation in (VariableAggregation.SUM, VariableAggregation.MEAN):
            return ReduceOp[aggregation.name]
        raise ValueError(
            f"Could not convert from `tf.VariableAggregation` {aggregation} to"
            "`tf.distribute.ReduceOp` type"
        )


def as_reduce_op(op: Any) -> Any:
    """A reduction that may be named by a string, in any case."""
    return ReduceOp(op.upper()) if isinstance(op, str) else op
