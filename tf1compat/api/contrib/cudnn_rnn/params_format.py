"""The parameters of cuDNN's nets, taken apart for cells that run anywhere and put together again
(`tensorflow.contrib.cudnn_rnn.python.ops.cudnn_rnn_ops`).

cuDNN has a weight and two biases for each gate; the cells have one kernel and one bias for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.core import ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor

CUDNN_RNN_UNIDIRECTION = "unidirectional"
CUDNN_RNN_BIDIRECTION = "bidirectional"
CUDNN_LSTM = "lstm"
CUDNN_GRU = "gru"
CUDNN_RNN_RELU = "rnn_relu"
CUDNN_RNN_TANH = "rnn_tanh"

# How many weights (and biases) a layer has in each direction: half of them for the inputs.
CUDNN_LSTM_PARAMS_PER_LAYER = 8
CUDNN_GRU_PARAMS_PER_LAYER = 6
CUDNN_RNN_TANH_PARAMS_PER_LAYER = 2
CUDNN_RNN_RELU_PARAMS_PER_LAYER = 2

CUDNN_INPUT_LINEAR_MODE = "linear_input"
CUDNN_INPUT_SKIP_MODE = "skip_input"
CUDNN_INPUT_AUTO_MODE = "auto_select"


class CudnnParamsFormatConverter:
    """Base class: between the buffer of cuDNN's parameters and the variables of cells.

    Args:
      num_layers, num_units, input_size: the sizes of the net.
      num_proj: the size of an LSTM's projection; None or 0 for none.
      input_mode: "linear_input", "skip_input" or "auto_select".
      direction: "unidirectional" or "bidirectional".
    """

    _rnn_mode: str
    _num_params_per_layer: int

    def __init__(
        self, num_layers: int, num_units: int, input_size: Any, num_proj: Any = None,
        input_mode: Any = CUDNN_INPUT_LINEAR_MODE, direction: Any = CUDNN_RNN_UNIDIRECTION,
    ):  # fmt: skip
        self._num_layers = num_layers
        self._input_size = input_size
        self._num_units = num_units
        self._input_mode = input_mode
        self._num_proj = num_proj
        self._direction = direction
        self._num_dirs = 1 if direction == CUDNN_RNN_UNIDIRECTION else 2
        self._num_params = self._num_params_per_layer * num_layers * self._num_dirs

    def tf_canonical_to_opaque(self, tf_canonicals: Sequence[Any], weights_proj: Any = None) -> Any:
        """The buffer.

        Args:
          tf_canonicals: the kernels, then the biases, of each layer and direction.
          weights_proj: the projections; None if there are none.

        Returns:
          A vector.
        """
        weights, biases = self._tf_canonical_to_cu_canonical(tf_canonicals, weights_proj)
        weights = [array_ops.reshape(w, [-1]) for w in weights]
        return self._cu_canonical_to_opaque(weights, biases)

    def opaque_to_tf_canonical(self, opaque_param: Any) -> Any:
        """What the cells' variables hold.

        Args:
          opaque_param: the buffer.

        Returns:
          (kernels, biases), and the projections if the net has some: lists.
        """
        return self._cu_canonical_to_tf_canonical(*self._opaque_to_cu_canonical(opaque_param))

    def _sizes(self) -> dict[str, Any]:
        return {
            "num_layers": self._num_layers,
            "num_units": self._num_units,
            "input_size": self._input_size,
        }

    def _settings(self) -> dict[str, Any]:
        return {
            "rnn_mode": self._rnn_mode,
            "input_mode": self._input_mode,
            "direction": self._direction,
        }

    def _opaque_to_cu_canonical(self, opaque_param: Any) -> Any:
        """(weights, biases) of each gate."""
        with ops.device("/gpu:0"):
            if not self._num_proj:
                return raw_ops.CudnnRNNParamsToCanonical(
                    **self._sizes(), params=opaque_param, num_params=self._num_params,
                    **self._settings(),
                )  # fmt: skip
            return raw_ops.CudnnRNNParamsToCanonicalV2(
                **self._sizes(), params=opaque_param,
                num_params_weights=self._num_params + self._num_layers * self._num_dirs,
                num_params_biases=self._num_params, num_proj=self._num_proj, **self._settings(),
            )  # fmt: skip

    def _cu_canonical_to_opaque(self, cu_weights: Any, cu_biases: Any) -> Tensor:
        arguments = dict(self._sizes(), weights=cu_weights, biases=cu_biases, **self._settings())
        with ops.device("/gpu:0"):
            if self._num_proj:
                return raw_ops.CudnnRNNCanonicalToParamsV2(num_proj=self._num_proj, **arguments)
            return raw_ops.CudnnRNNCanonicalToParams(**arguments)

    def _cu_canonical_to_tf_canonical(self, cu_weights: Any, cu_biases: Any) -> Any:
        parts = self._num_layers * self._num_dirs
        weights, biases, projections = [], [], []
        for part in range(parts):
            self._cu_canonical_to_tf_canonical_single_layer(
                _share(cu_weights, part, parts), _share(cu_biases, part, parts), weights, biases,
                projections,
            )  # fmt: skip
        return (weights, biases, projections) if self._num_proj else (weights, biases)

    def _cu_canonical_to_tf_canonical_single_layer(
        self, cu_weights: Any, cu_biases: Any, tf_weights: list[Any], tf_biases: list[Any],
        tf_weights_proj: Any = None,
    ) -> None:  # fmt: skip
        """Adds the kernels and biases of one layer and direction to the lists."""
        tf_weights.extend(self._cudnn_to_tf_weights(*cu_weights))
        tf_biases.extend(self._cudnn_to_tf_biases(*cu_biases))

    def _tf_canonical_to_cu_canonical(self, tf_canonicals: Any, weights_proj: Any) -> Any:
        half, parts = len(tf_canonicals) // 2, self._num_layers * self._num_dirs
        cu_weights, cu_biases = [], []
        for part in range(parts):
            weights = _share(tf_canonicals[:half], part, parts)
            cu_weights += self._tf_to_cudnn_weights(part // self._num_dirs, *weights)
            if weights_proj is not None:
                cu_weights.append(array_ops.transpose(weights_proj[part]))
            cu_biases += self._tf_to_cudnn_biases(*_share(tf_canonicals[half:], part, parts))
        return cu_weights, cu_biases

    def _input_width(self, layer: int) -> Any:
        """How many columns the weights of a layer's inputs have."""
        if layer == 0:
            return self._input_size
        return self._num_units * (2 if self._direction == CUDNN_RNN_BIDIRECTION else 1)

    def _cudnn_to_tf_weights(self, *cu_weights: Any) -> Any:
        """The kernels of a layer."""
        raise NotImplementedError("Abstract method")

    def _tf_to_cudnn_weights(self, layer: int, *tf_weights: Any) -> Any:
        """The gates' weights in a layer, first of the inputs, then of the state."""
        raise NotImplementedError("Abstract method")

    def _cudnn_to_tf_biases(self, *biases: Any) -> Any:
        """The biases of a layer; what cuDNN adds up is added up."""
        raise NotImplementedError("Abstract method")

    def _tf_to_cudnn_biases(self, *tf_biases: Any) -> Any:
        """The gates' biases in a layer: each half of what is added up."""
        raise NotImplementedError("Abstract method")


