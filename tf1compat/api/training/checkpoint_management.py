"""The files of checkpoints, and the state file that lists them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Any

from tf1compat.api.lib.io import file_io
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import errors
from tf1compat.core.deferred import Deferred
from tf1compat.core.export import tf_export
from tf1compat.core.own_protos import message

text_format = Deferred("google.protobuf.text_format")

_V2 = 2  # SaverDef.V2
_STATE_FILE = "checkpoint"


def _state_path(save_dir: str, latest_filename: str | None) -> str:
    return os.path.join(save_dir, _STATE_FILE if latest_filename is None else latest_filename)


@tf_export("train.generate_checkpoint_state_proto")
def generate_checkpoint_state_proto(
    save_dir: str,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: Any = None,
    all_model_checkpoint_timestamps: Any = None,
    last_preserved_timestamp: float | None = None,
) -> Any:
    """The `CheckpointState` that says which checkpoints there are, as in TF 1.15.

    Args:
      save_dir: where the checkpoints are; if relative, so are the paths, from there.
      model_checkpoint_path: the newest checkpoint.
      all_model_checkpoint_paths: all, the oldest first; the newest is added if it isn't the last.
      all_model_checkpoint_timestamps: when each was written, in seconds.
      last_preserved_timestamp: when the last that is kept for good was written.

    Returns:
      A `CheckpointState` proto.

    Raises:
      ValueError: there are not as many timestamps as paths.
    """
    paths = [] if all_model_checkpoint_paths is None else all_model_checkpoint_paths
    if not paths or paths[-1] != model_checkpoint_path:
        logging.info(
            "%s is not in all_model_checkpoint_paths. Manually adding it.", model_checkpoint_path
        )
        paths.append(model_checkpoint_path)
    times = all_model_checkpoint_timestamps
    if times and len(times) != len(paths):
        raise ValueError(
            "Checkpoint timestamps, if provided, must match checkpoint paths (got paths "
            f"{paths} and timestamps {times})"
        )
    if not os.path.isabs(save_dir):

        def relative(path: str) -> str:
            return path if os.path.isabs(path) else os.path.relpath(path, save_dir)

        model_checkpoint_path = relative(model_checkpoint_path)
        # TF 1.15 changes the caller's list, too.
        for i, path in enumerate(paths):
            if not os.path.isabs(path):
                paths[i] = relative(path)
    return message("CheckpointState")(
        model_checkpoint_path=model_checkpoint_path,
        all_model_checkpoint_paths=paths,
        all_model_checkpoint_timestamps=times,
        last_preserved_timestamp=last_preserved_timestamp,
    )


@tf_export("train.update_checkpoint_state")
@deprecated(
    None,
    "Use `tf.train.CheckpointManager` to manage checkpoints rather than manually editing the "
    "Checkpoint proto.",
)
def update_checkpoint_state(
    save_dir: str,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: Any = None,
    latest_filename: str | None = None,
    all_model_checkpoint_timestamps: Any = None,
    last_preserved_timestamp: float | None = None,
) -> None:
    """Writes the state file; the arguments are those of `generate_checkpoint_state_proto`.

    Args:
      latest_filename: the file's name, "checkpoint" by default.

    Raises:
      RuntimeError: the file would replace a checkpoint.
    """
    update_checkpoint_state_internal(
        save_dir=save_dir,
        model_checkpoint_path=model_checkpoint_path,
        all_model_checkpoint_paths=all_model_checkpoint_paths,
        latest_filename=latest_filename,
        save_relative_paths=False,
        all_model_checkpoint_timestamps=all_model_checkpoint_timestamps,
        last_preserved_timestamp=last_preserved_timestamp,
    )


def update_checkpoint_state_internal(
    save_dir: str,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: Any = None,
    latest_filename: str | None = None,
    save_relative_paths: bool = False,
    all_model_checkpoint_timestamps: Any = None,
    last_preserved_timestamp: float | None = None,
) -> None:
    """As `update_checkpoint_state`; `save_relative_paths` writes paths from `save_dir` on."""
    state_path = _state_path(save_dir, latest_filename)
    newest, paths = model_checkpoint_path, all_model_checkpoint_paths
    if save_relative_paths:

        def relative(path: str) -> str:
            return os.path.relpath(path, save_dir) if os.path.isabs(path) else path

        newest, paths = relative(newest), [relative(path) for path in paths]
    state = generate_checkpoint_state_proto(
        save_dir, newest, paths, all_model_checkpoint_timestamps, last_preserved_timestamp
    )
    if state_path == state.model_checkpoint_path:
        raise RuntimeError(
            f"Save path '{model_checkpoint_path}' conflicts with path used for checkpoint state.  "
            "Please use a different save path."
        )
    file_io.atomic_write_string_to_file(state_path, text_format.MessageToString(state))


@tf_export("train.get_checkpoint_state")
def get_checkpoint_state(checkpoint_dir: str, latest_filename: str | None = None) -> Any:
    """What the state file of a folder says, as `tf.train.get_checkpoint_state` in TF 1.15.

    Args:
      checkpoint_dir: the folder.
      latest_filename: the file's name, "checkpoint" by default.

    Returns:
      A `CheckpointState` proto whose paths are from the current folder on; None if there is no
      such file, or it can't be read.

    Raises:
      ValueError: it names no checkpoint.
    """
    path = _state_path(checkpoint_dir, latest_filename)
    try:
        if not file_io.file_exists(path):
            return None
        state = message("CheckpointState")()
        text_format.Merge(file_io.read_file_to_string(path), state)
    except (errors.OpError, text_format.ParseError) as error:
        logging.warning("%s: %s", type(error).__name__, error)
        logging.warning("%s: Checkpoint ignored", path)
        return None
    if not state.model_checkpoint_path:
        raise ValueError("Invalid checkpoint state loaded from " + checkpoint_dir)
    state.model_checkpoint_path = os.path.join(checkpoint_dir, state.model_checkpoint_path)
    for i, found in enumerate(state.all_model_checkpoint_paths):
        state.all_model_checkpoint_paths[i] = os.path.join(checkpoint_dir, found)
    return state


def _prefix_to_checkpoint_path(prefix: str, format_version: int) -> str:
    """The file that is there if the checkpoint is."""
    return prefix + ".index" if format_version == _V2 else prefix


@tf_export("train.latest_checkpoint")
def latest_checkpoint(checkpoint_dir: str, latest_filename: str | None = None) -> str | None:
    """The newest checkpoint in a folder, as its state file says.

    Args:
      checkpoint_dir: the folder.
      latest_filename: the state file's name, "checkpoint" by default.

    Returns:
      The path for `Saver.restore`; None if there is none, or its files are gone.
    """
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    if state and state.model_checkpoint_path:
        if checkpoint_exists_internal(state.model_checkpoint_path):
            return state.model_checkpoint_path
        logging.error("Couldn't match files for checkpoint %s", state.model_checkpoint_path)
    return None


def checkpoint_exists_internal(checkpoint_prefix: str) -> bool:
    """As `checkpoint_exists`."""
    if file_io.get_matching_files(_prefix_to_checkpoint_path(checkpoint_prefix, _V2)):
        return True
    return bool(file_io.get_matching_files(checkpoint_prefix))


@tf_export("train.checkpoint_exists")
@deprecated(None, "Use standard file APIs to check for files with this prefix.")
def checkpoint_exists(checkpoint_prefix: str) -> bool:
    """Whether there is a checkpoint of that name, of either version.

    Args:
      checkpoint_prefix: the checkpoint's prefix.

    Returns:
      A bool.
    """
    return checkpoint_exists_internal(checkpoint_prefix)


@tf_export("train.get_checkpoint_mtimes")
@deprecated(None, "Use standard file utilities to get mtimes.")
def get_checkpoint_mtimes(checkpoint_prefixes: Iterable[str]) -> list[float]:
    """When each checkpoint was written, in seconds; those that aren't there are left out.

    Args:
      checkpoint_prefixes: the checkpoints' prefixes.

    Returns:
      Seconds since the epoch.
    """
    times = []
    for prefix in checkpoint_prefixes:
        index = _prefix_to_checkpoint_path(prefix, _V2)
        found = file_io.get_matching_files(index) or file_io.get_matching_files(prefix)
        if found:
            times.append(file_io.stat(found[0]).mtime_nsec / 1e9)
    return times


@tf_export("train.remove_checkpoint")
@deprecated(None, "Use standard file APIs to delete files with this prefix.")
def remove_checkpoint(
    checkpoint_prefix: str, checkpoint_format_version: int = _V2, meta_graph_suffix: str = "meta"
) -> None:
    """Deletes the files of a checkpoint, and its meta graph.

    Args:
      checkpoint_prefix: the checkpoint's prefix.
      checkpoint_format_version: a `SaverDef` version.
      meta_graph_suffix: the end of the name of its meta graph.
    """
    _delete_file_if_exists(meta_graph_filename(checkpoint_prefix, meta_graph_suffix))
    if checkpoint_format_version == _V2:
        _delete_file_if_exists(checkpoint_prefix + ".index")
        _delete_file_if_exists(checkpoint_prefix + ".data-?????-of-?????")
    else:
        _delete_file_if_exists(checkpoint_prefix)


def _delete_file_if_exists(filespec: str) -> None:
    for path in file_io.get_matching_files(filespec):
        file_io.delete_file(path)


def meta_graph_filename(checkpoint_filename: str, meta_graph_suffix: str = "meta") -> str:
    """The file of a checkpoint's meta graph; that of all shards for one of them."""
    name = re.sub(r"-[\d\?]+-of-\d+$", "", checkpoint_filename)
    return f"{name}.{meta_graph_suffix}"
