"""`tf.contrib.opt.DropStaleGradientOptimizer`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.random import init_ops
from tf1compat.api.summary import summary
from tf1compat.api.training import training_util
from tf1compat.api.training.optimizer import Optimizer, _WrappingOptimizer
from tf1compat.api.variables import variable_scope
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name


@tf_export("contrib.opt.DropStaleGradientOptimizer")
class DropStaleGradientOptimizer(_WrappingOptimizer, Optimizer):
    """Drops gradients during whose computation too many steps were made.

    Args:
      opt: the optimizer that applies the others.
      staleness: how many steps are allowed.
      use_locking: as of any optimizer.
      name: the name scope.
    """

    def __init__(
        self, opt: Any, staleness: Any, use_locking: bool = False, name: Any = "DropStaleGradient"
    ):
        super().__init__(use_locking, name)
        self._opt = opt
        self._staleness = staleness

    def compute_gradients(self, loss: Any, *args: Any, **kwargs: Any) -> Any:
        """As of the optimizer, after the global step is noted."""
        with ops.colocate_with(loss):
            self._local_step = training_util.get_global_step() + 0
        with ops.control_dependencies([self._local_step]):
            return self._opt.compute_gradients(raw_ops.Identity(loss), *args, **kwargs)

    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: Name = None
    ) -> Any:
        """Records a step, made unless the gradients are stale.

        Args: as of `tf.train.Optimizer.apply_gradients`.

        Returns:
          The number of gradients dropped so far, a float32 scalar.
        """
        with ops.colocate_with(global_step):
            dropped = variable_scope.get_variable(
                "stale_counter", [], initializer=init_ops.zeros_initializer(), trainable=False
            )

        def accept() -> Any:
            applied = self._opt.apply_gradients(grads_and_vars, global_step=global_step, name=name)
            with ops.control_dependencies([applied]):
                return raw_ops.Identity(0.0)

        computed = [
            g if isinstance(g, ops.Tensor) else g.op for g, _ in grads_and_vars if g is not None
        ]
        with ops.control_dependencies(computed), ops.colocate_with(global_step):
            staleness = raw_ops.Reshape(global_step - self._local_step, shape=())
        is_fresh = raw_ops.LessEqual(staleness, self._staleness)
        update = dropped.assign_add(
            control_flow_ops.cond(is_fresh, accept, lambda: raw_ops.Identity(1.0))
        )
        share = dropped / math_ops.cast(global_step + 1, dtypes.float32)
        summary.scalar("Gradient staleness percentage", share)
        return update
