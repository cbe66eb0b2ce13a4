"""`tf.train.MomentumOptimizer`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api.training.optimizer import FusedOptimizer, Optimizer
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


@tf_export("train.MomentumOptimizer")
class MomentumOptimizer(FusedOptimizer, Optimizer):
    """Gradient descent with momentum: `accum = momentum * accum + gradient; var -= learning_rate *
    accum`.

    Args:
      learning_rate: a float, a tensor, or a function that returns one.
      momentum: a float, a tensor, or a function that returns one.
      use_locking: the `use_locking` attr of the steps.
      name: the name scope of the steps, and the name of the slots.
      use_nesterov: step by the gradient plus the momentum after it (Sutskever et al., 2013).
    """

    def __init__(
        self,
        learning_rate: TensorLike,
        momentum: TensorLike,
        use_locking: bool = False,
        name: str = "Momentum",
        use_nesterov: bool = False,
    ):
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._momentum = momentum
        self._use_nesterov = use_nesterov

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for v in var_list:
            self._zeros_slot(v, "momentum", self._name)

    def _prepare(self) -> None:
        self._learning_rate_tensor = self._hyperparameter(self._learning_rate, "learning_rate")
        self._momentum_tensor = self._hyperparameter(self._momentum, "momentum")

    def _op_family(self) -> str:
        return "Momentum"

    def _op_slots(self, var: Any) -> dict[str, Any]:
        return {"accum": self.get_slot(var, "momentum")}

    def _op_scalars(self, var: Any) -> dict[str, ops.Tensor]:
        return {"lr": self._learning_rate_tensor, "momentum": self._momentum_tensor}

    def _op_attrs(self) -> dict[str, Any]:
        return {"use_locking": self._use_locking, "use_nesterov": self._use_nesterov}
