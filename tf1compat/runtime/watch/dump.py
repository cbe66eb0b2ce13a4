"""The debugger's files: a folder for each device, and one tensor a file, an `Event`."""

from __future__ import annotations

import json
import os
import threading
import time
from typing import Any

import numpy as np

from tf1compat.core import dtypes, protos
from tf1compat.runtime.resource_handles import serialized_handle

_PREFIX = "_tfdbg_"
_HANDLE = dtypes.resource
_lock = threading.Lock()
_newest = 0


def _now() -> int:
    """Microseconds, never the same twice: what was computed first has the smaller number."""
    global _newest
    with _lock:
        _newest = max(_newest + 1, int(time.time() * 1e6))
        return _newest


def _event(micros: int) -> Any:
    return protos.load("event_pb2", "Event")(wall_time=float(micros))


def _write(path: str, event: Any) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(event.SerializeToString())


def device_folder(root: str, device: str) -> str:
    """Where what a device computes lies below the root of a dump."""
    return os.path.join(root, f"{_PREFIX}device_{device.replace(':', '_').replace('/', ',')}")


def write_metadata(root: str, run: int, **facts: Any) -> None:
    """Writes what run this is.

    Args:
      root: the dump's folder.
      run: the number of the run in this process.
      **facts: what it consists of: see `debug_data.DebugDumpDir.core_metadata`.
    """
    micros = _now()
    event = _event(micros)
    event.log_message.message = json.dumps(facts, separators=(",", ":"))
    _write(os.path.join(root, f"{_PREFIX}core_metadata_sessionrun{run:014d}_{micros}"), event)


def write_graph(root: str, device: str, graph_def: Any) -> None:
    """Writes the graph of a device's operations."""
    micros = _now()
    event = _event(micros)
    event.graph_def = graph_def.SerializeToString(deterministic=True)
    name = f"{_PREFIX}graph_hash{hash(event.graph_def) & (1 << 64) - 1}_{micros}"
    _write(os.path.join(device_folder(root, device), name), event)


def write_tensor(root: str, device: str, node: str, slot: int, debug_op: str, tensor: Any) -> None:
    """Writes one tensor.

    Args:
      root: the dump's folder.
      device: the device that computed it.
      node, slot: the watched output.
      debug_op: the type of the debug op.
      tensor: what that gave: a `TensorProto`.
    """
    micros = _now()
    event = _event(micros)
    value = event.summary.value.add(tag=node, node_name=f"{node}:{slot}:{debug_op}", tensor=tensor)
    where = {"device": device, "outputSlot": slot, "numChunks": 1, "chunkIndex": 0}
    value.metadata.plugin_data.plugin_name = "debugger"
    value.metadata.plugin_data.content = json.dumps(where, separators=(",", ":")).encode()
    name = f"{node}_{slot}_{debug_op}_{micros}"
    _write(os.path.join(device_folder(root, device), name), event)


def tensor_proto(value: np.ndarray | None, dtype: dtypes.DType, shape: Any) -> Any:
    """A tensor as TF's own code writes it: the bytes of its numbers.

    Args:
      value: the value; None if it has none.
      dtype: its dtype.
      shape: the static shape, which stands for that of no value.
    """
    proto = protos.TensorProto(dtype=dtype.as_datatype_enum)
    sizes = (shape or ()) if value is None else value.shape
    proto.tensor_shape.SetInParent()
    for size in sizes:
        proto.tensor_shape.dim.add(size=0 if size is None else size)
    if value is None:
        return proto
    if dtype is dtypes.string:
        proto.string_val.extend(
            text if isinstance(text, bytes) else str(text).encode() for text in value.ravel()
        )
    else:
        proto.tensor_content = np.ascontiguousarray(value).tobytes()
    return proto


def handle_proto(name: str, device: str) -> Any:
    """A resource's handle as a tensor."""
    proto = protos.TensorProto(dtype=_HANDLE.as_datatype_enum)
    proto.tensor_shape.SetInParent()
    proto.tensor_content = serialized_handle(name, device)
    return proto
