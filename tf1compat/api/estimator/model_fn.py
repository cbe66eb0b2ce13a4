"""What a model is (`tensorflow_estimator.python.estimator.model_fn`)."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.estimator import util
from tf1compat.api.estimator.mode_keys import ModeKeys
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.saved_model.model_utils import export_utils
from tf1compat.api.training import scaffold as scaffold_lib
from tf1compat.api.training import session_run_hook
from tf1compat.api.variables import variables
from tf1compat.core import context, nest, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape

__all__ = ["EstimatorSpec", "ModeKeys", "call_logit_fn", "verify_model_fn_args"]

LOSS_METRIC_KEY = "loss"
AVERAGE_LOSS_METRIC_KEY = "average_loss"

_FIELDS = [
    "mode", "predictions", "loss", "train_op", "eval_metric_ops", "export_outputs",
    "training_chief_hooks", "training_hooks", "scaffold", "evaluation_hooks", "prediction_hooks",
]  # fmt: skip


@tf_export("estimator.EstimatorSpec")
class EstimatorSpec(collections.namedtuple("EstimatorSpec", _FIELDS)):
    """What a model function returns.

    Args:
      mode: one of `ModeKeys`.
      predictions: a tensor or {name: a tensor}; needed for prediction.
      loss: a scalar; needed for training and evaluation.
      train_op: needed for training.
      eval_metric_ops: {name: (a metric's value, its update)}.
      export_outputs: {name: an `ExportOutput`}; the predictions by default.
      training_chief_hooks, training_hooks, evaluation_hooks, prediction_hooks: `SessionRunHook`s.
      scaffold: a `tf.train.Scaffold`.

    Raises:
      ValueError: something is missing, or of another graph.
      TypeError: something has another type.
    """

    def __new__(
        cls, mode: Any, predictions: Any = None, loss: Any = None, train_op: Any = None,
        eval_metric_ops: Any = None, export_outputs: Any = None,
        training_chief_hooks: Any = None, training_hooks: Any = None, scaffold: Any = None,
        evaluation_hooks: Any = None, prediction_hooks: Any = None,
    ):  # fmt: skip
        train_op = _validate_estimator_spec_train_op(train_op, mode)
        loss = _validate_estimator_spec_loss(loss, mode)
        predictions = _validate_estimator_spec_predictions(predictions, mode)
        if mode == ModeKeys.PREDICT:
            export_outputs = export_utils.get_export_outputs(export_outputs, predictions)
        training_hooks = _validate_estimator_spec_hooks(training_hooks)
        evaluation_hooks = _validate_estimator_spec_hooks(evaluation_hooks)
        prediction_hooks = _validate_estimator_spec_hooks(prediction_hooks)
        training_chief_hooks = _validate_estimator_spec_hooks(training_chief_hooks)
        return super().__new__(
            cls, mode=mode, predictions=predictions, loss=loss, train_op=train_op,
            eval_metric_ops=_validate_eval_metric_ops(eval_metric_ops),
            export_outputs=export_outputs, training_chief_hooks=training_chief_hooks,
            training_hooks=training_hooks, scaffold=_validate_scaffold(scaffold),
            evaluation_hooks=evaluation_hooks, prediction_hooks=prediction_hooks,
        )  # fmt: skip

    def _replace(self, **kwds: Any) -> EstimatorSpec:
        if kwds.get("mode", self.mode) != self.mode:
            raise ValueError("mode of EstimatorSpec cannot be changed.")
        return EstimatorSpec(*map(kwds.pop, self._fields, list(self)))


_TPU_FIELDS = [
    "mode", "predictions", "loss", "train_op", "eval_metrics", "export_outputs", "scaffold_fn",
    "host_call", "training_hooks", "evaluation_hooks", "prediction_hooks",
]  # fmt: skip


class _TPUEstimatorSpec(collections.namedtuple("TPUEstimatorSpec", _TPU_FIELDS)):
    """An `EstimatorSpec` whose metrics are still to be recorded.

    Args:
      eval_metrics: (a function of tensors that gives metrics, {its argument: a tensor}).
      scaffold_fn, host_call: what TPUs need; ignored here.
      For the others see `EstimatorSpec`.
    """

    def __new__(
        cls, mode: Any, predictions: Any = None, loss: Any = None, train_op: Any = None,
        eval_metrics: Any = None, export_outputs: Any = None, scaffold_fn: Any = None,
        host_call: Any = None, training_hooks: Any = None, evaluation_hooks: Any = None,
        prediction_hooks: Any = None,
    ):  # fmt: skip
        train_op = _validate_estimator_spec_train_op(train_op, mode)
        loss = _validate_estimator_spec_loss(loss, mode)
        predictions = _validate_estimator_spec_predictions(predictions, mode)
        if mode == ModeKeys.PREDICT:
            export_outputs = export_utils.get_export_outputs(export_outputs, predictions)
        return super().__new__(
            cls, mode, predictions, loss, train_op, eval_metrics, export_outputs, scaffold_fn,
            host_call, *map(_validate_estimator_spec_hooks,
                            (training_hooks, evaluation_hooks, prediction_hooks)),
        )  # fmt: skip

    def as_estimator_spec(self) -> EstimatorSpec:
        """The `EstimatorSpec`, its metrics recorded."""
        metrics = None
        if self.eval_metrics:
            metric_fn, tensors = self.eval_metrics
            metrics = metric_fn(**tensors)
        shared = set(self._fields) & set(EstimatorSpec._fields)
        return EstimatorSpec(
            eval_metric_ops=metrics, **{field: getattr(self, field) for field in shared}
        )


def _check_graph(value: Any, kind: str, name: Callable[[], str]) -> None:
    if context.executing_eagerly() or value.graph is ops.get_default_graph():
        return
    raise ValueError(
        f'{kind} with "{name()}" must be from the default graph. Possible causes of this error '
        f"include: \n\n1) {kind} was created outside the context of the default graph.\n\n2) The "
        "object passed through to EstimatorSpec was not created in the most recent call to "
        '"model_fn".'
    )


def _validate_estimator_spec_train_op(train_op: Any, mode: str) -> Any:
    if train_op is None:
        if mode == ModeKeys.TRAIN:
            raise ValueError("Missing train_op.")
        return None
    _check_is_tensor_or_operation(train_op, "train_op")
    if isinstance(train_op, variables.Variable):
        train_op = train_op.op
    _check_graph(train_op, "train_op", lambda: train_op.name)
    return train_op


def _validate_estimator_spec_loss(loss: Any, mode: str) -> Any:
    if loss is None:
        if mode in (ModeKeys.TRAIN, ModeKeys.EVAL):
            raise ValueError("Missing loss.")
        return None
    loss = _check_is_tensor(loss, "loss")
    shape = loss.get_shape()
    if shape.num_elements() not in (None, 1):
        raise ValueError(f"Loss must be scalar, given: {loss}")
    if not shape.is_compatible_with(TensorShape([])):
        loss = array_ops.reshape(loss, [])
    _check_graph(loss, "loss", lambda: loss.name)
    return loss


def _validate_estimator_spec_predictions(predictions: Any, mode: str) -> Any:
    if predictions is None:
        if mode == ModeKeys.PREDICT:
            raise ValueError("Missing predictions.")
        return {}
    kind = "prediction values"
    if not isinstance(predictions, dict):
        predictions = _check_is_tensor(predictions, "predictions")
        _check_graph(predictions, kind, lambda: predictions.name)
        return predictions
    checked = {
        key: _check_is_tensor(value, f"predictions[{key}]") for key, value in predictions.items()
    }
    for key, value in checked.items():
        _check_graph(value, kind, lambda key=key, value=value: f"{key}: {value.name}")
    return checked


def _validate_estimator_spec_hooks(hooks: Any) -> tuple[Any, ...]:
    hooks = tuple(hooks or [])
    for hook in hooks:
        if not isinstance(hook, session_run_hook.SessionRunHook):
            raise TypeError(f"All hooks must be SessionRunHook instances, given: {hook}")
    return hooks


def _validate_eval_metric_ops(eval_metric_ops: Any) -> dict[str, Any]:
    if eval_metric_ops is None:
        return {}
    if not isinstance(eval_metric_ops, dict):
        raise TypeError(f"eval_metric_ops must be a dict, given: {eval_metric_ops}")
    for key, value in eval_metric_ops.items():
        if _is_keras_metric(value):
            if not value.updates:
                raise ValueError(f'Please call update_state(...) on the "{value.name}" metric')
        elif not isinstance(value, tuple) or len(value) != 2:
            raise TypeError(
                "Values of eval_metric_ops must be (metric_value, update_op) tuples, given: "
                f"{value} for key: {key}"
            )
    for key, value in eval_metric_ops.items():
        is_metric = _is_keras_metric(value)
        for part in [*value.updates, value.result()] if is_metric else nest.flatten(value):
            _check_graph(part, "eval_metric_ops", lambda key=key, part=part: f"{key}: {part.name}")
    made: dict[Any, None] = {}  # In TF it is a set: they come in no order.
    for key, value in eval_metric_ops.items():
        if _is_keras_metric(value):
            made.update(dict.fromkeys(value.variables))
            eval_metric_ops[key] = (value.result(), value.updates[0])
    for name in (ops.GraphKeys.LOCAL_VARIABLES, ops.GraphKeys.METRIC_VARIABLES):
        known = set(ops.get_collection(name))
        for variable in made:
            if variable not in known:
                ops.add_to_collection(name, variable)
    return eval_metric_ops


def _is_keras_metric(value: Any) -> bool:
    return hasattr(value, "update_state") and hasattr(value, "result")


def _validate_scaffold(scaffold: Any) -> Any:
    scaffold = scaffold or scaffold_lib.Scaffold()
    if not isinstance(scaffold, scaffold_lib.Scaffold):
        raise TypeError(f"scaffold must be tf.train.Scaffold. Given: {scaffold}")
    return scaffold


def _check_is_tensor_or_operation(x: Any, name: str) -> None:
    if not (isinstance(x, ops.Operation) or ops.is_dense_tensor_like(x)):
        raise TypeError(f"{name} must be Operation or Tensor, given: {x}")


def _check_is_tensor(x: Any, tensor_name: str) -> Any:
    if not ops.is_dense_tensor_like(x):
        raise TypeError(f"{tensor_name} must be Tensor, given: {x}")
    return x


@tf_export("estimator.experimental.call_logit_fn")
def call_logit_fn(logit_fn: Any, features: Any, mode: Any, params: Any, config: Any) -> Any:
    """Calls a function of features with those of the other arguments that it takes.

    Args:
      logit_fn: the function; `features` is its first argument.
      features: {name: a tensor}.
      mode: a `ModeKeys`.
      params: the hyperparameters, a dict.
      config: a `RunConfig`.

    Returns:
      Its logits: a tensor, or {name: a tensor}.

    Raises:
      ValueError: it gives something else.
    """
    given = {"mode": mode, "params": params, "config": config}
    names = util.fn_args(logit_fn)
    results = logit_fn(
        features=features, **{key: value for key, value in given.items() if key in names}
    )
    is_dict = isinstance(results, dict) and all(
        isinstance(key, str) and isinstance(value, Tensor) for key, value in results.items()
    )
    if not (is_dict or isinstance(results, Tensor)):
        raise ValueError(
            "logit_fn should return a Tensor or a dictionary mapping strings to Tensors.  logit_fn "
            f"returned: {results}"
        )
    return results


_VALID_MODEL_FN_ARGS = {"features", "labels", "mode", "params", "self", "config"}


def verify_model_fn_args(model_fn: Any, params: Any) -> None:
    """Raises ValueError if a model function has other arguments than it may have."""
    names = set(util.fn_args(model_fn))
    if "features" not in names:
        raise ValueError(f"model_fn ({model_fn}) must include features argument.")
    if params is not None and "params" not in names:
        raise ValueError(
            f"model_fn ({model_fn}) does not include params argument, but params ({params}) is "
            "passed to Estimator."
        )
    if params is None and "params" in names:
        logging.warning(
            "Estimator's model_fn (%s) includes params argument, but params are not passed to "
            "Estimator.",
            model_fn,
        )
    others = list(names - _VALID_MODEL_FN_ARGS)
    if others:
        raise ValueError(f"model_fn ({model_fn}) has following not expected args: {others}")
