"""`tf.data.experimental.StatsAggregator`."""

from __future__ import annotations

import tempfile
from typing import Any

from tf1compat.api.summary import summary_ops_v2
from tf1compat.core import raw_ops
from tf1compat.core.export import tf_export


@tf_export("compat.v2.data.experimental.StatsAggregator")
class StatsAggregatorV2:
    """Writes statistics of pipelines to an event file in a temporary folder (as
    `tf.compat.v2.data.experimental.StatsAggregator` in TF 1.15)."""

    def __init__(self) -> None:
        self._resource = raw_ops.StatsAggregatorHandleV2()
        self._logdir = tempfile.mkdtemp()
        writer: Any = summary_ops_v2.create_file_writer_v2(self._logdir, max_queue=10)
        self._summary_writer = writer
        raw_ops.StatsAggregatorSetSummaryWriter(self._resource, writer._resource)


@tf_export("data.experimental.StatsAggregator")
class StatsAggregatorV1:
    """Gathers statistics of pipelines (as `tf.data.experimental.StatsAggregator` in TF 1.15)."""

    def __init__(self) -> None:
        self._resource = raw_ops.StatsAggregatorHandle()

    def get_summary(self) -> Any:
        """A string tensor with the statistics as a `Summary`."""
        return raw_ops.StatsAggregatorSummary(self._resource)
