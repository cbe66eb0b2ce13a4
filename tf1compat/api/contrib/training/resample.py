"""Batches resampled by rate (`tensorflow.contrib.training.python.training.resample`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api.array import array_ops, gather_ops
from tf1compat.api.control_flow import control_flow_ops, tensor_array_ops, while_loop
from tf1compat.api.math import math_ops
from tf1compat.api.random import random_ops
from tf1compat.api.training import moving_averages
from tf1compat.api.variables import variable_scope
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name

__all__ = ["resample_at_rate", "weighted_resample"]


def _repeat_range(counts: Any, name: Name = None) -> Tensor:
    """0 counts[0] times, then 1 counts[1] times, ….

    Args:
      counts: ints [n].
      name: the name scope.

    Returns:
      An int32 vector.
    """
    with ops.name_scope(name, "repeat_range", [counts]) as scope:
        counts = ops.convert_to_tensor(counts, name="counts")

        def cond(_: Any, i: Any) -> Any:
            return i < size

        def body(output: Any, i: Any) -> tuple[Any, Any]:
            return output.write(i, array_ops.fill(counts[i : i + 1], i)), i + 1

        size = array_ops.shape(counts)[0]
        parts = tensor_array_ops.TensorArray(dtype=dtypes.int32, size=size, infer_shape=False)
        parts, count = while_loop.while_loop(cond, body, loop_vars=[parts, 0])
        return control_flow_ops.cond(
            count > 0,
            parts.concat,
            lambda: array_ops.zeros(shape=[0], dtype=dtypes.int32),
            name=scope,
        )


@tf_export("contrib.training.resample_at_rate")
def resample_at_rate(
    inputs: Sequence[Any],
    rates: Any,
    scope: Any = None,
    seed: int | None = None,
    back_prop: bool = False,
) -> list[Tensor]:
    """Draws each example of a batch as often as its rate says on average.

    Args:
      inputs: tensors [batch, ...].
      rates: [batch], how many times each example is wanted.
      scope: the name scope.
      seed: the op seed.
      back_prop: whether gradients flow back.

    Returns:
      Tensors of one other batch size.
    """
    with ops.name_scope(scope, default_name="resample_at_rate", values=[*inputs, rates]):
        rates = ops.convert_to_tensor(rates, name="rates")
        # Poisson counts may be 0 for all: the batch may be empty.
        counts = random_ops.random_poisson(rates, (), rates.dtype, seed=seed)
        indices = _repeat_range(math_ops.cast(counts, dtypes.int32))
        if not back_prop:
            indices = array_ops.stop_gradient(indices)
        return [gather_ops.gather(x, indices) for x in inputs]


@tf_export("contrib.training.weighted_resample")
def weighted_resample(
    inputs: list[Any], weights: Any, overall_rate: Any, scope: Any = None,
    mean_decay: Any = 0.999, seed: int | None = None,
) -> tuple[list[Tensor], Tensor]:  # fmt: skip
    """Draws examples in proportion to their weights.

    Args:
      inputs: tensors [batch, ...].
      weights: [batch], floats.
      overall_rate: how many examples are wanted for each one that comes in.
      scope: the name scope.
      mean_decay: how much the moving average of the weights keeps at every step.
      seed: the op seed.

    Returns:
      (the resampled tensors, the rates at which each of their rows was drawn).
    """
    with ops.name_scope(scope, "weighted_resample", inputs) as opscope:
        with variable_scope.variable_scope(scope, "estimate_mean", inputs):
            mean = _running_mean(weights, mean_decay)
        rates = weights * overall_rate / mean
        drawn_rates, *drawn = resample_at_rate([rates, *inputs], rates, scope=opscope, seed=seed)
        return drawn, drawn_rates


def _running_mean(values: Any, decay: Any) -> Tensor:
    """The mean of all values so far, where old ones count less."""
    estimate = variable_scope.get_local_variable(
        "estimated_mean", initializer=math_ops.cast(0, values.dtype), dtype=values.dtype
    )
    return moving_averages.assign_moving_average(estimate, math_ops.reduce_mean(values), decay)
