"""`tf.keras.metrics` (`tensorflow.python.keras.metrics`): the base, means and sums, and what
compares predictions with targets one by one."""

from __future__ import annotations

import abc
import types
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.keras import backend
from tf1compat.api.keras.engine.base_layer import Layer
from tf1compat.api.keras.losses import (
    MAE,
    MAPE,
    MSE,
    MSLE,
    binary_crossentropy,
    categorical_crossentropy,
    categorical_hinge,
    cosine_proximity,
    cosine_similarity,
    hinge,
    kullback_leibler_divergence,
    logcosh,
    mae,
    mape,
    mean_absolute_error,
    mean_absolute_percentage_error,
    mean_squared_error,
    mean_squared_logarithmic_error,
    mse,
    msle,
    poisson,
    sparse_categorical_crossentropy,
    squared_hinge,
)
from tf1compat.api.keras.utils import metrics_utils
from tf1compat.api.keras.utils.generic_utils import (
    deserialize_keras_object,
    serialize_keras_object,
    settings,
)
from tf1compat.api.keras.utils.tf_utils import is_tensor_or_variable
from tf1compat.api.losses.util import squeeze_or_expand_dimensions
from tf1compat.api.math import math_ops
from tf1compat.api.metrics import confusion_matrix, weights_broadcast_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.random import init_ops
from tf1compat.api.variables import variables as variables_lib
from tf1compat.core import dtypes, export, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import Name

__all__ = ["MAE", "MAPE", "MSE", "MSLE", "cosine_proximity", "mae", "mape", "mse", "msle"]

_zeros = init_ops.Zeros


def exported(cls: Any) -> Any:
    """Exports a metric under its own name."""
    return tf_export(f"keras.metrics.{cls.__name__}")(cls)


