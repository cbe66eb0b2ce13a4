"""`tf.keras.optimizers.Adagrad`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.keras import backend_config
from tf1compat.api.keras.optimizer_v2 import optimizer_v2
from tf1compat.api.random import init_ops
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike, Name, TensorLike


@tf_export("keras.optimizers.Adagrad")
class Adagrad(optimizer_v2.OptimizerV2):
    """Gradients over the root of the sum of their squares (Duchi et al.).

    Args:
      learning_rate: a number, a schedule, or a function of nothing.
      initial_accumulator_value: what the sums begin with.
      epsilon: added to the root.
      name, **kwargs: see `Optimizer`.

    Raises:
      ValueError: the sums begin below 0.
    """

    def __init__(
        self, learning_rate: TensorLike = 0.001, initial_accumulator_value: Any = 0.1,
        epsilon: TensorLike = 1e-7, name: Name = "Adagrad", **kwargs: Any,
    ):  # fmt: skip
        if initial_accumulator_value < 0.0:
            raise ValueError(
                f"initial_accumulator_value must be non-negative: {initial_accumulator_value}"
            )
        super().__init__(name, **kwargs)
        self._set_hypers(kwargs.get("lr", learning_rate))
        self._initial_accumulator_value = initial_accumulator_value
        self.epsilon = epsilon or backend_config.epsilon()

    def _create_slots(self, var_list: Any) -> None:
        for var in var_list:
            initializer = init_ops.Constant(
                self._initial_accumulator_value, dtype=var.dtype.base_dtype
            )
            self.add_slot(var, "accumulator", initializer)

    def _prepare_local(self, var_device: Any, var_dtype: DTypeLike, apply_state: Any) -> None:
        super()._prepare_local(var_device, var_dtype, apply_state)
        state = apply_state[var_device, var_dtype]
        state["epsilon"] = ops.convert_to_tensor(self.epsilon, var_dtype)
        state["neg_lr_t"] = -state["lr_t"]
        state["zero"] = array_ops.zeros((), dtype=dtypes.int64)

    set_weights = optimizer_v2.OptimizerV2._set_weights_without_iterations

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> Any:
        """An optimizer from what `get_config` gave, older ones too."""
        config.setdefault("initial_accumulator_value", 0.0)
        if "lr" in config:
            config["learning_rate"] = config.pop("lr")
        return cls(**config)

    def _resource_apply_dense(self, grad: TensorLike, var: Any, apply_state: Any = None) -> Any:  # pyright: ignore
        known = self._coefficients(var, apply_state)
        return raw_ops.ResourceApplyAdagradV2(
            var.handle, self.get_slot(var, "accumulator").handle, known["lr_t"],
            known["epsilon"], grad, use_locking=self._use_locking,
        )  # fmt: skip

    def _resource_apply_sparse(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, grad: TensorLike, var: Any, indices: TensorLike, apply_state: Any = None
    ) -> Any:
        known = self._coefficients(var, apply_state)
        return raw_ops.ResourceSparseApplyAdagradV2(
            var.handle, self.get_slot(var, "accumulator").handle, known["lr_t"],
            known["epsilon"], grad, indices, use_locking=self._use_locking,
        )  # fmt: skip

    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal optimizer."""
        own = {name: self._serialize_hyperparameter(name) for name in ("learning_rate", "decay")}
        own |= {
            "initial_accumulator_value": self._initial_accumulator_value,
            "epsilon": self.epsilon,
        }
        return {**super().get_config(), **own}
