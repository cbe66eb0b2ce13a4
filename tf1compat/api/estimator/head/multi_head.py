"""A head of heads (`tensorflow_estimator.python.estimator.head.multi_head`)."""

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


def _no_op_train_fn(loss: Any) -> Any:
    return control_flow_ops.no_op()


@tf_export("estimator.MultiHead")
class MultiHead(base_head.Head):
    """Several heads, whose losses are added.

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
        self._heads = tuple(heads)
        self._head_weights = tuple(head_weights or ())

    @property
    def name(self) -> str:
        """The names of the heads, joined."""
        return "_".join(head.name for head in self._heads)

    @property
    def logits_dimension(self) -> Any:
        """How many logits an example has for all heads."""
        return sum(head.logits_dimension for head in self._heads)

    @property
    def loss_reduction(self) -> Any:
        """That of all heads.

        Raises:
          ValueError: they have different ones.
        """
        found = [head.loss_reduction for head in self._heads]
        if len(set(found)) > 1:
            raise ValueError(
                f"The loss_reduction must be the same for different heads. Given: {found}"
            )
        return found[0]

    def _check_logits_and_labels(self, logits: Any, labels: Any = None) -> dict[str, Any]:
        """The logits of each head; the labels are checked too, if there are some."""
        if isinstance(logits, dict):
            self._check_names("logits", logits)
        else:
            logits = parts.split_logits(self._heads, logits)
        if labels is not None:
            if not isinstance(labels, dict):
                raise ValueError(f"labels must be a dict. Given: {labels}")
            self._check_names("labels", labels)
        return logits

    def _check_names(self, kind: str, given: dict[str, Any]) -> None:
        missing = list({head.name for head in self._heads} - set(given))
        if missing:
            raise ValueError(f"{kind} has missing values for head(s): {missing}")

    def loss(
        self, labels: Any, logits: Any, features: Any = None, mode: Any = None,
        regularization_losses: Any = None,
    ) -> Any:  # fmt: skip
        """The sum of the heads' losses; see `Head.loss`."""
        of_head = self._check_logits_and_labels(logits, labels)
        losses = [
            head.loss(
                logits=of_head[head.name], labels=labels[head.name], features=features, mode=mode
            )
            for head in self._heads
        ]
        with ops.name_scope("merge_losses"):
            total = parts.weighted_sum(losses, self._head_weights)
            if regularization_losses is None:
                return total
            return total + math_ops.add_n(regularization_losses)

    def predictions(self, logits: Any, keys: Any = None) -> dict[Any, Any]:
        """{(a head's name, key): a prediction}; all keys are predicted."""
        of_head = self._check_logits_and_labels(logits)
        with ops.name_scope("merge_pred"):
            return {
                (head.name, key): value
                for head in self._heads
                for key, value in head.predictions(logits=of_head[head.name]).items()
            }

    def _loss_keys(self) -> list[str]:
        return [f"{MetricKeys.LOSS}/{head.name}" for head in self._heads]

    def metrics(self, regularization_losses: Any = None) -> dict[str, Any]:
        """Metrics of the heads' losses; `update_metrics` adds those of the heads."""
        key = MetricKeys.LOSS_REGULARIZATION
        made = {}
        if regularization_losses is not None:
            made[self._summary_key(key)] = keras_metrics.Mean(name=key)
        with ops.name_scope("merge_eval"):
            made.update((name, keras_metrics.Mean(name=name)) for name in self._loss_keys())
        return made

    def update_metrics(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, eval_metrics: Any, features: Any, logits: Any, labels: Any,
        regularization_losses: Any = None,
    ) -> dict[str, Any]:  # fmt: skip
        """Has metrics take a batch into account; see `Head.update_metrics`."""
        of_head = self._check_logits_and_labels(logits, labels)
        if regularization_losses is not None:
            key = self._summary_key(MetricKeys.LOSS_REGULARIZATION)
            eval_metrics[key].update_state(values=math_ops.add_n(regularization_losses))
        for head, loss_key in zip(self._heads, self._loss_keys(), strict=True):
            given = {"logits": of_head[head.name], "labels": labels[head.name]}
            loss = head.loss(features=features, **given)
            eval_metrics[loss_key].update_state(values=loss)
            eval_metrics.update(
                head.update_metrics(head.metrics(), features=features, **given) or {}
            )
        return eval_metrics

    def create_estimator_spec(
        self, features: Any, mode: Any, logits: Any, labels: Any = None, optimizer: Any = None,
        trainable_variables: Any = None, train_op_fn: Any = None, update_ops: Any = None,
        regularization_losses: Any = None,
    ) -> Any:  # fmt: skip
        """What a model function returns; see `Head.create_estimator_spec`."""
        with ops.name_scope(self.name, "multi_head"):
            of_head = self._check_logits_and_labels(logits, labels)
            specs = [
                head.create_estimator_spec(
                    features=features, mode=mode, logits=of_head[head.name],
                    labels=labels[head.name] if labels else None, train_op_fn=_no_op_train_fn,
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
                    self.metrics(regularization_losses), features, logits, labels,
                    regularization_losses,
                )  # fmt: skip
                return model_fn.EstimatorSpec(mode, predictions, loss, eval_metric_ops=metrics)
            if mode != ModeKeys.TRAIN:
                raise ValueError(f"mode={mode} unrecognized")
            train_op = base_head.create_estimator_spec_train_op(
                self.name, optimizer, trainable_variables, train_op_fn, update_ops, loss,
                self.loss_reduction,
            )  # fmt: skip
            base_head.create_estimator_spec_summary(loss, regularization_losses)
            return model_fn.EstimatorSpec(mode, predictions, loss, train_op)
