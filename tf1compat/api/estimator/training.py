"""Training and evaluation in turns (`tensorflow_estimator.python.estimator.training`)."""

from __future__ import annotations

import collections
import copy
import json
import os
import time
from collections.abc import Callable
from typing import Any

from tf1compat.api.estimator import distributed
from tf1compat.api.estimator import estimator as estimator_lib
from tf1compat.api.estimator import exporter as exporter_lib
from tf1compat.api.estimator import run_config as run_config_lib
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training import (
    basic_session_run_hooks,
    saving_hooks,
    server_lib,
    session_run_hook,
)
from tf1compat.api.util import compat
from tf1compat.core import ops, protos
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.session_interface import SessionInterface
from tf1compat.core.typing import Name

# A worker waits so many seconds for each worker up to itself before it trains, and no longer than
# the second number.
_DELAY_SECS_PER_WORKER = 5
_MAX_DELAY_SECS = 60


def _validate_input_fn(input_fn: Callable[..., Any]) -> None:
    if not callable(input_fn):
        raise TypeError(f"`input_fn` must be callable, given: {input_fn}")


def _validate_hooks(hooks: Any) -> tuple[Any, ...]:
    hooks = tuple(hooks or [])
    for hook in hooks:
        if not isinstance(hook, session_run_hook.SessionRunHook):
            raise TypeError(f"All hooks must be `SessionRunHook` instances, given: {hook}")
    return hooks


def _validate_exporters(exporters: Any) -> tuple[Any, ...]:
    if not exporters:
        return ()
    if isinstance(exporters, exporter_lib.Exporter):
        exporters = [exporters]
    text = (
        f"`exporters` must be an Exporter, an iterable of Exporter, or `None`, found {exporters}."
    )
    try:
        found = tuple(exporters)
    except TypeError:
        raise TypeError(text) from None
    names: list[str] = []
    for exporter in found:
        if not isinstance(exporter, exporter_lib.Exporter):
            raise TypeError(text)
        everyone = f"All exporter names: {[getattr(e, 'name', None) for e in found]}"
        if not exporter.name:
            raise ValueError(f"An Exporter cannot have a name that is `None` or empty. {everyone}")
        if not isinstance(exporter.name, str):
            raise ValueError(f"An Exporter must have a string name. Given: {type(exporter.name)}")
        if exporter.name in names:
            raise ValueError(
                "`exporters` must have unique names. Such a name cannot be `None`. " + everyone
            )
        names.append(exporter.name)
    return found


@tf_export("estimator.TrainSpec")
class TrainSpec(collections.namedtuple("TrainSpec", ["input_fn", "max_steps", "hooks"])):
    """How a model is trained.

    Args:
      input_fn: see `Estimator.train`.
      max_steps: the step at which training ends; by default when the input ends.
      hooks: `SessionRunHook`s.

    Raises:
      TypeError, ValueError: an argument is wrong.
    """

    def __new__(cls, input_fn: Callable[..., Any], max_steps: Any = None, hooks: Any = None):
        _validate_input_fn(input_fn)
        if max_steps is not None and max_steps <= 0:
            raise ValueError(f"Must specify max_steps > 0, given: {max_steps}")
        hooks = _validate_hooks(hooks)
        return super().__new__(cls, input_fn=input_fn, max_steps=max_steps, hooks=hooks)


@tf_export("estimator.EvalSpec")
class EvalSpec(
    collections.namedtuple(
        "EvalSpec",
        ["input_fn", "steps", "name", "hooks", "exporters", "start_delay_secs", "throttle_secs"],
    )
):
    """How a model is evaluated.

    Args:
      input_fn, steps, name, hooks: see `Estimator.evaluate`.
      exporters: an `Exporter`, or several.
      start_delay_secs: how long an evaluator of its own waits first.
      throttle_secs: the least time between two evaluations.

    Raises:
      TypeError, ValueError: an argument is wrong.
    """

    def __new__(
        cls, input_fn: Callable[..., Any], steps: Any = 100, name: Name = None, hooks: Any = None,
        exporters: Any = None, start_delay_secs: Any = 120, throttle_secs: Any = 600,
    ):  # fmt: skip
        _validate_input_fn(input_fn)
        if steps is not None and steps <= 0:
            raise ValueError(f"Must specify steps > 0, given: {steps}")
        if name is not None and not isinstance(name, str):
            raise TypeError(f"`name` must be string, given: {name}")
        hooks = _validate_hooks(hooks)
        exporters = _validate_exporters(exporters)
        for key, value in (
            ("start_delay_secs", start_delay_secs),
            ("throttle_secs", throttle_secs),
        ):
            if value < 0:
                raise ValueError(f"Must specify {key} >= 0, given: {value}")
        return super().__new__(
            cls, input_fn=input_fn, steps=steps, name=name, hooks=hooks, exporters=exporters,
            start_delay_secs=start_delay_secs, throttle_secs=throttle_secs,
        )  # fmt: skip


