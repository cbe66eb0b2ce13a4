"""Weights as other versions and layers saved them (of
`tensorflow.python.keras.saving.hdf5_format`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.keras import backend
from tf1compat.api.keras.utils import conv_utils

_CONVOLUTIONS = ("Conv1D", "Conv2D", "Conv3D", "Conv2DTranspose", "ConvLSTM2D")


def preprocess_weights_for_loading(
    layer: Any, weights: Any, original_keras_version: Any = None, original_backend: Any = None
) -> Any:
    """Weights in the form that a layer has them.

    Args:
      layer: the layer.
      weights: the arrays that were saved for it.
      original_keras_version: the version that saved them.
      original_backend: the backend that saved them.

    Returns:
      A list of arrays.

    Raises:
      ValueError: weights of an RNN that can't be converted.
    """
    origin = (original_keras_version, original_backend)
    kind = type(layer).__name__
    if kind == "Bidirectional":
        half = len(weights) // 2
        weights = preprocess_weights_for_loading(
            layer.forward_layer, weights[:half], *origin
        ) + preprocess_weights_for_loading(layer.backward_layer, weights[half:], *origin)
    elif kind == "TimeDistributed":
        weights = preprocess_weights_for_loading(layer.layer, weights, *origin)
    elif kind in ("Model", "Sequential"):
        weights = _nested(layer, weights, origin)
    if original_keras_version == "1":
        weights = _from_keras_1(layer, list(weights), origin)
    if kind in _CONVOLUTIONS:
        weights = list(weights)
        kernels = 2 if kind == "ConvLSTM2D" else 1
        if original_backend == "theano":
            weights[:kernels] = [conv_utils.convert_kernel(w) for w in weights[:kernels]]
        if backend.int_shape(layer.weights[0]) != weights[0].shape:
            weights[:kernels] = [np.transpose(w, (3, 2, 0, 1)) for w in weights[:kernels]]
    return _convert_rnn_weights(layer, weights)


def _nested(model: Any, weights: Any, origin: Any) -> list[Any]:
    """Weights of a model in a model: all trainable ones come first."""
    split = len(model.trainable_weights)
    trainable, others = list(weights[:split]), list(weights[split:])
    new_trainable: list[Any] = []
    new_others: list[Any] = []
    for layer in model.layers:
        if not layer.weights:
            continue
        n, m = len(layer.trainable_weights), len(layer.non_trainable_weights)
        found = preprocess_weights_for_loading(layer, trainable[:n] + others[:m], *origin)
        new_trainable += found[:n]
        new_others += found[n:]
        del trainable[:n], others[:m]
    return new_trainable + new_others


def _joined(weights: list[Any], order: tuple[int, ...]) -> list[Any]:
    """Kernel, recurrent kernel and bias of gates that were saved one by one."""
    return [np.concatenate([weights[i + part] for i in order], axis=-1) for part in range(3)]


def _from_keras_1(layer: Any, weights: list[Any], origin: Any) -> list[Any]:
    kind = type(layer).__name__
    channels_first = getattr(layer, "data_format", None) == "channels_first"
    if kind == "TimeDistributed":
        return preprocess_weights_for_loading(layer.layer, weights, *origin)
    if kind == "Conv1D":
        shape = weights[0].shape
        if shape[:2] != (layer.kernel_size[0], 1) or shape[3] != layer.filters:
            weights[0] = np.transpose(weights[0], (2, 3, 1, 0))
        weights[0] = weights[0][:, 0, :, :]
    elif kind == "Conv2D" and channels_first:
        weights[0] = np.transpose(weights[0], (2, 3, 1, 0))
    elif kind == "Conv2DTranspose":
        weights[0] = np.transpose(weights[0], (2, 3, 0, 1) if channels_first else (0, 1, 3, 2))
    elif kind == "Conv3D" and channels_first:
        weights[0] = np.transpose(weights[0], (2, 3, 4, 1, 0))
    elif kind == "GRU" and len(weights) == 9:
        weights = _joined(weights, (0, 3, 6))
    elif kind in ("LSTM", "ConvLSTM2D") and len(weights) == 12:
        weights = _joined(weights, (0, 6, 3, 9))
        if kind == "ConvLSTM2D" and channels_first:
            weights[:2] = [np.transpose(w, (2, 3, 1, 0)) for w in weights[:2]]
    return weights


def _by_gates(kernels: Any, change: Callable[[Any], Any], gates: int) -> Any:
    return np.hstack([change(kernel) for kernel in np.hsplit(kernels, gates)])


def _convert_kernels(weights: Any, gates: int, from_cudnn: bool) -> list[Any]:
    """Kernels of an RNN in the form of cuDNN's layers, or out of it."""
    order = "F" if from_cudnn else "C"
    return [
        _by_gates(weights[0], lambda k: k.T.reshape(k.shape, order=order), gates),
        _by_gates(weights[1], lambda k: k.T, gates),
    ]


def _convert_rnn_weights(layer: Any, weights: Any) -> Any:
    kind = type(layer).__name__
    if len(weights) != 3:
        return weights
    if kind in ("LSTM", "CuDNNLSTM"):
        return _convert_lstm(kind, weights)
    if kind in ("GRU", "CuDNNGRU"):
        return _convert_gru(layer, kind, weights)
    return weights


def _convert_lstm(kind: str, weights: Any) -> Any:
    units = weights[1].shape[0]
    source = {(8 * units,): "CuDNNLSTM", (4 * units,): "LSTM"}.get(weights[2].shape)
    if source is None:
        raise ValueError(f"Invalid bias shape: {weights[2].shape}")
    if source == kind:
        return weights
    from_cudnn = source == "CuDNNLSTM"
    if from_cudnn:
        bias = np.sum(np.split(weights[2], 2, axis=0), axis=0)
    else:
        bias = np.tile(0.5 * weights[2], 2)
    return [*_convert_kernels(weights, 4, from_cudnn), bias]


def _convert_gru(layer: Any, kind: str, weights: Any) -> Any:
    units = weights[1].shape[0]
    source = {
        (6 * units,): "CuDNNGRU",
        (2, 3 * units): "GRU(reset_after=True)",
        (3 * units,): "GRU(reset_after=False)",
    }.get(weights[2].shape)
    if source is None:
        raise ValueError(f"Invalid bias shape: {weights[2].shape}")
    target = kind if kind == "CuDNNGRU" else f"GRU(reset_after={bool(layer.reset_after)})"
    if source == target:
        return weights
    if "GRU(reset_after=False)" in (source, target):
        raise ValueError(f"{source} is not compatible with {target}")
    from_cudnn = source == "CuDNNGRU"
    bias = np.array(weights[2]).reshape((2, -1) if from_cudnn else -1)
    return [*_convert_kernels(weights, 3, from_cudnn), bias]
