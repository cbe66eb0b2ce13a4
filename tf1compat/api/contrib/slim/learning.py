"""`tf.contrib.slim.learning` (`tensorflow.contrib.slim.python.slim.learning`)."""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tf1compat.api.array import constant_op
from tf1compat.api.contrib.training import training
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.lookup import lookup_ops
from tf1compat.api.math import math_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.summary import summary
from tf1compat.api.training import supervisor, training_util
from tf1compat.api.training.optimizer import Optimizer
from tf1compat.api.training.saver import Saver
from tf1compat.api.training.sync_replicas_optimizer import SyncReplicasOptimizer
from tf1compat.api.variables import variables
from tf1compat.core import errors, ops
from tf1compat.core.graph import Graph
from tf1compat.core.session_interface import SessionInterface
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, TensorLike

__all__ = [
    "add_gradients_summaries",
    "clip_gradient_norms",
    "create_train_op",
    "multiply_gradients",
    "train",
    "train_step",
]

GradsAndVars = list[tuple[Any, Any]]
_USE_GLOBAL_STEP = 0
_USE_DEFAULT = 0

clip_gradient_norms = training.clip_gradient_norms


def multiply_gradients(grads_and_vars: Any, gradient_multipliers: Any) -> GradsAndVars:
    """Multiplies the gradients of some variables; see `tf.contrib.training.multiply_gradients`."""

    def as_tensor(factor: Any, dtype: DTypeLike) -> Tensor:
        is_tensor = isinstance(factor, ops.Tensor)
        return factor if is_tensor else constant_op.constant(factor, dtype=dtype)

    return training.multiplied_gradients(grads_and_vars, gradient_multipliers, as_tensor)


def add_gradients_summaries(grads_and_vars: Sequence[Any]) -> list[Tensor]:
    """A histogram and the norm of each gradient.

    Args:
      grads_and_vars: (gradient, variable) pairs.

    Returns:
      The summaries.
    """
    return training.summarize_gradients(grads_and_vars, "/gradient")


def create_train_op(
    total_loss: Any, optimizer: Optimizer, global_step: TensorLike = _USE_GLOBAL_STEP,
    update_ops: Any = None, variables_to_train: Any = None, clip_gradient_norm: Any = 0,
    summarize_gradients: bool = False, gate_gradients: int = Optimizer.GATE_OP,
    aggregation_method: Any = None, colocate_gradients_with_ops: bool = False,
    gradient_multipliers: Any = None, check_numerics: bool = True,
) -> Tensor:  # fmt: skip
    """A training step.

    Args: see `tf.contrib.training.create_train_op`.
      clip_gradient_norm: the greatest norm of a gradient; 0 for any.
      gradient_multipliers: a dict: variable, or its operation's name -> factor of its gradient.

    Returns:
      The loss, after the step.
    """

    def transform(gradients: GradsAndVars) -> GradsAndVars:
        if gradient_multipliers:
            with ops.name_scope("multiply_grads"):
                gradients = multiply_gradients(gradients, gradient_multipliers)
        if clip_gradient_norm > 0:
            with ops.name_scope("clip_grads"):
                gradients = clip_gradient_norms(gradients, clip_gradient_norm)
        return gradients

    return training.create_train_op(
        total_loss=total_loss, optimizer=optimizer, global_step=global_step, update_ops=update_ops,
        variables_to_train=variables_to_train, transform_grads_fn=transform,
        summarize_gradients=summarize_gradients, gate_gradients=gate_gradients,
        aggregation_method=aggregation_method,
        colocate_gradients_with_ops=colocate_gradients_with_ops, check_numerics=check_numerics,
    )  # fmt: skip


def _wait_for_step(sess: SessionInterface, global_step: Any, step: int) -> None:
    """Waits until the global step reaches a number."""
    while training_util.global_step(sess, global_step) < step:
        time.sleep(1.0)


def train_step(
    sess: SessionInterface, train_op: Any, global_step: TensorLike, train_step_kwargs: Any
) -> Any:
    """Makes a training step.

    Args:
      sess: the session.
      train_op: makes the step and gives the loss.
      global_step: the global step.
      train_step_kwargs: a dict; bool tensors `should_stop` and `should_log` say what else is done.

    Returns:
      The loss, and whether to stop.

    Raises:
      ValueError: `should_trace` without `logdir`.
      NotImplementedError: a step that should be traced.
    """
    start_time = time.time()
    if "should_trace" in train_step_kwargs:
        if "logdir" not in train_step_kwargs:
            raise ValueError(
                "logdir must be present in train_step_kwargs when should_trace is present"
            )
        if sess.run(train_step_kwargs["should_trace"]):
            raise NotImplementedError(
                "Traces of tf.contrib.slim.learning.train_step are not supported by tf1compat yet"
            )
    total_loss, step = sess.run([train_op, global_step])
    elapsed = time.time() - start_time
    if "should_log" in train_step_kwargs and sess.run(train_step_kwargs["should_log"]):
        logging.info("global step %d: loss = %.4f (%.3f sec/step)", step, total_loss, elapsed)
    # Read in a run of its own: the step counts only afterwards.
    stop = train_step_kwargs.get("should_stop")
    return total_loss, False if stop is None else sess.run(stop)


