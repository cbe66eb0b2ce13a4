"""What canned estimators are put together of: logits, a head, an optimizer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.feature_column import feature_column_v2 as fc
from tf1compat.api.nn import nn_impl
from tf1compat.api.summary import summary
from tf1compat.api.variables import partitioned_variables

_SLICE_OF_INPUT = 64 << 20  # Bytes; smaller tables of the input are not split.


def model_fn_of(model: Callable[..., Any], **settings: Any) -> Callable[..., Any]:
    """The model function of an estimator.

    Args:
      model: a function of features, labels, mode, config and the settings.
      **settings: what the estimator was made with.
    """

    def _model_fn(features: Any, labels: Any, mode: Any, config: Any) -> Any:
        return model(features=features, labels=labels, mode=mode, config=config, **settings)

    return _model_fn


def check_features(features: Any) -> None:
    """Raises ValueError if features are no dict."""
    if not isinstance(features, dict):
        raise ValueError(
            f"features should be a dictionary of `Tensor`s. Given type: {type(features)}"
        )


def check_new_columns(feature_columns: Any) -> None:
    """Raises ValueError if feature columns are not of TF 2's kind."""
    if not fc.is_feature_column_v2(feature_columns):
        raise ValueError(
            "Received a feature column from TensorFlow v1, but this is a TensorFlow v2 Estimator. "
            "Please either use v2 feature columns (accessible via tf.feature_column.* in TF 2.x) "
            "with this Estimator, or switch to a v1 Estimator for use with v1 feature columns "
            "(accessible via tf.compat.v1.estimator.* and tf.compat.v1.feature_column.*, "
            "respectively."
        )


def partitioner(config: Any, of_input: bool = False) -> Any:
    """Splits variables over the parameter servers; only large ones `of_input`."""
    most = config.num_ps_replicas if config else 0
    more = {"min_slice_size": _SLICE_OF_INPUT} if of_input else {}
    return partitioned_variables.min_max_variable_partitioner(max_partitions=most, **more)


def summarize_layer(value: Any, tag: str) -> None:
    """How many values of a layer are zero, and their histogram."""
    summary.scalar(f"{tag}/fraction_of_zero_values", nn_impl.zero_fraction(value))
    summary.histogram(f"{tag}/activation", value)
