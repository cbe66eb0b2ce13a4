"""What `AddSignOptimizer` and `PowerSignOptimizer` share (Bello et al., 2017): steps that are
larger where the gradient agrees in sign with its moving average.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api.array import gather_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.training.optimizer import FusedOptimizer, Optimizer
from tf1compat.api.variables import state_ops
from tf1compat.core import ops
from tf1compat.core.typing import TensorLike


class SignOptimizer(FusedOptimizer, Optimizer):
    """Base of both."""

    def __init__(
        self,
        learning_rate: TensorLike,
        beta: TensorLike,
        sign_decay_fn: Any,
        locking: bool,
        name: str,
    ):
        super().__init__(locking, name)
        self._lr = learning_rate
        self._beta = beta
        self._sign_decay_fn = sign_decay_fn
        self._lr_t: Any = None
        self._beta_t: Any = None
        self._sign_decay_t: Any = None

    def apply_gradients(
        self, grads_and_vars: Any, global_step: TensorLike | None = None, name: str | None = None
    ) -> Any:
        """As `tf.train.Optimizer.apply_gradients`; the sign decay follows the global step."""
        if self._sign_decay_fn is not None:
            self._sign_decay_t = ops.convert_to_tensor(
                self._sign_decay_fn(global_step), name="sign_decay"
            )
        return super().apply_gradients(grads_and_vars, global_step=global_step, name=name)

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for v in var_list:
            self._zeros_slot(v, "m", self._name)

    def _prepare(self) -> None:
        self._lr_t, self._beta_t = (
            ops.convert_to_tensor(value, name=name)
            for name, value in (("learning_rate", self._lr), ("beta", self._beta))
        )
        self._prepare_own()
        if self._sign_decay_fn is None:
            self._sign_decay_t = ops.convert_to_tensor(1.0, name="sign_decay")

    def _prepare_own(self) -> None:
        """Records the tensor of the setting that only one of them has."""
        raise NotImplementedError

    def _op_slots(self, var: Any) -> dict[str, Any]:
        return {"m": self.get_slot(var, "m")}

    def _apply_sparse(self, grad: ops.IndexedSlices, var: Any) -> Any:
        settings = self._sparse_settings(var)
        dtype = var.dtype.base_dtype
        lr, beta = settings["lr"], settings["beta"]
        m = self.get_slot(var, "m")
        m_t = state_ops.assign(m, m * beta + grad * (1 - beta), use_locking=self._use_locking)
        sign = math_ops.sign(grad.values)
        agreement = gather_ops.gather(math_ops.sign(m_t), grad.indices) * sign
        sign_decay = math_ops.cast(self._sign_decay_t, dtype)
        step = lr * self._multiplier(settings, sign_decay, agreement) * grad.values
        var_update = state_ops.scatter_sub(var, grad.indices, step, use_locking=self._use_locking)
        return control_flow_ops.group(var_update, m_t)

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any) -> Any:
        # TF has no such op types.
        raise NotImplementedError()

    def _sparse_settings(self, var: Any) -> dict[str, Any]:
        """The settings in the type of a variable."""
        raise NotImplementedError

    def _multiplier(self, settings: dict[str, Any], sign_decay: Any, agreement: Any) -> Any:
        """What gradients are multiplied by."""
        raise NotImplementedError
