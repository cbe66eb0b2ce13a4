"""`tf.keras.optimizers.SGD`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.keras.optimizer_v2 import optimizer_v2
from tf1compat.core import ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike, Name, TensorLike


def uses_momentum(momentum: Any) -> bool:
    """Whether there is one.

    Raises:
      ValueError: it is not in [0, 1].
    """
    uses = isinstance(momentum, ops.Tensor) or callable(momentum) or momentum > 0
    if isinstance(momentum, int | float) and (momentum < 0 or momentum > 1):
        raise ValueError("`momentum` must be between [0, 1].")
    return uses


@tf_export("keras.optimizers.SGD")
class SGD(optimizer_v2.OptimizerV2):
    """Gradient descent with momentum.

    Args:
      learning_rate: a number, a schedule, or a function of nothing.
      momentum: of the steps, in [0, 1].
      nesterov: whether to look ahead.
      name, **kwargs: see `Optimizer`.
    """

    def __init__(
        self, learning_rate: TensorLike = 0.01, momentum: TensorLike = 0.0, nesterov: bool = False,
        name: Name = "SGD", **kwargs: Any,
    ):  # fmt: skip
        super().__init__(name, **kwargs)
        self._momentum = uses_momentum(momentum)
        self._set_hypers(kwargs.get("lr", learning_rate), momentum=momentum)
        self.nesterov = nesterov

    def _create_slots(self, var_list: Any) -> None:
        if self._momentum:
            for var in var_list:
                self.add_slot(var, "momentum")

    def _prepare_local(self, var_device: Any, var_dtype: DTypeLike, apply_state: Any) -> None:
        super()._prepare_local(var_device, var_dtype, apply_state)
        momentum = array_ops.identity(self._get_hyper("momentum", var_dtype))
        apply_state[var_device, var_dtype]["momentum"] = momentum

    def _resource_apply_dense(self, grad: TensorLike, var: Any, apply_state: Any = None) -> Any:  # pyright: ignore
        known = self._coefficients(var, apply_state)
        if not self._momentum:
            return raw_ops.ResourceApplyGradientDescent(
                var.handle, known["lr_t"], grad, use_locking=self._use_locking
            )
        return raw_ops.ResourceApplyKerasMomentum(
            var.handle, self.get_slot(var, "momentum").handle, known["lr_t"], grad,
            known["momentum"], use_locking=self._use_locking, use_nesterov=self.nesterov,
        )  # fmt: skip

    def _resource_apply_sparse_duplicate_indices(  # pyright: ignore
        self, grad: Any, var: Any, indices: Any, **kwargs: Any
    ) -> Any:
        if self._momentum:
            return super()._resource_apply_sparse_duplicate_indices(grad, var, indices, **kwargs)
        known = self._coefficients(var, kwargs.get("apply_state"))
        return raw_ops.ResourceScatterAdd(var.handle, indices, -grad * known["lr_t"])

    def _resource_apply_sparse(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, grad: TensorLike, var: Any, indices: TensorLike, apply_state: Any = None
    ) -> Any:
        known = self._coefficients(var, apply_state)
        return raw_ops.ResourceSparseApplyKerasMomentum(
            var.handle, self.get_slot(var, "momentum").handle, known["lr_t"], grad, indices,
            known["momentum"], use_locking=self._use_locking, use_nesterov=self.nesterov,
        )  # fmt: skip

    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal optimizer."""
        names = ("learning_rate", "decay", "momentum")
        own = {name: self._serialize_hyperparameter(name) for name in names}
        return {**super().get_config(), **own, "nesterov": self.nesterov}
