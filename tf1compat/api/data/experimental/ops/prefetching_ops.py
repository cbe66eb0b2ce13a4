"""`tf.data.experimental`: datasets for a device, statistics, and iterators in checkpoints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from tf1compat.api.data.ops import dataset_types
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export


def _refuse_device(device: Any) -> NoReturn:
    raise NotImplementedError(
        f"tf.data.experimental.copy_to_device({device!r}) is not supported by tf1compat yet: "
        "batches are moved to the accelerator when a run needs them; use Dataset.prefetch"
    )


@tf_export("data.experimental.prefetch_to_device")
def prefetch_to_device(device: Any, buffer_size: Any = None) -> Callable[[Any], Any]:
    """A transformation that makes elements ahead of time on a device: not supported."""
    return lambda dataset: dataset.apply(copy_to_device(device)).prefetch(buffer_size)


@tf_export("data.experimental.copy_to_device")
def copy_to_device(target_device: Any, source_device: Any = "/cpu:0") -> Callable[[Any], Any]:
    """A transformation that moves elements to a device: not supported."""
    return lambda dataset: _refuse_device(target_device)


class _StatsDataset(dataset_types.UnaryUnchangedStructureDataset):
    """A dataset of which statistics are gathered."""

    def __init__(self, input_dataset: Any, op_function: Any, tag: Any):
        self._input_dataset = input_dataset
        tag = ops.convert_to_tensor(tag, dtype=dtypes.string)
        variant = op_function(input_dataset._variant_tensor, tag, **self._flat_structure)
        super().__init__(input_dataset, variant)


@tf_export("data.experimental.bytes_produced_stats")
def bytes_produced_stats(tag: Any) -> Callable[[Any], Any]:
    """A transformation that counts bytes: recorded."""
    return lambda dataset: _StatsDataset(dataset, raw_ops.BytesProducedStatsDataset, tag)


@tf_export("data.experimental.latency_stats")
def latency_stats(tag: Any) -> Callable[[Any], Any]:
    """A transformation that measures times: recorded."""
    return lambda dataset: _StatsDataset(dataset, raw_ops.LatencyStatsDataset, tag)
