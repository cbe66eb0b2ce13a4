"""`tf.keras.optimizers.RMSprop`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.keras import backend_config
from tf1compat.api.keras.optimizer_v2 import optimizer_v2
from tf1compat.api.keras.optimizer_v2.gradient_descent import uses_momentum
from tf1compat.api.math import math_ops
from tf1compat.api.variables import state_ops
from tf1compat.core import ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike, Name, TensorLike


@tf_export("keras.optimizers.RMSprop")
class RMSprop(optimizer_v2.OptimizerV2):
    """Gradients over the root of an average of their squares (Hinton).

    Args:
      learning_rate: a number, a schedule, or a function of nothing.
      rho: the decay of the average.
      momentum: of the steps, in [0, 1].
      epsilon: added to the root.
      centered: whether the average of gradients is taken off.
      name, **kwargs: see `Optimizer`.
    """

    def __init__(
        self, learning_rate: TensorLike = 0.001, rho: TensorLike = 0.9, momentum: TensorLike = 0.0,
        epsilon: TensorLike = 1e-7, centered: bool = False, name: Name = "RMSprop", **kwargs: Any,
    ):  # fmt: skip
        super().__init__(name, **kwargs)
        self._momentum = uses_momentum(momentum)
        self._set_hypers(kwargs.get("lr", learning_rate), rho=rho, momentum=momentum)
        self.epsilon = epsilon or backend_config.epsilon()
        self.centered = centered

    def _create_slots(self, var_list: Any) -> None:
        names = ["rms"]
        names += ["momentum"] if self._momentum else []
        names += ["mg"] if self.centered else []
        for name in names:
            for var in var_list:
                self.add_slot(var, name)

    def _prepare_local(self, var_device: Any, var_dtype: DTypeLike, apply_state: Any) -> None:
        super()._prepare_local(var_device, var_dtype, apply_state)
        state = apply_state[var_device, var_dtype]
        rho = array_ops.identity(self._get_hyper("rho", var_dtype))
        state["neg_lr_t"] = -state["lr_t"]
        state["epsilon"] = ops.convert_to_tensor(self.epsilon, var_dtype)
        state["rho"] = rho
        state["momentum"] = array_ops.identity(self._get_hyper("momentum", var_dtype))
        state["one_minus_rho"] = 1.0 - rho

    def _fused(self, sparse: bool, grad: TensorLike, var: Any, known: Any, *indices: Any) -> Any:
        slots = [self.get_slot(var, name).handle for name in ("rms", "momentum")]
        kind = ""
        if self.centered:
            slots.insert(0, self.get_slot(var, "mg").handle)
            kind = "Centered"
        apply = getattr(raw_ops, f"Resource{'Sparse' if sparse else ''}Apply{kind}RMSProp")
        return apply(
            var.handle, *slots, known["lr_t"], known["rho"], known["momentum"], known["epsilon"],
            grad, *indices, use_locking=self._use_locking,
        )  # fmt: skip

    def _resource_apply_dense(self, grad: TensorLike, var: Any, apply_state: Any = None) -> Any:  # pyright: ignore
        known = self._coefficients(var, apply_state)
        if self._momentum:
            return self._fused(False, grad, var, known)
        lock = self._use_locking
        rms = self.get_slot(var, "rms")
        rms_t = known["rho"] * rms + known["one_minus_rho"] * math_ops.square(grad)
        rms_t = state_ops.assign(rms, rms_t, use_locking=lock)
        denominator = rms_t
        if self.centered:
            mg = self.get_slot(var, "mg")
            mg_t = known["rho"] * mg + known["one_minus_rho"] * grad
            mg_t = state_ops.assign(mg, mg_t, use_locking=lock)
            denominator = rms_t - math_ops.square(mg_t)
        step = known["lr_t"] * grad / (math_ops.sqrt(denominator) + known["epsilon"])
        return state_ops.assign(var, var - step, use_locking=lock).op

    def _resource_apply_sparse(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, grad: Any, var: Any, indices: TensorLike, apply_state: Any = None
    ) -> Any:
        known = self._coefficients(var, apply_state)
        if self._momentum:
            return self._fused(True, grad, var, known, indices)
        lock = self._use_locking
        rms = self.get_slot(var, "rms")
        scaled = grad * grad * known["one_minus_rho"]
        rms_t = state_ops.assign(rms, rms * known["rho"], use_locking=lock)
        with ops.control_dependencies([rms_t]):
            rms_t = self._resource_scatter_add(rms, indices, scaled)
            denominator = array_ops.gather(rms_t, indices)
        slots = [rms_t]
        if self.centered:
            mg = self.get_slot(var, "mg")
            scaled = grad * known["one_minus_rho"]
            mg_t = state_ops.assign(mg, mg * known["rho"], use_locking=lock)
            with ops.control_dependencies([mg_t]):
                mg_t = self._resource_scatter_add(mg, indices, scaled)
                rows = array_ops.gather(mg_t, indices)
                denominator = denominator - math_ops.square(rows)
            slots.append(mg_t)
        step = known["neg_lr_t"] * grad / (math_ops.sqrt(denominator) + known["epsilon"])
        update = self._resource_scatter_add(var, indices, step)
        return control_flow_ops.group(update, *slots)

    set_weights = optimizer_v2.OptimizerV2._set_weights_without_iterations

    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal optimizer."""
        names = ("learning_rate", "decay", "rho", "momentum")
        own = {name: self._serialize_hyperparameter(name) for name in names}
        own |= {"epsilon": self.epsilon, "centered": self.centered}
        return {**super().get_config(), **own}


RMSProp = RMSprop
