"""`tf.contrib.slim.evaluation` (`tensorflow.contrib.slim.python.slim.evaluation`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.contrib.training import evaluation
from tf1compat.api.summary import summary
from tf1compat.api.training import monitored_session
from tf1compat.api.training.saver import Saver

__all__ = ["checkpoints_iterator", "evaluate_once", "evaluation_loop", "wait_for_new_checkpoint"]

wait_for_new_checkpoint = evaluation.wait_for_new_checkpoint
checkpoints_iterator = evaluation.checkpoints_iterator

_USE_DEFAULT = 0


def _hooks(
    num_evals: Any, logdir: str, summary_op: Any, summary_op_feed_dict: Any, hooks: Any
) -> list[Any]:
    """The hooks that stop and summarise, and the user's."""
    if isinstance(summary_op, int) and summary_op == _USE_DEFAULT:
        summary_op = summary.merge_all()
    found: list[Any] = [evaluation.StopAfterNEvalsHook(num_evals)]
    if summary_op is not None:
        found.append(
            evaluation.SummaryAtEndHook(
                log_dir=logdir, summary_op=summary_op, feed_dict=summary_op_feed_dict
            )
        )
    return found + list(hooks or [])


def _saver(variables_to_restore: Any) -> Any:
    if variables_to_restore is None:
        return None
    return Saver(variables_to_restore)


def evaluate_once(
    master: Any, checkpoint_path: str, logdir: str, num_evals: int = 1, initial_op: Any = None,
    initial_op_feed_dict: Any = None, eval_op: Any = None, eval_op_feed_dict: Any = None,
    final_op: Any = None, final_op_feed_dict: Any = None, summary_op: Any = _USE_DEFAULT,
    summary_op_feed_dict: Any = None, variables_to_restore: Any = None,
    session_config: Any = None, hooks: Any = None,
) -> Any:  # fmt: skip
    """Evaluates a checkpoint.

    Args:
      master: the session's target.
      checkpoint_path: the checkpoint.
      logdir: where summaries are written.
      num_evals: how often `eval_op` is run.
      initial_op: run first.
      initial_op_feed_dict: feeds of `initial_op`.
      eval_op: an operation or a list or dict of them.
      eval_op_feed_dict: feeds of `eval_op`.
      final_op: fetched at the end.
      final_op_feed_dict: feeds of `final_op`.
      summary_op: written at the end; all summaries by default, None for none.
      summary_op_feed_dict: feeds of `summary_op`.
      variables_to_restore: what the checkpoint holds; all variables by default.
      session_config: a `ConfigProto`.
      hooks: further `SessionRunHook`s.

    Returns:
      The values of `final_op`.
    """
    all_hooks = _hooks(num_evals, logdir, summary_op, summary_op_feed_dict, hooks)
    return evaluation.evaluate_once(
        checkpoint_path,
        master=master,
        scaffold=monitored_session.Scaffold(
            init_op=initial_op,
            init_feed_dict=initial_op_feed_dict,
            saver=_saver(variables_to_restore),
        ),
        eval_ops=eval_op,
        feed_dict=eval_op_feed_dict,
        final_ops=final_op,
        final_ops_feed_dict=final_op_feed_dict,
        hooks=all_hooks,
        config=session_config,
    )


def evaluation_loop(
    master: Any, checkpoint_dir: str, logdir: str, num_evals: int = 1, initial_op: Any = None,
    initial_op_feed_dict: Any = None, init_fn: Callable[..., Any] | None = None,
    eval_op: Any = None,
    eval_op_feed_dict: Any = None, final_op: Any = None, final_op_feed_dict: Any = None,
    summary_op: Any = _USE_DEFAULT, summary_op_feed_dict: Any = None,
    variables_to_restore: Any = None, eval_interval_secs: Any = 60,
    max_number_of_evaluations: Any = None, session_config: Any = None, timeout: Any = None,
    timeout_fn: Any = None, hooks: Any = None,
) -> Any:  # fmt: skip
    """Evaluates the checkpoints of a directory as they appear.

    Args: as `evaluate_once`, and
      checkpoint_dir: the directory.
      init_fn: called with the session after `initial_op`.
      eval_interval_secs: the least time between two evaluations.
      max_number_of_evaluations: how many evaluations; None for no end.
      timeout: how many seconds to wait for a new checkpoint; None for ever.
      timeout_fn: called when they are over; True ends.

    Returns:
      The values of `final_op` of the last evaluation.
    """
    all_hooks = _hooks(num_evals, logdir, summary_op, summary_op_feed_dict, hooks)
    return evaluation.evaluate_repeatedly(
        checkpoint_dir,
        master=master,
        scaffold=monitored_session.Scaffold(
            init_op=initial_op,
            init_feed_dict=initial_op_feed_dict,
            init_fn=init_fn,
            saver=_saver(variables_to_restore),
        ),
        eval_ops=eval_op,
        feed_dict=eval_op_feed_dict,
        final_ops=final_op,
        final_ops_feed_dict=final_op_feed_dict,
        eval_interval_secs=eval_interval_secs,
        hooks=all_hooks,
        config=session_config,
        max_number_of_evaluations=max_number_of_evaluations,
        timeout=timeout,
        timeout_fn=timeout_fn,
    )
