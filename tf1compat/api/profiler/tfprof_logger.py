"""What is known of a graph's operations, as a file (`tensorflow.python.profiler.tfprof_logger`)."""

from __future__ import annotations

import os
import sys
from typing import Any

from tf1compat.api.framework.ops import get_stats_for_node_def
from tf1compat.api.platform.gfile import GFile
from tf1compat.api.profiler import flops_registry as flops_registry
from tf1compat.core import context, ops
from tf1compat.core.export import tf_export
from tf1compat.core.graph import Graph
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.formats import tfprof_pb2

TRAINABLE_VARIABLES = "_trainable_variables"
REGISTERED_FLOP_STATS = "flops"


def _complete_shapes(graph: Graph, run_meta: Any) -> None:
    """Gives outputs of a graph the shapes that they had in a run."""
    nodes = [node for device in run_meta.step_stats.dev_stats for node in device.node_stats]
    for node in nodes:
        try:
            op = graph.get_operation_by_name(node.node_name)
        except (KeyError, ValueError):
            continue  # It was added for the run, or is a stream's.
        if len(node.output) != len(op.outputs):
            continue
        for tensor, output in zip(op.outputs, node.output, strict=True):
            if tensor.shape.is_fully_defined():
                continue
            sizes = [dim.size for dim in output.tensor_description.shape.dim]
            try:
                tensor.set_shape(tensor.shape.merge_with(TensorShape(sizes)))
            except ValueError as error:
                sys.stderr.write(f"Node {node.node_name} incompatible shapes: {error}.\n")


def _add_trace(entry: Any, op: Any, ids: dict[str, int]) -> None:
    def number(text: str | None) -> int:
        return ids.setdefault(text, len(ids)) if text else 0

    for file, line, function, source, start in op.traceback_with_start_lines:
        entry.code_def.traces.add(
            file_id=number(file), lineno=line or -1, function_id=number(function),
            line_id=number(source), func_start_line=start or -1,
        )  # fmt: skip


def _logged(graph: Graph, run_meta: Any, add_trace: bool, trainable: bool) -> tuple[Any, Any]:
    """Entries by name, and the numbers of the texts in them."""
    if run_meta:
        _complete_shapes(graph, run_meta)
    entries: dict[str, Any] = {}
    ids = {"none": 0}
    unknown = 0
    for op in graph.get_operations():
        entry = tfprof_pb2.OpLogEntry(name=op.name)
        try:
            entry.float_ops = int(
                get_stats_for_node_def(graph, op.node_def, REGISTERED_FLOP_STATS).value or 0
            )
        except ValueError:
            unknown += 1
        if add_trace:
            _add_trace(entry, op, ids)
        if add_trace or entry.float_ops:
            entries[op.name] = entry
    if trainable:
        for variable in graph.get_collection(ops.GraphKeys.TRAINABLE_VARIABLES):
            name = variable.op.name
            entries.setdefault(name, tfprof_pb2.OpLogEntry(name=name)).types.append(
                TRAINABLE_VARIABLES
            )
    if unknown and not run_meta:
        sys.stderr.write(f"{unknown} ops no flops stats due to incomplete shapes.\n")
    return entries, ids


def merge_default_with_oplog(
    graph: Graph | None, op_log: Any = None, run_meta: Any = None, add_trace: bool = True,
    add_trainable_var: bool = True,
) -> Any:  # fmt: skip
    """What is known of a graph's operations, with what `op_log` says of them (see `write_op_log`).

    Args:
      add_trainable_var: whether trainable variables have the type "_trainable_variables".

    Returns:
      An `OpLogProto`.
    """
    if not graph and not context.executing_eagerly():
        graph = ops.get_default_graph()
    merged = tfprof_pb2.OpLogProto()
    if not graph:
        return merged
    found, ids = _logged(graph, run_meta, add_trace, add_trainable_var)
    entries = {entry.name: entry for entry in op_log.log_entries} if op_log else {}
    for name, entry in found.items():
        given = entries.setdefault(name, entry)
        if given is entry:
            continue
        given.types.extend(entry.types)
        given.float_ops = given.float_ops or entry.float_ops
        if not given.code_def.traces:
            given.code_def.MergeFrom(entry.code_def)
    merged.log_entries.extend(entries.values())
    for text, number in ids.items():
        merged.id_to_string[number] = text
    return merged


@tf_export("profiler.write_op_log")
def write_op_log(
    graph: Graph, log_dir: str, op_log: Any = None, run_meta: Any = None, add_trace: bool = True
) -> None:
    """Writes what is known of a graph's operations to the file "tfprof_log" (as in TF 1.15).

    Args:
      graph: a `Graph`; the default graph if it is None.
      log_dir: the file's folder.
      op_log: an `OpLogProto` with more, which is changed as in TF 1.15.
      run_meta: the `RunMetadata` of a run, from which shapes are taken that are not known.
      add_trace: whether to say where in the source operations were made.
    """
    merged = merge_default_with_oplog(graph, op_log, run_meta, add_trace)
    with GFile(os.path.join(log_dir, "tfprof_log"), "w") as file:
        file.write(merged.SerializeToString())
