"""`tf.contrib.opt.NadamOptimizer`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import gather_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.training.adam import AdamOptimizer
from tf1compat.api.variables import state_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export


@tf_export("contrib.opt.NadamOptimizer")
class NadamOptimizer(AdamOptimizer):
    """Adam with Nesterov's momentum (Dozat, 2016).  Arguments as of `tf.train.AdamOptimizer`."""

    def _op_attrs(self) -> dict[str, Any]:
        return {**super()._op_attrs(), "use_nesterov": True}

    def _apply_sparse_shared(
        self,
        grad: ops.Tensor,
        var: Any,
        indices: ops.Tensor,
        scatter_add: Callable[[Any, Any, Any], Any],
    ) -> Any:
        lr, beta1, beta2, epsilon = self._sparse_settings(var)
        m = self.get_slot(var, "m")
        scaled = grad * (1 - beta1)
        m_t = state_ops.assign(m, m * beta1, use_locking=self._use_locking)
        with ops.control_dependencies([m_t]):
            m_t = scatter_add(m, indices, scaled)
            ahead = scaled + beta1 * gather_ops.gather(m_t, indices)
        v = self.get_slot(var, "v")
        scaled = grad * grad * (1 - beta2)
        v_t = state_ops.assign(v, v * beta2, use_locking=self._use_locking)
        with ops.control_dependencies([v_t]):
            v_t = scatter_add(v, indices, scaled)
        deviation = math_ops.sqrt(gather_ops.gather(v_t, indices))
        var_update = scatter_add(var, indices, -lr * ahead / (deviation + epsilon))
        return control_flow_ops.group(var_update, ahead, v_t)
