"""`tf.config`: the devices that there are, and settings of the runtime.

XLA plans threads, memory and rewrites itself; a setting is kept and given back. Where it asks for
what then does not happen, that is said once (see `options.py`).
"""

from __future__ import annotations

import collections
import functools
import os
from collections.abc import Iterable
from typing import Any

from tf1compat.core import context, errors, protos
from tf1compat.core.export import tf_export
from tf1compat.runtime import options as option_lib
from tf1compat.runtime.cluster import eager_tasks
from tf1compat.runtime.device_lib import list_local_devices
from tf1compat.runtime.devices import device_attributes

PhysicalDevice = collections.namedtuple("PhysicalDevice", ["name", "device_type"])
LogicalDevice = collections.namedtuple("LogicalDevice", ["name", "device_type"])

# The rewrites of a graph that can be switched, and those that are always given back.
_TOGGLES = (
    "layout_optimizer",
    "constant_folding",
    "shape_optimization",
    "remapping",
    "arithmetic_optimization",
    "dependency_optimization",
    "loop_optimization",
    "function_optimization",
    "debug_stripper",
    "scoped_allocator_optimization",
    "pin_to_host_optimization",
    "implementation_selector",
    "auto_mixed_precision",
)
_FLAGS = ("disable_model_pruning", "disable_meta_optimizer")
_POLICIES = ("silent", "silent_for_int32", "warn", "explicit")


class _Settings:
    """What the functions below set, with TF's defaults."""

    def __init__(self) -> None:
        # None: nothing was said, so that the default, too, is said too late once it is settled.
        self.intra_op_threads: int | None = None
        self.inter_op_threads: int | None = None
        self.jit = False
        self.optimizer: dict[str, Any] = {}
        self.soft_placement: bool | None = None  # As the mode of execution says.
        self.log_placement: bool | None = None
        self.policy = "silent"
        self.synchronous = True
        self.memory_growth: dict[Any, bool] = {}
        self.virtual: dict[Any, list[Any]] = {}
        self.visible: list[Any] | None = None


_settings = _Settings()


def _refuse_late(text: str) -> None:
    """Refuses what is settled once eager execution has begun, or devices were listed."""
    if context.eager_began:
        raise RuntimeError(text)


# ---- Threads, rewrites, placement ----------


@tf_export("config.threading.get_intra_op_parallelism_threads")
def get_intra_op_parallelism_threads() -> int:
    """How many threads one operation may use; 0 leaves it to the system."""
    return _settings.intra_op_threads or 0


@tf_export("config.threading.set_intra_op_parallelism_threads")
def set_intra_op_parallelism_threads(num_threads: int) -> None:
    """Says how many threads one operation may use. XLA decides for itself.

    Args:
      num_threads: how many; 0 leaves it to the runtime.

    Raises:
      RuntimeError: eager execution has begun, or devices were listed.
    """
    if num_threads != _settings.intra_op_threads:
        _refuse_late("Intra op parallelism cannot be modified after initialization.")
    _settings.intra_op_threads = num_threads


@tf_export("config.threading.get_inter_op_parallelism_threads")
def get_inter_op_parallelism_threads() -> int:
    """How many operations may run at once; 0 leaves it to the system."""
    return _settings.inter_op_threads or 0


@tf_export("config.threading.set_inter_op_parallelism_threads")
def set_inter_op_parallelism_threads(num_threads: int) -> None:
    """Says how many operations may run at once. XLA decides for itself.

    Args:
      num_threads: how many; 0 leaves it to the runtime.

    Raises:
      RuntimeError: eager execution has begun, or devices were listed.
    """
    if num_threads != _settings.inter_op_threads:
        _refuse_late("Inter op parallelism cannot be modified after initialization.")
    _settings.inter_op_threads = num_threads


@tf_export("config.optimizer.get_jit")
def get_optimizer_jit() -> bool:
    """Whether `set_jit` asked for just-in-time compilation. Everything is compiled in any case."""
    return _settings.jit


@tf_export("config.optimizer.set_jit")
def set_optimizer_jit(enabled: bool) -> None:
    """Asks for just-in-time compilation. Everything is compiled in any case.

    Args:
      enabled: whether it is asked for.
    """
    _settings.jit = enabled


@tf_export("config.optimizer.get_experimental_options")
def get_optimizer_experimental_options() -> dict[str, Any]:
    """The rewrites of graphs that are set, by name, as in TF 1.15."""
    options = {name: _settings.optimizer[name] for name in _TOGGLES if name in _settings.optimizer}
    options.update({name: _settings.optimizer.get(name, False) for name in _FLAGS})
    if _settings.optimizer.get("min_graph_nodes"):
        options["min_graph_nodes"] = _settings.optimizer["min_graph_nodes"]
    return options


@tf_export("config.optimizer.set_experimental_options")
def set_optimizer_experimental_options(options: dict[str, Any]) -> None:
    """Sets rewrites of graphs by name. XLA decides for itself what it rewrites.

    Args:
      options: {name of a rewrite: whether it is wanted}, as in TF 1.15.
    """
    rewriter = protos.load("rewriter_config_pb2", "RewriterConfig")
    wanted = {name: rewriter.ON for name in _TOGGLES if options.get(name)}
    option_lib.check(rewriter(**wanted))
    _settings.optimizer.update(options)


