"""`tf.data.experimental.StatsAggregator`."""

from __future__ import annotations

from typing import Any

from tf1compat.core import raw_ops
from tf1compat.core.export import tf_export


@tf_export("compat.v2.data.experimental.StatsAggregator")
class StatsAggregatorV2:
    """Not supported: it writes summaries of TF 2's kind."""

    def __init__(self) -> None:
        raise NotImplementedError(
            "tf.compat.v2.data.experimental.StatsAggregator is not supported by tf1compat yet"
        )


@tf_export("data.experimental.StatsAggregator")
class StatsAggregatorV1:
    """Gathers statistics of a pipeline (as `tf.data.experimental.StatsAggregator` in TF 1.15).

    It is recorded; running what gathers them is not supported.
    """

    def __init__(self) -> None:
        self._resource = raw_ops.StatsAggregatorHandle()

    def get_summary(self) -> Any:
        """A string tensor with the statistics as a `Summary`."""
        return raw_ops.StatsAggregatorSummary(self._resource)
