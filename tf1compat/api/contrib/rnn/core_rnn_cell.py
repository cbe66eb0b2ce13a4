"""Linear maps of several inputs, and cells with an embedding or a projection around them
(`tensorflow.contrib.rnn.python.ops.core_rnn_cell`)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.math import math_ops
from tf1compat.api.nn import embedding_ops, nn_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.random import init_ops
from tf1compat.api.rnn.rnn_cell_impl import (
    _BIAS_VARIABLE_NAME,
    _WEIGHTS_VARIABLE_NAME,
    RNNCell,
    assert_like_rnncell,
)
from tf1compat.api.variables import variable_scope as vs
from tf1compat.core import dtypes, nest, ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, Initializer


def as_list(args: Any) -> list[Tensor]:
    """The inputs of a linear map as a list.

    Raises:
      ValueError: there are none.
    """
    if args is None or (nest.is_sequence(args) and not args):
        raise ValueError("`args` must be specified")
    return args if nest.is_sequence(args) else [args]


def total_size(args: list[Tensor]) -> int:
    """The sum of the sizes of matrices [batch, size].

    Raises:
      ValueError: one is no matrix, or its size is unknown.
    """
    shapes: list[Any] = [a.get_shape() for a in args]
    total = 0
    for shape in shapes:
        if shape.ndims != 2:
            raise ValueError(f"linear is expecting 2D arguments: {shapes}")
        if shape.dims[1].value is None:
            raise ValueError(
                f"linear expects shape[1] to be provided for shape {shape}, but saw {shape[1]}"
            )
        total += shape.dims[1].value
    return total


def get_bias(
    outer_scope: Any, size: int, dtype: DTypeLike, initializer: Initializer | None = None
) -> Any:
    """The variable "bias", which is never partitioned; zeros by default."""
    with vs.variable_scope(outer_scope) as inner_scope:
        inner_scope.set_partitioner(None)
        if initializer is None:
            initializer = init_ops.Constant(0.0, dtype=dtype)
        return vs.get_variable(_BIAS_VARIABLE_NAME, [size], dtype=dtype, initializer=initializer)


class _Linear:
    """A linear map that has made its variables in the current variable scope.

    Args:
      args: a matrix [batch, size], or a list of them, like those that it is called with.
      output_size: the size of the output.
      build_bias: whether there is a bias.
      bias_initializer, kernel_initializer: of the variables.

    Raises:
      ValueError: an input is no matrix, or its size is unknown.
    """

    def __init__(
        self, args: Any, output_size: int, build_bias: bool,
        bias_initializer: Initializer | None = None,
        kernel_initializer: Initializer | None = None,
    ):  # fmt: skip
        self._build_bias = build_bias
        self._is_sequence = nest.is_sequence(args)
        args = as_list(args)
        size = total_size(args)
        dtype = args[0].dtype
        with vs.variable_scope(vs.get_variable_scope()) as outer_scope:
            self._weights = vs.get_variable(
                _WEIGHTS_VARIABLE_NAME, [size, output_size], dtype=dtype,
                initializer=kernel_initializer,
            )  # fmt: skip
            if build_bias:
                self._biases = get_bias(outer_scope, output_size, dtype, bias_initializer)

    def __call__(self, args: Any) -> Tensor:
        """args @ kernel + bias."""
        if not self._is_sequence:
            args = [args]
        if len(args) == 1:
            joined = args[0]
        else:
            one = constant_op.constant_v1(1, dtype=dtypes.int32)
            joined = array_ops.concat(args, one)
        result = math_ops.matmul(joined, self._weights)
        return nn_ops.bias_add(result, self._biases) if self._build_bias else result


def _linear(
    args: Any, output_size: int, bias: bool, bias_initializer: Initializer | None = None,
    kernel_initializer: Initializer | None = None,
) -> Tensor:  # fmt: skip
    """args @ kernel + bias, with variables of the current variable scope.

    Args: see `_Linear`.

    Raises:
      ValueError: an input is no matrix, or its size is unknown.
    """
    args = as_list(args)
    size = total_size(args)
    dtype = args[0].dtype
    with vs.variable_scope(vs.get_variable_scope()) as outer_scope:
        weights = vs.get_variable(
            _WEIGHTS_VARIABLE_NAME, [size, output_size], dtype=dtype,
            initializer=kernel_initializer,
        )  # fmt: skip
        joined = args[0] if len(args) == 1 else array_ops.concat(args, 1)
        result = math_ops.matmul(joined, weights)
        if not bias:
            return result
        biases = get_bias(outer_scope, output_size, dtype, bias_initializer)
        return nn_ops.bias_add(result, biases)


class CellAround(RNNCell):
    """Base class of cells that have another cell's state and zero state.

    Args:
      cell: the cell inside.
      **kwargs: as in `RNNCell`.

    Raises:
      TypeError: the cell is none.
    """

    _cell: Any

    state_size = attribute("_cell.state_size", "That of the cell inside.")
    output_size = attribute("_cell.output_size", "That of the cell inside.")

    def zero_state(self, batch_size: Any, dtype: DTypeLike) -> Any:
        """That of the cell inside."""
        with ops.name_scope(type(self).__name__ + "ZeroState", values=[batch_size]):
            return self._cell.zero_state(batch_size, dtype)


@tf_export("contrib.rnn.EmbeddingWrapper")
class EmbeddingWrapper(CellAround):
    """A cell that takes ids.

    Args:
      cell: the cell that takes their embeddings.
      embedding_classes: how many ids there are.
      embedding_size: the size of an embedding.
      initializer: of the embeddings; by default the variable scope's, else uniform with variance 1.
      reuse: whether the variables must exist.

    Raises:
      TypeError: the cell is none.
      ValueError: a size is not positive.
    """

    def __init__(
        self, cell: Any, embedding_classes: int, embedding_size: int,
        initializer: Initializer | None = None,
        reuse: Any = None,
    ):  # fmt: skip
        super().__init__(_reuse=reuse)
        assert_like_rnncell("cell", cell)
        if embedding_classes <= 0 or embedding_size <= 0:
            raise ValueError(
                f"Both embedding_classes and embedding_size must be > 0: {embedding_classes}, "
                f"{embedding_size}."
            )
        self._cell = cell
        self._embedding_classes = embedding_classes
        self._embedding_size = embedding_size
        self._initializer = initializer

    def call(self, inputs: Any, state: Any) -> Any:  # pyright: ignore
        """Does one step with the embeddings of `inputs`."""
        with ops.device("/cpu:0"):
            initializer = self._initializer or vs.get_variable_scope().initializer
            if not initializer:
                # The variance of uniform numbers up to sqrt(3) is 1.
                initializer = init_ops.RandomUniform(-math.sqrt(3), math.sqrt(3))
            embedding = vs.get_variable(
                "embedding",
                [self._embedding_classes, self._embedding_size],
                initializer=initializer,
                dtype=state[0].dtype if isinstance(state, tuple) else state.dtype,
            )
            embedded = embedding_ops.embedding_lookup(embedding, array_ops.reshape(inputs, [-1]))
            return self._cell(embedded, state)


@tf_export("contrib.rnn.InputProjectionWrapper")
class InputProjectionWrapper(CellAround):
    """A cell whose inputs are projected first.

    Args:
      cell: the cell.
      num_proj: the size of the projected inputs.
      activation: a function of these; or None.
      input_size: deprecated and unused.
      reuse: whether the variables must exist.

    Raises:
      TypeError: the cell is none.
    """

    def __init__(
        self, cell: Any, num_proj: int, activation: Callable[..., Any] | None = None,
        input_size: Any = None, reuse: Any = None,
    ):  # fmt: skip
        super().__init__(_reuse=reuse)
        if input_size is not None:
            logging.warn("%s: The input_size parameter is deprecated.", self)
        assert_like_rnncell("cell", cell)
        self._cell = cell
        self._num_proj = num_proj
        self._activation = activation
        self._linear: Any = None

    def call(self, inputs: Any, state: Any) -> Any:  # pyright: ignore
        """Does one step with the projected inputs."""
        if self._linear is None:
            self._linear = _Linear(inputs, self._num_proj, True)
        projected = self._linear(inputs)
        if self._activation:
            projected = self._activation(projected)
        return self._cell(projected, state)


@tf_export("contrib.rnn.OutputProjectionWrapper")
class OutputProjectionWrapper(CellAround):
    """A cell whose outputs are projected.

    Args:
      cell: the cell.
      output_size: the size of the projected outputs.
      activation: a function of these; or None.
      reuse: whether the variables must exist.

    Raises:
      TypeError: the cell is none.
      ValueError: the size is not positive.
    """

    def __init__(
        self, cell: Any, output_size: int, activation: Callable[..., Any] | None = None,
        reuse: Any = None,
    ):  # fmt: skip
        super().__init__(_reuse=reuse)
        assert_like_rnncell("cell", cell)
        if output_size < 1:
            raise ValueError(f"Parameter output_size must be > 0: {output_size}.")
        self._cell = cell
        self._output_size = output_size
        self._activation = activation
        self._linear: Any = None

    output_size = attribute("_output_size", "The size of the projected outputs.")

    def call(self, inputs: Any, state: Any) -> Any:  # pyright: ignore
        """Does one step and projects the output."""
        output, new_state = self._cell(inputs, state)
        if self._linear is None:
            self._linear = _Linear(output, self._output_size, True)
        projected = self._linear(output)
        if self._activation:
            projected = self._activation(projected)
        return projected, new_state
