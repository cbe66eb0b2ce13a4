"""`tensorflow.python.training.sync_replicas_optimizer`: one step of several replicas at once."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.queues import conditional_accumulators, data_flow_ops
from tf1compat.api.training import optimizer
from tf1compat.api.training.queue_runner_impl import QueueRunner
from tf1compat.api.training.session_run_hook import SessionRunHook
from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.variables import state_ops, variables
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.indexed_slices import IndexedSlices
from tf1compat.core.session_interface import SessionInterface
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike


@tf_export("train.SyncReplicasOptimizer")
class SyncReplicasOptimizer(optimizer._WrappingOptimizer, optimizer.Optimizer):
    """Averages the gradients of several replicas and applies them once.

    Each replica adds its gradients to accumulators, and waits for a token of the queue that the
    chief fills as soon as it has applied enough of them.

    Args:
      opt: the Optimizer that applies them.
      replicas_to_aggregate: how many gradients make a step.
      total_num_replicas: how many replicas there are; as many by default.
      variable_averages: an ExponentialMovingAverage to update after each step.
      variables_to_average: what it averages.
      use_locking: as of any optimizer.
      name: the name scope, "sync_replicas" by default.
    """

    @deprecated(
        None,
        "The `SyncReplicaOptimizer` class is deprecated. For synchrononous training, please use "
        "[Distribution Strategies](https://github.com/tensorflow/tensorflow/tree/master/"
        "tensorflow/contrib/distribute).",
    )
    def __init__(
        self,
        opt: Any,
        replicas_to_aggregate: Any,
        total_num_replicas: Any = None,
        variable_averages: Any = None,
        variables_to_average: Any = None,
        use_locking: bool = False,
        name: Any = "sync_replicas",
    ):
        if total_num_replicas is None:
            total_num_replicas = replicas_to_aggregate
        super().__init__(use_locking, name)
        logging.info(
            "SyncReplicasV2: replicas_to_aggregate=%s; total_num_replicas=%s",
            replicas_to_aggregate,
            total_num_replicas,
        )
        self._opt = opt
        self._replicas_to_aggregate = replicas_to_aggregate
        self._total_num_replicas = total_num_replicas
        self._tokens_per_step = max(total_num_replicas, replicas_to_aggregate)
        self._variable_averages = variable_averages
        self._variables_to_average = variables_to_average
        self._gradients_applied = False
        self._global_step: Any = None
        self._sync_token_queue: Any = None
        self._chief_queue_runner: Any = None
        self._accumulator_list: list[Any] = []

    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: Name = None
    ) -> Any:
        """Records how gradients are handed in, and how the chief applies them.

        Args:
          grads_and_vars: (gradient, variable) pairs, as of `compute_gradients`.
          global_step: the variable that counts the steps.
          name: ignored, as in TF.

        Returns:
          The operation that a replica runs for a step.

        Raises:
          ValueError: there are no pairs, or there is no `global_step`.
        """
        if not grads_and_vars:
            raise ValueError("Must supply at least one variable")
        if global_step is None:
            raise ValueError("Global step is required to check staleness")
        self._global_step = global_step
        anchor = control_flow_ops.no_op()
        with ops.colocate_with(anchor):
            self._local_step = variables.VariableV1(
                initial_value=0,
                trainable=False,
                collections=[ops.GraphKeys.LOCAL_VARIABLES],
                dtype=global_step.dtype.base_dtype,
                name="sync_rep_local_step",
            )
        self.local_step_init_op = state_ops.assign(self._local_step, global_step)
        self.ready_for_local_init_op = variables.report_uninitialized_variables(
            variables.global_variables()
        )
        with ops.name_scope(None, self._name):
            train_ops: list[Any] = []
            aggregated = []
            for grad, var in grads_and_vars:
                with ops.device(var.device):
                    aggregated.append((self._accumulated(grad, var, train_ops), var))
            device = global_step.device
            with ops.device(device), ops.name_scope(""):
                update_op = self._opt.apply_gradients(aggregated, global_step)
            with ops.device(device), ops.name_scope(""):
                tokens = data_flow_ops.FIFOQueue(
                    -1,
                    global_step.dtype.base_dtype,
                    shapes=(),
                    name="sync_token_q",
                    shared_name="sync_token_q",
                )
                self._sync_token_queue = tokens
                dummy_queue = data_flow_ops.FIFOQueue(
                    1, dtypes.int32, shapes=(), name="dummy_queue", shared_name="dummy_queue"
                )
            with ops.device(device), ops.name_scope(""):
                with ops.control_dependencies(train_ops):
                    token = tokens.dequeue()
                train_op = state_ops.assign(self._local_step, token)
                with ops.control_dependencies([update_op]):
                    filled = array_ops.fill([self._tokens_per_step], global_step)
                    sync_op = tokens.enqueue_many((filled,))
                if self._variable_averages is not None:
                    with ops.control_dependencies([sync_op]), ops.name_scope(""):
                        sync_op = self._variable_averages.apply(self._variables_to_average)
                self._chief_queue_runner = QueueRunner(dummy_queue, [sync_op])
            init_ops = [self.local_step_init_op]
            for accumulator, device in self._accumulator_list:
                with ops.device(device):
                    init_ops.append(accumulator.set_global_step(global_step, name="SetGlobalStep"))
            self.chief_init_op = control_flow_ops.group(*init_ops)
            self._gradients_applied = True
            return train_op

    def _accumulated(self, grad: TensorLike | None, var: Any, train_ops: list[Any]) -> Any:
        """The gradient of all replicas; adds what hands in this one's to `train_ops`."""
        if grad is None:
            return None
        shared_name = var.name + "/grad_accum"
        accumulator: Any
        if isinstance(grad, Tensor):
            accumulator = conditional_accumulators.ConditionalAccumulator(
                grad.dtype, shape=var.get_shape(), shared_name=shared_name
            )
            train_ops.append(accumulator.apply_grad(grad, local_step=self._local_step))
            taken: Any = accumulator.take_grad(self._replicas_to_aggregate)
        elif isinstance(grad, IndexedSlices):
            accumulator = conditional_accumulators.SparseConditionalAccumulator(
                grad.dtype, shape=(), shared_name=shared_name
            )
            train_ops.append(
                accumulator.apply_indexed_slices_grad(grad, local_step=self._local_step)
            )
            taken = accumulator.take_indexed_slices_grad(self._replicas_to_aggregate)
        else:
            raise ValueError("Unknown grad type!")
        self._accumulator_list.append((accumulator, var.device))
        return taken

    def get_chief_queue_runner(self) -> Any:
        """The QueueRunner that applies the gradients; the chief starts it.

        Raises:
          ValueError: `apply_gradients` was not called.
        """
        if self._gradients_applied is False:
            raise ValueError("Should be called after apply_gradients().")
        return self._chief_queue_runner

    def variables(self) -> Any:
        """`variables` of the optimizer within."""
        return self._opt.variables()

    def get_init_tokens_op(self, num_tokens: Any = -1) -> Any:
        """Records how the chief fills the queue of tokens at first.

        Args:
          num_tokens: how many tokens; `replicas_to_aggregate` by default.

        Raises:
          ValueError: `apply_gradients` was not called, or there are too few tokens for a step.
        """
        if self._gradients_applied is False:
            raise ValueError("get_init_tokens_op() should be called after apply_gradients().")
        needed = self._replicas_to_aggregate - self._total_num_replicas
        if num_tokens == -1:
            num_tokens = self._replicas_to_aggregate
        elif num_tokens < needed:
            raise ValueError(
                f"Too few tokens to finish the first step: {num_tokens} (given) vs {needed} "
                "(needed)"
            )
        if num_tokens <= 0:
            return control_flow_ops.no_op(name="no_init_tokens")
        with ops.device(self._global_step.device), ops.name_scope(""):
            tokens = array_ops.fill([num_tokens], self._global_step)
            return self._sync_token_queue.enqueue_many((tokens,))

    def make_session_run_hook(self, is_chief: Any, num_tokens: Any = -1) -> Any:
        """The hook of a monitored session that initializes all of this and starts the chief's
        queue runner.

        Args:
          is_chief: whether this replica is the chief.
          num_tokens: as of `get_init_tokens_op`.
        """
        return _SyncReplicasOptimizerHook(self, is_chief, num_tokens)


