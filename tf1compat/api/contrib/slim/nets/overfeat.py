"""OverFeat (Sermanet et al., 2013, https://arxiv.org/abs/1312.6229)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.contrib.framework.arg_scope import arg_scope
from tf1compat.api.contrib.layers import layers, utils
from tf1compat.api.contrib.slim.nets import vgg
from tf1compat.api.contrib.slim.nets.alexnet import classified, squeezed, trunc_normal
from tf1compat.api.random import init_ops
from tf1compat.api.variables import variable_scope


def overfeat_arg_scope(weight_decay: Any = 0.0005) -> Any:
    """The arg scope that the net is made in.

    Args:
      weight_decay: the weight of the l2 losses.
    """
    with (
        arg_scope(vgg.vgg_arg_scope(weight_decay)),
        arg_scope([layers.max_pool2d], padding="VALID") as scope,
    ):
        return scope


def overfeat(
    inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: Any = 0.5,
    spatial_squeeze: Any = True, scope: Any = "overfeat",
) -> tuple[Any, Any]:  # fmt: skip
    """OverFeat. Args and Returns: see `alexnet_v2`."""
    with variable_scope.variable_scope(scope, "overfeat", [inputs]) as sc:
        collection = f"{sc.name}_end_points"
        with arg_scope(
            [layers.conv2d, layers.fully_connected, layers.max_pool2d],
            outputs_collections=collection,
        ):
            net = layers.conv2d(inputs, 64, [11, 11], 4, padding="VALID", scope="conv1")
            net = layers.max_pool2d(net, [2, 2], scope="pool1")
            net = layers.conv2d(net, 256, [5, 5], padding="VALID", scope="conv2")
            net = layers.max_pool2d(net, [2, 2], scope="pool2")
            for i, units in enumerate([512, 1024, 1024]):
                net = layers.conv2d(net, units, [3, 3], scope=f"conv{i + 3}")
            net = layers.max_pool2d(net, [2, 2], scope="pool5")
            with arg_scope(
                [layers.conv2d],
                weights_initializer=trunc_normal(0.005),
                biases_initializer=init_ops.constant_initializer(0.1),
            ):
                net = classified(
                    net, [(3072, [6, 6]), (4096, [1, 1])], num_classes, is_training,
                    dropout_keep_prob, biases_initializer=init_ops.zeros_initializer(),
                )  # fmt: skip
            end_points = utils.convert_collection_to_dict(collection)
            return squeezed(net, end_points, spatial_squeeze, sc.name)
