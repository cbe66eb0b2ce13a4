"""The part of `tensorflow.python.feature_column.feature_column_v2` that all columns extend."""

from __future__ import annotations

import abc
import collections
from typing import Any

from tf1compat.api.feature_column import column_kinds as kinds
from tf1compat.api.feature_column import feature_column as fc_old
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import DTypeLike, Initializer, ShapeLike

_FEATURE_COLUMN_DEPRECATION_DATE = None


_FEATURE_COLUMN_DEPRECATION = (
    "The old _FeatureColumn APIs are being deprecated. Please use the new FeatureColumn APIs "
    "instead."
)


class StateManager:
    """Keeps the variables and resources of columns."""

    def create_variable(
        self, feature_column: Any, name: str, shape: ShapeLike, dtype: DTypeLike | None = None,
        trainable: bool = True, use_resource: bool = True, initializer: Initializer | None = None,
    ) -> Any:  # fmt: skip
        """Makes a variable of a column.

        Args:
          feature_column: the column.
          name: the variable's name, which the column knows it by.
          shape, dtype, trainable, use_resource, initializer: see `tf.get_variable`.
        """
        raise NotImplementedError("StateManager.create_variable")

    def add_variable(self, feature_column: Any, var: Any) -> None:
        """Keeps a variable that is there already."""
        raise NotImplementedError("StateManager.add_variable")

    def get_variable(self, feature_column: Any, name: str) -> Any:
        """A column's variable."""
        raise NotImplementedError("StateManager.get_var")

    def add_resource(self, feature_column: Any, name: str, resource: Any) -> None:
        """Keeps something else of a column's, e.g. a table."""
        raise NotImplementedError("StateManager.add_resource")

    def get_resource(self, feature_column: Any, name: str) -> Any:
        """A column's resource."""
        raise NotImplementedError("StateManager.get_resource")


class FeatureColumn(abc.ABC):
    """Something that is made of features."""

    @property
    @abc.abstractmethod
    def name(self) -> str:
        """The column's name, unique among those of a model."""

    def __lt__(self, other: Any) -> bool:
        return str(self) < str(other)

    def __gt__(self, other: Any) -> bool:
        return str(self) > str(other)

    @abc.abstractmethod
    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The column's value, made of what the cache has of features and other columns."""

    @property
    @abc.abstractmethod
    def parse_example_spec(self) -> dict[str, Any]:
        """{key: how to parse that feature}."""

    def create_state(self, state_manager: Any) -> None:
        """Makes the column's variables; most have none."""
        return

    @property
    @abc.abstractmethod
    def _is_v2_column(self) -> bool:
        """Whether the column and those that it is made of are new ones."""

    @property
    @abc.abstractmethod
    def parents(self) -> list[Any]:
        """The columns and keys that it is made of."""

    @abc.abstractmethod
    def _get_config(self) -> dict[str, Any]:
        """The column as plain data."""

    @classmethod
    def _from_config(
        cls,
        config: dict[str, Any],
        custom_objects: dict[str, Any] | None = None,
        columns_by_name: Any = None,
    ) -> Any:
        """A column from what `_get_config` gave."""
        return None


class DenseColumn(FeatureColumn):
    """A column that is a dense tensor [batch, *variable_shape]."""

    @property
    @abc.abstractmethod
    def variable_shape(self) -> TensorShape:
        """The shape without the batch."""

    @abc.abstractmethod
    def get_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The tensor."""


class CategoricalColumn(FeatureColumn):
    """A column of ids below a known number."""

    IdWeightPair = collections.namedtuple("IdWeightPair", ("id_tensor", "weight_tensor"))

    @property
    @abc.abstractmethod
    def num_buckets(self) -> int:
        """How many ids there are."""

    @abc.abstractmethod
    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> Any:
        """An `IdWeightPair`: ids, and weights or None."""


class SequenceDenseColumn(FeatureColumn):
    """A column that is a sequence of dense tensors."""

    TensorSequenceLengthPair = collections.namedtuple(
        "TensorSequenceLengthPair", ("dense_tensor", "sequence_length")
    )

    @abc.abstractmethod
    def get_sequence_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Any:
        """A `TensorSequenceLengthPair`: [batch, time, *variable_shape] and [batch]."""


def is_feature_column_v2(feature_columns: Any) -> bool:
    """Whether all are new columns, made of new ones."""
    return all(isinstance(c, FeatureColumn) and c._is_v2_column for c in feature_columns)


class FeatureTransformationCache(kinds.Features):
    """Features by key, and the values of columns, each made when it is first asked for.

    Args:
      features: {key: a tensor or SparseTensor}.
    """

    _column_class = FeatureColumn

    def get(self, key: Any, state_manager: Any) -> Any:
        """The value of a feature (a matrix at least) or of a column.

        Raises:
          TypeError: `key` is neither.
          ValueError: there is no such feature, or it is a scalar.
        """
        return self._get(key, lambda column: column.transform_feature(self, state_manager))


class NewAccess:
    """How columns use each other in the new way; see `column_kinds`.

    Args:
      cache: a `FeatureTransformationCache`.
      state_manager: a `StateManager`.
    """

    # Set below.
    sequence_class: Any
    categorical_classes = (CategoricalColumn, fc_old._CategoricalColumn)

    def __init__(self, cache: Any = None, state_manager: Any = None):
        self._cache, self.state_manager = cache, state_manager

    def get(self, key: Any) -> Any:
        """A feature, or a column's value."""
        return self._cache.get(key, self.state_manager)

    def transform(self, column: Any) -> Any:
        """A column's value, made anew."""
        return column.transform_feature(self._cache, self.state_manager)

    def ids(self, column: Any) -> Any:
        """A categorical column's ids and weights."""
        return column.get_sparse_tensors(self._cache, self.state_manager)

    def spec(self, column: Any) -> dict[str, Any]:
        """What a column parses."""
        is_new = isinstance(column, FeatureColumn)
        return column.parse_example_spec if is_new else column._parse_example_spec

    def buckets(self, column: Any) -> int:
        """How many ids a categorical column has."""
        is_new = isinstance(column, FeatureColumn)
        return getattr(column, "num_buckets" if is_new else "_num_buckets")

    def keep(self, column: Any, name: str, resource: Any) -> None:
        """Keeps a table of a column's."""
        if self.state_manager is not None:
            self.state_manager.add_resource(column, name, resource)


