"""Heads: what a model of tf.contrib.learn predicts, its loss and its metrics
(`tensorflow.contrib.learn.python.learn.estimators.head`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.layers import dense
from tf1compat.api.contrib.learn.estimators import head_losses, head_metrics
from tf1compat.api.contrib.learn.estimators.constants import ProblemType
from tf1compat.api.contrib.learn.estimators.metric_key import MetricKey
from tf1compat.api.contrib.learn.estimators.model_fn import ModeKeys, ModelFnOps
from tf1compat.api.contrib.learn.estimators.prediction_key import PredictionKey
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.lookup import lookup_ops
from tf1compat.api.math import math_ops
from tf1compat.api.metrics import metrics_impl
from tf1compat.api.nn import nn_ops, nn_softmax
from tf1compat.api.sparse import sparse_ops
from tf1compat.api.summary import summary
from tf1compat.api.text import string_ops
from tf1compat.api.training import adagrad
from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.variables import variable_scope
from tf1compat.core import dtypes, export, ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor, convert_to_tensor_or_sparse_tensor

_head = export.internal_class("tensorflow.contrib.learn.python.learn.estimators.head")

_instead = deprecated(None, "Please switch to tf.contrib.estimator.*_head.")


@tf_export("contrib.learn.Head")
class Head:
    """What all heads have."""

    @property
    def logits_dimension(self) -> int:
        """How many logits an example has."""
        raise NotImplementedError("Calling an abstract method.")

    def create_model_fn_ops(
        self, features: Any, mode: Any, labels: Any = None, train_op_fn: Any = None,
        logits: Any = None, logits_input: Any = None, scope: Any = None,
    ) -> ModelFnOps:  # fmt: skip
        """What a model function returns.

        Args:
          features: {name: a tensor}.
          mode: one of `ModeKeys`.
          labels: a tensor or {name: a tensor}.
          train_op_fn: loss -> the training operation.
          logits: a tensor; or else
          logits_input: what a linear layer makes logits of.
          scope: the variable scope.
        """
        raise NotImplementedError("Calling an abstract method.")


def _check_mode(mode: Any) -> None:
    if mode not in (ModeKeys.TRAIN, ModeKeys.INFER, ModeKeys.EVAL):
        raise ValueError(f"mode={mode} unrecognized.")


def _check_dimension(dimension: Any) -> None:
    if dimension is None or dimension < 1:
        raise ValueError(f"Invalid logits_dimension {dimension}.")


def _key(head_name: Any, key: str) -> str:
    return f"{key}/{head_name}" if head_name else key


def _summarize_loss(head_name: Any, loss: Any) -> None:
    with ops.name_scope(""):
        summary.scalar(_key(head_name, MetricKey.LOSS), array_ops.identity(loss))


def _trained(loss: Any, values: Any, train_op_fn: Any, beside: Any = None) -> Any:
    with ops.name_scope(None, "train_op", values):
        train_op = train_op_fn(loss)
        return train_op if beside is None else control_flow_ops.group(train_op, beside)


def _need_train_op(train_op_fn: Any, end: str = "") -> None:
    if train_op_fn is None:
        raise ValueError(f"train_op_fn can not be None in TRAIN mode{end}")


@_head
class _SingleHead(Head):
    """A head with one output.

    Args:
      problem_type: a `ProblemType`.
      logits_dimension: how many logits an example has.
      loss_fn: one of `head_losses`.
      label_name: of the labels, if they are a dict.
      weight_column_name: the feature that has the weights of examples.
      enable_centered_bias: whether a bias of its own is learned.
      head_name: tells it from other heads.
      thresholds: where metrics are taken.
      metric_class_ids: the classes that have metrics of their own.
    """

    _scope = ""

    def __init__(
        self, problem_type: Any, logits_dimension: Any, loss_fn: Callable[..., Any],
        label_name: str | None = None,
        weight_column_name: Any = None, enable_centered_bias: bool = False,
        head_name: str | None = None,
        thresholds: Any = None, metric_class_ids: Any = None,
    ):  # fmt: skip
        _check_dimension(logits_dimension)
        self._problem_type = problem_type
        self._logits_dimension = logits_dimension
        self._loss_fn = loss_fn
        self._label_name = label_name
        self._weight_column_name = weight_column_name
        self._enable_centered_bias = enable_centered_bias
        self._head_name = head_name
        self._thresholds = thresholds or (0.5,)
        self._metric_class_ids = tuple(metric_class_ids or ())
        for class_id in self._metric_class_ids:
            if not 0 <= class_id < logits_dimension:
                raise ValueError(f"Class ID {class_id} not in [0, {logits_dimension}).")

    logits_dimension: int = attribute("_logits_dimension")
    label_name = attribute("_label_name", "The name of the labels.")
    weight_column_name = attribute(
        "_weight_column_name", "The feature that has the weights of examples."
    )
    head_name = attribute("_head_name", "Tells it from other heads.")

    def create_model_fn_ops(
        self, features: Any, mode: Any, labels: Any = None, train_op_fn: Any = None,
        logits: Any = None, logits_input: Any = None, scope: Any = None,
    ) -> ModelFnOps:  # fmt: skip
        values = (*features.values(), labels, logits, logits_input)
        default = self._head_name or self._scope
        with variable_scope.variable_scope(scope, default_name=default, values=values):
            is_known = mode != ModeKeys.INFER and labels is not None
            labels = self._labels(labels) if is_known else None
            logits = self._checked_logits(logits_input, logits)
            return self._model(features, mode, labels, train_op_fn, logits)

    def _checked_logits(self, logits_input: Any, logits: Any) -> Any:
        if logits is None:
            if logits_input is None:
                raise ValueError("Neither logits nor logits_input supplied.")
            return dense.linear(logits_input, self._logits_dimension, scope="logits")
        if logits_input is not None:
            raise ValueError("Both logits and logits_input supplied.")
        logits = ops.convert_to_tensor(logits, name="logits")
        if logits.get_shape().dims is not None:
            logits.get_shape().dims[-1].assert_is_compatible_with(self._logits_dimension)
        return logits

    def _model(
        self, features: Any, mode: Any, labels: Any, train_op_fn: Any, logits: Any
    ) -> ModelFnOps:
        _check_mode(mode)
        bias = None
        if self._enable_centered_bias:
            bias = self._centered_bias()
            logits = nn_ops.bias_add(logits, bias)
        with ops.name_scope(None, "predictions", (logits,)):
            predictions = self._predictions(logits)
        loss = train_op = metrics = None
        if labels is not None:
            weights = head_losses.weight_tensor(features, self._weight_column_name)
            loss, average = self._loss(labels, logits, weights)
            _summarize_loss(self._head_name, average)
            if mode == ModeKeys.TRAIN:
                _need_train_op(train_op_fn)
                size = array_ops.shape(logits)[0]
                step = None if bias is None else self._bias_step(bias, size, labels, weights)
                train_op = _trained(loss, (loss, labels), train_op_fn, step)
            metrics = self._metrics(average, predictions, labels, weights)
        return ModelFnOps(
            mode=mode, predictions=predictions, loss=loss, train_op=train_op,
            eval_metric_ops=metrics, output_alternatives=self._alternatives(predictions),
        )  # fmt: skip

    def _centered_bias(self) -> Any:
        size = self._logits_dimension
        zeros = array_ops.zeros(shape=(size,))
        bias = variable_scope.variable(
            name="centered_bias_weight", initial_value=zeros, trainable=True
        )
        for i in range(size):
            summary.scalar(_key(self._head_name, f"centered_bias/bias_{i}"), bias[i])
        return bias

    def _bias_step(self, bias: Any, batch_size: Any, labels: Any, weights: Any) -> Any:
        with ops.name_scope(None, "centered_bias_step", (labels,)) as name:
            size = array_ops.shape(bias)[0]
            logits = array_ops.reshape(array_ops.tile(bias, (batch_size,)), (batch_size, size))
            with ops.name_scope(None, "centered_bias", (labels, logits)):
                both = self._loss(labels, logits, weights)
                loss = math_ops.reduce_mean(both, name="training_loss")
        return adagrad.AdagradOptimizer(0.1).minimize(loss, var_list=(bias,), name=name)

    # What heads differ in.

    def _labels(self, labels: Any) -> Any:
        labels = labels[self._label_name] if isinstance(labels, dict) else labels
        labels = convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, SparseTensor):
            raise ValueError("SparseTensor is not supported.")
        return labels

    def _loss(self, labels: Any, logits: Any, weights: Any) -> tuple[Any, Any]:
        return self._loss_fn(labels, logits, weights)

    def _predictions(self, logits: Any) -> dict[str, Any]:
        raise NotImplementedError

    def _metrics(self, loss: Any, predictions: Any, labels: Any, weights: Any) -> dict[str, Any]:
        with ops.name_scope("metrics", values=[loss]):
            found: dict[str, Any] = {}
            self._add_metrics(
                lambda key, metric: found.update({_key(self._head_name, key): metric}),
                loss, predictions, labels, weights,
            )  # fmt: skip
            return found

    def _add_metrics(
        self, add: Callable[[str, Any], None], loss: Any, predictions: Any, labels: Any,
        weights: Any,
    ) -> None:  # fmt: skip
        add(MetricKey.LOSS, metrics_impl.mean(loss))

    def _alternatives(self, predictions: Any) -> dict[Any, Any]:
        return {self._head_name: (self._problem_type, predictions)}


@_head
class _RegressionHead(_SingleHead):
    _scope = "regression_head"

    def __init__(self, link_fn: Any, **kwargs: Any):
        super().__init__(ProblemType.LINEAR_REGRESSION, **kwargs)
        self._link_fn = link_fn

    def _predictions(self, logits: Any) -> dict[str, Any]:
        key = PredictionKey.SCORES
        if self._logits_dimension == 1:
            logits = array_ops.squeeze(logits, axis=(1,), name=key)
        return {key: self._link_fn(logits)}


def _two_class_logits(logits: Any) -> Any:
    return array_ops.concat((array_ops.zeros_like(logits), logits), 1)


@_head
class _ClassifierHead(_SingleHead):
    """A head whose predictions are served as classes with their probabilities."""

    _label_keys: Any = None

    def _alternatives(self, predictions: Any) -> dict[Any, Any]:
        probabilities = predictions[PredictionKey.PROBABILITIES]
        with ops.name_scope(None, "_classification_output_alternatives", (probabilities,)):
            batch_size = array_ops.shape(probabilities)[0]
            if self._label_keys:
                row = array_ops.expand_dims(self._label_keys, axis=0)
                classes = array_ops.tile(row, [batch_size, 1], name="classes_tensor")
            else:
                count = array_ops.shape(probabilities)[1]
                row = array_ops.expand_dims(math_ops.range(count), axis=0)
                classes = array_ops.tile(row, [batch_size, 1])
                classes = string_ops.as_string(classes, name="classes_tensor")
        served = {PredictionKey.PROBABILITIES: probabilities, PredictionKey.CLASSES: classes}
        return {self._head_name: (self._problem_type, served)}


@_head
class _BinaryLogisticHead(_ClassifierHead):
    _scope = "binary_logistic_head"

    def __init__(self, **kwargs: Any):
        super().__init__(ProblemType.LOGISTIC_REGRESSION, 1, **kwargs)

    def _predictions(self, logits: Any) -> dict[str, Any]:
        both = _two_class_logits(logits)
        keys = PredictionKey
        return {
            keys.LOGITS: logits,
            keys.LOGISTIC: math_ops.sigmoid(logits, name=keys.LOGISTIC),
            keys.PROBABILITIES: nn_softmax.softmax(both, name=keys.PROBABILITIES),
            keys.CLASSES: math_ops.argmax(both, 1, name=keys.CLASSES),
        }

    def _add_metrics(
        self, add: Any, loss: Any, predictions: Any, labels: Any, weights: Any
    ) -> None:
        super()._add_metrics(add, loss, predictions, labels, weights)
        classes = predictions[PredictionKey.CLASSES]
        scores = predictions[PredictionKey.LOGISTIC]
        add(MetricKey.ACCURACY, metrics_impl.accuracy(labels, classes, weights))
        add(MetricKey.PREDICTION_MEAN, head_metrics.mean(scores, weights))
        add(MetricKey.LABEL_MEAN, head_metrics.mean(labels, weights))
        add(MetricKey.ACCURACY_BASELINE, head_metrics.mean(labels, weights))
        add(MetricKey.AUC, head_metrics.auc(scores, labels, weights))
        add(MetricKey.AUC_PR, head_metrics.auc(scores, labels, weights, curve="PR"))
        at_threshold = {
            MetricKey.ACCURACY_MEAN: head_metrics.accuracy_at,
            MetricKey.PRECISION_MEAN: head_metrics.precision_at,
            MetricKey.RECALL_MEAN: head_metrics.recall_at,
        }
        for threshold in self._thresholds:
            for key, metric in at_threshold.items():
                add(key % threshold, metric(scores, labels, weights, threshold))


@_head
class _MultiClassHead(_ClassifierHead):
    _scope = "multi_class_head"

    def __init__(self, n_classes: int, label_keys: Any = None, **kwargs: Any):
        super().__init__(ProblemType.CLASSIFICATION, n_classes, **kwargs)
        if label_keys and len(label_keys) != n_classes:
            raise ValueError("Length of label_keys must equal n_classes.")
        self._label_keys = label_keys

    def _labels(self, labels: Any) -> Any:
        labels = ids = super()._labels(labels)
        if self._label_keys:
            table = lookup_ops.index_table_from_tensor(self._label_keys, name="label_id_lookup")
            ids = table.lookup(labels)
        return {"labels": labels, "label_ids": ids}

    def _loss(self, labels: Any, logits: Any, weights: Any) -> tuple[Any, Any]:
        return self._loss_fn(labels["label_ids"], logits, weights=weights)

    def _predictions(self, logits: Any) -> dict[str, Any]:
        classes = math_ops.argmax(logits, 1, name=PredictionKey.CLASSES)
        if self._label_keys:
            table = lookup_ops.index_to_string_table_from_tensor(
                self._label_keys, name="class_string_lookup"
            )
            classes = table.lookup(classes)
        name = PredictionKey.PROBABILITIES
        return {
            PredictionKey.LOGITS: logits,
            name: nn_softmax.softmax(logits, name=name),
            PredictionKey.CLASSES: classes,
        }

    def _add_metrics(
        self, add: Any, loss: Any, predictions: Any, labels: Any, weights: Any
    ) -> None:
        super()._add_metrics(add, loss, predictions, labels, weights)
        classes = predictions[PredictionKey.CLASSES]
        add(MetricKey.ACCURACY, metrics_impl.accuracy(labels["labels"], classes, weights))
        if self._label_keys:
            return
        for i in self._metric_class_ids:
            found = predictions[PredictionKey.PROBABILITIES], predictions[PredictionKey.LOGITS]
            add(MetricKey.CLASS_PREDICTION_MEAN % i, head_metrics.share(classes, weights, i))
            ids = labels["label_ids"]
            add(MetricKey.CLASS_LABEL_MEAN % i, head_metrics.share(ids, weights, i))
            add(MetricKey.CLASS_PROBABILITY_MEAN % i, head_metrics.mean(found[0], weights, i))
            add(MetricKey.CLASS_LOGITS_MEAN % i, head_metrics.mean(found[1], weights, i))


@_head
class _BinarySvmHead(_SingleHead):
    _scope = "binary_svm_head"

    def __init__(self, **kwargs: Any):
        super().__init__(ProblemType.LOGISTIC_REGRESSION, 1, head_losses.hinge, **kwargs)

    def _predictions(self, logits: Any) -> dict[str, Any]:
        name = PredictionKey.CLASSES
        classes = math_ops.argmax(_two_class_logits(logits), 1, name=name)
        return {PredictionKey.LOGITS: logits, name: classes}

    def _add_metrics(
        self, add: Any, loss: Any, predictions: Any, labels: Any, weights: Any
    ) -> None:
        super()._add_metrics(add, loss, predictions, labels, weights)
        classes = predictions[PredictionKey.CLASSES]
        add(MetricKey.ACCURACY, metrics_impl.accuracy(labels, classes, weights))


@_head
class _MultiLabelHead(_ClassifierHead):
    _scope = "multi_label_head"

    def __init__(self, n_classes: int, **kwargs: Any):
        super().__init__(ProblemType.CLASSIFICATION, n_classes, **kwargs)

    def _labels(self, labels: Any) -> Any:
        labels = labels[self._label_name] if isinstance(labels, dict) else labels
        labels = convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, SparseTensor):
            if self._logits_dimension < 2:
                raise ValueError("Must set num_classes >= 2 when passing labels as a SparseTensor.")
            indicator = sparse_ops.sparse_to_indicator(labels, self._logits_dimension)
            return math_ops.cast(indicator, dtypes.int64)
        return labels

    def _predictions(self, logits: Any) -> dict[str, Any]:
        likely, held = PredictionKey.PROBABILITIES, PredictionKey.CLASSES
        return {
            PredictionKey.LOGITS: logits,
            likely: math_ops.sigmoid(logits, name=likely),
            held: math_ops.cast(math_ops.greater(logits, 0), dtypes.int64, name=held),
        }

    def _add_metrics(
        self, add: Any, loss: Any, predictions: Any, labels: Any, weights: Any
    ) -> None:
        super()._add_metrics(add, loss, predictions, labels, weights)
        keys, (mean, auc) = MetricKey, (head_metrics.mean, head_metrics.auc)
        classes = predictions[PredictionKey.CLASSES]
        likely, logits = (
            predictions[PredictionKey.PROBABILITIES], predictions[PredictionKey.LOGITS]
        )  # fmt: skip
        add(keys.ACCURACY, metrics_impl.accuracy(labels, classes, weights))
        add(keys.AUC, auc(likely, labels, weights))
        add(keys.AUC_PR, auc(likely, labels, weights, curve="PR"))
        for i in self._metric_class_ids:
            add(keys.CLASS_PREDICTION_MEAN % i, mean(classes, weights, i))
            add(keys.CLASS_LABEL_MEAN % i, mean(labels, weights, i))
            add(keys.CLASS_PROBABILITY_MEAN % i, mean(likely, weights, i))
            add(keys.CLASS_LOGITS_MEAN % i, mean(logits, weights, i))
            add(keys.CLASS_AUC % i, auc(likely, labels, weights, i))
            add(keys.CLASS_AUC_PR % i, auc(likely, labels, weights, i, curve="PR"))


@_head
class _LossOnlyHead(Head):
    """A head that predicts nothing: a loss beside those of others."""

    def __init__(self, loss_fn: Callable[..., Any], head_name: str | None = None):
        self._loss_fn = loss_fn
        self.head_name = head_name or "loss_only_head"

    @property
    def logits_dimension(self) -> int:
        return 0

    def create_model_fn_ops(
        self, features: Any, mode: Any, labels: Any = None, train_op_fn: Any = None,
        logits: Any = None, logits_input: Any = None, scope: Any = None,
    ) -> ModelFnOps:  # fmt: skip
        _check_mode(mode)
        loss = train_op = None
        if mode != ModeKeys.INFER:
            with variable_scope.variable_scope(scope, default_name=self.head_name):
                loss = self._loss_fn()
                loss = math_ops.add_n(loss) if isinstance(loss, list) else loss
                _summarize_loss(self.head_name, loss)
                if mode == ModeKeys.TRAIN:
                    _need_train_op(train_op_fn)
                    train_op = _trained(loss, (loss,), train_op_fn)
        return ModelFnOps(
            mode=mode, loss=loss, train_op=train_op, predictions={}, eval_metric_ops={}
        )


@_head
class _MultiHead(Head):
    """Several heads as one: the sum of their losses is minimized."""

    def __init__(self, heads: Any, loss_weights: Any = None):
        if not all(head.head_name for head in heads):
            raise ValueError("Members of MultiHead must have names.")
        self._heads = heads
        self._loss_weights = loss_weights

    @property
    def logits_dimension(self) -> int:
        return sum(head.logits_dimension for head in self._heads)

    def create_model_fn_ops(
        self, features: Any, mode: Any, labels: Any = None, train_op_fn: Any = None,
        logits: Any = None, logits_input: Any = None, scope: Any = None,
    ) -> ModelFnOps:  # fmt: skip
        _check_mode(mode)
        if logits is None:
            parts: list[Any] = [{"logits_input": logits_input}] * len(self._heads)
        else:
            parts = [{"logits": part} for part in self._split(logits)]
        models = [
            head.create_model_fn_ops(
                features=features, mode=mode, labels=labels, train_op_fn=no_op_train_fn,
                scope=scope, **part,
            )
            for head, part in zip(self._heads, parts, strict=True)
        ]  # fmt: skip
        if mode == ModeKeys.TRAIN:
            _need_train_op(train_op_fn, ".")
            loss = self._merged([model.loss for model in models])
            beside = [model.train_op for model in models]
            train_op = control_flow_ops.group(train_op_fn(loss), *beside)
            return ModelFnOps(
                mode, loss=loss, train_op=train_op, eval_metric_ops=_merged_metrics(models)
            )
        predictions = {
            (head.head_name, key): value
            for head, model in zip(self._heads, models, strict=True)
            for key, value in model.predictions.items()
        }
        if mode == ModeKeys.INFER:
            outputs = {
                head.head_name: model.output_alternatives[head.head_name]
                for head, model in zip(self._heads, models, strict=True)
                if not isinstance(head, _LossOnlyHead)
            }
            return ModelFnOps(mode, predictions=predictions, output_alternatives=outputs)
        loss = self._merged([model.loss for model in models])
        metrics = _merged_metrics(models)
        return ModelFnOps(mode, predictions=predictions, loss=loss, eval_metric_ops=metrics)

    def _split(self, logits: Any) -> list[Any]:
        if isinstance(logits, dict):
            alone = [isinstance(head, _LossOnlyHead) for head in self._heads]
            return [
                None if is_alone else logits[head.head_name]
                for head, is_alone in zip(self._heads, alone, strict=True)
            ]
        found, begin = [], 0
        for head in self._heads:
            size = head.logits_dimension
            found.append(array_ops.slice(logits, [0, begin], [-1, size]))
            begin += size
        return found

    def _merged(self, losses: list[Any]) -> Any:
        if self._loss_weights:
            pairs = zip(losses, self._loss_weights, strict=True)
            losses = [math_ops.multiply(loss, weight) for loss, weight in pairs]
        return math_ops.add_n(losses)


def _merged_metrics(models: list[ModelFnOps]) -> dict[str, Any]:
    return {key: metric for model in models for key, metric in model.eval_metric_ops.items()}


# What users call.


@tf_export("contrib.learn.regression_head")
@_instead
def regression_head(
    label_name: str | None = None, weight_column_name: Any = None, label_dimension: int = 1,
    enable_centered_bias: bool = False, head_name: str | None = None, link_fn: Any = None,
) -> Head:  # fmt: skip
    """The head of regression; the other arguments as those of `multi_class_head`.

    Args:
      label_dimension: how many numbers a label has.
      link_fn: what makes predictions of logits.

    Returns:
      A `Head`, of logits [batch, label_dimension].
    """
    return _RegressionHead(
        link_fn or array_ops.identity, logits_dimension=label_dimension,
        loss_fn=head_losses.mean_squared, label_name=label_name,
        weight_column_name=weight_column_name, enable_centered_bias=enable_centered_bias,
        head_name=head_name,
    )  # fmt: skip


@tf_export("contrib.learn.poisson_regression_head")
@_instead
def poisson_regression_head(
    label_name: str | None = None, weight_column_name: Any = None, label_dimension: int = 1,
    enable_centered_bias: bool = False, head_name: str | None = None,
) -> Head:  # fmt: skip
    """The head of the regression of counts; see `regression_head`.

    Args:
      label_name, weight_column_name, label_dimension, enable_centered_bias, head_name: as in
        `regression_head`.

    Returns:
      A `Head`.
    """
    return _RegressionHead(
        math_ops.exp, logits_dimension=label_dimension, loss_fn=head_losses.poisson,
        label_name=label_name, weight_column_name=weight_column_name,
        enable_centered_bias=enable_centered_bias, head_name=head_name,
    )  # fmt: skip


@tf_export("contrib.learn.multi_class_head")
@_instead
def multi_class_head(
    n_classes: int | None, label_name: str | None = None, weight_column_name: Any = None,
    enable_centered_bias: bool = False, head_name: str | None = None, thresholds: Any = None,
    metric_class_ids: Any = None, loss_fn: Callable[..., Any] | None = None, label_keys: Any = None,
) -> Head:  # fmt: skip
    """The head of classification.

    Args:
      n_classes: how many classes there are.
      label_name: of the labels, if they are a dict.
      weight_column_name: the feature that has the weights of examples.
      enable_centered_bias: whether a bias of its own is learned.
      head_name: tells it from other heads.
      thresholds: where the metrics of two classes are taken.
      metric_class_ids: the classes that have metrics of their own.
      loss_fn: a function of labels, logits and weights.
      label_keys: the classes as strings, if labels are such.

    Returns:
      A `Head`, of logits [batch, n_classes]; of two classes [batch, 1].

    Raises:
      ValueError: an argument is wrong.
    """
    if n_classes is None or n_classes < 2:
        raise ValueError(f"n_classes must be > 1 for classification: {n_classes}.")
    loss = head_losses.custom(loss_fn)
    common = {
        "label_name": label_name, "weight_column_name": weight_column_name,
        "enable_centered_bias": enable_centered_bias, "head_name": head_name,
        "thresholds": thresholds,
    }  # fmt: skip
    if n_classes > 2:
        return _MultiClassHead(
            n_classes, label_keys, loss_fn=loss or head_losses.softmax,
            metric_class_ids=metric_class_ids, **common,
        )  # fmt: skip
    if metric_class_ids:
        raise ValueError("metric_class_ids invalid for n_classes==2.")
    if label_keys:
        raise ValueError("label_keys is not supported for n_classes=2.")
    return _BinaryLogisticHead(loss_fn=loss or head_losses.log_of_two_classes, **common)


@tf_export("contrib.learn.binary_svm_head")
@_instead
def binary_svm_head(
    label_name: str | None = None, weight_column_name: Any = None,
    enable_centered_bias: bool = False,
    head_name: str | None = None, thresholds: Any = None,
) -> Head:  # fmt: skip
    """The head of support vector machines; see `multi_class_head`.

    Args:
      label_name, weight_column_name, enable_centered_bias, head_name, thresholds: as in
        `multi_class_head`.

    Returns:
      A `Head`.
    """
    return _BinarySvmHead(
        label_name=label_name, weight_column_name=weight_column_name,
        enable_centered_bias=enable_centered_bias, head_name=head_name, thresholds=thresholds,
    )  # fmt: skip


@tf_export("contrib.learn.multi_label_head")
@_instead
def multi_label_head(
    n_classes: int, label_name: str | None = None, weight_column_name: Any = None,
    enable_centered_bias: bool = False, head_name: str | None = None, thresholds: Any = None,
    metric_class_ids: Any = None, loss_fn: Callable[..., Any] | None = None,
) -> Head:  # fmt: skip
    """The head of classes of which several hold; see `multi_class_head`.

    Args:
      n_classes, label_name, weight_column_name, enable_centered_bias, head_name, thresholds,
        metric_class_ids, loss_fn: as in `multi_class_head`.

    Returns:
      A `Head`.
    """
    if n_classes < 2:
        raise ValueError("n_classes must be > 1 for classification.")
    return _MultiLabelHead(
        n_classes, loss_fn=head_losses.custom(loss_fn) or head_losses.sigmoid,
        label_name=label_name, weight_column_name=weight_column_name,
        enable_centered_bias=enable_centered_bias, head_name=head_name, thresholds=thresholds,
        metric_class_ids=metric_class_ids,
    )  # fmt: skip


@_instead
def loss_only_head(loss_fn: Callable[..., Any], head_name: str | None = None) -> Head:
    """A head of a loss alone.

    Args:
      loss_fn: a function without arguments that gives a scalar or a list of them.
      head_name: tells it from other heads.
    """
    return _LossOnlyHead(loss_fn, head_name)


@tf_export("contrib.learn.multi_head")
@_instead
def multi_head(heads: Any, loss_weights: Any = None) -> Head:
    """Several heads as one.

    Args:
      heads: heads with names.
      loss_weights: what their losses are multiplied by.

    Returns:
      A `Head`, of as many logits as all heads have together.

    Raises:
      ValueError: there are more or fewer weights, or a head has no name.
    """
    if loss_weights and len(loss_weights) != len(heads):
        raise ValueError("heads and loss_weights must have same size")
    return _MultiHead(heads, loss_weights)


@tf_export("contrib.learn.no_op_train_fn")
@deprecated(None, "Use 'lambda _: tf.no_op()'.")
def no_op_train_fn(loss: Any) -> Any:
    """An operation that does nothing.

    Args:
      loss: is not read.

    Returns:
      An operation.
    """
    del loss
    return control_flow_ops.no_op()


_regression_head = regression_head
_poisson_regression_head = poisson_regression_head
_multi_class_head = multi_class_head
_binary_svm_head = binary_svm_head
_multi_label_head = multi_label_head
_multi_head = multi_head
_Head = Head
