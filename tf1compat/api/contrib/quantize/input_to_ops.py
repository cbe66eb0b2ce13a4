"""What takes which tensor (`tensorflow.contrib.quantize.python.input_to_ops`)."""

from __future__ import annotations

import collections
from typing import Any

from tf1compat.api.contrib.quantize import common


class InputToOps:
    """The operations that take each tensor of a graph, as it was when this was made.

    Those of gradients, of some optimizers and of summaries are left out.

    Args:
      graph: the graph.
    """

    def __init__(self, graph: Any):
        self.mapping: dict[Any, set[Any]] = collections.defaultdict(set)
        for op in graph.get_operations():
            if not op.name.startswith(common.SKIPPED_PREFIXES):
                for tensor in op.inputs:
                    self.mapping[tensor].add(op)

    def ConsumerOperations(self, producer_op: Any) -> set[Any]:
        """The operations that take an output of one.

        Args:
          producer_op: the operation.
        """
        return {taker for tensor in producer_op.outputs for taker in self.mapping[tensor]}
