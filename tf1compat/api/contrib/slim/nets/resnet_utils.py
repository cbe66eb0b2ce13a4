"""What both forms of residual nets are made of."""

from __future__ import annotations

import collections
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.framework.arg_scope import add_arg_scope, arg_scope
from tf1compat.api.contrib.layers import initializers, layers, regularizers, utils
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.variables import variable_scope
from tf1compat.core import ops


class Block(collections.namedtuple("Block", ["scope", "unit_fn", "args"])):
    """A block of residual units: its scope, the function that makes a unit, and a dict of that
    function's arguments for each unit."""


def subsample(inputs: Any, factor: int, scope: Any = None) -> Any:
    """Every `factor`-th row and column of images."""
    return inputs if factor == 1 else layers.max_pool2d(inputs, [1, 1], stride=factor, scope=scope)


def conv2d_same(
    inputs: Any, num_outputs: int, kernel_size: int, stride: int, rate: int = 1, scope: Any = None
) -> Any:
    """A convolution that pads alike whatever the size of the images, where it strides.

    Args:
      inputs: images, [batch, height, width, channels].
      num_outputs: the number of channels of the result.
      kernel_size: the side of the kernel.
      stride: the stride.
      rate: the dilation.
      scope: the variable scope.
    """
    if stride == 1:
        return layers.conv2d(
            inputs, num_outputs, kernel_size, stride=1, rate=rate, padding="SAME", scope=scope
        )
    padding = (kernel_size - 1) * rate
    sides = [padding // 2, padding - padding // 2]
    inputs = array_ops.pad(inputs, [[0, 0], sides, sides, [0, 0]])
    return layers.conv2d(
        inputs, num_outputs, kernel_size, stride=stride, rate=rate, padding="VALID", scope=scope
    )


@add_arg_scope
def stack_blocks_dense(
    net: Any, blocks: Any, output_stride: Any = None, outputs_collections: Any = None
) -> Any:
    """Applies blocks one after the other, dilated where the stride wished for is reached.

    Args:
      net: what they are applied to.
      blocks: a list of `Block`.
      output_stride: how much smaller the result is; as the blocks have it by default.
      outputs_collections: where the blocks' outputs are added.

    Raises:
      ValueError: the blocks don't make that stride.
    """
    stride = rate = 1
    for block in blocks:
        with variable_scope.variable_scope(block.scope, "block", [net]) as sc:
            for i, unit in enumerate(block.args):
                if output_stride is not None and stride > output_stride:
                    raise ValueError("The target output_stride cannot be reached.")
                with variable_scope.variable_scope(f"unit_{i + 1}", values=[net]):
                    if output_stride is not None and stride == output_stride:
                        net = block.unit_fn(net, rate=rate, **{**unit, "stride": 1})
                        rate *= unit.get("stride", 1)
                    else:
                        net = block.unit_fn(net, rate=1, **unit)
                        stride *= unit.get("stride", 1)
            net = utils.collect_named_outputs(outputs_collections, sc.name, net)
    if output_stride is not None and stride != output_stride:
        raise ValueError("The target output_stride cannot be reached.")
    return net


def resnet_arg_scope(
    weight_decay: Any = 0.0001, batch_norm_decay: Any = 0.997, batch_norm_epsilon: Any = 1e-05,
    batch_norm_scale: Any = True,
) -> Any:  # fmt: skip
    """The arg scope that the nets are made in.

    Args:
      weight_decay: the weight of the l2 losses.
      batch_norm_decay, batch_norm_epsilon, batch_norm_scale: of the batch normalization.
    """
    settings = {
        "decay": batch_norm_decay,
        "epsilon": batch_norm_epsilon,
        "scale": batch_norm_scale,
        "updates_collections": ops.GraphKeys.UPDATE_OPS,
    }
    with (
        arg_scope(
            [layers.conv2d],
            weights_regularizer=regularizers.l2_regularizer(weight_decay),
            weights_initializer=initializers.variance_scaling_initializer(),
            activation_fn=nn_ops.relu,
            normalizer_fn=layers.batch_norm,
            normalizer_params=settings,
        ),
        arg_scope([layers.batch_norm], **settings),
        arg_scope([layers.max_pool2d], padding="SAME") as scope,
    ):
        return scope


def halved_stride(output_stride: Any) -> Any:
    """The stride of the blocks where the layers before them make a stride of 4."""
    if output_stride is None:
        return None
    if output_stride % 4 != 0:
        raise ValueError("The output_stride needs to be a multiple of 4.")
    return output_stride / 4


def bottleneck_block(
    bottleneck: Any, scope: str, base_depth: int, num_units: int, stride: int
) -> Block:
    """A block of bottleneck units, the last of which strides."""

    def unit(stride: int) -> dict[str, int]:
        return {"depth": base_depth * 4, "depth_bottleneck": base_depth, "stride": stride}

    return Block(scope, bottleneck, [unit(1)] * (num_units - 1) + [unit(stride)])


def four_blocks(block: Any, num_units: list[int]) -> list[Any]:
    """The blocks of a net, made by `block`, of so many units."""
    return [
        block(f"block{i + 1}", base_depth=64 * 2**i, num_units=n, stride=1 + (i < 3))
        for i, n in enumerate(num_units)
    ]


def head(net: Any, num_classes: Any, global_pool: bool, collection: str) -> tuple[Any, Any]:
    """What follows the blocks: the logits or features, and the outputs of the layers by name."""
    if global_pool:
        net = math_ops.reduce_mean(net, [1, 2], name="pool5", keepdims=True)
    if num_classes is not None:
        net = layers.conv2d(
            net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None,
            scope="logits",
        )  # fmt: skip
    end_points = utils.convert_collection_to_dict(collection)
    if num_classes is not None:
        end_points["predictions"] = layers.softmax(net, scope="predictions")
    return net, end_points
