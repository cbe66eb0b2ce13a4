"""Models and weights in HDF5 files (`tensorflow.python.keras.saving.hdf5_format`)."""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np

from tf1compat.api.keras import backend, optimizers
from tf1compat.api.keras.optimizer_v2.optimizer_v2 import OptimizerV2
from tf1compat.api.keras.saving import model_config as model_config_lib
from tf1compat.api.keras.saving import saving_utils
from tf1compat.api.keras.saving.legacy_weights import preprocess_weights_for_loading
from tf1compat.api.keras.utils.io_utils import ask_to_proceed_with_overwrite
from tf1compat.api.platform import tf_logging as logging
from tf1compat.core import context

# What HDF5 lets an attribute be, less some room.
HDF5_OBJECT_HEADER_LIMIT = 64512


def h5py(message: str) -> Any:
    """The module h5py.

    Raises:
      ImportError: it is missing; the message says how it is installed.
    """
    try:
        import h5py  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise ImportError(f"{message} Install it with `pip install h5py`.".strip()) from error
    return h5py


def is_hdf5(filepath: Any) -> bool:
    """Whether something is an open HDF5 file, or the name of one."""
    if isinstance(filepath, (str, os.PathLike)):
        if not os.path.isfile(filepath):
            return False
        with open(filepath, "rb") as file:
            return file.read(8) == b"\x89HDF\r\n\x1a\n"
    return type(filepath).__module__.partition(".")[0] == "h5py"


def _text(value: Any) -> str:
    """Text of an attribute: h5py gives bytes or text, by its version and the file's."""
    return value.decode("utf8") if isinstance(value, bytes) else str(value)


def save_model_to_hdf5(
    model: Any, filepath: Any, overwrite: bool = True, include_optimizer: bool = True
) -> None:
    """Saves a model: its config, weights, and how it is trained.

    Args:
      model: the model.
      filepath: the file, or an open `h5py.File`.
      overwrite: whether to overwrite a file that is there without asking.
      include_optimizer: whether to save the optimizer's config and weights too.

    Raises:
      ImportError: h5py is missing.
    """
    module = h5py("`save_model` requires h5py.")
    opened = not isinstance(filepath, module.File)
    if opened and not overwrite and os.path.isfile(filepath):
        if not ask_to_proceed_with_overwrite(filepath):
            return
    f = module.File(filepath, mode="w") if opened else filepath
    try:
        for key, value in saving_utils.model_metadata(model, include_optimizer).items():
            if isinstance(value, dict | list | tuple):
                value = json.dumps(value, default=saving_utils.get_json_type)
            f.attrs[key] = value.encode("utf8")
        save_weights_to_hdf5_group(f.create_group("model_weights"), model.layers)
        optimizer = model.optimizer
        if include_optimizer and optimizer and not isinstance(optimizer, optimizers.TFOptimizer):
            save_optimizer_weights_to_hdf5_group(f, optimizer)
        f.flush()
    finally:
        if opened:
            f.close()


def load_model_from_hdf5(filepath: Any, custom_objects: Any = None, compile: bool = True) -> Any:
    """A model that was saved in HDF5.

    Args:
      filepath: the file, or an open `h5py.File`.
      custom_objects: classes and functions by the names they are saved by.
      compile: whether to compile it as it was.

    Raises:
      ImportError: h5py is missing.
      ValueError: there is no model in the file.
    """
    module = h5py("`load_model` requires h5py.")
    custom_objects = custom_objects or {}
    opened = not isinstance(filepath, module.File)
    f = module.File(filepath, mode="r") if opened else filepath
    try:
        config = f.attrs.get("model_config")
        if config is None:
            raise ValueError("No model found in config file.")
        model = model_config_lib.model_from_config(
            json.loads(_text(config)), custom_objects=custom_objects
        )
        load_weights_from_hdf5_group(f["model_weights"], model.layers)
        if compile:
            _compile_as_saved(model, f, custom_objects)
    finally:
        if opened:
            f.close()
    return model


