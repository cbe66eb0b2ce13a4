"""Auto-regressive models (`tensorflow.contrib.timeseries.python.timeseries.ar_model`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.checks import check_ops
from tf1compat.api.contrib.timeseries import math_utils, model
from tf1compat.api.contrib.timeseries.feature_keys import PredictionFeatures, TrainEvalFeatures
from tf1compat.api.contrib.timeseries.prediction_models import (
    FlatPredictionModel,
    LSTMPredictionModel,
)
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.control_flow.tensor_array_ops import TensorArray
from tf1compat.api.estimator.mode_keys import ModeKeys
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.random import init_ops
from tf1compat.api.variables import variable_scope
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export

__all__ = ["ARModel", "AnomalyMixtureARModel", "FlatPredictionModel", "LSTMPredictionModel"]

_NOT_EXOGENOUS = (
    TrainEvalFeatures.TIMES,
    TrainEvalFeatures.VALUES,
    PredictionFeatures.STATE_TUPLE,
)


def _exogenous(features: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in features.items() if key not in _NOT_EXOGENOUS}


def _sigma(variance: Any) -> Any:
    return math_ops.sqrt(math_ops.maximum(variance, 1e-5))


@tf_export("contrib.timeseries.ARModel")
class ARModel(model.TimeSeriesModel):
    """A model that predicts a window by the window before it, and by the times of both.

    As tf.contrib.timeseries' in TF 1.15. Its state is the window before: its times, its normalized
    values, and what the exogenous columns give there.

    Args:
      periodicities: an int or ints: each cycle is divided into buckets, of which each is a feature:
        how far a time is in it, from 0 to 1.
      input_window_size: how many times are looked at; may be 0.
      output_window_size: how many times are predicted at once.
      num_features: how many values there are for each time.
      prediction_model_factory: of the last three arguments, the tf.keras.Model that maps features
        of both windows to "mean" and "covariance".
      num_time_buckets: in which each cycle is divided.
      loss: SQUARED_LOSS or NORMAL_LIKELIHOOD_LOSS, which trains the covariance too.
      exogenous_feature_columns: feature columns of what is known besides.
    """

    SQUARED_LOSS = "squared_loss"
    NORMAL_LIKELIHOOD_LOSS = "normal_likelihood_loss"

    def __init__(
        self,
        periodicities: Any,
        input_window_size: int,
        output_window_size: int,
        num_features: int,
        prediction_model_factory: Callable[..., Any] = FlatPredictionModel,
        num_time_buckets: int = 10,
        loss: str = NORMAL_LIKELIHOOD_LOSS,
        exogenous_feature_columns: Any = None,
    ):
        self._model_factory = prediction_model_factory
        self.input_window_size = input_window_size
        self.output_window_size = output_window_size
        self.window_size = input_window_size + output_window_size
        self.loss = loss
        super().__init__(
            num_features=num_features, exogenous_feature_columns=exogenous_feature_columns
        )
        self.exogenous_size = 0
        if exogenous_feature_columns is not None:
            self.exogenous_size = self._get_exogenous_embedding_shape()[-1]
        assert num_time_buckets > 0
        self._buckets = int(num_time_buckets)
        if not isinstance(periodicities, (list, tuple)):
            periodicities = [periodicities] if periodicities else []
        self._periodicities = [int(period) for period in periodicities]
        assert all(period > 0 for period in self._periodicities)
        assert self._periodicities or input_window_size
        assert output_window_size > 0

    def initialize_graph(self, input_statistics: Any = None) -> None:
        """Makes the network; see `TimeSeriesModel.initialize_graph`."""
        super().initialize_graph(input_statistics=input_statistics)
        # With its slash the scope has one name inside and outside of loops.
        self._model_scope = variable_scope.variable_scope("model/", use_resource=True)
        self._model_instance = self._model_factory(
            num_features=self.num_features,
            input_window_size=self.input_window_size,
            output_window_size=self.output_window_size,
        )

    def get_start_state(self) -> Any:
        """A window of zeros: its times, values and exogenous values."""
        size = self.input_window_size
        return (
            array_ops.zeros([size], dtype=dtypes.int64),
            array_ops.zeros([size, self.num_features], dtype=self.dtype),
            array_ops.zeros([size, self.exogenous_size], dtype=self.dtype),
        )

    def random_model_parameters(self, seed: int | None = None) -> None:
        """There are none, as the model draws no series."""

    def generate(
        self,
        number_of_series: int,
        series_length: int,
        model_parameters: Any = None,
        seed: int | None = None,
    ) -> None:
        """Draws nothing."""

    def prediction_ops(self, times: Any, values: Any, exogenous_regressors: Any) -> dict[str, Any]:
        """Predictions of the second of two windows.

        Args:
          times: [batch, window_size] ints.
          values: [batch, input_window_size, num_features]; not looked at if that window is empty.
          exogenous_regressors: [batch, window_size, exogenous_size] or None.

        Returns:
          What the network gives, [batch, output_window_size, num_features] each.
        """
        times.get_shape().assert_is_compatible_with([None, self.window_size])
        batch = array_ops.shape(times)[0]
        size, num_features = self.input_window_size, self.num_features
        if size:
            values.get_shape().assert_is_compatible_with([None, size, num_features])
        if exogenous_regressors is not None:
            exogenous_regressors.get_shape().assert_is_compatible_with(
                [None, self.window_size, self.exogenous_size]
            )
        before, after = [], []
        before_size = after_size = 0

        def add_both(features: Any, count: int) -> None:
            nonlocal before_size, after_size
            parts = array_ops.split(features, (size, self.output_window_size), axis=1)
            before.append(parts[0])
            after.append(parts[1])
            before_size += count
            after_size += count

        if self._periodicities:
            _, of_time = self._compute_time_features(times)
            count = self._buckets * len(self._periodicities)
            add_both(array_ops.reshape(of_time, [batch, self.window_size, count]), count)
        if size:
            seen = array_ops.slice(values, [0, 0, 0], [-1, size, -1])
            before.append(array_ops.reshape(seen, [batch, size, num_features]))
            before_size += num_features
        if self.exogenous_size:
            add_both(exogenous_regressors, self.exogenous_size)
        first = array_ops.concat(before, axis=2)
        if after:
            second = array_ops.concat(after, axis=2)
        else:
            second = array_ops.zeros([batch, self.output_window_size, 0], dtype=self.dtype)
        static_batch = times.get_shape().dims[0].value
        first.set_shape([static_batch, size, before_size])
        second.set_shape([static_batch, self.output_window_size, after_size])
        return self._output_window_predictions(first, second)

    def _output_window_predictions(self, first: Any, second: Any) -> dict[str, Any]:
        with self._model_scope:
            predictions = self._model_instance(first, second)
            for value in predictions.values():
                value.set_shape([None, self.output_window_size, self.num_features])
            return predictions

    def loss_op(self, targets: Any, prediction_ops: dict[str, Any]) -> Any:
        """The mean loss of predictions, a scalar; `targets` has the shape of their "mean"."""
        prediction = prediction_ops["mean"]
        if self.loss == self.NORMAL_LIKELIHOOD_LOSS:
            sigma = _sigma(prediction_ops["covariance"])
            likelihood = math_utils.normal_log_prob(targets, sigma, prediction)
            loss = -math_ops.reduce_sum(likelihood)
        else:
            assert self.loss == self.SQUARED_LOSS, self.loss
            loss = math_ops.reduce_sum(math_ops.squared_difference(prediction, targets))
        return self._mean_of(loss, targets)

    def _mean_of(self, total: Any, targets: Any) -> Any:
        count = math_ops.reduce_prod(array_ops.shape(targets))
        return total / math_ops.cast(count, total.dtype)

    def _process_exogenous_features(self, times: Any, features: dict[str, Any]) -> Any:
        embedded = super()._process_exogenous_features(times=times, features=features)
        if embedded is not None:
            return embedded
        assert self.exogenous_size == 0
        shape = [array_ops.shape(times), constant_op.constant([0])]
        return array_ops.zeros(array_ops.concat(shape, axis=0))

    def predict(self, features: dict[str, Any]) -> dict[str, Any]:
        """Predicts window after window, each by the ones before.

        Args:
          features: times [batch, steps], the state, and what the exogenous columns are of.

        Returns:
          "mean" and "covariance", [batch, steps, num_features] each.
        """
        if not self._graph_initialized:
            self.initialize_graph()
        times = ops.convert_to_tensor(features[PredictionFeatures.TIMES])
        times = math_ops.cast(times, dtypes.int32)
        regressors = self._process_exogenous_features(times=times, features=_exogenous(features))
        same_length = check_ops.assert_equal(
            array_ops.shape(times)[1], array_ops.shape(regressors)[1]
        )
        with ops.control_dependencies([same_length]):
            regressors = array_ops.identity(regressors)
        batch = array_ops.shape(times)[0]
        steps = array_ops.shape(times)[1]
        windows = (steps + self.output_window_size - 1) // self.output_window_size
        padding = windows * self.output_window_size - steps
        times = array_ops.pad(times, [[0, 0], [0, padding]])
        regressors = array_ops.pad(regressors, [[0, 0], [0, padding], [0, 0]])
        start = self._first_windows(features[PredictionFeatures.STATE_TUPLE], times, regressors)

        def body(
            number: Any, seen_times: Any, values: Any, seen: Any, means: Any, covariances: Any
        ) -> Any:
            predictions = self.prediction_ops(seen_times, values, seen)
            offset = self.output_window_size * math_ops.minimum(number + 1, windows - 1)
            following = self._next_windows(
                offset, predictions["mean"], (seen_times, values, seen), times, regressors
            )
            following[0].set_shape(start[0].get_shape())
            following[2].set_shape(start[2].get_shape())
            means = means.write(number, predictions["mean"])
            if isinstance(covariances, TensorArray):
                covariances = covariances.write(number, predictions["covariance"])
            return (number + 1, *following, means, covariances)

        covariances: Any = 0.0
        if self.loss != self.SQUARED_LOSS:
            covariances = TensorArray(dtype=self.dtype, size=windows)
        means = TensorArray(dtype=self.dtype, size=windows)
        *_, means, covariances = control_flow_ops.while_loop(
            lambda number, *_: math_ops.less(number, windows), body, [0, *start, means, covariances]
        )

        def joined(array: Any) -> Any:
            length = windows * self.output_window_size
            rows = array_ops.transpose(array.stack(), [1, 0, 2, 3])
            rows = array_ops.reshape(rows, array_ops.stack([batch, length, -1]))
            return rows[:, :steps, :]

        mean = joined(means)
        if isinstance(covariances, TensorArray):
            covariance = joined(covariances)
        else:
            covariance = array_ops.ones_like(mean)
        mean = self._scale_back_data(mean)
        return {"mean": mean, "covariance": self._scale_back_variance(covariance)}

    def _first_windows(self, state: Any, times: Any, regressors: Any) -> tuple[Any, Any, Any]:
        """Times, values and exogenous values that the first prediction is made of."""
        before_times, before_values, before = state
        before_times = math_ops.cast(ops.convert_to_tensor(before_times), dtypes.int32)
        before_values = ops.convert_to_tensor(before_values, dtype=self.dtype)
        before = ops.convert_to_tensor(before, dtype=self.dtype)
        size, after = self.input_window_size, self.output_window_size
        times = times[:, :after]
        regressors = regressors[:, :after, :]
        if not size:
            return times, 0, regressors
        times = array_ops.concat([before_times[:, -size:], times], 1)
        values_size = array_ops.shape(before_values)[1]
        times_size = array_ops.shape(before_times)[1]
        checks = [
            check_ops.assert_greater_equal(values_size, size),
            check_ops.assert_equal(values_size, times_size),
        ]
        with ops.control_dependencies(checks):
            values = before_values[:, -size:, :]
            rows = [before[:, -size:, :], regressors[:, :after, :]]
            return times, values, array_ops.concat(rows, axis=1)

    def _next_windows(
        self, offset: Any, mean: Any, seen: tuple[Any, Any, Any], times: Any, regressors: Any
    ) -> tuple[Any, Any, Any]:
        """Times, values and exogenous values that a later prediction is made of.

        Args:
          offset: where in `times` and `regressors` its output window begins.
          mean: what was predicted last.
          seen: what that was made of.
        """
        size, after = self.input_window_size, self.output_window_size
        if not size:
            following = regressors[:, offset : offset + after, :]
            return times[:, offset : offset + after], seen[1], following
        if after >= size:
            values = mean[:, -size:, :]
            following = regressors[:, offset - size : offset + after, :]
            return times[:, offset - size : offset + after], values, following
        values = array_ops.concat([seen[1][:, after:, :], mean], 1)
        rows = [seen[2][:, -size:, :], regressors[:, offset : offset + after, :]]
        following = array_ops.concat(rows, axis=1)
        rows = [seen[0][:, -size:], times[:, offset : offset + after]]
        return array_ops.concat(rows, 1), values, following

    def _process_window(
        self, features: dict[str, Any], mode: str, exogenous_regressors: Any
    ) -> model.ModelOutputs:
        """The ModelOutputs of an input and an output window.

        Raises:
          ValueError: the times are not those of two windows.
        """
        size, after = self.input_window_size, self.output_window_size
        times = math_ops.cast(features[TrainEvalFeatures.TIMES], dtypes.int64)
        observed = math_ops.cast(features[TrainEvalFeatures.VALUES], dtype=self.dtype)
        regressors = math_ops.cast(exogenous_regressors, dtype=self.dtype)
        if not times.get_shape().is_compatible_with([None, self.window_size]):
            window = self.window_size
            raise ValueError(
                f"ARModel with input_window_size={size} and output_window_size={after} expects "
                f"feature '{TrainEvalFeatures.TIMES}' to have shape (batch_size, {window}) (for "
                f"any batch_size), but got shape {times.get_shape()}. If you are using "
                f"RandomWindowInputFn, set window_size={window} or adjust the input_window_size "
                "and output_window_size arguments to ARModel."
            )
        values = self._scale_data(observed)
        seen = values[:, :size, :] if size > 0 else None
        predictions = self.prediction_ops(times, seen, regressors)
        mean, covariance = predictions["mean"], predictions["covariance"]
        targets = array_ops.slice(values, [0, size, 0], [-1, -1, -1])
        targets.get_shape().assert_is_compatible_with(mean.get_shape())
        if mode == ModeKeys.EVAL and self.loss == self.SQUARED_LOSS:
            # Of what the user gave, as it is compared with other models' losses.
            unscaled = self._scale_back_data(targets)
            loss = self.loss_op(unscaled, {"mean": self._scale_back_data(mean)})
        else:
            loss = self.loss_op(targets, predictions)
        mean = self._scale_back_data(mean)
        covariance = self._scale_back_variance(covariance)
        return model.ModelOutputs(
            loss=loss,
            end_state=(times[:, -size:], values[:, -size:, :], regressors[:, -size:, :]),
            predictions={"mean": mean, "covariance": covariance, "observed": observed[:, -after:]},
            prediction_times=times[:, -after:],
        )

    def get_batch_loss(self, features: dict[str, Any], mode: str, state: Any) -> model.ModelOutputs:
        """The ModelOutputs of a batch of windows.

        Args:
          features: times [batch, window], values, and what the exogenous columns are of. In
            training the window has to be an input and an output window; in evaluation it may be
            longer, where the last windows that fit are looked at.
          mode: a key of tf.estimator.ModeKeys.
          state: the state before.

        Raises:
          ValueError: the window is too short, or the mode not one of these.
        """
        features = {name: ops.convert_to_tensor(value) for name, value in features.items()}
        times = features[TrainEvalFeatures.TIMES]
        regressors = self._process_exogenous_features(times=times, features=_exogenous(features))
        if mode == ModeKeys.TRAIN:
            return self._process_window(features, mode=mode, exogenous_regressors=regressors)
        if mode == ModeKeys.EVAL:
            return self._evaluate(features, regressors, state)
        raise ValueError(f"Unknown mode '{mode}' passed to get_batch_loss.")

    def _evaluate(self, features: dict[str, Any], regressors: Any, state: Any) -> Any:
        """`get_batch_loss` of evaluation: a loop over windows."""
        size, after = self.input_window_size, self.output_window_size
        times = features[TrainEvalFeatures.TIMES]
        times.get_shape().assert_has_rank(2)
        static_size = times.get_shape().dims[1].value
        if static_size is not None and static_size < self.window_size:
            raise ValueError(
                "ARModel requires a window of at least input_window_size + output_window_size to "
                f"evaluate on (input_window_size={size}, output_window_size={after}, and got shape "
                f"{times.get_shape()} for feature '{TrainEvalFeatures.TIMES}' (batch size, window "
                "size))."
            )
        count = (array_ops.shape(times)[1] - size) // after
        output_size = count * after
        length = output_size + size
        features = {name: value[:, -length:] for name, value in features.items()}

        def body(number: Any, losses: Any, means: Any, covariances: Any) -> Any:
            offset = number * after

            def window(x: Any) -> Any:
                return x[:, offset : offset + self.window_size]

            found = self._process_window(
                features={name: window(value) for name, value in features.items()},
                mode=ModeKeys.EVAL,
                exogenous_regressors=window(regressors),
            )
            return (
                number + 1,
                losses.write(number, found.loss),
                means.write(number, found.predictions["mean"]),
                covariances.write(number, found.predictions["covariance"]),
            )

        arrays = [TensorArray(dtype=self.dtype, size=count) for _ in range(3)]
        _, losses, means, covariances = control_flow_ops.while_loop(
            lambda number, *_: number < count, body, [0, *arrays]
        )
        values = math_ops.cast(features[TrainEvalFeatures.VALUES], dtype=self.dtype)
        batch = array_ops.shape(times)[0]
        shape = [batch, after * count, self.num_features]
        if size > 0:
            state = self._state_after(state, times, values, regressors)

        def joined(array: Any) -> Any:
            return array_ops.reshape(array_ops.transpose(array.stack(), [1, 0, 2, 3]), shape)

        return model.ModelOutputs(
            loss=math_ops.reduce_mean(losses.stack(), axis=0),
            end_state=tuple(state),
            predictions={
                "mean": joined(means),
                "covariance": joined(covariances),
                "observed": values[:, -output_size:],
            },
            prediction_times=times[:, -output_size:],
        )

    def _state_after(self, state: Any, times: Any, values: Any, regressors: Any) -> Any:
        """The last window of the state before and the one seen."""
        size = self.input_window_size
        before_times, before_values, before = state
        rows = [before_times, math_ops.cast(times, dtype=dtypes.int64)]
        times = array_ops.concat(rows, axis=1)[:, -size:]
        times.set_shape((None, size))
        rows = [before_values, self._scale_data(values)]
        values = array_ops.concat(rows, axis=1)[:, -size:, :]
        values.set_shape((None, size, self.num_features))
        regressors = array_ops.concat([before, regressors], axis=1)[:, -size:, :]
        regressors.set_shape((None, size, self.exogenous_size))
        return times, values, regressors

    def _compute_time_features(self, time: Any) -> tuple[Any, Any]:
        """How many cycles a time is from 0, and how far it is in each bucket.

        Args:
          time: [batch, window] ints.

        Returns:
          [batch, window, 1, periodicities] and [batch, window, periodicities, buckets].
        """
        batch = array_ops.shape(time)[0]
        count = len(self._periodicities)
        periods = constant_op.constant(
            self._periodicities, shape=[1, 1, count, 1], dtype=time.dtype
        )
        time = array_ops.reshape(time, [batch, -1, 1, 1])
        offset = time / self._periodicities
        phase = math_ops.cast(time % periods, self.dtype)
        phase = phase * self._buckets / math_ops.cast(periods, self.dtype)
        buckets = math_ops.range(self._buckets, dtype=self.dtype)
        buckets = array_ops.reshape(buckets, [1, 1, 1, self._buckets])
        phase = nn_ops.relu(phase - buckets)
        return offset, array_ops.where_v2(phase < 1.0, phase, array_ops.zeros_like(phase))


class AnomalyMixtureARModel(ARModel):
    """An ARModel some of whose values are anomalies, of a wider distribution.

    As tf.contrib.timeseries' in TF 1.15.

    Args:
      anomaly_prior_probability: of a value's being one, between 0 and 1.
      anomaly_distribution: GAUSSIAN_ANOMALY or CAUCHY_ANOMALY.
      The others: see `ARModel`.
    """

    GAUSSIAN_ANOMALY = "gaussian"
    CAUCHY_ANOMALY = "cauchy"

    def __init__(
        self,
        periodicities: Any,
        anomaly_prior_probability: float,
        input_window_size: int,
        output_window_size: int,
        num_features: int,
        prediction_model_factory: Callable[..., Any] = FlatPredictionModel,
        anomaly_distribution: str = GAUSSIAN_ANOMALY,
        num_time_buckets: int = 10,
        exogenous_feature_columns: Any = None,
    ):
        assert 0.0 < anomaly_prior_probability < 1.0
        self._anomaly_prior_probability = anomaly_prior_probability
        assert anomaly_distribution in (self.GAUSSIAN_ANOMALY, self.CAUCHY_ANOMALY)
        self._anomaly_distribution = anomaly_distribution
        super().__init__(
            periodicities=periodicities,
            num_features=num_features,
            num_time_buckets=num_time_buckets,
            input_window_size=input_window_size,
            output_window_size=output_window_size,
            loss=ARModel.NORMAL_LIKELIHOOD_LOSS,
            prediction_model_factory=prediction_model_factory,
            exogenous_feature_columns=exogenous_feature_columns,
        )

    def prediction_ops(self, times: Any, values: Any, exogenous_regressors: Any) -> dict[str, Any]:
        """As ARModel's, with the anomalies' variance or scale as "anomaly_params"."""
        predictions = super().prediction_ops(times, values, exogenous_regressors)
        logarithm = variable_scope.get_variable(
            "anomaly_log_param",
            shape=[],
            dtype=self.dtype,
            initializer=init_ops.zeros_initializer(),
        )
        predictions["anomaly_params"] = math_ops.exp(logarithm)
        return predictions

    def _anomaly_log_prob(self, targets: Any, predictions: dict[str, Any]) -> Any:
        mean, parameter = predictions["mean"], predictions["anomaly_params"]
        if self._anomaly_distribution == self.GAUSSIAN_ANOMALY:
            return math_utils.normal_log_prob(targets, _sigma(parameter), mean)
        return math_utils.cauchy_log_prob(targets, parameter, mean)

    def loss_op(self, targets: Any, prediction_ops: dict[str, Any]) -> Any:
        """The mean loss of the mixture, a scalar; `targets` has the shape of the "mean"."""
        sigma = _sigma(prediction_ops["covariance"])
        usual = math_utils.normal_log_prob(targets, sigma, prediction_ops["mean"])
        usual += math_ops.log(1 - self._anomaly_prior_probability)
        unusual = self._anomaly_log_prob(targets, prediction_ops)
        unusual += math_ops.log(self._anomaly_prior_probability)
        # The logarithm of the sum of both probabilities.
        less = math_ops.minimum(usual, unusual)
        more = math_ops.maximum(usual, unusual)
        mixed = more + math_ops.log(1 + math_ops.exp(less - more))
        return self._mean_of(-math_ops.reduce_sum(mixed), targets)
