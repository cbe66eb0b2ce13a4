"""`tensorflow.python.ops.nn_impl`: functions of nets built from other ops."""

from __future__ import annotations

import functools
import math
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.gradients import custom_gradient
from tf1compat.api.linalg import linalg_ops
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops, nn_softmax
from tf1compat.api.util.deprecation import deprecated_args, renamed
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import dimension_value
from tf1compat.core.typing import Name, TensorLike


def _of_one_shape(**arguments: Any) -> tuple[Tensor, Tensor]:
    """Two arguments as tensors.

    Raises:
      ValueError: their shapes differ.
    """
    names = tuple(arguments)
    first, second = (ops.convert_to_tensor(arguments[name], name=name) for name in names)
    try:
        second.get_shape().merge_with(first.get_shape())
    except ValueError:
        raise ValueError(
            f"{names[0]} and {names[1]} must have the same shape ({first.get_shape()} vs "
            f"{second.get_shape()})"
        ) from None
    return first, second


@tf_export("nn.sigmoid_cross_entropy_with_logits")
def sigmoid_cross_entropy_with_logits(
    _sentinel: Any = None, labels: Any = None, logits: Any = None, name: Name = None
) -> Tensor:
    """The cross-entropy of sigmoid(logits) under the probabilities `labels`, elementwise.

    Args:
      labels: of the shape and dtype of `logits`.
      logits: a floating-point tensor of any shape.
      name: the operation's name.

    Returns:
      A tensor like `logits`.

    Raises:
      ValueError: the shapes differ.
    """
    nn_softmax.ensure_named("sigmoid_cross_entropy_with_logits", _sentinel, labels, logits)
    with ops.name_scope(name, "logistic_loss", [logits, labels]) as name:
        logits, labels = _of_one_shape(logits=logits, labels=labels)
        # max(x, 0) - x z + log(1 + exp(-|x|)): no exp of a large number.
        zeros = array_ops.zeros_like(logits, dtype=logits.dtype)
        positive = logits >= zeros
        relu_logits = array_ops.where(positive, logits, zeros)
        neg_abs = array_ops.where(positive, -logits, logits)
        return math_ops.add(
            relu_logits - logits * labels, math_ops.log1p(math_ops.exp(neg_abs)), name=name
        )


@tf_export("nn.weighted_cross_entropy_with_logits")
@deprecated_args(None, "targets is deprecated, use labels instead", "targets")
def weighted_cross_entropy_with_logits(
    labels: Any = None,
    logits: Any = None,
    pos_weight: Any = None,
    name: Name = None,
    targets: Any = None,
) -> Tensor:
    """`sigmoid_cross_entropy_with_logits` with the positive part weighted by `pos_weight`.

    Args:
      labels, targets: of the shape and dtype of `logits`.
      logits: a floating-point tensor of any shape.
      pos_weight: what broadcasts against `logits`.
      name: the operation's name.

    Returns:
      A tensor like `logits`.

    Raises:
      ValueError: the shapes differ.
    """
    labels = renamed("labels", labels, "targets", targets)
    with ops.name_scope(name, "logistic_loss", [logits, labels]) as name:
        logits, labels = _of_one_shape(logits=logits, labels=labels)
        weight = 1 + (pos_weight - 1) * labels
        return math_ops.add(
            (1 - labels) * logits,
            weight * (math_ops.log1p(math_ops.exp(-math_ops.abs(logits))) + nn_ops.relu(-logits)),
            name=name,
        )


