"""`tf.train.RMSPropOptimizer`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.random import init_ops
from tf1compat.api.training.optimizer import FusedOptimizer, Optimizer
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


@tf_export("train.RMSPropOptimizer")
class RMSPropOptimizer(FusedOptimizer, Optimizer):
    """RMSProp (Tieleman and Hinton, 2012): gradients divided by a running root mean square, with
    momentum.

    Args:
      learning_rate, decay, momentum, epsilon: floats, tensors, or functions that return one.
      use_locking: the `use_locking` attr of the steps.
      centered: divide by the running standard deviation instead.
      name: the name scope of the steps, and the name of the slots.
    """

    def __init__(
        self,
        learning_rate: TensorLike,
        decay: Any = 0.9,
        momentum: TensorLike = 0.0,
        epsilon: TensorLike = 1e-10,
        use_locking: bool = False,
        centered: bool = False,
        name: str = "RMSProp",
    ):
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._decay = decay
        self._momentum = momentum
        self._epsilon = epsilon
        self._centered = centered
        self._learning_rate_tensor: Any = None
        self._decay_tensor: Any = None
        self._momentum_tensor: Any = None
        self._epsilon_tensor: Any = None

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for v in var_list:
            dtype, shape = v.dtype.base_dtype, v.get_shape()
            if shape.is_fully_defined():
                ones = init_ops.ones_initializer(dtype=dtype)
            else:
                ones = array_ops.ones_like(v)
            self._get_or_make_slot_with_initializer(v, ones, shape, dtype, "rms", self._name)
            if self._centered:
                self._zeros_slot(v, "mg", self._name)
            self._zeros_slot(v, "momentum", self._name)

    def _prepare(self) -> None:
        values = [
            self._call_if_callable(value)
            for value in (self._learning_rate, self._decay, self._momentum, self._epsilon)
        ]
        names = ("learning_rate", "decay", "momentum", "epsilon")
        (
            self._learning_rate_tensor,
            self._decay_tensor,
            self._momentum_tensor,
            self._epsilon_tensor,
        ) = (ops.convert_to_tensor(value, name=name) for value, name in zip(values, names))

    def _op_family(self) -> str:
        return "CenteredRMSProp" if self._centered else "RMSProp"

    def _op_slots(self, var: Any) -> dict[str, Any]:
        slots = {"ms": self.get_slot(var, "rms"), "mom": self.get_slot(var, "momentum")}
        if self._centered:
            slots["mg"] = self.get_slot(var, "mg")
        return slots

    def _op_scalars(self, var: Any) -> dict[str, ops.Tensor]:
        return {
            "lr": self._learning_rate_tensor,
            "rho": self._decay_tensor,
            "momentum": self._momentum_tensor,
            "epsilon": self._epsilon_tensor,
        }
