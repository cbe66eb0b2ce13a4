"""Training and evaluation of graphs (`tensorflow.contrib.learn.python.learn.graph_actions`)."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tf1compat.api.contrib import deprecated as contrib_deprecated
from tf1compat.api.contrib.framework import variables as contrib_variables
from tf1compat.api.contrib.framework.ops import get_graph_from_inputs
from tf1compat.api.contrib.learn import monitors as monitors_lib
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.lookup import lookup_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.summary.writer import writer_cache
from tf1compat.api.training import (
    checkpoint_utils,
    coordinator,
    queue_runner_impl,
    session_manager,
    supervisor,
)
from tf1compat.api.training import saver as tf_saver
from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.variables import resources, variables
from tf1compat.core import errors, ops, protos
from tf1compat.core.export import find, tf_export
from tf1compat.core.graph import Graph
from tf1compat.core.session_interface import SessionInterface

_DEPRECATED = deprecated(
    "2017-02-15",
    "graph_actions.py will be deleted. Use tf.train.* utilities instead. You can use "
    "learn/estimators/estimator.py as an example.",
)


@_DEPRECATED
def clear_summary_writers() -> None:
    """Closes all writers."""
    writer_cache.FileWriterCache.clear()


@deprecated(None, "Use `SummaryWriterCache.get` directly.")
def get_summary_writer(logdir: str) -> Any:
    """The writer of a folder."""
    return writer_cache.FileWriterCache.get(logdir)


def _make_saver(graph: Graph, keep_checkpoint_max: int = 5) -> Any:
    keys = (ops.GraphKeys.GLOBAL_VARIABLES, ops.GraphKeys.SAVEABLE_OBJECTS)
    saved = [each for key in keys for each in graph.get_collection(key)]
    return tf_saver.Saver(saved, sharded=True, max_to_keep=keep_checkpoint_max) if saved else None


def _restore_from_checkpoint(
    session: SessionInterface, graph: Graph, path: Any, saver: Any = None
) -> None:
    logging.info("Loading model from checkpoint: %s.", path)
    saver = saver or _make_saver(graph)
    if saver:
        saver.restore(session, path)
    else:
        logging.info("No variables found in graph, not creating Saver() object.")


def _run_with_monitors(
    session: SessionInterface,
    step: int,
    tensors: list[Any],
    feed_dict: dict[Any, Any],
    monitors: list[Any],
) -> tuple[dict[Any, Any], bool]:
    """{the name of what was run, or what a monitor asked for: its value}; whether to stop."""
    wanted = list({*tensors, *(t for monitor in monitors for t in monitor.step_begin(step))})
    names = [each.name if isinstance(each, ops.Tensor) else each for each in wanted]
    found = dict(zip(names, session.run(wanted, feed_dict=feed_dict), strict=True))
    # All of them see the step, also after one wants to stop.
    stops = [monitor.step_end(step, found) for monitor in monitors]
    return found, any(stops)


@tf_export("contrib.learn.train")
@_DEPRECATED
def train(
    graph: Graph, output_dir: str, train_op: Any, loss_op: Any, global_step_tensor: Any = None,
    init_op: Any = None, init_feed_dict: Any = None, init_fn: Callable[..., Any] | None = None,
    log_every_steps: Any = 10, supervisor_is_chief: bool = True, supervisor_master: str = "",
    supervisor_save_model_secs: Any = 600, keep_checkpoint_max: Any = 5,
    supervisor_save_summaries_steps: Any = 100, feed_fn: Callable[..., Any] | None = None,
    steps: Any = None,
    fail_on_nan_loss: bool = True, monitors: Any = None, max_steps: Any = None,
) -> Any:  # fmt: skip
    """Trains a graph.

    Args:
      graph: the graph.
      output_dir: the folder of checkpoints and summaries.
      train_op: what a step runs.
      loss_op: a scalar.
      global_step_tensor: the step's variable; the graph's by default.
      init_op, init_feed_dict, init_fn: see `tf.train.Supervisor`.
      log_every_steps: how many steps lie between two lines of the log.
      supervisor_is_chief, supervisor_master: see `tf.train.Supervisor`.
      supervisor_save_model_secs: how many seconds lie between two checkpoints.
      keep_checkpoint_max: how many checkpoints stay.
      supervisor_save_summaries_steps: how many steps lie between two summaries.
      feed_fn: a function that gives a step's feed dict.
      steps: how many steps to take.
      fail_on_nan_loss: whether a loss that is not a number raises.
      monitors: see `tf.contrib.learn.monitors`.
      max_steps: the step at which training ends.

    Returns:
      The last step's loss.

    Raises:
      ValueError: an argument is wrong, or there is no step.
      NanLossDuringTrainingError: the loss is not a number.
    """
    if steps is not None and max_steps is not None:
        raise ValueError("Can not provide both steps and max_steps.")
    if not output_dir:
        raise ValueError(f"Output directory should be non-empty {output_dir}.")
    if train_op is None:
        raise ValueError("Missing train_op.")
    if loss_op is None:
        raise ValueError("Missing loss_op.")
    while True:
        try:
            with graph.as_default():
                step = contrib_variables.assert_or_get_global_step(graph, global_step_tensor)
                if step is None:
                    raise ValueError('No "global_step" was provided or found in the graph.')
                last = max_steps
                if last is None and steps:
                    last = _saved_step(output_dir, step) + steps
                writer = get_summary_writer(output_dir) if supervisor_is_chief else None
                seeing = _monitors(
                    monitors, supervisor_is_chief, loss_op, supervisor_save_summaries_steps, writer
                )
                for monitor in seeing:
                    monitor.begin(max_steps=last)
            manager = supervisor.Supervisor(
                graph, init_op=init_op or supervisor.Supervisor.USE_DEFAULT,
                init_feed_dict=init_feed_dict, is_chief=supervisor_is_chief, logdir=output_dir,
                saver=_make_saver(graph, keep_checkpoint_max), global_step=step, summary_op=None,
                summary_writer=writer, save_model_secs=supervisor_save_model_secs,
                init_fn=init_fn,
            )  # fmt: skip
            session = manager.PrepareSession(master=supervisor_master, start_standard_services=True)
            manager.StartQueueRunners(session)
            with session:
                training = _Training(manager, session, step, train_op, loss_op, seeing)
                return training.run(
                    last, feed_fn, fail_on_nan_loss, log_every_steps, supervisor_is_chief
                )
        except errors.AbortedError:
            logging.warning("Training got Aborted error. Keep training.")


def _saved_step(output_dir: str, global_step: Any) -> int:
    try:
        return checkpoint_utils.load_variable(output_dir, global_step.name)
    except (errors.NotFoundError, ValueError):
        return 0


def _monitors(
    monitors: Any, is_chief: bool, loss: Any, save_summary_steps: Any, writer: Any
) -> list[Any]:
    if not monitors and is_chief:
        monitors = monitors_lib.get_default_monitors(
            loss_op=loss, summary_op=contrib_deprecated.get_summary_op(),
            save_summary_steps=save_summary_steps, summary_writer=writer,
        )  # fmt: skip
    return [monitor for monitor in monitors or [] if is_chief or monitor.run_on_all_workers]


class _Training:
    """The steps of `train`, in a session."""

    def __init__(
        self, manager: Any, session: SessionInterface, step: Any, train_op: Any, loss_op: Any,
        monitors: list[Any],
    ):  # fmt: skip
        self.manager, self.session, self.step = manager, session, step
        self.train_op, self.loss_op, self.monitors = train_op, loss_op, monitors
        self.loss: Any = None

    def run(self, last: Any, feed_fn: Any, fails: bool, log_every: int, is_chief: bool) -> Any:
        """Takes all steps, then saves; an error of a step is raised after that."""
        problem: BaseException | None = None
        try:
            self._steps(last, feed_fn, fails, log_every)
        except errors.OutOfRangeError as error:
            logging.warning(
                "Got exception during tf.learn training loop possibly due to exhausted input "
                "queue %s.",
                error,
            )
        except StopIteration:
            logging.info("Exhausted input iterarator.")
        except BaseException as error:
            problem = error
        try:
            self._end(is_chief)
        except errors.OutOfRangeError as error:
            logging.warning(
                "OutOfRangeError in tf.learn final checkpoint possibly due to exhausted input "
                "queue. Note: summary_op is not expected to trigger dequeues. %s.",
                error,
            )
        except BaseException as error:
            if problem is None:
                raise
            logging.error("Got exception during tf.learn final checkpoint %s.", error)
        if problem is not None:
            raise problem
        return self.loss

    def _steps(self, last: Any, feed_fn: Callable[..., Any], fails: bool, log_every: int) -> None:
        at = logged = self.session.run(self.step)
        logging.info("Training steps [%d,%s)", at, "inf" if last is None else str(last))
        while not self.manager.ShouldStop() and (last is None or at < last):
            start = time.time()
            found, stops = _run_with_monitors(
                self.session, at + 1, [self.train_op, self.loss_op], feed_fn and feed_fn(),
                self.monitors,
            )  # fmt: skip
            self.loss = found[self.loss_op.name]
            if np.isnan(self.loss):
                message = "Model diverged with loss = NaN."
                if fails:
                    logging.error(message)
                    raise monitors_lib.NanLossDuringTrainingError()
                logging.warning(message)
            if stops:
                return
            now = self.session.run(self.step)
            if now <= at:
                logging.error(
                    "Global step was not incremented by train op at step %s: new step %d", at, now
                )
            at = now
            if (last is not None and at >= last) or at - logged >= log_every:
                logging.info(
                    "training step %d, loss = %.5f (%.3f sec/batch).",
                    at, self.loss, time.time() - start,
                )  # fmt: skip
                logged = at

    def _end(self, is_chief: bool) -> None:
        self.manager.Stop(close_summary_writer=False)
        at = self.session.run(self.step)
        if is_chief:
            path = self.manager.save_path
            logging.info("Saving checkpoint for step %d to checkpoint: %s.", at, path)
            self.manager.saver.save(self.session, path, global_step=at)
            for monitor in self.monitors:
                monitor.end()


def _first_of(collection: str, make: Any) -> Any:
    """The first value of a collection; if there is none what `make` gives, which is put there."""
    found = ops.get_collection(collection)
    if found:
        return found[0]
    made = make()
    if made is not None:
        ops.add_to_collection(collection, made)
    return made


def _session_for_evaluation(master: str, checkpoint_path: str) -> tuple[Any, bool, Any]:
    """A session, whether it was restored, and the saver."""
    keys = ops.GraphKeys
    saver = _first_of(
        keys.SAVERS, lambda: tf_saver.Saver() if variables.global_variables() else None
    )
    local_init_op = _first_of(
        keys.LOCAL_INIT_OP,
        lambda: control_flow_ops.group(
            variables.local_variables_initializer(), lookup_ops.tables_initializer()
        ),
    )
    before = ops.get_collection(keys.READY_FOR_LOCAL_INIT_OP)
    ready_op = _first_of(keys.READY_OP, variables.report_uninitialized_variables)
    manager = session_manager.SessionManager(
        local_init_op=local_init_op, ready_op=ready_op,
        ready_for_local_init_op=before[0] if before else None,
    )  # fmt: skip
    session, initialized = manager.recover_session(
        master=master, saver=saver, checkpoint_dir=checkpoint_path
    )
    return session, initialized, saver


def _eval_results_to_str(results: dict[str, Any]) -> str:
    return ", ".join(f"{key} = {value}" for key, value in sorted(results.items()))


def _write_summary_results(output_dir: str, results: dict[str, Any], step: int) -> None:
    said = _eval_results_to_str(results)
    logging.info("Saving evaluation summary for step %d: %s", step, said)
    summary = protos.load("summary_pb2", "Summary")()
    for key, value in results.items():
        if value is None:
            continue
        entry = summary.value.add(tag=key)
        if isinstance(value, float) or type(value) is np.float32:
            entry.simple_value = float(value)
        else:
            logging.warning("Skipping summary for %s, must be a float or np.float32.", key)
    writer = get_summary_writer(output_dir)
    writer.add_summary(summary, step)
    writer.flush()


@tf_export("contrib.learn.evaluate")
@_DEPRECATED
def evaluate(
    graph: Graph, output_dir: str, checkpoint_path: str, eval_dict: Any, update_op: Any = None,
    global_step_tensor: Any = None, supervisor_master: str = "", log_every_steps: Any = 10,
    feed_fn: Callable[..., Any] | None = None, max_steps: Any = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Evaluates a graph.

    Args:
      graph: the graph.
      output_dir: the folder of the summaries.
      checkpoint_path: a checkpoint, or its folder.
      eval_dict: {name: what is run}.
      update_op: what every step runs; `eval_dict` is then run at the end only.
      global_step_tensor: the step's variable; the graph's by default.
      supervisor_master: the target of the session.
      log_every_steps: how many steps lie between two lines of the log.
      feed_fn: a function that gives a step's feed dict.
      max_steps: how many steps to take; until the input ends by default.

    Returns:
      {name: the value}, and the global step.

    Raises:
      ValueError: there is no folder.
    """
    if not output_dir:
        raise ValueError(f"Output directory should be non-empty {output_dir}.")
    with graph.as_default():
        step_tensor = contrib_variables.assert_or_get_global_step(graph, global_step_tensor)
        session, initialized, saver = _session_for_evaluation(supervisor_master, checkpoint_path)
        coord = coordinator.Coordinator()
        threads = queue_runner_impl.start_queue_runners(session, coord)
    with session:
        if not initialized:
            logging.warning("Failed to initialize from %s.", checkpoint_path)
            session.run(variables.global_variables_initializer())
            if checkpoint_path:
                _restore_from_checkpoint(session, graph, checkpoint_path, saver)
        global_step = session.run(step_tensor)
        end = "inf" if max_steps is None else str(max_steps)
        logging.info("Eval steps [%d,%s) for training step %d.", 0, end, global_step)
        results: Any = None
        step, seen, feed_dict = 0, None, None
        try:
            try:
                while max_steps is None or step < max_steps:
                    step += 1
                    start = time.time()
                    feed_dict = feed_fn() if feed_fn is not None else None
                    if update_op is not None:
                        session.run(update_op, feed_dict=feed_dict)
                    if update_op is None or step % log_every_steps == 0:
                        results, seen = session.run(eval_dict, feed_dict=feed_dict), step
                    if step % log_every_steps == 0:
                        logging.info(
                            "Results after %d steps (%.3f sec/batch): %s.",
                            step, time.time() - start, _eval_results_to_str(results),
                        )  # fmt: skip
            finally:
                if results is None or seen != step:
                    results = session.run(eval_dict, feed_dict=feed_dict)
                session.close()
                _join(coord, threads)
        except (errors.OutOfRangeError, StopIteration) as error:
            what = "iterator" if isinstance(error, StopIteration) else "queue"
            if max_steps is None:
                logging.info("Input %s is exhausted.", what)
            else:
                logging.warning("Input %s is exhausted: %s.", what, error)
    assert results is not None
    _write_summary_results(output_dir, results, global_step)
    return results, global_step


