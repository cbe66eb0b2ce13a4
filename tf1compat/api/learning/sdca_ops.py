"""Stochastic dual coordinate ascent (`tensorflow.python.ops.sdca_ops`)."""

from __future__ import annotations

from typing import Any

from tf1compat.core import raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike

sdca_optimizer_v2 = raw_ops.SdcaOptimizerV2


@tf_export("train.sdca_fprint")
def sdca_fprint(input: TensorLike, name: Name = None) -> Any:
    """Fingerprints of texts.

    Args:
      input: string [texts].
      name: the operation's name.

    Returns:
      int64 [texts, 2].
    """
    return raw_ops.SdcaFprint(input, name=name)


@tf_export("train.sdca_optimizer")
def sdca_optimizer(
    sparse_example_indices: Any, sparse_feature_indices: Any, sparse_feature_values: Any,
    dense_features: Any, example_weights: Any, example_labels: Any, sparse_indices: Any,
    sparse_weights: Any, dense_weights: Any, example_state_data: Any, loss_type: str, l1: float,
    l2: float, num_loss_partitions: int, num_inner_iterations: int, adaptative: bool = True,
    name: Name = None,
) -> Any:  # fmt: skip
    """A step of coordinate ascent for each example.

    Args:
      sparse_example_indices: for each group of sparse features the examples, int64 [entries].
      sparse_feature_indices: the features, int64 [entries].
      sparse_feature_values: their values, float32 [entries]; 1 where there are no more of them.
      dense_features: float32 [examples, dimensions] each.
      example_weights, example_labels: float32 [examples].
      sparse_indices: for each group the features that `sparse_weights` are of, int64.
      sparse_weights, dense_weights: the model, float32 vectors.
      example_state_data: float32 [examples, 4].
      loss_type: "logistic_loss", "squared_loss", "hinge_loss", "smooth_hinge_loss" or
        "poisson_loss".
      l1, l2: the regularization.
      num_loss_partitions: how many such steps are run at once.
      num_inner_iterations: how often examples are gone through.
      adaptative: whether those that change more come more often.
      name: the operation's name.

    Returns:
      The examples' new state, and what is to be added to the sparse and to the dense weights.
    """
    return raw_ops.SdcaOptimizer(
        sparse_example_indices, sparse_feature_indices, sparse_feature_values, dense_features,
        example_weights, example_labels, sparse_indices, sparse_weights, dense_weights,
        example_state_data, loss_type=loss_type, l1=l1, l2=l2,
        num_loss_partitions=num_loss_partitions, num_inner_iterations=num_inner_iterations,
        adaptative=adaptative, name=name,
    )  # fmt: skip


@tf_export("train.sdca_shrink_l1")
def sdca_shrink_l1(weights: Any, l1: float, l2: float, name: Name = None) -> Any:
    """Moves weights towards 0 by `l1 / l2`.

    Args:
      weights: a list of float32 variables.
      l1, l2: the regularization.
      name: the operation's name.

    Returns:
      The operation.
    """
    return raw_ops.SdcaShrinkL1(weights, l1=l1, l2=l2, name=name)
