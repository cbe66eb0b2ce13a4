"""What monitors are (of `tensorflow.contrib.learn.python.learn.monitors`).

What came before `tf.train.SessionRunHook`: a monitor says before each step what it wants to see of
it, and is shown it afterwards. `RunHookAdapterForMonitors` makes hooks of them.
"""

from __future__ import annotations

from typing import Any

from tf1compat.api.training import session_run_hook, training_util
from tf1compat.api.util import tf_inspect
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import export, ops
from tf1compat.core.session_interface import SessionInterface

_monitor = export.internal_class("tensorflow.contrib.learn.python.learn.monitors")


@_monitor
class BaseMonitor:
    """Sees what a training does.

    A training calls `begin`, then `step_begin`, `step_end` and `post_step` for each step, and
    `end`.
    """

    @deprecated("2016-12-05", "Monitors are deprecated. Please use tf.train.SessionRunHook.")
    def __init__(self):
        self._begun = False
        self._current_epoch: Any = None
        self._current_step: Any = None
        self._max_steps: Any = None
        self._estimator: Any = None

    @property
    def run_on_all_workers(self) -> bool:
        """Whether those that are not the chief run it too."""
        return False

    def set_estimator(self, estimator: Any) -> None:
        """Says whose training it is.

        Raises:
          ValueError: it is None.
        """
        if estimator is None:
            raise ValueError("Missing estimator.")
        self._estimator = estimator

    def begin(self, max_steps: Any = None) -> None:
        """A training begins, which ends at `max_steps`, if that is known.

        Raises:
          ValueError: one began already.
        """
        if self._begun:
            raise ValueError("begin called twice without end.")
        self._begun, self._max_steps = True, max_steps

    def end(self, session: SessionInterface | None = None) -> None:
        """The training ends.

        Raises:
          ValueError: none began.
        """
        del session
        if not self._begun:
            raise ValueError("end called without begin.")
        self._begun, self._max_steps = False, None

    def epoch_begin(self, epoch: int) -> None:
        """An epoch begins.

        Raises:
          ValueError: the one before has not ended, or the number is negative.
        """
        if self._current_epoch is not None:
            raise ValueError("epoch_begin called twice without epoch_end.")
        if epoch < 0:
            raise ValueError(f"Invalid epoch {epoch}.")
        self._current_epoch = epoch

    def epoch_end(self, epoch: int) -> None:
        """The epoch ends.

        Raises:
          ValueError: another one began.
        """
        if self._current_epoch != epoch:
            raise ValueError("epoch_end expected %s but got %s.", self._current_epoch, epoch)
        self._current_epoch = None

    def step_begin(self, step: int) -> list[Any]:
        """A step begins.

        Returns:
          The names of tensors, or tensors, whose values `step_end` gets.

        Raises:
          ValueError: the number is negative, or beyond the last.
        """
        if step < 0 or (self._max_steps is not None and step > self._max_steps):
            raise ValueError(f"Invalid step {step}.")
        self._current_step = step
        return []

    def step_end(self, step: int, output: dict[Any, Any]) -> bool:
        """A step has ended.

        Args:
          output: {what was asked for: its value}.

        Returns:
          True to end the training.

        Raises:
          ValueError: another step began.
        """
        del output
        if self._current_step != step:
            raise ValueError("step_end expected %s but got %s.", self._current_step, step)
        self._current_step = None
        return False

    def post_step(self, step: int, session: SessionInterface) -> None:
        """All monitors have seen the step."""


def _extract_output(outputs: dict[Any, Any], request: Any) -> Any:
    return outputs[request] if request in outputs else outputs[request.name]


