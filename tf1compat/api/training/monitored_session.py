"""Sessions with hooks that recover (`tensorflow.python.training.monitored_session`)."""

from __future__ import annotations

import abc
import contextlib
import os
from typing import Any

from tf1compat.api.distribute.distribute_coordinator_context import get_current_worker_context
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training import (
    basic_session_run_hooks,
    coordinator,
    queue_runner_impl,
    session_manager,
)
from tf1compat.api.training.scaffold import Scaffold
from tf1compat.api.training.wrapped_sessions import (
    PREEMPTION_ERRORS,
    CoordinatedSession,
    HookedSession,
    RecoverableSession,
    WrappedSession,
)
from tf1compat.api.training.wrapped_sessions import StepContext as _StepContext
from tf1compat.core import errors, function_utils, ops
from tf1compat.core.export import tf_export

_PREEMPTION_ERRORS = PREEMPTION_ERRORS
_WrappedSession = WrappedSession
_RecoverableSession = RecoverableSession
_CoordinatedSession = CoordinatedSession
_HookedSession = HookedSession

# An argument that is not given.
USE_DEFAULT = object()


@tf_export("train.MonitoredTrainingSession")
def MonitoredTrainingSession(  # noqa: N802
    master: Any = "", is_chief: bool = True, checkpoint_dir: str | None = None,
    scaffold: Any = None,
    hooks: Any = None, chief_only_hooks: Any = None, save_checkpoint_secs: Any = USE_DEFAULT,
    save_summaries_steps: Any = USE_DEFAULT, save_summaries_secs: Any = USE_DEFAULT,
    config: Any = None, stop_grace_period_secs: Any = 120, log_step_count_steps: Any = 100,
    max_wait_secs: Any = 7200, save_checkpoint_steps: Any = USE_DEFAULT, summary_dir: Any = None,
) -> Any:  # fmt: skip
    """A `MonitoredSession` for training, with the hooks that save and summarise.

    In a function that `run_distribute_coordinator` calls, it is the session of that worker.

    Args:
      master: the session's target.
      is_chief: whether this worker initialises and saves; another one waits.
      checkpoint_dir: where checkpoints are read from and written to.
      scaffold: a `Scaffold`.
      hooks: `SessionRunHook`s.
      chief_only_hooks: further ones of the chief.
      save_checkpoint_secs, save_checkpoint_steps: how often to save; every 600 seconds by default,
        None for never.
      save_summaries_steps, save_summaries_secs: how often to summarise; every 100 steps by default,
        None for never.
      config: a `ConfigProto`.
      stop_grace_period_secs: how long threads may take to stop.
      log_step_count_steps: how often to log the steps a second; None for never.
      max_wait_secs: how long a worker waits for the chief.
      summary_dir: where summaries are written; `checkpoint_dir` by default.

    Returns:
      A `MonitoredSession`.
    """
    if save_summaries_steps is USE_DEFAULT and save_summaries_secs is USE_DEFAULT:
        save_summaries_steps, save_summaries_secs = 100, None
    elif save_summaries_secs is USE_DEFAULT:
        save_summaries_secs = None
    elif save_summaries_steps is USE_DEFAULT:
        save_summaries_steps = None
    if save_checkpoint_steps is USE_DEFAULT and save_checkpoint_secs is USE_DEFAULT:
        save_checkpoint_steps, save_checkpoint_secs = None, 600
    elif save_checkpoint_secs is USE_DEFAULT:
        save_checkpoint_secs = None
    elif save_checkpoint_steps is USE_DEFAULT:
        save_checkpoint_steps = None
    scaffold = scaffold or Scaffold()
    all_hooks: list[Any] = []
    session_creator: Any
    worker = get_current_worker_context()
    if worker:
        all_hooks += [*(hooks or ()), *((chief_only_hooks or ()) if worker.is_chief else ())]
        all_hooks += _hooks_of_worker(
            worker, checkpoint_dir, summary_dir or checkpoint_dir, scaffold, log_step_count_steps,
            (save_summaries_steps, save_summaries_secs),
            (save_checkpoint_steps, save_checkpoint_secs),
        )  # fmt: skip
        logging.info("all_hooks %r", all_hooks)
        session_creator = worker.session_creator(
            scaffold, config=config, checkpoint_dir=checkpoint_dir, max_wait_secs=max_wait_secs
        )
        hooks = None
    elif is_chief:
        session_creator = ChiefSessionCreator(
            scaffold=scaffold, checkpoint_dir=checkpoint_dir, master=master, config=config
        )
        all_hooks.extend(chief_only_hooks or [])
        summary_dir = summary_dir or checkpoint_dir
        if summary_dir:
            all_hooks.extend(
                _summary_hooks(
                    summary_dir, scaffold, log_step_count_steps, save_summaries_steps,
                    save_summaries_secs,
                )
            )  # fmt: skip
        if checkpoint_dir:
            every = (save_checkpoint_steps, save_checkpoint_secs)
            all_hooks.extend(_checkpoint_hooks(checkpoint_dir, scaffold, *every))
    else:
        session_creator = WorkerSessionCreator(
            scaffold=scaffold, master=master, config=config, max_wait_secs=max_wait_secs
        )
    all_hooks.extend(hooks or [])
    return MonitoredSession(
        session_creator=session_creator,
        hooks=all_hooks,
        stop_grace_period_secs=stop_grace_period_secs,
    )


