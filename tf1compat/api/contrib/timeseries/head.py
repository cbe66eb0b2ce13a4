"""What models of time series do in an Estimator
(`tensorflow.contrib.timeseries.python.timeseries.head`)."""

from __future__ import annotations

import re
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.timeseries.feature_keys import (
    FilteringFeatures,
    FilteringResults,
    PredictionFeatures,
    PredictionResults,
    SavedModelLabels,
    State,
    TrainEvalFeatures,
)
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.estimator import model_fn
from tf1compat.api.estimator.canned import head as head_lib
from tf1compat.api.estimator.canned.metric_keys import MetricKeys
from tf1compat.api.estimator.export.export_output import PredictOutput
from tf1compat.api.estimator.head.parts import summary_key
from tf1compat.api.estimator.mode_keys import ModeKeys
from tf1compat.api.math import math_ops
from tf1compat.api.metrics import metrics_impl
from tf1compat.api.summary import summary
from tf1compat.api.training import training_util
from tf1compat.api.variables import state_ops, variable_scope, variables
from tf1compat.core import dtypes, nest, ops
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import convert_to_tensor_or_sparse_tensor


class _NoStatePredictOutput(PredictOutput):
    """An export whose signature takes no state."""

    def as_signature_def(self, receiver_tensors: Any) -> Any:
        taken = {
            key: value
            for key, value in receiver_tensors.items()
            if not key.startswith(State.STATE_PREFIX)
        }
        return super().as_signature_def(receiver_tensors=taken)


def _scope(**kwargs: Any) -> Any:
    return variable_scope.variable_scope("model", **kwargs)


