"""The first estimators (`tensorflow.contrib.learn.python.learn.estimators.estimator`).

They take input functions, or arrays (the arguments `x` and `y`, `SKCompat`).
"""

from __future__ import annotations

import collections
import copy
import os
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tf1compat.api.contrib.layers import feature_column_ops
from tf1compat.api.contrib.learn import evaluable, metric_spec, trainable
from tf1compat.api.contrib.learn import monitors as monitors_lib
from tf1compat.api.contrib.learn.estimators import _sklearn as sklearn
from tf1compat.api.contrib.learn.estimators import constants, run_config, tensor_signature
from tf1compat.api.contrib.learn.estimators import model_fn as model_fn_lib
from tf1compat.api.contrib.learn.estimators._sklearn import NotFittedError
from tf1compat.api.contrib.learn.estimators.metric_key import MetricKey
from tf1compat.api.contrib.learn.learn_io import data_feeder
from tf1compat.api.contrib.learn.utils import export, saved_model_export_utils
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.estimator import estimator as core
from tf1compat.api.estimator import run_config as core_run_config
from tf1compat.api.estimator import util, written_results
from tf1compat.api.lookup import lookup_ops
from tf1compat.api.metrics import metrics_impl
from tf1compat.api.platform import gfile
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.random import random_seed
from tf1compat.api.saved_model import builder_impl, tag_constants
from tf1compat.api.training import (
    basic_session_run_hooks,
    checkpoint_management,
    checkpoint_utils,
    evaluation,
    monitored_session,
    saver,
    saving_hooks,
    training_util,
)
from tf1compat.api.training import scaffold as scaffold_lib
from tf1compat.api.util.deprecation import deprecated, deprecated_args
from tf1compat.api.variables import resources, variables
from tf1compat.core import ops
from tf1compat.core.export import find, tf_export
from tf1compat.core.typing import Name

GraphRewriteSpec = collections.namedtuple("GraphRewriteSpec", ["tags", "transforms"])  # noqa: PYI024

_SERVED = GraphRewriteSpec((tag_constants.SERVING,), ())

_COMPAT_DATE = "2016-12-01"
_COMPAT_INSTRUCTIONS = (
    "Estimator is decoupled from Scikit Learn interface by moving into\nseparate class SKCompat. "
    "Arguments x, y and batch_size are only\navailable in the SKCompat class, Estimator will only "
    "accept input_fn.\nExample conversion:\n  est = Estimator(...) -> "
    "est = SKCompat(Estimator(...))"
)


def _no_arrays(*args: Any) -> Any:
    return deprecated_args(_COMPAT_DATE, _COMPAT_INSTRUCTIONS, *args)


def _check_input(
    x: Any,
    y: Any,
    input_fn: Callable[..., Any] | None,
    feed_fn: Callable[..., Any] | None,
    batch_size: Any,
) -> None:
    if input_fn is not None:
        if x is not None or y is not None:
            raise ValueError("Can not provide both input_fn and x or y.")
        if batch_size is not None:
            raise ValueError("Can not provide both input_fn and batch_size.")
        return
    if x is None:
        raise ValueError("Either x or input_fn must be provided.")
    if isinstance(x, ops.Tensor) or isinstance(y, ops.Tensor):
        raise ValueError("Inputs cannot be tensors. Please provide input_fn.")
    if feed_fn is not None:
        raise ValueError("Can not provide both feed_fn and x or y.")


def _get_input_fn(
    x: Any, y: Any, input_fn: Callable[..., Any] | None, feed_fn: Any, batch_size: Any,
    shuffle: bool = False,
    epochs: Any = 1,
) -> tuple[Any, Any]:  # fmt: skip
    """An input function and one that gives feed dicts: those given, or those of arrays."""
    _check_input(x, y, input_fn, feed_fn, batch_size)
    if input_fn is not None:
        return input_fn, feed_fn
    feeder = data_feeder.setup_train_data_feeder(
        x, y, n_classes=None, batch_size=batch_size, shuffle=shuffle, epochs=epochs
    )
    return feeder.input_builder, feeder.get_feed_dict_fn()


