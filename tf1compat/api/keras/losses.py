"""`tf.keras.losses` (`tensorflow.python.keras.losses`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.distribute import distribution_strategy_context as strategies
from tf1compat.api.keras import backend
from tf1compat.api.keras.utils import losses_utils, tf_utils
from tf1compat.api.keras.utils.generic_utils import (
    deserialize_keras_object,
    serialize_keras_object,
)
from tf1compat.api.keras.utils.losses_utils import ReductionV2
from tf1compat.api.losses import losses_impl
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_impl, nn_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike


@tf_export("keras.losses.Loss")
class Loss:
    """Base class of losses: `call` gives the loss of each sample.

    Args:
      reduction: how these become one number: "auto", "none", "sum" or "sum_over_batch_size".
      name: of the name scope.
    """

    def __init__(self, reduction: str = ReductionV2.AUTO, name: Name = None):
        ReductionV2.validate(reduction)
        self.reduction = reduction
        self.name = name

    def __call__(
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> Any:
        """The loss.

        Args:
          y_true: the targets.
          y_pred: what the model says.
          sample_weight: weights that broadcast to the losses.
        """
        scope = "lambda" if self.name == "<lambda>" else self.name
        with backend.name_scope(scope or type(self).__name__):
            losses = self.call(y_true, y_pred)
            return losses_utils.compute_weighted_loss(
                losses, sample_weight, reduction=self._get_reduction()
            )

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """A loss from what `get_config` gave."""
        return cls(**config)

    def get_config(self) -> dict[str, Any]:
        """The arguments of the constructor."""
        return {"reduction": self.reduction, "name": self.name}

    def call(self, y_true: TensorLike, y_pred: TensorLike) -> Any:
        """The loss of each sample: what subclasses define."""
        raise NotImplementedError("Must be implemented in subclasses.")

    def _get_reduction(self) -> str:
        of_batch = (ReductionV2.AUTO, ReductionV2.SUM_OVER_BATCH_SIZE)
        if self.reduction in of_batch and strategies.has_strategy():
            raise ValueError(
                "Please use `tf.keras.losses.Reduction.SUM` or `tf.keras.losses.Reduction.NONE` "
                "for loss reduction when losses are used with `tf.distribute.Strategy` outside of "
                "the built-in training loops. You can implement "
                "`tf.keras.losses.Reduction.SUM_OVER_BATCH_SIZE` using global batch size like:\n"
                "```\nwith strategy.scope():\n"
                "    loss_obj = tf.keras.losses.CategoricalCrossentropy("
                "reduction=tf.keras.losses.Reduction.NONE)\n....\n"
                "    loss = tf.reduce_sum(loss_obj(labels, predictions)) * "
                "(1. / global_batch_size)\n```\nPlease see "
                "https://www.tensorflow.org/alpha/tutorials/distribute/training_loops for more "
                "details."
            )
        if self.reduction == ReductionV2.AUTO:
            return ReductionV2.SUM_OVER_BATCH_SIZE
        return self.reduction


class LossFunctionWrapper(Loss):
    """A function of targets and predictions as a loss; `**kwargs` are further arguments."""

    def __init__(
        self, fn: Callable[..., Any], reduction: str = ReductionV2.AUTO, name: Name = None,
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__(reduction=reduction, name=name)
        self.fn = fn
        self._fn_kwargs = kwargs

    def call(self, y_true: TensorLike, y_pred: TensorLike) -> Any:
        """What the function says."""
        return self.fn(y_true, y_pred, **self._fn_kwargs)

    def get_config(self) -> dict[str, Any]:
        """The arguments of the constructor."""
        own = {
            key: backend.eval(value) if tf_utils.is_tensor_or_variable(value) else value
            for key, value in self._fn_kwargs.items()
        }
        return {**super().get_config(), **own}


# Functions.


def _cast(y_true: TensorLike, y_pred: TensorLike) -> tuple[Any, Any]:
    """Targets in the dtype of the predictions."""
    y_pred = ops.convert_to_tensor(y_pred)
    return math_ops.cast(y_true, y_pred.dtype), y_pred


def _in_both(*names: str) -> Callable[[Any], Any]:
    """Exports below keras.losses and keras.metrics."""
    return tf_export(*(f"keras.{part}.{name}" for part in ("metrics", "losses") for name in names))


@_in_both("mean_squared_error", "mse", "MSE")
def mean_squared_error(y_true: TensorLike, y_pred: TensorLike) -> Any:
    """The mean over the last dimension of squared differences."""
    y_true, y_pred = _cast(y_true, y_pred)
    return backend.mean(math_ops.squared_difference(y_pred, y_true), axis=-1)


@_in_both("mean_absolute_error", "mae", "MAE")
def mean_absolute_error(y_true: Any, y_pred: Any) -> Any:
    """The mean over the last dimension of absolute differences."""
    y_true, y_pred = _cast(y_true, y_pred)
    return backend.mean(math_ops.abs(y_pred - y_true), axis=-1)


@_in_both("mean_absolute_percentage_error", "mape", "MAPE")
def mean_absolute_percentage_error(y_true: Any, y_pred: Any) -> Any:
    """100 times the mean of absolute differences, relative to the targets."""
    y_true, y_pred = _cast(y_true, y_pred)
    difference = y_true - y_pred
    size = backend.clip(math_ops.abs(y_true), backend.epsilon(), None)
    return 100.0 * backend.mean(math_ops.abs(difference / size), axis=-1)


@_in_both("mean_squared_logarithmic_error", "msle", "MSLE")
def mean_squared_logarithmic_error(y_true: TensorLike, y_pred: TensorLike) -> Any:
    """The mean of squared differences of log(1 + x)."""
    y_true, y_pred = _cast(y_true, y_pred)
    first = math_ops.log(backend.clip(y_pred, backend.epsilon(), None) + 1.0)
    second = math_ops.log(backend.clip(y_true, backend.epsilon(), None) + 1.0)
    return backend.mean(math_ops.squared_difference(first, second), axis=-1)


def _maybe_convert_labels(y_true: Any) -> Any:
    """Labels 0 and 1 as -1 and 1; others stay."""
    zeros = math_ops.equal(y_true, 0)
    ones = math_ops.equal(y_true, 1)
    binary = math_ops.reduce_all(math_ops.logical_or(zeros, ones))
    return tf_utils.smart_cond(binary, lambda: 2.0 * y_true - 1.0, lambda: y_true)


@_in_both("squared_hinge")
def squared_hinge(y_true: Any, y_pred: Any) -> Any:
    """The mean of max(1 - y_true * y_pred, 0) squared; labels are -1 and 1, or 0 and 1."""
    y_true, y_pred = _cast(y_true, y_pred)
    y_true = _maybe_convert_labels(y_true)
    return backend.mean(math_ops.square(math_ops.maximum(1.0 - y_true * y_pred, 0.0)), axis=-1)


@_in_both("hinge")
def hinge(y_true: Any, y_pred: Any) -> Any:
    """The mean of max(1 - y_true * y_pred, 0); labels are -1 and 1, or 0 and 1."""
    y_true, y_pred = _cast(y_true, y_pred)
    y_true = _maybe_convert_labels(y_true)
    return backend.mean(math_ops.maximum(1.0 - y_true * y_pred, 0.0), axis=-1)


@tf_export("keras.losses.categorical_hinge")
def categorical_hinge(y_true: Any, y_pred: Any) -> Any:
    """By how much the right class is not 1 better than the best wrong one.

    Args:
      y_true: [..., classes], 0 or 1.
      y_pred: [..., classes].

    Returns:
      [...].
    """
    y_true, y_pred = _cast(y_true, y_pred)
    right = math_ops.reduce_sum(y_true * y_pred, axis=-1)
    wrong = math_ops.reduce_max((1.0 - y_true) * y_pred, axis=-1)
    return math_ops.maximum(0.0, wrong - right + 1.0)


def huber_loss(y_true: TensorLike, y_pred: TensorLike, delta: float = 1.0) -> Any:
    """Half the squared difference up to `delta`, linear beyond."""
    y_pred = math_ops.cast(y_pred, dtype=backend.floatx())
    y_true = math_ops.cast(y_true, dtype=backend.floatx())
    size = math_ops.abs(math_ops.subtract(y_pred, y_true))
    quadratic = math_ops.minimum(size, delta)
    linear = math_ops.subtract(size, quadratic)
    half = ops.convert_to_tensor(0.5, dtype=quadratic.dtype)
    return math_ops.add(
        math_ops.multiply(half, math_ops.multiply(quadratic, quadratic)),
        math_ops.multiply(delta, linear),
    )


@tf_export("keras.losses.logcosh")
def logcosh(y_true: Any, y_pred: Any) -> Any:
    """The mean of the logarithm of the hyperbolic cosine of differences.

    Args:
      y_true, y_pred: [..., size].

    Returns:
      The mean over the last dimension, [...].
    """
    y_true, y_pred = _cast(y_true, y_pred)
    x = y_pred - y_true
    return backend.mean(x + nn_ops.softplus(-2.0 * x) - math_ops.log(2.0), axis=-1)


def _smoothing(
    y_pred: TensorLike, y_true: TensorLike, label_smoothing: TensorLike
) -> tuple[Any, Any, Any]:
    y_true, y_pred = _cast(y_true, y_pred)
    return y_true, y_pred, ops.convert_to_tensor(label_smoothing, dtype=backend.floatx())


@_in_both("categorical_crossentropy")
def categorical_crossentropy(
    y_true: Any, y_pred: Any, from_logits: bool = False, label_smoothing: Any = 0
) -> Any:
    """The cross-entropy of distributions over classes.

    Args:
      y_true: distributions, one-hot as a rule.
      y_pred: distributions, or logits.
      from_logits: whether they are logits.
      label_smoothing: what part of each target becomes the even distribution.
    """
    y_true, y_pred, smoothing = _smoothing(y_pred, y_true, label_smoothing)

    def smooth() -> Any:
        classes = math_ops.cast(array_ops.shape(y_true)[1], y_pred.dtype)
        return y_true * (1.0 - smoothing) + smoothing / classes

    target = tf_utils.smart_cond(smoothing, smooth, lambda: y_true)
    return backend.categorical_crossentropy(target, y_pred, from_logits=from_logits)


@_in_both("sparse_categorical_crossentropy")
def sparse_categorical_crossentropy(
    y_true: TensorLike, y_pred: TensorLike, from_logits: bool = False, axis: int = -1
) -> Any:
    """The cross-entropy of distributions (or logits) and classes that are integers."""
    return backend.sparse_categorical_crossentropy(
        y_true, y_pred, from_logits=from_logits, axis=axis
    )


@_in_both("binary_crossentropy")
def binary_crossentropy(
    y_true: TensorLike,
    y_pred: TensorLike,
    from_logits: bool = False,
    label_smoothing: TensorLike = 0,
) -> Any:
    """The mean cross-entropy of probabilities (or logits) and targets of 0 and 1; smoothing draws
    these towards 1/2."""
    y_true, y_pred, smoothing = _smoothing(y_pred, y_true, label_smoothing)
    target = tf_utils.smart_cond(
        smoothing, lambda: y_true * (1.0 - smoothing) + 0.5 * smoothing, lambda: y_true
    )
    return backend.mean(
        backend.binary_crossentropy(target, y_pred, from_logits=from_logits), axis=-1
    )


@_in_both("kullback_leibler_divergence", "kld", "KLD")
def kullback_leibler_divergence(y_true: Any, y_pred: Any) -> Any:
    """The sum of y_true * log(y_true / y_pred)."""
    y_true, y_pred = _cast(y_true, y_pred)
    y_true = backend.clip(y_true, backend.epsilon(), 1)
    y_pred = backend.clip(y_pred, backend.epsilon(), 1)
    return math_ops.reduce_sum(y_true * math_ops.log(y_true / y_pred), axis=-1)


@_in_both("poisson")
def poisson(y_true: Any, y_pred: Any) -> Any:
    """The mean of y_pred - y_true * log(y_pred)."""
    y_true, y_pred = _cast(y_true, y_pred)
    return backend.mean(y_pred - y_true * math_ops.log(y_pred + backend.epsilon()), axis=-1)


@tf_export(
    "keras.metrics.cosine_proximity", "keras.metrics.cosine", "keras.losses.cosine_proximity",
    "keras.losses.cosine", "keras.losses.cosine_similarity",
)  # fmt: skip
def cosine_proximity(y_true: TensorLike, y_pred: TensorLike, axis: int = -1) -> Any:
    """The cosine of the angle between vectors.

    Args:
      y_true, y_pred: [..., size].
      axis: the axis of the vectors.

    Returns:
      The cosines, in [-1, 1], [...].
    """
    y_true = nn_impl.l2_normalize(y_true, axis=axis)
    y_pred = nn_impl.l2_normalize(y_pred, axis=axis)
    return math_ops.reduce_sum(y_true * y_pred, axis=axis)


# Classes.


def _exported(cls: Any) -> Any:
    return tf_export(f"keras.losses.{cls.__name__}")(cls)


@_exported
class MeanSquaredError(LossFunctionWrapper):
    """`mean_squared_error` as an object."""

    def __init__(self, reduction: str = ReductionV2.AUTO, name: Name = "mean_squared_error"):
        super().__init__(mean_squared_error, name=name, reduction=reduction)


@_exported
class MeanAbsoluteError(LossFunctionWrapper):
    """`mean_absolute_error` as an object."""

    def __init__(self, reduction: str = ReductionV2.AUTO, name: Name = "mean_absolute_error"):
        super().__init__(mean_absolute_error, name=name, reduction=reduction)


@_exported
class MeanAbsolutePercentageError(LossFunctionWrapper):
    """`mean_absolute_percentage_error` as an object."""

    def __init__(
        self, reduction: str = ReductionV2.AUTO, name: Name = "mean_absolute_percentage_error"
    ):
        super().__init__(mean_absolute_percentage_error, name=name, reduction=reduction)


@_exported
class MeanSquaredLogarithmicError(LossFunctionWrapper):
    """`mean_squared_logarithmic_error` as an object."""

    def __init__(
        self, reduction: str = ReductionV2.AUTO, name: Name = "mean_squared_logarithmic_error"
    ):
        super().__init__(mean_squared_logarithmic_error, name=name, reduction=reduction)


@_exported
class BinaryCrossentropy(LossFunctionWrapper):
    """`binary_crossentropy` as an object."""

    def __init__(
        self, from_logits: bool = False, label_smoothing: TensorLike = 0,
        reduction: str = ReductionV2.AUTO, name: Name = "binary_crossentropy",
    ):  # fmt: skip
        super().__init__(
            binary_crossentropy, name=name, reduction=reduction, from_logits=from_logits,
            label_smoothing=label_smoothing,
        )  # fmt: skip
        self.from_logits = from_logits


@_exported
class CategoricalCrossentropy(LossFunctionWrapper):
    """`categorical_crossentropy` as an object."""

    def __init__(
        self, from_logits: bool = False, label_smoothing: TensorLike = 0,
        reduction: str = ReductionV2.AUTO, name: Name = "categorical_crossentropy",
    ):  # fmt: skip
        super().__init__(
            categorical_crossentropy, name=name, reduction=reduction, from_logits=from_logits,
            label_smoothing=label_smoothing,
        )  # fmt: skip


@_exported
class SparseCategoricalCrossentropy(LossFunctionWrapper):
    """`sparse_categorical_crossentropy` as an object."""

    def __init__(
        self, from_logits: bool = False, reduction: str = ReductionV2.AUTO,
        name: Name = "sparse_categorical_crossentropy",
    ):  # fmt: skip
        super().__init__(
            sparse_categorical_crossentropy, name=name, reduction=reduction,
            from_logits=from_logits,
        )  # fmt: skip


@_exported
class Hinge(LossFunctionWrapper):
    """`hinge` as an object."""

    def __init__(self, reduction: str = ReductionV2.AUTO, name: Name = "hinge"):
        super().__init__(hinge, name=name, reduction=reduction)


@_exported
class SquaredHinge(LossFunctionWrapper):
    """`squared_hinge` as an object."""

    def __init__(self, reduction: str = ReductionV2.AUTO, name: Name = "squared_hinge"):
        super().__init__(squared_hinge, name=name, reduction=reduction)


@_exported
class CategoricalHinge(LossFunctionWrapper):
    """`categorical_hinge` as an object."""

    def __init__(self, reduction: str = ReductionV2.AUTO, name: Name = "categorical_hinge"):
        super().__init__(categorical_hinge, name=name, reduction=reduction)


@_exported
class Poisson(LossFunctionWrapper):
    """`poisson` as an object."""

    def __init__(self, reduction: str = ReductionV2.AUTO, name: Name = "poisson"):
        super().__init__(poisson, name=name, reduction=reduction)


@_exported
class LogCosh(LossFunctionWrapper):
    """`logcosh` as an object."""

    def __init__(self, reduction: str = ReductionV2.AUTO, name: Name = "logcosh"):
        super().__init__(logcosh, name=name, reduction=reduction)


@_exported
class KLDivergence(LossFunctionWrapper):
    """`kullback_leibler_divergence` as an object."""

    def __init__(
        self, reduction: str = ReductionV2.AUTO, name: Name = "kullback_leibler_divergence"
    ):
        super().__init__(kullback_leibler_divergence, name=name, reduction=reduction)


@_exported
class Huber(LossFunctionWrapper):
    """Half the squared difference up to `delta`, linear beyond."""

    def __init__(
        self, delta: float = 1.0, reduction: str = ReductionV2.AUTO, name: Name = "huber_loss"
    ):
        super().__init__(huber_loss, name=name, reduction=reduction, delta=delta)


@_exported
class CosineSimilarity(LossFunctionWrapper):
    """`cosine_similarity` as an object."""

    def __init__(
        self, axis: int = -1, reduction: str = ReductionV2.AUTO, name: Name = "cosine_similarity"
    ):
        super().__init__(cosine_similarity, reduction=reduction, name=name, axis=axis)


mse = MSE = mean_squared_error
mae = MAE = mean_absolute_error
mape = MAPE = mean_absolute_percentage_error
msle = MSLE = mean_squared_logarithmic_error
kld = KLD = kullback_leibler_divergence
cosine_similarity = cosine_proximity

# The dtype of the targets that a model makes placeholders for, where it is not the outputs'.
LABEL_DTYPES_FOR_LOSSES: dict[Any, str] = {
    losses_impl.sparse_softmax_cross_entropy: "int32",
    sparse_categorical_crossentropy: "int32",
}


def wraps(loss: Any, function: Any) -> bool:
    """Whether a loss is that function as an object."""
    return isinstance(loss, LossFunctionWrapper) and loss.fn is function


def is_categorical_crossentropy(loss: Any) -> bool:
    """Whether a loss is the categorical cross-entropy in any form."""
    name = "categorical_crossentropy"
    return (
        isinstance(loss, CategoricalCrossentropy)
        or wraps(loss, categorical_crossentropy)
        or getattr(loss, "__name__", None) == name
        or (isinstance(loss, str) and loss == name)
    )


@tf_export("keras.losses.serialize")
def serialize(loss: Any) -> Any:
    """A loss as its name, or its class and config.

    Args:
      loss: a loss.

    Returns:
      A string or a dict.
    """
    return serialize_keras_object(loss)


@tf_export("keras.losses.deserialize")
def deserialize(name: Any, custom_objects: dict[str, Any] | None = None) -> Any:
    """What `serialize` described.

    Args:
      name: a name, or a dict of class and config.
      custom_objects: {name: class or function}, or None.

    Returns:
      A loss.
    """
    return deserialize_keras_object(
        name,
        module_objects=globals(),
        custom_objects=custom_objects,
        printable_module_name="loss function",
    )


@tf_export("keras.losses.get")
def get(identifier: Any) -> Any:
    """A loss from its name or config, or the callable that it is; None for None.

    Args:
      identifier: a name, a dict, a callable or None.

    Returns:
      A loss, or None.

    Raises:
      ValueError: it is none of these, or there is none of that name.
    """
    if identifier is None:
        return None
    if isinstance(identifier, str | dict):
        return deserialize(identifier)
    if callable(identifier):
        return identifier
    raise ValueError("Could not interpret loss function identifier:", identifier)