@tf_export("nn.log_poisson_loss")
def log_poisson_loss(
    targets: TensorLike, log_input: Any, compute_full_loss: bool = False, name: Name = None
) -> Tensor:
    """The negative log-likelihood of counts under Poisson distributions, elementwise.

    Args:
      targets: the counts, of the shape and dtype of `log_input`.
      log_input: the logarithms of the expected counts.
      compute_full_loss: whether to add the part that does not depend on `log_input` (Stirling's
        approximation of log(targets!)).
      name: the name scope.

    Returns:
      A tensor like `log_input`.

    Raises:
      ValueError: the shapes differ.
    """
    with ops.name_scope(name, "log_poisson_loss", [log_input, targets]) as name:
        log_input, targets = _of_one_shape(log_input=log_input, targets=targets)
        result = math_ops.exp(log_input) - log_input * targets
        if compute_full_loss:
            half = constant_op.constant(0.5, dtype=targets.dtype)
            two_pi = constant_op.constant(2 * math.pi, dtype=targets.dtype)
            stirling = targets * math_ops.log(targets) - targets
            stirling = stirling + half * math_ops.log(two_pi * targets)
            zeros = array_ops.zeros_like(targets, dtype=targets.dtype)
            ones = array_ops.ones_like(targets, dtype=targets.dtype)
            small = math_ops.logical_and(targets >= zeros, targets <= ones)
            result += array_ops.where(small, zeros, stirling)
        return result


@tf_export("nn.swish")
@custom_gradient.custom_gradient
def swish(features: TensorLike) -> Any:
    """features * sigmoid(features).

    Args:
      features: a tensor of floating point.

    Returns:
      A tensor like `features`.
    """
    features = ops.convert_to_tensor(features, name="features")

    def grad(dy: TensorLike) -> Any:
        # Computed anew, so that the first sigmoid need not be kept.
        with ops.control_dependencies([dy]):
            sigmoid = math_ops.sigmoid(features)
        return dy * (sigmoid * (1.0 + features * (1.0 - sigmoid)))

    return features * math_ops.sigmoid(features), grad


@tf_export("nn.relu_layer")
def relu_layer(x: TensorLike, weights: TensorLike, biases: Any, name: Name = None) -> Tensor:
    """relu(x @ weights + biases).

    Args:
      x: [batch, in].
      weights: [in, out].
      biases: [out].
      name: the operation's name.

    Returns:
      [batch, out].
    """
    with ops.name_scope(name, "relu_layer", [x, weights, biases]) as name:
        x = ops.convert_to_tensor(x, name="x")
        weights = ops.convert_to_tensor(weights, name="weights")
        biases = ops.convert_to_tensor(biases, name="biases")
        return nn_ops.relu(nn_ops.bias_add(math_ops.matmul(x, weights), biases), name=name)


@tf_export("linalg.normalize")
def normalize(
    tensor: TensorLike, ord: Any = "euclidean", axis: TensorLike | None = None, name: Name = None
) -> Any:
    """Divides vectors or matrices by their norms.

    Args:
      tensor: floating-point or complex values.
      ord, axis: as in `tf.norm`.
      name: the name scope, "normalize" by default.

    Returns:
      (normalized, norm): a tensor like `tensor`, and the norms with size 1 along `axis`.
    """
    with ops.name_scope(name, "normalize", [tensor]):
        tensor = ops.convert_to_tensor(tensor)
        norm = linalg_ops.norm(tensor, ord, axis, keepdims=True)
        norm = math_ops.cast(norm, tensor.dtype)
        return tensor / norm, norm


@tf_export("math.l2_normalize", "linalg.l2_normalize", "nn.l2_normalize")
@deprecated_args(None, "dim is deprecated, use axis instead", "dim")
def l2_normalize(
    x: TensorLike,
    axis: TensorLike | None = None,
    epsilon: float = 1e-12,
    name: Name = None,
    dim: TensorLike | None = None,
) -> Tensor:
    """Scales `x` along `axis` to norm 1.

    Args:
      x: a floating-point tensor of any shape.
      axis: ints: the dimensions over which squares are summed.
      epsilon: the least that the sum of squares counts as.
      dim: the older name of `axis`.
      name: the operation's name.

    Returns:
      A tensor like `x`.
    """
    axis = renamed("axis", axis, "dim", dim)
    with ops.name_scope(name, "l2_normalize", [x]) as name:
        x = ops.convert_to_tensor(x, name="x")
        total = math_ops.reduce_sum(math_ops.square(x), axis, keepdims=True)
        return math_ops.multiply(x, math_ops.rsqrt(math_ops.maximum(total, epsilon)), name=name)


