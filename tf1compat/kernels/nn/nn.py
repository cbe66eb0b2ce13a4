"""Activations, biases, softmax and the cross-entropies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.backend import Array, jax, jnp
from tf1compat.core import errors, op_registry, ops, raw_ops, shapes, tensor_util
from tf1compat.core.op_registry import gradient, op
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import ShapeError
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext, Shape
from tf1compat.kernels.framework.common import (
    broadcastable,
    check_same_shape,
    in_range,
    refuse,
    same,
    scalar,
    text_of_shape,
)

# Activations: the function, and the function of (incoming gradient, what the gradient looks at).


def _activation(name: str, lower: Callable[..., Any], **facts: Any) -> None:
    op_registry.register(name, shape=same, lower=lower, **facts)


def _merged(x: Any, y: Any) -> Any:
    return shapes.merge(x, y)


def _activation_grad(
    name: str, lower: Callable[..., Any], numpy: Callable[..., Any] | None = None
) -> None:
    """Registers the function of a gradient and of what it looks at."""

    def checked(gradients: Any, features: Any, *, ctx: LoweringContext) -> Any:
        check_same_shape(ctx, gradients, features)
        return lower(gradients, features)

    op_registry.register(name, shape=_merged, lower=checked, numpy=numpy)


def _like(value: float, x: Any) -> Any:
    return jnp.asarray(value, x.dtype)


_SELU_SCALE = 1.0507009873554804934193349852946
_SELU_SCALE_ALPHA = 1.7580993408473768599402175208123


def _relu(features: Any) -> Any:
    # NaN passes through, as in TF's kernel.
    return jnp.maximum(features, jnp.zeros((), features.dtype))


def _leaky_relu(features: Any, *, alpha: float) -> Any:
    return jnp.where(features > 0, features, features * _like(alpha, features))


def _leaky_relu_grad(gradients: Any, features: Any, *, alpha: float, ctx: LoweringContext) -> Any:
    check_same_shape(ctx, gradients, features)
    return jnp.where(features > 0, gradients, gradients * _like(alpha, gradients))


def _exp_minus_1(x: Any) -> Any:
    # Digits cancel near zero, as in TF's kernels; `expm1` would be another number.
    return jnp.exp(x) - _like(1, x)


def _selu(features: Any) -> Any:
    scale, scale_alpha = _like(_SELU_SCALE, features), _like(_SELU_SCALE_ALPHA, features)
    return jnp.where(features < 0, scale_alpha * _exp_minus_1(features), scale * features)


def _selu_grad(gradients: Any, outputs: Any) -> Any:
    scale, scale_alpha = _like(_SELU_SCALE, outputs), _like(_SELU_SCALE_ALPHA, outputs)
    return jnp.where(outputs < 0, gradients * (outputs + scale_alpha), gradients * scale)


def _softplus(features: Any) -> Any:
    # As TF's kernel: the identity or exp where the exact value rounds to them.
    threshold = _like(np.log(float(jnp.finfo(features.dtype).eps)) + 2.0, features)
    exp = jnp.exp(features)
    return jnp.where(
        features > -threshold, features, jnp.where(features < threshold, exp, jnp.log1p(exp))
    )


_activation("Relu", _relu)
_activation("Relu6", lambda features: jnp.clip(features, _like(0, features), _like(6, features)))
_activation("LeakyRelu", _leaky_relu)
_activation("Elu", lambda features: jnp.where(features < 0, _exp_minus_1(features), features))
_activation("Selu", _selu)
_activation("Softplus", _softplus)
_activation("Softsign", lambda features: features / (_like(1, features) + jnp.abs(features)))


def _where_on(on: Any, gradients: Any) -> Any:
    """TF multiplies by 0 or 1, so that an infinite gradient is NaN where the feature is off."""
    return jnp.where(on, gradients, gradients * _like(0, gradients))


def _relu_grad_on_numpy(gradients: Any, features: Any) -> Any:
    if gradients.shape != features.shape:
        raise ValueError("the shapes differ")
    return gradients * (features > 0)


_activation_grad(
    "ReluGrad",
    lambda gradients, features: _where_on(features > 0, gradients),
    numpy=_relu_grad_on_numpy,
)
_activation_grad(
    "Relu6Grad",
    lambda gradients, features: _where_on((features > 0) & (features < 6), gradients),
)
op_registry.register("LeakyReluGrad", shape=_merged, lower=_leaky_relu_grad)
_activation_grad(
    "EluGrad",
    lambda gradients, outputs: jnp.where(
        outputs < 0, gradients * (outputs + _like(1, outputs)), gradients
    ),
)
_activation_grad("SeluGrad", _selu_grad)
_activation_grad(
    "SoftplusGrad",
    lambda gradients, features: gradients / (jnp.exp(-features) + _like(1, features)),
)
_activation_grad(
    "SoftsignGrad",
    lambda gradients, features: gradients / jnp.square(_like(1, features) + jnp.abs(features)),
)


@gradient("Relu")
def _relu_gradient(op: Operation, grad: Tensor) -> Any:
    return raw_ops.ReluGrad(grad, op.outputs[0])


@gradient("Relu6")
def _relu6_gradient(op: Operation, grad: Tensor) -> Any:
    return raw_ops.Relu6Grad(grad, op.outputs[0])


@gradient("LeakyRelu")
def _leaky_relu_gradient(op: Operation, grad: Tensor) -> Any:
    return raw_ops.LeakyReluGrad(grad, op.inputs[0], alpha=op._attrs["alpha"])


@gradient("Elu")
def _elu_gradient(op: Operation, grad: Tensor) -> Any:
    return raw_ops.EluGrad(grad, op.outputs[0])


@gradient("Selu")
def _selu_gradient(op: Operation, grad: Tensor) -> Any:
    return raw_ops.SeluGrad(grad, op.outputs[0])


@gradient("Softsign")
def _softsign_gradient(op: Operation, grad: Tensor) -> Any:
    return raw_ops.SoftsignGrad(grad, op.inputs[0])


@gradient("Softplus")
def _softplus_gradient(op: Operation, grad: Tensor) -> Any:
    return grad * math_ops.sigmoid(op.inputs[0])


def _zeros_of(x: Any) -> Any:
    return array_ops.zeros(shape=array_ops.shape(x), dtype=x.dtype)


@gradient("ReluGrad")
def _relu_grad_gradient(op: Operation, grad: Tensor) -> Any:
    x = op.inputs[1]
    return [raw_ops.ReluGrad(grad, x), _zeros_of(x)]


@gradient("Relu6Grad")
def _relu6_grad_gradient(op: Operation, grad: Tensor) -> Any:
    x = op.inputs[1]
    return [raw_ops.Relu6Grad(grad, x), _zeros_of(x)]


@gradient("LeakyReluGrad")
def _leaky_relu_grad_gradient(op: Operation, grad: Tensor) -> Any:
    x = op.inputs[1]
    return [raw_ops.LeakyReluGrad(grad, x, alpha=op._attrs["alpha"]), _zeros_of(x)]


@gradient("EluGrad")
def _elu_grad_gradient(op: Operation, grad: Tensor) -> Any:
    y = op.inputs[1]
    return [
        raw_ops.EluGrad(grad, y),
        array_ops.where(y < 0, grad * op.inputs[0], array_ops.zeros_like(y)),
    ]


@gradient("SeluGrad")
def _selu_grad_gradient(op: Operation, grad: Tensor) -> Any:
    y = op.inputs[1]
    return [
        raw_ops.SeluGrad(grad, y),
        array_ops.where(y < 0.0, grad * op.inputs[0], array_ops.zeros_like(y)),
    ]


@gradient("SoftplusGrad")
def _softplus_grad_gradient(op: Operation, grad: Tensor) -> Any:
    dy, x = op.inputs
    with ops.control_dependencies([grad]):
        ddy = raw_ops.SoftplusGrad(grad, x)
        d2x = grad * dy / (math_ops.exp(-x) + 2.0 + math_ops.exp(x))
        return [ddy, d2x]


# Biases.


def _bias_axis(rank: int, data_format: str) -> int:
    return 1 if data_format == "NCHW" and rank > 1 else rank - 1


def _add_bias(value: Any, bias: Any, data_format: str, ctx: LoweringContext) -> Any:
    rank = np.ndim(value)
    if rank < 2:
        refuse(ctx, f"Input tensor must be at least 2D: {text_of_shape(value)}")
    if np.ndim(bias) != 1:
        refuse(ctx, f"Biases must be 1D: {text_of_shape(bias)}")
    if data_format == "NCHW" and not 2 < rank < 6:
        refuse(ctx, f"Only ranks up to 5 supported: {text_of_shape(value)}")
    axis = _bias_axis(rank, data_format)
    if np.shape(value)[axis] != np.shape(bias)[0]:
        refuse(
            ctx,
            "Must provide as many biases as the last dimension of the input tensor: "
            f"{text_of_shape(bias)} vs. {text_of_shape(value)}",
        )
    if axis == rank - 1:
        return value + bias
    layout = [1] * rank
    layout[axis] = -1
    return value + jnp.reshape(bias, layout)


@op("BiasAdd", autodiff=True)
class BiasAdd:
    def shape(value: Any, bias: Shape, *, data_format: str) -> Shape:
        value = shapes.with_rank_at_least(value, 2)
        bias = shapes.with_rank(bias, 1)
        if value is None:
            return None
        axis = _bias_axis(len(value), data_format)
        if data_format == "NCHW" and len(value) < 3:
            raise ShapeError(f"Shape must be at least rank 3 but is rank {len(value)}")
        dim = shapes.merge_dim(value[axis], bias[0])
        return (*value[:axis], dim, *value[axis + 1 :])

    def lower(value: Any, bias: Array, *, data_format: str, ctx: LoweringContext) -> Array:
        return _add_bias(value, bias, data_format, ctx)

    def numpy(
        value: Any, bias: np.ndarray, *, data_format: str, ctx: LoweringContext
    ) -> np.ndarray:
        if value.ndim > 1 and bias.shape == value.shape[-1:] and data_format == "NHWC":
            return value + bias
        return _add_bias(value, bias, data_format, ctx)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        return [grad, raw_ops.BiasAddGrad(grad, data_format=op._attrs["data_format"])]


@op("BiasAddV1", autodiff=True)
class BiasAddV1:
    def shape(value: Any, bias: Shape) -> Shape:
        value = shapes.with_rank_at_least(value, 2)
        bias = shapes.with_rank(bias, 1)
        return None if value is None else (*value[:-1], shapes.merge_dim(value[-1], bias[0]))

    def lower(value: Any, bias: Array, *, ctx: LoweringContext) -> Array:
        return _add_bias(value, bias, "NHWC", ctx)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        axes = math_ops.range(array_ops.rank(grad) - 1)
        return [grad, math_ops.reduce_sum(grad, axes)]


@op("BiasAddGrad", autodiff=True)
class BiasAddGrad:
    def shape(out_backprop: Any, *, data_format: str) -> Shape:
        if out_backprop is None:
            return (None,)
        return (out_backprop[_bias_axis(len(out_backprop), data_format)],)

    def lower(out_backprop: Any, *, data_format: str, ctx: LoweringContext) -> Array:
        rank = np.ndim(out_backprop)
        if rank < 2:
            refuse(ctx, f"Input tensor must be at least 2D: {text_of_shape(out_backprop)}")
        axis = _bias_axis(rank, data_format)
        others = tuple(i for i in range(rank) if i != axis)
        return jnp.sum(out_backprop, others, dtype=out_backprop.dtype)

    def numpy(out_backprop: Any, *, data_format: str, ctx: LoweringContext) -> np.ndarray:
        if out_backprop.ndim != 2 or out_backprop.itemsize < 4:
            return BiasAddGrad.lower(out_backprop, data_format=data_format, ctx=ctx)
        return np.add.reduce(out_backprop, 0, out_backprop.dtype)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        size = array_ops.shape(op.inputs[0])
        bias = array_ops.shape(grad)
        if op._attrs["data_format"] == b"NCHW":
            expanded = array_ops.concat(
                [array_ops.ones_like(size[:1]), bias, array_ops.ones_like(size[2:])], 0
            )
            multiples = array_ops.concat([size[:1], [1], size[2:]], 0)
        else:
            expanded = array_ops.concat([array_ops.ones_like(size[:-1]), bias], 0)
            multiples = array_ops.concat([size[:-1], [1]], 0)
        return array_ops.tile(array_ops.reshape(grad, expanded), multiples)


# Softmax and cross-entropy.


def _at_least_vector(x: Any) -> Any:
    return shapes.with_rank_at_least(x, 1)


def _check_logits(logits: Any, ctx: LoweringContext) -> None:
    if not np.ndim(logits):
        refuse(ctx, f"logits must have >= 1 dimension, got {text_of_shape(logits)}")


@op("Softmax", autodiff=True)
class Softmax:
    shape = staticmethod(_at_least_vector)

    def lower(logits: Any, *, ctx: LoweringContext) -> Array:
        _check_logits(logits, ctx)
        return jax.nn.softmax(logits, axis=-1) if np.size(logits) else logits

    def gradient(op: Any, grad: Tensor) -> Gradients:
        softmax = op.outputs[0]
        total = math_ops.reduce_sum(grad * softmax, -1, keepdims=True)
        return (grad - total) * softmax


@op("LogSoftmax", autodiff=True)
class LogSoftmax:
    shape = staticmethod(_at_least_vector)

    def lower(logits: Any, *, ctx: LoweringContext) -> Array:
        _check_logits(logits, ctx)
        return jax.nn.log_softmax(logits, axis=-1) if np.size(logits) else logits

    def gradient(op: Any, grad: Tensor) -> Gradients:
        softmax = math_ops.exp(op.outputs[0])
        return grad - math_ops.reduce_sum(grad, -1, keepdims=True) * softmax


def _times_rows(rows: Any, matrix: Any) -> Any:
    return array_ops.expand_dims(rows, -1) * matrix


def _is_zero(grad: Any) -> bool:
    if grad._is_eager:
        return False
    if grad.op.type in ("ZerosLike", "Zeros"):
        return True
    value = tensor_util.constant_value(grad)
    return value is not None and bool((value == 0).all())


@op("SoftmaxCrossEntropyWithLogits")
class SoftmaxCrossEntropyWithLogits:
    def shape(features: Any, labels: Shape) -> Any:
        # Where one shape can be the other, TF takes them to be the same, and else broadcasts.
        try:
            merged = shapes.with_rank(shapes.merge(features, labels), 2)
        except ShapeError:
            merged = shapes.broadcast(features, labels)
            if merged is None or len(merged) != 2:
                rank = "is unknown." if merged is None else len(merged)
                text = f"Shape must be broadcasted with rank 2, but is rank {rank}"
                raise ShapeError(text) from None
        return [(merged[0],), merged]

    def lower(features: Any, labels: Array, *, ctx: LoweringContext) -> Any:
        if not broadcastable(features, labels):
            refuse(
                ctx,
                f"logits and labels must be broadcastable: logits_size={text_of_shape(features)} "
                f"labels_size={text_of_shape(labels)}",
            )
        if np.ndim(features) != 2 and np.ndim(labels) != 2:
            refuse(
                ctx,
                "logits and labels must be either 2-dimensional, or broadcasted to be "
                "2-dimensional",
            )
        features, labels = jnp.broadcast_arrays(features, labels)
        if not features.size:
            return [jnp.zeros(features.shape[:1], features.dtype), features]
        shifted = features - jnp.max(features, -1, keepdims=True)
        exp = jnp.exp(shifted)
        total = jnp.sum(exp, -1, keepdims=True)
        loss = jnp.sum(labels * (jnp.log(total) - shifted), -1)
        return [loss, exp / total - labels]

    def gradient(op: Any, grad_loss: Any, grad_grad: Any) -> Gradients:
        grad = _times_rows(grad_loss, op.outputs[1])
        logits = op.inputs[0]
        if grad_grad is not None and not _is_zero(grad_grad):
            softmax = nn_ops.softmax(logits)
            product = math_ops.matmul(
                array_ops.expand_dims(grad_grad, 1), array_ops.expand_dims(softmax, 2)
            )
            grad += (grad_grad - array_ops.squeeze(product, axis=1)) * softmax
        return [grad, _times_rows(grad_loss, -nn_ops.log_softmax(logits))]


@op("SparseSoftmaxCrossEntropyWithLogits")
class SparseSoftmaxCrossEntropyWithLogits:
    def shape(features: Any, labels: Shape) -> Any:
        features = shapes.with_rank(features, 2)
        labels = shapes.with_rank(labels, 1)
        rows = shapes.merge_dim(features[0], labels[0])
        return [(rows,), (rows, features[1])]

    def lower(features: Any, labels: Array, *, ctx: LoweringContext) -> Any:
        rows = np.shape(features)
        if len(rows) != 2:
            refuse(ctx, f"logits must be 2-D, but got shape {text_of_shape(features)}")
        if np.ndim(labels) != 1:
            refuse(ctx, f"labels must be 1-D, but got shape {text_of_shape(labels)}")
        if rows[0] != np.shape(labels)[0]:
            refuse(
                ctx,
                "logits and labels must have the same first dimension, got logits shape "
                f"{text_of_shape(features)} and labels shape {text_of_shape(labels)}",
            )
        if not rows[1]:
            refuse(
                ctx, f"Must have at least one class, but got logits shape {text_of_shape(features)}"
            )
        classes = rows[1]
        labels = jnp.asarray(labels)
        if labels.size:
            least, most = jnp.min(labels), jnp.max(labels)
            ctx.check(
                (least >= 0) & (most < classes),
                errors.InvalidArgumentError,
                lambda value, all_labels: (
                    f"Received a label value of {value} which is outside the valid range of [0, "
                    f"{classes}).  Label values: {' '.join(str(int(v)) for v in all_labels)}"
                ),
                value=jnp.where(least < 0, least, most),
                all_labels=labels,
            )
        shifted = features - jnp.max(features, -1, keepdims=True)
        exp = jnp.exp(shifted)
        total = jnp.sum(exp, -1, keepdims=True)
        hit = jnp.arange(classes, dtype=labels.dtype) == labels[:, None]
        zero = jnp.zeros((), features.dtype)
        loss = jnp.sum(jnp.where(hit, jnp.log(total) - shifted, zero), -1)
        return [loss, exp / total - hit.astype(features.dtype)]

    def numpy(features: Any, labels: np.ndarray, *, ctx: LoweringContext) -> Any:
        fits = features.ndim == 2 and labels.shape == features.shape[:1] and features.shape[1] > 0
        if not fits or features.itemsize < 4 or not in_range(labels, features.shape[1]):
            return SparseSoftmaxCrossEntropyWithLogits.lower(features, labels, ctx=ctx)
        shifted = features - np.maximum.reduce(features, 1, keepdims=True)
        gradient = np.exp(shifted)
        total = np.add.reduce(gradient, 1, keepdims=True)
        gradient /= total
        rows = np.arange(len(labels))
        loss = np.log(total[:, 0]) - shifted[rows, labels]
        gradient[rows, labels] -= 1
        return [loss, gradient]

    def gradient(op: Any, grad_loss: Any, _: Any) -> Gradients:
        softmax_grad = array_ops.prevent_gradient(
            op.outputs[1],
            message="Currently there is no way to take the second derivative of "
            "sparse_softmax_cross_entropy_with_logits due to the fused implementation's "
            "interaction with tf.gradients()",
        )
        return [_times_rows(grad_loss, softmax_grad), None]


@op("L2Loss", autodiff=True)
class L2Loss:
    shape = scalar

    def lower(t: Any) -> Array:
        return jnp.sum(jnp.square(t), dtype=t.dtype) / jnp.asarray(2, t.dtype)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        return op.inputs[0] * grad


@op("InTopK", "InTopKV2")
class InTopK:
    def shape(predictions: Any, targets: Shape, *_: Any) -> Shape:
        predictions = shapes.with_rank(predictions, 2)
        targets = shapes.with_rank(targets, 1)
        return (shapes.merge_dim(predictions[0], targets[0]),)

    def lower(
        predictions: Any, targets: Array, *k: Any, op: Operation, ctx: LoweringContext
    ) -> Array:
        if np.ndim(predictions) != 2:
            refuse(ctx, "predictions must be 2-dimensional")
        if np.ndim(targets) != 1:
            refuse(ctx, "targets must be 1-dimensional")
        rows, classes = np.shape(predictions)
        if rows != np.shape(targets)[0]:
            refuse(
                ctx,
                f"First dimension of predictions {rows} must match length of targets "
                f"{np.shape(targets)[0]}",
            )
        limit = k[0] if k else op._attrs["k"]
        if np.ndim(limit):
            refuse(ctx, f"k must be 0-D, got shape {text_of_shape(limit)}")
        safe = jnp.clip(targets, 0, classes - 1)
        target = jnp.take_along_axis(predictions, safe[:, None], 1)
        larger = jnp.sum(predictions > target, 1, dtype=targets.dtype)
        usable = jnp.all(jnp.isfinite(predictions), 1) & (targets >= 0) & (targets < classes)
        return usable & (larger < jnp.asarray(limit, targets.dtype))