def _positive(count: Any) -> bool:
    return bool(count and count > 0)


def _summary_hooks(
    summary_dir: Any, scaffold: Any, log_every: Any, save_steps: Any, save_secs: int
) -> list[Any]:
    """The hooks that write to an event file."""
    hooks: list[Any] = []
    if _positive(log_every):
        hooks.append(
            basic_session_run_hooks.StepCounterHook(output_dir=summary_dir, every_n_steps=log_every)
        )
    if _positive(save_steps) or _positive(save_secs):
        hooks.append(
            basic_session_run_hooks.SummarySaverHook(
                scaffold=scaffold, save_steps=save_steps, save_secs=save_secs,
                output_dir=summary_dir,
            )
        )  # fmt: skip
    return hooks


def _checkpoint_hooks(
    checkpoint_dir: str, scaffold: Any, save_steps: Any, save_secs: Any
) -> list[Any]:
    """The hook that saves, if it is to."""
    if not (_positive(save_secs) or _positive(save_steps)):
        return []
    return [
        basic_session_run_hooks.CheckpointSaverHook(
            checkpoint_dir, save_steps=save_steps, save_secs=save_secs, scaffold=scaffold
        )
    ]


def _hooks_of_worker(
    worker: Any, checkpoint_dir: str | None, summary_dir: str | None, scaffold: Any,
    log_every: Any, summarise: tuple[Any, Any], save: tuple[Any, Any],
) -> list[Any]:  # fmt: skip
    """The hooks that save and summarise of a worker whose context it is.

    Where workers train by collectives, all run the same operations: those that are not to write
    do it in a folder of their own.

    Args:
      worker: the context.
      checkpoint_dir, summary_dir: where the worker that writes does so, or None.
      scaffold: a `Scaffold`.
      log_every: after how many steps their number a second is logged.
      summarise, save: after how many steps, and after how many seconds.
    """
    own = None
    if "CollectiveAllReduceStrategy" in type(worker._strategy).__name__:
        task = worker.task_type
        own = f"tmp_{task}_{worker.task_id}" if task else "tmp"
        if save[1]:
            logging.warning(
                "Collective ops may deadlock with `save_checkpoints_secs` please use "
                "`save_checkpoint_steps` instead. Clearing `save_checkpoint_secs` and setting "
                "`save_checkpoint_steps` to 1000 now."
            )
            save = (1000, None)
        if summarise[1]:
            logging.warning(
                "Collective ops may run out of sync with`save_summaries_secs`, please use "
                "`save_summaries_steps` instead."
            )

    def place(folder: str | None, is_to_write: bool) -> str | None:
        if not folder or is_to_write:
            return folder
        return os.path.join(folder, own) if own else None

    hooks = []
    summaries = place(summary_dir, worker.should_save_summary)
    if summaries:
        hooks += _summary_hooks(summaries, scaffold, log_every, *summarise)
    checkpoints = place(checkpoint_dir, worker.should_checkpoint)
    if checkpoints:
        hooks += _checkpoint_hooks(checkpoints, scaffold, *save)
    return hooks


@tf_export("train.SessionCreator")
class SessionCreator(abc.ABC):
    """Makes sessions."""

    @abc.abstractmethod
    def create_session(self) -> Any:
        """A session that is ready to run."""
        raise NotImplementedError(f"create_session is not implemented for {self}.")


def _manager(scaffold: Any) -> session_manager.SessionManager:
    return session_manager.SessionManager(
        local_init_op=scaffold.local_init_op,
        ready_op=scaffold.ready_op,
        ready_for_local_init_op=scaffold.ready_for_local_init_op,
        graph=ops.get_default_graph(),
    )