@tf_export("nn.moments")
def moments(
    x: Any,
    axes: Any,
    shift: Any = None,
    name: Name = None,
    keep_dims: Any = None,
    keepdims: Any = None,
) -> tuple[Tensor, Tensor]:
    """The mean and variance over `axes`.

    Args:
      x: a tensor of numbers; float16 is computed in float32.
      axes: ints.
      shift: has no effect.
      keep_dims, keepdims: whether the dimensions stay, with size 1.
      name: the operation's name.

    Returns:
      (mean, variance) of the dtype of `x`.
    """
    keep = renamed("keepdims", keepdims, "keep_dims", keep_dims)
    with ops.name_scope(name, "moments", [x, axes]):
        narrow = x.dtype == dtypes.float16
        y = math_ops.cast(x, dtypes.float32) if narrow else x
        mean = math_ops.reduce_mean(y, axes, keepdims=True, name="mean")
        squared = math_ops.squared_difference(y, array_ops.stop_gradient(mean))
        variance = math_ops.reduce_mean(squared, axes, keepdims=True, name="variance")
        if not keep:
            mean = array_ops.squeeze(mean, axes)
            variance = array_ops.squeeze(variance, axes)
        if narrow:
            return math_ops.cast(mean, dtypes.float16), math_ops.cast(variance, dtypes.float16)
        return mean, variance


@tf_export("nn.sufficient_statistics")
def sufficient_statistics(
    x: TensorLike,
    axes: Any,
    shift: TensorLike | None = None,
    keep_dims: bool | None = None,
    name: Name = None,
    keepdims: bool | None = None,
) -> tuple[Tensor, Tensor, Tensor, Any]:
    """What `normalize_moments` needs to know of `x`.

    Args:
      x: a tensor of numbers.
      axes: ints.
      shift: a tensor that broadcasts against `x`, near its mean; None for none.
      keep_dims, keepdims: whether the dimensions stay, with size 1.
      name: the operation's name.

    Returns:
      (how many elements, their sum, the sum of their squares, the shift), each over `axes` and
      after `shift` is subtracted.
    """
    axes = list(set(axes))
    keep = bool(renamed("keepdims", keepdims, "keep_dims", keep_dims))
    with ops.name_scope(name, "sufficient_statistics", [x, shift]):
        x = ops.convert_to_tensor(x, name="x")
        shape = x.get_shape()
        sizes: Any = None if shape.ndims is None else [dimension_value(shape[d]) for d in axes]
        if sizes is not None and None not in sizes:
            counts = constant_op.constant(math.prod(sizes), dtype=x.dtype)
        else:
            sizes = array_ops.gather(math_ops.cast(array_ops.shape(x), x.dtype), axes)
            counts = math_ops.reduce_prod(sizes, name="count")
        if shift is None:
            values, squares = x, math_ops.square(x)
        else:
            shift = ops.convert_to_tensor(shift, name="shift")
            values, squares = math_ops.subtract(x, shift), math_ops.squared_difference(x, shift)
        mean_ss, variance_ss = (
            math_ops.reduce_sum(summed, axes, keepdims=keep, name=part)
            for summed, part in ((values, "mean_ss"), (squares, "var_ss"))
        )
    return counts, mean_ss, variance_ss, shift


@tf_export("nn.normalize_moments")
def normalize_moments(
    counts: Any, mean_ss: Any, variance_ss: Any, shift: Any, name: Name = None
) -> tuple[Tensor, Tensor]:
    """The mean and variance from what `sufficient_statistics` gave.

    Args:
      counts: how many elements, a scalar.
      mean_ss, variance_ss: the sums of the elements and of their squares.
      shift: what was subtracted before; None for nothing.
      name: the operation's name.

    Returns:
      (mean, variance) of the shape of `mean_ss`.
    """
    with ops.name_scope(name, "normalize", [counts, mean_ss, variance_ss, shift]):
        divisor = math_ops.reciprocal(counts, name="divisor")
        part = "mean" if shift is None else "shifted_mean"
        shifted = math_ops.multiply(mean_ss, divisor, name=part)
        mean = shifted if shift is None else math_ops.add(shifted, shift, name="mean")
        squares = math_ops.multiply(variance_ss, divisor)
        return mean, math_ops.subtract(squares, math_ops.square(shifted), name="variance")