def _compile_as_saved(model: Any, f: Any, custom_objects: Any) -> None:
    training_config = f.attrs.get("training_config")
    if training_config is None:
        logging.warning(
            "No training configuration found in save file: the model was *not* compiled. Compile "
            "it manually."
        )
        return
    config = json.loads(_text(training_config))
    model.compile(**saving_utils.compile_args_from_training_config(config, custom_objects))
    if "optimizer_weights" not in f:
        return
    if not model._is_graph_network:
        logging.warning(
            "Sequential models without an `input_shape` passed to the first layer cannot reload "
            "their optimizer state. As a result, your model isstarting with a freshly initialized "
            "optimizer."
        )
        return
    model._make_train_function()
    if context.executing_eagerly():
        _make_slots(model)
    try:
        model.optimizer.set_weights(load_optimizer_weights_from_hdf5_group(f))
    except ValueError:
        logging.warning(
            "Error in loading the saved optimizer state. As a result, your model is starting with "
            "a freshly initialized optimizer."
        )


def _save_arrays(group: Any, variables: Any) -> None:
    """Saves values of variables in a group, and their names in the order they come in."""
    names = [str(variable.name).encode("utf8") for variable in variables]
    save_attributes_to_hdf5_group(group, "weight_names", names)
    for name, value in zip(names, backend.batch_get_value(variables), strict=True):
        value = np.asarray(value)
        dataset = group.create_dataset(name.decode("utf8"), value.shape, dtype=value.dtype)
        dataset[()] = value


def _load_arrays(group: Any) -> list[np.ndarray]:
    names = load_attributes_from_hdf5_group(group, "weight_names")
    return [np.asarray(group[name]) for name in names]


def _make_slots(model: Any) -> None:
    """Makes the variables of an optimizer; in graphs the training function has made them."""
    optimizer = getattr(model.optimizer, "_optimizer", model.optimizer)  # What scales losses.
    if not isinstance(optimizer, OptimizerV2):
        return
    scope = backend.name_scope
    with backend.get_graph().as_default(), scope("training"), scope(optimizer._name):
        optimizer._create_variables(model._collected_trainable_weights)


def save_optimizer_weights_to_hdf5_group(hdf5_group: Any, optimizer: Any) -> None:
    """Saves the weights of an optimizer, if it has any."""
    weights = optimizer.weights
    if weights:
        _save_arrays(hdf5_group.create_group("optimizer_weights"), weights)


def load_optimizer_weights_from_hdf5_group(hdf5_group: Any) -> list[np.ndarray]:
    """The weights of an optimizer."""
    return _load_arrays(hdf5_group["optimizer_weights"])


def save_weights_to_hdf5_group(f: Any, layers: Any) -> None:
    """Saves the weights of layers, a group for each layer.

    Args:
      f: the file or group.
      layers: the layers.
    """
    names = [layer.name.encode("utf8") for layer in layers]
    save_attributes_to_hdf5_group(f, "layer_names", names)
    f.attrs["backend"] = backend.backend().encode("utf8")
    f.attrs["keras_version"] = saving_utils.KERAS_VERSION.encode("utf8")
    for layer in layers:
        _save_arrays(f.create_group(layer.name), _weights(layer))


def _weights(layer: Any) -> list[Any]:
    return layer.trainable_weights + layer.non_trainable_weights


def _origin(f: Any) -> tuple[str, str | None]:
    """Versions that saved the weights: of Keras, and the backend."""
    version = _text(f.attrs["keras_version"]) if "keras_version" in f.attrs else "1"
    return version, _text(f.attrs["backend"]) if "backend" in f.attrs else None


