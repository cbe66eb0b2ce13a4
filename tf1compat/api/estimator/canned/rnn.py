"""Recurrent nets of Keras layers (`tensorflow_estimator.python.estimator.canned.rnn`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.estimator import estimator
from tf1compat.api.estimator.canned import composition, optimizers
from tf1compat.api.estimator.head import head_utils, sequential_head
from tf1compat.api.estimator.mode_keys import ModeKeys
from tf1compat.api.feature_column import feature_layers, serialization
from tf1compat.api.feature_column import sequence_feature_column as sfc
from tf1compat.api.keras import activations
from tf1compat.api.keras.engine import training
from tf1compat.api.keras.layers import core, recurrent, recurrent_base, recurrent_v2
from tf1compat.api.keras.layers import serialization as layers
from tf1compat.api.keras.utils.losses_utils import ReductionV2
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.summary import summary
from tf1compat.api.training import training_util
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor

_DEFAULT_LEARNING_RATE = 0.05
_DEFAULT_CLIP_NORM = 5.0

_SIMPLE_RNN_KEY = "simple_rnn"
_LSTM_KEY = "lstm"
_GRU_KEY = "gru"

_CELL_TYPE_TO_LAYER_MAPPING = {
    _LSTM_KEY: recurrent_v2.LSTM,
    _GRU_KEY: recurrent_v2.GRU,
    _SIMPLE_RNN_KEY: recurrent.SimpleRNN,
}
_CELL_TYPES = {
    _LSTM_KEY: recurrent.LSTMCell,
    _GRU_KEY: recurrent.GRUCell,
    _SIMPLE_RNN_KEY: recurrent.SimpleRNNCell,
}

USE_DEFAULT: Any = object()  # What a user hasn't given.


def _single_rnn_cell(units: int, cell_type: Any) -> Any:
    cell_type = _CELL_TYPES.get(cell_type, cell_type)
    if not callable(cell_type):
        raise ValueError(
            "`cell_type` should be a class producing a RNN cell, or a string specifying the cell "
            f"type. Supported strings are: {[_SIMPLE_RNN_KEY, _LSTM_KEY, _GRU_KEY]}."
        )
    cell = cell_type(units=units)
    if not hasattr(cell, "call") or not hasattr(cell, "state_size"):
        raise ValueError("RNN cell should have a `call` and `state_size` method.")
    return cell


def _make_rnn_cell_fn(units: Iterable[int], cell_type: Any = _SIMPLE_RNN_KEY) -> Callable[[], Any]:
    """A function that makes a cell, or a list of them, of a kind and of these sizes."""

    def rnn_cell_fn() -> Any:
        cells = [_single_rnn_cell(n, cell_type) for n in units]
        return cells[0] if len(cells) == 1 else cells

    return rnn_cell_fn


class RNNModel(training.Model):
    """A recurrent layer between columns of sequences and logits.

    Args:
      rnn_layer: a recurrent Keras layer.
      units: how many logits.
      sequence_feature_columns: dense columns of sequences.
      context_feature_columns: dense columns of what holds for a whole sequence; each step gets it.
      activation: of the last layer.
      return_sequences: whether there are logits for each step.
      **kwargs: see `tf.keras.Model`.

    Raises:
      ValueError: `units` is no int.
    """

    def __init__(
        self, rnn_layer: Any, units: int, sequence_feature_columns: Any,
        context_feature_columns: Any = None, activation: Any = None,
        return_sequences: bool = False, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(**kwargs)
        if not isinstance(units, int):
            raise ValueError(f"units must be an int.  Given type: {type(units)}")
        self._return_sequences = return_sequences
        self._sequence_feature_columns = sequence_feature_columns
        self._context_feature_columns = context_feature_columns
        self._sequence_features_layer = feature_layers.SequenceFeatures(sequence_feature_columns)
        self._dense_features_layer = None
        if context_feature_columns:
            self._dense_features_layer = feature_layers.DenseFeatures(context_feature_columns)
        self._rnn_layer = rnn_layer
        self._logits_layer = core.Dense(units=units, activation=activation, name="logits")

    def call(self, inputs: Any, training: Any = None) -> Tensor:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The logits.

        Args:
          inputs: {name: a feature}.
          training: whether the recurrent layer is trained, for its dropout.

        Returns:
          float32 [batch, units], or [batch, time, units] if `return_sequences`.

        Raises:
          ValueError: `inputs` is no dict.
        """
        if not isinstance(inputs, dict):
            raise ValueError(
                f"inputs should be a dictionary of `Tensor`s. Given type: {type(inputs)}"
            )
        with ops.name_scope("sequence_input_layer"):
            sequence, length = self._sequence_features_layer(inputs)
            summary.histogram("sequence_length", length)
            if self._dense_features_layer is not None:
                context = self._dense_features_layer(inputs)
                sequence = sfc.concatenate_context_input(context, sequence_input=sequence)
        mask = array_ops.sequence_mask(length)
        logits = self._logits_layer(self._rnn_layer(sequence, mask=mask, training=training))
        if self._return_sequences:
            logits._keras_mask = mask  # Losses and metrics of Keras leave the padding out by it.
        return logits

    def get_config(self) -> dict[str, Any]:
        """What `from_config` makes the model of."""
        context = self._context_feature_columns
        return {
            "name": self.name,
            "rnn_layer": {
                "class_name": type(self._rnn_layer).__name__,
                "config": self._rnn_layer.get_config(),
            },
            "units": self._logits_layer.units,
            "return_sequences": self._return_sequences,
            "activation": activations.serialize(self._logits_layer.activation),
            "sequence_feature_columns": serialization.serialize_feature_columns(
                self._sequence_feature_columns
            ),
            "context_feature_columns": (
                serialization.serialize_feature_columns(context) if context else None
            ),
        }

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> RNNModel:
        """A model of what `get_config` gave.

        Args:
          config: what it gave; entries are taken from it.
          custom_objects: {name: a class or function} for what is not Keras's.
        """
        columns = serialization.deserialize_feature_columns
        made = {
            "rnn_layer": layers.deserialize(config.pop("rnn_layer"), custom_objects),
            "sequence_feature_columns": columns(
                config.pop("sequence_feature_columns"), custom_objects
            ),
            "context_feature_columns": config.pop("context_feature_columns", None),
            "activation": activations.deserialize(config.pop("activation", None), custom_objects),
        }
        if made["context_feature_columns"]:
            made["context_feature_columns"] = columns(
                made["context_feature_columns"], custom_objects
            )
        return cls(**made, **config)


