"""`tf.nn.rnn_cell`: cells of recurrent nets (`tensorflow.python.ops.rnn_cell_impl`)."""

from __future__ import annotations

import collections
import itertools
from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.keras import activations, lookup
from tf1compat.api.keras.engine.input_spec import InputSpec
from tf1compat.api.layers import base as base_layer
from tf1compat.api.math import clip_ops, math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.random import init_ops
from tf1compat.api.rnn import rnn_cell_wrapper_impl
from tf1compat.api.rnn.rnn_cell_base import *  # noqa: F403
from tf1compat.api.rnn.rnn_cell_base import (  # noqa: F401
    _BIAS_VARIABLE_NAME,
    _WEIGHTS_VARIABLE_NAME,
    LayerRNNCell,
    RNNCell,
    _check_rnn_cell_input_dtypes,
    _check_supported_dtypes,
    _concat,
    _zero_state_tensors,
    assert_like_rnncell,
)
from tf1compat.api.training.tracking.base import Trackable
from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.variables import partitioned_variables
from tf1compat.api.variables import variable_scope as vs
from tf1compat.core import dtypes, nest, ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, Initializer, Name, TensorLike


def _activation(activation: Any) -> Callable[[Any], Any]:
    return activations.get(activation) if activation else math_ops.tanh


def _warn_concatenated(cell: Any, state_is_tuple: bool) -> None:
    if not state_is_tuple:
        logging.warn(
            "%s: Using a concatenated state is slower and will soon be deprecated.  Use "
            "state_is_tuple=True.",
            cell,
        )


def _serialized(initializer: Any) -> Any:
    """An initializer as layers keep it in their config."""
    if initializer is None:
        return None
    if hasattr(initializer, "get_config"):
        return {"class_name": type(initializer).__name__, "config": initializer.get_config()}
    return initializer.__name__


def _kernel_and_bias(cell: LayerRNNCell, rows: int, columns: int) -> tuple[Any, Any]:
    kernel = cell.add_variable(_WEIGHTS_VARIABLE_NAME, shape=[rows, columns])
    zeros = init_ops.Zeros(dtype=cell.dtype)
    return kernel, cell.add_variable(_BIAS_VARIABLE_NAME, shape=[columns], initializer=zeros)


def affine(parts: list[Any], kernel: Any, bias: TensorLike) -> Tensor:
    """`parts`, joined along their second dimension, times the kernel, plus the bias."""
    return nn_ops.bias_add(math_ops.matmul(array_ops.concat(parts, 1), kernel), bias)


def sliced(x: Tensor, sizes: Sequence[Any]) -> list[Tensor]:
    """The parts of `x` that have these sizes along its second dimension."""
    begins = itertools.accumulate(sizes, initial=0)
    return [
        array_ops.slice(x, [0, begin], [-1, size])
        for begin, size in zip(begins, sizes, strict=False)
    ]


def gru_gates(cell: Any, inputs: Any, state: Any) -> list[Tensor]:
    """The reset and the update gate of a GRU cell."""
    gates = math_ops.sigmoid(affine([inputs, state], cell._gate_kernel, cell._gate_bias))
    return array_ops.split(value=gates, num_or_size_splits=2, axis=1)


