"""AlexNet's second form (Krizhevsky, 2014, https://arxiv.org/abs/1404.5997)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.framework.arg_scope import arg_scope
from tf1compat.api.contrib.layers import layers, regularizers, utils
from tf1compat.api.nn import nn_ops
from tf1compat.api.random import init_ops
from tf1compat.api.variables import variable_scope


def trunc_normal(stddev: float) -> Any:
    """A truncated normal initializer about 0."""
    return init_ops.truncated_normal_initializer(0.0, stddev)


def alexnet_v2_arg_scope(weight_decay: Any = 0.0005) -> Any:
    """The arg scope that the net is made in.

    Args:
      weight_decay: the weight of the l2 losses.
    """
    with (
        arg_scope(
            [layers.conv2d, layers.fully_connected],
            activation_fn=nn_ops.relu,
            biases_initializer=init_ops.constant_initializer(0.1),
            weights_regularizer=regularizers.l2_regularizer(weight_decay),
        ),
        arg_scope([layers.conv2d], padding="SAME"),
        arg_scope([layers.max_pool2d], padding="VALID") as scope,
    ):
        return scope


def classified(
    net: Any, sizes: list[tuple[int, list[int]]], num_classes: int, is_training: Any,
    dropout_keep_prob: Any, **settings: Any,
) -> Any:  # fmt: skip
    """The fully connected layers as convolutions: two of some size and the classes.

    Args:
      net: the last map of features.
      sizes: (units, kernel) of the first two.
      num_classes: the size of the last.
      is_training: whether dropout drops.
      dropout_keep_prob: what it keeps.
      **settings: of the last layer.
    """
    for name, (units, kernel) in zip("67", sizes):
        padding: dict[str, Any] = {} if kernel == [1, 1] else {"padding": "VALID"}
        net = layers.conv2d(net, units, kernel, scope=f"fc{name}", **padding)
        net = layers.dropout(
            net, dropout_keep_prob, is_training=is_training, scope=f"dropout{name}"
        )
    return layers.conv2d(
        net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, scope="fc8", **settings
    )


def squeezed(net: Any, end_points: Any, spatial_squeeze: Any, name: str) -> tuple[Any, Any]:
    """The net without the two dimensions in space, if so wished, and its end points."""
    if spatial_squeeze:
        net = array_ops.squeeze(net, [1, 2], name="fc8/squeezed")
        end_points[f"{name}/fc8"] = net
    return net, end_points


def alexnet_v2(
    inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: Any = 0.5,
    spatial_squeeze: Any = True, scope: Any = "alexnet_v2",
) -> tuple[Any, Any]:  # fmt: skip
    """AlexNet.

    Args:
      inputs: images, [batch, height, width, channels].
      num_classes: the number of classes.
      is_training: whether dropout drops.
      dropout_keep_prob: what it keeps.
      spatial_squeeze: whether the logits lose their two dimensions in space.
      scope: the variable scope.

    Returns:
      The logits, and the outputs of all layers by name.
    """
    with variable_scope.variable_scope(scope, "alexnet_v2", [inputs]) as sc:
        collection = f"{sc.original_name_scope}_end_points"
        with arg_scope(
            [layers.conv2d, layers.fully_connected, layers.max_pool2d],
            outputs_collections=[collection],
        ):
            net = layers.conv2d(inputs, 64, [11, 11], 4, padding="VALID", scope="conv1")
            net = layers.max_pool2d(net, [3, 3], 2, scope="pool1")
            net = layers.conv2d(net, 192, [5, 5], scope="conv2")
            net = layers.max_pool2d(net, [3, 3], 2, scope="pool2")
            for i, units in enumerate([384, 384, 256]):
                net = layers.conv2d(net, units, [3, 3], scope=f"conv{i + 3}")
            net = layers.max_pool2d(net, [3, 3], 2, scope="pool5")
            with arg_scope(
                [layers.conv2d],
                weights_initializer=trunc_normal(0.005),
                biases_initializer=init_ops.constant_initializer(0.1),
            ):
                net = classified(
                    net, [(4096, [5, 5]), (4096, [1, 1])], num_classes, is_training,
                    dropout_keep_prob, biases_initializer=init_ops.zeros_initializer(),
                )  # fmt: skip
            end_points = utils.convert_collection_to_dict(collection)
            return squeezed(net, end_points, spatial_squeeze, sc.name)


alexnet_v2.default_image_size = 224  # pyright: ignore[reportFunctionMemberAccess]
