"""`tensorflow.python.tools.optimize_for_inference_lib`: a frozen graph made smaller."""

from __future__ import annotations

import collections
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from tf1compat.api.framework import graph_util_impl
from tf1compat.api.platform import tf_logging
from tf1compat.api.tools import strip_unused_lib
from tf1compat.core import protos, tensor_proto

# The inputs of what normalizes batches, and its attribute that is the epsilon.
INPUT_ORDER = {
    "BatchNormWithGlobalNormalization": ["conv_op", "mean_op", "var_op", "beta_op", "gamma_op"],
    "FusedBatchNorm": ["conv_op", "gamma_op", "beta_op", "mean_op", "var_op"],
}
EPSILON_ATTR = {
    "BatchNormWithGlobalNormalization": "variance_epsilon",
    "FusedBatchNorm": "epsilon",
}


def optimize_for_inference(
    input_graph_def: Any,
    input_node_names: Sequence[str],
    output_node_names: Sequence[str],
    placeholder_type_enum: Any,
    toco_compatible: bool = False,
) -> Any:
    """Strips a frozen graph, folds its batch normalizations, fuses what comes before convolutions
    (as in TF 1.15).

    Args:
      input_graph_def, input_node_names, output_node_names, placeholder_type_enum: see
        `strip_unused_lib.strip_unused`.
      toco_compatible: leaves out the fusing.

    Returns:
      A `GraphDef`.

    Raises:
      ValueError: the graph is badly formed.
    """
    ensure_graph_is_valid(input_graph_def)
    graph_def = strip_unused_lib.strip_unused(
        input_graph_def, input_node_names, output_node_names, placeholder_type_enum
    )
    graph_def = graph_util_impl.remove_training_nodes(graph_def, output_node_names)
    graph_def = fold_batch_norms(graph_def)
    if not toco_compatible:
        graph_def = fuse_resize_and_conv(graph_def, output_node_names)
    ensure_graph_is_valid(graph_def)
    return graph_def


def ensure_graph_is_valid(graph_def: Any) -> None:
    """Checks that names are unique and inputs exist.

    Raises:
      ValueError: one isn't, or doesn't.
    """
    nodes = _node_map(graph_def)
    for node in graph_def.node:
        for name in node.input:
            if node_name_from_input(name) not in nodes:
                raise ValueError("Input for ", node.name, " not found: ", name)


def _node_map(graph_def: Any) -> dict[str, Any]:
    nodes: dict[str, Any] = {}
    for node in graph_def.node:
        if node.name in nodes:
            raise ValueError("Duplicate node names detected for ", node.name)
        nodes[node.name] = node
    return nodes


def node_name_from_input(node_name: str) -> str:
    """The node's name in an input such as "^name" or "name:1"."""
    return re.sub(r":\d+$", "", node_name.removeprefix("^"))


def node_from_map(node_map: dict[str, Any], name: str) -> Any:
    """The node that an input comes from.

    Raises:
      ValueError: there is none.
    """
    stripped = node_name_from_input(name)
    if stripped not in node_map:
        raise ValueError(f"No node named '{name}' found in map.")
    return node_map[stripped]


def values_from_const(node_def: Any) -> np.ndarray:
    """The value of a Const node.

    Raises:
      ValueError: it is another one.
    """
    if node_def.op != "Const":
        raise ValueError(
            f"Node named '{node_def.name}' should be a Const op for values_from_const."
        )
    return tensor_proto.make_ndarray(node_def.attr["value"].tensor)


def scale_after_normalization(node: Any) -> bool:
    """Whether a batch normalization multiplies by gamma."""
    if node.op == "BatchNormWithGlobalNormalization":
        return node.attr["scale_after_normalization"].b
    return True


def fold_batch_norms(input_graph_def: Any) -> Any:
    """Folds batch normalizations by constants into the convolutions before them.

    What does not have the expected form stays as it is, with a warning.

    Raises:
      ValueError: names are not unique.
    """
    nodes = _node_map(input_graph_def)
    gone: set[str] = set()
    added: list[Any] = []
    for node in input_graph_def.node:
        if node.op in INPUT_ORDER:
            folded = _fold(node, nodes)
            if folded is not None:
                gone |= folded[0]
                added += folded[1]
    return _replaced(input_graph_def, gone, added)


def _replaced(graph_def: Any, gone: set[str], added: Sequence[Any]) -> Any:
    result = protos.GraphDef()
    result.node.extend(node for node in graph_def.node if node.name not in gone)
    result.node.extend(added)
    return result


