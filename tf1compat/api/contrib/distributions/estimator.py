"""Regression with any distribution (`tensorflow.contrib.distributions.python.ops.estimator`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.learn.estimators import head_losses
from tf1compat.api.contrib.learn.estimators.head import Head, _RegressionHead
from tf1compat.api.distributions.moved import moved
from tf1compat.core import ops
from tf1compat.core.constants import known_value
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike

_moved = moved("estimator", "tf.contrib.distributions")


@tf_export("contrib.distributions.estimator_head_distribution_regression")
@_moved
def estimator_head_distribution_regression(
    make_distribution_fn: Callable[[Any], Any],
    label_dimension: int = 1,
    logits_dimension: int | None = None,
    label_name: str | None = None,
    weight_column_name: str | None = None,
    enable_centered_bias: bool = False,
    head_name: str | None = None,
) -> Head:
    """The head of a regression whose labels have a distribution that the logits say.

    Args:
      make_distribution_fn: takes logits, and returns a distribution.
      label_dimension: how many numbers a label has.
      logits_dimension: how many logits an example has; as many by default.
      label_name: of the labels, if they are a dict.
      weight_column_name: the feature that has the weights of examples.
      enable_centered_bias: whether a bias of its own is learned.
      head_name: tells it from other heads.

    Returns:
      The head; its predictions are the distributions' means, its loss is - log p(labels).

    Raises:
      TypeError: `make_distribution_fn` can't be called.
    """
    return _DistributionRegressionHead(
        make_distribution_fn, label_dimension, logits_dimension, label_name, weight_column_name,
        enable_centered_bias, head_name,
    )  # fmt: skip


class _DistributionRegressionHead(_RegressionHead):
    """See `estimator_head_distribution_regression`."""

    @_moved
    def __init__(
        self, make_distribution_fn: Callable[[Any], Any], label_dimension: int,
        logits_dimension: int | None = None, label_name: str | None = None,
        weight_column_name: str | None = None, enable_centered_bias: bool = False,
        head_name: str | None = None,
    ):  # fmt: skip
        if not callable(make_distribution_fn):
            raise TypeError("`make_distribution_fn` must be a callable function.")
        self._distributions: dict[Any, Any] = {}
        self._make_distribution_fn = make_distribution_fn
        super().__init__(
            self._mean,
            logits_dimension=label_dimension if logits_dimension is None else logits_dimension,
            loss_fn=self._negative_log_likelihood,
            label_name=label_name,
            weight_column_name=weight_column_name,
            enable_centered_bias=enable_centered_bias,
            head_name=head_name,
        )

    @property
    def distributions(self) -> dict[Any, Any]:
        """Logits -> the distribution that was made of them."""
        return self._distributions

    def distribution(self, logits: TensorLike, name: str | None = None) -> Any:
        """The distribution of some logits, made once.

        Args:
          logits: [batch, logits_dimension].
          name: a name scope, `distribution` by default.

        Returns:
          What `make_distribution_fn` made.
        """
        with ops.name_scope(name, "distribution", [logits]):
            if logits not in self._distributions:
                self._distributions[logits] = self._make_distribution_fn(logits)
            return self._distributions[logits]

    def _mean(self, logits: TensorLike) -> Any:
        return self.distribution(logits).mean()

    def _negative_log_likelihood(
        self, labels: Any, logits: Any, weights: Any = None
    ) -> tuple[Any, Any]:
        made = self.distribution(logits)
        batch: Any = labels.shape.with_rank_at_least(1)[:-1]
        if batch.is_fully_defined():
            batch = batch.as_list()
        else:
            batch = array_ops.shape(labels)[:-1]
        labels = array_ops.reshape(labels, shape=_joined(batch, made.event_shape_tensor()))
        return head_losses._weighted(-made.log_prob(labels), weights)


def _joined(*vectors: Any) -> Any:
    """Vectors one after the other; a list if all are known."""
    joined = []
    for vector in vectors:
        known = known_value(ops.convert_to_tensor(vector))
        if known is None:
            return array_ops.concat(vectors, axis=0)
        joined.extend(known)
    return joined
