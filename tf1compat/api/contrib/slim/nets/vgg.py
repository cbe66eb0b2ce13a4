"""VGG nets (Simonyan and Zisserman, 2014, https://arxiv.org/abs/1409.1556)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.contrib.framework.arg_scope import arg_scope
from tf1compat.api.contrib.layers import layers, regularizers, utils
from tf1compat.api.contrib.slim.nets.alexnet import classified, squeezed
from tf1compat.api.nn import nn_ops
from tf1compat.api.random import init_ops
from tf1compat.api.variables import variable_scope


def vgg_arg_scope(weight_decay: Any = 0.0005) -> Any:
    """The arg scope that the nets are made in.

    Args:
      weight_decay: the weight of the l2 losses.
    """
    with (
        arg_scope(
            [layers.conv2d, layers.fully_connected],
            activation_fn=nn_ops.relu,
            weights_regularizer=regularizers.l2_regularizer(weight_decay),
            biases_initializer=init_ops.zeros_initializer(),
        ),
        arg_scope([layers.conv2d], padding="SAME") as scope,
    ):
        return scope


def _vgg(
    sc: Any, collection: str, repeats: list[int], inputs: Any, num_classes: int,
    is_training: Any, dropout_keep_prob: Any, spatial_squeeze: Any,
) -> tuple[Any, Any]:  # fmt: skip
    """A net of five groups of convolutions; `repeats` says how many each has."""
    with arg_scope(
        [layers.conv2d, layers.fully_connected, layers.max_pool2d],
        outputs_collections=collection,
    ):
        net = inputs
        for i, (count, units) in enumerate(zip(repeats, [64, 128, 256, 512, 512], strict=True)):
            net = layers.repeat(net, count, layers.conv2d, units, [3, 3], scope=f"conv{i + 1}")
            net = layers.max_pool2d(net, [2, 2], scope=f"pool{i + 1}")
        net = classified(
            net, [(4096, [7, 7]), (4096, [1, 1])], num_classes, is_training, dropout_keep_prob
        )
        end_points = utils.convert_collection_to_dict(collection)
        return squeezed(net, end_points, spatial_squeeze, sc.name)


def vgg_a(
    inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: Any = 0.5,
    spatial_squeeze: Any = True, scope: Any = "vgg_a",
) -> tuple[Any, Any]:  # fmt: skip
    """The net of 11 layers. Args and Returns: see `alexnet_v2`."""
    with variable_scope.variable_scope(scope, "vgg_a", [inputs]) as sc:
        collection = f"{sc.original_name_scope}_end_points"
        return _vgg(
            sc, collection, [1, 1, 2, 2, 2], inputs, num_classes, is_training,
            dropout_keep_prob, spatial_squeeze,
        )  # fmt: skip


def vgg_16(
    inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: Any = 0.5,
    spatial_squeeze: Any = True, scope: Any = "vgg_16",
) -> tuple[Any, Any]:  # fmt: skip
    """The net of 16 layers. Args and Returns: see `alexnet_v2`."""
    with variable_scope.variable_scope(scope, "vgg_16", [inputs]) as sc:
        collection = f"{sc.original_name_scope}_end_points"
        return _vgg(
            sc, collection, [2, 2, 3, 3, 3], inputs, num_classes, is_training,
            dropout_keep_prob, spatial_squeeze,
        )  # fmt: skip


def vgg_19(
    inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: Any = 0.5,
    spatial_squeeze: Any = True, scope: Any = "vgg_19",
) -> tuple[Any, Any]:  # fmt: skip
    """The net of 19 layers. Args and Returns: see `alexnet_v2`."""
    with variable_scope.variable_scope(scope, "vgg_19", [inputs]) as sc:
        # The name of the variable scope, not of the name scope as in the others.
        return _vgg(
            sc, f"{sc.name}_end_points", [2, 2, 4, 4, 4], inputs, num_classes, is_training,
            dropout_keep_prob, spatial_squeeze,
        )  # fmt: skip


vgg_d = vgg_16
vgg_e = vgg_19
for _net in (vgg_a, vgg_16, vgg_19):
    _net.default_image_size = 224  # pyright: ignore[reportFunctionMemberAccess]
