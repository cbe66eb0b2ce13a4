"""Keras optimizers that scale losses
(`tensorflow.python.keras.mixed_precision.experimental.loss_scale_optimizer`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distribute import distribution_strategy_context
from tf1compat.api.keras import backend
from tf1compat.api.keras.optimizer_v2 import optimizer_v2
from tf1compat.api.math import math_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training.experimental import loss_scale as loss_scale_module
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike


class _Kept:
    """A value that a distribution strategy hands to each device as it is."""

    def __init__(self, value: Any):
        self.value = value


@tf_export("keras.mixed_precision.experimental.LossScaleOptimizer")
class LossScaleOptimizer(optimizer_v2.OptimizerV2):
    """An optimizer that computes the gradients of a multiplied loss, and divides them again.

    A step whose gradients are not finite is left out, if the multiplier is dynamic.

    Args:
      opt: the Keras optimizer that applies the gradients; it must not clip them.
      loss_scale: a `tf.train.experimental.LossScale`, a number, or "dynamic".

    Raises:
      ValueError: `opt` is no such optimizer, or `loss_scale` none of these.
    """

    def __init__(self, opt: Any, loss_scale: Any):  # pyright: ignore[reportMissingSuperCall]
        if not isinstance(opt, optimizer_v2.OptimizerV2):
            raise ValueError(f'"opt" must be an instance of OptimizerV2, but got: {opt}')
        for clip in ("clipnorm", "clipvalue"):
            if hasattr(opt, clip):
                raise ValueError(
                    f"LossScaleOptimizer does not support wrapping optimizers with a {clip}. "
                    f"Optimizer {opt} has {clip} {getattr(opt, clip)}"
                )
        self._hyper = {}
        self._optimizer = opt
        self._loss_scale = loss_scale_module.get(loss_scale)
        for variable in loss_scale_module.get_loss_scale_weights(self._loss_scale):
            backend.track_variable(variable)
        self._track_trackable(opt, "base_optimizer")
        self._track_trackable(self._loss_scale, "loss_scale")

    @property
    def loss_scale(self) -> Any:
        """The multiplier."""
        return self._loss_scale

    def get_scaled_loss(self, loss: Any) -> Any:
        """A loss (or a function that gives one), multiplied."""
        scale = self._loss_scale()

        def scaled(value: Any) -> Any:
            return value * math_ops.cast(scale, value.dtype)

        return (lambda: scaled(loss())) if callable(loss) else scaled(loss)

    def get_unscaled_gradients(self, grads: Any) -> list[Any]:
        """Gradients of a multiplied loss, divided; None stays None."""
        factor = 1.0 / self._loss_scale()
        return [None if g is None else g * math_ops.cast(factor, g.dtype) for g in grads]

    def _compute_gradients(self, loss: Any, var_list: Any, grad_loss: Any = None) -> list[Any]:
        found = self._optimizer._compute_gradients(self.get_scaled_loss(loss), var_list, grad_loss)
        divided = self.get_unscaled_gradients([grad for grad, _ in found])
        return list(zip(divided, [variable for _, variable in found], strict=True))

    def get_gradients(self, loss: Any, params: Any) -> list[Any]:
        """The gradients of a loss."""
        scaled = self.get_scaled_loss(loss)
        return self.get_unscaled_gradients(self._optimizer.get_gradients(scaled, params))

    def apply_gradients(self, grads_and_vars: Any, name: Name = None) -> Any:
        """Applies gradients, if they are finite.

        Raises:
          ValueError: it is called for all devices at once.
        """
        if distribution_strategy_context.in_cross_replica_context():
            raise ValueError("apply_gradients() must be called in a replica context.")
        replica: Any = distribution_strategy_context.get_replica_context()
        return replica.merge_call(
            self._apply_gradients_cross_replica, args=(tuple(grads_and_vars), name)
        )

    def _apply_gradients_cross_replica(
        self, distribution: Any, grads_and_vars: Any, name: Name
    ) -> Any:
        grads = [grad for grad, _ in grads_and_vars]
        update, is_finite = self._loss_scale.update(grads)

        def apply() -> Any:
            # The optimizer wants the variables of all devices.
            variables = _Kept([variable for _, variable in grads_and_vars])
            return distribution.extended.call_for_each_replica(
                self._apply_on_replica, args=(grads, variables, name)
            )

        applied = control_flow_ops.smart_cond(is_finite, apply, control_flow_ops.no_op)
        return control_flow_ops.group(applied, update)

    def _apply_on_replica(self, grads: Any, variables: _Kept, name: Name) -> Any:
        pairs = list(zip(grads, variables.value, strict=True))
        return self._optimizer.apply_gradients(pairs, name)

    # What belongs to the optimizer.

    @property
    def iterations(self) -> Any:
        """The variable that counts steps."""
        return self._optimizer.iterations

    @iterations.setter
    def iterations(self, variable: Any) -> None:
        self._optimizer.iterations = variable

    @property
    def learning_rate(self) -> Any:
        """The learning rate."""
        return self._optimizer.learning_rate

    @learning_rate.setter
    def learning_rate(self, lr: TensorLike) -> None:
        self._optimizer.learning_rate = lr

    @property
    def lr(self) -> Any:
        """The learning rate."""
        return self._optimizer.lr

    @lr.setter
    def lr(self, lr: TensorLike) -> None:
        self._optimizer.lr = lr

    def get_slot_names(self) -> list[str]:
        """The names of the optimizer's slots."""
        return self._optimizer.get_slot_names()

    def get_config(self) -> Any:
        """Not known, as in TF 1.15."""
        raise NotImplementedError("get_config() is not yet implemented for LossScaleOptimizers")

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> Any:
        """Not known, as in TF 1.15."""
        raise NotImplementedError("from_config() is not yet implemented for LossScaleOptimizers")


def with_scale_of(policy: Any, optimizer: Any) -> Any:
    """The optimizer of a model with a policy: one that scales losses, if the policy says so.

    Args:
      policy: a `Policy`.
      optimizer: what `compile` was given; a list of several.

    Raises:
      ValueError: the policy has a scale, and `optimizer` is none that can have one.
    """
    scale = policy.loss_scale
    if scale is None:
        return optimizer
    if isinstance(optimizer, LossScaleOptimizer):
        if optimizer.loss_scale != scale:
            logging.warning(
                f"LossScale of LossScaleOptimizer passed to compile ({optimizer.loss_scale}) is "
                f"not the same as the dtype policy's loss scale ({scale}). Because the dtype "
                "policy has a loss scale, you should pass an optimizer that is not wrapped with a "
                "LossScaleOptimizer,"
            )
        return optimizer
    if isinstance(optimizer, list):
        raise ValueError(
            "When a dtype policy with a loss scale is used, you can only pass a single optimizer. "
            f"Using policy {policy} and got optimizers: {optimizer}"
        )
    if not isinstance(optimizer, optimizer_v2.OptimizerV2):
        raise ValueError(
            '"optimizer" must be an instance of tf.keras.optimizers.Optimizer when a dype policy '
            f"with a loss scale  used, but got: {optimizer}. Using policy: {policy}"
        )
    return LossScaleOptimizer(optimizer, scale)
