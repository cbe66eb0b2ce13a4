"""`tf.contrib.opt.LARSOptimizer`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api.array import gather_ops
from tf1compat.api.linalg import linalg_ops
from tf1compat.api.math import math_ops
from tf1compat.api.training.optimizer import Optimizer
from tf1compat.core import ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


@tf_export("contrib.opt.LARSOptimizer")
class LARSOptimizer(Optimizer):
    """Momentum with a learning rate for each layer (LARS: You et al., 2017): it goes with the norm
    of the weights over that of the gradient.

    Args:
      learning_rate: a float, a tensor, or a function that returns one.
      momentum: a float; not negative.
      weight_decay: a float; not negative.
      eeta: what the ratio of norms is multiplied by.
      epsilon: what is added to the norm of the gradient.
      name: the name scope of the steps, and the name of the slots.
      skip_list: parts of the names of variables that take the learning rate as it is and don't
        decay.
      use_nesterov: whether the momentum is Nesterov's.

    Raises:
      ValueError: `momentum` or `weight_decay` is negative.
    """

    def __init__(
        self,
        learning_rate: Any,
        momentum: Any = 0.9,
        weight_decay: float = 0.0001,
        eeta: float = 0.001,
        epsilon: float = 0.0,
        name: str = "LARSOptimizer",
        skip_list: Any = None,
        use_nesterov: bool = False,
    ):
        for what, value in (("momentum", momentum), ("weight_decay", weight_decay)):
            if value < 0.0:
                raise ValueError(f"{what} should be positive: {value}")
        super().__init__(use_locking=False, name=name)
        self._learning_rate = learning_rate
        self._momentum = momentum
        self._weight_decay = weight_decay
        self._eeta = eeta
        self._epsilon = epsilon
        self._skip_list = skip_list
        self._use_nesterov = use_nesterov
        self._learning_rate_tensor: Any = None
        self._momentum_tensor: Any = None

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for v in var_list:
            self._zeros_slot(v, "momentum", self._name)

    def compute_lr(self, grad: TensorLike, var: Any) -> tuple[Any, Any]:
        """The learning rate of a variable, and its gradient with the weight decay.

        Args:
          grad: a tensor.
          var: the variable.

        Returns:
          (learning rate, gradient).
        """
        if self._skip_list is not None and any(part in var.name for part in self._skip_list):
            return self._learning_rate, grad
        w_norm = linalg_ops.norm(var, ord=2)
        g_norm = linalg_ops.norm(grad, ord=2)
        has_weights = math_ops.greater(w_norm, 0)
        has_gradient = math_ops.greater(g_norm, 0)
        ratio = self._eeta * w_norm / (g_norm + self._weight_decay * w_norm + self._epsilon)
        trust = gather_ops.where(has_weights, gather_ops.where(has_gradient, ratio, 1.0), 1.0)
        rate = self._learning_rate * trust
        return rate, grad + self._weight_decay * var

    def _apply_dense(self, grad: ops.Tensor, var: Any) -> Any:
        rate, grad = self.compute_lr(grad, var)
        return raw_ops.ApplyMomentum(
            var,
            self.get_slot(var, "momentum"),
            math_ops.cast(1.0, var.dtype.base_dtype),
            grad * rate,
            self._momentum,
            use_locking=False,
            use_nesterov=self._use_nesterov,
        )

    def _resource_apply_dense(self, grad: ops.Tensor, handle: Any) -> Any:
        rate, grad = self.compute_lr(grad, handle)
        return raw_ops.ResourceApplyMomentum(
            handle.handle,
            self.get_slot(handle, "momentum").handle,
            math_ops.cast(1.0, handle.dtype.base_dtype),
            grad * rate,
            self._momentum,
            use_locking=False,
            use_nesterov=self._use_nesterov,
        )

    def _apply_sparse(self, grad: ops.IndexedSlices, var: Any) -> Any:
        dtype = var.dtype.base_dtype
        return raw_ops.SparseApplyMomentum(
            var,
            self.get_slot(var, "momentum"),
            math_ops.cast(self._learning_rate_tensor, dtype),
            grad.values,
            grad.indices,
            math_ops.cast(self._momentum_tensor, dtype),
            use_locking=self._use_locking,
            use_nesterov=self._use_nesterov,
        ).op

    def _resource_apply_sparse(self, grad: ops.Tensor, handle: Any, indices: ops.Tensor) -> Any:
        return raw_ops.ResourceSparseApplyMomentum(
            handle.handle,
            self.get_slot(handle, "momentum").handle,
            math_ops.cast(self._learning_rate_tensor, grad.dtype),
            grad,
            indices,
            math_ops.cast(self._momentum_tensor, grad.dtype),
            use_locking=self._use_locking,
            use_nesterov=self._use_nesterov,
        )

    def _prepare(self) -> None:
        self._learning_rate_tensor = self._hyperparameter(self._learning_rate, "learning_rate")
        self._momentum_tensor = self._hyperparameter(self._momentum, "momentum")
