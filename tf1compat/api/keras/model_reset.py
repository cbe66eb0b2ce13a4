"""Part of `tensorflow.python.keras.models`: subclassed models made new in place, as no config says
what they are made of."""

from __future__ import annotations

from typing import Any

from tf1compat.api.keras.engine.base_layer import Layer
from tf1compat.api.keras.engine.network import Network

_ADVICE = "in `model_to_estimator` at this time. Found"
# Lists of layers that every model has.
_OWN_LISTS = (
    "layers", "_layers", "metrics", "_compile_metric_functions", "_output_loss_metrics",
)  # fmt: skip
# What building and compiling leave in a model besides its layers.
_BUILT = (
    "inputs", "outputs", "total_loss", "optimizer", "train_function", "test_function",
    "predict_function", "_training_endpoints", "_collected_trainable_weights", "_feed_inputs",
    "_feed_input_names", "_feed_input_shapes",
)  # fmt: skip
_CACHE = "_original_attributes_cache"


def _in_place_subclassed_model_reset(model: Any) -> None:
    """Gives a subclassed model new layers, and forgets that it was built and compiled.

    `in_place_subclassed_model_state_restoration` takes it back.

    Args:
      model: the model.

    Raises:
      ValueError: it has models or lists of layers for attributes.
    """
    assert not model._is_graph_network
    kept: dict[str, Any] = _layer_attributes(model)
    names = {layer: name for name, layer in kept.items()}
    fresh = [_fresh_layer(layer) for layer in model._layers]
    for old, new in zip(model._layers, fresh, strict=True):
        model._set_private(names[old], new)
    model._set_private("_layers", fresh)
    if getattr(model, _CACHE, None) is None and model.built:
        kept.update((name, getattr(model, name)) for name in _BUILT)
    model._set_private(_CACHE, kept)
    _forget_building(model)


def _layer_attributes(model: Any) -> dict[str, Any]:
    """attribute -> the layer that it holds."""
    found = {}
    for name in dir(model):
        if name == "submodules":  # It would look through all the others.
            continue
        try:
            value = getattr(model, name)
        except (AttributeError, ValueError, TypeError):
            continue
        if isinstance(value, Layer):
            assert any(value is layer for layer in model.layers)
            if getattr(value, "layers", None):
                raise ValueError(
                    f"We do not support the use of nested layers {_ADVICE} nested layer: {value}"
                )
            found[name] = value
        elif isinstance(value, list | tuple) and name not in _OWN_LISTS:
            if value and all(isinstance(item, Layer) for item in value):
                raise ValueError(
                    "We do not support the use of list-of-layers attributes in subclassed models "
                    "used with `model_to_estimator` at this time. Found list model: " + name
                )
    return found


def _fresh_layer(layer: Any) -> Any:
    if isinstance(layer, Network) and not layer._is_graph_network:
        raise ValueError(
            f"We do not support the use of nested subclassed models {_ADVICE} nested model: {layer}"
        )
    return type(layer).from_config(layer.get_config())


def in_place_subclassed_model_state_restoration(model: Any) -> None:
    """Gives a subclassed model the layers back that it had before it was made new in place."""
    assert not model._is_graph_network
    kept = getattr(model, _CACHE, None)
    if kept is None:
        _forget_building(model)
        return
    for name, value in kept.items():
        model._set_private(name, value)
    model._set_private("_layers", [value for value in kept.values() if isinstance(value, Layer)])
    model._set_private(_CACHE, None)


def _forget_building(model: Any) -> None:
    for name, value in (
        ("built", False), ("inputs", None), ("outputs", None), ("_is_compiled", False),
        ("optimizer", None),
    ):  # fmt: skip
        model._set_private(name, value)
