"""`tensorflow.python.distribute.single_loss_example`: the smallest models for strategies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import constant_op, shape_ops
from tf1compat.api.data.ops import dataset_ops
from tf1compat.api.distribute import step_fn
from tf1compat.api.keras.optimizer_v2 import optimizer_v2
from tf1compat.api.layers import core, normalization
from tf1compat.api.math import math_ops
from tf1compat.core import ops


def _ones() -> Any:
    """A dataset of a row with a one, for ever."""
    return dataset_ops.Dataset.from_tensors([[1.0]]).repeat()


def _square_error(layer: Any, x: Any) -> Any:
    """How far the layer's one output is from one, squared."""
    error = shape_ops.reshape(layer(x), []) - constant_op.constant(1.0)
    return error * error


def _minimize(optimizer: Any, loss_fn: Callable[[], Any], layer: Any) -> Any:
    if isinstance(optimizer, optimizer_v2.OptimizerV2):
        return optimizer.minimize(loss_fn, lambda: layer.trainable_variables)
    return optimizer.minimize(loss_fn)


def single_loss_example(
    optimizer_fn: Callable[[], Any],
    distribution: Any,
    use_bias: bool = False,
    iterations_per_step: int = 1,
) -> tuple[Any, Any]:
    """A step of training by a strategy, of one weight that is to become one.

    Args:
      optimizer_fn: makes the optimizer.
      distribution: the strategy.
      use_bias: whether there is a bias too.
      iterations_per_step: how often a step trains.

    Returns:
      (a `StandardSingleLossStep`, the layer).
    """
    optimizer = optimizer_fn()
    layer = core.Dense(1, use_bias=use_bias)
    step = step_fn.StandardSingleLossStep(
        _ones, lambda _, x: _square_error(layer, x), optimizer, distribution, iterations_per_step
    )
    return step, layer


def minimize_loss_example(
    optimizer: Any, use_bias: bool = False, use_callable_loss: bool = True
) -> tuple[Callable[[Any], Any], Callable[[], Any], Any]:
    """The same model as a user would write it who knows nothing of strategies.

    Args:
      optimizer: an optimizer of `tf.train` or of Keras.
      use_bias: whether there is a bias too.
      use_callable_loss: whether an optimizer of `tf.train` is given a function for a loss.

    Returns:
      (a function that trains on an element, one that makes the dataset, the layer).
    """
    layer = core.Dense(1, use_bias=use_bias)

    def model_fn(x: Any) -> Any:
        def loss_fn() -> Any:
            return _square_error(layer, x)

        of_keras = isinstance(optimizer, optimizer_v2.OptimizerV2)
        if use_callable_loss or of_keras:
            return _minimize(optimizer, loss_fn, layer)
        return optimizer.minimize(loss_fn())

    # All shapes are known where no batch is smaller than others.
    return model_fn, lambda: _ones().batch(1, drop_remainder=True), layer


def batchnorm_example(
    optimizer_fn: Callable[[], Any],
    batch_per_epoch: int = 1,
    momentum: float = 0.9,
    renorm: bool = False,
    update_ops_in_replica_mode: bool = False,
) -> tuple[Callable[[Any], Any], Callable[[], Any], Any]:
    """A model that normalizes batches.

    Args:
      optimizer_fn: makes the optimizer.
      batch_per_epoch: how many batches of 16 rows of 8 there are, each higher than the last by 100.
      momentum, renorm: of the normalization.
      update_ops_in_replica_mode: whether its averages are updated where the loss is computed.

    Returns:
      (a function that trains on an element, one that makes the dataset, the layer that normalizes).
    """
    rows = np.arange(16 * 8, dtype=np.float32).reshape(16, 8)
    batches = np.stack([rows + 100 * number for number in range(batch_per_epoch)])
    optimizer = optimizer_fn()
    normalize = normalization.BatchNormalization(momentum=momentum, renorm=renorm, fused=False)
    layer = core.Dense(1, use_bias=False)

    def model_fn(x: Any) -> Any:
        def loss_fn() -> Any:
            y = normalize(x, training=True)
            updates = []
            if update_ops_in_replica_mode:
                updates = ops.get_collection(ops.GraphKeys.UPDATE_OPS)
            with ops.control_dependencies(updates):
                total = math_ops.reduce_sum(layer(y))
                return math_ops.reduce_mean(total - constant_op.constant(1.0))

        return _minimize(optimizer, loss_fn, layer)

    return model_fn, lambda: dataset_ops.Dataset.from_tensor_slices(batches).repeat(), normalize
