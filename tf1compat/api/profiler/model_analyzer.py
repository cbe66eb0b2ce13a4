"""How many parameters and float operations a graph has
(`tensorflow.python.profiler.model_analyzer`). Time and memory are not measured here."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterator
from typing import Any

from tf1compat.api.framework.ops import get_stats_for_node_def
from tf1compat.api.profiler import flops_registry as flops_registry
from tf1compat.api.profiler.option_builder import ProfileOptionBuilder
from tf1compat.core import context, errors, ops
from tf1compat.core.export import tf_export
from tf1compat.core.graph import Graph
from tf1compat.formats import tfprof_pb2

_ROOT = "_TFProfRoot"
_TRAINABLE = "_trainable_variables"
# Attribute -> (what it is called, in the header, in the lines by names, by types, its explanation).
_SHOWN = {
    "params": ("parameters", "# parameters", "params", "params",
               "param: Number of parameters (in the Variable)."),
    "float_ops": ("float_ops", "# float_ops", "flops", "float_ops",
                  "flops: Number of float operations. Note: Please read the implementation for "
                  "the math behind it."),
}  # fmt: skip
_VIEWS = {
    "scope": "scope: The nodes in the model graph are organized by their names, which is "
    "hierarchical like filesystem.",
    "op": "op: The nodes are operation kernel type, such as MatMul, Conv2D. Graph nodes belonging "
    "to the same type are aggregated together.",
}
_HEADER = (
    "max_depth min_bytes min_peak_bytes min_residual_bytes min_output_bytes min_micros "
    "min_accelerator_micros min_cpu_micros min_params min_float_ops min_occurrence step order_by "
    "account_type_regexes start_name_regexes trim_name_regexes show_name_regexes "
    "hide_name_regexes account_displayed_op_only select output"
).split()
_LINE = 30  # The width of a number with its shares, by types.


class _Node:
    """An operation, or a name scope (`op` is None).

    Attributes:
      own, total: {attribute: a number}.
    """

    def __init__(self, name: str, op: Any = None, types: tuple[str, ...] = (), flops: int = 0):
        self.name = name
        self.op = op
        self.types = types
        self.shape = _shape_attr(op)
        count = 0
        if self.shape is not None and -1 not in self.shape:
            # TF 1.15 takes a placeholder for parameters, too.
            count = math.prod(self.shape)
        self.own = {"params": count, "float_ops": flops}
        self.children: dict[str, _Node] = {}

    def is_counted(self, options: dict[str, Any]) -> bool:
        """Whether its type is one of those that are asked for."""
        wanted = options["account_type_regexes"]
        # Where all types are, scopes are counted, too.
        kinds = self.types or ("",)
        return any(re.fullmatch(regex, kind) for regex in wanted for kind in kinds)

    def is_shown(self, options: dict[str, Any], numbers: dict[str, int]) -> bool:
        """Whether its name, and numbers of it, are such as are asked for."""
        if numbers["params"] < options["min_params"]:
            return False
        if numbers["float_ops"] < options["min_float_ops"]:
            return False
        if _matches(self.name, options["hide_name_regexes"]):
            return False
        return _matches(self.name, options["show_name_regexes"])


def _matches(name: str, regexes: list[str]) -> bool:
    return any(re.fullmatch(regex, name) for regex in regexes)


def _shape_attr(op: Any) -> list[int] | None:
    """The attr "shape" of an operation, -1 for what is not known; None if it has none."""
    if op is None or "shape" not in op.node_def.attr:
        return None
    return [dim.size for dim in op.node_def.attr["shape"].shape.dim]


def _nodes(graph: Any, op_log: Any) -> list[_Node]:
    """The operations of a graph; an OpLogProto adds types and float operations."""
    trainable = {v.op.name for v in graph.get_collection(ops.GraphKeys.TRAINABLE_VARIABLES)}
    logged = {entry.name: entry for entry in op_log.log_entries} if op_log else {}
    found, unknown = [], 0
    for op in graph.get_operations():
        flops = 0
        try:
            flops = get_stats_for_node_def(graph, op.node_def, "flops").value or 0
        except ValueError:
            unknown += 1
        types = (op.type, *([_TRAINABLE] if op.name in trainable else []))
        if op.name in logged:
            flops = logged[op.name].float_ops or flops
            types += tuple(logged[op.name].types)
        found.append(_Node(op.name, op, types, int(flops)))
    if unknown:
        sys.stderr.write(f"{unknown} ops no flops stats due to incomplete shapes.\n")
    return found


def _proto(node: _Node, total: dict[str, int], children: list[Any]) -> Any:
    found = tfprof_pb2.GraphNodeProto(
        name=node.name, parameters=node.own["params"], float_ops=node.own["float_ops"],
        total_parameters=total["params"], total_float_ops=total["float_ops"], children=children,
    )  # fmt: skip
    found.total_definition_count = 1 + sum(child.total_definition_count for child in children)
    inputs: list[Any] = [] if node.op is None else list(node.op.inputs)
    for i, x in enumerate(inputs):
        if x.shape.is_fully_defined() and not x.dtype._is_ref_dtype:
            for size in x.shape.as_list() or [1]:
                found.input_shapes[i].dim.add(size=size)
    return found


def _ordered(nodes: list[_Node], options: dict[str, Any]) -> list[_Node]:
    by = options["order_by"]
    named = sorted(nodes, key=lambda node: node.name)
    return sorted(named, key=lambda node: -node.own[by]) if by in _SHOWN else named


def _by_scopes(nodes: list[_Node], options: dict[str, Any]) -> tuple[Any, list[str]]:
    """A GraphNodeProto of nested names, and its lines."""
    root = _Node(_ROOT)
    for node in nodes:
        parts = node.name.split("/")
        parent = root
        for i in range(1, len(parts)):
            name = "/".join(parts[:i])
            parent = parent.children.setdefault(name, _Node(name))
        if node.name in parent.children:
            node.children = parent.children[node.name].children
        parent.children[node.name] = node
    shown = _shown(root, options, 0)
    assert len(shown) == 1
    return shown[0][0], shown[0][1]


def _shown(node: _Node, options: dict[str, Any], depth: int) -> list[tuple[Any, list[str]]]:
    """What is shown of a node: itself, or else what is shown below it."""
    below: list[tuple[Any, list[str]]] = []
    if depth + 1 < options["max_depth"] and not _matches(node.name, options["trim_name_regexes"]):
        for child in node.children.values():
            below += _shown(child, options, depth + 1)
    is_root = node.name == _ROOT
    counted = node.is_counted(options) or (node.op is None and below)
    if not is_root and not (counted and node.is_shown(options, node.own)):
        return below
    key = options["order_by"]
    below.sort(key=lambda pair: pair[0].name)
    if key in _SHOWN:
        field = f"total_{_SHOWN[key][0]}"
        below.sort(key=lambda pair: -getattr(pair[0], field))
    total = dict(node.own)
    for proto, _ in below:
        total["params"] += proto.total_parameters
        total["float_ops"] += proto.total_float_ops
    made = _proto(node, total, [proto for proto, _ in below])
    lines = [_scope_line(node, total, options)]
    lines += ["  " + line for _, some in below for line in some]
    return [(made, lines)]


def _number(value: int) -> str:
    for limit, size, unit in ((10**3, 1, ""), (10**6, 10**3, "k"), (10**9, 10**6, "m")):
        if value < limit:
            return f"{value / size:.2f}{unit}" if unit else str(value)
    return f"{value / 1e9:.2f}b"


def _columns(options: dict[str, Any]) -> list[str]:
    return [key for key in _SHOWN if key in options["select"]]


def _scope_line(node: _Node, total: dict[str, int], options: dict[str, Any]) -> str:
    parts = []
    for key in _columns(options):
        if key == "params" and node.shape is not None:
            parts.append("x".join(map(str, node.shape)) or "1")
        counted = node.name != _ROOT and node.is_counted(options)
        own = _number(node.own[key]) if counted else "--"
        parts.append(f"{own}/{_number(total[key])} {_SHOWN[key][2]}")
    return f"{node.name} ({', '.join(parts)})"


def _by_types(nodes: list[_Node], options: dict[str, Any]) -> tuple[Any, list[str]]:
    """A MultiGraphNodeProto of operations' types, each within the one before it, and its lines."""
    groups: dict[str, list[_Node]] = {}
    for node in nodes:
        if node.is_counted(options):
            groups.setdefault(node.op.type, []).append(node)
    sums = [_Node(kind) for kind in groups]
    for group in sums:
        for key in group.own:
            group.own[key] = sum(node.own[key] for node in groups[group.name])
    root = tfprof_pb2.MultiGraphNodeProto(name=_ROOT)
    rest, rows = {key: sum(each.own[key] for each in sums) for key in _SHOWN}, []
    for row in _ordered(sums, options):
        if row.is_shown(options, rest):
            rows.append(row)
        rest = {key: rest[key] - row.own[key] for key in rest}
    whole = {key: sum(row.own[key] for row in rows) for key in _SHOWN}
    rest, parent, lines = dict(whole), root, []
    _set_totals(root, whole)
    for row in rows:
        parent = parent.children.add(
            name=row.name, parameters=row.own["params"], float_ops=row.own["float_ops"]
        )
        for node in sorted(groups[row.name], key=lambda node: node.name):
            if any(node.own.values()):
                parent.graph_nodes.append(_proto(node, node.own, []))
        _set_totals(parent, rest)
        texts = [_type_text(row.own[key], rest[key], whole[key], key) for key in _columns(options)]
        lines.append(f"{row.name:<25}" + ", ".join(texts))
        rest = {key: rest[key] - row.own[key] for key in rest}
    return root, lines


