"""`tf.contrib.linear_optimizer.SparseFeatureColumn`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.learning import sdca_model
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core.export import tf_export

in_core = deprecated(
    None,
    "This class is deprecated. To UPDATE or USE linear optimizers, please check its latest version "
    "in core: tensorflow_estimator/python/estimator/canned/linear_optimizer/.",
)


@tf_export("contrib.linear_optimizer.SparseFeatureColumn")
class SparseFeatureColumn(sdca_model._SparseFeatureColumn):
    __doc__ = sdca_model._SparseFeatureColumn.__doc__

    @in_core
    def __init__(self, example_indices: Any, feature_indices: Any, feature_values: Any):
        super().__init__(example_indices, feature_indices, feature_values)