def _join(coord: Any, threads: Any) -> None:
    try:
        coord.request_stop()
        coord.join(threads, stop_grace_period_secs=120)
    except (RuntimeError, errors.CancelledError) as error:
        logging.warning("Coordinator didn't stop cleanly: %s", error)


@tf_export("contrib.learn.run_n")
@_DEPRECATED
def run_n(
    output_dict: Any,
    feed_dict: dict[Any, Any] | None = None,
    restore_checkpoint_path: Any = None,
    n: int = 1,
) -> list[Any]:
    """`run_feeds`, n times with one feed dict.

    Args:
      output_dict: {name: a tensor}.
      feed_dict: feeds, the same each time.
      restore_checkpoint_path: a checkpoint's prefix, or None to initialise the variables.
      n: how often.

    Returns:
      One {name: an array} for each run.
    """
    return run_feeds(
        output_dict=output_dict, feed_dicts=itertools.repeat(feed_dict, n),
        restore_checkpoint_path=restore_checkpoint_path,
    )  # fmt: skip


@_DEPRECATED
def run_feeds_iter(
    output_dict: Any, feed_dicts: Any, restore_checkpoint_path: Any = None
) -> Iterator[dict[str, Any]]:
    """`run_feeds`, as an iterator."""
    if not output_dict:
        raise ValueError(f"output_dict is invalid: {output_dict}.")
    if not feed_dicts:
        raise ValueError(f"feed_dicts is invalid: {feed_dicts}.")
    graph = get_graph_from_inputs(output_dict.values())
    with graph.as_default(), find("Session")("") as session:
        _initialize(session, graph, restore_checkpoint_path)
        coord = coordinator.Coordinator()
        threads: Any = None
        try:
            threads = queue_runner_impl.start_queue_runners(session, coord=coord)
            yield from (session.run(output_dict, feed_dict) for feed_dict in feed_dicts)
        finally:
            coord.request_stop()
            if threads:
                coord.join(threads, stop_grace_period_secs=120)


