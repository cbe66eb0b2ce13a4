"""`tf.train.Supervisor` (`tensorflow.python.training.supervisor`): training with services in
threads."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any

from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.framework import graph_io, meta_graph
from tf1compat.api.lookup import lookup_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.summary import summary as summary_ops
from tf1compat.api.training import coordinator, saver, training_util
from tf1compat.api.training.saving_hooks import session_log
from tf1compat.api.training.session_manager import SessionManager
from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.variables import variables
from tf1compat.core import dtypes, ops, protos
from tf1compat.core.export import tf_export
from tf1compat.core.graph import Graph
from tf1compat.core.session_interface import SessionInterface
from tf1compat.core.typing import TensorLike


@tf_export("train.Supervisor")
class Supervisor:
    """Initialises or restores a model, and saves and summarises it from threads of its own.

    What is `USE_DEFAULT` is found in the graph's collections, or made. The graph is finalized.

    Args:
      graph: the default graph by default.
      ready_op: gives the names of the variables that are not ready.
      ready_for_local_init_op: gives the names of those that `local_init_op` waits for.
      is_chief: whether this worker initialises, saves and summarises.
      init_op: initialises the variables.
      init_feed_dict: feeds of `init_op`.
      local_init_op: initialises the local variables and tables.
      logdir: where checkpoints and events are written.
      summary_op: all summaries in one; None for none.
      saver: a `Saver`; None for none.
      global_step: the global step; None for none.
      save_summaries_secs: how often to summarise; 0 for never.
      save_model_secs: how often to save; 0 for never.
      recovery_wait_secs: the pause between two tries of a worker to find the model ready.
      stop_grace_secs: how long threads may take to stop.
      checkpoint_basename: the checkpoints' name.
      session_manager: a `SessionManager`.
      summary_writer: a `FileWriter`; None for none.
      init_fn: called with the session after `init_op`.
      local_init_run_options: `RunOptions` for `local_init_op`.

    Raises:
      RuntimeError: when executing eagerly.
    """

    USE_DEFAULT = 0

    @deprecated(None, "Please switch to tf.train.MonitoredTrainingSession")
    def __init__(
        self, graph: Graph | None = None, ready_op: Any = USE_DEFAULT,
        ready_for_local_init_op: Any = USE_DEFAULT, is_chief: bool = True,
        init_op: Any = USE_DEFAULT, init_feed_dict: Any = None, local_init_op: Any = USE_DEFAULT,
        logdir: str | None = None, summary_op: Any = USE_DEFAULT, saver: Any = USE_DEFAULT,
        global_step: TensorLike = USE_DEFAULT, save_summaries_secs: Any = 120,
        save_model_secs: Any = 600,
        recovery_wait_secs: Any = 30, stop_grace_secs: Any = 120,
        checkpoint_basename: str = "model.ckpt", session_manager: Any = None,
        summary_writer: Any = USE_DEFAULT, init_fn: Callable[..., Any] | None = None,
        local_init_run_options: Any = None,
    ):  # fmt: skip
        if ops.executing_eagerly():
            raise RuntimeError("Supervisors are compatible with eager execution.")
        if graph is None:
            graph = ops.get_default_graph()
        with graph.as_default():
            keys = ops.GraphKeys
            self._ready_op = self._found(
                ready_op, keys.READY_OP, variables.report_uninitialized_variables
            )
            self._ready_for_local_init_op = self._found(
                ready_for_local_init_op, keys.READY_FOR_LOCAL_INIT_OP, lambda: None
            )
            self._init_op = self._found(
                init_op, keys.INIT_OP, variables.global_variables_initializer
            )
            self._init_feed_dict = init_feed_dict
            self._local_init_op = self._found(
                local_init_op, keys.LOCAL_INIT_OP, _default_local_init_op
            )
            self._saver = self._found(saver, keys.SAVERS, _default_saver)
            self._summary_op = self._found(summary_op, keys.SUMMARY_OP, summary_ops.merge_all)
            self._global_step = self._found(
                global_step, keys.GLOBAL_STEP, self._default_global_step_tensor
            )
        self._graph = graph
        self._meta_graph_def = _meta_graph_def(graph, self._saver)
        self._is_chief = is_chief
        self._coord = coordinator.Coordinator()
        self._stop_grace_secs = stop_grace_secs
        self._init_fn = init_fn
        self._logdir: Any = None
        self._save_summaries_secs: Any = None
        self._save_model_secs: Any = None
        self._save_path: Any = None
        self._summary_writer: Any = None
        if is_chief:
            self._logdir = logdir
            self._save_summaries_secs = save_summaries_secs
            self._save_model_secs = save_model_secs
            if logdir:
                self._save_path = os.path.join(logdir, checkpoint_basename)
            if summary_writer is not Supervisor.USE_DEFAULT:
                self._summary_writer = summary_writer
            elif logdir:
                self._summary_writer = summary_ops.FileWriter(logdir)
            self._graph_added_to_summary = False
        self._session_manager = session_manager or SessionManager(
            local_init_op=self._local_init_op,
            ready_op=self._ready_op,
            ready_for_local_init_op=self._ready_for_local_init_op,
            graph=graph,
            recovery_wait_secs=recovery_wait_secs,
            local_init_run_options=local_init_run_options,
        )
        self._verify_setup()
        graph.finalize()

    def _get_first_op_from_collection(self, key: Any) -> Any:
        found = ops.get_collection(key)
        if len(found) > 1:
            logging.info("Found %d %s operations. Returning the first one.", len(found), key)
        return found[0] if found else None

    def _found(self, given: Any, key: Any, make: Callable[[], Any]) -> Any:
        """What is given; else the first of a collection; else what `make` makes, and adds to it."""
        if given is not Supervisor.USE_DEFAULT:
            return given
        found = self._get_first_op_from_collection(key)
        if found is None:
            found = make()
            if found is not None:
                ops.add_to_collection(key, found)
        return found

    is_chief = property(
        attrgetter("_is_chief"), doc="Whether this worker initialises, saves and summarises."
    )
    session_manager = property(attrgetter("_session_manager"), doc="The `SessionManager`.")
    coord = property(attrgetter("_coord"), doc="The `Coordinator` of the threads.")
    init_op = property(attrgetter("_init_op"), doc="What initialises the variables.")
    init_feed_dict = property(attrgetter("_init_feed_dict"), doc="The feeds of `init_op`.")
    ready_op = property(
        attrgetter("_ready_op"), doc="Gives the names of the variables that are not ready."
    )
    ready_for_local_init_op = property(
        attrgetter("_ready_for_local_init_op"),
        doc="Gives the names of the variables that the local initialisation waits for.",
    )
    summary_writer = property(attrgetter("_summary_writer"), doc="The `FileWriter`, or None.")
    summary_op = property(attrgetter("_summary_op"), doc="All summaries in one, or None.")
    save_summaries_secs = property(
        attrgetter("_save_summaries_secs"), doc="How often the summaries are written."
    )
    global_step = property(attrgetter("_global_step"), doc="The global step, or None.")
    saver = property(attrgetter("_saver"), doc="The `Saver`, or None.")
    save_model_secs = property(attrgetter("_save_model_secs"), doc="How often the model is saved.")
    save_path = property(attrgetter("_save_path"), doc="Where the model is saved.")

    def _write_graph(self) -> None:
        """Writes the graph to a file of its own and to the event file."""
        assert self._is_chief
        if self._logdir:
            graph_def = self._graph.as_graph_def(add_shapes=True)
            graph_io.write_graph(graph_def, self._logdir, "graph.pbtxt")
        if self._summary_writer and not self._graph_added_to_summary:
            self._summary_writer.add_graph(self._graph)
            self._summary_writer.add_meta_graph(self._meta_graph_def)
            self._graph_added_to_summary = True

    def start_standard_services(self, sess: SessionInterface) -> Any:
        """Starts the threads that summarise, count the steps and save.

        Args:
          sess: the session.

        Returns:
          The threads; None without a `logdir`.

        Raises:
          RuntimeError: this worker is not the chief.
        """
        if not self._is_chief:
            raise RuntimeError(
                "Only chief supervisor can start standard services. "
                "Because only chief supervisors can write events."
            )
        if not self._logdir:
            logging.warning("Standard services need a 'logdir' passed to the SessionManager")
            return None
        _log_at_step(self, sess, session_log("START"))
        summarises = self._save_summaries_secs and self._summary_writer
        services = {
            SVSummaryThread: summarises and self._summary_op is not None,
            SVStepCounterThread: summarises and self._global_step is not None,
            SVTimerCheckpointThread: self.saver and self._save_model_secs,
        }
        threads = [service(self, sess) for service, wanted in services.items() if wanted]
        for thread in threads:
            thread.start()
        return threads

    def prepare_or_wait_for_session(
        self, master: Any = "", config: Any = None, wait_for_checkpoint: bool = False,
        max_wait_secs: Any = 7200, start_standard_services: bool = True,
    ) -> Any:  # fmt: skip
        """A session that is ready: the chief makes it so, others wait.

        Args:
          master: the session's target.
          config: a `ConfigProto`.
          wait_for_checkpoint: whether the chief waits for a checkpoint.
          max_wait_secs: how long to wait.
          start_standard_services: whether to start the services and the queue runners.

        Returns:
          The session.
        """
        # Threads of an earlier session were told to stop.
        self._coord.clear_stop()
        if self._summary_writer:
            self._summary_writer.reopen()
        if self._is_chief:
            sess = self._session_manager.prepare_session(
                master,
                init_op=self.init_op,
                saver=self.saver,
                checkpoint_dir=self._logdir,
                wait_for_checkpoint=wait_for_checkpoint,
                max_wait_secs=max_wait_secs,
                config=config,
                init_feed_dict=self._init_feed_dict,
                init_fn=self._init_fn,
            )
            self._write_graph()
            if start_standard_services:
                logging.info("Starting standard services.")
                self.start_standard_services(sess)
        else:
            sess = self._session_manager.wait_for_session(
                master, config=config, max_wait_secs=max_wait_secs
            )
        if start_standard_services:
            logging.info("Starting queue runners.")
            self.start_queue_runners(sess)
        return sess

    def start_queue_runners(self, sess: SessionInterface, queue_runners: Any = None) -> list[Any]:
        """Starts the threads of queue runners.

        Args:
          sess: the session.
          queue_runners: a list; those of the graph by default.

        Returns:
          The threads.

        Raises:
          RuntimeError: when executing eagerly.
        """
        if ops.executing_eagerly():
            raise RuntimeError("Queues are not compatible with eager execution.")
        if queue_runners is None:
            queue_runners = self._graph.get_collection(ops.GraphKeys.QUEUE_RUNNERS)
        return [
            thread
            for runner in queue_runners
            for thread in runner.create_threads(sess, coord=self._coord, daemon=True, start=True)
        ]

    def loop(
        self, timer_interval_secs: Any, target: Any, args: Any = None, kwargs: Any = None
    ) -> Any:
        """Starts a thread that calls a function once every so many seconds.

        Args:
          timer_interval_secs: the seconds; None for without a pause.
          target: the function.
          args: a list for it.
          kwargs: a dict for it.

        Returns:
          The thread.
        """
        looper = coordinator.LooperThread(
            self._coord, timer_interval_secs, target=target, args=args, kwargs=kwargs
        )
        looper.start()
        return looper

    def stop(
        self, threads: Any = None, close_summary_writer: bool = True,
        ignore_live_threads: bool = False,
    ) -> None:  # fmt: skip
        """Stops the services.

        Args:
          threads: what to wait for besides.
          close_summary_writer: whether to close the event file.
          ignore_live_threads: whether threads may go on.
        """
        self._coord.request_stop()
        try:
            self._coord.join(
                threads,
                stop_grace_period_secs=self._stop_grace_secs,
                ignore_live_threads=ignore_live_threads,
            )
        finally:
            if close_summary_writer and self._summary_writer:
                self._summary_writer.add_session_log(session_log("STOP"))
                self._summary_writer.close()
                self._graph_added_to_summary = False

    def request_stop(self, ex: Any = None) -> None:
        """Asks the threads to stop, because of an exception perhaps."""
        self._coord.request_stop(ex=ex)

    def should_stop(self) -> bool:
        """Whether somebody asked to stop."""
        return self._coord.should_stop()

    def stop_on_exception(self) -> Any:
        """A context manager: an exception in it asks the threads to stop."""
        return self._coord.stop_on_exception()

    def wait_for_stop(self) -> None:
        """Waits until somebody asks to stop."""
        self._coord.wait_for_stop()

    def summary_computed(
        self, sess: SessionInterface, summary: Any, global_step: TensorLike | None = None
    ) -> None:
        """Writes a summary.

        Args:
          sess: the session.
          summary: a serialized `Summary`.
          global_step: the number of the step; that of the global step by default.

        Raises:
          RuntimeError: there is no event file.
        """
        if not self._summary_writer:
            raise RuntimeError("Writing a summary requires a summary writer.")
        if global_step is None and self.global_step is not None:
            global_step = training_util.global_step(sess, self.global_step)
        self._summary_writer.add_summary(summary, global_step)

    def _default_global_step_tensor(self) -> Any:
        """The tensor `global_step:0`, if there is one of integers."""
        try:
            step = ops.get_default_graph().get_tensor_by_name("global_step:0")
        except KeyError:
            return None
        if step.dtype.base_dtype in (dtypes.int32, dtypes.int64):
            return step
        logging.warning("Found 'global_step' is not an int type: %s", step.dtype)
        return None

    def _verify_setup(self) -> None:
        """Refuses variables without a device where there are several workers."""
        if self._is_chief:
            return
        for op in self._graph.get_operations():
            if op.type in ("Variable", "VariableV2") and not op.device:
                raise ValueError(
                    "When using replicas, all Variables must have their device set: " + str(op)
                )

    @contextlib.contextmanager
    def managed_session(
        self, master: Any = "", config: Any = None, start_standard_services: bool = True,
        close_summary_writer: bool = True,
    ) -> Iterator[Any]:  # fmt: skip
        """A context manager: a session that is ready, and closed at the end.

        Args:
          master: the session's target.
          config: a `ConfigProto`.
          start_standard_services: whether to start the services and the queue runners.
          close_summary_writer: whether to close the event file at the end.

        Yields:
          The session.
        """
        sess = None
        try:
            sess = self.prepare_or_wait_for_session(
                master=master, config=config, start_standard_services=start_standard_services
            )
            yield sess
        except Exception as error:
            self.request_stop(error)
        finally:
            try:
                # Raises what was requested to stop with, again.
                self.stop(close_summary_writer=close_summary_writer)
            finally:
                if sess is not None:
                    with contextlib.suppress(Exception):
                        sess.close()

    # The names of TF's first versions.
    PrepareSession = prepare_or_wait_for_session
    StartQueueRunners = start_queue_runners
    StartStandardServices = start_standard_services
    Stop = stop
    RequestStop = request_stop
    Loop = loop
    ShouldStop = should_stop
    StopOnException = stop_on_exception
    WaitForStop = wait_for_stop
    SummaryComputed = summary_computed


def _default_local_init_op() -> Any:
    return control_flow_ops.group(
        variables.local_variables_initializer(), lookup_ops.tables_initializer()
    )


def _default_saver() -> Any:
    return saver.Saver() if variables.global_variables() else None


def _meta_graph_def(graph: Graph, saver: Any) -> Any:
    return meta_graph.create_meta_graph_def(
        graph_def=graph.as_graph_def(add_shapes=True), saver_def=saver.saver_def if saver else None
    )


def _log_at_step(sv: Any, sess: SessionInterface, log: Any) -> None:
    """Writes a `SessionLog` with the global step, if there are both."""
    if sv.summary_writer and sv.global_step is not None:
        sv.summary_writer.add_session_log(log, training_util.global_step(sess, sv.global_step))


class _ServiceThread(coordinator.LooperThread):
    """Does something for a supervisor's session every so many seconds."""

    def __init__(self, sv: Any, sess: Any, secs: Any):
        super().__init__(sv.coord, secs)
        self._sv = sv
        self._sess = sess


