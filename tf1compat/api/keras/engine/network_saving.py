"""How networks are saved (of `tensorflow.python.keras.engine.network`)."""

from __future__ import annotations

import os
from typing import Any

from tf1compat.api.client import pywrap_tensorflow
from tf1compat.api.keras import backend
from tf1compat.api.keras.saving import hdf5_format
from tf1compat.api.keras.utils.io_utils import ask_to_proceed_with_overwrite
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training import checkpoint_management
from tf1compat.api.training.tracking.base import Trackable
from tf1compat.api.training.tracking.util import streaming_restore
from tf1compat.core import context, errors


def _is_hdf5_filepath(filepath: str) -> bool:
    return filepath.endswith((".h5", ".keras", ".hdf5"))


def _is_checkpoint(filepath: str) -> bool:
    """Whether a checkpoint is there, and no other file.

    Raises:
      tf.errors.NotFoundError: nothing is there.
    """
    try:
        pywrap_tensorflow.NewCheckpointReader(filepath)
    except errors.DataLossError:
        return False
    return True


def _session() -> Any:
    return None if context.executing_eagerly() else backend.get_session()


class NetworkSaving:
    """The part of a network that saves and loads."""

    _is_graph_network: Any
    _trackable_saver: Any
    _assert_weights_created: Any
    built: Any
    layers: Any
    name: Any

    def save(
        self, filepath: str, overwrite: bool = True, include_optimizer: bool = True,
        save_format: Any = None, signatures: Any = None,
    ) -> None:  # fmt: skip
        """Saves the model with its config, weights and optimizer.

        Args:
          filepath: the file, or the folder of a SavedModel.
          overwrite: whether to overwrite one that is there without asking.
          include_optimizer: whether to save the optimizer too.
          save_format: "h5", the default, or "tf" for a SavedModel.
          signatures: of a SavedModel.
        """
        from tf1compat.api.keras.saving import save

        save.save_model(self, filepath, overwrite, include_optimizer, save_format, signatures)

    def save_weights(self, filepath: str, overwrite: bool = True, save_format: Any = None) -> None:
        """Saves the weights.

        Args:
          filepath: the file, or the prefix of a checkpoint.
          overwrite: whether to overwrite one that is there without asking.
          save_format: "h5" or "tf"; by default told from the name: ".h5", ".hdf5" and ".keras" are
            HDF5.

        Raises:
          ValueError: an unknown format, or one that the name contradicts.
          ImportError: h5py is missing.
        """
        self._assert_weights_created()
        is_h5 = _is_hdf5_filepath(filepath)
        if save_format is None:
            form = "h5" if is_h5 else "tf"
        else:
            form = {
                "tensorflow": "tf", "tf": "tf", "hdf5": "h5", "h5": "h5", "keras": "h5",
            }.get(save_format.lower().strip())  # fmt: skip
            if form is None:
                raise ValueError(
                    f'Unknown format "{save_format}". Was expecting one of {{"tf", "h5"}}.'
                )
        if form == "tf" and is_h5:
            raise ValueError(
                'save_weights got save_format="tf"/"tensorflow", but the filepath '
                f'("{filepath}") looks like an HDF5 file. Omit the ".h5"/".keras" when saving in '
                "TensorFlow format."
            )
        if form == "h5":
            hdf5_format.h5py("`save_weights` requires h5py when saving in hdf5.")
        path = filepath if form == "h5" else filepath + ".index"
        if not overwrite and os.path.isfile(path) and not ask_to_proceed_with_overwrite(path):
            return
        if form == "h5":
            with hdf5_format.h5py("").File(filepath, "w") as f:
                hdf5_format.save_weights_to_hdf5_group(f, self.layers)
        else:
            optimizer = getattr(self, "optimizer", None)
            if optimizer and not isinstance(optimizer, Trackable):
                logging.warning(
                    f"This model was compiled with a Keras optimizer ({optimizer}) but is being "
                    "saved in TensorFlow format with `save_weights`. The model's weights will be "
                    "saved, but unlike with TensorFlow optimizers in the TensorFlow format the "
                    "optimizer's state will not be saved.\n\nConsider using a TensorFlow "
                    "optimizer from `tf.train`."
                )
            self._trackable_saver.save(filepath, session=_session())
            checkpoint_management.update_checkpoint_state_internal(
                save_dir=os.path.dirname(filepath), model_checkpoint_path=filepath,
                save_relative_paths=True, all_model_checkpoint_paths=[filepath],
            )  # fmt: skip

    def load_weights(self, filepath: str, by_name: bool = False) -> Any:
        """Loads weights that `save_weights` (or `save`) saved.

        Args:
          filepath: the file, or the prefix of a checkpoint.
          by_name: whether layers of the same names get them (HDF5 only), rather than those at the
            same places.

        Returns:
          What was restored from a checkpoint, which can be asked to check it; None for HDF5.
          Variables that the model has yet to make get their values when it makes them.

        Raises:
          NotImplementedError: a checkpoint by name, or HDF5 for a model without variables.
          AssertionError: nothing in the checkpoint is the model's.
        """
        if not _is_hdf5_filepath(filepath) and _is_checkpoint(filepath):
            status = self._trackable_saver.restore(filepath)
            if by_name:
                raise NotImplementedError(
                    "Weights may only be loaded based on topology into Models when loading "
                    "TensorFlow-formatted weights (got by_name=True to load_weights)."
                )
            if not context.executing_eagerly():
                streaming_restore(status=status, session=_session())
            status.assert_nontrivial_match()
            return status
        h5py = hdf5_format.h5py("`load_weights` requires h5py when loading weights from HDF5.")
        if self._is_graph_network and not self.built:
            raise NotImplementedError(
                "Unable to load weights saved in HDF5 format into a subclassed Model which has not "
                "created its variables yet. Call the Model first, then load the weights."
            )
        self._assert_weights_created()
        with h5py.File(filepath, "r") as f:
            group = f
            if "layer_names" not in f.attrs and "model_weights" in f:
                group = f["model_weights"]
            if by_name:
                hdf5_format.load_weights_from_hdf5_group_by_name(group, self.layers)
            else:
                hdf5_format.load_weights_from_hdf5_group(group, self.layers)
        return None
