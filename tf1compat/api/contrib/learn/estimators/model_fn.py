"""What a model is (`tensorflow.contrib.learn.python.learn.estimators.model_fn`)."""

from __future__ import annotations

import collections
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.learn.estimators.constants import ProblemType
from tf1compat.api.contrib.learn.estimators.metric_key import MetricKey
from tf1compat.api.contrib.learn.estimators.prediction_key import PredictionKey
from tf1compat.api.estimator import model_fn as core_model_fn
from tf1compat.api.estimator.export import export_output
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.saved_model import signature_constants
from tf1compat.api.training import session_run_hook
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import convert_to_tensor_or_sparse_tensor
from tf1compat.core.tensor_shape import TensorShape


@tf_export("contrib.learn.ModeKeys")
class ModeKeys:
    """What a model is called for."""

    TRAIN = "train"
    EVAL = "eval"
    INFER = "infer"

    @classmethod
    def validate(cls, key: Any) -> None:
        """Raises ValueError if there is no such mode."""
        if key not in (cls.TRAIN, cls.EVAL, cls.INFER):
            raise ValueError(f"Invalid mode {key}.")


_FIELDS = [
    "predictions", "loss", "train_op", "eval_metric_ops", "output_alternatives",
    "training_chief_hooks", "training_hooks", "scaffold", "mode",
]  # fmt: skip


@tf_export("contrib.learn.ModelFnOps")
class ModelFnOps(collections.namedtuple("ModelFnOps", _FIELDS)):
    """What a model function returns.

    Args:
      mode: one of `ModeKeys`.
      predictions: a tensor or {name: a tensor}; needed but for training.
      loss: a scalar; needed for training and evaluation.
      train_op: needed for training.
      eval_metric_ops: {name: (a metric's value, its update)}.
      output_alternatives: {name: (a `ProblemType`, {name: a tensor})}.
      training_chief_hooks, training_hooks: lists of `SessionRunHook`s.
      scaffold: a `tf.train.Scaffold`.

    Raises:
      ValueError: something is missing or has another shape.
      TypeError: something is no hook.
    """

    @deprecated(
        None,
        "When switching to tf.estimator.Estimator, use tf.estimator.EstimatorSpec. You can use the "
        "`estimator_spec` method to create an equivalent one.",
    )
    def __new__(
        cls, mode: Any, predictions: Any = None, loss: Any = None, train_op: Any = None,
        eval_metric_ops: Any = None, output_alternatives: Any = None,
        training_chief_hooks: Any = None, training_hooks: Any = None, scaffold: Any = None,
    ):  # fmt: skip
        ModeKeys.validate(mode)
        if train_op is None:
            if mode == ModeKeys.TRAIN:
                raise ValueError("Missing train_op.")
        elif not isinstance(train_op, ops.Operation):
            train_op = ops.convert_to_tensor(train_op).op
        if loss is not None:
            loss = _scalar(loss)
        elif mode != ModeKeys.INFER:
            raise ValueError("Missing loss.")
        if predictions is None:
            if mode != ModeKeys.TRAIN:
                raise ValueError("Missing predictions.")
        elif isinstance(predictions, dict):
            predictions = {
                key: convert_to_tensor_or_sparse_tensor(value) for key, value in predictions.items()
            }
        else:
            predictions = convert_to_tensor_or_sparse_tensor(predictions)
        if not isinstance(eval_metric_ops, dict | None):
            raise ValueError("eval_metric_ops must be a dict.")
        training_chief_hooks, training_hooks = training_chief_hooks or [], training_hooks or []
        for hook in training_hooks + training_chief_hooks:
            if not isinstance(hook, session_run_hook.SessionRunHook):
                raise TypeError(
                    "All hooks returned from model_fn must be SessionRunHook instances, got "
                    f"instance of {type(hook)}: {hook}"
                )
        return super().__new__(
            cls, predictions=predictions, loss=loss, train_op=train_op,
            eval_metric_ops={} if eval_metric_ops is None else eval_metric_ops,
            output_alternatives=output_alternatives, training_chief_hooks=training_chief_hooks,
            training_hooks=training_hooks, scaffold=scaffold, mode=mode,
        )  # fmt: skip

    def estimator_spec(self, default_serving_output_alternative_key: Any = None) -> Any:
        """The same as an `EstimatorSpec`.

        Args:
          default_serving_output_alternative_key: which of several alternatives is served.

        Raises:
          ValueError: an alternative is of no known type.
        """
        outputs = dict(self.output_alternatives or {})
        default = signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY
        if len(outputs) > 1 and default not in outputs:
            outputs[default] = outputs[default_serving_output_alternative_key]
        exports = {key: _export_output(*output) for key, output in outputs.items()}
        # The losses of both kinds of estimators are metrics already.
        metrics = {k: v for k, v in self.eval_metric_ops.items() if k != MetricKey.LOSS}
        return core_model_fn.EstimatorSpec(
            mode=self.mode, predictions=self.predictions, loss=self.loss, train_op=self.train_op,
            eval_metric_ops=metrics, export_outputs=exports or None,
            training_chief_hooks=self.training_chief_hooks, training_hooks=self.training_hooks,
            scaffold=self.scaffold,
        )  # fmt: skip


def _scalar(loss: Any) -> Any:
    loss = ops.convert_to_tensor(loss)
    shape = loss.get_shape()
    if shape.num_elements() not in (None, 1):
        raise ValueError(f"Loss must be scalar: {loss}.")
    return loss if shape.is_compatible_with(TensorShape([])) else array_ops.reshape(loss, [])


def _export_output(problem_type: Any, tensors: dict[str, Any]) -> Any:
    scores = tensors.get(PredictionKey.SCORES)
    if scores is None:
        scores = tensors.get(PredictionKey.PROBABILITIES)
    if problem_type == ProblemType.LINEAR_REGRESSION:
        return export_output.RegressionOutput(scores)
    if problem_type in (ProblemType.CLASSIFICATION, ProblemType.LOGISTIC_REGRESSION):
        classes = tensors.get(PredictionKey.CLASSES)
        if classes is None or classes.dtype != dtypes.string:
            problem = "None" if classes is None else "not string"
            logging.warning("classes is %s, Servo inference will not have class ids.", problem)
            classes = None
        return export_output.ClassificationOutput(scores=scores, classes=classes)
    if problem_type == ProblemType.UNSPECIFIED:
        return export_output.PredictOutput(tensors)
    raise ValueError(f"Unknown problem_type={problem_type}")
