"""K-means clustering (`tensorflow.contrib.factorization.python.ops.clustering_ops`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import constant_op
from tf1compat.api.learning import clustering_ops
from tf1compat.api.learning.clustering_ops import (
    CLUSTERS_VAR_NAME as CLUSTERS_VAR_NAME,
)
from tf1compat.api.learning.clustering_ops import (
    COSINE_DISTANCE as COSINE_DISTANCE,
)
from tf1compat.api.learning.clustering_ops import (
    KMC2_INIT as KMC2_INIT,
)
from tf1compat.api.learning.clustering_ops import (
    KMEANS_PLUS_PLUS_INIT as KMEANS_PLUS_PLUS_INIT,
)
from tf1compat.api.learning.clustering_ops import (
    RANDOM_INIT as RANDOM_INIT,
)
from tf1compat.api.learning.clustering_ops import (
    SQUARED_EUCLIDEAN_DISTANCE as SQUARED_EUCLIDEAN_DISTANCE,
)
from tf1compat.api.learning.clustering_ops import (
    kmc2_chain_initialization as kmc2_chain_initialization,
)
from tf1compat.api.learning.clustering_ops import (
    kmeans_plus_plus_initialization as kmeans_plus_plus_initialization,
)
from tf1compat.api.learning.clustering_ops import (
    nearest_neighbors as nearest_neighbors,
)
from tf1compat.core import dtypes
from tf1compat.core.export import export_constant, tf_export
from tf1compat.core.tensor import Tensor


@tf_export("contrib.factorization.KMeans")
class KMeans(clustering_ops.KMeans):
    __doc__ = clustering_ops.KMeans.__doc__

    def _seed_of(self, given: Any) -> Any:
        return given

    def _no_centers(self) -> Tensor:
        return constant_op.constant([], dtype=dtypes.float32)


for _name in "COSINE_DISTANCE KMEANS_PLUS_PLUS_INIT RANDOM_INIT SQUARED_EUCLIDEAN_DISTANCE".split():
    export_constant(f"contrib.factorization.{_name}", getattr(clustering_ops, _name))
