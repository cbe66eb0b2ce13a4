"""`tf.keras.optimizers.Adadelta`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.keras import backend_config
from tf1compat.api.keras.optimizer_v2 import optimizer_v2
from tf1compat.core import ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike, Name, TensorLike


@tf_export("keras.optimizers.Adadelta")
class Adadelta(optimizer_v2.OptimizerV2):
    """Gradients scaled by the averages of squared steps and gradients (Zeiler).

    Args:
      learning_rate: a number, a schedule, or a function of nothing.
      rho: the decay of the averages.
      epsilon: added to them.
      name, **kwargs: see `Optimizer`.
    """

    def __init__(
        self, learning_rate: TensorLike = 0.001, rho: TensorLike = 0.95, epsilon: TensorLike = 1e-7,
        name: Name = "Adadelta", **kwargs: Any,
    ):  # fmt: skip
        super().__init__(name, **kwargs)
        self._set_hypers(kwargs.get("lr", learning_rate), rho=rho)
        self.epsilon = epsilon or backend_config.epsilon()

    def _create_slots(self, var_list: Any) -> None:
        for name in ("accum_grad", "accum_var"):
            for var in var_list:
                self.add_slot(var, name)

    def _prepare_local(self, var_device: Any, var_dtype: DTypeLike, apply_state: Any) -> None:
        super()._prepare_local(var_device, var_dtype, apply_state)
        state = apply_state[var_device, var_dtype]
        state["epsilon"] = ops.convert_to_tensor(self.epsilon, var_dtype)
        state["rho"] = array_ops.identity(self._get_hyper("rho", var_dtype))

    set_weights = optimizer_v2.OptimizerV2._set_weights_without_iterations

    def _slots_of(self, var: Any) -> list[Any]:
        return [self.get_slot(var, name).handle for name in ("accum_grad", "accum_var")]

    def _resource_apply_dense(self, grad: TensorLike, var: Any, apply_state: Any = None) -> Any:  # pyright: ignore
        known = self._coefficients(var, apply_state)
        return raw_ops.ResourceApplyAdadelta(
            var.handle, *self._slots_of(var), known["lr_t"], known["rho"], known["epsilon"], grad,
            use_locking=self._use_locking,
        )  # fmt: skip

    def _resource_apply_sparse(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, grad: TensorLike, var: Any, indices: TensorLike, apply_state: Any = None
    ) -> Any:
        known = self._coefficients(var, apply_state)
        return raw_ops.ResourceSparseApplyAdadelta(
            var.handle, *self._slots_of(var), known["lr_t"], known["rho"], known["epsilon"], grad,
            indices, use_locking=self._use_locking,
        )  # fmt: skip

    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal optimizer."""
        names = ("learning_rate", "decay", "rho")
        own = {name: self._serialize_hyperparameter(name) for name in names}
        return {**super().get_config(), **own, "epsilon": self.epsilon}
