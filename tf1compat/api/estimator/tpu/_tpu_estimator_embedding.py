"""What a `TPUEstimator` is told of embeddings (`tensorflow_estimator` has the same module)."""

from __future__ import annotations

import collections
from typing import Any

from tf1compat.api.feature_column import column_kinds as kinds
from tf1compat.api.feature_column import feature_column as old_columns
from tf1compat.api.feature_column import feature_column_v2 as columns
from tf1compat.api.tpu import feature_column_v2 as tpu_columns
from tf1compat.api.tpu import tpu_embedding
from tf1compat.core.export import tf_export

_COLUMNS = (
    old_columns._NumericColumn, columns.NumericColumn, tpu_columns._TPUEmbeddingColumnV2,
    tpu_columns._TPUSharedEmbeddingColumnV2, old_columns._EmbeddingColumn, columns.EmbeddingColumn,
    old_columns._SharedEmbeddingColumn,
)  # fmt: skip
_OPTIMIZERS = (
    tpu_embedding.AdagradParameters, tpu_embedding.AdamParameters,
    tpu_embedding.StochasticGradientDescentParameters,
)  # fmt: skip


@tf_export("estimator.tpu.experimental.EmbeddingConfigSpec")
class EmbeddingConfigSpec(
    collections.namedtuple(
        "EmbeddingConfigSpec",
        ("feature_columns", "optimization_parameters", "clipping_limit",
         "pipeline_execution_with_tensor_core", "experimental_gradient_multiplier_fn",
         "feature_to_config_dict", "table_to_config_dict", "partition_strategy"),
    )
):  # fmt: skip
    """What a TPU would do with embeddings; off TPUs nothing of it is read, as in TF 1.15.

    Args:
      feature_columns: the columns of `tf.tpu.experimental`, or others.
      optimization_parameters: an `AdagradParameters`, `AdamParameters` or
        `StochasticGradientDescentParameters`.
      clipping_limit: of gradients; None for none.
      pipeline_execution_with_tensor_core: whether a step may begin before the last one's tables
        are updated.
      experimental_gradient_multiplier_fn: of the step.
      feature_to_config_dict, table_to_config_dict: not supported.
      partition_strategy: "div" or "mod".

    Raises:
      ValueError, TypeError: an argument is wrong.
      NotImplementedError: tables are given without columns.
    """

    def __new__(
        cls, feature_columns: Any = None, optimization_parameters: Any = None,
        clipping_limit: Any = None, pipeline_execution_with_tensor_core: bool = False,
        experimental_gradient_multiplier_fn: Any = None, feature_to_config_dict: Any = None,
        table_to_config_dict: Any = None, partition_strategy: str = "div",
    ) -> Any:  # fmt: skip
        has_tables = bool(feature_to_config_dict and table_to_config_dict)
        if bool(feature_columns) == has_tables:
            raise ValueError(
                "Exactly one of `feature_columns` and the pair `feature_to_config_dict` and "
                "`table_to_config_dict` must be be specified."
            )
        if partition_strategy not in ("div", "mod"):
            raise ValueError(
                f'Invalid partition_strategy {partition_strategy}. Must be one of "mod" or "div".'
            )
        if has_tables:
            raise NotImplementedError(
                "tf.estimator.tpu.experimental.EmbeddingConfigSpec: feature_to_config_dict and "
                "table_to_config_dict are not supported by tf1compat, which has no TPU's tables; "
                "give feature_columns"
            )
        for column in feature_columns:
            if not isinstance(column, _COLUMNS):
                names = ", ".join(kinds.tf_class(kind) for kind in _COLUMNS)
                raise TypeError(
                    f"All feature columns must be supported types in ({names}). Got "
                    f"{kinds.tf_type(column)}"
                )
        if not isinstance(optimization_parameters, _OPTIMIZERS):
            names = ", ".join(kinds.tf_class(kind) for kind in _OPTIMIZERS)
            raise ValueError(
                f"optimization_parameters must be an instance of type ({names}). Got "
                f"{kinds.tf_type(optimization_parameters)}."
            )
        return super().__new__(
            cls, feature_columns, optimization_parameters, clipping_limit,
            pipeline_execution_with_tensor_core, experimental_gradient_multiplier_fn,
            feature_to_config_dict, table_to_config_dict, partition_strategy,
        )  # fmt: skip
