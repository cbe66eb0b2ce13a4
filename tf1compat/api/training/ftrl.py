"""`tf.train.FtrlOptimizer`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api.array import constant_op
from tf1compat.api.training.optimizer import FusedOptimizer, Optimizer
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


@tf_export("train.FtrlOptimizer")
class FtrlOptimizer(FusedOptimizer, Optimizer):
    """FTRL-Proximal (McMahan et al., 2013), with L1, L2 and shrinkage-type L2 regularisation.

    Args:
      learning_rate: a float or a tensor.
      learning_rate_power: a float, not positive.
      initial_accumulator_value: what the sums of squares start with; not negative.
      l1_regularization_strength, l2_regularization_strength: floats, not negative.
      use_locking: the `use_locking` attr of the steps.
      name: the name scope of the steps, and the name of the slots.
      accum_name, linear_name: other names for the two slots.
      l2_shrinkage_regularization_strength: a float, not negative; 0 leaves it out.

    Raises:
      ValueError: a number has the wrong sign.
    """

    _learning_rate_tensor: Any = None
    _learning_rate_power_tensor: Any = None
    _l1_regularization_strength_tensor: Any = None
    _l2_regularization_strength_tensor: Any = None
    _l2_shrinkage_regularization_strength_tensor: Any = None

    def __init__(
        self,
        learning_rate: TensorLike,
        learning_rate_power: float = -0.5,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        use_locking: bool = False,
        name: str = "Ftrl",
        accum_name: str | None = None,
        linear_name: str | None = None,
        l2_shrinkage_regularization_strength: float = 0.0,
    ):
        super().__init__(use_locking, name)
        _refuse_negative("initial_accumulator_value", initial_accumulator_value)
        if learning_rate_power > 0.0:
            raise ValueError(
                f"learning_rate_power {learning_rate_power:f} needs to be negative or zero"
            )
        _refuse_negative("l1_regularization_strength", l1_regularization_strength)
        _refuse_negative("l2_regularization_strength", l2_regularization_strength)
        _refuse_negative(
            "l2_shrinkage_regularization_strength", l2_shrinkage_regularization_strength
        )
        self._learning_rate = learning_rate
        self._learning_rate_power = learning_rate_power
        self._initial_accumulator_value = initial_accumulator_value
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength
        self._l2_shrinkage_regularization_strength = l2_shrinkage_regularization_strength
        self._accum_name = accum_name
        self._linear_name = linear_name

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for v in var_list:
            with ops.colocate_with(v):
                initial = constant_op.constant_v1(
                    self._initial_accumulator_value, dtype=v.dtype, shape=v.get_shape()
                )
                self._get_or_make_slot(v, initial, "accum", self._accum_name or self._name)
                self._zeros_slot(v, "linear", self._linear_name or self._name)

    def _prepare(self) -> None:
        for setting in (
            "learning_rate",
            "l1_regularization_strength",
            "l2_regularization_strength",
            "l2_shrinkage_regularization_strength",
            "learning_rate_power",
        ):
            tensor = self._hyperparameter(getattr(self, f"_{setting}"), setting)
            setattr(self, f"_{setting}_tensor", tensor)

    def _op_family(self) -> str:
        return "FtrlV2" if self._l2_shrinkage_regularization_strength > 0.0 else "Ftrl"

    def _op_slots(self, var: Any) -> dict[str, Any]:
        return {key: self.get_slot(var, key) for key in ("accum", "linear")}

    def _op_scalars(self, var: Any) -> dict[str, ops.Tensor]:
        settings = {
            "lr": "learning_rate",
            "l1": "l1_regularization_strength",
            "l2": "l2_regularization_strength",
            "l2_shrinkage": "l2_shrinkage_regularization_strength",
            "lr_power": "learning_rate_power",
        }
        return {key: getattr(self, f"_{setting}_tensor") for key, setting in settings.items()}


def _refuse_negative(name: str, value: float) -> None:
    if value < 0.0:
        raise ValueError(f"{name} {value:f} needs to be positive or zero")
