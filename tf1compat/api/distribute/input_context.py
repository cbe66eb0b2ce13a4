"""What input functions are told about their part of the input."""

from __future__ import annotations

import enum

from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export


@tf_export("distribute.InputReplicationMode")
class InputReplicationMode(enum.Enum):
    """How often an input function is called: once for each worker."""

    PER_WORKER = "PER_WORKER"


@tf_export("distribute.InputContext")
class InputContext:
    """What an input function is told about its part of the input.

    Args:
      num_input_pipelines: how many pipelines there are.
      input_pipeline_id: which one this is.
      num_replicas_in_sync: how many replicas are fed.
    """

    def __init__(
        self, num_input_pipelines: int = 1, input_pipeline_id: int = 0,
        num_replicas_in_sync: int = 1,
    ):  # fmt: skip
        self._num_input_pipelines = num_input_pipelines
        self._input_pipeline_id = input_pipeline_id
        self._num_replicas_in_sync = num_replicas_in_sync

    num_replicas_in_sync: int = attribute("_num_replicas_in_sync", "How many replicas are fed.")
    input_pipeline_id: int = attribute("_input_pipeline_id", "Which of the pipelines this is.")
    num_input_pipelines: int = attribute("_num_input_pipelines", "How many pipelines there are.")

    def get_per_replica_batch_size(self, global_batch_size: int) -> int:
        """The share of one replica.

        Raises:
          ValueError: the batch can't be shared out evenly.
        """
        size, rest = divmod(global_batch_size, self._num_replicas_in_sync)
        if rest:
            raise ValueError(
                f"The `global_batch_size` {global_batch_size!r} is not divisible by "
                f"`num_replicas_in_sync` {self._num_replicas_in_sync!r} "
            )
        return size
