"""Evaluation of checkpoints (`tensorflow.contrib.training.python.training.evaluation`)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.summary import summary
from tf1compat.api.training import (
    basic_session_run_hooks,
    checkpoint_management,
    evaluation,
    monitored_session,
    session_run_hook,
    training_util,
)
from tf1compat.api.variables import state_ops
from tf1compat.core.export import tf_export
from tf1compat.core.session_interface import SessionInterface

__all__ = [
    "StopAfterNEvalsHook",
    "SummaryAtEndHook",
    "checkpoints_iterator",
    "evaluate_once",
    "evaluate_repeatedly",
    "get_or_create_eval_step",
    "wait_for_new_checkpoint",
]

StopAfterNEvalsHook = tf_export("contrib.training.StopAfterNEvalsHook")(
    evaluation._StopAfterNEvalsHook
)
evaluate_once = tf_export("contrib.training.evaluate_once")(evaluation._evaluate_once)
get_or_create_eval_step = tf_export("contrib.training.get_or_create_eval_step")(
    evaluation._get_or_create_eval_step
)


@tf_export("contrib.training.wait_for_new_checkpoint")
def wait_for_new_checkpoint(
    checkpoint_dir: str, last_checkpoint: Any = None, seconds_to_sleep: Any = 1,
    timeout: Any = None,
) -> Any:  # fmt: skip
    """Waits until there is a new checkpoint.

    Args:
      checkpoint_dir: the directory.
      last_checkpoint: the one that is known.
      seconds_to_sleep: the pause between two looks.
      timeout: how many seconds to wait; None for ever.

    Returns:
      The checkpoint; None if the time is over.
    """
    logging.info("Waiting for new checkpoint at %s", checkpoint_dir)
    stop_time = time.time() + timeout if timeout is not None else None
    while True:
        path = checkpoint_management.latest_checkpoint(checkpoint_dir)
        if path is not None and path != last_checkpoint:
            logging.info("Found new checkpoint at %s", path)
            return path
        if stop_time is not None and time.time() + seconds_to_sleep > stop_time:
            return None
        time.sleep(seconds_to_sleep)


@tf_export("contrib.training.checkpoints_iterator")
def checkpoints_iterator(
    checkpoint_dir: str, min_interval_secs: Any = 0, timeout: Any = None,
    timeout_fn: Callable[[], Any] | None = None,
) -> Iterator[Any]:  # fmt: skip
    """The checkpoints of a directory, as they appear.

    Args:
      checkpoint_dir: the directory.
      min_interval_secs: the least time between two of them.
      timeout: how many seconds to wait for a new one; None for ever.
      timeout_fn: called when they are over; True ends the iteration, False goes on.

    Yields:
      Paths of checkpoints.
    """
    path = None
    while True:
        found = wait_for_new_checkpoint(checkpoint_dir, path, timeout=timeout)
        if found is None:
            if not timeout_fn:
                logging.info("Timed-out waiting for a checkpoint.")
                return
            if timeout_fn():
                return
            continue
        start = time.time()
        path = found
        yield path
        rest = start + min_interval_secs - time.time()
        if rest > 0:
            time.sleep(rest)


@tf_export("contrib.training.SummaryAtEndHook")
class SummaryAtEndHook(session_run_hook.SessionRunHook):
    """Writes a summary at the end.

    Args:
      log_dir: the directory of the event file.
      summary_writer: a `FileWriter` in its place.
      summary_op: the summary; all summaries of the graph by default.
      feed_dict: feeds for it.

    Raises:
      ValueError: neither a directory nor a writer is given.
    """

    def __init__(
        self, log_dir: Any = None, summary_writer: Any = None, summary_op: Any = None,
        feed_dict: dict[Any, Any] | None = None,
    ):  # fmt: skip
        self._summary_op = summary_op
        self._replace_summary_op = summary_op is None
        self._feed_dict = feed_dict
        self._summary_writer = summary_writer
        self._log_dir = log_dir
        if log_dir is None and summary_writer is None:
            raise ValueError("One of log_dir or summary_writer should be used.")

    def begin(self) -> None:
        if self._replace_summary_op:
            self._summary_op = summary.merge_all()
        self._global_step = training_util.get_or_create_global_step()

    def after_create_session(self, session: SessionInterface, coord: Any) -> None:
        if self._summary_writer is None and self._log_dir:
            self._summary_writer = summary.FileWriterCache.get(self._log_dir)

    def end(self, session: SessionInterface) -> None:
        if self._summary_op is not None:
            global_step = training_util.global_step(session, self._global_step)
            text = session.run(self._summary_op, self._feed_dict)
            if self._summary_writer:
                self._summary_writer.add_summary(text, global_step)
        if self._summary_writer:
            self._summary_writer.flush()


def _scaffold_with_init(scaffold: Any, saver: Any, checkpoint_path: str) -> Any:
    """A scaffold that restores a checkpoint, unless it has an `init_fn` already."""
    if scaffold.init_fn:
        return scaffold
    return monitored_session.Scaffold(
        init_op=scaffold.init_op,
        init_feed_dict=scaffold.init_feed_dict,
        init_fn=lambda _, session: saver.restore(session, checkpoint_path),
        ready_op=scaffold.ready_op,
        local_init_op=scaffold.local_init_op,
        summary_op=scaffold.summary_op,
        saver=scaffold.saver,
    )


@tf_export("contrib.training.evaluate_repeatedly")
def evaluate_repeatedly(
    checkpoint_dir: str, master: Any = "", scaffold: Any = None, eval_ops: Any = None,
    feed_dict: dict[Any, Any] | None = None, final_ops: Any = None, final_ops_feed_dict: Any = None,
    eval_interval_secs: Any = 60, hooks: Any = None, config: Any = None,
    max_number_of_evaluations: Any = None, timeout: Any = None, timeout_fn: Any = None,
) -> Any:  # fmt: skip
    """Evaluates the checkpoints of a directory as they appear.

    Args:
      checkpoint_dir: the directory.
      master: the session's target.
      scaffold: a `Scaffold`.
      eval_ops: run until a hook stops; an operation or a list or dict of them.
      feed_dict: feeds of `eval_ops`.
      final_ops: fetched at the end of each evaluation.
      final_ops_feed_dict: feeds of `final_ops`.
      eval_interval_secs: the least time between two evaluations.
      hooks: a list of `SessionRunHook`s.
      config: a `ConfigProto`.
      max_number_of_evaluations: how many evaluations; None for no end.
      timeout: how many seconds to wait for a new checkpoint; None for ever.
      timeout_fn: called when they are over; True ends.

    Returns:
      The values of `final_ops` of the last evaluation.
    """
    eval_step = get_or_create_eval_step()
    hooks = hooks or []
    if eval_ops is not None:
        update = state_ops.assign_add(eval_step, 1)
        for hook in hooks:
            if isinstance(hook, StopAfterNEvalsHook):
                hook._set_evals_completed_tensor(update)
        if isinstance(eval_ops, dict):
            eval_ops["update_eval_step"] = update
        elif isinstance(eval_ops, tuple | list):
            eval_ops = [*eval_ops, update]
        else:
            eval_ops = [eval_ops, update]
    final = basic_session_run_hooks.FinalOpsHook(final_ops, final_ops_feed_dict)
    hooks.append(final)
    checkpoints = checkpoints_iterator(
        checkpoint_dir, min_interval_secs=eval_interval_secs, timeout=timeout, timeout_fn=timeout_fn
    )
    for count, path in enumerate(checkpoints, 1):
        creator = monitored_session.ChiefSessionCreator(
            scaffold=scaffold, checkpoint_filename_with_path=path, master=master, config=config
        )
        with monitored_session.MonitoredSession(session_creator=creator, hooks=hooks) as session:
            _log_time("Starting")
            if eval_ops is not None:
                while not session.should_stop():
                    session.run(eval_ops, feed_dict)
            _log_time("Finished")
        if max_number_of_evaluations is not None and count >= max_number_of_evaluations:
            break
    return final.final_ops_values


def _log_time(what: str) -> None:
    logging.info(f"{what} evaluation at {time.strftime('%Y-%m-%d-%H:%M:%S', time.gmtime())}")
