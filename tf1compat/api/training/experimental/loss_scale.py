"""By what losses are multiplied and gradients divided, so that small gradients stay numbers in 16
bits (`tensorflow.python.training.experimental.loss_scale`)."""

from __future__ import annotations

import abc
from typing import Any

from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distribute import distribution_strategy_context, reduce_util
from tf1compat.api.math import math_ops
from tf1compat.api.training.tracking import base as trackable
from tf1compat.api.variables import variable_scope
from tf1compat.core import context, dtypes, nest, ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike, TensorLike


def _graph_key() -> Any:
    """What the variables of now go by; None in eager execution."""
    return None if context.executing_eagerly() else ops.get_default_graph()._graph_key


@tf_export("train.experimental.LossScale")
class LossScale(trackable.Trackable, metaclass=abc.ABCMeta):
    """A multiplier of losses. Calling it gives its value, a float32 scalar."""

    def __init__(self):
        self._weights: dict[tuple[str, Any], Any] = {}

    @abc.abstractmethod
    def __call__(self) -> Any:
        """The multiplier."""

    @abc.abstractmethod
    def update(self, grads: Any) -> Any:
        """Changes the multiplier as some gradients ask for.

        Args:
          grads: gradients, divided by the multiplier already; those that are None don't count.

        Returns:
          (the operation that changes it, whether to apply the gradients).
        """

    @abc.abstractmethod
    def get_config(self) -> dict[str, Any]:
        """The arguments that make a multiplier like this one."""

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> LossScale:
        """A multiplier from what `get_config` gave."""
        return cls(**config)

    def _add_weight(
        self, name: str, initial_value: TensorLike, dtype: DTypeLike | None = None
    ) -> Any:
        """Makes a variable of the multiplier.

        Raises:
          RuntimeError: the graph has one of that name already.
        """
        variable = variable_scope.variable(
            initial_value, trainable=False, name=name, dtype=dtype, use_resource=True
        )
        key = name, _graph_key()
        if key in self._weights:
            raise RuntimeError(f"Duplicate variables detected. {key}")
        self._weights[key] = variable
        self._handle_deferred_dependencies(name=name, trackable=variable)
        return variable

    @property
    def _checkpoint_dependencies(self) -> list[Any]:
        graph_key = _graph_key()
        return super()._checkpoint_dependencies + [
            trackable.TrackableReference(name, variable)
            for (name, key), variable in sorted(self._weights.items(), key=lambda item: item[0][0])
            if key == graph_key
        ]

    def _lookup_dependency(self, name: str) -> Any:
        found = super()._lookup_dependency(name)
        return self._weights.get((name, _graph_key())) if found is None else found


def get_loss_scale_weights(loss_scale: LossScale) -> Any:
    """The variables of a multiplier, of all graphs."""
    return loss_scale._weights.values()


