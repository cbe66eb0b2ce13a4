"""`tf.contrib.layers.instance_norm` and `group_norm`
(`tensorflow.contrib.layers.python.layers.normalization`).

Arguments that both take:
  center: whether to add a trainable beta.
  scale: whether to multiply by a trainable gamma.
  epsilon: added to the variance.
  activation_fn: a function of the outputs; None for none.
  param_initializers: a dict of initializers with the keys "beta" and "gamma".
  reuse: whether to use the variables of a layer of that scope.
  variables_collections: collections that the variables join, or a dict of them by name.
  outputs_collections: collections that the outputs join.
  trainable: whether the variables join the trainable ones.
  scope: the variable scope.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.framework.arg_scope import add_arg_scope
from tf1compat.api.contrib.layers import utils
from tf1compat.api.contrib.layers.batch_normalization import parameter
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_impl
from tf1compat.api.random import init_ops
from tf1compat.api.variables import variable_scope
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import dimension_value
from tf1compat.core.typing import Collections, DTypeLike, ShapeLike

__all__ = ["group_norm", "instance_norm"]

DATA_FORMAT_NCHW = "NCHW"
DATA_FORMAT_NHWC = "NHWC"


def _beta_and_gamma(
    center: bool, scale: bool, shape: ShapeLike, broadcast: Any, dtype: DTypeLike,
    initializers: Any,
    variables_collections: Any, trainable: bool,
) -> tuple[Any, Any]:  # fmt: skip
    """The variables that are wanted, in the shape `broadcast` if there is one."""
    found: list[Any] = []
    for wanted, name, default in (
        (center, "beta", init_ops.zeros_initializer()),
        (scale, "gamma", init_ops.ones_initializer()),
    ):
        if not wanted:
            found.append(None)
            continue
        made = parameter(
            name, default, shape, dtype, initializers or {}, variables_collections, trainable
        )
        found.append(array_ops.reshape(made, broadcast) if broadcast else made)
    return found[0], found[1]


@tf_export("contrib.layers.instance_norm")
@add_arg_scope
def instance_norm(
    inputs: Any, center: bool = True, scale: bool = True, epsilon: float = 1e-6,
    activation_fn: Callable[..., Any] | None = None, param_initializers: Any = None,
    reuse: Any = None,
    variables_collections: Collections | None = None,
    outputs_collections: Collections | None = None, trainable: bool = True,
    data_format: str = DATA_FORMAT_NHWC, scope: Any = None,
) -> Tensor:  # fmt: skip
    """Makes mean and variance of each channel of each example 0 and 1.

    Ulyanov et al., "Instance Normalization", 2016.

    Args: see this module.
      inputs: a tensor [batch, ..., channels], or [batch, channels, ...].
      data_format: "NHWC" or "NCHW".

    Returns:
      A tensor of the shape and dtype of the inputs.

    Raises:
      ValueError: the rank or the number of channels is unknown, or there is no such `data_format`.
      IndexError: there are fewer than two dimensions.
    """
    inputs = ops.convert_to_tensor(inputs)
    rank = inputs.shape.ndims
    if rank is None:
        raise ValueError(f"Inputs {inputs.name} has undefined rank.")
    if data_format not in (DATA_FORMAT_NCHW, DATA_FORMAT_NHWC):
        raise ValueError("data_format has to be either NCHW or NHWC.")
    with variable_scope.variable_scope(scope, "InstanceNorm", [inputs], reuse=reuse) as sc:
        channels_first = data_format == DATA_FORMAT_NCHW
        axis = 1 if channels_first else rank - 1
        sizes, axes = inputs.shape.as_list(), list(range(rank))
        # An IndexError where there are no two dimensions.
        broadcast = [1, sizes[1], *[1] * (rank - 2)] if channels_first else None
        del axes[axis], axes[0]
        shape = inputs.shape[axis : axis + 1]
        if not shape.is_fully_defined():
            raise ValueError(f"Inputs {inputs.name} has undefined channels dimension {shape}.")
        beta, gamma = _beta_and_gamma(
            center, scale, shape, broadcast, inputs.dtype.base_dtype, param_initializers,
            variables_collections, trainable,
        )  # fmt: skip
        mean, variance = nn_impl.moments(inputs, axes, keepdims=True)
        outputs = nn_impl.batch_normalization(
            inputs, mean, variance, beta, gamma, epsilon, name="instancenorm"
        )
        if activation_fn is not None:
            outputs = activation_fn(outputs)
        return utils.collect_named_outputs(outputs_collections, sc.name, outputs)


@tf_export("contrib.layers.group_norm")
@add_arg_scope
def group_norm(
    inputs: Any, groups: int = 32, channels_axis: int = -1, reduction_axes: Any = (-3, -2),
    center: bool = True, scale: bool = True, epsilon: float = 1e-6, activation_fn: Callable[...,
    Any] | None = None,
    param_initializers: Any = None, reuse: Any = None,
    variables_collections: Collections | None = None,
    outputs_collections: Collections | None = None, trainable: bool = True, scope: Any = None,
    mean_close_to_zero: bool = False,
) -> Tensor:  # fmt: skip
    """Makes mean and variance of each group of channels of each example 0 and 1.

    Wu and He, "Group Normalization", 2018.

    Args: see this module.
      inputs: a tensor of known rank and number of channels.
      groups: how many groups there are.
      channels_axis: the dimension of the channels.
      reduction_axes: the other dimensions that the mean goes over.
      mean_close_to_zero: whether the means are near 0, so that sums of squares give the variance.

    Returns:
      A tensor of the shape and dtype of the inputs.

    Raises:
      ValueError: a dimension is unknown or there is none of that number, or the groups would not be
        of one size.
    """
    inputs = ops.convert_to_tensor(inputs)
    rank = inputs.shape.ndims
    if rank is None:
        raise ValueError(f"Inputs {inputs.name} has undefined rank.")
    if channels_axis > rank - 1:
        raise ValueError("Axis is out of bounds.")
    sizes = array_ops.shape(inputs)
    static = inputs.shape.as_list()
    input_shape: list[Any] = [sizes[i] if n is None else n for i, n in enumerate(static)]
    if channels_axis < 0:
        channels_axis += rank
    channels = static[channels_axis]
    if channels is None:
        raise ValueError(
            f"Inputs {inputs.name} has undefined channel dimension: {channels_axis}."
        )  # fmt: skip
    reduction_axes = [axis + rank if axis < 0 else axis for axis in reduction_axes]
    for axis in reduction_axes:
        if axis > rank:
            raise ValueError("Axis is out of bounds.")
        if dimension_value(inputs.shape[axis]) is None:
            raise ValueError(f"Inputs {inputs.name} has undefined dimensions {axis}.")
        if channels_axis == axis:
            raise ValueError("reduction_axis must be mutually exclusive with channels_axis")
    if groups > channels:
        raise ValueError(f"Invalid groups {groups} for {channels} channels.")
    if channels % groups != 0:
        raise ValueError(f"{channels} channels is not commensurate with {groups} groups.")
    grouped = [groups, channels // groups]
    before, after = input_shape[:channels_axis], input_shape[channels_axis + 1 :]
    inputs = array_ops.reshape(inputs, before + grouped + after)
    axes = [channels_axis + 1]
    axes += [axis + 1 if axis > channels_axis else axis for axis in reduction_axes]
    with variable_scope.variable_scope(scope, "GroupNorm", [inputs], reuse=reuse) as sc:
        broadcast = [1] * len(before) + grouped + [1] * len(after)
        beta, gamma = _beta_and_gamma(
            center, scale, [channels], broadcast, inputs.dtype.base_dtype, param_initializers,
            variables_collections, trainable,
        )  # fmt: skip
        if mean_close_to_zero:
            counts, sums, squares, _ = nn_impl.sufficient_statistics(inputs, axes, keepdims=True)
            mean, variance = nn_impl.normalize_moments(counts, sums, squares, shift=None)
        else:
            mean, variance = nn_impl.moments(inputs, axes, keepdims=True)
        gain = math_ops.rsqrt(variance + epsilon)
        offset = -mean * gain
        if gamma is not None:
            gain *= gamma
            offset *= gamma
        if beta is not None:
            offset += beta
        outputs = array_ops.reshape(inputs * gain + offset, input_shape)
        if activation_fn is not None:
            outputs = activation_fn(outputs)
        return utils.collect_named_outputs(outputs_collections, sc.name, outputs)
