"""`tf.contrib.opt.MovingAverageOptimizer`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.training.moving_averages import ExponentialMovingAverage
from tf1compat.api.training.optimizer import Optimizer
from tf1compat.api.training.saver import Saver
from tf1compat.api.training.saving import saveable_object_util
from tf1compat.api.variables import variables
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


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
        self, grads_and_vars: Any, global_step: TensorLike | None = None, name: str | None = None
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

        Args:
          var_list: as of `tf.train.Saver`; all variables by default.
          name: the saver's name.
          **kwargs: further arguments of `tf.train.Saver`.

        Raises:
          RuntimeError: nothing is trained yet.
          ValueError: a variable is there and its average is not.
        """
        if self._swapped_variable_name_map is None:
            raise RuntimeError(
                "Must call apply_gradients or minimize before creating the swapping_saver"
            )
        if var_list is None:
            var_list = variables.global_variables()
        if not isinstance(var_list, dict):
            var_list = saveable_object_util.op_list_to_dict(var_list)
        by_name: dict[str, Any] = {}
        name_of_last_part = ""
        for key, saved in var_list.items():
            if isinstance(saved, (list, variables.PartitionedVariable)):
                for part in saved:
                    name_of_last_part = part.op.name
                    by_name[name_of_last_part] = part
            else:
                by_name[key] = saved

        def swapped(key: str, saved: Any) -> Any:
            if isinstance(saved, list):
                # TF looks for the last part's name, whatever the part.
                return [self._find_swapped_variable(by_name, name_of_last_part, v) for v in saved]
            return self._find_swapped_variable(by_name, key, saved)

        return Saver({key: swapped(key, v) for key, v in var_list.items()}, name=name, **kwargs)

    def _find_swapped_variable(self, by_name: Any, name: str, tensor: Any) -> Any:
        """What is saved in the place of `tensor`."""
        other = (self._swapped_variable_name_map or {}).get(name)
        if other is None:
            return tensor
        if other not in by_name:
            raise ValueError(
                f"Variable to swap {other} is not part of variables to save. This breaks "
                "MovingAverageOptimizer."
            )
        return by_name[other]
