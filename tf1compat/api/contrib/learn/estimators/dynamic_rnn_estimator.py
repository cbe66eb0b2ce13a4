"""Estimators of sequences
(`tensorflow.contrib.learn.python.learn.estimators.dynamic_rnn_estimator`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.contrib.layers import (
    dense,
    feature_column_ops,
    optimizers,
)
from tf1compat.api.contrib.layers import (
    target_column as target_column_lib,
)
from tf1compat.api.contrib.learn.estimators import estimator, model_fn, rnn_common
from tf1compat.api.contrib.learn.estimators.constants import ProblemType
from tf1compat.api.contrib.learn.estimators.prediction_key import PredictionKey
from tf1compat.api.contrib.learn.estimators.rnn_common import PredictionType, RNNKeys
from tf1compat.api.math import math_ops
from tf1compat.api.rnn import rnn
from tf1compat.api.training import momentum as momentum_opt
from tf1compat.core import dtypes, nest, ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Collections, DTypeLike, TensorLike


def _get_state_name(i: int) -> str:
    return f"{RNNKeys.STATE_PREFIX}_{i}"


def state_tuple_to_dict(state: Any) -> dict[str, Any]:
    """{name: a part of a cell's state}."""
    with ops.name_scope("state_tuple_to_dict"):
        parts = {_get_state_name(i): part for i, part in enumerate(nest.flatten(state))}
        return {
            name: None if part is None else array_ops.identity(part, name=name)
            for name, part in parts.items()
        }


def dict_to_state_tuple(input_dict: dict[str, Any], cell: Any) -> Any:
    """A cell's state of what `state_tuple_to_dict` gave; None if nothing is there.

    Raises:
      ValueError: some parts are there and others not.
    """
    sizes = nest.flatten(cell.state_size)
    parts = []
    with ops.name_scope("dict_to_state_tuple"):
        for i, size in enumerate(sizes):
            name = _get_state_name(i)
            part = input_dict.get(name)
            if part is None:
                continue
            checks = [
                check_ops.assert_rank(part, 2, name=f"check_state_{i}_rank"),
                check_ops.assert_equal(
                    array_ops.shape(part)[1], size, name=f"check_state_{i}_shape"
                ),
            ]
            with ops.control_dependencies(checks):
                parts.append(array_ops.identity(part, name=name))
        if not parts:
            return None
        if len(parts) != len(sizes):
            raise ValueError(
                "RNN state was partially specified.Expected zero or "
                f"{len(sizes)} state Tensors; got {len(parts)}"
            )
        return nest.pack_sequence_as(cell.zero_state(batch_size=1, dtype=dtypes.bool), parts)


def _concatenate_context_input(sequence_input: Any, context_input: Any) -> Any:
    """What every step of a sequence has, beside what its context has."""
    checks = []
    for name, tensor, rank in (
        ("sequence_input", sequence_input, 3), ("context_input", context_input, 2)
    ):  # fmt: skip
        checks += [
            check_ops.assert_rank(
                tensor, rank, message=f"{name} must have rank {rank}",
                data=[array_ops.shape(tensor)],
            ),
            check_ops.assert_type(
                tensor, dtypes.float32,
                message=f"{name} must have dtype float32; got {tensor.dtype}.",
            ),
        ]  # fmt: skip
    with ops.control_dependencies(checks):
        steps = array_ops.shape(sequence_input)[1]
        one_step = array_ops.expand_dims(context_input, 1)
        tiled = array_ops.tile(one_step, array_ops.concat([[1], [steps], [1]], 0))
    return array_ops.concat([sequence_input, tiled], 2)


def build_sequence_input(
    features: dict[Any, Any], sequence_feature_columns: Any, context_feature_columns: Any,
    weight_collections: Collections | None = None, scope: Any = None,
) -> Any:  # fmt: skip
    """The input of a recurrent network.

    Args:
      features: {name: a tensor}.
      sequence_feature_columns: the columns of the steps.
      context_feature_columns: the columns of the whole sequences, or None.
      weight_collections, scope: see `tf.contrib.layers.input_from_feature_columns`.

    Returns:
      [batch, steps, units].
    """
    columns = [*sequence_feature_columns, *(context_feature_columns or [])]
    features = {**features, **feature_column_ops.transform_features(features, columns)}
    given = {
        "columns_to_tensors": features, "weight_collections": weight_collections, "scope": scope
    }  # fmt: skip
    steps = feature_column_ops.sequence_input_from_feature_columns(
        feature_columns=sequence_feature_columns, **given
    )
    if context_feature_columns is None:
        return steps
    context = feature_column_ops.input_from_feature_columns(
        feature_columns=context_feature_columns, **given
    )
    return _concatenate_context_input(steps, context)


def construct_rnn(
    initial_state: Any, sequence_input: Any, cell: Any, num_label_columns: int,
    dtype: DTypeLike = dtypes.float32, parallel_iterations: Any = 32, swap_memory: bool = True,
) -> tuple[Any, Any]:  # fmt: skip
    """A recurrent network with a linear layer.

    Returns:
      The activations, [batch, steps, num_label_columns], and the last state.
    """
    with ops.name_scope("RNN"):
        outputs, state = rnn.dynamic_rnn(
            cell=cell, inputs=sequence_input, initial_state=initial_state, dtype=dtype,
            parallel_iterations=parallel_iterations, swap_memory=swap_memory, time_major=False,
        )  # fmt: skip
        activations = dense.fully_connected(
            inputs=outputs, num_outputs=num_label_columns, activation_fn=None, trainable=True
        )
        return activations, state


def _single_value_predictions(
    activations: Any, sequence_length: Any, target_column: Any, problem_type: Any,
    predict_probabilities: bool,
) -> dict[str, Any]:  # fmt: skip
    with ops.name_scope("SingleValuePrediction"):
        last = rnn_common.select_last_activations(activations, sequence_length)
        key = rnn_common.predictions_name(problem_type)
        if not predict_probabilities:
            return {key: target_column.logits_to_predictions(last, proba=False)}
        probabilities = target_column.logits_to_predictions(last, proba=True)
        return {
            PredictionKey.PROBABILITIES: probabilities, key: math_ops.argmax(probabilities, 1)
        }  # fmt: skip


def _loss(
    prediction_type: Any, activations: Any, labels: Any, sequence_length: Any, target_column: Any,
    features: Any,
) -> Any:  # fmt: skip
    if prediction_type == PredictionType.MULTIPLE_VALUE:
        with ops.name_scope("MultiValueLoss"):
            masked = rnn_common.mask_activations_and_labels(activations, labels, sequence_length)
            return target_column.loss(*masked, features)
    with ops.name_scope("SingleValueLoss"):
        last = rnn_common.select_last_activations(activations, sequence_length)
        return target_column.loss(last, labels, features)


def _check_types(problem_type: Any, prediction_type: Any, predict_probabilities: bool) -> None:
    if problem_type not in (ProblemType.CLASSIFICATION, ProblemType.LINEAR_REGRESSION):
        raise ValueError(
            "problem_type must be ProblemType.LINEAR_REGRESSION or ProblemType.CLASSIFICATION; "
            f"got {problem_type}"
        )
    if prediction_type not in (PredictionType.SINGLE_VALUE, PredictionType.MULTIPLE_VALUE):
        raise ValueError(
            "prediction_type must be PredictionType.MULTIPLE_VALUEs or "
            f"PredictionType.SINGLE_VALUE; got {prediction_type}"
        )
    if predict_probabilities and problem_type != ProblemType.CLASSIFICATION:
        raise ValueError(
            "predict_probabilities can only be set to True for problem_type "
            f"ProblemType.CLASSIFICATION; got {problem_type}."
        )


def _get_dynamic_rnn_model_fn(
    cell_type: Any, num_units: Any, target_column: Any, problem_type: Any, prediction_type: Any,
    optimizer: Any, sequence_feature_columns: Any, context_feature_columns: Any = None,
    predict_probabilities: bool = False, learning_rate: TensorLike | None = None,
    gradient_clipping_norm: Any = None, dropout_keep_probabilities: Any = None,
    sequence_length_key: str = RNNKeys.SEQUENCE_LENGTH_KEY, dtype: DTypeLike = dtypes.float32,
    parallel_iterations: int | None = None, swap_memory: bool = True, name: str = "DynamicRNNModel",
) -> Callable[[Any, Any, Any], Any]:  # fmt: skip
    _check_types(problem_type, prediction_type, predict_probabilities)
    has_one = prediction_type == PredictionType.SINGLE_VALUE

    def build(features: Any, labels: Any, mode: Any) -> Any:
        is_training = mode == model_fn.ModeKeys.TRAIN
        loss = metrics = train_op = None
        with ops.name_scope(name):
            lengths = features.get(sequence_length_key)
            inputs = build_sequence_input(
                features, sequence_feature_columns, context_feature_columns
            )
            dropout = dropout_keep_probabilities if is_training else None
            cell = rnn_common.construct_rnn_cell(num_units, cell_type, dropout)
            activations, state = construct_rnn(
                dict_to_state_tuple(features, cell), inputs, cell,
                target_column.num_label_columns, dtype=dtype,
                parallel_iterations=parallel_iterations, swap_memory=swap_memory,
            )  # fmt: skip
            if has_one:
                predictions = _single_value_predictions(
                    activations, lengths, target_column, problem_type, predict_probabilities
                )
            else:
                predictions = rnn_common.multi_value_predictions(
                    activations, target_column, problem_type, predict_probabilities
                )
            if mode != model_fn.ModeKeys.INFER:
                loss = _loss(prediction_type, activations, labels, lengths, target_column, features)
            shown = dict(predictions)
            predictions.update(state_tuple_to_dict(state))
            if mode != model_fn.ModeKeys.INFER:
                metrics = rnn_common.get_eval_metric_ops(
                    problem_type, prediction_type, lengths, predictions, labels
                )
            if is_training:
                train_op = optimizers.optimize_loss(
                    loss=loss, global_step=None, learning_rate=learning_rate, optimizer=optimizer,
                    clip_gradients=gradient_clipping_norm,
                    summaries=optimizers.OPTIMIZER_SUMMARIES,
                )  # fmt: skip
        outputs = {"dynamic_rnn_output": (problem_type, shown)} if has_one else None
        return model_fn.ModelFnOps(
            mode=mode, predictions=predictions, loss=loss, train_op=train_op,
            eval_metric_ops=metrics, output_alternatives=outputs,
        )  # fmt: skip

    return build


@tf_export("contrib.learn.DynamicRnnEstimator")
class DynamicRnnEstimator(estimator.Estimator):
    """A recurrent network, for a value of each sequence or of each step.

    Args:
      problem_type: `ProblemType.CLASSIFICATION` or `LINEAR_REGRESSION`.
      prediction_type: `rnn_common.PredictionType`.
      sequence_feature_columns: the columns of the steps.
      context_feature_columns: the columns of the whole sequences.
      num_classes: of a classification.
      num_units, cell_type, dropout_keep_probabilities: see `rnn_common.construct_rnn_cell`.
      optimizer: a name or an optimizer.
      learning_rate: of an optimizer by name.
      predict_probabilities: whether probabilities are predicted too.
      momentum: of the optimizer "Momentum".
      gradient_clipping_norm: the norm to which gradients are clipped.
      model_dir, feature_engineering_fn, config: see `Estimator`.

    Raises:
      ValueError: an argument is wrong.
    """

    def __init__(
        self, problem_type: Any, prediction_type: Any, sequence_feature_columns: Any,
        context_feature_columns: Any = None, num_classes: int | None = None, num_units: Any = None,
        cell_type: Any = "basic_rnn", optimizer: Any = "SGD", learning_rate: TensorLike = 0.1,
        predict_probabilities: bool = False, momentum: Any = None,
        gradient_clipping_norm: Any = 5.0, dropout_keep_probabilities: Any = None,
        model_dir: str | None = None, feature_engineering_fn: Callable[..., Any] | None = None,
        config: Any = None,
    ):  # fmt: skip
        names = {
            PredictionType.MULTIPLE_VALUE: "MultiValueDynamicRNN",
            PredictionType.SINGLE_VALUE: "SingleValueDynamicRNN",
        }
        if prediction_type not in names:
            raise ValueError(
                "prediction_type must be one of PredictionType.MULTIPLE_VALUE or "
                f"PredictionType.SINGLE_VALUE; got {prediction_type}"
            )
        if problem_type == ProblemType.LINEAR_REGRESSION:
            kind, target = "Regressor", target_column_lib.regression_target()
        elif problem_type == ProblemType.CLASSIFICATION:
            if not num_classes:
                raise ValueError("For CLASSIFICATION problem_type, num_classes must be specified.")
            kind = "Classifier"
            target = target_column_lib.multi_class_target(n_classes=num_classes)
        else:
            raise ValueError(
                "problem_type must be either ProblemType.LINEAR_REGRESSION or "
                f"ProblemType.CLASSIFICATION; got {problem_type}"
            )
        if optimizer == "Momentum":
            optimizer = momentum_opt.MomentumOptimizer(learning_rate, momentum)
        model = _get_dynamic_rnn_model_fn(
            cell_type=cell_type, num_units=num_units, target_column=target,
            problem_type=problem_type, prediction_type=prediction_type, optimizer=optimizer,
            sequence_feature_columns=sequence_feature_columns,
            context_feature_columns=context_feature_columns,
            predict_probabilities=predict_probabilities, learning_rate=learning_rate,
            gradient_clipping_norm=gradient_clipping_norm,
            dropout_keep_probabilities=dropout_keep_probabilities,
            name=names[prediction_type] + kind,
        )  # fmt: skip
        super().__init__(
            model_fn=model, model_dir=model_dir, config=config,
            feature_engineering_fn=feature_engineering_fn,
        )  # fmt: skip
