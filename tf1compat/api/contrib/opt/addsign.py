"""`tf.contrib.opt.AddSignOptimizer`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.contrib.opt.sign_optimizers import SignOptimizer
from tf1compat.api.math import math_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


@tf_export("contrib.opt.AddSignOptimizer")
class AddSignOptimizer(SignOptimizer):
    """AddSign (Bello et al., 2017): the gradient times `alpha + sign_decay * agreement`.

    Args:
      learning_rate: a float or a tensor.
      alpha: a float or a tensor.
      beta: the decay of the moving average of gradients.
      sign_decay_fn: a function from the global step to the sign decay; it is 1 by default.
      use_locking: the `use_locking` attr of the steps.
      name: the name scope of the steps, and the name of the slots.
    """

    def __init__(
        self,
        learning_rate: TensorLike = 0.1,
        alpha: TensorLike = 1.0,
        beta: TensorLike = 0.9,
        sign_decay_fn: Any = None,
        use_locking: bool = False,
        name: str = "AddSignOptimizer",
    ):
        super().__init__(learning_rate, beta, sign_decay_fn, use_locking, name)
        self._alpha = alpha
        self._alpha_t: Any = None

    def _prepare_own(self) -> None:
        self._alpha_t = ops.convert_to_tensor(self._alpha, name="alpha")

    def _op_family(self) -> str:
        return "AddSign"

    def _op_scalars(self, var: Any) -> dict[str, Any]:
        return {
            "lr": self._lr_t,
            "alpha": self._alpha_t,
            "sign_decay": self._sign_decay_t,
            "beta": self._beta_t,
        }

    def _sparse_settings(self, var: Any) -> dict[str, Any]:
        settings = {"lr": self._lr_t, "alpha": self._alpha_t, "beta": self._beta_t}
        return {key: math_ops.cast(x, var.dtype.base_dtype) for key, x in settings.items()}

    def _multiplier(self, settings: dict[str, Any], sign_decay: Any, agreement: Any) -> Any:
        return settings["alpha"] + sign_decay * agreement