@tf_export("estimator.train_and_evaluate")
def train_and_evaluate(estimator: Any, train_spec: Any, eval_spec: Any) -> Any:
    """Trains a model, and evaluates it after each checkpoint.

    In a process of a cluster (TF_CONFIG) it does that process's part: it trains, evaluates what the
    chief saves, or is a parameter server and never returns.

    Args:
      estimator: an `Estimator`.
      train_spec: a `TrainSpec`.
      eval_spec: an `EvalSpec`.

    Returns:
      The results of the last evaluation, and what its exporters returned; None in a cluster.

    Raises:
      TypeError, ValueError: an argument is wrong, or TF_CONFIG is.
    """
    _assert_eval_spec(eval_spec)
    executor = _TrainingExecutor(estimator, train_spec, eval_spec)
    config = estimator.config
    if config._task_of_strategy is not None:
        logging.info("Running `train_and_evaluate` with Distribute Coordinator.")
        distributed.train_and_evaluate(
            copy.copy(estimator), train_spec, eval_spec, _TrainingExecutor
        )
        return None
    logging.info("Not using Distribute Coordinator.")
    if config.task_type == run_config_lib.TaskType.EVALUATOR and config.task_id > 0:
        raise ValueError(
            "For distributed training, there can only be one `evaluator` task (with task id 0).  "
            f"Given task id {config.task_id}"
        )
    return executor.run()


class _NewCheckpointListenerForEvaluate(saving_hooks.CheckpointSaverListener):
    """Evaluates each checkpoint, but no more often than allowed, and the last one."""

    def __init__(self, evaluator: Any, eval_throttle_secs: Any, continuous_eval_listener: Any):
        self._evaluator = evaluator
        self._eval_throttle_secs = eval_throttle_secs
        self._continuous_eval_listener = continuous_eval_listener
        self.eval_result: Any = None
        self.export_results: Any = None

    def begin(self) -> None:
        """Starts the clock."""
        self._timer = basic_session_run_hooks.SecondOrStepTimer(every_secs=self._eval_throttle_secs)
        self._is_first_run = True

    def after_save(self, session: SessionInterface, global_step_value: Any) -> Any:
        """Evaluates, unless the checkpoint is that of the beginning; True to stop."""
        if self._is_first_run:
            self._is_first_run = False
            return None
        if not self._continuous_eval_listener.before_eval():
            logging.info(
                "Exiting training and evaluation loop, as requested by "
                "_ContinuousEvalListener.before_eval."
            )
            return True
        if not self._timer.should_trigger_for_step(global_step_value):
            logging.info(
                "Skip the current checkpoint eval due to throttle secs "
                f"({self._eval_throttle_secs} secs)."
            )
            return None
        self._evaluate(global_step_value)
        if not self._continuous_eval_listener.after_eval(self.eval_result):
            logging.info("Exiting evaluation, as requested by _ContinuousEvalListener.after_eval.")
            return True
        return None

    def end(self, session: SessionInterface, global_step_value: Any) -> None:
        """Evaluates the last checkpoint, if that has not been done."""
        if global_step_value == self._timer.last_triggered_step():
            return
        if self._continuous_eval_listener.before_eval():
            self._evaluate(global_step_value)
            self._continuous_eval_listener.after_eval(self.eval_result)

    def _evaluate(self, global_step_value: Any) -> None:
        self._timer.update_last_triggered_step(global_step_value)
        self.eval_result, self.export_results = self._evaluator.evaluate_and_export()
        if self.eval_result.status != _EvalStatus.EVALUATED:
            raise RuntimeError(
                "There was no new checkpoint after the training. Eval status: "
                f"{self.eval_result.status}"
            )