class _New:
    """The new methods of columns, made of what `column_kinds` says."""

    _parents: tuple[str, ...] = ("key",)  # The fields that are columns or keys.
    _fields: tuple[str, ...]

    @property
    def parse_example_spec(self: Any) -> dict[str, Any]:
        """{key: how to parse that feature}."""
        return self._spec(NewAccess())

    def transform_feature(self: Any, transformation_cache: Any, state_manager: Any) -> Any:
        """The column's value."""
        return self._value(NewAccess(transformation_cache, state_manager))

    @property
    def parents(self) -> list[Any]:
        """The columns and keys that it is made of."""
        return [getattr(self, field) for field in self._parents]

    @property
    def _is_v2_column(self) -> bool:
        return is_feature_column_v2(p for p in self.parents if not isinstance(p, str))

    def _get_config(self: Any) -> dict[str, Any]:
        from tf1compat.api.feature_column import serialization

        return {
            field: serialization.plain_field(field, value)
            for field, value in zip(self._fields, self, strict=True)
        }

    @classmethod
    def _from_config(
        cls: Any,
        config: dict[str, Any],
        custom_objects: dict[str, Any] | None = None,
        columns_by_name: Any = None,
    ) -> Any:
        from tf1compat.api.feature_column import serialization

        _check_config_keys(config, cls._fields)
        return cls(**{
            field: serialization.field(field, value, custom_objects, columns_by_name)
            for field, value in _standardize_and_copy_config(config).items()
        })  # fmt: skip


class NewDense(_New):
    @property
    def variable_shape(self: Any) -> TensorShape:
        """The shape without the batch."""
        return self._dense_shape(NewAccess())

    def get_dense_tensor(self: Any, transformation_cache: Any, state_manager: Any) -> Any:
        """The tensor, [batch, *variable_shape]."""
        return self._dense(NewAccess(transformation_cache, state_manager))


class NewCategorical(_New):
    @property
    def num_buckets(self: Any) -> int:
        """How many ids there are."""
        return self._buckets(NewAccess())

    def get_sparse_tensors(self: Any, transformation_cache: Any, state_manager: Any) -> Any:
        """Ids, and weights or None."""
        return self._ids(NewAccess(transformation_cache, state_manager))


class NewSequence(_New):
    def get_sequence_dense_tensor(self: Any, transformation_cache: Any, state_manager: Any) -> Any:
        """A dense tensor and the lengths of sequences."""
        return self._sequence(NewAccess(transformation_cache, state_manager))


_OLD_METHODS = {
    name: value
    for methods in (
        fc_old._Old, fc_old._OldDense, fc_old._OldCategorical, fc_old._OldSequence,
    )
    for name, value in vars(methods).items()
    if name in fc_old._DenseColumn.__abstractmethods__
    or name in fc_old._CategoricalColumn.__abstractmethods__
    or name in fc_old._SequenceDenseColumn.__abstractmethods__
}  # fmt: skip


def with_old_methods(cls: Any) -> Any:
    """Gives a class those methods of old columns that it lacks; they say that they are old."""
    missing = [name for name in _OLD_METHODS if name in cls.__abstractmethods__]
    if issubclass(cls, fc_old._SequenceCategoricalColumn):
        missing = [name for name in _OLD_METHODS if hasattr(cls, name)]
    for name in missing:
        method = _OLD_METHODS[name]
        is_property = isinstance(method, property)
        old = method.fget if is_property else method

        def call(self: Any, *args: Any, _old: Any = old, **kwargs: Any) -> Any:
            return _old(self, *args, **kwargs)

        call.__name__, call.__qualname__ = name, f"{cls.__name__}.{name}"
        call = deprecated(_FEATURE_COLUMN_DEPRECATION_DATE, _FEATURE_COLUMN_DEPRECATION)(call)
        setattr(cls, name, property(call) if is_property else call)
    return abc.update_abstractmethods(cls)


def _check_config_keys(config: dict[str, Any], expected_keys: Any) -> None:
    if set(config) != set(expected_keys):
        raise ValueError(f"Invalid config: {config}, expected keys: {expected_keys}")


def _standardize_and_copy_config(config: dict[str, Any]) -> dict[str, Any]:
    """Tuples for the lists that JSON makes of them."""
    return {
        key: tuple(value) if isinstance(value, list) else value for key, value in config.items()
    }
