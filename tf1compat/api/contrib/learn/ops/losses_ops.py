"""`tensorflow.contrib.learn.python.learn.ops.losses_ops`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.losses import losses_impl
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import ops
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name


@deprecated(
    "2016-12-01", "Use `tf.losses.mean_squared_error` and explicit logits computation."
)  # fmt: skip
def mean_squared_error_regressor(
    tensor_in: Any, labels: Any, weights: Any, biases: Any, name: Name = None
) -> tuple[Tensor, Tensor]:
    """The predictions of a linear model, and their mean squared error.

    Args:
      tensor_in: the features.
      labels: what should come out.
      weights, biases: the model.
      name: the name of the scope.
    """
    with ops.name_scope(name, "mean_squared_error_regressor", [tensor_in, labels]):
        predictions = nn_ops.xw_plus_b(tensor_in, weights, biases)
        if len(labels.shape) == 1 and len(predictions.shape) == 2:
            predictions = array_ops.squeeze(predictions, axis=[1])
        return predictions, losses_impl.mean_squared_error(labels, predictions)


@deprecated(
    "2016-12-01", "Use `tf.losses.softmax_cross_entropy` and explicit logits computation."
)  # fmt: skip
def softmax_classifier(
    tensor_in: Any, labels: Any, weights: Any, biases: Any, class_weight: Any = None,
    name: Name = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The probabilities that a linear model gives classes, and their cross entropy.

    Args:
      tensor_in: the features.
      labels: the classes, one-hot.
      weights, biases: the model.
      class_weight: a factor for the logits of each class.
      name: the name of the scope.
    """
    with ops.name_scope(name, "softmax_classifier", [tensor_in, labels]):
        logits = nn_ops.xw_plus_b(tensor_in, weights, biases)
        if class_weight is not None:
            logits = math_ops.multiply(logits, class_weight)
        loss = losses_impl.softmax_cross_entropy
        return nn_ops.softmax(logits), loss(labels, logits)
