"""`tf.contrib.opt.AdaMaxOptimizer`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.array import gather_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.training.adam import AdamOptimizer
from tf1compat.api.variables import state_ops
from tf1compat.core import ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


@tf_export("contrib.opt.AdaMaxOptimizer")
class AdaMaxOptimizer(AdamOptimizer):
    """Adam with the largest of decaying gradients in place of the root of their squares (Kingma and
    Ba, 2014, section 7.1).

    Args:
      learning_rate, beta1, beta2, epsilon: floats, tensors, or functions that return one.
      use_locking: the `use_locking` attr of the steps.
      name: the name scope of the steps, and the name of the slots.
    """

    def __init__(
        self,
        learning_rate: TensorLike = 0.001,
        beta1: TensorLike = 0.9,
        beta2: TensorLike = 0.999,
        epsilon: TensorLike = 1e-8,
        use_locking: bool = False,
        name: str = "AdaMax",
    ):
        super().__init__(learning_rate, beta1, beta2, epsilon, use_locking, name)

    def _get_beta_accumulators(self) -> Any:
        """The variable that holds beta1 to the power of the step."""
        graph = None if ops.executing_eagerly() else ops.get_default_graph()
        return self._get_non_slot_variable("beta1_power", graph=graph)

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        first = min(var_list, key=lambda v: v.name)
        self._create_non_slot_variable(self._beta1, name="beta1_power", colocate_with=first)
        for v in var_list:
            self._zeros_slot(v, "m", self._name)
            self._zeros_slot(v, "v", self._name)

    def _op_family(self) -> str:
        return "AdaMax"

    def _op_scalars(self, var: Any) -> dict[str, Any]:
        return {
            "beta1_power": self._get_beta_accumulators(),
            "lr": self._lr_t,
            "beta1": self._beta1_t,
            "beta2": self._beta2_t,
            "epsilon": self._epsilon_t,
        }

    def _apply_sparse(self, grad: ops.IndexedSlices, var: Any) -> Any:
        def scatter(record: Callable[..., Any]) -> Callable[..., Any]:
            return lambda x, i, v: record(x, i, v, use_locking=self._use_locking)

        return self._apply_sparse_rows(
            grad.values,
            var,
            grad.indices,
            scatter(state_ops.scatter_add),
            scatter(state_ops.scatter_update),
        )

    def _resource_scatter_update(self, x: Any, i: ops.Tensor, v: ops.Tensor) -> ops.Tensor:
        with ops.control_dependencies([raw_ops.ResourceScatterUpdate(x.handle, i, v)]):
            return x.value()

    def _resource_apply_sparse(self, grad: ops.Tensor, handle: Any, indices: ops.Tensor) -> Any:
        return self._apply_sparse_rows(
            grad, handle, indices, self._resource_scatter_add, self._resource_scatter_update
        )

    def _apply_sparse_rows(
        self,
        grad: ops.Tensor,
        var: Any,
        indices: ops.Tensor,
        scatter_add: Callable[..., Any],
        scatter_update: Callable[..., Any],
    ) -> Any:
        scalars = self._sparse_scalars(var)
        beta1, beta2 = scalars["beta1"], scalars["beta2"]
        m = self.get_slot(var, "m")
        m_rows = gather_ops.gather(m, indices) * beta1 + grad * (1 - beta1)
        with ops.control_dependencies([m_rows]):
            m_t = scatter_update(m, indices, m_rows)
        v = self.get_slot(var, "v")
        v_rows = math_ops.maximum(gather_ops.gather(v, indices) * beta2, math_ops.abs(grad))
        with ops.control_dependencies([v_rows]):
            v_t = scatter_update(v, indices, v_rows)
        rate = -scalars["lr"] / (1 - scalars["beta1_power"])
        step = rate * (m_rows / (v_rows + scalars["epsilon"]))
        with ops.control_dependencies([step]):
            var_update = scatter_add(var, indices, step)
        return control_flow_ops.group(var_update, m_t, v_t)

    def _finish(self, update_ops: list[Any], name_scope: str) -> Any:
        with ops.control_dependencies(update_ops):
            power = self._get_beta_accumulators()
            with ops.colocate_with(power):
                new_power = power.assign(power * self._beta1_t, use_locking=self._use_locking)
        return control_flow_ops.group(*update_ops, new_power, name=name_scope)
