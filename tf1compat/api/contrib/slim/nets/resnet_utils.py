"""What both forms of residual nets are made of."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.framework.arg_scope import add_arg_scope, arg_scope
from tf1compat.api.contrib.layers import initializers, layers, regularizers, utils
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.variables import variable_scope
from tf1compat.core import ops
from tf1compat.core.typing import Collections


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
    net: Any, blocks: Any, output_stride: Any = None, outputs_collections: Collections | None = None
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
    for block, settings in zip(blocks, _dilated(blocks, output_stride), strict=True):
        with variable_scope.variable_scope(block.scope, "block", [net]) as sc:
            for number, (rate, unit) in enumerate(settings, 1):
                with variable_scope.variable_scope(f"unit_{number}", values=[net]):
                    net = block.unit_fn(net, rate=rate, **unit)
            net = utils.collect_named_outputs(outputs_collections, sc.name, net)
    return net


def _dilated(blocks: Any, output_stride: Any) -> list[list[tuple[int, Any]]]:
    """The dilation and the arguments of each block's units: once the stride wished for is reached,
    what would stride dilates the units that follow."""
    stride = rate = 1
    found: list[list[tuple[int, Any]]] = []
    for block in blocks:
        found.append([])
        for unit in block.args:
            own = unit.get("stride", 1)
            if stride == output_stride:
                found[-1].append((rate, {**unit, "stride": 1}))
                rate *= own
            else:
                found[-1].append((1, unit))
                stride *= own
    if output_stride is not None and stride != output_stride:
        raise ValueError("The target output_stride cannot be reached.")
    return found


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


def residual_net(
    inputs: Any, blocks: Any, num_classes: Any, is_training: Any, global_pool: Any,
    output_stride: Any, include_root_block: Any, reuse: Any, scope: Any, default_scope: str,
    bottleneck: Any, root: dict[str, Any], normalized: Callable[[Any], Any],
) -> tuple[Any, Any]:  # fmt: skip
    """What a net is in either form.

    Args:
      inputs, …, scope: as of the nets.
      default_scope: the scope if there is no other.
      bottleneck: makes a unit.
      root: settings of the first convolution.
      normalized: what is done with the blocks' output.
    """
    with variable_scope.variable_scope(scope, default_scope, [inputs], reuse=reuse) as sc:
        collection = f"{sc.original_name_scope}_end_points"
        with (
            arg_scope(
                [layers.conv2d, bottleneck, stack_blocks_dense], outputs_collections=collection
            ),
            arg_scope([layers.batch_norm], is_training=is_training),
        ):
            net = inputs
            if include_root_block:
                output_stride = halved_stride(output_stride)
                with arg_scope([layers.conv2d], **root):
                    net = conv2d_same(net, 64, 7, stride=2, scope="conv1")
                net = layers.max_pool2d(net, [3, 3], stride=2, scope="pool1")
            net = normalized(stack_blocks_dense(net, blocks, output_stride))
            return head(net, num_classes, global_pool, collection)


def bottleneck_sum(
    inputs: Any, activated: Callable[[Any], Any], depth: int, depth_bottleneck: int, stride: int,
    rate: int, **linear: Any,
) -> Any:  # fmt: skip
    """What a bottleneck unit is in either form: a shortcut plus three convolutions.

    Args:
      inputs: images, [batch, height, width, channels].
      activated: gives what of them is convolved.
      depth: the number of channels of the result.
      depth_bottleneck: that of the convolutions within.
      stride: the stride of the second convolution.
      rate: its dilation.
      **linear: settings of the convolutions that are added.
    """
    keeps_depth = utils.last_dimension(inputs.get_shape(), min_rank=4) == depth
    net = activated(inputs)
    if keeps_depth:
        shortcut = subsample(inputs, stride, "shortcut")
    else:
        shortcut = layers.conv2d(net, depth, [1, 1], stride=stride, scope="shortcut", **linear)
    net = layers.conv2d(net, depth_bottleneck, [1, 1], stride=1, scope="conv1")
    net = conv2d_same(net, depth_bottleneck, 3, stride, rate=rate, scope="conv2")
    return shortcut + layers.conv2d(net, depth, [1, 1], stride=1, scope="conv3", **linear)


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


def sized(net: Any, block: Any, depth: int, num_units: list[int]) -> Callable[..., Any]:
    """The function of a net of `depth` layers, whose four blocks `block` makes of so many units."""
    name = f"{net.__name__}_{depth}"

    def sized_net(
        inputs: Any, num_classes: int | None = None, is_training: Any = True,
        global_pool: Any = True, output_stride: Any = None, reuse: Any = None, scope: Any = name,
    ) -> tuple[Any, Any]:  # fmt: skip
        return net(
            inputs, four_blocks(block, num_units), num_classes, is_training, global_pool,
            output_stride, include_root_block=True, reuse=reuse, scope=scope,
        )  # fmt: skip

    sized_net.__name__ = sized_net.__qualname__ = name
    sized_net.__module__ = net.__module__
    sized_net.__doc__ = (
        f"The net of {depth} layers. Args, Returns and Raises: see `{net.__name__}`."
    )
    return sized_net


def head(net: Any, num_classes: int | None, global_pool: bool, collection: str) -> tuple[Any, Any]:
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
