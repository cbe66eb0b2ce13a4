"""The neural Turing machine as a cell (https://arxiv.org/abs/1807.08518)."""

from __future__ import annotations

import collections
import math
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import clip_ops, math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.random import init_ops
from tf1compat.api.rnn.rnn_cell_impl import LayerRNNCell, assert_like_rnncell
from tf1compat.core import dtypes
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape, dimension_value
from tf1compat.core.typing import DTypeLike, Name, TensorLike

NTMControllerState = collections.namedtuple(
    "NTMControllerState", ("controller_state", "read_vector_list", "w_list", "M", "time")
)


def _batch_size(x: Tensor) -> Any:
    return dimension_value(x.shape[0]) or array_ops.shape(x)[0]


def _length(x: Tensor, axis: int) -> Tensor:
    return math_ops.sqrt(math_ops.reduce_sum(math_ops.square(x), axis=axis, keepdims=True))


def _cosine(memory: Tensor, key: Tensor) -> Tensor:
    """How similar each of the memory's vectors is to the key of each of the batch."""
    key = array_ops.expand_dims(key, axis=2)
    product = math_ops.matmul(memory, key)
    key_length = _length(key, 1)
    return array_ops.squeeze(product / (_length(memory, 2) * key_length + 1e-8))


def _normalized(x: Tensor) -> Tensor:
    return x / math_ops.reduce_sum(x, axis=1, keepdims=True)


