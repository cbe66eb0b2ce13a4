"""The devices of this machine under TF's names: `tensorflow.python.client.device_lib`."""

from __future__ import annotations

import dataclasses
from typing import Any

import jax

from tf1compat.core import context
from tf1compat.core.export import tf_export

_CPU_MEMORY = 256 * 2**20
_XLA_MEMORY = 16 * 2**30  # what TF says of every device of XLA's


@dataclasses.dataclass
class DeviceAttributes:
    """One device, with the fields of TF's DeviceAttributes message that programs read."""

    name: str
    device_type: str
    memory_limit: int
    physical_device_desc: str
    incarnation: int = 0


def devices_of(session_config: Any) -> list[DeviceAttributes]:
    """The devices of a session, or of eager execution if there is no `ConfigProto`."""
    return _devices(session_config, context.cpus if session_config is None else 1)


def list_local_devices(session_config: Any = None) -> list[DeviceAttributes]:
    """The CPU and the accelerators that JAX sees, and XLA's names for them.

    Args:
      session_config: a ConfigProto, whose `device_count` says how many CPUs there are to be, and
        how many of the accelerators, or None.

    Returns:
      The devices in TF's order. Several CPUs are one, under several names.
    """
    return _devices(session_config, 1)


def _devices(session_config: Any, cpus: int) -> list[DeviceAttributes]:
    """See `list_local_devices`; `cpus` is how many there are where nothing says it."""
    counts = {} if session_config is None else session_config.device_count
    cpus = counts.get("CPU", cpus)
    found = [DeviceAttributes(f"/device:CPU:{i}", "CPU", _CPU_MEMORY, "") for i in range(cpus)]
    accelerators: list[DeviceAttributes] = []
    for device in jax.local_devices():
        kind = device.platform.upper()
        if kind != "CPU":
            index = sum(other.device_type == kind for other in accelerators)
            if kind not in counts or index < counts[kind]:
                accelerators.append(_accelerator(device, kind, index))
    gpus = [device for device in accelerators if device.device_type == "GPU"]
    found += [_of_xla("GPU", i) for i in range(len(gpus))]
    return [*found, _of_xla("CPU", 0), *accelerators]


def _accelerator(device: Any, kind: str, index: int) -> DeviceAttributes:
    statistics = device.memory_stats() or {}
    description = f"device: {index}, name: {device.device_kind}"
    capability = getattr(device, "compute_capability", None)
    if capability is not None:
        description += f", compute capability: {capability}"
    limit = statistics.get("bytes_limit", 0)
    return DeviceAttributes(f"/device:{kind}:{index}", kind, limit, description)


def _of_xla(kind: str, index: int) -> DeviceAttributes:
    kind = f"XLA_{kind}"
    return DeviceAttributes(f"/device:{kind}:{index}", kind, _XLA_MEMORY, f"device: {kind} device")


@tf_export("test.gpu_device_name")
def gpu_device_name() -> str:
    """The name of the first GPU, or ""."""
    return next((d.name for d in list_local_devices() if d.device_type == "GPU"), "")


@tf_export("test.is_gpu_available")
def is_gpu_available(
    cuda_only: bool = False, min_cuda_compute_capability: tuple[int, int] | None = None
) -> bool:
    """Whether there is a GPU (of at least a compute capability, e.g. (7, 0)).

    Args:
      cuda_only: whether it must be one of CUDA.
        min_cuda_compute_capability: (major, minor) that it must have at least; None for any.

    Returns:
      A bool.
    """
    for device in list_local_devices():
        if device.device_type != "GPU":
            continue
        capability = device.physical_device_desc.rpartition("compute capability: ")[2]
        numbers = tuple(int(part) for part in capability.split(".") if part.isdigit())
        if min_cuda_compute_capability is None or numbers >= tuple(min_cuda_compute_capability):
            return True
    return False


@tf_export("test.is_built_with_cuda")
def is_built_with_cuda() -> bool:
    """Whether there is an NVIDIA GPU that JAX can use."""
    return any("cuda" in str(device.client.platform_version) for device in _gpus())


@tf_export("test.is_built_with_rocm")
def is_built_with_rocm() -> bool:
    """Whether there is an AMD GPU that JAX can use."""
    return any("rocm" in str(device.client.platform_version) for device in _gpus())


@tf_export("test.is_built_with_gpu_support")
def is_built_with_gpu_support() -> bool:
    """Whether there is a GPU that JAX can use."""
    return bool(_gpus())


def _gpus() -> list[Any]:
    return [device for device in jax.local_devices() if device.platform == "gpu"]
