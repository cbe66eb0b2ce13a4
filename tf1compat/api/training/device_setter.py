"""Devices for replicated training (`tensorflow.python.training.device_setter`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training import server_lib
from tf1compat.core.device import DeviceSpec
from tf1compat.core.export import tf_export

# The operations that parameter servers hold.
STANDARD_PS_OPS = (
    "Variable", "VariableV2", "AutoReloadVariable", "MutableHashTable", "MutableHashTableV2",
    "MutableHashTableOfTensors", "MutableHashTableOfTensorsV2", "MutableDenseHashTable",
    "MutableDenseHashTableV2", "VarHandleOp", "BoostedTreesEnsembleResourceHandleOp",
    "BoostedTreesQuantileStreamResourceHandleOp", "ResourceConditionalAccumulator",
)  # fmt: skip


class _RoundRobinStrategy:
    """Deals operations out in turn."""

    def __init__(self, num_tasks: int):
        self._num_tasks = num_tasks
        self._next_task = 0

    def __call__(self, unused_op: Any) -> int:
        task = self._next_task
        self._next_task = (task + 1) % self._num_tasks
        return task


class _ReplicaDeviceChooser:
    """Says which device an operation goes to."""

    def __init__(
        self, ps_tasks: Any, ps_device: Any, worker_device: Any, merge_devices: Any, ps_ops: Any,
        ps_strategy: Any,
    ):  # fmt: skip
        self._ps_tasks = ps_tasks
        self._ps_device = ps_device
        self._worker_device = worker_device
        self._merge_devices = merge_devices
        self._ps_ops = ps_ops
        self._ps_strategy = ps_strategy

    def device_function(self, op: Any) -> str:
        """The device of an operation (or `NodeDef`)."""
        if not self._merge_devices and op.device:
            return op.device
        current = DeviceSpec.from_string(op.device or "")
        kind = op.type if hasattr(op, "type") else op.op
        if self._ps_tasks and self._ps_device and kind in self._ps_ops:
            ps = DeviceSpec.from_string(self._ps_device)
            if ps.job and (not current.job or current.job == ps.job):
                ps = ps.replace(task=self._ps_strategy(op))
            return ps.make_merged_spec(current).to_string()
        worker = DeviceSpec.from_string(self._worker_device or "")
        return worker.make_merged_spec(current).to_string()


@tf_export("train.replica_device_setter")
def replica_device_setter(
    ps_tasks: int = 0, ps_device: Any = "/job:ps", worker_device: Any = "/job:worker",
    merge_devices: bool = True, cluster: Any = None, ps_ops: Any = None, ps_strategy: Any = None,
) -> Callable[[Any], str] | None:  # fmt: skip
    """A function for `tf.device` that puts variables on parameter servers.

    Args:
      ps_tasks: the number of parameter servers; none is set without them.
      ps_device: their device.
      worker_device: the device of everything else.
      merge_devices: whether devices set otherwise are added to.
      cluster: a `ClusterSpec` or what makes one, in place of `ps_tasks`.
      ps_ops: the op types that parameter servers hold.
      ps_strategy: a function of an operation that gives the number of its server; in turn by
        default.

    Returns:
      The function; None without parameter servers.

    Raises:
      TypeError: `cluster` is none, or `ps_strategy` can't be called.
    """
    if cluster is not None:
        if not isinstance(cluster, server_lib.ClusterSpec):
            cluster = server_lib.ClusterSpec(cluster)
        spec = cluster.as_dict()
        job = DeviceSpec.from_string(ps_device).job
        if job not in spec or spec[job] is None:
            return None
        ps_tasks = len(spec[job])
    if ps_tasks == 0:
        return None
    if ps_ops is None:
        ps_ops = list(STANDARD_PS_OPS)
    if not merge_devices:
        logging.warning(
            "DEPRECATION: It is recommended to set merge_devices=true in replica_device_setter"
        )
    if ps_strategy is None:
        ps_strategy = _RoundRobinStrategy(ps_tasks)
    if not callable(ps_strategy):
        raise TypeError("ps_strategy must be callable")
    return _ReplicaDeviceChooser(
        ps_tasks, ps_device, worker_device, merge_devices, ps_ops, ps_strategy
    ).device_function
