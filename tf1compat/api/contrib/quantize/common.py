"""What folding and quantizing have in common."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.random import init_ops
from tf1compat.api.variables import state_ops, variable_scope
from tf1compat.api.variables import variables as variables_lib
from tf1compat.core import dtypes, ops
from tf1compat.core.graph import Graph

# The operations of these scopes are of a training step, or of none.
SKIPPED_PREFIXES = (
    "gradients/",
    "RMSProp/",
    "Adagrad/",
    "Const_",
    "HistogramSummary",
    "ScalarSummary",
)
_STEP = "fake_quantization_step"


def create_or_get_quantization_step() -> Any:
    """The number of the step, counted each time that it is read."""
    graph = ops.get_default_graph()
    try:
        return graph.get_tensor_by_name(f"{_STEP}/Identity:0")
    except KeyError:
        pass
    with graph.name_scope(None):
        step = variable_scope.get_variable(
            _STEP,
            shape=[],
            dtype=dtypes.int64,
            initializer=init_ops.zeros_initializer(),
            trainable=False,
            collections=[ops.GraphKeys.GLOBAL_VARIABLES],
            aggregation=variables_lib.VariableAggregation.ONLY_FIRST_REPLICA,
        )
        with graph.name_scope(step.op.name + "/"):
            return array_ops.identity(state_ops.assign_add(step, 1))


def reroute_tensor(t0: Any, t1: Any, can_modify: Any = None) -> int:
    """Feeds one tensor to what another was fed to.

    Args:
      t0: a tensor.
      t1: the tensor that is replaced.
      can_modify: the operations that may be changed; by default all.

    Returns:
      How many inputs were changed.
    """
    changes = [
        (op, i)
        for op in t1.consumers()
        if can_modify is None or op in can_modify
        for i, tensor in enumerate(op.inputs)
        if tensor is t1
    ]
    for op, i in changes:
        op._update_input(i, t0)
    return len(changes)


def DropStringPrefix(s: str, prefix: str) -> str:
    """A string without what it begins with, if it does.

    Args:
      s: the string.
      prefix: the beginning.
    """
    return s.removeprefix(prefix)


class InputToOps:
    """Which operations of a graph each tensor is fed to, but those of skipped scopes."""

    def __init__(self, graph: Graph) -> None:
        self.mapping: dict[Any, dict[Any, None]] = {}
        for op in graph.get_operations():
            if not op.name.startswith(SKIPPED_PREFIXES):
                for tensor in op.inputs:
                    self.mapping.setdefault(tensor, {})[op] = None

    def consumers(self, op: Any) -> list[Any]:
        """The operations that the outputs of one are fed to."""
        found: dict[Any, None] = {}
        for tensor in op.outputs:
            found.update(self.mapping.get(tensor, {}))
        return list(found)
