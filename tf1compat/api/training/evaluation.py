"""Evaluation of checkpoints (`tensorflow.python.training.evaluation`)."""

from __future__ import annotations

import math
import time
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.random import init_ops
from tf1compat.api.training import (
    basic_session_run_hooks,
    monitored_session,
    session_run_hook,
)
from tf1compat.api.variables import state_ops, variable_scope
from tf1compat.core import dtypes, ops
from tf1compat.core.session_interface import SessionInterface


def _get_or_create_eval_step() -> Any:
    """The variable that counts evaluation steps; made if there is none yet.

    Raises:
      ValueError: there are several.
    """
    found = ops.get_default_graph().get_collection(ops.GraphKeys.EVAL_STEP)
    if len(found) == 1:
        return found[0]
    if len(found) > 1:
        raise ValueError("Multiple tensors added to tf.GraphKeys.EVAL_STEP")
    return variable_scope.get_variable(
        "eval_step",
        shape=[],
        dtype=dtypes.int64,
        initializer=init_ops.zeros_initializer(),
        trainable=False,
        collections=[ops.GraphKeys.LOCAL_VARIABLES, ops.GraphKeys.EVAL_STEP],
    )


def _get_latest_eval_step_value(update_ops: Any) -> Any:
    """The number of evaluation steps, read after some operations."""
    if isinstance(update_ops, dict):
        update_ops = list(update_ops.values())
    with ops.control_dependencies(update_ops):
        return array_ops.identity(_get_or_create_eval_step().read_value())


class _EvalCountHook(session_run_hook.SessionRunHook):
    """Learns with every run how many evaluation steps were made; stops after `num_evals`."""

    def __init__(self, num_evals: Any):
        self._num_evals = num_evals
        self._evals_completed: Any = None

    def _set_evals_completed_tensor(self, updated_eval_step: Any) -> None:
        self._evals_completed = updated_eval_step

    def before_run(self, run_context: Any) -> Any:
        return session_run_hook.SessionRunArgs({"evals_completed": self._evals_completed})

    def after_run(self, run_context: Any, run_values: Any) -> None:
        completed = run_values.results["evals_completed"]
        self._note(completed, run_context.session)
        if self._num_evals is not None and completed >= self._num_evals:
            run_context.request_stop()

    def _note(self, completed: Any, session: SessionInterface) -> None:
        """What there is to do after a run besides."""
        raise NotImplementedError

    def _log(self, completed: Any) -> None:
        if self._num_evals is None:
            logging.info("Evaluation [%d]", completed)
        else:
            logging.info("Evaluation [%d/%d]", completed, self._num_evals)


class _MultiStepStopAfterNEvalsHook(_EvalCountHook):
    """`_StopAfterNEvalsHook` where one run makes several steps."""

    def __init__(self, num_evals: Any, steps_per_run: int = 1):
        super().__init__(num_evals)
        self._most_per_run = steps_per_run

    def begin(self) -> None:
        self._steps_per_run_variable = (
            basic_session_run_hooks.get_or_create_steps_per_run_variable()
        )

    def _load_steps(self, completed: Any, session: SessionInterface) -> None:
        steps = self._most_per_run
        if self._num_evals is not None:
            steps = min(steps, self._num_evals - completed)
        self._steps_per_run_variable.load(steps, session=session)

    def after_create_session(self, session: SessionInterface, coord: Any) -> None:
        self._load_steps(0, session)

    def _note(self, completed: Any, session: SessionInterface) -> None:
        self._load_steps(completed, session)
        self._log(completed)


class _StopAfterNEvalsHook(_EvalCountHook):
    """Stops after a number of evaluation steps.

    Args:
      num_evals: the number; None for no stop.
      log_progress: whether to log the steps: about ten times where there are many.
    """

    def __init__(self, num_evals: Any, log_progress: bool = True):
        super().__init__(num_evals)
        self._log_progress = log_progress
        self._log_frequency = 1
        if num_evals is not None and num_evals >= 20:
            self._log_frequency = math.floor(num_evals / 10.0)

    def _note(self, completed: Any, session: SessionInterface) -> None:
        # The frequency is 1 where no number is known.
        if self._log_progress and (
            completed % self._log_frequency == 0 or completed == self._num_evals
        ):
            self._log(completed)


def _count_steps(eval_ops: Any, hooks: list[Any]) -> Any:
    """The operations of a step with the one that counts it, of which the hooks learn."""
    eval_step = _get_or_create_eval_step()
    if eval_ops is None:
        return None
    added: Any = 1
    if any(isinstance(hook, _MultiStepStopAfterNEvalsHook) for hook in hooks):
        steps = basic_session_run_hooks.get_or_create_steps_per_run_variable()
        added = math_ops.cast(steps, dtype=eval_step.dtype)
    update = state_ops.assign_add(eval_step, added, use_locking=True)
    if isinstance(eval_ops, dict):
        eval_ops["update_eval_step"] = update
    else:
        eval_ops = [*(eval_ops if isinstance(eval_ops, tuple | list) else [eval_ops]), update]
    value = _get_latest_eval_step_value(eval_ops)
    for hook in hooks:
        if isinstance(hook, _EvalCountHook):
            hook._set_evals_completed_tensor(value)
    return eval_ops


def _evaluate_once(
    checkpoint_path: str, master: Any = "", scaffold: Any = None, eval_ops: Any = None,
    feed_dict: dict[Any, Any] | None = None, final_ops: Any = None, final_ops_feed_dict: Any = None,
    hooks: Any = None, config: Any = None,
) -> Any:  # fmt: skip
    """Evaluates a checkpoint.

    Args:
      checkpoint_path: the checkpoint; None to initialise.
      master: the session's target.
      scaffold: a `Scaffold`.
      eval_ops: run until a hook stops; an operation or a list or dict of them.
      feed_dict: feeds of `eval_ops`.
      final_ops: fetched at the end.
      final_ops_feed_dict: feeds of `final_ops`.
      hooks: `SessionRunHook`s.
      config: a `ConfigProto`.

    Returns:
      The values of `final_ops`.
    """
    hooks = list(hooks or [])
    eval_ops = _count_steps(eval_ops, hooks)
    logging.info("Starting evaluation at " + time.strftime("%Y-%m-%dT%H:%M:%SZ", time.localtime()))
    creator = monitored_session.ChiefSessionCreator(
        scaffold=scaffold,
        checkpoint_filename_with_path=checkpoint_path,
        master=master,
        config=config,
    )
    final = basic_session_run_hooks.FinalOpsHook(final_ops, final_ops_feed_dict)
    with monitored_session.MonitoredSession(
        session_creator=creator, hooks=[*hooks, final]
    ) as session:
        while eval_ops is not None and not session.should_stop():
            session.run(eval_ops, feed_dict)
    logging.info("Finished evaluation at " + time.strftime("%Y-%m-%d-%H:%M:%S", time.localtime()))
    return final.final_ops_values
