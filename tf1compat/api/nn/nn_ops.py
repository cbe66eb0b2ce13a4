"""`tensorflow.python.ops.nn_ops`: convolutions, pooling, activations, softmax, cross-entropies,
dropout."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Sized
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.api.nn.nn_softmax import *  # noqa: F403
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.random import random_ops
from tf1compat.api.util.deprecation import deprecated_args, renamed
from tf1compat.core import context, dtypes, ops, raw_ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape, as_shape
from tf1compat.core.typing import Name, TensorLike


def _sequence(value: Any, n: int, channel_index: int, name: str) -> list[int]:
    """Sizes for all dimensions from one size, `n` spatial ones, or all of them."""
    if value is None:
        value = [1]
    elif not isinstance(value, Sized):
        value = [value]
    count = len(value)
    if count == n + 2:
        return value  # pyright: ignore[reportReturnType]
    if count == 1:
        value = [value[0]] * n  # pyright: ignore[reportIndexIssue]
    elif count == n:
        value = list(value)  # pyright: ignore[reportArgumentType]
    else:
        raise ValueError(f"{name} should be of length 1, {n} or {n + 2} but was {count}")
    return [1, 1, *value] if channel_index == 1 else [1, *value, 1]


def _padding(padding: Any) -> tuple[Any, list[int]]:
    """(padding, explicit_paddings) from a name or a list of pairs."""
    if not isinstance(padding, list | tuple):
        if padding == "EXPLICIT":
            raise ValueError(
                '"EXPLICIT" is not a valid value for the padding parameter. To use explicit '
                "padding, the padding parameter must be a list."
            )
        return padding, []
    flat: list[int] = []
    for i, pair in enumerate(padding):
        if not isinstance(pair, list | tuple):
            raise ValueError(
                "When padding is a list, each element of padding must be a list/tuple of size 2. "
                f"Element with index {i} of padding is not a list/tuple"
            )
        if len(pair) != 2:
            raise ValueError(
                "When padding is a list, each element of padding must be a list/tuple of size 2. "
                f"Element with index {i} of padding has size {len(pair)}"
            )
        flat.extend(pair)
    if len(padding) != 4:
        raise ValueError(
            f"When padding is a list, it must be of size 4. Got padding of size: {len(padding)}"
        )
    return "EXPLICIT", flat


def _format(data_format: Any) -> tuple[str, int]:
    data_format = data_format or "NHWC"
    return data_format, 1 if data_format.startswith("NC") else 3


@tf_export("nn.conv2d")
def conv2d(
    input: TensorLike,
    filter: TensorLike | None = None,
    strides: Any = None,
    padding: Any = None,
    use_cudnn_on_gpu: bool = True,
    data_format: str | None = "NHWC",
    dilations: Any = [1, 1, 1, 1],  # noqa: B006
    name: Name = None,
    filters: Any = None,
) -> Tensor:
    """The 2-D convolution of images.

    Args:
      input: images, [batch, height, width, channels] ("NHWC") or [batch, channels, height, width].
      filter, filters: [height, width, in channels, out channels].
      strides: one, two or four ints.
      padding: "SAME", "VALID" or a list of pairs for each dimension.
      use_cudnn_on_gpu: recorded; XLA decides.
      data_format: "NHWC" or "NCHW".
      dilations: one, two or four ints.
      name: the operation's name.

    Returns:
      [batch, new height, new width, filters], or channels second for "NCHW".
    """
    filter = renamed("filters", filters, "filter", filter)
    padding, explicit = _padding(padding)
    data_format, channel = _format(data_format)
    return raw_ops.Conv2D(
        input, filter, _sequence(strides, 2, channel, "strides"), padding,
        use_cudnn_on_gpu=use_cudnn_on_gpu, explicit_paddings=explicit, data_format=data_format,
        dilations=_sequence(dilations, 2, channel, "dilations"), name=name,
    )  # fmt: skip


@tf_export("compat.v2.nn.conv2d")
def conv2d_v2(
    input: TensorLike,
    filters: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    dilations: Any = None,
    name: Name = None,
) -> Tensor:
    """As `conv2d`.

    Args:
      input, filters, strides, padding, data_format, dilations, name: as in `conv2d`.

    Returns:
      As `conv2d`.
    """
    return conv2d(input, filters, strides, padding, True, data_format, dilations, name)


@tf_export("nn.conv2d_backprop_filter")
def conv2d_backprop_filter(
    input: TensorLike,
    filter_sizes: Any,
    out_backprop: TensorLike,
    strides: Any,
    padding: Any,
    use_cudnn_on_gpu: bool = True,
    data_format: str = "NHWC",
    dilations: Any = [1, 1, 1, 1],  # noqa: B006
    name: Name = None,
) -> Tensor:
    """The gradient of `conv2d` with respect to its filter.

    Args:
      input: as in `conv2d`.
      filter_sizes: an int32 vector [4], the filter's shape.
      out_backprop: the gradient of the output of `conv2d`.
      strides, padding, use_cudnn_on_gpu, data_format, dilations: as in `conv2d`.
      name: the operation's name.

    Returns:
      A tensor of shape `filter_sizes`.
    """
    padding, explicit = _padding(padding)
    return raw_ops.Conv2DBackpropFilter(
        input, filter_sizes, out_backprop, strides, padding, use_cudnn_on_gpu=use_cudnn_on_gpu,
        explicit_paddings=explicit, data_format=data_format, dilations=dilations, name=name,
    )  # fmt: skip


@tf_export("nn.conv2d_backprop_input")
def conv2d_backprop_input(
    input_sizes: Any,
    filter: TensorLike | None = None,
    out_backprop: TensorLike | None = None,
    strides: Any = None,
    padding: Any = None,
    use_cudnn_on_gpu: bool = True,
    data_format: str = "NHWC",
    dilations: Any = [1, 1, 1, 1],  # noqa: B006
    name: Name = None,
    filters: Any = None,
) -> Tensor:
    """The gradient of `conv2d` with respect to its input.

    Args:
      input_sizes: an int32 vector [4], the input's shape.
      filter, filters: as in `conv2d`.
      out_backprop: the gradient of the output of `conv2d`.
      strides, padding, use_cudnn_on_gpu, data_format, dilations: as in `conv2d`.
      name: the operation's name.

    Returns:
      A tensor of shape `input_sizes`.
    """
    filter = renamed("filters", filters, "filter", filter)
    padding, explicit = _padding(padding)
    return raw_ops.Conv2DBackpropInput(
        input_sizes, filter, out_backprop, strides, padding, use_cudnn_on_gpu=use_cudnn_on_gpu,
        explicit_paddings=explicit, data_format=data_format, dilations=dilations, name=name,
    )  # fmt: skip


@tf_export("nn.conv2d_transpose")
def conv2d_transpose(
    value: TensorLike | None = None,
    filter: TensorLike | None = None,
    output_shape: Any = None,
    strides: Any = None,
    padding: str = "SAME",
    data_format: str | None = "NHWC",
    name: Name = None,
    input: TensorLike | None = None,
    filters: Any = None,
    dilations: Any = None,
) -> Tensor:
    """The transpose of `conv2d`, whose output has shape `output_shape`.

    Args:
      value, input: images of out channels, in `data_format`.
      filter, filters: [height, width, out channels of the result, channels of `value`].
      output_shape: an int32 vector [4].
      strides, padding, data_format, dilations: as in `conv2d`.
      name: the operation's name.

    Returns:
      A tensor of `output_shape`.
    """
    value = renamed("input", input, "value", value)
    filter = renamed("filters", filters, "filter", filter)
    with ops.name_scope(name, "conv2d_transpose", [value, filter, output_shape]) as name:
        data_format, channel = _format(data_format)
        return raw_ops.Conv2DBackpropInput(
            output_shape, filter, value, _sequence(strides, 2, channel, "strides"), padding,
            data_format=data_format, dilations=_sequence(dilations, 2, channel, "dilations"),
            name=name,
        )  # fmt: skip


@tf_export("nn.depthwise_conv2d_native")
def depthwise_conv2d_native(
    input: TensorLike,
    filter: TensorLike,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    dilations: Any = [1, 1, 1, 1],  # noqa: B006
    name: Name = None,
) -> Tensor:
    """A convolution of each channel by its own filters.

    Args:
      input: images as in `conv2d`; float16, float32 or float64.
      filter: [height, width, channels, multiplier].
      strides: four ints, the same for height and width.
      padding: "SAME" or "VALID".
      data_format: "NHWC" or "NCHW".
      dilations: four ints.
      name: the operation's name.

    Returns:
      Images of channels * multiplier channels.
    """
    return raw_ops.DepthwiseConv2dNative(
        input, filter, strides, padding, data_format=data_format, dilations=dilations, name=name
    )


@tf_export("nn.max_pool")
def max_pool(
    value: TensorLike,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NHWC",
    name: Name = None,
    input: TensorLike | None = None,
) -> Tensor:
    """The maxima over windows of images.

    Args:
      value, input: images as in `conv2d`.
      ksize, strides: one, two or four ints: the windows' size and distance.
      padding: "SAME" or "VALID".
      data_format: "NHWC" or "NCHW".
      name: the operation's name.

    Returns:
      Images of the dtype of `value`.
    """
    value = renamed("input", input, "value", value)
    with ops.name_scope(name, "MaxPool", [value]) as name:
        data_format, channel = _format(data_format)
        ksize = _sequence(ksize, 2, channel, "ksize")
        if any(size == 0 for size in ksize):
            raise ValueError("ksize cannot be zero.")
        return raw_ops.MaxPool(
            value, ksize, _sequence(strides, 2, channel, "strides"), padding,
            data_format=data_format, name=name,
        )  # fmt: skip


@tf_export("nn.avg_pool", "nn.avg_pool2d")
def avg_pool(
    value: TensorLike,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NHWC",
    name: Name = None,
    input: TensorLike | None = None,
) -> Tensor:
    """The means over windows of images.

    Args:
      value, input: images as in `conv2d`; floating point.
      ksize, strides: one, two or four ints: the windows' size and distance.
      padding: "SAME" or "VALID".
      data_format: "NHWC" or "NCHW".
      name: the operation's name.

    Returns:
      Images of the dtype of `value`.
    """
    with ops.name_scope(name, "AvgPool", [value]) as name:
        value = renamed("input", input, "value", value)
        data_format, channel = _format(data_format)
        return raw_ops.AvgPool(
            value, _sequence(ksize, 2, channel, "ksize"), _sequence(strides, 2, channel, "strides"),
            padding, data_format=data_format, name=name,
        )  # fmt: skip


def _bias_format(given: str | None) -> str | None:
    if given is None:
        return None
    if given.startswith("NC"):
        return "NCHW"
    if given.startswith("N") and given.endswith("C"):
        return "NHWC"
    raise ValueError("data_format must be of the form `N...C` or `NC...`")


@tf_export("nn.bias_add")
def bias_add(
    value: TensorLike, bias: Any, data_format: str | None = None, name: Name = None
) -> Tensor:
    """Adds a vector to the channels of `value`.

    Args:
      value: a numeric tensor [..., channels], or [batch, channels, ...] for "NC...".
      bias: a vector [channels] of the same dtype.
      data_format: None, "N...C" or "NC...".
      name: the operation's name.

    Returns:
      A tensor like `value`.

    Raises:
      ValueError: an unknown `data_format`.
    """
    with ops.name_scope(name, "BiasAdd", [value, bias]) as name:
        data_format = _bias_format(data_format)
        if not context.executing_eagerly():
            value = ops.convert_to_tensor(value, name="input")
            bias = ops.convert_to_tensor(bias, dtype=value.dtype, name="bias")
        return raw_ops.BiasAdd(value, bias, data_format=data_format, name=name)


def bias_add_v1(value: TensorLike, bias: TensorLike, name: Name = None) -> Tensor:
    """The older `bias_add`."""
    with ops.name_scope(name, "BiasAddV1", [value, bias]) as name:
        value = ops.convert_to_tensor(value, name="input")
        bias = ops.convert_to_tensor(bias, dtype=value.dtype, name="bias")
        return raw_ops.BiasAddV1(value, bias, name=name)


@tf_export("nn.xw_plus_b")
def xw_plus_b(x: TensorLike, weights: TensorLike, biases: Any, name: Name = None) -> Tensor:
    """`x @ weights + biases`.

    Args:
      x: [batch, in].
      weights: [in, out].
      biases: [out].
      name: the operation's name.

    Returns:
      [batch, out].
    """
    given = {"x": x, "weights": weights, "biases": biases}
    return _affine("xw_plus_b", given, bias_add, name)


def xw_plus_b_v1(x: TensorLike, weights: TensorLike, biases: Any, name: Name = None) -> Tensor:
    """As `xw_plus_b`, by the older operation that `bias_add_v1` records."""
    given = {"x": x, "weights": weights, "biases": biases}
    return _affine("xw_plus_b_v1", given, bias_add_v1, name)


def _affine(
    scope: str, given: dict[str, TensorLike], add: Callable[..., Tensor], name: Name
) -> Tensor:
    """`add` of the product and the biases, each converted under the name of its argument."""
    with ops.name_scope(name, scope, list(given.values())) as name:
        x, weights, biases = (ops.convert_to_tensor(v, name=k) for k, v in given.items())
        return add(math_ops.matmul(x, weights), biases, name=name)


# Activations.


@tf_export("nn.relu")
def relu(features: TensorLike, name: Name = None) -> Tensor:
    """max(features, 0).

    Args:
      features: a tensor of real numbers of any shape, or qint8.
      name: the operation's name.

    Returns:
      A tensor like `features`.
    """
    return raw_ops.Relu(features, name=name)


@tf_export("nn.elu")
def elu(features: TensorLike, name: Name = None) -> Tensor:
    """exp(features) - 1 below 0, the identity above.

    Args:
      features: a floating-point tensor of any shape.
      name: the operation's name.

    Returns:
      A tensor like `features`.
    """
    return raw_ops.Elu(features, name=name)


@tf_export("nn.selu")
def selu(features: TensorLike, name: Name = None) -> Tensor:
    """The scaled exponential linear unit.

    Args:
      features: a floating-point tensor of any shape.
      name: the operation's name.

    Returns:
      A tensor like `features`.
    """
    return raw_ops.Selu(features, name=name)


@tf_export("math.softplus", "nn.softplus")
def softplus(features: TensorLike, name: Name = None) -> Tensor:
    """log(exp(features) + 1).

    Args:
      features: a floating-point tensor of any shape.
      name: the operation's name.

    Returns:
      A tensor like `features`.
    """
    return raw_ops.Softplus(features, name=name)


@tf_export("nn.softsign", "math.softsign")
def softsign(features: TensorLike, name: Name = None) -> Tensor:
    """features / (|features| + 1).

    Args:
      features: a floating-point tensor of any shape.
      name: the operation's name.

    Returns:
      A tensor like `features`.
    """
    return raw_ops.Softsign(features, name=name)


@tf_export("nn.relu6")
def relu6(features: TensorLike, name: Name = None) -> Tensor:
    """min(max(features, 0), 6).

    Args:
      features: a tensor of real numbers of any shape.
      name: the operation's name.

    Returns:
      A tensor like `features`.
    """
    with ops.name_scope(name, "Relu6", [features]) as name:
        features = ops.convert_to_tensor(features, name="features")
        return raw_ops.Relu6(features, name=name)


@tf_export("nn.crelu")
def crelu(features: TensorLike, name: Name = None, axis: int = -1) -> Tensor:
    """The relu of `features` and of `-features`, concatenated.

    Args:
      features: a tensor of real numbers.
      axis: where they are joined.
      name: the operation's name.

    Returns:
      A tensor of twice the size along `axis`.
    """
    with ops.name_scope(name, "CRelu", [features]) as name:
        features = ops.convert_to_tensor(features, name="features")
        return raw_ops.Relu(array_ops.concat([features, -features], axis, name=name))


@tf_export("nn.leaky_relu")
def leaky_relu(features: TensorLike, alpha: TensorLike = 0.2, name: Name = None) -> Tensor:
    """`features` above 0, `alpha * features` below.

    Args:
      features: a tensor of real numbers; integers become float32.
      alpha: the slope below 0.
      name: the operation's name.

    Returns:
      A tensor of the shape of `features`.
    """
    slope = alpha.item() if isinstance(alpha, np.ndarray) else alpha
    with ops.name_scope(name, "LeakyRelu", [features, alpha]) as name:
        features = ops.convert_to_tensor(features, name="features")
        if features.dtype.is_integer:
            features = math_ops.cast(features, dtypes.float32)
        return raw_ops.LeakyRelu(features, alpha=slope, name=name)


@tf_export("nn.l2_loss")
def l2_loss(t: TensorLike, name: Name = None) -> Tensor:
    """Half the sum of squares.

    Args:
      t: a floating-point tensor of any shape.
      name: the operation's name.

    Returns:
      A scalar of its dtype.
    """
    return raw_ops.L2Loss(t, name=name)


@tf_export("math.top_k", "nn.top_k")
def top_k(input: TensorLike, k: TensorLike = 1, sorted: bool = True, name: Name = None) -> Any:
    """The `k` largest entries of the last dimension and their indices.

    Args:
      input: a tensor of real numbers of rank 1 or more.
      k: a scalar int32.
      sorted: whether the largest comes first.
      name: the operation's name.

    Returns:
      (values, indices), each [..., k]; the indices are int32.
    """
    return raw_ops.TopKV2(input, k, sorted=sorted, name=name)


@tf_export("math.in_top_k", "nn.in_top_k")
def in_top_k(
    predictions: TensorLike, targets: TensorLike, k: TensorLike, name: Name = None
) -> Tensor:
    """Whether each target is among the `k` largest predictions.

    Args:
      predictions: float32 [batch, classes].
      targets: int32 or int64 [batch].
      k: a scalar int.
      name: the operation's name.

    Returns:
      bool [batch].
    """
    with ops.name_scope(name, "in_top_k"):
        return raw_ops.InTopKV2(predictions, targets, k, name=name)


# Dropout.


def _noise_shape(x: Any, noise_shape: Any) -> Any:
    if noise_shape is None:
        return array_ops.shape(x)
    try:
        wanted = as_shape(noise_shape).to_tuple()
    except (TypeError, ValueError):
        return noise_shape
    if x._shape is not None and wanted is not None and len(x._shape) == len(wanted):
        return TensorShape([s if w is None else w for s, w in zip(x._shape, wanted, strict=True)])
    return noise_shape


@tf_export("nn.dropout")
@deprecated_args(
    None,
    "Please use `rate` instead of `keep_prob`. Rate should be set to `rate = 1 - keep_prob`.",
    "keep_prob",
)
def dropout(
    x: TensorLike,
    keep_prob: Any = None,
    noise_shape: TensorLike | None = None,
    seed: int | None = None,
    name: Name = None,
    rate: TensorLike | None = None,
) -> Tensor:
    """Zeroes elements with probability `rate` (1 - keep_prob) and scales up the others.

    Args:
      x: a float tensor.
      keep_prob: the probability that an element is kept (deprecated).
      noise_shape: the shape in which elements are dropped independently.
      seed: the op seed.
      name: the name scope, "dropout" by default.
      rate: the probability that an element is dropped.

    Returns:
      A tensor like `x`.

    Raises:
      ValueError: `rate` is not in [0, 1), or `x` is not of a float dtype.
    """
    try:
        keep = None if keep_prob is None else 1.0 - keep_prob
    except TypeError:
        raise ValueError(
            f"keep_prob must be a floating point number or Tensor (got {keep_prob!r})"
        ) from None
    rate = renamed("rate", rate, "keep_prob", keep)
    if rate is None:
        raise ValueError("You must provide a rate to dropout.")
    return dropout_v2(x, rate, noise_shape=noise_shape, seed=seed, name=name)


def _check_rate(rate: Any) -> None:
    """Raises ValueError unless a number is a rate; warns of a large one."""
    if not 0 <= rate < 1:
        raise ValueError(
            f"rate must be a scalar tensor or a float in the range [0, 1), got {rate:g}"
        )
    if rate > 0.5:
        logging.log_first_n(
            logging.WARN,
            "Large dropout rate: %g (>0.5). In TensorFlow 2.x, dropout() uses dropout rate "
            "instead of keep_prob. Please ensure that this is intended.",
            5,
            rate,
        )


@tf_export("compat.v2.nn.dropout")
def dropout_v2(
    x: TensorLike,
    rate: Any,
    noise_shape: TensorLike | None = None,
    seed: int | None = None,
    name: Name = None,
) -> Tensor:
    """As `dropout`.

    Args:
      x, rate, noise_shape, seed, name: as in `dropout`.

    Returns:
      As `dropout`.
    """
    with ops.name_scope(name, "dropout", [x]) as name:
        x = ops.convert_to_tensor(x, name="x")
        if not x.dtype.is_floating:
            raise ValueError(
                "x has to be a floating point tensor since it's going to be scaled. Got a "
                f"{x.dtype} tensor instead."
            )
        if isinstance(rate, numbers.Real):
            _check_rate(rate)
            if rate == 0:
                return x
        share: Any = rate
        if not context.executing_eagerly():
            share = ops.convert_to_tensor(rate, dtype=x.dtype, name="rate")
            share.get_shape().assert_has_rank(0)
        if isinstance(share, Tensor) and np.all(tensor_util.constant_value(share) == 0):
            return x
        uniform = random_ops.random_uniform(_noise_shape(x, noise_shape), seed=seed, dtype=x.dtype)
        scale = 1 / (1 - share)
        keep = uniform >= share
        result = x * scale * math_ops.cast(keep, x.dtype)
        if not context.executing_eagerly():
            result.set_shape(x.get_shape())
        return result