@tf_export("nn.weighted_moments")
def weighted_moments(
    x: Any,
    axes: Any,
    frequency_weights: Any,
    name: Name = None,
    keep_dims: Any = None,
    keepdims: Any = None,
) -> tuple[Tensor, Tensor]:
    """The mean and variance over `axes` of elements that count `frequency_weights` times.

    Args:
      x: a tensor of numbers; float16 is computed in float32.
      axes: ints.
      frequency_weights: numbers that broadcast against `x`.
      keep_dims, keepdims: whether the dimensions stay, with size 1.
      name: the operation's name.

    Returns:
      (mean, variance) of the dtype of `x`.
    """
    keep = renamed("keepdims", keepdims, "keep_dims", keep_dims)
    with ops.name_scope(name, "weighted_moments", [x, frequency_weights, axes]):
        x = ops.convert_to_tensor(x, name="x")
        weights = ops.convert_to_tensor(frequency_weights, name="frequency_weights")
        narrow = x.dtype == dtypes.float16
        if narrow:
            x = math_ops.cast(x, dtypes.float32)
        if weights.dtype != x.dtype:
            weights = math_ops.cast(weights, x.dtype)
        summed = functools.partial(math_ops.reduce_sum, axis=axes, keepdims=True)
        total = summed(weights * x, name="weighted_input_sum")
        count = summed(weights + array_ops.zeros_like(x), name="sum_of_weights")
        divisor = math_ops.reciprocal(count, name="inv_weight_sum")
        mean = math_ops.multiply(total, divisor)
        distances = weights * math_ops.squared_difference(x, mean)
        variance = math_ops.multiply(summed(distances, name="weighted_distsq"), divisor)
        moments = [mean, variance]
        if not keep:
            moments = [array_ops.squeeze(moment, axis=axes) for moment in moments]
        if narrow:
            moments = [math_ops.cast(moment, dtypes.float16) for moment in moments]
        return moments[0], moments[1]


@tf_export("nn.batch_normalization")
def batch_normalization(
    x: Any,
    mean: Any,
    variance: Any,
    offset: Any,
    scale: Any,
    variance_epsilon: Any,
    name: Name = None,
) -> Tensor:
    """Normalises `x` by a mean and variance, then scales and shifts it.

    Args:
      x: a floating-point tensor of any shape.
      mean, variance: what broadcasts against `x`.
      offset, scale: what broadcasts against `x`; None for neither.
      variance_epsilon: is added to the variance.
      name: the operation's name.

    Returns:
      A tensor like `x`.
    """
    with ops.name_scope(name, "batchnorm", [x, mean, variance, scale, offset]):
        inverse = math_ops.rsqrt(variance + variance_epsilon)
        if scale is not None:
            inverse = inverse * scale
        scaled = x * math_ops.cast(inverse, x.dtype)
        shift = offset - mean * inverse if offset is not None else -mean * inverse
        return scaled + math_ops.cast(shift, x.dtype)


@tf_export("math.zero_fraction", "nn.zero_fraction")
def zero_fraction(value: Any, name: Name = None) -> Tensor:
    """The fraction of zeros in `value`.

    Args:
      value: a tensor of numbers of any shape.
      name: the operation's name.

    Returns:
      A float32 scalar; NaN if `value` is empty.
    """

    def nonzero(dtype: Any) -> Tensor:
        with ops.name_scope("count_nonzero", values=[value]):
            zero = array_ops.zeros([], dtype=value.dtype)
            different = math_ops.cast(math_ops.not_equal(value, zero), dtype=dtype)
            return math_ops.reduce_sum(different, name="nonzero_count")

    with ops.name_scope(name, "zero_fraction", [value]):
        value = ops.convert_to_tensor(value, name="value")
        size = array_ops.size(value, out_type=dtypes.int64)
        count = control_flow_ops.cond(
            size <= dtypes.int32.max,
            true_fn=lambda: math_ops.cast(nonzero(dtypes.int32), dtype=dtypes.int64),
            false_fn=lambda: nonzero(dtypes.int64),
        )
        with ops.name_scope("counts_to_fraction"):
            zeros, elements = (
                math_ops.cast(number, dtype=dtypes.float32) for number in (size - count, size)
            )
            fraction = zeros / elements
        return array_ops.identity(fraction, "fraction")


