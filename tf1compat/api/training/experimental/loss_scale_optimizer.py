"""Optimizers of `tf.train` that scale losses
(`tensorflow.python.training.experimental.loss_scale_optimizer`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distribute import distribution_strategy_context
from tf1compat.api.training import optimizer
from tf1compat.api.training.experimental import loss_scale as loss_scale_module
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike

_NEVER_CALLED = "This function should never be called"


@tf_export("train.experimental.MixedPrecisionLossScaleOptimizer")
class MixedPrecisionLossScaleOptimizer(optimizer.Optimizer):
    """An optimizer that computes the gradients of a multiplied loss, and divides them again.

    A step whose gradients are not finite is left out, if the multiplier is dynamic.

    Args:
      opt: the optimizer of `tf.train` that applies the gradients.
      loss_scale: a `LossScale`, a number, or "dynamic".

    Raises:
      ValueError: `opt` is no optimizer, or `loss_scale` none of these.
    """

    def __init__(self, opt: Any, loss_scale: Any):
        if not isinstance(opt, optimizer.Optimizer):
            raise ValueError(f'"opt" must be an instance of Optimizer, but got: {type(opt)}')
        self._optimizer = opt
        super().__init__(opt._use_locking, opt.get_name())
        self._loss_scale = loss_scale_module.get(loss_scale)
        self._track_trackable(opt, "base_optimizer")
        self._track_trackable(self._loss_scale, "loss_scale")

    def _doing_dynamic_loss_scaling(self) -> bool:
        return isinstance(self._loss_scale, loss_scale_module.DynamicLossScale)

    def compute_gradients(
        self, loss: Any, var_list: Any = None, gate_gradients: Any = optimizer.Optimizer.GATE_OP,
        aggregation_method: Any = None, colocate_gradients_with_ops: Any = False,
        grad_loss: Any = None,
    ) -> list[Any]:  # fmt: skip
        """The gradients of a loss; see `tf.train.Optimizer.compute_gradients`."""
        found = self._optimizer.compute_gradients(
            loss=self._scale_loss(loss), var_list=var_list, gate_gradients=gate_gradients,
            aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops, grad_loss=grad_loss,
        )  # fmt: skip
        divided = self._unscale_grads([grad for grad, _ in found])
        return list(zip(divided, [variable for _, variable in found], strict=True))

    def _scale_loss(self, loss: Any) -> Any:
        scale = self._loss_scale()
        return (lambda: loss() * scale) if callable(loss) else loss * scale

    def _unscale_grads(self, grads: list[Any]) -> list[Any]:
        factor = 1 / self._loss_scale()
        return [None if grad is None else _times(grad, factor) for grad in grads]

    def apply_gradients(
        self, grads_and_vars: Any, global_step: TensorLike | None = None, name: Name = None
    ) -> Any:
        """Applies gradients, if they are finite; only then is `global_step` counted up.

        Raises:
          ValueError: it is called for all devices at once.
        """
        if distribution_strategy_context.in_cross_replica_context():
            raise ValueError("apply_gradients() must be called in a replica context.")
        if not self._doing_dynamic_loss_scaling():
            return self._optimizer.apply_gradients(grads_and_vars, global_step, name)
        replica: Any = distribution_strategy_context.get_replica_context()
        return replica.merge_call(
            self._distributed_apply, args=(tuple(grads_and_vars), global_step, name)
        )

    def _distributed_apply(
        self,
        distribution: Any,
        grads_and_vars: Any,
        global_step: TensorLike | None = None,
        name: Name = None,
    ) -> Any:
        name = self.get_name() if name is None else name
        update, is_finite = self._loss_scale.update([grad for grad, _ in grads_and_vars])

        def apply() -> Any:
            made = distribution.extended.call_for_each_replica(
                self._optimizer.apply_gradients,
                args=(grads_and_vars, global_step, name + "-wrapped"),
            )
            return distribution.group(made)

        applied = control_flow_ops.smart_cond(is_finite, apply, control_flow_ops.no_op)
        return control_flow_ops.group(applied, update, name=name)

    # Only the inner optimizer changes variables.

    def _apply_sparse(self, grad: TensorLike, var: Any) -> Any:
        raise RuntimeError(_NEVER_CALLED)

    def _apply_dense(self, grad: TensorLike, var: Any) -> Any:
        raise RuntimeError(_NEVER_CALLED)

    def _resource_apply_sparse(self, grad: TensorLike, handle: Any, indices: TensorLike) -> Any:
        raise RuntimeError(_NEVER_CALLED)

    def _resource_apply_dense(self, grad: TensorLike, handle: Any) -> Any:
        raise RuntimeError(_NEVER_CALLED)


def _times(grad: TensorLike, factor: Any) -> Any:
    if isinstance(grad, ops.IndexedSlices):
        return ops.IndexedSlices(grad.values * factor, grad.indices, grad.dense_shape)
    return grad * factor
