"""`tf.keras.optimizers.Adam`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.keras import backend_config
from tf1compat.api.keras.optimizer_v2 import optimizer_v2
from tf1compat.api.math import math_ops
from tf1compat.api.variables import state_ops
from tf1compat.core import ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike, Name, TensorLike


@tf_export("keras.optimizers.Adam")
class Adam(optimizer_v2.OptimizerV2):
    """Adam (Kingma and Ba), optionally as AMSGrad.

    Args:
      learning_rate: a number, a schedule, or a function of nothing.
      beta_1, beta_2: the decay of the averages of gradients and of their squares.
      epsilon: added to the root of the second.
      amsgrad: whether the second average never falls.
      name, **kwargs: see `Optimizer`.
    """

    def __init__(
        self, learning_rate: TensorLike = 0.001, beta_1: Any = 0.9, beta_2: Any = 0.999,
        epsilon: TensorLike = 1e-7, amsgrad: bool = False, name: Name = "Adam", **kwargs: Any,
    ):  # fmt: skip
        super().__init__(name, **kwargs)
        rate = kwargs.get("lr", learning_rate)
        self._set_hypers(rate, beta_1=beta_1, beta_2=beta_2)
        self.epsilon = epsilon or backend_config.epsilon()
        self.amsgrad = amsgrad

    def _create_slots(self, var_list: Any) -> None:
        for name in ("m", "v", "vhat") if self.amsgrad else ("m", "v"):
            for var in var_list:
                self.add_slot(var, name)

    def _prepare_local(self, var_device: Any, var_dtype: DTypeLike, apply_state: Any) -> None:
        super()._prepare_local(var_device, var_dtype, apply_state)
        state = apply_state[var_device, var_dtype]
        step = math_ops.cast(self.iterations + 1, var_dtype)
        beta_1, beta_2 = (
            array_ops.identity(self._get_hyper(name, var_dtype)) for name in ("beta_1", "beta_2")
        )
        beta_1_power, beta_2_power = math_ops.pow(beta_1, step), math_ops.pow(beta_2, step)
        state["lr"] = state["lr_t"] * (math_ops.sqrt(1 - beta_2_power) / (1 - beta_1_power))
        state["epsilon"] = ops.convert_to_tensor(self.epsilon, var_dtype)
        state["beta_1_t"], state["beta_1_power"] = beta_1, beta_1_power
        state["one_minus_beta_1_t"] = 1 - beta_1
        state["beta_2_t"], state["beta_2_power"] = beta_2, beta_2_power
        state["one_minus_beta_2_t"] = 1 - beta_2

    def set_weights(self, weights: Any) -> None:
        """Gives the variables values; also from what older Keras saved, which has slots for
        AMSGrad always."""
        params = self.weights
        count = int((len(params) - 1) / 2)
        if len(weights) == 3 * count + 1:
            weights = weights[: len(params)]
        super().set_weights(weights)

    def _resource_apply_dense(self, grad: TensorLike, var: Any, apply_state: Any = None) -> Any:  # pyright: ignore
        known = self._coefficients(var, apply_state)
        slots = [self.get_slot(var, name).handle for name in ("m", "v")]
        apply = raw_ops.ResourceApplyAdam
        if self.amsgrad:
            slots.append(self.get_slot(var, "vhat").handle)
            apply = raw_ops.ResourceApplyAdamWithAmsgrad
        return apply(
            var.handle, *slots, known["beta_1_power"], known["beta_2_power"], known["lr_t"],
            known["beta_1_t"], known["beta_2_t"], known["epsilon"], grad,
            use_locking=self._use_locking,
        )  # fmt: skip

    def _resource_apply_sparse(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, grad: Any, var: Any, indices: TensorLike, apply_state: Any = None
    ) -> Any:
        known = self._coefficients(var, apply_state)
        lock = self._use_locking
        m = self.get_slot(var, "m")
        scaled = grad * known["one_minus_beta_1_t"]
        m_t = state_ops.assign(m, m * known["beta_1_t"], use_locking=lock)
        with ops.control_dependencies([m_t]):
            m_t = self._resource_scatter_add(m, indices, scaled)
        v = self.get_slot(var, "v")
        scaled = grad * grad * known["one_minus_beta_2_t"]
        v_t = state_ops.assign(v, v * known["beta_2_t"], use_locking=lock)
        with ops.control_dependencies([v_t]):
            v_t = self._resource_scatter_add(v, indices, scaled)
        slots = [m_t, v_t]
        largest = v_t
        if self.amsgrad:
            vhat = self.get_slot(var, "vhat")
            largest = math_ops.maximum(vhat, v_t)
            with ops.control_dependencies([largest]):
                largest = state_ops.assign(vhat, largest, use_locking=lock)
            slots.append(largest)
        root = math_ops.sqrt(largest)
        step = known["lr"] * m_t / (root + known["epsilon"])
        update = state_ops.assign_sub(var, step, use_locking=lock)
        return control_flow_ops.group(update, *slots)

    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal optimizer."""
        names = ("learning_rate", "decay", "beta_1", "beta_2")
        own = {name: self._serialize_hyperparameter(name) for name in names}
        own |= {"epsilon": self.epsilon, "amsgrad": self.amsgrad}
        return {**super().get_config(), **own}
