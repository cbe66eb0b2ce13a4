"""`tf.contrib.opt.PowerSignOptimizer`."""

from __future__ import annotations

import math
from typing import Any

from tf1compat.api.contrib.opt.sign_optimizers import SignOptimizer
from tf1compat.api.math import math_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


@tf_export("contrib.opt.PowerSignOptimizer")
class PowerSignOptimizer(SignOptimizer):
    """PowerSign (Bello et al., 2017): the gradient times `base ** (sign_decay * agreement)`.

    Args:
      learning_rate: a float or a tensor.
      base: a float.
      beta: the decay of the moving average of gradients.
      sign_decay_fn: a function from the global step to the sign decay; it is 1 by default.
      use_locking: the `use_locking` attr of the steps.
      name: the name scope of the steps, and the name of the slots.
    """

    def __init__(
        self,
        learning_rate: TensorLike = 0.1,
        base: float = math.e,
        beta: TensorLike = 0.9,
        sign_decay_fn: Any = None,
        use_locking: bool = False,
        name: str = "PowerSignOptimizer",
    ):
        super().__init__(learning_rate, beta, sign_decay_fn, use_locking, name)
        self._logbase = math.log(base)
        self._logbase_t: Any = None

    def _prepare_own(self) -> None:
        self._logbase_t = ops.convert_to_tensor(self._logbase, name="logbase")

    def _op_family(self) -> str:
        return "PowerSign"

    def _op_scalars(self, var: Any) -> dict[str, Any]:
        return {
            "lr": self._lr_t,
            "logbase": self._logbase_t,
            "sign_decay": self._sign_decay_t,
            "beta": self._beta_t,
        }

    def _sparse_settings(self, var: Any) -> dict[str, Any]:
        settings = {
            "lr": self._lr_t,
            "beta": self._beta_t,
            "logbase": self._logbase_t,
            "e": math.e,
        }
        return {key: math_ops.cast(x, var.dtype.base_dtype) for key, x in settings.items()}

    def _multiplier(self, settings: dict[str, Any], sign_decay: Any, agreement: Any) -> Any:
        return math_ops.pow(settings["e"], settings["logbase"] * sign_decay * agreement)
