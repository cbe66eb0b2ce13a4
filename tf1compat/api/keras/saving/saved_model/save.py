"""`tensorflow.python.keras.saving.saved_model.save`: Keras models as SavedModels."""

from __future__ import annotations

import functools
import os
from typing import Any

from tf1compat.api.functions import function as def_function
from tf1compat.api.keras import backend
from tf1compat.api.keras.saving import saving_utils
from tf1compat.api.keras.saving.saved_model import layer_functions, load
from tf1compat.api.keras.saving.saved_model.attributes import KERAS_CACHE_KEY, SerializedAttributes
from tf1compat.api.keras.utils.io_utils import ask_to_proceed_with_overwrite
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.saved_model import save as save_lib
from tf1compat.api.training.tracking import base, data_structures


def save(
    model: Any, filepath: Any, overwrite: bool, include_optimizer: bool, signatures: Any = None
) -> None:
    """Saves a model as a SavedModel.

    Args:
      model: the model, which has been called.
      filepath: the folder.
      overwrite: whether to overwrite one that is there without asking.
      include_optimizer: whether the optimizer is saved, too.
      signatures: see `tf.saved_model.save`.

    Raises:
      ValueError: the shapes of the model's inputs are not known.
    """
    filepath = os.fspath(filepath)
    if not overwrite and os.path.exists(filepath):
        if not ask_to_proceed_with_overwrite(filepath):
            return
    if _is_skipped(model):
        saving_utils.raise_model_input_error(model)
    optimizer = model.optimizer
    if not include_optimizer:
        model.optimizer = None
    try:
        with backend.learning_phase_scope(0):
            save_lib.save(model, filepath, signatures)
    finally:
        if not include_optimizer:
            model.optimizer = optimizer


def serialize_all_attributes(layer: Any, serialization_cache: Any) -> SerializedAttributes:
    """What is saved with a layer; made once in a serialization.

    Args:
      layer: the layer.
      serialization_cache: keeps what is made.
    """
    is_root = KERAS_CACHE_KEY not in serialization_cache
    cache = serialization_cache.setdefault(KERAS_CACHE_KEY, base.IdentityDict())
    if layer in cache:
        return cache[layer]
    cache[layer] = made = SerializedAttributes()
    if _is_skipped(layer):
        return made
    functions = {"_default_save_signature": None}
    if is_root and saving_utils.is_model(layer):
        with layer_functions.without_losses(layer):
            signature = saving_utils.trace_model_call(layer)
            signature.get_concrete_function()
        functions["_default_save_signature"] = signature
    objects = _objects_of(layer, serialization_cache)
    try:
        functions.update(_functions_of(layer, serialization_cache))
    except (ValueError, TypeError) as error:
        logging.warning(
            f"Skipping full serialization of object {layer}, because an error occurred while "
            f"tracing layer functions. Error message: {error}"
        )
    else:
        made.set(objects, functions)
    return made


def _is_skipped(layer: Any) -> bool:
    """Whether nothing is known of a layer's inputs, so that nothing can be recorded."""
    if saving_utils.is_model(layer):
        if saving_utils.model_input_signature(layer) is not None:
            return False
        logging.warning(
            f"Skipping full serialization of Keras model {layer}, because its inputs are not "
            "defined."
        )
        return True
    if not layer.built:
        logging.warning(
            f"Skipping full serialization of Keras layer {layer}, because it is not built."
        )
    return not layer.built


def _objects_of(layer: Any, serialization_cache: Any) -> dict[str, Any]:
    """The objects that are saved with a layer."""
    wrapped = serialization_cache.setdefault("keras_losses", {})

    def function_of(loss: Any) -> Any:
        if loss not in wrapped:
            function = loss.args[0] if isinstance(loss, functools.partial) else loss
            if not isinstance(function, def_function.TracedFunction):
                name = f"loss_fn_{len(wrapped)}"
                function = def_function.TracedFunction(function, name, [], autograph=False)
            wrapped[loss] = function
        return wrapped[loss]

    layers = layer_functions.layers_of(layer)
    own = list(layer._callable_losses)
    losses = own + [loss for child in layers for loss in child._callable_losses]
    listed = data_structures.ListWrapper
    return {
        "variables": listed(layer.variables),
        "trainable_variables": listed(layer.trainable_variables),
        "non_trainable_variables": listed(layer.non_trainable_variables),
        "layers": listed(layers),
        "metrics": listed(layer.metrics),
        "regularization_losses": listed([function_of(loss) for loss in losses]),
        "layer_regularization_losses": listed([function_of(loss) for loss in own]),
    }


def _functions_of(layer: Any, serialization_cache: Any) -> dict[str, Any]:
    """The functions that are saved with a layer."""
    if isinstance(layer, load.RevivedLayer) and not isinstance(layer, load.RevivedSequential):
        return {name: getattr(layer.keras_api, name, None) for name in load.CALL_FUNCTIONS}

    def functions(child: Any) -> dict[str, Any]:
        return serialize_all_attributes(child, serialization_cache).functions

    with layer_functions.calling_functions(layer, functions):
        return layer_functions.functions_of(layer)
