"""What layers and containers of layers have in common
(`tensorflow.python.training.tracking.layer_utils`)."""

from __future__ import annotations

from typing import Any


def is_layer(obj: Any) -> bool:
    """Whether it is a layer."""
    return hasattr(obj, "_is_layer") and not isinstance(obj, type)


def has_weights(obj: Any) -> bool:
    """Whether it has weights as layers have."""
    cls = type(obj)
    return (
        hasattr(cls, "trainable_weights")
        and hasattr(cls, "non_trainable_weights")
        and not isinstance(obj, type)
    )


def filter_empty_layer_containers(layer_list: Any) -> list[Any]:
    """The layers of a list, and those in its containers; each once."""
    seen: set[int] = set()
    pending = list(layer_list[::-1])
    found = []
    while pending:
        obj = pending.pop()
        if id(obj) in seen:
            continue
        seen.add(id(obj))
        if is_layer(obj):
            found.append(obj)
        elif hasattr(obj, "layers"):
            pending.extend(obj.layers[::-1])
    return found


def gather_trainable_weights(trainable: bool, sub_layers: Any, extra_variables: Any) -> list[Any]:
    """The trainable weights of layers, then those variables that are trainable."""
    if not trainable:
        return []
    weights = [w for layer in sub_layers for w in layer.trainable_weights]
    return weights + [v for v in extra_variables if v.trainable]


def gather_non_trainable_weights(
    trainable: bool, sub_layers: Any, extra_variables: Any
) -> list[Any]:
    """The other weights of layers, then the other variables; all of them if not trainable."""
    weights = [w for layer in sub_layers for w in layer.non_trainable_weights]
    weights += [v for v in extra_variables if not v.trainable]
    if trainable:
        return weights
    own = [w for layer in sub_layers for w in layer.trainable_weights]
    return own + [v for v in extra_variables if v.trainable] + weights
