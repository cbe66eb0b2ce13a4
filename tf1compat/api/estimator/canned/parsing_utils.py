"""How the examples of canned estimators are parsed
(`tensorflow_estimator.python.estimator.canned.parsing_utils`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.feature_column import feature_column as fc_old
from tf1compat.api.feature_column import feature_column_v2 as fc
from tf1compat.api.io import parsing_ops
from tf1compat.core import dtypes
from tf1compat.core.export import tf_export


def _add_label_and_weight_to_parsing_spec(
    parsing_spec: dict[str, Any], label_key: Any, label_spec: Any, weight_column: Any = None
) -> dict[str, Any]:
    if label_key in parsing_spec:
        raise ValueError(
            f"label should not be used as feature. label_key: {label_key}, features: "
            f"{parsing_spec.keys()}"
        )
    parsing_spec[label_key] = label_spec
    if weight_column is None:
        return parsing_spec
    if isinstance(weight_column, str):
        weight_column = fc.numeric_column(weight_column)
    if not isinstance(weight_column, fc.NumericColumn):
        raise ValueError(
            "weight_column should be an instance of tf.feature_column.numeric_column. Given type: "
            f"{type(weight_column)} value: {weight_column}"
        )
    if weight_column.key in parsing_spec:
        raise ValueError(
            f"weight_column should not be used as feature. weight_column: {weight_column.key}, "
            f"features: {parsing_spec.keys()}"
        )
    parsing_spec.update(weight_column.parse_example_spec)
    return parsing_spec


@tf_export("estimator.classifier_parse_example_spec")
def classifier_parse_example_spec(
    feature_columns: Any, label_key: Any, label_dtype: Any = dtypes.int64,
    label_default: Any = None, weight_column: Any = None,
) -> dict[str, Any]:  # fmt: skip
    """What `tf.parse_example` needs for the examples of a classifier.

    Args:
      feature_columns: the columns.
      label_key: the label's name.
      label_dtype: int64, or string if there is a vocabulary.
      label_default: the label of examples that have none.
      weight_column: the feature that holds weights, a name or a numeric column.

    Returns:
      {name: how it is parsed}.

    Raises:
      ValueError: the label or the weight is a feature too, or the weight is something else.
    """
    return _add_label_and_weight_to_parsing_spec(
        fc_old.make_parse_example_spec(feature_columns), label_key,
        parsing_ops.FixedLenFeature((1,), label_dtype, label_default), weight_column,
    )  # fmt: skip


@tf_export("estimator.regressor_parse_example_spec")
def regressor_parse_example_spec(
    feature_columns: Any, label_key: Any, label_dtype: Any = dtypes.float32,
    label_default: Any = None, label_dimension: Any = 1, weight_column: Any = None,
) -> dict[str, Any]:  # fmt: skip
    """What `tf.parse_example` needs for the examples of a regressor.

    Args:
      label_dimension: how many numbers a label has.
      The others: see `classifier_parse_example_spec`.

    Returns:
      {key: a `FixedLenFeature` or `VarLenFeature`}.

    Raises:
      ValueError: the label or the weight is a feature too, or the weight is something else.
    """
    return _add_label_and_weight_to_parsing_spec(
        fc_old.make_parse_example_spec(feature_columns), label_key,
        parsing_ops.FixedLenFeature((label_dimension,), label_dtype, label_default),
        weight_column,
    )  # fmt: skip


@tf_export("compat.v2.estimator.classifier_parse_example_spec")
def classifier_parse_example_spec_v2(
    feature_columns: Any, label_key: Any, label_dtype: Any = dtypes.int64,
    label_default: Any = None, weight_column: Any = None,
) -> dict[str, Any]:  # fmt: skip
    """As `classifier_parse_example_spec`, for TF 2's columns alone. Args: see there.

    Returns:
      A dict from keys to what `tf.io.parse_example` takes for them.
    """
    return _add_label_and_weight_to_parsing_spec(
        fc.make_parse_example_spec_v2(feature_columns), label_key,
        parsing_ops.FixedLenFeature((1,), label_dtype, label_default), weight_column,
    )  # fmt: skip


@tf_export("compat.v2.estimator.regressor_parse_example_spec")
def regressor_parse_example_spec_v2(
    feature_columns: Any, label_key: Any, label_dtype: Any = dtypes.float32,
    label_default: Any = None, label_dimension: Any = 1, weight_column: Any = None,
) -> dict[str, Any]:  # fmt: skip
    """As `regressor_parse_example_spec`, for TF 2's columns alone. Args: see there.

    Returns:
      A dict from keys to what `tf.io.parse_example` takes for them.
    """
    return _add_label_and_weight_to_parsing_spec(
        fc.make_parse_example_spec_v2(feature_columns), label_key,
        parsing_ops.FixedLenFeature((label_dimension,), label_dtype, label_default), weight_column,
    )  # fmt: skip
