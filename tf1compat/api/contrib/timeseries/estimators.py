"""Estimators of time series (`tensorflow.contrib.timeseries.python.timeseries.estimators`)."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.timeseries import (
    ar_model,
    head,
    input_statistics,
    state_management,
)
from tf1compat.api.contrib.timeseries.feature_keys import TrainEvalFeatures
from tf1compat.api.contrib.timeseries.state_space_models import (
    filtering_postprocessor,
    state_space_model,
    structural_ensemble,
)
from tf1compat.api.estimator.canned import optimizers
from tf1compat.api.estimator.estimator import Estimator
from tf1compat.api.estimator.export.export import ServingInputReceiver
from tf1compat.api.feature_column import feature_column, feature_column_v2
from tf1compat.api.io import parsing_ops
from tf1compat.api.math import math_ops
from tf1compat.api.training import adagrad, adam
from tf1compat.core import dtypes, nest, ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape

_TIMES, _VALUES = TrainEvalFeatures.TIMES, TrainEvalFeatures.VALUES


@tf_export("contrib.timeseries.TimeSeriesRegressor")
class TimeSeriesRegressor(Estimator):
    """An Estimator of a model of time series.

    As tf.contrib.timeseries' in TF 1.15.

    Args:
      model: a TimeSeriesModel.
      state_manager: what carries its state from batch to batch; by default what the model needs.
      optimizer: a tf.train.Optimizer; by default Adam with 0.02.
      model_dir, config: see `tf.estimator.Estimator`.
      head_type: TimeSeriesRegressionHead or a subclass.
    """

    def __init__(
        self,
        model: Any,
        state_manager: Any = None,
        optimizer: Any = None,
        model_dir: str | None = None,
        config: Any = None,
        head_type: Any = head.TimeSeriesRegressionHead,
    ):
        statistics = input_statistics.InputStatisticsFromMiniBatch(
            dtype=model.dtype, num_features=model.num_features
        )
        if state_manager is None and isinstance(model, ar_model.ARModel):
            state_manager = state_management.FilteringOnlyStateManager()
        self._model = model
        model_head = head_type(
            model=model,
            state_manager=state_manager or state_management.PassthroughStateManager(),
            optimizer=adam.AdamOptimizer(0.02) if optimizer is None else optimizer,
            input_statistics_generator=statistics,
        )
        super().__init__(
            model_fn=model_head.create_estimator_spec, model_dir=model_dir, config=config
        )

    def _start_state_placeholders(self, batch: Any, static_batch: int | None) -> dict[str, Any]:
        """Placeholders of the state, which are the model's start where nothing is fed."""
        with ops.Graph().as_default():
            self._model.initialize_graph()
            start = nest.map_structure(
                lambda x: tensor_util.constant_value(array_ops.zeros_like(x)),
                self._model.get_start_state(),
            )
        placeholders = {}
        for name, value in head.state_to_dictionary(start).items():
            times = array_ops.concat(
                [batch[None], array_ops.ones(len(value.shape), dtype=dtypes.int32)], axis=0
            )
            placeholders[name] = array_ops.placeholder_with_default(
                input=array_ops.tile(value[None, ...], multiples=times),
                name=name,
                shape=TensorShape((static_batch,)).concatenate(value.shape),
            )
        return placeholders

    def build_one_shot_parsing_serving_input_receiver_fn(
        self,
        filtering_length: int,
        prediction_length: int,
        default_batch_size: int | None = None,
        values_input_dtype: Any = None,
        truncate_values: bool = False,
    ) -> Callable[[], ServingInputReceiver]:
        """An input function of exports that parse tf.Examples, for `OneShotPredictionHead`.

        Args:
          filtering_length: for how many times an example has values.
          prediction_length: for how many times more there are predictions.
          default_batch_size: how many examples, if that is known.
          values_input_dtype: of the values in examples; by default float32.
          truncate_values: whether examples have values for the times of predictions too.

        Raises:
          ValueError: an exogenous column is of numbers of no known length (when it is called).
        """
        total = filtering_length + prediction_length
        values_length = total if truncate_values else filtering_length
        dtype = dtypes.float32 if values_input_dtype is None else values_input_dtype

        def with_times(key: str, spec: Any) -> Any:
            if isinstance(spec, parsing_ops.FixedLenFeature):
                length = values_length if key == _VALUES else total
                return spec._replace(shape=(length, *spec.shape))
            if spec.dtype == dtypes.string:
                return parsing_ops.FixedLenFeature(shape=(total,), dtype=dtypes.string)
            raise ValueError(f"VarLenFeatures not supported, got {spec} for key {key}")

        def receive() -> ServingInputReceiver:
            columns = [
                *self._model.exogenous_feature_columns,
                feature_column_v2.numeric_column(key=_TIMES, dtype=dtypes.int64),
                feature_column_v2.numeric_column(
                    key=_VALUES, dtype=dtype, shape=(self._model.num_features,)
                ),
            ]
            spec = feature_column.make_parse_example_spec(columns)
            spec = {key: with_times(key, one) for key, one in spec.items()}
            examples = array_ops.placeholder(
                shape=[default_batch_size], dtype=dtypes.string, name="input"
            )
            features = parsing_ops.parse_example(serialized=examples, features=spec)
            features[_TIMES] = array_ops.squeeze(features[_TIMES], axis=-1)
            values = math_ops.cast(features[_VALUES], dtype=self._model.dtype)
            features[_VALUES] = values[:, :filtering_length]
            batch = array_ops.shape(features[_TIMES])[0]
            features.update(self._start_state_placeholders(batch, default_batch_size))
            return ServingInputReceiver(features, {"examples": examples})

        return receive

    def build_raw_serving_input_receiver_fn(
        self, default_batch_size: int | None = None, default_series_length: int | None = None
    ) -> Callable[[], ServingInputReceiver]:
        """An input function of exports that take arrays.

        Args:
          default_batch_size: how many series, if that is known.
          default_series_length: how many times, if that is known.
        """
        window = [default_batch_size, default_series_length]

        def receive() -> ServingInputReceiver:
            times = array_ops.placeholder(name=_TIMES, dtype=dtypes.int64, shape=window)
            count, dtype = self._model.num_features, self._model.dtype
            none = array_ops.zeros(shape=[*(size or 0 for size in window), count], dtype=dtype)
            values = array_ops.placeholder_with_default(
                name=_VALUES, input=none, shape=(*window, count)
            )
            placeholders = {_TIMES: times, _VALUES: values}
            for key, (shape, dtype) in self._exogenous_shapes().items():
                placeholders[key] = array_ops.placeholder(
                    dtype=dtype, name=key, shape=[*window, *shape[1:]]
                )
            batch = array_ops.shape(times)[0]
            placeholders.update(self._start_state_placeholders(batch, default_batch_size))
            return ServingInputReceiver(placeholders, placeholders)

        return receive

    def _exogenous_shapes(self) -> dict[str, tuple[list[Any], Any]]:
        """Shapes with the batch's dimension, and dtypes, of what the exogenous columns are of."""
        columns = self._model.exogenous_feature_columns
        if not columns:
            return {}
        with ops.Graph().as_default():
            spec = feature_column.make_parse_example_spec(columns)
            examples = array_ops.placeholder(shape=[None], dtype=dtypes.string)
            features = parsing_ops.parse_example(serialized=examples, features=spec)
            return {
                key: (x.get_shape().with_rank_at_least(1).as_list(), x.dtype)
                for key, x in features.items()
            }


