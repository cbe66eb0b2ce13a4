"""What operations cost (`ops.RegisterStatistics` in `tensorflow.python.framework.ops`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_functions: dict[tuple[str, str], Callable[[Any, Any], OpStats]] = {}


class OpStats:
    """A number that tells something of an operation.

    Args:
      statistic_type: what it tells, such as "flops".
      value: the number; None if it is not known.
    """

    def __init__(self, statistic_type: str, value: Any = None):
        self.statistic_type = statistic_type
        self.value = value

    def __iadd__(self, other: OpStats) -> OpStats:
        if other.statistic_type != self.statistic_type:
            raise ValueError(
                f"Can't add an OpStat of type {self.statistic_type} to one of "
                f"{other.statistic_type}."
            )
        known = [stats.value for stats in (self, other) if stats.value is not None]
        self.value = sum(known[1:], known[0]) if known else None
        return self


class RegisterStatistics:
    """A decorator of functions of (graph, NodeDef) that give `OpStats`.

    Args:
      op_type: the operations' type.
      statistic_type: such as "flops".

    Raises:
      TypeError: one is no string, or has a comma.
      KeyError: there is such a function already.
    """

    def __init__(self, op_type: str, statistic_type: str):
        for name, value in (("op_type", op_type), ("statistic_type", statistic_type)):
            if not isinstance(value, str):
                raise TypeError(f"{name} must be a string.")
            if "," in value:
                raise TypeError(f"{name} must not contain a comma.")
        self._key = op_type, statistic_type

    def __call__(self, f: Callable[[Any, Any], OpStats]) -> Callable[[Any, Any], OpStats]:
        if self._key in _functions:
            raise KeyError(f"There are statistics of {self._key} already: {_functions[self._key]}")
        _functions[self._key] = f
        return f


def get_stats_for_node_def(graph: Any, node: Any, statistic_type: str) -> OpStats:
    """What is known of an operation.

    Args:
      graph: its `Graph`.
      node: its `NodeDef`.
      statistic_type: such as "flops".

    Returns:
      Its `OpStats`; without a value if no function was registered.
    """
    function = _functions.get((node.op, statistic_type))
    return OpStats(statistic_type) if function is None else function(graph, node)