@tf_export("contrib.learn.infer_real_valued_columns_from_input_fn")
@deprecated(None, "Please specify feature columns explicitly.")
def infer_real_valued_columns_from_input_fn(input_fn: Callable[..., Any]) -> Any:
    """The real-valued columns of the features that an input function gives.

    Args:
      input_fn: a function that gives (features, labels).

    Returns:
      Real-valued columns.
    """
    with ops.Graph().as_default():
        features, _ = input_fn()
        return feature_column_ops.infer_real_valued_columns(features)


@tf_export("contrib.learn.infer_real_valued_columns_from_input")
@deprecated(None, "Please specify feature columns explicitly.")
def infer_real_valued_columns_from_input(x: Any) -> Any:
    """The real-valued columns of an array, or of a dict of them.

    Args:
      x: an array [examples, …], or {name: an array}.

    Returns:
      Real-valued columns.
    """
    input_fn, _ = _get_input_fn(x, None, None, None, None)
    return infer_real_valued_columns_from_input_fn(input_fn)


def _check_signature(name: str, tensors: Any, signatures: Any) -> None:
    if not tensor_signature.tensors_compatible(tensors, signatures):
        raise ValueError(
            f"{name} are incompatible with given information. Given {name.lower()}: {tensors}, "
            f"required signatures: {signatures}."
        )


