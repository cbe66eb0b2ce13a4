"""LSTM cells of `tf.contrib.rnn`: coupled gates, norms of layers and weights, groups."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.rnn.core_rnn_cell import _Linear, as_list, get_bias, total_size
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_impl, nn_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.random import init_ops, random_ops
from tf1compat.api.rnn import rnn_cell_impl
from tf1compat.api.rnn.rnn_cell_impl import (
    LSTMStateTuple,
    RNNCell,
    clip,
    known_input_size,
    lstm_sizes,
    sliced,
)
from tf1compat.api.variables import variable_scope as vs
from tf1compat.core import dtypes, export, ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import dimension_value
from tf1compat.core.typing import DTypeLike, Initializer, ShapeLike, TensorLike

# The scopes of the gates' norms, in the order of the gates.
_GATES = ("input", "transform", "forget", "output")


def _get_concat_variable(name: str, shape: list[int], dtype: DTypeLike, num_shards: int) -> Any:
    """A variable that is kept in parts along its first dimension, as one tensor."""
    parts = _get_sharded_variable(name, shape, dtype, num_shards)
    if len(parts) == 1:
        return parts[0]
    concat_name = name + "/concat"
    full_name = f"{vs.get_variable_scope().name}/{concat_name}:0"
    made = ops.get_collection(ops.GraphKeys.CONCATENATED_VARIABLES)
    joined = next((tensor for tensor in made if tensor.name == full_name), None)
    if joined is None:
        joined = array_ops.concat(parts, 0, name=concat_name)
        ops.add_to_collection(ops.GraphKeys.CONCATENATED_VARIABLES, joined)
    return joined


def _get_sharded_variable(
    name: str, shape: list[int], dtype: DTypeLike, num_shards: int
) -> list[Any]:
    """Variables that are the parts of one along its first dimension.

    Raises:
      ValueError: there are more parts than rows.
    """
    if num_shards > shape[0]:
        raise ValueError(f"Too many shards: shape={shape}, num_shards={num_shards}")
    size, larger = divmod(shape[0], num_shards)
    return [
        vs.get_variable(f"{name}_{i}", [size + (i < larger), *shape[1:]], dtype=dtype)
        for i in range(num_shards)
    ]


def _norm(g: Any, b: Any, inp: Tensor, scope: str, dtype: Any = None) -> Tensor:
    """`inp` normalised over its last dimension, with gain `g` and shift `b` at first."""
    shape = inp.get_shape()[-1:]
    dtype = {} if dtype is None else {"dtype": dtype}
    gamma, beta = init_ops.Constant(g), init_ops.Constant(b)
    with vs.variable_scope(scope):
        vs.get_variable("gamma", shape=shape, initializer=gamma, **dtype)
        vs.get_variable("beta", shape=shape, initializer=beta, **dtype)
    # By its name: tf.contrib.layers loads on first use.
    return export.find("contrib.layers.layer_norm")(inp, reuse=True, scope=scope)


def get_zeros(name: str, size: int, dtype: DTypeLike) -> Any:
    """A vector of zeros as a variable."""
    return vs.get_variable(name, shape=[size], initializer=init_ops.Zeros(), dtype=dtype)


def get_peepholes(names: str, size: int, dtype: DTypeLike) -> list[Any]:
    """Weights of the memory at gates, as variables."""
    return [vs.get_variable(name, shape=[size], dtype=dtype) for name in names.split()]


def _peeping(gate: Tensor, weights: Any, memory: Tensor) -> Tensor:
    """A gate that sees the memory, if there are weights for it."""
    return gate if weights is None else gate + weights * memory


def warn_concatenated(cell: Any, state_is_tuple: bool) -> None:
    """Says that states which are no tuples are slow."""
    if not state_is_tuple:
        logging.warn(
            "%s: Using a concatenated state is slower and will soon be deprecated.  Use "
            "state_is_tuple=True.",
            cell,
        )


class _SizedCell(RNNCell):
    """A cell that has its sizes in attributes."""

    _state_size: Any
    _output_size: Any

    state_size = attribute("_state_size", "The size of the state.")
    output_size = attribute("_output_size", "The size of the output.")


@tf_export("contrib.rnn.CoupledInputForgetGateLSTMCell")
class CoupledInputForgetGateLSTMCell(_SizedCell):
    """An LSTM cell whose input gate is 1 - its forget gate (https://arxiv.org/abs/1503.04069).

    Args:
      num_units: the size of the memory.
      use_peepholes: whether the gates see the memory.
      initializer: unused, as in TF.
      num_proj: the size of the output, which is projected then; None for no projection.
      proj_clip: the limit of the projected output; or None.
      num_unit_shards, num_proj_shards: in how many variables the kernels are kept.
      forget_bias: added to the forget gate's bias.
      state_is_tuple: states are (c, h) and not these concatenated.
      activation: a function.
      reuse: whether the variables must exist.
      layer_norm: whether gates and memory are normalised.
      norm_gain, norm_shift: the first gain and shift of the norms.
    """

    def __init__(
        self, num_units: int, use_peepholes: bool = False, initializer: Any = None,
        num_proj: Any = None, proj_clip: Any = None, num_unit_shards: int = 1,
        num_proj_shards: int = 1, forget_bias: Any = 1.0, state_is_tuple: bool = True,
        activation: Callable[..., Any] = math_ops.tanh, reuse: Any = None,
        layer_norm: bool = False, norm_gain: Any = 1.0, norm_shift: Any = 0.0,
    ):  # fmt: skip
        super().__init__(_reuse=reuse)
        warn_concatenated(self, state_is_tuple)
        self._num_units = num_units
        self._use_peepholes = use_peepholes
        self._initializer = initializer
        self._num_proj = num_proj
        self._proj_clip = proj_clip
        self._num_unit_shards = num_unit_shards
        self._num_proj_shards = num_proj_shards
        self._forget_bias = forget_bias
        self._state_is_tuple = state_is_tuple
        self._activation = activation
        self._reuse = reuse
        self._layer_norm = layer_norm
        self._norm_gain = norm_gain
        self._norm_shift = norm_shift
        self._state_size, self._output_size = lstm_sizes(num_units, num_proj, state_is_tuple)

    def call(self, inputs: Any, state: Any) -> Any:  # pyright: ignore
        """Does one step."""
        sigmoid = math_ops.sigmoid
        num_proj = self._num_units if self._num_proj is None else self._num_proj
        if not self._state_is_tuple:
            state = sliced(state, (self._num_units, num_proj))
        c_prev, m_prev = state
        dtype = inputs.dtype
        concat_w = _get_concat_variable(
            "W", [known_input_size(inputs) + num_proj, 3 * self._num_units], dtype,
            self._num_unit_shards,
        )  # fmt: skip
        b = get_zeros("B", 3 * self._num_units, dtype)
        lstm_matrix = math_ops.matmul(array_ops.concat([inputs, m_prev], 1), concat_w)
        if not self._layer_norm:
            lstm_matrix = nn_ops.bias_add(lstm_matrix, b)

        def norm(x: Tensor, scope: str) -> Tensor:
            return _norm(self._norm_gain, self._norm_shift, x, scope) if self._layer_norm else x

        gates = array_ops.split(value=lstm_matrix, num_or_size_splits=3, axis=1)
        j, f, o = (norm(gate, name) for gate, name in zip(gates, _GATES[1:], strict=True))
        w_f = w_o = None
        if self._use_peepholes:
            w_f, w_o = get_peepholes("W_F_diag W_O_diag", self._num_units, dtype)
        kept = sigmoid(_peeping(f + self._forget_bias, w_f, c_prev))
        c = norm(kept * c_prev + (1 - kept) * self._activation(j), "state")
        m = sigmoid(_peeping(o, w_o, c)) * self._activation(c)
        if self._num_proj is not None:
            concat_w_proj = _get_concat_variable(
                "W_P", [self._num_units, self._num_proj], dtype, self._num_proj_shards
            )
            m = clip(math_ops.matmul(m, concat_w_proj), self._proj_clip)
        if self._state_is_tuple:
            return m, LSTMStateTuple(c, m)
        return m, array_ops.concat([c, m], 1)


@tf_export("contrib.rnn.LayerNormBasicLSTMCell")
class LayerNormBasicLSTMCell(RNNCell):
    """A basic LSTM cell with layer norms (https://arxiv.org/abs/1607.06450) and recurrent dropout
    (https://arxiv.org/abs/1603.05118).

    Args:
      num_units: the size of the output and of both parts of the state.
      forget_bias: added to the forget gate's bias.
      input_size: deprecated and unused.
      activation: a function.
      layer_norm: whether gates and memory are normalised.
      norm_gain, norm_shift: the first gain and shift of the norms.
      dropout_keep_prob: the probability of keeping an element of the candidate.
      dropout_prob_seed: the op seed of the dropout.
      reuse: whether the variables must exist.
    """

    def __init__(
        self, num_units: int, forget_bias: Any = 1.0, input_size: Any = None,
        activation: Callable[..., Any] = math_ops.tanh, layer_norm: bool = True,
        norm_gain: Any = 1.0, norm_shift: Any = 0.0, dropout_keep_prob: Any = 1.0,
        dropout_prob_seed: Any = None, reuse: Any = None,
    ):  # fmt: skip
        super().__init__(_reuse=reuse)
        if input_size is not None:
            logging.warn("%s: The input_size parameter is deprecated.", self)
        self._num_units = num_units
        self._activation = activation
        self._forget_bias = forget_bias
        self._keep_prob = dropout_keep_prob
        self._seed = dropout_prob_seed
        self._layer_norm = layer_norm
        self._norm_gain = norm_gain
        self._norm_shift = norm_shift
        self._reuse = reuse

    @property
    def state_size(self) -> Any:
        """(num_units, num_units)."""
        return LSTMStateTuple(self._num_units, self._num_units)

    output_size = attribute("_num_units", "The number of units.")

    def _norm(self, inp: Any, scope: str, dtype: DTypeLike = dtypes.float32) -> Tensor:
        return _norm(self._norm_gain, self._norm_shift, inp, scope, dtype)

    def _linear(self, args: Any) -> Tensor:
        out_size = 4 * self._num_units
        dtype = args.dtype
        weights = vs.get_variable("kernel", [args.get_shape()[-1], out_size], dtype=dtype)
        out = math_ops.matmul(args, weights)
        if not self._layer_norm:
            out = nn_ops.bias_add(out, vs.get_variable("bias", [out_size], dtype=dtype))
        return out

    def call(self, inputs: Any, state: Any) -> Any:  # pyright: ignore
        """Does one step."""
        c, h = state
        args = array_ops.concat([inputs, h], 1)

        def norm(x: Tensor, scope: str) -> Tensor:
            return self._norm(x, scope, dtype=args.dtype) if self._layer_norm else x

        gates = array_ops.split(value=self._linear(args), num_or_size_splits=4, axis=1)
        i, j, f, o = (norm(gate, name) for gate, name in zip(gates, _GATES, strict=True))
        g = self._activation(j)
        if not isinstance(self._keep_prob, float) or self._keep_prob < 1:
            g = nn_ops.dropout(g, self._keep_prob, seed=self._seed)
        new_c = c * math_ops.sigmoid(f + self._forget_bias) + math_ops.sigmoid(i) * g
        new_c = norm(new_c, "state")
        new_h = self._activation(new_c) * math_ops.sigmoid(o)
        return new_h, LSTMStateTuple(new_c, new_h)


class _LSTM(_SizedCell):
    """What the LSTM cells with norms share: their arguments and sizes."""

    def __init__(
        self, num_units: int, use_peepholes: bool, cell_clip: Any, initializer: Any,
        num_proj: Any, proj_clip: Any, forget_bias: Any, activation: Any, reuse: Any,
    ):  # fmt: skip
        super().__init__(_reuse=reuse)
        self._num_units = num_units
        self._use_peepholes = use_peepholes
        self._cell_clip = cell_clip
        self._initializer = initializer
        self._num_proj = num_proj
        self._proj_clip = proj_clip
        self._forget_bias = forget_bias
        self._activation = activation or math_ops.tanh
        self._state_size, self._output_size = lstm_sizes(num_units, num_proj)


class LayerNormLSTMCell(_LSTM):
    """An LSTM cell with layer norms (https://arxiv.org/abs/1607.06450).

    Args:
      num_units: the size of the memory.
      use_peepholes: whether the gates see the memory.
      cell_clip: the limit of the memory; or None.
      initializer: of kernels and peepholes; the variable scope's by default.
      num_proj: the size of the output, which is projected then; None for no projection.
      proj_clip: the limit of the projected output; or None.
      forget_bias: added to the forget gate's bias.
      activation: a function; tanh by default.
      layer_norm: whether gates and memory are normalised.
      norm_gain, norm_shift: the first gain and shift of the norms.
      reuse: whether the variables must exist.
    """

    def __init__(
        self, num_units: int, use_peepholes: bool = False, cell_clip: Any = None,
        initializer: Any = None, num_proj: Any = None, proj_clip: Any = None,
        forget_bias: Any = 1.0, activation: Any = None, layer_norm: bool = False,
        norm_gain: Any = 1.0, norm_shift: Any = 0.0, reuse: Any = None,
    ):  # fmt: skip
        super().__init__(
            num_units, use_peepholes, cell_clip, initializer, num_proj, proj_clip, forget_bias,
            activation, reuse,
        )  # fmt: skip
        self._layer_norm = layer_norm
        self._norm_gain = norm_gain
        self._norm_shift = norm_shift

    def _linear(
        self, args: Any, output_size: int, bias: bool, bias_initializer: Initializer | None = None,
        kernel_initializer: Initializer | None = None, layer_norm: bool = False,
    ) -> Tensor:  # fmt: skip
        """args @ kernel + bias; the bias is made but not added where a layer norm follows."""
        args = as_list(args)
        size = total_size(args)
        dtype = args[0].dtype
        with vs.variable_scope(vs.get_variable_scope()) as outer_scope:
            weights = vs.get_variable(
                "kernel", [size, output_size], dtype=dtype, initializer=kernel_initializer
            )
            joined = args[0] if len(args) == 1 else array_ops.concat(args, 1)
            result = math_ops.matmul(joined, weights)
            if not bias:
                return result
            biases = get_bias(outer_scope, output_size, dtype, bias_initializer)
        return result if layer_norm else nn_ops.bias_add(result, biases)

    def call(self, inputs: Any, state: Any) -> Any:  # pyright: ignore
        """Does one step."""
        c_prev, m_prev = state
        known_input_size(inputs)

        def norm(x: Tensor, scope: str) -> Tensor:
            return _norm(self._norm_gain, self._norm_shift, x, scope) if self._layer_norm else x

        with vs.variable_scope(
            vs.get_variable_scope(), initializer=self._initializer
        ) as unit_scope:
            lstm_matrix = self._linear(
                [inputs, m_prev], 4 * self._num_units, bias=True, layer_norm=self._layer_norm
            )
            gates = array_ops.split(value=lstm_matrix, num_or_size_splits=4, axis=1)
            gates = [norm(gate, name) for gate, name in zip(gates, _GATES, strict=True)]
            peepholes = None
            if self._use_peepholes:
                with vs.variable_scope(unit_scope):
                    peepholes = get_peepholes(
                        "w_f_diag w_i_diag w_o_diag", self._num_units, inputs.dtype
                    )
            c, m = rnn_cell_impl.lstm_step(
                gates, c_prev, self._forget_bias, self._activation, peepholes, self._cell_clip,
                lambda c: norm(c, "state"),
            )  # fmt: skip
            if self._num_proj is not None:
                with vs.variable_scope("projection"):
                    m = self._linear(m, self._num_proj, bias=False)
                m = clip(m, self._proj_clip)
        return m, LSTMStateTuple(c, m)


class WeightNormLSTMCell(_LSTM):
    """An LSTM cell with weight normalisation (https://arxiv.org/abs/1602.07868).

    Args:
      num_units: the size of the memory.
      norm: whether the kernels are normalised.
      use_peepholes: whether the gates see the memory.
      cell_clip: the limit of the memory; or None.
      initializer: of kernels and peepholes; the variable scope's by default.
      num_proj: the size of the output, which is projected then; None for no projection.
      proj_clip: the limit of the projected output; or None.
      forget_bias: added to the forget gate's bias.
      activation: a function; tanh by default.
      reuse: whether the variables must exist.
    """

    def __init__(
        self, num_units: int, norm: bool = True, use_peepholes: bool = False,
        cell_clip: Any = None, initializer: Any = None, num_proj: Any = None,
        proj_clip: Any = None, forget_bias: Any = 1, activation: Any = None, reuse: Any = None,
    ):  # fmt: skip
        super().__init__(
            num_units, use_peepholes, cell_clip, initializer, num_proj, proj_clip, forget_bias,
            activation, reuse,
        )  # fmt: skip
        # A scope that exists before the layer is called, and another of that name inside it.
        self._scope = "wn_lstm_cell"
        self._norm = norm

    def _normalize(self, weight: Tensor, name: str) -> Tensor:
        """A kernel whose columns have the lengths that a variable says."""
        g = vs.get_variable(name, [weight.get_shape().as_list()[1]], dtype=weight.dtype)
        return nn_impl.l2_normalize(weight, axis=0) * g

    def _linear(
        self, args: Any, output_size: int, norm: bool, bias: bool,
        bias_initializer: Initializer | None = None,
        kernel_initializer: Initializer | None = None,
    ) -> Tensor:  # fmt: skip
        """args @ kernel + bias; the part of the kernel for each input is normalised by itself."""
        args = as_list(args)
        size = total_size(args)
        dtype = args[0].dtype
        with vs.variable_scope(vs.get_variable_scope()) as outer_scope:
            weights = vs.get_variable(
                "kernel", [size, output_size], dtype=dtype, initializer=kernel_initializer
            )
            if norm:
                parts: list[Tensor] = []
                start: Any = 0
                with ops.control_dependencies(None):
                    for i, arg in enumerate(args):
                        end = start + dimension_value(arg.get_shape()[1])
                        parts.append(self._normalize(weights[start:end, :], name=f"norm_{i}"))
                        start = end
                    weights = array_ops.concat(parts, axis=0)
            joined = args[0] if len(args) == 1 else array_ops.concat(args, 1)
            result = math_ops.matmul(joined, weights)
            if not bias:
                return result
            biases = get_bias(outer_scope, output_size, dtype, bias_initializer)
            return nn_ops.bias_add(result, biases)

    def call(self, inputs: Any, state: Any) -> Any:  # pyright: ignore
        """Does one step."""
        sigmoid, activation = math_ops.sigmoid, self._activation
        c, h = state
        known_input_size(inputs)
        with vs.variable_scope(self._scope, initializer=self._initializer):
            concat = self._linear([inputs, h], 4 * self._num_units, norm=self._norm, bias=True)
            i, j, f, o = array_ops.split(value=concat, num_or_size_splits=4, axis=1)
            w_f = w_i = w_o = None
            if self._use_peepholes:
                w_f, w_i, w_o = get_peepholes(
                    "w_f_diag w_i_diag w_o_diag", self._num_units, inputs.dtype
                )
            kept = c * sigmoid(_peeping(f + self._forget_bias, w_f, c))
            new_c = kept + sigmoid(_peeping(i, w_i, c)) * activation(j)
            new_c = clip(new_c, self._cell_clip)
            new_h = sigmoid(_peeping(o, w_o, new_c)) * activation(new_c)
            if self._num_proj is not None:
                with vs.variable_scope("projection"):
                    new_h = self._linear(new_h, self._num_proj, norm=self._norm, bias=False)
                new_h = clip(new_h, self._proj_clip)
            return new_h, LSTMStateTuple(new_c, new_h)


@tf_export("contrib.rnn.GLSTMCell")
class GLSTMCell(_SizedCell):
    """An LSTM cell of groups that see a part of inputs and output each
    (https://arxiv.org/abs/1703.10722).

    Args:
      num_units: the size of the memory.
      initializer: of the variables; the variable scope's by default.
      num_proj: the size of the output, which is projected then; None for no projection.
      number_of_groups: how many groups there are.
      forget_bias: added to the forget gate's bias.
      activation: a function.
      reuse: whether the variables must exist.

    Raises:
      ValueError: a size can't be divided by the number of groups.
    """

    def __init__(
        self, num_units: int, initializer: Any = None, num_proj: Any = None,
        number_of_groups: int = 1, forget_bias: Any = 1.0,
        activation: Callable[..., Any] = math_ops.tanh, reuse: Any = None,
    ):  # fmt: skip
        super().__init__(_reuse=reuse)
        self._num_units = num_units
        self._initializer = initializer
        self._num_proj = num_proj
        self._forget_bias = forget_bias
        self._activation = activation
        self._number_of_groups = number_of_groups
        if num_units % number_of_groups != 0:
            raise ValueError("num_units must be divisible by number_of_groups")
        if num_proj and num_proj % number_of_groups != 0:
            raise ValueError("num_proj must be divisible by number_of_groups")
        self._group_shape = [
            (num_proj or num_units) // number_of_groups,
            num_units // number_of_groups,
        ]
        self._state_size, self._output_size = lstm_sizes(num_units, num_proj)
        self._linear1: list[Any] = [None] * number_of_groups
        self._linear2: Any = None

    def _get_input_for_group(self, inputs: Any, group_id: int, group_size: int) -> Tensor:
        return array_ops.slice(
            input_=inputs, begin=[0, group_id * group_size], size=[self._batch_size, group_size],
            name=f"GLSTM_group{group_id}_input_generation",
        )  # fmt: skip

    def call(self, inputs: Any, state: Any) -> Any:  # pyright: ignore
        """Does one step.

        Raises:
          ValueError: the inputs' size is unknown, or can't be divided by the number of groups.
        """
        c_prev, m_prev = state
        self._batch_size = dimension_value(inputs.shape[0]) or array_ops.shape(inputs)[0]
        input_size = dimension_value(inputs.shape[1])
        if input_size is None:
            raise ValueError("input size must be statically known")
        if input_size % self._number_of_groups != 0:
            raise ValueError(
                f"input size ({input_size}) must be divisible by number_of_groups "
                f"({self._number_of_groups})"
            )
        input_group_size = input_size // self._number_of_groups
        dtype = inputs.dtype
        parts: list[list[Tensor]] = []
        with vs.variable_scope(vs.get_variable_scope(), initializer=self._initializer):
            for group_id in range(self._number_of_groups):
                with vs.variable_scope(f"group{group_id}"):
                    x = array_ops.concat(
                        [
                            self._get_input_for_group(inputs, group_id, input_group_size),
                            self._get_input_for_group(m_prev, group_id, self._group_shape[0]),
                        ],
                        axis=1,
                    )
                    if self._linear1[group_id] is None:
                        self._linear1[group_id] = _Linear(x, 4 * self._group_shape[1], False)
                    parts.append(array_ops.split(self._linear1[group_id](x), 4, 1))
            biases = [
                vs.get_variable(
                    name=name, shape=[self._num_units], dtype=dtype,
                    initializer=init_ops.Constant(0.0, dtype=dtype),
                )
                for name in ("bias_i", "bias_j", "bias_f", "bias_o")
            ]  # fmt: skip
            i, j, f, o = (
                nn_ops.bias_add(array_ops.concat(list(group), axis=1), bias)
                for group, bias in zip(zip(*parts, strict=True), biases, strict=True)
            )
        kept = math_ops.sigmoid(f + self._forget_bias) * c_prev
        c = kept + math_ops.sigmoid(i) * math_ops.tanh(j)
        m = math_ops.sigmoid(o) * self._activation(c)
        if self._num_proj is not None:
            with vs.variable_scope("projection"):
                if self._linear2 is None:
                    self._linear2 = _Linear(m, self._num_proj, False)
                m = self._linear2(m)
        return m, LSTMStateTuple(c, m)


def _random_exp_initializer(
    minval: TensorLike,
    maxval: TensorLike,
    seed: int | None = None,
    dtype: DTypeLike = dtypes.float32,
) -> Callable[..., Tensor]:
    """An initializer whose logarithm is uniform between those of `minval` and `maxval`."""

    def initialize(
        shape: ShapeLike, dtype: DTypeLike = dtype, partition_info: Any = None
    ) -> Tensor:
        low, high = math_ops.log(minval), math_ops.log(maxval)
        return math_ops.exp(random_ops.random_uniform(shape, low, high, dtype, seed=seed))

    return initialize


@tf_export("contrib.rnn.PhasedLSTMCell")
class PhasedLSTMCell(RNNCell):
    """An LSTM cell that is open a part of the time only (https://arxiv.org/abs/1610.09513).

    Its input is a pair: times [batch, 1] and features [batch, size].

    Args:
      num_units: the size of the output and of both parts of the state.
      use_peepholes: whether the gates see the memory.
      leak: how far it is open when it is closed.
      ratio_on: the part of the time in which it is open.
      trainable_ratio_on: whether that is trained.
      period_init_min, period_init_max: the range of the first periods.
      reuse: whether the variables must exist.
    """

    def __init__(
        self, num_units: int, use_peepholes: bool = False, leak: Any = 0.001,
        ratio_on: Any = 0.1, trainable_ratio_on: bool = True, period_init_min: Any = 1.0,
        period_init_max: Any = 1000.0, reuse: Any = None,
    ):  # fmt: skip
        super().__init__(_reuse=reuse, autocast=False)
        self._num_units = num_units
        self._use_peepholes = use_peepholes
        self._leak = leak
        self._ratio_on = ratio_on
        self._trainable_ratio_on = trainable_ratio_on
        self._period_init_min = period_init_min
        self._period_init_max = period_init_max
        self._reuse = reuse
        self._linears: dict[str, Any] = {}

    @property
    def state_size(self) -> Any:
        """(num_units, num_units)."""
        return LSTMStateTuple(self._num_units, self._num_units)

    output_size = attribute("_num_units", "The number of units.")

    def _mod(self, x: Tensor, y: Tensor) -> Tensor:
        """x modulo y, whose gradient is that of x."""
        return array_ops.stop_gradient(math_ops.mod(x, y) - x) + x

    def _get_cycle_ratio(self, time: Tensor, phase: Any, period: Any) -> Tensor:
        """How much of the current period is over."""
        phase, period = (math_ops.cast(x, time.dtype) for x in (phase, period))
        return math_ops.cast(self._mod(time - phase, period) / period, dtypes.float32)

    def _linear(self, scope: str, args: list[Tensor], size: int) -> Tensor:
        if scope not in self._linears:
            self._linears[scope] = _Linear(args, size, True)
        return self._linears[scope](args)

    def call(self, inputs: Any, state: Any) -> Any:  # pyright: ignore
        """Does one step."""
        c_prev, h_prev = state
        time, x = inputs
        units = self._num_units
        seen = [x, h_prev] + ([c_prev] if self._use_peepholes else [])
        with vs.variable_scope("mask_gates"):
            mask_gates = math_ops.sigmoid(self._linear("mask_gates", seen, 2 * units))
            input_gate, forget_gate = array_ops.split(
                axis=1, num_or_size_splits=2, value=mask_gates
            )
        with vs.variable_scope("new_input"):
            new_input = math_ops.tanh(self._linear("new_input", [x, h_prev], units))
        new_c = c_prev * forget_gate + input_gate * new_input
        seen = [x, h_prev] + ([new_c] if self._use_peepholes else [])
        with vs.variable_scope("output_gate"):
            output_gate = math_ops.sigmoid(self._linear("output_gate", seen, units))
        new_h = math_ops.tanh(new_c) * output_gate
        period = vs.get_variable(
            "period", [units],
            initializer=_random_exp_initializer(self._period_init_min, self._period_init_max),
        )  # fmt: skip
        phase = vs.get_variable(
            "phase", [units], initializer=init_ops.RandomUniform(0.0, period.initial_value)
        )
        ratio_on = vs.get_variable(
            "ratio_on", [units], initializer=init_ops.Constant(self._ratio_on),
            trainable=self._trainable_ratio_on,
        )  # fmt: skip
        cycle_ratio = self._get_cycle_ratio(time, phase, period)
        # How far it is open: it opens, it closes, it leaks.
        rising = 2 * cycle_ratio / ratio_on
        falling, leaking = 2 - rising, self._leak * cycle_ratio
        k = array_ops.where(cycle_ratio < ratio_on, falling, leaking)
        k = array_ops.where(cycle_ratio < 0.5 * ratio_on, rising, k)
        new_c, new_h = (k * new + (1 - k) * old for new, old in ((new_c, c_prev), (new_h, h_prev)))
        return new_h, LSTMStateTuple(new_c, new_h)
