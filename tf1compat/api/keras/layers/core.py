"""Dense layers, dropout, flattening (`tensorflow.python.keras.layers.core`)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.keras import activations, backend, lookup
from tf1compat.api.keras.engine.base_layer import Layer
from tf1compat.api.keras.engine.input_spec import InputSpec
from tf1compat.api.keras.utils import conv_utils, tf_utils
from tf1compat.api.keras.utils.generic_utils import settings
from tf1compat.api.math import math_matmul, math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.sparse import sparse_ops
from tf1compat.core import context, dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape, dimension_value
from tf1compat.core.typing import Initializer, Regularizer


@tf_export("keras.layers.Dense")
class Dense(Layer):
    """activation(inputs @ kernel + bias).

    Args:
      units: the size of the outputs.
      activation: a function, or its name.
      use_bias: whether there is a bias.
      kernel_initializer, bias_initializer: what fills the variables at first.
      kernel_regularizer, bias_regularizer: functions of the variables; their results join the
        losses.
      activity_regularizer: the same of the outputs.
      kernel_constraint, bias_constraint: functions that project the variables after an update.
      **kwargs: see `Layer`.
    """

    def __init__(
        self, units: int, activation: Callable[..., Any] | str | None = None, use_bias: bool = True,
        kernel_initializer: Initializer = "glorot_uniform", bias_initializer: Initializer = "zeros",
        kernel_regularizer: Regularizer | None = None, bias_regularizer: Regularizer | None = None,
        activity_regularizer: Regularizer | None = None,
        kernel_constraint: Regularizer | None = None,
        bias_constraint: Regularizer | None = None, **kwargs: Any,
    ):  # fmt: skip
        if "input_shape" not in kwargs and "input_dim" in kwargs:
            kwargs["input_shape"] = (kwargs.pop("input_dim"),)
        super().__init__(activity_regularizer=lookup.regularizer(activity_regularizer), **kwargs)
        self.units = int(units)
        self.activation = activations.get(activation)
        self.use_bias = use_bias
        self.kernel_initializer = lookup.initializer(kernel_initializer)
        self.bias_initializer = lookup.initializer(bias_initializer)
        self.kernel_regularizer = lookup.regularizer(kernel_regularizer)
        self.bias_regularizer = lookup.regularizer(bias_regularizer)
        self.kernel_constraint = lookup.constraint(kernel_constraint)
        self.bias_constraint = lookup.constraint(bias_constraint)
        self.supports_masking = True
        self.input_spec = InputSpec(min_ndim=2)

    def build(self, input_shape: Any) -> None:
        """Makes the kernel and the bias.

        Raises:
          TypeError: the layer's dtype is no float and no complex.
          ValueError: the size of the inputs is not known.
        """
        dtype = dtypes.as_dtype(self.dtype or backend.floatx())
        if not (dtype.is_floating or dtype.is_complex):
            raise TypeError(f"Unable to build `Dense` layer with non-floating point dtype {dtype}")
        size = dimension_value(TensorShape(input_shape)[-1])
        if size is None:
            raise ValueError(
                "The last dimension of the inputs to `Dense` should be defined. Found `None`."
            )
        self.input_spec = InputSpec(min_ndim=2, axes={-1: size})
        self.kernel = self.add_weight(
            "kernel", shape=[size, self.units], initializer=self.kernel_initializer,
            regularizer=self.kernel_regularizer, constraint=self.kernel_constraint,
            dtype=self.dtype, trainable=True,
        )  # fmt: skip
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                "bias", shape=[self.units], initializer=self.bias_initializer,
                regularizer=self.bias_regularizer, constraint=self.bias_constraint,
                dtype=self.dtype, trainable=True,
            )  # fmt: skip
        self.built = True

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Applies the layer to [..., size]."""
        rank = len(inputs.shape)
        if rank > 2:
            outputs = math_matmul.tensordot(inputs, self.kernel, [[rank - 1], [0]])
            if not context.executing_eagerly():
                outputs.set_shape([*inputs.shape.as_list()[:-1], self.units])
        else:
            inputs = math_ops.cast(inputs, self._compute_dtype)
            if backend.is_sparse(inputs):
                outputs = sparse_ops.sparse_tensor_dense_matmul(inputs, self.kernel)
            else:
                outputs = raw_ops.MatMul(inputs, self.kernel)
        if self.use_bias:
            outputs = nn_ops.bias_add(outputs, self.bias)
        return self.activation(outputs)

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """`input_shape` with the last size replaced by `units`."""
        shape = TensorShape(input_shape).with_rank_at_least(2)
        if dimension_value(shape[-1]) is None:
            raise ValueError(
                f"The innermost dimension of input_shape must be defined, but saw: {shape}"
            )
        return shape[:-1].concatenate(self.units)

    get_config = settings(
        "units", "activation", "use_bias", "kernel_initializer", "bias_initializer",
        "kernel_regularizer", "bias_regularizer", "activity_regularizer", "kernel_constraint",
        "bias_constraint",
    )  # fmt: skip


