"""Whole models in files (`tensorflow.python.keras.saving.save`)."""

from __future__ import annotations

import os
from typing import Any

from tf1compat.api.keras.engine.sequential import Sequential
from tf1compat.api.keras.saving import hdf5_format
from tf1compat.api.keras.saving.saved_model import load as saved_model_load
from tf1compat.api.keras.saving.saved_model import save as saved_model_save
from tf1compat.api.saved_model import loader_impl
from tf1compat.core import tf2
from tf1compat.core.export import tf_export

_HDF5_EXTENSIONS = (".h5", ".hdf5", ".keras")


@tf_export("keras.models.save_model")
def save_model(
    model: Any, filepath: Any, overwrite: bool = True, include_optimizer: bool = True,
    save_format: Any = None, signatures: Any = None,
) -> None:  # fmt: skip
    """Saves a model: its config, its weights, how it was compiled, and the optimizer's weights.

    Args:
      model: a functional or sequential model.
      filepath: the file, or an open `h5py.File`; the folder of a SavedModel.
      overwrite: whether to overwrite what is there without asking.
      include_optimizer: whether the optimizer is saved too.
      save_format: "h5", or "tf" for a SavedModel; by default "h5", under TF 2's behaviour "tf".
      signatures: of a SavedModel (see `tf.saved_model.save`).

    Raises:
      NotImplementedError: the model is subclassed, and the file is HDF5.
      ValueError: the model of a SavedModel has no inputs yet.
      ImportError: h5py is missing.
    """
    is_name = isinstance(filepath, str | os.PathLike)
    extension = os.path.splitext(filepath)[1] if is_name else ""
    save_format = save_format or ("tf" if tf2.enabled() else "h5")
    if is_name and save_format != "h5" and extension not in _HDF5_EXTENSIONS:
        saved_model_save.save(model, filepath, overwrite, include_optimizer, signatures)
        return
    if not model._is_graph_network and not isinstance(model, Sequential):
        raise NotImplementedError(
            "Saving the model to HDF5 format requires the model to be a Functional model or a "
            "Sequential model. It does not work for subclassed models, because such models are "
            "defined via the body of a Python method, which isn't safely serializable. Consider "
            'saving to the Tensorflow SavedModel format (by setting save_format="tf") or using '
            "`save_weights`."
        )
    hdf5_format.save_model_to_hdf5(model, filepath, overwrite, include_optimizer)


@tf_export("keras.models.load_model")
def load_model(
    filepath: Any, custom_objects: dict[str, Any] | None = None, compile: bool = True
) -> Any:
    """A model that `save_model` saved.

    Args:
      filepath: the file, or an open `h5py.File`; the folder of a SavedModel.
      custom_objects: classes and functions by name, for those that Keras doesn't have. A SavedModel
        needs none: its layers call the functions that were saved.
      compile: whether to compile it as it was when it was saved.

    Returns:
      A `Model`, compiled if the saved one was.

    Raises:
      OSError: there is no such file, or no model in it.
      ImportError: h5py is missing.
    """
    if hdf5_format.is_hdf5(filepath):
        return hdf5_format.load_model_from_hdf5(filepath, custom_objects, compile)
    if isinstance(filepath, str):
        loader_impl.parse_saved_model(filepath)
        return saved_model_load.load(filepath, compile)
    raise OSError(
        "Unable to load model. Filepath is not an hdf5 file (or h5py is not available) or "
        "SavedModel."
    )
