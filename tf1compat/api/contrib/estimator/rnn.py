"""Recurrent nets (`tensorflow_estimator.contrib.estimator.python.estimator.rnn`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.array import array_ops, gather_ops
from tf1compat.api.contrib.estimator.extenders import clip_gradients_by_norm
from tf1compat.api.contrib.feature_column import sequence_feature_column as sequences
from tf1compat.api.estimator import estimator
from tf1compat.api.estimator.canned import composition, optimizers
from tf1compat.api.estimator.canned import head as head_lib
from tf1compat.api.feature_column import feature_column
from tf1compat.api.layers import core
from tf1compat.api.losses import losses_impl as losses
from tf1compat.api.math import math_ops
from tf1compat.api.random import init_ops
from tf1compat.api.rnn import rnn, rnn_cell_impl
from tf1compat.api.summary import summary
from tf1compat.api.training import optimizer as optimizer_lib
from tf1compat.api.training import training_util
from tf1compat.api.variables import variable_scope
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export

_LEARNING_RATE, _CLIP_NORM = 0.05, 5.0
_CELLS = {
    "basic_rnn": rnn_cell_impl.BasicRNNCell,
    "lstm": rnn_cell_impl.BasicLSTMCell,
    "gru": rnn_cell_impl.GRUCell,
}

USE_DEFAULT = object()


def _cell_fn(rnn_cell_fn: Any, num_units: Any, cell_type: Any) -> Callable[[Any], Any]:
    """What makes the cell for a mode."""
    if rnn_cell_fn:
        if num_units or cell_type != USE_DEFAULT:
            raise ValueError("num_units and cell_type must not be specified when using rnn_cell_fn")
        return rnn_cell_fn
    cell_type = "basic_rnn" if cell_type == USE_DEFAULT else cell_type

    def make(mode: Any) -> Any:
        kind = _CELLS.get(cell_type, cell_type)
        cells = []
        for units in num_units:
            if not kind or not issubclass(kind, rnn_cell_impl.RNNCell):
                raise ValueError(f"Supported cell types are {list(_CELLS)}; got {kind}")
            cells.append(kind(num_units=units))
        return cells[0] if len(cells) == 1 else rnn_cell_impl.MultiRNNCell(cells)

    return make


def _last(activations: Any, lengths: Any) -> Any:
    """[batch, units] at the last step of each of [batch, time, units]."""
    with ops.name_scope("select_last_activations", values=[activations, lengths]):
        shape = array_ops.shape(activations)
        batch_size, time, units = shape[0], shape[1], shape[2]
        starts = math_ops.to_int64(math_ops.range(batch_size) * time)
        places = starts + (time if lengths is None else lengths) - 1
        rows = array_ops.reshape(activations, [batch_size * time, units])
        found = gather_ops.gather(rows, places)
        found.set_shape([activations.shape[0], activations.shape[2]])
        return found


def _logits(
    features: Any, mode: Any, units: int, rnn_cell_fn: Callable[[Any], Any],
    sequence_feature_columns: Any, context_feature_columns: Any, partitioner: Any,
    return_sequences: bool,
) -> tuple[Any, Any]:  # fmt: skip
    """The logits of a net, and which steps its sequences have."""
    if not isinstance(units, int):
        raise ValueError(f"output_units must be an int.  Given type: {type(units)}")
    with variable_scope.variable_scope(
        "sequence_input_layer", values=tuple(features.values()), partitioner=partitioner
    ):
        inputs, lengths = sequences.sequence_input_layer(
            features=features, feature_columns=sequence_feature_columns
        )
        summary.histogram("sequence_length", lengths)
        if context_feature_columns:
            context = feature_column.input_layer(
                features=features, feature_columns=context_feature_columns
            )
            inputs = sequences.concatenate_context_input(context, inputs)
    outputs, _ = rnn.dynamic_rnn(
        cell=rnn_cell_fn(mode), inputs=inputs, sequence_length=lengths, dtype=dtypes.float32
    )
    if not return_sequences:
        outputs = _last(outputs, lengths)
    with variable_scope.variable_scope("logits", values=(outputs,)):
        glorot = init_ops.glorot_uniform_initializer()
        logits = core.dense(outputs, units=units, activation=None, kernel_initializer=glorot)
    return logits, array_ops.sequence_mask(lengths)


def _rnn_model_fn(
    features: Any, labels: Any, mode: Any, head: Any, rnn_cell_fn: Callable[[Any], Any],
    sequence_feature_columns: Any, context_feature_columns: Any, return_sequences: bool = False,
    optimizer: Any = "Adagrad", input_layer_partitioner: Any = None, config: Any = None,
) -> Any:  # fmt: skip
    composition.check_features(features)
    if not isinstance(optimizer, optimizer_lib.Optimizer):
        optimizer = optimizers.get_optimizer_instance(optimizer, learning_rate=_LEARNING_RATE)
        optimizer = clip_gradients_by_norm(optimizer, _CLIP_NORM)
    with variable_scope.variable_scope(
        "rnn", values=tuple(features.values()), partitioner=composition.partitioner(config)
    ):
        logits, mask = _logits(
            features, mode, head.logits_dimension, rnn_cell_fn, sequence_feature_columns,
            context_feature_columns,
            input_layer_partitioner or composition.partitioner(config, of_input=True),
            return_sequences,
        )  # fmt: skip
        if return_sequences and head.input_sequence_mask_key not in features:
            features[head.input_sequence_mask_key] = mask
        return head.create_estimator_spec(
            features=features,
            mode=mode,
            labels=labels,
            train_op_fn=lambda loss: optimizer.minimize(
                loss, global_step=training_util.get_global_step()
            ),
            logits=logits,
        )


@tf_export("contrib.estimator.RNNEstimator")
class RNNEstimator(estimator.Estimator):
    """A recurrent net under any head.

    Args:
      head: what the logits mean.
      sequence_feature_columns: the columns that are sequences.
      context_feature_columns: dense columns that every step of a sequence is given.
      num_units: how many units each cell has, one on top of the other.
      cell_type: "basic_rnn" (default), "lstm", "gru", or a class of cells.
      rnn_cell_fn: instead of both, a function of the mode that makes the cell.
      return_sequences: whether there are logits for each step, and not for the last one alone.
      model_dir, config: see `Estimator`.
      optimizer: an optimizer, or what makes one, whose gradients are clipped to a norm of 5 then.
      input_layer_partitioner: splits the variables of the input layer.

    Raises:
      ValueError: `rnn_cell_fn` and what it stands for are given; `return_sequences` for a head that
        has no sequences.
    """

    def __init__(
        self, head: Any, sequence_feature_columns: Any, context_feature_columns: Any = None,
        num_units: Any = None, cell_type: Any = USE_DEFAULT, rnn_cell_fn: Any = None,
        return_sequences: bool = False, model_dir: str | None = None, optimizer: Any = "Adagrad",
        input_layer_partitioner: Any = None, config: Any = None,
    ):  # fmt: skip
        rnn_cell_fn = _cell_fn(rnn_cell_fn, num_units, cell_type)
        if return_sequences and not hasattr(head, "input_sequence_mask_key"):
            raise ValueError(
                "Provided head must be a `_SequentialHead` object when `return_sequences` is set "
                "to True."
            )
        model_fn = composition.model_fn_of(
            _rnn_model_fn, head=head, rnn_cell_fn=rnn_cell_fn,
            sequence_feature_columns=tuple(sequence_feature_columns or []),
            context_feature_columns=tuple(context_feature_columns or []),
            return_sequences=return_sequences, optimizer=optimizer,
            input_layer_partitioner=input_layer_partitioner,
        )  # fmt: skip
        super().__init__(model_fn, model_dir, config)


@tf_export("contrib.estimator.RNNClassifier")
class RNNClassifier(RNNEstimator):
    """A recurrent net that tells classes; see `RNNEstimator`.

    Args:
      n_classes: how many there are.
      weight_column: the weights of examples, or None.
      label_vocabulary: the classes' names, if labels are strings.
      loss_reduction: how the losses of examples become one.
    """

    def __init__(
        self, sequence_feature_columns: Any, context_feature_columns: Any = None,
        num_units: Any = None, cell_type: Any = USE_DEFAULT, rnn_cell_fn: Any = None,
        model_dir: str | None = None, n_classes: int = 2, weight_column: Any = None,
        label_vocabulary: Sequence[str] | None = None, optimizer: Any = "Adagrad",
        loss_reduction: Any = losses.Reduction.SUM_OVER_BATCH_SIZE,
        input_layer_partitioner: Any = None, config: Any = None,
    ):  # fmt: skip
        rnn_cell_fn = _cell_fn(rnn_cell_fn, num_units, cell_type)
        head = head_lib._binary_logistic_or_multi_class_head(
            n_classes, weight_column, label_vocabulary, loss_reduction
        )
        super().__init__(
            head, sequence_feature_columns, context_feature_columns, rnn_cell_fn=rnn_cell_fn,
            model_dir=model_dir, optimizer=optimizer,
            input_layer_partitioner=input_layer_partitioner, config=config,
        )  # fmt: skip
