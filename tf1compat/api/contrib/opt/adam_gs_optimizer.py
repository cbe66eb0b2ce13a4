"""`tf.contrib.opt.AdamGSOptimizer`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.api.training.adam import AdamRule
from tf1compat.api.training.optimizer import Optimizer
from tf1compat.core import dtypes
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


@tf_export("contrib.opt.AdamGSOptimizer")
class AdamGSOptimizer(AdamRule, Optimizer):
    """Adam whose powers of `beta1` and `beta2` follow from the global step.

    Args:
      global_step: the variable that counts the steps.
      learning_rate, beta1, beta2, epsilon: floats, tensors, or functions that return one.
      use_locking: the `use_locking` attr of the steps.
      name: the name scope of the steps, and the name of the slots.
    """

    def __init__(
        self,
        global_step: TensorLike = 0,
        learning_rate: TensorLike = 0.001,
        beta1: TensorLike = 0.9,
        beta2: TensorLike = 0.999,
        epsilon: TensorLike = 1e-8,
        use_locking: bool = False,
        name: str = "Adam",
    ):
        super().__init__(learning_rate, beta1, beta2, epsilon, use_locking, name)
        self._global_step = global_step
        self._global_step_on_worker: Any = None

    def _get_beta_accumulators(self) -> Any:
        return (
            math_ops.pow(self._beta1_t, self._global_step_on_worker),
            math_ops.pow(self._beta2_t, self._global_step_on_worker),
        )

    def _prepare(self) -> None:
        super()._prepare()
        self._global_step_on_worker = math_ops.cast(
            array_ops.identity(self._global_step) + 1, dtypes.float32
        )
