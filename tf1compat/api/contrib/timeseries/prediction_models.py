"""Networks of auto-regressive models (a part of
`tensorflow.contrib.timeseries.python.timeseries.ar_model`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.rnn import lstm_ops
from tf1compat.api.keras.engine import sequential, training
from tf1compat.api.keras.layers import core
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops


class FlatPredictionModel(training.Model):
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
        self._mean_transform = core.Dense(units, name="predicted_mean")
        self._covariance_transform = core.Dense(units, name="log_sigma_square")
        self._prediction_shape = [-1, output_window_size, num_features]

    def call(self, input_window_features: Any, output_window_features: Any) -> dict[str, Any]:
        """Predictions.

        Args:
          input_window_features: [batch, input window, features]; the window may be empty.
          output_window_features: [batch, output window, features], of which there may be none.

        Returns:
          "mean" and "covariance", [batch, output window, num_features] each.
        """
        if input_window_features.shape.dims[1].value == 0:
            activation = self._output_flatten(output_window_features)
        elif output_window_features.shape.dims[2].value == 0:
            activation = self._input_flatten(input_window_features)
        else:
            before = self._input_flatten(input_window_features)
            after = self._output_flatten(output_window_features)
            activation = array_ops.concat([before, after], axis=1)
        if self._hidden_layers:
            activation = self._hidden_layers(activation)
        mean = array_ops.reshape(self._mean_transform(activation), self._prediction_shape)
        covariance = math_ops.exp(self._covariance_transform(activation))
        covariance = array_ops.reshape(covariance, self._prediction_shape)
        return {"mean": mean, "covariance": covariance}


class LSTMPredictionModel(training.Model):
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
        self._mean_transform = core.Dense(num_features, name="mean_transform")
        self._covariance_transform = core.Dense(num_features, name="covariance_transform")

    def call(self, input_window_features: Any, output_window_features: Any) -> dict[str, Any]:
        """Predictions; see `FlatPredictionModel.call`."""
        before = array_ops.transpose(input_window_features, [1, 0, 2])
        after = array_ops.transpose(output_window_features, [1, 0, 2])
        _, state = self._encoder(before, dtype=self.dtype)
        output, _ = self._decoder(after, dtype=self.dtype, initial_state=state)
        output = array_ops.transpose(output, [1, 0, 2])
        mean = self._mean_transform(output)
        covariance = math_ops.exp(self._covariance_transform(output))
        return {"mean": mean, "covariance": covariance}
