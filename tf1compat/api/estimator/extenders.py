"""Estimators made of estimators (`tensorflow_estimator.python.estimator.extenders`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.estimator import estimator as estimator_lib
from tf1compat.api.estimator import util
from tf1compat.api.estimator.mode_keys import ModeKeys
from tf1compat.core.export import tf_export

_ARGUMENTS = ("features", "labels", "predictions", "config")


@tf_export("estimator.add_metrics")
def add_metrics(estimator: Any, metric_fn: Any) -> Any:
    """An estimator with more metrics.

    Args:
      estimator: the estimator.
      metric_fn: a function of any of features, labels, predictions and config that gives
        {name: a metric}.

    Returns:
      A new estimator with the same folder and configuration.

    Raises:
      ValueError: `metric_fn` has other arguments.
    """
    names = set(util.fn_args(metric_fn))
    others = list(names.difference(_ARGUMENTS))
    if others:
        raise ValueError(f"metric_fn ({metric_fn}) has following not expected args: {others}")

    def new_model_fn(features: Any, labels: Any, mode: Any, config: Any) -> Any:
        spec = estimator.model_fn(features, labels, mode, config)
        if mode != ModeKeys.EVAL:
            return spec
        given: dict[str, Any] = dict(
            zip(_ARGUMENTS, (features, labels, spec.predictions, config), strict=True)
        )
        metrics = metric_fn(**{name: given[name] for name in names})
        return spec._replace(eval_metric_ops={**(spec.eval_metric_ops or {}), **metrics})

    return estimator_lib.Estimator(
        new_model_fn, estimator.model_dir, estimator.config,
        warm_start_from=estimator._warm_start_settings,
    )  # fmt: skip