def _initialize(session: SessionInterface, graph: Graph, checkpoint_path: str) -> None:
    held = resources.shared_resources() + resources.local_resources()
    session.run(resources.initialize_resources(held))
    if checkpoint_path:
        _restore_from_checkpoint(session, graph, checkpoint_path)
    else:
        session.run(variables.global_variables_initializer())
    for make in (variables.local_variables_initializer, lookup_ops.tables_initializer):
        session.run(make())


@tf_export("contrib.learn.run_feeds")
@_DEPRECATED
def run_feeds(*args: Any, **kwargs: Any) -> list[Any]:
    """Runs tensors in a session of their own.

    Args:
      output_dict: {name: what is run}.
      feed_dicts: an iterable of feed dicts, or None for a run without.
      restore_checkpoint_path: the variables' values; they are initialized by default.

    Returns:
      {name: the value} for each feed dict.

    Raises:
      ValueError: there are no tensors or feed dicts.
    """
    return list(run_feeds_iter(*args, **kwargs))


@tf_export("contrib.learn.infer")
@_DEPRECATED
def infer(
    restore_checkpoint_path: Any, output_dict: Any, feed_dict: dict[Any, Any] | None = None
) -> Any:
    """`run_feeds` of one feed dict.

    Args:
      restore_checkpoint_path: a checkpoint's prefix, or None to initialise the variables.
      output_dict: {name: a tensor}.
      feed_dict: feeds.

    Returns:
      {name: an array}.
    """
    return run_feeds(
        output_dict=output_dict, feed_dicts=[feed_dict],
        restore_checkpoint_path=restore_checkpoint_path,
    )[0]  # fmt: skip
