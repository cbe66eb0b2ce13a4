"""Linear models of tf.contrib.learn that are always trained by stochastic dual coordinate ascent
(`tensorflow.contrib.linear_optimizer.python.sdca_estimator`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.contrib.learn.estimators import estimator, linear
from tf1compat.api.contrib.learn.estimators import head as head_lib
from tf1compat.api.contrib.learn.estimators.prediction_key import PredictionKey
from tf1compat.api.contrib.linear_optimizer.sdca_optimizer import SDCAOptimizer

_SdcaUpdateWeightsHook = linear._SdcaUpdateWeightsHook
_add_bias_column = linear._add_bias_column
_HEADS = (head_lib._BinaryLogisticHead, head_lib._BinarySvmHead, head_lib._RegressionHead)


def _head_is_valid_for_sdca(head: Any) -> bool:
    return isinstance(head, _HEADS)


def sdca_model_fn(
    features: Any, labels: Any, mode: Any, params: dict[str, Any], config: Any = None
) -> Any:
    """A linear model trained by stochastic dual coordinate ascent.

    Args:
      features: {name: a tensor or SparseTensor}.
      labels: the labels, [batch] or [batch, 1].
      mode: one of `ModeKeys`.
      params: a dict of "head", "feature_columns", "example_id_column", "l1_regularization",
        "l2_regularization", "num_loss_partitions", "weight_column_name", "partitioner" and, if
        wanted, "update_weights_hook".
      config: a `RunConfig`: of its workers there are as many partitions of the loss, if `params`
        don't say.

    Returns:
      `ModelFnOps`.

    Raises:
      ValueError: the head is another.
    """
    head = params["head"]
    if not _head_is_valid_for_sdca(head):
        raise ValueError(f"Unsupported head type: {type(head)}")
    assert head.logits_dimension == 1, "SDCA only applies to logits_dimension=1."
    partitions = params["num_loss_partitions"] or max(1, config.num_worker_replicas)
    optimizer = SDCAOptimizer(
        example_id_column=params["example_id_column"], num_loss_partitions=partitions,
        symmetric_l1_regularization=params["l1_regularization"],
        symmetric_l2_regularization=params["l2_regularization"],
        partitioner=params["partitioner"],
    )  # fmt: skip
    return linear.sdca_model_fn(features, labels, mode, {**params, "optimizer": optimizer})


class _SDCAEstimator(estimator.Estimator):
    """A linear model with a head.

    Args:
      example_id_column: the feature that names examples, string [batch].
      feature_columns: the columns.
      weight_column_name: the feature that holds the examples' weights, or None.
      model_dir, config, feature_engineering_fn: see `tf.contrib.learn.Estimator`.
      head: of two classes, or a regression of one number.
      l1_regularization, l2_regularization: of the weights, over all examples.
      num_loss_partitions: how many steps are run at once; by default one for each worker.
      partitioner: cuts the weights into shards.

    Raises:
      ValueError: the head is another.
    """

    def __init__(
        self, example_id_column: Any, feature_columns: Any, weight_column_name: Any = None,
        model_dir: str | None = None, head: Any = None, l1_regularization: float = 0.0,
        l2_regularization: float = 1.0, num_loss_partitions: Any = None, config: Any = None,
        feature_engineering_fn: Callable[..., Any] | None = None, partitioner: Any = None,
    ):  # fmt: skip
        self._feature_columns = tuple(feature_columns or [])
        assert self._feature_columns
        if not _head_is_valid_for_sdca(head):
            raise ValueError(
                f"head type: {type(head)} is not supported. Supported head types: "
                "_BinaryLogisticHead, _BinarySvmHead and _RegressionHead."
            )
        assert head.logits_dimension == 1
        params = {
            "head": head, "feature_columns": feature_columns,
            "example_id_column": example_id_column, "num_loss_partitions": num_loss_partitions,
            "l1_regularization": l1_regularization, "l2_regularization": l2_regularization,
            "weight_column_name": weight_column_name,
            "update_weights_hook": _SdcaUpdateWeightsHook(), "partitioner": partitioner,
        }  # fmt: skip
        super().__init__(
            model_fn=sdca_model_fn, model_dir=model_dir, config=config, params=params,
            feature_engineering_fn=feature_engineering_fn,
        )  # fmt: skip

    def _each(self, input_fn: Any, key: str) -> Any:
        found = self.predict(input_fn=input_fn, outputs=[key])
        return (prediction[key] for prediction in found)


class SDCALogisticClassifier(_SDCAEstimator):
    """A logistic regression of two classes; see `_SDCAEstimator` for the arguments.

    `feature_engineering_fn` is not called, as in TF 1.15.
    """

    def __init__(
        self, example_id_column: Any, feature_columns: Any, weight_column_name: Any = None,
        model_dir: str | None = None, l1_regularization: float = 0.0,
        l2_regularization: float = 1.0, num_loss_partitions: Any = None, config: Any = None,
        feature_engineering_fn: Callable[..., Any] | None = None, partitioner: Any = None,
    ):  # fmt: skip
        del feature_engineering_fn
        super().__init__(
            example_id_column, feature_columns, weight_column_name, model_dir,
            head_lib.multi_class_head(n_classes=2, weight_column_name=weight_column_name),
            l1_regularization, l2_regularization, num_loss_partitions, config,
            partitioner=partitioner,
        )  # fmt: skip

    def predict_classes(self, input_fn: Any = None) -> Any:
        """An iterator of the classes of what `input_fn` gives."""
        return self._each(input_fn, PredictionKey.CLASSES)

    def predict_proba(self, input_fn: Any = None) -> Any:
        """An iterator of the classes' probabilities for what `input_fn` gives."""
        return self._each(input_fn, PredictionKey.PROBABILITIES)


class SDCALinearRegressor(_SDCAEstimator):
    """A linear regression of one number; see `_SDCAEstimator` for the arguments.

    `feature_engineering_fn` is not called, as in TF 1.15.
    """

    def __init__(
        self, example_id_column: Any, feature_columns: Any, weight_column_name: Any = None,
        model_dir: str | None = None, l1_regularization: float = 0.0,
        l2_regularization: float = 1.0, num_loss_partitions: Any = None, config: Any = None,
        feature_engineering_fn: Callable[..., Any] | None = None, partitioner: Any = None,
    ):  # fmt: skip
        del feature_engineering_fn
        super().__init__(
            example_id_column, feature_columns, weight_column_name, model_dir,
            head_lib.regression_head(weight_column_name=weight_column_name),
            l1_regularization, l2_regularization, num_loss_partitions, config,
            partitioner=partitioner,
        )  # fmt: skip

    def predict_scores(self, input_fn: Any) -> Any:
        """An iterator of the numbers for what `input_fn` gives."""
        return self._each(input_fn, PredictionKey.SCORES)
