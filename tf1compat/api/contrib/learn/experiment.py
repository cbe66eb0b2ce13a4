"""Training and evaluation together (`tensorflow.contrib.learn.python.learn.experiment`)."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from typing import Any

from tf1compat.api.contrib.framework.experimental import experimental
from tf1compat.api.contrib.learn import evaluable, export_strategy, monitors, trainable
from tf1compat.api.contrib.learn.estimators import run_config
from tf1compat.api.estimator import estimator as core_estimator
from tf1compat.api.estimator import util
from tf1compat.api.estimator.tpu import tpu_estimator
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training import (
    basic_session_run_hooks,
    checkpoint_management,
    saving_hooks,
    server_lib,
)
from tf1compat.api.util import compat
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.session_interface import SessionInterface
from tf1compat.core.typing import Name


class _EvalAndExportListener(saving_hooks.CheckpointSaverListener):
    """Evaluates and exports each new checkpoint.

    Args:
      eval_fn: a function of `name` and `checkpoint_path`.
      export_fn: a function of an evaluation's result and `checkpoint_path`.
      model_dir: the folder of the checkpoints.
    """

    def __init__(self, eval_fn: Any, export_fn: Any, model_dir: str):
        self._eval_fn, self._export_fn, self._model_dir = eval_fn, export_fn, model_dir
        self._latest_path: Any = None
        self.eval_result: Any = None
        self.export_results: Any = None

    def after_save(self, session: SessionInterface, global_step_value: Any) -> None:
        """See `CheckpointSaverListener`."""
        logging.info("Checking for checkpoint in %s", self._model_dir)
        path = checkpoint_management.latest_checkpoint(self._model_dir)
        if not path:
            logging.warning("Skipping evaluation and export since model has not been saved yet.")
        elif path == self._latest_path:
            logging.warning("Skipping evaluation due to same latest checkpoint %s.", path)
        else:
            self._latest_path = path
            self.eval_result = self._eval_fn(name="intermediate_export", checkpoint_path=path)
            self.export_results = self._export_fn(self.eval_result, checkpoint_path=path)


def _checked_predicate(predicate_fn: Any) -> Callable[[Any, Any], Any]:
    """A predicate of an evaluation's result and the checkpoint's path."""
    if predicate_fn is None:
        return lambda result, path: True
    if not callable(predicate_fn):
        raise ValueError("`continuous_eval_predicate_fn` must be a callable, or None.")
    if "checkpoint_path" in util.fn_args(predicate_fn):
        return lambda result, path: predicate_fn(result, checkpoint_path=path)
    return lambda result, path: predicate_fn(result)


def _wait(seconds: float, for_what: str) -> None:
    if seconds:
        logging.info("Waiting %f secs before starting %s.", seconds, for_what)
        time.sleep(seconds)


@tf_export("contrib.learn.Experiment")
class Experiment:
    """An estimator with its input functions, and the ways to run them.

    Args:
      estimator: a `tf.contrib.learn` or a `tf.estimator` one.
      train_input_fn, eval_input_fn: the input functions.
      eval_metrics: of `tf.contrib.learn` estimators; see `Estimator.evaluate`.
      train_steps: the step at which training ends.
      eval_steps: how many batches an evaluation has.
      train_monitors: monitors or hooks of the training.
      eval_hooks: hooks of evaluations.
      local_eval_frequency: `min_eval_frequency` of `local_run`.
      eval_delay_secs: how long an evaluation waits at first.
      continuous_eval_throttle_secs: how much time lies between two starts of `continuous_eval`.
      min_eval_frequency: how many steps lie between two evaluations of `train_and_evaluate`, at
        least; 0 to evaluate at the end only.
      delay_workers_by_global_step: whether workers wait for steps and not for seconds.
      export_strategies: an `ExportStrategy`, or several.
      train_steps_per_iteration: how many steps `continuous_train_and_eval` takes at a time.
      checkpoint_and_export: whether `train_and_evaluate` evaluates and exports every checkpoint.
      saving_listeners: of `tf.estimator` estimators; see `tf.estimator.Estimator.train`.
      check_interval_secs: how many seconds lie between two looks for a checkpoint, at least.

    Raises:
      ValueError: an argument is wrong.
    """

    @deprecated(
        None,
        "Please switch to tf.estimator.train_and_evaluate. You will also have to convert to a "
        "tf.estimator.Estimator.",
    )
    def __init__(
        self, estimator: Any, train_input_fn: Callable[..., Any], eval_input_fn: Callable[...,
        Any], eval_metrics: Any = None,
        train_steps: Any = None, eval_steps: Any = 100, train_monitors: Any = None,
        eval_hooks: Any = None, local_eval_frequency: Any = None, eval_delay_secs: Any = 120,
        continuous_eval_throttle_secs: Any = 60, min_eval_frequency: Any = None,
        delay_workers_by_global_step: bool = False, export_strategies: Any = None,
        train_steps_per_iteration: Any = None, checkpoint_and_export: bool = False,
        saving_listeners: Any = None, check_interval_secs: Any = 5,
    ):  # fmt: skip
        self._core_estimator_used = isinstance(estimator, core_estimator.Estimator)
        if not self._core_estimator_used:
            _check_estimator(estimator, saving_listeners)
        elif eval_metrics is not None:
            raise ValueError(
                "`eval_metrics` must be `None` with `tf.estimator.Estimator`. "
                "Use `eval_metric_ops` in `tf.estimator.EstimatorSpec` instead."
            )
        if isinstance(estimator, tpu_estimator.TPUEstimator):
            logging.warning(
                "`Experiment` class cannot work with `tf.contrib.tpu.TPUEstimator`. "
                "Please call `TPUEstimator` train/evaluate directly. \n"
                "Details: `Experiment` class is designed for between-graph "
                "distributed training, while `TPUEstimator` is working in in-graph "
                "distributed mode. Use with care."
            )
        self._estimator: Any = estimator
        self._train_input_fn, self._eval_input_fn = train_input_fn, eval_input_fn
        self._eval_metrics = eval_metrics
        self._train_steps, self._eval_steps = train_steps, eval_steps
        self._local_eval_frequency = local_eval_frequency
        self._eval_delay_secs = eval_delay_secs
        self._continuous_eval_throttle_secs = continuous_eval_throttle_secs
        self._checkpoint_and_export = checkpoint_and_export
        self._saving_listeners = saving_listeners
        self._min_eval_frequency = 1 if min_eval_frequency is None else min_eval_frequency
        self._check_interval_secs = check_interval_secs
        self._delay_workers_by_global_step = delay_workers_by_global_step
        self._train_monitors = list(train_monitors or [])
        self._eval_hooks = list(eval_hooks or [])
        self._export_strategies = _checked_strategies(export_strategies)
        self._train_steps_per_iteration = train_steps_per_iteration
        if not isinstance(train_steps_per_iteration, int | None):
            raise ValueError("`train_steps_per_iteration` must be an integer.")

    estimator = attribute("_estimator", "The estimator.")
    eval_metrics = attribute("_eval_metrics", "The metrics of evaluations.")
    train_steps = attribute("_train_steps", "The step at which training ends.")
    eval_steps = attribute("_eval_steps", "How many batches an evaluation has.")

    def extend_train_hooks(self, additional_hooks: Any) -> None:
        """Adds hooks of the training."""
        self._train_monitors.extend(additional_hooks)

    def reset_export_strategies(self, new_export_strategies: Any = None) -> Any:
        """Replaces the ways to export; gives those that were."""
        old = self._export_strategies
        self._export_strategies = _checked_strategies(new_export_strategies)
        return old

    def train(self, delay_secs: Any = None) -> Any:
        """Trains up to `train_steps`.

        Args:
          delay_secs: how long it waits before; by default 5 seconds for each worker before this.

        Returns:
          The estimator.

        Raises:
          ValueError: it is of a cluster, but its configuration is not a `RunConfig` of
            `tf.contrib.learn`.
        """
        start = time.time()
        self._start_server_of_cluster()
        hooks = list(self._train_monitors)
        if delay_secs is None:
            task_id = self._estimator.config.task_id or 0
            if self._delay_workers_by_global_step:
                steps = int(8000.0 * math.log(task_id + 1))
                hooks.append(basic_session_run_hooks.GlobalStepWaiterHook(steps))
                delay_secs = 0
            else:
                delay_secs = min(60, task_id * 5)
        if delay_secs > 0:
            remaining = delay_secs - (time.time() - start)
            logging.info("Waiting %d secs before starting training.", remaining)
            time.sleep(delay_secs)
        return self._call_train(
            input_fn=self._train_input_fn, max_steps=self._train_steps, hooks=hooks,
            saving_listeners=self._saving_listeners,
        )  # fmt: skip

    def _start_server_of_cluster(self) -> None:
        config = self._estimator.config
        if not (config.cluster_spec and config.master):
            return
        if not isinstance(config, run_config.RunConfig):
            raise ValueError(
                "For distributed runtime, Experiment class only works with "
                f"tf.contrib.learn.RunConfig for now, but provided {type(config)}"
            )
        environments = run_config.Environment
        if config.environment == environments.LOCAL:
            logging.warning(
                "ClusterSpec and master are provided, but environment is set to 'local'. Set "
                "environment to 'cloud' if you intend to use the distributed runtime."
            )
        elif config.environment != environments.GOOGLE:
            self._start_server()

    def evaluate(self, delay_secs: Any = None, name: Name = None) -> Any:
        """Evaluates the newest checkpoint.

        Args:
          delay_secs: how long it waits before; `eval_delay_secs` by default.
          name: of the evaluation; "one_pass" by default.
        """
        delay = self._eval_delay_secs if delay_secs is None else delay_secs
        if delay:
            logging.info("Waiting %d secs before starting eval.", delay)
            time.sleep(delay)
        return self._evaluate(self._eval_input_fn, name or "one_pass")

    @deprecated(
        "2016-10-23",
        "local_run will be renamed to train_and_evaluate and the new default behavior will be to "
        "run evaluation every time there is a new checkpoint.",
    )
    def local_run(self) -> Any:
        """`train_and_evaluate`, at `local_eval_frequency`."""
        usual = self._min_eval_frequency
        self._min_eval_frequency = self._local_eval_frequency
        try:
            return self.train_and_evaluate()
        finally:
            self._min_eval_frequency = usual

    def _continuous_eval(
        self, input_fn: Callable[..., Any], name: str, delay_secs: Any, throttle_delay_secs: Any,
        evaluate_checkpoint_only_once: bool = True, continuous_eval_predicate_fn: Any = None,
        export: bool = True,
    ) -> None:  # fmt: skip
        goes_on = _checked_predicate(continuous_eval_predicate_fn)
        if throttle_delay_secs is None:
            throttle_delay_secs = self._continuous_eval_throttle_secs
        _wait(self._eval_delay_secs if delay_secs is None else delay_secs, "eval")
        evaluated: Any = None
        result: Any = None
        warned = 0.0
        while goes_on(result, evaluated):
            if self._has_training_stopped(result):
                logging.info(
                    "Exiting continuous eval, global_step=%s >= train_step=%s",
                    result[ops.GraphKeys.GLOBAL_STEP], self._train_steps,
                )  # fmt: skip
                return
            start = time.time()
            path = checkpoint_management.latest_checkpoint(self._estimator.model_dir)
            problem = None
            if not path:
                problem = (
                    "Estimator is not fitted yet. Will start an evaluation when a checkpoint is "
                    "ready."
                )
            elif evaluate_checkpoint_only_once and path == evaluated:
                problem = "No new checkpoint ready for evaluation."
            if problem:
                result = {}
                if time.time() - warned > 600:
                    logging.warning(problem)
                    warned = time.time()
            else:
                result = self._evaluate(input_fn, name, path) or {}
                if export:
                    self._maybe_export(result, checkpoint_path=path)
                warned = 0.0
                evaluated = path
            rest = throttle_delay_secs - (time.time() - start)
            if rest > 0:
                _wait(rest, "next eval run")

    def _has_training_stopped(self, eval_result: Any) -> Any:
        if not eval_result:
            return False
        step = eval_result.get(ops.GraphKeys.GLOBAL_STEP)
        return step and self._train_steps and step >= self._train_steps

    def continuous_eval(
        self, delay_secs: Any = None, throttle_delay_secs: Any = None,
        evaluate_checkpoint_only_once: bool = True, continuous_eval_predicate_fn: Any = None,
        name: str = "continuous",
    ) -> None:  # fmt: skip
        """Evaluates, and exports, each new checkpoint, until that of the last step.

        Args:
          delay_secs: how long it waits before; `eval_delay_secs` by default.
          throttle_delay_secs: how many seconds lie between two starts.
          evaluate_checkpoint_only_once: False to evaluate a checkpoint again if there is none new.
          continuous_eval_predicate_fn: a function of the last result (and the checkpoint's path)
            that says whether to go on.
          name: of the evaluation.

        Raises:
          ValueError: the predicate is no function.
        """
        self._continuous_eval(
            self._eval_input_fn, name, delay_secs, throttle_delay_secs,
            evaluate_checkpoint_only_once, continuous_eval_predicate_fn,
        )  # fmt: skip

    def continuous_eval_on_train_data(
        self, delay_secs: Any = None, throttle_delay_secs: Any = None,
        continuous_eval_predicate_fn: Any = None, name: str = "continuous_on_train_data",
    ) -> None:  # fmt: skip
        """`continuous_eval`, on the training's input, without exports."""
        self._continuous_eval(
            self._train_input_fn, name, delay_secs, throttle_delay_secs,
            continuous_eval_predicate_fn=continuous_eval_predicate_fn, export=False,
        )  # fmt: skip

    def train_and_evaluate(self) -> tuple[Any, Any]:
        """Trains, evaluates on the way, and evaluates and exports at the end.

        Returns:
          The result of the last evaluation; a list of what the ways to export gave.
        """
        config = self._estimator.config
        listener = None
        if self._checkpoint_and_export and (
            config.save_checkpoints_secs or config.save_checkpoints_steps
        ):
            listener = _EvalAndExportListener(
                lambda name, checkpoint_path: self._evaluate(
                    self._eval_input_fn, name, checkpoint_path
                ),
                self._maybe_export,
                self._estimator.model_dir,
            )
            looks: list[Any] = [
                saving_hooks.CheckpointSaverHook(
                    checkpoint_dir=self._estimator.model_dir,
                    save_secs=config.save_checkpoints_secs,
                    save_steps=config.save_checkpoints_steps, listeners=[listener],
                )
            ]  # fmt: skip
        elif self._min_eval_frequency:
            looks = [
                monitors.ValidationMonitor(
                    input_fn=self._eval_input_fn, eval_steps=self._eval_steps,
                    metrics=self._eval_metrics, every_n_steps=self._min_eval_frequency,
                    check_interval_secs=self._check_interval_secs, hooks=self._eval_hooks,
                )
            ]  # fmt: skip
        else:
            looks = []
        usual = self._train_monitors
        self._train_monitors = usual + looks
        try:
            self.train(delay_secs=0)
        finally:
            self._train_monitors = usual
        if listener is not None:
            return listener.eval_result, listener.export_results
        result = self._evaluate(self._eval_input_fn, None)
        return result, self._maybe_export(result)

    @experimental
    def continuous_train_and_eval(self, continuous_eval_predicate_fn: Any = None) -> Any:
        """Trains for some steps and evaluates, in turns.

        Args:
          continuous_eval_predicate_fn: see `continuous_eval`.

        Returns:
          See `train_and_evaluate`.

        Raises:
          ValueError: the predicate is no function.
        """
        goes_on = _checked_predicate(continuous_eval_predicate_fn)
        steps = self._train_steps_per_iteration
        if steps is None:
            steps = 1000 if self._train_steps is None else int(self._train_steps / 10)
        result = path = exported = None
        while goes_on(result, path if result else None):
            if self._has_training_stopped(result):
                logging.info("Stop training model as max steps reached")
                break
            logging.info("Training model for %s steps", steps)
            self._call_train(
                input_fn=self._train_input_fn, steps=steps, hooks=self._train_monitors,
                saving_listeners=self._saving_listeners,
            )  # fmt: skip
            logging.info("Evaluating model now.")
            path = checkpoint_management.latest_checkpoint(self._estimator.model_dir)
            result = self._evaluate(self._eval_input_fn, "one_pass", path)
            exported = self._maybe_export(result)
        return result, exported

    def _maybe_export(self, eval_result: Any, checkpoint_path: str | None = None) -> list[Any]:
        folder = os.path.join(compat.as_bytes(self._estimator.model_dir), b"export")
        return [
            strategy.export(
                self._estimator, os.path.join(folder, compat.as_bytes(strategy.name)),
                checkpoint_path=checkpoint_path, eval_result=eval_result,
            )
            for strategy in self._export_strategies
        ]  # fmt: skip

    def run_std_server(self) -> None:
        """Runs a server for good, as parameter servers do.

        Raises:
          ValueError: the configuration has no cluster.
        """
        self._start_server().join()

    def test(self) -> Any:
        """One step of training, one of evaluation, and an export.

        Returns:
          The evaluation's result.
        """
        self._call_train(
            input_fn=self._train_input_fn, steps=1, hooks=self._train_monitors,
            saving_listeners=self._saving_listeners,
        )  # fmt: skip
        result = self._call_evaluate(
            input_fn=self._eval_input_fn, steps=1, metrics=self._eval_metrics, name="one_pass"
        )
        self._maybe_export(result)
        return result

    def _start_server(self) -> Any:
        config = self._estimator.config
        if not (config.cluster_spec and config.task_type and config.master) or (
            config.task_id is None
        ):
            raise ValueError(
                "Could not start server; be sure to specify cluster_spec, task_type, master, and "
                "task in RunConfig or set the TF_CONFIG environment variable."
            )
        server = server_lib.Server(
            config.cluster_spec, job_name=config.task_type, task_index=config.task_id,
            config=config.tf_config, start=False,
        )  # fmt: skip
        server.start()
        return server

    def _call_train(
        self, _sentinel: Any = None, input_fn: Callable[..., Any] | None = None, steps: Any = None,
        hooks: Any = None,
        max_steps: Any = None, saving_listeners: Any = None,
    ) -> Any:  # fmt: skip
        if _sentinel is not None:
            raise ValueError("_call_train should be called with keyword args only")
        hooks = monitors.replace_monitors_with_hooks(hooks, self._estimator)
        if not self._core_estimator_used:
            return self._estimator.fit(
                input_fn=input_fn, steps=steps, max_steps=max_steps, monitors=hooks
            )
        return self._estimator.train(
            input_fn=input_fn, steps=steps, max_steps=max_steps, hooks=hooks,
            saving_listeners=saving_listeners,
        )  # fmt: skip

    def _evaluate(
        self, input_fn: Callable[..., Any], name: Name, checkpoint_path: str | None = None
    ) -> Any:
        return self._call_evaluate(
            input_fn=input_fn, steps=self._eval_steps, metrics=self._eval_metrics, name=name,
            checkpoint_path=checkpoint_path, hooks=self._eval_hooks,
        )  # fmt: skip

    def _call_evaluate(
        self, _sentinel: Any = None, input_fn: Callable[..., Any] | None = None, steps: Any = None,
        metrics: Any = None,
        name: Name = None, checkpoint_path: str | None = None, hooks: Any = None,
    ) -> Any:  # fmt: skip
        if _sentinel is not None:
            raise ValueError("_call_evaluate should be called with keyword args only")
        given = {
            "input_fn": input_fn, "steps": steps, "name": name,
            "checkpoint_path": checkpoint_path, "hooks": hooks,
        }  # fmt: skip
        if not self._core_estimator_used:
            return self._estimator.evaluate(metrics=metrics, **given)
        if metrics is not None:
            raise ValueError("`eval_metrics` must be `None` with `tf.estimator.Estimator`")
        return self._estimator.evaluate(**given)


def _check_estimator(estimator: Any, saving_listeners: Any) -> None:
    if not isinstance(estimator, evaluable.Evaluable):
        raise ValueError(
            "`estimator` must implement `tf.contrib.learn.Evaluable` or `tf.estimator.Estimator`."
        )
    if not isinstance(estimator, trainable.Trainable):
        raise ValueError(
            "`estimator` must implement `tf.contrib.learn.Trainable`or `tf.estimator.`Estimator`."
        )
    if saving_listeners is not None:
        raise ValueError("`saving_listeners` must be `None` with `tf.contrib.learn.Estimator`.")


def _checked_strategies(values: Any) -> tuple[Any, ...]:
    if isinstance(values, export_strategy.ExportStrategy):
        return (values,)
    for value in values or ():
        if not isinstance(value, export_strategy.ExportStrategy):
            raise ValueError(
                "`export_strategies` must be an ExportStrategy, an iterable of ExportStrategy, or "
                f"`None`, found {value}."
            )
    return tuple(values or ())