@tf_export("contrib.timeseries.ARRegressor")
class ARRegressor(TimeSeriesRegressor):
    """An Estimator of an auto-regressive model.

    As tf.contrib.timeseries' in TF 1.15.

    Args:
      hidden_layer_sizes: of the network's layers before the last ones.
      anomaly_prior_probability: of a value's being an anomaly; None if there are none.
      anomaly_distribution: "gaussian" or "cauchy", which has to be given with the probability.
      optimizer: a tf.train.Optimizer; by default Adagrad with 0.1.
      model_dir, config: see `tf.estimator.Estimator`.
      The others: see `ARModel`.

    Raises:
      ValueError: a distribution without a probability, or anomalies with another loss.
    """

    def __init__(
        self,
        periodicities: Any,
        input_window_size: int,
        output_window_size: int,
        num_features: int,
        exogenous_feature_columns: Any = None,
        num_time_buckets: int = 10,
        loss: str = ar_model.ARModel.NORMAL_LIKELIHOOD_LOSS,
        hidden_layer_sizes: Any = None,
        anomaly_prior_probability: float | None = None,
        anomaly_distribution: str | None = None,
        optimizer: Any = None,
        model_dir: str | None = None,
        config: Any = None,
    ):
        given: dict[str, Any] = {
            "periodicities": periodicities,
            "num_features": num_features,
            "prediction_model_factory": functools.partial(
                ar_model.FlatPredictionModel, hidden_layer_sizes=hidden_layer_sizes
            ),
            "exogenous_feature_columns": exogenous_feature_columns,
            "num_time_buckets": num_time_buckets,
            "input_window_size": input_window_size,
            "output_window_size": output_window_size,
        }
        if anomaly_prior_probability is None:
            if anomaly_distribution is not None:
                raise ValueError(
                    "anomaly_prior_probability is required if anomaly_distribution is specified."
                )
            model = ar_model.ARModel(loss=loss, **given)
        elif loss != ar_model.ARModel.NORMAL_LIKELIHOOD_LOSS:
            raise ValueError(
                "AnomalyMixtureARModel only supports ar_model.ARModel.NORMAL_LIKELIHOOD_LOSS for "
                "its loss argument."
            )
        else:
            model = ar_model.AnomalyMixtureARModel(
                anomaly_prior_probability=anomaly_prior_probability,
                anomaly_distribution=anomaly_distribution,  # type: ignore[arg-type]
                **given,
            )
        super().__init__(
            model=model,
            state_manager=state_management.FilteringOnlyStateManager(),
            optimizer=adagrad.AdagradOptimizer(0.1) if optimizer is None else optimizer,
            model_dir=model_dir,
            config=config,
        )