class _TrainingExecutor:
    """Trains and evaluates, as the configuration of the estimator says.

    Args:
      estimator, train_spec, eval_spec: see `train_and_evaluate`.
      train_hooks: more hooks of training.
      continuous_eval_listener: a `_ContinuousEvalListener`.
    """

    def __init__(
        self, estimator: Any, train_spec: Any, eval_spec: Any, train_hooks: Any = None,
        continuous_eval_listener: Any = None,
    ):  # fmt: skip
        if not isinstance(estimator, estimator_lib.Estimator):
            raise TypeError(
                f"`estimator` must have type `tf.estimator.Estimator`. Got: {type(estimator)}"
            )
        if not isinstance(train_spec, TrainSpec):
            raise TypeError(
                f"`train_spec` must have type `tf.estimator.TrainSpec`. Got: {type(train_spec)}"
            )
        if eval_spec and not isinstance(eval_spec, EvalSpec):
            raise TypeError(
                "`eval_spec` must be either `None` or have type `tf.estimator.EvalSpec`. Got: "
                f"{type(eval_spec)}"
            )
        if continuous_eval_listener and not isinstance(
            continuous_eval_listener, _ContinuousEvalListener
        ):
            raise TypeError("`continuous_eval_listener` must have type `_ContinuousEvalListener`.")
        self._estimator = estimator
        self._train_spec = train_spec
        self._eval_spec = eval_spec
        self._train_hooks = _validate_hooks(train_hooks)
        self._continuous_eval_listener = continuous_eval_listener or _ContinuousEvalListener()

    estimator = attribute("_estimator", "The estimator.")

    def run(self) -> Any:
        """Does what this process is for."""
        config = self._estimator.config
        if not config.cluster_spec and config.task_type != run_config_lib.TaskType.EVALUATOR:
            logging.info("Running training and evaluation locally (non-distributed).")
            return self.run_local()
        role = config.task_type
        if not role:
            raise ValueError(
                "`estimator.config` must have task_type set. This usually means TF_CONFIG "
                "environment is not set correctly."
            )
        if role == "local":
            raise ValueError(
                "`task.type` in TF_CONFIG cannot be `local`. Leaving `cluster` and `task` "
                "properties in TF_CONFIG absent triggers train and evaluate `Estimator` locally "
                "(non-distributed)."
            )
        if role not in _ROLES:
            raise ValueError(
                f"Task type {role} is not supported. Supported task types are {_ROLES}"
            )
        getattr(self, f"run_{role}")()
        return None

    def run_chief(self) -> None:
        """Trains, and saves checkpoints."""
        self._train_in_cluster()

    def run_worker(self) -> None:
        """Trains, a little after those before it: so an asynchronous model converges faster."""
        self._train_in_cluster()

    def run_master(self) -> None:
        """Trains as a chief does, and evaluates after checkpoints."""
        self._train_in_cluster([self._evaluating_listener(_ContinuousEvalListener())])

    def run_ps(self) -> None:
        """Holds variables, for good."""
        self._started_server().join()

    def run_evaluator(self) -> None:
        """Evaluates checkpoints until one is of the last step."""
        evaluator = self._evaluator()
        delay = self._eval_spec.start_delay_secs
        if delay:
            logging.info("Waiting %f secs before starting eval.", delay)
            time.sleep(delay)
        last = self._train_spec.max_steps
        goes_on = True
        while goes_on:
            result, goes_on = self._evaluated_once(evaluator)
            step = result.metrics[ops.GraphKeys.GLOBAL_STEP] if result and result.metrics else 0
            if goes_on and last and step >= last:
                logging.info("Exiting evaluation, global_step=%s >= train max_steps=%s", step, last)
                goes_on = False

    def _evaluated_once(self, evaluator: _TrainingExecutor._Evaluator) -> tuple[Any, bool]:
        """Evaluates the newest checkpoint, and waits until the next evaluation is due.

        Returns:
          An `_EvalResult` or None, and whether evaluation goes on.
        """
        start, throttle = time.time(), self._eval_spec.throttle_secs
        listener = self._continuous_eval_listener
        if not listener.before_eval():
            logging.info("Exiting evaluation, as requested by _ContinuousEvalListener.before_eval.")
            return None, False
        result, _ = evaluator.evaluate_and_export()
        if not listener.after_eval(result):
            logging.info("Exiting evaluation, as requested by _ContinuousEvalListener.after_eval.")
            return result, False
        left = throttle - (time.time() - start)
        if left > 0:
            logging.info("Waiting %f secs before starting next eval run.", left)
            time.sleep(left)
        elif throttle == 0 and result.status != _EvalStatus.EVALUATED:
            logging.warning(
                "EvalSpec.throttle_secs is set as 0. This might overload the job before finding "
                "(next) new checkpoint. Please consider to increase it."
            )
        return result, True

    def _train_in_cluster(self, saving_listeners: Any = None) -> None:
        """Starts this process's server, and trains."""
        config = self._estimator.config
        # Others may wait for this one, so that it is up before it sleeps.
        environment = json.loads(os.environ.get("TF_CONFIG") or "{}").get("environment")
        if environment != "google":  # There somebody else has started it.
            self._started_server()
        if config.task_type == run_config_lib.TaskType.WORKER:
            longest = config.experimental_max_worker_delay_secs
            longest = _MAX_DELAY_SECS if longest is None else int(longest)
            delay = min(longest, (config.task_id + 1) * _DELAY_SECS_PER_WORKER)
            if delay > 0:
                logging.info("Waiting %d secs before starting training.", delay)
                time.sleep(delay)
        self._train(saving_listeners)

    def _started_server(self) -> Any:
        """The server of this process; None where the cluster is this process alone.

        Raises:
          RuntimeError: the configuration does not say which one it is.
        """
        config = self._estimator.config
        cluster = config.cluster_spec
        if not (cluster and config.task_type) or config.task_id is None:
            raise RuntimeError(
                "Could not start server; be sure to specify cluster_spec, task_type, and task in "
                "RunConfig or set the TF_CONFIG environment variable."
            )
        if not config.master:
            jobs = cluster.as_dict()
            is_alone = sum(map(len, jobs.values())) == 1 and len(jobs) == 1
            if is_alone and config.task_type in _TRAINERS:
                logging.info(
                    "Skip starting Tensorflow server as there is only one node in the cluster."
                )
                return None
            raise RuntimeError(
                "Could not start server; be sure to specify master in RunConfig or set the "
                "TF_CONFIG environment variable."
            )
        logging.info("Start Tensorflow server.")
        options = protos.load("config_pb2", "ConfigProto")(log_device_placement=False)
        if config.session_config is not None:
            options.gpu_options.CopyFrom(config.session_config.gpu_options)
        return server_lib.Server(
            cluster, job_name=config.task_type, task_index=config.task_id, config=options,
            protocol=config.protocol,
        )  # fmt: skip

    def _train(self, saving_listeners: Any) -> None:
        self._estimator.train(
            input_fn=self._train_spec.input_fn, max_steps=self._train_spec.max_steps,
            hooks=[*self._train_spec.hooks, *self._train_hooks], saving_listeners=saving_listeners,
        )  # fmt: skip

    def _evaluator(self) -> _TrainingExecutor._Evaluator:
        return _TrainingExecutor._Evaluator(
            self._estimator, self._eval_spec, self._train_spec.max_steps
        )

    def _evaluating_listener(self, decides: _ContinuousEvalListener) -> Any:
        return _NewCheckpointListenerForEvaluate(
            self._evaluator(), self._eval_spec.throttle_secs, decides
        )

    def run_local(self) -> tuple[Any, Any]:
        """Trains, and evaluates after checkpoints."""
        _assert_eval_spec(self._eval_spec)
        config = self._estimator.config
        logging.info(
            "Start train and evaluate loop. The evaluate will happen after every checkpoint. "
            "Checkpoint frequency is determined based on RunConfig arguments: "
            f"save_checkpoints_steps {config.save_checkpoints_steps} or save_checkpoints_secs "
            f"{config.save_checkpoints_secs}."
        )
        listener = self._evaluating_listener(self._continuous_eval_listener)
        self._train([listener])
        result = listener.eval_result or _EvalResult(status=_EvalStatus.MISSING_CHECKPOINT)
        return result.metrics, listener.export_results

    class _Evaluator:
        """Evaluates the newest checkpoint, and exports it."""

        def __init__(self, estimator: Any, eval_spec: Any, max_training_steps: Any):
            _assert_eval_spec(eval_spec)
            self._estimator = estimator
            self._eval_spec = eval_spec
            self._is_final_export_triggered = False
            self._previous_ckpt_path: Any = None
            self._last_warning_time = 0.0
            self._max_training_steps = max_training_steps

        is_final_export_triggered: bool = attribute(
            "_is_final_export_triggered", "Whether the last export has been made."
        )

        def evaluate_and_export(self) -> tuple[_EvalResult, list[Any]]:
            """(an `_EvalResult`, what the exporters returned)."""
            path = self._estimator.latest_checkpoint()
            if not path:
                self._log_err_msg(
                    "Estimator is not trained yet. Will start an evaluation when a checkpoint is "
                    "ready."
                )
                return _EvalResult(status=_EvalStatus.MISSING_CHECKPOINT), []
            if path == self._previous_ckpt_path:
                self._log_err_msg(
                    "No new checkpoint ready for evaluation. Skip the current evaluation pass as "
                    "evaluation results are expected to be same for the same checkpoint."
                )
                return _EvalResult(status=_EvalStatus.NO_NEW_CHECKPOINT), []
            spec = self._eval_spec
            metrics = self._estimator.evaluate(
                input_fn=spec.input_fn, steps=spec.steps, name=spec.name, checkpoint_path=path,
                hooks=spec.hooks,
            )  # fmt: skip
            result = _EvalResult(_EvalStatus.EVALUATED, metrics, path)
            step = metrics[ops.GraphKeys.GLOBAL_STEP]
            is_final = bool(self._max_training_steps and step >= self._max_training_steps)
            exported = self._export_eval_result(result, is_final)
            if is_final:
                logging.debug("Calling exporter with the `is_the_final_export=True`.")
                self._is_final_export_triggered = True
            self._last_warning_time = 0.0
            self._previous_ckpt_path = path
            return result, exported

        def _log_err_msg(self, message: str) -> None:
            if time.time() - self._last_warning_time > 600:
                logging.warning(message)
                self._last_warning_time = time.time()

        def _export_eval_result(self, eval_result: Any, is_the_final_export: bool) -> list[Any]:
            base = os.path.join(compat.as_str_any(self._estimator.model_dir), "export")
            return [
                exporter.export(
                    estimator=self._estimator, checkpoint_path=eval_result.checkpoint_path,
                    export_path=os.path.join(base, compat.as_str_any(exporter.name)),
                    eval_result=eval_result.metrics, is_the_final_export=is_the_final_export,
                )
                for exporter in self._eval_spec.exporters
            ]  # fmt: skip


