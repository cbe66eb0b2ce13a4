"""`tf.keras.optimizers.Ftrl`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.keras.optimizer_v2 import optimizer_v2
from tf1compat.api.math import math_ops
from tf1compat.api.random import init_ops
from tf1compat.core import raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike, Name, TensorLike

_HYPERS = ("learning_rate_power", "l1_regularization_strength", "l2_regularization_strength")


@tf_export("keras.optimizers.Ftrl")
class Ftrl(optimizer_v2.OptimizerV2):
    """Follow the regularised leader (McMahan et al.).

    Args:
      learning_rate: a number, a schedule, or a function of nothing.
      learning_rate_power: how the rate falls: at most 0.
      initial_accumulator_value: what the sums of squared gradients begin with.
      l1_regularization_strength, l2_regularization_strength: of the variables.
      name: see `Optimizer`.
      l2_shrinkage_regularization_strength: an l2 penalty of each gradient.
      **kwargs: see `Optimizer`.

    Raises:
      ValueError: a value of the wrong sign.
    """

    def __init__(
        self, learning_rate: TensorLike = 0.001, learning_rate_power: Any = -0.5,
        initial_accumulator_value: Any = 0.1, l1_regularization_strength: Any = 0.0,
        l2_regularization_strength: Any = 0.0, name: Name = "Ftrl",
        l2_shrinkage_regularization_strength: Any = 0.0, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(name, **kwargs)
        positive = {
            "initial_accumulator_value": initial_accumulator_value,
            "l1_regularization_strength": l1_regularization_strength,
            "l2_regularization_strength": l2_regularization_strength,
            "l2_shrinkage_regularization_strength": l2_shrinkage_regularization_strength,
        }
        if initial_accumulator_value >= 0.0 and learning_rate_power > 0.0:
            raise ValueError(
                f"learning_rate_power {learning_rate_power:f} needs to be negative or zero"
            )
        for key, value in positive.items():
            if value < 0.0:
                raise ValueError(f"{key} {value:f} needs to be positive or zero")
        self._set_hypers(
            learning_rate, learning_rate_power=learning_rate_power,
            l1_regularization_strength=l1_regularization_strength,
            l2_regularization_strength=l2_regularization_strength,
        )  # fmt: skip
        self._initial_accumulator_value = initial_accumulator_value
        self._l2_shrinkage_regularization_strength = l2_shrinkage_regularization_strength

    def _create_slots(self, var_list: Any) -> None:
        for var in var_list:
            initializer = init_ops.Constant(
                self._initial_accumulator_value, dtype=var.dtype.base_dtype
            )
            self.add_slot(var, "accumulator", initializer)
            self.add_slot(var, "linear")

    def _prepare_local(self, var_device: Any, var_dtype: DTypeLike, apply_state: Any) -> None:
        super()._prepare_local(var_device, var_dtype, apply_state)
        state = apply_state[var_device, var_dtype]
        for name in _HYPERS:
            state[name] = array_ops.identity(self._get_hyper(name, var_dtype))
        state["l2_shrinkage"] = math_ops.cast(self._l2_shrinkage_regularization_strength, var_dtype)

    def _apply_op(
        self, kind: str, grad: TensorLike, var: Any, apply_state: Any, *indices: Any
    ) -> Any:
        known = self._coefficients(var, apply_state)
        slots = [self.get_slot(var, name).handle for name in ("accumulator", "linear")]
        power, l1, l2 = (known[name] for name in _HYPERS)
        if self._l2_shrinkage_regularization_strength <= 0.0:
            return getattr(raw_ops, f"{kind}Ftrl")(
                var.handle, *slots, grad, *indices, known["lr_t"], l1, l2, power,
                use_locking=self._use_locking,
            )  # fmt: skip
        return getattr(raw_ops, f"{kind}FtrlV2")(
            var.handle, *slots, grad, *indices, known["lr_t"], l1, l2, known["l2_shrinkage"],
            power, use_locking=self._use_locking,
        )  # fmt: skip

    def _resource_apply_dense(self, grad: TensorLike, var: Any, apply_state: Any = None) -> Any:  # pyright: ignore
        return self._apply_op("ResourceApply", grad, var, apply_state)

    def _resource_apply_sparse(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, grad: TensorLike, var: Any, indices: TensorLike, apply_state: Any = None
    ) -> Any:
        return self._apply_op("ResourceSparseApply", grad, var, apply_state, indices)

    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal optimizer."""
        hyper = self._serialize_hyperparameter
        own = {
            "learning_rate": hyper("learning_rate"),
            "decay": hyper("decay"),
            "initial_accumulator_value": self._initial_accumulator_value,
            **{name: hyper(name) for name in _HYPERS},
            "l2_shrinkage_regularization_strength": self._l2_shrinkage_regularization_strength,
        }
        return {**super().get_config(), **own}
