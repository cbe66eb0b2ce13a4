"""`tf.train.CheckpointManager` (`tensorflow.python.training.checkpoint_management`)."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training import checkpoint_management, training_util
from tf1compat.api.variables import variable_scope
from tf1compat.core import ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export


@tf_export("train.CheckpointManager", "contrib.checkpoint.CheckpointManager")
class CheckpointManager:
    """Keeps the last checkpoints of a `tf.train.Checkpoint` in a folder and deletes others.

    Args:
      checkpoint: the `tf.train.Checkpoint`.
      directory: the folder.
      max_to_keep: how many are kept; None for all.
      keep_checkpoint_every_n_hours: one of so many hours is kept besides.
      checkpoint_name: how the names of the files begin.

    Raises:
      ValueError: `max_to_keep` isn't positive.
    """

    def __init__(
        self, checkpoint: Any, directory: Any, max_to_keep: Any,
        keep_checkpoint_every_n_hours: Any = None, checkpoint_name: Any = "ckpt",
    ):  # fmt: skip
        self._checkpoint = checkpoint
        self._save_counter_assign: Any = None
        if max_to_keep is not None and max_to_keep <= 0:
            raise ValueError(
                "Expected a positive integer or `None` for `max_to_max_to_keep`, got "
                f"{int(max_to_keep)}."
            )
        self._max_to_keep = max_to_keep
        self._keep_checkpoint_every_n_hours = keep_checkpoint_every_n_hours
        self._directory = directory
        self._checkpoint_prefix = os.path.join(directory, checkpoint_name)
        # Path -> when it was written, the oldest first.
        self._maybe_delete: dict[str, float] = {}
        now = time.time()
        state = checkpoint_management.get_checkpoint_state(directory)
        if state is None:
            self._latest_checkpoint = None
            # Before everything that will be written, even within the same second.
            self._last_preserved_timestamp = now - 1.0
        else:
            self._recover(state, now)

    def _recover(self, state: Any, now: float) -> None:
        """Takes up what the state file of the folder says."""
        self._latest_checkpoint = state.model_checkpoint_path
        preserved = self._last_preserved_timestamp = state.last_preserved_timestamp
        if now < preserved:
            logging.warning(
                "time.time() returned a value %f seconds behind the last preserved checkpoint "
                "timestamp.",
                preserved - now,
            )
            self._last_preserved_timestamp = now
        paths = state.all_model_checkpoint_paths
        times = state.all_model_checkpoint_timestamps or [preserved] * len(paths)
        for path, timestamp in zip(paths, times):
            if min(timestamp, now) > self._last_preserved_timestamp:
                self._maybe_delete[path] = min(timestamp, now)

    latest_checkpoint = attribute("_latest_checkpoint", "The path of the last checkpoint, or None.")

    @property
    def checkpoints(self) -> list[str]:
        """The paths of the last checkpoints, the oldest first."""
        return list(self._maybe_delete)

    _prefix: str = attribute("_checkpoint_prefix")

    def _sweep(self) -> None:
        """Deletes what is too old."""
        hours = self._keep_checkpoint_every_n_hours
        while self._max_to_keep and len(self._maybe_delete) > self._max_to_keep:
            path = next(iter(self._maybe_delete))
            timestamp = self._maybe_delete.pop(path)
            if hours and timestamp - hours * 3600.0 >= self._last_preserved_timestamp:
                self._last_preserved_timestamp = timestamp
                continue
            checkpoint_management._delete_file_if_exists(f"{path}.index")
            checkpoint_management._delete_file_if_exists(f"{path}.data-?????-of-?????")

    def _record_state(self) -> None:
        checkpoint_management.update_checkpoint_state_internal(
            self._directory,
            model_checkpoint_path=self._latest_checkpoint,  # pyright: ignore
            all_model_checkpoint_paths=list(self._maybe_delete),
            all_model_checkpoint_timestamps=list(self._maybe_delete.values()),
            last_preserved_timestamp=self._last_preserved_timestamp,
            save_relative_paths=True,
        )

    def save(self, checkpoint_number: Any = None) -> Any:
        """Writes a checkpoint, and deletes what is too old.

        Args:
          checkpoint_number: an int, or a variable or tensor of one, for the file's name; the save
            counter by default.

        Returns:
          The path of the checkpoint.
        """
        session = None
        if ops.executing_eagerly():
            counter = self._checkpoint.save_counter
            counter.assign_add(1)
        else:
            session = ops.get_default_session()

            def initializing(next_creator: Callable[..., Any], **kwargs: Any) -> Any:
                made = next_creator(**kwargs)
                session.run(made.initializer)
                return made

            with variable_scope.variable_creator_scope(initializing):
                counter = self._checkpoint.save_counter
            if self._save_counter_assign is None:
                self._save_counter_assign = counter.assign_add(1, read_value=False)
            session.run(self._save_counter_assign)
        if checkpoint_number is None:
            checkpoint_number = counter
        if not isinstance(checkpoint_number, int | np.integer):
            checkpoint_number = training_util.global_step(session, checkpoint_number)
        path = self._checkpoint.write(f"{self._prefix}-{checkpoint_number:d}")
        self._maybe_delete.pop(path, None)
        self._maybe_delete[path] = time.time()
        self._latest_checkpoint = path
        # Before anything is deleted, too: who reads it meanwhile finds the files.
        self._record_state()
        self._sweep()
        self._record_state()
        return path
