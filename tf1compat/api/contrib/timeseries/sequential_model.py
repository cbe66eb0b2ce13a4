"""Models that go through a series step by step
(a part of `tensorflow.contrib.timeseries.python.timeseries.model`)."""

from __future__ import annotations

import abc
from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.timeseries.feature_keys import PredictionFeatures, TrainEvalFeatures
from tf1compat.api.contrib.timeseries.model import ModelOutputs, TimeSeriesModel
from tf1compat.api.control_flow import tensor_array_ops, while_loop
from tf1compat.api.math import math_ops
from tf1compat.api.variables import variable_scope
from tf1compat.core import dtypes, nest, ops
from tf1compat.core.tensor_shape import dimension_value
from tf1compat.core.typing import DTypeLike

_TIMES, _VALUES = TrainEvalFeatures.TIMES, TrainEvalFeatures.VALUES


class _Steps:
    """What a TensorArray is to a loop that Python has unrolled."""

    def __init__(self) -> None:
        self.values: list[Any] = []

    def write(self, position: Any, value: Any) -> _Steps:
        """Appends; the position is the next one anyway."""
        del position
        self.values.append(value)
        return self


def _by_time(steps: Any) -> Any:
    """What an array gathered, as [batch, window, ...]."""
    if isinstance(steps, _Steps):
        return array_ops.stack(steps.values, axis=1)
    stacked = steps.stack()
    rest = math_ops.range(2, array_ops.rank(stacked))
    return array_ops.transpose(stacked, perm=array_ops.concat([[1, 0], rest], 0))


def _without(features: dict[str, Any], *names: str) -> dict[str, Any]:
    return {key: value for key, value in features.items() if key not in names}