class NTMCell(LayerRNNCell):
    """A neural Turing machine.

    Args:
      controller: the cell that reads the inputs and moves the heads.
      memory_size: how many vectors the memory has.
      memory_vector_dim: their size.
      read_head_num, write_head_num: the numbers of heads.
      shift_range: how far a head moves in a step at most.
      output_dim: the size of the output; that of the inputs by default.
      clip_value: the limit of outputs and of what the controller says.
      dtype: of the variables.
      name: the layer's name.

    Raises:
      TypeError: the controller is no cell.
    """

    def __init__(
        self, controller: Any, memory_size: int, memory_vector_dim: int, read_head_num: int,
        write_head_num: int, shift_range: int = 1, output_dim: Any = None, clip_value: Any = 20,
        dtype: DTypeLike = dtypes.float32, name: Name = None,
    ):  # fmt: skip
        super().__init__(dtype=dtype, name=name)
        assert_like_rnncell("NTM RNN controller cell", controller)
        self.controller = controller
        self.memory_size = memory_size
        self.memory_vector_dim = memory_vector_dim
        self.read_head_num = read_head_num
        self.write_head_num = write_head_num
        self.clip_value = clip_value
        self.output_dim = output_dim
        self.shift_range = shift_range
        self.num_parameters_per_head = memory_vector_dim + 2 * shift_range + 4
        self.num_heads = read_head_num + write_head_num
        self.total_parameter_num = (
            self.num_parameters_per_head * self.num_heads + memory_vector_dim * 2 * write_head_num
        )

    @property
    def state_size(self) -> Any:
        """The sizes of an `NTMControllerState`."""
        return NTMControllerState(
            controller_state=self.controller.state_size,
            read_vector_list=[self.memory_vector_dim for _ in range(self.read_head_num)],
            w_list=[self.memory_size for _ in range(self.num_heads)],
            M=TensorShape([self.memory_size * self.memory_vector_dim]),
            time=TensorShape([]),
        )

    @property
    def output_size(self) -> Any:
        """The size of the output; None before the cell is built, if it is not given."""
        return self.output_dim

    def build(self, inputs_shape: Any) -> None:
        """Makes the variables of controller, output, heads and memory."""
        if self.output_dim is None:
            if dimension_value(inputs_shape[1]) is None:
                raise ValueError(
                    f"Expected inputs.shape[-1] to be known, saw shape: {inputs_shape}"
                )
            self.output_dim = dimension_value(inputs_shape[1])

        def linear(size: int) -> Any:
            return init_ops.TruncatedNormal(stddev=1.0 / math.sqrt(size), dtype=dtypes.float32)

        def zeros() -> Any:
            return init_ops.Constant(0.0, dtype=self.dtype)

        width, size = self.memory_vector_dim, self.controller.output_size
        self._params_kernel = self.add_variable(
            "parameters_kernel", shape=[size, self.total_parameter_num], initializer=linear(size)
        )
        self._params_bias = self.add_variable(
            "parameters_bias", shape=[self.total_parameter_num], initializer=zeros()
        )
        size += width * self.read_head_num
        self._output_kernel = self.add_variable(
            "output_kernel", shape=[size, self.output_dim], initializer=linear(size)
        )
        self._output_bias = self.add_variable(
            "output_bias", shape=[self.output_dim], initializer=zeros()
        )
        self._init_read_vectors = [
            self.add_variable(
                f"initial_read_vector_{i}", shape=[1, width],
                initializer=init_ops.GlorotUniform(),
            )
            for i in range(self.read_head_num)
        ]  # fmt: skip
        self._init_address_weights = [
            self.add_variable(
                f"initial_address_weights_{i}", shape=[1, self.memory_size],
                initializer=init_ops.GlorotUniform(),
            )
            for i in range(self.num_heads)
        ]  # fmt: skip
        self._M = self.add_variable(
            "memory", shape=[self.memory_size, width],
            initializer=init_ops.Constant(1e-6, dtype=self.dtype),
        )  # fmt: skip
        self.built = True

    def call(self, x: Any, prev_state: Any) -> Any:  # pyright: ignore
        """Does one step."""

        def at_start(first: Any, later: Any) -> Any:
            return control_flow_ops.cond(math_ops.equal(prev_state.time, 0), first, lambda: later)

        def constant_vector(weights: Any, activation: Any) -> Tensor:
            """A row as it is after `activation`, for each of the batch."""
            row = math_ops.matmul(array_ops.ones([1, 1]), weights)
            return self._expand(activation(array_ops.squeeze(row)), dim=0, N=_batch_size(x))

        prev_read_vector_list = at_start(
            lambda: [constant_vector(v, math_ops.tanh) for v in self._init_read_vectors],
            prev_state.read_vector_list,
        )
        if self.read_head_num == 1:
            prev_read_vector_list = [prev_read_vector_list]
        controller_input = array_ops.concat([x, *prev_read_vector_list], axis=1)
        controller_output, controller_state = self.controller(
            controller_input, prev_state.controller_state
        )
        parameters = self._clipped(controller_output, self._params_kernel, self._params_bias)
        of_heads = self.num_parameters_per_head * self.num_heads
        head_parameter_list = array_ops.split(parameters[:, :of_heads], self.num_heads, axis=1)
        erase_add_list = array_ops.split(parameters[:, of_heads:], 2 * self.write_head_num, axis=1)
        prev_w_list = at_start(
            lambda: [constant_vector(w, nn_ops.softmax) for w in self._init_address_weights],
            prev_state.w_list,
        )
        if self.num_heads == 1:
            prev_w_list = [prev_w_list]
        prev_memory = at_start(lambda: self._expand(self._M, dim=0, N=_batch_size(x)), prev_state.M)
        w_list = [
            self._head(head_parameter, prev_memory, prev_w_list[i])
            for i, head_parameter in enumerate(head_parameter_list)
        ]
        read_vector_list = [
            math_ops.reduce_sum(array_ops.expand_dims(w, dim=2) * prev_memory, axis=1)
            for w in w_list[: self.read_head_num]
        ]
        memory = prev_memory
        writes = zip(
            w_list[self.read_head_num :], erase_add_list[::2], erase_add_list[1::2], strict=True
        )
        for w, erase, add in writes:
            w = array_ops.expand_dims(w, axis=2)
            erase = array_ops.expand_dims(math_ops.sigmoid(erase), axis=1)
            add = array_ops.expand_dims(math_ops.tanh(add), axis=1)
            kept = array_ops.ones_like(memory) - math_ops.matmul(w, erase)
            memory = memory * kept + math_ops.matmul(w, add)
        seen = array_ops.concat([controller_output, *read_vector_list], axis=1)
        output = self._clipped(seen, self._output_kernel, self._output_bias)
        return output, NTMControllerState(
            controller_state=controller_state,
            read_vector_list=read_vector_list,
            w_list=w_list,
            M=memory,
            time=prev_state.time + 1,
        )

    def _head(self, parameters: Tensor, prev_memory: Tensor, prev_w: Tensor) -> Tensor:
        """Where a head looks next, from what the controller says."""
        width = self.memory_vector_dim
        k = math_ops.tanh(parameters[:, 0:width])
        beta = nn_ops.softplus(parameters[:, width])
        g = math_ops.sigmoid(parameters[:, width + 1])
        s = nn_ops.softmax(parameters[:, width + 2 : width + 2 + (self.shift_range * 2 + 1)])
        gamma = nn_ops.softplus(parameters[:, -1]) + 1
        return self._addressing(k, beta, g, s, gamma, prev_memory, prev_w)

    def _clipped(self, x: TensorLike, kernel: Any, bias: TensorLike) -> Tensor:
        """`x @ kernel + bias`, as far as it may be from 0."""
        y = nn_ops.bias_add(math_ops.matmul(x, kernel), bias)
        return clip_ops.clip_by_value(y, -self.clip_value, self.clip_value)

    def _expand(self, x: TensorLike, dim: int, N: Any) -> Tensor:  # noqa: N803
        return array_ops.concat([array_ops.expand_dims(x, dim) for _ in range(N)], axis=dim)

    def _addressing(
        self, k: Tensor, beta: Tensor, g: Tensor, s: Tensor, gamma: Tensor, prev_memory: Tensor,
        prev_w: Tensor,
    ) -> Tensor:  # fmt: skip
        """The weights of the memory's vectors for a head.

        Args:
          k, beta: what to look for, and how sharply.
          g: how much of that to take rather than of the weights before.
          s: the weights of the shifts.
          gamma: how much the weights are sharpened in the end.
          prev_memory: the memory.
          prev_w: the weights before.
        """
        similarity = _cosine(prev_memory, k)
        found = _normalized(math_ops.exp(array_ops.expand_dims(beta, axis=1) * similarity))
        g = array_ops.expand_dims(g, axis=1)
        shifted = self._shifted(g * found + (1 - g) * prev_w, s)
        return _normalized(math_ops.pow(shifted, array_ops.expand_dims(gamma, axis=1)))

    def _shifted(self, weights: Tensor, shifts: Tensor) -> Tensor:
        """The circular convolution of the weights with those of the shifts."""
        size, reach = self.memory_size, self.shift_range
        ahead = shifts[:, : reach + 1]
        never = array_ops.zeros([_batch_size(shifts), size - (reach * 2 + 1)])
        circle = array_ops.concat([ahead, never, shifts[:, -reach:]], axis=1)
        twice = array_ops.concat([array_ops.reverse(circle, axis=[1]) for _ in range(2)], axis=1)
        rows = [twice[:, begin : begin + size] for begin in reversed(range(size))]
        matrix = array_ops.stack(rows, axis=1)
        return math_ops.reduce_sum(array_ops.expand_dims(weights, axis=1) * matrix, axis=2)

    def zero_state(self, batch_size: Any, dtype: DTypeLike) -> Any:
        """A state before the first step."""
        read_vector_list = [
            array_ops.zeros([batch_size, self.memory_vector_dim]) for _ in range(self.read_head_num)
        ]
        w_list = [array_ops.zeros([batch_size, self.memory_size]) for _ in range(self.num_heads)]
        controller_state = self.controller.zero_state(batch_size, dtype)
        memory = array_ops.zeros([batch_size, self.memory_size, self.memory_vector_dim])
        return NTMControllerState(controller_state, read_vector_list, w_list, memory, 0)