def load_weights_from_hdf5_group(f: Any, layers: Any) -> None:
    """Loads weights into the layers that are at the places of those that were saved.

    Args:
      f: the file or group.
      layers: the layers.

    Raises:
      ValueError: there are more or fewer layers or weights than were saved.
    """
    origin = _origin(f)
    targets = [layer for layer in layers if _weights(layer)]
    names = [
        name
        for name in load_attributes_from_hdf5_group(f, "layer_names")
        if load_attributes_from_hdf5_group(f[name], "weight_names")
    ]
    if len(names) != len(targets):
        raise ValueError(
            f"You are trying to load a weight file containing {len(names)} layers into a model "
            f"with {len(targets)} layers."
        )
    found: list[Any] = []
    for k, (name, layer) in enumerate(zip(names, targets, strict=True)):
        values = preprocess_weights_for_loading(layer, _load_arrays(f[name]), *origin)
        symbolic = _weights(layer)
        if len(values) != len(symbolic):
            raise ValueError(
                f'Layer #{k} (named "{layer.name}" in the current model) was found to correspond '
                f"to layer {name} in the save file. However the new layer {layer.name} expects "
                f"{len(symbolic)} weights, but the saved weights have {len(values)} elements."
            )
        found += zip(symbolic, values, strict=True)
    backend.batch_set_value(found)


def load_weights_from_hdf5_group_by_name(f: Any, layers: Any) -> None:
    """Loads weights into the layers that have the names of those that were saved.

    Args:
      f: the file or group.
      layers: the layers; those whose names are not there are left alone.

    Raises:
      ValueError: a layer has weights of other shapes, or more or fewer, than were saved.
    """
    origin = _origin(f)
    index: dict[str, list[Any]] = {}
    for layer in layers:
        if layer.name:
            index.setdefault(layer.name, []).append(layer)
    found: list[Any] = []
    for k, name in enumerate(load_attributes_from_hdf5_group(f, "layer_names")):
        values = _load_arrays(f[name])
        for layer in index.get(name, []):
            symbolic = _weights(layer)
            values = preprocess_weights_for_loading(layer, values, *origin)
            if len(values) != len(symbolic):
                raise ValueError(
                    f'Layer #{k} (named "{layer.name}") expects {len(symbolic)} weight(s), but the '
                    f"saved weights have {len(values)} element(s)."
                )
            for variable, value in zip(symbolic, values, strict=True):
                shape = backend.int_shape(variable)
                if shape != value.shape:
                    raise ValueError(
                        f'Layer #{k} (named "{layer.name}"), weight {variable} has shape {shape}, '
                        f"but the saved weight has shape {value.shape}."
                    )
                found.append((variable, value))
    backend.batch_set_value(found)


def save_attributes_to_hdf5_group(group: Any, name: str, data: Any) -> None:
    """Saves a list of bytes as one attribute, or several if it is long.

    Raises:
      RuntimeError: one of the list is too long by itself.
    """
    too_long = [x for x in data if len(x) > HDF5_OBJECT_HEADER_LIMIT]
    if too_long:
        raise RuntimeError(
            "The following attributes cannot be saved to HDF5 file because they are larger than "
            f"{HDF5_OBJECT_HEADER_LIMIT} bytes: {', '.join(map(str, too_long))}"
        )
    whole = np.asarray(data)
    count = 1
    chunks = [whole]
    while any(chunk.nbytes > HDF5_OBJECT_HEADER_LIMIT for chunk in chunks):
        count += 1
        chunks = np.array_split(whole, count)
    if count == 1:
        group.attrs[name] = data
    else:
        for i, chunk in enumerate(chunks):
            group.attrs[f"{name}{i}"] = chunk


def load_attributes_from_hdf5_group(group: Any, name: str) -> list[str]:
    """The list of texts that `save_attributes_to_hdf5_group` saved."""
    if name in group.attrs:
        return [_text(n) for n in group.attrs[name]]
    found: list[str] = []
    i = 0
    while f"{name}{i}" in group.attrs:
        found += [_text(n) for n in group.attrs[f"{name}{i}"]]
        i += 1
    return found
