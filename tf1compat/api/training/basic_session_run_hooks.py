"""The hooks that TF comes with (`tensorflow.python.training.basic_session_run_hooks`)."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.random import init_ops
from tf1compat.api.training import session_run_hook, training_util
from tf1compat.api.training.hook_timers import NeverTriggerTimer, SecondOrStepTimer
from tf1compat.api.training.saving_hooks import (
    CheckpointSaverHook as CheckpointSaverHook,
)
from tf1compat.api.training.saving_hooks import (
    CheckpointSaverListener as CheckpointSaverListener,
)
from tf1compat.api.training.saving_hooks import ProfilerHook as ProfilerHook
from tf1compat.api.training.saving_hooks import StepCounterHook as StepCounterHook
from tf1compat.api.training.saving_hooks import SummarySaverHook as SummarySaverHook
from tf1compat.api.training.session_run_hook import SessionRunArgs
from tf1compat.api.variables import variable_scope
from tf1compat.core import dtypes, errors, ops
from tf1compat.core.export import tf_export
from tf1compat.core.session_interface import SessionInterface

_HOOKS = "hooks"
_STEPS_PER_RUN_VAR = "steps_per_run"


@tf_export("estimator.LoggingTensorHook", "train.LoggingTensorHook")
class LoggingTensorHook(session_run_hook.SessionRunHook):
    """Logs the values of tensors (at level INFO) from time to time.

    Args:
      tensors: tag -> tensor or its name; or an iterable of tensors or names.
      every_n_iter: log once every so many runs.
      every_n_secs: log once every so many seconds.
      at_end: log at the end.
      formatter: a function of {tag: value} that gives the text.

    Raises:
      ValueError: not one of the times is given, or it is not positive.
    """

    def __init__(
        self, tensors: Any, every_n_iter: Any = None, every_n_secs: Any = None,
        at_end: bool = False, formatter: Any = None,
    ):  # fmt: skip
        only_at_end = at_end and every_n_iter is None and every_n_secs is None
        if not only_at_end and (every_n_iter is None) == (every_n_secs is None):
            raise ValueError(
                "either at_end and/or exactly one of every_n_iter and every_n_secs must be "
                "provided."
            )
        if every_n_iter is not None and every_n_iter <= 0:
            raise ValueError(f"invalid every_n_iter={every_n_iter}.")
        if isinstance(tensors, dict):
            self._tag_order = sorted(tensors.keys())
        else:
            self._tag_order = tensors
            tensors = {item: item for item in tensors}
        self._tensors = tensors
        self._formatter = formatter
        self._timer: Any = (
            NeverTriggerTimer()
            if only_at_end
            else SecondOrStepTimer(every_secs=every_n_secs, every_steps=every_n_iter)
        )
        self._log_at_end = at_end

    def begin(self) -> None:
        self._timer.reset()
        self._iter_count = 0
        self._current_tensors = {tag: _as_graph_element(x) for tag, x in self._tensors.items()}

    def before_run(self, run_context: session_run_hook.SessionRunContext) -> Any:
        self._should_trigger = self._timer.should_trigger_for_step(self._iter_count)
        return SessionRunArgs(self._current_tensors) if self._should_trigger else None

    def _log_tensors(self, tensor_values: Any) -> None:
        with np.printoptions(suppress=True):
            elapsed_secs, _ = self._timer.update_last_triggered_step(self._iter_count)
            if self._formatter:
                logging.info(self._formatter(tensor_values))
                return
            stats = ", ".join(f"{tag} = {tensor_values[tag]!s}" for tag in self._tag_order)
            if elapsed_secs is None:
                logging.info("%s", stats)
            else:
                logging.info("%s (%.3f sec)", stats, elapsed_secs)

    def after_run(
        self,
        run_context: session_run_hook.SessionRunContext,
        run_values: session_run_hook.SessionRunValues,
    ) -> None:
        if self._should_trigger:
            self._log_tensors(run_values.results)
        self._iter_count += 1

    def end(self, session: SessionInterface) -> None:
        if self._log_at_end:
            self._log_tensors(session.run(self._current_tensors))


def get_or_create_steps_per_run_variable() -> Any:
    """The variable that says how many steps a run makes; made if there is none yet.

    Raises:
      RuntimeError: there are several.
    """
    collection = f"{_HOOKS}_{_STEPS_PER_RUN_VAR}"
    found = ops.get_default_graph().get_collection(collection)
    if not found:
        with variable_scope.variable_scope(_HOOKS, reuse=variable_scope.AUTO_REUSE):
            return variable_scope.get_variable(
                _STEPS_PER_RUN_VAR,
                initializer=init_ops.ones_initializer(),
                shape=[],
                dtype=dtypes.int32,
                trainable=False,
                collections=[collection, ops.GraphKeys.LOCAL_VARIABLES],
                use_resource=True,
            )
    if len(found) > 1:
        raise RuntimeError("Multiple steps_per_run_var in collection.")
    return found[0]


class _LastStepHook(session_run_hook.SessionRunHook):
    """Knows the last step, or how many steps after the first it is."""

    _global_step_tensor: Any

    def __init__(self, num_steps: Any, last_step: Any):
        if num_steps is None and last_step is None:
            raise ValueError("One of num_steps or last_step must be specified.")
        if num_steps is not None and last_step is not None:
            raise ValueError("Only one of num_steps or last_step can be specified.")
        self._num_steps = num_steps
        self._last_step = last_step

    def after_create_session(self, session: SessionInterface, coord: Any) -> None:
        if self._last_step is None:
            self._last_step = session.run(self._global_step_tensor) + self._num_steps


class _MultiStepStopAtStepHook(_LastStepHook):
    """`StopAtStepHook` where one run makes several steps."""

    def __init__(self, num_steps: Any = None, last_step: Any = None, steps_per_run: Any = 1):
        super().__init__(num_steps, last_step)
        if steps_per_run is None or steps_per_run < 1:
            raise ValueError("steps_per_run should be greater than 0")
        self._most_per_run = steps_per_run

    def begin(self) -> None:
        self._global_step_tensor = training_util.get_global_step()
        if self._global_step_tensor is None:
            raise RuntimeError("Global step should be created to use StopAtStepHook.")
        self._steps_per_run_variable = get_or_create_steps_per_run_variable()

    def _steps_left(self, session: SessionInterface) -> Any:
        return self._last_step - session.run(self._global_step_tensor)

    def _plan_run(self, session: SessionInterface, left: Any) -> None:
        self._steps_per_run_variable.load(min(left, self._most_per_run), session=session)

    def after_create_session(self, session: SessionInterface, coord: Any) -> None:
        super().after_create_session(session, coord)
        self._plan_run(session, self._steps_left(session))

    def after_run(
        self,
        run_context: session_run_hook.SessionRunContext,
        run_values: session_run_hook.SessionRunValues,
    ) -> None:
        left = self._steps_left(run_context.session)
        if left > 0:
            self._plan_run(run_context.session, left)
        else:
            run_context.request_stop()


@tf_export("estimator.StopAtStepHook", "train.StopAtStepHook")
class StopAtStepHook(_LastStepHook):
    """Stops after a number of steps, or when the global step reaches a number.

    Args:
      num_steps: how many steps to make from the session's start on.
      last_step: the global step to stop at.

    Raises:
      ValueError: not one of them is given.
    """

    def __init__(self, num_steps: Any = None, last_step: Any = None):
        super().__init__(num_steps, last_step)

    def begin(self) -> None:
        self._global_step_tensor = training_util.required_global_step_read("StopAtStepHook")

    def before_run(self, run_context: session_run_hook.SessionRunContext) -> Any:
        return SessionRunArgs(self._global_step_tensor)

    def after_run(
        self,
        run_context: session_run_hook.SessionRunContext,
        run_values: session_run_hook.SessionRunValues,
    ) -> None:
        if run_values.results + 1 >= self._last_step:
            # What the run read is from before the step, if it made one at all.
            step = run_context.session.run(self._global_step_tensor)
            if step >= self._last_step:
                run_context.request_stop()


@tf_export("estimator.NanLossDuringTrainingError", "train.NanLossDuringTrainingError")
class NanLossDuringTrainingError(RuntimeError):
    """The loss became NaN."""

    def __str__(self) -> str:
        return "NaN loss during training."


@tf_export("estimator.NanTensorHook", "train.NanTensorHook")
class NanTensorHook(session_run_hook.SessionRunHook):
    """Stops when a loss becomes NaN.

    Args:
      loss_tensor: the loss.
      fail_on_nan_loss: whether to raise `NanLossDuringTrainingError`.
    """

    def __init__(self, loss_tensor: Any, fail_on_nan_loss: bool = True):
        self._loss_tensor = loss_tensor
        self._fail_on_nan_loss = fail_on_nan_loss

    def before_run(self, run_context: session_run_hook.SessionRunContext) -> Any:
        return SessionRunArgs(self._loss_tensor)

    def after_run(
        self,
        run_context: session_run_hook.SessionRunContext,
        run_values: session_run_hook.SessionRunValues,
    ) -> None:
        if not np.isnan(run_values.results):
            return
        message = "Model diverged with loss = NaN."
        if self._fail_on_nan_loss:
            logging.error(message)
            raise NanLossDuringTrainingError
        logging.warning(message)
        run_context.request_stop()


@tf_export("estimator.GlobalStepWaiterHook", "train.GlobalStepWaiterHook")
class GlobalStepWaiterHook(session_run_hook.SessionRunHook):
    """Waits before the first run until the global step reaches a number.

    Args:
      wait_until_step: the number.
    """

    def __init__(self, wait_until_step: int):
        self._wait_until_step = wait_until_step

    def begin(self) -> None:
        self._worker_is_started = False
        self._global_step_tensor = training_util.required_global_step_read("_GlobalStepWaiterHook")

    def before_run(self, run_context: session_run_hook.SessionRunContext) -> Any:
        if self._worker_is_started:
            return
        if self._wait_until_step <= 0:
            self._worker_is_started = True
            return
        text = "Waiting for global step %d before starting training."
        logging.info(text, self._wait_until_step)
        last_logged_step = 0
        while True:
            current = run_context.session.run(self._global_step_tensor)
            if current >= self._wait_until_step:
                self._worker_is_started = True
                return
            if current - last_logged_step > 1000:
                logging.info(f"{text} Current step is %d.", self._wait_until_step, current)
                last_logged_step = current
            time.sleep(0.5)


@tf_export("estimator.FinalOpsHook", "train.FinalOpsHook")
class FinalOpsHook(session_run_hook.SessionRunHook):
    """Fetches tensors at the end.

    Args:
      final_ops: what `Session.run` can fetch.
      final_ops_feed_dict: feeds of that run.
    """

    def __init__(self, final_ops: Any, final_ops_feed_dict: Any = None):
        self._final_ops = final_ops
        self._final_ops_feed_dict = final_ops_feed_dict
        self._final_ops_values: Any = None

    @property
    def final_ops_values(self) -> Any:
        """The values; None before the end."""
        return self._final_ops_values

    def end(self, session: SessionInterface) -> None:
        if self._final_ops is None:
            return
        try:
            self._final_ops_values = session.run(
                self._final_ops, feed_dict=self._final_ops_feed_dict
            )
        except (errors.OutOfRangeError, StopIteration):
            logging.warning(
                "An OutOfRangeError or StopIteration exception is raised by the code in "
                "FinalOpsHook. This typically means the Ops running by the FinalOpsHook have a "
                "dependency back to some input source, which should not happen. For example, for "
                "metrics in tf.estimator.Estimator, all metrics functions return two Ops: "
                "`value_op` and  `update_op`. Estimator.evaluate calls the `update_op` for each "
                "batch of the data in input source and, once it is exhausted, it call the "
                "`value_op` to get the metric values. The `value_op` here should have dependency "
                "back to variables reading only, rather than reading another batch from input. "
                "Otherwise, the `value_op`, executed by `FinalOpsHook`, triggers another data "
                "reading, which ends OutOfRangeError/StopIteration. Please fix that."
            )
            raise


@tf_export("estimator.FeedFnHook", "train.FeedFnHook")
class FeedFnHook(session_run_hook.SessionRunHook):
    """Feeds what a function gives.

    Args:
      feed_fn: called before each run; gives a feed dict.
    """

    def __init__(self, feed_fn: Callable[..., Any]):
        self.feed_fn = feed_fn

    def before_run(self, run_context: session_run_hook.SessionRunContext) -> Any:
        return SessionRunArgs(fetches=None, feed_dict=self.feed_fn())


def _as_graph_element(obj: Any) -> Any:
    """A tensor of the default graph, by itself or by its name (with or without ":0").

    Raises:
      ValueError: it is of another graph, or the operation has several outputs.
    """
    graph = ops.get_default_graph()
    if not isinstance(obj, str):
        if not hasattr(obj, "graph") or obj.graph != graph:
            raise ValueError(
                f"Passed {obj} should have graph attribute that is equal to current graph {graph}."
            )
        return obj
    if ":" in obj:
        return graph.as_graph_element(obj)
    element = graph.as_graph_element(obj + ":0")
    try:
        graph.as_graph_element(obj + ":1")
    except (KeyError, ValueError):
        return element
    raise ValueError(
        f"Name {obj} is ambiguous, as this `Operation` has multiple outputs (at least 2)."
    )
