"""Linear models of features that kernels map
(`tensorflow.contrib.kernel_methods.python.kernel_estimators`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.kernel_methods.dense_kernel_mapper import DenseKernelMapper
from tf1compat.api.contrib.layers import feature_column
from tf1compat.api.contrib.layers.number_columns import _RealValuedColumn
from tf1compat.api.contrib.learn.estimators import estimator, linear
from tf1compat.api.contrib.learn.estimators import head as head_lib
from tf1compat.api.contrib.learn.estimators.prediction_key import PredictionKey
from tf1compat.api.platform import tf_logging as logging
from tf1compat.core.export import tf_export


def _update_features_and_columns(
    features: Any, feature_columns: Any, kernel_mappers_dict: Any
) -> tuple[Any, Any]:
    """The features and columns, and those that the kernels make."""
    if kernel_mappers_dict is None:
        return features, feature_columns
    features, columns = dict(features), set(feature_columns)
    mapped = {}
    for column, mappers in kernel_mappers_dict.items():
        if not isinstance(column, _RealValuedColumn):
            logging.warning(
                "Updates are currently supported on RealValuedColumns only. Metadata for "
                f"FeatureColumn {column.name} will not be updated."
            )
            continue
        name = column.name + "_MAPPED"
        size = sum(mapper.output_dim for mapper in mappers)
        columns.add(feature_column.real_valued_column(name, size))
        mapped[name] = array_ops.concat([m.map(features[column.name]) for m in mappers], 1)
    features.update(mapped)
    return features, columns


def _kernel_model_fn(
    features: Any, labels: Any, mode: Any, params: dict[str, Any], config: Any = None
) -> Any:
    features, columns = _update_features_and_columns(
        features, params["feature_columns"], params["kernel_mappers"]
    )
    params["feature_columns"] = columns
    return linear._linear_model_fn(features, labels, mode, params, config)


class _KernelEstimator(estimator.Estimator):
    def __init__(
        self, feature_columns: Any = None, model_dir: str | None = None,
        weight_column_name: Any = None,
        head: Any = None, optimizer: Any = None, kernel_mappers: Any = None, config: Any = None,
    ):  # fmt: skip
        del weight_column_name  # The head has it.
        if not feature_columns and not kernel_mappers:
            raise ValueError("You should set at least one of feature_columns, kernel_mappers.")
        mappers = [one for found in (kernel_mappers or {}).values() for one in found]
        if not all(isinstance(mapper, DenseKernelMapper) for mapper in mappers):
            raise ValueError("Invalid kernel mappers.")
        if not isinstance(head, head_lib._BinaryLogisticHead | head_lib._MultiClassHead):
            raise ValueError(
                f"head type: {type(head)} is not supported. Supported head types: "
                "_BinaryLogisticHead, _MultiClassHead."
            )
        params = {
            "head": head, "feature_columns": feature_columns or [], "optimizer": optimizer,
            "kernel_mappers": kernel_mappers,
        }  # fmt: skip
        super().__init__(
            model_fn=_kernel_model_fn, model_dir=model_dir, config=config, params=params
        )


@tf_export("contrib.kernel_methods.KernelLinearClassifier")
class KernelLinearClassifier(_KernelEstimator):
    """A linear classifier of features and of what kernels map them to.

    Args:
      feature_columns: the columns that are taken as they are.
      model_dir, config: see `Estimator`.
      n_classes: how many classes.
      weight_column_name: the feature that holds the examples' weights, or None.
      optimizer: an optimizer, its name, or a function that makes one; Ftrl if None.
      kernel_mappers: {column of numbers: a list of mappers}.

    Raises:
      ValueError: `n_classes` is below 2, there are no columns, or a mapper is none.
    """

    def __init__(
        self, feature_columns: Any = None, model_dir: str | None = None, n_classes: int = 2,
        weight_column_name: Any = None, optimizer: Any = None, kernel_mappers: Any = None,
        config: Any = None,
    ):  # fmt: skip
        head = head_lib.multi_class_head(n_classes=n_classes, weight_column_name=weight_column_name)
        super().__init__(
            feature_columns, model_dir, weight_column_name, head, optimizer, kernel_mappers, config
        )

    def predict_classes(self, input_fn: Callable[..., Any] | None = None) -> Iterator[Any]:
        """An iterator of the likeliest class of each example."""
        return self._by_key(PredictionKey.CLASSES, input_fn)

    def predict_proba(self, input_fn: Callable[..., Any] | None = None) -> Iterator[Any]:
        """An iterator of the probabilities of each example's classes."""
        return self._by_key(PredictionKey.PROBABILITIES, input_fn)

    def _by_key(self, key: str, input_fn: Any) -> Iterator[Any]:
        found: Any = self.predict(input_fn=input_fn, outputs=[key])
        return (one[key] for one in found)
