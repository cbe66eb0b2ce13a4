"""`tf.contrib.estimator.multi_head`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.estimator import model_fn
from tf1compat.api.estimator.canned import head as head_lib
from tf1compat.api.estimator.canned.metric_keys import MetricKeys
from tf1compat.api.estimator.head import parts
from tf1compat.api.estimator.mode_keys import ModeKeys
from tf1compat.api.math import math_ops
from tf1compat.api.metrics import metrics_impl
from tf1compat.api.summary import summary
from tf1compat.core import ops
from tf1compat.core.export import tf_export


@tf_export("contrib.estimator.multi_head")
def multi_head(heads: Any, head_weights: Any = None) -> Any:
    """A head of several heads, whose losses are added.

    Args:
      heads: heads with names.
      head_weights: the weights of their losses; 1 by default.

    Returns:
      A head; its labels are {a head's name: labels}, its logits the same or all in one tensor.

    Raises:
      ValueError: there are no heads, one has no name, or there are more or fewer weights.
    """
    if head_weights and len(head_weights) != len(heads):
        raise ValueError(
            "heads and head_weights must have the same size. Given len(heads): "
            f"{len(heads)}. Given len(head_weights): {len(head_weights)}."
        )
    if not heads:
        raise ValueError(f"Must specify heads. Given: {heads}")
    for head in heads:
        if not head.name:
            raise ValueError(f"All given heads must have name specified. Given: {head}")
    return _MultiHead(tuple(heads), tuple(head_weights or ()))


def _no_op_train_fn(loss: Any) -> Any:
    return control_flow_ops.no_op()


def _merge_losses(losses: Any, head_weights: Any = None) -> Any:
    losses = tuple(losses)
    with ops.name_scope("merge_losses", values=losses + (head_weights or ())):
        return parts.weighted_sum(losses, head_weights)


class _MultiHead(head_lib._Head):
    """See `multi_head`."""

    def __init__(self, heads: tuple[Any, ...], head_weights: tuple[Any, ...]):
        dimension = sum(head.logits_dimension for head in heads)
        super().__init__(dimension, None, None, None, "_".join(head.name for head in heads))
        self._heads = heads
        self._head_weights = head_weights

    def _of_heads(self, logits: Any) -> dict[str, Any]:
        return logits if isinstance(logits, dict) else parts.split_logits(self._heads, logits)

    def create_loss(self, features: Any, mode: Any, logits: Any, labels: Any) -> head_lib.LossSpec:
        """The sum of the losses; the other parts of the `LossSpec` are dicts by head."""
        logits = self._of_heads(logits)
        losses, unreduced, weights, processed = [], {}, {}, {}
        for i, head in enumerate(self._heads):
            name = head.name
            loss, unreduced[name], weights[name], processed[name] = head.create_loss(
                features, mode, logits[name], labels[name]
            )
            losses.append(loss)
            if self._head_weights:
                weight = self._head_weights[i]
                unreduced[name] = math_ops.multiply(unreduced[name], weight)
                weights[name] = math_ops.multiply(weights[name], weight)
        loss = _merge_losses(losses, self._head_weights)
        return head_lib.LossSpec(loss, unreduced, weights, processed)

    def create_estimator_spec(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, features: Any, mode: Any, logits: Any, labels: Any = None, optimizer: Any = None,
        train_op_fn: Any = None,
    ) -> Any:  # fmt: skip
        """See `_Head.create_estimator_spec`; `labels` and `logits` are dicts by head.

        Raises:
          ValueError: labels are no dict, or an argument is wrong.
        """
        logits = self._of_heads(logits)
        if labels and not isinstance(labels, dict):
            raise ValueError(f"labels must be a dict. Given: {labels}")
        specs = [
            head.create_estimator_spec(
                features=features, mode=mode, logits=logits[head.name],
                labels=labels[head.name] if labels else None, train_op_fn=_no_op_train_fn,
            )
            for head in self._heads
        ]  # fmt: skip
        if mode == ModeKeys.TRAIN:
            loss = _merge_losses([spec.loss for spec in specs], self._head_weights)
            train_op = head_lib._train_op(loss, optimizer, train_op_fn)
            spec = model_fn.EstimatorSpec(
                mode, self._predictions(specs), loss, train_op, self._metrics(specs)
            )
            with ops.name_scope(""):
                summary.scalar(MetricKeys.LOSS, spec.loss)
            return spec
        if mode == ModeKeys.PREDICT:
            exports = parts.merged_export_outputs(self._heads, specs, "tf.contrib.estimator")
            return model_fn.EstimatorSpec(mode, self._predictions(specs), export_outputs=exports)
        if mode == ModeKeys.EVAL:
            with ops.name_scope("merge_eval"):
                metrics = {}
                for head, spec in zip(self._heads, specs, strict=True):
                    key = parts.summary_key(head.name, MetricKeys.LOSS)
                    metrics[key] = metrics_impl.mean(spec.loss, name=key)
                metrics.update(self._metrics(specs))
                loss = _merge_losses([spec.loss for spec in specs], self._head_weights)
            return model_fn.EstimatorSpec(
                mode, self._predictions(specs), loss, eval_metric_ops=metrics
            )
        raise ValueError(f"mode={mode} unrecognized")

    def _predictions(self, specs: list[Any]) -> dict[Any, Any]:
        """The predictions of all heads, by (head, name)."""
        return {
            (head.name, key): value
            for head, spec in zip(self._heads, specs, strict=True)
            for key, value in spec.predictions.items()
        }

    @staticmethod
    def _metrics(specs: list[Any]) -> dict[str, Any]:
        metrics: dict[str, Any] = {}
        for spec in specs:
            metrics.update(spec.eval_metric_ops or {})
        return metrics
