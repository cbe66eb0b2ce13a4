"""Metrics of named tensors (`tensorflow.contrib.learn.python.learn.metric_spec`)."""

from __future__ import annotations

import inspect
from typing import Any

from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export

# What metric functions call their arguments; TF's own name first.
_NAMES = {
    "labels": ("labels", "label", "targets", "target"),
    "predictions": ("predictions", "prediction", "logits", "logit"),
    "weights": ("weights", "weight"),
}


def _name_of(fn: Any) -> str:
    while not hasattr(fn, "__name__") and hasattr(fn, "func"):
        fn = fn.func
    return getattr(fn, "__name__", str(fn))


def _arguments(fn: Any) -> list[str]:
    # Those of a function that a decorator hides, as TF's metrics are.
    return list(inspect.signature(fn).parameters)


def _argument(fn: Any, meaning: str, is_required: bool = False) -> str | None:
    """What a function calls its labels, predictions or weights; None if it has none."""
    names = _arguments(fn)
    candidates = set(_NAMES[meaning])
    found = candidates.intersection(names)
    if len(found) > 1:
        raise ValueError(f"Ambiguous arguments {found}, must provide only one of {candidates}.")
    if not found:
        if is_required:
            raise ValueError(f"{candidates} missing from {_name_of(fn)}({tuple(names)}).")
        return None
    (name,) = found
    if name != meaning:
        logging.warning(
            "Canonical arg %s missing from %s(%s), using %s.",
            meaning,
            _name_of(fn),
            tuple(names),
            name,
        )
    return name


def _adapted(metric_fn: Any, needs_labels: bool, needs_weights: bool) -> Any:
    """A metric function with the arguments `labels`, `predictions` and `weights`."""
    of_labels = _argument(metric_fn, "labels", needs_labels)
    of_predictions = _argument(metric_fn, "predictions")
    of_weights = _argument(metric_fn, "weights", needs_weights)
    is_first = of_labels is not None and of_labels == _arguments(metric_fn)[0]

    def metric(
        _sentinel: Any = None, labels: Any = None, predictions: Any = None, weights: Any = None
    ) -> Any:
        if _sentinel is not None:
            raise ValueError(
                "`metric_fn` requires named args: `labels`, `predictions`, and optionally "
                "`weights`."
            )
        given: dict[Any, Any] = {} if weights is None else {of_weights: weights}
        if of_predictions:
            given[of_predictions] = predictions
            if of_labels:
                given[of_labels] = labels
            return metric_fn(**given)
        if is_first:
            return metric_fn(labels, predictions, **given)
        if of_labels:
            given[of_labels] = labels
        return metric_fn(predictions, **given)

    return metric


@tf_export("contrib.learn.MetricSpec")
class MetricSpec:
    """A metric function with the keys of what it is given.

    Args:
      metric_fn: a function of labels, predictions and perhaps weights.
      prediction_key, label_key: which of several predictions or labels.
      weight_key: the feature that holds the examples' weights.

    Raises:
      ValueError: the function's arguments are not understood.
    """

    @deprecated(None, "Use tf.estimator.EstimatorSpec.eval_metric_ops.")
    def __init__(
        self, metric_fn: Any, prediction_key: Any = None, label_key: Any = None,
        weight_key: Any = None,
    ):  # fmt: skip
        self._metric_fn_name = _name_of(metric_fn)
        self._metric_fn = _adapted(metric_fn, label_key is not None, weight_key is not None)
        self._prediction_key = prediction_key
        self._label_key = label_key
        self._weight_key = weight_key

    prediction_key = attribute("_prediction_key", "Which of several predictions, or None.")
    label_key = attribute("_label_key", "Which of several labels, or None.")
    weight_key = attribute("_weight_key", "The feature that holds the weights, or None.")
    metric_fn = attribute("_metric_fn", "The function, of `labels`, `predictions` and `weights`.")

    def __str__(self) -> str:
        return (
            f"MetricSpec(metric_fn={self._metric_fn_name}, prediction_key={self.prediction_key}, "
            f"label_key={self.label_key}, weight_key={self.weight_key})"
        )

    def create_metric_ops(self, inputs: Any, labels: Any, predictions: Any) -> Any:
        """Records the metric.

        Args:
          inputs: the features.
          labels, predictions: a tensor, or a dict of them.

        Raises:
          ValueError: there is a key but no dict, or a dict of several but no key.
          KeyError: there is nothing of that key.
        """
        prediction = _taken("prediction", predictions, self.prediction_key)
        label = _taken("label", labels, self.label_key)
        weights = inputs[self.weight_key] if self.weight_key else None
        try:
            return self.metric_fn(labels=label, predictions=prediction, weights=weights)
        except Exception as error:
            logging.error("Could not create metric ops for %s, %s.", self, error)
            raise


def _taken(name: str, tensors: Any, key: Any) -> Any:
    if not key:
        if not isinstance(tensors, dict):
            return tensors
        if len(tensors) != 1:
            raise ValueError(
                f"MetricSpec without specified {name}_key requires {name}s tensor or single "
                f"element dict, got {tensors}"
            )
        return next(iter(tensors.values()))
    if not isinstance(tensors, dict):
        raise ValueError(
            f"MetricSpec with {name}_key specified requires {name}s dict, got {tensors}.\n"
            f"You must not provide a {name}_key if you only have a single Tensor as {name}s."
        )
    if key not in tensors:
        raise KeyError(f"Key '{key}' missing from {tensors.keys()}.")
    return tensors[key]