class TimeSeriesRegressionHead(head_lib._Head):
    """Makes an EstimatorSpec of a model's losses and predictions.

    As tf.contrib.timeseries' in TF 1.15.

    Args:
      model: a TimeSeriesModel.
      state_manager: what carries its state.
      optimizer: a tf.train.Optimizer.
      input_statistics_generator: an InputStatisticsFromMiniBatch; None to normalize nothing.
      name: of the scope, by default "head".
    """

    _needs_values_to_predict = False

    def __init__(
        self,
        model: Any,
        state_manager: Any,
        optimizer: Any,
        input_statistics_generator: Any = None,
        name: str | None = None,
    ):
        self.model = model
        self.state_manager = state_manager
        self.optimizer = optimizer
        self.input_statistics_generator = input_statistics_generator
        self._name = name

    @property
    def logits_dimension(self) -> int:
        """1: there are no logits."""
        return 1

    def create_loss(
        self, features: dict[str, Any], mode: str, logits: Any = None, labels: Any = None
    ) -> Any:
        """The ModelOutputs of features, whose loss is summarized."""
        outputs = self.state_manager.define_loss(self.model, features, mode)
        summary.scalar(summary_key(self._name, MetricKeys.LOSS), outputs.loss)
        return outputs

    def _train_ops(self, features: dict[str, Any]) -> model_fn.EstimatorSpec:
        with _scope(use_resource=True):
            loss = self.create_loss(features, ModeKeys.TRAIN).loss
        step = training_util.get_global_step()
        train_op = self.optimizer.minimize(loss, global_step=step)
        return model_fn.EstimatorSpec(loss=loss, mode=ModeKeys.TRAIN, train_op=train_op)

    def _evaluate_ops(self, features: dict[str, Any]) -> model_fn.EstimatorSpec:
        with _scope(use_resource=True):
            outputs = self.create_loss(features, ModeKeys.EVAL)
        metrics: dict[str, Any] = {
            key: _last_value(key, value) for key, value in outputs.predictions.items()
        }
        times, state = FilteringResults.TIMES, FilteringResults.STATE_TUPLE
        metrics[times] = _last_value(times, outputs.prediction_times)
        metrics[state] = _last_values(state, outputs.end_state)
        metrics[MetricKeys.LOSS_MEAN] = metrics_impl.mean(outputs.loss, name="average_loss")
        return model_fn.EstimatorSpec(
            loss=outputs.loss,
            mode=ModeKeys.EVAL,
            eval_metric_ops=metrics,
            predictions=outputs.predictions,
        )

    def _predict_ops(self, features: dict[str, Any]) -> model_fn.EstimatorSpec:
        with _scope(use_resource=True):
            predictions = self.model.predict(features=features)
        predictions[PredictionResults.TIMES] = features[PredictionFeatures.TIMES]
        return model_fn.EstimatorSpec(predictions=predictions, mode=ModeKeys.PREDICT)

    def _serving_ops(self, features: dict[str, Any]) -> model_fn.EstimatorSpec:
        """What a SavedModel has: prediction, and filtering with a state and without."""
        with _scope(use_resource=True):
            predicted = self.model.predict(features=features)
        with _scope(reuse=True):
            filtered = self.create_loss(features, ModeKeys.EVAL)
        with _scope(reuse=True):
            stateless = {
                key: value
                for key, value in features.items()
                if not key.startswith(State.STATE_PREFIX)
            }
            cold = self.model.define_loss(features=stateless, mode=ModeKeys.EVAL)
        return _exporting(
            {
                SavedModelLabels.PREDICT: PredictOutput(predicted),
                SavedModelLabels.FILTER: PredictOutput(state_to_dictionary(filtered.end_state)),
                SavedModelLabels.COLD_START_FILTER: _NoStatePredictOutput(
                    state_to_dictionary(cold.end_state)
                ),
            }
        )

    def _convert_feature_to_tensor(self, name: str, value: Any) -> Any:
        if name == State.STATE_TUPLE:
            return value
        if name == TrainEvalFeatures.TIMES:
            return math_ops.cast(value, dtypes.int64)
        if name == TrainEvalFeatures.VALUES:
            return math_ops.cast(value, self.model.dtype)
        return convert_to_tensor_or_sparse_tensor(value)

    def _gather_state(self, features: dict[str, Any]) -> tuple[dict[str, Any], bool]:
        """Features with a state that came as tensors put together, and whether it did so."""
        pattern = re.compile(rf"^{State.STATE_PREFIX}_(\d+)$")
        numbers = {key: int(m.group(1)) for key in features if (m := pattern.search(key))}
        if not numbers:
            return features, False
        rest = {key: value for key, value in features.items() if key not in numbers}
        rest[State.STATE_TUPLE] = nest.pack_sequence_as(
            self.model.get_start_state(),
            [features[key] for key in sorted(numbers, key=numbers.__getitem__)],
        )
        return rest, True

    def _check_predict_features(self, features: dict[str, Any]) -> None:
        needed = [PredictionFeatures.TIMES, PredictionFeatures.STATE_TUPLE]
        # State has the model's own shapes. Values that lead to a prediction are fewer than times.
        ignore = [PredictionFeatures.STATE_TUPLE]
        if self._needs_values_to_predict:
            needed.insert(1, TrainEvalFeatures.VALUES)
            ignore.append(TrainEvalFeatures.VALUES)
        _check_has(features, needed, "prediction")
        _check_times(features)
        _check_windows(features, ignore)

    def create_estimator_spec(
        self, features: dict[str, Any], mode: str, labels: Any = None
    ) -> model_fn.EstimatorSpec:
        """The EstimatorSpec of features, as an Estimator's `model_fn` gives it.

        Args:
          features: see `TimeSeriesModel.define_loss`; to predict, times and a state.
          mode: a key of tf.estimator.ModeKeys.
          labels: none.

        Raises:
          ValueError: there are labels, or the features are not what the mode needs.
        """
        with ops.name_scope(self._name, "head"):
            if labels is not None and labels != {}:
                raise ValueError(
                    "The model received a `labels`, which is not supported. Pass "
                    f"'{TrainEvalFeatures.TIMES}' and '{TrainEvalFeatures.VALUES}' as features."
                )
            features = {
                name: self._convert_feature_to_tensor(name=name, value=value)
                for name, value in features.items()
            }
            statistics = None
            if self.input_statistics_generator is not None:
                statistics = self.input_statistics_generator.initialize_graph(
                    features, update_statistics=mode == ModeKeys.TRAIN
                )
            self.model.initialize_graph(input_statistics=statistics)
            features, serving = self._gather_state(features)
            if mode in (ModeKeys.TRAIN, ModeKeys.EVAL):
                _check_train_eval_features(features, self.model)
            elif mode == ModeKeys.PREDICT:
                self._check_predict_features(features)
            else:
                raise ValueError(f"Unknown mode '{mode}' passed to model_fn.")
            self.state_manager.initialize_graph(model=self.model, input_statistics=statistics)
            if mode == ModeKeys.TRAIN:
                return self._train_ops(features)
            if mode == ModeKeys.EVAL:
                return self._evaluate_ops(features)
            return self._serving_ops(features) if serving else self._predict_ops(features)


