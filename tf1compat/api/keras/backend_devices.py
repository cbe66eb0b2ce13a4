"""The part of `tf.keras.backend` that looks at devices, and at what they take."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.core import export, ops
from tf1compat.core.device import DeviceSpec


def _get_available_gpus() -> list[str]:
    """The names of the GPUs."""
    return [gpu.name for gpu in export.find("config.experimental.list_logical_devices")("GPU")]


def _get_current_tf_device() -> DeviceSpec:
    """The device that an operation would have that is recorded now."""
    return DeviceSpec.from_string(ops.get_default_graph().current_device())


def _is_current_explicit_device(device_type: str) -> bool:
    """Whether that is a device of a kind.

    Args:
      device_type: "CPU" or "GPU".

    Raises:
      ValueError: it is neither.
    """
    if device_type.upper() not in ("CPU", "GPU"):
        raise ValueError('`device_type` should be either "CPU" or "GPU".')
    return _get_current_tf_device().device_type == device_type.upper()


def _has_nchw_support() -> bool:
    """Whether TF would have kernels here for images whose channels come first."""
    return not _is_current_explicit_device("CPU") and bool(_get_available_gpus())


def _channels(
    x: Any, data_format: str, sizes: str, force_transpose: bool = False
) -> tuple[Any, str]:
    """Images, and how an operation is told of their channels, which come last if they have to.

    Args:
      x: [batch, …, channels], or channels second for "channels_first".
      data_format: "channels_last" or "channels_first".
      sizes: a letter for each dimension between the batch and the channels.
      force_transpose: have them come last in any case.
    """
    if data_format != "channels_first":
        return x, f"N{sizes}C"
    if _has_nchw_support() and not force_transpose:
        return x, f"NC{sizes}"
    return array_ops.transpose(x, (0, *range(2, len(sizes) + 2), 1)), f"N{sizes}C"


def _preprocess_conv1d_input(x: Any, data_format: str) -> tuple[Any, str]:
    """Series for a convolution; see `_channels`."""
    return _channels(x, data_format, "W")


def _preprocess_conv2d_input(
    x: Any, data_format: str, force_transpose: bool = False
) -> tuple[Any, str]:
    """Images for a convolution; see `_channels`."""
    return _channels(x, data_format, "HW", force_transpose)


def _preprocess_conv3d_input(x: Any, data_format: str) -> tuple[Any, str]:
    """Volumes for a convolution; see `_channels`."""
    return _channels(x, data_format, "DHW")


def _to_tensor(x: Any, dtype: Any) -> ops.Tensor:
    """A tensor of a dtype."""
    return ops.convert_to_tensor(x, dtype=dtype)


def _constant_to_tensor(x: Any, dtype: Any) -> ops.Tensor:
    """A constant of a dtype."""
    return constant_op.constant(x, dtype=dtype)
