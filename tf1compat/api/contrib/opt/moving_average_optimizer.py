"""`tf.contrib.opt.MovingAverageOptimizer`."""

from __future__ import annotations

from typing import Any

from tf1compat.api import control_flow_ops
from tf1compat.api.training.moving_averages import ExponentialMovingAverage
from tf1compat.api.training.optimizer import Optimizer
from tf1compat.core import ops
from tf1compat.core.export import tf_export


@tf_export("contrib.opt.MovingAverageOptimizer")
class MovingAverageOptimizer(Optimizer):
    """Keeps moving averages of what an optimizer trains.

    Args:
      opt: the optimizer.
      average_decay, num_updates: as of `tf.train.ExponentialMovingAverage`.
      sequential_update: whether the averages are updated after the step, or beside it.
    """

    def __init__(
        self,
        opt: Any,
        average_decay: Any = 0.9999,
        num_updates: Any = None,
        sequential_update: bool = True,
    ):
        self._optimizer = opt
        self._ema = ExponentialMovingAverage(average_decay, num_updates=num_updates)
        self._swapped_variable_name_map: dict[str, str] | None = None
        self._sequential_update = sequential_update

    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any:
        """As of the optimizer."""
        return self._optimizer.compute_gradients(*args, **kwargs)

    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None
    ) -> Any:
        """As `tf.train.Optimizer.apply_gradients`, and the update of the averages."""
        train = self._optimizer.apply_gradients(grads_and_vars, global_step=global_step, name=name)
        variables = [v for g, v in grads_and_vars if g is not None]
        with ops.control_dependencies([train] if self._sequential_update else []):
            update = self._ema.apply(variables)
        swapped = self._swapped_variable_name_map = {}
        for v in variables:
            average = self._ema.average(v)
            swapped[v.op.name] = average.op.name
            swapped[average.op.name] = v.op.name
        return control_flow_ops.group(train, update, name="train_with_avg")

    def swapping_saver(
        self, var_list: Any = None, name: str = "swapping_saver", **kwargs: Any
    ) -> Any:
        """A saver that saves averages under the names of the variables, and the other way round.

        Raises:
          RuntimeError: nothing is trained yet.
        """
        if self._swapped_variable_name_map is None:
            raise RuntimeError(
                "Must call apply_gradients or minimize before creating the swapping_saver"
            )
        raise NotImplementedError(
            "MovingAverageOptimizer.swapping_saver is not supported by tf1compat yet"
        )
