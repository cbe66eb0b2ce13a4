"""The layers of `tensorflow.python.keras.layers.core` that have no weights: shapes, activations,
masks, functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.eager import context
from tf1compat.api.keras import activations, backend, regularizers
from tf1compat.api.keras.engine.base_layer import Layer
from tf1compat.api.keras.engine.input_spec import InputSpec
from tf1compat.api.keras.layers.core import Dropout
from tf1compat.api.keras.utils import generic_utils, tf_utils
from tf1compat.api.keras.utils.generic_utils import settings
from tf1compat.api.math import math_ops
from tf1compat.api.variables import variable_scope
from tf1compat.core import nest
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape


def _exported(cls: Any) -> Any:
    return tf_export(f"keras.layers.{cls.__name__}")(cls)


class SameShape(Layer):
    """A layer whose outputs have the shape of its inputs."""

    def compute_output_shape(self, input_shape: Any) -> Any:
        """`input_shape`."""
        return input_shape


class SameTensorShape(Layer):
    """As `SameShape`, which it says as a `TensorShape`."""

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """`input_shape`."""
        return TensorShape(input_shape)


@_exported
class Masking(SameShape):
    """Masks steps whose features all have one value.

    Args:
      mask_value: the value.
      **kwargs: see `Layer`.
    """

    def __init__(self, mask_value: Any = 0.0, **kwargs: Any):
        super().__init__(**kwargs)
        self.supports_masking = True
        self.mask_value = mask_value
        self._compute_output_and_mask_jointly = True

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """Which steps have another value."""
        return backend.any(math_ops.not_equal(inputs, self.mask_value), axis=-1)

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The inputs, 0 where they are masked."""
        mask = backend.any(math_ops.not_equal(inputs, self.mask_value), axis=-1, keepdims=True)
        outputs = inputs * math_ops.cast(mask, inputs.dtype)
        outputs._keras_mask = array_ops.squeeze(mask, axis=-1)
        return outputs

    get_config = settings("mask_value")


class _SpatialDropout(Dropout):
    """Drops whole channels."""

    rank = 2

    def __init__(self, rate: Any, data_format: Any = None, **kwargs: Any):
        super().__init__(rate, **kwargs)
        if data_format is None:
            data_format = backend.image_data_format()
        if data_format not in {"channels_last", "channels_first"}:
            raise ValueError('data_format must be in {"channels_last", "channels_first"}')
        self.data_format = data_format
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def _get_noise_shape(self, inputs: Any) -> Any:
        shape = array_ops.shape(inputs)
        if self.data_format == "channels_first":
            return (shape[0], shape[1], *[1] * self.rank)
        return (shape[0], *[1] * self.rank, shape[self.rank + 1])


@_exported
class SpatialDropout1D(Dropout):
    """Drops whole channels of [batch, steps, channels]. Args: see `Dropout`."""

    def __init__(self, rate: Any, **kwargs: Any):
        super().__init__(rate, **kwargs)
        self.input_spec = InputSpec(ndim=3)

    def _get_noise_shape(self, inputs: Any) -> Any:
        shape = array_ops.shape(inputs)
        return (shape[0], 1, shape[2])


@_exported
class SpatialDropout2D(_SpatialDropout):
    """Drops whole channels of images. Args: see `Dropout`; `data_format` says where they are."""


@_exported
class SpatialDropout3D(_SpatialDropout):
    """Drops whole channels of volumes. Args: see `Dropout`; `data_format` says where they are."""

    rank = 3


@_exported
class Activation(SameShape):
    """Applies an activation, a function or its name."""

    def __init__(self, activation: Any, **kwargs: Any):
        super().__init__(**kwargs)
        self.supports_masking = True
        self.activation = activations.get(activation)

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The activation of the inputs."""
        return self.activation(inputs)

    get_config = settings("activation")


@_exported
class Reshape(Layer):
    """Gives samples another shape; one size may be -1.

    Args:
      target_shape: the shape without the batch.
      **kwargs: see `Layer`.
    """

    def __init__(self, target_shape: Any, **kwargs: Any):
        super().__init__(**kwargs)
        self.target_shape = tuple(target_shape)

    def _fix_unknown_dimension(self, input_shape: Any, output_shape: Any) -> list[Any]:
        sizes = list(output_shape)
        unknown = [i for i, size in enumerate(sizes) if size < 0]
        if len(unknown) > 1:
            raise ValueError("Can only specify one unknown dimension.")
        known = int(np.prod([size for size in sizes if size >= 0], dtype=int))
        total = int(np.prod(input_shape, dtype=int))
        if unknown and known and total % known == 0:
            sizes[unknown[0]] = total // known
        elif unknown or total != known:
            raise ValueError("total size of new array must be unchanged")
        return sizes

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """The batch and the target shape."""
        shape = TensorShape(input_shape).as_list()
        if None in shape[1:]:
            sizes = [None if size == -1 else size for size in self.target_shape]
        else:
            sizes = self._fix_unknown_dimension(shape[1:], self.target_shape)
        return TensorShape([shape[0], *sizes])

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The inputs in another shape."""
        return array_ops.reshape(inputs, (array_ops.shape(inputs)[0], *self.target_shape))

    get_config = settings("target_shape")


