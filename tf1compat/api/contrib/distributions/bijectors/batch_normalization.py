"""The bijector of a batch normalization."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.distributions.bijector_impl import Bijector
from tf1compat.api.distributions.moved import moved
from tf1compat.api.layers import normalization
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_impl, nn_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike

_UNKNOWN = "Input must have shape known at graph construction."


@tf_export("contrib.distributions.bijectors.BatchNormalization")
class BatchNormalization(Bijector):
    """x is y normalised: `inverse` normalises, `forward` undoes it by the moving averages."""

    @moved("bijectors.batch_normalization", "tf.contrib.distributions")
    def __init__(
        self,
        batchnorm_layer: Any = None,
        training: bool = True,
        validate_args: bool = False,
        name: str = "batch_normalization",
    ) -> None:
        """A batch normalization.

        Args:
          batchnorm_layer: a `tf.layers.BatchNormalization`; by default one whose scale is positive.
          training: whether `inverse` uses the statistics of the batch.
          validate_args: see `Bijector`.
          name: scope of the ops.

        Raises:
          ValueError: it is no such layer, or renormalises, or has virtual batches.
        """
        layer = batchnorm_layer or normalization.BatchNormalization(
            gamma_constraint=lambda x: nn_ops.relu(x) + 1e-6
        )
        if not isinstance(layer, normalization.BatchNormalization):
            raise ValueError("batchnorm_layer must be an instance of BatchNormalization layer.")
        if layer.renorm:
            raise ValueError("BatchNorm Bijector does not support renormalization.")
        if layer.virtual_batch_size:
            raise ValueError("BatchNorm Bijector does not support virtual batch sizes.")
        self.batchnorm: Any = layer
        self._training = training
        axis = self.batchnorm.axis
        super().__init__(
            forward_min_event_ndims=1 if isinstance(axis, int) else len(axis),
            validate_args=validate_args,
            name=name,
        )

    def _forward(self, x: Any) -> Any:
        layer = self.batchnorm
        if not layer.built:
            layer.build(x.get_shape())
        shaped = self._shaper_for(x)
        mean = shaped(layer.moving_mean)
        variance = shaped(layer.moving_variance)
        offset = shaped(layer.beta) if layer.center else None
        scale = shaped(layer.gamma) if layer.scale else None
        with ops.name_scope("undo_batchnorm", values=[x, mean, variance, scale, offset]):
            width = math_ops.sqrt(variance + layer.epsilon)
            width = width if scale is None else width / scale
            scaled = x * width
            return scaled + (mean if offset is None else mean - offset * width)

    def _shaper_for(self, x: Any) -> Any:
        """A function that shapes a vector of the layer so that it broadcasts with `x`."""
        if not x.shape.is_fully_defined():
            raise ValueError(_UNKNOWN)
        sizes, axes = x.shape.as_list(), self.batchnorm.axis
        rank = len(sizes)
        others = [i for i in range(rank) if i not in axes]
        shape = [1] * rank
        shape[axes[0]] = sizes[axes[0]]

        def shaped(vector: Any) -> Any:
            if len(vector.get_shape()) != rank and others != list(range(rank - 1)):
                return array_ops.reshape(vector, shape)
            return vector

        return shaped

    def _inverse(self, y: TensorLike) -> Any:
        return self.batchnorm.apply(y, training=self._training)

    def _forward_log_det_jacobian(self, x: TensorLike) -> Any:
        return -self._inverse_log_det_jacobian(x, use_saved_statistics=True)

    def _inverse_log_det_jacobian(self, y: Any, use_saved_statistics: bool = False) -> Any:
        if not y.shape.is_fully_defined():
            raise ValueError(_UNKNOWN)
        layer, sizes = self.batchnorm, y.shape.as_list()
        if not layer.built:
            layer.build(np.int32(sizes))
        if use_saved_statistics or not self._training:
            variance = layer.moving_variance
        else:
            others = [i for i in range(len(sizes)) if i not in layer.axis]
            _, variance = nn_impl.moments(y, axes=others, keepdims=True)
        log_variance = math_ops.log(variance + layer.epsilon)
        log_scale = math_ops.reduce_sum(math_ops.log(layer.gamma))
        return log_scale - 0.5 * math_ops.reduce_sum(log_variance)
