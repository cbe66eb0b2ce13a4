"""The hooks that write files (of TF's `basic_session_run_hooks`)."""

from __future__ import annotations

import os
from typing import Any

from tf1compat.api.client import timeline
from tf1compat.api.framework import graph_io, meta_graph
from tf1compat.api.lib.io import file_io
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.summary.writer.writer_cache import FileWriterCache
from tf1compat.api.training import session_run_hook, training_util
from tf1compat.api.training.hook_timers import SecondOrStepTimer
from tf1compat.api.training.session_run_hook import SessionRunArgs
from tf1compat.core import ops, protos
from tf1compat.core.export import tf_export
from tf1compat.core.session_interface import SessionInterface
from tf1compat.core.typing import TensorLike


def session_log(status: str, **fields: Any) -> Any:
    log = protos.load("event_pb2", "SessionLog")
    return log(status=getattr(log, status), **fields)


@tf_export("estimator.CheckpointSaverListener", "train.CheckpointSaverListener")
class CheckpointSaverListener:
    """Code that a `CheckpointSaverHook` calls; each method may be overridden."""

    def begin(self) -> None:
        """Called before the session is made."""

    def before_save(self, session: SessionInterface, global_step_value: Any) -> None:
        """Called before a checkpoint is written."""

    def after_save(self, session: SessionInterface, global_step_value: Any) -> Any:
        """Called after a checkpoint was written; True stops the session."""

    def end(self, session: SessionInterface, global_step_value: Any) -> None:
        """Called at the end, after the last checkpoint."""


def _due_step(hook: Any, session: SessionInterface, stale: Any) -> Any:
    """The global step if it is time for a hook to act, else None.

    Args:
      hook: the hook.
      session: the session.
      stale: the global step as the run read it, before the steps that it made.
    """
    if not hook._timer.should_trigger_for_step(stale + hook._steps_per_run):
        return None
    step = session.run(hook._global_step_tensor)
    return step if hook._timer.should_trigger_for_step(step) else None


@tf_export("estimator.CheckpointSaverHook", "train.CheckpointSaverHook")
class CheckpointSaverHook(session_run_hook.SessionRunHook):
    """Writes checkpoints: at the start, from time to time, and at the end.

    Args:
      checkpoint_dir: the directory.
      save_secs: write one every so many seconds.
      save_steps: write one every so many steps.
      saver: a `Saver`; the one of the scaffold, or of the graph, by default.
      checkpoint_basename: the files' name.
      scaffold: a `Scaffold` that has the saver.
      listeners: `CheckpointSaverListener`s.

    Raises:
      ValueError: not one of the times is given, or both a saver and a scaffold.
    """

    _created = "Create CheckpointSaverHook."

    def __init__(
        self, checkpoint_dir: str, save_secs: int | None = None, save_steps: Any = None,
        saver: Any = None, checkpoint_basename: str = "model.ckpt", scaffold: Any = None,
        listeners: Any = None,
    ):  # fmt: skip
        logging.info(self._created)
        if saver is not None and scaffold is not None:
            raise ValueError("You cannot provide both saver and scaffold.")
        self._saver = saver
        self._checkpoint_dir = checkpoint_dir
        self._save_path = os.path.join(checkpoint_dir, checkpoint_basename)
        self._scaffold = scaffold
        self._timer = SecondOrStepTimer(every_secs=save_secs, every_steps=save_steps)
        self._listeners = listeners or []
        self._steps_per_run = 1

    def _set_steps_per_run(self, steps_per_run: int) -> None:
        self._steps_per_run = steps_per_run

    def begin(self) -> None:
        self._summary_writer = FileWriterCache.get(self._checkpoint_dir)
        self._global_step_tensor = training_util.required_global_step_read("CheckpointSaverHook")
        for listener in self._listeners:
            listener.begin()

    def after_create_session(self, session: SessionInterface, coord: Any) -> None:
        global_step = session.run(self._global_step_tensor)
        graph = ops.get_default_graph()
        # Only now are all hooks through with adding to the graph.
        graph_def = graph.as_graph_def(add_shapes=True)
        graph_io.write_graph(graph_def, self._checkpoint_dir, "graph.pbtxt")
        saver = self._get_saver()
        meta_graph_def = meta_graph.create_meta_graph_def(
            graph_def=graph_def, saver_def=saver.saver_def if saver else None
        )
        self._summary_writer.add_graph(graph)
        self._summary_writer.add_meta_graph(meta_graph_def)
        self._save(session, global_step)
        self._timer.update_last_triggered_step(global_step)

    def before_run(self, run_context: session_run_hook.SessionRunContext) -> Any:
        return SessionRunArgs(self._global_step_tensor)

    def after_run(
        self,
        run_context: session_run_hook.SessionRunContext,
        run_values: session_run_hook.SessionRunValues,
    ) -> None:
        step = _due_step(self, run_context.session, run_values.results)
        if step is not None:
            self._timer.update_last_triggered_step(step)
            if self._save(run_context.session, step):
                run_context.request_stop()

    def end(self, session: SessionInterface) -> None:
        last_step = session.run(self._global_step_tensor)
        if last_step != self._timer.last_triggered_step():
            self._save(session, last_step)
        for listener in self._listeners:
            listener.end(session, last_step)

    def _save(self, session: Any, step: Any) -> bool:
        """Writes a checkpoint; whether a listener wants to stop."""
        stopping = self._write(session, step)
        for listener in stopping:
            logging.info(
                "A CheckpointSaverListener requested that training be stopped. "
                f"listener: {listener}"
            )
        return bool(stopping)

    def _write(self, session: Any, step: Any) -> list[Any]:
        """Writes a checkpoint; the listeners that want to stop."""
        logging.info("Saving checkpoints for %d into %s.", step, self._save_path)
        for listener in self._listeners:
            listener.before_save(session, step)
        self._get_saver().save(session, self._save_path, global_step=step)
        self._summary_writer.add_session_log(
            session_log("CHECKPOINT", checkpoint_path=self._save_path), step
        )
        return [one for one in self._listeners if one.after_save(session, step)]

    def _get_saver(self) -> Any:
        if self._saver is not None:
            return self._saver
        if self._scaffold is not None:
            return self._scaffold.saver
        key = ops.GraphKeys.SAVERS
        savers = ops.get_collection(key)
        if not savers:
            raise RuntimeError(
                f"No items in collection {key}. Please add a saver to the collection or provide a "
                "saver or scaffold."
            )
        if len(savers) > 1:
            raise RuntimeError(
                f"More than one item in collection {key}. Please indicate which one to use by "
                "passing it to the constructor."
            )
        self._saver = savers[0]
        return self._saver


