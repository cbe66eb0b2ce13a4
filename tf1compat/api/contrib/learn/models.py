"""`tensorflow.contrib.learn.python.learn.models`: models as functions of inputs and labels."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.array import array_ops, sequence_ops
from tf1compat.api.contrib.learn.ops import losses_ops
from tf1compat.api.contrib.rnn.rnn_cell import AttentionCellWrapper
from tf1compat.api.random import init_ops
from tf1compat.api.rnn import rnn_cell_impl, rnn_static
from tf1compat.api.rnn.rnn_cell_base import RNNCell
from tf1compat.api.summary import summary
from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.variables import variable_scope
from tf1compat.core import dtypes, ops
from tf1compat.core.tensor import Tensor

# A model: what it predicts, and its loss.
_Model = tuple[Tensor, Tensor]


@deprecated(None, "Consider using a tf.estimator.LinearRegressor")
def linear_regression_zero_init(x: Any, y: Any) -> _Model:
    """`linear_regression` whose variables begin with zeros.

    Args:
      x: the features, [batch_size, n_features].
      y: the labels.

    Returns:
      The predictions and the loss.
    """
    return linear_regression(x, y, init_mean=0.0, init_stddev=0.0)


@deprecated(None, "Consider using a class from tf.estimator.LinearClassifier")
def logistic_regression_zero_init(x: Any, y: Any) -> _Model:
    """`logistic_regression` whose variables begin with zeros.

    Args:
      x: the features, [batch_size, n_features].
      y: the labels, one-hot.

    Returns:
      The predictions and the loss.
    """
    return logistic_regression(x, y, init_mean=0.0, init_stddev=0.0)


@deprecated(None, "Consider using a class from tf.estimator.")
def linear_regression(
    x: Any, y: Any, init_mean: float | None = None, init_stddev: float = 1.0
) -> _Model:
    """A linear model with its squared error (as in TF 1.15).

    Args:
      x: the features, [batch_size, n_features].
      y: the labels, [batch_size] or [batch_size, n_outputs].
      init_mean: the mean of what the variables begin with; None for the default initializer.
      init_stddev: its standard deviation.

    Returns:
      The predictions and the loss.
    """
    outputs = 1 if len(y.shape) == 1 else y.shape[1]
    with variable_scope.variable_scope("linear_regression"):
        weights, bias = _variables(x, y, outputs, init_mean, init_stddev)
        return losses_ops.mean_squared_error_regressor(x, y, weights, bias)


@deprecated(None, "Consider using a class from tf.estimator.")
def logistic_regression(
    x: Any,
    y: Any,
    class_weight: Any = None,
    init_mean: float | None = None,
    init_stddev: float = 1.0,
) -> _Model:
    """A linear model of classes with its cross entropy (as in TF 1.15).

    Args:
      x: the features, [batch_size, n_features].
      y: the labels, one-hot.
      class_weight: a factor for the logits of each class; by default the graph's tensor
        "class_weight:0", if there is one.
      init_mean: the mean of what the variables begin with; None for the default initializer.
      init_stddev: its standard deviation.

    Returns:
      The probabilities and the loss.
    """
    with variable_scope.variable_scope("logistic_regression"):
        weights, bias = _variables(x, y, y.shape[-1], init_mean, init_stddev)
        if not class_weight:
            try:
                class_weight = ops.get_default_graph().get_tensor_by_name("class_weight:0")
            except KeyError:
                class_weight = None
        return losses_ops.softmax_classifier(x, y, weights, bias, class_weight=class_weight)


def _variables(x: Any, y: Any, outputs: Any, mean: float | None, stddev: float) -> tuple[Any, Any]:
    """The weights and the bias of a linear model, with summaries of all that goes into it."""
    scope = variable_scope.get_variable_scope().name
    summary.histogram(f"{scope}.x", x)
    summary.histogram(f"{scope}.y", y)
    dtype = x.dtype.base_dtype
    made = []
    for name, shape in (("weights", [x.shape[1], outputs]), ("bias", [outputs])):
        initializer = None
        if mean is not None:
            initializer = init_ops.random_normal_initializer(mean, stddev, dtype=dtype)
        made.append(variable_scope.get_variable(name, shape, initializer=initializer, dtype=dtype))
    summary.histogram(f"{scope}.weights", made[0])
    summary.histogram(f"{scope}.bias", made[1])
    return made[0], made[1]


def _reverse_seq(input_seq: Sequence[Any], lengths: Any) -> list[Any]:
    """The steps of sequences in reverse order, of each sequence as long as it is."""
    if lengths is None:
        return list(reversed(input_seq))
    for step in input_seq:
        step.set_shape(step.shape.with_rank(2))
    # TF 1.15 fails here: it calls a function that was renamed to `stack`.
    steps = sequence_ops.reverse_sequence(array_ops.stack(input_seq), lengths, 0, 1)
    return array_ops.unstack(steps)


@deprecated(None, "Please consider `tf.nn.bidirectional_dynamic_rnn`.")
def bidirectional_rnn(
    cell_fw: Any,
    cell_bw: Any,
    inputs: Any,
    initial_state_fw: Any = None,
    initial_state_bw: Any = None,
    dtype: Any = None,
    sequence_length: Any = None,
    scope: str | None = None,
) -> tuple[list[Tensor], Tensor]:
    """Two cells that go through sequences from their two ends (as in TF 1.15).

    Args:
      cell_fw, cell_bw: the cells, of equal input sizes.
      inputs: a list of the steps, each [batch_size, input_size].
      initial_state_fw, initial_state_bw: what the cells begin with; zeros by default.
      dtype: of these zeros.
      sequence_length: how long each sequence is, [batch_size].
      scope: what the names of the scopes begin with, "BiRNN" by default.

    Returns:
      The outputs of each step, and the last states, of both cells joined.

    Raises:
      TypeError: a cell is none, or the steps are no list.
      ValueError: there are no steps.
    """
    for name, cell in (("cell_fw", cell_fw), ("cell_bw", cell_bw)):
        if not isinstance(cell, RNNCell):
            raise TypeError(f"{name} must be an instance of RNNCell")
    if not isinstance(inputs, list):
        raise TypeError("inputs must be a list")
    if not inputs:
        raise ValueError("inputs must not be empty")
    name = scope or "BiRNN"
    with variable_scope.variable_scope(f"{name}_FW"):
        forwards, state_fw = rnn_static.static_rnn(
            cell_fw, inputs, initial_state_fw, dtype, sequence_length
        )
    with variable_scope.variable_scope(f"{name}_BW"):
        reverse = _reverse_seq(inputs, sequence_length)
        backwards, state_bw = rnn_static.static_rnn(
            cell_bw, reverse, initial_state_bw, dtype, sequence_length
        )
    backwards = _reverse_seq(backwards, sequence_length)
    outputs = [array_ops.concat([f, b], 1) for f, b in zip(forwards, backwards, strict=True)]
    return outputs, array_ops.concat([state_fw, state_bw], 1)


_CELLS: dict[str, Callable[..., Any]] = {
    "rnn": rnn_cell_impl.BasicRNNCell,
    "gru": rnn_cell_impl.GRUCell,
    "lstm": functools.partial(rnn_cell_impl.BasicLSTMCell, state_is_tuple=False),
}


@deprecated(None, "Please consider tensorflow/tensor2tensor.")
def get_rnn_model(
    rnn_size: int,
    cell_type: str,
    num_layers: int,
    input_op_fn: Callable[[Any], Any],
    bidirectional: bool,
    target_predictor_fn: Callable[[Any, Any], Any],
    sequence_length: Any,
    initial_state: Any,
    attn_length: int | None,
    attn_size: int | None,
    attn_vec_size: int | None,
) -> Callable[[Any, Any], Any]:
    """A function that records a recurrent model (as in TF 1.15).

    Args:
      rnn_size: how many units a cell has.
      cell_type: "rnn", "gru" or "lstm".
      num_layers: how many cells are on top of each other.
      input_op_fn: makes the list of steps of the inputs.
      bidirectional: whether the sequences are gone through from both ends.
      target_predictor_fn: makes the predictions and the loss of the last state and the labels.
      sequence_length: how long each sequence is, or None.
      initial_state: what the cells begin with, or None.
      attn_length, attn_size, attn_vec_size: of the cells' attention; None for the first of them
        for none.

    Returns:
      A function of inputs and labels; it raises a ValueError for another cell type.
    """

    def layers() -> Any:
        made = []
        for _ in range(num_layers):
            cell = _CELLS[cell_type](rnn_size)
            if attn_length is not None:
                cell = AttentionCellWrapper(
                    cell,
                    attn_length=attn_length,
                    attn_size=attn_size,
                    attn_vec_size=attn_vec_size,
                    state_is_tuple=False,
                )
            made.append(cell)
        return rnn_cell_impl.MultiRNNCell(made, state_is_tuple=False)

    def rnn_estimator(x: Any, y: Any) -> Any:
        steps = input_op_fn(x)
        if cell_type not in _CELLS:
            raise ValueError(f"cell_type {cell_type} is not supported. ")
        options = {"dtype": dtypes.float32, "sequence_length": sequence_length}
        if bidirectional:
            _, encoding = bidirectional_rnn(
                layers(),
                layers(),
                steps,
                initial_state_fw=initial_state,
                initial_state_bw=initial_state,
                **options,
            )
        else:
            _, encoding = rnn_static.static_rnn(
                layers(), steps, initial_state=initial_state, **options
            )
        return target_predictor_fn(encoding, y)

    return rnn_estimator