class SVSummaryThread(_ServiceThread):
    """Writes the summaries from time to time."""

    def __init__(self, sv: Any, sess: Any):
        super().__init__(sv, sess, sv.save_summaries_secs)

    def run_loop(self) -> None:
        fetches = {"summary": self._sv.summary_op}
        if self._sv.global_step is not None:
            fetches["step"] = self._sv.global_step
        found = self._sess.run(fetches)
        if self._sv.summary_writer:
            step = found.get("step")
            logging.info("Recording summary at step %s.", step)
            self._sv.summary_writer.add_summary(found["summary"], step)


class SVStepCounterThread(_ServiceThread):
    """Logs and summarises how many steps a second are made."""

    def __init__(self, sv: Any, sess: Any, step_counter: Any = None):
        super().__init__(sv, sess, sv.save_summaries_secs)
        self._last_time = 0.0
        self._last_step = 0
        self._step_counter = sv.global_step if step_counter is None else step_counter
        self._summary_tag = f"{self._step_counter.op.name}/sec"

    def start_loop(self) -> None:
        self._last_time = time.time()
        self._last_step = training_util.global_step(self._sess, self._step_counter)

    def run_loop(self) -> None:
        step = training_util.global_step(self._sess, self._step_counter)
        now = time.time()
        added, elapsed = step - self._last_step, now - self._last_time
        self._last_step, self._last_time = step, now
        rate = added / elapsed if elapsed > 0 else float("inf")
        summary = protos.load("summary_pb2", "Summary")()
        summary.value.add(tag=self._summary_tag, simple_value=rate)
        if self._sv.summary_writer:
            self._sv.summary_writer.add_summary(summary, step)
        logging.log_first_n(logging.INFO, "%s: %g", 10, self._summary_tag, rate)


class SVTimerCheckpointThread(_ServiceThread):
    """Saves the model from time to time."""

    def __init__(self, sv: Any, sess: Any):
        super().__init__(sv, sess, sv.save_model_secs)

    def run_loop(self) -> None:
        logging.info("Saving checkpoint to path %s", self._sv.save_path)
        self._sv.saver.save(self._sess, self._sv.save_path, global_step=self._sv.global_step)
        _log_at_step(
            self._sv, self._sess, session_log("CHECKPOINT", checkpoint_path=self._sv.save_path)
        )
