"""What a debugged run dumped (a part of `tensorflow.python.debug.lib.debug_data`)."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from typing import Any

from tf1compat.api.debug.lib import debug_data, debug_graphs
from tf1compat.api.debug.lib.debug_data import DebugTensorDatum
from tf1compat.api.platform import gfile
from tf1compat.api.platform import tf_logging as logging
from tf1compat.core import protos
from tf1compat.core.attribute import attribute

_NOT_LOADED = "{} are not loaded from partition graphs yet."


class WatchKeyDoesNotExistInDebugDumpDirError(ValueError):
    """Nothing was dumped of a tensor."""


class DebugDumpDir:
    """All that a debugged run dumped, as tf_debug.DebugDumpDir in TF 1.15.

    Args:
      dump_root: the folder.
      partition_graphs: the graphs that ran, for a dump without them.
      validate: whether to compare what was dumped with the graphs.

    Raises:
      OSError: there is no such folder.
      ValueError: the dump does not fit the graphs.
    """

    def __init__(self, dump_root: str, partition_graphs: Any = None, validate: bool = True):
        if not gfile.IsDirectory(dump_root):
            raise OSError(f"Dump root directory {dump_root} does not exist")
        self._dump_root = dump_root
        events = [
            debug_data._event_of(path) for path in self._metadata(debug_data.CORE_METADATA_TAG)
        ]
        self._core_metadata = [
            debug_data.extract_core_metadata_from_event_proto(event) for event in events
        ]
        self._fetches_info = [
            debug_data._log_message(path)
            for path in self._metadata(debug_data.FETCHES_INFO_FILE_TAG)
        ]
        self._feed_keys_info = [
            debug_data._log_message(path)
            for path in self._metadata(debug_data.FEED_KEYS_INFO_FILE_TAG)
        ]
        self._python_graph: Any = None
        self._tracebacks: dict[str, Any] = {}
        self._data: dict[str, list[DebugTensorDatum]] = {}
        self._graph_paths: dict[str, str] = {}
        for folder in self._metadata(debug_data.DEVICE_TAG):
            self._load_device(debug_data.device_path_to_device_name(folder), folder)
        self._load_graphs(partition_graphs, validate)
        times = [data[0].timestamp for data in self._data.values() if data]
        self._t0 = min(times) if times else None
        self._by_key: dict[str, dict[str, list[DebugTensorDatum]]] = {}
        for device, data in self._data.items():
            by_key = self._by_key[device] = {}
            for datum in data:
                by_key.setdefault(datum.watch_key, []).append(datum)

    # What is in the folder.

    def _metadata(self, tag: str) -> list[str]:
        return sorted(
            gfile.Glob(os.path.join(self._dump_root, f"{debug_data.METADATA_FILE_PREFIX}{tag}*"))
        )

    def _load_device(self, device: str, folder: str) -> None:
        found = []
        for root, _, files in gfile.Walk(folder):
            for name in files:
                path = os.path.join(root, name)
                if name.startswith(debug_data.METADATA_FILE_PREFIX + debug_data.GRAPH_FILE_TAG):
                    self._graph_paths[device] = path
                else:
                    relative = os.path.relpath(path, self._dump_root)
                    found.append(DebugTensorDatum(self._dump_root, relative))
        self._data[device] = sorted(found, key=lambda datum: datum.extended_timestamp)

    def _load_graphs(self, given: Any, validate: bool) -> None:
        self._graphs: dict[str | None, debug_graphs.DebugGraph] = {}
        self._node_devices: dict[str, set[Any]] = {}
        for device in self._data:
            if device in self._graph_paths:
                event = debug_data._event_of(self._graph_paths[device])
                graph_def = protos.GraphDef.FromString(event.graph_def)
            else:
                logging.warn(
                    f"Failed to load partition graphs for device {device} from disk. As a "
                    "fallback, the client graphs will be used. This may cause mismatches in "
                    "device names."
                )
                graph_def = _graph_on(device, given or ())
                if graph_def is None:
                    continue
            graph = debug_graphs.DebugGraph(graph_def, device_name=device)
            self._graphs[graph.device_name] = graph
            for name, devices in graph.node_devices.items():
                self._node_devices.setdefault(name, set()).update(devices)
            if validate:
                self._validate(device, graph)

    def _validate(self, device: str, graph: debug_graphs.DebugGraph) -> None:
        """Checks that every dumped tensor is in the graph, and came after what it depends on."""
        data = self._data[device]
        dumped = {(datum.node_name, datum.output_slot) for datum in data}
        for datum in data:
            if datum.node_name not in graph.node_inputs:
                raise ValueError(
                    f"Node name '{datum.node_name}' is not found in partition graphs of device "
                    f"{device}."
                )
        types = graph.node_op_types
        pending: dict[str, list[tuple[str, int]]] = {}
        for node, inputs in graph.node_inputs.items():
            places = (
                (debug_graphs.get_node_name(name), debug_graphs.get_output_slot(name))
                for name in inputs
                if types.get(name) not in ("Enter", "NextIteration")
            )
            pending[node] = [place for place in dict.fromkeys(places) if place in dumped]
        for i, datum in enumerate(data):
            left = pending[datum.node_name]
            for other in data[i + 1 :] if left else ():
                if other.timestamp > datum.timestamp:
                    break
                if (other.node_name, other.output_slot) in left:
                    left.remove((other.node_name, other.output_slot))
            if left:
                raise ValueError(
                    "Causality violated in timing relations of debug dumps: "
                    f"{datum.node_name} ({datum.timestamp}): these input(s) are not satisfied: "
                    f"{left!r}"
                )
            place = (datum.node_name, datum.output_slot)
            for recipient in graph.node_recipients.get(datum.node_name, ()):
                if place in pending.get(recipient, ()):
                    if types[recipient] == "Merge":  # Which takes what comes first.
                        pending[recipient].clear()
                    else:
                        pending[recipient].remove(place)

    # The run.

    @property
    def core_metadata(self) -> Any:
        """What run it was: global_step, session_run_index, executor_step_index, input_names,
        output_names and target_nodes; a list of these for several runs."""
        return _one(self._core_metadata)

    @property
    def run_fetches_info(self) -> Any:
        """What was fetched, as text; a list for several runs."""
        return _one(self._fetches_info)

    @property
    def run_feed_keys_info(self) -> Any:
        """What was fed, as text; a list for several runs."""
        return _one(self._feed_keys_info)

    @property
    def dumped_tensor_data(self) -> list[DebugTensorDatum]:
        """All that was dumped, in the order of time."""
        data = [datum for data in self._data.values() for datum in data]
        return sorted(data, key=lambda datum: datum.extended_timestamp)

    t0: int | None = attribute("_t0", "When the first tensor was dumped, in microseconds.")

    @property
    def size(self) -> int:
        """How many tensors were dumped."""
        return sum(map(len, self._data.values()))

    def devices(self) -> list[str]:
        """The devices."""
        return list(self._data)

    # The graphs.

    def loaded_partition_graphs(self) -> bool:
        """Whether there are graphs."""
        return bool(self._graphs)

    def _need_graphs(self, text: str) -> None:
        if not self._graphs:
            raise LookupError(text)

    def partition_graphs(self) -> list[Any]:
        """The graphs that ran, with the debugger's nodes.

        Raises:
          LookupError: there are none; so for all that needs them.
        """
        self._need_graphs("No partition graphs have been loaded.")
        return [graph.debug_graph_def for graph in self._graphs.values()]

    def reconstructed_non_debug_partition_graphs(self) -> dict[Any, Any]:
        """Device -> the graph that ran, without the debugger's nodes."""
        return {device: graph.non_debug_graph_def for device, graph in self._graphs.items()}

    def _graph_of(self, node_name: str, device_name: str | None) -> debug_graphs.DebugGraph:
        return self._graphs[self._device_of(node_name, device_name)]

    def _device_of(self, node_name: str, device_name: str | None) -> str:
        if device_name is not None:
            return device_name
        devices = self._node_devices.get(node_name)
        if devices is None:
            raise ValueError(
                f"None of the {len(self._data)} device(s) has a node named '{node_name}'."
            )
        if len(devices) > 1:
            raise ValueError(
                f"There are multiple ({len(devices)}) devices with nodes named '{node_name}' but "
                "device_name is not specified."
            )
        (device,) = devices
        return device

    def nodes(self, device_name: str | None = None) -> list[str]:
        """The nodes of a device, or of all of them."""
        self._need_graphs("No partition graphs have been loaded.")
        if device_name is None:
            return [name for graph in self._graphs.values() for name in graph.node_inputs]
        if device_name not in self._graphs:
            raise ValueError(f"Invalid device name: {device_name}")
        return list(self._graphs[device_name].node_inputs)

    def node_attributes(self, node_name: str, device_name: str | None = None) -> Any:
        """A node's attrs."""
        self._need_graphs("No partition graphs have been loaded.")
        return self._graph_of(node_name, device_name).node_attributes[node_name]

    def node_inputs(
        self, node_name: str, is_control: bool = False, device_name: str | None = None
    ) -> list[str]:
        """A node's inputs, or its control inputs."""
        self._need_graphs(_NOT_LOADED.format("Node inputs"))
        graph = self._graph_of(node_name, device_name)
        return (graph.node_ctrl_inputs if is_control else graph.node_inputs)[node_name]

    def node_recipients(
        self, node_name: str, is_control: bool = False, device_name: str | None = None
    ) -> list[str]:
        """The nodes that take what a node gives, or that wait for it."""
        self._need_graphs(_NOT_LOADED.format("Node recipients"))
        graph = self._graph_of(node_name, device_name)
        return (graph.node_ctrl_recipients if is_control else graph.node_recipients)[node_name]

    def node_exists(self, node_name: str, device_name: str | None = None) -> bool:
        """Whether there is a node."""
        self._need_graphs("Nodes have not been loaded from partition graphs yet.")
        if device_name is not None and device_name not in self._graphs:
            raise ValueError(f"The specified device_name '{device_name}' cannot be found.")
        return any(node_name in graph.node_inputs for graph in self._graphs.values())

    def node_device(self, node_name: str) -> Any:
        """A node's device; a list of several."""
        self._need_graphs(_NOT_LOADED.format("Node devices"))
        if node_name not in self._node_devices:
            raise ValueError(f"Node '{node_name}' does not exist in partition graphs.")
        return _one(list(self._node_devices[node_name]))

    def node_op_type(self, node_name: str, device_name: str | None = None) -> str:
        """A node's op type."""
        self._need_graphs(_NOT_LOADED.format("Node op types"))
        return self._graph_of(node_name, device_name).node_op_types[node_name]

    def _tracer(
        self, device: str, include_control: bool, include_reversed_ref: bool, **settings: Any
    ) -> debug_graphs.DFSGraphTracer:
        graph = self._graphs[device]
        lists = [graph.node_inputs]
        if include_control:
            lists.append(graph.node_ctrl_inputs)
        if include_reversed_ref:
            lists.append(graph.node_reversed_ref_inputs)
        merges = [name for name, op_type in graph.node_op_types.items() if op_type == "Merge"]
        return debug_graphs.DFSGraphTracer(lists, skip_node_names=merges, **settings)

    def transitive_inputs(
        self, node_name: str, include_control: bool = True, include_reversed_ref: bool = False,
        device_name: str | None = None,
    ) -> list[str]:  # fmt: skip
        """All that a node depends on.

        Args:
          node_name: the node.
          include_control: whether control inputs count.
          include_reversed_ref: whether what takes a reference is an input of what gives it.
          device_name: the device, if there are several.
        """
        self._need_graphs(_NOT_LOADED.format("Node inputs"))
        device = self._device_of(node_name, device_name)
        tracer = self._tracer(device, include_control, include_reversed_ref)
        tracer.trace(node_name)
        return tracer.inputs()

    def find_some_path(
        self, src_node_name: str, dst_node_name: str, include_control: bool = True,
        include_reversed_ref: bool = False, device_name: str | None = None,
    ) -> list[str] | None:  # fmt: skip
        """A way from one node to another.

        Returns:
          The names on it, both ends included; None if there is none.

        Raises:
          ValueError: they are on different devices.
        """
        source = self._device_of(src_node_name, device_name)
        target = self._device_of(dst_node_name, device_name)
        if source != target:
            raise ValueError(
                f"Source ({src_node_name}) and destination ({dst_node_name}) are not on the same "
                f"device: {source} vs. {target}"
            )
        tracer = self._tracer(
            target, include_control, include_reversed_ref, destination_node_name=src_node_name
        )
        try:
            tracer.trace(dst_node_name)
        except debug_graphs.GraphTracingReachedDestination:
            found = list(zip([dst_node_name, *tracer.inputs()], [0, *tracer.depth_list()]))
            path = []
            depth = found[-1][1]
            for name, at in reversed(found):
                if at == depth:
                    path.append(name)
                    depth -= 1
            return path
        return None

    # What was dumped of a tensor.

    def debug_watch_keys(self, node_name: str, device_name: str | None = None) -> list[str]:
        """The keys "node:0:DebugIdentity" of what was dumped of a node."""
        try:
            device = self._device_of(node_name, device_name)
        except ValueError:
            return []
        data = self._data.get(device, ())
        return list(
            dict.fromkeys(datum.watch_key for datum in data if datum.node_name == node_name)
        )

    def watch_key_to_data(
        self, debug_watch_key: str, device_name: str | None = None
    ) -> list[DebugTensorDatum]:
        """What was dumped under a key; an empty list if nothing was.

        Raises:
          ValueError: several devices have it and none is named, or the one named has nothing.
        """
        if device_name is None:
            devices = [device for device, keys in self._by_key.items() if debug_watch_key in keys]
            if len(devices) > 1:
                raise ValueError(
                    f"The debug watch key '{debug_watch_key}' exists on multiple "
                    f"({len(devices)}) devices, but device name is not specified."
                )
            return self._by_key[devices[0]][debug_watch_key] if devices else []
        if device_name not in self._by_key:
            raise ValueError(
                f"There is no device named '{device_name}' consisting of debug watch keys."
            )
        return self._by_key[device_name].get(debug_watch_key, [])

    def find(
        self, predicate: Callable[[DebugTensorDatum, Any], Any], first_n: int = 0,
        device_name: str | None = None, exclude_node_names: str | None = None,
    ) -> list[DebugTensorDatum]:  # fmt: skip
        """What was dumped for which a predicate holds, in the order of time.

        Args:
          predicate: a function of a datum and its value.
          first_n: at most so many; all if it is not positive.
          device_name: only that device's.
          exclude_node_names: a regular expression of nodes that are left out.
        """
        excluded = re.compile(exclude_node_names) if exclude_node_names else None
        found: list[DebugTensorDatum] = []
        for device in self._data if device_name is None else (device_name,):
            for datum in self._data[device]:
                if excluded is not None and excluded.match(datum.node_name):
                    continue
                if predicate(datum, datum.get_tensor()):
                    found.append(datum)
                    if 0 < first_n <= len(found):
                        return found
        return found

    def _dumped(
        self, node_name: str, output_slot: int, debug_op: str, device_name: str | None
    ) -> list[DebugTensorDatum]:
        device = self._device_of(node_name, device_name)
        key = f"{node_name}:{output_slot}:{debug_op}"
        if key not in self._by_key.get(device, ()):
            raise WatchKeyDoesNotExistInDebugDumpDirError(
                f'Watch key "{key}" does not exist in the debug dump of device {device}'
            )
        return self._by_key[device][key]

    def get_tensor_file_paths(
        self, node_name: str, output_slot: int, debug_op: str, device_name: str | None = None
    ) -> list[str]:
        """The files of a tensor.

        Raises:
          WatchKeyDoesNotExistInDebugDumpDirError: nothing was dumped of it; so for the following.
        """
        dumped = self._dumped(node_name, output_slot, debug_op, device_name)
        return [datum.file_path for datum in dumped]

    def get_tensors(
        self, node_name: str, output_slot: int, debug_op: str, device_name: str | None = None
    ) -> list[Any]:
        """The values of a tensor, in the order of time."""
        try:
            dumped = self._dumped(node_name, output_slot, debug_op, device_name)
        except WatchKeyDoesNotExistInDebugDumpDirError:
            raise
        except ValueError:
            raise WatchKeyDoesNotExistInDebugDumpDirError(
                f'Watch key "{node_name}:{output_slot}:{debug_op}" does not exist in the debug '
                f"dump of device {device_name}"
            ) from None
        return [datum.get_tensor() for datum in dumped]

    def get_rel_timestamps(
        self, node_name: str, output_slot: int, debug_op: str, device_name: str | None = None
    ) -> list[int]:
        """When a tensor was dumped, in microseconds after `t0`."""
        dumped = self._dumped(node_name, output_slot, debug_op, device_name)
        return [datum.timestamp - (self._t0 or 0) for datum in dumped]

    def get_dump_sizes_bytes(
        self, node_name: str, output_slot: int, debug_op: str, device_name: str | None = None
    ) -> list[int | None]:
        """The sizes of a tensor's files."""
        dumped = self._dumped(node_name, output_slot, debug_op, device_name)
        return [datum.dump_size_bytes for datum in dumped]

    # The program.

    def set_python_graph(self, python_graph: Any) -> None:
        """Sets the graph that the program recorded, which knows where."""
        self._python_graph = python_graph
        ops: Iterable[Any] = python_graph.get_operations() if python_graph else ()
        self._tracebacks = {op.name: op.traceback for op in ops}

    python_graph = attribute("_python_graph", "The graph that the program recorded, if it was set.")

    def node_traceback(self, element_name: str) -> Any:
        """Where the program recorded a node.

        Raises:
          LookupError: the graph is not known.
          KeyError: it has no such node.
        """
        if self._python_graph is None:
            raise LookupError("Python graph is not available for traceback lookup")
        name = debug_graphs.get_node_name(element_name)
        if name not in self._tracebacks:
            raise KeyError(f'Cannot find node "{name}" in Python graph')
        return self._tracebacks[name]


def _one(items: list[Any]) -> Any:
    return items[0] if len(items) == 1 else items


def _graph_on(device: str, graph_defs: Iterable[Any]) -> Any:
    """The first of some graphs with a node on a device."""
    for graph_def in graph_defs:
        if any(node.device == device for node in graph_def.node):
            return graph_def
    return None
