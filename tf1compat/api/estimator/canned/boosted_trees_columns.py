"""The features that trees split: each a vector of buckets, of a column's dimension or category."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.feature_column import feature_column as fc_old
from tf1compat.api.feature_column import feature_column_v2 as fc
from tf1compat.api.feature_column import feature_layers
from tf1compat.api.math import math_ops
from tf1compat.api.trees import boosted_trees_ops
from tf1compat.core.tensor import Tensor

_BUCKETIZED = (fc.BucketizedColumn, fc_old._BucketizedColumn)
_INDICATOR = (fc.IndicatorColumn, fc_old._IndicatorColumn)
_DENSE = (fc.DenseColumn, fc_old._DenseColumn)
_CATEGORICAL = (fc.CategoricalColumn, fc_old._CategoricalColumn)
_CATEGORY_BUCKETS = 2  # A category is there or isn't.


def is_indicator(column: Any) -> bool:
    """Whether a column's features are categories."""
    return isinstance(column, _INDICATOR)


def sorted_columns(feature_columns: Any) -> list[Any]:
    """Columns by their names."""
    return sorted(feature_columns, key=lambda column: column.name)


def _is_float_column(column: Any) -> bool:
    """Whether a column's numbers have to be put into buckets.

    Raises:
      ValueError: it is no column.
    """
    if isinstance(column, (*_CATEGORICAL, *_BUCKETIZED, *_INDICATOR)):
        return False
    if isinstance(column, _DENSE):
        return column.dtype.is_floating
    raise ValueError(f"Encountered unexpected column {column}")


def _get_float_feature_columns(columns: Sequence[Any]) -> list[Any]:
    return [column for column in columns if _is_float_column(column)]


def _get_variable_shape(column: Any) -> Any:
    is_new = fc.is_feature_column_v2([column])
    return column.variable_shape if is_new else column._variable_shape


def _width(column: Any) -> int:
    """How many features a column has.

    Raises:
      ValueError: trees cannot split it.
    """
    if is_indicator(column):
        return column.categorical_column._num_buckets
    if isinstance(column, _BUCKETIZED):
        return 1
    if isinstance(column, _DENSE):
        shape = _get_variable_shape(column)
        return int(shape[0]) if shape.as_list() else 1
    raise _unexpected(column)


def _unexpected(column: Any) -> ValueError:
    if isinstance(column, _CATEGORICAL):
        return ValueError(f"CategoricalColumn must be wrapped by IndicatorColumn, got: {column}")
    return ValueError("Got unexpected feature column type")


def _calculate_num_features(columns: Sequence[Any]) -> int:
    return sum(_width(column) for column in columns)


def _generate_feature_col_name_mapping(columns: Sequence[Any]) -> list[str]:
    """The name of the column that each feature comes from."""
    names = []
    for column in columns:
        width = _width(column)
        names += [(column.categorical_column if is_indicator(column) else column).name] * width
    return names


def _group_features_by_num_buckets(
    sorted_feature_columns: Sequence[Any], num_quantiles: int
) -> tuple[list[int], list[list[int]]]:
    """Numbers of buckets, and for each the features that have so many.

    Columns that come with buckets are all taken to have as many as the one with most.

    Raises:
      ValueError: trees cannot split a column.
    """
    groups: dict[int, list[int]] = {}
    bucketized: list[int] = []
    most, first = 2, 0
    for column in sorted_feature_columns:
        features = range(first, first := first + _width(column))
        if isinstance(column, _BUCKETIZED):
            most = max(most, len(column.boundaries) + 1)
            bucketized += features
        else:
            buckets = _CATEGORY_BUCKETS if is_indicator(column) else num_quantiles
            groups.setdefault(buckets, []).extend(features)
    if bucketized:
        groups.setdefault(most, []).extend(bucketized)
    return list(groups), list(groups.values())


def _get_float_boundaries_dict(
    float_columns: Sequence[Any], bucket_boundaries: Sequence[Any]
) -> dict[str, Any]:
    """{a column's name: the boundaries of its features}."""
    found, first = {}, 0
    for column in float_columns:
        found[column.name] = bucket_boundaries[first : (first := first + _width(column))]
    return found


def _apply_feature_transformations(features: Any, feature_columns: Any) -> dict[Any, Any]:
    """{column: its values}."""
    new = [column for column in feature_columns if fc.is_feature_column_v2([column])]
    old = [column for column in feature_columns if column not in new]
    values: dict[Any, Any] = {}
    if new:
        state_manager = feature_layers._StateManagerImpl(layer=None, trainable=False)
        values.update(fc._transform_features_v2(features, new, state_manager))
    if old:
        values.update(fc_old._transform_features(features, old))
    return values


def _get_transformed_features(
    features: Any,
    sorted_feature_columns: Sequence[Any],
    bucket_boundaries_dict: dict[str, Any] | None = None,
    transformed: dict[Any, Any] | None = None,
) -> list[Tensor]:
    """The features of columns, each a vector.

    Args:
      features: {key: tensor}.
      sorted_feature_columns: columns, by their names.
      bucket_boundaries_dict: see `_get_float_boundaries_dict`; without it numbers stay as they are.
      transformed: {column: values} of columns whose values are known.

    Raises:
      ValueError: an example has more of a column than a vector.
    """
    known = transformed or {}
    columns = [column for column in sorted_feature_columns if column not in known]
    values = {**_apply_feature_transformations(features, columns), **known}
    found: list[Tensor] = []
    for column in sorted_feature_columns:
        found += _vectors(column, values, features, bucket_boundaries_dict)
    return found


def _vectors(
    column: Any, values: dict[Any, Any], features: Any, boundaries: dict[str, Any] | None
) -> list[Tensor]:
    if isinstance(column, _BUCKETIZED):
        vector = array_ops.squeeze(values[column], axis=1)
        if len(vector.shape) > 1:
            name = column.source_column.name
            raise ValueError(
                "For now, only supports features equivalent to rank 1 "
                f"but column `{name}` got: {features[name].shape}"
            )
        return [vector]
    if is_indicator(column):
        counts = math_ops.to_int32(values[column])
        if len(counts.shape) > 2:
            name = column.categorical_column.name
            raise ValueError(
                "Rank of indicator column must be no more than 2, "
                f"but column `{name}` got: {features[name].shape}"
            )
        return array_ops.unstack(counts, axis=1)
    if not isinstance(column, _DENSE):
        raise _unexpected(column)
    if _get_variable_shape(column).rank > 1:
        raise ValueError(
            "For now, we only support Dense column with rank of 1, but column "
            f"`{column.name}` got: {column.variable_shape}"
        )
    vectors = array_ops.unstack(values[column], axis=1)
    if not boundaries:
        return vectors
    return boosted_trees_ops.boosted_trees_bucketize(vectors, boundaries[column.name])