@tf_export("contrib.learn.BaseEstimator")
class BaseEstimator(sklearn.BaseEstimator, evaluable.Evaluable, trainable.Trainable):
    """A model with its training, evaluation and prediction.

    Args:
      model_dir: the folder of checkpoints and summaries.
      config: a `RunConfig`.

    Raises:
      ValueError: the configuration has another folder.
    """

    _Config = run_config.RunConfig

    @deprecated(
        None,
        "Please replace uses of any Estimator from tf.contrib.learn with an Estimator from "
        "tf.estimator.*",
    )
    def __init__(self, model_dir: str | None = None, config: Any = None):
        if config is None:
            config = self._Config()
            logging.info("Using default config.")
        self._session_config = config.session_config
        if self._session_config is None:
            self._session_config = core_run_config._config_proto("ConfigProto")(
                allow_soft_placement=True
            )
        if None not in (model_dir, config.model_dir) and model_dir != config.model_dir:
            raise ValueError(
                "model_dir are set both in constructor and RunConfig, but with different values. "
                f"In constructor: '{model_dir}', in RunConfig: '{config.model_dir}' "
            )
        self._model_dir = model_dir or config.model_dir
        if self._model_dir is None:
            self._model_dir = tempfile.mkdtemp()
            logging.warning("Using temporary folder as model directory: %s", self._model_dir)
        if config.model_dir is None:
            config = config.replace(model_dir=self._model_dir)
        self._config = config
        logging.info("Using config: %s", str(vars(config)))
        self._device_fn = core._get_replica_device_setter(config)
        self._graph: Any = None
        self._features_info: Any = None
        self._labels_info: Any = None

    @deprecated("2017-03-25", "Please use Estimator.export_savedmodel() instead.")
    def export(
        self, export_dir: Any, input_fn: Any = export._default_input_fn,
        input_feature_key: Any = None, use_deprecated_input_fn: bool = True,
        signature_fn: Any = None, prediction_key: Any = None, default_batch_size: int = 1,
        exports_to_keep: int | None = None, checkpoint_path: str | None = None,
    ) -> Any:  # fmt: skip
        """Exports the model as a `SessionBundle`, as in 2016.

        Args:
          export_dir: the folder of the exports.
          input_fn: a function of the estimator and a tensor of `Example`s that gives features; or
            one of nothing that gives features and labels, if not `use_deprecated_input_fn`.
          input_feature_key: which of these features is the tensor of `Example`s.
          use_deprecated_input_fn: what `input_fn` takes.
          signature_fn: a function of examples, features and predictions that gives signatures.
          prediction_key: which of the predictions it gets; all by default.
          default_batch_size: how many examples the placeholder has.
          exports_to_keep: how many exports are kept; all by default.
          checkpoint_path: the checkpoint; by default the latest.

        Returns:
          The path of the export.

        Raises:
          ValueError: there is no `input_fn`, or it gives nothing.
        """
        return export._export_estimator(
            estimator=self, export_dir=export_dir, signature_fn=signature_fn,
            prediction_key=prediction_key, input_fn=input_fn, input_feature_key=input_feature_key,
            use_deprecated_input_fn=use_deprecated_input_fn, default_batch_size=default_batch_size,
            exports_to_keep=exports_to_keep, checkpoint_path=checkpoint_path,
        )  # fmt: skip

    def _get_feature_ops_from_example(self, examples_batch: Any) -> Any:
        if self._features_info is None:
            raise ValueError("Features information missing, was fit() ever called?")
        return tensor_signature.create_example_parser_from_signatures(
            self._features_info, examples_batch
        )

    @property
    def config(self) -> Any:
        """A copy of the configuration."""
        return copy.deepcopy(self._config)

    @property
    def model_dir(self) -> Any:
        """The folder of checkpoints and summaries."""
        return self._model_dir

    @property
    def model_fn(self) -> Any:
        """The model function, of features, labels, mode and config."""

        def public_model_fn(features: Any, labels: Any, mode: Any, config: Any) -> Any:
            return self._call_model_fn(features, labels, mode, config=config)

        return public_model_fn

    def _check_inputs(self, features: Any, labels: Any) -> None:
        """Remembers what the first inputs are like; raises ValueError if later ones differ."""
        if self._features_info is None:
            self._features_info = tensor_signature.create_signatures(features)
        _check_signature("Features", features, self._features_info)
        if labels is None:
            return
        if self._labels_info is None:
            self._labels_info = tensor_signature.create_signatures(labels)
        _check_signature("Labels", labels, self._labels_info)

    def _call_model_fn(
        self, features: Any, labels: Any, mode: Any, metrics: Any = None, config: Any = None
    ) -> Any:
        raise NotImplementedError("_call_model_fn not implemented in BaseEstimator")

    def _get_train_ops(self, features: Any, labels: Any) -> Any:
        raise NotImplementedError("_get_train_ops not implemented in BaseEstimator")

    def _get_eval_ops(self, features: Any, labels: Any, metrics: Any) -> Any:
        raise NotImplementedError("_get_eval_ops not implemented in BaseEstimator")

    def _get_predict_ops(self, features: Any) -> Any:
        raise NotImplementedError("_get_predict_ops not implemented in BaseEstimator")

    def get_variable_value(self, name: str) -> Any:
        """A variable's value in the newest checkpoint."""
        return checkpoint_utils.load_variable(self._model_dir, name)

    def get_variable_names(self) -> list[str]:
        """The names of the variables in the newest checkpoint."""
        return [name for name, _ in checkpoint_utils.list_variables(self._model_dir)]

    @_no_arrays(("x", None), ("y", None), ("batch_size", None))
    def fit(
        self, x: Any = None, y: Any = None, input_fn: Callable[..., Any] | None = None,
        steps: Any = None,
        batch_size: Any = None, monitors: Any = None, max_steps: Any = None,
    ) -> Any:  # fmt: skip
        """Trains the model.

        Args:
          x, y: arrays of examples and labels.
          batch_size: how many examples a batch has.
          input_fn: a function without arguments that gives features and labels.
          steps: how many steps to take; until the input ends by default.
          monitors: `SessionRunHook`s and monitors.
          max_steps: the step at which training ends.

        Returns:
          The estimator.

        Raises:
          ValueError: an argument is wrong.
        """
        if steps is not None and max_steps is not None:
            raise ValueError("Can not provide both steps and max_steps.")
        _check_input(x, y, input_fn, None, batch_size)
        if x is not None:
            SKCompat(self).fit(x, y, batch_size, steps, max_steps, monitors)
            return self
        if max_steps is not None:
            if checkpoint_management.latest_checkpoint(self._model_dir):
                if max_steps <= self.get_variable_value(ops.GraphKeys.GLOBAL_STEP):
                    logging.info("Skipping training since max_steps has already saved.")
                    return self
        hooks = monitors_lib.replace_monitors_with_hooks(monitors, self)
        if steps is not None or max_steps is not None:
            hooks.append(basic_session_run_hooks.StopAtStepHook(steps, max_steps))
        logging.info("Loss for final step: %s.", self._train_model(input_fn, hooks))
        return self

    @_no_arrays(("x", None), ("y", None), ("batch_size", None))
    def partial_fit(
        self, x: Any = None, y: Any = None, input_fn: Callable[..., Any] | None = None,
        steps: Any = 1,
        batch_size: Any = None, monitors: Any = None,
    ) -> Any:  # fmt: skip
        """`fit`, for one step by default."""
        logging.warning(
            "The current implementation of partial_fit is not optimized for use in a loop. "
            "Consider using fit() instead."
        )
        return self.fit(x, y, input_fn, steps, batch_size, monitors)

    def _train_model(self, input_fn: Any, hooks: list[Any]) -> Any:
        config = self._config
        self._graph = ops.Graph()
        with self._graph.as_default() as graph, graph.device(self._device_fn):
            random_seed.set_random_seed(config.tf_random_seed)
            global_step = training_util.create_global_step(graph)
            features, labels = input_fn()
            self._check_inputs(features, labels)
            training_util._get_or_create_global_step_read()
            model = self._get_train_ops(features, labels)
            ops.add_to_collection(ops.GraphKeys.LOSSES, model.loss)
            seen = {"loss": model.loss, "step": global_step}
            hooks = [
                *hooks,
                basic_session_run_hooks.NanTensorHook(model.loss),
                basic_session_run_hooks.LoggingTensorHook(seen, every_n_iter=100),
            ]
            scaffold = model.scaffold or scaffold_lib.Scaffold()
            if not (scaffold.saver or ops.get_collection(ops.GraphKeys.SAVERS)):
                made = saver.Saver(
                    sharded=True, max_to_keep=config.keep_checkpoint_max,
                    keep_checkpoint_every_n_hours=config.keep_checkpoint_every_n_hours,
                    defer_build=True, save_relative_paths=True,
                )  # fmt: skip
                ops.add_to_collection(ops.GraphKeys.SAVERS, made)
            chief_hooks = list(model.training_chief_hooks)
            saves = any(
                isinstance(hook, saving_hooks.CheckpointSaverHook)
                for hook in [*hooks, *model.training_hooks, *chief_hooks]
            )
            if not saves and (config.save_checkpoints_secs or config.save_checkpoints_steps):
                chief_hooks.insert(
                    0,
                    saving_hooks.CheckpointSaverHook(
                        self._model_dir, save_secs=config.save_checkpoints_secs,
                        save_steps=config.save_checkpoints_steps, scaffold=scaffold,
                    ),
                )  # fmt: skip
            with monitored_session.MonitoredTrainingSession(
                master=config.master, is_chief=config.is_chief, checkpoint_dir=self._model_dir,
                scaffold=scaffold, hooks=[*hooks, *model.training_hooks],
                chief_only_hooks=chief_hooks, save_checkpoint_secs=0,
                save_summaries_steps=config.save_summary_steps,
                max_wait_secs=config.session_creation_timeout_secs, config=self._session_config,
            ) as session:  # fmt: skip
                loss = None
                while not session.should_stop():
                    _, loss = session.run([model.train_op, model.loss])
            return loss

    def _checkpoint(self) -> str:
        path = checkpoint_management.latest_checkpoint(self._model_dir)
        if not path:
            raise NotFittedError(f"Couldn't find trained model at {self._model_dir}.")
        return path

    @_no_arrays(("x", None), ("y", None), ("batch_size", None))
    def evaluate(
        self, x: Any = None, y: Any = None, input_fn: Callable[..., Any] | None = None,
        feed_fn: Callable[..., Any] | None = None,
        batch_size: Any = None, steps: Any = None, metrics: Any = None, name: Name = None,
        checkpoint_path: str | None = None, hooks: Any = None, log_progress: bool = True,
    ) -> Any:  # fmt: skip
        """Evaluates the model.

        Args:
          x, y, batch_size: see `fit`.
          input_fn: see `fit`.
          feed_fn: a function that gives feed dicts.
          steps: how many batches; until the input ends by default.
          metrics: {name: a `MetricSpec`}.
          name: of the evaluation, if there are several.
          checkpoint_path: the checkpoint; the newest by default.
          hooks: `SessionRunHook`s.
          log_progress: whether each batch is logged.

        Returns:
          {metric: its value}, with "global_step".

        Raises:
          ValueError: an argument is wrong.
          NotFittedError: there is no checkpoint.
        """
        _check_input(x, y, input_fn, feed_fn, batch_size)
        if x is not None:
            return SKCompat(self).score(x, y, batch_size, steps, metrics, name)
        _check_metrics(metrics)
        results, step = self._evaluate_model(
            input_fn, steps, feed_fn, metrics, name, checkpoint_path, hooks, log_progress
        )
        results["global_step"] = step
        return results

    def _evaluate_model(
        self, input_fn: Any, steps: Any, feed_fn: Callable[..., Any] | None = None,
        metrics: Any = None,
        name: Name = None, checkpoint_path: str | None = None, hooks: Any = None,
        log_progress: bool = True,
    ) -> tuple[dict[str, Any], Any]:  # fmt: skip
        path = checkpoint_path or self._checkpoint()
        with ops.Graph().as_default() as graph:
            random_seed.set_random_seed(self._config.tf_random_seed)
            global_step = training_util.create_global_step(graph)
            features, labels = input_fn()
            self._check_inputs(features, labels)
            model = self._get_eval_ops(features, labels, metrics)
            update_op, values = _split(model.eval_metric_ops)
            hooks = list(hooks or [])
            if feed_fn:
                hooks.append(basic_session_run_hooks.FeedFnHook(feed_fn))
            if steps == 0:
                logging.warning(
                    "evaluation steps are 0. If `input_fn` does not raise `OutOfRangeError`, the "
                    "evaluation will never stop. Use steps=None if intended."
                )
            if steps:
                hooks.append(evaluation._StopAfterNEvalsHook(steps, log_progress=log_progress))
            key = "global_step"
            while key in values:
                key = "_" + key
            values[key] = global_step
            results = evaluation._evaluate_once(
                checkpoint_path=path, master=self._config.evaluation_master,
                scaffold=model.scaffold, eval_ops=update_op, final_ops=values, hooks=hooks,
                config=self._session_config,
            )  # fmt: skip
            step = results.pop(key)
            folder = os.path.join(self._model_dir, f"eval_{name}" if name else "eval")
            written_results.write_results(folder, results, step)
        return results, step

    @_no_arrays(("x", None), ("batch_size", None), ("as_iterable", True))
    def predict(
        self, x: Any = None, input_fn: Callable[..., Any] | None = None, batch_size: Any = None,
        outputs: Any = None,
        as_iterable: bool = True, iterate_batches: bool = False,
    ) -> Any:  # fmt: skip
        """Predicts.

        Args:
          x, batch_size: see `fit`.
          input_fn: see `fit`; labels are ignored.
          outputs: which of the model's predictions are wanted; all by default.
          as_iterable: False for the first batch alone.
          iterate_batches: True to give a batch at a time.

        Returns:
          An iterator of predictions, or those of a batch.

        Raises:
          ValueError: an argument is wrong.
          NotFittedError: there is no checkpoint.
        """
        _check_input(x, None, input_fn, None, batch_size)
        if x is not None and not as_iterable:
            return SKCompat(self).predict(x, batch_size)
        input_fn, feed_fn = _get_input_fn(x, None, input_fn, None, batch_size)
        return self._infer_model(input_fn, feed_fn, outputs, as_iterable, iterate_batches)

    def _infer_model(
        self, input_fn: Any, feed_fn: Callable[..., Any] | None = None, outputs: Any = None,
        as_iterable: bool = True,
        iterate_batches: bool = False,
    ) -> Any:  # fmt: skip
        path = self._checkpoint()
        with ops.Graph().as_default() as graph:
            random_seed.set_random_seed(self._config.tf_random_seed)
            training_util.create_global_step(graph)
            features = input_fn()
            if isinstance(features, list | tuple):
                features = features[0]
            model = self._get_predict_ops(features)
            predictions = _chosen(model.predictions, outputs)
            session = monitored_session.MonitoredSession(
                session_creator=monitored_session.ChiefSessionCreator(
                    checkpoint_filename_with_path=path, scaffold=model.scaffold,
                    config=self._session_config,
                )
            )  # fmt: skip
            if as_iterable:
                return _predicted(session, predictions, feed_fn, iterate_batches)
            with session:
                return session.run(predictions, feed_fn() if feed_fn else None)


