"""Weights and reductions of losses (`tensorflow.python.keras.utils.losses_utils`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.distribute import distribution_strategy_context as strategies
from tf1compat.api.keras import backend
from tf1compat.api.losses import util
from tf1compat.api.math import math_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name


@tf_export("compat.v2.losses.Reduction", "compat.v2.keras.losses.Reduction")
class ReductionV2:
    """How a loss of each sample becomes one number."""

    AUTO = "auto"
    NONE = "none"
    SUM = "sum"
    SUM_OVER_BATCH_SIZE = "sum_over_batch_size"

    @classmethod
    def all(cls) -> tuple[str, ...]:
        """All ways."""
        return cls.AUTO, cls.NONE, cls.SUM, cls.SUM_OVER_BATCH_SIZE

    @classmethod
    def validate(cls, key: Any) -> None:
        """Raises ValueError for what is none."""
        if key not in cls.all():
            raise ValueError(f"Invalid Reduction Key {key}.")


def reduce_weighted_loss(
    weighted_losses: Any, reduction: str = ReductionV2.SUM_OVER_BATCH_SIZE
) -> Any:
    """The sum of losses, their mean, or themselves."""
    if reduction == ReductionV2.NONE:
        return weighted_losses
    loss = math_ops.reduce_sum(weighted_losses)
    if reduction == ReductionV2.SUM_OVER_BATCH_SIZE:
        with backend.name_scope("num_elements") as scope:
            count = math_ops.cast(
                array_ops.size(weighted_losses, name=scope), dtype=weighted_losses.dtype
            )
        loss = math_ops.div_no_nan(math_ops.reduce_sum(loss), count, name="value")
    return loss


def compute_weighted_loss(
    losses: Any, sample_weight: Any = None, reduction: str = ReductionV2.SUM_OVER_BATCH_SIZE,
    name: Name = None,
) -> Any:  # fmt: skip
    """Losses times weights, reduced.

    Args:
      losses: a float tensor.
      sample_weight: what broadcasts to it; 1 by default.
      reduction: see `ReductionV2`.
      name: of the name scope.
    """
    ReductionV2.validate(reduction)
    if reduction == ReductionV2.AUTO:
        reduction = ReductionV2.SUM_OVER_BATCH_SIZE
    if sample_weight is None:
        sample_weight = 1.0
    with backend.name_scope(name or "weighted_loss"):
        losses = ops.convert_to_tensor(losses)
        weighted = util.scale_losses_by_sample_weight(losses, sample_weight)
        return math_ops.cast(reduce_weighted_loss(weighted, reduction), losses.dtype)


def is_mean(loss_fn: Any) -> bool:
    """Whether a loss is the mean of those of samples, as far as can be known."""
    means = ReductionV2.AUTO, ReductionV2.SUM_OVER_BATCH_SIZE
    return getattr(loss_fn, "reduction", ReductionV2.AUTO) in means


def scale_loss_for_distribution(loss_value: Any) -> Any:
    """A loss, divided by the number of replicas, as theirs are added."""
    count = strategies.get_strategy().num_replicas_in_sync
    return loss_value * (1.0 / count) if count > 1 else loss_value
