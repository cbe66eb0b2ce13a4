"""`tf.keras.optimizers.Nadam`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.keras import backend_config
from tf1compat.api.keras.optimizer_v2 import learning_rate_schedule, optimizer_v2
from tf1compat.api.math import math_ops
from tf1compat.api.variables import state_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike, Name, TensorLike


@tf_export("keras.optimizers.Nadam")
class Nadam(optimizer_v2.OptimizerV2):
    """Adam with Nesterov momentum (Dozat).

    Args:
      learning_rate: a number or a function of nothing.
      beta_1, beta_2, epsilon: see `Adam`.
      name: see `Optimizer`.
      **kwargs: `schedule_decay`, of the momentum; and those of `Optimizer`.

    Raises:
      ValueError: the learning rate is a schedule.
    """

    def __init__(
        self, learning_rate: TensorLike = 0.001, beta_1: Any = 0.9, beta_2: Any = 0.999,
        epsilon: TensorLike = 1e-7, name: Name = "Nadam", **kwargs: Any,
    ):  # fmt: skip
        kwargs["decay"] = kwargs.pop("schedule_decay", 0.004)
        learning_rate = kwargs.get("lr", learning_rate)
        if isinstance(learning_rate, learning_rate_schedule.LearningRateSchedule):
            raise ValueError(
                "The Nadam optimizer does not support tf.keras.optimizers.LearningRateSchedules as "
                "the learning rate."
            )
        super().__init__(name, **kwargs)
        self._set_hypers(learning_rate, beta_1=beta_1, beta_2=beta_2)
        self.epsilon = epsilon or backend_config.epsilon()
        self._m_cache: Any = None

    def _create_slots(self, var_list: Any) -> None:
        if self._m_cache is None:
            self._m_cache = self.add_weight(
                "momentum_cache", shape=[], dtype=var_list[0].dtype.base_dtype,
                initializer="ones", trainable=False,
            )  # fmt: skip
            self._weights.append(self._m_cache)
        for name in ("m", "v"):
            for var in var_list:
                self.add_slot(var, name)

    def _prepare_local(self, var_device: Any, var_dtype: DTypeLike, apply_state: Any) -> None:
        rate = array_ops.identity(self._get_hyper("learning_rate", var_dtype))
        beta_1, beta_2 = (
            array_ops.identity(self._get_hyper(name, var_dtype)) for name in ("beta_1", "beta_2")
        )
        step = math_ops.cast(self.iterations + 1, var_dtype)
        next_step = math_ops.cast(self.iterations + 2, var_dtype)
        base = math_ops.cast(0.96, var_dtype)
        m_t, m_t_1 = (
            beta_1 * (1.0 - 0.5 * math_ops.pow(base, self._initial_decay * at))
            for at in (step, next_step)
        )
        schedule = math_ops.cast(self._m_cache_read, var_dtype) * m_t
        if var_dtype is self._m_cache.dtype:
            schedule = array_ops.identity(
                state_ops.assign(self._m_cache, schedule, use_locking=self._use_locking)
            )
        next_schedule = schedule * m_t_1
        apply_state[var_device, var_dtype] = {
            "lr_t": rate,
            "neg_lr_t": -rate,
            "epsilon": ops.convert_to_tensor(self.epsilon, var_dtype),
            "beta_1_t": beta_1,
            "beta_2_t": beta_2,
            "m_t": m_t,
            "m_t_1": m_t_1,
            "one_minus_beta_1_t": 1 - beta_1,
            "one_minus_beta_2_t": 1 - beta_2,
            "one_minus_m_t": 1.0 - m_t,
            "one_minus_m_schedule_new": 1.0 - schedule,
            "one_minus_m_schedule_next": 1.0 - next_schedule,
            "v_t_prime_denominator": 1.0 - math_ops.pow(beta_2, step),
        }

    def _prepare(self, var_list: Any) -> dict[Any, Any]:
        # Read before it is changed.
        self._m_cache_read = array_ops.identity(self._m_cache)
        return super()._prepare(var_list)

    def _resource_apply_dense(self, grad: TensorLike, var: Any, apply_state: Any = None) -> Any:  # pyright: ignore
        known = self._coefficients(var, apply_state)
        lock = self._use_locking
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        g_prime = grad / known["one_minus_m_schedule_new"]
        m_t = known["beta_1_t"] * m + known["one_minus_beta_1_t"] * grad
        m_t = state_ops.assign(m, m_t, use_locking=lock)
        m_t_prime = m_t / known["one_minus_m_schedule_next"]
        v_t = known["beta_2_t"] * v + known["one_minus_beta_2_t"] * math_ops.square(grad)
        v_t = state_ops.assign(v, v_t, use_locking=lock)
        v_t_prime = v_t / known["v_t_prime_denominator"]
        m_t_bar = known["one_minus_m_t"] * g_prime + known["m_t_1"] * m_t_prime
        var_t = var - known["lr_t"] * m_t_bar / (math_ops.sqrt(v_t_prime) + known["epsilon"])
        return state_ops.assign(var, var_t, use_locking=lock).op

    def _resource_apply_sparse(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, grad: Any, var: Any, indices: TensorLike, apply_state: Any = None
    ) -> Any:
        known = self._coefficients(var, apply_state)
        lock = self._use_locking
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        g_prime = grad / known["one_minus_m_schedule_new"]
        scaled = grad * known["one_minus_beta_1_t"]
        m_t = state_ops.assign(m, m * known["beta_1_t"], use_locking=lock)
        with ops.control_dependencies([m_t]):
            m_t = self._resource_scatter_add(m, indices, scaled)
            m_rows = array_ops.gather(m_t, indices)
        m_t_prime = m_rows / known["one_minus_m_schedule_next"]
        m_t_bar = known["one_minus_m_t"] * g_prime + known["m_t_1"] * m_t_prime
        scaled = grad * grad * known["one_minus_beta_2_t"]
        v_t = state_ops.assign(v, v * known["beta_2_t"], use_locking=lock)
        with ops.control_dependencies([v_t]):
            v_t = self._resource_scatter_add(v, indices, scaled)
            v_rows = array_ops.gather(v_t, indices)
        root = math_ops.sqrt(v_rows / known["v_t_prime_denominator"]) + known["epsilon"]
        update = self._resource_scatter_add(var, indices, known["neg_lr_t"] * m_t_bar / root)
        return control_flow_ops.group(update, m_t_bar, v_t)

    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal optimizer."""
        names = ("learning_rate", "decay", "beta_1", "beta_2")
        own = {name: self._serialize_hyperparameter(name) for name in names}
        return {**super().get_config(), **own, "epsilon": self.epsilon}