@tf_export("nn.fused_batch_norm")
def fused_batch_norm(
    x: TensorLike, scale: Any, offset: Any, mean: TensorLike | None = None,
    variance: TensorLike | None = None, epsilon: float = 0.001,
    data_format: str = "NHWC", is_training: bool = True, name: Name = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """Normalises images over all but their channels, then scales and shifts them.

    Args:
      x: images, [batch, height, width, channels] ("NHWC") or [batch, channels, height, width].
      scale, offset: [channels].
      mean, variance: [channels]; None when training.
      epsilon: added to the variance; at least 1.001e-5.
      data_format: "NHWC" or "NCHW".
      is_training: whether to normalise by the mean and variance of `x`.
      name: the operation's name.

    Returns:
      (the result, the mean, the unbiased variance).

    Raises:
      ValueError: a mean or variance is given when training.
    """
    x = ops.convert_to_tensor(x, name="input")
    scale = ops.convert_to_tensor(scale, name="scale")
    offset = ops.convert_to_tensor(offset, name="offset")
    if is_training and (mean is not None or variance is not None):
        raise ValueError("Both 'mean' and 'variance' must be None if is_training is True.")
    if mean is None:
        mean = constant_op.constant([])
    if variance is None:
        variance = constant_op.constant([])
    # What cuDNN asks for.
    least = 1.001e-5
    outputs = raw_ops.FusedBatchNormV3(
        x, scale, offset, mean, variance, epsilon=epsilon if epsilon > least else least,
        data_format=data_format, is_training=is_training, name=name,
    )  # fmt: skip
    return outputs[0], outputs[1], outputs[2]


@tf_export("nn.batch_norm_with_global_normalization")
def batch_norm_with_global_normalization(
    t: TensorLike | None = None, m: Any = None, v: TensorLike | None = None,
    beta: TensorLike | None = None, gamma: TensorLike | None = None,
    variance_epsilon: Any = None, scale_after_normalization: Any = None, name: Name = None,
    input: TensorLike | None = None, mean: TensorLike | None = None,
    variance: TensorLike | None = None,
) -> Tensor:  # fmt: skip
    """`batch_normalization` with an older signature; `gamma` counts only if
    `scale_after_normalization`.

    Args:
      t, input: images [batch, height, width, channels].
      m, v, mean, variance: [channels].
      beta, gamma: [channels].
      variance_epsilon: is added to the variance.
      scale_after_normalization: whether `gamma` counts.
      name: the operation's name.

    Returns:
      A tensor like `t`.
    """
    t = renamed("input", input, "t", t)
    m = renamed("mean", mean, "m", m)
    v = renamed("variance", variance, "v", v)
    gamma = gamma if scale_after_normalization else None
    return batch_normalization(t, m, v, beta, gamma, variance_epsilon, name)


@tf_export("nn.local_response_normalization", "nn.lrn")
def local_response_normalization(
    input: TensorLike, depth_radius: int = 5, bias: float = 1, alpha: float = 1, beta: float = 0.5,
    name: Name = None,
) -> Tensor:  # fmt: skip
    """Divides each channel by a power of the squared sum over the channels near it.

    Args:
      input: [batch, height, width, channels].
      depth_radius: how far "near" reaches.
      bias, alpha, beta: input / (bias + alpha * sum) ** beta.
      name: the operation's name.

    Returns:
      A tensor like `input`.
    """
    return raw_ops.LRN(input, depth_radius, bias, alpha, beta, name=name)


lrn = local_response_normalization
