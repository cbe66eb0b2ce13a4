"""Runs experiments (`tensorflow.contrib.learn.python.learn.learn_runner`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.contrib.learn import experiment as experiment_lib
from tf1compat.api.contrib.learn.estimators import run_config as run_config_lib
from tf1compat.api.contrib.training import hparam
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.util.deprecation import deprecated


def _execute_schedule(experiment: Any, schedule: str) -> Any:
    method = getattr(experiment, schedule, None)
    if callable(method):
        return method()
    what = "non-callable member" if hasattr(experiment, schedule) else "non-existent task"
    logging.error("Schedule references %s %s", what, schedule)
    public = [name for name in dir(experiment) if not name.startswith("_")]
    methods = [name for name in public if callable(getattr(experiment, name))]
    logging.error("Allowed values for this experiment are: %s", methods)
    error = TypeError if hasattr(experiment, schedule) else ValueError
    raise error(f"Schedule references {what} {schedule}")


def _check_experiment(experiment: Any) -> None:
    if not isinstance(experiment, experiment_lib.Experiment):
        raise TypeError(
            "Experiment builder did not return an Experiment instance, got "
            f"{type(experiment)} instead."
        )


def _checked_experiment_fn(experiment_fn: Any, require_hparams: bool) -> Callable[..., Any]:
    """The function, which raises if the estimator has not the configuration that it was given."""

    def checked(run_config: Any, hparams: Any) -> Any:
        if not isinstance(run_config, run_config_lib.RunConfig):
            raise ValueError("`run_config` must be `tf.contrib.learn.RunConfig` instance")
        if not run_config.model_dir:
            raise ValueError("Must specify a model directory `model_dir` in `run_config`.")
        if not isinstance(hparams, hparam.HParams | None):
            raise ValueError("`hparams` must be `HParams` instance")
        if require_hparams and hparams is None:
            raise ValueError("`hparams` cannot be `None`.")
        expected = run_config.uid()
        experiment: Any = experiment_fn(run_config, hparams)
        _check_experiment(experiment)
        config: Any = experiment.estimator.config
        if not hasattr(config, "uid"):
            raise RuntimeError(
                "Pass `run_config` argument of the `experiment_fn` to the Estimator in Experiment. "
                "It is likely a different `RunConfig` is passed to `Estimator` or the `config` "
                "constructor argument in `Estimator` is not set."
            )
        if config.uid() != expected:
            raise RuntimeError(
                "`RunConfig` instance is expected to be used by the `Estimator` inside the "
                f"`Experiment`. expected {expected}, but got {config.uid()}"
            )
        return experiment

    return checked


@deprecated(None, "Use tf.estimator.train_and_evaluate.")
def run(
    experiment_fn: Any, output_dir: str | None = None, schedule: Any = None, run_config: Any = None,
    hparams: Any = None,
) -> Any:  # fmt: skip
    """Makes an experiment and runs one of its methods.

    Args:
      experiment_fn: a function of `run_config` and `hparams`, or of `output_dir`, that gives an
        `Experiment`.
      output_dir: a folder.
      schedule: the method's name; by what this process does in its cluster by default.
      run_config: a `tf.contrib.learn.RunConfig` with a folder.
      hparams: a `tf.contrib.training.HParams`.

    Returns:
      What the method returns.

    Raises:
      ValueError: an argument is wrong, or there is no such method.
      TypeError: the function gives no experiment, or what is called is no method.
      RuntimeError: the experiment's estimator has another configuration.
    """
    if output_dir is not None and run_config is not None:
        raise ValueError("Cannot provide both `output_dir` and `run_config`")
    if output_dir is None and run_config is None:
        raise ValueError("Must set value for `output_dir` or `run_config`")
    if not callable(experiment_fn):
        raise TypeError(f'Experiment builder "{experiment_fn}" is not callable.')
    experiment: Any
    if run_config is not None:
        make = _checked_experiment_fn(experiment_fn, require_hparams=False)
        experiment = make(run_config=run_config, hparams=hparams)
    else:
        if not output_dir:
            raise ValueError("Must specify an output directory")
        if hparams is not None:
            raise ValueError("Must set `hparams` as None for `experiment_fn` with `output_dir`.")
        experiment = experiment_fn(output_dir=output_dir)
        _check_experiment(experiment)
    config: Any = run_config or experiment.estimator.config
    return _execute_schedule(experiment, schedule or _get_default_schedule(config))


@deprecated(None, "Use tf.estimator.train_and_evaluate.")
def tune(experiment_fn: Any, tuner: Any) -> None:
    """Runs a tuner's trials.

    Args:
      experiment_fn: a function of `run_config` and `hparams` that gives an `Experiment`.
      tuner: has `next_trial`, which says whether there is one more, and `run_experiment`, which
        runs a function as `experiment_fn`.
    """
    while tuner.next_trial():
        tuner.run_experiment(_checked_experiment_fn(experiment_fn, require_hparams=True))


def _get_default_schedule(config: Any) -> str:
    spec = config.cluster_spec if config else None
    if not spec or sum(len(spec.job_tasks(job)) for job in spec.jobs) <= 1:
        return "train_and_evaluate"
    if not config.task_type:
        raise ValueError("Must specify a schedule")
    schedules = {
        run_config_lib.TaskType.MASTER: "train_and_evaluate",
        run_config_lib.TaskType.PS: "run_std_server",
        run_config_lib.TaskType.WORKER: "train",
    }
    if config.task_type not in schedules:
        raise ValueError(f"No default schedule for task type: {config.task_type}")
    return schedules[config.task_type]
