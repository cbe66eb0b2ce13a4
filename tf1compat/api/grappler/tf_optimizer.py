"""Optimizes a graph apart from any run (`tensorflow.python.grappler.tf_optimizer`).

Of TF's passes there are those that take away what isn't needed, and that work out what follows
from constants. An optimization that is asked for by name and isn't there is refused; one that TF
would only do by default is left undone.  (What runs is optimized in another way, by XLA.)
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from tf1compat.api.grappler import cluster as gcluster
from tf1compat.api.grappler.item import Analysis, Item
from tf1compat.api.tools.graph_transforms import constant_values
from tf1compat.api.tools.graph_transforms_base import (
    Context,
    const_node,
    data_inputs,
    graph_of,
    is_stateful,
    needed_nodes,
    node_of,
    sorted_nodes,
)
from tf1compat.core import errors, protos
from tf1compat.core.export import required
from tf1compat.core.operation import Operation
from tf1compat.core.tensor_shape import TensorShape

_logger = logging.getLogger("tensorflow")
# Where the switch of a pass is in a RewriterConfig; none of these is there.
_SWITCHES = {
    "layout_optimizer": "layout",
    "remapping": "remap",
    "shape_optimization": "shape",
    "arithmetic_optimization": "arithmetic",
    "dependency_optimization": "dependency",
    "loop_optimization": "loop",
    "function_optimization": "function",
    "debug_stripper": "debug_stripper",
    "scoped_allocator_optimization": "scoped_allocator",
    "pin_to_host_optimization": "pin_to_host",
    "auto_mixed_precision": "auto_mixed_precision",
}
_REFUSED = {*_SWITCHES.values(), "memory", "autoparallel"}
_DEFAULT, _ON, _OFF = 0, 1, 2  # RewriterConfig.Toggle; 3 is "aggressive".
_FEWEST_NODES = 4
_LARGEST = 10 * 2**20  # bytes of a constant that is worked out
# Op type -> its value for a static shape, None if that isn't known.
_OF_SHAPES: dict[str, Callable[[TensorShape], Any]] = {
    "Shape": lambda shape: shape.as_list() if shape.is_fully_defined() else None,
    "Size": lambda shape: shape.num_elements(),
    "Rank": lambda shape: shape.rank,
}
_FORWARDING = ("Identity", "StopGradient", "PreventGradient", "Snapshot")
# What a constant may not be made of, although its inputs are constants.
_NOT_FOLDED = frozenset(
    ("Enter", "Exit", "LoopCond", "Merge", "NextIteration", "RefSwitch", "Switch")
)


def OptimizeGraph(
    config_proto: Any,
    metagraph: Any,
    verbose: bool = True,
    graph_id: bytes = b"graph_to_optimize",
    cluster: gcluster.Cluster | None = None,
) -> Any:
    """What is left of a graph if only some of it is wanted, with less to be done.

    Args:
      config_proto: a `ConfigProto`; its `graph_options.rewrite_options` say which optimizations are
        done: "pruning" and "constfold" by their names in `optimizers`, or both unless
        `disable_model_pruning` and `constant_folding` are against it.
      metagraph: a `MetaGraphDef`; its collection "train_op" says what is wanted.
      verbose: whether what was done is logged.
      graph_id: a name of the graph, for the log.
      cluster: a `Cluster` where it could run, or None for this machine.

    Returns:
      A `GraphDef`, each node after its inputs.

    Raises:
      TypeError: `config_proto` is none.
      InvalidArgumentError: the metagraph doesn't say what is wanted.
      NotImplementedError: an optimization is asked for that tf1compat hasn't.
    """
    if not isinstance(config_proto, required("ConfigProto")):
        raise TypeError(f"Expected config_proto to be a ConfigProto, saw type {type(config_proto)}")
    if cluster is None:
        cluster = gcluster.Cluster()
    passes = _passes(config_proto.graph_options.rewrite_options)
    try:
        analysis = Item(metagraph).tf_item
    except errors.InvalidArgumentError:
        text = "Failed to import metagraph, check error log for more info."
        raise errors.InvalidArgumentError(None, None, text) from None
    graph_def = analysis.graph_def
    wanted = config_proto.graph_options.rewrite_options.min_graph_nodes or _FEWEST_NODES
    if len(graph_def.node) >= wanted:
        graph_def = _with_known_shapes(graph_def, analysis)
        for optimize in passes:
            graph_def = optimize(graph_def, analysis)
        graph_def = graph_of(sorted_nodes(graph_def, False), graph_def.library)
    graph_def.versions.CopyFrom(metagraph.graph_def.versions)
    if verbose:
        counts = f"{len(analysis.graph_def.node)} -> {len(graph_def.node)} nodes"
        _logger.info("Optimized %s: %s", graph_id.decode(errors="replace"), counts)
    return graph_def


def _passes(options: Any) -> list[Callable[[Any, Analysis], Any]]:
    """The optimizations that a `RewriterConfig` asks for.

    Raises:
      NotImplementedError: one of them isn't there.
    """
    if options.disable_meta_optimizer:
        return []
    custom = [optimizer.name for optimizer in options.custom_optimizers]
    named = [*options.optimizers, *custom]
    refused = [name for name in named if name in _REFUSED] + custom
    refused += [
        name
        for switch, name in _SWITCHES.items()
        if getattr(options, switch) not in (_DEFAULT, _OFF)
    ]
    if options.memory_optimization > 1 or options.auto_parallel.enable:
        refused.append("memory" if options.memory_optimization > 1 else "autoparallel")
    if refused:
        raise NotImplementedError(
            "grappler.tf_optimizer.OptimizeGraph in tf1compat prunes and folds constants, and "
            f"doesn't do {', '.join(dict.fromkeys(refused))}"
        )
    if options.optimizers:
        known = {"pruning": _prune, "constfold": _fold}
        return [known[name] for name in options.optimizers if name in known]
    passes = [] if options.disable_model_pruning else [_prune]
    if options.constant_folding != _OFF:
        passes.append(_fold)
    return passes


def _prune(graph_def: Any, analysis: Analysis) -> Any:
    """Takes away what nothing that is kept needs, and what only hands a tensor on."""
    kept = analysis.kept
    nodes = _needed(graph_def, kept)
    idle = {node.name for node in nodes if node.op == "NoOp" and not node.input} - kept
    nodes = [
        _with_inputs(node, [name for name in node.input if node_of(name) not in idle])
        for node in nodes
        if node.name not in idle
    ]
    waited_for = {node_of(name) for node in nodes for name in node.input if name.startswith("^")}
    forwarded = {
        node.name: node.input[0]
        for node in nodes
        if node.op in _FORWARDING
        and len(node.input) == 1
        and node.name not in kept | waited_for
        and not _is_marked(node, analysis)
    }
    rest = [
        _with_inputs(node, [_source(name, forwarded) for name in node.input])
        for node in nodes
        if node.name not in forwarded
    ]
    return graph_of(rest, graph_def.library)


def _with_inputs(node: Any, names: list[str]) -> Any:
    copy = protos.NodeDef()
    copy.CopyFrom(node)
    copy.input[:] = names
    return copy


def _is_marked(node: Any, analysis: Analysis) -> bool:
    """Whether what a node hands on is more than a tensor that could be had at its source: a
    reference, or one that is there on one branch, in one frame or on another device alone."""
    source = analysis.graph.get_tensor_by_name(_tensor_name(node.input[0]))
    return (
        source.dtype._is_ref_dtype
        or source.op.type in _NOT_FOLDED
        or source.op.device != node.device
    )


def _with_known_shapes(graph_def: Any, analysis: Analysis) -> Any:
    """Makes constants of the shapes that are known."""
    result = []
    for node in graph_def.node:
        op = analysis.graph.get_operation_by_name(node.name)
        value = _OF_SHAPES[node.op](op.inputs[0].shape) if node.op in _OF_SHAPES else None
        if value is not None:
            (output,) = op.outputs
            array = np.asarray(value, output.dtype.as_numpy_dtype)
            const = const_node(node.name, array, output.dtype)
            const.device = node.device
            controls = [name for name in node.input if name.startswith("^")]
            node = _with_inputs(const, controls)
        result.append(node)
    return graph_of(result, graph_def.library)


def _fold(graph_def: Any, analysis: Analysis) -> Any:
    """Makes constants of what follows from constants."""
    kept = analysis.kept
    stays = kept - {node_of(name) for name in analysis.fetches}
    constants = {node.name for node in graph_def.node if node.op == "Const"}
    folded: list[Any] = []
    for node in sorted_nodes(graph_def, False):
        sources = {node_of(name) for name in data_inputs(node)}
        if node.name not in stays and sources and sources <= constants:
            if _is_foldable(node, analysis.graph.get_operation_by_name(node.name)):
                constants.add(node.name)
                folded.append(node)
    used = {
        node_of(name)
        for node in graph_def.node
        if node.name not in constants
        for name in node.input
    }
    wanted = [node.name for node in folded if node.name in used | kept]
    controls = _controls([node for node in graph_def.node if node.op == "Const"], folded)
    devices = {node.name: node.device for node in folded}
    made = {}
    for name, (value, dtype) in constant_values(_without_controls(graph_def), wanted).items():
        const = _with_inputs(const_node(name, value, dtype), controls[name])
        const.device = devices[name]
        made[name] = const
    result = graph_of([made.get(node.name, node) for node in graph_def.node], graph_def.library)
    return graph_of(_needed(result, kept), graph_def.library)


def _without_controls(graph_def: Any) -> Any:
    nodes = [_with_inputs(node, data_inputs(node)) for node in graph_def.node]
    return graph_of(nodes, graph_def.library)


def _is_foldable(node: Any, op: Operation) -> bool:
    """Whether a value may stand for a node: it is one small tensor that always is the same."""
    return (
        len(op.outputs) == 1
        and node.op not in _NOT_FOLDED
        and not is_stateful(node)
        and op.outputs[0].dtype.is_numpy_compatible
        and op.outputs[0].dtype.size * (op.outputs[0].shape.num_elements() or 0) <= _LARGEST
    )


def _controls(consts: Iterable[Any], folded: Iterable[Any]) -> dict[str, list[str]]:
    """What each of some nodes waits for, by itself or by another of them or a constant.

    Args:
      consts: the constants.
      folded: the nodes, each after its inputs.

    Returns:
      Name of a node -> control inputs.
    """
    found: dict[str, list[str]] = {}
    for node in (*consts, *folded):
        waits = [[name] if name.startswith("^") else found[node_of(name)] for name in node.input]
        found[node.name] = list(dict.fromkeys(name for names in waits for name in names))
    return found


def _needed(graph_def: Any, names: Iterable[str]) -> list[Any]:
    return needed_nodes(graph_def, Context((), list(names), {}))


def _source(name: str, forwarded: dict[str, str]) -> str:
    """What a tensor is, once nodes that only hand on another one are gone."""
    while name in forwarded:
        name = forwarded[name]
    return name


def _tensor_name(name: str) -> str:
    return name if ":" in name else f"{name}:0"
