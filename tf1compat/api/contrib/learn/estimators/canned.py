"""What the canned estimators of tf.contrib.learn share: layers, optimizers, and predictions by
key."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tf1compat.api.contrib.layers import dense, feature_column_ops
from tf1compat.api.contrib.layers.column_base import _FeatureColumn
from tf1compat.api.contrib.layers.embedding_columns import _EmbeddingColumn
from tf1compat.api.contrib.learn import metric_spec
from tf1compat.api.contrib.learn.estimators import estimator
from tf1compat.api.contrib.learn.estimators.model_fn import ModeKeys
from tf1compat.api.contrib.learn.estimators.prediction_key import PredictionKey
from tf1compat.api.contrib.learn.utils import export
from tf1compat.api.feature_column import feature_column as core_columns
from tf1compat.api.nn import nn_impl
from tf1compat.api.summary import summary
from tf1compat.api.util.deprecation import deprecated, deprecated_arg_values
from tf1compat.api.variables import partitioned_variables, variable_scope
from tf1compat.core import ops
from tf1compat.core.typing import Name

LARGE_SLICE = 64 << 20
AS_ITERABLE_DATE = "2016-09-15"
AS_ITERABLE_INSTRUCTIONS = (
    "The default behavior of predict() is changing. The default value for\n"
    "as_iterable will change to True, and then the flag will be removed\n"
    "altogether. The behavior of this flag is described below."
)
as_iterable_is_true = deprecated_arg_values(
    AS_ITERABLE_DATE, AS_ITERABLE_INSTRUCTIONS, as_iterable=False
)


def feature_dict(features: Any) -> dict[str, Any]:
    """Features as a dict; a tensor alone has the name ""."""
    return features if isinstance(features, dict) else {"": features}


def partitioner(config: Any, min_slice_size: Any = None) -> Any:
    """How variables are cut for the parameter servers of a `RunConfig`."""
    count = config.num_ps_replicas if config else 0
    sizes = {} if min_slice_size is None else {"min_slice_size": min_slice_size}
    return partitioned_variables.min_max_variable_partitioner(max_partitions=count, **sizes)


def of_contrib(columns: Any) -> bool:
    """Whether all columns are those of tf.contrib.layers."""
    return all(isinstance(column, _FeatureColumn) for column in columns)


def hidden_layers(
    features: dict[str, Any], columns: Any, scope: str, units: Any, head: Any, mode: Any,
    activation_fn: Callable[..., Any], dropout: Any, input_partitioner: Any, summarize: Any,
) -> tuple[Any, str]:  # fmt: skip
    """A net over feature columns.

    Args:
      features: {name: a tensor}.
      columns: its feature columns.
      scope: the name of its variable scope, and of the collection of its variables.
      units: the sizes of its hidden layers.
      head: gives how many logits there are.
      mode: dropout is for training.
      activation_fn, dropout: of each hidden layer.
      input_partitioner: of the variables of the columns.
      summarize: (a layer's value, its scope's name) -> None.

    Returns:
      The logits, and the name of the columns' scope.
    """
    values = tuple(features.values())
    with variable_scope.variable_scope(
        "input_from_feature_columns", values=values, partitioner=input_partitioner
    ) as input_scope:
        if of_contrib(columns):
            net = feature_column_ops.input_from_feature_columns(
                columns_to_tensors=features, feature_columns=columns, weight_collections=[scope],
                scope=input_scope,
            )  # fmt: skip
        else:
            net = core_columns.input_layer(
                features=features, feature_columns=columns, weight_collections=[scope]
            )
    for i, size in enumerate(units):
        with variable_scope.variable_scope(f"hiddenlayer_{i}", values=(net,)) as layer:
            net = dense.fully_connected(
                net, size, activation_fn=activation_fn, variables_collections=[scope], scope=layer
            )
            if dropout is not None and mode == ModeKeys.TRAIN:
                net = dense.dropout(net, keep_prob=1.0 - dropout)
        summarize(net, layer.name)
    with variable_scope.variable_scope("logits", values=(net,)) as layer:
        logits = dense.fully_connected(
            net, head.logits_dimension, activation_fn=None, variables_collections=[scope],
            scope=layer,
        )  # fmt: skip
    summarize(logits, layer.name)
    return logits, input_scope.name


def linear_logits(
    features: dict[str, Any], columns: Any, scope: Any, name: str, head: Any, joint: Any
) -> Any:
    """The weighted sum of feature columns, whose variables are in the collection `name`."""
    if not of_contrib(columns):
        return core_columns.linear_model(
            features=features, feature_columns=columns, units=head.logits_dimension,
            weight_collections=[name],
        )  # fmt: skip
    summed = feature_column_ops.weighted_sum_from_feature_columns
    if joint:
        summed = feature_column_ops.joint_weighted_sum_from_feature_columns
    return summed(
        columns_to_tensors=features, feature_columns=columns, num_outputs=head.logits_dimension,
        weight_collections=[name], scope=scope,
    )[0]  # fmt: skip


def layer_summary(separator: str) -> Any:
    """What summarizes a layer; the separator is before the kind of summary."""

    def summarize(value: Any, tag: str) -> None:
        zeros = nn_impl.zero_fraction(value)
        summary.scalar(f"{tag}{separator}fraction_of_zero_values", zeros)
        summary.histogram(f"{tag}{separator}activation", value)

    return summarize


def embedding_multipliers(multipliers: Any, collection: str, input_scope: str) -> Any:
    """{variable: what its gradient is multiplied by} of {embedding column: a number}.

    Raises:
      ValueError: a column is no embedding, or has no variable.
    """
    if not multipliers:
        return None
    found = {}
    for column, number in multipliers.items():
        if not isinstance(column, _EmbeddingColumn):
            raise ValueError(
                "learning rate multipler can only be defined for embedding columns. It is defined "
                f"for {column}"
            )
        variables = ops.get_collection(collection, f"{input_scope}/{column.name}")
        if not variables:
            raise ValueError(f"Couldn't find a variable for column {column}")
        found.update(dict.fromkeys(variables, number))
    return found


class _ByKey(estimator.Estimator):
    """An estimator whose `predict` gives one of its predictions."""

    _feature_columns: Any

    def _parsed_examples(self, estimator: Any, examples: Any) -> Any:
        """The features of serialized `Example`s."""
        return feature_column_ops.parse_feature_columns_from_examples(
            examples, self._feature_columns
        )

    def _by_key(self, key: str, x: Any, input_fn: Any, batch_size: Any, as_iterable: Any) -> Any:
        found = estimator.Estimator.predict(
            self, x=x, input_fn=input_fn, batch_size=batch_size, outputs=[key],
            as_iterable=as_iterable,
        )  # fmt: skip
        return _each(found, key) if as_iterable else found[key]


def _each(predictions: Any, key: str) -> Iterator[Any]:
    for prediction in predictions:
        yield prediction[key]


class Classifier(_ByKey):
    """An estimator that predicts classes."""

    @deprecated("2017-03-25", "Please use Estimator.export_savedmodel() instead.")
    def export(
        self, export_dir: Any, input_fn: Any = None, input_feature_key: Any = None,
        use_deprecated_input_fn: bool = True, signature_fn: Any = None,
        default_batch_size: int = 1, exports_to_keep: int | None = None,
    ) -> Any:  # fmt: skip
        """See `Estimator.export`; examples are parsed by the feature columns."""
        return super().export(
            export_dir=export_dir,
            input_fn=input_fn or self._parsed_examples,
            input_feature_key=input_feature_key,
            use_deprecated_input_fn=use_deprecated_input_fn,
            signature_fn=signature_fn or export.classification_signature_fn_with_prob,
            prediction_key=PredictionKey.PROBABILITIES,
            default_batch_size=default_batch_size,
            exports_to_keep=exports_to_keep,
        )

    @as_iterable_is_true
    @deprecated_arg_values(
        "2017-03-01", "Please switch to predict_classes, or set `outputs` argument.", outputs=None
    )
    def predict(
        self, x: Any = None, input_fn: Callable[..., Any] | None = None, batch_size: Any = None,
        outputs: Any = None,
        as_iterable: bool = True,
    ) -> Any:  # fmt: skip
        """The classes, or those predictions that are asked for; see `Estimator.predict`."""
        if not outputs:
            return self.predict_classes(
                x=x, input_fn=input_fn, batch_size=batch_size, as_iterable=as_iterable
            )
        return super().predict(
            x=x, input_fn=input_fn, batch_size=batch_size, outputs=outputs, as_iterable=as_iterable
        )

    @as_iterable_is_true
    def predict_classes(
        self,
        x: Any = None,
        input_fn: Callable[..., Any] | None = None,
        batch_size: Any = None,
        as_iterable: bool = True,
    ) -> Any:
        """The classes; see `Estimator.predict`."""
        found = self._by_key(PredictionKey.CLASSES, x, input_fn, batch_size, as_iterable)
        return found if as_iterable else found.reshape(-1)

    @as_iterable_is_true
    def predict_proba(
        self,
        x: Any = None,
        input_fn: Callable[..., Any] | None = None,
        batch_size: Any = None,
        as_iterable: bool = True,
    ) -> Any:
        """The classes' probabilities; see `Estimator.predict`."""
        return self._by_key(PredictionKey.PROBABILITIES, x, input_fn, batch_size, as_iterable)


