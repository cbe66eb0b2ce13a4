"""Support vector machines (`tensorflow.contrib.learn.python.learn.estimators.svm`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.contrib.learn.estimators import canned, estimator, linear
from tf1compat.api.contrib.learn.estimators import head as head_lib
from tf1compat.api.contrib.learn.estimators.prediction_key import PredictionKey
from tf1compat.api.contrib.linear_optimizer.sdca_optimizer import SDCAOptimizer
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core.export import tf_export


@tf_export("contrib.learn.SVM")
class SVM(canned._ByKey):
    """A linear support vector machine of two classes, trained by coordinate ascent.

    Args:
      example_id_column: the feature that names examples, string [batch].
      feature_columns: the columns.
      weight_column_name: the feature that holds the examples' weights, or None.
      model_dir, config, feature_engineering_fn: see `Estimator`.
      l1_regularization, l2_regularization: of the weights.
      num_loss_partitions: how many steps are run at once.
      kernels: None.

    Raises:
      ValueError: there are kernels.
    """

    def __init__(
        self, example_id_column: Any, feature_columns: Any, weight_column_name: Any = None,
        model_dir: str | None = None, l1_regularization: float = 0.0,
        l2_regularization: float = 0.0,
        num_loss_partitions: int = 1, kernels: Any = None, config: Any = None,
        feature_engineering_fn: Callable[..., Any] | None = None,
    ):  # fmt: skip
        if kernels is not None:
            raise ValueError("Kernel SVMs are not currently supported.")
        optimizer = SDCAOptimizer(
            example_id_column=example_id_column, num_loss_partitions=num_loss_partitions,
            symmetric_l1_regularization=l1_regularization,
            symmetric_l2_regularization=l2_regularization,
        )  # fmt: skip
        self._feature_columns = feature_columns
        hook = linear._SdcaUpdateWeightsHook()
        head = head_lib.binary_svm_head(
            weight_column_name=weight_column_name, enable_centered_bias=False
        )
        params = {
            "head": head, "feature_columns": feature_columns, "optimizer": optimizer,
            "weight_column_name": weight_column_name, "update_weights_hook": hook,
        }  # fmt: skip
        estimator.Estimator.__init__(
            self, model_fn=linear.sdca_model_fn, model_dir=model_dir, config=config, params=params,
            feature_engineering_fn=feature_engineering_fn,
        )  # fmt: skip

    @deprecated("2017-03-25", "Please use Estimator.export_savedmodel() instead.")
    def export(
        self, export_dir: Any, signature_fn: Any = None, input_fn: Any = None,
        default_batch_size: int = 1, exports_to_keep: int | None = None,
    ) -> Any:  # fmt: skip
        """See `Estimator.export`; examples are parsed by the feature columns."""
        return self.export_with_defaults(
            export_dir, signature_fn, input_fn, default_batch_size, exports_to_keep
        )

    @deprecated("2017-03-25", "Please use Estimator.export_savedmodel() instead.")
    def export_with_defaults(
        self, export_dir: Any, signature_fn: Any = None, input_fn: Any = None,
        default_batch_size: int = 1, exports_to_keep: int | None = None,
    ) -> Any:  # fmt: skip
        """As `export`."""
        return estimator.Estimator.export(
            self, export_dir=export_dir, signature_fn=signature_fn,
            input_fn=input_fn or self._parsed_examples, default_batch_size=default_batch_size,
            exports_to_keep=exports_to_keep,
        )  # fmt: skip

    @canned.as_iterable_is_true
    def predict_classes(
        self,
        x: Any = None,
        input_fn: Callable[..., Any] | None = None,
        batch_size: Any = None,
        as_iterable: bool = True,
    ) -> Any:
        """The classes; see `Estimator.predict`."""
        return self._by_key(PredictionKey.CLASSES, x, input_fn, batch_size, as_iterable)

    @canned.as_iterable_is_true
    def predict_proba(
        self, x: Any = None, input_fn: Callable[..., Any] | None = None, batch_size: Any = None,
        outputs: Any = None,
        as_iterable: bool = True,
    ) -> Any:  # fmt: skip
        """The probabilities, which this head does not predict; see `Estimator.predict`."""
        return self._by_key(PredictionKey.PROBABILITIES, x, input_fn, batch_size, as_iterable)
