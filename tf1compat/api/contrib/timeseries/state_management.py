"""What carries the state of a model from window to window
(`tensorflow.contrib.timeseries.python.timeseries.state_management`)."""

from __future__ import annotations

import abc
from typing import Any

from tf1compat.api.contrib.timeseries.feature_keys import State
from tf1compat.api.estimator.mode_keys import ModeKeys


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
