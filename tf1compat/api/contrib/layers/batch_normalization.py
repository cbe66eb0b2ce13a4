"""`tf.contrib.layers.batch_norm` and `layer_norm`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.contrib.framework import variables
from tf1compat.api.contrib.framework.arg_scope import add_arg_scope
from tf1compat.api.contrib.layers import utils
from tf1compat.api.contrib.layers.layer_variables import (
    add_to_collections,
    build_variable_getter,
)
from tf1compat.api.layers import normalization
from tf1compat.api.nn import nn_impl
from tf1compat.api.random import init_ops
from tf1compat.api.training import moving_averages
from tf1compat.api.variables import variable_scope
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Collections, DTypeLike, ShapeLike, TensorLike

__all__ = ["batch_norm", "layer_norm"]

_UPDATE_OPS = ops.GraphKeys.UPDATE_OPS


def parameter(
    name: str, default: Any, shape: ShapeLike, dtype: DTypeLike, initializers: Mapping[str, Any],
    variables_collections: Any, trainable: bool, regularizers: Mapping[str, Any] | None = None,
) -> Any:  # fmt: skip
    """The model variable `name` of a norm.

    Args:
      name: e.g. "beta".
      default: its initializer if `initializers` has none.
      shape, dtype, trainable: see `tf.get_variable`.
      initializers, regularizers, variables_collections: for all variables, by name.
    """
    return variables.model_variable(
        name, shape=shape, dtype=dtype, initializer=initializers.get(name, default),
        regularizer=(regularizers or {}).get(name),
        collections=utils.get_variable_collections(variables_collections, name),
        trainable=trainable,
    )  # fmt: skip


def _moving_variables(
    shape: ShapeLike,
    dtype: DTypeLike,
    initializers: Mapping[str, Any],
    variables_collections: Collections,
) -> tuple[Any, Any]:
    """The moving mean and the moving variance, never partitioned."""
    with variable_scope.variable_scope(variable_scope.get_variable_scope()) as scope:
        scope.set_partitioner(None)
        mean = parameter(
            "moving_mean", init_ops.zeros_initializer(), shape, dtype, initializers,
            variables_collections, trainable=False,
        )  # fmt: skip
        variance = parameter(
            "moving_variance", init_ops.ones_initializer(), shape, dtype, initializers,
            variables_collections, trainable=False,
        )  # fmt: skip
    return mean, variance


def _moved(moving: tuple[Any, Any], batch: tuple[Any, Any], decay: Any, zero_debias: bool) -> Any:
    """Moves mean and variance towards those of the batch."""
    mean = moving_averages.assign_moving_average(
        moving[0], batch[0], decay, zero_debias=zero_debias
    )
    variance = moving_averages.assign_moving_average(
        moving[1], batch[1], decay, zero_debias=False
    )  # fmt: skip
    return mean, variance


def _maybe_needed(is_training: Any) -> bool:
    """Whether training is on, or may be."""
    known = utils.constant_value(is_training)
    return bool(known is None or known)


def _fused_batch_norm(
    inputs: Tensor, decay: Any, center: bool, scale: bool, epsilon: Any,
    activation_fn: Callable[..., Any] | None,
    param_initializers: Any, param_regularizers: Any, updates_collections: Any, is_training: Any,
    reuse: Any, variables_collections: Any, outputs_collections: Any, trainable: bool,
    data_format: str, zero_debias_moving_mean: bool, scope: Any,
) -> Tensor:  # fmt: skip
    """`batch_norm` by one operation, for matrices and images."""
    _require_format(data_format)
    with variable_scope.variable_scope(scope, "BatchNorm", [inputs], reuse=reuse) as sc:
        inputs = ops.convert_to_tensor(inputs)
        original_inputs = inputs
        is_matrix = inputs.get_shape().ndims == 2
        if is_matrix:
            channels = inputs.get_shape().as_list()[-1]
            if channels is None:
                raise ValueError("`C` dimension must be known but is None")
            as_image = [-1, channels, 1, 1] if data_format == "NCHW" else [-1, 1, 1, channels]
            inputs = array_ops.reshape(inputs, as_image)
        inputs_shape = inputs.get_shape()
        shape = inputs_shape[1:2] if data_format == "NCHW" else inputs_shape[-1:]
        if not shape.is_fully_defined():
            raise ValueError(f"Inputs {inputs.name} has undefined `C` dimension {shape}.")
        dtype = dtypes.float32
        initializers = param_initializers or {}
        if center:
            beta = parameter(
                "beta", init_ops.zeros_initializer(), shape, dtype, initializers,
                variables_collections, trainable, param_regularizers,
            )  # fmt: skip
        else:
            beta = constant_op.constant(0.0, dtype=dtype, shape=shape)
        if scale:
            gamma = parameter(
                "gamma", init_ops.ones_initializer(), shape, dtype, initializers,
                variables_collections, trainable, param_regularizers,
            )  # fmt: skip
        else:
            gamma = constant_op.constant(1.0, dtype=dtype, shape=shape)
        moving = _moving_variables(shape, dtype, initializers, variables_collections)
        outputs, mean, variance = utils.smart_cond(
            is_training,
            lambda: nn_impl.fused_batch_norm(
                inputs, gamma, beta, epsilon=epsilon, data_format=data_format
            ),
            lambda: nn_impl.fused_batch_norm(
                inputs, gamma, beta, mean=moving[0], variance=moving[1], epsilon=epsilon,
                is_training=False, data_format=data_format,
            ),
        )  # fmt: skip

        def update() -> tuple[Any, Any]:
            return _moved(moving, (mean, variance), decay, zero_debias_moving_mean)

        if _maybe_needed(is_training):
            if updates_collections is None:
                normalized = outputs

                def after_update() -> Tensor:
                    with ops.control_dependencies(update()):
                        return array_ops.identity(normalized)

                outputs = utils.smart_cond(is_training, after_update, lambda: normalized)
            else:
                for moved in utils.smart_cond(is_training, update, lambda: moving):
                    ops.add_to_collections(updates_collections, moved)
        outputs.set_shape(inputs_shape)
        if is_matrix:
            outputs = array_ops.reshape(outputs, array_ops.shape(original_inputs))
        if activation_fn is not None:
            outputs = activation_fn(outputs)
        return utils.collect_named_outputs(outputs_collections, sc.name, outputs)


def _require_format(data_format: str) -> None:
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError("data_format has to be either NCHW or NHWC.")


@tf_export("contrib.layers.batch_norm")
@add_arg_scope
def batch_norm(
    inputs: Any, decay: Any = 0.999, center: bool = True, scale: bool = False,
    epsilon: Any = 0.001, activation_fn: Callable[..., Any] | None = None,
    param_initializers: Any = None,
    param_regularizers: Any = None, updates_collections: Collections = _UPDATE_OPS,
    is_training: Any = True, reuse: Any = None, variables_collections: Collections | None = None,
    outputs_collections: Collections | None = None, trainable: bool = True,
    batch_weights: Any = None,
    fused: bool | None = None, data_format: str = "NHWC", zero_debias_moving_mean: bool = False,
    scope: Any = None, renorm: bool = False, renorm_clipping: Any = None, renorm_decay: Any = 0.99,
    adjustment: Any = None,
) -> Tensor:  # fmt: skip
    """Makes mean and variance of each channel 0 and 1, over the batch when training.

    Ioffe and Szegedy, "Batch Normalization", 2015.

    Args:
      inputs: a tensor [batch, ..., channels], or [batch, channels, ...].
      decay: how much the moving averages keep at every step.
      center: whether to add a trainable beta.
      scale: whether to multiply by a trainable gamma.
      epsilon: added to the variance.
      activation_fn: a function of the outputs; None for none.
      param_initializers: a dict of initializers with the keys "beta", "gamma", "moving_mean" and
        "moving_variance".
      param_regularizers: a dict of regularizers with the keys "beta" and "gamma".
      updates_collections: the collections of the averages' updates; None to update before the
        outputs are computed.
      is_training: a bool, or a scalar bool tensor.
      reuse: whether to use the variables of a layer of that scope.
      variables_collections: collections that the variables join, or a dict of them by name.
      outputs_collections: collections that the outputs join.
      trainable: whether beta and gamma join the trainable variables.
      batch_weights: [batch], how much each example weighs in mean and variance.
      fused: whether one operation may do it; None for where it can.
      data_format: "NHWC" or "NCHW".
      zero_debias_moving_mean: whether the moving mean makes up for its start at 0.
      scope: the variable scope.
      renorm, renorm_clipping, renorm_decay: batch renormalisation (Ioffe, 2017), as in
        `tf.layers.batch_normalization`.
      adjustment: a function of the inputs' shape that gives a scale and an offset for training.

    Returns:
      A tensor like `inputs`.

    Raises:
      ValueError: the number of channels is unknown, or settings exclude each other.
    """
    fused = True if fused is None else fused
    inputs = ops.convert_to_tensor(inputs)
    rank = inputs.get_shape().ndims
    is_usual = batch_weights is None and not renorm and rank in [2, 4] and adjustment is None
    if fused and is_usual and (
        zero_debias_moving_mean or rank == 2 or updates_collections is not _UPDATE_OPS
    ):  # fmt: skip
        return _fused_batch_norm(
            inputs, decay, center, scale, epsilon, activation_fn, param_initializers,
            param_regularizers, updates_collections, is_training, reuse, variables_collections,
            outputs_collections, trainable, data_format, zero_debias_moving_mean, scope,
        )  # fmt: skip
    _require_format(data_format)
    with variable_scope.variable_scope(
        scope, "BatchNorm", [inputs], reuse=reuse, custom_getter=build_variable_getter()
    ) as sc:
        initializers = param_initializers or {}
        if (
            batch_weights is None
            and updates_collections is _UPDATE_OPS
            and not zero_debias_moving_mean
        ):
            zeros, ones = init_ops.zeros_initializer(), init_ops.ones_initializer()
            regularizers = param_regularizers or {}
            layer = normalization.BatchNormalization(
                axis=1 if data_format == "NCHW" else -1, momentum=decay, epsilon=epsilon,
                center=center, scale=scale,
                beta_initializer=initializers.get("beta", zeros),
                gamma_initializer=initializers.get("gamma", ones),
                moving_mean_initializer=initializers.get("moving_mean", zeros),
                moving_variance_initializer=initializers.get("moving_variance", ones),
                beta_regularizer=regularizers.get("beta"),
                gamma_regularizer=regularizers.get("gamma"), trainable=trainable, renorm=renorm,
                renorm_clipping=renorm_clipping, renorm_momentum=renorm_decay,
                adjustment=adjustment, name=sc.name, _scope=sc, _reuse=reuse, fused=fused,
            )  # fmt: skip
            outputs = layer.apply(inputs, training=is_training)
            for name in ("moving_mean", "moving_variance", "beta", "gamma"):
                if getattr(layer, name) is not None:
                    add_to_collections(getattr(layer, name), variables_collections, name)
        else:
            if renorm:
                raise ValueError(
                    "renorm is not supported with batch_weights, updates_collections or "
                    "zero_debias_moving_mean"
                )
            outputs = _unfused_batch_norm(
                inputs, decay, center, scale, epsilon, initializers, updates_collections,
                is_training, variables_collections, trainable, batch_weights, data_format,
                zero_debias_moving_mean,
            )  # fmt: skip
        if activation_fn is not None:
            outputs = activation_fn(outputs)
        return utils.collect_named_outputs(outputs_collections, sc.name, outputs)


def _unfused_batch_norm(
    inputs: Tensor, decay: Any, center: bool, scale: bool, epsilon: TensorLike, initializers: Any,
    updates_collections: Collections | None, is_training: Any, variables_collections: Any,
    trainable: bool,
    batch_weights: Any, data_format: str, zero_debias_moving_mean: bool,
) -> Tensor:  # fmt: skip
    """`batch_norm` where neither the fused operation nor the layer of `tf.layers` can do it."""
    inputs_shape = inputs.get_shape()
    rank = inputs_shape.ndims
    if rank is None:
        raise ValueError(f"Inputs {inputs.name} has undefined rank.")
    dtype = inputs.dtype.base_dtype
    if batch_weights is not None:
        batch_weights = ops.convert_to_tensor(batch_weights)
        inputs_shape[0:1].assert_is_compatible_with(batch_weights.get_shape())
        batch_weights = array_ops.reshape(batch_weights, [-1] + [1] * (rank - 1))
    channels_first = data_format == "NCHW"
    shape = inputs_shape[1:2] if channels_first else inputs_shape[-1:]
    if not shape.is_fully_defined():
        raise ValueError(f"Inputs {inputs.name} has undefined channels dimension {shape}.")
    beta = gamma = None
    if center:
        beta = parameter(
            "beta", init_ops.zeros_initializer(), shape, dtype, initializers,
            variables_collections, trainable,
        )  # fmt: skip
    if scale:
        gamma = parameter(
            "gamma", init_ops.ones_initializer(), shape, dtype, initializers,
            variables_collections, trainable,
        )  # fmt: skip
    moving = _moving_variables(shape, dtype, initializers, variables_collections)
    mean, variance = moving
    if _maybe_needed(is_training):
        batch = _batch_moments(inputs, batch_weights, channels_first)

        def update() -> tuple[Any, Any]:
            return _moved(moving, batch, decay, zero_debias_moving_mean)

        if updates_collections is None:

            def after_update() -> tuple[Tensor, Tensor]:
                with ops.control_dependencies(update()):
                    return array_ops.identity(batch[0]), array_ops.identity(batch[1])

            mean, variance = utils.smart_cond(is_training, after_update, lambda: moving)
        else:
            for moved in utils.smart_cond(is_training, update, lambda: moving):
                ops.add_to_collections(updates_collections, moved)
            mean, variance = utils.smart_cond(is_training, lambda: batch, lambda: moving)
    if channels_first:
        broadcast = [1, shape.as_list()[0], *[1] * (rank - 2)]
        mean = array_ops.reshape(mean, broadcast)
        variance = array_ops.reshape(variance, broadcast)
        if beta is not None:
            beta = array_ops.reshape(beta, broadcast)
        if gamma is not None:
            gamma = array_ops.reshape(gamma, broadcast)
    outputs = nn_impl.batch_normalization(inputs, mean, variance, beta, gamma, epsilon)
    outputs.set_shape(inputs_shape)
    return outputs


def _batch_moments(inputs: Tensor, weights: Any, channels_first: bool) -> tuple[Any, Any]:
    """The mean and variance of each channel, as vectors."""
    rank: Any = inputs.get_shape().ndims
    axes = [0, *range(2, rank)] if channels_first else list(range(rank - 1))
    if weights is None:
        mean, variance = nn_impl.moments(inputs, axes, keepdims=channels_first)
    else:
        mean, variance = nn_impl.weighted_moments(inputs, axes, weights, keepdims=channels_first)
    if channels_first:
        mean = array_ops.reshape(mean, [-1])
        variance = array_ops.reshape(variance, [-1])
    return mean, variance


@tf_export("contrib.layers.layer_norm")
@add_arg_scope
def layer_norm(
    inputs: Any, center: bool = True, scale: bool = True, activation_fn: Callable[...,
    Any] | None = None,
    reuse: Any = None, variables_collections: Collections | None = None,
    outputs_collections: Collections | None = None,
    trainable: bool = True, begin_norm_axis: int = 1, begin_params_axis: int = -1,
    scope: Any = None,
) -> Tensor:  # fmt: skip
    """Makes mean and variance of each example 0 and 1.

    Ba et al., "Layer Normalization", 2016.

    Args:
      inputs: a tensor [batch, ...] of known rank.
      center: whether to add a trainable beta.
      scale: whether to multiply by a trainable gamma.
      activation_fn: a function of the outputs; None for none.
      reuse: whether to use the variables of a layer of that scope.
      variables_collections: collections that the variables join, or a dict of them by name.
      outputs_collections: collections that the outputs join.
      trainable: whether the variables join the trainable ones.
      begin_norm_axis: the mean goes over this dimension and all after it.
      begin_params_axis: beta and gamma have this dimension and all after it.
      scope: the variable scope.

    Returns:
      A tensor like `inputs`.

    Raises:
      ValueError: the inputs' rank is unknown or too small, or the shape of beta is unknown.
    """
    with variable_scope.variable_scope(scope, "LayerNorm", [inputs], reuse=reuse) as sc:
        inputs = ops.convert_to_tensor(inputs)
        inputs_shape = inputs.shape
        rank = inputs_shape.ndims
        if rank is None:
            raise ValueError(f"Inputs {inputs.name} has undefined rank.")
        dtype = inputs.dtype.base_dtype
        if begin_norm_axis < 0:
            begin_norm_axis += rank
        if begin_params_axis >= rank or begin_norm_axis >= rank:
            raise ValueError(
                f"begin_params_axis ({begin_params_axis}) and begin_norm_axis ({begin_norm_axis}) "
                f"must be < rank(inputs) ({rank})"
            )
        shape = inputs_shape[begin_params_axis:]
        if not shape.is_fully_defined():
            raise ValueError(
                f"Inputs {inputs.name}: shape(inputs)[{begin_params_axis}:] is not fully defined: "
                f"{inputs_shape}"
            )
        beta = gamma = None
        if center:
            beta = parameter(
                "beta", init_ops.zeros_initializer(), shape, dtype, {}, variables_collections,
                trainable,
            )  # fmt: skip
        if scale:
            gamma = parameter(
                "gamma", init_ops.ones_initializer(), shape, dtype, {}, variables_collections,
                trainable,
            )  # fmt: skip
        axes = list(range(begin_norm_axis, rank))
        mean, variance = nn_impl.moments(inputs, axes, keepdims=True)
        outputs = nn_impl.batch_normalization(
            inputs, mean, variance, offset=beta, scale=gamma,
            variance_epsilon=1e-3 if dtype == dtypes.float16 else 1e-12,
        )  # fmt: skip
        outputs.set_shape(inputs_shape)
        if activation_fn is not None:
            outputs = activation_fn(outputs)
        return utils.collect_named_outputs(outputs_collections, sc.name, outputs)