def _set_totals(proto: Any, total: dict[str, int]) -> None:
    proto.total_parameters, proto.total_float_ops = total["params"], total["float_ops"]


def _type_text(own: int, rest: int, whole: int, key: str) -> str:
    shares = [100 * value / whole if whole else 0.0 for value in (rest, own)]
    text = f"{_number(own)} {_SHOWN[key][3]} ({shares[0]:.2f}%, {shares[1]:.2f}%)"
    return text.rjust(_LINE)


def _header(options: dict[str, Any]) -> Iterator[str]:
    yield "\n=========================Options============================="
    for key in _HEADER:
        value = options.get(key, 0)
        if isinstance(value, bool):
            value = str(value).lower()
        text = ",".join(value) if isinstance(value, list) else str(value)
        yield f"-{key:<27}{text}{':' if key == 'output' else ''}"
    yield "\n==================Model Analysis Report======================"


def _report(cmd: str, options: dict[str, Any], lines: list[str]) -> Iterator[str]:
    yield "\nDoc:"
    yield _VIEWS[cmd]
    yield from (_SHOWN[key][4] for key in options["select"])
    yield "\nProfile:"
    yield "node name | " + " | ".join(_SHOWN[key][1] for key in _columns(options))
    yield from lines


@tf_export("profiler.profile")
def profile(
    graph: Graph | None = None, run_meta: Any = None, op_log: Any = None, cmd: str = "scope",
    options: Any = 0,
) -> Any:  # fmt: skip
    """Counts parameters and float operations, and prints them (as in TF 1.15).

    Args:
      graph: a `Graph`; the default graph by default.
      run_meta: not supported, as time and memory are not measured.
      op_log: an `OpLogProto` with types and float operations of operations.
      cmd: "scope" for nested names, "op" for the types of operations.
      options: those of a `ProfileOptionBuilder`; the parameters of trainable variables by default.

    Returns:
      A `GraphNodeProto` for "scope", a `MultiGraphNodeProto` for "op".

    Raises:
      InvalidArgumentError: there is no such `cmd`.
      NotImplementedError: what is asked for is not supported.
    """
    if graph is None and not context.executing_eagerly():
        graph = ops.get_default_graph()
    if cmd not in ("scope", "op", "graph", "code"):
        raise errors.InvalidArgumentError(None, None, f"unknown cmd: {cmd}\n")
    if cmd not in _VIEWS:
        _refuse(f"cmd={cmd!r}")
    if run_meta is not None:
        _refuse("run_meta")
    options = ProfileOptionBuilder.trainable_variables_parameter() | (options or {})
    options["select"] = sorted(options["select"])
    if options["min_occurrence"] > 1:
        _refuse("min_occurrence")
    for key in options["select"]:
        if key not in _SHOWN:
            _refuse(f"the attribute {key!r}")
    kind, _, path = options["output"].partition(":outfile=")
    if kind not in ("none", "stdout", "file"):
        _refuse(f"the output {kind!r}")
    print("Parsing Inputs...")
    nodes = _nodes(graph, op_log)
    proto, lines = (_by_scopes if cmd == "scope" else _by_types)(nodes, options)
    report = "\n".join(_report(cmd, options, lines)) + "\n"
    if kind == "file":
        with open(path, "w") as file:
            file.write(report)
    elif kind == "stdout":
        print(*_header(options), report, sep="\n")
        print("======================End of Report==========================")
    return proto


