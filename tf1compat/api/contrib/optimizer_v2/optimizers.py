"""The optimizers of `tf.contrib.optimizer_v2`: those of `tf.train`, with settings that may be
functions, which are called at each step."""

from __future__ import annotations

from typing import Any, ClassVar

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.optimizer_v2.optimizer_v2 import OptimizerV2
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.random import init_ops
from tf1compat.api.variables import state_ops
from tf1compat.core import ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike, TensorLike

tf_export("contrib.optimizer_v2.OptimizerV2")(OptimizerV2)


class _OfOneOp(OptimizerV2):
    """An optimizer whose step is one operation, which exists in four forms.

    Attributes:
      _op: what the op types' names end with.
      _op_slots: argument of the operation -> name of the slot.
      _op_settings: argument -> name of the setting, in the order in which they are read.
    """

    _op: ClassVar[str]
    _op_slots: ClassVar[dict[str, str]] = {}
    _op_settings: ClassVar[dict[str, str]] = {"lr": "learning_rate"}

    def _further(self, dtype: DTypeLike, state: Any) -> dict[str, Any]:
        """Further arguments."""
        return {}

    def _step(self, form: str, var: Any, dtype: DTypeLike, state: Any, **gradient: Any) -> Any:
        wanted = {name: state.get_slot(var, slot) for name, slot in self._op_slots.items()}
        wanted["var"] = var
        if "Resource" in form:
            wanted = {name: variable.handle for name, variable in wanted.items()}
        further = self._further(dtype, state)
        settings = {name: state.get_hyper(key, dtype) for name, key in self._op_settings.items()}
        return getattr(raw_ops, form + self._op)(
            **wanted, **further, **settings, **gradient, use_locking=self._use_locking
        )

    def _create_vars(self, var_list: Any, state: Any) -> None:
        for var in var_list:
            for slot in self._op_slots.values():
                state.zeros_slot(var, slot)

    def _apply_dense(self, grad: Any, var: Any, state: Any) -> Any:
        return self._step("Apply", var, var.dtype.base_dtype, state, grad=grad)

    def _resource_apply_dense(self, grad: Any, handle: Any, state: Any) -> Any:
        return self._step("ResourceApply", handle, grad.dtype.base_dtype, state, grad=grad)

    def _apply_sparse(self, grad: Any, var: Any, state: Any) -> Any:
        rows = {"grad": grad.values, "indices": grad.indices}
        return self._step("SparseApply", var, var.dtype.base_dtype, state, **rows)

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any, state: Any) -> Any:
        rows = {"grad": grad, "indices": indices}
        return self._step("ResourceSparseApply", handle, grad.dtype.base_dtype, state, **rows)


@tf_export("contrib.optimizer_v2.GradientDescentOptimizer")
class GradientDescentOptimizer(_OfOneOp):
    """As `tf.train.GradientDescentOptimizer`.

    Args:
      learning_rate: a setting: a float, a scalar tensor, or a function that gives one.
      use_locking, name: see `OptimizerV2`.
    """

    _op = "GradientDescent"
    _op_settings: ClassVar[dict[str, str]] = {"alpha": "learning_rate"}

    def __init__(
        self, learning_rate: TensorLike, use_locking: bool = False, name: str = "GradientDescent"
    ):
        super().__init__(use_locking, name)
        self._set_hyper("learning_rate", learning_rate)

    def _step(self, form: str, var: Any, dtype: DTypeLike, state: Any, **gradient: Any) -> Any:
        gradient["delta"] = gradient.pop("grad")
        return super()._step(form, var, dtype, state, **gradient)

    def _apply_sparse_duplicate_indices(self, grad: Any, var: Any, state: Any) -> Any:
        values = grad.values * state.get_hyper("learning_rate", var.dtype.base_dtype)
        delta = ops.IndexedSlices(values, grad.indices, grad.dense_shape)
        return var.scatter_sub(delta, use_locking=self._use_locking)

    def _resource_apply_sparse_duplicate_indices(
        self, grad: Any, handle: Any, indices: Any, state: Any
    ) -> Any:
        rate = state.get_hyper("learning_rate", grad.dtype.base_dtype)
        return raw_ops.ResourceScatterAdd(handle.handle, indices, -grad * rate)


