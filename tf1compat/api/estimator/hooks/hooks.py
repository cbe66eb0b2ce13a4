"""`tensorflow_estimator.python.estimator.hooks.hooks`."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.estimator import estimator as estimator_lib
from tf1compat.api.training import (
    basic_session_run_hooks,
    evaluation,
    hook_timers,
    session_run_hook,
    training_util,
)
from tf1compat.api.training import scaffold as scaffold_lib
from tf1compat.api.variables import state_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.session_interface import SessionInterface
from tf1compat.core.typing import Name


def _variables_by_name() -> dict[str, Any]:
    return {v.name: v for v in ops.get_collection(ops.GraphKeys.GLOBAL_VARIABLES)}


@tf_export("estimator.experimental.InMemoryEvaluatorHook")
class InMemoryEvaluatorHook(session_run_hook.SessionRunHook):
    """Evaluates while it is trained, without checkpoints between.

    Args:
      estimator: the estimator that is trained.
      input_fn, steps, hooks, name: as in `Estimator.evaluate`.
      every_n_iter: after how many runs.

    Raises:
      ValueError: an argument is wrong, or the estimator runs in a cluster.
    """

    def __init__(
        self, estimator: Any, input_fn: Callable[..., Any], steps: Any = None, hooks: Any = None,
        name: Name = None, every_n_iter: Any = 100,
    ):  # fmt: skip
        if every_n_iter is None or every_n_iter <= 0:
            raise ValueError(f"invalid every_n_iter={every_n_iter}.")
        config = estimator.config
        if config.num_ps_replicas > 0 or config.num_worker_replicas > 1:
            raise ValueError("InMemoryEvaluator supports only single machine (aka Local) setting.")
        self._estimator = estimator
        self._input_fn = input_fn
        self._eval_dir = estimator.eval_dir(name)
        self._hooks = estimator_lib._check_hooks_type(hooks)
        if steps is not None:
            if steps <= 0:
                raise ValueError(f"Must specify steps > 0, given: {steps}")
            self._hooks.append(evaluation._StopAfterNEvalsHook(num_evals=steps))
        self._timer = hook_timers.SecondOrStepTimer(every_steps=every_n_iter)

    def begin(self) -> None:
        """Records the graph of the evaluation.

        Raises:
          ValueError: the model has a saver or an init_fn of its own.
        """
        self._timer.reset()
        self._iter_count = 0
        self._graph = ops.Graph()
        with self._graph.as_default():
            self._built = self._estimator._evaluate_build_graph(
                self._input_fn, self._hooks, checkpoint_path=None
            )
            scaffold = self._built[0]
            if scaffold.saver is not None:
                raise ValueError("InMemoryEvaluator does not support custom saver")
            if scaffold.init_fn is not None:
                raise ValueError("InMemoryEvaluator does not support custom init_fn")
            self._eval_variables = _variables_by_name()
            self._placeholders = {
                name: array_ops.placeholder(variable.dtype)
                for name, variable in self._eval_variables.items()
            }

    def after_create_session(self, session: SessionInterface, coord: Any) -> None:
        """Evaluates for the first time.

        Raises:
          ValueError: there are things to save that are no variables.
        """
        if ops.get_collection(ops.GraphKeys.SAVEABLE_OBJECTS):
            raise ValueError(
                "InMemoryEvaluator does not support saveables other than global variables."
            )
        self._train_variables = {
            name: variable
            for name, variable in _variables_by_name().items()
            if name in self._placeholders
        }
        with self._graph.as_default():
            self._transfer = control_flow_ops.group(
                [
                    state_ops.assign(self._eval_variables[name], self._placeholders[name])
                    for name in self._train_variables
                ]
            )
        self._evaluate(session)

    def _evaluate(self, train_session: Any) -> None:
        values = train_session.run(self._train_variables)
        feeds = {self._placeholders[name]: value for name, value in values.items()}

        def feed_variables(scaffold: Any, session: SessionInterface) -> None:
            session.run(self._transfer, feed_dict=feeds)

        scaffold, update_op, metrics, hooks = self._built
        scaffold = scaffold_lib.Scaffold(init_fn=feed_variables, copy_from_scaffold=scaffold)
        with self._graph.as_default():
            # What is fetched besides is added to the dict.
            self._estimator._evaluate_run(None, scaffold, update_op, metrics, hooks, self._eval_dir)
        self._timer.update_last_triggered_step(self._iter_count)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Evaluates, if it is time."""
        self._iter_count += 1
        if self._timer.should_trigger_for_step(self._iter_count):
            self._evaluate(run_context.session)

    def end(self, session: SessionInterface) -> None:
        """Evaluates for the last time."""
        self._evaluate(session)


class _StopAtCheckpointStepHook(session_run_hook.SessionRunHook):
    """Stops when a checkpoint of the last step is there.

    Args:
      model_dir: the folder of the checkpoints.
      last_step: the last step.
      wait_after_file_check_secs: how long to wait if it isn't.

    Raises:
      ValueError: `model_dir` or `last_step` is missing.
    """

    def __init__(self, model_dir: str, last_step: Any, wait_after_file_check_secs: Any = 30):
        for name, value in (("last_step", last_step), ("model_dir", model_dir)):
            if value is None:
                raise ValueError(f"{name} must be specified.")
        self._model_dir = model_dir
        self._last_step = last_step
        self._wait_after_file_check_secs = wait_after_file_check_secs

    def begin(self) -> None:
        """Finds the step.

        Raises:
          RuntimeError: there is none.
        """
        self._global_step_tensor = training_util.required_global_step_read(
            "StopAtCheckpointStepHook"
        )

    def before_run(self, run_context: Any) -> Any:
        """Asks for the step."""
        return session_run_hook.SessionRunArgs(self._global_step_tensor)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Stops, or waits, at the last step."""
        if run_values.results + 1 < self._last_step:
            return
        saved = estimator_lib._load_global_step_from_checkpoint_dir(self._model_dir)
        if saved >= self._last_step:
            run_context.request_stop()
        else:
            time.sleep(self._wait_after_file_check_secs)


@tf_export("estimator.experimental.make_stop_at_checkpoint_step_hook")
def make_stop_at_checkpoint_step_hook(
    estimator: Any, last_step: Any, wait_after_file_check_secs: Any = 30
) -> Any:
    """A hook that stops at a step; workers wait for the chief's checkpoint of it.

    Args:
      estimator: the estimator that is trained.
      last_step: the step.
      wait_after_file_check_secs: how long a worker waits before it looks again.

    Returns:
      A `tf.estimator.SessionRunHook`.
    """
    if estimator.config.is_chief:
        return basic_session_run_hooks.StopAtStepHook(last_step=last_step)
    return _StopAtCheckpointStepHook(estimator.model_dir, last_step, wait_after_file_check_secs)