@tf_export("train.ChiefSessionCreator")
class ChiefSessionCreator(SessionCreator):
    """Makes sessions and initialises or restores their variables.

    Args:
      scaffold: a `Scaffold`.
      master: the session's target.
      config: a `ConfigProto`.
      checkpoint_dir: where the latest checkpoint is looked for.
      checkpoint_filename_with_path: a checkpoint, in place of a directory.
    """

    def __init__(
        self, scaffold: Any = None, master: Any = "", config: Any = None,
        checkpoint_dir: str | None = None, checkpoint_filename_with_path: Any = None,
    ):  # fmt: skip
        self._checkpoint_dir = checkpoint_dir
        self._checkpoint_filename_with_path = checkpoint_filename_with_path
        self._scaffold = scaffold or Scaffold()
        self._session_manager: Any = None
        self._master = master
        self._config = config

    def _get_session_manager(self) -> Any:
        self._session_manager = self._session_manager or _manager(self._scaffold)
        return self._session_manager

    def create_session(self) -> Any:
        self._scaffold.finalize()
        return self._get_session_manager().prepare_session(
            self._master,
            saver=self._scaffold.saver,
            checkpoint_dir=self._checkpoint_dir,
            checkpoint_filename_with_path=self._checkpoint_filename_with_path,
            config=self._config,
            init_op=self._scaffold.init_op,
            init_feed_dict=self._scaffold.init_feed_dict,
            init_fn=self._scaffold.init_fn,
        )


@tf_export("train.WorkerSessionCreator")
class WorkerSessionCreator(SessionCreator):
    """Makes sessions whose variables the chief initialises.

    Args:
      scaffold: a `Scaffold`.
      master: the session's target.
      config: a `ConfigProto`.
      max_wait_secs: how long to wait for the chief.
    """

    def __init__(
        self, scaffold: Any = None, master: Any = "", config: Any = None,
        max_wait_secs: Any = 30 * 60,
    ):  # fmt: skip
        self._scaffold = scaffold or Scaffold()
        self._session_manager: Any = None
        self._master = master
        self._config = config
        self._max_wait_secs = max_wait_secs

    def _get_session_manager(self) -> Any:
        self._session_manager = self._session_manager or _manager(self._scaffold)
        return self._session_manager

    def create_session(self) -> Any:
        self._scaffold.finalize()
        return self._get_session_manager().wait_for_session(
            self._master, config=self._config, max_wait_secs=self._max_wait_secs
        )


class _CoordinatedSessionCreator(SessionCreator):
    """Makes sessions with a coordinator and with hooks."""

    def __init__(self, session_creator: Any, hooks: Any, stop_grace_period_secs: Any):
        self._session_creator = session_creator
        self._hooks = hooks
        self.coord: Any = None
        self.tf_sess: Any = None
        self._stop_grace_period_secs = stop_grace_period_secs

    def create_session(self) -> Any:
        self.tf_sess = self._session_creator.create_session()
        self.coord = coordinator.Coordinator(clean_stop_exception_types=[])
        if ops.get_collection(ops.GraphKeys.QUEUE_RUNNERS):
            queue_runner_impl.start_queue_runners(sess=self.tf_sess, coord=self.coord)
        for hook in self._hooks:
            hook.after_create_session(self.tf_sess, self.coord)
        return CoordinatedSession(
            HookedSession(self.tf_sess, self._hooks), self.coord, self._stop_grace_period_secs
        )