@_exported
class Permute(Layer):
    """Puts the dimensions of samples into another order.

    Args:
      dims: the order, counted from 1.
      **kwargs: see `Layer`.
    """

    def __init__(self, dims: Any, **kwargs: Any):
        super().__init__(**kwargs)
        self.dims = tuple(dims)
        if sorted(dims) != list(range(1, len(dims) + 1)):
            raise ValueError(
                f"Invalid permutation `dims` for Permute Layer: {dims}. The set of indices in "
                "`dims` must be consecutive and start from 1."
            )
        self.input_spec = InputSpec(ndim=len(self.dims) + 1)

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """The sizes in their new order."""
        shape = TensorShape(input_shape).as_list()
        return TensorShape([shape[0], *(shape[dim] for dim in self.dims)])

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The inputs, transposed."""
        return array_ops.transpose(inputs, perm=(0, *self.dims))

    get_config = settings("dims")


@_exported
class RepeatVector(Layer):
    """Repeats vectors `n` times: [batch, n, size]."""

    def __init__(self, n: int, **kwargs: Any):
        super().__init__(**kwargs)
        self.n = n
        self.input_spec = InputSpec(ndim=2)

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """[batch, n, size]."""
        shape = TensorShape(input_shape).as_list()
        return TensorShape([shape[0], self.n, shape[1]])

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The inputs, repeated."""
        return backend.repeat(inputs, self.n)

    get_config = settings("n")


@_exported
class ActivityRegularization(SameShape):
    """Adds a penalty on its inputs to the losses.

    Args:
      l1, l2: factors of the sums of absolute values and squares.
      **kwargs: see `Layer`.
    """

    def __init__(self, l1: Any = 0.0, l2: Any = 0.0, **kwargs: Any):
        super().__init__(activity_regularizer=regularizers.L1L2(l1=l1, l2=l2), **kwargs)
        self.supports_masking = True
        self.l1 = l1
        self.l2 = l2

    get_config = settings("l1", "l2")


@_exported
class Lambda(Layer):
    """Applies a function.

    Args:
      function: a function of the inputs; it may take `mask` and `training` too.
      output_shape: the shape of an output without the batch, or a function of the input's shape.
      mask: the mask of the outputs, or a function of inputs and masks.
      arguments: further arguments, by name.
      **kwargs: see `Layer`.
    """

    def __init__(
        self, function: Any, output_shape: Any = None, mask: Any = None, arguments: Any = None,
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__(**kwargs)
        self.function = function
        self._set_private("arguments", arguments if arguments else {})
        if mask is not None:
            self.supports_masking = True
        self.mask = mask
        self._set_private("_output_shape", output_shape)
        self._set_private("_variable_dict", {})
        self._fn_expects_training_arg = generic_utils.has_arg(function, "training")
        self._fn_expects_mask_arg = generic_utils.has_arg(function, "mask")

    @tf_utils.shape_type_conversion
    def compute_output_shape(self, input_shape: Any) -> Any:
        """The shape that the layer was told, else that of what the function makes of placeholders.

        Raises:
          NotImplementedError: the function does not take placeholders.
        """
        if self._output_shape is None:
            try:
                with context.eager_mode():
                    return super().compute_output_shape(input_shape)
            except NotImplementedError:
                raise NotImplementedError(
                    "We could not automatically infer the shape of the Lambda's output. Please "
                    "specify `output_shape` for this Lambda."
                ) from None
        if callable(self._output_shape):
            return tf_utils.convert_shapes(self._output_shape(input_shape), to_tuples=False)
        shape = tf_utils.convert_shapes(input_shape, to_tuples=False)
        batch = nest.flatten(shape)[0][0] if input_shape else None
        return nest.map_structure(
            lambda own: TensorShape([batch, *own.as_list()]),
            tf_utils.convert_shapes(self._output_shape, to_tuples=False),
        )

    def call(self, inputs: Any, mask: Any = None, training: Any = None) -> Any:  # pyright: ignore
        """What the function says; variables that it makes belong to the layer."""
        arguments: Any = self.arguments
        if self._fn_expects_mask_arg:
            arguments["mask"] = mask
        if self._fn_expects_training_arg:
            arguments["training"] = training
        with variable_scope.variable_creator_scope(self._variable_creator):
            return self.function(inputs, **arguments)

    def _variable_creator(self, next_creator: Any, **kwargs: Any) -> Any:
        name = kwargs["name"]
        if name in self._variable_dict:
            return self._variable_dict[name]
        variable = next_creator(**kwargs)
        self._variable_dict[name] = variable
        own = self._trainable_weights if variable.trainable else self._non_trainable_weights
        own.append(variable)
        backend.track_variable(variable)
        return variable

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The mask that the layer was told."""
        return self.mask(inputs, mask) if callable(self.mask) else self.mask

    def get_config(self) -> dict[str, Any]:
        """The function's code, and the settings."""
        config = super().get_config()
        own: dict[str, Any] = {}
        described = generic_utils.function_config
        own["function"], own["function_type"], own["module"] = described(self.function)
        shape = described(self._output_shape, allow_raw=True)
        own["output_shape"], own["output_shape_type"], own["output_shape_module"] = shape
        if self.mask is not None:
            own["mask"], own["mask_type"], own["mask_module"] = described(self.mask)
        own["arguments"] = self.arguments
        return {**config, **own}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """A layer from what `get_config` gave."""
        config = dict(config)

        def function_of(name: str, module: str) -> Any:
            kind, module = config.pop(f"{name}_type"), config.pop(module, None)
            return generic_utils.function_of_config(
                config[name], kind, module, custom_objects, "Lambda layer", globals()
            )

        config["function"] = function_of("function", "module")
        config["output_shape"] = function_of("output_shape", "output_shape_module")
        config["mask"] = function_of("mask", "mask_module") if "mask" in config else None
        for key, value in (config.get("arguments") or {}).items():
            if isinstance(value, dict) and value.get("type") == "ndarray":
                config["arguments"][key] = np.array(value["value"])
        return cls(**config)
