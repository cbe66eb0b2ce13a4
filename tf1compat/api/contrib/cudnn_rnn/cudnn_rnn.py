"""cuDNN's nets as layers (`tensorflow.contrib.cudnn_rnn.python.layers.cudnn_rnn`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.cudnn_rnn import cudnn_rnn_ops, params_saveable
from tf1compat.api.contrib.cudnn_rnn.params_format import (
    CUDNN_GRU,
    CUDNN_GRU_PARAMS_PER_LAYER,
    CUDNN_INPUT_LINEAR_MODE,
    CUDNN_LSTM,
    CUDNN_LSTM_PARAMS_PER_LAYER,
    CUDNN_RNN_RELU,
    CUDNN_RNN_RELU_PARAMS_PER_LAYER,
    CUDNN_RNN_TANH,
    CUDNN_RNN_TANH_PARAMS_PER_LAYER,
    CUDNN_RNN_UNIDIRECTION,
)
from tf1compat.api.keras.engine.input_spec import InputSpec
from tf1compat.api.layers import base as base_layer
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.random import init_ops
from tf1compat.api.variables import variable_scope as vs
from tf1compat.core import dtypes, ops, tensor_shape
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import dimension_value
from tf1compat.core.typing import Name


class _CudnnRNN(base_layer.Layer):
    """Base class of layers of several recurrent layers, whose parameters are one variable.

    It runs on any device. The variable's static shape is unknown; a checkpoint holds it as the
    variables of a net of `CudnnCompatibleLSTMCell`s (or `CudnnCompatibleGRUCell`s, or
    `BasicRNNCell`s), so that either kind of net restores what the other one saved.

    Args:
      num_layers, num_units: the sizes of the net.
      input_mode: whether the first layer's inputs are multiplied by weights ("linear_input"), or
        added as they are ("skip_input", only if there are as many as units), or the latter wherever
        that can be ("auto_select").
      direction: "unidirectional" or "bidirectional".
      dropout: which part of the outputs between the layers is dropped.
      seed: the op seed of the dropout and of the kernels' initializer.
      dtype: float16, float32 or float64.
      kernel_initializer: of each gate's weights; Glorot's uniform one by default.
      bias_initializer: of each gate's biases; zeros by default.
      name: the layer's name.

    Raises:
      ValueError: `direction`, `input_mode` or `dtype` is none of these.
    """

    _rnn_mode: str
    _num_params_per_layer: int
    _saveable_cls: type[params_saveable.CudnnOpaqueParamsSaveable]

    def __init__(
        self, num_layers: Any, num_units: Any, input_mode: Any = CUDNN_INPUT_LINEAR_MODE,
        direction: Any = CUDNN_RNN_UNIDIRECTION, dropout: Any = 0.0, seed: Any = None,
        dtype: Any = dtypes.float32, kernel_initializer: Any = None, bias_initializer: Any = None,
        name: Name = None,
    ):  # fmt: skip
        super().__init__(dtype=dtype, name=name)
        cudnn_rnn_ops.check_direction(direction)
        cudnn_rnn_ops.check_input_mode(input_mode)
        if dtype not in (dtypes.float16, dtypes.float32, dtypes.float64):
            raise ValueError(f"Only support float16, float32, float64, provided {dtype}")
        self._plain_dtype = dtype
        self._num_layers = num_layers
        self._num_units = num_units
        self._input_mode = input_mode
        self._direction = direction
        self._dropout = dropout
        self._seed = seed
        self._kernel_initializer = kernel_initializer
        self._bias_initializer = bias_initializer
        self._input_size: Any = None
        self._saveable: Any = None

    num_layers = attribute("_num_layers", "The number of layers.")
    num_units = attribute("_num_units", "The number of units.")
    input_mode = attribute("_input_mode", "How the first layer takes its inputs.")

    @property
    def input_size(self) -> Any:
        """The size of the inputs.

        Raises:
          ValueError: the layer is not built yet.
        """
        if not self._input_size:
            raise ValueError("'input_size' is unknown since layer has not been built.")
        return self._input_size

    rnn_mode: str = attribute("_rnn_mode", '"lstm", "gru", "rnn_relu" or "rnn_tanh".')
    direction = attribute("_direction", '"unidirectional" or "bidirectional".')

    @property
    def num_dirs(self) -> int:
        """The number of directions."""
        return 1 if self._direction == CUDNN_RNN_UNIDIRECTION else 2

    saveable = attribute(
        "_saveable", "What a checkpoint holds for the variable; None before the layer is built."
    )

    @property
    def canonical_weight_shapes(self) -> list[Any]:
        """The shapes of the weights of each gate.

        Raises:
          RuntimeError: the layer is not built yet.
        """
        self._need_input_size("canonical_weight_shapes")
        return [s for layer in range(self._num_layers) for s in self._canonical_weight_shape(layer)]

    @property
    def canonical_bias_shapes(self) -> list[Any]:
        """The shapes of the biases of each gate."""
        return self._canonical_bias_shape(0) * self._num_layers

    def _need_input_size(self, who: str) -> None:
        if not self._input_size:
            raise RuntimeError(f"{type(self).__name__}.{who} invoked before input shape is known")

    def _update_trainable_weights(self, getter: Any, *args: Any, **kwargs: Any) -> Any:
        """A variable getter that adds to the layer's variables."""
        variable = getter(*args, **kwargs)
        trainable = kwargs.get("trainable", True)
        weights = self._trainable_weights if trainable else self._non_trainable_weights
        if not any(variable is weight for weight in weights):
            weights.append(variable)
        return variable

    def build(self, input_shape: Any) -> None:
        """Makes the variable.

        Args:
          input_shape: [time, batch, input size].

        Raises:
          ValueError: there are not three dimensions, or the last one is unknown.
        """
        if self.built:
            return
        input_shape = tensor_shape.TensorShape(input_shape)
        if input_shape.ndims != 3:
            raise ValueError(f"Expecting input_shape with 3 dims, got {input_shape.ndims:d}")
        if dimension_value(input_shape[-1]) is None:
            raise ValueError(
                "The last dimension of the inputs to `CudnnRNN` should be defined. Found `None`."
            )
        self._input_size = dimension_value(input_shape[-1])
        self.input_spec = InputSpec(ndim=3, axes={-1: self._input_size})
        self._set_scope(None)
        with vs.variable_scope(
            self._scope, reuse=self.built, custom_getter=self._update_trainable_weights
        ):
            opaque_params = self._first_parameters()
            if vs.get_variable_scope().partitioner is not None:
                logging.warn(
                    "Partitioner is not supported for Cudnn RNN layer variables, using it will "
                    "create forward-compatibility issues with future CUDA/CuDNN generations."
                )
            self.kernel = vs.get_variable(
                "opaque_kernel",
                dtype=self._plain_dtype,
                initializer=opaque_params,
                validate_shape=False,
            )
        # Its names are those of cells outside of the layer's scope.
        if not (self.built or vs.get_variable_scope().reuse is True):
            self._create_saveable()
        self.built = True

    def _first_parameters(self) -> Any:
        """All weights and biases as their initializers give them, in cuDNN's form."""
        dtype = self._plain_dtype
        if self._kernel_initializer is None:
            self._kernel_initializer = init_ops.glorot_uniform_initializer(self._seed, dtype)
        if self._bias_initializer is None:
            self._bias_initializer = init_ops.constant_initializer(0.0, dtype)
        weights, biases = (
            [initializer(shape, dtype=dtype) for shape in shapes]
            for initializer, shapes in (
                (self._kernel_initializer, self.canonical_weight_shapes),
                (self._bias_initializer, self.canonical_bias_shapes),
            )
        )
        return self._canonical_to_opaque(weights, biases)

    def call(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, inputs: Any, initial_state: Any = None, sequence_lengths: Any = None,
        time_major: Any = True, training: Any = True,
    ) -> Any:  # fmt: skip
        """All steps.

        Args:
          inputs: [time, batch, input size]; [batch, time, input size] if `time_major` is False.
          initial_state: a tuple of tensors [layers * directions, batch, units], or, if `time_major`
            is False, [batch, layers * directions, units]: output and memory of an LSTM, else the
            output. Zeros by default.
          sequence_lengths: int32 [batch], how many steps each sequence has; None if they have all.
          time_major: whether time is the first dimension.
          training: whether there is dropout, and a gradient.

        Returns:
          The outputs [time, batch, directions * units], and a tuple like `initial_state`.

        Raises:
          TypeError: `initial_state` is no tuple.
        """
        if initial_state is not None and not isinstance(initial_state, tuple):
            raise TypeError(f"Invalid initial_state type: {initial_state}, expecting tuple.")
        dtype = self.dtype
        inputs = ops.convert_to_tensor(inputs, dtype=dtype)
        batch_size = array_ops.shape(inputs)[1]
        if initial_state is None:
            initial_state = self._zero_state(batch_size)
        has_memory = self._rnn_mode == CUDNN_LSTM
        state = [ops.convert_to_tensor(part, dtype=dtype) for part in initial_state]
        if not has_memory:
            state.append(array_ops.constant([], dtype=dtype))
        h, c = state
        outputs, last_state = self._forward(
            inputs, h, c, self.kernel, sequence_lengths, time_major, training
        )
        return outputs, last_state if has_memory else last_state[:1]

    def state_shape(self, batch_size: Any) -> Any:
        """The shapes of the tensors of the state."""
        raise NotImplementedError

    def _zero_state(self, batch_size: Any) -> Any:
        return tuple(
            array_ops.zeros(shape, dtype=self.dtype) for shape in self.state_shape(batch_size)
        )

    def _state_part(self, batch_size: Any) -> list[Any]:
        return [self.num_layers * self.num_dirs, batch_size, self.num_units]

    def _canonical_weight_shape(self, layer: int) -> list[Any]:
        """The shapes of the weights of a layer's gates, of inputs and state, in all directions."""
        if layer < 0 or layer >= self._num_layers:
            raise ValueError(
                f"'layer' is not valid, got {layer}, expecting [0, {self._num_layers - 1}]"
            )
        self._need_input_size("_canonical_weight_shape")
        units, gates = self._num_units, self._num_params_per_layer // 2
        columns = self._input_size if layer == 0 else self.num_dirs * units
        return ([(units, columns)] * gates + [(units, units)] * gates) * self.num_dirs

    def _canonical_bias_shape(self, unused_layer: int) -> list[Any]:
        return [[self._num_units]] * self.num_dirs * self._num_params_per_layer

    def _canonical_to_opaque(self, cu_weights: Any, cu_biases: Any) -> Any:
        self._need_input_size("_canonical_to_opaque")
        with ops.device("/gpu:0"):
            return cudnn_rnn_ops.cudnn_rnn_canonical_to_opaque_params(
                rnn_mode=self._rnn_mode, num_layers=self._num_layers, num_units=self._num_units,
                input_size=self._input_size, weights=cu_weights, biases=cu_biases,
                input_mode=self._input_mode, seed=self._seed, dropout=self._dropout,
                direction=self._direction,
            )  # fmt: skip

    def _forward(
        self, inputs: Any, h: Any, c: Any, opaque_params: Any, sequence_lengths: Any,
        time_major: Any, training: Any,
    ) -> Any:  # fmt: skip
        output, output_h, output_c = cudnn_rnn_ops._cudnn_rnn(
            inputs, h, c, opaque_params, training, self._rnn_mode,
            sequence_lengths=sequence_lengths, time_major=time_major, input_mode=self._input_mode,
            direction=self._direction, dropout=self._dropout, seed=self._seed,
        )  # fmt: skip
        return output, (output_h, output_c)

    def _create_saveable(self) -> None:
        """Makes what a checkpoint holds.

        Raises:
          RuntimeError: there is one already.
        """
        if self._saveable is not None:
            raise RuntimeError("Cudnn saveable already created.")
        variable = self.trainable_variables[0]
        self._saveable = self._saveable_cls(
            opaque_params=variable, num_layers=self.num_layers, num_units=self.num_units,
            input_size=self.input_size, input_mode=self.input_mode, direction=self.direction,
            scope=vs.get_variable_scope(), name=f"{variable.name.split(':')[0]}_saveable",
        )  # fmt: skip
        self._saveable._add_trackable_dependencies(trackable=self, dtype=self._plain_dtype)
        ops.add_to_collection(ops.GraphKeys.SAVEABLE_OBJECTS, self._saveable)