class _MonitoredSession:
    """What `MonitoredSession` and `SingularMonitoredSession` have in common."""

    def __init__(
        self, session_creator: Any, hooks: Any, should_recover: bool,
        stop_grace_period_secs: Any = 120,
    ):  # fmt: skip
        self._graph_was_finalized = ops.get_default_graph().finalized
        self._hooks = hooks or []
        for hook in self._hooks:
            hook.begin()
        worker = get_current_worker_context()
        if not session_creator and worker:
            session_creator = worker.session_creator()
        self._coordinated_creator = self._CoordinatedSessionCreator(
            session_creator=session_creator or ChiefSessionCreator(),
            hooks=self._hooks,
            stop_grace_period_secs=stop_grace_period_secs,
        )
        self._sess: Any
        if should_recover:
            self._sess = RecoverableSession(self._coordinated_creator)
        else:
            self._sess = self._coordinated_creator.create_session()

    StepContext = _StepContext
    _CoordinatedSessionCreator = _CoordinatedSessionCreator

    @property
    def graph(self) -> Any:
        """The graph; None once the session is closed."""
        return None if self._tf_sess() is None else self._tf_sess().graph

    def run(
        self,
        fetches: Any,
        feed_dict: dict[Any, Any] | None = None,
        options: Any = None,
        run_metadata: Any = None,
    ) -> Any:
        """`Session.run`, with the hooks.

        Raises:
          RuntimeError: a hook has requested a stop before.
        """
        return self._sess.run(
            fetches, feed_dict=feed_dict, options=options, run_metadata=run_metadata
        )

    def run_step_fn(self, step_fn: Any) -> Any:
        """Calls a function with a `StepContext`, which can run with and without the hooks.

        Args:
          step_fn: a function of `step_context`.

        Returns:
          What it returns.

        Raises:
          ValueError: it has other arguments.
          TypeError: it is no function.
          StopIteration: it has requested a stop.
        """
        names = function_utils.fn_args(step_fn)
        if names not in (("step_context",), ("self", "step_context")):
            raise ValueError(
                "`step_fn` may either have one `step_context` argument, or `self` and "
                "`step_context` arguments if it's an instance method. Got "
                f"{names} instead."
            )
        return self._sess.run_step_fn(step_fn, self._tf_sess(), run_with_hooks=None)

    def should_stop(self) -> bool:
        """Whether the session has ended, or must."""
        return self._sess is None or self._sess.should_stop()

    def close(self) -> None:
        """Calls the hooks' `end` and closes the session."""
        self._close_internal()

    def __enter__(self) -> Any:
        return self

    def __exit__(self, exception_type: Any, exception_value: Any, traceback: Any) -> bool:
        if exception_type in [errors.OutOfRangeError, StopIteration]:
            exception_type = None
        self._close_internal(exception_type)
        return exception_type is None

    def _close_internal(self, exception_type: Any = None) -> None:
        with contextlib.ExitStack() as at_the_end:
            at_the_end.callback(self._forget)
            at_the_end.callback(self._close_wrapped)
            for hook in () if exception_type else self._hooks:
                hook.end(self._coordinated_creator.tf_sess)

    def _close_wrapped(self) -> None:
        if self._sess is None:
            raise RuntimeError("Session is already closed.")
        self._sess.close()

    def _forget(self) -> None:
        self._sess = None
        self._coordinated_creator.tf_sess = self._coordinated_creator.coord = None
        if not self._graph_was_finalized:
            ops.get_default_graph()._unsafe_unfinalize()

    def _is_closed(self) -> bool:
        return self._coordinated_creator.tf_sess is None

    def _tf_sess(self) -> Any:
        return self._coordinated_creator.tf_sess


@tf_export("train.MonitoredSession")
class MonitoredSession(_MonitoredSession):
    """A session that initialises, calls hooks, starts queue runners, and is made anew when a
    server of the cluster was lost.

    An `OutOfRangeError` or `StopIteration` ends a `with` block without an error.

    Args:
      session_creator: a `SessionCreator`; a `ChiefSessionCreator` by default.
      hooks: `SessionRunHook`s.
      stop_grace_period_secs: how long threads may take to stop.
    """

    def __init__(
        self, session_creator: Any = None, hooks: Any = None, stop_grace_period_secs: Any = 120
    ):
        super().__init__(
            session_creator,
            hooks,
            should_recover=True,
            stop_grace_period_secs=stop_grace_period_secs,
        )


@tf_export("train.SingularMonitoredSession")
class SingularMonitoredSession(_MonitoredSession):
    """A `MonitoredSession` that is never made anew, so that it can give the session itself.

    Args:
      hooks: `SessionRunHook`s.
      scaffold: a `Scaffold`.
      master: the session's target.
      config: a `ConfigProto`.
      checkpoint_dir: where the latest checkpoint is looked for.
      stop_grace_period_secs: how long threads may take to stop.
      checkpoint_filename_with_path: a checkpoint, in place of a directory.
    """

    def __init__(
        self, hooks: Any = None, scaffold: Any = None, master: Any = "", config: Any = None,
        checkpoint_dir: str | None = None, stop_grace_period_secs: Any = 120,
        checkpoint_filename_with_path: Any = None,
    ):  # fmt: skip
        creator = ChiefSessionCreator(
            scaffold=scaffold,
            master=master,
            config=config,
            checkpoint_dir=checkpoint_dir,
            checkpoint_filename_with_path=checkpoint_filename_with_path,
        )
        super().__init__(
            creator, hooks, should_recover=False, stop_grace_period_secs=stop_grace_period_secs
        )

    def raw_session(self) -> Any:
        """The `tf.Session`."""
        return self._tf_sess()