@tf_export("config.get_soft_device_placement")
def get_soft_device_placement() -> bool:
    """Whether `set_soft_device_placement` is on, which it is by default in eager execution."""
    set_to = _settings.soft_placement
    return context.executing_eagerly() if set_to is None else set_to


@tf_export("config.set_soft_device_placement")
def set_soft_device_placement(enabled: bool) -> None:
    """Says whether an operation may run elsewhere than its device says.

    Args:
      enabled: whether it may.
    """
    _settings.soft_placement = enabled


@tf_export("debugging.get_log_device_placement")
def get_log_device_placement() -> bool:
    """Whether `set_log_device_placement` is on."""
    return bool(_settings.log_placement)


@tf_export("debugging.set_log_device_placement")
def set_log_device_placement(enabled: bool) -> None:
    """Says whether eager operations log their devices. They do not: that is said once.

    Args:
      enabled: whether they are to.

    Raises:
      RuntimeError: eager execution has begun, or devices were listed.
    """
    if enabled != _settings.log_placement:
        _refuse_late("Device placement logging must be set at program startup")
    if enabled:
        option_lib.warn_once(
            "set_log_device_placement",
            "tf.debugging.set_log_device_placement has no effect in tf1compat: eager operations "
            "all run on one device",
        )
    _settings.log_placement = enabled


@tf_export("config.experimental.get_device_policy")
def get_device_policy() -> str:
    """What eager operations do about inputs of another device."""
    return _settings.policy


@tf_export("config.experimental.set_device_policy")
def set_device_policy(device_policy: str | None) -> None:
    """Says what eager operations do about inputs of another device.

    Args:
      device_policy: "silent", "silent_for_int32", "warn" or "explicit"; None for the default.

    Raises:
      ValueError: there is no such policy.
    """
    if device_policy is not None and device_policy not in _POLICIES:
        raise ValueError(f"Not a valid device policy: {device_policy!r}")
    _settings.policy = device_policy or "silent"


@tf_export("config.experimental.get_synchronous_execution")
def get_synchronous_execution() -> bool:
    """Whether eager operations are run one after the other."""
    return _settings.synchronous


@tf_export("config.experimental.set_synchronous_execution")
def set_synchronous_execution(enable: bool | None) -> None:
    """Says whether eager operations are run one after the other.

    Args:
      enable: whether they are; None for the default.
    """
    _settings.synchronous = enable is None or bool(enable)


# ---- Devices ----------


@functools.cache
def _physical_devices() -> list[Any]:
    return [
        PhysicalDevice(device.name.replace("/device:", "/physical_device:"), device.device_type)
        for device in list_local_devices()
    ]


def _known(device: Any) -> Any:
    if device not in _physical_devices():
        raise ValueError(f"Unrecognized device: {device!r}")
    return device


def _of_type(devices: Iterable[Any], device_type: str | None) -> list[Any]:
    return [d for d in devices if device_type is None or d.device_type == device_type]


@tf_export("config.experimental.list_physical_devices")
def list_physical_devices(device_type: str | None = None) -> list[Any]:
    """The devices of this machine.

    Args:
      device_type: only these, e.g. "GPU"; None for all.

    Returns:
      A list of named tuples of `name` and `device_type`.
    """
    return _of_type(_physical_devices(), device_type)


@tf_export("config.experimental.list_logical_devices")
def list_logical_devices(device_type: str | None = None) -> list[Any]:
    """The devices that operations can be placed on; see `list_physical_devices`. They are settled
    then.

    Args:
      device_type: only these, e.g. "GPU"; None for all.

    Returns:
      A list of named tuples of `name` and `device_type`.

    Raises:
      NotFoundError: `set_visible_devices` left no CPU.
    """
    _settle()
    found = {d.name: d.device_type for d in device_attributes()} | eager_tasks.devices()
    return _of_type([LogicalDevice(name, kind) for name, kind in found.items()], device_type)


@tf_export("config.experimental_list_devices")
def experimental_list_devices() -> list[str]:
    """The full names of the devices that operations can be placed on.

    Raises:
      NotFoundError: `set_visible_devices` left no CPU.
    """
    return [device.name for device in list_logical_devices()]


def _settle() -> None:
    if all(_settings.virtual.get(cpu) == [] for cpu in get_visible_devices("CPU")):
        raise errors.NotFoundError(None, None, "No CPU devices are available in this process")
    context.eager_began = True


@tf_export("config.experimental.get_visible_devices")
def get_visible_devices(device_type: str | None = None) -> list[Any]:
    """The devices that the program is to use: what `set_visible_devices` said, else all but XLA's
    names for them.

    Args:
      device_type: only these, e.g. "GPU"; None for all.

    Returns:
      A list of `PhysicalDevice`s.
    """
    visible = _settings.visible
    if visible is None:
        visible = [d for d in _physical_devices() if not d.device_type.startswith("XLA")]
    return _of_type(visible, device_type)


