"""Nets whose graphs say which tensors their features are
(`tensorflow_estimator.contrib.estimator.python.estimator.dnn_with_layer_annotations`)."""

from __future__ import annotations

import contextlib
import pickle
from collections.abc import Callable, Iterator
from typing import Any

from google.protobuf import any_pb2

from tf1compat.api.estimator import estimator
from tf1compat.api.estimator.canned import dnn
from tf1compat.api.feature_column import feature_column as fc_old
from tf1compat.api.losses import losses_impl as losses
from tf1compat.api.nn import nn_ops
from tf1compat.api.saved_model import utils_impl
from tf1compat.core import ops
from tf1compat.core.export import tf_export


class LayerAnnotationsCollectionNames:
    """The collections' names."""

    UNPROCESSED_FEATURES = "layer_annotations/unprocessed_features"
    PROCESSED_FEATURES = "layer_annotatons/processed_features"  # As TF spells it.
    FEATURE_COLUMNS = "layer_annotations/feature_columns"

    @classmethod
    def keys(cls, collection_name: str) -> str:
        """Of the features' names."""
        return f"{collection_name}/keys"

    @classmethod
    def values(cls, collection_name: str) -> str:
        """Of what their tensors are, each a TensorInfo in an Any."""
        return f"{collection_name}/values"


def serialize_feature_column(feature_column: Any) -> bytes:
    """A column pickled, without the function of an embedding that makes its variable."""
    if isinstance(feature_column, fc_old._EmbeddingColumn):
        feature_column = feature_column._replace(layer_creator=None)
    return pickle.dumps(feature_column)


def _annotate(collection: str, name: str, tensor: Any) -> None:
    # Named as in TF's files: the class here has TensorBoard's package in its full name.
    value = utils_impl.build_tensor_info(tensor).SerializeToString()
    info = any_pb2.Any(type_url="type.googleapis.com/tensorflow.TensorInfo", value=value)
    ops.add_to_collection(LayerAnnotationsCollectionNames.keys(collection), name)
    ops.add_to_collection(LayerAnnotationsCollectionNames.values(collection), info)


def make_input_layer_with_layer_annotations(
    original_input_layer: Callable[..., Any],
) -> Callable[..., Any]:
    """An input layer that also fills the collections of annotations.

    As in TF 1.15.

    Args:
      original_input_layer: `tf.feature_column.input_layer`'s function.
    """

    def input_layer_with_layer_annotations(
        features: Any, feature_columns: Any, weight_collections: Any = None,
        trainable: bool = True, cols_to_vars: Any = None, scope: Any = None,
        cols_to_output_tensors: Any = None, from_template: bool = False,
    ) -> Any:  # fmt: skip
        outputs: dict[Any, Any] = {}
        result = original_input_layer(
            features=features, feature_columns=feature_columns,
            weight_collections=weight_collections, trainable=trainable,
            cols_to_vars=cols_to_vars, scope=scope, cols_to_output_tensors=outputs,
            from_template=from_template,
        )  # fmt: skip
        names = LayerAnnotationsCollectionNames
        for key in fc_old.make_parse_example_spec(feature_columns):
            tensor = ops.convert_to_tensor_or_indexed_slices(features[key])
            _annotate(names.UNPROCESSED_FEATURES, key, tensor)
        for column in feature_columns:
            ops.add_to_collection(names.FEATURE_COLUMNS, serialize_feature_column(column))
        for column, tensor in outputs.items():
            _annotate(names.PROCESSED_FEATURES, column.name, tensor)
        return result

    return input_layer_with_layer_annotations


@contextlib.contextmanager
def _annotating() -> Iterator[None]:
    """Columns' layers that are made inside annotate what they take and give.

    They are made deep in a canned estimator, which has no argument for it.
    """
    original = fc_old._internal_input_layer
    fc_old._internal_input_layer = make_input_layer_with_layer_annotations(original)
    try:
        yield
    finally:
        fc_old._internal_input_layer = original


def _annotated(original: Any, model_dir: Any, config: Any, warm_start_from: Any) -> Any:
    def _model_fn(features: Any, labels: Any, mode: Any, config: Any) -> Any:
        with _annotating():
            return original.model_fn(features, labels, mode, config)

    return estimator.Estimator(
        _model_fn, model_dir=model_dir, config=config, warm_start_from=warm_start_from
    )


@tf_export("contrib.estimator.DNNClassifierWithLayerAnnotations")
def DNNClassifierWithLayerAnnotations(
    hidden_units: Any, feature_columns: Any, model_dir: Any = None, n_classes: Any = 2,
    weight_column: Any = None, label_vocabulary: Any = None, optimizer: Any = "Adagrad",
    activation_fn: Any = nn_ops.relu, dropout: Any = None, input_layer_partitioner: Any = None,
    config: Any = None, warm_start_from: Any = None,
    loss_reduction: Any = losses.Reduction.SUM,
) -> estimator.Estimator:  # fmt: skip
    """A `tf.estimator.DNNClassifier` whose graph names the features' tensors in collections.

    As in TF 1.15: of columns of `tensorflow.python.feature_column.feature_column` alone.

    Args: see `tf.estimator.DNNClassifier`.

    Returns:
      A `tf.estimator.Estimator`.
    """
    original = dnn.DNNClassifier(
        hidden_units, feature_columns, model_dir, n_classes, weight_column, label_vocabulary,
        optimizer, activation_fn, dropout, input_layer_partitioner, config, warm_start_from,
        loss_reduction,
    )  # fmt: skip
    return _annotated(original, model_dir, config, warm_start_from)


@tf_export("contrib.estimator.DNNRegressorWithLayerAnnotations")
def DNNRegressorWithLayerAnnotations(
    hidden_units: Any, feature_columns: Any, model_dir: Any = None, label_dimension: int = 1,
    weight_column: Any = None, optimizer: Any = "Adagrad", activation_fn: Any = nn_ops.relu,
    dropout: Any = None, input_layer_partitioner: Any = None, config: Any = None,
    warm_start_from: Any = None, loss_reduction: Any = losses.Reduction.SUM,
) -> estimator.Estimator:  # fmt: skip
    """A `tf.estimator.DNNRegressor` whose graph names the features' tensors in collections.

    As in TF 1.15: of columns of `tensorflow.python.feature_column.feature_column` alone.

    Args: see `tf.estimator.DNNRegressor`.

    Returns:
      A `tf.estimator.Estimator`.
    """
    original = dnn.DNNRegressor(
        hidden_units, feature_columns, model_dir, label_dimension, weight_column, optimizer,
        activation_fn, dropout, input_layer_partitioner, config, warm_start_from, loss_reduction,
    )  # fmt: skip
    return _annotated(original, model_dir, config, warm_start_from)
