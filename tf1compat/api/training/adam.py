"""`tf.train.AdamOptimizer`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.training.optimizer import FusedOptimizer, Optimizer
from tf1compat.api.variables import state_ops
from tf1compat.core import ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


class AdamRule(FusedOptimizer):
    """Adam without what says how far the powers of `beta1` and `beta2` are."""

    def __init__(
        self,
        learning_rate: TensorLike,
        beta1: TensorLike,
        beta2: TensorLike,
        epsilon: TensorLike,
        use_locking: bool,
        name: str,
    ):
        super().__init__(use_locking, name)
        self._lr = learning_rate
        self._beta1 = beta1
        self._beta2 = beta2
        self._epsilon = epsilon
        self._lr_t: Any = None
        self._beta1_t: Any = None
        self._beta2_t: Any = None
        self._epsilon_t: Any = None

    def _get_beta_accumulators(self) -> Any:
        """What holds beta1 and beta2 to the power of the step."""
        raise NotImplementedError

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for v in var_list:
            self._zeros_slot(v, "m", self._name)
            self._zeros_slot(v, "v", self._name)

    def _prepare(self) -> None:
        # Functions are called before anything is recorded: they may record nodes themselves.
        values = [
            self._call_if_callable(value)
            for value in (self._lr, self._beta1, self._beta2, self._epsilon)
        ]
        names = ("learning_rate", "beta1", "beta2", "epsilon")
        self._lr_t, self._beta1_t, self._beta2_t, self._epsilon_t = (
            ops.convert_to_tensor(value, name=name) for value, name in zip(values, names)
        )

    def _op_family(self) -> str:
        return "Adam"

    def _op_slots(self, var: Any) -> dict[str, Any]:
        return {"m": self.get_slot(var, "m"), "v": self.get_slot(var, "v")}

    def _op_scalars(self, var: Any) -> dict[str, Any]:
        beta1_power, beta2_power = self._get_beta_accumulators()
        return {
            "beta1_power": beta1_power,
            "beta2_power": beta2_power,
            "lr": self._lr_t,
            "beta1": self._beta1_t,
            "beta2": self._beta2_t,
            "epsilon": self._epsilon_t,
        }

    def _sparse_scalars(self, var: Any) -> dict[str, Any]:
        """The scalars in the type of a variable."""
        return {
            key: math_ops.cast(value, var.dtype.base_dtype)
            for key, value in self._op_scalars(var).items()
        }

    def _sparse_settings(self, var: Any) -> tuple[Any, Any, Any, Any]:
        """The learning rate of this step, beta1, beta2 and epsilon."""
        scalars = self._sparse_scalars(var)
        lr = (
            scalars["lr"] * math_ops.sqrt(1 - scalars["beta2_power"]) / (1 - scalars["beta1_power"])
        )
        return lr, scalars["beta1"], scalars["beta2"], scalars["epsilon"]

    def _apply_sparse(self, grad: ops.IndexedSlices, var: Any) -> Any:
        def scatter_add(variable: Any, indices: TensorLike, values: Any) -> Any:
            return state_ops.scatter_add(variable, indices, values, use_locking=self._use_locking)

        return self._apply_sparse_shared(grad.values, var, grad.indices, scatter_add)

    def _resource_scatter_add(self, x: Any, i: ops.Tensor, v: ops.Tensor) -> ops.Tensor:
        with ops.control_dependencies([raw_ops.ResourceScatterAdd(x.handle, i, v)]):
            return x.value()

    def _resource_apply_sparse(self, grad: ops.Tensor, handle: Any, indices: ops.Tensor) -> Any:
        return self._apply_sparse_shared(grad, handle, indices, self._resource_scatter_add)

    def _apply_sparse_shared(
        self,
        grad: ops.Tensor,
        var: Any,
        indices: ops.Tensor,
        scatter_add: Callable[[Any, Any, Any], Any],
    ) -> ops.Operation:
        """Adam as ops of its own: there is no fused op for sparse gradients."""
        lr, beta1, beta2, epsilon = self._sparse_settings(var)

        def averaged(slot: str, decay: Any, added: Any) -> Any:
            return self._sparse_average(
                self.get_slot(var, slot), decay, indices, added, scatter_add
            )

        first = averaged("m", beta1, grad * (1 - beta1))
        second = averaged("v", beta2, grad * grad * (1 - beta2))
        deviation = math_ops.sqrt(second)
        step = lr * first / (deviation + epsilon)
        update = state_ops.assign_sub(var, step, use_locking=self._use_locking)
        return control_flow_ops.group(update, first, second)

    def _sparse_average(
        self,
        average: Any,
        decay: Any,
        indices: TensorLike,
        added: Any,
        scatter_add: Callable[..., Any],
    ) -> Any:
        """Records that all rows of an average decay and that some get something new."""
        decayed = state_ops.assign(average, average * decay, use_locking=self._use_locking)
        with ops.control_dependencies([decayed]):
            return scatter_add(average, indices, added)


@tf_export("train.AdamOptimizer")
class AdamOptimizer(AdamRule, Optimizer):
    """Adam (Kingma and Ba, 2014), in the form of the paper's section 2 before epsilon is moved.

    The powers of `beta1` and `beta2` are two variables, advanced after all steps.  Rows that a
    sparse gradient does not name still decay, as in TF 1.15.

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
        name: str = "Adam",
    ):
        super().__init__(learning_rate, beta1, beta2, epsilon, use_locking, name)

    def _get_beta_accumulators(self) -> Any:
        """The variables that hold beta1 and beta2 to the power of the step."""
        with ops.init_scope():
            graph = ops.get_default_graph()
            return (
                self._get_non_slot_variable("beta1_power", graph=graph),
                self._get_non_slot_variable("beta2_power", graph=graph),
            )

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        first = min(var_list, key=lambda v: v.name)
        self._create_non_slot_variable(self._beta1, name="beta1_power", colocate_with=first)
        self._create_non_slot_variable(self._beta2, name="beta2_power", colocate_with=first)
        super()._create_slots(var_list)

    def _finish(self, update_ops: list[Any], name_scope: str) -> ops.Operation:
        with ops.control_dependencies(update_ops):
            beta1_power, beta2_power = self._get_beta_accumulators()
            with ops.colocate_with(beta1_power):
                powers = [
                    power.assign(power * beta, use_locking=self._use_locking)
                    for power, beta in (
                        (beta1_power, self._beta1_t),
                        (beta2_power, self._beta2_t),
                    )
                ]
        return control_flow_ops.group(*update_ops, *powers, name=name_scope)
