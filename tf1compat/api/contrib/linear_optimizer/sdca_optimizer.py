"""What trains linear models of tf.contrib.learn by stochastic dual coordinate ascent
(`tensorflow.contrib.linear_optimizer.python.sdca_optimizer`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.layers import id_columns, number_columns
from tf1compat.api.contrib.linear_optimizer import sdca_ops
from tf1compat.api.contrib.linear_optimizer.sparse_feature_column import SparseFeatureColumn
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.estimator.canned.linear import unique_features
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


@tf_export("contrib.linear_optimizer.SDCAOptimizer")
class SDCAOptimizer:
    """Trains `tf.contrib.learn.LinearClassifier` of two classes, `LinearRegressor` and `SVM`.

    Args:
      example_id_column: the feature that names examples, string [batch].
      num_loss_partitions: how many steps are run at once.
      num_table_shards: how many tables hold what is known of examples.
      symmetric_l1_regularization, symmetric_l2_regularization: at least 0.
      adaptive: whether examples that change more come more often.
      partitioner: cuts the weights into shards.
    """

    def __init__(
        self, example_id_column: Any, num_loss_partitions: int = 1, num_table_shards: Any = None,
        symmetric_l1_regularization: float = 0.0, symmetric_l2_regularization: float = 1.0,
        adaptive: bool = True, partitioner: Any = None,
    ):  # fmt: skip
        self.example_id_column = example_id_column
        self.num_loss_partitions = num_loss_partitions
        self.num_table_shards = num_table_shards
        self.symmetric_l1_regularization = symmetric_l1_regularization
        self.symmetric_l2_regularization = symmetric_l2_regularization
        self.adaptive = adaptive
        self.partitioner = partitioner

    def get_name(self) -> str:
        """The optimizer's name."""
        return "SDCAOptimizer"

    def get_train_step(
        self, columns_to_variables: Any, weight_column_name: Any, loss_type: str, features: Any,
        targets: Any, global_step: TensorLike,
    ) -> tuple[Any, Any]:  # fmt: skip
        """Records a step.

        Args:
          columns_to_variables: {feature column: the parts of its weights}.
          weight_column_name: the feature that holds the examples' weights, or None.
          loss_type: "hinge_loss", "logistic_loss" or "squared_loss".
          features: {feature column, or name: a tensor or SparseTensor}.
          targets: the labels.
          global_step: counts the steps.

        Returns:
          The model, and the operation.

        Raises:
          ValueError: a column is of no kind that is supported.
        """
        count = targets.get_shape()[0]
        dense, sparse = ([], []), ([], [])
        for column in sorted(columns_to_variables, key=lambda x: x.key):
            parts, tensor = columns_to_variables[column], features[column]
            if isinstance(column, number_columns._RealValuedColumn):
                dense[0].append(_matrix(tensor))
                dense[1].append(parts[0])
                continue
            if isinstance(column, number_columns._BucketizedColumn):
                sparse[0].append(_nonzero(column._to_dnn_input_layer(tensor)))
            elif isinstance(column, _SPARSE):
                sparse[0].append(_features(column, tensor))
            else:
                kind = type(column).__name__
                raise ValueError(f"SDCAOptimizer does not support column type {kind}.")
            sparse[1].append(parts if len(parts) > 1 else parts[0])
        if weight_column_name:
            weights = array_ops.reshape(features[weight_column_name], shape=[-1])
        else:
            weights = array_ops.ones([count])
        labels = math_ops.cast(array_ops.reshape(targets, shape=[-1]), dtypes.float32)
        examples = {
            "sparse_features": sparse[0], "dense_features": dense[0], "example_labels": labels,
            "example_weights": weights, "example_ids": features[self.example_id_column],
        }  # fmt: skip
        variables = {"sparse_features_weights": sparse[1], "dense_features_weights": dense[1]}
        options = {
            key: getattr(self, key)
            for key in (
                "symmetric_l1_regularization", "symmetric_l2_regularization", "adaptive",
                "num_loss_partitions", "num_table_shards",
            )
        }  # fmt: skip
        options["loss_type"] = loss_type
        model = sdca_ops.SdcaModel(examples=examples, variables=variables, options=options)
        return model, model.minimize(global_step=global_step)


_SPARSE = (
    id_columns._WeightedSparseColumn, id_columns._CrossedColumn, id_columns._SparseColumn,
)  # fmt: skip


def _matrix(tensor: Any) -> Any:
    """A column of numbers as [batch, dimensions]."""
    is_matrix = control_flow_ops.Assert(
        math_ops.less_equal(array_ops.rank(tensor), 2),
        ["transformed_tensor should have rank at most 2."],
    )
    with ops.control_dependencies([is_matrix]):
        return array_ops.reshape(tensor, [array_ops.shape(tensor)[0], -1])


def _nonzero(tensor: Any) -> SparseFeatureColumn:
    """What of a tensor [batch, dimensions] is not zero."""
    zero = math_ops.cast(0.0, tensor.dtype)
    indices = array_ops.where(math_ops.not_equal(tensor, zero))
    values = array_ops.gather_nd(tensor, indices)
    examples, places = (
        array_ops.reshape(array_ops.split(value=indices, num_or_size_splits=2, axis=1)[axis], [-1])
        for axis in (0, 1)
    )
    values = array_ops.reshape(math_ops.cast(values, dtypes.float32), [-1])
    return SparseFeatureColumn(examples, places, values)


def _features(column: Any, tensor: Any) -> SparseFeatureColumn:
    """The features of a column of ids."""
    if isinstance(column, id_columns._WeightedSparseColumn):
        ids = column.id_tensor(tensor)
        weights = array_ops.reshape(column.weight_tensor(tensor).values, [-1])
    else:
        ids = tensor
        weights = array_ops.ones([array_ops.shape(ids.indices)[0]], dtypes.float32)
    examples = array_ops.reshape(ids.indices[:, 0], [-1])
    flat = array_ops.reshape(ids.values, [-1])
    return SparseFeatureColumn(*unique_features(examples, flat, weights))
