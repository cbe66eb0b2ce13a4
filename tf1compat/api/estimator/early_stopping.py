"""Hooks that end training early (`tensorflow_estimator.python.estimator.early_stopping`)."""

from __future__ import annotations

import collections
import operator
import os
from collections.abc import Callable, Iterator
from typing import Any

from tf1compat.api.estimator import estimator as estimator_lib
from tf1compat.api.platform import gfile
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.random import init_ops
from tf1compat.api.training import hook_timers, session_run_hook, summary_io, training_util
from tf1compat.api.variables import state_ops, variable_scope
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export


@tf_export("estimator.experimental.make_early_stopping_hook")
def make_early_stopping_hook(
    estimator: Any, should_stop_fn: Any, run_every_secs: Any = 60, run_every_steps: Any = None
) -> Any:
    """A hook that ends training when a function says so.

    Args:
      estimator: the estimator that is trained.
      should_stop_fn: a function without arguments that gives a bool; the chief calls it.
      run_every_secs, run_every_steps: how often; one of them.

    Returns:
      A `SessionRunHook`.

    Raises:
      TypeError: `estimator` is something else.
      ValueError: both are given.
    """
    if not isinstance(estimator, estimator_lib.Estimator):
        raise TypeError(
            f"`estimator` must have type `tf.estimator.Estimator`. Got: {type(estimator)}"
        )
    if run_every_secs is not None and run_every_steps is not None:
        raise ValueError("Only one of `run_every_secs` and `run_every_steps` must be set.")
    if estimator.config.is_chief:
        return _StopOnPredicateHook(should_stop_fn, run_every_secs, run_every_steps)
    return _CheckForStoppingHook()


def read_eval_metrics(eval_dir: str) -> collections.OrderedDict[int, dict[str, float]]:
    """The numbers in a folder's event files: {step: {tag: a number}}, by step."""
    found: dict[int, dict[str, float]] = {}
    for event in _summaries(eval_dir):
        for value in event.summary.value:
            if value.HasField("simple_value"):
                found.setdefault(event.step, {})[value.tag] = value.simple_value
    return collections.OrderedDict(sorted(found.items()))


def _summaries(eval_dir: str) -> Iterator[Any]:
    if gfile.Exists(eval_dir):
        for path in gfile.Glob(os.path.join(eval_dir, "events.out.tfevents.*")):
            yield from summary_io.summary_iterator(path)


def _values(
    estimator: Any, eval_dir: str | None, metric_name: Any, min_steps: Any
) -> Callable[[], Iterator[tuple[int, float]]]:
    """A function that reads (step, a metric's value) from `min_steps` on."""
    folder = estimator.eval_dir() if eval_dir is None else eval_dir

    def read() -> Iterator[tuple[int, float]]:
        for step, metrics in read_eval_metrics(folder).items():
            if step >= min_steps:
                yield step, metrics[metric_name]

    return read


def _threshold_hook(
    is_better: Any, words: str, estimator: Any, metric_name: Any, threshold: Any, eval_dir: Any,
    min_steps: Any, run_every_secs: Any, run_every_steps: Any,
) -> Any:  # fmt: skip
    read = _values(estimator, eval_dir, metric_name, min_steps)

    def stop_if_threshold_crossed_fn() -> bool:
        for step, value in read():
            if is_better(value, threshold):
                logging.info(
                    'At step %s, metric "%s" has value %s which is %s the configured threshold '
                    "(%s) for early stopping.",
                    step, metric_name, value, words, threshold,
                )  # fmt: skip
                return True
        return False

    return make_early_stopping_hook(
        estimator, stop_if_threshold_crossed_fn, run_every_secs, run_every_steps
    )


def _improvement_hook(
    is_better: Any, word: str, estimator: Any, metric_name: Any, most: Any, eval_dir: Any,
    min_steps: Any, run_every_secs: Any, run_every_steps: Any,
) -> Any:  # fmt: skip
    read = _values(estimator, eval_dir, metric_name, min_steps)

    def stop_if_no_metric_improvement_fn() -> bool:
        best, best_step = None, 0
        for step, value in read():
            if best is None or is_better(value, best):
                best, best_step = value, step
            if step - best_step >= most:
                logging.info(
                    'No %s in metric "%s" for %s steps, which is greater than or equal to max '
                    "steps (%s) configured for early stopping.",
                    word, metric_name, step - best_step, most,
                )  # fmt: skip
                return True
        return False

    return make_early_stopping_hook(
        estimator, stop_if_no_metric_improvement_fn, run_every_secs, run_every_steps
    )


@tf_export("estimator.experimental.stop_if_higher_hook")
def stop_if_higher_hook(
    estimator: Any, metric_name: Any, threshold: Any, eval_dir: str | None = None,
    min_steps: Any = 0,
    run_every_secs: Any = 60, run_every_steps: Any = None,
) -> Any:  # fmt: skip
    """A hook that ends training when a metric is above a threshold.

    Args:
      estimator: the estimator that is trained.
      metric_name: the metric's tag in the summaries of evaluations.
      threshold: the threshold.
      eval_dir: the folder of these summaries.
      min_steps: from which step on.
      run_every_secs, run_every_steps: how often the summaries are read; one of them.

    Returns:
      A `tf.estimator.SessionRunHook`.

    Raises:
      TypeError, ValueError: see `make_early_stopping_hook`.
    """
    return _threshold_hook(
        operator.gt, "greater than", estimator, metric_name, threshold, eval_dir, min_steps,
        run_every_secs, run_every_steps,
    )  # fmt: skip