class Regressor(_ByKey):
    """An estimator that predicts numbers."""

    @deprecated("2017-03-25", "Please use Estimator.export_savedmodel() instead.")
    def export(
        self, export_dir: Any, input_fn: Any = None, input_feature_key: Any = None,
        use_deprecated_input_fn: bool = True, signature_fn: Any = None,
        default_batch_size: int = 1, exports_to_keep: int | None = None,
    ) -> Any:  # fmt: skip
        """See `Estimator.export`; examples are parsed by the feature columns."""
        return super().export(
            export_dir=export_dir,
            input_fn=input_fn or self._parsed_examples,
            input_feature_key=input_feature_key,
            use_deprecated_input_fn=use_deprecated_input_fn,
            signature_fn=signature_fn or export.regression_signature_fn,
            prediction_key=PredictionKey.SCORES,
            default_batch_size=default_batch_size,
            exports_to_keep=exports_to_keep,
        )

    def evaluate(
        self, x: Any = None, y: Any = None, input_fn: Callable[..., Any] | None = None,
        feed_fn: Callable[..., Any] | None = None,
        batch_size: Any = None, steps: Any = None, metrics: Any = None, name: Name = None,
        checkpoint_path: str | None = None, hooks: Any = None,
    ) -> Any:  # fmt: skip
        """See `Estimator.evaluate`; a metric may be a function of scores and labels."""
        keyed = {}
        for key, metric in (metrics or {}).items():
            plain = not isinstance(metric, metric_spec.MetricSpec) and not isinstance(key, tuple)
            keyed[(key, PredictionKey.SCORES) if plain else key] = metric
        return super().evaluate(
            x=x, y=y, input_fn=input_fn, feed_fn=feed_fn, batch_size=batch_size, steps=steps,
            metrics=keyed, name=name, checkpoint_path=checkpoint_path, hooks=hooks,
        )  # fmt: skip

    @as_iterable_is_true
    @deprecated_arg_values(
        "2017-03-01", "Please switch to predict_scores, or set `outputs` argument.", outputs=None
    )
    def predict(
        self, x: Any = None, input_fn: Callable[..., Any] | None = None, batch_size: Any = None,
        outputs: Any = None,
        as_iterable: bool = True,
    ) -> Any:  # fmt: skip
        """The scores, or those predictions that are asked for; see `Estimator.predict`."""
        if not outputs:
            return self.predict_scores(
                x=x, input_fn=input_fn, batch_size=batch_size, as_iterable=as_iterable
            )
        return super().predict(
            x=x, input_fn=input_fn, batch_size=batch_size, outputs=outputs, as_iterable=as_iterable
        )

    @as_iterable_is_true
    def predict_scores(
        self,
        x: Any = None,
        input_fn: Callable[..., Any] | None = None,
        batch_size: Any = None,
        as_iterable: bool = True,
    ) -> Any:
        """The numbers; see `Estimator.predict`."""
        return self._by_key(PredictionKey.SCORES, x, input_fn, batch_size, as_iterable)
