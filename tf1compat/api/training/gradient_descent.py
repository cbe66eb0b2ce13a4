"""`tf.train.GradientDescentOptimizer`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.math import math_ops
from tf1compat.api.training.optimizer import FusedOptimizer, Optimizer
from tf1compat.core import ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


@tf_export("train.GradientDescentOptimizer")
class GradientDescentOptimizer(FusedOptimizer, Optimizer):
    """Gradient descent: `var -= learning_rate * gradient`.

    Args:
      learning_rate: a float, a tensor, or a function that returns one.
      use_locking: the `use_locking` attr of the steps.
      name: the name scope of the steps.
    """

    def __init__(
        self, learning_rate: TensorLike, use_locking: bool = False, name: str = "GradientDescent"
    ):
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._learning_rate_tensor: Any = None

    def _prepare(self) -> None:
        self._learning_rate_tensor = self._hyperparameter(self._learning_rate, "learning_rate")

    def _op_family(self) -> str:
        return "GradientDescent"

    def _op_scalars(self, var: Any) -> dict[str, ops.Tensor]:
        return {"alpha": self._learning_rate_tensor}

    # A sum needs no deduplication: rows are subtracted one after the other.

    def _apply_sparse_duplicate_indices(self, grad: ops.IndexedSlices, var: Any) -> Any:
        rate = math_ops.cast(self._learning_rate_tensor, var.dtype.base_dtype)
        delta = ops.IndexedSlices(grad.values * rate, grad.indices, grad.dense_shape)
        return var.scatter_sub(delta, use_locking=self._use_locking)

    def _resource_apply_sparse_duplicate_indices(
        self, grad: ops.Tensor, handle: Any, indices: ops.Tensor
    ) -> Any:
        # TF 1.15 multiplies by the setting as it was given here, not by its tensor.
        return raw_ops.ResourceScatterAdd(handle.handle, indices, -grad * self._learning_rate)
