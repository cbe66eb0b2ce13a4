"""The graph of layer calls between a network's inputs and outputs, and its config."""

from __future__ import annotations

import collections
import copy
import json
from typing import Any

import numpy as np

from tf1compat.api.keras import backend
from tf1compat.api.keras.engine import base_layer_utils
from tf1compat.api.keras.layers import serialization
from tf1compat.api.keras.utils import tf_utils
from tf1compat.api.platform import tf_logging as logging
from tf1compat.core import nest, ops
from tf1compat.core.tensor_shape import as_dimension


def make_node_key(layer_name: str, node_index: int) -> str:
    """The name of a node."""
    return f"{layer_name}_ib-{node_index}"


def input_shape_and_dtype(layer: Any) -> tuple[Any, Any]:
    """The (shape with batch, dtype) that the first layer of a layer was declared with; None if it
    was not."""
    while layer._is_graph_network or type(layer).__name__ == "Sequential":
        if not layer.layers:
            raise ValueError("An empty Model cannot be used as a Layer.")
        layer = layer.layers[0]
    if hasattr(layer, "_batch_input_shape"):
        return layer._batch_input_shape, layer.dtype
    return None, None


def static_batch_size(layer: Any) -> int | None:
    """The size of the batches, if it was declared."""
    shape, _ = input_shape_and_dtype(layer)
    return None if shape is None else as_dimension(shape[0]).value


def skips_first(layer: Any) -> bool:
    """Whether the first node of a layer is the one it was made with: it is a graph network."""
    from tf1compat.api.keras.engine.network import Network

    return isinstance(layer, Network) and layer._is_graph_network


class _Walk:
    """The nodes that outputs depend on, the inputs' first."""

    def __init__(self) -> None:
        self.keys: set[str] = set()
        self.layer_indices: dict[Any, int] = {}
        self.nodes: list[Any] = []
        self._finished: set[Any] = set()
        self._in_progress: set[Any] = set()

    def visit(self, tensor: Any, layer: Any, node_index: int) -> None:
        node = layer._inbound_nodes[node_index]
        if node in self._in_progress:
            raise ValueError(f'The tensor {tensor} at layer "{layer.name}" is part of a cycle.')
        if node in self._finished:
            return
        self.keys.add(make_node_key(layer.name, node_index))
        self.layer_indices.setdefault(layer, len(self.layer_indices))
        self._in_progress.add(node)
        for inner, index, _, inner_tensor in node.iterate_inbound(include_arguments=True):
            self.visit(inner_tensor, inner, index)
        self._finished.add(node)
        self._in_progress.remove(node)
        self.nodes.append(node)


def map_graph_network(
    inputs: Any, outputs: Any
) -> tuple[set[str], dict[int, list[Any]], list[Any], dict[int, list[Any]]]:
    """The graph between inputs and outputs.

    Returns:
      (the keys of the nodes, depth -> nodes, layers, depth -> layers). The depth is the longest way
      to an output.

    Raises:
      ValueError: there is a cycle, an output depends on something else, or names repeat.
    """
    walk = _Walk()
    for x in outputs:
        walk.visit(x, x._keras_history.layer, x._keras_history.node_index)
    keys, indices = walk.keys, walk.layer_indices
    nodes_depths: dict[Any, int] = {}
    layers_depths: dict[Any, int] = {}
    for node in reversed(walk.nodes):
        layer = node.outbound_layer
        depth = max(nodes_depths.setdefault(node, 0), layers_depths.get(layer, 0))
        layers_depths[layer] = nodes_depths[node] = depth
        for before in node._get_all_node_dependencies():
            nodes_depths[before] = max(depth + 1, nodes_depths.get(before, 0))
    for x in inputs:
        layer = x._keras_history.layer
        if layer not in layers_depths:
            layers_depths[layer] = 0
            indices[layer] = -1
            nodes_depths[layer._inbound_nodes[0]] = 0
            keys.add(make_node_key(layer.name, 0))
    nodes_by_depth: dict[int, list[Any]] = collections.defaultdict(list)
    for node, depth in nodes_depths.items():
        nodes_by_depth[depth].append(node)
    layers_by_depth: dict[int, list[Any]] = collections.defaultdict(list)
    for layer, depth in layers_depths.items():
        layers_by_depth[depth].append(layer)
    layers = []
    for depth in sorted(layers_by_depth, reverse=True):
        layers_by_depth[depth].sort(key=lambda layer: indices[layer])
        layers.extend(layers_by_depth[depth])
    _check_connected(inputs, nodes_by_depth)
    names = [layer.name for layer in layers]
    for name in names:
        if names.count(name) != 1:
            raise ValueError(
                f'The name "{name}" is used {names.count(name)} times in the model. All layer '
                "names should be unique."
            )
    return keys, nodes_by_depth, layers, layers_by_depth


