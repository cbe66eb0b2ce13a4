"""Helpers of models of time series
(`tensorflow.contrib.timeseries.python.timeseries.model_utils`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.contrib.timeseries.feature_keys import FilteringResults
from tf1compat.api.nn import nn_ops
from tf1compat.api.random import init_ops
from tf1compat.api.variables import variable_scope
from tf1compat.core import dtypes, ops


def fully_connected(
    inp: Any,
    inp_size: int,
    layer_size: int,
    name: str,
    activation: Any = nn_ops.relu,
    dtype: Any = dtypes.float32,
) -> Any:
    """A dense layer with variables `{name}_weight` and `{name}_bias`."""
    weight = variable_scope.get_variable(
        name=f"{name}_weight", shape=[inp_size, layer_size], dtype=dtype
    )
    bias = variable_scope.get_variable(
        name=f"{name}_bias", shape=[layer_size], initializer=init_ops.zeros_initializer()
    )
    output = nn_ops.xw_plus_b(inp, weight, bias)
    return output if activation is None else activation(output)


def parameter_switch(parameter_overrides: Any) -> Callable[[Any], Any]:
    """A function that gives a parameter's value, or what overrides it."""

    def value(parameter: Any) -> Any:
        return ops.convert_to_tensor(parameter_overrides.get(parameter, parameter)).eval()

    return value


def canonicalize_times_or_steps_from_output(
    times: Any, steps: int | None, previous_model_output: Any
) -> Any:
    """The times of a prediction that goes on where an evaluation ended.

    Args:
      times: [batch, steps] or [steps] ints; or None, and
      steps: how many.
      previous_model_output: what evaluation gave, with its times [batch, window].

    Returns:
      [batch, steps] ints.

    Raises:
      ValueError: both or none are given, or the times are none of a continuation.
    """
    if steps is not None and times is not None:
        raise ValueError("Only one of `steps` and `times` may be specified.")
    before = previous_model_output[FilteringResults.TIMES]
    if times is None:
        if steps is None:
            raise ValueError("One of `steps` and `times` must be specified.")
        return before[:, -1:] + 1 + np.arange(steps)[None, ...]
    times = np.array(times)
    if times.ndim != 2:
        times = times[None, ...]
    if len(before) != len(times):
        raise ValueError(
            "`times` must have a batch dimension matching the previous model output (got a batch "
            f"dimension of {len(times)} for `times` and {len(before)} for the previous model "
            "output)."
        )
    if not (before[:, -1] < times[:, 0]).all():
        raise ValueError("Prediction times must be after the corresponding previous model output.")
    return times