class SequentialTimeSeriesModel(TimeSeriesModel):
    """A model whose state goes from each time of a series to the next one.

    As tf.contrib.timeseries' in TF 1.15.

    Args:
      train_output_names: what `_filtering_step` gives besides the loss.
      predict_output_names: what `_prediction_step` gives.
      num_features: how many values there are for each time.
      normalize_features: whether values are normalized; then `_scale_back_predictions` is needed.
      dtype: of values and losses.
      exogenous_feature_columns: feature columns of what is known besides.
      exogenous_update_condition: of `(times, features)`, bools [batch] that say where that changes
        the state; everywhere by default.
      static_unrolling_window_size_threshold: up to which window size a loop is unrolled; none is by
        default.
    """

    def __init__(
        self, train_output_names: Sequence[str], predict_output_names: Sequence[str],
        num_features: int, normalize_features: bool = False, dtype: DTypeLike = dtypes.float32,
        exogenous_feature_columns: Any = None, exogenous_update_condition: Any = None,
        static_unrolling_window_size_threshold: int | None = None,
    ):  # fmt: skip
        super().__init__(
            num_features=num_features, dtype=dtype,
            exogenous_feature_columns=exogenous_feature_columns,
        )  # fmt: skip
        self._exogenous_update_condition = exogenous_update_condition
        self._train_output_names = train_output_names
        self._predict_output_names = predict_output_names
        self._normalize_features = normalize_features
        self._static_unrolling_window_size_threshold = static_unrolling_window_size_threshold

    def _scale_back_predictions(self, predictions: dict[str, Any]) -> dict[str, Any]:
        raise NotImplementedError(
            "SequentialTimeSeriesModel normalized input data (normalize_features=True), but no "
            "method was provided to transform the predictions back to the input scale."
        )

    @abc.abstractmethod
    def _filtering_step(
        self, current_times: Any, current_values: Any, state: Any, predictions: Any
    ) -> Any:
        """(state after the values, outputs) of a step whose values are known."""

    @abc.abstractmethod
    def _prediction_step(self, current_times: Any, state: Any) -> Any:
        """(state, outputs) of a step before its values are."""

    @abc.abstractmethod
    def _imputation_step(self, current_times: Any, state: Any) -> Any:
        """The state at the times of a step, of that at the step before."""

    @abc.abstractmethod
    def _exogenous_input_step(
        self, current_times: Any, current_exogenous_regressors: Any, state: Any
    ) -> Any:
        """The state after what is known besides."""

    def _loss_additions(self, times: Any, values: Any, mode: str) -> Any:
        """What is added to the loss of a batch: of parameters, say."""
        del times, values, mode
        return 0.0

    def _window_initializer(self, times: Any, state: Any) -> None:
        """Works out what all steps of a window need."""

    def get_batch_loss(self, features: Any, mode: str, state: Any) -> ModelOutputs:
        """The ModelOutputs of a batch of windows, from a state.

        Args:
          features: times [batch, window], values [batch, window, num_features], and what the
            exogenous columns are of.
          mode: a key of tf.estimator.ModeKeys.
          state: the structure of the state before the windows.
        """
        loss, states, outputs = self.per_step_batch_loss(features, mode, state)
        ends = nest.map_structure(lambda x: x[:, -1], states)
        outputs["observed"] = features[_VALUES]
        return ModelOutputs(
            loss=loss, end_state=ends, predictions=outputs, prediction_times=features[_TIMES]
        )

    def _apply_exogenous_update(
        self, current_times: Any, step_number: Any, state: Any, raw_features: Any,
        embedded_exogenous_regressors: Any,
    ) -> Any:  # fmt: skip
        """The state after what is known besides, where there is something."""
        if embedded_exogenous_regressors is None:
            return state
        updated = self._exogenous_input_step(
            current_times=current_times,
            current_exogenous_regressors=embedded_exogenous_regressors[:, step_number, :],
            state=state,
        )
        condition = self._exogenous_update_condition
        if condition is None:
            return updated
        others = _without(raw_features, PredictionFeatures.STATE_TUPLE, _TIMES, _VALUES)
        known = {key: value[:, step_number] for key, value in others.items()}

        def chosen(new: Any, old: Any) -> Any:
            return array_ops.where(condition(times=current_times, features=known), new, old)

        return nest.map_structure(chosen, updated, state)

    def per_step_batch_loss(self, features: dict[str, Any], mode: str, state: Any) -> Any:
        """What `get_batch_loss` sums up.

        Args:
          features, mode, state: as in `get_batch_loss`.

        Returns:
          (loss, states [batch, window, ...], outputs [batch, window, ...] by name).
        """
        self._check_graph_initialized()
        times = math_ops.cast(features[_TIMES], dtype=dtypes.int64)
        values = math_ops.cast(features[_VALUES], dtype=self.dtype)
        if self._normalize_features:
            values = self._scale_data(values)
        regressors = self._process_exogenous_features(
            times=times, features=_without(features, _TIMES, _VALUES)
        )

        def filtered(step_number: Any, current_times: Any, state: Any) -> Any:
            current_values = values[:, step_number, :]
            state = self._apply_exogenous_update(
                current_times, step_number, state, features, regressors
            )
            predicted, predictions = self._prediction_step(current_times=current_times, state=state)
            return self._filtering_step(
                current_times=current_times, current_values=current_values, state=predicted,
                predictions=predictions,
            )  # fmt: skip

        states, outputs = self._state_update_loop(
            times, state, filtered, ["loss", *self._train_output_names]
        )
        losses = outputs.pop("loss")
        losses.set_shape(times.get_shape())
        total = math_ops.reduce_sum(losses)
        count = math_ops.cast(math_ops.reduce_prod(array_ops.shape(times)), dtype=self.dtype)
        loss = total / count
        loss += self._loss_additions(times, values, mode)
        if self._normalize_features:
            outputs = self._scale_back_predictions(outputs)
        return loss, states, outputs

    def predict(self, features: Any) -> dict[str, Any]:
        """Predictions.

        Args:
          features: times [batch, window], the state before them, and what the exogenous columns
            are of.

        Returns:
          Tensors [batch, window, ...] by name.
        """
        times = ops.convert_to_tensor(features[PredictionFeatures.TIMES], dtypes.int64)
        start = features[PredictionFeatures.STATE_TUPLE]
        others = _without(features, PredictionFeatures.TIMES, PredictionFeatures.STATE_TUPLE)
        regressors = self._process_exogenous_features(times=times, features=others)

        def predicted(step_number: Any, current_times: Any, state: Any) -> Any:
            state = self._apply_exogenous_update(
                current_times, step_number, state, features, regressors
            )
            return self._prediction_step(current_times=current_times, state=state)

        _, predictions = self._state_update_loop(
            times, start, predicted, self._predict_output_names
        )
        return (
            self._scale_back_predictions(predictions) if self._normalize_features else predictions
        )

    def _is_unrolled(self, window: int | None) -> bool:
        most = self._static_unrolling_window_size_threshold
        return most is not None and window is not None and window <= most

    def _state_update_loop(
        self, times: Any, state: Any, state_update_fn: Callable[..., Any], outputs: Sequence[str]
    ) -> Any:
        """Goes through windows.

        Args:
          times: ints [batch, window].
          state: the state before them.
          state_update_fn: of `(step_number, current_times, state)`; gives (state, outputs).
          outputs: their names.

        Returns:
          (states [batch, window, ...], outputs [batch, window, ...] by name).
        """
        times = ops.convert_to_tensor(times, dtype=dtypes.int64)
        static_window = dimension_value(times.shape[1])
        unrolled = self._is_unrolled(static_window)
        self._window_initializer(times, state)

        def step(
            number: Any, state: Any, of_states: Any, of_outputs: Any, reuse: bool = False
        ) -> Any:
            with variable_scope.variable_scope("state_update_step", reuse=reuse):
                current_times = times[:, number]
                state = self._imputation_step(current_times=current_times, state=state)
                new_state, given = state_update_fn(
                    step_number=number, current_times=current_times, state=state
                )
                assert set(given) == set(outputs)
                of_outputs = [
                    array.write(number, given[name])
                    for array, name in zip(of_outputs, outputs, strict=True)
                ]
                parts, written = nest.flatten(new_state), []
                for part, array, before in zip(parts, of_states, nest.flatten(state), strict=True):
                    part.set_shape(before.get_shape())
                    written.append(array.write(number, part))
                state = nest.pack_sequence_as(state, parts)
                return number + 1, state, written, of_outputs

        window = array_ops.shape(times)[1]

        def array(dtype: DTypeLike) -> Any:
            if unrolled:
                return _Steps()
            return tensor_array_ops.TensorArray(dtype=dtype, size=window, dynamic_size=False)

        arguments: Any = [
            array_ops.zeros([], dtypes.int32),
            state,
            [array(part.dtype) for part in nest.flatten(state)],
            [array(self.dtype) for _ in outputs],
        ]
        if unrolled:
            for number in range(static_window):
                constant = array_ops.constant(number, dtypes.int32)
                arguments = step(constant, *arguments[1:], reuse=number > 0)
        else:
            arguments = while_loop.while_loop(
                cond=lambda number, *_: math_ops.less(number, window),
                body=step,
                loop_vars=arguments,
            )
        of_states, of_outputs = arguments[2:]
        found = {name: _by_time(steps) for name, steps in zip(outputs, of_outputs, strict=True)}
        return nest.pack_sequence_as(state, [_by_time(steps) for steps in of_states]), found
