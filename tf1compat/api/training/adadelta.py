"""`tf.train.AdadeltaOptimizer`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api.training.optimizer import FusedOptimizer, Optimizer
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


@tf_export("train.AdadeltaOptimizer")
class AdadeltaOptimizer(FusedOptimizer, Optimizer):
    """Adadelta (Zeiler, 2012).

    Args:
      learning_rate, rho, epsilon: floats, tensors, or functions that return one.
      use_locking: the `use_locking` attr of the steps.
      name: the name scope of the steps, and the name of the slots.
    """

    def __init__(
        self,
        learning_rate: TensorLike = 0.001,
        rho: TensorLike = 0.95,
        epsilon: TensorLike = 1e-8,
        use_locking: bool = False,
        name: str = "Adadelta",
    ):
        super().__init__(use_locking, name)
        self._lr = learning_rate
        self._rho = rho
        self._epsilon = epsilon
        self._lr_t: Any = None
        self._rho_t: Any = None
        self._epsilon_t: Any = None

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for v in var_list:
            self._zeros_slot(v, "accum", self._name)
            self._zeros_slot(v, "accum_update", self._name)

    def _prepare(self) -> None:
        values = [self._call_if_callable(value) for value in (self._lr, self._rho, self._epsilon)]
        self._lr_t, self._rho_t, self._epsilon_t = (
            ops.convert_to_tensor(value, name=name)
            for value, name in zip(values, ("lr", "rho", "epsilon"))
        )

    def _op_family(self) -> str:
        return "Adadelta"

    def _op_slots(self, var: Any) -> dict[str, Any]:
        return {key: self.get_slot(var, key) for key in ("accum", "accum_update")}

    def _op_scalars(self, var: Any) -> dict[str, ops.Tensor]:
        return {"lr": self._lr_t, "rho": self._rho_t, "epsilon": self._epsilon_t}