def _is_default(value: Any) -> bool:
    return isinstance(value, int) and value == _USE_DEFAULT


def _check_train(
    train_op: Any, logdir: str | None, summary_op: Any, saver: Any, trace_every_n_steps: Any,
    sync_optimizer: Any, startup_delay_steps: int, number_of_steps: Any,
) -> None:  # fmt: skip
    """Refuses what `train` can't do."""
    if train_op is None:
        raise ValueError("train_op cannot be None.")
    if logdir is None:
        if not _is_default(summary_op):
            raise ValueError("Cannot provide summary_op because logdir=None")
        if saver is not None:
            raise ValueError("Cannot provide saver because logdir=None")
        if trace_every_n_steps is not None:
            raise ValueError("Cannot provide trace_every_n_steps because logdir=None")
    if sync_optimizer is not None and startup_delay_steps > 0:
        raise ValueError("startup_delay_steps must be zero when sync_optimizer is supplied.")
    if number_of_steps is not None and number_of_steps <= 0:
        raise ValueError("`number_of_steps` must be either None or a positive number.")


def train(
    train_op: Any, logdir: str, train_step_fn: Callable[..., Any] = train_step,
    train_step_kwargs: Any = _USE_DEFAULT, log_every_n_steps: int = 1, graph: Graph | None = None,
    master: Any = "", is_chief: bool = True, global_step: Any = None, number_of_steps: Any = None,
    init_op: Any = _USE_DEFAULT, init_feed_dict: Any = None, local_init_op: Any = _USE_DEFAULT,
    init_fn: Callable[..., Any] | None = None, ready_op: Any = _USE_DEFAULT,
    summary_op: Any = _USE_DEFAULT,
    save_summaries_secs: Any = 600, summary_writer: Any = _USE_DEFAULT,
    startup_delay_steps: int = 0, saver: Any = None, save_interval_secs: Any = 600,
    sync_optimizer: Any = None, session_config: Any = None, session_wrapper: Any = None,
    trace_every_n_steps: Any = None, ignore_live_threads: bool = False,
) -> Any:  # fmt: skip
    """Trains with a `Supervisor`: makes steps until one says stop.

    Args:
      train_op: makes a step and gives the loss.
      logdir: where checkpoints and events are written; None for nowhere.
      train_step_fn: makes a step, as `train_step` does.
      train_step_kwargs: a dict for it; by default one that stops and logs as said below.
      log_every_n_steps: how often the loss is logged.
      graph: the default graph by default.
      master: the session's target.
      is_chief: whether this worker initialises, saves and summarises.
      global_step: the global step; found or made by default.
      number_of_steps: the global step to stop at; None for never.
      init_op: initialises the variables.
      init_feed_dict: feeds of `init_op`.
      local_init_op: initialises the local variables and tables.
      init_fn: called with the session after `init_op`.
      ready_op: gives the names of the variables that are not ready.
      summary_op: all summaries in one.
      save_summaries_secs: how often to summarise.
      summary_writer: a `FileWriter`; None for none.
      startup_delay_steps: the global step that a worker waits for.
      saver: a `Saver`.
      save_interval_secs: how often to save.
      sync_optimizer: a `SyncReplicasOptimizer`, or a list of them, that makes the steps.
      session_config: a `ConfigProto`.
      session_wrapper: a function of the session that gives another one.
      trace_every_n_steps: how often to trace a step, which fails.
      ignore_live_threads: whether threads may go on at the end.

    Returns:
      The last loss.

    Raises:
      ValueError: arguments that don't go together.
    """
    if isinstance(sync_optimizer, SyncReplicasOptimizer):
        sync_optimizer = [sync_optimizer]
    _check_train(
        train_op, logdir, summary_op, saver, trace_every_n_steps, sync_optimizer,
        startup_delay_steps, number_of_steps,
    )  # fmt: skip
    ready_for_local_init_op = None
    chief_runners: list[Any] = []
    init_tokens: list[Any] = []
    graph = graph or ops.get_default_graph()
    with graph.as_default():
        if global_step is None:
            global_step = training_util.get_or_create_global_step()
        if saver is None:
            saver = Saver()
        for optimizer in sync_optimizer or []:
            if not isinstance(optimizer, SyncReplicasOptimizer):
                raise ValueError("`sync_optimizer` must be a tf.train.SyncReplicasOptimizer.")
        with ops.name_scope("init_ops"):
            if _is_default(init_op):
                init_op = variables.global_variables_initializer()
            if _is_default(ready_op):
                ready_op = variables.report_uninitialized_variables()
            if _is_default(local_init_op):
                local_init_op = control_flow_ops.group(
                    variables.local_variables_initializer(), lookup_ops.tables_initializer()
                )
            if isinstance(sync_optimizer, list):
                local_init_op, ready_for_local_init_op = _synchronized(
                    sync_optimizer, is_chief, local_init_op
                )
        if _is_default(summary_op):
            summary_op = summary.merge_all()
        if _is_default(summary_writer):
            summary_writer = supervisor.Supervisor.USE_DEFAULT
        if is_chief and sync_optimizer is not None:
            # The supervisor lets no operation be added.
            init_tokens = [optimizer.get_init_tokens_op() for optimizer in sync_optimizer]
            chief_runners = [optimizer.get_chief_queue_runner() for optimizer in sync_optimizer]
        if _is_default(train_step_kwargs):
            train_step_kwargs = _default_step_arguments(
                global_step,
                number_of_steps,
                log_every_n_steps,
                trace_every_n_steps if is_chief else None,
            )
            if "should_trace" in train_step_kwargs:
                train_step_kwargs["logdir"] = logdir
    sv = supervisor.Supervisor(
        graph=graph,
        is_chief=is_chief,
        logdir=logdir,
        init_op=init_op,
        init_feed_dict=init_feed_dict,
        local_init_op=local_init_op,
        ready_for_local_init_op=ready_for_local_init_op,
        ready_op=ready_op,
        summary_op=summary_op,
        summary_writer=summary_writer,
        global_step=global_step,
        saver=saver,
        save_summaries_secs=save_summaries_secs,
        save_model_secs=save_interval_secs,
        init_fn=init_fn,
    )
    if summary_writer is not None:
        train_step_kwargs["summary_writer"] = sv.summary_writer
    total_loss = None

    def run_session() -> None:
        nonlocal total_loss
        with sv.managed_session(
            master, start_standard_services=False, config=session_config
        ) as sess:
            logging.info("Starting Session.")
            if session_wrapper is not None:
                logging.info("Wrapping session with wrapper function: %s", session_wrapper)
                sess = session_wrapper(sess)
            if not is_chief and startup_delay_steps > 0:
                last = number_of_steps or sys.maxsize
                _wait_for_step(sess, global_step, min(startup_delay_steps, last))
            if is_chief and logdir:
                sv.start_standard_services(sess)
            threads = sv.start_queue_runners(sess)
            logging.info("Starting Queues.")
            if init_tokens:
                sv.start_queue_runners(sess, chief_runners)
                sess.run(init_tokens)
            step = functools.partial(train_step_fn, sess, train_op, global_step, train_step_kwargs)
            for loss in _losses(sv, step):
                total_loss = loss
            if logdir and sv.is_chief:
                logging.info("Finished training! Saving model to disk.")
                sv.saver.save(sess, sv.save_path, global_step=sv.global_step)
                sv.stop(threads, close_summary_writer=True, ignore_live_threads=ignore_live_threads)

    while True:
        try:
            run_session()
            return total_loss
        except errors.AbortedError:
            # A server was started anew.
            logging.info("Retrying training!")