@tf_export("config.experimental.set_visible_devices")
def set_visible_devices(devices: Any, device_type: str | None = None) -> None:
    """Says which devices the program is to use. JAX has chosen already: to hide a GPU comes too
    late, which is said once.

    Args:
      devices: a device or a list of devices.
      device_type: the type of which only these are to be used; None for all types.

    Raises:
      ValueError: there is no such device, or it is of another type.
      RuntimeError: eager execution has begun, or devices were listed.
    """
    chosen = devices if isinstance(devices, list) else [devices]
    for device in chosen:
        if device_type not in (None, _known(device).device_type):
            raise ValueError(f"Unrecognized device: {device!r}")
    others = [d for d in get_visible_devices() if device_type not in (None, d.device_type)]
    if others + chosen == get_visible_devices():
        return
    _refuse_late("Visible devices cannot be modified after being initialized")
    _settings.visible = others + chosen
    gpus = _of_type(_physical_devices(), "GPU")
    if any(gpu not in _settings.visible for gpu in gpus):
        option_lib.warn_once(
            "set_visible_devices",
            "tf.config.experimental.set_visible_devices comes too late: JAX has started the GPUs "
            "already. Set CUDA_VISIBLE_DEVICES before Python starts.",
        )


@tf_export("config.experimental.get_memory_growth")
def get_memory_growth(device: Any) -> bool:
    """Whether `set_memory_growth` is on for a device.

    Args:
      device: one of `list_physical_devices()`.

    Returns:
      A bool.

    Raises:
      ValueError: there is no such device.
      KeyError: it is not a GPU.
    """
    if _known(device).device_type != "GPU":
        raise KeyError(device)
    return _settings.memory_growth.get(device, False)


@tf_export("config.experimental.set_memory_growth")
def set_memory_growth(device: Any, enable: bool) -> None:
    """Says whether a GPU's memory is taken bit by bit. JAX has set that up already, which is said
    once.

    Args:
      device: one of `list_physical_devices()`.
      enable: whether it is.

    Raises:
      ValueError: there is no such device, or it is not a GPU, or it has virtual devices.
      RuntimeError: eager execution has begun, or devices were listed.
    """
    if _known(device) in _settings.virtual:
        raise ValueError("Cannot set memory growth on device when virtual devices configured")
    if device.device_type != "GPU":
        raise ValueError("Cannot set memory growth on non-GPU devices")
    if _settings.memory_growth.get(device) != enable:
        _refuse_late("Physical devices cannot be modified after being initialized")
    if enable and os.environ.get("XLA_PYTHON_CLIENT_PREALLOCATE") != "false":
        option_lib.warn_once(
            "set_memory_growth",
            "tf.config.experimental.set_memory_growth comes too late: JAX has started the GPU "
            "already. Set XLA_PYTHON_CLIENT_PREALLOCATE=false before Python starts.",
        )
    _settings.memory_growth[device] = enable


@tf_export("config.experimental.VirtualDeviceConfiguration")
class VirtualDeviceConfiguration(
    collections.namedtuple("VirtualDeviceConfiguration", ["memory_limit"])
):
    """A part of a device: how many megabytes of its memory."""

    def __new__(cls, memory_limit: int | None = None) -> VirtualDeviceConfiguration:
        return super().__new__(cls, memory_limit)


@tf_export("config.experimental.get_virtual_device_configuration")
def get_virtual_device_configuration(device: Any) -> list[Any] | None:
    """What `set_virtual_device_configuration` said of a device, or None.

    Args:
      device: one of `list_physical_devices()`.

    Returns:
      A list of `VirtualDeviceConfiguration`, or None.
    """
    return _settings.virtual.get(_known(device))


@tf_export("config.experimental.set_virtual_device_configuration")
def set_virtual_device_configuration(device: Any, virtual_devices: list[Any]) -> None:
    """Says how a device is divided: a CPU into several, which are names of the one there is.

    Args:
      device: one of `list_physical_devices()`.
      virtual_devices: a list of `VirtualDeviceConfiguration`.

    Raises:
      ValueError: as in TF 1.15, for a device or a limit that can't be.
      RuntimeError: eager execution has begun, or devices were listed.
      NotImplementedError: a GPU, of which JAX has set up the memory already.
    """
    limits = [part.memory_limit for part in virtual_devices]
    kind = _known(device).device_type
    if kind == "CPU" and any(limit is not None for limit in limits):
        raise ValueError("Setting memory limit on CPU virtual devices is currently not supported")
    if kind != "CPU" and None in limits:
        raise ValueError("Setting memory limit is required for GPU virtual devices is")
    if _settings.virtual.get(device) == virtual_devices:
        return
    _refuse_late("Virtual devices cannot be modified after being initialized")
    if kind == "GPU":
        raise NotImplementedError(
            "tf.config.experimental.set_virtual_device_configuration of a GPU is not supported by "
            "tf1compat: a GPU is one device, with all of its memory"
        )
    if kind == "CPU":
        context.cpus = max(len(virtual_devices), 1)
    _settings.virtual[device] = virtual_devices
