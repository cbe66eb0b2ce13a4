"""`tf.train.ProximalGradientDescentOptimizer` and `tf.train.ProximalAdagradOptimizer`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api.array import constant_op
from tf1compat.api.math import math_ops
from tf1compat.api.training.optimizer import FusedOptimizer, Optimizer
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


class _ProximalOptimizer(FusedOptimizer):
    """Steps followed by the proximal operator of L1 and L2 regularisation (Duchi and Singer,
    2009).
    """

    _learning_rate: Any
    _l1_regularization_strength: Any
    _l2_regularization_strength: Any
    _learning_rate_tensor: Any = None
    _l1_regularization_strength_tensor: Any = None
    _l2_regularization_strength_tensor: Any = None

    def _prepare(self) -> None:
        for setting in (
            "learning_rate",
            "l1_regularization_strength",
            "l2_regularization_strength",
        ):
            tensor = self._hyperparameter(getattr(self, f"_{setting}"), setting)
            setattr(self, f"_{setting}_tensor", tensor)

    def _op_scalars(self, var: Any) -> dict[str, ops.Tensor]:
        return {
            "lr": self._learning_rate_tensor,
            "alpha": self._learning_rate_tensor,
            "l1": self._l1_regularization_strength_tensor,
            "l2": self._l2_regularization_strength_tensor,
        }

    def _op_scalar(self, scalar: ops.Tensor, dtype: dtypes.DType, form: str) -> ops.Tensor:
        # TF 1.15 casts in this one form only: elsewhere other types than float32 need tensors of
        # their type.
        return math_ops.cast(scalar, dtype) if form == "ResourceSparseApply" else scalar


@tf_export("train.ProximalGradientDescentOptimizer")
class ProximalGradientDescentOptimizer(_ProximalOptimizer, Optimizer):
    """Proximal gradient descent.

    Args:
      learning_rate: a float or a tensor.
      l1_regularization_strength, l2_regularization_strength: floats or tensors.
      use_locking: the `use_locking` attr of the steps.
      name: the name scope of the steps.
    """

    def __init__(
        self,
        learning_rate: TensorLike,
        l1_regularization_strength: Any = 0.0,
        l2_regularization_strength: Any = 0.0,
        use_locking: bool = False,
        name: str = "ProximalGradientDescent",
    ):
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength

    def _op_family(self) -> str:
        return "ProximalGradientDescent"


@tf_export("train.ProximalAdagradOptimizer")
class ProximalAdagradOptimizer(_ProximalOptimizer, Optimizer):
    """Proximal Adagrad.

    Args:
      learning_rate: a float or a tensor.
      initial_accumulator_value: what the sums of squares start with; positive.
      l1_regularization_strength, l2_regularization_strength: floats or tensors.
      use_locking: the `use_locking` attr of the steps.
      name: the name scope of the steps, and the name of the slots.

    Raises:
      ValueError: `initial_accumulator_value` is not positive.
    """

    def __init__(
        self,
        learning_rate: TensorLike,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: Any = 0.0,
        l2_regularization_strength: Any = 0.0,
        use_locking: bool = False,
        name: str = "ProximalAdagrad",
    ):
        if initial_accumulator_value <= 0.0:
            raise ValueError(
                f"initial_accumulator_value must be positive: {initial_accumulator_value}"
            )
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._initial_accumulator_value = initial_accumulator_value
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for v in var_list:
            with ops.colocate_with(v):
                initial = constant_op.constant_v1(
                    self._initial_accumulator_value, shape=v.get_shape(), dtype=v.dtype.base_dtype
                )
            self._get_or_make_slot(v, initial, "accumulator", self._name)

    def _op_family(self) -> str:
        return "ProximalAdagrad"

    def _op_slots(self, var: Any) -> dict[str, Any]:
        return {"accum": self.get_slot(var, "accumulator")}
