"""Learning rates that decay with the global step."""

from __future__ import annotations

import functools
from typing import Any

from tf1compat.api.keras.optimizer_v2 import learning_rate_schedule as schedules
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


def _at(schedule: schedules.LearningRateSchedule, step: Any) -> Any:
    """The learning rate; in eager execution a function that gives it, as the step changes."""
    return functools.partial(schedule, step) if ops.executing_eagerly() else schedule(step)


@tf_export("train.exponential_decay")
def exponential_decay(
    learning_rate: TensorLike,
    global_step: TensorLike,
    decay_steps: TensorLike,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Any:
    """`learning_rate * decay_rate ** (global_step / decay_steps)`, as in TF 1.15.

    Args:
      learning_rate: a float or a scalar tensor.
      global_step: a scalar number, tensor or variable.
      decay_steps: a number or scalar tensor.
      decay_rate: a number or scalar tensor.
      staircase: whether the exponent is rounded down.
      name: the name scope.

    Returns:
      A scalar tensor of the type of `learning_rate`; in eager execution a function without
      arguments that returns it.
    """
    schedule = schedules.ExponentialDecay(
        learning_rate, decay_steps, decay_rate, staircase=staircase, name=name
    )
    return _at(schedule, global_step)


@tf_export("train.piecewise_constant_decay", "train.piecewise_constant")
def piecewise_constant(x: Any, boundaries: Any, values: Any, name: str | None = None) -> Any:
    """One value up to each boundary, the boundary included, and one after the last; as in TF 1.15.

    Args:
      x: a scalar tensor.
      boundaries: increasing numbers of the type of `x`.
      values: one more number, all of one type.
      name: the name scope.

    Returns:
      A scalar tensor of the type of `values`; in eager execution a function without arguments that
      returns it.

    Raises:
      ValueError: the types, or the numbers of boundaries and values, don't go together.
    """
    boundaries = ops.convert_n_to_tensor(boundaries)
    values = ops.convert_n_to_tensor(values)
    dtype = ops.convert_to_tensor(x).dtype.base_dtype
    for i, boundary in enumerate(boundaries):
        own = boundary.dtype.base_dtype
        if own == dtype:
            continue
        # Global steps are int64 and Python's numbers int32.
        if own != dtypes.int32 or dtype != dtypes.int64:
            raise ValueError(f"Boundaries ({own}) must have the same dtype as x ({dtype}).")
        boundaries[i] = math_ops.cast(boundary, dtype)
    for value in values[1:]:
        first, own = values[0].dtype.base_dtype, value.dtype.base_dtype
        if own != first:
            raise ValueError(
                f"Values must have elements all with the same dtype ({first} vs {own})."
            )
    return _at(schedules.PiecewiseConstantDecay(boundaries, values, name=name), x)


@tf_export("train.polynomial_decay")
def polynomial_decay(
    learning_rate: TensorLike,
    global_step: TensorLike,
    decay_steps: TensorLike,
    end_learning_rate: Any = 0.0001,
    power: Any = 1.0,
    cycle: bool = False,
    name: str | None = None,
) -> Any:
    """From one learning rate to another along a power of the steps that are left, as in TF 1.15.

    Args:
      learning_rate: a float or a scalar tensor.
      global_step: a scalar number, tensor or variable.
      decay_steps: when the end is reached.
      end_learning_rate: the learning rate then.
      power: the power; 1 gives a line.
      cycle: whether `decay_steps` is multiplied, each time it is reached, so that it never is.
      name: the name scope.

    Returns:
      A scalar tensor of the type of `learning_rate`; in eager execution a function without
      arguments that returns it.
    """
    schedule = schedules.PolynomialDecay(
        learning_rate,
        decay_steps,
        end_learning_rate=end_learning_rate,
        power=power,
        cycle=cycle,
        name=name,
    )
    return _at(schedule, global_step)


@tf_export("train.natural_exp_decay")
def natural_exp_decay(
    learning_rate: TensorLike,
    global_step: TensorLike,
    decay_steps: TensorLike,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Any:
    """`learning_rate * exp(-decay_rate) ** (global_step / decay_steps)`, as in TF 1.15.

    Args:
      learning_rate: a float or a scalar tensor.
      global_step: a scalar number, tensor or variable.
      decay_steps: a number or scalar tensor.
      decay_rate: a number or scalar tensor.
      staircase: whether the exponent is rounded down.
      name: the name scope.

    Returns:
      A scalar tensor of the type of `learning_rate`; in eager execution a function without
      arguments that returns it.
    """
    natural_rate = math_ops.exp(math_ops.negative(decay_rate))
    schedule = schedules.ExponentialDecay(
        learning_rate, decay_steps, natural_rate, staircase=staircase, name=name
    )
    return _at(schedule, global_step)


@tf_export("train.inverse_time_decay")
def inverse_time_decay(
    learning_rate: TensorLike,
    global_step: TensorLike,
    decay_steps: TensorLike,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Any:
    """`learning_rate / (1 + decay_rate * global_step / decay_steps)`, as in TF 1.15.

    Args:
      learning_rate: a float or a scalar tensor.
      global_step: a scalar number, tensor or variable.
      decay_steps: a number or scalar tensor.
      decay_rate: a number or scalar tensor.
      staircase: whether `global_step / decay_steps` is rounded down.
      name: the name scope.

    Returns:
      A scalar tensor of the type of `learning_rate`; in eager execution a function without
      arguments that returns it.
    """
    schedule = schedules.InverseTimeDecay(
        learning_rate, decay_steps, decay_rate, staircase=staircase, name=name
    )
    return _at(schedule, global_step)


@tf_export("train.cosine_decay")
def cosine_decay(
    learning_rate: TensorLike,
    global_step: TensorLike,
    decay_steps: TensorLike,
    alpha: TensorLike = 0.0,
    name: str | None = None,
) -> Any:
    """Half a cosine wave down to a fraction of the learning rate (Loshchilov and Hutter, 2016), as
    in TF 1.15.

    Args:
      learning_rate: a float or a scalar tensor.
      global_step: a scalar number, tensor or variable.
      decay_steps: when the end is reached.
      alpha: the fraction that is left then.
      name: the name scope.

    Returns:
      A scalar tensor of the type of `learning_rate`; in eager execution a function without
      arguments that returns it.
    """
    schedule = schedules.CosineDecay(learning_rate, decay_steps, alpha=alpha, name=name)
    return _at(schedule, global_step)


@tf_export("train.cosine_decay_restarts")
def cosine_decay_restarts(
    learning_rate: TensorLike,
    global_step: TensorLike,
    first_decay_steps: Any,
    t_mul: Any = 2.0,
    m_mul: Any = 1.0,
    alpha: TensorLike = 0.0,
    name: str | None = None,
) -> Any:
    """Half cosine waves down, one after another (SGDR: Loshchilov and Hutter, 2016), as in TF 1.15.

    Args:
      learning_rate: a float or a scalar tensor.
      global_step: a scalar number, tensor or variable.
      first_decay_steps: the length of the first wave.
      t_mul, m_mul: what each next wave's length and height are multiplied by.
      alpha: the fraction that is left at the end of a wave.
      name: the name scope.

    Returns:
      A scalar tensor of the type of `learning_rate`; in eager execution a function without
      arguments that returns it.
    """
    schedule = schedules.CosineDecayRestarts(
        learning_rate, first_decay_steps, t_mul=t_mul, m_mul=m_mul, alpha=alpha, name=name
    )
    return _at(schedule, global_step)


@tf_export("train.linear_cosine_decay")
def linear_cosine_decay(
    learning_rate: TensorLike,
    global_step: TensorLike,
    decay_steps: TensorLike,
    num_periods: Any = 0.5,
    alpha: TensorLike = 0.0,
    beta: TensorLike = 0.001,
    name: str | None = None,
) -> Any:
    """A line down times a cosine wave (Bello et al., 2017), as in TF 1.15.

    Args:
      learning_rate: a float or a scalar tensor.
      global_step: a scalar number, tensor or variable.
      decay_steps: when the end is reached.
      num_periods: how many waves.
      alpha, beta: what is added to the line, and to the product.
      name: the name scope.

    Returns:
      A scalar tensor of the type of `learning_rate`; in eager execution a function without
      arguments that returns it.
    """
    schedule = schedules.LinearCosineDecay(
        learning_rate, decay_steps, num_periods=num_periods, alpha=alpha, beta=beta, name=name
    )
    return _at(schedule, global_step)


@tf_export("train.noisy_linear_cosine_decay")
def noisy_linear_cosine_decay(
    learning_rate: TensorLike,
    global_step: TensorLike,
    decay_steps: TensorLike,
    initial_variance: Any = 1.0,
    variance_decay: Any = 0.55,
    num_periods: Any = 0.5,
    alpha: TensorLike = 0.0,
    beta: TensorLike = 0.001,
    name: str | None = None,
) -> Any:
    """A line down with noise on it, times a cosine wave (Bello et al., 2017), as in TF 1.15.

    Args:
      learning_rate: a float or a scalar tensor.
      global_step: a scalar number, tensor or variable.
      decay_steps: when the end is reached.
      initial_variance, variance_decay: the variance of the noise is the first, divided by the
        number of the step to the power of the second.
      num_periods: how many waves.
      alpha, beta: what is added to the line, and to the product.
      name: the name scope.

    Returns:
      A scalar tensor of the type of `learning_rate`; in eager execution a function without
      arguments that returns it.
    """
    schedule = schedules.NoisyLinearCosineDecay(
        learning_rate,
        decay_steps,
        initial_variance=initial_variance,
        variance_decay=variance_decay,
        num_periods=num_periods,
        alpha=alpha,
        beta=beta,
        name=name,
    )
    return _at(schedule, global_step)
