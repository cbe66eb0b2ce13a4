"""K-means clustering (`tensorflow.contrib.learn.python.learn.estimators.kmeans`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tf1compat.api.contrib.factorization import clustering_ops
from tf1compat.api.contrib.learn.estimators import estimator
from tf1compat.api.contrib.learn.estimators.model_fn import ModelFnOps
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.estimator.canned import kmeans
from tf1compat.api.math import math_ops
from tf1compat.api.summary import summary
from tf1compat.api.training import training_util
from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.variables import state_ops
from tf1compat.core.export import tf_export

_instead = deprecated(
    None,
    "Please use tf.contrib.factorization.KMeansClustering instead of "
    "tf.contrib.learn.KMeansClustering. It has a similar interface, but uses the "
    "tf.estimator.Estimator API instead of tf.contrib.learn.Estimator.",
)


class _LossRelativeChangeHook(kmeans._LossRelativeChangeHook):
    @staticmethod
    def _has_loss(before: Any) -> bool:
        return before is not None


def _kmeans_clustering_model_fn(
    features: Any, labels: Any, mode: Any, params: dict[str, Any], config: Any
) -> ModelFnOps:
    assert labels is None, labels
    settings = dict(params)
    tolerance = settings.pop("relative_tolerance", None)
    points = kmeans._parse_features_if_necessary(features, None)
    graph = clustering_ops.KMeans(points, **settings).training_graph()
    (distances,), (index,), scores, is_initialized, init_op, train_op = graph
    step = state_ops.assign_add(training_util.get_global_step(), 1)
    loss = math_ops.reduce_sum(scores, name=KMeansClustering.LOSS_OP_NAME)
    summary.scalar("loss/raw", loss)
    hooks: list[Any] = [kmeans._InitializeClustersHook(init_op, is_initialized, config.is_chief)]
    train_op = control_flow_ops.with_dependencies([train_op, step], loss)
    if tolerance is not None:
        hooks.append(_LossRelativeChangeHook(loss, tolerance))
    predictions = {
        KMeansClustering.ALL_SCORES: distances, KMeansClustering.CLUSTER_IDX: index,
    }  # fmt: skip
    return ModelFnOps(
        mode=mode, predictions=predictions, eval_metric_ops={KMeansClustering.SCORES: loss},
        loss=loss, train_op=train_op, training_hooks=hooks,
    )  # fmt: skip


@tf_export("contrib.learn.KMeansClustering")
class KMeansClustering(estimator.Estimator):
    """K-means clustering; `tf.contrib.factorization.KMeansClustering` is the newer one.

    Args:
      num_clusters: how many clusters.
      model_dir, config: see `Estimator`.
      initial_clusters, distance_metric, random_seed, use_mini_batch,
        mini_batch_steps_per_iteration, kmeans_plus_plus_num_retries: see
        `tf.contrib.factorization.KMeans`.
      relative_tolerance: training stops when the loss changes by less than this part of it.
    """

    SQUARED_EUCLIDEAN_DISTANCE = clustering_ops.SQUARED_EUCLIDEAN_DISTANCE
    COSINE_DISTANCE = clustering_ops.COSINE_DISTANCE
    RANDOM_INIT = clustering_ops.RANDOM_INIT
    KMEANS_PLUS_PLUS_INIT = clustering_ops.KMEANS_PLUS_PLUS_INIT
    SCORES = "scores"
    CLUSTER_IDX = "cluster_idx"
    CLUSTERS = "clusters"
    ALL_SCORES = "all_scores"
    LOSS_OP_NAME = "kmeans_loss"

    @_instead
    def __init__(
        self, num_clusters: Any, model_dir: str | None = None,
        initial_clusters: Any = clustering_ops.RANDOM_INIT,
        distance_metric: str = clustering_ops.SQUARED_EUCLIDEAN_DISTANCE, random_seed: Any = 0,
        use_mini_batch: bool = True, mini_batch_steps_per_iteration: int = 1,
        kmeans_plus_plus_num_retries: int = 2, relative_tolerance: float | None = None,
        config: Any = None,
    ):  # fmt: skip
        params = {
            "num_clusters": num_clusters, "initial_clusters": initial_clusters,
            "distance_metric": distance_metric, "random_seed": random_seed,
            "use_mini_batch": use_mini_batch,
            "mini_batch_steps_per_iteration": mini_batch_steps_per_iteration,
            "kmeans_plus_plus_num_retries": kmeans_plus_plus_num_retries,
            "relative_tolerance": relative_tolerance,
        }  # fmt: skip
        super().__init__(
            model_fn=_kmeans_clustering_model_fn, params=params, model_dir=model_dir, config=config
        )

    @_instead
    def predict_cluster_idx(self, input_fn: Callable[..., Any] | None = None) -> Iterator[Any]:
        """Yields the index of the nearest center, point by point."""
        for result in self.predict(input_fn=input_fn, outputs=[self.CLUSTER_IDX]):
            yield result[self.CLUSTER_IDX]

    @_instead
    def score(self, input_fn: Callable[..., Any] | None = None, steps: Any = None) -> Any:
        """The sum of the points' (squared) distances to their nearest centers."""
        return np.sum(self.evaluate(input_fn=input_fn, steps=steps)[self.SCORES])

    @_instead
    def transform(
        self, input_fn: Callable[..., Any] | None = None, as_iterable: bool = False
    ) -> Any:
        """The distances to all centers, squared if they are Euclidean.

        Returns:
          float32 [points, clusters]; if `as_iterable`, what `predict` yields.
        """
        key = self.ALL_SCORES
        found: Any = self.predict(input_fn=input_fn, outputs=[key], as_iterable=as_iterable)
        return found if as_iterable else found[key]

    @_instead
    def clusters(self) -> Any:
        """The centers of the last checkpoint, float32 [clusters, dimensions]."""
        return self.get_variable_value(self.CLUSTERS)