class _SyncReplicasOptimizerHook(SessionRunHook):
    """Initializes what a SyncReplicasOptimizer needs."""

    def __init__(self, sync_optimizer: Any, is_chief: Any, num_tokens: Any):
        self._sync_optimizer = sync_optimizer
        self._is_chief = is_chief
        self._num_tokens = num_tokens

    def begin(self) -> None:
        """Records the chief's first tokens."""
        sync = self._sync_optimizer
        if sync._gradients_applied is False:
            raise ValueError(
                "SyncReplicasOptimizer.apply_gradient should be called before using the hook."
            )
        self._ready_for_local_init_op = sync.ready_for_local_init_op
        self._local_init_op = sync.chief_init_op if self._is_chief else sync.local_step_init_op
        self._q_runner = sync.get_chief_queue_runner() if self._is_chief else None
        self._init_tokens_op = sync.get_init_tokens_op(self._num_tokens) if self._is_chief else None

    def after_create_session(self, session: SessionInterface, coord: Any) -> None:
        """Runs the initialization and starts the queue runner."""
        missing = session.run(self._ready_for_local_init_op)
        if len(missing):
            names = ", ".join(name.decode() for name in missing)
            raise RuntimeError(
                "Init operations did not make model ready for SyncReplicasOptimizer local_init. "
                f"Init op: {self._local_init_op.name}, error: Variables not initialized: {names}"
            )
        session.run(self._local_init_op)
        if self._init_tokens_op is not None:
            session.run(self._init_tokens_op)
        if self._q_runner is not None:
            self._q_runner.create_threads(session, coord=coord, daemon=True, start=True)
