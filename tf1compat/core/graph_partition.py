"""The graph of a run as TF divides it among devices: what goes from one to another is sent and
received."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tf1compat.core import protos
from tf1compat.core.attr_value import to_attr_value
from tf1compat.core.operation import Operation


def partitioned(graph: Any, ops: Iterable[Operation]) -> list[Any]:
    """A GraphDef as one for each device that its nodes are on, in the order of their names.

    Args:
      graph: the GraphDef; every node has a device.
      ops: the operations in it.
    """
    device_of = {node.name: node.device for node in graph.node}
    if len(set(device_of.values())) < 2:
        return [graph]
    work = _Partition(graph, device_of, {op.name: op._output_dtypes for op in ops})
    return [work.parts[device] for device in sorted(work.parts)]


class _Partition:
    def __init__(self, graph: Any, device_of: dict[str, str], types: dict[str, Sequence[Any]]):
        self._types = types
        self._device_of = device_of
        self._sources = {node.name: node for node in graph.node}
        self._received: dict[tuple[str, str], str] = {}
        self._numbers = 0
        self._edges = 0
        self.parts = {device: protos.GraphDef() for device in set(device_of.values())}
        for part in self.parts.values():
            part.versions.CopyFrom(graph.versions)
        for node in graph.node:
            copy = self.parts[node.device].node.add()
            copy.CopyFrom(node)
            del copy.input[:]
            copy.input.extend(self._there(name, node.device) for name in node.input)

    def _add(self, name: str, op: str, device: str, **like: Any) -> Any:
        """Another node beside what makes a tensor."""
        node = self.parts[device].node.add(name=f"{name}/_{self._numbers}", op=op, device=device)
        self._numbers += 1
        for key, value in like.items():
            node.attr[key].CopyFrom(value)
        return node

    def _there(self, name: str, device: str) -> str:
        """The name of an input at a device: of what receives it, if it comes from another one."""
        source, _, slot = name.removeprefix("^").partition(":")
        home = self._device_of.get(source, device)
        if home == device:
            return name
        if (name, device) not in self._received:
            self._received[name, device] = self._sent(name, source, int(slot or 0), device)
        return self._received[name, device]

    def _sent(self, name: str, source: str, slot: int, device: str) -> str:
        home = self._device_of[source]
        is_control = name.startswith("^")
        if is_control:  # A constant is sent when the node has run.
            dtype = protos.AttrValue(type=1)
            value = protos.AttrValue()
            value.tensor.dtype = 1
            value.tensor.tensor_shape.dim.add()
            constant = self._add(source, "Const", home, dtype=dtype, value=value)
            constant.input.append(name)
            name = constant.name
        else:
            dtype = self._sources[source].attr["T"]  # of `_Arg`
            if source in self._types:
                dtype = to_attr_value(self._types[source][slot].base_dtype, "type")
        edge = protos.AttrValue(s=f"edge_{self._edges}_{source}".encode())
        self._edges += 1
        attrs = {
            "tensor_name": edge,
            "send_device": protos.AttrValue(s=home.encode()),
            "recv_device": protos.AttrValue(s=device.encode()),
            "send_device_incarnation": protos.AttrValue(i=1),
            "client_terminated": protos.AttrValue(b=False),
        }
        self._add(source, "_Send", home, T=dtype, **attrs).input.append(name)
        found = self._add(source, "_Recv", device, tensor_type=dtype, **attrs).name
        if is_control:
            waits = self._add(source, "Identity", device, T=dtype)
            waits.input.append(found)
            found = f"^{waits.name}"
        return found
