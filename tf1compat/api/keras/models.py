"""Models, and copies of them (`tensorflow.python.keras.models`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.keras import backend, optimizers
from tf1compat.api.keras import metrics as metrics_module
from tf1compat.api.keras.engine.input_layer import Input, InputLayer
from tf1compat.api.keras.engine.op_layers import AddMetric
from tf1compat.api.keras.engine.sequential import Sequential
from tf1compat.api.keras.engine.training import Model
from tf1compat.api.keras.model_reset import (
    _in_place_subclassed_model_reset,
    in_place_subclassed_model_state_restoration,
)
from tf1compat.api.keras.saving.model_config import (
    model_from_config,
    model_from_json,
    model_from_yaml,
)
from tf1compat.api.keras.saving.save import load_model, save_model
from tf1compat.api.keras.utils import generic_utils
from tf1compat.api.platform import tf_logging as logging
from tf1compat.core import nest
from tf1compat.core.export import tf_export


def share_weights(layer: Any) -> Any:
    """A layer itself, as the copy of it that `clone_model` uses."""
    return layer


def _clone_layer(layer: Any) -> Any:
    return type(layer).from_config(layer.get_config())


def _insert_ancillary_layers(
    model: Any, ancillary_layers: list[Any], metrics_names: list[str], new_nodes: Any
) -> None:
    """Adds layers for losses and metrics to a model, metrics in the order of their names."""

    def place(layer: Any) -> int:
        return metrics_names.index(layer.metric_name) if isinstance(layer, AddMetric) else -1

    ordered = sorted(ancillary_layers, key=place)
    model._insert_layers(ordered, relevant_nodes=list(new_nodes))


def _make_new_nodes(
    nodes_by_depth: dict[int, Any], layer_fn: Callable[[Any], Any], layer_map: dict[Any, Any],
    tensor_map: dict[int, Any],
) -> Any:  # fmt: skip
    """Calls copies of layers as the layers themselves were called.

    Args:
      nodes_by_depth: the calls.
      layer_fn: copies a layer.
      layer_map: copies there are already; others are added.
      tensor_map: {id of a tensor: its copy}; others are added.

    Returns:
      The set of new nodes.
    """
    new_nodes = set()
    for depth in sorted(nodes_by_depth, reverse=True):
        for node in nodes_by_depth[depth]:
            layer = node.outbound_layer
            if layer not in layer_map:
                layer_map[layer] = layer_fn(layer)
            elif isinstance(layer_map[layer], InputLayer):
                continue
            layer = layer_map[layer]
            if not all(id(tensor) in tensor_map for tensor in nest.flatten(node.input_tensors)):
                continue
            inputs = nest.map_structure(lambda t: tensor_map[id(t)], node.input_tensors)
            outputs = layer(inputs, **(node.arguments or {}))
            index = nest.flatten(outputs)[0]._keras_history.node_index
            new_nodes.add(layer._inbound_nodes[index])
            for x, y in zip(nest.flatten(node.output_tensors), nest.flatten(outputs), strict=False):
                tensor_map[id(x)] = y
    return new_nodes


def _clone_functional_model(model: Any, input_tensors: Any, layer_fn: Any) -> Any:
    if not isinstance(model, Model):
        raise ValueError("Expected `model` argument to be a `Model` instance, got ", model)
    if not model._is_graph_network:
        raise ValueError(
            "Expected `model` argument to be a functional `Model` instance, but got a subclass "
            "model instead."
        )
    layer_map: dict[Any, Any] = {}
    new_inputs: list[Any] = []
    if input_tensors is None:
        for layer in model._input_layers:
            tensor = Input(**layer.get_config())
            new_inputs.append(tensor)
            layer_map[layer] = tensor._keras_history.layer
    else:
        for layer, tensor in zip(model._input_layers, nest.flatten(input_tensors), strict=False):
            if not backend.is_keras_tensor(tensor):
                tensor = Input(tensor=tensor, name=f"input_wrapper_for_{layer.name}")
                layer_map[layer] = tensor._keras_history.layer
            new_inputs.append(tensor)
    if not callable(layer_fn):
        raise ValueError("Expected `layer_fn` argument to be a callable.")
    tensor_map = {id(x): y for x, y in zip(model.inputs, new_inputs, strict=False)}
    new_nodes = _make_new_nodes(model._nodes_by_depth, layer_fn, layer_map, tensor_map)
    new_outputs = []
    for x in model.outputs:
        assert id(x) in tensor_map, f"Could not compute output {x}"
        new_outputs.append(tensor_map[id(x)])
    metrics_names = model.metrics_names
    clone = Model(
        nest.pack_sequence_as(model._nested_inputs, new_inputs),
        nest.pack_sequence_as(model._nested_outputs, new_outputs),
        name=model.name,
    )
    ancillary = [layer for layer in layer_map.values() if layer not in clone.layers]
    if ancillary:
        _insert_ancillary_layers(clone, ancillary, metrics_names, new_nodes)
    return clone


def _ancillary_layers(model: Any, layer_map: dict[Any, Any]) -> list[Any]:
    """Copies of the layers that a model has for losses and metrics."""
    if not model._is_graph_network:
        return []
    depths = sorted((depth for depth in model._nodes_by_depth if depth < 0), reverse=True)
    return [
        layer_map[node.outbound_layer] for depth in depths for node in model._nodes_by_depth[depth]
    ]


def _clone_sequential_model(model: Any, input_tensors: Any, layer_fn: Any) -> Any:
    if not callable(layer_fn):
        raise ValueError("Expected `layer_fn` argument to be a callable.")
    layer_map: dict[Any, Any] = {}
    for layer in model._layers:
        is_input = isinstance(layer, InputLayer)
        if is_input and input_tensors is not None:
            continue
        layer_map[layer] = _clone_layer(layer) if is_input else layer_fn(layer)
    ancillary = _ancillary_layers(model, layer_map)
    layers = [layer for layer in layer_map.values() if layer not in ancillary]
    if input_tensors is not None:
        layers = [_first_layer(input_tensors), *layers]
    clone = Sequential(layers=layers, name=model.name)
    if not ancillary:
        return clone
    tensor_map: dict[int, Any] = {}
    for depth, cloned_nodes in clone._nodes_by_depth.items():
        for cloned, node in zip(cloned_nodes, model._nodes_by_depth[depth], strict=False):
            for x, y in zip(
                nest.flatten(node.output_tensors), nest.flatten(cloned.output_tensors), strict=True
            ):
                tensor_map[id(x)] = y
    late = {depth: nodes for depth, nodes in model._nodes_by_depth.items() if depth < 0}
    new_nodes = _make_new_nodes(late, layer_fn, layer_map, tensor_map)
    _insert_ancillary_layers(clone, ancillary, model.metrics_names, new_nodes)
    return clone


def _first_layer(input_tensors: Any) -> Any:
    """The layer that brings a tensor into a sequential model."""
    tensors = generic_utils.to_list(input_tensors)
    if isinstance(tensors, tuple):
        tensors = list(tensors)
    if len(tensors) != 1:
        raise ValueError(
            "To clone a `Sequential` model, we expect  at most one tensor as part of "
            "`input_tensors`."
        )
    x = generic_utils.to_list(tensors)[0]
    if not backend.is_keras_tensor(x):
        return Input(tensor=x, name=f"input_wrapper_for_{x.name}")._keras_history.layer
    layer = x._keras_history.layer
    if not isinstance(layer, InputLayer):
        raise ValueError(
            "Cannot clone a `Sequential` model on top of a tensor that comes from a Keras layer "
            "other than an `InputLayer`. Use the functional API instead."
        )
    return layer


@tf_export("keras.models.clone_model")
def clone_model(model: Any, input_tensors: Any = None, clone_function: Any = None) -> Any:
    """A model that is made like another one, with weights of its own.

    Args:
      model: a functional or sequential model.
      input_tensors: what the new model is on top of; new placeholders by default.
      clone_function: `clone_function(layer)` gives the layer that takes the place of one (input
        layers excepted); a new one of the same config by default.

    Returns:
      A `Model`.

    Raises:
      ValueError: the model is subclassed, or `input_tensors` don't fit it.
    """
    clone_function = _clone_layer if clone_function is None else clone_function
    clone = _clone_sequential_model if isinstance(model, Sequential) else _clone_functional_model
    return clone(model, input_tensors, clone_function)


def clone_and_build_model(
    model: Any, input_tensors: Any = None, target_tensors: Any = None, custom_objects: Any = None,
    compile_clone: bool = True, in_place_reset: bool = False, optimizer_iterations: Any = None,
    optimizer_config: Any = None,
) -> Any:  # fmt: skip
    """A model like another one, compiled as that one is.

    Args:
      model: the model.
      input_tensors: what the new model is on top of; new placeholders by default.
      target_tensors: the targets; new placeholders by default.
      custom_objects: classes and functions by name.
      compile_clone: whether to compile the new model.
      in_place_reset: whether a subclassed model without a config may itself be made new.
      optimizer_iterations: the variable that counts steps; one of its own by default.
      optimizer_config: a config for the new optimizer, or several; the old one's by default.

    Raises:
      ValueError: the model isn't compiled, or it can't be cloned.
    """
    original = model.optimizer  # Resetting the model takes it away.
    if compile_clone and not original:
        raise ValueError(
            "Error when cloning model: compile_clone was set to True, but the original model has "
            "not been compiled."
        )
    if model._is_graph_network or isinstance(model, Sequential):
        with generic_utils.CustomObjectScope(custom_objects or {}):
            clone = clone_model(model, input_tensors=input_tensors)
        shape = getattr(model, "_build_input_shape", None)
        if isinstance(clone, Sequential) and not clone._is_graph_network and shape is not None:
            clone._set_inputs(backend.placeholder(shape, dtype=model.inputs[0].dtype))
    else:
        try:
            clone = type(model).from_config(model.get_config())
        except NotImplementedError:
            logging.warning(
                "This model is a subclassed model. Please implement `get_config` and "
                "`from_config` to better support cloning the model."
            )
            if not in_place_reset:
                raise ValueError(
                    "This model is a subclassed model. Such a model cannot be cloned, but there "
                    "is a workaround where the model is reset in-place. To use this, please set "
                    "the argument `in_place_reset` to `True`. This will reset the attributes in "
                    "the original model. To restore the attributes, call "
                    "`in_place_subclassed_model_state_restoration(model)`."
                ) from None
            clone = model
            _in_place_subclassed_model_reset(clone)
        if input_tensors is not None:
            tensors = input_tensors
            if isinstance(tensors, list | tuple) and len(tensors) == 1:
                tensors = tensors[0]
            clone._set_inputs(tensors)
    if not compile_clone:
        return clone
    if isinstance(original, optimizers.TFOptimizer):
        optimizer: Any = optimizers.TFOptimizer(original.optimizer, optimizer_iterations)
        backend.track_tf_optimizer(optimizer)
    else:
        originals = generic_utils.to_list(original)
        if optimizer_config is None:
            configs = [one.get_config() for one in originals]
        else:
            configs = generic_utils.to_list(optimizer_config)
        made = [
            type(one).from_config(config) for one, config in zip(originals, configs, strict=False)
        ]
        if optimizer_iterations is not None:
            for one in made:
                one.iterations = optimizer_iterations
        optimizer = made[0] if len(made) == 1 else made
    clone.compile(
        optimizer,
        model.loss,
        metrics=metrics_module.clone_metrics(model._compile_metrics),
        loss_weights=model.loss_weights,
        sample_weight_mode=model.sample_weight_mode,
        weighted_metrics=metrics_module.clone_metrics(model._compile_weighted_metrics),
        target_tensors=target_tensors,
    )
    return clone


__all__ = [
    "Model", "Sequential", "clone_and_build_model", "clone_model",
    "in_place_subclassed_model_state_restoration", "load_model", "model_from_config",
    "model_from_json", "model_from_yaml", "save_model", "share_weights",
]  # fmt: skip