_TRAINERS = (
    run_config_lib.TaskType.CHIEF,
    run_config_lib.TaskType.MASTER,
    run_config_lib.TaskType.WORKER,
)
# What a process of a cluster may be.
_ROLES = sorted([*_TRAINERS, run_config_lib.TaskType.EVALUATOR, run_config_lib.TaskType.PS])


class _EvalStatus:
    """How an evaluation went."""

    EVALUATED = "evaluated"
    MISSING_CHECKPOINT = "missing checkpoint"
    NO_NEW_CHECKPOINT = "no new checkpoint"


class _EvalResult(collections.namedtuple("EvalResult", ["status", "metrics", "checkpoint_path"])):
    """An evaluation: an `_EvalStatus`, and if it took place its results and checkpoint."""

    def __new__(cls, status: str, metrics: Any = None, checkpoint_path: str | None = None):
        if status == _EvalStatus.EVALUATED:
            if not metrics:
                raise ValueError(
                    "Internal error: `Estimator.evaluate` should never return empty metrics."
                )
            if not isinstance(metrics, dict):
                raise TypeError(f"`Estimator.evaluate` should return dict. Given {type(metrics)}.")
            if ops.GraphKeys.GLOBAL_STEP not in metrics:
                raise ValueError(
                    "Internal error: `Estimator.evaluate` result should have `global_step` in "
                    f"result. Given {metrics}"
                )
            if not checkpoint_path:
                raise ValueError("Internal error: `checkpoint_path` should never be empty.")
        return super().__new__(cls, status, metrics, checkpoint_path)


class _ContinuousEvalListener:
    """Decides whether evaluation goes on."""

    def before_eval(self) -> bool:
        """Whether to evaluate."""
        return True

    def after_eval(self, eval_result: Any) -> bool:
        """Whether to go on after an evaluation."""
        return True


def _assert_eval_spec(eval_spec: Any) -> None:
    if not isinstance(eval_spec, EvalSpec):
        raise TypeError(
            f"`eval_spec` must have type `tf.estimator.EvalSpec`. Got: {type(eval_spec)}"
        )
