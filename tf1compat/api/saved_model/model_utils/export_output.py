"""Outputs of a model that a saved one is to have
(`tensorflow.python.saved_model.model_utils.export_output`)."""

from __future__ import annotations

import abc
from typing import Any

from tf1compat.api.array import constant_op
from tf1compat.api.saved_model import signature_def_utils_impl as signature_def_utils
from tf1compat.core import dtypes, ops
from tf1compat.core.attribute import attribute
from tf1compat.core.tensor import Tensor


class ExportOutput:
    """Outputs under one signature."""

    _SEPARATOR_CHAR = "/"

    @abc.abstractmethod
    def as_signature_def(self, receiver_tensors: Any) -> Any:
        """The SignatureDef for inputs {name: a tensor}."""

    def _check_output_key(self, key: Any, error_label: str) -> str:
        if isinstance(key, tuple):
            key = self._SEPARATOR_CHAR.join(key)
        if not isinstance(key, str):
            raise ValueError(f"{error_label} output key must be a string; got {key}.")
        return key

    def _wrap_and_check_outputs(
        self, outputs: Any, single_output_default_name: str, error_label: str | None = None
    ) -> dict[str, Any]:
        """Outputs by name; a single one has a default name."""
        if not isinstance(outputs, dict):
            outputs = {single_output_default_name: outputs}
        label = error_label or single_output_default_name
        found = {}
        for key, value in outputs.items():
            key = self._check_output_key(key, label)
            if not isinstance(value, Tensor):
                raise ValueError(f"{label} output value must be a Tensor; got {value}.")
            found[key] = value
        return found


def _single_string(kind: str, receiver_tensors: Any) -> Any:
    text = f"{kind} input must be a single string Tensor; got {receiver_tensors}"
    if len(receiver_tensors) != 1:
        raise ValueError(text)
    (examples,) = receiver_tensors.values()
    if dtypes.as_dtype(examples.dtype) != dtypes.string:
        raise ValueError(text)
    return examples


class ClassificationOutput(ExportOutput):
    """Classes and their scores.

    Args:
      scores: floats, or None.
      classes: strings, or None.

    Raises:
      ValueError: both are None, or have other dtypes.
    """

    def __init__(self, scores: Any = None, classes: Any = None):
        if scores is not None and not (isinstance(scores, Tensor) and scores.dtype.is_floating):
            raise ValueError(f"Classification scores must be a float32 Tensor; got {scores}")
        if classes is not None and not (
            isinstance(classes, Tensor) and dtypes.as_dtype(classes.dtype) == dtypes.string
        ):
            raise ValueError(f"Classification classes must be a string Tensor; got {classes}")
        if scores is None and classes is None:
            raise ValueError("At least one of scores and classes must be set.")
        self._scores = scores
        self._classes = classes

    scores = attribute("_scores", "The scores, or None.")
    classes = attribute("_classes", "The classes, or None.")

    def as_signature_def(self, receiver_tensors: Any) -> Any:
        """The SignatureDef of a single string input."""
        examples = _single_string("Classification", receiver_tensors)
        return signature_def_utils.classification_signature_def(examples, self.classes, self.scores)


class RegressionOutput(ExportOutput):
    """A number of each example.

    Args:
      value: floats.

    Raises:
      ValueError: something else.
    """

    def __init__(self, value: Any):
        if not (isinstance(value, Tensor) and value.dtype.is_floating):
            raise ValueError(f"Regression output value must be a float32 Tensor; got {value}")
        self._value = value

    value = attribute("_value", "The numbers.")

    def as_signature_def(self, receiver_tensors: Any) -> Any:
        """The SignatureDef of a single string input."""
        examples = _single_string("Regression", receiver_tensors)
        return signature_def_utils.regression_signature_def(examples, self.value)


class PredictOutput(ExportOutput):
    """Any tensors.

    Args:
      outputs: a tensor, or {name: a tensor}.

    Raises:
      ValueError: something else.
    """

    _SINGLE_OUTPUT_DEFAULT_NAME = "output"

    def __init__(self, outputs: Any):
        self._outputs = self._wrap_and_check_outputs(
            outputs, self._SINGLE_OUTPUT_DEFAULT_NAME, error_label="Prediction"
        )

    outputs: dict[str, Any] = attribute("_outputs", "The tensors by name.")

    def as_signature_def(self, receiver_tensors: Any) -> Any:
        """The SignatureDef for inputs {name: a tensor}."""
        return signature_def_utils.predict_signature_def(receiver_tensors, self.outputs)


class _SupervisedOutput(ExportOutput):
    """Loss, predictions and metrics."""

    LOSS_NAME = "loss"
    PREDICTIONS_NAME = "predictions"
    METRICS_NAME = "metrics"
    METRIC_VALUE_SUFFIX = "value"
    METRIC_UPDATE_SUFFIX = "update_op"

    def __init__(self, loss: Any = None, predictions: Any = None, metrics: Any = None):
        self._loss = None if loss is None else self._prefixed(loss, self.LOSS_NAME)
        self._predictions = (
            None if predictions is None else self._prefixed(predictions, self.PREDICTIONS_NAME)
        )
        self._metrics = None if metrics is None else self._wrap_and_check_metrics(metrics)

    def _prefixed(self, outputs: Any, name: str) -> dict[str, Any]:
        found = self._wrap_and_check_outputs(outputs, name)
        return {self._prefix_key(key, name): value for key, value in found.items()}

    def _prefix_key(self, key: str, output_name: str) -> str:
        return key if key.startswith(output_name) else output_name + self._SEPARATOR_CHAR + key

    def _wrap_and_check_metrics(self, metrics: Any) -> dict[str, Any]:
        if not isinstance(metrics, dict):
            metrics = {self.METRICS_NAME: metrics}
        outputs = {}
        for key, metric in metrics.items():
            if isinstance(metric, tuple):
                value, update = metric
            else:
                value, (update,) = metric.result(), metric.updates
            key = self._prefix_key(
                self._check_output_key(key, self.METRICS_NAME), self.METRICS_NAME
            )
            if not isinstance(value, Tensor):
                raise ValueError(f"{key} output value must be a Tensor; got {value}.")
            if not isinstance(update, Tensor | ops.Operation):
                raise ValueError(f"{key} update_op must be a Tensor or Operation; got {update}.")
            if isinstance(update, ops.Operation):
                with ops.control_dependencies([update]):
                    update = constant_op.constant([], name="metric_op_wrapper")
            outputs[key + self._SEPARATOR_CHAR + self.METRIC_VALUE_SUFFIX] = value
            outputs[key + self._SEPARATOR_CHAR + self.METRIC_UPDATE_SUFFIX] = update
        return outputs

    loss = attribute("_loss", "{name: the loss}, or None.")
    predictions = attribute("_predictions", "{name: predictions}, or None.")
    metrics = attribute("_metrics", "{name: a metric's value or update}, or None.")

    @abc.abstractmethod
    def _get_signature_def_fn(self) -> Any:
        """What makes the SignatureDef."""

    def as_signature_def(self, receiver_tensors: Any) -> Any:
        """The SignatureDef for inputs {name: a tensor}."""
        make = self._get_signature_def_fn()
        return make(receiver_tensors, self.loss, self.predictions, self.metrics)


class TrainOutput(_SupervisedOutput):
    """What a model gives while it is trained."""

    def _get_signature_def_fn(self) -> Any:
        return signature_def_utils.supervised_train_signature_def


class EvalOutput(_SupervisedOutput):
    """What a model gives while it is evaluated."""

    def _get_signature_def_fn(self) -> Any:
        return signature_def_utils.supervised_eval_signature_def