def _share(values: Any, part: int, parts: int) -> Any:
    size = len(values) // parts
    return values[part * size : (part + 1) * size]


@tf_export("contrib.cudnn_rnn.CudnnParamsFormatConverterLSTM")
class CudnnParamsFormatConverterLSTM(CudnnParamsFormatConverter):
    """Between the parameters of `CudnnLSTM` and of `CudnnCompatibleLSTMCell`: see the base class.

    cuDNN's gates are input, forget, candidate, output; the cell's input, candidate, forget, output.
    """

    _rnn_mode = CUDNN_LSTM
    _num_params_per_layer = CUDNN_LSTM_PARAMS_PER_LAYER

    def _cudnn_to_tf_gate_params(self, *cu_gate_order: Any) -> list[Any]:
        i, f, c, o = cu_gate_order
        return [i, c, f, o]

    def _tf_to_cudnn_gate_params(self, *tf_gate_order: Any) -> list[Any]:
        i, c, f, o = tf_gate_order
        return [i, f, c, o]

    def _cudnn_to_tf_weights(self, *cu_weights: Any) -> Any:
        gates = [array_ops.concat([cu_weights[i], cu_weights[i + 4]], axis=1) for i in range(4)]
        gates = self._cudnn_to_tf_gate_params(*gates)
        kernel = array_ops.transpose(array_ops.concat(gates, axis=0))
        if self._num_proj:
            return kernel, array_ops.transpose(cu_weights[8])
        return (kernel,)

    def _tf_to_cudnn_weights(self, layer: int, *tf_weights: Any) -> Any:
        (kernel,) = tf_weights
        gates = array_ops.split(array_ops.transpose(kernel), 4, axis=0)
        state_width = self._num_proj if self._num_proj else self._num_units
        widths = [self._input_width(layer), state_width]
        pairs = [array_ops.split(gate, widths, axis=1) for gate in gates]
        inputs, states = zip(*self._tf_to_cudnn_gate_params(*pairs), strict=True)
        return (*inputs, *states)

    def _input_width(self, layer: int) -> Any:
        if layer == 0 or not self._num_proj:
            return super()._input_width(layer)
        return self._num_proj * (2 if self._direction == CUDNN_RNN_BIDIRECTION else 1)

    def _cudnn_to_tf_biases(self, *biases: Any) -> Any:
        gates = [biases[i] + biases[i + 4] for i in range(4)]
        return (array_ops.concat(self._cudnn_to_tf_gate_params(*gates), axis=0),)

    def _tf_to_cudnn_biases(self, *tf_biases: Any) -> Any:
        (bias,) = tf_biases
        gates = self._tf_to_cudnn_gate_params(*array_ops.split(bias, 4, axis=0))
        halves = [gate * 0.5 for gate in gates]
        return (*halves, *halves)

    def _cu_canonical_to_tf_canonical_single_layer(
        self, cu_weights: Any, cu_biases: Any, tf_weights: list[Any], tf_biases: list[Any],
        tf_weights_proj: Any = None,
    ) -> None:  # fmt: skip
        kernel, *projection = self._cudnn_to_tf_weights(*cu_weights)
        tf_weights.append(kernel)
        if projection:
            tf_weights_proj.extend(projection)
        tf_biases.extend(self._cudnn_to_tf_biases(*cu_biases))


