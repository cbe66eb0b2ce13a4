"""`tensorflow.contrib.compiler.xla`: model functions that XLA compiles as a whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.estimator import model_fn as model_fn_lib
from tf1compat.api.estimator.mode_keys import ModeKeys
from tf1compat.api.estimator.util import fn_args
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.xla import xla
from tf1compat.core import ops, tf_decorator
from tf1compat.core.export import tf_export

compile = xla.compile
check_function_argument_count = xla.check_function_argument_count
_METRICS = "(first element of TPUEstimatorSpec.eval_metrics)"
_TENSORS = "(second element of TPUEstimatorSpec.eval_metrics)"


class _ModelFnWrapper:
    """A model function whose step of training, or of evaluation, is one computation of XLA's.

    Args:
      function: takes `features`, and `labels`, `mode` and `params` where it has them.
    """

    def __init__(self, function: Callable[..., Any]):
        self._model_fn = function

    def __call__(self, features: Any, labels: Any, mode: str, params: Any) -> Any:
        if params.get("use_tpu"):
            return self._spec(features, labels, mode, params)
        if mode not in (ModeKeys.TRAIN, ModeKeys.EVAL):
            raise NotImplementedError(
                f"{mode} is not implemented, only TRAIN and EVAL are supported"
            )
        made: list[Any] = []

        def step() -> Any:
            spec = self._spec(features, labels, mode, params)
            made.append(spec)
            if mode == ModeKeys.EVAL:
                return (spec.loss, *_evaluated(spec)[1])
            with ops.control_dependencies([spec.train_op]):
                return array_ops.identity(spec.loss)

        loss, *values = compile(step)
        (spec,) = made
        results: dict[str, Any] = {}
        if mode == ModeKeys.TRAIN:
            results["train_op"] = array_ops.identity(loss)
        elif _evaluated(spec)[0]:
            results["eval_metric_ops"] = _evaluated(spec)[0](*values)
        return model_fn_lib.EstimatorSpec(mode, loss=loss, scaffold=_scaffold(spec), **results)

    def _spec(self, features: Any, labels: Any, mode: str, params: Any) -> Any:
        """What the model function gives, if it can be compiled."""
        taken = fn_args(self._model_fn)
        if "labels" not in taken and labels is not None:
            raise ValueError("model_fn does not take labels, but input_fn returns labels.")
        given = {"labels": labels, "mode": mode, "params": params}
        spec = self._model_fn(
            features=features, **{key: value for key, value in given.items() if key in taken}
        )
        if getattr(spec, "scaffold", None):
            logging.warning(
                "EstimatorSpec.scaffold is ignored with XLA compilation. Please use "
                "TPUEstimatorSpec.scaffold_fn instead."
            )
        if getattr(spec, "eval_metric_ops", None):
            raise ValueError(
                "EstimatorSpec.eval_metric_ops is not supported with XLA compilation. Please use "
                "TPUEstimatorSpec.eval_metrics instead."
            )
        metrics = getattr(spec, "eval_metrics", None)
        if spec.mode == ModeKeys.EVAL and metrics and isinstance(metrics[1], dict):
            wanted, given = fn_args(metrics[0]), metrics[1]
            missing = [name for name in wanted if name not in given]
            if missing:
                raise ValueError(
                    f"Arguments {missing} are needed by metric_fn {_METRICS} but they are not "
                    f"provided by evaluation tensors {_TENSORS}."
                )
            more = [name for name in given if name not in wanted]
            if more:
                raise ValueError(
                    f"Arguments {more} are provided by evaluation tensors {_TENSORS} but they are "
                    f"not needed by metric_fn {_METRICS}."
                )
        return spec


def _evaluated(spec: Any) -> tuple[Any, list[Any]]:
    """The function of the metrics, and its arguments."""
    function, tensors = getattr(spec, "eval_metrics", None) or (None, [])
    if isinstance(tensors, dict):
        tensors = [tensors[name] for name in fn_args(function)]
    return function, list(tensors)


def _scaffold(spec: Any) -> Any:
    make = getattr(spec, "scaffold_fn", None)
    if not make:
        return None
    scaffold = make()
    if scaffold is None:
        raise ValueError("TPUEstimatorSpec.scaffold_fn returns None, which is not allowed")
    return scaffold


@tf_export("contrib.compiler.xla.estimator_model_fn")
def estimator_model_fn(target_model_fn: Callable[..., Any] | None = None) -> Any:
    """Has XLA compile the steps of a model function; resource variables are to be enabled.

    Args:
      target_model_fn: it; None where this is a decorator with brackets.

    Returns:
      A model function, or a decorator of one.
    """

    def decorated(function: Callable[..., Any]) -> Any:
        return tf_decorator.make_decorator(function, _ModelFnWrapper(function))

    return decorated(target_model_fn) if target_model_fn else decorated
