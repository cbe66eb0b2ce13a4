"""Models on several GPUs (`tensorflow.python.keras.utils.multi_gpu_utils`)."""

from __future__ import annotations

import collections
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.keras import backend
from tf1compat.api.keras.engine.training import Model
from tf1compat.api.keras.layers.merge import concatenate
from tf1compat.api.keras.layers.reshaping import Lambda
from tf1compat.api.keras.models import clone_model
from tf1compat.core import ops
from tf1compat.core.export import tf_export


def _get_available_devices() -> list[str]:
    return [device.name for device in backend.get_session().list_devices()]


def _normalize_device_name(name: str) -> str:
    """E.g. "/gpu:0" for a full name."""
    return "/" + name.lower().split("device:")[1]


@tf_export("keras.utils.multi_gpu_model")
def multi_gpu_model(
    model: Any, gpus: Any, cpu_merge: bool = True, cpu_relocation: bool = False
) -> Any:
    """A model that gives each of several GPUs a part of the batch.

    Args:
      model: the model that all of them run.
      gpus: how many GPUs, or a list of their numbers.
      cpu_merge: whether the results are joined on the CPU, or else on the first GPU.
      cpu_relocation: whether the model is made again with its variables on the CPU.

    Returns:
      A `tf.keras.Model` that shares the weights of `model`.

    Raises:
      ValueError: fewer than two GPUs are asked for, or some are not there.
    """
    listed = isinstance(gpus, list | tuple)
    if (len(gpus) if listed else gpus) <= 1:
        what = "len(gpus)" if listed else "gpus"
        raise ValueError(
            "For multi-gpu usage to be effective, call `multi_gpu_model` with "
            f"`{what} >= 2`. Received: `gpus={gpus}`"
        )
    numbers = gpus if listed else range(gpus)
    wanted = ["/cpu:0", *(f"/gpu:{number}" for number in numbers)]
    available = [_normalize_device_name(name) for name in _get_available_devices()]
    if not set(wanted) <= set(available):
        raise ValueError(
            f"To call `multi_gpu_model` with `gpus={gpus}`, we expect the following devices to be "
            f"available: {wanted}. However this machine only has: {available}. Try reducing `gpus`."
        )
    if cpu_relocation:
        with ops.device("/cpu:0"):
            model = clone_model(model)
    replicas = []
    for i, number in enumerate(numbers):
        with ops.device(f"/gpu:{number}"), backend.name_scope(f"replica_{number}"):
            arguments = {"i": i, "parts": len(numbers)}
            parts = [
                Lambda(_part, output_shape=tuple(x.shape.as_list())[1:], arguments=arguments)(x)
                for x in model.inputs
            ]
            outputs = model(parts)
            replicas.append(outputs if isinstance(outputs, list) else [outputs])
    with ops.device("/cpu:0" if cpu_merge else f"/gpu:{numbers[0]}"):
        merged = [
            concatenate(list(outputs), axis=0, name=name)
            for name, outputs in zip(_distinct(model.output_names), zip(*replicas), strict=True)
        ]
        return Model(model.inputs, merged)


def _part(data: Any, i: int, parts: int) -> Any:
    """One of the parts of a batch; the last one has what is left over."""
    shape = array_ops.shape(data)
    batch, rest = shape[:1], shape[1:]
    step = batch // parts
    size = array_ops.concat([batch - step * i if i == parts - 1 else step, rest], axis=0)
    stride = array_ops.concat([step, rest * 0], axis=0)
    return array_ops.slice(data, stride * i, size)


def _distinct(names: list[str]) -> list[str]:
    """Names, with numbers after those that come more than once."""
    counts, seen = collections.Counter(names), collections.Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(f"{name}_{seen[name]}" if counts[name] > 1 else name)
    return found