@tf_export("contrib.timeseries.OneShotPredictionHead")
class OneShotPredictionHead(TimeSeriesRegressionHead):
    """A head whose SavedModels filter values and predict what follows in one, without state.

    As tf.contrib.timeseries' in TF 1.15. Its signature takes values for the first of its times.
    """

    _needs_values_to_predict = True

    def _evaluate_ops(self, features: dict[str, Any]) -> model_fn.EstimatorSpec:
        spec = super()._evaluate_ops(features)
        del spec.eval_metric_ops[State.STATE_TUPLE]
        return spec

    def _serving_ops(self, features: dict[str, Any]) -> model_fn.EstimatorSpec:
        with _scope(use_resource=True):
            length = array_ops.shape(features[FilteringFeatures.VALUES])[1]
            before, after = {}, {}
            for key, value in features.items():
                if key == FilteringFeatures.VALUES:
                    before[key] = value
                elif key != State.STATE_TUPLE:
                    before[key] = value[:, :length]
                    after[key] = value[:, length:]
            cold = self.model.define_loss(features=before, mode=ModeKeys.EVAL)
            after[State.STATE_TUPLE] = cold.end_state
        with _scope(reuse=True):
            predicted = self.model.predict(features=after)
        return _exporting({SavedModelLabels.PREDICT: _NoStatePredictOutput(predicted)})


def _exporting(outputs: dict[str, Any]) -> model_fn.EstimatorSpec:
    # The predictions are there as an Estimator wants some.
    return model_fn.EstimatorSpec(mode=ModeKeys.PREDICT, export_outputs=outputs, predictions={})


def _check_has(features: dict[str, Any], needed: list[str], what: str) -> None:
    for name in needed:
        if name not in features:
            raise ValueError(f"Expected a '{name}' feature for {what}.")


def _check_times(features: dict[str, Any]) -> None:
    name = TrainEvalFeatures.TIMES
    shape = features[name].get_shape()
    if not shape.is_compatible_with([None, None]):
        raise ValueError(
            f"Expected shape (batch dimension, window size) for feature '{name}' (got shape "
            f"{shape})"
        )


def _check_windows(features: dict[str, Any], ignore: list[str]) -> None:
    """All features but some begin with the shape of the times."""
    times = TrainEvalFeatures.TIMES
    times_shape = features[times].get_shape()
    for name, value in features.items():
        if name in ignore or value.get_shape().ndims is None:
            continue
        shape = value.get_shape()
        if shape.ndims < 2:
            raise ValueError(
                "Features must have shape (batch dimension, window size, ...) (got rank "
                f"{shape.ndims} for feature '{name}')"
            )
        if not shape[:2].is_compatible_with(times_shape):
            raise ValueError(
                "Features must have shape (batch dimension, window size, ...) where batch "
                f"dimension and window size match the '{times}' feature (got shape {shape} for "
                f"feature '{name}' but shape {times_shape} for feature '{times}')"
            )


def _check_train_eval_features(features: dict[str, Any], model: Any) -> None:
    values = TrainEvalFeatures.VALUES
    _check_has(features, [TrainEvalFeatures.TIMES, values], "training/evaluation")
    _check_times(features)
    count = model.num_features
    if not features[values].get_shape().is_compatible_with([None, None, count]):
        # TF says the shape of the times.
        shape = features[TrainEvalFeatures.TIMES].get_shape()
        raise ValueError(
            f"Expected shape (batch dimension, window size, {count}) for feature '{values}', since "
            f"the model was configured with num_features={count} (got shape {shape})"
        )
    _check_windows(features, [State.STATE_TUPLE])


def _last_value(name: str, tensor: Any) -> tuple[Any, Any]:
    """A metric whose value is the one of the last update."""
    variable = variables.VariableV1(
        name=f"{name}_identity_metric",
        initial_value=array_ops.zeros([], dtype=tensor.dtype),
        collections=[ops.GraphKeys.LOCAL_VARIABLES],
        validate_shape=False,
    )
    update = state_ops.assign(variable, tensor, validate_shape=False)
    # The shape after an update.
    variable.set_shape(tensor.get_shape())
    return variable.value(), update


def _last_values(name: str, struct: Any) -> tuple[Any, Any]:
    """A metric of a structure of tensors."""
    metrics = [_last_value(f"{name}_{i}", tensor) for i, tensor in enumerate(nest.flatten(struct))]
    values = nest.pack_sequence_as(struct, [value for value, _ in metrics])
    return values, control_flow_ops.group(*[update for _, update in metrics])


def state_to_dictionary(state_tuple: Any) -> dict[str, Any]:
    """The tensors of a state by names with numbers."""
    return {
        f"{State.STATE_PREFIX}_{number:02d}": value
        for number, value in enumerate(nest.flatten(state_tuple))
    }
