"""Graph transforms that make one convolution of what is around it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from tf1compat.api.tools.graph_transforms_base import (
    Context,
    const_node,
    data_inputs,
    node_of,
    replaced,
    value_of,
)
from tf1compat.core import dtypes, protos

# An operation's types, and what its inputs are made by: () is anything.
_Pattern = tuple[str, tuple["_Pattern", ...]] | tuple[()]
_ANY: _Pattern = ()


def _found(pattern: _Pattern, node: Any, nodes: Mapping[str, Any]) -> list[Any] | None:
    """The nodes of a pattern with this one at its head, each before its inputs; None if it is not.

    Operations that have more inputs, or fewer, are others.
    """
    if not pattern:
        return [node]
    ops, inputs = pattern
    sources = data_inputs(node)
    if node.op not in ops.split("|") or len(sources) != len(inputs):
        return None
    parts = [node]
    for wanted, name in zip(inputs, sources, strict=True):
        found = _found(wanted, nodes[node_of(name)], nodes)
        if found is None:
            return None
        parts += found
    return parts


def _fusing(pattern: _Pattern, fuse: Callable[..., Sequence[Any]]) -> Callable[[Any, Context], Any]:
    """A transform that puts other nodes in the place of those of a pattern."""

    def match(node: Any, nodes: Mapping[str, Any]) -> Sequence[Any] | None:
        return _found(pattern, node, nodes)

    def transform(graph_def: Any, context: Context) -> Any:
        return replaced(graph_def, match, fuse)

    return transform


def _with_attrs(op: str, name: str, inputs: Sequence[str], attrs_of: Any, *attrs: str) -> Any:
    """A node with some of another one's attributes."""
    node = protos.NodeDef(op=op, name=name)
    node.input.extend(inputs)
    for attr in attrs:
        node.attr[attr].CopyFrom(attrs_of.attr[attr])
    return node


def _flatten_atrous(head: Any, conv: Any, batch: Any, *parts: Any) -> list[Any]:
    """A dilated convolution: its filter with zeros between, on the image as it is.

    As in TF, its padding is "SAME" whatever it was.
    """
    source, block, _, weights, *_ = parts
    if block.op != "Const" or weights.op != "Const":
        return [head, conv, batch, *parts]
    rows, columns = (int(size) for size in value_of(block))
    values = value_of(weights)
    height, width = values.shape[:2]
    sizes = (height - 1) * rows + 1, (width - 1) * columns + 1
    spread = np.zeros((*sizes, *values.shape[2:]), values.dtype)
    spread[::rows, ::columns] = values
    dtype = dtypes.as_dtype(weights.attr["dtype"].type)
    attrs = ["T", "data_format", "strides"]
    if conv.op == "Conv2D":
        attrs.append("use_cudnn_on_gpu")
    flat = _with_attrs(conv.op, head.name, [batch.input[0], weights.name], conv, *attrs)
    flat.attr["padding"].s = b"SAME"
    return [source, const_node(weights.name, spread, dtype), flat]


def _fuse_pad(conv: Any, pad: Any, source: Any, paddings: Any, weights: Any) -> list[Any]:
    """A padded convolution, as one operation."""
    inputs = [*pad.input[:2], conv.input[1]]
    fused = _with_attrs("FusedPadConv2D", conv.name, inputs, conv, "T", "strides", "padding")
    fused.attr["mode"].CopyFrom(pad.attr["mode"])
    return [weights, source, paddings, fused]


def _fuse_resize(conv: Any, resize: Any, source: Any, size: Any, weights: Any) -> list[Any]:
    """A convolution of a resized image, as one operation, which pads by nothing."""
    name = f"{conv.name}_dummy_paddings"
    paddings = const_node(name, np.zeros((4, 2), np.int32), dtypes.int32)
    fused = _resizing(conv, resize, name)
    fused.attr["mode"].s = b"REFLECT"
    return [source, size, weights, paddings, fused]


def _fuse_resize_and_pad(
    conv: Any, pad: Any, resize: Any, source: Any, size: Any, paddings: Any, weights: Any
) -> list[Any]:
    """A convolution of an image that is resized and padded, as one operation."""
    fused = _resizing(conv, resize, pad.input[1])
    fused.attr["mode"].CopyFrom(pad.attr["mode"])
    return [source, size, weights, paddings, fused]


def _resizing(conv: Any, resize: Any, paddings: str) -> Any:
    inputs = [*resize.input[:2], paddings, conv.input[1]]
    attrs = "T", "strides", "padding"
    fused = _with_attrs("FusedResizeAndPadConv2D", conv.name, inputs, conv, *attrs)
    fused.attr["resize_align_corners"].CopyFrom(resize.attr["align_corners"])
    return fused


_RESIZED: _Pattern = ("ResizeBilinear", (_ANY, _ANY))
TRANSFORMS = {
    "flatten_atrous_conv": _fusing(
        (
            "BatchToSpaceND",
            (
                (
                    "Conv2D|DepthwiseConv2dNative",
                    (("SpaceToBatchND", (_ANY, _ANY, _ANY)), _ANY),
                ),
                _ANY,
                _ANY,
            ),
        ),
        _flatten_atrous,
    ),
    "fuse_pad_and_conv": _fusing(("Conv2D", (("MirrorPad", (_ANY, _ANY)), _ANY)), _fuse_pad),
    "fuse_resize_and_conv": _fusing(("Conv2D", (_RESIZED, _ANY)), _fuse_resize),
    "fuse_resize_pad_and_conv": _fusing(
        ("Conv2D", (("MirrorPad", (_RESIZED, _ANY)), _ANY)), _fuse_resize_and_pad
    ),
}