def _get_rnn_estimator_spec(
    features: Any, labels: Any, mode: Any, head: Any, rnn_model: Any, optimizer: Any,
    return_sequences: bool,
) -> Any:  # fmt: skip
    is_training = mode == ModeKeys.TRAIN
    if is_training:
        by_name = isinstance(optimizer, str)
        optimizer = optimizers.get_optimizer_instance_v2(
            optimizer, _DEFAULT_LEARNING_RATE if by_name else None
        )
        if by_name:
            optimizer.clipnorm = _DEFAULT_CLIP_NORM
        optimizer.iterations = training_util.get_or_create_global_step()
    logits = rnn_model(features, is_training)
    if return_sequences and head.input_sequence_mask_key not in features:
        features[head.input_sequence_mask_key] = logits._keras_mask
    return head.create_estimator_spec(
        features=features, mode=mode, labels=labels, optimizer=optimizer if is_training else None,
        logits=logits, update_ops=rnn_model.updates,
        trainable_variables=rnn_model.trainable_variables,
    )  # fmt: skip


def _verify_rnn_cell_input(rnn_cell_fn: Any, units: Any, cell_type: Any) -> None:
    if rnn_cell_fn and (units or cell_type != USE_DEFAULT):
        raise ValueError("units and cell_type must not be specified when using rnn_cell_fn")


def _make_rnn_layer(
    rnn_cell_fn: Any, units: Any, cell_type: Any, return_sequences: bool
) -> recurrent_base.RNN:
    """The recurrent layer of what a user has given.

    Raises:
      ValueError: both a function and a kind of cells.
    """
    _verify_rnn_cell_input(rnn_cell_fn, units, cell_type)
    if cell_type in _CELL_TYPE_TO_LAYER_MAPPING and isinstance(units, int):
        layer = _CELL_TYPE_TO_LAYER_MAPPING[cell_type]
        return layer(units=units, return_sequences=return_sequences)
    if not rnn_cell_fn:
        kind = _SIMPLE_RNN_KEY if cell_type == USE_DEFAULT else cell_type
        rnn_cell_fn = _make_rnn_cell_fn(units, kind)
    return recurrent_base.RNN(cell=rnn_cell_fn(), return_sequences=return_sequences)