@tf_export("train.experimental.FixedLossScale")
class FixedLossScale(LossScale):
    """A multiplier that stays.

    Args:
      loss_scale_value: a number, 1 or more.

    Raises:
      ValueError: it is less, or none.
    """

    def __init__(self, loss_scale_value: Any):
        super().__init__()
        if not isinstance(loss_scale_value, int | float):
            raise ValueError("loss_scale_value must be a Python int or float.")
        if loss_scale_value < 1:
            raise ValueError("loss_scale_value must be at least 1.")
        self._loss_scale_value = float(loss_scale_value)

    def __call__(self) -> Any:
        return ops.convert_to_tensor(self._loss_scale_value)

    def update(self, grads: Any) -> Any:
        """Changes nothing: gradients are always to be applied."""
        return control_flow_ops.no_op(), True

    def __repr__(self) -> str:
        return f"FixedLossScale({self._loss_scale_value})"

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a multiplier like this one."""
        return {"loss_scale_value": self._loss_scale_value}


@tf_export("train.experimental.DynamicLossScale")
class DynamicLossScale(LossScale):
    """A multiplier that grows while gradients are finite, and falls when one isn't.

    Args:
      initial_loss_scale: the multiplier at first.
      increment_period: after how many finite steps in a row it grows.
      multiplier: by what it grows and falls; it never falls below 1.
    """

    def __init__(
        self, initial_loss_scale: Any = 2**15, increment_period: Any = 2000, multiplier: Any = 2.0
    ):
        super().__init__()
        self._initial_loss_scale = float(initial_loss_scale)
        self._increment_period = int(increment_period)
        self._multiplier = float(multiplier)
        self._current_loss_scale = self._add_weight(
            "current_loss_scale", self._initial_loss_scale, dtypes.float32
        )
        self._num_good_steps = self._add_weight("good_steps", 0, dtypes.int64)

    initial_loss_scale: float = attribute("_initial_loss_scale", "The multiplier at first.")
    increment_period: int = attribute(
        "_increment_period", "After how many finite steps in a row the multiplier grows."
    )
    multiplier: float = attribute("_multiplier", "By what the multiplier grows and falls.")

    def __call__(self) -> Any:
        return ops.convert_to_tensor(self._current_loss_scale)

    def update(self, grads: Any) -> Any:
        """Grows or falls, by whether all gradients are finite, which is also whether they are to
        be applied."""
        is_finite = _all_finite_anywhere(nest.flatten(grads))
        scale, good_steps = self._current_loss_scale, self._num_good_steps

        def grow() -> Any:
            return control_flow_ops.group(
                _assign_if_finite(scale, scale * self._multiplier), good_steps.assign(0)
            )

        def count() -> Any:
            return control_flow_ops.cond(
                good_steps + 1 >= self._increment_period,
                grow,
                lambda: _op_in_graph_mode(good_steps.assign_add(1)),
            )

        def fall() -> Any:
            lower = math_ops.maximum(scale / self._multiplier, 1)
            return control_flow_ops.group(good_steps.assign(0), scale.assign(lower))

        return control_flow_ops.cond(is_finite, count, fall), is_finite

    def __repr__(self) -> str:
        now = ""
        if context.executing_eagerly():
            now = (
                f"current_loss_scale={self._current_loss_scale.numpy()}, "
                f"num_good_steps={self._num_good_steps.numpy()}, "
            )
        own = ", ".join(f"{key}={value}" for key, value in self.get_config().items())
        return f"DynamicLossScale({now}{own})"

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a multiplier like this one."""
        return {
            "initial_loss_scale": self.initial_loss_scale,
            "increment_period": self.increment_period,
            "multiplier": self.multiplier,
        }


def _is_all_finite(grads: list[Any]) -> Any:
    finite = [math_ops.reduce_all(math_ops.is_finite(g)) for g in grads if g is not None]
    return math_ops.reduce_all(finite)


def _all_finite_anywhere(grads: list[Any]) -> Any:
    """Whether the gradients are finite, on all devices if there are several."""
    if not distribution_strategy_context.has_strategy():
        return _is_all_finite(grads)
    strategy: Any = distribution_strategy_context.get_cross_replica_context()
    counts = strategy.extended.call_for_each_replica(
        lambda grads: math_ops.cast(_is_all_finite(grads), dtypes.float32), args=(grads,)
    )
    total = strategy.reduce(reduce_util.ReduceOp.SUM, counts, axis=None)
    return math_ops.equal(total, strategy.num_replicas_in_sync)


def _op_in_graph_mode(tensor: Any) -> Any:
    return tensor if context.executing_eagerly() else tensor.op


def _assign_if_finite(variable: Any, value: Any) -> Any:
    return control_flow_ops.cond(
        math_ops.is_finite(value),
        lambda: _op_in_graph_mode(variable.assign(value)),
        control_flow_ops.no_op,
    )


def get(identifier: Any) -> Any:
    """A multiplier from a number, "dynamic", or the one that it is; None for None.

    Raises:
      ValueError: it is none of these.
    """
    if identifier is None or isinstance(identifier, LossScale):
        return identifier
    if isinstance(identifier, int | float):
        return FixedLossScale(identifier)
    if identifier == "dynamic":
        return DynamicLossScale()
    raise ValueError(f"Could not interpret loss scale identifier: {identifier}")
