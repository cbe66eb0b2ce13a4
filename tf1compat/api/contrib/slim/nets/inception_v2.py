"""The inception net with batch normalization (Ioffe and Szegedy, 2015,
https://arxiv.org/abs/1502.03167)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.contrib.framework.arg_scope import arg_scope
from tf1compat.api.contrib.layers import layers
from tf1compat.api.contrib.slim.nets.alexnet import trunc_normal
from tf1compat.api.contrib.slim.nets.inception_blocks import (
    Mixed,
    Step,
    apply,
    avg_pool,
    conv,
    depth_function,
    inception_arg_scope,
    max_pool,
    plain_conv,
    reduced_kernel_size,
    squeezed,
)
from tf1compat.api.variables import variable_scope

_AVERAGES = avg_pool("AvgPool_0a_3x3")


def _mixed(
    scope: str, first: int, second: tuple[int, int], third: tuple[int, int], pooled: int,
    pool: Step = _AVERAGES,
) -> Mixed:  # fmt: skip
    """A block of a 1x1, one and two 3x3 convolutions, and a pooling."""
    return Mixed(
        scope,
        [
            [conv("Conv2d_0a_1x1", first)],
            [conv("Conv2d_0a_1x1", second[0], 0.09), conv("Conv2d_0b_3x3", second[1])],
            [
                conv("Conv2d_0a_1x1", third[0], 0.09),
                conv("Conv2d_0b_3x3", third[1]),
                conv("Conv2d_0c_3x3", third[1]),
            ],
            [pool, conv("Conv2d_0b_1x1", pooled, 0.1)],
        ],
    )


def _striding(scope: str, first: tuple[int, int], second: tuple[int, int]) -> Mixed:
    """A block that halves height and width."""
    return Mixed(
        scope,
        [
            [
                conv("Conv2d_0a_1x1", first[0], 0.09),
                conv("Conv2d_1a_3x3", first[1], stride=2),
            ],
            [
                conv("Conv2d_0a_1x1", second[0], 0.09),
                conv("Conv2d_0b_3x3", second[1]),
                conv("Conv2d_1a_3x3", second[1], stride=2),
            ],
            [max_pool("MaxPool_1a_3x3", stride=2)],
        ],
    )


_STEPS = [
    max_pool("MaxPool_2a_3x3", stride=2),
    conv("Conv2d_2b_1x1", 64, 0.1),
    conv("Conv2d_2c_3x3", 192),
    max_pool("MaxPool_3a_3x3", stride=2),
    _mixed("Mixed_3b", 64, (64, 64), (64, 96), 32),
    _mixed("Mixed_3c", 64, (64, 96), (64, 96), 64),
    _striding("Mixed_4a", (128, 160), (64, 96)),
    _mixed("Mixed_4b", 224, (64, 96), (96, 128), 128),
    _mixed("Mixed_4c", 192, (96, 128), (96, 128), 128),
    _mixed("Mixed_4d", 160, (128, 160), (128, 160), 96),
    _mixed("Mixed_4e", 96, (128, 192), (160, 192), 96),
    _striding("Mixed_5a", (128, 192), (192, 256)),
    _mixed("Mixed_5b", 352, (192, 320), (160, 224), 128),
    _mixed("Mixed_5c", 352, (192, 320), (192, 224), 128, max_pool("MaxPool_0a_3x3")),
]


def inception_v2_base(
    inputs: Any, final_endpoint: Any = "Mixed_5c", min_depth: Any = 16,
    depth_multiplier: Any = 1.0, scope: Any = None,
) -> tuple[Any, Any]:  # fmt: skip
    """The net without its last layers.

    Args:
      inputs: images, [batch, height, width, channels].
      final_endpoint: the name of the layer to stop after.
      min_depth: the least number of channels of a layer.
      depth_multiplier: multiplies all numbers of channels.
      scope: the variable scope.

    Returns:
      The features, and the outputs of all layers by name.

    Raises:
      ValueError: there is no such layer, or `depth_multiplier` isn't positive.
    """
    end_points: dict[str, Any] = {}
    depth = depth_function(depth_multiplier, min_depth)
    with (
        variable_scope.variable_scope(scope, "InceptionV2", [inputs]),
        arg_scope(
            [layers.conv2d, layers.max_pool2d, layers.avg_pool2d, layers.separable_conv2d],
            stride=1,
            padding="SAME",
        ),
    ):
        stem = {
            "depth_multiplier": min(int(depth(64) / 3), 8),
            "stride": 2,
            "weights_initializer": trunc_normal(1.0),
        }
        first = Step(layers.separable_conv2d, "Conv2d_1a_7x7", 64, settings=stem)
        net, found = apply([first, *_STEPS], inputs, depth, end_points, final_endpoint)
        if not found:
            raise ValueError(f"Unknown final endpoint {final_endpoint}")
        return net, end_points


def inception_v2(
    inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: Any = 0.8,
    min_depth: Any = 16, depth_multiplier: Any = 1.0, prediction_fn: Any = layers.softmax,
    spatial_squeeze: Any = True, reuse: Any = None, scope: Any = "InceptionV2",
) -> tuple[Any, Any]:  # fmt: skip
    """The net. Args, Returns and Raises: see `inception_v1` and `inception_v2_base`."""
    depth_function(depth_multiplier, min_depth)
    with (
        variable_scope.variable_scope(
            scope, "InceptionV2", [inputs, num_classes], reuse=reuse
        ) as scope,
        arg_scope([layers.batch_norm, layers.dropout], is_training=is_training),
    ):
        net, end_points = inception_v2_base(
            inputs, scope=scope, min_depth=min_depth, depth_multiplier=depth_multiplier
        )
        with variable_scope.variable_scope("Logits"):
            kernel = reduced_kernel_size(net, [7, 7])
            name = "AvgPool_1a_{}x{}".format(*kernel)
            net = layers.avg_pool2d(net, kernel, padding="VALID", scope=name)
            net = layers.dropout(net, keep_prob=dropout_keep_prob, scope="Dropout_1b")
            logits = squeezed(plain_conv(net, num_classes, "Conv2d_1c_1x1"), spatial_squeeze)
        end_points["Logits"] = logits
        end_points["Predictions"] = prediction_fn(logits, scope="Predictions")
    return logits, end_points


inception_v2.default_image_size = 224  # pyright: ignore[reportFunctionMemberAccess]


def inception_v2_arg_scope(
    weight_decay: Any = 4e-05, batch_norm_var_collection: Any = "moving_vars"
) -> Any:
    """The arg scope that the net is made in.

    Args:
      weight_decay: the weight of the l2 losses.
      batch_norm_var_collection: the collection of the moving means and variances.
    """
    return inception_arg_scope(weight_decay, batch_norm_var_collection)
