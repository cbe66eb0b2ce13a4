"""Residual nets with full preactivation (He et al., 2016, https://arxiv.org/abs/1603.05027)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.contrib.framework.arg_scope import add_arg_scope
from tf1compat.api.contrib.layers import layers, utils
from tf1compat.api.contrib.slim.nets import resnet_utils
from tf1compat.api.nn import nn_ops
from tf1compat.api.variables import variable_scope
from tf1compat.core.typing import Collections

resnet_arg_scope = resnet_utils.resnet_arg_scope


@add_arg_scope
def bottleneck(
    inputs: Any, depth: int, depth_bottleneck: int, stride: int, rate: int = 1,
    outputs_collections: Collections | None = None, scope: Any = None,
) -> Any:  # fmt: skip
    """A unit of three convolutions beside a shortcut, normalized and activated before them.

    Args:
      inputs: images, [batch, height, width, channels].
      depth: the number of channels of the result.
      depth_bottleneck: that of the convolutions within.
      stride: the stride of the second convolution.
      rate: its dilation.
      outputs_collections: where the result is added.
      scope: the variable scope.
    """
    with variable_scope.variable_scope(scope, "bottleneck_v2", [inputs]) as sc:
        added = resnet_utils.bottleneck_sum(
            inputs, _preactivated, depth, depth_bottleneck, stride, rate, activation_fn=None,
            normalizer_fn=None,
        )  # fmt: skip
        return utils.collect_named_outputs(outputs_collections, sc.name, added)


def _preactivated(inputs: Any) -> Any:
    return layers.batch_norm(inputs, activation_fn=nn_ops.relu, scope="preact")


def resnet_v2(
    inputs: Any, blocks: Any, num_classes: int | None = None, is_training: Any = True,
    global_pool: Any = True, output_stride: Any = None, include_root_block: Any = True,
    reuse: Any = None, scope: Any = None,
) -> tuple[Any, Any]:  # fmt: skip
    """A residual net.

    Args:
      inputs: images, [batch, height, width, channels].
      blocks: a list of `resnet_utils.Block`.
      num_classes: the number of classes; None for features.
      is_training: whether the batch normalization takes the batch's moments.
      global_pool: whether the mean over space is taken.
      output_stride: how much smaller the last features are; as the blocks have it by default.
      include_root_block: whether a convolution and a pooling come first.
      reuse: whether the variables are there.
      scope: the variable scope.

    Returns:
      The logits or features, and the outputs of the layers by name.

    Raises:
      ValueError: the net can't have that stride.
    """
    return resnet_utils.residual_net(
        inputs, blocks, num_classes, is_training, global_pool, output_stride, include_root_block,
        reuse, scope, default_scope="resnet_v2", bottleneck=bottleneck,
        root={"activation_fn": None, "normalizer_fn": None}, normalized=_postnormalized,
    )  # fmt: skip


def _postnormalized(net: Any) -> Any:
    return layers.batch_norm(net, activation_fn=nn_ops.relu, scope="postnorm")


resnet_v2.default_image_size = 224  # pyright: ignore[reportFunctionMemberAccess]


def resnet_v2_block(scope: str, base_depth: int, num_units: int, stride: int) -> Any:
    """A block of bottleneck units.

    Args:
      scope: its scope.
      base_depth: the depth of the bottlenecks, a quarter of the block's.
      num_units: how many units.
      stride: the stride of the last.
    """
    return resnet_utils.bottleneck_block(bottleneck, scope, base_depth, num_units, stride)


resnet_v2_50 = resnet_utils.sized(resnet_v2, resnet_v2_block, 50, [3, 4, 6, 3])
resnet_v2_101 = resnet_utils.sized(resnet_v2, resnet_v2_block, 101, [3, 4, 23, 3])
resnet_v2_152 = resnet_utils.sized(resnet_v2, resnet_v2_block, 152, [3, 8, 36, 3])
resnet_v2_200 = resnet_utils.sized(resnet_v2, resnet_v2_block, 200, [3, 24, 36, 3])
