"""`tf.estimator.MultiHead`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.estimator import model_fn
from tf1compat.api.estimator.canned.metric_keys import MetricKeys
from tf1compat.api.estimator.head import base_head, parts
from tf1compat.api.estimator.mode_keys import ModeKeys
from tf1compat.api.keras import metrics as keras_metrics
from tf1compat.api.math import math_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export


@tf_export("estimator.MultiHead")
class MultiHead(base_head.Head):
    """Several heads, whose losses are added.

    Labels are {a head's name: labels}, logits the same or all in one tensor.

    Args:
      heads: heads with names.
      head_weights: the weights of their losses; 1 by default.

    Raises:
      ValueError: there are no heads, one has no name, or there are more or fewer weights.
    """

    def __init__(self, heads: Any, head_weights: Any = None):
        if not heads:
            raise ValueError(f"Must specify heads. Given: {heads}")
        if head_weights and len(head_weights) != len(heads):
            raise ValueError(
                "heads and head_weights must have the same size. Given len(heads): "
                f"{len(heads)}. Given len(head_weights): {len(head_weights)}."
            )
        for head in heads:
            if head.name is None:
                raise ValueError(f"All given heads must have name specified. Given: {head}")
        self._logits_dimension = sum(head.logits_dimension for head in heads)
        self._heads = tuple(heads)
        self._head_weights = tuple(head_weights or ())

    @property
    def name(self) -> str:
        """The names of the heads, joined."""
        return "_".join(head.name for head in self._heads)

    @property
    def logits_dimension(self) -> Any:
        """See `Head`."""
        return self._logits_dimension

    @property
    def loss_reduction(self) -> Any:
        """What all heads have. Raises ValueError if they differ."""
        reductions = [head.loss_reduction for head in self._heads]
        if len(set(reductions)) > 1:
            raise ValueError(
                f"The loss_reduction must be the same for different heads. Given: {reductions}"
            )
        return reductions[0]

    def _check_has_all(self, given: dict[str, Any], what: str) -> None:
        missing = list({head.name for head in self._heads} - set(given))
        if missing:
            raise ValueError(f"{what} has missing values for head(s): {missing}")

    def _of_heads(self, logits: Any, labels: Any = None) -> dict[str, Any]:
        """The logits by head; checks labels."""
        if isinstance(logits, dict):
            self._check_has_all(logits, "logits")
        else:
            logits = parts.split_logits(self._heads, logits)
        if labels is not None:
            if not isinstance(labels, dict):
                raise ValueError(f"labels must be a dict. Given: {labels}")
            self._check_has_all(labels, "labels")
        return logits

    def loss(
        self, labels: Any, logits: Any, features: Any = None, mode: Any = None,
        regularization_losses: Any = None,
    ) -> Any:  # fmt: skip
        """The sum of the losses; see `Head.loss`."""
        logits = self._of_heads(logits, labels)
        losses = tuple(
            head.loss(
                logits=logits[head.name], labels=labels[head.name], features=features, mode=mode
            )
            for head in self._heads
        )
        with ops.name_scope(None, "merge_losses", losses + self._head_weights):
            loss = parts.weighted_sum(losses, self._head_weights)
            return base_head._regularized(loss, regularization_losses)

    def predictions(self, logits: Any, keys: Any = None) -> dict[Any, Any]:
        """The predictions of all heads, by (head, name); `keys` is ignored."""
        logits = self._of_heads(logits)
        with ops.name_scope(None, "merge_pred"):
            return {
                (head.name, key): value
                for head in self._heads
                for key, value in head.predictions(logits=logits[head.name]).items()
            }

    def metrics(self, regularization_losses: Any = None) -> dict[str, Any]:
        """The means of the losses; `update_metrics` adds what the heads measure."""
        found = {}
        if regularization_losses is not None:
            key = MetricKeys.LOSS_REGULARIZATION
            found[self._summary_key(key)] = keras_metrics.Mean(name=key)
        with ops.name_scope(None, "merge_eval"):
            for head in self._heads:
                key = parts.summary_key(head.name, MetricKeys.LOSS)
                found[key] = keras_metrics.Mean(name=key)
        return found

    def update_metrics(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, eval_metrics: Any, features: Any, logits: Any, labels: Any,
        regularization_losses: Any = None,
    ) -> Any:  # fmt: skip
        """See `Head.update_metrics`."""
        logits = self._of_heads(logits, labels)
        if regularization_losses is not None:
            key = self._summary_key(MetricKeys.LOSS_REGULARIZATION)
            eval_metrics[key].update_state(values=math_ops.add_n(regularization_losses))
        for head in self._heads:
            its_logits, its_labels = logits[head.name], labels[head.name]
            loss = head.loss(logits=its_logits, labels=its_labels, features=features)
            key = parts.summary_key(head.name, MetricKeys.LOSS)
            eval_metrics[key].update_state(values=loss)
            updated = head.update_metrics(head.metrics(), features, its_logits, its_labels)
            eval_metrics.update(updated or {})
        return eval_metrics

    def create_estimator_spec(
        self, features: Any, mode: Any, logits: Any, labels: Any = None, optimizer: Any = None,
        trainable_variables: Any = None, train_op_fn: Any = None, update_ops: Any = None,
        regularization_losses: Any = None,
    ) -> Any:  # fmt: skip
        """See `Head.create_estimator_spec`."""
        with ops.name_scope(self.name, "multi_head"):
            of_heads = self._of_heads(logits, labels)
            specs = [
                head.create_estimator_spec(
                    features=features, mode=mode, logits=of_heads[head.name],
                    labels=labels[head.name] if labels else None,
                    train_op_fn=lambda loss: control_flow_ops.no_op(),
                )
                for head in self._heads
            ]  # fmt: skip
            predictions = self.predictions(logits)
            if mode == ModeKeys.PREDICT:
                exports = parts.merged_export_outputs(self._heads, specs, "tf.estimator")
                return model_fn.EstimatorSpec(mode, predictions, export_outputs=exports)
            loss = self.loss(labels, logits, features, mode, regularization_losses)
            if mode == ModeKeys.EVAL:
                metrics = self.update_metrics(
                    self.metrics(regularization_losses=regularization_losses), features, logits,
                    labels, regularization_losses=regularization_losses,
                )  # fmt: skip
                return model_fn.EstimatorSpec(mode, predictions, loss, eval_metric_ops=metrics)
            if mode != ModeKeys.TRAIN:
                raise ValueError(f"mode={mode} unrecognized")
            train_op = base_head.create_estimator_spec_train_op(
                self.name, optimizer, trainable_variables, train_op_fn, update_ops, loss,
                self.loss_reduction,
            )  # fmt: skip
            base_head.create_estimator_spec_summary(loss, regularization_losses)
            metrics = {}
            for spec in specs:
                metrics.update(spec.eval_metric_ops or {})
            return model_fn.EstimatorSpec(mode, predictions, loss, train_op, metrics)
