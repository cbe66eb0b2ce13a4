"""The first inception net (Szegedy et al., 2014, https://arxiv.org/abs/1409.4842)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.contrib.framework.arg_scope import arg_scope
from tf1compat.api.contrib.layers import layers
from tf1compat.api.contrib.slim.nets.alexnet import trunc_normal
from tf1compat.api.contrib.slim.nets.inception_blocks import (
    Mixed,
    apply,
    conv,
    inception_arg_scope,
    max_pool,
    plain_conv,
    squeezed,
)
from tf1compat.api.variables import variable_scope


def _mixed(
    scope: str, first: int, second: tuple[int, int], third: tuple[int, int], pooled: int,
    third_name: str = "Conv2d_0b_3x3",
) -> Mixed:  # fmt: skip
    """A block of a 1x1, two 3x3 convolutions, and a pooling."""
    return Mixed(
        scope,
        [
            [conv("Conv2d_0a_1x1", first)],
            [conv("Conv2d_0a_1x1", second[0]), conv("Conv2d_0b_3x3", second[1])],
            [conv("Conv2d_0a_1x1", third[0]), conv(third_name, third[1])],
            [max_pool("MaxPool_0a_3x3"), conv("Conv2d_0b_1x1", pooled)],
        ],
    )


_STEPS = [
    conv("Conv2d_1a_7x7", 64, stride=2),
    max_pool("MaxPool_2a_3x3", stride=2),
    conv("Conv2d_2b_1x1", 64),
    conv("Conv2d_2c_3x3", 192),
    max_pool("MaxPool_3a_3x3", stride=2),
    _mixed("Mixed_3b", 64, (96, 128), (16, 32), 32),
    _mixed("Mixed_3c", 128, (128, 192), (32, 96), 64),
    max_pool("MaxPool_4a_3x3", stride=2),
    _mixed("Mixed_4b", 192, (96, 208), (16, 48), 64),
    _mixed("Mixed_4c", 160, (112, 224), (24, 64), 64),
    _mixed("Mixed_4d", 128, (128, 256), (24, 64), 64),
    _mixed("Mixed_4e", 112, (144, 288), (32, 64), 64),
    _mixed("Mixed_4f", 256, (160, 320), (32, 128), 128),
    max_pool("MaxPool_5a_2x2", stride=2),
    # The one name that differs, as in TF.
    _mixed("Mixed_5b", 256, (160, 320), (32, 128), 128, third_name="Conv2d_0a_3x3"),
    _mixed("Mixed_5c", 384, (192, 384), (48, 128), 128),
]


def inception_v1_base(
    inputs: Any, final_endpoint: Any = "Mixed_5c", scope: Any = "InceptionV1"
) -> tuple[Any, Any]:
    """The net without its last layers.

    Args:
      inputs: images, [batch, height, width, channels].
      final_endpoint: the name of the layer to stop after.
      scope: the variable scope.

    Returns:
      The features, and the outputs of all layers by name.

    Raises:
      ValueError: there is no such layer.
    """
    end_points: dict[str, Any] = {}
    with (
        variable_scope.variable_scope(scope, "InceptionV1", [inputs]),
        arg_scope([layers.conv2d, layers.fully_connected], weights_initializer=trunc_normal(0.01)),
        arg_scope([layers.conv2d, layers.max_pool2d], stride=1, padding="SAME"),
    ):
        net, found = apply(_STEPS, inputs, lambda depth: depth, end_points, final_endpoint)
        if not found:
            raise ValueError(f"Unknown final endpoint {final_endpoint}")
        return net, end_points


def inception_v1(
    inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: Any = 0.8,
    prediction_fn: Any = layers.softmax, spatial_squeeze: Any = True, reuse: Any = None,
    scope: Any = "InceptionV1",
) -> tuple[Any, Any]:  # fmt: skip
    """The net.

    Args:
      inputs: images, [batch, height, width, channels].
      num_classes: the number of classes.
      is_training: whether dropout drops, and the batch normalization takes the batch's moments.
      dropout_keep_prob: what dropout keeps.
      prediction_fn: what makes predictions of logits.
      spatial_squeeze: whether the logits lose their two dimensions in space.
      reuse: whether the variables are there.
      scope: the variable scope.

    Returns:
      The logits, and the outputs of all layers by name.
    """
    with (
        variable_scope.variable_scope(
            scope, "InceptionV1", [inputs, num_classes], reuse=reuse
        ) as scope,
        arg_scope([layers.batch_norm, layers.dropout], is_training=is_training),
    ):
        net, end_points = inception_v1_base(inputs, scope=scope)
        with variable_scope.variable_scope("Logits"):
            net = layers.avg_pool2d(net, [7, 7], stride=1, scope="MaxPool_0a_7x7")
            net = layers.dropout(net, dropout_keep_prob, scope="Dropout_0b")
            logits = squeezed(plain_conv(net, num_classes, "Conv2d_0c_1x1"), spatial_squeeze)
            end_points["Logits"] = logits
            end_points["Predictions"] = prediction_fn(logits, scope="Predictions")
    return logits, end_points


inception_v1.default_image_size = 224  # pyright: ignore[reportFunctionMemberAccess]


def inception_v1_arg_scope(
    weight_decay: Any = 4e-05, use_batch_norm: Any = True,
    batch_norm_var_collection: Any = "moving_vars",
) -> Any:  # fmt: skip
    """The arg scope that the net is made in.

    Args:
      weight_decay: the weight of the l2 losses.
      use_batch_norm: whether there is batch normalization.
      batch_norm_var_collection: the collection of its moving means and variances.
    """
    return inception_arg_scope(weight_decay, batch_norm_var_collection, bool(use_batch_norm))