def _losses(sv: Any, step: Callable[[], Any]) -> Iterator[Any]:
    """The losses of steps, made until one says stop or what they read is at its end."""
    try:
        while not sv.should_stop():
            loss, is_last = step()
            yield loss
            if is_last:
                logging.info("Stopping Training.")
                sv.request_stop()
                return
    except errors.OutOfRangeError as error:
        logging.info("Caught OutOfRangeError. Stopping Training. %s", error)


def _synchronized(optimizers: list[Any], is_chief: bool, local_init_op: Any) -> tuple[Any, Any]:
    """What initializes the local variables, and what says that this can be done."""
    with ops.control_dependencies([] if local_init_op is None else [local_init_op]):
        if is_chief:
            init_ops = [optimizer.chief_init_op for optimizer in optimizers]
        else:
            init_ops = [optimizer.local_step_init_op for optimizer in optimizers]
        local_init_op = control_flow_ops.group(*init_ops)
    ready = control_flow_ops.group(*[opt.ready_for_local_init_op for opt in optimizers])
    return local_init_op, ready


def _every(global_step: TensorLike, count: int) -> Tensor:
    return math_ops.equal(math_ops.mod(global_step, count), 0)


def _default_step_arguments(
    global_step: Any, number_of_steps: Any, log_every: int, trace_every: Any
) -> dict[str, Any]:
    """What tells `train_step` when to stop, to log and to trace."""
    with ops.name_scope("train_step"):
        arguments: dict[str, Any] = {}
        if number_of_steps:
            arguments["should_stop"] = math_ops.greater_equal(global_step, number_of_steps)
        else:
            arguments["should_stop"] = constant_op.constant(False)
        if log_every > 0:
            arguments["should_log"] = _every(global_step, log_every)
        if trace_every is not None:
            arguments["should_trace"] = _every(global_step, trace_every)
    return arguments
