"""The options of a session (`ConfigProto`) and of a run (`RunOptions`): none is dropped in silence.

What becomes of each is in `option_table.py`.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import warnings
from typing import Any

from tf1compat.core import errors
from tf1compat.runtime.option_table import (
    NO_MEANING,
    NOT_IN_TF1,
    RAISES,
    SECTIONS,
    WARNS,
)

_warned: set[str] = set()

_OFF = 2  # RewriterConfig.OFF
_EXECUTORS = ("SINGLE_THREADED_EXECUTOR", "", "DEFAULT")


def check(message: Any) -> None:
    """Looks at the options that are set, and at those in them.

    Raises:
      NotImplementedError: one asks for what there is not here.
      ValueError: one is of a later version of TensorFlow.
    """
    section = message.DESCRIPTOR.full_name.partition(".")[2]
    for field, value in message.ListFields():
        kind, why = SECTIONS[section][field.name]
        name = f"{section}.{field.name}"
        if kind == NOT_IN_TF1:
            raise ValueError(f'Protocol message {section} has no "{field.name}" field.')
        if kind == RAISES:
            raise NotImplementedError(f"{name} is not supported by tf1compat: {why}")
        if kind == WARNS:
            if field.enum_type is None or field.enum_type.values_by_number[value].name != "OFF":
                warn_once(name, f"{name} has no effect in tf1compat: {why}")
        elif kind != NO_MEANING and hasattr(value, "DESCRIPTOR"):
            if value.DESCRIPTOR.full_name.partition(".")[2] in SECTIONS:
                check(value)


def warn_once(name: str, text: str) -> None:
    """Warns of an option, once in a process."""
    if name not in _warned:
        _warned.add(name)
        level, frame = 1, sys._getframe()
        while frame is not None and frame.f_globals.get("__name__", "").startswith("tf1compat."):
            level, frame = level + 1, frame.f_back
        warnings.warn(text, stacklevel=level)


def check_config(config: Any) -> None:
    """Looks at the options of a session, and sets up GPUs as they say if JAX has not done it yet.

    Raises:
      NotImplementedError, ValueError: see `check`.
      NotFoundError: there is no such executor, or there is to be no CPU.
    """
    check(config)
    if "CPU" in config.device_count and config.device_count["CPU"] < 1:
        raise errors.NotFoundError(None, None, "No CPU devices are available in this process")
    if config.experimental.executor_type not in _EXECUTORS:
        raise errors.NotFoundError(
            None,
            None,
            "No executor factory registered for the given executor type: "
            f"{config.experimental.executor_type} Registered factories are "
            f"{{{', '.join(_EXECUTORS)}}}.",
        )
    if config.HasField("gpu_options"):
        _set_up_gpus(config.gpu_options)
    if "GPU" in config.device_count and config.device_count["GPU"] < 1:
        _hide_gpus()


def check_run(options: Any, config: Any) -> None:
    """Looks at the options of a run.

    Raises:
      NotImplementedError, ValueError: see `check`.
      InvalidArgumentError: there is no such thread pool.
    """
    check(options)
    pools = 1 if config is None else max(len(config.session_inter_op_thread_pool), 1)
    if not -1 <= options.inter_op_thread_pool < pools:
        raise errors.InvalidArgumentError(
            None, None, f"Invalid inter_op_thread_pool: {options.inter_op_thread_pool}"
        )


def computes_all(config: Any) -> bool:
    """Whether a session's programs compute what nobody reads, too."""
    if config is None:
        return False
    rewrites = config.graph_options.rewrite_options
    return rewrites.disable_meta_optimizer or rewrites.dependency_optimization == _OFF


# ---- GPUs ----------

# The variables of the environment that were set here, and what CUDA showed before.
_set: dict[str, str] = {}
_shown: str | None = None
_CUDA = "CUDA_VISIBLE_DEVICES"


def _set_up_gpus(options: Any) -> None:
    """Tells JAX's client by its variables of the environment; those that users set stay."""
    if options.allow_growth:
        _tell("allow_growth", "XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    if options.per_process_gpu_memory_fraction > 0:
        fraction = f"{options.per_process_gpu_memory_fraction:g}"
        _tell("per_process_gpu_memory_fraction", "XLA_PYTHON_CLIENT_MEM_FRACTION", fraction)
    if options.visible_device_list:
        _tell("visible_device_list", _CUDA, _visible(options.visible_device_list))


def _hide_gpus() -> None:
    """Keeps JAX from starting GPUs, for the whole process."""
    import jax

    if _is_started():
        if _has_gpus():
            warn_once(
                "device_count",
                "ConfigProto.device_count comes too late to hide the GPU: JAX has started it "
                "already, and the session computes on it. Make the session before anything is "
                "computed, or set JAX_PLATFORMS=cpu before Python starts.",
            )
    elif importlib.util.find_spec("libtpu") is None:  # else it is not GPUs that are used
        jax.config.update("jax_platforms", "cpu")


def _tell(option: str, variable: str, value: str) -> None:
    found = os.environ.get(variable)
    if found == value:
        return
    if _is_started():
        if _has_gpus():
            warn_once(
                option,
                f"GPUOptions.{option} comes too late: JAX has started the GPU already. Make the "
                f"session before anything is computed, or set {variable}={value} before Python "
                "starts.",
            )
    elif variable == _CUDA or found == _set.get(variable):
        os.environ[variable] = _set[variable] = value


def _visible(devices: str) -> str:
    """`visible_device_list` in CUDA's numbers: it counts among the devices that CUDA shows."""
    global _shown
    found = os.environ.get(_CUDA)
    if found is None or found != _set.get(_CUDA):
        _shown = found
    numbers = [part.strip() for part in devices.split(",")]
    if not _shown:
        return ",".join(numbers)
    shown = _shown.split(",")
    if not all(number.isdigit() and int(number) < len(shown) for number in numbers):
        raise errors.InvalidArgumentError(
            None, None, f"Invalid device in 'visible_device_list' = {devices}"
        )
    return ",".join(shown[int(number)] for number in numbers)


def _is_started() -> bool:
    """Whether JAX has started its devices."""
    from jax._src import xla_bridge  # JAX has no public name for this question

    return xla_bridge.backends_are_initialized()


def _has_gpus() -> bool:
    import jax

    return any(device.platform == "gpu" for device in jax.local_devices())
