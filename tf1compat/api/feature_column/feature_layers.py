"""Columns as layers and models of keras (parts of TF's modules `feature_column`,
`feature_column_v2`, `dense_features` and `sequence_feature_column`).

It is loaded for the first linear model, or for `tf.keras.layers.DenseFeatures`.
"""

from __future__ import annotations

import collections
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.feature_column import column_kinds as kinds
from tf1compat.api.feature_column import feature_column as fc_old
from tf1compat.api.feature_column import feature_column_v2 as fc
from tf1compat.api.feature_column import sequence_feature_column as sequences
from tf1compat.api.feature_column import serialization
from tf1compat.api.keras.engine.base_layer import Layer
from tf1compat.api.keras.engine.training import Model
from tf1compat.api.layers import base
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.random import init_ops
from tf1compat.api.variables import resource_variable_ops, variable_scope, variables
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Collections, DTypeLike, Initializer, Name, ShapeLike


class _StateManagerImpl(fc.StateManager):
    """Keeps the variables of columns in a layer.

    Args:
      layer: the layer.
      trainable: whether they are trainable.
    """

    def __init__(self, layer: Any, trainable: bool):
        self._trainable = trainable
        self._layer = layer
        if layer is not None and not hasattr(layer, "_resources"):
            layer._resources = []
        self._cols_to_vars_map: dict[Any, dict[str, Any]] = collections.defaultdict(dict)
        self._cols_to_resources_map: dict[Any, dict[str, Any]] = collections.defaultdict(dict)

    def create_variable(
        self, feature_column: Any, name: str, shape: ShapeLike, dtype: DTypeLike | None = None,
        trainable: bool = True, use_resource: bool = True, initializer: Initializer | None = None,
    ) -> Any:  # fmt: skip
        """Makes a variable of a column; see `fc.StateManager`.

        Raises:
          ValueError: the column has one of that name.
        """
        if name in self._cols_to_vars_map[feature_column]:
            raise ValueError("Variable already exists.")
        variable = self._layer.add_variable(
            name=name, shape=shape, dtype=dtype, initializer=initializer,
            trainable=self._trainable and trainable, use_resource=use_resource, **self._settings(),
        )  # fmt: skip
        self._cols_to_vars_map[feature_column][name] = variable
        return variable

    def _settings(self) -> dict[str, Any]:
        return {"getter": variable_scope.get_variable}

    def get_variable(self, feature_column: Any, name: str) -> Any:
        """A column's variable.

        Raises:
          ValueError: it has none of that name.
        """
        if name not in self._cols_to_vars_map[feature_column]:
            raise ValueError("Variable does not exist.")
        return self._cols_to_vars_map[feature_column][name]

    def add_resource(self, feature_column: Any, name: str, resource: Any) -> None:
        """Keeps a table of a column's."""
        self._cols_to_resources_map[feature_column][name] = resource
        if self._layer is not None:
            self._layer._resources.append(resource)

    def get_resource(self, feature_column: Any, name: str) -> Any:
        """A column's table.

        Raises:
          ValueError: it has none of that name.
        """
        if name not in self._cols_to_resources_map[feature_column]:
            raise ValueError("Resource does not exist.")
        return self._cols_to_resources_map[feature_column][name]


class _StateManagerImplV2(_StateManagerImpl):
    """The same; variable scopes know nothing of the variables."""

    def _settings(self) -> dict[str, Any]:
        return {}


def _check_is_dict(features: Any, *parts: Any) -> None:
    if not isinstance(features, dict):
        raise ValueError(*parts)


