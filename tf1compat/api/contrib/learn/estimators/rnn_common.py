"""What recurrent estimators share
(`tensorflow.contrib.learn.python.learn.estimators.rnn_common`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.learn.estimators.constants import ProblemType
from tf1compat.api.contrib.learn.estimators.prediction_key import PredictionKey
from tf1compat.api.math import math_ops
from tf1compat.api.rnn import rnn_cell_impl
from tf1compat.core import ops
from tf1compat.core.export import find


class RNNKeys:
    """The names of features and predictions."""

    FINAL_STATE_KEY = "final_state"
    LABELS_KEY = "__labels__"
    SEQUENCE_LENGTH_KEY = "sequence_length"
    STATE_PREFIX = "rnn_cell_state"


class PredictionType:
    """Whether there is a prediction for a sequence, or for each of its steps."""

    SINGLE_VALUE = 1
    MULTIPLE_VALUE = 2


_CELL_TYPES = {
    "basic_rnn": rnn_cell_impl.BasicRNNCell,
    "lstm": rnn_cell_impl.LSTMCell,
    "gru": rnn_cell_impl.GRUCell,
}


def _get_single_cell(cell_type: Any, num_units: int) -> Any:
    cell_type = _CELL_TYPES.get(cell_type, cell_type)
    if not cell_type or not issubclass(cell_type, rnn_cell_impl.RNNCell):
        raise ValueError(f"The supported cell types are {list(_CELL_TYPES)}; got {cell_type}")
    return cell_type(num_units=num_units)


def construct_rnn_cell(
    num_units: int, cell_type: Any = "basic_rnn", dropout_keep_probabilities: Any = None
) -> Any:
    """A cell.

    Args:
      num_units: the units of a layer, or a list of those of several.
      cell_type: "basic_rnn", "lstm", "gru", or a class.
      dropout_keep_probabilities: see `apply_dropout`.

    Raises:
      ValueError: there is no such cell, or there are too few probabilities.
    """
    sizes = num_units if isinstance(num_units, list | tuple) else (num_units,)
    cells = [_get_single_cell(cell_type, size) for size in sizes]
    if dropout_keep_probabilities:
        cells = apply_dropout(cells, dropout_keep_probabilities)
    return cells[0] if len(cells) == 1 else rnn_cell_impl.MultiRNNCell(cells)


def apply_dropout(
    cells: list[Any], dropout_keep_probabilities: Any, random_seed: Any = None
) -> list[Any]:
    """Cells with dropout of their inputs, and of the last one's outputs.

    Args:
      cells: the cells.
      dropout_keep_probabilities: what is kept of each cell's input, and of the output.
      random_seed: of all but the last.

    Raises:
      ValueError: there is another number of probabilities.
    """
    if len(dropout_keep_probabilities) != len(cells) + 1:
        raise ValueError(
            "The number of dropout probabilities must be one greater than the number of cells. Got "
            f"{len(cells)} cells and {len(dropout_keep_probabilities)} dropout probabilities."
        )
    wrapper = rnn_cell_impl.DropoutWrapper
    *inputs, last, output = dropout_keep_probabilities
    return [
        *(wrapper(cell, p, 1.0, seed=random_seed) for cell, p in zip(cells, inputs, strict=False)),
        wrapper(cells[-1], last, output),
    ]


def get_eval_metric_ops(
    problem_type: Any, prediction_type: Any, sequence_length: Any,
    prediction_dict: dict[str, Any], labels: Any,
) -> dict[str, Any]:  # fmt: skip
    """The accuracy of a classification; nothing else has metrics."""
    if problem_type != ProblemType.CLASSIFICATION:
        return {}
    classes = prediction_dict[PredictionKey.CLASSES]
    if prediction_type == PredictionType.MULTIPLE_VALUE:
        classes, labels = mask_activations_and_labels(classes, labels, sequence_length)
    accuracy = find("contrib.metrics.streaming_accuracy")
    return {"accuracy": accuracy(predictions=classes, labels=labels)}


def select_last_activations(activations: Any, sequence_lengths: Any) -> Any:
    """The activations at each sequence's last step.

    Args:
      activations: [batch, steps, units].
      sequence_lengths: [batch] ints; None if all are as long as the steps.

    Returns:
      [batch, units].
    """
    with ops.name_scope("select_last_activations", values=[activations, sequence_lengths]):
        shape = array_ops.shape(activations)
        batch, steps, units = (shape[i] for i in range(3))
        rows = array_ops.reshape(activations, [-1, units])
        first = math_ops.range(batch) * steps
        places = first + (steps if sequence_lengths is None else sequence_lengths) - 1
        last = array_ops.gather(rows, places)
        static = activations.get_shape()
        last.set_shape([static[0], static[2]])
        return last


def mask_activations_and_labels(
    activations: Any, labels: Any, sequence_lengths: Any
) -> tuple[Any, Any]:
    """The activations and labels of the steps that are meant.

    Args:
      activations: [batch, steps, …].
      labels: [batch, steps].
      sequence_lengths: [batch] ints; None if all are as long as the steps.

    Returns:
      [steps of all sequences, …], and [steps of all sequences].
    """
    with ops.name_scope(
        "mask_activations_and_labels", values=[activations, labels, sequence_lengths]
    ):
        shape = array_ops.shape(labels)
        batch, steps = shape[0], shape[1]
        if sequence_lengths is None:
            total = steps * batch
            flat = array_ops.reshape(activations, [total, -1])
            return flat, array_ops.reshape(labels, [total])
        mask = array_ops.sequence_mask(sequence_lengths, steps)
        return array_ops.boolean_mask(activations, mask), array_ops.boolean_mask(labels, mask)


def predictions_name(problem_type: Any) -> str:
    """The key of predictions."""
    is_classes = problem_type == ProblemType.CLASSIFICATION
    return PredictionKey.CLASSES if is_classes else PredictionKey.SCORES


def multi_value_predictions(
    activations: Any, target_column: Any, problem_type: Any, predict_probabilities: bool
) -> dict[str, Any]:
    """The predictions of each step.

    Args:
      activations: [batch, steps, units].
      target_column: what the activations mean.
      problem_type: a `ProblemType`.
      predict_probabilities: whether there are probabilities too.
    """
    with ops.name_scope("MultiValuePrediction"):
        shape = array_ops.shape(activations)
        rows = array_ops.reshape(activations, [-1, shape[2]])
        found = {}
        if predict_probabilities:
            flat = target_column.logits_to_predictions(rows, proba=True)
            values = math_ops.argmax(flat, 1)
            whole = shape
            if target_column.num_label_columns == 1:
                whole = array_ops.concat([shape[:2], [2]], 0)
            key = PredictionKey.PROBABILITIES
            found[key] = array_ops.reshape(flat, whole, name=key)
        else:
            values = target_column.logits_to_predictions(rows, proba=False)
        key = predictions_name(problem_type)
        found[key] = array_ops.reshape(values, [shape[0], shape[1]], name=key)
        return found
