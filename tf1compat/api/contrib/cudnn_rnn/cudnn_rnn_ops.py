"""cuDNN's nets as functions of a buffer that holds all parameters
(`tensorflow.contrib.cudnn_rnn.python.ops.cudnn_rnn_ops`).

They run on any device here; the buffer has the order that cuDNN gives it.
"""

from __future__ import annotations

import os
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.cudnn_rnn.cells import (
    CudnnCompatibleGRUCell as CudnnCompatibleGRUCell,
)
from tf1compat.api.contrib.cudnn_rnn.cells import (
    CudnnCompatibleLSTMCell as CudnnCompatibleLSTMCell,
)
from tf1compat.api.contrib.cudnn_rnn.params_format import *  # noqa: F403
from tf1compat.api.contrib.cudnn_rnn.params_format import (
    CUDNN_GRU,
    CUDNN_GRU_PARAMS_PER_LAYER,
    CUDNN_INPUT_AUTO_MODE,
    CUDNN_INPUT_LINEAR_MODE,
    CUDNN_INPUT_SKIP_MODE,
    CUDNN_LSTM,
    CUDNN_LSTM_PARAMS_PER_LAYER,
    CUDNN_RNN_BIDIRECTION,
    CUDNN_RNN_RELU,
    CUDNN_RNN_RELU_PARAMS_PER_LAYER,
    CUDNN_RNN_TANH,
    CUDNN_RNN_TANH_PARAMS_PER_LAYER,
    CUDNN_RNN_UNIDIRECTION,
)
from tf1compat.api.contrib.cudnn_rnn.params_saveable import *  # noqa: F403
from tf1compat.api.random import random_seed
from tf1compat.core import dtypes, raw_ops
from tf1compat.core.attribute import attribute
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, Name, TensorLike

_PARAMS_PER_LAYER = {
    CUDNN_LSTM: CUDNN_LSTM_PARAMS_PER_LAYER,
    CUDNN_GRU: CUDNN_GRU_PARAMS_PER_LAYER,
    CUDNN_RNN_RELU: CUDNN_RNN_RELU_PARAMS_PER_LAYER,
    CUDNN_RNN_TANH: CUDNN_RNN_TANH_PARAMS_PER_LAYER,
}


def _check_rnn_mode(rnn_mode: Any) -> None:
    modes = (CUDNN_LSTM, CUDNN_GRU, CUDNN_RNN_TANH, CUDNN_RNN_RELU)
    if rnn_mode not in modes:
        raise ValueError(f"Invalid rnn_mode: {rnn_mode}, expect one of ({', '.join(modes)})")


def check_direction(direction: Any) -> None:
    """Refuses what is no direction.

    Raises:
      ValueError: it is neither "unidirectional" nor "bidirectional".
    """
    if direction not in (CUDNN_RNN_UNIDIRECTION, CUDNN_RNN_BIDIRECTION):
        raise ValueError(
            f"Invalid direction: {direction}, expecting {CUDNN_RNN_UNIDIRECTION} or "
            f"{CUDNN_RNN_BIDIRECTION}"
        )


def check_input_mode(input_mode: Any) -> None:
    """Refuses what is no way to take the first layer's inputs.

    Raises:
      ValueError: it is none of "linear_input", "skip_input" and "auto_select".
    """
    modes = (CUDNN_INPUT_LINEAR_MODE, CUDNN_INPUT_SKIP_MODE, CUDNN_INPUT_AUTO_MODE)
    if input_mode not in modes:
        raise ValueError(f"Invalid input_mode: {input_mode}, expect one of ({', '.join(modes)})")


def _get_num_params(rnn_mode: str, num_layers: int, direction: str) -> int:
    """How many weights (and biases) a net has, each gate by itself."""
    if rnn_mode not in _PARAMS_PER_LAYER:
        raise ValueError(f"Invalid 'rnn_mode': {rnn_mode}")
    directions = 1 if direction == CUDNN_RNN_UNIDIRECTION else 2
    return num_layers * _PARAMS_PER_LAYER[rnn_mode] * directions