def _check_connected(inputs: Any, nodes_by_depth: dict[int, list[Any]]) -> None:
    computable = {id(x) for x in inputs}
    done = []
    for depth in sorted(nodes_by_depth, reverse=True):
        for node in nodes_by_depth[depth]:
            layer = node.outbound_layer
            for x in nest.flatten(node.input_tensors):
                if id(x) not in computable:
                    raise ValueError(
                        f"Graph disconnected: cannot obtain value for tensor {x} at layer "
                        f'"{layer.name}". The following previous layers were accessed without '
                        f"issue: {done}"
                    )
            computable.update(id(x) for x in nest.flatten(node.output_tensors))
            done.append(layer.name)


def map_subgraph_network(inputs: Any, outputs: Any) -> tuple[list[Any], list[Any]]:
    """(nodes, layers) between inputs and tensors that layers need not have made."""
    base_layer_utils.create_keras_history(outputs)
    _, nodes_by_depth, layers, _ = map_graph_network(inputs, outputs)
    return [node for nodes in nodes_by_depth.values() for node in nodes], layers


def insert_nodes(network: Any, layers: Any, relevant_nodes: Any) -> None:
    """Gives nodes after the outputs of a network their (negative) depths."""
    node_to_depth = {
        node: depth for depth, nodes in network._nodes_by_depth.items() for node in nodes
    }
    if not relevant_nodes:
        relevant_nodes = [node for layer in layers for node in layer._inbound_nodes]
    all_nodes = set(relevant_nodes) | set(node_to_depth)

    def depth_of(node: Any) -> int | None:
        least = 0
        for layer, index, _, _ in node.iterate_inbound(include_arguments=True):
            before = layer._inbound_nodes[index]
            if before in node_to_depth:
                least = min(least, node_to_depth[before])
            elif before in all_nodes:
                return None  # Not known yet.
        return least - 1

    pending = collections.deque(relevant_nodes)
    tries = 0
    while pending:
        tries += 1
        if tries > 10000:
            raise ValueError("Layers could not be added due to missing dependencies.")
        node = pending.popleft()
        depth = depth_of(node)
        if depth is None:
            pending.append(node)
            continue
        layer = node.outbound_layer
        key = make_node_key(layer.name, layer._inbound_nodes.index(node))
        if key not in network._network_nodes:
            node_to_depth[node] = depth
            network._network_nodes.add(key)
            network._nodes_by_depth[depth].append(node)


# Configs.


def _serialized_arguments(layer: Any, arguments: Any) -> dict[str, Any]:
    def serialize(x: Any) -> Any:
        if hasattr(x, "_keras_history"):
            history = x._keras_history
            return [history.layer.name, history.node_index, history.tensor_index]
        if isinstance(x, np.ndarray):
            return x.tolist()
        if isinstance(x, ops.Tensor):
            return backend.get_value(x).tolist()
        return x

    if not arguments:
        return {}
    kwargs = nest.map_structure(serialize, arguments)
    try:
        json.dumps(kwargs)
    except TypeError:
        logging.warning(
            f"Layer {layer.name} was passed non-serializable keyword arguments: {arguments}. They "
            "will not be included in the serialized model (and thus will be missing at "
            "deserialization time)."
        )
        return {}
    return kwargs


