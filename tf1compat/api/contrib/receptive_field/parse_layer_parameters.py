"""Kernel size, stride and padding of a node, across and down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tf1compat.api.platform import tf_logging as logging
from tf1compat.core.tensor_proto import make_ndarray

# These leave the receptive field as it is.
_UNCHANGED_RF_LAYER_OPS = (
    "Add AddV2 BiasAdd Cast Ceil ConcatV2 Const Floor FusedBatchNorm Identity Log Mul Pow RealDiv "
    "Relu Relu6 Round Rsqrt Softplus Sub VariableV2 LRN GreaterEqual"
).split()

_Pair = tuple[Any, Any]  # Across, down.


def _constant_input(node: Any, index: int, suffix: str, text: str, nodes: Mapping) -> Any:
    """The value of a constant input whose name ends with `suffix`."""
    name = node.input[index]
    if not name.endswith(suffix):
        raise ValueError(text)
    return nodes[name]


def _stride_size(node: Any, name_to_node: Mapping[str, Any]) -> _Pair:
    if node.op == "MaxPoolV2":
        text = "Strides name does not end with '/strides'"
        source = _constant_input(node, 2, "/strides", text, name_to_node)
        strides = make_ndarray(source.attr["value"].tensor)
    else:
        strides = node.attr["strides"].list.i
    return strides[2], strides[1]


def _conv_kernel_size(node: Any, name_to_node: Mapping[str, Any]) -> _Pair:
    name = node.input[1]
    if not name.endswith("/read"):
        raise ValueError("Weight layer's name input to conv layer does not end with '/read'")
    name = name.removesuffix("/read")
    weights = name_to_node[name]
    if weights.op == "VariableV2":
        dims = weights.attr["shape"].shape.dim
    elif weights.op == "Const":
        dims = weights.attr["value"].tensor.tensor_shape.dim
    else:
        raise ValueError(
            f"Weight layer {name} is not of type VariableV2 or Const: {weights.op}"
        )  # fmt: skip
    if len(dims) != 4:
        raise ValueError(f"Weight layer {name} does not have rank 4. Instead, it has: {len(dims)}")
    return dims[1].size, dims[0].size


def _pool_kernel_size(node: Any, name_to_node: Mapping[str, Any]) -> _Pair:
    if node.op == "MaxPoolV2":
        text = "Kernel size name does not end with '/ksize'"
        source = _constant_input(node, 1, "/ksize", text, name_to_node)
        sizes = make_ndarray(source.attr["value"].tensor)
    else:
        sizes = node.attr["ksize"].list.i
    for dim, name in ((0, "first"), (3, "last")):
        if sizes[dim] != 1:
            raise ValueError(f"pool ksize for {name} dim is not 1")
    return sizes[2], sizes[1]


def _padding_size_conv_pool(
    node: Any, kernel_size: Any, stride: Any, input_resolution: Any = None
) -> _Pair:
    """The padding in all, and that at the beginning; None where it hangs on an unknown size."""
    padding = node.attr["padding"].s
    if padding == b"VALID":
        return 0, 0
    if padding != b"SAME":
        raise ValueError(f"Invalid padding operation {padding}")
    if input_resolution is not None:
        covered = input_resolution % stride or stride
        total = max(int(kernel_size - covered), 0)
        return total, total // 2
    if kernel_size == 1:
        return 0, 0
    if stride == 1:
        return kernel_size - 1, (kernel_size - 1) // 2
    if stride == 2 and kernel_size % 2 == 0:
        return None, (kernel_size - 1) // 2
    logging.warning(
        "Padding depends on input size, which means that the effective padding may be different "
        "depending on the input image dimensionality. In this case, alignment check will be "
        "skipped. If you know the input resolution, please set it."
    )
    return None, None


def _padding_size_pad_layer(node: Any, name_to_node: Mapping[str, Any]) -> tuple[_Pair, _Pair]:
    """(padding in all, padding at the beginning), each across and down."""
    text = "Padding layer name does not end with '/paddings'"
    source = _constant_input(node, 1, "/paddings", text, name_to_node)
    if source.op != "Const":
        raise ValueError("Padding op is not Const")
    paddings = make_ndarray(source.attr["value"].tensor)
    for dim, name in ((0, "first"), (3, "last")):
        if paddings[dim].any():
            raise ValueError(f"padding is not zero for {name} tensor dim")
    down, across = paddings[1], paddings[2]
    return (across[0] + across[1], down[0] + down[1]), (across[0], down[0])


def get_layer_params(
    node: Any, name_to_node: Mapping[str, Any], input_resolution: Any = None, force: bool = False
) -> tuple[Any, ...]:
    """What a node does to a receptive field.

    Args:
      node: a NodeDef.
      name_to_node: all nodes by name.
      input_resolution: (height, width) of its input; or None.
      force: whether Nones are returned for an unknown op type.

    Returns:
      (kernel size, stride, padding at the beginning, padding in all), each across and down: eight
      ints. A padding that hangs on an unknown resolution is None.

    Raises:
      ValueError: the op type is unknown, or the node is not as it has to be.
    """
    kernel: _Pair = (1, 1)
    stride: _Pair = (1, 1)
    if node.op in ("Conv2D", "DepthwiseConv2dNative", "MaxPool", "MaxPoolV2", "AvgPool"):
        stride = _stride_size(node, name_to_node)
        kernel_size = _pool_kernel_size if "Pool" in node.op else _conv_kernel_size
        kernel = kernel_size(node, name_to_node)
        height, width = (None, None) if input_resolution is None else input_resolution
        across = _padding_size_conv_pool(node, kernel[0], stride[0], width)
        down = _padding_size_conv_pool(node, kernel[1], stride[1], height)
        total, padding = zip(across, down)
    elif node.op == "Pad":
        total, padding = _padding_size_pad_layer(node, name_to_node)
    elif node.op in _UNCHANGED_RF_LAYER_OPS:
        total = padding = (0, 0)
    elif force:
        return (None,) * 8
    else:
        raise ValueError(f"Unknown layer for operation '{node.name}': {node.op}")
    return (*kernel, *stride, *padding, *total)