def _settings(rnn_mode: Any, direction: Any, input_mode: Any, dropout: Any, seed: Any) -> Any:
    """The attributes that all ops have, checked."""
    _check_rnn_mode(rnn_mode)
    check_direction(direction)
    check_input_mode(input_mode)
    seed, seed2 = random_seed.get_seed(seed)
    return {
        "rnn_mode": rnn_mode,
        "input_mode": input_mode,
        "direction": direction,
        "dropout": dropout,
        "seed": seed,
        "seed2": seed2,
    }


def _cudnn_rnn(
    inputs: Any, input_h: Any, input_c: Any, params: Any, is_training: Any, rnn_mode: Any,
    sequence_lengths: TensorLike | None = None, time_major: Any = True,
    input_mode: Any = CUDNN_INPUT_LINEAR_MODE, direction: Any = CUDNN_RNN_UNIDIRECTION,
    dropout: Any = 0.0, seed: Any = 0, num_proj: Any = None, name: Name = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """All steps of a net.

    Args:
      inputs: [time, batch, input size]; [batch, time, input size] if `time_major` is False.
      input_h: the first outputs [layers * directions, batch, units]; if `time_major` is False,
        [batch, layers * directions, units].
      input_c: the first memories, of the same shape; for an LSTM only.
      params: a vector, all parameters.
      is_training: whether there is dropout, and a gradient.
      rnn_mode: "lstm", "gru", "rnn_relu" or "rnn_tanh".
      sequence_lengths: int32 [batch], how many steps each sequence has; None if they have all.
      time_major: whether time is the first dimension.
      input_mode: whether the first layer's inputs are multiplied by weights ("linear_input"), or
        added as they are ("skip_input", only if there are as many as units), or the latter wherever
        that can be ("auto_select").
      direction: "unidirectional" or "bidirectional".
      dropout: which part of the outputs between the layers is dropped.
      seed: the op seed of the dropout.
      num_proj: the size of an LSTM's projection; None or 0 for none.
      name: the operation's name.

    Returns:
      The outputs [time, batch, directions * units], the last outputs and the last memories.

    Raises:
      ValueError: `rnn_mode`, `direction` or `input_mode` is unknown.
    """
    arguments = _settings(rnn_mode, direction, input_mode, dropout, seed)
    arguments.update(
        input=inputs, input_h=input_h, input_c=input_c, params=params, is_training=is_training,
        name=name,
    )  # fmt: skip
    if sequence_lengths is None and (time_major is False or num_proj):
        batch, time = (1, 0) if time_major else (0, 1)
        batch_size = array_ops.shape(inputs)[batch]
        max_time = array_ops.shape(inputs)[time]
        sequence_lengths = array_ops.fill([batch_size], max_time)
    if sequence_lengths is not None:
        found = raw_ops.CudnnRNNV3(
            **arguments, sequence_lengths=sequence_lengths, time_major=time_major,
            num_proj=0 if num_proj is None else num_proj,
        )  # fmt: skip
    elif os.environ.get("TF_CUDNN_RNN_USE_V2", "0") == "1":
        found = raw_ops.CudnnRNNV2(**arguments)
    else:
        found = raw_ops.CudnnRNN(**arguments)
    return tuple(found[:3])  # pyright: ignore


def cudnn_lstm(
    inputs: Any, input_h: Any, input_c: Any, params: Any, is_training: Any,
    sequence_lengths: TensorLike | None = None, time_major: Any = True,
    input_mode: Any = CUDNN_INPUT_LINEAR_MODE, direction: Any = CUDNN_RNN_UNIDIRECTION,
    dropout: Any = 0.0, seed: int = 0, num_proj: Any = None, name: Name = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """All steps of an LSTM: see `_cudnn_rnn`."""
    return _cudnn_rnn(
        inputs, input_h, input_c, params, is_training, CUDNN_LSTM, sequence_lengths, time_major,
        input_mode, direction, dropout, seed, num_proj, name,
    )  # fmt: skip


def _cudnn_rnn_no_input_c(
    inputs: Any, input_h: Any, params: Any, is_training: Any, rnn_mode: Any,
    sequence_lengths: TensorLike | None = None, time_major: Any = True,
    input_mode: Any = CUDNN_INPUT_LINEAR_MODE, direction: Any = CUDNN_RNN_UNIDIRECTION,
    dropout: Any = 0.0, seed: int = 0, name: Name = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """All steps of a net without memory: see `_cudnn_rnn`.

    Returns:
      The outputs and the last outputs.
    """
    nothing = array_ops.constant([], dtype=input_h.dtype)
    outputs, output_h, _ = _cudnn_rnn(
        inputs, input_h, nothing, params, is_training, rnn_mode, sequence_lengths, time_major,
        input_mode, direction, dropout, seed, None, name,
    )  # fmt: skip
    return outputs, output_h


def cudnn_gru(
    inputs: Any, input_h: Any, params: Any, is_training: Any,
    sequence_lengths: TensorLike | None = None,
    time_major: Any = True, input_mode: Any = CUDNN_INPUT_LINEAR_MODE,
    direction: Any = CUDNN_RNN_UNIDIRECTION, dropout: Any = 0.0, seed: int = 0, name: Name = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """All steps of a GRU: see `_cudnn_rnn`."""
    return _cudnn_rnn_no_input_c(
        inputs, input_h, params, is_training, CUDNN_GRU, sequence_lengths, time_major, input_mode,
        direction, dropout, seed, name,
    )  # fmt: skip


def cudnn_rnn_relu(
    inputs: Any, input_h: Any, params: Any, is_training: Any,
    input_mode: Any = CUDNN_INPUT_LINEAR_MODE, direction: Any = CUDNN_RNN_UNIDIRECTION,
    dropout: Any = 0.0, seed: int = 0, sequence_lengths: TensorLike | None = None,
    time_major: Any = True,
    name: Name = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """All steps of a simple net with relu: see `_cudnn_rnn`."""
    return _cudnn_rnn_no_input_c(
        inputs, input_h, params, is_training, CUDNN_RNN_RELU, sequence_lengths, time_major,
        input_mode, direction, dropout, seed, name,
    )  # fmt: skip


def cudnn_rnn_tanh(
    inputs: Any, input_h: Any, params: Any, is_training: Any,
    sequence_lengths: TensorLike | None = None,
    time_major: Any = True, input_mode: Any = CUDNN_INPUT_LINEAR_MODE,
    direction: Any = CUDNN_RNN_UNIDIRECTION, dropout: Any = 0.0, seed: int = 0, name: Name = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """All steps of a simple net with tanh: see `_cudnn_rnn`."""
    return _cudnn_rnn_no_input_c(
        inputs, input_h, params, is_training, CUDNN_RNN_TANH, sequence_lengths, time_major,
        input_mode, direction, dropout, seed, name,
    )  # fmt: skip


def cudnn_rnn_opaque_params_to_canonical(
    rnn_mode: Any, num_layers: int, num_units: int, input_size: Any, params: Any,
    input_mode: Any = CUDNN_INPUT_LINEAR_MODE, direction: Any = CUDNN_RNN_UNIDIRECTION,
    dropout: Any = 0, seed: int = 0, num_proj: Any = None, name: Name = None,
) -> Any:  # fmt: skip
    """What the buffer holds.

    Args:
      rnn_mode, input_mode, direction, dropout, seed, num_proj: as for `_cudnn_rnn`.
      num_layers, num_units, input_size: the sizes of the net.
      params: a vector, all parameters.
      name: the operation's name.

    Returns:
      The weights and the biases of each gate: lists.
    """
    arguments = _settings(rnn_mode, direction, input_mode, dropout, seed)
    num_params = _get_num_params(rnn_mode, num_layers, direction)
    arguments.update(
        num_layers=num_layers, num_units=num_units, input_size=input_size, params=params, name=name
    )
    if num_proj is None or num_proj == 0:
        return raw_ops.CudnnRNNParamsToCanonical(num_params=num_params, **arguments)
    directions = 1 if direction == CUDNN_RNN_UNIDIRECTION else 2
    return raw_ops.CudnnRNNParamsToCanonicalV2(
        num_params_weights=num_params + num_layers * directions, num_params_biases=num_params,
        num_proj=num_proj, **arguments,
    )  # fmt: skip


def cudnn_rnn_canonical_to_opaque_params(
    rnn_mode: Any, num_layers: int, num_units: int, input_size: Any, weights: TensorLike,
    biases: Any,
    input_mode: Any = CUDNN_INPUT_LINEAR_MODE, direction: Any = CUDNN_RNN_UNIDIRECTION,
    dropout: Any = 0, seed: Any = 0, num_proj: Any = None, name: Name = None,
) -> Tensor:  # fmt: skip
    """The buffer that holds these weights and biases: see `cudnn_rnn_opaque_params_to_canonical`.

    Returns:
      A vector.
    """
    arguments = _settings(rnn_mode, direction, input_mode, dropout, seed)
    arguments.update(
        num_layers=num_layers, num_units=num_units, input_size=input_size, weights=weights,
        biases=biases, name=name,
    )  # fmt: skip
    if num_proj is None or num_proj == 0:
        return raw_ops.CudnnRNNCanonicalToParams(**arguments)
    return raw_ops.CudnnRNNCanonicalToParamsV2(num_proj=num_proj, **arguments)


def cudnn_rnn_opaque_params_size(
    rnn_mode: Any, num_layers: int, num_units: int, input_size: Any,
    input_mode: Any = CUDNN_INPUT_LINEAR_MODE, direction: Any = CUDNN_RNN_UNIDIRECTION,
    dtype: DTypeLike = dtypes.float32, dropout: Any = 0, seed: int = 0, num_proj: Any = None,
    name: Name = None,
) -> Tensor:  # fmt: skip
    """How many parameters a net has: see `cudnn_rnn_opaque_params_to_canonical`.

    Returns:
      An int32 scalar.
    """
    arguments = _settings(rnn_mode, direction, input_mode, dropout, seed)
    return raw_ops.CudnnRNNParamsSize(
        num_layers=num_layers, num_units=num_units, input_size=input_size, num_proj=num_proj,
        T=dtype, S=dtypes.int32, name=name, **arguments,
    )[0]  # fmt: skip


class _CudnnRNN:
    """A net whose parameters the caller keeps.

    Args:
      rnn_mode: "lstm", "gru", "rnn_relu" or "rnn_tanh".
      num_layers, num_units, input_size: the sizes of the net.
      input_mode, direction, dropout, seed, num_proj: as for `_cudnn_rnn`.
      dtype: of the parameters.
    """

    def __init__(
        self, rnn_mode: Any, num_layers: int, num_units: int, input_size: Any,
        input_mode: Any = CUDNN_INPUT_LINEAR_MODE, direction: Any = CUDNN_RNN_UNIDIRECTION,
        dtype: DTypeLike = dtypes.float32, dropout: Any = 0.0, seed: int = 0, num_proj: Any = None,
    ):  # fmt: skip
        self._num_layers = num_layers
        self._num_units = num_units
        self._input_size = input_size
        self._rnn_mode = rnn_mode
        self._input_mode = input_mode
        self._direction = direction
        self._dtype = dtype
        self._dropout = dropout
        self._seed = seed
        self._num_proj = num_proj

    input_mode = attribute("_input_mode", "How the first layer takes its inputs.")
    input_size = attribute("_input_size", "The size of the inputs.")
    num_units = attribute("_num_units", "The number of units.")
    num_layers = attribute("_num_layers", "The number of layers.")
    rnn_mode = attribute("_rnn_mode", "The kind of cell.")
    direction = attribute("_direction", '"unidirectional" or "bidirectional".')
    num_proj = attribute("_num_proj", "The size of the projection.")

    def _sizes(self) -> dict[str, Any]:
        return {
            "rnn_mode": self._rnn_mode,
            "num_layers": self._num_layers,
            "num_units": self._num_units,
            "input_size": self._input_size,
            "num_proj": self._num_proj,
            **self._settings(),
        }

    def _settings(self) -> dict[str, Any]:
        return {
            "input_mode": self._input_mode,
            "direction": self._direction,
            "dropout": self._dropout,
            "seed": self._seed,
        }

    def params_size(self) -> Tensor:
        """How many parameters the net has."""
        return cudnn_rnn_opaque_params_size(dtype=self._dtype, **self._sizes())

    def __call__(
        self, input_data: Any, input_h: Any, input_c: Any, params: Any, is_training: Any = True,
        sequence_lengths: TensorLike | None = None, time_major: Any = True,
    ) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
        """All steps: see `_cudnn_rnn`."""
        return _cudnn_rnn(
            input_data, input_h, input_c, params, is_training, self._rnn_mode,
            sequence_lengths=sequence_lengths, time_major=time_major, num_proj=self._num_proj,
            **self._settings(),
        )  # fmt: skip

    def params_to_canonical(self, params: Any) -> Any:
        """The weights and the biases of each gate that the buffer holds: lists."""
        return cudnn_rnn_opaque_params_to_canonical(params=params, **self._sizes())

    def canonical_to_params(self, weights: TensorLike, biases: Any) -> Tensor:
        """The buffer that holds these weights and biases."""
        return cudnn_rnn_canonical_to_opaque_params(weights=weights, biases=biases, **self._sizes())


class CudnnLSTM(_CudnnRNN):
    """An LSTM: see `_CudnnRNN`."""

    _NUM_PARAMS_PER_LAYER = CUDNN_LSTM_PARAMS_PER_LAYER

    def __init__(
        self, num_layers: int, num_units: int, input_size: Any,
        input_mode: Any = CUDNN_INPUT_LINEAR_MODE, direction: Any = CUDNN_RNN_UNIDIRECTION,
        dtype: DTypeLike = dtypes.float32, dropout: Any = 0.0, seed: int = 0, num_proj: Any = None,
    ):  # fmt: skip
        super().__init__(
            CUDNN_LSTM, num_layers, num_units, input_size, input_mode=input_mode,
            direction=direction, dtype=dtype, dropout=dropout, seed=seed, num_proj=num_proj,
        )  # fmt: skip

    def __call__(
        self, input_data: Any, input_h: Any, input_c: Any, params: Any,
        sequence_lengths: TensorLike | None = None, time_major: Any = True, is_training: Any = True,
    ) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
        """All steps: see `_cudnn_rnn`."""
        return super().__call__(
            input_data, input_h, input_c, params, sequence_lengths=sequence_lengths,
            time_major=time_major, is_training=is_training,
        )  # fmt: skip


class _CudnnRNNNoInputC(_CudnnRNN):
    """A net without memory: see `_CudnnRNN`.

    Raises:
      ValueError: `direction` is unknown.
    """

    _rnn_mode: str

    def __init__(
        self, num_layers: int, num_units: int, input_size: Any,
        input_mode: Any = CUDNN_INPUT_LINEAR_MODE, direction: Any = CUDNN_RNN_UNIDIRECTION,
        dtype: DTypeLike = dtypes.float32, dropout: Any = 0.0, seed: int = 0,
    ):  # fmt: skip
        if direction not in (CUDNN_RNN_UNIDIRECTION, CUDNN_RNN_BIDIRECTION):
            raise ValueError(f"Invalid direction: {direction}")
        super().__init__(
            self._rnn_mode, num_layers, num_units, input_size, input_mode=input_mode,
            direction=direction, dtype=dtype, dropout=dropout, seed=seed,
        )  # fmt: skip

    def __call__(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, input_data: Any, input_h: Any, params: Any,
        sequence_lengths: TensorLike | None = None,
        time_major: Any = True, is_training: Any = True,
    ) -> tuple[Tensor, Tensor]:  # fmt: skip
        """All steps: see `_cudnn_rnn_no_input_c`."""
        return _cudnn_rnn_no_input_c(
            input_data, input_h, params, is_training, self._rnn_mode,
            sequence_lengths=sequence_lengths, time_major=time_major, **self._settings(),
        )  # fmt: skip


class CudnnGRU(_CudnnRNNNoInputC):
    """A GRU: see `_CudnnRNN`."""

    _rnn_mode = CUDNN_GRU
    _NUM_PARAMS_PER_LAYER = CUDNN_GRU_PARAMS_PER_LAYER


class CudnnRNNTanh(_CudnnRNNNoInputC):
    """A simple net with tanh: see `_CudnnRNN`."""

    _rnn_mode = CUDNN_RNN_TANH
    _NUM_PARAMS_PER_LAYER = CUDNN_RNN_TANH_PARAMS_PER_LAYER


class CudnnRNNRelu(_CudnnRNNNoInputC):
    """A simple net with relu: see `_CudnnRNN`."""

    _rnn_mode = CUDNN_RNN_RELU
    _NUM_PARAMS_PER_LAYER = CUDNN_RNN_RELU_PARAMS_PER_LAYER
