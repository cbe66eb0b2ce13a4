"""`tf.train.AdagradOptimizer` and `tf.train.AdagradDAOptimizer`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.math import math_ops
from tf1compat.api.random import init_ops
from tf1compat.api.training.optimizer import FusedOptimizer, Optimizer
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


@tf_export("train.AdagradOptimizer")
class AdagradOptimizer(FusedOptimizer, Optimizer):
    """Adagrad (Duchi et al., 2011): gradients divided by the root of the sum of their squares so
    far.

    Args:
      learning_rate: a float, a tensor, or a function that returns one.
      initial_accumulator_value: what the sums of squares start with; positive.
      use_locking: the `use_locking` attr of the steps.
      name: the name scope of the steps, and the name of the slots.

    Raises:
      ValueError: `initial_accumulator_value` is not positive.
    """

    def __init__(
        self,
        learning_rate: TensorLike,
        initial_accumulator_value: float = 0.1,
        use_locking: bool = False,
        name: str = "Adagrad",
    ):
        if initial_accumulator_value <= 0.0:
            raise ValueError(
                f"initial_accumulator_value must be positive: {initial_accumulator_value}"
            )
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._initial_accumulator_value = initial_accumulator_value
        self._learning_rate_tensor: Any = None

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for v in var_list:
            dtype, shape = v.dtype.base_dtype, v.get_shape()
            if shape.is_fully_defined():
                init = init_ops.constant_initializer(self._initial_accumulator_value, dtype=dtype)
            else:
                init = self._filled_like(v, dtype)
            self._get_or_make_slot_with_initializer(
                v, init, shape, dtype, "accumulator", self._name
            )

    def _filled_like(self, v: Any, dtype: dtypes.DType) -> Any:
        def init() -> ops.Tensor:
            filled = raw_ops.Fill(array_ops.shape(v), self._initial_accumulator_value)
            return math_ops.cast(filled, dtype)

        return init

    def _prepare(self) -> None:
        self._learning_rate_tensor = self._hyperparameter(self._learning_rate, "learning_rate")

    def _op_family(self) -> str:
        return "Adagrad"

    def _op_slots(self, var: Any) -> dict[str, Any]:
        return {"accum": self.get_slot(var, "accumulator")}

    def _op_scalars(self, var: Any) -> dict[str, ops.Tensor]:
        return {"lr": self._learning_rate_tensor}


@tf_export("train.AdagradDAOptimizer")
class AdagradDAOptimizer(FusedOptimizer, Optimizer):
    """Adagrad with dual averaging (Duchi et al., 2011), for sparse linear models.

    Args:
      learning_rate: a float or a tensor.
      global_step: the variable that counts the steps.
      initial_gradient_squared_accumulator_value: what the sums of squares start with; positive.
      l1_regularization_strength, l2_regularization_strength: floats or tensors.
      use_locking: the `use_locking` attr of the steps.
      name: the name scope of the steps, and the name of the slots.

    Raises:
      ValueError: `initial_gradient_squared_accumulator_value` is not positive.
    """

    def __init__(
        self,
        learning_rate: TensorLike,
        global_step: TensorLike,
        initial_gradient_squared_accumulator_value: float = 0.1,
        l1_regularization_strength: Any = 0.0,
        l2_regularization_strength: Any = 0.0,
        use_locking: bool = False,
        name: str = "AdagradDA",
    ):
        if initial_gradient_squared_accumulator_value <= 0.0:
            raise ValueError(
                "initial_gradient_squared_accumulator_value must be positive: "
                f"{initial_gradient_squared_accumulator_value}"
            )
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._initial_gradient_squared_accumulator_value = (
            initial_gradient_squared_accumulator_value
        )
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength
        self._global_step = global_step
        self._learning_rate_tensor: Any = None
        self._global_step_on_worker: Any = None

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for v in var_list:
            dtype, shape = v.dtype.base_dtype, v.get_shape()
            with ops.colocate_with(v):
                sums = constant_op.constant_v1(0.0, shape=shape, dtype=dtype)
                squares = constant_op.constant_v1(
                    self._initial_gradient_squared_accumulator_value, shape=shape, dtype=dtype
                )
            self._get_or_make_slot(v, sums, "gradient_accumulator", self._name)
            self._get_or_make_slot(v, squares, "gradient_squared_accumulator", self._name)

    def _prepare(self) -> None:
        self._learning_rate_tensor = self._hyperparameter(self._learning_rate, "learning_rate")
        with ops.colocate_with(self._learning_rate_tensor):
            self._global_step_on_worker = array_ops.identity(self._global_step) + 1

    def _op_family(self) -> str:
        return "AdagradDA"

    def _op_slots(self, var: Any) -> dict[str, Any]:
        return {
            key: self.get_slot(var, key)
            for key in ("gradient_accumulator", "gradient_squared_accumulator")
        }

    def _op_scalars(self, var: Any) -> dict[str, Any]:
        with ops.device(var.device):
            global_step = array_ops.identity(self._global_step_on_worker)
        return {
            "lr": self._learning_rate_tensor,
            "l1": self._l1_regularization_strength,
            "l2": self._l2_regularization_strength,
            "global_step": global_step,
        }

    def _op_scalar(self, scalar: Any, dtype: dtypes.DType, form: str) -> Any:
        is_step = scalar is not self._learning_rate_tensor and (
            isinstance(scalar, ops.Tensor) and scalar.dtype.is_integer
        )
        return scalar if is_step else math_ops.cast(scalar, dtype)
