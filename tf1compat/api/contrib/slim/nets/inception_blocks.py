"""What the inception nets are made of: layers and blocks of branches, told as data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.framework.arg_scope import arg_scope
from tf1compat.api.contrib.layers import initializers, layers, regularizers
from tf1compat.api.contrib.slim.nets.alexnet import trunc_normal
from tf1compat.api.nn import nn_ops
from tf1compat.api.variables import variable_scope
from tf1compat.core import ops
from tf1compat.core.typing import TensorLike


class Step(NamedTuple):
    """A layer of a net.

    Args:
      make: the layer's function.
      scope: its name, which ends with the kernel: `Conv2d_0a_1x7`.
      depth: the number of channels of a convolution.
      kernel: the kernel where the name doesn't say it.
      stddev: that of the initial weights, where it isn't the arg scope's.
      settings: further arguments.
    """

    make: Callable[..., Any]
    scope: str
    depth: int | None = None
    kernel: list[int] | None = None
    stddev: float | None = None
    settings: dict[str, Any] = {}

    def __call__(self, net: Any, depth: Callable[[int], int]) -> Any:
        """Applies the layer; `depth` gives the number of channels."""
        kernel = self.kernel or [int(side) for side in self.scope.rpartition("_")[2].split("x")]
        settings = dict(self.settings)
        if self.stddev is not None:
            settings["weights_initializer"] = trunc_normal(self.stddev)
        sizes = [] if self.depth is None else [depth(self.depth)]
        return self.make(net, *sizes, kernel, scope=self.scope, **settings)


class Fork(NamedTuple):
    """Layers beside each other, joined."""

    steps: Sequence[Step]

    def __call__(self, net: Any, depth: Callable[[int], int]) -> Any:
        """Applies the layers."""
        return array_ops.concat([step(net, depth) for step in self.steps], 3)


class Mixed(NamedTuple):
    """A block of branches, each a list of layers."""

    scope: str
    branches: Sequence[Sequence[Step | Fork]]

    def __call__(self, net: Any, depth: Callable[[int], int]) -> Any:
        """Applies the block."""
        with variable_scope.variable_scope(self.scope):
            outputs = []
            for i, steps in enumerate(self.branches):
                with variable_scope.variable_scope(f"Branch_{i}"):
                    branch = net
                    for step in steps:
                        branch = step(branch, depth)
                    outputs.append(branch)
            return array_ops.concat(outputs, 3)


def conv(scope: str, depth: int, stddev: float | None = None, **settings: Any) -> Step:
    """A convolution."""
    kernel = settings.pop("kernel", None)
    return Step(layers.conv2d, scope, depth, kernel, stddev, settings)


def max_pool(scope: str, **settings: Any) -> Step:
    """A pooling to maxima."""
    return Step(layers.max_pool2d, scope, settings=settings)


def avg_pool(scope: str, **settings: Any) -> Step:
    """A pooling to means."""
    return Step(layers.avg_pool2d, scope, settings=settings)


def apply(
    steps: Sequence[Step | Mixed], net: Any, depth: Callable[[int], int], end_points: Any,
    final_endpoint: Any,
) -> tuple[Any, bool]:  # fmt: skip
    """Applies layers and blocks up to the one of a name.

    Returns:
      The result, and whether that one was met.
    """
    for step in steps:
        net = end_points[step.scope] = step(net, depth)
        if step.scope == final_endpoint:
            return net, True
    return net, False


def depth_function(depth_multiplier: Any, min_depth: Any) -> Callable[[int], int]:
    """How many channels a layer of so many really has.

    Raises:
      ValueError: there would be none.
    """
    if depth_multiplier <= 0:
        raise ValueError("depth_multiplier is not greater than zero.")
    return lambda depth: max(int(depth * depth_multiplier), min_depth)


def reduced_kernel_size(net: Any, kernel_size: list[int]) -> list[int]:
    """A kernel that is no greater than the images, as far as these are known."""
    _, height, width, _ = net.get_shape().as_list()
    if height is None or width is None:
        return kernel_size
    return [min(height, kernel_size[0]), min(width, kernel_size[1])]


def inception_arg_scope(
    weight_decay: Any, variables_collection: Any, normalize: bool = True, **normalization: Any
) -> Any:
    """The arg scope that the nets are made in.

    Args:
      weight_decay: the weight of the l2 losses.
      variables_collection: the collection of the moving means and variances.
      normalize: whether there is batch normalization.
      **normalization: its settings.
    """
    collections = {
        "beta": None,
        "gamma": None,
        "moving_mean": [variables_collection],
        "moving_variance": [variables_collection],
    }
    settings = {
        "decay": 0.9997,
        "epsilon": 0.001,
        "updates_collections": ops.GraphKeys.UPDATE_OPS,
        **normalization,
        "variables_collections": collections,
    }
    with (
        arg_scope(
            [layers.conv2d, layers.fully_connected],
            weights_regularizer=regularizers.l2_regularizer(weight_decay),
        ),
        arg_scope(
            [layers.conv2d],
            weights_initializer=initializers.variance_scaling_initializer(),
            activation_fn=nn_ops.relu,
            normalizer_fn=layers.batch_norm if normalize else None,
            normalizer_params=settings if normalize else {},
        ) as scope,
    ):
        return scope


def plain_conv(net: Any, num_classes: int, scope: str, **settings: Any) -> Any:
    """The classes: a convolution that is neither normalized nor activated."""
    return layers.conv2d(
        net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, scope=scope, **settings
    )


def squeezed(logits: TensorLike, spatial_squeeze: Any) -> Any:
    """Logits without the two dimensions in space, if so wished."""
    return array_ops.squeeze(logits, [1, 2], name="SpatialSqueeze") if spatial_squeeze else logits
