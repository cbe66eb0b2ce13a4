"""Estimators that were written for TPUs
(`tensorflow_estimator.python.estimator.tpu.tpu_estimator`).

There is no TPU behind TensorFlow 1's interface here: with `use_tpu=False` all of it runs as in
TensorFlow; with `use_tpu=True` it raises what TensorFlow raises where it finds none.
"""

from __future__ import annotations

import contextlib
import copy
import enum
import math
from collections.abc import Callable, Iterator
from typing import Any

from tf1compat.api.estimator import estimator as estimator_lib
from tf1compat.api.estimator import model_fn as model_fn_lib
from tf1compat.api.estimator import util as estimator_util
from tf1compat.api.estimator.mode_keys import ModeKeys
from tf1compat.api.estimator.tpu import host_calls, tpu_config, util
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.random import init_ops
from tf1compat.api.training import saving_hooks, session_run_hook, training_util
from tf1compat.api.variables import variable_scope
from tf1compat.core import dtypes, errors, ops, protos
from tf1compat.core.export import find, tf_export
from tf1compat.core.graph import Graph
from tf1compat.core.typing import Name, TensorLike

_RESERVED_PARAMS_KEYS = ["batch_size", "context"]
_SLICED = tpu_config.InputPipelineConfig.SLICED


@tf_export("estimator.tpu.TPUEstimatorSpec", "contrib.tpu.TPUEstimatorSpec")
class TPUEstimatorSpec(model_fn_lib._TPUEstimatorSpec):
    """What the model function of a `TPUEstimator` returns.

    Args:
      mode, predictions, loss, train_op, export_outputs: see `EstimatorSpec`.
      eval_metrics: (a function, its tensors, a list or a dict); the function gives metrics.
      scaffold_fn: makes a `tf.train.Scaffold`.
      host_call: as `eval_metrics`; what it gives is run at every step.
      training_hooks, evaluation_hooks, prediction_hooks: `SessionRunHook`s.

    Raises:
      ValueError, TypeError, RuntimeError: an argument is wrong.
    """

    def __new__(
        cls, mode: Any, predictions: Any = None, loss: Any = None, train_op: Any = None,
        eval_metrics: Any = None, export_outputs: Any = None, scaffold_fn: Any = None,
        host_call: Any = None, training_hooks: Any = None, evaluation_hooks: Any = None,
        prediction_hooks: Any = None,
    ):  # fmt: skip
        host_calls.validate(_host_calls(eval_metrics, host_call))
        hooks = [tuple(x or ()) for x in (training_hooks, evaluation_hooks, prediction_hooks)]
        for hook in sum(hooks, ()):
            if not isinstance(hook, session_run_hook.SessionRunHook):
                raise TypeError(f"All hooks must be SessionRunHook instances, given: {hook}")
        return super().__new__(
            cls, mode, predictions, loss, train_op, eval_metrics, export_outputs, scaffold_fn,
            host_call, *hooks,
        )  # fmt: skip

    def as_estimator_spec(self) -> model_fn_lib.EstimatorSpec:
        """The `EstimatorSpec`, its metrics recorded and its `host_call` a hook."""
        called = host_calls.called(_host_calls(self.eval_metrics, self.host_call))
        hooks: tuple[Any, ...] = ()
        if self.host_call is not None:
            hooks = (host_calls._OutfeedHostCallHook(called["host_call"]),)
        return model_fn_lib.EstimatorSpec(
            mode=self.mode, predictions=self.predictions, loss=self.loss, train_op=self.train_op,
            eval_metric_ops=called.get("eval_metrics"), export_outputs=self.export_outputs,
            scaffold=self.scaffold_fn() if self.scaffold_fn else None,
            training_hooks=self.training_hooks + hooks,
            evaluation_hooks=self.evaluation_hooks + hooks,
            prediction_hooks=self.prediction_hooks + hooks,
        )  # fmt: skip


def _host_calls(eval_metrics: Any, host_call: Any) -> dict[str, Any]:
    calls = {"eval_metrics": eval_metrics, "host_call": host_call}
    return {name: call for name, call in calls.items() if call is not None}