def get_config(network: Any) -> dict[str, Any]:
    """The config of a graph network: its layers, with the nodes that are in it counted anew."""
    nodes = network._network_nodes
    places: dict[str, int] = {}
    for layer in network.layers:
        kept = 1 if skips_first(layer) else 0
        for index in range(len(layer._inbound_nodes)):
            key = make_node_key(layer.name, index)
            if key in nodes:
                places[key] = kept
                kept += 1

    def inbound(layer: Any, node: Any) -> Any:
        kwargs = _serialized_arguments(layer, node.arguments)
        data = [
            tf_utils.ListWrapper(
                [before.name, places.get(make_node_key(before.name, index), 0), tensor, kwargs]
            )
            for before, index, tensor, _ in node.iterate_inbound()
        ]
        packed = nest.pack_sequence_as(node.input_tensors, data)
        packed = packed if nest.is_sequence(packed) else [packed]
        return tf_utils.convert_inner_node_data(packed)

    layers = []
    for layer in network.layers:
        config = layer.get_config()
        calls = [
            inbound(layer, node)
            for index, node in enumerate(layer._inbound_nodes)
            if make_node_key(layer.name, index) in nodes and node.inbound_layers
        ]
        layers.append(
            {
                "name": layer.name,
                "class_name": type(layer).__name__,
                "config": config,
                "inbound_nodes": calls,
            }
        )

    def ends(coordinates: Any, structure: Any) -> Any:
        data = [
            tf_utils.ListWrapper([layer.name, places[make_node_key(layer.name, index)], tensor])
            for layer, index, tensor in coordinates
            if make_node_key(layer.name, index) in nodes
        ]
        packed = nest.pack_sequence_as(structure, data)
        packed = packed if nest.is_sequence(packed) else [packed]
        return tf_utils.convert_inner_node_data(packed)

    return copy.deepcopy(
        {
            "name": network.name,
            "layers": layers,
            "input_layers": ends(network._input_coordinates, network._nested_inputs),
            "output_layers": ends(network._output_coordinates, network._nested_outputs),
        }
    )


def reconstruct(config: dict[str, Any], custom_objects: Any) -> tuple[Any, Any, dict[str, Any]]:
    """(inputs, outputs, name -> layer) of a config."""
    created: dict[str, Any] = {}
    pending: dict[Any, list[Any]] = {}
    for data in config["layers"]:
        layer = serialization.deserialize(data, custom_objects=custom_objects)
        created[data["name"]] = layer
        calls = tf_utils.convert_inner_node_data(data["inbound_nodes"], wrap=True)
        if calls:
            pending[layer] = list(calls)

    def tensor_at(name: str, node_index: int, tensor_index: int) -> Any:
        outputs = created[name]._inbound_nodes[node_index].output_tensors
        return nest.flatten(outputs)[tensor_index]

    def argument(value: Any) -> Any:
        return tensor_at(*value.as_list()) if isinstance(value, tf_utils.ListWrapper) else value

    def call(layer: Any, data: Any) -> None:
        inputs, kwargs = [], {}
        for place in nest.flatten(data):
            name, node_index, tensor_index, *rest = place.as_list()
            kwargs = tf_utils.convert_inner_node_data(rest[0], wrap=True) if rest else {}
            kwargs = nest.map_structure(argument, kwargs)
            if len(created[name]._inbound_nodes) <= node_index:
                pending.setdefault(layer, []).append(data)  # It is to be called first.
                return
            inputs.append(tensor_at(name, node_index, tensor_index))
        packed = nest.pack_sequence_as(data, inputs)
        if not isinstance(packed, dict) and len(inputs) == 1:
            packed = inputs[0]
        layer(packed, **kwargs)

    while pending:
        for data in config["layers"]:
            layer = created[data["name"]]
            for calls in pending.pop(layer, ()):
                call(layer, calls)

    def ends(key: str) -> Any:
        places = tf_utils.convert_inner_node_data(config[key], wrap=True)
        found = [tensor_at(*place.as_list()) for place in nest.flatten(places)]
        return nest.pack_sequence_as(places, found)

    return ends("input_layers"), ends("output_layers"), created
