"""An estimator of long sequences, a few steps at a time
(`tensorflow.contrib.learn.python.learn.estimators.state_saving_rnn_estimator`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.layers import dense, feature_column_ops, optimizers, target_column
from tf1compat.api.contrib.learn.estimators import (
    dynamic_rnn_estimator,
    estimator,
    model_fn,
    rnn_common,
)
from tf1compat.api.contrib.learn.estimators.constants import ProblemType
from tf1compat.api.contrib.learn.estimators.rnn_common import PredictionType, RNNKeys
from tf1compat.api.contrib.training import batch_sequences
from tf1compat.api.rnn import rnn_cell_impl, rnn_static
from tf1compat.api.training import momentum as momentum_opt
from tf1compat.core import dtypes, nest, ops
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import TensorLike

_get_state_name = dynamic_rnn_estimator._get_state_name
state_tuple_to_dict = dynamic_rnn_estimator.state_tuple_to_dict


def construct_state_saving_rnn(
    cell: Any, inputs: Any, num_label_columns: int, state_saver: Any, state_name: Any,
    scope: str = "rnn",
) -> tuple[Any, Any]:  # fmt: skip
    """A recurrent network whose state is kept between runs, with a linear layer.

    Args:
      cell: an `RNNCell`.
      inputs: a list of the steps, [batch, units] each.
      num_label_columns: the units of the linear layer.
      state_saver: has `state` and `save_state`.
      state_name: the names of the states in it, nested as the cell's.
      scope: the name of it all.

    Returns:
      The activations, [batch, steps, num_label_columns], and the last state.
    """
    with ops.name_scope(scope):
        outputs, state = rnn_static.static_state_saving_rnn(
            cell=cell, inputs=inputs, state_saver=state_saver, state_name=state_name, scope=scope
        )
        activations = dense.fully_connected(
            inputs=array_ops.stack(outputs, axis=1), num_outputs=num_label_columns,
            activation_fn=None, trainable=True,
        )  # fmt: skip
        return activations, array_ops.identity(state, name=RNNKeys.FINAL_STATE_KEY)


def _multi_value_loss(
    activations: Any, labels: Any, sequence_length: Any, target_column: Any, features: Any
) -> Any:
    """The loss of all steps that are there."""
    return dynamic_rnn_estimator._loss(
        PredictionType.MULTIPLE_VALUE, activations, labels, sequence_length, target_column, features
    )


def _get_name_or_parent_names(column: Any) -> list[str]:
    """The names of the features that a column is made of."""
    return [x.name for x in feature_column_ops._get_parent_columns(column) or [column]]


def _wanted(features: dict[str, Any], names: Iterable[str], kind: str) -> dict[str, Any]:
    found = {}
    for name in names:
        found[name] = features.get(name)
        if found[name] is None:
            raise ValueError(f"No key in features for {kind} feature: {name}")
    return found


def _prepare_features_for_sqss(
    features: dict[str, Any], labels: Any, mode: Any, sequence_feature_columns: Any,
    context_feature_columns: Any,
) -> tuple[dict[str, Any], dict[str, Any]]:  # fmt: skip
    """The features of steps, with the labels, and those of whole sequences.

    Raises:
      ValueError: one that a column needs is not there.
    """
    feature_column_ops._check_supported_sequence_columns(sequence_feature_columns)
    names = [x for column in sequence_feature_columns for x in _get_name_or_parent_names(column)]
    sequences = _wanted(features, names, "sequence")
    context = _wanted(features, [x.name for x in context_feature_columns or ()], "context")
    if mode != model_fn.ModeKeys.INFER:
        sequences[RNNKeys.LABELS_KEY] = labels
    return sequences, context


def _get_state_names(cell: Any) -> Any:
    """The names of a cell's states, nested as `static_state_saving_rnn` takes them.

    Raises:
      TypeError: the state is of a `TensorShape`.
    """
    sizes, prefix = cell.state_size, RNNKeys.STATE_PREFIX
    if isinstance(sizes, TensorShape):
        raise TypeError("cell.state_size of type TensorShape is not supported.")
    if isinstance(sizes, int):
        return f"{prefix}_0"
    if isinstance(sizes, rnn_cell_impl.LSTMStateTuple):
        return [f"{prefix}_0_c", f"{prefix}_0_h"]
    if isinstance(sizes[0], rnn_cell_impl.LSTMStateTuple):
        return [[f"{prefix}_{i}_c", f"{prefix}_{i}_h"] for i in range(len(sizes))]
    return [f"{prefix}_{i}" for i in range(len(sizes))]


def _get_initial_states(cell: Any) -> dict[str, Any]:
    """{name: the state at the beginning of a sequence}."""
    names = nest.flatten(_get_state_names(cell))
    zeros = nest.flatten(cell.zero_state(1, dtype=dtypes.float32))
    return {name: array_ops.squeeze(zero, axis=0) for name, zero in zip(names, zeros, strict=False)}


def _read_batch(
    cell: Any, features: dict[str, Any], labels: Any, mode: Any, num_unroll: int, batch_size: int,
    sequence_feature_columns: Any, context_feature_columns: Any = None, num_threads: int = 3,
    queue_capacity: int = 1000, seed: int | None = None,
) -> Any:  # fmt: skip
    """A batch of the next `num_unroll` steps of sequences, with the states that they begin with."""
    states = _get_initial_states(cell)
    sequences, context = _prepare_features_for_sqss(
        features, labels, mode, sequence_feature_columns, context_feature_columns
    )
    return batch_sequences.batch_sequences_with_states(
        input_key="key", input_sequences=sequences, input_context=context, input_length=None,
        initial_states=states, num_unroll=num_unroll, batch_size=batch_size, pad=True,
        make_keys_unique=True, make_keys_unique_seed=seed, num_threads=num_threads,
        capacity=queue_capacity,
    )  # fmt: skip


def _prepare_inputs_for_rnn(
    sequence_features: dict[str, Any], context_features: dict[str, Any] | None,
    sequence_feature_columns: Any, num_unroll: int,
) -> list[Any]:  # fmt: skip
    """The inputs of each step, [batch, units]; what a whole sequence has is in all."""
    for feature in sequence_features.values():
        if isinstance(feature, SparseTensor):
            feature.dense_shape.set_shape([3])
    steps = feature_column_ops.sequence_input_from_feature_columns(
        columns_to_tensors=sequence_features, feature_columns=sequence_feature_columns,
        weight_collections=None, scope=None,
    )  # fmt: skip
    steps.set_shape([None, num_unroll, None])
    if context_features:
        tiled = [
            array_ops.squeeze(
                array_ops.tile(
                    array_ops.expand_dims(context_features[name], 1), [1, num_unroll, 1]
                ),
                axis=2,
            )
            for name in sorted(context_features)
        ]
        steps = array_ops.concat([steps, array_ops.stack(tiled, 2)], axis=2)
    return array_ops.unstack(steps, axis=1)


def _get_rnn_model_fn(
    cell_type: Any, target_column: Any, problem_type: Any, optimizer: Any, num_unroll: int,
    num_units: Any, num_threads: int, queue_capacity: int, batch_size: int,
    sequence_feature_columns: Any, context_feature_columns: Any = None,
    predict_probabilities: bool = False, learning_rate: TensorLike | None = None,
    gradient_clipping_norm: Any = None, dropout_keep_probabilities: Any = None,
    name: str = "StateSavingRNNModel", seed: int | None = None,
) -> Callable[[Any, Any, Any], Any]:  # fmt: skip
    """The model function; see `StateSavingRnnEstimator`."""
    if problem_type not in (ProblemType.CLASSIFICATION, ProblemType.LINEAR_REGRESSION):
        raise ValueError(
            "problem_type must be ProblemType.LINEAR_REGRESSION or ProblemType.CLASSIFICATION; "
            f"got {problem_type}"
        )
    if problem_type != ProblemType.CLASSIFICATION and predict_probabilities:
        raise ValueError(
            "predict_probabilities can only be set to True for problem_type "
            f"ProblemType.CLASSIFICATION; got {problem_type}."
        )
    if num_unroll <= 0:
        raise ValueError(f"num_unroll must be positive; got {num_unroll}.")

    def build(features: Any, labels: Any, mode: Any) -> Any:
        is_training, is_inferring = mode == model_fn.ModeKeys.TRAIN, mode == model_fn.ModeKeys.INFER
        loss = metrics = train_op = None
        with ops.name_scope(name):
            dropout = dropout_keep_probabilities if is_training else None
            cell = rnn_common.construct_rnn_cell(num_units, cell_type, dropout)
            batch = _read_batch(
                cell, features, labels, mode, num_unroll, batch_size, sequence_feature_columns,
                context_feature_columns, num_threads, queue_capacity, seed,
            )  # fmt: skip
            sequences = batch.sequences
            if not is_inferring:
                labels = sequences.pop(RNNKeys.LABELS_KEY)
            inputs = _prepare_inputs_for_rnn(
                sequences, batch.context, sequence_feature_columns, num_unroll
            )
            activations, state = construct_state_saving_rnn(
                cell=cell, inputs=inputs, num_label_columns=target_column.num_label_columns,
                state_saver=batch, state_name=_get_state_names(cell),
            )  # fmt: skip
            predictions = rnn_common.multi_value_predictions(
                activations, target_column, problem_type, predict_probabilities
            )
            if not is_inferring:
                loss = _multi_value_loss(activations, labels, batch.length, target_column, features)
                metrics = rnn_common.get_eval_metric_ops(
                    problem_type, PredictionType.MULTIPLE_VALUE, batch.length, predictions, labels
                )
            predictions.update(state_tuple_to_dict(state))
            if is_training:
                train_op = optimizers.optimize_loss(
                    loss=loss, global_step=None, learning_rate=learning_rate, optimizer=optimizer,
                    clip_gradients=gradient_clipping_norm,
                    summaries=optimizers.OPTIMIZER_SUMMARIES,
                )  # fmt: skip
        return model_fn.ModelFnOps(
            mode=mode, predictions=predictions, loss=loss, train_op=train_op,
            eval_metric_ops=metrics,
        )  # fmt: skip

    return build


class StateSavingRnnEstimator(estimator.Estimator):
    """A recurrent network for a value of each step, unrolled over a few steps. Where a sequence is
    longer, its state is kept for its next run.

    Args:
      problem_type: `ProblemType.CLASSIFICATION` or `LINEAR_REGRESSION`.
      num_unroll: how many steps of a sequence are in a run.
      batch_size: how many sequences are.
      sequence_feature_columns: the columns of the steps.
      context_feature_columns: the columns of the whole sequences.
      num_classes: of a classification.
      num_units, cell_type, dropout_keep_probabilities: see `rnn_common.construct_rnn_cell`.
      optimizer_type: a name or an optimizer.
      learning_rate: of an optimizer by name.
      predict_probabilities: whether probabilities are predicted too.
      momentum: of the optimizer "Momentum".
      gradient_clipping_norm: the norm to which gradients are clipped.
      model_dir, config, feature_engineering_fn: see `Estimator`.
      num_threads, queue_capacity: of the queue of sequences.
      seed: of the keys that the sequences get.

    Raises:
      ValueError: an argument is wrong.
    """

    def __init__(
        self, problem_type: Any, num_unroll: int, batch_size: int, sequence_feature_columns: Any,
        context_feature_columns: Any = None, num_classes: int | None = None, num_units: Any = None,
        cell_type: Any = "basic_rnn", optimizer_type: Any = "SGD", learning_rate: TensorLike = 0.1,
        predict_probabilities: bool = False, momentum: Any = None,
        gradient_clipping_norm: Any = 5.0, dropout_keep_probabilities: Any = None,
        model_dir: str | None = None, config: Any = None,
        feature_engineering_fn: Callable[..., Any] | None = None, num_threads: int = 3,
        queue_capacity: int = 1000, seed: int | None = None,
    ):  # fmt: skip
        if problem_type == ProblemType.LINEAR_REGRESSION:
            kind, target = "Regressor", target_column.regression_target()
        elif problem_type == ProblemType.CLASSIFICATION:
            if not num_classes:
                raise ValueError("For CLASSIFICATION problem_type, num_classes must be specified.")
            kind, target = "Classifier", target_column.multi_class_target(n_classes=num_classes)
        else:
            raise ValueError(
                "problem_type must be either ProblemType.LINEAR_REGRESSION or "
                f"ProblemType.CLASSIFICATION; got {problem_type}"
            )
        if optimizer_type == "Momentum":
            optimizer_type = momentum_opt.MomentumOptimizer(learning_rate, momentum)
        model = _get_rnn_model_fn(
            cell_type, target, problem_type, optimizer_type, num_unroll, num_units, num_threads,
            queue_capacity, batch_size, sequence_feature_columns, context_feature_columns,
            predict_probabilities, learning_rate, gradient_clipping_norm,
            dropout_keep_probabilities, f"MultiValueStateSavingRNN{kind}", seed,
        )  # fmt: skip
        super().__init__(
            model_fn=model, model_dir=model_dir, config=config,
            feature_engineering_fn=feature_engineering_fn,
        )  # fmt: skip
