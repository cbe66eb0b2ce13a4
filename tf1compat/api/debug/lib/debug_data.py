"""What the debugger dumps: one tensor a file (`tensorflow.python.debug.lib.debug_data`)."""

from __future__ import annotations

import json
import os
from typing import Any, NamedTuple

import numpy as np

from tf1compat.api.platform import gfile
from tf1compat.core import dtypes, protos, tensor_proto
from tf1compat.core.attribute import attribute

METADATA_FILE_PREFIX = "_tfdbg_"
CORE_METADATA_TAG = "core_metadata_"
GRAPH_FILE_TAG = "graph_"
DEVICE_TAG = "device_"
HASH_TAG = "hash"
FETCHES_INFO_FILE_TAG = "fetches_info_"
FEED_KEYS_INFO_FILE_TAG = "feed_keys_info_"


class InconvertibleTensorProto:
    """A tensor that no NumPy array stands for.

    Args:
      tensor_proto: the `TensorProto`.
      initialized: whether the tensor had a value.
    """

    def __init__(self, tensor_proto: Any, initialized: bool = True):
        self._tensor_proto = tensor_proto
        self._initialized = initialized

    def __str__(self) -> str:
        return ("" if self._initialized else "Uninitialized tensor:\n") + str(self._tensor_proto)

    initialized: bool = attribute("_initialized", "Whether the tensor had a value.")


def load_tensor_from_event(event: Any) -> Any:
    """The first tensor of an Event.

    Returns:
      An array, or an InconvertibleTensorProto: of a resource, of no value.
    """
    proto = event.summary.value[0].tensor
    empty = any(dim.size == 0 for dim in proto.tensor_shape.dim)
    if not (proto.tensor_content or proto.string_val or empty):
        return InconvertibleTensorProto(proto, False)
    if proto.dtype == dtypes.resource.as_datatype_enum:
        return InconvertibleTensorProto(proto)
    try:
        return tensor_proto.make_ndarray(proto)
    except (KeyError, TypeError):
        return InconvertibleTensorProto(proto)


def load_tensor_from_event_file(event_file_path: str) -> Any:
    """The tensor in a dump file: see `load_tensor_from_event`."""
    return load_tensor_from_event(_event_of(event_file_path))


def has_inf_or_nan(datum: DebugTensorDatum | None, tensor: Any) -> Any:
    """Whether a tensor has infinities or NaNs: a filter for the debugger.

    Args:
      datum: not used.
      tensor: an array, or an InconvertibleTensorProto.
    """
    del datum
    if isinstance(tensor, InconvertibleTensorProto):
        return False
    if not np.issubdtype(tensor.dtype, np.number):
        return False
    return not np.all(np.isfinite(tensor))


class _CoreMetadata(NamedTuple):
    global_step: int
    session_run_index: int
    executor_step_index: int
    input_names: list[str]
    output_names: list[str]
    target_nodes: list[str]


_CoreMetadata.__name__ = "CoreMetadata"


def extract_core_metadata_from_event_proto(event: Any) -> _CoreMetadata:
    """What an Event says of the run that dumped."""
    said = json.loads(event.log_message.message)
    return _CoreMetadata(**{field: said[field] for field in _CoreMetadata._fields})


def device_name_to_device_path(device_name: str | bytes) -> str:
    """The folder of what a device dumped."""
    name = device_name.decode() if isinstance(device_name, bytes) else device_name
    return METADATA_FILE_PREFIX + DEVICE_TAG + name.replace(":", "_").replace("/", ",")


def device_path_to_device_name(device_dir: str) -> str:
    """The device that dumped into a folder."""
    parts = os.path.basename(device_dir)[len(METADATA_FILE_PREFIX + DEVICE_TAG) :].split(",")
    return "/".join(part.replace("device_", "device:").replace("_", ":", 1) for part in parts)


def _log_message(path: str) -> str:
    """The message in the file of an Event."""
    return _event_of(path).log_message.message


def _event_of(path: str) -> Any:
    with gfile.Open(path, "rb") as file:
        return protos.load("event_pb2", "Event").FromString(file.read())


class DebugTensorDatum:
    """A dumped tensor: what its file's name says, and the value when it is asked for.

    Args:
      dump_root: the folder of the dump.
      debug_dump_rel_path: the file in it, `<device>/<scope>/<node>_<slot>_<debug op>_<time>`.

    Raises:
      ValueError: the name is of another form.
    """

    def __init__(self, dump_root: str, debug_dump_rel_path: str):
        device, *scopes, base = os.path.normpath(debug_dump_rel_path).split(os.sep)
        parts = base.rsplit("_", 3)
        if len(parts) < 4:
            raise ValueError(f"Dump file path does not conform to the naming pattern: {base}")
        node, slot, self._debug_op, self._extended_timestamp = parts
        self._device_name = device_path_to_device_name(device)
        self._node_name = "/".join([*scopes, node])
        self._output_slot = int(slot)
        # Of several at one time, the others have a number behind.
        self._timestamp = int(self._extended_timestamp.partition("-")[0])
        self._file_path = os.path.join(dump_root, debug_dump_rel_path)
        exists = gfile.Exists(self._file_path)
        self._dump_size_bytes = gfile.Stat(self._file_path).length if exists else None

    def __str__(self) -> str:
        return (
            f"{{DebugTensorDatum ({self.device_name}) {self.tensor_name} @ {self.debug_op} @ "
            f"{self.timestamp}}}"
        )

    __repr__ = __str__

    def get_tensor(self) -> Any:
        """The value: see `load_tensor_from_event`."""
        return load_tensor_from_event_file(self.file_path)

    timestamp: int = attribute("_timestamp", "When it was dumped, in microseconds.")
    extended_timestamp: str = attribute(
        "_extended_timestamp", "The time as the file's name has it, which may have a number behind."
    )
    debug_op: str = attribute("_debug_op", "The type of the debug op.")
    device_name: str = attribute("_device_name", "The device.")
    node_name: str = attribute("_node_name", "The watched node.")
    output_slot: int = attribute("_output_slot", "The number of its output.")

    @property
    def tensor_name(self) -> str:
        """The tensor, "node:0"."""
        return f"{self.node_name}:{self.output_slot}"

    @property
    def watch_key(self) -> str:
        """Tensor and debug op, "node:0:DebugIdentity"."""
        return f"{self.tensor_name}:{self.debug_op}"

    file_path: str = attribute("_file_path", "The file.")
    dump_size_bytes: int | None = attribute(
        "_dump_size_bytes", "The file's size; None if it is not there."
    )