@tf_export("contrib.optimizer_v2.AdadeltaOptimizer")
class AdadeltaOptimizer(_OfOneOp):
    """As `tf.train.AdadeltaOptimizer`; the numbers are settings, see `GradientDescentOptimizer`.

    Args:
      learning_rate, rho, epsilon: settings, as in `tf.train.AdadeltaOptimizer`.
      use_locking, name: see `OptimizerV2`.
    """

    _op = "Adadelta"
    _op_slots: ClassVar[dict[str, str]] = {"accum": "accum", "accum_update": "accum_update"}
    _op_settings: ClassVar[dict[str, str]] = {
        "lr": "learning_rate", "rho": "rho", "epsilon": "epsilon"
    }  # fmt: skip

    def __init__(
        self, learning_rate: TensorLike = 0.001, rho: Any = 0.95, epsilon: Any = 1e-8,
        use_locking: bool = False, name: str = "Adadelta",
    ):  # fmt: skip
        super().__init__(use_locking, name)
        self._set_hyper("learning_rate", learning_rate)
        self._set_hyper("rho", rho)
        self._set_hyper("epsilon", epsilon)


@tf_export("contrib.optimizer_v2.AdagradOptimizer")
class AdagradOptimizer(_OfOneOp):
    """As `tf.train.AdagradOptimizer`; the rate is a setting, see `GradientDescentOptimizer`.

    Args:
      learning_rate: a setting.
      initial_accumulator_value: what the accumulators begin with, positive.
      use_locking, name: see `OptimizerV2`.

    Raises:
      ValueError: the accumulators do not begin above 0.
    """

    _op = "Adagrad"
    _op_slots: ClassVar[dict[str, str]] = {"accum": "accumulator"}

    def __init__(
        self, learning_rate: TensorLike, initial_accumulator_value: float = 0.1,
        use_locking: bool = False,
        name: str = "Adagrad",
    ):  # fmt: skip
        if initial_accumulator_value <= 0.0:
            raise ValueError(
                f"initial_accumulator_value must be positive: {initial_accumulator_value}"
            )
        super().__init__(use_locking, name)
        self._set_hyper("learning_rate", learning_rate)
        self._initial_accumulator_value = initial_accumulator_value

    def _create_vars(self, var_list: Any, state: Any) -> None:
        first = self._initial_accumulator_value
        for var in var_list:
            shape, dtype = var.get_shape(), var.dtype.base_dtype
            initial = init_ops.constant_initializer(first, dtype=dtype)
            if not shape.is_fully_defined():
                initial = self._filled_like(var, dtype)
            state.create_slot_with_initializer(var, initial, shape, dtype, "accumulator")

    def _filled_like(self, var: Any, dtype: DTypeLike) -> Any:
        def filled() -> Any:
            found = raw_ops.Fill(array_ops.shape(var), self._initial_accumulator_value)
            return math_ops.cast(found, dtype)

        return filled


@tf_export("contrib.optimizer_v2.MomentumOptimizer")
class MomentumOptimizer(_OfOneOp):
    """As `tf.train.MomentumOptimizer`; the numbers are settings, see `GradientDescentOptimizer`.

    Args:
      learning_rate, momentum: settings, as in `tf.train.MomentumOptimizer`.
      use_locking, name: see `OptimizerV2`.
      use_nesterov: as in `tf.train.MomentumOptimizer`.
    """

    _op = "Momentum"
    _op_slots: ClassVar[dict[str, str]] = {"accum": "momentum"}
    _op_settings: ClassVar[dict[str, str]] = {"lr": "learning_rate", "momentum": "momentum"}

    def __init__(
        self, learning_rate: TensorLike, momentum: Any, use_locking: bool = False,
        name: str = "Momentum",
        use_nesterov: bool = False,
    ):  # fmt: skip
        super().__init__(use_locking, name)
        self._set_hyper("learning_rate", learning_rate)
        self._set_hyper("momentum", momentum)
        self._use_nesterov = use_nesterov

    def _further(self, dtype: DTypeLike, state: Any) -> dict[str, Any]:
        return {"use_nesterov": self._use_nesterov}


@tf_export("contrib.optimizer_v2.RMSPropOptimizer")
class RMSPropOptimizer(_OfOneOp):
    """As `tf.train.RMSPropOptimizer`, but that `epsilon` is what the mean squares begin with and is
    added to nothing; the numbers are settings, see `GradientDescentOptimizer`.

    Args:
      learning_rate, decay, momentum, epsilon: settings, as in `tf.train.RMSPropOptimizer`.
      use_locking, name: see `OptimizerV2`.
      centered: as in `tf.train.RMSPropOptimizer`.
    """

    _op = "RMSProp"
    _op_slots: ClassVar[dict[str, str]] = {"ms": "rms", "mom": "momentum"}
    _op_settings: ClassVar[dict[str, str]] = {
        "lr": "learning_rate", "rho": "decay", "momentum": "momentum"
    }  # fmt: skip

    def __init__(
        self, learning_rate: TensorLike, decay: Any = 0.9, momentum: Any = 0.0,
        epsilon: Any = 1e-10,
        use_locking: bool = False, centered: bool = False, name: str = "RMSProp",
    ):  # fmt: skip
        super().__init__(use_locking, name)
        self._set_hyper("learning_rate", learning_rate)
        self._set_hyper("decay", decay)
        self._set_hyper("momentum", momentum)
        self._set_hyper("epsilon", epsilon)
        self._centered = centered
        if centered:
            # Those of the instance go before those of the class.
            self._op = "CenteredRMSProp"  # pyright: ignore[reportAttributeAccessIssue]
            self._op_slots = {**self._op_slots, "mg": "mg"}  # pyright: ignore[reportAttributeAccessIssue]

    def _create_vars(self, var_list: Any, state: Any) -> None:
        for var in var_list:
            dtype = var.dtype.base_dtype
            first = state.get_hyper("epsilon", dtype) * array_ops.ones_like(var)
            state.create_slot_with_initializer(var, first, var.get_shape(), dtype, "rms")
            for slot in ("mg", "momentum") if self._centered else ("momentum",):
                state.zeros_slot(var, slot)

    def _further(self, dtype: DTypeLike, state: Any) -> dict[str, Any]:
        return {"epsilon": 0}


