"""`tensorflow_estimator.python.estimator.estimator`: models that are trained, evaluated and asked
in graphs and sessions of their own."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Iterator
from typing import Any

from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.estimator import distributed, run_config, util, warm_start, written_results
from tf1compat.api.estimator import model_fn as model_fn_lib
from tf1compat.api.estimator.checked_arguments import (
    _assert_members_are_not_overridden,
    _check_checkpoint_available,
    _check_hooks_type,
    _check_listeners_type,
    _get_replica_device_setter,
    maybe_overwrite_model_dir_and_session_config,
)
from tf1compat.api.estimator.mode_keys import ModeKeys
from tf1compat.api.platform import gfile
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.random import random_seed
from tf1compat.api.saved_model import builder_impl
from tf1compat.api.saved_model import constants as saved_model_constants
from tf1compat.api.saved_model.model_utils import export_utils
from tf1compat.api.summary import summary
from tf1compat.api.training import (
    basic_session_run_hooks,
    checkpoint_management,
    checkpoint_utils,
    evaluation,
    monitored_session,
    saver,
    saving_hooks,
    training_util,
    warm_starting_util,
)
from tf1compat.api.training import (
    scaffold as scaffold_lib,
)
from tf1compat.api.util import compat
from tf1compat.api.util.deprecation import deprecated, hide_attribute_from_api
from tf1compat.core import errors, nest, ops
from tf1compat.core.export import find, tf_export
from tf1compat.core.graph import Graph
from tf1compat.core.session_interface import SessionInterface
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name


@tf_export("estimator.Estimator")
class Estimator:
    """A model with its training, evaluation and prediction, as `tf.estimator.Estimator` in TF 1.15.

    Each call makes a graph of its own; the variables live in the checkpoints of `model_dir`.

    Args:
      model_fn: a function of `features`, and any of `labels`, `mode`, `params` and `config`, that
        returns an `EstimatorSpec`.
      model_dir: the folder of checkpoints and summaries; by default that of `config`, or a
        temporary one.
      config: a `RunConfig`.
      params: a dict that `model_fn` and input functions get.
      warm_start_from: a checkpoint or a SavedModel, or `WarmStartSettings`.

    Raises:
      ValueError: an argument is wrong, or a subclass overrides a member.
    """

    def __init__(
        self, model_fn: Callable[..., Any] | None, model_dir: str | None = None,
        config: Any = None, params: Any = None,
        warm_start_from: Any = None,
    ):  # fmt: skip
        type(self)._assert_members_are_not_overridden(self)
        self._config = maybe_overwrite_model_dir_and_session_config(config, model_dir)
        self._train_distribution = self._config.train_distribute
        self._eval_distribution = self._config.eval_distribute
        self._model_dir = self._config.model_dir
        self._session_config = self._config.session_config
        logging.info("Using config: %s", str(vars(self._config)))
        self._device_fn = self._config.device_fn or _get_replica_device_setter(self._config)
        if model_fn is None:
            raise ValueError("model_fn must be provided to Estimator.")
        model_fn_lib.verify_model_fn_args(model_fn, params)
        self._model_fn = model_fn
        self._params = copy.deepcopy(params or {})
        self._warm_start_settings = warm_start.settings_of(warm_start_from)

    @property
    def model_dir(self) -> Any:
        """The folder of checkpoints and summaries."""
        return self._model_dir

    @property
    def config(self) -> Any:
        """A copy of the configuration."""
        return copy.deepcopy(self._config)

    @property
    def params(self) -> dict[str, Any]:
        """A copy of the parameters."""
        return copy.deepcopy(self._params)

    @property
    def model_fn(self) -> Any:
        """The model function, with the arguments features, labels, mode and config."""

        def public_model_fn(features: Any, labels: Any, mode: Any, config: Any) -> Any:
            return self._call_model_fn(features, labels, mode, config)

        return public_model_fn

    def get_variable_value(self, name: str) -> Any:
        """A variable's value in the newest checkpoint.

        Raises:
          ValueError: there is none.
        """
        _check_checkpoint_available(self.model_dir)
        return checkpoint_utils.load_variable(self.model_dir, name)

    def get_variable_names(self) -> list[str]:
        """The names of the variables in the newest checkpoint.

        Raises:
          ValueError: there is none.
        """
        _check_checkpoint_available(self.model_dir)
        return [name for name, _ in checkpoint_utils.list_variables(self.model_dir)]

    def latest_checkpoint(self) -> Any:
        """The newest checkpoint, or None."""
        return checkpoint_management.latest_checkpoint(self.model_dir)

    # Training.

    def train(
        self, input_fn: Callable[..., Any], hooks: Any = None, steps: Any = None,
        max_steps: Any = None,
        saving_listeners: Any = None,
    ) -> Estimator:  # fmt: skip
        """Trains the model from its newest checkpoint on, and saves it.

        Args:
          input_fn: a function, of any of mode, params and config, that gives features, or features
            and labels, or a dataset of these.
          hooks: `SessionRunHook`s.
          steps: how many steps to take; until the input ends by default.
          max_steps: the step at which training ends.
          saving_listeners: `CheckpointSaverListener`s.

        Returns:
          The estimator.

        Raises:
          ValueError: an argument is wrong.
        """
        if self.config.task_type in (run_config.TaskType.EVALUATOR, run_config.TaskType.PS):
            raise ValueError(
                "Train has been called wrong configuration. Please use "
                "tf.estimator.train_and_evaluate which calls proper API according to given "
                f"configuration. Current configuration: {self.config}."
            )
        if steps is not None and max_steps is not None:
            raise ValueError("Can not provide both steps and max_steps.")
        for name, value in (("steps", steps), ("max_steps", max_steps)):
            if value is not None and value <= 0:
                raise ValueError(f"Must specify {name} > 0, given: {value}")
        if max_steps is not None:
            if max_steps <= _load_global_step_from_checkpoint_dir(self._model_dir):
                logging.info("Skipping training since max_steps has already saved.")
                return self
        hooks = _check_hooks_type(hooks)
        if steps is not None or max_steps is not None:
            hooks.append(basic_session_run_hooks.StopAtStepHook(steps, max_steps))
        loss = self._train_model(input_fn, hooks, _check_listeners_type(saving_listeners))
        logging.info("Loss for final step: %s.", loss)
        return self

    def _train_model(self, input_fn: Any, hooks: list[Any], saving_listeners: list[Any]) -> Any:
        if self._train_distribution:
            distributed.refuse_alone(self._config, "estimator.train")
            return distributed.train(self, input_fn, hooks, saving_listeners)
        with ops.Graph().as_default() as graph, graph.device(self._device_fn):
            random_seed.set_random_seed(self._config.tf_random_seed)
            global_step = self._create_and_assert_global_step(graph)
            # Reading it here puts the read where optimizers find it.
            if global_step is not None:
                training_util._get_or_create_global_step_read(graph)
            features, labels, input_hooks = self._get_features_and_labels_from_input_fn(
                input_fn, ModeKeys.TRAIN
            )
            spec = self._call_model_fn(features, labels, ModeKeys.TRAIN, self.config)
            return self._train_with_estimator_spec(
                spec, list(input_hooks), hooks, training_util.get_global_step(graph),
                saving_listeners,
            )  # fmt: skip

    def _train_with_estimator_spec(
        self, estimator_spec: Any, worker_hooks: list[Any], hooks: list[Any],
        global_step_tensor: Any, saving_listeners: list[Any],
    ) -> Any:  # fmt: skip
        config, spec = self._config, estimator_spec
        self._maybe_warm_start(None)
        summaries = ops.get_collection(ops.GraphKeys.SUMMARIES)
        if not any(x.op.name == "loss" for x in summaries):
            summary.scalar("loss", spec.loss)
        ops.add_to_collection(ops.GraphKeys.LOSSES, spec.loss)
        worker_hooks.extend(hooks)
        worker_hooks.append(basic_session_run_hooks.NanTensorHook(spec.loss))
        if config.log_step_count_steps is not None:
            worker_hooks.append(
                basic_session_run_hooks.LoggingTensorHook(
                    {"loss": spec.loss, "step": global_step_tensor},
                    every_n_iter=config.log_step_count_steps,
                )
            )
        worker_hooks.extend(spec.training_hooks)
        if not (spec.scaffold.saver or ops.get_collection(ops.GraphKeys.SAVERS)):
            made = saver.Saver(
                sharded=True, max_to_keep=config.keep_checkpoint_max,
                keep_checkpoint_every_n_hours=config.keep_checkpoint_every_n_hours,
                defer_build=True, save_relative_paths=True,
            )  # fmt: skip
            ops.add_to_collection(ops.GraphKeys.SAVERS, made)
        role = distributed.role(self)
        chief_hooks = self._saver_hooks(spec, worker_hooks, saving_listeners, role.folder)
        summary_steps, log_steps = config.save_summary_steps, config.log_step_count_steps
        jobs = config.cluster_spec.jobs if config.cluster_spec else ()
        if run_config.TaskType.WORKER in jobs and run_config.TaskType.MASTER in jobs:
            # The first worker writes them: the master also evaluates.
            if config.task_type == run_config.TaskType.WORKER and config.task_id == 0:
                if summary_steps and summary_steps > 0:
                    worker_hooks.append(
                        saving_hooks.SummarySaverHook(
                            save_steps=summary_steps, output_dir=config.model_dir,
                            scaffold=spec.scaffold,
                        )
                    )  # fmt: skip
                if log_steps and log_steps > 0:
                    worker_hooks.append(
                        saving_hooks.StepCounterHook(
                            every_n_steps=log_steps, output_dir=config.model_dir
                        )
                    )
            summary_steps, log_steps = 0, None
        if role.is_chief and not role.writes:
            summary_steps, log_steps = 0, None
        with monitored_session.MonitoredTrainingSession(
            master=role.master, is_chief=role.is_chief, checkpoint_dir=self._model_dir,
            scaffold=spec.scaffold, hooks=worker_hooks,
            chief_only_hooks=(*chief_hooks, *spec.training_chief_hooks), save_checkpoint_secs=0,
            save_summaries_steps=summary_steps, config=role.session_config,
            max_wait_secs=config.session_creation_timeout_secs, log_step_count_steps=log_steps,
        ) as session:  # fmt: skip
            loss, stepped = None, False
            while not session.should_stop():
                _, loss = session.run([spec.train_op, spec.loss])
                stepped = True
        if not stepped:
            logging.warning(
                "Training with estimator made no steps. Perhaps input is empty or misspecified."
            )
        return loss

    def _saver_hooks(
        self, spec: Any, worker_hooks: list[Any], listeners: list[Any], folder: str
    ) -> list[Any]:
        """The hooks of the chief that save checkpoints, unless there are some already."""
        config = self._config
        made: list[Any] = []
        savers = [
            hook
            for hook in [*worker_hooks, *spec.training_chief_hooks]
            if isinstance(hook, saving_hooks.CheckpointSaverHook)
        ]
        if not savers and (config.save_checkpoints_secs or config.save_checkpoints_steps):
            made = savers = [
                saving_hooks.CheckpointSaverHook(
                    folder, save_secs=config.save_checkpoints_secs,
                    save_steps=config.save_checkpoints_steps, scaffold=spec.scaffold,
                )
            ]  # fmt: skip
        if listeners and not savers:
            raise ValueError(
                "There should be a CheckpointSaverHook to use saving_listeners. Please set one of "
                "the RunConfig.save_checkpoints_steps or RunConfig.save_checkpoints_secs."
            )
        for listener in listeners:
            if listener not in savers[0]._listeners:
                savers[0]._listeners.append(listener)
        return made

    # Evaluation.

    def eval_dir(self, name: str | None = None) -> str:
        """The folder of the summaries of evaluations."""
        return os.path.join(self._model_dir, f"eval_{name}" if name else "eval")

    def evaluate(
        self, input_fn: Callable[..., Any], steps: Any = None, hooks: Any = None,
        checkpoint_path: str | None = None,
        name: Name = None,
    ) -> dict[str, Any]:  # fmt: skip
        """Evaluates the model.

        Args:
          input_fn: see `train`.
          steps: how many batches; until the input ends by default.
          hooks: `SessionRunHook`s.
          checkpoint_path: the checkpoint; the newest by default, or new variables if there is none.
          name: of the evaluation, if there are several.

        Returns:
          {metric: its value}, with "loss" and "global_step".

        Raises:
          ValueError: an argument is wrong.
        """
        if self._eval_distribution:
            distributed.refuse_alone(self._config, "Estimator.evaluate")
        hooks = _check_hooks_type(hooks)
        if steps is not None:
            if steps <= 0:
                raise ValueError(f"Must specify steps > 0, given: {steps}")
            hooks.append(evaluation._StopAfterNEvalsHook(num_evals=steps))
        checkpoint_path = checkpoint_path or self._latest_or_none("evaluate")
        with ops.Graph().as_default(), distributed.evaluating(self._eval_distribution):
            scaffold, update_op, values, hooks = self._evaluate_build_graph(
                input_fn, hooks, checkpoint_path
            )
            return self._evaluate_run(
                checkpoint_path, scaffold, update_op, values, hooks, self.eval_dir(name)
            )

    def _latest_or_none(self, to: str) -> Any:
        latest = self.latest_checkpoint()
        if not latest:
            logging.info(
                f"Could not find trained model in model_dir: {self._model_dir}, running "
                f"initialization to {to}."
            )
        return latest

    def _evaluate_build_graph(
        self, input_fn: Callable[..., Any], hooks: list[Any], checkpoint_path: Any
    ) -> tuple[Any, Any, dict[str, Any], list[Any]]:
        random_seed.set_random_seed(self._config.tf_random_seed)
        self._create_and_assert_global_step(ops.get_default_graph())
        strategy = self._eval_distribution
        if strategy:
            spec, input_hooks = distributed.evaluated(self, input_fn)
        else:
            features, labels, input_hooks = self._get_features_and_labels_from_input_fn(
                input_fn, ModeKeys.EVAL
            )
            spec = self._call_model_fn(features, labels, ModeKeys.EVAL, self.config)
        metrics = _verify_and_create_loss_metric(spec.eval_metric_ops, spec.loss, strategy)
        update_op, values = _extract_metric_update_ops(metrics, strategy)
        scaffold, evaluation_hooks = spec.scaffold, spec.evaluation_hooks
        if strategy:
            scaffold, evaluation_hooks = distributed.scaffold_and_hooks(spec, strategy)
        global_step = training_util.get_global_step(ops.get_default_graph())
        self._maybe_warm_start(checkpoint_path)
        if ops.GraphKeys.GLOBAL_STEP in values:
            raise ValueError(
                "Metric with name `global_step` is not allowed, because Estimator already defines "
                "a default metric with the same name."
            )
        values[ops.GraphKeys.GLOBAL_STEP] = global_step
        if scaffold and scaffold.local_init_op:
            # The counter of evaluations must be there when the local variables are initialized.
            evaluation._get_or_create_eval_step()
            init = control_flow_ops.group(
                scaffold.local_init_op, scaffold_lib.Scaffold.default_local_init_op()
            )
            scaffold = scaffold_lib.Scaffold(local_init_op=init, copy_from_scaffold=scaffold)
        return scaffold, update_op, values, [*input_hooks, *hooks, *(evaluation_hooks or ())]

    def _evaluate_run(
        self, checkpoint_path: Any, scaffold: Any, update_op: Any, eval_dict: dict[str, Any],
        all_hooks: list[Any], output_dir: str,
    ) -> dict[str, Any]:  # fmt: skip
        results = evaluation._evaluate_once(
            checkpoint_path=checkpoint_path, master=self._config.evaluation_master,
            scaffold=scaffold, eval_ops=update_op, final_ops=eval_dict, hooks=all_hooks,
            config=self._session_config,
        )  # fmt: skip
        step = results[ops.GraphKeys.GLOBAL_STEP]
        written_results.write_results(output_dir, results, step)
        if checkpoint_path:
            written_results.write_checkpoint_path(output_dir, checkpoint_path, step)
        return results

    # Prediction.

    def predict(
        self, input_fn: Callable[..., Any], predict_keys: Any = None, hooks: Any = None,
        checkpoint_path: str | None = None, yield_single_examples: bool = True,
    ) -> Iterator[Any]:  # fmt: skip
        """Predicts.

        Args:
          input_fn: see `train`; labels are ignored.
          predict_keys: which of the model's predictions are wanted; all by default.
          hooks: `SessionRunHook`s.
          checkpoint_path: the checkpoint; the newest by default, or new variables if there is none.
          yield_single_examples: False to give a batch at a time.

        Yields:
          The predictions of one example after the other.

        Raises:
          ValueError: an argument is wrong.
        """
        hooks = _check_hooks_type(hooks)
        checkpoint_path = checkpoint_path or self._latest_or_none("predict")
        with ops.Graph().as_default() as graph:
            random_seed.set_random_seed(self._config.tf_random_seed)
            self._create_and_assert_global_step(graph)
            features, input_hooks = self._get_features_from_input_fn(input_fn, ModeKeys.PREDICT)
            spec = self._call_model_fn(features, None, ModeKeys.PREDICT, self.config)
            self._maybe_warm_start(checkpoint_path)
            predictions = self._extract_keys(spec.predictions, predict_keys)
            creator = monitored_session.ChiefSessionCreator(
                checkpoint_filename_with_path=checkpoint_path, master=self._config.master,
                scaffold=spec.scaffold, config=self._session_config,
            )  # fmt: skip
            all_hooks = [*input_hooks, *hooks, *(spec.prediction_hooks or ())]
            with monitored_session.MonitoredSession(
                session_creator=creator, hooks=all_hooks
            ) as session:
                while not session.should_stop():
                    found = session.run(predictions)
                    if not yield_single_examples:
                        yield found
                    elif not isinstance(predictions, dict):
                        yield from found
                    else:
                        for i in range(self._extract_batch_length(found)):
                            yield {key: value[i] for key, value in found.items()}

    def _get_features_from_input_fn(
        self, input_fn: Callable[..., Any], mode: str
    ) -> tuple[Any, list[Any]]:
        result, _, hooks = util.parse_input_fn_result(self._call_input_fn(input_fn, mode))
        self._validate_features_in_predict_input(result)
        return result, hooks

    def _validate_features_in_predict_input(self, result: Any) -> None:
        if not _has_dataset_or_queue_runner(result):
            logging.warning(
                "Input graph does not use tf.data.Dataset or contain a QueueRunner. That means "
                "predict yields forever. This is probably a mistake."
            )

    def _extract_batch_length(self, preds_evaluated: dict[str, Any]) -> int:
        length = None
        for key, value in preds_evaluated.items():
            length = length or value.shape[0]
            if value.shape[0] != length:
                raise ValueError(
                    f"Batch length of predictions should be same. {key} has different batch length "
                    "than others."
                )
        return length or 0

    def _extract_keys(self, predictions: Any, predict_keys: Any) -> Any:
        if not predict_keys:
            return predictions
        if not isinstance(predictions, dict):
            raise ValueError("predict_keys argument is not valid in case of non-dict predictions.")
        wanted = {key: value for key, value in predictions.items() if key in predict_keys}
        if not wanted:
            raise ValueError(
                f"Expected to run at least one output from {predictions.keys()}, provided "
                f"{predict_keys}."
            )
        return wanted

    # Export.

    def export_saved_model(
        self, export_dir_base: str, serving_input_receiver_fn: Callable[..., Any],
        assets_extra: Any = None,
        as_text: bool = False, checkpoint_path: str | None = None,
        experimental_mode: str = ModeKeys.PREDICT,
    ) -> bytes:  # fmt: skip
        """Writes the model as a SavedModel.

        Args:
          export_dir_base: the folder in which a folder named after the time is made.
          serving_input_receiver_fn: makes a `ServingInputReceiver`.
          assets_extra: {where in "assets.extra": a file to copy}.
          as_text: whether the graph is written as text.
          checkpoint_path: the checkpoint; the newest by default.
          experimental_mode: the mode that is exported.

        Returns:
          The folder.

        Raises:
          ValueError: there is no receiver function or no checkpoint.
        """
        if not serving_input_receiver_fn:
            raise ValueError("An input_receiver_fn must be defined.")
        return self._export_all_saved_models(
            export_dir_base, {experimental_mode: serving_input_receiver_fn},
            assets_extra=assets_extra, as_text=as_text, checkpoint_path=checkpoint_path,
        )  # fmt: skip

    @deprecated(None, "This function has been renamed, use `export_saved_model` instead.")
    def export_savedmodel(
        self, export_dir_base: str, serving_input_receiver_fn: Callable[..., Any],
        assets_extra: Any = None,
        as_text: bool = False, checkpoint_path: str | None = None,
        strip_default_attrs: bool = False,
    ) -> bytes:  # fmt: skip
        """As `export_saved_model`; attrs at their defaults are written too."""
        if not serving_input_receiver_fn:
            raise ValueError("An input_receiver_fn must be defined.")
        return self._export_all_saved_models(
            export_dir_base, {ModeKeys.PREDICT: serving_input_receiver_fn},
            assets_extra=assets_extra, as_text=as_text, checkpoint_path=checkpoint_path,
            strip_default_attrs=strip_default_attrs,
        )  # fmt: skip

    def experimental_export_all_saved_models(
        self, export_dir_base: str, input_receiver_fn_map: dict[str, Any],
        assets_extra: Any = None, as_text: bool = False, checkpoint_path: str | None = None,
    ) -> bytes:  # fmt: skip
        """As `export_saved_model`, for several modes: {mode: what makes its receiver}."""
        return self._export_all_saved_models(
            export_dir_base, input_receiver_fn_map, assets_extra=assets_extra, as_text=as_text,
            checkpoint_path=checkpoint_path,
        )  # fmt: skip

    def _export_all_saved_models(
        self, export_dir_base: str, input_receiver_fn_map: dict[str, Any],
        assets_extra: Any = None, as_text: bool = False, checkpoint_path: str | None = None,
        strip_default_attrs: bool = True,
    ) -> bytes:  # fmt: skip
        checkpoint_path = checkpoint_path or self._checkpoint_to_export()
        export_dir = export_utils.get_timestamped_export_dir(export_dir_base)
        folder = export_utils.get_temp_export_dir(export_dir)
        builder = builder_impl.SavedModelBuilder(folder)
        save_variables = True
        for mode in (ModeKeys.TRAIN, ModeKeys.EVAL, ModeKeys.PREDICT):
            if input_receiver_fn_map.get(mode):
                self._add_meta_graph_for_mode(
                    builder, input_receiver_fn_map, checkpoint_path, save_variables, mode=mode,
                    strip_default_attrs=strip_default_attrs,
                )  # fmt: skip
                save_variables = False
        if save_variables:
            raise ValueError(
                f"No valid modes for exporting found. Got {input_receiver_fn_map.keys()}."
            )
        builder.save(as_text)
        _copy_assets(folder, assets_extra)
        gfile.Rename(folder, export_dir)
        return export_dir

    def _checkpoint_to_export(self) -> Any:
        path = self.latest_checkpoint()
        if path:
            return path
        if not self._warm_start_settings:
            raise ValueError(f"Couldn't find trained model at {self._model_dir}.")
        path = self._warm_start_settings.ckpt_to_initialize_from
        return checkpoint_management.latest_checkpoint(path) if gfile.IsDirectory(path) else path

    def _add_meta_graph_for_mode(
        self, builder: Any, input_receiver_fn_map: dict[str, Any], checkpoint_path: Any,
        save_variables: bool = True, mode: str = ModeKeys.PREDICT, export_tags: Any = None,
        check_variables: bool = True, strip_default_attrs: bool = True,
    ) -> None:  # fmt: skip
        tags = export_utils.EXPORT_TAG_MAP[mode] if export_tags is None else export_tags
        with ops.Graph().as_default() as graph:
            self._create_and_assert_global_step(graph)
            random_seed.set_random_seed(self._config.tf_random_seed)
            receiver = input_receiver_fn_map[mode]()
            spec = self._call_model_fn(
                receiver.features, getattr(receiver, "labels", None), mode, self.config
            )
            outputs = export_utils.export_outputs_for_mode(
                mode=spec.mode, serving_export_outputs=spec.export_outputs,
                predictions=spec.predictions, loss=spec.loss, metrics=spec.eval_metric_ops,
            )  # fmt: skip
            signatures = export_utils.build_all_signature_defs(
                receiver.receiver_tensors, outputs,
                getattr(receiver, "receiver_tensors_alternatives", None),
                serving_only=mode == ModeKeys.PREDICT,
            )  # fmt: skip
            with find("Session")(config=self._session_config) as session:
                init = spec.scaffold.local_init_op
                if init is None:
                    init = scaffold_lib.Scaffold.default_local_init_op()
                graph_saver = spec.scaffold.saver or saver.Saver(sharded=True)
                if save_variables and not check_variables:
                    raise ValueError(
                        "If `save_variables` is `True, `check_variables`must not be `False`."
                    )
                if check_variables:
                    self._restored(graph_saver, session, checkpoint_path, mode)
                if spec.train_op is not None:
                    ops.add_to_collection(saved_model_constants.TRAIN_OP_KEY, spec.train_op)
                settings = {
                    "tags": tags, "signature_def_map": signatures,
                    "assets_collection": ops.get_collection(ops.GraphKeys.ASSET_FILEPATHS),
                    "main_op": init, "saver": graph_saver,
                    "strip_default_attrs": strip_default_attrs,
                }  # fmt: skip
                if save_variables:
                    builder.add_meta_graph_and_variables(session, **settings)
                else:
                    builder.add_meta_graph(**settings)

    def _restored(self, graph_saver: Any, session: SessionInterface, path: Any, mode: str) -> None:
        try:
            graph_saver.restore(session, path)
        except errors.NotFoundError as error:
            raise ValueError(
                "Could not load all requested variables from checkpoint. Please make sure your "
                "model_fn does not expect variables that were not saved in the checkpoint.\n\n"
                f"Encountered error with mode `{mode}` while restoring checkpoint from: `{path}`. "
                f"Full Traceback:\n\n{error}"
            ) from error

    # What they share.

    def _get_features_and_labels_from_input_fn(
        self, input_fn: Callable[..., Any], mode: str
    ) -> tuple[Any, Any, list[Any]]:
        return util.parse_input_fn_result(self._call_input_fn(input_fn, mode))

    def _create_global_step(self, graph: Graph) -> Any:
        return training_util.create_global_step(graph)

    def _create_and_assert_global_step(self, graph: Graph) -> Any:
        step = self._create_global_step(graph)
        assert step is training_util.get_global_step()
        assert step.dtype.is_integer
        return step

    def _call_input_fn(
        self, input_fn: Callable[..., Any], mode: str, input_context: Any = None
    ) -> Any:
        names = util.fn_args(input_fn)
        given = {
            "mode": mode,
            "params": self.params,
            "config": self.config,
            "input_context": input_context,
        }
        with ops.device("/cpu:0"):
            return input_fn(**{key: value for key, value in given.items() if key in names})

    def _call_model_fn(self, features: Any, labels: Any, mode: str, config: Any) -> Any:
        names = util.fn_args(self._model_fn)
        given = {"labels": labels, "mode": mode, "params": self.params, "config": config}
        if labels is not None and "labels" not in names:
            raise ValueError("model_fn does not take labels, but input_fn returns labels.")
        logging.info("Calling model_fn.")
        spec = self._model_fn(
            features=features, **{key: value for key, value in given.items() if key in names}
        )
        logging.info("Done calling model_fn.")
        if not isinstance(spec, model_fn_lib.EstimatorSpec):
            raise ValueError("model_fn should return an EstimatorSpec.")
        return spec

    def _maybe_warm_start(self, checkpoint_path: Any) -> None:
        if not checkpoint_path and self._warm_start_settings:
            logging.info(f"Warm-starting with WarmStartSettings: {self._warm_start_settings}")
            warm_starting_util.warm_start(*self._warm_start_settings)

    def _assert_members_are_not_overridden(self) -> None:
        _assert_members_are_not_overridden(Estimator, self)


@tf_export("compat.v2.estimator.Estimator")
class EstimatorV2(Estimator):
    """As `Estimator`. Args: see there."""

    export_savedmodel = hide_attribute_from_api(  # pyright: ignore
        "`Estimator.export_savedmodel` has been deprecated. Please use `export_saved_model` "
        "instead."
    )

    def _assert_members_are_not_overridden(self) -> None:
        _assert_members_are_not_overridden(EstimatorV2, self)


def _verify_and_create_loss_metric(
    eval_metric_ops: dict[str, Any], loss: Any, strategy: Any = None
) -> dict[str, Any]:
    key = model_fn_lib.LOSS_METRIC_KEY
    if key in eval_metric_ops:
        raise ValueError(
            f'Metric with name "{key}" is not allowed, because Estimator already defines a default '
            "metric with the same name."
        )
    mean = find("metrics.mean")
    if strategy:
        eval_metric_ops[key] = strategy.extended.call_for_each_replica(mean, args=(loss,))
    else:
        eval_metric_ops[key] = mean(loss)
    return eval_metric_ops


def _load_global_step_from_checkpoint_dir(checkpoint_dir: str) -> int:
    """The step of the newest checkpoint; 0 if there is none that can be read."""
    try:
        path: Any = checkpoint_management.latest_checkpoint(checkpoint_dir)
        return int(checkpoint_utils.load_variable(path, ops.GraphKeys.GLOBAL_STEP))
    except Exception:
        return 0


def _extract_metric_update_ops(
    eval_dict: dict[str, Any], strategy: Any = None
) -> tuple[Any, dict[str, Any]]:
    """(what updates all metrics, {metric: its value})."""
    ordered = sorted(eval_dict.items())
    updates = [strategy.group(update) if strategy else update for _, (_, update) in ordered]
    update_op = control_flow_ops.group(*updates) if updates else None
    return update_op, {name: value for name, (value, _) in ordered}


def _copy_assets(folder: bytes, assets_extra: Any) -> None:
    """Copies files, {path: file}, into the folder "assets.extra" of a SavedModel."""
    for place, source in (assets_extra or {}).items():
        target = os.path.join(folder, b"assets.extra", compat.as_bytes(place))
        gfile.MakeDirs(os.path.dirname(target))
        gfile.Copy(source, target)


def _has_dataset_or_queue_runner(maybe_tensor: Any) -> Any:
    tensors = [x for x in nest.flatten(maybe_tensor) if isinstance(x, Tensor)]
    if any(t.op.type == "IteratorGetNext" for t in tensors):
        return True
    return ops.get_default_graph().get_collection(ops.GraphKeys.QUEUE_RUNNERS)
