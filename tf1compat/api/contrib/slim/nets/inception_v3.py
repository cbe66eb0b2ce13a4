"""The third inception net (Szegedy et al., 2015, https://arxiv.org/abs/1512.00567)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.contrib.framework.arg_scope import arg_scope
from tf1compat.api.contrib.layers import layers
from tf1compat.api.contrib.slim.nets.alexnet import trunc_normal
from tf1compat.api.contrib.slim.nets.inception_blocks import (
    Fork,
    Mixed,
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
from tf1compat.core import ops
from tf1compat.core.typing import Collections

_VALID = {"stride": 2, "padding": "VALID"}


def _mixed_5(scope: str, pooled: int, five: tuple[str, str]) -> Mixed:
    """A block with a 5x5 convolution."""
    return Mixed(
        scope,
        [
            [conv("Conv2d_0a_1x1", 64)],
            [conv(five[0], 48), conv(five[1], 64)],
            [conv("Conv2d_0a_1x1", 64), conv("Conv2d_0b_3x3", 96), conv("Conv2d_0c_3x3", 96)],
            [avg_pool("AvgPool_0a_3x3"), conv("Conv2d_0b_1x1", pooled)],
        ],
    )


def _mixed_6(scope: str, depth: int) -> Mixed:
    """A block with 7x7 convolutions, each as two."""
    return Mixed(
        scope,
        [
            [conv("Conv2d_0a_1x1", 192)],
            [
                conv("Conv2d_0a_1x1", depth),
                conv("Conv2d_0b_1x7", depth),
                conv("Conv2d_0c_7x1", 192),
            ],
            [
                conv("Conv2d_0a_1x1", depth),
                conv("Conv2d_0b_7x1", depth),
                conv("Conv2d_0c_1x7", depth),
                conv("Conv2d_0d_7x1", depth),
                conv("Conv2d_0e_1x7", 192),
            ],
            [avg_pool("AvgPool_0a_3x3"), conv("Conv2d_0b_1x1", 192)],
        ],
    )


def _mixed_7(scope: str, second: str) -> Mixed:
    """A block that ends in convolutions beside each other."""
    return Mixed(
        scope,
        [
            [conv("Conv2d_0a_1x1", 320)],
            [conv("Conv2d_0a_1x1", 384), Fork([conv("Conv2d_0b_1x3", 384), conv(second, 384)])],
            [
                conv("Conv2d_0a_1x1", 448),
                conv("Conv2d_0b_3x3", 384),
                Fork([conv("Conv2d_0c_1x3", 384), conv("Conv2d_0d_3x1", 384)]),
            ],
            [avg_pool("AvgPool_0a_3x3"), conv("Conv2d_0b_1x1", 192)],
        ],
    )


_UNPADDED = [
    conv("Conv2d_1a_3x3", 32, stride=2),
    conv("Conv2d_2a_3x3", 32),
    conv("Conv2d_2b_3x3", 64, padding="SAME"),
    max_pool("MaxPool_3a_3x3", stride=2),
    conv("Conv2d_3b_1x1", 80),
    conv("Conv2d_4a_3x3", 192),
    max_pool("MaxPool_5a_3x3", stride=2),
]
# The names that don't go on like the others are TF's.
_PADDED = [
    _mixed_5("Mixed_5b", 32, ("Conv2d_0a_1x1", "Conv2d_0b_5x5")),
    _mixed_5("Mixed_5c", 64, ("Conv2d_0b_1x1", "Conv_1_0c_5x5")),
    _mixed_5("Mixed_5d", 64, ("Conv2d_0a_1x1", "Conv2d_0b_5x5")),
    Mixed(
        "Mixed_6a",
        [
            [conv("Conv2d_1a_1x1", 384, kernel=[3, 3], **_VALID)],
            [
                conv("Conv2d_0a_1x1", 64),
                conv("Conv2d_0b_3x3", 96),
                conv("Conv2d_1a_1x1", 96, kernel=[3, 3], **_VALID),
            ],
            [max_pool("MaxPool_1a_3x3", **_VALID)],
        ],
    ),
    _mixed_6("Mixed_6b", 128),
    _mixed_6("Mixed_6c", 160),
    _mixed_6("Mixed_6d", 160),
    _mixed_6("Mixed_6e", 192),
    Mixed(
        "Mixed_7a",
        [
            [conv("Conv2d_0a_1x1", 192), conv("Conv2d_1a_3x3", 320, **_VALID)],
            [
                conv("Conv2d_0a_1x1", 192),
                conv("Conv2d_0b_1x7", 192),
                conv("Conv2d_0c_7x1", 192),
                conv("Conv2d_1a_3x3", 192, **_VALID),
            ],
            [max_pool("MaxPool_1a_3x3", **_VALID)],
        ],
    ),
    _mixed_7("Mixed_7b", "Conv2d_0b_3x1"),
    _mixed_7("Mixed_7c", "Conv2d_0c_3x1"),
]


def _layers_scope(padding: str) -> Any:
    return arg_scope(
        [layers.conv2d, layers.max_pool2d, layers.avg_pool2d], stride=1, padding=padding
    )


def inception_v3_base(
    inputs: Any, final_endpoint: Any = "Mixed_7c", min_depth: Any = 16,
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
    with variable_scope.variable_scope(scope, "InceptionV3", [inputs]):
        net = inputs
        for padding, steps in (("VALID", _UNPADDED), ("SAME", _PADDED)):
            with _layers_scope(padding):
                net, found = apply(steps, net, depth, end_points, final_endpoint)
                if found:
                    return net, end_points
        raise ValueError(f"Unknown final endpoint {final_endpoint}")


def _auxiliary(net: Any, num_classes: int, depth: Any, spatial_squeeze: Any) -> Any:
    """Logits from the middle of the net."""
    with variable_scope.variable_scope("AuxLogits"):
        net = layers.avg_pool2d(net, [5, 5], stride=3, padding="VALID", scope="AvgPool_1a_5x5")
        net = layers.conv2d(net, depth(128), [1, 1], scope="Conv2d_1b_1x1")
        kernel = reduced_kernel_size(net, [5, 5])
        net = layers.conv2d(
            net,
            depth(768),
            kernel,
            weights_initializer=trunc_normal(0.01),
            padding="VALID",
            scope="Conv2d_2a_{}x{}".format(*kernel),
        )
        net = plain_conv(net, num_classes, "Conv2d_2b_1x1", weights_initializer=trunc_normal(0.001))
        return squeezed(net, spatial_squeeze)


def inception_v3(
    inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: Any = 0.8,
    min_depth: Any = 16, depth_multiplier: Any = 1.0, prediction_fn: Any = layers.softmax,
    spatial_squeeze: Any = True, reuse: Any = None, scope: Any = "InceptionV3",
) -> tuple[Any, Any]:  # fmt: skip
    """The net, with logits from its middle besides. Args, Returns and Raises: see `inception_v1`
    and `inception_v3_base`."""
    depth = depth_function(depth_multiplier, min_depth)
    with (
        variable_scope.variable_scope(
            scope, "InceptionV3", [inputs, num_classes], reuse=reuse
        ) as scope,
        arg_scope([layers.batch_norm, layers.dropout], is_training=is_training),
    ):
        net, end_points = inception_v3_base(
            inputs, scope=scope, min_depth=min_depth, depth_multiplier=depth_multiplier
        )
        with _layers_scope("SAME"):
            end_points["AuxLogits"] = _auxiliary(
                end_points["Mixed_6e"], num_classes, depth, spatial_squeeze
            )
        with variable_scope.variable_scope("Logits"):
            kernel = reduced_kernel_size(net, [8, 8])
            name = "AvgPool_1a_{}x{}".format(*kernel)
            net = layers.avg_pool2d(net, kernel, padding="VALID", scope=name)
            net = layers.dropout(net, keep_prob=dropout_keep_prob, scope="Dropout_1b")
            end_points["PreLogits"] = net
            logits = squeezed(plain_conv(net, num_classes, "Conv2d_1c_1x1"), spatial_squeeze)
        end_points["Logits"] = logits
        end_points["Predictions"] = prediction_fn(logits, scope="Predictions")
    return logits, end_points


inception_v3.default_image_size = 299  # pyright: ignore[reportFunctionMemberAccess]


def inception_v3_arg_scope(
    weight_decay: Any = 4e-05, batch_norm_var_collection: Any = "moving_vars",
    batch_norm_decay: Any = 0.9997, batch_norm_epsilon: Any = 0.001,
    updates_collections: Collections = ops.GraphKeys.UPDATE_OPS, use_fused_batchnorm: Any = True,
) -> Any:  # fmt: skip
    """The arg scope that the net is made in.

    Args:
      weight_decay: the weight of the l2 losses.
      batch_norm_var_collection: the collection of the moving means and variances.
      batch_norm_decay, batch_norm_epsilon: of the batch normalization.
      updates_collections: where its updates are collected.
      use_fused_batchnorm: whether it is one op.
    """
    return inception_arg_scope(
        weight_decay,
        batch_norm_var_collection,
        decay=batch_norm_decay,
        epsilon=batch_norm_epsilon,
        updates_collections=updates_collections,
        fused=use_fused_batchnorm,
    )