class LSTMAutoRegressor(TimeSeriesRegressor):
    """An Estimator of an auto-regressive model whose network is two LSTMs.

    As tf.contrib.timeseries' in TF 1.15.

    Args:
      extra_feature_columns: feature columns of what is known besides.
      num_timesteps: in how many buckets each cycle is divided.
      num_units: of the LSTMs.
      optimizer: a tf.train.Optimizer, or its name.
      model_dir, config: see `tf.estimator.Estimator`.
      The others: see `ARModel`.
    """

    def __init__(
        self,
        periodicities: Any,
        input_window_size: int,
        output_window_size: int,
        model_dir: str | None = None,
        num_features: int = 1,
        extra_feature_columns: Any = None,
        num_timesteps: int = 10,
        loss: str = ar_model.ARModel.NORMAL_LIKELIHOOD_LOSS,
        num_units: int = 128,
        optimizer: Any = "Adam",
        config: Any = None,
    ):
        optimizer = optimizers.get_optimizer_instance(optimizer, learning_rate=0.01)
        model = ar_model.ARModel(
            periodicities=periodicities,
            input_window_size=input_window_size,
            output_window_size=output_window_size,
            num_features=num_features,
            exogenous_feature_columns=extra_feature_columns,
            num_time_buckets=num_timesteps,
            loss=loss,
            prediction_model_factory=functools.partial(
                ar_model.LSTMPredictionModel, num_units=num_units
            ),
        )
        super().__init__(
            model=model,
            state_manager=state_management.FilteringOnlyStateManager(),
            optimizer=optimizer,
            model_dir=model_dir,
            config=config,
            head_type=head.OneShotPredictionHead,
        )


class StateSpaceRegressor(TimeSeriesRegressor):
    """An Estimator of a state space model.

    As tf.contrib.timeseries' in TF 1.15.

    Args:
      model: a StateSpaceModel.
      state_manager: what carries its state from batch to batch; a ChainingStateManager by default.
      optimizer, model_dir, config, head_type: see `TimeSeriesRegressor`.

    Raises:
      ValueError: another kind of model.
    """

    def __init__(
        self, model: Any, state_manager: Any = None, optimizer: Any = None,
        model_dir: str | None = None, config: Any = None,
        head_type: Any = head.TimeSeriesRegressionHead,
    ):  # fmt: skip
        if not isinstance(model, state_space_model.StateSpaceModel):
            raise ValueError(
                "StateSpaceRegressor only supports state space models (children of "
                f"StateSpaceModel) in its `model` argument, got {model}."
            )
        if state_manager is None:
            state_manager = state_management.ChainingStateManager()
        super().__init__(
            model=model, state_manager=state_manager, optimizer=optimizer, model_dir=model_dir,
            config=config, head_type=head_type,
        )  # fmt: skip


@tf_export("contrib.timeseries.StructuralEnsembleRegressor")
class StructuralEnsembleRegressor(StateSpaceRegressor):
    """An Estimator of a level with a trend, cycles, and an ARMA model.

    As tf.contrib.timeseries' in TF 1.15.

    Args:
      periodicities: the cycles' lengths: a number, a list, or None.
      num_features: how many values there are for each time.
      cycle_num_latent_values: how many values a cycle has: an odd int, or one for each.
      moving_average_order, autoregressive_order: of the ARMA model.
      exogenous_feature_columns: feature columns of what is known besides.
      exogenous_update_condition: of `(times, features)`, bools that say where that counts.
      dtype: of states and values.
      anomaly_prior_probability: of a value's being an anomaly; None if there are none.
      optimizer, model_dir, config, head_type: see `TimeSeriesRegressor`.
    """

    def __init__(
        self, periodicities: Any, num_features: int, cycle_num_latent_values: Any = 11,
        moving_average_order: int = 4, autoregressive_order: int = 0,
        exogenous_feature_columns: Any = None, exogenous_update_condition: Any = None,
        dtype: Any = dtypes.float64, anomaly_prior_probability: float | None = None,
        optimizer: Any = None, model_dir: str | None = None, config: Any = None,
        head_type: Any = head.TimeSeriesRegressionHead,
    ):  # fmt: skip
        postprocessor = None
        if anomaly_prior_probability is not None:
            postprocessor = filtering_postprocessor.StateInterpolatingAnomalyDetector(
                anomaly_prior_probability=anomaly_prior_probability
            )
        configuration = state_space_model.StateSpaceModelConfiguration(
            num_features=num_features,
            dtype=dtype,
            filtering_postprocessor=postprocessor,
            exogenous_feature_columns=exogenous_feature_columns,
            exogenous_update_condition=exogenous_update_condition,
        )
        model = structural_ensemble.MultiResolutionStructuralEnsemble(
            cycle_num_latent_values=cycle_num_latent_values,
            moving_average_order=moving_average_order,
            autoregressive_order=autoregressive_order,
            periodicities=periodicities,
            configuration=configuration,
        )
        super().__init__(
            model=model, optimizer=optimizer, model_dir=model_dir, config=config,
            head_type=head_type,
        )  # fmt: skip
