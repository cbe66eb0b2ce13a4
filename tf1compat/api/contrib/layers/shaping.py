"""Layers of `tf.contrib.layers` that rearrange or rescale a tensor.

Arguments that many take:
  outputs_collections: collections that the outputs join.
  scope: the variable or name scope.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from tf1compat.api.array import array_ops, constant_op, gather_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.contrib.framework import variables
from tf1compat.api.contrib.framework.arg_scope import add_arg_scope
from tf1compat.api.contrib.layers import utils
from tf1compat.api.functions import defun
from tf1compat.api.math import math_cast, math_elementwise, math_ops
from tf1compat.api.nn import nn_softmax
from tf1compat.api.random import init_ops
from tf1compat.api.sparse import sparse_ops
from tf1compat.api.variables import variable_scope
from tf1compat.core import dtypes, ops, sparse_tensor, tensor_shape
from tf1compat.core.export import export_constant, tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Collections, Name, TensorLike

__all__ = [
    "dense_to_sparse",
    "images_to_sequence",
    "maxout",
    "one_hot_encoding",
    "scale_gradient",
    "sequence_to_images",
    "spatial_softmax",
    "unit_norm",
]


@tf_export("contrib.layers.dense_to_sparse")
@add_arg_scope
def dense_to_sparse(
    tensor: TensorLike,
    eos_token: Any = 0,
    outputs_collections: Collections | None = None,
    scope: Any = None,
) -> Any:
    """The elements that are not `eos_token`, as a sparse tensor.

    Args:
      tensor: a tensor.
      eos_token: the value that is left out.
      outputs_collections, scope: see this module.

    Returns:
      A SparseTensor of the same dtype and dense shape.
    """
    with variable_scope.variable_scope(scope, "dense_to_sparse", [tensor]) as sc:
        tensor = ops.convert_to_tensor(tensor)
        left_out = constant_op.constant(eos_token, tensor.dtype)
        indices = gather_ops.where(math_ops.not_equal(tensor, left_out))
        values = gather_ops.gather_nd(tensor, indices)
        shape = array_ops.shape(tensor, out_type=dtypes.int64)
        outputs = sparse_tensor.SparseTensor(indices, values, shape)
        return utils.collect_named_outputs(outputs_collections, sc.name, outputs)


@tf_export("contrib.layers.images_to_sequence")
@add_arg_scope
def images_to_sequence(
    inputs: Any,
    data_format: str = "NHWC",
    outputs_collections: Collections | None = None,
    scope: Any = None,
) -> Tensor:
    """Makes a sequence of each row of images.

    Args:
      inputs: images of known width and number of channels.
      data_format: "NHWC" or "NCHW".
      outputs_collections, scope: see this module.

    Returns:
      A tensor [width, batch * height, channels].

    Raises:
      ValueError: there is no such `data_format`.
    """
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError("data_format has to be either NCHW or NHWC.")
    with ops.name_scope(scope, "ImagesToSequence", [inputs]) as sc:
        inputs = ops.convert_to_tensor(inputs)
        if data_format == "NCHW":
            inputs = array_ops.transpose(inputs, [0, 2, 3, 1])
        width, depth = inputs.get_shape().as_list()[2:]
        sizes = array_ops.shape(inputs)
        batch, height = sizes[0], sizes[1]
        columns = array_ops.transpose(inputs, [2, 0, 1, 3])
        outputs = array_ops.reshape(columns, [width, batch * height, depth])
        return utils.collect_named_outputs(outputs_collections, sc, outputs)


@tf_export("contrib.layers.sequence_to_images")
@add_arg_scope
def sequence_to_images(
    inputs: Any, height: int, output_data_format: str = "channels_last",
    outputs_collections: Collections | None = None, scope: Any = None,
) -> Tensor:  # fmt: skip
    """The reverse of `images_to_sequence`.

    Args:
      inputs: a tensor [width, batch * height, channels].
      height: the images' height.
      output_data_format: "channels_last" or "channels_first".
      outputs_collections, scope: see this module.

    Returns:
      [batch, height, width, channels] or [batch, channels, height, width], of the inputs' dtype.
    """
    with ops.name_scope(scope, "SequenceToImages", [inputs]) as sc:
        inputs = ops.convert_to_tensor(inputs)
        width, rows, depth = inputs.get_shape().as_list()
        batch = -1 if rows is None else rows // height
        columns = array_ops.reshape(inputs, [width, batch, height, depth])
        order = [1, 3, 2, 0] if output_data_format == "channels_first" else [1, 2, 0, 3]
        outputs = array_ops.transpose(columns, order)
        return utils.collect_named_outputs(outputs_collections, sc, outputs)


@tf_export("contrib.layers.one_hot_encoding")
@add_arg_scope
def one_hot_encoding(
    labels: TensorLike, num_classes: int, on_value: Any = 1.0, off_value: Any = 0.0,
    outputs_collections: Collections | None = None, scope: Any = None,
) -> Tensor:  # fmt: skip
    """A row for each label, with `on_value` at its place and `off_value` elsewhere.

    Args:
      labels: integers [batch].
      num_classes: the size of a row.
      on_value, off_value: scalars.
      outputs_collections, scope: see this module.

    Returns:
      Float32 [batch, num_classes].
    """
    with ops.name_scope(scope, "OneHotEncoding", [labels, num_classes]) as sc:
        labels = ops.convert_to_tensor(labels)
        if labels.dtype == dtypes.int32:
            labels = math_cast.to_int64(labels)
        outputs = array_ops.one_hot(labels, num_classes, on_value=on_value, off_value=off_value)
        return utils.collect_named_outputs(outputs_collections, sc, outputs)


@tf_export("contrib.layers.spatial_softmax")
@add_arg_scope
def spatial_softmax(
    features: Any, temperature: Any = None, name: Name = None,
    variables_collections: Collections | None = None,
    trainable: bool = True, data_format: str = "NHWC",
) -> Tensor:  # fmt: skip
    """The expected position of each channel, whose softmax over space is taken as a probability.

    Finn et al., "Deep Spatial Autoencoders for Visuomotor Learning", 2015.

    Args:
      features: images with a known number of channels.
      temperature: what the features are divided by at first; 1 by default.
      name: the variable scope.
      variables_collections: collections that the temperature joins, or a dict of them.
      trainable: whether the temperature is trained.
      data_format: "NHWC" or "NCHW".

    Returns:
      [batch, 2 * channels], a row and a column between -1 and 1 for each channel.

    Raises:
      ValueError: there is no such `data_format`, or the number of channels is unknown.
    """
    with variable_scope.variable_scope(name, "spatial_softmax"):
        shape = array_ops.shape(features)
        if data_format == "NHWC":
            height, width, channels = shape[1], shape[2], features.shape[3]
        elif data_format == "NCHW":
            channels, height, width = features.shape[1], shape[2], shape[3]
        else:
            raise ValueError("data_format has to be either NCHW or NHWC.")
        channels = tensor_shape.dimension_value(channels)
        if channels is None:
            raise ValueError(
                "The num_channels dimension of the inputs to `spatial_softmax` should be defined. "
                "Found `None`."
            )
        with ops.name_scope("spatial_softmax_op", "spatial_softmax_op", [features]):
            axes = [math_elementwise.lin_space(-1.0, 1.0, num=size) for size in (height, width)]
            positions = [
                array_ops.reshape(grid, [height * width])
                for grid in array_ops.meshgrid(*axes, indexing="ij")
            ]
            divisor = _temperature(temperature, variables_collections, trainable)
            if data_format == "NHWC":
                features = array_ops.transpose(features, [0, 3, 1, 2])
            features = array_ops.reshape(features, [-1, height * width])
            attention = nn_softmax.softmax(features / divisor)
            expected = array_ops.concat(
                [math_ops.reduce_sum(p * attention, [1], keepdims=True) for p in positions], 1
            )
            outputs = array_ops.reshape(expected, [-1, channels * 2])
            outputs.set_shape([None, channels * 2])
        return outputs


def _temperature(start: TensorLike | None, collections: Any, trainable: bool) -> Any:
    """The variable that `spatial_softmax` divides by."""
    collections = utils.get_variable_collections(collections, "temperature")
    return variables.model_variable(
        "temperature", shape=(), dtype=dtypes.float32, trainable=trainable,
        collections=collections if trainable else None,
        initializer=init_ops.ones_initializer() if start is None
        else init_ops.constant_initializer(start),
    )  # fmt: skip


@tf_export("contrib.layers.unit_norm")
@add_arg_scope
def unit_norm(inputs: Any, dim: int, epsilon: float = 1e-7, scope: Any = None) -> Tensor:
    """Scales a tensor along a dimension to norm 1.

    Args:
      inputs: a tensor of known rank.
      dim: the dimension.
      epsilon: added to the sum of squares.
      scope: the variable scope.

    Returns:
      A tensor of the shape and dtype of the inputs.

    Raises:
      ValueError: the rank is unknown, or it has no such dimension.
    """
    with variable_scope.variable_scope(scope, "UnitNorm", [inputs]):
        if not inputs.get_shape():
            raise ValueError("The input rank must be known.")
        after = inputs.get_shape().ndims - dim - 1
        if dim < 0 or after < 0:
            raise ValueError("dim must be positive but smaller than the input rank.")
        squares = math_ops.reduce_sum(math_ops.square(inputs), dim, True)
        lengths = math_ops.sqrt(epsilon + squares)

        def ones(count: int) -> list[Tensor]:
            return [array_ops.ones([count], dtypes.int32)] if count else []

        size = [*ones(dim), array_ops.strided_slice(array_ops.shape(inputs), [dim], [dim + 1])]
        multiples = array_ops.concat([*size, *ones(after)], 0)
        return math_ops.div(inputs, array_ops.tile(lengths, multiples))


@tf_export("contrib.layers.maxout")
@add_arg_scope
def maxout(inputs: Any, num_units: int, axis: int = -1, scope: Any = None) -> Tensor:
    """The maxima over groups of channels.

    Goodfellow et al., "Maxout Networks", 2013.

    Args:
      inputs: a tensor of known rank.
      num_units: how many groups there are.
      axis: the dimension of the channels.
      scope: the variable scope.

    Returns:
      A tensor of the inputs' dtype, with `num_units` channels.

    Raises:
      ValueError: the groups would not be of one size.
    """
    with variable_scope.variable_scope(scope, "MaxOut", [inputs]):
        inputs = ops.convert_to_tensor(inputs)
        shape: list[Any] = inputs.get_shape().as_list()
        channels = shape[axis]
        if channels % num_units:
            raise ValueError(
                f"number of features({channels}) is not a multiple of num_units({num_units})"
            )
        shape[axis] = num_units
        sizes = [
            array_ops.shape(inputs)[i] if size is None else size for i, size in enumerate(shape)
        ]
        groups = array_ops.reshape(inputs, [*sizes, channels // num_units])
        return math_ops.reduce_max(groups, -1, keepdims=False)


def poincare_normalize(
    x: TensorLike, axis: TensorLike = 1, epsilon: float = 1e-5, name: Name = None
) -> Tensor:
    """Pulls vectors into the ball of radius 1 - epsilon.

    Nickel and Kiela, "Poincaré Embeddings for Learning Hierarchical Representations", 2017.

    Args:
      x: a tensor.
      axis: along which the vectors are.
      epsilon: the distance from the unit sphere.
      name: the operation's name.
    """
    with ops.name_scope(name, "poincare_normalize", [x]) as name:
        x = ops.convert_to_tensor(x, name="x")
        squares = math_ops.reduce_sum(math_ops.square(x), axis, keepdims=True)
        inverse = math_ops.minimum((1.0 - epsilon) * math_ops.rsqrt(squares), 1.0)
        return math_ops.multiply(x, inverse, name=name)


def _scale_gradient_shape(op: Any) -> list[Any]:
    return [op.inputs[0].shape]


def _scale_gradient_grad(op: Any, grad: Any) -> list[Any]:
    return [grad * op.inputs[1], None]


# TF's names of the function for two inputs of a dtype end with a hash of, among other things, its
# docstring.
_HASHES = {
    "bfloat16": "XAZOerSPvB0",
    "float16": "YxzLAP75D6s",
    "float32": "uVZZ43Rva08",
    "float64": "vepn5splRSU",
}


class _ScaleGradient(defun.OverloadedFunction):
    def instantiate(self, input_types: Sequence[Any]) -> defun.DefinedFunction:
        defined = super().instantiate(input_types)
        name, *others = {dtype.name for dtype in input_types}
        if not others and name in _HASHES:
            defined._function.rename(f"scale_gradient_{_HASHES[name]}")
        return defined


def _scale_gradient(inputs: Any, gradient_multiplier: Any) -> Any:
    """The inputs, whose gradient is multiplied on its way back.

    Args:
      inputs: a tensor.
      gradient_multiplier: a scalar tensor.
    """
    del gradient_multiplier
    return inputs


scale_gradient = _ScaleGradient(
    _scale_gradient, ["inputs", "gradient_multiplier"], python_grad_func=_scale_gradient_grad,
    shape_func=_scale_gradient_shape,
)  # fmt: skip
export_constant("contrib.layers.scale_gradient", scale_gradient)


@add_arg_scope
def _inner_flatten(
    inputs: Any, new_rank: int, output_collections: Any = None, scope: Any = None
) -> Any:
    """A tensor, or SparseTensor, whose last dimensions are one, so that it has `new_rank`."""
    with ops.name_scope(scope, "InnerFlatten", [inputs, new_rank]) as name:
        if isinstance(inputs, sparse_tensor.SparseTensor):
            flattened = _sparse_inner_flatten(inputs, new_rank)
        else:
            flattened = _dense_inner_flatten(ops.convert_to_tensor(inputs), new_rank)
    return utils.collect_named_outputs(output_collections, name, flattened)


def _sparse_inner_flatten(inputs: Any, new_rank: int) -> Any:
    rank = inputs.dense_shape.get_shape().as_list()[0]
    if rank < new_rank:
        raise ValueError(
            f"Inputs has rank less than new_rank. {inputs} must have rank at least {new_rank}. "
            f"Received rank {rank}, shape {inputs.get_shape()}"
        )
    outer = inputs.dense_shape[: new_rank - 1]
    inner = inputs.dense_shape[new_rank - 1 :]
    shape = array_ops.concat((outer, [math_ops.reduce_prod(inner)]), 0)
    return sparse_ops.sparse_reshape(inputs, shape)


def _dense_inner_flatten(inputs: Tensor, new_rank: int) -> Tensor:
    check = check_ops.assert_rank_at_least(
        inputs, new_rank, message="inputs has rank less than new_rank"
    )
    with ops.control_dependencies([check]):
        outer = array_ops.strided_slice(array_ops.shape(inputs), [0], [new_rank - 1])
        reshaped = array_ops.reshape(inputs, array_ops.concat((outer, [-1]), 0))
    if isinstance(new_rank, int) and inputs._shape is not None:
        static = inputs._shape
        inner = static[new_rank - 1 :]
        size = None if None in inner else math.prod(n for n in inner if n is not None)
        reshaped.set_shape([*static[: new_rank - 1], size])
    return reshaped