@tf_export("nn.rnn_cell.BasicRNNCell")
class BasicRNNCell(LayerRNNCell):
    """output = next state = activation([input, state] @ kernel + bias).

    Args:
      num_units: the size of state and output.
      activation: a function, or its name; tanh by default.
      reuse: whether the variables must exist.
      name: the layer's name.
      dtype: of the variables; that of the inputs by default.
      **kwargs: as in `tf.layers.Layer`.
    """

    @deprecated(
        None,
        "This class is equivalent as tf.keras.layers.SimpleRNNCell, and will be replaced by that "
        "in Tensorflow 2.0.",
    )
    def __init__(
        self, num_units: int, activation: Callable[..., Any] | str | None = None,
        reuse: Any = None, name: Name = None,
        dtype: DTypeLike | None = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        _check_supported_dtypes(self.dtype)
        self.input_spec = InputSpec(ndim=2)
        self._num_units = num_units
        self._activation = _activation(activation)

    state_size = attribute("_num_units", "The number of units.")
    output_size = attribute("_num_units", "The number of units.")

    def build(self, inputs_shape: Any) -> None:
        """Makes the kernel and the bias."""
        depth = self._input_depth(inputs_shape)
        units = self._num_units
        self._kernel, self._bias = _kernel_and_bias(self, depth + units, units)
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:  # pyright: ignore
        """Does one step."""
        _check_rnn_cell_input_dtypes([inputs, state])
        output = self._activation(affine([inputs, state], self._kernel, self._bias))
        return output, output

    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal cell."""
        return {
            **super().get_config(),
            "num_units": self._num_units,
            "activation": self._activation.__name__,
            "reuse": self._reuse,
        }


@tf_export("nn.rnn_cell.GRUCell")
class GRUCell(LayerRNNCell):
    """The gated recurrent unit of Cho et al. (2014), https://arxiv.org/abs/1406.1078.

    Args:
      num_units: the size of state and output.
      activation: a function, or its name; tanh by default.
      reuse: whether the variables must exist.
      kernel_initializer, bias_initializer: of the variables; by default the variable scope's, and 1
        for the bias of the gates, 0 for that of the candidate.
      name: the layer's name.
      dtype: of the variables; that of the inputs by default.
      **kwargs: as in `tf.layers.Layer`.
    """

    @deprecated(
        None,
        "This class is equivalent as tf.keras.layers.GRUCell, and will be replaced by that in "
        "Tensorflow 2.0.",
    )
    def __init__(
        self, num_units: int, activation: Callable[..., Any] | str | None = None, reuse: Any = None,
        kernel_initializer: Initializer | None = None, bias_initializer: Initializer | None = None,
        name: Name = None,
        dtype: DTypeLike | None = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        _check_supported_dtypes(self.dtype)
        self.input_spec = InputSpec(ndim=2)
        self._num_units = num_units
        self._activation = _activation(activation)
        self._kernel_initializer = lookup.initializer(kernel_initializer)
        self._bias_initializer = lookup.initializer(bias_initializer)

    state_size = attribute("_num_units", "The number of units.")
    output_size = attribute("_num_units", "The number of units.")

    def build(self, inputs_shape: Any) -> None:
        """Makes the kernels and biases of the gates and of the candidate."""
        units, given = self._num_units, self._bias_initializer
        depth = self._input_depth(inputs_shape)
        self._gate_kernel = self.add_variable(
            f"gates/{_WEIGHTS_VARIABLE_NAME}",
            shape=[depth + units, 2 * units],
            initializer=self._kernel_initializer,
        )
        ones = init_ops.Constant(1.0, dtype=self.dtype) if given is None else given
        self._gate_bias = self.add_variable(
            f"gates/{_BIAS_VARIABLE_NAME}", shape=[2 * units], initializer=ones
        )
        self._candidate_kernel = self.add_variable(
            f"candidate/{_WEIGHTS_VARIABLE_NAME}",
            shape=[depth + units, units],
            initializer=self._kernel_initializer,
        )
        zeros = init_ops.Zeros(dtype=self.dtype) if given is None else given
        self._candidate_bias = self.add_variable(
            f"candidate/{_BIAS_VARIABLE_NAME}", shape=[units], initializer=zeros
        )
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:  # pyright: ignore
        """Does one step."""
        _check_rnn_cell_input_dtypes([inputs, state])
        reset, update = gru_gates(self, inputs, state)
        candidate = self._activation(
            affine([inputs, reset * state], self._candidate_kernel, self._candidate_bias)
        )
        new_h = update * state + (1 - update) * candidate
        return new_h, new_h

    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal cell."""
        return {
            **super().get_config(),
            "num_units": self._num_units,
            "kernel_initializer": _serialized(self._kernel_initializer),
            "bias_initializer": _serialized(self._bias_initializer),
            "activation": self._activation.__name__,
            "reuse": self._reuse,
        }


_LSTMStateTuple = collections.namedtuple("LSTMStateTuple", ("c", "h"))


@tf_export("nn.rnn_cell.LSTMStateTuple")
class LSTMStateTuple(_LSTMStateTuple):
    """The state of an LSTM cell: (c, h), the memory and the output."""

    __slots__ = ()

    @property
    def dtype(self) -> Any:
        """The dtype of both.

        Raises:
          TypeError: they differ.
        """
        c, h = self
        if c.dtype != h.dtype:
            raise TypeError(f"Inconsistent internal state: {c.dtype} vs {h.dtype}")
        return c.dtype


@tf_export("nn.rnn_cell.BasicLSTMCell")
class BasicLSTMCell(LayerRNNCell):
    """An LSTM cell without peepholes, projection or clipping (http://arxiv.org/abs/1409.2329).

    Args:
      num_units: the size of the output and of both parts of the state.
      forget_bias: added to the forget gate's bias.
      state_is_tuple: states are (c, h) and not these concatenated.
      activation: a function, or its name; tanh by default.
      reuse: whether the variables must exist.
      name: the layer's name.
      dtype: of the variables; that of the inputs by default.
      **kwargs: as in `tf.layers.Layer`.
    """

    @deprecated(
        None,
        "This class is equivalent as tf.keras.layers.LSTMCell, and will be replaced by that in "
        "Tensorflow 2.0.",
    )
    def __init__(
        self, num_units: int, forget_bias: TensorLike = 1.0, state_is_tuple: bool = True,
        activation: Callable[..., Any] | str | None = None, reuse: Any = None, name: Name = None,
        dtype: DTypeLike | None = None,
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        _check_supported_dtypes(self.dtype)
        _warn_concatenated(self, state_is_tuple)
        self.input_spec = InputSpec(ndim=2)
        self._num_units = num_units
        self._forget_bias = forget_bias
        self._state_is_tuple = state_is_tuple
        self._activation = _activation(activation)

    @property
    def state_size(self) -> Any:
        """(num_units, num_units), or their sum."""
        units = self._num_units
        return LSTMStateTuple(units, units) if self._state_is_tuple else 2 * units

    output_size = attribute("_num_units", "The number of units.")

    def build(self, inputs_shape: Any) -> None:
        """Makes the kernel and the bias of all gates."""
        depth = self._input_depth(inputs_shape)
        units = self._num_units
        self._kernel, self._bias = _kernel_and_bias(self, depth + units, 4 * units)
        self.built = True

    def _gates_kernel(self) -> Any:
        """What the inputs and the output before are multiplied by."""
        return self._kernel

    def call(self, inputs: Any, state: Any) -> Any:  # pyright: ignore
        """Does one step."""
        _check_rnn_cell_input_dtypes([inputs, state])
        one = constant_op.constant_v1(1, dtype=dtypes.int32)
        if self._state_is_tuple:
            c, h = state
        else:
            c, h = array_ops.split(value=state, num_or_size_splits=2, axis=one)
        gate_inputs = math_ops.matmul(array_ops.concat([inputs, h], 1), self._gates_kernel())
        gate_inputs = nn_ops.bias_add(gate_inputs, self._bias)
        new_c, new_h = basic_lstm_step(gate_inputs, c, one, self._forget_bias, self._activation)
        if self._state_is_tuple:
            return new_h, LSTMStateTuple(new_c, new_h)
        return new_h, array_ops.concat([new_c, new_h], 1)

    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal cell."""
        return {
            **super().get_config(),
            "num_units": self._num_units,
            "forget_bias": self._forget_bias,
            "state_is_tuple": self._state_is_tuple,
            "activation": self._activation.__name__,
            "reuse": self._reuse,
        }


def basic_lstm_step(
    gate_inputs: Tensor,
    c: Tensor,
    one: Tensor,
    forget_bias: TensorLike,
    activation: Callable[..., Any],
) -> tuple[Tensor, Tensor]:
    """The next (c, h) of a basic LSTM cell from the inputs of its four gates, [batch, 4 units]."""
    i, j, f, o = array_ops.split(value=gate_inputs, num_or_size_splits=4, axis=one)
    forget_bias_tensor = constant_op.constant_v1(forget_bias, dtype=f.dtype)
    add, multiply, sigmoid = math_ops.add, math_ops.multiply, math_ops.sigmoid
    kept = multiply(c, sigmoid(add(f, forget_bias_tensor)))
    new_c = add(kept, multiply(sigmoid(i), activation(j)))
    return new_c, multiply(activation(new_c), sigmoid(o))


@tf_export("nn.rnn_cell.LSTMCell")
class LSTMCell(LayerRNNCell):
    """An LSTM cell with optional peepholes, projection and clipping
    (https://research.google.com/pubs/archive/43905.pdf).

    Args:
      num_units: the size of the memory.
      use_peepholes: whether the gates see the memory.
      cell_clip: the memory is clipped to [-cell_clip, cell_clip]; None for no clipping.
      initializer: of kernels and peepholes; the variable scope's by default.
      num_proj: the size of the output, which is projected then; None for no projection.
      proj_clip: the projected output is clipped to [-proj_clip, proj_clip].
      num_unit_shards, num_proj_shards: in how many parts the kernels are kept (deprecated).
      forget_bias: added to the forget gate's bias.
      state_is_tuple: states are (c, h) and not these concatenated.
      activation: a function, or its name; tanh by default.
      reuse: whether the variables must exist.
      name: the layer's name.
      dtype: of the variables; that of the inputs by default.
      **kwargs: as in `tf.layers.Layer`.
    """

    @deprecated(
        None,
        "This class is equivalent as tf.keras.layers.LSTMCell, and will be replaced by that in "
        "Tensorflow 2.0.",
    )
    def __init__(
        self, num_units: int, use_peepholes: bool = False, cell_clip: TensorLike | None = None,
        initializer: Initializer | None = None, num_proj: Any = None, proj_clip: Any = None,
        num_unit_shards: Any = None, num_proj_shards: Any = None, forget_bias: TensorLike = 1.0,
        state_is_tuple: bool = True, activation: Callable[..., Any] | str | None = None,
        reuse: Any = None, name: Name = None,
        dtype: DTypeLike | None = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        _check_supported_dtypes(self.dtype)
        _warn_concatenated(self, state_is_tuple)
        if num_unit_shards is not None or num_proj_shards is not None:
            logging.warn(
                "%s: The num_unit_shards and proj_unit_shards parameters are deprecated and will "
                "be removed in Jan 2017.  Use a variable scope with a partitioner instead.",
                self,
            )
        self.input_spec = InputSpec(ndim=2)
        self._num_units = num_units
        self._use_peepholes = use_peepholes
        self._cell_clip = cell_clip
        self._initializer = lookup.initializer(initializer)
        self._num_proj = num_proj
        self._proj_clip = proj_clip
        self._num_unit_shards = num_unit_shards
        self._num_proj_shards = num_proj_shards
        self._forget_bias = forget_bias
        self._state_is_tuple = state_is_tuple
        self._activation = _activation(activation)
        self._state_size, self._output_size = lstm_sizes(num_units, num_proj, state_is_tuple)

    state_size = attribute("_state_size", "(num_units, output_size), or their sum.")
    output_size = attribute("_output_size", "`num_proj`, or the number of units.")

    def build(self, inputs_shape: Any) -> None:
        """Makes the kernel and bias of all gates, the peepholes and the projection."""
        units = self._num_units
        depth = self._input_depth(inputs_shape)
        h_depth = units if self._num_proj is None else self._num_proj
        self._kernel = self.add_variable(
            _WEIGHTS_VARIABLE_NAME,
            shape=[depth + h_depth, 4 * units],
            initializer=self._initializer,
            partitioner=_shards(self._num_unit_shards),
        )
        zeros = init_ops.Zeros if self.dtype is None else init_ops.Zeros(dtype=self.dtype)
        self._bias = self.add_variable(_BIAS_VARIABLE_NAME, shape=[4 * units], initializer=zeros)
        if self._use_peepholes:
            self._w_f_diag, self._w_i_diag, self._w_o_diag = (
                self.add_variable(name, shape=[units], initializer=self._initializer)
                for name in ("w_f_diag", "w_i_diag", "w_o_diag")
            )
        if self._num_proj is not None:
            self._proj_kernel = self.add_variable(
                f"projection/{_WEIGHTS_VARIABLE_NAME}",
                shape=[units, self._num_proj],
                initializer=self._initializer,
                partitioner=_shards(self._num_proj_shards),
            )
        self.built = True

    def _gates_kernel(self) -> Any:
        """What the inputs and the output before are multiplied by."""
        return self._kernel

    def call(self, inputs: Any, state: Any) -> Any:  # pyright: ignore
        """Does one step.

        Raises:
          ValueError: the inputs' size is unknown.
        """
        _check_rnn_cell_input_dtypes([inputs, state])
        num_proj = self._num_units if self._num_proj is None else self._num_proj
        if not self._state_is_tuple:
            state = sliced(state, (self._num_units, num_proj))
        c_prev, m_prev = state
        known_input_size(inputs)
        lstm_matrix = math_ops.matmul(array_ops.concat([inputs, m_prev], 1), self._gates_kernel())
        lstm_matrix = nn_ops.bias_add(lstm_matrix, self._bias)
        gates = array_ops.split(value=lstm_matrix, num_or_size_splits=4, axis=1)
        peepholes = None
        if self._use_peepholes:
            peepholes = self._w_f_diag, self._w_i_diag, self._w_o_diag
        c, m = lstm_step(
            gates, c_prev, self._forget_bias, self._activation, peepholes, self._cell_clip
        )
        if self._num_proj is not None:
            m = clip(math_ops.matmul(m, self._proj_kernel), self._proj_clip)
        if self._state_is_tuple:
            return m, LSTMStateTuple(c, m)
        return m, array_ops.concat([c, m], 1)

    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal cell."""
        return {
            **super().get_config(),
            "num_units": self._num_units,
            "use_peepholes": self._use_peepholes,
            "cell_clip": self._cell_clip,
            "initializer": _serialized(self._initializer),
            "num_proj": self._num_proj,
            "proj_clip": self._proj_clip,
            "num_unit_shards": self._num_unit_shards,
            "num_proj_shards": self._num_proj_shards,
            "forget_bias": self._forget_bias,
            "state_is_tuple": self._state_is_tuple,
            "activation": self._activation.__name__,
            "reuse": self._reuse,
        }


def lstm_sizes(num_units: int, num_proj: Any, state_is_tuple: bool = True) -> tuple[Any, Any]:
    """(state_size, output_size) of an LSTM cell whose output may be projected."""
    output_size = num_proj or num_units
    if state_is_tuple:
        return LSTMStateTuple(num_units, output_size), output_size
    return num_units + output_size, output_size


def known_input_size(inputs: Tensor) -> int:
    """The size of a batch of vectors.

    Raises:
      ValueError: it is unknown.
    """
    size = inputs.get_shape().with_rank(2).dims[1].value  # pyright: ignore
    if size is None:
        raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
    return size


def clip(x: Tensor, limit: Any) -> Tensor:
    """`x` clipped to [-limit, limit]; `x` itself if the limit is None."""
    return x if limit is None else clip_ops.clip_by_value(x, -limit, limit)


def lstm_step(
    gates: Sequence[Tensor],
    c_prev: Tensor,
    forget_bias: TensorLike,
    activation: Callable[..., Any],
    peepholes: Any = None,
    cell_clip: TensorLike | None = None,
    norm: Callable[[Tensor], Tensor] = lambda c: c,
) -> tuple[Tensor, Tensor]:
    """The next (c, m) of an LSTM cell.

    Args:
      gates: the inputs of the input gate, the candidate, the forget and the output gate.
      c_prev: the memory.
      forget_bias: added to the forget gate's input.
      activation: a function.
      peepholes: the weights of the memory at the forget, input and output gate; or None.
      cell_clip: the limit of the memory; or None.
      norm: normalises the memory before it is clipped.
    """
    i, j, f, o = gates
    sigmoid = math_ops.sigmoid
    if peepholes is not None:
        w_f, w_i, w_o = peepholes
        kept = sigmoid(f + forget_bias + w_f * c_prev) * c_prev
        c = kept + sigmoid(i + w_i * c_prev) * activation(j)
    else:
        c = sigmoid(f + forget_bias) * c_prev + sigmoid(i) * activation(j)
    c = clip(norm(c), cell_clip)
    if peepholes is not None:
        return c, sigmoid(o + w_o * c) * activation(c)
    return c, sigmoid(o) * activation(c)


def _shards(count: Any) -> Any:
    return None if count is None else partitioned_variables.fixed_size_partitioner(count)


class _RNNCellWrapperV1(RNNCell):
    """Base class of cells around a cell.

    Args:
      cell: the cell inside.
      *args, **kwargs: as in `RNNCell`.
    """

    def __init__(self, cell: Any, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        assert_like_rnncell("cell", cell)
        self.cell = cell
        if isinstance(cell, Trackable):
            self._track_trackable(cell, name="cell")

    def _call_wrapped_cell(
        self, inputs: Any, state: Any, cell_call_fn: Callable[..., Any], **kwargs: Any
    ) -> Any:
        """What the wrapper does; `cell_call_fn` calls the cell inside."""
        raise NotImplementedError

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        """Does one step of the cell inside, which has the variables of a cell that is not wrapped.

        Args:
          inputs, state, scope: as in `RNNCell`.
        """
        return self._call_wrapped_cell(inputs, state, cell_call_fn=self.cell.__call__, scope=scope)

    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal wrapper, once the cell is put in
        place of its config."""
        cell = {"class_name": type(self.cell).__name__, "config": self.cell.get_config()}
        return {**super().get_config(), "cell": cell}

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> Any:
        """A wrapper from what `get_config` gave, with a cell in it.

        Raises:
          ValueError: the cell is none.
        """
        config = dict(config)
        cell = config.pop("cell")
        try:
            assert_like_rnncell("cell", cell)
            return cls(cell, **config)
        except TypeError:
            raise ValueError(
                "RNNCellWrapper cannot reconstruct the wrapped cell. Please overwrite the cell in "
                "the config with a RNNCell instance."
            ) from None


@tf_export("nn.rnn_cell.DropoutWrapper")
class DropoutWrapper(rnn_cell_wrapper_impl.DropoutWrapperBase, _RNNCellWrapperV1):
    """Drops parts of a cell's input, state and output."""

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)

    __init__.__doc__ = rnn_cell_wrapper_impl.DropoutWrapperBase.__init__.__doc__


@tf_export("nn.rnn_cell.ResidualWrapper")
class ResidualWrapper(rnn_cell_wrapper_impl.ResidualWrapperBase, _RNNCellWrapperV1):
    """Adds a cell's input to its output."""

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)

    __init__.__doc__ = rnn_cell_wrapper_impl.ResidualWrapperBase.__init__.__doc__


@tf_export("nn.rnn_cell.DeviceWrapper")
class DeviceWrapper(rnn_cell_wrapper_impl.DeviceWrapperBase, _RNNCellWrapperV1):
    """Puts a cell on a device."""

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)

    __init__.__doc__ = rnn_cell_wrapper_impl.DeviceWrapperBase.__init__.__doc__


@tf_export("nn.rnn_cell.MultiRNNCell")
class MultiRNNCell(RNNCell):
    """Cells, each of which takes the output of the one before.

    Args:
      cells: a list of cells.
      state_is_tuple: states are tuples and not these concatenated.

    Raises:
      ValueError: there are no cells, or one has a tuple for a state and `state_is_tuple` is False.
      TypeError: `cells` is no list or tuple.
    """

    @deprecated(
        None,
        "This class is equivalent as tf.keras.layers.StackedRNNCells, and will be replaced by that "
        "in Tensorflow 2.0.",
    )
    def __init__(self, cells: Any, state_is_tuple: bool = True):
        super().__init__()
        if not cells:
            raise ValueError("Must specify at least one cell for MultiRNNCell.")
        if not nest.is_sequence(cells):
            raise TypeError(f"cells must be a list or tuple, but saw: {cells}.")
        if len({id(cell) for cell in cells}) < len(cells):
            logging.log_first_n(
                logging.WARN,
                "At least two cells provided to MultiRNNCell are the same object and will share "
                "weights.",
                1,
            )
        self._cells = cells
        for i, cell in enumerate(cells):
            if isinstance(cell, Trackable):
                self._track_trackable(cell, name=f"cell-{i}")
        self._state_is_tuple = state_is_tuple
        if not state_is_tuple and any(nest.is_sequence(c.state_size) for c in cells):
            raise ValueError(
                "Some cells return tuples of states, but the flag state_is_tuple is not set.  "
                f"State sizes are: {[c.state_size for c in cells]}"
            )

    @property
    def state_size(self) -> Any:
        """Those of the cells as a tuple, or their sum."""
        sizes = tuple(cell.state_size for cell in self._cells)
        return sizes if self._state_is_tuple else sum(sizes)

    @property
    def output_size(self) -> Any:
        """That of the last cell."""
        return self._cells[-1].output_size

    def zero_state(self, batch_size: Any, dtype: DTypeLike) -> Any:
        """A state of zeros: see `RNNCell`."""
        with ops.name_scope(type(self).__name__ + "ZeroState", values=[batch_size]):
            if self._state_is_tuple:
                return tuple(cell.zero_state(batch_size, dtype) for cell in self._cells)
            return super().zero_state(batch_size, dtype)

    def _weights_of_cells(self, attribute: str) -> list[Any]:
        return [
            weight
            for cell in self._cells
            if isinstance(cell, base_layer.Layer)
            for weight in getattr(cell, attribute)
        ]

    @property
    def trainable_weights(self) -> list[Any]:
        """Those of the cells; none if this one is not trainable."""
        return self._weights_of_cells("trainable_weights") if self.trainable else []

    @property
    def non_trainable_weights(self) -> list[Any]:
        """Those of the cells; all weights if this one is not trainable."""
        weights = self._weights_of_cells("non_trainable_weights")
        return weights if self.trainable else self._weights_of_cells("trainable_weights") + weights

    def call(self, inputs: Any, state: Any) -> Any:  # pyright: ignore
        """Does one step of each cell.

        Raises:
          ValueError: the state is no tuple.
        """
        position = 0
        current = inputs
        new_states = []
        for i, cell in enumerate(self._cells):
            with vs.variable_scope(f"cell_{i}"):
                if self._state_is_tuple:
                    if not nest.is_sequence(state):
                        raise ValueError(
                            f"Expected state to be a tuple of length {len(self.state_size)}, but "
                            f"received: {state}"
                        )
                    own_state = state[i]
                else:
                    own_state = array_ops.slice(state, [0, position], [-1, cell.state_size])
                    position += cell.state_size
                current, new_state = cell(current, own_state)
                new_states.append(new_state)
        if self._state_is_tuple:
            return current, tuple(new_states)
        return current, array_ops.concat(new_states, 1)
