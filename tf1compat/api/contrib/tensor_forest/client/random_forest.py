"""Estimators that train random forests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.array.slicing import slice as slice_op
from tf1compat.api.contrib.estimator import head as core_head_lib
from tf1compat.api.contrib.layers.feature_column_ops import transform_features
from tf1compat.api.contrib.learn.estimators import constants, estimator
from tf1compat.api.contrib.learn.estimators import head as head_lib
from tf1compat.api.contrib.learn.estimators import model_fn as model_fn_lib
from tf1compat.api.contrib.tensor_forest import tensor_forest
from tf1compat.api.contrib.tensor_forest.client import eval_metrics
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.estimator import estimator as core_estimator
from tf1compat.api.estimator.export.export_output import PredictOutput
from tf1compat.api.feature_column import feature_column as fc_core
from tf1compat.api.losses.losses_impl import Reduction
from tf1compat.api.math import math_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.summary import summary
from tf1compat.api.training import session_run_hook, training_util
from tf1compat.api.variables import state_ops, variable_scope
from tf1compat.core import ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.session_interface import SessionInterface
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.typing import Name

KEYS_NAME = "keys"
LOSS_NAME = "rf_training_loss"
TREE_PATHS_PREDICTION_KEY = "tree_paths"
VARIANCE_PREDICTION_KEY = "prediction_variance"
ALL_SERVING_KEY = "tensorforest_all"
EPSILON = 0.000001

_CLIENT = "contrib.tensor_forest.client.random_forest"
_Graphs = tensor_forest.RandomForestGraphs


@tf_export(f"{_CLIENT}.ModelBuilderOutputType")
class ModelBuilderOutputType:
    """What a model function gives: that of contrib.learn's estimators, or of `tf.estimator`."""

    MODEL_FN_OPS = 0
    ESTIMATOR_SPEC = 1


@tf_export(f"{_CLIENT}.TensorForestRunOpAtEndHook")
class TensorForestRunOpAtEndHook(session_run_hook.SessionRunHook):
    """Runs operations before the session is closed.

    Args:
      op_dict: name -> operation, run in the order of the names, which are logged.
    """

    def __init__(self, op_dict: Mapping[str, Any]):
        self._ops = op_dict

    def end(self, session: SessionInterface) -> None:
        """Runs them."""
        for name in sorted(self._ops):
            logging.info(f"{name}: {session.run(self._ops[name])}")


