"""`tf.contrib.layers.optimize_loss` (`tensorflow.contrib.layers.python.layers.optimizers`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tf1compat.api.array import array_ops, gather_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import clip_ops, math_ops
from tf1compat.api.random import init_ops, random_ops
from tf1compat.api.summary import summary as tf_summary
from tf1compat.api.training import (
    adagrad,
    adam,
    ftrl,
    gradient_descent,
    momentum,
    moving_averages,
    rmsprop,
    training_util,
)
from tf1compat.api.training import optimizer as optimizer_lib
from tf1compat.api.variables import variable_scope as vs
from tf1compat.api.variables import variables as variables_lib
from tf1compat.core import dtypes, ops
from tf1compat.core.export import export_constant, tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike

__all__ = ["OPTIMIZER_CLS_NAMES", "OPTIMIZER_SUMMARIES", "adaptive_clipping_fn", "optimize_loss"]

GradsAndVars = list[tuple[Any, Any]]


def _momentum(learning_rate: TensorLike) -> momentum.MomentumOptimizer:
    return momentum.MomentumOptimizer(learning_rate, momentum=0.9)


# Name -> what makes an optimizer from a learning rate.
OPTIMIZER_CLS_NAMES: dict[str, Callable[..., Any]] = {
    "Adagrad": adagrad.AdagradOptimizer,
    "Adam": adam.AdamOptimizer,
    "Ftrl": ftrl.FtrlOptimizer,
    "Momentum": _momentum,
    "RMSProp": rmsprop.RMSPropOptimizer,
    "SGD": gradient_descent.GradientDescentOptimizer,
}
# What may be summarised.
OPTIMIZER_SUMMARIES = [
    "learning_rate",
    "loss",
    "gradients",
    "gradient_norm",
    "global_gradient_norm",
]
export_constant("contrib.layers.OPTIMIZER_CLS_NAMES", OPTIMIZER_CLS_NAMES)
export_constant("contrib.layers.OPTIMIZER_SUMMARIES", OPTIMIZER_SUMMARIES)


@tf_export("contrib.layers.optimize_loss")
def optimize_loss(
    loss: Any, global_step: Any, learning_rate: Any, optimizer: Any,
    gradient_noise_scale: Any = None, gradient_multipliers: Any = None, clip_gradients: Any = None,
    learning_rate_decay_fn: Any = None, update_ops: Any = None, variables: Any = None,
    name: Name = None, summaries: Any = None, colocate_gradients_with_ops: bool = False,
    increment_global_step: bool = True,
) -> Tensor:  # fmt: skip
    """A training step.

    Args:
      loss: a scalar.
      global_step: the global step; None for the one of the graph, if any.
      learning_rate: a float (which becomes a variable) or a scalar tensor; None if the optimizer
        has one.
      optimizer: one of `OPTIMIZER_CLS_NAMES`, a class, an optimizer, or a function of the learning
        rate that makes one.
      gradient_noise_scale: what normal noise that is added to the gradients is multiplied by.
      gradient_multipliers: a dict of factors for the gradients of some variables, by variable or
        name.
      clip_gradients: the greatest global norm, a float; or a function of the gradients and
        variables.
      learning_rate_decay_fn: a function of the learning rate and the global step that gives the
        rate to use.
      update_ops: what to run before; by default what is in `GraphKeys.UPDATE_OPS`.
      variables: what to train; by default the trainable variables.
      name: the variable scope.
      summaries: which of `OPTIMIZER_SUMMARIES` to record; by default "loss", "learning_rate" and
        "global_gradient_norm".
      colocate_gradients_with_ops: whether gradients are on the devices of what they derive.
      increment_global_step: whether to count the step.

    Returns:
      The loss, after the step.

    Raises:
      ValueError: an argument is none of these.
    """
    loss = ops.convert_to_tensor(loss)
    check_ops.assert_scalar(loss)
    if global_step is None:
        global_step = training_util.get_global_step()
    else:
        training_util.assert_global_step(global_step)
    with vs.variable_scope(name, "OptimizeLoss", [loss, global_step]):
        if update_ops is None:
            update_ops = dict.fromkeys(ops.get_collection(ops.GraphKeys.UPDATE_OPS))
        if update_ops:
            loss = control_flow_ops.with_dependencies(list(update_ops), loss)
        rate = _learning_rate(learning_rate)
        if summaries is None:
            summaries = ["loss", "learning_rate", "global_gradient_norm"]
        for summary in summaries:
            if summary not in OPTIMIZER_SUMMARIES:
                raise ValueError(
                    f"Summaries should be one of [{', '.join(OPTIMIZER_SUMMARIES)}], you provided "
                    f"{summary}."
                )
        if learning_rate is not None and learning_rate_decay_fn is not None:
            if global_step is None:
                raise ValueError("global_step is required for learning_rate_decay_fn.")
            rate = learning_rate_decay_fn(rate, global_step)
            if "learning_rate" in summaries:
                tf_summary.scalar("learning_rate", rate)
        optimizer = _optimizer(optimizer, rate, learning_rate is not None)
        if variables is None:
            variables = variables_lib.trainable_variables()
        gradients = optimizer.compute_gradients(
            loss, variables, colocate_gradients_with_ops=colocate_gradients_with_ops
        )
        if gradient_noise_scale is not None:
            gradients = _add_scaled_noise_to_gradients(gradients, gradient_noise_scale)
        if gradient_multipliers is not None:
            gradients = _multiply_gradients(gradients, gradient_multipliers)
            if not gradients:
                raise ValueError(
                    "Empty list of (gradient, var) pairs encountered. This is most likely to be "
                    "caused by an improper value of gradient_multipliers."
                )
        wants_norm = "global_gradient_norm" in summaries or "gradient_norm" in summaries
        if wants_norm:
            _summarize_norm("gradient_norm", gradients)
        if isinstance(clip_gradients, float):
            gradients = _clip_gradients_by_norm(gradients, clip_gradients)
        elif callable(clip_gradients):
            clip: Any = clip_gradients
            gradients = clip(gradients)
        elif clip_gradients is not None:
            raise ValueError(f"Unknown type {type(clip_gradients)} for clip_gradients")
        if "loss" in summaries:
            tf_summary.scalar("loss", loss)
        _summarize_gradients(gradients, summaries)
        if clip_gradients is not None and wants_norm:
            _summarize_norm("clipped_gradient_norm", gradients)
        step = global_step if increment_global_step else None
        update = optimizer.apply_gradients(gradients, global_step=step, name="train")
        return control_flow_ops.with_dependencies([update], loss)


def _learning_rate(learning_rate: TensorLike | None) -> Any:
    """A tensor as it is; a variable that starts as a float."""
    if learning_rate is None:
        return None
    if isinstance(learning_rate, ops.Tensor) and learning_rate.get_shape().ndims == 0:
        return learning_rate
    if isinstance(learning_rate, float):
        if learning_rate < 0.0:
            raise ValueError("Invalid learning_rate %s.", learning_rate)
        return vs.get_variable(
            "learning_rate", [], trainable=False,
            initializer=init_ops.constant_initializer(learning_rate),
        )  # fmt: skip
    raise ValueError(
        "Learning rate should be 0d Tensor or float. "
        f"Got {learning_rate} of type {type(learning_rate)}"
    )


def _optimizer(optimizer: Any, rate: TensorLike | None, has_rate: bool) -> optimizer_lib.Optimizer:
    """The optimizer for a name, a class or a function."""
    if isinstance(optimizer, str):
        if rate is None:
            raise ValueError(
                "Learning rate is None, but should be specified if optimizer is string "
                f"({optimizer})."
            )
        if optimizer not in OPTIMIZER_CLS_NAMES:
            raise ValueError(
                f"Optimizer name should be one of [{', '.join(OPTIMIZER_CLS_NAMES)}], you provided "
                f"{optimizer}."
            )
        return OPTIMIZER_CLS_NAMES[optimizer](learning_rate=rate)
    if isinstance(optimizer, type) and issubclass(optimizer, optimizer_lib.Optimizer):
        if rate is None:
            raise ValueError(
                "Learning rate is None, but should be specified if optimizer is class "
                f"({optimizer})."
            )
        return optimizer(learning_rate=rate)  # pyright: ignore[reportCallIssue]
    if isinstance(optimizer, optimizer_lib.Optimizer):
        return optimizer
    if not callable(optimizer):
        raise ValueError(
            "Unrecognized optimizer: should be string, subclass of Optimizer, instance of subclass "
            f"of Optimizer or function with one argument. Got {optimizer}."
        )
    made = optimizer(rate) if has_rate else optimizer()
    if not isinstance(made, optimizer_lib.Optimizer):
        raise ValueError(
            "Unrecognized optimizer: function should return subclass of Optimizer. "
            + f"Got {made}."
        )
    return made


def _summarize_norm(name: str, gradients: GradsAndVars) -> None:
    norm = clip_ops.global_norm([gradient for gradient, _ in gradients])
    tf_summary.scalar(f"global_norm/{name}", norm)


def _summarize_gradients(gradients: GradsAndVars, summaries: Sequence[str]) -> None:
    for gradient, variable in gradients:
        values = gradient.values if isinstance(gradient, ops.IndexedSlices) else gradient
        if values is None:
            continue
        name = variable.name.replace(":", "_")
        if "gradients" in summaries:
            tf_summary.histogram(f"gradients/{name}", values)
        if "gradient_norm" in summaries:
            norm = clip_ops.global_norm([values])
            tf_summary.scalar(f"gradient_norm/{name}", norm)


def _clip_gradients_by_norm(grads_and_vars: GradsAndVars, clip_gradients: Any) -> GradsAndVars:
    gradients, variables = zip(*grads_and_vars)
    clipped, _ = clip_ops.clip_by_global_norm(gradients, clip_gradients)
    return list(zip(clipped, variables))


def _moving_average(name: str, value: Any, decay: Any) -> Any:
    average = vs.get_variable(
        name, shape=value.get_shape(), dtype=value.dtype,
        initializer=init_ops.zeros_initializer(), trainable=False,
    )  # fmt: skip
    return moving_averages.assign_moving_average(average, value, decay, zero_debias=False)


def _adaptive_max_norm(
    norm: Any, std_factor: Any, decay: Any, global_step: Any, epsilon: TensorLike, name: Name
) -> tuple[Any, Any]:
    """A bound for the norm from its past, and the mean of its logarithm."""
    with vs.variable_scope(name, "AdaptiveMaxNorm", [norm]):
        log_norm = math_ops.log(norm + epsilon)
        if global_step is not None:
            n = math_ops.cast(global_step, dtypes.float32)
            decay = math_ops.minimum(decay, n / (n + 1.0))
        mean = _moving_average("mean", log_norm, decay)
        mean_square = _moving_average("sq_mean", math_ops.square(log_norm), decay)
        variance = mean_square - math_ops.square(mean)
        std = math_ops.sqrt(math_ops.maximum(epsilon, variance))
        return math_ops.exp(mean + std_factor * std), mean


def adaptive_clipping_fn(
    std_factor: Any = 2.0, decay: Any = 0.95, static_max_norm: Any = None,
    global_step: TensorLike | None = None,
    report_summary: bool = False, epsilon: float = 1e-8, name: Name = None,
) -> Callable[[GradsAndVars], GradsAndVars]:  # fmt: skip
    """A function for `clip_gradients` of `optimize_loss` that learns what norm is usual.

    Args:
      std_factor: gradients are scaled down when the logarithm of their norm is this many standard
        deviations above its mean.
      decay: how much the moving averages keep at every step.
      static_max_norm: a bound for the norm in any case.
      global_step: makes the first averages faster.
      report_summary: whether to summarise the bound.
      epsilon: added to the norm.
      name: the variable scope.
    """

    def gradient_clipping(grads_and_vars: GradsAndVars) -> GradsAndVars:
        gradients, variables = zip(*grads_and_vars)
        norm = clip_ops.global_norm(gradients)
        max_norm, log_mean = _adaptive_max_norm(
            norm, std_factor, decay, global_step, epsilon, name
        )  # fmt: skip
        if report_summary:
            tf_summary.scalar("global_norm/adaptive_max_gradient_norm", max_norm)
        is_usual = norm < max_norm
        factor = gather_ops.where(
            is_usual, array_ops.ones_like(norm), math_ops.exp(log_mean) / norm
        )
        if static_max_norm is not None:
            factor = math_ops.minimum(static_max_norm / norm, factor)
        return [(_times(gradient, factor), var) for gradient, var in zip(gradients, variables)]

    return gradient_clipping


def _times(gradient: Any, factor: Any) -> Any:
    if gradient is None:
        return None
    if isinstance(gradient, ops.IndexedSlices):
        return ops.IndexedSlices(gradient.values * factor, gradient.indices, gradient.dense_shape)
    return gradient * factor


def _add_scaled_noise_to_gradients(grads_and_vars: GradsAndVars, scale: Any) -> GradsAndVars:
    noisy = []
    for gradient, variable in grads_and_vars:
        if gradient is not None:
            is_sparse = isinstance(gradient, ops.IndexedSlices)
            shape = gradient.dense_shape if is_sparse else gradient.get_shape()
            gradient = gradient + random_ops.truncated_normal(shape) * scale
        noisy.append((gradient, variable))
    return noisy


def _multiply_gradients(
    grads_and_vars: GradsAndVars, gradient_multipliers: Mapping[Any, Any]
) -> GradsAndVars:
    multiplied = []
    for gradient, variable in grads_and_vars:
        key = variable if variable in gradient_multipliers else variable.name
        if gradient is not None and key in gradient_multipliers:
            factor = gradient_multipliers[key]
            if not isinstance(gradient, ops.IndexedSlices):
                factor = math_ops.cast(factor, gradient.dtype)
            gradient = _times(gradient, factor)
        multiplied.append((gradient, variable))
    return multiplied