def _fold(norm: Any, nodes: dict[str, Any]) -> tuple[set[str], list[Any]] | None:
    """The nodes that folding one normalization takes out and brings; None if it can't be."""
    order = INPUT_ORDER[norm.op]
    sources = {name: node_from_map(nodes, norm.input[i]) for i, name in enumerate(order)}
    conv = sources.pop("conv_op")
    if conv.op not in ("Conv2D", "DepthwiseConv2dNative"):
        tf_logging.warning(
            f"Didn't find expected Conv2D or DepthwiseConv2dNative input to '{norm.name}'"
        )
        return None
    weights_op = node_from_map(nodes, conv.input[1])
    if not _is_const(weights_op, "conv", conv):
        return None
    weights = values_from_const(weights_op)
    channels = weights.shape[3] if conv.op == "Conv2D" else weights.shape[2] * weights.shape[3]
    values = {}
    for kind in ("mean", "var", "beta", "gamma"):
        source = sources[f"{kind}_op"]
        if not _is_const(source, kind, norm):
            return None
        values[kind] = values_from_const(source)
        if values[kind].shape != (channels,):
            tf_logging.warning(
                f"Incorrect shape for {kind}, found {values[kind].shape}, expected {(channels,)}, "
                f"for node {norm.name}"
            )
            return None
    epsilon = norm.attr[EPSILON_ATTR[norm.op]].f
    # In float64 for a moment, and rounded when it multiplies the weights, as TF does.
    scale = 1.0 / np.sqrt((values["var"] + epsilon).astype(np.float64))
    if scale_after_normalization(norm):
        scale = scale * values["gamma"]
    offset = -values["mean"] * scale + values["beta"]
    per_weight = scale if conv.op == "Conv2D" else scale.reshape(weights.shape[2:])
    scaled = (weights * per_weight).astype(weights.dtype)
    bias = protos.NodeDef(op="BiasAdd", name=norm.name)
    for attr in ("T", "data_format"):
        bias.attr[attr].CopyFrom(conv.attr[attr])
    new_offset = _const(f"{conv.name}_bn_offset", offset.astype(values["mean"].dtype))
    bias.input.extend([conv.name, new_offset.name])
    gone = {norm.name, conv.name, weights_op.name, *(node.name for node in sources.values())}
    return gone, [_const(weights_op.name, scaled), conv, new_offset, bias]


def _is_const(node: Any, what: str, of: Any) -> bool:
    if node.op == "Const":
        return True
    tf_logging.warning(
        f"Didn't find expected {what} Constant input to '{of.name}', found {node} instead. "
        "Maybe because freeze_graph wasn't run first?"
    )
    return False


def _const(name: str, value: np.ndarray) -> Any:
    proto = tensor_proto.make_tensor_proto(value, shape=value.shape)
    node = protos.NodeDef(op="Const", name=name)
    node.attr["dtype"].type = proto.dtype
    node.attr["value"].tensor.CopyFrom(proto)
    return node


def fuse_resize_and_conv(input_graph_def: Any, output_node_names: Sequence[str]) -> Any:
    """Makes bilinear resizing and mirror padding a part of the convolution after them.

    Raises:
      ValueError: names are not unique.
    """
    nodes = _node_map(input_graph_def)
    uses = collections.Counter(
        node_name_from_input(name) for node in input_graph_def.node for name in node.input
    )
    uses.update(output_node_names)
    added: list[Any] = []
    for conv in input_graph_def.node:
        if conv.op != "Conv2D":
            continue
        before: Any = node_from_map(nodes, conv.input[0])
        pad = before if before.op == "MirrorPad" else None
        resize: Any = before if pad is None else node_from_map(nodes, pad.input[0])
        if resize.op != "ResizeBilinear":
            resize = None
        if pad is None and resize is None:
            continue
        uses[conv.name] = 0
        for fused in (pad, resize):
            if fused is not None:
                uses[fused.name] -= 1
        added += _fused(conv, pad, resize)
    return _replaced(
        input_graph_def, {node.name for node in input_graph_def.node if uses[node.name] < 1}, added
    )


def _fused(conv: Any, pad: Any, resize: Any) -> list[Any]:
    fused = protos.NodeDef(
        op="FusedPadConv2D" if resize is None else "FusedResizeAndPadConv2D", name=conv.name
    )
    added = []
    if pad is None:
        paddings = _const(f"{conv.name}_dummy_paddings", np.zeros([4, 2], np.int32))
        added.append(paddings)
        fused.attr["mode"].s = b"REFLECT"
        paddings_name = paddings.name
    else:
        fused.attr["mode"].CopyFrom(pad.attr["mode"])
        paddings_name = pad.input[1]
    if resize is None:
        fused.input.extend([pad.input[0], paddings_name, conv.input[1]])  # pyright: ignore
    else:
        fused.input.extend([*resize.input[:2], paddings_name, conv.input[1]])
        fused.attr["resize_align_corners"].CopyFrom(resize.attr["align_corners"])
    for attr in ("T", "strides", "padding"):
        fused.attr[attr].CopyFrom(conv.attr[attr])
    return [*added, fused]
