"""Generalised divisive normalisation, `tf.contrib.layers.gdn`.

Ballé et al., "Density Modeling of Images using a Generalized Normalization Transformation", 2016.
"""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.keras.engine.input_spec import InputSpec
from tf1compat.api.layers import base
from tf1compat.api.linalg import linalg_ops
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_convolution, nn_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import DTypeLike, Name, Regularizer, ShapeLike

__all__ = ["GDN", "gdn"]


@tf_export("contrib.layers.GDN")
class GDN(base.Layer):
    """Divides each channel by sqrt(beta + sum_j gamma_j x_j^2), over the channels j.

    Args: see `gdn`; `**kwargs` as in `tf.layers.Layer`.

    Raises:
      ValueError: there is no such `data_format`.
    """

    def __init__(
        self, inverse: bool = False, beta_min: float = 1e-6, gamma_init: float = 0.1,
        reparam_offset: float = 2**-18, data_format: str = "channels_last",
        activity_regularizer: Regularizer | None = None, trainable: bool = True, name: Name = None,
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__(
            trainable=trainable, name=name, activity_regularizer=activity_regularizer, **kwargs
        )
        self.inverse = inverse
        self._beta_min = beta_min
        self._gamma_init = gamma_init
        self._reparam_offset = reparam_offset
        self.data_format = data_format
        self._channel_axis()
        self.input_spec = InputSpec(min_ndim=3, max_ndim=5)

    def _channel_axis(self) -> int:
        axes = {"channels_first": 1, "channels_last": -1}
        if self.data_format not in axes:
            raise ValueError(f"Unsupported `data_format` for GDN layer: {self.data_format}.")
        return axes[self.data_format]

    def _channels(self, shape: Any, owner: str) -> int:
        count = shape.dims[self._channel_axis()].value
        if count is None:
            raise ValueError(f"The channel dimension of {owner} must be defined.")
        return count

    @staticmethod
    def _lower_bound(inputs: Any, bound: Any, name: Name = None) -> Tensor:
        """max(inputs, bound), with a gradient that may lead back above the bound."""
        with ops.name_scope(name, "GDNLowerBound", [inputs, bound]) as scope:
            inputs = ops.convert_to_tensor(inputs, name="inputs")
            bound = ops.convert_to_tensor(bound, name="bound")
            with ops.get_default_graph().gradient_override_map({"Maximum": "GDNLowerBound"}):
                return math_ops.maximum(inputs, bound, name=scope)

    @staticmethod
    def _lower_bound_grad(op: Any, grad: Any) -> list[Any]:
        inputs, bound = op.inputs
        passes = math_ops.logical_or(inputs >= bound, grad < 0)
        return [math_ops.cast(passes, grad.dtype) * grad, None]

    def build(self, input_shape: Any) -> None:
        """Makes beta and gamma.

        Raises:
          ValueError: the number of channels is unknown.
        """
        input_shape = TensorShape(input_shape)
        channels = self._channels(input_shape, "the inputs to `GDN`")
        self._input_rank = input_shape.ndims
        self.input_spec = InputSpec(ndim=input_shape.ndims, axes={self._channel_axis(): channels})
        offset, dtype = self._reparam_offset, self.dtype
        # Squares are trained: they stay positive, and the offset keeps their gradients finite.
        pedestal = constant_op.constant(offset**2, dtype=dtype)
        beta_bound = constant_op.constant((self._beta_min + offset**2) ** 0.5, dtype=dtype)
        gamma_bound = constant_op.constant(offset, dtype=dtype)

        def beta_initializer(
            shape: ShapeLike, dtype: DTypeLike | None = None, partition_info: Any = None
        ) -> Tensor:
            pedestal = constant_op.constant(offset**2, dtype=self.dtype)
            return math_ops.sqrt(array_ops.ones(shape, dtype=dtype) + pedestal)

        def gamma_initializer(shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
            assert len(shape) == 2
            assert shape[0] == shape[1]
            eye = linalg_ops.eye(shape[0], dtype=dtype)
            pedestal = constant_op.constant(offset**2, dtype=self.dtype)
            return math_ops.sqrt(self._gamma_init * eye + pedestal)

        beta = self.add_variable(
            "reparam_beta", shape=[channels], initializer=beta_initializer, dtype=dtype,
            trainable=True,
        )  # fmt: skip
        beta = self._lower_bound(beta, beta_bound)
        self.beta = math_ops.square(beta) - pedestal
        gamma = self.add_variable(
            "reparam_gamma", shape=[channels, channels], initializer=gamma_initializer,
            dtype=dtype, trainable=True,
        )  # fmt: skip
        gamma = self._lower_bound(gamma, gamma_bound)
        self.gamma = math_ops.square(gamma) - pedestal
        self.built = True

    def call(self, inputs: Any) -> Tensor:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Applies the layer to a tensor of three to five dimensions."""
        inputs = ops.convert_to_tensor(inputs, dtype=self.dtype)
        rank = self._input_rank
        gamma = array_ops.reshape(self.gamma, [1] * (rank - 2) + self.gamma.get_shape().as_list())
        squares = math_ops.square(inputs)
        if self.data_format == "channels_first":
            data_format = "NC" + "DHW"[-(rank - 2) :]
            pooled = nn_convolution.convolution(squares, gamma, "VALID", data_format=data_format)
            # The bias is added to images, so other ranks take their form meanwhile.
            shape = None
            if rank == 3:
                pooled = array_ops.expand_dims(pooled, 2)
            elif rank == 5:
                shape = array_ops.shape(pooled)
                pooled = array_ops.reshape(pooled, shape[:3] + [-1])
            pooled = nn_ops.bias_add(pooled, self.beta, data_format="NCHW")
            if rank == 3:
                pooled = array_ops.squeeze(pooled, [2])
            elif rank == 5:
                pooled = array_ops.reshape(pooled, shape)
        else:
            pooled = nn_convolution.convolution(squares, gamma, "VALID")
            pooled = nn_ops.bias_add(pooled, self.beta, data_format="NHWC")
        pooled = math_ops.sqrt(pooled)
        outputs = inputs * pooled if self.inverse else inputs / pooled
        outputs.set_shape(inputs.get_shape())
        return outputs

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """The static shape of the outputs: that of the inputs.

        Raises:
          ValueError: it is not of three to five dimensions, or the number of channels is unknown.
        """
        shape = TensorShape(input_shape)
        if shape.ndims not in (3, 4, 5):
            raise ValueError("`input_shape` must be of rank 3 to 5, inclusive.")
        self._channels(shape, "`input_shape`")
        return shape


ops.RegisterGradient("GDNLowerBound")(GDN._lower_bound_grad)


@tf_export("contrib.layers.gdn")
def gdn(
    inputs: Any, inverse: bool = False, beta_min: float = 1e-6, gamma_init: float = 0.1,
    reparam_offset: float = 2**-18, data_format: str = "channels_last",
    activity_regularizer: Regularizer | None = None, trainable: bool = True, name: Name = None,
    reuse: Any = None,
) -> Tensor:  # fmt: skip
    """Divides each channel by sqrt(beta + sum_j gamma_j x_j^2), over the channels j.

    Args:
      inputs: a float tensor of three to five dimensions.
      inverse: whether to multiply instead.
      beta_min: the least value of beta.
      gamma_init: the diagonal of gamma at first.
      reparam_offset: what is added to the trained squares.
      data_format: "channels_last" or "channels_first".
      activity_regularizer: a function of the outputs that gives a loss.
      trainable: whether the variables join the trainable ones.
      name: the name of the layer and its variable scope.
      reuse: whether to use the variables of a layer of that name.

    Returns:
      A tensor of the shape and dtype of the inputs.

    Raises:
      ValueError: there is no such `data_format`, or the number of channels is unknown.
    """
    layer = GDN(
        inverse=inverse, beta_min=beta_min, gamma_init=gamma_init, reparam_offset=reparam_offset,
        data_format=data_format, activity_regularizer=activity_regularizer, trainable=trainable,
        name=name, dtype=inputs.dtype.base_dtype, _scope=name, _reuse=reuse,
    )  # fmt: skip
    return layer.apply(inputs)