class ExamplesPerSecondHook(saving_hooks.StepCounterHook):
    """Logs and summarizes how many steps and examples a second takes.

    Args:
      batch_size: how many examples a step takes.
      every_n_steps, every_n_secs, output_dir, summary_writer: see `StepCounterHook`.
    """

    def __init__(
        self, batch_size: Any, every_n_steps: Any = 100, every_n_secs: Any = None,
        output_dir: str | None = None, summary_writer: Any = None,
    ):  # fmt: skip
        self._batch_size = batch_size
        super().__init__(every_n_steps, every_n_secs, output_dir, summary_writer)

    def _log_and_record(
        self, elapsed_steps: Any, elapsed_time: Any, global_step: TensorLike
    ) -> None:
        steps = elapsed_steps / elapsed_time
        speeds = {"global_step/sec": steps, "examples/sec": self._batch_size * steps}
        if self._summary_writer is not None:
            proto = protos.load("summary_pb2", "Summary")
            for tag, speed in speeds.items():
                value = [proto.Value(tag=tag, simple_value=speed)]
                self._summary_writer.add_summary(proto(value=value), global_step)
        for tag, speed in speeds.items():
            logging.info(f"{tag}: %g", speed)


class ExportSavedModelApiVersion(enum.Enum):
    """How a graph for TPUs is exported."""

    V1 = 1
    V2 = 2


def _create_global_step(graph: Graph) -> Any:
    key = ops.GraphKeys.GLOBAL_STEP
    with (graph or ops.get_default_graph()).as_default() as graph, graph.name_scope(None):
        if training_util.get_global_step(graph) is not None:
            raise ValueError('"global_step" already exists.')
        return variable_scope.get_variable(
            key, [], dtypes.int64, init_ops.zeros_initializer(), use_resource=True,
            trainable=False, collections=[ops.GraphKeys.GLOBAL_VARIABLES, key],
        )  # fmt: skip


def _add_item_to_params(params: Any, key: str, value: Any) -> None:
    if not hasattr(params, "set_hparam"):
        params[key] = value
    elif key in params:
        params.set_hparam(key, value)
    else:
        params.add_hparam(key, value)


@contextlib.contextmanager
def _announced(source: str) -> Iterator[None]:
    """Logs how a loop ends; what only says that a session went away is no error."""
    try:
        yield
    except (errors.AbortedError, errors.UnavailableError):
        logging.info("%s marked as finished", source)
    except Exception as error:
        logging.error("Error recorded from %s: %s", source, error)
        logging.info("%s marked as finished", source)
        logging.warn("Reraising captured error")
        raise
    else:
        logging.info("%s marked as finished", source)