@tf_export("contrib.cudnn_rnn.CudnnLSTM")
class CudnnLSTM(_CudnnRNN):
    """Layers of an LSTM; their state is (output, memory): see the base class."""

    _rnn_mode = CUDNN_LSTM
    _num_params_per_layer = CUDNN_LSTM_PARAMS_PER_LAYER
    _saveable_cls = params_saveable.CudnnLSTMSaveable

    def state_shape(self, batch_size: Any) -> Any:
        """[layers * directions, batch_size, units], twice."""
        return self._state_part(batch_size), self._state_part(batch_size)


class _CudnnRNNNoInputC(_CudnnRNN):
    """Base class of layers whose state is (output,): see the base class."""

    def state_shape(self, batch_size: Any) -> Any:
        """[layers * directions, batch_size, units], in a tuple."""
        return (self._state_part(batch_size),)


@tf_export("contrib.cudnn_rnn.CudnnGRU")
class CudnnGRU(_CudnnRNNNoInputC):
    """Layers of a GRU: see the base class."""

    _rnn_mode = CUDNN_GRU
    _num_params_per_layer = CUDNN_GRU_PARAMS_PER_LAYER
    _saveable_cls = params_saveable.CudnnGRUSaveable


@tf_export("contrib.cudnn_rnn.CudnnRNNTanh")
class CudnnRNNTanh(_CudnnRNNNoInputC):
    """Layers of a simple net with tanh: see the base class."""

    _rnn_mode = CUDNN_RNN_TANH
    _num_params_per_layer = CUDNN_RNN_TANH_PARAMS_PER_LAYER
    _saveable_cls = params_saveable.CudnnRNNTanhSaveable


@tf_export("contrib.cudnn_rnn.CudnnRNNRelu")
class CudnnRNNRelu(_CudnnRNNNoInputC):
    """Layers of a simple net with relu: see the base class."""

    _rnn_mode = CUDNN_RNN_RELU
    _num_params_per_layer = CUDNN_RNN_RELU_PARAMS_PER_LAYER
    _saveable_cls = params_saveable.CudnnRNNReluSaveable
