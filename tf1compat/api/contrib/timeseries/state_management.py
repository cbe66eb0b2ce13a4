"""What carries the state of a model from window to window
(`tensorflow.contrib.timeseries.python.timeseries.state_management`)."""

from __future__ import annotations

import abc
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.timeseries import math_utils, state_lookup
from tf1compat.api.contrib.timeseries.feature_keys import State, TrainEvalFeatures
from tf1compat.api.contrib.timeseries.model import ModelOutputs
from tf1compat.api.estimator.mode_keys import ModeKeys
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, nest, ops


class PassthroughStateManager:
    """For models that need no state; as tf.contrib.timeseries' in TF 1.15."""

    def __init__(self) -> None:
        self._input_statistics: Any = None
        self._graph_initialized = False

    def initialize_graph(self, model: Any, input_statistics: Any = None) -> None:
        """Makes what is needed in the graph.

        Args:
          model: a TimeSeriesModel.
          input_statistics: its InputStatistics.
        """
        del model
        self._graph_initialized = True
        self._input_statistics = input_statistics

    def define_loss(self, model: Any, features: dict[str, Any], mode: str) -> Any:
        """The ModelOutputs of a batch of windows.

        Raises:
          ValueError: the features have a state.
        """
        if State.STATE_TUPLE in features:
            raise ValueError("Overriding start state is not supported for this model.")
        return model.define_loss(features, mode)


class _OverridableStateManager(PassthroughStateManager):
    """For models whose state may be given in evaluation."""

    @abc.abstractmethod
    def _define_loss_with_saved_state(self, model: Any, features: Any, mode: str) -> Any: ...

    def define_loss(self, model: Any, features: dict[str, Any], mode: str) -> Any:
        """The ModelOutputs of a batch of windows, from the state in the features if there is one.

        Raises:
          ValueError: a state is given in training.
        """
        if State.STATE_TUPLE not in features:
            return self._define_loss_with_saved_state(model, features, mode)
        if mode == ModeKeys.TRAIN:
            raise ValueError(
                "Overriding saved state for training is not supported (but a value for feature "
                f"{State.STATE_TUPLE} was specified)."
            )
        state = features.pop(State.STATE_TUPLE)
        return model.get_batch_loss(features=features, mode=mode, state=state)


class FilteringOnlyStateManager(_OverridableStateManager):
    """For models of windows, whose state is only what was before; training needs none."""

    def _define_loss_with_saved_state(self, model: Any, features: Any, mode: str) -> Any:
        return model.define_loss(features, mode)


class ChainingStateManager(_OverridableStateManager):
    """For models whose state at the end of a window is where a later window begins: states of some
    times are kept in tables.

    Args:
      state_saving_interval: into how many times one state is kept for.
      checkpoint_state: whether the tables are saved in checkpoints.
    """

    def __init__(self, state_saving_interval: int = 20, checkpoint_state: bool = False):
        super().__init__()
        self._checkpoint_state = checkpoint_state
        self._state_saving_interval = state_saving_interval
        self._start_state: Any = None
        self._cached_states: Any = None

    def initialize_graph(self, model: Any, input_statistics: Any = None) -> None:
        """Makes the tables.

        Args:
          model: a TimeSeriesModel.
          input_statistics: its InputStatistics.
        """
        super().initialize_graph(model=model, input_statistics=input_statistics)
        self._start_state = model.get_start_state()
        self._cached_states = state_lookup.TupleOfTensorsLookup(
            key_dtype=dtypes.int64,
            default_values=self._start_state,
            empty_key=-1,
            deleted_key=-2,
            name="cached_states",
            checkpoint=self._checkpoint_state,
        )

    def _define_loss_with_saved_state(self, model: Any, features: Any, mode: str) -> Any:
        if not self._graph_initialized:
            raise ValueError(
                "ChainingStateManager requires initialize_graph() to be called before use."
            )
        loss, end_state, predictions = self._update_cached_states(model, features, mode)
        last = nest.map_structure(lambda x: x[-1][None], end_state)
        predictions["observed"] = features[TrainEvalFeatures.VALUES]
        return ModelOutputs(
            loss=loss, end_state=last, predictions=predictions,
            prediction_times=features[TrainEvalFeatures.TIMES],
        )  # fmt: skip

    def _get_chunk_number(self, time: Any) -> Any:
        return time // self._state_saving_interval

    def _get_cached_states(self, times: Any) -> Any:
        """The states that were kept for times [batch]; the model's own at its start."""
        chunks = self._get_chunk_number(times)
        kept = self._cached_states.lookup(math_ops.cast(chunks, dtypes.int64))
        statistics = self._input_statistics
        begins = math_ops.equal(
            chunks, self._get_chunk_number(0 if statistics is None else statistics.start_time)
        )
        start = math_utils.replicate_state(self._start_state, array_ops.shape(times)[0])
        return nest.map_structure(
            lambda first, later: array_ops.where(begins, first, later), start, tuple(kept)
        )

    def _update_cached_states(self, model: Any, features: Any, mode: str) -> Any:
        """Keeps the states of a batch; returns (loss, last states, predictions)."""
        times = features[TrainEvalFeatures.TIMES]
        before = self._get_cached_states(times[:, 0])
        loss, states, predictions = model.per_step_batch_loss(
            features=features, mode=mode, state=before
        )
        # A state is kept for the chunk in which the next time is, if not for the next chunk.
        least = self._get_chunk_number(times) + 1
        next_times = array_ops.concat([times[:, 1:], times[:, -1:] + 1], axis=1)
        chunks = math_ops.maximum(self._get_chunk_number(next_times), least)
        saved = self._cached_states.insert(keys=chunks, values=states)
        last = nest.map_structure(lambda x: x[:, -1], states)
        with ops.control_dependencies([saved]):
            return array_ops.identity(loss), last, predictions
