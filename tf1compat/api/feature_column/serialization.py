"""Columns as plain data, and back (`tensorflow.python.feature_column.serialization`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.feature_column import feature_column_v2 as fc_lib
from tf1compat.api.feature_column import sequence_feature_column as sfc_lib
from tf1compat.api.keras import initializers
from tf1compat.api.random import init_ops
from tf1compat.core import dtypes

_FEATURE_COLUMNS = [
    fc_lib.BucketizedColumn,
    fc_lib.CrossedColumn,
    fc_lib.EmbeddingColumn,
    fc_lib.HashedCategoricalColumn,
    fc_lib.IdentityCategoricalColumn,
    fc_lib.IndicatorColumn,
    fc_lib.NumericColumn,
    fc_lib.SequenceCategoricalColumn,
    fc_lib.SequenceDenseColumn,
    fc_lib.SharedEmbeddingColumn,
    fc_lib.VocabularyFileCategoricalColumn,
    fc_lib.VocabularyListCategoricalColumn,
    fc_lib.WeightedCategoricalColumn,
    init_ops.TruncatedNormal,
    sfc_lib.SequenceNumericColumn,
]


def serialize_feature_column(fc: Any) -> Any:
    """A column as {"class_name": …, "config": …}; a key stays one.

    Raises:
      ValueError: it is neither.
    """
    if isinstance(fc, str):
        return fc
    if not isinstance(fc, fc_lib.FeatureColumn):
        raise ValueError(f"Instance: {fc} is not a FeatureColumn")
    return {"class_name": type(fc).__name__, "config": fc._get_config()}


def deserialize_feature_column(
    config: Any, custom_objects: dict[str, Any] | None = None, columns_by_name: Any = None
) -> Any:
    """The column of what `serialize_feature_column` gave.

    Args:
      config: the plain data, or a key.
      custom_objects: {name: a class or function} besides those of TF.
      columns_by_name: the columns made so far; an equal one is used again.

    Raises:
      ValueError: it isn't a column's data.
    """
    if isinstance(config, str):
        return config
    if not isinstance(config, dict) or "class_name" not in config or "config" not in config:
        raise ValueError(f"Improper config format: {config}")
    name = config["class_name"]
    known = {cls.__name__: cls for cls in _FEATURE_COLUMNS}
    cls: Any = (custom_objects or {}).get(name) or known.get(name)
    if cls is None:
        raise ValueError(f"Unknown feature_column_v2: {name}")
    if not issubclass(cls, fc_lib.FeatureColumn):
        raise ValueError(f"Expected FeatureColumn class, instead found: {cls}")
    columns_by_name = {} if columns_by_name is None else columns_by_name
    column = cls._from_config(
        config["config"], custom_objects=custom_objects, columns_by_name=columns_by_name
    )
    return columns_by_name.setdefault(_column_name_with_class_name(column), column)


def serialize_feature_columns(feature_columns: Any) -> list[Any]:
    """Each of the columns as plain data."""
    return [serialize_feature_column(column) for column in feature_columns]


def deserialize_feature_columns(
    configs: Any, custom_objects: dict[str, Any] | None = None
) -> list[Any]:
    """The columns of what `serialize_feature_columns` gave; equal ones are one."""
    found: dict[str, Any] = {}
    return [deserialize_feature_column(config, custom_objects, found) for config in configs]


def _column_name_with_class_name(fc: Any) -> str:
    return f"{type(fc).__name__}:{fc.name}"


def plain_field(field: str, value: Any) -> Any:
    """A column's field as plain data."""
    if field in ("categorical_column", "source_column"):
        return serialize_feature_column(value)
    if field == "keys":
        return tuple(map(serialize_feature_column, value))
    if field in ("normalizer_fn", "initializer"):
        return initializers.serialize(value)
    return value.name if field == "dtype" else value


def field(field: str, value: Any, custom_objects: Any, columns_by_name: Any) -> Any:
    """The field of what `plain_field` gave."""
    if field in ("categorical_column", "source_column"):
        return deserialize_feature_column(value, custom_objects, columns_by_name)
    if field == "keys":
        return tuple(
            deserialize_feature_column(key, custom_objects, columns_by_name) for key in value
        )
    if field == "initializer":
        return initializers.deserialize(value, custom_objects=custom_objects)
    if field == "normalizer_fn" and value is not None:
        if value not in (custom_objects or {}):
            raise ValueError(f"Unknown object:{value}")
        return custom_objects[value]
    return dtypes.as_dtype(value) if field == "dtype" else value