@_monitor
class EveryN(BaseMonitor):
    """Acts at the first steps, at every n-th one after that, and at the last.

    Args:
      every_n_steps: n.
      first_n_steps: how many first steps it acts at.
    """

    def __init__(self, every_n_steps: int = 100, first_n_steps: int = 1):
        super().__init__()
        self._every_n_steps = every_n_steps
        self._first_n_steps = first_n_steps
        self._last_successful_step: Any = None  # The last one that all monitors have seen.
        self._last_active_step = 0
        self._every_n_step_begin_called = False

    def every_n_step_begin(self, step: int) -> list[Any]:
        """`step_begin` of a step that it acts at."""
        del step
        return []

    def every_n_step_end(self, step: int, outputs: dict[Any, Any]) -> Any:
        """`step_end` of a step that it acts at."""
        del step, outputs
        return False

    def every_n_post_step(self, step: int, session: Any) -> None:
        """`post_step` of a step that it acts at."""

    def step_begin(self, step: int) -> list[Any]:
        """See `BaseMonitor`."""
        super().step_begin(step)
        is_due = step >= self._last_active_step + self._every_n_steps
        acts = is_due or step <= self._first_n_steps or step == self._max_steps
        self._every_n_step_begin_called = acts
        return self.every_n_step_begin(step) if acts else []

    def step_end(self, step: int, output: dict[Any, Any]) -> Any:
        """See `BaseMonitor`."""
        super().step_end(step, output)
        return self._every_n_step_begin_called and self.every_n_step_end(step, output)

    def post_step(self, step: int, session: SessionInterface) -> None:
        """See `BaseMonitor`."""
        super().post_step(step, session)
        if self._every_n_step_begin_called:
            self.every_n_post_step(step, session)
            self._last_active_step = step
        self._last_successful_step = step

    def end(self, session: SessionInterface | None = None) -> None:
        """See `BaseMonitor`."""
        super().end(session=session)
        if self._last_active_step != self._last_successful_step:
            self.every_n_post_step(self._last_successful_step, session)


@_monitor
class RunHookAdapterForMonitors(session_run_hook.SessionRunHook):
    """A hook of several monitors.

    Args:
      monitors: a list of them.
    """

    def __init__(self, monitors: list[Any]):
        self._monitors = monitors
        self._last_step: Any = None
        self._global_step_tensor: Any = None

    def begin(self) -> None:
        """See `SessionRunHook`."""
        self._last_step = None
        self._global_step_tensor = training_util.get_global_step()
        for monitor in self._monitors:
            monitor.begin(max_steps=None)

    def before_run(self, run_context: Any) -> Any:
        """See `SessionRunHook`."""
        step = self._global_step_tensor
        if self._last_step is None:
            self._last_step = run_context.session.run(step) + 1
        wanted: list[Any] = []
        for monitor in self._monitors:
            asked = monitor.step_begin(self._last_step)
            if asked and not isinstance(asked, list):
                raise ValueError("Monitor.step_begin should return a list.")
            wanted += asked or []
        request = {step: step}
        if wanted:
            request["monitors"] = {each: _as_graph_element(each) for each in wanted}
        return session_run_hook.SessionRunArgs(request)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """See `SessionRunHook`."""
        found = run_values.results.get("monitors", {})
        for monitor in self._monitors:
            if monitor.step_end(self._last_step, found):
                run_context.request_stop()
        # Only once none of them stops any more, as it may have saved what others look at.
        for monitor in self._monitors:
            monitor.post_step(self._last_step, run_context.session)
        self._last_step = run_values.results[self._global_step_tensor] + 1

    def end(self, session: SessionInterface) -> None:
        """See `SessionRunHook`."""
        self._last_step = None
        for monitor in self._monitors:
            takes_session = "session" in tf_inspect.getargspec(monitor.end).args
            monitor.end(**({"session": session} if takes_session else {}))


def replace_monitors_with_hooks(monitors_or_hooks: Any, estimator: Any) -> list[Any]:
    """Hooks for a list of hooks and monitors.

    Args:
      monitors_or_hooks: the list, or None.
      estimator: what is trained.

    Returns:
      The hooks; the last is of all monitors, if there are any. Those that are not the chief run
      only the monitors that say so.
    """
    hooks: list[Any] = []
    monitors: list[Any] = []
    for each in monitors_or_hooks or []:
        is_hook = isinstance(each, session_run_hook.SessionRunHook)
        (hooks if is_hook else monitors).append(each)
    if not estimator.config.is_chief:
        monitors = [monitor for monitor in monitors if monitor.run_on_all_workers]
    for monitor in monitors:
        monitor.set_estimator(estimator)
    return [*hooks, RunHookAdapterForMonitors(monitors)] if monitors else hooks


def _as_graph_element(wanted: Any) -> Any:
    """The tensor of a name, with or without the output's number."""
    graph = ops.get_default_graph()
    if not isinstance(wanted, str):
        if getattr(wanted, "graph", None) is not graph:
            raise ValueError(
                f"Passed {wanted} should have graph attribute that is equal to current graph "
                f"{graph}."
            )
        return wanted
    if ":" in wanted:
        return graph.as_graph_element(wanted)
    tensor = graph.as_graph_element(wanted + ":0")
    if len(tensor.op.outputs) > 1:
        raise ValueError(
            f"Name {wanted} is ambiguous, as this `Operation` has multiple outputs (at least 2)."
        )
    return tensor
