"""`tf.contrib.opt.ModelAverageOptimizer`: workers that average what they trained now and then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.contrib.opt.initialization_hook import (
    GLOBAL,
    GLOBAL_VARIABLE_NAME,
    LOCAL,
    InitializationHook,
    untrained,
)
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.queues import conditional_accumulators, data_flow_ops
from tf1compat.api.training.optimizer import Optimizer
from tf1compat.api.variables import state_ops, variable_scope, variables
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.session_interface import SessionInterface
from tf1compat.core.typing import Name, TensorLike


@tf_export("contrib.opt.ModelAverageCustomGetter")
class ModelAverageCustomGetter:
    """A custom getter of variables: what is trained is the worker's own, with a global mirror.

    Args:
      worker_device: where the worker's variables are.
    """

    def __init__(self, worker_device: Any):
        self._worker_device = worker_device
        self._local_2_global: dict[Any, Any] = {}

    def __call__(
        self,
        getter: Callable[..., Any],
        name: Any,
        trainable: bool,
        collections: Any,
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        """Gets a variable, as `tf.variable_scope(custom_getter=...)` wants it."""
        if not trainable:
            return untrained(getter, self._worker_device, name, collections, *args, **kwargs)
        with ops.device(self._worker_device):
            mine = getter(name, trainable=True, collections=list(LOCAL), *args, **kwargs)  # noqa: B026
        self._local_2_global[mine] = variable_scope.variable(
            name=f"{GLOBAL_VARIABLE_NAME}/{name}",
            initial_value=mine.initialized_value(),
            trainable=False,
            collections=list(GLOBAL),
        )
        return mine


@tf_export("contrib.opt.ModelAverageOptimizer")
class ModelAverageOptimizer(Optimizer):
    """Trains the worker's own variables, and every so many steps sets them, and the global ones,
    to the average over all workers, which wait for each other.

    Args:
      opt: the optimizer of the worker's variables.
      num_worker: the number of workers.
      is_chief: whether this one updates the global variables.
      ma_custom_getter: the `ModelAverageCustomGetter` of the variables.
      interval_steps: the number of steps between two averages.
      use_locking: as of any optimizer.
      name: the name scope.
    """

    def __init__(
        self, opt: Any, num_worker: Any, is_chief: Any, ma_custom_getter: Any,
        interval_steps: Any = 100, use_locking: bool = True, name: Any = "ModelAverageOptimizer",
    ):  # fmt: skip
        super().__init__(use_locking, name)
        self._opt = opt
        self._num_worker = num_worker
        self._is_chief = is_chief
        self._local_2_global = ma_custom_getter._local_2_global
        self._interval_steps = interval_steps
        self._accumulator_list: list[tuple[Any, Any]] = []
        self._chief_init_op: Any = None
        self._local_step = variable_scope.get_variable(
            initializer=0, trainable=False, collections=list(LOCAL), name="local_step"
        )
        self._opt._prepare()

    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any:
        """As of the optimizer."""
        return self._opt.compute_gradients(*args, **kwargs)

    def _local_vars_update(self, var_list: Any) -> Any:
        """Sets the worker's variables to the global ones."""
        if not var_list:
            raise ValueError("The list of local_variables should not be empty")
        return control_flow_ops.group(*map(self._fetched, var_list))

    def _fetched(self, var: Any) -> Any:
        """Sets one of the worker's variables to the global one."""
        with ops.device(var.device):
            return state_ops.assign(var, self._local_2_global[var].read_value())

    def apply_gradients(
        self, grads_and_vars: Any, global_step: TensorLike | None = None, name: Name = None
    ) -> Any:
        """Records a step, which averages if it is time.

        Args:
          grads_and_vars: (gradient, variable) pairs, as of `compute_gradients`.
          global_step: counts the averages.
          name: ignored, as in TF.

        Returns:
          The operation of the step.

        Raises:
          ValueError: there are no pairs, or there is no `global_step`.
        """
        if not grads_and_vars:
            raise ValueError("Must supply at least one variable")
        if global_step is None:
            raise ValueError("Global step is required")
        trained = self._opt.apply_gradients(grads_and_vars)
        with ops.control_dependencies([trained]):
            counted = state_ops.assign_add(self._local_step, 1, name="local_step_update").op
        mine = [v for g, v in grads_and_vars if g is not None]
        with ops.control_dependencies([counted]):
            is_time = math_ops.equal(math_ops.mod(self._local_step, self._interval_steps), 0)
            update = control_flow_ops.cond(
                is_time, lambda: self._averaged(mine, global_step), control_flow_ops.no_op
            )
        init_ops = []
        for accumulator, device in self._accumulator_list:
            with ops.device(device):
                init_ops.append(accumulator.set_global_step(global_step, name="SetGlobalStep"))
        self._chief_init_op = control_flow_ops.group(*init_ops)
        return update

    def _averaged(self, mine: list[Any], global_step: Any) -> Any:
        """Hands the worker's variables in and takes the average."""
        shared = [self._local_2_global[v] for v in mine]
        with ops.colocate_with(global_step):
            queue = data_flow_ops.FIFOQueue(
                -1, [dtypes.bool], shapes=[[]], shared_name="sync_queue"
            )
        handed_in, averages = [], []
        with ops.name_scope(None, f"{self._name}/global"):
            for v, center in zip(mine, shared):
                with ops.device(center.device):
                    if not isinstance(v._ref(), ops.Tensor):
                        raise ValueError("Unknown local variable type!")
                    accumulator = conditional_accumulators.ConditionalAccumulator(
                        v.dtype, shape=v.get_shape(), shared_name=f"{center.name}/var_accum"
                    )
                    handed_in.append(accumulator.apply_grad(v._ref(), local_step=global_step))
                    averages.append(accumulator.take_grad(self._num_worker))
                    self._accumulator_list.append((accumulator, center.device))
        if self._is_chief:
            sync = self._chief_sync(handed_in, averages, shared, global_step, queue)
        else:
            with ops.control_dependencies(handed_in), ops.device(global_step.device):
                sync = queue.dequeue()
        with ops.control_dependencies([sync]):
            return self._local_vars_update(mine)

    def _chief_sync(
        self, handed_in: Any, averages: Any, shared: Any, global_step: Any, queue: Any
    ) -> Any:
        """Sets the global variables and gives a token to each of the others."""
        updates = []
        with ops.control_dependencies(handed_in):
            for average, center in zip(averages, shared):
                with ops.device(center.device):
                    updates.append(state_ops.assign(center, average))
            with ops.device(global_step.device):
                updates.append(state_ops.assign_add(global_step, 1))
        with ops.control_dependencies(updates), ops.device(global_step.device):
            tokens = array_ops.fill([self._num_worker - 1], constant_op.constant(False))
            return queue.enqueue_many(tokens)

    def get_init_op(self) -> Any:
        """Sets the worker's variables to the global ones."""
        return self._local_vars_update(variables.trainable_variables())

    def make_session_run_hook(self) -> Any:
        """The hook that makes the variables equal at the start."""
        return _ModelAverageOptimizerHook(self, self._is_chief)


class _ModelAverageOptimizerHook(InitializationHook):
    def __init__(self, ma_optimizer: ModelAverageOptimizer, is_chief: Any):
        super().__init__(is_chief, ma_optimizer.get_init_op)
        self._ma_optimizer = ma_optimizer

    def begin(self) -> None:
        super().begin()
        if self._is_chief:
            self._chief_init_op = self._ma_optimizer._chief_init_op

    def after_create_session(self, session: SessionInterface, coord: Any) -> None:
        """Runs nothing, as in TF 1.15."""