@exported
class Metric(Layer, metaclass=abc.ABCMeta):
    """Base class of what is measured over many batches: variables that `update_state` changes and
    `result` reads.

    Args:
      name: the metric's name.
      dtype: of its result; `floatx()` by default.
      **kwargs: see `Layer`.
    """

    def __init__(self, name: Name = None, dtype: Any = None, **kwargs: Any):
        super().__init__(name=name, dtype=dtype, **kwargs)
        self.stateful = True
        self.built = True
        self._dtype = backend.floatx() if dtype is None else dtypes.as_dtype(dtype).name

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        obj = super().__new__(cls)
        update_state: Any = obj.update_state
        if not export.is_tf_class(cls):
            # As a function its operations run in the order in which they are written.
            update_state = export.required("function")(update_state)
        wrapped = metrics_utils.update_state_wrapper(update_state)
        object.__setattr__(obj, "update_state", types.MethodType(wrapped, obj))
        result = metrics_utils.result_wrapper(obj.result)
        object.__setattr__(obj, "result", types.MethodType(result, obj))
        return obj

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Updates the state; the result after it."""

        def in_replica(*args: Any, **kwargs: Any) -> Any:
            update_op = self.update_state(*args, **kwargs)
            with ops.control_dependencies([update_op]):
                result = self.result()
                result._metric_obj = self
                return result

        return metrics_utils.call_in_replicas(in_replica, args, kwargs)

    def get_config(self) -> dict[str, Any]:
        """The arguments of the constructor."""
        return {"name": self.name, "dtype": self.dtype}

    def reset_states(self) -> None:
        """Sets all variables to 0."""
        backend.batch_set_value([(v, 0) for v in self.variables])

    @abc.abstractmethod
    def update_state(self, *args: Any, **kwargs: Any) -> Any:
        """Records what changes the variables: what subclasses define."""
        raise NotImplementedError("Must be implemented in subclasses.")

    @abc.abstractmethod
    def result(self) -> Any:
        """The value of the metric: what subclasses define."""
        raise NotImplementedError("Must be implemented in subclasses.")

    def add_weight(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, name: Any, shape: Any = (),
        aggregation: Any = variables_lib.VariableAggregation.SUM,
        synchronization: Any = variables_lib.VariableSynchronization.ON_READ,
        initializer: Any = None, dtype: Any = None,
    ) -> Any:  # fmt: skip
        """Makes a variable of the metric, which is in no collection."""
        return super().add_weight(
            name=name, shape=shape, dtype=self._dtype if dtype is None else dtype,
            trainable=False, initializer=initializer, collections=[],
            synchronization=synchronization, aggregation=aggregation,
        )  # fmt: skip


_flat_values = metrics_utils.ragged_assert_compatible_and_get_flat_values


class Reduce(Metric):
    """A sum or mean. Args: `reduction`, a `metrics_utils.Reduction`; others see `Metric`."""

    def __init__(self, reduction: Any, name: Any, dtype: Any = None):
        super().__init__(name=name, dtype=dtype)
        self.reduction = reduction
        with ops.init_scope():
            self.total = self.add_weight("total", initializer=_zeros)
            if reduction in (
                metrics_utils.Reduction.SUM_OVER_BATCH_SIZE,
                metrics_utils.Reduction.WEIGHTED_MEAN,
            ):
                self.count = self.add_weight("count", initializer=_zeros)

    def update_state(self, values: Any, sample_weight: Any = None) -> Any:  # pyright: ignore
        """Adds values, times weights that broadcast to them."""
        is_sum = self.reduction == metrics_utils.Reduction.SUM
        (values,), sample_weight = _flat_values([values], sample_weight)
        values = math_ops.cast(values, self._dtype)
        if sample_weight is not None:
            values, sample_weight = _weighted(
                values, sample_weight, self._dtype,
                math_ops.reduce_sum if is_sum else math_ops.reduce_mean,
            )  # fmt: skip
            values = math_ops.multiply(values, sample_weight)
        value_sum = math_ops.reduce_sum(values)
        with ops.control_dependencies([value_sum]):
            update_total = self.total.assign_add(value_sum)
        if is_sum:
            return update_total
        if self.reduction == metrics_utils.Reduction.WEIGHTED_MEAN and sample_weight is not None:
            count = math_ops.reduce_sum(sample_weight)
        else:
            count = math_ops.cast(array_ops.size(values), self._dtype)
        with ops.control_dependencies([update_total]):
            return self.count.assign_add(count)

    def result(self) -> Any:
        """The sum, or the mean."""
        if self.reduction == metrics_utils.Reduction.SUM:
            return array_ops.identity(self.total)
        return math_ops.div_no_nan(self.total, self.count)


def _weighted(values: Any, sample_weight: Any, dtype: Any, reduce: Any) -> tuple[Any, Any]:
    """Values and weights that fit: either weights broadcast to values, or values are reduced."""
    sample_weight = math_ops.cast(sample_weight, dtype)
    values, _, sample_weight = squeeze_or_expand_dimensions(values, sample_weight=sample_weight)
    try:
        sample_weight = weights_broadcast_ops.broadcast_weights(sample_weight, values)
    except ValueError:
        axes = list(range(backend.ndim(sample_weight), backend.ndim(values)))
        values = reduce(values, axis=axes)
    return values, sample_weight


@exported
class Sum(Reduce):
    """The sum of values."""

    def __init__(self, name: Any = "sum", dtype: Any = None):
        super().__init__(metrics_utils.Reduction.SUM, name=name, dtype=dtype)


@exported
class Mean(Reduce):
    """The weighted mean of values."""

    def __init__(self, name: Any = "mean", dtype: Any = None):
        super().__init__(metrics_utils.Reduction.WEIGHTED_MEAN, name=name, dtype=dtype)


def _plain(value: Any) -> Any:
    return backend.eval(value) if is_tensor_or_variable(value) else value


@exported
class MeanRelativeError(Mean):
    """The mean of absolute errors over `normalizer`, which has the shape of the targets."""

    def __init__(self, normalizer: Any, name: Name = None, dtype: Any = None):
        super().__init__(name=name, dtype=dtype)
        self.normalizer = math_ops.cast(normalizer, self._dtype)

    def update_state(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, y_true: Any, y_pred: Any, sample_weight: Any = None
    ) -> Any:
        """Adds the errors of a batch."""
        y_true = math_ops.cast(y_true, self._dtype)
        y_pred = math_ops.cast(y_pred, self._dtype)
        (y_pred, y_true), sample_weight = _flat_values([y_pred, y_true], sample_weight)
        y_pred, y_true = squeeze_or_expand_dimensions(y_pred, y_true)
        y_pred, self.normalizer = confusion_matrix.remove_squeezable_dimensions(
            y_pred, self.normalizer
        )
        y_pred.shape.assert_is_compatible_with(y_true.shape)
        errors = math_ops.div_no_nan(math_ops.abs(y_true - y_pred), self.normalizer)
        return super().update_state(errors, sample_weight=sample_weight)

    get_config = settings("normalizer", normalizer=lambda self: _plain(self.normalizer))


class _OfFunction(Reduce):
    """A reduction of what a function of targets and predictions says."""

    _fn: Any
    _fn_kwargs: Any

    def update_state(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, y_true: Any, y_pred: Any, sample_weight: Any = None
    ) -> Any:
        """Adds what the function says of a batch."""
        y_true = math_ops.cast(y_true, self._dtype)
        y_pred = math_ops.cast(y_pred, self._dtype)
        (y_true, y_pred), sample_weight = _flat_values([y_true, y_pred], sample_weight)
        y_pred, y_true = squeeze_or_expand_dimensions(y_pred, y_true)
        values = self._fn(y_true, y_pred, **self._fn_kwargs)
        return super().update_state(values, sample_weight=sample_weight)

    def get_config(self) -> dict[str, Any]:
        """The arguments of the constructor."""
        own = {key: _plain(value) for key, value in self._fn_kwargs.items()}
        return {**super().get_config(), **own}


class MeanMetricWrapper(_OfFunction, Mean):
    """The mean of a function of targets and predictions; `**kwargs` are further arguments."""

    def __init__(self, fn: Any, name: Name = None, dtype: Any = None, **kwargs: Any):
        Mean.__init__(self, name=name, dtype=dtype)
        self._fn = fn
        self._fn_kwargs = kwargs


class SumOverBatchSize(Reduce):
    """The mean of values over their number, whatever their weights."""

    def __init__(self, name: Any = "sum_over_batch_size", dtype: Any = None):
        super().__init__(metrics_utils.Reduction.SUM_OVER_BATCH_SIZE, name=name, dtype=dtype)


class SumOverBatchSizeMetricWrapper(_OfFunction, SumOverBatchSize):
    """As `MeanMetricWrapper`, over the number of values."""

    def __init__(self, fn: Any, name: Name = None, dtype: Any = None, **kwargs: Any):
        SumOverBatchSize.__init__(self, name=name, dtype=dtype)
        self._fn = fn
        self._fn_kwargs = kwargs


# Functions.


def accuracy(y_true: Any, y_pred: Any) -> Any:
    """1 where predictions equal targets, else 0."""
    (y_pred, y_true), _ = _flat_values([y_pred, y_true])
    y_pred.shape.assert_is_compatible_with(y_true.shape)
    if y_true.dtype != y_pred.dtype:
        y_pred = math_ops.cast(y_pred, y_true.dtype)
    return math_ops.cast(math_ops.equal(y_true, y_pred), backend.floatx())


@tf_export("keras.metrics.binary_accuracy")
def binary_accuracy(y_true: Any, y_pred: Any, threshold: Any = 0.5) -> Any:
    """How many of the last dimension are on the right side of a threshold.

    Args:
      y_true: [..., size], 0 or 1.
      y_pred: [..., size], probabilities.
      threshold: above it a prediction is 1.

    Returns:
      The mean over the last dimension, [...].
    """
    threshold = math_ops.cast(threshold, y_pred.dtype)
    y_pred = math_ops.cast(y_pred > threshold, y_pred.dtype)
    return backend.mean(math_ops.equal(y_true, y_pred), axis=-1)


@tf_export("keras.metrics.categorical_accuracy")
def categorical_accuracy(y_true: Any, y_pred: Any) -> Any:
    """1 where the largest prediction is that of the largest target.

    Args:
      y_true: [..., classes], one-hot.
      y_pred: [..., classes].

    Returns:
      0 or 1, [...].
    """
    right = math_ops.argmax(y_true, axis=-1)
    return math_ops.cast(math_ops.equal(right, math_ops.argmax(y_pred, axis=-1)), backend.floatx())


def _sparse_targets(y_true: Any, y_pred: Any) -> Any:
    predicted = ops.convert_to_tensor(y_pred).shape.ndims
    known = ops.convert_to_tensor(y_true).shape.ndims
    if known is not None and predicted is not None and known == predicted:
        return array_ops.squeeze(y_true, [-1])
    return y_true


@tf_export("keras.metrics.sparse_categorical_accuracy")
def sparse_categorical_accuracy(y_true: Any, y_pred: Any) -> Any:
    """1 where the largest prediction is that of the target, an integer.

    Args:
      y_true: [...] or [..., 1], the classes.
      y_pred: [..., classes].

    Returns:
      0 or 1, [...].
    """
    y_true = _sparse_targets(y_true, y_pred)
    y_pred = math_ops.argmax(y_pred, axis=-1)
    if backend.dtype(y_pred) != backend.dtype(y_true):
        y_pred = math_ops.cast(y_pred, backend.dtype(y_true))
    return math_ops.cast(math_ops.equal(y_true, y_pred), backend.floatx())


@tf_export("keras.metrics.top_k_categorical_accuracy")
def top_k_categorical_accuracy(y_true: Any, y_pred: Any, k: int = 5) -> Any:
    """1 where the largest target is among the `k` largest predictions.

    Args:
      y_true: [batch, classes], one-hot.
      y_pred: [batch, classes].
      k: how many count.

    Returns:
      0 or 1, [batch].
    """
    return math_ops.cast(
        nn_ops.in_top_k(y_pred, math_ops.argmax(y_true, axis=-1), k), backend.floatx()
    )


@tf_export("keras.metrics.sparse_top_k_categorical_accuracy")
def sparse_top_k_categorical_accuracy(y_true: Any, y_pred: Any, k: int = 5) -> Any:
    """1 where the target, an integer, is among the `k` largest predictions.

    Args:
      y_true: [batch] or [batch, 1], the classes.
      y_pred: [batch, classes].
      k: how many count.

    Returns:
      0 or 1, [batch].
    """
    y_true = _sparse_targets(y_true, y_pred)
    return math_ops.cast(
        nn_ops.in_top_k(y_pred, math_ops.cast(y_true, "int32"), k), backend.floatx()
    )


# Means of functions: a class's name, the function, the metric's name, further arguments.


def _mean_of(cls_name: str, function: Any, default: str) -> Any:
    def __init__(self: Any, name: Any = default, dtype: Any = None) -> None:  # noqa: N807
        MeanMetricWrapper.__init__(self, function, name, dtype=dtype)

    cls = type(
        cls_name,
        (MeanMetricWrapper,),
        {
            "__init__": __init__,
            "__module__": __name__,
            "__doc__": f"The mean of `{function.__name__}` over all samples.",
        },
    )
    return exported(cls)


Accuracy = _mean_of("Accuracy", accuracy, "accuracy")
CategoricalAccuracy = _mean_of("CategoricalAccuracy", categorical_accuracy, "categorical_accuracy")
SparseCategoricalAccuracy = _mean_of(
    "SparseCategoricalAccuracy", sparse_categorical_accuracy, "sparse_categorical_accuracy"
)
MeanAbsoluteError = _mean_of("MeanAbsoluteError", mean_absolute_error, "mean_absolute_error")
MeanAbsolutePercentageError = _mean_of(
    "MeanAbsolutePercentageError", mean_absolute_percentage_error,
    "mean_absolute_percentage_error",
)  # fmt: skip
MeanSquaredError = _mean_of("MeanSquaredError", mean_squared_error, "mean_squared_error")
MeanSquaredLogarithmicError = _mean_of(
    "MeanSquaredLogarithmicError", mean_squared_logarithmic_error,
    "mean_squared_logarithmic_error",
)  # fmt: skip
Hinge = _mean_of("Hinge", hinge, "hinge")
SquaredHinge = _mean_of("SquaredHinge", squared_hinge, "squared_hinge")
CategoricalHinge = _mean_of("CategoricalHinge", categorical_hinge, "categorical_hinge")
LogCoshError = _mean_of("LogCoshError", logcosh, "logcosh")
Poisson = _mean_of("Poisson", poisson, "poisson")
KLDivergence = _mean_of("KLDivergence", kullback_leibler_divergence, "kullback_leibler_divergence")


@exported
class BinaryAccuracy(MeanMetricWrapper):
    """How many predictions are on the right side of a threshold."""

    def __init__(self, name: Any = "binary_accuracy", dtype: Any = None, threshold: Any = 0.5):
        super().__init__(binary_accuracy, name, dtype=dtype, threshold=threshold)


@exported
class TopKCategoricalAccuracy(MeanMetricWrapper):
    """How often the largest target is among the `k` largest predictions."""

    def __init__(self, k: int = 5, name: Any = "top_k_categorical_accuracy", dtype: Any = None):
        super().__init__(top_k_categorical_accuracy, name, dtype=dtype, k=k)


@exported
class SparseTopKCategoricalAccuracy(MeanMetricWrapper):
    """How often the target, an integer, is among the `k` largest predictions."""

    def __init__(
        self, k: int = 5, name: Any = "sparse_top_k_categorical_accuracy", dtype: Any = None
    ):
        super().__init__(sparse_top_k_categorical_accuracy, name, dtype=dtype, k=k)


@exported
class CosineSimilarity(MeanMetricWrapper):
    """The mean cosine of the angle between predictions and targets."""

    def __init__(self, name: Any = "cosine_similarity", dtype: Any = None, axis: int = -1):
        super().__init__(cosine_similarity, name, dtype=dtype, axis=axis)


@exported
class BinaryCrossentropy(MeanMetricWrapper):
    """The mean binary cross-entropy. Args: see `tf.keras.losses.binary_crossentropy`."""

    def __init__(
        self, name: Any = "binary_crossentropy", dtype: Any = None, from_logits: bool = False,
        label_smoothing: Any = 0,
    ):  # fmt: skip
        super().__init__(
            binary_crossentropy, name, dtype=dtype, from_logits=from_logits,
            label_smoothing=label_smoothing,
        )  # fmt: skip


@exported
class CategoricalCrossentropy(MeanMetricWrapper):
    """The mean cross-entropy. Args: see `tf.keras.losses.categorical_crossentropy`."""

    def __init__(
        self, name: Any = "categorical_crossentropy", dtype: Any = None, from_logits: bool = False,
        label_smoothing: Any = 0,
    ):  # fmt: skip
        super().__init__(
            categorical_crossentropy, name, dtype=dtype, from_logits=from_logits,
            label_smoothing=label_smoothing,
        )  # fmt: skip


@exported
class SparseCategoricalCrossentropy(MeanMetricWrapper):
    """The mean cross-entropy with integers. Args: see
    `tf.keras.losses.sparse_categorical_crossentropy`."""

    def __init__(
        self, name: Any = "sparse_categorical_crossentropy", dtype: Any = None,
        from_logits: bool = False, axis: int = -1,
    ):  # fmt: skip
        super().__init__(
            sparse_categorical_crossentropy, name, dtype=dtype, from_logits=from_logits, axis=axis
        )


@exported
class RootMeanSquaredError(Mean):
    """The root of the mean squared error."""

    def __init__(self, name: Any = "root_mean_squared_error", dtype: Any = None):
        super().__init__(name, dtype=dtype)

    def update_state(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, y_true: Any, y_pred: Any, sample_weight: Any = None
    ) -> Any:
        """Adds the errors of a batch."""
        y_true = math_ops.cast(y_true, self._dtype)
        y_pred = math_ops.cast(y_pred, self._dtype)
        y_pred, y_true = squeeze_or_expand_dimensions(y_pred, y_true)
        errors = math_ops.squared_difference(y_pred, y_true)
        return super().update_state(errors, sample_weight=sample_weight)

    def result(self) -> Any:
        """The root of the mean."""
        return math_ops.sqrt(math_ops.div_no_nan(self.total, self.count))


@exported
class MeanTensor(Metric):
    """The weighted means of tensors, element by element."""

    def __init__(self, name: Any = "mean_tensor", dtype: Any = None):
        super().__init__(name=name, dtype=dtype)
        self._shape: Any = None
        self._total: Any = None
        self._count: Any = None
        self._built = False

    def _build(self, shape: Any) -> None:
        self._shape = TensorShape(shape)
        self._total = self.add_weight("total", shape=shape, initializer=_zeros)
        self._count = self.add_weight("count", shape=shape, initializer=_zeros)
        with ops.init_scope():
            backend.initialize_variables(backend.plain_session())
        self._built = True

    @property
    def total(self) -> Any:
        """The weighted sum."""
        return self._total if self._built else None

    @property
    def count(self) -> Any:
        """The sum of the weights."""
        return self._count if self._built else None

    def update_state(self, values: Any, sample_weight: Any = None) -> Any:  # pyright: ignore
        """Adds a tensor, times weights that broadcast to it."""
        values = math_ops.cast(values, self._dtype)
        if not self._built:
            self._build(values.shape)
        elif values.shape != self._shape:
            raise ValueError(
                "MeanTensor input values must always have the same shape. Expected shape (set "
                f"during the first call): {self._shape}. Got: {values.shape}"
            )
        count = array_ops.ones_like(values)
        if sample_weight is not None:
            values, sample_weight = _weighted(
                values, sample_weight, self._dtype, math_ops.reduce_mean
            )
            count = math_ops.multiply(count, sample_weight)
            values = math_ops.multiply(values, sample_weight)
        update_total = self._total.assign_add(values)
        with ops.control_dependencies([update_total]):
            return self._count.assign_add(count)

    def result(self) -> Any:
        """The means."""
        if not self._built:
            raise ValueError(
                "MeanTensor does not have any result yet. Please call the MeanTensor instance or "
                "use `.update_state(value)` before retrieving the result."
            )
        return math_ops.div_no_nan(self.total, self.count)

    def reset_states(self) -> None:
        """Sets all to 0."""
        if self._built:
            zeros = np.zeros(self._shape.as_list())
            backend.batch_set_value([(v, zeros) for v in self.variables])


# By name.


def clone_metric(metric: Any) -> Any:
    """A metric like this one; what is none stays."""
    if isinstance(metric, Metric):
        with ops.init_scope():
            return type(metric).from_config(metric.get_config())
    return metric


def clone_metrics(metrics: Any) -> Any:
    """`clone_metric` of a list or dict."""
    if metrics is None:
        return None
    if isinstance(metrics, dict):
        return {key: clone_metric(value) for key, value in metrics.items()}
    return [clone_metric(metric) for metric in metrics]


@tf_export("keras.metrics.serialize")
def serialize(metric: Any) -> Any:
    """A metric as its name, or its class and config.

    Args:
      metric: a metric.

    Returns:
      A string or a dict.
    """
    return serialize_keras_object(metric)


@tf_export("keras.metrics.deserialize")
def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """What `serialize` described.

    Args:
      config: a name, or a dict of class and config.
      custom_objects: {name: class or function}, or None.

    Returns:
      A metric.
    """
    from tf1compat.api.keras import metrics_counts

    return deserialize_keras_object(
        config,
        module_objects={**vars(metrics_counts), **globals()},
        custom_objects=custom_objects,
        printable_module_name="metric function",
    )


@tf_export("keras.metrics.get")
def get(identifier: Any) -> Any:
    """A metric from its name or config, or the callable that it is.

    Args:
      identifier: a name, a dict or a callable.

    Returns:
      A metric.

    Raises:
      ValueError: it is none of these, or there is none of that name.
    """
    if isinstance(identifier, str | dict):
        return deserialize(identifier)
    if callable(identifier):
        return identifier
    raise ValueError(f"Could not interpret metric function identifier: {identifier}")