@tf_export("contrib.optimizer_v2.AdamOptimizer")
class AdamOptimizer(_OfOneOp):
    """As `tf.train.AdamOptimizer`; the numbers are settings, see `GradientDescentOptimizer`.

    Args:
      learning_rate, beta1, beta2, epsilon: settings, as in `tf.train.AdamOptimizer`.
      use_locking, name: see `OptimizerV2`.
    """

    _op = "Adam"
    _op_slots: ClassVar[dict[str, str]] = {"m": "m", "v": "v"}
    _op_settings: ClassVar[dict[str, str]] = {
        "lr": "learning_rate", "beta1": "beta1", "beta2": "beta2", "epsilon": "epsilon"
    }  # fmt: skip

    def __init__(
        self, learning_rate: TensorLike = 0.001, beta1: Any = 0.9, beta2: Any = 0.999,
        epsilon: Any = 1e-8, use_locking: bool = False, name: str = "Adam",
    ):  # fmt: skip
        super().__init__(use_locking, name)
        self._set_hyper("learning_rate", learning_rate)
        self._set_hyper("beta1", beta1)
        self._set_hyper("beta2", beta2)
        self._set_hyper("epsilon", epsilon)

    def _create_vars(self, var_list: Any, state: Any) -> None:
        for beta in ("beta1", "beta2"):
            state.create_non_slot(lambda beta=beta: state.get_hyper(beta), f"{beta}_power")
        super()._create_vars(var_list, state)

    def _further(self, dtype: DTypeLike, state: Any) -> dict[str, Any]:
        powers = ("beta1_power", "beta2_power")
        return {name: math_ops.cast(state.get_non_slot(name), dtype) for name in powers}

    def _apply_sparse(self, grad: Any, var: Any, state: Any) -> Any:
        def add(slot: Any, indices: Any, values: Any) -> Any:
            return state_ops.scatter_add(slot, indices, values, use_locking=self._use_locking)

        return self._decay_and_add(grad.values, var, grad.indices, state, add)

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any, state: Any) -> Any:
        def add(slot: Any, indices: Any, values: Any) -> Any:
            added = raw_ops.ResourceScatterAdd(slot.handle, indices, values)
            with ops.control_dependencies([added]):
                return slot.value()

        return self._decay_and_add(grad, handle, indices, state, add)

    def _decay_and_add(self, values: Any, var: Any, indices: Any, state: Any, add: Any) -> Any:
        """The step for some rows: all rows of the moments decay, and so all of `var` move."""
        dtype = var.dtype.base_dtype
        powers = self._further(dtype, state)
        rate, beta1, beta2, epsilon = (
            state.get_hyper(name, dtype) for name in self._op_settings.values()
        )
        grown = math_ops.sqrt(1 - powers["beta2_power"])
        rate = rate * grown / (1 - powers["beta1_power"])

        def moment(name: str, beta: Any, seen: Any) -> Any:
            slot = state.get_slot(var, name)
            scaled = seen() * (1 - beta)
            decayed = state_ops.assign(slot, slot * beta, use_locking=self._use_locking)
            with ops.control_dependencies([decayed]):
                return add(slot, indices, scaled)

        first = moment("m", beta1, lambda: values)
        second = moment("v", beta2, lambda: values * values)
        root = math_ops.sqrt(second)
        moved = state_ops.assign_sub(
            var, rate * first / (root + epsilon), use_locking=self._use_locking
        )
        return control_flow_ops.group(moved, first, second)

    def _finish(self, state: Any) -> Any:
        return control_flow_ops.group(
            *[
                power.assign(power * state.get_hyper(beta), use_locking=self._use_locking)
                for beta in ("beta1", "beta2")
                for power in [state.get_non_slot(f"{beta}_power")]
            ]
        )