@tf_export("contrib.cudnn_rnn.CudnnParamsFormatConverterGRU")
class CudnnParamsFormatConverterGRU(CudnnParamsFormatConverter):
    """Between the parameters of `CudnnGRU` and of `CudnnCompatibleGRUCell`: see the base class."""

    _rnn_mode = CUDNN_GRU
    _num_params_per_layer = CUDNN_GRU_PARAMS_PER_LAYER

    def _cudnn_to_tf_weights(self, *cu_weights: Any) -> Any:
        w_r, w_u, w_c, h_r, h_u, h_c = cu_weights
        reset = array_ops.concat([w_r, h_r], axis=1)
        update = array_ops.concat([w_u, h_u], axis=1)
        gates = array_ops.transpose(array_ops.concat([reset, update], axis=0))
        return gates, array_ops.transpose(w_c), array_ops.transpose(h_c)

    def _tf_to_cudnn_weights(self, layer: int, *tf_weights: Any) -> Any:
        gates, w_c, h_c = (array_ops.transpose(kernel) for kernel in tf_weights)
        reset, update = array_ops.split(gates, 2, axis=0)
        widths = [self._input_width(layer), self._num_units]
        w_r, h_r = array_ops.split(reset, widths, axis=1)
        w_u, h_u = array_ops.split(update, widths, axis=1)
        return w_r, w_u, w_c, h_r, h_u, h_c

    def _cudnn_to_tf_biases(self, *biases: Any) -> Any:
        w_r, w_u, w_c, h_r, h_u, h_c = biases
        of_inputs = array_ops.concat([w_r, w_u], axis=0)
        return of_inputs + array_ops.concat([h_r, h_u], axis=0), w_c, h_c

    def _tf_to_cudnn_biases(self, *tf_biases: Any) -> Any:
        gates, w_c, h_c = tf_biases
        of_inputs, of_state = gates * 0.5, gates * 0.5
        w_r, w_u = array_ops.split(of_inputs, 2, axis=0)
        h_r, h_u = array_ops.split(of_state, 2, axis=0)
        return w_r, w_u, w_c, h_r, h_u, h_c


class CudnnParamsFormatConverterBasic(CudnnParamsFormatConverterLSTM):
    """Between the parameters of `CudnnRNNTanh` or `CudnnRNNRelu` and of `BasicRNNCell`: see the
    base class."""

    def _cudnn_to_tf_weights(self, *cu_weights: Any) -> Any:
        return (array_ops.transpose(array_ops.concat(list(cu_weights), axis=1)),)

    def _tf_to_cudnn_weights(self, layer: int, *tf_weights: Any) -> Any:
        (kernel,) = tf_weights
        # A net without memory has no projection.
        widths = [CudnnParamsFormatConverter._input_width(self, layer), self._num_units]
        return array_ops.split(array_ops.transpose(kernel), widths, axis=1)

    def _cudnn_to_tf_biases(self, *biases: Any) -> Any:
        of_inputs, of_state = biases
        return (of_inputs + of_state,)

    def _tf_to_cudnn_biases(self, *tf_biases: Any) -> Any:
        (bias,) = tf_biases
        return bias * 0.5, bias * 0.5


@tf_export("contrib.cudnn_rnn.CudnnParamsFormatConverterTanh")
class CudnnParamsFormatConverterTanh(CudnnParamsFormatConverterBasic):
    """Between the parameters of `CudnnRNNTanh` and of `BasicRNNCell`: see the base class."""

    _rnn_mode = CUDNN_RNN_TANH
    _num_params_per_layer = CUDNN_RNN_TANH_PARAMS_PER_LAYER


@tf_export("contrib.cudnn_rnn.CudnnParamsFormatConverterRelu")
class CudnnParamsFormatConverterRelu(CudnnParamsFormatConverterBasic):
    """Between the parameters of `CudnnRNNRelu` and of `BasicRNNCell`: see the base class."""

    _rnn_mode = CUDNN_RNN_RELU
    _num_params_per_layer = CUDNN_RNN_RELU_PARAMS_PER_LAYER
