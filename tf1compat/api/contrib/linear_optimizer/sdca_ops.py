"""Linear models trained by stochastic dual coordinate ascent
(`tensorflow.contrib.linear_optimizer.python.ops.sdca_ops`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.linear_optimizer.sharded_mutable_dense_hashtable import (
    ShardedMutableDenseHashTable,
)
from tf1compat.api.contrib.linear_optimizer.sparse_feature_column import in_core
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.learning import sdca_model
from tf1compat.api.math import math_ops
from tf1compat.api.variables import variables
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor


@tf_export("contrib.linear_optimizer.SdcaModel")
class SdcaModel(sdca_model._SDCAModel):
    __doc__ = sdca_model._SDCAModel.__doc__

    _slot = "unshrinked/SDCAOptimizer"
    _variable = variables.VariableV1
    _table = ShardedMutableDenseHashTable
    _where = staticmethod(array_ops.where)

    @in_core
    def __init__(self, examples: Any, variables: Any, options: Any):
        super().__init__(examples, variables, options)

    def _check_regularization(self, options: Any) -> None:
        for name in ("symmetric_l1_regularization", "symmetric_l2_regularization"):
            if options[name] < 0.0:
                raise ValueError(f"{name} should be non-negative. Found ({options[name]:f})")

    def _symmetric_l2_regularization(self) -> float:
        # The algorithm needs as much.
        return max(self._options["symmetric_l2_regularization"], 1.0)

    def _to_double(self, values: Any) -> Tensor:
        return math_ops.cast(values, dtypes.float64)

    def _linear_predictions(self, examples: Any) -> Tensor:
        with ops.name_scope("sdca/prediction"):
            sparse: Any = 0.0
            weights = sdca_model._tensors(self._variables["sparse_features_weights"])
            for column, own in zip(examples["sparse_features"], weights):
                sparse += sdca_model._segment_sums(column, own)
            features = sdca_model._tensors(examples["dense_features"])
            weights = sdca_model._tensors(self._variables["dense_features_weights"])
            dense: Any = 0.0
            for x, own in zip(features, weights):
                dense += math_ops.matmul(x, array_ops.expand_dims(own, -1))
        return array_ops.reshape(dense, [-1]) + sparse

    def _shrink(self, updates: list[Any]) -> ops.Operation:
        l1, l2 = self._symmetric_l1_regularization(), self._symmetric_l2_regularization()
        with ops.control_dependencies(updates):
            found = []
            for var in self._all_shards():
                with ops.device(var.device):
                    found.append(raw_ops.SdcaShrinkL1([var], l1=l1, l2=l2))
            return control_flow_ops.group(*found)