@tf_export("keras.layers.Dropout")
class Dropout(Layer):
    """Zeroes elements with probability `rate` when training, and scales up the others.

    Args:
      rate: the probability.
      noise_shape: the shape in which elements are dropped independently; None takes the inputs'
        size.
      seed: the op seed.
      **kwargs: see `Layer`.
    """

    def __init__(self, rate: Any, noise_shape: Any = None, seed: int | None = None, **kwargs: Any):
        super().__init__(**kwargs)
        self.rate = rate
        self.noise_shape = noise_shape
        self.seed = seed
        self.supports_masking = True

    def _get_noise_shape(self, inputs: Any) -> Any:
        if self.noise_shape is None:
            return None
        shape = array_ops.shape(inputs)
        return ops.convert_to_tensor(
            [shape[i] if size is None else size for i, size in enumerate(self.noise_shape)]
        )

    def call(self, inputs: Any, training: Any = None) -> Any:  # pyright: ignore
        """Drops if `training`, a bool or a scalar tensor."""
        if training is None:
            training = backend.learning_phase()

        def dropped() -> Any:
            return nn_ops.dropout(
                inputs, noise_shape=self._get_noise_shape(inputs), seed=self.seed, rate=self.rate
            )

        return tf_utils.smart_cond(training, dropped, lambda: array_ops.identity(inputs))

    def compute_output_shape(self, input_shape: Any) -> Any:
        """`input_shape`."""
        return input_shape

    get_config = settings("rate", "noise_shape", "seed")


@tf_export("keras.layers.Flatten")
class Flatten(Layer):
    """Makes matrices of the inputs: all dimensions but the first become one.

    Args:
      data_format: "channels_last", or "channels_first" to move the channels to the end before.
      **kwargs: see `Layer`.
    """

    def __init__(self, data_format: str | None = None, **kwargs: Any):
        super().__init__(**kwargs)
        self.data_format = conv_utils.normalize_data_format(data_format)
        self.input_spec = InputSpec(min_ndim=1)

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Applies the layer to [batch, ...]."""
        rank = inputs.shape.ndims
        if self.data_format == "channels_first" and rank is not None and rank > 1:
            inputs = array_ops.transpose(inputs, perm=[0, *range(2, rank), 1])
        batch = dimension_value(inputs.shape[0]) or array_ops.shape(inputs)[0]
        outputs = array_ops.reshape(inputs, (batch, -1))
        if not context.executing_eagerly():
            outputs.set_shape(self.compute_output_shape(inputs.shape))
        return outputs

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """[batch, the product of the other sizes]."""
        sizes: list[Any]
        batch, *sizes = TensorShape(input_shape).as_list()
        return TensorShape([batch, math.prod(sizes) if all(sizes) else None])

    get_config = settings("data_format")
