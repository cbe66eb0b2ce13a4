"""`tf.keras.optimizers.Adamax`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.keras import backend_config
from tf1compat.api.keras.optimizer_v2 import optimizer_v2
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike, Name, TensorLike


@tf_export("keras.optimizers.Adamax")
class Adamax(optimizer_v2.OptimizerV2):
    """Adam with the infinity norm (Kingma and Ba). Args: see `Adam`."""

    def __init__(
        self, learning_rate: TensorLike = 0.001, beta_1: Any = 0.9, beta_2: Any = 0.999,
        epsilon: TensorLike = 1e-7, name: Name = "Adamax", **kwargs: Any,
    ):  # fmt: skip
        super().__init__(name, **kwargs)
        rate = kwargs.get("lr", learning_rate)
        self._set_hypers(rate, beta_1=beta_1, beta_2=beta_2)
        self.epsilon = epsilon or backend_config.epsilon()

    def _create_slots(self, var_list: Any) -> None:
        for name in ("m", "v"):
            for var in var_list:
                self.add_slot(var, name)

    def _prepare_local(self, var_device: Any, var_dtype: DTypeLike, apply_state: Any) -> None:
        super()._prepare_local(var_device, var_dtype, apply_state)
        state = apply_state[var_device, var_dtype]
        step = math_ops.cast(self.iterations + 1, var_dtype)
        beta_1, beta_2 = (
            array_ops.identity(self._get_hyper(name, var_dtype)) for name in ("beta_1", "beta_2")
        )
        beta_1_power = math_ops.pow(beta_1, step)
        state["neg_scaled_lr"] = -state["lr_t"] / (1 - beta_1_power)
        state["epsilon"] = ops.convert_to_tensor(self.epsilon, var_dtype)
        state["beta_1_t"], state["beta_1_power"] = beta_1, beta_1_power
        state["one_minus_beta_1_t"] = 1 - beta_1
        state["beta_2_t"] = beta_2
        state["zero"] = array_ops.zeros((), dtype=dtypes.int64)

    def _resource_apply_dense(self, grad: TensorLike, var: Any, apply_state: Any = None) -> Any:  # pyright: ignore
        known = self._coefficients(var, apply_state)
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        return raw_ops.ResourceApplyAdaMax(
            var.handle, m.handle, v.handle, known["beta_1_power"], known["lr_t"],
            known["beta_1_t"], known["beta_2_t"], known["epsilon"], grad,
            use_locking=self._use_locking,
        )  # fmt: skip

    def _resource_apply_sparse(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, grad: TensorLike, var: Any, indices: TensorLike, apply_state: Any = None
    ) -> Any:
        known = self._coefficients(var, apply_state)

        def updated(name: str, moved: Callable[[Any], Any]) -> tuple[Any, Any]:
            slot = self.get_slot(var, name)
            rows = moved(array_ops.gather(slot, indices, axis=known["zero"]))
            with ops.control_dependencies([rows]):
                return rows, self._resource_scatter_update(slot, indices, rows)

        m_rows, m_t = updated(
            "m", lambda rows: rows * known["beta_1_t"] + grad * known["one_minus_beta_1_t"]
        )
        v_rows, v_t = updated(
            "v", lambda rows: math_ops.maximum(rows * known["beta_2_t"], math_ops.abs(grad))
        )
        step = known["neg_scaled_lr"] * (m_rows / (v_rows + known["epsilon"]))
        with ops.control_dependencies([step]):
            update = self._resource_scatter_add(var, indices, step)
        return control_flow_ops.group(update, m_t, v_t)

    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal optimizer."""
        names = ("learning_rate", "decay", "beta_1", "beta_2")
        own = {name: self._serialize_hyperparameter(name) for name in names}
        return {**super().get_config(), **own, "epsilon": self.epsilon}
