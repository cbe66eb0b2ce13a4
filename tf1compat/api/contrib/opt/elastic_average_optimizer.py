"""`tf.contrib.opt.ElasticAverageOptimizer`: workers held together by an elastic force."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import constant_op
from tf1compat.api.contrib.opt.initialization_hook import (
    LOCAL,
    InitializationHook,
    MirrorsGetter,
    untrained,
)
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.queues import data_flow_ops
from tf1compat.api.training.optimizer import Optimizer
from tf1compat.api.training.saver import Saver
from tf1compat.api.training.saving import saveable_object_util
from tf1compat.api.variables import state_ops, variable_scope, variables
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike

LOCAL_VARIABLE_NAME = "local_center_variable"


@tf_export("contrib.opt.ElasticAverageCustomGetter")
class ElasticAverageCustomGetter(MirrorsGetter):
    """A custom getter of variables: what is trained is the worker's own, with a global center and
    the worker's copy of that.

    Args:
      worker_device: where the worker's variables are.
    """

    MIRROR_NAME = LOCAL_VARIABLE_NAME

    def __init__(self, worker_device: Any):
        super().__init__(worker_device)
        self._local_map = self._mirror_map

    def _untrained(
        self,
        getter: Callable[..., Any],
        name: Any,
        trainable: bool,
        collections: Any,
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        return untrained(getter, self._worker_device, name, collections, *args, **kwargs)


@tf_export("contrib.opt.ElasticAverageOptimizer")
class ElasticAverageOptimizer(Optimizer):
    """Trains the worker's own variables, and every so many steps pulls them and the global center
    towards each other (Zhang et al., 2015, https://arxiv.org/abs/1412.6651).

    Args:
      opt: the optimizer of the worker's variables.
      num_worker: the number of workers.
      ea_custom_getter: the `ElasticAverageCustomGetter` of the variables.
      communication_period: the number of steps between two pulls.
      moving_rate: how far they pull; 0.9 / period / workers by default.
      rho: the weight of the distance in the loss; moving_rate / learning rate by default.
      use_locking: as of any optimizer.
      synchronous: whether workers wait for each other before they start.
      name: the name scope.
    """

    BETA = 0.9

    def __init__(
        self, opt: Any, num_worker: Any, ea_custom_getter: Any, communication_period: Any = 10,
        moving_rate: Any = None, rho: TensorLike | None = None, use_locking: bool = True,
        synchronous: Any = False, name: Any = "ElasticAverageOptimizer",
    ):  # fmt: skip
        super().__init__(use_locking, name)
        self._opt = opt
        self._num_worker = num_worker
        self._period = communication_period
        self._local_map = ea_custom_getter._local_map
        self._global_map = ea_custom_getter._global_map
        self._synchronous = synchronous
        if moving_rate is None:
            moving_rate = self.BETA / communication_period / num_worker
        self._moving_rate = moving_rate
        self._rho = self._moving_rate / self._opt._learning_rate if rho is None else rho
        self._local_step = variable_scope.get_variable(
            initializer=0, trainable=False, collections=list(LOCAL), name="local_step"
        )
        self._opt._prepare()

    def compute_gradients(
        self, loss: Any, var_list: Any = None, gate_gradients: Any = Optimizer.GATE_OP,
        aggregation_method: Any = None, colocate_gradients_with_ops: Any = False,
        grad_loss: Any = None,
    ) -> Any:  # fmt: skip
        """As `tf.train.Optimizer.compute_gradients`, of the loss and the distance from the center.

        Args: see there.

        Returns:
          (gradient, variable) pairs.
        """
        if not var_list:
            var_list = variables.trainable_variables()
        copies = [self._local_map[v] for v in var_list]
        distances = [
            math_ops.subtract(v, copy) for v, copy in zip(variables.trainable_variables(), copies)
        ]
        distance_loss = self._rho * math_ops.add_n([raw_ops.L2Loss(d) for d in distances])
        return self._opt.compute_gradients(
            loss + distance_loss, var_list, gate_gradients, aggregation_method,
            colocate_gradients_with_ops, grad_loss,
        )  # fmt: skip

    def apply_gradients(
        self, grads_and_vars: Any, global_step: TensorLike | None = None, name: Name = None
    ) -> Any:
        """Records a step, and a pull if it is time.

        Args:
          grads_and_vars: (gradient, variable) pairs, as of `compute_gradients`.
          global_step: counts the pulls.
          name: ignored, as in TF.

        Returns:
          The operation of the step.
        """
        before = {v.op.name for v in variables.global_variables()}
        trained = self._opt.apply_gradients(grads_and_vars)
        after = {v.op.name for v in variables.global_variables()}
        with ops.control_dependencies([trained]):
            counted = state_ops.assign_add(self._local_step, 1, name="local_step_update").op
        _make_local(after - before)
        mine = [v for g, v in grads_and_vars if g is not None]
        with ops.control_dependencies([counted]):
            is_time = math_ops.equal(math_ops.mod(self._local_step, self._period), 0)
            return control_flow_ops.cond(
                is_time, lambda: self._pull(mine, global_step), control_flow_ops.no_op
            )

    def _pull(self, mine: list[Any], global_step: Any) -> Any:
        centers = [self._global_map[v] for v in mine]
        copies = [self._local_map[v] for v in mine]
        copied = [copy.assign(center) for copy, center in zip(copies, centers)]
        updates: list[Any] = []
        differences = []
        with ops.control_dependencies(copied):
            for v, copy in zip(mine, copies):
                with ops.device(v.device):
                    differences.append(math_ops.subtract(v, copy))
            for targets, step in ((mine, state_ops.assign_sub), (centers, state_ops.assign_add)):
                for v, difference in zip(targets, differences):
                    with ops.device(v.device):
                        updates.append(step(v, math_ops.multiply(self._moving_rate, difference)))
            if global_step:
                with ops.colocate_with(global_step):
                    updates.append(state_ops.assign_add(global_step, 1))
        return control_flow_ops.group(*updates)

    def get_init_op(self, task_index: Any) -> Any:
        """Sets the worker's variables, and its copies of the centers, to the centers.

        Args:
          task_index: the number of the worker, for those that wait for each other.

        Raises:
          ValueError: there are no variables.
        """
        mine = variables.trainable_variables()
        centers = [self._global_map[v] for v in mine]
        copies = [self._local_map[v] for v in mine]
        if not (mine and centers and copies):
            raise ValueError(
                "The lists of local_variables, global_center_variables, "
                "local_center_variables should not be empty  "
            )
        init_ops = []
        for v, center, copy in zip(mine, centers, copies):
            init_ops.append(state_ops.assign(v, center))
            init_ops.append(state_ops.assign(copy, center))
        init_op = control_flow_ops.group(*init_ops)
        return self._barrier(task_index, init_op) if self._synchronous else init_op

    def _barrier(self, task_index: Any, init_op: Any) -> Any:
        """Tells all other workers that this one is ready, and waits for them."""
        queues = [
            data_flow_ops.FIFOQueue(
                self._num_worker,
                [dtypes.bool],
                shapes=[[]],
                shared_name=f"variable_init_sync_queue{i}",
            )
            for i in range(self._num_worker)
        ]
        token = constant_op.constant(False)
        with ops.control_dependencies([init_op]):
            told = [
                control_flow_ops.no_op() if i == task_index else queue.enqueue(token)
                for i, queue in enumerate(queues)
            ]
        return control_flow_ops.group(*told, queues[task_index].dequeue_many(len(queues) - 1))

    def make_session_run_hook(self, is_chief: Any, task_index: Any) -> Any:
        """The hook that makes the variables equal at the start."""
        return InitializationHook(is_chief, lambda: self.get_init_op(task_index))

    def swapping_saver(
        self, var_list: Any = None, name: str = "swapping_saver", **kwargs: Any
    ) -> Any:
        """A saver that saves the centers under the names of the trained variables.

        Args:
          var_list: as of `tf.train.Saver`; the trainable variables by default.
          name: the saver's name.
          **kwargs: further arguments of `tf.train.Saver`.

        Raises:
          RuntimeError: there are no centers.
        """
        if not self._global_map:
            raise RuntimeError(
                "global_center_variable is empty, please make sure this is called after model "
                "created and ElasticAverageCustomGetter is used when declaring you model"
            )
        if var_list is None:
            var_list = variables.trainable_variables()
        if not isinstance(var_list, dict):
            var_list = saveable_object_util.op_list_to_dict(var_list)
        by_name = {v.op.name: v for v in variables.trainable_variables()}

        def swapped(saved: Any) -> Any:
            if isinstance(saved, list):  # the parts of one variable
                return [self._global_map.get(part, part) for part in saved]
            return self._global_map.get(by_name.get(saved.op.name, saved), saved)

        return Saver({key: swapped(v) for key, v in var_list.items()}, name=name, **kwargs)


def _make_local(names: set[str]) -> None:
    """Moves variables from the collection of global variables to that of local ones."""
    kept = ops.get_collection_ref(ops.GraphKeys.GLOBAL_VARIABLES)
    for v in [v for v in kept if v.op.name in names]:
        ops.add_to_collection(ops.GraphKeys.LOCAL_VARIABLES, v)
        kept.remove(v)
