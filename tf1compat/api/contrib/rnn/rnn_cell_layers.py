"""Cells of `tf.contrib.rnn` that make their variables in `build`."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.keras import activations, lookup
from tf1compat.api.keras.engine.input_spec import InputSpec
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.random import init_ops
from tf1compat.api.rnn import rnn_cell_impl
from tf1compat.api.rnn.rnn_cell_impl import LayerRNNCell, LSTMStateTuple, lstm_sizes
from tf1compat.core import dtypes
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape, dimension_value
from tf1compat.core.typing import Initializer, Name

_Nodes = tuple[tuple[Callable[..., Any], Callable[..., Any]], ...]

# The lower two layers of the cell's tree: what joins a node's children, and what is applied then.
_NAS_LEAVES: _Nodes = (
    (operator.add, math_ops.sigmoid),
    (operator.add, nn_ops.relu),
    (operator.add, math_ops.sigmoid),
    (operator.mul, nn_ops.relu),
    (operator.add, math_ops.tanh),
    (operator.add, math_ops.sigmoid),
    (operator.add, math_ops.tanh),
    (operator.add, math_ops.sigmoid),
)
_NAS_PAIRS: _Nodes = (
    (operator.mul, math_ops.tanh),
    (operator.add, math_ops.tanh),
    (operator.mul, math_ops.tanh),
    (operator.add, math_ops.sigmoid),
)


def _joined(nodes: _Nodes, left: Iterable[Any], right: Iterable[Any]) -> list[Tensor]:
    """What the nodes of a layer give for their left and right children."""
    return [
        activation(join(a, b)) for (join, activation), a, b in zip(nodes, left, right, strict=True)
    ]


@tf_export("contrib.rnn.NASCell")
class NASCell(LayerRNNCell):
    """The cell that a search for architectures found (https://arxiv.org/abs/1611.01578).

    Args:
      num_units: the size of the memory.
      num_proj: the size of the output, which is projected then; None for no projection.
      use_bias: whether there is a bias.
      reuse: whether the variables must exist.
      **kwargs: as in `tf.layers.Layer`.
    """

    _NAS_BASE = 8

    def __init__(
        self, num_units: int, num_proj: Any = None, use_bias: bool = False, reuse: Any = None,
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__(_reuse=reuse, **kwargs)
        self._num_units = num_units
        self._num_proj = num_proj
        self._use_bias = use_bias
        self._reuse = reuse
        self._state_size, self._output_size = lstm_sizes(num_units, num_proj)

    state_size = attribute("_state_size", "(num_units, output_size).")
    output_size = attribute("_output_size", "`num_proj`, or the number of units.")

    def build(self, inputs_shape: Any) -> None:
        """Makes the kernels, the bias and the projection."""
        input_size = dimension_value(TensorShape(inputs_shape).with_rank(2)[1])
        if input_size is None:
            raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
        num_proj = self._num_units if self._num_proj is None else self._num_proj
        width = self._NAS_BASE * self._num_units
        self.recurrent_kernel = self.add_variable("recurrent_kernel", [num_proj, width])
        self.kernel = self.add_variable("kernel", [input_size, width])
        if self._use_bias:
            self.bias = self.add_variable("bias", shape=[width], initializer=init_ops.Zeros)
        if self._num_proj is not None:
            self.projection_weights = self.add_variable(
                "projection_weights", [self._num_units, self._num_proj]
            )
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:  # pyright: ignore
        """Does one step."""
        tanh = math_ops.tanh
        c_prev, m_prev = state
        m_matrix = math_ops.matmul(m_prev, self.recurrent_kernel)
        inputs_matrix = math_ops.matmul(inputs, self.kernel)
        if self._use_bias:
            m_matrix = nn_ops.bias_add(m_matrix, self.bias)
        m, x = (
            array_ops.split(value=product, num_or_size_splits=self._NAS_BASE, axis=1)
            for product in (m_matrix, inputs_matrix)
        )
        leaves = _joined(_NAS_LEAVES, x, m)
        pairs = _joined(_NAS_PAIRS, leaves[::2], leaves[1::2])
        # The memory comes in at one place, and goes out at another.
        new_c = tanh(pairs[0] + c_prev) * pairs[1]
        new_m = tanh(new_c * tanh(pairs[2] + pairs[3]))
        if self._num_proj is not None:
            new_m = math_ops.matmul(new_m, self.projection_weights)
        return new_m, LSTMStateTuple(new_c, new_m)


class _LayerUnitsCell(LayerRNNCell):
    """A cell of matrices whose variables are made in `build`."""

    _num_units: Any

    def __init__(self, num_units: int, activation: Any, **kwargs: Any):
        super().__init__(**kwargs)
        self._num_units = num_units
        self._activation = activation or math_ops.tanh
        self.input_spec = InputSpec(ndim=2)

    state_size = attribute("_num_units", "The number of units.")
    output_size = attribute("_num_units", "The number of units.")

    def _depth(self, inputs_shape: Any) -> int:
        depth = dimension_value(inputs_shape[1])
        if depth is None:
            raise ValueError(f"Expected inputs.shape[-1] to be known, saw shape: {inputs_shape}")
        return depth

    def _add(self, name: str, shape: list[int], initializer: Initializer | None = None) -> Any:
        return self.add_variable(name, shape=shape, initializer=initializer)

    def _add_recurrent(self, name: str, size: int) -> Any:
        """The weights of each unit's own state."""
        uniform = init_ops.RandomUniform(minval=-1, maxval=1, dtype=self.dtype)
        return self._add(name, [1, size], uniform)


@tf_export("contrib.rnn.SRUCell")
class SRUCell(_LayerUnitsCell):
    """The simple recurrent unit (https://arxiv.org/abs/1709.02755).

    Args:
      num_units: the size of state and output.
      activation: a function; tanh by default.
      reuse: whether the variables must exist.
      name: the layer's name.
      **kwargs: as in `tf.layers.Layer`.
    """

    def __init__(
        self, num_units: int, activation: Any = None, reuse: Any = None, name: Name = None,
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__(num_units, activation, _reuse=reuse, name=name, **kwargs)

    def build(self, inputs_shape: Any) -> None:
        """Makes the kernel and the bias."""
        depth, units = self._depth(inputs_shape), self._num_units
        self._kernel = self._add("kernel", [depth, 4 * units])
        self._bias = self._add("bias", [2 * units], init_ops.Zeros)
        # TF forgets to say that it is built: its base class does.
        self._built = True

    def call(self, inputs: Any, state: Any) -> Any:  # pyright: ignore
        """Does one step."""
        products = math_ops.matmul(inputs, self._kernel)
        candidate, *gates, skipped = array_ops.split(products, 4, axis=1)
        gates = nn_ops.bias_add(array_ops.concat(gates, 1), self._bias)
        forget, reset = array_ops.split(math_ops.sigmoid(gates), 2, axis=1)
        c = forget * state + (1.0 - forget) * candidate
        h = reset * self._activation(c) + (1.0 - reset) * skipped
        return h, c


@tf_export("contrib.rnn.IndRNNCell")
class IndRNNCell(_LayerUnitsCell):
    """A cell whose units see their own state only (https://arxiv.org/abs/1803.04831).

    Args:
      num_units: the size of state and output.
      activation: a function; tanh by default.
      reuse: whether the variables must exist.
      name: the layer's name.
      dtype: of the variables; that of the inputs by default.
    """

    def __init__(
        self, num_units: int, activation: Any = None, reuse: Any = None, name: Name = None,
        dtype: Any = None,
    ):  # fmt: skip
        super().__init__(num_units, activation, _reuse=reuse, name=name, dtype=dtype)

    def build(self, inputs_shape: Any) -> None:
        """Makes the kernels and the bias."""
        depth, units = self._depth(inputs_shape), self._num_units
        self._kernel_w = self._add("kernel_w", [depth, units])
        self._kernel_u = self._add_recurrent("kernel_u", units)
        self._bias = self._add("bias", [units], init_ops.Zeros(dtype=self.dtype))
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:  # pyright: ignore
        """Does one step."""
        gate_inputs = math_ops.matmul(inputs, self._kernel_w) + state * self._kernel_u
        gate_inputs = nn_ops.bias_add(gate_inputs, self._bias)
        output = self._activation(gate_inputs)
        return output, output


class _Indy(_LayerUnitsCell):
    """An `IndRNNCell` with gates."""

    def __init__(
        self, num_units: int, activation: Any, reuse: Any, kernel_initializer: Any,
        bias_initializer: Any, name: Name, dtype: Any,
    ):  # fmt: skip
        super().__init__(num_units, activation, _reuse=reuse, name=name, dtype=dtype)
        self._kernel_initializer = kernel_initializer
        self._bias_initializer = bias_initializer

    def _add_bias(self, name: str, size: int, default: Any) -> Any:
        given = self._bias_initializer
        return self._add(name, [size], default if given is None else given)


@tf_export("contrib.rnn.IndyGRUCell")
class IndyGRUCell(_Indy):
    """A GRU cell whose units see their own state only (https://arxiv.org/abs/1803.04831).

    Args:
      num_units: the size of state and output.
      activation: a function; tanh by default.
      reuse: whether the variables must exist.
      kernel_initializer, bias_initializer: of the variables; by default the variable scope's, and 1
        for the bias of the gates, 0 for that of the candidate.
      name: the layer's name.
      dtype: of the variables; that of the inputs by default.
    """

    def __init__(
        self, num_units: int, activation: Any = None, reuse: Any = None,
        kernel_initializer: Any = None, bias_initializer: Any = None, name: Name = None,
        dtype: Any = None,
    ):  # fmt: skip
        super().__init__(
            num_units, activation, reuse, kernel_initializer, bias_initializer, name, dtype
        )

    def build(self, inputs_shape: Any) -> None:
        """Makes the kernels and biases of the gates and of the candidate."""
        depth, units = self._depth(inputs_shape), self._num_units
        kernel = self._kernel_initializer
        self._gate_kernel_w = self._add("gates/kernel_w", [depth, 2 * units], kernel)
        self._gate_kernel_u = self._add_recurrent("gates/kernel_u", 2 * units)
        ones = init_ops.Constant(1.0, dtype=self.dtype)
        self._gate_bias = self._add_bias("gates/bias", 2 * units, ones)
        self._candidate_kernel_w = self._add("candidate/kernel", [depth, units], kernel)
        self._candidate_kernel_u = self._add_recurrent("candidate/kernel_u", units)
        zeros = init_ops.Zeros(dtype=self.dtype)
        self._candidate_bias = self._add_bias("candidate/bias", units, zeros)
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:  # pyright: ignore
        """Does one step."""
        gate_inputs = math_ops.matmul(inputs, self._gate_kernel_w)
        gate_inputs += array_ops.tile(state, [1, 2]) * self._gate_kernel_u
        gate_inputs = nn_ops.bias_add(gate_inputs, self._gate_bias)
        value = math_ops.sigmoid(gate_inputs)
        r, u = array_ops.split(value=value, num_or_size_splits=2, axis=1)
        r_state = r * state
        candidate = math_ops.matmul(inputs, self._candidate_kernel_w)
        candidate += r_state * self._candidate_kernel_u
        candidate = nn_ops.bias_add(candidate, self._candidate_bias)
        c = self._activation(candidate)
        new_h = u * state + (1 - u) * c
        return new_h, new_h


@tf_export("contrib.rnn.IndyLSTMCell")
class IndyLSTMCell(_Indy):
    """A basic LSTM cell whose units see their own state only (https://arxiv.org/abs/1903.08023).

    Args:
      num_units: the size of the output and of both parts of the state.
      forget_bias: added to the forget gate's bias.
      activation: a function; tanh by default.
      reuse: whether the variables must exist.
      kernel_initializer, bias_initializer: of the variables; by default the variable scope's, and
        zeros.
      name: the layer's name.
      dtype: of the variables; that of the inputs by default.
    """

    def __init__(
        self, num_units: int, forget_bias: Any = 1.0, activation: Any = None, reuse: Any = None,
        kernel_initializer: Any = None, bias_initializer: Any = None, name: Name = None,
        dtype: Any = None,
    ):  # fmt: skip
        super().__init__(
            num_units, activation, reuse, kernel_initializer, bias_initializer, name, dtype
        )
        self._forget_bias = forget_bias

    @property
    def state_size(self) -> Any:
        """(num_units, num_units)."""
        return LSTMStateTuple(self._num_units, self._num_units)

    def build(self, inputs_shape: Any) -> None:
        """Makes the kernels and the bias of all gates."""
        depth, units = self._depth(inputs_shape), self._num_units
        self._kernel_w = self._add("kernel_w", [depth, 4 * units], self._kernel_initializer)
        self._kernel_u = self._add_recurrent("kernel_u", 4 * units)
        self._bias = self._add_bias("bias", 4 * units, init_ops.Zeros(dtype=self.dtype))
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:  # pyright: ignore
        """Does one step."""
        one = constant_op.constant_v1(1, dtype=dtypes.int32)
        c, h = state
        gate_inputs = math_ops.matmul(inputs, self._kernel_w)
        gate_inputs += array_ops.tile(h, [1, 4]) * self._kernel_u
        gate_inputs = nn_ops.bias_add(gate_inputs, self._bias)
        new_c, new_h = rnn_cell_impl.basic_lstm_step(
            gate_inputs, c, one, self._forget_bias, self._activation
        )
        return new_h, LSTMStateTuple(new_c, new_h)


class _UnitsWithInitializers(LayerRNNCell):
    """What `MinimalRNNCell` and `CFNCell` share."""

    def __init__(
        self, units: Any, activation: Any = "tanh", kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "ones", name: Name = None, dtype: Any = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(name=name, dtype=dtype, **kwargs)
        self.input_spec = InputSpec(ndim=2)
        self.units = units
        self.activation = activations.get(activation)
        self.kernel_initializer = lookup.initializer(kernel_initializer)
        self.bias_initializer = lookup.initializer(bias_initializer)

    state_size = attribute("units", "The number of units.")
    output_size = attribute("units", "The number of units.")

    def _add(self, name: str, shape: list[Any], initializer: Initializer) -> Any:
        return self.add_weight(name=name, shape=shape, initializer=initializer)


class MinimalRNNCell(_UnitsWithInitializers):
    """The minimal recurrent cell of https://arxiv.org/abs/1806.05394.

    Args:
      units: the size of state and output.
      activation: a function, or its name.
      kernel_initializer, bias_initializer: initializers, or their names.
      name: the layer's name.
      dtype: of the variables; that of the inputs by default.
      **kwargs: as in `tf.layers.Layer`.
    """

    def build(self, inputs_shape: Any) -> None:
        """Makes the kernel and the bias."""
        size = dimension_value(inputs_shape[-1])
        if size is None:
            raise ValueError(f"Expected inputs.shape[-1] to be known, saw shape: {inputs_shape}")
        units = self.units
        self.kernel = self._add("kernel", [size + 2 * units, units], self.kernel_initializer)
        self.bias = self._add("bias", [units], self.bias_initializer)
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:  # pyright: ignore
        """Does one step."""
        input_size = _known_last(inputs)
        feedforward_weight, gate_weight = array_ops.split(
            value=self.kernel, num_or_size_splits=[input_size, 2 * self.units], axis=0
        )
        feedforward = self.activation(math_ops.matmul(inputs, feedforward_weight))
        gate_inputs = math_ops.matmul(array_ops.concat([feedforward, state], 1), gate_weight)
        gate_inputs = nn_ops.bias_add(gate_inputs, self.bias)
        u = math_ops.sigmoid(gate_inputs)
        new_h = u * state + (1 - u) * feedforward
        return new_h, new_h


def _known_last(inputs: Tensor) -> int:
    size = dimension_value(inputs.get_shape()[-1])
    if size is None:
        raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
    return size


class CFNCell(_UnitsWithInitializers):
    """The chaos-free network of https://arxiv.org/abs/1612.06212.

    Args:
      units: the size of state and output.
      activation: a function, or its name.
      kernel_initializer, bias_initializer: initializers, or their names.
      name: the layer's name.
      dtype: of the variables; that of the inputs by default.
      **kwargs: as in `tf.layers.Layer`.
    """

    def build(self, inputs_shape: Any) -> None:
        """Makes the kernels and the bias."""
        size = dimension_value(inputs_shape[-1])
        if size is None:
            raise ValueError(f"Expected inputs.shape[-1] to be known, saw shape: {inputs_shape}")
        units, kernel = self.units, self.kernel_initializer
        self.kernel = self._add("kernel", [size, 3 * units], kernel)
        self.recurrent_kernel = self._add("recurrent_kernel", [units, 2 * units], kernel)
        self.bias = self._add("bias", [2 * units], self.bias_initializer)
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:  # pyright: ignore
        """Does one step."""
        _known_last(inputs)
        v, w = array_ops.split(
            value=self.kernel, num_or_size_splits=[2 * self.units, self.units], axis=1
        )
        gates = math_ops.matmul(state, self.recurrent_kernel) + math_ops.matmul(inputs, v)
        gates = math_ops.sigmoid(nn_ops.bias_add(gates, self.bias))
        theta, eta = array_ops.split(gates, 2, axis=1)
        proj_input = math_ops.matmul(inputs, w)
        new_h = theta * self.activation(state) + (1 - eta) * self.activation(proj_input)
        return new_h, new_h
