"""Moving means, variances and log-means of what passes."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.api.random import init_ops
from tf1compat.api.variables import state_ops, variable_scope
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike


def _float_dtype(name: str, value: Any) -> Any:
    dtype = value.dtype.base_dtype
    if not dtype.is_floating:
        raise TypeError(f"{name}.base_dtype({dtype.name}) does not have float type `dtype`.")
    return dtype


@tf_export("contrib.distributions.assign_moving_mean_variance")
def assign_moving_mean_variance(
    mean_var: Any, variance_var: Any, value: TensorLike, decay: Any, name: Name = None
) -> tuple[Any, Any]:
    """Moves a mean and a variance towards a value.

    Args:
      mean_var: variable of floats.
      variance_var: variable of the same dtype.
      value: float tensor.
      decay: float, how much of the old value stays.
      name: scope of the ops.

    Returns:
      The two after that.

    Raises:
      TypeError: the variables are not of floats, or of different dtypes.
    """
    values = [variance_var, mean_var, value, decay]
    with ops.name_scope(name, "assign_moving_mean_variance", values):  # noqa: SIM117
        with ops.colocate_with(variance_var), ops.colocate_with(mean_var):
            dtype = _float_dtype("mean_var", mean_var)
            other = variance_var.dtype.base_dtype
            if dtype != other:
                raise TypeError(
                    f"mean_var.base_dtype({dtype.name}) != variance_var.base_dtype({other.name})"
                )
            value = ops.convert_to_tensor(value, dtype=dtype, name="value")
            decay = ops.convert_to_tensor(decay, dtype=dtype, name="decay")
            delta = value - mean_var
            with ops.control_dependencies([delta]):
                mean = state_ops.assign_add(mean_var, (1.0 - decay) * delta)
                rate = 1.0 - decay
                excess = variance_var - decay * math_ops.square(delta)
                variance = state_ops.assign_sub(variance_var, rate * excess)
            return mean, variance


@tf_export("contrib.distributions.assign_log_moving_mean_exp")
def assign_log_moving_mean_exp(
    log_mean_exp_var: Any, log_value: Any, decay: Any, name: Name = None
) -> Any:
    """Moves a mean towards a value, where both are known by their logarithms.

    Args:
      log_mean_exp_var: variable of floats, the logarithm of the mean.
      log_value: float tensor.
      decay: float, how much of the old value stays.
      name: scope of the ops.

    Returns:
      The variable after that.

    Raises:
      TypeError: the variable is not of floats.
    """
    values = [log_mean_exp_var, log_value, decay]
    with ops.name_scope(name, "assign_log_moving_mean_exp", values):  # noqa: SIM117
        with ops.colocate_with(log_mean_exp_var):
            dtype = _float_dtype("log_mean_exp_var", log_mean_exp_var)
            log_value = ops.convert_to_tensor(log_value, dtype=dtype, name="log_value")
            decay = ops.convert_to_tensor(decay, dtype=dtype, name="decay")
            delta = (log_value - log_mean_exp_var)[None, ...]
            log_decay = math_ops.log(decay)
            stays = log_decay * array_ops.ones_like(delta)
            both = array_ops.concat([stays, delta + math_ops.log1p(-decay)], axis=0)
            return log_mean_exp_var.assign_add(math_ops.reduce_logsumexp(both, axis=0))


@tf_export("contrib.distributions.moving_mean_variance")
def moving_mean_variance(
    value: TensorLike, decay: Any, collections: Any = None, name: Name = None
) -> tuple[Any, Any]:
    """The moving mean and variance of a value, in variables of their own.

    Args:
      value: float tensor of known shape.
      decay: float, how much of the old values stays.
      collections: of the variables; by default the global variables.
      name: the variable scope.

    Returns:
      The two after `value` has passed.

    Raises:
      TypeError: `value` is not of floats.
    """
    collections = [ops.GraphKeys.GLOBAL_VARIABLES] if collections is None else collections
    with variable_scope.variable_scope(name, "moving_mean_variance", [value, decay]):
        value = ops.convert_to_tensor(value, name="value")
        dtype = _float_dtype("value", value)
        decay = ops.convert_to_tensor(decay, dtype=dtype, name="decay")
        variance, mean = (
            variable_scope.get_variable(
                f"moving_{what}",
                shape=value.shape,
                dtype=value.dtype,
                initializer=init_ops.zeros_initializer(),
                trainable=False,
                collections=collections,
            )
            for what in ("variance", "mean")
        )
        return assign_moving_mean_variance(mean, variance, value, decay)
