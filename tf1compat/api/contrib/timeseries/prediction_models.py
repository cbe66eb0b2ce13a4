"""Networks of auto-regressive models (a part of
`tensorflow.contrib.timeseries.python.timeseries.ar_model`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.rnn import lstm_ops
from tf1compat.api.keras.engine import sequential, training
from tf1compat.api.keras.layers import core
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops

# Time first, or batch first again.
_SWAPPED = [1, 0, 2]


class _GaussianModel(training.Model):
    """Has two dense layers behind all others: for a mean, and for the logarithm of a variance."""

    def _add_heads(self, units: int, mean: str, log_variance: str) -> None:
        self._mean_transform = core.Dense(units, name=mean)
        self._covariance_transform = core.Dense(units, name=log_variance)

    def _predicted(self, activation: Any) -> Iterator[tuple[str, Any]]:
        yield "mean", self._mean_transform(activation)
        yield "covariance", math_ops.exp(self._covariance_transform(activation))


class FlatPredictionModel(_GaussianModel):
    """Dense layers over both windows, flattened.

    As tf.contrib.timeseries' in TF 1.15.

    Args:
      num_features: how many values there are for each time.
      input_window_size: how many times are looked at.
      output_window_size: how many times are predicted.
      hidden_layer_sizes: of the layers before the last ones.
    """

    def __init__(
        self,
        num_features: int,
        input_window_size: int,
        output_window_size: int,
        hidden_layer_sizes: Any = None,
    ):
        super().__init__()
        self._input_flatten = core.Flatten()
        self._output_flatten = core.Flatten()
        self._hidden_layers = None
        if hidden_layer_sizes:
            self._hidden_layers = sequential.Sequential(
                [core.Dense(size, activation=nn_ops.relu) for size in hidden_layer_sizes]
            )
        units = num_features * output_window_size
        self._add_heads(units, "predicted_mean", "log_sigma_square")
        self._prediction_shape = [-1, output_window_size, num_features]

    def call(self, input_window_features: Any, output_window_features: Any) -> dict[str, Any]:
        """Predictions.

        Args:
          input_window_features: [batch, input window, features]; the window may be empty.
          output_window_features: [batch, output window, features], of which there may be none.

        Returns:
          "mean" and "covariance", [batch, output window, num_features] each.
        """
        windows = [
            flatten(window)
            for flatten, window, last in (
                (self._input_flatten, input_window_features, 1),
                (self._output_flatten, output_window_features, 2),
            )
            if window.shape.dims[last].value != 0
        ]
        activation = windows[0] if len(windows) == 1 else array_ops.concat(windows, axis=1)
        if self._hidden_layers:
            activation = self._hidden_layers(activation)
        return {
            name: array_ops.reshape(value, self._prediction_shape)
            for name, value in self._predicted(activation)
        }


class LSTMPredictionModel(_GaussianModel):
    """An LSTM over the first window, and one over the second that begins with its state.

    As tf.contrib.timeseries' in TF 1.15.

    Args:
      num_features: how many values there are for each time.
      input_window_size: how many times are looked at.
      output_window_size: how many times are predicted.
      num_units: of both LSTMs.
    """

    def __init__(
        self,
        num_features: int,
        input_window_size: int,
        output_window_size: int,
        num_units: int = 128,
    ):
        super().__init__()
        self._encoder = lstm_ops.LSTMBlockFusedCell(num_units=num_units, name="encoder")
        self._decoder = lstm_ops.LSTMBlockFusedCell(num_units=num_units, name="decoder")
        self._add_heads(num_features, "mean_transform", "covariance_transform")

    def call(self, input_window_features: Any, output_window_features: Any) -> dict[str, Any]:
        """Predictions; see `FlatPredictionModel.call`."""
        windows = (input_window_features, output_window_features)
        before, after = (array_ops.transpose(window, _SWAPPED) for window in windows)
        state = self._encoder(before, dtype=self.dtype)[1]
        by_time, _ = self._decoder(after, dtype=self.dtype, initial_state=state)
        return dict(self._predicted(array_ops.transpose(by_time, _SWAPPED)))
