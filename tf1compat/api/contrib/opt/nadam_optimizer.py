"""`tf.contrib.opt.NadamOptimizer`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import gather_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.training.adam import AdamOptimizer
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


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

        def look_ahead(average: Any, rows: TensorLike, added: Any) -> Any:
            new = scatter_add(average, rows, added)
            return added + beta1 * gather_ops.gather(new, rows)

        m, added = self.get_slot(var, "m"), grad * (1 - beta1)
        ahead = self._sparse_average(m, beta1, indices, added, look_ahead)
        v, added = self.get_slot(var, "v"), grad * grad * (1 - beta2)
        second = self._sparse_average(v, beta2, indices, added, scatter_add)
        deviation = math_ops.sqrt(gather_ops.gather(second, indices))
        update = scatter_add(var, indices, -lr * ahead / (deviation + epsilon))
        return control_flow_ops.group(update, ahead, second)
