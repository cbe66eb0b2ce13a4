"""`tf.contrib.opt.LazyAdamOptimizer`, and its form that goes by the global step."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import gather_ops
from tf1compat.api.contrib.opt.adam_gs_optimizer import AdamGSOptimizer
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.training.adam import AdamOptimizer, AdamRule
from tf1compat.api.variables import state_ops
from tf1compat.core import ops, raw_ops
from tf1compat.core.export import tf_export


class _LazySteps(AdamRule):
    """Sparse gradients leave alone the rows that they don't name."""

    def _apply_sparse(self, grad: ops.IndexedSlices, var: Any) -> Any:
        lr, beta1, beta2, epsilon = self._sparse_settings(var)
        indices, locking = grad.indices, self._use_locking
        m = self.get_slot(var, "m")
        new_m = beta1 * gather_ops.gather(m, indices) + (1 - beta1) * grad.values
        m_t = state_ops.scatter_update(m, indices, new_m, use_locking=locking)
        v = self.get_slot(var, "v")
        new_v = beta2 * gather_ops.gather(v, indices) + (1 - beta2) * math_ops.square(grad.values)
        v_t = state_ops.scatter_update(v, indices, new_v, use_locking=locking)
        m_rows, v_rows = gather_ops.gather(m_t, indices), gather_ops.gather(v_t, indices)
        divisor = math_ops.sqrt(v_rows) + epsilon
        var_update = state_ops.scatter_sub(var, indices, lr * m_rows / divisor, use_locking=locking)
        return control_flow_ops.group(var_update, m_t, v_t)

    def _resource_apply_sparse(self, grad: ops.Tensor, handle: Any, indices: ops.Tensor) -> Any:
        lr, beta1, beta2, epsilon = self._sparse_settings(handle)
        m = self.get_slot(handle, "m")
        new_m = beta1 * gather_ops.gather(m, indices) + (1 - beta1) * grad
        m_update = raw_ops.ResourceScatterUpdate(m.handle, indices, new_m)
        v = self.get_slot(handle, "v")
        new_v = beta2 * gather_ops.gather(v, indices) + (1 - beta2) * math_ops.square(grad)
        v_update = raw_ops.ResourceScatterUpdate(v.handle, indices, new_v)
        step = lr * new_m / (math_ops.sqrt(new_v) + epsilon)
        var_update = raw_ops.ResourceScatterSub(handle.handle, indices, step)
        return control_flow_ops.group(var_update, m_update, v_update)


@tf_export("contrib.opt.LazyAdamOptimizer")
class LazyAdamOptimizer(_LazySteps, AdamOptimizer):
    """`tf.train.AdamOptimizer` whose sparse gradients leave alone the rows that they don't name.

    That is faster, and not the same: averages of such rows don't decay.  Arguments as there.
    """


@tf_export("contrib.opt.LazyAdamGSOptimizer")
class LazyAdamGSOptimizer(_LazySteps, AdamGSOptimizer):
    """`tf.contrib.opt.AdamGSOptimizer` whose sparse gradients leave alone the rows that they don't
    name.  Arguments as there.
    """
