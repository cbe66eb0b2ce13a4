"""The graph of a watched run as TensorFlow's debugger decorates it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tf1compat.core import dtypes, protos
from tf1compat.core.attr_value import to_attr_value
from tf1compat.core.graph_def import fill_node_def, versions
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime import plan as plan_lib
from tf1compat.runtime.watch.watches import Watched, fed_nodes

_COPIED_ON_HOST = (dtypes.string, dtypes.resource, dtypes.variant)
# Whose debug nodes nothing waits for.
_UNCONTROLLED = ("enter", "next")


def members(ops: Iterable[Any]) -> list[Operation]:
    """The operations of a program, those of its steps too."""
    return [op for step in plan_lib.flat(ops) for op in getattr(step, "members", (step,))]


def debug_graph_def(
    ops: Iterable[Operation],
    fetches: Sequence[Tensor],
    feeds: Sequence[Tensor],
    watched: dict[Tensor, Watched],
    device: str,
) -> Any:
    """The GraphDef of a run: its operations, `_Arg` and `_Retval` for what is fed and fetched,
    and a copy and debug nodes for each watched tensor.

    Args:
      ops: the operations that run.
      fetches, feeds: the tensors that are fetched and fed.
      watched: the watched tensors.
      device: the device of all of them.
    """
    graph = protos.GraphDef()
    nodes = fed_nodes(feeds)
    ordered = sorted(ops, key=lambda op: op._id)
    if ordered:
        graph.versions.CopyFrom(versions(ordered[0]._graph))
    there = {op.name for op in ordered}
    for op in ordered:
        node = graph.node.add()
        fill_node_def(node, op, sort_control_inputs=True)
        controls = [name for name in node.input if name.startswith("^") and name[1:] in there]
        del node.input[:]
        _connect(node, op._inputs, controls, nodes, watched)
    needed = {tensor for op in ordered for tensor in op._inputs} | set(fetches) | set(watched)
    for i, (tensor, name) in enumerate(nodes.items()):
        if tensor not in needed:
            continue
        node = graph.node.add(name=name, op="_Arg")
        _set(node, T=tensor._dtype.base_dtype, index=i)
    by_name = sorted(dict.fromkeys(fetches), key=lambda tensor: tensor.name)
    for i, tensor in enumerate(by_name):
        name = f"_retval_{tensor._op.name}_{tensor._value_index}_{i}"
        node = graph.node.add(name=name, op="_Retval")
        _connect(node, [tensor], [], nodes, watched)
        _set(node, T=tensor._dtype.base_dtype, index=i)
    for tensor, watch in watched.items():
        if watch.ops:
            _add_debug_nodes(graph, tensor, watch, nodes, device)
    for node in graph.node:
        if not node.name.startswith(("__copy_", "__dbg_")):
            node.device = device
    return graph


def _connect(
    node: Any,
    inputs: Iterable[Tensor],
    controls: list[str],
    nodes: dict[Tensor, str],
    watched: dict[Tensor, Watched],
) -> None:
    after = []
    for tensor in inputs:
        watch = watched.get(tensor)
        name = nodes.get(tensor) or tensor._as_node_def_input()
        if watch is not None and watch.ops:
            if not tensor._dtype._is_ref_dtype:
                name = _copy_name(watch)
            if tensor in nodes or tensor._op._spec.loop not in _UNCONTROLLED:
                after += [f"^{_debug_name(watch, op)}" for op in watch.ops]
        node.input.append(name)
    node.input.extend([*controls, *after])


def _add_debug_nodes(
    graph: Any, tensor: Tensor, watch: Watched, nodes: dict[Tensor, str], device: str
) -> None:
    on_host = watch.dtype in _COPIED_ON_HOST
    copy = graph.node.add(name=_copy_name(watch), op="CopyHost" if on_host else "Copy")
    copy.input.append(nodes.get(tensor) or tensor._as_node_def_input())
    specs = [f"{op.name};{url};{int(op.gated)}" for op in watch.ops for url in watch.urls]
    _set(copy, T=watch.dtype, debug_ops_spec=specs, tensor_name="")
    for op in watch.ops:
        node = graph.node.add(name=_debug_name(watch, op), op=op.name)
        node.input.append(copy.name)
        _set(
            node, T=watch.dtype, debug_urls=watch.urls, device_name=device, gated_grpc=op.gated,
            tensor_name=watch.name, **op.attrs,
        )  # fmt: skip


def _copy_name(watch: Watched) -> str:
    return f"__copy_{watch.node}_{watch.slot}"


def _debug_name(watch: Watched, op: Any) -> str:
    return f"__dbg_{watch.name}_{op.index}_{op.name}"


_KINDS: tuple[tuple[type, str], ...] = (
    (dtypes.DType, "type"), (bool, "bool"), (int, "int"), (float, "float"), (str, "string"),
    (list, "list(string)"),
)  # fmt: skip


def _set(node: Any, **attrs: Any) -> None:
    for name, value in attrs.items():
        kind = next(kind for cls, kind in _KINDS if isinstance(value, cls))
        node.attr[name].CopyFrom(to_attr_value(value, kind))
