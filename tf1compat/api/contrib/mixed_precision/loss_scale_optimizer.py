"""An optimizer of scaled losses
(`tensorflow.contrib.mixed_precision.python.loss_scale_optimizer`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.training import optimizer
from tf1compat.core import context, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike


@tf_export("contrib.mixed_precision.LossScaleOptimizer")
class LossScaleOptimizer(optimizer.Optimizer):
    """Multiplies the loss, divides the gradients, and skips steps with gradients that overflow.

    Args:
      opt: an optimizer.
      loss_scale_manager: a `LossScaleManager`.
    """

    def __init__(self, opt: optimizer.Optimizer, loss_scale_manager: Any):
        self._opt = opt
        self._loss_scale_manager = loss_scale_manager

    def compute_gradients(
        self, loss: Any, var_list: Any = None,
        gate_gradients: Any = optimizer.Optimizer.GATE_OP, aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False, grad_loss: Any = None,
    ) -> list[tuple[Any, Any]]:  # fmt: skip
        """See `Optimizer`; the gradients are those of the loss itself."""
        scale = self._loss_scale_manager.get_loss_scale()

        def scaled() -> Any:
            value: Any = loss() if callable(loss) else loss
            return value * math_ops.cast(scale, value.dtype.base_dtype)

        found = self._opt.compute_gradients(
            scaled if context.executing_eagerly() else scaled(), var_list=var_list,
            gate_gradients=gate_gradients, aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops, grad_loss=grad_loss,
        )  # fmt: skip
        inverse = raw_ops.Reciprocal(scale)
        return [
            (g if g is None else g * math_ops.cast(inverse, g.dtype.base_dtype), v)
            for g, v in found
        ]

    def apply_gradients(
        self, grads_and_vars: Any, global_step: TensorLike | None = None, name: Name = None
    ) -> Any:
        """See `Optimizer`; nothing is applied if a gradient is not finite."""
        finite = [math_ops.reduce_all(raw_ops.IsFinite(g)) for g, _ in grads_and_vars]
        all_finite = math_ops.reduce_all(finite)
        update = control_flow_ops.cond(
            all_finite,
            lambda: self._opt.apply_gradients(grads_and_vars, global_step, name),
            raw_ops.NoOp,
        )
        return control_flow_ops.group(
            update, self._loss_scale_manager.update_loss_scale(all_finite)
        )