def _refuse(what: str) -> None:
    raise NotImplementedError(
        f"tf.profiler.profile: {what} is not supported by tf1compat, which counts parameters and "
        "float operations by names or by types (cmd='scope' or 'op'); jax.profiler measures time "
        "and memory"
    )


@tf_export("profiler.Profiler")
class Profiler:
    """The profiles of a graph; see `profile`.

    Args:
      graph: a `Graph`; the default graph by default.
      op_log: an `OpLogProto`.
    """

    def __init__(self, graph: Graph | None = None, op_log: Any = None):
        if graph is None and not context.executing_eagerly():
            graph = ops.get_default_graph()
        self._graph = graph
        self._op_log = op_log

    def add_step(self, step: int, run_meta: Any) -> None:
        """Not supported, as time and memory are not measured."""
        del step, run_meta
        _refuse("run_meta")

    def profile_python(self, options: Any) -> Any:
        """Not supported."""
        return self._profile("code", options)

    def profile_operations(self, options: Any) -> Any:
        """A `MultiGraphNodeProto` of the types of operations."""
        return self._profile("op", options)

    def profile_name_scope(self, options: Any) -> Any:
        """A `GraphNodeProto` of nested names."""
        return self._profile("scope", options)

    def profile_graph(self, options: Any) -> Any:
        """Not supported."""
        return self._profile("graph", options)

    def _profile(self, cmd: str, options: Any) -> Any:
        return profile(self._graph, op_log=self._op_log, cmd=cmd, options=options)