def _rnn_model_fn(
    features: Any, labels: Any, mode: Any, config: Any, head: Any, sequence_feature_columns: Any,
    context_feature_columns: Any, units: Any, cell_type: Any, rnn_cell_fn: Any,
    return_sequences: bool, optimizer: Any,
) -> Any:  # fmt: skip
    model = RNNModel(
        _make_rnn_layer(rnn_cell_fn, units, cell_type, return_sequences), head.logits_dimension,
        sequence_feature_columns, context_feature_columns, return_sequences=return_sequences,
        name="rnn_model",
    )  # fmt: skip
    return _get_rnn_estimator_spec(features, labels, mode, head, model, optimizer, return_sequences)


@tf_export("compat.v2.estimator.experimental.RNNEstimator")
class RNNEstimator(estimator.Estimator):
    """A recurrent net under any head.

    Args:
      head: what the logits mean; a `tf.estimator.Head`.
      sequence_feature_columns: dense columns of sequences.
      context_feature_columns: dense columns of what holds for a whole sequence.
      units: how many units the layer has, or each of several.
      cell_type: "simple_rnn" (by default), "lstm" or "gru", or a class of cells.
      rnn_cell_fn: a function that makes the cell, in place of the two.
      return_sequences: whether there is an answer for each step; `head` is one of sequences then.
      model_dir, config: see `Estimator`.
      optimizer: a Keras optimizer, its name, or a function that makes one; by its name it gets a
        learning rate of 0.05 and gradients clipped to 5.

    Raises:
      ValueError: an argument is wrong.
    """

    def __init__(
        self, head: Any, sequence_feature_columns: Any, context_feature_columns: Any = None,
        units: Any = None, cell_type: Any = USE_DEFAULT, rnn_cell_fn: Any = None,
        return_sequences: bool = False, model_dir: str | None = None, optimizer: Any = "Adagrad",
        config: Any = None,
    ):  # fmt: skip
        if return_sequences and not isinstance(head, sequential_head._SequentialHead):
            raise ValueError(
                "Provided head must be a `_SequentialHead` object when `return_sequences` is set "
                "to True."
            )
        _verify_rnn_cell_input(rnn_cell_fn, units, cell_type)
        model_fn = composition.model_fn_of(
            _rnn_model_fn, head=head, sequence_feature_columns=sequence_feature_columns,
            context_feature_columns=context_feature_columns, units=units, cell_type=cell_type,
            rnn_cell_fn=rnn_cell_fn, return_sequences=return_sequences, optimizer=optimizer,
        )  # fmt: skip
        super().__init__(model_fn, model_dir, config)


@tf_export("compat.v2.estimator.experimental.RNNClassifier")
class RNNClassifier(RNNEstimator):
    """A recurrent net that tells classes.

    Args:
      n_classes: how many classes.
      weight_column: the feature that holds the examples' weights.
      label_vocabulary: the labels' names; without it they are numbers.
      loss_reduction: one of `tf.keras.losses.Reduction`.
      sequence_mask: the name of the feature that says which steps are meant, if there is an answer
        for each.
      The others: see `RNNEstimator`.

    Raises:
      ValueError: an argument is wrong.
    """

    def __init__(
        self, sequence_feature_columns: Any, context_feature_columns: Any = None,
        units: Any = None, cell_type: Any = USE_DEFAULT, rnn_cell_fn: Any = None,
        return_sequences: bool = False, model_dir: str | None = None, n_classes: int = 2,
        weight_column: Any = None, label_vocabulary: Sequence[str] | None = None,
        optimizer: Any = "Adagrad", loss_reduction: Any = ReductionV2.SUM_OVER_BATCH_SIZE,
        sequence_mask: str = "sequence_mask", config: Any = None,
    ):  # fmt: skip
        head = head_utils.binary_or_multi_class_head(
            n_classes, weight_column, label_vocabulary, loss_reduction
        )
        if return_sequences:
            logging.info(
                "Converting head to sequential head with `SequentialHeadWrapper` to allow "
                "sequential predictions."
            )
            head = sequential_head.SequentialHeadWrapper(
                head, sequence_length_mask=sequence_mask, feature_columns=weight_column
            )
        super().__init__(
            head, sequence_feature_columns, context_feature_columns, units, cell_type,
            rnn_cell_fn, return_sequences, model_dir, optimizer, config,
        )  # fmt: skip