@tf_export("estimator.StepCounterHook", "train.StepCounterHook")
class StepCounterHook(session_run_hook.SessionRunHook):
    """Logs and summarises how many steps a second are made.

    Args:
      every_n_steps: do so every so many steps.
      every_n_secs: do so every so many seconds.
      output_dir: the directory of the event file.
      summary_writer: a `FileWriter` in its place.

    Raises:
      ValueError: not one of the times is given.
    """

    def __init__(
        self, every_n_steps: Any = 100, every_n_secs: Any = None, output_dir: str | None = None,
        summary_writer: Any = None,
    ):  # fmt: skip
        if (every_n_steps is None) == (every_n_secs is None):
            raise ValueError("exactly one of every_n_steps and every_n_secs should be provided.")
        self._timer = SecondOrStepTimer(every_steps=every_n_steps, every_secs=every_n_secs)
        self._summary_writer = summary_writer
        self._output_dir = output_dir
        self._last_global_step: Any = None
        self._steps_per_run = 1

    def _set_steps_per_run(self, steps_per_run: int) -> None:
        self._steps_per_run = steps_per_run

    def begin(self) -> None:
        if self._summary_writer is None and self._output_dir:
            self._summary_writer = FileWriterCache.get(self._output_dir)
        self._global_step_tensor = training_util.required_global_step_read("StepCounterHook")
        self._summary_tag = training_util.get_global_step().op.name + "/sec"

    def before_run(self, run_context: session_run_hook.SessionRunContext) -> Any:
        return SessionRunArgs(self._global_step_tensor)

    def _log_and_record(
        self, elapsed_steps: Any, elapsed_time: Any, global_step: TensorLike
    ) -> None:
        rate = elapsed_steps / elapsed_time
        if self._summary_writer is not None:
            summary = protos.load("summary_pb2", "Summary")()
            summary.value.add(tag=self._summary_tag, simple_value=rate)
            self._summary_writer.add_summary(summary, global_step)
        logging.info("%s: %g", self._summary_tag, rate)

    def after_run(
        self,
        run_context: session_run_hook.SessionRunContext,
        run_values: session_run_hook.SessionRunValues,
    ) -> None:
        stale = run_values.results
        step = _due_step(self, run_context.session, stale)
        if step is not None:
            elapsed_time, elapsed_steps = self._timer.update_last_triggered_step(step)
            if elapsed_time is not None:
                self._log_and_record(elapsed_steps, elapsed_time, step)
        if stale == self._last_global_step:
            logging.log_first_n(
                logging.WARN,
                "It seems that global step (tf.train.get_global_step) has not been increased. "
                "Current value (could be stable): %s vs previous value: %s. You could increase "
                "the global step by passing tf.train.get_global_step() to "
                "Optimizer.apply_gradients or Optimizer.minimize.",
                5,
                stale,
                self._last_global_step,
            )
        self._last_global_step = stale


