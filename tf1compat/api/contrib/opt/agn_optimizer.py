"""`tf.contrib.opt.AGNOptimizer`: workers that hand in normalized sums of gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.opt.initialization_hook import LOCAL, InitializationHook, MirrorsGetter
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.training.optimizer import Optimizer
from tf1compat.api.variables import state_ops, variable_scope, variables
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike

GRAD_VARIABLE_NAME = "grad_variable"


@tf_export("contrib.opt.AGNCustomGetter")
class AGNCustomGetter(MirrorsGetter):
    """A custom getter of variables: what is trained is the worker's own, with a global mirror and
    a sum of gradients.

    Args:
      worker_device: where the worker's variables are.
    """

    MIRROR_NAME = GRAD_VARIABLE_NAME

    def __init__(self, worker_device: Any):
        super().__init__(worker_device)
        self._grad_map = self._mirror_map

    def _untrained(
        self,
        getter: Callable[..., Any],
        name: Name,
        trainable: bool,
        collections: Any,
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        return getter(name, trainable=trainable, collections=collections, *args, **kwargs)  # noqa: B026


@tf_export("contrib.opt.AGNOptimizer")
class AGNOptimizer(Optimizer):
    """Trains the worker's own variables, and every so many steps the global ones by the mean of
    the gradients since (Hermans, 2017, https://arxiv.org/abs/1710.02368).

    Args:
      optimizer: the optimizer of both.
      num_worker: the number of workers.
      custom_getter: the `AGNCustomGetter` of the variables.
      communication_period: the number of steps between two global ones.
      use_locking: as of any optimizer.
      name: the name scope.
    """

    def __init__(
        self, optimizer: Any, num_worker: Any, custom_getter: Callable[..., Any],
        communication_period: Any = 10,
        use_locking: bool = True, name: Any = "AGNOptimizer",
    ):  # fmt: skip
        super().__init__(use_locking, name)
        self._opt = optimizer
        self._num_worker = num_worker
        self._period = communication_period
        self._global_map = custom_getter._global_map
        self._grad_map = custom_getter._grad_map
        self._local_step = variable_scope.get_variable(
            initializer=0, trainable=False, collections=list(LOCAL), name="local_step"
        )
        self._opt._prepare()

    def apply_gradients(
        self, grads_and_vars: Any, global_step: TensorLike | None = None, name: Name = None
    ) -> Any:
        """Records a step, and a global one if it is time.

        Args:
          grads_and_vars: (gradient, variable) pairs, as of `compute_gradients`.
          global_step: counts the global steps.
          name: ignored, as in TF.

        Returns:
          The operation of the step.
        """
        mine = [v for g, v in grads_and_vars if g is not None]
        grads = [g for g, v in grads_and_vars if g is not None]
        with variable_scope.variable_creator_scope(_local_creator):
            trained = self._opt.apply_gradients(grads_and_vars)
        sums = [self._grad_map[v] for v in mine]
        update_ops = [trained] + [state_ops.assign_add(a, g) for g, a in zip(grads, sums)]
        centers = [self._global_map[v] for v in mine]

        def global_update() -> Any:
            means = [state_ops.assign(a, a / self._period) for a in sums]
            with ops.control_dependencies(means):
                applied = self._opt.apply_gradients(zip(sums, centers))
            with ops.control_dependencies([applied]):
                updates = []
                if global_step:
                    with ops.colocate_with(global_step):
                        updates.append(state_ops.assign_add(global_step, 1))
                for v in mine:
                    center = self._global_map[v].read_value()
                    updates.append(state_ops.assign(v, center))
                for a in sums:
                    updates.append(state_ops.assign(a, array_ops.zeros_like(a)))
                return control_flow_ops.group(*updates)

        counted = state_ops.assign_add(self._local_step, 1, name="local_step_update").op
        with ops.control_dependencies([counted]):
            is_time = math_ops.equal(math_ops.mod(self._local_step, self._period), 0)
        with ops.control_dependencies(update_ops):
            return control_flow_ops.cond(is_time, global_update, control_flow_ops.no_op)

    def get_init_op(self, task_index: Any) -> Any:
        """Sets the worker's variables to the global ones, and its sums to zero.

        Raises:
          ValueError: there are no variables.
        """
        mine = variables.trainable_variables()
        centers = [self._global_map[v] for v in mine]
        sums = [self._grad_map[v] for v in mine]
        if not (mine and centers and sums):
            raise ValueError(
                "The lists of local_variables, global_center_variables,"
                "grad_center_variables should not be empty"
            )
        init_ops = [state_ops.assign(v, center) for v, center in zip(mine, centers)]
        init_ops += [state_ops.assign(a, array_ops.zeros_like(a)) for a in sums]
        return control_flow_ops.group(*init_ops)

    def make_session_run_hook(self, is_chief: Any, task_index: Any) -> Any:
        """The hook that makes the variables equal at the start."""
        return InitializationHook(is_chief, lambda: self.get_init_op(task_index))


def _local_creator(next_creator: Callable[..., Any], collections: Any, **kwargs: Any) -> Any:
    """Makes a variable of the optimizer a local one."""
    if not collections:
        collections = list(LOCAL)
    elif ops.GraphKeys.GLOBAL_VARIABLES in collections:
        collections = [*collections, ops.GraphKeys.LOCAL_VARIABLES]
        collections.remove(ops.GraphKeys.GLOBAL_VARIABLES)
    return next_creator(collections=collections, **kwargs)
