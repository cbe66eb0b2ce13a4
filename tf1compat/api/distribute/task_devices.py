"""The devices of a cluster's tasks, as MirroredStrategy groups them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api.distribute import multi_worker_util
from tf1compat.api.distribute.mirrored_strategy import _is_device_list_local
from tf1compat.core.device import DeviceSpec


def _cluster_spec_to_device_list(cluster_spec: Any, num_gpus_per_worker: int) -> list[str]:
    """The devices of all tasks: their GPUs, or the tasks if there are none.

    Args:
      cluster_spec: a cluster, in any of its forms.
      num_gpus_per_worker: how many GPUs each task has.
    """
    tasks = multi_worker_util.normalize_cluster_spec(cluster_spec).as_dict()
    gpus = [f"/device:GPU:{number}" for number in range(num_gpus_per_worker)] or [""]
    return [
        f"/job:{job}/task:{task}{gpu}"
        for job in ("chief", "worker")
        for task in range(len(tasks.get(job, ())))
        for gpu in gpus
    ]


def _group_device_list(devices: Sequence[str]) -> dict[str, list[list[str]]]:
    """The devices of each job, in a list for each of its tasks."""
    assert not _is_device_list_local(devices)
    groups: dict[Any, list[list[str]]] = {}
    for device in devices:
        spec = DeviceSpec.from_string(device)
        tasks = groups.setdefault(spec.job, [])
        tasks.extend([] for _ in range(len(tasks), (spec.task or 0) + 1))
        tasks[spec.task or 0].append(device)
    return groups


def _is_gpu_device(device: str) -> bool:
    return DeviceSpec.from_string(device).device_type == "GPU"


def _infer_num_gpus_per_worker(devices: Sequence[str]) -> int | None:
    """How many GPUs each task has.

    Raises:
      ValueError: they have not equally many, or the numbers of a task's are not 0, 1, …
    """
    if _is_device_list_local(devices):
        return sum(map(_is_gpu_device, devices))
    count = None
    for task in (task for tasks in _group_device_list(devices).values() for task in tasks):
        gpus = [device for device in task if _is_gpu_device(device)]
        if count not in (None, len(gpus)):
            raise ValueError("All workers should have the same number of GPUs.")
        count = len(gpus)
        if any((DeviceSpec.from_string(gpu).device_index or 0) >= count for gpu in gpus):
            raise ValueError(
                "GPU `device_index` on a worker should be consecutive and start from 0."
            )
    return count


def _cpu_device(device: str) -> str:
    """The CPU beside a device."""
    return DeviceSpec.from_string(device).replace(device_type="CPU", device_index=0).to_string()