def _split(metrics: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """(what updates all metrics, {metric: its value})."""
    updates, values = [], {}
    for name, metric in metrics.items():
        values[name] = metric
        if isinstance(metric, list | tuple):
            if len(metric) == 2:
                values[name], update = metric
                updates.append(update)
            else:
                logging.warning(
                    "Ignoring metric %s. It returned a list|tuple with len %s, expected 2",
                    name, len(metric),
                )  # fmt: skip
    return (control_flow_ops.group(*updates) if updates else None), values


def _chosen(predictions: Any, outputs: Any) -> Any:
    if not outputs:
        return predictions
    if not isinstance(predictions, dict):
        raise ValueError("outputs argument is not valid in case of non-dict predictions.")
    chosen = {key: value for key, value in predictions.items() if key in outputs}
    if not chosen:
        raise ValueError(
            f"Expected to run at least one output from {predictions.keys()}, provided {outputs}."
        )
    return chosen


def _predicted(session: Any, predictions: Any, feed_fn: Any, in_batches: bool) -> Iterator[Any]:
    with session:
        while not session.should_stop():
            found = session.run(predictions, feed_fn() if feed_fn else None)
            if in_batches:
                yield found
            elif not isinstance(predictions, dict):
                yield from found
            else:
                for i in range(len(next(iter(found.values())))):
                    yield {key: value[i] for key, value in found.items()}
            # Without queues the input is the same for ever.
            if not feed_fn and not session.graph.get_collection(ops.GraphKeys.QUEUE_RUNNERS):
                return


def _check_metrics(metrics: Any) -> None:
    if metrics is not None and not isinstance(metrics, dict):
        raise ValueError(f"Metrics argument should be None or dict. Got {metrics}.")


def _metric_ops(metrics: Any, features: Any, labels: Any, predictions: Any) -> dict[str, Any]:
    """The metrics that a user wants: {name: a `MetricSpec`}, or, as in early releases, {name or
    (name, key of the prediction): a function of predictions and labels}."""
    only = next(iter(labels.values())) if isinstance(labels, dict) and len(labels) == 1 else labels
    found = {}
    for name, metric in sorted((metrics or {}).items(), key=lambda item: str(item[0])):
        if isinstance(metric, metric_spec.MetricSpec):
            found[name] = metric.create_metric_ops(features, labels, predictions)
            continue
        logging.warning(
            "Please specify metrics using MetricSpec. Using bare functions or (key, fn) tuples is "
            "deprecated and support for it will be removed on Oct 1, 2016."
        )
        if not isinstance(name, tuple):
            if isinstance(predictions, dict):
                raise ValueError(
                    "Metrics passed provide only name, no prediction, but predictions are dict. "
                    f"Metrics: {metrics}, Labels: {only}."
                )
            found[name] = metric(predictions, only)
            continue
        if len(name) != 2:
            raise ValueError(
                f"Invalid metric for {name}. It returned a tuple with len {len(name)}, expected 2."
            )
        if not isinstance(predictions, dict):
            raise ValueError(
                "Metrics passed provide (name, prediction), but predictions are not dict. "
                f"Metrics: {metrics}, Predictions: {predictions}."
            )
        wanted = labels[name[1]] if isinstance(labels, dict) and name[1] in labels else only
        found[name[0]] = metric(predictions[name[1]], wanted)
    return found


@tf_export("contrib.learn.Estimator")
class Estimator(BaseEstimator):
    """A model function with its training, evaluation and prediction.

    Args:
      model_fn: a function of features, labels, and any of mode, params, config and model_dir that
        gives `ModelFnOps`, or predictions, loss and train_op.
      model_dir, config: see `BaseEstimator`.
      params: a dict that the model function gets.
      feature_engineering_fn: a function of features and labels that gives others.

    Raises:
      ValueError: the model function takes no parameters, but there are some.
    """

    def __init__(
        self, model_fn: Callable[..., Any] | None = None, model_dir: str | None = None,
        config: Any = None, params: Any = None,
        feature_engineering_fn: Callable[..., Any] | None = None,
    ):  # fmt: skip
        super().__init__(model_dir=model_dir, config=config)
        if model_fn is not None:
            names = util.fn_args(model_fn)
            if params is not None and "params" not in names:
                raise ValueError(
                    f"Estimator's model_fn ({model_fn}) does not have a params argument, but "
                    f"params ({params}) were passed to the Estimator's constructor."
                )
            if params is None and "params" in names:
                logging.warning(
                    "Estimator's model_fn (%s) includes params argument, but params are not passed "
                    "to Estimator.",
                    model_fn,
                )
        self._model_fn: Any = model_fn
        self.params = params
        self._feature_engineering_fn = feature_engineering_fn

    def _call_model_fn(
        self, features: Any, labels: Any, mode: Any, metrics: Any = None, config: Any = None
    ) -> Any:
        if self._feature_engineering_fn:
            features, labels = self._feature_engineering_fn(features, labels)
        names = util.fn_args(self._model_fn)
        given = {
            "mode": mode, "params": self.params, "config": config or self.config,
            "model_dir": self.model_dir,
        }  # fmt: skip
        given = {key: value for key, value in given.items() if key in names}
        found = self._model_fn(features, labels, **given)
        if not isinstance(found, model_fn_lib.ModelFnOps):
            if len(found) != 3:
                raise ValueError(
                    "Unrecognized value returned by model_fn, please return ModelFnOps."
                )
            found = model_fn_lib.ModelFnOps(mode, *found)
        found.eval_metric_ops.update(_metric_ops(metrics, features, labels, found.predictions))
        return found

    def _get_train_ops(self, features: Any, labels: Any) -> Any:
        return self._call_model_fn(features, labels, model_fn_lib.ModeKeys.TRAIN)

    def _get_eval_ops(self, features: Any, labels: Any, metrics: Any) -> Any:
        model = self._call_model_fn(features, labels, model_fn_lib.ModeKeys.EVAL, metrics)
        if MetricKey.LOSS not in model.eval_metric_ops:
            model.eval_metric_ops[MetricKey.LOSS] = metrics_impl.mean(model.loss)
        return model

    def _get_predict_ops(self, features: Any) -> Any:
        labels = tensor_signature.create_placeholders_from_signatures(self._labels_info)
        return self._call_model_fn(features, labels, model_fn_lib.ModeKeys.INFER)

    def export_savedmodel(
        self, export_dir_base: str, serving_input_fn: Any,
        default_output_alternative_key: Any = None, assets_extra: Any = None,
        as_text: bool = False, checkpoint_path: str | None = None,
        graph_rewrite_specs: Any = (_SERVED,),
        strip_default_attrs: bool = False,
    ) -> bytes:  # fmt: skip
        """Writes a SavedModel for servers.

        Args:
          export_dir_base: the folder in which a folder with the time as its name is made.
          serving_input_fn: a function without arguments that gives an `InputFnOps`.
          default_output_alternative_key: which of several outputs of the model is served.
          assets_extra: {path in the folder "assets.extra": a file that is copied}.
          as_text: whether the file is text.
          checkpoint_path: the checkpoint; the newest by default.
          graph_rewrite_specs: one `GraphRewriteSpec`, with the tags; transforms of graphs are not
            supported.
          strip_default_attrs: whether attrs at their defaults are left out.

        Returns:
          The folder.

        Raises:
          ValueError: an argument is wrong.
          NotFittedError: there is no checkpoint.
        """
        if serving_input_fn is None:
            raise ValueError("serving_input_fn must be defined.")
        specs = list(graph_rewrite_specs)
        if not specs or specs[0].transforms:
            raise ValueError("The first element of graph_rewrite_specs must specify no transforms.")
        if len(specs) > 1:
            raise NotImplementedError(
                "export_savedmodel with several graph_rewrite_specs is not supported by tf1compat: "
                "transforms of graphs"
            )
        path = checkpoint_path or self._checkpoint()
        with ops.Graph().as_default() as graph:
            training_util.create_global_step(graph)
            inputs = serving_input_fn()
            alternatives, features = saved_model_export_utils.get_input_alternatives(inputs)
            for key in inputs.features:
                ops.add_to_collection(constants.COLLECTION_DEF_KEY_FOR_INPUT_FEATURE_KEYS, key)
            model = self._call_model_fn(features, None, model_fn_lib.ModeKeys.INFER)
            outputs, served = saved_model_export_utils.get_output_alternatives(
                model, default_output_alternative_key
            )
            init = control_flow_ops.group(
                variables.local_variables_initializer(),
                resources.initialize_resources(resources.shared_resources()),
                lookup_ops.tables_initializer(),
            )
            signatures = saved_model_export_utils.build_all_signature_defs(
                alternatives, outputs, served
            )
            graph_saver = model.scaffold.saver if model.scaffold else None
            graph_saver = graph_saver or saver.Saver(
                variables._all_saveable_objects(), sharded=True
            )
            folder = saved_model_export_utils.get_timestamped_export_dir(export_dir_base)
            written = saved_model_export_utils.get_temp_export_dir(folder)
            builder = builder_impl.SavedModelBuilder(written)
            with find("Session")("") as session:
                graph_saver.restore(session, path)
                builder.add_meta_graph_and_variables(
                    session, specs[0].tags, signature_def_map=signatures,
                    assets_collection=ops.get_collection(ops.GraphKeys.ASSET_FILEPATHS),
                    main_op=init, strip_default_attrs=strip_default_attrs,
                )  # fmt: skip
        core._copy_assets(written, assets_extra)
        builder.save(as_text)
        gfile.Rename(written, folder)
        return folder


@tf_export("contrib.learn.SKCompat")
class SKCompat(sklearn.BaseEstimator):
    """An estimator that takes arrays, as scikit-learn's do.

    Args:
      estimator: the estimator.
    """

    @deprecated(None, "Please switch to the Estimator interface.")
    def __init__(self, estimator: Any):
        self._estimator = estimator

    def fit(
        self, x: Any, y: Any, batch_size: Any = 128, steps: Any = None, max_steps: Any = None,
        monitors: Any = None,
    ) -> SKCompat:  # fmt: skip
        """Trains the model; see `Estimator.fit`.

        Args:
          x: [examples, …], a dict of such, or an iterator of examples.
          y: the labels.
        """
        input_fn, feed_fn = _get_input_fn(x, y, None, None, batch_size, shuffle=True, epochs=None)
        hooks = [basic_session_run_hooks.FeedFnHook(feed_fn), *(monitors or [])]
        self._estimator.fit(input_fn=input_fn, steps=steps, max_steps=max_steps, monitors=hooks)
        return self

    def score(
        self, x: Any, y: Any, batch_size: Any = 128, steps: Any = None, metrics: Any = None,
        name: Name = None,
    ) -> dict[str, Any]:  # fmt: skip
        """Evaluates the model; see `Estimator.evaluate`."""
        input_fn, feed_fn = _get_input_fn(x, y, None, None, batch_size)
        _check_metrics(metrics)
        results, step = self._estimator._evaluate_model(input_fn, steps, feed_fn, metrics, name)
        results["global_step"] = step
        return results

    def predict(self, x: Any, batch_size: Any = 128, outputs: Any = None) -> Any:
        """The predictions of all examples: an array, or a dict of them."""
        input_fn, feed_fn = _get_input_fn(x, None, None, None, batch_size)
        found = list(self._estimator._infer_model(input_fn, feed_fn, outputs, iterate_batches=True))
        if not isinstance(found[0], dict):
            return np.concatenate(found, axis=0)
        return {key: np.concatenate([each[key] for each in found], axis=0) for key in found[0]}