@tf_export("estimator.tpu.TPUEstimator", "contrib.tpu.TPUEstimator")
class TPUEstimator(estimator_lib.Estimator):
    """An estimator whose model and input functions are told the batch size in `params`.

    Args:
      model_fn: as for `Estimator`; returns a `TPUEstimatorSpec` or an `EstimatorSpec`.
      model_dir, params, warm_start_from: see `Estimator`.
      config: a `tf.contrib.tpu.RunConfig`.
      use_tpu: False for the host and other devices.
      train_batch_size, eval_batch_size, predict_batch_size: `params["batch_size"]` in each mode.
      batch_axis: how batches are split over cores.
      eval_on_tpu: whether a TPU evaluates too.
      export_to_tpu: whether a graph for TPUs is exported; not supported.
      export_to_cpu: whether one for other devices is.
      embedding_config_spec: of embeddings on TPUs.
      export_saved_model_api_version: an `ExportSavedModelApiVersion`.

    Raises:
      ValueError, TypeError: an argument is wrong.
    """

    def __init__(
        self, model_fn: Callable[..., Any] | None = None, model_dir: str | None = None,
        config: Any = None, params: Any = None,
        use_tpu: bool = True, train_batch_size: Any = None, eval_batch_size: Any = None,
        predict_batch_size: Any = None, batch_axis: Any = None, eval_on_tpu: bool = True,
        export_to_tpu: bool = True, export_to_cpu: bool = True, warm_start_from: Any = None,
        embedding_config_spec: Any = None,
        export_saved_model_api_version: Any = ExportSavedModelApiVersion.V1,
    ):  # fmt: skip
        if config is None or not isinstance(config, tpu_config.RunConfig):
            raise ValueError("`config` must be provided with type `tpu_config.RunConfig`")
        if params is not None and any(key in params for key in _RESERVED_PARAMS_KEYS):
            raise ValueError(
                f"{_RESERVED_PARAMS_KEYS} are reserved keys but existed in params {params}."
            )
        sizes = {
            ModeKeys.TRAIN: train_batch_size, ModeKeys.EVAL: eval_batch_size,
            ModeKeys.PREDICT: predict_batch_size,
        }  # fmt: skip
        if use_tpu:
            _check_for_tpu(config.tpu_config, sizes, embedding_config_spec)
        if embedding_config_spec and embedding_config_spec.partition_strategy == "mod":
            if not (use_tpu and eval_on_tpu):
                raise ValueError("Mod sharding of embedding tables not supported on CPU.")
        model_fn_lib.verify_model_fn_args(model_fn, params)
        self._log_every_n_steps = config.log_step_count_steps
        super().__init__(
            self._augment_model_fn(model_fn, batch_axis), model_dir,
            config.replace(log_step_count_steps=None), params or {}, warm_start_from,
        )  # fmt: skip
        loop = util.parse_iterations_per_loop(self._config.tpu_config.iterations_per_loop)
        self._log_every_n_secs = None
        if loop.unit == "seconds":
            self._log_every_n_steps, self._log_every_n_secs = None, loop.value
        elif self._log_every_n_steps is not None:
            self._log_every_n_steps = math.ceil(self._log_every_n_steps / loop.value)
        logging.info("_TPUContext: eval_on_tpu %s", eval_on_tpu)
        if not use_tpu and eval_on_tpu:
            logging.warning("eval_on_tpu ignored because use_tpu is False.")
        if not isinstance(export_saved_model_api_version, ExportSavedModelApiVersion):
            raise ValueError(
                "export_saved_model_api_version should be of type ExportSavedModelApiVersion; got "
                f"{export_saved_model_api_version}."
            )
        self._use_tpu, self._eval_on_tpu = use_tpu, eval_on_tpu
        self._batch_sizes = sizes
        self._export_to_cpu = export_to_cpu
        self._export_to_tpu = export_to_tpu
        self._is_input_fn_invoked: bool | None = None

    def _export_all_saved_models(
        self, export_dir_base: str, input_receiver_fn_map: dict[str, Any],
        assets_extra: Any = None, as_text: bool = False, checkpoint_path: str | None = None,
        strip_default_attrs: bool = True,
    ) -> bytes:  # fmt: skip
        if not self._export_to_cpu and not self._export_to_tpu:
            raise ValueError("One of export_to_cpu and export_to_tpu must be true.")
        if self._export_to_tpu and ModeKeys.PREDICT in input_receiver_fn_map:
            without = "TPUEstimator: tf1compat does not export a graph for TPUs"
            if not self._export_to_cpu:
                raise NotImplementedError(f"{without}; pass export_to_cpu=True")
            logging.warning(f"{without} (the one with the tags serve and tpu), only that for CPUs.")
        return super()._export_all_saved_models(
            export_dir_base, input_receiver_fn_map, assets_extra, as_text, checkpoint_path,
            strip_default_attrs,
        )  # fmt: skip

    def _create_global_step(self, graph: Graph) -> Any:
        return _create_global_step(graph)

    def _runs_on_cpu(self, mode: str) -> bool:
        """Whether a mode needs no TPU.

        Raises:
          RuntimeError: it needs one.
        """
        if not self._use_tpu:
            return True
        if mode == ModeKeys.EVAL and not self._eval_on_tpu:
            logging.info("_is_running_on_cpu: eval_on_tpu disabled")
            return True
        with find("Session")(self._config.master, graph=ops.Graph()) as session:
            devices = tuple(session.list_devices())
        raise RuntimeError(
            "Cannot find any TPU cores in the system. Please double check Tensorflow master "
            f"address and TPU worker(s). Available devices are {devices}."
        )

    def _call_input_fn(
        self, input_fn: Callable[..., Any], mode: str, input_context: Any = None
    ) -> Any:
        names = estimator_util.fn_args(input_fn)
        if "params" not in names:
            raise ValueError(
                f"input_fn ({input_fn}) does not include params argument, required by TPUEstimator "
                'to pass batch size as params["batch_size"]'
            )
        params = self.params
        given = {"params": params, "config": self.config, "mode": mode}
        self._is_input_fn_invoked = True
        self._runs_on_cpu(mode)
        if self._config.tpu_config.eval_training_input_configuration is _SLICED:
            if mode != ModeKeys.TRAIN:
                raise ValueError(
                    "Invalid TPUConfig `eval_training_input_configuration` value. SLICED mode only "
                    "works on use_tpu = True."
                )
        if self._batch_sizes[mode] is not None:
            _add_item_to_params(params, "batch_size", self._batch_sizes[mode])
        with ops.device("/device:CPU:0"):
            return input_fn(**{key: value for key, value in given.items() if key in names})

    def _validate_features_in_predict_input(self, result: Any) -> None:
        pass

    def train(
        self, input_fn: Callable[..., Any], hooks: Any = None, steps: Any = None,
        max_steps: Any = None,
        saving_listeners: Any = None,
    ) -> Any:  # fmt: skip
        """See `Estimator.train`; `input_fn` takes `params`."""
        with _announced("training_loop"):
            return super().train(input_fn, hooks, steps, max_steps, saving_listeners)

    def evaluate(  # type: ignore[return]
        self, input_fn: Callable[..., Any], steps: Any = None, hooks: Any = None,
        checkpoint_path: str | None = None,
        name: Name = None,
    ) -> dict[str, Any]:  # fmt: skip
        """See `Estimator.evaluate`; `input_fn` takes `params`."""
        with _announced("evaluation_loop"):
            return super().evaluate(input_fn, steps, hooks, checkpoint_path, name)

    def predict(
        self, input_fn: Callable[..., Any], predict_keys: Any = None, hooks: Any = None,
        checkpoint_path: str | None = None, yield_single_examples: bool = True,
    ) -> Iterator[Any]:  # fmt: skip
        """See `Estimator.predict`; `input_fn` takes `params`."""
        with _announced("prediction_loop"):
            yield from super().predict(
                input_fn, predict_keys, hooks, checkpoint_path, yield_single_examples
            )
        logging.info("%s marked as finished", "prediction_loop")

    def _augment_model_fn(self, model_fn: Any, batch_axis: Any) -> Any:
        """The model function with the batch size in its parameters, and a hook."""

        def _model_fn(features: Any, labels: Any, mode: Any, config: Any, params: Any) -> Any:
            # Without an input function the graph is one to export.
            is_export = not self._is_input_fn_invoked
            self._is_input_fn_invoked = None
            if is_export:
                _add_item_to_params(params, "use_tpu", False)
            else:
                self._runs_on_cpu(mode)
            logs = self._log_every_n_steps is not None or self._log_every_n_secs is not None
            hooks: tuple[Any, ...] = ()
            if logs:
                hooks = (
                    ExamplesPerSecondHook(
                        self._batch_sizes[mode], self._log_every_n_steps, self._log_every_n_secs,
                        self.model_dir if not config or config.save_summary_steps else None,
                    ),
                )  # fmt: skip
            logging.info("Running %s on CPU", mode)
            spec = self._called(model_fn, features, labels, mode, config, params, is_export)
            if not logs:
                return spec
            return spec._replace(training_hooks=spec.training_hooks + hooks)

        return _model_fn

    def _called(
        self, model_fn: Callable[..., Any], features: Any, labels: Any, mode: Any, config: Any,
        params: Any,
        is_export: bool,
    ) -> Any:  # fmt: skip
        names = estimator_util.fn_args(model_fn)
        if labels is not None and "labels" not in names:
            raise ValueError("model_fn does not take labels, but input_fn returns labels.")
        if "params" not in names:
            raise ValueError(
                f"model_fn ({model_fn}) does not include params argument, required by TPUEstimator "
                "to pass batch size as params['batch_size']"
            )
        params = copy.deepcopy(params)
        given = {
            "labels": labels, "mode": mode, "config": copy.deepcopy(config), "params": params,
        }  # fmt: skip
        if not is_export:
            if self._batch_sizes[mode] is not None:
                _add_item_to_params(params, "batch_size", self._batch_sizes[mode])
            _add_item_to_params(params, "use_tpu", False)
        spec = model_fn(
            features=features, **{key: value for key, value in given.items() if key in names}
        )
        if isinstance(spec, model_fn_lib._TPUEstimatorSpec):
            return spec.as_estimator_spec()
        return spec


def _check_for_tpu(config: Any, sizes: dict[str, Any], embedding_config_spec: Any) -> None:
    """Checks what is wanted of a TPU."""
    if sizes[ModeKeys.TRAIN] is None:
        raise ValueError("`train_batch_size` cannot be `None`")
    util.check_positive_integer(sizes[ModeKeys.TRAIN], "train_batch_size")
    kinds = tpu_config.InputPipelineConfig
    kind = config.per_host_input_for_training
    if kind is kinds.PER_SHARD_V1 and config.num_cores_per_replica:
        raise ValueError(
            "Model parallelism only supports per host input for training. Please adjust "
            "TPURunconfig.per_host_input_for_training."
        )
    for mode, name in ((ModeKeys.EVAL, "eval"), (ModeKeys.PREDICT, "predict")):
        if sizes[mode] is not None:
            util.check_positive_integer(sizes[mode], f"{name}_batch_size")
    if embedding_config_spec and kind != kinds.PER_HOST_V2:
        raise ValueError(f"Only PER_HOST_V2 is supported when using TPU Embedding; got {kind}.")
