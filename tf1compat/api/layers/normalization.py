"""`tf.layers.batch_normalization` (`tensorflow.python.layers.normalization`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.keras.layers import normalization as keras_normalization
from tf1compat.api.layers import base
from tf1compat.api.random import init_ops
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Initializer, Name, Regularizer, TensorLike

_ZEROS = init_ops.Zeros()
_ONES = init_ops.Ones()


@tf_export("layers.BatchNormalization")
class BatchNormalization(keras_normalization.BatchNormalization, base.Layer):
    """Normalises inputs by their mean and variance, or by the moving averages of these.

    Args: see `batch_normalization`; `**kwargs` as in `tf.layers.Layer`.
    """

    def __init__(
        self, axis: TensorLike = -1, momentum: float = 0.99, epsilon: float = 1e-3,
        center: bool = True,
        scale: bool = True, beta_initializer: Initializer = _ZEROS,
        gamma_initializer: Initializer = _ONES,
        moving_mean_initializer: Any = _ZEROS, moving_variance_initializer: Any = _ONES,
        beta_regularizer: Regularizer | None = None, gamma_regularizer: Regularizer | None = None,
        beta_constraint: Regularizer | None = None,
        gamma_constraint: Regularizer | None = None, renorm: bool = False,
        renorm_clipping: Any = None,
        renorm_momentum: float = 0.99, fused: bool | None = None, trainable: bool = True,
        virtual_batch_size: int | None = None, adjustment: Any = None, name: Name = None,
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__(**base.own(locals()))

    def call(self, inputs: Any, training: Any = False) -> Any:
        """Normalises by the batch if `training`, else by the moving averages."""
        return super().call(inputs, training=training)


@tf_export("layers.batch_normalization")
@deprecated(
    None,
    "Use keras.layers.BatchNormalization instead.  In particular, "
    "`tf.control_dependencies(tf.GraphKeys.UPDATE_OPS)` should not be used (consult the "
    "`tf.keras.layers.batch_normalization` documentation).",
)
def batch_normalization(
    inputs: Any, axis: TensorLike = -1, momentum: float = 0.99, epsilon: float = 1e-3,
    center: bool = True, scale: bool = True, beta_initializer: Initializer = _ZEROS,
    gamma_initializer: Initializer = _ONES, moving_mean_initializer: Any = _ZEROS,
    moving_variance_initializer: Any = _ONES, beta_regularizer: Regularizer | None = None,
    gamma_regularizer: Regularizer | None = None, beta_constraint: Regularizer | None = None,
    gamma_constraint: Regularizer | None = None,
    training: Any = False, trainable: bool = True, name: Name = None, reuse: Any = None,
    renorm: bool = False, renorm_clipping: Any = None, renorm_momentum: float = 0.99,
    fused: bool | None = None, virtual_batch_size: int | None = None, adjustment: Any = None,
) -> Tensor:  # fmt: skip
    """Normalises inputs by their mean and variance, or by the moving averages of these; then scales
    and shifts.

    The updates of the moving averages join `GraphKeys.UPDATE_OPS`; nothing runs them by itself.

    Args:
      inputs: a tensor.
      axis: the axis, or list of axes, that keep statistics of their own: as a rule the channels.
      momentum: of the moving averages.
      epsilon: added to variances.
      center, scale: whether to shift by a variable `beta`, to scale by a variable `gamma`.
      beta_initializer, gamma_initializer, moving_mean_initializer, moving_variance_initializer:
        what fills the variables at first.
      beta_regularizer, gamma_regularizer: functions of the variables; their results join the
        losses.
      beta_constraint, gamma_constraint: functions that project the variables after an update.
      training: whether to normalise by the inputs: a bool, or a scalar bool tensor.
      trainable: whether gamma and beta join the trainable variables.
      name: the name of the layer and its variable scope.
      reuse: whether to use the variables of a layer of that name.
      renorm, renorm_clipping, renorm_momentum: batch renormalisation, the bounds "rmin", "rmax" and
        "dmax" of its correction, and the momentum of its averages.
      fused: whether to use the fused op, where it can be.
      virtual_batch_size: normalise smaller batches each on its own.
      adjustment: a function of the inputs' shape that gives (scale, bias) to apply when training.

    Returns:
      A tensor like `inputs`.
    """
    layer = BatchNormalization(
        axis, momentum, epsilon, center, scale, beta_initializer, gamma_initializer,
        moving_mean_initializer, moving_variance_initializer, beta_regularizer, gamma_regularizer,
        beta_constraint, gamma_constraint, renorm, renorm_clipping, renorm_momentum, fused,
        trainable, virtual_batch_size, adjustment, name, _reuse=reuse, _scope=name,
    )  # fmt: skip
    return layer.apply(inputs, training=training)


BatchNorm = BatchNormalization
batch_norm = batch_normalization
