"""`tf.layers.dense`, `dropout` and `flatten` (`tensorflow.python.layers.core`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.keras.layers import core as keras_core
from tf1compat.api.layers import base
from tf1compat.api.random import init_ops
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Initializer, Name, Regularizer, TensorLike

_ZEROS = init_ops.Zeros()


@tf_export("layers.Dense")
class Dense(keras_core.Dense, base.Layer):
    """activation(inputs @ kernel + bias).

    Args: see `dense`; `**kwargs` as in `tf.layers.Layer`.
    """

    def __init__(
        self, units: int, activation: Callable[..., Any] | str | None = None, use_bias: bool = True,
        kernel_initializer: Initializer | None = None, bias_initializer: Initializer = _ZEROS,
        kernel_regularizer: Regularizer | None = None, bias_regularizer: Regularizer | None = None,
        activity_regularizer: Regularizer | None = None,
        kernel_constraint: Regularizer | None = None,
        bias_constraint: Regularizer | None = None, trainable: bool = True, name: Name = None,
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__(**base.own(locals()))


@tf_export("layers.dense")
@deprecated(None, "Use keras.layers.Dense instead.")
def dense(
    inputs: Any, units: int, activation: Callable[..., Any] | str | None = None,
    use_bias: bool = True,
    kernel_initializer: Initializer | None = None, bias_initializer: Initializer = _ZEROS,
    kernel_regularizer: Regularizer | None = None,
    bias_regularizer: Regularizer | None = None, activity_regularizer: Regularizer | None = None,
    kernel_constraint: Regularizer | None = None,
    bias_constraint: Regularizer | None = None, trainable: bool = True, name: Name = None,
    reuse: Any = None,
) -> Tensor:  # fmt: skip
    """activation(inputs @ kernel + bias).

    Args:
      inputs: a tensor [..., size].
      units: the size of the output.
      activation: a function of a tensor.
      use_bias: whether there is a bias.
      kernel_initializer: by default that of the variable scope, else Glorot uniform.
      bias_initializer: zeros by default.
      kernel_regularizer, bias_regularizer, activity_regularizer: functions of the kernel, the bias
        and the output; their results join `GraphKeys.REGULARIZATION_LOSSES`.
      kernel_constraint, bias_constraint: functions that project the variables after an update.
      trainable: whether the variables join the trainable ones.
      name: the name of the layer and its variable scope; "dense" with a number by default.
      reuse: whether to use the variables of a layer of that name.

    Returns:
      A tensor [..., units].
    """
    return base.applied(Dense, **locals())


@tf_export("layers.Dropout")
class Dropout(keras_core.Dropout, base.Layer):
    """Zeroes elements with probability `rate` when training.

    Args: see `dropout`; `**kwargs` as in `tf.layers.Layer`.
    """

    def __init__(
        self, rate: Any = 0.5, noise_shape: TensorLike | None = None, seed: int | None = None,
        name: Name = None,
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__(rate, noise_shape, seed, name=name, **kwargs)

    def call(self, inputs: Any, training: Any = False) -> Any:
        """Drops if `training`, a bool or a scalar tensor."""
        return super().call(inputs, training=training)


@tf_export("layers.dropout")
@deprecated(None, "Use keras.layers.dropout instead.")
def dropout(
    inputs: Any, rate: Any = 0.5, noise_shape: TensorLike | None = None, seed: int | None = None,
    training: Any = False,
    name: Name = None,
) -> Tensor:  # fmt: skip
    """Zeroes elements with probability `rate` when training, and scales up the others.

    Args:
      inputs: a float tensor.
      rate: the probability.
      noise_shape: the shape in which elements are dropped independently.
      seed: the op seed.
      training: a bool, or a scalar bool tensor.
      name: the layer's name.

    Returns:
      A tensor like `inputs`.
    """
    layer = Dropout(rate, noise_shape=noise_shape, seed=seed, name=name)
    return layer.apply(inputs, training=training)


@tf_export("layers.Flatten")
class Flatten(keras_core.Flatten, base.Layer):
    """Makes matrices of the inputs. Args: see `flatten`; `**kwargs` as in `tf.layers.Layer`."""


@tf_export("layers.flatten")
@deprecated(None, "Use keras.layers.flatten instead.")
def flatten(inputs: Any, name: Name = None, data_format: str = "channels_last") -> Tensor:
    """Makes a matrix of the inputs: all dimensions but the first become one.

    Args:
      inputs: a tensor [batch, ...].
      name: the layer's name.
      data_format: "channels_last", or "channels_first" to move the channels to the end before.

    Returns:
      [batch, size].
    """
    return Flatten(name=name, data_format=data_format).apply(inputs)


FullyConnected = Dense
fully_connected = dense