class _ColumnsLayer(Layer):
    """A layer with columns.

    Args:
      feature_columns: the columns.
      expected: the classes that they must be of.
      wanted: the text about others.
      trainable, name, **kwargs: see `tf.keras.layers.Layer`.
    """

    def __init__(
        self, feature_columns: Any, expected: Any, wanted: str, trainable: bool, name: Name,
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__(name=name, trainable=trainable, **kwargs)
        self._feature_columns = fc._normalize_feature_columns(feature_columns)
        self._state_manager = _StateManagerImpl(self, self.trainable)
        for column in self._feature_columns:
            if not isinstance(column, expected):
                raise ValueError(f"Items of feature_columns must be {wanted}. Given: {column}")

    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal layer."""
        columns = serialization.serialize_feature_columns(self._feature_columns)
        base = {"name": self.name, "trainable": self.trainable, "dtype": self.dtype}
        return base | {"feature_columns": columns}

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> Any:
        """A layer from what `get_config` gave."""
        columns = serialization.deserialize_feature_columns(
            config["feature_columns"], custom_objects=custom_objects
        )
        arguments: Any = config | {"feature_columns": columns}
        return cls(**arguments)


class _BaseFeaturesLayer(_ColumnsLayer):
    """A layer that puts dense columns side by side.

    Args:
      feature_columns: the columns.
      expected_column_type: the class that they must be of.
      trainable, name, **kwargs: see `tf.keras.layers.Layer`.
    """

    def __init__(
        self, feature_columns: Any, expected_column_type: type, trainable: bool, name: Name,
        **kwargs: Any,
    ):  # fmt: skip
        place = "tensorflow.python.feature_column.feature_column_v2"
        wanted = (
            f"a <class '{place}.{expected_column_type.__name__}'>. You can wrap a categorical "
            "column with an embedding_column or indicator_column"
        )
        super().__init__(feature_columns, expected_column_type, wanted, trainable, name, **kwargs)

    def build(self, _: Any) -> None:
        """Makes the columns' variables."""
        for column in self._feature_columns:
            with (
                variable_scope._pure_variable_scope(self.name),
                variable_scope._pure_variable_scope(column.name),
            ):
                column.create_state(self._state_manager)
        super().build(None)

    def _target_shape(self, input_shape: Any, total_elements: Any) -> tuple[Any, ...]:
        raise NotImplementedError("Calling an abstract method.")

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The shape of the outputs."""
        sizes = [column.variable_shape.num_elements() for column in self._feature_columns]
        return self._target_shape(input_shape, sum(sizes))

    def _process_dense_tensor(self, column: Any, tensor: Tensor) -> Tensor:
        size = column.variable_shape.num_elements()
        return array_ops.reshape(tensor, shape=self._target_shape(array_ops.shape(tensor), size))

    def _verify_and_concat_tensors(self, output_tensors: list[Tensor]) -> Tensor:
        kinds.verify_static_batch_size_equality(output_tensors, self._feature_columns)
        return array_ops.concat(output_tensors, -1)

    @property
    def _is_feature_layer(self) -> bool:
        return True


@tf_export("keras.layers.DenseFeatures")
class DenseFeatures(_BaseFeaturesLayer):
    """The layer that puts dense columns side by side, ordered by their names.

    Args:
      feature_columns: dense columns.
      trainable, name, **kwargs: see `tf.keras.layers.Layer`.

    Raises:
      ValueError: a column isn't dense.
    """

    def __init__(
        self, feature_columns: Any, trainable: bool = True, name: Name = None, **kwargs: Any
    ):
        super().__init__(feature_columns, fc.DenseColumn, trainable, name, **kwargs)

    def _target_shape(self, input_shape: Any, total_elements: Any) -> tuple[Any, ...]:
        return input_shape[0], total_elements

    def call(self, features: Any, cols_to_output_tensors: Any = None) -> Tensor:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The columns, [batch, their sizes together].

        Args:
          features: {key: a tensor or SparseTensor}.
          cols_to_output_tensors: a dict that gets {column: its part}.
        """
        _check_is_dict(features, "We expected a dictionary here. Instead we got: ", features)
        cache = fc.FeatureTransformationCache(features)

        def part(column: Any) -> Tensor:
            with ops.name_scope(column.name):
                tensor = column.get_dense_tensor(cache, self._state_manager)
                return self._process_dense_tensor(column, tensor)

        parts = [part(column) for column in self._feature_columns]
        if cols_to_output_tensors is not None:
            cols_to_output_tensors.update(zip(self._feature_columns, parts))
        return self._verify_and_concat_tensors(parts)


@tf_export("keras.experimental.SequenceFeatures")
class SequenceFeatures(_BaseFeaturesLayer):
    """The layer that puts columns of sequences side by side, ordered by their names.

    Args:
      feature_columns: columns that are sequences of dense tensors.
      trainable, name, **kwargs: see `tf.keras.layers.Layer`.

    Raises:
      ValueError: a column is something else.
    """

    def __init__(
        self, feature_columns: Any, trainable: bool = True, name: Name = None, **kwargs: Any
    ):
        super().__init__(feature_columns, fc.SequenceDenseColumn, trainable, name, **kwargs)

    def _target_shape(self, input_shape: Any, total_elements: Any) -> tuple[Any, ...]:
        return input_shape[0], input_shape[1], total_elements

    def call(self, features: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The columns [batch, time, their sizes together], and the lengths [batch].

        Args:
          features: {key: a SparseTensor}.
        """
        _check_is_dict(features, "We expected a dictionary here. Instead we got: ", features)
        cache = fc.FeatureTransformationCache(features)
        outputs, lengths = [], []
        for column in self._feature_columns:
            with ops.name_scope(column.name):
                dense, length = column.get_sequence_dense_tensor(cache, self._state_manager)
                outputs.append(self._process_dense_tensor(column, dense))
                lengths.append(length)
        kinds.verify_static_batch_size_equality(lengths, self._feature_columns)
        length = sequences._assert_all_equal_and_return(lengths)
        return self._verify_and_concat_tensors(outputs), length


class _LinearModelLayer(_ColumnsLayer):
    """The layer of `LinearModel`.

    Args:
      feature_columns: dense and categorical columns.
      units: the size of the result.
      sparse_combiner: "sum", "mean" or "sqrtn".
      trainable, name, **kwargs: see `tf.keras.layers.Layer`.
    """

    def __init__(
        self, feature_columns: Any, units: int = 1, sparse_combiner: str = "sum",
        trainable: bool = True, name: Name = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(
            feature_columns, (fc.DenseColumn, fc.CategoricalColumn),
            "either a DenseColumn or CategoricalColumn", trainable, name, **kwargs,
        )  # fmt: skip
        self._units = units
        self._sparse_combiner = sparse_combiner
        self.bias: Any = None

    def build(self, _: Any) -> None:
        """Makes the weights and the bias, zeros at first."""
        zeros = init_ops.zeros_initializer()
        with variable_scope._pure_variable_scope(self.name):
            for column in self._feature_columns:
                with variable_scope._pure_variable_scope(column.name):
                    column.create_state(self._state_manager)
                    if isinstance(column, fc.CategoricalColumn):
                        size = column.num_buckets
                    else:
                        size = column.variable_shape.num_elements()
                    self._state_manager.create_variable(
                        column, name="weights", dtype=dtypes.float32, shape=(size, self._units),
                        initializer=zeros, trainable=self.trainable,
                    )  # fmt: skip
            self.bias = self.add_variable(
                name="bias_weights", dtype=dtypes.float32, shape=[self._units], initializer=zeros,
                trainable=self.trainable, use_resource=True, getter=variable_scope.get_variable,
            )  # fmt: skip
        super().build(None)

    def call(self, features: Any) -> Tensor:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The weighted sum, [batch, units]."""
        text = f"We expected a dictionary here. Instead we got: {features}"
        _check_is_dict(features, text)
        with ops.name_scope(self.name):
            cache = fc.FeatureTransformationCache(features)
            sums = []
            for column in self._feature_columns:
                with ops.name_scope(column.name):
                    weight = self._state_manager.get_variable(column, "weights")
                    sums.append(self._weighted(column, cache, weight))
            kinds.verify_static_batch_size_equality(sums, self._feature_columns)
            without_bias = math_ops.add_n(sums, name="weighted_sum_no_bias")
            return nn_ops.bias_add(without_bias, self.bias, name="weighted_sum")

    def _weighted(self, column: Any, cache: Any, weight: Any) -> Tensor:
        if isinstance(column, fc.CategoricalColumn):
            ids = kinds.flat_ids(column.get_sparse_tensors(cache, self._state_manager))
            return kinds.weighted_sparse(ids, weight, self._sparse_combiner)
        tensor = column.get_dense_tensor(cache, self._state_manager)
        return kinds.weighted_dense(
            kinds.flat(tensor, column.variable_shape.num_elements()), weight
        )

    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal layer."""
        own = {"units": self._units, "sparse_combiner": self._sparse_combiner}
        return super().get_config() | own


class LinearModel(Model):
    """A weighted sum of columns, and a bias.

    Args:
      feature_columns: dense and categorical columns.
      units: the size of the result.
      sparse_combiner: "sum", "mean" or "sqrtn".
      trainable, name, **kwargs: see `tf.keras.Model`.
    """

    def __init__(
        self, feature_columns: Any, units: int = 1, sparse_combiner: str = "sum",
        trainable: bool = True, name: Name = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(name=name, **kwargs)
        self.layer = _LinearModelLayer(
            feature_columns, units, sparse_combiner, trainable, name=self.name, **kwargs
        )

    def call(self, features: Any) -> Tensor:
        """The weighted sum, [batch, units]."""
        return self.layer(features)

    @property
    def bias(self) -> Any:
        """The bias, once the model has been called."""
        return self.layer.bias


# Models of old columns: `tf.feature_column.linear_model`.


class _FCLinearWrapper(base.Layer):
    """The weights of one column, and the sum that they make.

    Args:
      feature_column, units, sparse_combiner, weight_collections, trainable: as in `linear_model`.
      name, **kwargs: see `tf.layers.Layer`.
    """

    def __init__(
        self, feature_column: Any, units: int = 1, sparse_combiner: str = "sum",
        weight_collections: Collections | None = None, trainable: bool = True, name: Name = None,
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__(trainable=trainable, name=name, **kwargs)
        self._feature_column = feature_column
        self._units = units
        self._sparse_combiner = sparse_combiner
        self._weight_collections = weight_collections

    def build(self, _: Any) -> None:
        """Makes the weights, zeros at first."""
        column = self._feature_column
        if isinstance(column, fc_old._CategoricalColumn):
            size = column._num_buckets
        else:
            size = column._variable_shape.num_elements()
        self._weight_var = self.add_variable(
            name="weights", shape=(size, self._units), initializer=init_ops.zeros_initializer(),
            trainable=self.trainable,
        )  # fmt: skip
        fc_old.add_to_collections(self._weight_var, self._weight_collections)
        self.built = True

    def call(self, builder: Any) -> Tensor:
        """The sum, [batch, units]."""
        return fc_old._create_weighted_sum(
            column=self._feature_column, builder=builder, units=self._units,
            sparse_combiner=self._sparse_combiner, weight_collections=self._weight_collections,
            trainable=self.trainable, weight_var=self._weight_var,
        )  # fmt: skip


class _BiasLayer(base.Layer):
    """The bias.

    Args:
      units, trainable, weight_collections: as in `linear_model`.
      name, **kwargs: see `tf.layers.Layer`.
    """

    def __init__(
        self, units: int = 1, trainable: bool = True, weight_collections: Collections | None = None,
        name: Name = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(trainable=trainable, name=name, **kwargs)
        self._units = units
        self._weight_collections = weight_collections

    def build(self, _: Any) -> None:
        """Makes the bias, zeros at first."""
        self._bias_variable = self.add_variable(
            "bias_weights", shape=[self._units], initializer=init_ops.zeros_initializer(),
            trainable=self.trainable,
        )  # fmt: skip
        fc_old.add_to_collections(self._bias_variable, self._weight_collections)
        self.built = True

    def call(self, _: Any) -> Any:
        """The bias."""
        return self._bias_variable


def _get_expanded_variable_list(variable: Any) -> list[Any]:
    if isinstance(variable, variables.Variable | resource_variable_ops.ResourceVariable):
        return [variable]
    return list(variable)


class _LinearModel(Model):
    """`linear_model` as a model.

    Args: see `linear_model`.
    """

    def __init__(
        self, feature_columns: Any, units: int = 1, sparse_combiner: str = "sum",
        weight_collections: Collections | None = None, trainable: bool = True, name: Name = None,
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__(name=name, **kwargs)
        self._feature_columns = fc_old._normalize_feature_columns(feature_columns)
        self._weight_collections = fc_old.model_collections(weight_collections)
        layers = {}
        for column in sorted(self._feature_columns, key=lambda c: c.name):
            with variable_scope.variable_scope(None, default_name=column._var_scope_name) as scope:
                column_name = fc_old._strip_leading_slashes(scope.name)
            layers[column_name] = _FCLinearWrapper(
                column, units, sparse_combiner, self._weight_collections, trainable, column_name,
                **kwargs,
            )  # fmt: skip
        self._column_layers = self._add_layers(layers)
        self._bias_layer = _BiasLayer(
            units=units, trainable=trainable, weight_collections=self._weight_collections,
            name="bias_layer", **kwargs,
        )  # fmt: skip
        self._cols_to_vars: dict[Any, Any] = {}

    def cols_to_vars(self) -> dict[Any, Any]:
        """{column: its variables}, and those of "bias"."""
        return self._cols_to_vars

    def call(self, features: Any) -> Tensor:
        """The weighted sum of the columns, [batch, units]."""
        with variable_scope.variable_scope(self.name):
            for column in self._feature_columns:
                if not isinstance(column, fc_old._DenseColumn | fc_old._CategoricalColumn):
                    raise ValueError(
                        "Items of feature_columns must be either a _DenseColumn or "
                        f"_CategoricalColumn. Given: {column}"
                    )
            sums, ordered = [], []
            builder = fc_old._LazyBuilder(features)
            for layer in sorted(self._column_layers.values(), key=lambda layer: layer.name):
                column = layer._feature_column
                ordered.append(column)
                sums.append(layer(builder))
                self._cols_to_vars[column] = ops.get_collection(
                    ops.GraphKeys.GLOBAL_VARIABLES, scope=layer.scope_name
                )
            kinds.verify_static_batch_size_equality(sums, ordered)
            without_bias = math_ops.add_n(sums, name="weighted_sum_no_bias")
            scope = variable_scope.get_variable_scope()
            bias = self._bias_layer(builder, scope=scope)
            predictions = nn_ops.bias_add(without_bias, bias, name="weighted_sum")
            self._cols_to_vars["bias"] = _get_expanded_variable_list(self._bias_layer.variables[0])
        return predictions

    def _add_layers(self, layers: dict[str, Any]) -> dict[str, Any]:
        # "layer-" keeps names such as "name" apart from attributes.
        for name, layer in layers.items():
            setattr(self, f"layer-{name}", layer)
        return layers