@tf_export(f"{_CLIENT}.TensorForestLossHook")
class TensorForestLossHook(session_run_hook.SessionRunHook):
    """Ends training when the loss no longer falls.

    Args:
      early_stopping_rounds: for how many steps it may not.
      early_stopping_loss_threshold: by which part of the least loss it must fall.
      loss_op: the loss; by default the output of the operation `rf_training_loss`.
    """

    def __init__(
        self, early_stopping_rounds: int, early_stopping_loss_threshold: Any = None,
        loss_op: Any = None,
    ):  # fmt: skip
        self.early_stopping_rounds = early_stopping_rounds
        self.early_stopping_loss_threshold = early_stopping_loss_threshold
        self.loss_op = loss_op
        self.min_loss: Any = None
        self.last_step = -1
        self.steps = 0  # Without a lower loss.

    def before_run(self, run_context: Any) -> Any:
        """Asks for the global step and the loss."""
        loss = self.loss_op
        if loss is None:
            loss = run_context.session.graph.get_operation_by_name(LOSS_NAME).outputs[0]
        step = training_util.get_global_step()
        return session_run_hook.SessionRunArgs({"global_step": step, "current_loss": loss})

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Counts the steps."""
        loss, step = (run_values.results[key] for key in ("current_loss", "global_step"))
        self.steps += 1
        if self.last_step == -1 or self.last_step > step:  # The first step, or begun again.
            logging.info("TensorForestLossHook resetting last_step.")
            self.last_step, self.steps, self.min_loss = step, 0, None
            return
        self.last_step = step
        least = self.min_loss
        if least is None or loss < least - least * self.early_stopping_loss_threshold:
            self.min_loss, self.steps = loss, 0
        if self.steps > self.early_stopping_rounds:
            logging.info("TensorForestLossHook requesting stop.")
            run_context.request_stop()


def _get_default_head(params: Any, weights_name: Any, output_type: int, name: Name = None) -> Any:
    """The head for regression or for the number of classes."""
    if output_type == ModelBuilderOutputType.MODEL_FN_OPS:
        given = {
            "weight_column_name": weights_name, "enable_centered_bias": False, "head_name": name,
        }  # fmt: skip
        if params.regression:
            return head_lib.regression_head(label_dimension=params.num_outputs, **given)
        return head_lib.multi_class_head(params.num_classes, **given)
    given = {
        "weight_column": weights_name, "name": name,
        "loss_reduction": Reduction.SUM_OVER_BATCH_SIZE,
    }  # fmt: skip
    if params.regression:
        return core_head_lib.regression_head(label_dimension=params.num_outputs, **given)
    if params.num_classes == 2:
        return core_head_lib.binary_classification_head(**given)
    return core_head_lib.multi_class_head(n_classes=params.num_classes, **given)


def _transformed(features: Any, feature_columns: Any, output_type: int) -> dict[Any, Any]:
    """Features together with what feature columns make of them."""
    features = features.copy()
    if output_type == ModelBuilderOutputType.MODEL_FN_OPS:
        features.update(transform_features(features, feature_columns))
    else:
        for column in feature_columns:
            features[column.name] = fc_core._transform_features(features, [column])[column]
    return features


def _as_logits(probabilities: Any) -> Any:
    """The logit of the second of two classes; finite where its probability is 0 or 1."""
    second = slice_op(probabilities, [0, 1], [-1, 1])
    odds = second / math_ops.maximum(1.0 - second, EPSILON)
    return math_ops.log(math_ops.maximum(odds, EPSILON))


@tf_export(f"{_CLIENT}.get_model_fn")
def get_model_fn(
    params: Any, graph_builder_class: Any, device_assigner: Any, feature_columns: Any = None,
    weights_name: Any = None, model_head: Any = None, keys_name: Any = None,
    early_stopping_rounds: Any = 100, early_stopping_loss_threshold: Any = 0.001,
    num_trainers: int = 1, trainer_id: int = 0, report_feature_importances: bool = False,
    local_eval: bool = False, head_scope: Any = None, include_all_in_serving: bool = False,
    output_type: int = ModelBuilderOutputType.MODEL_FN_OPS,
) -> Callable[..., Any]:  # fmt: skip
    """The model function of an estimator.

    Args:
      params: a `ForestHParams` that is filled in.
      graph_builder_class: makes the graphs, as `RandomForestGraphs` does.
      device_assigner: puts the trees on devices.
      feature_columns: what makes features of the input.
      weights_name, keys_name: the features that are the examples' weights, and what goes with the
        predictions.
      model_head: by default one for regression or classes.
      early_stopping_rounds, early_stopping_loss_threshold: see `TensorForestLossHook`.
      num_trainers, trainer_id: see `RandomForestGraphs.training_graph`.
      report_feature_importances: whether they are logged at the end.
      local_eval: whether trees are evaluated where they happen to be.
      head_scope: the variable scope of the head.
      include_all_in_serving: whether all predictions are exported.
      output_type: one of `ModelBuilderOutputType`.

    Returns:
      The model function; what it gives is of the kind that `output_type` names.
    """
    of_learn = output_type == ModelBuilderOutputType.MODEL_FN_OPS
    if model_head is None:
        model_head = _get_default_head(params, weights_name, output_type)

    def _model_fn(features: Any, labels: Any, mode: Any) -> Any:
        if isinstance(features, ops.Tensor | SparseTensor):
            features = {"features": features}
        if feature_columns:
            features = _transformed(features, feature_columns, output_type)
        weights = features.pop(weights_name, None) if weights_name else None
        keys = features.pop(keys_name, None) if keys_name else None
        Modes = model_fn_lib.ModeKeys
        anywhere = mode == Modes.INFER or (local_eval and mode == Modes.EVAL)
        graphs = graph_builder_class(params, device_assigner=None if anywhere else device_assigner)
        logits, tree_paths, variance = graphs.inference_graph(features)
        summary.scalar("average_tree_size", graphs.average_size())
        if not params.regression and params.num_classes == 2:
            logits = _as_logits(logits)
        step: Any = None
        if labels is not None and mode == Modes.TRAIN:
            with ops.control_dependencies([logits.op]):
                trained = graphs.training_graph(
                    features, labels, input_weights=weights, num_trainers=num_trainers,
                    trainer_id=trainer_id,
                )  # fmt: skip
                counted = state_ops.assign_add(training_util.get_global_step(), 1)
                step = control_flow_ops.group(trained, counted)
        if weights is not None:
            features[weights_name] = weights
        # Run in the order of their names.
        handles = graphs.get_all_resource_handles()
        at_end = {
            "9: clean up resources": control_flow_ops.group(
                *[raw_ops.DestroyResourceOp(handle) for handle in handles]
            )
        }
        if report_feature_importances:
            at_end["1: feature_importances"] = graphs.feature_importances()
        hooks: list[Any] = [TensorForestRunOpAtEndHook(at_end)]
        given = {
            "features": features, "labels": labels, "mode": mode, "logits": logits,
            "train_op_fn": lambda unused_loss: step,
        }  # fmt: skip
        if of_learn:
            spec = model_head.create_model_fn_ops(scope=head_scope, **given)
        else:
            spec = model_head.create_estimator_spec(**given)
        if early_stopping_rounds:
            hooks.append(
                TensorForestLossHook(
                    early_stopping_rounds,
                    loss_op=spec.loss,
                    early_stopping_loss_threshold=early_stopping_loss_threshold,
                )
            )
        if of_learn:
            spec.training_hooks.extend(hooks)
        else:
            spec = spec._replace(training_hooks=hooks + list(spec.training_hooks))
        if keys is not None:
            spec.predictions[keys_name] = keys
        if params.inference_tree_paths:
            spec.predictions[TREE_PATHS_PREDICTION_KEY] = tree_paths
        spec.predictions[VARIANCE_PREDICTION_KEY] = variance
        if include_all_in_serving:
            spec = _with_all_in_serving(spec, of_learn)
        return spec

    return _model_fn


def _with_all_in_serving(spec: Any, of_learn: bool) -> Any:
    """What a model function gives, all predictions among what is exported."""
    if not of_learn:
        everything = {ALL_SERVING_KEY: PredictOutput(spec.predictions)}
        return spec._replace(export_outputs=everything)
    if not spec.output_alternatives:
        spec.output_alternatives = {}
    everything = constants.ProblemType.UNSPECIFIED, spec.predictions
    spec.output_alternatives[ALL_SERVING_KEY] = everything
    return spec


@tf_export(f"{_CLIENT}.TensorForestEstimator")
class TensorForestEstimator(estimator.Estimator):
    """An estimator of contrib.learn that trains a random forest.

    Args: see `CoreTensorForestEstimator`.
      feature_engineering_fn: a function of features and labels that makes others of them.
    """

    def __init__(
        self, params: Any, device_assigner: Any = None, model_dir: str | None = None,
        feature_columns: Any = None, graph_builder_class: Any = _Graphs, config: Any = None,
        weight_column: Any = None, keys_column: Any = None, feature_engineering_fn: Callable[...,
        Any] | None = None,
        early_stopping_rounds: Any = 100, early_stopping_loss_threshold: Any = 0.001,
        num_trainers: int = 1, trainer_id: int = 0, report_feature_importances: bool = False,
        local_eval: bool = False, version: Any = None, head: Any = None,
        include_all_in_serving: bool = False,
    ):  # fmt: skip
        if num_trainers == 1 and config is not None:
            num_trainers = max(1, config.num_worker_replicas)
        model_fn = get_model_fn(
            params.fill(), graph_builder_class, device_assigner, feature_columns=feature_columns,
            model_head=head, weights_name=weight_column, keys_name=keys_column,
            early_stopping_rounds=early_stopping_rounds,
            early_stopping_loss_threshold=early_stopping_loss_threshold,
            num_trainers=num_trainers, trainer_id=trainer_id,
            report_feature_importances=report_feature_importances, local_eval=local_eval,
            include_all_in_serving=include_all_in_serving,
        )  # fmt: skip
        super().__init__(
            model_fn=model_fn, model_dir=model_dir, config=config,
            feature_engineering_fn=feature_engineering_fn,
        )  # fmt: skip


@tf_export(f"{_CLIENT}.get_combined_model_fn")
def get_combined_model_fn(model_fns: Sequence[Callable[..., Any]]) -> Callable[..., Any]:
    """A model function of several forests, each for one column of the labels [examples, forests].

    Losses are averaged; probabilities are put side by side, and classes are [examples, forests].

    Args:
      model_fns: model functions, as of `get_model_fn`.

    Returns:
      A model function.
    """

    def _model_fn(features: Any, labels: Any, mode: Any) -> Any:
        parts = []
        for i, model_fn in enumerate(model_fns):
            with variable_scope.variable_scope(f"label_{i}"):
                column = slice_op(labels, [0, i], [-1, 1])
                parts.append(model_fn(features, column, mode))
        Modes = model_fn_lib.ModeKeys
        predictions, loss, train_op = {}, None, None
        if mode in (Modes.EVAL, Modes.INFER):
            probabilities, classes = (
                [part.predictions[key] for part in parts]
                for key in (eval_metrics.INFERENCE_PROB_NAME, eval_metrics.INFERENCE_PRED_NAME)
            )
            predictions[eval_metrics.INFERENCE_PROB_NAME] = array_ops.concat(probabilities, axis=1)
            predictions[eval_metrics.INFERENCE_PRED_NAME] = array_ops.stack(classes, axis=1)
        if mode in (Modes.EVAL, Modes.TRAIN):
            losses = array_ops.stack([part.loss for part in parts])
            loss = math_ops.reduce_sum(losses) / len(parts)
        if mode == Modes.TRAIN:
            train_op = control_flow_ops.group(*[part.train_op for part in parts])
        return model_fn_lib.ModelFnOps(
            mode=mode, predictions=predictions, loss=loss, train_op=train_op, scaffold=None,
            training_hooks=[hook for part in parts for hook in part.training_hooks],
            output_alternatives=None,
        )  # fmt: skip

    return _model_fn


@tf_export(f"{_CLIENT}.MultiForestMultiHeadEstimator")
class MultiForestMultiHeadEstimator(estimator.Estimator):
    """An estimator of contrib.learn that trains a forest for each column of the labels.

    Args: see `CoreTensorForestEstimator`.
      params_list: a `ForestHParams` for each column.
      feature_engineering_fn: a function of features and labels that makes others of them.
    """

    def __init__(
        self, params_list: Sequence[Any], device_assigner: Any = None, model_dir: str | None = None,
        feature_columns: Any = None, graph_builder_class: Any = _Graphs, config: Any = None,
        weight_column: Any = None, keys_column: Any = None, feature_engineering_fn: Callable[...,
        Any] | None = None,
        early_stopping_rounds: Any = 100, num_trainers: int = 1, trainer_id: int = 0,
        report_feature_importances: bool = False, local_eval: bool = False,
    ):  # fmt: skip
        if num_trainers == 1 and config is not None:
            num_trainers = max(1, config.num_worker_replicas)
        model_fns = []
        for i, params in enumerate(params_list):
            head = _get_default_head(
                params.fill(), weight_column, ModelBuilderOutputType.MODEL_FN_OPS, name=f"head{i}"
            )
            model_fns.append(
                get_model_fn(
                    params,
                    graph_builder_class,
                    device_assigner,
                    model_head=head,
                    weights_name=weight_column,
                    keys_name=keys_column,
                    early_stopping_rounds=early_stopping_rounds,
                    num_trainers=num_trainers,
                    trainer_id=trainer_id,
                    report_feature_importances=report_feature_importances,
                    local_eval=local_eval,
                    head_scope=f"output{i}",
                )
            )
        super().__init__(
            model_fn=get_combined_model_fn(model_fns), model_dir=model_dir, config=config,
            feature_engineering_fn=feature_engineering_fn,
        )  # fmt: skip


@tf_export(f"{_CLIENT}.CoreTensorForestEstimator")
class CoreTensorForestEstimator(core_estimator.Estimator):
    """A `tf.estimator.Estimator` that trains a random forest.

    Args:
      params: a `ForestHParams`.
      device_assigner: puts the trees on devices.
      model_dir: where checkpoints are kept.
      feature_columns: what makes features of the input.
      graph_builder_class: makes the graphs, as `RandomForestGraphs` does.
      config: a `RunConfig`.
      weight_column, keys_column: the features that are the examples' weights, and what goes with
        the predictions.
      feature_engineering_fn: not used, as in TensorFlow.
      early_stopping_rounds, early_stopping_loss_threshold: see `TensorForestLossHook`; there is
        none for a falsy value of the first.
      num_trainers, trainer_id: see `RandomForestGraphs.training_graph`.
      report_feature_importances: whether they are logged at the end.
      local_eval: whether trees are evaluated where they happen to be.
      version: not used, as in TensorFlow.
      head: by default one for regression or classes.
      include_all_in_serving: whether all predictions are exported.
    """

    def __init__(
        self, params: Any, device_assigner: Any = None, model_dir: str | None = None,
        feature_columns: Any = None, graph_builder_class: Any = _Graphs, config: Any = None,
        weight_column: Any = None, keys_column: Any = None, feature_engineering_fn: Callable[...,
        Any] | None = None,
        early_stopping_rounds: Any = 100, early_stopping_loss_threshold: Any = 0.001,
        num_trainers: int = 1, trainer_id: int = 0, report_feature_importances: bool = False,
        local_eval: bool = False, version: Any = None, head: Any = None,
        include_all_in_serving: bool = False,
    ):  # fmt: skip
        if config is not None:
            if num_trainers == 1:
                num_trainers = max(1, config.num_worker_replicas)
            trainer_id = trainer_id or config.global_id_in_cluster
        model_fn = get_model_fn(
            params.fill(), graph_builder_class, device_assigner, feature_columns=feature_columns,
            model_head=head, weights_name=weight_column, keys_name=keys_column,
            early_stopping_rounds=early_stopping_rounds,
            early_stopping_loss_threshold=early_stopping_loss_threshold,
            num_trainers=num_trainers, trainer_id=trainer_id,
            report_feature_importances=report_feature_importances, local_eval=local_eval,
            include_all_in_serving=include_all_in_serving,
            output_type=ModelBuilderOutputType.ESTIMATOR_SPEC,
        )  # fmt: skip
        super().__init__(model_fn=model_fn, model_dir=model_dir, config=config)