@tf_export("estimator.experimental.stop_if_lower_hook")
def stop_if_lower_hook(
    estimator: Any, metric_name: Any, threshold: Any, eval_dir: str | None = None,
    min_steps: Any = 0,
    run_every_secs: Any = 60, run_every_steps: Any = None,
) -> Any:  # fmt: skip
    """A hook that ends training when a metric is below a threshold: see `stop_if_higher_hook`.

    Args:
      estimator, metric_name, threshold, eval_dir, min_steps, run_every_secs, run_every_steps: as in
        `stop_if_higher_hook`.

    Returns:
      As `stop_if_higher_hook`.
    """
    return _threshold_hook(
        operator.lt, "less than", estimator, metric_name, threshold, eval_dir, min_steps,
        run_every_secs, run_every_steps,
    )  # fmt: skip


@tf_export("estimator.experimental.stop_if_no_increase_hook")
def stop_if_no_increase_hook(
    estimator: Any, metric_name: Any, max_steps_without_increase: Any, eval_dir: str | None = None,
    min_steps: Any = 0, run_every_secs: Any = 60, run_every_steps: Any = None,
) -> Any:  # fmt: skip
    """A hook that ends training when a metric has not grown for some steps.

    Args:
      max_steps_without_increase: for how many.
      The others: see `stop_if_higher_hook`.

    Returns:
      A `tf.estimator.SessionRunHook`.
    """
    return _improvement_hook(
        operator.gt, "increase", estimator, metric_name, max_steps_without_increase, eval_dir,
        min_steps, run_every_secs, run_every_steps,
    )  # fmt: skip


@tf_export("estimator.experimental.stop_if_no_decrease_hook")
def stop_if_no_decrease_hook(
    estimator: Any, metric_name: Any, max_steps_without_decrease: Any, eval_dir: str | None = None,
    min_steps: Any = 0, run_every_secs: Any = 60, run_every_steps: Any = None,
) -> Any:  # fmt: skip
    """A hook that ends training when a metric has not fallen for some steps.

    Args:
      max_steps_without_decrease: for how many.
      The others: see `stop_if_higher_hook`.

    Returns:
      A `tf.estimator.SessionRunHook`.
    """
    return _improvement_hook(
        operator.lt, "decrease", estimator, metric_name, max_steps_without_decrease, eval_dir,
        min_steps, run_every_secs, run_every_steps,
    )  # fmt: skip


def _get_or_create_stop_var() -> Any:
    with variable_scope.variable_scope(
        "signal_early_stopping", values=[], reuse=variable_scope.AUTO_REUSE
    ):
        return variable_scope.get_variable(
            "STOP", shape=[], dtype=dtypes.bool, initializer=init_ops.constant_initializer(False),
            collections=[ops.GraphKeys.GLOBAL_VARIABLES], trainable=False,
        )  # fmt: skip


class _StopOnPredicateHook(session_run_hook.SessionRunHook):
    """Of the chief: asks the function, and tells the others by a variable."""

    def __init__(self, should_stop_fn: Any, run_every_secs: Any = 60, run_every_steps: Any = None):
        if not callable(should_stop_fn):
            raise TypeError("`should_stop_fn` must be callable.")
        self._should_stop_fn = should_stop_fn
        self._timer = hook_timers.SecondOrStepTimer(run_every_secs, run_every_steps)

    def begin(self) -> None:
        """Makes the variable."""
        self._global_step_tensor = training_util.get_global_step()
        self._stop_op = state_ops.assign(_get_or_create_stop_var(), True)

    def before_run(self, run_context: session_run_hook.SessionRunContext) -> Any:
        """Asks for the step."""
        return session_run_hook.SessionRunArgs(self._global_step_tensor)

    def after_run(
        self,
        run_context: session_run_hook.SessionRunContext,
        run_values: session_run_hook.SessionRunValues,
    ) -> None:
        """Asks the function, if it is time."""
        step = run_values.results
        if not self._timer.should_trigger_for_step(step):
            return
        self._timer.update_last_triggered_step(step)
        if self._should_stop_fn():
            logging.info("Requesting early stopping at global step %d", step)
            run_context.session.run(self._stop_op)
            run_context.request_stop()


class _CheckForStoppingHook(session_run_hook.SessionRunHook):
    """Of the others: looks at the variable."""

    def begin(self) -> None:
        """Makes the variable."""
        self._stop_var = _get_or_create_stop_var()

    def before_run(self, run_context: session_run_hook.SessionRunContext) -> Any:
        """Asks for it."""
        return session_run_hook.SessionRunArgs(self._stop_var)

    def after_run(
        self,
        run_context: session_run_hook.SessionRunContext,
        run_values: session_run_hook.SessionRunValues,
    ) -> None:
        """Stops if the chief has."""
        if run_values.results:
            logging.info("Early stopping requested, suspending run.")
            run_context.request_stop()
