"""Where tensors come from, and tables of layers
(`tensorflow.python.keras.utils.layer_utils`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.keras import backend
from tf1compat.api.keras.utils import conv_utils
from tf1compat.core import nest
from tf1compat.core.export import tf_export


@tf_export("keras.utils.get_source_inputs")
def get_source_inputs(tensor: Any, layer: Any = None, node_index: Any = None) -> Any:
    """The inputs of models that a tensor is computed from.

    Args:
      tensor: the output of a layer.
      layer, node_index: the layer and which of its calls; known by default.

    Returns:
      A list of tensors; `tensor` itself where no layer made it.
    """
    if not hasattr(tensor, "_keras_history"):
        return tensor
    if layer is None or node_index:
        layer, node_index, _ = tensor._keras_history
    if not layer._inbound_nodes:
        return [tensor]
    node = layer._inbound_nodes[node_index]
    if not node.inbound_layers:
        return nest.flatten(node.input_tensors)
    found: list[Any] = []
    for inner, index, _, x in node.iterate_inbound():
        for source in get_source_inputs(x, inner, index):
            if all(source is not other for other in found):
                found.append(source)
    return found


def count_params(weights: Any) -> int:
    """How many numbers variables hold, each counted once."""
    unique = {id(w): w for w in weights}.values()
    return int(sum(np.prod(w.shape.as_list()) for w in unique))


def _is_sequential_like(model: Any) -> bool:
    """Whether the layers of a model are a chain."""
    if type(model).__name__ == "Sequential" or not model._is_graph_network:
        return True
    nodes = []
    for calls in model._nodes_by_depth.values():
        if len(calls) > 1 or (calls and len(nest.flatten(calls[0].inbound_layers)) > 1):
            return False
        nodes += calls
    return all(sum(node in nodes for node in layer._inbound_nodes) <= 1 for layer in model.layers)


def print_summary(
    model: Any, line_length: Any = None, positions: Any = None,
    print_fn: Callable[[str], Any] | None = None,
) -> None:  # fmt: skip
    """Prints a model's layers. Args: see `Model.summary`."""
    say: Callable[[str], Any] = print if print_fn is None else print_fn
    chain = _is_sequential_like(model)
    header = ["Layer (type)", "Output Shape", "Param #"]
    relevant: list[Any] = []
    if chain:
        line_length = line_length or 65
        positions = positions or [0.45, 0.85, 1.0]
    else:
        line_length = line_length or 98
        positions = positions or [0.33, 0.55, 0.67, 1.0]
        header.append("Connected to")
        relevant = [node for nodes in model._nodes_by_depth.values() for node in nodes]
    if positions[-1] <= 1:
        positions = [int(line_length * part) for part in positions]

    def row(fields: list[Any]) -> None:
        line = ""
        for i, field in enumerate(fields):
            if i > 0:
                line = line[:-1] + " "
            line = (line + str(field))[: positions[i]]
            line += " " * (positions[i] - len(line))
        say(line)

    say(f'Model: "{model.name}"')
    say("_" * line_length)
    row(header)
    say("=" * line_length)
    layers = model.layers
    for i, layer in enumerate(layers):
        try:
            shape = layer.output_shape
        except AttributeError:
            shape = "multiple"
        except RuntimeError:
            shape = "?"
        fields = [f"{layer.name} ({type(layer).__name__})", shape, layer.count_params()]
        if chain:
            row(fields)
        else:
            sources = [
                f"{inner.name}[{index}][{tensor}]"
                for node in layer._inbound_nodes
                if not relevant or node in relevant
                for inner, index, tensor, _ in node.iterate_inbound()
            ]
            row([*fields, sources[0] if sources else ""])
            for source in sources[1:]:
                row(["", "", "", source])
        say(("=" if i == len(layers) - 1 else "_") * line_length)
    model._check_trainable_weights_consistency()
    if hasattr(model, "_collected_trainable_weights"):
        trainable = count_params(model._collected_trainable_weights)
    else:
        trainable = count_params(model._unique_trainable_weights)
    others = count_params(model.non_trainable_weights)
    say(f"Total params: {trainable + others:,}")
    say(f"Trainable params: {trainable:,}")
    say(f"Non-trainable params: {others:,}")
    say("_" * line_length)


@tf_export("keras.utils.convert_all_kernels_in_model")
def convert_all_kernels_in_model(model: Any) -> None:
    """Flips the kernels of all convolutions, between Theano's and TensorFlow's way.

    Args:
      model: a model, whose weights change.
    """
    backend.batch_set_value(
        [
            (layer.kernel, conv_utils.convert_kernel(backend.get_value(layer.kernel)))
            for layer in model.layers
            if type(layer).__name__ in ("Conv1D", "Conv2D", "Conv3D", "Conv2DTranspose")
        ]
    )


def convert_dense_weights_data_format(
    dense: Any, previous_feature_map_shape: Any, target_data_format: str = "channels_first"
) -> None:
    """Changes the order of a dense layer's inputs, which are flattened feature maps, between
    channels last and first."""
    assert target_data_format in {"channels_last", "channels_first"}
    kernel, bias = dense.get_weights()
    a, b, c = previous_feature_map_shape
    to_first = target_data_format == "channels_first"
    before = (b, c, a) if to_first else (c, a, b)
    for i in range(kernel.shape[1]):
        column = kernel[:, i].reshape(before)
        column = np.transpose(column, (2, 0, 1) if to_first else (1, 2, 0))
        kernel[:, i] = column.reshape(-1)
    dense.set_weights([kernel, bias])


# Layers that TF 2 has others in the place of: TF 1.15 does not count them as its own.
_ONLY_TF1 = frozenset(
    f"keras.layers.{name}"
    for name in (
        "BatchNormalization", "CuDNNGRU", "CuDNNLSTM", "DenseFeatures", "GRU", "GRUCell", "LSTM",
        "LSTMCell", "Layer",
    )
)  # fmt: skip


def is_builtin_layer(layer: Any) -> bool:
    """Whether a layer is Keras's own, or of a class made of such a one."""
    names = getattr(layer, "_tf_api_names", None)
    return bool(names) and names[0] not in _ONLY_TF1