@tf_export("estimator.SummarySaverHook", "train.SummarySaverHook")
class SummarySaverHook(session_run_hook.SessionRunHook):
    """Writes summaries from time to time.

    Args:
      save_steps: do so every so many steps.
      save_secs: do so every so many seconds.
      output_dir: the directory of the event file.
      summary_writer: a `FileWriter` in its place.
      scaffold: a `Scaffold` that has the summaries.
      summary_op: a summary, or a list of them.

    Raises:
      ValueError: not one of the times is given, or not one of `scaffold` and `summary_op`.
    """

    def __init__(
        self, save_steps: Any = None, save_secs: int | None = None, output_dir: str | None = None,
        summary_writer: Any = None, scaffold: Any = None, summary_op: Any = None,
    ):  # fmt: skip
        if (scaffold is None) == (summary_op is None):
            raise ValueError("Exactly one of scaffold or summary_op must be provided.")
        self._summary_op = summary_op
        self._summary_writer = summary_writer
        self._output_dir = output_dir
        self._scaffold = scaffold
        self._timer = SecondOrStepTimer(every_secs=save_secs, every_steps=save_steps)

    def begin(self) -> None:
        if self._summary_writer is None and self._output_dir:
            self._summary_writer = FileWriterCache.get(self._output_dir)
        self._next_step: Any = None
        self._global_step_tensor = training_util.required_global_step_read("SummarySaverHook")

    def before_run(self, run_context: session_run_hook.SessionRunContext) -> Any:
        self._request_summary = self._next_step is None or self._timer.should_trigger_for_step(
            self._next_step
        )
        requests = {"global_step": self._global_step_tensor}
        if self._request_summary:
            summaries = self._get_summary_op()
            if summaries is not None:
                requests["summary"] = summaries
        return SessionRunArgs(requests)

    def after_run(
        self,
        run_context: session_run_hook.SessionRunContext,
        run_values: session_run_hook.SessionRunValues,
    ) -> None:
        if not self._summary_writer:
            return
        global_step = run_values.results["global_step"] + 1
        if self._next_step is None or self._request_summary:
            global_step = run_context.session.run(self._global_step_tensor)
        if self._next_step is None:
            self._summary_writer.add_session_log(session_log("START"), global_step)
        if self._request_summary:
            self._timer.update_last_triggered_step(global_step)
            for summary in run_values.results.get("summary", ()):
                self._summary_writer.add_summary(summary, global_step)
        self._next_step = global_step + 1

    def end(self, session: SessionInterface | None = None) -> None:
        if self._summary_writer:
            self._summary_writer.flush()

    def _get_summary_op(self) -> Any:
        """A list of summaries, or None."""
        found = self._scaffold.summary_op if self._summary_op is None else self._summary_op
        return found if found is None or isinstance(found, list) else [found]


@tf_export("estimator.ProfilerHook", "train.ProfilerHook")
class ProfilerHook(session_run_hook.SessionRunHook):
    """Writes where the time of a run went from time to time, to `timeline-<step>.json`.

    The file is a trace for Chrome (chrome://tracing).

    Args:
      save_steps, save_secs: how often; one of them.
      output_dir: the directory.
      show_dataflow: whether arrows lead from where a tensor is made to where it is used.
      show_memory: whether tensors and counters of memory are shown.

    Raises:
      ValueError: both `save_steps` and `save_secs` are given, or neither.
      RuntimeError: (when a session begins) there is no global step.
    """

    def __init__(
        self, save_steps: Any = None, save_secs: int | None = None, output_dir: str = "",
        show_dataflow: bool = True, show_memory: bool = False,
    ):  # fmt: skip
        self._output_file = os.path.join(output_dir, "timeline-{}.json")
        self._file_writer = FileWriterCache.get(output_dir)
        self._shown = {"show_dataflow": show_dataflow, "show_memory": show_memory}
        self._timer = SecondOrStepTimer(every_secs=save_secs, every_steps=save_steps)

    def begin(self) -> None:
        self._next_step: Any = None
        self._global_step_tensor = training_util.required_global_step_read("ProfilerHook")

    def before_run(self, run_context: session_run_hook.SessionRunContext) -> Any:
        self._is_traced = self._next_step is not None and self._timer.should_trigger_for_step(
            self._next_step
        )
        options = None
        if self._is_traced:
            kind = protos.load("config_pb2", "RunOptions")
            options = kind(trace_level=kind.FULL_TRACE)
        return SessionRunArgs({"global_step": self._global_step_tensor}, options=options)

    def after_run(
        self,
        run_context: session_run_hook.SessionRunContext,
        run_values: session_run_hook.SessionRunValues,
    ) -> None:
        before = run_values.results["global_step"]
        if self._next_step is None:
            self._timer.update_last_triggered_step(before)
        global_step = before + 1
        if self._is_traced:
            global_step = run_context.session.run(self._global_step_tensor)
            self._timer.update_last_triggered_step(global_step)
            self._save(global_step, run_values.run_metadata)
        self._next_step = global_step + 1

    def _save(self, step: Any, run_metadata: Any) -> None:
        path = self._output_file.format(step)
        logging.info("Saving timeline for %d into '%s'.", step, path)
        trace = timeline.Timeline(run_metadata.step_stats)
        file_io.write_string_to_file(path, trace.generate_chrome_trace_format(**self._shown))
        self._file_writer.add_run_metadata(run_metadata, f"step_{step}")
