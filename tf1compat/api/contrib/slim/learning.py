"""`tf.contrib.slim.learning` (`tensorflow.contrib.slim.python.slim.learning`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api import constant_op
from tf1compat.api.contrib.training import training
from tf1compat.api.training.optimizer import Optimizer
from tf1compat.core import ops
from tf1compat.core.tensor import Tensor

__all__ = [
    "add_gradients_summaries",
    "clip_gradient_norms",
    "create_train_op",
    "multiply_gradients",
]

GradsAndVars = list[tuple[Any, Any]]
_USE_GLOBAL_STEP = 0

clip_gradient_norms = training.clip_gradient_norms


def multiply_gradients(grads_and_vars: Any, gradient_multipliers: Any) -> GradsAndVars:
    """Multiplies the gradients of some variables; see `tf.contrib.training.multiply_gradients`."""

    def as_tensor(factor: Any, dtype: Any) -> Tensor:
        is_tensor = isinstance(factor, ops.Tensor)
        return factor if is_tensor else constant_op.constant(factor, dtype=dtype)

    return training.multiplied_gradients(grads_and_vars, gradient_multipliers, as_tensor)


def add_gradients_summaries(grads_and_vars: Sequence[Any]) -> list[Tensor]:
    """A histogram and the norm of each gradient.

    Args:
      grads_and_vars: (gradient, variable) pairs.

    Raises:
      NotImplementedError: there are no summaries yet.
    """
    return training.summarize_gradients(grads_and_vars, "/gradient")


def create_train_op(
    total_loss: Any, optimizer: Optimizer, global_step: Any = _USE_GLOBAL_STEP,
    update_ops: Any = None, variables_to_train: Any = None, clip_gradient_norm: Any = 0,
    summarize_gradients: bool = False, gate_gradients: int = Optimizer.GATE_OP,
    aggregation_method: Any = None, colocate_gradients_with_ops: bool = False,
    gradient_multipliers: Any = None, check_numerics: bool = True,
) -> Tensor:  # fmt: skip
    """A training step.

    Args: see `tf.contrib.training.create_train_op`.
      clip_gradient_norm: the greatest norm of a gradient; 0 for any.
      gradient_multipliers: a dict: variable, or its operation's name -> factor of its gradient.

    Returns:
      The loss, after the step.
    """

    def transform(gradients: GradsAndVars) -> GradsAndVars:
        if gradient_multipliers:
            with ops.name_scope("multiply_grads"):
                gradients = multiply_gradients(gradients, gradient_multipliers)
        if clip_gradient_norm > 0:
            with ops.name_scope("clip_grads"):
                gradients = clip_gradient_norms(gradients, clip_gradient_norm)
        return gradients

    return training.create_train_op(
        total_loss=total_loss, optimizer=optimizer, global_step=global_step, update_ops=update_ops,
        variables_to_train=variables_to_train, transform_grads_fn=transform,
        summarize_gradients=summarize_gradients, gate_gradients=gate_gradients,
        aggregation_method=aggregation_method,
        colocate_gradients_with_ops=colocate_gradients_with_ops, check_numerics=check_numerics,
    )  # fmt: skip
