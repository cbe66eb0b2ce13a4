"""K-means clustering (`tensorflow.contrib.factorization.python.ops.kmeans`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tf1compat.api.contrib.factorization import clustering_ops
from tf1compat.api.estimator.canned import kmeans
from tf1compat.core.export import tf_export


@tf_export("contrib.factorization.KMeansClustering")
class KMeansClustering(kmeans.KMeansClustering):
    """As `tf.estimator.experimental.KMeans`, but that `transform` gives squared distances.

    Args:
      random_seed: of the choice of centers.
      The others: see `tf.estimator.experimental.KMeans`.

    Raises:
      ValueError: the way of choosing centers or the distance is not known.
    """

    _algorithm = clustering_ops.KMeans

    def __init__(
        self, num_clusters: Any, model_dir: str | None = None,
        initial_clusters: Any = clustering_ops.RANDOM_INIT,
        distance_metric: str = clustering_ops.SQUARED_EUCLIDEAN_DISTANCE, random_seed: Any = 0,
        use_mini_batch: bool = True, mini_batch_steps_per_iteration: int = 1,
        kmeans_plus_plus_num_retries: int = 2, relative_tolerance: float | None = None,
        config: Any = None, feature_columns: Any = None,
    ):  # fmt: skip
        super().__init__(
            num_clusters, model_dir, initial_clusters, distance_metric, random_seed,
            use_mini_batch, mini_batch_steps_per_iteration, kmeans_plus_plus_num_retries,
            relative_tolerance, config, feature_columns,
        )  # fmt: skip

    def transform(self, input_fn: Callable[..., Any]) -> Iterator[Any]:
        """Yields the distances to all centers, squared if they are Euclidean, point by point."""
        yield from self._predict_one_key(input_fn, self.ALL_DISTANCES)
